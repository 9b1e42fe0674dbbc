// Beside the map: looking at it again, comparing it, merging a class's maps, seeing how it grew, and files.
// The kernel counts, compares and writes; nothing here changes the map except by an edit that can be undone.

const WAIT = 500; // milliseconds without an edit before the measures are asked for again
const BEAT = 1400; // milliseconds of a step that is played
const BREAK = 5 * 60 * 1000; // milliseconds without a step after which the work has paused
const TOGETHER = 7e6; // bytes of all files that are sent at once: what a connection to the kernel carries
const FEW = 4; // of so many maps one has to have something for it to be drawn at first
const FIRST = 5; // disagreements that are shown at first
const SOME = 12; // rows of a list that are shown at first
const FORMS = ["json", "graphml", "csv", "outline", "png", "svg"];
const NEARLY = [["all", 1], ["nearly", 0.9], ["most", 0.6], ["half", 0.4], ["some", 0.1]]; // words for a share, from so much on

/** The panels of `editor`, of which one is shown. */
function panels(editor) {
  const kit = { ...pieces(editor), ...filing(editor), ...drawing(editor), editor };
  const { el, newId, rove, say } = kit;
  const made = { look: lookAgain(kit), compare: comparing(kit), merge: merging(kit), replay: replaying(kit), files: files(kit) };
  let shown = "look";
  let visible = false;
  let pause = 0;
  const stale = new Set(Object.keys(made));

  const tabs = new Map();
  for (const [name, { root }] of Object.entries(made)) {
    const tab = el("button", { type: "button", role: "tab", id: newId(), class: "ck-tab", "data-tab": name, "aria-controls": newId() }, say(`panel.${name}.tab`));
    tab.addEventListener("click", () => show(name));
    tab.addEventListener("focus", () => show(name));
    const panel = el("div", { id: tab.getAttribute("aria-controls"), role: "tabpanel", class: `ck-panel ck-panel-${name}`, "aria-labelledby": tab.getAttribute("id") },
      el("p", { class: "ck-about" }, say(`panel.${name}.about`)), root);
    tabs.set(name, { tab, panel });
  }
  const every = [...tabs.values()].map(({ tab }) => tab);
  const list = el("div", { class: "ck-tabs", role: "tablist", "aria-label": say("panel.name") }, ...every);
  const root = el("section", { class: "ck-panels", "aria-label": say("panel.name") }, list, ...[...tabs.values()].map(({ panel }) => panel));
  const stop = rove(list, () => every);

  function show(name) {
    if (shown !== name) made[shown].leave?.();
    shown = name;
    for (const [each, { tab, panel }] of tabs) {
      tab.setAttribute("aria-selected", String(each === name));
      panel.hidden = each !== name;
    }
    stop(tabs.get(name).tab);
    fresh();
  }

  /** Let the panel that is seen ask for what it shows, if the map has changed since. */
  function fresh() {
    if (!visible || !stale.has(shown)) return;
    stale.delete(shown);
    made[shown].show?.();
  }

  const off = [
    editor.on("map", () => {
      Object.keys(made).forEach((name) => stale.add(name));
      clearTimeout(pause);
      pause = setTimeout(fresh, WAIT);
    }),
    editor.on("select", () => made.look.mark()),
    editor.on("panel", (name) => tabs.has(name) && show(name)),
  ];
  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    fresh();
  });
  eye.observe(root);
  show(shown);
  const leave = () => {
    eye.disconnect();
    clearTimeout(pause);
    made[shown].leave?.();
    off.forEach((each) => each?.());
  };
  return { root, leave };
}

// ---- What several panels use

/** Files to and from the kernel, which travel as base64. */
function filing(editor) {
  const { el, newId, say } = pieces(editor);
  const size = (bytes) => String(Math.floor(bytes / 1e6));

  async function contentOf(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  }

  /** Where files are chosen or dropped; `take` gets [{name, content}], `tell` the reason why one was not read. */
  function drop(text, take, tell, many = false) {
    const input = el("input", { type: "file", id: newId(), class: "ck-hidden", accept: ".json,.graphml,.csv", ...(many ? { multiple: "" } : {}) });
    const label = el("label", { for: input.getAttribute("id"), class: "ck-button" }, text);
    const limit = say(many ? "panel.files.limits" : "panel.files.limit", { size: size(editor.limits.file), together: size(TOGETHER) });
    const zone = el("div", { class: "ck-drop" }, input, label, el("p", { class: "ck-status" }, say("panel.files.drop"), " ", limit));
    async function read(list) {
      const files = [...list].slice(0, many ? undefined : 1);
      const large = files.find((each) => each.size > editor.limits.file);
      if (large) {
        tell(say("panel.files.too_large", { name: large.name, size: size(editor.limits.file) }));
      } else if (files.reduce((sum, each) => sum + each.size, 0) > TOGETHER) {
        tell(say("panel.files.too_many", { size: size(TOGETHER) }));
      } else if (files.length) {
        await take(await Promise.all(files.map(async (each) => ({ name: each.name, content: await contentOf(each) }))));
      }
      input.value = ""; // so that the same file can be chosen again
    }
    input.addEventListener("change", () => read(input.files));
    const over = (on) => (event) => {
      event.preventDefault();
      event.stopPropagation();
      zone.classList.toggle("ck-over-drop", on);
    };
    zone.addEventListener("dragover", over(true));
    zone.addEventListener("dragleave", over(false));
    zone.addEventListener("drop", (event) => {
      over(false)(event);
      read(event.dataTransfer.files);
    });
    return zone;
  }

  /** A line that says how it went; what went wrong is read aloud at once. */
  function status() {
    const root = el("p", { class: "ck-status", role: "status" });
    const tell = (text, bad = false) => {
      root.textContent = text;
      root.classList.toggle("ck-bad", bad);
    };
    return { root, tell, bad: (text) => tell(text, true) };
  }

  /** Let the reader save the map, or what was merged, as a file. */
  async function save(form, note, of = "") {
    note.tell(say("panel.files.writing"));
    const reply = await editor.ask({ type: "export", form, of });
    if (refused(reply)) {
      note.bad(reply.text);
      return;
    }
    give(reply.name, reply.mime, reply.content, true);
    note.tell(say("panel.files.written", { name: reply.name }));
  }

  return { drop, save, status };
}

