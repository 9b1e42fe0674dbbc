"""The map as a list, and the panels of the mind-map editor, in a real browser with the real widget."""

import json
from pathlib import Path

import pytest
from barecell import BareCell
from playwright.sync_api import Page, expect
from webpage import overflow, severe, smaller_than

from coursekit.journal.journal import Journal
from coursekit.maps.edits import place_concepts
from coursekit.maps.file_reader import read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import starter_map
from coursekit.maps.widget import MapEditor

PHONE = {"width": 360, "height": 640}
NAME = "lesson"


def three() -> MindMap:
    """Return a small map."""
    mind_map = MindMap("What holds Wikipedia together?")
    wiki, source, reader = (mind_map.add(label) for label in ("Wikipedia", "Sources", "Readers"))
    mind_map.link(source, "support", wiki)
    mind_map.link(wiki, "", reader)
    return mind_map


def pupils(number: int) -> MindMap:
    """Return the rules' map of Wikipedia as a pupil may draw it: some relations missing, one turned
    round.
    """
    mind_map = starter_map("wikipedia", "en")
    ids = list(mind_map.relations)
    mind_map.remove(*ids[number : number + 3])
    turned = mind_map.relations[ids[12]]
    if number % 2:
        mind_map.change(ids[12], start=turned.end, end=turned.start)
    place_concepts(mind_map)
    return mind_map


@pytest.fixture
def cell(page: Page, tmp_path: Path):
    """``cell(map)`` shows an editor with that map, or with an empty one."""

    def show(mind_map: MindMap | None = None) -> MapEditor:
        journal = Journal(tmp_path / "journal.json")
        if mind_map is not None:
            journal.save_map(f"wikipedia/{NAME}", write_map(mind_map, "json"))
        editor = MapEditor("wikipedia", NAME, "en", journal=journal)
        show.around = BareCell(page, editor)
        page.wait_for_selector(".ck-map")
        return editor

    return show


def sentences(editor: MapEditor) -> list[str]:
    """Return what the map of *editor* says."""
    return [editor.map.sentence(thing_id) for thing_id in editor.map.relations]


def says(page: Page, editor: MapEditor, *wanted: str) -> None:
    """Wait until the map of *editor* says just what is *wanted*: the page shows an edit before the
    kernel has it.
    """
    for _ in range(3600):
        if sentences(editor) == list(wanted):
            return
        page.wait_for_timeout(50)
    assert sentences(editor) == list(wanted)


