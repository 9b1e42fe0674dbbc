"""Kinds of relations: a word in every language to begin a linking phrase with, and what contradicts what."""

from collections.abc import Mapping
from typing import NamedTuple

from coursekit.words.texts import text


class Kind(NamedTuple):
    """What can be said against a relation of this kind, by other kinds."""

    opposite: tuple[str, ...] = ()  # "a causes b" against "a blocks b"
    turned: tuple[str, ...] = ()  # "a spoils b" against "b withstands a"
    mutual: bool = False  # read in both directions


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
"""What a map of any subject may use; its words can be changed, and any other word is allowed too."""


def phrase(kind: str, language: str) -> str:
    """Return the linking phrase that stands for one of :data:`COMMON_KINDS` until somebody changes it."""
    return text(f"map.kind.{kind}", language)


def kinds_of(rows: Mapping[str, Mapping[str, str]]) -> Kinds:
    """Return :data:`COMMON_KINDS` and those of a game.

    :param rows: the ``opposite`` and ``turned`` kinds of each, and ``mutual`` if it is read in both directions.
    """
    own = {
        name: Kind(tuple(row.get("opposite", "").split()), tuple(row.get("turned", "").split()), "mutual" in row)
        for name, row in rows.items()
    }
    return {**COMMON_KINDS, **own}


def clash(one: str, other: str, turned: bool, kinds: Kinds) -> str:
    """Return how two relations between the same concepts contradict each other, "" if they do not.

    ``"opposite"``: what they say; ``"direction"``: they say the same, in opposite directions.

    :param one: the kind, or the norm of the phrase, of the first; *other* that of the second.
    :param turned: whether they lead in opposite directions.
    """
    first, second = kinds.get(one, Kind()), kinds.get(other, Kind())
    either = first.mutual or second.mutual
    if (not turned or either) and (other in first.opposite or one in second.opposite):
        return "opposite"
    if turned and (other in first.turned or one in second.turned):
        return "opposite"
    return "direction" if turned and one and one == other and not either else ""