/** Small pictures of maps that are only looked at. */
function drawing(editor) {
  const LINE = 20; // height of a line of text
  const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // where words may stand on their line, the best place first
  const put = editor.svg;
  const width = (text) => [...text].reduce((sum, each) => sum + (HAN.test(each) ? 15 : 8.2), 0);

  /** Cut `text` into lines of about ten Chinese characters. */
  function wrapped(text, most = 150) {
    const lines = [""];
    for (const each of text.match(/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+/g) ?? []) {
      if (lines.at(-1) && width(lines.at(-1) + each.trimEnd()) > most) lines.push("");
      lines[lines.length - 1] += each;
    }
    return lines.map((each) => each.trim());
  }

  /** Where the line from the middle of `box` towards `to` leaves it. */
  function edge(box, to) {
    const [across, down] = [to.x - box.x, to.y - box.y];
    const share = Math.min(box.wide / 2 / Math.abs(across || 1e-9), box.tall / 2 / Math.abs(down || 1e-9), 1);
    return { x: box.x + across * share, y: box.y + down * share };
  }

  /** How much of `spot` is covered already. */
  const covered = (spot, taken) => taken.reduce((sum, each) => {
    const across = (spot.wide + each.wide) / 2 - Math.abs(spot.x - each.x);
    const down = (spot.tall + each.tall) / 2 - Math.abs(spot.y - each.y);
    return sum + (across > 0 && down > 0 ? across * down : 0);
  }, 0);

  /** A drawing of `map`; `weights` are by relation from 0 to 1, `fresh` are ids that stand out. */
  function picture(map, name, { weights = {}, fresh = new Set(), places = {} } = {}) {
    const count = map.concepts.size;
    const side = Math.max(720, Math.min(3000, 250 * Math.sqrt(count)));
    const boxes = new Map();
    let place = 0;
    for (const [id, each] of map.concepts) {
      place += 1;
      const turn = (2 * Math.PI * place) / count; // where nobody has put it yet: on a circle
      const at = each.at ?? places[id] ?? [500 + 400 * Math.sin(turn), 500 - 400 * Math.cos(turn)];
      const lines = wrapped(each.label);
      const wide = Math.max(44, ...lines.map((line) => width(line) + 24));
      boxes.set(id, { lines, wide, tall: lines.length * LINE + 14, x: at[0] / 1000 * side, y: at[1] / 1000 * side * 0.75 });
    }
    const every = [...boxes.values()];
    const left = Math.min(0, ...every.map(({ x, wide }) => x - wide / 2 - 8));
    const right = Math.max(side, ...every.map(({ x, wide }) => x + wide / 2 + 8));
    const high = Math.min(0, ...every.map(({ y, tall }) => y - tall / 2 - 8));
    const low = Math.max(side * 0.75, ...every.map(({ y, tall }) => y + tall / 2 + 8));
    const lines = [];
    const words = [];
    const taken = [...boxes.values()].map(({ x, y, wide, tall }) => ({ x, y, wide, tall }));
    const pairOf = (id) => [map.relations.get(id).start, map.relations.get(id).end].sort().join(" ");
    const between = new Map();
    for (const id of map.relations.keys()) between.set(pairOf(id), [...(between.get(pairOf(id)) ?? []), id]);
    for (const [id, { start, phrase, end }] of map.relations) {
      const [from, to] = [boxes.get(start), boxes.get(end)];
      if (!from || !to) continue;
      const beside = between.get(pairOf(id));
      const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const bend = (beside.indexOf(id) - (beside.length - 1) / 2) * 64 * (start < end ? 1 : -1);
      const middle = { x: (from.x + to.x) / 2 - (to.y - from.y) / far * bend, y: (from.y + to.y) / 2 + (to.x - from.x) / far * bend };
      const [a, b] = [edge(from, middle), edge(to, middle)];
      const back = Math.atan2(b.y - middle.y, b.x - middle.x);
      const heavy = 1.4 + 6 * (weights[id] ?? 0);
      const wing = (angle) => `${b.x - (8 + heavy) * Math.cos(back + angle)} ${b.y - (8 + heavy) * Math.sin(back + angle)}`;
      const state = fresh.has(id) ? " ck-fresh" : "";
      lines.push(put("g", { class: `ck-edge${state}` },
        put("path", { d: `M${a.x} ${a.y} Q${middle.x} ${middle.y} ${b.x} ${b.y}`, "stroke-width": heavy }),
        put("path", { class: "ck-head", d: `M${b.x} ${b.y} L${wing(0.4)} L${wing(-0.4)} Z` })));
      if (!phrase) continue;
      const at = (share) => ({
        x: (1 - share) ** 2 * a.x + 2 * share * (1 - share) * middle.x + share ** 2 * b.x,
        y: (1 - share) ** 2 * a.y + 2 * share * (1 - share) * middle.y + share ** 2 * b.y,
        wide: width(phrase) * 0.87, tall: 18,
      });
      const best = ALONG.map(at).map((spot) => ({ ...spot, cost: covered(spot, taken) })).reduce((one, other) => (other.cost < one.cost ? other : one));
      taken.push(best);
      words.push(put("text", { class: `ck-edge-words${state}`, x: best.x, y: best.y + 4, "text-anchor": "middle" }, phrase));
    }
    const nodes = [...boxes].map(([id, box]) => put("g", { class: `ck-node${fresh.has(id) ? " ck-fresh" : ""}${id === map.head.top ? " ck-node-top" : ""}` },
      put("rect", { x: box.x - box.wide / 2, y: box.y - box.tall / 2, width: box.wide, height: box.tall, rx: 9 }),
      ...box.lines.map((line, nth) => put("text", { x: box.x, y: box.y - box.tall / 2 + 7 + LINE * (nth + 0.72), "text-anchor": "middle" }, line))));
    return put("svg", {
      class: "ck-picture", viewBox: `${left} ${high} ${right - left} ${low - high}`, role: "img", "aria-label": name, "--ck-side": `${right - left}px`,
    }, ...lines, ...words, ...nodes);
  }

  const framed = (name, ...children) => editor.el("div", { class: "ck-scroll ck-picture-frame", tabindex: "0", role: "group", "aria-label": name }, ...children);

  return { framed, picture };
}

