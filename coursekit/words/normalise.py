"""Comparing words: one normal form for all ways to write a word.

:func:`normalise` returns that form; :func:`are_near` says which words may mean the same, for people
to decide.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from coursekit.words.characters import UNDRAWN, character_category

HERE = Path(__file__).parent
CJK = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af\u3040-\u30ff\u3100-\u312f\uac00-\ud7a3"
"""Characters that are written without spaces between words."""
ARTICLES = ("a", "an", "the")
SHARP = "(?<![a-z0-9])([a-z])#(?![a-z0-9])"
"""C#: here the sign has a meaning."""
SINGULAR = frozenset(
    """
    alias asbestos athletics atlas bias canvas chaos christmas cosmos economics electronics ethos
    gymnastics kudos lens mars mathematics mechanics pancreas physics politics rhinoceros series
    species statistics texas thermos
    arms blues bowls boxers braces briefs brains contents customs damages darts glasses goods greens
    grounds hops jeans manners marbles means news odds olympics overalls pants premises remains
    savings scales shorts slacks spectacles spirits sweets tights tropics trunks woods works
    """.split()
)
"""Lower-case English words in s that are no plurals (news), or mean something else (glasses)."""


@lru_cache
def load_simplified_table() -> Mapping[int, str]:
    """Return the simplified form of each traditional character, for ``str.translate``."""
    table = {}
    for line in (HERE / "simplified.txt").read_text(encoding="ascii").splitlines():
        one, *many = line.split()
        table.update({int(code, 16): chr(int(one, 16)) for code in many})
    return table


@lru_cache
def variant_table() -> Mapping[int, str]:
    """Return the one character for all its variants, for ``str.translate`` of simplified text.

    Not for display: 著 becomes 着, although 著名 is written with 著 everywhere.
    """
    table = {}
    for line in (HERE / "variants.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            one, *many = line.split()
            table.update({ord(character): one for character in many})
    return table


@lru_cache(8192)
def normalise(word: str) -> str:
    """Return *word* without width, case, spacing, punctuation, script, article and plural.

    >>> normalise("電視") == normalise("电视"), normalise("The Movies!") == normalise(" ｍｏｖｉｅ")
    (True, True)
    """
    words = re.sub(SHARP, r"\1♯", "".join(_fold(word)))
    words = "".join(_compared_part(character) for character in words)
    words = words.translate(load_simplified_table()).translate(variant_table())
    words = " ".join(words.split())
    words = re.sub(f"(?<=[{CJK}]) | (?=[{CJK}])", "", words)
    tokens = words.split(" ")
    if len(tokens) > 1 and tokens[0] in ARTICLES:
        del tokens[0]
    return " ".join(token if token in SINGULAR else to_singular(token) for token in tokens)


def _fold(word: str) -> Iterator[str]:
    """Yield *word* without case, width and composition, except characters after Unicode 14."""
    for later, run in groupby(word, lambda character: character_category(character) == "Cn"):
        letters = "".join(run)
        if not later:
            letters = unicodedata.normalize("NFKC", letters).casefold()
            letters = unicodedata.normalize("NFKC", letters)
        yield letters


def _compared_part(character: str) -> str:
    """Return what is compared of *character*: no punctuation, no mark that changes its shape."""
    category = character_category(character)
    if category == "Zs" or character in "\t\n\r\v\f\x85\u2028\u2029":
        return " "
    return "" if category in ("P", "C", "Sk") or character in UNDRAWN else character


def to_singular(word: str) -> str:
    """Return one form for a lower-case English word and its regular plural; others as they are.

    The form need not be a word: "movies" and "movie" give "movy", "houses" and "house" give "hous".

    >>> [to_singular(word) for word in ("buttons", "boxes", "bus", "babies", "baby", "tvs", "gas")]
    ['button', 'box', 'bus', 'baby', 'baby', 'tv', 'gas']
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


def are_synonyms(one: str, other: str, same: Mapping[str, Collection[str]]) -> bool:
    """Return whether two norms are known to mean the same thing."""
    return other in same.get(one, ()) or one in same.get(other, ())


def are_near(one: str, other: str, same: Mapping[str, Collection[str]]) -> bool:
    """Return whether two different norms may mean the same; people have to decide.

    :param same: norm -> norms of other words for it, such as 电视 -> television.
    """
    if are_synonyms(one, other, same):
        return True
    if _strip_accents(one) == _strip_accents(other):
        return True
    short, long = sorted((one, other), key=len)
    if long == 2 * short and re.fullmatch(f"[{CJK}]", short):  # 狗 and 狗狗
        return True
    least = 2 if re.search(f"[{CJK}]", short) else 4
    return (len(short) >= least and short in long) or (len(short) >= 5 and _one_edit(short, long))


def _strip_accents(form: str) -> str:
    """Return a norm without spaces and accents, all words in the singular, even ``SINGULAR``."""
    form = "".join(to_singular(token) for token in form.split(" "))
    letters = unicodedata.normalize("NFD", form)  # each accent as a character of its own
    return "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f")


def _one_edit(short: str, long: str) -> bool:
    """Return whether changing, adding or removing one letter turns *long* into *short*."""
    if len(long) - len(short) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(short, long)) if a != b), len(short))
    rest = short[at:] if len(short) < len(long) else short[at + 1 :]
    return rest == long[at + 1 :]
