"""Who plays whom in a league, what counts, and the standing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil, sqrt
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple, cast

from coursekit.arena.statistics import FEWEST_DEALS, t95
from coursekit.core.chance import new_seed, shuffle, stream
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.match import play_out
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.kit import kit_of
from coursekit.league.referee import Process, sandbox, seat_for, source_of, stopped_by, watching

MOST = 40
"""Maximum entries."""
STRIKES = 3
"""Matches in which an entry may be stopped before it is out."""
HOUSE = -1
"""A seat that no entry is left for; the kit's own strongest strategy takes it."""


class Fixture(NamedTuple):
    """A table at which all sit in all seats once."""

    deal: str
    """The seed, to which the number of the seating is added."""
    entries: tuple[int, ...]
    """By number; :data:`HOUSE` for a strategy of the kit."""


class Outcome(NamedTuple):
    """What came of a fixture."""

    fixture: Fixture
    won: tuple[float, ...]
    """The share of the matches that each of :attr:`Fixture.entries` won, 0-1; a shared victory
    counts in parts.
    """
    points: tuple[float, ...]
    """Mean points of each."""
    stopped: int | None = None
    """The entry that was stopped; then nothing else counts."""
    reason: LocalizedError | None = None
    record: str = ""
    """The record of the first match, kept for the last round alone."""


class Standing(NamedTuple):
    """One line of the standing."""

    name: str
    """Of the file."""
    strategy: str
    tables: int
    won: float
    """Percentage of matches won."""
    interval: float | None
    """Half the width of its 95 % interval; ``None`` for too few deals."""
    points: float
    """Mean points a match."""
    stopped: tuple[LocalizedError, ...]
    """Why it was stopped, each time."""
    out: bool
    """Whether it plays no more."""


@dataclass
class League:
    """A league under way or over: entries, and what came of each fixture."""

    game: Game[Any, Any, Any]
    seed: str
    names: list[str]
    strategies: list[str]
    apart: bool
    """Whether entries run in bubblewrap, without a network and with no files."""
    rounds: int
    outcomes: list[Outcome] = field(default_factory=list)

    def stops(self, entry: int) -> tuple[LocalizedError, ...]:
        """Return why *entry* was stopped, each time."""
        return tuple(
            each.reason
            for each in self.outcomes
            if each.stopped == entry and each.reason is not None
        )

    def playing(self) -> list[int]:
        """Return the entries that are not out."""
        return [each for each in range(len(self.names)) if len(self.stops(each)) < STRIKES]

    def standing(self) -> list[Standing]:
        """Return the entries, the best first: by matches won, then by points; those that are out
        come last.
        """
        lines = [self._line(each) for each in range(len(self.names))]
        return sorted(lines, key=lambda each: (each.out, -each.won, -each.points, each.name))

    def house(self) -> Standing | None:
        """Return how the kit's own strategy did in the seats that were left over, ``None`` if there
        were none.
        """
        if not any(HOUSE in each.fixture.entries for each in self.outcomes):
            return None
        return self._line(HOUSE)._replace(
            name="coursekit", strategy=kit_of(self.game).strategies[-1].__name__
        )

    def _line(self, entry: int) -> Standing:
        won, points = [], []
        for each in self.outcomes:
            if each.stopped == entry:
                won.append(0.0)
            elif each.stopped is None and entry in each.fixture.entries:
                at = each.fixture.entries.index(entry)
                won.append(100 * each.won[at])
                points.append(each.points[at])
        n, stops = len(won), self.stops(entry)
        interval = t95(n - 1) * stdev(won) / sqrt(n) if n >= FEWEST_DEALS else None
        mean = fmean(won) if won else 0.0
        return Standing(
            self.names[entry],
            self.strategies[entry],
            n,
            mean,
            interval,
            fmean(points) if points else 0.0,
            stops,
            len(stops) >= STRIKES,
        )

    def final(self) -> str:
        """Return the record of a match of the last round for a table to show, if possible the
        leader's; "" for none.
        """
        leader = self.names.index(self.standing()[0].name)
        kept = [each for each in self.outcomes if each.record]
        led = [each for each in kept if leader in each.fixture.entries]
        return (led or kept or [Outcome(Fixture("", ()), (), ())])[-1].record


