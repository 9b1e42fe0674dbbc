"""What happened in a match: a hand-made round, and the states of any match counted once more, on
their own.
"""

from collections import Counter
from math import sqrt
from typing import Any

import pytest
import wizard_oracle as oracle
from wizard_letters import COLOURS, cards, letters

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.after.history import (
    NOBODY,
    Prediction,
    Share,
    Z,
    leaders,
    read_decisions,
    read_predictions,
    read_rounds,
    share_met,
)
from coursekit.games.wizard.rules import game as rules
from coursekit.games.wizard.rules.cards import NOTHING, is_wizard
from coursekit.games.wizard.rules.game import NEXT_ROUND
from coursekit.games.wizard.rules.state import SEALED
from coursekit.games.wizard.strategies import STRATEGIES


def card(name: str) -> int:
    return cards(name)[0]


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that makes a match of one round whose three hands and turned card are
    given.
    """

    def make(hands: str, turned: str, **options: Any) -> Match:
        first = cards(hands)
        top = card(turned)

        def rigged(rng: Any, deck: list[int]) -> None:
            deck.sort(key=lambda each: (first.index(each) if each in first else 99, each == top))

        monkeypatch.setattr(rules, "shuffle", rigged)
        return Match(
            Wizard(3, Options(rounds=(len(first) // 3,), first_dealer=2, **options)), "rigged"
        )

    return make


def play(match: Match, *actions: int) -> Match:
    for action in actions:
        match.play(match.game.to_act(match.state)[0], action)
    return match


def tricks(match: Match, names: str) -> Match:
    return play(match, *cards(names))


# Hand-made


def test_a_round_trick_by_trick(dealt: Any) -> None:
    match = play(dealt("B13 B2 R9  B5 G4 R1  B7 R13 G8", "G6"), 2, 0, 0)
    (now,) = read_rounds(match)
    assert (now.number, now.size, now.dealer, now.turned, now.trump) == (
        1,
        3,
        2,
        card("G6"),
        1,
    )
    assert [(bid.seat, bid.number, bid.place, bid.before) for bid in now.bids] == [
        (0, 2, 1, 0),
        (1, 0, 2, 2),
        (2, 0, 3, 2),
    ]
    assert (now.spare, now.ended, now.totals, now.tricks) == (1, False, [0, 0, 0], [])
    tricks(match, "B13 B5 B7  R9")
    (now,) = read_rounds(match)
    assert [(trick.taker, trick.best, len(trick.cards)) for trick in now.tricks] == [
        (0, card("B13"), 3),
        (NOBODY, NOTHING, 1),
    ]
    tricks(match, "R1 R13")  # seat 2 takes one it did not want
    (now,) = read_rounds(match)
    assert [now.lost_in(seat) for seat in range(3)] == [0, 0, 2]
    tricks(match, "G8 B2 G4")  # and the last one: seat 0 lacks a trick
    (now,) = read_rounds(match)
    assert [now.won(seat) for seat in range(3)] == [1, 0, 2]
    assert [now.lost_in(seat) for seat in range(3)] == [3, 0, 2]
    assert now.tricks[1].cards == [(0, card("R9")), (1, card("R1")), (2, card("R13"))]
    assert (now.gains, now.totals, now.ended) == ([-10, 20, -20], [-10, 20, -20], True)
    assert read_predictions([match], [2]) == [
        Prediction(
            match=0, round_number=1, size=3, seat=2, place=3, players=3, spare=1, bid=0, won=2
        )
    ]


def test_a_bid_that_nobody_may_see_is_not_told_before_the_points(dealt: Any) -> None:
    hands = "B13 B2 R9  B5 G4 R1  B7 R13 G8", "G6"
    match = dealt(*hands, bid_mode="secret")
    for seat, bid in ((1, 0), (0, 2), (2, 1)):
        match.play(seat, bid)
    (now,) = read_rounds(match)
    assert [(bid.number, bid.place) for bid in now.bids] == [(SEALED, 0)] * 3
    tricks(match, "B13 B5 B7 R9 R1 R13")
    assert read_rounds(match)[0].lost_in(0) == 0
    tricks(match, "G8 B2 G4")
    (now,) = read_rounds(match)
    assert {bid.seat: bid.number for bid in now.bids} == {0: 2, 1: 0, 2: 1}
    assert now.lost_in(0) == 3
    hidden = dealt(*hands, bid_mode="hidden")
    for seat, bid in ((1, 0), (0, 2), (2, 1)):
        assert all(bid.number == SEALED for bid in read_rounds(hidden)[0].bids)
        hidden.play(seat, bid)
    assert {bid.seat: bid.number for bid in read_rounds(hidden)[0].bids} == {0: 2, 1: 0, 2: 1}


def test_bids_in_vain_are_forgotten(dealt: Any) -> None:
    match = dealt(
        "B13 B2 R9  B5 G4 R1  B7 R13 G8",
        "G6",
        bid_mode="hidden",
        bid_rule="sum_must_differ",
        hidden_sum_conflict="rebid",
    )
    for seat, bid in ((0, 1), (1, 1), (2, 1), (2, 3)):
        match.play(seat, bid)
    (now,) = read_rounds(match)
    assert [bid.seat for bid in now.bids] == [2]


# Any match, counted on its own


class Counted:
    """What the states of a match say, action by action."""

    def __init__(self, match: Match) -> None:
        self.bids: dict[int, list[int]] = {}
        self.won: dict[int, list[int]] = {}
        self.points: dict[int, list[int]] = {}
        self.tricks: dict[int, list[tuple[list[int], int]]] = {}
        self.barred: dict[int, set[int]] = {}
        replay(match.record(), game=match.game, watch=self.look)
        self.look(match, TABLE, NEXT_ROUND)

    def look(self, now: Match, seat: int, action: Any) -> None:
        state, n = now.state, now.game.players
        if state.phase == "bid" and seat == state.dealer and now.game.options.bid_mode == "open":
            self.barred[state.round] = {*range(state.size + 1)} - {
                *now.game.legal_actions(state, seat)
            }
        if state.phase in ("scored", "over"):
            self.bids[state.round], self.won[state.round] = [*state.bids], [*state.won]
            self.points[state.round] = [*state.points]
            self.tricks[state.round] = [
                ([*state.played[n * at : n * at + n]], taker)
                for at, taker in enumerate(state.takers)
            ]


EVERYTHING: list[dict[str, Any]] = [
    {"short_game": 7},
    {"short_game": 6, "bid_rule": "sum_must_differ", "hawk_eye": True},
    {"bid_rule": "sum_must_differ_leader_only", "short_game": 7},
    {"short_game": 6, "bid_rule": "adjust_tricks", "bid_mode": "secret"},
    {
        "short_game": 5,
        "bid_mode": "hidden",
        "bid_rule": "sum_must_differ",
        "hidden_sum_conflict": "rebid",
    },
    {"rounds": (3, 20, 1), "hit": 7, "miss": 0},
]


@pytest.mark.parametrize("options", EVERYTHING, ids=str)
def test_the_rounds_are_those_of_the_states(options: dict[str, Any]) -> None:
    barred = 0
    for seed in range(3):
        kinds = [STRATEGIES[(seed + seat) % len(STRATEGIES)] for seat in range(3)]
        match = play_out(Wizard(3, Options(**options)), kinds, seed)
        told, found = Counted(match), read_rounds(match)
        assert [now.number for now in found] == list(told.bids)
        for now in found:
            bids = {bid.seat: bid for bid in now.bids}
            assert [bids[seat].number for seat in range(3)] == told.bids[now.number]
            assert [now.won(seat) for seat in range(3)] == told.won[now.number]
            assert now.totals == told.points[now.number]
            assert [
                ([each for _, each in trick.cards], trick.taker) for trick in now.tricks
            ] == told.tricks[now.number]
            assert now.spare == len(now.tricks) - sum(told.bids[now.number])
            for trick in now.tricks:
                trump = COLOURS[now.trump] if now.trump != NOTHING else ""
                place = oracle.winner([letters(each) for _, each in trick.cards], trump)
                assert trick.cards[place] == (trick.taker, trick.best)
            for seat in range(3):
                assert now.lost_in(seat) == lost(told, now.number, seat)
                assert {bids[seat].barred} - {NOTHING} == (
                    told.barred.get(now.number, set()) if seat == now.dealer else set()
                )
                barred += bids[seat].barred != NOTHING
            if options.get("bid_mode", "open") == "open":
                order = [bid.seat for bid in sorted(now.bids, key=lambda bid: bid.place)]
                assert order == [(now.dealer + place) % 3 for place in (1, 2, 3)]
                assert [bid.before for bid in now.bids] == [
                    sum(bids[seat].number for seat in order[:place]) for place in range(3)
                ]
    assert (barred > 0) == (
        options.get("bid_rule", "").startswith("sum") and "bid_mode" not in options
    )


def lost(told: Counted, number: int, seat: int) -> int:
    """Return the first trick after which no way of going on ends on the bid."""
    takers = [taker for _, taker in told.tricks[number]]
    for place in range(1, len(takers) + 1):
        won, left = takers[:place].count(seat), len(takers) - place
        if told.bids[number][seat] not in {won + more for more in range(left + 1)}:
            return place
    return 0


def test_a_named_trump_is_told() -> None:
    matches = [Match(Wizard(3), seed) for seed in range(60)]
    (match, *_) = [each for each in matches if each.state.phase == "trump"]
    assert read_rounds(match)[0].trump == NOTHING
    play(match, 3)
    assert read_rounds(match)[0].trump == 3
    assert is_wizard(read_rounds(match)[0].turned)


def test_choices_are_those_of_the_log_with_what_was_seen() -> None:
    match = play_out(Wizard(4, Options(short_game=4)), [AtRandom] * 4, "seed")
    mine = read_decisions(match, [1, 2])
    assert [(each.seat, each.action) for each in mine] == [
        entry for entry in match.log if entry[0] in (1, 2)
    ]
    assert all(each.seen.seat == each.seat and each.action in each.seen.legal for each in mine)


# Many bids


def test_predictions_of_many_matches_are_those_of_each() -> None:
    game = Wizard(4, Options(short_game=4))
    matches = [play_out(game, [AtRandom] * 4, seed) for seed in range(4)]
    half = replay(matches[3].record(), upto=len(matches[3].log) // 2, game=game)
    made = read_predictions([*matches[:3], half])
    assert Counter(each.match for each in made)[0] == 16 > Counter(each.match for each in made)[3]
    assert made == [
        each._replace(match=place)
        for place, match in enumerate([*matches[:3], half])
        for each in read_predictions([match])
    ]
    told = Counter(
        event.text for match in [*matches[:3], half] for events in match.events for event in events
    )
    assert share_met(made) == Share(told["score.met"], told["score.met"] + told["score.missed"])
    assert read_predictions(matches, [0, 3]) == [
        each for each in read_predictions(matches) if each.seat in (0, 3)
    ]


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # Newcombe, R. G. (1998), "Two-sided confidence intervals for the single proportion: comparison
    # of seven methods", Statistics in Medicine 17, 857-872, table I, method 3
    [(81, 263, 25.53, 36.62), (15, 148, 6.24, 16.05), (0, 20, 0, 16.11), (1, 29, 0.61, 17.18)],
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert Share(hits, of).interval == pytest.approx((low, high), abs=0.006)


@pytest.mark.parametrize(("hits", "of"), [(0, 1), (1, 1), (2, 5), (7, 20), (60, 90)])
def test_the_interval_holds_the_shares_from_which_the_count_is_not_too_far(
    hits: int, of: int
) -> None:
    """Its ends solve ``|hits / of - p| = z * sqrt(p (1 - p) / of)``: the test that Wilson turned
    round.
    """
    low, high = (end / 100 for end in Share(hits, of).interval)
    for p in (low, high):
        assert abs(hits / of - p) == pytest.approx(Z * sqrt(p * (1 - p) / of), abs=1e-9)
    assert low <= hits / of <= high
    assert Share(0, 0).interval == (0, 100)


def test_who_leads() -> None:
    assert leaders([10, 30, 30]) == [1, 2]
    assert leaders([-10, -30]) == [0]
