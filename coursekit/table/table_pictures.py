"""Pictures of a table for a page of text: moments of a match, and cards as they lie on it.

They are views as ``static/table.js`` draws them. The rules make them each time, so that they never
go stale.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.game import TABLE, AnyGame
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import make_players
from coursekit.kit import kit_of
from coursekit.kit.scene import Look, Piece, pieces_of
from coursekit.table.read_only_scene import PIECE, keep_parts
from coursekit.table.run import Run
from coursekit.table.view import View

FRAME: dict[str, Any] = {"offer": None, "notice": "", "boxes": [], "kept": False, "named": False}
"""What a widget adds to a view; a picture offers nothing."""
PICTURED = "manual"
"""The seed of the matches that pages of text show."""


def walk(game: AnyGame, language: str, seed: str) -> Iterator[Match]:
    """Yield a match of the kit's best players at its beginning and after each action.

    It is always the same for a *seed*.
    """
    match = Match(game, seed)
    players = make_players(game, [kit_of(game).players(language)[-1]] * game.players, match.seed)
    order = stream(match.seed, "order")
    yield match
    while (deciding := game.to_act(match.state)) and step_any(match, deciding, players, order):
        yield match


def moment(game: AnyGame, language: str, seed: str, phase: str, nth: int = 1) -> dict[str, Any]:
    """Return the *nth* moment of *phase* in the match of *seed*, as the player sees it who decides.

    :raises ValueError: if there is none.
    """
    times = 0
    for match in walk(game, language, seed):
        times += game.observe(match.state, None).phase == phase
        if times == nth:
            seat = next((seat for seat in game.to_act(match.state) if seat != TABLE), 0)
            run = Run(game, ["person"] * game.players, match=match, hosted=True)
            return View(run, seat).json(language) | FRAME
    raise ValueError(f"{game.name} with seed {seed!r} has phase {phase!r} {times} times, not {nth}")


def cards(game: AnyGame, language: str, seed: str, names: Sequence[str]) -> dict[str, Any]:
    """Return a table on which the cards *names* lie: ids of pieces, or of pages in the handbook.

    :raises ValueError: if one is seen by nobody in the match of *seed*.
    """
    kit, look = kit_of(game), Look(game, language)
    assert kit.scene is not None
    pieces: dict[str, Piece] = {}
    for match in walk(game, language, seed):
        for seat in game.seats:
            scene = kit.scene(game.observe(match.state, seat), match.story(seat), look)
            for piece in pieces_of(scene):
                pieces.setdefault(piece.get("about", piece["id"]), piece)
        if pieces.keys() >= set(names):
            return _row_of_cards([pieces[name] for name in names], language)
    missing = ", ".join(sorted(set(names) - pieces.keys()))
    raise ValueError(f"{game.name} with seed {seed!r} never shows {missing}")


def _row_of_cards(pieces: Sequence[Piece], language: str) -> dict[str, Any]:
    """Return a view of a table with *pieces* and nothing else."""
    cards = [
        keep_parts(piece, PIECE) | {"caption": piece["label"], "faded": False} for piece in pieces
    ]
    row = {"kind": "row", "place": "middle", "label": "", "pieces": cards}
    scene = {"title": "", "prompt": "", "turn": False, "over": False, "zones": [row]}
    view = {
        "scenes": [scene],
        "story": [],
        "told": [0],
        "match": "",
        "branch": 0,
        "events": 0,
        "viewer": None,
        "people": 0,
        "covered": [],
        "language": language,
        "looking_back": False,
        "trouble": None,
    }
    return view | FRAME


def rule_pictures(game: str, language: str) -> list[dict[str, Any]]:
    """Return the rules of *game* in pictures: a ``view`` each, and the ``line`` below it."""
    kit = kit_of(game)
    guide = kit.guide
    assert guide is not None
    rules = kit.rules(guide.players, kit.rules.preset(guide.preset))
    look = Look(rules, language)
    pictures = []
    for picture in guide.pictures:
        if picture.cards:
            view = cards(rules, language, PICTURED, picture.cards)
        else:
            view = moment(rules, language, PICTURED, picture.phase, picture.nth)
        scene = view["scenes"][-1]
        zones = [zone for zone in scene["zones"] if zone["kind"] in picture.zones or picture.cards]
        shown = {**scene, "zones": zones}
        line = look.say(picture.text, **vars(rules.options))
        pictures.append(
            {"line": line, "view": {**view, "scenes": [shown], "story": [], "told": [0]}}
        )
    return pictures
