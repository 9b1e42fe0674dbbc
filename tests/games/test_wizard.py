"""The rules of Wizard: every sentence of the rulebook, every scenario and option of
rules/wizard.md.

Cards are written as in :mod:`wizard_oracle`: ``R7`` is the red seven (a dwarf), ``B`` humans, ``G``
elves, ``Y`` giants, ``Z`` a Wizard, ``N`` a Jester.
"""

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import astuple
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
import wizard_oracle as oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from wizard_letters import COLOURS, cards, letters, named, suit

from coursekit.core.chance import pick, random_below, shuffle, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, IllegalAction
from coursekit.core.match import Match, Record, replay
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.cards import (
    NO_SUIT,
    NOTHING,
    SUIT,
    is_jester,
    is_wizard,
    led_suit,
    winner,
)
from coursekit.games.wizard.rules.game import MY_CARD, NEXT_ROUND, REBIDS
from coursekit.games.wizard.rules.state import SEALED, State
from coursekit.words.texts import LANGUAGES

EXAMPLE = Path(__file__).parents[1] / "records" / "wizard-rulebook-example.json"


def all_cards(hands: list[tuple[int, ...]]) -> list[int]:
    return [card for hand in hands for card in hand]


def rig(
    game: Wizard, hands: list[str], trump: str = "", trick: str = "", bids: list[int] | None = None
) -> State:
    """Return the state at the start of a round's play with these *hands*, seat 0 to play.

    *trick* are cards that lie there already, played by the seats before seat 0.
    """
    state = game.initial_state(stream("rig", "chance"))
    pool = cards(" ".join([*hands, trick]))
    state.hands, lying = [], pool[len(" ".join(hands).split()) :]
    for hand in hands:
        state.hands.append(tuple(sorted(pool[: len(hand.split())])))
        pool = pool[len(hand.split()) :]
    held = [card for hand in state.hands for card in hand]
    state.trick, state.undealt = (
        tuple(lying),
        [card for card in game.deck if card not in (*held, *lying)],
    )
    state.size, state.turned, state.trump = len(state.hands[0]), NOTHING, suit(trump)
    state.phase, state.turn, state.dealer = "play", 0, -1 % game.players
    state.bids = tuple(bids or [0] * game.players)
    return state


def match_where(game: Wizard, condition: Callable[[State], bool]) -> Match:
    """Return the match of the first seed whose deal meets *condition*."""
    return next(match for seed in range(5000) if condition((match := Match(game, seed)).state))


def play_until(match: Match, phase: str, rng: Random | None = None) -> Match:
    """Play *match* at random until it is in *phase*, and return it."""
    rng = rng or stream(match.seed, "test")
    while match.state.phase != phase:
        seat = pick(rng, match.game.to_act(match.state))
        match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))
    return match


def bid(match: Match, *bids: int) -> None:
    """Make the *bids* of a round, in the order in which the seats are asked."""
    for each in bids:
        match.play(match.game.to_act(match.state)[0], each)


def why_not(match: Match, seat: int, action: Any) -> str:
    """Return the text id of the refusal of *action*, which has to be refused."""
    before = repr(match.state)
    with pytest.raises(IllegalAction) as refused:
        match.play(seat, action)
    assert repr(match.state) == before
    assert all(refused.value.sentence(language) for language in LANGUAGES)
    return refused.value.refusal.text


# 游戏组件, 魔法卡牌: what there is


@pytest.mark.parametrize("players", [2, 7, 0, -3, "3", 3.0, True, None])
def test_three_to_six_play(players):
    with pytest.raises(
        OptionError, match=r"the number of players cannot be .*; allowed: 3, 4, 5, 6"
    ):
        Wizard(players)


def test_sixty_cards_of_four_colours_from_1_to_13_with_four_wizards_and_four_jesters():
    names = (
        [f"{colour}{rank}" for colour in COLOURS for rank in range(1, 14)] + 4 * ["Z"] + 4 * ["N"]
    )
    deck = Wizard(3).deck
    assert sorted(deck) == sorted(cards(" ".join(names)))
    assert len(set(deck)) == 60


def test_13_is_the_strongest_of_a_colour_and_1_the_weakest():
    for colour in COLOURS:
        ranks = cards(" ".join(f"{colour}{rank}" for rank in range(1, 14)))
        for low, high in pairwise(ranks):
            assert winner([low, high], NOTHING) == 1
            assert winner([high, low], NOTHING) == 0


@pytest.mark.parametrize("trump", ["", *COLOURS])
def test_a_wizard_beats_every_13(trump):
    assert winner(cards("B13 G13 R13 Y13 Z"), suit(trump)) == 4


@pytest.mark.parametrize("trump", ["", *COLOURS])
def test_a_jester_is_weaker_than_a_1_and_never_trump(trump):
    for one in ("B1", "G1", "R1", "Y1"):
        assert winner(cards(f"N {one} N"), suit(trump)) == 1
        assert winner(cards(f"{one} N N"), suit(trump)) == 0


# 发牌阶段: the deal


def test_round_by_round_one_card_more_until_all_are_dealt():
    match = Match(Wizard(4), 1)
    sizes = []
    for _ in range(15):
        state = match.state
        assert [len(hand) for hand in state.hands] == [state.size] * 4
        sizes.append(state.size)
        left = 60 - 4 * state.size
        assert len(state.undealt) + (state.turned != NOTHING) == left  # "a pile in the middle"
        play_until(match, "scored" if len(sizes) < 15 else "over")
        if not match.over:
            match.play(TABLE, NEXT_ROUND)
    assert sizes == [*range(1, 16)]


