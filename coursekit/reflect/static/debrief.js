// Moments worth talking about, one at a time: what happened, then its question with time to think and talk.
// The kernel finds them when the cell is on the screen, and again when the table has moved on.
// Every view of the cell hears all messages: a message says whom it is `to`.

const SLOW = 60000; // milliseconds: many matches take time
const FIRST = 3; // number of moments ticked at first: the best ones, since a lesson is short
const WIDE = ["ArrowRight", "PageDown"];
const BACK = ["ArrowLeft", "PageUp"];
const SEVERAL = 3; // number of paragraphs without a picture from which on they go into two columns if there is room

function render({ model, el: place }) {
  const words = model.get("words");
  const id = newId();

  const send = (message) => model.send({ ...message, from: id });

  let moments = [];
  let picked = new Set(); // indices of the moments to talk about
  let drawn = new Map(); // number of a picture -> the part that came for it
  let at = 0; // index into steps()
  let asked = 0; // number of the last look
  let old = true; // the shown moments are out of date
  let visible = false;
  let all = false; // everything on one page
  let drawing = null; // number of the requested picture
  let patience = 0;

  const source = el("select.ck-choose", { id: `${id}-source`, onchange: () => changeSource() });
  const files = el("input", {
    type: "file",
    multiple: "",
    accept: ".json,application/json",
    hidden: "",
    onchange: () => sendFiles(),
  });
  const hidden = new Map(); // source -> whether the reader wants names hidden there
  const names = el("input", {
    type: "checkbox",
    id: `${id}-names`,
    "aria-describedby": `${id}-shown`,
    onchange: () => {
      hidden.set(source.value, names.checked);
      sayNames();
      look(true);
    },
  });
  const shown = el("p.ck-status.ck-shown", { id: `${id}-shown` });
  const about = el("p.ck-status");
  const noted = el("p.ck-noted", { hidden: "" });
  const refusedList = el("ul");
  const refusedHead = el("summary");
  const refused = el("details.ck-refused", { hidden: "" }, refusedHead, refusedList);
  const status = el("p.ck-status", { role: "status" });
  const choose = el(
    "div.ck-debrief-choose",
    el("label", { for: source.id }, words.which),
    source,
    button(words.choose, () => files.click()),
    files,
    el("label.ck-check", { for: names.id }, names, words.nameless),
    shown,
  );

  function changeSource() {
    names.checked = hidden.get(source.value) ?? true;
    sayNames();
    look(true);
  }
  function sayNames() {
    shown.textContent = names.checked ? words.hidden : words.named;
  }

  const active = () => root.getRootNode().activeElement;
  const isBig = () => root.classList.contains("ck-big");
  const stages = ["feel", "happened", "means", "now"];
  const marks = stages.map((stage) => el("li", words[`path.${stage}`]));
  const path = el("ol.ck-path", { "aria-label": words.order }, ...marks);
  const stage = el("div.ck-stage");
  const start = el("p.ck-start");
  const count = el("p.ck-status.ck-count");
  const told = el("p.ck-hidden", { role: "status" });
  const back = button(words.back, () => go(at - 1));
  const next = button(words.next, () => go(at + 1), { class: "ck-button ck-forth" });
  const spread = button(
    words.all,
    () => {
      all = !all;
      show();
    },
    { "aria-pressed": "false" },
  );
  const big = button(words.big, () => enlarge(!isBig()));
  const print = button(words.print, () => {
    send({ type: "page", source: source.value, names: !names.checked, moments: [...picked] });
    wait();
  });
  const others = el("div.ck-debrief-more", { id: `${id}-more`, hidden: "" });
  const menu = button(
    words.menu,
    () => {
      others.hidden = !others.hidden;
      menu.setAttribute("aria-expanded", !others.hidden);
    },
    { "aria-expanded": "false", "aria-controls": others.id },
  );
  const more = button(
    "",
    () => {
      picker.hidden = !picker.hidden;
      more.setAttribute("aria-expanded", !picker.hidden);
      if (!picker.hidden)
        (picker.querySelector("input:not(:checked)") ?? picker.querySelector("input")).focus();
    },
    { "aria-expanded": "false", "aria-controls": `${id}-picker` },
  );
  const picker = el("fieldset.ck-picker", { id: `${id}-picker`, hidden: "" });
  others.append(more, spread, print);
  const keys = el("div.ck-debrief-keys", back, next, count, big, menu, others);
  const strip = timer(model.get("strip"));
  const talk = el("div.ck-talk", { hidden: "" }, start, path, stage, picker, keys, told);
  const root = el(
    "div.ck-cell.ck-debrief",
    { lang: model.get("language") },
    el("p.ck-over", words.heading),
    choose,
    about,
    noted,
    refused,
    status,
    talk,
  );
  place.replaceChildren(root);

  /** Return the steps in order: the feeling, each picked moment and then its question, and the conclusion.
   *  Where it is enlarged, the picture of a moment is a step of its own.
   * @returns {{ stage: string, moment: Record<string, *>, place?: number }[]} */
  function steps() {
    const general = (name) => ({
      title: words[`${name}.title`],
      where: "",
      parts: [],
      ask: words[`${name}.ask`],
    });
    return [
      { stage: "feel", moment: general("feel") },
      ...moments.flatMap((moment, place) => {
        if (!picked.has(place)) return [];
        const apart = isBig() && !all && moment.parts.some(isPicture);
        return ["happened", ...(apart ? ["picture"] : []), "means"].map((stage) => ({
          stage,
          moment,
          place,
        }));
      }),
      { stage: "now", moment: general("now") },
    ];
  }
  function pick(place, on) {
    const now = steps()[at];
    if (on) picked.add(place);
    else picked.delete(place);
    const still = steps().findIndex((step) => step.stage === now.stage && step.place === now.place);
    if (still < 0) strip.reset();
    else at = still;
    show();
  }
  function offerMoments(before) {
    const what = (some) => some.map(({ name }) => name).join();
    if (what(before) !== what(moments)) picked = new Set(moments.slice(0, FIRST).keys());
    picker.replaceChildren(
      el("legend", words.picked),
      ...moments.map((moment, place) => {
        const box = el("input", { type: "checkbox", onchange: () => pick(place, box.checked) });
        box.checked = picked.has(place);
        return el("label.ck-check", box, el("span", moment.title));
      }),
    );
    more.hidden = start.hidden = moments.length <= FIRST;
    if (more.hidden) picker.hidden = true;
    start.textContent = fillIn(words.start, { count: FIRST });
  }
  const isPicture = (part) => part.picture !== undefined;
  function part(told) {
    if (told.source !== undefined) return el("p.ck-source", told.source);
    if (!isPicture(told)) return el("p", told.text);
    const frame = el("div", { "data-picture": told.picture });
    fillFrame(frame, told.picture);
    return frame;
  }
  function fillFrame(frame, which) {
    const came = drawn.get(which);
    if (came?.html !== undefined)
      frame.innerHTML = came.html; // a picture, made by the kit
    else
      frame.replaceChildren(
        el("p", { class: came ? "" : "ck-drawing" }, came?.text ?? words.drawing),
      );
  }
  /** Return a moment. Among all moments its question comes last; on its own page the question, the topic now, is on top.
   *  Enlarged, one thing is shown at a time: the words, the picture, or the question. */
  function slide({ moment, stage }, question) {
    const alone = isBig() && !all && stage;
    const shown = (told) => isPicture(told) === (alone === "picture");
    const parts = alone === "means" ? [] : alone ? moment.parts.filter(shown) : moment.parts;
    const pictures = parts.filter(isPicture);
    const sentences = parts.filter((told) => !isPicture(told)).map(part);
    const title = [
      moment.where ? el("p.ck-where", moment.where) : "",
      el("h3", { tabindex: -1 }, unbroken(moment.title)),
    ];
    const asked = question ? [el("p.ck-asked", { tabindex: -1 }, moment.ask)] : [];
    const several = sentences.length >= SEVERAL ? " ck-several" : "";
    const classes = [
      "ck-slide",
      pictures.length && "ck-pictured",
      question && !all && "ck-asking",
    ].filter(Boolean);
    const told = all
      ? [el("div.ck-slide-words", ...title, ...sentences, ...asked)]
      : [
          el("div.ck-slide-head", ...title, ...asked),
          el(`div.ck-slide-words${several}`, ...sentences),
        ];
    return el(
      "section",
      { class: classes.join(" "), "aria-label": moment.title },
      ...told,
      ...(pictures.length ? [el("div.ck-slide-picture", ...pictures.map(part))] : []),
    );
  }
  function show() {
    const way = steps();
    at = Math.min(at, way.length - 1);
    const now = way[at];
    const asks = !["happened", "picture"].includes(now.stage);
    const stageNow = now.stage === "picture" ? "happened" : now.stage;
    stages.forEach((name, place) => {
      if (!all && name === stageNow) marks[place].setAttribute("aria-current", "step");
      else marks[place].removeAttribute("aria-current");
    });
    const slides = way.filter((step) => !["means", "picture"].includes(step.stage));
    if (all) stage.replaceChildren(...slides.map((step) => slide(step, true)));
    else stage.replaceChildren(slide(now, asks), ...(asks ? [strip.root] : []));
    const place = slides.findIndex((step) => step.moment === now.moment);
    count.textContent = all ? "" : fillIn(words.count, { at: place + 1, all: slides.length });
    back.hidden = next.hidden = all;
    back.disabled = at === 0;
    next.disabled = at === way.length - 1;
    const rest = moments.length - picked.size;
    const label = rest ? fillIn(words.more, { count: rest }) : words.pick;
    if (more.textContent !== label) more.textContent = label;
    const forth = way[at + 1]?.stage === "means" ? words.question : words.next;
    if (next.textContent !== forth) next.textContent = forth;
    const other = all ? words.one : words.all;
    if (spread.textContent !== other) spread.textContent = other;
    spread.setAttribute("aria-pressed", all);
    titleEye.disconnect();
    titleEye.observe(stage.querySelector("h3"));
    draw();
  }
  function draw() {
    if (drawing !== null) return;
    const shown = [...stage.querySelectorAll("[data-picture]")].map((frame) =>
      Number(frame.dataset.picture),
    );
    const later = steps().flatMap(({ moment }) =>
      moment.parts.filter(isPicture).map(({ picture }) => picture),
    );
    const missing = [...shown, ...later].find((which) => !drawn.has(which));
    if (missing === undefined) return;
    drawing = missing;
    send({ type: "draw", picture: missing, n: asked });
  }
  /** Show another step. If its title would be out of sight, as on a phone, scroll to it and focus it. */
  function go(to) {
    const way = steps();
    if (to < 0 || to >= way.length) return;
    // The observer reports with a delay; the position ignores parts of the page that scroll on their own.
    const inWindow = ({ top, bottom }) => top >= 0 && bottom <= innerHeight;
    const onScreen = () => inWindow(stage.querySelector("h3").getBoundingClientRect());
    const seen = titleSeen && onScreen();
    const focused = talk.contains(active());
    at = to;
    strip.reset();
    show();
    const { moment, stage: now } = way[at];
    if (isBig()) {
      root.scrollTo(0, 0);
    } else if (!seen || !onScreen()) {
      const head = stage.querySelector(".ck-slide-head");
      head.scrollIntoView({ block: "start" });
      (head.querySelector(".ck-asked") ?? head.querySelector("h3")).focus({ preventScroll: true });
      told.textContent = ""; // screen readers read the focused element anyway
      return;
    }
    told.textContent =
      now === "happened" || now === "picture"
        ? moment.where
          ? fillIn(words.spoken, moment)
          : moment.title
        : moment.ask;
    // Keep the focus here if its element has gone.
    if (focused && (!talk.contains(active()) || active().matches(":disabled")))
      (next.disabled ? back : next).focus();
  }
  talk.addEventListener("keydown", (event) => {
    if (
      all ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      !(WIDE.includes(event.key) || BACK.includes(event.key))
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    go(at + (WIDE.includes(event.key) ? 1 : -1));
  });

  function enlarge(on) {
    const now = steps()[at];
    root.classList.toggle("ck-big", on);
    if (now && on !== wasBig) {
      const same = (stage) => (step) => step.stage === stage && step.place === now.place;
      const still = steps().findIndex(same(now.stage));
      at = still < 0 ? steps().findIndex(same("happened")) : still;
      show();
    }
    wasBig = on;
    const label = on ? words.small : words.big;
    big.textContent = label;
    if (on) root.requestFullscreen?.()?.catch?.(() => {});
    else if (root.getRootNode().fullscreenElement === root) document.exitFullscreen();
  }
  let wasBig = false;
  const onFull = () => {
    if (document.fullscreenElement === null && entered) enlarge(false);
    entered = root.getRootNode().fullscreenElement === root;
  };
  let entered = false;
  document.addEventListener("fullscreenchange", onFull);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isBig()) return;
    event.stopPropagation();
    enlarge(false);
    big.focus();
  });

  function wait(otherwise = () => say(words.offline, true), time = SLOW) {
    clearTimeout(patience);
    patience = setTimeout(otherwise, time);
  }
  function say(text, bad = false) {
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("ck-bad", bad);
  }
  function look(anew = false) {
    if (anew) old = true;
    if (!old || !(visible || anew) || !source.value) return;
    old = false;
    asked += 1;
    say(words.looking);
    send({ type: "look", source: source.value, names: !names.checked, n: asked });
    wait();
  }
  async function sendFiles() {
    const chosen = [...files.files].slice(0, model.get("most"));
    const left = files.files.length - chosen.length;
    if (!chosen.length) return;
    say(words.looking);
    for (const [place, file] of chosen.entries()) {
      const text = file.size > model.get("largest") ? null : await file.text(); // the kernel says which were too large
      const last = place === chosen.length - 1;
      send({
        type: "file",
        name: file.name,
        text,
        first: place === 0,
        last,
        ...(last && { left }),
      });
    }
    files.value = "";
    wait();
  }
  let titleSeen = true; // whether the current title is on the screen
  const titleEye = new IntersectionObserver((entries) => {
    titleSeen = entries.at(-1).intersectionRatio > 0.99;
  });
  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    look();
  });
  eye.observe(root);

  /** Offer the sources of matches. A view that shows files follows when another view chooses new ones. */
  function offerSources({ sources, now }, mine) {
    const before = (mine && now) || source.value;
    const anew = before !== source.value;
    source.replaceChildren(...sources.map(({ value, label }) => el("option", { value }, label)));
    if (sources.some(({ value }) => value === before)) source.value = before;
    if (anew || source.value !== before || !shown.textContent) {
      names.checked = hidden.get(source.value) ?? true;
      sayNames();
    }
    if (mine || now !== source.value) return;
    old = true;
    look();
  }
  function onMessage(message) {
    if (message.type === "moved") {
      if (source.value !== "table") return;
      old = true;
      look();
      return;
    }
    const mine = (message.to ?? id) === id;
    if (message.type === "sources") offerSources(message, mine);
    if (!mine || (["moments", "picture"].includes(message.type) && message.n !== asked)) return;
    if (message.type === "picture") {
      drawn.set(message.picture, message.part);
      for (const frame of stage.querySelectorAll(`[data-picture="${message.picture}"]`))
        fillFrame(frame, message.picture);
      drawing = null;
      draw();
      return;
    }
    clearTimeout(patience);
    if (message.type === "sources") {
      say("");
      if (message.now) at = 0;
      look(Boolean(message.now));
    } else if (message.type === "moments") {
      const before = moments;
      const held = stage.contains(active()) ? active() : null;
      moments = message.moments;
      drawn = new Map();
      drawing = null;
      say(message.why);
      about.textContent = message.about;
      noted.textContent = message.noted;
      noted.hidden = !message.noted;
      refused.hidden = !message.refused.length;
      refusedHead.textContent = message.refused_head;
      refusedList.replaceChildren(...message.refused.map((words) => el("li", words)));
      talk.hidden = !message.played; // the question about feelings needs no moment
      offerMoments(before);
      show();
      // Keep the focus where it was, although the elements are new.
      if (held)
        (held.isConnected
          ? held
          : stage.querySelector(held.matches(".ck-asked") ? ".ck-asked" : "h3")
        )?.focus({ preventScroll: true });
    } else if (message.type === "refused") {
      say(message.text, true);
    } else if (message.type === "file") {
      say("");
      download(message.name, message.text, message.mime);
    }
  }

  model.on("msg:custom", onMessage);
  send({ type: "open" });
  wait();
  return () => {
    eye.disconnect();
    titleEye.disconnect();
    strip.leave();
    clearTimeout(patience);
    document.removeEventListener("fullscreenchange", onFull);
    model.off("msg:custom", onMessage);
  };
}

export default withStyles({ render });
