// How the table draws scenes and what it sends. The game here is made up: the renderer knows none.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Model, page, rest } from "./dom.mjs";
import { tableOf } from "./joined.mjs";

const table = await tableOf("wizard");

const WORDS = Object.fromEntries(
  ["skip", "you", "your_turn", "new_match", "now", "start", "story", "seed", "close", "thrown"].map(
    (id) => [id, `<${id}>`],
  ),
);
WORDS.covered = "{name}, please";
WORDS.uncover = "I am {name}";

const face = (corner) => ({ art: "fox", corner, tone: "red", name: "Fox" });
const piece = (id, more = {}) => ({ id, face: face("7"), label: `Fox ${id}`, ...more });
const place = (seat, more = {}) => ({
  seat,
  name: `P${seat}`,
  by: "bot",
  you: false,
  turn: false,
  winner: false,
  badges: [],
  counts: [],
  backs: 0,
  pieces: [],
  ...more,
});
const scene = (zones = [], more = {}) => ({
  title: "Round",
  prompt: "Wait",
  turn: false,
  over: false,
  beat: 1,
  zones,
  ...more,
});
const hand = (...pieces) => ({ kind: "hand", place: "near", label: "Hand", pieces });
const view = (scenes, more = {}) => ({
  table: "t",
  match: "m1",
  branch: 2,
  acted: 5,
  viewer: 0,
  language: "en",
  scenes,
  told: scenes.map((_, at) => at + 1),
  story: scenes.map((_, at) => `line ${at}`),
  covered: [],
  more: false,
  events: 7,
  entry: 3,
  entries: 9,
  looking_back: false,
  may_look_back: true,
  may_save: true,
  seed: "abc",
  people: 1,
  offer: null,
  trouble: null,
  kept: true,
  ...more,
});
const SETUP = {
  presets: [],
  players: [2, 3],
  chosen: {
    players: 2,
    seats: [
      { by: "person", name: "An" },
      { by: "bot", name: "" },
    ],
    options: { speedy: false },
    seed: "",
  },
  by: [
    { value: "person", label: "a person" },
    {
      value: "bot",
      label: "Computer, easy (Bot)",
      level: "Computer, easy",
      name: "Bot",
      best: true,
    },
    {
      value: "ace",
      label: "Computer, strong (Ace)",
      level: "Computer, strong",
      name: "Ace",
      best: true,
    },
  ],
  mixes: {
    2: ["2 computers", "1 and 1", "2 people"],
    3: ["3 computers", "1 and 2", "2 and 1", "3 people"],
  },
  fields: [
    {
      name: "speedy",
      label: "Speedy",
      help: "Faster.",
      kind: "switch",
      optional: false,
      first: true,
      default: false,
    },
    {
      name: "rounds",
      label: "Rounds",
      help: "",
      kind: "number",
      low: 1,
      high: 9,
      optional: true,
      first: true,
      default: null,
    },
    {
      name: "sizes",
      label: "Sizes",
      help: "",
      kind: "numbers",
      optional: true,
      first: false,
      default: null,
    },
    {
      name: "eras",
      label: "Eras",
      help: "",
      kind: "set",
      choices: [
        { value: 1, label: "early" },
        { value: 2, label: "late" },
      ],
      optional: false,
      first: false,
      default: [1, 2],
    },
    {
      name: "mode",
      label: "Mode",
      help: "",
      kind: "choice",
      choices: [
        { value: 1, label: "one" },
        { value: 2, label: "two" },
      ],
      optional: true,
      first: false,
      default: 2,
    },
  ],
};

const HANDBOOK = {
  fox: {
    title: "The fox",
    text: ["It is red.", "It is clever."],
    facts: [{ label: "Lives", value: "in the wood" }],
  },
};

let body;

