"""Notebooks written for a test, and what can be wrong with any page."""

import json
from pathlib import Path

import nbformat
from axe_playwright_python.sync_playwright import Axe
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Locator, Page, expect


def write(path: Path, *cells: str, **about: object) -> None:
    """Write a notebook for the kit; cells that start with ``#`` and a space are text, *about* is
    what it says of itself.
    """
    made = [
        new_markdown_cell(each) if each.startswith("# ") else new_code_cell(each) for each in cells
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(
        new_notebook(cells=made, metadata={"kernelspec": kernel, "coursekit": {}, **about}), path
    )


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
"""Waits until what follows the size of the window, or comes into sight, has done so."""


def at_size(page: Page, size: dict[str, int]) -> None:
    """Look at *page* in a window of that size."""
    page.set_viewport_size(size)
    page.evaluate(DRAWN)


def severe(page: Page) -> list[str]:
    """Return what axe-core calls serious or critical, once nothing is computed: a result that will
    go is pale.
    """
    page.evaluate(DRAWN)  # by then a cell that has come into sight has asked for its result
    expect(page.locator(".ck-explore.ck-busy")).to_have_count(0)
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']}: {json.dumps([node['html'] for node in each['nodes']])}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


def smaller_than(pixels: float, buttons: Locator) -> list[str]:
    """Return which of *buttons* can be seen and are narrower or lower than that, but for a
    rounding.

    A box to tick is as large as the label around it.
    """
    return buttons.evaluate_all(
        """(all, pixels) => all.flatMap((each) => {
          const touched = ["checkbox", "radio"].includes(each.type) ? each.closest("label") ?? each : each;
          const { width, height } = touched.getBoundingClientRect();
          const seen = each.checkVisibility({ visibilityProperty: true }) && width && height;
          return seen && Math.min(width, height) < pixels - 0.5 ? [`${each.outerHTML} ${width} x ${height}`] : [];
        })""",
        pixels,
    )


def clipped(parts: Locator) -> list[str]:
    """Return which texts of *parts* end behind the edge of a box that cuts or scrolls."""
    return parts.evaluate_all(
        """all => all.flatMap((part) => {
          const text = document.createRange();
          text.selectNodeContents(part);
          const right = Math.max(0, ...[...text.getClientRects()].map((box) => box.right));
          for (let around = part; around; around = around.parentElement) {
            const edge = around.getBoundingClientRect().right;
            const cuts = getComputedStyle(around).overflowX !== "visible";
            if (cuts && right > edge + 0.5)
              return [`${part.textContent} ends ${right - edge} px behind ${around.className}`];
          }
          return right > innerWidth ? [`${part.textContent} is beyond the window`] : [];
        })"""
    )