@pytest.mark.parametrize(("players", "rounds"), [(6, 10), (5, 12), (4, 15), (3, 20)])
def test_six_players_play_10_rounds_five_12_four_15_three_20(players, rounds):
    match = play_until(Match(Wizard(players), 2), "over")
    assert match.state.round == rounds == 60 // players
    assert [event.text for events in match.events for event in events].count("trick") == rounds * (
        rounds + 1
    ) // 2


def test_the_deal_passes_clockwise():  # S4
    match = Match(Wizard(3, Options(first_dealer=2)), 3)
    for dealer in (2, 0, 1, 2, 0, 1):
        assert match.state.dealer == dealer
        play_until(match, "bid")
        assert match.game.to_act(match.state) == ((dealer + 1) % 3,)  # who predicts first
        play_until(match, "play")
        assert match.game.to_act(match.state) == ((dealer + 1) % 3,)  # who leads first
        play_until(match, "scored").play(TABLE, NEXT_ROUND)


def test_all_cards_are_shuffled_again_each_round():
    match = play_until(Match(Wizard(3), 4), "scored")
    before = match.state.undealt
    match.play(TABLE, NEXT_ROUND)
    state = match.state
    assert sorted([*all_cards(state.hands), *state.undealt, state.turned]) == sorted(
        match.game.deck
    )
    assert state.undealt[:20] != before[:20]


def test_nobody_chooses_the_first_dealer_by_default_but_chance():
    assert {Match(Wizard(4), seed).state.dealer for seed in range(40)} == {0, 1, 2, 3}


# 王牌: trump


def test_the_card_turned_up_makes_its_colour_trump():
    for seed in range(30):
        state = Match(Wizard(3), seed).state
        if SUIT[state.turned] != NO_SUIT:
            assert state.trump == SUIT[state.turned]
            assert state.phase == "bid"


def test_a_jester_turned_up_means_no_trump():  # S1
    match = match_where(Wizard(4, Options(rounds=(7,))), lambda state: is_jester(state.turned))
    assert (match.state.trump, match.state.phase) == (NOTHING, "bid")


def test_a_wizard_turned_up_lets_the_dealer_name_the_trump():  # S2
    match = match_where(Wizard(4), lambda state: is_wizard(state.turned))
    dealer = match.state.dealer
    assert match.game.to_act(match.state) == (dealer,)
    assert match.game.legal_actions(match.state, dealer) == (0, 1, 2, 3)
    assert why_not(match, dealer, NOTHING) == "refusal.trump"  # "no trump" is no choice (A5)
    assert why_not(match, (dealer + 1) % 4, 0) == "refusal.not_your_turn"  # nobody predicts before
    match.play(dealer, 2)
    assert match.game.observe(match.state, None).trump == 2
    assert match.game.to_act(match.state) == ((dealer + 1) % 4,)


def test_the_dealer_may_look_at_the_hand_before_naming_the_trump():
    match = match_where(Wizard(4), lambda state: is_wizard(state.turned))
    dealer = match.state.dealer
    assert match.game.observe(match.state, dealer).hand == tuple(match.state.hands[dealer])


def test_the_last_round_has_no_trump():  # S3
    match = Match(Wizard(6), 5)
    while match.state.round < 10:
        play_until(match, "scored").play(TABLE, NEXT_ROUND)
    assert (match.state.turned, match.state.trump, match.state.undealt) == (NOTHING, NOTHING, [])
    assert "trump.none_left" in [event.text for event in match.events[-1]]


# 巫师的预测: the prediction


def test_all_predict_in_turn_from_the_dealers_left_and_everybody_hears_it():
    match = Match(Wizard(4, Options(first_dealer=1, rounds=(5,))), 7)
    play_until(match, "bid")
    for number, seat in enumerate((2, 3, 0, 1)):
        assert match.game.to_act(match.state) == (seat,)
        match.play(seat, number)
        for each in (*match.game.seats, None):
            assert match.game.observe(match.state, each).bids[seat] == number
        assert match.story(None)[-1].text == "bid.open"


@pytest.mark.parametrize("wrong", [4, -1, 99, -99])
def test_a_prediction_is_from_none_to_all_tricks(wrong):  # S5
    match = match_where(
        Wizard(3, Options(rounds=(3,), first_dealer=0)), lambda state: state.phase == "bid"
    )
    assert match.game.legal_actions(match.state, 1) == (0, 1, 2, 3)
    assert why_not(match, 1, wrong) == "refusal.bid"
    assert why_not(match, 2, 1) == "refusal.not_your_turn"
    assert why_not(match, TABLE, 1) == "refusal.not_your_turn"


def test_predictions_and_tricks_won_stay_before_everybody_while_playing():
    match = play_until(Match(Wizard(4, Options(rounds=(4,))), 28), "play")
    while not match.over:
        for each in (*match.game.seats, None):
            seen = match.game.observe(match.state, each)
            assert (seen.bids, seen.won) == (tuple(match.state.bids), tuple(match.state.won))
            assert seen.undealt == 60 - 16 - 1
        seat = match.game.to_act(match.state)[0]
        match.play(seat, match.game.legal_actions(match.state, seat)[0])


# 争夺巫师纹章: the tricks


def test_the_dealers_left_leads_and_the_others_follow_clockwise():
    match = play_until(Match(Wizard(5, Options(first_dealer=3)), 8), "play")
    for seat in (4, 0, 1, 2, 3):
        assert match.game.to_act(match.state) == (seat,)
        match.play(seat, match.state.hands[seat][0])


