// The answer cell: two views of it, as after "new view for output" or in two windows on one kernel.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";

const ask = "import sys; from coursekit.reflect import Reflect; sys.stdout.buffer.write(Reflect._esm.encode())";
const code = execFileSync(process.env.PYTHON ?? "python", ["-c", ask], { encoding: "utf8" });
globalThis.window = {};
const { default: cell } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const WORDS = ["heading", "opening", "empty", "saving", "saved", "offline", "download", "file", "title"];
const TRAITS = {
  key: "wizard/luck", question: "Luck?", source: "", language: "en", limit: 100, shows: false, again: "", timing: "",
  words: Object.fromEntries(WORDS.map((each) => [each, each])),
};

/** A kernel with one answer; what it says is heard by every view, as in Jupyter. */
class Kernel extends Model {
  answer = { text: "", saved: "" };
  others = [];
  tell(message) { setTimeout(() => this.hear(message), 1); }
  send({ type, text, seen, number, from }) {
    if (type === "open") this.tell({ type: "answer", ...this.answer, notice: "", to: from });
    if (type === "download") this.tell({ type: "download", text, to: from });
    if (type !== "save") return;
    if (seen !== this.answer.saved && this.answer.text) this.others.push(this.answer.text);
    this.answer = { text, saved: String(Number(this.answer.saved) + 1) };
    this.tell({ type: "saved", saved: this.answer.saved, number, notice: "", to: from });
    this.tell({ type: "answer", ...this.answer, notice: "", but: from });
  }
}

let kernel;

beforeEach(() => {
  page();
  const create = document.createElement;
  document.createElement = (name) => Object.assign(create(name), name === "textarea" ? { value: "", scrollHeight: 10 } : {});
  mock.timers.enable({ apis: ["setTimeout"] });
  kernel = new Kernel(TRAITS);
});
afterEach(() => mock.timers.reset());

function view() {
  const el = document.createElement("div");
  later();
  cell.render({ model: kernel, el });
  later();
  const [box] = el.querySelectorAll("textarea");
  return { box, status: () => el.querySelector(".ck-status").textContent, type: (text) => { box.value = text; box.dispatch("input"); } };
}
const wait = (time) => { for (let each = 0; each < time; each += 10) mock.timers.tick(10); };
const later = () => wait(1000);

test("what is saved in one view stands in the other", () => {
  const [one, other] = [view(), view()];
  one.type("first");
  later();
  assert.deepEqual([one.box.value, other.box.value], ["first", "first"]);
  other.type("first, and more");
  later();
  assert.deepEqual([one.box.value, kernel.answer.text, kernel.others], ["first, and more", "first, and more", []]);
});

test("what is typed in two views at once is kept twice", () => {
  const [one, other] = [view(), view()];
  one.type("first");
  wait(500);
  other.type("second");
  later();
  later();
  const texts = new Set([kernel.answer.text, ...kernel.others]);
  assert.deepEqual(texts, new Set(["first", "second"]));
});

test("what one view has not been able to save is no matter of the other", () => {
  const [one, other] = [view(), view()];
  const [, sent] = [one.type("first"), mock.method(kernel, "send", () => {})];
  later();
  const { from } = sent.mock.calls[0].arguments[0];
  kernel.hear({ type: "failed", text: "no room", number: 1, to: from });
  assert.deepEqual([one.status(), other.status()], ["no room", "empty"]);
});
