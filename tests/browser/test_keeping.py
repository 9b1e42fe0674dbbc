"""What a page says of keeping its match: while it is not kept, when it is again, and that another
page has it.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from bare import Bare
from driver import AtTable
from playwright.sync_api import Page, expect
from webpage import overflow, severe

from coursekit.core.strategy import AtRandom
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store


def lay(page: Page, folder: Path, language: str = "zh-Hant", people: int = 1) -> AtTable:
    """Sit down at a table for three that keeps its match in *folder*."""
    seats = ["person"] * people + [AtRandom] * (3 - people)
    Bare(page, Table("wizard", seats=seats, seed="one", language=language, store=Store(folder)))
    return AtTable(page)


def kept(folder: Path) -> int:
    """Return how many actions are in the store."""
    (count,) = Store(folder).database.execute("SELECT count(*) FROM actions").fetchone()
    return int(count)


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_a_page_says_that_its_match_is_not_kept_and_that_it_is_again(
    page: Page, tmp_path: Path, size
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table = lay(page, tmp_path)
    table.decide()
    table.wait()
    unkept, there = table.root.locator(".ck-box-unkept"), kept(tmp_path)
    expect(unkept).to_have_count(0)
    with closing(sqlite3.connect(tmp_path / "matches.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            table.decide()
            table.wait()
            expect(unkept).to_contain_text("這裡玩的現在沒有存下來：檔案正被另一個程式占用。")
        assert overflow(page) == 0
        assert severe(page) == []
        with page.expect_download() as download:
            unkept.get_by_role("button", name="存檔").click()
        assert download.value.suggested_filename.startswith("coursekit-wizard-")
        assert kept(tmp_path) == there
        other.execute("ROLLBACK")
    expect(table.root.locator(".ck-box-told")).to_contain_text(
        "這裡玩的又存下來了。"
    )  # without a key pressed
    expect(unkept).to_have_count(0)
    assert kept(tmp_path) > there


def test_a_page_says_that_another_has_its_match_and_takes_it_back(
    page: Page, tmp_path: Path
) -> None:
    table = lay(page, tmp_path, "en")
    table.decide()
    table.wait()
    other = Table(
        "wizard", seats=["person", AtRandom, AtRandom], language="en", store=Store(tmp_path)
    )
    (id,) = Store(tmp_path).database.execute("SELECT id FROM matches").fetchone()
    other.receive({"type": "resume", "match_id": id})
    there = other.view["entry"]
    table.legal.first.click()
    expect(table.root.locator(".ck-box-elsewhere")).to_contain_text(
        "This match now goes on in another page."
    )
    assert kept(tmp_path) == there
    table.page.get_by_role("button", name="Go on here").click()
    expect(table.root.locator(".ck-box-elsewhere")).to_have_count(0)
    table.decide()
    table.wait()
    assert kept(tmp_path) > there
    other.receive({"type": "look"})
    assert [each["kind"] for each in other.view["boxes"]] == ["elsewhere"]
