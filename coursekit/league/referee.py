"""The referee's side of an entry: its process, the questions that it gets, and how it is ended."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from random import Random
from shutil import which
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, ClassVar

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.observation_json import pack_observation
from coursekit.core.options import to_tuples
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.core.watchdog import BANK, MEMORY, SHARE, TICK
from coursekit.words.texts import PACKAGE, MissingText, shorten

HARD = 1.0
"""Seconds for a decision."""
GRACE = 0.4
"""Seconds more, in which an entry can say itself where it was stopped."""
STARTING = 60.0
"""Seconds in which Python must have started."""
LONGEST = 65_536
"""Maximum bytes of an answer."""
PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMPDIR")
"""Variables of the environment that Python needs; an entry sees no others."""
APART = (
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


def sandbox() -> list[str]:
    """Return how to start a process in bubblewrap, with Python's files and no network; ``[]`` where
    that is missing.
    """
    program = which("bwrap") if sys.platform == "linux" else None
    if program is None:
        return []
    places = {"/usr", "/lib", "/lib64", "/bin", sys.prefix, sys.base_prefix, str(PACKAGE)}
    found = [part for each in sorted(places) for part in ("--ro-bind-try", each, each)]
    command = [program, *found, *APART]
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [*command, sys.executable, "-c", ""], check=True, capture_output=True, timeout=STARTING
        )
        return command
    return []  # it is installed, but may not be used here


class Process:
    """The process of one entry.

    :param name: of its file.
    :param inside: as :func:`sandbox` returns it.
    :raises LocalizedError: if no strategy can be made of *source*.
    """

    def __init__(
        self, game: Game[Any, Any, Any], name: str, source: str, inside: list[str]
    ) -> None:
        self.name = name
        self.due = 0.0  # when it must have answered; 0 while it is not asked
        self.over = 0.0  # seconds of this match that decisions took beyond their share
        self.why: LocalizedError | None = None
        command = [*inside, sys.executable, "-m", "coursekit.league.entry_process"]
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
            self._asked(rules, STARTING)
            self.strategy = shorten(self.ask("load", source=source, name=name)).strip("'")
        except BaseException:
            self.close()
            raise

    def ask(self, do: str, **message: Any) -> Any:
        """Return the answer to a question.

        :raises LocalizedError: the one that the entry has raised, or saying what the process did instead of
            answering.
        """
        begun = monotonic()
        answer = self._asked({"do": do, **message}, HARD + GRACE)
        self.over += max(0.0, monotonic() - begun - HARD / SHARE)
        if self.over > BANK:
            raise LocalizedError("", "stopped.often", share=HARD / SHARE, seconds=BANK)
        if "error" in answer:
            raise heard(answer["error"])
        return answer.get("answer")

    def _asked(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.due = monotonic() + seconds
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
            gone = self.process.poll() is not None  # and a child of it keeps the pipe open
            self.why = (
                LocalizedError("", "league.gone")
                if gone
                else LocalizedError("", "league.silent", seconds=HARD)
            )
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
    """Kill a process, its session, its children, and what has left both and come to this process
    (Linux).
    """
    import psutil

    with suppress(psutil.Error):
        for each in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                each.kill()
    with suppress(OSError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)  # which is no question there
        else:
            os.killpg(pid, signal.SIGKILL)
    with STARTS:
        known = OTHERS | {each.process.pid for each in LIVING}
        for orphan in psutil.Process().children() if OTHERS else ():
            with suppress(psutil.Error):
                if orphan.pid not in known and orphan.pid != pid:
                    orphan.kill()
                    orphan.wait(GRACE)


@contextmanager
def watching() -> Iterator[None]:
    """Look at all entries until the end, and leave none of their processes behind.

    Meanwhile this process must start no others.
    """
    import psutil

    ended: list[bool] = []

    def look() -> None:
        while not ended:
            for each in list(LIVING):
                each.look()
            sleep(TICK)

    if _adopts(True):
        OTHERS.update({os.getpid(), *(each.pid for each in psutil.Process().children())})
    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.append(True)
        thread.join()
        for each in list(LIVING):
            each.close()
        OTHERS.clear()
        _adopts(False)


def _adopts(whether: bool) -> bool:
    """Say whether processes come to this one when their parent ends, and return whether that can be
    had (Linux).
    """
    if sys.platform != "linux":
        return False
    import ctypes

    return bool(ctypes.CDLL(None).prctl(36, int(whether), 0, 0, 0) == 0)  # PR_SET_CHILD_SUBREAPER


PLAIN = (str, int, float)


def heard(message: Any) -> LocalizedError:
    """Return the error in a *message* of an entry, if it is one of those that an entry may raise."""
    try:
        values = {
            name: heard(each)
            if isinstance(each, dict)
            else each
            if type(each) in PLAIN[1:]
            else str(each)[:200]
            for name, each in message["values"].items()
        }
        error = LocalizedError("", message["text"], **values)
        if message["text"].startswith(("strategy.", "league.", "stopped.")) and error.sentence(
            "en"
        ):
            return error
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, MissingText):
        pass
    return LocalizedError("", "league.nonsense")


class Remote(Strategy):
    """Sits at a table for an entry, and asks its process.  A subclass has the process."""

    process: ClassVar[Process]

    def __init__(self, rng: Random, game: Game[Any, Any, Any]) -> None:
        super().__init__(rng, game)
        self._begun: set[int] = set()
        self._seed = str(rng.getrandbits(128))  # not the match's: that would tell all hands
        self.process.over = 0.0

    def decide(self, obs: Any) -> Any:
        if obs.seat not in self._begun:
            self._begun.add(obs.seat)
            self._ask(obs.seat, "sit", seat=obs.seat, seed=self._seed)
        return to_tuples(self._ask(obs.seat, "decide", seat=obs.seat, **pack_observation(obs)))

    def _ask(self, at: int, do: str, **message: Any) -> Any:
        try:
            return self.process.ask(do, **message)
        except LocalizedError as error:
            raise Stop(at, error) from None


class Stop(BaseException):
    """The entry at *seat* was stopped for *reason*."""

    def __init__(self, seat: int, reason: LocalizedError) -> None:
        super().__init__()
        self.seat, self.reason = seat, reason


def seat_for(process: Process) -> type[Remote]:
    """Return the strategy that sits down for an entry."""
    return type(process.strategy, (Remote,), {"process": process, "__module__": __name__})


def source_of(path: Path) -> str:
    """Return the source in *path*.

    :raises LocalizedError: if it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise LocalizedError("", "league.unreadable", why=str(error)[:200]) from None


def stopped_by(error: BaseException) -> tuple[int, LocalizedError] | None:
    """Return the seat that an *error* of a match stopped, and why; ``None`` if it is no entry's."""
    if isinstance(error, StrategyError) and isinstance(error.__cause__, Stop):
        return error.__cause__.seat, error.__cause__.reason
    if isinstance(error, StrategyError):
        return error.seat, error
    return None
