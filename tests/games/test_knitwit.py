"""The rules of Knit Wit: a test for each sentence of the rulebook, scenario and option."""

from random import Random
from typing import Any

import pytest

from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, IllegalAction, pick_action
from coursekit.core.match import Match
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.rules.lexicon import LINES
from coursekit.games.knitwit.rules.loop_design import loops_at, regions
from coursekit.games.knitwit.rules.options import COMMITS
from coursekit.games.knitwit.rules.placement import find_loops
from coursekit.games.knitwit.rules.state import (
    NO_TAG,
    NOBODY,
    OPEN,
    REJECTED,
    SHUFFLE,
    STRUCK,
    UPHELD,
)

TAGS = [
    place
    for place, tag in enumerate(KnitWit(2).pack.tags)
    if tag.en in ("red", "hot", "in-the-sky", "wooden")
]


def knitted(players=3, seed="1", **options):
    """Return a match whose knitting is done by random hands."""
    match, rng = Match(KnitWit(players, Options(**options)), seed), Random(seed)
    while match.state.phase in ("loop", "spool"):
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    return match


def writing(*sheets: dict[int, str], around: dict[int, int] | None = None, **options: Any) -> Match:
    """Return a match in which all write and each seat has written its sheet, as number -> answer.

    :param around: spool -> how many loops are around it; 1, 2 and 3 for spools 1 to 3 if left out.
    """
    depth = around or {1: 1, 2: 2, 3: 3}
    match = knitted(len(sheets), loops=len(depth), **options)
    state = match.state
    state.spools = tuple((number, x, y) for number, (_, x, y) in zip(depth, state.spools))
    state.around = tuple(tuple(range(loops)) for loops in depth.values())
    state.tags = tuple(TAGS * 2)[: len(state.tags)]
    match.play(state.starter, "go")
    for seat, sheet in enumerate(sheets):
        for number, text in sheet.items():
            match.play(seat, ("write", number, text))
    return match


def scoring(*sheets, stop=None, **options):
    """Return a match in which the first number is about to be turned up."""
    match = writing(*sheets, **options)
    for seat in stop or match.game.seats:
        if match.state.phase == "write" and not match.state.locked[seat]:
            match.play(seat, "stop")
    assert match.state.phase == "reveal"
    return match


def turn_all(match):
    """Turn up all numbers; nobody challenges, and what may be the same is voted different."""
    while match.state.phase not in ("over", "total"):
        match.play(TABLE, match.game.legal_actions(match.state, TABLE)[0])
        if match.state.phase == "vote":
            for seat in match.game.seats:
                match.play(seat, "yes")
    return match


def refused(match, seat, action):
    with pytest.raises(IllegalAction) as caught:
        match.play(seat, action)
    return caught.value.refusal.text


def without_buttons(match):
    return [points - taken for points, taken in zip(match.state.points, match.state.taken)]


# Setting up


