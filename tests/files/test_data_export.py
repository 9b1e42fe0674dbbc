"""Tables of numbers leave the kit with a codebook: a row for each column, in each language, that
Excel opens right.
"""

import csv
import re
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from coursekit.arena import duplicate
from coursekit.core.errors import FileError
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom
from coursekit.files.csvfile import CsvFile
from coursekit.files.data_export import DataTable, decision_table
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.after.history import read_predictions, tabulate_predictions
from coursekit.games.wizard.statistics import statistics
from coursekit.games.wizard.strategies import Cautious, bids_met
from coursekit.words.texts import LANGUAGES

GAME = Wizard(4, Options(short_game=3))


def read(path: Path) -> list[list[str]]:
    assert path.read_bytes().startswith(b"\xef\xbb\xbf"), "without it Excel shows no Chinese"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


@pytest.fixture(scope="module")
def match() -> Match:
    return play_out(GAME, [AtRandom] * 4, "a")


@pytest.fixture(scope="module")
def result() -> Any:
    return duplicate(
        GAME, [AtRandom, Cautious, AtRandom], 6, 1, progress=False, statistics=bids_met
    )


@pytest.fixture(scope="module")
def tables(match: Match, result: Any) -> dict[str, Any]:
    """Return a function of the language for every table that the kit gives away."""
    return {
        "tournament": result.data_table,
        "decisions": lambda language: decision_table([match], language),
        "predictions": lambda language: tabulate_predictions(read_predictions([match]), language),
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["tournament", "decisions", "predictions"])
def test_every_column_of_every_table_is_in_its_codebook(
    name: str, language: str, tables: dict[str, Any], tmp_path: Path
) -> None:
    path = tables[name](language).csv(tmp_path / "numbers.csv")
    head, *rows = read(path)
    _, *told = read(tmp_path / "numbers-codebook.csv")
    assert [row[0] for row in told] == head
    assert all(row[1] not in ("", row[0]) for row in told), "each says what it means"
    assert len({row[1] for row in told}) == len(told)
    for at, (_, meaning, unit, found) in enumerate(told):
        assert not re.search(r"[)）]$", meaning), f"the unit of {meaning} has a column of its own"
        assert "(" not in unit
        if ends := re.fullmatch(r"(\S+) … (\S+)", found):
            values = [float(row[at]) for row in rows]
            assert tuple(map(float, ends.groups())) == (min(values), max(values))
    assert rows


def test_units_stand_beside_the_meaning(result: Any) -> None:
    told = {row[0]: row[1:3] for row in result.data_table("en").codebook()}
    assert told["wins"] == ["Won per seat", "%"]
    assert told["bids_met"] == ["Predictions met", "%"]
    assert told["deal"][1] == ""


def test_a_tournament_has_a_row_for_each_seat_of_each_match_with_its_own_numbers(
    result: Any,
) -> None:
    head, rows = result.data_table().names, result.data_table().rows
    assert len(rows) == 6 * 3 * 4
    for deal, number, seat, strategy, points, wins, met, decisions, _, bids, tricks in rows:
        lineup = result.lineups[number]
        played = play_out(GAME, lineup, f"1/{deal}")
        assert strategy == lineup[seat].__name__
        assert points == GAME.scores(played.state)[seat]
        assert wins == 100 * (seat in GAME.winners(played.state))
        assert met == bids_met(played)["bids_met"][seat]
        assert decisions == sum(entry.seat == seat for entry in played)
        assert {"bids": bids, "tricks": tricks} == {
            name: numbers[seat] for name, numbers in statistics(played).items()
        }
    assert head[-5:] == ("bids_met", "decisions", "seconds", "bids", "tricks")


def test_a_statistic_from_a_notebook_has_its_own_name_for_a_meaning() -> None:
    result = duplicate(
        GAME, [AtRandom], 1, 1, progress=False, statistics=lambda match: {"luck": [1] * 4}
    )
    assert ["luck", "luck", "", "1 … 1"] in result.data_table().codebook()


def test_decisions_tell_seats_and_no_names(match: Match) -> None:
    named = Match(GAME, "a", ["Ann", "Ben", "Cho", "Dee"])
    named.people = (0, 2)
    for seat, action in match.log:
        named.play(seat, action)
    rows = decision_table([named, match.record()], "en").rows
    assert len(rows) == 2 * len(match.log)
    assert not re.search("Ann|Ben|Cho|Dee", str(rows))
    assert {(row[2], row[3]) for row in rows if row[0] == 0} == {
        (-1, 0),
        (0, 1),
        (1, 0),
        (2, 1),
        (3, 0),
    }
    assert {row[3] for row in rows if row[0] == 1} == {""}, "who was a person is not known"
    assert [row[1] for row in rows[: len(match.log)]] == list(range(len(match.log)))


def test_a_frame_has_the_rows_and_the_columns(result: Any) -> None:
    pytest.importorskip("pandas")
    frame = result.frame()
    assert list(frame.columns) == list(result.data_table().names)
    assert frame[frame.strategy == "Cautious"].points.mean() == pytest.approx(result.mean(Cautious))


def test_without_pandas_one_sentence_says_how_to_get_it(
    result: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"install pandas 2\.2"):
        result.frame()


def test_nothing_is_overwritten(tmp_path: Path, result: Any) -> None:
    (tmp_path / "a.csv").write_text("mine")
    with pytest.raises(FileError):
        result.csv(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_shows_two_links_that_hold_the_files(language: str, result: Any, tmp_path: Path) -> None:
    sheet = result.data_table(language)
    links = re.findall(
        r'download="([\w.-]+)" href="data:text/csv;charset=utf-8;base64,([^"]+)"',
        sheet._repr_html_(),
    )
    sheet.csv(tmp_path / "wizard.csv")
    assert {name: b64decode(data) for name, data in links} == {
        path.name: path.read_bytes() for path in tmp_path.iterdir()
    }


def test_no_cell_is_a_formula_and_numbers_stay_numbers(tmp_path: Path) -> None:
    cells = ["=1+1", "-1+1", "+x", "@a", "＝1", "'=1", " =1", -1, "-2.5", "a=1"]
    path = DataTable(("deal",), [[cell] for cell in cells], "wizard").csv(tmp_path / "a.csv")
    assert [row[0] for row in read(path)[1:]] == [
        "'=1+1",
        "'-1+1",
        "'+x",
        "'@a",
        "'＝1",
        "''=1",
        "' =1",
        "-1",
        "-2.5",
        "a=1",
    ]
    lines = CsvFile("", path).lines(["deal"])
    assert [line.cell("deal") for line in lines] == [str(cell).strip() for cell in cells]


def test_an_empty_table_has_a_codebook_too() -> None:
    assert [row[3] for row in DataTable(("deal", "phase"), [], "wizard", "en").codebook()[1:]] == [
        "",
        "",
    ]
