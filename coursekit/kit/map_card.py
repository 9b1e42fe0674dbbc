"""Cards of a game as things of a mind map.

A game's module ``starter`` lists them::

    def cards(game: Game, language: str) -> list[MapCard]: ...

They are what a card is drawn from, and what a concept with a card looks like.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from coursekit.kit.scene import Tone

TONES: tuple[Tone, ...] = get_args(Tone)
"""Colours of cards, as on the table; never the only sign of anything."""


class MapCard(NamedTuple):
    """A card, or something else that a game names, in one language."""

    card: str
    """What it is, the same in every language: the game, "/" and its own name, such as
    "wikipedia/vandal".
    """
    label: str
    """What it is called, no two of a game alike."""
    kind: str = ""
    """What it is one of, in the game's own words: "card", "role", "periodical"."""
    note: str = ""
    """What is to be known about it; a fact has its *source*."""
    source: str = ""
    """Where that was read, "" for what the rules of the game say."""
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
