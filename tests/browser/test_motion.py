"""Nothing is told before it has happened: matches are watched while something moves, in every game
with pieces.
"""

import json

import pytest
from bare import Bare
from playwright.sync_api import Page

from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade
from coursekit.games.blockade import Options as Blocked
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.strategies import HonestStudent
from coursekit.games.wizard import Options as Bidding
from coursekit.games.wizard import Wizard
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import text

WATCH = """() => {
  // Timers hardly wait, and what moves is held until the page was looked at.
  const [later, animate] = [window.setTimeout, Element.prototype.animate];
  window.setTimeout = (act, time = 0, ...more) => later(act, time < 5000 ? 1 : time, ...more);
  localStorage.setItem("coursekit:speed", "slow");
  window.seen = { early: [], ways: {}, moments: [], looks: 0 };
  let held = [];
  Element.prototype.animate = function (frames, options) {
    const motion = animate.call(this, frames, options);
    motion.pause();
    const moment = this.closest(".ck-moment, .ck-gain");
    if (moment) {
      if (held.length) seen.early.push("a moment while something moves");
      seen.moments.push(moment.className);
      return motion;
    }
    held.push({ motion, target: this });
    return motion;
  };
  const thrown = THROWN;
  const ways = {
    ".ck-ghost": "taken", ".ck-dice *": "die", ".ck-hand *": "hand", ".ck-markers *": "marker", ".ck-plate *": "plate",
  };
  const way = (target) => ways[Object.keys(ways).find((selector) => target.matches(selector))] ?? "played";
  const outside = "[data-piece], .ck-skip, .ck-ghost, .ck-moment, .ck-gain";
  const rooms = ".ck-zone, .ck-hand, .ck-row, .ck-shelves, .ck-shelf, .ck-markers, .ck-square"; // they follow pieces
  // All that is to be seen or read apart from pieces, and on the pieces what is said of them.
  const look = () => {
    const root = document.querySelector(".ck-table");
    const parts = [document.title], pieces = {};
    for (const each of root.querySelectorAll("*")) {
      const piece = each.closest("[data-piece]");
      if (piece) {
        const signs = [...piece.classList].filter((sign) => /mark|faded|legal|lit|quiet/.test(sign));
        pieces[piece.dataset.piece] = [...signs, piece.querySelector(".ck-mark")?.textContent].filter(Boolean).join();
      } else if (!each.closest(outside) && !each.matches(rooms)) {
        const own = [...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim());
        const more = ["aria-label", "title", "d", "data-value"].flatMap((name) => each.getAttribute(name) ?? []);
        const dice = each.closest(".ck-dice") ? "dice: " : "";
        parts.push(...[...own, ...more, ...each.classList].filter(Boolean).map((part) => dice + part));
      }
    }
    return { parts, pieces };
  };
  let told = null;
  const watch = () => {
    const root = document.querySelector(".ck-table");
    if (!root) return;
    const now = look();
    seen.looks += 1;
    const moving = held;
    held = [];
    if (!moving.length && !root.querySelector(".ck-ghost")) { told = now; return; }
    const kinds = new Set(moving.map(({ target }) => way(target)));
    const left = [...told.parts];
    const lies = !(moving.length && root.querySelector(".ck-dice g[class='']")); // no die tumbles
    for (const part of now.parts) {
      const at = left.indexOf(part);
      if (at >= 0) left.splice(at, 1);
      else if (part !== thrown && !(lies && part.startsWith("dice: "))) seen.early.push(part);
    }
    for (const [id, signs] of Object.entries(now.pieces)) {
      if (signs && told.pieces[id] !== signs) seen.early.push(`${id}: ${signs}`);
    }
    kinds.forEach((each) => { seen.ways[each] = (seen.ways[each] ?? 0) + 1; });
    moving.forEach(({ motion }) => motion.finish());
  };
  new MutationObserver(watch).observe(document, { subtree: true, childList: true });
}"""
PLAY = """async (ways) => {
  const pause = () => new Promise((done) => requestAnimationFrame(done));
  const at = (selector) => document.querySelector(selector);
  const enough = () => ways.every((way) => window.seen.ways[way] > 1);
  for (let step = 0; step < 4000 && !at(".ck-ended") && !enough(); step += 1) {
    await pause();
    if (window.waiting || at(".ck-skip")) continue;
    const best = [".ck-sheet .ck-choice", ".ck-near .ck-choice", ".ck-near :not(.ck-quiet)", ".ck-near "];
    best.map((each) => at(`${each}.ck-legal`)).find(Boolean)?.click();
  }
  return window.seen;
}"""

MATCHES = {
    "wizard": (
        Wizard(3, Bidding(short_game=2)),
        ["person", AtRandom, AtRandom],
        ["hand", "played", "taken"],
    ),
    "wikipedia": (Wikipedia(2), ["person", HonestStudent], ["die", "hand", "plate", "taken"]),
    "blockade": (
        Blockade(4, Blocked(eras=(1,))),
        ["person", *[AtRandom] * 3],
        ["die", "hand", "marker", "plate"],
    ),
}
"""A match of each game in which anything moves, and what: in Knit Wit nothing does, and all comes
at once.
"""


@pytest.mark.parametrize("name", MATCHES)
def test_no_word_or_picture_of_the_result_while_anything_moves(page: Page, tmp_path, name):
    game, seats, ways = MATCHES[name]
    page.add_init_script(f"({WATCH.replace('THROWN', json.dumps(text('ui.thrown', 'zh-Hant')))})()")
    Bare(page, Table(Run(game, seats, seed="motion"), store=Store(tmp_path)))
    seen = page.evaluate(PLAY, ways)
    assert seen["early"] == []
    assert set(ways) <= set(seen["ways"])
