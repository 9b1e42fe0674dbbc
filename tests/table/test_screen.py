"""The screen: strategies play until a person must decide, hands are covered, moments can be
revisited.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from playing import Quiet, Scribbles, at_screen, at_the_sheets, do, pieces, play_to_the_end, views

from coursekit.core.game import TABLE, Game, IllegalAction, pick_action
from coursekit.core.match import Match, Record, RecordError, replay
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games import wikipedia
from coursekit.games.knitwit import KnitWit
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.run import Run, StaleError
from coursekit.table.shared_screen import Screen
from coursekit.table.storage.autosave import StoredMatch
from coursekit.words.texts import LANGUAGES, game_text, load_texts

SHORT = Options(short_game=3, first_dealer=0)


def one_person(seed=1, options=SHORT, players=3):
    return at_screen(Wizard(players, options), ["person", *[AtRandom] * (players - 1)], seed=seed)


def click(screen, action, seat=None):
    viewer = screen.viewer if seat is None else seat
    screen.act(viewer, action, screen.view("en")["acted"])


def test_strategies_play_until_the_person_must_decide():
    screen = one_person()
    assert screen.run.game.to_act(screen.run.match.state) == (0,)
    assert [seat for seat, _ in screen.run.match.log] == [1, 2]  # left of the dealer first
    assert len(screen.view("en")["scenes"]) == 3  # the deal and the two bids


def test_each_action_is_a_scene_of_its_own():
    screen = one_person()
    for before, after in zip(list(views(screen)), list(views(one_person()))[1:], strict=False):
        assert len(after["scenes"]) == after["entry"] - before["entry"]


def test_every_piece_that_can_be_touched_tells_whether_it_is_legal():
    screen = one_person()
    for view in views(screen):
        scene = view["scenes"][-1]
        touchable = {
            piece["action"]: piece["legal"] for piece in pieces(scene) if "action" in piece
        }
        for action, legal in touchable.items():
            assert legal == (screen.run.game.refusal(screen.run.match.state, 0, action) is None)


def test_choices_offer_exactly_what_is_legal():
    screen = one_person(options=Options(short_game=5, bid_rule="sum_must_differ", first_dealer=0))
    for view in views(screen):
        for zone in view["scenes"][-1]["zones"]:
            for choice in zone.get("choices", []):
                seat = choice.get("seat", view["viewer"])
                refusal = screen.run.game.refusal(screen.run.match.state, seat, choice["action"])
                assert choice["legal"] == (refusal is None)


def test_an_illegal_click_is_refused_with_the_reason_and_changes_nothing():
    screen = one_person()
    before = screen.view("en")
    with pytest.raises(IllegalAction, match="whole number from 0 to 1, not 2"):
        click(screen, 2)
    assert screen.view("en") == before


def test_a_click_on_a_stale_scene_is_refused():
    screen = one_person()
    shown = screen.view("en")
    with pytest.raises(StaleError, match="moved on"):
        screen.act(0, 0, 99)
    click(screen, 0)
    with pytest.raises(StaleError, match="moved on"):
        screen.act(0, 0, shown["acted"])


def test_nobody_acts_for_a_seat_that_is_not_in_front_of_the_screen():
    screen = at_screen(Wizard(3, SHORT), ["person"] * 3, seed=1)
    view = screen.view("en")
    assert view["covered"][0]["seat"] == 1
    with pytest.raises(StaleError):
        screen.act(1, 0, view["acted"])
    with pytest.raises(StaleError):
        screen.uncover(2)
    screen.uncover(1)
    click(screen, 0)
    assert screen.viewer is None
    assert screen.view("en")["covered"][0]["seat"] == 2


def test_the_next_round_waits_for_somebody_at_the_table():
    screen = one_person()
    for _ in views(screen):
        if screen.run.match.state.phase == "scored":
            break
    (choice,) = [
        choice
        for zone in screen.view("en")["scenes"][-1]["zones"]
        for choice in zone.get("choices", [])
    ]
    click(screen, choice["action"], choice["seat"])
    assert screen.run.match.state.round == 2


def test_strategies_alone_play_on_in_batches():
    screen = at_screen(Wizard(3, Options(short_game=12)), [AtRandom] * 3, seed=5)
    batches = list(views(screen))
    assert len(batches) > 2
    assert screen.run.match.over
    assert max(len(view["scenes"]) for view in batches) == 30


def test_looking_back_shows_the_moment_and_offers_nothing_to_do():
    screen = one_person()
    play_to_the_end(screen)
    for entry in range(len(screen.run.match.log) + 1):
        screen.look_at(entry)
        view = screen.view("en")
        (scene,) = view["scenes"]
        assert view["entry"] == entry
        assert not scene["turn"]
        assert not any("action" in piece for piece in pieces(scene))
        assert not any(zone.get("choices") for zone in scene["zones"])
    with pytest.raises(StaleError, match="earlier moment"):
        click(screen, 0)
    with pytest.raises(StaleError, match="no step 999"):
        screen.look_at(999)
    screen.look_at(None)
    assert not screen.view("en")["looking_back"]


def test_a_match_goes_on_from_an_earlier_moment_with_new_chance():
    screen = one_person(options=Options(short_game=6, first_dealer=0))
    play_to_the_end(screen)
    old, id = screen.run.match, screen.run.id
    screen.fork(10)
    assert screen.run.match.log[:10] == old.log[:10]
    assert screen.run.match.seeds[-1][0] == 10
    assert screen.run.id != id
    assert not screen.run.match.over
    play_to_the_end(screen, seed=2)
    assert replay(screen.run.match.record()).state == screen.run.match.state
    assert [deal.values for deal in old.opening] == [
        deal.values for deal in screen.run.match.opening
    ]


class Fails(Strategy):
    def play(self, obs):
        return obs.hand[99]


class Cheats(Strategy):
    def bid(self, obs):
        return -5


class Exits(Strategy):
    def play(self, obs):
        raise SystemExit


class Endless(Strategy):
    time_limit = 0.1

    def play(self, obs):
        while True:
            pass


WORDS = {
    Fails: ("obs.hand[99]", "IndexError"),
    Cheats: ("-5", "bid", "from line"),
    Exits: ("raise SystemExit",),
    Endless: ("Endless.play thought for more than 0.1 seconds",),
}


@pytest.mark.parametrize("bad", WORDS)
def test_a_failing_strategy_is_named_with_its_line_and_another_can_go_on(bad):
    screen = at_screen(Wizard(3, SHORT), ["person", bad, AtRandom], seed=1)
    for view in views(screen, steps=20):
        if view["trouble"]:
            break
    assert view["trouble"]["seat"] == 1
    assert bad.__name__ in view["trouble"]["text"]
    assert view["trouble"]["text"].startswith("At the seat of Player 2: ")
    assert str(screen.run.trouble) in view["trouble"]["text"]  # as a tournament says it
    for word in WORDS[bad]:
        assert word in view["trouble"]["text"]
    scene = view["scenes"][-1]
    (plate,) = [
        place for zone in scene["zones"] for place in zone.get("places", []) if place["seat"] == 1
    ]
    assert not plate["turn"]
    assert "stuck" in plate["badges"]
    assert scene["prompt"].startswith("Player 2 is stuck")
    entry = len(screen.run.match.log)
    screen.replace(1, AtRandom)
    assert screen.run.trouble is None
    assert len(screen.run.match.log) > entry
    play_to_the_end(screen)
    assert screen.run.match.over


class CannotBeMade(Strategy):
    def __init__(self, rng, game):
        super().__init__(rng, game)
        self.plan = game.no_such_thing


def test_a_strategy_that_cannot_be_made_is_named_and_another_can_take_its_seat():
    screen = at_screen(Wizard(3, SHORT), ["person", CannotBeMade, AtRandom], seed=1)
    assert "no_such_thing" in screen.view("en")["trouble"]["text"]
    screen.replace(1, CannotBeMade)
    assert screen.view("en")["trouble"]["seat"] == 1
    screen.replace(1, AtRandom)
    play_to_the_end(screen)
    assert screen.run.match.over


def test_a_saved_match_is_loaded_where_it_was():
    screen = one_person()
    for _ in views(screen, steps=7):
        pass
    again = at_screen(
        screen.run.game, screen.run.players, match=replay(Record.loads(screen.run.record().dumps()))
    )
    assert again.run.match.state == screen.run.match.state
    assert again.view("en")["scenes"][-1] == screen.view("en")["scenes"][-1]


def test_a_match_knows_for_which_seats_people_have_decided():
    screen = one_person()
    assert screen.run.match.people == ()  # nobody yet
    list(views(screen, steps=3))
    record = Record.loads(screen.run.record().dumps())
    assert record.people == (0,)
    seated = [AtRandom, "person", AtRandom]
    again = at_screen(screen.run.game, seated, match=replay(record))
    assert again.run.match.people == (0,)  # whoever opens it has decided nothing
    list(views(again, steps=3))
    assert again.run.match.people == (0, 1)
    again.fork(len(record.log))
    assert again.run.match.people == (0, 1)
    again.fork(0)
    assert again.run.match.people == ()
    unknown = at_screen(screen.run.game, seated, match=replay(replace(record, people=None)))
    list(views(unknown, steps=3))
    assert len(unknown.run.match.log) > len(record.log)
    assert unknown.run.match.people is None  # of what was done before nobody knows
    together = at_screen(Wizard(3, SHORT), ["person", AtRandom, "person"], seed=1)
    play_to_the_end(together)
    assert together.run.record().people == (0, 2)
    touched = at_screen(wikipedia.Wikipedia(2), ["person", AtRandom], seed=1)
    play_to_the_end(touched)
    assert touched.run.match.people == (0,)  # the table itself is no seat


def test_simultaneous_bids_go_from_person_to_person():
    screen = at_screen(
        Wizard(3, Options(bid_mode="hidden", short_game=2)), ["person", AtRandom, "person"], seed=3
    )
    assert screen.covered == [0, 2]
    screen.uncover(0)
    click(screen, 0)
    assert screen.covered == [2]
    screen.uncover(2)
    click(screen, 1)
    assert screen.run.match.state.phase == "play"


def test_the_table_may_be_left_to_chance_only_when_nobody_is_there():
    screen = one_person()
    for _ in views(screen):
        if screen.run.match.state.phase == "scored":
            break
    assert screen.run.game.to_act(screen.run.match.state) == (TABLE,)
    assert not screen.run.more
    assert Run(Wizard(3, SHORT), [AtRandom] * 3, seed=1).match.state.round > 1


def test_a_piece_with_several_choices_offers_exactly_what_is_legal():
    screen = at_screen(
        wikipedia.Wikipedia(2, wikipedia.Options(points_to_win=2)), ["person", AtRandom], seed=1
    )
    for view in views(screen):
        scene = view["scenes"][-1]
        choices = [choice for piece in pieces(scene) for choice in piece.get("choices", [])]
        for choice in choices:
            assert choice["legal"] == (
                screen.run.game.refusal(screen.run.match.state, 0, choice["action"]) is None
            )
        if 0 in screen.run.game.to_act(screen.run.match.state):
            choices += [choice for zone in scene["zones"] for choice in zone.get("choices", [])]
            lit = {choice["action"] for choice in choices if choice["legal"]}
            assert lit == set(screen.run.game.legal_actions(screen.run.match.state, 0))


# Phases in which nobody has anything to hide


def zone(view, kind):
    return next((zone for zone in view["scenes"][-1]["zones"] if zone["kind"] == kind), None)


def test_in_the_open_nobody_has_to_take_the_screen():
    screen = at_screen(KnitWit(3), ["person", Quiet, "person"], seed=1)
    for _ in range(4):
        view, turn = screen.view("en"), screen.run.match.state.turn
        assert (view["viewer"], view["covered"], view["scenes"][-1]["turn"]) == (None, [], True)
        assert zone(view, "venn").get("draw", zone(view, "venn").get("put"))["seat"] == turn
        do(screen, turn, screen.suggestion(turn, 0, None))


def test_in_the_open_people_act_for_themselves_and_for_nobody_else():
    screen = at_screen(KnitWit(3), ["person", Quiet, "person"], seed=1)
    turn = screen.run.match.state.turn
    before, loop = list(screen.run.match.log), screen.suggestion(turn, 0, None)
    with pytest.raises(IllegalAction):
        do(screen, 2 - turn, loop)
    for stranger in (1, 3, -2):
        with pytest.raises(StaleError):
            do(screen, stranger, loop)
    with pytest.raises(StaleError):
        screen.suggestion(2 - turn, 0, None)
    assert screen.run.match.log == before


def test_in_the_open_a_click_on_an_old_scene_is_stale_whoever_has_acted_since():
    screen = at_the_sheets(["person"] * 3, buttons=(2,))
    for seat in list(screen.covered):
        screen.uncover(seat)
        do(screen, seat, "stop")
        if screen.run.match.state.phase != "write":
            break
    assert screen.run.match.state.phase == "reveal"
    old = screen.view("en")
    do(screen, TABLE, "next")
    with pytest.raises(StaleError):
        screen.act(TABLE, "next", old["acted"])
    do(screen, TABLE, "next")


def test_hands_are_covered_as_soon_as_a_phase_is_not_open():
    screen = at_the_sheets(["person", Quiet, "person"])
    view = screen.view("en")
    assert view["viewer"] is None
    assert [each["seat"] for each in view["covered"]] == [0, 2]
    assert zone(view, "answer-pad") is None
    with pytest.raises(StaleError):
        do(screen, 0, "stop")
    with pytest.raises(StaleError):
        screen.attempt(0, "stop")
    screen.uncover(2)
    assert zone(screen.view("en"), "answer-pad")["seat"] == 2
    with pytest.raises(StaleError):
        screen.attempt(0, "stop")


def test_the_screen_goes_round():
    screen = at_the_sheets(["person"] * 4, buttons=(3, 2))
    for last, following in [(1, [2, 3, 0, 1]), (2, [3, 0, 1, 2]), (0, [3, 1, 2, 0])]:
        screen.uncover(last)
        screen.cover()
        assert screen.covered == following, "those who have not had it come first"
    screen.uncover(1)
    do(screen, 1, "stop")
    assert screen.covered == [3, 2, 0]


def test_nobody_can_take_a_button_before_all_at_the_screen_have_had_it_once():
    screen = at_the_sheets(["person", "person", Quiet, "person"], buttons=(4, 3, 2))
    for seat, waits in [(1, "Player 1 and Player 4"), (3, "Player 1"), (1, "Player 1")]:
        screen.uncover(seat)
        stack = zone(screen.view("en"), "pile")
        assert "action" not in stack["top"]
        assert waits.replace(" and ", ", ") in stack["caption"].replace(" and ", ", ")
        screen.cover()
    screen.uncover(0)
    assert zone(screen.view("en"), "pile")["top"]["action"] == "stop"
    screen.cover()
    again = at_screen(screen.run.game, screen.run.players, match=screen.run.match)
    again.uncover(3)
    assert "action" not in zone(again.view("en"), "pile")["top"], "a fresh screen knows of nobody"


def test_each_race_has_a_round_of_its_own():
    screen = at_the_sheets(["person"] * 2, rounds=2)
    races = 0
    while not screen.run.match.over:
        if screen.covered:
            first = len(screen.covered) == 2
            screen.uncover(screen.covered[0])
            stack = zone(screen.view("en"), "pile")
            if first:
                races += 1
                assert "action" not in stack["top"]
                screen.cover()
                screen.uncover(screen.covered[0])
                assert zone(screen.view("en"), "pile")["top"]["action"] == "stop"
            do(screen, screen.viewer, "stop")
            continue
        seat = screen.run.waiting[0] if screen.run.waiting else TABLE
        legal = screen.run.game.legal_actions(screen.run.match.state, seat)
        do(screen, seat, legal[0] if isinstance(legal, tuple) else legal.suggestion(0, None))
    assert races == 2


def test_a_person_alone_waits_for_nobody():
    assert (
        zone(at_the_sheets(["person", Quiet, Quiet]).view("en"), "pile")["top"]["action"] == "stop"
    )


def test_the_cover_asks_in_the_words_of_the_game():
    assert at_the_sheets(["person"] * 3).view("en")["covered_words"] == "Who writes first?"
    assert (
        at_screen(Wizard(3), ["person"] * 3)
        .view("en")["covered_words"]
        .startswith("Everybody decides now.")
    )


@pytest.mark.parametrize(
    "seating", [["person"] * 2, ["person", Scribbles, "person"], [Scribbles, "person", Scribbles]]
)
def test_whole_matches_are_played_in_the_open_and_in_a_race(seating):
    screen = at_screen(KnitWit(len(seating)), seating, seed=5)
    phases = set()
    for view in views(screen, seed=5):
        phases.add(screen.run.match.state.phase)
        assert (view["viewer"] is None) == (
            len(screen.run.people) > 1 and (screen.together or bool(view["covered"]))
        )
    assert phases >= {"loop", "spool", "write", "reveal", "over"}


def test_looking_back_at_a_canvas_and_a_pad_offers_nothing_to_do():
    screen = at_screen(KnitWit(2), ["person", Scribbles], seed=2)
    play_to_the_end(screen)
    sheets = 0
    for entry in range(len(screen.run.match.log)):
        screen.look_at(entry)
        view = screen.view("en")
        assert not {"draw", "put", "spots"} & set(zone(view, "venn"))
        sheet = zone(view, "answer-pad") or {"lines": []}
        assert all(line["closed"] for line in sheet["lines"])
        assert not any({"action", "choices"} & set(piece) for piece in pieces(view["scenes"][-1]))
        assert not view["racing"]
        sheets += bool(sheet["lines"])
    assert sheets > 3


# Races


def test_in_a_race_strategies_play_only_when_time_goes_by():
    screen = at_the_sheets(["person", Scribbles, Scribbles])
    before = len(screen.run.match.log)
    assert screen.view("en")["racing"]
    do(screen, 0, ("write", screen.run.match.game.numbers(screen.run.match.state)[0], "one"))
    assert len(screen.run.match.log) == before + 1
    for count in range(5):
        screen.tick()
        assert len(screen.run.match.log) == before + 1 + 2 * (count + 1), "each of them once"
        assert sorted(seat for seat, _ in screen.run.match.log[-2:]) == [1, 2]


def test_nobody_is_always_asked_first():
    screen = at_the_sheets(["person", Scribbles, Scribbles, Scribbles])
    firsts = set()
    for _ in range(12):
        screen.tick()
        firsts.add(screen.run.match.log[-3][0])
    assert firsts == {1, 2, 3}


def test_time_that_brings_nothing_to_see_is_not_shown():
    screen = at_the_sheets(["person", Scribbles])
    before, entries = screen.view("en"), len(screen.run.match.log)
    assert not screen.tick()
    assert len(screen.run.match.log) == entries + 1
    assert screen.view("en") == before | {"tick": 1}


def test_in_a_race_nobody_is_told_how_much_others_have_done():
    screen = at_the_sheets(["person", Scribbles])
    view = screen.view("en")
    assert not {"entry", "entries"} & set(view)
    assert not view["may_look_back"]
    for look in (screen.look_at, screen.fork):
        with pytest.raises(StaleError, match="look"):
            look(3)
    do(screen, 0, "stop")
    play_to_the_end(screen)
    assert screen.view("en")["entries"] == len(screen.run.match.log)
    screen.look_at(3)


def test_people_at_one_screen_have_as_many_seconds_as_strategies_have_moments():
    screen = at_the_sheets(["person", "person", "person", Quiet], buttons=(4, 3, 2))
    assert screen.view("en")["racing"] == 0, "the screen is covered"
    for left in (3, 2):
        seat = screen.covered[0]
        screen.uncover(seat)
        assert screen.view("en")["racing"] == left
        do(screen, seat, "stop")
    alone = at_the_sheets(["person", Quiet])
    assert alone.view("en")["racing"] == 1


class Stops(Quiet):
    def write(self, obs):
        return "stop"

    decide = Strategy.decide


def test_what_everybody_sees_is_shown_at_once():
    screen = at_the_sheets(["person", Stops, Quiet])
    assert screen.tick()
    (scene,) = screen.view("en")["scenes"]
    assert screen.run.match.state.locked == [0, 1, 0]
    assert [place["badges"] for place in scene["zones"][0]["places"]][1]


def test_the_last_button_ends_the_race_at_a_tick():
    screen = at_the_sheets(["person", Stops, Quiet], buttons=(2,))
    assert screen.tick()
    assert screen.run.match.state.phase == "reveal"
    assert not screen.view("en")["racing"]
    assert not screen.tick()


class Fails(Quiet):
    def write(self, obs):
        raise ValueError("no idea")

    decide = Strategy.decide


def test_a_strategy_that_fails_is_named_and_the_race_waits_for_another():
    screen = at_the_sheets(["person", Fails, Quiet])
    assert screen.tick()
    assert screen.run.trouble.seat == 1
    assert not screen.racing
    assert not screen.tick()
    screen.replace(1, Stops)
    assert screen.tick()
    assert screen.run.match.state.locked == [0, 1, 0]


def test_no_time_goes_by_while_hands_are_covered():
    screen = at_the_sheets(["person", Scribbles, "person"])
    before = list(screen.run.match.log)
    assert not screen.racing
    screen.tick()
    assert screen.run.match.log == before
    screen.uncover(0)
    assert screen.racing


class Slow(Quiet):
    """Needs twenty moments for a line, and stops after three."""

    def decide(self, obs):
        if obs.phase != "write":
            return super().decide(obs)
        written = sum(map(bool, obs.sheet))
        if self.rng.random() > 0.05:
            return None
        return "stop" if written == 3 else ("write", obs.numbers[written], f"{written} words")


def test_slow_strategies_go_on_alone_when_all_people_have_stopped():
    screen = at_the_sheets(["person", Slow, Slow, Slow], buttons=(4, 3, 2))
    do(screen, 0, "stop")
    while screen.run.more:
        screen.go_on()
    assert screen.run.match.state.phase == "reveal"
    assert [sum(map(bool, sheet)) for sheet in screen.run.match.state.sheets].count(3) >= 2


class Never(Quiet):
    def decide(self, obs):
        return None if obs.phase == "write" else super().decide(obs)


def test_a_strategy_for_which_all_wait_in_vain_is_named():
    screen = at_the_sheets(["person", Never, Never])
    do(screen, 0, "stop")
    assert screen.run.trouble is not None
    assert "Never" in screen.view("en")["trouble"]["text"]


def test_a_view_tells_how_many_people_can_still_decide():
    """What one person alone has the time for is not multiplied by those who have finished."""
    screen = at_the_sheets(["person", "person"])
    assert screen.view("en")["waiting"] == 2
    screen.uncover(0)
    screen.cover()
    screen.uncover(1)
    do(screen, 1, "stop")
    assert (screen.run.match.state.extra, screen.view("en")["waiting"]) == (1, 1)


# Trying before doing


def test_what_is_tried_is_judged_and_shown_but_not_done():
    screen = at_screen(KnitWit(3), ["person", "person", Quiet], seed=1)
    turn = screen.run.match.state.turn
    loop = screen.suggestion(turn, 0, None)
    before = screen.view("en")
    refusal, preview = screen.attempt(turn, loop)
    assert refusal is None
    assert [list(point) for point in loop[1]] == preview["points"]
    refusal, preview = screen.attempt(turn, ["loop", [[0, 0], [200, 0], [0, 140], [200, 140]]])
    assert refusal is not None
    assert preview is not None
    refusal, preview = screen.attempt(turn, "nothing")
    assert refusal is not None
    assert preview is None
    assert screen.view("en") == before


def test_what_can_be_listed_is_tried_without_a_preview():
    screen = one_person()
    assert screen.attempt(0, 0) == (None, None)
    assert screen.attempt(0, 9)[0].text
    assert screen.suggestion(0, 0, None) is None


def test_proposals_are_legal_and_begin_again_after_the_last():
    screen = at_screen(KnitWit(2), ["person", Quiet], seed=3)
    while screen.run.match.state.turn != 0 or len(screen.run.match.state.spools) < 2:
        do(screen, 0, screen.suggestion(0, 0, None))
    number = screen.run.match.state.spools[0][0]
    for n in range(3):
        assert screen.attempt(0, screen.suggestion(0, n, None))[0] is None
        assert screen.attempt(0, screen.suggestion(0, n, number))[0] is None
    assert screen.suggestion(0, 10**30, None) == screen.suggestion(0, 10**30 % 12, None)


def shared_views(game: Game[Any, Any, Any], seed: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what one screen shows to the people of a match played at random, by phase."""
    run, rng = Run(game, ["person"] * game.players, seed=seed), Random(seed)
    screen = Screen(run)
    for _ in range(150):
        yield run.game.observe(run.match.state, None).phase, screen.view("en")
        if screen.covered:
            screen.uncover(screen.covered[0])
            continue
        deciding = game.to_act(run.match.state)
        if not deciding:
            break
        seat = screen.viewer if screen.viewer in deciding else deciding[0]
        action = pick_action(game.legal_actions(run.match.state, seat), rng)
        screen.act(seat, action, screen.acted)


