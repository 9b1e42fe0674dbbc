// A map drawn by cytoscape.js, which is loaded only where a map is shown. A phrase is a node of its own between two
// cards, as in CmapTools: so nothing runs over it, and a layout makes room for it.

const ACROSS = 1.2; // pixels for one step of a place; layout.py has the same
const DOWN = 0.75;
const STRETCHES = [1, 1.25, 1.6, 2, 2.5, 3.2]; // of places, until cards stand apart
const LETTERS = 16; // pixels
const WIDEST = 9.5; // letters of a line in a card
const WIDEST_PHRASE = 8;
const ART = 54; // height of a card's picture
const LINE = 1.3; // of letters
const FARTHEST_ZOOM = 0.25;
const CLOSEST_ZOOM = 2.2;
const READABLE = 0.72; // the least zoom at which words are read on a phone
const BESIDE = [0, 34, -34, 68, -68, 110, -110, 160, -160]; // pixels that a phrase may stand beside the straight line
const ALONG = [0.5, 0.4, 0.6, 0.3, 0.7]; // and where along it
const SHARP = 1.5; // pixels of a phone for one of the page, at most: more make it slow
const TRIES = 8; // layouts by chance, the clearest of which is taken
const SMALL = 420; // cost of a layout that can only be shown at half its size
const FAN = 58; // pixels between relations of the same two concepts
const HEADS = ["triangle", "vee", "triangle-tee", "chevron", "diamond"]; // of kinds of relations

const WIDE_ONE = "[\\u2e80-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef\\u{20000}-\\u{323af}]";
const PIECES = new RegExp(`${WIDE_ONE}|(?:(?!${WIDE_ONE})\\S)+\\s*|\\s+`, "gu");
const NEVER_FIRST = /^[，。、；：！？」』）》…·]/u;

/** `words` in lines not wider than `most` letters and about equally long: cut between Chinese characters, after spaces, and
 *  in a word only if it is too long. */
function breakLines(words, most, width) {
  const whole = words.match(PIECES) ?? [];
  const pieces = whole.flatMap((piece) => (width(piece.trimEnd()) > most ? [...piece] : [piece]));
  let lines = fillLines(pieces, most, width);
  for (let narrow = most * 0.94; lines.length > 1 && narrow > most * 0.4; narrow *= 0.94) {
    const next = fillLines(pieces, narrow, width);
    if (next.length > lines.length || next.some((line) => width(line) > narrow)) break;
    lines = next;
  }
  return lines;
}

function fillLines(pieces, most, width) {
  const lines = [];
  let line = "";
  for (const piece of pieces) {
    if (line && width(line + piece.trimEnd()) > most && !NEVER_FIRST.test(piece)) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return line.trim() ? [...lines, line.trimEnd()] : lines;
}

/** cytoscape.js with its layout: from the address that the page gives, or as the other half sends it. */
function loadLibrary(model, ask) {
  globalThis.coursekit_map_library ??= (async () => {
    const address = model.get("library") || URL.createObjectURL(await libraryFrom(ask));
    await new Promise((done, failed) => {
      const script = el("script", { src: address });
      script.onload = done;
      script.onerror = failed;
      document.head.append(script);
    });
    return globalThis.coursekit_cytoscape;
  })().catch((error) => {
    globalThis.coursekit_map_library = undefined; // asked for again by the next map
    throw error;
  });
  return globalThis.coursekit_map_library;
}

/** The library as the other half sends it, compressed; a server drops large messages if there are many, so it is asked again. */
async function libraryFrom(ask) {
  for (;;) {
    const later = new Promise((done) => setTimeout(done, PATIENCE, {}));
    const { code, text } = await Promise.race([ask(), later]);
    if (text) throw new Error(text);
    if (!code) continue;
    const packed = new Blob([Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0))]);
    const script = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    return new Blob([await new Response(script).text()], { type: "text/javascript" });
  }
}

const isFinger = () => matchMedia("(pointer: coarse)").matches;

