// The map as a drawing: cards of paper, and lines that carry their phrases. A place of the map, 0 to 1000 across and
// down, is a share of a sheet; the sheet is as large as its text needs, and shown through one transform.
// On a touch screen one finger scrolls the page until the map has been tapped: then it is active, a finger on the ground
// moves the sheet and one on a card the card, until something outside is tapped or Escape pressed. Two fingers always zoom.

const STILL = 7; // pixels that a finger may move and still tap
const TWICE = 380; // milliseconds between the taps of a double tap
const NUDGED = 1000; // milliseconds without another key until cards moved by key are one edit
const NEAREST = 0.12; // least and
const CLOSEST = 4; // largest zoom
const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8]; // where on its line a phrase may stand, the best place first
const BESIDE = [0, 0.5, -0.5]; // and how far beside it, of its own size
const ASIDE = 600; // square pixels that it may cover before it stands beside its line
const BENDS = [0.05, -0.05, 0.16, -0.16, 0.3, -0.3, 0.44, -0.44]; // of the length of a line, the best first
const HEADS = ["arrow", "open", "double", "hollow", "barred"]; // of kinds of relations, with the widths of their lines
const WIDTHS = [2, 2, 3, 1.6, 3];
const SIDE = 1000;

// ---- Geometry, in pixels of the sheet; a box is {x, y, w, h} around its middle

const between = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
const far = ([x1, y1], [x2, y2]) => Math.hypot(x2 - x1, y2 - y1);
const inside = ({ x, y, w, h }, [px, py], more = 0) => Math.abs(px - x) <= w / 2 + more && Math.abs(py - y) <= h / 2 + more;

/** How much of two boxes lies on each other. */
function covered(a, b, gap = 0) {
  const across = Math.min(a.x + a.w / 2, b.x + b.w / 2) - Math.max(a.x - a.w / 2, b.x - b.w / 2) + gap;
  const down = Math.min(a.y + a.h / 2, b.y + b.h / 2) - Math.max(a.y - a.h / 2, b.y - b.h / 2) + gap;
  return across > 0 && down > 0 ? across * down : 0;
}

/** The point at `t` of the quadratic curve through `a`, towards `c`, to `b`. */
const pointOn = ([a, c, b], t) => [0, 1].map((axis) => (1 - t) ** 2 * a[axis] + 2 * t * (1 - t) * c[axis] + t ** 2 * b[axis]);

/** The curve between the middles of two boxes whose middle stands `away` pixels beside the straight line. */
function curveOf(start, end, away) {
  const [a, b] = [[start.x, start.y], [end.x, end.y]];
  const long = Math.max(1, far(a, b));
  const normal = [(b[1] - a[1]) / long, -(b[0] - a[0]) / long];
  return [a, [0, 1].map((axis) => (a[axis] + b[axis]) / 2 + 2 * away * normal[axis]), b];
}

/** The `t` at which `curve` leaves `box` for good, seen from the end that lies in it. */
function leaves(curve, box, fromEnd, more = 0) {
  let [low, high] = [0, 0.5];
  const at = (t) => pointOn(curve, fromEnd ? 1 - t : t);
  if (inside(box, at(high), more)) return fromEnd ? 0.5 : 0.5;
  for (let step = 0; step < 14; step += 1) {
    const half = (low + high) / 2;
    if (inside(box, at(half), more)) low = half;
    else high = half;
  }
  return fromEnd ? 1 - high : high;
}

/** The part of `curve` from `t0` to `t1`. */
function partOf(curve, t0, t1) {
  const [a, c, b] = curve;
  const blend = (p, q, t) => [0, 1].map((axis) => p[axis] + (q[axis] - p[axis]) * t);
  return [pointOn(curve, t0), blend(blend(a, c, t0), blend(c, b, t0), t1), pointOn(curve, t1)];
}

const spot = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** How far the middle of each of `count` relations between two concepts stands beside the straight line. */
const fanned = (count, room) => Array.from({ length: count }, (_, at) => (at - (count - 1) / 2) * room);

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
function wrapped(words, room, width, lines = 4) {
  const whole = words.match(PIECES) ?? [];
  const most = Math.max(room, ...whole.map((piece) => width(piece.trimEnd())).filter((wide) => wide < 1.7 * room));
  const pieces = whole.flatMap((piece) => (width(piece.trimEnd()) > most ? [...piece] : [piece]));
  let found = filledUp(pieces, most, width);
  for (let narrow = most * 0.94; found.length > 1 && narrow > most * 0.4; narrow *= 0.94) {
    const next = filledUp(pieces, narrow, width);
    if (next.length > found.length || next.some((line) => width(line) > narrow)) break;
    found = next;
  }
  if (found.length <= lines) return found;
  return [...found.slice(0, lines - 1), `${found[lines - 1].replace(/.{1,2}$/u, "")}…`];
}

const WIDE_ONE = "[\\u2e80-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef\\u{20000}-\\u{323af}]";
const PIECES = new RegExp(`${WIDE_ONE}|(?:(?!${WIDE_ONE})\\S)+\\s*|\\s+`, "gu");
const NEVER_FIRST = /^[，。、；：！？」』）》…·]/u;

