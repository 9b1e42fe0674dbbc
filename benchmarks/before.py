"""How fast matches are beside another version of the kit: ``python -m benchmarks before <folder of
its checkout>``.

Each version plays the same matches in a process of its own, in turn, so that a machine that slows
down slows both. Counted is the processor's time of a match alone. The records of the two must be
the same, move by move.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

WORKER = """
import hashlib, json, sys
from time import process_time
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.kit import GAMES

class Reader(Strategy):
    def decide(self, obs):
        legal, _ = obs.legal, (obs.hand, obs.bids, obs.trick)
        return legal[int(self.rng.random() * len(legal))]

class Mine(Strategy):
    def bid(self, obs):
        return min(obs.legal, key=lambda bid: abs(bid - obs.size / obs.players))

    def play(self, obs):
        return max(obs.legal)

for line in sys.stdin:
    name, players, kinds, seeds = json.loads(line)
    known = {kind.__name__: kind for kind in (AtRandom, Reader, Mine, *GAMES[name].strategies)}
    game, found = GAMES[name].rules(players), hashlib.sha256()
    start = process_time()
    matches = [play_out(game, [known[kinds[seat % len(kinds)]] for seat in range(players)], seed) for seed in seeds]
    spent = process_time() - start
    for match in matches:
        found.update(match.record().dumps().encode())
    print(json.dumps([spent, found.hexdigest()]), flush=True)
"""


class Work(NamedTuple):
    """A number of matches that are played at once."""

    game: str
    players: int
    kinds: tuple[str, ...]
    matches: int
    times: int


WORKS = (
    Work("wizard", 4, ("Reader",), 4, 60),
    Work("wizard", 4, ("AtRandom",), 4, 60),
    Work("wizard", 4, ("Mine", "CardCounter"), 1, 40),
    Work("wikipedia", 2, ("AtRandom",), 10, 60),
    Work("wikipedia", 4, ("AtRandom",), 5, 40),
    Work("wikipedia", 2, ("Editor",), 5, 40),
    Work("blockade", 4, ("AtRandom",), 2, 60),
    Work("blockade", 4, ("Farsighted",), 1, 40),
    Work("knitwit", 4, ("AtRandom",), 1, 30),
    Work("knitwit", 4, ("Original",), 1, 30),
)


class Version:
    """A checkout, and the process that plays with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
        )

    def play(self, work: Work, seeds: Sequence[str]) -> tuple[float, str]:
        """Return the seconds that *work* takes with *seeds*, and a digest of its records."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(
            json.dumps([work.game, work.players, work.kinds, seeds]),
            file=self.process.stdin,
            flush=True,
        )
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"the version in {self.folder} ended; what it said stands above")
        spent, digest = json.loads(answer)
        return spent, digest

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def compare(work: Work, now: Version, before: Version, scale: float) -> str:
    """Return how many times as fast *now* is as *before*, with quartiles."""
    found, differ = [], 0
    for number in range(max(4, int(work.times * scale))):
        seeds = [f"before {number} {match}" for match in range(work.matches)]
        order = (now, before) if number % 2 else (before, now)
        spent: dict[Version, Any] = {version: version.play(work, seeds) for version in order}
        found.append(spent[before][0] / spent[now][0])
        differ += spent[before][1] != spent[now][1]
    found.sort()
    low, high = found[len(found) // 4], found[-1 - len(found) // 4]
    alike = f"{differ} of {len(found)} times other records" if differ else "records alike"
    return f"{median(found):.2f} ({low:.2f} to {high:.2f}), {alike}"


def main(given: Sequence[str]) -> int:
    """Compare this checkout with the one that is named in *given*."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks before", description=__doc__)
    parser.add_argument("folder", type=Path, help="the root of the other checkout")
    parser.add_argument(
        "--scale", type=float, default=1, help="part of the full size, such as 0.05 to try it out"
    )
    asked = parser.parse_args(given)
    now, before = Version(Path(__file__).parents[1]), Version(asked.folder.resolve())
    print("times as fast as before: median (quartiles)")
    for work in WORKS:
        who = ", ".join(work.kinds)
        print(
            f"  {work.game:10} {work.players} {who:18} {compare(work, now, before, asked.scale)}",
            flush=True,
        )
    for version in (now, before):
        version.close()
    return 0
