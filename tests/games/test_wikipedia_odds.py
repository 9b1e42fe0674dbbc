"""The odds of Wikipedia and Books: worked out by hand, and counted in plays by the real rules."""

from fractions import Fraction
from itertools import combinations
from math import sqrt
from random import Random
from typing import Any

import pytest

from coursekit.core.chance import shuffle
from coursekit.core.game import TABLE
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    DISCARD,
    KINDS,
    LEAVE,
    NUMBER,
    REVISE,
    ROLL,
    SCHOLAR,
    STUDENT,
    USE,
    VANDAL,
    WIKI,
)
from coursekit.games.wikipedia.rules.inference import list_unseen
from coursekit.games.wikipedia.rules.state import State

GAME = Wikipedia(2)
HAND = (BOOK, BOOK, USE, VANDAL, WIKI)


def position(
    game: Wikipedia,
    hand: tuple[str, ...],
    work: str,
    role: str,
    rng: Random,
    seen: tuple[str, ...] = (),
) -> State:
    """Return a moment at which seat 0, a *role* with that *hand*, may use the *work* of seat 1.

    All have *seen* such cards go to the discards.
    """
    state, cards = game.initial_state(rng), game.cards[:]
    state.seen = [seen.count(kind) for kind in KINDS]
    for card in (*hand, work, *seen):
        cards.remove(card)
    shuffle(rng, cards)
    state.hands = [sorted(hand), sorted(cards[:5])]
    state.deck = cards[5:]
    state.phase, state.starter, state.turn, state.work, state.author = "move", 1, 0, work, 1
    state.roles = [role, SCHOLAR]
    return state


def use_scores(game: Wikipedia, state: State, willing: bool, rng: Random) -> bool:
    """Return whether seat 0 scores by throwing the die, and mending if it must or is *willing*."""
    before = state.points[0]
    game.apply(state, 0, ROLL, rng)
    if state.phase == "repair":
        legal = game.legal_actions(state, 0)
        game.apply(
            state, 0, REVISE if REVISE in legal and (willing or LEAVE not in legal) else LEAVE, rng
        )
    (action,) = game.legal_actions(state, TABLE)
    game.apply(state, TABLE, action, rng)
    return state.points[0] > before


def agree(chance: Fraction, happened: int, times: int) -> None:
    """Check that what *happened* so often lies within four standard deviations of the exact
    *chance*.
    """
    p = float(chance)
    assert abs(happened - times * p) <= 4 * sqrt(times * p * (1 - p)), (chance, happened / times)


# Worked out by hand


def test_rule_15_wikipedia_is_right_on_5_and_6_and_a_book_on_2_to_6() -> None:
    assert odds.scores(GAME, WIKI, 0) == Fraction(1, 3)
    assert odds.scores(GAME, BOOK, 0) == odds.scores(GAME, BOOK, 1) == Fraction(5, 6)


def test_rule_17_one_revise_mends_wikipedia_and_two_a_book() -> None:
    assert odds.scores(GAME, WIKI, 1) == odds.scores(GAME, BOOK, 2) == 1


def test_only_a_scholar_must_mend_what_it_would_rather_leave() -> None:
    assert odds.scores(GAME, WIKI, 1, role=STUDENT, willing=False) == Fraction(1, 3)
    assert odds.scores(GAME, WIKI, 1, role=SCHOLAR, willing=False) == 1
    free = Wikipedia(2, Options(scholar_must_repair_at_scoring=False))
    assert odds.scores(free, WIKI, 1, role=SCHOLAR, willing=False) == Fraction(1, 3)


def test_house_rules_change_the_odds() -> None:
    game = Wikipedia(2, Options(wiki_wrong=2, book_wrong=6, book_repair=1, wiki_repair=3))
    assert [odds.scores(game, WIKI, revise) for revise in (0, 2, 3)] == [
        Fraction(2, 3),
        Fraction(2, 3),
        1,
    ]
    assert [odds.scores(game, BOOK, revise) for revise in (0, 1)] == [0, 1]


def test_the_card_drawn_for_use_may_be_the_revise_that_mends() -> None:
    """39 cards are unseen (45, less the hand of 5 and the work), 9 of them REVISE; 1/3 + 9/39 *
    2/3.
    """
    state = position(GAME, HAND, WIKI, STUDENT, Random(1))
    obs = GAME.observe(state, 0)
    assert odds.draws(GAME, obs, REVISE) == Fraction(9, 39)
    assert odds.scores_after_draw(GAME, obs) == Fraction(1, 3) + Fraction(9, 39) * Fraction(2, 3)
    assert odds.scores_after_draw(GAME, obs, BOOK) == Fraction(5, 6)  # one drawn is one too few
    assert odds.scores_after_draw(GAME, obs, willing=False) == Fraction(1, 3)


def test_only_a_book_pays_its_author() -> None:
    assert odds.expected_points(WIKI, Fraction(1, 3)) == (Fraction(1, 3), 0)
    assert odds.expected_points(BOOK, Fraction(5, 6)) == (Fraction(5, 6), Fraction(5, 6))


def test_at_least_counts_every_choice_of_cards() -> None:
    for good, drawn, least in [(3, 2, 1), (3, 4, 2), (1, 3, 1), (0, 2, 1), (4, 3, 0), (2, 3, 3)]:
        hands = list(combinations([True] * good + [False] * (7 - good), drawn))
        assert odds.at_least(least, drawn, good, 7) == Fraction(
            sum(sum(hand) >= least for hand in hands), len(hands)
        )