class MapDrawing {
  /** @param {HTMLElement} place @param {any} setting */
  constructor(place, setting, cytoscape) {
    this.place = place;
    this.setting = setting;
    this.probe = place.appendChild(el("span.ck-map-probe", { "aria-hidden": "true" }));
    this.pen = document.createElement("canvas").getContext("2d");
    this.stretch = 1;
    this.closest = 1.25; // how close a small map is shown
    this.claimed = []; // boxes of cards that get a place in this drawing
    this.cy = cytoscape({
      container: place.appendChild(el("div.ck-map-cy")),
      minZoom: FARTHEST_ZOOM,
      maxZoom: CLOSEST_ZOOM,
      boxSelectionEnabled: false,
      autounselectify: true,
      pixelRatio: isFinger() ? Math.min(devicePixelRatio, SHARP) : devicePixelRatio,
      layout: { name: "preset" },
    });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const restyle = () => this.restyle();
    dark.addEventListener("change", restyle);
    this.watch = new ResizeObserver(() => this.cy.resize());
    this.watch.observe(place);
    this.end = () => dark.removeEventListener("change", restyle);
    this.readSymbols();
    this.restyle();
  }

  close() {
    this.end();
    this.watch.disconnect();
    this.cy.destroy();
    this.probe.remove();
  }

  // Looks

  /** The value of a colour of the style sheet, as the page shows it now. */
  colour(name, kind = "") {
    this.probe.className = `ck-map-probe ${kind}`;
    this.probe.style.color = `var(${name})`;
    return getComputedStyle(this.probe).color;
  }

  restyle() {
    const style = getComputedStyle(this.place);
    this.family = style.fontFamily;
    const [ink, seal, focus, paper] = ["--ck-ink", "--ck-seal", "--ck-focus", "--map-paper"].map(
      (name) => this.colour(name),
    );
    const text = {
      "font-family": this.family,
      "line-height": LINE,
      "text-wrap": "wrap",
      "text-max-width": 10000,
      label: "data(label)",
      color: ink,
    };
    this.paper = paper;
    const border = (colour, width, style = "solid") => ({
      "border-color": colour,
      "border-width": width,
      "border-style": style,
      "border-opacity": 1,
    });
    const rules = {
      node: {
        ...text,
        "font-size": LETTERS,
        "font-weight": 600,
        shape: "round-rectangle",
        "corner-radius": 8,
        width: "data(w)",
        height: "data(h)",
        "text-valign": "center",
        "text-margin-x": "data(aside)",
        "background-color": this.colour("--map-card"),
        ...border(this.colour("--ck-edge"), 1.25),
        "z-index": 2,
      },
      ".example": { "background-color": this.colour("--ck-sunken") },
      "node[art]": {
        "background-image": "data(art)",
        "background-width": "data(artWide)",
        "background-height": ART,
        "background-position-x": 6,
      },
      ".top": border(seal, 4, "double"),
      ".phrase": {
        "font-size": LETTERS - 1,
        "font-weight": 500,
        "background-color": paper,
        ...border("data(colour)", 1),
        "border-opacity": 0.35,
        "corner-radius": 5,
        "z-index": 3,
      },
      ".wordless": { color: seal, ...border(seal, 1, "dashed") },
      edge: {
        "curve-style": "straight",
        "line-color": "data(colour)",
        "target-arrow-color": "data(colour)",
        "target-arrow-shape": "data(head)",
        "arrow-scale": 1.2,
        width: "data(wide)",
      },
      "edge.cross": { "line-style": "dashed", "line-dash-pattern": [9, 6] },
      "node.near": border(focus, 2),
      "node.on": border(focus, 4),
      "edge.on": { "line-color": focus, "target-arrow-color": focus },
    };
    this.cy.style(Object.entries(rules).map(([selector, style]) => ({ selector, style })));
    if (this.map) this.draw(this.map, this.weights); // colours of kinds are in the data
  }

  readSymbols() {
    const { art } = this.setting;
    const page = art ? new DOMParser().parseFromString(art, "image/svg+xml") : null;
    this.symbols = new Map(
      [...(page?.querySelectorAll("symbol") ?? [])].map((symbol) => [symbol.id, symbol]),
    );
    this.pictures = new Map();
  }

