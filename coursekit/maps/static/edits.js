// A map as data, {head: {focus, top}, concepts: Map, relations: Map}, and its changes: by id the new thing, null for one that
// is removed; the head has the id "". Nothing here knows the page. elements.py checks the same.

const HEAD = "";
const BARE = { label: "", kind: "", note: "", card: "", source: "", at: null };

const emptyMap = () => ({
  head: { focus: "", top: "" },
  concepts: new Map(),
  relations: new Map(),
});

function mapOf(things) {
  const map = emptyMap();
  for (const [id, thing] of Object.entries(things)) putThing(map, id, thing);
  return map;
}

function putThing(map, id, thing) {
  if (id === HEAD) map.head = thing;
  else if ("start" in thing) map.relations.set(id, thing);
  else map.concepts.set(id, thing);
}

const thingsOf = ({ head, concepts, relations }) => ({
  [HEAD]: head,
  ...Object.fromEntries(concepts),
  ...Object.fromEntries(relations),
});

const thingAt = (map, id) =>
  id === HEAD ? map.head : (map.concepts.get(id) ?? map.relations.get(id) ?? null);

function applyChanges({ head, concepts, relations }, changes) {
  const map = { head, concepts: new Map(concepts), relations: new Map(relations) };
  for (const [id, thing] of Object.entries(changes)) {
    if (thing) putThing(map, id, thing);
    else map.concepts.delete(id) || map.relations.delete(id);
  }
  return map;
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Those of `changes` that change `map`, with what goes with a removed concept. */
function wholeChanges(map, changes) {
  const whole = {};
  for (const [id, thing] of Object.entries(changes))
    if (!isSame(thingAt(map, id), thing)) whole[id] = thing;
  const isGone = (id) => changes[id] === null;
  for (const [id, { start, end }] of map.relations)
    if (!(id in changes) && (isGone(start) || isGone(end))) whole[id] = null;
  const head = whole[HEAD] ?? map.head;
  if (isGone(head.top)) whole[HEAD] = { ...head, top: "" };
  return whole;
}

/** The changes that undo `changes` of `map`. */
const inverseOf = (map, changes) =>
  Object.fromEntries(Object.keys(changes).map((id) => [id, thingAt(map, id)]));

function differences(before, after) {
  const [old, now] = [thingsOf(before), thingsOf(after)];
  const gone = Object.keys(old).filter((id) => !(id in now));
  const changed = Object.entries(now).filter(([id, thing]) => !isSame(old[id], thing));
  return Object.fromEntries([...gone.map((id) => [id, null]), ...changed]);
}

/** `changes` in parts of at most `bytes`, each of which leaves a proper map: concepts come before their relations. */
function splitChanges(changes, bytes) {
  const rank = ([id, thing]) => (thing === null ? 0 : id === HEAD ? 2 : "start" in thing ? 3 : 1);
  const parts = [{}];
  let size = 0;
  for (const [id, thing] of Object.entries(changes).sort((one, other) => rank(one) - rank(other))) {
    const long = new TextEncoder().encode(JSON.stringify([id, thing])).length;
    if (size && size + long > bytes) {
      parts.push({});
      size = 0;
    }
    parts.at(-1)[id] = thing;
    size += long;
  }
  return parts;
}

// Edits, as changes

/** An id that no other page makes at the same time. */
function newThingId({ concepts, relations }, letter) {
  const numbers = [...concepts.keys(), ...relations.keys()].map((id) =>
    Number(/\d+/.exec(id) ?? 0),
  );
  const chance = crypto.getRandomValues(new Uint32Array(1))[0].toString(36).padStart(4, "0");
  return `${letter}${Math.max(0, ...numbers.filter((n) => n < 1e9)) + 1}-${chance.slice(-4)}`;
}

const addConcept = (map, fields) => ({ [newThingId(map, "c")]: { ...BARE, ...fields } });

const addRelation = (map, { start, phrase, end, kind = "", note = "" }) => ({
  [newThingId(map, "r")]: { start, phrase, end, kind, note },
});

const changeThing = (map, id, fields) => ({ [id]: { ...thingAt(map, id), ...fields } });

const removeThings = (_map, ids) => Object.fromEntries(ids.map((id) => [id, null]));

const moveConcepts = (map, places) =>
  Object.fromEntries(
    Object.entries(places).map(([id, [x, y]]) => [
      id,
      { ...map.concepts.get(id), at: [Math.round(x), Math.round(y)] },
    ]),
  );

// What makes a map a proper one

const sameLabel = (label) => label.normalize("NFKC");
const UNWRITABLE = /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]/gu;
const SPACES = " \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000";
const SPACE = new RegExp(`[${SPACES}]+`, "g");
const LAST_SPACE = new RegExp(`[${SPACES}]+$`);
const AROUND = new RegExp(`^[\n${SPACES}]+|[\n${SPACES}]+$`, "g");
const BREAK = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** `text` without what a file cannot hold and with single spaces, or with its `lines`; like clean() in elements.py. */
function tidyText(text, lines) {
  if (!lines) return text.replace(UNWRITABLE, " ").replace(SPACE, " ").replace(AROUND, "");
  return text
    .split(BREAK)
    .map((line) => line.replace(UNWRITABLE, " ").replace(LAST_SPACE, ""))
    .join("\n")
    .replace(AROUND, "");
}

