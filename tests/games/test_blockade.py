"""The rules of 文壇封鎖中: every sentence of the rulebook, every scenario and option of
rules/blockade.md, every function card and every event, each where it does something and where it
cannot.

A ``Table`` seats 警總, 線民, 主編 and 作家 at 0 to 3, each three spaces into the era.
"""

import re
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import pytest
from blockade_table import (
    AUTHOR,
    BANNED,
    CARDS,
    EDITOR,
    GAME,
    PERIODICALS,
    POLICE,
    SPY,
    WRITERS,
    Dice,
    Table,
    chance,
    conserved,
    function,
    started,
)

from coursekit.core.chance import pick, random_below, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, pick_action, sentence
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.rules import automatic_steps, card_files, eras
from coursekit.games.blockade.rules.card_codes import (
    EVENTS,
    FUNCTIONS,
    PERIODICAL,
    ROLES,
)
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.effects import EFFECTS
from coursekit.games.blockade.rules.events import EFFECTS as EVENT_EFFECTS
from coursekit.games.blockade.rules.game import PHASES, STEPS
from coursekit.games.blockade.rules.inference import unseen, unseen_books
from coursekit.games.blockade.rules.options import check_combination
from coursekit.games.blockade.rules.state import with_card
from coursekit.testing import check_game, options_of
from coursekit.testing.game_checks import check_story
from coursekit.words.texts import LANGUAGES, game_text, load_texts

OLD = WRITERS[1]  # usable in the era that most tests play
P1, P2, P3 = PERIODICALS[:3]
B1, B2, B3 = BANNED[:3]


def ended(position: Table) -> bool:
    return position.state.phase == "era"


# What there is


def test_173_writers_117_function_cards_23_periodicals_10_banned_books():
    counts = Counter(bool(kind) for kind in CARDS.functions)
    assert counts == {False: 173, True: 117}
    assert Counter(CARDS.book_kinds) == {PERIODICAL: 23, "banned": 10}
    assert {kind for kind in CARDS.functions if kind} == set(FUNCTIONS.values()) == set(EFFECTS)


def test_twenty_events_at_the_years_of_the_rulebook():
    years = "1949 1950 1954 1955 1957 1960 1962 1964 1966 1968 1970 1971 1972 1977 1979 1981 1984 1987 1989 1992"
    assert (
        [*EVENTS]
        == [*EVENT_EFFECTS]
        == [int(year) for year in years.split()]
        == [note.year for note in card_files.events()]
    )
    assert GAME.events_at == {year: [year] for year in EVENTS}


def test_four_eras_with_a_space_for_each_year():
    assert [(years[0], years[-1]) for years in ERAS.values()] == [
        (1949, 1959),
        (1960, 1969),
        (1970, 1979),
        (1980, 1992),
    ]
    assert [GAME.goal(era) for era in ERAS] == [11, 10, 10, 13]
    assert [GAME.year(era, GAME.goal(era) - 1) for era in ERAS] == [1959, 1969, 1979, 1992]


@pytest.mark.parametrize("players", [3, 5, 0, "4", 4.0, None])
def test_four_play(players):
    with pytest.raises(OptionError, match=r"number of players cannot be .*; allowed: 4"):
        Blockade(players)


def test_names_in_texts_are_those_of_the_data():
    for name, note in CARDS.notes.items():
        names = [
            game_text(GAME, f"function.{name}.name", language) for language in ("zh-Hant", "en")
        ]
        assert names == [note.name_zh, note.name_en]
    for note in card_files.events():
        names = [
            game_text(GAME, f"event.{note.year}.name", language) for language in ("zh-Hant", "en")
        ]
        assert [name.replace(" ", "") for name in names] == [
            note.name_zh,
            note.name_en.replace(" ", ""),
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_book_has_a_name(language):
    for kind, count in (("card", 290), ("book", 33)):
        for value in range(count):
            id, values = GAME.word(kind, value)
            name = game_text(GAME, id, language, **values)
            assert name
            assert "{" not in name


def test_a_writer_card_is_called_by_name_work_and_year():
    assert CARDS.writers[0].name_zh == "楊逵"
    id, values = GAME.word("card", 0)
    assert game_text(GAME, id, "zh-Hant", **values) == "楊逵〈和平宣言〉（1949）"
    assert game_text(GAME, id, "en", **values) == "Yang Kui, “Peace Declaration” (1949)"


def test_a_function_card_and_a_book_are_called_by_their_names():
    id, values = GAME.word("card", function("prize"))
    assert [game_text(GAME, id, language, **values) for language in LANGUAGES] == [
        "「文學獎」",
        "Literary Prize",
        "“文学奖”",
    ]
    id, values = GAME.word("book", BANNED[0])
    assert game_text(GAME, id, "zh-Hant", **values) == f"禁書《{CARDS.banned[0].title_zh}》"


# Preparation 三、遊戲設置


def test_each_player_is_dealt_five_cards_and_books_are_shuffled():
    match = Match(GAME, 1)
    assert [len(hand) for hand in match.state.hands] == [5, 5, 5, 5]
    assert len(match.state.deck) == 270
    decks = {tuple(Match(GAME, seed).state.book_deck) for seed in range(5)}
    assert len(decks) == 5
    assert all(sorted(deck) == [*range(33)] for deck in decks)


def test_roles_are_drawn_by_lot_and_shown():
    drawn = {tuple(Match(GAME, seed).state.roles) for seed in range(200)}
    assert len(drawn) == 24
    match = Match(GAME, 3)
    told = [event for event in match.opening if event.text == "role_is"]
    assert [event.values["role"] for event in told] == match.state.roles
    assert GAME.observe(match.state, None).roles == tuple(match.state.roles)


def test_all_markers_start_on_the_first_year():
    state = Match(GAME, 1).state
    assert state.positions == [0] * 4
    assert GAME.year(1, 0) == 1949


def test_the_oldest_writer_in_any_hand_decides_who_begins():
    for seed in range(30):
        match = Match(GAME, seed)
        held = [card for hand in match.state.hands for card in hand if not CARDS.functions[card]]
        oldest = min(filter(None, map(CARDS.seniority, held)))
        assert CARDS.seniority(match.state.shown) == oldest
        assert match.state.shown in match.state.hands[match.state.turn]
        assert match.opening[-1].values == {"seat": match.state.turn, "card": match.state.shown}


def test_the_card_that_decides_who_begins_is_shown_to_all():
    match = Match(GAME, 1)
    for seat in (*GAME.seats, None):
        known = GAME.observe(match.state, seat).known[match.state.turn]
        assert known == (() if seat == match.state.turn else (match.state.shown,))


def test_with_no_writer_in_any_hand_the_lot_decides():
    game = Blockade(4)
    state = Match(game, 1).state
    functions = [card for card, kind in enumerate(CARDS.functions) if kind]
    state.hands, state.shown = [functions[5 * seat : 5 * seat + 5] for seat in game.seats], -1
    assert {eras.starter(game, state, stream(str(n), "x")) for n in range(40)} == {0, 1, 2, 3}
    assert state.shown == -1


def test_equal_birth_years_are_decided_by_the_earlier_work():
    game = Blockade(4)
    state = Match(game, 1).state
    same = next(
        (one, other)
        for one in WRITERS[1]
        for other in range(one + 1, 173)
        if (a := CARDS.seniority(one))
        and (b := CARDS.seniority(other))
        and a[0] == b[0]
        and a[1] < b[1]
    )
    state.hands = [[], [same[1]], [], [same[0]]]
    assert eras.starter(game, state, chance()) == 3


def test_chosen_eras_are_played_in_order():
    match = started(eras=(2, 4))
    assert match.state.era == 2
    match.state.steps = [["forward", 20, 0]]
    match.game.run(match.state, chance())
    match.play(TABLE, "next")
    assert match.state.era == 4
    assert match.state.positions == [0] * 4


# The first lap 遊戲第一回合


def first_lap(hand, **words):
    opening = Table(hand=hand, turns=0, **words)
    opening.state.steps = [["next_turn", 0], ["opening", 0]]
    return opening


def test_in_the_first_lap_only_writers_are_played():
    lap = first_lap([OLD[0], "prize"])
    assert lap.refused(("play", function("prize"))) == "refusal.first_lap"
    assert lap.refused("exchange") == "refusal.first_lap_exchange"
    lap.play(("play", OLD[0]))
    assert lap.state.tables[0] == [OLD[0]]
    assert len(lap.state.hands[0]) == 5
    assert lap.state.turn == 1


def test_in_the_first_lap_a_usable_writer_must_be_played():
    lap = first_lap([OLD[0], "prize"])
    assert lap.refused(("discard", function("prize"))) == "refusal.must_play"
    assert lap.refused("pass") == "refusal.pass"


def test_who_has_no_writer_discards_one_card_draws_one_and_passes():
    hand = tuple(function(name) for name in ("prize", "advance", "altered", "appeal", "mimeograph"))
    lap = first_lap(hand, top=["smuggling"])
    assert lap.legal() == tuple(("discard", card) for card in sorted(hand))
    lap.play(("discard", hand[0]))
    assert lap.state.hands[0] == sorted([*hand[1:], function("smuggling")])
    assert lap.state.tables[0] == []
    assert lap.state.turn == 1


def test_without_a_usable_writer_after_freshening_up_a_card_is_discarded():
    lap = first_lap([], fresh=1, top=WRITERS[3][:5])
    stale = lap.state.hands[0][:]
    assert lap.legal() == (*[("discard", card) for card in stale], "refresh", "done")
    lap.play(*[("discard", card) for card in stale], "done")
    assert lap.state.phase == "opening"
    lap.play(("discard", WRITERS[3][0]))
    assert lap.state.turn == 1


def test_there_is_no_phase_2_in_the_first_lap():
    lap = first_lap([OLD[0]], books={EDITOR: [B1]})
    lap.play(("play", OLD[0]))
    assert (lap.state.phase, lap.state.turn) == ("opening", 1)


def test_after_the_first_lap_come_turns_of_two_phases():
    match = started(seed="laps")
    rng = chance()
    while match.state.turns < 4:
        assert match.state.phase in ("opening", "fresh")
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))
    assert match.state.phase == "main"


def test_play_goes_clockwise():
    match = started(seed="round")
    rng, turns = chance(), []
    while match.state.turns < 12:
        turns.append(match.state.turn)
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    assert all(two in (one, (one + 1) % 4) for one, two in pairwise(turns))


# Freshening up (4.0, the kit's own rule)


