"""What a reader did in a match of Wizard, shown below the questions about it: counts and moments,
no judgement.

:func:`evidence` is what :mod:`coursekit.reflect` asks. It tells of the reader's own hands and
decisions and of what the whole table has seen, never of other hands.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Any

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.figures import HATCHES, INK, PALETTE, Picture, picture
from coursekit.games.wizard.after.history import (
    Decision,
    Prediction,
    Round,
    Share,
    choices,
    exact,
    predictions,
    rounds,
)
from coursekit.games.wizard.after.prediction_figures import (
    calibration,
    course,
    errors,
    how_often,
    kind,
    off,
    sums,
)
from coursekit.games.wizard.rules.cards import NO_SUIT, NOTHING, RANK, SUIT, winner
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import Observation
from coursekit.games.wizard.strategies import Unseen
from coursekit.games.wizard.table.quick_start import scores_by_options
from coursekit.games.wizard.table.scene import in_order
from coursekit.kit.debrief_moment import Grid
from coursekit.reflect.debrief_story import clauses, share_word
from coursekit.words.texts import game_text, join_sentences, join_words, seat_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Shown = list[str | Grid | Picture]
AGAIN = {"mistake": "evidence.draw"}
"""The question that goes on to another round -> the text of its button."""
LATEST = 4
"""Most rounds that are told one by one, the last ones."""


TOGETHER = "\N{NO-BREAK SPACE}"
"""Between the numbers of a suit: a space at which no line breaks."""


class Reader:
    """A match, and the seats and language of its reader."""

    def __init__(self, match: Match, seats: Sequence[Seat], language: str) -> None:
        assert isinstance(match.game, Wizard)
        self.match, self.seats, self.language = match, seats, language
        self.game, self.played = match.game, rounds(match)
        self.made = predictions([match], seats) if seats else []
        self.names = [seat_name(seat, language, match.names) for seat in match.game.seats]
        if len(seats) == 1:
            self.names[seats[0]] = self.tell("you")

    def tell(self, id: str, **values: Any) -> str:
        """Return the sentence *id* of the texts about evidence."""
        return game_text(
            self.game, f"evidence.{id}", self.language, getattr(self, "names", ()), **values
        )

    def nothing(self) -> Shown:
        """Return the sentence that there is nothing to tell yet."""
        return [self.tell("nothing")]

    def of(self, seat: Seat) -> list[Prediction]:
        """Return the bids of *seat* that have been scored."""
        return [each for each in self.made if each.seat == seat]

    def met(self, share: Share) -> str:
        """Return in words how many bids of *share* were met."""
        return self.tell(
            f"met.{share_word(*share)}",
            **({"met": share.hits} if 0 < share.hits < share.of else {}),
        )

    @cached_property
    def decisions(self) -> list[Decision]:
        """What the readers decided, in order."""
        return choices(self.match, self.seats)

    def when_bidding(self, made: Prediction) -> Decision:
        """Return the decision in which a bid was made."""
        return when_bidding(self.decisions, made)

    def round(self, number: int) -> Round:
        """Return the round with this *number*."""
        return self.played[number - 1]


def evidence(name: str, match: Match, seats: Sequence[Seat], language: str, draw: int = 0) -> Shown:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: whose deeds are told.
    :param draw: which missed round is told, where one is; raised by one each time the reader wants
        another.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language), draw) if about else []


def when_bidding(decisions: Sequence[Decision], made: Prediction) -> Decision:
    """Return the decision in which a bid was made, the last one if bids were made in vain."""
    mine = [each for each in decisions if each.seat == made.seat and each.seen.round == made.round]
    return [each for each in mine if each.seen.phase == "bid"][-1]


def known(
    tell: Callable[..., str], made: Prediction, now: Round, seen: Observation, language: str
) -> str:
    """Return what the player of a bid knew when making it: the hand, the trump, the bids before.

    :param tell: returns a sentence of this game's texts about evidence.
    :param now: the round of the bid; if it is over, all of this has been on the table.
    :param seen: what the player saw.
    """
    if seen.hand:
        facts = [
            tell("mistake.hand", seat=made.seat, hand=join_words(_by_suit(tell, seen), language))
        ]
    else:
        others = [
            tell("mistake.holds", seat=seat, cards=hand)
            for seat, hand in enumerate(seen.shown)
            if hand
        ]
        facts = [tell("mistake.hawk", seat=made.seat, others=join_words(others, language))]
    facts += [tell("mistake.open")] if seen.open_hands else []
    facts.append(
        tell("mistake.trump", suit=now.trump) if now.trump != NOTHING else tell("mistake.no_trump")
    )
    bid = now.bid(made.seat)
    assert bid is not None
    before = [
        tell("mistake.bid", seat=each.seat, bid=each.number)
        for each in now.bids
        if 0 < each.place < bid.place
    ]
    if not bid.place:
        facts.append(tell("mistake.at_once"))
    else:
        facts.append(
            tell("mistake.before", bids=join_words(before, language))
            if before
            else tell("mistake.first")
        )
    facts += [tell("mistake.barred", bid=bid.barred)] if bid.barred != NOTHING else []
    return tell("mistake.known", facts=clauses(facts, language))


def _by_suit(tell: Callable[..., str], seen: Observation) -> list[str]:
    """Return a hand as people hold it, sorted by suits."""
    found = []
    for suit, cards in groupby(in_order(seen.hand, seen.trump), SUIT.__getitem__):
        if suit == NO_SUIT:
            found += [tell("mistake.card", card=card) for card in cards]
        else:
            found.append(
                tell(
                    "mistake.suit",
                    suit=suit,
                    numbers=TOGETHER.join(str(RANK[card]) for card in cards),
                )
            )
    return found


def of_sure(reader: Reader, draw: int) -> Shown:
    if not reader.made:
        return reader.nothing()
    shown: Shown = []
    for seat in reader.seats:
        mine = reader.of(seat)
        shown.append(
            reader.tell(
                "sure.each", seat=seat, of=len(mine), met=sum(not each.off for each in mine)
            )
        )
    return [
        *shown,
        _by_round(reader),
        calibration([reader.match], reader.language, seats=reader.seats),
    ]


def _by_round(reader: Reader) -> Grid:
    """Return the bids of the readers and the tricks they won, a row for each round."""
    made = {(each.round, each.seat): each for each in reader.made}
    rows = []
    for round in sorted({each.round for each in reader.made}):
        mine = [made.get((round, seat)) for seat in reader.seats]
        rows.append(
            (
                str(round),
                *(f"{it.bid} → {it.won}{'' if it.off else ' ✓'}" if it else "" for it in mine),
            )
        )
    heads = (reader.tell("sure.round"), *(reader.names[seat] for seat in reader.seats))
    return Grid(reader.tell("sure.rounds"), heads, tuple(rows))


def of_order(reader: Reader, draw: int) -> Shown:
    if not reader.made:
        return reader.nothing()
    if not any(each.place for each in reader.made):
        return [reader.tell("order.at_once")]
    shown: Shown = []
    for seat in reader.seats:
        mine = reader.of(seat)
        first = exact(each for each in mine if each.place == 1)
        last = exact(each for each in mine if each.place == each.players)
        ways = [
            reader.tell(f"order.as.{place}", times=share.of, met=reader.met(share))
            for place, share in (("first", first), ("last", last))
            if share.of
        ]
        if ways:
            shown.append(reader.tell("order.each", seat=seat, ways=clauses(ways, reader.language)))
    for each in [each for each in reader.made if each.place == each.players][-LATEST:]:
        bid = reader.round(each.round).bid(each.seat)
        assert bid is not None
        shown.append(
            reader.tell(
                "order.last",
                round=each.round,
                seat=each.seat,
                before=bid.before,
                size=each.size,
                bid=each.bid,
                won=each.won,
            )
        )
        shown += (
            [reader.tell("order.barred", seat=each.seat, bid=bid.barred)]
            if bid.barred != NOTHING
            else []
        )
    return [*shown, reader.tell("order.all"), how_often([reader.match], reader.language, "place")]


def of_exactly(reader: Reader, draw: int) -> Shown:
    could = [each for each in reader.decisions if _takers(each)]
    spared = [each for each in could if each.action not in _takers(each)]
    shown: Shown = []
    for seat in reader.seats:
        chances, mine = ([each for each in some if each.seat == seat] for some in (could, spared))
        full = sum(each.seen.won[seat] >= each.seen.bids[seat] for each in mine)
        if mine:
            id = (
                "exactly.full"
                if full == len(mine)
                else "exactly.some_full"
                if full
                else "exactly.each"
            )
            shown.append(
                reader.tell(
                    id,
                    seat=seat,
                    could=len(chances),
                    spared=len(mine),
                    **({"full": full} if 0 < full < len(mine) else {}),
                )
            )
        elif chances:
            shown.append(reader.tell("exactly.never", seat=seat, could=len(chances)))
    sure = [each for each in spared if len(each.seen.trick) == each.seen.players - 1]
    if not shown:
        return reader.nothing()
    if sure:
        it = sure[-1]
        shown.append(
            reader.tell(
                "exactly.sure",
                round=it.seen.round,
                trick=len(it.seen.takers) + 1,
                seat=it.seat,
                could=in_order(_takers(it), it.seen.trump)[0],
                card=it.action,
                won=it.seen.won[it.seat],
                bid=it.seen.bids[it.seat],
            )
        )
        now = reader.round(it.seen.round)
        shown += [course(now, [it.seat], reader.names, reader.language)] if now.ended else []
    return shown


def _takers(each: Decision) -> list[int]:
    """Return the cards that could have beaten the trick; none without a choice, or for the leader."""
    seen = each.seen
    if seen.phase != "play" or not seen.trick or len(seen.legal) < 2:
        return []
    return [
        card for card in seen.legal if winner([*seen.trick, card], seen.trump) == len(seen.trick)
    ]


def of_luck(reader: Reader, draw: int) -> Shown:
    made = [
        each for each in reader.made if reader.when_bidding(each).seen.hand
    ]  # not with the card on the forehead
    if not made:
        return reader.nothing()
    worth = {each: _worth(reader, each) for each in made}
    shown: Shown = []
    for seat in reader.seats:
        mine = [each for each in made if each.seat == seat]
        shown.append(
            reader.tell(
                "luck.cards",
                seat=seat,
                worth=f"{sum(worth[each] for each in mine):.1f}",
                equal=f"{sum(each.size for each in mine) / reader.game.players:.1f}",
            )
        )
        shown.append(
            reader.tell(
                "luck.each",
                seat=seat,
                bid=sum(each.bid for each in mine),
                won=sum(each.won for each in mine),
            )
        )
        near = exact(each for each in mine if abs(each.bid - worth[each]) <= 0.5)
        if near.of:
            shown.append(reader.tell("luck.near", near=near.of, of=len(mine), met=reader.met(near)))
    note = "luck.note_open" if reader.game.options.open_hands else "luck.note"
    return [*shown, reader.tell(note), hands(reader, worth)]


def _worth(reader: Reader, made: Prediction) -> float:
    """Return the tricks that the hand of a bid takes on average, as :class:`.CardCounter`
    estimates.
    """
    seen = reader.when_bidding(made).seen
    return sum(Unseen(reader.game, seen).shares(seen.hand, seen.trump))


def hands(reader: Reader, worth: dict[Prediction, float]) -> Picture:
    """Return a picture of each hand's worth, its bid, and the tricks won."""

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, grid = pyplot.subplots(
            len(reader.seats), squeeze=False, figsize=(5.6, 1.2 + 2.4 * len(reader.seats))
        )
        for axes, seat in zip(grid.flat, reader.seats):
            mine = [each for each in worth if each.seat == seat]
            at = range(len(mine))
            axes.bar(
                at,
                [worth[each] for each in mine],
                0.7,
                color=PALETTE[3],
                hatch=HATCHES[1],
                edgecolor="white",
                label=reader.tell("luck.key.worth"),
            )
            axes.plot(
                at,
                [each.bid for each in mine],
                "D",
                color="white",
                markeredgecolor=INK,
                markeredgewidth=1.6,
                markersize=11,
                label=reader.tell("luck.key.bid"),
            )
            axes.plot(
                at,
                [each.won for each in mine],
                "o",
                color=PALETTE[0],
                markersize=6,
                label=reader.tell("luck.key.won"),
            )
            axes.set(
                xticks=at, xticklabels=[each.round for each in mine], ylabel=reader.tell("luck.y")
            )
            axes.set_ylim(
                -0.3, max(1, *(max(each.bid, each.won, worth[each]) for each in mine)) + 0.3
            )
            axes.yaxis.set_major_locator(MaxNLocator(integer=True))
            if len(reader.seats) > 1:
                axes.set_title(reader.names[seat], loc="left")
        grid.flat[-1].set_xlabel(reader.tell("luck.x"))
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3)
        return figure

    told = [
        reader.tell(
            "luck.alt",
            round=each.round,
            seat=seat,
            worth=f"{worth[each]:.1f}",
            bid=each.bid,
            won=each.won,
        )
        for seat in reader.seats
        for each in worth
        if each.seat == seat
    ]
    return picture(draw, " ".join(told), reader.tell("luck.caption"), reader.language)


