// The picture: strings with their clothespins, spools, places for spools, and the tags.

const TWISTS = [
  [1.6, 1.6],
  [4.5, 1.4],
  [0.01, 1.9],
  [3.2, 1.6, 0.01, 1.6],
  [0.8, 3.4],
  [7, 2.6],
  [],
  [2.6, 1.3, 0.9, 1.3],
];
/** Dashes of the lighter strand, in widths of the string: a loop is known by them without its colour. */

Object.assign(Venn.prototype, {
  drawStrings() {
    const { loops } = this.zone;
    const [width, height] = this.box;
    const { thick } = this;
    const lit = this.litLoops();
    const strings = loops.map(({ points, tone }, at) => {
      const d = stringPath(
        points.map((point) => this.px(point)),
        4 * this.scale,
      );
      const state = lit ? (lit.includes(at) ? " ck-on" : " ck-dim") : "";
      return { d, tone, name: `ck-venn-tone-${tone}${state}` };
    });
    const round = { "stroke-linejoin": "round", "stroke-linecap": "round" };
    const clip = (at) => `${this.id}-loop-${at}`;
    const shared = (lit ?? []).reduce(
      (inner, at) => svg("g", { "clip-path": `url(#${clip(at)})` }, inner),
      svg("rect.ck-venn-shared", { x: 0, y: 0, width, height }),
    );
    const dashes = (tone) => TWISTS[tone % 8].map((part) => (part * thick).toFixed(2)).join(" ");
    for (const layer of [this.picture, this.over])
      layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.replaceChildren(
      svg(
        "defs",
        ...strings.map(({ d }, at) => svg("clipPath", { id: clip(at) }, svg("path", { d }))),
      ),
      svg(
        "g.ck-venn-grounds",
        ...strings.map(({ d, name }) => svg(`path.ck-venn-ground ${name}`, { d })),
      ),
      lit?.length > 1 ? shared : "",
      ...strings.map(({ d, name, tone }) =>
        svg(
          `g.ck-venn-string ${name}`,
          { ...round },
          svg("path.ck-venn-edge", { d, "stroke-width": (thick * 1.45).toFixed(2) }),
          svg("path.ck-venn-yarn", { d, "stroke-width": thick.toFixed(2) }),
          svg("path.ck-venn-twist", {
            d,
            "stroke-width": (thick * 0.42).toFixed(2),
            "stroke-dasharray": dashes(tone) || null,
          }),
        ),
      ),
      ...this.pins().map(({ tip, end, angle, name }) => this.peg(tip, end, angle, name)),
    );
  },

  litLoops() {
    const draft = this.shown;
    return this.lit?.loops ?? (draft?.loops && draft.state === "legal" ? draft.loops : null);
  },

  pins() {
    return this.zone.loops.map(({ points, pin, tone }) => ({
      ...this.pegAt(points, pin),
      name: `ck-venn-tone-${tone}`,
    }));
  },

  pegAt(points, pin) {
    const [width, height] = this.box;
    const long = Math.max(13, Math.min(30, this.scale * 8));
    const tip = this.px(pin);
    const out = outwardOf(
      points.map((point) => this.px(point)),
      tip,
    );
    const ends = Array.from({ length: 13 }, (_, step) => {
      const angle = out + (step % 2 ? 1 : -1) * Math.ceil(step / 2) * ANGLE;
      return { angle, end: [tip[0] + Math.cos(angle) * long, tip[1] + Math.sin(angle) * long] };
    });
    /** @param {{ end: number[] }} place */
    const free = ({ end: [x, y] }) =>
      x > 3 &&
      y > 3 &&
      x < width - 3 &&
      y < height - 3 &&
      this.zone.spools.every(({ at }) => apart(this.px(at), [x, y]) > this.radius + 5);
    return { tip, ...(ends.find(free) ?? ends[0]) };
  },

  peg(tip, end, angle, name) {
    const long = apart(tip, end) * 1.22;
    const wide = long * 0.34;
    const turn = `translate(${tip.map((part) => part.toFixed(1)).join(" ")}) rotate(${((angle * 180) / Math.PI).toFixed(1)}) translate(${(-long * 0.18).toFixed(1)} 0)`;
    const half = (side) =>
      `M0 ${side * wide * 0.12}L${long * 0.15} ${side * wide * 0.5}H${long * 0.5}L${long} ${side * wide * 0.32}V${side * wide * 0.06}H${long * 0.4}Z`;
    return svg(
      `g.ck-venn-peg ${name}`,
      { transform: turn },
      svg("path", { d: half(1) }),
      svg("path", { d: half(-1) }),
      svg("path.ck-venn-spring", { d: `M${long * 0.4} ${-wide * 0.55}V${wide * 0.55}` }),
    );
  },

  drawSpools() {
    this.spools.setAttribute("aria-label", this.say("spools"));
    const buttons = this.zone.spools.map((spool) => {
      const on = this.lit?.key === spool.number || this.about === spool.number;
      const state = `${on ? " ck-on" : ""}${spool.faded ? " ck-faded" : ""}${spool.marked ? " ck-marked" : ""}${this.shown?.about?.includes(spool.number) ? " ck-wrong" : ""}`;
      return el(
        `button.ck-venn-spool${state}`,
        {
          "aria-label": spool.label,
          "aria-pressed": String(on),
          "data-key": `venn-spool-${spool.number}`,
          ...this.place(this.px(spool.at)),
          "--d": `${(this.radius * 2).toFixed(1)}px`,
        },
        el("span", { "aria-hidden": "true" }, spool.number),
      );
    });
    this.spools.replaceChildren(...buttons);
    stopAt(buttons);
  },

  drawSpots() {
    this.spots.setAttribute("aria-label", this.say("spots"));
    this.spots.hidden = !this.places.length;
    this.spots.style.setProperty("--d", `${this.spotSize.toFixed(1)}px`);
    const buttons = this.places.map(({ spot: { at, label, loops }, px }) =>
      el(
        `button.ck-venn-spot${at.join() === this.shown?.at?.join() ? " ck-on" : ""}`,
        {
          "aria-label": label,
          "data-key": `venn-spot-${at.join("-")}`,
          ...this.place(px),
        },
        el("span", { "aria-hidden": "true" }, `+${loops.length}`),
      ),
    );
    this.spots.replaceChildren(...buttons);
    this.picture.append(
      ...this.places.flatMap(({ spot, px: [x2, y2] }) => {
        const [x1, y1] = this.px(spot.at);
        if (apart([x1, y1], [x2, y2]) < this.spotSize / 4) return [];
        return [
          svg("line.ck-venn-lead", { x1, y1, x2, y2 }),
          svg("circle.ck-venn-lead", { cx: x1, cy: y1, r: 3 }),
        ];
      }),
    );
    stopAt(buttons);
  },
});

