"""What happened in a match of Wizard, or in many: predictions, tricks, points, and statistics made
from them.

Everything is read off the events of matches, which tell what everybody at the table has seen; the
rules are only asked which bid they forbade. A :class:`Prediction` is one bid that has been scored,
so that several rounds and matches count alike.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from coursekit.core.game import Event, Seat
from coursekit.core.match import Match, replay
from coursekit.files.data_export import Sheet
from coursekit.games.wizard.rules.cards import NOTHING
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import SEALED, Observation
from coursekit.words.texts import LANGUAGES

NOBODY: Seat = -1
SURE = NormalDist().inv_cdf(0.975)
"""Standard errors to either side that hold 95 % of a normal distribution."""


@dataclass(slots=True)
class Bid:
    """One bid as the table knows it."""

    seat: Seat
    number: int  # SEALED until it is read out
    place: int  # 1 for who bids first, 0 if all bid at once
    before: int = 0  # sum of the bids that this one could go by
    barred: int = NOTHING  # the bid that the sum rule forbade


@dataclass(slots=True)
class Trick:
    """One trick, finished or not."""

    cards: list[tuple[Seat, int]] = field(default_factory=list)  # in the order played
    taker: Seat = NOBODY
    best: int = NOTHING  # the card that took it


@dataclass(slots=True)
class Round:
    """One deal, from the card turned up to the points."""

    number: int
    size: int  # cards dealt to each seat
    dealer: Seat
    before: list[int]  # points of each seat so far
    turned: int = NOTHING
    trump: int = NOTHING
    named: bool = False  # the trump, by the dealer
    bids: list[Bid] = field(default_factory=list)  # in the order made
    again: int = 0  # times that all had to bid again
    tricks: list[Trick] = field(default_factory=list)
    gains: list[int] = field(default_factory=list)  # points of each seat, [] until they are given

    @property
    def ended(self) -> bool:
        """Whether it has been scored."""
        return len(self.gains) == len(self.before)

    @property
    def totals(self) -> list[int]:
        """The points of each seat after it; while it runs, those before it."""
        return (
            [before + gain for before, gain in zip(self.before, self.gains)]
            if self.ended
            else self.before
        )

    @property
    def spare(self) -> int:
        """Tricks left over by the bids, once all are known; below 0 if the bids add up to more
        tricks than there are.

        Unless it is 0 a bid must be missed, since the tricks won add up to the round's tricks.
        """
        return self.size - sum(each.number for each in self.bids)

    def bid(self, seat: Seat) -> Bid | None:
        """Return the bid of *seat*, ``None`` before it is made."""
        return next((each for each in self.bids if each.seat == seat), None)

    def won(self, seat: Seat) -> int:
        """Return the number of tricks that *seat* has taken."""
        return sum(each.taker == seat for each in self.tricks)

    def lost_in(self, seat: Seat) -> int:
        """Return the trick, 1-based, in which the bid of *seat* went out of reach; 0 for none or
        unknown.
        """
        bid, won = self.bid(seat), 0
        if bid is None or bid.number == SEALED:
            return 0
        for number, trick in enumerate(self.tricks, 1):
            won += trick.taker == seat
            if trick.taker != NOBODY and not won <= bid.number <= won + self.size - number:
                return number
        return 0


def rounds(match: Match) -> list[Round]:
    """Return the rounds of *match*, finished or running, in order."""
    found: list[Round] = []
    game = match.game
    assert isinstance(game, Wizard)
    for event in (event for events in [match.opening, *match.events] for event in events):
        if event.text == "deal":
            totals = found[-1].totals if found else [0] * match.game.players
            found.append(
                Round(event.values["round"], event.values["size"], event.values["dealer"], totals)
            )
        elif found:
            _told(found[-1], event, game)
    return found


def _told(now: Round, event: Event, game: Wizard) -> None:
    """Add to the round what *event* tells."""
    kind, _, which = event.text.partition(".")
    values = event.values
    if kind == "trump":
        now.turned, now.trump = values.get("card", now.turned), values.get("suit", NOTHING)
        now.named = which == "chosen"
    elif event.text == "bid.again":
        now.bids, now.again = [], now.again + 1
    elif kind == "bid":
        _bid(now, values["seat"], values.get("bid", SEALED), game)
    elif kind == "play":
        if not now.tricks or now.tricks[-1].taker != NOBODY:
            now.tricks.append(Trick())
        now.tricks[-1].cards.append((values["seat"], values["card"]))
    elif kind == "trick":
        now.tricks[-1].taker, now.tricks[-1].best = values["seat"], values["card"]
    elif kind == "score":
        _bid(now, values["seat"], values["bid"], game)
        now.gains.append(values["gain"])  # told seat by seat, from 0 on


def _bid(now: Round, seat: Seat, number: int, game: Wizard) -> None:
    """Add a bid that is made, or read out, to the round."""
    if known := now.bid(seat):
        known.number = number
        return
    made = Bid(seat, number, 0)
    if game.options.bid_mode == "open":
        made.place, made.before = len(now.bids) + 1, sum(each.number for each in now.bids)
        counts = seat == now.dealer and game.sum_counts(now.number, seat, now.before)
        if counts and now.size >= made.before:
            made.barred = now.size - made.before
    now.bids.append(made)


class Decision(NamedTuple):
    """One decision: what its seat knew and could do, and what it did."""

    seat: Seat
    seen: Observation
    action: int


def choices(match: Match, seats: Sequence[Seat]) -> list[Decision]:
    """Return the decisions of *seats*, in order."""
    found: list[Decision] = []

    def watch(now: Match, seat: Seat, action: Any) -> None:
        if seat in seats:
            found.append(Decision(seat, now.game.observe(now.state, seat), action))

    replay(match.record(), game=match.game, watch=watch)
    return found


# Many bids together


class Prediction(NamedTuple):
    """One bid that has been scored."""

    match: int  # place among the matches
    round: int
    size: int  # tricks in the round
    seat: Seat
    place: int  # in the order of bidding, 1-based; 0 if all bid at once
    players: int
    spare: int  # :attr:`Round.spare` of its round
    bid: int
    won: int

    @property
    def off(self) -> int:
        """Tricks won less the bid."""
        return self.won - self.bid


def predictions(matches: Iterable[Match], seats: Sequence[Seat] = ()) -> list[Prediction]:
    """Return the bids of all finished rounds of *matches*, in order.

    :param seats: whose; everybody's if there are none.
    """
    found = []
    for place, match in enumerate(matches):
        for now in (each for each in rounds(match) if each.ended):
            found += [
                Prediction(
                    place,
                    now.number,
                    now.size,
                    bid.seat,
                    bid.place,
                    match.game.players,
                    now.spare,
                    bid.number,
                    now.won(bid.seat),
                )
                for bid in now.bids
                if not seats or bid.seat in seats
            ]
    return found


def sheet(made: Sequence[Prediction], language: str = LANGUAGES[0]) -> Sheet:
    """Return *made* as a table to download, a row for each bid."""
    return Sheet(Prediction._fields, made, "wizard", language)


class Share(NamedTuple):
    """A number of hits out of all tries, and how sure their share is."""

    hits: int
    of: int

    @property
    def percent(self) -> float:
        """The hits, 0 if there was nothing to hit."""
        return 100 * self.hits / max(1, self.of)

    @property
    def interval(self) -> tuple[float, float]:
        """The percentages between which the true share lies with a confidence of 95 %.

        Wilson's score interval, which stays honest for a handful of cases and never leaves 0-100:
        Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical
        inference", Journal of the American Statistical Association 22, 209-212. It takes the cases
        for independent of each other.
        """
        if not self.of:
            return 0.0, 100.0
        p, n, z = self.hits / self.of, self.of, SURE
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
        low, high = ((middle + side) / (1 + z * z / n) for side in (-half, half))
        return 100 * max(0.0, low), 100 * min(1.0, high)  # beyond them only by rounding


def exact(made: Iterable[Prediction]) -> Share:
    """Return the share of these bids that were met."""
    off = [each.off for each in made]
    return Share(off.count(0), len(off))


def leaders(totals: Sequence[int]) -> list[Seat]:
    """Return the seats with the most points."""
    return [seat for seat, points in enumerate(totals) if points == max(totals)]
