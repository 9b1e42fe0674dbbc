// The map as a drawing: cards on paper. Places of the map run from 0 to 1000 along each side of the paper.

class Drawing {
  constructor(editor) {
    this.editor = editor;
    this.boxes = new Map(); // by concept: its place, size and element
    this.lines = new Map(); // by relation
    this.touching = new Map(); // by concept: ids of its relations
    this.shifted = new Map(); // by concept: a place that the kernel does not know yet
    this.view = { x: 0, y: 0, zoom: 1 };
    this.fitted = true; // the view has not moved since it was fitted
    this.size = [0, 0]; // of the visible part
    this.room = 1; // width and height of the paper, in fields
    this.grown = 1; // the least room since things were put on it
    this.edge = [60, 30]; // of the paper: the middle of a card comes no nearer
    this.fingers = new Map();
    /** What a finger does, from where; two that pinch are `apart` around a `middle`.
     * @type {{ what: string, view: { x: number, y: number, zoom: number }, id?: string, from?: number[], moved?: boolean,
     *   pointer?: number, touch?: boolean, apart?: number, zoom?: number, middle?: number[], frame?: number, lifted?: boolean,
     *   grip?: number[], goal?: string, at?: number[] } | null} */
    this.pull = null;
    this.linking = null; // {from}: the next card chosen is the end of the line
    this.active = false;
    /** @type {Partial<CanvasRenderingContext2D>} */
    this.pen = null; // measures words; {} where there is no canvas
    this.here = ""; // the concept with the keyboard
    this.tapped = { time: 0 };
    this.frame = 0;
    this.uid = newId();
    this.memory = storage("sessionStorage", `coursekit/map/view/${editor.key}`);
    this.build();
    this.ends = [
      editor.on("map", (what) => this.sync(what)),
      editor.on("select", (id, more) => this.onSelect(id, more)),
      editor.on("refused", (answer) => this.onRefused(answer)),
    ];
    this.outside = (event) => !this.root.contains(event.target) && this.rest();
    document.addEventListener("pointerdown", this.outside, true);
    this.watch = new ResizeObserver(() => this.onResize());
    this.watch.observe(this.field);
  }

  build() {
    const { editor } = this;
    const layer = (name) => svg(`g.ck-map-${name}`);
    this.strokes = layer("strokes");
    this.phrases = layer("phrases");
    this.cards = layer("cards");
    this.over = layer("over");
    this.paper = svg("rect.ck-map-paper", { x: 0, y: 0, rx: 10 });
    this.world = svg("g", this.paper, this.strokes, this.cards, this.phrases, this.over);
    this.handle = svg(
      "g.ck-map-handle",
      { "data-handle": "" },
      svg("title", editor.word("pull")),
      svg("circle.ck-map-reach", { r: 23 }),
      svg("circle.ck-map-knob", { r: 12 }),
      svg("path", { d: "M-5 0H5M1-4 5 0 1 4" }),
    );
    this.thread = svg("path.ck-map-thread");
    this.picture = svg("svg.ck-map-picture", this.defs(), this.world);
    // What is dragged is drawn apart: no frame has to paint the rest again.
    this.aloft = ["strokes", "cards", "phrases"].map(layer);
    this.lift = svg("g", ...this.aloft);
    this.sky = svg("svg.ck-map-picture.ck-map-sky", this.lift);
    this.field = el(
      "div.ck-map-field",
      {
        tabindex: "-1",
        role: "application",
        "aria-label": editor.word("field"),
        "aria-describedby": `${this.uid}-keys`,
        onpointerdown: (event) => this.down(event),
        onpointermove: (event) => this.onMove(event),
        onpointerup: (event) => this.up(event),
        onpointercancel: (event) => this.cancel(event),
        onpointerover: (event) => this.hover(event),
        onpointerleave: () => this.pull || this.hold(this.editor.selected),
        onwheel: (event) => this.wheel(event),
        onkeydown: (event) => this.key(event),
        onfocusin: (event) => this.onFocus(event),
      },
      this.picture,
      this.sky,
    );
    this.glance = svg("svg.ck-map-glance", {
      "aria-hidden": "true",
      onpointerdown: (event) => this.jump(event),
    });
    this.hint = el("p.ck-map-hint", { hidden: true });
    this.bar = el("div.ck-map-linkbar", { role: "group", hidden: true });
    this.floor = el("div.ck-map-floor");
    this.whole = press("fit", editor.word("fit"), {
      class: "ck-map-whole",
      title: editor.word("fit_title"),
      onclick: () => this.fitAgain(),
    });
    this.root = el(
      "div.ck-map-canvas",
      this.field,
      this.glance,
      this.whole,
      this.floor,
      this.bar,
      this.hint,
      el("p.ck-map-unseen", { id: `${this.uid}-keys` }, editor.word("keys_short")),
    );
  }

