"""The games as environments of PettingZoo (AEC): each seat is an agent, ``player_0`` to the last.

An observation is a dictionary: ``"observation"`` is the vector and ``"action_mask"`` the mask of
:class:`.Coder`.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from coursekit.adapters.encoder import BOUND, Coder, rewards, table_action
from coursekit.core.chance import new_seed
from coursekit.core.game import TABLE, Game
from coursekit.core.match import Match


class Environment(AECEnv[str, dict[str, Any], int]):
    """*game* as an environment; what is nobody's decision happens by itself.

    Where several seats decide at once, they are asked one after the other, and none sees what
    another has decided.

    :param reward: what a step is rewarded for, one of :data:`.REWARDS`.
    :raises AdapterError: if the game's actions cannot be listed, or for another *reward*.
    """

    def __init__(self, game: Game[Any, Any, Any], reward: str = "points") -> None:
        super().__init__()
        self.game = game
        self.reward = reward
        self.coder = Coder(game)
        self.metadata = {
            "name": f"coursekit_{game.name}_v{game.version}",
            "is_parallelizable": False,
            "render_modes": [],
        }
        self.possible_agents = [f"player_{seat}" for seat in game.seats]
        self.agents: list[str] = []
        actions = len(self.coder.index)
        self.action_spaces = {}
        self.observation_spaces = {}
        for agent in self.possible_agents:
            vector = Box(-BOUND, BOUND, (self.coder.size,), np.float32)
            mask = Box(0, 1, (actions,), np.int8)
            self.action_spaces[agent] = Discrete(actions)
            self.observation_spaces[agent] = Dict({"observation": vector, "action_mask": mask})
        self.match = Match(game)
        """The running match: its ``record()`` can be kept, replayed and looked at at a table."""
        rewards(game, self.match.state, reward)  # refuses a reward that there is not
        self._seed, self._matches = new_seed(), 0

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match: after *seed* 7 those of the seeds "7/0", "7/1" and so on."""
        if seed is not None:
            self._seed, self._matches = str(seed), 0
        self.match = Match(self.game, f"{self._seed}/{self._matches}")
        self._matches += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def _go_on(self) -> None:
        """Let the table decide, and name the agent that decides then."""
        match, game = self.match, self.game
        while (deciding := game.to_act(match.state)) == (TABLE,):
            match.play(TABLE, table_action(game, match.state))
        if deciding:
            self.agent_selection = self.possible_agents[deciding[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        obs = self.game.observe(self.match.state, self.possible_agents.index(agent))
        return {"observation": self.coder.vector(obs), "action_mask": self.coder.mask(obs)}

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is do *action*, ``None`` once it has terminated.

        :raises AdapterError: if *action* is not the number of an action of this phase.
        :raises IllegalAction: with the reason, if the rules do not allow it; nothing has changed.
        """
        agent, match, game = self.agent_selection, self.match, self.game
        if self.terminations[agent] or action is None:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        before = rewards(game, match.state, self.reward)
        match.play(seat, self.coder.action(game.observe(match.state, seat).phase, action))
        self._go_on()
        self._cumulative_rewards[agent] = 0.0
        after = rewards(game, match.state, self.reward)
        self.rewards = {agent: now - then for agent, then, now in zip(self.agents, before, after)}
        self.terminations = dict.fromkeys(self.agents, match.over)
        self._accumulate_rewards()
