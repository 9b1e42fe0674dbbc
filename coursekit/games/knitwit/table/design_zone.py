"""The design as a zone: loops, spools, and where the next one may go, made from what everybody
sees.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import dist

from coursekit.core.game import Seat
from coursekit.games.knitwit.rules.design import Design, free_middles, loops_at
from coursekit.games.knitwit.rules.geometry import HEIGHT, RADIUS, WIDTH, Point
from coursekit.games.knitwit.rules.placement import fault_of_spool
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
from coursekit.games.knitwit.table.pieces import rules_of, sharing, words_of
from coursekit.games.knitwit.table.zone_types import Canvas, Loop, Spool, Spot
from coursekit.kit.scene import Look
from coursekit.words.texts import join_words


def venn(obs: Observation, look: Look, lit: Sequence[int] = ()) -> Canvas:
    """Return the design of *obs*; the spools whose numbers are *lit* stand out, if there are any."""
    zone: Canvas = {
        "kind": "venn",
        "place": "middle",
        "label": look.say("venn.zone"),
        "size": [WIDTH, HEIGHT],
        "loops": [_loop(obs, look, loop) for loop in range(len(obs.loops))],
        "spools": [_spool(obs, look, place, lit) for place in range(len(obs.spools))],
    }
    if obs.turn in sharing(obs, look):
        if obs.phase == "loop":
            zone["draw"] = {"seat": obs.turn}
        elif obs.phase == "spool":
            zone["put"] = {"seat": obs.turn, "numbers": list(obs.hands[obs.turn])}
            design = rules_of(look).design(obs)
            zone["spots"] = [
                _spot(obs, look, at, loops_at(design, at)) for at in free_spots(design)
            ]
    return zone


def free_spots(design: Design) -> list[Point]:
    """Return places at which a spool may be put, from the top: in every region but slivers beside a
    larger one.
    """
    found: list[Point] = []
    for at in free_middles(design):  # the roomiest first
        beside = (
            each
            for each in found
            if dist(each, at) < 3 * RADIUS and loops_at(design, each) == loops_at(design, at)
        )
        if not any(beside) and fault_of_spool(design, at) is None:
            found.append(at)
    return sorted(found, key=lambda at: (at[1], at[0]))


def _loop(obs: Observation, look: Look, loop: int) -> Loop:
    laid = obs.loops[loop], obs.pins[loop], obs.owners[loop], obs.tags[loop]
    return _tied(obs.round, loop, *laid, look.named)


@lru_cache(1024)
def _tied(
    round: int, loop: int, points: tuple[Point, ...], pin: Point, owner: Seat, tag: int, look: Look
) -> Loop:
    (word,), name = words_of([tag], look), look.word("loop", loop)
    label = "venn.loop" if word else "venn.loop_blank"
    return {
        "id": f"loop-{round}-{loop}",
        "points": [list(p) for p in points],
        "pin": list(pin),
        "tone": loop,
        "name": name,
        "word": word,
        "owner": look.name(owner),
        "label": look.say(label, loop=loop, seat=owner, tag=tag),
    }


def _spool(obs: Observation, look: Look, place: int, lit: Sequence[int]) -> Spool:
    loops = obs.around[place]
    spool = _put(
        obs.spools[place], loops, tuple([obs.tags[loop] for loop in loops]), look.public
    ).copy()
    if spool["number"] in lit:
        spool["marked"] = True
    elif lit:
        spool["faded"] = True
    return spool


@lru_cache(1024)
def _put(
    spool: tuple[int, int, int], loops: tuple[int, ...], tags: tuple[int, ...], look: Look
) -> Spool:
    number, x, y = spool
    return {
        "number": number,
        "at": [x, y],
        "loops": list(loops),
        "points": rules_of(look).worth(len(loops)),
        "words": words_of(tags, look),
        "label": look.say("venn.spool", number=number, inside=_told(loops, tags, look)),
    }


def _spot(obs: Observation, look: Look, at: Point, loops: Sequence[int]) -> Spot:
    return {
        "at": list(at),
        "loops": list(loops),
        "label": look.say("venn.spot", inside=_inside(obs, look, loops)),
    }


def _inside(obs: Observation, look: Look, loops: Sequence[int]) -> str:
    """Return which *loops* something lies in, what an answer has to be, and how much it counts."""
    return _told(tuple(loops), tuple(obs.tags[loop] for loop in loops), look.public)


@lru_cache(1024)
def _told(loops: tuple[int, ...], tags: tuple[int, ...], look: Look) -> str:
    names, points = (
        _all([look.word("loop", loop) for loop in loops], look),
        rules_of(look).worth(len(loops)),
    )
    if NO_TAG in tags:
        return look.say("venn.inside_blank", loops=names, points=points)
    words = _all([look.word("tag", tag) for tag in tags], look)
    text = "venn.inside" if len(loops) == 1 else "venn.inside_all"
    return look.say(text, loops=names, words=words, points=points)


def _all(words: Sequence[str], look: Look) -> str:
    """Return *words* as what holds of one thing at the same time: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return look.say("venn.and", first=join_words(words[:-1], look.language), last=words[-1])
