"""Players made of code: what one looks like, and the one that plays any game at random."""

import traceback
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from random import Random
from sysconfig import get_paths
from typing import Any, ClassVar

from coursekit.core.chance import stream
from coursekit.core.errors import OptionError, Spoken
from coursekit.core.game import Game, IllegalAction, Seat, any_of
from coursekit.words.texts import brief

Numbers = range | tuple[float, float] | tuple[str, ...]
"""What a number of a strategy may be: a whole number, any number from the least to the most, or one of some words."""


class Strategy:
    """Decides for one seat in one match; write one method per phase you care about.

    The method has the phase's name, takes an observation and returns an action::

        class Brave(Strategy):
            def bid(self, obs):
                return max(obs.legal)

    Phases without a method are played at random.  A new instance is made for every seat of
    every match, so anything kept on ``self`` is this seat's own memory; ``self.rng`` is its
    own chance, ``self.game`` the rules it plays by.  A match that is loaded, or goes on from an
    earlier moment, has new instances: what matters must follow from the observation.

    :raises OptionError: where a subclass gives one of its :attr:`numbers` what it cannot be, or misspells it.
    """

    numbers: ClassVar[Mapping[str, Numbers]] = {}
    """By name, the attributes that a subclass is there to change, and what they may be."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, value in vars(cls).items():
            if name in cls.numbers:
                if not may_be(value, cls.numbers[name]):
                    words = {"number": name, "got": brief(value), "allowed": among(cls.numbers[name])}
                    raise OptionError("", "strategy_number.wrong", strategy=cls.__name__, **words)
            elif name[0] != "_" and type(value) in (int, float, str) and not hasattr(super(cls, cls), name):
                # An author may keep anything on a strategy: only a name that looks like a slip is one.
                for near in get_close_matches(name, cls.numbers, 1, ALIKE):
                    raise OptionError("", "strategy_number.unknown", strategy=cls.__name__, got=name, near=near)

    def __init__(self, rng: Random, game: Game[Any, Any, Any]) -> None:
        self.rng = rng
        self.game = game

    def decide(self, obs: Any) -> Any:
        """Return an action for the phase that *obs* is in.

        Where others can decide as well, ``None`` means "not now": it is asked again when something has happened.
        In a phase of :attr:`.Game.races` it is asked once a moment: at a table every second; with n people at one
        screen, every n seconds.  So a strategy that returns ``None`` there with some probability takes its time, as
        a person does.  Without a screen a moment ends with the first decision.
        """
        return getattr(self, obs.phase, self.anything)(obs)

    def anything(self, obs: Any) -> Any:
        """Return a random legal action."""
        return any_of(obs.legal, self.rng)


ALIKE = 0.75
"""Likeness (:mod:`difflib`, 0-1) from which on a name counts as a misspelling of another."""


def may_be(value: Any, allowed: Numbers) -> bool:
    """Return whether *value* is one of *allowed*."""
    if isinstance(allowed, range):
        return type(value) is int and value in allowed
    if isinstance(allowed[0], str):
        return type(value) is str and value in allowed
    least, most = allowed
    return type(value) in (int, float) and least <= value <= most


def among(allowed: Numbers) -> str:
    """Return *allowed* for an error message, as in ``0 … 1`` or ``'zh', 'en'``."""
    if isinstance(allowed, tuple) and isinstance(allowed[0], str):
        return ", ".join(map(repr, allowed))
    return f"{allowed[0]} … {allowed[-1]}"


class AtRandom(Strategy):
    """Takes any legal action, each equally likely: the yardstick for all other strategies."""


class StrategyError(Spoken, RuntimeError):
    """A strategy raised, or returned something that is not allowed: which one, which line, why."""

    def __init__(self, seat: Seat, text: str, **values: Any) -> None:
        super().__init__("", text, **values)
        self.seat = seat

    def outline(self, language: str) -> str:
        """Return what can be told to everybody: what the strategy raised or chose may name its cards."""
        outline = self.text.replace("strategy.", "outline.").removesuffix("_in")
        return StrategyError(self.seat, outline, **self.values).sentence(language)


LIBRARY = (
    str(Path(__file__).parents[1]),
    *(get_paths()[place] for place in ("stdlib", "platstdlib", "purelib", "platlib")),
)
"""Folders of the kit, of Python and of installed packages: a learner's mistake is never there."""


def raised(kind: type[Strategy], seat: Seat, error: Exception) -> StrategyError:
    """Return the :class:`StrategyError` for *error*, which a *kind* of strategy raised."""
    frames = traceback.extract_tb(error.__traceback__)
    # The innermost line outside the libraries is the one that its author can change.
    line = ([frame for frame in frames if not frame.filename.startswith(LIBRARY)] or frames)[-1]
    try:
        words = f"{type(error).__name__}: {error}"[:200]
    except Exception:  # an error that cannot even be told
        words = type(error).__name__
    where = {"strategy": kind.__name__, "line": line.lineno, "code": line.line or ""}
    return StrategyError(seat, "strategy.raised", **where, kind=type(error).__name__, error=words)


def illegal(strategy: Strategy, seat: Seat, error: IllegalAction, phase: str) -> StrategyError:
    """Return the :class:`StrategyError` for an action of *strategy* that the rules refuse, decided in that *phase*.

    It names the line of the method that decided, if its author can change that.
    """
    values = {"strategy": type(strategy).__name__, "action": brief(error.action), "reason": error}
    code = getattr(getattr(strategy, phase, strategy.anything), "__code__", None)
    if code is None or code.co_filename.startswith(LIBRARY):
        return StrategyError(seat, "strategy.illegal", **values)
    return StrategyError(seat, "strategy.illegal_in", **values, method=code.co_name, line=code.co_firstlineno)


def waits(strategy: Strategy, seat: Seat) -> StrategyError:
    """Return the :class:`StrategyError` for a *strategy* that keeps the whole table waiting."""
    return StrategyError(seat, "strategy.waits", strategy=type(strategy).__name__)


def seated(game: Game[Any, Any, Any], strategies: Sequence[type[Strategy]], seed: str) -> list[Strategy]:
    """Return a fresh strategy for every seat, each with a stream of chance of its own.

    :raises ValueError: unless there is exactly one strategy class per seat.
    :raises StrategyError: if one cannot be made.
    """
    if len(strategies) != game.players:
        raise ValueError(f"{game.players} seats need {game.players} strategies, not {len(strategies)}")
    return [made(kind, seat, game, seed) for seat, kind in enumerate(strategies)]


def made(kind: type[Strategy], seat: Seat, game: Game[Any, Any, Any], seed: str) -> Strategy:
    """Return a new strategy of that *kind* for *seat*, with chance of its own derived from *seed*.

    :raises ValueError: if *kind* is no class, :class:`StrategyError` if it cannot be made.
    """
    if not isinstance(kind, type):
        raise ValueError(f"seat {seat} needs a strategy class such as AtRandom, not {brief(kind)}")
    try:
        return kind(stream(seed, f"seat {seat}"), game)
    except Exception as error:
        raise raised(kind, seat, error) from error
