// The mind-map editor without a browser: what an edit does before the kernel answers, ids, geometry, keys and typing.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";

const ask =
  "import sys; from coursekit.maps.static_files import one_file; sys.stdout.buffer.write(one_file('js').encode())";
const code = execFileSync(process.env.PYTHON ?? "python", ["-c", ask], {
  encoding: "utf8",
  maxBuffer: 1e8,
});
const names =
  "newEditor, applyEdits, joinParts, relationWords, breakLines, neighbour, curveOf, pointOn, leaves, overlap, fanOffsets, roomFor, onEnter, el, nodeLink, questionField";
const parts = code.replace("export default { render };", `export { ${names} };`);
const kit = await import(`data:text/javascript,${encodeURIComponent(parts)}`);

const concept = (label, at = [500, 500]) => ({
  label,
  kind: "",
  note: "",
  card: "",
  source: "",
  at,
});
const MAP = {
  type: "map",
  head: { focus: "Why?", top: "c1" },
  concepts: { c1: concept("Use"), c2: concept("Vandalism") },
  relations: {},
  tree: { top: "c1", level: {}, above: {}, hangs_on: {}, cross_links: [] },
  can: { undo: false, redo: false },
  saved: "",
  notice: "",
};
const settled = async () => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};

let model;
let editor;

beforeEach(() => {
  page();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  model = new Model({ words: {}, key: "g/m", language: "en", kinds: [], cards: [] });
  editor = kit.newEditor(model);
  editor.begin();
  model.hear(MAP);
});
const sent = () => model.sent.at(-1);

test("what is drawn shows at once, and later edits name it by the id that the kernel gave", async () => {
  editor.edit([
    ["add", { label: "Talk", at: [1, 2] }],
    ["link", "c1", "needs", "+0", {}],
  ]);
  const [made, relation] = [
    [...editor.map.concepts.keys()].at(-1),
    [...editor.map.relations.keys()].at(-1),
  ];
  assert.equal(editor.map.relations.get(relation).end, made);
  editor.select(made);
  editor.edit([["move", { [made]: [7, 8] }]]);
  assert.deepEqual(editor.map.concepts.get(made).at, [7, 8]);
  assert.equal(
    model.sent.filter(({ type }) => type === "edit").length,
    1,
    "the second edit waits for the first answer",
  );
  const { n } = sent();
  model.hear({
    type: "changed",
    n,
    made: ["c9", "r10"],
    changes: {
      c9: concept("Talk", [1, 2]),
      r10: { start: "c1", phrase: "needs", end: "c9", kind: "", note: "" },
    },
  });
  await settled();
  assert.equal(editor.selected, "c9");
  assert.deepEqual(sent().do, [["move", { c9: [7, 8] }]]);
  assert.deepEqual(editor.map.concepts.get("c9").at, [7, 8]);
});

test("a question that is being typed outlasts a change of the map", () => {
  const question = kit.questionField(editor);
  const field = question.root.querySelector("textarea");
  question.show();
  assert.equal(field.value, "Why?");
  field.focus();
  field.value = "Why does it";
  question.show();
  assert.equal(field.value, "Why does it");
  document.activeElement = document.body;
  question.show();
  assert.equal(field.value, "Why?");
});

test("an edit that changes nothing is not said to be saved for ever", async () => {
  editor.edit([["change", "c1", { label: "Use" }]]);
  assert.ok(editor.status.saving);
  model.hear({ type: "changed", n: sent().n, made: [], changes: {}, saving: false });
  await settled();
  assert.ok(!editor.status.saving);
  editor.edit([["change", "c1", { label: "Uses" }]]);
  model.hear({
    type: "changed",
    n: sent().n,
    made: [],
    changes: { c1: concept("Uses") },
    saving: true,
  });
  await settled();
  assert.ok(editor.status.saving);
});

test("what the kernel refuses is as it was before, and its sentence is told", async () => {
  const told = [];
  editor.tell = (text) => text && told.push(text);
  const answer = editor.edit([["change", "c1", { label: "Vandalism" }]]);
  assert.equal(editor.labelOf("c1"), "Vandalism");
  model.hear({ type: "refused", n: sent().n, text: "There is one already.", about: "c1" });
  assert.equal((await answer).type, "refused");
  assert.equal(editor.labelOf("c1"), "Use");
  assert.deepEqual(told, ["There is one already."]);
});

test("what the kernel has not answered is kept in the browser until it is saved, and offered to the next page", async () => {
  editor.edit([["remove", ["c1"]]]);
  mock.timers.tick(6001);
  assert.ok(editor.status.offline);
  const later = new Model(model.traits);
  const next = kit.newEditor(later);
  next.begin();
  later.hear(MAP);
  assert.deepEqual(Object.keys(next.offer.map.concepts), ["c2"]);
  next.take(true);
  const { content, type } = later.sent.at(-1);
  assert.equal(type, "load");
  assert.deepEqual(
    JSON.parse(Buffer.from(content, "base64").toString()).nodes.map(({ id, at }) => [id, at]),
    [["c2", "500 500"]],
  );
  later.hear({ ...MAP, n: later.sent.at(-1).n, concepts: { c2: concept("Vandalism") } });
  await settled();
  later.hear({ type: "saved", saved: "2026-01-01T00:00:00+00:00" });
  mock.timers.tick(1);
  assert.equal(localStorage.length, 0);
});