// ---- Look again: what can be counted, and what people say about each proposition

function lookAgain(kit) {
  const { button, editor, el, field, newId, say, status } = kit;
  const name = field(say("panel.look.judge"), { maxlength: "30", placeholder: say("panel.look.judge_hint") });
  const note = status();
  const hubs = el("div", { class: "ck-hubs" });
  const table = el("tbody");
  const open = el("p", { class: "ck-open", role: "status" });
  const list = el("ol", { class: "ck-judging", role: "list" });
  const result = el("div", { class: "ck-score" });
  const only = el("input", { type: "checkbox", id: newId() });
  const rows = new Map(); // by relation
  let told = null; // what the kernel said last

  const remembered = "coursekit/judge";
  name.box.value = attempt(() => sessionStorage.getItem(remembered)) ?? "";
  name.box.addEventListener("input", () => {
    attempt(() => sessionStorage.setItem(remembered, judge()));
    if (told) draw();
  });
  only.addEventListener("change", () => draw());
  const judge = () => name.box.value.trim();

  const root = el("div", {}, hubs,
    el("h3", {}, say("panel.look.judging")), el("p", { class: "ck-status" }, say("panel.look.how")), name.root, open,
    el("p", { class: "ck-check" }, only, el("label", { for: only.getAttribute("id") }, say("panel.look.only_open"))), note.root, list, result,
    el("details", { class: "ck-more" }, el("summary", {}, say("panel.look.numbers")),
      el("div", { class: "ck-scroll" }, el("table", {}, el("caption", {}, say("panel.look.numbers_about")),
        el("thead", {}, el("tr", {}, ...["what", "value", "hint"].map((each) => el("th", { scope: "col" }, say(`panel.look.${each}`))))), table))));

  async function show() {
    const reply = await editor.ask({ type: "study" });
    if (refused(reply)) {
      note.bad(reply.text);
      return;
    }
    told = reply;
    draw();
  }

  function draw() {
    const { hubs: found, measures } = told;
    const [first, ...others] = found;
    hubs.replaceChildren(...(first ? [
      el("p", { class: "ck-asked" }, say("panel.look.hub", { name: first.label })),
      el("p", { class: "ck-status" }, say("panel.look.hub_why", { relations: first.relations, share: Math.round(100 * first.between) }),
        ...(others.length ? [" ", say("panel.look.hubs", { names: others.map((each) => `${each.label} (${each.relations})`).join(say("panel.comma")) })] : [])),
    ] : []));
    table.replaceChildren(...measures.map((each) => el("tr", {}, el("th", { scope: "row" }, each.label), el("td", {}, shownNumber(each.value)), el("td", {}, each.hint))));
    drawJudging();
    drawScore();
  }

  const shownNumber = (value) => (typeof value === "number" ? new Intl.NumberFormat(editor.language, { maximumFractionDigits: 2 }).format(value) : String(value));

  function drawJudging() {
    const propositions = told.propositions;
    const left = propositions.filter(({ said }) => !said[judge()]).length;
    open.textContent = propositions.length === 0 ? say("panel.look.none") : left ? say("panel.look.left", { count: left, all: propositions.length }) : say("panel.look.done");
    const shown = only.checked ? propositions.filter(({ id, said }) => !said[judge()] || rows.get(id)?.item.contains(list.getRootNode().activeElement)) : propositions;
    for (const id of [...rows.keys()]) if (!propositions.some((each) => each.id === id)) rows.delete(id);
    settle(list, shown.map(row));
    mark();
  }

  const WORDS = ["yes", "partly", "no"];

  function row({ id, sentence, said }) {
    if (!rows.has(id)) {
      const words = el("button", { type: "button", class: "ck-sentence" });
      words.addEventListener("click", () => editor.select(id, { show: true }));
      const buttons = WORDS.map((word) => button(say(`panel.look.${word}`), () => press(id, word), { class: `ck-say ck-say-${word}`, "data-word": word }));
      const others = el("p", { class: "ck-others" });
      const says = el("div", { class: "ck-says", role: "group" }, ...buttons);
      rows.set(id, { item: el("li", { "data-relation": id }, words, says, others), words, says, buttons, others });
    }
    const { item, words, says, buttons, others } = rows.get(id);
    words.replaceChildren(sentence);
    says.setAttribute("aria-label", sentence);
    buttons.forEach((each, at) => each.setAttribute("aria-pressed", String(said[judge()] === WORDS[at])));
    const rest = Object.entries(said).filter(([who]) => who !== judge());
    others.replaceChildren(...rest.map(([who, word]) =>
      el("span", { class: `ck-other ck-say-${word}` }, say("panel.look.by", { name: who, word: say(`panel.look.${word}`) }))));
    others.hidden = rest.length === 0;
    item.classList.toggle("ck-split", new Set(Object.values(said)).size > 1);
    return item;
  }

  async function press(id, word) {
    if (!judge()) {
      note.bad(say("panel.look.no_judge"));
      name.box.focus();
      return;
    }
    note.tell("");
    const each = told.propositions.find((one) => one.id === id);
    const now = each.said[judge()] === word ? "" : word;
    const reply = await editor.ask({ type: "judge", judge: judge(), relation: id, word: now });
    if (refused(reply)) {
      note.bad(reply.text);
      return;
    }
    told = reply;
    draw();
  }

  /** Structure beside judgement, element by element. */
  function drawScore() {
    const { judges, elements, structure, valid } = told;
    result.hidden = judges.length === 0;
    if (result.hidden) return;
    const byJudge = ({ judge: who, valid: points, open: count }) => say("panel.look.of_judge", { name: who, points: shownNumber(points), count });
    const cells = (...values) => values.map((value) => el("td", { class: "ck-n" }, value === "" ? "" : shownNumber(value)));
    result.replaceChildren(el("h3", {}, say("panel.look.score")),
      el("div", { class: "ck-scroll" }, el("table", {},
        el("thead", {}, el("tr", {}, ...["element", "points_each", "structure", "valid"].map((each) => el("th", { scope: "col" }, say(`panel.look.${each}`))))),
        el("tbody", {}, ...elements.map((each) => el("tr", {}, el("th", { scope: "row" }, each.label), ...cells(each.points, each.structure, each.valid))),
          el("tr", { class: "ck-total" }, el("th", { scope: "row" }, say("panel.look.total")), ...cells("", structure, valid))))),
      judges.length > 1 ? el("p", {}, judges.map(byJudge).join(say("panel.replay.and"))) : "",
      el("p", { class: "ck-status" }, say("panel.look.source")));
  }

  function mark() {
    for (const [id, { item, words }] of rows) {
      item.classList.toggle("ck-chosen", id === editor.selected);
      if (id === editor.selected) words.setAttribute("aria-current", "true");
      else words.removeAttribute("aria-current");
    }
  }

  return { root, show, mark };
}

