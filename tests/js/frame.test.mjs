// The frame around a dashboard (serve/static/frame.js), without a page: the clock and the server are the test's own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, mock, test } from "node:test";
import { runInThisContext } from "node:vm";

Object.assign(globalThis, { window: globalThis, addEventListener() {} });
const file = new URL("../../coursekit/serve/static/frame.js", import.meta.url);
const frame = runInThisContext(
  `(() => { ${readFileSync(file, "utf8")}; return coursekit_frame; })()`,
);
const says = {
  lost: "away", lost_go: "look", sign_in: "signed out", sign_in_go: "sign in",
  gone: "gone, until {time}", incomplete: "incomplete", reload: "reload", idle: "idle: {minutes}",
}; // prettier-ignore
const MINUTE = 60;

let answer, asked, kept, mended, listeners, notice, hidden;

class Node {
  dataset = {};
  children = [];
  textContent = "";
  append(...nodes) {
    this.children.push(...nodes);
    if (this === body) [notice] = nodes;
  }
  get firstChild() {
    return this.children[0];
  }
  remove() {
    notice = null;
  }
  setAttribute() {}
  addEventListener() {}
}
let body;

beforeEach(() => {
  mock.timers.enable({
    apis: ["setInterval", "setTimeout", "Date"],
    now: new Date(2026, 0, 5, 10, 0),
  });
  [answer, asked, kept, mended, notice, hidden] = [{ gone: false }, 0, 0, 0, null, false];
  listeners = {};
  body = Object.assign(new Node(), { classList: { toggle() {} } });
  const listen = (kind, hear) => (listeners[kind] ??= []).push(hear);
  const known = { "jupyter-config-data": { textContent: '{"kernelId": "k"}' } };
  Object.assign(globalThis, {
    addEventListener: listen,
    document: {
      body,
      documentElement: { lang: "en" },
      get hidden() {
        return hidden;
      },
      addEventListener: listen,
      removeEventListener() {},
      getElementById: (id) => (id === "site-lost" ? notice : known[id]),
      createElement: () => new Node(),
    },
    location: { href: "http://hub/user/anna/voila/render/x.ipynb" },
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    ResizeObserver: class {},
    coursekit_keep: () => (kept += 1),
    coursekit_reconnect: () => (mended += 1),
    fetch: async () => {
      asked += 1;
      if (answer instanceof Error) throw answer;
      if (typeof answer === "number") return { ok: false, status: answer };
      if (typeof answer === "string")
        return { ok: true, status: 200, json: () => JSON.parse(answer) };
      return { ok: true, status: 200, json: async () => answer };
    },
  });
});
afterEach(() => mock.timers.reset());

const open = (how) =>
  frame({ says, base: "/", home: "/coursekit/", idle_limit: 0, server_limit: 0, ...how });
const told = () => notice?.firstChild.textContent;
const way = () => notice?.children[1]?.textContent;
const touch = () => listeners.pointerdown.forEach((hear) => hear());
async function wait(seconds) {
  for (let second = 0; second < seconds; second += 5) {
    mock.timers.tick(5000);
    for (let turn = 0; turn < 5; turn += 1) await null;
  }
}

const NO_ANSWERS = [
  500,
  502,
  503,
  424,
  404,
  new Error("no network"),
  "<html>a proxy's page</html>",
  '{"message": "ok"}',
];
for (const away of NO_ANSWERS)
  test(`a page goes on after ${away}, and takes its notice back`, async () => {
    open();
    answer = away;
    await wait(10);
    assert.equal(told(), undefined, "one or two may be missed");
    await wait(5);
    assert.deepEqual([told(), way()], ["away", "look"]);
    answer = { gone: false };
    await wait(5);
    assert.deepEqual([told(), mended], [undefined, 1]);
  });

for (const refused of [401, 403])
  test(`after ${refused} one has to sign in, and the page goes on`, async () => {
    open();
    answer = refused;
    await wait(15);
    assert.deepEqual([told(), way()], ["signed out", "sign in"]);
    answer = 502; // the hub is starting the server
    await wait(5);
    assert.equal(told(), "away");
    answer = { gone: false };
    await wait(5);
    assert.equal(told(), undefined);
  });

test("only the kit's own word says that the kernel is gone, and then it stays so", async () => {
  open({ server_limit: 10 * MINUTE });
  answer = { gone: true };
  await wait(5);
  assert.match(told(), /^gone, until 10:10/);
  assert.equal(way(), "reload");
  const before = asked;
  answer = { gone: false };
  await wait(60);
  assert.match(told(), /^gone/);
  assert.equal(asked, before);
});

test("a server of one's own offers no other way than to wait", async () => {
  open({ home: "" });
  answer = 502;
  await wait(15);
  assert.deepEqual([told(), way()], ["away", undefined]);
});

test("a kernel is spoken to every few minutes, for an hour after the last touch", async () => {
  open({ idle_limit: 10 * MINUTE });
  await wait(59 * MINUTE);
  assert.ok(kept >= 15, `${kept} times in an hour`);
  touch();
  const before = kept;
  await wait(59 * MINUTE);
  assert.ok(kept - before >= 15);
  assert.equal(told(), undefined);
  await wait(2 * MINUTE);
  const last = kept;
  await wait(60 * MINUTE);
  assert.equal(kept, last);
});

test("a page says so before its idle kernel is stopped, and a touch keeps it", async () => {
  open({ idle_limit: 10 * MINUTE });
  hidden = true;
  await wait(6 * MINUTE);
  assert.equal(told(), undefined);
  await wait(2 * MINUTE);
  assert.equal(told(), "idle: 2");
  await wait(1 * MINUTE);
  assert.equal(told(), "idle: 1");
  assert.equal(kept, 0);
  hidden = false;
  touch();
  assert.deepEqual([told(), kept], [undefined, 1]);
});

test("where nothing is known of an end, none is foretold", async () => {
  open();
  hidden = true;
  await wait(120 * MINUTE);
  assert.equal(told(), undefined);
});
