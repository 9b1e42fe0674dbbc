// An answer pad that is written on: nothing that is typed is lost, and what is sent goes one after the other.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";
import { tableOf } from "./joined.mjs";

const table = await tableOf("knitwit");

const WORDS = {
  saved: "saved",
  saving: "saving",
  unsaved: "unsaved",
  writes_left: "{count} left",
  not_counted: "too late: {words}",
  pass_on: "on in {seconds}",
  counts_when: "press it",
  write_this: "this one",
  seconds_left: "{seconds} to go",
  shared_time: "(all)",
  offline: "offline",
  covered: "{name}, please",
  uncover: "I am {name}",
  cover: "cover",
};
const line = (number, more = {}) => ({
  number,
  words: ["sweet", "round"],
  loops: [0, 2],
  points: 2,
  text: "",
  left: 20,
  closed: false,
  label: `Spool ${number}`,
  ...more,
});
const padOf = (lines, more = {}) => ({
  kind: "answer-pad",
  place: "near",
  label: "My pad",
  seat: 0,
  longest: 30,
  lines,
  ...more,
});
const STACK = {
  kind: "pile",
  place: "near",
  label: "Buttons",
  count: 1,
  top: {
    id: "button",
    face: { art: "button" },
    label: "Four holes",
    action: "stop",
    seat: 0,
    legal: true,
  },
};
const clock = (more = {}) => ({
  kind: "choices",
  place: "near",
  label: "Time",
  choices: [
    {
      label: "Time is up",
      action: "time",
      legal: true,
      seat: -1,
      after: 90,
      key: "time-1",
      held: true,
      ...more,
    },
  ],
});
const scene = (zones, more = {}) => ({
  title: "Words",
  prompt: "Write",
  turn: true,
  over: false,
  beat: 1,
  zones,
  ...more,
});

let body;
let model;

/** What the table shows: `zones`, and how many decisions the writer has made. */
const view = (zones, acted, more = {}) => ({
  table: "t",
  match: "m1",
  branch: 0,
  acted,
  viewer: 0,
  language: "en",
  scenes: [scene(zones)],
  told: [0],
  story: [],
  covered: [],
  more: false,
  events: 3,
  entry: 3,
  entries: 3,
  looking_back: false,
  may_look_back: true,
  may_save: true,
  seed: "",
  people: 1,
  waiting: 1,
  racing: 1,
  offer: null,
  trouble: null,
  kept: true,
  ...more,
});

function mount(zones, more = {}) {
  model = new Model({
    view: view(zones, 1, more),
    setup: { presets: [] },
    words: WORDS,
    languages: [],
    art: "<svg/>",
    handbook: {},
  });
  return table.render({ model, el: body });
}

beforeEach(() => {
  body = page(["(prefers-reduced-motion: reduce)"]);
  document.visibilityState = "visible";
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});
afterEach(() => mock.timers.reset());

const key = (name) => body.querySelector(`[data-key='${name}']`);
const input = (number) => key(`line-${number}`);
const says = (number) => input(number).parent.querySelector(".ck-line-state").textContent;
const sent = (type) => model.sent.filter((each) => each.type === type);
const writes = () => sent("act").map(({ action }) => action);
const show = (zones, acted, more) => model.set("view", view(zones, acted, more));

function type(number, text) {
  input(number).focus();
  input(number).value = text;
  input(number).dispatch("input");
}

/** Let so many seconds go by, one after the other; a kernel that is not busy answers each moment asked for. */
function wait(seconds, busy = false) {
  for (let each = 0; each < seconds; each += 1) {
    const before = sent("tick").length;
    mock.timers.tick(1000);
    if (!busy && sent("tick").length > before)
      model.hear({ type: "ticked", tick: sent("tick").length });
  }
}

/** The name of the last thing sent that is of that type. */
const nameOf = (type) => model.names[model.sent.findLastIndex((each) => each.type === type)];

const leave = () => body.querySelector(".ck-story").focus();