test("what the kernel has, under the names it gave, is not offered to the next page, even if it was not seen to be saved", async () => {
  editor.edit([
    ["add", { label: "Talk", at: [1, 2] }],
    ["link", "c1", "needs", "+0", {}],
  ]);
  const next = () => {
    const later = new Model(model.traits);
    const page = kit.newEditor(later);
    page.begin();
    later.hear({
      ...MAP,
      concepts: { ...MAP.concepts, c9: concept("Talk", [1, 2]) },
      relations: { r10: { start: "c1", phrase: "needs", end: "c9", kind: "", note: "" } },
    });
    return page;
  };
  assert.equal(next().offer, null);
  assert.equal(localStorage.length, 0);
  editor.edit([["add", { label: "Vandalism" }]]);
  for (const text of ["The first.", "There is one already."]) {
    model.hear({ type: "refused", n: sent().n, text, about: null });
    await settled();
  }
  assert.equal(
    Object.keys(JSON.parse(localStorage.getItem("coursekit/map/g/m")).map.concepts).length,
    2,
    "what was refused is not kept",
  );
});

test("a kernel that is gone is noticed where the page refuses to send, and one that is there saves when the cell goes", () => {
  editor.leave();
  assert.equal(sent().type, "leave");
  model.send = () => {
    throw new Error("closed");
  };
  editor.edit([["remove", ["c1"]]]);
  mock.timers.tick(6001);
  assert.ok(editor.status.offline);
});

test("taking a concept away takes its relations along", () => {
  const map = {
    head: { focus: "", top: "a" },
    concepts: new Map([
      ["a", concept("A")],
      ["b", concept("B")],
    ]),
    relations: new Map([["r", { start: "a", phrase: "", end: "b" }]]),
  };
  const after = kit.applyEdits(map, [["remove", ["a"]]], 1);
  assert.deepEqual(
    [[...after.concepts.keys()], after.relations.size, after.head.top],
    [["b"], 0, ""],
  );
  assert.equal(map.relations.size, 1, "the map before it stays as it was");
});

test("sentences have a space except between Chinese and Chinese", () => {
  assert.equal(kit.joinParts(["破壞", "擋住", "使用"]), "破壞擋住使用");
  assert.equal(kit.joinParts(["Wikipedia", "屬於", "維基媒體"]), "Wikipedia 屬於維基媒體");
  assert.equal(kit.relationWords("圓的", "只要是…就是", "會滾的"), "只要是圓的就是會滾的");
  assert.equal(kit.relationWords("lemons", "if … then", "sour"), "if lemons then sour");
  for (const phrase of ["…", "so …", "… so", ""])
    assert.equal(kit.relationWords("a", phrase, "b"), `a ${phrase || "–"} b`);
});

test("labels break between Chinese characters, not before a mark, and never in a short word", () => {
  const width = (words) => [...words].length;
  assert.deepEqual(kit.breakLines("中華民國憲法保障言論，自由", 9, width).join("").length, 13);
  assert.ok(kit.breakLines("一二三四，五六七八", 4, width).every((line) => !line.startsWith("，")));
  assert.deepEqual(kit.breakLines("reliable sources", 10, width), ["reliable", "sources"]);
  assert.deepEqual(kit.breakLines("一二三四五六七八九十", 2, width, 3).length, 3);
  assert.ok(kit.breakLines("一二三四五六七八九十", 2, width, 3).at(-1).endsWith("…"));
});

test("an arrow key goes to the nearest card in its direction", () => {
  const boxes = new Map([
    ["o", { x: 0, y: 0 }],
    ["near", { x: 100, y: 30 }],
    ["far", { x: 300, y: 0 }],
    ["up", { x: 10, y: -200 }],
  ]);
  assert.equal(kit.neighbour(boxes, "o", [1, 0]), "near");
  assert.equal(kit.neighbour(boxes, "o", [0, -1]), "up");
  assert.equal(kit.neighbour(boxes, "o", [-1, 0]), "");
});

test("a line begins and ends at the edge of its cards, and bends to one side", () => {
  const [one, two] = [
    { x: 0, y: 0, w: 40, h: 20 },
    { x: 200, y: 0, w: 60, h: 20 },
  ];
  const curve = kit.curveOf(one, two, 0);
  assert.ok(Math.abs(kit.pointOn(curve, kit.leaves(curve, one, false))[0] - 20) < 0.1);
  assert.ok(Math.abs(kit.pointOn(curve, kit.leaves(curve, two, true))[0] - 170) < 0.1);
  assert.ok(Math.abs(kit.pointOn(kit.curveOf(one, two, 30), 0.5)[1]) > 29.9);
  assert.deepEqual(kit.fanOffsets(3, 10), [-10, 0, 10]);
});

test("a sheet is larger than the screen if cards would lie on each other", () => {
  const box = (x, y) => ({ w: 100, h: 40, at: [x, y] });
  assert.equal(kit.roomFor([box(100, 100), box(900, 900)], [], [800, 600]), 1);
  assert.ok(kit.roomFor([box(500, 500), box(540, 500)], [], [800, 600]) > 3);
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
