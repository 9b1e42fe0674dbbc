"""A league: its rounds, drawn and played in processes of referees, and its standing."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from ctypes import c_int
from dataclasses import dataclass, field
from math import ceil, inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import monotonic
from traceback import print_exc
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from coursekit.arena.deals import collect_numbers, play_match
from coursekit.arena.seatings import lineups
from coursekit.arena.statistics import estimate
from coursekit.core.chance import new_seed, shuffle, stream
from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.core.match import Match
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.kit import kit_of
from coursekit.league.entry_limits import hide_memory
from coursekit.league.referee import (
    NOBODY,
    Process,
    end,
    read_source,
    read_stop,
    remote_strategy,
    share_board,
    watch_entries,
)
from coursekit.league.sandbox import Sandbox, find_sandbox
from coursekit.words.texts import text

MOST = 40
"""Maximum entries."""
STRIKES = 3
"""Matches in which an entry may be stopped before it is out."""
MINUTES = 20
"""Planned length of a league, by default."""
LEAST_SHARE = 10
"""Seconds that an entry may take for a match, at least."""
NOTABLE = 1.0
"""Seconds a table from which on the slowest entry is named."""
MOST_DRAWS = 10
"""Times in a round that tables are drawn for those who have no result in it yet."""
LOOK = 1.0
"""Seconds after which referees that say nothing are looked at."""
HOUSE = -1
"""A seat that no entry is left for; the kit's own strongest strategy takes it."""


class Fixture(NamedTuple):
    """A table at which all sit in all seats once."""

    round_number: int
    deal: str
    """The seed, to which the number of the seating is added."""
    entries: tuple[int, ...]
    """By number; :data:`HOUSE` for a strategy of the kit."""


class Outcome(NamedTuple):
    """What came of a fixture."""

    fixture: Fixture
    numbers: Mapping[int, Mapping[str, tuple[float, ...]]]
    """Place in :attr:`Fixture.entries` -> ``points`` and ``share`` -> a number of each match."""
    stopped: int | None = None
    """The entry that was stopped; then nothing else counts."""
    reason: LocalizedError | None = None
    record: str = ""
    """The record of the first match, kept for the last round alone."""
    seconds: Mapping[int, float] = MappingProxyType({})
    """Entry -> what its decisions at this table took."""


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
    seconds: float
    """Mean seconds that its decisions took at a table."""


