"""What happened in matches of Wizard: rounds, bids, tricks, points, and shares of bids met.

Everything is read off the events of matches, which tell what all at the table have seen; the rules
are only asked which bid they forbade. A :class:`Prediction` is one bid that has been scored, so
that several rounds and matches count alike.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from coursekit.core.game import Event, Seat
from coursekit.core.match import Match, replay
from coursekit.files.data_export import DataTable
from coursekit.games.wizard.rules.cards import NOTHING
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import SEALED, Observation
from coursekit.words.language import current_language

NOBODY: Seat = -1
Z = NormalDist().inv_cdf(0.975)
"""Standard errors to either side that hold 95 % of a normal distribution."""


@dataclass(slots=True)
class Bid:
    """One bid as the table knows it."""

    seat: Seat
    number: int  # SEALED until it is read out
    place: int = 0  # 1 for who bids first, 0 if all bid at once
    before: int = 0  # sum of the bids that this one could go by
    barred: int = NOTHING  # the bid that the sum rule forbade
    entry: int = field(default=-1, compare=False)  # of the log, in which it was made


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
    size: int  # cards dealt to a seat
    dealer: Seat
    before: list[int]  # points by seat so far
    turned: int = NOTHING
    trump: int = NOTHING
    bids: list[Bid] = field(default_factory=list)  # in the order made
    tricks: list[Trick] = field(default_factory=list)
    gains: list[int] = field(default_factory=list)  # points by seat, [] until they are given

    @property
    def ended(self) -> bool:
        """Whether it has been scored."""
        return len(self.gains) == len(self.before)

    @property
    def totals(self) -> list[int]:
        """The points by seat after it; while it runs, those before it."""
        if not self.ended:
            return self.before
        return [before + gain for before, gain in zip(self.before, self.gains)]

    @property
    def spare(self) -> int:
        """Tricks left over by the bids; below 0 if they add up to more tricks than there are.

        Unless it is 0 a bid must be missed, since the tricks won add up to the round's tricks.
        """
        return self.size - sum(bid.number for bid in self.bids)

    def find_bid(self, seat: Seat) -> Bid | None:
        """Return the bid of *seat*, ``None`` before it is made."""
        return next((bid for bid in self.bids if bid.seat == seat), None)

    def bid(self, seat: Seat) -> Bid:
        """Return the bid of *seat*, which has been made."""
        return next(bid for bid in self.bids if bid.seat == seat)

    def won(self, seat: Seat) -> int:
        """Return the number of tricks that *seat* has taken."""
        return sum(trick.taker == seat for trick in self.tricks)

    def lost_in(self, seat: Seat) -> int:
        """Return the trick, 1-based, that put a bid out of reach; 0 for none or unknown."""
        bid = self.find_bid(seat)
        if bid is None or bid.number == SEALED:
            return 0
        won = 0
        for number, trick in enumerate(self.tricks, 1):
            won += trick.taker == seat
            if trick.taker != NOBODY and not won <= bid.number <= won + self.size - number:
                return number
        return 0


def read_rounds(match: Match) -> list[Round]:
    """Return the rounds of *match*, finished or running, in order."""
    rounds: list[Round] = []
    game = match.game
    assert isinstance(game, Wizard)
    for entry, events in enumerate((match.opening, *match.events), -1):
        for event in events:
            if event.text == "deal":
                totals = rounds[-1].totals if rounds else [0] * game.players
                values = event.values
                rounds.append(Round(values["round"], values["size"], values["dealer"], totals))
            elif rounds:
                _add_event(rounds[-1], event, game, entry)
    return rounds


def read_finished(match: Match) -> list[Round]:
    """Return the rounds of *match* that have been scored."""
    return [now for now in read_rounds(match) if now.ended]


def _add_event(now: Round, event: Event, game: Wizard, entry: int) -> None:
    """Add to the round what *event* of an *entry* of the log tells."""
    kind = event.text.partition(".")[0]
    values = event.values
    if kind == "trump":
        now.turned = values.get("card", now.turned)
        now.trump = values.get("suit", NOTHING)
    elif event.text == "bid.again":
        now.bids = []
    elif kind == "bid":
        _add_bid(now, values["seat"], values.get("bid", SEALED), game, entry)
    elif kind == "play":
        if not now.tricks or now.tricks[-1].taker != NOBODY:
            now.tricks.append(Trick())
        now.tricks[-1].cards.append((values["seat"], values["card"]))
    elif kind == "trick":
        now.tricks[-1].taker = values["seat"]
        now.tricks[-1].best = values["card"]
    elif kind == "score":
        _add_bid(now, values["seat"], values["bid"], game, entry)
        now.gains.append(values["gain"])  # seat by seat, from 0 on


def _add_bid(now: Round, seat: Seat, number: int, game: Wizard, entry: int) -> None:
    """Add a bid that is made, or read out, to the round."""
    bid = now.find_bid(seat)
    if bid:
        bid.number = number
        return
    bid = Bid(seat, number, entry=entry)
    if game.options.bid_mode == "open":
        bid.place = len(now.bids) + 1
        bid.before = sum(other.number for other in now.bids)
        counts = seat == now.dealer and game.sum_counts(now.number, seat, now.before)
        if counts and now.size >= bid.before:
            bid.barred = now.size - bid.before
    now.bids.append(bid)


class Decision(NamedTuple):
    """One decision: what its seat knew and could do, and what it did."""

    seat: Seat
    seen: Observation
    action: int


def read_decisions(match: Match, seats: Sequence[Seat]) -> list[Decision]:
    """Return the decisions of *seats*, in order."""
    decisions: list[Decision] = []

    def watch(now: Match, seat: Seat, action: Any) -> None:
        if seat in seats:
            decisions.append(Decision(seat, now.game.observe(now.state, seat), action))

    replay(match.record(), game=match.game, watch=watch)
    return decisions


# Many bids together


class Prediction(NamedTuple):
    """One bid that has been scored."""

    match: int  # place among the matches
    round_number: int
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


COLUMNS = ("match", "round", *Prediction._fields[2:])


def read_predictions(
    matches: Iterable[Match],
    seats: Sequence[Seat] = (),
    counts: Callable[[Seat, int], bool] = lambda seat, entry: True,
) -> list[Prediction]:
    """Return the bids of all finished rounds of *matches*, in order.

    :param seats: whose; all if there are none.
    :param counts: whether the decision of a seat at an entry of the log counts.
    """
    predictions = []
    for at, match in enumerate(matches):
        players = match.game.players
        for now in read_finished(match):
            for bid in now.bids:
                if (not seats or bid.seat in seats) and counts(bid.seat, bid.entry):
                    order = (bid.seat, bid.place, players, now.spare)
                    tricks = (bid.number, now.won(bid.seat))
                    predictions.append(Prediction(at, now.number, now.size, *order, *tricks))
    return predictions


def find_bidding(decisions: Sequence[Decision], prediction: Prediction) -> Observation:
    """Return what was seen when a bid was made, at last if bids were made in vain."""
    seat, number = prediction.seat, prediction.round_number
    return next(
        seen
        for who, seen, _ in reversed(decisions)
        if (who, seen.round, seen.phase) == (seat, number, "bid")
    )


def tabulate_predictions(
    predictions: Sequence[Prediction], language: str | None = None
) -> DataTable:
    """Return *predictions* as a table to download, a row for each bid."""
    language = language or current_language()
    return DataTable(COLUMNS, predictions, "wizard", language)


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
        p, n = self.hits / self.of, self.of
        middle = p + Z * Z / (2 * n)
        half = Z * sqrt(p * (1 - p) / n + (Z / (2 * n)) ** 2)
        low, high = ((middle + side) / (1 + Z * Z / n) for side in (-half, half))
        return 100 * max(0.0, low), 100 * min(1.0, high)  # beyond them only by rounding

    def values(self) -> dict[str, Any]:
        """Return it for a text: ``met``, ``of``, and the interval ``low`` to ``high``."""
        low, high = self.interval
        return {"met": self.hits, "of": self.of, "low": f"{low:.0f}", "high": f"{high:.0f}"}


def share_met(predictions: Iterable[Prediction]) -> Share:
    """Return the share of these bids that were met."""
    off = [prediction.off for prediction in predictions]
    return Share(off.count(0), len(off))


def leaders(totals: Sequence[int]) -> list[Seat]:
    """Return the seats with the most points."""
    return [seat for seat, points in enumerate(totals) if points == max(totals)]