FOLLOWING = {
    # 9.3: hand, trick so far, what may be played
    "L1": ("G3 R9 Z N", "G10", "G3 Z N"),
    "L2": ("R9 Z N", "G10", "R9 Z N"),
    "L3": ("G3 R9", "N", "G3 R9"),
    "L6": ("R3 G9 Z", "R5", "R3 Z"),
}


@pytest.mark.parametrize("name", FOLLOWING)
def test_legal_plays_of_the_specification(name):
    hand, trick, legal = FOLLOWING[name]
    assert may_play(hand, trick, trump="R") == set(legal.split())


def may_play(hand: str, trick: str, trump: str = "", **options: Any) -> set[str]:
    """Return what a seat may play from *hand*, and check that every refusal agrees."""
    game = Wizard(4, Options(**options))
    state = rig(game, [hand, "", "", ""], trump=trump, trick=trick)
    legal = game.legal_actions(state, 0)
    for card in game.deck:
        assert (game.refusal(state, 0, card) is None) == (card in legal)
    return named(legal)


def test_the_colour_led_has_to_be_followed():
    assert may_play("G3 G8 R9 B1", "G10", trump="R") == {"G3", "G8"}


def test_who_cannot_follow_plays_trump_or_throws_off_any_other_colour():
    assert may_play("R3 R9 B1 Y4", "G10", trump="R") == {"R3", "R9", "B1", "Y4"}


def test_a_wizard_or_jester_may_be_played_at_any_time_even_holding_the_colour():
    assert may_play("G3 Z N", "G10") == {"G3", "Z", "N"}


def test_nobody_is_forced_to_a_wizard_or_jester_when_void():
    assert may_play("R9 Z N", "G10") == {"R9", "Z", "N"}


def test_nobody_has_to_trump_or_to_beat():
    assert may_play("G1 G13 R5", "G10 R2", trump="R") == {"G1", "G13"}
    assert may_play("B1 R5", "G10 R2", trump="R") == {"B1", "R5"}


def test_the_strongest_card_takes_the_trick_and_its_player_leads_the_next():
    game = Wizard(3, Options(rounds=(2,)))
    match = Match(game, 1)
    match.state = rig(game, ["G5 B2", "G9 B3", "G7 B4"])
    for seat, card in ((0, "G5"), (1, "G9"), (2, "G7")):
        match.play(seat, cards(card)[0])
    assert match.state.takers == (1,)
    assert match.state.won == (0, 1, 0)
    assert game.to_act(match.state) == (1,)


def test_the_first_round_has_only_one_trick():
    match = play_until(Match(Wizard(3), 9), "scored")
    assert (match.state.round, len(match.state.takers)) == (1, 1)


TRICKS = {
    # 9.2: trump, the cards in order, the place of the winner
    "T1": ("B", "R7 R12 B6 B10", 3),
    "T2": ("", "N G4 G9", 2),
    "T4": ("R", "N N N", 0),
    "T7": ("", "G5 Y13 G2", 0),
    "T8": ("G", "G5 Z N Z", 1),
    "T9": ("Y", "N R1 Y13 R2", 2),
    "T12": ("B", "Y1 R13 G13", 0),
}


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_of_the_specification(name):
    trump, trick, place = TRICKS[name]
    assert winner(cards(trick), suit(trump)) == place == oracle.winner(trick.split(), trump)


def test_the_first_wizard_takes_the_trick():
    assert winner(cards("R13 Z B1 Z Z"), suit("R")) == 1


def test_else_the_highest_trump():
    assert winner(cards("G13 R2 R5 G12"), suit("R")) == 2


def test_else_the_highest_of_the_colour_led():
    assert winner(cards("G3 Y13 G8 B13"), suit("R")) == 2


# 巫师牌和愚者牌的特殊使用规则: Wizards and Jesters


def test_after_a_wizard_led_anything_may_be_thrown_off_wizards_and_jesters_too():  # A1
    assert may_play("G3 R9 Y1 Z N", "Z", trump="G") == {"G3", "R9", "Y1", "Z", "N"}
    assert may_play("G3 R9 Y1 Z N", "Z G5", trump="G") == {"G3", "R9", "Y1", "Z", "N"}


def test_the_first_wizard_wins_even_when_others_follow_with_wizards():
    assert winner(cards("Z Z Z Z"), NOTHING) == 0


def test_a_wizard_need_not_follow_when_trump_is_led():  # 5.4
    assert may_play("R3 Z G9", "R5", trump="R") == {"R3", "Z"}
    assert may_play("G9 Z", "R5", trump="R") == {"G9", "Z"}


def test_after_a_jester_led_the_second_may_play_any_colour_and_sets_it():
    assert may_play("G3 R9", "N") == {"G3", "R9"}
    assert may_play("G3 R9", "N G4") == {"G3"}
    assert may_play("G3 R9", "N N R2") == {"R9"}
    assert led_suit(cards("N N")) == NOTHING


def test_a_jester_wins_only_if_all_are_jesters():
    for trick in permutations(["N", "N", "B1"]):
        assert winner(cards(" ".join(trick)), NOTHING) == trick.index("B1")
    assert winner(cards("N N N"), NOTHING) == 0
    assert winner(cards("N N N N"), NOTHING) == 0


def test_a_trick_of_jesters_only_takes_three_or_four_players():
    for players in Wizard.player_counts:
        jesters = sum(map(is_jester, Wizard(players).deck))
        assert (jesters >= players) == (players in (3, 4))


# 经验点数的分配: scoring