test("a line shows its words, its points and its place; what was written stands in it", () => {
  mount([padOf([line(3, { text: "plum" }), line(5)])]);
  assert.deepEqual(
    body.querySelectorAll(".ck-line-number").map((each) => each.textContent),
    ["3", "5"],
  );
  assert.deepEqual(
    body.querySelectorAll(".ck-line-word").map((each) => each.textContent),
    ["sweet", "round", "sweet", "round"],
  );
  assert.equal(body.querySelectorAll(".ck-line-points")[0].textContent, "+2");
  assert.ok(body.querySelector(".ck-line-word .ck-venn-tone-0"), "the colour of its loop");
  assert.ok(body.querySelector(".ck-line-word .ck-venn-tone-2"));
  assert.equal(input(3).value, "plum");
  assert.equal(input(3).getAttribute("aria-label"), "Spool 3");
  assert.equal(says(3), "saved");
  assert.equal(input(3).dataset.lmSuppressShortcuts, "true");
});

test("a line is sent when its writer leaves it or presses Enter, and then shown as saved", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, " plum ");
  assert.equal(says(1), "unsaved");
  assert.deepEqual(writes(), []);
  input(1).dispatch("keydown", { key: "Enter" });
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
  assert.equal(document.activeElement, input(2), "Enter goes to the next line");
  assert.equal(says(1), "saving");
  show([padOf([line(1, { text: "plum" }), line(2)])], 2);
  assert.equal(says(1), "saved");
  type(2, "pea");
  leave();
  assert.deepEqual(writes().at(-1), ["write", 2, "pea"]);
});

test("what has not changed is not sent; what is rubbed out is", () => {
  mount([padOf([line(1, { text: "plum" }), line(2)])]);
  type(1, "plum");
  leave();
  type(2, "  ");
  leave();
  assert.deepEqual(writes(), []);
  type(1, "");
  leave();
  assert.deepEqual(writes(), [["write", 1, ""]]);
});

test("a view that comes while somebody types takes neither the words nor the keyboard, and moves nothing", () => {
  mount([padOf([line(1), line(2)]), STACK]);
  type(1, "plu");
  const typed = input(1);
  show([padOf([line(1), line(2)]), { ...STACK, count: 0 }], 1, { events: 4 });
  assert.equal(input(1), typed);
  assert.equal(typed.value, "plu");
  assert.equal(document.activeElement, typed);
  for (let at = typed; at; at = at.parent)
    assert.ok(!at.detached, "no part around it was taken out");
});

const kept = () =>
  [...sessionStorage.values.entries()]
    .filter(([name]) => name.includes("typed"))
    .map(([, text]) => JSON.parse(text));
const reload = (zones, acted, more) => {
  body.querySelector(".ck-table").remove();
  model = new Model({ ...model.traits, view: view(zones, acted, more) });
  table.render({ model, el: body });
};

test("what one person alone has typed and not sent outlasts a reload, until it is sent or the writing is over", () => {
  const round = { key: "round-1" };
  mount([padOf([line(1), line(2)], round)]);
  type(1, "plum ");
  assert.deepEqual(kept(), [{ 1: "plum " }]);
  reload([padOf([line(1), line(2)], round)], 1);
  assert.deepEqual([input(1).value, input(2).value, says(1)], ["plum ", "", "unsaved"]);
  assert.deepEqual(writes(), [], "it is sent when its writer leaves the line");
  input(1).focus();
  leave();
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
  show([padOf([line(1, { text: "plum" }), line(2)], round)], 2);
  assert.deepEqual(kept(), []);
  type(2, "pea");
  reload([padOf([line(1, { text: "plum" }), line(2, { closed: true })], round)], 2);
  assert.deepEqual([input(2).value, kept()], ["", []], "a line that is closed takes nothing back");
  type(1, "peach");
  assert.deepEqual(kept(), [{ 1: "peach" }]);
  show([], 3, { racing: 0 });
  assert.deepEqual(kept(), []);
});