def test_writers_of_other_eras_may_be_changed_at_the_start_of_a_turn():
    turn = Table(hand=["prize", OLD[0]], fresh=1, top=[OLD[1], OLD[2]])
    stale = [card for card in turn.state.hands[0] if card not in (function("prize"), OLD[0])]
    turn.play(("discard", stale[0]))
    assert turn.state.phase == "fresh"
    assert turn.refused(("discard", OLD[0])) == "refusal.not_stale"
    turn.play(("discard", stale[1]))
    assert turn.refused("exchange") == "refusal.now.fresh"
    turn.play("done")
    assert turn.state.phase == "main"
    assert {OLD[1], OLD[2]} <= set(turn.state.hands[0])
    assert turn.state.discards == stale[:2]
    assert turn.refused(("discard", stale[2])) == "refusal.must_play"  # once a turn


def test_a_function_card_or_a_writer_of_this_era_is_not_changed():
    turn = Table(hand=["prize", OLD[0]], fresh=1)
    for card in (function("prize"), OLD[0]):
        assert turn.refused(("discard", card)) == "refusal.not_stale"


def test_all_writers_of_other_eras_may_be_changed_at_once():
    turn = Table(hand=["prize", OLD[0]], fresh=1, top=OLD[1:4])
    stale = [card for card in turn.state.hands[0] if card not in (function("prize"), OLD[0])]
    turn.play("refresh")
    assert turn.state.phase == "main"
    assert turn.state.discards == stale
    assert turn.state.hands[0] == sorted([function("prize"), *OLD[:4]])
    assert turn.refused("refresh") == "refusal.refresh"  # once a turn
    some = Table(hand=["prize", OLD[0]], fresh=1)
    first, *others = [
        card for card in some.state.hands[0] if card not in (function("prize"), OLD[0])
    ]
    some.play(("discard", first), "refresh")
    assert some.state.phase == "main"
    assert some.state.discards == [first, *others]


def test_a_single_writer_of_another_era_is_changed_by_itself():
    turn = Table(hand=["prize", *OLD[:3]], fresh=1)
    (stale,) = [card for card in turn.state.hands[0] if card not in (function("prize"), *OLD[:3])]
    assert ("discard", stale) in turn.legal()
    assert turn.refused("refresh") == "refusal.refresh"


def test_nobody_need_freshen_up():
    turn = Table(hand=[], fresh=1)
    assert turn.legal()[-1] == "done"
    turn.play("done")
    assert all(action[0] == "discard" for action in turn.legal())


# Phase 1


def test_a_writer_of_the_era_is_played_to_the_table_and_the_hand_filled_up():
    turn = Table(hand=[OLD[0]], top=[OLD[5]])
    turn.play(("play", OLD[0]))
    assert turn.state.tables[0] == [OLD[0]]
    assert OLD[5] in turn.state.hands[0]
    assert len(turn.state.hands[0]) == 5


def test_a_work_of_1956_is_of_no_use_in_the_1970s():
    """「例如：1956年之作品，不得於1970年代使用」"""
    work = next(card for card in WRITERS[1] if CARDS.years[card] == 1956)
    turn = Table(era=3, hand=[work, "pen_name"])
    assert turn.refused(("play", work)) == "refusal.other_era"
    turn.play("pen_name", ("play", work))
    assert turn.state.tables[0] == [work]


def test_a_function_card_has_its_effect_at_once_and_is_discarded():
    turn = Table(hand=["prize"])
    turn.play("prize")
    assert turn.state.positions[0] == 4
    assert turn.state.discards == [function("prize")]
    assert len(turn.state.hands[0]) == 5


def test_the_text_of_a_function_card_is_read_aloud():
    turn = Table(hand=["prize"])
    event = turn.match.play(0, ("play", function("prize")))[0]
    for language in LANGUAGES:
        assert game_text(GAME, "function.prize.text", language) in sentence(
            turn.game, event, language
        )


def test_two_writers_are_exchanged_for_the_top_book_card():
    turn = Table(tables={POLICE: OLD[:2]}, book_top=[P1])
    turn.play("exchange")
    assert turn.state.books[0] == (P1,)
    assert turn.state.tables[0] == []
    assert turn.state.discards == OLD[:2]
    assert len(turn.state.hands[0]) == 5


def test_an_exchange_needs_two_writers_and_takes_the_place_of_playing():
    one = Table(hand=[OLD[3]], tables={POLICE: OLD[:1]})
    assert one.refused("exchange") == "refusal.exchange"
    one.play(("play", OLD[3]))
    assert len(one.state.tables[0]) == 2
    assert one.refused("exchange", 0) == "refusal.not_your_turn"
    one.state.steps = [["turn", POLICE]]
    one.game.run(one.state, chance())
    assert "exchange" in one.legal()


def test_with_more_than_two_writers_the_player_chooses_which_to_give():
    turn = Table(tables={POLICE: OLD[:3]}, book_top=[P1])
    turn.play("exchange")
    assert turn.refused("roll") == "refusal.now.pay"
    turn.play(("pay", OLD[2]), ("pay", OLD[0]))
    assert turn.state.tables[0] == [OLD[1]]
    assert turn.state.discards == [OLD[2], OLD[0]]


def test_at_another_price_each_writer_is_chosen_in_turn():
    turn = Table(tables={POLICE: OLD[:4]}, book_top=[P1], options={"price": 3})
    turn.play("exchange", ("pay", OLD[3]), ("pay", OLD[0]))
    assert turn.state.books[0] == ()
    turn.play(("pay", OLD[1]))
    assert turn.state.books[0] == (P1,)
    assert turn.state.tables[0] == [OLD[2]]


def test_no_exchange_when_the_book_deck_is_empty():
    turn = Table(hand=["prize"], tables={POLICE: OLD[:2]})
    turn.state.book_deck, turn.state.books = [], ((), tuple(range(33)), (), ())
    assert turn.refused("exchange") == "refusal.no_books"


def test_who_can_do_nothing_discards_one_card_and_draws_one():
    turn = Table(hand=[], top=[OLD[0]])
    card = turn.state.hands[0][0]
    assert turn.refused("pass") == "refusal.pass"
    turn.play(("discard", card))
    assert OLD[0] in turn.state.hands[0]
    assert len(turn.state.hands[0]) == 5


def test_who_can_do_something_may_not_merely_discard():
    turn = Table(hand=["prize"])
    assert turn.refused(("discard", function("prize"))) == "refusal.must_play"
    assert turn.refused("pass") == "refusal.pass"


def test_an_empty_hand_passes():
    turn = Table(hand=())
    assert turn.legal() == ("pass",)
    turn.play("pass")
    assert turn.state.turn == 1


def test_an_empty_experience_deck_is_made_of_the_discards():
    turn = Table(hand=["prize"])
    turn.state.discards, turn.state.deck = turn.state.deck, []
    pile = turn.state.discards[:]
    turn.play("prize")
    assert "reshuffle" in turn.told
    *rest, last = turn.match.game.observe(turn.state, None).reshuffled
    assert (rest, CARDS.functions[last]) == (pile, "prize")  # all saw it on its way
    assert len(turn.state.hands[0]) == 5
    assert turn.state.discards == []


# What a new book card is worth 角色介紹


@pytest.mark.parametrize(
    ("seat", "book", "steps"),
    [
        (POLICE, B1, 2),
        (POLICE, P1, 0),
        (SPY, B1, 2),
        (SPY, P1, 0),
        (EDITOR, B1, 0),
        (EDITOR, P1, 1),
        (AUTHOR, B1, 0),
        (AUTHOR, P1, 1),
    ],
)
def test_a_banned_book_moves_a_censor_two_and_a_periodical_a_pen_one(seat, book, steps):
    turn = Table(turn=seat, tables={seat: OLD[:2]}, book_top=[book])
    turn.play("exchange")
    assert turn.state.positions[seat] == 3 + steps
    assert turn.state.books[seat] == (book,)


def test_scenario_1_police_exchanges_for_a_banned_book():
    turn = Table(turn=POLICE, tables={POLICE: OLD[:2]}, book_top=[B1])
    hand = turn.state.hands[POLICE][:]
    turn.play("exchange")
    assert turn.state.positions[POLICE] == 5
    assert turn.state.books[POLICE] == (B1,)
    assert turn.state.tables[POLICE] == []
    assert turn.state.hands[POLICE] == hand


def test_scenario_2_a_periodical_taken_by_a_censor_can_be_claimed_back():
    turn = Table(
        turn=SPY, tables={SPY: OLD[:2]}, book_top=[P1], hands={EDITOR: ["catalogue"]}, at={SPY: 0}
    )
    turn.play("exchange")
    assert turn.state.positions[SPY] == 0
    assert turn.state.turn == EDITOR
    turn.play("catalogue")
    assert turn.legal() == (("strike", P1), "pass")


# Phase 2


def strike(seat, books, dice, **words):
    return Table(turn=seat, books=books, dice=dice, step="strike", **words)


def test_scenario_4_a_search_with_two_o():
    turn = strike(POLICE, {AUTHOR: [B1]}, "OO", at={AUTHOR: 5})
    turn.play(("strike", B1), "roll", "roll")
    assert turn.state.positions == [3, 3, 3, 3]
    assert turn.state.books == ((B1,), (), (), ())


@pytest.mark.parametrize(("dice", "told"), [("X", "launch_fails"), ("OX", "defended")])
def test_scenario_5_an_x_of_either_and_the_search_fails(dice, told):
    turn = strike(POLICE, {AUTHOR: [B1]}, dice, at={AUTHOR: 5})
    turn.play(("strike", B1), *["roll"] * len(dice))
    assert told in turn.told
    assert turn.state.positions[AUTHOR] == 5
    assert turn.state.books[AUTHOR] == (B1,)
    assert turn.state.turn == SPY


def test_scenario_6_a_protest_with_two_o():
    turn = strike(AUTHOR, {SPY: [P1]}, "OO")
    turn.play(("strike", P1), "roll", "roll")
    assert turn.state.positions == [3, 3, 3, 4]
    assert turn.state.books == ((), (), (), (P1,))


@pytest.mark.parametrize("dice", ["X", "OX"])
def test_a_protest_fails_with_an_x_of_either(dice):
    turn = strike(EDITOR, {SPY: [P1]}, dice)
    turn.play(("strike", P1), *["roll"] * len(dice))
    assert turn.state.positions == [3, 3, 3, 3]
    assert turn.state.books[SPY] == (P1,)


def test_the_attacker_throws_first_then_the_target():
    turn = strike(SPY, {EDITOR: [B1]}, "OO").play(("strike", B1))
    assert (turn.state.phase, turn.game.to_act(turn.state)) == ("launch", (SPY,))
    assert turn.refused("roll", EDITOR) == "refusal.not_your_turn"
    turn.play("roll")
    assert (turn.state.phase, turn.game.to_act(turn.state)) == ("defend", (EDITOR,))