function filledUp(pieces, most, width) {
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

/** How much larger than the screen a sheet is, so that cards do not lie on each other and phrases have room. */
function roomFor(boxes, phrases, [across, down], [left, top] = [0, 0]) {
  const space = boxes.reduce((sum, { w, h }) => sum + (w + 20) * (h + 20), 0) + phrases.reduce((sum, { w, h }) => sum + (w + 8) * (h + 8), 0);
  const needs = [];
  boxes.forEach((a, at) => boxes.slice(at + 1).forEach((b) => {
    const [wide, high] = [0, 1].map((axis) => Math.abs(a.at[axis] - b.at[axis]) / SIDE || 1e-6);
    needs.push(Math.min((((a.w + b.w) / 2 + 14) / wide + 2 * left) / across, (((a.h + b.h) / 2 + 12) / high + 2 * top) / down));
  }));
  const largest = (all, share) => [...all].sort((a, b) => b - a)[Math.floor(all.length * share)] ?? 1;
  // In a large map, which is seen in parts anyway, most lines are long enough for their phrase.
  const lengths = phrases.length < 30 ? [] : phrases.map(({ w, h, ends: [a, b] }) => {
    const [wide, high] = [0, 1].map((axis) => Math.abs(a.at[axis] - b.at[axis]) / SIDE || 1e-6);
    return Math.min((((a.w + b.w) / 2 + w + 24) / wide + 2 * left) / across, (((a.h + b.h) / 2 + h + 24) / high + 2 * top) / down);
  });
  needs.sort((a, b) => b - a);
  return between(Math.max(Math.sqrt((1.8 * space) / (across * down)), needs[Math.floor(boxes.length / 40)] ?? 1, Math.min(3.5, largest(lengths, 0.25))), 1, 5);
}

// ---- The drawing

class Drawing {
  constructor(editor) {
    this.editor = editor;
    this.boxes = new Map(); // by concept: where and how large it is, and its element
    this.lines = new Map(); // by relation
    this.touching = new Map(); // by concept: ids of its relations
    this.shifted = new Map(); // by concept: a place that the kernel has not been told
    this.view = { x: 0, y: 0, zoom: 1 };
    this.fitted = true; // nobody has moved the view since it was fitted
    this.size = [0, 0]; // of what is seen
    this.room = 1;
    this.edge = [60, 30]; // of the sheet, which no middle of a card comes nearer to
    this.fingers = new Map();
    this.pull = null; // what a finger does: {what: "pan" | "card" | "link" | "tap" | "pinch", …}
    this.linking = null; // {from}: the next card chosen is the goal
    this.active = false;
    this.here = ""; // the concept that the keyboard is at
    this.tapped = { time: 0 };
    this.frame = 0;
    this.uid = `ck-map-${Math.random().toString(36).slice(2)}`;
    this.memory = stored(() => sessionStorage, `coursekit/map/view/${editor.key}`);
    this.build();
    this.ends = [
      editor.on("map", (what) => this.sync(what)),
      editor.on("select", (id, more) => this.onSelect(id, more)),
      editor.on("refused", (answer) => this.refused(answer)),
    ];
    this.outside = (event) => !this.root.contains(event.target) && this.rest();
    document.addEventListener("pointerdown", this.outside, true);
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.field);
  }

  build() {
    const { editor } = this;
    const layer = (name) => svg("g", { class: `ck-map-${name}` });
    this.strokes = layer("strokes");
    this.phrases = layer("phrases");
    this.cards = layer("cards");
    this.over = layer("over");
    this.sheet = svg("rect", { class: "ck-map-sheet", x: 0, y: 0, rx: 10 });
    this.world = svg("g", {}, this.sheet, this.strokes, this.cards, this.phrases, this.over);
    this.handle = svg("g", { class: "ck-map-handle", "data-handle": "" }, svg("title", {}, editor.word("pull")),
      svg("circle", { class: "ck-map-reach", r: 23 }), svg("circle", { class: "ck-map-knob", r: 12 }), svg("path", { d: "M-5 0H5M1-4 5 0 1 4" }));
    this.thread = svg("path", { class: "ck-map-thread" });
    this.picture = svg("svg", { class: "ck-map-picture" }, this.defs(), this.world);
    // What is dragged is drawn apart, so that the rest need not be painted again for each frame.
    this.aloft = ["strokes", "cards", "phrases"].map(layer);
    this.lift = svg("g", {}, ...this.aloft);
    this.sky = svg("svg", { class: "ck-map-picture ck-map-sky" }, this.lift);
    this.field = el("div", {
      class: "ck-map-field", tabindex: "-1", role: "application", "aria-label": editor.word("field"), "aria-describedby": `${this.uid}-keys`,
      onpointerdown: (event) => this.down(event), onpointermove: (event) => this.moved(event),
      onpointerup: (event) => this.up(event), onpointercancel: (event) => this.cancel(event),
      onpointerover: (event) => this.hover(event), onpointerleave: () => this.pull || this.hold(this.editor.selected),
      onwheel: (event) => this.wheel(event), onkeydown: (event) => this.key(event), onfocusin: (event) => this.entered(event),
    }, this.picture, this.sky);
    this.glance = svg("svg", { class: "ck-map-glance", "aria-hidden": "true", onpointerdown: (event) => this.jump(event) });
    this.hint = el("p", { class: "ck-map-hint", hidden: true });
    this.bar = el("div", { class: "ck-map-linkbar", role: "group", hidden: true });
    this.floor = el("div", { class: "ck-map-floor" });
    this.root = el("div", { class: "ck-map-canvas" }, this.field, this.glance, this.floor, this.bar, this.hint,
      el("p", { class: "ck-map-unseen", id: `${this.uid}-keys` }, editor.word("keys_short")));
  }

  /** The game's own drawings, under names that no other cell of the page has. */
  defs() {
    const art = this.editor.model.get("art");
    const found = art ? new DOMParser().parseFromString(art, "image/svg+xml").querySelectorAll("symbol") : [];
    this.symbols = new Map([...found].map((symbol) => [symbol.getAttribute("id"), symbol.getAttribute("viewBox")]));
    const wanted = new Set(this.editor.cards.map((each) => each.symbol).filter(Boolean));
    return svg("defs", {}, ...[...found].filter((symbol) => wanted.has(symbol.getAttribute("id"))).map((symbol) => {
      const own = svg("symbol", { id: `${this.uid}-${symbol.getAttribute("id")}`, viewBox: symbol.getAttribute("viewBox") });
      own.append(...[...symbol.childNodes].map((node) => document.importNode(node, true)));
      return own;
    }));
  }

  /** The picture of a card, `high` pixels high; null if it has none. */
  art(card, high, x = 0, y = 0) {
    const seen = card?.symbol && this.symbols.get(card.symbol)?.split(" ").map(Number);
    if (!seen) return null;
    const wide = (high * seen[2]) / seen[3];
    const more = { x, y, width: wide, height: high };
    return { wide, element: svg("g", { class: `ck-map-art ck-map-tone-${card.tone ?? 0}` },
      svg("rect", { class: "ck-map-ground", ...more, rx: 4 }), svg("use", { href: `#${this.uid}-${card.symbol}`, ...more })) };
  }

  leave() {
    this.flush();
    this.ends.forEach((end) => end());
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    document.removeEventListener("pointerdown", this.outside, true);
  }

  // -- Sizes

  get font() {
    const wide = this.editor.width ?? 0;
    return wide < 600 ? 14 : wide < WIDE ? 16 : Math.min(24, Math.max(17, wide / 88));
  }

  get small() {
    return this.font < 16 ? 13 : Math.max(16, this.font * 0.88);
  }

  /** Pixels of letters that can be read: on a phone, or across a classroom. */
  get least() {
    return this.font < 16 ? 12 : 14;
  }

  get across() {
    return this.size[0] * this.room;
  }

  get down_() {
    return this.size[1] * this.room;
  }

  /** The point of the sheet where a place of the map is; `placed` is the way back. */
  pointAt([x, y], [across, down] = [this.across, this.down_]) {
    const [left, top] = this.edge;
    return [left + (x / SIDE) * (across - 2 * left), top + (y / SIDE) * (down - 2 * top)];
  }

  placed([x, y], [across, down] = [this.across, this.down_]) {
    const [left, top] = this.edge;
    return [((x - left) / (across - 2 * left)) * SIDE, ((y - top) / (down - 2 * top)) * SIDE].map((part) => between(part, 0, SIDE));
  }

  /** How wide words are in letters of `size` pixels. */
  measure(words, size, weight) {
    this.pen ??= attempt(() => document.createElement("canvas").getContext("2d")) ?? {};
    if (!this.pen.measureText) return [...words].reduce((sum, each) => sum + (each > "\u2e7f" ? 1 : 0.56), 0) * size;
    const font = `${weight} ${size}px ${this.family ??= getComputedStyle(this.root).fontFamily}`;
    if (this.pen.font !== font) this.pen.font = font;
    return this.pen.measureText(words).width;
  }

  resized() {
    const { clientWidth, clientHeight } = this.field;
    if (!clientWidth || (clientWidth === this.size[0] && clientHeight === this.size[1])) return;
    const before = this.size;
    const font = this.font;
    this.size = [clientWidth, clientHeight];
    const middle = before[0] && !this.fitted ? this.placed([0, 1].map((axis) => (before[axis] / 2 - [this.view.x, this.view.y][axis]) / this.view.zoom), before.map((each) => each * this.room)) : null;
    if (font !== this.drawnIn) this.redraw();
    else this.spread();
    if (middle) this.centre(middle);
    else this.recall() || this.fit(false);
    this.hold(this.editor.selected);
  }

  /** Draw everything anew: the letters have another size. */
  redraw() {
    this.drawnIn = this.font;
    this.family = undefined;
    this.root.style.setProperty("--letters", `${this.font}px`);
    this.root.style.setProperty("--small", `${this.small}px`);
    for (const things of [this.boxes, this.lines]) {
      things.forEach((each) => [each.element, each.label].forEach((part) => part?.remove()));
      things.clear();
    }
    this.sync({ renamed: new Map(), whole: true });
  }

  /** Take a sheet large enough for what is on it. */
  spread() {
    if (!this.size[0]) return;
    const boxes = [...this.boxes.values()];
    this.edge = ["w", "h"].map((side, axis) => Math.min(this.size[axis] / 4, 8 + Math.max(this.font * 2, ...boxes.map((box) => box[side])) / 2));
    this.room = roomFor(boxes, [...this.lines.values()].map(({ w, h, start, end }) => ({ w, h, ends: [this.boxes.get(start), this.boxes.get(end)] })), this.size, this.edge);
    for (const [id, box] of this.boxes) this.put(id, box.at);
    this.routes();
    this.sheet.setAttribute("width", this.across);
    this.sheet.setAttribute("height", this.down_);
  }

  // -- From the map to the drawing

  sync({ renamed, whole: all }) {
    const { map } = this.editor;
    if (!this.size[0]) {
      this.size = [this.field.clientWidth, this.field.clientHeight];
      this.drawnIn = this.font;
      this.root.style.setProperty("--letters", `${this.font}px`);
      this.root.style.setProperty("--small", `${this.small}px`);
    }
    for (const [old, id] of renamed) {
      for (const things of [this.boxes, this.lines]) {
        if (!things.has(old)) continue;
        const each = things.get(old);
        things.set(id, each);
        things.delete(old);
        each.element.dataset.id = id;
        if (each.label) each.label.dataset.id = id;
      }
      if (this.here === old) this.here = id;
      if (this.linking?.from === old) this.linking.from = id;
    }
    const focused = this.focused();
    const fresh = new Set();
    for (const id of [...this.boxes.keys()]) if (!map.concepts.has(id)) this.drop(this.boxes, id);
    for (const id of [...this.lines.keys()]) if (!map.relations.has(id)) this.drop(this.lines, id);
    const missing = [...map.concepts].filter(([, each]) => !each.at).length;
    let place = 0;
    for (const [id, concept] of map.concepts) {
      const at = this.shifted.get(id) ?? concept.at ?? this.boxes.get(id)?.at ?? ringed(place++, missing);
      const top = id === (map.head.top || map.tree?.top);
      const box = this.boxes.get(id);
      const look = JSON.stringify([concept.label, concept.kind, concept.card, top]);
      if (!box || box.look !== look) {
        this.drawCard(id, concept, top, at, look);
        fresh.add(id);
      } else if (box.at[0] !== at[0] || box.at[1] !== at[1]) {
        this.put(id, at);
        fresh.add(id);
      }
    }
    const cross = new Set(map.tree?.cross_links ?? []);
    this.touching.clear();
    this.pairs = new Map();
    for (const [id, each] of map.relations) {
      for (const end of [each.start, each.end]) {
        if (!this.touching.has(end)) this.touching.set(end, new Set());
        this.touching.get(end).add(id);
      }
      const pair = each.start < each.end ? `${each.start} ${each.end}` : `${each.end} ${each.start}`;
      if (!this.pairs.has(pair)) this.pairs.set(pair, []);
      this.pairs.get(pair).push(id);
    }
    const stale = new Set();
    for (const [id, each] of map.relations) {
      const line = this.lines.get(id);
      const pair = each.start < each.end ? `${each.start} ${each.end}` : `${each.end} ${each.start}`;
      const look = JSON.stringify([each.start, each.phrase, each.end, each.kind, cross.has(id), this.pairs.get(pair)]);
      if (line?.look === look) {
        if (fresh.has(each.start) || fresh.has(each.end)) stale.add(id);
        continue;
      }
      this.drawLine(id, each, cross.has(id), pair, look);
      stale.add(id);
    }
    this.name();
    if (all && this.size[0]) this.spread();
    else this.routes(stale);
    this.marked();
    if (focused !== null) this.focusOn(renamed.get(focused) ?? focused);
    this.hold(this.editor.selected);
    this.root.classList.toggle("ck-map-empty", map.concepts.size === 0);
    if (all && this.size[0] && this.fitted) this.recall() || this.fit(false);
    this.drawGlance();
  }

  drop(things, id) {
    const each = things.get(id);
    each.element.remove();
    each.label?.remove();
    things.delete(id);
  }

  /** The id that the keyboard is at, null if it is elsewhere. */
  focused() {
    const active = this.root.getRootNode().activeElement;
    return active && this.field.contains(active) ? active.dataset.id ?? null : null;
  }

  drawCard(id, concept, top, at, look) {
    const [letters, pad, high] = [this.font, this.font * 0.62, this.font * (this.font < 16 ? 2.7 : 3)];
    const card = this.editor.cardOf(concept.card);
    const picture = this.art(card, high, pad * 0.7, 0);
    const lines = wrapped(concept.label, letters * (picture ? 6.2 : 8.4), (words) => this.measure(words, letters, 650));
    const wide = Math.max(letters * 1.5, ...lines.map((line) => this.measure(line, letters, 650)));
    const left = picture ? pad * 0.7 + picture.wide : 0;
    const w = Math.ceil(left + wide + 2 * pad);
    const h = Math.ceil(Math.max(lines.length * letters * 1.28 + pad * 1.3, picture ? high + pad * 0.9 : 0, 44 * 0.95));
    const example = concept.kind === "example";
    const kind = concept.card ? "card" : example ? "example" : "own";
    const round = kind === "example" ? h / 2 : kind === "card" ? 7 : 4;
    const rect = (name, more = {}) => svg("rect", { class: name, x: 0, y: 0, width: w, height: h, rx: round, ...more });
    const toned = card ? ` ck-map-tone-${card.tone ?? 0}` : "";
    const element = svg("g", {
      class: `ck-map-card ck-map-${kind}${top ? " ck-map-top" : ""}${toned}`, "data-id": id, role: "button", tabindex: "-1",
    }, rect("ck-map-shade", { x: 1.5, y: 3 }), rect("ck-map-paper"),
    !picture && card && rect("ck-map-band", { width: 7, height: h - 2, x: 1, y: 1, rx: 3 }),
    top && rect("ck-map-inner", { x: 3.5, y: 3.5, width: w - 7, height: h - 7, rx: Math.max(2, round - 3) }));
    if (picture) {
      picture.element.setAttribute("transform", `translate(0 ${((h - high) / 2).toFixed(1)})`);
      element.append(picture.element);
    }
    const first = h / 2 - ((lines.length - 1) * letters * 1.28) / 2;
    element.append(svg("text", { class: "ck-map-label", "text-anchor": "middle" }, ...lines.map((line, row) =>
      svg("tspan", { x: ((left + w) / 2).toFixed(1), y: (first + row * letters * 1.28).toFixed(1) }, line))));
    const old = this.boxes.get(id);
    if (old) old.element.replaceWith(element);
    else this.cards.append(element);
    this.boxes.set(id, { element, w, h, at, look, x: 0, y: 0 });
    this.put(id, at);
  }

  /** Put a card at a place of the map; its lines follow with `routes`. */
  put(id, at) {
    const box = this.boxes.get(id);
    box.at = at;
    [box.x, box.y] = this.pointAt(at);
    box.element.setAttribute("transform", `translate(${(box.x - box.w / 2).toFixed(1)} ${(box.y - box.h / 2).toFixed(1)})`);
  }

  drawLine(id, relation, cross, pair, look) {
    const kind = this.editor.kindOf(relation.kind);
    const style = kind < 0 ? "" : ` ck-map-kind-${kind % 8}`;
    const head = kind < 0 ? HEADS[0] : HEADS[Math.floor(kind / 8 + kind) % HEADS.length];
    const width = kind < 0 ? 2 : WIDTHS[Math.floor(kind / 8 + kind) % HEADS.length];
    const name = `${style}${cross ? " ck-map-cross" : ""}`;
    const path = (part, more) => svg("path", { class: `ck-map-${part}`, ...more });
    const parts = [path("hit"), path("casing", { "stroke-width": width + 5 }), path("stroke", { "stroke-width": width }), path(`head ck-map-head-${head}`)];
    const element = svg("g", { class: `ck-map-line${name}`, "data-id": id }, ...parts);
    const letters = this.small;
    const words = relation.phrase || "?";
    const lines = wrapped(words, letters * 8, (each) => this.measure(each, letters, 500), 3);
    const w = Math.ceil(Math.max(letters, ...lines.map((line) => this.measure(line, letters, 500))) + letters * 0.8);
    const h = Math.ceil(lines.length * letters * 1.22 + letters * 0.36);
    const label = svg("g", { class: `ck-map-phrase${name}${relation.phrase ? "" : " ck-map-wordless"}`, "data-id": id, role: "button", tabindex: "-1" },
      svg("rect", { class: "ck-map-reach", x: -Math.max(w, 44) / 2, y: -Math.max(h, 36) / 2, width: Math.max(w, 44), height: Math.max(h, 36) }),
      svg("rect", { class: "ck-map-slip", x: -w / 2, y: -h / 2, width: w, height: h, rx: relation.phrase ? 5 : h / 2 }),
      svg("text", { "text-anchor": "middle" }, ...lines.map((line, row) =>
        svg("tspan", { x: 0, y: ((row - (lines.length - 1) / 2) * letters * 1.22).toFixed(1) }, line))));
    const old = this.lines.get(id);
    if (old) {
      old.element.replaceWith(element);
      old.label.replaceWith(label);
    } else {
      this.strokes.append(element);
      this.phrases.append(label);
    }
    this.lines.set(id, { element, label, look, head, width, w, h, pair, start: relation.start, end: relation.end, x: 0, y: 0, away: old?.away });
  }

  /** Lead lines from card to card and put their phrases where they cover least; `steady` ones keep their side. */
  routes(ids = this.lines.keys(), steady = false) {
    const some = [...ids].filter((id) => this.lines.has(id));
    for (const id of some) this.lead(this.lines.get(id), id, steady);
    for (let pass = 0; pass < (steady ? 1 : 2); pass += 1) for (const id of some) this.lay(this.lines.get(id));
  }

  lead(line, id, steady) {
    const [start, end] = [this.boxes.get(line.start), this.boxes.get(line.end)];
    const several = this.pairs.get(line.pair);
    const long = far([start.x, start.y], [end.x, end.y]);
    const turned = line.start < line.end ? 1 : -1;
    if (several.length > 1) {
      const room = Math.max(this.small * 2.3, Math.min(long * 0.22, this.small * 4));
      line.away = turned * (fanned(several.length, room)[several.indexOf(id)] + this.aside(line, several, room, steady));
    } else if (!steady || line.away === undefined) {
      line.away = this.clear(line, start, end, long);
    }
    const curve = curveOf(start, end, line.away);
    const [t0, t1] = [leaves(curve, start, false, 2), leaves(curve, end, true, 3)];
    line.curve = curve;
    line.span = [t0, Math.max(t0, t1)];
    const size = 6 + line.width * 2.2;
    const back = between((size * (line.head === "open" ? 0.1 : 0.8)) / Math.max(1, long), 0, 0.3);
    const [a, c, b] = partOf(curve, t0, Math.max(t0, t1 - back));
    const [hit, casing, stroke, head] = line.element.childNodes;
    for (const part of [hit, casing, stroke]) part.setAttribute("d", `M${spot(a)}Q${spot(c)} ${spot(b)}`);
    const [tip, before] = [pointOn(curve, line.span[1]), pointOn(curve, Math.max(0, line.span[1] - Math.min(0.3, size / Math.max(1, long))))];
    const angle = (Math.atan2(tip[1] - before[1], tip[0] - before[0]) * 180) / Math.PI;
    head.setAttribute("d", headOf(line.head, size));
    head.setAttribute("transform", `translate(${spot(tip)}) rotate(${angle.toFixed(1)})`);
  }

  /** How far to push all the lines between two concepts to one side, so that they run through as few other cards as possible. */
  aside(line, several, room, steady) {
    const first = this.lines.get(several[0]);
    if (!first || (line === first && !steady) || first.aside === undefined) {
      const [start, end] = [line.start, line.end].sort().map((id) => this.boxes.get(id));
      const fan = fanned(several.length, room);
      const costs = [0, 1, -1, 2, -2].map((step, at) => ({ push: step * room, cost: at + fan.reduce((sum, away) => sum + this.blocked(curveOf(start, end, away + step * room), start, end), 0) }));
      const { push } = costs.reduce((best, each) => (each.cost < best.cost ? each : best));
      if (!first) return push;
      first.aside = push;
    }
    return first.aside;
  }

  /** How much other cards, and the edge of the sheet, are in the way of a curve. */
  blocked(curve, start, end, near = [...this.boxes.values()]) {
    let cost = 0;
    for (let t = 0.08; t < 0.95; t += 0.07) {
      const point = pointOn(curve, t);
      if (near.some((box) => box !== start && box !== end && inside(box, point, 5))) cost += 6;
      if (point[0] < 0 || point[1] < 0 || point[0] > this.across || point[1] > this.down_) cost += 4;
    }
    return cost;
  }

  /** How far to bend a line so that it runs through as few other cards as possible. */
  clear(line, start, end, long) {
    const [left, right] = [Math.min(start.x, end.x) - long / 2, Math.max(start.x, end.x) + long / 2];
    const [low, high] = [Math.min(start.y, end.y) - long / 2, Math.max(start.y, end.y) + long / 2];
    const near = [...this.boxes.values()].filter((box) => box !== start && box !== end
      && box.x + box.w / 2 > left && box.x - box.w / 2 < right && box.y + box.h / 2 > low && box.y - box.h / 2 < high);
    let [best, least] = [BENDS[0] * long, Infinity];
    BENDS.forEach((bend, at) => {
      if (least < at) return;
      const cost = at * 0.5 + this.blocked(curveOf(start, end, bend * long), start, end, near);
      if (cost < least) [best, least] = [bend * long, cost];
    });
    return best;
  }

  /** Put the phrase of a line where it covers least: on the line, or if there is no room beside it. */
  lay(line) {
    const [t0, t1] = line.span;
    let [best, least] = [null, Infinity];
    const points = [0, 0.25, 0.5, 0.75, 1].map((share) => pointOn(line.curve, t0 + (t1 - t0) * share));
    const [[left, right], [top, bottom]] = [0, 1].map((axis) => [Math.min, Math.max].map((most) => most(...points.map((point) => point[axis]))));
    const room = { x: (left + right) / 2, y: (top + bottom) / 2, w: right - left + 2 * line.w, h: bottom - top + 2 * line.h + line.w };
    const cards = [...this.boxes.values()].filter((box) => covered(room, box, 3));
    const phrases = [...this.lines.values()].filter((other) => other !== line && covered(room, other, 3));
    for (const beside of BESIDE) {
      if (least < ASIDE * Math.abs(beside)) break;
      for (const share of ALONG) {
        const t = t0 + (t1 - t0) * share;
        const [[x, y], [px, py], [qx, qy]] = [t, t - 0.02, t + 0.02].map((each) => pointOn(line.curve, each));
        const long = Math.hypot(qx - px, qy - py) || 1;
        const off = (beside * (line.h * Math.abs(qx - px) + line.w * Math.abs(qy - py))) / long; // far enough to be beside the line
        const mine = { x: x + ((qy - py) / long) * off, y: y - ((qx - px) / long) * off, w: line.w, h: line.h };
        let cost = Math.abs(share - 0.5) * 40 + ASIDE * Math.abs(beside);
        const [out, below] = [Math.max(mine.w / 2 - mine.x, mine.x + mine.w / 2 - this.across, 0), Math.max(mine.h / 2 - mine.y, mine.y + mine.h / 2 - this.down_, 0)];
        cost += 3 * (out * line.h + below * line.w);
        for (const box of cards) cost += 3 * covered(mine, box, 3);
        for (const other of phrases) cost += covered(mine, other, 3);
        if (cost < least) [best, least] = [mine, cost];
        if (least < 1) break;
      }
    }
    line.x = best.x;
    line.y = best.y;
    line.label.setAttribute("transform", `translate(${spot([line.x, line.y])})`);
  }

  /** Say of every card and every phrase what it is. */
  name() {
    const { editor } = this;
    const { map } = editor;
    const cross = new Set(map.tree?.cross_links ?? []);
    for (const [id, concept] of map.concepts) {
      const { element } = this.boxes.get(id);
      const kind = concept.kind ? editor.kindWord(concept.kind) : concept.card && editor.word("kind_card");
      const count = this.touching.get(id)?.size ?? 0;
      const top = id === (map.head.top || map.tree?.top) ? editor.word("is_top") : "";
      const links = editor.word("relations_of", { number: count });
      element.setAttribute("aria-label", [concept.label, top, kind, links].filter(Boolean).join(editor.word("comma")));
    }
    for (const [id, each] of map.relations) {
      const { label } = this.lines.get(id);
      const words = each.phrase ? editor.sentence(each) : `${editor.sentence(each)}${editor.word("comma")}${editor.word("wordless")}`;
      label.setAttribute("aria-label", cross.has(id) ? `${words}${editor.word("comma")}${editor.word("cross_link")}` : words);
    }
  }

  /** Show what is selected, and let Tab stop there. */
  marked() {
    const { selected, map } = this.editor;
    const chosen = map.concepts.has(selected) ? selected : this.boxes.has(this.here) ? this.here : map.head.top || map.tree?.top || [...this.boxes.keys()][0];
    const near = new Set();
    if (map.relations.has(selected)) near.add(map.relations.get(selected).start).add(map.relations.get(selected).end);
    this.here = this.boxes.has(chosen) ? chosen : [...this.boxes.keys()][0] ?? "";
    for (const [id, { element }] of this.boxes) {
      element.setAttribute("tabindex", id === this.here ? "0" : "-1");
      element.setAttribute("aria-pressed", String(id === selected));
      element.classList.toggle("ck-on", id === selected);
      element.classList.toggle("ck-near", near.has(id));
      element.classList.toggle("ck-from", id === this.linking?.from);
    }
    for (const [id, line] of this.lines) {
      const on = id === selected || line.start === selected || line.end === selected;
      for (const part of [line.element, line.label]) {
        part.classList.toggle("ck-on", id === selected);
        part.classList.toggle("ck-near", on && id !== selected);
      }
      line.label.setAttribute("aria-pressed", String(id === selected));
    }
    this.root.classList.toggle("ck-map-linking", Boolean(this.linking));
  }

  onSelect(id, more) {
    this.marked();
    this.hold(id);
    if (id && more?.focus) this.focusOn(id);
    requestAnimationFrame(() => { // when the sheet below is as high as it will be
      if (id && id === this.editor.selected && (more?.show || this.editor.covered)) this.reveal(id);
    });
  }

  refused({ about }) {
    const part = this.boxes.get(about)?.element ?? this.lines.get(about)?.label;
    part?.classList.add("ck-refused");
    if (part) setTimeout(() => part.classList.remove("ck-refused"), 1600);
  }

  /** Give the handle to the concept `id`, or put it away. */
  hold(id) {
    const box = this.boxes.get(id);
    this.held = box ? id : null;
    if (!box || this.linking || this.pull?.what === "card") {
      this.handle.remove();
      return;
    }
    const side = box.x + box.w / 2 + 30 > this.across ? -1 : 1;
    this.handle.setAttribute("transform", `translate(${spot([box.x + side * (box.w / 2 + 15), box.y])}) rotate(${side < 0 ? 180 : 0})`);
    if (this.handle.parentNode !== this.over) this.over.append(this.handle);
  }

  hover(event) {
    if (event.pointerType !== "mouse" || this.pull) return;
    const id = event.target.closest?.("[data-id]")?.dataset.id;
    if (this.boxes.has(id)) this.hold(id);
  }

  // -- The view

  /** What stands at a point of the screen, in pixels of the sheet. */
  toSheet({ clientX, clientY }) {
    const { left, top } = this.field.getBoundingClientRect();
    return [(clientX - left - this.view.x) / this.view.zoom, (clientY - top - this.view.y) / this.view.zoom];
  }

  placeOf(point) {
    return this.placed(point).map(Math.round);
  }

  /** Where on the screen, from the corner of the field, a point of the sheet stands. */
  onScreen([x, y]) {
    return [x * this.view.zoom + this.view.x, y * this.view.zoom + this.view.y];
  }

  /** Show the sheet as `view` says, but always some of it. */
  look({ x, y, zoom }, keep = true) {
    const scale = between(zoom, NEAREST, CLOSEST);
    const slack = 60 + (this.editor.covered ?? 0);
    this.view = {
      zoom: scale,
      x: between(x, Math.min(0, this.size[0] - this.across * scale) - slack, Math.max(0, this.size[0] - this.across * scale) + slack),
      y: between(y, Math.min(0, this.size[1] - this.down_ * scale) - slack, Math.max(0, this.size[1] - this.down_ * scale) + slack),
    };
    const transform = `translate(${this.view.x.toFixed(1)} ${this.view.y.toFixed(1)}) scale(${scale.toFixed(4)})`;
    for (const each of [this.world, this.lift]) each.setAttribute("transform", transform);
    this.drawGlance();
    if (keep) {
      this.fitted = false;
      this.memory.set({ ...this.view, size: this.size });
    }
    this.editor.tells("view");
  }

  /** What is drawn: [left, top, right, bottom]. */
  extent() {
    const all = [...this.boxes.values()];
    if (!all.length) return [0, 0, this.across, this.down_];
    return [
      Math.min(...all.map(({ x, w }) => x - w / 2)) - 8, Math.min(...all.map(({ y, h }) => y - h / 2)) - 8,
      Math.max(...all.map(({ x, w }) => x + w / 2)) + 8, Math.max(...all.map(({ y, h }) => y + h / 2)) + 8,
    ];
  }

  /** Show the map in letters that can be read, or smaller if `all` of it must be seen. */
  fit(all = false) {
    if (!this.size[0]) return;
    const [left, top, right, bottom] = this.extent();
    const whole = Math.min(this.size[0] / (right - left), this.size[1] / (bottom - top), 1);
    const zoom = all ? whole : Math.max(whole, Math.min(1, this.least / this.small));
    if (zoom === 1 && this.room === 1) {
      this.look({ zoom, x: 0, y: 0 }, false);
      this.fitted = true;
      this.memory.remove();
      return;
    }
    const main = this.boxes.get(this.editor.selected) ?? this.boxes.get(this.here) ?? { x: (left + right) / 2, y: (top + bottom) / 2 };
    const middle = (low, high, at, size) => ((high - low) * zoom <= size + 1 ? (size - (low + high) * zoom) / 2 : between(size / 2 - at * zoom, size - high * zoom, -low * zoom));
    this.look({ zoom, x: middle(left, right, main.x, this.size[0]), y: middle(top, bottom, main.y, this.size[1]) }, false);
    this.fitted = true;
    this.memory.remove();
  }

  /** Fit; if the map is fitted already and not all of it is seen, show all of it. */
  fitAgain() {
    this.spread();
    const [left, top, right, bottom] = this.extent();
    const hidden = (right - left) * this.view.zoom > this.size[0] + 2 || (bottom - top) * this.view.zoom > this.size[1] + 2;
    this.fit(this.fitted && hidden);
  }

  /** The map has been laid out anew: take another sheet and show it. */
  refit() {
    this.spread();
    this.fit(false);
  }

  /** Look at the map as before the page was loaded again. */
  recall() {
    const before = this.memory.get();
    if (!before || before.size?.[0] !== this.size[0] || !this.boxes.size) return false;
    this.look(before);
    return true;
  }

  /** Show a place of the map in the middle. */
  centre(place) {
    const { zoom } = this.view;
    const [x, y] = this.pointAt(place);
    this.look({ zoom, x: this.size[0] / 2 - x * zoom, y: this.size[1] / 2 - y * zoom });
  }

  zoomBy(times, [x, y] = [this.size[0] / 2, this.size[1] / 2]) {
    const zoom = between(this.view.zoom * times, NEAREST, CLOSEST);
    const grown = zoom / this.view.zoom;
    this.look({ zoom, x: x - (x - this.view.x) * grown, y: y - (y - this.view.y) * grown });
  }

  /** Move the view as little as needed to see a thing. */
  reveal(id) {
    const box = this.boxes.get(id) ?? this.lines.get(id);
    if (!box || !this.size[0]) return;
    const [x, y] = this.onScreen([box.x, box.y]);
    const { zoom } = this.view;
    const [w, h] = [(box.w / 2) * zoom + 24, (box.h / 2) * zoom + 24];
    const seen = [this.size[0], this.size[1] - (this.editor.covered ?? 0)];
    const by = [x, y].map((at, axis) => between(at, [w, h][axis], seen[axis] - [w, h][axis]) - at);
    if (by[0] || by[1]) this.look({ zoom, x: this.view.x + by[0], y: this.view.y + by[1] });
  }

  wheel(event) {
    if (!event.ctrlKey && !this.active) return;
    const times = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018));
    const zoom = between(this.view.zoom * times, NEAREST, CLOSEST);
    if (zoom === this.view.zoom && !event.ctrlKey) return; // at its end the page scrolls on
    event.preventDefault();
    const { left, top } = this.field.getBoundingClientRect();
    this.zoomBy(times, [event.clientX - left, event.clientY - top]);
  }

  /** A small map of the map, if not all of it is seen. */
  drawGlance() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { x, y, zoom } = this.view;
      const [left, top, right, bottom] = this.extent();
      const seen = left * zoom + x >= -2 && top * zoom + y >= -2 && right * zoom + x <= this.size[0] + 2 && bottom * zoom + y <= this.size[1] + 2;
      this.glance.toggleAttribute("hidden", seen || !this.size[0]);
      this.root.classList.toggle("ck-map-beyond", !seen);
      if (seen || !this.size[0]) return;
      this.glance.setAttribute("viewBox", `0 0 ${this.across.toFixed(0)} ${this.down_.toFixed(0)}`);
      const d = [...this.boxes.values()].map((box) => `M${spot([box.x - box.w / 2, box.y - box.h / 2])}h${box.w}v${box.h}h${-box.w}z`).join("");
      this.glance.replaceChildren(svg("path", { d }), svg("rect", { x: -x / zoom, y: -y / zoom, width: this.size[0] / zoom, height: this.size[1] / zoom }));
    });
  }

  jump(event) {
    event.preventDefault();
    const { left, top, width, height } = this.glance.getBoundingClientRect();
    this.centre(this.placed([((event.clientX - left) / width) * this.across, ((event.clientY - top) / height) * this.down_]));
  }

  // -- Fingers and mice

  wake() {
    if (this.active) return;
    this.active = true;
    this.root.classList.add("ck-map-active");
  }

  rest() {
    this.active = false;
    this.root.classList.remove("ck-map-active");
    this.hint.hidden = true;
  }

  down(event) {
    if (event.target.closest(".ck-map-form")) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size === 2) {
      this.unpull();
      const [one, other] = [...this.fingers.values()];
      this.pull = { what: "pinch", apart: far(one, other), zoom: this.view.zoom, middle: this.inField([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]), view: this.view };
      return;
    }
    if (this.fingers.size > 2 || (event.button !== 0 && event.button !== 1)) return;
    const touch = event.pointerType !== "mouse";
    const part = event.target.closest("[data-handle], [data-id]");
    const id = part?.dataset.id;
    const what = event.button === 1 ? "pan" : touch && !this.active ? "tap" : part?.dataset.handle !== undefined ? "link" : this.boxes.has(id) ? "card" : "pan";
    this.pull = { what, id: part?.dataset.handle !== undefined ? this.held : id, from: [event.clientX, event.clientY], view: this.view, moved: false, pointer: event.pointerId, touch };
    if (what === "card") {
      const [x, y] = this.toSheet(event);
      const box = this.boxes.get(id);
      this.pull.grip = [box.x - x, box.y - y];
    }
    if (what !== "tap") attempt(() => this.field.setPointerCapture(event.pointerId));
    if (!touch) event.preventDefault(); // no text is selected
  }

  inField([x, y]) {
    const { left, top } = this.field.getBoundingClientRect();
    return [x - left, y - top];
  }

  moved(event) {
    if (!this.fingers.has(event.pointerId) || !this.pull) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const { pull } = this;
    if (pull.what === "pinch") {
      const [one, other] = [...this.fingers.values()];
      const middle = this.inField([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]);
      const zoom = between((pull.zoom * far(one, other)) / Math.max(1, pull.apart), NEAREST, CLOSEST);
      const grown = zoom / pull.view.zoom;
      this.look({ zoom, x: middle[0] - (pull.middle[0] - pull.view.x) * grown, y: middle[1] - (pull.middle[1] - pull.view.y) * grown });
      return;
    }
    const by = [event.clientX - pull.from[0], event.clientY - pull.from[1]];
    if (!pull.moved && Math.hypot(...by) < STILL) return;
    pull.moved = true;
    pull.at = event;
    if (pull.what === "pan") this.look({ zoom: this.view.zoom, x: pull.view.x + by[0], y: pull.view.y + by[1] });
    else if (pull.what !== "tap" && !pull.frame) pull.frame = requestAnimationFrame(() => this.follow(pull));
  }

  /** The card or the thread is where the finger is; only the lines of that card are led anew. */
  follow(pull) {
    pull.frame = 0;
    if (this.pull !== pull) return;
    const [x, y] = this.toSheet(pull.at);
    if (pull.what === "card") {
      if (!pull.lifted) {
        pull.lifted = true;
        this.raise(pull.id);
      }
      this.put(pull.id, this.placed([x + pull.grip[0], y + pull.grip[1]]));
      this.routes(this.touching.get(pull.id) ?? [], true);
      return;
    }
    const start = this.boxes.get(pull.id);
    const goal = this.under([x, y], pull.id);
    this.boxes.get(pull.goal)?.element.classList.remove("ck-goal");
    this.boxes.get(goal)?.element.classList.add("ck-goal");
    pull.goal = goal;
    const end = this.boxes.get(goal) ?? { x, y, w: 0, h: 0 };
    const curve = curveOf(start, end, 0);
    const [a, c, b] = partOf(curve, leaves(curve, start, false), goal ? leaves(curve, end, true) : 1);
    this.thread.setAttribute("d", `M${spot(a)}Q${spot(c)} ${spot(b)}`);
    if (this.thread.parentNode !== this.over) this.over.append(this.thread);
  }

  /** Draw a card and its lines apart from the rest while it is dragged. */
  raise(id) {
    this.handle.remove();
    const [strokes, cards, phrases] = this.aloft;
    const { element } = this.boxes.get(id);
    this.wasAt = this.focused();
    element.classList.add("ck-map-lifted");
    cards.append(element);
    for (const each of this.touching.get(id) ?? []) {
      strokes.append(this.lines.get(each).element);
      phrases.append(this.lines.get(each).label);
    }
  }

  /** Put what was dragged back among the rest. */
  lower() {
    [this.strokes, this.cards, this.phrases].forEach((layer, at) => layer.append(...this.aloft[at].childNodes));
    this.cards.querySelectorAll(".ck-map-lifted").forEach((each) => each.classList.remove("ck-map-lifted"));
    if (this.wasAt) this.focusOn(this.wasAt);
    this.wasAt = null;
  }

  /** The concept at a point of the sheet, but not `except`. */
  under(point, except) {
    return [...this.boxes].filter(([id, box]) => id !== except && inside(box, point, 8)).map(([id]) => id).at(-1) ?? null;
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    const { pull } = this;
    if (!pull || (pull.what !== "pinch" && pull.pointer !== event.pointerId)) return;
    if (pull.what === "pinch") {
      this.wake();
      this.pull = null;
      return;
    }
    if (pull.frame) {
      cancelAnimationFrame(pull.frame);
      this.follow(pull);
    }
    this.pull = null;
    if (!pull.moved) {
      this.tap(event, pull);
    } else if (pull.what === "card") {
      this.lower();
      this.settle(pull.id);
    } else if (pull.what === "link") {
      this.thread.remove();
      this.boxes.get(pull.goal)?.element.classList.remove("ck-goal");
      if (pull.goal) this.editor.forms.relation({ start: pull.id, end: pull.goal });
      else this.editor.forms.concept({ from: pull.id, at: this.placeOf(this.toSheet(event)) });
    }
  }

  /** A card was let go of: this is one edit. */
  settle(id) {
    const box = this.boxes.get(id);
    if (!box) return;
    const at = box.at.map(Math.round);
    this.put(id, at);
    this.routes();
    this.editor.select(id);
    this.hold(id);
    this.drawGlance();
    this.editor.edit([["move", { [id]: at }]]);
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    if (this.pull?.what === "tap" && this.pull.id) this.advise(this.editor.word("tap_first"));
    this.unpull();
  }

  /** Nothing is pulled any more, and everything where it was. */
  unpull() {
    const { pull } = this;
    this.pull = null;
    if (!pull) return;
    this.thread.remove();
    this.boxes.get(pull.goal)?.element.classList.remove("ck-goal");
    if (pull.what !== "card" || !pull.moved) return;
    this.lower();
    const concept = this.editor.map.concepts.get(pull.id);
    if (concept?.at) this.put(pull.id, concept.at);
    this.routes(this.touching.get(pull.id) ?? []);
  }

  advise(words) {
    this.hint.textContent = words;
    this.hint.hidden = false;
    clearTimeout(this.advised);
    this.advised = setTimeout(() => { this.hint.hidden = true; }, 4000);
  }

  tap(event, { id, what, from, touch }) {
    const fresh = !this.active;
    this.wake();
    this.hint.hidden = true;
    const time = event.timeStamp;
    const twice = time - this.tapped.time < TWICE && this.tapped.id === id && far(this.tapped.from ?? [0, 0], from) < 24;
    this.tapped = twice ? { time: 0 } : { time, id, from };
    const { editor } = this;
    if (what === "link" || (what === "tap" && event.target.closest?.("[data-handle]"))) {
      this.startLink(this.held);
    } else if (this.linking) {
      if (this.boxes.has(id)) this.choose(id);
      else if (!id) this.stopLink();
    } else if (twice) {
      if (this.boxes.has(id)) editor.forms.label(id);
      else if (id) editor.forms.relation({ id });
      else editor.forms.concept({ at: this.placeOf(this.toSheet(event)) });
    } else if (id) {
      editor.select(id, { focus: true, tapped: true });
      if (this.lines.has(id) && !editor.map.relations.get(id).phrase && !fresh) editor.forms.relation({ id });
    } else {
      editor.select(null);
      this.field.focus({ preventScroll: true }); // whose keys go on, and do not edit the notebook
      if (fresh && touch) this.advise(editor.word("awake"));
    }
  }

  // -- Linking

  /** The next concept that is chosen is linked with `from`. */
  startLink(from, words) {
    const { editor } = this;
    if (!this.boxes.has(from)) {
      editor.tell(editor.word(this.boxes.size ? "link_first" : "link_none"));
      return;
    }
    if (this.boxes.size < 2) {
      editor.tell(editor.word("link_none"));
      return;
    }
    this.linking = { from };
    const label = editor.labelOf(from);
    const said = words ?? editor.word("link_choose", { label });
    const others = [...editor.map.concepts].filter(([id]) => id !== from);
    const choice = el("select", { class: "ck-map-choice", "aria-label": editor.word("link_goal"), onchange: (event) => event.target.value && this.choose(event.target.value) },
      el("option", { value: "" }, editor.word("link_pick")), ...others.map(([id, each]) => el("option", { value: id }, each.label)));
    this.bar.replaceChildren(el("p", {}, said), choice, press("close", editor.word("cancel"), { onclick: () => this.stopLink(true) }));
    this.bar.setAttribute("aria-label", said);
    this.bar.hidden = false;
    this.marked();
    this.hold(null);
    this.focusOn(from);
    editor.say(`${said} ${editor.word("link_keys")}`);
  }

  stopLink(focus = false) {
    if (!this.linking) return;
    const { from } = this.linking;
    this.linking = null;
    this.bar.hidden = true;
    this.marked();
    this.hold(this.editor.selected);
    if (focus) this.focusOn(from);
  }

  choose(id) {
    const { from } = this.linking;
    if (id === from) {
      this.editor.say(this.editor.word("link_itself"));
      return;
    }
    this.stopLink();
    this.editor.forms.relation({ start: from, end: id });
  }

  // -- Keys

  entered(event) {
    const id = event.target.dataset?.id;
    if (id === undefined) return;
    if (this.boxes.has(id)) this.here = id;
    if (!this.linking && this.editor.selected !== id) this.editor.select(id);
    else this.marked();
    this.reveal(id);
  }

  /** Give the keyboard to a card or a phrase; to the map as such without an id. */
  focusOn(id) {
    const part = this.boxes.get(id)?.element ?? this.lines.get(id)?.label ?? this.boxes.get(this.here)?.element;
    if (part && this.root.getRootNode().activeElement !== part) part.focus({ preventScroll: true });
  }

  key(event) {
    if (composingIn(event) || event.target.closest(".ck-map-form")) return;
    const id = event.target.dataset?.id;
    const { editor } = this;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key in arrows && !event.ctrlKey && !event.metaKey) {
      done();
      if (event.altKey) this.nudge(id, arrows[event.key], event.shiftKey);
      else if (this.lines.has(id)) this.focusOn(this.lines.get(id)[event.key === "ArrowLeft" || event.key === "ArrowUp" ? "start" : "end"]);
      else this.focusOn(this.boxes.has(id) ? neighbour(this.boxes, id, arrows[event.key]) || id : null);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      Enter: () => (this.linking && this.boxes.has(id) ? this.choose(id) : this.lines.has(id) ? editor.forms.relation({ id }) : editor.select(id, { open: true })),
      " ": () => keys.Enter(),
      F2: () => (this.lines.has(id) ? editor.forms.relation({ id }) : editor.forms.label(id)),
      l: () => this.startLink(this.boxes.has(id) ? id : null),
      n: () => editor.forms.concept({}),
      Insert: () => editor.forms.concept({ from: this.boxes.has(id) ? id : undefined }),
      r: () => this.walk(id),
      Delete: () => editor.remove(id),
      Backspace: () => editor.remove(id),
      "+": () => this.zoomBy(1.25),
      "=": () => this.zoomBy(1.25),
      "-": () => this.zoomBy(0.8),
      0: () => this.fitAgain(),
      "?": () => editor.showKeys(),
      Escape: () => this.escape(),
      Home: () => this.focusOn(editor.map.head.top || editor.map.tree?.top),
      End: () => this.focusOn([...editor.map.concepts.keys()].at(-1)),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    done();
    act();
  }

  escape() {
    if (this.linking) this.stopLink(true);
    else {
      this.editor.select(null);
      this.rest();
    }
  }

  /** Go to the next relation of the concept that the keyboard came from. */
  walk(id) {
    const ids = [...(this.touching.get(this.here) ?? [])];
    if (!ids.length) this.editor.say(this.editor.word("no_relation"));
    else this.focusOn(ids[(ids.indexOf(id) + 1) % ids.length]);
  }

  /** Move a card by key; what is moved within a second is one edit. */
  nudge(id, [dx, dy], far_) {
    const box = this.boxes.get(id);
    if (!box) return;
    const step = far_ ? 60 : 15;
    const at = [box.at[0] + dx * step, box.at[1] + dy * step].map((part) => between(Math.round(part), 0, SIDE));
    this.shifted.set(id, at);
    this.put(id, at);
    this.routes(this.touching.get(id) ?? [], true);
    this.hold(id);
    this.reveal(id);
    clearTimeout(this.nudging);
    this.nudging = setTimeout(() => this.flush(), NUDGED);
  }

  /** Tell the kernel what was moved by key. */
  flush() {
    clearTimeout(this.nudging);
    if (!this.shifted.size) return;
    const places = Object.fromEntries(this.shifted);
    this.shifted.clear();
    this.editor.edit([["move", places]]);
    this.routes();
  }

  /** A place where nothing lies: near the concept `id`, or in the middle of what is seen. */
  free(id) {
    const near = this.boxes.get(id);
    const [x, y] = near ? [near.x, near.y] : [(this.size[0] / 2 - this.view.x) / this.view.zoom, (this.size[1] / 2 - this.view.y) / this.view.zoom];
    const [w, h] = [this.font * 8, this.font * 3.6];
    const room = (px, py) => px > w / 2 && py > h / 2 && px < this.across - w / 2 && py < this.down_ - h / 2
      && [...this.boxes.values()].every((box) => !covered({ x: px, y: py, w, h }, box, 6));
    for (let ring = near ? 1 : 0; ring < 14; ring += 1) {
      for (let step = 0; step < (ring ? 12 : 1); step += 1) {
        const angle = (step * Math.PI) / 6;
        const [px, py] = [x + Math.cos(angle) * ring * w * 0.75, y + Math.sin(angle) * ring * h * 1.1];
        if (room(px, py)) return this.placeOf([px, py]);
      }
    }
    return this.placeOf([x + 40, y + 40]);
  }
}

