"""Once a match is over, each page may look back by itself; before that, nobody may."""

import json
from random import Random

import pytest
from classroom import class_of, known, played, sent, short

from coursekit.kit import kit_of
from coursekit.table.read_only_scene import make_read_only
from coursekit.table.run import Run
from coursekit.table.view import View


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_each_phone_looks_back_alone_once_the_match_is_over(game):
    players = 4 if game == "blockade" else 2 if game != "wizard" else 3
    classroom = class_of([[*range(1, players + 1)]], short(game, players))
    phone, other = classroom.phones[:2]
    assert phone.send("step", entry=0)[0]["type"] == "refused"
    for _ in played(classroom, Random(1)):
        pass
    assert classroom.lesson.all_over
    last, before, seen = phone.view, known(classroom.lesson), other.view
    assert last["may_look_back"]
    assert not last["looking_back"]
    phone.send("step", entry=0)
    assert (phone.view["looking_back"], phone.view["entry"]) == (True, 0)
    assert phone.view["entries"] == last["entries"] > 0
    assert not phone.view["scenes"][-1]["turn"]
    assert other.view == seen
    phone.send("now")
    assert phone.view["scenes"][-1] == last["scenes"][-1]
    assert known(classroom.lesson) == before


@pytest.mark.parametrize("game", ["wizard", "knitwit"])
def test_a_table_that_the_teacher_has_ended_is_looked_back_at_by_each_with_their_own_eyes(game):
    players = 3 if game == "wizard" else 2
    classroom = class_of([[*range(1, players + 1)]], short(game, players))
    rng = Random(2)
    for _ in range(4):
        classroom.turn(rng)
    phone, other = classroom.phones[:2]
    (table,) = classroom.lesson.current_tables
    classroom.order("end")
    assert not table.run.match.over
    assert phone.view["may_look_back"]
    phone.send("step", entry=0)
    assert phone.view["looking_back"]
    alone = View(
        Run(
            table.game, table.run.players, table.run.match.names, table.run.match.seed, hosted=True
        ),
        0,
    )
    assert (
        phone.view["scenes"][0]["zones"]
        == make_read_only(alone.json("en")["scenes"][0], kit_of(table.game).zones)["zones"]
    )
    classroom.order("back", table=1, entry=2)
    assert not other.view["may_look_back"]
    assert phone.send("step", entry=0)[0]["type"] == "refused"


@pytest.mark.parametrize("entry", [-1, 10**6])
def test_a_moment_that_was_not_there_is_refused(entry):
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    for _ in played(classroom, Random(1)):
        pass
    (answer,) = [
        each for each in classroom.phones[0].send("step", entry=entry) if each["type"] == "refused"
    ]
    assert str(entry).replace("-", "−") in answer["text"]


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_those_who_watch_see_what_a_page_that_comes_now_sees(game):
    """In each language, whatever happens at the table: what they share is never older than what
    they look at.
    """
    players = {"wizard": 3, "wikipedia": 2, "blockade": 4, "knitwit": 2}[game]
    classroom, rng = class_of([[*range(1, players + 1)]], short(game, players)), Random(game)
    table, watchers = (
        classroom.lesson.tables[1],
        [classroom.joined(name) for name in ("Ada", "Bo", "Cy")],
    )
    for watcher, language in zip(watchers, ("en", "en", "zh-Hant")):
        watcher.send("language", language=language)
        watcher.send("watch", table=1)
    for _ in range(25):
        classroom.turn(rng)
        for watcher in watchers:
            now = table.view_json(View(table.run, None), watcher.page.language)
            same = ("match", "branch", "acted", "story", "paused", "notice")
            assert {part: watcher.view[part] for part in same} == json.loads(
                sent({part: now[part] for part in same})
            )
            assert watcher.view["scenes"][-1] == json.loads(sent(now["scenes"][-1]))
