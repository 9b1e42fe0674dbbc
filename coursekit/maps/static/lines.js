// Lines from card to card and the phrases on them: their looks, their ways past other cards, and the places where
// phrases cover least.

const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8]; // places of a phrase on its line, best first
const BESIDE = [0, 0.5, -0.5]; // how far beside it, in its own size
const ASIDE = 600; // square pixels that it may cover before it moves beside its line
const BENDS = [0.05, -0.05, 0.16, -0.16, 0.3, -0.3, 0.44, -0.44]; // of the length of a line, best first
const HEADS = ["arrow", "open", "double", "hollow", "barred"]; // of kinds of relations, with the widths of their lines
const WIDTHS = [2, 2, 3, 1.6, 3];

Object.assign(Drawing.prototype, {
  drawLine(id, relation, cross, pair, look) {
    const kind = this.editor.kindOf(relation.kind);
    const style = kind < 0 ? "" : ` ck-map-kind-${kind % 8}`;
    const head = kind < 0 ? HEADS[0] : HEADS[Math.floor(kind / 8 + kind) % HEADS.length];
    const width = kind < 0 ? 2 : WIDTHS[Math.floor(kind / 8 + kind) % HEADS.length];
    const name = `${style}${cross ? " ck-map-cross" : ""}`;
    const path = (part, more) => svg("path", { class: `ck-map-${part}`, ...more });
    const parts = [
      path("hit"),
      path("casing", { "stroke-width": width + 5 }),
      path("stroke", { "stroke-width": width }),
      path(`head ck-map-head-${head}`),
    ];
    const element = svg(`g.ck-map-line${name}`, { "data-id": id }, ...parts);
    const letters = this.small;
    const words = relation.phrase || "?";
    const lines = breakLines(words, letters * 8, (word) => this.measure(word, letters, 500), 3);
    const w = Math.ceil(
      Math.max(letters, ...lines.map((line) => this.measure(line, letters, 500))) + letters * 0.8,
    );
    const h = Math.ceil(lines.length * letters * 1.22 + letters * 0.36);
    const label = svg(
      `g.ck-map-phrase${name}${relation.phrase ? "" : " ck-map-wordless"}`,
      { "data-id": id, role: "button", tabindex: "-1" },
      svg("rect.ck-map-reach", {
        x: -Math.max(w, 44) / 2,
        y: -Math.max(h, 36) / 2,
        width: Math.max(w, 44),
        height: Math.max(h, 36),
      }),
      svg("rect.ck-map-slip", {
        x: -w / 2,
        y: -h / 2,
        width: w,
        height: h,
        rx: relation.phrase ? 5 : h / 2,
      }),
      svg(
        "text",
        { "text-anchor": "middle" },
        ...lines.map((line, row) =>
          svg(
            "tspan",
            { x: 0, y: ((row - (lines.length - 1) / 2) * letters * 1.22).toFixed(1) },
            line,
          ),
        ),
      ),
    );
    const old = this.lines.get(id);
    if (old) {
      old.element.replaceWith(element);
      old.label.replaceWith(label);
    } else {
      this.strokes.append(element);
      this.phrases.append(label);
    }
    this.lines.set(id, {
      element,
      label,
      look,
      head,
      width,
      w,
      h,
      pair,
      start: relation.start,
      end: relation.end,
      x: 0,
      y: 0,
      away: old?.away,
    });
  },

  /** Lead lines from card to card and put their phrases where they cover least; `steady` ones keep their side.
   * @param {Iterable<string>} ids */
  routes(ids = this.lines.keys(), steady = false) {
    const some = [...ids].filter((id) => this.lines.has(id));
    for (const id of some) this.lead(this.lines.get(id), id, steady);
    for (let pass = 0; pass < (steady ? 1 : 2); pass += 1)
      for (const id of some) this.lay(this.lines.get(id));
  },

  lead(line, id, steady) {
    const [start, end] = [this.boxes.get(line.start), this.boxes.get(line.end)];
    const several = this.pairs.get(line.pair);
    const long = far([start.x, start.y], [end.x, end.y]);
    const turned = line.start < line.end ? 1 : -1;
    if (several.length > 1) {
      const room = Math.max(this.small * 2.3, Math.min(long * 0.22, this.small * 4));
      line.away =
        turned *
        (fanOffsets(several.length, room)[several.indexOf(id)] +
          this.aside(line, several, room, steady));
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
    for (const part of [hit, casing, stroke])
      part.setAttribute("d", `M${spot(a)}Q${spot(c)} ${spot(b)}`);
    const [tip, before] = [
      pointOn(curve, line.span[1]),
      pointOn(curve, Math.max(0, line.span[1] - Math.min(0.3, size / Math.max(1, long)))),
    ];
    const angle = (Math.atan2(tip[1] - before[1], tip[0] - before[0]) * 180) / Math.PI;
    head.setAttribute("d", headOf(line.head, size));
    head.setAttribute("transform", `translate(${spot(tip)}) rotate(${angle.toFixed(1)})`);
  },

  /** How far to push all lines between two concepts to one side, to run through as few other cards as possible. */
  aside(line, several, room, steady) {
    const first = this.lines.get(several[0]);
    if (!first || (line === first && !steady) || first.aside === undefined) {
      const [start, end] = [line.start, line.end].sort().map((id) => this.boxes.get(id));
      const fan = fanOffsets(several.length, room);
      const costs = [0, 1, -1, 2, -2].map((step, at) => ({
        push: step * room,
        cost:
          at +
          fan.reduce(
            (sum, away) =>
              sum + this.obstruction(curveOf(start, end, away + step * room), start, end),
            0,
          ),
      }));
      const { push } = costs.reduce((best, cost) => (cost.cost < best.cost ? cost : best));
      if (!first) return push;
      first.aside = push;
    }
    return first.aside;
  },

  obstruction(curve, start, end, near = [...this.boxes.values()]) {
    let cost = 0;
    for (let t = 0.08; t < 0.95; t += 0.07) {
      const point = pointOn(curve, t);
      if (near.some((box) => box !== start && box !== end && inside(box, point, 5))) cost += 6;
      if (point[0] < 0 || point[1] < 0 || point[0] > this.across || point[1] > this.down_)
        cost += 4;
    }
    return cost;
  },

  clear(line, start, end, long) {
    const [left, right] = [
      Math.min(start.x, end.x) - long / 2,
      Math.max(start.x, end.x) + long / 2,
    ];
    const [low, high] = [Math.min(start.y, end.y) - long / 2, Math.max(start.y, end.y) + long / 2];
    const near = [...this.boxes.values()].filter(
      (box) =>
        box !== start &&
        box !== end &&
        box.x + box.w / 2 > left &&
        box.x - box.w / 2 < right &&
        box.y + box.h / 2 > low &&
        box.y - box.h / 2 < high,
    );
    let [best, least] = [BENDS[0] * long, Infinity];
    BENDS.forEach((bend, at) => {
      if (least < at) return;
      const cost = at * 0.5 + this.obstruction(curveOf(start, end, bend * long), start, end, near);
      if (cost < least) [best, least] = [bend * long, cost];
    });
    return best;
  },

  lay(line) {
    const [t0, t1] = line.span;
    let [best, least] = [null, Infinity];
    const points = [0, 0.25, 0.5, 0.75, 1].map((share) =>
      pointOn(line.curve, t0 + (t1 - t0) * share),
    );
    const [[left, right], [top, bottom]] = [0, 1].map((axis) =>
      [Math.min, Math.max].map((most) => most(...points.map((point) => point[axis]))),
    );
    const room = {
      x: (left + right) / 2,
      y: (top + bottom) / 2,
      w: right - left + 2 * line.w,
      h: bottom - top + 2 * line.h + line.w,
    };
    const cards = [...this.boxes.values()].filter((box) => overlap(room, box, 3));
    const phrases = [...this.lines.values()].filter(
      (other) => other !== line && overlap(room, other, 3),
    );
    for (const beside of BESIDE) {
      if (least < ASIDE * Math.abs(beside)) break;
      for (const share of ALONG) {
        const t = t0 + (t1 - t0) * share;
        const [[x, y], [px, py], [qx, qy]] = [t, t - 0.02, t + 0.02].map((share) =>
          pointOn(line.curve, share),
        );
        const long = Math.hypot(qx - px, qy - py) || 1;
        const off = (beside * (line.h * Math.abs(qx - px) + line.w * Math.abs(qy - py))) / long; // far enough to be beside the line
        const mine = {
          x: x + ((qy - py) / long) * off,
          y: y - ((qx - px) / long) * off,
          w: line.w,
          h: line.h,
        };
        let cost = Math.abs(share - 0.5) * 40 + ASIDE * Math.abs(beside);
        const [out, below] = [
          Math.max(mine.w / 2 - mine.x, mine.x + mine.w / 2 - this.across, 0),
          Math.max(mine.h / 2 - mine.y, mine.y + mine.h / 2 - this.down_, 0),
        ];
        cost += 3 * (out * line.h + below * line.w);
        for (const box of cards) cost += 3 * overlap(mine, box, 3);
        for (const other of phrases) cost += overlap(mine, other, 3);
        if (cost < least) [best, least] = [mine, cost];
        if (least < 1) break;
      }
    }
    line.x = best.x;
    line.y = best.y;
    line.label.setAttribute("transform", `translate(${spot([line.x, line.y])})`);
  },
});

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
