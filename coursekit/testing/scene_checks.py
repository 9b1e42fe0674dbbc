"""The check of scenes: everybody can see every moment, and touch what the rules allow."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from coursekit.core.chance import pick, random_below
from coursekit.core.game import TABLE, AnyGame, DrawnInput, Event, FreeInput, Seat
from coursekit.core.match import Match
from coursekit.core.options import to_tuples
from coursekit.kit import GAMES, ByHand, kit_of
from coursekit.kit.scene import ZONE_KINDS, Look, Scene, pieces_of, zones_of
from coursekit.table.view import RULES, STORY, handbook
from coursekit.testing.kit_checks import drawing_ids, symbol_ids
from coursekit.testing.random_house_rules import draw_some
from coursekit.testing.random_match import Walk
from coursekit.words.texts import LANGUAGES


def check_scenes(game: AnyGame, seed: str) -> None:
    """Every moment can be drawn for everybody, in every language, as plain data.

    What can be touched is lit exactly if the rules allow it, and everything that a seat (or the
    table) may do is offered: to the viewer and, in the open, to several people around one screen.
    What cannot be listed is done by hand in a zone, and what this offers is legal. Pages that
    pieces name are in the handbook, drawings that faces name among the game's art, and one of the
    rules in short is marked. The log has a line for each event, the same whatever comes after it. A
    game without a kit, or whose kit has no scene, passes.
    """
    kit = GAMES.get(game.name)
    if kit is None or kit.rules is not type(game) or kit.scene is None:
        return
    own = kit.zones.kinds if kit.zones else ()
    handbooks = {language: handbook(game, language) for language in LANGUAGES}
    with Walk(game, seed) as walk:
        for match in walk:
            # A story takes longer and longer.
            if len(match.log) > 60 and random_below(walk.rng, max(8, len(match.log) // 20)):
                continue
            seat = pick(walk.rng, (*game.seats, None))
            observation = game.observe(match.state, seat)
            phase = observation.phase
            people: Sequence[Seat | None] = [seat]
            if seat is None:
                count = random_below(walk.rng, game.players + 1) if phase in game.open_phases else 0
                people = draw_some(walk.rng, count, game.seats)
            acting = [actor for actor in game.to_act(match.state) if actor in people]
            look = Look(game, LANGUAGES[walk.entry % len(LANGUAGES)], acting=acting)
            scene = kit.scene(observation, match.story(seat), look)
            if json.loads(json.dumps(scene)) != scene:
                raise walk.broken("the scene is not the same after JSON")
            _check_log(walk, match.story(seat), look)
            kinds = {zone["kind"] for zone in zones_of(scene["zones"])}
            if unknown := kinds - {*ZONE_KINDS, *own}:
                raise walk.broken(f"the table cannot draw zones of kind {unknown}")
            pages = handbooks[look.language]
            named = {piece["about"] for piece in pieces_of(scene) if "about" in piece}
            if missing := named - pages.keys():
                raise walk.broken(f"the handbook has no pages {missing}")
            if kit.guide is not None and not match.over:
                place = kit.guide.place_of_rule(phase)
                if place is None or not pages[RULES]["text"][place]:
                    raise walk.broken(
                        f"none of the rules in short is marked in the phase {phase!r}"
                    )
            if missing := {*drawing_ids(scene)} - symbol_ids(kit.art):
                art = kit.art or "the game, which brings no art,"
                raise walk.broken(f"{art} has no drawings {sorted(missing)}")
            _check_touching(walk, match, scene, seat, acting)


def _check_log(walk: Walk, story: Sequence[Event], look: Look) -> None:
    """Check that the log of *story* is the same whether it is written at once or added to."""
    tell = kit_of(look.game).log
    first = max(0, len(story) - STORY)
    count = len(story) - first
    # A table writes the log bit by bit as the story grows; here in two parts.
    between = first + random_below(walk.rng, count + 1)
    lines = tell(story, look, first)
    if len(lines) != count:
        raise walk.broken(f"the log has {len(lines)} lines for {count} events")
    if tell(story[:between], look, first) + tell(story, look, between) != lines:
        raise walk.broken(f"the log is not the same if it is added to from event {between} on")


def _check_touching(
    walk: Walk, match: Match, scene: Scene, viewer: Seat | None, acting: Sequence[Seat]
) -> None:
    """Check that *scene* offers what those *acting* may do, and nothing else."""
    game = match.game
    lit = defaultdict[Seat | None, list[Any]](list)  # by who may do it
    for thing in touchable(scene):
        by = thing.get("seat", viewer)
        action = to_tuples(thing["action"])
        if thing["legal"]:
            lit[by].append(action)
        if thing["legal"] != (by is not None and game.refusal(match.state, by, action) is None):
            how = "lit" if thing["legal"] else "unlit"
            raise walk.broken(f"{thing['label']!r} is wrongly {how} for {by}")
    by_hand = {}
    offered = set(lit)
    for work in _by_hand(game, scene):
        by_hand[work.seat] = work
        if work.drawn or any(mark.lit for mark in work.marks):
            offered.add(work.seat)
    if strangers := offered - {TABLE, *acting}:
        what = f"{strangers} are offered something"
        raise walk.broken(f"{what}, but only {acting} act on this screen")
    for by in set(game.to_act(match.state)) & {TABLE, *acting}:
        legal = game.legal_actions(match.state, by)
        if isinstance(legal, tuple) and set(map(repr, lit[by])) != set(map(repr, legal)):
            raise walk.broken(f"seat {by} may do {legal} and is offered {lit[by]}")
        if not isinstance(legal, tuple):
            if by not in by_hand:
                raise walk.broken(f"seat {by} has nothing to do it with by hand")
            _check_input(walk, legal, by_hand[by])


def _by_hand(game: AnyGame, scene: Scene) -> Iterator[ByHand]:
    """Yield what is done by hand in each zone of *scene*."""
    own = GAMES[game.name].zones
    if own:
        yield from filter(None, map(own.by_hand, zones_of(scene["zones"])))


def _check_input(walk: Walk, legal: FreeInput, by_hand: ByHand) -> None:
    """Check that what a zone lets a hand do is *legal*: its marks and its proposals."""
    for mark in by_hand.marks:
        if any(action in legal for action in mark.actions) != mark.lit:
            raise walk.broken(f"{mark.label} is wrongly {'offered' if mark.lit else 'closed'}")
    if by_hand.drawn:
        if not isinstance(legal, DrawnInput):
            raise walk.broken(f"{legal} has no previews and proposals, which a zone asks for")
        number = random_below(walk.rng, 3)
        action = legal.suggestion(number, None)
        # The browser gets both as JSON and sends the action back.
        preview = json.loads(json.dumps(legal.preview(action)))
        is_data = to_tuples(json.loads(json.dumps(action))) == action
        if action not in legal or preview is None or not is_data:
            what = f"proposal {number} is {action}"
            raise walk.broken(f"{what}, which is not legal or cannot be shown")
        if legal.preview("nothing") is not None:
            raise walk.broken("what is no action has a preview")


def touchable(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield everything in *scene* that asks for an action: pieces, their choices, and buttons."""
    for piece in pieces_of(scene):
        if "action" in piece:
            yield dict(piece)
        else:
            yield from map(dict, piece.get("choices", []))
    for zone in zones_of(scene["zones"]):
        yield from map(dict, zone.get("choices", []))