  /** The game's drawings, under names that are unique on the page. */
  defs() {
    const art = this.editor.model.get("art");
    const found = art
      ? new DOMParser().parseFromString(art, "image/svg+xml").querySelectorAll("symbol")
      : [];
    this.symbols = new Map(
      [...found].map((symbol) => [symbol.getAttribute("id"), symbol.getAttribute("viewBox")]),
    );
    const wanted = new Set(this.editor.cards.map((card) => card.symbol).filter(Boolean));
    return svg(
      "defs",
      ...[...found]
        .filter((symbol) => wanted.has(symbol.getAttribute("id")))
        .map((symbol) => {
          const own = svg("symbol", {
            id: `${this.uid}-${symbol.getAttribute("id")}`,
            viewBox: symbol.getAttribute("viewBox"),
          });
          own.append(...[...symbol.childNodes].map((node) => document.importNode(node, true)));
          return own;
        }),
    );
  }

  art(card, high, x = 0, y = 0) {
    const seen = card?.symbol && this.symbols.get(card.symbol)?.split(" ").map(Number);
    if (!seen) return null;
    const wide = (high * seen[2]) / seen[3];
    const more = { x, y, width: wide, height: high };
    return {
      wide,
      element: svg(
        `g.ck-map-art ck-map-tone-${card.tone ?? 0}`,
        svg("rect", { class: "ck-map-ground", ...more, rx: 4 }),
        svg("use", { href: `#${this.uid}-${card.symbol}`, ...more }),
      ),
    };
  }

  leave() {
    this.flush();
    this.ends.forEach((end) => end());
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    document.removeEventListener("pointerdown", this.outside, true);
  }

  get font() {
    const wide = this.editor.width ?? 0;
    if (wide < PHONE) return 14;
    return wide < WIDE ? 16 : Math.min(24, Math.max(17, wide / 88));
  }

  get phone() {
    return this.font < 16;
  }

  get small() {
    return this.phone ? 14 : Math.max(16, this.font * 0.88);
  }

  get across() {
    return this.size[0] * this.room;
  }

  get down_() {
    return this.size[1] * this.room;
  }

  /** The point of the paper for a place of the map; `placeAt` is the inverse.
   * @param {number[]} at @param {number[]} [paper] */
  pointAt([x, y], [across, down] = [this.across, this.down_]) {
    const [left, top] = this.edge;
    return [left + (x / SIDE) * (across - 2 * left), top + (y / SIDE) * (down - 2 * top)];
  }

  /** @param {number[]} at @param {number[]} [paper] */
  placeAt([x, y], [across, down] = [this.across, this.down_]) {
    const [left, top] = this.edge;
    return [((x - left) / (across - 2 * left)) * SIDE, ((y - top) / (down - 2 * top)) * SIDE].map(
      (part) => between(part, 0, SIDE),
    );
  }