@pytest.mark.parametrize(
    ("predicted", "won", "points"),
    [
        (0, 0, 20),
        (1, 1, 30),
        (5, 5, 70),
        (10, 10, 120),
        (20, 20, 220),
        (1, 0, -10),
        (3, 0, -30),
        (0, 20, -200),
    ],
)
def test_scoring_units_of_the_specification(predicted, won, points):  # 9.4
    assert oracle.score(predicted, won) == points
    size = max(predicted, won, 1)
    game = Wizard(3, Options(rounds=(size,)))
    assert points_of_a_round(game, predicted, won) == points


def points_of_a_round(game: Wizard, predicted: int, won: int) -> int:
    """Return what seat 0 gets for a round of *game* in which it wins exactly *won* tricks."""
    size = game.sizes[0]
    last_too = won == size
    match = Match(game, 1)
    match.state = state = rig(
        game, ["B3", "B2", "B1"] if last_too else ["B1", "B2", "B3"], bids=[predicted, 0, 0]
    )
    state.size, state.takers = size, (0,) * (size - 1)  # all but one trick are over
    state.won = (won - last_too, size - 1 - (won - last_too), 0)
    for seat in game.seats:
        match.play(seat, state.hands[seat][0])
    assert state.won[0] == won
    return state.points[0]


def test_a_prediction_met_brings_20_and_10_more_for_each_trick():
    for won in range(8):
        assert points_of_a_round(Wizard(3, Options(rounds=(8,))), won, won) == 20 + 10 * won


def test_a_prediction_missed_costs_10_for_each_trick_of_difference():
    for predicted in range(9):
        if predicted != 4:
            assert points_of_a_round(Wizard(3, Options(rounds=(8,))), predicted, 4) == -10 * abs(
                predicted - 4
            )


# 游戏示例: the rulebook's own example, and the end of the game


def test_the_rulebooks_example_of_thomas_ute_and_kevin():  # 9.1
    record = Record.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert record.names == ("Thomas", "Ute", "Kevin")
    seen = []
    for upto in range(len(record.log) + 1):
        state = replay(record, upto).state
        if state.phase in ("scored", "over") and (not seen or seen[-1][0] != state.round):
            seen.append((state.round, state.bids, state.won, state.points))
    assert seen == [
        # round, predicted, won and total of Thomas, Ute and Kevin
        (1, (0, 1, 1), (0, 0, 1), (20, -10, 30)),
        (2, (2, 0, 0), (1, 0, 1), (10, 10, 20)),
    ]
    match = replay(record)
    gains = [event.values["gain"] for event in match.story(None) if event.text.startswith("score")]
    assert gains == [20, -10, 30, -10, 20, -10]
    assert match.game.winners(match.state) == (2,)  # "the most points win": Kevin
    assert match.record().dumps() == EXAMPLE.read_text(encoding="utf-8")


def test_the_last_round_is_scored_too_and_the_most_points_win():
    match = Match(Wizard(3), 10)
    while match.state.round < 20:
        play_until(match, "scored").play(TABLE, NEXT_ROUND)
    before = match.game.scores(match.state)
    assert match.game.winners(match.state) == ()
    play_until(match, "over")
    after = match.game.scores(match.state)
    assert all(
        old != new for old, new in zip(before, after, strict=True)
    )  # 20 more, or at least 10 less
    assert match.game.winners(match.state) == tuple(
        seat for seat in range(3) if after[seat] == max(after)
    )
    assert match.events[-1][-1].text == "over"
    assert why_not(match, 0, 0) == "refusal.over"


def test_points_may_be_negative():  # A13
    assert any(
        min(play_until(Match(Wizard(3), seed), "scored").state.points) < 0 for seed in range(10)
    )


# Variants


def open_rounds(size: int, **options: Any) -> Match:
    """Return a 3-player match at the bids of a round of *size* cards, seat 0 to bid last."""
    game = Wizard(3, Options(rounds=(size,), first_dealer=0, **options))
    return match_where(game, lambda state: state.phase == "bid")


def test_plus_minus_one_forbids_the_dealer_to_make_the_sum_equal():  # S6, V1
    match = open_rounds(3, bid_rule="sum_must_differ")
    bid(match, 1, 1)
    assert match.game.legal_actions(match.state, 0) == (0, 2, 3)
    assert why_not(match, 0, 1) == "refusal.sum"
    assert why_not(match, 0, -1) == "refusal.bid"


def test_plus_minus_one_forbids_nothing_when_the_others_bid_too_much():
    match = open_rounds(3, bid_rule="sum_must_differ")
    bid(match, 2, 2)
    assert match.game.legal_actions(match.state, 0) == (0, 1, 2, 3)
    # The number that would make the sum equal is -1: out of range, not against the sum rule.
    assert why_not(match, 0, -1) == "refusal.bid"


def test_plus_minus_one_binds_only_the_last():
    match = open_rounds(1, bid_rule="sum_must_differ")
    assert match.game.legal_actions(match.state, 1) == (0, 1)
    bid(match, 1)
    assert match.game.legal_actions(match.state, 2) == (0, 1)


def test_leader_only_binds_a_dealer_in_the_lead():
    game = Wizard(3, Options(rounds=(1, 1), first_dealer=2, bid_rule="sum_must_differ_leader_only"))
    for points, bound in (((30, 20, 20), True), ((20, 20, 20), True), ((20, 30, 20), False)):
        match = match_where(game, lambda state: state.phase == "bid")
        bid(match, 0, 0)  # round 1: nobody is in the lead yet
        assert match.game.legal_actions(match.state, 2) == (0, 1)
        match = play_until(match, "scored")
        match.state.points = points
        match.play(TABLE, NEXT_ROUND)
        play_until(match, "bid")
        assert match.state.dealer == 0
        bid(match, 0, 0)
        assert match.game.legal_actions(match.state, 0) == ((0,) if bound else (0, 1))


