// How a map grew: its steps as the kernel kept them, a slider over them, and the panel that plays them.

const BEAT = 1400; // milliseconds that a step shows
const BREAK = 5 * 60 * 1000; // milliseconds without a step that count as a pause

/** Ask how the map grew, and leave out steps that only moved things. */
async function historyOf(editor) {
  const { begun = {}, steps = [] } = await editor.ask({ type: "replay" });
  const places = {};
  const known = { ...begun };
  for (const [id, thing] of Object.entries(begun)) if (thing?.at) places[id] = thing.at;
  const told = [];
  steps.forEach(({ when, changes }, number) => {
    const before = { ...known };
    for (const [id, thing] of Object.entries(changes)) {
      if (thing?.at) places[id] = thing.at;
      known[id] = thing;
    }
    const real = Object.entries(changes).filter(([id, thing]) => !isMove(before[id], thing));
    if (real.length) told.push({ when, changes, before, real, number: number + 1 });
  });
  return { begun, steps: told, places };
}

const isMove = (before, thing) =>
  Boolean(
    before &&
    thing &&
    "label" in thing &&
    JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...thing, at: 0 }),
  );

function mapAfter({ begun, steps }, count) {
  const now = { ...begun };
  for (const { changes } of steps.slice(0, count)) Object.assign(now, changes);
  const map = {
    head: now[""] ?? { focus: "", top: "" },
    concepts: new Map(),
    relations: new Map(),
  };
  for (const [id, thing] of Object.entries(now)) {
    if (id && thing) ("label" in thing ? map.concepts : map.relations).set(id, thing);
  }
  return map;
}

/** Where the work paused: after how many of `steps`, for how many minutes. */
const breaks = (steps) =>
  steps.flatMap(({ when }, at) => {
    const gap = at ? Date.parse(when) - Date.parse(steps[at - 1].when) : 0;
    return gap > BREAK ? [{ at, when: steps[at - 1].when, minutes: Math.round(gap / 60000) }] : [];
  });

function breakButtons({ button, editor, say }, marks, go) {
  const buttons = marks.map(({ at, when, minutes }) =>
    button(
      say("panel.replay.break", { time: clockTime(editor, when), long: longOf(say, minutes) }),
      () => go(at),
    ),
  );
  return buttons.length
    ? [
        el(
          "div.ck-row.ck-breaks",
          { role: "group", "aria-label": say("panel.replay.breaks") },
          ...buttons,
        ),
      ]
    : [];
}

const clockTime = (editor, when) =>
  new Date(when).toLocaleTimeString(editor.language, {
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });

function longOf(say, minutes) {
  const of = (unit, size) => say(`panel.replay.${unit}`, { count: Math.round(minutes / size) });
  if (minutes < 90) return of("minutes", 1);
  return minutes < 36 * 60 ? of("hours", 60) : of("days", 24 * 60);
}