  measure(words, size, weight) {
    this.pen ??= attempt(() => document.createElement("canvas").getContext("2d")) ?? {};
    if (!this.pen.measureText)
      return [...words].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1 : 0.56), 0) * size;
    const font = `${weight} ${size}px ${(this.family ??= getComputedStyle(this.root).fontFamily)}`;
    if (this.pen.font !== font) this.pen.font = font;
    return this.pen.measureText(words).width;
  }

  redraw() {
    const focused = this.focusedId();
    this.drawnIn = this.font;
    this.family = undefined;
    this.root.style.setProperty("--letters", `${this.font}px`);
    this.root.style.setProperty("--small", `${this.small}px`);
    for (const things of [this.boxes, this.lines]) {
      things.forEach((thing) => [thing.element, thing.label].forEach((part) => part?.remove()));
      things.clear();
    }
    this.sync({ renamed: new Map(), whole: true });
    if (focused !== null) this.focusOn(focused);
  }

  sync({ renamed, whole: all }) {
    const { map } = this.editor;
    if (!this.size[0]) {
      this.size = [this.field.clientWidth, this.field.clientHeight];
      this.drawnIn = this.font;
      this.root.style.setProperty("--letters", `${this.font}px`);
      this.root.style.setProperty("--small", `${this.small}px`);
    }
    for (const [old, id] of renamed) {
      for (const things of [this.boxes, this.lines, this.shifted]) {
        if (!things.has(old)) continue;
        const thing = things.get(old);
        things.set(id, thing);
        things.delete(old);
        for (const part of [thing.element, thing.label]) if (part) part.dataset.id = id;
      }
      /** @type {[object, string][]} */
      const hands = [
        [this, "here"],
        [this, "held"],
        [this, "wasAt"],
        [this.linking, "from"],
        [this.tapped, "id"],
        [this.pull, "id"],
        [this.pull, "goal"],
      ];
      for (const [hand, holds] of hands) if (hand?.[holds] === old) hand[holds] = id;
    }
    if (this.linking && !map.concepts.has(this.linking.from)) this.stopLink();
    if (["card", "link"].includes(this.pull?.what) && !map.concepts.has(this.pull.id))
      this.unpull();
    const focused = this.focusedId();
    const fresh = new Set();
    for (const id of [...this.boxes.keys()]) if (!map.concepts.has(id)) this.drop(this.boxes, id);
    for (const id of [...this.lines.keys()]) if (!map.relations.has(id)) this.drop(this.lines, id);
    const added = [...map.concepts.keys()].filter((id) => !this.boxes.has(id));
    const missing = [...map.concepts].filter(([, concept]) => !concept.at).length;
    let place = 0;
    for (const [id, concept] of map.concepts) {
      const box = this.boxes.get(id);
      const dragged = this.pull?.lifted && this.pull.id === id ? box?.at : undefined;
      const at =
        dragged ?? this.shifted.get(id) ?? concept.at ?? box?.at ?? ringPlace(place++, missing);
      const top = id === (map.head.top || map.tree?.top);
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
    for (const [id, relation] of map.relations) {
      for (const end of [relation.start, relation.end]) {
        if (!this.touching.has(end)) this.touching.set(end, new Set());
        this.touching.get(end).add(id);
      }
      const pair =
        relation.start < relation.end
          ? `${relation.start} ${relation.end}`
          : `${relation.end} ${relation.start}`;
      if (!this.pairs.has(pair)) this.pairs.set(pair, []);
      this.pairs.get(pair).push(id);
    }
    const stale = new Set();
    for (const [id, relation] of map.relations) {
      const line = this.lines.get(id);
      const pair =
        relation.start < relation.end
          ? `${relation.start} ${relation.end}`
          : `${relation.end} ${relation.start}`;
      const look = JSON.stringify([
        relation.start,
        relation.phrase,
        relation.end,
        relation.kind,
        cross.has(id),
        this.pairs.get(pair),
      ]);
      if (line?.look === look) {
        if (fresh.has(relation.start) || fresh.has(relation.end)) stale.add(id);
        continue;
      }
      this.drawLine(id, relation, cross.has(id), pair, look);
      stale.add(id);
    }
    this.name();
    if (all && this.size[0]) this.spread();
    else if (!this.widen(added)) this.routes(stale);
    this.mark();
    if (focused !== null) this.focusOn(focused);
    this.hold(this.boxes.has(this.held) ? this.held : this.editor.selected);
    this.root.classList.toggle("ck-map-empty", map.concepts.size === 0);
    if (all && this.size[0] && this.fitted && !this.pull) this.recall() || this.fit(false);
    this.drawGlance();
  }

  drop(things, id) {
    const part = things.get(id);
    part.element.remove();
    part.label?.remove();
    things.delete(id);
  }

  focusedId() {
    const active = this.root.getRootNode().activeElement;
    return active && this.field.contains(active) ? (active.dataset.id ?? null) : null;
  }

  drawCard(id, concept, top, at, look) {
    const [letters, pad, high] = [this.font, this.font * 0.62, this.font * (this.phone ? 2.7 : 3)];
    const card = this.editor.cardOf(concept.card);
    const picture = this.art(card, high, pad * 0.7, 0);
    const lines = breakLines(concept.label, letters * (picture ? 6.2 : 8.4), (words) =>
      this.measure(words, letters, 650),
    );
    const wide = Math.max(letters * 1.5, ...lines.map((line) => this.measure(line, letters, 650)));
    const left = picture ? pad * 0.7 + picture.wide : 0;
    const w = Math.ceil(left + wide + 2 * pad);
    const h = Math.ceil(
      Math.max(
        lines.length * letters * 1.28 + pad * 1.3,
        picture ? high + pad * 0.9 : 0,
        44 * 0.95,
      ),
    );
    const own = concept.kind === "example" ? "example" : "own";
    const kind = concept.card ? "card" : own;
    const round = { card: 7, example: h / 2, own: 4 }[kind];
    const rect = (name, more = {}) =>
      svg("rect", { class: name, x: 0, y: 0, width: w, height: h, rx: round, ...more });
    const toned = card ? ` ck-map-tone-${card.tone ?? 0}` : "";
    const element = svg(
      `g.ck-map-card ck-map-${kind}${top ? " ck-map-top" : ""}${toned}`,
      { "data-id": id, role: "button", tabindex: "-1" },
      rect("ck-map-shade", { x: 1.5, y: 3 }),
      rect("ck-map-paper"),
      !picture && card && rect("ck-map-band", { width: 7, height: h - 2, x: 1, y: 1, rx: 3 }),
      top &&
        rect("ck-map-inner", {
          x: 3.5,
          y: 3.5,
          width: w - 7,
          height: h - 7,
          rx: Math.max(2, round - 3),
        }),
    );
    if (picture) {
      picture.element.setAttribute("transform", `translate(0 ${((h - high) / 2).toFixed(1)})`);
      element.append(picture.element);
    }
    const first = h / 2 - ((lines.length - 1) * letters * 1.28) / 2;
    element.append(
      svg(
        "text.ck-map-label",
        { "text-anchor": "middle" },
        ...lines.map((line, row) =>
          svg(
            "tspan",
            { x: ((left + w) / 2).toFixed(1), y: (first + row * letters * 1.28).toFixed(1) },
            line,
          ),
        ),
      ),
    );
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
    box.element.setAttribute(
      "transform",
      `translate(${(box.x - box.w / 2).toFixed(1)} ${(box.y - box.h / 2).toFixed(1)})`,
    );
  }
}

function canvas(editor) {
  const drawing = new Drawing(editor);
  return {
    root: drawing.root,
    drawing,
    focus: (id) => {
      drawing.reveal(id);
      drawing.focusOn(id);
    },
    leave: () => drawing.leave(),
  };
}
