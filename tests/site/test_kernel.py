"""The kernel of the site's worker: cells run, what they display, and what is said of mistakes."""

import base64
import json

import pytest
from worker import Worker, outputs, run

from coursekit.words.texts import LANGUAGES, text

TABLE = """
from coursekit.games.wizard import Options, Wizard
from coursekit.table import Table
table = Table(Wizard(3, Options(short_game=2)), seed="not-to-be-told", language="en")
table
"""
LESSON = {"type": "lesson", "sources": {"1": "first = 1\n"}, "game": "wizard", "language": "en"}
STRATEGY = """
from coursekit.core.strategy import Strategy
class Mine(Strategy):
    def bid(self, obs):
        return 0
"""


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """What a page hears when these cells run one after the other."""
    cells = {
        "value": "1 + 1",
        "silent": "1 + 1;",
        "none": "None",
        "printed": "print('a')\nprint('b')",
        "language": "from coursekit import use_language; use_language('en');",
        "mistake": "x = 1\n1 / 0",
        "syntax": "def f(:\n    pass",
        "missing": "first",
        "unknown": "whatever",
        "table": TABLE,
        "spoken": "Wizard(9)",
        "strategy": STRATEGY,
        "html": "from coursekit.arena import duplicate\nduplicate(Wizard(3, Options(short_game=1)), [Mine], 2)",
        "much": "print('x' * 100_000)",
        "huge": "'x' * 100_000",
        "exit": "raise SystemExit",
        "absent": "import matplotlib",
        "asked": "input('?')",
        "misspelt": "from coursekit import Wizzard",
        "hidden": "sum = 3\nsum([1])",
    }
    with Worker(tmp_path_factory.mktemp("kept")) as worker:
        worker.ask(LESSON)
        for name, code in cells.items():
            worker.ask(run(name, code))
        worker.ask({"type": "many", "cell": "strategy", "strategy": "Mine"})
        worker.ask({"type": "seat", "cell": "strategy", "strategy": "Mine"})
    return worker.heard


@pytest.mark.parametrize(("cell", "words"), [("value", "2"), ("printed", "a\nb\n")])
def test_values_and_printed_lines_are_shown(heard, cell, words):
    assert "".join(each["text"] for each in outputs(heard, cell)) == words


@pytest.mark.parametrize("cell", ["silent", "none", "language"])
def test_nothing_is_shown_where_a_notebook_shows_nothing(heard, cell):
    assert outputs(heard, cell) == []


def test_each_message_is_answered_when_it_is_done(heard):
    ran = [each["cell"] for each in heard if each["type"] == "ran"]
    assert ran[:3] == ["value", "silent", "none"]
    assert heard[-1]["type"] == "done"


def test_a_mistake_names_its_line_and_no_other(heard):
    (found,) = outputs(heard, "mistake")
    assert found["error"] == "Line 2: 1 / 0\nZeroDivisionError: division by zero"
    (found,) = outputs(heard, "syntax")
    assert found["error"].startswith("The bracket ( in line 1 (def f(:) is not closed")
    assert "Traceback" not in found["error"]
    assert "cell" not in found["error"]


def test_input_misspelt_and_hidden_names_get_the_sentences_of_other_kernels(heard):
    for cell, words in (
        ("asked", "Nobody can answer input() here"),
        ("misspelt", "coursekit has no Wizzard; it has: "),
        ("hidden", "“sum” in line 2 has become 3"),
    ):
        assert outputs(heard, cell)[0]["error"].startswith(words)


def test_a_lesson_speaks_its_language_before_its_first_cell_has_run(tmp_path):
    with Worker(tmp_path) as worker:
        worker.ask(LESSON | {"language": "zh-Hans"})
        (found,) = outputs(worker.ask(run("2", "print（1）")), "2")
    assert "全角" in found["error"]


