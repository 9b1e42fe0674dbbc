"""Moments of Wizard worth talking about: how good predictions were, and why they failed."""

from collections.abc import Callable, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.game import Seat
from coursekit.games.wizard.after.evidence import known, when_bidding
from coursekit.games.wizard.after.history import (
    Prediction,
    Round,
    Share,
    choices,
    exact,
    leaders,
    predictions,
    rounds,
)
from coursekit.games.wizard.after.prediction_figures import (
    FIRST,
    LAST,
    bids_and_tricks,
    course,
    errors,
    grouped,
    kind,
    shares_met,
    standing,
    sums,
)
from coursekit.games.wizard.rules.cards import NOTHING, is_jester, is_wizard
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import Observation
from coursekit.games.wizard.strategies import Thinker
from coursekit.games.wizard.table.quick_start import scores_by_options
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import FEW, Parts, Telling, sort_by_worth
from coursekit.words.texts import format_signed, seat_name

Told = tuple[float, Parts]
"""The worth of a moment, from 0 to 1, and what it says."""
ENOUGH = 8
"""Fewest predictions for which a share is worth a figure."""
WORST = 3
"""Most misses of a class that are told, the largest ones."""
EACH = 8
"""Most players, in all matches together, who are told one by one."""


class Again(Thinker):
    """Tries a missed bid again, and those near a card counter's, all equally often; it tells the
    same each time.
    """

    NEAR = 2
    HOPELESS = 1e9
    playouts = 240

    def candidates(self, obs: Observation, favourite: int) -> list[int]:
        bid = self.guide(self.rng, self.game).decide(obs)
        return [each for each in obs.legal if abs(each - bid) <= self.NEAR or each == favourite]


class Story(Telling):
    """The matches to talk about, those with a finished round, and the bids that count."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__(
            [each for each in played if any(now.ended for now in rounds(each.match))], language
        )
        self.played = [[now for now in rounds(match) if now.ended] for match in self.matches]
        self.made = [
            bid._replace(match=at)
            for at, match in enumerate(self.matches)
            for bid in predictions([match], self.seats[at])
        ]

    @cached_property
    def where(self) -> str:
        """The number of rounds, and of matches if there are several."""
        told = sum(map(len, self.played))
        return (
            self.tell("where.rounds", rounds=told)
            if self.one
            else self.tell("where.matches", matches=len(self.matches), rounds=told)
        )

    def round(self, made: Prediction) -> Round:
        """Return the round of a bid."""
        return next(now for now in self.played[made.match] if now.number == made.round)

    def share(self, share: Share) -> str:
        """Return a share in words, with its :attr:`.Share.interval` (Wilson 1927)."""
        low, high = share.interval
        return self.tell("share", met=share.hits, of=share.of, low=f"{low:.0f}", high=f"{high:.0f}")

    def inside(self, at: int, words: str) -> str:
        """Return *words* after the number of their match, if there are several."""
        return words if self.one else self.tell("worst.in", match=at + 1, words=words)

    def compared(self, one: Share, other: Share, which: str) -> str:
        """Return what the difference between two shares says.

        :param which: "two" if there are no others, "ends" if others stand between them.
        """
        return self.tell(f"compare.{which}.{'apart' if _apart(one, other) else 'overlap'}")


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about after these matches, best first; ``[]`` before a round has
    been scored.

    Predictions are those of :attr:`.Played.seats`; the lead and the sum of predictions are
    everybody's.
    """
    about = Story(played, language)
    if not about.matches:
        return []
    game = about.matches[0].game
    assert isinstance(game, Wizard)
    options, cards = game.options, len(game.deck)
    high = min(3, max(now.size for some in about.played for now in some))
    asked = {
        "broken": {"cards": cards, "wizards": options.wizards},
        "bid": {"hit": game.gain(0, 0), "high": high, "earns": game.gain(high, high)},
    }
    found = {name: told for name, find in MOMENTS.items() if (told := find(about))}
    made = [
        about.moment(name, parts, worth, **asked.get(name, {}))
        for name, (worth, parts) in found.items()
    ]
    titles, asks = (
        dict[str, str](),
        dict[str, str](),
    )  # that suit what was played better than the usual ones
    if not options.wizards:
        titles["broken"] = about.tell("broken.title_jesters")
        asks["broken"] = about.tell("broken.ask_jesters", cards=cards, jesters=options.jesters)
    elif not options.jesters:
        titles["broken"] = about.tell("broken.title_wizards")
    if not scores_by_options(game):
        asks["bid"] = about.tell("bid.ask_own")
    if not any(each.place for each in about.made):
        asks["sum"] = about.tell("sum.ask_at_once")
    return sort_by_worth(
        each._replace(title=titles.get(each.name, each.title), ask=asks.get(each.name, each.ask))
        for each in made
    )


