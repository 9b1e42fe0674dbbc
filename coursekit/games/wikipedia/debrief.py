"""What is worth talking about after a match of 維基百科 vs 書籍, or after those of a class.

:func:`moments` is what :mod:`coursekit.reflect` asks.  What happened is read off the events of the matches; what
somebody could have done, and how likely it was to work, off the decisions of :attr:`.Played.seats`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.figures import Later
from coursekit.game import Seat
from coursekit.games.wikipedia import odds
from coursekit.games.wikipedia.cards import BOOK, REFILL, REVISE, ROLES, USE, WIKI, WORKS
from coursekit.games.wikipedia.evidence import Reader, timeline
from coursekit.games.wikipedia.history import LEFT, MENDED, RIGHT, Round, Vandalism, rounds
from coursekit.games.wikipedia.options import FACES
from coursekit.games.wikipedia.rules import Wikipedia
from coursekit.games.wikipedia.state import NOBODY
from coursekit.match import replay
from coursekit.moment import Moment, Played
from coursekit.texts import joined, said, text

if TYPE_CHECKING:
    from coursekit.figures import Picture
    from coursekit.match import Match

Parts = list["str | Picture"]

CURED, GIVEN_UP, TAKEN_AWAY, STILL = FATES = "cured", "given_up", "taken_away", "still"
"""What became of vandalism: somebody cured it, a use of the work was given up, the table took it, it lay to the end."""
LAPS = (0.5, 1, 2, 4)
"""Up to so many laps a vandalism lay: the groups of a picture, and one for longer ones."""
CHANCES = (0.5, 0.75, 1)
"""Chances of a use are grouped: below the first, from there below the next, and so on; certain ones at last."""


class Spoilt(NamedTuple):
    """One vandalism with everything around it."""

    match: int  # its place among the matches
    round: Round
    vandalism: Vandalism
    laps: float  # that it lay so far
    fate: str  # CURED, GIVEN_UP, TAKEN_AWAY or STILL
    against_use: bool  # whether somebody was about to use the work


class Used(NamedTuple):
    """One USE card."""

    match: int
    round: Round
    seat: Seat
    chance: float  # 0-1, that it scores in the end, for all its player knew, if nobody vandalises
    ended: str  # RIGHT, MENDED, LEFT, GIVEN_UP; "" while it is open, or when the round ended without a throw
    cures: int  # of this work before
    spoilt: bool  # whether the work was vandalised afterwards


class Cure(NamedTuple):
    """A moment in which somebody held REVISE and the work lay vandalised."""

    forced: bool  # a scholar must (R12)
    own: bool  # for the use of one's own
    done: bool


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


class Story:
    """Matches, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        self.matches, self.language = [each.match for each in played], language
        self.seats = [each.seats for each in played]
        self.one = len(played) == 1
        self.played = [rounds(match) for match in self.matches]

    def tell(self, id: str, match: int = 0, **values: Any) -> str:
        """Return the sentence *id* of this game's texts about the debrief, with the names of that match."""
        return self.said(f"debrief.{id}", match, **values)

    def said(self, id: str, match: int = 0, **values: Any) -> str:
        about = self.matches[match]
        return said(about.game, id, self.language, about.names, **values)

    def moment(self, name: str, parts: Parts, worth: float) -> Moment:
        title, ask = self.said(f"debrief.{name}.title"), self.said(f"debrief.{name}.ask")
        return Moment(name, title, self.where, tuple(parts), ask, round(min(1.0, max(0.0, worth)), 3))

    @cached_property
    def where(self) -> str:
        """What everything is counted in: the only match, or how many matches."""
        if not self.one:
            return self.tell("where.matches", matches=len(self.matches))
        return self.tell("where.match" if self.matches[0].over else "where.so_far", rounds=len(self.played[0]))

    def all_rounds(self) -> Iterator[tuple[int, Round]]:
        """Yield every round with the place of its match."""
        yield from ((place, each) for place, played in enumerate(self.played) for each in played)

    @cached_property
    def spoilt(self) -> list[Spoilt]:
        return [self._spoilt(place, each, one) for place, each in self.all_rounds() for one in each.vandalisms]

    def _spoilt(self, place: int, each: Round, one: Vandalism) -> Spoilt:
        n = self.matches[place].game.players
        used = sum(turn < one.turn for _, turn in each.uses) > sum(turn < one.turn for _, turn in each.given_up)
        if one.laps is None:
            return Spoilt(place, each, one, (each.turns - one.turn) / n, STILL, used)
        gone = one.turn + round(one.laps * n)
        given_up = any(turn == gone for _, turn in each.given_up)
        fate = CURED if one.cured_by != NOBODY else GIVEN_UP if given_up else TAKEN_AWAY
        return Spoilt(place, each, one, one.laps, fate, used)

    @cached_property
    def decisions(self) -> tuple[list[Used], list[Cure]]:
        """The USE cards and the chances to cure of those whose decisions count."""
        used: list[Used] = []
        cures: list[Cure] = []
        for place, match in enumerate(self.matches):
            chances: list[float | None] = []  # of every USE card, in order; None for another seat's
            _watch(match, self.seats[place], chances, cures)
            cards = [(each, at) for each in self.played[place] for at in range(len(each.uses))]
            used += [_used(place, each, at, chance) for (each, at), chance in zip(cards, chances, strict=True)
                     if chance is not None]  # fmt: skip
        return used, cures

    @cached_property
    def leads(self) -> list[Lead]:
        return [_lead(match, played) for match, played in zip(self.matches, self.played)]


