"""The table as a widget: messages in, traits and messages out."""

import json
import sys
from random import Random

import pytest
from playing import ODD, Quiet, Scribbles, at_the_sheets

from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.strategies import FirstThought, Original, Wordsmith
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter, Cautious
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import SaveRequest, Store
from coursekit.words.texts import LANGUAGES
from coursekit.words.texts import text as kit_text


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


@pytest.fixture
def table(store):
    return sit(store)


def sit(store, seats=("person", AtRandom, AtRandom), seed=1, options=None):
    run = Run(Wizard(3, options or Options(short_game=3)), seats, seed=seed)
    return heard(Table(run, language="en", store=store), run)


def heard(table, run=None):
    """Return *table*, which keeps what it sends; *run* is what was put on it."""
    table.sent, table.ticks, table.run = [], {}, run
    table.send = lambda content, buffers=None: table.sent.append(content)
    return table


def tell(table, **content):
    """Send *content* as the browser does, and return what the kernel sent back."""
    table.sent.clear()
    here = {key: table.view[key] for key in ("match", "branch", "acted", "events", "tick")}
    table.receive(
        json.loads(
            json.dumps(here | {"tick": table.ticks.get(here["match"], here["tick"])} | content)
        )
    )
    for answer in table.sent:
        if answer["type"] == "ticked":
            table.ticks[here["match"]] = answer["tick"]
    return table.sent


def click(table, action, **more):
    return tell(table, type="act", action=action, **{"seat": table.view["viewer"]} | more)


def play_to_the_end(table):
    for _ in range(300):
        if table.view["scenes"][-1]["over"]:
            return
        seat = table.match.game.to_act(table.match.state)[0]
        click(table, table.match.game.legal_actions(table.match.state, seat)[0], seat=seat)


def test_a_click_plays_and_the_strategies_answer(table):
    assert click(table, 0) == []
    assert (0, 0) in table.match.log
    assert table.view["entry"] == len(table.match.log)


def test_an_illegal_click_gets_one_sentence_and_changes_nothing(table):
    before = table.view
    (answer,) = click(table, 7)
    assert answer == {
        "type": "refused",
        "text": "A prediction is a whole number from 0 to 1, not 7. (Rule: the prediction.)",
        "to": "",
    }
    assert table.view == before


@pytest.mark.parametrize(
    "content",
    [
        {"type": "act"},
        {"type": "act", "seat": 0, "action": 0, "match": "another"},
        {"type": "act", "seat": 0, "action": 0, "acted": 99},
        {"type": "act", "seat": 0, "action": 0, "match": None, "branch": [], "acted": {}},
        {"type": "act", "seat": 1, "action": 0},
        {"type": "act", "seat": True, "action": 0},
        {"type": "act", "seat": 0, "action": {"a": []}},
        {"type": "step", "entry": 1, "branch": 7},
        {"type": "replace", "seat": 1, "by": "person"},
        {"type": "replace", "seat": 99, "by": "AtRandom"},
        {"type": "uncover", "seat": 2},
        {"type": "step", "entry": "3"},
        {"type": "step", "entry": -1},
        {"type": "fork", "entry": 10**9},
        {"type": "replace", "seat": 0, "by": "Nobody"},
        {"type": "new"},
        {"type": "new", "players": 3, "seats": [1, 2, 3], "options": {}},
        {"type": "load", "text": "{}"},
        {"type": "load", "text": 7},
        {"type": "resume", "match_id": "unknown"},
    ],
)
def test_a_message_that_makes_no_sense_changes_nothing(table, content):
    before, match = table.view, table.match
    (answer,) = tell(table, **content)
    assert answer["type"] == "refused"
    assert "\n" not in answer["text"]
    assert table.match is match
    assert table.view["scenes"] == before["scenes"]


@pytest.mark.parametrize(
    "content", [{}, {"type": "show"}, {"type": "__init__"}, {"type": None}, {"type": ["act"]}]
)
def test_an_unknown_message_is_refused_and_counted(table, content):
    before = table.view
    (answer,) = tell(table, **content)
    assert answer["type"] == "refused"
    assert table.invalid_messages == 1
    assert table.view == before