def check(
    game: Game[Any, Any, Any], paths: Sequence[Path]
) -> tuple[dict[Path, str], dict[Path, LocalizedError]]:
    """Start each file as an entry; return the strategies by file, and what is wrong with the
    others.
    """
    fine: dict[Path, str] = {}
    wrong: dict[Path, LocalizedError] = {}
    sources: list[tuple[str, str]] = []
    for path in paths:
        try:
            sources.append((path.name, source_of(path)))
        except LocalizedError as error:
            wrong[path] = error
    read = [path for path in paths if path not in wrong]
    for path, answer in zip(read, check_sources(game, sources), strict=True):
        if isinstance(answer, LocalizedError):
            wrong[path] = answer
        else:
            fine[path] = answer
    return fine, wrong


def check_sources(
    game: Game[Any, Any, Any], sources: Sequence[tuple[str, str]], *, trial: bool = False
) -> list[str | LocalizedError]:
    """Start each of *sources* (name of a file, what it holds) as an entry; return its strategy, or
    what is wrong.

    :param trial: also let it play a match against the kit's strongest strategy.
    """
    with _Referees(1, (game, list(sources), sandbox())) as play:
        found = dict(play([(_check, (number, trial)) for number in range(len(sources))]))
    return [found[number] for number in range(len(sources))]


def play_league(
    game: Game[Any, Any, Any],
    paths: Sequence[Path],
    matches: int = 200,
    seed: str | int | None = None,
    *,
    referees: int = 2,
    news: Callable[[League], None] = lambda _: None,
) -> League:
    """Let the strategies in *paths* play each other; each entry plays at least *matches* matches,
    unless it is out.

    In each round all entries are drawn into tables, at which each sits in each seat once, in a deal
    of its own: an entry remembers the last deal. A stopped match is lost for the entry that was
    stopped, which is out after :data:`STRIKES`, and counts for nobody else: they are drawn into
    tables again. The same seed gives the same fixtures for any number of referees, as long as
    nobody is stopped. A league that is interrupted returns the rounds it has.

    :param referees: number of processes that run matches, at least 1.
    :param news: called after each round.
    :raises LocalizedError: unless there are 2 to :data:`MOST` entries, all of which can be made.
    """
    if not 2 <= len(paths) <= MOST:
        raise LocalizedError("", "league.how_many", got=len(paths), most=MOST)
    sources = [(path.name, source_of(path)) for path in paths]
    fine, wrong = check(game, paths)
    for path, error in wrong.items():
        raise LocalizedError("", "league.wrong", name=path.name, reason=error)
    seed = new_seed() if seed is None else str(seed)
    rounds = max(1, ceil(matches / game.players))
    inside = sandbox()
    found = League(
        game,
        seed,
        [name for name, _ in sources],
        [fine[path] for path in paths],
        bool(inside),
        rounds,
    )
    with suppress(KeyboardInterrupt), _Referees(referees, (game, sources, inside)) as play:
        for number in range(rounds):
            waiting, again = found.playing(), 0
            if len(waiting) < 2:
                break
            found.outcomes = [each._replace(record="") for each in found.outcomes]
            while waiting:
                drawn = _drawn(found, waiting, f"{number}.{again}")
                outcomes = list(play([(_outcome, (each,)) for each in drawn]))
                found.outcomes += sorted(outcomes, key=lambda each: drawn.index(each.fixture))
                waiting = [
                    each
                    for each in found.playing()
                    if each in waiting and not _counts(outcomes, each)
                ]
                again += 1
            news(found)
    return found


def _counts(outcomes: Sequence[Outcome], entry: int) -> bool:
    """Return whether *entry* has a result among *outcomes*, be it that it was stopped."""
    return any(each.stopped in (None, entry) and entry in each.fixture.entries for each in outcomes)


def _drawn(found: League, entries: list[int], name: str) -> list[Fixture]:
    """Return tables for *entries* in random order; the last table is filled with others that play."""
    n, rng = found.game.players, stream(found.seed, f"round {name}")
    others = [each for each in found.playing() if each not in entries]
    shuffle(rng, entries)
    shuffle(rng, others)
    last = len(entries) % n
    filled = [*entries, *[*others, *entries[: len(entries) - last]][: -last % n]]
    filled += [HOUSE] * (-len(filled) % n)
    return [
        Fixture(f"{found.seed}/{name}/{at}", tuple(filled[at : at + n]))
        for at in range(0, len(filled), n)
    ]


