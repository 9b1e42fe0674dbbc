"""The panels below a mind map, in a real browser with the real widget."""

import json
from pathlib import Path

import pytest
from barecell import BareCell
from playwright.sync_api import Page, expect
from webpage import overflow, severe, smaller_than

from coursekit.journal.journal import Journal
from coursekit.maps.file_reader import read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import starter_map
from coursekit.maps.widget import MapEditor

PHONE = {"width": 360, "height": 640}


def pupils(number: int) -> MindMap:
    """Return the rules' map of Wikipedia as a pupil may draw it: some relations are missing, and one
    is turned round.
    """
    mind_map = starter_map("wikipedia", "en")
    ids = list(mind_map.relations)
    mind_map.remove(*ids[number : number + 3])
    turned = mind_map.relations[ids[12]]
    if number % 2:
        mind_map.change(ids[12], start=turned.end, end=turned.start)
    places = {key: (200 * (at % 4), 250 * (at // 4)) for at, key in enumerate(mind_map.concepts)}
    mind_map.move(places)
    return mind_map


@pytest.fixture
def cell(page: Page, tmp_path: Path) -> BareCell:
    """An editor with the map of pupil 3, its panels open."""
    journal = Journal(tmp_path / "journal.json")
    journal.save_map("wikipedia/lesson", write_map(pupils(3), "json"))
    cell = BareCell(page, MapEditor("wikipedia", "lesson", "en", journal=journal))
    page.locator("[data-tool=more]").click()
    return cell


def test_every_panel_on_a_phone(cell: BareCell, page: Page, tmp_path: Path) -> None:
    editor = cell.cell
    page.set_viewport_size(PHONE)
    panels = page.locator(".ck-panels")

    panels.get_by_label("Who judges").fill("Whale")
    panels.locator(".ck-say-yes").nth(1).click()
    panels.locator(".ck-say-no").nth(1).click()
    expect(panels.locator(".ck-says [aria-pressed=true]")).to_have_text("not right")
    expect(panels).to_contain_text("not a grade")

    def verdicts() -> list[str]:
        journal = Journal(tmp_path / "journal.json")
        judged = journal.judgements("wikipedia/lesson", editor.map.sentences)
        return list(judged.get("Whale", {}).values())

    cell.says(verdicts, ["no"])
    chosen = panels.locator(".ck-sentence").nth(2)
    chosen.click()
    expect(chosen).to_have_attribute("aria-current", "true")
    expect(page.locator(".ck-map-side")).to_contain_text(chosen.inner_text())

    panels.get_by_role("tab", name="Compare").click()
    panels.locator("[data-source=starter]").click()
    expect(panels.locator(".ck-clash")).to_have_count(1)
    missing = panels.locator(".ck-side-missing li")
    expect(missing).to_have_count(3)
    sentence = missing.first.locator("span").first.inner_text()
    assert sentence not in editor.map.sentences.values()
    missing.first.get_by_role("button").click()
    expect(missing).to_have_count(2)
    cell.says(lambda: sentence in editor.map.sentences.values(), True)

    panels.get_by_role("tab", name="Merge a class").click()
    files = []
    for number in (2, 3, 4):
        files.append(tmp_path / f"pupil{number}.json")
        files[-1].write_text(write_map(pupils(number), "json"), encoding="utf-8")
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    merged = panels.locator(".ck-panel-merge")
    merged.locator("input[type=file]").set_input_files([*files, broken])
    expect(merged).to_contain_text("3 maps merged. broken.json")
    expect(merged.locator(".ck-weight").first).to_have_text("2 of 3")
    expect(merged.locator(".ck-class-map canvas").first).to_be_visible()
    with page.expect_download() as download:
        merged.get_by_role("button", name="GraphML").click()
    content = Path(download.value.path()).read_bytes()
    assert len(read_map(content, "class.graphml").relations) > len(pupils(2).relations)

    page.evaluate(
        "document.querySelectorAll('.ck-panel').forEach((one) => { one.hidden = false; })"
    )
    assert overflow(page) <= 0
    small = """(all) => all.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 14
      && [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim())
      && one.checkVisibility()).map((one) => one.outerHTML)"""
    assert page.locator(".ck-map :not(svg *)").evaluate_all(small) == []
    assert smaller_than(44, panels.locator("button.ck-button, .ck-tab, label.ck-button")) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert severe(page) == [], scheme


def test_a_map_is_saved_as_a_file_and_comes_back_and_a_broken_file_changes_nothing(
    cell: BareCell, page: Page, tmp_path: Path
) -> None:
    editor = cell.cell
    before = editor.map
    page.get_by_role("tab", name="Files").click()
    panel = page.locator(".ck-panel-files")
    for form in ("JSON", "GraphML", "CSV table", "SVG picture", "PNG picture"):
        with page.expect_download() as download:
            panel.get_by_role("button", name=form, exact=True).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        if "picture" in form:
            start = path.read_bytes()[:200]
            assert start.startswith(b"\x89PNG") if form.startswith("PNG") else b"<svg" in start
            continue
        editor.put(MindMap("another").graph())
        cell.tell()
        panel.locator("input[type=file]").set_input_files(path)
        cell.says(lambda: editor.map.sentences, before.sentences)
        expect(panel).to_contain_text("undo brings back the one before")
    page.locator("[data-tool=undo]").click()
    cell.says(lambda: editor.map.sentences, {})
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"nodes": [{}], "edges": []}), encoding="utf-8")
    panel.locator("input[type=file]").set_input_files(broken)
    expect(panel).to_contain_text("Your map has not changed.")
    assert editor.map.sentences == {}