def test_what_a_spectator_sees_is_sent_once_a_second_window_or_a_held_hand_asks_for_it(table):
    assert "spectator" not in table.view
    (answer,) = tell(table, type="share")
    assert answer["type"] == "shared"
    assert "hand" in [zone["kind"] for zone in table.view["scenes"][-1]["zones"]]
    assert "hand" not in [zone["kind"] for zone in table.view["spectator"]["scenes"][-1]["zones"]]
    click(table, 0)
    assert table.view["spectator"] == table.session.screen.spectator("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_is_switched_at_the_table(table, language):
    tell(table, type="language", language=language)
    assert table.view["language"] == language
    scene = json.dumps(table.view["scenes"], ensure_ascii=False)
    assert ("預測" in scene, "predict" in scene.lower(), "预测" in scene) == tuple(
        each == language for each in LANGUAGES
    )
    assert all(table.words.values())


def test_a_match_is_saved_and_loaded(table, store):
    play_to_the_end(table)
    (download,) = tell(table, type="save")
    assert download["type"] == "download"
    assert download["name"].endswith(".json")
    other = sit(store, seed=2)
    assert tell(other, type="load", text=download["text"]) == []
    assert other.match.state == table.match.state
    assert other.view["scenes"][-1] == table.view["scenes"][-1]


def test_names_are_saved_only_if_somebody_says_so(store):
    table = sit(store)
    table.run.match.names = ("小明", "", "")
    click(table, 0)
    assert table.view["named"]
    (download,) = tell(table, type="save")
    assert table.view["notice"] == kit_text("table.unnamed", "en")
    assert "小明" not in download["text"]
    (download,) = tell(table, type="save", names=True)
    assert "小明" in download["text"]


def test_a_damaged_or_foreign_file_changes_nothing(table):
    click(table, 0)
    record = table.record.dumps()
    before, log = table.view, list(table.match.log)
    for text in (
        "",
        "\x00",
        "[1, 2]",
        '{"a": 1}',
        record[:-9],
        record.replace('"rules":1', '"rules":99'),
    ):
        (answer,) = tell(table, type="load", text=text)
        assert answer["type"] == "refused"
        assert table.match.log == log
        assert table.view == before


def test_a_new_match_is_made_from_the_form(table):
    form = table.setup["chosen"]
    seats = [{"by": "person", "name": "Ann"}, *[{"by": "AtRandom", "name": ""}] * 3]
    assert tell(table, type="new", **form | {"players": 4, "seats": seats, "seed": "7"}) == []
    assert table.match.game.players == 4
    assert table.match.names[0] == "Ann"
    assert table.view["seed"] == "7"
    assert table.setup["chosen"]["players"] == 4


def test_a_reloaded_page_is_offered_its_match(table, store):
    click(table, 0)
    id = table.view["match"]
    again = sit(store, seed=2)
    tell(again, type="hello", remembered=id, same_tab=False)
    assert again.view["offer"]["id"] == id
    tell(again, type="resume", match_id=id)
    assert again.match.state == table.match.state
    assert again.view["offer"] is None


def test_the_offer_speaks_the_language_that_is_switched_to(table, store):
    click(table, 0)
    again = sit(store, seed=2)
    tell(again, type="hello", remembered=table.view["match"], same_tab=False)
    for language in LANGUAGES:
        tell(again, type="language", language=language)
        title, resume = again.view["offer"]["title"], again.view["offer"]["resume"]
        assert title == kit_text(
            "table.offer", language, actions=int("".join(filter(str.isdigit, title)))
        )
        assert resume == kit_text("ui.resume", language)


def test_a_page_reloaded_under_voila_goes_on_at_once(table, store, monkeypatch):
    monkeypatch.setenv("VOILA_BASE_URL", "/")
    click(table, 0)
    again = sit(store, seed=2)
    tell(again, type="hello", remembered=table.view["match"], same_tab=True)
    assert again.match.state == table.match.state


def test_an_offer_can_be_declined(table, store):
    click(table, 0)
    again = sit(store, seed=2)
    tell(again, type="hello", remembered=table.view["match"], same_tab=True)
    tell(again, type="dismiss")
    assert again.view["offer"] is None
    assert again.match.log != table.match.log


def test_a_match_nobody_has_touched_is_not_kept(table, store):
    tell(table, type="hello", remembered=None, same_tab=False)
    assert not table.view["kept"]
    assert store.load(table.view["match"]) is None
    click(table, 0)
    assert table.view["kept"]
    assert store.load(table.view["match"])[0].log == tuple(table.match.log)


class Stubborn(Strategy):
    def play(self, obs):
        return 99


def test_a_failing_strategy_is_replaced_at_the_table(store):
    table = sit(store, seats=["person", Stubborn, AtRandom])
    for _ in range(20):
        if not table.view["trouble"]:
            click(table, table.match.game.legal_actions(table.match.state, 0)[0])
    assert "Stubborn" in table.view["trouble"]["text"]
    assert {"AtRandom", "person", "Stubborn"} <= {
        choice["value"] for choice in table.view["trouble"]["choices"]
    }
    tell(table, type="replace", seat=1, by="AtRandom")
    assert table.view["trouble"] is None


def in_a_cell(monkeypatch, method="play", action="obs.legal[0]"):
    """Run the cell of a notebook that makes the class ``Mine``, and return it."""
    main = sys.modules["__main__"]
    code = f"class Mine(Strategy):\n    def {method}(self, obs):\n        return {action}\n"
    names = {"Strategy": Strategy, "__name__": "__main__"}
    exec(code, names)
    monkeypatch.setattr(main, "Mine", names["Mine"], raising=False)
    return names["Mine"]


def to_the_trouble(table):
    while not table.view["trouble"]:
        click(table, table.match.game.legal_actions(table.match.state, 0)[0])


def test_a_class_that_was_mended_and_run_again_takes_its_seat_back(store, monkeypatch):
    table = sit(store, seats=["person", in_a_cell(monkeypatch, action="99"), AtRandom])
    to_the_trouble(table)
    assert table.view["trouble"]["by"] == "Mine"
    mended = in_a_cell(monkeypatch)
    tell(table, type="replace", seat=1, by="Mine")
    assert table.view["trouble"] is None
    assert table.players[1] is mended
    assert table.view["notice"] == "Mine was run again; from here on the new one plays."
    (seat,) = table.match.game.to_act(table.match.state)
    click(table, table.match.game.legal_actions(table.match.state, seat)[0], seat=seat)
    assert table.view["notice"] == ""


def test_a_class_that_was_mended_plays_on_at_the_next_click_and_in_the_next_match(
    store, monkeypatch
):
    table = sit(store, seats=["person", in_a_cell(monkeypatch), AtRandom])
    mended = in_a_cell(monkeypatch, action="obs.legal[-1]")
    click(table, table.match.game.legal_actions(table.match.state, 0)[0])
    assert table.players[1] is mended
    assert "Mine" in table.view["notice"]
    again = in_a_cell(monkeypatch, action="99")
    chosen = table.setup["chosen"]
    tell(
        table,
        type="new",
        **{**chosen, "seats": [*chosen["seats"][:2], {"by": "AtRandom", "name": ""}]},
    )
    assert table.players[1] is again
    to_the_trouble(table)


def test_a_class_of_that_name_that_is_no_strategy_takes_no_seat(store, monkeypatch):
    first = in_a_cell(monkeypatch)
    table = sit(store, seats=["person", first, AtRandom])
    monkeypatch.setattr(
        sys.modules["__main__"], "Mine", type("Mine", (), {"__module__": "__main__"})
    )
    click(table, table.match.game.legal_actions(table.match.state, 0)[0])
    assert table.players[1] is first
    assert table.view["notice"] == ""


def test_what_is_told_of_a_match_that_was_opened_stays_until_it_goes_on(store):
    record = sit(store).record
    table = sit(store, seats=["person", Stubborn, AtRandom])
    store.save("other", SaveRequest(record, ["person", "Unknown", "AtRandom"], "", False))
    tell(table, type="resume", match_id="other")
    assert "Unknown" in table.view["notice"]
    click(table, table.match.game.legal_actions(table.match.state, 0)[0])
    assert table.view["notice"] == ""


def test_several_people_save_only_when_the_match_is_over(store):
    table = sit(store, seats=["person"] * 3)
    (answer,) = tell(table, type="save")
    assert answer["type"] == "refused"
    for told in ("match", "record"):
        with pytest.raises(ValueError, match="several people"):
            getattr(table, told)
    match = table.run.match
    while not match.over:
        if table.view["covered"]:
            tell(table, type="uncover", seat=table.view["covered"][0]["seat"])
        seat = match.game.to_act(match.state)[0]
        click(table, match.game.legal_actions(match.state, seat)[-1], seat=seat)
    (download,) = tell(table, type="save")
    assert json.loads(download["text"])["game"] == "wizard"


def test_a_strategy_of_ones_own_sits_at_the_table(store):
    class Mine(Strategy):
        """Bids nothing."""

        def bid(self, obs):
            return 0

    table = sit(store, seats=["person", Mine, Mine])
    assert "Mine" in [each["value"] for each in table.setup["by"]]
    assert table.view["scenes"][-1]["zones"][0]["places"][1]["by"] == "Mine"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"game": "chess"}, "no game 'chess'; there are: wikipedia, wizard"),
        ({"game": "wizard", "players": 9}, "number of players cannot be 9"),
        (
            {"game": "wizard", "language": "de"},
            "no language 'de'; there are: 'zh-Hant', 'en', 'zh-Hans'",
        ),
        ({"game": "wizard", "seats": ["person"]}, "3 players need 3 seats, not 1"),
        (
            {"game": "wizard", "seats": ["person", "Nobody", AtRandom]},
            "no strategy 'Nobody'; there are: person, AtRandom, Cautious, CardCounter, Thinker",
        ),
        (
            {"game": "wizard", "seats": ["person", Stubborn(Random(1), Wizard(3)), AtRandom]},
            "Strategy class",
        ),
        ({"game": "wizard", "colour": "blue"}, "colour"),
    ],
)
def test_a_table_that_cannot_be_set_says_why(wrong, said, store):
    with pytest.raises((ValueError, TypeError), match=said):
        Table(**wrong, store=store)


