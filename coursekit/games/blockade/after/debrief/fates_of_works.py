"""The fates of the works and of the banned books that came to the table."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from coursekit.core.game import Seat
from coursekit.games.blockade.rules.card_codes import BANNED, PENS
from coursekit.games.blockade.rules.game import Blockade

if TYPE_CHECKING:
    from coursekit.core.match import Match


@dataclass
class Fates:
    """The fates of the works that came to the table in the eras of one match."""

    placed: list[int] = field(default_factory=list)  # writer cards, in order
    paid: list[int] = field(default_factory=list)  # given up for a book card
    lost: list[int] = field(default_factory=list)  # taken off by a function card or an event
    stayed: list[int] = field(default_factory=list)  # on the table when their era ended
    lying: list[int] = field(default_factory=list)  # on the table of an era that still runs
    banned: list[int] = field(
        default_factory=list
    )  # banned books in the hands of pens when an era ended


def shelf(match: "Match") -> Fates:
    """Return the fates of the works in *match*."""
    game = match.game
    assert isinstance(game, Blockade)
    found, books = Fates(), dict[int, Seat]()
    roles: list[int] = [0] * game.players
    for event in (event for events in [match.opening, *match.events] for event in events):
        kind, values = event.text, event.values
        if kind == "role_is":
            roles[values["seat"]] = values["role"]
        elif kind == "era_begins" and game.options.carry_over != "hands_books":
            books.clear()
        elif kind in ("place", "flip.place"):
            found.placed.append(values["card"])
            found.lying.append(values["card"])
        elif kind in ("pay", "lose") and values["card"] in found.lying:
            found.lying.remove(values["card"])
            (found.paid if kind == "pay" else found.lost).append(values["card"])
        elif kind in ("takes_book", "taken"):
            books[values["book"]] = values["seat"]
        elif kind == "under":
            books.pop(values["book"], None)
        elif kind.startswith("era_ends"):
            found.stayed += found.lying
            found.banned += [
                book
                for book, seat in books.items()
                if roles[seat] in PENS and game.cards.book_kinds[book] == BANNED
            ]
            found.lying.clear()
    return found