@pytest.mark.parametrize(
    ("players", "loops", "buttons"),
    [
        (2, 6, [2]),
        (3, 6, [2, 1]),
        (4, 8, [3, 2, 1]),
        (5, 5, [4, 3, 2, 1]),
        (6, 6, [4, 3, 2, 1]),
        (8, 8, [4, 3, 2, 1]),
    ],
)
def test_each_player_gets_loops_and_spools_by_the_number_of_players(players, loops, buttons):
    state = Match(KnitWit(players), "1").state
    assert sum(map(len, state.hands)) == loops
    assert {len(hand) for hand in state.hands} == {loops // players}
    assert state.buttons == buttons[::-1]  # the most holes on top, that is last


def test_five_players_can_have_six_spools_for_which_the_starter_has_two_turns():
    state = Match(KnitWit(5, Options(setup_table="six")), "1").state
    assert sorted(map(len, state.hands)) == [1, 1, 1, 1, 2]
    assert len(state.hands[state.starter]) == 2


def test_the_numbers_of_pieces_can_be_chosen():
    state = Match(KnitWit(3, Options(loops=3, buttons=(1, 4, 2))), "1").state
    assert sum(map(len, state.hands)) == 3
    assert state.buttons == [1, 2, 4]


def test_the_owner_of_the_lowest_spool_begins():
    starters = set()
    for seed in range(30):
        state = Match(KnitWit(4), seed).state
        lowest = min(number for hand in state.hands for number in hand)
        assert lowest in state.hands[state.starter]
        assert state.turn == state.starter
        starters.add(state.starter)
    assert starters == {0, 1, 2, 3}


def test_spools_are_dealt_at_random_from_all_eight():
    dealt = {
        tuple(sorted(n for hand in Match(KnitWit(3), seed).state.hands for n in hand))
        for seed in range(20)
    }
    assert len(dealt) > 5
    assert all(
        len(set(numbers)) == 6 and set(numbers) <= set(range(1, LINES + 1)) for numbers in dealt
    )


def test_numbers_that_were_not_dealt_are_crossed_out_on_the_sheets():
    """「將這次沒有使用到的線軸編號對應的答案欄畫掉」"""
    match = knitted(3)
    dealt = match.game.numbers(match.state)
    match.play(match.state.starter, "go")
    for number in range(1, LINES + 1):
        assert (("write", number, "moon") in match.game.legal_actions(match.state, 0)) == (
            number in dealt
        )
    assert len(dealt) == 6


# Knitting


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_players_take_turns_clockwise_until_all_loops_and_spools_are_placed(players):
    match = knitted(players)
    turns = [seat for seat, action in match.log if action[0] == "loop"]
    assert len(turns) == match.game.setup.loops == len(match.state.loops) == len(match.state.spools)
    assert turns == [(match.state.starter + n) % players for n in range(len(turns))]
    assert match.state.owners == tuple(turns)
    assert match.state.phase == "ready"


def test_a_turn_is_a_loop_then_its_word_then_a_spool():
    match = Match(KnitWit(3), "1")
    seat, state = match.state.turn, match.state
    assert state.phase == "loop"
    assert refused(match, seat, ("spool", state.hands[seat][0], 120, 75)) == "refusal.not_a_loop"
    loop, pin = next(find_loops(match.game.design(state)))
    events = match.play(seat, ("loop", loop, pin))
    assert [event.text for event in events] == ["loop", "tag"]
    assert state.tags[0] == events[1].values["tag"]
    assert state.phase == "spool"
    assert refused(match, seat, ("loop", loop)) == "refusal.not_a_spool"
    events = match.play(
        seat, ("spool", state.hands[seat][0], *regions(match.game.design(state).loops)[0].middle)
    )
    assert [event.text for event in events] == ["spool"]
    assert state.turn == (seat + 1) % 3


def test_the_word_is_seen_only_after_the_loop_is_laid():
    match = Match(KnitWit(3), "1")
    before = match.game.observe(match.state, match.state.turn)
    assert before.tags == ()
    assert before.deck == 114


@pytest.mark.parametrize("players", [2, 5, 8])
def test_after_every_turn_as_many_spools_as_loops_lie_there_and_the_first_spool_is_in_the_first_loop(
    players,
):
    match, rng = Match(KnitWit(players), "1"), Random(1)
    while match.state.phase == "loop":
        for _ in range(2):
            seat = match.state.turn
            match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
        assert len(match.state.spools) == len(match.state.loops) == len(match.state.tags)
        assert match.state.around[0][0] == 0
        if len(match.state.spools) == 1:
            assert match.state.around == ((0,),)


def test_a_tap_is_a_stroke_of_one_point_and_makes_no_loop():
    match = Match(KnitWit(3), "1")
    assert refused(match, match.state.turn, ("loop", ((60, 40),))).startswith("refusal.loop.")
    assert not refused(match, match.state.turn, ("loop", ())).startswith("refusal.loop.")


def test_whoever_lays_a_loop_chooses_where_its_clothespin_is():
    match, square = Match(KnitWit(3), "1"), ((60, 40), (110, 40), (110, 90), (60, 90))
    assert refused(match, match.state.turn, ("loop", square, (85, 65))) == "refusal.loop.pin_off"
    match.play(match.state.turn, ("loop", square, (85, 40)))
    assert match.state.pins == ((85, 40),)
    match = Match(KnitWit(3), "1")
    match.play(match.state.turn, ("loop", square))  # or leaves it to the table: a corner
    assert tuple(match.state.pins[0]) in square


def test_the_first_loop_of_the_game_holds_no_spool_and_all_others_exactly_one():
    match = Match(KnitWit(3), "1")
    seat, square = match.state.turn, ((60, 40), (110, 40), (110, 90), (60, 90))
    match.play(seat, ("loop", square, (60, 40)))
    assert (
        refused(match, seat, ("spool", match.state.hands[seat][0], 20, 20))
        == "refusal.spool.outside"
    )
    assert refused(match, seat, ("spool", 99, 85, 65)) == "refusal.not_your_spool"
    match.play(seat, ("spool", match.state.hands[seat][0], 85, 65))
    seat = match.state.turn
    assert (
        refused(match, seat, ("loop", ((150, 40), (200, 40), (200, 90), (150, 90))))
        == "refusal.loop.no_spool"
    )
    assert (
        refused(match, seat, ("loop", ((50, 30), (120, 30), (120, 95), (50, 95))))
        == "refusal.loop.pin_inside"
    )
    match.play(seat, ("loop", ((70, 50), (180, 50), (180, 80), (70, 80))))
    number = match.state.hands[seat][0]
    assert refused(match, seat, ("spool", number, 95, 65)) == "refusal.spool.taken"
    match.play(seat, ("spool", number, 66, 46))  # into the old loop, not the new one
    assert match.state.around == ((0, 1), (0,))


@pytest.mark.parametrize("seed", range(5))
def test_a_later_loop_adds_its_word_to_exactly_one_earlier_spool(seed):
    match = knitted(4, seed)
    state, design = match.state, match.game.design(match.state)
    assert [tuple(loops) for loops in state.around] == [
        loops_at(design, (x, y)) for _, x, y in state.spools
    ]
    for loop in range(1, len(state.loops)):
        assert sum(loop in loops for loops in state.around[:loop]) == 1
    at_placement = sum(sum(loop <= n for loop in loops) for n, loops in enumerate(state.around))
    assert at_placement + len(state.loops) - 1 == sum(map(len, state.around))


def test_the_words_of_a_spool_are_those_of_all_loops_around_it():
    match = knitted(4)
    obs = match.game.observe(match.state, 0)
    for number, loops in zip([spool[0] for spool in obs.spools], obs.around):
        assert obs.words(number) == tuple(obs.tags[loop] for loop in loops)


def test_tags_can_be_clipped_after_all_is_laid():
    match = Match(KnitWit(3, Options(words_last=True)), "1")
    rng = Random(1)
    while match.state.phase in ("loop", "spool"):
        assert set(match.state.tags) <= {NO_TAG}
        seat = match.state.turn
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    assert len(set(match.state.tags) - {NO_TAG}) == 6


def test_the_shuffle_tag_has_all_tags_that_are_not_on_the_table_shuffled():
    match = Match(KnitWit(3, Options(shuffle_tag=True)), "1")
    state = match.state
    state.deck.remove(SHUFFLE)
    state.used = [state.deck.pop() for _ in range(50)]
    state.deck.append(SHUFFLE)
    events = match.play(state.turn, ("loop", *next(find_loops(match.game.design(state)))))
    assert [event.text for event in events] == ["loop", "shuffle", "tag"]
    assert state.used == []
    assert sorted(state.deck) == sorted({SHUFFLE, *range(114)} - set(state.tags))


def test_used_tags_come_back_when_the_deck_is_empty():
    match = Match(KnitWit(3), "1")
    match.state.used, match.state.deck = match.state.deck, []
    events = match.play(
        match.state.turn, ("loop", *next(find_loops(match.game.design(match.state))))
    )
    assert [event.text for event in events] == ["loop", "shuffle", "tag"]
    assert len(match.state.deck) == 113


# Answering


def test_the_starter_says_go():
    match = knitted(3)
    starter = match.state.starter
    assert match.game.to_act(match.state) == (starter,)
    assert refused(match, starter, ("write", 1, "moon")) == "refusal.unknown"
    match.play(starter, "go")
    assert match.game.to_act(match.state) == (0, 1, 2)


def test_there_is_one_line_for_each_spool_in_play():
    match = writing({}, {}, around={2: 1, 5: 1})
    assert refused(match, 0, ("write", 1, "moon")) == "refusal.no_line"
    match.play(0, ("write", 5, "moon"))


@pytest.mark.parametrize(
    "answer", ["月", "孫悟空", "月亮上的兔子", "Ang Lee", "a cup of tea", "101"]
)
def test_an_answer_is_a_word_a_name_or_a_phrase(answer):
    """「一個好的答案可以是一個字、名字、一個詞」"""
    match = scoring({1: answer}, {}, {})
    turn_all(match)
    assert without_buttons(match) == [1, 0, 0]


def test_a_spool_inside_three_loops_asks_for_an_answer_that_fits_three_tags():
    """The rulebook's example: 「如果2號線軸同時被三個繩圈所圍繞…」, and what its answers are worth."""
    match = scoring({2: "電視"}, {2: "电视"}, {2: "radio"}, around={1: 1, 2: 3, 3: 2})
    assert len(match.game.observe(match.state, 0).words(2)) == 3
    assert without_buttons(turn_all(match)) == [0, 0, 3]


def test_an_answer_can_be_changed_and_rubbed_out_until_one_stops():
    match = writing({1: "moon"}, {}, {})
    match.play(0, ("write", 1, "sun"))
    match.play(0, ("write", 1, ""))
    assert match.state.sheets[0][0] == ""
    match.play(0, "stop")
    assert refused(match, 0, ("write", 1, "moon")) == "refusal.locked"


def test_a_line_can_be_written_so_often_only():
    match = writing({}, {}, {})
    for _ in range(COMMITS):
        match.play(0, ("write", 1, "moon"))
    assert refused(match, 0, ("write", 1, "sun")) == "refusal.line_full"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("red apple", "refusal.tag_word"),
        ("紅色", "refusal.tag_word"),
        ("熱", "refusal.tag_word"),
        ("the Skies", "refusal.tag_word"),
        ("Moon!", "refusal.own_twice"),
        ("…", "refusal.answer_empty"),
        ("\u200b", "refusal.answer_unseen"),
        ("\u0301", "refusal.answer_unseen"),
        ("\u3164 \u2800", "refusal.answer_unseen"),
        ("a\nb", "refusal.answer_strange"),
        ("\ud800", "refusal.answer_strange"),
        ("x" * 31, "refusal.answer_long"),
        (7, "refusal.not_text"),
    ],
)
def test_what_cannot_be_an_answer(answer, reason):
    """「不可以使用與類別字卡上重複的文字，自己答案紙上的答案也不可有重複」"""
    match = writing({2: "the moon"}, {}, {}, around={1: 1, 2: 2, 3: 3, 4: 4})
    assert refused(match, 0, ("write", 1, answer)) == reason


