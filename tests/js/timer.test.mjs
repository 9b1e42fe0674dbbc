// Time to think, to talk and to write, without a page: the clock is the test's own.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, mock, test } from "node:test";
import { page } from "./dom.mjs";

const ask = `
import json, sys
from coursekit.reflect.static_files import STATIC
from coursekit.reflect.timings import strip
from coursekit.cells.static_bundle import join_files
code = join_files(STATIC, {"js": ("cell", "timer")}, "js")
sys.stdout.buffer.write(json.dumps({"code": code, "pair": strip("pair", "en"), "exit": strip("exit", "en")}).encode())`;
const { code, pair, exit } = JSON.parse(
  execFileSync(process.env.PYTHON ?? "python", ["-c", ask], { encoding: "utf8" }),
);
const { timer } = await import(
  `data:text/javascript,${encodeURIComponent(`${code}\nexport { timer };`)}`
);

let strip;

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  strip = timer(pair);
});
afterEach(() => {
  strip.leave();
  mock.timers.reset();
});

const all = (name) => strip.root.querySelectorAll(name);
const key = (label) => all("button").find((each) => each.textContent === label);
const press = (label) => key(label).dispatch("click");
const time = () => all(".ck-timer-time")[0].textContent;
const says = () => all(".ck-status")[0].textContent;
const step = () =>
  all(".ck-step").findIndex((each) => each.getAttribute("aria-current") === "step");
const wait = (seconds) => mock.timers.tick(1000 * seconds);

test("nothing runs before somebody starts it", () => {
  wait(100);
  assert.deepEqual([time(), step(), says()], ["0:30", 0, ""]);
  assert.deepEqual(
    all(".ck-step-time").map((each) => each.textContent),
    ["0:30", "2:00", "3:00"],
  );
});

test("a step counts down, tells the last seconds and the end, and goes no further by itself", () => {
  press("Start");
  assert.equal(says(), "Think: 0:30");
  wait(7);
  assert.equal(time(), "0:23");
  wait(13);
  assert.equal(says(), "10 seconds left");
  wait(9);
  assert.equal(says(), "10 seconds left", "one announcement, not one a second");
  wait(1);
  assert.deepEqual([time(), says(), step()], ["0:00", "Think: time is up.", 0]);
  assert.ok(key("Start").disabled);
  wait(60);
  assert.deepEqual([time(), step()], ["0:00", 0]);
});

test("a pause stops the clock, and it goes on from there", () => {
  press("Start");
  wait(10);
  press("Pause");
  wait(500);
  assert.equal(time(), "0:20");
  press("Go on");
  wait(5);
  assert.equal(time(), "0:15");
});

test("the next step stands at its beginning; reset goes back to the first", () => {
  press("Start");
  wait(10);
  press("Next step");
  wait(10);
  assert.deepEqual([time(), step()], ["2:00", 1]);
  press("Start");
  wait(65);
  assert.equal(time(), "0:55");
  press("Next step");
  assert.deepEqual([time(), step(), key("Next step").disabled], ["3:00", 2, true]);
  press("Reset");
  assert.deepEqual([time(), step(), key("Next step").disabled], ["0:30", 0, false]);
});

test("any step can be chosen", () => {
  all(".ck-step")[2].dispatch("click");
  assert.deepEqual([time(), step()], ["3:00", 2]);
});

test("a teacher makes a step longer or shorter, also while it runs, within bounds, and it stays so", () => {
  assert.ok(key("−").disabled, "thirty seconds are the least");
  press("+");
  press("Start");
  wait(20);
  assert.equal(time(), "0:40");
  press("+");
  assert.equal(time(), "1:10");
  press("−");
  press("−");
  assert.equal(time(), "0:10");
  wait(10);
  assert.equal(says(), "Think: time is up.");
  press("Reset");
  for (let each = 0; each < 40; each += 1) press("+");
  assert.deepEqual([time(), key("+").disabled], ["15:00", true]);
  press("Next step");
  press("Reset");
  assert.equal(time(), "15:00");
});

test("a time that is made shorter than what has gone by leaves a second, and one that was over goes on", () => {
  press("+");
  press("Start");
  wait(55);
  press("−");
  assert.equal(time(), "0:01");
  wait(2);
  assert.equal(time(), "0:00");
  press("+");
  assert.equal(time(), "0:30");
  assert.ok(!key("Go on").disabled);
});

test("a computer that slept knows that the time is over", () => {
  press("Start");
  mock.timers.setTime(Date.now() + 3_600_000);
  wait(1);
  assert.equal(says(), "Think: time is up.");
});

test("the keyboard stays in the strip when a key is taken away from under it", () => {
  key("Start").focus();
  press("Start");
  wait(30);
  assert.equal(document.activeElement.textContent, "Next step");
  press("Next step");
  press("Next step");
  assert.equal(document.activeElement.textContent, "Start");
  key("−").focus();
  for (let each = 0; each < 5; each += 1) press("−");
  assert.equal(document.activeElement.textContent, "+");
});

test("one step needs no list and no next", () => {
  strip.leave();
  strip = timer(exit);
  assert.deepEqual([time(), all("ol").length, key("Next step")], ["2:00", 0, undefined]);
  assert.equal(strip.root.getAttribute("aria-label"), "Time");
});

test("whoever leaves takes the clock along", () => {
  press("Start");
  strip.leave();
  wait(20);
  assert.equal(time(), "0:30");
});