def _watch(match: "Match", told: Sequence[Seat], chances: list[float | None], cures: list[Cure]) -> None:
    """Note the chance of each USE card of *match*, and what was done with each chance to cure."""

    def watch(now: "Match", seat: Seat, action: str) -> None:
        assert isinstance(now.game, Wikipedia)
        phase = now.state.phase
        if action == USE:
            seen = now.game.observe(now.state, seat) if seat in told else None
            chances.append(None if seen is None else float(odds.scores_after_draw(now.game, seen)))
        elif phase == "cure" and seat in told:
            legal = now.game.legal_actions(now.state, seat)
            if REVISE in legal and action != REFILL:
                forced = not set(legal) - {REVISE, REFILL}
                cures.append(Cure(forced, now.state.user == seat, action == REVISE))

    replay(match.record(), game=match.game, watch=watch)


def _used(place: int, each: Round, at: int, chance: float) -> Used:
    seat, turn = each.uses[at]
    given_up = at < len(each.given_up)
    thrown = at == len(each.uses) - 1 and each.die > 0
    ended = GIVEN_UP if given_up else each.ended if thrown else ""
    before = [one for one in each.vandalisms if one.turn < turn]
    until = each.given_up[at][1] if given_up else each.turns
    spoilt = any(turn < one.turn <= until for one in each.vandalisms)
    return Used(place, each, seat, chance, ended, sum(one.cured_by != NOBODY for one in before), spoilt)


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