def test_the_saved_widget_state_holds_what_the_seat_may_see_and_no_more(store):
    table = sit(store, seats=["person"] * 3, seed="a secret seed")
    state = json.dumps(
        {
            key: value
            for key, value in table.get_state().items()
            if key not in ("_esm", "_css", "art")
        }
    )
    for hand in table.run.match.state.hands:
        for card in hand:
            assert f'"card-{card}"' not in state
    assert "a secret seed" not in state


def test_a_record_can_be_taken_from_the_table(table):
    play_to_the_end(table)
    assert table.record == table.match.record()


def test_the_library_is_sent_apart_from_the_views_in_the_tables_language(store):
    table = heard(Table("wikipedia", language="en", store=store))
    assert table.handbook["book"]["title"] == "Book"
    assert table.handbook["book"]["text"][0] not in json.dumps(table.view)
    tell(table, type="language", language="zh-Hant")
    assert table.handbook["book"]["title"] == "書籍"
    assert list(Table(Wizard(3), store=store).handbook) == ["rules"]


def test_the_library_knows_the_rules_of_the_match(store):
    table = heard(Table("wikipedia", language="en", store=store))
    assert "2 Revisions" in json.dumps(table.handbook["book"])
    form = table.setup["chosen"]
    tell(table, type="new", **form | {"options": form["options"] | {"book_repair": 4}})
    assert "4 Revisions" in json.dumps(table.handbook["book"])
    assert "2 Revisions" not in json.dumps(table.handbook["book"])