def of_change(reader: Reader, draw: int) -> Shown:
    numbers = sorted({each.round for each in reader.made})
    if len(numbers) < 2:
        return reader.nothing()
    middle = numbers[len(numbers) // 2]
    shown: Shown = []
    for seat in reader.seats:
        for half in (False, True):
            mine = [each for each in reader.of(seat) if (each.round >= middle) is half]
            share = exact(mine)
            low, high = share.interval
            shown.append(
                reader.tell(
                    "change.half",
                    seat=seat,
                    first=mine[0].round,
                    last=mine[-1].round,
                    met=share.hits,
                    of=share.of,
                    low=f"{low:.0f}",
                    high=f"{high:.0f}",
                )
            )
    shown.append(reader.tell("change.note"))
    return [*shown, errors(reader.match, reader.language, reader.seats, reader.names)]


def of_mistake(reader: Reader, draw: int) -> Shown:
    missed = sorted((each for each in reader.made if each.off), key=lambda each: -abs(each.off))
    if not missed:
        return [reader.tell("mistake.none")] if reader.made else reader.nothing()
    it = missed[draw % len(missed)]
    now, seen = reader.round(it.round), reader.when_bidding(it).seen
    told = [
        reader.tell(
            "mistake.round",
            round=it.round,
            seat=it.seat,
            bid=it.bid,
            won=it.won,
            gain=now.gains[it.seat],
        )
    ]
    if scores_by_options(reader.game):  # else what a bid brings may depend on more than itself
        told.append(
            reader.tell("mistake.instead", won=it.won, instead=reader.game.gain(it.won, it.won))
        )
    shown: Shown = [
        join_sentences(told, reader.language),
        known(reader.tell, it, now, seen, reader.language),
    ]
    number = now.lost_in(it.seat)
    trick = now.tricks[number - 1]
    cards = [reader.tell("mistake.played", seat=seat, card=card) for seat, card in trick.cards]
    shown.append(
        reader.tell(
            "mistake.lost",
            trick=number,
            of=it.size,
            cards=join_words(cards, reader.language),
            seat=trick.taker,
        )
    )
    return [*shown, course(now, [it.seat], reader.names, reader.language)]


def of_elsewhere(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for seat in reader.seats:
        mine = reader.of(seat)
        if mine:
            count = [kind(each) for each in mine]
            ways = [
                reader.tell(f"elsewhere.{name}", times=count.count(name))
                for name in ("exact", "over", "under")
                if name in count
            ]
            shown.append(
                reader.tell(
                    "elsewhere.each",
                    seat=seat,
                    of=len(mine),
                    ways=join_words(ways, reader.language),
                    mean=f"{fmean(abs(each.off) for each in mine):.1f}",
                )
            )
    return shown or reader.nothing()


def of_rule(reader: Reader, draw: int) -> Shown:
    finished, options = [now for now in reader.played if now.ended], reader.game.options
    if not finished:
        return reader.nothing()
    missed = [each for each in predictions([reader.match]) if each.off]
    costs = [
        sum(
            min(0, finished[each.round - 1].gains[each.seat])
            for each in missed
            if each.seat == seat
        )
        for seat in reader.game.seats
    ]
    free = [total - cost for total, cost in zip(finished[-1].totals, costs)]
    points = [
        reader.tell(
            "rule.points", seat=seat, real=off(finished[-1].totals[seat]), free=off(free[seat])
        )
        for seat in reader.game.seats
    ]
    even = [str(now.number) for now in finished if not now.spare]
    shown: Shown = [reader.tell("rule.even", even=len(even), rounds=len(finished))]
    if even and options.bid_rule == "free" and options.bid_mode == "open":
        shown.append(reader.tell("rule.sum", rounds=join_words(even, reader.language)))
    if any(costs):
        shown += [
            reader.tell("rule.free", points=join_words(points, reader.language)),
            reader.tell("rule.note"),
        ]
    return [*shown, sums(reader.match, reader.language)]


ABOUT: dict[str, Callable[[Reader, int], Shown]] = {
    "sure": of_sure,
    "order": of_order,
    "exactly": of_exactly,
    "luck": of_luck,
    "change": of_change,
    "mistake": of_mistake,
    "elsewhere": of_elsewhere,
    "rule": of_rule,
}
"""The functions that find evidence, by the name of the question."""
