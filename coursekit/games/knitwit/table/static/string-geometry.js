// Points, closed strings and where tags hang from them: the geometry of the zone `venn`, without a page.
// A point is [x, y], a loop the list of its points.

const MOST_POINTS = 500; // of a stroke
const ANGLE = Math.PI / 12; // of one turn, and between two ways in which something may point

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Whether the polygon `points` holds `at`.
 * @param {number[][]} points @param {number[]} at */
function holds(points, [x, y]) {
  let inside = false;
  points.forEach(([ax, ay], n) => {
    const [bx, by] = points[(n + 1) % points.length];
    if (ay <= y !== by <= y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
  });
  return inside;
}

/** The points of a stroke as the kernel takes them: whole numbers on the table, none twice in a row, 500 at most. */
function thinned(stroke, [width, height]) {
  const on = (value, most) => Math.min(most, Math.max(0, Math.round(value)));
  const points = stroke.map(([x, y]) => [on(x, width), on(y, height)]);
  const moved = points.filter((point, at) => at === 0 || point.join() !== points[at - 1].join());
  const every = Math.ceil(moved.length / MOST_POINTS);
  return moved.filter((_, at) => at % every === 0);
}

const middleOf = (points) =>
  [0, 1].map((axis) => {
    const all = points.map((point) => point[axis]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  });

const nudged = (shape, { x = 0, y = 0, size = 1, turn = 0 }) => ({
  ...shape,
  x: shape.x + x,
  y: shape.y + y,
  size: shape.size * size,
  turn: shape.turn + turn,
});

const shapeOf = (points) => ({ points, x: 0, y: 0, size: 1, turn: 0 });

function placed({ points, x, y, size, turn }) {
  const [mx, my] = middleOf(points);
  const [cos, sin] = [Math.cos(turn) * size, Math.sin(turn) * size];
  return points.map(([px, py]) => [
    Math.round(mx + x + (px - mx) * cos - (py - my) * sin),
    Math.round(my + y + (px - mx) * sin + (py - my) * cos),
  ]);
}

function outwardOf(points, pin) {
  const at = points.findIndex((point) => point.join() === pin.join());
  const n = points.length;
  let [a, b] = at >= 0 ? [points[(at + n - 1) % n], points[(at + 1) % n]] : [];
  if (at < 0) {
    const slack = (k) =>
      apart(points[k], pin) +
      apart(pin, points[(k + 1) % n]) -
      apart(points[k], points[(k + 1) % n]);
    const side = points.map((_, k) => k).reduce((best, k) => (slack(k) < slack(best) ? k : best));
    [a, b] = [points[side], points[(side + 1) % n]];
  }
  return Math.atan2(a[0] - b[0], b[1] - a[1]);
}

/** A closed path through `points`, its corners rounded by up to `round`, as a string lies. */
function stringPath(points, round) {
  const n = points.length;
  const towards = (a, b) => {
    const part = Math.min(0.5, round / (apart(a, b) || 1));
    return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
  };
  const word = (point) => point.map((value) => value.toFixed(1)).join(" ");
  const corners = points.map((point, at) => {
    const [from, to] = [
      towards(point, points[(at + n - 1) % n]),
      towards(point, points[(at + 1) % n]),
    ];
    return `${at ? "L" : "M"}${word(from)}Q${word(point)} ${word(to)}`;
  });
  return `${corners.join("")}Z`;
}

function along(a, b, step) {
  const parts = Math.max(1, Math.round(apart(a, b) / step));
  return Array.from({ length: parts }, (_, at) =>
    [0, 1].map((axis) => a[axis] + ((b[axis] - a[axis]) * at) / parts),
  );
}

const MOST_PUSHES = 300;

/** Places for discs of that radius, each as near to its point in `homes` as may be: none covers another, nor one of
 *  `fixed`, which are {at, radius}, and all lie in the box.
 * @param {number[][]} homes @param {number} radius @param {{ at: number[], radius: number }[]} fixed
 * @param {number[]} box its width and height */
function partPlaces(homes, radius, fixed, box) {
  const gap = 1;
  let places = homes.map((home) => [...home]);
  for (let pushes = 0; pushes < MOST_PUSHES; pushes += 1) {
    let crowded = false;
    const next = places.map((place, n) => {
      const others = places.flatMap((at, m) => (m === n ? [] : [{ at, radius, share: 0.5, m }]));
      const push = [0, 0];
      const firm = fixed.map((disc) => ({ ...disc, share: 1, m: -1 })); // which do not give way
      for (const { at, radius: other, share, m } of [...others, ...firm]) {
        const far = apart(place, at);
        const lacks = radius + other + gap - far;
        if (lacks <= 0) continue;
        crowded ||= lacks > gap / 2;
        // what lies at the same point parts in a direction of its own
        const way = far > 0.01 ? Math.atan2(place[1] - at[1], place[0] - at[0]) : n - m;
        push[0] += Math.cos(way) * lacks * share;
        push[1] += Math.sin(way) * lacks * share;
      }
      return place.map((value, axis) =>
        Math.min(box[axis] - radius, Math.max(radius, value + push[axis])),
      );
    });
    places = next;
    if (!crowded) break;
  }
  return places;
}

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @type {(at: number[], size: { width: number, height: number }) => Box} */
const boxAt = ([x, y], { width, height }) => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
});
const overlap = (a, b, gap) =>
  a.left < b.right + gap &&
  b.left < a.right + gap &&
  a.top < b.bottom + gap &&
  b.top < a.bottom + gap;
