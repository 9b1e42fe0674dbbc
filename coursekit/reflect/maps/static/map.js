// The mind-map editor: the map as the kernel knows it, what is on its way to the kernel, and the frame around the
// views. canvas.js draws the map, forms.js asks for words, outline.js tells the map, panels.js looks at it again (page.py
// lists their parts); all work with one `editor`:
//
//   editor.map         {head: {focus, top}, concepts: Map, relations: Map, tree, can}: what is shown, the edits that are
//                      still on their way included. A thing made by such an edit has an id like "+12.0" until then.
//   editor.words, editor.word(id, values)     texts
//   editor.language, editor.kinds, editor.cards, editor.layouts, editor.limits     the widget's traits
//   editor.edit(ops, quiet)     one undo step; -> Promise of the kernel's "changed" or "refused", which is told unless quiet
//   editor.ask(message)     -> Promise of the kernel's answer to it; "undo", "redo", "starter" and "load" wait for edits
//   editor.select(id, {focus, open}), editor.selected     a concept or a relation, or null
//   editor.on(name, fn)     "map" (what: {renamed: Map of ids, whole}), "select", "status", "refused", "panel", "view" (zoomed,
//                      moved, or the other view); -> function that ends it
//   editor.say(text)   said aloud; editor.tell(text, bad) shown above the map as well, until the next edit
//   editor.el(tag, attributes, ...children), editor.svg(…)     an element; attributes "on…" are listeners
//   editor.entering(field, fn)     fn(event) for Enter, but not while a word is being composed
//   editor.sentence(relation), editor.kindOf(name)     words
//   editor.view ("map" or "outline"), editor.show(view), editor.panel, editor.open(name of a panel, or null)
//   editor.forms.relation({id} or {start, end}), .concept({from, at}), .label(id); editor.draw(); editor.remove(id)
//   editor.give(name, mime, text or base64, base64?)     a download

const PATIENCE = 6000; // milliseconds without an answer before the reader is told
const SVG = "http://www.w3.org/2000/svg";
const BARE = { label: "", kind: "", note: "", card: "", source: "", at: null };
const FIELDS = [...Object.keys(BARE), "start", "phrase", "end"];
const FOCUSABLE = /^(a|button|input|select|textarea|summary)$/;
const LEAVE = 3000; // milliseconds that a sentence stays in the live region
const WIDE = 900; // pixels of own width from which there is room for a sheet at the side
const ICONS = {
  add: "M12 5v14M5 12h14",
  card: "M7 3h10a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM12 9l1 2.200 2.400.300-1.800 1.600.500 2.400-2.100-1.200-2.100 1.200.500-2.400-1.800-1.600 2.400-.300z",
  link: "M4 17a3 3 0 1 0 6 0 3 3 0 1 0-6 0M14 7a3 3 0 1 0 6 0 3 3 0 1 0-6 0M9.200 15 15 9.200",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  tidy: "M10 3h4v4h-4zM3 17h4v4H3zM17 17h4v4h-4zM12 7v5M5 17v-5h14v5",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  full: "M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  map: "M3 7a3 2.500 0 1 0 6 0 3 2.500 0 1 0-6 0M15 6a3 2.500 0 1 0 6 0 3 2.500 0 1 0-6 0M9 18a3 2.500 0 1 0 6 0 3 2.500 0 1 0-6 0M7 9.500l3.500 6M17 8.500l-3.500 7M9 7h6",
  outline: "M4 6h16M8 12h12M8 18h12M4 12h.01M4 18h.01",
  close: "M6 6l12 12M18 6 6 18",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6",
  turn: "M7 8h12M15 4l4 4-4 4M17 16H5M9 12l-4 4 4 4",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  top: "M12 20V6M6 11l6-6 6 6M5 3h14",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  tick: "M5 13l4 4L19 7",
};

// ---- Elements

