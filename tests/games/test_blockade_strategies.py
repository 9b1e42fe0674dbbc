"""Each strategy of 文壇封鎖中 shows its idea in a position set up by hand, and plays under every option.

A ``Table`` seats 警總, 線民, 主編 and 作家 at 0 to 3, each three spaces into the era.
"""

from typing import Any

import pytest
from blockade_table import (
    AUTHOR,
    BANNED,
    CARDS,
    EDITOR,
    PERIODICALS,
    POLICE,
    SPY,
    WRITERS,
    Table,
    function,
)
from hypothesis import given, settings
from lanes import some

from coursekit.arena import duplicate
from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.strategies import (
    STRATEGIES,
    Farsighted,
    Greedy,
    GreedyCensor,
    GreedyPen,
)
from coursekit.testing import games, seeds

OLD = WRITERS[1]
P1, P2, P3 = PERIODICALS[:3]
B1, B2, B3 = BANNED[:3]


def decision(kind: type[Strategy], table: Table) -> Any:
    """Return what *kind* does on *table*: a function card that is played by its name."""
    (seat,) = table.game.to_act(table.state)
    action = kind(stream("test", "seat"), table.game).decide(table.game.observe(table.state, seat))
    assert action in table.legal(seat)
    if action[0] == "play":
        return CARDS.functions[action[1]] or "writer"
    return action


def both(table: Table) -> tuple[Any, Any]:
    return decision(Greedy, table), decision(Farsighted, table)


# Greedy


@pytest.mark.parametrize(
    ("turn", "hand", "played"),
    [
        (POLICE, ["prize", "smuggling"], "smuggling"),  # two spaces for a banned book
        (EDITOR, ["prize", "smuggling", OLD[0]], "prize"),
        (EDITOR, ["denunciation", OLD[0]], "writer"),
        (POLICE, ["prize", "first_issue"], "prize"),
        (AUTHOR, ["mimeograph", "first_issue"], "first_issue"),  # sure of a periodical
        (POLICE, ["mimeograph", "bookstall"], "bookstall"),  # three chances instead of one
        (SPY, ["prize", "appeal"], "appeal"),
    ],
)
def test_a_greedy_player_takes_what_brings_its_marker_farthest(
    turn: int, hand: list[Any], played: str
) -> None:
    at = {seat: 3 + 2 * (seat != turn) for seat in range(4)} if "appeal" in hand else {}
    assert decision(Greedy, Table(turn=turn, hand=hand, at=at)) == played


def test_a_greedy_player_takes_an_advance_before_a_prize_only_when_it_is_last() -> None:
    hand = ["prize", "advance", "appeal"]
    assert decision(Greedy, Table(hand=hand, at={POLICE: 2})) in ("advance", "appeal")
    assert decision(Greedy, Table(hand=["smuggling", "advance"], at={POLICE: 4})) == "smuggling"


def test_writers_of_other_eras_are_changed_first() -> None:
    assert both(Table(hand=["prize"], fresh=1)) == ("refresh", "refresh")
    one = Table(hand=["prize", *OLD[:3]], fresh=1)
    assert [action[0] for action in both(one)] == ["discard", "discard"]
    one.play(decision(Farsighted, one))
    assert one.state.phase == "main" or both(one)[0] == "done"


def test_a_greedy_player_attempts_whatever_it_can_against_the_foremost() -> None:
    books = {EDITOR: [B1], AUTHOR: [B2, P1]}
    assert decision(Greedy, Table(step="strike", books=books, at={EDITOR: 5})) == ("strike", B1)
    assert decision(Greedy, Table(step="strike", books=books, at={AUTHOR: 5})) == ("strike", B2)


def test_a_pen_name_places_a_writer_who_could_not_be_placed_otherwise() -> None:
    later = WRITERS[3][0]
    hand = (OLD[0], later, function("pen_name"), function("prize"), function("prize", 1))
    table = Table(hand=hand)
    table.play(("play", function("pen_name")))
    for kind in (Greedy, Farsighted):
        seat = table.game.observe(table.state, POLICE)
        assert kind(stream("test", "seat"), table.game).decide(seat) == ("play", later)


def test_under_the_counter_one_finds_what_brings_one_forward() -> None:
    top = [P1, B1, P2]
    assert both(Table(hand=["bookstall"], book_top=top).play("bookstall")) == (
        ("take", B1),
        ("take", B1),
    )
    pen = Table(turn=EDITOR, hand=["bookstall"], book_top=[B1, B2, P2]).play("bookstall")
    assert both(pen) == (("take", P2), ("take", P2))


def test_one_parts_with_the_book_of_the_other_kind() -> None:
    for turn, kept, given_up in ((POLICE, B1, P1), (AUTHOR, P1, B1)):
        table = Table(turn=turn, hand=["altered"], books={turn: [kept, given_up]}).play("altered")
        assert both(table) == (("under", given_up), ("under", given_up))


