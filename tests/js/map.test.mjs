// The mind-map editor without a browser: changes, undo, and what passes between pages and the half that keeps the map.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";

const PYTHON = process.env.PYTHON ?? "python";
const python = (...args) => execFileSync(PYTHON, args, { encoding: "utf8", maxBuffer: 1e8 });
const [code, limits] = JSON.parse(
  python(
    "-c",
    `import json; from coursekit.maps.editor_setting import LIMITS
from coursekit.maps.static_files import one_file; print(json.dumps([one_file("js"), LIMITS]))`,
  ),
);
const names =
  "newEditor, mapOf, thingsOf, applyChanges, wholeChanges, differences, splitChanges, refusalOf, tidyThing, addConcept, addRelation, changeThing, removeThings, moveConcepts, newThingId, relationWords, breakLines, runsThrough, neighbour, onEnter, el";
const kit = await import(
  `data:text/javascript,${encodeURIComponent(code.replace(/export default .*;\s*$/, `export { ${names} };`))}`
);

const SEED = Number(process.env.SEED ?? 1);
const copyOf = (value) => JSON.parse(JSON.stringify(value));
const sorted = (things) =>
  Object.entries(copyOf(things)).sort(([one], [other]) => (one < other ? -1 : 1));
const shown = (map) => sorted(kit.thingsOf(map));

/** Numbers by chance, the same for the same seed. */
function dice(seed) {
  let state = seed * 2654435761;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (most) => Math.floor(next() * most),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

/** Changes of `map` by chance, as the views of a page make them; some are refused. */
function someChanges(map, chance) {
  const concepts = [...map.concepts.keys()];
  const things = [...concepts, ...map.relations.keys()];
  const word = () => chance.pick(["a", "b", "c", "d", "e", " f ", "g\u0000", "", "臺"]);
  const acts = [
    () => kit.addConcept(map, { label: word(), at: [chance.below(9), 1] }),
    () =>
      kit.addRelation(map, {
        start: chance.pick(concepts),
        phrase: word(),
        end: chance.pick(concepts),
      }),
    () => kit.changeThing(map, chance.pick(concepts), { label: word(), note: word() }),
    () => kit.removeThings(map, [chance.pick(things)]),
    () => kit.moveConcepts(map, { [chance.pick(concepts)]: [chance.next() * 99, -5] }),
    () => ({ "": { focus: word(), top: chance.pick(["", ...concepts]) } }),
  ];
  if (concepts.length < 2) return acts[0]();
  return chance.next() < 0.2 ? { ...chance.pick(acts)(), ...acts[0]() } : chance.pick(acts)();
}

/** Stands in for the half that keeps the map; messages to it and to its pages wait until they are let through. */
class Keeper {
  constructor(things = {}) {
    this.map = kit.mapOf({ "": { focus: "", top: "" }, ...things });
    this.pages = [];
  }

  page(key = "g/m", traits = {}) {
    const model = new Model({
      setting: { words: {}, language: "en", kinds: [], cards: [], limits },
      key,
      ...traits,
    });
    const page = { model, toKeeper: [], toPage: [] };
    model.send = (message) => page.toKeeper.push(copyOf(message));
    page.editor = kit.newEditor(model);
    this.pages.push(page);
    page.editor.begin();
    return page;
  }

  whole = () => ({ type: "map", things: copyOf(kit.thingsOf(this.map)), saved: "", other: "" });

  take(page) {
    const { n, type, changes } = page.toKeeper.shift();
    if (type === "open") page.toPage.push(this.whole());
    if (type !== "change") return;
    const whole = kit.wholeChanges(this.map, changes);
    if (this.refuses || kit.refusalOf(this.map, whole, limits))
      return page.toPage.push({ type: "refused", n, text: "No." });
    this.map = kit.applyChanges(this.map, whole);
    page.toPage.push({ type: "changed", n, saving: true });
    for (const other of this.pages)
      if (other !== page) other.toPage.push({ type: "changed", changes: copyOf(changes) });
  }

  async give(page, count = 1) {
    for (const message of page.toPage.splice(0, count)) page.model.hear(message);
    await settled();
  }

  async settle() {
    while (this.pages.some(({ toKeeper, toPage }) => toKeeper.length + toPage.length))
      for (const page of this.pages) {
        while (page.toKeeper.length) this.take(page);
        while (page.toPage.length) await this.give(page);
      }
  }
}

const settled = async () => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};
const concept = (label, at = [500, 500]) => ({
  label,
  kind: "",
  note: "",
  card: "",
  source: "",
  at,
});
const TWO = { c1: concept("Use"), c2: concept("Vandalism") };

