// What is worth a smile, and sounds: when they come, and when they do not. The game here is made up.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Model, page, rest } from "./dom.mjs";
import { tableOf } from "./joined.mjs";

const table = await tableOf("wizard");

let body, heard;

const node = (name) =>
  class {
    constructor(_context, { frequency } = {}) {
      if (name === "tone") heard.push(frequency);
      if (name === "noise") heard.push("rustle");
      this.gain = {
        setValueAtTime() {},
        linearRampToValueAtTime() {},
        exponentialRampToValueAtTime() {},
      };
    }
    connect(next) {
      return next;
    }
    start() {}
    stop() {}
  };

beforeEach(() => {
  body = page([]);
  heard = [];
  mock.method(Object.getPrototypeOf(body), "getBoundingClientRect", () => ({
    left: 0,
    top: 0,
    width: 90,
    height: 40,
  }));
  Object.assign(globalThis, {
    OscillatorNode: node("tone"),
    AudioBufferSourceNode: node("noise"),
    GainNode: node(),
    BiquadFilterNode: node(),
    AudioBuffer: class {
      getChannelData() {
        return new Float32Array(2);
      }
    },
    AudioContext: class {
      currentTime = 0;
      sampleRate = 8;
      state = "running";
      destination = {};
      close() {}
    },
  });
});

