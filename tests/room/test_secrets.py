"""No page is sent what its viewer may not know: whole random matches, looked at byte by byte."""

import json
from random import Random

import pytest
from classroom import CODE, MARK, class_of, played, short
from secrecy import Leak, check_bytes, check_writing, random_match, swap_test, unseen_actions

from coursekit.core.game import TABLE
from coursekit.room.room_table import RoomTable

SWAPS = {"wizard": 2, "wikipedia": 2, "blockade": 1, "knitwit": 1}
"""Moments of a match in which all that is hidden is exchanged."""
MATCHES = [
    pytest.param("wizard", 3, 0, {}, id="wizard"),
    pytest.param("wizard", 2, 2, {"bid_mode": "hidden"}, id="wizard-hidden-mixed"),
    pytest.param("wizard", 4, 0, {"bid_mode": "secret", "short_game": 2}, id="wizard-secret"),
    pytest.param("wizard", 3, 0, {"hawk_eye": True, "bid_mode": "hidden"}, id="wizard-hawk-eye"),
    pytest.param("wikipedia", 2, 0, {}, id="wikipedia"),
    pytest.param("wikipedia", 3, 1, {}, id="wikipedia-mixed"),
    pytest.param("wikipedia", 4, 0, {"refill": "optional_own_turn"}, id="wikipedia-four"),
    pytest.param("blockade", 4, 0, {}, id="blockade"),
    pytest.param("blockade", 2, 2, {}, id="blockade-mixed"),
    pytest.param("blockade", 3, 1, {"roles_each_era": "passed"}, id="blockade-passed"),
    pytest.param("knitwit", 2, 0, {"loops": 2}, id="knitwit-two"),
    pytest.param("knitwit", 3, 0, {"loops": 2}, id="knitwit"),
    pytest.param("knitwit", 2, 1, {"loops": 2}, id="knitwit-mixed"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("game", "people", "strategies", "options"), MATCHES)
def test_a_whole_match_tells_no_page_what_its_viewer_may_not_know(
    game, people, strategies, options
):
    found = random_match(
        game, people, strategies, f"{game}{people}{strategies}", SWAPS[game], **options
    )
    assert found["exchanged"]
    assert found["compared"] > people
    if game == "knitwit" and not strategies:
        assert found["unseen"] > 5


def test_hidden_bids_that_differ_are_the_same_stream():
    """Whatever others bid, a page is sent the same until bids are turned up."""
    differing = 0
    for seed in range(3):
        classroom = class_of([[1, 2, 3]], short("wizard", 3, bid_mode="hidden"), f"Σ{seed}")
        rng = Random(seed)
        for _ in range(40):
            if classroom.lesson.all_over or differing > 9:
                break
            table = classroom.lesson.tables[1]
            if table.run.match.state.phase == "bid":
                differing += sum(
                    swap_test(classroom, 1, seat, f"{seed}{seat}")[1] for seat in (None, 0, 1, 2)
                )
            classroom.turn(rng)
    assert differing > 3


def test_the_test_on_bytes_notices_what_it_looks_for(monkeypatch):
    """Each of its parts finds a leak that is made on purpose."""
    classroom = class_of([[1, 2, 3]], short("wizard", 3), "Σseed")
    table = classroom.lesson.tables[1]
    check_bytes(classroom)
    for secret in (table.run.match.seed, "№-of-2!", "key-of-1!", classroom.lesson.people[1].key):
        twin = classroom.twin()
        twin.room.do("say", text=f"so {secret} is told")
        twin.collect()
        with pytest.raises(Leak):
            check_bytes(twin)

    monkeypatch.setattr(RoomTable, "notice", lambda self, language: str(self.run.match.state.hands))
    with pytest.raises(Leak):
        swap_test(classroom, 1, 0, "seed")


def test_a_spectator_is_told_nothing_of_a_race():
    classroom = class_of([[1, 2, 3]], short("knitwit", 3), "Σrace")
    watcher = classroom.joined("Watcher")
    watcher.send("watch", table=1)
    rng, unseen = Random(5), 0
    for _ in range(400):
        if classroom.lesson.tables[1].run.match.state.phase not in (
            "loop",
            "spool",
            "ready",
            "write",
        ):
            break
        before, phase = len(watcher.bytes), classroom.lesson.tables[1].run.match.state.phase
        unseen += unseen_actions(classroom, rng)
        check_writing(classroom)
        if phase == classroom.lesson.tables[1].run.match.state.phase == "write":
            assert not any(MARK.encode() in each for each in watcher.bytes[before:])
    assert unseen > 50


def test_a_page_without_the_code_is_told_nothing():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    stranger = classroom._page("phone")
    for message in (
        {"type": "hello", "code": "ZZZZ", "key": "key-of-1!"},
        {"type": "ping"},
        {"type": "observe"},
        {"type": "mine"},
        {"type": "watch", "table": 1},
        {"type": "join", "name": "Eve"},
        {"type": "take", "name": "Ann 1", "number": "№-of-1!"},
    ):
        told = stranger.send(**message)
        assert [each["type"] for each in told] in (["refused"], ["pong"])
    classroom.turn(Random(1))
    assert {each["type"] for each in stranger.last.values()} == {"refused", "pong"}
    assert CODE.encode() not in b"".join(stranger.bytes)


@pytest.mark.parametrize("game", ["wizard", "blockade"])
def test_a_table_that_strategies_hold_shows_no_hand_to_whom_can_still_be_seated(game):
    """Somebody who watched is seated at the same cards; until the match is over, nobody has seen a
    hand.
    """
    players = {"wizard": 3, "blockade": 4}[game]
    classroom = class_of([[*range(1, players + 1)]], short(game, players))
    table, late = classroom.lesson.tables[1], classroom.joined("Late")
    late.send("watch", table=1)
    classroom.order("watch", table=1)
    for seat in range(players):
        classroom.order("strategy", table=1, seat=seat)
    while len(table.run.match.log) < 4:
        for page in (late, classroom.projector):
            scene = json.dumps(page.view["scenes"][-1])
            assert not [
                card
                for hand in table.run.match.state.hands
                for card in hand
                if f'"card-{card}"' in scene
            ]
            assert page.view["why"] == ""
        classroom.wait(0.5)
    classroom.order("sit", table=1, seat=0, person=late.person)
    assert late.view["viewer"] == 0
    classroom.order("end")
    late.send("step", entry=3)
    assert late.view["looking_back"]
    assert late.view["why"] == ""


def test_ones_own_page_tells_of_finished_matches_without_seeds_and_names():
    classroom = class_of([[1, 2, 3]], short("wizard", 3, short_game=1), "Σmine")
    phone = classroom.phones[0]
    for _ in played(classroom, Random(1)):
        (page,) = [each for each in phone.send("mine") if each["type"] == "page"]
        assert ("at this table" in page["text"]) == classroom.lesson.all_over
        assert not any(secret in page["text"] for secret in ("Σmine", "Ann 2", "Ann 3", "№-of"))
    assert "at this table" in page["text"]
    assert page["name"] == "Ann 1 Wizard.html"


def test_the_table_cannot_be_asked_for_hints_by_its_seat():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]
    for seat in (TABLE, *range(3)):
        if seat != phone.view["viewer"]:
            for kind in ("try", "suggest"):
                (answer,) = phone.send(kind, **phone.moment(), seat=seat, n=1, action=0)
                assert answer["type"] == "refused"