let keeper;
let here;
let editor;

beforeEach(async () => {
  page();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  keeper = new Keeper(TWO);
  here = keeper.page();
  editor = here.editor;
  await keeper.settle();
});

test("a change is tidied, refused and completed as Python does it", () => {
  const rows = JSON.parse(python(`${import.meta.dirname}/draw_changes.py`, SEED, "400"));
  for (const { before, changes, after, refused, sentence } of rows) {
    const map = kit.mapOf(before);
    const tidied = Object.fromEntries(
      Object.entries(changes).map(([id, thing]) => [id, kit.tidyThing(thing)]),
    );
    const whole = kit.wholeChanges(map, tidied);
    const [why = null] = kit.refusalOf(map, whole, limits) ?? [];
    assert.equal(why === "lost_end" ? "unknown" : why, refused ?? null, JSON.stringify(changes));
    if (after) assert.deepEqual(shown(kit.applyChanges(map, whole)), sorted(after));
    const [start, phrase, end, words] = sentence;
    assert.equal(kit.relationWords(start, phrase, end), words);
  }
});

test("whatever is edited, undo leads back to the beginning and redo to the end", async () => {
  for (let seed = SEED; seed < SEED + 30; seed += 1) {
    const chance = dice(seed);
    const map = new Keeper(TWO);
    const { editor: mine } = map.page(`g/${seed}`);
    await map.settle();
    const begun = shown(mine.map);
    for (let step = 0; step < 25; step += 1) {
      const before = shown(mine.map);
      const changes = someChanges(mine.map, chance);
      const wrong = mine.edit(changes, mine.can.undo && chance.next() < 0.2);
      if (wrong) assert.deepEqual(shown(mine.map), before, "what is refused changes nothing");
      if (chance.next() < 0.2) await map.settle();
    }
    const end = shown(mine.map);
    while (mine.undo());
    assert.deepEqual(shown(mine.map), begun, `seed ${seed}`);
    assert.ok(!mine.can.undo);
    while (mine.redo());
    assert.deepEqual(shown(mine.map), end, `seed ${seed}`);
    await map.settle();
    assert.deepEqual(shown(map.map), end, "and the other half has it");
  }
});

test("two pages of one map come to show the same, in whatever order their messages travel", async () => {
  for (let seed = SEED; seed < SEED + 40; seed += 1) {
    const chance = dice(seed);
    const map = new Keeper(TWO);
    const pages = [map.page(`g/${seed}`), map.page(`g/${seed}`)];
    for (let step = 0; step < 60; step += 1) {
      const one = chance.pick(pages);
      const act = chance.below(5);
      if (act === 0 && one.toKeeper.length) map.take(one);
      else if (act === 1) await map.give(one, chance.below(4));
      else if (act === 2) one.editor[chance.pick(["undo", "redo"])]();
      else one.editor.edit(someChanges(one.editor.map, chance));
      if (chance.next() < 0.03) {
        const changes = kit.addConcept(map.map, { label: `put ${step}` });
        map.map = kit.applyChanges(map.map, changes);
        for (const each of pages) each.toPage.push(map.whole());
      }
    }
    await map.settle();
    for (const one of pages)
      assert.deepEqual(shown(one.editor.map), shown(map.map), `seed ${seed}`);
    assert.equal(kit.refusalOf(map.map, kit.thingsOf(map.map), limits), null);
  }
});