beforeEach(() => {
  body = page(["(prefers-reduced-motion: reduce)"]);
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

function mount(shown, more = {}) {
  const languages = [
    { value: "en", label: "English" },
    { value: "zh-Hant", label: "繁體中文" },
  ];
  const symbols = [
    "fox",
    "back",
    "back-red",
    ...[0, 1, 2, 3, 4, 5, 6, "O", "X"].map((value) => `die-${value}`),
  ];
  const art = `<svg>${symbols.map((id) => `<symbol id="ck-${id}"/>`).join("")}</svg>`;
  const model = new Model({
    view: shown,
    setup: SETUP,
    words: WORDS,
    languages,
    art,
    handbook: HANDBOOK,
    ...more,
  });
  const close = table.render({ model, el: body });
  const find = (selector) => body.querySelector(selector);
  // What was sent, without the match it is about, which every message names.
  const sent = (type) =>
    model.sent
      .filter((each) => each.type === type)
      .map(({ match, branch, events, ...rest }) => {
        assert.deepEqual(
          [match, branch, events],
          [model.get("view").match, model.get("view").branch, model.get("view").events],
        );
        return rest;
      });
  return {
    model,
    close,
    find,
    sent,
    all: (selector) => body.querySelectorAll(selector),
    key: (key) => find(`[data-key='${key}']`),
  };
}

test("seats go round from the viewer's left, with pips, badges and turn", () => {
  const places = [
    place(0),
    place(1, { you: true, turn: true }),
    place(2, { tokens: { have: 3, want: 2 }, badges: ["deals"], backs: 4 }),
  ];
  const { all, find } = mount(view([scene([{ kind: "seats", place: "far", places }])]));
  assert.deepEqual(
    all(".ck-plate").map((each) => each.dataset.seat),
    ["2", "0", "1"],
  );
  assert.deepEqual(
    all(".ck-pip").map((each) => each.getAttribute("class")),
    ["ck-pip ck-full", "ck-pip ck-full", "ck-pip ck-extra"],
  );
  assert.equal(all(".ck-back").length, 4);
  assert.equal(find(".ck-badge").textContent, "deals");
  assert.match(find(".ck-turn").textContent, /<your_turn>/);
  assert.ok(find(".ck-near").contains(find(".ck-you")));
});

test("a hand is a toolbar with one stop for Tab; cards that may not be played can still be touched", () => {
  const { all, find } = mount(
    view([
      scene([
        hand(piece("a", { action: 1, legal: false }), piece("b", { action: 2, legal: true })),
      ]),
    ]),
  );
  const [a, b] = all(".ck-piece");
  assert.equal(find(".ck-hand").getAttribute("role"), "toolbar");
  assert.deepEqual([a.getAttribute("tabindex"), b.getAttribute("tabindex")], ["-1", "0"]);
  assert.deepEqual(
    [a.getAttribute("aria-disabled"), b.getAttribute("aria-disabled")],
    ["true", null],
  );
  assert.equal(a.getAttribute("aria-label"), "Fox a");
  b.focus();
  b.dispatch("keydown", { key: "ArrowRight" });
  assert.equal(document.activeElement, a);
  a.dispatch("keydown", { key: "End" });
  assert.equal(document.activeElement, b);
});

test("row, pile, choices, pad and tricks are drawn", () => {
  const row = {
    kind: "row",
    place: "middle",
    note: "follow",
    pieces: [piece("r", { caption: "Ute", mark: "takes it" })],
  };
  const pile = { kind: "pile", place: "middle", count: 8, top: piece("t"), note: "trump" };
  const choices = {
    kind: "choices",
    place: "near",
    choices: [
      { label: "four", action: 4, legal: true },
      { label: "five", action: 5, legal: false },
    ],
  };
  const rows = [
    {
      head: "1",
      cells: [
        { parts: ["2", "20"], tone: "green" },
        { parts: ["0", "-10"], tone: "red" },
      ],
    },
  ];
  const pad = {
    kind: "pad",
    place: "side",
    label: "Pad",
    columns: ["An", "Bo"],
    parts: ["bid", "points"],
    rows,
  };
  const tricks = {
    kind: "tricks",
    place: "side",
    label: "Last",
    folded: true,
    tricks: [[piece("x"), piece("y")]],
  };
  const { all, find } = mount(view([scene([row, pile, choices, pad, tricks])]));
  assert.equal(find("[data-piece='r']").getAttribute("aria-label"), "Fox r, Ute, takes it");
  assert.match(find(".ck-pile").textContent, /×8/);
  assert.deepEqual(
    all(".ck-choice").map((each) => each.textContent),
    ["four", "five"],
  );
  assert.deepEqual(
    all("td").map((each) => each.textContent),
    ["2", "20", "0", "-10"],
  );
  assert.equal(find(".ck-column").getAttribute("colspan"), "2");
  assert.deepEqual(
    find(".ck-tricks")
      .querySelectorAll("[data-piece]")
      .map((each) => each.dataset.piece),
    ["x", "y"],
  );
  assert.equal(find("details").getAttribute("open"), null);
});

test("everything that takes the keyboard keeps its keys from the notebook", () => {
  const { all, find } = mount(view([scene([hand(piece("a", { action: 1, legal: true }))])]));
  find(".ck-new").click();
  const stops = [
    ...all("button"),
    ...all("select"),
    ...all("input"),
    ...all("summary"),
    ...all("[tabindex]"),
  ];
  assert.ok(stops.length > 15);
  for (const each of stops) assert.equal(each.dataset.lmSuppressShortcuts, "true", each.localName);
});

test("an action carries match, branch and count, and the seat of a piece that has one", () => {
  const { key, sent, model } = mount(
    view([
      scene([
        hand(
          piece("a", { action: { bid: 0 }, legal: true }),
          piece("b", { action: 0, legal: false, seat: -1 }),
        ),
      ]),
    ]),
  );
  key("a").click();
  assert.deepEqual(sent("act"), [{ type: "act", acted: 5, seat: 0, action: { bid: 0 } }]);
  key("b").click();
  assert.equal(sent("act").length, 1, "one at a time");
  model.hear({ type: "refused", text: "no" });
  key("b").click();
  assert.deepEqual(sent("act")[1], { type: "act", acted: 5, seat: -1, action: 0 });
});

test("a refusal is shown and marks what was touched, until something else is done", () => {
  const { key, find, model } = mount(
    view([scene([hand(piece("a", { action: 1, legal: false }))])]),
  );
  key("a").click();
  model.hear({ type: "refused", text: "Follow foxes." });
  assert.equal(find(".ck-refusal").textContent, "Follow foxes.");
  assert.equal(find(".ck-refusal").getAttribute("role"), "status");
  assert.ok(key("a").matches(".ck-refused"));
  key("a").click();
  assert.equal(find(".ck-refusal").textContent, "");
});

test("what a room has not got waits, is told at once, and is not decided twice", () => {
  const cards = [
    hand(piece("a", { action: 1, legal: true }), piece("b", { action: 2, legal: true })),
  ];
  const hosted = { hosted: true, left: {} };
  const { key, find, model, sent } = mount(view([scene(cards)], hosted));
  const said = () => find(".ck-refusal").textContent;
  key("a").click();
  model.hear({ type: "unsent" });
  assert.equal(said(), "unsent");
  key("a").click();
  key("b").click();
  mock.timers.tick(60_000);
  assert.equal(said(), "unsent");
  model.set("view", view([scene(cards)], hosted)); // the room is back, and has not got it yet
  model.hear({ type: "unsent" });
  key("b").click();
  assert.deepEqual(
    sent("act").map(({ action }) => action),
    [1],
  );
  model.hear({ type: "sent" });
  assert.equal(said(), "");
  key("b").click();
  assert.equal(sent("act").length, 2);
});

test("scenes are played in order, each for its beat; then the kernel is asked once for more", () => {
  const scenes = [
    scene([], { prompt: "one" }),
    scene([], { prompt: "two", beat: 2 }),
    scene([], { prompt: "three" }),
  ];
  const { find, sent } = mount(view(scenes, { more: true }));
  const shown = () => find(".ck-prompt").textContent.replace("<skip>", "");
  assert.equal(shown(), "one");
  mock.timers.tick(899);
  assert.equal(shown(), "one");
  mock.timers.tick(1);
  assert.equal(shown(), "two");
  assert.equal(find(".ck-story").textContent, "line 0line 1");
  mock.timers.tick(1799);
  assert.equal(shown(), "two");
  mock.timers.tick(1);
  assert.equal(shown(), "three");
  assert.equal(sent("more").length, 0);
  mock.timers.tick(5000);
  assert.equal(sent("more").length, 1);
});

test("a touch while scenes are played skips to the last and plays nothing", () => {
  const cards = hand(piece("a", { action: 1, legal: true }));
  const { key, find, sent } = mount(
    view([scene([cards]), scene([cards]), scene([cards], { prompt: "now" })]),
  );
  key("a").click();
  assert.equal(find(".ck-prompt").textContent, "now");
  assert.equal(sent("act").length, 0);
  key("a").click();
  assert.equal(sent("act").length, 1);
});

test("a new view while scenes are played takes their place; the same moment in another language goes on", () => {
  const said = (...prompts) => view(prompts.map((prompt) => scene([], { prompt })));
  const { find, model } = mount(said("one", "two", "three"));
  mock.timers.tick(900);
  model.set("view", { ...said("eins", "zwei", "drei"), language: "zh-Hant" });
  assert.match(find(".ck-prompt").textContent, /zwei/);
  model.set("view", { ...said("four", "five"), acted: 6 });
  assert.match(find(".ck-prompt").textContent, /four/);
  mock.timers.tick(900);
  assert.equal(find(".ck-prompt").textContent, "five");
});

test("speed is remembered; at once shows the last scene", () => {
  localStorage.setItem("coursekit:speed", "once");
  const { find } = mount(view([scene([], { prompt: "one" }), scene([], { prompt: "two" })]));
  assert.equal(find(".ck-prompt").textContent, "two");
  const speed = find("[data-key='speed']");
  speed.value = "2";
  speed.dispatch("change");
  assert.equal(localStorage.getItem("coursekit:speed"), "fast");
});

test("hello tells the match remembered, and whether this tab played it", () => {
  localStorage.setItem("coursekit:/lesson:t", "old");
  const { model, sent } = mount(view([scene()]));
  assert.deepEqual(sent("hello"), [{ type: "hello", remembered: "old", same_tab: false }]);
  model.set("view", view([scene()], { match: "m2", kept: false }));
  assert.equal(localStorage.getItem("coursekit:/lesson:t"), "old");
  model.set("view", view([scene()], { match: "m2" }));
  assert.equal(sessionStorage.getItem("coursekit:/lesson:t"), "m2");
  assert.deepEqual(mount(view([scene()])).sent("hello"), [
    { type: "hello", remembered: "m2", same_tab: true },
  ]);
});

test("a page without storage works", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("no");
    },
  });
  globalThis.sessionStorage = undefined;
  const { model, sent } = mount(view([scene()]));
  model.set("view", view([scene()], { acted: 6 }));
  assert.deepEqual(sent("hello"), [{ type: "hello", remembered: null, same_tab: false }]);
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    writable: true,
    value: null,
  });
});

