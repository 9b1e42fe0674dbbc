// The mind map as a list, and the panels beside it, with a kernel that answers what a test gives it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";

const ask = `
import json, sys
from coursekit.maps.static_files import one_file
from coursekit.words.texts import load_texts
words = {id.removeprefix("map.").removeprefix("ui."): each["en"] for id, each in load_texts().items() if id.startswith("map.")}
sys.stdout.buffer.write(json.dumps({"code": one_file("js"), "words": words}).encode())`;
const { code, words } = JSON.parse(
  execFileSync(process.env.PYTHON ?? "python", ["-c", ask], { encoding: "utf8", maxBuffer: 1e8 }),
);
const parts = code.replace("export default { render };", "export { newEditor, outline, panels };");
const { newEditor, outline, panels } = await import(
  `data:text/javascript,${encodeURIComponent(parts)}`
);

const KINDS = [
  { name: "blocks", phrase: "blocks" },
  { name: "needs", phrase: "needs" },
  { name: "relies", phrase: "needs" },
];
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
const MAP = {
  type: "map",
  head: { focus: "Why?", top: "c1" },
  concepts: {
    c1: concept("Use"),
    c2: concept("Vandalism"),
    c3: concept("Wikipedia"),
    c4: concept("alone"),
  },
  relations: {
    r5: relation("c2", "blocks", "c1", "blocks"),
    r6: relation("c1", "needs", "c3", "needs"),
    r7: relation("c2", "spoils", "c3"),
  },
  tree: {
    top: "c1",
    level: { c1: 0, c2: 1, c3: 1 },
    above: { c2: "c1", c3: "c1" },
    hangs_on: { c2: "r5", c3: "r6" },
    cross_links: ["r7"],
  },
  can: { undo: false, redo: false },
  saved: "",
  notice: "",
};

let body;
let model;
let editor;
let kernel; // by type of message: the answer, or a function that gives it
let leave;
let said;

beforeEach(() => {
  body = page(["(prefers-reduced-motion: reduce)"]);
  globalThis.IntersectionObserver = class {
    constructor(tell) {
      this.tell = tell;
    }
    observe() {
      this.tell([{ isIntersecting: true }]);
    }
    disconnect() {}
  };
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  kernel = { open: MAP, study: studied() };
  said = [];
});
afterEach(() => {
  leave();
  mock.timers.reset();
});

const settled = async () => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};

