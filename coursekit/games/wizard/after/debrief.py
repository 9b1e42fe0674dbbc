"""Moments of Wizard worth talking about: how good predictions were, and why they failed."""

from collections.abc import Callable, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.game import Seat
from coursekit.games.wizard.after.evidence import describe_known
from coursekit.games.wizard.after.history import (
    Prediction,
    Round,
    Share,
    find_bidding,
    leaders,
    read_decisions,
    read_finished,
    read_predictions,
    share_met,
)
from coursekit.games.wizard.after.prediction_figures import (
    FIRST,
    LAST,
    group_predictions,
    outcome,
    plot_bids_and_tricks,
    plot_errors,
    plot_points,
    plot_round,
    plot_shares_met,
    plot_sums,
)
from coursekit.games.wizard.rules.cards import NOTHING, is_jester, is_wizard
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import Observation
from coursekit.games.wizard.strategies import Thinker
from coursekit.games.wizard.table.quick_start import scores_by_options
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import FEW, Parts, Telling, sort_by_worth
from coursekit.words.texts import format_signed, seat_name

Finding = tuple[float, Parts]
"""The worth of a moment, from 0 to 1, and what it says."""
ENOUGH = 8
"""Fewest predictions for which a share is worth a figure."""
WORST = 3
"""Most misses of a class that are told, the largest ones."""
PLAYERS = 8
"""Most players, in all matches together, who are told one by one."""


class BidReviewer(Thinker):
    """Tries a missed bid again, and those near a card counter's, all equally often.

    It tells the same each time.
    """

    NEAR = 2
    HOPELESS = 1e9
    playouts = 240

    def candidates(self, obs: Observation, favourite: int) -> list[int]:
        usual = self.guide(self.rng, self.game).decide(obs)
        return [bid for bid in obs.legal if abs(bid - usual) <= self.NEAR or bid == favourite]


class Story(Telling):
    """The matches to talk about, those with a finished round, and the bids that count."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__([entry for entry in played if read_finished(entry.match)], language)
        self.rounds = [read_finished(match) for match in self.matches]
        self.all_rounds = [now for rounds in self.rounds for now in rounds]
        self.predictions = [
            bid._replace(match=at)
            for at, match in enumerate(self.matches)
            for bid in read_predictions([match], self.seats[at], self.played[at].counts)
        ]

    @cached_property
    def where(self) -> str:
        """The number of rounds, and of matches if there are several."""
        rounds = len(self.all_rounds)
        if self.one:
            return self.tell("where.rounds", rounds=rounds)
        return self.tell("where.matches", matches=len(self.matches), rounds=rounds)

    def round_of(self, bid: Prediction) -> Round:
        """Return the round of a bid."""
        return self.rounds[bid.match][bid.round_number - 1]

    def seen_when_bidding(self, bid: Prediction) -> Observation:
        """Return what the player of a bid saw when making it."""
        return find_bidding(read_decisions(self.matches[bid.match], [bid.seat]), bid)

    def describe_share(self, share: Share) -> str:
        """Return a share in words, with its :attr:`.Share.interval` (Wilson 1927)."""
        return self.tell("share", **share.values())


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about after these matches, best first.

    There is nothing before a round has been scored. Predictions are those of
    :attr:`.Played.seats`; the lead and the sum of predictions are everybody's.
    """
    story = Story(played, language)
    if not story.matches:
        return []
    found = []
    for name, find in MOMENTS.items():
        finding = find(story)
        if finding:
            worth, parts = finding
            moment = story.moment(name, parts, worth, **_values_asked(story, name))
            found.append(_fit_words(story, moment))
    return sort_by_worth(found)


def _values_asked(story: Story, name: str) -> dict[str, int]:
    """Return the values in the question of a moment."""
    game = story.matches[0].game
    assert isinstance(game, Wizard)
    if name == "broken":
        return {"cards": len(game.deck), "wizards": game.options.wizards}
    if name == "bid":
        high = min(3, max(now.size for now in story.all_rounds))
        return {"hit": game.gain(0, 0), "high": high, "earns": game.gain(high, high)}
    return {}


def _fit_words(story: Story, moment: Moment) -> Moment:
    """Return a moment with the title and question that suit what was played."""
    game = story.matches[0].game
    assert isinstance(game, Wizard)
    options = game.options
    if moment.name == "broken" and not options.wizards:
        values = {"cards": len(game.deck), "jesters": options.jesters}
        ask = story.tell("broken.ask_jesters", **values)
        return moment._replace(title=story.tell("broken.title_jesters"), ask=ask)
    if moment.name == "broken" and not options.jesters:
        return moment._replace(title=story.tell("broken.title_wizards"))
    if moment.name == "bid" and not scores_by_options(game):
        return moment._replace(ask=story.tell("bid.ask_own"))
    if moment.name == "sum" and not any(bid.place for bid in story.predictions):
        return moment._replace(ask=story.tell("sum.ask_at_once"))
    return moment


