"""A match played at random, for inspection at each moment."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import TracebackType
from typing import Any

from coursekit.core.chance import pick, stream
from coursekit.core.game import AnyGame, pick_action
from coursekit.core.match import Match
from coursekit.words.texts import MissingText, MissingValue


class CheckError(AssertionError):
    """A promise of the contract does not hold."""


class Walk:
    """A match played at random, moment by moment; a failure inside names its moment.

    Iteration yields the same running :class:`Match` before each action, and once when it is over.
    As a context it turns any exception inside into :class:`CheckError`.
    """

    def __init__(self, game: AnyGame, seed: str) -> None:
        self.game, self.seed = game, seed
        self.rng = stream(seed, "check")
        """For the check; the walk has its own, so that :func:`moment` can repeat it."""
        self.entry = 0
        self.match: Match | None = None

    def __iter__(self) -> Iterator[Match]:
        match, rng = Match(self.game, self.seed), stream(self.seed, "walk")
        self.match = match
        while True:
            yield match
            deciding = self.game.to_act(match.state)
            if not deciding:
                return
            if len(match.log) >= self.game.longest:
                longest = f"{self.game.longest} actions, the game's `longest`"
                raise self.broken(f"the match goes on after {longest}")
            seat = pick(rng, deciding)
            action = pick_action(self.game.legal_actions(match.state, seat), rng)
            # Not with Match.play: a separate check tests that it accepts exactly these actions.
            match.events.append(self.game.apply(match.state, seat, action, match._rng))
            match.log.append((seat, action))
            self.entry = len(match.log)

    def broken(self, what: str) -> CheckError:
        """Return the error that *what* is wrong at this moment."""
        where = f"in {self.game!r} after {self.entry} actions"
        again = f"moment({self.game!r}, {self.seed!r}, {self.entry})"
        return CheckError(f"{what}\n  {where}; to see it again: {again}")

    def __enter__(self) -> "Walk":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, CheckError):
            what = str(error)
            if not isinstance(error, (MissingText, MissingValue)):
                what = f"{type(error).__name__}: {what}"
            raise self.broken(what) from error


def moment(game: AnyGame, seed: str, entry: int) -> Match:
    """Return the random match that the checks play with *seed*, after *entry* actions."""
    return next(match for match in Walk(game, seed) if len(match.log) == entry)


def state_parts(state: Any) -> dict[str, str]:
    """Return the ``repr`` of each field of *state*."""
    return {field.name: repr(getattr(state, field.name)) for field in fields(state)}


def observation_parts(observation: Any) -> dict[str, str]:
    """Return the ``repr`` of each field of *observation*."""
    return {name: repr(value) for name, value in observation.values().items()}


def first_difference(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return in words which field differs first."""
    for name, value in one.items():
        if value != other.get(name):
            return f"{name} is {value} and {other.get(name)}"
    return "nothing"