/** @type {(box: Box, at: number[]) => number[]} */
const nearestIn = (box, [x, y]) => [
  Math.min(box.right, Math.max(box.left, x)),
  Math.min(box.bottom, Math.max(box.top, y)),
];
const ROUNDS = 2; // in which every tag may hang anew
const RINGS = [0, 6, 13, 21, 30, 42, 56, 74, 96, 124, 160, 210];

/** Places at which a tag of that size may hang from `end`, all on the table: close and outward ones first. */
function* hangings({ end, angle, width, height }, [across, down]) {
  for (const ring of RINGS) {
    for (let step = 0; step < 24; step += 1) {
      const off = (step % 2 ? 1 : -1) * Math.ceil(step / 2);
      const [cos, sin] = [Math.cos(angle + off * ANGLE), Math.sin(angle + off * ANGLE)];
      const out =
        ring + Math.min(Math.abs(width / 2 / (cos || 1e-9)), Math.abs(height / 2 / (sin || 1e-9)));
      const clamp = (value, half, most) => Math.min(most - half - 2, Math.max(half + 2, value));
      const at = [
        clamp(end[0] + cos * out, width / 2, across),
        clamp(end[1] + sin * out, height / 2, down),
      ];
      yield { at, bend: Math.abs(off) };
    }
  }
  for (let y = height / 2 + 2; y < down - height / 2 - 2; y += 7) {
    for (let x = width / 2 + 2; x < across - width / 2 - 2; x += 9) yield { at: [x, y], bend: 6 };
  }
}

function crosses([a, b], [c, d]) {
  const side = (from, to, at) =>
    Math.sign((to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** Whether `box` holds a point of the line from `a` to `b`, its ends left out. */
const meets = (box, a, b) =>
  [0.1, 0.3, 0.5, 0.7, 0.9].some((part) => {
    const [x, y] = [0, 1].map((axis) => a[axis] + (b[axis] - a[axis]) * part);
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  });

/** The best free place for `tag`, `null` if there is none. `taken` are boxes that it may not touch, `lines` points
 *  of strings and `spots` that it should not cover, `leaders` lines that it should not lie on nor its own one cross. */
function bestPlace(tag, taken, { size, lines, spots, leaders }) {
  let best = null;
  let least = Infinity;
  for (const { at, bend } of hangings(tag, size)) {
    const box = boxAt(at, tag);
    const tie = nearestIn(box, tag.end);
    const length = apart(tie, tag.end);
    let cost = length + bend * 1.2;
    if (cost >= least || taken.some((other) => overlap(box, other, 2))) continue;
    const covers = (point) =>
      point[0] > box.left && point[0] < box.right && point[1] > box.top && point[1] < box.bottom;
    for (const leader of leaders)
      cost += (crosses([tag.end, tie], leader) ? 80 : 0) + (meets(box, ...leader) ? 40 : 0);
    if (cost < least) cost += lines.filter(covers).length * 0.8 + spots.filter(covers).length * 60;
    if (cost < least && length > 4)
      cost += taken.filter((other) => meets(other, tag.end, tie)).length * 30;
    if (cost < least) [best, least] = [{ at, box, tie }, cost];
  }
  return best;
}

/** Where every tag hangs: {at, box, tie, short?} each. `tags` are {end, angle, width, height}; tags cover neither each
 *  other nor the boxes `blocks`. A tag without room becomes a letter of the size `small`, or hangs nowhere (`null`). */
function hung(
  tags,
  blocks,
  size,
  { lines = [], spots = [], small = { width: 16, height: 16 } } = {},
) {
  let order = tags.map((_, at) => at);
  const short = new Set();
  for (let tries = 0; ; tries += 1) {
    const places = tags.map(() => null);
    const hang = (at) => {
      const tag = short.has(at) ? { ...tags[at], ...small } : tags[at];
      const others = order.filter((other) => other !== at && places[other]);
      const taken = [...blocks, ...others.map((other) => places[other].box)];
      const leaders = others.map((other) => [tags[other].end, places[other].tie]);
      const place = bestPlace(tag, taken, { size, lines, spots, leaders });
      if (!place) return false;
      const moved = place.at.join() !== places[at]?.at.join();
      places[at] = { ...place, short: short.has(at) };
      return moved;
    };
    const failed = order.find((at) => !hang(at) && short.size < tags.length);
    if (failed === undefined) {
      // What hung first did not know of what came after it.
      for (
        let round = 0;
        round < ROUNDS && order.filter((at) => places[at] && hang(at)).length;
        round += 1
      );
      return places;
    }
    if (tries % 6 === 5) short.add(short.has(failed) ? order.find((at) => !short.has(at)) : failed);
    order = [failed, ...order.filter((at) => at !== failed)];
  }
}
