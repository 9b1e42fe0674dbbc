// Nothing is told before it has happened: what the table shows while pieces move. The game here is made up.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Model, page, rest } from "./dom.mjs";
import { tableOf } from "./joined.mjs";

const table = await tableOf("wizard");
const WORDS = { skip: "<skip>", thrown: "<thrown>", your_turn: "<your turn>", turn: "<turn>" };

const piece = (id, more = {}) => ({
  id,
  face: { art: "fox", corner: "7" },
  label: `Fox ${id}`,
  ...more,
});
const place = (seat, more = {}) => ({
  seat,
  name: `P${seat}`,
  by: "",
  you: seat === 0,
  turn: false,
  winner: false,
  badges: [],
  counts: [],
  backs: 0,
  pieces: [],
  ...more,
});
const row = (...pieces) => ({ kind: "row", place: "middle", label: "Trick", note: "", pieces });
const hand = (...pieces) => ({ kind: "hand", place: "near", label: "Hand", pieces });
const scene = (zones, more = {}) => ({
  title: "Round 1",
  prompt: "Play a card",
  turn: true,
  over: false,
  beat: 1,
  zones,
  ...more,
});
const view = (scenes, more = {}) => ({
  table: "t",
  match: "m",
  branch: 0,
  acted: 0,
  viewer: 0,
  language: "en",
  scenes,
  told: scenes.map(() => 1),
  story: ["It begins."],
  covered: [],
  more: false,
  events: 1,
  entry: 1,
  entries: 1,
  looking_back: false,
  may_look_back: true,
  may_save: true,
  seed: "s",
  people: 1,
  offer: null,
  trouble: null,
  kept: true,
  ...more,
});

let body, left;

beforeEach(() => {
  body = page([]);
  left = 0; // the page lays nothing out: whatever is asked lies further to the right, so that everything moves
  mock.method(Object.getPrototypeOf(body), "getBoundingClientRect", () => ({
    left: (left += 50),
    top: 0,
  }));
});

function mount(shown) {
  const model = new Model({
    view: shown,
    setup: { players: [], by: [], fields: [] },
    words: WORDS,
    languages: [],
    art: '<svg><symbol id="ck-fox"/></svg>',
    handbook: {},
  });
  table.render({ model, el: body });
  const all = (selector) => body.querySelectorAll(selector);
  return {
    model,
    find: (selector) => body.querySelector(selector),
    all,
    texts: (selector) => all(selector).map((each) => each.textContent),
  };
}

const PLAYING = scene([
  {
    kind: "seats",
    place: "far",
    places: [
      place(0, { turn: true }),
      place(1, { tokens: { have: 0, want: 1 }, counts: [{ label: "points", value: "0" }] }),
    ],
  },
  row(piece("b", { owner: 1, caption: "P1" })),
  hand(piece("a", { action: "a", legal: true }), piece("c", { action: "c", legal: false })),
]);
const TAKEN = scene(
  [
    {
      kind: "seats",
      place: "far",
      places: [
        place(0),
        place(1, {
          turn: true,
          tokens: { have: 1, want: 1 },
          counts: [{ label: "points", value: "30" }],
          badges: ["leads"],
        }),
      ],
    },
    {
      ...row(
        piece("b", { owner: 1, caption: "P1", mark: "takes it" }),
        piece("a", { owner: 0, caption: "P0", faded: true }),
      ),
      note: "the fox is higher",
    },
    hand(piece("c", { action: "c", legal: true })),
    {
      kind: "pad",
      place: "side",
      label: "Pad",
      columns: ["P0", "P1"],
      rows: [{ head: "1", cells: [{ parts: ["0"] }, { parts: ["30"] }] }],
    },
    { kind: "choices", place: "near", choices: [{ label: "Next", action: "next", legal: true }] },
  ],
  { prompt: "P1 takes it", title: "Round 2" },
);
const taken = (more = {}) =>
  view([TAKEN], { acted: 1, story: ["It begins.", "P1 takes it."], told: [2], ...more });

test("while a card is on its way there is nothing new but the card", async () => {
  const { find, all, model, texts } = mount(view([PLAYING]));
  const words = () => body.textContent.replace("<skip>", "");
  model.set("view", taken());
  assert.equal(find("[data-piece='a']").closest(".ck-row").querySelectorAll(".ck-piece").length, 2);
  assert.equal(words().includes("takes it"), false);
  assert.equal(words().includes("30"), false);
  assert.deepEqual(
    [texts(".ck-prompt")[0].replace("<skip>", ""), texts(".ck-title")[0]],
    ["Play a card", "Round 1"],
  );
  assert.deepEqual(
    [
      all(".ck-mark").length,
      all(".ck-faded").length,
      all(".ck-full").length,
      all(".ck-pad").length,
      all(".ck-choice").length,
      all(".ck-legal").length,
    ],
    [0, 0, 0, 0, 0, 0],
  );
  assert.deepEqual(
    [texts(".ck-badge"), all(".ck-story li").length, find(".ck-turn").dataset.seat],
    [[], 1, "0"],
  );
  await rest();
  assert.deepEqual(
    [texts(".ck-mark"), texts(".ck-story li"), find(".ck-turn").dataset.seat],
    [["takes it"], ["It begins.", "P1 takes it."], "1"],
  );
  assert.deepEqual(
    [all(".ck-choice").length, all(".ck-pad").length, all(".ck-legal").length],
    [1, 1, 2],
  );
});

