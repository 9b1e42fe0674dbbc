"""Match, record, replay and fork; strategies that fail; record files that are damaged or foreign."""

import inspect
import json
import pickle
import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.core.chance import random_below, stream
from coursekit.core.errors import LocalizedError
from coursekit.core.game import TABLE, Event, IllegalAction, pick_action
from coursekit.core.match import Match, Record, RecordError, play_out, replay, step
from coursekit.core.strategy import AtRandom, Strategy, StrategyError
from coursekit.games.knitwit import KnitWit
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.cards import NOTHING
from coursekit.kit import GAMES
from coursekit.words.texts import LANGUAGES

SHORT = Wizard(3, Options(short_game=4))


def played(
    actions: int = 1000, seed: str = "7", names: tuple[str, ...] = ("Ann", "Bo", "Cy")
) -> Match:
    """Return a match of :data:`SHORT` after some random *actions*, or to its end."""
    match, rng = Match(SHORT, seed, names), stream(seed, "test")
    while (deciding := SHORT.to_act(match.state)) and len(match.log) < actions:
        match.play(deciding[0], pick_action(SHORT.legal_actions(match.state, deciding[0]), rng))
    return match


def everything(match: Match) -> tuple[Any, ...]:
    return repr(match.state), match.log[:], match.events[:], match.seeds[:], match._rng.getstate()


# Match


def test_the_same_seed_gives_the_same_match():
    assert everything(played()) == everything(played())
    assert played(seed="8").log != played().log


def test_a_seed_may_be_a_number_and_is_drawn_if_none_is_given():
    assert Match(SHORT, 7).state == Match(SHORT, "7").state
    drawn = {Match(SHORT).seed for _ in range(5)}
    assert len(drawn) == 5
    assert all(len(seed) == 32 for seed in drawn)  # 128 bits


def test_play_returns_what_happened_and_keeps_it():
    match = Match(SHORT, "7")
    seat = SHORT.to_act(match.state)[0]
    events = match.play(seat, 1)
    assert events == [Event("bid.open", {"seat": seat, "bid": 1})] == match.events[0]
    assert match.log == [(seat, 1)]


@pytest.mark.parametrize("seat", [True, 1.0, "1", None, (1,), 10**30, 3, -2, TABLE])
def test_a_seat_that_is_none_cannot_play_and_nothing_changes(seat):
    match = played(5)
    before = everything(match)
    with pytest.raises(IllegalAction) as refused:
        match.play(seat, 0)
    assert everything(match) == before
    assert str(refused.value).startswith(f"seat {seat!r} may not do 0: ")


def test_over_only_when_nobody_has_anything_to_decide():
    match = played(10)
    assert not match.over
    assert played().over
    with pytest.raises(IllegalAction, match="The match is over"):
        played().play(0, 0)


@pytest.mark.parametrize(
    "names",
    [("a", "b", "c", "d"), "Thomas", (1,), (None,), ("x" * 41,), (b"Ann",)],
    ids=lambda names: str(names)[:20],
)
def test_names_are_one_text_of_up_to_40_letters_for_each_player(names):
    with pytest.raises(
        ValueError, match=r"names are a list of up to 3|a name is a text of up to 40 letters"
    ):
        Match(SHORT, "7", names)


def test_every_match_that_can_be_made_can_be_saved_and_loaded():
    for names in ((), ("",), ("陳小明", "Ünal 🎲", "x" * 40), ('"{seat}"\n',)):
        record = Match(SHORT, "七 seed/7", names).record()
        assert Record.loads(record.dumps()) == record


def test_a_story_holds_what_a_seat_may_read_and_nothing_else():
    match = played(3)
    match.events[1] = [
        Event("for all"),
        Event("for 2", audience=(2,)),
        Event("for 0 and 1", audience=(0, 1)),
    ]
    texts = {seat: {event.text for event in match.story(seat)} for seat in (0, 1, 2, None)}
    for seat, words in texts.items():
        assert ("for all" in words, "for 2" in words, "for 0 and 1" in words) == (
            True,
            seat == 2,
            seat in (0, 1),
        )


def test_a_story_can_start_later_and_begins_with_the_deal():
    match = played(6)
    assert match.story(None)[0].text == "deal"
    assert match.story(None, since=5) == [*match.events[5]]
    assert match.story(None, since=6) == []


# Looking at a match and going through it


