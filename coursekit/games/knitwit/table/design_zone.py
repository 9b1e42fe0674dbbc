"""The design as a zone: loops, spools, and where the next one may go.

It is made from what everybody sees.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import dist

from coursekit.core.game import Seat
from coursekit.games.knitwit.rules.geometry import HEIGHT, RADIUS, WIDTH, Point
from coursekit.games.knitwit.rules.loop_design import Design, free_middles, loops_at
from coursekit.games.knitwit.rules.placement import fault_of_spool
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
from coursekit.games.knitwit.table.pieces import rules_of, sharing, words_of
from coursekit.games.knitwit.table.zone_types import Canvas, Loop, Spool, Spot
from coursekit.kit.scene import Look
from coursekit.words.texts import join_words


def venn(obs: Observation, look: Look, lit: Sequence[int] = ()) -> Canvas:
    """Return the design of *obs*, in which the spools whose numbers are *lit* stand out."""
    zone: Canvas = {
        "kind": "venn",
        "place": "middle",
        "label": look.say("venn.zone"),
        "size": [WIDTH, HEIGHT],
        "loops": [_loop(obs, look, loop) for loop in range(len(obs.loops))],
        "spools": [],
    }
    for (number, x, y), loops in zip(obs.spools, obs.around):
        spool = _spool(number, (x, y), loops, _tags(obs, loops), look.public).copy()
        if number in lit:
            spool["marked"] = True
        elif lit:
            spool["faded"] = True
        zone["spools"].append(spool)
    if obs.turn in sharing(obs, look):
        if obs.phase == "loop":
            zone["draw"] = {"seat": obs.turn}
        elif obs.phase == "spool":
            zone["put"] = {"seat": obs.turn, "numbers": list(obs.hands[obs.turn])}
            design = rules_of(look).design(obs)
            spots = free_spots(design)
            zone["spots"] = [_spot(obs, look, at, loops_at(design, at)) for at in spots]
    return zone


def free_spots(design: Design) -> list[Point]:
    """Return places at which a spool may be put, from the top.

    There is one in every region but slivers beside a larger one.
    """
    spots: list[Point] = []
    for at in free_middles(design):  # the roomiest first
        loops = loops_at(design, at)
        near = [spot for spot in spots if dist(spot, at) < 3 * RADIUS]
        is_sliver = any(loops_at(design, spot) == loops for spot in near)
        if not is_sliver and fault_of_spool(design, at) is None:
            spots.append(at)
    return sorted(spots, key=lambda at: (at[1], at[0]))


def _tags(obs: Observation, loops: Sequence[int]) -> tuple[int, ...]:
    return tuple([obs.tags[loop] for loop in loops])


def _loop(obs: Observation, look: Look, loop: int) -> Loop:
    tied = obs.loops[loop], obs.pins[loop], obs.owners[loop], obs.tags[loop]
    return _tied_loop(obs.round, loop, *tied, look.named)


@lru_cache(1024)
def _tied_loop(
    round_number: int,
    loop: int,
    points: tuple[Point, ...],
    pin: Point,
    owner: Seat,
    tag: int,
    look: Look,
) -> Loop:
    (word,) = words_of([tag], look)
    label = "venn.loop" if word else "venn.loop_blank"
    return {
        "id": f"loop-{round_number}-{loop}",
        "points": [list(p) for p in points],
        "pin": list(pin),
        "tone": loop,
        "name": look.word("loop", loop),
        "word": word,
        "owner": look.name(owner),
        "label": look.say(label, loop=loop, seat=owner, tag=tag),
    }


@lru_cache(1024)
def _spool(
    number: int, at: Point, loops: tuple[int, ...], tags: tuple[int, ...], look: Look
) -> Spool:
    return {
        "number": number,
        "at": list(at),
        "loops": list(loops),
        "points": rules_of(look).worth(len(loops)),
        "words": words_of(tags, look),
        "label": look.say("venn.spool", number=number, inside=_inside(loops, tags, look)),
    }


def _spot(obs: Observation, look: Look, at: Point, loops: tuple[int, ...]) -> Spot:
    inside = _inside(loops, _tags(obs, loops), look.public)
    return {"at": list(at), "loops": list(loops), "label": look.say("venn.spot", inside=inside)}


@lru_cache(1024)
def _inside(loops: tuple[int, ...], tags: tuple[int, ...], look: Look) -> str:
    """Return which *loops* something lies in, what an answer has to be, and how much it counts."""
    points = rules_of(look).worth(len(loops))
    names = _join_all([look.word("loop", loop) for loop in loops], look)
    if NO_TAG in tags:
        return look.say("venn.inside_blank", loops=names, points=points)
    words = _join_all([look.word("tag", tag) for tag in tags], look)
    text = "venn.inside" if len(loops) == 1 else "venn.inside_all"
    return look.say(text, loops=names, words=words, points=points)


def _join_all(words: Sequence[str], look: Look) -> str:
    """Return *words* as what holds of one thing at the same time: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return look.say("venn.and", first=join_words(words[:-1], look.language), last=words[-1])