def test_adjust_tricks_lets_the_dealer_change_the_hand_size_by_one():
    game = Wizard(3, Options(bid_rule="adjust_tricks"))
    match = Match(game, 11)
    sizes = {}
    while not match.over:
        state = match.state
        if state.phase == "size":
            assert game.to_act(state) == (state.dealer,)
            assert state.hands == [(), (), ()]  # before dealing
            sizes[state.round] = game.legal_actions(state, state.dealer)
            assert why_not(match, state.dealer, state.round + 2) == "refusal.size"
            match.play(state.dealer, state.round + 1)
            assert match.state.size == state.round + 1 == len(match.state.hands[0])
            assert max(game.observe(match.state, None).bids) == NOTHING
        play_until(match, "over" if state.round == 20 else "scored")
        if not match.over:
            match.play(TABLE, NEXT_ROUND)
    assert sizes == {
        number: (number - 1, number, number + 1) for number in range(2, 20)
    }  # not the first and last
    assert match.state.round == 20  # the round counter still goes by one
    assert len(match.log) <= game.longest


def test_adjust_tricks_stays_between_one_card_and_all():
    for sizes, legal in (((1, 1, 1), (1, 2)), ((20, 20, 20), (19, 20))):
        game = Wizard(3, Options(bid_rule="adjust_tricks", rounds=sizes))
        match = play_until(Match(game, 12), "scored")
        match.play(TABLE, NEXT_ROUND)
        assert game.legal_actions(match.state, match.state.dealer) == legal
        for wrong in (0, 21):
            assert why_not(match, match.state.dealer, wrong) == "refusal.size"
        match.play(match.state.dealer, legal[-1])
        if legal[-1] == 20:  # 2.1: all cards dealt early means no trump
            assert (match.state.trump, match.state.undealt) == (NOTHING, [])
        play_until(match, "scored")


def test_hidden_bids_are_made_at_once_and_shown_together():  # S7, V2
    game = Wizard(3, Options(bid_mode="hidden", rounds=(4,)))
    match = play_until(Match(game, 13), "bid")
    assert game.to_act(match.state) == (0, 1, 2)
    for done, seat in enumerate((2, 0)):
        match.play(seat, 3)
        assert match.story(None)[-1].text == "bid.sealed"
        for other in (*game.seats, None):
            seen = game.observe(match.state, other).bids
            assert seen[seat] == (3 if other == seat else SEALED)  # that it is made, not what it is
            assert seen.count(NOTHING) == 2 - done
        assert why_not(match, seat, 1) == "refusal.not_your_turn"
    match.play(1, 0)
    assert {game.observe(match.state, other).bids for other in (*game.seats, None)} == {(3, 0, 3)}
    assert [event.values for event in match.events[-1] if event.text == "bid.open"] == [
        {"seat": seat, "bid": number} for seat, number in enumerate((3, 0, 3))
    ]


def test_secret_prophecies_are_shown_after_the_last_trick():  # S8, V3
    game = Wizard(3, Options(bid_mode="secret", rounds=(4,)))
    match = play_until(Match(game, 14), "play")
    for _ in range(12):
        for other in (*game.seats, None):
            seen = game.observe(match.state, other)
            assert [number == SEALED for number in seen.bids] == [
                seat != other for seat in game.seats
            ]
            assert sum(seen.won) == len(seen.takers)  # the tricks stay public
        assert not any("bid" in event.values for event in match.story(None))
        seat = game.to_act(match.state)[0]
        match.play(seat, game.legal_actions(match.state, seat)[0])
    assert game.observe(match.state, None).bids == tuple(match.state.bids)
    assert match.over


@pytest.mark.parametrize("mode", ["hidden", "secret"])
def test_hidden_and_secret_bids_score_as_in_the_standard_game(mode):
    standard = play_until(Match(Wizard(4, Options(short_game=6)), 15), "over")
    other = Match(Wizard(4, Options(short_game=6, bid_mode=mode)), 15)
    for seat, action in standard.log:
        other.play(seat, action)
    assert other.state.points == standard.state.points


def test_hidden_bids_may_stay_with_the_scorer():  # A15
    game = Wizard(
        3, Options(bid_mode="hidden", hidden_reveal="scorer_only", rounds=(2, 2), first_dealer=1)
    )
    match = play_until(Match(game, 16), "play")
    assert match.state.scorer == 1
    assert game.observe(match.state, 1).bids == tuple(match.state.bids)
    for other in (0, 2, None):
        assert SEALED in game.observe(match.state, other).bids
    assert "bid.open" not in [event.text for event in match.story(None)]
    play_until(match, "scored")
    assert game.observe(match.state, 0).bids == tuple(match.state.bids)
    match.play(TABLE, NEXT_ROUND)
    assert game.observe(match.state, 0).scorer == 1  # the scorer stays when the deal passes on
    bidding = play_until(match, "bid")
    bidding.play(0, 1)
    assert game.observe(match.state, 1).bids[0] == SEALED  # not before all have written theirs


def test_a_sum_rule_with_hidden_bids_makes_all_bid_again():
    game = Wizard(
        3,
        Options(
            rounds=(1,), bid_mode="hidden", bid_rule="sum_must_differ", hidden_sum_conflict="rebid"
        ),
    )
    match = play_until(Match(game, 17), "bid")
    for seat, number in ((0, 1), (1, 0), (2, 0)):
        match.play(seat, number)
    assert match.events[-1][-1].text == "bid.again"
    assert match.state.bids == (NOTHING,) * 3
    assert game.observe(match.state, None).rebids == 1
    assert not any("bid" in event.values for event in match.story(None))  # nor shown afterwards
    for seat in (0, 1, 2):
        match.play(seat, 1)
    assert (match.state.phase, match.state.bids) == ("play", (1, 1, 1))


