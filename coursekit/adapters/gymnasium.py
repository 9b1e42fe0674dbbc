"""One seat of a game as an environment of Gymnasium, while strategies play the other seats."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from coursekit.adapters.encoder import BOUND, Coder, check_choice, rewards
from coursekit.adapters.game_encodings import AdapterError
from coursekit.core.chance import stream
from coursekit.core.game import Game, IllegalAction, Seat
from coursekit.core.match import Match
from coursekit.core.strategy import Strategy, make_player

Step = tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]


class SeatEnvironment(gymnasium.Env[NDArray[np.float32], Any]):
    """A seat of *game*; an observation is the vector of :class:`.Coder`.

    ``info["action_mask"]`` is its mask.

    :param others: the strategies of the other seats in order, or one for all of them.
    :param seat: the seat; ``None`` for another one in each match, in turn.
    :param reward: as for :class:`coursekit.adapters.pettingzoo.Environment`.
    :param illegal: what an action that is not legal does: ``"raise"``, or ``"lose"`` the match,
        with the reward −1 and the reason in ``info["refusal"]``, for learners that know no masks.
    :raises AdapterError: if the game's actions cannot be listed, or an argument has another value.
    """

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: Game[Any, Any, Any],
        others: type[Strategy] | Sequence[type[Strategy]],
        seat: Seat | None = None,
        reward: str = "points",
        illegal: str = "raise",
    ) -> None:
        self.game = game
        self.reward = reward
        self.illegal = illegal
        self.coder = Coder(game)
        check_choice("seat", seat, (None, *game.seats))
        check_choice("illegal", illegal, ("raise", "lose"))
        self.others = [others] * (game.players - 1) if isinstance(others, type) else list(others)
        check_choice("len(others)", len(self.others), (game.players - 1,))
        self.action_space = Discrete(len(self.coder.index))
        self.observation_space = Box(-BOUND, BOUND, (self.coder.size,), np.float32)
        self.match = Match(game)
        """The running match, as in :class:`coursekit.adapters.pettingzoo.Environment`."""
        rewards(game, self.match.state, reward)  # refuses a reward that there is not
        self._fixed = seat
        self.seat = -1 if seat is None else seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        if self._fixed is None:
            self.seat = 0 if seed is not None else (self.seat + 1) % self.game.players
        # Gymnasium's generator names the match, so that a seed repeats all that follow.
        name = str(self.np_random.integers(2**62))
        self.match = Match(self.game, name)
        self._order = stream(name, "order")
        self._players: list[Strategy | None] = []
        for seat, kind in enumerate([*self.others[: self.seat], None, *self.others[self.seat :]]):
            player = None if kind is None else make_player(kind, seat, self.game, name)
            self._players.append(player)
        with self.match.surroundings.entered():
            self.match.play_on(self._players, self._order)
        return self._observe()

    def _observe(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        obs = self.game.observe(self.match.state, self.seat)
        return self.coder.vector(obs), {"action_mask": self.coder.mask(obs)}

    def step(self, action: int) -> Step:
        """Do *action*, let the others play, and return what this seat sees when it decides next.

        :raises AdapterError: if *action* is not the number of an action of this phase.
        :raises IllegalAction: with the reason, if the rules do not allow it; nothing has changed.
        """
        game, match, seat = self.game, self.match, self.seat
        before = rewards(game, match.state, self.reward)[seat]
        try:
            match.play(seat, self.coder.action(game.observe(match.state, seat).phase, int(action)))
        except (AdapterError, IllegalAction) as error:
            if self.illegal == "raise":
                raise
            vector, info = self._observe()
            return vector, -1.0, True, False, {**info, "refusal": str(error)}
        with match.surroundings.entered():
            match.play_on(self._players, self._order)
        vector, info = self._observe()
        gained = rewards(game, match.state, self.reward)[seat] - before
        return vector, gained, match.over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of now; sb3-contrib's ``MaskablePPO`` asks for it by this name."""
        return np.asarray(self._observe()[1]["action_mask"], bool)