_Task = tuple[Callable[..., Any], tuple[Any, ...]]


class _Referees:
    """Processes that do tasks: functions of this module that take :class:`_Entries`, and more
    values for each.
    """

    def __init__(self, count: int, job: Any) -> None:
        context = get_context("spawn")
        self.pipes: list[Any] = []  # connections, of another class on Windows
        self.processes = []
        for _ in range(count):
            mine, theirs = context.Pipe()
            process = context.Process(target=_run, args=(theirs, job))
            process.start()
            theirs.close()
            self.pipes.append(mine)
            self.processes.append(process)

    def __enter__(self) -> Callable[[list[_Task]], Iterator[Any]]:
        return self._play

    def __exit__(self, *_error: object) -> None:
        for pipe in self.pipes:
            pipe.close()  # they end by themselves
        for process in self.processes:
            process.join()

    def _play(self, tasks: list[_Task]) -> Iterator[Any]:
        left, busy = list(tasks), 0
        for pipe in self.pipes:
            if left:
                pipe.send(left.pop(0))
                busy += 1
        while busy:
            for pipe in cast("list[Any]", wait(self.pipes)):
                yield pipe.recv()  # of our own process, never of an entry's
                busy -= 1
                if left:
                    pipe.send(left.pop(0))
                    busy += 1


class _Entries:
    """What a referee knows: the game, the entries, and the processes of those that it has met."""

    def __init__(
        self, game: Game[Any, Any, Any], sources: list[tuple[str, str]], inside: list[str]
    ) -> None:
        self.game, self.sources, self.inside = game, sources, inside
        self.processes: dict[int, Process] = {}

    def process(self, entry: int) -> Process:
        """Return the process of an entry.

        :raises LocalizedError: if no strategy can be made of its source.
        """
        if entry not in self.processes:
            self.processes[entry] = Process(self.game, *self.sources[entry], self.inside)
        return self.processes[entry]


def _run(
    pipe: Connection, job: tuple[Game[Any, Any, Any], list[tuple[str, str]], list[str]]
) -> None:
    """Do tasks until *pipe* is closed, or somebody presses Ctrl-C, which reaches all processes."""
    entries = _Entries(*job)
    with suppress(EOFError, ConnectionError, KeyboardInterrupt), watching():
        while True:
            task, values = pipe.recv()
            pipe.send(task(entries, *values))


def _check(entries: _Entries, number: int, trial: bool) -> tuple[int, str | LocalizedError]:
    try:
        strategy = entries.process(number).strategy
    except LocalizedError as error:
        return number, error
    wrong = None
    if trial:  # one seating: others wait, and a strategy that thinks takes minutes for all of them
        wrong = _outcome(
            entries, Fixture("trial", (number, *[HOUSE] * (entries.game.players - 1))), 1
        ).reason
    if number in entries.processes:
        entries.processes.pop(number).close()  # forty at a time would fill the memory
    return number, wrong or strategy


def _outcome(entries: _Entries, fixture: Fixture, seatings: int | None = None) -> Outcome:
    """Play *fixture*: all its seatings, or so few that only who is stopped counts."""
    game, kinds = entries.game, list[type[Strategy]]()
    for entry in fixture.entries:
        try:
            kinds.append(
                kit_of(game).strategies[-1] if entry == HOUSE else seat_for(entries.process(entry))
            )
        except LocalizedError as error:
            return Outcome(fixture, (), (), entry, error)
    n, record = game.players, ""
    won, points = [0.0] * n, [0.0] * n
    for turn in range(seatings or n):
        seated = kinds[turn:] + kinds[:turn]
        try:
            match = play_out(game, seated, f"{fixture.deal}/{turn}")
        except StrategyError as error:
            stopped = stopped_by(error)
            assert stopped is not None
            entry = fixture.entries[(stopped[0] + turn) % n]
            if entry == HOUSE:
                raise
            entries.processes.pop(entry).close()  # whatever state it is in
            return Outcome(fixture, (), (), entry, stopped[1])
        record = record or match.record().dumps()
        winners, scores = game.winners(match.state), game.scores(match.state)
        for seat in game.seats:
            at = (seat + turn) % n
            won[at] += (seat in winners) / len(winners) / n
            points[at] += scores[seat] / n
    return Outcome(fixture, tuple(won), tuple(points), record=record)
