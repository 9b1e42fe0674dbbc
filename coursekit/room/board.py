"""What lies on a table, as the projector shows it beside other tables.

A board is made of what those who watch the table see, and of nothing else.
"""

from itertools import pairwise
from typing import Any

from coursekit.core.game import Seat
from coursekit.kit.scene import Place, Scene
from coursekit.room.room_table import RoomTable
from coursekit.table.view import View
from coursekit.words.texts import game_text, text

MOST = 6
"""Number of tables up to which the projector shows what lies on each."""
IN_SIGHT = ("row", "notice")
"""Kinds of zones that are a part of a board wherever they lie."""
PARTS = ("title", "prompt", "turn", "over", "beat", "sober", "moments")
"""Parts of a scene that a board has beside its zones."""
ON_PLATE = ("seat", "name", "by", "you", "team", "sign", "tokens")
"""Parts of a plate that a board has as they are."""
Json = dict[str, Any]


class Board:
    """The board of one table, and what a page has of it."""

    def __init__(self, at: RoomTable) -> None:
        self.at = at
        self._view: View | None = None  # what is told, or was told last
        self._marks: tuple[Any, ...] = ()
        self._known: tuple[Any, Any] = (None, None)  # the page's view and scene

    def clear(self) -> None:
        """Take for granted that the page has nothing of it."""
        self._view = None
        self._known = (None, None)

    def news(self, language: str, away: frozenset[Seat]) -> Json | None:
        """Return what is new for the page, as differences; ``None`` if nothing is.

        :param away: the seats whose people are not connected.
        """
        at = self.at
        if self._marks[:1] == (at.version,) and self._marks[-2:] == (language, away):
            return None
        is_new = self._advance()
        shown = (
            at.run.branch,
            at.is_still,
            at.over,
            frozenset(at.run.stood_in),
            at.run.match.names,
        )
        marks = (at.version, *shown, language, away)
        is_same = not is_new and marks[1:] == self._marks[1:]
        self._marks = marks
        return None if is_same else self._changes(language, away)

    def _advance(self) -> bool:
        """Come to the present; return whether there was anything to see since then."""
        view = self._view
        if view is None:
            self._view = View(self.at.run, None)
            return True
        if view.advance():
            return True
        view.moments = view.moments[-1:]  # what came before has been told
        return False

    def _changes(self, language: str, away: frozenset[Seat]) -> Json:
        at = self.at
        assert self._view is not None
        view = at.view_json(self._view, language)
        scenes = [self._scene(scene, language, away) for scene in view.pop("scenes")]
        if at.over:
            self._crown(scenes[-1])
        view |= {"board": True, "story": [], "told": [0] * len(scenes), "notice": "", "left": {}}
        known, before = self._known
        changes = [difference(*pair) for pair in pairwise([before, *scenes])]
        self._known = (view, scenes[-1])
        return {"table": at.table_id, "view": difference(known, view), "scenes": changes}

    def _scene(self, scene: Scene, language: str, away: frozenset[Seat]) -> Json:
        """Return the part of *scene* that a board shows."""
        zones: list[Json] = []
        for zone in scene["zones"]:
            if zone["kind"] == "seats":
                places = [self._place(place, language, away) for place in zone["places"]]
                zones.append({"kind": "seats", "place": "far", "places": places})
            elif zone["place"] == "middle" or (
                zone["place"] == "near" and zone["kind"] in IN_SIGHT
            ):
                zones.append(dict(zone))
        parts: Json = dict(scene)
        return {part: parts[part] for part in PARTS if part in parts} | {"zones": zones}

    def _place(self, place: Place, language: str, away: frozenset[Seat]) -> Json:
        """Return the plate of a seat without the cards on it, its points last."""
        at, seat = self.at, place["seat"]
        is_computers = seat in at.run.stood_in
        badges = {
            "projector.computer": is_computers,
            "projector.away": seat in away and not is_computers,
        }
        told = [text(text_id, language) for text_id, holds in badges.items() if holds]
        points = game_text(at.game, "count.points", language)
        parts: Json = dict(place)
        return {part: parts[part] for part in ON_PLATE if part in parts} | {
            "turn": place["turn"] and not (at.is_still or at.over),
            "winner": False,
            "badges": [] if at.over else told,
            "counts": sorted(place["counts"], key=lambda count: count["label"] == points),
            "backs": 0,
            "pieces": [],
        }

    def _crown(self, scene: Json) -> None:
        winners = self.at.standing.winners
        for zone in scene["zones"]:
            for place in zone.get("places", []):
                place["winner"] = place["seat"] in winners


def difference(old: Any, new: Any) -> Json:
    """Return how *new* is made from *old*: what differs within it, else *new* itself.

    >>> difference({"a": 1, "b": [1, 2], "c": 3}, {"a": 1, "b": [1, 5]})
    {'of': {'b': {'of': {1: {'is': 5}}}}, 'without': ['c']}
    """
    if isinstance(old, dict) and isinstance(new, dict):
        changes = {
            key: difference(old.get(key), value)
            for key, value in new.items()
            if key not in old or old[key] != value
        }
        without = [key for key in old if key not in new]
        return {"of": changes} | ({"without": without} if without else {})
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return {
            "of": {
                at: difference(*pair) for at, pair in enumerate(zip(old, new)) if pair[0] != pair[1]
            }
        }
    return {"is": new}
