"""Cards of a game as things of a mind map.

A game's :attr:`.MapStarter.cards` lists them. Pupils draw cards from them, and a concept with a
card looks like it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from coursekit.kit.scene import Tone

TONES: tuple[Tone, ...] = get_args(Tone)
"""Colours of cards, as on the table; never the only sign of anything."""


class MapCard(NamedTuple):
    """A card, or something else that a game names, in one language."""

    card: str
    """What it is: the game, "/" and its own name, such as "wikipedia/vandal"."""
    label: str
    """Its name; no two of a game have the same."""
    kind: str = ""
    """What it is one of, in the game's own words: "card", "role", "periodical"."""
    note: str = ""
    """What there is to know about it; a fact has its *source*."""
    source: str = ""
    """Where the fact comes from, "" for the rules of the game."""
    symbol: str = ""
    """Id of a ``<symbol>`` in the game's ``art.svg``, "" for a card that is set in type."""
    tone: int | None = None
    """Its colour, a place in :data:`TONES`; ``None`` for none."""


def tone_index(tone: Tone) -> int:
    """Return the place of *tone* in :data:`TONES`."""
    return TONES.index(tone)


def facts_note(facts: Sequence[Mapping[str, str]], language: str) -> str:
    """Return the ``facts`` of a :class:`~coursekit.kit.scene.Page` as a note, a line each.

    >>> facts_note([{"label": "When", "value": "After the deal."}], "en")
    'When: After the deal.'
    """
    colon = ": " if language == "en" else "："
    return "\n".join(fact["label"] + colon + fact["value"] for fact in facts)
