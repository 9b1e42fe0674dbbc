"""What is shown below the questions: the right numbers, from the right match, and nothing that is
hidden.
"""

import re
import warnings
from collections import Counter
from typing import Any

import pytest

from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after import figures
from coursekit.games.wikipedia.after.evidence import ABOUT, AGAIN, draw_card, evidence
from coursekit.games.wikipedia.after.figures import (
    PLAYERS,
    plot_house_rule,
    plot_player_counts,
    plot_throws,
    simulate,
)
from coursekit.games.wikipedia.after.history import count_sources, read_rounds
from coursekit.games.wikipedia.after.rule_relations import (
    CARDS,
    FORBIDDEN,
    POINTS,
    THINGS,
    count_relations,
    find_relations,
)
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    DISCARD,
    KINDS,
    REVISE,
    ROLES,
    USE,
    VANDAL,
    WIKI,
    WORKS,
)
from coursekit.reflect import questions
from coursekit.words.texts import LANGUAGES, load_texts, text


def played(players: int = 2, seed: str = "3", points_to_win: int = 6, **options: Any) -> Match:
    return play_out(
        Wikipedia(players, Options(points_to_win=points_to_win, **options)),
        [AtRandom] * players,
        seed,
    )


def words(shown: list[Any]) -> list[str]:
    return [part for part in shown if isinstance(part, str)]


def pictures(shown: list[Any]) -> list[Picture]:
    return [part for part in shown if isinstance(part, Picture)]