Object.assign(Venn.prototype, {
  drawTags() {
    const { loops, spools } = this.zone;
    const told = JSON.stringify([
      [this.box, this.seen, this.scale, this.from, this.upright],
      loops.map(({ points, pin, word, tone }) => [points, pin, word, tone]),
      [spools.map(({ at }) => at), this.places.map(({ px }) => px)],
    ]);
    if (told !== this.told) this.hang();
    this.told = told;
    const lit = this.litLoops();
    this.picture.append(
      ...this.hangs.map(({ tag, loop, end, tie }) => {
        tag.classList.toggle("ck-on", Boolean(lit?.includes(loop)));
        tag.classList.toggle("ck-dim", Boolean(lit && !lit.includes(loop)));
        const [x1, y1, x2, y2] = [...end, ...tie].map((part) => part.toFixed(1));
        const name = `ck-venn-leader ck-venn-tone-${loops[loop].tone}${lit && !lit.includes(loop) ? " ck-dim" : ""}`;
        return svg(
          `g.${name}`,
          ...["edge", "yarn"].map((part) => svg(`line.ck-venn-${part}`, { x1, y1, x2, y2 })),
        );
      }),
    );
  },

  hang() {
    const { loops } = this.zone;
    const size = this.box;
    const [width] = size;
    const { view, root } = this.table;
    const fitting = Math.min(
      24,
      Math.max(width < 600 ? Math.max(12, Math.min(14, width / 24)) : 16, width / 46),
    );
    const least = parseFloat(getComputedStyle(root).fontSize) / 1.25; // --least, to be read from afar
    const letters = view.board ? Math.min(least, Math.max(0.8 * least, width / 22)) : fitting;
    this.canvas.style.setProperty("--letters", `${letters.toFixed(1)}px`);
    const pins = this.pins();
    const shown = loops.map((_, at) => at).filter((at) => loops[at].word);
    const tags = shown.map((at) =>
      el(`span.ck-venn-tag ck-venn-tone-${loops[at].tone}`, loops[at].word),
    );
    this.tags.replaceChildren(...tags);
    const wide = (at) =>
      [...loops[at].word].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1 : 0.62), 0) *
        letters +
      letters * 0.9;
    const boxes = tags.map((tag, n) => ({
      end: pins[shown[n]].end,
      angle: pins[shown[n]].angle,
      width: Math.ceil(tag.offsetWidth || wide(shown[n])),
      height: Math.ceil(tag.offsetHeight || letters * 1.5),
    }));
    const round = (at, radius) => boxAt(at, { width: radius * 2, height: radius * 2 });
    const blocks = [
      ...this.zone.spools.map(({ at }) => round(this.px(at), this.radius)),
      ...pins.map(({ tip, end }) => round([(tip[0] + end[0]) / 2, (tip[1] + end[1]) / 2], 6)),
      ...this.places.map(({ px }) => round(px, this.spotSize / 2)),
    ];
    const lines = loops.flatMap(({ points }) =>
      points.flatMap((point, n) =>
        along(point, points[(n + 1) % points.length], 6 / this.scale).map((spot) => this.px(spot)),
      ),
    );
    const spots = this.places.map(({ px }) => px);
    const places = hung(boxes, blocks, size, {
      lines,
      spots,
      small: { width: letters * 1.5, height: letters * 1.5 },
    });
    this.hangs = places.flatMap((place, n) => {
      const tag = tags[n];
      tag.hidden = !place;
      if (!place) return [];
      if (place.short) tag.replaceChildren(String.fromCharCode(65 + shown[n]));
      for (const [name, value] of Object.entries(this.place(place.at)))
        tag.style.setProperty(name, value);
      return [{ ...place, tag, loop: shown[n], end: boxes[n].end }];
    });
  },
});