  /** The picture of a card as an address and its width at a height of `high`, null if it has none. */
  art(card, high = ART) {
    const symbol = card?.symbol && this.symbols.get(card.symbol);
    if (!symbol) return null;
    const [, , wide, tall] = symbol.getAttribute("viewBox").split(" ").map(Number);
    const key = `${card.symbol} ${card.tone}`;
    if (!this.pictures.has(key)) {
      this.probe.className = `ck-map-probe ck-map-art ck-map-tone-${card.tone ?? 0}`;
      const style = getComputedStyle(this.probe);
      const colours = ["ink", "mid", "soft", "paper", "gold", "night", "back"].map(
        (name) => `--${name}:${style.getPropertyValue(`--${name}`)}`,
      );
      const markup = `<svg xmlns="${SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="${symbol.getAttribute("viewBox")}" width="${2 * wide}" height="${2 * tall}" style="${colours.join(";")}"><rect width="100%" height="100%" rx="4" style="fill:var(--soft)"/>${symbol.innerHTML}</svg>`;
      this.pictures.set(key, `data:image/svg+xml;utf8,${encodeURIComponent(markup)}`);
    }
    return { address: this.pictures.get(key), wide: (high * wide) / tall };
  }

  measure(words, size, weight) {
    const font = `${weight} ${size}px ${this.family}`;
    if (this.pen.font !== font) this.pen.font = font;
    return this.pen.measureText(words).width;
  }

  /** `words` in lines, with their size in pixels. */
  block(words, size, weight, most) {
    const width = (line) => this.measure(line, size, weight);
    const lines = breakLines(words, most * size, width);
    return {
      label: lines.join("\n"),
      w: Math.max(0, ...lines.map(width)),
      h: lines.length * size * LINE,
    };
  }

  // What is drawn

  /** Draw `map`; `weights` are by relation, from 0 to 1. */
  draw(map, weights = null) {
    this.map = map;
    this.weights = weights;
    this.order = hierarchyOf(map);
    this.claimed = [];
    /** @type {any[]} */
    const elements = [...map.concepts].map(([id, concept]) => this.card(id, concept));
    for (const [id, relation] of map.relations) elements.push(...this.arrow(id, relation));
    this.cy.json({ elements });
    this.placePhrases();
  }

  get cards() {
    return this.cy.nodes(".card");
  }

  card(id, concept) {
    const art = this.art(this.setting.cards.find(({ card }) => card === concept.card));
    const { label, w, h } = this.block(concept.label, LETTERS, 600, WIDEST);
    const beside = art ? art.wide + 12 : 0;
    const classes = ["card"];
    if (id === this.order.top && !this.weights) classes.push("top");
    if (concept.kind === "example") classes.push("example");
    const picture = art ? { art: art.address, artWide: art.wide } : {};
    return {
      group: "nodes",
      data: {
        id,
        label,
        aside: beside / 2,
        w: Math.max(44, w + beside + 22),
        h: Math.max(art ? ART + 10 : 40, h + 14),
        ...picture,
      },
      classes,
      position: this.pointAt(concept.at ?? this.placeFor(id)),
    };
  }

  /** The phrase of a relation, and the line through it. */
  arrow(id, { start, phrase, end, kind }) {
    const number = this.setting.kinds.findIndex(({ name }) => name === kind);
    const look = number < 0 ? "" : `ck-map-line ck-map-kind-${number % 8}`;
    const colour = this.colour(look ? "--line" : "--map-plain", look);
    const head = HEADS[number < 0 ? 0 : Math.floor(number / 8) % HEADS.length];
    const wide = this.weights ? 1.5 + 7 * (this.weights[id] ?? 0) : 2;
    const isWordless = !phrase && !this.weights;
    const words = phrase || (this.weights ? "" : "?");
    const { label, w, h } = this.block(words, LETTERS - 1, 500, WIDEST_PHRASE);
    const cross = this.order.cross.has(id) ? ["cross"] : [];
    const line = (side, source, target, more) => ({
      group: "edges",
      data: { id: `${id}  ${side}`, of: id, source, target, colour, wide, head: "none", ...more },
      classes: cross,
    });
    return [
      {
        group: "nodes",
        data: { id, label, colour, aside: 0, w: words ? w + 12 : 4, h: words ? h + 6 : 4 },
        classes: ["phrase", ...cross, ...(isWordless ? ["wordless"] : [])],
      },
      line("from", start, id),
      line("to", id, end, { head }),
    ];
  }

