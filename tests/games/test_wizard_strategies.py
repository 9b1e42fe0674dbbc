"""Each strategy of Wizard shows its idea on a fixed observation, and plays under every option."""

from dataclasses import replace
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from wizard_letters import cards, suit

from coursekit.core.chance import stream
from coursekit.core.game import TABLE, pick_action
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.cards import NOTHING, SUIT, is_wizard
from coursekit.games.wizard.rules.state import SEALED, Observation
from coursekit.games.wizard.strategies import (
    STRATEGIES,
    CardCounter,
    Cautious,
    Thinker,
    Unseen,
    bids_met,
    tricks_wanted,
)


def held(names: str) -> tuple[int, ...]:
    return tuple(cards(names))


def card(name: str) -> int:
    return cards(name)[0]


def observed(**known: Any) -> Observation:
    """Return what seat 0 of four sees: green elves are trump, seat 0 leads, nothing is played yet."""
    size = known.get("size", len(known.get("hand", ())))
    usual = {
        "seat": 0,
        "players": 4,
        "phase": "play",
        "legal": known.get("hand", ()),
        "waiting": (0,),
        "hand": (),
        "shown": (),
        "open_hands": (),
        "round": size,
        "rounds": 15,
        "size": size,
        "scorer": 3,
        "dealer": 3,
        "turned": card("G5"),
        "trump": suit("G"),
        "bids": (NOTHING,) * 4,
        "ready": (0,) * 4,
        "trick": (),
        "played": (),
        "takers": (),
        "won": (0,) * 4,
        "points": (0,) * 4,
        "bid_sums": (0,) * 4,
        "undealt": 59 - 4 * size,
        "rebids": 0,
        "winners": (),
    }
    return Observation(**usual | known)


def decision(kind: type[Strategy], obs: Observation, **options: Any) -> Any:
    return kind(stream("test", "seat 0"), Wizard(obs.players, Options(**options))).decide(obs)


def bid(kind: type[Strategy], hand: tuple[int, ...], **known: Any) -> Any:
    return decision(
        kind, observed(phase="bid", hand=hand, legal=tuple(range(len(hand) + 1)), **known)
    )


def test_random_takes_every_legal_action_about_equally_often() -> None:
    strategy, obs = AtRandom(stream("test", "seat 0"), Wizard(4)), observed(hand=(1, 2, 3, 4))
    taken = [strategy.decide(obs) for _ in range(4000)]
    assert all(900 < taken.count(card) < 1100 for card in obs.legal)


def test_cautious_bids_its_wizards_and_high_trumps_only() -> None:
    assert bid(Cautious, held("B13 G12 G2 R13 Z")) == 2


def test_cautious_plays_high_while_it_wants_tricks_and_low_afterwards() -> None:
    hand = held("B4 B11 G3")
    assert decision(Cautious, observed(hand=hand, bids=(1, 0, 0, 1))) == card("G3")
    assert decision(Cautious, observed(hand=hand, bids=(1, 0, 0, 1), won=(1, 0, 0, 0))) == card(
        "B4"
    )


def test_a_card_counter_bids_more_with_a_stronger_hand_and_less_when_others_bid_much() -> None:
    weak = held("B2 B4 R3 R5 R6 N")
    strong = held("Z Z G13 G12 B13 R13")
    assert bid(CardCounter, weak) <= 1 < 3 <= bid(CardCounter, strong)
    assert bid(CardCounter, strong, bids=(NOTHING, 4, 3, 3)) < bid(CardCounter, strong)


def test_a_card_counter_knows_when_a_card_has_become_the_highest() -> None:
    """A human 10 is weak while 11, 12 and 13 are out, and wins for sure when nothing above it is
    left.
    """
    early = observed(hand=held("B10 R2"))
    gone = held("B11 B12 B13 Z Z Z Z")
    elves = held("G1 G2 G3 G4 G6 G7 G8 G9 G10 G11 G12 G13")
    late = replace(early, played=gone + elves)
    before, after = (Unseen(Wizard(4), obs).strength(card("B10"), 1) for obs in (early, late))
    assert before < 0.5 < after == 1


def test_a_card_counter_wins_as_the_last_player_only_what_it_wants() -> None:
    hand, trick = held("B3 B12"), held("B5 B7 B2")
    last = observed(
        hand=hand, trick=trick, dealer=0, bids=(1, 1, 1, 0)
    )  # seat 1 led, seat 0 is last
    assert decision(CardCounter, last) == card("B12")
    assert decision(CardCounter, replace(last, bids=(0, 1, 1, 0))) == card("B3")


def test_a_card_counter_sheds_the_highest_card_that_loses() -> None:
    hand, trick = held("B3 B9 B12"), held("B5 B10 B2")
    last = observed(hand=hand, trick=trick, dealer=0, bids=(0, 1, 1, 1))
    assert decision(CardCounter, last) == card("B9")


def test_a_card_counter_judges_the_card_on_its_forehead_by_the_cards_it_sees() -> None:
    seen = observed(phase="bid", size=1, legal=(0, 1), undealt=55)
    low = replace(seen, shown=((), held("B2"), held("B3"), held("R1")))
    high = replace(seen, shown=((), held("Z"), held("B3"), held("R1")))
    assert decision(CardCounter, low, hawk_eye=True) == 1
    assert (
        decision(CardCounter, high, hawk_eye=True) == 0
    )  # only one of three Wizards could still win