def _apart(one: Share, other: Share) -> bool:
    """Return whether the intervals of two shares do not overlap."""
    return one.interval[0] > other.interval[1] or other.interval[0] > one.interval[1]


def _worth(one: Share, other: Share) -> float:
    """Return the difference of two shares, for the worth of a moment."""
    return 0.4 + 0.3 * abs(one.percent - other.percent) / 100


def of_calibration(about: Story) -> Told | None:
    if len(about.made) < FEW:
        return None
    count = [kind(each) for each in about.made]
    ways = {name: count.count(name) for name in ("over", "under") if name in count}
    missed = (
        about.tell("calibration.missed", **ways)
        if len(ways) == 2
        else "".join(about.tell(f"calibration.missed_{name}") for name in ways)
    )
    parts: Parts = [
        about.together(about.tell("calibration.all", share=about.share(exact(about.made))), missed)
    ]
    mine = {
        (at, seat): [each for each in about.made if (each.match, each.seat) == (at, seat)]
        for at, seats in enumerate(about.seats)
        for seat in seats
    }
    if len(mine) <= EACH and min(map(len, mine.values())) >= FEW:
        parts += [
            about.inside(at, _each(about, at, seat, bids)) for (at, seat), bids in mine.items()
        ]
    panels: list[tuple[str, Sequence[Prediction]]] = [("", about.made)]
    if about.one and len(mine) > 1:
        names = about.matches[0].names
        panels = [
            (seat_name(seat, about.language, names), bids) for (_, seat), bids in mine.items()
        ]
    parts.append(bids_and_tricks(panels, about.language))
    return 0.6 + 0.4 * min(1, len(about.made) / 20), parts


def _each(about: Story, at: int, seat: Seat, bids: Sequence[Prediction]) -> str:
    """Return how far off a player's bids were, and to which side."""
    off = [each.off for each in bids]
    far, mean = f"{fmean(map(abs, off)):.1f}", f"{abs(fmean(off)):.1f}"
    if not any(off):
        return about.tell("calibration.perfect", at, seat=seat, of=len(bids))
    met = exact(bids).hits
    words = (
        about.tell("calibration.each", at, seat=seat, met=met, of=len(bids), far=far)
        if met
        else about.tell("calibration.none", at, seat=seat, of=len(bids), far=far)
    )
    which = "even" if mean == "0.0" else "more" if sum(off) > 0 else "fewer"
    return about.tell(
        f"calibration.{which}", words=words, **({} if which == "even" else {"mean": mean})
    )


def of_worst(about: Story) -> Told | None:
    missed = sorted(
        (each for each in about.made if each.off), key=lambda each: (-abs(each.off), each.match)
    )
    if not missed:
        return None
    worth = 0.4 + 0.1 * min(4, abs(missed[0].off))
    found = missed[:WORST]
    if about.one:  # the largest miss on either side, the larger one first
        sides = ([each for each in missed if each.off * which > 0] for which in (+1, -1))
        found = sorted(
            (each for side in sides for each in side[:1]), key=lambda each: -abs(each.off)
        )
    parts: Parts = []
    if len(about.made) >= FEW:
        only = about.tell("worst.only") if len(found) < len(missed) else ""
        parts.append(
            about.together(about.tell("worst.all", of=len(about.made), missed=len(missed)), only)
        )
    parts += [_miss(about, each) for each in found]
    if not about.one:
        return worth, parts
    it, match = found[0], about.matches[0]
    names = [seat_name(seat, about.language, match.names) for seat in match.game.seats]
    # A thinker plays as if it saw its own hand alone, so with open hands it does not tell what was
    # known.
    tried = [] if match.game.options.open_hands else [_tried(about, it)]
    return worth, [*parts, *tried, course(about.round(it), [it.seat], names, about.language)]