def test_a_match_says_whose_turn_it_is_and_what_may_be_done():
    match = Match(SHORT, seed=1)
    while not match.over:
        seat = match.turn
        assert seat == match.game.to_act(match.state)[0]
        assert match.legal() == match.legal(seat) == match.game.legal_actions(match.state, seat)
        others = [other for other in match.game.seats if other != seat]
        assert all(match.legal(other) == () for other in others)
        match.play(seat, match.legal()[-1])
    assert match.turn is None
    assert match.legal() == ()


def test_going_through_a_match_yields_what_happened():
    match = played()
    assert [(entry.seat, entry.action) for entry in match] == match.log
    assert [entry.events for entry in match] == match.events


@pytest.mark.parametrize("name", GAMES)
def test_undo_goes_back_action_by_action_and_the_record_tells_of_it(name):
    game = GAMES[name].standard()
    match, rng = Match(game, "undo"), stream("undo", "test")
    while match.turn is not None and len(match.log) < 60:
        match.play(match.turn, pick_action(match.legal(), rng))
    moments = [everything(replay(match.record(), upto)) for upto in range(len(match.log) + 1)]
    log = match.log[:]
    for last in range(len(log) - 1, len(log) - 13, -1):
        entry = match.undo()
        assert (entry.seat, entry.action) == log[last]
        assert everything(match) == moments[last]
    record = Record.loads(match.record().dumps())
    assert record.log == tuple(match.log)
    for seat, action in log[len(match.log) :]:
        match.play(seat, action)
    assert everything(match) == moments[-1]


def test_there_is_nothing_to_undo_before_the_first_action():
    with pytest.raises(IndexError, match="no action to take back"):
        Match(SHORT).undo()


def test_a_match_is_shown_by_what_is_known_of_it_and_not_by_its_seed():
    match = Match(SHORT, seed="a secret")
    assert re.fullmatch(r"Match\(Wizard\(3.*: 0 actions, turn \d\)", repr(match))
    match.play(match.turn, match.legal()[0])
    assert ": 1 action, turn" in repr(match)
    over = play_out(SHORT, [AtRandom] * 3, "a secret")
    assert f"over, points {tuple(SHORT.scores(over.state))}" in repr(over)
    assert "secret" not in repr(match) + repr(over)


def test_the_time_of_each_seat_is_counted(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("coursekit.core.match.perf_counter", lambda: clock[0])

    class Slow(AtRandom):
        def bid(self, obs):
            clock[0] += 2
            return 0

    match = play_out(SHORT, [AtRandom, Slow, AtRandom], 1)
    assert match.seconds == [0, 2 * match.game.options.short_game, 0]


# Record, replay, fork


def test_replay_gives_any_earlier_moment():
    match = played()
    for upto in (0, 1, 17, len(match.log)):
        assert everything(replay(match.record(), upto)) == everything(played(upto))
    assert everything(replay(match.record())) == everything(match)


@pytest.mark.parametrize("upto", [-1, 10_000])
def test_upto_has_to_be_a_moment_of_the_match(upto):
    match = played(9)
    with pytest.raises(ValueError, match="upto is from 0 to 9"):
        replay(match.record(), upto)
    with pytest.raises(ValueError, match="upto is from 0 to 9"):
        match.fork(upto)


def test_a_fork_goes_on_with_new_chance_and_its_record_says_from_where():
    match = played()
    deal = next(
        entry
        for entry, events in enumerate(match.events)
        if "deal" in [event.text for event in events]
    )
    fork = match.fork(deal, "new")
    assert fork.seeds == [(0, "7"), (deal, "new")]
    assert fork.log == match.log[:deal]
    assert repr(fork.state) == repr(replay(match.record(), deal).state)  # the past stays
    fork.play(*match.log[deal])
    assert (
        fork.state.hands != replay(match.record(), deal + 1).state.hands
    )  # the next deal is another
    assert match.seeds == [(0, "7")]
    assert fork.names == match.names


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 5)), max_size=4))
def test_forks_of_forks_replay_identically(cuts):
    match, rng = played(), stream("forks", "test")
    for upto, more in cuts:
        match = match.fork(min(upto, len(match.log)), f"{upto}+{more}")
        for _ in range(more * 10):
            if deciding := SHORT.to_act(match.state):
                match.play(
                    deciding[0], pick_action(SHORT.legal_actions(match.state, deciding[0]), rng)
                )
    entries = [entry for entry, _ in match.seeds]
    assert entries == sorted(set(entries))
    again = Record.loads(match.record().dumps())
    assert again == match.record()
    assert everything(replay(again)) == everything(match)