test("a covered hand waits for its owner", () => {
  const { find, key, sent } = mount(
    view([scene()], { covered: [{ seat: 1, name: "Ute" }], people: 2 }),
  );
  assert.equal(find(".ck-covered-name").textContent, "Ute, please");
  assert.equal(key("uncover-1").textContent, "I am Ute");
  key("uncover-1").click();
  assert.deepEqual(sent("uncover"), [{ type: "uncover", seat: 1 }]);
});

test("a screen that several may take asks for the next of them first, in the words that the kernel has for it", () => {
  const covered = [
    { seat: 2, name: "Ute" },
    { seat: 0, name: "Ida" },
  ];
  const { find, key } = mount(
    view([scene()], { covered, covered_words: "Who writes?", people: 3 }),
  );
  assert.equal(find(".ck-covered-name").textContent, "Who writes?");
  assert.deepEqual(
    [2, 0].map((seat) => key(`uncover-${seat}`).matches(".ck-primary")),
    [true, false],
  );
});

test("looking back: steps, fork and the way back", () => {
  const { key, all, sent, find } = mount(view([scene()], { looking_back: true, entry: 0 }));
  key("back").click();
  assert.equal(sent("step").length, 0, "there is nothing before the start");
  key("forward").click();
  find(".ck-slide").value = "7";
  find(".ck-slide").dispatch("change");
  assert.deepEqual(
    sent("step").map((each) => each.entry),
    [1, 7],
  );
  all(".ck-button")
    .find((each) => each.textContent === "fork")
    .click();
  assert.deepEqual(sent("fork"), [{ type: "fork", entry: 0 }]);
  key("now").click();
  assert.equal(sent("now").length, 1);
});

test("what may not be done is not offered", () => {
  const { key, find } = mount(
    view([scene()], { may_look_back: false, may_save: false, seed: null, people: 2 }),
  );
  for (const name of ["first", "save", "seed"]) assert.equal(key(name), null);
  assert.equal(find(".ck-box"), null);
});

test("trouble and an unfinished match can be answered", () => {
  const trouble = { text: "Bot failed", seat: 2, by: "Bot", choices: SETUP.by };
  const { all, find, sent } = mount(
    view([scene()], { trouble, offer: { id: "old", title: "Unfinished", resume: "resume" } }),
  );
  const press = (text) =>
    all(".ck-button")
      .find((each) => each.textContent === text)
      .click();
  const who = find(".ck-box-trouble").children.find(
    (each) => each.getAttribute("data-key") === "who",
  );
  press("plays_on");
  who.value = "0";
  who.dispatch("change");
  press("plays_on");
  press("resume");
  press("dismiss");
  assert.deepEqual(
    sent("replace").map(({ seat, by }) => [seat, by]),
    [
      [2, "Bot"],
      [2, "person"],
    ],
  );
  assert.deepEqual(sent("resume"), [{ type: "resume", match_id: "old" }]);
  assert.equal(sent("dismiss").length, 1);
});

const tick = (all, value) =>
  all("input").find(
    (each) => each.getAttribute("type") === "radio" && each.getAttribute("value") === value,
  );

test("the form says what was chosen", () => {
  const { find, all, sent, model } = mount(view([scene()]));
  find(".ck-new").click();
  assert.match(find(".ck-form").textContent, /<new_match>/);
  const inputs = all(".ck-field").map((each) => each.children[1]);
  const [speedy, rounds, sizes, eras, mode, seed] = inputs;
  tick(all, "3").dispatch("change");
  assert.equal(all(".ck-form-seat").length, 3);
  const name = all(".ck-form-names input")[2];
  name.value = "Kim";
  name.dispatch("input");
  speedy.checked = true;
  speedy.dispatch("change");
  rounds.value = "";
  rounds.dispatch("input");
  sizes.value = "1, 2、 x";
  sizes.dispatch("input");
  const [early] = eras.querySelectorAll("input");
  early.checked = false;
  early.dispatch("change");
  mode.value = "0";
  mode.dispatch("change");
  seed.value = " lucky ";
  seed.dispatch("input");
  find(".ck-form").dispatch("submit");
  assert.deepEqual(sent("new"), [
    {
      type: "new",
      players: 3,
      seed: "lucky",
      options: { speedy: true, rounds: null, sizes: [1, 2, "x"], eras: [2], mode: null },
      seats: [
        { by: "person", name: "An" },
        { by: "bot", name: "" },
        { by: "bot", name: "Kim" },
      ],
    },
  ]);
  model.hear({ type: "refused", text: "x is no number" });
  assert.equal(find(".ck-form-says").textContent, "x is no number");
  model.set("view", view([scene()], { match: "m2" }));
  assert.equal(find(".ck-form"), null);
  assert.equal(find(".ck-stage").hidden, false);
});

test("who plays is chosen in one press: people, or computers of a level", () => {
  const { find, all, sent } = mount(view([scene()]));
  const cards = (group) =>
    all(".ck-tick-card")
      .filter(({ parent }) => parent.children[0].getAttribute("name").endsWith(group))
      .map((card) => card.textContent.trim());
  find(".ck-new").click();
  assert.deepEqual(cards("mix"), ["2 people", "1 and 1"]);
  assert.deepEqual(cards("level"), ["Computer, easy Bot", "Computer, strong Ace"]);
  tick(all, "ace").dispatch("change");
  tick(all, "3").dispatch("change");
  assert.deepEqual(cards("mix"), ["3 people", "1 and 2"]);
  find(".ck-form").dispatch("submit");
  assert.deepEqual(
    sent("new")[0].seats.map(({ by }) => by),
    ["person", "ace", "ace"],
  );
  const [people] = all(".ck-tick-card").map(({ parent }) => parent.children[0]);
  people.dispatch("change");
  assert.equal(find(".ck-who-plays").querySelectorAll("fieldset")[0].hidden, true);
  find(".ck-form").dispatch("submit");
  assert.deepEqual(
    sent("new")[1].seats.map(({ by }) => by),
    ["person", "person", "person"],
  );
});

test("a rule that is set to 0 is sent as 0", () => {
  const { find, all, sent } = mount(view([scene()]));
  find(".ck-new").click();
  const rounds = all(".ck-field")[1].children[1];
  rounds.value = "0";
  rounds.dispatch("input");
  find(".ck-form").dispatch("submit");
  assert.equal(sent("new")[0].options.rounds, 0);
});

