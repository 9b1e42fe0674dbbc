// The canvas at a table: what is drawn, tapped and nudged, and what is asked of the kernel.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";
import { tableOf } from "./joined.mjs";

const table = await tableOf("knitwit");

const IDS = [
  "draw",
  "put",
  "tap",
  "lay",
  "put_here",
  "drop",
  "suggest",
  "suggest_about",
  "next",
  "none",
  "legal",
  "asking",
  "which",
  "move",
  "again",
];
const WORDS = Object.fromEntries(IDS.map((id) => [`venn_${id}`, `<${id} {number}>`]));
const RED = {
  id: "loop-1-0",
  points: [
    [40, 40],
    [120, 40],
    [120, 110],
    [40, 110],
  ],
  pin: [40, 40],
  tone: 0,
  name: "red",
  word: "sweet",
  owner: "An",
  label: "red is sweet",
};
const BLUE = {
  id: "loop-1-1",
  points: [
    [90, 50],
    [190, 50],
    [190, 90],
    [90, 90],
  ],
  pin: [190, 90],
  tone: 1,
  name: "blue",
  word: "round",
  owner: "Bo",
  label: "blue is round",
};
const SPOOLS = [
  { number: 3, at: [60, 80], loops: [0], words: ["sweet"], points: 1, label: "3 is sweet" },
  {
    number: 7,
    at: [105, 70],
    loops: [0, 1],
    words: ["sweet", "round"],
    points: 2,
    label: "7 is both",
  },
];
const zone = (more = {}) => ({
  kind: "venn",
  place: "middle",
  label: "Design",
  size: [240, 150],
  loops: [RED, BLUE],
  spools: SPOOLS,
  ...more,
});
const DRAW = { draw: { seat: 2 } };
const PUT = {
  put: { seat: 2, numbers: [4, 6] },
  spots: [
    { at: [150, 70], label: "only round", loops: [1] },
    { at: [60, 50], label: "only sweet", loops: [0] },
  ],
};
const view = (shown, more = {}) => ({
  table: "t",
  match: "m1",
  branch: 0,
  acted: 5,
  events: 9,
  viewer: null,
  language: "en",
  told: [0],
  story: [],
  covered: [],
  more: false,
  scenes: [{ title: "", prompt: "", turn: true, over: false, beat: 1, zones: [shown] }],
  looking_back: false,
  may_look_back: false,
  may_save: false,
  racing: false,
  seed: null,
  people: 2,
  offer: null,
  trouble: null,
  kept: false,
  ...more,
});

let body;