@pytest.mark.parametrize(
    ("seat", "right", "wrong", "refusal"),
    [
        (POLICE, {EDITOR: [B1]}, {AUTHOR: [P1]}, "refusal.no_search"),
        (SPY, {EDITOR: [B1]}, {POLICE: [B2]}, "refusal.no_search"),
        (EDITOR, {SPY: [P1]}, {POLICE: [B1]}, "refusal.no_protest"),
        (AUTHOR, {SPY: [P1]}, {EDITOR: [P2]}, "refusal.no_protest"),
    ],
)
def test_scenario_7_only_what_helps_oneself_and_is_held_by_the_other_camp_can_be_taken(
    seat, right, wrong, refusal
):
    turn = strike(seat, {**right, **wrong}, "")
    ((book,),) = right.values()
    assert turn.legal() == (("strike", book), "pass")
    ((other,),) = wrong.values()
    assert turn.refused(("strike", other)) == refusal
    assert turn.refused(("strike", 32)) == refusal


def test_phase_2_is_optional_and_one_attempt():
    turn = strike(POLICE, {AUTHOR: [B1, B2]}, "X")
    turn.play("pass")
    assert turn.state.turn == SPY
    turn = strike(POLICE, {AUTHOR: [B1, B2]}, "X")
    turn.play(("strike", B1), "roll")
    assert turn.state.turn == SPY


def test_without_a_target_there_is_no_phase_2():
    turn = Table(hand=["prize"], books={EDITOR: [P1], SPY: [B1]}, at={POLICE: 3})
    turn.play("prize")
    assert (turn.state.turn, turn.state.phase) == (SPY, "main")


def test_a_search_sends_back_to_the_start_at_most():
    turn = strike(POLICE, {AUTHOR: [B1]}, "OO", at={AUTHOR: 1})
    turn.play(("strike", B1), "roll", "roll")
    assert turn.state.positions[AUTHOR] == 0


# The end of an era, points


def test_scenario_12_the_first_at_the_corner_ends_the_era_at_once():
    turn = Table(
        turn=POLICE, tables={POLICE: OLD[:2]}, book_top=[B1], books={AUTHOR: [B2]}, at={POLICE: 10}
    )
    turn.play("exchange")
    assert ended(turn)
    assert turn.state.positions[POLICE] == 11  # and not a space further
    assert turn.state.steps == [["era", TABLE]]


def points(*positions, **options):
    end = Table(options=options)
    end.state.positions = list(positions)
    eras.end_era(end.game, end.state, chance(), "corner")
    return end.state.points


def test_scenario_13_four_three_two_one_and_ties_get_the_better_place():
    assert points(11, 9, 5, 2) == [4, 3, 2, 1]
    assert points(11, 8, 8, 5) == [4, 3, 3, 1]
    assert points(2, 11, 2, 2) == [3, 4, 3, 3]
    assert points(5, 5, 5, 5) == [4, 4, 4, 4]


def test_scenario_21_the_points_of_all_eras_are_added():
    match = started(eras=(1, 2, 3, 4))
    expected = [0] * 4
    for era, order in enumerate([(4, 3, 1, 2), (1, 4, 3, 2), (3, 2, 1, 4), (2, 1, 4, 3)], 1):
        goal = match.game.goal(era)
        match.state.positions = [goal - 4 + place for place in order]
        eras.end_era(match.game, match.state, chance(), "corner")
        assert match.state.by_era[-1] == order
        expected = [one + other for one, other in zip(expected, order)]
        assert match.game.scores(match.state) == tuple(expected)
        assert match.game.winners(match.state) == ()
        match.play(TABLE, "next")
        if match.state.phase == "begin":
            match.play(TABLE, "next")
    assert match.over
    assert expected == [10, 10, 9, 11]
    assert match.game.winners(match.state) == (3,)


def test_all_start_the_next_era_together_with_new_cards():
    match = started(eras=(1, 2), seed="again")
    before = match.state.roles[:]
    match.state.steps = [["forward", 11, 2]]
    match.game.run(match.state, chance())
    assert match.state.phase == "era"
    match.play(TABLE, "next")
    state = match.state
    assert state.positions == [0] * 4
    assert [len(hand) for hand in state.hands] == [5] * 4
    assert len(state.deck) == 270
    assert (state.tables, state.books, state.discards) == ([[]] * 4, ((),) * 4, [])
    assert state.roles == before
    conserved(match.game, state)


def test_the_table_goes_on_when_all_have_seen_the_points():
    turn = Table(hand=["prize"], at={POLICE: 10}).play("prize")
    assert turn.game.to_act(turn.state) == (TABLE,)
    assert turn.refused("roll") == "refusal.next"
    assert turn.refused("next", 0) == "refusal.not_your_turn"
    turn.play("next")
    assert turn.match.over
    assert turn.refused("next", TABLE) == "refusal.over"


@pytest.mark.parametrize("role", range(4))
def test_the_closing_text_is_that_of_the_winning_role(role):
    end = Table()
    end.state.roles = [role, *[other for other in range(4) if other != role]]
    end.state.positions = [11, 3, 2, 1]
    eras.end_era(end.game, end.state, chance(), "corner")
    end.play("next")
    assert end.told == ["over", "closing.most", f"closing.{ROLES[role]}"]
    assert end.game.winners(end.state) == (0,)


@pytest.mark.parametrize("change", ["passed", "drawn"])
def test_where_roles_change_the_closing_is_nobodys_role(change):
    match = started(roles_each_era=change, eras=(1, 2))
    for _ in range(2):
        eras.end_era(match.game, match.state, chance(), "corner")
        told = match.play(TABLE, "next")
    assert [event.text for event in told] == ["over", "closing.changed"]
    one = started(roles_each_era=change, eras=(3,))
    one.state.points = [0, 0, 0, 9]
    eras.end_era(one.game, one.state, chance(), "corner")
    assert [event.text for event in one.play(TABLE, "next")][
        2
    ] == f"closing.{ROLES[one.state.roles[3]]}"


def test_a_shared_victory_has_the_closing_of_both():
    end = Table()
    end.state.positions = [5, 8, 8, 2]
    eras.end_era(end.game, end.state, chance(), "limit")
    end.play("next")
    assert end.game.winners(end.state) == (1, 2)
    assert end.told == ["over", "closing.most", "closing.informant", "closing.editor"]


# Movement


def test_forward_stops_at_the_corner_and_back_at_the_start():
    move = Table(at={POLICE: 9, SPY: 1})
    move.state.then(["back", 5, SPY], ["forward", 5, POLICE])
    move.game.run(move.state, chance())
    assert move.state.positions[:2] == [11, 0]


def test_a_marker_that_reaches_the_corner_triggers_nothing():
    turn = Table(hand=["advance"], at={POLICE: 10 - 1, SPY: 10, EDITOR: 10, AUTHOR: 10})
    turn.play("advance")
    assert ended(turn)
    assert "happens" not in turn.told


def test_passed_events_happen_in_order_of_years_after_the_move():
    move = Table(at={EDITOR: 4}, hands={EDITOR: [OLD[0]]}, turn=EDITOR, step="strike")
    move.state.steps = [["forward", 4, EDITOR]]
    move.game.run(move.state, chance())
    assert move.state.positions[EDITOR] == 8
    assert move.state.fired == ((1954, EDITOR), (1955, EDITOR), (1957, EDITOR))
    assert [step[0] for step in move.state.steps[-1:]] == ["throw"]


def test_moving_back_triggers_nothing():
    move = Table(at={EDITOR: 6})
    move.state.then(["back", 2, EDITOR])
    move.game.run(move.state, chance())
    assert move.state.fired == ()


def test_an_event_happens_once_an_era():
    turn = Table(hand=["prize"], hands={SPY: ["prize"]}, at={POLICE: 4, SPY: 4})
    turn.play("prize")
    assert turn.state.fired == ((1954, POLICE),)
    turn.play("prize")
    assert turn.told.count("happens") == 1


def test_scenario_a28_two_reach_the_corner_together():
    turn = Table(turn=EDITOR, hand=["appeal"], at={POLICE: 10, SPY: 9, EDITOR: 9, AUTHOR: 10})
    turn.play("appeal")  # 主編 plays it and is first, 線民 stops a space before
    assert turn.state.positions == [10, 10, 11, 10]
    assert turn.state.points == [3, 3, 4, 3]


def test_nothing_left_to_do_is_done_after_the_era():
    turn = Table(turn=EDITOR, hand=["stencil"], at={EDITOR: 10})
    turn.state.then(["forward", 1, EDITOR], ["forward", 1, POLICE])
    turn.game.run(turn.state, chance())
    assert ended(turn)
    assert turn.state.positions[POLICE] == 3


# The function cards (the kit's own design)


def test_stencil_places_up_to_two_usable_writers():
    turn = Table(hand=["stencil", *OLD[:3]]).play("stencil")
    assert turn.refused(("play", WRITERS[2][-1])) in ("refusal.other_era", "refusal.not_in_hand")
    turn.play(("play", OLD[0]), ("play", OLD[1]))
    assert turn.state.tables[0] == OLD[:2]
    assert turn.state.turn == SPY
    one = Table(hand=["stencil", *OLD[:3]]).play("stencil", ("play", OLD[2]), "done")
    assert one.state.tables[0] == [OLD[2]]


def test_stencil_without_a_usable_writer():
    turn = Table(hand=["stencil"]).play("stencil")
    assert turn.legal() == ("done",)


def test_mimeograph_takes_the_top_book_card():
    turn = Table(turn=EDITOR, hand=["mimeograph"], book_top=[P1]).play("mimeograph")
    assert turn.state.books[EDITOR] == (P1,)
    assert turn.state.positions[EDITOR] == 4


def without_books(**words):
    table = Table(**words)
    for book in table.state.book_deck:
        table.state.books = with_card(table.state.books, SPY, book)
    table.state.book_deck = []
    return table


def test_mimeograph_without_book_cards():
    turn = without_books(hand=["mimeograph"]).play("mimeograph")
    assert "no_books" in turn.told
    assert turn.state.books[POLICE] == ()


def test_bookstall_looks_at_three_and_takes_one():
    turn = Table(hand=["bookstall"], book_top=[P1, P2, B1]).play("bookstall")
    assert set(turn.legal()) == {("take", P1), ("take", P2), ("take", B1)}
    assert set(turn.game.observe(turn.state, POLICE).peek) == {P1, P2, B1}
    assert turn.game.observe(turn.state, SPY).peek == turn.game.observe(turn.state, None).peek == ()
    turn.play(("take", B1))
    assert turn.state.books[POLICE] == (B1,)
    assert turn.state.positions[POLICE] == 5
    assert len(turn.state.book_deck) == 32


def test_bookstall_shuffles_the_others_back():
    tops = set()
    for dice in range(30):
        turn = Table(hand=["bookstall"], book_top=[P1, P2, B1]).play("bookstall")
        turn.match._rng = stream(str(dice), "chance")
        tops.add(turn.play(("take", B1)).state.book_deck[-1])
    assert len(tops) > 10