@pytest.mark.parametrize("mode", ["hidden", "secret"])
def test_bidding_again_ends_after_a_fixed_number_of_times(mode):
    options = Options(
        rounds=(1,), bid_mode=mode, bid_rule="sum_must_differ", hidden_sum_conflict="rebid"
    )
    match = play_until(Match(Wizard(3, options), 18), "bid")
    bids = 0
    while match.state.phase == "bid":
        seat = match.game.to_act(match.state)[0]
        match.play(seat, 1 if seat == 0 else 0)
        bids += 1
    assert bids == 3 * (REBIDS + 1)
    assert match.state.bids == (1, 0, 0)
    play_until(match, "over")
    assert len(match.log) <= match.game.longest


def hawk(players: int = 3, **options: Any) -> Match:
    """Return a match with hawk eye, at its first bid."""
    return match_where(
        Wizard(players, Options(hawk_eye=True, **options)), lambda state: state.phase == "bid"
    )


def test_hawk_eye_shows_all_cards_but_the_own():  # S9, V4
    match = hawk()
    hands = match.state.hands
    for seat in range(3):
        seen = match.game.observe(match.state, seat)
        assert seen.hand == ()
        assert seen.shown == tuple(
            () if other == seat else tuple(hands[other]) for other in range(3)
        )
        assert hands[seat][0] not in [
            card for part in astuple(seen) if isinstance(part, tuple) for card in flat(part)
        ]


def flat(part: tuple[Any, ...]) -> list[int]:
    return [each for item in part for each in (flat(item) if isinstance(item, tuple) else [item])]


def test_hawk_eye_shows_a_spectator_nothing_or_the_holder_would_read_it_there():
    seen = hawk().game.observe(hawk().state, None)
    assert (seen.hand, seen.shown) == ((), ())


@pytest.mark.parametrize("phase", ["bid", "play"])
def test_with_hawk_eye_another_own_card_changes_nothing_that_the_holder_sees(phase):
    match = play_until(hawk(4), phase)
    for seat in range(4):
        before = match.game.observe(match.state, seat)
        spectator = match.game.observe(match.state, None)
        for place in range(len(match.state.undealt)):
            (card,) = match.state.hands[seat]
            match.state.hands[seat], match.state.undealt[place] = (
                (match.state.undealt[place],),
                card,
            )
            assert match.game.observe(match.state, seat) == before
            assert match.game.observe(match.state, None) == spectator


def test_hawk_eye_cards_are_shown_at_once():
    match = play_until(hawk(), "play")
    assert match.game.to_act(match.state) == (0, 1, 2)
    for ready, seat in enumerate((2, 0, 1)):
        assert match.game.legal_actions(match.state, seat) == (MY_CARD,)
        assert (
            why_not(match, seat, match.state.hands[seat][0]) == "refusal.play"
        )  # nobody names a card
        assert match.state.trick == match.state.played == ()
        assert not any(event.text == "play" for event in match.story(None))
        match.play(seat, MY_CARD)
        assert sum(match.state.ready) == ready + 1
    texts = [event.text for event in match.events[-1]]
    assert texts[:5] == ["hawk.ready", "play", "play", "play", "trick"]
    assert match.state.phase == "scored"


def test_hawk_eye_counts_cards_from_the_dealers_left():  # A16
    match = play_until(hawk(first_dealer=1), "play")
    match.state.hands = [(14,), (29,), (44,)]
    match.state.undealt = []
    for seat in (0, 1, 2):
        match.play(seat, MY_CARD)
    assert match.state.takers == (2,)  # three Wizards: the first from the dealer's left


def test_hawk_eye_is_for_the_first_round_only():
    match = play_until(hawk(), "scored")
    match.play(TABLE, NEXT_ROUND)
    play_until(match, "play")
    seen = match.game.observe(match.state, 0)
    assert (len(seen.hand), seen.shown) == (2, ())
    assert len(match.game.to_act(match.state)) == 1


def test_a_hawk_eyed_dealer_names_the_trump_seeing_all_cards_but_the_own():
    game = Wizard(4, Options(hawk_eye=True))
    match = match_where(game, lambda state: state.phase == "trump")
    seen = game.observe(match.state, match.state.dealer)
    assert seen.hand == ()
    assert sum(map(len, seen.shown)) == 3


def test_hawk_eye_goes_with_hidden_and_secret_bids():
    for mode in ("hidden", "secret"):
        play_until(hawk(bid_mode=mode, short_game=2), "over")


# Other options


def test_short_game_plays_the_first_rounds_only():
    match = play_until(Match(Wizard(3, Options(short_game=3)), 19), "over")
    assert (match.state.round, match.state.size) == (3, 3)
    assert match.state.turned != NOTHING  # cards are left, so there is a trump


def test_rounds_is_a_list_of_hand_sizes():
    match = Match(Wizard(3, Options(rounds=(5, 1, 20))), 20)
    sizes = []
    for phase in ("scored", "scored", "over"):
        sizes.append(match.state.size)
        play_until(match, phase)
        if phase == "scored":
            match.play(TABLE, NEXT_ROUND)
    assert sizes == [5, 1, 20]


def test_a_dealer_may_have_to_pick_trump_blind():  # A5
    game = Wizard(3, Options(dealer_picks_blind=True, rounds=(4,)))
    match = match_where(game, lambda state: state.phase == "trump")
    dealer = match.state.dealer
    assert game.observe(match.state, dealer).hand == ()
    for other in {0, 1, 2} - {dealer}:
        assert game.observe(match.state, other).hand == tuple(match.state.hands[other])
    match.play(dealer, 1)
    assert game.observe(match.state, dealer).hand == tuple(match.state.hands[dealer])