def test_the_best_card_of_a_rival_is_discarded() -> None:
    hand = [function("prize"), function("first_issue"), *OLD[:3]]
    table = Table(hand=["mail_check"], hands={EDITOR: tuple(hand)}, books={SPY: BANNED})
    table.play("mail_check", ("rival", EDITOR))
    assert both(table)[0][1] in hand[:2]
    assert both(table)[1][1] in hand[:2]


def test_the_card_of_least_use_is_passed_on() -> None:
    """A pen gives a smuggled book away, a censor a first issue."""
    hands = {
        seat: tuple(
            function(name, seat)
            for name in ("prize", "advance", "bookstall", "smuggling", "first_issue")
        )
        for seat in range(4)
    }
    table = Table(turn=POLICE, hands=hands, hand=hands[POLICE])
    table.state.steps = [["next_turn", 0], ["pass_left", -1, -1, -1, -1, -1]]
    for seat, worst in ((POLICE, "first_issue"), (EDITOR, "smuggling")):
        for kind in (Greedy, Farsighted):
            action = kind(stream("test", "seat"), table.game).decide(
                table.game.observe(table.state, seat)
            )
            assert action == ("left", function(worst, seat))


def test_a_player_of_one_camp_plays_the_other_at_random() -> None:
    hand = [function("prize"), *[function("suspension", copy) for copy in range(4)]]
    for kind, greedy, random in ((GreedyCensor, POLICE, EDITOR), (GreedyPen, AUTHOR, SPY)):
        for seat, one in ((greedy, True), (random, False)):
            table = Table(turn=seat, hand=tuple(hand))
            obs = table.game.observe(table.state, seat)
            chosen = {kind(stream(str(n), "seat"), table.game).decide(obs) for n in range(30)}
            assert (chosen == {("play", hand[0])}) == one


# Farsighted


def test_a_pen_that_thinks_ahead_would_rather_not_turn_up_a_banned_book() -> None:
    hand = ["mimeograph", "denunciation"]
    assert both(Table(turn=EDITOR, hand=hand)) == ("mimeograph", "denunciation")


def test_once_martial_law_is_lifted_a_banned_book_is_no_risk() -> None:
    table = Table(era=4, turn=EDITOR, hand=["mimeograph", "denunciation"], lifted=1)
    assert decision(Farsighted, table) == "mimeograph"


def test_it_gives_a_banned_book_away_before_it_is_searched() -> None:
    hand = ["altered", "denunciation"]
    assert decision(Farsighted, Table(turn=EDITOR, hand=hand, books={EDITOR: [B1]})) == "altered"
    assert (
        decision(Farsighted, Table(turn=EDITOR, hand=hand, books={EDITOR: [P1]}, era=1))
        == "denunciation"
    )


def test_it_covers_a_banned_book() -> None:
    hand = ["false_cover", "denunciation", OLD[0]]
    assert (
        decision(Farsighted, Table(turn=AUTHOR, hand=hand, books={AUTHOR: [B1]})) == "false_cover"
    )
    assert (
        decision(Farsighted, Table(turn=AUTHOR, hand=hand, books={AUTHOR: [P1]})) == "denunciation"
    )


def test_it_opens_a_spare_licence_where_a_search_threatens() -> None:
    hand = ["spare_licence", "denunciation"]
    assert (
        decision(Farsighted, Table(turn=AUTHOR, hand=hand, books={AUTHOR: [B1]})) == "spare_licence"
    )


@pytest.mark.parametrize(("at", "target"), [({EDITOR: 9}, AUTHOR), ({AUTHOR: 9}, EDITOR)])
def test_it_hits_whoever_is_level_with_it_rather_than_whoever_is_out_of_reach(
    at: dict[int, int], target: int
) -> None:
    table = Table(hand=["denunciation"], at=at).play("denunciation")
    assert decision(Farsighted, table) == ("rival", target)
    assert decision(Greedy, table) != ("rival", target)


def test_it_does_not_search_where_nobody_can_go_back() -> None:
    books = {EDITOR: [B1], AUTHOR: [B2]}
    assert decision(Farsighted, Table(step="strike", books=books, at={POLICE: 0, EDITOR: 0})) == (
        "strike",
        B2,
    )
    level: dict[str, Any] = {"step": "strike", "books": books, "at": {EDITOR: 6}}
    assert decision(Farsighted, Table(**level)) == ("strike", B2)
    assert decision(Farsighted, Table(**level, covered=[0, 0, 0, 1])) == ("strike", B1)
    assert decision(Farsighted, Table(**level, spares={AUTHOR: function("spare_licence")})) == (
        "strike",
        B1,
    )


def test_it_helps_no_others_who_are_last() -> None:
    """海外聲援 moves all who are last: with three others, that is worse than nothing."""
    table = Table(hand=["appeal", "reading_circle"], at={POLICE: 6, SPY: 5, EDITOR: 5, AUTHOR: 5})
    assert decision(Farsighted, table) == "reading_circle"


