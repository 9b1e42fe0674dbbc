"""What the prose of the notebook about 文壇封鎖中 claims."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.match import play_out
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.after import figures
from coursekit.games.blockade.after.evidence import fact, facts
from coursekit.games.blockade.after.history import History
from coursekit.games.blockade.rules.card_facts import EventNote
from coursekit.reflect import debrief
from coursekit.words.language import use_language
from tests.test_notebooks import cells, defined

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(autouse=True)
def speak_english() -> None:
    """Speak as the English notebook does."""
    use_language("en")


@pytest.fixture(scope="module")
def lesson() -> dict[str, Any]:
    """The names that the notebook defines."""
    return defined("blockade.ipynb")


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_debrief_begins_and_ends_in_words_of_its_own(language: str) -> None:
    """No triumph is asked for, and nobody is asked what he or she would have done."""
    own, others = (debrief(game, language).words for game in ("blockade", "wizard"))
    assert {name for name in own if own[name] != others[name]} == {
        "feel.title",
        "feel.ask",
        "now.ask",
    }


@pytest.mark.parametrize("folder", ["zh", "en"])
def test_the_dates_of_the_background_are_those_of_the_events(folder: str) -> None:
    """Rows that cite the events file: the number under "Read a card" is that event, with the year
    of the row.
    """
    source = {"1": 34, "4": 36, "6": 39, "7": 48, "8": 51, "9": 53}
    page = "\n".join(
        cell.source for cell in cells(NOTEBOOKS / folder / "blockade.ipynb", "markdown")
    )
    rows = re.findall(r"^\| ([^|]*\d{4}[^|]*) \| ([^|]*) \| ([\d、, ]+) \|$", page, re.M)
    assert len(rows) == 16
    checked = 0
    for date, _, cited in rows:
        for number in re.findall(r"\d+", cited):
            if number in source:
                event = facts()[172 + source[number]]
                assert isinstance(event, EventNote)
                assert str(event.year) in date
                assert str(source[number]) in page
                checked += 1
    assert checked == len(source)
    listed = page[page.index("|---|---|---|", page.index(rows[-1][0])) :]
    numbers = {number for *_, cited in rows for number in re.findall(r"\d+", cited)}
    assert numbers <= set(
        re.findall(r"\d+", " ".join(re.findall(r"^\| ([\d、, ]+) \|", listed, re.M)))
    )


def test_cards_1_to_23_are_periodicals_to_33_banned_books_to_53_events(
    lesson: dict[str, Any],
) -> None:
    kinds = [type(facts()[172 + card]).__name__ for card in range(1, 54)]
    assert kinds == ["Periodical"] * 23 + ["BannedBook"] * 10 + ["EventNote"] * 20
    assert lesson["read_card"](23).splitlines() == fact(195, "en")
    assert "The Fig Tree" in lesson["read_card"](28)


def test_only_the_first_two_lines_change_with_the_player(lesson: dict[str, Any]) -> None:
    seen = [lesson["knows"](player).splitlines() for player in range(1, 5)]
    assert len({sight[0] for sight in seen}) == len({sight[1] for sight in seen}) == 4
    assert len({tuple(sight[2:]) for sight in seen}) == 1
    assert len(seen[0]) == 5


def test_the_hand_has_a_card_that_may_be_played_and_two_kinds_that_may_not(
    lesson: dict[str, Any],
) -> None:
    assert lesson["deal"].state.phase == "opening"
    assert lesson["deal"].state.turn == 0
    answers = [lesson["try_card"](place).splitlines()[2] for place in range(1, 6)]
    rules = {re.findall(r"\(Rule: (.*)\)", answer)[0] for answer in answers if "Rule" in answer}
    assert any("Allowed" in answer for answer in answers)
    assert len(rules) == 2


def test_events_of_a_match_keep_the_order_of_their_years(lesson: dict[str, Any]) -> None:
    for match in range(1, 11):
        played = play_out(lesson["game"], [lesson["Greedy"]] * 4, f"lesson {match}")
        (era,) = History(played).eras
        assert all(first.event < second.event for first, second in pairwise(era.happenings))


def test_only_pens_go_back_for_throws_of_o_and_o() -> None:
    tolls = figures.simulate(Blockade.preset("one_era"), 20).tolls()
    assert [toll.spaces_lost > 0 for toll in tolls] == [False, False, True, True]
    assert all(toll.books_lost > 0 for toll in tolls)
    assert tolls[0].spaces_won == tolls[1].spaces_won == 0
    assert all(
        pen.spaces_won > pen.spaces_lost and pen.books_won > pen.books_lost for pen in tolls[2:]
    )


def test_most_of_the_best_connected_are_periodicals(lesson: dict[str, Any]) -> None:
    first = lesson["most_connected"](lesson["graph"])[:10]
    assert sum(node.startswith("periodical:") for node, _ in first) > 5


def test_who_never_launches_scores_less_and_few_deals_do_not_tell_the_wins_apart(
    lesson: dict[str, Any],
) -> None:
    few, many = (lesson["try_silence"](100, deals) for deals in (10, 80))

    def apart(result: Any, statistic: str) -> float:
        """Return the gap, in parts of what both intervals reach towards each other: they overlap
        below 1.
        """
        gap = result.mean("Greedy", statistic) - result.mean("Quiet100", statistic)
        return float(
            gap / (result.interval("Greedy", statistic) + result.interval("Quiet100", statistic))
        )

    assert min(apart(few, "points"), apart(many, "points")) > 1
    assert apart(few, "wins") < 0.75 < 0.85 < apart(many, "wins")


def told(folder: str) -> dict[str, dict[int, figures.Share]]:
    """Return what the two tables of the answer claim of the Editor and the Author, by option and
    value.
    """
    (page,) = (
        cell.source
        for cell in cells(NOTEBOOKS / folder / "blockade.ipynb", "markdown")
        if " 400 " in cell.source
    )
    found = [
        tuple(map(int, digits)) for digits in re.findall(r"\| (\d+) % ?[（(](\d+)–(\d+)", page)
    ]
    assert len(found) == 10
    parts = zip(("o_faces", "lifting_year"), (found[:5], found[5:]))
    return {
        option: dict(zip(figures.SWEEPS[option], (figures.Share(*item) for item in part)))
        for option, part in parts
    }


def one_era(era: int, option: str, value: int) -> Options:
    """Return the options of one *era* with another *value*."""
    return Blockade.options_from({"eras": (era,), option: value})


@pytest.mark.slow
@pytest.mark.parametrize(("option", "era"), [("o_faces", 1), ("lifting_year", 4)])
def test_the_tables_of_400_matches_agree_with_some_of_them(option: str, era: int) -> None:
    """The first 100 of those matches leave room for the claimed shares, and the claimed intervals
    are those of 400.
    """
    claimed = told("zh")[option]
    assert claimed == told("en")[option]
    for value, share in claimed.items():
        few = figures.simulate(one_era(era, option, value), 100).share(2, 3)
        assert few.low <= share.mean <= few.high, value
        assert share.high - share.low == pytest.approx(
            2 * 196 * (share.mean * (100 - share.mean) / 400) ** 0.5 / 100, abs=1
        )


def test_more_o_helps_the_pens_and_martial_law_without_end_hurts_them() -> None:
    die, law = (list(told("zh")[option].values()) for option in ("o_faces", "lifting_year"))
    assert all(first.mean < second.mean for first, second in pairwise(die))
    assert die[0].high < die[-1].low
    assert all(law[-1].high < share.low for share in law[:-1])
    assert max(share.low for share in law[:-1]) <= min(share.high for share in law[:-1])
    more, fewer = (
        figures.simulate(one_era(1, "o_faces", faces), 60).share(2, 3) for faces in (5, 1)
    )
    assert fewer.high < more.mean
    never, standard = (
        figures.simulate(one_era(4, "lifting_year", year), 60).share(2, 3) for year in (1993, 1987)
    )
    assert never.mean < standard.mean


def test_single_eras_are_not_even() -> None:
    sixties, last = (figures.simulate(Options(eras=(era,)), 60).share(0, 1) for era in (2, 4))
    assert 50 < sixties.mean < 90
    assert sixties.low < 70 < sixties.high
    assert last.mean < 25


def test_each_exercise_changes_one_rule_and_starts_with_a_changed_one(
    lesson: dict[str, Any],
) -> None:
    die, law = lesson["other_die"](), lesson["other_year"]()
    assert "Faces of the die with an O: 3 (standard)" in die.alt
    assert "Faces of the die with an O: 5," in die.alt
    assert "1980-1992" in law.caption
    assert "Year in which martial law is lifted: 1983," in law.alt
