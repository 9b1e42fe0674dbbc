// Geometry of a map: boxes, curves between them, lines of words, and the size of the paper. All in pixels of the paper; a
// box is {x, y, w, h} around its middle. Nothing here knows the page.

const SIDE = 1000; // of the square in which the places of a map lie

const between = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
/** @type {(a: number[], b: number[]) => number} */
const far = ([x1, y1], [x2, y2]) => Math.hypot(x2 - x1, y2 - y1);
/** @type {(box: { x: number, y: number, w: number, h: number }, at: number[], more?: number) => boolean} */
const inside = ({ x, y, w, h }, [px, py], more = 0) =>
  Math.abs(px - x) <= w / 2 + more && Math.abs(py - y) <= h / 2 + more;

function overlap(a, b, gap = 0) {
  const across =
    Math.min(a.x + a.w / 2, b.x + b.w / 2) - Math.max(a.x - a.w / 2, b.x - b.w / 2) + gap;
  const down =
    Math.min(a.y + a.h / 2, b.y + b.h / 2) - Math.max(a.y - a.h / 2, b.y - b.h / 2) + gap;
  return across > 0 && down > 0 ? across * down : 0;
}

/** The point at `t` of the quadratic curve through `a`, towards `c`, to `b`.
 * @type {(curve: number[][], t: number) => number[]} */
const pointOn = ([a, c, b], t) =>
  [0, 1].map((axis) => (1 - t) ** 2 * a[axis] + 2 * t * (1 - t) * c[axis] + t ** 2 * b[axis]);

/** The curve between the middles of two boxes that runs `away` pixels beside the straight line at half way.
 * @returns {number[][]} */
function curveOf(start, end, away) {
  const [a, b] = [
    [start.x, start.y],
    [end.x, end.y],
  ];
  const long = Math.max(1, far(a, b));
  const normal = [(b[1] - a[1]) / long, -(b[0] - a[0]) / long];
  return [a, [0, 1].map((axis) => (a[axis] + b[axis]) / 2 + 2 * away * normal[axis]), b];
}

/** The `t` at which `curve` leaves `box` for good, seen from the end that lies in it. */
function leaves(curve, box, fromEnd, more = 0) {
  let [low, high] = [0, 0.5];
  const at = (t) => pointOn(curve, fromEnd ? 1 - t : t);
  if (inside(box, at(high), more)) return 0.5;
  for (let step = 0; step < 14; step += 1) {
    const half = (low + high) / 2;
    if (inside(box, at(half), more)) low = half;
    else high = half;
  }
  return fromEnd ? 1 - high : high;
}

/** The part of `curve` from `t0` to `t1`.
 * @param {number[][]} curve */
function partOf(curve, t0, t1) {
  const [a, c, b] = curve;
  const blend = (p, q, t) => [0, 1].map((axis) => p[axis] + (q[axis] - p[axis]) * t);
  return [pointOn(curve, t0), blend(blend(a, c, t0), blend(c, b, t0), t1), pointOn(curve, t1)];
}

/** @type {(at: number[]) => string} */
const spot = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** How far each of `count` relations between two concepts runs beside the straight line at half way. */
const fanOffsets = (count, room) =>
  Array.from({ length: count }, (_, at) => (at - (count - 1) / 2) * room);

/** The one of `boxes` (by id) that lies nearest to `from` in a direction, "" if there is none. */
function neighbour(boxes, from, [dx, dy]) {
  const own = boxes.get(from);
  let best = "";
  let least = Infinity;
  for (const [id, box] of boxes) {
    const [x, y] = [box.x - own.x, box.y - own.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (id === from || ahead <= 0.5 || aside > 3 * ahead) continue;
    const cost = ahead + 2.2 * aside;
    if (cost < least) [best, least] = [id, cost];
  }
  return best;
}

/** `words` in at most `lines` lines not wider than `most` and about equally long: cut between Chinese characters, after
 *  spaces, and in a word only if it is much too long. */
function breakLines(words, room, width, lines = 4) {
  const whole = words.match(PIECES) ?? [];
  const most = Math.max(
    room,
    ...whole.map((piece) => width(piece.trimEnd())).filter((wide) => wide < 1.7 * room),
  );
  const pieces = whole.flatMap((piece) => (width(piece.trimEnd()) > most ? [...piece] : [piece]));
  let found = fillLines(pieces, most, width);
  for (let narrow = most * 0.94; found.length > 1 && narrow > most * 0.4; narrow *= 0.94) {
    const next = fillLines(pieces, narrow, width);
    if (next.length > found.length || next.some((line) => width(line) > narrow)) break;
    found = next;
  }
  if (found.length <= lines) return found;
  return [...found.slice(0, lines - 1), `${found[lines - 1].replace(/.{1,2}$/u, "")}…`];
}

const WIDE_ONE = "[\\u2e80-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef\\u{20000}-\\u{323af}]";
const PIECES = new RegExp(`${WIDE_ONE}|(?:(?!${WIDE_ONE})\\S)+\\s*|\\s+`, "gu");
const NEVER_FIRST = /^[，。、；：！？」』）》…·]/u;

function fillLines(pieces, most, width) {
  const found = [];
  let line = "";
  for (const piece of pieces) {
    if (line && width(line + piece.trimEnd()) > most && !NEVER_FIRST.test(piece)) {
      found.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return line.trim() ? [...found, line.trimEnd()] : found;
}

/** How many times the screen the paper must be, so that cards do not overlap and phrases have room.
 * @param {number[]} size @param {number[]} edge */
function roomFor(boxes, phrases, size, edge = [0, 0]) {
  const [[across, down], [left, top]] = [size, edge];
  const space =
    boxes.reduce((sum, { w, h }) => sum + (w + 20) * (h + 20), 0) +
    phrases.reduce((sum, { w, h }) => sum + (w + 8) * (h + 8), 0);
  const needs = [];
  boxes.forEach((a, at) =>
    boxes.slice(at + 1).forEach((b) => {
      const [wide, high] = [0, 1].map((axis) => Math.abs(a.at[axis] - b.at[axis]) / SIDE || 1e-6);
      needs.push(
        Math.min(
          (((a.w + b.w) / 2 + 14) / wide + 2 * left) / across,
          (((a.h + b.h) / 2 + 12) / high + 2 * top) / down,
        ),
      );
    }),
  );
  const largest = (all, share) =>
    [...all].sort((a, b) => b - a)[Math.floor(all.length * share)] ?? 1;
  // Most lines are long enough for their phrase.
  const lengths = phrases.map(({ w, h, ends: [a, b] }) => {
    const [wide, high] = [0, 1].map((axis) => Math.abs(a.at[axis] - b.at[axis]) / SIDE || 1e-6);
    return Math.min(
      (((a.w + b.w) / 2 + w + 24) / wide + 2 * left) / across,
      (((a.h + b.h) / 2 + h + 24) / high + 2 * top) / down,
    );
  });
  needs.sort((a, b) => b - a);
  return between(
    Math.max(
      Math.sqrt((1.8 * space) / (across * down)),
      needs[Math.floor(boxes.length / 40)] ?? 1,
      Math.min(phrases.length < 30 ? 2.4 : 3.5, largest(lengths, 0.25)),
    ),
    1,
    5,
  );
}

function ringPlace(at, count) {
  const angle = (2 * Math.PI * at) / Math.max(1, count) - Math.PI / 2;
  const inner = count > 24 && at % 2 ? 0.62 : 1;
  return [
    Math.round(500 + 400 * inner * Math.cos(angle)),
    Math.round(500 + 400 * inner * Math.sin(angle)),
  ];
}