# The moments


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about in these matches, best first; ``[]`` if nothing has happened yet.

    Uses with their chances, and cures that could be chosen, are those of :attr:`.Played.seats`; vandalism, works,
    points and the die are everybody's.
    """
    if not played:
        return []
    story = Story(played, language)
    found = [moment for about in ABOUT if (moment := about(story)) is not None]
    return sorted(found, key=lambda each: -each.worth)


def repair(story: Story) -> Moment | None:
    """How long vandalism lay."""
    if not story.spoilt:
        return None
    longest = max(story.spoilt, key=lambda each: each.laps)
    healed = [each for each in story.spoilt if each.fate == CURED]
    laps = sum(each.laps for each in healed) / max(1, len(healed))
    fates = Counter(each.fate for each in story.spoilt)
    ends = [story.tell(f"repair.fate.{fate}", times=fates[fate]) for fate in FATES if fates[fate]]
    parts: Parts = []
    if not story.one:
        with_any = len({each.match for each in story.spoilt})
        parts.append(story.tell("repair.matches", some=with_any, matches=len(story.matches)))
    parts.append(story.tell("repair.all", times=len(story.spoilt), fates=joined(ends, story.language)))
    if healed:
        quick = sum(each.laps <= 1 for each in healed)
        parts.append(story.tell("repair.laps", cured=len(healed), laps=f"{laps:.1f}", quick=quick))
    one, n = longest.vandalism, story.matches[longest.match].game.players
    told = {"round": longest.round.number, "turns": round(longest.laps * n), "laps": f"{longest.laps:.1f}"}
    where = "" if story.one else story.tell("where.match_number", number=longest.match + 1)
    told |= {"by": one.by, "who": one.cured_by, "where": where}
    if longest.fate == CURED:
        parts.append(story.tell("repair.longest.cured", longest.match, **told, role=one.role))
    else:
        parts.append(story.tell(f"repair.longest.{longest.fate}", longest.match, **told))
    parts.append(Later(lambda: timeline(Reader(story.matches[0], (), story.language)) if story.one else _lay(story)))
    worth = 0.45 + longest.laps / 12 + 0.2 * (1 - len(healed) / len(story.spoilt))
    return story.moment("repair", parts, worth)


def vandals(story: Story) -> Moment | None:
    """Who vandalised, what, and whether it paid."""
    if not story.spoilt:
        return None
    own = sum(each.vandalism.by == each.round.author for each in story.spoilt)
    against = sum(each.against_use for each in story.spoilt)
    times = len(story.spoilt)
    parts: Parts = [
        story.tell("vandals.what", times=times, own=own, others=times - own),
        story.tell("vandals.when", against=against, early=times - against),
        *[story.tell("vandals.role", role=role, times=done, turns=turns)
          for role, (done, turns) in _by_role(story).items() if turns],
    ]  # fmt: skip
    ended = [each for _, each in story.all_rounds() if each.vandalisms and each.ended]
    if ended:
        gained = sum(any(each.points[one.by] for one in each.vandalisms) for each in ended)
        parts.append(story.tell("vandals.paid", rounds=len(ended), gained=gained))
    parts.append(Later(lambda: _deeds(story) if story.one else _victims(story)))
    written = sum(each.work == WIKI for _, each in story.all_rounds())
    touched = len({(each.match, each.round.number) for each in story.spoilt})
    return story.moment("vandals", parts, 0.4 + 0.4 * touched / max(1, written))


def risk(story: Story) -> Moment | None:
    """How likely each use was to score, and what came of it."""
    used = [each for each in story.decisions[0] if each.ended]
    if not used:
        return None
    low, high = [[each.ended in (RIGHT, MENDED) for each in used if (each.chance < 0.5) is below]
                 for below in (True, False)]  # fmt: skip
    counts = {"low": len(low), "low_scored": sum(low), "high": len(high), "high_scored": sum(high)}
    parts: Parts = [story.tell("risk.all", uses=len(used), **counts)]
    spoilt, lost = sum(each.spoilt for each in used), sum(each.ended == GIVEN_UP for each in used)
    mended = sum(each.cures > 0 for each in used)
    if spoilt or mended:
        parts.append(story.tell("risk.spoilt", spoilt=spoilt, lost=lost, mended=mended))
    boldest = min(used, key=lambda each: (each.chance, each.ended not in (RIGHT, MENDED)))
    where = "" if story.one else story.tell("where.match_number", number=boldest.match + 1)
    percent = f"{100 * boldest.chance:.0f}"
    told = {"round": boldest.round.number, "seat": boldest.seat, "work": boldest.round.work, "percent": percent}
    parts.append(story.tell(f"risk.boldest.{boldest.ended}", boldest.match, where=where, **told))
    parts.append(Later(lambda: _bets(story, used)))
    surprise = abs(sum(each.chance for each in used) - sum(low) - sum(high)) / len(used)
    return story.moment("risk", parts, 0.5 + surprise + 0.3 * len(low) / len(used))


def forced(story: Story) -> Moment | None:
    """Who cured because they had to, and who because they wanted to."""
    cures = story.decisions[1]
    if not cures:
        return None
    rows = _choices(cures)
    parts: Parts = []
    for name, (could, did) in rows.items():
        if could:
            parts.append(story.tell(f"forced.{name}", could=could, did=did))
    at_scoring = sum(each.ended == MENDED for _, each in story.all_rounds())
    if at_scoring:
        parts.append(story.tell("forced.scoring", times=at_scoring))
    parts.append(Later(lambda: _could_and_did(story, rows)))
    free, did = (sum(rows[name][at] for name in ("own", "others")) for at in (0, 1))
    return story.moment("forced", parts, 0.35 + 0.4 * (1 - did / max(1, free)) * (rows["must"][0] > 0))


def _choices(cures: Sequence[Cure]) -> dict[str, tuple[int, int]]:
    """Return how often a cure was possible, and how often it was done: as one must, for oneself, for others."""
    groups: dict[str, list[Cure]] = {
        "must": [each for each in cures if each.forced],
        "own": [each for each in cures if not each.forced and each.own],
        "others": [each for each in cures if not each.forced and not each.own],
    }
    return {name: (len(group), sum(each.done for each in group)) for name, group in groups.items()}


def _by_role(story: Story) -> dict[str, tuple[int, int]]:
    """Return by role how many vandalisms are its deed, and how often somebody had it in a round with Wikipedia."""
    had = Counter(role for _, each in story.all_rounds() if each.work == WIKI for role in each.roles)
    did = Counter(each.round.roles[each.vandalism.by] for each in story.spoilt)
    return {role: (did[role], had[role]) for role in ROLES}


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
    if not any(each.used for each in count.values()):
        return None
    parts: Parts = [story.tell("works.each", work=work, **count[work]._asdict()) for work in WORKS]
    if not story.one:
        more = sum(_points(played, BOOK) > _points(played, WIKI) for played in story.played)
        parts.append(story.tell("works.matches", more=more, matches=len(story.matches)))
    parts.append(Later(lambda: _side_by_side(story, count)))
    share = [each.scored / each.used if each.used else 0 for each in count.values()]
    return story.moment("works", parts, 0.4 + 0.4 * abs(share[0] - share[1]))


def _count(story: Story, work: str) -> Works:
    these = [each for _, each in story.all_rounds() if each.work == work]
    scored = [each for each in these if sum(each.points)]
    users = sum(each.points[each.user] > 0 for each in scored)
    authors = sum(sum(each.points) for each in scored) - users
    ended = sum(each.ended in (RIGHT, MENDED) for each in these)
    return Works(len(these), sum(each.die > 0 for each in these), ended, users, authors)


def _points(played: Sequence[Round], work: str) -> int:
    return sum(sum(each.points) for each in played if each.work == work)


def turning(story: Story) -> Moment | None:
    """When the lead was taken for good."""
    return _turning_of_one(story) if story.one else _turning_of_many(story)


def _turning_of_one(story: Story) -> Moment | None:
    match, lead = story.matches[0], story.leads[0]
    if lead.last == NOBODY:
        return None
    ended = [each for each in story.played[0] if each.ended]
    at = lead.turning
    sides = match.game.sides  # type: ignore[attr-defined]  # of Wikipedia
    side = [seat for seat in match.game.seats if seat % sides == lead.last]
    score = [str(points) for points in lead.points[at]]
    parts: Parts = [
        story.tell("turning.lead", round=ended[at].number, side=side, score=":".join(score)),
        story.tell("turning.changes", changes=lead.changes, rounds=len(ended)),
        story.tell(f"turning.how.{ended[at].ended}", work=ended[at].work, user=ended[at].user)
        if ended[at].die else story.tell("turning.how.nothing"),
        Later(lambda: _points_so_far(story, lead)),
    ]  # fmt: skip
    return story.moment("turning", parts, 0.35 + 0.4 * (at + 1) / len(ended))


def _turning_of_many(story: Story) -> Moment | None:
    decided = [lead for match, lead in zip(story.matches, story.leads) if match.over and lead.last != NOBODY]
    if not decided:
        return None
    first = sum(lead.first == lead.last for lead in decided)
    late = sum(2 * lead.turning >= len(lead.leaders) for lead in decided)
    changes = sum(lead.changes for lead in decided) / len(decided)
    parts: Parts = [
        story.tell("turning.decided", decided=len(decided), matches=len(story.matches)),
        story.tell("turning.first", first=first, decided=len(decided)),
        story.tell("turning.late", late=late, decided=len(decided), changes=f"{changes:.1f}"),
        Later(lambda: _when_it_turned(story, decided)),
    ]
    return story.moment("turning", parts, 0.35 + 0.4 * late / len(decided))


class Throws(NamedTuple):
    """What the die did to one kind of work."""

    thrown: int
    wrong: int
    expected: float  # wrong ones, by the rules, on average


def die(story: Story) -> Moment | None:
    """What the die did, beside what the rules say it does on average."""
    count = {work: _thrown(story, work) for work in WORKS}
    if not count[WIKI].thrown:
        return None
    parts: Parts = [
        story.tell("die.each", work=work, thrown=each.thrown, wrong=each.wrong, expected=f"{each.expected:.1f}")
        for work, each in count.items() if each.thrown
    ]  # fmt: skip
    parts.append(Later(lambda: _expected_and_thrown(story, count)))
    off = sum(abs(each.wrong - each.expected) for each in count.values()) / sum(each.thrown for each in count.values())
    return story.moment("die", parts, 0.3 + off)


def _thrown(story: Story, work: str) -> Throws:
    thrown = wrong = 0
    expected = 0.0
    for place, each in story.all_rounds():
        game = story.matches[place].game
        assert isinstance(game, Wikipedia)
        if each.work == work and each.die:
            thrown += 1
            wrong += each.die <= game.wrong[work]
            expected += game.wrong[work] / FACES
    return Throws(thrown, wrong, expected)


ABOUT: tuple[Callable[[Story], Moment | None], ...] = (repair, vandals, risk, forced, works, turning, die)


# Pictures


def _bars(
    story: Story, id: str, rows: Sequence[str], groups: Sequence[tuple[str, Sequence[float]]], together: bool = True
) -> "Picture":
    """Return a picture of lying bars: for each of *rows* the numbers of all *groups*, as (text id, numbers)."""
    from coursekit.figures import bars

    named = {story.said(f"debrief.{id}.{key}"): values for key, values in groups}
    return bars(rows, named, story.said(f"debrief.{id}.x"), story.language, together=together)


def _lay(story: Story) -> "Picture":
    """Return a picture of how long vandalism lay in many matches."""
    edges = [*LAPS, float("inf")]
    rows = [story.tell("repair.lay.up_to", laps=f"{edge:g}") for edge in LAPS]
    rows.append(story.tell("repair.lay.longer", laps=f"{LAPS[-1]:g}"))

    def count(*fates: str) -> list[float]:
        group = [next(at for at, edge in enumerate(edges) if each.laps <= edge) for each in story.spoilt
                 if each.fate in fates]  # fmt: skip
        return [group.count(at) for at in range(len(edges))]

    return _bars(story, "repair.lay", rows, [("cured", count(CURED)), ("gone", count(GIVEN_UP, TAKEN_AWAY, STILL))])


def _deeds(story: Story) -> "Picture":
    """Return a picture of how often each player vandalised and cured in one match."""
    match = story.matches[0]
    names = Reader(match, (), story.language).names
    vandalised = Counter(each.vandalism.by for each in story.spoilt)
    cured = Counter(each.vandalism.cured_by for each in story.spoilt)
    groups = [("vandalised", [vandalised[seat] for seat in match.game.seats]),
              ("cured", [cured[seat] for seat in match.game.seats])]  # fmt: skip
    return _bars(story, "vandals.deeds", names, groups, together=False)


def _victims(story: Story) -> "Picture":
    """Return a picture of whose works were vandalised in many matches, and when."""
    rows = [story.tell(f"vandals.row.{whose}") for whose in ("own", "others")]

    def count(against: bool) -> list[float]:
        own = [each.vandalism.by == each.round.author for each in story.spoilt if each.against_use is against]
        return [own.count(True), own.count(False)]

    return _bars(story, "vandals.victims", rows, [("against", count(True)), ("early", count(False))])


def _bets(story: Story, used: Sequence[Used]) -> "Picture":
    """Return a picture of uses by their chance, and what came of them."""
    group = [sum(each.chance >= edge for edge in CHANCES) for each in used]
    edges = [0, *CHANCES]
    rows = [story.tell("risk.bets.between", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")
            for low, high in pairwise(edges)]  # fmt: skip
    rows.append(story.tell("risk.bets.certain"))
    kinds = {"scored": (RIGHT, MENDED), "failed": (LEFT,), "given_up": (GIVEN_UP,)}
    ended = {key: [at for at, each in zip(group, used) if each.ended in ends] for key, ends in kinds.items()}
    groups = [(key, [these.count(at) for at in range(len(rows))]) for key, these in ended.items()]
    return _bars(story, "risk.bets", rows, groups)


def _could_and_did(story: Story, rows: dict[str, tuple[int, int]]) -> "Picture":
    """Return a picture of chances to cure, and how many were taken."""
    shown = {name: numbers for name, numbers in rows.items() if numbers[0]}
    labels = [story.tell(f"forced.row.{name}") for name in shown]
    groups = [("did", [did for _, did in shown.values()]), ("did_not", [could - did for could, did in shown.values()])]
    return _bars(story, "forced.bars", labels, groups)


def _side_by_side(story: Story, count: dict[str, Works]) -> "Picture":
    """Return a picture of what became of the two kinds of works."""
    rows = [story.tell(f"works.row.{name}") for name in Works._fields]
    return _bars(story, "works.bars", rows, [(work, [*each]) for work, each in count.items()], together=False)


def _expected_and_thrown(story: Story, count: dict[str, Throws]) -> "Picture":
    """Return a picture of how often the die went wrong, and how often it does by the rules."""
    shown = {work: each for work, each in count.items() if each.thrown}
    rows = [story.tell("die.row", work=story.tell(f"works.bars.{work}"), thrown=each.thrown)
            for work, each in shown.items()]  # fmt: skip
    wrong: list[float] = [each.wrong for each in shown.values()]
    groups = [("wrong", wrong), ("expected", [round(each.expected, 1) for each in shown.values()])]
    return _bars(story, "die.bars", rows, groups, together=False)


def _when_it_turned(story: Story, decided: Sequence[Lead]) -> "Picture":
    """Return a picture of the part of a match in which the lead was taken for good."""
    thirds = [min(2, 3 * lead.turning // len(lead.leaders)) for lead in decided]
    rows = [story.tell(f"turning.third.{at}") for at in ("first", "second", "third")]
    kept = [[at for at, lead in zip(thirds, decided) if (lead.first == lead.last) is same] for same in (True, False)]
    groups = [(key, [these.count(at) for at in range(3)]) for key, these in zip(("held", "overtaken"), kept)]
    return _bars(story, "turning.bars", rows, groups)


def _points_so_far(story: Story, lead: Lead) -> "Picture":
    """Return a picture of the points of each side after each round of one match."""
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    from coursekit.figures import LINE, MARKERS, PALETTE, figure_style, picture

    match, names = story.matches[0], Reader(story.matches[0], (), story.language).names
    sides, told = len(lead.points[0]), []
    with figure_style(story.language):
        figure, axes = pyplot.subplots(figsize=(5.6, 3.4))
        axes.axvline(lead.turning + 1, color=LINE, linewidth=8)
        for side in range(sides):
            line = [0, *(points[side] for points in lead.points)]
            name = joined([names[seat] for seat in match.game.seats if seat % sides == side], story.language)
            axes.plot(line, color=PALETTE[side], marker=MARKERS[side], markersize=5, label=name)
            numbers = joined([str(points) for points in line[1:]], story.language)
            told.append(text("figure.row", story.language, row=name, numbers=numbers))
        axes.set(xlabel=story.tell("turning.x"), ylabel=story.tell("turning.y"), ylim=(0, None))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside upper center", ncols=2)
    return picture(figure, " ".join(told), story.tell("turning.caption"), story.language)
