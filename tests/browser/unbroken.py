"""Where tables and titles break inside a number or a word."""

from playwright.sync_api import Locator

BROKEN = r"""(all) => {
  const found = [];
  // a number with its sign, its point and its unit; a word of letters and digits
  const number = "(?<!\\d)[±−+-]?\\d[\\d.,:/–]*[ \u00a0]?(?:%|[\u3400-\u9fff](?![\u3400-\u9fff]{3}))?";
  const word = "[\\p{Script=Latin}\\d][\\p{Script=Latin}\\d.,'’_]*";
  const parts = new RegExp(`${number}|${word}`, "gu");
  for (const each of all) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      for (const { 0: part, index } of node.data.matchAll(parts)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + part.trimEnd().length);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5);
        const lines = new Set(boxes.map((box) => Math.round(box.top / 4)));
        if (lines.size > 1) found.push(`${each.localName}: "${part}" in "${each.innerText.slice(0, 60)}"`);
      }
    }
  }
  return found;
}"""


def broken(parts: Locator) -> list[str]:
    """Return which words and numbers in *parts* do not stand on one line."""
    return list(map(str, parts.evaluate_all(BROKEN)))
