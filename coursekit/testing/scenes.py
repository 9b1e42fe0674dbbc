"""What the check of scenes asks: can every moment be shown to everybody, and touched rightly?"""

import json
from collections.abc import Iterator
from typing import Any, get_args

from coursekit.chance import below, pick
from coursekit.game import TABLE, Seat, tupled
from coursekit.games import GAMES, scene_module
from coursekit.table.host import STORY, handbook
from coursekit.table.scene import Look, Scene, ZoneKind, pieces_of, zones_of
from coursekit.testing.walk import AnyGame, Walk
from coursekit.texts import LANGUAGES


def check_scenes(game: AnyGame, seed: str) -> None:
    """Every moment can be drawn for everybody, in every language, as plain data.

    What can be touched is lit exactly if the rules allow it, and everything that a seat (or the
    table) may do is offered; pages that pieces name are in the handbook.  Only games of the kit are
    drawn; others pass.
    """
    if GAMES.get(game.name) is not type(game) or not type(game).__module__.startswith("coursekit.games."):
        return
    drawn = scene_module(game.name)
    handbooks = {language: set(handbook(game, language)) for language in LANGUAGES}
    with Walk(game, seed) as walk:
        for match in walk:
            if len(match.log) > 60 and below(walk.rng, max(8, len(match.log) // 20)):  # a story takes longer and longer
                continue
            seat = pick(walk.rng, (*game.seats, None))
            look = Look(game, LANGUAGES[walk.entry % len(LANGUAGES)])
            story = match.story(seat)
            scene = drawn.scene(game.observe(match.state, seat), story, look)
            if json.loads(json.dumps(scene)) != scene:
                raise walk.broken("the scene is not the same after JSON")
            newest = story[-STORY:]
            if len(lines := drawn.log(newest, look)) != len(newest):
                raise walk.broken(f"the log has {len(lines)} lines for {len(newest)} events")
            if unknown := {zone["kind"] for zone in zones_of(scene["zones"])} - set(get_args(ZoneKind)):
                raise walk.broken(f"nobody can draw zones of kind {unknown}")
            if missing := {piece["about"] for piece in pieces_of(scene) if "about" in piece} - handbooks[look.language]:
                raise walk.broken(f"the handbook has no pages {missing}")
            lit: dict[Seat | None, list[Any]] = {seat: [], TABLE: []}  # by who may do it
            for thing in touchable(scene):
                by, action = thing.get("seat", seat), tupled(thing["action"])
                lit[by] += [action] if thing["legal"] else []
                if thing["legal"] != (by is not None and game.refusal(match.state, by, action) is None):
                    raise walk.broken(f"{thing['label']!r} is wrongly {'lit' if thing['legal'] else 'unlit'} for {by}")
            for by in set(game.to_act(match.state)) & {seat, TABLE}:
                legal = game.legal_actions(match.state, by)
                if isinstance(legal, tuple) and set(map(repr, lit[by])) != set(map(repr, legal)):
                    raise walk.broken(f"seat {by} may do {legal} and is offered {lit[by]}")


def touchable(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield everything in *scene* that asks for an action: pieces, their choices, and buttons."""
    for piece in pieces_of(scene):
        yield from (dict(thing) for thing in ([piece] if "action" in piece else piece.get("choices", [])))
    for zone in zones_of(scene["zones"]):
        yield from (dict(choice) for choice in zone.get("choices", []))