test("a way to play with a name fills in the rules, and is shown while they are its own", () => {
  const slow = {
    name: "slow",
    label: "Slow",
    help: "Takes long.",
    time: "2 hours",
    options: { speedy: false, rounds: 9 },
  };
  const quick = { name: "quick", label: "Quick", help: "", options: { speedy: true, rounds: 2 } };
  const { find, all, sent, model } = mount(view([scene()]));
  model.set("setup", { ...SETUP, presets: [slow, quick] });
  find(".ck-new").click();
  const way = () => {
    const chosen = all(".ck-ways input").find((each) => each.getAttribute("checked") !== null);
    return chosen.parent.textContent.trim();
  };
  const field = (label) =>
    all(".ck-field").find((each) => each.children[0].textContent === label).children[1];
  assert.equal(way(), "own_rules");
  all(".ck-ways input")[0].dispatch("change");
  assert.equal(way(), "Slow 2 hours Takes long.");
  assert.equal(all(".ck-ways input").length, 2);
  assert.equal(field("Rounds").getAttribute("value"), "9");
  field("Rounds").value = "2";
  field("Rounds").dispatch("input");
  assert.equal(way(), "own_rules");
  field("Speedy").checked = true;
  field("Speedy").dispatch("change");
  assert.equal(way(), "Quick");
  find(".ck-form").dispatch("submit");
  assert.deepEqual(sent("new")[0].options, {
    speedy: true,
    rounds: 2,
    sizes: null,
    eras: [1, 2],
    mode: 2,
  });
});

test("words are the kernel's; changing the language asks the kernel", () => {
  const { find, key, sent, model } = mount(view([scene()]));
  assert.equal(find(".ck-new").textContent, "<new_match>");
  key("language").value = "1";
  key("language").dispatch("change");
  assert.deepEqual(sent("language"), [{ type: "language", language: "zh-Hant" }]);
  model.set("words", { ...WORDS, new_match: "新的一局" });
  model.set("view", view([scene()], { language: "zh-Hant" }));
  assert.equal(find(".ck-new").textContent, "新的一局");
  assert.equal(find(".ck-table").getAttribute("lang"), "zh-Hant");
});

test("a file is read and sent", async () => {
  const { all, sent } = mount(view([scene()]));
  const input = all("input").find((each) => each.getAttribute("type") === "file");
  input.files = [{ text: async () => "{}" }];
  input.dispatch("change");
  await new Promise(setImmediate);
  assert.deepEqual(sent("load"), [{ type: "load", text: "{}" }]);
});

test("new lines of the story are announced once", () => {
  const { find, all, model } = mount(view([scene()], { story: ["deal"], told: [1] }));
  model.set(
    "view",
    view([scene()], { acted: 6, story: ["deal", "An plays", "Bo plays"], told: [3] }),
  );
  const live = all("[role='status']").at(-1);
  assert.equal(live.textContent, "An plays Bo plays");
  assert.deepEqual(
    find(".ck-story").children.map((each) => each.textContent),
    ["deal", "An plays", "Bo plays"],
  );
});

test("the keyboard stays where it is, and goes on to what can be done", () => {
  const cards = (...ids) => hand(...ids.map((id, at) => piece(id, { action: at, legal: true })));
  const { key, model } = mount(view([scene([cards("a", "b", "c")], { turn: true })]));
  key("b").focus();
  model.set("view", view([scene([cards("a", "b", "c")], { turn: true })], { language: "zh-Hant" }));
  assert.equal(document.activeElement, key("b"));
  model.set(
    "view",
    view([scene([hand(piece("a"), piece("c"))]), scene([cards("a", "c")], { turn: true })], {
      acted: 6,
    }),
  );
  assert.equal(document.activeElement, key("prompt"));
  mock.timers.tick(900);
  assert.equal(document.activeElement, key("a"));
  key("back").focus();
  model.set("view", view([scene([cards("a", "c")], { turn: true })], { acted: 7 }));
  assert.equal(document.activeElement, key("back"));
});

// Pieces with several things to do, and pages

const TWO = [
  { label: "Play", action: "play", legal: true, primary: true },
  { label: "Away", action: "away", legal: false },
];
const withSheet = (more = {}) =>
  scene([hand(piece("a", { choices: TWO, about: "fox" }), piece("b", { about: "fox" }))], {
    turn: true,
    ...more,
  });

test("decisions of several people stand in a row each, short, and say aloud whose they are", () => {
  const choice = (seat, action) => ({
    label: `P${seat}: ${action}, it counts`,
    short: action,
    of: `P${seat}`,
    action,
    legal: true,
    seat,
  });
  const choices = [
    choice(0, "yes"),
    choice(0, "no"),
    choice(2, "yes"),
    choice(2, "no"),
    { label: "Count", action: "close", legal: true, seat: -1 },
  ];
  const { all, find, sent } = mount(
    view([scene([{ kind: "choices", place: "near", choices }], { turn: true })]),
  );
  assert.deepEqual(
    all(".ck-choice-row").map((row) => row.textContent),
    ["P0yesno", "P2yesno"],
  );
  assert.deepEqual(
    all(".ck-choice").map((each) => each.getAttribute("aria-label")),
    ["P0: yes, it counts", "P0: no, it counts", "P2: yes, it counts", "P2: no, it counts", null],
  );
  assert.equal(find(".ck-choices").children.length, 3, "what belongs to nobody stands by itself");
  all(".ck-choice")[3].click();
  assert.deepEqual(
    sent("act").map(({ action, seat }) => [action, seat]),
    [["no", 2]],
  );
});

test("a pad with sums has them by player as well, the total first", () => {
  const row = (head, ...numbers) => ({
    head,
    cells: numbers.map((number) => ({ parts: ["", number] })),
  });
  const pad = {
    kind: "pad",
    place: "near",
    label: "Pad",
    columns: ["An", "Bo"],
    parts: ["answer", "points"],
    rows: [row("1", "2", ""), row("Button", "3", "1"), row("Total", "5", "1")],
  };
  assert.equal(mount(view([scene([pad])])).find(".ck-pad-people"), null);
  const { all } = mount(view([scene([{ ...pad, sums: 2 }])]));
  assert.deepEqual(
    all(".ck-pad-people tr").map((each) => each.children.map((cell) => cell.textContent)),
    [
      ["", "Total", "Button"],
      ["An", "5", "3"],
      ["Bo", "1", "1"],
    ],
  );
  assert.deepEqual(
    all(".ck-pad-sums").map((each) => each.children[0].textContent),
    ["Button", "Total"],
  );
});

test("touching a piece with choices opens its sheet, and asks for nothing", () => {
  const { key, find, all, model } = mount(view([withSheet()]));
  key("a").click();
  const sheet = find(".ck-sheet");
  assert.equal(sheet.getAttribute("role"), "dialog");
  assert.equal(sheet.getAttribute("aria-label"), "Fox a");
  for (const words of [
    "The fox",
    "It is red.",
    "It is clever.",
    "Lives",
    "in the wood",
    "Play",
    "Away",
  ])
    assert.match(sheet.textContent, new RegExp(words));
  assert.equal(sheet.querySelectorAll(".ck-card").length, 1);
  assert.deepEqual(
    model.sent.map((each) => each.type),
    ["hello"],
  );
  assert.equal(document.activeElement.textContent, "Play");
  assert.equal(all("[aria-modal]").length, 0);
});

test("facts of a page that follow each other under one heading say it once", () => {
  const facts = ["Eats", "Eats", "Lives"].map((label, at) => ({ label, value: `fact ${at}` }));
  const cards = hand(piece("a", { about: "fox" }));
  const { all, key } = mount(view([scene([cards])]), {
    handbook: { fox: { title: "The fox", text: [], facts } },
  });
  key("a").click();
  assert.deepEqual(
    all(".ck-page-facts dt").map((each) => each.textContent),
    ["Eats", "Lives"],
  );
  assert.equal(all(".ck-page-facts dd").length, 3);
});

