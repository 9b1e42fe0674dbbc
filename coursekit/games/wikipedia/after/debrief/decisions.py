"""Moments about decisions: to use a work, and to mend one that lay vandalised."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from coursekit.core.game import Seat
from coursekit.figures import Picture
from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.history import (
    GIVEN_UP,
    LEFT,
    MENDED,
    RIGHT,
    Round,
    Use,
    read_decisions,
)
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import REFILL, REVISE, SCHOLAR, USE
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, share_word

CHANCES = (0.5, 0.75, 1)
"""Chances of a use are grouped: below the first, from there below the next, and so on; certain ones
at last.
"""


class Bet(NamedTuple):
    """One USE card, and what its player could know."""

    match: int
    now: Round
    use: Use
    chance: float  # 0-1, that it scores in the end, without another vandalism

    @property
    def seat(self) -> Seat:
        """Who played it."""
        return self.use.seat

    @property
    def ended(self) -> str:
        """See :meth:`.Round.ending`."""
        return self.now.ending(self.use)

    @property
    def scored(self) -> bool:
        """Whether it scored."""
        return self.ended in (RIGHT, MENDED)


class Cure(NamedTuple):
    """A moment in which a player held REVISE and the work lay vandalised."""

    forced: bool  # a scholar must (R12); with ``strict_discard`` others must, too
    role: str
    own: bool  # for the use of one's own
    done: bool


def list_bets(story: Story) -> list[Bet]:
    """Return the USE cards of those whose decisions count, those of all matches."""
    bets = []
    for place, one in enumerate(story.played):
        cards = [
            (now, use)
            for now in story.rounds[place]
            for use in now.uses
            if one.counts(use.seat, use.entry)
        ]
        chances = [
            float(odds.scores_after_draw(story.games[place], seen))
            for _, seen, action in read_decisions(one.match, one.seats, one.counts)
            if action == USE
        ]
        bets += [Bet(place, *card, chance) for card, chance in zip(cards, chances, strict=True)]
    return bets


def list_cures(story: Story) -> list[Cure]:
    """Return the chances to cure of those whose decisions count, those of all matches."""
    cures = []
    for one in story.played:
        for seat, seen, action in read_decisions(one.match, one.seats, one.counts):
            if seen.phase == "cure" and REVISE in seen.legal and action != REFILL:
                forced = not set(seen.legal) - {REVISE, REFILL}
                cures.append(Cure(forced, seen.role, seen.user == seat, action == REVISE))
    return cures


def find_risk(story: Story) -> Moment | None:
    """How likely each use was to score, and what came of it; a few uses are no share."""
    bets = [bet for bet in list_bets(story) if bet.ended]
    if not bets:
        return None
    low = [bet for bet in bets if bet.chance < 0.5]
    high = [bet for bet in bets if bet.chance >= 0.5]
    shares: list[str] = []
    if len(bets) >= FEW:
        shares.append(_describe_scored(story, "all", bets))
        if low and high:
            for name, group in (("low", low), ("high", high)):
                if len(group) >= FEW:
                    shares.append(_describe_scored(story, name, group))
        else:
            shares.append(story.tell("risk.all_low" if low else "risk.all_high"))
    more: list[str] = []
    spoilt = [bet.ended for bet in bets if bet.use.spoilt]
    if spoilt:
        lost = spoilt.count(GIVEN_UP)
        word = share_word(lost, len(spoilt))
        which = {"none": "spoilt_kept", "all": "spoilt_lost", "some": "spoilt"}[word]
        values = {"lost": lost} if word == "some" else {}
        more.append(story.tell(f"risk.{which}", spoilt=len(spoilt), **values))
    mended = sum(bet.use.cures > 0 for bet in bets)
    if mended:
        more.append(story.tell("risk.mended", mended=mended))
    parts: Parts = [story.together(*sentences) for sentences in (shares, more) if sentences]
    parts.append(_describe_boldest(story, bets))
    parts.append(_plot_bets(story, bets))
    surprise = abs(sum(bet.chance - bet.scored for bet in bets))
    worth = 0.5 + (surprise + 0.3 * len(low)) / max(FEW, len(bets))
    return story.moment("risk", parts, worth)


def _describe_boldest(story: Story, bets: Sequence[Bet]) -> str:
    """Return what came of the use with the least chance."""
    boldest = min(bets, key=lambda bet: (bet.chance, not bet.scored))
    values = {
        "which": story.tell("risk.boldest.of_all" if len(bets) > 1 else "risk.boldest.only"),
        "where": story.match(boldest.match),
        "round": boldest.now.number,
        "seat": boldest.seat,
        "work": boldest.now.work,
        "percent": f"{100 * boldest.chance:.0f}",
    }
    return story.tell(f"risk.boldest.{boldest.ended}", boldest.match, **values)


def _describe_scored(story: Story, which: str, bets: Sequence[Bet]) -> str:
    """Return how many uses of a kind there were, and how many of them scored."""
    got = story.tell_share("risk.got", "scored", sum(bet.scored for bet in bets), len(bets))
    return story.tell(f"risk.{which}", uses=len(bets), got=got)


def find_forced(story: Story) -> Moment | None:
    """Who cured because they had to, and who because they wanted to, with a few choices."""
    cures = list_cures(story)
    groups = {
        "must": [cure for cure in cures if cure.forced],
        "own": [cure for cure in cures if not cure.forced and cure.own],
        "others": [cure for cure in cures if not cure.forced and not cure.own],
    }
    could = {name: len(group) for name, group in groups.items()}
    did = {name: sum(cure.done for cure in group) for name, group in groups.items()}
    free = [name for name in ("own", "others") if could[name] >= FEW]
    if not free:
        return None
    must = "must"
    if any(cure.role != SCHOLAR for cure in groups["must"]):
        must = "must_all"
    parts: Parts = []
    if could["must"]:
        parts.append(story.tell(f"forced.{must}", did=did["must"]))
    sentences = []
    for name in free:
        values = {"could": could[name]}
        words = story.tell_share("forced.did", "did", did[name], could[name], **values)
        sentences.append(story.tell(f"forced.{name}", did=words))
    parts.append(story.together(story.tell("forced.free"), *sentences))
    at_scoring = sum(now.ended == MENDED for _, now in story.all_rounds())
    if at_scoring:
        parts.append(story.tell("forced.scoring", times=at_scoring))
    shown = [name for name in groups if could[name]]
    rows = [story.tell(f"forced.row.{must if name == 'must' else name}") for name in shown]
    numbers = {
        "did": [did[name] for name in shown],
        "did_not": [could[name] - did[name] for name in shown],
    }
    parts.append(story.bars("forced.bars", rows, numbers))
    share = sum(did[name] for name in free) / sum(could[name] for name in free)
    return story.moment("forced", parts, 0.35 + 0.4 * (1 - share) * (could["must"] > 0))


def _plot_bets(story: Story, bets: Sequence[Bet]) -> Picture:
    """Return a picture of uses by their chance, and what came of them."""
    rows = [
        story.tell("risk.bets.between", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")
        for low, high in pairwise([0, *CHANCES])
    ]
    rows.append(story.tell("risk.bets.certain"))
    keys = {RIGHT: "scored", MENDED: "scored", LEFT: "failed", GIVEN_UP: "given_up"}
    groups = {key: [0.0] * len(rows) for key in ("scored", "failed", "given_up")}
    for bet in bets:
        if bet.ended in keys:
            groups[keys[bet.ended]][sum(bet.chance >= edge for edge in CHANCES)] += 1
    return story.bars("risk.bets", rows, groups)