/** A place on a ring, for the `at`th of `count` concepts that have none. */
function ringed(at, count) {
  const angle = (2 * Math.PI * at) / Math.max(1, count) - Math.PI / 2;
  const inner = count > 24 && at % 2 ? 0.62 : 1;
  return [Math.round(500 + 400 * inner * Math.cos(angle)), Math.round(500 + 400 * inner * Math.sin(angle))];
}

/** The head of a line, pointing along x to the origin. */
function headOf(head, size) {
  const half = (size * 0.5).toFixed(1);
  const long = size.toFixed(1);
  const chevron = (at) => `M${-at} 0L-${(size + at).toFixed(1)} -${half}V${half}Z`;
  return {
    arrow: `M0 0L-${long} -${half}L-${(size * 0.72).toFixed(1)} 0L-${long} ${half}Z`,
    open: `M-${long} -${half}L0 0L-${long} ${half}`,
    double: `${chevron(0)}${chevron(size * 0.8)}`,
    hollow: `M0 0L-${long} -${half}V${half}Z`,
    barred: `M0 0L-${long} -${half}V${half}ZM0 -${(size * 0.6).toFixed(1)}V${(size * 0.6).toFixed(1)}`,
  }[head];
}

function canvas(editor) {
  const drawing = new Drawing(editor);
  return {
    root: drawing.root, drawing,
    focus: (id) => {
      drawing.reveal(id);
      drawing.focusOn(id);
    },
    fit: () => drawing.fitAgain(),
    leave: () => drawing.leave(),
  };
}