def test_the_library_tells_nothing_of_the_match(store):
    games = [Table("wikipedia", language="en", seed=seed, store=store) for seed in range(3)]
    assert games[0].handbook == games[1].handbook == games[2].handbook


# Trying, proposing, and time going by


def knit(store, seats=("person", Quiet), run=None):
    run = run or Run(KnitWit(len(seats)), seats, seed=1)
    return heard(Table(run, language="en", store=store), run)


def turn(table):
    return table.run.match.state.turn


def test_a_stroke_is_tried_and_a_loop_proposed(store):
    table = knit(store, ["person", "person"])
    before, seat = table.view, turn(table)
    (proposed,) = tell(table, type="suggest", seat=seat, n=0, about=None)
    assert (proposed["type"], proposed["n"]) == ("suggested", 0)
    (tried,) = tell(table, type="try", seat=seat, action=proposed["action"], n=7)
    rest = {"text": "", "preview": tried["preview"], "about": []}
    assert tried == {"type": "tried", "n": 7, "to": ""} | rest
    assert set(tried["preview"]) == {"points", "pin"}
    cross = ["loop", [[40, 40], [90, 90], [90, 40], [40, 90]]]
    (tried,) = tell(table, type="try", seat=seat, action=cross, n=8)
    assert tried["text"].endswith(".")
    tell(table, type="language", language="zh-Hant")
    (tried,) = tell(table, type="try", seat=seat, action=cross, n=9)
    assert tried["text"].endswith("。")
    assert table.run.match.log == []
    assert table.view["scenes"][-1]["zones"][0]["kind"] == before["scenes"][-1]["zones"][0]["kind"]


