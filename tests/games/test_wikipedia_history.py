"""What happened in a match: of hand-made matches, and numbers that add up in any match."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from coursekit.arena import duplicate
from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after.history import (
    LEFT,
    LIMIT,
    MENDED,
    RIGHT,
    STANDSTILL,
    Round,
    Use,
    Vandalism,
    find_cured,
    length,
    read_decisions,
    read_rounds,
    uses,
    vandalism,
)
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    GIVE_UP,
    LEAVE,
    NEXT,
    REVISE,
    ROLL,
    SCHOLAR,
    STUDENT,
    USE,
    VANDAL,
    WIKI,
)
from coursekit.games.wikipedia.strategies import STRATEGIES


class Dice:
    """Chance that throws these faces."""

    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)

    def random(self) -> float:
        return (self.faces.pop(0) - 0.5) / 6


def rigged(players: int, hand: str, roles: str, *faces: int, **options: Any) -> Match:
    """Return a match that seat 0 begins, everybody holding *hand*, with these *roles* (S or T) and
    dice.
    """
    game = Wikipedia(players, Options(reshuffle="lazy", **options))
    wanted = [SCHOLAR if role == "S" else STUDENT for role in roles]
    seeds = (str(number) for number in range(10_000))
    dealt = (Match(game, seed) for seed in seeds)
    match = next(each for each in dealt if each.state.roles == wanted and each.state.starter == 0)
    kinds = {"W": WIKI, "B": BOOK, "R": REVISE, "V": VANDAL, "U": USE}
    match.state.hands = [sorted(kinds[letter] for letter in hand) for _ in range(players)]
    match._rng = Dice(*faces)  # type: ignore[assignment]
    return match


def play(match: Match, *actions: str) -> Match:
    for action in actions:
        match.play(match.game.to_act(match.state)[0], action)
    return match


# Hand-made


def test_a_round_without_trouble() -> None:
    match = play(rigged(2, "WUVRB", "TT", 5), WIKI, USE, "discard book", ROLL)
    (before,) = read_rounds(match)
    assert (before.ended, before.points) == (
        RIGHT,
        [0, 0],
    )  # the points are given when the table goes on
    match._rng = stream("anything", "chance")
    play(match, NEXT)
    first, second = read_rounds(match)
    assert first == Round(
        number=1,
        starter=0,
        points=[0, 1],
        roles=[STUDENT, STUDENT],
        as_author=[0, 0],
        work=WIKI,
        author=0,
        written=1,
        uses=[Use(1, 2)],
        turns=4,
        user=1,
        die=5,
        ended=RIGHT,
    )
    assert (second.number, second.starter, second.turns, second.ended) == (2, 1, 0, "")


def test_a_book_brings_its_author_a_point_too() -> None:
    match = play(
        rigged(2, "BUVRR", "ST", 1, 1, points_to_win=1),
        BOOK,
        USE,
        "discard revise",
        ROLL,
        REVISE,
        NEXT,
    )
    (only,) = read_rounds(match)
    assert (only.work, only.user, only.author, only.die, only.ended, only.points) == (
        BOOK,
        1,
        0,
        1,
        MENDED,
        [1, 1],
    )
    assert (only.as_author, only.wrong) == ([1, 0], True)
    assert match.over


def test_what_is_not_mended_brings_nothing() -> None:
    match = play(rigged(2, "WUVRB", "TT", 4, laps_limit=5), WIKI, USE, "discard book", ROLL, LEAVE)
    assert (read_rounds(match)[0].ended, read_rounds(match)[0].die) == (LEFT, 4)


def test_vandalism_is_timed_in_laps_until_it_is_cured_or_the_use_given_up() -> None:
    match = play(rigged(2, "WUVRB", "TT"), WIKI, VANDAL, "discard book", "discard book", REVISE)
    (now,) = read_rounds(match)
    assert now.vandalisms == [
        Vandalism(by=1, turn=2, fate="cured", laps=1.5, cured_by=0, role=STUDENT)
    ]
    play(match, USE, VANDAL)
    assert read_rounds(match)[0].vandalisms[1:] == [Vandalism(by=0, turn=7, against_use=True)]
    card = match.state.hands[1][0]
    play(match, GIVE_UP, f"discard {card}")
    (now,) = read_rounds(match)
    assert now.vandalisms[1:] == [
        Vandalism(by=0, turn=7, against_use=True, fate="given_up", laps=0.5)
    ]
    assert (now.uses, now.turns) == ([Use(1, 6, cures=1, spoilt=True, given_up=True)], 8)
    assert find_cured([now]) == now.vandalisms[:1]


def test_a_scholar_who_cures_is_told_as_a_scholar() -> None:
    match = play(rigged(2, "WUVRB", "ST"), WIKI, VANDAL, REVISE)
    assert read_rounds(match)[0].vandalisms == [
        Vandalism(by=1, turn=2, fate="cured", laps=0.5, cured_by=0, role=SCHOLAR)
    ]


def test_curing_and_scoring_in_one_turn_is_one_turn() -> None:
    match = rigged(2, "WUVRB", "TT", 6, cure_then_score=True)
    play(match, WIKI, USE, VANDAL, REVISE, ROLL)
    (now,) = read_rounds(match)
    assert (now.turns, now.ended) == (4, RIGHT)


def test_a_standstill_ends_a_round_and_the_next_one_counts_from_its_first_turn() -> None:
    match = play(rigged(2, "WUVRB", "TT", stall_guard_laps=1), WIKI)
    match._rng = stream("anything", "chance")
    for _ in range(2):
        play(match, f"discard {match.state.hands[match.state.turn][0]}")
    first, second = read_rounds(match)
    assert (first.ended, first.turns, second.turns) == (STANDSTILL, 3, 0)
    play(match, match.game.legal_actions(match.state, 0)[0])
    assert read_rounds(match)[1].turns == 1


def test_choices_tell_what_could_have_been_done() -> None:
    match = play_out(Wikipedia(2, Options(points_to_win=5)), [AtRandom, AtRandom], "seed")
    mine = read_decisions(match, [0])
    assert [(each.seat, each.action) for each in mine] == [
        entry for entry in match.log if entry[0] == 0
    ]
    assert all(each.action in each.seen.legal for each in mine)
    assert {each.seen.phase for each in mine} >= {"write", "move", "roll"}
    assert [each.seen.round for each in mine] == sorted(each.seen.round for each in mine)
    assert mine[-1].seen.round == match.state.round


def test_choices_of_a_match_that_went_on_from_an_earlier_moment() -> None:
    match = play_out(Wikipedia(2, Options(points_to_win=9)), [AtRandom, AtRandom], "seed")
    fork = match.fork(10, "other")
    for _ in range(30):
        (seat,) = fork.game.to_act(fork.state)
        fork.play(seat, fork.game.legal_actions(fork.state, seat)[0])
    assert [(each.seat, each.action) for each in read_decisions(fork, [0, 1, TABLE])] == fork.log


# What adds up in every match


@pytest.mark.parametrize("players", [2, 4, 6, 8])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cure_then_score": True, "refill": "optional_own_turn", "open_discards": True},
        {"laps_limit": 12, "score_optional": True, "forced_write": False},
        {"stall_guard_laps": 1, "wiki_wrong": 6, "wiki_repair": 3},
    ],
)
def test_everything_adds_up(players: int, options: dict[str, Any]) -> None:
    game = Wikipedia(players, Options(points_to_win=4, **options))
    kinds = [*STRATEGIES, AtRandom]
    endings: Counter[str] = Counter()
    for seed in range(12):
        match = play_out(game, [kinds[(seed + seat) % len(kinds)] for seat in range(players)], seed)
        found = read_rounds(match)
        assert [each.number for each in found] == list(range(1, match.state.round + 1))
        assert [
            sum(each.points[seat] for each in found) for seat in game.seats
        ] == match.state.points
        assert sum(each.turns for each in found) == match.state.turns
        assert sum(each.die > 0 for each in found) == sum(action == ROLL for _, action in match.log)
        played = Counter(action for _, action in match.log)
        assert sum(len(each.uses) for each in found) == played[USE]
        assert sum(len(each.vandalisms) for each in found) == played[VANDAL]
        assert sum(len(each.given_up) for each in found) == played[GIVE_UP]
        assert sum(each.work != "" for each in found) == played[WIKI] + played[BOOK]
        for each in found:
            check_round(game, each)
            endings[each.ended] += 1
        for now, after in pairwise(found):
            assert after.starter == (now.starter if now.ended == STANDSTILL else now.user)
    assert endings[RIGHT]
    assert endings[STANDSTILL] or "stall_guard_laps" not in options
    assert endings[LIMIT] or "laps_limit" not in options


def check_round(game: Wikipedia, each: Round) -> None:
    """Check what must hold in a finished round."""
    scored = each.ended in (RIGHT, MENDED)
    assert sum(each.points) == scored * (2 if each.work == BOOK else 1)
    assert (each.user >= 0) == (each.die > 0) == (
        each.ended in (RIGHT, MENDED, LEFT)
    ) or each.ended == LIMIT
    if scored:
        wrong = each.die <= game.wrong[each.work]
        assert wrong == (each.ended == MENDED)
        assert each.points[each.user] >= 1
    if each.ended in (RIGHT, MENDED, LEFT):
        assert len(each.uses) == len(each.given_up) + 1
    if each.vandalisms:
        assert each.work == WIKI
    for spoilt in each.vandalisms:
        assert each.roles[spoilt.by] == STUDENT
        if spoilt.laps is not None:
            assert spoilt.laps > 0
            assert spoilt.turn + spoilt.laps * game.players <= each.turns
        if spoilt.role:
            assert each.roles[spoilt.cured_by] == spoilt.role
    for before, after in pairwise(each.vandalisms):
        assert before.laps is not None
        assert before.turn + before.laps * game.players <= after.turn


def test_statistics_count_the_same_as_the_rounds_and_can_be_collected() -> None:
    def everything(match: Match) -> dict[str, list[float]]:
        return {**length(match), **vandalism(match), **uses(match)}

    class Spoiler(AtRandom):
        def move(self, obs: Any) -> str:
            return VANDAL if VANDAL in obs.legal else self.anything(obs)

    class Meek(AtRandom):
        def move(self, obs: Any) -> str:
            return next(action for action in obs.legal if action != VANDAL)

    game = Wikipedia(4)
    match = play_out(game, [Spoiler, Meek, Spoiler, Meek], "5/0")
    found, numbers = read_rounds(match), everything(match)
    assert numbers["rounds"] == [match.state.round] * 4
    assert numbers["laps"] == [match.state.turns / 4] * 4
    wikis = [each for each in found if each.work == WIKI]
    by = Counter(seat for each in wikis for seat in {spoilt.by for spoilt in each.vandalisms})
    assert numbers["vandalised"] == [100 * by[seat] / len(wikis) for seat in range(4)]
    assert numbers["vandalised"][1] == numbers["vandalised"][3] == 0
    assert max(numbers["vandalised"]) > 0
    for seat in range(4):
        mine = [each for each in found for use in each.uses if use.seat == seat]
        good = sum(each.user == seat and each.ended in (RIGHT, MENDED) for each in found)
        assert numbers["uses_scored"][seat] == (100 * good / len(mine) if mine else 0)
    result = duplicate(
        game, [Spoiler, Meek], deals=3, seed=5, statistics=everything, progress=False
    )
    assert result.mean("Meek", "vandalised") == 0 < result.mean("Spoiler", "vandalised")
    assert result.mean("Meek", "spoilt") > 0