  // Places

  /** The point of the drawing for a place of the map; `placeAt` is the inverse.
   * @param {number[]} at */
  pointAt([x, y]) {
    return { x: x * ACROSS * this.stretch, y: y * DOWN * this.stretch };
  }

  placeAt({ x, y }) {
    const far = this.setting.limits.farthest;
    return [x / ACROSS / this.stretch, y / DOWN / this.stretch].map((part) =>
      Math.round(Math.min(far, Math.max(-far, part))),
    );
  }

  /** Put the phrases where they lie on no card and no other phrase, and their lines run through no card; -> how much of
   *  that is not so.
   * @param {Iterable<string>} [ids] */
  placePhrases(ids = this.map.relations.keys(), isQuick = false) {
    const boxes = new Map();
    for (const node of this.cy.nodes()) boxes.set(node.id(), boxOf(node));
    const { relations } = this.map;
    const some = [...ids].filter((id) => relations.has(id));
    for (const id of some) boxes.get(id).isOpen = true;
    let total = 0;
    for (let pass = 0; pass < (isQuick || some.length > 80 ? 1 : 2); pass += 1) {
      total = 0;
      for (const id of some) {
        const { x, y, cost } = this.bestSpot(id, boxes, isQuick);
        Object.assign(boxes.get(id), { x, y, isOpen: false });
        total += cost;
      }
    }
    this.cy.batch(() => {
      for (const id of some) {
        const { x, y } = boxes.get(id);
        this.cy.getElementById(id).position({ x, y });
      }
    });
    return total;
  }

  bestSpot(id, boxes, isQuick) {
    const { start, end } = this.map.relations.get(id);
    const [from, to, own] = [start, end, id].map((key) => boxes.get(key));
    const between = [...this.map.relations].filter(
      ([, other]) => [start, end].includes(other.start) && [start, end].includes(other.end),
    );
    const nth = between.findIndex(([other]) => other === id) - (between.length - 1) / 2;
    const fan = nth * FAN * (start < end ? 1 : -1);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const long = Math.hypot(dx, dy) || 1;
    const others = [...boxes].filter(
      ([key, box]) => ![id, start, end].includes(key) && !box.isOpen,
    );
    let best = null;
    let least = Infinity;
    for (const beside of isQuick ? [0] : BESIDE)
      for (const along of isQuick ? [0.5] : ALONG) {
        const off = (fan + beside) / long;
        const spot = {
          ...own,
          x: from.x + dx * along + dy * off,
          y: from.y + dy * along - dx * off,
        };
        let cost = Math.abs(beside) * 0.4 + Math.abs(along - 0.5) * 60;
        cost += 12 * (overlapOf(spot, from) + overlapOf(spot, to));
        for (const [, box] of isQuick ? [] : others) {
          cost += 12 * overlapOf(spot, box);
          const isCrossed = runsThrough(from, spot, box) || runsThrough(spot, to, box);
          if (isCrossed) cost += box.isCard ? 240 : 60;
        }
        if (cost < least) [best, least] = [{ x: spot.x, y: spot.y, cost }, cost];
      }
    return best;
  }

  /** Where a concept without a place stands at first: beside one that it is linked with, or in free space. */
  placeFor(id) {
    const placed = this.cy.getElementById(id);
    if (placed.length) return this.placeAt(placed.position());
    const { concepts, relations } = this.map;
    const linked = [...relations.values()]
      .filter(({ start, end }) => start === id || end === id)
      .map(({ start, end }) => concepts.get(start === id ? end : start)?.at)
      .find(Boolean);
    return this.freePlace(linked ?? this.placeAt(this.middle), Boolean(linked));
  }

