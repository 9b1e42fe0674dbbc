"""The projector shows what lies on up to six tables: what those who watch see, in differences."""

import json
from random import Random

import pytest
from classroom import Classroom, Phone, class_of, short
from secrecy import knows

from coursekit.room.board import Board, difference
from coursekit.table.view import View

PLAYERS = {"wizard": 3, "wikipedia": 4, "blockade": 4, "knitwit": 3}


def renewed(old, change):
    """Return what *old* becomes by a difference, as the page makes it."""
    if "of" not in change:
        return change["is"]
    now = dict(enumerate(old)) if isinstance(old, list) else dict(old)
    for key, inner in change["of"].items():
        key = int(key) if isinstance(old, list) else key
        now[key] = renewed(now.get(key), inner)
    for key in change.get("without", ()):
        del now[key]
    return list(now.values()) if isinstance(old, list) else now


class Reader:
    """Reads the boards that a projector is told."""

    def __init__(self, projector: Phone) -> None:
        self.projector = projector
        self.boards: dict[int, tuple] = {}
        self.read()

    def read(self) -> list[dict]:
        """Return the messages about boards that are new."""
        messages = [json.loads(each) for each in self.projector.bytes]
        self.projector.bytes.clear()
        told = [message for message in messages if message["type"] == "board"]
        for message in told:
            view, scene = self.boards.get(message["table"], (None, None))
            view = renewed(view, message["view"])
            for change in message["scenes"]:
                scene = renewed(scene, change)
            self.boards[message["table"]] = (view, scene)
        return told


def tables_of(game: str, count: int, **options) -> Classroom:
    players = PLAYERS[game]
    seats = [[*range(first, first + players)] for first in range(1, count * players, players)]
    return class_of(seats, short(game, players, **options))


def spectators_scene(classroom: Classroom, number: int) -> dict:
    table = classroom.lesson.tables[number]
    view = table.view_json(View(table.run, None), "en")
    return json.loads(json.dumps(view["scenes"][-1]))


@pytest.mark.parametrize("game", PLAYERS)
def test_a_board_shows_what_those_who_watch_see_in_the_middle(game):
    classroom, rng = tables_of(game, 2), Random(game)
    reader = Reader(classroom.projector)
    assert set(reader.boards) == {1, 2}
    for _ in range(30):
        classroom.turn(rng)
        reader.read()
        for number, (view, scene) in reader.boards.items():
            seen = spectators_scene(classroom, number)
            middle = [zone for zone in seen["zones"] if zone["place"] == "middle"]
            assert [zone for zone in scene["zones"] if zone["place"] == "middle"] == middle
            assert scene["prompt"] == seen["prompt"]
            assert not {"hand", "choices", "pad"} & {zone["kind"] for zone in scene["zones"]}
            assert (view["match"], view["viewer"], view["story"]) == (f"room-{number}", None, [])


def test_an_action_costs_a_small_part_of_a_view():
    classroom, rng = tables_of("blockade", 2), Random(1)
    reader = Reader(classroom.projector)
    whole = len(json.dumps(reader.boards[1]))
    sizes = []
    for _ in range(40):
        classroom.turn(rng)
        sizes += [len(json.dumps(message)) for message in reader.read()]
    assert sum(sizes) / len(sizes) < min(2000, whole / 4)


def test_only_the_table_that_has_changed_is_told():
    classroom = tables_of("wizard", 3)
    reader = Reader(classroom.projector)
    acting = classroom.turn(Random(1))
    assert acting is not None
    assert [message["table"] for message in reader.read()] == [acting.place[0].table_id]


def test_from_seven_tables_on_and_beside_an_enlarged_one_no_board_is_told():
    assert not Reader(tables_of("wizard", 7).projector).boards
    classroom = tables_of("wizard", 2)
    reader = Reader(classroom.projector)
    classroom.order("watch", table=2)
    for _ in range(5):
        classroom.turn(Random(1))
    assert not reader.read()
    classroom.order("watch", table=None)
    assert {message["table"] for message in reader.read()} == {1, 2}
    for number, (_, scene) in reader.boards.items():
        assert scene["prompt"] == spectators_scene(classroom, number)["prompt"]


