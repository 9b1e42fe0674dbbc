"""The host: strategies play until a person must decide, hands are covered, moments can be revisited."""

from dataclasses import replace

import pytest
from playing import Quiet, Scribbles, at_the_sheets, do, pieces, play_to_the_end, views

from coursekit.core.game import TABLE, IllegalAction
from coursekit.core.match import Record, replay
from coursekit.core.strategy import AtRandom, Strategy, StrategyError
from coursekit.games import wikipedia
from coursekit.games.knitwit import KnitWit
from coursekit.games.wizard import Options, Wizard
from coursekit.table.host import Host, Stale

SHORT = Options(short_game=3, first_dealer=0)


def one_person(seed=1, options=SHORT, players=3):
    return Host(Wizard(players, options), ["person", *[AtRandom] * (players - 1)], seed=seed)


def click(host, action, seat=None):
    view = host.view("en")
    host.act(host.viewer if seat is None else seat, action, view["match"], view["branch"], view["acted"])


def test_strategies_play_until_the_person_must_decide():
    host = one_person()
    assert host.game.to_act(host.match.state) == (0,)
    assert [seat for seat, _ in host.match.log] == [1, 2]  # left of the dealer first
    assert len(host.view("en")["scenes"]) == 3  # the deal and the two bids


def test_each_action_is_a_scene_of_its_own():
    host = one_person()
    for before, after in zip(list(views(host)), list(views(one_person()))[1:], strict=False):
        assert len(after["scenes"]) == after["entry"] - before["entry"]


def test_every_piece_that_can_be_touched_tells_whether_it_is_legal():
    host = one_person()
    for view in views(host):
        scene = view["scenes"][-1]
        touchable = {piece["action"]: piece["legal"] for piece in pieces(scene) if "action" in piece}
        for action, legal in touchable.items():
            assert legal == (host.game.refusal(host.match.state, 0, action) is None)


def test_choices_offer_exactly_what_is_legal():
    host = one_person(options=Options(short_game=5, bid_rule="sum_must_differ", first_dealer=0))
    for view in views(host):
        for zone in view["scenes"][-1]["zones"]:
            for choice in zone.get("choices", []):
                seat = choice.get("seat", view["viewer"])
                assert choice["legal"] == (host.game.refusal(host.match.state, seat, choice["action"]) is None)


def test_an_illegal_click_is_refused_with_the_reason_and_changes_nothing():
    host = one_person()
    before = host.view("en")
    with pytest.raises(IllegalAction, match="whole number from 0 to 1, not 2"):
        click(host, 2)
    assert host.view("en") == before


@pytest.mark.parametrize("wrong", ["match", "branch", "acted"])
def test_a_click_on_a_stale_scene_is_refused(wrong):
    host = one_person()
    shown = host.view("en")
    stale = {key: shown[key] for key in ("match", "branch", "acted")} | {wrong: 99}
    with pytest.raises(Stale, match="moved on"):
        host.act(0, 0, **stale)
    click(host, 0)
    with pytest.raises(Stale, match="moved on"):
        host.act(0, 0, shown["match"], shown["branch"], shown["acted"])


def test_nobody_acts_for_a_seat_that_is_not_in_front_of_the_screen():
    host = Host(Wizard(3, SHORT), ["person"] * 3, seed=1)
    view = host.view("en")
    assert view["covered"][0]["seat"] == 1
    with pytest.raises(Stale):
        host.act(1, 0, view["match"], view["branch"], view["acted"])
    with pytest.raises(Stale):
        host.uncover(2)
    host.uncover(1)
    click(host, 0)
    assert host.viewer is None
    assert host.view("en")["covered"][0]["seat"] == 2


def test_the_next_round_waits_for_somebody_at_the_table():
    host = one_person()
    for _ in views(host):
        if host.match.state.phase == "scored":
            break
    (choice,) = [choice for zone in host.view("en")["scenes"][-1]["zones"] for choice in zone.get("choices", [])]
    click(host, choice["action"], choice["seat"])
    assert host.match.state.round == 2


def test_strategies_alone_play_on_in_batches():
    host = Host(Wizard(3, Options(short_game=12)), [AtRandom] * 3, seed=5)
    batches = list(views(host))
    assert len(batches) > 2
    assert host.match.over
    assert max(len(view["scenes"]) for view in batches) == 30