/** Mount one of the two views; the kernel answers at once, unless a test has nothing for it. */
async function mount(view, kinds = KINDS) {
  model = new Model({
    words,
    key: "g/m",
    language: "en",
    kinds,
    cards: [],
    layouts: [],
    topics: [],
    starter: true,
    limits: { label: 80, note: 2000, file: 5_000_000 },
  });
  const { send } = model;
  model.send = (message) => {
    send.call(model, message);
    const answer =
      typeof kernel[message.type] === "function"
        ? kernel[message.type](message)
        : kernel[message.type];
    if (answer) model.hear({ ...answer, n: message.n });
  };
  editor = newEditor(model);
  editor.say = (text) => said.push(text);
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
const tool = (name) => body.querySelector(`.ck-tools [data-tool="${name}"]`);
const press = (text, inside = body) =>
  inside.querySelectorAll("button").find((element) => read(element) === text);

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

test("a concept and its words are one edit", async () => {
  await mount(outline);
  line("c3").click();
  tool("child").click();
  const [words, name] = body.querySelectorAll(".ck-tools input");
  assert.equal(document.activeElement, words);
  press("blocks", body.querySelector(".ck-map-chips")).click();
  assert.equal(words.value, "blocks");
  type(name, "Fun");
  body.querySelector(".ck-form").dispatch("submit");
  await settled();
  assert.deepEqual(sent("edit")[0].do, [
    ["add", { label: "Fun" }],
    ["link", "c3", "blocks", "+0", { kind: "blocks" }],
  ]);
});

test("a name that is there already is linked, and no second concept made", async () => {
  await mount(outline);
  line("c3").click();
  tool("child").click();
  const [words, name] = body.querySelectorAll(".ck-tools input");
  type(words, "leaves");
  type(name, " ALONE ");
  body.querySelector(".ck-form").dispatch("submit");
  assert.deepEqual(sent("edit")[0].do, [["link", "c3", "leaves", "c4", {}]]);
});

test("what the kernel has not named yet hangs where it will be, and keeps the keyboard when it is named", async () => {
  await mount(outline);
  const edit = editor.edit([
    ["add", { label: "Fun" }],
    ["link", "c3", "gives", "+0", {}],
  ]);
  const { n } = sent("edit")[0];
  const made = line(`+${n}.0`);
  assert.equal(read(made), "Wikipedia gives Fun");
  made.focus();
  model.hear({
    type: "changed",
    n,
    made: ["c8", "r9"],
    can: { undo: true, redo: false },
    changes: { c8: concept("Fun"), r9: relation("c3", "gives", "c8") },
    tree: {
      ...MAP.tree,
      level: { ...MAP.tree.level, c8: 2 },
      hangs_on: { ...MAP.tree.hangs_on, c8: "r9" },
    },
  });
  await edit;
  assert.equal(line("c8"), made);
  assert.equal(document.activeElement, made);
});

test("arrows walk, Delete removes and goes on, Tab is left to the page, and just one line is a stop", async () => {
  await mount(outline);
  const key = (name) => document.activeElement.dispatch("keydown", { key: name });
  line("c1").focus();
  key("ArrowDown");
  assert.equal(document.activeElement, line("c2"));
  key("ArrowRight");
  assert.equal(document.activeElement, line("r7@c2"));
  key("ArrowLeft");
  key("ArrowLeft");
  assert.equal(document.activeElement, line("c1"));
  key("End");
  assert.equal(document.activeElement, line("c4"));
  assert.ok(!key("Tab").prevented);
  assert.deepEqual(body.querySelectorAll(".ck-line[tabindex='0']"), [line("c4")]);
  line("c2").focus();
  key("Delete");
  assert.deepEqual(sent("edit")[0].do, [["remove", ["c2"]]]);
  assert.equal(line("c2"), null);
  assert.equal(document.activeElement, line("c1"));
  key("F2");
  assert.equal(document.activeElement.value, "Use");
});

test("while a word is composed Enter sends nothing and nothing is drawn anew", async () => {
  const root = await mount(outline);
  line("c3").click();
  tool("rename").click();
  const box = body.querySelector(".ck-tools input");
  root.dispatch("compositionstart");
  assert.ok(box.dispatch("keydown", { key: "Enter", isComposing: true }).prevented);
  editor.edit([["add", { label: "Fun" }]]);
  assert.ok(!body.textContent.includes("Fun"));
  assert.equal(document.activeElement, box);
  root.dispatch("compositionend");
  assert.ok(body.textContent.includes("Fun"));
  assert.equal(document.activeElement, box);
  assert.ok(!box.dispatch("keydown", { key: "Enter" }).prevented, "it sends the form");
});

test("the picker finds a concept by a part of its name, and a relation is one edit", async () => {
  await mount(outline);
  line("c4").click();
  tool("link").click();
  const [words, other] = body.querySelectorAll(".ck-tools input");
  type(words, "needs");
  type(other, "WIKI");
  assert.deepEqual(
    body.querySelectorAll("[role='option']").map((element) => element.textContent),
    ["Wikipedia"],
  );
  other.dispatch("keydown", { key: "ArrowDown" });
  assert.ok(other.dispatch("keydown", { key: "Enter" }).prevented, "it chooses and does not send");
  assert.equal(other.value, "Wikipedia");
  kernel.edit = { type: "refused", text: "No room.", about: null };
  body.querySelector(".ck-form").dispatch("submit");
  await settled();
  assert.deepEqual(sent("edit")[0].do, [["link", "c4", "needs", "c3", { kind: "needs" }]]);
  assert.equal(body.querySelector(".ck-form .ck-bad").textContent, "No room.");
  assert.equal(words.value, "needs", "what was typed is still there");
});

test("linking words that two kinds share are offered once", async () => {
  await mount(outline);
  line("c1").click();
  tool("child").click();
  assert.deepEqual(
    body.querySelectorAll(".ck-map-chip").map((element) => element.textContent),
    ["blocks", "needs"],
  );
});

test("one's own words written over those of a kind are of no kind", async () => {
  kernel.edit = { type: "changed", changes: {}, tree: MAP.tree, can: MAP.can, made: [] };
  await mount(outline);
  line("c3").click();
  const asked = () => {
    tool("words").click();
    return body.querySelector(".ck-tools input");
  };
  const save = async (words, chip) => {
    const box = asked();
    if (chip) press(chip, body.querySelector(".ck-map-chips")).click();
    if (words) type(box, words);
    body.querySelector(".ck-form").dispatch("submit");
    await settled();
    return sent("edit").at(-1).do[0][2];
  };
  assert.deepEqual(await save("blocks a little", "blocks"), {
    phrase: "blocks a little",
    kind: "",
  });
  assert.deepEqual(await save("blocks", "needs"), { phrase: "blocks", kind: "blocks" });
  assert.deepEqual(await save("needs"), { phrase: "needs", kind: "needs" }, "as it was");
  asked();
  type(body.querySelector(".ck-tools input"), "needs much");
  assert.ok(
    body
      .querySelectorAll(".ck-map-chip")
      .every((element) => element.getAttribute("aria-pressed") === "false"),
  );
});

test("a sentence about the rules is offered where both things are that it is about", async () => {
  const kinds = [
    ...KINDS,
    { name: "cures", phrase: "cures", start: "Revision", end: "Vandalism", rule: "yes" },
    { name: "hurts", phrase: "hurts", start: "Vandalism", end: "Use", rule: "yes" },
    { name: "reads", phrase: "reads", start: "a pupil", end: "a book" },
  ];
  await mount(outline, kinds);
  line("c1").click();
  tool("child").click();
  assert.deepEqual(
    body.querySelectorAll(".ck-map-chip").map((element) => element.getAttribute("data-kind")),
    ["blocks", "needs", "hurts", "reads"],
  );
});

// ---- The panels

function studied(by = {}) {
  return {
    type: "studied",
    measures: [{ name: "density", label: "density", value: 0.25, hint: "how full" }],
    hubs: [{ id: "c1", label: "Use", relations: 2, between: 0.5 }],
    open: 1,
    structure: 17,
    valid: 6,
    propositions: [
      { id: "r5", sentence: "Vandalism blocks Use", said: by },
      { id: "r6", sentence: "Use needs Wikipedia", said: {} },
    ],
    judges: Object.keys(by).map((judge) => ({ judge, valid: 6, open: 1 })),
    elements: [{ name: "levels", label: "levels", points: 5, structure: 1, valid: 1 }],
  };
}

const show = async (name) => {
  body.querySelector(`[data-tab="${name}"]`).click();
  await settled();
  return body.querySelector(`.ck-panel-${name}`);
};

test("a judgement has a judge, who can take it back; others stand beside it, and points come only after people", async () => {
  await mount(panels);
  const panel = body.querySelector(".ck-panel-look");
  const buttons = () => panel.querySelectorAll("[data-relation='r5'] .ck-say");
  assert.ok(panel.querySelector(".ck-score").hidden, "nobody has judged: no points");
  buttons()[0].click();
  assert.equal(sent("judge").length, 0);
  assert.equal(document.activeElement, panel.querySelector(".ck-box"));
  type(panel.querySelector(".ck-box"), "Whale");
  kernel.judge = studied({ Whale: "yes", Fox: "no" });
  buttons()[0].click();
  await settled();
  assert.deepEqual(
    sent("judge").map(({ judge, relation: id, word }) => [judge, id, word]),
    [["Whale", "r5", "yes"]],
  );
  assert.equal(buttons()[0].getAttribute("aria-pressed"), "true");
  assert.equal(panel.querySelector(".ck-others").textContent, "Fox: not right");
  assert.match(panel.querySelector(".ck-open").textContent, /^1 of 2/);
  assert.match(panel.querySelector(".ck-score").textContent, /17.*6.*not a grade.*Waterloo/s);
  buttons()[0].click();
  assert.equal(sent("judge")[1].word, "");
  panel.querySelectorAll(".ck-sentence")[1].click();
  assert.equal(editor.selected, "r6");
});

const COMPARED = {
  type: "compared",
  name: "the rules",
  shared: { concepts: ["Use"], propositions: [] },
  reworded: [],
  overlap: { concepts: 0.5, propositions: 0 },
  missing: {
    concepts: [],
    propositions: [
      {
        sentence: "Revision cures Vandalism",
        do: [
          ["add", { label: "Revision" }],
          ["link", "+0", "cures", "c2", { kind: "cures" }],
        ],
      },
    ],
  },
  mine: { concepts: [{ id: "c4", label: "alone" }], propositions: [] },
  contradictions: [
    { id: "r5", mine: "Vandalism blocks Use", other: "Vandalism causes Use", how: "opposite" },
  ],
  perhaps_same: [["Wikipedia", "Wiki"]],
};

test("beside another map: contradictions ask for reasons, and what is missing is added in one edit", async () => {
  await mount(panels);
  kernel.compare_starter = COMPARED;
  const panel = await show("compare");
  panel.querySelector("[data-source='starter']").click();
  await settled();
  assert.match(
    panel.querySelector(".ck-against").textContent,
    /Vandalism blocks Use.*causes Use.*How could you find out/,
  );
  assert.match(
    panel.querySelector(".ck-overlap").textContent,
    /2 concepts; in both: 1 \(about half\).*2 sentences; in both: 0 \(none\)/,
  );
  kernel.edit = { type: "changed", changes: {}, made: [], tree: MAP.tree, can: MAP.can };
  press("Add to my map", panel).click();
  await settled();
  assert.deepEqual(sent("edit")[0].do, COMPARED.missing.propositions[0].do);
  assert.equal(sent("compare_starter").length, 2, "it is compared again");
  kernel.same = { ...COMPARED, perhaps_same: [] };
  press("Treat as the same", panel).click();
  await settled();
  assert.deepEqual(sent("same")[0].pair, ["Wikipedia", "Wiki"]);
  assert.ok(!press("Treat as the same", panel));
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

test("what a map of the rules can be about is offered once, also where a game names the rules itself", async () => {
  for (const about of ["", "era:1"]) {
    await mount(panels);
    await show("compare");
    editor.topics = [
      { about, label: "topic" },
      { about: "tag:red", label: "red" },
    ];
    body.querySelector('[data-source="starter"]').click();
    assert.deepEqual(
      body
        .querySelectorAll(".ck-chosen-source option")
        .map((element) => element.getAttribute("value")),
      [...new Set(["", about, "tag:red"])],
    );
    leave();
    body.replaceChildren();
  }
});

test("a class is merged: files go as base64, too large ones are refused before, broken ones are told", async () => {
  await mount(panels);
  const panel = await show("merge");
  await choose(panel, file("big.json", 6e6));
  assert.match(panel.textContent, /big\.json is too large; at most 5 MB/);
  assert.equal(sent("merge").length, 0);
  kernel.merge = {
    type: "merged",
    maps: 2,
    broken: ["c.json is damaged."],
    propositions: [
      { sentence: "Use needs Wikipedia", weight: 2 },
      { sentence: "Vandalism blocks Use", weight: 1 },
    ],
    disagreements: [{ sentences: ["Use needs Wikipedia", "Wikipedia needs Use"], weights: [2, 1] }],
    map: MAP,
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
  assert.match(panel.textContent, /2 maps merged\. c\.json is damaged\./);
  assert.match(
    panel.querySelector(".ck-against").textContent,
    /Use needs Wikipedia2 of 2Wikipedia needs Use1 of 2/,
  );
  const heavy = panel
    .querySelectorAll(".ck-edge path[stroke-width]")
    .map((element) => Number(element.getAttribute("stroke-width")));
  assert.ok(heavy[1] > heavy[0], "what more have drawn is thicker");
  kernel.load = MAP;
  press("Take it as my map", panel).click();
  assert.equal(sent("load").length, 0, "asked first");
  press("Yes, take it", panel).click();
  await settled();
  assert.equal(JSON.parse(atob(sent("load")[0].content)).edges.length, 3);
});

test("the growth is told step by step; what only moved is left out, and breaks are marked", async () => {
  const at = (minute) => `2026-03-05T08:${String(minute).padStart(2, "0")}:00+00:00`;
  kernel.replay = {
    type: "replay",
    begun: { "": { focus: "", top: "" } },
    steps: [
      { when: at(0), changes: { c1: concept("Use", { at: null }) } },
      { when: at(0), changes: { c1: concept("Use", { at: [10, 20] }) } },
      { when: at(1), changes: { c2: concept("Vandalism"), r3: relation("c2", "blocks", "c1") } },
      { when: at(21), changes: { r3: relation("c2", "spoils", "c1") } },
      { when: at(22), changes: { c2: null, r3: null } },
    ],
  };
  await mount(panels);
  const panel = await show("replay");
  const told = () => panel.querySelector(".ck-told").textContent;
  assert.match(told(), /^removed “Vandalism” 1 concept, 0 relations/);
  assert.ok(!panel.querySelector(".ck-play"), "reduced motion: nothing plays by itself");
  const back = panel.querySelectorAll(".ck-step")[0];
  back.click();
  assert.match(told(), /changed “Vandalism blocks Use” to “Vandalism spoils Use”/);
  panel.querySelector(".ck-breaks button").click();
  assert.match(told(), /added “Vandalism”; linked: Vandalism blocks Use 2 concepts, 1 relation/);
  assert.equal(panel.querySelector(".ck-breaks").textContent.includes("20 minutes"), true);
  assert.equal(panel.querySelectorAll(".ck-node").length, 2);
  back.click();
  assert.match(told(), /^added “Use”/);
  back.click();
  assert.match(told(), /^The beginning\. 0 concepts/);
});

test("a refused file gives its sentence and says that nothing is lost; a good one is one step", async () => {
  await mount(panels);
  const panel = await show("files");
  kernel.load = { type: "refused", text: "a.json: this is no map.", about: null };
  await choose(panel, file("a.json"));
  assert.match(panel.textContent, /a\.json: this is no map\. Your map has not changed\./);
  kernel.load = MAP;
  await choose(panel, file("b.json"));
  assert.match(panel.textContent, /undo brings back the one before/);
});
