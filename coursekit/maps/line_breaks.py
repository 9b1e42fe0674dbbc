"""Words broken into lines."""

import unicodedata
from functools import lru_cache

NEVER_FIRST = "，。、；：！？」』）》 "
LATIN = 0.57
"""Width of a Latin letter, as a share of a Chinese character."""


def break_lines(words: str, width: float) -> str:
    """Return *words* in lines of about *width* Chinese characters at most, with Latin words whole.

    >>> break_lines("中華民國憲法保障言論自由，也保障出版", 9)
    '中華民國憲法保障言\\n論自由，也保障出版'
    """
    pieces = _pieces(words)
    lines = _fill_lines(pieces, width)
    # Make the lines about equally long: narrow the text as long as it needs no further line.
    while len(lines) > 1 and width > 2:
        width *= 0.94
        narrower = _fill_lines(pieces, width)
        if len(narrower) > len(lines) or max(map(_width, narrower)) > width:
            break
        lines = narrower
    return "\n".join(lines)


def _fill_lines(pieces: list[str], width: float) -> list[str]:
    """Return *pieces* in lines as full as possible."""
    lines = []
    line = ""
    wide = 0.0
    for word in pieces:
        size = _width(word.rstrip())
        if line and wide + size > width and word not in NEVER_FIRST:
            lines.append(line.rstrip())
            line = ""
            wide = 0.0
        line += word
        wide += _width(word)
    return [*lines, line.rstrip()]


@lru_cache(4096)
def words_size(words: str, width: float) -> tuple[float, int]:
    """Return the width of *words* in lines of about *width*, and the number of lines.

    The unit is a Chinese character.
    """
    lines = break_lines(words, width).split("\n")
    return max(map(_width, lines)), len(lines)


def _width(words: str) -> float:
    return sum(1.0 if _is_wide(letter) else LATIN for letter in words)


@lru_cache(4096)
def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def _pieces(words: str) -> list[str]:
    """Return *words* cut where a line may end: around wide characters, and after spaces."""
    pieces = [""]
    for letter in words:
        before = pieces[-1][-1:]
        if _is_wide(letter) or before == " " or (before and _is_wide(before)):
            pieces.append("")
        pieces[-1] += letter
    return pieces
