"""Kinds of relations: what contradicts what, and a usual linking phrase in every language."""

from collections.abc import Mapping
from typing import NamedTuple

from coursekit.words.texts import text


class Kind(NamedTuple):
    """The kinds that contradict a relation of this kind."""

    opposite: tuple[str, ...] = ()  # "a causes b" against "a blocks b"
    turned: tuple[str, ...] = ()  # "a spoils b" against "b withstands a"
    mutual: bool = False  # holds in both directions


Kinds = Mapping[str, Kind]

COMMON_KINDS: Kinds = {
    "causes": Kind(opposite=("blocks",)),
    "blocks": Kind(opposite=("causes",)),
    "needs": Kind(),
    "mends": Kind(opposite=("spoils",)),
    "spoils": Kind(opposite=("mends",)),
    "supports": Kind(opposite=("opposes",)),
    "opposes": Kind(opposite=("supports",), mutual=True),
    "cites": Kind(),
    "belongs": Kind(),
    "example": Kind(),
}
"""Kinds for a map of any subject; their words can be changed, and a map may use any other word."""


def kind_phrase(kind: str, language: str) -> str:
    """Return the usual linking phrase of one of :data:`COMMON_KINDS`."""
    return text(f"map.kind.{kind}", language)


def read_kinds(rows: Mapping[str, Mapping[str, str]]) -> Kinds:
    """Return :data:`COMMON_KINDS` and those of a game.

    :param rows: by kind, its ``opposite`` and ``turned`` kinds, and ``mutual`` if it holds in both
        directions.
    """
    kinds = dict(COMMON_KINDS)
    for name, row in rows.items():
        opposite = tuple(row.get("opposite", "").split())
        turned = tuple(row.get("turned", "").split())
        kinds[name] = Kind(opposite, turned, "mutual" in row)
    return kinds


def contradiction(one: str, other: str, is_turned: bool, kinds: Kinds) -> str:
    """Return how two relations between the same concepts contradict each other, "" if they do not.

    ``"opposite"``: they say opposite things; ``"direction"``: they say the same in opposite
    directions.

    :param one: the kind of the first, or the norm of its phrase.
    :param other: the same of the second.
    :param is_turned: whether they lead in opposite directions.
    """
    first = kinds.get(one, Kind())
    second = kinds.get(other, Kind())
    is_mutual = first.mutual or second.mutual
    is_opposite = other in first.opposite or one in second.opposite
    if is_opposite and (is_mutual or not is_turned):
        return "opposite"
    if is_turned and (other in first.turned or one in second.turned):
        return "opposite"
    return "direction" if is_turned and one and one == other and not is_mutual else ""
