// The mind map as a list, and the panels beside it, with a kernel that answers what a test gives it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";

const ask = `
import json, sys
from coursekit.maps.static_files import one_file
from coursekit.words.texts import load_texts
words = {id.removeprefix("map.").removeprefix("ui."): words["en"] for id, words in load_texts().items() if id.startswith("map.")}
sys.stdout.buffer.write(json.dumps({"code": one_file("js"), "words": words}).encode())`;
const { code, words } = JSON.parse(
  execFileSync(process.env.PYTHON ?? "python", ["-c", ask], { encoding: "utf8", maxBuffer: 1e8 }),
);
const parts = code
  .replace(/export default [^;]*;/, "export { newEditor, outline, panels, partsOf, mapOf };")
  .replace(
    "function showMap(",
    "const showMap = (...given) => globalThis.shownMap(...given);\nfunction drawnMap(",
  );
const { newEditor, outline, panels, partsOf, mapOf } = await import(
  `data:text/javascript,${encodeURIComponent(parts)}`
);

const concept = (label, more = {}) => ({
  label,
  kind: "",
  note: "",
  card: "",
  source: "",
  at: [500, 500],
  ...more,
});
const relation = (start, phrase, end, kind = "") => ({ start, phrase, end, kind, note: "" });
const THINGS = {
  "": { focus: "Why?", top: "c1" },
  c1: concept("Use"),
  c2: concept("Vandalism"),
  c3: concept("Wikipedia"),
  c4: concept("alone"),
  r5: relation("c2", "blocks", "c1", "blocks"),
  r6: relation("c1", "needs", "c3", "needs"),
  r7: relation("c2", "spoils", "c3"),
};
const MAP = { type: "map", things: THINGS, saved: "", other: "", notice: "", maps: [] };
const ALL = ["look", "compare", "merge", "files"];

let body;
let model;
let editor;
let kernel; // by type of message: the answer
let leave;
let drawn; // what was drawn of a class: [things, weights]

beforeEach(() => {
  body = page();
  globalThis.IntersectionObserver = class {
    constructor(tell) {
      this.tell = tell;
    }
    observe() {
      this.tell([{ isIntersecting: true }]);
    }
    disconnect() {}
  };
  globalThis.shownMap = () => ({ show: (...what) => drawn.push(what), close() {} });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  kernel = { open: MAP, study: studied(), change: { type: "changed", saving: false } };
  drawn = [];
});
afterEach(() => {
  leave();
  mock.timers.reset();
});

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** Mount one of the two views; the kernel answers at once, unless a test has nothing for it. */
async function mount(view, more = {}) {
  const limits = { label: 80, note: 2000, concepts: 200, relations: 1000, file: 5_000_000 };
  const setting = { words, language: "en", kinds: [], cards: [], topics: [], limits };
  model = new Model({ key: "g/m", panels: ALL, setting: { ...setting, starter: true, ...more } });
  const { send } = model;
  model.send = (message) => {
    send.call(model, message);
    if (kernel[message.type]) model.hear({ ...kernel[message.type], n: message.n });
  };
  editor = newEditor(model);
  const { root, leave: end } = view(editor);
  leave = end;
  body.append(root);
  editor.begin();
  await settled();
  return root;
}

const sent = (type) => model.sent.filter((message) => message.type === type);
const line = (key) => body.querySelector(`.ck-line[data-key="${key}"]`);
const read = (element) => element.textContent.replaceAll("→", "").replace(/\s+/g, " ").trim();
const press = (text, inside = body) =>
  inside.querySelectorAll("button").find((element) => read(element) === text);
const show = async (name) => {
  body.querySelector(`[data-tab="${name}"]`).click();
  await settled();
  return body.querySelector(`.ck-panel-${name}`);
};

function type(box, text) {
  box.value = text;
  box.dispatch("input");
}

// ---- The list