def find_calibration(story: Story) -> Finding | None:
    predictions = story.predictions
    if len(predictions) < FEW:
        return None
    outcomes = [outcome(bid) for bid in predictions]
    ways = {name: outcomes.count(name) for name in ("over", "under") if name in outcomes}
    if len(ways) == 2:
        missed = story.tell("calibration.missed", **ways)
    else:
        missed = "".join(story.tell(f"calibration.missed_{name}") for name in ways)
    share = story.describe_share(share_met(predictions))
    parts: Parts = [story.together(story.tell("calibration.all", share=share), missed)]
    mine = {
        (at, seat): [bid for bid in predictions if (bid.match, bid.seat) == (at, seat)]
        for at, seats in enumerate(story.seats)
        for seat in seats
    }
    if len(mine) <= PLAYERS and min(map(len, mine.values())) >= FEW:
        for (at, seat), bids in mine.items():
            parts.append(story.in_match(at, describe_player(story, at, seat, bids)))
    panels: list[tuple[str, Sequence[Prediction]]] = [("", predictions)]
    if story.one and len(mine) > 1:
        names = story.matches[0].names
        panels = [
            (seat_name(seat, story.language, names), bids) for (_, seat), bids in mine.items()
        ]
    parts.append(plot_bids_and_tricks(panels, story.language))
    return 0.6 + 0.4 * min(1, len(predictions) / 20), parts


def describe_player(story: Story, at: int, seat: Seat, bids: Sequence[Prediction]) -> str:
    """Return how far off a player's bids were, and to which side."""
    off = [bid.off for bid in bids]
    values: dict[str, Any] = {"seat": seat, "of": len(bids)}
    if not any(off):
        return story.tell("calibration.perfect", at, **values)
    values["far"] = f"{fmean(map(abs, off)):.1f}"
    met = off.count(0)
    if met:
        words = story.tell("calibration.each", at, met=met, **values)
    else:
        words = story.tell("calibration.none", at, **values)
    mean = f"{abs(fmean(off)):.1f}"
    if mean == "0.0":
        return story.tell("calibration.even", words=words)
    which = "more" if sum(off) > 0 else "fewer"
    return story.tell(f"calibration.{which}", words=words, mean=mean)


def find_worst(story: Story) -> Finding | None:
    missed = [bid for bid in story.predictions if bid.off]
    missed.sort(key=lambda bid: (-abs(bid.off), bid.match))
    if not missed:
        return None
    worth = 0.4 + 0.1 * min(4, abs(missed[0].off))
    worst = missed[:WORST]
    if story.one:  # the largest miss on either side, the larger one first
        over = [bid for bid in missed if bid.off > 0]
        under = [bid for bid in missed if bid.off < 0]
        worst = sorted(over[:1] + under[:1], key=lambda bid: -abs(bid.off))
    parts: Parts = []
    if len(story.predictions) >= FEW:
        number = story.tell("worst.all", of=len(story.predictions), missed=len(missed))
        only = story.tell("worst.only") if len(worst) < len(missed) else ""
        parts.append(story.together(number, only))
    parts += [_describe_miss(story, bid) for bid in worst]
    if story.one:
        match = story.matches[0]
        names = [seat_name(seat, story.language, match.names) for seat in match.game.seats]
        # A thinker plays as if it saw its own hand alone, so with open hands it does not tell what
        # was known.
        if not match.game.options.open_hands:
            parts.append(_review_bid(story, worst[0]))
        now = story.round_of(worst[0])
        parts.append(plot_round(now, [worst[0].seat], names, story.language))
    return worth, parts


def _review_bid(story: Story, bid: Prediction) -> str:
    """Return how often a bid is met in guessed deals, and the one that would have paid best."""
    match = story.matches[bid.match]
    game = match.game
    assert isinstance(game, Wizard)
    reviewer = BidReviewer(stream(match.seed, f"round {bid.round_number}"), game)
    thought = reviewer.think(story.seen_when_bidding(bid), bid.bid)
    tried = {candidate.action: candidate for candidate in thought.tried}
    mine = tried[bid.bid]
    best = max(tried.values(), key=lambda other: (other.ahead - 2 * other.error, other is mine))
    values: dict[str, Any] = {"bid": bid.bid, "worlds": mine.worlds}
    if _only_met_pays(game, bid.size):
        best_text, other_text = "worst.tried_best", "worst.tried"
        values["met"] = round(100 * mine.good)
        would: Any = round(100 * best.good)
    else:
        best_text, other_text = "worst.tried_best_points", "worst.tried_points"
        values["points"] = format_signed(f"{mine.payoff:+.1f}")
        would = format_signed(f"{best.payoff:+.1f}")
    if best.action == bid.bid:
        return story.tell(best_text, bid.match, **values)
    values |= {"other": best.action, "would": would}
    return story.tell(other_text, bid.match, **values)