def test_a_fork_from_the_start_is_a_new_deal():
    fork = played().fork(0, "new")
    assert fork.seeds == [(0, "new")]
    assert everything(fork) == everything(Match(SHORT, "new", ("Ann", "Bo", "Cy")))


def test_a_fork_without_a_seed_draws_one():
    assert len(played().fork(5).seed) == 32


def test_a_record_with_an_option_of_several_numbers_is_the_same_after_saving_and_loading():
    record = Match(Wizard(3, Options(rounds=(1, 2))), "rounds").record()
    assert Record.loads(record.dumps()) == record


def test_a_record_holds_no_sentence_and_is_one_line_of_json():
    text = played().record().dumps()
    assert text.count("\n") == 1
    assert sorted(json.loads(text)) == [
        "coursekit",
        "game",
        "log",
        "names",
        "options",
        "players",
        "rules",
        "seeds",
    ]
    assert "predicts" not in text


# Files that are not records, or not ours, or not whole


def changed(**parts: Any) -> str:
    """Return the text of a good record with some *parts* replaced."""
    return json.dumps(json.loads(played(12).record().dumps()) | parts)


def without(part: str) -> str:
    data = json.loads(played(12).record().dumps())
    del data[part]
    return json.dumps(data)


GOOD = played(12).record().dumps()
OPTIONS = json.loads(GOOD)["options"]
LOG = json.loads(GOOD)["log"]

