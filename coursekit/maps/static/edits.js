// A map as data, {head: {focus, top}, concepts: Map, relations: Map, tree, can}: its change by an edit before the kernel
// answers, its change by that answer, and its file. Nothing here knows the page.

const BARE = { label: "", kind: "", note: "", card: "", source: "", at: null };
const FIELDS = [...Object.keys(BARE), "start", "phrase", "end"];

const emptyMap = () => ({
  head: { focus: "", top: "" },
  concepts: new Map(),
  relations: new Map(),
  tree: null,
  can: { undo: false, redo: false },
});

function renameIds([what, ...rest], fn) {
  const [first, second, third, ...more] = rest;
  if (what === "link") return [what, fn(first), second, fn(third), ...more];
  if (what === "change")
    return [
      what,
      fn(first),
      {
        ...second,
        ...Object.fromEntries(
          ["start", "end"].filter((end) => end in second).map((end) => [end, fn(second[end])]),
        ),
      },
    ];
  if (what === "remove") return [what, first.map(fn)];
  if (what === "move")
    return [what, Object.fromEntries(Object.entries(first).map(([id, at]) => [fn(id), at]))];
  return what === "top" ? [what, fn(first)] : [what, ...rest];
}

/** Ids of what the edit `ops` with number `n` makes, until the kernel names it: "+n.0", "+n.1" and so on. */
const madeBy = (ops, n) =>
  ops.filter(([what]) => what === "add" || what === "link").map((_, at) => `+${n}.${at}`);

function applyEdits(map, ops, n) {
  const concepts = new Map(map.concepts);
  const relations = new Map(map.relations);
  const head = { ...map.head };
  let count = 0;
  const make = (things, thing) => {
    things.set(`+${n}.${count}`, thing);
    count += 1;
  };
  const change = (id, fields) =>
    [concepts, relations].forEach(
      (things) => things.has(id) && things.set(id, { ...things.get(id), ...fields }),
    );
  const steps = {
    add: (fields) => make(concepts, { ...BARE, ...fields }),
    link(start, phrase, end, more) {
      if (concepts.has(start) && concepts.has(end))
        make(relations, { start, phrase, end, kind: "", note: "", ...more });
      else count += 1; // the kernel will refuse it
    },
    change,
    move: (places) => Object.entries(places).forEach(([id, at]) => change(id, { at })),
    remove(ids) {
      const gone = new Set(ids);
      ids.forEach((id) => concepts.delete(id) || relations.delete(id));
      for (const [id, { start, end }] of relations)
        if (gone.has(start) || gone.has(end)) relations.delete(id);
      if (gone.has(head.top)) head.top = "";
    },
    ask: (focus) => {
      head.focus = focus;
    },
    top: (id) => {
      head.top = id;
    },
    layout() {}, // only the kernel knows the places
  };
  for (const op of ops) {
    const [what, ...rest] = renameIds(op, (id) =>
      /^\+\d+$/.test(id) ? `+${n}.${id.slice(1)}` : id,
    );
    steps[what](...rest);
  }
  return { ...map, head, concepts, relations };
}

/** Whether undo and redo are possible while a message is on its way. */
const CAN = {
  edit: { undo: true, redo: false },
  undo: { redo: true },
  redo: { undo: true },
  starter: { undo: true },
  load: { undo: true },
};

function applyMessage(map, { type, do: ops, n }) {
  return {
    ...(type === "edit" ? applyEdits(map, ops, n) : map),
    can: { ...map.can, ...CAN[type] },
  };
}

/** `map` after the kernel's `changes`: by id the new thing, null for one that is removed. */
function applyAnswer(map, { changes, head, tree, can }) {
  const concepts = new Map(map.concepts);
  const relations = new Map(map.relations);
  for (const [id, thing] of Object.entries(changes)) {
    if (id === "") continue;
    if (thing === null) concepts.delete(id) || relations.delete(id);
    else ("start" in thing ? relations : concepts).set(id, thing);
  }
  return {
    head: head ?? changes[""] ?? map.head,
    concepts,
    relations,
    tree: tree ?? map.tree,
    can: can ?? map.can,
  };
}

const whole = ({ head, concepts, relations, tree, can }) => ({
  head,
  concepts: new Map(Object.entries(concepts)),
  relations: new Map(Object.entries(relations)),
  tree,
  can: can ?? { undo: false, redo: false },
});

function nodeLink({ head, concepts, relations }) {
  const fieldsOf = (thing, more) =>
    Object.fromEntries(
      [...Object.entries(thing).filter(([, value]) => value), ...Object.entries(more)].map(
        ([field, value]) => [field, field === "at" ? value.join(" ") : value],
      ),
    );
  return JSON.stringify(
    {
      directed: true,
      multigraph: true,
      graph: fieldsOf(head, {}),
      nodes: [...concepts].map(([id, concept]) => fieldsOf(concept, { id })),
      edges: [...relations].map(([key, { start, end, ...rest }]) =>
        fieldsOf(rest, { source: start, target: end, key }),
      ),
    },
    null,
    1,
  );
}

/** What a map shows, without ids, which the kernel may not have given yet: to tell whether two maps show the same. */
function shownContent({ head, concepts, relations }) {
  const name = (id) => concepts.get(id)?.label ?? "";
  const things = (all, more) =>
    [...all.values()]
      .map((thing) => JSON.stringify({ ...BARE, ...thing, ...more(thing) }, FIELDS))
      .sort();
  return JSON.stringify([
    head.focus,
    name(head.top),
    things(concepts, () => ({})),
    things(relations, ({ start, end }) => ({ start: name(start), end: name(end) })),
  ]);
}

const HAN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud884][\udc00-\udfff]/;
const MARK = /[\u3000-\u303f\uff00-\uffef]/;

/** `parts` as one sentence, with a space between them except between Chinese and Chinese; like join_parts() in elements.py. */
function joinParts(parts) {
  return parts.reduce((words, after) => {
    const [last, first] = [[...words].at(-1) ?? "", [...after][0] ?? ""];
    const close = MARK.test(last) || MARK.test(first) || (HAN.test(last) && HAN.test(first));
    return words + (close ? "" : " ") + after;
  });
}

const GAP = /^(.*[^…\s])\s*…+\s*([^…\s].*)$/u;

/** A relation as one sentence; its start fills the gap of a phrase that has one; like relation_sentence() in elements.py. */
function relationWords(start, phrase, end) {
  const gap = GAP.exec(phrase);
  return joinParts(gap ? [gap[1], start, gap[2], end] : [start, phrase || "–", end]);
}