def _only_met_pays(game: Wizard, size: int) -> bool:
    """Return whether bids bring points just if they are met, in a round of *size* tricks."""
    tricks = range(size + 1)
    return scores_by_options(game) and all(
        (game.gain(bid, won) > 0) is (bid == won) for bid in tricks for won in tricks
    )


def _describe_miss(story: Story, bid: Prediction) -> str:
    """Return how a bid was missed, and what its player knew.

    The round is over, so nothing of it is hidden.
    """
    now = story.round_of(bid)

    def tell(text_id: str, **values: Any) -> str:
        return story.said(f"evidence.{text_id}", bid.match, **values)

    values = {
        "round": bid.round_number,
        "seat": bid.seat,
        "bid": bid.bid,
        "won": bid.won,
        "gain": now.gains[bid.seat],
        "trick": now.lost_in(bid.seat),
        "of": bid.size,
    }
    words = story.tell("worst.each", bid.match, **values)
    facts = describe_known(tell, bid, now, story.seen_when_bidding(bid), story.language)
    return story.in_match(bid.match, story.together(words, facts))


def find_turn(story: Story) -> Finding | None:
    if not story.one:
        return _find_half_time(story)
    match, rounds = story.matches[0], story.all_rounds
    if len(rounds) < FEW:
        return None
    led = [leaders(now.totals) for now in rounds]
    ahead = led[-1]
    since = len(led) - 1
    while since and led[since - 1] == ahead:
        since -= 1
    until = story.tell("turn.to_the_end" if match.over else "turn.so_far")
    if since:
        now, before = rounds[since], led[since - 1]
        deeds = []
        for seat in (*ahead, *(seat for seat in before if seat not in ahead)):
            bid, won, gain = now.bid(seat).number, now.won(seat), now.gains[seat]
            deeds.append(story.tell("turn.each", seat=seat, bid=bid, won=won, gain=gain))
        values = {"seats": ahead, "round": now.number, "before": before, "until": until}
        words = story.together(
            story.tell("turn.since", **values),
            story.tell("turn.then", each=story.clauses(deeds)),
        )
    else:
        words = story.tell("turn.never", seats=ahead, until=until)
    return 0.35 + 0.4 * since / len(rounds), [words, plot_points(match, story.language)]


