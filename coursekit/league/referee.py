"""The referee's side of an entry: its process, the questions that it gets, and how it is ended."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from ctypes import c_int
from dataclasses import asdict
from pathlib import Path
from random import Random
from shutil import which
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
from coursekit.words.texts import LANGUAGES, PACKAGE, make_line

HARD = 1.0
"""Seconds for a decision."""
GRACE = 0.4
"""Seconds more, in which an entry can say itself where it was stopped."""
STARTING = 60.0
"""Seconds in which Python must have started."""
LONGEST = 65_536
"""Maximum bytes of an answer."""
DEEPEST = 9
"""Maximum lists in each other in an action, far more than any game has."""
NOBODY = -2
"""In :data:`ASKED`, while no entry is asked."""
ASKED = c_int(NOBODY)
"""The number of the entry that is asked.

The process that runs the league shares this memory with each referee. So it knows which entry a
referee was asking when it died.
"""


def share_asked(memory: c_int) -> None:
    """Let :data:`ASKED` be *memory*, which another process reads."""
    global ASKED
    ASKED = memory


PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMPDIR")
"""Variables of the environment that Python needs; an entry sees no others."""
ISOLATION = (
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
)


def find_sandbox() -> list[str]:
    """Return how to start a process in bubblewrap, without a network; ``[]`` without it."""
    program = which("bwrap") if sys.platform == "linux" else None
    if program is None:
        return []
    places = {"/usr", "/lib", "/lib64", "/bin", sys.prefix, sys.base_prefix, str(PACKAGE)}
    command = [program]
    for place in sorted(places):
        command += ["--ro-bind-try", place, place]
    command += ISOLATION
    attempt = [*command, sys.executable, "-c", ""]
    try:
        subprocess.run(attempt, check=True, capture_output=True, timeout=STARTING)
    except (OSError, subprocess.SubprocessError):  # it is installed, but may not be used here
        return []
    return command


class Process:
    """The process of one entry.

    :param name: of its file.
    :param sandbox: as :func:`find_sandbox` returns it.
    :param number: of the entry in its league.
    :raises LocalizedError: if no strategy can be made of *source*.
    """

    def __init__(
        self, game: AnyGame, name: str, source: str, sandbox: list[str], number: int = 0
    ) -> None:
        self.name = name
        self.number = number
        self.due = 0.0  # when it must have answered; 0 while it is not asked
        self.over = 0.0  # seconds of this match that decisions took beyond their share
        self.why: LocalizedError | None = None
        command = [*sandbox, sys.executable, "-m", "coursekit.league.entry_process"]
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment |= {"PYTHONPATH": str(PACKAGE.parent), "PYTHONHASHSEED": "0"}
        with STARTS:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )
            LIVING.add(self)
        rules = {"game": game.name, "players": game.players, "options": asdict(game.options)}
        try:
            self._exchange(rules, STARTING)
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
        answer = self._exchange({"do": do, **message}, HARD + GRACE)
        self.over += max(0.0, monotonic() - begun - HARD / SHARE)
        if self.over > BANK:
            raise LocalizedError("", "stopped.often", share=HARD / SHARE, seconds=BANK)
        if "error" in answer:
            raise read_error(answer["error"])
        return answer.get("answer")

    def _exchange(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.due = monotonic() + seconds
        ASKED.value = self.number
        try:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline(LONGEST)
        except OSError:
            line = b""
        finally:
            self.due = 0.0
            ASKED.value = NOBODY
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
        elif self.due and _resident(self.process.pid) > 2 * MEMORY << 20:
            self.why = LocalizedError("", "stopped.memory", count=MEMORY)
        else:
            return
        end(self.process.pid)

    def close(self) -> None:
        """End the process and all that it has started."""
        end(self.process.pid)
        LIVING.discard(self)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self.process.wait()


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


def end(pid: int) -> None:
    """Kill a process, its session and its children; on Linux also what has left both."""
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
    with STARTS:
        known = OTHERS | {entry.process.pid for entry in LIVING} | {pid}
        for orphan in psutil.Process().children() if OTHERS else ():
            with suppress(psutil.Error):
                if orphan.pid not in known:
                    orphan.kill()
                    orphan.wait(GRACE)


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


SAYABLE = ("strategy.", "strategy_method.", "stopped.", "league.syntax", "league.no_strategy")
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
