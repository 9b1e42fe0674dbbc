"""Where the concepts of a map stand in a drawing; points are complex numbers, lengths pixels."""

import cmath
from collections.abc import Mapping
from itertools import combinations
from math import copysign

from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap

ACROSS, DOWN, CROWD = 1.2, 0.75, 14
"""Pixels of a step of a place; a map of more than ``CROWD`` concepts grows, as in the editor."""
NEAR = 190
"""How far apart related concepts stand, in steps of places."""
FAR = 2.5
"""How many times as far concepts stand apart that nothing connects."""
STRAIGHT = 0.7
"""Below 1, long chains bend, so that the map fits on paper."""
GAP = 56 + 44j
"""Least space between cards that are given a place."""
GOLDEN = 2.4
"""The golden angle: points that turn by it do not lie upon each other."""


def layout(mind_map: MindMap, sizes: Mapping[str, complex]) -> dict[str, complex]:
    """Return where the middles of cards with these *sizes* stand: at their places, if they have
    one.

    The others stand the nearer, the nearer they are related, and upon nothing.
    """
    grown = max(1, (len(sizes) / CROWD) ** 0.5)
    points = {
        concept_id: complex(*concept.at)
        for concept_id, concept in mind_map.concepts.items()
        if concept.at
    }
    order = dict.fromkeys([*hierarchy(mind_map).level, *sizes])
    free = [concept_id for concept_id in order if concept_id not in points]
    _place_near(mind_map, free, points, NEAR / grown)
    places = {
        concept_id: grown * complex(ACROSS * point.real, DOWN * point.imag)
        for concept_id, point in points.items()
    }
    _push_apart(free, places, sizes)
    return places


def _place_near(
    mind_map: MindMap, free: list[str], points: dict[str, complex], near: float
) -> None:
    """Add those that are *free* to *points*: stress majorization (Gansner, Koren & North 2004)."""
    beside: dict[str, list[str]] = {concept_id: [] for concept_id in mind_map.concepts}
    for relation in mind_map.relations.values():
        beside[relation.start].append(relation.end)
        beside[relation.end].append(relation.start)
    for number, concept_id in enumerate(free):
        related = [points[other] for other in beside[concept_id] if other in points]
        others = related or list(points.values()) or [0j]
        points[concept_id] = sum(others) / len(others) + cmath.rect(near, GOLDEN * number)
    steps = {concept_id: _steps(concept_id, beside) for concept_id in free}
    for _ in range(20 + 1500 // max(1, len(points))):
        for concept_id in free:
            wanted = weights = 0j
            for other, point in points.items():
                if other != concept_id:
                    far = steps[concept_id].get(other, FAR) ** STRAIGHT
                    way = points[concept_id] - point or 1j
                    wanted += (point + far * near * way / abs(way)) / far**2
                    weights += 1 / far**2
            if weights:
                points[concept_id] = wanted / weights


def _steps(start: str, beside: Mapping[str, list[str]]) -> dict[str, int]:
    """Return how many relations lead from *start* to each concept that they lead to."""
    steps = {start: 0}
    order = [start]
    for concept_id in order:  # grows in the loop
        for other in beside[concept_id]:
            if other not in steps:
                steps[other] = steps[concept_id] + 1
                order.append(other)
    return steps


def _push_apart(free: list[str], places: dict[str, complex], sizes: Mapping[str, complex]) -> None:
    """Move cards that are *free* until none lies upon another, or it has been tried long enough."""
    pairs = [pair for pair in combinations(sizes, 2) if not set(free).isdisjoint(pair)]
    for turn in range(100):
        is_done = True
        for one, other in pairs:
            way = places[other] - places[one]
            lack = (sizes[one] + sizes[other]) / 2 + GAP
            lack -= complex(abs(way.real), abs(way.imag))
            if min(lack.real, lack.imag) < 1:
                continue
            is_done = False
            push = copysign(lack.real, way.real) + 0j
            # Not always the same way, or they get stuck.
            if lack.imag < lack.real / (1 + turn % 3):
                push = copysign(lack.imag, way.imag) * 1j
            if one in free and other in free:
                push /= 2
            places[one] -= push if one in free else 0
            places[other] += push if other in free else 0
        if is_done:
            return
