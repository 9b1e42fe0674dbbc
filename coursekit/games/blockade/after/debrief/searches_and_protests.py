"""Moments about searches and protests: those launched, those not launched, and the law between
them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coursekit.games.blockade.after.debrief.chances_to_act import Chance
from coursekit.games.blockade.after.debrief.story import NAMED, Story, Told
from coursekit.games.blockade.after.history import (
    COVERED,
    KEPT,
    NOT_LAUNCHED,
    PROTEST,
    SEARCH,
    TAKEN,
    Attempt,
    Era,
)
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import LIFTING, PENS, ROLES
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, share_word

if TYPE_CHECKING:
    from coursekit.figures import Picture

OUTCOMES = (TAKEN, KEPT, NOT_LAUNCHED, COVERED)


# Searches


def search(story: Story) -> Moment | None:
    """The targets of searches, how many were in vain, and what was taken: counts, also of a single
    search.
    """
    tried = story.attempts(SEARCH)
    if not tried:
        return None
    taken = [each for each in tried if each[2].outcome == TAKEN]
    some = len({place for place, _, _ in tried})
    where = (
        story.tell("search.matches", some=some, matches=len(story.told))
        if FEW <= len(story.told) != some
        else ""
    )
    count = Counter(each.outcome for _, _, each in tried)
    fates = [
        story.tell(f"search.fate.{fate}", times=count[fate]) for fate in OUTCOMES if count[fate]
    ]
    told = story.tell("search.all", tried=len(tried), fates=story.listed(fates))
    roles = {
        role: [each for _, era, each in tried if era.roles[each.target] == role] for role in PENS
    }
    searched = story.together(*(_searched(story, role, at) for role, at in roles.items() if at))
    parts: Parts = [story.together(where, told), searched]
    if len(tried) == 1:
        parts = [story.together(story.tell("search.once"), searched)]
    book = _most(each.book for _, _, each in taken or tried)
    for _, era, each in [each for each in taken if each[2].book == book][: 1 if story.one else 0]:
        who = {"role": era.roles[each.seat], "target": era.roles[each.target]}
        when = {"era": era.number, "lap": story.told[0].lap(each)}
        deed = (
            story.tell("search.deed", **when, **who, book=book, back=each.lost)
            if each.lost
            else story.tell("search.deed_only", **when, **who, book=book)
        )
        if len(tried) == 1:  # one says it all
            parts = [story.together(story.tell("search.once"), deed)]
        else:
            parts.append(story.together(story.tell("search.such") if len(taken) > 1 else "", deed))
    parts += _history_of(story, book)
    parts.append(_attempts(story))
    return story.moment(
        "search", parts, 0.5 + 0.4 * len(taken) / max(FEW, len(tried)) + 0.01 * len(tried)
    )


def _searched(story: Story, role: int, at: Sequence[Attempt]) -> str:
    """Return how often *role* was searched, and what it lost."""
    lost, back = sum(each.outcome == TAKEN for each in at), sum(each.lost for each in at)
    if not lost:
        return story.tell("search.role_kept", role=role, tried=len(at))
    return (
        story.tell("search.role", role=role, tried=len(at), lost=lost, back=back)
        if back
        else story.tell("search.role_stayed", role=role, tried=len(at), lost=lost)
    )


def _most(things: Iterable[int]) -> int:
    """Return the most frequent item, the first if tied."""
    ((thing, _),) = Counter(things).most_common(1)
    return thing


def _history_of(story: Story, book: int) -> Parts:
    """Return the facts on a banned book, with their source."""
    cards = story.told[0].game.cards
    row = cards.banned[book - len(cards.periodicals)]
    if not (row.source and row.verified):
        return []
    values = {
        "book": book,
        "author": story.word(row, "author"),
        "told": story.words(row, "reason", "note"),
    }
    dated = {"year": row.banned_year} if row.banned_year else {}
    id = "search.history" if dated else "search.history_undated"
    return [story.tell(id, **values, **dated), story.source(row.source)]


def _attempts(story: Story) -> "Picture":
    """Return a picture of how searches and protests ended."""
    rows = [SEARCH, PROTEST]
    count = {kind: Counter(each.outcome for _, _, each in story.attempts(kind)) for kind in rows}
    numbers = [[count[kind][fate] for kind in rows] for fate in OUTCOMES]
    labels = [story.tell(f"search.kind.{kind}") for kind in rows]
    keys = [story.tell(f"search.key.{fate}") for fate in OUTCOMES]
    return story.bars(labels, keys, numbers, story.tell("search.caption"))


# Chances left unused


def silence(story: Story) -> Moment | None:
    """Chances of phase 2 that were left unused; a role with few chances is told within the sum."""
    every = [each for told in story.told for each in told.chances if each.seat in told.seats]
    unused = [each for each in every if each.passed]
    if not unused or len(every) < FEW:
        return None
    told = [story.tell("silence.all", chances=len(every), passed=len(unused))]
    if not story.one:
        some = sum(
            any(each.passed and each.seat in told.seats for each in told.chances)
            for told in story.told
        )
        if FEW <= len(story.told) != some:
            told.append(story.tell("silence.matches", some=some, matches=len(story.told)))
    parts: Parts = [story.together(*told)]
    rows = {role: [each for each in every if each.role == role] for role in range(len(ROLES))}
    for role, row in rows.items():
        passed = sum(each.passed for each in row)
        if len(row) >= FEW:
            id = {"none": "silence.role_none", "all": "silence.role_all", "some": "silence.role"}[
                share_word(passed, len(row))
            ]
            parts.append(
                story.tell(
                    id,
                    role=role,
                    chances=len(row),
                    **({"passed": passed} if 0 < passed < len(row) else {}),
                )
            )
    moments = ""
    if story.one:
        when = [
            story.tell("silence.when", era=each.era, lap=each.lap, role=each.role)
            for each in unused[:NAMED]
        ]
        id = "silence.moments" if len(unused) <= NAMED else "silence.some_moments"
        moments = story.tell(id, moments=story.listed(when))
    parts += [story.together(moments, story.tell("silence.why")), _unused(story, rows)]
    return story.moment("silence", parts, 0.2 + 0.6 * len(unused) / len(every))


def _unused(story: Story, rows: dict[int, list[Chance]]) -> "Picture":
    """Return a picture of the chances of each role, used and unused."""
    roles = [role for role in rows if rows[role]]
    numbers = [
        [sum(each.passed == passed for each in rows[role]) for role in roles]
        for passed in (False, True)
    ]
    keys = [story.tell("silence.launched"), story.tell("silence.passed")]
    return story.bars(
        [story.role(role) for role in roles], keys, numbers, story.tell("silence.caption")
    )


# Martial law


class Lifting(NamedTuple):
    """The attempts and chances of an era in which martial law was lifted."""

    searches: int  # before it; afterwards the rule stops them
    searches_of: int
    protests: int
    protests_of: int
    after: int  # protests
    after_of: int


def law(story: Story) -> Moment | None:
    """Searches and protests before and after martial law was lifted, each beside the chances."""
    found = [
        lifting for told in story.told for era in told.played if (lifting := _lifting(told, era))
    ]
    count = Lifting(*(sum(numbers) for numbers in zip(*found))) if found else None
    if not count or not count.after_of:  # no chance was left
        return None
    parts: Parts = []
    if len(story.told) >= FEW:
        parts.append(
            story.tell("law.matches_all", matches=len(found))
            if len(found) == len(story.told)
            else story.tell("law.matches", some=len(found), matches=len(story.told))
        )
    before = [
        story.tell(f"law.{name}", used=_used(story, done, of))
        for name, done, of in (("searches", *count[:2]), ("protests", *count[2:4]))
        if of
    ]
    told = story.tell("law.before", told=story.clauses(before)) if before else ""
    parts.append(story.together(told, story.tell("law.after", used=_used(story, *count[4:]))))
    note = next(note for note in card_files.events() if note.year == LIFTING)
    parts += story.history(note, "summary", "note")
    return story.moment("law", parts, 0.4 + 0.3 * bool(count.searches + count.protests))


def _used(story: Story, done: int, of: int) -> str:
    """Return in words how many chances were used."""
    return story.tell("law.used", done=done, of=of) if done else story.tell("law.unused", of=of)


def _lifting(told: Told, era: Era) -> Lifting | None:
    """Return the attempts of *era* before and after martial law was lifted, ``None`` if it was not."""
    lifted = era.lifted
    if lifted is None or not any(each.event == LIFTING for each in era.happenings):
        return None
    here = [each for each in told.chances if each.era == era.number]
    counts: list[int] = []
    for kind, after in ((SEARCH, False), (PROTEST, False), (PROTEST, True)):
        these = [each for each in here if each.kind == kind and (each.entry > lifted) is after]
        counts += [sum(not each.passed for each in these), len(these)]
    return Lifting(*counts)