def test_bookstall_without_book_cards():
    turn = without_books(hand=["bookstall"]).play("bookstall")
    assert "no_books" in turn.told
    assert turn.state.turn == SPY


def test_false_cover_makes_every_attempt_fail_without_a_throw():
    turn = Table(turn=EDITOR, hand=["false_cover"], books={EDITOR: [B1]}, hands={POLICE: ["prize"]})
    turn.play("false_cover")
    assert turn.state.covered == [0, 0, 1, 0]
    turn.state.steps = [["next_turn", POLICE], ["strike", POLICE]]
    turn.play(("strike", B1))
    assert turn.state.books[EDITOR] == (B1,)
    assert turn.told[-2:] == ["strike.garrison", "covered"]


def test_false_cover_protects_nobody_else_and_ends_with_the_next_turn():
    turn = strike(POLICE, {AUTHOR: [B1]}, "OO", covered=[0, 0, 1, 0])
    turn.play(("strike", B1), "roll", "roll")
    assert turn.state.books[POLICE] == (B1,)
    turn = Table(turn=SPY, hand=["prize"], covered=[0, 0, 1, 0]).play("prize")
    assert (turn.state.turn, turn.state.covered) == (EDITOR, [0, 0, 0, 0])


def test_altered_changes_an_own_book_card_for_the_top_one():
    turn = Table(hand=["altered"], books={POLICE: [P1, P2]}, book_top=[B1]).play(
        "altered", ("under", P2)
    )
    assert turn.state.books[POLICE] == (P1, B1)
    assert turn.state.book_deck[0] == P2
    assert turn.state.positions[POLICE] == 5
    assert turn.game.observe(turn.state, AUTHOR).under == (P2,)


def test_altered_without_an_own_book_card_or_a_deck():
    turn = Table(hand=["altered"], book_top=[B1]).play("altered")
    assert "no_effect" in turn.told
    empty = without_books(hand=["altered"], books={POLICE: [P1]}).play("altered")
    assert empty.state.books[POLICE] == (P1,)


def test_pen_name_places_a_writer_of_any_era():
    turn = Table(hand=["pen_name", WRITERS[4][0]]).play("pen_name")
    turn.play(("play", WRITERS[4][0]))
    assert turn.state.tables[POLICE] == [WRITERS[4][0]]


def test_pen_name_without_a_writer():
    hand = ("pen_name", "prize", "appeal", "advance", "altered")
    turn = Table(hand=hand).play("pen_name")
    assert turn.legal() == ("done",)
    assert turn.refused(("play", function("prize"))) == "refusal.writer_only"


def test_prize_goes_forward_one():
    assert Table(hand=["prize"]).play("prize").state.positions == [4, 3, 3, 3]


def test_prize_cannot_go_beyond_the_corner():
    assert Table(hand=["prize"], at={POLICE: 10}).play("prize").state.positions == [11, 3, 3, 3]


@pytest.mark.parametrize(("at", "steps"), [(2, 2), (3, 2), (4, 1)])
def test_advance_goes_forward_one_or_two_if_last(at, steps):
    turn = Table(
        hand=["advance"], at={POLICE: at, SPY: 3, EDITOR: 7, AUTHOR: 8}, options={"events": False}
    )
    assert turn.play("advance").state.positions[POLICE] == at + steps


def test_circulation_lets_both_of_a_camp_place():
    turn = Table(turn=AUTHOR, hand=["circulation", OLD[0]], hands={EDITOR: [OLD[1]]}).play(
        "circulation"
    )
    turn.play(("play", OLD[0]))
    assert turn.game.to_act(turn.state) == (EDITOR,)
    turn.play(("play", OLD[1]))
    assert turn.state.tables[EDITOR:] == [[OLD[1]], [OLD[0]]]
    assert [len(hand) for hand in turn.state.hands] == [5] * 4


def test_circulation_without_usable_writers():
    turn = Table(hand=["circulation"]).play("circulation")
    assert turn.legal() == ("done",)
    turn.play("done")
    assert turn.game.to_act(turn.state) == (SPY,)
    assert turn.legal() == ("done",)


def test_spare_licence_saves_from_the_next_move_back():
    turn = Table(turn=EDITOR, hand=["spare_licence"]).play("spare_licence")
    licence = function("spare_licence")
    assert turn.state.spares[EDITOR] == (licence,)
    assert licence not in turn.state.discards
    turn.state.then(["back", 1, EDITOR], ["back", 1, EDITOR])
    turn.game.run(turn.state, chance())
    assert turn.state.positions[EDITOR] == 2
    assert turn.state.spares[EDITOR] == ()
    assert licence in turn.state.discards


def test_spare_licence_is_kept_where_nobody_can_go_back():
    turn = Table(spares={EDITOR: function("spare_licence")}, at={EDITOR: 0})
    turn.state.then(["back", 1, EDITOR])
    turn.game.run(turn.state, chance())
    assert turn.state.spares[EDITOR] == (function("spare_licence"),)


def test_catalogue_makes_the_launching_roll_an_o():
    turn = Table(hand=["catalogue"], books={AUTHOR: [B1]}, dice="").play(
        "catalogue", ("strike", B1)
    )
    assert (turn.state.phase, turn.game.to_act(turn.state)) == ("defend", (AUTHOR,))
    turn.dice("O")
    turn.play("roll")
    assert turn.state.books[POLICE] == (B1,)


def test_catalogue_lapses_at_the_end_of_the_turn():
    turn = Table(
        hand=["catalogue"], hands={SPY: ["prize"], EDITOR: [OLD[0]]}, books={EDITOR: [B1]}, dice=""
    )
    turn.play("catalogue", "pass", "prize", ("strike", B1))
    assert turn.state.phase == "launch"


def test_summons_costs_a_rival_a_writer():
    turn = Table(hand=["summons"], tables={EDITOR: OLD[:2]}).play("summons")
    assert turn.legal() == (("rival", EDITOR), ("rival", AUTHOR))
    turn.play(("rival", EDITOR))
    assert turn.game.to_act(turn.state) == (EDITOR,)
    turn.play(("lose", OLD[1]))
    assert turn.state.tables[EDITOR] == [OLD[0]]


def test_summons_costs_a_rival_without_writers_a_random_hand_card():
    turn = Table(hand=["summons"], hands={AUTHOR: OLD[:5]}, top=["prize"])
    turn.play("summons", ("rival", AUTHOR))
    assert len(set(OLD[:5]) & set(turn.state.hands[AUTHOR])) == 4
    assert function("prize") in turn.state.hands[AUTHOR]


def test_summons_against_somebody_who_has_nothing():
    turn = Table(hand=["summons"], hands={AUTHOR: ()}).play("summons", ("rival", AUTHOR))
    assert turn.state.hands[AUTHOR] == []
    assert turn.state.turn == SPY


def test_mail_check_looks_at_a_hand_and_discards_a_card_of_it():
    turn = Table(turn=SPY, hand=["mail_check"], hands={EDITOR: OLD[:5]}, top=["prize"])
    turn.play("mail_check", ("rival", EDITOR))
    assert turn.legal() == tuple(("drop", card) for card in OLD[:5])
    assert turn.game.observe(turn.state, SPY).known[EDITOR] == tuple(OLD[:5])
    assert turn.refused(("drop", OLD[6])) == "refusal.now.inspect"
    turn.play(("drop", OLD[2]))
    assert OLD[2] in turn.state.discards
    assert function("prize") in turn.state.hands[EDITOR]


def test_what_was_seen_of_a_hand_is_remembered_until_it_leaves_it():
    turn = Table(turn=SPY, hand=["mail_check"], hands={EDITOR: OLD[:5]}, top=["prize", "advance"])
    turn.play("mail_check", ("rival", EDITOR), ("drop", OLD[2]), ("play", OLD[0]))
    assert turn.game.observe(turn.state, SPY).known[EDITOR] == (OLD[1], OLD[3], OLD[4])
    for other in (POLICE, AUTHOR, None):
        assert turn.game.observe(turn.state, other).known == ((), (), (), ())
    for n in range(20):
        guess = turn.game.resample(turn.game.observe(turn.state, SPY), stream(str(n), "guess"))
        assert {OLD[1], OLD[3], OLD[4]} <= set(guess.hands[EDITOR])


def test_a_card_that_was_seen_and_comes_back_is_not_known():
    turn = Table(turn=SPY, hand=["mail_check"], hands={EDITOR: [OLD[0]]})
    turn.play("mail_check", ("rival", EDITOR))
    turn.play(("drop", OLD[0]))
    turn.state.discards.remove(OLD[0])
    turn.state.deck.append(OLD[0])
    turn.state.then(["draw", EDITOR, 1], ["draw", AUTHOR, 1])
    turn.game.run(turn.state, chance())
    assert OLD[0] in turn.state.hands[EDITOR]
    assert OLD[0] not in turn.game.observe(turn.state, SPY).known[EDITOR]


def test_mail_check_of_an_empty_hand():
    turn = Table(hand=["mail_check"], hands={AUTHOR: ()}).play("mail_check", ("rival", AUTHOR))
    assert turn.state.turn == SPY


def test_denunciation_sends_a_rival_back_one():
    turn = Table(turn=AUTHOR, hand=["denunciation"]).play("denunciation", ("rival", SPY))
    assert turn.state.positions == [3, 2, 3, 3]


def test_denunciation_of_somebody_at_the_start():
    turn = Table(hand=["denunciation"], at={EDITOR: 0}).play("denunciation", ("rival", EDITOR))
    assert turn.state.positions[EDITOR] == 0
    assert "stay" in turn.told


def test_torn_page_takes_the_next_phase_2():
    turn = Table(turn=AUTHOR, hand=["torn_page"], hands={POLICE: ["prize"]}, books={EDITOR: [B1]})
    assert turn.refused(("rival", EDITOR)) == "refusal.now.main"
    turn.play("torn_page", ("rival", POLICE), "prize")
    assert (turn.state.turn, turn.state.phase) == (SPY, "main")  # 警總 would have had a target
    assert turn.state.skip == [0] * 4
    assert "skips" in turn.told


def test_torn_page_is_used_up_even_without_a_target():
    turn = Table(turn=AUTHOR, hand=["torn_page"], hands={POLICE: ["prize"]}).play(
        "torn_page", ("rival", POLICE)
    )
    assert turn.state.skip == [1, 0, 0, 0]
    turn.play("prize")
    assert turn.state.skip == [0] * 4


def test_suspension_puts_a_rivals_periodical_under_the_deck_and_the_rival_goes_back():
    turn = Table(turn=EDITOR, hand=["suspension"], books={SPY: [P1, B1], AUTHOR: [P2]}).play(
        "suspension"
    )
    assert turn.legal() == (("under", P1),)
    turn.play(("under", P1))
    assert turn.state.book_deck[0] == P1
    assert turn.state.positions == [3, 2, 3, 3]