def _tried(about: Story, made: Prediction) -> str:
    """Return how often a bid would be met in guesses at the hidden cards, and the one that would
    have paid best.
    """
    match, decision = (
        about.matches[made.match],
        when_bidding(choices(about.matches[made.match], [made.seat]), made),
    )
    thinker = Again(stream(match.seed, f"round {made.round}"), match.game)
    tried = {each.action: each for each in thinker.think(decision.seen, made.bid).tried}
    mine = tried[made.bid]
    best = max(tried.values(), key=lambda each: (each.ahead - 2 * each.error, each is mine))
    assert isinstance(match.game, Wizard)
    told: dict[str, Any] = {"bid": made.bid, "worlds": mine.worlds}
    if not _only_met_pays(match.game, made.size):
        points = {"points": format_signed(f"{mine.payoff:+.1f}")}
        if best.action == made.bid:
            return about.tell("worst.tried_best_points", made.match, **told, **points)
        would = {"other": best.action, "would": format_signed(f"{best.payoff:+.1f}")}
        return about.tell("worst.tried_points", made.match, **told, **points, **would)
    told["met"] = round(100 * mine.good)
    if best.action == made.bid:
        return about.tell("worst.tried_best", made.match, **told)
    return about.tell(
        "worst.tried", made.match, **told, other=best.action, would=round(100 * best.good)
    )


def _only_met_pays(game: Wizard, size: int) -> bool:
    """Return whether bids that are met bring points in a round of *size* tricks, and no others do."""
    tricks = range(size + 1)
    return scores_by_options(game) and all(
        (game.gain(bid, won) > 0) is (bid == won) for bid in tricks for won in tricks
    )


def _miss(about: Story, made: Prediction) -> str:
    """Return how a bid was missed, and what its player knew. The round is over, so nothing of it is
    hidden.
    """
    now, match = about.round(made), about.matches[made.match]
    seen = when_bidding(choices(match, [made.seat]), made).seen

    def tell(id: str, **values: Any) -> str:
        return about.said(f"evidence.{id}", made.match, **values)

    words = about.tell(
        "worst.each",
        made.match,
        round=made.round,
        seat=made.seat,
        bid=made.bid,
        won=made.won,
        gain=now.gains[made.seat],
        trick=now.lost_in(made.seat),
        of=made.size,
    )
    return about.inside(
        made.match, about.together(words, known(tell, made, now, seen, about.language))
    )


def of_turn(about: Story) -> Told | None:
    if not about.one:
        return _half_time(about)
    match, played = about.matches[0], about.played[0]
    if len(played) < FEW:
        return None
    led = [leaders(now.totals) for now in played]
    until = about.tell("turn.to_the_end" if match.over else "turn.so_far")
    ahead = led[-1]
    since = max((place for place, each in enumerate(led) if each != ahead), default=-1) + 1
    if since:
        now = played[since]
        each_one = []
        for seat in (*ahead, *(seat for seat in led[since - 1] if seat not in ahead)):
            bid = now.bid(seat)
            assert bid is not None
            each_one.append(
                about.tell(
                    "turn.each", seat=seat, bid=bid.number, won=now.won(seat), gain=now.gains[seat]
                )
            )
        words = about.tell(
            "turn.since", seats=ahead, round=now.number, before=led[since - 1], until=until
        )
        words = about.together(words, about.tell("turn.then", each=about.clauses(each_one)))
    else:
        words = about.tell("turn.never", seats=ahead, until=until)
    return 0.35 + 0.4 * since / len(played), [words, standing(match, about.language)]