def test_whoever_writes_the_same_twice_is_told_what_stands_on_the_other_line():
    match = writing({2: "the moon"}, {}, {})
    with pytest.raises(IllegalAction) as caught:
        match.play(0, ("write", 1, "Moons"))
    assert caught.value.refusal.values == {"number": 2, "answer": "the moon"}


def test_the_same_word_may_be_written_again_on_its_own_line():
    match = writing({2: "moon"}, {}, {})
    match.play(0, ("write", 2, "Moon"))


def test_words_of_tags_elsewhere_can_be_allowed():
    # Around spool 1 is only the first tag, red.
    for scope, allowed in (("all", False), ("spool", True)):
        match = writing({}, {}, {}, around={1: 1, 2: 2, 3: 3, 4: 4}, ban_scope=scope)
        assert (("write", 1, "hot") in match.game.legal_actions(match.state, 0)) == allowed
        assert ("write", 1, "red") not in match.game.legal_actions(match.state, 0)


def test_shared_characters_can_be_forbidden():
    for how, allowed in (("word", True), ("char", False)):
        match = writing({}, {}, {}, around={1: 1, 2: 2, 3: 3, 4: 4}, ban_match=how)
        assert (("write", 1, "熱狗") in match.game.legal_actions(match.state, 0)) == allowed


