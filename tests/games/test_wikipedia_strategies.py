"""Each strategy of Wikipedia and Books shows its idea on a fixed observation, and plays under every
option.
"""

from typing import Any

import pytest

from coursekit.arena import duplicate
from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    DISCARD,
    GIVE_UP,
    LEAVE,
    REFILL,
    REVISE,
    SCHOLAR,
    STUDENT,
    USE,
    VANDAL,
    WIKI,
)
from coursekit.games.wikipedia.rules.state import Observation
from coursekit.games.wikipedia.strategies import (
    STRATEGIES,
    CarefulScholar,
    Character,
    Editor,
    HonestStudent,
    Vandal,
    least_useful,
)

NAMED = STRATEGIES[1:]
CARDS = (BOOK, REVISE, USE, VANDAL, WIKI)


def observed(players: int = 2, options: Options | None = None, **known: Any) -> Observation:
    """Return what seat 0, a student, sees with all *known*; what it may do follows by the rules."""
    game = Wikipedia(players, options)
    state = game.initial_state(stream("test", "chance"))
    state.turn, state.roles, state.quiet = 0, [STUDENT] * players, 1
    state.hands[0] = sorted(known.pop("hand", CARDS))
    for name, value in known.items():
        setattr(state, name, value)
    if "phase" not in known:
        state.phase = "cure" if state.vandal >= 0 else "move" if state.work else "write"
    return game.observe(state, 0)


def decision(
    kind: type[Strategy], players: int = 2, options: Options | None = None, **known: Any
) -> Any:
    obs = observed(players, options, **known)
    action = kind(stream("test", "seat 0"), Wikipedia(players, options)).decide(obs)
    assert action in obs.legal
    return action


# The characters


def test_an_honest_student_writes_wikipedia_and_a_careful_scholar_books() -> None:
    roles = [SCHOLAR, STUDENT]
    assert decision(HonestStudent, roles=roles) == WIKI
    assert decision(CarefulScholar, roles=roles) == decision(Editor, roles=roles) == BOOK


def test_an_honest_student_uses_at_once_and_never_vandalises() -> None:
    assert decision(HonestStudent, work=WIKI, author=1) == USE
    assert decision(HonestStudent, work=WIKI, author=1, hand=(VANDAL, VANDAL)) == DISCARD[VANDAL]
    assert decision(HonestStudent, work=WIKI, author=0, user=1) != VANDAL


def test_an_honest_student_cures_and_mends_for_everybody() -> None:
    assert decision(HonestStudent, work=WIKI, author=1, user=1, vandal=1) == REVISE
    assert decision(HonestStudent, work=WIKI, author=1, user=0, phase="repair") == REVISE


def test_a_vandal_vandalises_first_and_uses_what_it_cannot_vandalise() -> None:
    assert decision(Vandal, work=WIKI, author=1) == VANDAL
    assert decision(Vandal, work=BOOK, author=1) == USE


def test_a_vandal_lets_the_use_of_others_fail_and_saves_its_own() -> None:
    assert decision(Vandal, work=WIKI, author=0, user=1, vandal=0).startswith("discard")
    assert decision(Vandal, work=WIKI, author=1, user=0, vandal=1) == REVISE
    assert decision(Vandal, work=WIKI, author=1, user=0, vandal=1, hand=(USE, WIKI)) == GIVE_UP
    assert decision(Vandal, work=WIKI, author=1, vandal=1) == REVISE  # to use it itself
    assert decision(Vandal, work=WIKI, author=1, vandal=0).startswith("discard")


@pytest.mark.parametrize(("work", "enough"), [(WIKI, 1), (BOOK, 2)])
def test_a_careful_scholar_uses_only_what_it_could_mend(work: str, enough: int) -> None:
    hand = (USE, *[REVISE] * enough)
    assert decision(CarefulScholar, work=work, author=1, hand=hand) == USE
    assert decision(CarefulScholar, work=work, author=1, hand=hand[:-1]).startswith("discard")


def test_a_careful_scholar_knows_what_mending_costs_by_other_rules() -> None:
    known: dict[str, Any] = {"work": WIKI, "author": 1, "options": Options(wiki_repair=3)}
    assert decision(CarefulScholar, hand=(REVISE, REVISE, REVISE, USE), **known) == USE
    assert decision(CarefulScholar, hand=(REVISE, REVISE, USE, WIKI), **known) == DISCARD[REVISE]