test("a sheet without choices is only read", () => {
  const { key, find } = mount(view([withSheet()]));
  key("b").click();
  assert.equal(find(".ck-sheet .ck-choice"), null);
  assert.equal(document.activeElement, key("sheet-close"));
});

test("a text with a heading stands below the facts, and a page without one begins with it", () => {
  for (const [heading, order] of [
    [undefined, ["It", "Lives"]],
    ["Story", ["Lives", "Story", "It"]],
  ]) {
    const { key, find, close } = mount(view([withSheet()]), {
      handbook: { fox: { ...HANDBOOK.fox, heading } },
    });
    key("a").click();
    const shown = find(".ck-sheet-body").textContent;
    const at = order.map((words) => shown.indexOf(words));
    assert.ok(
      at.every((each, number) => each >= 0 && (number === 0 || each > at[number - 1])),
      shown,
    );
    close();
  }
});

test("a choice of the sheet is asked of the kernel; the next view closes the sheet", () => {
  const { key, find, sent, model } = mount(view([withSheet()]));
  key("a").click();
  key('sheet-"play"').click();
  assert.deepEqual(sent("act"), [{ type: "act", acted: 5, seat: 0, action: "play" }]);
  assert.ok(find(".ck-sheet"), "open until the kernel answers");
  model.set("view", view([withSheet()], { acted: 6 }));
  assert.equal(find(".ck-sheet"), null);
  assert.equal(document.activeElement, key("a"), "on to what can be done");
});

test("an unlit choice is asked too, and the reason stands in the sheet", () => {
  const { key, find, sent, model } = mount(view([withSheet()]));
  key("a").click();
  assert.equal(key('sheet-"away"').getAttribute("aria-disabled"), "true");
  key('sheet-"away"').click();
  assert.equal(sent("act").length, 1);
  model.hear({ type: "refused", text: "Foxes stay." });
  assert.equal(find(".ck-sheet .ck-refusal").textContent, "Foxes stay.");
  assert.equal(find(".ck-sheet .ck-refusal").getAttribute("role"), "status");
  assert.equal(find(".ck-cloth .ck-refusal").textContent, "");
  assert.ok(key('sheet-"away"').matches(".ck-refused"));
  key('sheet-"play"').click();
  assert.equal(sent("act").length, 2);
  assert.equal(find(".ck-sheet .ck-refusal").textContent, "");
});

test("Escape, the close button, the card itself and a touch elsewhere close the sheet", () => {
  const { key, find } = mount(view([withSheet()]));
  const ways = [
    () => key('sheet-"play"').dispatch("keydown", { key: "Escape" }),
    () => key("sheet-close").click(),
    () => key("a").click(),
    () => find(".ck-story").click(),
    () => body.click(),
  ];
  for (const close of ways) {
    key("a").click();
    assert.ok(find(".ck-sheet"));
    close();
    assert.equal(find(".ck-sheet"), null, String(close));
    assert.equal(document.activeElement, key("a"), String(close));
  }
  key("a").click();
  find(".ck-sheet-body").click();
  assert.ok(find(".ck-sheet"), "a touch inside leaves it open");
  key("b").click();
  assert.equal(find(".ck-sheet").dataset.sheet, "b");
});

test("arrow keys walk through the buttons of a sheet, which keep their keys from the notebook", () => {
  const { key, find } = mount(view([withSheet()]));
  key("a").click();
  document.activeElement.dispatch("keydown", { key: "ArrowDown" });
  assert.equal(document.activeElement, key('sheet-"away"'));
  document.activeElement.dispatch("keydown", { key: "ArrowRight" });
  assert.equal(document.activeElement, key('sheet-"play"'));
  assert.notEqual(key("sheet-close").getAttribute("tabindex"), "-1"); // a stop of its own
  document.activeElement.dispatch("keydown", { key: "End" });
  document.activeElement.dispatch("keydown", { key: "Home" });
  assert.equal(document.activeElement, key('sheet-"play"'));
  const stops = [...find(".ck-sheet").querySelectorAll("button"), find(".ck-sheet-body")];
  for (const each of stops) assert.equal(each.dataset.lmSuppressShortcuts, "true");
});

test("a key held down presses nothing in a sheet", () => {
  const { key, find } = mount(view([withSheet()]));
  key("a").click();
  assert.ok(find(".ck-sheet"));
  const held = document.activeElement.dispatch("keydown", { key: "Enter", repeat: true });
  assert.ok(held.prevented);
  assert.ok(!document.activeElement.dispatch("keydown", { key: "Enter" }).prevented);
});

test("the sheet stays open in another language, with its words and the keyboard where it was", () => {
  const { key, find, model } = mount(view([withSheet()]));
  key("a").click();
  key('sheet-"away"').focus();
  model.set("handbook", { fox: { ...HANDBOOK.fox, title: "狐狸" } });
  model.set("view", view([withSheet()], { language: "zh-Hant" }));
  assert.match(find(".ck-sheet").textContent, /狐狸/);
  assert.equal(document.activeElement, key('sheet-"away"'));
  model.set("view", view([scene([], { turn: true })], { language: "en" }));
  assert.equal(find(".ck-sheet"), null, "the piece is gone");
});

test("no sheet opens while scenes are played", () => {
  const { key, find } = mount(view([withSheet(), withSheet({ prompt: "now" })]));
  key("a").click();
  assert.equal(find(".ck-sheet"), null);
  assert.equal(find(".ck-prompt").textContent, "now");
});

test("a card is lit by its choices, and quiet if it can only be given away", () => {
  const [play, away] = TWO;
  const cards = [
    [play, away],
    [
      { ...play, legal: false },
      { ...away, legal: true },
    ],
    [{ ...play, legal: false }, away],
  ];
  const { all } = mount(
    view([scene([hand(...cards.map((choices, at) => piece(`c${at}`, { choices })))])]),
  );
  const signs = all(".ck-piece").map((each) =>
    ["ck-legal", "ck-quiet", "ck-unlit"].filter((sign) => each.matches(`.${sign}`)),
  );
  assert.deepEqual(signs, [["ck-legal"], ["ck-legal", "ck-quiet"], ["ck-unlit"]]);
  assert.ok(
    all(".ck-piece").every((each) => each.getAttribute("aria-disabled") === null),
    "each can be read",
  );
});

// Boards, dice, named piles

test("squares show their names, and the piece that lies in one can be touched", () => {
  const squares = [
    { label: "Den", piece: piece("q", { about: "fox" }) },
    { label: "Field", piece: null },
  ];
  const middle = { kind: "squares", place: "middle", label: "Shared", squares };
  const places = [place(0, { you: true, team: { label: "A", tone: "blue" } }), place(1)];
  const { all, find, key } = mount(
    view([scene([{ kind: "seats", place: "far", places }, middle])]),
  );
  assert.deepEqual(
    find(".ck-middle")
      .querySelectorAll(".ck-square-name")
      .map((each) => each.textContent),
    ["Den", "Field"],
  );
  assert.deepEqual(
    all(".ck-empty").map((each) => each.textContent),
    ["Field"],
  );
  assert.equal(find(".ck-you .ck-team").textContent, "A");
  assert.ok(find(".ck-team").matches(".ck-tone-blue"));
  key("q").click();
  assert.equal(find(".ck-sheet").dataset.sheet, "q");
});

