"""Pictures of a table for a page of text: real moments of a match, and cards as they lie on it.

They are views as ``static/table.js`` draws them, made from the rules each time, so that they never
go stale.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.game import TABLE, Game
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import make_players
from coursekit.kit import kit_of
from coursekit.kit.scene import Look, Piece, pieces_of
from coursekit.table.read_only_scene import PIECE, keep_parts
from coursekit.table.run import Run
from coursekit.table.view import View

FRAME: dict[str, Any] = {"offer": None, "notice": "", "boxes": [], "kept": False, "named": False}
"""What a widget adds to a view; a picture offers nothing."""


def walk(game: Game[Any, Any, Any], language: str, seed: str) -> Iterator[Match]:
    """Yield a match of the kit's best players at its beginning and after each action; always the
    same for a *seed*.
    """
    match = Match(game, seed)
    players = make_players(game, [kit_of(game).players(language)[-1]] * game.players, match.seed)
    order = stream(match.seed, "order")
    yield match
    while (deciding := game.to_act(match.state)) and step_any(match, deciding, players, order):
        yield match


def moment(
    game: Game[Any, Any, Any], language: str, seed: str, phase: str, nth: int = 1
) -> dict[str, Any]:
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


def cards(
    game: Game[Any, Any, Any], language: str, seed: str, names: Sequence[str]
) -> dict[str, Any]:
    """Return a table on which the cards *names* lie in a row: ids of pieces, or of pages in the
    handbook.

    :raises ValueError: if one is seen by nobody in the match of *seed*.
    """
    kit, look, seen = kit_of(game), Look(game, language), dict[str, Piece]()
    assert kit.scene is not None
    for match in walk(game, language, seed):
        for seat in game.seats:
            for piece in pieces_of(
                kit.scene(game.observe(match.state, seat), match.story(seat), look)
            ):
                seen.setdefault(piece.get("about", piece["id"]), piece)
        if seen.keys() >= set(names):
            lying = [
                keep_parts(seen[name], PIECE) | {"caption": seen[name]["label"], "faded": False}
                for name in names
            ]
            row = {"kind": "row", "place": "middle", "label": "", "pieces": lying}
            scene = {"title": "", "prompt": "", "turn": False, "over": False, "zones": [row]}
            alone = {
                "scenes": [scene],
                "story": [],
                "told": [0],
                "match": "",
                "branch": 0,
                "events": 0,
                "viewer": None,
            }
            asked = {
                "people": 0,
                "covered": [],
                "language": language,
                "looking_back": False,
                "trouble": None,
            }
            return alone | asked | FRAME
    raise ValueError(
        f"{game.name} with seed {seed!r} never shows {', '.join(sorted(set(names) - seen.keys()))}"
    )
