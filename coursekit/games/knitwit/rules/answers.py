"""Answers: which of them a tag forbids, which belong together, and which can be stored.

Answers are compared by their norms, see :mod:`coursekit.words.normalise`.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import combinations

from coursekit.words.characters import character_category
from coursekit.words.normalise import CJK, normalise, to_singular

FUNCTION_WORDS = frozenset("a an the in on at of to by for with from and or through once".split())
"""English words of a tag that answers may use."""
MARKS = ("P", "S", "Sk", "Cn")
"""Categories of characters that part words."""


# What a tag forbids


@lru_cache(1024)
def stem(tag: str) -> str:
    """Return the norm of a Chinese tag without its last 的.

    >>> stem("可以喝的")
    '可以喝'
    """
    return normalise(tag.removesuffix("的") or tag)


@lru_cache(1024)
def content_words(tag: str) -> tuple[str, ...]:
    """Return the norms of an English tag's words without function words.

    >>> content_words("in-the-sky"), content_words("with buttons")
    (('sky',), ('button',))
    """
    words = [normalise(word) for word in re.split(r"[\s\-]+", tag)]
    return tuple(word for word in words if word and word not in FUNCTION_WORDS)


@lru_cache(65536)
def forbids(zh: str, en: str, answer: str, match: str) -> bool:
    """Return whether a tag, 紅色的/red, forbids *answer* (any text).

    :param match: ``"word"``: the answer is or contains the tag's word (a single Chinese character
        only as the whole answer, or with its 的); ``"char"``: they share a Chinese character or an
        English word. Marks and hyphens hide no word: red-car, red/car and r.e.d use the word red.
    """
    form = normalise(answer)
    spaced = "".join(" " if character_category(c) in MARKS else c for c in answer)
    bare = "".join(c for c in form if c == " " or character_category(c) == "L")
    forms = (form, bare, normalise(spaced))
    tokens = {token for form in forms for token in _tokens(form)}
    tokens |= {to_singular(token) for token in tokens}
    if tokens.intersection(content_words(en)) or normalise(en) in forms:
        return True
    root = stem(zh)
    characters = re.findall(f"[{CJK}]", root)
    if match == "char":
        return any(character in form for character in characters)
    if len(root) == 1:
        whole = normalise(zh)
        return root in forms or (zh.endswith("的") and any(whole in form for form in forms))
    if characters:
        return any(root in form for form in forms)
    return bool(root) and root in tokens


def _tokens(form: str) -> list[str]:
    """Return the words of a norm, split also between Chinese and other characters."""
    return re.split(f" |(?<=[{CJK}])(?=[^{CJK} ])|(?<=[^{CJK} ])(?=[{CJK}])", form)


def group_norms(norms: Iterable[str]) -> dict[str, list[int]]:
    """Return the places of each of *norms*; "" is a blank and left out."""
    places: dict[str, list[int]] = {}
    for place, norm in enumerate(norms):
        if norm:
            places.setdefault(norm, []).append(place)
    return places


Pairs = Collection[frozenset[str]]
"""Pairs of norms that may mean the same."""


def connected_norms(norms: Iterable[str], pairs: Pairs) -> list[set[str]]:
    """Return *norms* in parts connected by *pairs*, directly or through others.

    >>> [sorted(part) for part in connected_norms("abcd", {frozenset("ab"), frozenset("bc")})]
    [['a', 'b', 'c'], ['d']]
    """
    parts: list[set[str]] = []
    for norm in norms:
        joined = {norm}
        apart = []
        for part in parts:
            if any(frozenset((norm, other)) in pairs for other in part):
                joined |= part
            else:
                apart.append(part)
        parts = [*apart, joined]
    return parts


def near_sets(pairs: Pairs) -> list[set[str]]:
    """Return the maximal sets of norms in which every two are one of *pairs*.

    >>> pairs = {frozenset("ab"), frozenset("bc"), frozenset("ac"), frozenset("cd")}
    >>> [sorted(norms) for norms in near_sets(pairs)]
    [['a', 'b', 'c'], ['c', 'd']]
    """
    norms = sorted(frozenset().union(*pairs))
    maximal: list[set[str]] = []
    for count in range(len(norms), 1, -1):
        for some in combinations(norms, count):
            are_near = all(frozenset(two) in pairs for two in combinations(some, 2))
            if are_near and not any(larger.issuperset(some) for larger in maximal):
                maximal.append(set(some))
    return maximal


# What can be written

NEVER = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\u2028-\u202e\u2066-\u2069"  # line breaks, and what changes the direction of writing
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef"  # surrogates, private characters and non-characters
    "\U00040000-\U000dffff\U000e01f0-\U0010ffff"  # unassigned planes and private ones
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(4))
    + "]"
)
"""Characters that no answer may hold. A fixed list, because Python's character data changes with
its version.
"""


def is_writable(answer: str) -> bool:
    """Return whether every machine can store and compare each character of *answer*."""
    return not NEVER.search(answer)
