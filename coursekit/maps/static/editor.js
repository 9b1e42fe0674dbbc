// The dialogue with the kernel: the map as the kernel knows it, and the edits on their way, which show at once.
// The frame, the canvas and the forms add their own to one `editor`:
//
//   editor.map         {head: {focus, top}, concepts: Map, relations: Map, tree, can}: what shows, including edits still on
//                      their way. Until the kernel answers, a thing made by such an edit has an id like "+12.0".
//   editor.edit(ops, quiet)     one undo step; -> Promise of the kernel's "changed" or "refused", which is told unless quiet;
//                      its `made` are the ids of what is made, until the kernel names it
//   editor.now(id)     the present id of a thing
//   editor.ask(message)     -> Promise of the kernel's answer to it; "undo", "redo", "starter" and "load" wait for edits
//   editor.select(id, {focus, open}), editor.selected     a concept or a relation, or null
//   editor.on(name, fn)     "map" (what: {renamed: Map of ids, whole}), "select", "status", "refused", "panel", "view"

const PATIENCE = 6000; // milliseconds that an answer may take

function newEditor(model) {
  const words = model.get("words");
  const key = model.get("key");
  const copy = storage("localStorage", `coursekit/map/${key}`);
  const listeners = {};
  const asked = new Map(); // n -> what to do with the answer
  const queue = []; // edits and messages in order with them: {message, done}; the first is with the kernel
  const names = new Map(); // ids that the kernel gave: "+12.0" -> "c7"
  let last = Math.floor(Math.random() * 1e9) * 1000; // so that another view of this widget has other numbers
  let known = emptyMap(); // what the kernel has
  let patience = 0;

  const editor = {
    model,
    words,
    key,
    language: model.get("language"),
    kinds: model.get("kinds") ?? [],
    cards: model.get("cards") ?? [],
    layouts: model.get("layouts") ?? [],
    topics: model.get("topics") ?? [],
    limits: model.get("limits") ?? {},
    suggestion: model.get("focus") ?? "",
    map: emptyMap(),
    selected: null,
    view: "map",
    ready: false,
    status: { saved: "", saving: false, offline: false, failed: "", other: "" }, // other: when another window saved another version
    offer: null, // a map in this browser that the kernel never saved

    /** The text `id` with `values` in it; `{number:map/maps}` is a number with its noun. */
    word: (id, values = {}) =>
      (words[id] ?? id).replace(/\{(\w+)(?::([^}/]*)\/([^}]*))?\}/g, (_, name, one, many) =>
        one === undefined
          ? String(values[name])
          : `${values[name]} ${values[name] === 1 ? one : many}`,
      ),
    kindWord: (kind) => (kind ? (words[`kind_${kind}`] ?? kind) : words.kind_own),
    on(name, fn) {
      (listeners[name] ??= new Set()).add(fn);
      return () => listeners[name].delete(fn);
    },
    tells: (name, ...values) => [...(listeners[name] ?? [])].forEach((fn) => fn(...values)),
    say() {},
    tell(_text, _bad = false) {},

    now: (id) => names.get(id) ?? id,
    labelOf: (id) => editor.map.concepts.get(editor.now(id))?.label ?? "",
    sentence: ({ start, phrase, end }) =>
      relationWords(editor.labelOf(start), phrase, editor.labelOf(end)),
    kindOf: (name) => editor.kinds.findIndex((kind) => kind.name === name),
    kindSaid: (phrase) => editor.kinds.find((kind) => kind.phrase === phrase)?.name ?? "",
    cardOf: (name) => (name ? (editor.cards.find((card) => card.card === name) ?? null) : null),
    linksOf: (id) =>
      [...editor.map.relations].filter(
        ([, relation]) => relation.start === id || relation.end === id,
      ),

    select(given, more = {}) {
      const id = editor.now(given);
      const there = id !== null && (editor.map.concepts.has(id) || editor.map.relations.has(id));
      const next = there ? id : null;
      const same = next === editor.selected;
      editor.selected = next;
      if (!same || more.focus || more.open) editor.tells("select", next, more);
    },

    edit: (ops, quiet = false) => enqueue({ type: "edit", do: ops.map(withNames) }, quiet),
    ask: (message) =>
      ["undo", "redo", "starter", "load", "keep"].includes(message.type)
        ? enqueue(message)
        : post(message),

    take(wanted) {
      const { offer } = editor;
      editor.offer = null;
      if (wanted && offer)
        editor.ask({
          type: "load",
          name: "browser.json",
          content: encode(nodeLink(whole(offer.map))),
        });
      else copy.remove();
      editor.tells("status");
    },
    asFile: () => nodeLink(editor.map),
    /** Make the kernel save at once, as the page may be about to close. */
    save: () => send({ type: "leave" }),
    leave() {
      editor.save();
      clearTimeout(patience);
      model.off("msg:custom", hear);
    },
  };

  const number = () => (last += 1);

  /** A kernel that is gone gives no answer; some pages refuse to send to it. */
  const send = (message) => attempt(() => model.send(message));

  function post(message) {
    const n = message.n ?? number();
    return new Promise((done) => {
      asked.set(n, done);
      send({ ...message, n });
      watch();
    });
  }

  /** Queue `message`; a refusal shows above the map, unless the caller is `quiet` and tells it. */
  function enqueue(message, quiet = false) {
    const n = number();
    const answer = new Promise((done) => queue.push({ message: { ...message, n }, done, quiet }));
    editor.tell("");
    if (message.type === "edit") status({ saving: true });
    show();
    if (queue.length === 1) next();
    return Object.assign(answer, { made: madeBy(message.do ?? [], n) });
  }

  function next() {
    if (!queue.length) return;
    const [{ message, done, quiet }] = queue;
    post(message).then((answer) => {
      queue.shift();
      const vain = answer.type === "refused" ? withdrawn(message) : [];
      const ids = new Map((answer.made ?? []).map((id, at) => [`+${message.n}.${at}`, id]));
      ids.forEach((id, old) => names.set(old, id));
      if (ids.has(editor.selected)) editor.selected = ids.get(editor.selected);
      queue.forEach(
        ({ message }) => message.type === "edit" && (message.do = message.do.map(withNames)),
      );
      show({ renamed: ids, whole: answer.type === "map" });
      remember(); // without refused edits, and with the kernel's ids
      if (answer.type === "refused" || "saving" in answer)
        status({ saving: queue.length > 0 || Boolean(answer.saving) });
      if (answer.type === "refused") {
        if (!quiet) editor.tell(answer.text, true);
        editor.tells("refused", answer);
      }
      done(answer);
      vain.forEach((entry) => entry.done(answer));
      next();
    });
  }
  const withNames = (op) => renameIds(op, editor.now);

  /** After a refused edit: remove and return the queued edits of what it was to make, and the undoing of these. */
  function withdrawn({ type, n }) {
    let last = type === "edit" ? 1 : 0; // vain edits that the next undo would take back
    const vain = queue.filter(({ message }) => {
      const lost = message.type === "edit" && JSON.stringify(message.do).includes(`"+${n}.`);
      const undone = message.type === "undo" && last > 0;
      if (lost) last += 1;
      else last = undone ? last - 1 : 0;
      return lost || undone;
    });
    vain.forEach((entry) => queue.splice(queue.indexOf(entry), 1));
    return vain;
  }

  function show(what = {}) {
    editor.map = queue.reduce((map, { message }) => applyMessage(map, message), known);
    if (
      editor.selected &&
      !editor.map.concepts.has(editor.selected) &&
      !editor.map.relations.has(editor.selected)
    )
      editor.selected = null;
    if (queue.some(({ message }) => message.type === "edit")) remember();
    editor.tells("map", { renamed: new Map(), whole: false, ...what });
  }

  function unsavedCopy() {
    const mine = copy.get();
    return mine && shownContent(whole(mine.map)) !== shownContent(known) ? mine : null;
  }

  const remember = () => copy.set({ when: new Date().toISOString(), map: plain(editor.map) });
  const plain = ({ head, concepts, relations }) => ({
    head,
    concepts: Object.fromEntries(concepts),
    relations: Object.fromEntries(relations),
    tree: null,
  });

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
      known = applyAnswer(known, message);
      if (!asked.has(message.n)) show(); // an edit in another view
    } else if (message.type === "saved") {
      status({ saved: message.saved, failed: "" });
      setTimeout(() => {
        // the answer to an edit may come at the same moment
        if (queue.length) return;
        if (!unsavedCopy()) editor.offer = null; // another cell has answered it
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
    if (first || editor.offer) editor.offer = unsavedCopy();
    if (first && !editor.offer) copy.remove();
    status({ saved: message.saved ?? "", saving: queue.length > 0 || Boolean(message.saving) });
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