test("a refused change comes back, is told, is no step to undo, and takes nothing along", async () => {
  const told = [];
  editor.tell = (text) => text && told.push(text);
  editor.edit(kit.changeThing(editor.map, "c1", { label: "Talk" }));
  editor.edit(kit.changeThing(editor.map, "c2", { note: "meant well" }));
  keeper.refuses = true;
  keeper.take(here);
  keeper.refuses = false;
  await keeper.settle();
  assert.deepEqual(told, ["No."]);
  assert.equal(editor.labelOf("c1"), "Use");
  assert.equal(editor.map.concepts.get("c2").note, "meant well");
  assert.deepEqual(shown(keeper.map), shown(editor.map));
  while (editor.undo()) await keeper.settle();
  assert.deepEqual(shown(editor.map), shown(kit.mapOf({ "": { focus: "", top: "" }, ...TWO })));
});

test("ids of two pages never meet", () => {
  const ids = new Set();
  for (let number = 0; number < 400; number += 1) {
    const id = kit.newThingId(kit.mapOf(TWO), "c");
    assert.match(id, /^c3-\w{4}$/);
    ids.add(id);
  }
  assert.ok(ids.size > 395, `${ids.size} of 400`);
  assert.match(
    kit.newThingId(kit.mapOf({ "r17-abcd": { start: "c1" }, c999999999999: {} }), "r"),
    /^r18-/,
  );
});

test("large changes travel in parts that each leave a proper map", () => {
  for (let seed = SEED; seed < SEED + 30; seed += 1) {
    const chance = dice(seed);
    let [map, goal] = [kit.mapOf(TWO), kit.mapOf(TWO)];
    for (let step = 0; step < 20; step += 1) {
      const whole = kit.wholeChanges(goal, someChanges(goal, chance));
      if (!kit.refusalOf(goal, whole, limits)) goal = kit.applyChanges(goal, whole);
    }
    for (const part of kit.splitChanges(kit.differences(map, goal), 60 + chance.below(300))) {
      const whole = kit.wholeChanges(map, part);
      assert.equal(kit.refusalOf(map, whole, limits), null, `seed ${seed}`);
      map = kit.applyChanges(map, whole);
    }
    assert.deepEqual(shown(map), shown(goal));
  }
});

test("what nobody has saved is kept in the browser and offered to the next page", async () => {
  editor.edit(kit.removeThings(editor.map, ["c1"]));
  editor.edit(kit.addConcept(editor.map, { label: "Hope", at: [1, 2] }));
  mock.timers.tick(6001);
  assert.ok(editor.status.offline);
  const next = new Keeper(TWO);
  const later = next.page();
  later.editor.edit(kit.addConcept(later.editor.map, { label: "Early" })); // before it has the map
  await next.settle();
  assert.deepEqual([...later.editor.map.concepts.values()].map(({ label }) => label).sort(), [
    "Early",
    "Use",
    "Vandalism",
  ]);
  later.editor.take(true);
  await next.settle();
  assert.deepEqual([...next.map.concepts.values()].map(({ label }) => label).sort(), [
    "Hope",
    "Vandalism",
  ]);
  later.editor.undo();
  assert.equal(later.editor.map.concepts.size, 3, "it can be undone");
  await next.settle();
  later.model.hear({ type: "saved", saved: "2026-01-01T00:00:00+00:00", other: "" });
  assert.equal(localStorage.length, 0);
  assert.equal(next.page().editor.offer, null);
});

test("an offer that is not wanted does not come again, and none is made of what the other half has", async () => {
  editor.edit(kit.addConcept(editor.map, { label: "Hope" }));
  await keeper.settle(); // but it does not say that this is saved
  const same = keeper.page();
  await keeper.settle();
  assert.equal(same.editor.offer, null);
  editor.edit(kit.addConcept(editor.map, { label: "Faith" }));
  for (const isFirst of [true, false]) {
    const next = new Keeper(TWO);
    const { editor: other } = next.page();
    await next.settle();
    assert.equal(Boolean(other.offer), isFirst);
    other.take(false);
  }
});