test("another round and another match have another pad; a strategy that is replaced takes no words away", () => {
  mount([padOf([line(1)], { key: "round-1" })]);
  type(1, "plum");
  reload([padOf([line(1)], { key: "round-2" })], 1);
  assert.equal(input(1).value, "");
  show([padOf([line(1)], { key: "round-1" })], 1, { branch: 1 });
  assert.equal(input(1).value, "plum");
  reload([padOf([line(1)], { key: "round-1" })], 1, { match: "m2" });
  assert.equal(input(1).value, "");
});

test("of what several people at one screen type the browser keeps nothing, nor while somebody looks back", () => {
  mount([padOf([line(1)], { key: "round-1" })], { people: 2 });
  type(1, "plum");
  assert.deepEqual(kept(), []);
  reload([padOf([line(1)], { key: "round-1" })], 1, { looking_back: true });
  assert.deepEqual(kept(), []);
});

test("what an input method composes is not sent before it is finished", () => {
  mount([padOf([line(1), line(2)])]);
  input(1).focus();
  input(1).dispatch("compositionstart");
  input(1).value = "ㄇㄟ";
  input(1).dispatch("keydown", { key: "Enter", isComposing: true });
  input(1).dispatch("keydown", { key: "Enter", keyCode: 229 });
  assert.deepEqual(writes(), []);
  assert.equal(document.activeElement, input(1), "Enter chose a character, not the next line");
  input(1).value = "梅子";
  input(1).dispatch("compositionend");
  assert.deepEqual(writes(), []);
  input(1).dispatch("keydown", { key: "Enter" });
  assert.deepEqual(writes(), [["write", 1, "梅子"]]);
});

test("a composition that is left unfinished is sent when it ends", () => {
  mount([padOf([line(1), line(2)])]);
  input(1).focus();
  input(1).dispatch("compositionstart");
  input(1).value = "梅子";
  leave();
  assert.deepEqual(writes(), []);
  input(1).dispatch("compositionend");
  assert.deepEqual(writes(), [["write", 1, "梅子"]]);
});

test("answers wait for each other, and each is sent with the count of the view before", () => {
  mount([padOf([line(1), line(2), line(3)])]);
  type(1, "plum");
  type(2, "pea");
  type(3, "peach");
  leave();
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
  show([padOf([line(1, { text: "plum" }), line(2), line(3)])], 2);
  show([padOf([line(1, { text: "plum" }), line(2, { text: "pea" }), line(3)])], 3);
  assert.deepEqual(
    sent("act").map(({ action, acted }) => [action[2], acted]),
    [
      ["plum", 1],
      ["pea", 2],
      ["peach", 3],
    ],
  );
});

test("a moment of the race that goes by is no answer", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, "plum");
  type(2, "pea");
  leave();
  show([padOf([line(1), line(2)])], 1, { events: 4 });
  assert.equal(says(1), "saving");
  assert.deepEqual(writes(), [["write", 1, "plum"]], "the second still waits");
  assert.equal(input(1).value, "plum");
});

test("the table in another language is no answer either", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, "plum");
  type(2, "pea");
  show([padOf([line(1), line(2)])], 1, { language: "zh-Hant" });
  leave();
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
});

test("a refusal stands at its line, the words stay, and the next one is sent", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, "sweet");
  type(2, "pea");
  leave();
  model.hear({ type: "refused", text: "A tag says so." });
  assert.equal(says(1), "A tag says so.");
  assert.equal(input(1).value, "sweet");
  assert.equal(input(1).getAttribute("aria-invalid"), "true");
  assert.equal(body.querySelector(".ck-refusal").textContent, "");
  assert.deepEqual(writes().at(-1), ["write", 2, "pea"]);
  show([padOf([line(1), line(2, { text: "pea" })])], 2);
  assert.equal(says(1), "A tag says so.", "it is still to be read");
  input(1).focus();
  leave();
  assert.equal(writes().length, 2, "the same again is not asked again");
  type(1, "plum");
  assert.equal(says(1), "unsaved");
  assert.equal(input(1).getAttribute("aria-invalid"), null);
});