def test_looking_back_shows_the_moment_and_offers_nothing_to_do():
    host = one_person()
    play_to_the_end(host)
    for entry in range(len(host.match.log) + 1):
        host.look_at(entry)
        view = host.view("en")
        (scene,) = view["scenes"]
        assert view["entry"] == entry
        assert not scene["turn"]
        assert not any("action" in piece for piece in pieces(scene))
        assert not any(zone.get("choices") for zone in scene["zones"])
    with pytest.raises(Stale, match="earlier moment"):
        click(host, 0)
    with pytest.raises(Stale, match="no step 999"):
        host.look_at(999)
    host.look_at(None)
    assert not host.view("en")["looking_back"]


def test_a_match_goes_on_from_an_earlier_moment_with_new_chance():
    host = one_person(options=Options(short_game=6, first_dealer=0))
    play_to_the_end(host)
    old, id = host.match, host.id
    host.fork(10)
    assert host.match.log[:10] == old.log[:10]
    assert host.match.seeds[-1][0] == 10
    assert host.id != id
    assert not host.match.over
    play_to_the_end(host, seed=2)
    assert replay(host.match.record()).state == host.match.state
    assert [deal.values for deal in old.opening] == [deal.values for deal in host.match.opening]


class Fails(Strategy):
    def play(self, obs):
        return obs.hand[99]


class Cheats(Strategy):
    def bid(self, obs):
        return -5


@pytest.mark.parametrize("bad", [Fails, Cheats])
def test_a_failing_strategy_is_named_with_its_line_and_another_can_go_on(bad):
    host = Host(Wizard(3, SHORT), ["person", bad, AtRandom], seed=1)
    for view in views(host, steps=20):
        if view["trouble"]:
            break
    assert view["trouble"]["seat"] == 1
    assert bad.__name__ in view["trouble"]["text"]
    assert view["trouble"]["text"].startswith("At the seat of Player 2: ")
    if bad is Fails:
        assert "obs.hand[99]" in str(host.trouble)
    entry = len(host.match.log)
    host.replace(1, AtRandom)
    assert host.trouble is None
    assert len(host.match.log) > entry
    play_to_the_end(host)
    assert host.match.over


class CannotBeMade(Strategy):
    def __init__(self, rng, game):
        super().__init__(rng, game)
        self.plan = game.no_such_thing


def test_a_strategy_that_cannot_be_made_is_named():
    with pytest.raises(StrategyError, match="CannotBeMade"):
        Host(Wizard(3, SHORT), ["person", CannotBeMade, AtRandom], seed=1)


def test_a_saved_match_is_loaded_where_it_was():
    host = one_person()
    for _ in views(host, steps=7):
        pass
    again = Host(host.game, host.players, match=replay(Record.loads(host.record().dumps())))
    assert again.match.state == host.match.state
    assert again.view("en")["scenes"][-1] == host.view("en")["scenes"][-1]


def test_a_match_knows_for_which_seats_people_have_decided():
    host = one_person()
    assert host.match.people == ()  # nobody yet
    list(views(host, steps=3))
    record = Record.loads(host.record().dumps())
    assert record.people == (0,)
    seated = [AtRandom, "person", AtRandom]
    again = Host(host.game, seated, match=replay(record))
    assert again.match.people == (0,)  # whoever opens it has decided nothing
    list(views(again, steps=3))
    assert again.match.people == (0, 1)
    again.fork(len(record.log))
    assert again.match.people == (0, 1)
    again.fork(0)
    assert again.match.people == ()
    unknown = Host(host.game, seated, match=replay(replace(record, people=None)))
    list(views(unknown, steps=3))
    assert len(unknown.match.log) > len(record.log)
    assert unknown.match.people is None  # of what was done before nobody knows
    together = Host(Wizard(3, SHORT), ["person", AtRandom, "person"], seed=1)
    play_to_the_end(together)
    assert together.record().people == (0, 2)
    touched = Host(wikipedia.Wikipedia(2), ["person", AtRandom], seed=1)
    play_to_the_end(touched)
    assert touched.match.people == (0,)  # the table itself is no seat


def test_simultaneous_bids_go_from_person_to_person():
    host = Host(Wizard(3, Options(bid_mode="hidden", short_game=2)), ["person", AtRandom, "person"], seed=3)
    assert host.covered == [0, 2]
    host.uncover(0)
    click(host, 0)
    assert host.covered == [2]
    host.uncover(2)
    click(host, 1)
    assert host.match.state.phase == "play"