def test_a_wizard_behind_a_leading_jester_frees_the_trick():  # A2
    assert may_play("G3 R9", "N Z") == {"G3", "R9"}
    assert may_play("G3 R9", "N Z G4") == {"G3", "R9"}


def test_or_leaves_the_lead_to_the_next_suit():
    reading = {"jester_then_wizard": "next_suit_card_leads"}
    assert may_play("G3 R9", "N Z", **reading) == {"G3", "R9"}
    assert may_play("G3 R9", "N Z G4", **reading) == {"G3"}
    assert may_play("G3 R9", "Z G4", **reading) == {
        "G3",
        "R9",
    }  # a Wizard that leads still frees it


def test_equal_points_share_the_victory_unless_the_sum_of_bids_decides():  # S11, A12
    for tie_break, sums, winners in (
        ("shared", (5, 9, 7), (0, 1)),
        ("sum_of_bids", (5, 9, 7), (1,)),
        ("sum_of_bids", (9, 9, 7), (0, 1)),
    ):
        game = Wizard(3, Options(tie_break=tie_break))
        state = game.initial_state(stream("1", "x"))
        state.phase, state.points, state.bid_sums = "over", (120, 120, 90), sums
        assert game.winners(state) == winners


def test_bids_of_all_rounds_are_added_up_for_the_tie_break():
    match = play_until(Match(Wizard(3, Options(short_game=5)), 21), "over")
    told = [event.values for event in match.story(None) if event.text.startswith("score.")]
    sums = [sum(each["bid"] for each in told if each["seat"] == seat) for seat in range(3)]
    assert list(match.state.bid_sums) == sums


def test_what_each_seat_holds_follows_from_what_all_see():
    for options in (
        {"bid_rule": "adjust_tricks"},
        {"hawk_eye": True},
        {"dealer_picks_blind": True},
    ):
        match, rng = Match(Wizard(3, Options(short_game=4, **options)), 23), stream("held", "test")
        while not match.over:
            assert match.game.observe(match.state, None).held == tuple(map(len, match.state.hands))
            seat = match.game.to_act(match.state)[0]
            match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))


def test_trick_history_changes_no_rule():
    runs = {
        choice: play_until(
            Match(Wizard(3, Options(trick_history=choice, short_game=4)), 22), "over"
        )
        for choice in ("last_only", "full", "none")
    }
    assert len({(tuple(match.log), tuple(match.state.points)) for match in runs.values()}) == 1


def test_the_points_are_numbers_that_a_class_can_change():
    game = Wizard(3, Options(rounds=(8,), hit=7, per_trick=3, miss=1))
    assert points_of_a_round(game, 2, 2) == 7 + 2 * 3
    assert points_of_a_round(game, 6, 2) == -4


@pytest.mark.parametrize(("wizards", "jesters"), [(0, 0), (4, 0), (0, 4), (1, 3)])
def test_the_deck_may_hold_fewer_wizards_and_jesters(wizards, jesters):
    game = Wizard(4, Options(wizards=wizards, jesters=jesters))
    assert len(game.deck) == 52 + wizards + jesters
    assert sum(map(is_wizard, game.deck)) == wizards
    assert sum(map(is_jester, game.deck)) == jesters
    match = play_until(Match(game, 23), "over")
    assert match.state.round == len(game.deck) // 4


WRONG = [
    (4, {"bid_mode": mode, "bid_rule": rule}, "nobody predicts last")
    for mode in ("hidden", "secret")
    for rule in ("sum_must_differ", "sum_must_differ_leader_only")
] + [
    (3, {"short_game": 3, "rounds": (1, 2)}, "set only one"),
    (6, {"short_game": 11}, "may not go beyond 10"),
    (6, {"rounds": (1, 11)}, "may not go beyond 10"),
    (3, {"short_game": 20, "wizards": 0}, "may not go beyond 18"),
    (3, {"first_dealer": 3}, "so below 3"),
    (3, {"hawk_eye": True, "rounds": (2, 1)}, "must begin with 1"),
]


@pytest.mark.parametrize(("players", "options", "reason"), WRONG)
def test_combinations_that_make_no_sense_are_refused_with_the_reason(
    players, options, reason
):  # S12
    with pytest.raises(OptionError, match=reason) as refused:
        Wizard(players, Options(**options))
    assert len({refused.value.sentence(language) for language in LANGUAGES}) == 3


def test_adjust_tricks_goes_with_everything():
    for mode in ("open", "hidden", "secret"):
        for eye in (False, True):
            game = Wizard(
                3, Options(bid_rule="adjust_tricks", bid_mode=mode, hawk_eye=eye, short_game=4)
            )
            play_until(Match(game, 24), "over")


# Over many matches


def test_the_last_winner_does_not_lead_the_next_round():  # S10
    match = Match(Wizard(4), 25)
    others = 0
    for _ in range(12):
        last = play_until(match, "scored").state.takers[-1]
        match.play(TABLE, NEXT_ROUND)
        play_until(match, "play")
        assert match.game.to_act(match.state) == ((match.state.dealer + 1) % 4,)
        others += last != (match.state.dealer + 1) % 4
    assert others