@dataclass
class League:
    """A league under way or over: entries, and what came of each fixture."""

    game: AnyGame
    seed: str
    """Chooses who sits at which table."""
    secret: str
    """All deals come from it: who knows it knows every hand."""
    names: list[str]
    strategies: list[str]
    sandbox: Sandbox
    rounds: int
    """Most rounds that it plays."""
    planned: float
    """Seconds that it may take."""
    share: float
    """Seconds that an entry may take for all decisions of a match."""
    outcomes: list[Outcome] = field(default_factory=list)
    incidents: list[LocalizedError] = field(default_factory=list)
    """Tables that count for nobody, since their referee ended and no entry is to blame."""
    left_out: Mapping[str, LocalizedError] = field(default_factory=dict)
    """What takes no part, by the name of its file, and why."""
    begun: float = field(default_factory=lambda: monotonic())
    """When it began, by the clock of the computer."""
    longest: float = 0.0
    """Seconds of its longest round so far."""

    @property
    def done(self) -> int:
        """The number of rounds that have begun."""
        return len({outcome.fixture.round_number for outcome in self.outcomes})

    def stops(self, entry: int) -> tuple[LocalizedError, ...]:
        """Return why *entry* was stopped, each time."""
        return tuple(
            outcome.reason
            for outcome in self.outcomes
            if outcome.stopped == entry and outcome.reason is not None
        )

    def strikes(self, entry: int) -> int:
        """Return how often *entry* was stopped for something else than its share of the time."""
        return sum(reason.text != "league.overtime" for reason in self.stops(entry))

    def playing(self) -> list[int]:
        """Return the entries that are not out."""
        return [entry for entry in range(len(self.names)) if self.strikes(entry) < STRIKES]

    def seconds_left(self) -> float:
        """Return how much longer it may play: its planned length, or less if its rounds are few."""
        used = monotonic() - self.begun
        left = max(0.0, self.planned - used)
        if self.done:
            left = min(left, used / self.done * (self.rounds - self.done))
        return left

    def has_time(self) -> bool:
        """Return whether another round as long as the longest fits into its planned length."""
        return monotonic() - self.begun + self.longest <= self.planned

    def slowest(self) -> tuple[str, float] | None:
        """Return the entry that has taken most of the time, and how many percent.

        ``None`` while all of them are quick.
        """
        spent = [0.0] * len(self.names)
        for outcome in self.outcomes:
            for entry, seconds in outcome.seconds.items():
                spent[entry] += seconds
        most = max(spent)
        tables = len(self.outcomes) or 1
        if most / tables < NOTABLE:
            return None
        return self.names[spent.index(most)], 100 * most / sum(spent)

    def tell_time(self, language: str) -> str:
        """Return in a sentence how much time is left, and who takes most of it."""
        minutes = ceil(self.seconds_left() / 60)
        slowest = self.slowest()
        if slowest is None:
            return text("league.remaining", language, minutes=minutes)
        name, percent = slowest
        return text(
            "league.remaining_slow", language, minutes=minutes, name=name, percent=round(percent)
        )

    def note_incident(self, fixture: Fixture) -> None:
        """Note that the referee of *fixture* has ended, and no entry is to blame."""
        names = [self.names[entry] for entry in fixture.entries if entry != HOUSE]
        self.incidents.append(LocalizedError("", "league.died", names=", ".join(names)))

    def standing(self) -> list[Standing]:
        """Return the entries by matches won, then by points; those that are out come last."""
        lines = [self._line(entry) for entry in range(len(self.names))]
        return sorted(lines, key=lambda line: (line.out, -line.won, -line.points, line.name))

    def house(self) -> Standing | None:
        """Return how the kit's strategy did in the seats left over, ``None`` if there were none."""
        if not any(HOUSE in outcome.fixture.entries for outcome in self.outcomes):
            return None
        strategy = kit_of(self.game).strategies[-1].__name__
        return self._line(HOUSE)._replace(name="coursekit", strategy=strategy)

    def _line(self, entry: int) -> Standing:
        shares, points = list[float](), list[float]()
        for outcome in self.outcomes:
            entries = outcome.fixture.entries
            if outcome.stopped == entry:
                shares.append(0.0)
            elif outcome.stopped is None and entry in entries:
                numbers = outcome.numbers[entries.index(entry)]
                shares.append(fmean(numbers["share"]))
                points.append(fmean(numbers["points"]))
        won, interval = estimate(shares) if shares else (0.0, None)
        stops = self.stops(entry)
        seconds = [outcome.seconds[entry] for outcome in self.outcomes if entry in outcome.seconds]
        return Standing(
            self.names[entry],
            self.strategies[entry],
            len(shares),
            won,
            interval,
            fmean(points) if points else 0.0,
            stops,
            self.strikes(entry) >= STRIKES,
            fmean(seconds) if seconds else 0.0,
        )

    def final(self) -> str:
        """Return the record of a match of the last round, if possible the leader's; "" for none."""
        leader = self.names.index(self.standing()[0].name)
        record = ""
        for outcome in self.outcomes:
            if outcome.record and (not record or leader in outcome.fixture.entries):
                record = outcome.record
        return record


def check(
    game: AnyGame, files: Mapping[str, Path]
) -> tuple[dict[str, str], dict[str, LocalizedError]]:
    """Start each of *files* as an entry; return the strategies, and what is wrong with others.

    :param files: by the name that the standing shows.
    """
    sources, wrong = _read_sources(files)
    return _check_all(game, sources, wrong), wrong


def _read_sources(
    files: Mapping[str, Path],
) -> tuple[dict[str, str], dict[str, LocalizedError]]:
    sources: dict[str, str] = {}
    wrong: dict[str, LocalizedError] = {}
    for name, path in files.items():
        try:
            sources[name] = read_source(path)
        except LocalizedError as error:
            wrong[name] = error
    return sources, wrong


def _check_all(
    game: AnyGame, sources: Mapping[str, str], wrong: dict[str, LocalizedError]
) -> dict[str, str]:
    """Return the strategies of *sources*, and put into *wrong* what is wrong with others."""
    fine: dict[str, str] = {}
    answers = check_sources(game, [*sources.items()])
    for name, answer in zip(sources, answers, strict=True):
        if isinstance(answer, LocalizedError):
            wrong[name] = answer
        else:
            fine[name] = answer
    return fine


