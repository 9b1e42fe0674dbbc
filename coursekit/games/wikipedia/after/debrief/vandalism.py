"""Moments about vandalism: how long it lay, who mended it, and whether it paid."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from coursekit.figures import Picture
from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.evidence import Reader, plot_rounds
from coursekit.games.wikipedia.after.history import CURED, FATES, Round, Vandalism
from coursekit.games.wikipedia.rules.cards import SCHOLAR, STUDENT, VANDAL, WIKI
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, number, share_word

LAPS = (0.5, 1, 2, 4)
"""Upper limits, in laps that a vandalism lay, of the groups of a picture; one more group is for
longer ones.
"""


class Case(NamedTuple):
    """One vandalism and where it happened."""

    match: int  # its place among the matches
    now: Round
    vandalism: Vandalism

    @property
    def laps(self) -> float:
        """The laps that it lay so far."""
        return self.now.laps(self.vandalism)

    @property
    def is_own(self) -> bool:
        """Whether the work was the vandal's own."""
        return self.vandalism.by == self.now.author


def list_cases(story: Story) -> list[Case]:
    """Return all vandalism of the matches."""
    return [
        Case(place, now, spoilt) for place, now in story.all_rounds() for spoilt in now.vandalisms
    ]


def find_repair(story: Story) -> Moment | None:
    """How long vandalism lay; a single one is told as it is."""
    cases = list_cases(story)
    if not cases:
        return None
    healed = [case.laps for case in cases if case.vandalism.fate == CURED]
    sentences: list[str] = []
    spoilt_matches = len({case.match for case in cases})
    if FEW <= len(story.matches) != spoilt_matches:
        values = {"some": spoilt_matches, "matches": len(story.matches)}
        sentences.append(story.tell("repair.matches", **values))
    if len(cases) > 1:
        fates = Counter(case.vandalism.fate for case in cases)
        ends = [
            story.tell(f"repair.fate.{fate}", times=fates[fate]) for fate in FATES if fates[fate]
        ]
        sentences.append(story.tell("repair.all", times=len(cases), fates=story.clauses(ends)))
    if len(healed) >= FEW:
        mean = number(sum(healed) / len(healed))
        quick = sum(laps <= 1 for laps in healed)
        of = len(healed)
        words = story.tell_share("repair.laps", "quick", quick, of, cured=of, laps=mean)
        sentences.append(words)
    parts: Parts = [story.together(*sentences)] if sentences else []
    longest = max(cases, key=lambda case: case.laps)
    parts.append(_describe_case(story, longest, "longest" if len(cases) > 1 else "only"))
    if story.one:
        parts.append(plot_rounds(Reader(story.matches[0], (), story.language)))
    else:
        parts.append(_plot_laps(story, cases))
    worth = 0.45 + longest.laps / 12 + 0.2 * (1 - len(healed) / len(cases))
    return story.moment("repair", parts, worth)


def _describe_case(story: Story, case: Case, which: str) -> str:
    """Return what became of one vandalism; *which* says why this one is told."""
    spoilt = case.vandalism
    values = {
        "which": story.tell(f"repair.{which}"),
        "where": story.match(case.match),
        "round": case.now.number,
        "turns": round(case.laps * len(case.now.roles)),
        "laps": number(case.laps),
        "by": spoilt.by,
    }
    if spoilt.fate == CURED:
        values |= {"who": spoilt.cured_by, "role": spoilt.role}
    return story.tell(f"repair.one.{spoilt.fate}", case.match, **values)


def find_vandals(story: Story) -> Moment | None:
    """Who vandalised, what, and whether it paid, where it was done more than a few times."""
    cases = list_cases(story)
    times = len(cases)
    if times < FEW:
        return None
    own = sum(case.is_own for case in cases)
    against = sum(case.vandalism.against_use for case in cases)
    what, when = share_word(own, times), share_word(against, times)
    both = {"own": own, "others": times - own} if what == "some" else {}
    first = story.tell(f"vandals.what.{what}", times=times, **both)
    both = {"against": against, "early": times - against} if when == "some" else {}
    parts: Parts = [story.together(first, story.tell(f"vandals.when.{when}", **both))]
    written = [now for _, now in story.all_rounds() if now.work == WIKI]
    if (SCHOLAR, "cannot", VANDAL) in story.ruled:
        students = sum(now.roles.count(STUDENT) for now in written)
        parts.append(story.tell("vandals.students", students=students, times=times))
    ended = [now for now in written if now.vandalisms and now.ended]
    if len(ended) >= FEW:
        gained = sum(any(now.points[one.by] for one in now.vandalisms) for now in ended)
        if gained:
            parts.append(story.tell("vandals.paid", rounds=len(ended), gained=gained))
        else:
            parts.append(story.tell("vandals.paid_never", rounds=len(ended)))
    parts.append(_plot_deeds(story, cases) if story.one else _plot_victims(story, cases))
    touched = sum(now.vandalisms != [] for now in written)
    return story.moment("vandals", parts, 0.4 + 0.4 * touched / len(written))


def _plot_laps(story: Story, cases: Sequence[Case]) -> Picture:
    """Return a picture of how long vandalism lay in many matches."""
    rows = [story.tell("repair.lay.up_to", laps=f"{edge:g}") for edge in LAPS]
    rows.append(story.tell("repair.lay.longer", laps=f"{LAPS[-1]:g}"))
    groups = {key: [0.0] * len(rows) for key in ("cured", "gone")}
    for case in cases:
        key = "cured" if case.vandalism.fate == CURED else "gone"
        groups[key][sum(case.laps > edge for edge in LAPS)] += 1
    return story.bars("repair.lay", rows, groups)


def _plot_deeds(story: Story, cases: Sequence[Case]) -> Picture:
    """Return a picture of how often each player vandalised and cured in one match."""
    vandals = [case.vandalism.by for case in cases]
    healers = [case.vandalism.cured_by for case in cases]
    seats = story.matches[0].game.seats
    groups = {
        "vandalised": [vandals.count(seat) for seat in seats],
        "cured": [healers.count(seat) for seat in seats],
    }
    return story.bars("vandals.deeds", story.names, groups, together=False)


def _plot_victims(story: Story, cases: Sequence[Case]) -> Picture:
    """Return a picture of whose works were vandalised in many matches, and when."""
    rows = [story.tell(f"vandals.row.{whose}") for whose in ("own", "others")]
    groups = {"against": [0.0, 0.0], "early": [0.0, 0.0]}
    for case in cases:
        key = "against" if case.vandalism.against_use else "early"
        groups[key][0 if case.is_own else 1] += 1
    return story.bars("vandals.victims", rows, groups)