def test_the_table_may_be_left_to_chance_only_when_nobody_is_there():
    host = one_person()
    for _ in views(host):
        if host.match.state.phase == "scored":
            break
    assert host.game.to_act(host.match.state) == (TABLE,)
    assert not host.more
    assert Host(Wizard(3, SHORT), [AtRandom] * 3, seed=1).match.state.round > 1


def test_a_piece_with_several_choices_offers_exactly_what_is_legal():
    host = Host(wikipedia.Wikipedia(2, wikipedia.Options(points_to_win=2)), ["person", AtRandom], seed=1)
    for view in views(host):
        scene = view["scenes"][-1]
        choices = [choice for piece in pieces(scene) for choice in piece.get("choices", [])]
        for choice in choices:
            assert choice["legal"] == (host.game.refusal(host.match.state, 0, choice["action"]) is None)
        if 0 in host.game.to_act(host.match.state):
            choices += [choice for zone in scene["zones"] for choice in zone.get("choices", [])]
            lit = {choice["action"] for choice in choices if choice["legal"]}
            assert lit == set(host.game.legal_actions(host.match.state, 0))


# Phases in which nobody has anything to hide


def zone(view, kind):
    return next((zone for zone in view["scenes"][-1]["zones"] if zone["kind"] == kind), None)


def test_in_the_open_nobody_has_to_take_the_screen():
    host = Host(KnitWit(3), ["person", Quiet, "person"], seed=1)
    for _ in range(4):
        view, turn = host.view("en"), host.match.state.turn
        assert (view["viewer"], view["covered"], view["scenes"][-1]["turn"]) == (None, [], True)
        assert zone(view, "venn").get("draw", zone(view, "venn").get("put"))["seat"] == turn
        do(host, turn, host.suggestion(turn, 0, None))


def test_in_the_open_people_act_for_themselves_and_for_nobody_else():
    host = Host(KnitWit(3), ["person", Quiet, "person"], seed=1)
    turn = host.match.state.turn
    before, loop = list(host.match.log), host.suggestion(turn, 0, None)
    with pytest.raises(IllegalAction):
        do(host, 2 - turn, loop)
    for stranger in (1, 3, -2):
        with pytest.raises(Stale):
            do(host, stranger, loop)
    with pytest.raises(Stale):
        host.suggestion(2 - turn, 0, None)
    assert host.match.log == before


def test_in_the_open_a_click_on_an_old_scene_is_stale_whoever_has_acted_since():
    host = at_the_sheets(["person"] * 3, buttons=(2,))
    for seat in list(host.covered):
        host.uncover(seat)
        do(host, seat, "stop")
        if host.match.state.phase != "write":
            break
    assert host.match.state.phase == "reveal"
    old = host.view("en")
    do(host, TABLE, "next")
    with pytest.raises(Stale):
        host.act(TABLE, "next", old["match"], old["branch"], old["acted"])
    do(host, TABLE, "next")


def test_hands_are_covered_as_soon_as_a_phase_is_not_open():
    host = at_the_sheets(["person", Quiet, "person"])
    view = host.view("en")
    assert view["viewer"] is None
    assert [each["seat"] for each in view["covered"]] == [0, 2]
    assert zone(view, "sheet") is None
    with pytest.raises(Stale):
        do(host, 0, "stop")
    with pytest.raises(Stale):
        host.attempt(0, "stop")
    host.uncover(2)
    assert zone(host.view("en"), "sheet")["seat"] == 2
    with pytest.raises(Stale):
        host.attempt(0, "stop")


def test_the_screen_goes_round():
    host = at_the_sheets(["person"] * 4, buttons=(3, 2))
    for last, following in [(1, [2, 3, 0, 1]), (2, [3, 0, 1, 2]), (0, [3, 1, 2, 0])]:
        host.uncover(last)
        host.cover()
        assert host.covered == following, "those who have not had it come first"
    host.uncover(1)
    do(host, 1, "stop")
    assert host.covered == [3, 2, 0]


def test_nobody_can_take_a_button_before_all_at_the_screen_have_had_it_once():
    host = at_the_sheets(["person", "person", Quiet, "person"], buttons=(4, 3, 2))
    for seat, waits in [(1, "Player 1 and Player 4"), (3, "Player 1"), (1, "Player 1")]:
        host.uncover(seat)
        stack = zone(host.view("en"), "pile")
        assert "action" not in stack["top"]
        assert waits.replace(" and ", ", ") in stack["caption"].replace(" and ", ", ")
        host.cover()
    host.uncover(0)
    assert zone(host.view("en"), "pile")["top"]["action"] == "stop"
    host.cover()
    again = Host(host.game, host.players, match=host.match)
    again.uncover(3)
    assert "action" not in zone(again.view("en"), "pile")["top"], "a fresh host knows of nobody"


