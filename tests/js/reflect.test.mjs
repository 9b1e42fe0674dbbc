// The answer cell: two views of it, as after "new view for output" or in two windows on one kernel; a kernel that is
// busy, deaf or gone; and what happened at the table.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Model, page } from "./dom.mjs";

const NASTY = [
  "# big",
  "big\n===",
  "big\n---",
  "<img src=x onerror=alert(1)>",
  "- a",
  "1. one\n2) two",
  "+ a",
  "* a",
  "> said",
  "```\ncode",
  "    code",
  "[a](b)",
  "![a](b)",
  "**b** _s_ ~~g~~",
  "a | b\n--|--",
  "&lt;",
  "$x$",
  "a\\",
  "***",
  " 一 \r\n\n\n二\u2028三 ",
  "-",
  "\t# big",
];
const ask = `import json, sys; from coursekit.reflect import Reflect; from coursekit.reflect.journal_export import escape_prose
words = json.loads(sys.argv[1]); sys.stdout.buffer.write(json.dumps([Reflect._esm, list(map(escape_prose, words))]).encode())`;
const told = execFileSync(process.env.PYTHON ?? "python", ["-c", ask, JSON.stringify(NASTY)], {
  encoding: "utf8",
});
const [code, ESCAPED] = JSON.parse(told);
globalThis.window = {};
const { default: cell } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const WORDS = [
  "heading",
  "opening",
  "empty",
  "saving",
  "saved",
  "offline",
  "download",
  "file",
  "title",
];
const TRAITS = {
  key: "wizard/luck",
  question: "Luck?",
  source: "",
  language: "en",
  limit: 100,
  shows: false,
  again: "",
  timing: "",
  words: Object.fromEntries(WORDS.map((each) => [each, each])),
};

/** A kernel with one answer; what it says is heard by every view, as in Jupyter. */
class Kernel extends Model {
  answer = { text: "", saved: "" };
  others = [];
  busy = 1; // milliseconds until it answers
  deaf = false; // whether messages are lost on the way
  tell(message) {
    setTimeout(() => this.hear(message), this.busy);
  }
  send(message) {
    super.send(message);
    if (this.deaf) return;
    const { type, text, seen, n, from, unsaved = [] } = message;
    if (type === "open") {
      for (const each of unsaved)
        if (![this.answer.text, ...this.others].includes(each.text)) this.put(each);
      this.tell({ type: "answer", ...this.answer, notice: "", to: from });
    }
    if (type === "download") this.tell({ type: "download", text, to: from });
    if (type !== "save") return;
    this.put({ text, seen });
    this.tell({ type: "saved", saved: this.answer.saved, n, notice: "", to: from });
    this.tell({ type: "answer", ...this.answer, notice: "", but: from });
  }
  put({ text, seen }) {
    if (text === this.answer.text) return;
    if (seen !== this.answer.saved && this.answer.text) this.others.push(this.answer.text);
    this.answer = { text, saved: String(Number(this.answer.saved) + 1) };
  }
  asked(type) {
    return this.sent.filter((each) => each.type === type);
  }
}

let kernel;

beforeEach(() => {
  page();
  const create = document.createElement;
  document.createElement = (name) =>
    Object.assign(create(name), name === "textarea" ? { value: "", scrollHeight: 10 } : {});
  mock.timers.enable({ apis: ["setTimeout"] });
  kernel = new Kernel(TRAITS);
});
afterEach(() => mock.timers.reset());

function view() {
  const el = document.createElement("div");
  later();
  const leave = cell.render({ model: kernel, el });
  later();
  const [box] = el.querySelectorAll("textarea");
  return {
    box,
    el,
    leave,
    status: () => el.querySelector(".ck-status").textContent,
    type: (text) => {
      box.value = text;
      box.dispatch("input");
    },
  };
}
const wait = (time) => {
  for (let each = 0; each < time; each += 10) mock.timers.tick(10);
};
const later = () => wait(1000);

test("what is saved in one view stands in the other", () => {
  const [one, other] = [view(), view()];
  one.type("first");
  later();
  assert.deepEqual([one.box.value, other.box.value], ["first", "first"]);
  other.type("first, and more");
  later();
  assert.deepEqual(
    [one.box.value, kernel.answer.text, kernel.others],
    ["first, and more", "first, and more", []],
  );
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
  kernel.hear({ type: "refused", text: "no room", n: 1, to: from });
  assert.deepEqual([one.status(), other.status()], ["no room", "empty"]);
});

test("what the journal has refused is saved as soon as it can be, without a key pressed", () => {
  const one = view();
  const refuse = mock.method(
    kernel,
    "send",
    ({ type, n, from }) =>
      type === "save" && kernel.tell({ type: "refused", text: "no room", n, to: from }),
  );
  one.type("first");
  wait(20000);
  assert.equal(one.status(), "no room");
  refuse.mock.restore();
  wait(6000);
  assert.deepEqual([one.status(), kernel.answer.text], ["saved", "first"]);
});

test("a journal that could not be opened is opened as soon as it can be", () => {
  kernel.answer = { text: "earlier", saved: "2026-01-01T00:00:00Z" };
  const refuse = mock.method(kernel, "send", ({ from }) =>
    kernel.tell({ type: "refused", text: "in use", to: from }),
  );
  const one = view();
  wait(20000);
  assert.equal(one.status(), "in use");
  refuse.mock.restore();
  wait(6000);
  assert.equal(one.box.value, "earlier");
});