def test_markup_is_only_an_answer():
    match = scoring({1: "<b>{seat}</b>"}, {}, {})
    assert match.play(TABLE, "next")[1].values["answer"] == "<b>{seat}</b>"


def test_who_stops_takes_the_button_with_the_most_holes_that_is_left():
    match = writing({}, {}, {}, {})
    for seat in (2, 0, 3):
        match.play(seat, "stop")
    assert match.state.taken == [2, 0, 3, 1]


def test_one_may_stop_with_blank_lines():
    match = writing({1: "moon"}, {}, {})
    match.play(0, "stop")
    assert match.state.taken[0] == 2


def test_when_the_last_button_is_taken_everybody_else_stops_at_that_instant():
    match = writing({}, {}, {}, {})
    for seat in (0, 1, 2):
        match.play(seat, "stop")
    assert match.state.phase == "reveal"
    assert (
        refused(match, 3, ("write", 1, "moon"))
        == refused(match, 3, "stop")
        == "refusal.pencils_down"
    )
    assert match.state.taken == [3, 2, 1, 0]


def test_with_enough_buttons_writing_ends_when_all_have_stopped():
    match = writing({}, {}, buttons=(1, 2, 3))
    match.play(0, "stop")
    match.play(1, "stop")
    assert match.state.phase == "reveal"


def test_the_table_says_that_time_is_up_only_if_there_is_a_limit():
    assert refused(writing({}, {}, {}), TABLE, "time") == "refusal.not_your_turn"
    match = writing({}, {}, {}, answer_time_limit=60)
    match.play(TABLE, "time")
    assert match.state.phase == "reveal"
    assert match.state.taken == [0, 0, 0]


# Two players