function stepSlider({ button, editor, say }, steps, onchange, label) {
  const id = newId();
  const slider = el("input", { id, type: "range", min: "0", max: steps.length, step: "1" });
  const shown = el("output.ck-at", { for: id });
  const walk = (by) => () => {
    set(Number(slider.value) + by);
    onchange(Number(slider.value));
  };
  const less = button("\u2212", walk(-1), {
    class: "ck-step",
    "aria-label": say("panel.replay.back"),
  });
  const more = button("+", walk(1), {
    class: "ck-step",
    "aria-label": say("panel.replay.forward"),
  });
  const set = (at) => {
    slider.value = String(Math.max(0, Math.min(steps.length, at)));
    const now = Number(slider.value);
    const when = steps[now - 1]?.when;
    shown.textContent = when
      ? say("panel.replay.at_time", { at: now, all: steps.length, time: clockTime(editor, when) })
      : say("panel.replay.at", { at: now, all: steps.length });
    slider.setAttribute("aria-valuetext", shown.textContent);
    less.disabled = now === 0;
    more.disabled = now === steps.length;
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  slider.addEventListener("change", () => onchange(Number(slider.value)));
  const root = el(
    "div.ck-slider",
    el("label", { for: id }, label),
    el("div.ck-slide", less, slider, more, shown),
  );
  return {
    root,
    slider,
    set,
    tell: () => onchange(Number(slider.value)),
    value: () => Number(slider.value),
  };
}

function replayPanel(kit) {
  const { button, editor, pictureFrame, picture, say } = kit;
  const frame = pictureFrame(say("panel.replay.map"));
  const told = el("p.ck-told", { "aria-live": "polite" });
  const control = el("div");
  const root = el("div", control, told, frame);
  let history = null;
  let slider = null;
  let timer = 0;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const play = button("", () => (timer ? halt() : start()), { class: "ck-go ck-play" });

  async function show() {
    halt();
    history = await historyOf(editor);
    if (!history.steps.length) {
      control.replaceChildren();
      frame.replaceChildren();
      frame.hidden = true;
      told.textContent = say("panel.replay.none");
      return;
    }
    const at = slider ? Math.min(slider.value(), history.steps.length) : history.steps.length;
    slider = stepSlider(kit, history.steps, go, say("panel.replay.slider"));
    slider.slider.addEventListener("input", () => go(slider.value()));
    if (!still) slider.root.append(play);
    control.replaceChildren(slider.root, ...breakButtons(kit, breaks(history.steps), go));
    frame.hidden = false;
    go(at);
  }

  /** Show the map after `at` steps. */
  function go(at, playing = false) {
    if (!playing) halt();
    slider.set(at);
    const map = mapAfter(history, at);
    const step = history.steps[at - 1];
    const size = say("panel.replay.size", {
      concepts: map.concepts.size,
      relations: map.relations.size,
    });
    told.replaceChildren(
      step ? stepSentence(kit, step) : say("panel.replay.begun"),
      " ",
      el("span.ck-soft", size),
    );
    const places = Object.fromEntries(
      [...map.concepts.keys()].map((id) => [
        id,
        editor.map.concepts.get(id)?.at ?? history.places[id],
      ]),
    );
    for (const [id, concept] of map.concepts)
      map.concepts.set(id, { ...concept, at: places[id] ?? null });
    frame.replaceChildren(
      picture(map, `${told.textContent}`, {
        fresh: new Set(step ? step.real.map(([id]) => id) : []),
      }),
    );
  }

  function start() {
    if (slider.value() === history.steps.length) go(0, true);
    timer = setInterval(() => {
      go(slider.value() + 1, true);
      if (slider.value() === history.steps.length) halt();
    }, BEAT);
    name();
  }

  function halt() {
    clearInterval(timer);
    timer = 0;
    name();
  }

  function name() {
    play.textContent = say(timer ? "panel.replay.pause" : "panel.replay.play");
  }

  name();
  return { root, show, leave: halt };
}

/** One step as a sentence. */
function stepSentence({ say }, { before, real }) {
  const now = { ...before, ...Object.fromEntries(real) };
  const label = (id) => (now[id] ?? before[id])?.label ?? "";
  const sentence = ({ start, phrase, end }) => relationWords(label(start), phrase, label(end));
  const kinds = { added: [], linked: [], removed: [], changed: [] };
  for (const [id, thing] of real) {
    const old = before[id];
    if (id === "") {
      if (thing.focus !== (old?.focus ?? ""))
        kinds.changed.push(say("panel.replay.asked", { name: thing.focus }));
      if (thing.top !== (old?.top ?? "") && thing.top)
        kinds.changed.push(say("panel.replay.top", { name: label(thing.top) }));
    } else if (!thing) {
      if (old && "label" in old)
        kinds.removed.push(say("panel.replay.removed", { name: old.label }));
      else if (old && now[old.start] && now[old.end])
        kinds.removed.push(say("panel.replay.cut", { name: sentence(old) }));
    } else if ("label" in thing) {
      if (!old) kinds.added.push(say("panel.replay.added", { name: thing.label }));
      else if (old.label !== thing.label)
        kinds.changed.push(say("panel.replay.renamed", { name: old.label, now: thing.label }));
      else kinds.changed.push(say("panel.replay.noted", { name: thing.label }));
    } else if (!old) kinds.linked.push(say("panel.replay.linked", { name: sentence(thing) }));
    else
      kinds.changed.push(
        say("panel.replay.reworded", { name: sentence(old), now: sentence(thing) }),
      );
  }
  const every = Object.values(kinds).flat();
  if (every.length <= 3) return every.join(say("panel.replay.and")) || say("panel.replay.moved");
  return say("panel.replay.many", {
    added: kinds.added.length,
    linked: kinds.linked.length,
    changed: kinds.changed.length,
    removed: kinds.removed.length,
  });
}
