"""How long a learner waits from a changed line to a verdict: 200 deals of a strategy against another.

``verdict`` plays the tournaments of the lab and those of whole games, each in a process of its own
that has its cores to itself, as a notebook's kernel has: seconds until the first interval (five
deals), until 100 deals, and until 200, with one core and with all of them.
"""

import os
import subprocess
import sys

DEALS = (5, 100, 200)
LEARNER = """
import time
from coursekit.arena import duplicate
from coursekit.core.strategy import Strategy
from coursekit.games.blockade import Blockade
from coursekit.games.blockade.strategies import Greedy
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit import Options as KnitOptions
from coursekit.games.knitwit.strategies import FirstThought, speak
from coursekit.games.wikipedia import Options as WikiOptions
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.strategies import Editor, HonestStudent
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import Cautious

first_thought = speak(FirstThought, "en")


class Mine(Strategy):
    def bid(self, obs):
        return min(obs.legal, key=lambda bid: abs(bid - obs.size / obs.players))

    def play(self, obs):
        return max(obs.legal)


class Reader(HonestStudent):
    pass


class Censor(Greedy):
    pass


class Knitter(first_thought):
    courage = 0.34


CASES = {
    "Wizard, five rounds (the lab)": (Wizard(4, Options(short_game=5)), [Mine, Cautious]),
    "Wizard": (Wizard(4), [Mine, Cautious]),
    "Wikipedia and Books, three points (the lab)": (
        Wikipedia(2, WikiOptions(points_to_win=3)), [Reader, HonestStudent]
    ),
    "Wikipedia and Books": (Wikipedia(2), [Reader, Editor]),
    "Literature Lockdown, one era": (
        Blockade(4, Blockade.preset("one_era")), [Censor, Greedy]
    ),
    "Literature Lockdown": (Blockade(4), [Censor, Greedy]),
    "Knit Wit, five loops (the lab)": (
        KnitWit(4, KnitOptions(loops=5)), [Knitter, first_thought]
    ),
}
"""


def run(code: str, cores: int) -> str:
    """Return what *code* prints in a new process that may use so many cores."""
    own = sorted(os.sched_getaffinity(0))[:cores]
    found = subprocess.run(
        [sys.executable, "-c", LEARNER + code],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, own),
    )
    return found.stdout.strip()


def verdict(scale: float) -> None:
    """Print the seconds of each tournament."""
    names = run("print(*CASES, sep=chr(10))", 1).splitlines()
    deals = [max(1, round(count * scale)) for count in DEALS]
    print(f"{'seconds until':45}" + "".join(f"{count:>7}" for count in deals) + " deals")
    for cores in dict.fromkeys((1, os.cpu_count() or 1)):
        for name in names:
            row = []
            for count in deals:
                code = (
                    f"game, players = CASES[{name!r}]\n"
                    "begun = time.perf_counter()\n"
                    f"duplicate(game, players, {count}, seed=1, progress=False)\n"
                    "print(time.perf_counter() - begun)"
                )
                row.append(float(run(code, cores)))
            print(
                f"{name:45}" + "".join(f"{s:7.2f}" for s in row) + f"  {cores} core(s)", flush=True
            )
