"""The table in JupyterLab, under a path prefix as in Binder: played by mouse and keyboard, and
saved.
"""

import json
import time
from pathlib import Path

import pytest
from driver import AtTable
from lesson import run_all_cells
from playwright.sync_api import Locator, Page, expect
from test_server import SLOW_TO_LOAD
from test_table import CELLS, IMPORTS, told
from webpage import at_size, clipped, write

from coursekit.core.match import Match
from coursekit.games.wizard import Wizard

MAP = """from coursekit.reflect import mind_map

board = mind_map("wikipedia", "lesson", "en")
board"""
PUT = """graph = board.graph()
graph.add_node("Put")
board.put(graph)"""
SEEN = """from coursekit.core.match import Match
from coursekit.kit import GAMES

games = [kit.rules(kit.rules.player_counts[-1]) for kit in GAMES.values()]"""
SHOWN = """from coursekit.cells import explore

for game in games:
    display(game.observe(Match(game, 1).state, 0))
explore(lambda number=3: games[number].observe(Match(games[number], 1).state, 0), number=range(4))"""


@pytest.fixture(scope="session")
def lab(start_jupyter, tmp_path_factory: pytest.TempPathFactory):
    """A Jupyter server with notebooks, that saves what widgets show."""
    folder, settings = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("settings")
    for name, cell in CELLS.items():
        write(folder / "zh" / f"{name}.ipynb", f"# {name}", IMPORTS, cell)
    write(folder / "en" / "map.ipynb", "# map", MAP, PUT)
    write(folder / "en" / "seen.ipynb", "# seen", SEEN, SHOWN)
    write(folder / "en" / "slow.ipynb", "# slow", "import anywidget", SLOW_TO_LOAD)
    manager = settings / "@jupyter-widgets" / "jupyterlab-manager"
    manager.mkdir(parents=True)
    (manager / "plugin.jupyterlab-settings").write_text(json.dumps({"saveState": True}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTERLAB_SETTINGS_DIR", str(settings))
        patch.setenv("COURSEKIT_DATA", str(tmp_path_factory.mktemp("data")))
        yield start_jupyter(folder)


@pytest.fixture
def run_in_lab(page: Page, lab):
    """``run_in_lab("zh/one.ipynb")`` runs all its cells in JupyterLab."""

    def run_it(path: str) -> Page:
        page.goto(f"{lab.url}lab/tree/notebooks/{path}?token={lab.token}&reset")
        expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(3)
        return run_all_cells(page)

    return run_it


@pytest.fixture
def open_in_lab(run_in_lab):
    """``open_in_lab("zh/one.ipynb")`` runs all its cells in JupyterLab and sits down at the table."""
    return lambda path: AtTable(run_in_lab(path))


@pytest.mark.smoke
def test_rounds_are_played_by_keys_that_do_not_edit_the_notebook(open_in_lab):
    table = open_in_lab("zh/one.ipynb")
    assert table.root.get_attribute("lang") == "zh-Hant"
    table.play_round()
    table.decide()
    table.decide()  # the prediction; now two cards are in the hand
    table.wait()
    before = table.entry()
    table.legal.first.focus()
    for key in ("b", "a", "d", "d", "x", "m", "ArrowRight", "ArrowLeft", "Home"):
        table.page.keyboard.press(key)
    expect(table.page.locator(".jp-Notebook .jp-Cell")).to_have_count(3)
    assert table.entry() == before
    table.legal.first.focus()
    table.page.keyboard.press("Enter")
    expect(table.root.locator(".ck-story")).to_contain_text("玩家 1 出")
    table.play_round()
    assert table.rounds() == 2
    assert table.page.locator(".Toastify__toast").count() == 0, "it asks about news or updates"


def test_a_saved_notebook_holds_no_covered_card(open_in_lab, lab, traffic):
    table = open_in_lab("zh/people.ipynb")
    table.wait()
    page = table.page
    state = Match(Wizard(3), "a secret seed").state
    first = (state.dealer + 1) % 3
    table.root.locator(".ck-covered button").click()
    table.decide()  # the first person has seen the own card and covered it again
    table.wait()
    saved = saved_notebook(page, lab, "zh/people.ipynb")
    widgets = json.dumps(json.loads(saved)["metadata"]["widgets"])
    assert "scenes" in widgets
    assert told([card for hand in state.hands for card in hand] + state.undealt, widgets) == []
    others = [card for seat in range(3) if seat != first for card in state.hands[seat]]
    assert told(others + state.undealt, traffic.received()) == []


def choose_top(map: Locator) -> None:
    """Choose the top concept of *map*, as the keyboard does when it arrives there."""
    expect(map.locator(".ck-map-cy canvas").first).to_be_attached()
    map.locator(".ck-map-board").focus()
    expect(map.locator(".ck-map-handle")).to_be_visible()


def test_keys_in_a_mind_map_do_not_edit_the_notebook_which_keeps_nothing_that_is_drawn(
    run_in_lab, lab
):
    page = run_in_lab("en/map.ipynb")
    map = page.locator(".ck-map")
    name = map.locator(".ck-map-name")
    choose_top(map)
    expect(name).to_have_text("Put")  # by another cell
    page.keyboard.press("Enter")
    expect(map.get_by_label("Label")).to_be_focused()
    page.keyboard.type("Handwritten")
    page.keyboard.press("Tab")  # while the map takes the new name over
    expect(name).to_have_text("Handwritten")
    expect(map.get_by_label("example")).to_be_focused()
    for place in (".ck-map-board", ".ck-map-foot"):
        map.locator(place).click(position={"x": 20, "y": 20})
        for key in ("b", "a", "d", "d", "x", "m", "Shift+Enter", "Escape"):
            page.keyboard.press(key)
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(3)
    map.locator(".ck-map-board").click(position={"x": 30, "y": 30})
    page.keyboard.press("n")
    expect(map.get_by_label("Concept", exact=True)).to_be_focused()
    expect(map.locator(".ck-map-status")).to_contain_text("Saved")
    saved = saved_notebook(page, lab, "en/map.ipynb")
    assert "What can happen to a work" in saved  # what the cell suggests
    assert "Handwritten" not in saved


def test_a_mind_map_its_tools_and_its_form_are_in_sight_together(run_in_lab):
    page = run_in_lab("en/map.ipynb")
    map = page.locator(".ck-map")
    choose_top(map)
    form = map.get_by_label("Label")
    expect(form).to_be_visible()
    map.evaluate("map => map.scrollIntoView({ block: 'start' })")
    for part in (".ck-map-tools", ".ck-map-canvas", ".ck-map-foot"):
        expect(map.locator(part)).to_be_in_viewport(ratio=1)
    expect(form).to_be_in_viewport(ratio=1)
    details, drawing = (
        map.locator(part).bounding_box() for part in (".ck-map-side", ".ck-map-canvas")
    )
    assert drawing["x"] + drawing["width"] <= details["x"]


def test_jupyterlab_is_set_not_to_ask_about_news(page, lab):
    address = (
        f"{lab.url}lab/api/settings/@jupyterlab/apputils-extension:notification?token={lab.token}"
    )
    settings = page.request.get(address).json()["schema"]["properties"]
    assert settings["fetchNews"]["default"] == "false"
    assert settings["checkForUpdates"]["default"] is False


def saved_notebook(page: Page, lab, name: str) -> str:
    """Save the notebook that *page* shows, and return what is stored once it has the state of its
    widgets.
    """
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.keyboard.press("Control+s")
    end = time.monotonic() + 120
    while "widget-state" not in (saved := path_of(lab, name).read_text(encoding="utf-8")):
        assert time.monotonic() < end, "the notebook was not saved with the state of its widgets"
        time.sleep(0.2)
    return saved


def path_of(lab, name: str) -> Path:
    """Return the file of a notebook on the server, given as ``zh/people.ipynb``."""
    (root,) = [
        word.split("=", 1)[1]
        for word in lab.process.args
        if word.startswith("--ServerApp.root_dir=")
    ]
    return Path(root) / "notebooks" / name


def test_a_widget_that_is_slow_to_load_still_hears_its_kernel(run_in_lab):
    page = run_in_lab("en/slow.ipynb")
    page.get_by_role("button", name="counted 0").click()
    expect(page.get_by_role("button", name="counted 1")).to_be_visible()


def test_all_that_an_observation_holds_is_in_sight_at_any_width(run_in_lab):
    page = run_in_lab("en/seen.ipynb")
    tables = page.locator(".ck-obs")
    expect(tables).to_have_count(5)
    tables.evaluate_all("all => all.forEach((each) => { each.open = true })")
    for width in (1366, 1024, 800):
        at_size(page, {"width": width, "height": 768})
        assert clipped(page.locator(".ck-obs :is(th, td)")) == [], width