test("every line reads as a sentence in its own direction; what hangs on nothing stands apart; cross-links at both ends", async () => {
  await mount(outline);
  assert.equal(read(line("c1")), "Use");
  assert.equal(read(line("c2")), "Vandalism blocks Use");
  assert.equal(read(line("c3")), "Use needs Wikipedia");
  assert.equal(read(line("r7@c2")), "also: Vandalism spoils Wikipedia");
  assert.equal(read(line("r7@c3")), "also: Vandalism spoils Wikipedia");
  const [tree, loose] = body.querySelectorAll(".ck-tree");
  assert.ok(tree.contains(line("r7@c3")) && loose.contains(line("c4")));
  assert.ok(line("c2").parent.contains(line("r7@c2")), "it stands below its concept");
});

test("arrows walk through the list, and just one line is a stop", async () => {
  await mount(outline);
  const key = (name) => document.activeElement.dispatch("keydown", { key: name });
  line("c1").focus();
  for (const [name, at] of [
    ["ArrowDown", "c2"],
    ["ArrowRight", "r7@c2"],
    ["ArrowLeft", "c2"],
    ["ArrowLeft", "c1"],
    ["End", "c4"],
  ]) {
    key(name);
    assert.equal(document.activeElement, line(at), name);
  }
  assert.ok(!key("Tab").prevented);
  assert.deepEqual(body.querySelectorAll(".ck-line[tabindex='0']"), [line("c4")]);
});

// ---- The panels

const studied = (verdicts = {}) => ({ type: "studied", verdicts, structure: 17, valid: 6 });

test("there are the panels that the page asks for", async () => {
  await mount((given) => {
    given.model.traits.panels = ["compare", "files"];
    return panels(given);
  });
  assert.deepEqual(
    body.querySelectorAll(".ck-tab").map((tab) => tab.getAttribute("data-tab")),
    ["compare", "files"],
  );
});

test("a judgement has a judge, who can take it back; others stand beside it, and points come only after people", async () => {
  await mount(panels);
  const panel = body.querySelector(".ck-panel-look");
  const buttons = () => panel.querySelectorAll("[data-relation='r5'] .ck-say");
  assert.match(panel.querySelector(".ck-hubs").textContent, /“Use”, “Vandalism”, “Wikipedia” have/);
  assert.match(read(panel.querySelector(".ck-numbers")), /^Concepts 4.*words 0.*parts 2.*links 1/);
  assert.ok(panel.querySelector(".ck-score").hidden, "nobody has judged: no points");
  buttons()[0].click();
  assert.equal(sent("judge").length, 0);
  assert.equal(document.activeElement, panel.querySelector(".ck-box"));
  type(panel.querySelector(".ck-box"), "Whale");
  kernel.judge = studied({ Whale: { r5: "yes" }, Fox: { r5: "no" } });
  buttons()[0].click();
  await settled();
  const judged = ({ judge, relation: id, word }) => [judge, id, word];
  assert.deepEqual(sent("judge").map(judged), [["Whale", "r5", "yes"]]);
  assert.equal(buttons()[0].getAttribute("aria-pressed"), "true");
  assert.equal(panel.querySelector(".ck-others").textContent, "Fox: not right");
  assert.match(panel.querySelector(".ck-open").textContent, /^2 of 3/);
  assert.match(panel.querySelector(".ck-score").textContent, /6 points.*17.*not a grade.*Waterloo/);
  buttons()[0].click();
  assert.equal(sent("judge")[1].word, "");
  panel.querySelectorAll(".ck-sentence")[1].click();
  assert.equal(editor.selected, "r6");
});

test("a judgement that is not kept is taken back, and what is still open can be read alone", async () => {
  await mount(panels);
  const panel = body.querySelector(".ck-panel-look");
  type(panel.querySelector(".ck-box"), "Whale");
  kernel.judge = { type: "refused", text: "The journal is full." };
  const [yes] = panel.querySelectorAll("[data-relation='r5'] .ck-say");
  yes.click();
  await settled();
  assert.equal(yes.getAttribute("aria-pressed"), "false");
  assert.match(panel.textContent, /The journal is full\./);
  kernel.study = studied({ Whale: { r5: "yes", r6: "no" } });
  await show("compare");
  editor.edit({ r7: relation("c2", "ruins", "c3") });
  mock.timers.tick(600);
  await show("look");
  const only = panel.querySelector("input[type='checkbox']");
  only.checked = true;
  only.dispatch("change");
  const open = panel.querySelectorAll(".ck-judging li");
  assert.deepEqual(
    open.map((item) => item.getAttribute("data-relation")),
    ["r7"],
  );
});