def check_sources(
    game: AnyGame, sources: Sequence[tuple[str, str]], *, trial: bool = False
) -> list[str | LocalizedError]:
    """Start each of *sources* as an entry; return its strategy, or what is wrong.

    :param sources: name of a file, and what it holds.
    :param trial: also let it play a match against the kit's strongest strategy.
    """
    tasks: list[_Task] = [(_check, (number, trial)) for number in range(len(sources))]
    answers: dict[int, str | LocalizedError] = {}
    with _Referees(1, game, list(sources), find_sandbox(game).command) as play:
        for (_, (number, _)), answer in play(tasks):
            if isinstance(answer, Died):
                unknown = LocalizedError("", "league.unchecked", why="EOFError")
                killed = LocalizedError("", "league.killed")
                answer = killed if answer.asked == number else unknown
            answers[number] = answer
    return [answers[number] for number in range(len(sources))]


def play_league(
    game: AnyGame,
    files: Mapping[str, Path],
    matches: int = 200,
    seed: str | int | None = None,
    *,
    minutes: float = MINUTES,
    secret: str | None = None,
    referees: int = 2,
    news: Callable[[League], None] = lambda _: None,
    left_out: Mapping[str, LocalizedError] = MappingProxyType({}),
) -> League:
    """Let the strategies in *files* play each other; each plays at least *matches*, unless out.

    In each round all entries are drawn into tables, at which each sits in each seat once, in a deal
    of its own: an entry remembers the last deal. A stopped match is lost for the entry that was
    stopped, which is out after :data:`STRIKES`, and counts for nobody else: they are drawn into
    tables again. A league that is interrupted returns the rounds it has.

    It ends when each has played its matches, or before the first round for which the planned length
    may not suffice. An entry may take its share of that length for the decisions of a match, see
    :func:`share_of_time`; who takes more loses that table and stays in.

    The same seed gives the same fixtures for any number of referees, as long as nobody is stopped.
    The deals come from a secret of 128 bits: an entry could find a short seed by trying, from its
    own hand. The secret of a league that is over repeats its deals.

    :param minutes: the planned length.
    :param secret: of a league to repeat.
    :param files: by the name that the standing shows. What is wrong with one is told there.
    :param referees: number of processes that run matches, at least 1.
    :param news: called after each round.
    :param left_out: what else takes no part, and why; the standing tells it.
    :raises LocalizedError: unless there are 2 to :data:`MOST` entries that can play.
    """
    hide_memory()
    sources, wrong = _read_sources(files)
    fine = _check_all(game, sources, wrong)
    if not 2 <= len(fine) <= MOST:
        raise LocalizedError("", "league.how_many", got=len(fine), most=MOST)
    entries = [(name, sources[name]) for name in fine]
    sandbox = find_sandbox(game)
    league = League(
        game,
        new_seed() if seed is None else str(seed),
        secret or new_seed(),
        list(fine),
        list(fine.values()),
        sandbox,
        rounds=max(1, ceil(matches / game.players)),
        planned=minutes * 60,
        share=share_of_time(game, len(fine), minutes, referees),
        left_out={**left_out, **wrong},
    )
    command = sandbox.command
    job = game, entries, command, league.share
    with suppress(KeyboardInterrupt), _Referees(referees, *job) as play:
        for number in range(league.rounds):
            if len(league.playing()) < 2 or (number > 0 and not league.has_time()):
                break
            begun = monotonic()
            before = len(league.outcomes)
            _play_round(league, number, play)
            # The match of the last round is kept, so not before this one is over.
            for place, outcome in enumerate(league.outcomes[:before]):
                league.outcomes[place] = outcome._replace(record="")
            league.longest = max(league.longest, monotonic() - begun)
            news(league)
    return league


def share_of_time(game: AnyGame, entries: int, minutes: float, referees: int = 2) -> float:
    """Return the seconds that an entry may take for all its decisions of a match.

    If all take as much, *minutes* are enough for one round; but it is never less than
    :data:`LEAST_SHARE`.

    >>> from coursekit.games.wizard import Wizard
    >>> share_of_time(Wizard(3), 9, 18), share_of_time(Wizard(3), 40, 5)
    (80.0, 10)
    """
    tables = max(1, ceil(entries / game.players))  # a league of none is refused later
    return max(LEAST_SHARE, minutes * 60 * referees / (tables * game.players * game.players))


_Task = tuple[Callable[..., Any], tuple[Any, ...]]
_Play = Callable[[list[_Task]], Iterator[tuple[_Task, Any]]]


