"""What is worth talking about after a match of 文壇封鎖中, or after those of a class.

:func:`moments` is what :mod:`coursekit.reflect` asks.  Roles are positions in a system, so what happened is told by
role, as counts with their denominators; what is history stands apart, with its source.  Everything is read off
what lay open on the table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from coursekit.figures import Later
from coursekit.game import Seat
from coursekit.games.blockade import carddata
from coursekit.games.blockade.carddata import in_language
from coursekit.games.blockade.cards import BANNED, CENSORS, PENS, ROLES
from coursekit.games.blockade.figures import timeline, who_paid
from coursekit.games.blockade.history import (
    BOOK,
    COVERED,
    EVENT,
    FUNCTION,
    KEPT,
    NOT_LAUNCHED,
    PROTEST,
    SEARCH,
    TAKEN,
    Attempt,
    Era,
    Move,
    eras,
    toll,
)
from coursekit.games.blockade.options import LIFTED
from coursekit.games.blockade.rules import Blockade
from coursekit.games.blockade.state import NOBODY
from coursekit.match import replay
from coursekit.moment import Moment, Played, Source
from coursekit.texts import joined, said

if TYPE_CHECKING:
    from coursekit.figures import Picture
    from coursekit.match import Match

Parts = list["str | Picture"]
CAUSES = (BOOK, FUNCTION, EVENT, SEARCH, PROTEST)
OUTCOMES = (TAKEN, KEPT, NOT_LAUNCHED, COVERED)
NAMED = 4
"""So many things of a kind are told one by one."""


class Chance(NamedTuple):
    """A moment in phase 2 in which something could be launched."""

    entry: int  # of the log
    era: int
    lap: int  # 1-based
    seat: Seat
    role: int
    passed: bool

    @property
    def kind(self) -> str:
        """What could be launched: SEARCH or PROTEST."""
        return SEARCH if self.role in CENSORS else PROTEST


@dataclass
class Shelf:
    """What became of the works that came to the table in the eras of one match."""

    placed: list[int] = field(default_factory=list)  # writer cards, in order
    paid: list[int] = field(default_factory=list)  # given up for a book card
    lost: list[int] = field(default_factory=list)  # taken off by a function card or an event
    stayed: list[int] = field(default_factory=list)  # on the table when their era ended
    lying: list[int] = field(default_factory=list)  # on the table of an era that still runs
    read: list[str] = field(default_factory=list)  # kinds of function cards, read aloud
    banned: list[int] = field(default_factory=list)  # banned books in the hands of pens when an era ended


class Told(NamedTuple):
    """One of the matches, read."""

    match: "Match"
    game: Blockade
    played: list[Era]
    chances: list[Chance]
    shelf: Shelf
    seats: Sequence[Seat]  # whose decisions count

    def attempts(self, kind: str) -> list[tuple[Era, Attempt]]:
        """Return the searches or protests that are decided, with their eras."""
        return [(era, each) for era in self.played for each in era.attempts if each.kind == kind and each.outcome]

    def lap(self, attempt: Attempt) -> int:
        """Return the lap in which something was launched."""
        return next(each.lap for each in self.chances if each.entry == attempt.entry)


def read(played: Played) -> Told:
    """Return what can be told of one match, also of one that still runs."""
    match = played.match
    assert isinstance(match.game, Blockade)
    return Told(match, match.game, eras(match), chances(match), shelf(match), played.seats)


def chances(match: "Match") -> list[Chance]:
    """Return every chance of phase 2 in *match*, taken or not."""
    found: list[Chance] = []

    def watch(now: "Match", seat: Seat, action: Any) -> None:
        state = now.state
        if state.phase == "strike":
            lap = state.turns // now.game.players + 1
            found.append(Chance(len(now.log), state.era, lap, seat, state.roles[seat], action == "pass"))

    replay(match.record(), game=match.game, watch=watch)
    return found


def shelf(match: "Match") -> Shelf:
    """Return what became of the works in *match*."""
    game = match.game
    assert isinstance(game, Blockade)
    found, books = Shelf(), dict[int, Seat]()
    roles: list[int] = [0] * game.players
    for event in (event for events in [match.opening, *match.events] for event in events):
        kind, values = event.text, event.values
        if kind == "role_is":
            roles[values["seat"]] = values["role"]
        elif kind == "era_begins" and game.options.carry_over != "hands_books":
            books.clear()
        elif kind in ("place", "flip.place"):
            found.placed.append(values["card"])
            found.lying.append(values["card"])
        elif kind in ("pay", "lose") and values["card"] in found.lying:
            found.lying.remove(values["card"])
            (found.paid if kind == "pay" else found.lost).append(values["card"])
        elif kind == "read":
            found.read.append(game.cards.kinds[values["card"]])
        elif kind in ("takes_book", "taken"):
            books[values["book"]] = values["seat"]
        elif kind == "under":
            books.pop(values["book"], None)
        elif kind.startswith("era_ends"):
            found.stayed += found.lying
            found.banned += [book for book, seat in books.items()
                             if roles[seat] in PENS and game.cards.book_kinds[book] == BANNED]  # fmt: skip
            found.lying.clear()
    return found


class Story:
    """Matches, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        self.told, self.language = [read(each) for each in played], language
        self.one = len(played) == 1

    def tell(self, id: str, match: int = 0, /, **values: Any) -> str:
        """Return the sentence *id* of this game's texts about the debrief."""
        about = self.told[match]
        return said(about.game, f"debrief.{id}", self.language, about.match.names, **values)

    def moment(self, name: str, parts: Parts, worth: float) -> Moment:
        title, ask = self.tell(f"{name}.title"), self.tell(f"{name}.ask")
        return Moment(name, title, self.where, tuple(parts), ask, round(min(1.0, max(0.0, worth)), 3))

    def source(self, source: str) -> Source:
        """Return the line that says where facts come from."""
        return Source(self.tell("source", source=unquote(source)))

    @cached_property
    def where(self) -> str:
        """What everything is counted in: which eras, or how many matches."""
        if not self.one:
            return self.tell("where.matches", matches=len(self.told))
        return self.tell("where.eras", eras=[era.number for era in self.told[0].played])

    def mean(self, total: int) -> str:
        """Return a sum, for one match on average where there are several."""
        return str(total) if self.one else f"{total / len(self.told):.1f}"

    def listed(self, words: Sequence[str]) -> str:
        return joined(words, self.language)

    def word(self, row: Any, name: str) -> str:
        """Return a field of a card file in the language."""
        return in_language(getattr(row, f"{name}_zh"), getattr(row, f"{name}_en", ""), self.language)

    def attempts(self, kind: str) -> list[tuple[int, Era, Attempt]]:
        """Return the searches or protests of all matches, with the place of the match."""
        return [(place, *each) for place, told in enumerate(self.told) for each in told.attempts(kind)]

    def moves(self) -> Iterator[tuple[Era, Move]]:
        yield from ((era, move) for told in self.told for era in told.played for move in era.moves)

    @cached_property
    def fates(self) -> str:
        """How searches ended, in words."""
        count = Counter(each.outcome for _, _, each in self.attempts(SEARCH))
        return self.listed([self.tell(f"search.fate.{fate}", times=count[fate]) for fate in OUTCOMES if count[fate]])


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about in these matches, best first; ``[]`` if nothing has happened yet.

    Chances that were left unused are those of :attr:`.Played.seats`; everything else is everybody's.
    """
    if not played:
        return []
    story = Story(played, language)
    found = [moment for about in ABOUT if (moment := about(story)) is not None]
    return sorted(found, key=lambda each: -each.worth)


# The moments


def search(story: Story) -> Moment | None:
    """Whose books were searched for, how often in vain, and what was taken."""
    tried = story.attempts(SEARCH)
    if not tried:
        return None
    taken = [each for each in tried if each[2].outcome == TAKEN]
    parts: Parts = []
    if not story.one:
        some = len({place for place, _, _ in tried})
        parts.append(story.tell("search.matches", some=some, matches=len(story.told)))
    parts.append(story.tell("search.all", tried=len(tried), fates=story.fates))
    for role in PENS:
        at = [each for _, era, each in tried if era.roles[each.target] == role]
        if at:
            lost = sum(each.outcome == TAKEN for each in at)
            back = sum(each.lost for each in at)
            parts.append(story.tell("search.role", role=role, tried=len(at), lost=lost, back=back))
    if story.one:
        for place, era, each in taken[:NAMED]:
            parts.append(story.tell("search.deed", place, **_deed(story, place, era, each)))
    if book := _most(each.book for _, _, each in taken or tried):
        parts += _history_of(story, book)
    parts.append(Later(lambda: _attempts(story)))
    return story.moment("search", parts, 0.5 + 0.4 * len(taken) / len(tried) + 0.01 * len(tried))


def _deed(story: Story, place: int, era: Era, each: Attempt) -> dict[str, Any]:
    return {
        "era": era.number, "lap": story.told[place].lap(each), "role": era.roles[each.seat], "seat": each.seat,
        "target_role": era.roles[each.target], "target": each.target, "book": each.book, "back": each.lost,
    }  # fmt: skip


def _most(things: Iterable[int]) -> int | None:
    """Return what is there most often, the first of several."""
    count = Counter(things)
    return max(count, key=lambda each: count[each], default=None)


def _history_of(story: Story, book: int) -> Parts:
    """Return what is known about a banned book, with its source."""
    cards = story.told[0].game.cards
    row = cards.banned[book - len(cards.periodicals)]
    if not (row.source and row.verified):
        return []
    space = " " if story.language == "en" else ""
    told = space.join(filter(None, (story.word(row, "reason"), story.word(row, "note"))))
    id = "search.history" if row.banned_year else "search.history_undated"
    values = {"book": book, "author": story.word(row, "author"), "told": told}
    return [story.tell(id, **values | ({"year": row.banned_year} if row.banned_year else {})), story.source(row.source)]


def moves(story: Story) -> Moment | None:
    """What moved whom, forward and back."""
    spaces: Counter[tuple[int, str, bool]] = Counter()  # by role, cause, and whether it is forward
    hands: Counter[tuple[int, str]] = Counter()  # by role: own deeds, those of others, events
    for era, move in story.moves():
        role, far = era.roles[move.seat], move.end - move.start
        spaces[role, move.cause.kind, far > 0] += abs(far)
        by = move.cause.by
        whose = "events" if move.cause.kind == EVENT or by == NOBODY else "own" if by == move.seat else "others"
        hands[role, whose] += abs(far)
    if not spaces:
        return None
    parts: Parts = [] if story.one else [story.tell("moves.mean", matches=len(story.told))]
    for role in range(len(ROLES)):
        told = {}
        for name, ahead in (("forward", True), ("back", False)):
            told[name] = _by_cause(story, name, {cause: spaces[role, cause, ahead] for cause in CAUSES})
        parts.append(story.tell("moves.role", role=role, **told))
    shares = {name: sum(hands[role, name] for role in range(len(ROLES))) for name in ("own", "others", "events")}
    most = max(range(len(ROLES)), key=lambda role: hands[role, "others"])
    parts.append(story.tell("moves.hands", **{name: story.mean(far) for name, far in shares.items()}))
    if hands[most, "others"]:
        parts.append(story.tell("moves.most", role=most, spaces=story.mean(hands[most, "others"])))
    parts.append(Later(lambda: _moved(story, spaces)))
    share = (shares["others"] + shares["events"]) / sum(shares.values())
    return story.moment("moves", parts, 0.45 + 0.4 * share)


def _by_cause(story: Story, name: str, spaces: Mapping[str, int]) -> str:
    """Return how far a role moved in a direction, by the causes of it."""
    causes = [story.tell(f"moves.cause.{cause}", spaces=story.mean(far)) for cause, far in spaces.items() if far]
    if not causes:
        return story.tell(f"moves.no_{name}")
    return story.tell(f"moves.{name}", spaces=story.mean(sum(spaces.values())), causes=story.listed(causes))


def happened(story: Story) -> Moment | None:
    """What the events of the track did, beside what they were in history."""
    count = Counter(event for told in story.told for event in _events_of(told))
    if not count:
        return None
    effect = {event: _effect(story, event) for event in count}
    weight = {event: sum(abs(far) for far in effect[event][0].values()) + effect[event][1] for event in count}
    notes = {note.year: note for note in carddata.events()}
    parts: Parts = []
    first = sorted(count, key=lambda event: (-weight[event], event))[:NAMED]
    for event in sorted(first):
        spaces, cards, books = effect[event]
        did = [story.tell("happened.moved" if far > 0 else "happened.moved_back", role=role, spaces=abs(far))
               for role, far in sorted(spaces.items()) if far]  # fmt: skip
        did += [story.tell("happened.lost", cards=cards)] if cards else []
        did += [story.tell("happened.books", books=books)] if books else []
        listed = story.listed(did) or story.tell("happened.nothing")
        some = {} if story.one else {"some": count[event], "matches": len(story.told)}
        parts += _history(story, notes[event])
        id = "happened.one" if story.one else "happened.some"
        parts.append(story.tell(id, event=event, year=event, did=listed, **some))
    parts.append(story.tell("happened.design"))
    parts.append(Later(lambda: timeline(story.told[0].match, story.language) if story.one
                       else _how_often(story, count)))  # fmt: skip
    return story.moment("happened", parts, 0.4 + min(0.35, sum(weight.values()) / len(story.told) / 100))


def _history(story: Story, note: carddata.EventNote) -> Parts:
    """Return what an event was, with its source."""
    told = story.tell("happened.history", event=note.year, year=note.year, told=story.word(note, "summary"))
    return [told, story.source(note.source)]


def _events_of(told: Told) -> set[int]:
    return {each.event for era in told.played for each in era.happenings}


def _effect(story: Story, event: int) -> tuple[Counter[int], int, int]:
    """Return the spaces by role that an *event* moved, the cards it took and the book cards it gave, in all matches."""
    spaces: Counter[int] = Counter()
    for era, move in story.moves():
        if move.cause.kind == EVENT and move.cause.thing == event:
            spaces[era.roles[move.seat]] += move.end - move.start
    played = [era for told in story.told for era in told.played]
    cards = sum(each.cause.thing == event for era in played for each in era.losses if each.cause.kind == EVENT)
    books = sum(each.cause.thing == event for era in played for each in era.gains if each.cause.kind == EVENT)
    return spaces, cards, books


def silence(story: Story) -> Moment | None:
    """Chances of phase 2 that were left unused."""
    every = [each for told in story.told for each in told.chances if each.seat in told.seats]
    if not every:
        return None
    passed = sum(each.passed for each in every)
    parts: Parts = [story.tell("silence.all", chances=len(every), passed=passed)]
    rows = {role: [each for each in every if each.role == role] for role in range(len(ROLES))}
    parts += [story.tell("silence.role", role=role, chances=len(row), passed=sum(each.passed for each in row))
              for role, row in rows.items() if row]  # fmt: skip
    unused = [each for each in every if each.passed]
    if story.one:
        parts += [story.tell("silence.moment", era=each.era, lap=each.lap, role=each.role) for each in unused[:NAMED]]
    else:
        some = sum(any(each.passed and each.seat in told.seats for each in told.chances) for told in story.told)
        parts.append(story.tell("silence.matches", some=some, matches=len(story.told)))
    parts += [story.tell("silence.why"), Later(lambda: _unused(story, rows))]
    return story.moment("silence", parts, 0.2 + 0.6 * passed / len(every))


def paid(story: Story) -> Moment | None:
    """Who gained and who lost, by role."""
    played = [era for told in story.told for era in told.played]
    tolls = toll(played)
    if not any(each.attempts for each in tolls) and not any(era.ended for era in played):
        return None
    parts: Parts = []
    ended = [era for era in played if era.ended]
    for role in range(len(ROLES)):
        points = [era.points[seat] for era in ended for seat in range(len(ROLES)) if era.roles[seat] == role]
        if points:
            mean = sum(points) / len(points)
            parts.append(story.tell("paid.role", role=role, points=f"{mean:.1f}".removesuffix(".0"),
                                    first=_firsts(ended, role), eras=len(points)))  # fmt: skip
    if any(each.attempts for each in tolls):
        parts.append(Later(lambda: who_paid(tolls, story.language, len(story.told))))
    lost = max(tolls, key=lambda each: each.spaces_lost + each.books_lost)
    uneven = min(0.3, (lost.spaces_lost + lost.books_lost) / max(1, len(played)) / 12)
    return story.moment("paid", parts, 0.4 + uneven) if parts else None


def _firsts(ended: Sequence[Era], role: int) -> int:
    """Return in how many eras *role* has the most points, alone or with others."""
    return sum(era.points[seat] == max(era.points) for era in ended for seat in range(len(ROLES))
               if era.roles[seat] == role)  # fmt: skip


def works(story: Story) -> Moment | None:
    """Which works came to the table and lay there when their era ended."""
    shelves = [told.shelf for told in story.told]
    placed = [card for each in shelves for card in each.placed]
    if not placed:
        return None
    numbers = {name: story.mean(sum(len(getattr(each, name)) for each in shelves))
               for name in ("placed", "stayed", "paid", "lost")}  # fmt: skip
    parts: Parts = [story.tell("works.all" if story.one else "works.mean", **numbers)]
    if lying := sum(len(each.lying) for each in shelves):
        parts.append(story.tell("works.lying", lying=lying))
    cards = story.told[0].game.cards
    stayed = Counter(card for each in shelves for card in each.stayed)
    for card in sorted(sorted(stayed), key=lambda card: -stayed[card])[:NAMED]:
        row = cards.writers[card]
        if row.source and row.verified:
            parts += [story.tell("works.each", card=card), story.source(row.source)]
    read_aloud = Counter(kind for each in shelves for kind in each.read)
    if read_aloud:
        kind = max(sorted(read_aloud), key=lambda kind: read_aloud[kind])
        parts.append(story.tell("works.read", read=story.mean(read_aloud.total()), function=kind,
                                times=story.mean(read_aloud[kind])))  # fmt: skip
    banned = Counter(book for each in shelves for book in each.banned)
    if banned:
        parts.append(story.tell("works.banned", books=sorted(banned)))
    parts.append(Later(lambda: _shelves(story, shelves)))
    lost = sum(len(each.lost) for each in shelves) / len(placed)
    return story.moment("works", parts, 0.3 + 0.2 * bool(banned) + 0.5 * lost)


def law(story: Story) -> Moment | None:
    """Searches and protests before and after martial law was lifted, of so many chances."""
    found = [lifting for told in story.told for era in told.played if (lifting := _lifting(told, era))]
    if not any(each.after_of for each in found):  # nobody could do anything any more
        return None
    count = {name: sum(getattr(each, name) for each in found) for name in Lifting._fields}
    note = next(note for note in carddata.events() if note.year == LIFTED)
    parts: Parts = [] if story.one else [story.tell("law.matches", some=len(found), matches=len(story.told))]
    parts += [story.tell("law.all", **count), *_history(story, note)]
    parts += [words for words in [story.word(note, "note")] if words]
    return story.moment("law", parts, 0.4 + 0.3 * bool(count["searches"] + count["protests"]))


class Lifting(NamedTuple):
    """What was launched, of so many chances, in an era in which martial law was lifted."""

    searches: int  # before it; afterwards the rule stops them
    searches_of: int
    protests: int
    protests_of: int
    after: int  # protests
    after_of: int


def _lifting(told: Told, era: Era) -> Lifting | None:
    """Return what was launched in *era* before and after martial law was lifted, ``None`` if it was not."""
    lifted = era.lifted
    if lifted is None or not any(each.event == LIFTED for each in era.happenings):
        return None
    here = [each for each in told.chances if each.era == era.number]
    counts: list[int] = []
    for kind, after in ((SEARCH, False), (PROTEST, False), (PROTEST, True)):
        these = [each for each in here if each.kind == kind and (each.entry > lifted) is after]
        counts += [sum(not each.passed for each in these), len(these)]
    return Lifting(*counts)


ABOUT = (search, moves, happened, silence, paid, works, law)


# Pictures


def _attempts(story: Story) -> "Picture":
    """Return a picture of how searches and protests ended."""
    rows = [SEARCH, PROTEST]
    count = {kind: Counter(each.outcome for _, _, each in story.attempts(kind)) for kind in rows}
    numbers = [[count[kind][fate] for kind in rows] for fate in OUTCOMES]
    labels = [story.tell(f"search.kind.{kind}") for kind in rows]
    caption = story.tell("search.caption")
    return _stacked(story, labels, [story.tell(f"search.key.{fate}") for fate in OUTCOMES], numbers, caption)


def _moved(story: Story, spaces: Counter[tuple[int, str, bool]]) -> "Picture":
    """Return a picture of the spaces that each role went forward and back, by what caused it."""
    from matplotlib import pyplot

    from coursekit.figures import HATCHES, INK, PALETTE, figure_style, picture

    roles, n = range(len(ROLES)), len(story.told)
    labels = [_role(story, role) for role in roles]
    with figure_style(story.language):
        figure, axes = pyplot.subplots(figsize=(5.6, 3.8))
        for ahead in (True, False):
            edge = [0.0] * len(ROLES)
            for colour, cause in enumerate(CAUSES):
                far = [(1 if ahead else -1) * spaces[role, cause, ahead] / n for role in roles]
                label = story.tell(f"moves.key.{cause}") if ahead else None
                axes.barh(roles, far, 0.66, left=edge, color=PALETTE[colour], hatch=HATCHES[colour],
                          edgecolor="white", label=label)  # fmt: skip
                edge = [start + more for start, more in zip(edge, far)]
        axes.axvline(0, color=INK, linewidth=1)
        axes.set(yticks=roles, yticklabels=labels, xlabel=story.tell("moves.x"))
        axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=3)
    caption = story.tell("moves.caption")
    told = [story.tell("moves.alt", role=role, forward=story.mean(sum(spaces[role, c, True] for c in CAUSES)),
                       back=story.mean(sum(spaces[role, c, False] for c in CAUSES))) for role in roles]  # fmt: skip
    return picture(figure, " ".join([caption, *told]), caption, story.language)


def _how_often(story: Story, count: Counter[int]) -> "Picture":
    """Return a picture of in how many matches each event happened."""
    years = sorted(count)
    labels = [said(story.told[0].game, "debrief.happened.row", story.language, event=event, year=event)
              for event in years]  # fmt: skip
    key, caption = story.tell("happened.key"), story.tell("happened.caption", matches=len(story.told))
    return _stacked(story, labels, [key], [[count[event] for event in years]], caption)


def _unused(story: Story, rows: dict[int, list[Chance]]) -> "Picture":
    """Return a picture of the chances of each role, used and unused."""
    roles = [role for role in rows if rows[role]]
    numbers = [[sum(each.passed == passed for each in rows[role]) for role in roles] for passed in (False, True)]
    keys = [story.tell("silence.launched"), story.tell("silence.passed")]
    return _stacked(story, [_role(story, role) for role in roles], keys, numbers, story.tell("silence.caption"))


def _shelves(story: Story, shelves: Sequence[Shelf]) -> "Picture":
    """Return a picture of what became of the works, and of the banned books of the pens."""
    names = ("stayed", "paid", "lost", *(["lying"] if any(each.lying for each in shelves) else []))
    labels = [story.tell(f"works.row.{name}") for name in names]
    numbers = [[sum(len(getattr(each, name)) for each in shelves) for name in names]]
    return _stacked(story, labels, [story.tell("works.key")], numbers, story.tell("works.caption"))


def _stacked(
    story: Story, labels: Sequence[str], keys: Sequence[str], numbers: Sequence[Sequence[int]], caption: str
) -> "Picture":
    """Return bars that lie one after the other, *numbers* by key and row, in all matches together."""
    from coursekit.figures import bars

    x = keys[0] if len(keys) == 1 else ""
    return bars(labels, dict(zip(keys, numbers, strict=True)), x, story.language, caption)


def _role(story: Story, role: int) -> str:
    return said(story.told[0].game, f"role.{ROLES[role]}", story.language)
