// A slider and two buttons for each number of a function; its result below. The kernel computes, one request at a time.

const PAUSE = 150; // milliseconds without a change before a request
const PATIENCE = 60000; // milliseconds without a result before the reader is told
const NEAR = "300px"; // distance below the window at which a first result is requested

function render({ model, el: place }) {
  const words = model.get("words");
  const status = el("p.ck-status", { role: "status" });
  const bar = el("progress", { "aria-label": words.busy, hidden: "" });
  const result = el("div.ck-result", { "aria-live": "polite" });
  let at = Object.fromEntries(model.get("fields").map((field) => [field.name, field.at]));
  let asked = model.get("result").number ?? 0;
  let busy = false;
  let again = false; // a number changed while the kernel was computing
  let pause = 0;
  let patience = 0;

  function field({ name, label, values }) {
    const id = newId();
    const slider = el("input", {
      id,
      type: "range",
      min: "0",
      max: values.length - 1,
      step: "1",
    });
    const shown = el("output.ck-number", { for: id });
    const move = (to) => {
      at[name] = Math.max(0, Math.min(values.length - 1, to));
      show();
      clearTimeout(pause);
      pause = setTimeout(ask, PAUSE);
    };
    const step = (sign, by) => {
      // Keys on the slider do the same, so the button is not a tab stop.
      const button = el(
        "button.ck-button.ck-step",
        { tabindex: "-1", "aria-hidden": "true" },
        sign,
      );
      button.addEventListener("click", () => move(at[name] + by));
      return button;
    };
    const less = step("\u2212", -1);
    const more = step("+", 1);
    function show() {
      slider.value = String(at[name]);
      slider.setAttribute("aria-valuetext", values[at[name]]);
      shown.textContent = values[at[name]];
      less.disabled = at[name] === 0;
      more.disabled = at[name] === values.length - 1;
    }
    slider.addEventListener("input", () => move(Number(slider.value)));
    show();
    const line = el(
      "div.ck-line",
      el("label", { for: id }, label),
      el("div.ck-slide", less, slider, more, shown),
    );
    return { line, show };
  }

  const fields = model.get("fields").map(field);
  const root = el(
    "div.ck-cell.ck-explore",
    { role: "group", lang: model.get("language"), "aria-label": words.number },
    ...fields.map(({ line }) => line),
    el("div.ck-waiting", bar, status),
    result,
  );
  place.replaceChildren(root);

  const say = (text, bad = false) => {
    status.textContent = text;
    status.classList.toggle("ck-bad", bad);
  };

  function wait(on) {
    busy = on;
    bar.hidden = !on;
    root.classList.toggle("ck-busy", on);
    clearTimeout(patience);
    if (on) {
      patience = setTimeout(() => {
        wait(false);
        say(words.offline, true);
      }, PATIENCE);
    }
  }

  function ask() {
    again = busy;
    if (busy) return;
    asked += 1;
    wait(true);
    say(words.busy);
    model.send({ type: "set", at, number: asked });
  }

  function show() {
    const { html, text, failed, number } = model.get("result");
    if (number === asked) {
      wait(false);
      say(failed ?? "", failed !== undefined);
    }
    const open = result.querySelector("details")?.open; // what a reader has unfolded stays so
    if (html !== undefined) result.innerHTML = html;
    else if (text !== undefined) result.replaceChildren(el("p.ck-text", text));
    if (open) result.querySelector("details")?.toggleAttribute("open", true);
    reachable();
    if (again && !busy) ask();
  }

  // A result that is too wide scrolls, by keyboard too.
  function reachable() {
    result.toggleAttribute("data-lm-suppress-shortcuts", result.scrollWidth > result.clientWidth);
    if (result.scrollWidth > result.clientWidth) result.setAttribute("tabindex", "0");
    else result.removeAttribute("tabindex");
  }

  function follow() {
    if (busy || again) return;
    at = Object.fromEntries(model.get("fields").map((field) => [field.name, field.at]));
    for (const field of fields) field.show();
  }

  model.on("change:result", show);
  model.on("change:fields", follow);
  show();
  const size = new ResizeObserver(reachable);
  size.observe(result);
  const first = new IntersectionObserver(
    (seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      first.disconnect();
      if (asked === 0) ask();
    },
    { rootMargin: NEAR },
  );
  if (model.get("result").number === undefined) first.observe(root);
  return () => {
    first.disconnect();
    size.disconnect();
    clearTimeout(pause);
    clearTimeout(patience);
    model.off("change:result", show);
    model.off("change:fields", follow);
  };
}

export default withStyles({ render });