def numbers(sentence: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", sentence)]


# One match, looked at


EXPECTED_EN: dict[str, list[str]] = {
    "role": [
        "So far 16 rounds are finished.",
        "You played 4 rounds as a scholar and got 2 points in them.",
        "You played 12 rounds as a student and got 2 points in them.",
    ],
    "favourite": [
        "You used Wikipedia 5 times: nothing wrong 0 times, wrong and mended 1 time, wrong and not mended 4 times.",
        "You used Book 2 times: nothing wrong 2 times, wrong and mended 0 times, wrong and not mended 0 times.",
        "You wrote Wikipedia; others used it 5 times, and that brought 0 points.",
    ],
    "often": [
        "You could play Wikipedia 7 times and did so 7 times.",
        "You could play Book 1 time and did so 1 time.",
        (
            "In 0 of these turns both could be chosen, and the book was chosen in 0. "
            "In 4 more turns nothing was written yet and neither could be."
        ),
    ],
    "wiki": [
        (
            "In this match Wikipedia was written 14 times. "
            "At scoring the die was thrown 14 times; it went wrong 12 times, and 4 of these mistakes "
            "were mended on the spot."
        ),
        (
            "In this match Book was written 2 times. "
            "At scoring the die was thrown 2 times; it went wrong 0 times, and 0 of these mistakes "
            "were mended on the spot."
        ),
        "5 Wikipedia articles were vandalised, 8 times in all; 7 cases were mended, on average after 2.6 laps.",
        "You vandalised 4 times and mended 4 times.",
    ],
    "points": [
        "So far 16 rounds are finished.",
        "You got 4 points: 1 by using Wikipedia and mending it, 2 by using a book, "
        "1 for having written a book that was used.",
        "Uses that brought nothing: wrong 4 times, blocked by Vandalism 1 time.",
    ],
}
EXPECTED_ZH: dict[str, list[str]] = {
    "role": [
        "到目前為止打完了 16 局。",
        "你當了 4 局學者，在那幾局得到 2 分。",
        "你當了 12 局學生，在那幾局得到 2 分。",
    ],
    "wiki": [
        "這一場寫了 14 次「維基百科」。計分時擲了 14 次骰子，出錯 12 次，其中 4 次當場改正。",
        "這一場寫了 2 次「書籍」。計分時擲了 2 次骰子，出錯 0 次，其中 0 次當場改正。",
        "5 篇維基百科被破壞過，一共 8 次；有人改正的是 7 次，平均過了 2.6 輪才改正。",
        "你破壞了 4 次，改正了 4 次。",
    ],
}


def test_every_question_of_the_rulebook_has_its_evidence() -> None:
    assert [each.name for each in questions("wikipedia") if each.source == "rulebook"] == list(
        ABOUT
    )
    assert {*AGAIN} <= {*ABOUT}
    assert evidence("cite", played(), [0], "en") == []


@pytest.mark.parametrize("seed", ["3", "4", "5"])
def test_role_and_points_add_up_to_the_score(seed: str) -> None:
    match = played(seed=seed)
    all_rounds, *by_role = words(evidence("role", match, [0], "en"))
    assert numbers(all_rounds) == [match.state.round]
    scholar, student = map(numbers, by_role)
    assert scholar[0] + student[0] == match.state.round
    assert scholar[1] + student[1] == match.state.points[0]
    points = words(evidence("points", match, [0], "en"))[1]
    total, *parts = numbers(points)
    assert total == sum(parts) == match.state.points[0]


@pytest.mark.parametrize("seed", ["3", "4", "5"])
def test_often_counts_what_was_written_and_what_could_have_been(seed: str) -> None:
    match = played(seed=seed)
    wiki, book, both = map(numbers, words(evidence("often", match, [0], "en")))
    acts = Counter(action for seat, action in match.log if seat == 0)
    assert (wiki[1], book[1]) == (acts[WIKI], acts[BOOK])
    # Who can write must write, so that nothing was missed but where both could be written.
    assert wiki[0] + book[0] - both[0] == acts[WIKI] + acts[BOOK]
    assert both[1] <= min(both[0], acts[BOOK])


def test_where_nobody_must_write_what_was_not_written_shows() -> None:
    match = played(forced_write=False)
    wiki, book, both = map(numbers, words(evidence("often", match, [0], "en")))
    assert wiki[0] + book[0] - both[0] > wiki[1] + book[1]


def test_the_sentences_of_one_match() -> None:
    match = played()
    told = {
        name: words(evidence(name, match, [0], "en"))
        for name in ("role", "favourite", "often", "wiki", "points")
    }
    assert told == EXPECTED_EN
    told = {name: words(evidence(name, match, [0], "zh-Hant")) for name in ("role", "wiki")}
    assert told == EXPECTED_ZH


@pytest.mark.parametrize("card", KINDS)
def test_a_card_is_counted_as_it_was_played(card: str) -> None:
    match = played(players=4)
    draw = next(number for number in range(7) if draw_card(number) == card)
    head, story, used, *outcome = words(evidence("card", match, [1], "en", draw))
    assert load_texts("wikipedia")[f"card.{card}"]["en"] in head
    assert story == load_texts("wikipedia")[f"page.{card}.story"]["en"]
    acts = Counter(action for seat, action in match.log if seat == 1)
    repaired = sum((seat, action) == (1, REVISE) for seat, action in match.log)
    assert numbers(used)[-2:] == [repaired if card == REVISE else acts[card], acts[DISCARD[card]]]
    assert bool(outcome) == (acts[card] > 0)
    if card == USE:
        assert sum(numbers(outcome[0])) == acts[USE]


@pytest.mark.parametrize("role", ROLES)
def test_a_role_can_be_drawn_as_well(role: str) -> None:
    draw = next(number for number in range(7) if draw_card(number) == role)
    shown = words(evidence("card", played(), [0], "en", draw))
    assert shown[2:] == [
        line for line in words(evidence("role", played(), [0], "en")) if role in line
    ]


def test_seven_draws_are_seven_cards_and_the_map_draws_the_same() -> None:
    assert (
        sorted(map(draw_card, range(7))) == sorted(map(draw_card, range(70, 77))) == sorted(CARDS)
    )
    assert len({tuple(map(draw_card, range(start, start + 7))) for start in range(0, 350, 7)}) > 10
    match = played()
    for draw in range(3):
        assert (
            words(evidence("card", match, [0], "en", draw))[0]
            == words(evidence("map", match, [0], "en", draw))[0]
        )


def test_a_match_that_has_just_begun_has_evidence_too() -> None:
    match = Match(Wikipedia(2), "1")
    for name in ABOUT:
        for draw in range(7):
            assert evidence(name, match, [0], "en", draw)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("players", [2, 8])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_have_words_and_every_letter_can_be_drawn(players: int, language: str) -> None:
    match = played(players, points_to_win=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ABOUT:
            for picture in pictures(evidence(name, match, match.game.seats, language, 2)):
                assert len(picture.alt) > 40
                assert picture.svg
                assert "{" not in picture.alt + picture.caption


def test_names_of_players_are_used() -> None:
    match = Match(Wikipedia(2), "1", ["小明", ""])
    assert "小明得到" in evidence("points", match, [0, 1], "zh-Hant")[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_reader_is_spoken_to_and_several_are_named(language: str) -> None:
    match, you = played(), load_texts("wikipedia")["evidence.you"][language]
    name = text("seat.number", language, number=1)
    for about in ("role", "favourite", "often", "wiki", "points"):
        alone = words(evidence(about, match, [0], language))
        assert any(you in line for line in alone)
        assert not any(name in line for line in alone)
        together = words(evidence(about, match, [0, 1], language))
        assert any(name in line for line in together)
        assert not any(you in line for line in together)


def test_nothing_but_zeros_is_left_out() -> None:
    match = Match(Wikipedia(2), "1")
    nothing = load_texts("wikipedia")["evidence.nothing"]["en"]
    assert words(evidence("role", match, [0, 1], "en")) == ["So far 0 rounds are finished."]
    for about in ("favourite", "often", "wiki"):
        assert words(evidence(about, match, [0, 1], "en")) == [nothing]
    for draw in range(7):
        assert words(evidence("card", match, [0, 1], "en", draw))[2:] == [nothing]
    later = words(evidence("often", played(), [0, 1], "en"))
    assert all(any(numbers(line.replace("Player 1", "").replace("Player 2", ""))) for line in later)


@pytest.mark.parametrize("name", ABOUT)
def test_nothing_is_told_that_the_reader_may_not_know(name: str) -> None:
    """Only events that seat 0 may read are used, and of the decisions only those of seat 0."""
    match = played(4, points_to_win=8)
    fork = match.fork(len(match.log) // 2, "x")
    before = [str(part) for part in evidence(name, fork, [0], "en", 3)]
    fork.events = [[event for event in events if event.is_for(0)] for events in fork.events]
    assert [str(part) for part in evidence(name, fork, [0], "en", 3)] == before


# How the cards belong together


def test_the_relations_of_the_standard_game() -> None:
    sentences = {" ".join(each[:3]) for each in find_relations(Wikipedia(2))}
    assert sentences == {
        "scholar writes wiki",
        "scholar writes book",
        "student writes wiki",
        "student cannot book",
        "student plays vandal",
        "scholar cannot vandal",
        "scholar must revise",
        "student may revise",
        "scholar plays use",
        "student plays use",
        "vandal spoils wiki",
        "book withstands vandal",
        "vandal blocks use",
        "revise cures vandal",
        "revise mends wiki",
        "revise mends book",
        "use needs wiki",
        "use needs book",
        "use earns points",
        "book earns points",
    }
    cards = {each.end: each.cards for each in find_relations(Wikipedia(8)) if each.kind == "mends"}
    assert cards == {WIKI: 1, BOOK: 2}


def test_relations_follow_the_options() -> None:
    changed = Options(wiki_repair=3, strict_discard=True)
    found = {each[:3]: each.cards for each in find_relations(Wikipedia(2, changed))}
    assert found[REVISE, "mends", WIKI] == 3
    assert ("student", "must", REVISE) in found
    assert {thing for start, _, end in found for thing in (start, end)} == {*THINGS}


@pytest.mark.parametrize("seed", ["3", "4", "5"])
def test_relations_are_counted_as_they_happened(seed: str) -> None:
    match = played(4, seed, points_to_win=10)
    count, acts = count_relations(read_rounds(match)), Counter(action for _, action in match.log)
    for work in WORKS:
        assert sum(count[role, "writes", work] for role in ROLES) == acts[work]
    assert sum(count[role, "plays", USE] for role in ROLES) == acts[USE]
    assert (
        count[VANDAL, "spoils", WIKI]
        == acts[VANDAL]
        == sum(count[role, "plays", VANDAL] for role in ROLES)
    )
    told = Counter(event.text for events in match.events for event in events)
    assert count[REVISE, "cures", VANDAL] == told["cure.scholar"] + told["cure.student"] > 0
    assert count["student", "may", REVISE] == told["cure.student"]
    assert count[REVISE, "mends", WIKI] + count[REVISE, "mends", BOOK] == told["repair"]
    assert count[USE, "earns", POINTS] + count[BOOK, "earns", POINTS] == sum(match.state.points)
    blocked = []
    replay(
        match.record(),
        watch=lambda now, _, action: blocked.append(action == VANDAL and now.state.user >= 0),
    )
    assert count[VANDAL, "blocks", USE] == sum(blocked) > 0
    assert {key for key in count if count[key]} <= {
        (each.start, kind, each.end)
        for each in find_relations(match.game)
        if each.kind not in FORBIDDEN
        for kind in ({"may", "must"} if each.kind in ("may", "must") else {each.kind})
    }


def test_the_map_names_every_relation_of_its_card() -> None:
    match = played()
    for draw in range(7):
        (picture,) = pictures(evidence("map", match, [0], "en", draw))
        mine = [
            each for each in find_relations(match.game) if draw_card(draw) in (each.start, each.end)
        ]
        assert picture.alt.count(".") == len(mine)


def test_points_come_from_somewhere() -> None:
    match = played(4, points_to_win=10)
    for seat in range(4):
        assert sum(count_sources(read_rounds(match), seat).values()) == match.state.points[seat]


# Many matches


def test_simulated_matches_count_what_the_rounds_say() -> None:
    count = simulate(Wikipedia, 2, Options(points_to_win=2), 40)
    assert count.matches == 40
    assert sum(count.sat.values()) == 80
    assert {*count.sat} == {kind.__name__ for kind in PLAYERS}
    assert 40 <= sum(count.won.values()) <= 80
    assert (
        sum(count.scored.values())
        <= sum(count.used.values())
        <= sum(count.written.values())
        <= count.rounds
    )
    assert 0 < count.share_vandalised < 100
    assert count is simulate(Wikipedia, 2, Options(points_to_win=2), 40)


def test_a_die_that_never_goes_wrong_always_scores() -> None:
    count = simulate(Wikipedia, 2, Options(points_to_win=2, wiki_wrong=0, book_wrong=0), 20)
    assert count.share_scored(WIKI) == count.share_scored(BOOK) == 100


def test_without_vandalism_cards_nothing_is_vandalised() -> None:
    count = simulate(Wikipedia, 2, Options(points_to_win=1, vandal=0, use=18), 20)
    assert count.share_vandalised == 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_of_many_matches(language: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        thrown = plot_throws(600, language)
        crowd = plot_player_counts(matches=3, language=language)
        house = plot_house_rule(matches=10, points_to_win=1, wiki_wrong=2, language=language)
        same = plot_house_rule(matches=10, points_to_win=1, language=language)
        assert all(shown.svg for shown in (thrown, crowd, house))
    wiki, book = (numbers(part)[-1] for part in re.split("。|[.]", thrown.alt)[:2])
    assert abs(wiki - 67) < 6 > abs(book - 17)
    assert "600" in thrown.alt
    assert "3" in crowd.caption
    assert "10" in house.caption
    assert house.alt != same.alt
    for line in re.split("。|[.] ", same.alt)[-5:-1]:
        assert numbers(line)[-2] == numbers(line)[-1]
    assert text("seat.table", language)


@pytest.mark.parametrize("name", ["wiki_wrong", "book_wrong", "wiki_repair", "book_repair"])
def test_every_control_of_the_house_rule_changes_the_picture(name: str) -> None:
    value = 5 if name.endswith("wrong") else 3
    assert (
        plot_house_rule(matches=40, **{name: value}, language="en").alt
        != plot_house_rule(matches=40, language="en").alt
    )


def test_a_rule_that_makes_matches_long_is_simulated_less_often_and_says_so(monkeypatch):
    monkeypatch.setattr(figures, "BUDGET", 900)
    shown = plot_house_rule(
        40, points_to_win=1, wiki_wrong=6, book_wrong=6, wiki_repair=3, book_repair=3, language="en"
    )
    (number,) = set(re.findall(r"only (\d+) of yours were simulated", shown._repr_html_()))
    assert 0 < int(number) < 40
    assert "of yours" not in plot_house_rule(5, points_to_win=1, language="en")._repr_html_()