def _play_round(league: League, number: int, play: _Play) -> None:
    """Play round *number*, until each entry that is not out has a result in it."""
    waiting, times = league.playing(), 0
    while waiting and times < MOST_DRAWS:
        fixtures = _draw_fixtures(league, waiting, number, times)
        outcomes = []
        for (_, (fixture,)), answer in play([(_play_fixture, (fixture,)) for fixture in fixtures]):
            if not isinstance(answer, Died):
                outcomes.append(answer)
            elif answer.asked in fixture.entries:
                killed = LocalizedError("", "league.killed")
                outcomes.append(Outcome(fixture, {}, answer.asked, killed))
            else:
                league.note_incident(fixture)
        league.outcomes += sorted(outcomes, key=lambda outcome: fixtures.index(outcome.fixture))
        waiting = [
            entry
            for entry in league.playing()
            if entry in waiting and not _has_result(entry, outcomes)
        ]
        times += 1


def _has_result(entry: int, outcomes: Sequence[Outcome]) -> bool:
    """Return whether *entry* has a result among *outcomes*, be it that it was stopped."""
    return any(
        outcome.stopped in (None, entry) and entry in outcome.fixture.entries
        for outcome in outcomes
    )


def _draw_fixtures(league: League, entries: list[int], number: int, times: int) -> list[Fixture]:
    """Return tables for *entries* in random order; others that play fill the last table."""
    players = league.game.players
    rng = stream(league.seed, f"round {number}.{times}")
    seated = list(entries)
    stopped = {
        outcome.stopped for outcome in league.outcomes if outcome.fixture.round_number == number
    }
    others = [entry for entry in league.playing() if entry not in (*entries, *stopped)]
    shuffle(rng, seated)
    shuffle(rng, others)
    others += seated[: len(seated) - len(seated) % players]  # who sits at a full table
    seated += others[: -len(seated) % players]
    seated += [HOUSE] * (-len(seated) % players)
    return [
        Fixture(
            number,
            f"{league.secret}/{number}.{times}/{start}",
            tuple(seated[start : start + players]),
        )
        for start in range(0, len(seated), players)
    ]


class _Referees:
    """Processes that do tasks: functions of this module that take :class:`_Entries`, and values."""

    def __init__(
        self,
        count: int,
        game: AnyGame,
        sources: list[tuple[str, str]],
        sandbox: Sequence[str],
        share: float = inf,
    ) -> None:
        self.context = get_context("spawn")
        self.job = game, sources, sandbox, share
        self.folder = TemporaryDirectory(prefix="coursekit-league-", ignore_cleanup_errors=True)
        self.halted: list[_Referee] = []
        self.referees = [self._start() for _ in range(count)]

    def _start(self) -> "_Referee":
        mine, theirs = self.context.Pipe()
        _, sources, *_ = self.job
        board = self.context.RawArray(c_int, [NOBODY, *[0] * len(sources)])
        process = self.context.Process(
            target=_run, args=(theirs, board, self.folder.name, self.job)
        )
        process.start()
        theirs.close()
        return _Referee(process, mine, board)

    def __enter__(self) -> _Play:
        return self._play

    def __exit__(self, *_error: object) -> None:
        for referee in self.referees:
            referee.pipe.close()  # they end by themselves
        for referee in self.referees:
            referee.process.join()
            _end_entries(referee)
        self.folder.cleanup()

    def _play(self, tasks: list[_Task]) -> Iterator[tuple[_Task, Any]]:
        """Yield each of *tasks* with what came of it, :class:`Died` if its referee has ended."""
        waiting = tasks[::-1]
        busy: dict[Any, tuple[int, _Task]] = {}  # by pipe
        while waiting or busy:
            for place, referee in enumerate(self.referees):
                if waiting and referee.pipe not in busy:
                    task = waiting.pop()
                    busy[referee.pipe] = place, task
                    with suppress(OSError):  # one that has ended is found below
                        referee.pipe.send(task)
            ready = cast("list[Any]", wait(list(busy), LOOK))
            if not ready:
                self._end_halted()
            for pipe in ready:
                place, task = busy.pop(pipe)
                try:
                    answer = pipe.recv()  # of our own process, never of an entry's
                except (EOFError, OSError):
                    answer = self._replace(place)
                yield task, answer

    def _replace(self, place: int) -> "Died":
        """Start another referee for one that has ended, and return what is known of its end."""
        gone = self.referees[place]
        gone.process.join()
        gone.pipe.close()
        _end_entries(gone)
        self.referees[place] = self._start()
        return Died(gone.board[0])

    def _end_halted(self) -> None:
        """End each referee that somebody has halted, who did not halt this process as well."""
        import psutil

        halted = []
        for referee in self.referees:
            with suppress(psutil.Error):
                if psutil.Process(referee.process.pid).status() == psutil.STATUS_STOPPED:
                    halted.append(referee)
        for referee in halted:
            if referee in self.halted:  # else it may be about to go on
                referee.process.kill()
        self.halted = halted


