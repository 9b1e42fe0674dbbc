"""The games as games of OpenSpiel, as in ``pyspiel.load_game("coursekit_wizard(players=4)")``.

Importing this module registers ``coursekit_wizard`` and ``coursekit_wikipedia``;
:func:`spiel_game` takes any game whose actions can be listed.

The kit draws chance inside an action; OpenSpiel wants to see it. So a chance node follows an action
that needs chance. Its outcome is one of ``outcomes`` equally likely numbers; this and the outcomes
before it are the seed of what is drawn. So a state follows from its history alone, as OpenSpiel's
algorithms expect, and none can look ahead into the cards; the first deal has only ``outcomes``
versions.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from random import Random
from typing import Any

import numpy as np
import pyspiel

from coursekit.adapters.encoder import Coder, share, table_action
from coursekit.adapters.game_encodings import AdapterError
from coursekit.core import registry
from coursekit.core.chance import stream
from coursekit.core.game import TABLE, Event, Game
from coursekit.words.texts import shorten

OUTCOMES = 1000
"""Default number of outcomes of a chance node."""


class _Needed(Exception):
    """Chance is needed."""


class _NoChance(Random):
    """Stops what asks for chance."""

    def random(self) -> float:
        raise _Needed


NO_CHANCE = _NoChance()


class Course:
    """A match from the deal to now.

    What it holds is replaced and never changed, so copies share it.
    """

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game
        self.state: Any = None  # before the deal
        self.drawn: tuple[int, ...] = ()  # outcomes of the chance nodes so far
        self.steps: tuple[tuple[int, Any, tuple[Event, ...]], ...] = ()
        """Seat, action and events of each step so far."""
        self.waiting: tuple[int, Any] | None = (TABLE, None)
        """The seat and the action that wait for chance; at first the deal."""

    def __deepcopy__(self, memo: Any) -> "Course":
        return copy(self)

    def act(self, seat: int, action: Any, rng: Random) -> None:
        """Carry out an action and the table's after it, as far as no chance is needed."""
        game = self.game
        while True:
            # On a copy, since an action that needs chance is begun again with it.
            state = None if self.state is None else game.copy(self.state)
            try:
                if state is None:
                    state = game.initial_state(rng)
                    events: Sequence[Event] = game.opening(state)
                else:
                    events = game.apply(state, seat, action, rng)
            except _Needed:
                self.waiting = seat, action
                return
            self.state = state
            self.waiting = None
            self.steps += ((seat, action, tuple(events)),)
            if game.to_act(state) != (TABLE,):
                return
            # What is nobody's decision happens at once.
            seat, action, rng = TABLE, table_action(game, state), NO_CHANCE

    def draw(self, outcome: int) -> None:
        """Carry out what waits for chance, with *outcome*."""
        assert self.waiting is not None
        self.drawn += (outcome,)
        self.act(*self.waiting, stream("/".join(map(str, self.drawn)), "chance"))

    def story(self, seat: int) -> str:
        """Return all that *seat* has read so far and what it did, a line each."""
        lines = []
        for actor, action, events in self.steps:
            if actor == seat:
                lines.append(f"{actor}: {action}")
            lines += [
                f"{event.text} {dict(event.values)}" for event in events if event.is_for(seat)
            ]
        return "\n".join(lines)


def game_type(kind: type[Game[Any, Any, Any]], ending: str = "") -> pyspiel.GameType:
    """Return what OpenSpiel must know of the games of *kind*; *ending* belongs to the name."""
    return pyspiel.GameType(
        short_name=f"coursekit_{kind.name}{ending}",
        long_name=f"coursekit {kind.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=min(kind.player_counts),
        max_num_players=max(kind.player_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": kind.player_counts[0],
            "preset": "standard",
            "outcomes": OUTCOMES,
        },
    )


