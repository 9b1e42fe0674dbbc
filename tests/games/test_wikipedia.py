"""The rules of 維基百科 vs 書籍: every sentence of the rulebook, every scenario and option of
rules/wikipedia.md.

Written in the letters of the specification: ``W B R V U`` are the cards WIKI, BOOK, REVISE, VANDAL
and USE, ``S`` and ``T`` scholar and student. ``"V"`` plays a card, ``"-V"`` discards it, a number
is what the die shows.
"""

import doctest
import inspect
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
import wikipedia_model as model
from lanes import some

from coursekit.core.chance import pick, random_below, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, IllegalAction
from coursekit.core.match import Match, replay
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.rules import game as rules
from coursekit.games.wikipedia.rules.cards import ACTIONS, KINDS, NEXT, ROLES
from coursekit.games.wikipedia.rules.state import NOBODY, State
from coursekit.testing import draw_game_with
from coursekit.words.texts import LANGUAGES, load_texts

CARDS = {"W": "wiki", "B": "book", "R": "revise", "V": "vandal", "U": "use"}
LETTER = {card: letter for letter, card in CARDS.items()}
ROLE = {"S": "scholar", "T": "student"}
WORDS = {"give-up": "give up"}
PLAYERS = Wikipedia.player_counts
PAGE = Path(__file__).parents[2] / "docs/teach/games/wikipedia.md"


def action_of(code: str) -> str:
    """Return the action of a code such as ``"V"``, ``"-V"``, ``"roll"`` or ``"give-up"``."""
    if code[0] == "-":
        return f"discard {CARDS[code[1]]}"
    return CARDS.get(code) or WORDS.get(code, code)


CODE = {
    action_of(code): code
    for code in [*CARDS, *("-" + card for card in CARDS), "roll", "leave", "refill"]
} | {
    "give up": "give-up",
    "next": "next",
}


class Shows(Random):
    """Chance with which the die shows one number, again and again."""

    die = 1

    def random(self) -> float:
        return (self.die - 0.5) / 6


def letters(hand: list[str]) -> str:
    return "".join(sorted(LETTER[card] for card in hand))


def rig(
    *hands: str,
    roles: str = "",
    work: str = "",
    author: int = 0,
    user: int = NOBODY,
    vandal: int = NOBODY,
    turn: int = 0,
    points: tuple[int, ...] = (),
    deck: str | None = None,
    players: int = 0,
    **options: Any,
) -> Match:
    """Return a match in which the seats hold *hands* and *turn* is to move.

    :param roles: one letter for each seat; scholars if left out.
    :param deck: the cards drawn next, the first drawn first; all other cards are discards then.
    """
    match = Match(Wikipedia(players or max(2, len(hands)), Options(**options)), "rig")
    state, n = match.state, match.game.players
    pool = Counter(match.game.cards)

    def take(cards: str) -> list[str]:
        taken = [CARDS[letter] for letter in cards]
        assert not Counter(taken) - pool, "there are not so many cards"
        pool.subtract(taken)
        return taken

    state.hands = [sorted(take(hand)) for hand in hands]
    state.work, state.author = (CARDS[work], author) if work else ("", NOBODY)
    state.user, state.vandal = user, vandal
    take(work + "U" * (user != NOBODY) + "V" * (vandal != NOBODY))
    top = take(deck or "")[::-1]
    rest = sorted(pool.elements())
    Random(1).shuffle(rest)
    while len(state.hands) < n:
        state.hands.append(sorted(rest.pop() for _ in range(5)))
    state.deck = top if deck is not None else rest
    state.seen = [rest.count(kind) if deck is not None else 0 for kind in KINDS]
    every_role = Counter(match.game.role_cards)
    state.roles = [ROLE[letter] for letter in (roles or "S" * n)]
    # More scholars than there are cards would be no position of a match, but they act alike.
    state.role_deck = sorted((every_role - Counter(state.roles)).elements())
    state.turn = state.starter = turn
    state.points = list(points or [0] * n)
    state.drawn = [len(hand) for hand in state.hands]
    state.phase = (
        "write" if not work else "cure" if vandal != NOBODY else "roll" if user == turn else "move"
    )
    return match


def play(match: Match, codes: str) -> Match:
    """Carry out *codes*, each by the seat that has to decide; a number throws the die."""
    for code in codes.split():
        seat = match.game.to_act(match.state)[0]
        if code.isdigit():
            kept, match._rng = match._rng, Shows()
            match._rng.die = int(code)
            match.play(seat, "roll")
            match._rng = kept
        else:
            match.play(seat, action_of(code))
    return match


def legal(match: Match) -> set[str]:
    """Return the codes of what may be done now, after asking about every action there is."""
    (seat,) = match.game.to_act(match.state)
    allowed = match.game.legal_actions(match.state, seat)
    for action in ACTIONS:
        assert (match.game.refusal(match.state, seat, action) is None) == (action in allowed)
    return {CODE[action] for action in allowed}


def why_not(match: Match, code: str, seat: int | None = None) -> tuple[str, str]:
    """Return the text and the rule of the refusal of *code*, which has to be refused and change
    nothing.
    """
    before = repr(match.state)
    with pytest.raises(IllegalAction) as refused:
        match.play(match.game.to_act(match.state)[0] if seat is None else seat, action_of(code))
    assert repr(match.state) == before
    assert all(refused.value.sentence(language) for language in LANGUAGES)
    return refused.value.refusal.text, refused.value.refusal.rule


def squares(match: Match) -> tuple[str, int, int]:
    """Return what lies on the table: the work, whose USE, whose VANDAL."""
    return LETTER.get(match.state.work, ""), match.state.user, match.state.vandal


def discarded(match: Match) -> str:
    """Return the discard pile, which nobody may look through."""
    state = match.state
    numbers = [
        state.seen[number] + sum(counts[number] for counts in state.thrown) for number in range(5)
    ]
    return letters(
        [kind for kind, number in zip(KINDS, numbers, strict=True) for _ in range(number)]
    )


def hand(match: Match, seat: int) -> str:
    return letters(match.state.hands[seat])


def every_card(state: State) -> list[str]:
    """Return all cards wherever they lie."""
    held = [card for each in state.hands for card in each]
    pile = [
        kind
        for counts in (state.seen, *state.thrown)
        for kind, count in zip(KINDS, counts)
        for _ in range(count)
    ]
    squares = (
        [state.work] * (state.work != "")
        + ["use"] * (state.user >= 0)
        + ["vandal"] * (state.vandal >= 0)
    )
    return sorted([*held, *pile, *squares, *state.deck])


def told(match: Match, seat: int | None, last: int = 1) -> list[str]:
    """Return the text ids that *seat* has read of the last actions."""
    return [event.text for events in match.events[-last:] for event in events if event.is_for(seat)]


def at_random(game: Wikipedia, seed: str) -> Any:
    """Play a match at random and yield it before every action, and once when it is over."""
    match, rng = Match(game, seed), stream(seed, "test")
    while deciding := game.to_act(match.state):
        yield match
        match.play(deciding[0], pick(rng, game.legal_actions(match.state, deciding[0])))
    yield match


# What there is


def test_a_set_has_nine_cards_of_each_of_five_kinds_and_three_scholars_and_five_students():
    game = Wikipedia(2)
    assert Counter(game.cards) == dict.fromkeys(KINDS, 9)
    assert Counter(game.role_cards) == {"scholar": 3, "student": 5}