// ---- Compare: this map beside another one

function comparing(kit) {
  const { button, drop, editor, el, fold, listOf, newId, say, status } = kit;
  const note = status();
  const result = el("div", { class: "ck-compared" });
  const chosen = el("div", { class: "ck-chosen-source" });
  let message = null; // what was compared last

  const SOURCES = {
    starter: () => (editor.topics?.length ? [topicField()] : []),
    step: () => [stepField()],
    journal: () => [journalField()],
    file: () => [drop(say("panel.compare.choose"), ([each]) => ask({ with: "file", ...each }), note.bad)],
  };
  const names = Object.keys(SOURCES).filter((each) => each !== "starter" || editor.model.get("starter"));
  const choices = names.map((name) => button(say(`panel.compare.${name}`), () => choose(name), { class: "ck-source-choice", "aria-pressed": "false", "data-source": name }));
  const root = el("div", {}, el("div", { class: "ck-row", role: "group", "aria-label": say("panel.compare.with") }, ...choices), chosen, note.root, result);

  function choose(name) {
    choices.forEach((each, at) => each.setAttribute("aria-pressed", String(names[at] === name)));
    result.replaceChildren();
    note.tell("");
    message = null;
    chosen.replaceChildren(...SOURCES[name]());
    if (name === "starter") ask({ with: "starter" });
  }

  /** Where the rules have too much for one map: what it is about. */
  function topicField() {
    const id = newId();
    const menu = el("select", { id, class: "ck-box", onchange: () => ask({ with: "starter", about: menu.value }) },
      editor.topics.every(({ about }) => about) && el("option", { value: "" }, say("panel.compare.everything")), ...editor.topics.map(({ about, label }) => el("option", { value: about }, label)));
    return el("p", { class: "ck-field" }, el("label", { for: id }, say("panel.compare.about_what")), menu);
  }

  function stepField() {
    const slot = el("div");
    historyOf(editor).then((told) => {
      if (!told.steps.length) {
        slot.replaceChildren(el("p", {}, say("panel.compare.no_steps")));
        return;
      }
      const marks = breaks(told.steps);
      const slider = stepSlider(kit, told.steps, (at) => ask({ with: `step:${told.steps[at - 1]?.number ?? 0}` }), say("panel.compare.slider"));
      slider.set(marks.at(-1)?.at ?? Math.floor(told.steps.length / 2));
      slot.replaceChildren(slider.root, ...breakButtons(kit, marks, (at) => {
        slider.set(at);
        slider.tell();
      }));
      slider.tell();
    });
    return slot;
  }

  function journalField() {
    const slot = el("div");
    editor.ask({ type: "open" }).then(({ maps = [] }) => slot.replaceChildren(maps.length
      ? el("div", { class: "ck-row" }, ...maps.map((key) => button(key, () => ask({ with: `journal:${key}` }))))
      : el("p", {}, say("panel.compare.no_others"))));
    return slot;
  }

  async function ask(what) {
    message = what;
    const reply = await editor.ask({ type: "compare", ...what });
    if (message !== what) return; // another one has been chosen by now
    if (refused(reply)) {
      note.bad(reply.text);
      result.replaceChildren();
      return;
    }
    draw(reply);
  }

  const again = () => message && ask(message);

  /** Rows of a list, of which the first are shown. */
  const listed = (rows) => el("div", {}, listOf(rows.slice(0, SOME)),
    rows.length > SOME && fold(say("panel.compare.more", { count: rows.length - SOME }), listOf(rows.slice(SOME))));

  function draw({ name, shared, missing, mine, contradictions, reworded, perhaps_same: pairs }) {
    const all = (part) => shared[part].length + missing[part].length + mine[part].length;
    const overlap = (part, more) => {
      const [count, every] = [shared[part].length, all(part) + more];
      const share = inWords(count, every);
      return el("p", {}, say(`panel.compare.overlap_${part}`, { share: say(`panel.share.${share}`), count, all: every }));
    };
    note.tell(say("panel.compare.told", { name }));
    const beside = message.with.startsWith("step:") ? "then" : "compare"; // an earlier one of mine, or somebody else's
    const counted = (part, id, count) => el("h3", {}, say(`panel.${part}.${id}`), " ", el("span", { class: "ck-count" }, String(count)));
    const section = (part, id, count, rows) => el("section", { class: `ck-side-${id}` }, counted(part, id, count),
      rows.length ? listed(rows) : el("p", { class: "ck-status" }, say(`panel.${part}.nothing_${id}`)));
    const chooser = (id, text) => el("button", { type: "button", class: "ck-sentence", onclick: () => editor.select(id, { show: true }) }, text);
    const plainRow = (...parts) => el("li", { class: "ck-said" }, ...parts);
    const named = (labels) => (labels.length ? [plainRow(el("span", { class: "ck-who" }, say("panel.compare.concepts")), labels.join(say("panel.comma")))] : []);
    const clash = ({ id, mine: one, other, how }) => el("div", { class: "ck-clash" },
      el("p", {}, el("span", { class: "ck-who" }, say(`panel.${beside}.i_say`)), chooser(id, one)),
      el("p", {}, el("span", { class: "ck-who" }, say(`panel.${beside}.they_say`)), other),
      el("p", { class: "ck-asked" }, say(`panel.compare.how_${how}`)));
    const pair = ([one, other]) => el("li", {}, el("span", {}, say("panel.compare.pair", { one, other })),
      button(say("panel.compare.treat_same"), () => treat(one, other)));
    result.replaceChildren(
      contradictions.length ? el("section", { class: "ck-against" }, counted("compare", "contradictions", contradictions.length), ...contradictions.map(clash)) : "",
      pairs.length ? el("section", {}, el("h3", {}, say("panel.compare.perhaps")), listOf(pairs.map(pair))) : "",
      el("div", { class: "ck-overlap" }, overlap("concepts", 0), overlap("propositions", contradictions.length)),
      reworded.length ? fold(say("panel.compare.reworded", { count: reworded.length }), listOf(reworded.map((each) => plainRow(say("panel.compare.reworded_pair", each))))) : "",
      el("div", { class: "ck-three" },
        section(beside, "missing", missing.propositions.length + missing.concepts.length,
          [...missing.propositions.map((each) => missingRow(each.sentence, each.do)), ...missing.concepts.map((each) => missingRow(each.label, each.do))]),
        section(beside, "mine", mine.propositions.length + mine.concepts.length,
          [...mine.propositions.map((each) => plainRow(chooser(each.id, each.sentence))), ...named(mine.concepts.map((each) => each.label))]),
        section("compare", "shared", shared.propositions.length + shared.concepts.length,
          [...shared.propositions.map((each) => plainRow(each)), ...named(shared.concepts)])));
  }

  function missingRow(text, ops) {
    const add = button(say("panel.compare.add"), async () => {
      add.disabled = true;
      const reply = await editor.edit(ops, true);
      if (refused(reply)) {
        add.disabled = false;
        note.bad(reply.text);
        return;
      }
      editor.say(say("panel.compare.added", { name: text }));
      await again();
      (result.querySelector(".ck-side-missing button") ?? choices[0]).focus();
    }, { "aria-label": say("panel.compare.add_this", { name: text }) });
    return el("li", {}, el("span", {}, text), add);
  }

  async function treat(mine, other) {
    const reply = await editor.ask({ type: "same", pair: [mine, other] });
    if (refused(reply)) note.bad(reply.text);
    else draw(reply);
  }

  return { root, show: again };
}

