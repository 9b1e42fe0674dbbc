"""When two words are the same: one form for all ways to write a word.

:func:`norm` is what is compared; :func:`near` finds words that may be the same, which people decide.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).parent
CJK = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af\u3040-\u30ff\u3100-\u312f\uac00-\ud7a3"
"""Characters that are written without spaces between words."""
ARTICLES = ("a", "an", "the")
UNSEEN = frozenset([*map(chr, [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800]), *map(chr, range(0x180B, 0x1810)),
                    *map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))])  # fmt: skip
"""Characters that leave no trace on the paper but are no spaces, and those that choose between two ways to draw one."""


@lru_cache
def simplified_table() -> Mapping[int, str]:
    """Return the simplified form of each traditional character, for ``str.translate``."""
    table = {}
    for line in (HERE / "simplified.txt").read_text(encoding="ascii").splitlines():
        one, *many = line.split()
        table.update({int(each, 16): chr(int(one, 16)) for each in many})
    return table


@lru_cache(8192)
def norm(word: str) -> str:
    """Return the one form of *word*: of width, case, spacing, punctuation, script, article and number.

    >>> norm("電視") == norm("电视"), norm(" ＴＶ ") == norm("tv"), norm("The Movies!") == norm("movie")
    (True, True, True)
    """
    words = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    words = "".join(_kept(character) for character in words).translate(simplified_table())
    words = " ".join(words.split())
    words = re.sub(f"(?<=[{CJK}]) | (?=[{CJK}])", "", words)
    tokens = words.split(" ")
    if len(tokens) > 1 and tokens[0] in ARTICLES:
        del tokens[0]
    return " ".join(map(singular, tokens))


def _kept(character: str) -> str:
    """Return what is compared of *character*: no punctuation, no mark that changes only how it is drawn."""
    kind = unicodedata.category(character)
    if kind == "Zs" or character in "\t\n\r\v\f\x85\u2028\u2029":
        return " "
    return "" if kind[0] in "PC" or kind == "Sk" or character in UNSEEN else character


def singular(word: str) -> str:
    """Return one form for a small English word and its regular plural; other words as they are.

    It need not be a word: "movies" and "movie" are both "movy", "houses" and "house" both "hous".

    >>> [singular(word) for word in ("buttons", "boxes", "bus", "glass", "babies", "baby", "tvs", "gas")]
    ['button', 'box', 'bus', 'glass', 'baby', 'baby', 'tv', 'gas']
    """
    if not re.fullmatch("[a-z]{3,}", word):
        return word
    if re.search("(?:s|x|ch|sh)es$", word):
        return word[:-2]
    if re.search("[^sui]s$", word) and (len(word) > 3 or word[1] not in "aeiou"):
        word = word[:-1]
    if re.search("(?:s|x|ch|sh)e$", word):
        return word[:-1]
    return word[:-2] + "y" if re.search("..ie$", word) else word


def known_as_same(one: str, other: str, same: Mapping[str, Collection[str]]) -> bool:
    """Return whether two norms are known as words for the same thing."""
    return other in same.get(one, ()) or one in same.get(other, ())


def near(one: str, other: str, same: Mapping[str, Collection[str]]) -> bool:
    """Return whether two different norms may mean the same: people have to decide.

    :param same: for a norm the norms of other words for it, such as 电视 -> television.
    """
    if known_as_same(one, other, same):
        return True
    short, long = sorted((one, other), key=len)
    if long == 2 * short and re.fullmatch(f"[{CJK}]", short):  # 狗 and 狗狗
        return True
    least = 2 if re.search(f"[{CJK}]", short) else 4
    return (len(short) >= least and short in long) or (len(short) >= 5 and _one_edit(short, long))


def _one_edit(short: str, long: str) -> bool:
    """Return whether one letter changed, added or taken away makes *short* of *long*."""
    if len(long) - len(short) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(short, long)) if a != b), len(short))
    rest = short[at:] if len(short) < len(long) else short[at + 1 :]
    return rest == long[at + 1 :]