test("a refusal of something else is told where it always is", () => {
  mount([padOf([line(1)]), STACK]);
  key("button").click();
  model.hear({ type: "refused", text: "No." });
  assert.equal(body.querySelector(".ck-refusal").textContent, "No.");
  assert.equal(says(1), "");
});

test("whoever grabs a button first sends the line being typed", () => {
  mount([padOf([line(1)]), STACK]);
  type(1, "plum");
  key("button").click();
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
  show([padOf([line(1, { text: "plum" })]), STACK], 2);
  assert.deepEqual(
    sent("act").map(({ action, acted }) => [action, acted]),
    [
      [["write", 1, "plum"], 1],
      ["stop", 2],
    ],
  );
});

test("a grab waits if that line is refused; grabbed again it goes through", () => {
  mount([padOf([line(1)]), STACK]);
  type(1, "sweet");
  key("button").click();
  model.hear({ type: "refused", text: "A tag says so." });
  assert.deepEqual(writes(), [["write", 1, "sweet"]]);
  assert.equal(document.activeElement, input(1));
  key("button").click();
  assert.deepEqual(writes().at(-1), "stop");
});

test("after the lock it is said what came too late", () => {
  mount([padOf([line(1), line(2, { text: "pea" })]), STACK]);
  type(1, "plum");
  show([padOf([line(1, { closed: true }), line(2, { text: "pea", closed: true })])], 2);
  assert.equal(says(1), "too late: plum");
  assert.equal(input(1).value, "");
  assert.equal(input(1).readOnly, true);
  assert.equal(says(2), "saved");
  show([{ kind: "choices", place: "near", choices: [] }], 2, { racing: 0, events: 5 });
  assert.equal(body.querySelector(".ck-refusal").textContent, "too late: plum");
});

test("nothing is said to have come too late if all is saved", () => {
  mount([padOf([line(1, { text: "plum" })])]);
  show([], 2, { racing: 0 });
  assert.equal(body.querySelector(".ck-refusal").textContent, "");
});

test("how often a line can still be changed is told when it is little", () => {
  mount([padOf([line(1, { text: "plum", left: 3 }), line(2, { left: 4 })])]);
  assert.equal(says(1), "saved 3 left");
  assert.equal(says(2), "");
});

test("a closed line takes nothing", () => {
  mount([padOf([line(1, { text: "plum", closed: true }), line(2)])]);
  assert.equal(input(1).readOnly, true);
  assert.ok(!input(1).matches(".ck-legal"));
  input(2).dispatch("keydown", { key: "ArrowUp" });
  assert.notEqual(document.activeElement, input(1));
});

test("without an answer the line can be sent again", () => {
  mount([padOf([line(1)])]);
  type(1, "plum");
  leave();
  mock.timers.tick(8000);
  assert.equal(body.querySelector(".ck-refusal").textContent, "offline");
  input(1).focus();
  leave();
  assert.deepEqual(writes(), [
    ["write", 1, "plum"],
    ["write", 1, "plum"],
  ]);
});

test("what is left while the table stands still is sent when it goes on", () => {
  mount([padOf([line(1)])], { hosted: true, left: {} });
  type(1, "plum");
  model.set("view", view([padOf([line(1)])], 1, { hosted: true, left: {}, paused: true }));
  leave();
  assert.deepEqual([writes(), says(1)], [[], "saving"]);
  model.set("view", view([padOf([line(1)])], 1, { hosted: true, left: {} }));
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
});