BAD: dict[str, tuple[str, str]] = {
    "empty": ("", "record.not_json"),
    "text": ("hello", "record.not_json"),
    "truncated": (GOOD[:-20], "record.not_json"),
    "two records": (GOOD + GOOD, "record.not_json"),
    "a number of many digits": ('{"coursekit":1,"players":' + "9" * 5000 + "}", "record.not_json"),
    "a number": ("7", "record.foreign"),
    "nothing": ("null", "record.foreign"),
    "a list": ("[]", "record.foreign"),
    "a notebook": ('{"cells": [], "nbformat": 4}', "record.foreign"),
    "another format": (changed(coursekit=2), "record.format"),
    "format true": (changed(coursekit=True), "record.format"),
    "format 1.0": (changed(coursekit=1.0), "record.format"),
    "no format": (changed(coursekit=None), "record.format"),
    "no log": (without("log"), "record.damaged"),
    "no seeds": (without("seeds"), "record.damaged"),
    "no names": (without("names"), "record.damaged"),
    "no options": (without("options"), "record.damaged"),
    "no rules": (without("rules"), "record.damaged"),
    "no players": (without("players"), "record.damaged"),
    "no game": (without("game"), "record.damaged"),
    "something more": (changed(virus="x"), "record.damaged"),
    "log null": (changed(log=None), "record.damaged"),
    "log a text": (changed(log=""), "record.damaged"),
    "log an object": (changed(log={}), "record.damaged"),
    "log of numbers": (changed(log=[1, 2]), "record.damaged"),
    "log of threes": (changed(log=[[0, 1, 2]]), "record.damaged"),
    "seat true": (changed(log=[[True, 0]]), "record.damaged"),
    "seat 0.0": (changed(log=[[0.0, 0]]), "record.damaged"),
    "seat a text": (changed(log=[["0", 0]]), "record.damaged"),
    "names a text": (changed(names="abc"), "record.damaged"),
    "names an object": (changed(names={}), "record.damaged"),
    "names of numbers": (changed(names=[1, 2, 3]), "record.damaged"),
    "too many names": (changed(names=["a"] * 4), "record.damaged"),
    "a long name": (changed(names=["a" * 41]), "record.damaged"),
    "half a letter in a name": (changed(names=["\ud800"]), "record.damaged"),
    "half a letter in a seed": (changed(seeds=[[0, "\ud800"]]), "record.damaged"),
    "half a letter in the game": (changed(game="\ud800"), "record.damaged"),
    "half a letter in an action": (changed(log=[[0, "\udfff"]]), "record.damaged"),
    "no seed": (changed(seeds=[]), "record.damaged"),
    "seeds an object": (changed(seeds={}), "record.damaged"),
    "seed a number": (changed(seeds=[[0, 7]]), "record.damaged"),
    "first seed late": (changed(seeds=[[1, "7"]]), "record.damaged"),
    "seeds out of order": (changed(seeds=[[0, "7"], [5, "8"], [3, "9"]]), "record.damaged"),
    "a seed twice": (changed(seeds=[[0, "7"], [0, "8"]]), "record.damaged"),
    "a seed behind the end": (changed(seeds=[[0, "7"], [13, "8"]]), "record.damaged"),
    "a seed at true": (changed(seeds=[[0, "7"], [True, "8"]]), "record.damaged"),
    "options a list": (changed(options=[]), "record.damaged"),
    "game a number": (changed(game=7), "record.damaged"),
    "game a list": (changed(game=[]), "record.damaged"),
    "another game": (changed(game="chess"), "record.game"),
    "a long game": (changed(game="x" * 10_000), "record.game"),
    "no word for a game": (changed(game=""), "record.game"),
    "other rules": (changed(rules=99), "record.rules"),
    "rules true": (changed(rules=True), "record.rules"),
    "rules a text": (changed(rules="1" * 10_000), "record.rules"),
    "two players": (changed(players=2, names=[]), "record.options"),
    "players a text": (changed(players="3"), "record.options"),
    "players 3.0": (changed(players=3.0), "record.options"),
    "many players": (changed(players=10**4000), "record.options"),
    "an unknown option": (changed(options=OPTIONS | {"jokers": 2}), "record.options"),
    "a long option": (changed(options=OPTIONS | {"x" * 10_000: 2}), "record.options"),
    "an option of a wrong type": (changed(options=OPTIONS | {"hit": "20"}), "record.options"),
    "an option true": (changed(options=OPTIONS | {"hit": True}), "record.options"),
    "an option out of range": (changed(options=OPTIONS | {"wizards": 10**100}), "record.options"),
    "an option of an object": (
        changed(options=OPTIONS | {"rounds": {"a": [{}]}}),
        "record.options",
    ),
    "options that do not go together": (
        changed(options=OPTIONS | {"rounds": [1]}),
        "record.options",
    ),
    "people null in a list": (changed(people=[None]), "record.people"),
    "people a number": (changed(people=2), "record.people"),
    "people a text": (changed(people="0"), "record.people"),
    "people true": (changed(people=[True]), "record.people"),
    "people 1.0": (changed(people=[1.0]), "record.people"),
    "people out of order": (changed(people=[1, 0]), "record.people"),
    "a person twice": (changed(people=[0, 0]), "record.people"),
    "a person at no seat": (changed(people=[3]), "record.people"),
    "a person at the table's own seat": (changed(people=[-1]), "record.people"),
    "a person at a seat of many digits": (changed(people=[10**4000]), "record.people"),
    "many people": (changed(people=list(range(10_000))), "record.people"),
    "an action that is illegal": (
        changed(log=[*LOG[:5], [LOG[5][0], 99], *LOG[6:]]),
        "record.illegal",
    ),
    "an action out of turn": (changed(log=[[2, 0]]), "record.illegal"),
    "a seat that does not exist": (changed(log=[[5, 0]]), "record.illegal"),
    "a seat of many digits": (changed(log=[[10**4000, 0]]), "record.illegal"),
    "an action of many digits": (changed(log=[[LOG[0][0], 10**4000]]), "record.illegal"),
    "an action that is nothing": (changed(log=[[LOG[0][0], None]]), "record.illegal"),
    "an action 0.0": (changed(log=[[LOG[0][0], 0.0]]), "record.illegal"),
    "an action NaN": (changed(log=[[LOG[0][0], float("nan")]]), "record.illegal"),
    "an action of a list": (changed(log=[[LOG[0][0], [0]]]), "record.illegal"),
    "an action of an object": (changed(log=[[LOG[0][0], {"a": 1}]]), "record.illegal"),
    "an action too long": (changed(log=[[LOG[0][0], "x" * 100_000]]), "record.illegal"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record_is_refused_in_one_clear_sentence(name):
    text, why = BAD[name]
    with pytest.raises(RecordError) as refused:
        Record.loads(text)
    assert refused.value.text == why, str(refused.value)
    told(refused.value)


def test_the_reason_inside_is_told_in_the_same_language():
    with pytest.raises(RecordError) as refused:
        Record.loads(BAD["an action out of turn"][0])
    assert refused.value.sentence("en") == (
        "Action 1 of this record is not allowed by the rules, so nothing was loaded: "
        "It is not your turn; the table is waiting for Player 2."
    )
    assert refused.value.sentence("zh-Hant") == (
        "這個紀錄的第 1 個動作不合規則，沒有載入：還沒輪到你，現在等玩家 2 決定。"
    )


def test_a_record_says_for_which_seats_people_decided_if_that_is_known():
    match = played(12)
    assert "people" not in json.loads(GOOD)
    assert Record.loads(GOOD).people is None
    assert Record.loads(changed(people=None)).dumps() == GOOD
    for people in ((), (1,), (0, 1, 2)):
        match.people = people
        record = Record.loads(match.record().dumps())
        assert (record, record.people) == (match.record(), people)
        for other in (replay(record), replay(record, 5), match.fork(5), match.fork(0)):
            assert other.people == people  # whoever goes on with a match keeps what is known of it


@pytest.mark.parametrize("depth", [10, 300, 900, 2000, 100_000])
@pytest.mark.parametrize("place", ["log", "names", "options", "players"])
def test_a_record_of_deep_lists_is_refused(place, depth):
    """How deep is too deep differs between Pythons, so any of the reasons will do."""
    deep = "[" * depth + "]" * depth
    value = {"log": f"[[0,{deep}]]", "options": f'{{"rounds":{deep}}}'}.get(place, deep)
    with pytest.raises(RecordError) as refused:
        Record.loads(changed(**{place: "HERE"}).replace('"HERE"', value))
    told(refused.value)


def told(error: LocalizedError) -> None:
    """Check that *error* makes one clear sentence in every language."""
    for language in LANGUAGES:
        words = error.sentence(language)
        assert 10 < len(words) < 500, words
        assert "\n" not in words
        words.encode()  # it can be sent and printed


PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda parts: (
        st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=3), parts, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(name=st.sampled_from([*sorted(json.loads(GOOD)), "people"]), value=PARTS)
def test_whatever_stands_in_a_record_it_loads_or_is_refused(name, value):
    try:
        record = Record.loads(changed(**{name: value}))
    except RecordError as error:
        told(error)
    else:
        assert Record.loads(record.dumps()) == record


@settings(max_examples=200, deadline=None, derandomize=True)
@given(place=st.integers(0, len(GOOD)), length=st.integers(0, 30), instead=st.text(max_size=3))
def test_a_damaged_file_loads_or_is_refused(place, length, instead):
    try:
        Record.loads(GOOD[:place] + instead + GOOD[place + length :])
    except RecordError as error:
        told(error)


def test_every_version_of_a_games_rules_is_told_apart():
    for kit in GAMES.values():
        assert type(kit.rules.version) is int
        assert kit.rules.version >= 1


# Strategies that fail


class Raises(Strategy):
    def bid(self, obs: Any) -> int:
        return self.think(obs)

    def think(self, obs: Any) -> int:
        return obs.hands[99]  # this line is wrong


class Nonsense(Strategy):
    def bid(self, obs: Any) -> Any:
        return "three"


class TooHigh(Strategy):
    def bid(self, obs: Any) -> int:
        return 99


class BadWords(Strategy):
    def bid(self, obs: Any) -> int:
        raise Unspeakable


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("cannot be said")


def bidding() -> tuple[Match, int]:
    match = next(match for seed in range(99) if (match := Match(SHORT, seed)).state.phase == "bid")
    return match, SHORT.to_act(match.state)[0]


def failing(kind: type[Strategy]) -> StrategyError:
    """Let a *kind* of strategy fail, check that nothing changed and that another can go on."""
    match, seat = bidding()
    before = everything(match)
    with pytest.raises(StrategyError) as failed:
        step(match, seat, kind(stream("7", "x"), SHORT))
    assert everything(match) == before
    step(match, seat, AtRandom(stream("7", "x"), SHORT))
    assert len(match.log) == 1
    assert all(failed.value.sentence(language) for language in LANGUAGES)
    return failed.value


def test_a_strategy_that_raises_is_named_with_its_line():
    error = failing(Raises)
    lines, first = inspect.getsourcelines(Raises)
    wrong = next(number for number, line in enumerate(lines) if "this line is wrong" in line)
    assert error.values["line"] == first + wrong
    assert "Raises" in str(error)
    assert "obs.hands[99]" in str(error)
    assert "Did you mean hand?" in str(error)


@pytest.mark.parametrize(("kind", "action"), [(Nonsense, "'three'"), (TooHigh, "99")])
def test_a_strategy_that_plays_nonsense_is_named_with_the_reason(kind, action):
    error = failing(kind)
    assert kind.__name__ in str(error)
    assert action in str(error)
    assert error.sentence("zh-Hant") != error.sentence("en")


def test_a_strategy_whose_error_cannot_be_told_is_named_all_the_same():
    assert "BadWords" in str(failing(BadWords))


def test_a_strategy_in_a_notebook_cell_is_named_with_its_line():
    """Cells have no file; the line number has to come all the same."""
    cell = "class Mine(Strategy):\n  def bid(self, obs):\n    return helper(obs)\n\ndef helper(obs):\n  return 1 / 0"
    space: dict[str, Any] = {"Strategy": Strategy}
    exec(compile(cell, "<cell>", "exec"), space)
    error = failing(space["Mine"])
    assert error.values["line"] == 6
    assert "ZeroDivisionError" in str(error)


class WrongAfterAll(Strategy):
    """Fails in the kit's own code, called with nonsense."""

    def bid(self, obs: Any) -> int:
        return random_below(self.rng, "many")  # type: ignore[arg-type]


def test_the_line_named_is_the_authors_not_the_kits():
    error = failing(WrongAfterAll)
    assert 'below(self.rng, "many")' in str(error)


class NoStart(Strategy):
    def __init__(self) -> None: ...


def test_play_out_needs_one_strategy_class_per_seat():
    with pytest.raises(ValueError, match="3 seats need 3 strategies, not 2"):
        play_out(SHORT, [AtRandom] * 2)


def test_a_strategy_that_cannot_be_made_is_named():
    with pytest.raises(StrategyError, match="NoStart"):
        play_out(SHORT, [AtRandom, NoStart, AtRandom])
    with pytest.raises(ValueError, match="seat 0 needs a strategy class"):
        play_out(SHORT, [AtRandom(stream("7", "x"), SHORT)] * 3)  # type: ignore[list-item]


def test_strategies_are_fresh_for_every_seat_and_match():
    made = []

    class Counts(AtRandom):
        def decide(self, obs: Any) -> Any:
            made.append(self)
            return super().decide(obs)

    play_out(SHORT, [Counts] * 3, "7")
    play_out(SHORT, [Counts] * 3, "7")
    assert len(set(map(id, made))) == 6


def test_a_strategy_cannot_change_the_match_through_its_observation():
    match, seat = bidding()
    before = repr(match.state)
    seen = SHORT.observe(match.state, seat)
    hand, seen.hand, seen.legal = seen.hand, (), ()
    assert isinstance(hand, tuple)  # nothing can be changed inside it
    assert repr(match.state) == before
    assert SHORT.observe(match.state, seat).hand == hand


@pytest.mark.parametrize("action", [99, True, 1.0, "1"])
def test_an_action_that_a_strategy_adds_to_its_legal_ones_is_refused(action):
    class Forger(Strategy):
        def bid(self, obs):
            obs.legal = (action,)
            return action

    match, seat = bidding()
    before = everything(match)
    with pytest.raises(StrategyError, match="Forger"):
        step(match, seat, Forger(stream("7", "test"), SHORT))
    assert everything(match) == before


def test_an_action_that_was_legal_is_refused_once_the_match_has_gone_on():
    match, seat = bidding()

    class Late(Strategy):
        def bid(self, obs):
            match.play(seat, 0)
            return obs.legal[0]

    with pytest.raises(StrategyError, match="Late"):
        step(match, seat, Late(stream("7", "test"), SHORT))
    assert match.log == [(seat, 0)]


def test_an_equal_action_made_anew_is_accepted():
    game = GAMES["blockade"].rules(4)

    class Anew(AtRandom):
        def decide(self, obs):
            action = super().decide(obs)
            return (str(action[0]), int(action[1])) if isinstance(action, tuple) else action

    assert play_out(game, [Anew] * 4, "7").log == play_out(game, [AtRandom] * 4, "7").log


def test_strategies_have_chance_of_their_own_and_leave_the_deals_alone():
    class Wasteful(AtRandom):
        def decide(self, obs: Any) -> Any:
            for _ in range(10):
                self.rng.random()
            return obs.legal[0]

    class First(AtRandom):
        def decide(self, obs: Any) -> Any:
            return obs.legal[0]

    assert (
        play_out(SHORT, [Wasteful] * 3, "7").record() == play_out(SHORT, [First] * 3, "7").record()
    )


class Low(Wizard):
    """House rules in each way that a decision is made of: the lowest bid is not legal, and points
    stay hidden.
    """

    def legal_actions(self, state: Any, seat: int) -> tuple[int, ...]:
        legal = super().legal_actions(state, seat)
        return legal[1:] if state.phase == "bid" else legal

    def observe(self, state: Any, seat: int | None) -> Any:
        seen = super().observe(state, seat)
        seen.points = (0,) * self.players
        return seen


class Looks(Strategy):
    def decide(self, obs: Any) -> Any:
        assert obs.points == (0, 0, 0)
        return obs.legal[0]


def test_a_subclass_that_changes_what_is_seen_or_legal_is_asked():
    match = play_out(Low(3, Options(rounds=(1, 2))), [Looks] * 3, "7")
    bids = [
        event.values["bid"]
        for events in match.events
        for event in events
        if event.text == "bid.open"
    ]
    assert bids == [1] * 6
    assert any(match.state.points)


@pytest.mark.parametrize("alike", [True, 1.0])
def test_what_only_equals_an_action_is_none(alike: Any):
    class Equals(Strategy):
        def bid(self, obs: Any) -> Any:
            return alike

    with pytest.raises(StrategyError, match="Equals"):
        play_out(SHORT, [Equals] * 3, "7")


def test_a_strategy_cannot_make_an_action_legal_by_writing_it_down():
    class Writes(Strategy):
        def bid(self, obs: Any) -> int:
            obs.legal = (99,)
            return 99

    with pytest.raises(StrategyError, match="99"):
        play_out(SHORT, [Writes] * 3, "7")


def test_others_wait_where_a_seat_without_a_player_can_decide_with_them():
    match = Match(Wizard(3, HIDDEN), "together")
    others: list[Strategy | None] = [
        None,
        *(AtRandom(stream("7", str(seat)), match.game) for seat in (1, 2)),
    ]
    match.play_on(others, stream("7", "order"))
    assert 0 in match.game.to_act(match.state)
    assert all(seat != 0 for seat, _ in match.log)
    assert match.state.bids == (NOTHING,) * 3


class Fails(Wizard):
    """Its rules fail in the middle of an action, when the second trick begins."""

    def apply(self, state: Any, seat: int, action: int, rng: Any) -> Any:
        events = super().apply(state, seat, action, rng)
        if len(state.takers) == 1 and state.trick:
            raise ZeroDivisionError
        return events


def test_after_a_mistake_in_the_rules_a_match_stands_where_its_log_does():
    match = Match(Fails(3, Options(rounds=(2,))), "7")
    players = [AtRandom(stream("7", str(seat)), match.game) for seat in range(3)]
    with pytest.raises(ZeroDivisionError):
        match.play_on(players, stream("7", "order"))
    assert len(match.log) == len(match.events)
    assert match.state == replay(match.record(), game=match.game).state
    assert match.state.trick == ()


def test_a_match_is_played_on_until_a_seat_without_a_player_must_decide():
    match, order = Match(SHORT, "7"), stream("7", "order")
    others: list[Strategy | None] = [
        None,
        *(AtRandom(stream("7", str(seat)), SHORT) for seat in (1, 2)),
    ]
    while not match.over:
        match.play_on(others, order)
        if not match.over:
            assert SHORT.to_act(match.state) == (0,)
            match.play(0, SHORT.legal_actions(match.state, 0)[0])
    assert {seat for seat, _ in match.log} == {TABLE, 0, 1, 2}


def test_play_out_of_simultaneous_decisions_is_repeatable():
    game = Wizard(4, Options(bid_mode="hidden", short_game=3))
    first, second = (play_out(game, [AtRandom] * 4, "7") for _ in range(2))
    assert first.record() == second.record()
    bidders = {
        tuple(seat for seat, _ in play_out(game, [AtRandom] * 4, seed).log[:4]) for seed in range(9)
    }
    assert len(bidders) > 1  # nobody is always the first to write


# Errors reach whoever has to be told


def errors() -> list[LocalizedError]:
    match, seat = bidding()
    collected: list[LocalizedError] = [failing(Raises), failing(TooHigh)]
    for fail in (
        lambda: match.play(seat, 99),
        lambda: Record.loads(BAD["an action out of turn"][0]),
        lambda: Record.loads(BAD["two players"][0]),
        lambda: Wizard(2),
        lambda: Wizard(3, Options(hit=-1)),
        lambda: Wizard.options_from({"jokers": 1}),
    ):
        try:
            fail()
        except LocalizedError as error:
            collected.append(error)
    return collected


def test_errors_of_a_worker_process_arrive_whole():
    for error in errors():
        arrived = pickle.loads(pickle.dumps(error))
        assert type(arrived) is type(error)
        assert [arrived.sentence(language) for language in LANGUAGES] == [
            error.sentence(language) for language in LANGUAGES
        ]
        assert str(arrived) == str(error)
    assert len(errors()) == 8


# Waiting for others, and mistakes in the rules


class Patient(AtRandom):
    """Bids only when it knows that everybody else has."""

    def bid(self, obs):
        others = [bid for seat, bid in enumerate(obs.bids) if seat != obs.seat]
        return None if -1 in others else obs.legal[0]


class Waits(AtRandom):
    def bid(self, obs):
        return None


HIDDEN = Options(bid_mode="hidden", short_game=2)


def test_where_others_can_decide_too_a_strategy_may_wait():
    for seed in range(8):
        match = play_out(Wizard(3, HIDDEN), [Patient, AtRandom, AtRandom], seed)
        bids = [
            seat
            for (seat, _), events in zip(match.log, match.events, strict=True)
            if events[0].text == "bid.sealed"
        ]
        assert bids[2] == bids[5] == 0


def test_those_who_all_wait_for_each_other_are_named():
    with pytest.raises(StrategyError, match="Waits would rather wait"):
        play_out(Wizard(3, HIDDEN), [Waits] * 3, seed=1)


def test_who_decides_alone_cannot_wait():
    with pytest.raises(StrategyError, match="returned nothing"):
        play_out(Wizard(3), [Waits] * 3, seed=1)


class Broken(Wizard):
    """Rules with a mistake that shows in the middle of a bid."""

    def _bid(self, state, seat, bid):
        super()._bid(state, seat, bid)
        return {}["oops"]


def test_a_mistake_in_the_rules_leaves_the_match_where_it_was():
    match = Match(Broken(3, Options(first_dealer=0)), 1)
    before = deepcopy(match.state)
    with pytest.raises(KeyError, match="oops"):
        match.play(1, 0)
    assert match.state == before
    assert match.log == []


# Races: phases in which strategies may take their time, also alone


class Dawdles(AtRandom):
    """Needs some hundred moments for whatever it writes, and writes at most twice."""

    def decide(self, obs):
        if obs.phase != "write":
            return super().decide(obs)
        if self.rng.random() > 0.005:
            return None
        return (
            "stop"
            if sum(obs.writes) > 1
            else ("write", obs.numbers[sum(obs.writes)], f"word {sum(obs.writes)}")
        )


class NeverWrites(AtRandom):
    def decide(self, obs):
        return None if obs.phase == "write" else super().decide(obs)


def test_in_a_race_all_may_take_their_time():
    for seed in range(3):
        match = play_out(KnitWit(2), [Dawdles, Dawdles], seed)
        assert match.over
        assert {"word 0", "word 1"} <= {line for sheet in match.state.sheets for line in sheet}


def test_in_a_race_the_clock_waits_for_those_who_take_their_time():
    """Without a clock on the wall, "time" is up only when nobody wants to write any more."""
    timed = KnitWit(2, KnitWit.option_type(answer_time_limit=30))
    slow, never = play_out(timed, [Dawdles] * 2, "7"), play_out(timed, [NeverWrites] * 2, "7")
    assert (TABLE, "time") not in slow.log
    assert (TABLE, "time") in never.log


def test_a_race_in_which_nobody_ever_moves_ends_with_a_clear_error():
    with pytest.raises(StrategyError, match="NeverWrites would rather wait"):
        play_out(KnitWit(2), [NeverWrites] * 2, "7")


def test_elsewhere_nobody_gets_more_time():
    """Only where the quicker one gains is a strategy asked again when nothing has happened."""
    asked = []

    class Counts(Waits):
        def decide(self, obs):
            asked.append(obs.seat)
            return super().decide(obs)

    with pytest.raises(StrategyError):
        play_out(Wizard(3, Options(bid_mode="hidden")), [Counts] * 3, "7")
    assert sorted(asked) == [0, 1, 2]