beforeEach(() => {
  body = page(["(prefers-reduced-motion: reduce)"]);
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

function mount(shown) {
  const model = new Model({
    view: view(shown),
    setup: {},
    words: WORDS,
    languages: [],
    art: "<svg/>",
    handbook: {},
  });
  const close = table.render({ model, el: body });
  const canvas = body.querySelector(".ck-venn-canvas");
  canvas.getBoundingClientRect = () => ({ left: 0, top: 0, width: 240, height: 150 });
  const at = ([clientX, clientY], more) => ({
    clientX,
    clientY,
    pointerId: 1,
    isPrimary: true,
    button: 0,
    timeStamp: 0,
    ...more,
  });
  return {
    model,
    canvas,
    close,
    find: (selector) => body.querySelector(selector),
    key: (key) => body.querySelector(`[data-key='${key}']`),
    says: () => body.querySelector(".ck-venn-says").textContent,
    last: (type) => model.sent.filter((each) => each.type === type).at(-1),
    count: (type) => model.sent.filter((each) => each.type === type).length,
    finger(type, point, more) {
      canvas.dispatch(`pointer${type}`, at(point, more));
      if (type === "up") mock.timers.tick(1);
    },
    tap: (point) => canvas.dispatch("click", at(point, { detail: 1, timeStamp: 9999 })),
    press: (key, more) =>
      body.querySelector(".ck-venn-handle").dispatch("keydown", { key, ...more }),
    draw(points) {
      this.finger("down", points[0]);
      points.slice(1).forEach((point) => this.finger("move", point));
      this.finger("up", points.at(-1));
    },
    tried: (text = "", preview = null, about = []) =>
      model.hear({
        type: "tried",
        n: model.sent.filter((each) => each.type === "try").at(-1).n,
        text,
        preview,
        about,
      }),
  };
}

const STROKE = [
  [140, 40],
  [220, 41],
  [220, 120],
  [140, 120],
];
const PREVIEW = {
  points: [
    [140, 40],
    [220, 40],
    [220, 120],
    [140, 120],
  ],
  pin: [220, 120],
};

test("a stroke is tried when it ends, and laid only when somebody says so", () => {
  const { draw, tried, last, count, key, says, find, ...rest } = mount(zone(DRAW));
  draw.call({ ...rest }, STROKE);
  assert.deepEqual([last("try").seat, last("try").action], [2, ["loop", STROKE]]);
  assert.match(says(), /asking/);
  tried("", PREVIEW);
  assert.match(says(), /legal/);
  assert.ok(find(".ck-venn-draft").matches(".ck-legal"));
  assert.equal(count("act"), 0);
  key("venn-lay").click();
  assert.deepEqual([last("act").seat, last("act").action], [2, ["loop", STROKE]]);
});

test("a loop that may not be laid says why in one sentence", () => {
  const { draw, tried, key, says, find, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  tried("No spool inside.", PREVIEW);
  assert.equal(says(), "No spool inside.");
  assert.ok(find(".ck-venn-draft").matches(".ck-refused"));
  assert.equal(key("venn-lay").getAttribute("aria-disabled"), "true");
});

test("the spools that a refusal is about are lit, until a loop is tried that is not refused for them", () => {
  const { draw, tried, key, ...rest } = mount(zone(DRAW));
  const wrong = () => key("venn-spool-7").matches(".ck-wrong");
  assert.equal(wrong(), false);
  draw.call(rest, STROKE);
  tried("Too near to spool 7.", PREVIEW, [7]);
  assert.equal(wrong(), true);
  draw.call(rest, STROKE);
  tried("", PREVIEW);
  assert.equal(wrong(), false);
});

test("spools are as large as a finger wants, but none covers another", () => {
  const size = (spools) =>
    parseFloat(mount(zone({ spools })).key(`venn-spool-${spools[0].number}`).style.values["--d"]);
  const spool = (number, at) => ({
    number,
    at,
    loops: [0],
    words: [""],
    points: 1,
    label: `Spool ${number}`,
  });
  const apart = size([spool(1, [50, 50]), spool(2, [90, 90])]);
  body = page(["(prefers-reduced-motion: reduce)"]);
  const near = size([spool(1, [50, 50]), spool(2, [60, 50])]);
  assert.equal(apart, 17);
  assert.ok(
    near <= 10 * (340 / 240),
    `${near} pixels across, and ${10 * (340 / 240)} from one to the other`,
  );
});

test("a refused loop is not laid, says why again, and stays refused", () => {
  const { draw, tried, press, count, key, says, find, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  tried("", PREVIEW);
  for (const lay of [() => press("Enter"), () => key("venn-lay").click()]) {
    press("ArrowLeft"); // and laid before the answer is there
    lay();
    mock.timers.tick(500);
    tried("On a clothespin.", PREVIEW);
    lay();
    assert.equal(count("act"), 0);
    assert.ok(find(".ck-venn-draft").matches(".ck-refused"));
    assert.equal(says(), "On a clothespin.");
    assert.equal(find(".ck-refusal").textContent, "");
  }
  press("ArrowLeft");
  mock.timers.tick(500);
  tried("", PREVIEW);
  assert.equal(count("act"), 0, "it was to be laid where it lay before");
});

test("what the table refuses besides leaves the verdict about the draft as it is", () => {
  const { draw, tried, model, find, key, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  tried("", PREVIEW);
  key("venn-lay").click();
  model.hear({ type: "refused", text: "Too late." });
  draw.call(
    rest,
    STROKE.map(([x, y]) => [x - 120, y]),
  );
  tried("No spool inside.", PREVIEW);
  model.hear({ type: "refused", text: "Still too late." });
  assert.ok(find(".ck-venn-draft").matches(".ck-refused"));
});

test("a stroke within a bad stroke is a new one; a loop that was legal, suggested or nudged is moved; the hint says which", () => {
  const { draw, tried, finger, press, model, key, last, find, ...rest } = mount(zone(DRAW));
  const hint = () => find(".ck-venn-hint").textContent;
  const moves = (from, to) => {
    finger("down", from);
    finger("move", to);
    finger("up", to);
    mock.timers.tick(500);
  };
  const inner = [
    [170, 70],
    [190, 70],
    [190, 90],
    [170, 90],
  ];
  assert.match(hint(), /<draw /);
  draw.call({ ...rest, finger }, STROKE);
  tried("No spool inside.", PREVIEW);
  assert.match(hint(), /<again /);
  draw.call({ ...rest, finger }, inner);
  assert.deepEqual(last("try").action, ["loop", inner]);
  tried("No spool inside.", PREVIEW);
  draw.call({ ...rest, finger }, [PREVIEW.pin, ...inner]);
  assert.deepEqual(
    last("try").action,
    ["loop", [PREVIEW.pin, ...inner]],
    "nor is its pin in the way",
  );
  tried("No spool inside.", PREVIEW);
  press("ArrowLeft");
  mock.timers.tick(500);
  tried("No spool inside.");
  assert.match(hint(), /<move /);
  moves([180, 80], [170, 85]);
  assert.deepEqual(
    last("try").action[1],
    PREVIEW.points.map(([x, y]) => [x - 12, y + 5]),
  );
  key("venn-drop").click();
  key("venn-suggest").click();
  model.hear({ type: "suggested", n: 0, action: ["loop", PREVIEW.points, PREVIEW.pin] });
  tried("", PREVIEW);
  for (const step of [10, 20]) {
    moves([180, 80], [170, 80]); // also once it lies badly
    assert.deepEqual(
      last("try").action[1],
      PREVIEW.points.map(([x, y]) => [x - step, y]),
    );
    tried("On a clothespin.");
    assert.match(hint(), /<move /);
  }
});

test("a tap is no stroke, a second finger draws nothing, a lost finger takes its stroke along", () => {
  const { finger, count, last, find } = mount(zone(DRAW));
  finger("down", [10, 10]);
  finger("move", [11, 11]);
  finger("up", [11, 11]);
  assert.equal(count("try"), 0);
  finger("down", [140, 40]);
  finger("down", [10, 10], { pointerId: 2, isPrimary: false });
  finger("move", [200, 140], { pointerId: 2 });
  finger("move", [220, 40]);
  finger("move", [220, 120]);
  finger("up", [200, 140], { pointerId: 2 });
  assert.equal(count("try"), 0);
  finger("up", [220, 120]);
  assert.deepEqual(last("try").action[1], [
    [140, 40],
    [220, 40],
    [220, 120],
  ]);
  finger("down", [20, 20]);
  finger("move", [60, 20]);
  assert.ok(find(".ck-venn-line"));
  finger("cancel", [60, 60]);
  assert.equal(count("try"), 1);
  assert.ok(!find(".ck-venn-line"));
});

test("answers that come late are passed over", () => {
  const { draw, model, last, says, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  const { n } = last("try");
  draw.call(
    rest,
    STROKE.map(([x, y]) => [x - 120, y]),
  );
  model.hear({ type: "tried", n, text: "Of the first stroke.", preview: PREVIEW });
  assert.match(says(), /asking/);
  model.hear({ type: "tried", n: last("try").n, text: "Of the second.", preview: null });
  assert.equal(says(), "Of the second.");
});

test("answers to another view of the table are passed over", () => {
  const { draw, model, last, says, key, find, ...rest } = mount(zone(DRAW));
  key("venn-suggest").click();
  model.hear({
    type: "suggested",
    n: last("suggest").n,
    action: ["loop", STROKE],
    to: "another-1",
  });
  assert.ok(!find(".ck-venn-draft"));
  draw.call(rest, STROKE);
  model.hear({
    type: "tried",
    n: last("try").n,
    text: "Of another stroke.",
    preview: null,
    to: "another-2",
  });
  assert.match(says(), /asking/);
  model.hear({
    type: "tried",
    n: last("try").n,
    text: "Of this stroke.",
    preview: null,
    to: model.names.at(-1),
  });
  assert.equal(says(), "Of this stroke.");
});

test("a draft outlives new views of the same turn, and no other", () => {
  const { draw, tried, model, find, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  tried("", PREVIEW);
  model.set("view", view(zone(DRAW), { language: "zh-Hant" }));
  assert.ok(find(".ck-venn-draft"));
  model.set("view", view(zone()));
  assert.ok(!find(".ck-venn-draft"), "none drawn while nobody may draw");
  model.set("view", view(zone(DRAW)));
  assert.ok(find(".ck-venn-draft"));
  model.set("view", view(zone({ ...DRAW, loops: [RED, BLUE, { ...RED, id: "loop-1-2" }] })));
  assert.ok(!find(".ck-venn-draft"), "none in the next turn");
});

test("a proposed loop goes around the spool that was tapped; the next one is another", () => {
  const { tap, key, last, model, find, says } = mount(zone(DRAW));
  tap([62, 79]);
  assert.equal(says(), "3 is sweet");
  assert.equal(key("venn-suggest").textContent, "<suggest_about 3>");
  key("venn-suggest").click();
  assert.deepEqual([last("suggest").seat, last("suggest").n, last("suggest").about], [2, 0, 3]);
  model.hear({ type: "suggested", n: 0, action: ["loop", PREVIEW.points, PREVIEW.pin] }); // it is around no spool
  assert.ok(!find(".ck-venn-draft"));
  const around = [
    [45, 60],
    [75, 60],
    [75, 95],
    [45, 95],
  ];
  model.hear({ type: "suggested", n: 0, action: ["loop", around, [45, 60]] });
  assert.deepEqual(last("try").action, ["loop", around, [45, 60]]);
  assert.equal(document.activeElement, find(".ck-venn-handle"));
  key("venn-suggest").click();
  assert.equal(last("suggest").n, 1);
  model.hear({ type: "suggested", n: 1, action: null });
  assert.deepEqual(last("try").action[1], around);
});

test("keys nudge a loop; it is tried once they rest, laid by Enter, taken back by Escape", () => {
  const { draw, tried, press, count, last, find, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  tried("", PREVIEW);
  const before = count("try");
  press("ArrowLeft");
  press("ArrowUp", { shiftKey: true });
  assert.equal(count("try"), before);
  mock.timers.tick(500);
  assert.equal(count("try"), before + 1);
  assert.deepEqual(last("try").action, ["loop", PREVIEW.points.map(([x, y]) => [x - 2, y - 8])]);
  press("Enter", { repeat: true });
  press("Enter");
  assert.equal(count("act"), 0, "not judged yet");
  tried("");
  assert.deepEqual(last("act").action, last("try").action);
  press("Escape");
  assert.ok(!find(".ck-venn-draft"));
  mock.timers.tick(500);
  assert.equal(count("try"), before + 1);
});

test("a loop is moved by a finger inside it, and its pin by a finger on it", () => {
  const { draw, tried, finger, last, ...rest } = mount(zone(DRAW));
  draw.call({ ...rest, finger }, STROKE);
  tried("", PREVIEW);
  finger("down", [180, 80]);
  finger("move", [170, 85]);
  finger("up", [170, 85]);
  mock.timers.tick(500);
  assert.deepEqual(last("try").action, ["loop", PREVIEW.points.map(([x, y]) => [x - 10, y + 5])]);
  tried("", { points: last("try").action[1], pin: [210, 125] });
  finger("down", [209, 124]);
  finger("move", [140, 44]);
  finger("up", [140, 44]);
  mock.timers.tick(500);
  assert.deepEqual(last("try").action[2], [130, 45]);
});

test("a tapped spool lights its loops and says its words; the same again puts the light out", () => {
  const { tap, says, canvas, key } = mount(zone());
  tap([100, 72]);
  assert.equal(says(), "7 is both");
  assert.equal(key("venn-spool-7").getAttribute("aria-pressed"), "true");
  assert.equal(canvas.querySelectorAll(".ck-venn-string.ck-dim").length, 0);
  tap([60, 80]);
  assert.deepEqual(
    canvas
      .querySelectorAll(".ck-venn-string.ck-dim")
      .map((each) => each.getAttribute("class").match(/tone-(\d)/)[1]),
    ["1"],
  );
  key("venn-spool-3").click();
  assert.equal(says(), "");
});

test("a spool is put down in two steps: look at a place, then put it there", () => {
  const { tap, says, last, count, key } = mount(zone(PUT));
  tap([148, 75]);
  assert.equal(says(), "only round");
  assert.equal(count("act"), 0);
  key("venn-which-6").click();
  tap([150, 70]);
  assert.deepEqual([last("act").seat, last("act").action], [2, ["spool", 6, 150, 70]]);
  assert.equal(count("try"), 0); // the places of the scene are known to be free
});

test("a place of one's own is tried first", () => {
  const { tap, says, last, key, tried } = mount(zone(PUT));
  tap([170, 85]);
  assert.deepEqual(last("try").action, ["spool", 4, 170, 85]);
  tried("Too near to the string.", { at: [170, 85], loops: [1] });
  assert.equal(says(), "Too near to the string.");
  assert.equal(key("venn-lay").getAttribute("aria-disabled"), "true");
});

test("spools and places are one stop for Tab each, and can be chosen by key", () => {
  const { find, key, says, last } = mount(zone(PUT));
  for (const group of [".ck-venn-spools", ".ck-venn-spots"]) {
    assert.equal(find(group).querySelectorAll("button[tabindex='0']").length, 1);
  }
  key("venn-spot-60-50").click();
  assert.equal(says(), "only sweet");
  key("venn-spot-60-50").click();
  assert.deepEqual(last("act").action, ["spool", 4, 60, 50]);
});

test("whoever lays a loop by key goes on among the places for the spool", async () => {
  const { draw, tried, model, find, key, ...rest } = mount(zone(DRAW));
  draw.call(rest, STROKE);
  tried("", PREVIEW);
  key("venn-lay").focus();
  model.set("view", view(zone(PUT), { acted: 6, events: 10 }));
  await null;
  assert.equal(document.activeElement, find(".ck-venn-spot[tabindex='0']"));
});

test("words on tags and in the list are text, whatever they are", () => {
  const { find } = mount(
    zone({ loops: [{ ...RED, word: "<img src=x>", label: "<b>red</b>" }, BLUE] }),
  );
  assert.equal(find(".ck-venn-tag").textContent, "<img src=x>");
  assert.ok(find(".ck-venn-list").textContent.includes("<b>red</b>"));
});

test("the elements that stay get no further listeners from view to view", () => {
  const { model, find } = mount(zone(PUT));
  const listeners = () =>
    [".ck-venn", ".ck-venn-spools", ".ck-venn-spots"].map(
      (each) => Object.values(find(each).listeners).flat().length,
    );
  const before = listeners();
  for (let acted = 6; acted < 16; acted += 1) model.set("view", view(zone(PUT), { acted }));
  assert.deepEqual(listeners(), before);
  const [first, second] = find(".ck-venn-spots").children;
  first.focus();
  first.dispatch("keydown", { key: "ArrowRight" });
  assert.equal(document.activeElement, second);
  assert.equal(second.getAttribute("tabindex"), "0");
});

test("Escape ends what the finger was doing; it goes on with nothing", () => {
  const { draw, tried, finger, press, find, count, ...rest } = mount(zone(DRAW));
  for (const from of [
    [180, 80],
    [220, 120],
  ]) {
    // inside the loop, on its pin
    draw.call({ ...rest, finger }, STROKE);
    tried("", PREVIEW);
    finger("down", from);
    finger("move", [170, 85]);
    press("Escape");
    finger("move", [150, 85]);
    finger("up", [150, 85]);
    assert.ok(!find(".ck-venn-draft"));
  }
  finger("down", [20, 20]);
  finger("move", [60, 20]);
  find(".ck-venn-canvas").dispatch("keydown", { key: "Escape" });
  assert.ok(!find(".ck-venn-line"));
  finger("move", [60, 60]);
  finger("up", [60, 60]);
  mock.timers.tick(500);
  assert.equal(count("try"), 2); // the two strokes
});

test("a finger whose end was lost is forgotten by the next press; other buttons of a mouse draw nothing", () => {
  const { finger, canvas, count, last } = mount(zone(DRAW));
  finger("down", [10, 10]);
  assert.equal(canvas.captured, 1);
  finger("move", [60, 10]);
  finger("down", [140, 40], { pointerId: 5 });
  finger("move", [220, 40], { pointerId: 5 });
  finger("move", [220, 120], { pointerId: 5 });
  finger("up", [220, 120], { pointerId: 5 });
  assert.deepEqual(last("try").action[1], [
    [140, 40],
    [220, 40],
    [220, 120],
  ]);
  finger("down", [10, 10], { button: 2 });
  finger("move", [60, 10]);
  finger("move", [60, 60]);
  finger("up", [60, 60], { button: 2 });
  assert.equal(count("try"), 1);
});

test("the end of a stroke is no tap, the next tap is one however soon", () => {
  const { draw, tried, finger, canvas, says, ...rest } = mount(zone(DRAW));
  const click = (point) =>
    canvas.dispatch("click", { clientX: point[0], clientY: point[1], detail: 1, timeStamp: 0 });
  draw.call({ ...rest, finger }, [...STROKE, [62, 79]]);
  tried("Too long.");
  click([62, 79]);
  assert.equal(says(), "Too long.");
  finger("down", [62, 79]);
  finger("up", [62, 79]);
  click([62, 79]);
  assert.equal(says(), "3 is sweet");
});

test("no finger scrolls the page while one draws", () => {
  const { finger, canvas, model } = mount(zone(DRAW));
  assert.ok(canvas.dispatch("touchmove", { cancelable: true }).prevented);
  assert.ok(!body.dispatch("touchmove", { cancelable: true }).prevented);
  finger("down", [10, 10]);
  assert.ok(body.dispatch("touchmove", { cancelable: true }).prevented);
  finger("up", [10, 10]);
  assert.ok(!body.dispatch("touchmove", { cancelable: true }).prevented);
  model.set("view", view(zone(PUT), { acted: 6 }));
  assert.ok(!canvas.dispatch("touchmove", { cancelable: true }).prevented);
});

test("a table that is closed leaves nothing behind", () => {
  let observed = 0;
  globalThis.ResizeObserver = class {
    observe() {
      observed += 1;
    }
    disconnect() {
      observed -= 1;
    }
  };
  const before = Object.fromEntries(
    Object.entries(document.listeners).map(([type, all]) => [type, all.length]),
  );
  const { draw, tried, press, finger, count, close, ...rest } = mount(zone(DRAW));
  draw.call({ ...rest, finger }, STROKE);
  tried("", PREVIEW);
  press("ArrowLeft");
  finger("down", [10, 10]);
  finger("move", [60, 10]);
  const sent = count("try");
  close();
  mock.timers.tick(500);
  assert.equal(observed, 0);
  assert.equal(count("try"), sent);
  for (const [type, all] of Object.entries(document.listeners))
    assert.equal(all.length, before[type] ?? 0, type);
});

test("tags hang where they hung until something else is on the table; light only marks them", () => {
  const { tap, model, find, canvas } = mount(zone());
  const tag = find(".ck-venn-tag");
  tap([60, 80]);
  assert.equal(find(".ck-venn-tag"), tag);
  assert.deepEqual(
    canvas
      .querySelectorAll(".ck-venn-tag")
      .map((each) => [each.matches(".ck-on"), each.matches(".ck-dim")]),
    [
      [true, false],
      [false, true],
    ],
  );
  assert.equal(canvas.querySelectorAll(".ck-venn-leader").length, 2);
  tap([60, 80]);
  assert.ok(!tag.matches(".ck-on") && !tag.matches(".ck-dim"));
  model.set("view", view(zone(), { acted: 6 }));
  assert.equal(find(".ck-venn-tag"), tag);
  model.set("view", view(zone({ loops: [{ ...RED, word: "sour" }, BLUE] }), { acted: 7 }));
  assert.equal(find(".ck-venn-tag").textContent, "sour");
  const at = () => ({ ...find(".ck-venn-tag").style.values });
  const before = at();
  model.set(
    "view",
    view(zone({ loops: [{ ...RED, word: "sour", pin: [120, 110] }, BLUE] }), { acted: 8 }),
  );
  assert.notDeepEqual(at(), before);
});

test("the spool that the scene marks is lit whenever it changes, and what was tapped before is forgotten", () => {
  const { tap, model, says, key } = mount(zone());
  const marks = (number) =>
    zone({ spools: SPOOLS.map((each) => ({ ...each, marked: each.number === number })) });
  tap([60, 80]);
  assert.equal(says(), "3 is sweet");
  model.set("view", view(marks(7), { acted: 6 }));
  assert.equal(says(), "7 is both");
  assert.equal(key("venn-spool-7").getAttribute("aria-pressed"), "true");
  tap([60, 80]);
  model.set("view", view(marks(7), { acted: 7 }));
  assert.equal(says(), "3 is sweet"); // somebody looks at another one meanwhile
  model.set("view", view(marks(3), { acted: 8 }));
  model.set("view", view(marks(undefined), { acted: 9 }));
  assert.equal(says(), "");
});

test("an upright canvas shows the design turned and close, and a finger means what it touches", () => {
  const { model, find, canvas, tap, key, last, finger, draw, ...rest } = mount(zone());
  const { classList } = find(".ck-table");
  classList.add("ck-fitted");
  classList.toggle = (name, on) => name !== "ck-fitted" || on; // it has room
  Object.assign(find(".ck-cloth"), { clientWidth: 340, clientHeight: 560 });
  Object.assign(canvas, { clientWidth: 330, clientHeight: 420 });
  canvas.getBoundingClientRect = () => ({ left: 0, top: 0, width: 330, height: 420 });
  model.set("view", view(zone(PUT), { acted: 6 }));
  const middle = (element) =>
    ["--x", "--y"].map(
      (name, axis) => (parseFloat(element.style.values[name]) / 100) * [330, 420][axis],
    );
  const [left, right] = [key("venn-spool-3"), key("venn-spool-7")].map(middle);
  assert.ok(
    Math.abs(right[1] - left[1]) > Math.abs(right[0] - left[0]),
    "what was beside is below",
  );
  const far = Math.hypot(right[0] - left[0], right[1] - left[1]);
  assert.ok(far > 1.3 * Math.hypot(45, 10) * (330 / 240), `${far} pixels apart`);
  for (const spot of PUT.spots) {
    tap(middle(key(`venn-spot-${spot.at.join("-")}`)));
    assert.ok(find(".ck-venn-says").textContent.includes(spot.label));
  }
  // A keyboard takes of the height: nothing is turned.
  Object.assign(find(".ck-cloth"), { clientHeight: 200 });
  canvas.clientHeight = 180;
  model.set("view", view(zone(PUT), { acted: 7 }));
  const [before, after] = [key("venn-spool-3"), key("venn-spool-7")].map(middle);
  assert.ok(after[1] > before[1] + 5);
  // A stroke across the canvas is one across the design.
  canvas.clientHeight = 420;
  model.set("view", view(zone(DRAW), { acted: 8 }));
  const stroke = [
    [100, 200],
    [200, 200],
    [200, 320],
  ];
  draw.call({ ...rest, finger }, stroke);
  const [, points] = last("try").action;
  assert.ok(points[1][1] < points[0][1] - 10, "to the right is up");
  assert.ok(points[2][0] > points[1][0] + 10, "down is to the right");
});