  /** The place nearest to `from` where a card of usual size lies on nothing. */
  freePlace(from, isBeside = false) {
    const boxes = [
      ...this.claimed,
      ...this.cards.map((node) => node.boundingBox({ includeLabels: false })),
    ];
    const isFree = ({ x, y }) =>
      boxes.every(({ x1, x2, y1, y2 }) => x < x1 - 90 || x > x2 + 90 || y < y1 - 42 || y > y2 + 42);
    const middle = this.pointAt(from);
    for (let ring = isBeside ? 1 : 0; ring < 30; ring += 1) {
      for (let step = 0; step < 8 * Math.max(1, ring); step += 1) {
        const turn = (2 * Math.PI * step) / (8 * Math.max(1, ring));
        const point = {
          x: middle.x + 210 * ring * Math.cos(turn),
          y: middle.y + 132 * ring * Math.sin(turn),
        };
        if (!isFree(point)) continue;
        const { x, y } = point;
        this.claimed.push({ x1: x - 90, x2: x + 90, y1: y - 30, y2: y + 30 });
        return this.placeAt(point);
      }
    }
    return from;
  }

  /** Stretch the places of a map that was drawn on larger paper, until hardly any cards overlap. */
  fitPlaces(map) {
    this.stretch = 1;
    this.draw(map);
    const isFree = (stretch) => this.overlaps(stretch).length <= map.concepts.size / 10;
    this.stretch = STRETCHES.find(isFree) ?? STRETCHES.at(-1);
    if (this.stretch !== 1) this.draw(map);
  }

  /** New places for all concepts: related ones close together, whatever room their phrases need. */
  layOut() {
    const forces = {
      name: "fcose",
      quality: "proof",
      idealEdgeLength: 40,
      nodeRepulsion: 12000,
      nodeSeparation: 110,
      gravity: 0.7,
      packComponents: true,
      tile: true,
    };
    const most = isFinger() ? 2 : TRIES;
    const tries = Math.max(1, Math.min(most, Math.floor(240 / this.cards.length)));
    let best = new Map();
    let least = Infinity;
    for (let turn = 0; turn < tries; turn += 1) {
      this.cy.layout({ ...forces, animate: false, fit: false }).run();
      this.spread();
      const cost = this.placePhrases() + SMALL * (1 / this.fittingZoom() - 1);
      if (cost >= least) continue;
      least = cost;
      best = new Map(this.cy.nodes().map((node) => [node.id(), { ...node.position() }]));
    }
    this.cy.nodes().positions((node) => best.get(node.id()));
    const { x1, y1 } = this.cards.boundingBox();
    return Object.fromEntries(
      this.cards.map((node) => {
        const { x, y } = node.position();
        return [node.id(), this.placeAt({ x: x - x1 + 80, y: y - y1 + 60 })];
      }),
    );
  }

  /** The cards that lie upon each other, by pairs, if their places are stretched: how far, across and down. */
  overlaps(stretch = 1, gap = 8) {
    const cards = this.cards.toArray(); // eslint-disable-line kit/script -- of the library, not an iterator's
    const pairs = [];
    cards.forEach((one, at) => {
      for (const other of cards.slice(0, at)) {
        const [a, b] = [one.position(), other.position()];
        const across = (one.width() + other.width()) / 2 + gap - Math.abs(a.x - b.x) * stretch;
        const down = (one.height() + other.height()) / 2 + gap - Math.abs(a.y - b.y) * stretch;
        if (across > 0 && down > 0) pairs.push({ one, other, across, down });
      }
    });
    return pairs;
  }

  /** Push cards apart that a layout has left upon each other. */
  spread() {
    for (let pass = 0; pass < 40; pass += 1) {
      const pairs = this.overlaps(1, 22);
      if (!pairs.length) return;
      for (const { one, other, across, down } of pairs) {
        const way = across < down ? "x" : "y";
        const by = Math.min(across, down) / 2;
        const turn = one.position(way) < other.position(way) ? -by : by;
        one.position(way, one.position(way) + turn);
        other.position(way, other.position(way) - turn);
      }
    }
  }