test("piles have names and backs of their own; an empty one with a name is still a place", () => {
  const pile = (more) => ({
    kind: "pile",
    place: "middle",
    label: "Pile",
    count: 0,
    top: null,
    ...more,
  });
  const { all } = mount(
    view([
      scene([
        pile({ caption: "Deck", count: 3, back: { back: true, art: "back-red" } }),
        pile({ caption: "Used" }),
        pile({}),
      ]),
    ]),
  );
  assert.deepEqual(
    all(".ck-pile-name").map((each) => each.textContent),
    ["Deck", "Used"],
  );
  assert.match(all(".ck-pile")[0].textContent, /×3/);
  assert.equal(all(".ck-named").length, 2);
});

const dice = (...values) =>
  scene([
    {
      kind: "dice",
      place: "middle",
      dice: values.map((value) => ({ value, label: `die ${value}` })),
    },
  ]);
const tumbled = (all) => all(".ck-die").map((each) => each.animations?.length ?? 0);

test("a die tumbles when it is thrown, and only then", async () => {
  body = page([]);
  const { all, model, find } = mount(view([dice(0, 3)]));
  assert.deepEqual(
    all(".ck-die").map((each) => each.dataset.value),
    ["0", "3"],
  );
  assert.equal(find(".ck-dice").children[1].getAttribute("aria-label"), "die 3");
  assert.deepEqual(tumbled(all), [0, 0]);
  model.set("view", view([dice(5, 4)], { acted: 6 }));
  assert.deepEqual(tumbled(all), [1, 0]);
  assert.deepEqual(
    all(".ck-die").map((each) => each.dataset.value),
    ["0", "3"],
    "it does not show yet what it will",
  );
  assert.equal(all(".ck-die")[0].children.length, 8, "it shows all its faces in turn");
  await rest();
  assert.deepEqual(
    all(".ck-die").map((each) => each.dataset.value),
    ["5", "4"],
  );
  await rest();
  model.set("view", view([dice(5, 4)], { acted: 7 }));
  assert.deepEqual(tumbled(all), [0, 0]);
});

test("a die does not tumble for those who want less motion", () => {
  const { all, model } = mount(view([dice(0)]));
  model.set("view", view([dice(6)], { acted: 6 }));
  assert.deepEqual(tumbled(all), [0]);
});

test("a die lands before its prompt, choices and story are seen; a touch lets it land at once", async () => {
  body = page([]);
  const choices = {
    kind: "choices",
    place: "near",
    choices: [{ label: "Go on", action: "go", legal: true }],
  };
  const landed = (acted) =>
    view([{ ...dice(5), prompt: "Five!", zones: [...dice(5).zones, choices] }], {
      acted,
      more: true,
      story: ["It is five."],
    });
  const { find, model, sent } = mount(view([dice(0)], { story: ["", "Go"], told: [0] }));
  const seen = () => [
    find(".ck-prompt").textContent.replace("<skip>", ""),
    find(".ck-choice")?.textContent,
    find(".ck-story").textContent,
    find(".ck-thrown").getAttribute("aria-label"),
  ];
  model.set("view", landed(6));
  assert.deepEqual(seen(), ["<thrown>", undefined, "", "die 0"]);
  mock.timers.tick(60_000);
  assert.deepEqual(seen(), ["<thrown>", undefined, "", "die 0"], "however long it takes");
  await rest();
  assert.deepEqual(seen(), ["<thrown>", undefined, "", "die 5"]);
  await rest();
  assert.deepEqual(seen(), ["Five!", "Go on", "It is five.", "die 5"]);
  mock.timers.tick(269);
  assert.equal(sent("more").length, 0);
  mock.timers.tick(1);
  assert.equal(sent("more").length, 1, "after one beat in all");
  model.set("view", view([dice(0)], { acted: 7 }));
  model.set("view", landed(8));
  assert.equal(seen()[0], "<thrown>");
  find(".ck-cloth").click();
  assert.equal(seen()[0], "Five!");
  await rest();
  assert.equal(seen()[0], "Five!", "what has been skipped does not go on");
});

test("a button can show a die that waits to be thrown", () => {
  const choices = {
    kind: "choices",
    place: "near",
    choices: [{ label: "Throw", action: "roll", legal: true, die: 0 }],
  };
  const { find } = mount(view([scene([choices])]));
  assert.equal(find(".ck-choice .ck-die").dataset.value, "0");
});

test("a die can show a letter; it tumbles from 0, and its thrower is named", async () => {
  body = page([]);
  const letters = (...values) =>
    scene([
      {
        kind: "dice",
        place: "middle",
        dice: values.map((value) => ({ value, label: `die ${value}`, caption: `of ${value}` })),
      },
    ]);
  const { all, model } = mount(view([letters("0", "0")]));
  model.set("view", view([letters("X", "0")], { acted: 6 }));
  assert.deepEqual(tumbled(all), [1, 0]);
  await rest();
  await rest();
  assert.deepEqual(
    all(".ck-die").map((each) => each.dataset.value),
    ["X", "0"],
  );
  assert.deepEqual(
    all(".ck-thrown").map((each) => each.textContent),
    ["of X", "of 0"],
  );
  model.set("view", view([letters("X", "O")], { acted: 7 }));
  assert.deepEqual(tumbled(all), [0, 1]);
  assert.ok(
    all(".ck-die").every((each) => each.children.length),
    "each letter is drawn",
  );
});

// Tracks, notices, cards set in type

const space = (label, more = {}) => ({
  label,
  short: label.slice(2),
  pieces: [],
  markers: [],
  state: "",
  ...more,
});
const side = (spaces, more = {}) => ({
  label: "years",
  spaces,
  corner: space("corner"),
  now: false,
  ...more,
});
const track = (sides, zones = []) => ({
  kind: "track",
  place: "middle",
  label: "Track",
  sides,
  zones,
});

test("a track shows the sides in order, what is printed on the spaces, and the markers where they stand", () => {
  const spaces = [
    space("1949", { markers: [piece("m0"), piece("m1")] }),
    space("1950", { pieces: [piece("e", { about: "fox" })], state: "done" }),
  ];
  const sides = [
    side(spaces, { now: true }),
    side([space("1960")]),
    side([space("1970")]),
    side([space("1980")]),
  ];
  const { all, find, key } = mount(view([scene([track(sides)])]));
  assert.deepEqual(
    all(".ck-space-long").map((each) => each.textContent),
    ["1949", "1950", "corner", "1960", "corner", "1970", "corner", "1980", "corner"],
  );
  assert.deepEqual(
    all(".ck-now").map((each) => each.getAttribute("aria-label")),
    ["years"],
  );
  assert.ok(find(".ck-track-1").matches(".ck-now"));
  assert.deepEqual(
    all(".ck-space-done").map((each) => each.querySelector(".ck-space-long").textContent),
    ["1950"],
  );
  const [first] = all(".ck-space");
  assert.deepEqual(
    first.querySelectorAll(".ck-piece").map((each) => [each.localName, each.dataset.piece]),
    [
      ["div", "m0"],
      ["div", "m1"],
    ],
  );
  key("e").click();
  assert.equal(find(".ck-sheet").dataset.sheet, "e");
});