test("what was given up is not saved, and sent again when the kernel is heard; what waited behind it as well", () => {
  mount([padOf([line(1), line(2), line(3)])]);
  type(1, "plum");
  type(2, "pea");
  type(3, "peach");
  leave();
  assert.deepEqual([1, 2, 3].map(says), ["saving", "saving", "saving"]);
  mock.timers.tick(8000);
  assert.deepEqual([1, 2, 3].map(says), ["unsaved", "unsaved", "unsaved"]);
  show([padOf([line(1, { text: "plum" }), line(2), line(3)])], 2);
  assert.deepEqual(writes().slice(1), [["write", 2, "pea"]]);
  assert.deepEqual([1, 2, 3].map(says), ["saved", "saving", "saving"]);
  show([padOf([line(1, { text: "plum" }), line(2, { text: "pea" }), line(3)])], 3);
  assert.deepEqual(writes().slice(2), [["write", 3, "peach"]]);
});

test("a late answer is told to the line it belongs to, and does not end a later one", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, "sweet");
  leave();
  const first = nameOf("act");
  mock.timers.tick(8000);
  type(2, "pea");
  leave();
  assert.deepEqual(writes(), [
    ["write", 1, "sweet"],
    ["write", 2, "pea"],
  ]);
  model.hear({ type: "refused", text: "A tag says so.", to: first });
  assert.deepEqual([says(1), says(2)], ["A tag says so.", "saving"]);
  assert.equal(writes().length, 2);
});

test("what is refused because something else was quicker is sent again", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, "plum");
  leave();
  const first = nameOf("act");
  show([padOf([line(1), line(2, { text: "pea" })])], 2);
  model.hear({ type: "refused", text: "Out of date.", to: first });
  assert.equal(says(1), "saving");
  assert.deepEqual(
    sent("act").map(({ action, acted }) => [action, acted]),
    [
      [["write", 1, "plum"], 1],
      [["write", 1, "plum"], 2],
    ],
  );
  show([padOf([line(1, { text: "plum" }), line(2, { text: "pea" })])], 3);
  assert.equal(says(1), "saved");
  assert.equal(writes().length, 2);
});

test("a line left while something else is asked is sent when that is refused, and the reason can still be read", () => {
  mount([padOf([line(1)]), STACK]);
  key("button").click();
  type(1, "plum");
  leave();
  assert.deepEqual(writes(), ["stop"]);
  model.hear({ type: "refused", text: "No.", to: nameOf("act") });
  assert.deepEqual(writes(), ["stop", ["write", 1, "plum"]]);
  show([padOf([line(1, { text: "plum" })]), STACK], 2);
  assert.equal(says(1), "saved");
  assert.equal(body.querySelector(".ck-refusal").textContent, "No.");
});

test("what another view of the table has asked is not answered here", () => {
  mount([padOf([line(1)])]);
  type(1, "plum");
  leave();
  model.hear({ type: "refused", text: "No.", to: "another-1" });
  assert.equal(says(1), "saving");
  assert.equal(body.querySelector(".ck-refusal").textContent, "");
  model.hear({ type: "refused", text: "A tag says so.", to: nameOf("act") });
  assert.equal(says(1), "A tag says so.");
});

test("where few answers are left, one is given by Enter or its button, not by leaving its line or by what else is done", () => {
  const once = { once: true };
  mount([padOf([line(1), line(2)], once), STACK], { people: 2 });
  assert.equal(key("once-1"), null, "nothing is typed yet");
  type(1, "plum");
  assert.ok(input(1).parent.textContent.includes("press it"));
  leave();
  key("cover").click();
  key("button").click();
  assert.deepEqual(writes(), ["stop"], "what is typed is not spent");
  model.hear({ type: "refused", text: "No." });
  show([padOf([line(1), line(2)], once), STACK], 2, { people: 2 });
  key("once-1").click();
  assert.deepEqual(writes().slice(1), [["write", 1, "plum"]]);
  assert.equal(key("once-1"), null, "once is enough");
  model.hear({ type: "refused", text: "A tag says so." });
  type(2, "pea");
  input(2).dispatch("keydown", { key: "Enter" });
  assert.deepEqual(writes().slice(2), [["write", 2, "pea"]]);
});

