"""How fast mind maps are: the maps of a class read, beside ``json.loads``, and merged, beside
networkx; an edit of the largest map, beside a small one.

``networkx.compose_all`` puts graphs together by the names of their nodes; ours also compares words
however they are written, counts who has drawn what, and finds disagreements.
"""

import json
import random
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

import networkx as nx

from coursekit.maps.comparison import merge
from coursekit.maps.edits import edit_map
from coursekit.maps.elements import CONCEPTS
from coursekit.maps.file_reader import read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap

CLASS, TIMES = 40, 20
STEPS = 600
"""Steps of each map of the class."""


def drawn(rng: random.Random, concepts: int, words: int) -> MindMap:
    """Return a map of *concepts* concepts, named from *words*, with about three relations each."""
    labels, phrases = (
        rng.sample([f"概念 {number}" for number in range(words)], concepts),
        ("導致", "擋住", "需要"),
    )
    links = {tuple(rng.sample(range(concepts), 2)) for _ in range(3 * concepts // 2)}
    map = MindMap("為什麼？")
    adds = [
        ["add", {"label": label, "at": [rng.randrange(1001), rng.randrange(1001)]}]
        for label in labels
    ]
    edit_map(
        map,
        [
            *adds,
            *(
                ["link", f"+{one}", rng.choice(phrases), f"+{other}"]
                for one, other in sorted(links)
            ),
        ],
    )
    return map


def seconds(do: Callable[[], object], times: int) -> float:
    """Return the median of *times* runs."""
    took = []
    for _ in range(times):
        start = process_time()
        do()
        took.append(process_time() - start)
    return median(took)


def opened(files: list[bytes], log: bool) -> list[MindMap]:
    """Return the maps in *files*."""
    return [read_map(each, "map.json", log=log) for each in files]


def speed(scale: float) -> None:
    """Print the ratios."""
    rng, times = random.Random(1), max(3, round(TIMES * scale))
    maps = [drawn(rng, 25, 60) for _ in range(CLASS)]
    graphs = [
        nx.relabel_nodes(map.graph(), {id: each.label for id, each in map.concepts.items()})
        for map in maps
    ]
    ours, theirs = (
        seconds(lambda: merge(maps), times),
        seconds(lambda: nx.compose_all(graphs), times),
    )
    print(
        f"{CLASS} maps of 25 concepts merged: {ours / theirs:.1f} times compose_all ({1000 * ours:.0f} ms)"
    )

    for map in maps:
        while len(map.log) < STEPS:
            map.move({rng.choice(list(map.concepts)): (rng.randrange(1001), rng.randrange(1001))})
    files = [write_map(map, "json").encode() for map in maps]
    plain = seconds(lambda: [json.loads(each) for each in files], times)
    for log, how in ((False, "without"), (True, "with")):
        took = seconds(partial(opened, files, log), times)
        print(
            f"{CLASS} maps read {how} their {STEPS} steps: {took / plain:.1f} times json ({1000 * took:.0f} ms)"
        )

    def moved(map: MindMap) -> float:
        def move() -> None:
            draft = map.after(len(map.log))
            edit_map(draft, [["move", {"c1": [rng.randrange(1001), rng.randrange(1001)]}]])
            map.show(draft)

        return seconds(move, 10 * times)

    small, large = moved(drawn(rng, 20, 60)), moved(drawn(rng, CONCEPTS, CONCEPTS))
    print(
        f"a move in a map of {CONCEPTS} concepts: {large / small:.1f} times one of 20 ({1000 * large:.1f} ms)"
    )