test("a marker moves along a track: it is the same piece in the next scene", () => {
  body = page([]);
  const at = (number) =>
    track([
      side(
        [0, 1, 2].map((each) =>
          space(`195${each}`, { markers: each === number ? [piece("m")] : [] }),
        ),
      ),
    ]);
  const { find, model } = mount(view([scene([at(0)])]));
  let left = 0; // the page lays nothing out: whatever is asked lies further to the right
  const laid = mock.method(
    Object.getPrototypeOf(find(".ck-cloth")),
    "getBoundingClientRect",
    () => ({ left: (left += 50), top: 0 }),
  );
  model.set("view", view([scene([at(2)])], { acted: 6 }));
  laid.mock.restore();
  assert.equal(
    find("[data-piece='m']").closest(".ck-space").querySelector(".ck-space-long").textContent,
    "1952",
  );
  assert.equal(find("[data-piece='m']").animations.length, 1);
});

test("zones within a track are drawn in its middle; their dice tumble as others do, and nothing else has moved before", async () => {
  body = page([]);
  const within = (value, text) => [
    { kind: "dice", place: "middle", dice: [{ value, label: "die" }] },
    { kind: "notice", place: "middle", title: "Now", text: [text], piece: null, note: "our own" },
  ];
  const at = (value, text, year) =>
    scene(
      [
        track(
          [
            side([
              space("1949", { markers: year ? [] : [piece("m")] }),
              space("1950", { markers: year ? [piece("m")] : [] }),
            ]),
          ],
          within(value, text),
        ),
      ],
      { prompt: text },
    );
  const { all, find, model } = mount(view([at("0", "before", 0)]));
  assert.deepEqual(
    find(".ck-within").children.map((each) => each.getAttribute("class")),
    ["ck-zone ck-zone-dice", "ck-zone ck-zone-notice"],
  );
  assert.equal(find(".ck-notice").textContent, "Nowbefore");
  assert.equal(find(".ck-zone-notice .ck-note").textContent, "our own");
  const seen = () => [
    find(".ck-die").dataset.value,
    find(".ck-prompt").textContent.replace("<skip>", ""),
    find(".ck-notice").textContent,
    all(".ck-space").findIndex((each) => each.querySelector("[data-piece='m']")),
  ];
  model.set("view", view([at("O", "after", 1)], { acted: 6 }));
  assert.deepEqual(tumbled(all), [1]);
  assert.deepEqual(seen(), ["0", "<thrown>", "Nowbefore", 0]);
  await rest();
  assert.deepEqual(seen(), ["O", "<thrown>", "Nowbefore", 0]);
  await rest();
  assert.deepEqual(seen(), ["O", "after", "Nowafter", 1]);
});

test("a card set in type shows its words and tells their lengths to the style", () => {
  const words = {
    form: "slip",
    title: "Chung Chao-cheng",
    text: "《魯冰花》",
    head: "1925–2020",
    foot: "1960",
    off: true,
  };
  const { find, key } = mount(
    view([scene([hand(piece("a", { face: { print: words, tone: "red" }, about: "fox" }))])]),
  );
  const card = find(".ck-hand .ck-card");
  assert.deepEqual(
    ["ck-print", "ck-print-as-slip", "ck-off", "ck-tone-red"].filter(
      (sign) => !card.matches(`.${sign}`),
    ),
    [],
  );
  assert.equal(card.getAttribute("aria-hidden"), "true");
  assert.equal(card.textContent, "1925–2020Chung Chao-cheng《魯冰花》1960");
  assert.deepEqual(find(".ck-print-title").style.values, { "--n": "16", "--w": "5" });
  assert.deepEqual(find(".ck-print-text").style.values, { "--n": "5", "--w": "5" });
  key("a").click();
  assert.ok(find(".ck-sheet .ck-print"), "the sheet shows it large");
});

test("a card set in type needs no more than a title; its drawing is small on it", () => {
  const { find, all } = mount(
    view([
      scene([hand(piece("a", { face: { art: "fox", print: { form: "order", title: "Fox" } } }))]),
    ]),
  );
  assert.equal(all(".ck-print-head, .ck-print-text, .ck-print-foot").length, 0);
  assert.equal(find(".ck-print-art").localName, "svg");
  assert.ok(find(".ck-print-art").children.length);
});

test("a plate has its sign and shelves of small pieces, each of which opens its sheet", () => {
  const shelves = [
    {
      label: "Books",
      pieces: [piece("b1", { about: "fox" }), piece("b2", { choices: TWO, about: "fox" })],
    },
  ];
  const places = [
    place(0, { you: true }),
    place(1, { sign: piece("role", { about: "fox" }), shelves }),
  ];
  const { find, key } = mount(view([scene([{ kind: "seats", place: "far", places }])]));
  assert.equal(find(".ck-shelf").getAttribute("aria-label"), "Books");
  assert.deepEqual(
    find(".ck-shelf").children.map((each) => each.matches(".ck-legal")),
    [false, true],
  );
  for (const id of ["role", "b1", "b2"]) {
    key(id).click();
    assert.equal(find(".ck-sheet").dataset.sheet, id);
  }
});

test("whoever has the most points is named, and crowned unless the scene is sober", () => {
  const ended = (more) =>
    scene([{ kind: "seats", place: "far", places: [place(0, { winner: true })] }], {
      over: true,
      ...more,
    });
  const { all, model } = mount(view([ended({})]));
  const crowns = () =>
    all("path").filter((each) => each.getAttribute("d").startsWith("M4 19 3 8")).length;
  assert.equal(crowns(), 2);
  assert.match(all(".ck-flag")[0].textContent, /winner/);
  model.set("view", view([ended({ sober: true })], { acted: 6 }));
  assert.equal(crowns(), 0);
  assert.match(all(".ck-flag")[0].textContent, /most_points/);
});

test("what is to be read aloud comes first on a sheet", () => {
  const page = { title: "The fox", lead: "Read me.", text: ["Later."], facts: [] };
  const { find, key } = mount(view([scene([hand(piece("a", { about: "fox" }))])]), {
    handbook: { fox: page },
  });
  key("a").click();
  const [first, second, third] = find(".ck-sheet-body").children;
  assert.deepEqual(
    [first.textContent, second.localName, third.textContent],
    ["Read me.", "svg", "Later."],
  );
  assert.ok(first.matches(".ck-page-lead"));
});

test("where the prompt is pinned, the next decision is brought back to whoever has played, once", () => {
  globalThis.getComputedStyle = () => ({ width: "60px", position: "sticky" });
  globalThis.innerHeight = -1; // everything is out of sight
  const asked = (acted) =>
    view([scene([hand(piece("a", { action: 1, legal: true }))], { turn: true })], { acted });
  const { find, key, model } = mount(asked(5));
  assert.equal(find(".ck-hand .ck-piece").scrolled, undefined, "nobody has touched it");
  key("a").click();
  model.set("view", asked(6));
  assert.deepEqual(find(".ck-hand .ck-piece").scrolled, ["end"]);
  model.set("view", { ...asked(6), language: "zh-Hant" });
  assert.equal(find(".ck-hand .ck-piece").scrolled, undefined, "the same moment");
  globalThis.innerHeight = 640;
  model.set("view", asked(7));
  assert.equal(find(".ck-hand .ck-piece").scrolled, undefined, "it is in sight");
});

test("what the cell no longer shows is cleared away", () => {
  const { close, find, model } = mount(view([scene(), scene()]));
  close();
  assert.ok(Object.values(document.listeners).every((each) => each.length === 0));
  assert.equal(find(".ck-table"), null);
  assert.ok(Object.values(model.listeners).every((each) => each.length === 0));
});