def test_of_two_players_the_other_may_write_one_more_answer_on_a_blank_line():
    match = writing({1: "moon"}, {1: "sun"})
    match.play(0, "stop")
    assert match.state.taken == [2, 0]
    assert match.state.phase == "write"
    assert refused(match, 1, ("write", 1, "star")) == "refusal.only_blank"
    assert refused(match, 1, ("write", 2, "")) == "refusal.still_blank"
    match.play(1, ("write", 2, "star"))
    assert match.state.phase == "reveal"
    assert match.state.sheets[1][:3] == ["sun", "star", ""]


def test_of_two_players_the_other_may_stop_without_another_answer():
    match = writing({}, {})
    match.play(0, "stop")
    match.play(1, "stop")
    assert match.state.phase == "reveal"
    assert match.state.taken == [2, 0]


def test_of_two_players_only_the_first_to_stop_has_a_button():
    match = writing({1: "moon", 2: "sun"}, {1: "star"})
    match.play(0, "stop")
    match.play(1, ("write", 3, "comet"))
    assert refused(match, 1, ("write", 2, "planet")) == "refusal.pencils_down"
    assert turn_all(match).state.points == [1 + 2 + 2, 1 + 3]


@pytest.mark.parametrize("extra", [0, 2])
def test_how_many_more_answers_is_an_option(extra):
    match = writing({}, {}, two_player_extra=extra)
    match.play(0, "stop")
    for number in range(1, extra + 1):
        match.play(1, ("write", number, f"star {number}"))
    assert match.state.phase == "reveal"


def test_what_the_second_still_writes_has_a_time_of_its_own():
    for options, seconds in (
        ({}, 60),
        ({"extra_seconds": 0}, 0),
        ({"extra_seconds": 0, "answer_time_limit": 90}, 90),
    ):
        match = writing({}, {}, **options)
        assert (TABLE in match.game.to_act(match.state)) == ("answer_time_limit" in options)
        match.play(0, "stop")
        assert match.game.seconds(match.state) == seconds
        assert (TABLE in match.game.to_act(match.state)) == (seconds > 0)
    match.play(TABLE, "time")
    assert match.state.phase == "reveal"


# Scoring


def test_an_answer_is_worth_the_loops_around_its_spool():
    match = turn_all(scoring({1: "a", 2: "b", 3: "c"}, {1: "d"}, {}, stop=[1, 2]))
    assert match.state.points == [6, 1 + 2, 1]


def test_the_worked_total():
    match = turn_all(scoring({1: "moon", 2: "sun", 3: "star"}, {}, {}, {}))
    assert match.state.points[0] == 1 + 2 + 3 + 3


def test_the_same_answers_for_a_number_are_worth_nothing():
    match = turn_all(scoring({3: "電視"}, {3: "电视"}, {3: "radio"}))
    assert without_buttons(match) == [0, 0, 3]


@pytest.mark.parametrize(
    ("one", "other"), [("TV ", "ｔｖ"), ("The movies", "movie"), ("臺灣", "台灣")]
)
def test_the_same_answer_written_otherwise_is_the_same(one, other):
    match = turn_all(scoring({2: one}, {2: other}, {}))
    assert without_buttons(match) == [0, 0, 0]


def test_the_same_answer_for_another_number_is_no_clash():
    match = turn_all(scoring({1: "moon"}, {3: "moon"}, {}))
    assert without_buttons(match) == [1, 3, 0]


def test_numbers_are_turned_up_in_ascending_order_one_by_one():
    match = scoring({1: "moon", 3: "sun"}, {}, {})
    seen = match.game.observe(match.state, 1)
    assert set(seen.answers[0]) == {""}
    assert refused(match, TABLE, "vote") == "refusal.table"
    match.play(TABLE, "next")
    assert match.game.observe(match.state, 1).answers[0][:3] == ("moon", "", "")
    match.play(TABLE, "next")
    match.play(TABLE, "next")
    assert match.game.observe(match.state, None).answers[0][:3] == ("moon", "", "sun")


def test_the_most_points_win_and_ties_are_shared():
    match = turn_all(scoring({2: "moon"}, {3: "sun"}, {}, stop=[0, 1]))
    assert match.state.points == [2 + 2, 3 + 1, 0]
    assert match.game.winners(match.state) == (0, 1)
    assert match.over


def test_two_of_three_share_the_victory():
    match = scoring({1: "moon"}, {1: "star"}, {}, around={1: 3})
    match.state.points, match.state.taken = [11, 11, 9], [0, 0, 0]
    assert turn_all(match).state.points == [14, 14, 9]
    assert match.game.winners(match.state) == (0, 1)


