"""Players made of code: the base class, and a strategy that plays any game at random."""

import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from inspect import cleandoc, unwrap
from opcode import opname
from pathlib import Path
from random import Random
from sysconfig import get_paths
from types import CodeType, FrameType, SimpleNamespace
from typing import Any, ClassVar, NamedTuple

from coursekit.core import strategy_methods
from coursekit.core.chance import stream
from coursekit.core.errors import (
    InterruptedDecision,
    LocalizedError,
    OptionError,
    nearest,
    unknown_attribute,
)
from coursekit.core.game import TABLE, Game, IllegalAction, Seat, pick_action
from coursekit.core.surroundings import NobodyAnswersError
from coursekit.core.watchdog import ask_in_time
from coursekit.words.language import current_language
from coursekit.words.texts import LANGUAGES, class_name, make_line, shorten

Numbers = range | tuple[float, float] | tuple[str, ...]
"""Allowed values of a number: whole numbers, all from the least to the most, or some words."""


class Reason(NamedTuple):
    """Why a strategy did something: a text id of its game, and the values of that text."""

    text: str
    values: Mapping[str, Any] = {}


class Strategy:
    """Decides for one seat in one match.  Write one method for each phase you care about.

    The method has the phase's name, takes an observation and returns an action::

        class Brave(Strategy):
            def bid(self, obs):
                return max(obs.legal)

    Phases without a method are played at random.  Every seat of every match has its own instance,
    so ``self`` is this seat's memory.  ``self.rng`` is its own chance, ``self.game`` the rules it
    plays by.  A match that is loaded, or continued from an earlier moment, has new instances:
    base decisions on the observation.

    :raises OptionError: if a subclass misspells one of its :attr:`numbers`, or gives it a value
        that is not allowed.
    """

    numbers: ClassVar[Mapping[str, Numbers]] = {}
    """The attributes that a subclass may change: name -> allowed values."""
    time_limit: float = 1
    """Seconds that a decision may take where it is :attr:`guarded`; ``math.inf`` for no limit.

    What is more than a fifth of them comes out of a bank of 5 s that each seat has for a match.
    """
    guarded: ClassVar[bool] = False
    """Whether it is watched, as every class outside the kit.

    A decision that takes too long is interrupted, but not in a browser.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.guarded = not cls.__module__.startswith("coursekit.")
        for name, value in vars(cls).items():
            cls._check_number(name, value)
        if cls.__module__ == "__main__":  # for help() in a notebook
            methods = strategy_methods.help_text(current_language())
            cls.__doc__ = "\n\n".join(filter(None, [cleandoc(cls.__doc__ or ""), methods]))

    @classmethod
    def _check_number(cls, name: str, value: Any) -> None:
        strategy = cls.__name__
        if name in cls.numbers:
            allowed = cls.numbers[name]
            if not is_allowed(value, allowed):
                words = {"number": name, "got": shorten(value), "allowed": allowed_text(allowed)}
                raise OptionError("", "strategy_number.wrong", strategy=strategy, **words)
            return
        if name[0] == "_" or type(value) not in (int, float, str) or hasattr(super(cls, cls), name):
            return
        # Any attribute is allowed; only a name close to one of the numbers is a misspelling.
        for near in get_close_matches(name, cls.numbers, 1, ALIKE):
            raise OptionError("", "strategy_number.unknown", strategy=strategy, got=name, near=near)

    def __init__(self, rng: Random | None = None, game: Game[Any, Any, Any] | None = None) -> None:
        if rng is None or game is None:
            raise _not_given(type(self))
        self.rng = rng
        self.game = game

    def decide(self, obs: Any) -> Any:
        """Return an action for the phase of *obs*.

        While others can decide too, ``None`` means "not now": the strategy is asked again after the
        next event. In a phase of :attr:`.Game.races` it is asked once a moment. At a table a moment
        is one second; with n people at one screen, n seconds. Without a screen a moment ends with
        the first decision. A strategy that returns ``None`` with some probability takes its time,
        as a person does.
        """
        method = getattr(self, obs.phase, None)
        return self.anything(obs) if method is None else method(obs)

    def explain(self, obs: Any, action: Any) -> "str | Reason | None":
        """Return why it takes *action* at *obs*, or ``None``; a table that looks back shows it.

        A strategy of one's own returns a sentence::

            def explain(self, obs, action):
                return f"I hold {len(obs.hand)} cards."
        """
        return None

    def anything(self, obs: Any) -> Any:
        """Return a random legal action; in a race with others take as much time as they do."""
        others = set(obs.waiting) - {obs.seat, TABLE}
        if others and obs.phase in self.game.races and self.rng.random() * PACE >= 1:
            return None
        return pick_action(obs.legal, self.rng)


PACE = 20
"""Moments that a random action takes on average in a race: as fast as a hand."""
ALIKE = 0.75
"""Minimum similarity (:mod:`difflib`, 0-1) for a name to count as a misspelling of another."""


def is_allowed(value: Any, allowed: Numbers) -> bool:
    """Return whether *value* is one of *allowed*."""
    if isinstance(allowed, range):
        return type(value) is int and value in allowed
    if isinstance(allowed[0], str):
        return type(value) is str and value in allowed
    least, most = allowed
    return type(value) in (int, float) and least <= value <= most


def allowed_text(allowed: Numbers) -> str:
    """Return *allowed* for an error message, as in ``0 … 1`` or ``'zh', 'en'``."""
    if isinstance(allowed, tuple) and isinstance(allowed[0], str):
        return ", ".join(map(repr, allowed))
    return f"{allowed[0]} … {allowed[-1]}"


class AtRandom(Strategy):
    """Plays any legal action, each equally likely: the yardstick for all other strategies."""


class StrategyError(LocalizedError, RuntimeError):
    """A strategy raised, or returned an illegal action; the sentence says in which line and why."""

    def __init__(self, seat: Seat, text: str, **values: Any) -> None:
        super().__init__("", text, **values)
        self.seat = seat

    def outline(self, language: str) -> str:
        """Return what all players may read: no error and no action, which may name cards."""
        told = ("strategy.stopped", "strategy.exits", "strategy.asks", "strategy_method.")
        if self.text.startswith(told):
            return self.sentence(language)
        outline = self.text.replace("strategy.", "outline.")
        return StrategyError(self.seat, outline, **self.values).sentence(language)


LIBRARY = (
    str(Path(__file__).parents[1]),
    *(get_paths()[place] for place in ("stdlib", "platstdlib", "purelib", "platlib")),
    "<frozen ",
)
"""Folders of the kit, of Python and of installed packages, where no learner makes mistakes."""


TOO_MANY = re.compile(r"\w\.\w+\(\) takes (\d+) positional arguments? but (\d+) were given")
"""What Python says of a method without ``self``."""
COMPILED = (".pyx", ".pxd", ".pxi")
"""Endings of files from which a library was compiled: a frame of its code names them."""


def is_own_file(name: str) -> bool:
    """Return whether a learner can change the code in the file *name*.

    A dataclass, for example, runs code that was never in a file: ``<string>``.
    """
    return name != "<string>" and not name.startswith(LIBRARY) and not name.endswith(COMPILED)


def own_frames(frames: Sequence[traceback.FrameSummary]) -> Sequence[traceback.FrameSummary]:
    """Return those of *frames* whose code the author of a strategy can change."""
    return [frame for frame in frames if is_own_file(frame.filename)]


def ask_strategy(strategy: Strategy, seat: Seat, observation: Any) -> Any:
    """Return what *strategy* decides for *seat*.

    :raises StrategyError: if it raises, or is guarded and takes too long.
    """
    try:
        if strategy.guarded:
            return ask_in_time(strategy.decide, observation, strategy, seat)
        return strategy.decide(observation)
    except BaseException as error:
        raise strategy_error(type(strategy), seat, error, strategy, observation.phase) from error


def explain_action(
    strategy: Strategy, seat: Seat, observation: Any, action: Any
) -> str | Reason | None:
    """Return why *strategy* took *action* for *seat*, see :meth:`Strategy.explain`.

    :raises StrategyError: as :func:`ask_strategy`.
    """

    def explain(seen: Any) -> str | Reason | None:
        return strategy.explain(seen, action)

    try:
        if not strategy.guarded:
            return explain(observation)
        reason: str | Reason | None = ask_in_time(explain, observation, strategy, seat)
        return reason
    except BaseException as error:
        raise strategy_error(type(strategy), seat, error) from error


def strategy_error(
    kind: type[Strategy],
    seat: Seat,
    error: BaseException,
    player: Strategy | None = None,
    phase: str = "",
) -> StrategyError:
    """Return the :class:`StrategyError` for an *error* that a strategy of class *kind* raised.

    It names the last line that the author of the strategy can change, if there is one.

    :param player: the strategy, if it decided in *phase*.
    :raises KeyboardInterrupt: if it is one from outside, where somebody has pressed stop.
    """
    frames: Sequence[traceback.FrameSummary] = traceback.extract_tb(error.__traceback__)
    if isinstance(error, KeyboardInterrupt) and not _raises(error):
        raise error
    if isinstance(error, StrategyError) and error.text == "strategy.not_given":
        return StrategyError(seat, error.text, **error.values)
    if isinstance(error, InterruptedDecision):
        frames = error.frames
        if error.reason is not None and error.reason.text == "stopped.memory":
            traceback.clear_frames(error.__traceback__)  # which hold it
    own = own_frames(frames)
    where: dict[str, Any] = {"strategy": class_name(kind)}
    if own:
        where |= {"line": own[-1].lineno, "code": own[-1].line or ""}
    if isinstance(error, InterruptedDecision):
        if not own:
            return StrategyError(seat, "strategy.stopped_inside", **where, reason=error.reason)
        where["method"] = own[0].name
        return StrategyError(seat, "strategy.stopped", **where, reason=error.reason)
    if own and isinstance(error, SystemExit):
        return StrategyError(seat, "strategy.exits", **where)
    if own and isinstance(error, NobodyAnswersError):
        return StrategyError(seat, "strategy.asks", **where)
    where |= {"kind": class_name(type(error)), "error": error_words(error)}
    if own:
        return StrategyError(seat, "strategy.raised", **where)
    fault = strategy_methods.find_fault(kind, [phase] if phase else [])
    if player is not None:
        fault = strategy_methods.find_shadow(player, phase) or fault
    if fault is not None:
        return StrategyError(seat, fault.text, **fault.values)
    return StrategyError(seat, "strategy.raised_inside", **where)


def error_words(error: BaseException) -> str | dict[str, str]:
    """Return what *error* of a learner's code says, by language if it has a sentence in each.

    What a misspelt name was meant to be follows in brackets.
    """
    what = class_name(type(error))
    try:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        spoken = error if isinstance(error, LocalizedError) else None
        if spoken is None and frames and is_own_file(frames[-1].f_code.co_filename):
            spoken = unknown_attribute(error)
        if spoken is not None:
            return {language: make_line(spoken.sentence(language), 400) for language in LANGUAGES}
        words = f"{what}: {error}".removesuffix(": ")
        meant = _meant(error, frames)
        return make_line(f"{words} ({meant}?)" if meant else words)
    except BaseException:  # an error whose own __str__ fails, or leaves
        return what


def _meant(error: BaseException, frames: Sequence[FrameType]) -> str:
    """Return what was meant instead of the name that *error* is about, "" if nothing is like it."""
    if isinstance(error, AttributeError) and error.obj is not None:
        names = [name for name in dir(error.obj) if name[0] != "_"]
        return "super()" if error.obj is super else nearest(error.name, names)
    if isinstance(error, TypeError) and (counts := TOO_MANY.search(str(error))):
        return "self" if int(counts[2]) == int(counts[1]) + 1 else ""
    if type(error) is not NameError or not error.name or not frames:
        return ""
    here = frames[-1].f_locals
    for owner in ("self", "obs"):
        if owner in here and error.name in dir(here[owner]):
            return f"{owner}.{error.name}"
    if error.name in sys.stdlib_module_names:
        return f"import {error.name}"
    known = (here, frames[-1].f_globals, frames[-1].f_builtins)
    return nearest(error.name, [name for names in known for name in names if name[0] != "_"])


def _not_given(kind: type[Strategy]) -> "StrategyError":
    """Return the error for a strategy of class *kind* that is made without chance and rules."""
    code = own_code(kind, "__init__")
    if code is None:
        return StrategyError(0, "strategy.instance", strategy=class_name(kind))
    where = {"strategy": class_name(kind), "line": code.co_firstlineno}
    return StrategyError(0, "strategy.not_given", **where)


def own_code(kind: type, method: str) -> CodeType | None:
    """Return the code of a *method* of *kind*, ``None`` if its author cannot change it."""
    function: Any = getattr(kind, method, None)
    function = unwrap(function)
    code = getattr(function, "__code__", None)
    return None if code is None or code.co_filename.startswith(LIBRARY) else code


def _raises(error: BaseException) -> bool:
    """Return whether the code itself has raised *error*."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return False
    code = trace.tb_frame.f_code
    if code.co_filename.startswith(LIBRARY):  # such as a kernel's own handler
        return False
    return opname[code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def illegal_action_error(
    strategy: Strategy, seat: Seat, error: IllegalAction, phase: str
) -> StrategyError:
    """Return the :class:`StrategyError` for an action that the rules refuse in *phase*.

    It names the line of the deciding method, if the author can change that method.
    """
    kind = type(strategy)
    values = {"strategy": class_name(kind), "action": shorten(error.action), "reason": error}
    method = "decide" if own_code(kind, "decide") else phase
    code = own_code(kind, method)
    if code is None:
        return StrategyError(seat, "strategy.illegal", **values)
    where = {"method": method, "line": code.co_firstlineno}
    if error.action is None:
        return StrategyError(seat, "strategy.returned_nothing", **values, **where)
    return StrategyError(seat, "strategy.illegal_in", **values, **where)


def explanation_error(strategy: Strategy, seat: Seat, error: Exception) -> StrategyError:
    """Return the :class:`StrategyError` for a reason of *strategy* whose text has an *error*."""
    kind = type(strategy)
    values: dict[str, Any] = {"strategy": class_name(kind), "error": error_words(error)}
    code = own_code(kind, "explain")
    if code is None:
        values["kind"] = class_name(type(error))
        return StrategyError(seat, "strategy.raised_inside", **values)
    return StrategyError(seat, "strategy.wordless", line=code.co_firstlineno, **values)


def timeout_error(strategy: Strategy, seat: Seat) -> StrategyError:
    """Return the :class:`StrategyError` for a *strategy* that makes the whole table wait."""
    return StrategyError(seat, "strategy.waits", strategy=type(strategy).__name__)


def make_players(
    game: Game[Any, Any, Any], strategies: Sequence[type[Strategy]], seed: str
) -> list[Strategy]:
    """Return a new strategy for every seat, each with its own stream of chance.

    :raises ValueError: unless there is exactly one strategy class per seat.
    :raises StrategyError: if one cannot be created.
    """
    seats = game.players
    if len(strategies) != seats:
        raise ValueError(f"{seats} seats need {seats} strategies, not {len(strategies)}")
    return [make_player(kind, seat, game, seed) for seat, kind in enumerate(strategies)]


def make_player(kind: type[Strategy], seat: Seat, game: Game[Any, Any, Any], seed: str) -> Strategy:
    """Return a new strategy of class *kind* for *seat*, with its own chance derived from *seed*.

    :raises ValueError: if *kind* is not a class.
    :raises StrategyError: if it cannot be created.
    """
    if not isinstance(kind, type):
        needed = f"seat {seat} needs a strategy class such as AtRandom"
        raise ValueError(f"{needed}, not {shorten(kind)}")
    check_strategy(kind, game, current_language(), seat)
    rng = stream(seed, f"seat {seat}")
    try:
        if not kind.guarded:
            return kind(rng, game)
        who = SimpleNamespace(time_limit=kind.time_limit, kind=kind)
        strategy: Strategy = ask_in_time(lambda game: kind(rng, game), game, who, seat)
    except BaseException as error:
        raise strategy_error(kind, seat, error) from error
    if not hasattr(strategy, "rng") or not hasattr(strategy, "game"):
        raise _not_given(kind)
    return strategy


def check_strategy(
    kind: type[Strategy], game: Game[Any, Any, Any], language: str, seat: Seat = 0
) -> None:
    """Warn once of what cannot have been meant in *kind*, see :func:`.strategy_methods.find_slips`.

    :raises StrategyError: if one of its methods cannot be called.
    """
    fault = strategy_methods.find_new_fault(kind, game)
    if fault is not None:
        raise StrategyError(seat, fault.text, **fault.values)
    strategy_methods.warn(kind, Strategy, game, language)
