"""What runs in the process of one entry of a league: it gets observations, gives actions, and has
nothing else.

Lines of JSON come in and go out, one for one. What the process does beside that is bounded as far
as Python can: :mod:`coursekit.core.watchdog` interrupts long decisions, the system refuses memory,
and whatever is printed is lost. The referee (:mod:`coursekit.league.referee`) ends the process if
that is not enough.
"""

import json
import linecache
import os
import random
import sys
from collections.abc import Callable
from io import RawIOBase, TextIOBase
from types import ModuleType, SimpleNamespace
from typing import Any, BinaryIO

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.match import PRINTED
from coursekit.core.observation_json import unpack_observation
from coursekit.core.strategy import Strategy, ask_strategy, make_player, strategy_error
from coursekit.core.watchdog import MEMORY, ask_in_time, watch_work
from coursekit.kit import kit_of

REFUSED = (
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.system",
    "os.exec",
    "subprocess.Popen",
    "socket.connect",
)
"""What an entry may not do by accident; whoever means it finds a way around, and the referee ends
what comes of it.
"""


class Quiet(TextIOBase):
    """Loses what is printed, and complains when it is too much."""

    left = PRINTED

    def write(self, words: str, /) -> int:
        """Count *words*."""
        self.left -= len(words)
        if self.left < 0:
            raise OSError(f"an entry may print {PRINTED} characters a match")
        return len(words)


class Entry:
    """A strategy, made of the source of a file, and its instances by seat."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game
        self.kind: type[Strategy] = Strategy
        self.seated: dict[int, Strategy] = {}

    def load(self, source: str, name: str) -> str:
        """Run *source*, and return the name of the strategy in it: the last one, if there are
        several.

        :raises StrategyError: if it fails.
        :raises LocalizedError: if there is none.
        """
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        module = sys.modules["entry"] = ModuleType("entry")
        kind = type(name, (Strategy,), {"__module__": "entry"})  # for what is said of an error
        try:
            ask_in_time(
                lambda code: exec(compile(code, name, "exec"), vars(module)),
                source,
                SimpleNamespace(time_limit=1.0),
            )
        except SyntaxError as error:
            raise LocalizedError(
                "", "league.syntax", line=error.lineno or 0, why=error.msg
            ) from None
        except BaseException as error:
            raise strategy_error(kind, 0, error) from None
        found = [
            each
            for each in vars(module).values()
            if isinstance(each, type) and each.__module__ == "entry"
        ]
        found = [each for each in found if issubclass(each, Strategy)]
        if not found:
            raise LocalizedError("", "league.no_strategy")
        self.kind = found[-1]
        return self.kind.__name__

    def sit(self, seat: int, seed: str) -> None:
        """Sit down at *seat* for a new match."""
        Quiet.left = PRINTED
        random.seed(seed)
        self.seated[seat] = make_player(self.kind, seat, self.game, seed)

    def decide(self, seat: int, **seen: Any) -> Any:
        """Return the action for what *seat* sees."""
        return ask_strategy(self.seated[seat], seat, unpack_observation(self.game, seen))


def told(error: LocalizedError) -> dict[str, Any]:
    """Return *error* as JSON can hold it."""
    values = {
        name: told(value) if isinstance(value, LocalizedError) else value
        for name, value in error.values.items()
    }
    return {"text": error.text, "values": values}


def answered(entry: Entry, line: bytes) -> bytes:
    """Return the answer to a *line* of the referee: what a method of *entry* returns, or the error
    that it raises.
    """
    message = json.loads(line)
    method: Callable[..., Any] = getattr(entry, message.pop("do"))
    try:
        answer = {"answer": method(**message)}
    except LocalizedError as error:
        answer = {"error": told(error)}
    try:
        return json.dumps(answer).encode() + b"\n"
    except (TypeError, ValueError, RecursionError):
        return (
            json.dumps({"answer": repr(type(answer.get("answer")))}).encode() + b"\n"
        )  # no action of any game


def bound_memory() -> None:
    """Let the system refuse more than :data:`.MEMORY` megabytes, where it can."""
    if sys.platform == "win32":  # there the referee looks how much it is
        return
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY << 20, MEMORY << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def refuse(event: str, _arguments: Any) -> None:
    """Raise an error if *event* is one of :data:`REFUSED`."""
    if event in REFUSED:
        raise PermissionError(f"an entry of a league may not do this: {event}")


def apart() -> tuple[BinaryIO, RawIOBase]:
    """Return where questions come from and answers go; what else is read or printed has an end of
    its own.
    """
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    sys.stdout = sys.stderr = Quiet()
    return questions, answers


def main() -> None:
    """Answer the referee until it closes the connection."""
    questions, answers = apart()
    rules = json.loads(questions.readline())
    kind = kit_of(rules["game"]).rules
    entry = Entry(kind(rules["players"], kind.options_from(rules["options"])))
    bound_memory()
    sys.addaudithook(refuse)
    answers.write(b'{"answer": "ready"}\n')

    def work() -> None:
        for line in questions:
            answers.write(answered(entry, line))

    watch_work(work)


if __name__ == "__main__":
    main()
