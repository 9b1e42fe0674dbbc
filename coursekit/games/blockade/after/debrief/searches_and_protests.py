"""Moments about searches and protests: those launched, those not launched, and the law."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from coursekit.games.blockade.after.debrief.story import NAMED, Story
from coursekit.games.blockade.after.history import (
    COVERED,
    KEPT,
    NOT_LAUNCHED,
    PROTEST,
    SEARCH,
    TAKEN,
    Attempt,
    Decision,
)
from coursekit.games.blockade.rules.card_codes import LIFTING, PENS, ROLES
from coursekit.games.blockade.rules.card_files import event_note
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, share_word

if TYPE_CHECKING:
    from coursekit.figures import Picture

OUTCOMES = (TAKEN, KEPT, NOT_LAUNCHED, COVERED)


# Searches


def search(story: Story) -> Moment | None:
    """The targets of searches, how many were in vain, and what was taken, also of a single one."""
    searches = story.attempts(SEARCH)
    if not searches:
        return None
    tried, once = len(searches), len(searches) == 1
    count = Counter(attempt.outcome for _, attempt in searches)
    summary = [story.tell("search.once")]
    if not once:
        fates = [
            story.tell(f"search.fate.{fate}", times=count[fate]) for fate in OUTCOMES if count[fate]
        ]
        all_told = story.tell("search.all", tried=tried, fates=story.listed(fates))
        places = [history.attempts(SEARCH) for history in story.histories]
        some = sum(any(attempt.outcome for _, attempt in pairs) for pairs in places)
        summary = [_some_matches(story, "search.matches", some), all_told]
    by_role = {role: [a for era, a in searches if era.roles[a.target] == role] for role in PENS}
    searched = [_tell_searched(story, role, at) for role, at in by_role.items() if at]
    taken = [(era, attempt) for era, attempt in searches if attempt.outcome == TAKEN]
    book = Counter(attempt.book for _, attempt in taken or searches).most_common(1)[0][0]
    deed = ""
    if taken and story.one:
        era, attempt = next(pair for pair in taken if pair[1].book == book)
        who = {"role": era.roles[attempt.seat], "target": era.roles[attempt.target]}
        when = {"era": era.number, "lap": story.histories[0].decisions[attempt.entry].lap}
        text = "search.deed" if attempt.lost else "search.deed_only"
        back = {"back": attempt.lost} if attempt.lost else {}
        deed = story.tell(text, **when, **who, book=book, **back)
    parts: Parts
    if once:  # one says it all
        parts = [story.together(*summary, *([deed] if deed else searched))]
    else:
        parts = [story.together(*summary), story.together(*searched)]
        if deed:
            such = story.tell("search.such") if len(taken) > 1 else ""
            parts.append(story.together(such, deed))
    parts += _tell_history(story, book)
    parts.append(_plot_attempts(story))
    worth = 0.5 + 0.4 * len(taken) / max(FEW, tried) + 0.01 * tried
    return story.moment("search", parts, worth)


def _some_matches(story: Story, text: str, some: int) -> str:
    """Return in how many matches something happened; "" if in all of them, or if they are few."""
    matches = len(story.matches)
    return story.tell(text, some=some, matches=matches) if FEW <= matches != some else ""


def _tell_searched(story: Story, role: int, attempts: Sequence[Attempt]) -> str:
    """Return how often *role* was searched, and what it lost."""
    values = {"role": role, "tried": len(attempts)}
    lost = sum(attempt.outcome == TAKEN for attempt in attempts)
    back = sum(attempt.lost for attempt in attempts)
    if not lost:
        return story.tell("search.role_kept", **values)
    if not back:
        return story.tell("search.role_stayed", **values, lost=lost)
    return story.tell("search.role", **values, lost=lost, back=back)


def _tell_history(story: Story, book: int) -> Parts:
    """Return the facts on a banned book, with their source."""
    row = story.cards.banned[book - len(story.cards.periodicals)]
    if not (row.source and row.verified):
        return []
    author, words = story.words(row, "author"), story.words(row, "reason", "note")
    dated = {"year": row.banned_year} if row.banned_year else {}
    text = "search.history" if dated else "search.history_undated"
    return [
        story.tell(text, book=book, author=author, told=words, **dated),
        story.source(row.source),
    ]


def _plot_attempts(story: Story) -> "Picture":
    """Return a picture of how searches and protests ended."""
    kinds = (SEARCH, PROTEST)
    count = Counter((kind, a.outcome) for kind in kinds for _, a in story.attempts(kind))
    numbers = [[count[kind, fate] for kind in kinds] for fate in OUTCOMES]
    labels = [story.tell(f"search.kind.{kind}") for kind in kinds]
    keys = [story.tell(f"search.key.{fate}") for fate in OUTCOMES]
    return story.bars(labels, keys, numbers, story.tell("search.caption"))


# Chances left unused


def silence(story: Story) -> Moment | None:
    """Chances of phase 2 that were left unused; a role with few chances counts in the sum alone."""
    by_match = [
        [chance for chance in history.chances(one.seats) if one.counts(chance.seat, chance.entry)]
        for history, one in zip(story.histories, story.played, strict=True)
    ]
    chances = [chance for match in by_match for chance in match]
    unused = [chance for chance in chances if chance.passed]
    if not unused or len(chances) < FEW:
        return None
    some = sum(any(chance.passed for chance in match) for match in by_match)
    summary = story.tell("silence.all", chances=len(chances), passed=len(unused))
    parts: Parts = [story.together(summary, _some_matches(story, "silence.matches", some))]
    for role in range(len(ROLES)):
        mine = [chance for chance in chances if chance.role == role]
        if len(mine) >= FEW:
            parts.append(_tell_unused(story, role, mine))
    moments = ""
    if story.one:
        when = [
            story.tell("silence.when", era=chance.era, lap=chance.lap, role=chance.role)
            for chance in unused[:NAMED]
        ]
        text = "silence.moments" if len(unused) <= NAMED else "silence.some_moments"
        moments = story.tell(text, moments=story.listed(when))
    parts += [story.together(moments, story.tell("silence.why")), _plot_unused(story, chances)]
    return story.moment("silence", parts, 0.2 + 0.6 * len(unused) / len(chances))


def _tell_unused(story: Story, role: int, chances: Sequence[Decision]) -> str:
    """Return how many of its *chances* a *role* left unused."""
    passed = sum(chance.passed for chance in chances)
    share = share_word(passed, len(chances))
    text = "silence.role" if share == "some" else f"silence.role_{share}"
    values = {"passed": passed} if share == "some" else {}
    return story.tell(text, role=role, chances=len(chances), **values)


def _plot_unused(story: Story, chances: Sequence[Decision]) -> "Picture":
    """Return a picture of the chances of each role, used and unused."""
    count = Counter((chance.passed, chance.role) for chance in chances)
    roles = sorted({chance.role for chance in chances})
    numbers = [[count[passed, role] for role in roles] for passed in (False, True)]
    keys = [story.tell("silence.launched"), story.tell("silence.passed")]
    labels = [story.role(role) for role in roles]
    return story.bars(labels, keys, numbers, story.tell("silence.caption"))


# Martial law


def law(story: Story) -> Moment | None:
    """Searches and protests before and after martial law was lifted, each beside the chances."""
    lifted = 0
    count: Counter[tuple[str, bool, bool]] = Counter()  # by kind, whether afterwards, and passed
    for history in story.histories:
        entries = {era.number: era.lifted for era in history.eras if era.has(LIFTING)}
        lifted += len(entries)
        for chance in history.chances(history.game.seats):
            entry = entries.get(chance.era)
            if entry is not None:
                count[chance.kind, chance.entry > entry, chance.passed] += 1

    after = _tell_used(story, count, PROTEST, True)
    if not after:  # no chance was left
        return None
    parts: Parts = []
    if len(story.matches) >= FEW and lifted == len(story.matches):
        parts.append(story.tell("law.matches_all", matches=lifted))
    elif len(story.matches) >= FEW:
        parts.append(story.tell("law.matches", some=lifted, matches=len(story.matches)))
    before = []
    for kind, text in ((SEARCH, "law.searches"), (PROTEST, "law.protests")):
        if used := _tell_used(story, count, kind, False):
            before.append(story.tell(text, used=used))
    clauses = story.tell("law.before", told=story.clauses(before)) if before else ""
    parts.append(story.together(clauses, story.tell("law.after", used=after)))
    parts += story.history(event_note(LIFTING), "summary", "note")
    launched = count[SEARCH, False, False] + count[PROTEST, False, False] > 0
    return story.moment("law", parts, 0.4 + 0.3 * launched)


def _tell_used(story: Story, count: Counter[tuple[str, bool, bool]], kind: str, after: bool) -> str:
    """Return in words how many chances were used; "" if there were none."""
    done = count[kind, after, False]
    chances = done + count[kind, after, True]
    if not chances:
        return ""
    return story.tell("law.used" if done else "law.unused", done=done, of=chances)