def test_a_map_is_made_as_a_list_with_keys_alone(cell, page: Page):
    editor = cell()
    page.locator("[data-tool=view_outline]").focus()
    page.keyboard.press("Enter")
    outline = page.locator(".ck-outline")
    outline.locator(".ck-outline-foot input").focus()
    page.keyboard.type("Vandalism")
    page.keyboard.press("Enter")
    line = outline.locator(".ck-line")
    expect(line).to_have_text("Vandalism")

    page.keyboard.press("Shift+Tab")
    expect(line).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # Add below
    page.keyboard.type("harms")
    page.keyboard.press("Tab")
    page.keyboard.type("Wikipedia")
    page.keyboard.press("Enter")
    expect(line).to_have_count(2)
    expect(line.nth(1)).to_have_accessible_name("Vandalism harms Wikipedia")
    says(page, editor, "Vandalism harms Wikipedia")
    expect(outline.locator(".ck-tools input").first).to_be_focused()

    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    expect(line.nth(1)).to_be_focused()
    page.keyboard.press("Delete")
    expect(line.first).to_be_focused()
    says(page, editor)
    page.keyboard.press("Control+z")
    expect(line).to_have_count(2)
    says(page, editor, "Vandalism harms Wikipedia")
    page.keyboard.press("Enter")
    assert severe(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('.ck-line')"), "Tab leaves the list"


def test_the_list_is_written_on_before_the_kernel_answers(cell, page: Page):
    editor = cell(three())
    page.locator("[data-tool=view_outline]").click()
    around = cell.around
    around.hold()
    outline = page.locator(".ck-outline")
    line, boxes = outline.locator(".ck-line"), outline.locator(".ck-tools input")

    def tool(name: str) -> None:
        outline.locator(f"[data-tool={name}]").click()

    # What is written into the next form stays there, whatever is answered to the one before.
    line.filter(has_text="Sources").click()
    tool("child")
    page.keyboard.type("are")
    page.keyboard.press("Tab")
    page.keyboard.type("Books")
    page.keyboard.press("Enter")
    page.keyboard.type("may be")
    line.filter(has_text="Books").click()
    around.let_go()
    tool("turn")  # with the buttons of a line that had no name yet
    tool("turn")
    tool("rename")
    page.keyboard.press("Control+a")
    page.keyboard.type("Old")
    around.let_go()
    page.keyboard.type(" books")
    expect(boxes).to_have_value("Old books")
    page.keyboard.press("Enter")
    expect(line.filter(has_text="Old books")).to_be_focused()

    # What is refused comes back.
    tool("words")
    page.keyboard.press("Control+a")
    page.keyboard.type("can be")
    page.keyboard.press("Enter")
    tool("turn")
    around.let_go(4)
    around.says(lambda: "Old books can be Sources" in sentences(editor), True)
    tool("rename")
    page.keyboard.press("Control+a")
    page.keyboard.type("Readers")
    page.keyboard.press("Enter")
    expect(boxes).to_have_count(0)
    around.let_go()
    expect(outline.locator(".ck-tools .ck-bad")).to_contain_text("Readers")
    expect(boxes).to_have_value("Readers")
    expect(boxes).to_be_focused()
    page.keyboard.press("Escape")
    alone = outline.locator(".ck-outline-foot input").first
    alone.fill("Readers")
    page.keyboard.press("Enter")
    expect(alone).to_have_value("")
    around.let_go()
    expect(alone).to_have_value("Readers")
    assert len(editor.map.concepts) == 4


def test_every_panel_on_a_phone(cell, page: Page, tmp_path: Path):
    mine = pupils(3)
    editor = cell(mine)
    page.set_viewport_size(PHONE)
    page.locator("[data-tool=more]").click()
    panels = page.locator(".ck-panels")

    panels.get_by_label("Who judges").fill("Whale")
    panels.locator(".ck-say-yes").nth(1).click()
    panels.locator(".ck-say-no").nth(1).click()
    expect(panels.locator("[aria-pressed=true]")).to_have_text("not right")
    expect(panels.locator(".ck-score")).to_contain_text("not a grade")
    first = editor.map.relations

    def judged() -> list[str]:
        said = Journal(tmp_path / "journal.json").judgements(
            f"wikipedia/{NAME}", editor.map.sentences
        )
        return list(said.get("Whale", {}).values())

    cell.around.says(judged, ["no"])
    numbers = panels.locator(
        ".ck-panel-look tbody:visible tr"
    )  # four of them, and the table of points
    expect(numbers.filter(has_text="Density")).to_have_count(0)
    panels.locator("summary", has_text="More numbers").click()
    expect(numbers.filter(has_text="Density")).to_have_count(1)
    panels.locator(".ck-sentence").nth(2).click()
    expect(panels.locator(".ck-chosen .ck-sentence")).to_have_text(
        editor.map.sentence(list(first)[2])
    )

    panels.get_by_role("tab", name="Compare").click()
    panels.locator("[data-source=starter]").click()
    expect(panels.locator(".ck-clash")).to_have_count(1)
    missing = panels.locator(".ck-side-missing li")
    expect(missing).to_have_count(3)
    sentence = missing.first.locator("span").inner_text()
    assert sentence not in sentences(editor)
    missing.first.get_by_role("button").click()
    expect(missing).to_have_count(2)
    cell.around.says(lambda: sentence in sentences(editor), True)

    panels.get_by_role("tab", name="Replay").click()
    expect(panels.locator(".ck-told")).to_contain_text(f"linked: {sentence}")
    panels.get_by_role("button", name="One step back").click()
    expect(panels.locator(".ck-told")).not_to_contain_text(sentence)

    panels.get_by_role("tab", name="Merge a class").click()
    files = []
    for number in (2, 3, 4):
        files.append(tmp_path / f"pupil{number}.json")
        files[-1].write_text(write_map(pupils(number), "json"), encoding="utf-8")
    (broken := tmp_path / "broken.json").write_text("{", encoding="utf-8")
    merged = panels.locator(".ck-panel-merge")
    merged.locator("input[type=file]").set_input_files([*files, broken])
    expect(merged).to_contain_text("3 maps merged. broken.json")
    expect(merged.locator(".ck-clash")).to_have_count(1)
    expect(merged.locator(".ck-weight").first).to_have_text("2 of 3")
    with page.expect_download() as found:
        merged.get_by_role("button", name="GraphML").click()
    assert found.value.suggested_filename.endswith("-class.graphml")
    found.value.save_as(tmp_path / "class.graphml")
    assert len(
        read_map((tmp_path / "class.graphml").read_bytes(), "class.graphml").relations
    ) > len(pupils(2).relations)

    page.evaluate(
        "document.querySelectorAll('.ck-panel').forEach((each) => { each.hidden = false; })"
    )  # all at once
    assert overflow(page) <= 0
    small = """(all) => all.filter((each) => parseFloat(getComputedStyle(each).fontSize) < 14
      && [...each.childNodes].some((part) => part.nodeType === 3 && part.data.trim())).map((each) => each.outerHTML)"""
    assert page.locator(".ck-map :not(svg *)").evaluate_all(small) == []
    assert (
        smaller_than(44, panels.locator("button.ck-button, .ck-tab, summary, label.ck-button"))
        == []
    )
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert severe(page) == [], scheme


def test_a_map_is_saved_as_a_file_and_comes_back_and_a_broken_file_changes_nothing(
    cell, page: Page, tmp_path: Path
):
    editor = cell(pupils(4))
    before = editor.map
    page.locator("[data-tool=more]").click()
    page.get_by_role("tab", name="Files").click()
    panel = page.locator(".ck-panel-files")
    for form in ("JSON", "GraphML", "CSV table"):
        with page.expect_download() as found:
            panel.get_by_role("button", name=form, exact=True).click()
        path = tmp_path / found.value.suggested_filename
        found.value.save_as(path)
        editor.put(MindMap("another").graph())
        panel.locator("input[type=file]").set_input_files(path)
        cell.around.says(
            lambda: editor.map == before, True
        )  # what is told stands there from the form before
        expect(panel).to_contain_text("undo brings back the one before")
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"nodes": [{}], "edges": []}), encoding="utf-8")
    panel.locator("input[type=file]").set_input_files(broken)
    expect(panel).to_contain_text("Your map has not changed.")
    assert editor.map == before
