"""Which answers a tag forbids, which answers belong together, and which can be stored.

Answers are compared by their norms, see :mod:`coursekit.words.normalise`.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import combinations

from coursekit.words.normalise import CJK, character_category, normalise, to_singular

FUNCTION_WORDS = frozenset("a an the in on at of to by for with from and or through once".split())
"""English words of a tag that answers may use."""


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
def forbids(zh: str, en: str, answer: str, match: str = "word") -> bool:
    """Return whether a tag, 紅色的/red, forbids *answer* (any text).

    :param match: ``"word"``: the answer is or contains the tag's word (a single Chinese character
        only as the whole answer, or with its 的); ``"char"``: they share a Chinese character or an
        English word. Marks and hyphens hide no word: red-car, red/car and r.e.d use the word red.
    """
    apart = "".join(
        " " if character_category(each) in ("P", "S", "Sk", "Cn") else each for each in answer
    )
    plain = "".join(
        each for each in normalise(answer) if each == " " or character_category(each) == "L"
    )
    forms = (normalise(answer), plain, normalise(apart))
    tokens = {
        each for form in forms for token in _tokens(form) for each in (token, to_singular(token))
    }
    if tokens.intersection(content_words(en)) or normalise(en) in forms:
        return True
    root = stem(zh)
    if match == "char":
        return any(each in forms[0] for each in re.findall(f"[{CJK}]", root))
    if len(root) == 1:
        return root in forms or (zh.endswith("的") and any(normalise(zh) in form for form in forms))
    return bool(root) and (
        any(root in form for form in forms) if re.search(f"[{CJK}]", root) else root in tokens
    )


def _tokens(form: str) -> list[str]:
    """Return the words of a norm, split also between Chinese and other characters."""
    return re.split(f" |(?<=[{CJK}])(?=[^{CJK} ])|(?<=[^{CJK} ])(?=[{CJK}])", form)


def groups(norms: Iterable[str]) -> dict[str, list[int]]:
    """Return the places of each of *norms*; "" is a blank and left out."""
    found: dict[str, list[int]] = {}
    for place, each in enumerate(norms):
        if each:
            found.setdefault(each, []).append(place)
    return found


Pairs = Collection[frozenset[str]]
"""Pairs of norms that may mean the same."""


def hanging_together(norms: Iterable[str], pairs: Pairs) -> list[set[str]]:
    """Return *norms* in parts connected by *pairs*, directly or through others.

    >>> [sorted(part) for part in hanging_together("abcd", {frozenset("ab"), frozenset("bc")})]
    [['a', 'b', 'c'], ['d']]
    """
    parts: list[set[str]] = []
    for each in norms:
        beside = [
            part for part in parts if any(frozenset((each, other)) in pairs for other in part)
        ]
        parts = [*(part for part in parts if part not in beside), {each}.union(*beside)]
    return parts


def all_near(pairs: Pairs) -> list[set[str]]:
    """Return the maximal sets of norms in which every two are one of *pairs*.

    >>> [sorted(some) for some in all_near({frozenset("ab"), frozenset("bc"), frozenset("ac"), frozenset("cd")})]
    [['a', 'b', 'c'], ['c', 'd']]
    """
    norms, found = sorted(frozenset().union(*pairs)), list[set[str]]()
    for count in range(len(norms), 1, -1):
        for some in combinations(norms, count):
            near_all = all(frozenset(two) in pairs for two in combinations(some, 2))
            if near_all and not any(each.issuperset(some) for each in found):
                found.append(set(some))
    return found


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