def test_several_rounds_add_their_points():
    match = turn_all(scoring({1: "moon"}, {}, {}, rounds=2))
    before, tags = list(match.state.points), set(match.state.tags)
    assert match.state.phase == "total"
    match.play(TABLE, "next")
    assert match.state.phase == "loop"
    assert match.state.round == 2
    assert match.state.points == before
    assert set(match.state.used) == tags
    assert match.state.loops == ()


# Answers that may be the same


def doubted(*answers, **options):
    match = scoring(*({3: answer} for answer in answers), **options)
    for _ in range(3):
        match.play(TABLE, "next")
    return match


def test_what_may_be_the_same_is_put_to_the_vote():
    match = doubted("電視", "電視機", "radio")
    assert match.state.doubts == [[0, 1]]
    assert refused(match, TABLE, "next") == "refusal.table"
    match.play(TABLE, "vote")
    for seat, vote in ((0, "yes"), (1, "no"), (2, "no")):
        match.play(seat, vote)
    events = match.play(TABLE, "close")
    assert events[0].text == "closed.same"
    assert [sheet[2] for sheet in match.state.verdicts] == [STRUCK, STRUCK, OPEN]


def test_half_of_the_votes_let_both_answers_count():
    match = doubted("電視", "電視機", "radio", "")
    match.play(TABLE, "vote")
    for seat in (0, 1):
        match.play(seat, "yes")
    assert match.play(TABLE, "close")[0].text == "closed.different"
    match.play(TABLE, "next")
    assert without_buttons(match)[:3] == [3, 3, 3]


@pytest.mark.parametrize(("fuzzy", "points"), [("off", [3, 3, 3]), ("auto", [0, 0, 3])])
def test_doubts_can_be_settled_without_a_vote(fuzzy, points):
    assert without_buttons(turn_all(doubted("電視", "電視機", "radio", fuzzy_dup=fuzzy))) == points


def test_words_that_are_called_otherwise_elsewhere_are_doubted():
    assert doubted("計程車", "出租车", "").state.doubts == [[0, 1]]


def test_an_answer_that_is_struck_is_compared_all_the_same():
    match = doubted("電視", "電視", "電視機")
    assert match.state.doubts == [[0, 1, 2]]
    assert [sheet[2] for sheet in match.state.verdicts] == [STRUCK, STRUCK, OPEN]


def voted(match, votes):
    """Open the vote, let all vote "yes" or "no", and return what was told when it was closed."""
    match.play(TABLE, "vote")
    for seat, vote in votes.items():
        match.play(seat, vote)
    return [event.text for event in match.play(TABLE, "close")]


def test_nobody_rescues_an_answer_by_challenging_its_twin():
    """Compared first means compared first: a challenge waits until it is settled what is the same."""
    match = doubted("電視", "電視機", "radio")
    assert refused(match, 2, ("challenge", 0)) == "refusal.challenge_doubt"
    assert match.game.to_act(match.state) == (TABLE,)
    assert voted(match, dict.fromkeys(range(3), "no")) == ["closed.same"]
    assert refused(match, 0, ("challenge", 1)) == "refusal.challenge_struck"
    match.play(0, ("challenge", 2))


@pytest.mark.parametrize(
    ("votes", "kind"),
    [
        ({0: "yes", 1: "yes"}, "different"),
        ({0: "yes", 1: "no"}, "same"),
        ({0: "yes"}, "same"),
    ],
)
@pytest.mark.parametrize("of", ["players", "votes"])
def test_two_players_have_to_agree_that_their_answers_are_different(votes, kind, of):
    match = doubted("電視", "電視機", vote_of=of)
    assert voted(match, votes) == [f"closed.{kind}"]


def test_answers_of_which_every_two_may_be_the_same_are_one_vote():
    match = doubted("電視", "電視機", "電視機上盒", "radio")
    assert match.state.doubts == [[0, 1, 2]]
    assert voted(match, dict.fromkeys(range(4), "no")) == ["closed.same"]
    assert [sheet[2] for sheet in match.state.verdicts] == [STRUCK, STRUCK, STRUCK, OPEN]


def test_answers_that_only_a_third_one_joins_are_voted_about_by_themselves():
    match = doubted("蘋果汁", "蘋果", "蘋果樹")
    assert match.state.doubts == [[0, 1], [1, 2]]
    assert voted(match, dict.fromkeys(range(3), "no")) == ["closed.same", "doubt"]
    assert voted(match, dict.fromkeys(range(3), "yes")) == ["closed.different"]
    assert [sheet[2] for sheet in match.state.verdicts] == [STRUCK, STRUCK, OPEN]