def test_a_sealed_bid_counts_as_an_equal_share() -> None:
    obs = observed(hand=(1, 2, 3, 4, 5, 6), bids=(2, -2, -2, -2), won=(0, 1, 0, 0))
    assert [tricks_wanted(obs, seat) for seat in range(4)] == [2, 0.5, 1.5, 1.5]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize(
    "options",
    [
        {"hawk_eye": True, "dealer_picks_blind": True},
        {"hawk_eye": True, "bid_mode": "secret"},
        {"bid_mode": "hidden", "bid_rule": "sum_must_differ", "hidden_sum_conflict": "rebid"},
        {"bid_mode": "hidden", "hidden_reveal": "scorer_only", "bid_rule": "adjust_tricks"},
        {"bid_rule": "sum_must_differ", "jester_then_wizard": "next_suit_card_leads"},
        {"wizards": 0, "jesters": 0},
    ],
    ids=str,
)
def test_every_strategy_plays_every_phase_under_every_option(
    players: int, options: dict[str, Any]
) -> None:
    game = Wizard(players, Options(short_game=6, **options))
    for seed in range(3):
        play_out(
            game, [STRATEGIES[(seat + seed) % len(STRATEGIES)] for seat in range(players)], seed
        )


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_counting_cards_beats_caution_beats_chance(players: int) -> None:
    from coursekit.arena import duplicate

    result = duplicate(
        Wizard(players), [AtRandom, Cautious, CardCounter], deals=15, seed=1, progress=False
    )
    by_deal = {
        name: [fmean(deal) for deal in found["points"]] for name, found in result.numbers.items()
    }
    for better, worse in pairwise(["CardCounter", "Cautious", "AtRandom"]):
        more = [a - b for a, b in zip(by_deal[better], by_deal[worse], strict=True)]
        assert fmean(more) > 2 * stdev(more) / sqrt(len(more))


def test_a_card_counter_meets_half_of_its_bids_against_its_own_kind() -> None:
    """The full measurement, 1,000 games with intervals, is in ``benchmarks``."""
    from coursekit.arena import duplicate

    result = duplicate(
        Wizard(4), [CardCounter], deals=30, seed=1, progress=False, statistics=bids_met
    )
    assert result.mean(CardCounter) - result.interval(CardCounter) > 150
    assert result.mean(CardCounter, "bids_met") - result.interval(CardCounter, "bids_met") > 50


# What a thinker guesses


def test_guessed_hands_look_to_the_thinker_as_what_it_sees() -> None:
    """In whole matches, under options that hide bids or show hands: whatever is guessed, its seat
    sees the same.
    """
    for number, options in enumerate(
        ({}, {"bid_mode": "hidden"}, {"hawk_eye": True}, {"open_hands": True})
    ):
        game: Any = Wizard(3 + number, Options(short_game=6, **options))
        match, rng = Match(game, number), stream("guesses", str(number))
        thinker = Thinker(rng, game)
        while deciding := game.to_act(match.state):
            seat = deciding[-1]
            if seat != TABLE:
                obs = game.observe(match.state, seat)
                assert game.observe(thinker.guesses(obs)(rng), seat) == obs
            match.play(seat, pick_action(game.legal_actions(match.state, seat), rng))


def test_hands_are_guessed_from_what_was_bid() -> None:
    """Who bids more of five tricks is believed to hold more Wizards and trumps."""
    game, rng = Wizard(4), stream("guesses", "bids")
    obs = observed(
        phase="bid",
        hand=held("B2 B3 R2 Y2 Y3"),
        legal=tuple(range(6)),
        dealer=0,
        scorer=0,
        bids=(NOTHING, 0, 4, 1),
        size=5,
        turned=card("G5"),
    )
    guess = Thinker(rng, game).guesses(obs)
    strong = [0, 0, 0, 0]
    for _ in range(200):
        for seat, hand in enumerate(guess(rng).hands):
            strong[seat] += sum(is_wizard(each) or SUIT[each] == suit("G") for each in hand)
    assert strong[2] > 1.1 * strong[3] > 1.5 * strong[1]
    sealed = replace(obs, bids=(NOTHING, SEALED, SEALED, SEALED))
    hidden = Wizard(4, Options(bid_mode="secret"))
    guess, blind = Thinker(rng, hidden).guesses(sealed), [0, 0, 0, 0]
    for _ in range(200):
        for seat, hand in enumerate(guess(rng).hands):
            blind[seat] += sum(is_wizard(each) or SUIT[each] == suit("G") for each in hand)
    assert max(blind[1:]) < 1.3 * min(blind[1:])


def test_cards_are_dealt_where_only_a_change_among_three_hands_fits() -> None:
    """Each of three hands lacks all suits but one, which is never the one that lies there at first."""
    hidden = Wizard(4).hidden(observed(hand=held("B2")))
    hidden.known, hidden.cards = [[], [], []], [*held("B3 G3 R3")]
    hidden.void, hidden.sizes = [{0, 2}, {0, 1}, {1, 2}, set()], [1, 1, 1, 0]
    hidden.owners, rng = [0, 1, 2], stream("guesses", "three")
    assert {str(hidden.deal(rng)) for _ in range(50)} == {
        str([[card("G3")], [card("R3")], [card("B3")], []])
    }
