"""Checks of an exercise: runs the examples of its docstring and says what came of each.

A cell that ends with ``check(points)`` shows the text; a program that grades asks whether it is
true: ``assert (result := check(points)), result``.
"""

import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from coursekit.core.errors import InterruptedDecision, LocalizedError
from coursekit.core.strategy import error_words, own_frames
from coursekit.core.strategy_methods import signatures
from coursekit.core.watchdog import ask_in_time
from coursekit.words.language import current_language
from coursekit.words.texts import shorten, text

EXAMPLE = "<example>"
"""The file that the code of an example is in."""


def methods(game: Any, language: str | None = None) -> None:
    """Print the methods that a strategy for *game* may have, a line each.

    :param game: a game, its class, its name or its kit.
    :raises UnknownGameError: a ``ValueError``, if there is none.
    """
    language = language or current_language()
    rules = getattr(game, "rules", game)
    if not hasattr(rules, "phases"):
        from coursekit.kit import kit_of  # here, since lessons ask by the game

        rules = kit_of(game).rules
    print("\n".join([*signatures(rules, language), "", text("strategy_method.look", language)]))


@dataclass(frozen=True)
class CheckResult:
    """What came of the examples of a function: true if there are some and all are right."""

    text: str
    """A line for each example."""
    is_right: bool = False

    def __bool__(self) -> bool:
        return self.is_right

    def __repr__(self) -> str:
        return self.text


def check(function: Callable[..., Any], language: str | None = None) -> CheckResult:
    """Return for each example in the docstring of *function* whether its result is right.

    An example is a line ``>>> points(2, 2)``, with the result on the next line.

    :raises LocalizedError: if *function* is none.
    """
    language = language or current_language()
    import doctest  # with all that tests need, so only where there is something to check

    if not callable(function):
        error = LocalizedError("", "cell.no_function", name="check", got=shorten(function))
        error.tell(language)
        raise error
    name = getattr(function, "__name__", type(function).__name__)
    try:
        examples = doctest.DocTestParser().get_examples(inspect.getdoc(function) or "")
    except ValueError as error:  # such as no space behind >>>
        return CheckResult(text("exercise.unreadable", language, name=name, error=str(error)))
    if not any(example.want for example in examples):
        return CheckResult(text("exercise.no_examples", language, name=name))
    home = sys.modules.get(function.__module__)
    names = {**getattr(function, "__globals__", vars(home) if home else {}), name: function}
    lines = []
    right = True
    for example in examples:
        call, want = example.source.strip(), example.want.strip()
        outcome, values = _try(call, want, names)
        if outcome != "prepared":
            lines.append(text(f"exercise.{outcome}", language, call=call, want=want, **values))
        right = right and outcome in ("prepared", "right")
    if right:
        lines.append(text("exercise.done", language))
    return CheckResult("\n".join(lines), right)


def _try(call: str, want: str, names: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what comes of *call*, the name of a text, with its values."""
    try:
        got = _evaluate(call, want, names)
    except KeyboardInterrupt:
        raise
    except InterruptedDecision as error:
        last = (own_frames(error.frames) or error.frames)[-1]
        return "stopped", {"line": last.lineno, "code": last.line}
    except BaseException as error:
        own = own_frames(traceback.extract_tb(error.__traceback__))
        lines = [frame for frame in own if frame.filename != EXAMPLE]
        values = {"error": error_words(error)}
        if not lines:
            return "raised", values
        return "raised_in", {**values, "line": lines[-1].lineno, "code": lines[-1].line}
    if not want:
        return "prepared", {}
    if got == "None" != want:
        return "nothing", {}
    return ("right" if got == want else "wrong"), {"got": got}


def _evaluate(call: str, want: str, names: dict[str, Any]) -> str:
    """Return the ``repr`` of what *call* returns; it may take as long as a decision.

    What has no result, such as ``>>> cards = [1, 2]``, is carried out for the examples below it.
    """
    code = compile(call, EXAMPLE, "eval" if want else "exec")
    return repr(ask_in_time(lambda code: eval(code, names), code, SimpleNamespace(time_limit=1)))