def test_suspension_without_a_periodical():
    turn = Table(turn=EDITOR, hand=["suspension"], books={SPY: [B1], AUTHOR: [P2]}).play(
        "suspension"
    )
    assert "no_effect" in turn.told
    assert turn.state.books[SPY] == (B1,)
    assert turn.state.positions == [3] * 4


def test_scenario_17_appeal_moves_all_who_are_last():
    turn = Table(hand=["appeal"], at={POLICE: 4, SPY: 2, EDITOR: 2, AUTHOR: 7}).play("appeal")
    assert turn.state.positions == [4, 4, 4, 7]


def test_appeal_leaves_who_is_not_last():
    turn = Table(hand=["appeal"], at={POLICE: 4, SPY: 2}).play("appeal")
    assert turn.state.positions == [4, 4, 3, 3]


def test_reading_circle_draws_two_places_one_and_discards_down():
    turn = Table(hand=["reading_circle"], top=[OLD[0], OLD[1]]).play("reading_circle")
    assert len(turn.state.hands[POLICE]) == 6
    turn.play(("play", OLD[1]))
    assert turn.state.tables[POLICE] == [OLD[1]]
    assert len(turn.state.hands[POLICE]) == 5
    assert turn.state.turn == SPY


def test_reading_circle_without_a_usable_writer():
    turn = Table(hand=["reading_circle"], top=["prize", "appeal"]).play("reading_circle")
    assert turn.legal() == ("done",)
    turn.play("done")
    assert turn.refused("done") == "refusal.now.trim"
    turn.play(("discard", function("appeal")))
    assert function("prize") in turn.state.hands[POLICE]
    assert len(turn.state.hands[POLICE]) == 5


@pytest.mark.parametrize(
    ("name", "rest", "wanted", "seat"),
    [("smuggling", P1, B1, POLICE), ("first_issue", B1, P1, EDITOR)],
)
def test_smuggling_and_first_issue_search_the_book_deck(name, rest, wanted, seat):
    turn = Table(turn=seat, hand=[name], book_top=[rest, wanted]).play(name)
    assert turn.state.books[seat] == (wanted,)
    assert turn.state.revealed == (rest, wanted)
    assert rest in turn.state.book_deck
    assert turn.state.positions[seat] == (5 if seat == POLICE else 4)


@pytest.mark.parametrize(("name", "books"), [("smuggling", BANNED), ("first_issue", PERIODICALS)])
def test_smuggling_and_first_issue_where_none_is_left(name, books):
    turn = Table(hand=[name], books={EDITOR: books})
    before = turn.state.book_deck[:]
    turn.play(name)
    assert any(text.startswith("none_left") for text in turn.told)
    assert turn.state.book_deck == before


# The events (their effects are the kit's own design)


def at_event(year, turn=EDITOR, at=None, **words):
    """Return the position after *turn* has gone forward one space, to *year*."""
    era = next(era for era, years in ERAS.items() if year in years)
    at = {turn: year - ERAS[era][0] - 1, **(at or {})}
    words.setdefault("hand", ["prize", *words.pop("writers", [])])
    position = Table(era=era, turn=turn, at=at, **words).play("prize")
    assert (year, turn) in position.state.fired
    return position


def begun(era, seed="event"):
    match = Match(Blockade(4, Options(eras=(era,))), seed)
    assert match.state.phase == "begin"
    return match


def test_1949_each_pen_turns_over_a_card():
    match = begun(1)
    state = match.state
    pens = match.game.pens(state)
    state.deck = [card for card in state.deck if card not in OLD[-1:]]
    usable = next(card for card in OLD if card in state.deck)
    other = next(card for card in WRITERS[2] if card in state.deck)
    for card in (usable, other):
        state.deck.remove(card)
    state.deck += [other, usable]
    match.play(TABLE, "next")
    assert [state.tables[pen] for pen in pens] == [[usable], []]
    assert state.discards == [other]
    assert all(state.tables[seat] == [] for seat in match.game.censors(state))


def test_1949_happens_at_the_start_only_if_the_first_era_is_played():
    match = Match(Blockade(4, Options(eras=(4,))), 1)
    assert match.state.phase == "opening"


def test_1950_takes_a_hand_card_and_each_pen_loses_a_writer():
    event = at_event(1950, POLICE, tables={EDITOR: OLD[:2]})
    assert event.state.phase == "lose"
    event.play(("lose", OLD[0]))
    assert event.state.tables[EDITOR] == [OLD[1]]
    assert len(event.state.discards) == 3
    assert len(event.state.hands[POLICE]) == 5


def test_1950_without_writers_takes_only_the_hand_card():
    event = at_event(1950, POLICE)
    assert event.state.turn == SPY
    assert len(event.state.discards) == 2


def test_1954_each_pen_puts_a_banned_book_under_the_deck():
    event = at_event(1954, POLICE, books={EDITOR: [B1, B2, P1], AUTHOR: [B3], SPY: [P2]})
    assert event.legal() == (("under", B1), ("under", B2))
    event.play(("under", B2), ("under", B3))
    assert event.state.books == ((), (P2,), (B1, P1), ())
    assert event.state.book_deck[:2] == [B3, B2]


def test_1954_without_banned_books():
    event = at_event(1954, POLICE, books={EDITOR: [P1], SPY: [B1]})
    assert event.state.turn == SPY


def test_1955_all_others_throw_and_x_goes_back():
    event = at_event(1955, EDITOR)
    event.dice("XOX")  # 作家, 警總 and 線民 throw, clockwise from 主編
    event.play("roll", "roll", "roll")
    assert event.state.positions == [3, 2, 6, 2]
    assert event.told.count("throw") == 3


def test_1955_at_the_start_nobody_goes_back():
    event = at_event(1955, EDITOR, at={POLICE: 0, SPY: 0, AUTHOR: 0})
    event.dice("XXX")
    event.play("roll", "roll", "roll")
    assert event.state.positions == [0, 0, 6, 0]


def test_1957_each_pen_may_place_a_writer():
    event = at_event(1957, EDITOR, writers=[OLD[0]], hands={AUTHOR: [OLD[1]]})
    event.play(("play", OLD[0]), ("play", OLD[1]))
    assert event.state.tables == [[], [], [OLD[0]], [OLD[1]]]
    assert [len(hand) for hand in event.state.hands] == [5] * 4


def test_1957_without_usable_writers():
    event = at_event(1957, EDITOR)
    assert event.legal() == ("done",)
    event.play("done", "done")
    assert event.state.turn == AUTHOR


def test_1960_a_periodical_is_out_of_play():
    match = begun(2)
    match.play(TABLE, "next")
    state = match.state
    assert len(state.removed) == 1
    assert state.removed[0] in PERIODICALS
    assert len(state.book_deck) == 32
    conserved(match.game, state)


def test_1960_without_a_periodical_in_the_deck():
    match = begun(2)
    state = match.state
    periodicals = tuple(book for book in state.book_deck if book in PERIODICALS)
    state.books = (periodicals, *state.books[1:])
    state.book_deck = [book for book in state.book_deck if book in BANNED]
    match.play(TABLE, "next")
    assert state.removed == ()


def test_1962_the_player_takes_a_banned_book():
    event = at_event(1962, POLICE, book_top=[P1, B1])
    assert event.state.books[POLICE][0] == B1
    assert event.state.positions[POLICE] == 4
    assert event.state.fired == ((1962, POLICE), (1964, POLICE))  # and the move goes on


def test_two_searches_in_one_action_leave_all_the_books_they_turned_up_in_sight():
    event = at_event(1962, POLICE, book_top=[P1, B1])
    assert event.told.count("turned_up") == 2  # 1962, then 1964
    told = [
        book
        for happened in event.match.events[-1]
        if happened.text == "turned_up"
        for book in happened.values["books"]
    ]
    assert told[:2] == [P1, B1]
    assert event.state.revealed == tuple(told)
    check_story(
        Blockade(4, Options(laps_limit=5)), "5000"
    )  # a match where two worlds differed in the first search


def test_1962_without_a_banned_book():
    event = at_event(1962, EDITOR, books={SPY: BANNED})
    assert event.state.books[EDITOR] == ()


def test_1964_the_player_takes_a_periodical():
    event = at_event(1964, EDITOR, book_top=[B1, P1])
    assert event.state.books[EDITOR] == (P1,)
    assert event.state.positions[EDITOR] == 5


def test_1964_without_a_periodical():
    event = at_event(1964, EDITOR, books={AUTHOR: PERIODICALS})
    assert event.state.positions[EDITOR] == 4


def test_1966_all_pass_a_card_to_the_left_at_once():
    new = WRITERS[2]
    event = at_event(1966, EDITOR, writers=[new[2]], hands={0: [new[0]], 1: [new[1]], 3: [new[3]]})
    assert event.game.to_act(event.state) == (0, 1, 2, 3)
    for seat in (3, 0, 1):
        event.match.play(seat, ("left", new[seat]))
        assert new[seat] in event.state.hands[seat]
    assert event.game.to_act(event.state) == (2,)
    assert event.refused(("left", new[3]), 3) == "refusal.not_your_turn"
    told = event.match.play(2, ("left", new[2]))
    for seat in range(4):
        assert new[seat] in event.state.hands[(seat + 1) % 4]
        assert event.game.observe(event.state, seat).known[(seat + 1) % 4] == (new[seat],)
        assert [era.text for era in told if era.is_for(seat)].count("gave") == 1


def test_1966_nobody_sees_what_another_has_chosen():
    new = WRITERS[2]
    event = at_event(1966, EDITOR, hands={0: new[:2]})
    event.match.play(0, ("left", new[0]))
    assert event.game.observe(event.state, 0).steps[-1][2:] == (new[0], -1, -1, -1)
    for seat in (1, 2, 3, None):
        assert event.game.observe(event.state, seat).steps[-1][2:] == (-2, -1, -1, -1)


def test_1966_what_was_known_of_a_hand_may_have_moved():
    new = WRITERS[2]
    event = at_event(1966, EDITOR, hands={0: new[:5]})
    event.state.known = [[], new[:5], [], [], new[:5]]
    for seat in range(4):
        event.match.play(seat, event.legal(seat)[-1])
    for other in (1, None):
        assert not set(new[:5]) & {
            card for cards in event.game.observe(event.state, other).known for card in cards
        }


def test_1966_an_empty_hand_passes_nothing():
    event = at_event(1966, EDITOR, hands={0: ()})
    assert event.game.to_act(event.state) == (1, 2, 3)
    held = sum(map(len, event.state.hands))
    for seat in (1, 2, 3):
        event.match.play(seat, event.legal(seat)[0])
    assert sum(map(len, event.state.hands)) >= held
    assert len(event.state.hands[0]) == 1