def _end_entries(referee: "_Referee") -> None:
    """End the entries that *referee* has left behind."""
    for pid in referee.board[1:]:
        if pid:
            end(pid)


class _Referee(NamedTuple):
    """A process, the pipe to it, and its :data:`.BOARD`."""

    process: Any
    pipe: Any  # a connection, of another class on Windows
    board: Any


class Died(NamedTuple):
    """A referee has ended while it did a task."""

    asked: int
    """The entry that it was asking, :data:`.NOBODY` for none."""


class _Entries:
    """What a referee knows: the game, the entries, and the processes of those that it has met."""

    def __init__(
        self,
        game: AnyGame,
        sources: list[tuple[str, str]],
        sandbox: Sequence[str],
        share: float,
    ) -> None:
        self.game = game
        self.sources = sources
        self.sandbox = sandbox
        self.share = share
        self.processes: dict[int, Process] = {}

    def process(self, entry: int) -> Process:
        """Return the process of an entry.

        :raises LocalizedError: if no strategy can be made of its source.
        """
        if entry not in self.processes:
            name, source = self.sources[entry]
            job = self.game, name, source, self.sandbox, entry, self.share
            self.processes[entry] = Process(*job)
        return self.processes[entry]

    def seconds(self, entries: Sequence[int]) -> dict[int, float]:
        """Return what the decisions of *entries* took since this was asked last."""
        seconds = {}
        for entry in entries:
            if entry in self.processes:
                seconds[entry] = self.processes[entry].total
                self.processes[entry].total = 0.0
        return seconds

    def strategy(self, entry: int) -> type[Strategy]:
        """Return what sits down for an entry, or for :data:`HOUSE`."""
        if entry == HOUSE:
            return kit_of(self.game).strategies[-1]
        return remote_strategy(self.process(entry))


def _run(pipe: Connection, board: Any, folder: str, job: tuple[Any, ...]) -> None:
    """Do tasks until *pipe* is closed, or somebody presses Ctrl-C, which reaches all processes."""
    share_board(board)
    hide_memory()
    tempfile.tempdir = folder  # of all entries, and removed even if this process is killed
    entries = _Entries(*job)
    with suppress(EOFError, ConnectionError, KeyboardInterrupt), watch_entries():
        while True:
            task, values = pipe.recv()
            try:
                answer = ForkingPickler.dumps(task(entries, *values))
            except Exception:  # a mistake of the kit: this table counts for nobody
                print_exc()
                answer = ForkingPickler.dumps(Died(NOBODY))
            pipe.send_bytes(answer)


def _check(entries: _Entries, number: int, trial: bool) -> str | LocalizedError:
    try:
        strategy = entries.process(number).strategy
    except LocalizedError as error:
        return error
    reason = None
    if trial:  # one seating: others wait, and a strategy that thinks takes minutes for all of them
        fixture = Fixture(0, new_seed(), (number, *[HOUSE] * (entries.game.players - 1)))
        reason = _play_fixture(entries, fixture, 1).reason
    if number in entries.processes:
        entries.processes.pop(number).close()  # forty at a time would fill the memory
    return reason or strategy


def _play_fixture(entries: _Entries, fixture: Fixture, seatings: int | None = None) -> Outcome:
    """Play all seatings of *fixture*, or so few that only who is stopped counts."""
    strategies = []
    for entry in fixture.entries:
        try:
            strategies.append(entries.strategy(entry))
        except LocalizedError as error:
            return Outcome(fixture, {}, entry, error)
    game, record = entries.game, ""
    places = lineups(range(game.players), game.players)[:seatings]
    deal = []
    for turn, lineup in enumerate(places):
        players = [strategies[place] for place in lineup]
        try:
            match, numbers = play_match(game, players, f"{fixture.deal}/{turn}", share_of_victory)
        except StrategyError as error:
            seat, reason = read_stop(error)
            entry = fixture.entries[lineup[seat]]
            if entry == HOUSE:
                raise
            seconds = entries.seconds(fixture.entries)
            entries.processes.pop(entry).close()  # whatever state it is in
            return Outcome(fixture, {}, entry, reason, seconds=seconds)
        record = record or match.record().dumps()
        deal.append(numbers)
    seconds = entries.seconds(fixture.entries)
    return Outcome(fixture, collect_numbers(places, deal), record=record, seconds=seconds)


def share_of_victory(match: Match) -> dict[str, list[float]]:
    """Return the share of the victory in percent by seat: several winners divide it."""
    winners = match.game.winners(match.state)
    return {"share": [100 * (seat in winners) / len(winners) for seat in match.game.seats]}