/** A share in words: "all", "most", "half", "some" or "few"; "none" if there is nothing. */
function inWords(count, all) {
  if (!count) return "none";
  return NEARLY.find(([, least]) => count / all >= least)?.[0] ?? "few";
}

// ---- How a map grew

/** Ask how the map grew; steps that only moved something are left out. */
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
    const real = Object.entries(changes).filter(([id, thing]) => !onlyMoved(before[id], thing));
    if (real.length) told.push({ when, changes, before, real, number: number + 1 });
  });
  return { begun, steps: told, places };
}

const onlyMoved = (before, thing) => Boolean(before && thing && "label" in thing && JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...thing, at: 0 }));

/** The map after so many of `steps`. */
function grownTo({ begun, steps }, count) {
  const now = { ...begun };
  for (const { changes } of steps.slice(0, count)) Object.assign(now, changes);
  const map = { head: now[""] ?? { focus: "", top: "" }, concepts: new Map(), relations: new Map() };
  for (const [id, thing] of Object.entries(now)) {
    if (id && thing) ("label" in thing ? map.concepts : map.relations).set(id, thing);
  }
  return map;
}

/** Where the work paused: after so many of `steps`, for so many minutes. */
const breaks = (steps) => steps.flatMap(({ when }, at) => {
  const gap = at ? new Date(when) - new Date(steps[at - 1].when) : 0;
  return gap > BREAK ? [{ at, when: steps[at - 1].when, minutes: Math.round(gap / 60000) }] : [];
});