test("a strategy that is replaced in a race takes nothing away that is typed, and what was being sent is sent again", () => {
  mount([padOf([line(1), line(2)])]);
  type(1, "plum");
  type(2, "unsent");
  assert.equal(says(1), "saving");
  const first = nameOf("act");
  show([padOf([line(1), line(2)])], 1, { branch: 1 });
  assert.deepEqual([input(1).value, input(2).value], ["plum", "unsent"]);
  model.hear({ type: "refused", text: "Out of date.", to: first });
  assert.deepEqual(
    sent("act").map(({ action, branch }) => [action, branch]),
    [
      [["write", 1, "plum"], 0],
      [["write", 1, "plum"], 1],
    ],
  );
});

test("while a finger is down nothing is drawn anew; what came meanwhile follows", () => {
  mount([padOf([line(1)]), STACK]);
  const top = key("button");
  body.querySelector(".ck-cloth").dispatch("pointerdown");
  show([padOf([line(1)]), { ...STACK, count: 0 }], 1, { events: 4 });
  assert.equal(key("button"), top);
  top.dispatch("pointerup");
  top.click();
  assert.deepEqual(writes(), ["stop"]);
  mock.timers.tick(0);
  assert.notEqual(key("button"), top);
});

const VENN = {
  kind: "venn",
  place: "middle",
  label: "Canvas",
  size: [240, 150],
  loops: [],
  spools: [1, 2].map((number) => ({
    number,
    at: [50 * number, 60],
    loops: [],
    words: [],
    points: 1,
    label: `Spool ${number}`,
  })),
};

test("the line that is written on lights its spool, and a spool that is touched gets its line", () => {
  mount([VENN, padOf([line(1), line(2)])]);
  input(2).focus();
  assert.equal(key("venn-spool-2").getAttribute("aria-pressed"), "true");
  key("venn-spool-1").click();
  assert.equal(document.activeElement, input(1));
  assert.equal(key("venn-spool-1").getAttribute("aria-pressed"), "true");
  show([VENN, padOf([line(1), line(2)])], 1, { events: 4 });
  assert.equal(document.activeElement, input(1));
});

test("on a phone a touched spool does not open the keyboard", () => {
  globalThis.matchMedia = (query) => ({ matches: query === "(pointer: coarse)" });
  mount([VENN, padOf([line(1), line(2)])]);
  key("venn-spool-1").click();
  assert.notEqual(document.activeElement, input(1));
  assert.deepEqual(input(1).parent.scrolled, ["nearest"]);
});

test("the stack stays above the keyboard of a phone", () => {
  const listeners = {};
  globalThis.innerHeight = 640;
  globalThis.visualViewport = {
    height: 640,
    offsetTop: 0,
    scale: 1,
    addEventListener: (type, each) => {
      listeners[type] = each;
    },
    removeEventListener() {},
  };
  mount([padOf([line(1)]), STACK]);
  visualViewport.height = 340;
  listeners.resize();
  const root = body.querySelector(".ck-table");
  assert.equal(root.style.values["--ck-keyboard"], "300px");
  assert.ok(root.matches(".ck-keyboard"));
  visualViewport.scale = 2;
  listeners.resize();
  assert.equal(root.style.values["--ck-keyboard"], "0px", "whoever zooms in covers nothing");
  delete globalThis.visualViewport;
});

// The race and its clocks

test("a moment is asked for once a second while a race is on and can be seen", () => {
  mount([padOf([line(1)])]);
  wait(3);
  assert.equal(sent("tick").length, 3);
  document.visibilityState = "hidden";
  wait(2);
  assert.equal(sent("tick").length, 3, "nobody looks");
  document.visibilityState = "visible";
  show([padOf([line(1)])], 1, { covered: [{ seat: 1, name: "Bo" }] });
  wait(2);
  assert.equal(sent("tick").length, 3, "it is covered");
  show([padOf([line(1)])], 1, { looking_back: true });
  wait(2);
  assert.equal(sent("tick").length, 3, "something else is looked at");
  show([padOf([line(1)])], 1);
  wait(1);
  assert.equal(sent("tick").length, 4);
  show([], 2, { racing: 0 });
  wait(5);
  assert.equal(sent("tick").length, 4, "it is over");
});