def _half_time(about: Story) -> Told | None:
    """Tell how often the leader after half of a match's rounds, alone or tied, won the match."""
    stayed = changed = 0
    for match, played in zip(about.matches, about.played):
        if match.over and len(played) > 1:
            half = leaders(played[len(played) // 2 - 1].totals)
            won = {*half} & {*match.game.winners(match.state)}
            stayed, changed = stayed + bool(won), changed + (not won)
    if stayed + changed < FEW:
        return None
    share = about.share(Share(stayed, stayed + changed))
    return 0.4 + 0.3 * changed / (stayed + changed), [about.tell("turn.half", share=share)]


def of_broken(about: Story) -> Told | None:
    missed = [each for each in about.made if each.off]
    options = about.matches[0].game.options
    if len(missed) < FEW or not options.wizards + options.jesters:
        return None
    why = [_why(about.round(each), each.seat) for each in missed]
    wizard, jester = why.count("wizard"), why.count("jester")
    told = [about.tell("broken.by_wizard", missed=len(missed), times=wizard)] if wizard else []
    if jester:
        told.append(
            about.tell("broken.and_jester", times=jester)
            if wizard
            else about.tell("broken.by_jester", missed=len(missed), times=jester)
        )
    parts: Parts = [about.together(*told)] if told else []
    turned = {
        name: exact(each for each in about.made if _turned(about.round(each)) == name)
        for name in ("trump", "none", "wizard")
    }
    often = {name: share for name, share in turned.items() if share.of >= FEW}
    if len(often) > 1:
        parts += [
            about.tell(f"broken.turned.{name}", share=about.share(share))
            for name, share in often.items()
        ]
        parts.append(about.tell("broken.turned.chance"))
    if not parts:
        return None
    if about.one:
        parts.append(errors(about.matches[0], about.language, about.seats[0]))
    return 0.35 + 0.5 * (wizard + jester) / len(missed), parts


def _why(now: Round, seat: Seat) -> str:
    """Return what put the bid of *seat* out of reach.

    "wizard" if a Wizard took the trick in which that happened, "jester" if more tricks were needed
    and the own card was a Jester, which could not win; "" otherwise.
    """
    trick, bid = now.tricks[now.lost_in(seat) - 1], now.bid(seat)
    assert bid is not None
    if is_wizard(trick.best):
        return "wizard"
    return "jester" if now.won(seat) < bid.number and is_jester(dict(trick.cards)[seat]) else ""


def _turned(now: Round) -> str:
    """Return what was turned up: "wizard", "trump" for a card with a suit, or "none"."""
    if now.turned != NOTHING and is_wizard(now.turned):
        return "wizard"
    return "none" if now.trump == NOTHING else "trump"


def of_sum(about: Story) -> Told | None:
    played = [now for some in about.played for now in some]
    if len(played) < FEW:
        return None
    more, fewer = sum(now.spare < 0 for now in played), sum(now.spare > 0 for now in played)
    count = {"more": more, "fewer": fewer, "even": len(played) - more - fewer}
    ways = [about.tell(f"sum.{name}", times=times) for name, times in count.items() if times]
    told = about.tell("sum.all", rounds=len(played), ways=about.listed(ways))
    parts: Parts = [about.together(told, about.tell("sum.missed") if more + fewer else "")]
    last = [(now, now.bids[-1]) for now in played if now.bids[-1].place]
    if len(last) >= FEW:
        could = [bid for now, bid in last if now.size >= bid.before]
        even = sum(now.spare == 0 for now, _ in last)
        barred = sum(bid.barred != NOTHING for _, bid in last)
        if barred:
            parts.append(about.tell("sum.barred", last=len(last), barred=barred))
        elif could:
            parts.append(
                about.tell("sum.last", last=len(last), could=len(could), even=even)
                if even
                else about.tell("sum.last_never", last=len(last), could=len(could))
            )
    parts.append(
        sums(about.matches[0], about.language)
        if about.one
        else shares_met(about.made, about.language, "sum")
    )
    return 0.45 + 0.4 * (more + fewer) / len(played), parts


def of_order(about: Story) -> Told | None:
    shares = {name: exact(group) for name, group in grouped(about.made, "place").items()}
    if any(name not in shares or shares[name].of < FEW for name in (FIRST, LAST)):
        return None
    return _compare(about, "place", shares, FIRST, LAST)


def of_size(about: Story) -> Told | None:
    sizes = sorted({each.size for each in about.made})
    if len(sizes) < 3 or len(about.made) < ENOUGH:
        return None
    middle = sizes[len(sizes) // 2]
    few = exact(each for each in about.made if each.size < middle)
    many = exact(each for each in about.made if each.size >= middle)
    if min(few.of, many.of) < FEW:
        return None
    shares = {"few": few, "many": many}
    worth, parts = _compare(about, "size", shares, "few", "many", middle=middle)
    return worth, [about.tell("size.split", middle=middle), *parts]


def of_number(about: Story) -> Told | None:
    zero = exact(each for each in about.made if not each.bid)
    more = exact(each for each in about.made if each.bid)
    if min(zero.of, more.of) < FEW or len(about.made) < ENOUGH:
        return None
    return _compare(about, "bid", {"zero": zero, "more": more}, "zero", "more")


def _compare(
    about: Story, by: str, shares: dict[str, Share], one: str, other: str, **values: Any
) -> Told:
    """Tell two or three shares, what the difference of *one* and *other* says, and draw them."""
    parts: Parts = [
        about.tell(f"{by}.{name}", share=about.share(share), **values)
        for name, share in shares.items()
        if share.of >= FEW
    ]
    parts.append(about.compared(shares[one], shares[other], "two" if len(parts) == 2 else "ends"))
    parts.append(shares_met(about.made, about.language, by))
    return _worth(shares[one], shares[other]), parts


MOMENTS: dict[str, Callable[[Story], Told | None]] = {
    "calibration": of_calibration,
    "worst": of_worst,
    "turn": of_turn,
    "broken": of_broken,
    "sum": of_sum,
    "place": of_order,
    "size": of_size,
    "bid": of_number,
}
"""The functions that find a moment, by its name."""
