"""What a cell looks like where it stands, against its copy on an empty page."""

from collections.abc import Iterable

from playwright.sync_api import Locator
from webpage import DRAWN

DIFFERENCES = """async (root, css) => {
  const frame = Object.assign(document.createElement("iframe"), {
    style: "position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0; opacity: 0; pointer-events: none",
  });
  document.body.append(frame);
  const there = frame.contentDocument;
  there.write(`<!doctype html><html lang="${document.documentElement.lang}"><body style="margin: 0">`);
  there.close();
  there.body.dataset.jpThemeLight = document.body.dataset.jpThemeLight;
  there.head.append(...css.map((each) => Object.assign(there.createElement("style"), { textContent: each })));
  for (const name of ["--ck-step--1", "--ck-step-0", "--ck-step-1", "--ck-step-2", "--ck-measure", "--ck-wide"]) // a page may size its letters
    there.documentElement.style.setProperty(name, getComputedStyle(root).getPropertyValue(name));
  const room = there.createElement("div");
  const { paddingLeft, paddingRight } = getComputedStyle(root.parentElement);
  const wide = root.parentElement.getBoundingClientRect().width - parseFloat(paddingLeft) - parseFloat(paddingRight);
  room.style = `display: flow-root; width: ${wide}px`;
  const alone = root.cloneNode(true);
  room.append(alone);
  there.body.append(room);
  const here = [root, ...root.querySelectorAll("*")];
  const copies = [alone, ...alone.querySelectorAll("*")];
  const state = ["checked", "value", "selectedIndex", "scrollTop", "scrollLeft"];
  here.forEach((each, at) => state
    .filter((name) => name in each && each.type !== "file" && each.localName !== "progress" && each.localName !== "li")
    .forEach((name) => { copies[at][name] = each[name]; }));
  await Promise.all([...there.images].map((image) => image.decode()));
  for (const animation of [...document.getAnimations(), ...there.getAnimations()]) animation.cancel();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  if (here.some((each) => !each.isConnected)) { // drawn anew meanwhile
    frame.remove();
    return null;
  }
  const placed = /^(top|right|bottom|left|inset)/; // counted from another element here than there
  const properties = [...getComputedStyle(root)].filter((each) => !each.startsWith("--") && !placed.test(each));
  const sticks = (each) => getComputedStyle(each).position === "sticky" || (each !== root && sticks(each.parentElement));
  const box = (each, top) => {
    const [mine, all] = [each.getBoundingClientRect(), top.getBoundingClientRect()];
    const sides = [mine.x - all.x, mine.y - all.y, mine.width, mine.height].map(Math.round);
    return sides[2] || sides[3] ? sides.join(" ") : "";
  };
  const named = (each) => [each.localName, ...each.classList].join(".");
  const found = here.flatMap((each, at) => ["", "::before", "::after"].flatMap((part) => {
    const [mine, its] = [getComputedStyle(each, part), frame.contentWindow.getComputedStyle(copies[at], part)];
    const boxes = [box(each, root), box(copies[at], alone)];
    const [sides, others] = boxes.map((all) => all.split(" ").map(Number));
    const alike = sides.length === others.length && sides.every((side, at) => Math.abs(side - others[at]) <= 1); // rounded
    const other = part || alike || sticks(each) ? [] : [["box", ...boxes]];
    const same = mine.cssText && mine.cssText === its.cssText; // most are, and this is told at once
    for (const property of same || (part && mine.content === "none" && its.content === "none") ? [] : properties) {
      const values = [mine.getPropertyValue(property), its.getPropertyValue(property)];
      if (values[0] !== values[1]) other.push([property, ...values]);
    }
    return other.map(([property, ...values]) => `${named(each)}${part} ${property}: ${values.join(" | alone: ")}`);
  }));
  frame.remove();
  return found;
}"""
"""A cell and its copy have the same content, width and state, so each property must be the same.

The answer is ``null`` if the cell is drawn anew meanwhile, as a hand-in is once the journal has
been saved.
"""
ONCE_MORE = 20
"""Times that such a cell is looked at."""


def differences(cell: Locator, styles: Iterable[str]) -> list[str]:
    """Return what *cell* has from the page that it stands in.

    :param styles: the kit's style sheets.
    """
    cell.page.evaluate("document.activeElement?.blur()")
    cell.page.mouse.move(1, 1)
    cell.page.evaluate(DRAWN)
    for _ in range(ONCE_MORE):
        if (found := cell.evaluate(DIFFERENCES, list(styles))) is not None:
            return list(map(str, found))
    raise AssertionError(f"the cell was drawn anew {ONCE_MORE} times while it was looked at")