@pytest.mark.parametrize(("other", "throws"), [(2, 1), (8, 2), (9, 1)])
def test_1968_the_foremost_pen_throws(other, throws):
    event = at_event(1968, EDITOR, at={AUTHOR: other})
    event.dice("XX")
    event.play(*["roll"] * throws)
    assert event.state.turn == AUTHOR
    assert event.state.positions[EDITOR] == (8 if other == 9 else 6)
    assert event.state.positions[AUTHOR] == {2: 2, 8: 6, 9: 7}[other]


def test_1968_an_o_stays():
    event = at_event(1968, EDITOR)
    event.dice("O")
    assert event.play("roll").state.positions[EDITOR] == 8


def test_1970_each_pen_skips_its_first_phase_2():
    match = begun(3)
    match.play(TABLE, "next")
    assert [match.state.skip[seat] for seat in range(4)] == [
        int(role >= 2) for role in match.state.roles
    ]


def test_1970_counts_for_one_phase_2_only():
    turn = Table(
        era=3, turn=EDITOR, hand=["prize"], books={SPY: [P1]}, skip=[0, 0, 1, 1], at={EDITOR: 3}
    ).play("prize")
    assert turn.state.turn == AUTHOR
    assert turn.state.skip == [0, 0, 0, 1]


def test_1971_everybody_goes_back_one():
    event = at_event(1971, POLICE, at={SPY: 0})
    assert event.state.positions == [0, 0, 2, 2]


def test_1972_each_pen_loses_a_writer_or_else_a_hand_card():
    writers = WRITERS[3]
    event = at_event(1972, POLICE, tables={EDITOR: writers[:1]}, hands={AUTHOR: writers[5:10]})
    event.play(("lose", writers[0]))
    assert event.state.tables[EDITOR] == []
    assert len(set(writers[5:10]) & set(event.state.hands[AUTHOR])) == 4
    assert len(event.state.hands[AUTHOR]) == 5


def test_1972_of_pens_with_nothing():
    event = at_event(1972, POLICE, hands={EDITOR: (), AUTHOR: ()})
    assert event.state.discards == [function("prize")]


def test_1977_everybody_throws_and_o_goes_forward():
    event = at_event(1977, POLICE, at={SPY: 9, EDITOR: 8, AUTHOR: 0})
    event.dice("OOOX")
    event.play("roll", "roll", "roll", "roll")
    assert event.state.positions == [8, 9, 9, 0]  # nobody reaches the corner
    assert (1979, EDITOR) not in event.state.fired  # and nothing happens there


def test_1977_with_x_nobody_moves():
    event = at_event(1977, POLICE)
    event.dice("XXXX")
    assert event.play("roll", "roll", "roll", "roll").state.positions == [7, 3, 3, 3]


def test_1979_each_pen_goes_back_and_takes_a_book_card():
    event = at_event(1979, POLICE, at={EDITOR: 4, AUTHOR: 4}, book_top=[B1, P1])
    assert event.state.books == ((), (), (B1,), (P1,))
    assert event.state.positions == [9, 3, 3, 4]


def test_1979_without_book_cards():
    event = without_books(era=3, turn=POLICE, hand=["prize"], at={POLICE: 8}).play("prize")
    assert event.state.positions == [9, 3, 2, 2]
    assert event.told.count("no_books") == 2


def test_1981_everybody_skips_the_next_phase_2():
    event = at_event(1981, POLICE, at={POLICE: 0}, books={EDITOR: [B1]})
    assert event.state.turn == SPY  # 警總 has skipped this one
    assert event.state.skip == [0, 1, 1, 1]


def test_1981_ends_with_that_phase_2():
    turn = Table(
        era=4, turn=SPY, hand=["prize"], books={EDITOR: [B1]}, at={SPY: 5}, skip=[0, 1, 0, 0]
    )
    turn.play("prize")
    assert turn.state.skip == [0] * 4


def test_1984_each_censor_goes_back_one():
    event = at_event(1984, EDITOR, at={SPY: 0})
    assert event.state.positions == [2, 0, 4, 3]


def test_1984_a_spare_licence_helps_a_censor_too():
    event = at_event(1984, EDITOR, spares={POLICE: function("spare_licence")})
    assert event.state.positions == [3, 2, 4, 3]


def test_scenario_19_after_1987_censors_have_no_phase_2():
    event = at_event(
        1987, POLICE, at={EDITOR: 5, AUTHOR: 5}, books={EDITOR: [B1]}, hands={SPY: ["prize"]}
    )
    assert event.state.positions == [7, 3, 6, 6]
    assert event.state.turn == SPY
    event.play("prize")
    assert event.state.turn == EDITOR


def test_1987_leaves_pens_their_phase_2():
    event = at_event(1987, EDITOR, books={SPY: [P1]})
    assert event.legal() == (("strike", P1), "pass")


def test_1989_a_pens_launching_roll_counts_as_o():
    event = at_event(1989, EDITOR, books={SPY: [P1]}).play(("strike", P1))
    assert event.state.phase == "defend"


def test_1989_does_not_help_a_censor():
    event = at_event(1989, POLICE, books={EDITOR: [B1]}).play(("strike", B1))
    assert event.state.phase == "launch"


def test_1992_each_pen_with_a_banned_book_goes_forward():
    event = at_event(1992, POLICE, at={EDITOR: 5}, books={EDITOR: [B1], AUTHOR: [P1], SPY: [B2]})
    assert event.state.positions == [12, 3, 6, 3]


def test_1992_without_banned_books():
    event = at_event(1992, EDITOR, books={SPY: [B1]}, at={EDITOR: 11})
    assert event.state.positions == [3, 3, 12, 3]


# Options: every open point, both ways


def test_eras_are_different_and_ascending():
    for wrong in ((2, 1), (1, 1), (1, 3, 2)):
        with pytest.raises(OptionError, match="eras"):
            Blockade(4, Options(eras=wrong))
    assert Match(Blockade(4, Options(eras=(3,))), 1).state.era == 3


def next_era(**options):
    match = started(eras=(1, 4), seed="roles", **options)
    match.state.books = ((0,), (30,), (1,), (31,))
    match.state.book_deck = [book for book in range(33) if book not in (0, 30, 1, 31)]
    match.state.turn = 2
    match.state.steps = [["forward", 11, 2]]
    match.game.run(match.state, chance())
    before = match.state.roles[:], [hand[:] for hand in match.state.hands]
    match.play(TABLE, "next")
    return match, *before


def test_what_a_player_had_to_skip_ends_with_the_era():
    match = started(eras=(1, 4), seed="roles")
    match.state.turn, match.state.skip = 2, [0, 1, 0, 1]
    match.state.steps = [["forward", 11, 2]]
    match.game.run(match.state, chance())
    match.play(TABLE, "next")
    assert match.state.era == 4
    assert match.state.skip == [0] * 4


def test_a20_roles_are_kept_or_drawn_anew():
    match, roles, _ = next_era()
    assert match.state.roles == roles
    redrawn, _, _ = next_era(roles_each_era="drawn")
    assert any(event.text == "role_is" for event in redrawn.events[-1])
    seen = set()
    for seed in range(20):
        other = started(eras=(1, 4), seed=str(seed), roles_each_era="drawn")
        first = other.state.roles[:]
        eras.end_era(other.game, other.state, chance(), "corner")
        other.play(TABLE, "next")
        seen.add(other.state.roles == first)
    assert False in seen


def test_a20_roles_passed_on_have_all_been_everybodys_after_four_eras():
    match = started(roles_each_era="passed")
    held = [match.state.roles[:]]
    for _ in range(3):
        eras.end_era(match.game, match.state, chance(), "corner")
        told = match.play(TABLE, "next")
        assert sum(event.text == "role_is" for event in told) == 4
        held.append(match.state.roles[:])
    assert all(later == [earlier[-1], *earlier[:-1]] for earlier, later in pairwise(held))
    assert all(sorted(roles) == [0, 1, 2, 3] for roles in zip(*held))


def test_a19_what_is_kept_between_eras():
    match, _, hands = next_era()
    assert match.state.hands != hands
    assert match.state.books == ((),) * 4
    match, _, hands = next_era(carry_over="hands")
    assert match.state.hands == hands
    assert match.state.books == ((),) * 4
    match, _, hands = next_era(carry_over="hands_books")
    assert match.state.hands == hands
    assert match.state.books == ((0,), (30,), (1,), (31,))
    conserved(match.game, match.state)


def test_a21_a_first_lap_in_every_era_or_only_in_the_first():
    match, _, _ = next_era()
    assert match.state.phase == "opening"
    match, _, _ = next_era(opening_each_era=False)
    assert (match.state.phase, match.state.turn) == ("main", 3)  # after the one whose turn it was
    assert match.events[-1][-1].text == "starter.next"


@pytest.mark.parametrize("o_faces", [1, 3, 5])
def test_a12_faces_of_the_die(o_faces):
    game, rng = Blockade(4, Options(o_faces=o_faces)), chance()
    state = Match(game, 1).state
    thrown = [automatic_steps.throw(game, state, rng, 0).values["die"] for _ in range(3000)]
    assert thrown.count("O") / 3000 == pytest.approx(o_faces / 6, abs=0.03)


def test_lifting_year_moves_the_lifting_of_martial_law():
    turn = Table(
        era=3, turn=POLICE, hand=["prize"], at={POLICE: 2}, options={"lifting_year": 1973}
    ).play("prize")
    assert turn.state.lifted == 1
    assert turn.state.positions == [3, 3, 4, 4]
    assert turn.state.fired == ((1987, POLICE),)


def test_lifting_year_before_the_era_or_never():
    assert Match(Blockade(4, Options(eras=(4,), lifting_year=1973)), 1).state.lifted == 1
    assert Match(Blockade(4, Options(eras=(2,), lifting_year=1973)), 1).state.lifted == 0
    before, after = (
        Match(Blockade(4, Options(eras=(era,), lifting_year=1973)), 1).opening for era in (2, 4)
    )
    assert [event.text for event in after if event not in before].count("lifted_before") == 1
    assert "lifted_before" not in [event.text for event in before]
    turn = Table(
        era=4, turn=POLICE, hand=["prize"], at={POLICE: 6}, options={"lifting_year": 1993}
    ).play("prize")
    assert turn.state.lifted == 0
    with pytest.raises(OptionError, match="lifting_year"):
        Blockade(4, Options(events=False, lifting_year=1973))


def test_lifting_year_on_a_first_space_or_beside_another_event():
    match = Match(Blockade(4, Options(eras=(4,), lifting_year=1980)), 1)
    assert match.state.phase == "begin"
    match.play(TABLE, "next")
    assert match.state.lifted == 1
    assert sum(match.state.positions) == 2
    game = Blockade(4, Options(lifting_year=1984))
    assert game.events_at[1984] == [1984, 1987]