test("parts are counted, whatever joins them in whatever order", () => {
  let seed = 41;
  const chance = (below) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let round = 0; round < 50; round += 1) {
    const count = 1 + chance(12);
    const ids = Array.from({ length: count }, (_, at) => `c${at}`);
    const things = Object.fromEntries(ids.map((id) => [id, concept(id)]));
    let parts = count;
    const of = Object.fromEntries(ids.map((id) => [id, id]));
    for (let at = 0; at < chance(15); at += 1) {
      const [start, end] = [ids[chance(count)], ids[chance(count)]];
      things[`r${at}`] = relation(start, `${at}`, end);
      const [kept, gone] = [of[start], of[end]];
      if (kept !== gone) parts -= 1;
      for (const id of ids) if (of[id] === gone) of[id] = kept;
    }
    assert.equal(partsOf(mapOf({ "": { focus: "", top: "" }, ...things })), parts);
  }
});

const COMPARED = {
  type: "compared",
  name: "the rules",
  shared: ["r6", "c1"],
  reworded: [{ id: "r7", other: "Vandalism ruins Wikipedia" }],
  missing: [
    {
      text: "Revision cures Vandalism",
      changes: {
        "c8-ab12": concept("Revision", { at: null }),
        "r9-cd34": relation("c8-ab12", "cures", "c2", "cures"),
      },
    },
  ],
  mine: ["c4"],
  contradictions: [{ id: "r5", other: "Vandalism causes Use", how: "opposite" }],
  perhaps_same: [["Wikipedia", "Wiki"]],
};

test("beside another map: contradictions ask for reasons, and what is missing is added in one step", async () => {
  await mount(panels);
  kernel.compare_starter = COMPARED;
  const panel = await show("compare");
  panel.querySelector("[data-source='starter']").click();
  await settled();
  assert.match(
    panel.querySelector(".ck-against").textContent,
    /Vandalism blocks Use.*causes Use.*How could you find out/,
  );
  const side = (name) => read(panel.querySelector(`.ck-side-${name}`));
  assert.match(side("shared"), /2Use needs WikipediaUse$/);
  assert.match(side("mine"), /1alone$/);
  press("Add to my map", panel).click();
  await settled();
  assert.deepEqual(sent("change")[0].changes, COMPARED.missing[0].changes);
  assert.equal(sent("compare_starter").length, 2, "it is compared again");
  kernel.same = { ...COMPARED, perhaps_same: [] };
  press("Treat as the same", panel).click();
  await settled();
  assert.deepEqual(sent("same")[0].pair, ["Wikipedia", "Wiki"]);
  assert.ok(!press("Treat as the same", panel));
  editor.undo();
  assert.ok(!editor.map.concepts.has("c8-ab12"), "one step takes it back");
});

test("what cannot be added says why", async () => {
  await mount(panels);
  const changes = { "c8-ab12": concept("Use") };
  kernel.compare_starter = { ...COMPARED, missing: [{ text: "Use", changes }] };
  const panel = await show("compare");
  panel.querySelector("[data-source='starter']").click();
  await settled();
  press("Add to my map", panel).click();
  await settled();
  assert.notEqual(panel.querySelector(".ck-bad").textContent, "");
  assert.equal(sent("change").length, 0);
});

test("the other maps of the journal are asked for when they are wanted", async () => {
  await mount(panels, { starter: false });
  kernel.maps = { type: "maps", maps: ["wizard/map"] };
  kernel.compare_map = COMPARED;
  const panel = await show("compare");
  assert.ok(!panel.querySelector("[data-source='starter']"));
  panel.querySelector("[data-source='journal']").click();
  await settled();
  press("wizard/map", panel).click();
  await settled();
  assert.equal(sent("compare_map")[0].key, "wizard/map");
});

test("what a map of the rules can be about is offered once, also where a game names the rules itself", async () => {
  for (const about of ["", "era:1"]) {
    const topics = [
      { about, label: "topic" },
      { about: "tag:red", label: "red" },
    ];
    await mount(panels, { topics });
    await show("compare");
    body.querySelector('[data-source="starter"]').click();
    const options = body.querySelectorAll(".ck-chosen-source option");
    assert.deepEqual(
      options.map((element) => element.getAttribute("value")),
      [...new Set(["", about, "tag:red"])],
    );
    leave();
    body.replaceChildren();
  }
});

