// The map of this page, its undo, and the dialogue with the other half, a kernel or a class, which keeps it. The page owns
// the map: an edit shows at once and needs no answer. The views add their own to one `editor`:
//
//   editor.map         {head, concepts: Map, relations: Map}, see edits.js
//   editor.edit(changes, merge)  one undo step, or part of the last one; -> "" or the sentence that refuses it
//   editor.undo(), editor.redo() -> whether there was anything to undo
//   editor.ask(message)     -> Promise of the other half's answer
//   editor.select(id, {focus, open, show}), editor.selected     a concept or a relation, or null
//   editor.on(name, fn)     "map", "select", "status", "panel", "view"; -> what ends it

const PATIENCE = 6000; // milliseconds that an answer may take

function newEditor(model) {
  const setting = model.get("setting");
  const { words, limits } = setting;
  const key = model.get("key");
  const copy = storage("localStorage", `coursekit/map/${key}`);
  const listeners = {};
  const asked = new Map(); // n -> what to do with the answer
  const done = []; // steps to undo: {changes, back}
  const undone = [];
  let last = Math.floor(Math.random() * 1e9) * 1000; // another view of this widget has other numbers
  let sent = 0; // number of the message on its way, 0 for none
  // What is shown is the other half's map, then the changes on their way to it, then those that wait for the answer.
  let base = emptyMap();
  let flying = null;
  let waiting = null;
  let isRefused = false; // the next whole map answers a change that was refused
  let patience = 0;
  const kept = copy.get(); // of an earlier page

  const editor = {
    model,
    key,
    setting,
    language: setting.language,
    kinds: setting.kinds,
    cards: setting.cards,
    topics: setting.topics,
    limits,
    map: emptyMap(),
    selected: null,
    view: "map",
    ready: false,
    status: { saved: "", saving: false, offline: false, failed: "", other: "" }, // other: when another window saved another version
    offer: null, // a map in this browser that was never saved elsewhere

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
    say(_text) {},
    tell(_text, _bad = false) {},

    labelOf: (id) => editor.map.concepts.get(id)?.label ?? "",
    sentence: ({ start, phrase, end }) =>
      relationWords(editor.labelOf(start), phrase, editor.labelOf(end)),
    kindOf: (name) => setting.kinds.findIndex((kind) => kind.name === name),
    kindSaid: (phrase) => setting.kinds.find((kind) => kind.phrase === phrase)?.name ?? "",
    cardOf: (name) => (name ? (setting.cards.find((card) => card.card === name) ?? null) : null),
    linksOf: (id) =>
      [...editor.map.relations].filter(
        ([, relation]) => relation.start === id || relation.end === id,
      ),

    select(id, more = {}) {
      const next = id && thingAt(editor.map, id) ? id : null;
      const same = next === editor.selected;
      editor.selected = next;
      if (!same || more.focus || more.open || more.show) editor.tells("select", next, more);
    },

    get can() {
      return { undo: done.length > 0, redo: undone.length > 0 };
    },
    edit(changes, merge = false) {
      const tidied = Object.entries(changes).map(([id, thing]) => [id, tidyThing(thing)]);
      const whole = wholeChanges(editor.map, Object.fromEntries(tidied));
      if (!Object.keys(whole).length) return "";
      const refusal = refusalOf(editor.map, whole, limits);
      if (refusal) return refusalWords(...refusal);
      const step = { changes: whole, back: inverseOf(editor.map, whole) };
      const before = merge && done.pop();
      if (before)
        done.push({
          changes: { ...before.changes, ...whole },
          back: { ...step.back, ...before.back },
        });
      else if (!merge) done.push(step);
      undone.length = 0;
      editor.tell("");
      make(whole);
      return "";
    },
    undo: () => walk(done, undone, "back"),
    redo: () => walk(undone, done, "changes"),

    ask: (message) => new Promise((answer) => pose(message, answer)),
    take(wanted) {
      const { offer } = editor;
      editor.offer = null;
      if (wanted && offer) editor.edit(differences(editor.map, mapOf(offer.things)));
      else copy.remove();
      editor.tells("status");
    },
    asFile: () => nodeLink(editor.map),
    /** Make the other half save at once, as the page may be about to close. */
    save: () => send({ type: "leave" }),
    leave() {
      editor.save();
      clearTimeout(patience);
      model.off("msg:custom", hear);
    },
  };

  function refusalWords(name, values) {
    const field = values.field ? { field: editor.word(`field.${values.field}`) } : {};
    return editor.word(`refusal.${name}`, { ...values, ...field });
  }

  /** Send `message` as a question; `answer` is called while the answer is heard, before any later message. */
  function pose(message, answer) {
    last += 1;
    asked.set(last, answer);
    send({ ...message, n: last });
    if (!patience) watch(); // another question gives the first one no more time
  }

  /** A kernel that is gone gives no answer; some pages refuse to send to it. */
  const send = (message) => attempt(() => model.send(message));

  function walk(from, to, way) {
    const step = from.pop();
    if (!step) return false;
    const changes = wholeChanges(editor.map, step[way]);
    if (refusalOf(editor.map, changes, limits)) return walk(from, to, way); // another page has changed what it is about
    to.push(step);
    make(changes);
    return true;
  }

  /** Show `changes`, keep them in this browser and send them; what is changed meanwhile waits for the answer. */
  function make(changes) {
    waiting = { ...waiting, ...changes }; // first: who is told of the map may edit it
    show(applyChanges(editor.map, changes));
    copy.set({ when: new Date().toISOString(), things: thingsOf(editor.map) });
    status({ saving: true });
    if (editor.status.offline) sendAgain();
    else if (!sent) sendNext();
  }

  /** What a lost connection has swallowed goes with the next change, unless the page itself sends it again. */
  function sendAgain() {
    if (model.get("resends")) return;
    waiting = { ...flying, ...waiting };
    sendNext();
  }

  function sendNext() {
    if (!waiting) return;
    const [changes, ...rest] = splitChanges(waiting, model.get("largest") ?? Infinity);
    waiting = rest.length ? Object.assign({}, ...rest) : null;
    flying = changes;
    const number = last + 1;
    sent = number;
    pose({ type: "change", changes }, (answer) => {
      if (sent !== number) return; // it was sent again
      sent = 0;
      flying = null;
      if (answer.type === "refused") {
        editor.tell(answer.text, true);
        isRefused = true;
        send({ type: "open" });
      } else {
        base = applyChanges(base, wholeChanges(base, changes));
        status({ saving: Boolean(waiting) || answer.saving !== false });
      }
      sendNext();
    });
  }

  /** `map`, which the other half has, with what this page has changed since; what is no longer possible is left out. */
  function withOwn(map) {
    for (const changes of [flying, waiting]) {
      const whole = wholeChanges(map, changes ?? {});
      if (!refusalOf(map, whole, limits)) map = applyChanges(map, whole);
      else if (changes === waiting) waiting = null;
    }
    return map;
  }

  function show(map, more = {}) {
    editor.map = map;
    if (editor.selected && !thingAt(map, editor.selected)) editor.select(null);
    editor.tells("map", { whole: false, ...more });
  }

  const isUnsaved = (mine) => mine && !isSame(mapContent(mapOf(mine.things)), mapContent(base));

  function watch() {
    clearTimeout(patience);
    patience = asked.size && setTimeout(() => status({ offline: true }), PATIENCE);
  }

  /** Answers come in order: what was asked before `n` was lost, if it was not answered. */
  function giveUp(n) {
    for (const [number, answer] of asked) {
      if (!(number < n) || model.get("resends")) continue;
      asked.delete(number);
      if (number === sent) sendAgain();
      else answer({ type: "refused", text: editor.word("offline") });
    }
  }

  function status(news) {
    Object.assign(editor.status, news);
    editor.tells("status");
  }

  function hear(message) {
    const answer = asked.get(message.n);
    if (message.type === "map") onWhole(message);
    else if (message.type === "changed" && !answer) onChanged(message.changes);
    else if (message.type === "saved") onSaved(message);
    else if (message.type === "failed") status({ failed: message.text, saving: false });
    if (answer) {
      giveUp(message.n);
      asked.delete(message.n);
      answer(message);
    }
    watch();
    if (editor.status.offline) {
      status({ offline: false });
      if (sent && !answer) sendAgain();
    }
    if ("other" in message) status({ other: message.other });
    if (message.notice) editor.tell(message.notice);
  }

  /** Another page has changed the map; the other half gets what this one has changed after that. */
  function onChanged(changes) {
    base = applyChanges(base, wholeChanges(base, changes));
    show(withOwn(base));
  }

  function onWhole({ things, saved = "", saving }) {
    const first = !editor.ready;
    base = mapOf(things);
    const map = withOwn(base);
    editor.ready = true;
    if (!first && !isRefused) {
      const changes = differences(editor.map, map);
      if (Object.keys(changes).length) done.push({ changes, back: differences(map, editor.map) });
    }
    isRefused = false;
    if (first) {
      editor.offer = isUnsaved(kept) ? kept : null;
      if (!editor.offer && !sent && !waiting) copy.remove();
    }
    show(map, { whole: true });
    status({ saved, saving: Boolean(sent || waiting || saving) });
  }

  function onSaved({ saved }) {
    status({ saved, failed: "", saving: Boolean(sent || waiting) });
    if (!sent && !waiting && !editor.offer) copy.remove();
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

/** What a map shows, in one order: to tell whether two maps show the same. */
const mapContent = (map) =>
  Object.entries(thingsOf(map)).sort(([one], [other]) => (one < other ? -1 : 1));