def test_a_careful_scholar_does_not_wait_for_ever() -> None:
    known: dict[str, Any] = {"work": BOOK, "author": 1, "hand": (USE, WIKI)}
    laps = CarefulScholar.PATIENCE
    assert decision(CarefulScholar, quiet=2 * laps, **known) != USE
    assert decision(CarefulScholar, quiet=2 * laps + 1, **known) == USE


# The Editor


def test_an_editor_uses_first_even_a_book_of_the_others_and_at_poor_odds() -> None:
    assert decision(Editor, work=BOOK, author=1, hand=(USE, WIKI)) == USE
    assert decision(Editor, work=WIKI, author=1, hand=(USE, VANDAL)) == USE


def test_an_editor_does_not_use_what_cannot_score() -> None:
    """Wikipedia is always wrong here, and takes two REVISE to mend; one may still be drawn."""
    known: dict[str, Any] = {
        "work": WIKI,
        "author": 1,
        "options": Options(wiki_wrong=6, wiki_repair=2),
    }
    assert decision(Editor, hand=(BOOK, USE, WIKI), **known) == DISCARD[WIKI]
    assert decision(Editor, hand=(REVISE, USE, WIKI), **known) == USE
    assert (
        decision(Editor, hand=(BOOK, USE, WIKI), quiet=13, **known) == USE
    )  # so that the 局 ends some day


def test_an_editor_blocks_the_use_of_others_and_not_that_of_its_partner() -> None:
    assert decision(Editor, work=WIKI, author=1, user=1) == VANDAL
    assert decision(Editor, players=4, work=WIKI, author=1, user=2).startswith("discard")


def test_an_editor_without_use_blocks_everybody() -> None:
    assert decision(Editor, work=WIKI, author=1, hand=(BOOK, REVISE, VANDAL)) == VANDAL


def test_an_editor_cures_for_its_own_side_only() -> None:
    assert decision(Editor, work=WIKI, author=1, user=0, vandal=1) == REVISE
    assert decision(Editor, players=4, work=WIKI, author=1, user=2, vandal=1) == REVISE
    assert decision(Editor, work=WIKI, author=0, user=1, vandal=0) == DISCARD[WIKI]


def test_an_editor_cures_a_free_work_only_with_a_revise_to_spare_or_after_a_long_wait() -> None:
    known: dict[str, Any] = {"work": WIKI, "author": 1}
    assert decision(Editor, vandal=1, hand=(REVISE, USE, WIKI), **known) == DISCARD[WIKI]
    assert decision(Editor, vandal=1, hand=(REVISE, REVISE, USE), **known) == REVISE
    assert (
        decision(Editor, vandal=0, hand=(REVISE, REVISE, USE), **known) == DISCARD[REVISE]
    )  # let them cure it
    assert decision(Editor, vandal=0, hand=(REVISE, USE, WIKI), quiet=13, **known) == REVISE


def test_an_editor_does_not_mend_a_book_for_the_others() -> None:
    known: dict[str, Any] = {"user": 0, "phase": "repair", "hand": (REVISE, REVISE)}
    assert decision(Editor, work=BOOK, author=1, **known) == LEAVE
    assert (
        decision(Editor, work=BOOK, author=0, **known)
        == decision(Editor, work=WIKI, author=1, **known)
        == REVISE
    )
    assert decision(Editor, players=4, work=BOOK, author=2, **known) == REVISE  # its partner's
    assert (
        decision(Editor, players=6, work=BOOK, author=1, **known) == REVISE
    )  # a point against one of two others


def test_an_editor_throws_works_away_first_then_what_it_has_most_of() -> None:
    drop: dict[str, Any] = {"phase": "drop", "work": WIKI, "author": 1}
    assert decision(Editor, hand=CARDS, **drop) == DISCARD[WIKI]
    assert decision(Editor, hand=(BOOK, REVISE, REVISE, REVISE, USE), **drop) == DISCARD[BOOK]
    assert decision(Editor, hand=(REVISE, USE, USE, VANDAL), **drop) == DISCARD[USE]
    assert decision(Editor, hand=(REVISE, REVISE, USE, VANDAL), **drop) == DISCARD[REVISE]


# All