def test_a11_function_cards_without_effect_or_left_out():
    blank = Table(hand=["prize", "spare_licence"], options={"function_set": "blank"})
    blank.play("prize")
    assert blank.state.positions[POLICE] == 3
    assert "blank" in blank.told
    game = Blockade(4, Options(function_set="none"))
    assert sorted(game.deck[1]) == [*range(173)]


def test_a11_fewer_copies_of_every_function_card():
    for share, count in (("kit", 117), ("half", 63), ("third", 37)):
        game = Blockade(4, Options(function_set=share, stale_cards="era_deck"))
        for era in ERAS:
            names = Counter(CARDS.functions[card] for card in game.deck[era])
            assert names.pop("") == len(WRITERS[era])
            assert set(names) == {*CARDS.functions} - {""}
            assert names.total() == count
        conserved(game, Match(game, share).state)


@pytest.mark.parametrize("era", ERAS)
def test_a_lesson_of_one_era_deals_cards_that_can_be_used_in_it(era: int):
    options = replace(Blockade.preset("one_era"), eras=(era,))
    lost = 0
    for seed in range(40):
        match = Match(game := Blockade(4, options), f"lesson {seed}")
        usable = game.usable[era]
        hands = match.state.hands
        assert all(card in usable for hand in hands for card in hand if CARDS.is_writer(card))
        lost += sum(usable.isdisjoint(hand) for hand in hands)
    assert lost <= 0.1 * 40 * 4  # one hand in five has no writer with all function cards


def test_a10_without_events():
    turn = Table(hand=["prize"], at={POLICE: 4}, options={"events": False}).play("prize")
    assert turn.state.fired == ()
    assert Match(Blockade(4, Options(events=False)), 1).state.phase == "opening"


def test_a9_an_event_on_passing_or_only_on_landing():
    for event_on, fired in (
        ("pass", ((1971, POLICE), (1972, POLICE))),
        ("land", ((1972, POLICE),)),
    ):
        move = Table(era=3, at={POLICE: 0}, options={"event_on": event_on}, step="strike")
        move.state.steps = [["forward", 2, POLICE]]
        move.game.run(move.state, chance())
        assert move.state.fired == fired


def test_a9_an_event_once_or_once_for_each_player():
    turn = Table(
        hand=["prize"],
        hands={SPY: ["prize"]},
        at={POLICE: 4, SPY: 4},
        options={"event_scope": "per_player"},
    ).play("prize", "prize")
    assert turn.state.fired == ((1954, POLICE), (1954, SPY))
    turn.state.then(["back", 1, SPY], ["forward", 1, SPY])
    turn.game.run(turn.state, chance())
    assert turn.state.fired == ((1954, POLICE), (1954, SPY))


def test_a6_stale_writers_are_changed_at_the_start_of_a_turn():
    match = started(seed="a6")
    assert match.state.fresh == 1


def test_a6_or_one_at_a_time_instead_of_playing():
    turn = Table(hand=["prize"], options={"stale_cards": "discard_action"})
    card = turn.state.hands[0][-1]
    assert ("discard", card) in turn.legal()
    turn.play(("discard", card))
    assert turn.state.turn == SPY
    assert turn.state.fresh == 0


def test_a6_or_only_writers_of_the_era_are_in_the_deck():
    game = Blockade(4, Options(stale_cards="era_deck"))
    for era in ERAS:
        assert {card for card in game.deck[era] if card < 173} == set(WRITERS[era])
    state = Match(game, 1).state
    assert {card for hand in state.hands for card in hand if card < 173} <= set(WRITERS[1])
    conserved(game, state)
    with pytest.raises(OptionError, match="era_deck"):
        Blockade(4, Options(stale_cards="era_deck", carry_over="hands"))


def test_a6_or_writers_are_usable_once_their_work_is_out():
    turn = Table(
        era=3,
        hand=[WRITERS[1][0], WRITERS[4][0]],
        options={"stale_cards": "not_before_publication"},
    )
    assert ("play", WRITERS[1][0]) in turn.legal()
    assert turn.refused(("play", WRITERS[4][0])) == "refusal.not_yet"


def test_a6_or_they_stay_in_hand_as_the_rulebook_has_it():
    turn = Table(
        era=3, hand=[WRITERS[1][0], WRITERS[3][0], "prize"], options={"stale_cards": "keep"}
    )
    assert turn.refused(("discard", WRITERS[1][0])) == "refusal.must_play"
    assert turn.refused("refresh") == "refusal.now.main"
    assert turn.refused(("play", WRITERS[1][0])) == "refusal.other_era"
    stuck = Table(era=3, hand=WRITERS[1][:5], options={"stale_cards": "keep"})
    assert set(stuck.legal()) == {("discard", card) for card in WRITERS[1][:5]}, (
        "one is changed, as in the first lap"
    )
    assert play_out(Blockade(4, Options(stale_cards="keep")), [AtRandom] * 4, 6).over


def test_a2_an_exchange_in_a_later_turn_or_at_once():
    words = {"hand": [OLD[1]], "tables": {POLICE: OLD[:1]}, "book_top": [P1]}
    later = Table(**words).play(("play", OLD[1]))
    assert later.state.turn == SPY
    once = Table(**words, options={"exchange_delay": False}).play(("play", OLD[1]))
    assert once.legal() == ("exchange", "done")
    once.play("exchange")
    assert once.state.books[POLICE] == (P1,)
    declined = Table(**words, options={"exchange_delay": False}).play(("play", OLD[1]), "done")
    assert declined.state.tables[POLICE] == [OLD[0], OLD[1]]


def test_a2_one_exchange_a_turn():
    once = Table(tables={POLICE: OLD[:5]}, options={"exchange_delay": False})
    once.play("exchange", ("pay", OLD[0]), ("pay", OLD[1]))
    assert once.state.turn == SPY


def test_only_who_has_played_may_exchange_in_the_same_turn():
    words = {"tables": {POLICE: OLD[:2]}, "options": {"exchange_delay": False, "may_pass": True}}
    assert Table(hand=["prize"], **words).play("prize").state.phase == "exchange"
    assert Table(hand=["prize"], **words).play("pass").state.turn == SPY


def test_a3_writers_pay_from_the_table_from_hand_or_from_both():
    hand = Table(
        hand=OLD[:3], tables={POLICE: OLD[5:7]}, book_top=[P1], options={"exchange_from": "hand"}
    )
    hand.play("exchange", ("pay", OLD[0]))
    assert hand.refused(("pay", OLD[5])) == "refusal.now.pay"
    hand.play(("pay", OLD[2]))
    assert hand.state.tables[POLICE] == OLD[5:7]
    assert len(hand.state.hands[POLICE]) == 5
    both = Table(
        hand=OLD[:1],
        tables={POLICE: OLD[5:6]},
        book_top=[P1],
        options={"exchange_from": "hand_or_table"},
    )
    both.play("exchange", ("pay", OLD[0]), ("pay", OLD[5]))
    assert both.state.books[POLICE] == (P1,)
    stale = Table(hand=[], options={"exchange_from": "hand"})
    assert stale.refused("exchange") == "refusal.exchange_hand"
    poor = Table(hand=[], tables={POLICE: OLD[:1]}, options={"exchange_from": "hand_or_table"})
    assert poor.refused("exchange") == "refusal.exchange_either"
    with pytest.raises(OptionError, match="exchange_delay"):
        Blockade(4, Options(exchange_from="hand", exchange_delay=False))


def test_a4_as_many_writers_as_one_likes_or_a_limit():
    words = {"hand": [OLD[9], "stencil"], "tables": {POLICE: OLD[:2]}}
    assert ("play", OLD[9]) in Table(**words).legal()
    limited = Table(**words, options={"table_limit": 2})
    assert limited.refused(("play", OLD[9])) == "refusal.no_room"
    never = Table(
        **words, options={"table_limit": 2, "exchange_from": "hand"}
    )  # an exchange makes no room
    assert never.refused(("play", OLD[9])) == "refusal.full"
    limited.play("stencil")
    assert limited.state.turn == SPY  # there is nothing to place
    with pytest.raises(OptionError, match="table_limit"):
        Blockade(4, Options(table_limit=2, price=3))


def test_a37_phase_1_may_not_be_passed_or_may():
    assert Table(hand=["prize"]).refused("pass") == "refusal.pass"
    passing = Table(hand=["prize"], options={"may_pass": True}).play("pass")
    assert passing.state.turn == SPY
    assert len(passing.state.hands[POLICE]) == 5


def test_a8_start_on_the_first_year_or_before_it():
    game = Blockade(4, Options(start_in_buffer=True))
    assert [game.goal(era) for era in ERAS] == [12, 11, 11, 14]
    assert game.year(1, 1) == 1949
    assert Match(game, 1).state.phase == "opening"
    turn = Table(
        turn=EDITOR,
        hand=["prize"],
        at={EDITOR: 0},
        top=[OLD[3], OLD[4]],
        options={"start_in_buffer": True},
    )
    turn.play("prize")
    assert turn.state.fired == ((1949, EDITOR),)
    assert turn.state.tables == [[], [], [OLD[3]], [OLD[4]]]


def test_a35_the_last_era_ends_at_the_corner_or_on_1992():
    words = {"era": 4, "turn": POLICE, "hand": ["prize"], "at": {POLICE: 11}}
    assert Table(**words).play("prize").state.fired == ((1992, POLICE),)
    assert ended(Table(**words, options={"last_goal": "1992"}).play("prize"))
    assert Blockade(4, Options(last_goal="1992")).goal(3) == 10


@pytest.mark.parametrize(
    ("defence_o", "dice", "taken"),
    [
        ("attacker", "OO", True),
        ("attacker", "OX", False),
        ("defender", "OO", False),
        ("defender", "OX", True),
    ],
)
def test_a13_the_targets_o_helps_the_attacker_or_the_defender(defence_o, dice, taken):
    turn = strike(POLICE, {AUTHOR: [B1]}, dice, options={"defence_o": defence_o})
    turn.play(("strike", B1), "roll", "roll")
    assert (turn.state.books[POLICE] == (B1,)) == taken


def test_a14_a_censor_moves_neither_for_a_seized_book_nor_for_a_lost_periodical_unless_chosen():
    for bonus in (0, 2):
        turn = strike(POLICE, {AUTHOR: [B1]}, "OO", options={"seize_bonus": bonus, "events": False})
        turn.play(("strike", B1), "roll", "roll")
        assert turn.state.positions == [3 + bonus, 3, 3, 1]
    for penalty in (0, 1):
        turn = strike(AUTHOR, {SPY: [P1]}, "OO", options={"loss_penalty": penalty})
        turn.play(("strike", P1), "roll", "roll")
        assert turn.state.positions == [3, 3 - penalty, 3, 4]


def test_a22_equal_distances():
    assert points(11, 8, 8, 5, tie_points="average") == [8, 5, 5, 2]
    assert points(2, 11, 2, 2, tie_points="average") == [4, 8, 4, 4]
    assert points(11, 9, 5, 2, tie_points="average") == [8, 6, 4, 2]