@pytest.mark.parametrize("check", ["after_draw", "before_draw"])
@pytest.mark.parametrize("refill", ["auto", "optional_own_turn"])
def test_as_many_cards_are_drawn_as_by_the_rules(check: Any, refill: Any) -> None:
    game = Wikipedia(2, Options(hand_min=4, refill_check=check, refill=refill))
    for held in (2, 3, 4, 5):
        state = position(game, (USE, *HAND[: held - 1]), WIKI, STUDENT, Random(1))
        left = len(state.deck)
        game.apply(state, 0, USE, Random(1))
        assert left - len(state.deck) == odds.cards_to_draw(game, held)


@pytest.mark.parametrize("held", [2, 3, 4])
def test_a_hand_is_filled_up_later_where_the_rules_allow_it(held: int) -> None:
    game, hand = (
        Wikipedia(2, Options(hand_min=3, refill="optional_own_turn")),
        (USE, *HAND[: held - 1]),
    )
    before = position(game, hand, WIKI, STUDENT, Random(1))
    later = position(game, hand, WIKI, STUDENT, Random(1))
    later.phase, later.user = "roll", 0
    one = odds.draws(game, game.observe(before, 0), REVISE)
    without = one + (1 - one) * odds.right(game, WIKI)
    told = odds.scores_after_draw(game, game.observe(before, 0))
    assert (told > without) is ("refill" in game.legal_actions(later, 0))
    assert told >= without


# Counted


@pytest.mark.parametrize(
    "options", [{}, {"wiki_wrong": 3, "book_wrong": 4, "wiki_repair": 2, "book_repair": 1}], ids=str
)
@pytest.mark.parametrize("role", [SCHOLAR, STUDENT])
@pytest.mark.parametrize("willing", [True, False])
@pytest.mark.parametrize("work", [WIKI, BOOK])
def test_uses_score_as_often_as_computed(
    options: dict[str, Any], role: str, willing: bool, work: str
) -> None:
    game, rng, times = (
        Wikipedia(2, Options(**options)),
        Random(f"{options}{role}{willing}{work}"),
        400,
    )
    for revise in (0, 1, 2):
        happened = 0
        for _ in range(times):
            state = position(game, (*HAND[: 5 - revise], *[REVISE] * revise), work, role, rng)
            state.phase, state.user = "roll", 0
            happened += use_scores(game, state, willing, rng)
        agree(odds.scores(game, work, revise, role=role, willing=willing), happened, times)


@pytest.mark.parametrize(
    ("options", "hand", "work"),
    [
        ({}, HAND, WIKI),
        ({}, (REVISE, BOOK, USE, VANDAL, WIKI), BOOK),
        ({"wiki_wrong": 6, "revise": 15}, HAND, WIKI),
        (
            {"hand_min": 5, "refill_check": "before_draw", "book_wrong": 4},
            (REVISE, USE, WIKI),
            BOOK,
        ),
        ({"hand_min": 5, "book_wrong": 6, "start": 6}, (USE, VANDAL, WIKI), BOOK),
    ],
    ids=str,
)
def test_played_uses_score_as_often_as_computed(
    options: dict[str, Any], hand: tuple[str, ...], work: str
) -> None:
    game, rng, times = Wikipedia(2, Options(**options)), Random(f"{options}{work}"), 1500
    chance = odds.scores_after_draw(game, game.observe(position(game, hand, work, STUDENT, rng), 0))
    happened = 0
    for _ in range(times):
        state = position(game, hand, work, STUDENT, rng)
        game.apply(state, 0, USE, rng)
        game.apply(state, 1, DISCARD[state.hands[1][0]], rng)
        happened += use_scores(game, state, True, rng)
    agree(chance, happened, times)


@pytest.mark.parametrize("deck", [0, 2])
def test_what_is_drawn_once_the_discards_are_the_deck(deck: int) -> None:
    """Three cards are drawn, some from discards: a BOOK and a REVISE that all saw, the others seen
    by seat 1 alone.
    """
    game = Wikipedia(2, Options(reshuffle="lazy", hand_min=5, refill_check="before_draw"))
    rng, times, happened, chances = Random(deck), 3000, 0, set()
    for _ in range(times):
        state = position(game, (BOOK, USE, VANDAL, WIKI), WIKI, STUDENT, rng, seen=(BOOK, REVISE))
        while len(state.deck) > deck:
            state.thrown[1][NUMBER[state.deck.pop()]] += 1
        chances.add(odds.draws(game, game.observe(state, 0), REVISE, 2))
        game.apply(state, 0, USE, rng)
        happened += state.hands[0].count(REVISE) >= 2
    (chance,) = chances
    agree(chance, happened, times)


def test_who_had_to_cure_and_did_not_holds_no_revise_but_the_card_drawn_since() -> None:
    state = position(GAME, HAND, WIKI, STUDENT, Random(1))
    state.drawn[1] += 1
    state.ruled_out[5 + NUMBER[REVISE]] = state.drawn[1] - 1
    obs = GAME.observe(state, 0)
    assert odds.draws(GAME, obs, REVISE) == Fraction(9, 35)
    # Four cards of seat 1 cannot be REVISE; all other dealings are equally likely
    rng, times, happened, seen = Random(1), 4000, 0, list_unseen(obs, GAME.cards)
    fitting = 0
    for _ in range(20 * times):
        shuffle(rng, seen)
        if REVISE not in seen[:4]:
            fitting += 1
            happened += seen[4] == REVISE
    agree(Fraction(9, 35), happened, fitting)
    # and so deals resample
    guessed = sum(REVISE in GAME.resample(obs, rng).hands[1] for _ in range(times))
    agree(Fraction(9, 35), guessed, times)