def test_a_cell_above_that_makes_a_name_is_run_first(heard):
    at = [each["cell"] for each in heard if each["type"] == "ran"]
    assert at[at.index("missing") - 1] == "1"
    assert outputs(heard, "missing") == [{"type": "output", "cell": "missing", "text": "1"}]
    (found,) = outputs(heard, "unknown")
    assert found["error"].endswith("NameError: name 'whatever' is not defined")


def test_a_cell_that_ends_the_program_ends_only_itself(heard):
    assert "SystemExit" in outputs(heard, "exit")[0]["error"]
    assert outputs(heard, "absent")


def test_mistakes_of_the_kit_are_sentences(heard):
    (found,) = outputs(heard, "spoken")
    assert found["spoken"]
    assert "9" in found["error"]
    assert "\n" not in found["error"]
    (found,) = outputs(heard, "absent")
    assert found["error"] == text("site.absent", "en", package="matplotlib")


@pytest.mark.parametrize("cell", ["much", "huge"])
def test_what_is_shown_has_an_end(heard, cell):
    printed = "".join(output["text"] for output in outputs(heard, cell))
    assert len(printed.partition("\n")[0]) == 20_000
    assert len(printed.splitlines()) == 2
    assert "20000" in printed.splitlines()[1]


def test_a_table_is_sent_with_its_state_and_answers(heard):
    (table,) = outputs(heard, "table")
    assert table["state"]["view"]["match"]
    assert len(table["script"]) == len(table["style"]) == 16
    assert not any(name.startswith("_") for name in table["state"])


def test_no_seed_and_no_covered_hand_are_sent_while_several_people_play(tmp_path):
    people = TABLE.replace('language="en"', 'language="en", seats=["person"] * 3')
    with Worker(tmp_path) as worker:
        view = outputs(worker.ask(run("1", people)), "1")[0]["state"]["view"]
        covered = json.dumps(worker.heard)
        places = view["scenes"][-1]["zones"][0]["places"]
        turn = next(each["seat"] for each in places if each["turn"])
        ask = {"type": "uncover", "match": view["match"], "branch": 0, "seat": turn}
        (shown,) = views(worker.ask(to_table(ask)))
    assert "not-to-be-told" not in covered
    hand = [
        piece["id"]
        for zone in shown["scenes"][-1]["zones"]
        if zone["kind"] == "hand"
        for piece in zone["pieces"]
    ]
    assert hand
    assert not [each for each in hand if f'"{each}"' in covered]


def test_a_strategy_is_offered_many_matches_and_a_seat(heard):
    ran = {each["cell"]: each for each in heard if each["type"] == "ran"}
    assert ran["strategy"]["strategies"] == ["Mine"]
    assert ran["value"]["strategies"] == []
    assert "Mine" in outputs(heard, "strategy many")[0]["html"]
    bars = [each for each in heard if each["type"] == "bar" and each["cell"] == "strategy many"]
    assert bars[-1]["done"] == bars[-1]["all"] == 50
    (seated,) = outputs(heard, "strategy seat")
    assert "Mine" in json.dumps(seated["state"]["view"])


def test_both_are_played_as_the_lesson_plays_also_in_a_worker_that_has_run_nothing_yet(tmp_path):
    sources = {"1": TABLE.replace("Wizard(3", "Wizard(4"), "2": STRATEGY}
    with Worker(tmp_path) as worker:
        worker.ask(LESSON | {"sources": sources, "language": "zh-Hant"})
        (many,) = outputs(worker.ask({"type": "many", "cell": "2", "strategy": "Mine"}), "2 many")
        (seat,) = outputs(worker.ask({"type": "seat", "cell": "2", "strategy": "Mine"}), "2 seat")
    assert not outputs(worker.heard, "1")
    assert "4\xa0players" in many["html"] or "4\xa0人" in many["html"]
    assert len(seat["state"]["view"]["scenes"][-1]["zones"][0]["places"]) == 4