def _find_half_time(story: Story) -> Finding | None:
    """Tell how often the leader after half of a match's rounds, alone or tied, won the match."""
    matches = stayed = 0
    for match, rounds in zip(story.matches, story.rounds):
        if match.over and len(rounds) > 1:
            half = leaders(rounds[len(rounds) // 2 - 1].totals)
            matches += 1
            stayed += not {*half}.isdisjoint(match.game.winners(match.state))
    if matches < FEW:
        return None
    share = story.describe_share(Share(stayed, matches))
    return 0.4 + 0.3 * (matches - stayed) / matches, [story.tell("turn.half", share=share)]


def find_broken(story: Story) -> Finding | None:
    missed = [bid for bid in story.predictions if bid.off]
    options = story.matches[0].game.options
    if len(missed) < FEW or not options.wizards + options.jesters:
        return None
    causes = [find_cause(story.round_of(bid), bid.seat) for bid in missed]
    wizard, jester = causes.count("wizard"), causes.count("jester")
    sentences = []
    if wizard:
        sentences.append(story.tell("broken.by_wizard", missed=len(missed), times=wizard))
    if wizard and jester:
        sentences.append(story.tell("broken.and_jester", times=jester))
    elif jester:
        sentences.append(story.tell("broken.by_jester", missed=len(missed), times=jester))
    parts: Parts = [story.together(*sentences)] if sentences else []
    shares = {}
    for turned in ("trump", "none", "wizard"):
        share = share_met(b for b in story.predictions if _turned_up(story.round_of(b)) == turned)
        if share.of >= FEW:
            shares[turned] = share
    if len(shares) > 1:
        for turned, share in shares.items():
            words = story.describe_share(share)
            parts.append(story.tell(f"broken.turned.{turned}", share=words))
        parts.append(story.tell("broken.turned.chance"))
    if not parts:
        return None
    if story.one:
        bids = story.predictions
        parts.append(plot_errors(story.matches[0], story.language, story.seats[0], bids=bids))
    return 0.35 + 0.5 * (wizard + jester) / len(missed), parts


def find_cause(now: Round, seat: Seat) -> str:
    """Return what put the bid of *seat* out of reach.

    "wizard" if a Wizard took the trick in which that happened, "jester" if more tricks were needed
    and the own card was a Jester, which could not win; "" otherwise.
    """
    trick = now.tricks[now.lost_in(seat) - 1]
    if is_wizard(trick.best):
        return "wizard"
    needs_more = now.won(seat) < now.bid(seat).number
    return "jester" if needs_more and is_jester(dict(trick.cards)[seat]) else ""


def _turned_up(now: Round) -> str:
    """Return what was turned up: "wizard", "trump" for a card with a suit, or "none"."""
    if now.turned != NOTHING and is_wizard(now.turned):
        return "wizard"
    return "none" if now.trump == NOTHING else "trump"


def find_sum(story: Story) -> Finding | None:
    rounds = story.all_rounds
    if len(rounds) < FEW:
        return None
    more = sum(now.spare < 0 for now in rounds)
    fewer = sum(now.spare > 0 for now in rounds)
    count = {"more": more, "fewer": fewer, "even": len(rounds) - more - fewer}
    ways = [story.tell(f"sum.{name}", times=times) for name, times in count.items() if times]
    words = story.tell("sum.all", rounds=len(rounds), ways=story.listed(ways))
    parts: Parts = [story.together(words, story.tell("sum.missed") if more + fewer else "")]
    in_turn = [now for now in rounds if now.bids[-1].place]
    if len(in_turn) >= FEW:
        could = sum(now.size >= now.bids[-1].before for now in in_turn)
        even = sum(now.spare == 0 for now in in_turn)
        barred = sum(now.bids[-1].barred != NOTHING for now in in_turn)
        values = {"last": len(in_turn)}
        if barred:
            parts.append(story.tell("sum.barred", barred=barred, **values))
        elif could and even:
            parts.append(story.tell("sum.last", could=could, even=even, **values))
        elif could:
            parts.append(story.tell("sum.last_never", could=could, **values))
    if story.one:
        parts.append(plot_sums(story.matches[0], story.language))
    else:
        parts.append(plot_shares_met(story.predictions, story.language, "sum"))
    return 0.45 + 0.4 * (more + fewer) / len(rounds), parts


def find_order(story: Story) -> Finding | None:
    groups = group_predictions(story.predictions, "place")
    shares = {name: share_met(group) for name, group in groups.items()}
    if any(name not in shares or shares[name].of < FEW for name in (FIRST, LAST)):
        return None
    return _compare(story, "place", shares, FIRST, LAST)


def find_size(story: Story) -> Finding | None:
    sizes = sorted({bid.size for bid in story.predictions})
    if len(sizes) < 3 or len(story.predictions) < ENOUGH:
        return None
    middle = sizes[len(sizes) // 2]
    few = share_met(bid for bid in story.predictions if bid.size < middle)
    many = share_met(bid for bid in story.predictions if bid.size >= middle)
    if min(few.of, many.of) < FEW:
        return None
    shares = {"few": few, "many": many}
    worth, parts = _compare(story, "size", shares, "few", "many", middle=middle)
    return worth, [story.tell("size.split", middle=middle), *parts]


def find_number(story: Story) -> Finding | None:
    zero = share_met(bid for bid in story.predictions if not bid.bid)
    more = share_met(bid for bid in story.predictions if bid.bid)
    if min(zero.of, more.of) < FEW or len(story.predictions) < ENOUGH:
        return None
    return _compare(story, "bid", {"zero": zero, "more": more}, "zero", "more")


def _compare(
    story: Story, by: str, shares: dict[str, Share], one: str, other: str, **values: Any
) -> Finding:
    """Tell two or three shares, what the difference of *one* and *other* says, and draw them."""
    parts: Parts = []
    for name, share in shares.items():
        if share.of >= FEW:
            words = story.describe_share(share)
            parts.append(story.tell(f"{by}.{name}", share=words, **values))
    (low, high), (other_low, other_high) = shares[one].interval, shares[other].interval
    verdict = "apart" if low > other_high or other_low > high else "overlap"
    which = "two" if len(parts) == 2 else "ends"
    parts.append(story.tell(f"compare.{which}.{verdict}"))
    parts.append(plot_shares_met(story.predictions, story.language, by))
    return 0.4 + 0.3 * abs(shares[one].percent - shares[other].percent) / 100, parts


MOMENTS: dict[str, Callable[[Story], Finding | None]] = {
    "calibration": find_calibration,
    "worst": find_worst,
    "turn": find_turn,
    "broken": find_broken,
    "sum": find_sum,
    "place": find_order,
    "size": find_size,
    "bid": find_number,
}
"""The functions that find a moment, by its name."""
