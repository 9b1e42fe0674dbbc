"""Evidence for Wizard: what a reader did in a match, below the questions; counts, no judgement.

:func:`evidence` is what :mod:`coursekit.reflect` asks. It tells of the reader's own hands and
decisions and of what the whole table has seen, never of other hands.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from statistics import fmean

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.figures import HATCHES, INK, PALETTE, Axis, Bars, Layer, Panel, Picture, Points, plot
from coursekit.games.wizard.after.history import (
    Decision,
    Prediction,
    Round,
    Share,
    find_bidding,
    read_decisions,
    read_predictions,
    read_rounds,
    share_met,
)
from coursekit.games.wizard.after.prediction_figures import (
    format_off,
    outcome,
    plot_bids_and_tricks,
    plot_errors,
    plot_round,
    plot_shares_met,
    plot_sums,
)
from coursekit.games.wizard.rules.cards import NO_SUIT, NOTHING, RANK, SUIT, winner
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import Observation
from coursekit.games.wizard.strategies import Unseen
from coursekit.games.wizard.table.quick_start import scores_by_options
from coursekit.games.wizard.table.scene import in_order
from coursekit.kit.debrief_moment import Grid
from coursekit.reflect.debrief_story import clauses, share_word
from coursekit.reflect.evidence_reader import EvidenceReader
from coursekit.words.texts import join_sentences, join_words

Parts = list[str | Grid | Picture]
AGAIN = {"mistake": "evidence.draw"}
"""The question that goes on to another round -> the text of its button."""
LATEST = 4
"""Most rounds that are told one by one, the last ones."""
TOGETHER = "\N{NO-BREAK SPACE}"
"""Between the numbers of a suit: a space at which no line breaks."""


class Reader(EvidenceReader):
    """A match of Wizard with its reader."""

    game: Wizard

    def __init__(self, match: Match, seats: Sequence[Seat], language: str) -> None:
        super().__init__(match, seats, language)
        self.rounds = read_rounds(match)
        self.predictions = read_predictions([match], seats) if seats else []

    def nothing(self) -> Parts:
        """Return the sentence that there is nothing to tell yet."""
        return [self.tell("nothing")]

    def predictions_of(self, seat: Seat) -> list[Prediction]:
        """Return the bids of *seat* that have been scored."""
        return [bid for bid in self.predictions if bid.seat == seat]

    def describe_met(self, share: Share) -> str:
        """Return in words how many bids of *share* were met."""
        word = share_word(*share)
        return self.tell(f"met.{word}", **({"met": share.hits} if word == "some" else {}))

    @cached_property
    def decisions(self) -> list[Decision]:
        """What the readers decided, in order."""
        return read_decisions(self.match, self.seats)

    def seen_when_bidding(self, prediction: Prediction) -> Observation:
        """Return what the player of a bid saw when making it."""
        return find_bidding(self.decisions, prediction)

    def round_of(self, prediction: Prediction) -> Round:
        """Return the round of a bid."""
        return self.rounds[prediction.round_number - 1]


def evidence(name: str, match: Match, seats: Sequence[Seat], language: str, draw: int = 0) -> Parts:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: whose deeds are told.
    :param draw: which missed round is told, where one is; raised by one when the reader wants
        another.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language), draw) if about else []


def describe_known(
    tell: Callable[..., str], prediction: Prediction, now: Round, seen: Observation, language: str
) -> str:
    """Return what the player of a bid knew when making it: the hand, the trump, the bids before.

    :param tell: returns a sentence of this game's texts about evidence.
    :param now: the round of the bid; if it is over, all of this has been on the table.
    :param seen: what the player saw.
    """
    seat = prediction.seat
    if seen.hand:
        hand = join_words(_describe_suits(tell, seen), language)
        facts = [tell("mistake.hand", seat=seat, hand=hand)]
    else:
        others = [
            tell("mistake.holds", seat=other, cards=hand)
            for other, hand in enumerate(seen.shown)
            if hand
        ]
        facts = [tell("mistake.hawk", seat=seat, others=join_words(others, language))]
    if seen.open_hands:
        facts.append(tell("mistake.open"))
    if now.trump == NOTHING:
        facts.append(tell("mistake.no_trump"))
    else:
        facts.append(tell("mistake.trump", suit=now.trump))
    bid = now.bid(seat)
    before = [
        tell("mistake.bid", seat=other.seat, bid=other.number)
        for other in now.bids
        if 0 < other.place < bid.place
    ]
    if before:
        facts.append(tell("mistake.before", bids=join_words(before, language)))
    else:
        facts.append(tell("mistake.first" if bid.place else "mistake.at_once"))
    if bid.barred != NOTHING:
        facts.append(tell("mistake.barred", bid=bid.barred))
    return tell("mistake.known", facts=clauses(facts, language))


def _describe_suits(tell: Callable[..., str], seen: Observation) -> list[str]:
    """Return a hand as people hold it, sorted by suits."""
    words = []
    for suit, cards in groupby(in_order(seen.hand, seen.trump), SUIT.__getitem__):
        if suit == NO_SUIT:
            words += [tell("mistake.card", card=card) for card in cards]
        else:
            numbers = TOGETHER.join(str(RANK[card]) for card in cards)
            words.append(tell("mistake.suit", suit=suit, numbers=numbers))
    return words


def tell_sure(reader: Reader, draw: int) -> Parts:
    if not reader.predictions:
        return reader.nothing()
    parts: Parts = []
    for seat in reader.seats:
        share = share_met(reader.predictions_of(seat))
        parts.append(reader.tell("sure.each", seat=seat, of=share.of, met=share.hits))
    picture = plot_bids_and_tricks([("", reader.predictions)], reader.language)
    return [*parts, _round_grid(reader), picture]


def _round_grid(reader: Reader) -> Grid:
    """Return the bids of the readers and the tricks they won, a row for each round."""
    cells = {}
    for bid in reader.predictions:
        mark = "" if bid.off else " ✓"
        cells[bid.round_number, bid.seat] = f"{bid.bid} → {bid.won}{mark}"
    rows = [
        (str(number), *(cells.get((number, seat), "") for seat in reader.seats))
        for number in sorted({bid.round_number for bid in reader.predictions})
    ]
    heads = (reader.tell("sure.round"), *(reader.names[seat] for seat in reader.seats))
    return Grid(reader.tell("sure.rounds"), heads, tuple(rows))


def tell_order(reader: Reader, draw: int) -> Parts:
    if not reader.predictions:
        return reader.nothing()
    if not any(bid.place for bid in reader.predictions):
        return [reader.tell("order.at_once")]
    parts: Parts = []
    for seat in reader.seats:
        mine = reader.predictions_of(seat)
        shares = {
            "first": share_met(bid for bid in mine if bid.place == 1),
            "last": share_met(bid for bid in mine if bid.place == bid.players),
        }
        ways = [
            reader.tell(f"order.as.{place}", times=share.of, met=reader.describe_met(share))
            for place, share in shares.items()
            if share.of
        ]
        if ways:
            parts.append(reader.tell("order.each", seat=seat, ways=clauses(ways, reader.language)))
    for prediction in [bid for bid in reader.predictions if bid.place == bid.players][-LATEST:]:
        bid = reader.round_of(prediction).bid(prediction.seat)
        values = {
            "round": prediction.round_number,
            "seat": bid.seat,
            "before": bid.before,
            "size": prediction.size,
            "bid": bid.number,
            "won": prediction.won,
        }
        parts.append(reader.tell("order.last", **values))
        if bid.barred != NOTHING:
            parts.append(reader.tell("order.barred", seat=bid.seat, bid=bid.barred))
    picture = plot_shares_met(read_predictions([reader.match]), reader.language, "place")
    return [*parts, reader.tell("order.all"), picture]


def tell_exactly(reader: Reader, draw: int) -> Parts:
    could = [choice for choice in reader.decisions if _takers(choice)]
    spared = [choice for choice in could if choice.action not in _takers(choice)]
    parts: Parts = []
    for seat in reader.seats:
        chances = sum(choice.seat == seat for choice in could)
        mine = [choice.seen for choice in spared if choice.seat == seat]
        values = {"seat": seat, "could": chances}
        if mine:
            full = sum(seen.won[seat] >= seen.bids[seat] for seen in mine)
            which = {"none": "each", "all": "full", "some": "some_full"}
            word = share_word(full, len(mine))
            if word == "some":
                values["full"] = full
            parts.append(reader.tell(f"exactly.{which[word]}", spared=len(mine), **values))
        elif chances:
            parts.append(reader.tell("exactly.never", **values))
    if not parts:
        return reader.nothing()
    sure = [choice for choice in spared if len(choice.seen.trick) == choice.seen.players - 1]
    if sure:
        seat, seen, card = sure[-1]
        values = {
            "round": seen.round,
            "trick": len(seen.takers) + 1,
            "seat": seat,
            "could": in_order(_takers(sure[-1]), seen.trump)[0],
            "card": card,
            "won": seen.won[seat],
            "bid": seen.bids[seat],
        }
        parts.append(reader.tell("exactly.sure", **values))
        now = reader.rounds[seen.round - 1]
        if now.ended:
            parts.append(plot_round(now, [seat], reader.names, reader.language))
    return parts


def _takers(choice: Decision) -> list[int]:
    """Return the cards that could have beaten the trick; none for a leader or without a choice."""
    seen = choice.seen
    if seen.phase != "play" or not seen.trick or len(seen.legal) < 2:
        return []
    place = len(seen.trick)
    return [card for card in seen.legal if winner([*seen.trick, card], seen.trump) == place]


def tell_luck(reader: Reader, draw: int) -> Parts:
    worth = {}
    for bid in reader.predictions:
        seen = reader.seen_when_bidding(bid)
        if seen.hand:  # not with the card on the forehead
            worth[bid] = sum(Unseen(reader.game, seen).shares(seen.hand, seen.trump))
    if not worth:
        return reader.nothing()
    parts: Parts = []
    for seat in reader.seats:
        mine = [bid for bid in worth if bid.seat == seat]
        tricks = f"{sum(worth[bid] for bid in mine):.1f}"
        equal = f"{sum(bid.size for bid in mine) / reader.game.players:.1f}"
        parts.append(reader.tell("luck.cards", seat=seat, worth=tricks, equal=equal))
        bids = sum(bid.bid for bid in mine)
        won = sum(bid.won for bid in mine)
        parts.append(reader.tell("luck.each", seat=seat, bid=bids, won=won))
        near = share_met(bid for bid in mine if abs(bid.bid - worth[bid]) <= 0.5)
        if near.of:
            met = reader.describe_met(near)
            parts.append(reader.tell("luck.near", near=near.of, of=len(mine), met=met))
    note = "luck.note_open" if reader.game.options.open_hands else "luck.note"
    return [*parts, reader.tell(note), plot_hands(reader, worth)]


def plot_hands(reader: Reader, worth: dict[Prediction, float]) -> Picture:
    """Return a picture of the worth of each hand, as estimated, its bid, and the tricks won."""
    white = {"color": "white", "markeredgecolor": INK, "markeredgewidth": 1.6, "markersize": 11}
    light = {"color": PALETTE[3], "hatch": HATCHES[1]}
    panels = []
    sentences = []
    for seat in reader.seats:
        mine = [bid for bid in worth if bid.seat == seat]
        x = range(len(mine))
        bids = [bid.bid for bid in mine]
        won = [bid.won for bid in mine]
        values = [worth[bid] for bid in mine]
        keys = [reader.tell(f"luck.key.{key}") for key in ("worth", "bid", "won")]
        layers: list[Layer] = [
            Bars(values, keys[0], upright=True, style=light),
            Points(x, bids, keys[1], 3, style=white),
            Points(x, won, keys[2], style={"markersize": 6}),
        ]
        label = reader.tell("luck.x") if seat == reader.seats[-1] else ""
        across = Axis(label, [str(bid.round_number) for bid in mine])
        most = max(1, *bids, *won, *values)
        up = Axis(reader.tell("luck.y"), low=-0.3, high=most + 0.3)
        title = reader.names[seat] if len(reader.seats) > 1 else ""
        panels.append(Panel(layers, title, across, up))
        for bid in mine:
            numbers = {"worth": f"{worth[bid]:.1f}", "bid": bid.bid, "won": bid.won}
            sentences.append(reader.tell("luck.alt", round=bid.round_number, seat=seat, **numbers))
    caption = reader.tell("luck.caption")
    height = 1.2 + 2.4 * len(panels)
    return plot(panels, " ".join(sentences), caption, reader.language, height, legend=3)


def tell_change(reader: Reader, draw: int) -> Parts:
    numbers = sorted({bid.round_number for bid in reader.predictions})
    if len(numbers) < 2:
        return reader.nothing()
    middle = numbers[len(numbers) // 2]
    parts: Parts = []
    for seat in reader.seats:
        for is_late in (False, True):
            mine = [
                bid
                for bid in reader.predictions_of(seat)
                if (bid.round_number >= middle) is is_late
            ]
            first, last = mine[0].round_number, mine[-1].round_number
            values = share_met(mine).values()
            parts.append(reader.tell("change.half", seat=seat, first=first, last=last, **values))
    picture = plot_errors(reader.match, reader.language, reader.seats, reader.names)
    return [*parts, reader.tell("change.note"), picture]


def tell_mistake(reader: Reader, draw: int) -> Parts:
    missed = sorted((bid for bid in reader.predictions if bid.off), key=lambda bid: -abs(bid.off))
    if not missed:
        return [reader.tell("mistake.none")] if reader.predictions else reader.nothing()
    bid = missed[draw % len(missed)]
    seat, won = bid.seat, bid.won
    now = reader.round_of(bid)
    seen = reader.seen_when_bidding(bid)
    values = {"round": now.number, "seat": seat, "bid": bid.bid, "won": won}
    sentences = [reader.tell("mistake.round", **values, gain=now.gains[seat])]
    if scores_by_options(reader.game):  # else what a bid brings may depend on more than itself
        instead = reader.game.gain(won, won)
        sentences.append(reader.tell("mistake.instead", won=won, instead=instead))
    number = now.lost_in(seat)
    trick = now.tricks[number - 1]
    cards = reader.join(
        [reader.tell("mistake.played", seat=player, card=card) for player, card in trick.cards]
    )
    return [
        join_sentences(sentences, reader.language),
        describe_known(reader.tell, bid, now, seen, reader.language),
        reader.tell("mistake.lost", trick=number, of=bid.size, cards=cards, seat=trick.taker),
        plot_round(now, [seat], reader.names, reader.language),
    ]


def tell_elsewhere(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    for seat in reader.seats:
        mine = reader.predictions_of(seat)
        if not mine:
            continue
        outcomes = [outcome(bid) for bid in mine]
        ways = [
            reader.tell(f"elsewhere.{name}", times=outcomes.count(name))
            for name in ("exact", "over", "under")
            if name in outcomes
        ]
        mean = f"{fmean(abs(bid.off) for bid in mine):.1f}"
        values = {"of": len(mine), "ways": reader.join(ways), "mean": mean}
        parts.append(reader.tell("elsewhere.each", seat=seat, **values))
    return parts or reader.nothing()


def tell_rule(reader: Reader, draw: int) -> Parts:
    finished = [now for now in reader.rounds if now.ended]
    if not finished:
        return reader.nothing()
    options = reader.game.options
    even = [str(now.number) for now in finished if not now.spare]
    parts: Parts = [reader.tell("rule.even", even=len(even), rounds=len(finished))]
    if even and options.bid_rule == "free" and options.bid_mode == "open":
        parts.append(reader.tell("rule.sum", rounds=reader.join(even)))
    costs = [0] * reader.game.players
    for bid in read_predictions([reader.match]):
        if bid.off:
            costs[bid.seat] += min(0, reader.round_of(bid).gains[bid.seat])
    if any(costs):
        points = [
            reader.tell("rule.points", seat=seat, real=format_off(n), free=format_off(n - cost))
            for seat, (n, cost) in enumerate(zip(finished[-1].totals, costs))
        ]
        parts += [reader.tell("rule.free", points=reader.join(points)), reader.tell("rule.note")]
    return [*parts, plot_sums(reader.match, reader.language)]


ABOUT: dict[str, Callable[[Reader, int], Parts]] = {
    "sure": tell_sure,
    "order": tell_order,
    "exactly": tell_exactly,
    "luck": tell_luck,
    "change": tell_change,
    "mistake": tell_mistake,
    "elsewhere": tell_elsewhere,
    "rule": tell_rule,
}
"""The functions that find evidence, by the name of the question."""
