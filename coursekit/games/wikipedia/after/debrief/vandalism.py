"""Moments about vandalism: how long it lay, who mended it, and whether it paid."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.evidence import Reader, timeline
from coursekit.games.wikipedia.after.history import Round, Vandalism
from coursekit.games.wikipedia.rules.cards import SCHOLAR, STUDENT, VANDAL, WIKI
from coursekit.games.wikipedia.rules.state import NOBODY
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, number, share_word

if TYPE_CHECKING:
    from coursekit.figures import Picture

CURED, GIVEN_UP, TAKEN_AWAY, STILL = FATES = "cured", "given_up", "taken_away", "still"
"""What became of vandalism: it was cured, a use of the work was given up, the table took it, it lay
to the end.
"""
LAPS = (0.5, 1, 2, 4)
"""Upper limits, in laps that a vandalism lay, of the groups of a picture; one more group is for
longer ones.
"""


class Spoilt(NamedTuple):
    """One vandalism with everything around it."""

    match: int  # its place among the matches
    round: Round
    vandalism: Vandalism
    laps: float  # that it lay so far
    fate: str  # CURED, GIVEN_UP, TAKEN_AWAY or STILL
    against_use: bool  # whether a player was about to use the work


def all_spoilt(story: Story) -> list[Spoilt]:
    """Return all vandalism of the matches."""
    return [
        _spoilt(story, place, each, one)
        for place, each in story.all_rounds()
        for one in each.vandalisms
    ]


def _spoilt(story: Story, place: int, each: Round, one: Vandalism) -> Spoilt:
    n = story.matches[place].game.players
    used = sum(turn < one.turn for _, turn in each.uses) > sum(
        turn < one.turn for _, turn in each.given_up
    )
    if one.laps is None:
        return Spoilt(place, each, one, (each.turns - one.turn) / n, STILL, used)
    gone = one.turn + round(one.laps * n)
    given_up = any(turn == gone for _, turn in each.given_up)
    fate = CURED if one.cured_by != NOBODY else GIVEN_UP if given_up else TAKEN_AWAY
    return Spoilt(place, each, one, one.laps, fate, used)


def repair(story: Story) -> Moment | None:
    """How long vandalism lay; a single one is told as it is."""
    spoilt = all_spoilt(story)
    if not spoilt:
        return None
    healed = [each for each in spoilt if each.fate == CURED]
    told: list[str] = []
    with_any = len({each.match for each in spoilt})
    if FEW <= len(story.matches) != with_any:
        told.append(story.tell("repair.matches", some=with_any, matches=len(story.matches)))
    fates = Counter(each.fate for each in spoilt)
    ends = [story.tell(f"repair.fate.{fate}", times=fates[fate]) for fate in FATES if fates[fate]]
    if len(spoilt) > 1:
        told.append(story.tell("repair.all", times=len(spoilt), fates=story.clauses(ends)))
    if len(healed) >= FEW:
        laps = number(sum(each.laps for each in healed) / len(healed))
        quick = sum(each.laps <= 1 for each in healed)
        told.append(
            story.tell(
                f"repair.laps.{share_word(quick, len(healed))}",
                cured=len(healed),
                laps=laps,
                **({"quick": quick} if 0 < quick < len(healed) else {}),
            )
        )
    parts: Parts = [story.together(*told)] if told else []
    longest = max(spoilt, key=lambda each: each.laps)
    parts.append(_one_of(story, longest, "longest" if len(spoilt) > 1 else "only"))
    parts.append(
        timeline(Reader(story.matches[0], (), story.language)) if story.one else _lay(story, spoilt)
    )
    worth = 0.45 + longest.laps / 12 + 0.2 * (1 - len(healed) / len(spoilt))
    return story.moment("repair", parts, worth)


def _one_of(story: Story, one: Spoilt, which: str) -> str:
    """Return what became of one vandalism; *which* says why this one is told."""
    n = story.matches[one.match].game.players
    told = {
        "which": story.tell(f"repair.{which}"),
        "where": story.match(one.match),
        "round": one.round.number,
        "turns": round(one.laps * n),
        "laps": number(one.laps),
        "by": one.vandalism.by,
    }
    if one.fate == CURED:
        told |= {"who": one.vandalism.cured_by, "role": one.vandalism.role}
    return story.tell(f"repair.one.{one.fate}", one.match, **told)


def vandals(story: Story) -> Moment | None:
    """Who vandalised, what, and whether it paid, where it was done more than a few times."""
    spoilt = all_spoilt(story)
    times = len(spoilt)
    if times < FEW:
        return None
    own = sum(each.vandalism.by == each.round.author for each in spoilt)
    against = sum(each.against_use for each in spoilt)
    written = [each for _, each in story.all_rounds() if each.work == WIKI]
    what, when = share_word(own, times), share_word(against, times)
    both = {"own": own, "others": times - own} if what == "some" else {}
    first = story.tell(f"vandals.what.{what}", times=times, **both)
    both = {"against": against, "early": times - against} if when == "some" else {}
    parts: Parts = [story.together(first, story.tell(f"vandals.when.{when}", **both))]
    students = sum([*each.roles].count(STUDENT) for each in written)
    if (SCHOLAR, "cannot", VANDAL) in story.ruled:
        parts.append(story.tell("vandals.students", students=students, times=times))
    ended = [each for each in written if each.vandalisms and each.ended]
    if len(ended) >= FEW:
        gained = sum(any(each.points[one.by] for one in each.vandalisms) for each in ended)
        parts.append(
            story.tell("vandals.paid", rounds=len(ended), gained=gained)
            if gained
            else story.tell("vandals.paid_never", rounds=len(ended))
        )
    parts.append(_deeds(story, spoilt) if story.one else _victims(story, spoilt))
    touched = len({(each.match, each.round.number) for each in spoilt})
    return story.moment("vandals", parts, 0.4 + 0.4 * touched / len(written))


def _lay(story: Story, spoilt: Sequence[Spoilt]) -> "Picture":
    """Return a picture of how long vandalism lay in many matches."""
    edges = [*LAPS, float("inf")]
    rows = [story.tell("repair.lay.up_to", laps=f"{edge:g}") for edge in LAPS]
    rows.append(story.tell("repair.lay.longer", laps=f"{LAPS[-1]:g}"))

    def count(*fates: str) -> list[float]:
        group = [
            next(at for at, edge in enumerate(edges) if each.laps <= edge)
            for each in spoilt
            if each.fate in fates
        ]
        return [group.count(at) for at in range(len(edges))]

    return story.bars(
        "repair.lay", rows, [("cured", count(CURED)), ("gone", count(GIVEN_UP, TAKEN_AWAY, STILL))]
    )


def _deeds(story: Story, spoilt: Sequence[Spoilt]) -> "Picture":
    """Return a picture of how often each player vandalised and cured in one match."""
    match = story.matches[0]
    names = Reader(match, (), story.language).names
    vandalised = Counter(each.vandalism.by for each in spoilt)
    cured = Counter(each.vandalism.cured_by for each in spoilt)
    groups = [
        ("vandalised", [vandalised[seat] for seat in match.game.seats]),
        ("cured", [cured[seat] for seat in match.game.seats]),
    ]
    return story.bars("vandals.deeds", names, groups, together=False)


def _victims(story: Story, spoilt: Sequence[Spoilt]) -> "Picture":
    """Return a picture of whose works were vandalised in many matches, and when."""
    rows = [story.tell(f"vandals.row.{whose}") for whose in ("own", "others")]

    def count(against: bool) -> list[float]:
        own = [
            each.vandalism.by == each.round.author for each in spoilt if each.against_use is against
        ]
        return [own.count(True), own.count(False)]

    return story.bars("vandals.victims", rows, [("against", count(True)), ("early", count(False))])