def test_asking_sends_no_view(store):
    table = knit(store, ["person", "person"])
    sent, seat = [], turn(table)
    table.observe(lambda change: sent.append(change), names=["view"])
    tell(table, type="suggest", seat=seat, n=0)
    tell(table, type="try", seat=seat, action=["loop", [[1, 1]]], n=0)
    assert sent == []


DEEP = []
for _ in range(500):
    DEEP = [DEEP]


@pytest.mark.parametrize("kind", ["try", "suggest", "act"])
@pytest.mark.parametrize(
    "content",
    [
        {},
        {"action": None, "about": {}},
        {"action": "loop", "about": "loop"},
        {"action": ["loop"], "about": [1]},
        {"action": ["loop", []], "about": [[1], {}]},
        {
            "action": ["loop", [[float("nan"), 1], [2, float("inf")], [0.5, 1]]],
            "about": float("nan"),
        },
        {"action": ["loop", [[1, 1, 1], [2], 3, "4", None, {}, True]], "about": True},
        {"action": ["loop", [[10**400, -(10**400)], [5, 5], [10**400, 9]]], "about": 10**400},
        {"action": ["loop", [[10**12, -(10**12)], [5, 5], [10**12, 9]], [10**12, 5]], "about": -1},
        {"action": ["loop", [[n % 240, n % 150] for n in range(100_000)]], "about": [0] * 100_000},
        {"action": ["loop", DEEP], "about": DEEP},
        {"action": ["spool", 1, 10**5000, 5], "about": 10**5000},
        {"action": "x" * 10**6, "about": "x" * 10**6},
        {"n": 10**5000, "action": ["loop", [[1, 1]]]},
        {"n": -3, "action": ["loop", [[1, 1]]]},
        {"n": 10**6, "action": ["loop", [[1, 1]]]},
        {"n": True},
        {"n": 0.5},
        {"n": None},
        {"seat": "0"},
        {"seat": 99},
        {"seat": -1},
        {"seat": True},
        {"seat": None},
        {"match": "another"},
        {"branch": 7},
    ],
)
def test_a_damaged_question_is_answered_in_a_sentence(store, kind, content):
    table = knit(store, ["person", "person"])
    before, log = table.view, list(table.run.match.log)
    here = {key: table.view[key] for key in ("match", "branch", "acted", "events")}
    table.receive({"type": kind, "seat": turn(table), "n": 0} | here | content)
    (answer,) = table.sent
    assert answer["type"] in ("refused", "tried", "suggested")
    assert "mistake in the kit" not in answer.get("text", "")
    assert "Error" not in answer.get("text", "")
    assert len(json.dumps(answer)) < 20_000
    assert table.run.match.log == log
    assert table.view is before


