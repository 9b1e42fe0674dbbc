"""Words broken into lines, by widths that hold roughly in any font."""

import unicodedata
from functools import lru_cache

NEVER_FIRST = "，。、；：！？」』）》〉…\u200d\ufe0f🏻🏼🏽🏾🏿"
NEVER_LAST = "「『（《〈\u200d"
NARROW = "ijlftrI.,;:!|'()[] "
BROAD = "mwMW@%&<>=+"
MUCH = 1.7
"""How much wider than a line a word can be and stay whole."""


def break_lines(words: str, width: float) -> list[str]:
    """Return *words* in lines of about *width* Chinese characters at most, with Latin words whole.

    >>> break_lines("中華民國憲法保障言論自由，也保障出版", 9)
    ['中華民國憲法保障言', '論自由，也保障出版']
    """
    pieces: list[str] = []
    for piece in _pieces(words):
        pieces += list(piece) if words_width(piece) > MUCH * width else [piece]
    lines = _fill_lines(pieces, width)
    # Make the lines about equally long: narrow the text as long as it needs no further line.
    while len(lines) > 1 and width > 2:
        width *= 0.94
        narrower = _fill_lines(pieces, width)
        if len(narrower) > len(lines) or max(map(words_width, narrower)) > width:
            break
        lines = narrower
    return lines


def words_width(words: str) -> float:
    """Return the width of *words* in a line, in Chinese characters."""
    return sum(map(_letter_width, words))


@lru_cache(4096)
def _letter_width(letter: str) -> float:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if _is_wide(letter) or (not letter.isalpha() and unicodedata.east_asian_width(letter) == "A"):
        return 1.0
    if letter in NARROW:
        return 0.38
    if letter in BROAD:
        return 1.0
    return 0.74 if letter.isupper() else 0.62


@lru_cache(4096)
def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def _fill_lines(pieces: list[str], width: float) -> list[str]:
    """Return *pieces* in lines as full as possible."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and words_width(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _pieces(words: str) -> list[str]:
    """Return *words* cut where a line may end: around wide characters, and after spaces."""
    pieces = [""]
    before = ""
    for letter in words:
        may_end = before == " " or _is_wide(letter) or (before and _is_wide(before))
        if may_end and letter not in NEVER_FIRST and before not in NEVER_LAST:
            pieces.append("")
        pieces[-1] += letter
        before = letter
    return pieces
