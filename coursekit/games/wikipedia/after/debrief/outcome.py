"""Moments about what came out: books beside Wikipedia, who led since when, and the die."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from coursekit.figures import LINE, MARKERS, PALETTE, Picture, picture
from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.evidence import Reader
from coursekit.games.wikipedia.after.history import MENDED, RIGHT, Round
from coursekit.games.wikipedia.after.relations import POINTS
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import BOOK, WIKI, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.state import NOBODY
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, number, share_word
from coursekit.words.texts import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.core.match import Match


class Works(NamedTuple):
    """What became of Wikipedia, or of the books."""

    written: int
    used: int
    scored: int
    to_users: int  # points
    to_authors: int


def works(story: Story) -> Moment | None:
    """Books and Wikipedia: written, used, and the points from each."""
    count = {work: _count(story, work) for work in WORKS}
    if sum(each.used for each in count.values()) < FEW:
        return None
    parts: Parts = []
    for work, each in count.items():
        if each.used:
            parts.append(
                story.tell(
                    "works.each",
                    work=work,
                    written=each.written,
                    used=each.used,
                    got=_brought(story, each),
                )
            )
        else:
            parts.append(
                story.tell("works.unused", work=work, written=each.written)
                if each.written
                else story.tell("works.unwritten", work=work)
            )
    if len(story.matches) >= FEW:
        more = sum(_points(played, BOOK) > _points(played, WIKI) for played in story.played)
        times = share_word(more, len(story.matches))
        parts.append(
            story.tell(
                f"works.matches.{times}",
                matches=len(story.matches),
                **({"more": more} if times == "some" else {}),
            )
        )
    parts.append(_side_by_side(story, count))
    shares = [each.scored / each.used for each in count.values() if each.used >= FEW]
    found = story.moment(
        "works", parts, 0.4 + 0.4 * (max(shares, default=0) - min(shares, default=0))
    )
    only_books = (BOOK, "earns", POINTS) in story.ruled and (
        WIKI,
        "earns",
        POINTS,
    ) not in story.ruled
    return found if only_books else found._replace(ask=story.tell("works.ask_changed"))


def _brought(story: Story, each: Works) -> str:
    """Return how many uses to the throw scored, and who got the points."""
    times = share_word(each.scored, each.used)
    got = story.tell(f"works.got.{times}", **({"scored": each.scored} if times == "some" else {}))
    if not each.to_users + each.to_authors:
        return got
    points = (
        story.tell("works.both", to_users=each.to_users, to_authors=each.to_authors)
        if each.to_authors
        else story.tell("works.users", to_users=each.to_users)
    )
    return story.clauses([got, points])


def _count(story: Story, work: str) -> Works:
    these = [each for _, each in story.all_rounds() if each.work == work]
    authors = sum(sum(each.as_author) for each in these)
    users = sum(sum(each.points) for each in these) - authors
    ended = sum(each.ended in (RIGHT, MENDED) for each in these)
    return Works(len(these), sum(each.die > 0 for each in these), ended, users, authors)


def _points(played: Sequence[Round], work: str) -> int:
    return sum(sum(each.points) for each in played if each.work == work)


class Lead(NamedTuple):
    """Who led in a match, by sides: the players, or the teams of four or more."""

    points: list[list[int]]  # after each finished round, of each side
    leaders: list[int]  # after each finished round, NOBODY if two have as many

    @property
    def changes(self) -> int:
        """How often another side took the lead."""
        led = [side for side in self.leaders if side != NOBODY]
        return sum(one != other for one, other in pairwise(led))

    @property
    def first(self) -> int:
        """The side that led first, NOBODY if none ever did."""
        return next((side for side in self.leaders if side != NOBODY), NOBODY)

    @property
    def last(self) -> int:
        """The side that leads in the end, NOBODY if two have as many."""
        return self.leaders[-1] if self.leaders else NOBODY

    @property
    def turning(self) -> int:
        """The round, counted from 0, after which the last leader led until the end."""
        at = len(self.leaders)
        while at and self.leaders[at - 1] == self.last:
            at -= 1
        return at


def _lead(match: "Match", played: Sequence[Round]) -> Lead:
    sides = match.game.sides  # type: ignore[attr-defined]  # of Wikipedia
    total, points, leaders = [0] * sides, list[list[int]](), list[int]()
    for each in played:
        if not each.ended:
            continue
        for seat, gained in enumerate(each.points):
            total[seat % sides] += gained
        points.append(total[:])
        best = [side for side in range(sides) if total[side] == max(total)]
        leaders.append(best[0] if len(best) == 1 else NOBODY)
    return Lead(points, leaders)


def turning(story: Story) -> Moment | None:
    """When the lead was taken for good, if there are more than a few rounds, or matches, to tell
    of.
    """
    leads = [_lead(match, played) for match, played in zip(story.matches, story.played)]
    if story.one:
        return _turning_of_one(story, leads[0])
    decided = [
        lead for match, lead in zip(story.matches, leads) if match.over and lead.last != NOBODY
    ]
    return _turning_of_many(story, decided) if len(decided) >= FEW else None


def _turning_of_one(story: Story, lead: Lead) -> Moment | None:
    match = story.matches[0]
    ended = [each for each in story.played[0] if each.ended]
    if lead.last == NOBODY or len(ended) < FEW:
        return None
    at = lead.turning
    sides = match.game.sides  # type: ignore[attr-defined]  # of Wikipedia
    side = [seat for seat in match.game.seats if seat % sides == lead.last]
    score = [str(points) for points in lead.points[at]]
    told = [
        story.tell("turning.lead", round=ended[at].number, side=side, score=":".join(score)),
        story.tell(f"turning.how.{ended[at].ended}", work=ended[at].work, user=ended[at].user)
        if ended[at].die
        else story.tell("turning.how.nothing"),
        story.tell("turning.changes", changes=lead.changes, rounds=len(ended))
        if lead.changes
        else story.tell("turning.unchanged", rounds=len(ended)),
    ]
    parts: Parts = [story.together(*told), _points_so_far(story, lead)]
    return story.moment("turning", parts, 0.35 + 0.4 * (at + 1) / len(ended))


def _turning_of_many(story: Story, decided: Sequence[Lead]) -> Moment:
    first = sum(lead.first == lead.last for lead in decided)
    late = sum(2 * lead.turning >= len(lead.leaders) for lead in decided)
    changes = number(sum(lead.changes for lead in decided) / len(decided))
    told = [
        story.tell("turning.decided", decided=len(decided), matches=len(story.matches))
        if len(decided) < len(story.matches)
        else story.tell("turning.decided_all", matches=len(decided)),
        story.tell("turning.first", first=first) if first else story.tell("turning.first_never"),
        story.tell("turning.late", late=late) if late else story.tell("turning.late_never"),
        story.tell("turning.changes_mean", changes=changes) if changes else "",
    ]
    parts: Parts = [story.together(*told), _when_it_turned(story, decided)]
    return story.moment("turning", parts, 0.35 + 0.4 * late / len(decided))


class Throws(NamedTuple):
    """What the die did to one kind of work."""

    thrown: int
    wrong: int
    expected: float  # wrong ones, by the rules, on average
    variance: float  # of their number, by the rules

    @property
    def usual(self) -> int:
        """The usual distance from the average: two standard deviations, at least one."""
        return max(1, round(2 * sqrt(self.variance)))


def die(story: Story) -> Moment | None:
    """What the die did, beside what the rules say it does on average; of works with more than a few
    throws.
    """
    count = {work: each for work in WORKS if (each := _thrown(story, work)).thrown >= FEW}
    if WIKI not in count:
        return None
    parts: Parts = [
        story.tell(
            "die.each",
            work=work,
            thrown=each.thrown,
            usual=each.usual,
            expected=number(each.expected),
            wrong=story.tell("die.wrong", wrong=each.wrong)
            if each.wrong
            else story.tell("die.never"),
        )
        for work, each in count.items()
    ]
    parts += [story.tell("die.chance"), _expected_and_thrown(story, count)]
    off = sum(abs(each.wrong - each.expected) for each in count.values()) / sum(
        each.thrown for each in count.values()
    )
    return story.moment("die", parts, 0.3 + off)._replace(ask=story.tell(_which_errs_more(story)))


def _which_errs_more(story: Story) -> str:
    """Return the question that holds for the rules of these matches: which kind of work they let go
    wrong more.
    """
    more = set[int]()
    for game in story.games:
        wiki, book = (odds.right(game, work) for work in (WIKI, BOOK))
        more.add((book > wiki) - (book < wiki))
    if len(more) > 1:
        return "die.ask_differs"
    return {1: "die.ask", 0: "die.ask_alike", -1: "die.ask_less"}[more.pop()]


def _thrown(story: Story, work: str) -> Throws:
    thrown = wrong = 0
    expected = variance = 0.0
    for place, each in story.all_rounds():
        game = story.matches[place].game
        assert isinstance(game, Wikipedia)
        if each.work == work and each.die:
            thrown += 1
            wrong += each.wrong
            chance = 1 - float(odds.right(game, work))
            expected, variance = expected + chance, variance + chance * (1 - chance)
    return Throws(thrown, wrong, expected, variance)


def _side_by_side(story: Story, count: dict[str, Works]) -> Picture:
    """Return a picture of what became of the two kinds of works."""
    rows = [story.tell(f"works.row.{name}") for name in Works._fields]
    return story.bars(
        "works.bars", rows, [(work, [*each]) for work, each in count.items()], together=False
    )


def _expected_and_thrown(story: Story, count: dict[str, Throws]) -> Picture:
    """Return a picture of how often the die went wrong, and how often it does by the rules."""
    rows = [
        story.tell("die.row", work=story.tell(f"works.bars.{work}"), thrown=each.thrown)
        for work, each in count.items()
    ]
    wrong: list[float] = [each.wrong for each in count.values()]
    groups = [("wrong", wrong), ("expected", [round(each.expected, 1) for each in count.values()])]
    return story.bars("die.bars", rows, groups, together=False)


def _when_it_turned(story: Story, decided: Sequence[Lead]) -> Picture:
    """Return a picture of the part of a match in which the lead was taken for good."""
    thirds = [min(2, 3 * lead.turning // len(lead.leaders)) for lead in decided]
    rows = [story.tell(f"turning.third.{at}") for at in ("first", "second", "third")]
    kept = [
        [at for at, lead in zip(thirds, decided) if (lead.first == lead.last) is same]
        for same in (True, False)
    ]
    groups = [
        (key, [these.count(at) for at in range(3)])
        for key, these in zip(("held", "overtaken"), kept)
    ]
    return story.bars("turning.bars", rows, groups)


def _points_so_far(story: Story, lead: Lead) -> Picture:
    """Return a picture of the points of each side after each round of one match."""
    match, names = story.matches[0], Reader(story.matches[0], (), story.language).names
    sides = len(lead.points[0])
    named = [
        story.listed([names[seat] for seat in match.game.seats if seat % sides == side])
        for side in range(sides)
    ]
    lines = [[0, *(points[side] for points in lead.points)] for side in range(sides)]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 3.4))
        axes.axvline(lead.turning + 1, color=LINE, linewidth=8)
        for side, (name, line) in enumerate(zip(named, lines)):
            axes.plot(line, color=PALETTE[side], marker=MARKERS[side], markersize=5, label=name)
        axes.set(xlabel=story.tell("turning.x"), ylabel=story.tell("turning.y"), ylim=(0, None))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = [
        text(
            "figure.row",
            story.language,
            row=name,
            numbers=story.listed([str(points) for points in line[1:]]),
        )
        for name, line in zip(named, lines)
    ]
    return picture(draw, " ".join(told), story.tell("turning.caption"), story.language)
