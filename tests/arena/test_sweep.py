"""House rules side by side: the tournaments that duplicate plays, under each rule, drawn and told."""

from typing import Any

import pytest

from coursekit.arena import Sweep, duplicate, sweep
from coursekit.core.strategy import AtRandom, StrategyError
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import Cautious
from coursekit.words.texts import LANGUAGES

GAME = Wizard(3, Options(short_game=2))


def swept(options: Any, deals: int = 6, **given: Any) -> Sweep:
    return sweep(
        GAME,
        options,
        [Cautious, AtRandom],
        deals,
        1,
        **{"progress": False, "language": "en"} | given,
    )


@pytest.fixture(scope="module")
def line() -> Sweep:
    return swept({"short_game": [1, 3]})


@pytest.fixture(scope="module")
def surface() -> Sweep:
    return swept({"short_game": [1, 2, 3], "hit": range(10, 31, 20)}, 5)


def test_each_rule_has_the_tournament_that_duplicate_plays(line: Sweep) -> None:
    assert [result.game.options.short_game for result in line.results] == [1, 3]
    for rounds, result in zip((1, 3), line.results):
        game = Wizard(3, Options(short_game=rounds))
        assert result == duplicate(game, [Cautious, AtRandom], 6, 1, progress=False)


def test_two_options_are_combined_and_others_stay(surface: Sweep) -> None:
    assert surface.points == [(1, 10), (1, 30), (2, 10), (2, 30), (3, 10), (3, 30)]
    for (rounds, hit), result in zip(surface.points, surface.results):
        assert (result.game.options.short_game, result.game.options.hit) == (rounds, hit)
    kept = sweep(
        Wizard(3, Options(short_game=1, hit=30)),
        {"per_trick": [0, 10]},
        [AtRandom],
        1,
        1,
        progress=False,
    )
    assert {(each.game.options.short_game, each.game.options.hit) for each in kept.results} == {
        (1, 30)
    }


def test_any_number_of_processes_gives_the_same(surface: Sweep) -> None:
    again = swept({"short_game": [1, 2, 3], "hit": range(10, 31, 20)}, 5, processes=2)
    assert again.results == surface.results


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pictures_tell_their_numbers(language: str, line: Sweep, surface: Sweep) -> None:
    for shown, point, result in (
        (line, ("1",), line.results[0]),
        (surface, ("1", "10"), surface.results[0]),
    ):
        picture = shown.plot(language=language)
        assert b"<svg" in picture.svg
        cell = f"{result.mean(Cautious):.1f} ± {result.interval(Cautious):.1f}"
        label = result.label("strategy", "Cautious", language)
        assert f"{label} {cell}" in picture.alt
        assert all(f"= {value}" in picture.alt for value in point)
        assert "short_game" not in picture.alt, "options have names"
    assert (
        f"{surface.results[-1].mean(AtRandom, 'wins'):.1f} ±"
        in surface.plot("wins", AtRandom, language).alt
    )


def test_of_few_deals_there_are_no_intervals() -> None:
    few = swept({"short_game": [1, 2]}, 2)
    assert "±" not in few.plot().alt
    assert "too few deals" in few.plot().caption
    assert few._repr_html_() == few.plot().html()
    assert type(few._repr_html_()) is str


def test_its_table_has_a_column_for_each_option(surface: Sweep) -> None:
    sheet = surface.data_table("en")
    assert list(sheet.names[:4]) == ["short_game", "hit", "deal", "match"]
    assert len(sheet.rows) == 6 * 5 * 2 * 3
    assert sheet.rows[0][:2] == (1, 10)
    assert sheet.rows[-1][:2] == (3, 30)
    assert [row[1] for row in sheet.codebook()[1:3]] != ["short_game", "hit"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, r"one or two options with the numbers to try, such as .*, not \{\}"),
        ({"short_game": []}, "one or two options"),
        ({"short_game": 3}, "one or two options"),
        ({"bid_rule": ["free"]}, "one or two options"),
        ({"short_game": [1], "hit": [1], "per_trick": [1]}, "one or two options"),
        ("short_game", "one or two options"),
        ({"shrot": [1]}, "shrot"),
        ({"short_game": [1, 99]}, "short_game .*99"),
    ],
)
def test_a_wrong_request_is_refused_in_one_sentence(options: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        swept(options)


def test_a_failing_strategy_is_named() -> None:
    broken = type("Broken", (AtRandom,), {"bid": lambda self, obs: 1 // 0})
    with pytest.raises(StrategyError, match="Broken failed"):
        sweep(
            GAME, {"short_game": [1, 2]}, [broken], 2, 1, progress=False, processes=2, language="en"
        )