def test_a22_equal_sums_share_the_victory_or_the_last_era_decides():
    for final_tie, winners in (("shared", (0, 1)), ("era4", (1,))):
        match = started(eras=(1, 2), final_tie=final_tie)
        match.state.positions = [9, 5, 2, 1]
        eras.end_era(match.game, match.state, chance(), "limit")
        match.play(TABLE, "next")
        match.state.positions = [5, 9, 2, 1]
        eras.end_era(match.game, match.state, chance(), "limit")
        match.play(TABLE, "next")
        assert match.game.scores(match.state) == (7, 7, 4, 2)
        assert match.game.winners(match.state) == winners


def test_a23_any_writer_or_only_usable_ones_decide_who_begins():
    usable = [
        Match(Blockade(4, Options(eras=(4,), starter_usable_only=True)), seed).state
        for seed in range(20)
    ]
    assert all(state.shown in WRITERS[4] for state in usable if state.shown >= 0)
    anyone = [Match(Blockade(4, Options(eras=(4,))), seed).state for seed in range(20)]
    assert any(state.shown not in WRITERS[4] for state in anyone)


def test_a26_an_era_without_any_progress_ends_by_distance():
    turn = Table(hand=[], quiet=39, at={EDITOR: 5})
    turn.play(("discard", turn.state.hands[0][0]))
    assert ended(turn)
    assert "era_ends.stall" in turn.told
    assert turn.state.points == [3, 3, 4, 3]
    never = Table(hand=[], quiet=39, options={"stall_laps": 0})
    assert not ended(never.play(("discard", never.state.hands[0][0])))


def test_laps_limit_ends_an_era():
    turn = Table(hand=[], turns=19, options={"laps_limit": 5})
    turn.play(("discard", turn.state.hands[0][0]))
    assert "era_ends.limit" in turn.told


def test_a32_points_for_each_or_for_the_camp():
    assert points(11, 2, 9, 5) == [4, 1, 3, 2]
    assert points(11, 2, 9, 5, team_score=True) == [5, 5, 5, 5]
    assert points(11, 9, 2, 5, team_score=True) == [7, 7, 3, 3]


def test_numbers_of_the_rulebook_are_options():
    assert [len(hand) for hand in Match(Blockade(4, Options(hand=7)), 1).state.hands] == [7] * 4
    turn = Table(
        tables={POLICE: OLD[:3]},
        book_top=[B1],
        options={"price": 3, "banned_steps": 4, "events": False},
    )
    assert turn.play("exchange").state.positions[POLICE] == 7
    turn = Table(
        turn=EDITOR,
        hand=["mimeograph"],
        book_top=[P1],
        options={"periodical_steps": 3, "events": False},
    )
    assert turn.play("mimeograph").state.positions[EDITOR] == 6
    turn = strike(POLICE, {AUTHOR: [B1]}, "OO", options={"search_back": 1})
    assert turn.play(("strike", B1), "roll", "roll").state.positions[AUTHOR] == 2
    turn = strike(AUTHOR, {SPY: [P1]}, "OO", options={"protest_steps": 0})
    assert turn.play(("strike", P1), "roll", "roll").state.positions[AUTHOR] == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"exchange_from": "hand", "hand": 3, "price": 4},
        {"carry_over": "hands", "stale_cards": "era_deck"},
    ],
)
def test_combinations_that_make_no_sense_are_refused(changed):
    with pytest.raises(OptionError) as refused:
        Blockade(4, Options(**changed))
    for language in LANGUAGES:
        assert all(name in refused.value.sentence(language) for name in changed)


def test_hands_must_leave_cards_in_the_smallest_deck():
    with pytest.raises(OptionError, match="20 cards in hands, but the deck has only 20"):
        check_combination(Options(), {1: (300, 90), 2: (20, 90)})
    check_combination(Options(), {1: (300, 90), 2: (21, 90)})


# What a seat knows


def test_hands_and_decks_are_hidden():
    match = started(seed="hidden")
    seen = match.game.observe(match.state, 0)
    assert seen.hand == tuple(match.state.hands[0])
    assert seen.held == (5, 5, 5, 5)
    assert match.game.observe(match.state, None).hand == ()
    assert len(unseen(match.game, seen)) == 290 - 5 - len(match.state.discards) - sum(
        map(len, match.state.tables)
    ) - sum(map(len, seen.known))
    assert len(unseen_books(match.game, seen)) == 33


def test_a_guess_fills_what_is_hidden_with_what_is_unseen():
    match = started(seed="guess")
    seen = match.game.observe(match.state, 2)
    guesses = [match.game.resample(seen, stream(str(n), "guess")) for n in range(30)]
    assert len({tuple(guess.hands[0]) for guess in guesses}) > 25
    assert {tuple(guess.hands[2]) for guess in guesses} == {tuple(match.state.hands[2])}
    for guess in guesses:
        conserved(match.game, guess)


def test_the_distance_the_lap_and_the_role_can_be_asked_for():
    turn = Table(turn=EDITOR, hand=["prize"], at={POLICE: 8})
    seen = turn.game.observe(turn.state, EDITOR)
    assert seen.distance == (3, 8, 8, 8)
    assert (seen.lap, seen.role) == (3, 2)
    assert turn.game.observe(turn.state, None).role == -1


# The whole


def test_every_step_has_somebody_who_does_it():
    assert not set(STEPS) & set(PHASES)
    match, rng, seen = started(seed="steps"), chance("steps"), set()
    for _ in range(3000):
        if match.over:
            match = started(seed=str(rng.random()))
        seen |= {step[0] for step in match.state.steps}
        seat = pick(rng, match.game.to_act(match.state))
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    assert seen <= set(STEPS) | set(PHASES)


def played(game, rng):
    """Play *game* at random; return its state, the number of actions and the laps of each era."""
    state, actions, laps = game.initial_state(rng), 0, []
    while deciding := game.to_act(state):
        if state.phase == "era":
            laps.append(state.turns / 4)
        seat = pick(rng, deciding)
        game.apply(state, seat, pick_action(game.legal_actions(state, seat), rng), rng)
        actions += 1
        assert actions <= game.longest, game
    return state, actions, laps


@pytest.mark.parametrize(
    "options", [Options(), Options(may_pass=True), Options(exchange_delay=False)]
)
def test_a_phase_asks_where_it_has_an_action(options):
    game, rng = Blockade(4, options), chance("asks")
    state = game.initial_state(rng)
    while deciding := game.to_act(state):
        step = state.steps[-1]
        asked = PHASES[step[0]].asks(game, state, step)
        assert asked == any(game.legal_actions(state, seat) for seat in deciding)
        seat = pick(rng, deciding)
        game.apply(state, seat, pick_action(game.legal_actions(state, seat), rng), rng)


def test_scenario_20_no_card_is_lost_in_a_whole_match():
    game, rng = Blockade(4), chance("conservation")
    for seed in range(2):
        state = Match(game, seed).state
        while deciding := game.to_act(state):
            seat = pick(rng, deciding)
            game.apply(state, seat, pick_action(game.legal_actions(state, seat), rng), rng)
            conserved(game, state)


def test_every_value_of_every_option_plays_to_the_end():
    for number, options in enumerate(options_of(Blockade, 4, pairs=False)):
        eras = options.eras if options.eras != (1, 2, 3, 4) else (number % 4 + 1,)
        played(
            Blockade(4, Options(**{**vars(options), "eras": eras})), stream(str(number), "value")
        )


def test_the_longest_options_end_within_the_stated_bound():
    slow = {
        "function_set": "blank",
        "stall_laps": 0,
        "laps_limit": 30,
        "may_pass": True,
        "event_scope": "per_player",
    }
    for number, extra in enumerate(
        [{}, {"hand": 2}, {"exchange_delay": False, "price": 4}, {"function_set": "none"}]
    ):
        played(
            Blockade(4, Options(**{**slow, "eras": (1, 3), **extra})), stream(str(number), "slow")
        )


def test_random_play_ends_most_eras_by_the_corner():
    matches = [play_out(Blockade(4), [AtRandom] * 4, seed) for seed in range(12)]
    ends = [
        event.text
        for match in matches
        for event in match.story(None)
        if event.text.startswith("era_ends.")
    ]
    assert len(ends) == 12 * 4
    assert ends.count("era_ends.corner") >= 40


def test_the_match_is_repeatable_and_scores_lie_between_4_and_16():
    match = play_out(Blockade(4), [AtRandom] * 4, "again")
    assert replay(match.record(), game=match.game).state == match.state
    scores = match.game.scores(match.state)
    assert all(4 <= points <= 16 for points in scores)
    assert match.game.winners(match.state) == tuple(
        seat for seat in range(4) if scores[seat] == max(scores)
    )


def test_a_word_that_merely_equals_an_action_is_none():
    class Word(str):
        pass

    turn = strike(POLICE, {AUTHOR: [B1]}, "")
    assert turn.refused(Word("pass")) == "refusal.not_an_action"
    assert turn.refused((Word("strike"), B1)) == "refusal.not_an_action"
    assert turn.refused(("strike", True)) == "refusal.not_an_action"


def test_options_are_checked():
    check_game(Blockade, matches=0)


def test_dice_of_the_tests_throw_what_they_say():
    dice = Dice("OX")
    assert [random_below(dice, 6) < 3 for _ in range(2)] == [True, False]


def test_the_cards_by_which_kept_matches_replay_are_those_of_this_version():
    rows = [(writer.card_id, writer.birth, writer.work_year) for writer in CARDS.writers]
    rows += [(note.card_id, note.copies) for note in CARDS.notes.values()]
    rows += [periodical.card_id for periodical in (*CARDS.periodicals, *CARDS.banned)]
    mark = sha256(repr(rows).encode()).hexdigest()[:12]
    assert (Blockade.version, mark) == (2, "280fa7b79fca"), (
        "raise Blockade.version, write the new mark here"
    )


@pytest.mark.parametrize("version", [0, 1, 3, True, 1.0, "1", None])
def test_records_of_other_versions_are_refused(version):
    assert Blockade.of_version(version) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_role_never_runs_into_the_name_of_its_player(language):
    for role in ROLES:
        title = game_text("blockade", f"role.{role}", language)
        told = game_text(
            Blockade(4), f"strike.{role}", language, ("老實學生", "Ann"), seat=0, target=1, book=0
        )
        assert re.match(rf"老實學生 ?[(（]{title}[)）]", told), told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_behind_a_refusal_is_not_announced_twice(language):
    """It stands after "Rule:", so its name begins with what it says, not with where it is written."""
    rules = {
        id: words[language]
        for id, words in load_texts("blockade").items()
        if id.startswith("rule.")
    }
    assert rules
    assert not [
        id for id, words in rules.items() if re.match("rule|規則|规则", words, re.IGNORECASE)
    ]