const MULTILINE = ["focus", "note"];

/** `thing` with its texts tidied; other fields than texts stay. */
const tidyThing = (thing) =>
  thing &&
  Object.fromEntries(
    Object.entries(thing).map(([field, value]) => [
      field,
      typeof value === "string" ? tidyText(value, MULTILINE.includes(field)) : value,
    ]),
  );

/** Why `map` cannot become what `changes` make of it: the name of a sentence and its values, null if it can; in the order
 *  of elements.py. */
function refusalOf(map, changes, limits) {
  const { head, concepts, relations } = applyChanges(map, changes);
  for (const thing of Object.values(changes))
    for (const [field, value] of Object.entries(thing ?? {})) {
      const limit = [...MULTILINE, "source"].includes(field) ? limits.note : limits.label;
      const length = typeof value === "string" ? [...value].length : 0;
      if (length > limit) return ["too_long", { field, got: length, limit }];
    }
  if (concepts.size > limits.concepts)
    return ["too_many_concepts", { got: concepts.size, limit: limits.concepts }];
  if (relations.size > limits.relations)
    return ["too_many_relations", { got: relations.size, limit: limits.relations }];
  if (head.top && !concepts.has(head.top)) return ["lost_end", {}];
  const labels = new Set();
  for (const { label } of concepts.values()) {
    if (!label) return ["no_label", {}];
    if (labels.has(sameLabel(label))) return ["label_twice", { label }];
    labels.add(sameLabel(label));
  }
  const known = new Set();
  for (const { start, phrase, end } of relations.values()) {
    if (!concepts.has(start) || !concepts.has(end)) return ["lost_end", {}];
    const [from, to] = [start, end].map((id) => concepts.get(id).label);
    if (start === end) return ["loop", { label: from }];
    const key = JSON.stringify([start, phrase, end]);
    if (known.has(key)) return ["relation_twice", { start: from, phrase, end: to }];
    known.add(key);
  }
  return null;
}

// The order of a map from its top downwards, as in map_statistics.py

/** By concept, the relation that it hangs on; which relations join two branches; and the top. */
function hierarchyOf({ head, concepts, relations }) {
  const top = concepts.has(head.top) ? head.top : (concepts.keys().next().value ?? "");
  const links = new Map([...concepts.keys()].map((id) => [id, []]));
  for (const [id, { start, end }] of relations) {
    links.get(start)?.push([id, end]);
    links.get(end)?.push([id, start]);
  }
  const level = new Map(top ? [[top, 0]] : []);
  for (const id of level.keys())
    for (const [, other] of links.get(id))
      if (!level.has(other)) level.set(other, level.get(id) + 1); // a Map is walked as it grows
  const hung = {};
  const branch = {};
  for (const id of level.keys()) {
    if (id === top) continue;
    const [relation, above] = links.get(id).find(([, other]) => level.get(other) < level.get(id));
    hung[id] = relation;
    branch[id] = branch[above] ?? id;
  }
  const tree = new Set(Object.values(hung));
  const isCross = ([id, { start, end }]) =>
    branch[start] && branch[end] && branch[start] !== branch[end] && !tree.has(id);
  const cross = new Set([...relations].filter(isCross).map(([id]) => id));
  return { top, hung, level, cross };
}

// A map as a file, and its relations as sentences

function nodeLink({ head, concepts, relations }) {
  const fieldsOf = (thing, more) =>
    Object.fromEntries(
      [...Object.entries(thing).filter(([, value]) => value), ...Object.entries(more)].map(
        ([field, value]) => [field, field === "at" ? value.join(" ") : value],
      ),
    );
  const nodes = [...concepts].map(([id, concept]) => fieldsOf(concept, { id }));
  const edges = [...relations].map(([key, { start, end, ...rest }]) =>
    fieldsOf(rest, { source: start, target: end, key }),
  );
  const graph = fieldsOf(head, {});
  return JSON.stringify({ directed: true, multigraph: true, graph, nodes, edges }, null, 1);
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