def test_plates_say_who_is_away_who_is_replaced_and_who_has_won():
    classroom = tables_of("wizard", 1)
    reader, table = Reader(classroom.projector), classroom.lesson.tables[1]

    def plates():
        reader.read()
        (zone,) = [zone for zone in reader.boards[1][1]["zones"] if zone["kind"] == "seats"]
        return zone["places"]

    assert [plate["turn"] for plate in plates()].count(True) == 1
    assert not any(plate["badges"] or plate["winner"] for plate in plates())
    classroom.wait(9, away=(classroom.phones[0],))
    assert [plate["badges"] for plate in plates()] == [["away"], [], []]
    table.run.stood_in.add(1)
    table.version += 1
    classroom.order("pause", table=1, on=True)
    assert plates()[1]["badges"] == ["computer"]
    assert not any(plate["turn"] for plate in plates())
    classroom.order("pause", table=1, on=False)
    classroom.wait(1)
    classroom.order("end_now")
    winners = set(table.standing.winners)
    assert winners == {plate["seat"] for plate in plates() if plate["winner"]}


def test_a_mistake_at_one_table_leaves_the_others_their_boards(monkeypatch):
    classroom = tables_of("wizard", 2)
    reader = Reader(classroom.projector)
    whole = Board.news

    def broken(self, *told):
        if self.at.table_id == 1:
            raise ZeroDivisionError
        return whole(self, *told)

    monkeypatch.setattr(Board, "news", broken)
    classroom.order("pause", on=True)
    classroom.order("pause", on=False)
    messages = {message["table"]: message for message in reader.read()}
    assert messages[1] == {"type": "board", "table": 1, "view": {"is": None}, "scenes": []}
    assert messages[2]["scenes"]


def test_a_page_that_comes_is_told_the_present_and_the_words_once():
    classroom, rng = tables_of("knitwit", 2), Random(2)
    for _ in range(20):
        classroom.turn(rng)
    late = classroom.phone("projector")
    classroom.collect()
    kinds = [json.loads(each)["type"] for each in late.bytes]
    assert kinds.count("board_setting") == 1
    assert kinds.index("board_setting") < kinds.index("board")
    reader = Reader(late)
    assert reader.boards[2][1]["prompt"] == spectators_scene(classroom, 2)["prompt"]


@pytest.mark.parametrize(
    ("game", "options"), [("wizard", {"bid_mode": "hidden"}), ("knitwit", {"loops": 2})]
)
def test_a_board_tells_nothing_of_what_is_done_unseen(game, options):
    classroom, rng = tables_of(game, 2, **options), Random(3)
    reader, unseen = Reader(classroom.projector), 0
    for _ in range(120):
        before = {number: knows(classroom, number, None) for number in (1, 2)}
        acting = classroom.turn(rng)
        told = {message["table"] for message in reader.read()}
        for number, known in before.items():
            if known == knows(classroom, number, None):
                assert number not in told
                unseen += acting is not None and acting.place[0].table_id == number
    assert unseen > 3 or game == "wizard"


def test_a_difference_makes_the_new_from_the_old():
    rng = Random(5)

    def value(depth=0):
        kind = rng.randrange(4) if depth < 4 else 0
        if kind == 1:
            return [value(depth + 1) for _ in range(rng.randrange(4))]
        if kind > 1:
            return {rng.choice("abcd"): value(depth + 1) for _ in range(rng.randrange(4))}
        return rng.choice([None, 0, 1, "x", {}, []])

    for _ in range(500):
        old, new = value(), value()
        change = json.loads(json.dumps(difference(old, new)))
        assert renewed(old, change) == new