def test_each_race_has_a_round_of_its_own():
    host = at_the_sheets(["person"] * 2, rounds=2)
    races = 0
    while not host.match.over:
        if host.covered:
            first = len(host.covered) == 2
            host.uncover(host.covered[0])
            stack = zone(host.view("en"), "pile")
            if first:
                races += 1
                assert "action" not in stack["top"]
                host.cover()
                host.uncover(host.covered[0])
                assert zone(host.view("en"), "pile")["top"]["action"] == "stop"
            do(host, host.viewer, "stop")
            continue
        seat = host.waiting[0] if host.waiting else TABLE
        legal = host.game.legal_actions(host.match.state, seat)
        do(host, seat, legal[0] if isinstance(legal, tuple) else legal.suggestion(0, None))
    assert races == 2


def test_a_person_alone_waits_for_nobody():
    assert zone(at_the_sheets(["person", Quiet, Quiet]).view("en"), "pile")["top"]["action"] == "stop"


def test_the_cover_asks_in_the_words_of_the_game():
    assert at_the_sheets(["person"] * 3).view("en")["covered_words"] == "Who writes first?"
    assert Host(Wizard(3), ["person"] * 3).view("en")["covered_words"].startswith("Everybody decides now.")


@pytest.mark.parametrize("seating", [["person"] * 2, ["person", Scribbles, "person"], [Scribbles, "person", Scribbles]])
def test_whole_matches_are_played_in_the_open_and_in_a_race(seating):
    host = Host(KnitWit(len(seating)), seating, seed=5)
    phases = set()
    for view in views(host, seed=5):
        phases.add(host.match.state.phase)
        assert (view["viewer"] is None) == (len(host.people) > 1 and (host.together or bool(view["covered"])))
    assert phases >= {"loop", "spool", "write", "reveal", "over"}


def test_looking_back_at_a_canvas_and_a_sheet_offers_nothing_to_do():
    host = Host(KnitWit(2), ["person", Scribbles], seed=2)
    play_to_the_end(host)
    sheets = 0
    for entry in range(len(host.match.log)):
        host.look_at(entry)
        view = host.view("en")
        assert not {"draw", "put", "spots"} & set(zone(view, "venn"))
        sheet = zone(view, "sheet") or {"lines": []}
        assert all(line["closed"] for line in sheet["lines"])
        assert not any({"action", "choices"} & set(piece) for piece in pieces(view["scenes"][-1]))
        assert not view["racing"]
        sheets += bool(sheet["lines"])
    assert sheets > 3


# Races


def test_in_a_race_strategies_play_only_when_time_goes_by():
    host = at_the_sheets(["person", Scribbles, Scribbles])
    before = len(host.match.log)
    assert host.view("en")["racing"]
    do(host, 0, ("write", host.match.game.numbers(host.match.state)[0], "one"))
    assert len(host.match.log) == before + 1
    for count in range(5):
        host.tick()
        assert len(host.match.log) == before + 1 + 2 * (count + 1), "each of them once"
        assert sorted(seat for seat, _ in host.match.log[-2:]) == [1, 2]


def test_nobody_is_always_asked_first():
    host = at_the_sheets(["person", Scribbles, Scribbles, Scribbles])
    firsts = set()
    for _ in range(12):
        host.tick()
        firsts.add(host.match.log[-3][0])
    assert firsts == {1, 2, 3}


def test_time_that_brings_nothing_to_see_is_not_shown():
    host = at_the_sheets(["person", Scribbles])
    before, entries = host.view("en"), len(host.match.log)
    assert not host.tick()
    assert len(host.match.log) == entries + 1
    assert host.view("en") == before | {"tick": 1}


def test_in_a_race_nobody_is_told_how_much_others_have_done():
    host = at_the_sheets(["person", Scribbles])
    view = host.view("en")
    assert not {"entry", "entries"} & set(view)
    assert not view["may_look_back"]
    for look in (host.look_at, host.fork):
        with pytest.raises(Stale, match="look"):
            look(3)
    do(host, 0, "stop")
    play_to_the_end(host)
    assert host.view("en")["entries"] == len(host.match.log)
    host.look_at(3)