const place = (seat) => ({
  seat,
  name: `P${seat}`,
  by: "",
  you: false,
  turn: false,
  winner: false,
  badges: [],
  counts: [],
  backs: 0,
  pieces: [],
  tokens: { have: 1, want: 1 },
});
const scene = (more = {}) => ({
  title: "",
  prompt: "",
  turn: false,
  over: false,
  beat: 1,
  zones: [{ kind: "seats", place: "far", places: [place(0), place(1)] }],
  ...more,
});
const view = (shown, more = {}) => ({
  table: "t",
  match: "m",
  branch: 0,
  acted: 0,
  viewer: 0,
  language: "en",
  scenes: [shown],
  told: [0],
  story: [],
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
const MET = { moments: [{ kind: "met", seat: 1 }, { kind: "all_met" }] };

function mount(shown) {
  const model = new Model({
    view: view(shown),
    setup: { players: [], by: [], fields: [] },
    words: { sound: "Sounds" },
    languages: [],
    art: "<svg></svg>",
    handbook: {},
  });
  table.render({ model, el: body });
  const next = (after, more) =>
    model.set("view", view(after, { acted: model.get("view").acted + 1, ...more }));
  const marks = () =>
    body.querySelectorAll(".ck-moment").map((each) => each.getAttribute("class").split("-").at(-1));
  return {
    model,
    next,
    marks,
    find: (selector) => body.querySelector(selector),
    key: (name) => body.querySelector(`[data-key='${name}']`),
  };
}

test("a moment is marked once when it is told, hidden from those who listen, and goes by itself", async () => {
  const { next, marks, find } = mount(scene());
  next(scene(MET));
  assert.deepEqual(marks(), ["met", "all_met"]);
  assert.equal(find(".ck-moment").getAttribute("aria-hidden"), "true");
  const times = find(".ck-moment")
    .children.concat(find(".ck-moment"))
    .flatMap(({ animations }) => animations);
  assert.ok(
    times.every(({ duration, delay = 0 }) => duration + delay <= 900),
    "it is short",
  );
  await rest();
  assert.deepEqual(marks(), []);
  next(scene(MET));
  assert.deepEqual(marks(), [], "it is no news any more");
});

test("who touches anything has seen enough", () => {
  const { next, marks, find } = mount(scene());
  next(scene(MET));
  find(".ck-cloth").dispatch("pointerdown");
  assert.deepEqual(marks(), []);
});

test("nothing is marked with less motion, at once, in the past, and for those who have just come", () => {
  assert.deepEqual(mount(scene(MET)).marks(), []);
  const past = mount(scene());
  past.next(scene(MET), { looking_back: true });
  assert.deepEqual(past.marks(), []);
  localStorage.setItem("coursekit:speed", "once");
  const once = mount(scene());
  once.next(scene(MET));
  assert.deepEqual(once.marks(), []);
  body = page(["(prefers-reduced-motion: reduce)"]);
  const calm = mount(scene());
  calm.next(scene(MET));
  assert.deepEqual(calm.marks(), []);
});

test("a table is silent until somebody turns its sounds on, which this browser remembers", () => {
  const { next, key } = mount(scene());
  next(scene({ turn: true }));
  assert.deepEqual(heard, []);
  key("sound").checked = true;
  key("sound").dispatch("change");
  assert.deepEqual(heard.splice(0), [523], "it lets itself be heard");
  next(scene());
  next(scene({ turn: true }));
  assert.deepEqual(heard.splice(0), [523]);
  body.replaceChildren();
  const again = mount(scene());
  again.next(scene({ turn: true }));
  assert.deepEqual(heard.splice(0), [523]);
  again.key("sound").checked = false;
  again.key("sound").dispatch("change");
  assert.deepEqual(heard, []);
});

test("sounds come when what they tell is told, fewer where all is sober, none on a page that is not seen", async () => {
  localStorage.setItem("coursekit:sound", "on");
  const dice = (value) => ({ kind: "dice", place: "middle", dice: [{ value, label: "" }] });
  const { next } = mount(scene({ zones: [dice(0)] }));
  next(scene({ zones: [dice(4)], over: true, moments: [{ kind: "won", seat: 0 }] }));
  assert.deepEqual(heard.splice(0), ["rustle", "rustle", "rustle"]);
  await rest();
  assert.deepEqual(heard.splice(0), [], "it lies, and nothing is told yet");
  await rest();
  assert.deepEqual(heard.splice(0), [659, 880, 523, 659, 784]);
  next(scene({ sober: true }));
  next(scene({ sober: true, over: true, moments: [{ kind: "won", seat: 0 }] }));
  next(scene({ sober: true, turn: true }));
  assert.deepEqual(heard.splice(0), [523]);
  document.visibilityState = "hidden";
  next(scene());
  next(scene({ turn: true }));
  assert.deepEqual(heard, []);
});

test("at a screen of one's own the own success is heard, all are seen, with what they brought", async () => {
  localStorage.setItem("coursekit:sound", "on");
  const { next, marks, find } = mount(scene());
  const taken = (seat, more = {}) => ({ moments: [{ kind: "taken", seat, ...more }] });
  next(scene(taken(1)), { hosted: true });
  assert.deepEqual([marks(), heard.splice(0)], [["taken"], []]);
  next(scene());
  next(scene(taken(0)), { hosted: true });
  assert.deepEqual(heard.splice(0), [587, 784]);
  next(scene({ moments: [{ kind: "met", seat: 0, gain: 40 }] }), { hosted: true });
  assert.deepEqual(heard.splice(0), [659, 880]);
  assert.equal(find(".ck-gain").textContent, "+40");
  assert.ok(find(".ck-gain").matches(".ck-own"));
  await rest();
  assert.equal(find(".ck-gain"), null);
  next(scene({ sober: true, ...taken(0, { gain: 1 }) }), { hosted: true });
  assert.deepEqual([find(".ck-gain"), heard.splice(0)], [null, []]);
});

test("with less motion nothing is drawn; points are still told, and heard", () => {
  body = page(["(prefers-reduced-motion: reduce)"]);
  localStorage.setItem("coursekit:sound", "on");
  const { next, marks, find } = mount(scene());
  next(scene({ moments: [{ kind: "met", seat: 0, gain: 20 }] }));
  assert.deepEqual([marks(), heard], [[], [659, 880]]);
  assert.equal(find(".ck-gain").textContent, "+20");
});
