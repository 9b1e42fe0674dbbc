"""Players made of code: what one looks like, and the one that plays any game at random."""

import traceback
from collections.abc import Sequence
from random import Random
from typing import Any

from coursekit.chance import stream
from coursekit.game import Game, IllegalAction, Seat, Spoken, any_of, brief


class Strategy:
    """Decides for one seat in one match; write one method per phase you care about.

    The method has the phase's name, takes an observation and returns an action::

        class Brave(Strategy):
            def bid(self, obs):
                return max(obs.legal)

    Phases without a method are played at random.  A new instance is made for every seat of
    every match, so anything kept on ``self`` is this seat's own memory; ``self.rng`` is its
    own chance, ``self.game`` the rules it plays by.
    """

    def __init__(self, rng: Random, game: Game[Any, Any, Any]) -> None:
        self.rng = rng
        self.game = game

    def decide(self, obs: Any) -> Any:
        """Return an action for the phase that *obs* is in."""
        return getattr(self, obs.phase, self.anything)(obs)

    def anything(self, obs: Any) -> Any:
        """Return a random legal action."""
        return any_of(obs.legal, self.rng)


class AtRandom(Strategy):
    """Takes any legal action, each equally likely: the yardstick for all other strategies."""


class StrategyError(Spoken, RuntimeError):
    """A strategy raised, or returned something that is not allowed: which one, which line, why."""

    def __init__(self, seat: Seat, text: str, **values: Any) -> None:
        super().__init__("", text, **values)
        self.seat = seat


def raised(strategy: Strategy, seat: Seat, error: Exception) -> StrategyError:
    """Return the :class:`StrategyError` for *error*, which *strategy* raised while deciding."""
    # The innermost line outside the kit is the one its author wrote.
    frames = [f for f in traceback.extract_tb(error.__traceback__)[1:] if f.filename != __file__]
    line = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    kind = type(strategy)
    for frame in frames:
        if frame.name in vars(kind):
            line = frame
    return StrategyError(
        seat, "strategy.raised", strategy=kind.__name__, line=line.lineno, code=line.line or "",
        error=f"{type(error).__name__}: {error}",
    )  # fmt: skip


def illegal(strategy: Strategy, seat: Seat, error: IllegalAction) -> StrategyError:
    """Return the :class:`StrategyError` for an action of *strategy* that the rules refuse."""
    name = type(strategy).__name__
    return StrategyError(seat, "strategy.illegal", strategy=name, action=brief(error.action), reason=error)


def seated(game: Game[Any, Any, Any], strategies: Sequence[type[Strategy]], seed: str) -> list[Strategy]:
    """Return a fresh strategy for every seat, each with a stream of chance of its own.

    :raises ValueError: unless there is exactly one strategy per seat.
    """
    if len(strategies) != game.players:
        raise ValueError(f"{game.players} seats need {game.players} strategies, not {len(strategies)}")
    return [kind(stream(seed, f"seat {seat}"), game) for seat, kind in enumerate(strategies)]
