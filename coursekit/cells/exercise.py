"""Checks of an exercise: runs the examples of its docstring and says what came of each."""

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from coursekit.core.errors import InterruptedDecision
from coursekit.core.strategy import own_frames
from coursekit.core.strategy_methods import signatures
from coursekit.core.watchdog import ask_in_time
from coursekit.words.language import current_language
from coursekit.words.texts import text


def methods(game: Any, language: str | None = None) -> None:
    """Print the methods that a strategy for *game* may have, a line each.

    :param game: a game, its class or its kit.
    """
    language = language or current_language()
    rules = getattr(game, "rules", game)
    print("\n".join([*signatures(rules, language), "", text("strategy_method.look", language)]))


def check(function: Callable[..., Any], language: str | None = None) -> None:
    """Print for each example in the docstring of *function* whether its result is right.

    An example is a line ``>>> points(2, 2)``, with the result on the next line.
    """
    language = language or current_language()
    import doctest  # with all that tests need, so only where there is something to check

    name = function.__name__
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(function) or "")
    if not examples:
        print(text("exercise.no_examples", language, name=name))
        return
    names = {**function.__globals__, name: function}
    right = 0
    for example in examples:
        call, want = example.source.strip(), example.want.strip()
        outcome, values = _try(call, want, names)
        print(text(f"exercise.{outcome}", language, call=call, want=want, **values))
        right += outcome == "right"
    if right == len(examples):
        print(text("exercise.done", language))


def _try(call: str, want: str, names: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what comes of *call*, the name of a text, with its values."""
    try:
        got = _evaluate(call, names)
    except KeyboardInterrupt:
        raise
    except InterruptedDecision as error:
        last = own_frames(error.frames)[-1]
        return "stopped", {"line": last.lineno, "code": last.line}
    except BaseException as error:
        return "raised", {"error": f"{type(error).__name__}: {error}"}
    return ("right" if got == want else "wrong"), {"got": got}


def _evaluate(call: str, names: dict[str, Any]) -> str:
    """Return the ``repr`` of what *call* returns; it may take as long as a decision."""
    return repr(ask_in_time(lambda call: eval(call, names), call, SimpleNamespace(time_limit=1)))
