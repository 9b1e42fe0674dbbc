"""The pages of the site: the lessons in three languages, readable before Python is there, nothing
from elsewhere.
"""

import json
import re
from html.parser import HTMLParser

import pytest

from coursekit.cells.cell_errors import defined_names, used_names
from coursekit.core.registry import KIT_GAMES
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.site.pages import (
    FileSite,
    all_pages,
    first_cells,
    licences_page,
    script_digest,
    visible_cells,
)
from coursekit.words.texts import LANGUAGES

PARTS = {name: {"name": name, "size": 1} for name in ("worker", "wasm", "library", "kit")}
FOLDERS = {"zh-Hant": "zh", "en": "en", "zh-Hans": "zh-Hans"}


class Links(HTMLParser):
    """What a page loads and where it leads."""

    def __init__(self, page):
        super().__init__()
        self.loads, self.leads, self.ids = [], [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        for name in ("src", "href"):
            if name in attrs:
                (self.leads if tag == "a" else self.loads).append(attrs[name])
        assert not [name for name in attrs if name.startswith("on")], (
            f"{tag} has code that the policy forbids"
        )


@pytest.fixture(scope="module")
def pages():
    site = FileSite(NotebookShelf(packaged_folder()), pyodide="1", python="3")
    return all_pages(site, PARTS) | {site.licences: licences_page(site, [])}


@pytest.fixture(scope="module")
def links(pages):
    return {name: Links(page) for name, page in pages.items() if name.endswith(".html")}


@pytest.mark.slow
def test_every_lesson_is_there_in_every_language(pages):
    for folder in FOLDERS.values():
        assert {f"{folder}-{game}.html" for game in KIT_GAMES} <= set(pages)


def test_pages_load_nothing_from_elsewhere(links):
    assert not [
        (name, each)
        for name, page in links.items()
        for each in page.loads
        if re.match(r"\w+:|//", each)
    ]


def test_links_lead_to_pages_and_places_that_exist(pages, links):
    lost = []
    for name, page in links.items():
        for each in page.leads:
            if re.match(r"https?:", each):
                continue
            file, _, place = each.partition("#")
            goal = links.get(file or name)
            steps = re.findall(r'data-step="([^"]+)"', pages[file or name]) if goal else []
            if goal is None or (
                place and place not in (*goal.ids, *steps, "everything", "rendered_cells")
            ):
                lost.append((name, each))
    assert lost == []


@pytest.mark.parametrize("game", KIT_GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_can_be_read_before_python_is_there(pages, game, language):
    page = pages[f"{FOLDERS[language]}-{game}.html"]
    assert f'<html lang="{language}">' in page
    assert (
        page.index('data-step="rules"')
        < page.index('data-step="play"')
        < page.index('data-step="lab"')
    )
    assert page.count('class="site-wait"') == 1
    assert 'class="site-wait site-soon"' in page


def test_pages_hold_no_inline_scripts_but_data_and_what_their_policy_names(pages):
    for name, page in pages.items():
        if name.endswith(".html"):
            scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
            for kind, words in scripts:
                named = script_digest(words) in page.partition("<link")[0]
                assert "src=" in kind or "application/json" in kind or named, name


CELLS = [
    {
        "cell_type": "markdown",
        "source": "# Title",
        "metadata": {"coursekit_step": "rules", "tags": ["step-rules"]},
    },
    {"cell_type": "code", "id": "a", "source": "from x import y, z", "metadata": {}},
    {"cell_type": "code", "id": "b", "source": "w = 1", "metadata": {}},
    {
        "cell_type": "code",
        "id": "c",
        "source": "z(w)\nv = y",
        "metadata": {"tags": ["notebook-only"]},
    },
    {
        "cell_type": "markdown",
        "source": "## Play",
        "metadata": {"coursekit_step": "play", "tags": ["step-play"]},
    },
    {"cell_type": "code", "id": "d", "source": "table = y(u)", "metadata": {}},
    {
        "cell_type": "markdown",
        "source": "## Lab",
        "metadata": {"coursekit_step": "lab", "tags": ["step-lab"]},
    },
    {"cell_type": "code", "id": "e", "source": "u = w", "metadata": {"tags": ["notebook-only"]}},
]


def test_the_table_runs_first_with_what_it_needs():
    assert first_cells(CELLS) == ["a", "d"]
    assert first_cells([*CELLS[:5], {**CELLS[5], "source": "y(w)"}]) == ["a", "b", "d"]
    assert first_cells(CELLS[1:3]) == ["a"]


def test_cells_for_readers_of_code_are_in_the_lab_alone():
    code = [each for each in visible_cells(CELLS, "elsewhere") if each["cell_type"] == "code"]
    found = {each["id"]: (each["lab"], each["exercise"]) for each in code}
    assert found == {
        "a": (False, False),
        "b": (False, False),
        "d": (False, False),
        "e": (True, True),
    }


AWAY = [
    {
        "cell_type": "markdown",
        "source": "## Map\n\nDraw one.",
        "metadata": {"tags": ["not-on-site"]},
    },
    {"cell_type": "code", "id": "m", "source": "board = 1", "metadata": {"tags": ["not-on-site"]}},
    {
        "cell_type": "markdown",
        "source": "### Ask it",
        "metadata": {"tags": ["notebook-only", "not-on-site"]},
    },
]


def test_of_a_section_that_no_browser_can_run_the_heading_stays_with_a_sentence():
    assert [each["source"] for each in visible_cells(AWAY, "It is elsewhere.")] == [
        "## Map\n\nIt is elsewhere."
    ]


def test_in_a_notebook_of_code_all_cells_are_in_the_lab(pages):
    code = [
        each
        for each in visible_cells(CELLS, "elsewhere", only_lab=True)
        if each["cell_type"] == "code"
    ]
    assert [(each["id"], each["lab"], each["exercise"]) for each in code] == [
        ("a", True, False),
        ("b", True, False),
        ("c", True, True),
        ("d", True, False),
        ("e", True, True),
    ]
    for folder in FOLDERS.values():
        page = pages[f"{folder}-lab.html"]
        assert page.count('class="site-code"') == page.count("data-cell=")
        assert page.count('class="site-notebook"') == 1
        assert 'data-step="ladder"' in page


@pytest.mark.parametrize("name", [*KIT_GAMES, "lab", "chance"])
def test_no_cell_of_a_page_needs_what_is_left_out_or_speaks_of_binder(name):
    for folder in ("zh", "en"):
        notebook = json.loads(
            (packaged_folder() / folder / f"{name}.ipynb").read_text(encoding="utf-8")
        )
        cells, whole = notebook["cells"], notebook["metadata"]["coursekit"].get("code", False)
        here = {each["id"] for each in visible_cells(cells, "", whole)}
        code = {
            each["id"]: "".join(each["source"]) for each in cells if each["cell_type"] == "code"
        }
        made = {id: {name for _, name in defined_names(source)} for id, source in code.items()}
        lost = set().union(*(made[id] for id in code if id not in here)) - set().union(
            *(made[id] for id in code if id in here)
        )
        assert not [id for id in code if id in here and used_names(code[id]) & lost]
        assert not [
            each["id"]
            for each in visible_cells(cells, "", whole)
            if "Binder" in "".join(each["source"])
        ]