/** What the browser keeps of texts that are not saved. */
const copies = () => [...localStorage.values.values()].map((each) => JSON.parse(each).text).sort();

test("a kernel that is busy for long is asked again, and all of its late answers are taken", () => {
  const one = view();
  kernel.busy = 12000; // the answer to the second question comes after the third was asked
  one.type("first");
  wait(40000);
  assert.equal(one.status(), "saved");
  assert.deepEqual([kernel.answer.text, kernel.others, copies()], ["first", [], []]);
  const before = kernel.asked("save").length;
  assert.ok(before <= 3, String(before));
  wait(60000);
  assert.equal(kernel.asked("save").length, before);
});

test("what was typed while a busy kernel had not answered is saved, too", () => {
  const one = view();
  kernel.busy = 12000;
  one.type("first");
  wait(11000);
  one.type("first, and more");
  wait(60000);
  assert.deepEqual([one.status(), kernel.answer.text, copies()], ["saved", "first, and more", []]);
});

test("a message that is lost is sent again: the first, one that saves, and one beside a download", () => {
  kernel.deaf = true;
  kernel.answer = { text: "before", saved: "1" };
  const one = view();
  wait(6000);
  assert.deepEqual([one.box.value, one.status()], ["", "offline"]);
  kernel.deaf = false;
  wait(10000);
  assert.deepEqual([one.box.value, one.status()], ["before", "saved"]);
  for (const words of ["one", "two"]) {
    kernel.deaf = true;
    one.type(words);
    later();
    assert.equal(one.status(), "saving");
    kernel.deaf = false;
    if (words === "two") one.el.querySelector(".ck-foot").querySelector("button").click();
    wait(12000);
    assert.deepEqual([one.status(), kernel.answer.text], ["saved", words]);
  }
});

test("two windows keep what they could not save beside each other, and the next one finds all of it", () => {
  const [one, other] = [view(), view()];
  kernel.deaf = true;
  one.type("first");
  other.type("second");
  later();
  assert.deepEqual(copies(), ["first", "second"]);
  (one.leave(), other.leave()); // both are gone
  const again = view();
  again.type("typed at once"); // before the kernel has told anything
  assert.deepEqual(copies(), ["first", "second", "typed at once"]);
  kernel.deaf = false;
  wait(20000);
  assert.deepEqual(
    [kernel.answer.text, again.box.value],
    ["second\ntyped at once", "second\ntyped at once"],
  );
  assert.deepEqual([kernel.others, copies()], [["first"], []]);
});

test("without a kernel what was typed last stands in the box again", () => {
  localStorage.setItem(
    "coursekit/reflect/wizard/luck/gone",
    JSON.stringify({ text: "from before", seen: "", at: 1 }),
  );
  kernel.deaf = true;
  const one = view();
  wait(6000);
  assert.deepEqual([one.box.value, copies()], ["from before", ["from before"]]);
});

test("what one view types stays with the browser until it is saved, whatever another has found there", () => {
  const one = view();
  kernel.deaf = true;
  one.type("first");
  kernel.deaf = false;
  kernel.busy = 4000;
  const other = view();
  kernel.deaf = true;
  one.type("first, and more");
  wait(4000);
  assert.deepEqual([other.box.value, copies()], ["first", ["first, and more"]]);
});

test("without a kernel answers are downloaded as the program would write them", async () => {
  const blobs = [];
  mock.method(URL, "createObjectURL", (blob) => String(blobs.push(blob)));
  mock.method(URL, "revokeObjectURL", () => {});
  const one = view();
  kernel.deaf = true;
  for (const [at, words] of NASTY.entries()) {
    one.type(words);
    one.el.querySelector(".ck-foot").querySelector("button").click();
    wait(6000);
    assert.equal(await blobs[at].text(), `# title\n\n## Luck?\n\n${ESCAPED[at]}\n`);
  }
});

test("what happened at the table is asked for when it is seen, once it is calm there", () => {
  let eye;
  globalThis.IntersectionObserver = class {
    constructor(tell) {
      eye = tell;
    }
    observe() {}
    disconnect() {}
  };
  kernel = new Kernel({ ...TRAITS, shows: true });
  const { el } = view();
  const looks = () => kernel.asked("look").length;
  const moved = (times) => {
    for (let each = 0; each < times; each += 1) {
      kernel.hear({ type: "moved" });
      wait(300);
    }
  };
  moved(3);
  later();
  assert.equal(looks(), 0); // nobody sees it
  eye([{ isIntersecting: true }]);
  assert.equal(looks(), 1);
  kernel.hear({ type: "seen", parts: [{ text: "as it was" }, { source: "from a book" }] });
  assert.equal(el.querySelector(".ck-parts").textContent, "as it wasfrom a book");
  moved(4);
  assert.equal(looks(), 1);
  later();
  assert.equal(looks(), 2);
  eye([{ isIntersecting: false }]);
  moved(1);
  later();
  assert.equal(looks(), 2);
  eye([{ isIntersecting: true }]);
  assert.equal(looks(), 3);
  wait(60000); // that message was lost
  assert.equal(looks(), 4);
  kernel.hear({ type: "seen", parts: [] });
  wait(120000);
  assert.equal(looks(), 4);
});
