// Time to think, to talk and to write: a strip of steps. A click starts each; its end stops nothing else.

const SOON = 10; // seconds before the end of a step at which it is announced

/**
 * A strip of *steps* [{label, seconds}], each of *shortest* to *longest* seconds, changed by *change*.
 * The status line, which screen readers read aloud, names a step and announces its end; there is no sound.
 */
function timer({ steps, words, shortest, longest, change }) {
  const plan = steps.map(({ seconds }) => seconds);
  let at = 0;
  let rest = plan[0]; // seconds left while stopped
  let end = null; // end of the step, in milliseconds; null while stopped
  let beat = 0;
  let soon = false; // whether the last seconds were announced

  const marks = steps.map(({ label }, place) => {
    const time = el("span.ck-step-time");
    const step = el("button.ck-step", { onclick: () => go(place) }, label, " ", time);
    return { step, time };
  });
  const time = el("span.ck-timer-time", { role: "timer", "aria-live": "off" });
  const bar = el("span.ck-timer-bar");
  const start = button(words.start, () => (end === null ? run() : pause()), {
    class: "ck-button ck-timer-start",
  });
  const next = button(words.next, () => go(at + 1));
  const reset = button(words.reset, () => go(0));
  const step = (label, by) =>
    button(label, () => alter(by), {
      "aria-label": fillIn(by < 0 ? words.shorter : words.longer, { seconds: change }),
    });
  const less = step("−", -change);
  const more = step("+", change);
  const status = el("p.ck-status", { role: "status" });
  const single = steps.length === 1;
  const root = el(
    "div.ck-timer",
    { role: "group", "aria-label": words.group },
    single
      ? el("span.ck-step", steps[0].label)
      : el("ol.ck-steps", ...marks.map((mark) => el("li", mark.step))),
    el("div.ck-timer-now", time, el("span.ck-timer-track", { "aria-hidden": "true" }, bar)),
    el("div.ck-timer-keys", start, ...(single ? [] : [next]), reset, less, more),
    status,
  );

  const now = () => (end === null ? rest : Math.max(0, Math.ceil((end - Date.now()) / 1000)));

  function disable(key, off, other) {
    const focused = key.getRootNode().activeElement === key;
    key.disabled = off;
    if (off && focused) other.focus();
  }
  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }
  function show() {
    const left = now();
    time.textContent = clock(left);
    bar.style.setProperty("width", `${Math.round((100 * left) / plan[at])}%`);
    const label = end !== null ? words.pause : left > 0 && left < plan[at] ? words.on : words.start;
    if (start.textContent !== label) start.textContent = label;
    disable(next, at === steps.length - 1, start);
    disable(start, left === 0, next.disabled ? reset : next);
    disable(less, plan[at] <= shortest, more);
    disable(more, plan[at] >= longest, less);
    root.classList.toggle("ck-timer-over", left === 0);
    marks.forEach((mark, place) => {
      mark.time.textContent = clock(plan[place]);
      if (place === at) mark.step.setAttribute("aria-current", "step");
      else mark.step.removeAttribute("aria-current");
    });
    return left;
  }
  function count() {
    const left = show();
    if (left === 0) {
      stop();
      say(fillIn(words.over, { step: steps[at].label }));
      show();
    } else if (left <= SOON && !soon && plan[at] > SOON) {
      soon = true;
      say(fillIn(words.soon, { seconds: left }));
    }
  }
  function stop() {
    rest = now();
    end = null;
    clearInterval(beat);
  }
  function run() {
    if (rest === plan[at]) say(fillIn(words.begun, { step: steps[at].label, time: clock(rest) }));
    end = Date.now() + 1000 * rest;
    beat = setInterval(count, 250);
    show();
  }
  function pause() {
    stop();
    show();
  }
  function go(place) {
    stop();
    at = Math.min(place, steps.length - 1);
    rest = plan[at];
    soon = false;
    say("");
    show();
  }
  function alter(by) {
    const before = plan[at];
    plan[at] = Math.min(longest, Math.max(shortest, before + by));
    const left = Math.max(1, now() + plan[at] - before);
    if (end === null) rest = left;
    else end = Date.now() + 1000 * left;
    soon = left <= SOON;
    say("");
    show();
  }

  show();
  return { root, reset: () => go(0), leave: () => clearInterval(beat) };
}