test("while a hand is covered until it is held, the log tells what a spectator may read", () => {
  localStorage.setItem("coursekit:hold", "1");
  const story = ["deal", "you draw the fox"],
    onlookers = { scenes: [scene()], story: ["deal"], told: [1] };
  const shown = [
    view([scene([hand(piece("a"))])], { people: 2, story, told: [2], spectator: onlookers }),
  ];
  shown.push(view([scene([hand(piece("a"))])], { people: 2, story, told: [2] })); // the kernel has not said yet
  for (const it of shown) {
    const { find, close } = mount(it);
    assert.doesNotMatch(find(".ck-story").textContent, /fox/);
    assert.equal(find("[data-piece='a']"), null);
    close();
  }
  localStorage.removeItem("coursekit:hold");
});

test("a button of the mouse that opens a menu holds no view back", () => {
  const { find, model } = mount(view([scene()]));
  const cloth = find(".ck-cloth");
  const shows = (title) => {
    model.set("view", view([scene([], { title })], { events: title.length }));
    return find(".ck-title").textContent === title;
  };
  cloth.dispatch("pointerdown", { button: 2 });
  assert.ok(shows("after the right button"));
  cloth.dispatch("pointerdown", { button: 0 });
  assert.ok(!shows("while a finger is down"));
  cloth.dispatch("contextmenu");
  mock.timers.tick(1);
  assert.equal(find(".ck-title").textContent, "while a finger is down");
});

test("what ran down in another match is forgotten, here and in the browser", () => {
  const kept = (match) => `coursekit:/lesson:t:${match}:go`;
  sessionStorage.setItem(kept("m0"), "3"); // of a match before this page
  sessionStorage.setItem("coursekit:/lesson:u:m0:go", "3"); // another table
  const choices = [{ label: "Go", action: "go", legal: true, after: 60, key: "go" }];
  const shown = scene([{ kind: "choices", place: "near", choices }]);
  const { find, model } = mount(view([shown]));
  sessionStorage.setItem(kept("m1"), "5");
  model.set("view", view([shown], { events: 8 }));
  assert.equal(find("[data-clock]").textContent, "5");
  model.set("view", view([shown], { match: "m2" }));
  assert.equal(find("[data-clock]").textContent, "1:00");
  assert.deepEqual(
    [kept("m0"), kept("m1"), "coursekit:/lesson:u:m0:go"].map((key) => sessionStorage.getItem(key)),
    [null, null, "3"],
  );
});

const unkept = {
  kind: "unkept",
  text: "not kept",
  choices: [{ label: "Save it", send: { type: "save" } }],
};

test("what is said of keeping stands beside the game, with buttons that send what they are for", () => {
  const elsewhere = {
    kind: "elsewhere",
    text: "in another page",
    choices: [{ label: "Go on here", send: { type: "take" } }],
  };
  const { find, all, sent, model } = mount(view([scene()], { boxes: [unkept] }));
  const place = find("[role='status'].ck-banner");
  assert.match(place.textContent, /not kept/);
  all(".ck-box-unkept .ck-button")[0].click();
  const button = all(".ck-box-unkept .ck-button")[0];
  model.set("view", view([scene()], { boxes: [unkept], acted: 6 }));
  assert.equal(
    all(".ck-box-unkept .ck-button")[0],
    button,
    "drawn anew, it would be read aloud again",
  );
  model.set("view", view([scene()], { boxes: [elsewhere], acted: 7 }));
  all(".ck-box-elsewhere .ck-button")[0].click();
  assert.deepEqual(
    [sent("save"), sent("take")].map((each) => each.length),
    [1, 1],
  );
  model.set("view", view([scene()], { acted: 8 }));
  assert.equal(place.textContent, "");
});

test("while a match is not kept the kernel is asked again, and no longer once it is", () => {
  const { sent, model, close } = mount(view([scene()], { boxes: [unkept] }));
  mock.timers.tick(5000);
  mock.timers.tick(5000);
  assert.equal(sent("look").length, 2);
  model.set("view", view([scene()], { boxes: [] }));
  mock.timers.tick(60000);
  assert.equal(sent("look").length, 2);
  model.set("view", view([scene()], { boxes: [unkept] }));
  close();
  mock.timers.tick(60000);
  assert.equal(sent("look").length, 2);
});

test("a page that comes into sight asks whether the match is still its own", () => {
  const { sent, close } = mount(view([scene()]));
  const turn = (state) => {
    document.visibilityState = state;
    document.listeners.visibilitychange.forEach((each) => each());
  };
  turn("hidden");
  assert.equal(sent("look").length, 0);
  turn("visible");
  assert.equal(sent("look").length, 1);
  close();
  turn("visible");
  assert.equal(sent("look").length, 1);
});

test("the rules open over the table with the line that matters now marked, and stay open while others play", () => {
  const handbook = { rules: { title: "Rules", text: ["Bid.", "", "Follow suit."], facts: [] } };
  const at = (rule) => scene([hand(piece("a", { action: 1, legal: true }))], { rule });
  const { key, find, model, sent } = mount(view([at(0)]), { handbook });
  key("rules").click();
  const lines = () =>
    find(".ck-rule-lines")
      .querySelectorAll("li")
      .map((each) => [each.textContent, each.getAttribute("aria-current")]);
  assert.deepEqual(lines(), [
    ["Bid.", "step"],
    ["Follow suit.", null],
  ]);
  model.set("view", view([at(2)], { acted: 6, events: 8 }));
  assert.deepEqual(lines(), [
    ["Bid.", null],
    ["Follow suit.", "step"],
  ]);
  assert.ok(find("[data-piece='a']"), "the table is still there");
  key("rules").click();
  assert.equal(find(".ck-rule-lines"), null);
  assert.deepEqual(sent("act"), []);
});

test("a game without rules in short has no button for them", () => {
  assert.equal(mount(view([scene()])).key("rules"), null);
});

test("a new player is told each rule at its decision, can read it while others play, and can leave", () => {
  const handbook = { rules: { title: "Rules", text: ["Bid.", "Follow suit."], facts: [] } };
  const guided = (more, rest = {}) =>
    view([scene([], { turn: true, ...more })], { guided: true, ...rest });
  const { key, find, model } = mount(guided({ hints: [0] }), { handbook });
  const told = () => find(".ck-box-hint p").textContent;
  assert.equal(told(), "Bid.");
  model.set("view", guided({ hints: [], turn: false }, { acted: 6, events: 8 }));
  assert.equal(told(), "Bid.", "others play");
  model.set("view", guided({ hints: [1] }, { acted: 6, events: 9 }));
  assert.equal(told(), "Follow suit.");
  model.set("view", guided({ hints: [] }, { acted: 7, events: 10 }));
  assert.equal(told(), "first_steps", "nothing new, and still the way out");
  model.set("view", guided({ hints: [1] }, { acted: 7, events: 10, entry: 2, looking_back: true }));
  assert.equal(find(".ck-box-hint"), null, "of a moment that is past");
  model.set("view", guided({ hints: [] }, { acted: 7, events: 10 }));
  assert.equal(key("first-steps").getAttribute("aria-pressed"), "true");
  key("leave").click();
  model.set("view", view([scene()], { match: "m0" }));
  assert.equal(find(".ck-box-hint"), null);
  key("first-steps").click();
  assert.deepEqual(
    model.sent.filter(({ type }) => type === "first").map(({ on }) => on),
    [false, true],
  );
});