test("while the kernel is busy no moments pile up", () => {
  mount([padOf([line(1)])], { tick: 7 });
  wait(200, true);
  assert.deepEqual(
    sent("tick").map(({ tick }) => tick),
    [7],
  );
  model.hear({ type: "ticked", tick: 8 });
  wait(2, true);
  assert.deepEqual(
    sent("tick").map(({ tick }) => tick),
    [7, 8],
  );
});

test("several people at one screen share the seconds: a moment goes by every so many", () => {
  mount([padOf([line(1)])], { people: 3, racing: 3 });
  wait(12);
  assert.equal(sent("tick").length, 4);
  show([padOf([line(1)])], 1, { people: 3, racing: 2 });
  wait(12);
  assert.equal(sent("tick").length, 10);
});

test("time under a cover is no time of the race", () => {
  mount([padOf([line(1)])], { people: 3, racing: 3 });
  wait(2);
  show([], 1, { people: 3, racing: 0, covered: [{ seat: 1, name: "Bo" }] });
  wait(20);
  show([padOf([line(1)])], 1, { people: 3, racing: 3 });
  wait(2);
  assert.equal(sent("tick").length, 0);
  wait(1);
  assert.equal(sent("tick").length, 1);
});

test("two views of one table ask no more often than one", () => {
  mount([padOf([line(1)])], { tick: 0 });
  mock.timers.tick(500);
  table.render({ model, el: body });
  let now = 0;
  const answer = () => {
    for (; now < sent("tick").length; now += 1) model.hear({ type: "ticked", tick: now + 1 });
  };
  for (let each = 0; each < 40; each += 1) {
    mock.timers.tick(250);
    answer();
  }
  assert.deepEqual(
    sent("tick").map(({ tick }) => tick),
    [...Array(sent("tick").length).keys()],
  );
  assert.ok(
    sent("tick").length >= 9 && sent("tick").length <= 11,
    `${sent("tick").length} moments in 10 seconds`,
  );
});

test("a closed table asks for nothing", () => {
  const close = mount([padOf([line(1)])]);
  close();
  wait(5);
  assert.equal(sent("tick").length, 0);
});

test("a time limit runs down, cannot be pressed before, goes on after a reload and then presses itself", () => {
  const close = mount([padOf([line(1)]), clock()]);
  const shown = () => body.querySelector(".ck-clock").textContent;
  assert.equal(shown(), "1:30");
  body.querySelector(".ck-held").click();
  assert.deepEqual(writes(), []);
  wait(31);
  assert.equal(shown(), "59");
  assert.ok(
    body.querySelectorAll("[role='status']").some((each) => each.textContent === "60 to go"),
    "it is said aloud",
  );
  close();
  mount([padOf([line(1)]), clock()]);
  assert.equal(shown(), "59", "it is remembered");
  wait(58);
  assert.deepEqual(writes(), []);
  wait(1);
  assert.deepEqual(
    sent("act").map(({ action, seat }) => [action, seat]),
    [["time", -1]],
  );
});

test("when time is up what is being typed goes first, refused or not", () => {
  mount([padOf([line(1)]), clock({ after: 2 })]);
  type(1, "sweet");
  wait(2);
  assert.deepEqual(writes(), [["write", 1, "sweet"]]);
  model.hear({ type: "refused", text: "A tag says so." });
  assert.deepEqual(writes(), [["write", 1, "sweet"], "time"]);
});

test("several people at one screen have as many times as long", () => {
  mount([padOf([line(1)]), clock()], { people: 3, waiting: 3 });
  assert.equal(body.querySelector(".ck-clock").textContent, "4:30");
  assert.equal(body.querySelector(".ck-shared-time").textContent, "(all)");
});

