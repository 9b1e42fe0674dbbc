"""Words broken into lines."""

import unicodedata
from functools import lru_cache

NEVER_FIRST = "，。、；：！？」』）》 "
LATIN = 0.57
"""Width of a Latin letter, as a share of a Chinese character."""


def wrapped(words: str, width: float) -> str:
    """Return *words* in lines of about *width* Chinese characters at most, with Latin words whole.

    >>> wrapped("中華民國憲法保障言論自由，也保障出版", 9)
    '中華民國憲法保障言\\n論自由，也保障出版'
    """
    pieces = _pieces(words)
    found = _filled(pieces, width)
    while len(found) > 1 and width > 2:  # lines about equally long
        width *= 0.94
        narrower = _filled(pieces, width)
        if len(narrower) > len(found) or max(map(_width, narrower)) > width:
            break
        found = narrower
    return "\n".join(found)


def _filled(pieces: list[str], width: float) -> list[str]:
    """Return *pieces* in lines as full as possible."""
    lines, line, wide = [], "", 0.0
    for word in pieces:
        size = _width(word.rstrip())
        if line and wide + size > width and word not in NEVER_FIRST:
            lines.append(line.rstrip())
            line, wide = "", 0.0
        line, wide = line + word, wide + _width(word)
    return [*lines, line.rstrip()]


@lru_cache(4096)
def space(words: str, width: float) -> tuple[float, int]:
    """Return the width of *words* in lines of about *width*, in Chinese characters, and the number
    of lines.
    """
    lines = wrapped(words, width).split("\n")
    return max(map(_width, lines)), len(lines)


def _width(words: str) -> float:
    return sum(1.0 if _wide(each) else LATIN for each in words)


@lru_cache(4096)
def _wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def _pieces(words: str) -> list[str]:
    """Return *words* cut where a line may end: before and after each wide character, and after
    spaces.
    """
    pieces = [""]
    for each in words:
        if _wide(each) or pieces[-1][-1:] == " " or (pieces[-1] and _wide(pieces[-1][-1])):
            pieces.append("")
        pieces[-1] += each
    return pieces
