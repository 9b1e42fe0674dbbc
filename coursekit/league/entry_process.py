"""The process of one entry of a league: it gets observations, gives actions, and has nothing else.

Lines of JSON come in and go out, one for one. What the process does beside that is bounded:
:mod:`coursekit.core.watchdog` interrupts long decisions, the system refuses what is not needed
(:mod:`coursekit.league.entry_limits`), and whatever is printed is lost. The referee
(:mod:`coursekit.league.referee`) lets it rest between two questions, and ends it if that is not
enough.
"""

import json
import linecache
import os
import random
import sys
from collections.abc import Callable
from importlib import import_module
from io import RawIOBase, TextIOBase
from types import ModuleType, SimpleNamespace
from typing import Any, BinaryIO

from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.core.observation_json import unpack_observation
from coursekit.core.strategy import Strategy, ask_strategy, make_player, strategy_error
from coursekit.core.syntax_errors import explain_syntax
from coursekit.core.watchdog import ask_in_time, watch_work
from coursekit.kit import kit_of
from coursekit.league.entry_limits import (
    bound_resources,
    can_forbid_calls,
    drop_rights,
    end_with_parent,
    forbid_calls,
    hide_memory,
)
from coursekit.words.texts import class_name

PRINTED = 65_536
"""Maximum characters that an entry prints in one match; nobody reads them."""
REFUSED = (
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.killpg",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.posix_spawn",
    "os.system",
    "os.exec",
    "subprocess.Popen",
    "socket.connect",
)
"""What an entry may not do by accident; malice finds a way around, and the referee ends it."""


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

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.strategy: type[Strategy] = Strategy
        self.players: dict[int, Strategy] = {}

    def load(self, source: str, name: str) -> str:
        """Run *source*, and return the name of the strategy in it: the last one of several.

        :raises StrategyError: if it fails.
        :raises LocalizedError: if there is none.
        """
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        module = sys.modules["entry"] = ModuleType("entry")

        def run(code: str) -> None:
            exec(compile(code, name, "exec"), vars(module))

        try:
            ask_in_time(run, source, SimpleNamespace(time_limit=1.0))
        except SyntaxError as error:
            raise explain_syntax(error, source) from None
        except BaseException as error:
            named = type(name, (Strategy,), {"__module__": "entry"})  # as the sentence names it
            raise strategy_error(named, 0, error) from None
        strategies = [thing for thing in vars(module).values() if _is_own_strategy(thing)]
        if not strategies:
            raise LocalizedError("", "league.no_strategy")
        self.strategy = strategies[-1]
        return class_name(self.strategy)

    def sit(self, seat: int, seed: str) -> None:
        """Sit down at *seat* for a new match."""
        Quiet.left = PRINTED
        random.seed(seed)
        self.players[seat] = make_player(self.strategy, seat, self.game, seed)

    def decide(self, seat: int, **packed: Any) -> Any:
        """Return the action for the observation of *seat*."""
        return ask_strategy(self.players[seat], seat, unpack_observation(self.game, packed))


def _is_own_strategy(thing: Any) -> bool:
    own = isinstance(thing, type) and thing.__module__ == "entry"
    return own and issubclass(thing, Strategy)


def error_json(error: LocalizedError) -> dict[str, Any]:
    """Return *error* as JSON can hold it."""
    values = {
        name: error_json(value) if isinstance(value, LocalizedError) else value
        for name, value in error.values.items()
    }
    return {"text": error.text, "values": values}


def answer_line(entry: Entry, line: bytes) -> bytes:
    """Return the answer to a *line* of the referee: what *entry* returns, or its error."""
    message = json.loads(line)
    methods: dict[str, Callable[..., Any]] = {
        "load": entry.load,
        "sit": entry.sit,
        "decide": entry.decide,
    }
    method = methods[message.pop("do")]
    try:
        answer = {"answer": method(**message)}
    except LocalizedError as error:
        answer = {"error": error_json(error)}
    try:
        words = json.dumps(answer)
    except Exception:  # no action of any game; some fail in their own way
        words = json.dumps({"answer": f"<class '{class_name(type(answer.get('answer')))}'>"})
    return words.encode() + b"\n"


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise an error if *event* is one of :data:`REFUSED`, or opens a file to write."""
    writes = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes or event in REFUSED:
        what = "write files" if writes else event
        raise PermissionError(f"an entry of a league may not do this: {what}")


def open_pipes() -> tuple[BinaryIO, RawIOBase]:
    """Return where questions come from and answers go; entries read and print elsewhere."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    sys.stdout = sys.stderr = Quiet()
    return questions, answers


def main() -> None:
    """Answer the referee until it closes the connection."""
    end_with_parent()
    hide_memory()
    drop_rights()
    questions, answers = open_pipes()
    message = json.loads(questions.readline())
    import_module(message["kit"])
    rules = kit_of(message["game"]).rules
    entry = Entry(rules(message["players"], rules.options_from(message["options"])))
    bound_resources()
    if can_forbid_calls():
        forbid_calls()
    sys.addaudithook(refuse)
    answers.write(b'{"answer": "ready"}\n')

    def work() -> None:
        for line in questions:
            answers.write(answer_line(entry, line))

    watch_work(work)


if __name__ == "__main__":
    main()