function fill(element, attributes, children) {
  // Without this, keys pressed here would edit the notebook around the cell.
  if (FOCUSABLE.test(element.localName) || "tabindex" in attributes) element.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const icon = (name) => svg("svg", { class: "ck-map-icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/** A button with a sign and words; `more` holds its listener and attributes. */
const press = (sign, words, more = {}) => el("button", { type: "button", ...more, class: `ck-button ${more.class ?? ""}`.trim() },
  sign && icon(sign), el("span", { class: "ck-map-text" }, words));

/** Do `fn` when Enter ends what is typed in `field`, and not while a word is being composed: there Enter chooses a character. */
function entering(field, fn) {
  let composing = false;
  field.addEventListener("compositionstart", () => { composing = true; });
  field.addEventListener("compositionend", () => { composing = false; });
  field.addEventListener("keydown", (event) => {
    if (composingIn(event, composing) || event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    fn(event);
  });
  return field;
}

/** Whether a key belongs to the input method; 229 is what Safari sends for the Enter that ends a composition. */
const composingIn = (event, composing = false) => composing || event.isComposing || event.keyCode === 229;

// ---- What is kept in this browser

function attempt(action) {
  try {
    return action() ?? null;
  } catch {
    return null; // some browsers have no storage
  }
}

const stored = (storage, name) => ({
  get: () => attempt(() => JSON.parse(storage().getItem(name))),
  set: (value) => attempt(() => storage().setItem(name, JSON.stringify(value))),
  remove: () => attempt(() => storage().removeItem(name)),
});

// ---- The map

const emptyMap = () => ({ head: { focus: "", top: "" }, concepts: new Map(), relations: new Map(), tree: null, can: { undo: false, redo: false } });

/** `op` with every id in it given to `fn`. */
function pointed([what, ...rest], fn) {
  const [first, second, third, ...more] = rest;
  if (what === "link") return [what, fn(first), second, fn(third), ...more];
  if (what === "change") return [what, fn(first), second];
  if (what === "remove") return [what, first.map(fn)];
  if (what === "move") return [what, Object.fromEntries(Object.entries(first).map(([id, at]) => [fn(id), at]))];
  return what === "top" ? [what, fn(first)] : [what, ...rest];
}

/** `map` as it will be after the edit `ops` with number `n`; made things are called "+n.0", "+n.1" and so on. */
function applied(map, ops, n) {
  const concepts = new Map(map.concepts);
  const relations = new Map(map.relations);
  const head = { ...map.head };
  let count = 0;
  const make = (things, thing) => {
    things.set(`+${n}.${count}`, thing);
    count += 1;
  };
  const change = (id, fields) => [concepts, relations].forEach((things) => things.has(id) && things.set(id, { ...things.get(id), ...fields }));
  const steps = {
    add: (fields) => make(concepts, { ...BARE, ...fields }),
    link: (start, phrase, end, more) => make(relations, { start, phrase, end, kind: "", note: "", ...more }),
    change,
    move: (places) => Object.entries(places).forEach(([id, at]) => change(id, { at })),
    remove(ids) {
      const gone = new Set(ids);
      ids.forEach((id) => concepts.delete(id) || relations.delete(id));
      for (const [id, { start, end }] of relations) if (gone.has(start) || gone.has(end)) relations.delete(id);
      if (gone.has(head.top)) head.top = "";
    },
    ask: (focus) => { head.focus = focus; },
    top: (id) => { head.top = id; },
    layout() {}, // only the kernel knows the places
  };
  for (const op of ops) {
    const [what, ...rest] = pointed(op, (id) => (/^\+\d+$/.test(id) ? `+${n}.${id.slice(1)}` : id));
    steps[what](...rest);
  }
  return { ...map, head, concepts, relations };
}

/** `map` after the kernel's `changes`: by id what there is from now on, null for nothing. */
function changed(map, { changes, head, tree, can }) {
  const concepts = new Map(map.concepts);
  const relations = new Map(map.relations);
  for (const [id, thing] of Object.entries(changes)) {
    if (id === "") continue;
    if (thing === null) concepts.delete(id) || relations.delete(id);
    else ("start" in thing ? relations : concepts).set(id, thing);
  }
  return { head: head ?? changes[""] ?? map.head, concepts, relations, tree: tree ?? map.tree, can: can ?? map.can };
}

const whole = ({ head, concepts, relations, tree, can }) => ({
  head, concepts: new Map(Object.entries(concepts)), relations: new Map(Object.entries(relations)), tree, can: can ?? { undo: false, redo: false },
});

/** `map` as the node-link JSON that the kernel reads. */
function nodeLink({ head, concepts, relations }) {
  const filled = (thing, more) => Object.fromEntries(
    [...Object.entries(thing).filter(([, value]) => value), ...Object.entries(more)].map(([field, value]) => [field, field === "at" ? value.join(" ") : value]));
  return JSON.stringify({
    directed: true, multigraph: true, graph: filled(head, {}),
    nodes: [...concepts].map(([id, each]) => filled(each, { id })),
    edges: [...relations].map(([key, { start, end, ...rest }]) => filled(rest, { source: start, target: end, key })),
  }, null, 1);
}

/** What a map shows, to see whether two show the same: what the kernel has not named yet has another id there. */
function shownBy({ head, concepts, relations }) {
  const name = (id) => concepts.get(id)?.label ?? "";
  const things = (all, more) => [...all.values()].map((each) => JSON.stringify({ ...BARE, ...each, ...more(each) }, FIELDS)).sort();
  return JSON.stringify([head.focus, name(head.top), things(concepts, () => ({})),
    things(relations, ({ start, end }) => ({ start: name(start), end: name(end) }))]);
}

const HAN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud884][\udc00-\udfff]/;
const MARK = /[\u3000-\u303f\uff00-\uffef]/;

/** `parts` as one sentence, with a space between them except between Chinese and Chinese; like spaced() in parts.py. */
function spaced(parts) {
  return parts.reduce((words, after) => {
    const [last, first] = [[...words].at(-1) ?? "", [...after][0] ?? ""];
    const close = MARK.test(last) || MARK.test(first) || (HAN.test(last) && HAN.test(first));
    return words + (close ? "" : " ") + after;
  });
}

// ---- The editor: talks with the kernel

function newEditor(model) {
  const words = model.get("words");
  const key = model.get("key");
  const copy = stored(() => localStorage, `coursekit/map/${key}`);
  const listeners = {};
  const asked = new Map(); // n -> what to do with the answer
  const queue = []; // edits and what must keep its order among them: {message, done}; the first one is with the kernel
  const names = new Map(); // ids of things whose edit the kernel has answered: "+12.0" -> "c7"
  let last = Math.floor(Math.random() * 1e9) * 1000; // another view of the same widget has other numbers
  let known = emptyMap(); // as the kernel has it
  let patience = 0;

  const editor = {
    model, words, key, el, svg, icon, press, entering,
    language: model.get("language"), kinds: model.get("kinds") ?? [], cards: model.get("cards") ?? [],
    layouts: model.get("layouts") ?? [], topics: model.get("topics") ?? [], limits: model.get("limits") ?? {}, suggestion: model.get("focus") ?? "",
    map: emptyMap(), selected: null, view: "map", ready: false,
    status: { saved: "", saving: false, offline: false, failed: "", other: "" }, // other: when another window saved another version
    offer: null, // a map that this browser holds and the kernel never saved

    /** The text `id` with `values` in it; `{number:map/maps}` is a number with its noun. */
    word: (id, values = {}) => (words[id] ?? id).replace(/\{(\w+)(?::([^}/]*)\/([^}]*))?\}/g, (_, name, one, many) =>
      (one === undefined ? String(values[name]) : `${values[name]} ${values[name] === 1 ? one : many}`)),
    kindWord: (kind) => (kind ? words[`kind_${kind}`] ?? kind : words.kind_own),
    on(name, fn) {
      (listeners[name] ??= new Set()).add(fn);
      return () => listeners[name].delete(fn);
    },
    tells: (name, ...values) => [...(listeners[name] ?? [])].forEach((fn) => fn(...values)),
    say() {},
    tell() {},

    labelOf: (id) => editor.map.concepts.get(id)?.label ?? "",
    sentence: ({ start, phrase, end }) => spaced([editor.labelOf(start), phrase || "–", editor.labelOf(end)]),
    kindOf: (name) => editor.kinds.findIndex((each) => each.name === name),
    kindSaid: (phrase) => editor.kinds.find((each) => each.phrase === phrase)?.name ?? "",
    cardOf: (name) => (name ? editor.cards.find((each) => each.card === name) ?? null : null),
    linksOf: (id) => [...editor.map.relations].filter(([, each]) => each.start === id || each.end === id),

    select(id, more = {}) {
      const there = id !== null && (editor.map.concepts.has(id) || editor.map.relations.has(id));
      const next = there ? id : null;
      const same = next === editor.selected;
      editor.selected = next;
      if (!same || more.focus || more.open) editor.tells("select", next, more);
    },

    edit: (ops, quiet = false) => enqueue({ type: "edit", do: ops }, quiet),
    ask: (message) => (["undo", "redo", "starter", "load", "keep"].includes(message.type) ? enqueue(message) : post(message)),
    undo: () => editor.map.can.undo && editor.ask({ type: "undo" }),
    redo: () => editor.map.can.redo && editor.ask({ type: "redo" }),

    /** Take over what this browser holds, or throw it away. */
    take(wanted) {
      const { offer } = editor;
      editor.offer = null;
      if (wanted && offer) editor.ask({ type: "load", name: "browser.json", content: base64(nodeLink(whole(offer.map))) });
      else copy.remove();
      editor.tells("status");
    },
    give,
    asFile: () => nodeLink(editor.map),
    /** Let the kernel save at once: nobody may be here any more to see whether it does. */
    save: () => send({ type: "leave" }),
    leave() {
      editor.save();
      clearTimeout(patience);
      model.off("msg:custom", hear);
    },
  };

  const number = () => (last += 1);

  /** Nothing comes back from a kernel that is gone, to which some pages refuse to send. */
  const send = (message) => attempt(() => model.send(message));

  function post(message) {
    const n = message.n ?? number();
    return new Promise((done) => {
      asked.set(n, done);
      send({ ...message, n });
      watch();
    });
  }

  /** Hand over `message` after all that wait; a refusal is told above the map unless whoever asks is `quiet` and tells it. */
  function enqueue(message, quiet = false) {
    return new Promise((done) => {
      queue.push({ message: { ...message, n: number() }, done, quiet });
      editor.tell("");
      if (message.type === "edit") status({ saving: true });
      show();
      if (queue.length === 1) next();
    });
  }

  /** Hand the first of the queue to the kernel, with the ids that things have by now. */
  function next() {
    if (!queue.length) return;
    const [{ message, done, quiet }] = queue;
    const sent = message.type === "edit" ? { ...message, do: message.do.map(renamed) } : message;
    post(sent).then((answer) => {
      queue.shift();
      const ids = new Map((answer.made ?? []).map((id, at) => [`+${message.n}.${at}`, id]));
      ids.forEach((id, old) => names.set(old, id));
      if (ids.has(editor.selected)) editor.selected = ids.get(editor.selected);
      queue.forEach((each) => each.message.type === "edit" && (each.message.do = each.message.do.map(renamed)));
      show({ renamed: ids, whole: answer.type === "map" });
      remember(); // without what was refused, and with the names of the kernel
      if (answer.type === "refused" || message.type === "keep") status({ saving: queue.length > 0 }); // what is kept is saved
      if (answer.type === "refused") {
        if (!quiet) editor.tell(answer.text, true);
        editor.tells("refused", answer);
      }
      done(answer);
      next();
    });
  }
  const renamed = (op) => pointed(op, (id) => names.get(id) ?? id);

  /** The map is what the kernel has, and on top of it what it has not answered. */
  function show(what = {}) {
    editor.map = queue.reduce((map, { message }) => (message.type === "edit" ? applied(map, message.do, message.n) : map), known);
    if (editor.selected && !editor.map.concepts.has(editor.selected) && !editor.map.relations.has(editor.selected)) editor.selected = null;
    if (queue.some(({ message }) => message.type === "edit")) remember();
    editor.tells("map", { renamed: new Map(), whole: false, ...what });
  }

  /** The map that this browser holds, unless the kernel has the same. */
  function unsaved() {
    const mine = copy.get();
    return mine && shownBy(whole(mine.map)) !== shownBy(known) ? mine : null;
  }

  const remember = () => copy.set({ when: new Date().toISOString(), map: plain(editor.map) });
  const plain = ({ head, concepts, relations }) => ({ head, concepts: Object.fromEntries(concepts), relations: Object.fromEntries(relations), tree: null });

  function watch() {
    clearTimeout(patience);
    patience = setTimeout(() => asked.size && status({ offline: true }), PATIENCE);
  }

  function status(news) {
    Object.assign(editor.status, news);
    editor.tells("status");
  }

  function hear(message) {
    if (message.type === "map") onWhole(message);
    else if (message.type === "changed") {
      known = changed(known, message);
      if (!asked.has(message.n)) show(); // an edit in another view
    } else if (message.type === "saved") {
      status({ saved: message.saved, failed: "" });
      setTimeout(() => { // the answer to an edit may have come in the same breath
        if (queue.length) return;
        if (!unsaved()) editor.offer = null; // another cell has answered it
        if (!editor.offer) copy.remove();
        status({ saving: false });
      });
    } else if (message.type === "failed") {
      status({ failed: message.text, saving: false });
    }
    const done = asked.get(message.n);
    if (done) {
      asked.delete(message.n);
      done(message);
    }
    if (!asked.size) clearTimeout(patience);
    if (editor.status.offline) status({ offline: false });
    if ("other" in message) status({ other: message.other });
    if (message.notice) editor.tell(message.notice);
  }

  function onWhole(message) {
    const first = !editor.ready;
    known = whole(message);
    editor.ready = true;
    if (first || editor.offer) editor.offer = unsaved();
    if (first && !editor.offer) copy.remove();
    status({ saved: message.saved ?? "", saving: queue.length > 0 });
    show({ whole: true });
  }

  model.on("msg:custom", hear);
  editor.begin = () => {
    send({ type: "open" });
    asked.set("open", () => {}); // answered by the first map
    watch();
    const end = editor.on("map", () => editor.ready && (asked.delete("open"), end()));
  };
  return editor;
}

function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Let the browser download a file, whose content is text or, with `coded`, base64. */
function give(name, mime, content, coded = false) {
  const data = coded ? Uint8Array.from(atob(content), (each) => each.charCodeAt(0)) : content;
  const url = URL.createObjectURL(new Blob([data], { type: mime }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// ---- The frame

/** Arrows walk through the buttons of a toolbar, which is one stop for Tab. */
function walked(bar) {
  const all = () => [...bar.querySelectorAll("button, select")].filter((each) => !each.disabled && each.getClientRects?.().length !== 0);
  const stop = (chosen) => bar.querySelectorAll("button, select").forEach((each) => each.setAttribute("tabindex", each === chosen ? "0" : "-1"));
  bar.addEventListener("focusin", (event) => stop(event.target));
  bar.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const list = all();
    const at = list.indexOf(event.target);
    if (!(event.key in steps) || at < 0) return;
    event.preventDefault();
    list[(at + steps[event.key] + list.length) % list.length].focus();
  });
  stop(all()[0] ?? bar.querySelector("button"));
  return bar;
}

function render({ model, el: place }) {
  const editor = newEditor(model);
  editor.uid = `ck-map-${Math.random().toString(36).slice(2)}`;
  const { word } = editor;
  const live = el("p", { class: "ck-map-unseen", role: "status", "aria-live": "polite" });
  const notice = el("p", { class: "ck-map-notice", hidden: true });
  let silence = 0;
  editor.say = (text) => {
    live.textContent = "";
    clearTimeout(silence);
    setTimeout(() => { live.textContent = text; }, 60);
    silence = setTimeout(() => { live.textContent = ""; }, LEAVE + 60);
  };
  editor.tell = (text, bad = false) => {
    notice.textContent = text;
    notice.hidden = !text;
    notice.classList.toggle("ck-bad", bad);
    if (text) editor.say(text);
  };

  const view = canvas(editor);
  const { drawing } = view;
  editor.drawing = drawing;
  const told = outline(editor);
  const more = panels(editor);
  editor.forms = new Forms(editor, drawing);
  const sheet = new Sheet(editor);
  editor.showKeys = () => editor.forms.keys();

  editor.remove = (id) => {
    const { concepts, relations } = editor.map;
    const concept = concepts.get(id);
    const relation = relations.get(id);
    if (!concept && !relation) return;
    const count = concept ? editor.linksOf(id).length : 0;
    const said = concept ? word(count ? "removed_linked" : "removed", { label: concept.label, number: count }) : word("removed", { label: editor.sentence(relation) });
    const next = concept ? neighbourOf(id) : relation.start;
    editor.edit([["remove", [id]]]).then((answer) => {
      if (answer.type === "refused") return;
      editor.tell(said);
    });
    editor.select(next || null, { focus: drawing.focused() !== null || editor.view === "map" });
  };
  const neighbourOf = (id) => {
    const [linked] = editor.linksOf(id).map(([, each]) => (each.start === id ? each.end : each.start));
    return linked ?? [...editor.map.concepts.keys()].find((each) => each !== id) ?? "";
  };
  editor.begins = (about) => editor.ask({ type: "starter", about }).then((answer) => answer.type === "map" && drawing.refit());
  editor.draw = () => editor.ask({ type: "draw" }).then((answer) => {
    if (answer.type === "drawn" && answer.card) editor.forms.card(answer.card);
    else editor.tell(answer.text ?? word("draw_none"), answer.type === "refused");
  });

  // The question
  const question = el("textarea", {
    class: "ck-map-question", id: `${editor.uid}-focus`, rows: "1", lang: editor.language, spellcheck: "false", maxlength: "2000",
    placeholder: editor.suggestion || word("focus_hint"), "aria-label": word("focus"), onchange: () => ask(), oninput: () => grow(),
  });
  const grow = () => {
    question.style.height = "auto";
    question.style.height = `${question.scrollHeight}px`;
  };
  const ask = () => {
    if (question.value.trim() !== editor.map.head.focus) editor.edit([["ask", question.value.trim()]]);
  };
  entering(question, () => question.blur());

  // The tools
  const tool = (sign, name, title, onclick, attributes = {}) => press(sign, word(name), { "data-tool": name, title: word(title), onclick, ...attributes });
  const undo = tool("undo", "undo", "undo_title", () => editor.undo(), { class: "ck-map-sign" });
  const redo = tool("redo", "redo", "redo_title", () => editor.redo(), { class: "ck-map-sign" });
  const linkTool = tool("link", "link", "link_title", () => {
    const { selected, map } = editor;
    editor.show("map");
    drawing.startLink(map.concepts.has(selected) ? selected : null);
  });
  const tidy = el("select", { "data-tool": "tidy", "aria-label": word("tidy"), title: word("tidy_title"), onchange: (event) => {
    const name = event.target.value;
    event.target.value = "";
    if (name) editor.edit([["layout", name]]).then((answer) => answer.type !== "refused" && drawing.refit());
  } }, el("option", { value: "" }, word("tidy")), ...editor.layouts.map(({ name, label }) => el("option", { value: name }, label)));
  const views = ["map", "outline"].map((name) => tool(name, `view_${name}`, name === "map" ? "view_map_title" : "view_outline_title", () => editor.show(name)));
  const moreTool = tool("more", "more", "more_title", () => editor.open(editor.panel ? null : "panels"), { "aria-expanded": "false" });
  const bar = walked(el("div", { class: "ck-map-tools", role: "toolbar", "aria-label": word("tools") },
    el("span", { class: "ck-map-group" }, tool("add", "add", "add_title", () => editor.forms.concept({}), { class: "ck-map-main" }),
      editor.cards.length > 0 && tool("card", "draw", "draw_title", () => editor.draw()), linkTool),
    el("span", { class: "ck-map-group" }, undo, redo, el("span", { class: "ck-map-tidy" }, icon("tidy"), tidy), tool("fit", "fit", "fit_title", () => view.fit(), { class: "ck-map-sign" }),
      document.fullscreenEnabled && tool("full", "full", "full_title", () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()), { class: "ck-map-sign ck-map-wide" }),
      tool("keys", "help", "help_title", () => editor.showKeys(), { class: "ck-map-sign ck-map-wide" })),
    el("span", { class: "ck-map-group ck-map-views", role: "group", "aria-label": word("views") }, ...views), moreTool));

  // An empty map invites
  const step = (sign, name, rest, onclick) => el("button", { type: "button", class: "ck-map-step", onclick }, icon(sign), el("b", {}, word(name)), el("span", {}, word(rest)));
  const empty = el("div", { class: "ck-map-begin", hidden: true }, el("p", {}, word("begin")),
    el("div", {}, editor.cards.length > 0 && step("card", "begin_draw", "begin_draw_more", () => editor.draw()), step("add", "begin_write", "begin_write_more", () => editor.forms.concept({ at: [500, 420] })),
      model.get("starter") && step("map", "begin_starter", "begin_starter_more", () => (editor.topics.length ? editor.forms.starter() : editor.begins("")))));
  drawing.floor.append(empty);

  // What is saved
  const status = el("p", { class: "ck-status ck-map-status" });
  const rescue = press("down", word("rescue"), { hidden: true, onclick: () => give(`${word("file")}.json`, "application/json", editor.asFile()) });
  const offer = el("div", { class: "ck-map-offer", role: "group", hidden: true }, el("p"), press("tick", word("offer_take"), { onclick: () => editor.take(true) }), press("close", word("offer_drop"), { onclick: () => editor.take(false) }));
  const both = el("div", { class: "ck-map-offer", role: "group", "aria-label": word("other"), hidden: true }, el("p"),
    ...["mine", "other", "both"].map((which) => press("", word(`keep_${which}`), { "data-keep": which, onclick: () => editor.ask({ type: "keep", which }) })));
  const clock = (time) => new Date(time).toLocaleTimeString(editor.language, { hour: "2-digit", minute: "2-digit", hour12: false });
  const showStatus = () => {
    const { saved, saving, offline, failed } = editor.status;
    const text = offline ? word("offline") : failed || (saving ? word("saving") : saved ? word("saved", { time: clock(saved) }) : editor.ready ? word("unsaved") : word("opening"));
    const bad = offline || Boolean(failed);
    if (status.textContent !== text) {
      status.textContent = text;
      if (bad) editor.say(text);
    }
    status.classList.toggle("ck-bad", bad);
    rescue.hidden = !bad;
    const { other } = editor.status;
    const asked = other && word("other_saved", { time: clock(other) });
    if (asked && both.hidden) editor.say(asked);
    both.hidden = !other;
    both.firstChild.textContent = asked;
    offer.hidden = !editor.offer;
    if (editor.offer) offer.firstChild.textContent = word("offer", { time: clock(editor.offer.when) });
  };

  const drawer = el("section", { class: "ck-map-drawer", "aria-label": word("more"), hidden: true }, more.root);
  const stage = el("div", { class: "ck-map-stage" }, el("div", { class: "ck-map-main-view" }, view.root, told.root, editor.forms.layer), sheet.root);
  const root = el("div", { class: "ck-cell ck-map", lang: editor.language, "data-view": "map", tabindex: "-1", onkeydown: (event) => shortcut(event) },
    el("div", { class: "ck-map-head" }, el("label", { for: question.id, class: "ck-map-over" }, word("focus")), question), bar, offer, both, notice, stage, drawer,
    el("div", { class: "ck-map-foot" }, status, rescue), live);
  Object.defineProperty(editor, "width", { get: () => root.clientWidth });
  Object.defineProperty(editor, "covered", { get: () => (root.classList.contains("ck-narrow") && editor.view === "map" ? sheet.root.offsetHeight : 0) });

  editor.panel = null;
  editor.open = (name) => {
    editor.panel = name;
    drawer.hidden = !name;
    moreTool.setAttribute("aria-expanded", String(Boolean(name)));
    editor.tells("panel", name);
    if (name) drawer.scrollIntoView?.({ block: "nearest" });
  };
  editor.show = (name) => {
    if (!["map", "outline"].includes(name)) return;
    editor.forms.close(false);
    if (name === "outline") drawing.stopLink();
    editor.view = name;
    root.setAttribute("data-view", name);
    view.root.hidden = name !== "map";
    told.root.hidden = name !== "outline";
    views.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.tool === `view_${name}`)));
    editor.tells("view");
  };

  /** Undo and redo from anywhere, except that a field undoes its own typing. */
  function shortcut(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || /^(input|textarea)$/.test(event.target.localName)) return;
    const back = event.key.toLowerCase() === "z";
    if (!back && event.key.toLowerCase() !== "y") return;
    event.preventDefault();
    event.stopPropagation();
    drawing.flush();
    const redoes = !back || event.shiftKey;
    const can = redoes ? editor.map.can.redo : editor.map.can.undo;
    if (!can) editor.say(word(redoes ? "nothing_redone" : "nothing_undone"));
    else (redoes ? editor.redo() : editor.undo()).then(() => editor.say(word(redoes ? "redone" : "undone")));
  }

  const onMap = () => {
    const { map } = editor;
    undo.disabled = !map.can.undo;
    redo.disabled = !map.can.redo;
    linkTool.disabled = map.concepts.size < 2;
    empty.hidden = !editor.ready || map.concepts.size > 0;
    root.classList.toggle("ck-map-blank", map.concepts.size === 0);
    if (document.activeElement !== question && question.value !== map.head.focus) {
      question.value = map.head.focus;
      grow();
    }
  };
  const ends = [editor.on("map", onMap), editor.on("status", showStatus)];
  const measure = () => {
    root.classList.toggle("ck-narrow", root.clientWidth < WIDE);
    root.classList.toggle("ck-phone", root.clientWidth < 600);
    grow();
  };
  const watch = new ResizeObserver(measure);
  place.replaceChildren(root);
  measure();
  watch.observe(root);
  editor.show("map");
  showStatus();
  onMap();
  editor.begin();
  const away = () => {
    sheet.commit();
    drawing.flush();
    editor.save();
  };
  const hidden = () => document.hidden && away(); // all that a phone tells
  addEventListener("pagehide", away, true); // before the page's own listener, which stops the kernel
  document.addEventListener("visibilitychange", hidden);
  return () => {
    removeEventListener("pagehide", away, true);
    document.removeEventListener("visibilitychange", hidden);
    watch.disconnect();
    [...ends, () => sheet.leave(), () => editor.forms.leave(), () => view.leave(), () => told.leave(), () => more.leave(), () => editor.leave()].forEach((end) => end());
  };
}

export default { render };