def test_the_least_useful_card_is_one_of_the_most_frequent() -> None:
    assert least_useful((BOOK, USE, USE, WIKI), (USE, BOOK, WIKI)) == USE
    assert least_useful((BOOK, USE, WIKI), (USE, BOOK, WIKI)) == WIKI


@pytest.mark.parametrize("kind", NAMED)
def test_a_small_hand_is_filled_up_when_one_may(kind: type[Character]) -> None:
    options = Options(refill="optional_own_turn", hand_min=4)
    assert decision(kind, options=options, work=WIKI, author=1, hand=(USE, WIKI)) == REFILL


def lineups(players: int) -> list[list[type[Strategy]]]:
    """Return every strategy among its own kind, and all of them together."""
    alike = [[kind] * players for kind in NAMED]
    return [
        *alike,
        *([STRATEGIES[(seat + first) % 5] for seat in range(players)] for first in range(5)),
    ]


@pytest.mark.parametrize("players", [2, 4, 6, 8])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"strict_discard": True, "tie": "sudden_death", "open_discards": True},
        {
            "cure_then_score": True,
            "score_optional": True,
            "forced_write": False,
            "reshuffle": "lazy",
        },
        {
            "refill": "optional_own_turn",
            "refill_check": "before_draw",
            "hand_min": 4,
            "tie": "scorer",
        },
        {"stall_guard_laps": 0},
    ],
    ids=str,
)
def test_matches_end_long_before_the_limit_of_laps(players: int, options: dict[str, Any]) -> None:
    game = Wikipedia(players, Options(points_to_win=5, **options))
    for lineup in lineups(players):
        state = play_out(game, lineup, "ends").state
        assert state.turns < game.options.laps_limit * players / 2, lineup
        assert max(state.points) > 0


@pytest.mark.parametrize("players", [2, 4, 6, 8])
@pytest.mark.parametrize(
    "options",
    [
        {
            "wiki_wrong": 6,
            "wiki_repair": 3,
            "book_wrong": 5,
            "book_repair": 4,
            "scholar_must_repair_at_scoring": False,
        },
        {"scholars": 0, "revise": 3, "vandal": 15, "stall_guard_laps": 0},
        {"students": 0, "scholars": 4, "wiki": 0, "hand_min": 5},
        {"use": 1, "start": 2, "hand_min": 0},
        {"revise": 0},
    ],
    ids=str,
)
def test_strategies_can_play_where_points_are_rare(players: int, options: dict[str, Any]) -> None:
    game = Wikipedia(players, Options(laps_limit=60, **options))
    for lineup in lineups(players):
        assert play_out(game, lineup, "rare").over


def test_none_of_them_leaves_anything_to_chance() -> None:
    """Only the default plays at random; with the same cards a named one always does the same."""
    for kind in NAMED:
        game = Wikipedia(2)
        match = play_out(game, [kind, kind], "same")
        state = game.initial_state(stream("same", "chance"))
        rng, players = (
            stream("other", "chance"),
            [kind(stream(str(seat), "x"), game) for seat in game.seats],
        )
        for seat, action in match.log[:20]:
            if seat == TABLE or action == "roll":
                break
            assert players[seat].decide(game.observe(state, seat)) == action
            game.apply(state, seat, action, rng)


# Strength; the full measurement with intervals is in benchmarks


@pytest.mark.parametrize("weaker", [AtRandom, HonestStudent, CarefulScholar, Vandal])
def test_the_editor_wins(weaker: type[Strategy]) -> None:
    result = duplicate(Wikipedia(2), [Editor, weaker], deals=40, seed=1, progress=False)
    assert result.mean(Editor, "wins") - result.interval(Editor, "wins") > 75


@pytest.mark.parametrize("players", [4, 6, 8])
def test_the_editor_wins_in_teams(players: int) -> None:
    for weaker in STRATEGIES[:-1]:
        kinds = [Editor, weaker, weaker] if players == 6 else [Editor, weaker]
        result = duplicate(Wikipedia(players), kinds, deals=8, seed=1, progress=False)
        assert result.mean(Editor, "points") > 1.2 * result.mean(weaker, "points")


def test_everybody_beats_chance() -> None:
    for kind in NAMED:
        result = duplicate(Wikipedia(2), [kind, AtRandom], deals=20, seed=1, progress=False)
        assert result.mean(kind, "wins") - result.interval(kind, "wins") > 75