def spiel_game(
    game: Game[Any, Any, Any], outcomes: int = OUTCOMES, parameters: dict[str, Any] | None = None
) -> pyspiel.Game:
    """Return *game* as a game of OpenSpiel; its return for a seat is its share of the victory.

    Where several seats decide at once, they do so one after the other, and none sees what another
    has decided.

    :param outcomes: number of outcomes of a chance node, at least 1.
    :param parameters: those with which OpenSpiel can load the game again; ``None`` if it cannot.
    :raises AdapterError: if the game's actions cannot be listed, or *outcomes* is no such number.
    """
    if type(outcomes) is not int or outcomes < 1:
        words = {"name": "outcomes", "got": shorten(outcomes), "allowed": "1, 2, 3, …"}
        raise AdapterError("adapters.choice", **words)
    coder = Coder(game)
    info = pyspiel.GameInfo(
        num_distinct_actions=len(coder.index),
        max_chance_outcomes=outcomes,
        num_players=game.players,
        min_utility=0.0,
        max_utility=1.0,
        utility_sum=1.0,
        max_game_length=game.longest,
    )

    class State(pyspiel.State):
        """Everything that OpenSpiel copies and pickles is in ``course``."""

        def __init__(self, of: Any) -> None:
            super().__init__(of)
            self.course = Course(game)

        def current_player(self) -> int:
            if self.course.waiting is not None:
                return int(pyspiel.PlayerId.CHANCE)
            deciding = game.to_act(self.course.state)
            return deciding[0] if deciding else int(pyspiel.PlayerId.TERMINAL)

        def is_terminal(self) -> bool:
            return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

        def _legal_actions(self, player: int) -> list[int]:
            return coder.legal(game.observe(self.course.state, player))

        def _apply_action(self, action: int) -> None:
            if self.course.waiting is not None:
                self.course.draw(action)
            else:
                seat = self.current_player()
                phase = game.observe(self.course.state, seat).phase
                self.course.act(seat, coder.action(phase, action), NO_CHANCE)

        def _action_to_string(self, player: int, action: int) -> str:
            if player == int(pyspiel.PlayerId.CHANCE):
                return f"chance {action}"
            return " ".join(str(part) for part in coder.spec.actions[action] if part != "")

        def returns(self) -> list[float]:
            if self.course.state is None:
                return [0.0] * game.players
            return share(game, self.course.state)

        def __reduce__(self) -> Any:
            return play_history, (self.get_game(), self.history())

        def __str__(self) -> str:
            return f"{self.course.drawn} {self.course.waiting} {self.course.state}"

    class Observer:
        """What a player sees, as a vector and as words, with *recall* also what it saw before."""

        def __init__(self, recall: bool) -> None:
            self.recall = recall
            self.tensor = None if recall else np.zeros(coder.size, np.float32)
            self.dict = {} if recall else {"observation": self.tensor}

        def set_from(self, state: Any, player: int) -> None:
            if self.tensor is not None and state.course.state is not None:
                self.tensor[:] = coder.vector(game.observe(state.course.state, player))

        def string_from(self, state: Any, player: int) -> str:
            if state.course.state is None:
                return ""
            before = state.course.story(player) if self.recall else ""
            return f"{before}\n{game.observe(state.course.state, player).values()}".lstrip()

    class SpielGame(pyspiel.Game):
        def __init__(self) -> None:
            # Not the registered name: under that OpenSpiel would load the standard game.
            kind = game_type(type(game), "_own" if parameters is None else "")
            super().__init__(kind, info, parameters or {})

        def __reduce__(self) -> Any:
            return spiel_game, (game, outcomes, parameters)

        def new_initial_state(self) -> State:
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(iig_obs_type is not None and iig_obs_type.perfect_recall)

    return SpielGame()


def play_history(game: pyspiel.Game, history: Sequence[int]) -> pyspiel.State:
    """Return the state of *game* after the actions of *history*."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def resampler(seed: str) -> Callable[[Any, int], Any]:
    """Return a function for OpenSpiel's ``ISMCTSBot.set_resampler``, with chance from *seed*.

    It takes a state and a player, and returns a copy in which all that this player cannot know is
    drawn anew.
    """
    rng = stream(seed, "resampler")

    def resample(state: Any, player: int) -> Any:
        other = state.clone()
        course = other.course
        game = course.game
        course.state = game.resample(game.observe(course.state, player), rng)
        return other

    return resample


def register(name: str) -> None:
    """Register the game of the kit called *name* with OpenSpiel, as ``coursekit_<name>``."""
    kind = registry.load(name).rules

    def create(parameters: Mapping[str, Any]) -> pyspiel.Game:
        game = kind(parameters["players"], kind.preset(parameters["preset"]))
        return spiel_game(game, parameters["outcomes"], dict(parameters))

    # OpenSpiel drops its reference after Python has ended; to free the function then would crash.
    create.itself = create  # type: ignore[attr-defined]
    pyspiel.register_game(game_type(kind), create)


for _name in ("wizard", "wikipedia"):
    register(_name)