def say(worker, widget, **content):
    """Return what the page of a widget hears after it has said *content*."""
    heard = worker.ask({"type": "message", "widget": widget, "content": content})
    return [message["content"] for message in heard if message["type"] == "message"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_journal_is_in_the_browser(tmp_path, language):
    cells = f"""
from coursekit import Table, use_language
from coursekit.reflect import hand_in, keep_matches
use_language({language!r})
table = Table("wizard")
"""
    with Worker(tmp_path) as worker:
        worker.ask(run("1", cells))
        (keep,) = outputs(worker.ask(run("2", "keep_matches(table)")), "2")
        (handing,) = outputs(worker.ask(run("3", "hand_in(game='wizard')")), "3")
    assert keep["state"]["words"]["ask"] == text("site.instead.journal.keep.ask", language)
    assert "Binder" not in handing["state"]["words"]["along_hint"]


PLAIN = {"kind": "", "note": ""}
DRAWN = {
    "c1-aaaa": {"label": "jester", "card": "", "source": "", "at": [0, 0], **PLAIN},
    "c2-aaaa": {"label": "trick", "card": "", "source": "", "at": [300, 200], **PLAIN},
    "r1-aaaa": {"start": "c1-aaaa", "phrase": "wins no", "end": "c2-aaaa", **PLAIN},
}
"""What a page sends when it has drawn one proposition."""
BOARD = """
from coursekit import use_language
from coursekit.reflect import mind_map
use_language("en")
board = mind_map("wizard")
board
"""


def test_a_map_is_kept_looked_at_again_and_drawn(tmp_path):
    with Worker(tmp_path) as worker:
        (board,) = outputs(worker.ask(run("1", BOARD)), "1")
        assert len(board["script"]) == len(board["style"]) == 16
        say(worker, board["widget"], type="change", changes=DRAWN, n=1)
        say(worker, board["widget"], type="leave")
        (compared,) = say(worker, board["widget"], type="compare_starter")
        assert compared["type"] == "compared"
        for form in ("json", "graphml", "csv", "outline", "svg"):
            (file,) = say(worker, board["widget"], type="export", form=form)
            assert b"jester" in base64.b64decode(file["content"]), form
        (picture,) = outputs(worker.ask(run("2", "board.picture()")), "2")
        assert "data:image/svg+xml" in picture["html"]
        (graph,) = outputs(worker.ask(run("3", "board.graph()")), "3")
        assert graph["error"] == text("site.absent", "en", package="networkx")
    with Worker(tmp_path) as worker:
        (board,) = outputs(worker.ask(run("1", BOARD)), "1")
        (whole,) = say(worker, board["widget"], type="open")
    assert whole["things"].items() >= DRAWN.items()


def test_a_result_is_shown_as_a_table(heard):
    assert outputs(heard, "html")[0]["html"].startswith("<table")


def test_a_match_goes_on_in_the_next_worker(tmp_path):
    with Worker(tmp_path) as worker:
        view = outputs(worker.ask(run("1", TABLE)), "1")[0]["state"]["view"]
        act = {
            "type": "act",
            "match": view["match"],
            "branch": 0,
            "acted": 0,
            "seat": 0,
            "action": 0,
        }
        played = views(worker.ask(to_table(act)))[-1]
        assert played["kept"]
    hello = {"type": "hello", "remembered": played["match"], "same_tab": True}
    with Worker(tmp_path) as worker:
        worker.ask(run("1", TABLE))
        again = views(worker.ask(to_table(hello)))[-1]
    assert (again["match"], again["kept"]) == (played["match"], True)


def to_table(content):
    return {"type": "message", "widget": 0, "content": content}


def views(heard):
    return [
        each["state"]["view"]
        for each in heard
        if each["type"] == "state" and "view" in each["state"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistakes_are_said_in_the_language_of_the_lesson(tmp_path, language):
    with Worker(tmp_path) as worker:
        worker.ask(run("1", f"from coursekit import use_language; use_language({language!r})"))
        words = outputs(worker.ask(run("2", "x = 1\nx.y")), "2")[0]["error"].split("\n")[0]
    assert words == text("site.at_line", language, line=2, code="x.y")
