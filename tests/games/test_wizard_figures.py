"""Figures of predictions: what they say is what the score pad says, and every letter can be drawn."""

import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.errors import FileError
from coursekit.core.match import Match, play_out
from coursekit.figures import Picture
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.after import confidence
from coursekit.games.wizard.after.history import read_predictions, read_rounds
from coursekit.games.wizard.after.prediction_figures import (
    BY,
    format_off,
    group_predictions,
    plot_bids_and_tricks,
    plot_errors,
    plot_points,
    plot_round,
    plot_shares_met,
    plot_sums,
)
from coursekit.games.wizard.strategies import STRATEGIES


def played(seed: str, **options: Any) -> Match:
    kinds = [STRATEGIES[seat % len(STRATEGIES)] for seat in range(4)]
    return play_out(Wizard(4, Options(**{"short_game": 5} | options)), kinds, seed)


@pytest.fixture(scope="module")
def match() -> Match:
    return played("1")


@pytest.fixture(scope="module")
def many() -> list[Match]:
    return [played(seed, short_game=3) for seed in ("1", "2", "3")] + [
        played("4", bid_mode="hidden", short_game=None, rounds=(9,))
    ]


def all_bids(matches: list[Match], language: str) -> Picture:
    return plot_bids_and_tricks([("", read_predictions(matches))], language)


def by_player(match: Match, language: str) -> Picture:
    groups = [(f"Player {seat + 1}", read_predictions([match], [seat])) for seat in range(4)]
    return plot_bids_and_tricks(groups, language)


def pad(*matches: Match) -> list[dict[str, Any]]:
    """Return the lines of the score pads."""
    return [
        dict(event.values)
        for match in matches
        for events in match.events
        for event in events
        if event.text.startswith("score.")
    ]


def numbers(words: str) -> list[int]:
    return [int(each) for each in re.findall(r"[-+]?\d+", words.replace("−", "-"))]


def test_every_cell_of_bids_and_tricks_is_counted(many: list[Match]) -> None:
    shown = all_bids(many, "en")
    lines = pad(*many)
    met = sum(each["bid"] == each["won"] for each in lines)
    assert numbers(shown.caption) == [met, len(lines)]
    count = Counter((each["bid"], each["won"]) for each in lines)
    told = {}
    for part in re.findall(r"Predicted [^.]*\.", shown.alt):
        bid, times, *rest = numbers(part)
        assert times == sum(number for (each, _), number in count.items() if each == bid)
        told |= {(bid, won): number for won, number in zip(rest[::2], rest[1::2])}
    assert told == count


def test_panels_of_players_hold_everything_once(match: Match) -> None:
    shown = by_player(match, "en").alt
    for words in (all_bids([match], "en").alt, shown):
        assert sum(numbers(part)[1] for part in re.findall(r"Predicted [^.]*\.", words)) == 20
    assert all(f"Player {seat}: Predicted" in shown for seat in (1, 2, 3, 4))
    mine = plot_bids_and_tricks([("", read_predictions([match], [2]))], "en")
    assert numbers(mine.caption)[1] == 5


def test_errors_are_those_of_the_pad(match: Match) -> None:
    told = re.findall(r"Player (\d): ([^.]*)\.", plot_errors(match, "en").alt)
    assert [int(name) for name, _ in told] == [1, 2, 3, 4]
    for name, line in told:
        mine = [each["won"] - each["bid"] for each in pad(match) if each["seat"] == int(name) - 1]
        assert numbers(line) == [
            number for place, miss in enumerate(mine, 1) for number in (place, miss)
        ]
    assert re.findall(r"^Me: ", plot_errors(match, "en", [1], ["", "Me", "", ""]).alt)
    assert [format_off(1), format_off(-2), format_off(0)] == ["+1", "−2", "0"]


def test_points_after_each_round_are_those_of_the_pad(match: Match) -> None:
    told = re.findall(r"Player (\d): ([^.]*)\.", plot_points(match, "en").alt)
    for name, line in told:
        assert numbers(line) == [
            0,
            *[each["total"] for each in pad(match) if each["seat"] == int(name) - 1],
        ]
    assert len(told) == 4


def test_sums_are_those_of_the_pad(match: Match) -> None:
    told = re.findall(r"Round[^.]*\.", plot_sums(match, "en").alt)
    lines = pad(match)
    assert [numbers(each) for each in told] == [
        [place + 1, sum(each["bid"] for each in lines[4 * place : 4 * place + 4]), place + 1]
        for place in range(5)
    ]


