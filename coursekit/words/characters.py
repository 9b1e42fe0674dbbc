"""What characters are, and which of them are drawn: no name, label or word is one nobody sees."""

import re
from bisect import bisect
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from unicodedata import combining

HERE = Path(__file__).parent
_IGNORABLE = ((0x17B4, 0x17B6), (0x180B, 0x1810), (0xFE00, 0xFE10), (0xFFF0, 0xFFF9))
_FILLERS = "\u034f\u115f\u1160\u2065\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159"
UNDRAWN = frozenset(
    [*_FILLERS, *(chr(code) for runs in (*_IGNORABLE, (0xE0000, 0xE1000)) for code in range(*runs))]
)
"""Characters that are drawn as nothing, though some of them count as letters, marks or signs.

They are Unicode's Default_Ignorable_Code_Point but for format characters, and known blanks.
"""
LATER = ((0x1F000, 0x1FB00), (0x20000, 0x3FFFE))
"""Where Unicode keeps places for more emoji and Chinese characters than Unicode 14 has."""
JOINERS = "\u180e\u200c\u200d"
"""They join or part the shapes of letters, and make one emoji of several."""
SELECTOR = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""It chooses between shapes of the character before it."""
CJK = re.compile(
    "[\u3040-\u30ff\u3100-\u312f\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Kana, bopomofo, Chinese characters and Hangul."""
VIRAMA = 9
"""Combining class of marks that take a letter's vowel away: a joiner may end a word behind one."""
FLAG = re.compile("\U0001f3f4([\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)")
"""The flag of a part of a country, such as Wales: a black one, and a code that nobody sees."""


@lru_cache
def _kinds() -> tuple[list[int], list[str]]:
    """Return where the runs of characters of one kind begin, and their kinds."""
    begins: dict[int, str] = {}
    ends: dict[int, str] = {0: "L"}
    for line in (HERE / "kinds.txt").read_text(encoding="ascii").splitlines():
        name, *runs = line.split()
        end = 0
        for run in runs:
            start, _, length = run.partition("+")
            begin = end + int(start, 16)
            end = begin + int(length or "1", 16)
            begins[begin] = name
            ends[end] = "L"
    # Where one run ends and the next begins, the beginning counts.
    kinds = ends | begins
    return sorted(kinds), [kinds[begin] for begin in sorted(kinds)]


@lru_cache(8192)
def character_category(character: str) -> str:
    """Return the kind of *character* in Unicode 14, so that answers are the same on every Python.

    "L" a letter or number, "M" a mark on one, "Zs" a space, "P" punctuation, "Sk" an accent on its
    own, "S" another sign, "C" a control, format, private or surrogate character, "Cn" not assigned
    in Unicode 14.
    """
    starts, names = _kinds()
    return names[bisect(starts, ord(character)) - 1]


@lru_cache(8192)
def is_drawn(character: str) -> bool:
    """Return whether *character* is drawn on its own: a letter, a number, punctuation or a sign."""
    category = character_category(character)
    if category == "Cn":
        return any(first <= ord(character) < end for first, end in LATER)
    return category in ("L", "P", "S", "Sk") and character not in UNDRAWN


def is_visible(words: str) -> bool:
    r"""Return whether anything of *words* is drawn.

    >>> is_visible("小明"), is_visible("\u3164"), is_visible("\u0301\ufe0f"), is_visible(" ")
    (True, False, False, False)
    """
    return any(map(is_drawn, words))


def unseen_places(words: str) -> Iterator[int]:
    r"""Yield where *words* have a character that is neither drawn, nor a blank, nor of any use.

    Marks are drawn on letters. A joiner is of use between letters or emoji, a selector behind one.

    >>> list(unseen_places("ab\u200b \u202ec")), list(unseen_places("\u0646\u200c\u0632"))
    ([2, 4], [])
    """
    codes = {place for flag in FLAG.finditer(words) for place in range(*flag.span(1))}
    for place, character in enumerate(words):
        if is_drawn(character) or place in codes:
            continue
        before, after = words[place - 1 : place], words[place + 1 : place + 2]
        if SELECTOR.match(character):
            is_useful = _is_shape(before)
        elif character in JOINERS:
            is_end = not after or after.isspace()
            is_useful = _is_virama(before) if is_end else _joins(before, after)
        else:
            is_useful = character_category(character) in ("M", "Zs") and character not in UNDRAWN
        if not is_useful:
            yield place


def _is_virama(character: str) -> bool:
    return character != "" and combining(character) == VIRAMA


def _joins(before: str, after: str) -> bool:
    if CJK.match(before) or CJK.match(after):  # these stand alone
        return False
    return (_is_shape(before) or bool(SELECTOR.match(before))) and is_drawn(after)


def _is_shape(character: str) -> bool:
    """Return whether *character* is drawn, by itself or on a letter; "" is not."""
    if not character or character in UNDRAWN:
        return False
    return is_drawn(character) or character_category(character) == "M"


def drawn_part(words: str) -> str:
    r"""Return *words* without what is not drawn: differences in joiners alone are none.

    >>> drawn_part("a\u200db\ufe0f c")
    'ab c'
    """
    drawn = [letter for letter in words if _is_shape(letter) or letter.isspace()]
    return " ".join("".join(drawn).split())
