"""For the encoder: the actions of each game, and how the fields of an observation become numbers.

Left out are fields that the others repeat, and hands that lie open to learn the rules.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game


class AdapterError(LocalizedError, ValueError):
    """A game or an action that the adapters cannot take; the sentence says why and what to do."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


@dataclass(frozen=True)
class Part:
    """How one field of an observation becomes numbers."""

    values: tuple[Any, ...] | None = None
    """The values that are counted, no others; ``None`` for a number, or *width* numbers."""
    width: int = 1
    by_seat: bool = False  # a tuple with such a part for each seat
    seats: bool = False  # what is counted are seats
    get: Callable[[Any], Any] | None = None
    """Takes the observation and returns what is encoded; ``None`` for the field as it is."""

    @property
    def size(self) -> int:
        """Length of the part; by seat, of that for one seat."""
        return self.width if self.values is None else len(self.values)


@dataclass(frozen=True)
class Spec:
    """What the encoder must know of a game with its players and options."""

    actions: tuple[tuple[str, Any], ...]
    """Every action of a seat, with its phase; "" if it means the same in all phases."""
    fields: Mapping[str, Part]
    """What is encoded of an observation, by field."""


NUMBER = Part()
BY_SEAT = Part(by_seat=True)
SEATS = Part(seats=True)


def wizard_spec(game: Any) -> Spec:
    """Each phase has its own actions, since cards, bids, suits and sizes are the same ints."""
    most = len(game.deck) // game.players
    card = Part(game.deck)
    actions = [("size", size) for size in range(1, most + 1)]
    actions += [("trump", suit) for suit in range(4)]
    actions += [("bid", bid) for bid in range(most + 1)]
    actions += [("play", card) for card in (*game.deck, -1)]

    # The card that each seat has played; the trick itself begins with its leader's.
    def trick(obs: Any) -> list[Any]:
        return [obs.trick[(seat - obs.leader) % obs.players :][:1] for seat in range(obs.players)]

    return Spec(
        tuple(actions),
        {
            "phase": Part(game.phases),
            "hand": card,
            "trick": replace(card, by_seat=True, get=trick),
            "played": card,
            "turned": card,
            "trump": Part(tuple(range(4))),
            "shown": replace(card, by_seat=True, get=lambda obs: obs.shown or ((),) * obs.players),
            **dict.fromkeys(("dealer", "leader", "scorer", "waiting"), SEATS),
            **dict.fromkeys(("bids", "won", "points", "bid_sums", "held", "ready"), BY_SEAT),
            **dict.fromkeys(("round", "rounds", "size", "undealt", "rebids"), NUMBER),
        },
    )


WIKIPEDIA = ("wiki", "book", "revise", "vandal", "use")
"""The kinds of cards, in the order in which fields count them."""
ROLES = ("scholar", "student")


def wikipedia_spec(game: Any) -> Spec:
    """A kind of card plays it, "discard wiki" discards it."""
    discards = [f"discard {kind}" for kind in WIKIPEDIA]
    words = (*WIKIPEDIA, *discards, "roll", "leave", "give up", "refill")

    # The field has five numbers for each seat, one after the other.
    def ruled_out(obs: Any) -> list[Any]:
        return [obs.ruled_out[5 * seat : 5 * seat + 5] for seat in range(obs.players)]

    return Spec(
        tuple(("", word) for word in words),
        {
            "phase": Part(game.phases),
            "hand": Part(WIKIPEDIA),
            "work": Part(WIKIPEDIA[:2]),
            "roles": Part(ROLES, by_seat=True),
            "role_discards": Part(ROLES),
            "die": Part(tuple(range(1, 7))),
            **dict.fromkeys(("starter", "turn", "author", "user", "vandal"), SEATS),
            **dict.fromkeys(("points", "held", "drawn"), BY_SEAT),
            "seen": Part(width=5),
            "thrown": Part(width=5),
            "ruled_out": Part(width=5, by_seat=True, get=ruled_out),
            **dict.fromkeys(
                ("repaired", "refilled", "round", "turns", "quiet", "deck", "cards", "role_deck"),
                NUMBER,
            ),
        },
    )


def blockade_spec(game: Any) -> Spec:
    """Words, and pairs of a word and a card, a book card or a seat."""
    cards, books = range(len(game.cards.functions)), range(len(game.cards.books))
    writers = range(len(game.cards.writers))
    things = {
        "play": cards,
        "discard": cards,
        "pay": writers,
        "strike": books,
        "take": books,
        "under": books,
        "lose": writers,
        "drop": cards,
        "rival": range(game.players),
        "left": cards,
    }
    actions: list[Any] = ["exchange", "roll", "refresh", "done", "pass"]
    actions += [(word, thing) for word in things for thing in things[word]]
    card, book = Part(tuple(cards)), Part(tuple(books))
    functions = tuple(sorted({*filter(None, game.cards.functions), *game.cards.book_kinds}))
    events = tuple(sorted(set().union(*game.events_at.values())))
    return Spec(
        tuple(("", action) for action in actions),
        {
            "phase": Part(game.phases),
            "words": Part(functions, get=lambda obs: obs.words if obs.steps else ()),
            "hand": card,
            "discards": card,
            "era": Part((1, 2, 3, 4)),
            "die": Part(("O", "X")),
            "known": replace(card, by_seat=True),
            "tables": Part(tuple(writers), by_seat=True),
            "books": replace(book, by_seat=True),
            "spares": replace(BY_SEAT, get=lambda obs: [*map(len, obs.spares)]),
            "under": book,
            "peek": book,
            "removed": book,
            "revealed": book,
            "roles": Part(tuple(range(4)), by_seat=True),
            "fired": Part(events, get=lambda obs: tuple([event for event, _ in obs.fired])),
            **dict.fromkeys(("turn", "waiting"), SEATS),
            **dict.fromkeys(("positions", "points", "held", "covered", "skip"), BY_SEAT),
            **dict.fromkeys(
                "turns quiet deck book_deck goal sure lifted outspoken fresh".split(), NUMBER
            ),
        },
    )


SPECS: dict[str, Callable[[Any], Spec]] = {
    "wizard": wizard_spec,
    "wikipedia": wikipedia_spec,
    "blockade": blockade_spec,
}
"""By the name of a game, the function that makes its :class:`.Spec`; other packages add theirs."""


def spec_of(game: Game[Any, Any, Any]) -> Spec:
    """Return the :class:`.Spec` of *game*.

    :raises AdapterError: if there is none.
    """
    if game.name not in SPECS:
        raise AdapterError("adapters.unknown", got=game.name, allowed=", ".join(SPECS))
    return SPECS[game.name](game)