def test_it_takes_the_last_step_to_the_corner() -> None:
    """A space for sure is worth more there than two perhaps."""
    hand = ["prize", "bookstall", "smuggling"]
    near = Table(hand=hand[:2], at={POLICE: 10, SPY: 2})
    assert both(near) == ("prize", "prize")
    assert decision(Greedy, Table(hand=hand[:2], at={POLICE: 9, SPY: 2})) == "bookstall"
    assert decision(Farsighted, Table(hand=hand, at={POLICE: 9, SPY: 2})) == "smuggling"
    books = {POLICE: [P1], SPY: [P2]}  # to be rid of one would be worth something, too
    hand = ["prize", "altered", "catalogue"]
    pen = Table(turn=EDITOR, hand=hand, books=books | {EDITOR: [B1]}, at={EDITOR: 10, SPY: 2})
    assert decision(Farsighted, pen) == "prize"
    assert (
        decision(Farsighted, Table(turn=EDITOR, hand=hand, books=books | {EDITOR: [B1]}))
        == "altered"
    )


def test_a_suspension_hits_a_rival_who_holds_a_periodical() -> None:
    table = Table(hand=["suspension"], books={EDITOR: [P1], AUTHOR: [P2]}, at={EDITOR: 9}).play(
        "suspension"
    )
    assert decision(Farsighted, table) == ("under", P2)
    assert decision(Greedy, table) == ("under", P1)
    assert (
        decision(Farsighted, Table(hand=["suspension", "torn_page"], books={AUTHOR: [P2]}))
        == "suspension"
    )
    assert decision(Farsighted, Table(hand=["suspension", "torn_page"])) == "torn_page"


def test_it_exchanges_for_a_book_that_brings_it_forward() -> None:
    writers = {POLICE: OLD[:4]}
    assert (
        decision(Farsighted, Table(tables=writers, hand=[OLD[5]], books={EDITOR: PERIODICALS[:20]}))
        == "exchange"
    )
    assert (
        decision(Farsighted, Table(tables=writers, hand=[OLD[5]], books={EDITOR: BANNED}))
        == "writer"
    )


# All


@pytest.mark.parametrize("kind", STRATEGIES, ids=lambda kind: kind.__name__)
@given(game=games(Blockade), seed=seeds())
@settings(max_examples=some(15), deadline=None)
def test_under_all_options_a_match_is_played_to_its_end(
    kind: type[Strategy], game: Blockade, seed: str
) -> None:
    game = Blockade(
        4, Options(**vars_of(game.options) | {"laps_limit": min(game.options.laps_limit, 12)})
    )
    assert play_out(game, [kind] * 4, seed).over


def vars_of(options: Options) -> dict[str, Any]:
    return {name: getattr(options, name) for name in options.__dataclass_fields__}


@pytest.mark.parametrize("kind", [Greedy, Farsighted])
def test_a_whole_match_ends_with_every_era_at_the_corner(kind: type[Strategy]) -> None:
    for seed in range(5):
        match = play_out(Blockade(4), [kind] * 4, seed)
        assert [event.text for told in match.events for event in told].count("era_ends.corner") == 4


def test_what_they_do_follows_from_what_they_see() -> None:
    """Whatever is hidden, and whatever their own chance, they decide the same."""
    for kind in (Greedy, Farsighted):
        match = Match(Blockade(4), "same")
        game, players = (
            Blockade(4),
            [kind(stream(str(seat), "x"), Blockade(4)) for seat in range(4)],
        )
        for _ in range(150):
            (seat, *_) = match.game.to_act(match.state)
            if seat == TABLE:
                match.play(TABLE, "next")
                continue
            obs = match.game.observe(match.state, seat)
            guessed = game.resample(obs, stream("guess", "x"))
            action = kind(stream("other", "x"), game).decide(game.observe(guessed, seat))
            assert players[seat].decide(obs) == action
            match.play(seat, action)


# Strength; the full measurement with intervals is in benchmarks


@pytest.mark.parametrize(
    ("better", "weaker", "deals"),
    [
        (Greedy, AtRandom, 15),
        (GreedyCensor, AtRandom, 15),
        (GreedyPen, AtRandom, 15),
        (Farsighted, AtRandom, 15),
    ],
)
def test_everybody_beats_chance(better: type[Strategy], weaker: type[Strategy], deals: int) -> None:
    result = duplicate(Blockade(4), [better, weaker], deals, 1, progress=False)
    assert result.mean(better) > result.mean(weaker)
    assert result.mean(better, "wins") > result.mean(weaker, "wins")


@pytest.mark.slow
def test_farsighted_beats_greedy() -> None:
    result = duplicate(Blockade(4), [Farsighted, Greedy], 30, 1, progress=False)
    assert result.mean(Farsighted, "wins") > result.mean(Greedy, "wins") + 4