def test_people_at_one_screen_have_as_many_seconds_as_strategies_have_moments():
    host = at_the_sheets(["person", "person", "person", Quiet], buttons=(4, 3, 2))
    assert host.view("en")["racing"] == 0, "the screen is covered"
    for left in (3, 2):
        seat = host.covered[0]
        host.uncover(seat)
        assert host.view("en")["racing"] == left
        do(host, seat, "stop")
    alone = at_the_sheets(["person", Quiet])
    assert alone.view("en")["racing"] == 1


class Stops(Quiet):
    def write(self, obs):
        return "stop"

    decide = Strategy.decide


def test_what_everybody_sees_is_shown_at_once():
    host = at_the_sheets(["person", Stops, Quiet])
    assert host.tick()
    (scene,) = host.view("en")["scenes"]
    assert host.match.state.locked == [0, 1, 0]
    assert [place["badges"] for place in scene["zones"][0]["places"]][1]


def test_the_last_button_ends_the_race_at_a_tick():
    host = at_the_sheets(["person", Stops, Quiet], buttons=(2,))
    assert host.tick()
    assert host.match.state.phase == "reveal"
    assert not host.view("en")["racing"]
    assert not host.tick()


class Fails(Quiet):
    def write(self, obs):
        raise ValueError("no idea")

    decide = Strategy.decide


def test_a_strategy_that_fails_is_named_and_the_race_waits_for_another():
    host = at_the_sheets(["person", Fails, Quiet])
    assert host.tick()
    assert host.trouble.seat == 1
    assert not host.racing
    assert not host.tick()
    host.replace(1, Stops)
    assert host.tick()
    assert host.match.state.locked == [0, 1, 0]


def test_no_time_goes_by_while_hands_are_covered():
    host = at_the_sheets(["person", Scribbles, "person"])
    before = list(host.match.log)
    assert not host.racing
    host.tick()
    assert host.match.log == before
    host.uncover(0)
    assert host.racing


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
    host = at_the_sheets(["person", Slow, Slow, Slow], buttons=(4, 3, 2))
    do(host, 0, "stop")
    while host.more:
        host.go_on()
    assert host.match.state.phase == "reveal"
    assert [sum(map(bool, sheet)) for sheet in host.match.state.sheets].count(3) >= 2


class Never(Quiet):
    def decide(self, obs):
        return None if obs.phase == "write" else super().decide(obs)


def test_a_strategy_for_which_all_wait_in_vain_is_named():
    host = at_the_sheets(["person", Never, Never])
    do(host, 0, "stop")
    assert host.trouble is not None
    assert "Never" in host.view("en")["trouble"]["text"]


def test_a_view_tells_how_many_people_can_still_decide():
    """What one person alone has the time for is not multiplied by those who have finished."""
    host = at_the_sheets(["person", "person"])
    assert host.view("en")["waiting"] == 2
    host.uncover(0)
    host.cover()
    host.uncover(1)
    do(host, 1, "stop")
    assert (host.match.state.extra, host.view("en")["waiting"]) == (1, 1)


# Trying before doing


def test_what_is_tried_is_judged_and_shown_but_not_done():
    host = Host(KnitWit(3), ["person", "person", Quiet], seed=1)
    turn = host.match.state.turn
    loop = host.suggestion(turn, 0, None)
    before = host.view("en")
    refusal, preview = host.attempt(turn, loop)
    assert refusal is None
    assert [list(point) for point in loop[1]] == preview["points"]
    refusal, preview = host.attempt(turn, ["loop", [[0, 0], [200, 0], [0, 140], [200, 140]]])
    assert refusal is not None
    assert preview is not None
    refusal, preview = host.attempt(turn, "nothing")
    assert refusal is not None
    assert preview is None
    assert host.view("en") == before


def test_what_can_be_listed_is_tried_without_a_preview():
    host = one_person()
    assert host.attempt(0, 0) == (None, None)
    assert host.attempt(0, 9)[0].text
    assert host.suggestion(0, 0, None) is None


def test_proposals_are_legal_and_begin_again_after_the_last():
    host = Host(KnitWit(2), ["person", Quiet], seed=3)
    while host.match.state.turn != 0 or len(host.match.state.spools) < 2:
        do(host, 0, host.suggestion(0, 0, None))
    number = host.match.state.spools[0][0]
    for n in range(3):
        assert host.attempt(0, host.suggestion(0, n, None))[0] is None
        assert host.attempt(0, host.suggestion(0, n, number))[0] is None
    assert host.suggestion(0, 10**30, None) == host.suggestion(0, 10**30 % 12, None)