@settings(max_examples=12, deadline=None, derandomize=True)
@given(players=st.sampled_from(Wizard.player_counts), seed=st.integers(0, 10**6))
def test_sums_and_scores_of_whole_matches(players, seed):  # S13
    match, rng = Match(Wizard(players), seed), stream(str(seed), "test")
    totals = [0] * players
    for number in range(1, 60 // players + 1):
        play_until(match, "play", rng)
        state = match.state
        everywhere = [
            *all_cards(state.hands),
            *state.undealt,
            *([state.turned] if state.turned >= 0 else []),
        ]
        assert len(everywhere) == len(set(everywhere)) == 60
        last = number == 60 // players
        play_until(match, "over" if last else "scored", rng)
        assert sum(state.won) == number
        totals = [
            total + oracle.score(*each)
            for total, each in zip(totals, zip(state.bids, state.won), strict=False)
        ]
        assert list(state.points) == totals
        assert all(total % 10 == 0 for total in totals)
        if not last:
            match.play(TABLE, NEXT_ROUND)


def exchanged(state: State, seat: int | None, rng: Random) -> State:
    """Return *state* with all cards that *seat* does not see dealt anew, hands keeping their size."""
    other = deepcopy(state)
    unseen = [each for each in range(len(state.hands)) if each != seat]
    hidden = [card for each in unseen for card in state.hands[each]] + state.undealt
    shuffle(rng, hidden)
    for each in unseen:
        other.hands[each], hidden = (
            tuple(hidden[: len(state.hands[each])]),
            hidden[len(state.hands[each]) :],
        )
    other.undealt = hidden
    return other


@pytest.mark.parametrize("players", Wizard.player_counts)
def test_what_others_hold_can_be_exchanged_without_a_seat_noticing(players):
    """As the conformance suite asks, but without believing the game's own ``resample``."""
    match, rng = Match(Wizard(players, Options(rounds=(6, 2))), 26), stream("exchange", "test")
    noticed_by_the_rules = 0
    while not match.over:
        for seat in (*match.game.seats, None):
            other = exchanged(match.state, seat, rng)
            assert match.game.observe(other, seat) == match.game.observe(match.state, seat)
            noticed_by_the_rules += other != match.state
        seat = pick(rng, match.game.to_act(match.state))
        match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))
    assert noticed_by_the_rules > 100


def test_secret_bids_can_be_exchanged_without_a_seat_noticing():
    match = play_until(Match(Wizard(4, Options(bid_mode="secret", rounds=(5,))), 27), "play")
    for seat in (*match.game.seats, None):
        before, bids = match.game.observe(match.state, seat), match.state.bids
        for wrong in range(6):
            match.state.bids = tuple(
                bids[each] if each == seat else wrong for each in match.game.seats
            )
            assert match.game.observe(match.state, seat) == before
        match.state.bids = bids


def test_the_rules_agree_with_a_brute_force_on_forty_thousand_positions():
    rng = stream("oracle", "test")
    names = [f"{colour}{rank}" for colour in COLOURS for rank in range(1, 14)]
    numbers = dict(zip(names, cards(" ".join(names)), strict=True))
    special = [*zip("ZZZZNNNN", cards("Z Z Z Z N N N N"), strict=True)]
    games = [
        Wizard(players, Options(jester_then_wizard=reading, rounds=(5, 5)))
        for players in Wizard.player_counts
        for reading in ("free", "next_suit_card_leads")
    ]
    states = {id(game): rig(game, [""] * game.players) for game in games}
    positions = special_positions = differing = 0
    while positions < 40_000:
        game = games[positions % len(games)]
        state, reading, n = states[id(game)], game.options.jester_then_wizard, game.players
        # All eight Wizards and Jesters among up to twenty others: rich in what is special.
        pool = special + [
            (name, numbers[name])
            for name in dict.fromkeys(pick(rng, names) for _ in range(8 + random_below(rng, 13)))
        ]
        front = random_below(rng, 4)  # so many Wizards and Jesters come first
        deal = [pool.pop(random_below(rng, 8 - number)) for number in range(front)]
        deal += [
            pool.pop(random_below(rng, len(pool))) for _ in range(n - front + random_below(rng, 7))
        ]
        trump = pick(rng, ("", *COLOURS))
        lying = random_below(rng, n)
        trick, hand = deal[:lying], deal[lying:]
        state.trick, state.trump, state.phase = (
            tuple(number for _, number in trick),
            suit(trump),
            "play",
        )
        state.turn, state.hands = 0, [tuple(number for _, number in hand)] + [()] * (n - 1)
        table = [name for name, _ in trick]
        expected = oracle.legal([name for name, _ in hand], table, reading)
        legal = game.legal_actions(state, 0)
        assert sorted(named_one(card) for card in legal) == sorted(expected), (hand, table, reading)
        for _, number in hand:
            assert (game.refusal(state, 0, number) is None) == (number in legal)
        differing += oracle.legal([name for name, _ in hand], table, "free") != expected
        # The whole trick: the last of n cards is played by seat 0, so seat 1 led it.
        full = deal[:n]
        state.trick, state.hands[0] = tuple(number for _, number in full[:-1]), (full[-1][1], 99)
        state.takers, state.played, state.won = (), (), (0,) * n
        place = oracle.winner([name for name, _ in full], trump)
        if place + 1 < n:
            state.hands[place + 1] = (99,)  # something left to lead, so that the round goes on
        game.apply(state, 0, full[-1][1], rng)
        assert state.takers == ((1 + place) % n,), (full, trump)
        assert state.played == tuple(number for _, number in full)
        positions += 1
        special_positions += any(name in "ZN" for name in table)
    assert special_positions > 20_000
    assert differing > 300  # the two readings of A2 really are told apart


def named_one(card: int) -> str:
    return letters(card)


def test_the_brute_force_shares_nothing_with_the_rules():
    assert "coursekit" not in inspect.getsource(oracle).replace("``coursekit.games.wizard``", "")