const file = (name, size = 2) => ({
  name,
  size,
  arrayBuffer: async () => new TextEncoder().encode("{}").buffer,
});
const choose = async (panel, ...files) => {
  const input = panel.querySelector("input[type='file']");
  input.files = files;
  input.dispatch("change");
  await settled();
  await settled();
};

test("a class is merged: files go as base64, too large ones are refused before, broken ones are told", async () => {
  await mount(panels);
  const panel = await show("merge");
  await choose(panel, file("big.json", 6e6));
  assert.match(panel.textContent, /big\.json is too large; at most 5 MB/);
  assert.equal(sent("merge").length, 0);
  const counted = (text, weight) => ({ text, weight });
  kernel.merge = {
    type: "merged",
    maps: 8,
    broken: ["c.json is damaged."],
    propositions: [counted("Use needs Wikipedia", 6), counted("Vandalism blocks Use", 1)],
    disagreements: [[counted("Use needs Wikipedia", 6), counted("Wikipedia needs Use", 2)]],
    things: THINGS,
    weights: { c1: 8, c2: 1, c3: 6, c4: 1, r5: 1, r6: 6, r7: 1 },
  };
  await choose(panel, file("a.json"), file("b.json"), file("c.json"));
  assert.deepEqual(
    sent("merge")[0].files.map(({ name, content }) => [name, atob(content)]),
    [
      ["a.json", "{}"],
      ["b.json", "{}"],
      ["c.json", "{}"],
    ],
  );
  assert.match(panel.textContent, /8 maps merged\. c\.json is damaged\./);
  assert.match(
    panel.querySelector(".ck-against").textContent,
    /Use needs Wikipedia6 of 8Wikipedia needs Use2 of 8/,
  );
  const [[things, weights]] = drawn;
  assert.deepEqual(Object.keys(things), ["", "c1", "c3", "r6"], "what a quarter of the maps have");
  assert.deepEqual(weights, { r6: 6 / 8 });
  type(panel.querySelector("input[type='range']"), "1");
  assert.deepEqual(Object.keys(drawn.at(-1)[0]), Object.keys(THINGS));
  assert.equal(sent("merge").length, 1, "the slider asks for nothing");
  kernel.export = { type: "refused", text: "No room." };
  press("GraphML", panel).click();
  await settled();
  const [{ form, of, least }] = sent("export");
  assert.deepEqual([form, of, least], ["graphml", "class", 1]);
  assert.match(panel.textContent, /No room\./);
  const boxes = panel.querySelectorAll(".ck-form .ck-box");
  boxes.forEach((box) => type(box, " "));
  panel.querySelector(".ck-form").dispatch("submit");
  await settled();
  assert.equal(panel.querySelector(".ck-form .ck-bad").textContent, "Write both words.");
  boxes.forEach((box, at) => type(box, ["Wiki", "Wikipedia"][at]));
  panel.querySelector(".ck-form").dispatch("submit");
  await settled();
  assert.deepEqual(sent("merge")[1].same, [["Wiki", "Wikipedia"]]);
  press("Count them apart", panel).click();
  assert.deepEqual(sent("merge")[2].same, []);
});

test("a refused file gives its sentence and says that nothing is lost; a good one may come with a notice", async () => {
  await mount(panels);
  const panel = await show("files");
  kernel.load = { type: "refused", text: "a.json: this is no map." };
  await choose(panel, file("a.json"));
  assert.match(panel.textContent, /a\.json: this is no map\. Your map has not changed\./);
  kernel.load = { ...MAP, notice: "It shows the ids." };
  await choose(panel, file("b.json"));
  assert.match(panel.textContent, /undo brings back the one before\. It shows the ids\./);
});

test("the picture is made by the page", async () => {
  await mount(panels);
  const panel = await show("files");
  editor.png = () => null;
  press("PNG picture", panel).click();
  await settled();
  assert.match(panel.querySelector(".ck-bad").textContent, /not been drawn yet/);
  assert.equal(sent("export").length, 0);
});