@pytest.mark.parametrize("players", [0, 1, 3, 5, 7, 9, 10, -2, "2", 2.0, True, None])
def test_two_four_six_or_eight_play(players):
    with pytest.raises(
        OptionError, match=r"the number of players cannot be .*; allowed: 2, 4, 6, 8"
    ):
        Wikipedia(players)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_two_more_players_merge_one_more_set(players):  # A24: role cards, too
    game = Wikipedia(players)
    assert Counter(game.cards) == dict.fromkeys(KINDS, 9 * players // 2)
    assert Counter(game.role_cards) == {"scholar": 3 * players // 2, "student": 5 * players // 2}
    assert len(every_card(Match(game, 1).state)) == 45 * players // 2


# The words of the rulebook


def test_a_turn_is_one_player_doing_one_thing():
    match = rig("WWWWW", "WWWWR", turn=0, roles="TT")
    for number, code in enumerate(["W", "-R", "-W", "-W"], 1):
        play(match, code)
        assert (match.state.turns, match.state.turn) == (number, number % 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_lap_is_a_turn_of_everybody_in_clockwise_order(players):
    match = rig(*["WWWWU"[:5]] * 2, players=players, turn=1, roles="T" * players)
    seats = []
    for _ in range(2 * players):
        seats.append(match.state.turn)
        play(match, min(legal(match) - {"U", "V"}))
    assert seats == [(1 + place) % players for place in range(2 * players)]


def test_a_round_ends_with_a_scoring():
    match = rig("WWWWW", "UUUUU", roles="TT")
    play(match, "W U -W 5")
    assert match.state.round == 1
    play(match, "next")
    assert match.state.round == 2


@pytest.mark.parametrize("players", PLAYERS)
def test_a_round_holds_at_least_one_lap(players):
    """5.7: write, USE, everybody else, score: n + 2 turns."""
    match = rig("W" * 5, "UVVVV", players=players, roles="T" * players)
    play(match, "W U")
    for _ in range(players - 1):
        play(match, next(code for code in sorted(legal(match)) if code[0] == "-"))
    play(match, "5 next")
    assert (match.state.round, match.state.turns) == (2, players + 2)


def test_every_player_has_one_role_and_all_see_it():
    match = Match(Wikipedia(4), 3)
    for seat in (*match.game.seats, None):
        assert match.game.observe(match.state, seat).roles == tuple(match.state.roles)
    assert set(match.state.roles) <= set(ROLES)


def test_all_players_together_have_one_work_one_use_and_one_vandal_at_most():
    match = play(rig("WBVVU", "WVUUR", "WBUVR", "WBUVR", roles="STTT"), "W U V")
    assert squares(match) == ("W", 1, 2)
    assert {"W", "B", "U", "V"} & legal(match) == set()


def test_hands_are_between_three_and_six_cards_and_only_the_own_player_sees_them():
    match = Match(Wikipedia(4), 5)
    for seat in (*match.game.seats, None):
        seen = match.game.observe(match.state, seat)
        assert seen.hand == (tuple(match.state.hands[seat]) if seat is not None else ())
        assert seen.held == (5, 5, 5, 5)
        assert not seen.open_hands
        assert not any(
            "hand" in each.name and each.name not in ("hand", "open_hands") for each in fields(seen)
        )


def test_discards_lie_face_down():
    match = play(rig("RRVVU", "WWWWW", roles="TT"), "-R")
    mine, other, spectator = (match.game.observe(match.state, seat) for seat in (0, 1, None))
    assert (mine.discards, other.discards, spectator.discards) == (1, 1, 1)
    assert (sum(mine.thrown), sum(other.thrown), sum(spectator.thrown)) == (1, 0, 0)
    assert sum(other.seen) == sum(spectator.seen) == 0


def test_used_up_discards_are_shuffled_into_a_new_deck():
    match = play(rig("WWRVU", "BBRVU", deck="W", roles="TT"), "W")
    assert len(match.state.deck) == 45 - 10 - 1
    assert discarded(match) == ""
    assert "reshuffle.cards" in told(match, None)


def test_used_up_roles_are_shuffled_into_a_new_role_deck():
    match = Match(Wikipedia(2), 6)
    for _ in range(20):
        before = match.state.role_deck[:]
        score_somehow(match)
        assert len(match.state.role_deck) == (6 if not before else len(before) - 2)
        assert ("reshuffle.roles" in told(match, None)) == (not before)


def score_somehow(match: Match) -> None:
    """Play *match* on until a 局 is scored and the next one has begun."""
    number = match.state.round
    while match.state.round == number:
        codes = legal(match)
        code = next(
            (code for code in ["next", "W", "B", "U", "roll", "R"] if code in codes), min(codes)
        )
        play(match, code)
        assert not match.over


def test_the_starter_is_who_acts_first_in_a_round():
    for seed in range(20):
        match = Match(Wikipedia(4), seed)
        assert match.game.to_act(match.state) == (match.state.starter,)


# Preparation


@pytest.mark.parametrize("players", PLAYERS)
def test_setup_1_everybody_throws_and_the_highest_begins_equals_throw_again(players):
    again = 0
    for seed in range(60):
        match = Match(Wikipedia(players), seed)
        rolls, throwing = match.state.start_rolls, set(range(players))
        for first in range(0, len(rolls), players):
            dice = dict(enumerate(rolls[first : first + players]))
            assert {
                seat for seat, die in dice.items() if die
            } == throwing  # A30: only the tied ones
            assert all(1 <= dice[seat] <= 6 for seat in throwing)
            throwing = {seat for seat in throwing if dice[seat] == max(dice.values())}
            again += len(throwing) > 1
        assert throwing == {match.state.starter}
        assert [event.text for event in match.opening].count("start.again") == len(
            rolls
        ) // players - 1
    assert again > 3


def test_setup_1_everybody_begins_equally_often():
    first = Counter(Match(Wikipedia(4), seed).state.starter for seed in range(2000))
    assert all(abs(first[seat] - 500) < 4 * sqrt(2000 * 0.25 * 0.75) for seat in range(4))


def in_order(monkeypatch: pytest.MonkeyPatch, game: Wikipedia) -> State:
    """Return an initial state of *game* in which no pile is shuffled: the cards are in alphabetical
    order.
    """
    monkeypatch.setattr(rules, "shuffle", lambda rng, things: things.sort())
    return Match(game, 1).state


@pytest.mark.parametrize("players", PLAYERS)
def test_setup_2_five_cards_each_from_the_starter_clockwise(
    players, monkeypatch
):  # A26: one by one
    state = in_order(monkeypatch, game := Wikipedia(players))
    from_top = sorted(game.cards)[::-1]
    for place in range(players):
        dealt = [from_top[place + lap * players] for lap in range(5)]
        assert state.hands[(state.starter + place) % players] == sorted(dealt)


@pytest.mark.parametrize("players", PLAYERS)
def test_setup_3_a_role_each_from_the_starter_clockwise_face_up(players, monkeypatch):
    state = in_order(monkeypatch, game := Wikipedia(players))
    from_top = sorted(game.role_cards)[::-1]
    assert [state.roles[(state.starter + place) % players] for place in range(players)] == from_top[
        :players
    ]


@pytest.mark.parametrize("players", PLAYERS)
def test_setup_4_the_rest_are_the_two_decks_and_no_discards(players):
    match = Match(Wikipedia(players), 7)
    seen = match.game.observe(match.state, None)
    assert (seen.deck, seen.role_deck) == (
        45 * players // 2 - 5 * players,
        8 * players // 2 - players,
    )
    assert (seen.discards, seen.role_discards) == (0, ())


def test_setup_5_new_decks_are_made_of_the_discards_only():
    match = play(rig("WWRVU", "BBRVU", deck="WR", roles="TT", work="B", author=1), "-W")
    assert match.state.deck == ["revise"]
    play(match, "-B")
    assert discarded(match) == ""
    assert sorted(
        [*match.state.hands[0], *match.state.hands[1], "book", *match.state.deck]
    ) == sorted(match.game.cards)


def test_hands_are_not_dealt_again_between_rounds():  # 2.4
    match = play(rig("WWRVU", "BBUVU", roles="TT"), "W U -W 5")
    before = [each[:] for each in match.state.hands]
    play(match, "next")
    assert match.state.hands == before


# The course of the game, rules 1 to 19


@pytest.mark.parametrize("turn", range(4))
def test_r1_from_the_starter_clockwise_a_card_is_played_or_discarded(turn):
    match = rig("RRVVU", "RRVVU", "RRVVU", "RRVVU"[:5], turn=turn, roles="TTTT", revise=16)
    for place in range(6):
        assert match.game.to_act(match.state) == ((turn + place) % 4,)
        assert why_not(match, "-R", (turn + place + 1) % 4)[0] == "refusal.not_your_turn"
        state = match.state
        state.hands[state.turn].sort()
        play(match, next(code for code in ["-R", "-V", "-U", "W"] if code in legal(match)))


def test_r2_who_has_nothing_to_play_discards_a_card():
    match = rig("RRVBU", "RRVVU", roles="TT")
    assert legal(match) == {"-R", "-V", "-B", "-U"}
    play(match, "-B")
    assert discarded(match) == "B"


@pytest.mark.parametrize(
    ("codes", "gone"),
    [("W", "W"), ("-U", "U"), ("U", "U"), ("V", "V"), ("R", "R")],
)
def test_r3_after_playing_or_discarding_the_top_card_is_drawn(codes, gone):
    match = {
        "W": rig("WRUVB", "RRRRR", roles="TT", deck="BW"),
        "-U": rig("RUVBB", "RRRRR", roles="TT", deck="BW"),
        "U": rig("WRUVB", "RRRRR", roles="TT", work="W", deck="BW"),
        "V": rig("WRUVB", "RRRRR", roles="TT", work="W", deck="BW"),
        "R": rig("WRUVB", "RRRRR", roles="TT", work="W", vandal=1, deck="BW"),
    }[codes]
    before = hand(match, 0)
    play(match, codes)
    assert Counter(hand(match, 0)) == Counter(before + "B") - Counter(gone)
    assert match.state.deck == ["wiki"]


def test_r3_for_two_cards_only_one_is_drawn():
    match = play(rig("RRVVU", "WWRRR", work="B", author=1, user=0, roles="TT", deck="BW"), "1 R")
    assert hand(match, 0) == "BUVV"
    assert match.state.deck == ["wiki"]


@pytest.mark.parametrize(
    ("before", "after"),
    [("RRVVUU", 5), ("RRVVU", 4), ("RRVV", 3), ("RRV", 6)],
    ids=lambda part: str(part),
)
def test_r4_a_hand_of_fewer_than_three_is_filled_up_to_six(before, after):
    match = play(rig(before, "WWWWW", work="B", author=1, user=0, roles="TT"), "1 R next")
    assert len(match.state.hands[0]) == after


def test_r4_the_third_book_repair_of_a_player_is_the_first_to_fill_a_hand():  # 4.2
    sizes = [5]
    for _ in range(7):
        spent = "RR" + "V" * (sizes[-1] - 2)
        match = play(rig(spent, "WWWWW", work="B", author=1, user=0, roles="TT"), "1 R next")
        sizes.append(len(match.state.hands[0]))
    assert sizes == [5, 4, 3, 6, 5, 4, 3, 6]


def test_r5_every_round_begins_with_a_work_and_whoever_can_write_must():
    match = rig("WBRUV", "RRRRR", roles="SS")
    assert legal(match) == {"W", "B"}
    for code in ("-W", "-R", "-U"):
        assert why_not(match, code) == ("refusal.must_write", "rule.5")
    assert why_not(match, "U") == ("refusal.no_work", "rule.7")
    play(match, "B")
    assert (match.state.work, match.state.author) == ("book", 0)  # on the own board


def test_r5_a_book_only_by_a_scholar():
    match = rig("BBRUV", "WRRRR", roles="TS")
    assert "B" not in legal(match)
    assert why_not(match, "B") == ("refusal.book_student", "rule.5")
    assert legal(rig("BBRUV", "RRRRR", roles="ST")) == {"B"}


def test_r5_who_cannot_write_discards_and_the_next_player_goes_on():
    match = play(rig("BBRUV", "WRRRR", roles="TS"), "-R")
    assert match.game.to_act(match.state) == (1,)
    assert legal(match) == {"W"}


@pytest.mark.parametrize("work", "WB")
def test_r6_there_is_one_work_at_most(work):
    match = rig("WBRUV", "RRRRR", roles="SS", work=work, author=1)
    assert not {"W", "B"} & legal(match)
    assert why_not(match, "W") == why_not(match, "B") == ("refusal.one_work", "rule.6")


def test_r7_then_the_next_players_may_use_or_vandalise():
    match = rig("VURBB", "RRRRR", roles="TT", work="W", author=1)
    assert {"V", "U"} < legal(match)


def test_r7_vandalism_is_for_students_only():
    match = rig("VURBB", "RRRRR", roles="ST", work="W", author=1)
    assert legal(match) == {"U", "-V", "-U", "-R", "-B"}
    assert why_not(match, "V") == ("refusal.vandal_scholar", "rule.7")


def test_r7_vandalism_is_for_wikipedia_only():
    match = rig("VURBB", "RRRRR", roles="TT", work="B", author=1)
    assert legal(match) == {"U", "-V", "-U", "-R", "-B"}
    assert why_not(match, "V") == ("refusal.vandal_book", "rule.7")


def test_r8_there_is_one_use_at_most():
    match = rig("VURBB", "RRRRR", roles="TT", work="W", author=1, user=1)
    assert legal(match) == {"V", "-V", "-U", "-R", "-B"}
    assert why_not(match, "U") == ("refusal.one_use", "rule.8")


def test_r9_use_lies_in_the_own_square_and_announces_scoring():
    match = play(rig("UWWWW", "RRRRR", roles="TT", work="W", author=1), "U")
    assert squares(match) == ("W", 0, NOBODY)
    assert (match.state.phase, match.state.turn, match.state.points) == ("move", 1, [0, 0])


@pytest.mark.parametrize("user", [NOBODY, 2])
def test_r10_under_vandalism_there_is_no_use_and_no_more_vandalism(user):
    match = rig(
        "UVRWW", "RRRRR", "WWWWW", "UUUUU", roles="TTTT", work="W", author=1, user=user, vandal=3
    )
    assert legal(match) == {"R", "-U", "-V", "-R", "-W"}
    assert why_not(match, "U") == ("refusal.use_vandal", "rule.10")
    assert why_not(match, "V") == ("refusal.one_vandal", "rule.10")


@pytest.mark.parametrize("user", [NOBODY, 1])
@pytest.mark.parametrize("role", "ST")
def test_r11_revision_removes_vandalism_and_both_are_discarded(user, role):
    match = rig("RWWWW", "BBBBB", roles=role + "T", work="W", author=1, user=user, vandal=1)
    play(match, "R")
    assert squares(match) == ("W", user, NOBODY)
    assert discarded(match) == "RV"
    assert len(match.state.hands[0]) == 5


def test_r12_under_vandalism_a_scholar_with_revision_must_play_it():
    match = rig("RUVWW", "BBBBB", roles="ST", work="W", author=1, vandal=1)
    assert legal(match) == {"R"}
    for code in ("-R", "-U", "-V", "-W"):
        assert why_not(match, code) == ("refusal.must_cure", "rule.12")


def test_r12_a_student_with_revision_need_not_and_a_scholar_without_cannot():
    assert legal(rig("RUVWW", "BBBBB", roles="TT", work="W", vandal=1)) == {
        "R",
        "-R",
        "-U",
        "-V",
        "-W",
    }
    assert legal(rig("BUVWW", "BBBBB", roles="ST", work="W", vandal=1)) == {"-B", "-U", "-V", "-W"}


def test_r13_without_vandalism_the_user_scores_in_the_next_own_turn():
    match = play(rig("WRRRV", "URRRV", roles="TT"), "W U -V")
    assert (match.state.turn, legal(match)) == (1, {"roll"})
    play(match, "5")
    assert match.state.points == [0, 0]  # the die is seen before its effect
    assert squares(match) == ("W", 1, NOBODY)
    play(match, "next")
    assert match.state.points == [0, 1]
    assert squares(match) == ("", NOBODY, NOBODY)
    assert discarded(match) == "UVW"
    assert match.state.phase == "write"


def test_r14_under_vandalism_the_user_may_revise_and_the_next_player_goes_on():
    match = rig("RUVWW", "BBBBB", roles="TT", work="W", author=1, user=0, vandal=1)
    play(match, "R")
    assert squares(match) == ("W", 0, NOBODY)
    assert discarded(match) == "RV"
    assert match.game.to_act(match.state) == (1,)


def test_r14_or_else_vandalism_and_use_are_discarded_and_one_more_card():
    match = rig("RUVWW", "BBBBB", roles="TT", work="W", author=1, user=0, vandal=1, deck="BRR")
    assert legal(match) == {"R", "give-up"}
    assert why_not(match, "-W") == ("refusal.cure_or_give_up", "rule.14")
    play(match, "give-up")
    assert squares(match) == ("W", NOBODY, NOBODY)
    assert legal(match) == {"-R", "-U", "-V", "-W"}  # any card
    assert why_not(match, "W") == ("refusal.drop", "rule.14")
    before = Counter(discarded(match))
    play(match, "-W")
    assert Counter(discarded(match)) - before == Counter("W")
    assert hand(match, 0) == "BRUVW"
    assert (match.state.turn, match.state.phase, match.state.points) == (1, "move", [0, 0])


FACES = [("W", 1, 0), ("W", 2, 0), ("W", 3, 0), ("W", 4, 0), ("W", 5, 1), ("W", 6, 1)]
FACES += [("B", 1, 0), *(("B", die, 1) for die in range(2, 7))]


@pytest.mark.parametrize(("work", "die", "right"), FACES)
def test_r15_book_is_right_with_2_to_6_and_wikipedia_with_5_and_6(work, die, right):
    match = rig("UWWVV", "BBBBB", roles="TT", work=work, author=1, user=0)
    assert legal(match) == {"roll"}  # first the die
    play(match, str(die))
    assert match.state.phase == ("result" if right else "repair")
    play(match, "next" if right else "leave next")
    assert match.state.points[0] == right
    assert match.state.round == 2


def test_r15_with_a_book_its_author_gets_a_point_too():
    match = rig("UWWVV", "BBBBB", roles="TT", work="B", author=1, user=0)
    assert play(match, "2 next").state.points == [1, 1]


def test_r15_wikipedia_brings_its_author_nothing():
    match = rig("UWWVV", "BBBBB", roles="TT", work="W", author=1, user=0)
    assert play(match, "6 next").state.points == [1, 0]


@pytest.mark.parametrize(("work", "die"), [("W", 4), ("B", 1)])
def test_r16_what_is_wrong_may_be_revised_and_scores_then(work, die):
    match = rig("RRWVV", "BBBBB", roles="TT", work=work, author=1, user=0)
    play(match, str(die))
    assert legal(match) == {"R", "leave"}
    play(match, "R next")
    assert match.state.points == ([1, 0] if work == "W" else [1, 1])  # A13: the author, too
    assert match.state.round == 2


@pytest.mark.parametrize(("work", "die"), [("W", 1), ("B", 1)])
def test_r16_else_nobody_scores_not_even_the_author_and_the_round_ends(work, die):
    match = rig("RRWVV", "BBBBB", roles="TT", work=work, author=1, user=0)
    play(match, f"{die} leave next")
    assert match.state.points == [0, 0]
    assert (match.state.round, match.state.phase) == (2, "write")
    assert hand(match, 0) == "RRVVW"


@pytest.mark.parametrize(("work", "need"), [("W", 1), ("B", 2)])
def test_r17_wikipedia_costs_one_revision_a_book_two_and_one_card_is_drawn(work, need):
    match = rig("RRRVV", "BBBBB", roles="TT", work=work, author=1, user=0, deck="BV")
    before = Counter(discarded(match))
    play(match, "1 R")
    assert Counter(discarded(match)) - before == Counter("R" * need)
    assert hand(match, 0) == "B" + "R" * (3 - need) + "VV"


@pytest.mark.parametrize("die", [1, 6])
def test_r18_who_has_scored_with_or_without_points_begins_the_next_round(die):
    match = rig("WWWVV", "UWWVV", roles="TT", work="W", author=0, user=1, turn=1)
    match.state.starter = 0
    play(match, "6 next" if die == 6 else "1 leave next")
    assert (match.state.starter, match.state.turn) == (1, 1)


def test_r19_roles_are_discarded_first_then_dealt_from_the_starter_clockwise():
    match = rig(
        "WWWVV", "UWWVV", "BBBBB", "RRRRR", roles="STTS", work="W", author=0, user=1, turn=1
    )
    state = match.state
    state.role_deck = ["scholar", "student", "student", "scholar", "student", "scholar"]
    play(match, "5 next")
    assert [state.roles[seat] for seat in (1, 2, 3, 0)] == [
        "scholar",
        "student",
        "scholar",
        "student",
    ]  # A31
    assert sorted(state.role_discards) == ["scholar", "scholar", "student", "student"]


def test_r19_a_role_deck_that_ends_in_mid_deal_is_filled_without_the_roles_just_dealt():
    match = rig(
        "WWWVV", "UWWVV", roles="ST", work="W", author=0, user=1, turn=1, scholars=1, students=2
    )
    match.state.role_deck = ["student"]
    play(match, "5 next")
    state = match.state
    assert state.roles[1] == "student"
    assert Counter([*state.roles, *state.role_deck]) == {"scholar": 1, "student": 2}
    assert state.role_discards == ()


# The cards


def test_scholar_may_play_book_wikipedia_use_and_revision():
    assert legal(rig("WBRUV", "BBBBB", roles="ST")) == {"W", "B"}
    assert "U" in legal(rig("WBRUV", "BBBBB", roles="ST", work="W"))
    assert "R" in legal(rig("WBRUV", "BBBBB", roles="ST", work="W", vandal=1))


def test_scholar_must_play_revision():
    assert legal(rig("WBRUV", "BBBBB", roles="ST", work="W", vandal=1)) == {"R"}
    assert legal(play(rig("WBRUV", "BBBBB", roles="ST", work="W", user=0), "1")) == {"R"}


@pytest.mark.parametrize("user", [NOBODY, 1])
def test_scholar_may_never_vandalise(user):
    assert "V" not in legal(rig("WBRUV", "BBBBB", roles="ST", work="W", user=user))
    assert "V" not in legal(rig("WBRUV", "BBBBB", roles="ST"))


def test_student_may_play_wikipedia_use_vandalism_and_revision():
    assert legal(rig("WBRUV", "BBBBB", roles="TS")) == {"W"}
    assert {"U", "V"} < legal(rig("WBRUV", "BBBBB", roles="TS", work="W"))
    assert "R" in legal(rig("WBRUV", "BBBBB", roles="TS", work="W", vandal=1))
    assert "R" in legal(play(rig("WBRUV", "BBBBB", roles="TS", work="W", user=0), "1"))


def test_student_may_not_write_a_book():
    assert legal(rig("BBBBB", "WRRRR", roles="TS")) == {"-B"}


@pytest.mark.parametrize("role", "ST")
def test_wiki_lies_in_the_own_work_square_whoever_plays_it(role):
    match = play(rig("WBRUV", "BBBBB", turn=0, roles=role + "T"), "W")
    assert (match.state.work, match.state.author) == ("wiki", 0)


def test_wiki_can_be_used_vandalised_and_revised():
    match = play(rig("WRRRR", "UVVVV", "VRRRR", "RWWWW", roles="TTTT"), "W U V R")
    assert squares(match) == ("W", 1, NOBODY)


def test_wiki_errs_with_1_to_4():
    assert {die for work, die, right in FACES if work == "W" and not right} == {1, 2, 3, 4}
    assert [die for die in range(1, 7) if model.goes_wrong("W", die, Options())] == [1, 2, 3, 4]


def test_wiki_is_mended_with_one_revision():
    assert "R" in legal(play(rig("RWWVV", "BBBBB", roles="TT", work="W", user=0), "3"))


def test_book_can_be_used_and_revised_at_scoring():
    match = play(rig("BWWWW", "URRVV", roles="ST"), "B U -W 1 R next")
    assert match.state.points == [1, 1]


def test_book_cannot_be_vandalised():
    assert "V" not in legal(rig("WBRUV", "BBBBB", roles="TS", work="B"))
    assert "V" not in legal(rig("WBRUV", "BBBBB", roles="TS", work="B", user=1))


def test_book_errs_with_1():
    assert {die for work, die, right in FACES if work == "B" and not right} == {1}


def test_book_is_mended_with_two_revisions():
    match = play(rig("RWWVV", "BBBBB", roles="TT", work="B", user=0), "1")
    assert legal(match) == {"leave"}
    assert why_not(match, "R") == ("refusal.too_few", "rule.17")
    assert "R" in legal(play(rig("RRWVV", "BBBBB", roles="TT", work="B", user=0), "1"))


@pytest.mark.parametrize("role", "ST")
@pytest.mark.parametrize("work", "WB")
def test_use_can_be_played_by_anybody_when_there_is_a_work(role, work):
    assert "U" in legal(rig("UUUUU", "BBBBB", roles=role + "T", work=work))
    assert "U" not in legal(rig("UUUUU", "BBBBB", roles=role + "T"))


def test_use_cannot_be_played_beside_use_or_vandalism():
    assert "U" not in legal(rig("UUUUU", "BBBBB", roles="TT", work="W", user=1))
    assert "U" not in legal(rig("UUUUU", "BBBBB", roles="TT", work="W", vandal=1))
    assert "U" not in legal(rig("UUUUU", "BBBBB", roles="TT", work="W", user=1, vandal=1))


@pytest.mark.parametrize(("role", "held"), [("T", "UUUWW"), ("S", "UUUWW"), ("T", "RUUWW")])
def test_use_lapses_when_its_player_has_no_revision_or_does_not_want_to_play_it(role, held):
    match = rig(held, "BBBBB", roles=role + "T", work="W", user=0, vandal=1)
    assert "give-up" in legal(match)
    play(match, "give-up -U")
    assert squares(match) == ("W", NOBODY, NOBODY)
    assert discarded(match) == "UUV"  # USE, VANDAL, and one from the hand


def test_use_does_not_lapse_by_vandalism_that_somebody_cures_before_its_players_turn():
    match = play(rig("URRWW", "VBBBB", "RBBBB", "WWBBB", roles="TTTT", work="W"), "U V R -W")
    assert (match.state.turn, legal(match)) == (0, {"roll"})


def test_vandal_lies_on_the_common_square():
    match = play(rig("VBBBB", "RRRRR", roles="TT", work="W"), "V")
    assert squares(match) == ("W", NOBODY, 0)
    assert match.game.observe(match.state, None).vandal == 0


def test_vandal_needs_wikipedia_on_the_table():
    assert "V" not in legal(rig("VBBBB", "RRRRR", roles="TT"))
    assert why_not(rig("VBBBB", "RRRRR", roles="TT"), "V") == ("refusal.no_work", "rule.7")


def test_vandal_is_not_for_scholars_nor_beside_vandalism():
    assert "V" not in legal(rig("VBBBB", "RRRRR", roles="SS", work="W"))
    assert "V" not in legal(rig("VBBBB", "RRRRR", roles="TS", work="W", vandal=1))


@pytest.mark.parametrize("work_by", [0, 1])
def test_vandal_may_spoil_the_own_work_and_the_own_teams(work_by):
    assert "V" in legal(rig("VBBBB", "RRRRR", roles="TT", work="W", author=work_by))


def test_vandal_lapses_by_revision():
    match = play(rig("RBBBB", "VRRRR", roles="TT", work="W", vandal=1), "R V")
    assert squares(match) == ("W", NOBODY, 1)  # 4.4: and may be played again


def test_vandal_without_use_keeps_everybody_from_using():
    match = rig("UBBBB", "UBBBB", "UBBBV", "UVVVV", roles="TTTT", work="W", vandal=3, book=10)
    for _ in range(4):
        assert "U" not in legal(match)
        play(match, "-U" if "-B" not in legal(match) else "-B")


def test_revise_goes_to_the_discards_together_with_vandalism():
    assert discarded(play(rig("RBBBB", "RRRRR", roles="ST", work="W", vandal=1), "R")) == "RV"


@pytest.mark.parametrize("role", "ST")
def test_revise_needs_vandalism_or_an_error_at_scoring(role):
    for match in (
        rig("RVUWB", "BBBBB", roles=role + "T", work="W"),
        rig("RVUWB", "BBBBB", roles=role + "T", work="B", user=1),
        rig("RVUBB", "BBBBB", roles=role + "T"),
        rig("RVUBB", "BBBBB", roles=role + "T", work="W", user=0),
    ):
        assert "R" not in legal(match)
    assert why_not(rig("RVUWB", "BBBBB", work="W"), "R") == ("refusal.nothing_to_revise", "rule.11")


@pytest.mark.parametrize(("work", "held"), [("W", "RWWVV"), ("B", "RRWVV")])
def test_revise_is_forced_upon_scholars_at_scoring_too(work, held):  # A7
    match = play(rig(held, "BBBBB", roles="ST", work=work, user=0), "1")
    assert legal(match) == {"R"}
    assert why_not(match, "leave") == ("refusal.must_repair", "rule.revise")


def test_revise_is_not_forced_upon_a_scholar_who_cannot_pay_in_full():
    match = play(rig("RWWVV", "BBBBB", roles="ST", work="B", user=0), "1")
    assert legal(match) == {"leave"}
    assert "R" in hand(play(match, "leave next"), 0)


# How to score, and victory


def test_scoring_who_wrote_and_used_a_book_gets_two():
    match = rig("UWWVV", "BBBBB", roles="ST", work="B", author=0, user=0)
    assert play(match, "2 next").state.points == [2, 0]
    match = rig("RRWVV", "BBBBB", roles="ST", work="B", author=0, user=0)
    assert play(match, "1 R next").state.points == [2, 0]


def test_scoring_the_user_throws_and_nobody_else():
    match = rig("UWWVV", "BBBBB", roles="TT", work="W", author=1, user=0)
    assert why_not(match, "roll", 1) == ("refusal.not_your_turn", "")


def test_scoring_points_are_given_by_the_tables_next_and_by_nothing_else():
    match = play(rig("UWWVV", "BBBBB", roles="TT", work="W", author=1, user=0), "6")
    assert match.game.to_act(match.state) == (TABLE,)
    for code in ("roll", "W", "leave"):
        assert why_not(match, code) == ("refusal.next", "")
        assert why_not(match, code, 0) == ("refusal.not_your_turn", "")
    assert legal(match) == {"next"}


@pytest.mark.parametrize(("points", "winners"), [((9, 0), (0,)), ((8, 9), ()), ((9, 8), (0,))])
def test_the_first_with_ten_points_wins(points, winners):
    match = rig("UWWVV", "BBBBB", roles="TT", work="W", author=1, user=0, points=points)
    play(match, "6 next")
    assert match.game.winners(match.state) == winners
    assert match.over == bool(winners)
    assert ("over.goal" in told(match, None)) == bool(winners)


def test_the_author_of_a_book_can_win_by_anothers_use():
    match = rig("UWWVV", "BBBBB", roles="TT", work="B", author=1, user=0, points=(3, 9))
    assert play(match, "6 next").game.winners(match.state) == (1,)
    assert match.state.points == [4, 10]


def test_an_author_and_user_can_pass_ten():
    match = rig("UWWVV", "BBBBB", roles="ST", work="B", author=0, user=0, points=(9, 9))
    assert play(match, "6 next").state.points == [11, 9]
    assert match.game.winners(match.state) == (0,)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_teams_are_the_players_who_sit_opposite_and_win_together(players):  # A25
    for seat in range(players):
        points = [0] * players
        opposite = (seat + players // 2) % players
        points[opposite] = 9
        match = rig(
            players=players,
            roles="T" * players,
            work="W",
            user=seat,
            turn=seat,
            points=tuple(points),
        )
        assert not play(match, "6").over
        play(match, "next")
        assert match.game.winners(match.state) == tuple(sorted((seat, opposite)))
        assert match.game.scores(match.state)[seat] == 1


def test_neighbours_are_no_team():
    match = rig(players=4, roles="TTTT", work="W", user=0, points=(4, 9, 4, 0))
    assert not play(match, "6 next").over
    assert match.game.winners(match.state) == ()


def test_two_players_are_no_team():  # A23
    match = rig("UWWVV", "BBBBB", roles="TT", work="W", author=1, user=0, points=(5, 5))
    assert not play(match, "6 next").over


def test_partners_do_not_see_each_others_hands():
    match = Match(Wikipedia(4), 9)
    seen = match.game.observe(match.state, 0)
    others = rig(*["WWWWW", letters(match.state.hands[1]), "BBBBB", "RRRRR"]).state.hands
    before, match.state.hands = (
        match.state.hands,
        [match.state.hands[0], match.state.hands[1], *others[2:]],
    )
    assert match.game.observe(match.state, 0) == seen
    match.state.hands = before


# Scenarios of the specification


def test_scenario_1_a_scholar_must_write_a_book_or_wikipedia():
    assert legal(rig("BWRUV", "BBBBB", roles="ST")) == {"B", "W"}


def test_scenario_2_a_student_without_wikipedia_discards():
    assert legal(rig("BBRUV", "BBBBB", roles="TS")) == {"-B", "-R", "-U", "-V"}


def test_scenario_3_vandalism_use_or_discard_and_then_the_scholar_must_cure():
    match = rig("RWBUV", "VUBBB", roles="ST", work="W", author=0, turn=1)
    assert legal(match) == {"V", "U", "-V", "-U", "-B"}
    play(match, "V")
    assert legal(match) == {"R"}


def test_scenario_4_a_book_cannot_be_vandalised():
    assert "V" not in legal(rig("RWBUV", "VUBBB", roles="ST", work="B", author=0, turn=1))


def scenario_5() -> Match:
    return play(rig("VBBWW", "URRVW", roles="TT", work="W", author=0, turn=1), "U V")


def test_scenario_5_the_user_cures_without_throwing():
    match = play(scenario_5(), "R")
    assert discarded(match) == "RV"
    assert (match.state.user, match.state.die, match.state.turn) == (1, 0, 0)
    assert len(match.state.hands[1]) == 5


def test_scenario_5_or_gives_up_and_the_hand_stays_as_large():
    match = play(scenario_5(), "give-up -W")
    assert discarded(match) == "UVW"
    assert (match.state.work, match.state.user, match.state.turn) == ("wiki", NOBODY, 0)
    assert len(match.state.hands[1]) == 5


def test_scenario_7_after_the_cure_the_user_must_score():
    match = play(scenario_5(), "R -B")
    assert (match.state.turn, legal(match)) == (1, {"roll"})


def test_scenario_9_one_revision_mends_wikipedia_and_the_hand_stays_as_large():
    match = play(rig("RWWVV", "BBBBB", roles="TT", work="W", author=1, user=0), "4")
    assert legal(match) == {"R", "leave"}
    play(match, "R next")
    assert (match.state.points, len(match.state.hands[0])) == ([1, 0], 5)


def test_scenario_11_two_points_for_using_the_own_book():
    assert play(rig("WWWVV", roles="ST", work="B", author=0, user=0), "2 next").state.points == [
        2,
        0,
    ]


def test_scenario_12_a_book_with_one_revision_is_lost_and_the_revision_stays():
    match = play(rig("RWWVV", "BBBBB", roles="TT", work="B", author=1, user=0), "1")
    assert legal(match) == {"leave"}
    play(match, "leave next")
    assert (match.state.points, hand(match, 0)) == ([0, 0], "RVVWW")


def test_scenario_15_ten_to_ten_is_a_shared_victory():
    match = rig("WWWVV", "BBBBB", roles="TT", work="B", author=0, user=1, turn=1, points=(9, 9))
    play(match, "2 next")
    assert match.game.winners(match.state) == (0, 1)


def test_scenario_18_a_scholar_must_cure_even_if_it_helps_the_others():
    match = rig(
        "WWWVV", "BBBBB", "RUUVV", "BBWUU", roles="TTST", work="W", author=1, vandal=1, turn=2
    )
    assert legal(match) == {"R"}


# What the rulebook leaves open, A1 to A32, each with its default and its options


def test_a1_there_is_no_scoring_card_but_use():
    assert set(KINDS) == {"wiki", "book", "revise", "vandal", "use"}
    assert legal(rig("WWWVV", roles="TT", work="W", user=0)) == {"roll"}


@pytest.mark.parametrize("code", ["6 next", "1 leave next"])
def test_a2_what_ends_with_a_scoring_is_the_round_not_only_the_turn(code):
    match = play(rig("WWWVV", roles="TT", work="W", author=1, user=0), code)
    assert (match.state.round, match.state.work, match.state.turn) == (2, "", 0)


def test_a3_hands_may_have_three_to_six_cards_and_never_more():
    sizes = Counter(
        len(each)
        for seed in range(12)
        for match in at_random(Wikipedia(2), f"{seed}")
        for each in match.state.hands
        if match.state.phase in ("write", "move", "cure")
    )
    assert set(sizes) <= {3, 4, 5, 6}
    assert {4, 5} <= set(sizes)


@pytest.mark.parametrize(
    ("start", "hand_min", "refill_to"), [(2, 2, 2), (4, 4, 5), (8, 5, 8), (5, 0, 6), (3, 3, 3)]
)
def test_a3_start_least_and_refill_are_options(start, hand_min, refill_to):
    game = Wikipedia(2, Options(start=start, hand_min=hand_min, refill_to=refill_to))
    assert [len(each) for each in Match(game, 1).state.hands] == [start] * 2
    held = "RR" + "V" * max(0, hand_min - 2)
    match = rig(
        held,
        work="B",
        author=1,
        user=0,
        roles="TT",
        start=start,
        hand_min=hand_min,
        refill_to=refill_to,
    )
    play(match, "1 R next")
    assert len(match.state.hands[0]) == (refill_to if len(held) - 1 < hand_min else len(held) - 1)


@pytest.mark.parametrize(
    ("check", "held", "after"),
    [
        ("after_draw", "RRV", 6),
        ("before_draw", "RRV", 6),
        ("after_draw", "RRVV", 3),
        ("before_draw", "RRVV", 6),
        ("after_draw", "RRVVU", 4),
        ("before_draw", "RRVVU", 4),
    ],
)
def test_a3b_the_hand_is_counted_after_or_before_the_usual_card(check, held, after):
    match = play(rig(held, work="B", author=1, user=0, roles="TT", refill_check=check), "1 R next")
    assert len(match.state.hands[0]) == after


def test_a3b_counted_before_playing_from_three_fills_up_too():
    for check, after in (("after_draw", 3), ("before_draw", 6)):
        match = play(rig("WRV", roles="TT", refill_check=check), "W")
        assert len(match.state.hands[0]) == after
        assert ("refill" in told(match, None)) == (after == 6)


def test_a4_by_default_a_hand_is_filled_up_at_once():
    match = play(rig("RRV", work="B", author=1, user=0, roles="TT"), "1 R next")
    assert len(match.state.hands[0]) == 6
    assert why_not(match, "refill") == ("refusal.no_refill", "rule.4")


def test_a4_optionally_in_an_own_turn():
    match = play(
        rig("RRV", work="B", author=1, user=0, roles="TT", refill="optional_own_turn"), "1 R next"
    )
    assert len(match.state.hands[0]) == 2
    assert "refill" in legal(match)
    play(match, "refill")
    assert (len(match.state.hands[0]), match.state.turn) == (6, 0)  # and then the turn
    assert why_not(match, "refill") == ("refusal.refill", "rule.4")
    other = rig("VU", "WWWWW", work="B", author=1, roles="TT", refill="optional_own_turn", turn=0)
    play(other, "U")  # or not
    assert len(other.state.hands[0]) == 2
    assert legal(other) >= {"-W"}
    assert "refill" not in legal(other)


def test_a5_by_default_a_card_may_be_discarded_although_another_could_be_played():
    assert "-B" in legal(rig("VUBBB", roles="TT", work="W"))
    assert "-B" in legal(rig("RUBBB", roles="TT", work="W", vandal=1))


def test_a5_strictly_only_who_has_none_to_play_discards():
    strict = {"roles": "TT", "strict_discard": True}
    assert legal(rig("VUBBB", work="W", **strict)) == {"V", "U"}
    assert why_not(rig("VUBBB", work="W", **strict), "-B") == ("refusal.must_play", "rule.2")
    assert legal(rig("VUBBB", work="W", user=1, **strict)) == {"V"}
    assert legal(rig("BBBBU", work="W", user=1, **strict)) == {"-B", "-U"}
    assert legal(rig("RUBBB", work="W", vandal=1, **strict)) == {"R"}
    assert why_not(rig("RUBBB", work="W", vandal=1, **strict), "-B") == (
        "refusal.must_play",
        "rule.2",
    )
    assert legal(rig("RUBBB", work="W", vandal=1, user=0, **strict)) == {
        "R",
        "give-up",
    }  # that is no discard
    assert legal(rig("WUBBB", forced_write=False, **strict)) == {"W"}


@pytest.mark.parametrize("role", "ST")
def test_a6_everybody_must_write_or_with_the_option_nobody(role):
    assert legal(rig("WRUVV", roles=role + "T")) == {"W"}
    assert legal(rig("WRUVV", roles=role + "T", forced_write=False)) == {
        "W",
        "-W",
        "-R",
        "-U",
        "-V",
    }


def test_a7_a_scholar_must_mend_at_scoring_or_with_the_option_may():
    for must, allowed in ((True, {"R"}), (False, {"R", "leave"})):
        options = {"roles": "ST", "user": 0, "scholar_must_repair_at_scoring": must}
        assert legal(play(rig("RWWVV", work="W", **options), "1")) == allowed
        assert legal(play(rig("RRWVV", work="B", **options), "1")) == allowed
        assert legal(rig("RRWVV", work="W", vandal=1, **options)) == {"R"}  # R12 stays


def test_a8_a_scholar_whose_use_is_blocked_must_cure():
    match = rig("RWWVV", roles="ST", work="W", user=0, vandal=1)
    assert legal(match) == {"R"}
    assert why_not(match, "give-up") == ("refusal.must_cure", "rule.12")


def test_a9_giving_up_costs_one_card_and_one_is_drawn():
    match = play(rig("WWWVV", roles="TT", work="W", user=0, vandal=1, deck="BRU"), "give-up -V")
    assert hand(match, 0) == "BVWWW"
    assert len(match.state.deck) == 2


def test_a10_the_user_who_cures_scores_in_the_next_turn_or_with_the_option_in_this_one():
    match = play(rig("RWWVV", roles="TT", work="W", user=0, vandal=1), "R")
    assert (match.state.turn, match.state.phase) == (1, "move")
    match = play(rig("RWWVV", roles="TT", work="W", user=0, vandal=1, cure_then_score=True), "R")
    assert (match.state.turn, legal(match), len(match.state.hands[0])) == (0, {"roll"}, 5)
    play(match, "6 next")
    assert (match.state.points, match.state.turns) == ([1, 0], 1)
    match = play(
        rig("RWWVV", "WWWVV", roles="TT", work="W", user=1, vandal=1, cure_then_score=True), "R"
    )
    assert (match.state.turn, legal(match)) == (1, {"roll"})  # another's cure brings nobody a throw


def test_a11_scoring_is_a_must_or_with_the_option_a_may():
    match = rig("WWRVV", roles="TT", work="W", author=1, user=0)
    assert legal(match) == {"roll"}
    assert why_not(match, "-W") == ("refusal.must_score", "rule.13")
    match = rig("WWRVV", roles="TT", work="W", author=1, user=0, score_optional=True)
    assert legal(match) == {"roll", "-W", "-R", "-V"}
    play(match, "-W")
    assert (squares(match), match.state.turn) == (("W", 0, NOBODY), 1)


def test_a12_what_takes_two_revisions_is_a_book():
    assert (Options().wiki_repair, Options().book_repair) == (1, 2)


def test_a13_the_author_scores_when_the_book_is_mended_too():
    assert play(rig("RRWVV", roles="TT", work="B", author=1, user=0), "1 R next").state.points == [
        1,
        1,
    ]


def test_a14_a_student_may_mend_a_book():
    assert "R" in legal(play(rig("RRWVV", roles="TT", work="B", author=1, user=0), "1"))


@pytest.mark.parametrize(
    ("when", "first", "second"), [("immediate", (34, ""), (33, "B")), ("lazy", (0, None), (34, ""))]
)
def test_a15_discards_are_shuffled_at_once_or_when_a_card_is_needed(when, first, second):
    match = rig("WWRVU", "BBRVU", deck="W", roles="TT", work="B", author=1, reshuffle=when)
    for code, (deck, pile) in (("-W", first), ("-B", second)):
        play(match, code)
        assert len(match.state.deck) == deck
        assert pile is None or discarded(match) == pile
        assert len(match.state.deck) + len(discarded(match)) == 34


def test_a15_roles_are_shuffled_when_the_next_role_is_needed():
    match = rig("WWWVV", roles="ST", work="W", author=1, user=0)
    match.state.role_discards, match.state.role_deck = (
        tuple(match.state.role_deck[2:]),
        match.state.role_deck[:2],
    )
    play(match, "6 next")
    assert (len(match.state.role_deck), len(match.state.role_discards)) == (0, 6)
    assert "reshuffle.roles" not in told(match, None)


def test_a16_what_is_played_is_seen_by_all_what_is_discarded_only_by_its_owner():
    match = play(rig("RWWVV", "BBBBB", roles="TT", work="W", vandal=1), "R")
    assert sum(match.game.observe(match.state, None).seen) == 2
    play(match, "-B")
    for seat, thrown in ((1, 1), (0, 0), (None, 0)):
        assert sum(match.game.observe(match.state, seat).thrown) == thrown
    assert told(match, 0) == ["discard.hidden"]


def test_a16_with_open_discards_all_see_them():
    match = play(rig("BBBBB", "WWWWW", roles="TT", work="W", open_discards=True), "-B")
    assert sum(match.game.observe(match.state, None).seen) == 1
    assert told(match, 1) == ["discard.open"]
    assert match.events[-1][0].values == {"seat": 0, "card": "book"}


def test_a17_only_the_user_may_mend_not_the_partner():
    match = play(rig("WWWVV", "BBBBB", "RRRRR", "UUUUU", roles="TTTT", work="W", user=0), "1")
    assert why_not(match, "R", 2) == ("refusal.not_your_turn", "")
    assert legal(match) == {"leave"}


def test_a18_vandalism_needs_no_use():
    assert "V" in legal(rig("VBBBB", roles="TT", work="W"))


def still(match: Match, turns: int) -> Match:
    """Let *turns* turns pass in which everybody discards."""
    for _ in range(turns):
        play(match, next(code for code in sorted(legal(match)) if code[0] == "-"))
    return match


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("laps", [1, 3, 20])
def test_a19_vandalism_that_nobody_cures_is_taken_away(players, laps):
    match = rig(
        "V" * 5, players=players, roles="T" * players, work="W", stall_guard_laps=laps, revise=0
    )
    play(match, "V")
    still(match, laps * players - 1)
    assert match.state.vandal == 0
    still(match, 1)
    assert (match.state.vandal, match.state.work, match.state.round) == (NOBODY, "wiki", 1)
    assert "guard.vandal" in told(match, None)
    assert every_card(match.state) == match.game.cards
    assert match.state.turn == 1


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("laps", [1, 3, 20])
def test_a19_a_round_whose_work_nobody_uses_ends_without_points_and_with_the_same_starter(
    players, laps
):
    match = rig("W" * 5, players=players, roles="T" * players, stall_guard_laps=laps)
    play(match, "W")
    still(match, laps * players - 1)
    assert match.state.round == 1
    still(match, 1)
    state = match.state
    assert (state.round, state.work, state.starter, state.turn, state.points) == (
        2,
        "",
        0,
        0,
        [0] * players,
    )
    assert "guard.round" in told(match, None)
    assert every_card(state) == match.game.cards
    assert len(state.role_discards) in (0, players)  # R19: new roles


@pytest.mark.parametrize("players", PLAYERS)
def test_a19_a_round_in_which_nobody_can_write_gets_new_roles(players):
    match = rig(players=players, roles="T" * players, wiki=0)
    still(match, 20 * players)
    assert (match.state.round, match.state.starter) == (2, 0)
    assert "guard.round" in told(match, None)


def test_a19_giving_up_changes_the_table_and_the_laps_count_anew():
    match = play(rig("U" * 5, "V" * 5, roles="TT", work="W", stall_guard_laps=1), "U V give-up -U")
    still(match, 1)
    assert match.state.round == 1
    still(match, 1)
    assert match.state.round == 2


def test_a19_a_user_who_never_scores_loses_the_use():
    match = rig("U" * 5, roles="TT", work="W", stall_guard_laps=2, score_optional=True)
    still(play(match, "U"), 4)
    assert (match.state.round, match.state.user, match.state.points) == (2, NOBODY, [0, 0])


def test_a19_without_the_guard_only_the_limit_of_laps_ends_it():
    match = rig(
        "V" * 5, roles="TT", work="W", stall_guard_laps=0, revise=0, laps_limit=60, points=(2, 3)
    )
    play(match, "V")
    still(match, 118)
    assert match.state.vandal == 0
    still(match, 1)
    assert match.over
    assert "over.limit" in told(match, None)
    assert match.game.winners(match.state) == (1,)


def test_a20_the_scorer_begins_even_at_no_points():
    match = play(
        rig("WWWVV", "BBBBB", roles="TT", work="W", author=0, user=1, turn=1), "1 leave next"
    )
    assert match.state.starter == 1


TIE = {"roles": "TT", "work": "B", "author": 0, "user": 1, "turn": 1, "points": (9, 9)}


@pytest.mark.parametrize(
    ("tie", "winners"), [("shared", (0, 1)), ("scorer", (1,)), ("sudden_death", ())]
)
def test_a21_two_sides_that_reach_ten_at_once(tie, winners):
    match = play(rig("WWWVV", "BBBBB", tie=tie, **TIE), "2 next")
    assert match.state.points == [10, 10]
    assert match.game.winners(match.state) == winners
    assert match.over == (tie != "sudden_death")


def test_a21_sudden_death_goes_on_until_one_is_ahead():
    match = rig("WWWVV", "BBBBB", tie="sudden_death", **TIE | {"points": (10, 10)})
    play(match, "2 next")
    assert (match.state.points, match.over) == ([11, 11], False)
    match = rig("WWWVV", "BBBBB", tie="sudden_death", **TIE | {"points": (10, 10), "work": "W"})
    play(match, "6 next")
    assert match.game.winners(match.state) == (1,)


@pytest.mark.parametrize(
    ("tie", "winners"), [("shared", (1, 2, 4, 5)), ("scorer", (2, 5)), ("sudden_death", ())]
)
def test_a21_teams_tie_too(tie, winners):
    match = rig(
        players=6,
        roles="T" * 6,
        work="B",
        author=4,
        user=5,
        turn=5,
        points=(8, 5, 5, 0, 4, 4),
        tie=tie,
    )
    assert play(match, "2 next").game.winners(match.state) == winners


@pytest.mark.parametrize("tie", ["shared", "scorer", "sudden_death"])
def test_a21_one_side_alone_at_ten_wins_whoever_scored(tie):
    match = rig(roles="TT", work="B", author=1, user=0, points=(0, 9), tie=tie)
    assert play(match, "2 next").game.winners(match.state) == (1,)
    match = rig(roles="TT", work="B", author=1, user=0, points=(8, 8), tie=tie)
    assert not play(match, "2 next").over


def test_a22_the_next_starter_is_the_player_not_the_team():
    match = rig(players=4, roles="TTTT", work="W", user=3, turn=3)
    assert play(match, "6 next").state.starter == 3


def test_a27_the_card_for_a_repair_is_drawn_before_the_table_is_cleared_and_the_hand_filled_after():
    match = play(rig("RRV", work="B", author=1, user=0, roles="TT"), "1 R")
    assert (len(match.state.hands[0]), match.state.work) == (
        2,
        "book",
    )  # R17: one card, whatever was used
    assert told(match, 0) == ["repair", "draw"]
    play(match, "next")
    assert (len(match.state.hands[0]), match.state.work) == (6, "")
    assert told(match, 0)[:3] == ["score.user", "score.author", "refill"]


def test_a28_the_author_may_use_the_own_work_in_the_next_own_turn():
    assert "U" in legal(play(rig("WUBBB", "RRRRR", roles="TT"), "W -R"))


def test_a29_a_user_without_vandalism_on_the_table_can_only_score():
    assert legal(rig("VVVVU", roles="TT", work="W", user=0)) == {"roll"}


def test_table_talk_changes_nothing_in_the_rules():
    matches = [
        list(at_random(Wikipedia(4, Options(table_talk=talk)), "talk"))[-1]
        for talk in (True, False)
    ]
    assert matches[0].log == matches[1].log
    assert matches[0].events == matches[1].events


# The numbers as options


@pytest.mark.parametrize(("work", "wrong", "die"), list(product("WB", range(7), range(1, 7))))
def test_the_die_may_err_more_or_less_often(work, wrong, die):
    option = {"W": "wiki_wrong", "B": "book_wrong"}[work]
    match = play(rig("WWWVV", roles="TT", work=work, author=1, user=0, **{option: wrong}), str(die))
    assert match.state.phase == ("repair" if die <= wrong else "result")


@pytest.mark.parametrize(("work", "need", "have"), list(product("WB", range(1, 5), range(5))))
def test_a_repair_may_cost_more_or_fewer_revisions(work, need, have):
    option = {"W": "wiki_repair", "B": "book_repair"}[work]
    match = rig(
        "R" * have + "V" * (5 - have), roles="TT", work=work, author=1, user=0, **{option: need}
    )
    play(match, "1")
    assert legal(match) == ({"R", "leave"} if have >= need else {"leave"})
    if have >= need:
        play(match, "R")
        assert len(match.state.hands[0]) == 5 - need + 1
        assert discarded(match) == "R" * need


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind in KINDS for number in (1, 20)]
)
def test_there_may_be_more_or_fewer_cards_of_a_kind(kind, number, players):
    game = Wikipedia(players, Options(**{kind: number}))
    assert Counter(game.cards)[kind] == number * players // 2


@pytest.mark.parametrize(("scholars", "students"), [(0, 2), (2, 0), (8, 8), (0, 5), (3, 0), (1, 1)])
def test_there_may_be_more_or_fewer_of_a_role(scholars, students):
    game = Wikipedia(2, Options(scholars=scholars, students=students))
    assert Counter(game.role_cards) == Counter({"scholar": scholars, "student": students})
    assert set(Match(game, 1).state.roles) <= {*["scholar"] * scholars, *["student"] * students}


@pytest.mark.parametrize("goal", [1, 2, 5, 40])
def test_points_to_win_may_be_more_or_fewer(goal):
    match = rig(
        "WWWVV", roles="TT", work="W", author=1, user=0, points=(goal - 1, 0), points_to_win=goal
    )
    assert play(match, "6 next").game.winners(match.state) == (0,)
    match = rig(
        "WWWVV", roles="TT", work="W", author=1, user=0, points=(goal - 1, 0), points_to_win=goal
    )
    assert not play(match, "1 leave next").over


CONFLICTS: list[tuple[str, int, dict[str, int]]] = [
    ("hands", 2, {"hand_min": 4, "start": 3}),
    ("hands", 2, {"hand_min": 6, "refill_to": 5, "start": 6}),
    ("too_few_cards", 2, {"wiki": 1, "book": 1, "revise": 1, "vandal": 1, "use": 1}),
    ("too_few_cards", 8, {"wiki": 3, "book": 3, "revise": 2, "vandal": 2, "use": 2}),
    ("too_few_roles", 2, {"scholars": 1, "students": 0}),
    ("too_few_roles", 8, {"scholars": 0, "students": 1}),
    ("nobody_scores", 2, {"wiki_wrong": 6, "book_wrong": 6, "revise": 0}),
    ("nobody_scores", 2, {"wiki_wrong": 6, "scholars": 0, "revise": 0}),
    ("nobody_scores", 2, {"wiki": 0, "book": 0}),
    ("nobody_scores", 2, {"wiki": 0, "scholars": 0}),
    (
        "nobody_scores",
        2,
        {"wiki_wrong": 6, "book_wrong": 6, "wiki_repair": 4, "book_repair": 4, "start": 3},
    ),
    ("no_end", 2, {"laps_limit": 0, "stall_guard_laps": 0}),
    ("no_end_of_ties", 4, {"laps_limit": 0, "tie": "sudden_death"}),
]


@pytest.mark.parametrize(("reason", "players", "options"), CONFLICTS)
def test_combinations_that_cannot_be_played_or_won_are_refused(reason, players, options):
    with pytest.raises(OptionError) as refused:
        Wikipedia(players, Options(**options))
    assert refused.value.text == f"option.conflict.{reason}"
    assert len({refused.value.sentence(language) for language in LANGUAGES}) == 3


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"hand_min": 5}),
        (2, {"wiki_wrong": 6, "book_wrong": 6}),
        (2, {"wiki_wrong": 6, "book": 0, "wiki_repair": 4}),
        (2, {"scholars": 0, "students": 2}),
        (2, {"book": 0}),
        (2, {"wiki": 0}),
        (2, {"revise": 0}),
        (2, {"wiki": 4, "book": 4, "revise": 4, "vandal": 2, "use": 2}),
    ],
)
def test_combinations_at_the_edge_are_played_and_somebody_can_score(players, options):
    game, scored = Wikipedia(players, Options(**options)), 0
    for seed in range(12):
        for match in at_random(game, f"edge {seed}"):
            assert match.state.deck or game.options.reshuffle == "lazy"
        scored += sum(match.state.points)
    assert scored > 0


