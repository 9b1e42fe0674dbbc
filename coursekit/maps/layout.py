"""Where the concepts of a map stand in a drawing; points are complex numbers, lengths pixels."""

import cmath
from collections.abc import Mapping
from itertools import combinations
from math import copysign

from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap

ACROSS, DOWN, CROWD = 1.2, 0.75, 14
"""Pixels of a step of a place; a map of more than ``CROWD`` concepts grows, as in the editor."""
STEP = 225 + 145j
"""How far related concepts stand apart: across, and down."""
GAP = 56 + 44j
"""Least space between cards that are given a place."""
FAR = 2.5
"""How many steps apart concepts stand that nothing connects."""
GOLDEN = 2.4
"""The golden angle: points that turn by it do not lie upon each other."""


def layout(mind_map: MindMap, sizes: Mapping[str, complex]) -> dict[str, complex]:
    """Return where the middles of cards with these *sizes* stand: at their places, if they have any.

    The others stand the nearer, the nearer they are related (stress majorization; Gansner, Koren &
    North 2004), and upon nothing.
    """
    grown = max(1, (len(sizes) / CROWD) ** 0.5)
    places = {}
    for concept_id, concept in mind_map.concepts.items():
        if concept.at:
            places[concept_id] = complex(concept.at[0] * ACROSS, concept.at[1] * DOWN) * grown
    order = dict.fromkeys([*hierarchy(mind_map).level, *sizes])
    free = [concept_id for concept_id in order if concept_id not in places]
    if free:
        _place_near(mind_map, free, places)
        _push_apart(free, places, sizes)
    return places


def _place_near(mind_map: MindMap, free: list[str], places: dict[str, complex]) -> None:
    """Add to *places* those of the concepts that are *free*."""
    beside: dict[str, list[str]] = {concept_id: [] for concept_id in mind_map.concepts}
    for relation in mind_map.relations.values():
        beside[relation.start].append(relation.end)
        beside[relation.end].append(relation.start)
    # In steps, so that the same distance is right in every direction.
    points = {key: complex(at.real / STEP.real, at.imag / STEP.imag) for key, at in places.items()}
    for number, concept_id in enumerate(free):
        near = [points[other] for other in beside[concept_id] if other in points]
        near = near or list(points.values()) or [0j]
        points[concept_id] = sum(near) / len(near) + cmath.rect(1, GOLDEN * number)
    steps = {concept_id: _steps(concept_id, beside) for concept_id in free}
    for _ in range(20 + 1500 // len(points)):
        for concept_id in free:
            at = points.pop(concept_id)
            wanted = weights = 0j
            for other, point in points.items():
                far = steps[concept_id].get(other, FAR)
                way = at - point or 1j
                wanted += (point + far * way / abs(way)) / far**2
                weights += 1 / far**2
            points[concept_id] = wanted / weights if weights else at
    for concept_id in free:
        point = points[concept_id]
        places[concept_id] = complex(point.real * STEP.real, point.imag * STEP.imag)


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
    for _ in range(100):
        is_done = True
        for one, other in pairs:
            way = places[other] - places[one]
            room = (sizes[one] + sizes[other]) / 2 + GAP
            across = room.real - abs(way.real)
            down = room.imag - abs(way.imag)
            if min(across, down) < 1:
                continue
            is_done = False
            push = copysign(across, way.real) + 0j
            if down < across / 2:  # screens and cards are wide
                push = copysign(down, way.imag) * 1j
            if one in free and other in free:
                push /= 2
            places[one] -= push if one in free else 0
            places[other] += push if other in free else 0
        if is_done:
            return