@pytest.mark.parametrize("by", BY)
def test_how_often_tells_every_bid_once(many: list[Match], by: str) -> None:
    made = read_predictions(many)
    groups = group_predictions(made, by)
    held = [each for group in groups.values() for each in group]
    with_place = [each for each in made if each.place] if by == "place" else made
    assert sorted(held) == sorted(with_place)
    assert len(with_place) < len(made) or by != "place"
    shown = plot_shares_met(read_predictions(many), "en", by).alt
    told = [numbers(line) for line in re.findall(r"\d+ of \d+ met", shown)]
    assert told == [
        [sum(each.bid == each.won for each in group), len(group)] for group in groups.values()
    ]


def test_places_and_sums_are_those_of_the_deal(match: Match) -> None:
    made = read_predictions([match])
    first, last = (
        group_predictions(made, "place")["first"],
        group_predictions(made, "place")["last"],
    )
    dealer = match.state.scorer
    assert [each.seat for each in last] == [(dealer + number) % 4 for number in range(5)]
    assert [each.seat for each in first] == [(dealer + number + 1) % 4 for number in range(5)]
    for name, group in group_predictions(made, "sum").items():
        for each in group:
            bids = sum(other.bid for other in made if other.round_number == each.round_number)
            assert name == ("more" if bids > each.size else "fewer" if bids < each.size else "even")
    wide = read_predictions([played("1", short_game=None)])
    assert list(group_predictions(wide, "size")) == [
        "1–2",
        "3–4",
        "5–6",
        "7–8",
        "9–10",
        "11–12",
        "13–14",
        "15",
    ]
    assert all(
        name == ("5+" if each.bid > 4 else str(each.bid))
        for name, group in group_predictions(wide, "bid").items()
        for each in group
    )


def test_the_course_of_a_round_counts_the_tricks(match: Match) -> None:
    now = read_rounds(match)[-1]
    takers = [
        event.values["seat"] for events in match.events for event in events if event.text == "trick"
    ][-5:]
    for seat in range(4):
        shown = plot_round(now, [seat], ["a", "b", "c", "d"], "en").alt
        bid = next(each["bid"] for each in pad(match)[-4:] if each["seat"] == seat)
        assert numbers(shown) == [bid, *[takers[:number].count(seat) for number in range(6)]]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans"])
def test_every_letter_can_be_drawn(match: Match, language: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        now = read_rounds(match)[3]
        found = [
            by_player(match, language),
            plot_errors(match, language),
            plot_points(match, language),
            plot_sums(match, language),
            plot_round(now, [0, 1], ["甲", "乙"], language),
            *[plot_shares_met(read_predictions([match]), language, by) for by in BY],
        ]
        assert all(each.svg for each in found)
    assert all(each.alt and each.caption and "{" not in each.alt + each.caption for each in found)


def test_before_a_round_is_scored_there_is_a_figure_too() -> None:
    begun = Match(Wizard(3), "1")
    for shown in (
        all_bids([begun], "en"),
        plot_errors(begun, "en"),
        plot_points(begun, "en"),
        plot_sums(begun, "en"),
        *[plot_shares_met([], "en", by) for by in BY],
    ):
        assert "{" not in shown.alt
        assert shown.svg


def test_what_a_class_wrote_down_is_read_and_grouped_by_how_sure_it_was(tmp_path: Path) -> None:
    file = tmp_path / "sure.csv"
    file.write_text("把握,命中\n70,1\n72,0\n79,1\n100,1\n0,0\n", encoding="utf-8")
    made = confidence.read_forecasts(file)
    assert made[:2] == [(70, True), (72, False)]
    told = confidence.plot_forecasts(made, "en").alt
    assert re.findall(r"Said (\d+) %: it came true (\d) times in (\d)", told) == [
        ("0", "0", "1"),
        ("74", "2", "3"),
        ("100", "1", "1"),
    ]
    file.write_text("sure,met\n70,1\n101,1\n50,x\n", encoding="utf-8")
    with pytest.raises(FileError) as error:
        confidence.read_forecasts(file)
    assert [each.values["line"] for each in error.value.problems] == [3, 4]


def test_of_four_lone_cards_one_takes_the_trick() -> None:
    made = confidence.try_lone_cards(40)
    assert len(made) == 160
    assert sum(each.met for each in made) == 40  # one of four takes the trick
    assert min(made).confidence == 0
    assert max(made).confidence == 100