test("a touch, Enter and the button let the card lie at once", async () => {
  for (const skip of [
    (find) => find(".ck-cloth").click(),
    (find) => find(".ck-prompt").listeners.keydown[0]({ key: "Enter" }),
    (find) => find(".ck-skip").click(),
  ]) {
    const { find, model, texts } = mount(view([PLAYING]));
    model.set("view", taken());
    assert.deepEqual(texts(".ck-mark"), []);
    skip(find);
    assert.deepEqual(texts(".ck-mark"), ["takes it"]);
    assert.equal(find("[data-piece='a']").animations, undefined, "nothing moves any more");
    await rest();
    assert.deepEqual(texts(".ck-story li"), ["It begins.", "P1 takes it."]);
    body.replaceChildren();
  }
});

test("with less motion, or at once, nothing waits", () => {
  for (const less of [
    () => {
      body = page(["(prefers-reduced-motion: reduce)"]);
    },
    () => localStorage.setItem("coursekit:speed", "once"),
    () => {
      document.visibilityState = "hidden";
    },
  ]) {
    less();
    const { model, texts } = mount(view([PLAYING]));
    model.set("view", taken());
    assert.deepEqual(texts(".ck-mark"), ["takes it"]);
    body = page([]);
  }
});

test("another match, or a hand that is uncovered, does not come flying", () => {
  const other = mount(view([PLAYING]));
  other.model.set("view", taken({ match: "n" }));
  assert.deepEqual(other.texts(".ck-mark"), ["takes it"]);
  body.replaceChildren();
  const uncovered = mount(
    view([scene([row()])], { viewer: null, covered: [{ seat: 0, name: "P0" }] }),
  );
  uncovered.model.set("view", view([PLAYING]));
  assert.equal(uncovered.all(".ck-legal").length, 1);
});

test("who takes the screen next is asked when the card lies, and the hand of the last one is gone before", async () => {
  const { find, all, model } = mount(view([PLAYING], { people: 2 }));
  const [seats, tricks] = TAKEN.zones;
  model.set(
    "view",
    view([scene([seats, tricks])], {
      people: 2,
      viewer: null,
      acted: 1,
      covered: [{ seat: 1, name: "P1" }],
      covered_words: "",
    }),
  );
  assert.deepEqual(
    [
      all(".ck-hand").length,
      all(".ck-covered").length,
      find("[data-piece='a']").closest(".ck-row") !== null,
    ],
    [0, 0, true],
  );
  await rest();
  assert.equal(all(".ck-covered").length, 1);
});

test("what is gathered in flies away before anything is said of it; a pile and its words stay", async () => {
  const trump = (id, note) => ({
    kind: "pile",
    place: "middle",
    label: "Trump",
    note,
    count: 3,
    top: piece(id),
  });
  const marked = scene([
    trump("t", "red"),
    row(piece("b", { owner: 1, mark: "takes it" })),
    hand(),
  ]);
  const { find, model, texts } = mount(view([marked]));
  model.set(
    "view",
    view([scene([trump("u", "blue"), row(), hand(piece("d"))], { prompt: "Bid" })], { acted: 1 }),
  );
  assert.deepEqual(
    [find(".ck-pile").querySelector("[data-piece]").dataset.piece, texts(".ck-note")],
    ["t", ["red"]],
  );
  assert.ok(find("[data-piece='d']"), "it is dealt");
  await rest();
  assert.deepEqual(
    [find(".ck-pile").querySelector("[data-piece]").dataset.piece, texts(".ck-note")],
    ["u", ["blue"]],
  );
});

test("a die lies before the pieces move that it moves", async () => {
  const track = (year, value) =>
    scene(
      [
        {
          kind: "track",
          place: "middle",
          sides: [
            {
              label: "s",
              now: true,
              corner: { label: "c", short: "", pieces: [], markers: [], state: "" },
              spaces: [0, 1].map((at) => ({
                label: `195${at}`,
                short: "",
                pieces: [],
                markers: at === year ? [piece("m")] : [],
                state: "",
              })),
            },
          ],
          zones: [{ kind: "dice", place: "middle", dice: [{ value, label: `die ${value}` }] }],
        },
      ],
      { prompt: `at ${year}` },
    );
  const { find, all, model, texts } = mount(view([track(0, "0")]));
  const seen = () => [
    find(".ck-die").dataset.value,
    all(".ck-space").findIndex((each) => each.querySelector("[data-piece='m']")),
    texts(".ck-prompt")[0].replace("<skip>", ""),
  ];
  model.set("view", view([track(1, "O")], { acted: 1 }));
  const stages = [seen()];
  for (let at = 0; at < 3; at += 1) {
    await rest();
    stages.push(seen());
  }
  assert.deepEqual(stages, [
    ["0", 0, "<thrown>"],
    ["O", 0, "<thrown>"],
    ["O", 1, "<thrown>"],
    ["O", 1, "at 1"],
  ]);
});
