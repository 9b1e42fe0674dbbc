"""The referee's side of an entry: its process, the questions that it gets, and how it is ended."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from math import floor, inf
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, ClassVar

from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.core.observation_json import pack_observation
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.core.watchdog import BANK, MEMORY, SHARE, TICK
from coursekit.files.disk import disk_error_reason
from coursekit.files.text_files import LINE_END, EncodingError, NotTextError, decode
from coursekit.league.entry_files import LARGEST, LONGEST_NAME
from coursekit.league.sandbox import MODULE, STARTING, entry_environment, kit_module
from coursekit.words.texts import LANGUAGES, make_line

HARD = 1.0
"""Seconds for a decision."""
GRACE = 0.4
"""Seconds more, in which an entry can say itself where it was stopped."""
ENDING = 5.0
"""Seconds in which all that an entry has started must have ended."""
LONGEST = 65_536
"""Maximum bytes of an answer."""
DEEPEST = 9
"""Maximum lists in each other in an action, far more than any game has."""
NOBODY = -2
"""In :data:`BOARD`, while no entry is asked."""
BOARD: Any = [NOBODY]
"""The number of the entry that is asked, then the process of each entry, 0 for none.

The process that runs the league shares this memory with each referee. So it knows which entry a
referee was asking when it died, and which processes it has left behind.
"""


def share_board(memory: Any) -> None:
    """Let :data:`BOARD` be *memory*, which another process reads."""
    global BOARD
    BOARD = memory


class Process:
    """The process of one entry.

    :param name: of its file.
    :param sandbox: starts it; the command of a :class:`.Sandbox`.
    :param number: of the entry in its league.
    :param share: seconds for all decisions of a match.
    :raises LocalizedError: if no strategy can be made of *source*.
    """

    def __init__(
        self,
        game: AnyGame,
        name: str,
        source: str,
        sandbox: Sequence[str],
        number: int = 0,
        share: float = inf,
    ) -> None:
        self.name = name
        self.number = number
        self.due = 0.0  # when it must have answered; 0 while it is not asked
        self.over = 0.0  # seconds of this match that decisions took beyond their share
        self.spent = 0.0  # seconds of this match
        self.total = 0.0  # seconds of all matches
        self.share = share
        self.why: LocalizedError | None = None
        self.folder = mkdtemp(prefix="coursekit-entry-")
        here = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self.folder)
        with STARTS:
            self.process = subprocess.Popen(
                [*sandbox, sys.executable, "-m", MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=entry_environment(game) | here,
                cwd=self.folder,
                start_new_session=True,
            )
            LIVING.add(self)
        self._show(self.process.pid)
        self.inner: int | None = None  # who is held between questions, as soon as it is ready
        rules = {
            "kit": kit_module(game),
            "game": game.name,
            "players": game.players,
            "options": asdict(game.options),
        }
        try:
            self._exchange(rules, STARTING)
            self.inner = self.process.pid
            if sandbox:
                self.inner, *_ = _children_of(self.process.pid)
            self.strategy = make_line(str(self.ask("load", source=source, name=name)), LONGEST_NAME)
        except BaseException:
            self.close()
            raise

    def ask(self, do: str, **message: Any) -> Any:
        """Return the answer to a question.

        :raises LocalizedError: the one that the entry has raised, or one that says what the
            process did instead of answering.
        """
        begun = monotonic()
        try:
            answer = self._exchange({"do": do, **message}, HARD + GRACE)
        finally:
            took = monotonic() - begun
            self.over += max(0.0, took - HARD / SHARE)
            self.spent += took
            self.total += took
        if self.over > BANK:
            raise LocalizedError("", "stopped.often", share=HARD / SHARE, seconds=BANK)
        if "error" in answer:
            raise read_error(answer["error"])
        if self.spent > self.share:
            raise LocalizedError("", "league.overtime", seconds=floor(self.share))
        return answer.get("answer")

    def _exchange(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.due = monotonic() + seconds
        BOARD[0] = self.number
        try:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self._rest(False)
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline(LONGEST)
        except OSError:
            line = b""
        finally:
            self.due = 0.0
            self._rest(True)
        BOARD[0] = NOBODY  # not after an interruption, which may be the entry's
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self.why or LocalizedError("", "league.nonsense" if line else "league.gone")
        return answer

    def look(self) -> None:
        """End the process if it takes too long or too much memory."""
        if self.due and monotonic() > self.due:
            if self.process.poll() is None:
                self.why = LocalizedError("", "league.silent", seconds=HARD)
            else:  # and a child of it keeps the pipe open
                self.why = LocalizedError("", "league.gone")
        elif self.due and _resident(self.inner or self.process.pid) > 2 * MEMORY << 20:
            self.why = LocalizedError("", "stopped.memory", count=MEMORY)
        else:
            return
        end(self.process.pid)

    def _rest(self, whether: bool) -> None:
        """Hold all that the entry runs, which is not its turn, or let it go on."""
        if self.inner is None or self.process.poll() is not None:
            return
        with suppress(OSError):
            if sys.platform == "win32":
                hold_on_windows(self.inner, whether)
            else:
                os.kill(self.inner, signal.SIGSTOP if whether else signal.SIGCONT)

    def _show(self, pid: int) -> None:
        if self.number + 1 < len(BOARD):
            BOARD[self.number + 1] = pid

    def close(self) -> None:
        """End the process and all that it has started."""
        end(self.process.pid)
        self._show(0)
        LIVING.discard(self)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self.process.wait()
        rmtree(self.folder, ignore_errors=True)


LIVING: set[Process] = set()
"""The processes of all entries."""
STARTS = Lock()
"""Held while one is started."""
OTHERS: set[int] = set()
"""Children of this process that are no entry's, while it adopts those of entries."""


