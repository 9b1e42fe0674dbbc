"""Print and play: everything in the box, in the rulebooks' numbers, with backs behind their cards."""

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from coursekit import cli
from coursekit.games.blockade.rules.card_codes import FUNCTIONS
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.kit import GAMES
from coursekit.kit.scene import Look
from coursekit.printing import read_options, render_sheets
from coursekit.printing.printables import SHEET
from coursekit.words.texts import LANGUAGES

PAGE = re.compile(r'<section class="pp-page"[^>]*>(.*?)</section>', re.S)
PIECE = re.compile(
    r'<div class="pp-card"(?: data-face="(\d+)")? style="left:(\d+)mm;top:(\d+)mm">(.*?)</div>',
    re.S,
)
GRID = re.compile(
    r'<div class="pp-grid[^"]*" style="width:(\d+)mm;height:(\d+)mm;--wide:(\d+)mm;--high:(\d+)mm"'
)
Piece = tuple[Any, int, int]


def pages(html: str) -> list[list[Piece]]:
    """Return the pieces to cut out of each page: their faces or words, and where they lie."""
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.S)[1])  # type: ignore[index]
    found = [
        [
            (
                data["faces"][int(face)] if face else re.sub("<[^>]*>", "", unescape(words)),
                int(left),
                int(top),
            )
            for face, left, top, words in PIECE.findall(page)
        ]
        for page in PAGE.findall(html)
    ]
    return [page for page in found if page]