def test_time_goes_by_in_a_race_only(store):
    table = knit(store, run=at_the_sheets(["person", Scribbles]).run)
    before, entries = table.view, len(table.match.log)
    assert tell(table, type="tick") == [{"type": "ticked", "tick": 1}]
    assert len(table.match.log) == entries + 1
    assert table.view is before
    knitting = knit(store)
    log = list(knitting.match.log)
    assert tell(knitting, type="tick") == [{"type": "ticked", "tick": 0}]
    assert knitting.match.log == log
    assert tell(sit(store), type="tick") == [{"type": "ticked", "tick": 0}]


def test_however_many_ask_each_moment_goes_by_once(store):
    table = knit(store, run=at_the_sheets(["person", Scribbles]).run)
    entries = len(table.match.log)
    for _ in range(50):
        assert tell(table, type="tick", tick=0) == [{"type": "ticked", "tick": 1}]
    assert len(table.match.log) == entries + 1
    for tick in (2, -1, 10**30):
        assert tell(table, type="tick", tick=tick) == [{"type": "ticked", "tick": 1}]
    for tick in (None, "1", [1], 0.5):
        assert tell(table, type="tick", tick=tick)[0]["type"] == "refused"
    assert len(table.match.log) == entries + 1
    tell(table, type="tick", tick=1)
    assert len(table.match.log) == entries + 2


def test_what_is_written_unseen_is_saved_as_well(store):
    table = knit(store, run=at_the_sheets(["person", Scribbles]).run)
    before = table.view
    tell(table, type="tick")
    assert table.view is before
    record, _ = store.load(table.view["match"])
    assert record.log == tuple(table.match.log)


def clocks(table):
    zones = table.view["scenes"][-1]["zones"]
    return [
        choice["key"] for zone in zones for choice in zone.get("choices", []) if "after" in choice
    ]


@pytest.mark.parametrize("resumed", [False, True])
def test_a_time_limit_goes_on_after_a_reload(store, monkeypatch, resumed):
    monkeypatch.setenv("VOILA_BASE_URL", "" if resumed else "/")
    seats = ["person", Scribbles]
    table = knit(store, seats, at_the_sheets(seats, answer_time_limit=60).run)
    tell(table, type="tick")
    again = knit(store, seats)
    tell(again, type="hello", remembered=table.view["match"], same_tab=True)
    if resumed:
        tell(again, type="resume", match_id=again.view["offer"]["id"])
    assert again.view["scenes"][-1]["zones"] == table.view["scenes"][-1]["zones"]
    # clocks.js remembers the seconds that are left by these.
    assert (again.view["match"], clocks(again)) == (table.view["match"], clocks(table))
    assert len(clocks(again)) == 1


@pytest.mark.parametrize("sender", ["view-1", "x" * 60])
def test_an_answer_goes_to_the_view_that_asked(store, sender):
    table = knit(store)
    seat = turn(table)
    me = {"from": sender}
    messages = [
        {"type": "suggest", "n": 0, "about": None},
        {"type": "suggest", "n": 0, "about": None} | me,
        {"type": "try", "n": 1, "action": ["loop", [[1, 1]]]} | me,
        {"type": "act", "action": "nothing"} | me,
        {"type": "save"} | me,
    ]
    asked = [tell(table, seat=seat, **message)[:] for message in messages]
    assert [answer.get("to") for (answer,) in asked] == ["", *[sender] * 4]


@pytest.mark.parametrize("sender", ["x" * 61, 7, None, ["x"], {"x": "x"}])
def test_a_strange_sender_is_not_told_back(store, sender):
    (answer,) = tell(knit(store), type="act", seat=0, action="nothing", **{"from": sender})
    assert answer["to"] == ""


@pytest.mark.parametrize(
    "content",
    [
        {"match": "another"},
        {"match": None},
        {"branch": 7},
        {"branch": None},
        {"match": ["x"], "branch": {}},
    ],
)
def test_time_of_another_match_does_not_go_by_here(store, content):
    table = knit(store, run=at_the_sheets(["person", Scribbles]).run)
    entries = len(table.match.log)
    tell(table, type="tick", **content)
    assert len(table.match.log) == entries


class Hasty(Quiet):
    def decide(self, obs):
        return "stop" if obs.phase == "write" else super().decide(obs)