def _resident(pid: int) -> int:
    import psutil  # here, as a class's server knows of leagues and rarely has one

    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def hold_on_windows(pid: int, whether: bool) -> None:
    """Let a process rest, or go on, where no signal does that."""
    import psutil

    with suppress(psutil.Error):
        process = psutil.Process(pid)
        (process.suspend if whether else process.resume)()


def end(pid: int) -> None:
    """Kill a process, its session and its children; on Linux also what has left both.

    What starts others faster than one look takes is looked for again, until none is left.
    """
    import psutil

    with suppress(psutil.Error):
        for child in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                child.kill()
    with suppress(OSError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)  # which is no question there
        else:
            os.killpg(pid, signal.SIGKILL)
    last = monotonic() + ENDING
    with STARTS:
        known = OTHERS | {entry.process.pid for entry in LIVING} | {pid}
        while OTHERS and monotonic() < last:
            dead = _is_dead(pid)  # before that, what it started is no orphan: ask before looking
            orphans = _children_of(os.getpid()) - known
            if not orphans:  # the list is fast, and lacks some while others end
                orphans = {child.pid for child in psutil.Process().children()} - known
            if dead and not orphans:
                break
            for orphan in orphans:
                _kill_orphan(orphan)


def _children_of(pid: int) -> set[int]:
    """Return the processes that *pid* has started or adopted, on Linux."""
    try:
        lists = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # a thread has ended meanwhile; the next look is complete
        return {NOBODY}
    return {int(child) for children in lists for child in children.split()}


def _is_dead(pid: int) -> bool:
    if sys.platform != "linux":
        return True
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # somebody has waited for it
        return True


def _kill_orphan(pid: int) -> None:
    if sys.platform != "win32" and pid > 0:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, os.WNOHANG)


@contextmanager
def watch_entries() -> Iterator[None]:
    """Look at all entries meanwhile, and leave none of their processes behind.

    This process must start no others before the end.
    """
    import psutil

    ended: list[bool] = []

    def look() -> None:
        while not ended:
            for entry in list(LIVING):
                entry.look()
            sleep(TICK)

    if _adopt_orphans(True):
        OTHERS.update({os.getpid(), *(child.pid for child in psutil.Process().children())})
    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.append(True)
        thread.join()
        for entry in list(LIVING):
            entry.close()
        OTHERS.clear()
        _adopt_orphans(False)


def _adopt_orphans(whether: bool) -> bool:
    """Have processes come to this one when their parent ends; return whether the system can."""
    if sys.platform != "linux":
        return False
    import ctypes

    return bool(ctypes.CDLL(None).prctl(36, int(whether), 0, 0, 0) == 0)  # PR_SET_CHILD_SUBREAPER