@pytest.mark.parametrize("name", GAMES)
def test_only_who_has_something_to_hide_can_cover_it(name: str) -> None:
    kind = GAMES[name].rules
    told = set()
    for preset in kind.presets:
        game = kind(4, kind.preset(preset))
        for phase, view in shared_views(game, f"hides {preset}"):
            near = [zone for zone in view["scenes"][-1]["zones"] if zone["place"] == "near"]
            hand = any(zone["kind"] == "hand" and zone["pieces"] for zone in near)
            if not near or view["viewer"] is None or view["bare"]:
                assert not view["hides"], phase
            elif hand and not getattr(game.options, "open_hands", False):
                assert view["hides"], phase
            told.add((preset, phase, view["hides"]))
    if name == "wizard":
        assert ("standard", "scored", True) not in told
    if name == "blockade":
        assert ("open", "era", True) not in told


@pytest.mark.parametrize("name", GAMES)
def test_only_games_with_hands_speak_of_hands_on_a_projector(name: str) -> None:
    has_hand = any(
        zone["kind"] == "hand"
        for _, view in shared_views(GAMES[name].rules(4), "hands")
        for zone in view["scenes"][-1]["zones"]
    )
    assert ("hand" in game_text(name, "ui.shared_screen", "en").lower()) is has_hand


@pytest.mark.parametrize("name", GAMES)
def test_a_record_of_another_game_is_named_by_its_title(name: str) -> None:
    other = next(each for each in GAMES if each != name)
    record = Match(GAMES[other].rules(4), "titles").record()
    session = Table(GAMES[name].rules(4)).session
    with pytest.raises(RecordError) as caught:
        session.open(StoredMatch(record, ()))
    for language in LANGUAGES:
        told = caught.value.sentence(language)
        assert load_texts(other)["title"][language] in told
        assert load_texts(name)["title"][language] in told
    with pytest.raises(RecordError) as caught:
        session.load("PK\x03\x04 xl/workbook.xml")
    assert "Excel" in caught.value.sentence("en")
    with pytest.raises(RecordError) as caught:
        replay(replace(record, game="chess"))
    assert load_texts(name)["title"]["zh-Hant"] in caught.value.sentence("zh-Hant")