def test_a_button_that_is_taken_is_seen_at_the_next_tick(store):
    table = knit(store, run=at_the_sheets(["person", Hasty, Quiet]).run)
    before = table.view
    tell(table, type="tick")
    assert table.view["events"] == before["events"] + 1
    assert "Player 2" in table.view["story"][-1]


def test_nothing_of_a_race_is_saved_in_the_notebook_or_offered_to_others(store):
    run = at_the_sheets(["person", "person", Scribbles]).run
    table = knit(store, run=run)
    offers = set()
    for step in range(4):
        seat = table.view["covered"][0]["seat"]
        tell(table, type="uncover", seat=seat)
        number = run.game.numbers(run.match.state)[step]
        click(table, ["write", number, f"{ODD}{seat}{step}"])
        for _ in range(step):
            tell(table, type="tick")
        tell(table, type="cover")
        state = {
            key: value
            for key, value in table.get_state().items()
            if key not in ("_esm", "_css", "art")
        }
        assert ODD not in json.dumps(state, ensure_ascii=False)
        again = knit(store, ["person", "person"])
        tell(again, type="hello", remembered=table.view["match"], same_tab=False)
        offers.add(again.view["offer"]["title"])
    assert len(run.match.log) > 9
    assert len(offers) == 1


class Polyglot(Wordsmith):
    """Somebody's own, who writes English wherever it sits."""

    tongue = "en"


def tongues(table):
    """Return in which language each seat writes; people in any."""
    return [getattr(player, "tongue", player) for player in table.players]


@pytest.mark.parametrize(
    ("language", "tongue"), [("en", "en"), ("zh-Hant", "zh"), ("zh-Hans", "zh-Hans")]
)
def test_strategies_speak_the_language_of_their_table(store, language, tongue):
    def sit_down(**more):
        return Table(KnitWit(2), seed=1, language=language, store=store, **more)

    assert tongues(sit_down()) == ["person", tongue]
    assert tongues(sit_down(seats=["person", Original])) == ["person", tongue]
    assert tongues(sit_down(seats=["person", Polyglot])) == ["person", "en"]


def test_strategies_write_the_language_that_is_switched_to(store):
    table = knit(store, run=at_the_sheets(["person", FirstThought]).run)
    for language in ("zh-Hant", "en"):
        entries = len(table.match.log)
        tell(table, type="language", language=language)
        for _ in range(20):
            tell(table, type="tick")
        written = [action[2] for _, action in table.match.log[entries:] if action[0] == "write"]
        assert written
        assert all(text.isascii() == (language == "en") for text in written)


def test_a_new_match_and_a_reopened_one_seat_strategies_that_speak_as_the_table_does(store):
    table = knit(store, seats=("person", FirstThought))
    keys = [each["value"] for each in table.setup["by"]]
    assert keys == ["person", *(kind.__name__ for kind in GAMES["knitwit"].strategies)]
    for language, tongue in (("zh-Hant", "zh"), ("en", "en"), ("zh-Hans", "zh-Hans")):
        tell(table, type="language", language=language)
        assert [each["value"] for each in table.setup["by"]] == keys
        tell(table, type="new", players=2, seats=["person", "Sprinter"], options={}, seed="")
        assert tongues(table) == ["person", tongue]
    seats = ["person", Original]
    kept = knit(store, seats, at_the_sheets(seats).run)
    tell(kept, type="tick")
    again = knit(store, ["person", FirstThought])
    tell(again, type="hello", remembered=kept.view["match"])
    tell(again, type="resume", match_id=kept.view["match"])
    assert tongues(again) == ["person", "en"]
    assert [each["by"] for each in again.setup["chosen"]["seats"]] == ["person", "Original"]


def test_names_of_the_kit_take_seats() -> None:
    table = Table(Wizard(3), seats=["person", "小心", "CardCounter"], language="en")
    assert table.players == ("person", Cautious, CardCounter)
    with pytest.raises(
        ValueError, match="no strategy 'Careful'; there are: person, AtRandom, Cautious"
    ):
        Table(Wizard(3), seats=["person", "小心", "Careful"], language="en")