def test_what_a_vote_has_settled_is_in_no_later_doubt():
    match = doubted("蘋果", "蘋果樹", "大蘋果樹", "蘋果樹苗")
    assert match.state.doubts == [[0, 1, 2], [0, 1, 3]]
    assert voted(match, dict.fromkeys(range(4), "yes")) == ["closed.different", "doubt"]
    assert match.state.doubts == [[0, 3], [1, 3]]  # that 0 and 1 differ is settled
    assert voted(match, dict.fromkeys(range(4), "no")) == ["closed.same", "doubt"]
    assert match.state.doubts == [[1, 3]]


def test_a_doubt_about_answers_that_are_struck_already_is_dropped():
    match = doubted("蘋果汁", "蘋果", "蘋果樹", "綠蘋果樹", "綠蘋果")
    voted(match, dict.fromkeys(range(5), "no"))
    while match.state.doubts:
        voted(match, dict.fromkeys(range(5), "no"))
        assert all(
            any(match.state.verdicts[seat][2] == OPEN for seat in seats)
            for seats in match.state.doubts
        )
    assert {sheet[2] for sheet in match.state.verdicts} == {STRUCK}


def test_without_a_vote_all_that_may_be_the_same_is_struck_at_once():
    match = scoring({1: "蘋果汁"}, {1: "蘋果"}, {1: "蘋果樹"}, {1: "radio"}, fuzzy_dup="auto")
    clashes = [
        event.values["seats"] for event in match.play(TABLE, "next") if event.text == "clash"
    ]
    assert clashes == [[0, 1, 2]]


# Challenges


def challenged(players=4, challenger=1, **options):
    match = scoring({1: "moon"}, *[{}] * (players - 1), **options)
    match.play(TABLE, "next")
    match.play(challenger, ("challenge", 0))
    return match


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ({0: "yes", 1: "no", 2: "no", 3: "yes"}, UPHELD),  # half is enough
        ({0: "yes", 1: "no", 2: "no", 3: "no"}, REJECTED),
        ({0: "yes"}, REJECTED),  # who does not vote is not in favour
        ({0: "yes", 2: "yes"}, UPHELD),
    ],
)
def test_at_least_half_of_all_players_in_favour_let_an_answer_count(votes, verdict):
    match = challenged()
    assert match.game.to_act(match.state) == (TABLE,)
    match.play(TABLE, "vote")
    for seat, vote in votes.items():
        match.play(seat, vote)
    match.play(TABLE, "close")
    assert match.state.verdicts[0][0] == verdict
    assert match.state.phase == "reveal"
    assert match.state.challenger == NOBODY
    turn_all(match)
    assert without_buttons(match)[0] == (verdict == UPHELD)


def test_the_challenged_has_ten_seconds_to_explain():
    match = scoring({1: "moon"}, {}, {})
    match.play(TABLE, "next")
    assert match.play(1, ("challenge", 0))[1].values == {"seat": 0, "seconds": 10}


def test_a_vote_is_secret_until_it_is_closed():
    match = challenged()
    match.play(TABLE, "vote")
    match.play(2, "yes")
    seen = match.game.observe(match.state, 1)
    assert seen.voted == (0, 0, 1, 0)
    assert (seen.vote, seen.tally) == (-1, ())
    assert match.game.observe(match.state, 2).vote == 1
    match.play(TABLE, "close")
    assert match.game.observe(match.state, 1).tally == (1, 0)


@pytest.mark.parametrize(
    ("options", "votes", "verdict"),
    [
        ({"challenged_votes": False}, {1: "no", 2: "yes", 3: "no"}, REJECTED),
        ({"challenged_votes": False}, {2: "yes", 3: "yes"}, UPHELD),
        ({"vote_of": "votes"}, {0: "yes"}, UPHELD),
        ({"vote_of": "votes"}, {0: "yes", 1: "no", 2: "no"}, REJECTED),
        ({"vote_threshold": 51}, {0: "yes", 1: "no", 2: "no", 3: "yes"}, REJECTED),
        ({"vote_threshold": 100}, {0: "yes", 1: "yes", 2: "yes", 3: "yes"}, UPHELD),
    ],
)
def test_who_votes_and_how_many_are_needed_are_options(options, votes, verdict):
    match = challenged(**options)
    match.play(TABLE, "vote")
    if not options.get("challenged_votes", True):
        assert 0 not in match.game.to_act(match.state)
    for seat, vote in votes.items():
        match.play(seat, vote)
    match.play(TABLE, "close")
    assert match.state.verdicts[0][0] == verdict