def pieces(html: str) -> list[Any]:
    """Return the faces and words of all pieces that lie on a front."""
    return [
        face
        for page in pages(html)
        for face, _, _ in page
        if not (isinstance(face, dict) and face.get("back"))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wizard_has_thirteen_of_each_suit_four_wizards_and_four_jesters(language: str) -> None:
    count = Counter(face["art"] for face in pieces(render_sheets("wizard", language)))
    assert count == dict.fromkeys(("human", "elf", "dwarf", "giant"), 13) | {
        "wizard": 4,
        "jester": 4,
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_set_of_wikipedia_has_45_action_cards_8_roles_and_20_tokens(language: str) -> None:
    found = pieces(html := render_sheets("wikipedia", language))
    arts = Counter(face["art"] for face in found if isinstance(face, dict))
    assert arts == dict.fromkeys(("wiki", "book", "use", "vandal", "revise"), 9) | {
        "scholar": 3,
        "student": 5,
    }
    assert found.count("1") == 20
    assert html.count('<div class="pp-score">') == 2  # a board for each player
    assert [html.count(f'data-art="die-{side}"') for side in range(1, 7)] == [1] * 6


@pytest.mark.parametrize("language", LANGUAGES)
def test_literature_lockdown_has_290_experience_cards_33_books_and_four_roles(
    language: str,
) -> None:
    found = pieces(html := render_sheets("blockade", language))
    forms = Counter(face["print"]["form"] if "print" in face else "role" for face in found)
    assert forms == {
        "slip": 173,
        "order": 117,
        "paper": 23,
        "volume": 10,
        "role": 4,
        "stamp": 2,
        "token": 2,
    }
    orders = [face["print"] for face in found if face.get("print", {}).get("form") == "order"]
    assert len({order["title"] for order in orders}) == len(FUNCTIONS)
    assert all(order["text"] and "foot" not in order for order in orders)
    assert [int(year) for year in re.findall(r"<b>(\d{4})</b><span>", html)] == [*range(1949, 1993)]
    assert [html.count(f'data-art="die-{side}"') for side in "OX"] == [3, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_knit_wit_has_114_tags_one_to_shuffle_8_spools_and_4_buttons(language: str) -> None:
    tags, spools, buttons = pieces(render_sheets("knitwit", language)), [], []
    buttons = [tags.pop(tags.index(face))["art"] for face in tags[:] if isinstance(face, dict)]
    spools = [tags.pop(tags.index(str(number))) for number in range(1, 9)]
    assert (buttons, len(spools)) == ([f"button-{holes}" for holes in range(1, 5)], 8)
    assert (len(tags), len(set(tags))) == (115, 115)


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_the_rules_on_paper_hold_for_any_number_of_players(game: str) -> None:
    kit = GAMES[game]
    assert kit.paper
    assert kit.guide
    assert (
        len(
            {
                tuple(kit.paper().rule_sentences(kit.guide, Look(kit.rules(players), "en")))
                for players in kit.rules.player_counts
            }
        )
        == 1
    )


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_nothing_lies_outside_its_page_or_on_something_else(game: str) -> None:
    html = render_sheets(game)
    for page, grid in zip(pages(html), GRID.findall(html), strict=True):
        across, down, wide, high = map(int, grid)
        assert (across <= SHEET[0], down <= SHEET[1]) == (True, True)
        places = [(left, top) for _, left, top in page]
        assert len(set(places)) == len(places)
        assert {left % wide or top % high for left, top in places} == {0}
        assert max(left for left, _ in places) + wide <= across
        assert max(top for _, top in places) + high <= down


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade"])
def test_turned_on_its_long_edge_each_back_lies_behind_its_card(game: str) -> None:
    html = render_sheets(game)
    grids, before, turned = GRID.findall(html), [], 0
    for number, page in enumerate(pages(html)):
        if all(isinstance(face, dict) and face.get("back") for face, _, _ in page):
            across, _, wide, _ = map(int, grids[number])
            assert grids[number] == grids[number - 1]
            assert sorted((across - wide - left, top) for _, left, top in page) == sorted(before)
            turned += 1
        before = [(left, top) for _, left, top in page]
    assert turned == {"wizard": 7, "wikipedia": 5 + 1, "blockade": 19 + 3}[game]


def test_a_page_needs_nothing_else() -> None:
    """Its policy lets the browser load nothing, so what it names elsewhere would be missing."""
    for game in ("wizard", "wikipedia", "blockade", "knitwit"):
        page, script = (
            script.replace("\\u003c", "<")
            for script in render_sheets(game, "en").split('<script type="module">')
        )
        assert "default-src 'none'" in unescape(page)
        assert set(re.findall(r"https?://[^\\\s\"'<)]*", page + script)) == {
            "http://www.w3.org/2000/svg"
        }
        assert not re.search(r"@import|\burl\(|\bsrc=|<link", page)


def test_no_length_depends_on_a_container() -> None:
    """On paper, Firefox measures those by the page."""
    assert "cqw" not in render_sheets("blockade")


def test_a_class_prints_its_own_cards_and_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writers = [f"作家{year},<!--<script>{year},{year},詩" for year in range(1950, 1990)]
    (tmp_path / "w.csv").write_text(
        "name_zh,work_zh,work_year,genre\n" + "\n".join(writers), "utf-8"
    )
    (tmp_path / "b.csv").write_text("title_zh,author_zh\n島上,某人\n", "utf-8")
    (tmp_path / "t.csv").write_text(
        "zh\n" + "\n".join(f"<b>第{number}" for number in range(20)), "utf-8"
    )
    given = ["--no-browser", "--dir", str(tmp_path), "--cards", str(tmp_path / "b.csv"), "--cards"]
    assert cli.main(["print", "blockade", *given, str(tmp_path / "w.csv")]) == 0
    html = (tmp_path / "blockade-zh-Hant.html").read_text("utf-8")
    assert "<!--" not in html  # nothing in a card can end or change the script that holds it
    found = pieces(html)
    titles = {
        form: [
            face["print"]["title"] for face in found if face.get("print", {}).get("form") == form
        ]
        for form in ("slip", "order", "paper", "volume")
    }
    assert titles["slip"] == [f"作家{year}" for year in range(1950, 1990)]
    assert (len(titles["order"]), len(titles["paper"]), titles["volume"]) == (117, 23, ["島上"])
    assert (
        cli.main(
            [
                "print",
                "knitwit",
                "--no-browser",
                "--dir",
                str(tmp_path),
                "--cards",
                str(tmp_path / "t.csv"),
            ]
        )
        == 0
    )
    html = (tmp_path / "knitwit-zh-Hant.html").read_text("utf-8")
    assert "&lt;b&gt;第19" in html
    assert "<b>第19" not in html
    assert str(tmp_path / "knitwit-zh-Hant.html") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["chess"], "chess"),
        (["wizard", "--cards", "poets.csv"], "--cards"),
        (["blockade", "--cards", "nowhere.csv"], "nowhere.csv"),
        (["wizard", "--language", "fr"], "fr"),
        (["wizard", "--paper", "a3"], "letter"),
    ],
)
def test_a_mistake_costs_one_sentence(
    command: list[str],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert cli.main(["print", *command, "--no-browser", "--dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("era", ERAS)
def test_an_era_alone_has_its_own_writers_years_and_events(era: int) -> None:
    """The rest of the box stays in the cupboard, and fewer function cards come with it."""
    rules = read_options("blockade", [f"eras={era}"])
    html = render_sheets("blockade", "en", preset="one_era", rules=rules)
    prints = [face["print"] for face in pieces(html) if "print" in face]
    writers = [face for face in prints if face["form"] == "slip"]
    game = GAMES["blockade"].rules
    box = game(4, game.options_from({**game.presets["one_era"], **rules}))
    assert len(writers) == len(box.usable[era])  # type: ignore[attr-defined]
    assert len([face for face in prints if face["form"] == "order"]) < 117
    years = [int(year) for year in re.findall(r"<b>(\d{4})</b><span>", html)]
    assert years == [*ERAS[era]]
    told = [int(year) for year in re.findall(r"<td><b>(\d{4})</b></td>", html)]
    assert told
    assert set(told) <= set(ERAS[era])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_there_is_a_sheet_for_those_who_watch_and_one_for_the_teacher(
    game: str, language: str
) -> None:
    html = render_sheets(game, language)
    (watch,) = re.findall('<div class="pp-watch">(.*?)</div>', html, re.S)
    columns = watch.count("<th>")
    assert columns >= 4
    assert watch.count("<td>") % columns == 0
    assert watch.count("<li>") == 3
    (before,) = re.findall('<div class="pp-before">(.*?)</div>', html, re.S)
    assert before.count("<h3>") >= 3
    assert before.count("<blockquote>") == 1


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["hand=6", "events=false"], {"hand": 6, "events": False}),
        (["eras=2"], {"eras": [2]}),
        (["eras=2,3"], {"eras": [2, 3]}),
        (["function_set=half"], {"function_set": "half"}),
    ],
)
def test_options_are_read_from_the_command(given: list[str], read: dict[str, Any]) -> None:
    assert read_options("blockade", given) == read


@pytest.mark.parametrize("given", ["hand=99", "hand=many", "no_such=1", "eras=", "eras=9", "hand"])
def test_an_option_that_cannot_be_is_refused(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["print", "blockade", "--option", given, "--no-browser", "--dir", str(tmp_path)]
    assert cli.main(command) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
