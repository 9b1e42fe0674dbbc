// What is seen between two scenes, while a die tumbles or pieces move: the words and pictures of the scene before.
// Of the one that comes there is nothing but where its pieces lie, so that nothing is told before it has happened.

const LISTS = ["zones", "places", "squares", "shelves", "sides", "spaces"]; // parts that hold pieces, or parts that do
const ROOMS = ["top", "sign", "piece"]; // a place for one piece
const ROWS = ["pieces", "markers"]; // places for many
const WORDED = ["notice", "pad", "tricks"]; // kinds of zones whose pieces are a part of what is told

const isTold = ({ kind, place }) => WORDED.includes(kind) || place === "side";
const zonesIn = (zones) => zones.flatMap((zone) => [zone, ...zonesIn(zone.zones ?? [])]);
const diceOf = (scene) => zonesIn(scene.zones).flatMap(({ dice }) => dice ?? []);
const isThrown = ({ value }) => String(value) !== "0";

const idle = ({ action: _action, choices: _choices, legal: _legal, ...piece }) => piece;

/** The `parts` of a list by names that they have in another scene, too. */
function named(list, parts) {
  const counts = {};
  return new Map(
    parts.map((part) => {
      const name =
        list === "zones" ? `${part.kind}-${part.place}` : list === "shelves" ? part.label : list;
      counts[name] = (counts[name] ?? 0) + 1;
      return [`${name}-${counts[name]}`, part];
    }),
  );
}

/** Where the pieces of `part` lie: by id, each piece, its place, and whether a new one would come there, from a pile or a plate. */
function lying(part, place = "", feeds = false, found = new Map()) {
  const note = (piece, field) =>
    piece &&
    found.set(piece.id, {
      piece,
      place: `${place}.${field}`,
      comes: part.kind === "hand" || (feeds && piece.owner !== undefined),
    });
  for (const field of ROOMS) note(part[field], field);
  for (const field of ROWS) (part[field] ?? []).forEach((piece) => note(piece, field));
  for (const list of LISTS) {
    for (const [name, inner] of named(list, part[list] ?? [])) {
      if (!isTold(inner))
        lying(inner, `${place}/${name}`, list === "squares" || inner.kind === "row", found);
    }
  }
  if (part.corner) lying(part.corner, `${place}/corner`, false, found);
  return found;
}

class Crossing {
  /** @param {Scene} before @param {Scene} after */
  constructor(before, after) {
    this.before = before;
    this.after = after;
    this.was = lying(before);
    this.is = lying(after);
    const gone = [...this.was.values()]
      .map(({ piece }) => piece)
      .filter(({ id, owner }) => owner !== undefined && !this.is.has(id));
    const fly = gone.some(({ mark }) => mark) || zonesIn(after.zones).some(({ takes }) => takes);
    this.leaving = new Set(fly ? gone.map(({ id }) => id) : []);
  }

  get moves() {
    return (
      this.leaving.size > 0 ||
      [...this.is].some(([id, { place, comes }]) =>
        this.was.has(id) ? this.was.get(id).place !== place : comes,
      )
    );
  }

  get between() {
    return this.mixed(this.before, this.after);
  }

  mixed(before, after, place = "") {
    if (isTold(before)) return before;
    const part = { ...before };
    for (const field of ROOMS)
      if (before[field] || after[field])
        part[field] = this.pieces([before[field]], [after[field]], `${place}.${field}`)[0] ?? null;
    for (const field of ROWS)
      if (before[field] || after[field])
        part[field] = this.pieces(before[field] ?? [], after[field] ?? [], `${place}.${field}`);
    for (const list of LISTS)
      if (before[list]) part[list] = this.parts(list, before[list], after[list] ?? [], place);
    if (before.corner)
      part.corner = this.mixed(before.corner, after.corner ?? {}, `${place}/corner`);
    return part;
  }

  parts(list, before, after, place) {
    const [old, next] = [named(list, before), named(list, after)];
    const parts = [...old].map(([name, part]) =>
      this.mixed(part, next.get(name) ?? {}, `${place}/${name}`),
    );
    for (const [name, part] of next) {
      const pieces =
        !old.has(name) &&
        !isTold(part) &&
        this.pieces([], part.pieces ?? [], `${place}/${name}.pieces`);
      if (pieces?.length)
        parts.push({ ...part, ...(list === "zones" && { label: "" }), note: "", pieces });
    }
    return parts;
  }

  /** The pieces of one place: what stays, is brought or comes there, and what will vanish when that is told. */
  pieces(before, after, place) {
    const lies = (id) =>
      this.is.get(id)?.place === place && (this.was.has(id) || this.is.get(id).comes);
    const found = after
      .filter((piece) => piece && lies(piece.id))
      .map((piece) => this.moved(piece));
    before.forEach((piece, at) => {
      if (piece && !this.is.has(piece.id) && !this.leaving.has(piece.id))
        found.splice(at, 0, idle(piece));
    });
    return found;
  }

  /** A piece that stays is as it was; one that moves has nothing on it that tells how things went. */
  moved(piece) {
    const [was, is] = [this.was.get(piece.id), this.is.get(piece.id)];
    if (was?.place === is?.place) return idle(was.piece);
    const { mark: _mark, faded: _faded, ...bare } = idle(piece);
    return bare;
  }
}

function showing(scene, dice) {
  const left = [...dice];
  const zones = (all) =>
    all.map((zone) => ({
      ...zone,
      ...(zone.dice && { dice: left.splice(0, zone.dice.length) }),
      ...(zone.zones && { zones: zones(zone.zones) }),
    }));
  return { ...scene, zones: zones(scene.zones) };
}

/** What is drawn, one after the other, before `after` is told: scenes, and in which way something moves in them.
 * @param {Scene} before @param {Scene} after @param {string} words while a die is thrown
 * @returns {Stage[]} */
function stagesOf(before, after, words) {
  const [faces, dice] = [diceOf(before), diceOf(after)];
  const thrown = dice.flatMap((die, at) =>
    isThrown(die) && faces[at] && !isThrown(faces[at]) ? [at] : [],
  );
  const crossing = new Crossing(before, after);
  const stages = /** @type {Stage[]} */ ([]);
  if (thrown.length) {
    const scene = { ...new Crossing(before, before).between, prompt: words };
    stages.push(
      { way: "tumble", scene, thrown },
      { way: "settle", scene: showing(scene, dice), thrown },
    );
  }
  if (crossing.moves)
    stages.push({
      way: "fly",
      scene: thrown.length
        ? { ...showing(crossing.between, dice), prompt: words }
        : crossing.between,
    });
  return stages;
}