function breakButtons({ button, editor, el, say }, marks, go) {
  const buttons = marks.map(({ at, when, minutes }) =>
    button(say("panel.replay.break", { time: clockTime(editor, when), long: longOf(say, minutes) }), () => go(at)));
  return buttons.length ? [el("div", { class: "ck-row ck-breaks", role: "group", "aria-label": say("panel.replay.breaks") }, ...buttons)] : [];
}

const clockTime = (editor, when) => new Date(when).toLocaleTimeString(editor.language, { hour: "2-digit", minute: "2-digit", hour12: false });

function longOf(say, minutes) {
  const [id, size] = minutes < 90 ? ["minutes", 1] : minutes < 36 * 60 ? ["hours", 60] : ["days", 24 * 60];
  return say(`panel.replay.${id}`, { count: Math.round(minutes / size) });
}

/** A slider over steps, and a button to either side. */
function stepSlider({ button, editor, el, newId, say }, steps, onchange, label) {
  const id = newId();
  const slider = el("input", { id, type: "range", min: "0", max: String(steps.length), step: "1" });
  const shown = el("output", { for: id, class: "ck-at" });
  const walk = (by) => () => {
    set(Number(slider.value) + by);
    onchange(Number(slider.value));
  };
  const less = button("\u2212", walk(-1), { class: "ck-step", "aria-label": say("panel.replay.back") });
  const more = button("+", walk(1), { class: "ck-step", "aria-label": say("panel.replay.forward") });
  const set = (at) => {
    slider.value = String(Math.max(0, Math.min(steps.length, at)));
    const now = Number(slider.value);
    const when = steps[now - 1]?.when;
    shown.textContent = when ? say("panel.replay.at_time", { at: now, all: steps.length, time: clockTime(editor, when) }) : say("panel.replay.at", { at: now, all: steps.length });
    slider.setAttribute("aria-valuetext", shown.textContent);
    less.disabled = now === 0;
    more.disabled = now === steps.length;
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  slider.addEventListener("change", () => onchange(Number(slider.value)));
  const root = el("div", { class: "ck-slider" }, el("label", { for: id }, label), el("div", { class: "ck-slide" }, less, slider, more, shown));
  return { root, slider, set, tell: () => onchange(Number(slider.value)), value: () => Number(slider.value) };
}

// ---- Merge a class: what many maps have drawn

function merging(kit) {
  const { button, drop, editor, el, field, fold, form, framed, listOf, newId, picture, save, say, status } = kit;
  const note = status();
  const names = el("ul", { class: "ck-rows ck-columns", role: "list" });
  const count = el("summary");
  const chosen = el("details", { class: "ck-more", hidden: true }, count, names);
  const result = el("div", { class: "ck-merged" });
  const own = el("input", { type: "checkbox", id: newId() });
  let list = []; // {name, content}
  let same = []; // pairs of words
  let least = 0; // 0 until it is known how many maps there are
  let told = null;

  const zone = drop(say("panel.merge.choose"), (more) => {
    list = [...list.filter((each) => !more.some(({ name }) => name === each.name)), ...more];
    return ask();
  }, note.bad, true);
  own.addEventListener("change", ask);
  const root = el("div", {}, zone, el("p", { class: "ck-check" }, own, el("label", { for: own.getAttribute("id") }, say("panel.merge.own"))), chosen, note.root, result);

  function drawChosen() {
    count.replaceChildren(say("panel.merge.files", { count: list.length }));
    names.replaceChildren(...list.map((each) => el("li", {}, el("span", {}, each.name), button(say("panel.merge.leave_out"), () => {
      list = list.filter((other) => other !== each);
      ask();
    }, { "aria-label": say("panel.merge.leave_out_this", { name: each.name }) }))));
    chosen.hidden = list.length === 0;
  }

  async function ask() {
    drawChosen();
    const mine = own.checked ? [{ name: "my-map.json", content: base64(editor.asFile()) }] : [];
    const all = [...list, ...mine];
    if (!all.length) {
      result.replaceChildren();
      note.tell("");
      return;
    }
    note.tell(say("panel.merge.working"));
    const reply = await editor.ask({ type: "merge", files: all, least: least || Math.max(1, Math.round(all.length / FEW)), same });
    if (refused(reply)) {
      note.bad(reply.text);
      return;
    }
    told = reply;
    least = Math.min(least || Math.max(1, Math.round(told.maps / FEW)), told.maps);
    const news = [say("panel.merge.told", { count: told.maps }), ...told.broken];
    note.tell(news.join(" "), told.broken.length > 0);
    draw();
  }

  /** The relations of the merged map with the share of maps that have each. */
  function weightsOf() {
    const weight = new Map(told.propositions.map((each) => [each.sentence, each.weight]));
    const labels = (id) => told.map.concepts[id].label;
    return Object.fromEntries(Object.entries(told.map.relations).map(([id, { start, phrase, end }]) =>
      [id, told.maps > 1 ? (weight.get(spaced([labels(start), phrase || "–", labels(end)])) ?? 1) / told.maps : 0]));
  }

  const bar = (weight) => el("span", { class: "ck-weight" }, el("span", { class: "ck-bar", "--share": String(weight / told.maps), "aria-hidden": "true" }),
    say("panel.merge.drawn_by", { count: weight, all: told.maps }));
  const row = ({ sentence, weight }) => el("li", { class: "ck-said" }, el("span", {}, sentence), bar(weight));
  const clash = ({ sentences, weights }) => listOf(sentences.map((sentence, at) => row({ sentence, weight: weights[at] })), "ck-clash");

  function draw() {
    const map = whole(told.map);
    const often = told.propositions.filter(({ weight }) => weight >= least);
    const seldom = told.propositions.filter(({ weight }) => weight < least);
    const clashes = told.disagreements.map(clash);
    const size = { concepts: map.concepts.size, relations: map.relations.size };
    result.replaceChildren(
      el("section", { class: "ck-against" }, el("h3", {}, say("panel.merge.disagreements")),
        el("p", { class: clashes.length ? "ck-asked" : "ck-status" }, say(clashes.length ? "panel.merge.ask" : "panel.merge.agree")),
        el("div", { class: "ck-clashes" }, ...clashes.slice(0, FIRST)),
        clashes.length > FIRST && fold(say("panel.merge.more", { count: clashes.length - FIRST }), el("div", { class: "ck-clashes" }, ...clashes.slice(FIRST)))),
      el("section", {}, el("h3", {}, say("panel.merge.map")), leastSlider(),
        size.concepts ? framed(say("panel.merge.map"), picture(map, say("panel.merge.picture", size), { weights: weightsOf() }))
          : el("p", { class: "ck-status" }, say("panel.merge.nothing")),
        takeRow(map)),
      el("section", {}, el("h3", {}, say("panel.merge.propositions")), listOf(often.map(row), "ck-columns"),
        seldom.length > 0 && fold(say("panel.merge.seldom", { count: seldom.length }), listOf(seldom.map(row), "ck-columns"))),
      sameForm());
  }

  /** How many maps have to have something for it to be drawn. */
  function leastSlider() {
    const id = newId();
    const slider = el("input", { id, type: "range", min: "1", max: String(Math.max(1, told.maps)), step: "1" });
    slider.value = String(least);
    const shown = el("output", { for: id, class: "ck-at" }, String(least));
    slider.addEventListener("input", () => (shown.textContent = slider.value));
    slider.addEventListener("change", async () => {
      least = Number(slider.value);
      await ask();
      result.querySelector("input[type=range]")?.focus();
    });
    return el("div", { class: "ck-slider" }, el("label", { for: id }, say("panel.merge.least")), el("div", { class: "ck-slide" }, slider, shown));
  }

  /** Two words that the class uses for the same thing. */
  function sameForm() {
    const words = [...new Set(Object.values(told.map.concepts).map((each) => each.label))];
    const options = el("datalist", { id: newId() }, ...words.map((each) => el("option", { value: each })));
    const box = (name) => field(say(`panel.merge.${name}`), { list: options.getAttribute("id"), maxlength: String(editor.limits.label) });
    const [one, other] = [box("one_word"), box("other_word")];
    const made = form([el("div", { class: "ck-two" }, one.root, other.root), options], say("panel.compare.treat_same"), async () => {
      const pair = [one, other].map((each) => each.box.value.trim());
      if (!pair.every(Boolean)) return say("panel.merge.two_words");
      same = [...same, pair];
      return ask();
    });
    const apart = (pair) => button(say("panel.merge.undo_same"), () => {
      same = same.filter((each) => each !== pair);
      ask();
    });
    return fold(say("panel.merge.same"), made, listOf(same.map((pair) => el("li", {}, el("span", {}, pair.join(" = ")), apart(pair)))));
  }

  function takeRow(map) {
    const content = () => base64(nodeLink(map));
    const row = el("div", { class: "ck-row" });
    const saves = FORMS.map((form) => button(say(`panel.files.${form}`), () => save(form, note, "class"), { "data-form": form }));
    const back = () => {
      row.replaceChildren(take, el("span", { class: "ck-soft" }, say("panel.merge.save")), ...saves);
      take.focus();
    };
    const take = button(say("panel.merge.take"), () => {
      const yes = button(say("panel.merge.take_yes"), async () => {
        const reply = await editor.ask({ type: "load", name: "class.json", content: content() });
        if (refused(reply)) note.bad(reply.text);
        else note.tell(say("panel.files.loaded"));
        back();
      }, { class: "ck-go" });
      row.replaceChildren(el("p", { class: "ck-asked" }, say("panel.merge.take_sure")), yes, button(say("panel.merge.take_no"), back));
      yes.focus();
    });
    row.append(take, el("span", { class: "ck-soft" }, say("panel.merge.save")), ...saves);
    return row;
  }

  drawChosen();
  return { root, show: () => own.checked && ask() };
}

// ---- Replay: how the map grew

function replaying(kit) {
  const { button, editor, el, framed, picture, say } = kit;
  const frame = framed(say("panel.replay.map"));
  const told = el("p", { class: "ck-told", "aria-live": "polite" });
  const control = el("div");
  const root = el("div", {}, control, told, frame);
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
    const map = grownTo(history, at);
    const step = history.steps[at - 1];
    const size = say("panel.replay.size", { concepts: map.concepts.size, relations: map.relations.size });
    told.replaceChildren(step ? stepTold(kit, step) : say("panel.replay.begun"), " ", el("span", { class: "ck-soft" }, size));
    const places = Object.fromEntries([...map.concepts.keys()].map((id) => [id, editor.map.concepts.get(id)?.at ?? history.places[id]]));
    for (const [id, each] of map.concepts) map.concepts.set(id, { ...each, at: places[id] ?? null });
    frame.replaceChildren(picture(map, `${told.textContent}`, { fresh: new Set(step ? step.real.map(([id]) => id) : []) }));
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
function stepTold({ editor, say }, { before, real }) {
  const now = { ...before, ...Object.fromEntries(real) };
  const label = (id) => (now[id] ?? before[id])?.label ?? "";
  const sentence = ({ start, phrase, end }) => spaced([label(start), phrase || "–", label(end)]);
  const kinds = { added: [], linked: [], removed: [], changed: [] };
  for (const [id, thing] of real) {
    const old = before[id];
    if (id === "") {
      if (thing.focus !== (old?.focus ?? "")) kinds.changed.push(say("panel.replay.asked", { name: thing.focus }));
      if (thing.top !== (old?.top ?? "") && thing.top) kinds.changed.push(say("panel.replay.top", { name: label(thing.top) }));
    } else if (!thing) {
      if (old && "label" in old) kinds.removed.push(say("panel.replay.removed", { name: old.label }));
      else if (old && now[old.start] && now[old.end]) kinds.removed.push(say("panel.replay.cut", { name: sentence(old) }));
    } else if ("label" in thing) {
      if (!old) kinds.added.push(say("panel.replay.added", { name: thing.label }));
      else if (old.label !== thing.label) kinds.changed.push(say("panel.replay.renamed", { name: old.label, now: thing.label }));
      else kinds.changed.push(say("panel.replay.noted", { name: thing.label }));
    } else if (!old) kinds.linked.push(say("panel.replay.linked", { name: sentence(thing) }));
    else kinds.changed.push(say("panel.replay.reworded", { name: sentence(old), now: sentence(thing) }));
  }
  const every = Object.values(kinds).flat();
  if (every.length <= 3) return every.join(say("panel.replay.and")) || say("panel.replay.moved");
  return say("panel.replay.many", { added: kinds.added.length, linked: kinds.linked.length, changed: kinds.changed.length, removed: kinds.removed.length });
}

// ---- Files

function files(kit) {
  const { button, drop, editor, el, save, say, status } = kit;
  const note = status();
  const zone = drop(say("panel.files.choose"), async ([each]) => {
    note.tell(say("panel.files.reading"));
    const reply = await editor.ask({ type: "load", ...each });
    if (refused(reply)) note.bad(`${reply.text} ${say("panel.files.nothing_lost")}`);
    else note.tell(say("panel.files.loaded"));
  }, note.bad);
  const root = el("div", {}, el("h3", {}, say("panel.files.save")),
    el("ul", { class: "ck-forms", role: "list" }, ...FORMS.map((form) => el("li", {},
      button(say(`panel.files.${form}`), () => save(form, note), { "data-form": form }), el("span", { class: "ck-soft" }, say(`panel.files.${form}_for`))))),
    el("h3", {}, say("panel.files.open")), el("p", { class: "ck-status" }, say("panel.files.open_about")), zone, note.root);
  return { root };
}