  /** The middle of what is seen. */
  get middle() {
    const { x1, x2, y1, y2 } = this.cy.extent();
    return { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
  }

  /** The zoom at which all is seen, 1 at most; so many pixels at the bottom are covered. */
  fittingZoom(covered = 0) {
    const { w, h } = this.cy.nodes().boundingBox();
    return Math.min(1, this.cy.width() / (w + 56), (this.cy.height() - covered) / (h + 56)) || 1;
  }

  get isAllSeen() {
    const [seen, all] = [this.cy.extent(), this.cy.nodes().boundingBox()];
    return all.x1 >= seen.x1 && all.x2 <= seen.x2 && all.y1 >= seen.y1 && all.y2 <= seen.y2;
  }

  /** Show all, above the pixels that are covered at the bottom. */
  fit(covered = 0) {
    const { cy } = this;
    cy.resize();
    const { x1, y1, w, h } = cy.nodes().boundingBox();
    const zoom = this.cards.length
      ? Math.min(this.closest, cy.width() / (w + 56), (cy.height() - covered) / (h + 56))
      : this.closest;
    const middle = this.cards.length ? { x: x1 + w / 2, y: y1 + h / 2 } : { x: 500, y: 320 };
    cy.zoom(zoom); // kept within its limits
    const pan = (at, size) => size / 2 - at * cy.zoom();
    cy.pan({ x: pan(middle.x, cy.width()), y: pan(middle.y, cy.height() - covered) });
  }

  png() {
    return this.cy.png({ full: true, scale: 2, bg: this.paper, maxWidth: 8000, maxHeight: 8000 });
  }
}

const boxOf = (node) => ({
  ...node.position(),
  w: node.width() + 6,
  h: node.height() + 6,
  isCard: node.hasClass("card"),
  isOpen: false,
});

/** How many hundred square pixels two boxes share. */
function overlapOf(one, other) {
  const across = (one.w + other.w) / 2 - Math.abs(one.x - other.x);
  const down = (one.h + other.h) / 2 - Math.abs(one.y - other.y);
  return across > 0 && down > 0 ? (across * down) / 100 + 8 : 0;
}

/** Whether the straight line from `one` to `other` runs through `box`. */
function runsThrough(one, other, box) {
  let [first, last] = [0, 1];
  for (const [from, to, middle, size] of [
    [one.x, other.x, box.x, box.w],
    [one.y, other.y, box.y, box.h],
  ]) {
    const way = to - from || 1e-9;
    const ends = [(middle - size / 2 - from) / way, (middle + size / 2 - from) / way];
    first = Math.max(first, Math.min(...ends));
    last = Math.min(last, Math.max(...ends));
  }
  return first < last;
}

/** A map that is only looked at, such as that of a class: -> {show(things, weights), close()}. New concepts find places
 *  beside what they are linked with, and the others stay.
 *  @param {HTMLElement} place @param {{ setting: any, model: any, ask?: () => Promise<any> }} given */
function showMap(place, { setting, model, ask }) {
  let drawing = null;
  let isClosed = false;
  let late = null;
  const places = {};
  const board = el("div.ck-map-canvas ck-map-still");
  place.replaceChildren(el("div.ck-cell.ck-map", { lang: setting.language }, board));
  const loaded = loadLibrary(model, ask).then((cytoscape) => {
    if (isClosed) return;
    drawing = new MapDrawing(board, setting, cytoscape);
    drawing.cy.autoungrabify(true);
    drawing.cy.userZoomingEnabled(false);
    drawing.closest = CLOSEST_ZOOM;
    if (late) show(...late);
  });
  function show(things, weights) {
    late = [things, weights];
    if (!drawing) return;
    const map = mapOf(things);
    for (const [id, concept] of map.concepts)
      map.concepts.set(id, { ...concept, at: places[id] ?? null });
    const old = Object.keys(places).filter((id) => map.concepts.has(id));
    drawing.draw(map, weights);
    if (map.concepts.size > 2 * old.length) Object.assign(places, drawing.layOut());
    else for (const card of drawing.cards) places[card.id()] ??= drawing.placeAt(card.position());
    for (const [id, concept] of map.concepts) map.concepts.set(id, { ...concept, at: places[id] });
    drawing.draw(map, weights);
    drawing.fit();
  }
  const watch = new ResizeObserver(() => drawing?.fit());
  watch.observe(board);
  return {
    show,
    loaded,
    close() {
      isClosed = true;
      watch.disconnect();
      drawing?.close();
      place.replaceChildren();
    },
  };
}
