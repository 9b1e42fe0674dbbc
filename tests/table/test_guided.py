"""The first match of a new player: each rule is told when it first matters, and never again."""

import pytest

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out, replay
from coursekit.kit import GAMES, kit_of
from coursekit.kit.scene import Look
from coursekit.table import Table
from coursekit.table.first_match import PERSON, RuleHints, first_players, is_first
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import LANGUAGES

GUIDED = [name for name, kit in GAMES.items() if kit.guide is not None]
MOST_AT_ONCE, MOST_DECISIONS = 3, 60


def first_match(name, kind, language="en"):
    kit = GAMES[name]
    _, *others = first_players(kit, language)
    return play_out(kit.guide.first_game(kit.rules), [kind, *others], kit.guide.seed)


def test_the_games_of_the_kit_all_have_a_guide():
    assert list(GAMES) == GUIDED


@pytest.mark.parametrize("name", GUIDED)
def test_each_hint_is_told_once_whichever_strategy_sits_in_for_the_new_player(name):
    kit = GAMES[name]
    for kind in kit.players("en"):
        match = first_match(name, kind)
        told = RuleHints(match).after
        changes = [now for before, now in zip([(), *told], told) if now != before]
        hints = [place for now in changes for place in now]
        assert sorted(set(hints)) == [
            place for place, rule in enumerate(kit.guide.rules) if rule.first is not None
        ]
        decided = [
            sum(seat in (PERSON, TABLE) for seat, _ in match.log[:entry])
            for entry in range(len(told))
        ]
        for place in hints:  # at one decision of the player, and at no other
            assert len({decided[entry] for entry, now in enumerate(told) if place in now}) == 1
        assert told[0], "the newcomer is told something even if others begin"
        assert max(map(len, told)) <= MOST_AT_ONCE
        assert decided[-1] <= MOST_DECISIONS


@pytest.mark.parametrize("name", GUIDED)
def test_hints_follow_the_match_and_are_the_same_after_a_reload(name):
    match = first_match(name, GAMES[name].players("en")[-1])
    grows, told = Match(match.game, match.seed), None
    for seat, action in match.log:
        told = told or RuleHints(grows)
        grows.play(seat, action)
        told.follow(grows)
    assert told.after == RuleHints(match).after
    half = len(match.log) // 2
    assert told.after[: half + 1] == RuleHints(replay(match.record(), half)).after


@pytest.mark.parametrize("name", GUIDED)
def test_hints_come_from_what_the_new_player_sees(name):
    match = first_match(name, GAMES[name].players("en")[-1])
    for upto in range(0, len(match.log), 3):
        at = replay(match.record(), upto)
        seen = at.game.observe(at.state, PERSON)
        if at.over or PERSON not in seen.waiting:
            continue
        hidden = at.game.observe(at.game.resample(seen, at._rng), PERSON)
        for rule in filter(lambda each: each.first, GAMES[name].guide.rules):
            assert rule.first(hidden, at.game) == rule.first(seen, at.game)


# At the table


@pytest.fixture(params=GUIDED)
def table(request, tmp_path):
    found = Table(request.param, language="en", store=Store(tmp_path))
    found.send = lambda content, buffers=None: None
    return found


def tell(table, **content):
    view = table.view
    table.receive({part: view[part] for part in ("match", "branch", "acted", "events")} | content)


def act(table):
    """Do the first thing that the person at *table* may do."""
    state, game = table.match.state, table.match.game
    seat = next(each for each in game.to_act(state) if each in (PERSON, TABLE))
    legal = game.legal_actions(state, seat)
    action = legal[0] if isinstance(legal, tuple) else legal.sample(table.match._rng)
    tell(table, type="act", seat=seat, action=action)


def test_the_first_steps_are_begun_and_left_at_the_table(table):
    act(table)
    before = table.view
    assert not before["guided"]
    assert all("hints" not in scene for scene in before["scenes"])
    tell(table, type="first", on=True)
    assert table.view["guided"]
    assert is_first(table.match)
    assert table.people == (PERSON,)
    assert table.setup["chosen"]["players"] == kit_of(table.game).rules.player_counts[0], (
        "as it was before"
    )
    assert table.view["scenes"][-1]["hints"], "the first decision has one"
    tell(table, type="first", on=True)
    tell(table, type="language", language="zh-Hant")
    rules = table.handbook["rules"]["text"]
    assert rules == kit_of(table.game).guide.list_rules(Look(table.rules, "zh-Hant"))
    act(table)
    tell(table, type="first", on=False)
    assert (table.view["match"], table.view["entry"], table.view["guided"]) == (
        before["match"],
        before["entry"],
        False,
    )


def test_after_a_reload_the_first_steps_go_on_and_can_be_left(table, tmp_path):
    tell(table, type="first", on=True)
    act(table)
    match, hints = table.view["match"], table.view["scenes"][-1].get("hints")
    again = Table(table.game, language="en", store=Store(tmp_path))
    own = again.view["match"]
    again.send = lambda content, buffers=None: None
    tell(again, type="hello", remembered=match, same_tab=True)
    tell(again, type="resume", match_id=match)
    assert (again.view["match"], again.view["guided"]) == (match, True)
    assert again.view["scenes"][-1].get("hints") == hints
    tell(again, type="first", on=False)
    assert again.view["match"] == own


def test_no_spectator_is_told_hints_and_a_match_that_goes_on_otherwise_has_none(table):
    tell(table, type="first", on=True)
    tell(table, type="share")
    assert all("hints" not in scene for scene in table.view["spectator"]["scenes"])
    tell(table, type="fork", entry=0)
    assert not table.view["guided"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_others_write_in_the_language_of_the_table(language):
    players = first_players(GAMES["knitwit"], language)
    assert players[0] == "person"
    assert set(players[1:]) < set(GAMES["knitwit"].players(language))