def test_every_conflict_has_a_text_and_every_text_a_conflict():
    known = {
        id.split(".")[-1] for id in load_texts("wikipedia") if id.startswith("option.conflict.")
    }
    assert known == {reason for reason, _, _ in CONFLICTS}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("limit", [5, 17])
def test_after_so_many_laps_the_match_ends_and_the_most_points_win(players, limit):
    game = Wikipedia(players, Options(laps_limit=limit, points_to_win=40))
    for seed in range(6):
        *_, match = at_random(game, f"{seed}")
        assert match.state.turns == limit * players
        assert match.events[-1][-1].text == "over.limit"
        sides = max(2, players // 2)
        totals = [sum(match.state.points[side::sides]) for side in range(sides)]
        assert match.game.winners(match.state) == tuple(
            seat for seat in range(players) if totals[seat % sides] == max(totals)
        )


@pytest.mark.parametrize("players", PLAYERS)
def test_without_a_limit_of_laps_a_match_ends_by_its_points_and_by_nothing_else(players):
    game = Wikipedia(players, Options(laps_limit=0, points_to_win=4))
    limited = Wikipedia(players, Options(points_to_win=4))
    for seed in range(4):
        *_, match = at_random(game, f"{seed}")
        *_, same = at_random(limited, f"{seed}")
        assert (match.log, match.events[-1][-1].text) == (same.log, "over.goal")


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("how", ["nobody cures", "nobody scores", "vandals and menders"])
def test_without_a_limit_of_laps_no_match_goes_on_for_ever(players, how):
    options = {"scholars": 0, "students": 8, "points_to_win": 40, "wiki_wrong": 6, "wiki_repair": 4}
    game = Wikipedia(players, Options(laps_limit=0, stall_guard_laps=2, **options))
    match, before = Match(game, how), 0
    choose = STUBBORN.get(how) or (
        lambda codes: next((c for c in ("R", "V", "W") if c in codes), min(codes))
    )
    while not match.over:
        before = sum(match.state.points)
        play(match, choose(legal(match)))
    assert len(match.log) <= game.longest
    assert (
        match.state.turns == game.options.laps(sum(match.state.points)) * players
    )  # no turn sooner or later
    assert game.options.laps(before) == 20 * (1 + before)
    assert told(match, None)[-1] == "over.slow"
    assert match.game.winners(match.state)


def test_every_point_makes_a_match_without_a_limit_longer():
    options = {"laps_limit": 0, "stall_guard_laps": 1, "score_optional": True}
    for points, over in (((0, 0), True), ((1, 0), False)):
        match = rig("V" * 5, roles="TT", work="W", points=points, revise=0, **options)
        match.state.turns = 19  # the twentieth ends the match if nobody has a point
        play(match, "-V" if "-V" in legal(match) else min(legal(match)))
        assert match.over is over


# Refusals


def refused_cases() -> dict[str, tuple[Callable[[], Match], str, str]]:
    """Return for each refusal a position, an action and the rule that is told."""
    wiki, blocked = (
        {"roles": "TT", "work": "W"},
        {"roles": "TT", "work": "W", "user": 0, "vandal": 1},
    )
    return {
        "not_an_action": (lambda: rig("WWRUV"), "eat", ""),
        "not_in_hand": (lambda: rig("RRRRR", **wiki), "U", ""),
        "must_write": (lambda: rig("WRRRR", roles="TT"), "-R", "rule.5"),
        "book_student": (lambda: rig("BRRRR", roles="TT"), "B", "rule.5"),
        "no_work": (lambda: rig("URRRR", roles="TT"), "U", "rule.7"),
        "one_work": (lambda: rig("WRRRR", **wiki), "W", "rule.6"),
        "one_use": (lambda: rig("URRRR", user=1, **wiki), "U", "rule.8"),
        "use_vandal": (lambda: rig("URRRR", vandal=1, **wiki), "U", "rule.10"),
        "one_vandal": (lambda: rig("VRRRR", vandal=1, **wiki), "V", "rule.10"),
        "vandal_scholar": (lambda: rig("VRRRR", work="W"), "V", "rule.7"),
        "vandal_book": (lambda: rig("VRRRR", roles="TT", work="B"), "V", "rule.7"),
        "nothing_to_revise": (lambda: rig("VRRRR", **wiki), "R", "rule.11"),
        "must_cure": (lambda: rig("RUUUU", work="W", vandal=1), "-U", "rule.12"),
        "must_play": (lambda: rig("VRRRR", strict_discard=True, **wiki), "-R", "rule.2"),
        "must_score": (lambda: rig("VRRRR", user=0, **wiki), "V", "rule.13"),
        "score_or_wait": (
            lambda: rig("VRRRR", user=0, score_optional=True, **wiki),
            "V",
            "rule.13",
        ),
        "roll": (lambda: rig("VRRRR", user=1, **wiki), "roll", "rule.13"),
        "roll_cured": (lambda: rig("RUUUU", cure_then_score=True, **blocked), "roll", "rule.13"),
        "give_up": (lambda: rig("VRRRR", user=1, **wiki), "give-up", "rule.14"),
        "cure_or_give_up": (lambda: rig("RUUUU", **blocked), "-U", "rule.14"),
        "drop": (lambda: play(rig("RUUUU", **blocked), "give-up"), "U", "rule.14"),
        "leave": (lambda: rig("RUUUU", **wiki), "leave", "rule.16"),
        "must_repair": (
            lambda: play(rig("RUUUU", roles="SS", work="W", user=0), "1"),
            "leave",
            "rule.revise",
        ),
        "too_few": (lambda: play(rig("UUUUU", user=0, **wiki), "1"), "R", "rule.17"),
        "repair": (lambda: play(rig("RUUUU", user=0, **wiki), "1"), "-U", "rule.17"),
        "no_refill": (lambda: rig("RUUUU", **wiki), "refill", "rule.4"),
        "refill": (lambda: rig("RUUUU", refill="optional_own_turn", **wiki), "refill", "rule.4"),
        "next": (lambda: play(rig("RUUUU", user=0, **wiki), "6"), "leave", ""),
    }


REFUSED = refused_cases()


@pytest.mark.parametrize("name", REFUSED)
def test_every_refusal_is_reached_and_names_its_rule(name):
    position, code, rule = REFUSED[name]
    assert why_not(position(), code) == (f"refusal.{name}", rule)


def test_every_refusal_and_every_rule_of_the_texts_is_among_them():
    texts = load_texts("wikipedia")
    assert {id[8:] for id in texts if id.startswith("refusal.")} - {"by_rule"} == set(
        REFUSED
    )  # joins one and its rule
    assert {id for id in texts if id.startswith("rule.")} == {
        rule for *_, rule in REFUSED.values() if rule
    }


@pytest.mark.parametrize("phase", ["write", "move", "cure", "blocked", "drop", "roll", "repair"])
def test_a_player_cannot_do_what_only_the_table_does(phase):
    blocked = {"roles": "TT", "work": "W", "user": 0, "vandal": 1}
    match = {
        "write": lambda: rig("WUUUU", roles="TT"),
        "move": lambda: rig("WUUUU", roles="TT", work="W"),
        "cure": lambda: rig("WUUUR", roles="TT", work="W", vandal=1),
        "blocked": lambda: rig("WUUUR", **blocked),
        "drop": lambda: play(rig("WUUUR", **blocked), "give-up"),
        "roll": lambda: rig("WUUUR", roles="TT", work="W", user=0),
        "repair": lambda: play(rig("WUUUR", roles="TT", work="W", user=0), "1"),
    }[phase]()
    assert why_not(match, "next") == ("refusal.not_an_action", "")


@pytest.mark.parametrize(
    ("match", "named"),
    [
        (rig("WUUUU", roles="TT"), "refusal.give_up"),
        (rig("RUUUU", roles="SS", work="W", vandal=1), "refusal.give_up"),
        (rig("VUUUU", roles="TT", work="W", strict_discard=True), "refusal.give_up"),
        (rig("RUUUU", roles="SS", work="W", user=0, vandal=1), "refusal.must_cure"),
    ],
)
def test_giving_up_is_refused_for_its_own_reason(match, named):
    assert why_not(match, "give-up")[0] == named


def test_when_it_is_over_it_is_over():
    match = play(rig("WWWVV", roles="TT", work="W", user=0, points=(9, 0)), "6 next")
    for seat in (TABLE, 0, 1):
        assert why_not(match, "next", seat) == ("refusal.over", "")


def test_what_is_told_to_the_table_says_nothing_of_a_hand():
    for held in ("WWWVV", "RRRRR"):
        match = play(rig("WWWBB", held, roles="TT", work="W", user=0), "6")
        assert {why_not(match, code) for code in ("W", "-W", "R", "roll", "leave")} == {
            ("refusal.next", "")
        }


# What is told


def test_what_is_drawn_is_told_to_its_player_only():
    match = play(rig("WWWVV", "BBBBB", roles="TT", deck="RU"), "W")
    assert [event.text for event in match.events[-1] if event.is_for(0)] == ["wiki", "draw"]
    assert match.events[-1][1].values == {"card": "revise"}
    assert told(match, 1) == told(match, None) == ["wiki"]


def test_every_event_of_the_texts_happens_and_none_without_a_text():
    happened: set[str] = set()
    games = [Wikipedia(players) for players in (2, 4)]
    games += [
        Wikipedia(2, Options(open_discards=True, stall_guard_laps=1, laps_limit=30, hand_min=5))
    ]
    for number in range(8):
        for game in games:
            *_, match = at_random(game, f"events {number}")
            happened |= {event.text for event in match.story(None)} | {
                event.text for event in match.story(0)
            }
    telling = set(load_texts("wikipedia"))
    assert happened <= telling
    assert {
        "start.roll",
        "start.again",
        "start.first",
        "round",
        "roles.scholar",
        "roles.student",
        "wiki",
        "book",
        "use",
        "vandal",
        "cure.scholar",
        "cure.student",
        "discard.hidden",
        "discard.open",
        "draw",
        "refill",
        "give_up",
        "roll",
        "right",
        "wrong",
        "repair",
        "left",
        "score.user",
        "score.author",
        "score.nothing",
        "reshuffle.cards",
        "reshuffle.roles",
        "guard.round",
        "guard.vandal",
        "over.goal",
        "over.limit",
    } == happened


# Against an independent model of a turn


LEGALITY: dict[str, tuple[Any, ...]] = {
    "strict_discard": (False, True),
    "forced_write": (True, False),
    "scholar_must_repair_at_scoring": (True, False),
    "score_optional": (False, True),
    "refill": ("auto", "optional_own_turn"),
    "cure_then_score": (False, True),
    "refill_check": ("after_draw", "before_draw"),
    "wiki_repair": (1, 2, 3),
    "book_repair": (2, 1, 4),
    "hand_min": (3, 2, 4, 5),
    "start": (5, 2, 3, 4),
    "revise": (9, 20),
    "wiki_wrong": (4, 6),
    "book_wrong": (1, 6),
}
"""What changes what may be done or what comes of it, directly or by leading there; the first is
standard.
"""

SMALL_HANDS = {
    "start": 3,
    "hand_min": 3,
    "revise": 20,
    "wiki_wrong": 6,
    "book_wrong": 6,
    "wiki_repair": 2,
}
"""Options with which hands soon have to be filled up."""


def position_of(state: State) -> model.Position:
    """Return what the player whose turn it is has before them, in the words of the model."""
    seat = state.turn
    return model.Position(
        role={"scholar": "S", "student": "T"}[state.roles[seat]],
        hand=letters(state.hands[seat]),
        work=LETTER.get(state.work, ""),
        use="mine" if state.user == seat else "another's" if state.user >= 0 else "",
        vandal=state.vandal >= 0,
        step="wrong" if state.die else "given up" if state.phase == "drop" else "turn",
        mine=state.author == seat,
    )


def options_for_the_model(rng: Random) -> Wikipedia:
    """Return a game with options drawn anew, mostly such as concern a single turn."""
    while True:
        players = pick(rng, (2, *PLAYERS))
        drawn = {
            name: pick(rng, values) for name, values in LEGALITY.items() if random_below(rng, 2)
        }
        if random_below(rng, 3) == 0:
            drawn |= SMALL_HANDS
        other = draw_game_with(Wikipedia, players, rng).options
        try:
            return Wikipedia(players, replace(other, laps_limit=40, **drawn))
        except OptionError:
            continue


@pytest.mark.drawn
def test_the_rules_agree_with_a_model_of_the_specification_on_thousands_of_positions():
    rng = stream("model", "test")
    positions = 0
    rows: Counter[str] = Counter()
    telling: Counter[str] = Counter()
    while positions < some(20_000, least=8_000):
        game = options_for_the_model(rng)
        o, match = game.options, Match(game, f"model {positions}")
        while deciding := game.to_act(match.state):
            state, seat = match.state, deciding[0]
            if seat == TABLE:
                check_scoring(match)
                continue
            p = position_of(state)
            allowed = {CODE[action] for action in game.legal_actions(state, seat)}
            expected = {"give-up" if code == "give up" else code for code in model.legal(p, o)}
            assert allowed == expected, (game, p)
            for action in ACTIONS:
                assert (game.refusal(state, seat, action) is None) == (CODE[action] in expected), (
                    game,
                    p,
                    action,
                )
            for name, (standard, *_) in LEGALITY.items():
                telling[name] += model.legal(p, replace(o, **{name: standard})) != model.legal(p, o)
            rows[model.row(p) if p.step == "turn" else p.step] += 1
            positions += 1
            rare = sorted(allowed & {"W", "B", "U", "R", "refill"})
            check_action(
                match, p, pick(rng, rare if rare and random_below(rng, 2) else sorted(allowed))
            )
    assert min(
        rows[row] for row in ("T1", "T2", "T3", "T4", "T5", "T6", "wrong", "given up")
    ) > some(100), rows
    counted = [
        *[*LEGALITY][:5],
        "wiki_repair",
        "book_repair",
    ]  # the others change only what comes of it
    assert all(telling[name] > some(15) for name in counted), telling


def check_action(match: Match, p: model.Position, code: str) -> None:
    """Carry out *code* and check that it makes of position *p* what the model says."""
    game, state = match.game, match.state
    o, n, seat, before, number = (
        game.options,
        game.players,
        state.turn,
        list(state.points),
        state.round,
    )
    held = Counter(letters(state.hands[seat]))
    events = match.play(seat, action_of(code))
    texts = {event.text for event in events}
    right = not (state.die and model.goes_wrong(p.work, state.die, o))
    after = model.after(p, "give up" if code == "give-up" else code, right, o)
    drawn = Counter(LETTER[event.values["card"]] for event in events if event.text == "draw")
    assert Counter(letters(state.hands[seat])) == held - Counter(after.played) + drawn
    if code == "refill":
        assert len(state.hands[seat]) == o.refill_to
    elif not after.draws:
        assert drawn.total() == 0
    elif p.step == "wrong" and o.refill_check == "after_draw":
        assert drawn.total() == 1  # A27: the rest once the table is cleared
    else:
        assert len(state.hands[seat]) == model.hand_size(held.total(), len(after.played), o)
    assert state.points == before  # until the table goes on
    if "over.limit" in texts:
        assert state.turns == o.laps_limit * n
        return
    if texts & {"guard.round", "guard.vandal"}:
        assert state.round == number + ("guard.round" in texts)
        return
    assert state.round == number
    assert (state.work != "") == after.work
    assert (state.vandal >= 0) == after.vandal
    assert ("mine" if state.user == seat else "another's" if state.user >= 0 else "") == after.use
    deciding = {"mine": seat, "next": (seat + 1) % n, "nobody's": TABLE}[after.whose]
    assert game.to_act(state) == (deciding,), (p, code)


def check_scoring(match: Match) -> None:
    """Let the table go on and check that everybody gets what the model says."""
    game, state = match.game, match.state
    o, user, author, sides = game.options, state.user, state.author, max(2, game.players // 2)
    p, points, number = position_of(state), list(state.points), state.round
    mine, authors = model.points(
        p, not model.goes_wrong(p.work, state.die, o), bool(state.repaired)
    )
    points[user] += mine
    points[author] += authors
    held = len(state.hands[user])
    fills = o.refill == "auto" and held < o.hand_min
    match.play(TABLE, NEXT)
    assert state.points == points
    assert (state.work, state.author, state.user, state.vandal) == ("", NOBODY, NOBODY, NOBODY)
    assert len(state.hands[user]) == (o.refill_to if fills else held)
    totals = [sum(points[side::sides]) for side in range(sides)]
    won = [side for side in range(sides) if totals[side] >= o.points_to_win]
    if len(won) > 1 and o.tie != "shared":
        ahead = [side for side in won if totals[side] == max(totals)]
        won = [user % sides] if o.tie == "scorer" else ahead if len(ahead) == 1 else []
    if won or state.turns < o.laps_limit * game.players:
        assert game.winners(state) == tuple(seat for seat in game.seats if seat % sides in won)
    if not match.over:
        assert (state.round, state.starter, state.turn) == (number + 1, user, user)


@pytest.mark.parametrize("role", "ST")
def test_the_two_tables_of_the_specification_agree(role):
    """What the table of turns (4) lets be played, the facts of the cards (3) do, and the other way
    round.
    """
    tried = 0
    for work, use, vandal in product(("", "W", "B"), ("", "mine", "another's"), (False, True)):
        if (use and not work) or (vandal and work != "W") or (use == "mine" and not vandal):
            continue  # cannot lie there, or (A29) there is nothing to play
        p = model.Position(role, "WBRVU", work, use, vandal)
        played = {code for code in model.legal(p, Options(strict_discard=True)) if code in CARDS}
        assert played == {card for card in CARDS if model.may_be_played(card, p)}
        tried += 1
    assert tried == 8


def test_the_model_shares_nothing_with_the_rules():
    assert "coursekit" not in inspect.getsource(model).replace("``coursekit.games.wikipedia``", "")


# What holds in every match


@pytest.mark.parametrize("players", PLAYERS)
def test_what_holds_in_every_standard_match(players):
    game, n = Wikipedia(players), players
    sides = max(2, n // 2)
    for seed in range(12 - n):
        began = last_round = 0
        deals: list[int] = []
        for match in at_random(game, f"holds {seed}"):
            state = match.state
            assert every_card(state) == game.cards
            assert Counter([*state.roles, *state.role_deck, *state.role_discards]) == Counter(
                game.role_cards
            )
            assert len(state.deck) > 0
            assert len(state.deck) + len(discarded(match)) >= len(game.cards) - 6 * n - 3  # 4.3
            assert all(
                3 <= len(held) <= 6
                for held in state.hands
                if state.phase in ("write", "move", "cure")
            )
            assert (state.work == "") == (state.author == NOBODY)
            assert state.work or state.user == state.vandal == NOBODY
            assert state.vandal == NOBODY or state.work == "wiki"
            if state.round != last_round and state.phase == "write":
                # 1.3: roles are used up exactly every four rounds
                assert len(state.role_deck) == 4 * n - n * ((state.round - 1) % 4 + 1)
                if last_round:
                    ended = {event.text for event in match.events[-1]}
                    assert "guard.round" in ended or state.turns - began >= n + 2  # 5.7
                    deals.append(state.turns - began)
                began, last_round = state.turns, state.round
        totals = [sum(state.points[side::sides]) for side in range(sides)]
        most = {2: 20, 3: 29, 4: 38}[sides]
        assert sum(totals) <= most <= 20 * n // 2  # 5.6: there are tokens enough
        assert max(totals) in (10, 11)
        assert match.over
        assert match.game.winners(state) == tuple(
            seat for seat in range(n) if totals[seat % sides] >= 10
        )
        assert len(deals) > 3


STUBBORN: dict[str, Callable[[set[str]], str]] = {
    "nobody cures": lambda codes: next(
        (c for c in ("W", "B", "V", "give-up") if c in codes), max(codes)
    ),
    "nobody uses": lambda codes: next((c for c in ("W", "B") if c in codes), min(codes)),
    "nobody writes": lambda codes: next((c for c in sorted(codes) if c[0] == "-"), min(codes)),
    "nobody scores": lambda codes: next(
        (c for c in ("U", "-W", "-V", "-B") if c in codes), min(codes)
    ),
}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("how", STUBBORN)
@pytest.mark.parametrize(
    "options", [{}, {"stall_guard_laps": 0}, {"forced_write": False, "score_optional": True}]
)
def test_stubborn_players_cannot_keep_a_match_from_ending(players, how, options):
    game = Wikipedia(players, Options(laps_limit=60, scholars=0, students=8, **options))
    match, actions = Match(game, how), 0
    while not match.over:
        play(match, STUBBORN[how](legal(match)))
        actions += 1
    assert every_card(match.state) == game.cards
    assert actions <= game.longest
    assert match.state.turns <= 60 * players


@pytest.mark.parametrize(("work", "chance"), [("W", 1 / 3), ("B", 5 / 6)])
def test_over_many_throws_wikipedia_is_right_one_time_in_three_and_a_book_five_in_six(work, chance):
    throws, right = 6000, 0
    match = rig("WWWVV", roles="TT", work=work, author=1, user=0)
    rng = stream(work, "throws")
    for _ in range(throws):
        match.state.phase = "roll"
        events = match.game.apply(match.state, 0, "roll", rng)
        right += events[1].text == "right"
    assert abs(right - throws * chance) < 4 * sqrt(throws * chance * (1 - chance))


def test_the_die_is_fair():
    match, faces = rig("WWWVV", roles="TT", work="W", user=0), Counter[int]()
    rng = stream("fair", "throws")
    for _ in range(6000):
        match.state.phase = "roll"
        match.game.apply(match.state, 0, "roll", rng)
        faces[match.state.die] += 1
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(abs(count - 1000) < 4 * sqrt(6000 * 5 / 36) for count in faces.values())


# The page about it


def test_the_page_names_every_option_field_and_open_point_and_its_numbers_and_examples_are_right():
    page = PAGE.read_text(encoding="utf-8")
    for each in fields(Options):
        assert f"`{each.name}`" in page
        allowed = each.metadata["allowed"]
        if isinstance(allowed, tuple) and isinstance(allowed[0], str):
            assert ", ".join(f'`"{value}"`' for value in allowed) in page
        if isinstance(allowed, range):
            assert f"{allowed[0]}–{allowed[-1]}" in page
    for field in fields(Wikipedia.observation_type):
        assert f"`{field.name}`" in page
    games = [Wikipedia(players) for players in PLAYERS]
    assert f"| {' | '.join(f'{game.longest:,}' for game in games)} |" in page
    assert (
        f"| {' | '.join(f'{len(game.cards)}, {len(game.role_cards)}' for game in games)} |" in page
    )
    assert f"Version {Wikipedia.version}." in page
    manual = (PAGE.parents[1] / "manuals" / PAGE.name).read_text(encoding="utf-8")
    for number in range(1, 33):
        assert re.search(rf"\bA{number}\b", manual), number
    examples = doctest.DocTestParser().get_doctest(
        page.replace("```", ""), {}, "wikipedia.md", None, None
    )
    assert len(examples.examples) > 3
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_every_option_is_tried_here():
    source = inspect.getsource(inspect.getmodule(rig))  # type: ignore[arg-type]
    assert [each.name for each in fields(Options) if each.name not in source] == []


# What the game keeps in mind


@pytest.mark.parametrize("players", Wikipedia.player_counts)
def test_asking_what_a_waiting_seat_may_do_changes_nothing(players):
    game, rng = Wikipedia(players, Options(points_to_win=2)), stream(str(players), "asked")
    match = Match(game, "asked")
    while deciding := game.to_act(match.state):
        waiting = [seat for seat in (*game.seats, TABLE) if seat not in deciding]
        assert [game.legal_actions(match.state, seat) for seat in waiting] == [()] * len(waiting)
        match.play(deciding[0], pick(rng, game.legal_actions(match.state, deciding[0])))
    assert {game.legal_actions(match.state, seat) for seat in (*game.seats, TABLE)} == {()}
    again = replay(match.record())  # by a new game, which nobody has asked anything
    assert again.state == match.state


def shown_to_have_none(game: Wikipedia, state: State, seat: int, action: str) -> dict[str, int]:
    """Return how many cards of a kind *seat* can hold at most after what it did not do, by the
    rulebook.
    """
    o, scholar = game.options, state.roles[seat] == "scholar"
    if action == "leave":
        forced = scholar and o.scholar_must_repair_at_scoring
        return {"revise": game.repair[state.work] - 1} if forced else {}
    if not action.startswith("discard") and action != "give up":
        return {}
    if state.phase == "write" and (o.forced_write or o.strict_discard):
        return {"wiki": 0, "book": 0} if scholar else {"wiki": 0}
    if state.phase == "cure":
        return {"revise": 0} if scholar or (o.strict_discard and state.user != seat) else {}
    if state.phase == "move" and o.strict_discard:
        could = ["use"] * (state.user == NOBODY) + ["vandal"] * (
            not scholar and state.work == "wiki"
        )
        return dict.fromkeys(could, 0)
    return {}


@pytest.mark.parametrize("number", range(24))
def test_what_everybody_can_conclude_about_a_hand(number):
    """at_most, told a second way: from what is seen at the table, action by action."""
    players = Wikipedia.player_counts[number % 4]
    rng = stream(str(number), "concluded")
    game = draw_game_with(Wikipedia, players, rng) if number >= 8 else Wikipedia(players)
    match, most = Match(game, str(number)), [dict[str, int]() for _ in game.seats]
    bounded = 0
    while (deciding := game.to_act(match.state)) and len(match.log) < 600:
        seat, state = deciding[0], match.state
        action = pick(rng, game.legal_actions(state, seat))
        if seat != TABLE:
            mine = most[seat]
            for kind, left in shown_to_have_none(game, state, seat, action).items():
                mine[kind] = min(left, mine.get(kind, left))
            seen = game.options.open_discards or game.options.open_hands
            shown = [action] if action in KINDS else [action[8:]] * seen if " " in action else []
            if state.phase == "repair" and action == "revise":
                shown = ["revise"] * game.repair[state.work]
            for kind in shown:
                if kind in mine:
                    mine[kind] -= 1
        for event in match.play(seat, action):
            if event.text == "draw":
                (drawer,) = event.audience
                most[drawer] = {kind: left + 1 for kind, left in most[drawer].items()}
        obs = game.observe(state, None)
        for each in game.seats:
            for kind in KINDS:
                bound = min(obs.held[each], most[each].get(kind, obs.held[each]))
                assert obs.at_most(each, kind) == bound
                assert match.state.hands[each].count(kind) <= bound
                bounded += bound < obs.held[each]
    assert bounded or not game.options.forced_write


def test_a19_after_vandalism_is_taken_away_the_laps_are_counted_anew():
    match = play(rig("V" * 5, roles="TT", work="W", stall_guard_laps=3, revise=0), "V")
    still(match, 2 * 3)
    assert "guard.vandal" in told(match, None)
    still(match, 2 * 3 - 1)
    assert match.state.round == 1
    still(match, 1)
    assert "guard.round" in told(match, None)
