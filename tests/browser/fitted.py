"""What holds of a table that fills a height it is given: how small its text is, and where its
things lie.
"""

from typing import Any

from driver import AtTable
from playwright.sync_api import Page
from webpage import DRAWN, at_size

SMALLEST = {(1920, 1080): 20.0, (1280, 720): 14.0, (360, 640): 11.0}
"""By the size of the window: the smallest text of a fitted table, in pixels."""
TEXTS = """root => {
  const seen = (each) => {
    const shown = each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return shown && !each.closest(".ck-hidden") && getComputedStyle(each).clipPath === "none";
  };
  const found = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.data.trim() || ["STYLE", "OPTION"].includes(parent.tagName) || !seen(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    let scale = 1;
    if (parent instanceof SVGElement) {
      const matrix = parent.getScreenCTM();
      scale = Math.hypot(matrix.c, matrix.d);
    }
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    found.push({ text: node.data.trim(), size, of: parent.closest("[class]").getAttribute("class") });
  }
  return found;
}"""
OUTSIDE = """root => [...root.querySelectorAll(
    ".ck-prompt, .ck-covered, .ck-near .ck-piece, .ck-near .ck-choice, .ck-plate, .ck-pile, .ck-spot, " +
    ".ck-middle .ck-square, .ck-form-end .ck-primary")].flatMap((each) => {
  const { left, top, right, bottom, width } = each.getBoundingClientRect();
  const out = width && (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
  return out && !each.closest(".ck-far") ? [`${each.className} ${[left, top, right, bottom].map(Math.round)}`] : [];
})"""
UNTOUCHABLE = """root => [...root.querySelectorAll(
    ".ck-near .ck-choice, .ck-covered button, .ck-prompt > .ck-button, .ck-sheet button, .ck-hand .ck-piece")
].flatMap((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  if (!width) return [];
  const few = each.parentElement.childElementCount <= 8;
  if (each.matches(".ck-piece")) return few && each.offsetWidth < 40 ? [`${each.dataset.piece} is ${width} wide`] : [];
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return each.contains(hit) ? [] : [`${each.className} lies under ${hit?.outerHTML.slice(0, 80)}`];
})"""
"""What a finger cannot press: buttons of which the middle is covered, and cards in a hand of a few
that are narrow.
"""
BOXES = """root => Object.fromEntries([...root.querySelectorAll(
    ".ck-plate, .ck-pile, .ck-zone-pile > .ck-note, .ck-middle .ck-square, .ck-dice, .ck-spot")].map((each, at) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  const kind = each.className.split(" ")[0];
  const box = { "ck-note": [left + width / 2, top], "ck-spot": [left, top, width] }[kind] ?? [left, top, width, height];
  return [`${kind} ${each.dataset.seat ?? at}`, box];
}))"""


def give_room(page: Page, room: str = "100dvh") -> None:
    """Give all tables of *page* that height, as the step does in which they are played."""
    page.evaluate(
        """room => {
          document.querySelector("h1")?.remove();
          document.body.style.margin = "0";
          document.body.style.setProperty("--ck-room", room);
        }""",
        room,
    )
    page.set_viewport_size({name: each - 1 for name, each in (page.viewport_size or {}).items()})


def texts(table: AtTable) -> list[dict[str, Any]]:
    """Return every text that can be seen on *table*, in HTML and drawings, with its size in pixels."""
    return table.root.evaluate(TEXTS)


def too_small(table: AtTable) -> dict[str, list[str]]:
    """Return what cannot be read or pressed, by window: look at all of :data:`SMALLEST`."""
    found = {}
    for (width, height), least in SMALLEST.items():
        at_size(table.page, {"width": width, "height": height})
        small = [
            f"{each['size']:.1f} {each['text']!r} {each['of']}"
            for each in texts(table)
            if each["size"] < least
        ]
        small += table.root.evaluate(OUTSIDE) + table.root.evaluate(UNTOUCHABLE)
        if table.page.evaluate("document.documentElement.scrollHeight > innerHeight + 1"):
            small.append("the page scrolls")
        if small:
            found[f"{width} x {height}"] = small
    return found


def boxes(table: AtTable) -> dict[str, list[float]]:
    """Return where seats, piles and places for cards lie."""
    table.page.evaluate(DRAWN)
    return table.root.evaluate(BOXES)


def moved(before: dict[str, list[float]], after: dict[str, list[float]]) -> list[str]:
    """Return what does not lie where it lay, within a pixel."""
    return [
        f"{name}: {at} -> {after.get(name)}"
        for name, at in before.items()
        if name not in after
        or any(abs(one - two) > 1 for one, two in zip(at, after[name], strict=True))
    ]
