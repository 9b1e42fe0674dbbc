"""A player of 維基百科 vs 書籍 that learns from matches, in plain Python and numpy: half a minute on one
core.

Run it with ``python examples/learn_wikipedia.py``. It learns against ``Editor``, the best of the
kit's players, with the oldest method there is: it keeps a table of moments and actions, and in each
field the mean of what followed. What followed is the lead gained afterwards, each decision later
counting a fifth less. Now and then it tries a random action, less often the longer it learns.
(Monte Carlo control; Sutton and Barto, Reinforcement Learning, 5.4.)
"""

from collections import defaultdict

import numpy as np

from coursekit.adapters.encoder import Coder
from coursekit.adapters.gymnasium import SeatEnvironment
from coursekit.arena import duplicate
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.strategies import Editor, HonestStudent

game = Wikipedia(2, Wikipedia.preset("lesson"))
coder = Coder(game)
SEEN = ("phase", "roles", "work", "user", "vandal", "hand")
COLUMNS = [n for n, name in enumerate(coder.names) if name.split()[0] in SEEN]
table = defaultdict(lambda: np.full(len(coder.index), 0.3))  # hopeful, so that all is tried


def moment(vector):
    """Return what the player looks at: who uses what, and which kinds of cards the hand holds."""
    return (vector[COLUMNS] > 0).tobytes()


def best(vector, legal):
    """Return the legal action with the best mean so far."""
    return legal[np.argmax(table[moment(vector)][legal])]


def learn(matches, later=0.8, seed=1):
    """Play *matches* from both seats in turn, filling the table."""
    env, rng = SeatEnvironment(game, Editor, reward="lead"), np.random.default_rng(seed)
    for number in range(matches):
        left = 1 - number / matches
        vector, info = env.reset(seed=None if number else seed)
        steps, over = [], False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            action = rng.choice(legal) if rng.random() < 0.3 * left else best(vector, legal)
            before = moment(vector)
            vector, reward, over, _, info = env.step(action)
            steps.append((before, action, reward))
        gain = 0.0
        for before, action, reward in reversed(steps):
            gain = reward + later * gain
            table[before][action] += (0.01 + 0.05 * left) * (gain - table[before][action])


class Learned(Strategy):
    """Does what has brought most in the matches it learned from."""

    def anything(self, obs):
        return coder.action(obs.phase, best(coder.vector(obs), coder.legal(obs)))


if __name__ == "__main__":
    learn(10_000)
    print(f"{len(table)} moments seen")
    print(duplicate(game, [Learned, Editor], deals=200, seed=1))
    print(duplicate(game, [Learned, HonestStudent, AtRandom], deals=200, seed=1))
