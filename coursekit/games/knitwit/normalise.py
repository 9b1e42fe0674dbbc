"""When two answers are the same: one form for all ways to write a word.

:func:`norm` is what clashes compare; :func:`near` finds answers that may be the same, which people decide.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path

DATA = Path(__file__).parent / "data"
CJK = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af\u3040-\u30ff\u3100-\u312f\uac00-\ud7a3"
"""Characters that are written without spaces between words."""
ARTICLES = ("a", "an", "the")
UNSEEN = frozenset([*map(chr, [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800]), *map(chr, range(0x180B, 0x1810)),
                    *map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))])  # fmt: skip
"""Characters that leave no trace on the paper but are no spaces, and those that choose between two ways to draw one."""
FUNCTION_WORDS = frozenset("a an the in on at of to by for with from and or through once".split())
"""English words of a tag that everybody may use all the same."""


@lru_cache
def simplified_table() -> Mapping[int, str]:
    """Return the simplified form of each traditional character, for ``str.translate``."""
    table = {}
    for line in (DATA / "simplified.txt").read_text(encoding="ascii").splitlines():
        one, *many = line.split()
        table.update({int(each, 16): chr(int(one, 16)) for each in many})
    return table


@lru_cache(8192)
def norm(answer: str) -> str:
    """Return the one form of *answer*: of width, case, spacing, punctuation, script, article and number.

    >>> norm("電視") == norm("电视"), norm(" ＴＶ ") == norm("tv"), norm("The Movies!") == norm("movie")
    (True, True, True)
    """
    words = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", answer).casefold())
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


# What a tag forbids


@lru_cache(1024)
def stem(tag: str) -> str:
    """Return the norm of a Chinese tag without its last 的.

    >>> stem("可以喝的")
    '可以喝'
    """
    return norm(tag.removesuffix("的") or tag)


@lru_cache(1024)
def content_words(tag: str) -> tuple[str, ...]:
    """Return the norms of the words of an English tag that say something.

    >>> content_words("in-the-sky"), content_words("with buttons")
    (('sky',), ('button',))
    """
    words = [norm(word) for word in re.split(r"[\s\-]+", tag)]
    return tuple(word for word in words if word and word not in FUNCTION_WORDS)


@lru_cache(65536)
def forbids(zh: str, en: str, answer: str, match: str = "word") -> bool:
    """Return whether a tag, 紅色的/red, forbids *answer* (any text).

    :param match: ``"word"``: the answer is the tag's word or has it inside (a single Chinese character
        only if it is the whole answer, or with its 的); ``"char"``: they share a Chinese character or an English word.
        Marks and hyphens hide no word: red-car, red/car and r.e.d use the word red.
    """
    apart = "".join(" " if unicodedata.category(each)[0] in "PS" else each for each in answer)
    forms = (norm(answer), re.sub(r"[^\w ]", "", norm(answer)), norm(apart))
    tokens = {token for form in forms for token in _tokens(form)}
    if tokens.intersection(content_words(en)) or norm(en) in forms:
        return True
    root = stem(zh)
    if match == "char":
        return any(each in forms[0] for each in re.findall(f"[{CJK}]", root))
    if len(root) == 1:
        return root in forms or (zh.endswith("的") and any(norm(zh) in form for form in forms))
    return bool(root) and (any(root in form for form in forms) if re.search(f"[{CJK}]", root) else root in tokens)


def _tokens(form: str) -> list[str]:
    """Return the words of a norm; Chinese and other characters that stand side by side are two."""
    return re.split(f" |(?<=[{CJK}])(?=[^{CJK} ])|(?<=[^{CJK} ])(?=[{CJK}])", form)


def groups(norms: Iterable[str]) -> dict[str, list[int]]:
    """Return which of *norms* are the same: norm -> their places; "" is no answer and left out."""
    found: dict[str, list[int]] = {}
    for place, each in enumerate(norms):
        if each:
            found.setdefault(each, []).append(place)
    return found


Pairs = Collection[frozenset[str]]
"""Two norms each: those that may mean the same."""


def hanging_together(norms: Iterable[str], pairs: Pairs) -> list[set[str]]:
    """Return *norms* in parts that *pairs* hold together, perhaps by way of others.

    >>> [sorted(part) for part in hanging_together("abcd", {frozenset("ab"), frozenset("bc")})]
    [['a', 'b', 'c'], ['d']]
    """
    parts: list[set[str]] = []
    for each in norms:
        beside = [part for part in parts if any(frozenset((each, other)) in pairs for other in part)]
        parts = [*(part for part in parts if part not in beside), {each}.union(*beside)]
    return parts


def all_near(pairs: Pairs) -> list[set[str]]:
    """Return the largest sets of norms of which every two are one of *pairs*.

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


def is_writable(answer: str) -> bool:
    """Return whether every character of *answer* can be shown, stored and compared on every machine.

    Not so are halves of characters, control characters and what changes the direction of writing, private ones,
    and those that this Python does not know yet.
    """
    return all(
        unicodedata.category(each) not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
        and not "\u202a" <= each <= "\u202e"
        and not "\u2066" <= each <= "\u2069"
        for each in answer
    )