test("the last of several who still writes has no more time than one", () => {
  mount([padOf([line(1)]), clock({ after: 60 })], { people: 2, waiting: 1 });
  assert.equal(body.querySelector(".ck-clock").textContent, "1:00");
  assert.equal(body.querySelector(".ck-shared-time"), null);
});

test("whoever writes alone is told of no shared time", () => {
  mount([padOf([line(1)]), clock()]);
  assert.equal(body.querySelector(".ck-clock").textContent, "1:30");
  assert.equal(body.querySelector(".ck-shared-time"), null);
});

test("a countdown that is not held can be cut short", () => {
  mount([clock({ after: 10, held: false, action: "vote" })], { racing: 0 });
  assert.equal(body.querySelector(".ck-clock").textContent, "10");
  body.querySelector(".ck-choice").click();
  assert.deepEqual(writes(), ["vote"]);
});

test("nothing runs down while the screen is covered", () => {
  mount([padOf([line(1)]), clock()], {
    people: 2,
    waiting: 2,
    covered: [{ seat: 1, name: "Bo" }],
  });
  wait(20);
  show([padOf([line(1)]), clock()], 1, { people: 2, waiting: 2 });
  assert.equal(body.querySelector(".ck-clock").textContent, "3:00");
});

// Passed round

test("each has the screen for some seconds; then what is typed is sent and the screen covered", () => {
  mount([padOf([line(1)], { go: 45 })], { people: 2 });
  assert.equal(body.querySelector(".ck-answers-clock").textContent, "on in 45");
  wait(20);
  assert.equal(body.querySelector(".ck-answers-clock").textContent, "on in 25");
  type(1, "plum");
  wait(25);
  assert.deepEqual(writes(), [["write", 1, "plum"]]);
  assert.equal(sent("cover").length, 0);
  show([padOf([line(1, { text: "plum" })], { go: 45 })], 2, { people: 2 });
  assert.equal(sent("cover").length, 1);
});

test("alone nobody is hurried", () => {
  mount([padOf([line(1)], { go: 45 })]);
  wait(60);
  assert.equal(sent("cover").length, 0);
});

test("whoever hands the screen on sends the line first; what was refused is there when they come back, with new seconds", () => {
  const two = { people: 2 };
  mount([padOf([line(1)], { go: 45 })], two);
  type(1, "sweet");
  key("cover").click();
  model.hear({ type: "refused", text: "A tag says so." });
  assert.equal(sent("cover").length, 1);
  show([], 0, { ...two, viewer: null, covered: [{ seat: 1, name: "Bo" }], racing: 0 });
  assert.equal(input(1), null);
  assert.equal(
    body.querySelector(".ck-refusal").textContent,
    "",
    "nobody else learns what was typed",
  );
  show([padOf([line(1)], { go: 45, seat: 1 })], 0, { ...two, viewer: 1 });
  assert.equal(input(1).value, "", "the other one has a pad of their own");
  show([], 0, { ...two, viewer: null, covered: [{ seat: 0, name: "Al" }], racing: 0 });
  wait(5);
  show([padOf([line(1)], { go: 45 })], 1, two);
  assert.equal(input(1).value, "sweet");
  assert.equal(says(1), "A tag says so.");
  assert.equal(body.querySelector(".ck-answers-clock").textContent, "on in 45");
});

test("another match begins with an empty pad", () => {
  mount([padOf([line(1)])]);
  type(1, "plum");
  show([padOf([line(1)])], 0, { match: "m2" });
  assert.equal(input(1).value, "");
});

test("an earlier moment shows what stood there then, and what is being typed is kept", () => {
  mount([padOf([line(1)])]);
  type(1, "plum");
  show([padOf([line(1, { text: "pea", closed: true })])], 1, { looking_back: true });
  assert.equal(input(1).value, "pea");
  show([padOf([line(1)])], 1);
  assert.equal(input(1).value, "plum");
});