SAYABLE = ("strategy.", "strategy_method.", "stopped.", "syntax.", "league.no_strategy")
"""How the texts of errors begin that an entry may raise; others blame somebody else."""


def read_error(message: Any, depth: int = 0) -> LocalizedError:
    """Return the error in a *message* of an entry, if an entry may raise such an error."""
    try:
        values = {name: _read_value(value, depth) for name, value in message["values"].items()}
        error = LocalizedError("", message["text"], **values)
        if message["text"].startswith(SAYABLE):
            for language in LANGUAGES:
                error.sentence(language)  # some values fit in no sentence
            return error
    except Exception:  # an entry can send anything; whatever cannot be read is no error of the kit
        pass
    return LocalizedError("", "league.nonsense")


def _read_value(value: Any, depth: int) -> Any:
    if isinstance(value, dict) and value.keys() == set(LANGUAGES):  # what another error says
        return {language: make_line(str(words)) for language, words in value.items()}
    if isinstance(value, dict) and depth == 0:  # a reason, which has none itself
        return read_error(value, depth + 1)
    if type(value) is float or (type(value) is int and value.bit_length() <= 64):
        return value
    return make_line(str(value))


class Remote(Strategy):
    """Sits at a table for an entry, and asks its process.  A subclass has the process."""

    process: ClassVar[Process]

    def __init__(self, rng: Random, game: AnyGame) -> None:
        super().__init__(rng, game)
        self._begun: set[int] = set()
        self._seed = str(rng.getrandbits(128))  # not the match's: that would tell all hands
        self.process.over = 0.0
        self.process.spent = 0.0

    def decide(self, obs: Any) -> Any:
        if obs.seat not in self._begun:
            self._begun.add(obs.seat)
            self._ask(obs.seat, "sit", seat=obs.seat, seed=self._seed)
        return self._ask(obs.seat, "decide", seat=obs.seat, **pack_observation(obs))

    def _ask(self, at: int, do: str, **message: Any) -> Any:
        try:
            return read_action(self.process.ask(do, **message))
        except LocalizedError as error:
            raise Stop(at, error) from None


def read_action(answer: Any) -> Any:
    """Return the action in an *answer* of an entry.

    :raises LocalizedError: if it is nested so deep, or has such characters, that no game takes it.
    """
    try:
        json.dumps(answer, ensure_ascii=False).encode()
        return _to_action(answer, DEEPEST)
    except (RecursionError, ValueError):  # one of them is half a character
        raise LocalizedError("", "league.nonsense") from None


def _to_action(value: Any, depth: int) -> Any:
    """Return *value* with tuples instead of lists, which may be *depth* deep."""
    if not isinstance(value, list | dict):
        return value
    if depth == 0:
        raise RecursionError
    if isinstance(value, dict):
        return {name: _to_action(part, depth - 1) for name, part in value.items()}
    return tuple(_to_action(part, depth - 1) for part in value)


class Stop(BaseException):
    """The entry at *seat* was stopped for *reason*."""

    def __init__(self, seat: int, reason: LocalizedError) -> None:
        super().__init__()
        self.seat, self.reason = seat, reason


def remote_strategy(process: Process) -> type[Remote]:
    """Return the strategy that sits down for an entry."""
    return type(process.strategy, (Remote,), {"process": process, "__module__": __name__})


def read_source(path: Path) -> str:
    """Return the source in *path*.

    :raises LocalizedError: if it cannot be read, is empty, or larger than :data:`.LARGEST`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise LocalizedError("", "league.large", most=f"{LARGEST:,}")
        source = LINE_END.sub("\n", decode(data))
    except OSError as error:
        why = disk_error_reason(error, path.parent)
        raise LocalizedError("", "league.left.unreadable", why=why) from None
    except (NotTextError, EncodingError) as error:
        raise LocalizedError("", "league.unreadable", why=error) from None
    if not source.strip():
        raise LocalizedError("", "league.empty")
    return source


def read_stop(error: StrategyError) -> tuple[int, LocalizedError]:
    """Return the seat that an *error* of a match stopped, and why."""
    stop = error.__cause__
    return (stop.seat, stop.reason) if isinstance(stop, Stop) else (error.seat, error)
