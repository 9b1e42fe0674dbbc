"""Every cell of the kit looks in JupyterLab and under Voilà, light and dark, as it does on an empty
page.
"""

from collections.abc import Callable

import pytest
from alike import differences
from driver import AtTable
from lesson import run_all_cells, stands
from playwright.sync_api import Page, expect
from webpage import write

from coursekit.cells import Explore
from coursekit.cells.static_bundle import SHARED
from coursekit.games.knitwit.table.word_files import WordFiles
from coursekit.reflect import Debrief, HandIn, KeepMatches, MapEditor, Reflect
from coursekit.table import Table

CELLS = (
    """from pathlib import Path
from coursekit.arena import duplicate
from coursekit.cells import explore
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit.table.word_files import choose_words
from coursekit.games.wizard import Wizard
from coursekit.reflect import debrief, hand_in, keep_matches, mind_map, reflect
from coursekit.table import Table""",
    'Table("wikipedia", seed="one")',
    'Table("blockade", seed="one")',
    'Table("wizard", seed="one")',
    'table = Table("knitwit", seed="one")\ntable',
    "choose_words(table)",
    "keep_matches(table)",
    "def played(deals=2):\n    return duplicate(Wizard(3), [AtRandom], deals, seed=1, progress=False)",
    "explore(lambda deals=2: played(deals), deals=range(2, 5))",
    "explore(lambda deals=2: played(deals).plot(), deals=range(2, 5))",
    'reflect("wizard", "luck", timing="pair")',
    'reflect("wizard", "hits", timing="predict")',
    """folder = Path("class")
folder.mkdir(exist_ok=True)
for seed in "abc":
    (folder / f"{seed}.json").write_text(play_out(Wizard(4), [AtRandom] * 4, seed).record().dumps(), encoding="utf-8")
debrief("wizard", folder=folder)""",
    'hand_in(game="wizard")',
    'mind_map("wikipedia", "lesson")',
)
KINDS = (Table, Explore, WordFiles, Debrief, HandIn, KeepMatches, MapEditor, Reflect)
STYLES = [SHARED, *(str(kind._css) for kind in KINDS)]


@pytest.fixture(scope="module")
def jupyter(start_jupyter, tmp_path_factory: pytest.TempPathFactory):
    """A Jupyter server with a notebook that has a cell of each kind."""
    folder = tmp_path_factory.mktemp("alike")
    write(folder / "zh" / "all.ipynb", "# all", *CELLS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSEKIT_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setenv("COURSEKIT_JOURNAL", str(tmp_path_factory.mktemp("journal") / "journal.json"))
        yield start_jupyter(folder)


@pytest.fixture
def in_lab(page: Page, jupyter) -> Callable[[], Page]:
    def open_it() -> Page:
        page.goto(f"{jupyter.url}lab/tree/notebooks/zh/all.ipynb?token={jupyter.token}&reset")
        return run_all_cells(page)

    return open_it


@pytest.fixture
def under_voila(page: Page, jupyter) -> Callable[[], Page]:
    def open_it() -> Page:
        page.goto(jupyter.dashboard("zh/all.ipynb"))
        return stands(page)

    return open_it


@pytest.mark.parametrize(("home", "dark"), [("in_lab", True), ("under_voila", False)])
def test_a_cell_has_nothing_from_the_page_around_it(
    page: Page, home: str, dark: bool, request: pytest.FixtureRequest
):
    page.add_init_script("localStorage.setItem('coursekit:speed', 'once')")
    request.getfixturevalue(home)()
    cells = page.locator(":is(.ck-table, .ck-cell)")
    expect(cells).to_have_count(len(CELLS) - 2)
    for at in (0, 1):  # the sheet of a card
        table = AtTable(page)
        table.root = page.locator(".ck-table").nth(at)
        table.at_once()
        table.wait()
        table.touch(table.root.locator("[aria-haspopup]").first)
        expect(table.sheet.locator("dl, p").first).to_be_visible()
    for cell, shown in (
        (".ck-explore", "table"),
        (".ck-explore", "img"),
        (".ck-debrief", ".ck-forth"),
    ):
        page.locator(cell).nth(
            int(shown == "img")
        ).scroll_into_view_if_needed()  # which lets it begin
        expect(page.locator(f"{cell} {shown}").first).to_be_visible()
    page.locator(".ck-forth").click()
    expect(page.locator(".ck-slide img")).to_be_visible()
    map = page.locator(".ck-map")
    expect(map.locator(".ck-map-cy canvas").first).to_be_attached()
    expect(map.locator(".ck-map-step:visible, .ck-map-count").first).to_be_visible()
    if not map.locator(".ck-map-count").count():  # the rules' map, which the journal has then
        map.locator(".ck-map-step").last.click()
    expect(map.locator(".ck-map-count")).to_be_visible()
    map.locator(".ck-map-board").focus()
    expect(map.locator(".ck-map-handle")).to_be_visible()
    page.emulate_media(color_scheme="dark" if dark else "light")
    if home == "in_lab":
        page.evaluate("dark => { document.body.dataset.jpThemeLight = String(!dark); }", dark)
    for at in range(cells.count()):
        cells.nth(at).scroll_into_view_if_needed()
        found = differences(cells.nth(at), STYLES)
        assert found == [], (cells.nth(at).get_attribute("class"), len(found), found[:20])
