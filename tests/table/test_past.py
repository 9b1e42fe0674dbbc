"""A past scene is built up from what is harmless: what is not known to be is not in it."""

import json
from typing import get_type_hints

import pytest
from playing import at_screen, pieces, views

from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.kit import KIT
from coursekit.kit import GAMES
from coursekit.kit import scene as types
from coursekit.table.read_only_scene import PIECE, SCENE, ZONE, make_read_only

TOUCHED = {
    "Scene": {"turn", "moments", "hints"},
    "Zone": {"choices"},
    "Piece": {"action", "legal", "choices"},
}
"""The parts by which something is done, or marked as it happens; they are left out."""
ZONES_WITHIN = {"zones"}


def a_scene():
    """Return a scene with a hand, buttons, and a track with a pile in it."""

    def piece(id):
        return {
            "id": id,
            "face": {"art": "book", "name": "Book"},
            "label": "Book",
            "action": id,
            "legal": True,
        }

    button = {"label": "Go", "action": "go", "legal": True}
    return {
        "title": "Round 1",
        "prompt": "Play",
        "turn": True,
        "over": False,
        "beat": 1.0,
        "zones": [
            {
                "kind": "hand",
                "label": "Hand",
                "pieces": [piece("1"), piece("2") | {"choices": [button]}],
            },
            {"kind": "choices", "choices": [button]},
            {
                "kind": "track",
                "zones": [{"kind": "pile", "count": 3, "top": piece("3")}, {"kind": "choices"}],
            },
        ],
    }


def test_what_can_be_looked_at_stays_and_what_can_be_done_goes():
    hand, track = make_read_only(a_scene())["zones"]
    assert hand["pieces"][0] == {
        "id": "1",
        "face": {"art": "book", "name": "Book"},
        "label": "Book",
    }
    assert track["zones"] == [{"kind": "pile", "count": 3, "top": hand["pieces"][0] | {"id": "3"}}]
    assert not make_read_only(a_scene())["turn"]


@pytest.mark.parametrize(
    "invented", [{"throw": "1"}, {"drag": {"action": "1"}}, {"grips": [{"action": "1"}]}]
)
def test_a_field_that_nobody_has_listed_is_left_out_wherever_it_stands(invented):
    scene, same = a_scene(), make_read_only(a_scene())
    found = [scene, *scene["zones"], *pieces(scene), *(piece["face"] for piece in pieces(scene))]
    for thing in found:
        thing |= invented
    assert len(found) > 8
    assert make_read_only(scene) == same


def test_a_listed_part_carries_nothing_but_text_and_numbers():
    scene = a_scene()
    scene["prompt"] = {"action": "1"}
    scene["zones"][0]["label"] = [{"action": "1"}, "Hand"]
    assert "action" not in json.dumps(make_read_only(scene))


@pytest.mark.parametrize(("name", "listed"), [("Scene", SCENE), ("Zone", ZONE), ("Piece", PIECE)])
def test_each_part_of_a_scene_stays_or_is_known_to_be_touched(name, listed):
    assert set(get_type_hints(getattr(types, name))) - TOUCHED[name] - ZONES_WITHIN == set(listed)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_else_is_lost(name):
    """A moment that nobody acts in is the same scene, past or not."""
    kit = GAMES[name]
    game = kit.standard()
    looked = 0
    for view in views(at_screen(game, ["person"] * game.players, seed=name), steps=60):
        for scene in view["scenes"]:
            if not view["covered"] or scene["turn"]:
                continue
            looked += 1
            zones = [zone for zone in scene["zones"] if zone["kind"] != "choices"]
            stays = {part: value for part, value in scene.items() if part != "moments"}
            assert make_read_only(scene, kit.zones) == stays | {"zones": zones}
    assert looked or name == "knitwit"


def test_a_canvas_is_looked_at_and_not_drawn_on():
    screen = at_screen(KnitWit(2), ["person", AtRandom], seed=1)
    (venn,) = [zone for zone in screen.view("en")["scenes"][-1]["zones"] if zone["kind"] == "venn"]
    scene = {"title": "", "prompt": "", "turn": True, "over": False, "beat": 1.0, "zones": [venn]}
    assert make_read_only(scene, KIT.zones)["zones"] == [
        {part: venn[part] for part in venn if part not in ("draw", "put", "spots")}
    ]
