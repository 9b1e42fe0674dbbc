"""Moments about decisions: to use a work, and to mend one that lay vandalised."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.game import Seat
from coursekit.core.match import replay
from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.debrief.vandalism import GIVEN_UP
from coursekit.games.wikipedia.after.history import LEFT, MENDED, RIGHT, Round
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import REFILL, REVISE, SCHOLAR, USE
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.state import NOBODY
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, share_word

if TYPE_CHECKING:
    from coursekit.core.match import Match
    from coursekit.figures import Picture

CHANCES = (0.5, 0.75, 1)
"""Chances of a use are grouped: below the first, from there below the next, and so on; certain ones
at last.
"""


class Used(NamedTuple):
    """One USE card."""

    match: int
    round: Round
    seat: Seat
    chance: (
        float  # 0-1, that it scores in the end, for all its player knew, without another vandalism
    )
    # RIGHT, MENDED, LEFT, GIVEN_UP; "" while it is open, or when the round ended without a throw
    ended: str
    cures: int  # of this work before
    spoilt: bool  # whether the work was vandalised afterwards


class Cure(NamedTuple):
    """A moment in which a player held REVISE and the work lay vandalised."""

    forced: bool  # a scholar must (R12); with ``strict_discard`` others must, too
    role: str
    own: bool  # for the use of one's own
    done: bool


def uses(story: Story) -> list[Used]:
    """Return the USE cards of those whose decisions count, those of all matches."""
    used = []
    for place, match in enumerate(story.matches):
        cards = [(each, at) for each in story.played[place] for at in range(len(each.uses))]
        chances = _chances(match, story.seats[place])
        used += [
            _used(place, each, at, chance)
            for (each, at), chance in zip(cards, chances, strict=True)
            if chance is not None
        ]
    return used


def _chances(match: "Match", told: Sequence[Seat]) -> list[float | None]:
    """Return the chance of each USE card of *match*, in order, ``None`` for those of seats not
    *told*.
    """
    chances: list[float | None] = []

    def watch(now: "Match", seat: Seat, action: str) -> None:
        assert isinstance(now.game, Wikipedia)
        if action == USE:
            seen = now.game.observe(now.state, seat) if seat in told else None
            chances.append(None if seen is None else float(odds.scores_after_draw(now.game, seen)))

    replay(match.record(), game=match.game, watch=watch)
    return chances


def cures(story: Story) -> list[Cure]:
    """Return the chances to cure of those whose decisions count, those of all matches."""
    found: list[Cure] = []
    for match, told in zip(story.matches, story.seats):

        def watch(now: "Match", seat: Seat, action: str, told: Sequence[Seat] = told) -> None:
            assert isinstance(now.game, Wikipedia)
            if now.state.phase == "cure" and seat in told:
                legal = now.game.legal_actions(now.state, seat)
                if REVISE in legal and action != REFILL:
                    forced = not set(legal) - {REVISE, REFILL}
                    role = now.state.roles[seat]
                    found.append(Cure(forced, role, now.state.user == seat, action == REVISE))

        replay(match.record(), game=match.game, watch=watch)
    return found


def _used(place: int, each: Round, at: int, chance: float) -> Used:
    seat, turn = each.uses[at]
    given_up = at < len(each.given_up)
    thrown = at == len(each.uses) - 1 and each.die > 0
    ended = GIVEN_UP if given_up else each.ended if thrown else ""
    before = [one for one in each.vandalisms if one.turn < turn]
    until = each.given_up[at][1] if given_up else each.turns
    spoilt = any(turn < one.turn <= until for one in each.vandalisms)
    return Used(
        place, each, seat, chance, ended, sum(one.cured_by != NOBODY for one in before), spoilt
    )


def risk(story: Story) -> Moment | None:
    """How likely each use was to score, and what came of it; a few uses on either side are no
    share.
    """
    used = [each for each in uses(story) if each.ended]
    if not used:
        return None
    low, high = [
        [each.ended in (RIGHT, MENDED) for each in used if (each.chance < 0.5) is below]
        for below in (True, False)
    ]
    shares: list[str] = []
    if len(used) >= FEW:
        shares.append(_scored(story, "all", [*low, *high]))
        if low and high:
            shares += [
                _scored(story, name, group)
                for name, group in (("low", low), ("high", high))
                if len(group) >= FEW
            ]
        else:
            shares.append(story.tell("risk.all_low" if low else "risk.all_high"))
    more: list[str] = []
    if spoilt := sum(each.spoilt for each in used):
        lost = sum(each.spoilt and each.ended == GIVEN_UP for each in used)
        id = {"none": "risk.spoilt_kept", "all": "risk.spoilt_lost", "some": "risk.spoilt"}[
            share_word(lost, spoilt)
        ]
        more.append(story.tell(id, spoilt=spoilt, **({"lost": lost} if 0 < lost < spoilt else {})))
    if mended := sum(each.cures > 0 for each in used):
        more.append(story.tell("risk.mended", mended=mended))
    parts: Parts = [story.together(*each) for each in (shares, more) if each]
    boldest = min(used, key=lambda each: (each.chance, each.ended not in (RIGHT, MENDED)))
    which = story.tell("risk.boldest.of_all" if len(used) > 1 else "risk.boldest.only")
    where = {"which": which, "where": story.match(boldest.match), "round": boldest.round.number}
    told = {
        "seat": boldest.seat,
        "work": boldest.round.work,
        "percent": f"{100 * boldest.chance:.0f}",
    }
    parts.append(story.tell(f"risk.boldest.{boldest.ended}", boldest.match, **where, **told))
    parts.append(_bets(story, used))
    surprise = abs(sum(each.chance for each in used) - sum(low) - sum(high)) / max(FEW, len(used))
    return story.moment("risk", parts, 0.5 + surprise + 0.3 * len(low) / max(FEW, len(used)))


def _scored(story: Story, which: str, scored: Sequence[bool]) -> str:
    """Return how many uses of a kind there were, and how many of them scored."""
    times = share_word(sum(scored), len(scored))
    got = story.tell(f"risk.got.{times}", **({"scored": sum(scored)} if times == "some" else {}))
    return story.tell(f"risk.{which}", uses=len(scored), got=got)


def forced(story: Story) -> Moment | None:
    """Who cured because they had to, and who because they wanted to, had they the choice a few
    times.
    """
    these = cures(story)
    rows, must = _choices(these), "must"
    if any(each.forced and each.role != SCHOLAR for each in these):
        must = "must_all"
    free = [name for name in ("own", "others") if rows[name][0] >= FEW]
    if not free:
        return None
    told = [story.tell(f"forced.{name}", did=_did(story, *rows[name])) for name in free]
    parts: Parts = [story.tell(f"forced.{must}", did=rows["must"][1])] if rows["must"][0] else []
    parts.append(story.together(story.tell("forced.free"), *told))
    if at_scoring := sum(each.ended == MENDED for _, each in story.all_rounds()):
        parts.append(story.tell("forced.scoring", times=at_scoring))
    parts.append(
        _could_and_did(story, {must if name == "must" else name: row for name, row in rows.items()})
    )
    could, did = (sum(rows[name][at] for name in free) for at in (0, 1))
    return story.moment("forced", parts, 0.35 + 0.4 * (1 - did / could) * (rows["must"][0] > 0))


def _did(story: Story, could: int, did: int) -> str:
    """Tell how many chances there were, and how many of them were used to mend something."""
    times = share_word(did, could)
    return story.tell(
        f"forced.did.{times}", could=could, **({"did": did} if times == "some" else {})
    )


def _choices(cures: Sequence[Cure]) -> dict[str, tuple[int, int]]:
    """Return how often a cure was possible, and how often it was done: as one must, for oneself,
    for others.
    """
    groups: dict[str, list[Cure]] = {
        "must": [each for each in cures if each.forced],
        "own": [each for each in cures if not each.forced and each.own],
        "others": [each for each in cures if not each.forced and not each.own],
    }
    return {name: (len(group), sum(each.done for each in group)) for name, group in groups.items()}


def _bets(story: Story, used: Sequence[Used]) -> "Picture":
    """Return a picture of uses by their chance, and what came of them."""
    group = [sum(each.chance >= edge for edge in CHANCES) for each in used]
    edges = [0, *CHANCES]
    rows = [
        story.tell("risk.bets.between", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")
        for low, high in pairwise(edges)
    ]
    rows.append(story.tell("risk.bets.certain"))
    kinds = {"scored": (RIGHT, MENDED), "failed": (LEFT,), "given_up": (GIVEN_UP,)}
    ended = {
        key: [at for at, each in zip(group, used) if each.ended in ends]
        for key, ends in kinds.items()
    }
    groups = [(key, [these.count(at) for at in range(len(rows))]) for key, these in ended.items()]
    return story.bars("risk.bets", rows, groups)


def _could_and_did(story: Story, rows: dict[str, tuple[int, int]]) -> "Picture":
    """Return a picture of chances to cure, and how many were taken."""
    shown = {name: numbers for name, numbers in rows.items() if numbers[0]}
    labels = [story.tell(f"forced.row.{name}") for name in shown]
    groups = [
        ("did", [did for _, did in shown.values()]),
        ("did_not", [could - did for could, did in shown.values()]),
    ]
    return story.bars("forced.bars", labels, groups)