test("a half that does not answer is noticed after six seconds, whatever else is asked, and gets all when it is back", async () => {
  editor.edit(kit.addConcept(editor.map, { label: "Hope" }));
  for (let second = 0; second < 6; second += 1) {
    mock.timers.tick(999);
    editor.ask({ type: "study" });
    editor.edit(kit.addConcept(editor.map, { label: `Hope ${second}` }));
  }
  assert.ok(!editor.status.offline);
  mock.timers.tick(10);
  assert.ok(editor.status.offline);
  here.toKeeper.length = 0; // lost
  const { send } = here.model;
  here.model.send = () => {
    throw new Error("closed");
  };
  editor.edit(kit.changeThing(editor.map, "c2", { note: "meant well" }));
  here.model.send = send;
  editor.edit(kit.removeThings(editor.map, ["c1"]));
  await keeper.settle();
  assert.ok(!editor.status.offline);
  assert.deepEqual(shown(keeper.map), shown(editor.map));
  assert.equal(keeper.map.concepts.size, 8);
  mock.timers.tick(6001);
  assert.ok(!editor.status.offline, "nothing is asked any more");
});

test("labels break into whole pieces, not before a mark, and in a word only if it is too long", () => {
  const width = (words) => [...words].length;
  assert.deepEqual(kit.breakLines("reliable sources", 10, width), ["reliable", "sources"]);
  const chance = dice(SEED);
  for (let turn = 0; turn < 300; turn += 1) {
    const label = Array.from({ length: 1 + chance.below(40) }, () =>
      chance.pick([..."臺破壞，。ab ", "word ", "\u{1f9f6}"]),
    )
      .join("")
      .replace(/\s+/g, " ")
      .trim();
    const most = 4 + chance.below(9);
    const lines = kit.breakLines(label, most, width);
    const packed = (words) => words.replace(/ /g, "");
    assert.equal(packed(lines.join("")), packed(label));
    for (const [at, line] of lines.entries()) {
      assert.ok(!at || !/^[，。]/.test(line), label);
      assert.ok(width(line.replace(/[ ，。]+$/, "")) <= most, `${most}: ${lines.join("|")}`);
    }
  }
});

test("a line runs through a box only if they have a point in common", () => {
  const box = { x: 100, y: 0, w: 40, h: 20 };
  const at = (x, y) => ({ x, y });
  assert.ok(kit.runsThrough(at(0, 0), at(200, 0), box));
  assert.ok(kit.runsThrough(at(100, -50), at(100, 50), box));
  assert.ok(kit.runsThrough(at(0, 0), at(100, 5), box), "also if it ends in it");
  assert.ok(!kit.runsThrough(at(0, 0), at(70, 0), box));
  assert.ok(!kit.runsThrough(at(0, 40), at(200, 15), box));
});

test("an arrow key goes to the nearest card in its direction", () => {
  const points = new Map([
    ["o", [0, 0]],
    ["near", [100, 30]],
    ["far", [300, 0]],
    ["up", [10, -200]],
  ]);
  assert.equal(kit.neighbour(points, "o", [1, 0]), "near");
  assert.equal(kit.neighbour(points, "o", [0, -1]), "up");
  assert.equal(kit.neighbour(points, "o", [-1, 0]), "");
});

test("the Enter that ends the composing of a word does nothing else", () => {
  const field = kit.el("input");
  let done = 0;
  kit.onEnter(field, () => {
    done += 1;
  });
  field.dispatch("compositionstart");
  field.dispatch("keydown", { key: "Enter" });
  field.dispatch("compositionend");
  field.dispatch("keydown", { key: "Enter", keyCode: 229 });
  field.dispatch("keydown", { key: "Enter", isComposing: true });
  assert.equal(done, 0);
  assert.ok(field.dispatch("keydown", { key: "Enter" }).prevented);
  assert.equal(done, 1);
});
