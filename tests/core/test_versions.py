"""A game whose rules have changed still replays the records of its earlier version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from coursekit.core import registry
from coursekit.core.game import CommonObservation, Event, Game, Refusal
from coursekit.core.match import Match, Record, RecordError, replay


@dataclass(frozen=True)
class Options:
    """No option."""


@dataclass(slots=True)
class State:
    points: list[int]
    turns: int = 0


@dataclass(slots=True, repr=False)
class Observation(CommonObservation):
    """Nothing more."""


class Count(Game[State, Observation, int]):
    """Two players take turns, four in all; whoever takes *n* gets twice as many points."""

    name = "count"
    version = 2
    player_counts = (2,)
    option_type, state_type, observation_type = Options, State, Observation
    longest = 4
    worth = 2

    @classmethod
    def of_version(cls, version: Any) -> type[Game[Any, Any, Any]] | None:
        return super().of_version(version) or super(Count, FirstCount).of_version(version)

    def initial_state(self, rng: Random) -> State:
        return State([0, 0])

    def opening(self, state: State) -> list[Event]:
        return []

    def to_act(self, state: State) -> tuple[int, ...]:
        return (state.turns % 2,) if state.turns < self.longest else ()

    def legal_actions(self, state: State, seat: int) -> tuple[int, ...]:
        return (1, 2)

    def objection(self, state: State, seat: int, action: Any) -> Refusal | None:
        return None if action in (1, 2) else Refusal("refusal.over")

    def apply(self, state: State, seat: int, action: int, rng: Random) -> Sequence[Event]:
        state.points[seat] += self.worth * action
        state.turns += 1
        return ()

    def observe(self, state: State, seat: int | None) -> Observation:
        raise NotImplementedError

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.points)

    def winners(self, state: State) -> tuple[int, ...]:
        return ()

    def resample(self, observation: Observation, rng: Random) -> State:
        raise NotImplementedError

    def word(self, kind: str, value: Any) -> tuple[str, dict[str, Any]]:
        raise NotImplementedError


class FirstCount(Count):
    """As it was: a point for each that is taken."""

    version = 1
    worth = 1


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    registry.add(SimpleNamespace(rules=Count))
    yield
    registry.remove("count")


def record_of(game: Count) -> Record:
    match = Match(game, "seed")
    for seat, action in ((0, 1), (1, 2), (0, 2)):
        match.play(seat, action)
    return match.record()


@pytest.mark.parametrize(("kind", "scores"), [(Count, (6, 4)), (FirstCount, (3, 2))])
def test_a_record_is_replayed_by_the_rules_it_was_played_with(
    kind: type[Count], scores: tuple[int, int]
) -> None:
    record = Record.loads(record_of(kind(2)).dumps())
    match = replay(record)
    assert type(match.game) is kind
    assert match.game.scores(match.state) == scores
    assert match.record() == record  # which goes on under the old rules


@pytest.mark.parametrize("version", [0, 3, "1", 1.0, True])
def test_another_version_is_refused(version: Any) -> None:
    words = record_of(Count(2)).dumps().replace('"rules":2', f'"rules":{version!r}')
    words = words.replace("'1'", '"1"').replace("True", "true")
    with pytest.raises(RecordError) as refusal:
        Record.loads(words)
    assert refusal.value.text == "record.rules"
