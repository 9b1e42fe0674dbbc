"""Moments about what came out: books beside Wikipedia, who led since when, and the die."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from coursekit.figures import LINE, Axis, Layer, Panel, Picture, Points, Rule, plot
from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.history import Round
from coursekit.games.wikipedia.after.rule_relations import POINTS
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import BOOK, WIKI, WORKS
from coursekit.games.wikipedia.rules.state import NOBODY
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, number
from coursekit.words.texts import text


class Works(NamedTuple):
    """What became of Wikipedia, or of the books."""

    written: int
    used: int
    scored: int
    to_users: int  # points
    to_authors: int


def find_works(story: Story) -> Moment | None:
    """Books and Wikipedia: written, used, and the points from each."""
    counts = {work: _count_works(story, work) for work in WORKS}
    if sum(count.used for count in counts.values()) < FEW:
        return None
    parts: Parts = []
    for work, count in counts.items():
        values = {"work": work, "written": count.written}
        if count.used:
            got = _describe_points(story, count)
            parts.append(story.tell("works.each", used=count.used, got=got, **values))
        elif count.written:
            parts.append(story.tell("works.unused", **values))
        else:
            parts.append(story.tell("works.unwritten", work=work))
    matches = len(story.matches)
    if matches >= FEW:
        more = sum(
            _total_points(rounds, BOOK) > _total_points(rounds, WIKI) for rounds in story.rounds
        )
        parts.append(story.tell_share("works.matches", "more", more, matches, matches=matches))
    rows = [story.tell(f"works.row.{name}") for name in Works._fields]
    groups = {work: list(count) for work, count in counts.items()}
    parts.append(story.bars("works.bars", rows, groups, together=False))
    shares = [count.scored / count.used for count in counts.values() if count.used >= FEW]
    worth = 0.4 + 0.4 * (max(shares, default=0) - min(shares, default=0))
    moment = story.moment("works", parts, worth)
    book_earns, wiki_earns = ((work, "earns", POINTS) in story.ruled for work in (BOOK, WIKI))
    if book_earns and not wiki_earns:
        return moment
    return moment._replace(ask=story.tell("works.ask_changed"))


def _describe_points(story: Story, count: Works) -> str:
    """Return how many uses to the throw scored, and who got the points."""
    got = story.tell_share("works.got", "scored", count.scored, count.used)
    values = {"to_users": count.to_users, "to_authors": count.to_authors}
    if count.to_authors:
        return story.clauses([got, story.tell("works.both", **values)])
    if count.to_users:
        return story.clauses([got, story.tell("works.users", to_users=count.to_users)])
    return got


def _count_works(story: Story, work: str) -> Works:
    rounds = [now for _, now in story.all_rounds() if now.work == work]
    used = sum(now.die > 0 for now in rounds)
    scored = sum(now.scored for now in rounds)
    authors = sum(sum(now.as_author) for now in rounds)
    return Works(len(rounds), used, scored, _total_points(rounds, work) - authors, authors)


def _total_points(rounds: Sequence[Round], work: str) -> int:
    return sum(sum(now.points) for now in rounds if now.work == work)


class Lead(NamedTuple):
    """Who led in a match, by sides: the players, or the teams of four or more."""

    points: list[list[int]]  # after each finished round, by side
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


def _read_lead(story: Story, place: int) -> Lead:
    """Return who led in one of the matches."""
    sides = story.games[place].sides
    total = [0] * sides
    lead = Lead([], [])
    for now in story.rounds[place]:
        if not now.ended:
            continue
        for seat, gained in enumerate(now.points):
            total[seat % sides] += gained
        lead.points.append(total[:])
        best = [side for side in range(sides) if total[side] == max(total)]
        lead.leaders.append(best[0] if len(best) == 1 else NOBODY)
    return lead


def find_turning(story: Story) -> Moment | None:
    """When the lead was taken for good, if there are more than a few rounds, or matches."""
    leads = [_read_lead(story, place) for place in range(len(story.matches))]
    if story.one:
        return _tell_one(story, leads[0])
    decided = [
        lead for match, lead in zip(story.matches, leads) if match.over and lead.last != NOBODY
    ]
    return _tell_many(story, decided) if len(decided) >= FEW else None


def _tell_one(story: Story, lead: Lead) -> Moment | None:
    ended = [now for now in story.rounds[0] if now.ended]
    if lead.last == NOBODY or len(ended) < FEW:
        return None
    now = ended[lead.turning]
    seats = [*story.matches[0].game.seats][lead.last :: story.games[0].sides]
    score = ":".join(map(str, lead.points[lead.turning]))
    how = "turning.how.nothing"
    values = {}
    if now.die:
        how = f"turning.how.{now.ended}"
        values = {"work": now.work, "user": now.user}
    if lead.changes:
        changes = story.tell("turning.changes", changes=lead.changes, rounds=len(ended))
    else:
        changes = story.tell("turning.unchanged", rounds=len(ended))
    words = story.together(
        story.tell("turning.lead", round=now.number, side=seats, score=score),
        story.tell(how, **values),
        changes,
    )
    worth = 0.35 + 0.4 * (lead.turning + 1) / len(ended)
    return story.moment("turning", [words, _plot_points(story, lead)], worth)


def _tell_many(story: Story, decided: Sequence[Lead]) -> Moment:
    matches = len(story.matches)
    if len(decided) < matches:
        head = story.tell("turning.decided", decided=len(decided), matches=matches)
    else:
        head = story.tell("turning.decided_all", matches=matches)
    first = sum(lead.first == lead.last for lead in decided)
    late = sum(2 * lead.turning >= len(lead.leaders) for lead in decided)
    changes = number(sum(lead.changes for lead in decided) / len(decided))
    words = story.together(
        head,
        story.tell("turning.first", first=first) if first else story.tell("turning.first_never"),
        story.tell("turning.late", late=late) if late else story.tell("turning.late_never"),
        story.tell("turning.changes_mean", changes=changes) if changes else "",
    )
    rows = [story.tell(f"turning.third.{third}") for third in ("first", "second", "third")]
    groups = {"held": [0.0] * 3, "overtaken": [0.0] * 3}
    for lead in decided:
        third = min(2, 3 * lead.turning // len(lead.leaders))
        groups["held" if lead.first == lead.last else "overtaken"][third] += 1
    parts: Parts = [words, story.bars("turning.bars", rows, groups)]
    return story.moment("turning", parts, 0.35 + 0.4 * late / len(decided))


def _plot_points(story: Story, lead: Lead) -> Picture:
    """Return a picture of the points of each side after each round of one match."""
    sides = story.games[0].sides
    layers: list[Layer] = [
        Rule(lead.turning + 1, upright=True, style={"color": LINE, "linewidth": 8})
    ]
    sentences = []
    for side in range(sides):
        name = story.listed(story.names[side::sides])
        points = [after[side] for after in lead.points]
        style = {"linestyle": "-", "markersize": 5}
        layers.append(Points(range(len(points) + 1), [0, *points], name, side, style=style))
        numbers = story.listed(list(map(str, points)))
        sentences.append(text("figure.row", story.language, row=name, numbers=numbers))
    x, y = Axis(story.tell("turning.x")), Axis(story.tell("turning.y"), low=0)
    caption = story.tell("turning.caption")
    return plot(Panel(layers, x=x, y=y), " ".join(sentences), caption, story.language)


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


def find_die(story: Story) -> Moment | None:
    """What the die did, beside what it does on average; of works with more than a few throws."""
    counts = {work: _count_throws(story, work) for work in WORKS}
    counts = {work: count for work, count in counts.items() if count.thrown >= FEW}
    if WIKI not in counts:
        return None
    parts: Parts = []
    for work, count in counts.items():
        wrong = story.tell("die.never")
        if count.wrong:
            wrong = story.tell("die.wrong", wrong=count.wrong)
        values = {"usual": count.usual, "expected": number(count.expected), "wrong": wrong}
        parts.append(story.tell("die.each", work=work, thrown=count.thrown, **values))
    rows = [
        story.tell("die.row", work=story.tell(f"works.bars.{work}"), thrown=count.thrown)
        for work, count in counts.items()
    ]
    groups: dict[str, list[float]] = {
        "wrong": [count.wrong for count in counts.values()],
        "expected": [round(count.expected, 1) for count in counts.values()],
    }
    parts.append(story.tell("die.chance"))
    parts.append(story.bars("die.bars", rows, groups, together=False))
    off = sum(abs(count.wrong - count.expected) for count in counts.values())
    worth = 0.3 + off / sum(count.thrown for count in counts.values())
    return story.moment("die", parts, worth)._replace(ask=story.tell(_choose_question(story)))


def _choose_question(story: Story) -> str:
    """Return the question that fits which kind of work errs more by the rules of these matches."""
    signs = set()
    for game in story.games:
        wiki, book = (odds.right(game, work) for work in (WIKI, BOOK))
        signs.add((book > wiki) - (book < wiki))
    if len(signs) > 1:
        return "die.ask_differs"
    return {1: "die.ask", 0: "die.ask_alike", -1: "die.ask_less"}[signs.pop()]


def _count_throws(story: Story, work: str) -> Throws:
    thrown = wrong = 0
    expected = variance = 0.0
    for place, now in story.all_rounds():
        if now.work == work and now.die:
            thrown += 1
            wrong += now.wrong
            chance = 1 - float(odds.right(story.games[place], work))
            expected += chance
            variance += chance * (1 - chance)
    return Throws(thrown, wrong, expected, variance)