def test_a_vote_is_closed_only_after_somebody_has_voted():
    match = challenged()
    match.play(TABLE, "vote")
    assert refused(match, TABLE, "close") == "refusal.not_your_turn"
    match.play(3, "no")
    match.play(TABLE, "close")
    assert match.state.tally == [0, 1]


def test_an_answer_is_voted_about_once():
    match = challenged()
    match.play(TABLE, "vote")
    for seat in match.game.seats:
        match.play(seat, "yes")
    match.play(TABLE, "close")
    assert match.game.to_act(match.state) == (TABLE,)
    assert refused(match, 2, ("challenge", 0)) == "refusal.not_your_turn"


def test_what_cannot_be_challenged():
    match = scoring({1: "moon"}, {1: "moon"}, {1: "sun"}, {1: "star"})
    match.play(TABLE, "next")
    assert refused(match, 2, ("challenge", 2)) == "refusal.challenge_own"
    assert refused(match, 2, ("challenge", 0)) == "refusal.challenge_struck"
    assert refused(match, 2, ("challenge", 9)) == "refusal.no_seat"
    match = scoring({1: "moon"}, {}, {1: "sun"})
    match.play(TABLE, "next")
    assert refused(match, 0, ("challenge", 1)) == "refusal.challenge_blank"


def test_same_answers_all_die_unless_challenges_come_first():
    match = scoring({1: "moon"}, {1: "moon"}, {}, order="challenge_first")
    match.play(TABLE, "next")
    assert [sheet[0] for sheet in match.state.verdicts] == [OPEN, OPEN, OPEN]
    match.play(2, ("challenge", 0))
    match.play(TABLE, "vote")
    for seat in match.game.seats:
        match.play(seat, "no")
    match.play(TABLE, "close")
    assert refused(match, TABLE, "next") == "refusal.table"
    match.play(TABLE, "compare")
    assert [sheet[0] for sheet in match.state.verdicts] == [REJECTED, OPEN, OPEN]
    assert without_buttons(turn_all(match)) == [0, 1, 0]


@pytest.mark.parametrize(("decision", "points"), [("keep", 1), ("withdraw", 0)])
def test_of_two_players_the_challenged_decides_after_the_talk(decision, points):
    match = challenged(2)
    assert match.game.to_act(match.state) == (0,)
    assert refused(match, 0, "yes") == "refusal.no_vote"
    match.play(0, decision)
    turn_all(match)
    assert without_buttons(match)[0] == points


def test_two_players_can_vote_or_do_without_challenges():
    assert challenged(2, two_player_challenge="vote").state.phase == "defend"
    match = scoring({1: "moon"}, {}, two_player_challenge="off")
    match.play(TABLE, "next")
    assert match.game.to_act(match.state) == (TABLE,)


def test_if_two_players_vote_the_challenged_has_half_of_the_votes():
    match = challenged(2, two_player_challenge="vote")
    match.play(TABLE, "vote")
    match.play(0, "yes")
    match.play(1, "no")
    match.play(TABLE, "close")
    assert match.state.verdicts[0][0] == UPHELD
    match = challenged(2, two_player_challenge="vote", challenged_votes=False)
    match.play(TABLE, "vote")
    match.play(1, "no")
    match.play(TABLE, "close")
    assert match.state.verdicts[0][0] == REJECTED


# What is hidden


def test_the_own_sheet_is_private_and_so_is_how_many_lines_others_have_filled():
    match = writing({1: "moon"}, {}, {})
    before = match.game.observe(match.state, 1)
    match.play(0, ("write", 2, "sun"))
    assert match.game.observe(match.state, 1) == before
    assert match.game.observe(match.state, None).sheet == ()
    assert match.game.observe(match.state, 0).sheet[:2] == ("moon", "sun")


def test_that_a_button_is_gone_is_seen_by_all():
    match = writing({}, {}, {})
    match.play(0, "stop")
    assert match.game.observe(match.state, None).taken == (2, 0, 0)


# Options


@pytest.mark.parametrize(
    "wrong", [{"loops": 9}, {"buttons": ()}, {"perimeter_limit": 20}, {"words": "nobody's"}]
)
def test_options_that_make_no_game_are_refused(wrong):
    with pytest.raises(OptionError):
        KnitWit(3, Options(**wrong))


def test_regions_apart_may_hold_spools_inside_the_same_loops_unless_the_option_says_no():
    for seed in range(3):
        labels = knitted(4, seed, region_rule="loops").state.around
        assert len({tuple(each) for each in labels}) == len(labels)
