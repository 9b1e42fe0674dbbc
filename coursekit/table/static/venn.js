// Loops of string and spools: the zone `venn` of zones.js. The kernel judges every loop; here it is drawn, nudged
// and asked about, strings.js reckons. A point of the zone is [x, y] in units of its `size`; what is laid out on the screen is in pixels.

const STILL = 6; // pixels that a finger may move and still tap
const NEAR = { spool: 24, spot: 26, pin: 20 }; // pixels from which a tap means it
const WAIT = 120; // milliseconds after the last nudge until it is tried
const TWISTS = [[1.6, 1.6], [4.5, 1.4], [0.01, 1.9], [3.2, 1.6, 0.01, 1.6], [0.8, 3.4], [7, 2.6], [], [2.6, 1.3, 0.9, 1.3]];
/** Dashes of the lighter strand, in widths of the string: a loop is known by them without its colour. */

const NUDGES = {
  left: { key: "ArrowLeft", sign: "M15 5l-7 7 7 7M8 12h12", by: (step) => ({ x: -step }) },
  up: { key: "ArrowUp", sign: "M5 9l7-7 7 7M12 2v18", by: (step) => ({ y: -step }) },
  down: { key: "ArrowDown", sign: "M5 15l7 7 7-7M12 22V4", by: (step) => ({ y: step }) },
  right: { key: "ArrowRight", sign: "M9 5l7 7-7 7M16 12H4", by: (step) => ({ x: step }) },
  larger: { key: "+", sign: "M12 5v14M5 12h14", by: () => ({ size: 1.08 }) },
  smaller: { key: "-", sign: "M5 12h14", by: () => ({ size: 1 / 1.08 }) },
  turn_back: { key: "(", sign: "M5 4v6h6M5.6 10a8 8 0 1 1 .4 6", by: () => ({ turn: -ANGLE }) },
  turn: { key: ")", sign: "M19 4v6h-6M18.4 10a8 8 0 1 0-.4 6", by: () => ({ turn: ANGLE }) },
};

// ---- The canvas

/** Draws the zone and keeps what is being drawn on it: its elements live on from scene to scene. */
class Venn {
  constructor(table) {
    this.table = table;
    this.zone = null;
    this.turn = ""; // whose turn the draft belongs to
    this.draft = null; // what is drawn and not laid
    this.lit = null; // what was tapped: {key, loops, label}
    this.marked = null; // number of the spool that the scene is about
    this.spool = null; // number of the spool that is put down next
    this.about = null; // number of the spool that a suggestion shall be around
    this.round = 0; // number of the suggestion asked for
    this.n = 0; // number of the last try
    this.pull = null; // what a finger does
    this.looked = false; // something was tapped since the draft was judged
    this.note = ""; // what there is to say when nothing is lit and nothing drawn
    this.swept = false; // the click that comes now is the end of a stroke
    this.width = this.seen = 0;
    this.told = ""; // of what the tags were hung up
    this.hangs = [];
    this.still = (event) => event.cancelable && event.preventDefault(); // the page does not scroll
    this.id = `ck-venn-${Math.random().toString(36).slice(2)}`;
    this.build();
  }

  say(id) {
    return this.table.say(`venn_${id}`);
  }

  build() {
    this.hint = make("p", "ck-venn-hint", { id: `${this.id}-hint` });
    this.picture = draw("svg", "ck-venn-picture", { "aria-hidden": "true" });
    this.over = draw("svg", "ck-venn-picture ck-venn-over", { "aria-hidden": "true" });
    this.tags = make("div", "ck-venn-tags", { "aria-hidden": "true" });
    this.spools = make("div", "ck-venn-spools", { role: "toolbar" });
    this.spots = make("div", "ck-venn-spots", { role: "toolbar" });
    for (const group of [this.spools, this.spots]) rove(group, () => [...group.children]);
    this.handle = make("div", "ck-venn-handle", {
      tabindex: "0", role: "application", "data-key": "venn-handle", "aria-describedby": `${this.id}-keys`, onkeydown: (event) => this.key(event),
    });
    this.canvas = make("div", "ck-venn-canvas", {
      onpointerdown: (event) => this.press(event), onpointermove: (event) => this.pulled(event),
      onpointerup: (event) => this.letGo(event), onpointercancel: (event) => this.letGo(event), onlostpointercapture: (event) => this.letGo(event),
      ontouchmove: (event) => this.zone.draw && this.still(event), onclick: (event) => this.tap(event), onkeydown: (event) => this.escape(event),
    }, this.picture, this.tags, this.spools, this.spots, this.over, this.handle);
    this.says = make("p", "ck-venn-says", { role: "status" });
    this.tools = make("div", "ck-venn-tools", { onkeydown: (event) => this.escape(event) });
    this.keys = make("p", "ck-venn-keys", { id: `${this.id}-keys` });
    this.list = make("details", "ck-venn-list");
    this.element = make("div", "ck-venn", {}, this.hint, this.canvas, this.says, this.tools, this.keys, this.list);
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.canvas);
  }

  /** The canvas is gone: nothing is watched, asked or pulled any more. */
  dispose() {
    clearTimeout(this.timer);
    this.watch.disconnect();
    this.endPull();
  }

  /** Draw `zone`; a draft stays as long as the same turn lasts. */
  show(zone) {
    const { view } = this.table;
    this.zone = zone;
    const task = zone.draw ?? zone.put;
    const turn = task && JSON.stringify([view.match, view.branch, task, zone.loops.length, zone.spools.length]);
    if (turn && turn !== this.turn) {
      // Whoever laid a loop by key goes on with the spool, once the table has given the keyboard elsewhere.
      if (this.element.contains(this.table.active())) queueMicrotask(() => this.begin());
      this.drop();
      this.turn = turn;
      this.round = 0;
      this.about = this.lit = null;
      this.spool = zone.put?.numbers[0] ?? null;
    }
    const marked = zone.spools.find((spool) => spool.marked)?.number ?? null;
    if (marked !== this.marked) this.note = "";
    this.lit = this.litOf(marked !== this.marked ? marked : this.lit?.key);
    this.marked = marked;
    this.drawAll();
    return this.element;
  }

  spoolOf(number) {
    return this.zone.spools.find((spool) => spool.number === number);
  }

  /** The draft, if something may be laid or put down now. */
  get shown() {
    return this.zone.draw || this.zone.put ? this.draft : null;
  }

  get scale() {
    return this.width / this.zone.size[0];
  }

  px([x, y]) {
    return [x * this.scale, y * this.scale];
  }

  /** Where on the table, in units, something happened. */
  at({ clientX, clientY }) {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    const unit = this.zone.size[0] / (width || 1);
    return [(clientX - left) * unit, (clientY - top) * unit];
  }

  resized() {
    if (this.zone && this.canvas.clientWidth && this.canvas.clientWidth !== this.seen) this.drawAll();
  }

  /** Draw everything anew, and leave the keyboard where it was. */
  drawAll() {
    const held = this.element.contains(this.table.active()) ? this.table.active().dataset.key : null;
    const { draw: draws, put, label } = this.zone;
    this.seen = this.canvas.clientWidth; // 0 while it is not laid out
    this.width = this.seen || this.width || 340;
    this.element.classList.toggle("ck-venn-draws", Boolean(draws));
    this.element.classList.toggle("ck-venn-puts", Boolean(put));
    this.canvas.setAttribute("aria-label", label);
    this.canvas.setAttribute("role", "group");
    this.hint.replaceChildren(this.hinted());
    this.drawStrings();
    this.drawSpools();
    this.drawSpots();
    this.drawTags();
    this.drawDraft();
    this.drawTools();
    this.drawList();
    this.tell();
    if (held && this.table.active()?.dataset?.key !== held) this.focus(held);
  }

  focus(key) {
    const stops = [...this.element.querySelectorAll("[data-key]")].filter((each) => !each.closest("[hidden]"));
    (stops.find((each) => each.dataset.key === key) ?? (this.shown ? this.handle : null))?.focus({ preventScroll: true });
  }

  /** Give the keyboard to what can be done first. */
  begin() {
    const first = this.zone.put ? this.spots.querySelector("[tabindex='0']") : this.zone.draw && this.tools.querySelector("[data-key='venn-suggest']");
    first?.focus({ preventScroll: true });
  }

  // -- The parts of the picture

  get thick() {
    return Math.min(9, Math.max(3.6, this.width / 125));
  }

  drawStrings() {
    const { size: [across, down], loops } = this.zone;
    const [width, height, thick] = [this.width, (this.width * down) / across, this.thick];
    const lit = this.litLoops();
    const strings = loops.map(({ points, tone }, at) => {
      const d = stringPath(points.map((point) => this.px(point)), 4 * this.scale);
      const state = lit ? (lit.includes(at) ? " ck-on" : " ck-dim") : "";
      return { d, tone, name: `ck-venn-tone-${tone}${state}` };
    });
    const round = { "stroke-linejoin": "round", "stroke-linecap": "round" };
    const clip = (at) => `${this.id}-loop-${at}`;
    const shared = (lit ?? []).reduce((inner, at) => draw("g", "", { "clip-path": `url(#${clip(at)})` }, inner),
      draw("rect", "ck-venn-shared", { x: 0, y: 0, width, height }));
    const dashes = (tone) => TWISTS[tone % 8].map((part) => (part * thick).toFixed(2)).join(" ");
    for (const svg of [this.picture, this.over]) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.replaceChildren(
      draw("defs", "", {}, ...strings.map(({ d }, at) => draw("clipPath", "", { id: clip(at) }, draw("path", "", { d })))),
      draw("g", "ck-venn-grounds", {}, ...strings.map(({ d, name }) => draw("path", `ck-venn-ground ${name}`, { d }))),
      lit?.length > 1 ? shared : "",
      ...strings.map(({ d, name, tone }) => draw("g", `ck-venn-string ${name}`, { ...round },
        draw("path", "ck-venn-edge", { d, "stroke-width": (thick * 1.45).toFixed(2) }),
        draw("path", "ck-venn-yarn", { d, "stroke-width": thick.toFixed(2) }),
        draw("path", "ck-venn-twist", { d, "stroke-width": (thick * 0.42).toFixed(2), "stroke-dasharray": dashes(tone) || null }))),
      ...this.pins().map(({ tip, end, angle, name }) => this.peg(tip, end, angle, name)));
  }

  /** Loops that are lit, `null` if none is. */
  litLoops() {
    const draft = this.shown;
    return this.lit?.loops ?? (draft?.loops && draft.state === "legal" ? draft.loops : null);
  }

  /** Where each clothespin starts and ends: it points outward, but not over the edge or a spool. */
  pins() {
    const { loops, size } = this.zone;
    return loops.map(({ points, pin, tone }) => ({ ...this.pegAt(points, pin, size), name: `ck-venn-tone-${tone}` }));
  }

  pegAt(points, pin, [across, down]) {
    const long = Math.max(13, Math.min(30, this.width / 30));
    const tip = this.px(pin);
    const out = outwardOf(points, pin);
    const ends = Array.from({ length: 13 }, (_, step) => {
      const angle = out + (step % 2 ? 1 : -1) * Math.ceil(step / 2) * ANGLE;
      return { angle, end: [tip[0] + Math.cos(angle) * long, tip[1] + Math.sin(angle) * long] };
    });
    const free = ({ end: [x, y] }) => x > 3 && y > 3 && x < across * this.scale - 3 && y < down * this.scale - 3
      && this.zone.spools.every(({ at }) => apart(this.px(at), [x, y]) > this.radius + 5);
    return { tip, ...(ends.find(free) ?? ends[0]) };
  }

  peg(tip, end, angle, name) {
    const long = apart(tip, end) * 1.22;
    const wide = long * 0.34;
    const turn = `translate(${tip.map((each) => each.toFixed(1)).join(" ")}) rotate(${((angle * 180) / Math.PI).toFixed(1)}) translate(${(-long * 0.18).toFixed(1)} 0)`;
    const half = (side) => `M0 ${side * wide * 0.12}L${long * 0.15} ${side * wide * 0.5}H${long * 0.5}L${long} ${side * wide * 0.32}V${side * wide * 0.06}H${long * 0.4}Z`;
    return draw("g", `ck-venn-peg ${name}`, { transform: turn },
      draw("path", "", { d: half(1) }), draw("path", "", { d: half(-1) }),
      draw("path", "ck-venn-spring", { d: `M${long * 0.4} ${-wide * 0.55}V${wide * 0.55}` }));
  }

  /** Of a spool: as large as it has to be for a finger, but none covers another. */
  get radius() {
    const { spools } = this.zone;
    const gaps = spools.flatMap((one, n) => spools.slice(n + 1).map((other) => apart(one.at, other.at) * this.scale));
    return Math.max(5 * this.scale * 0.96, Math.min(8.5, ...gaps.map((gap) => gap / 2 - 0.5)));
  }

  place(at) {
    const [across, down] = this.zone.size;
    return { "--x": `${(at[0] / across) * 100}%`, "--y": `${(at[1] / down) * 100}%` };
  }

  drawSpools() {
    this.spools.setAttribute("aria-label", this.say("spools"));
    const buttons = this.zone.spools.map((spool) => {
      const on = this.lit?.key === spool.number || this.about === spool.number;
      const state = `${on ? " ck-on" : ""}${spool.faded ? " ck-faded" : ""}${spool.marked ? " ck-marked" : ""}${this.shown?.spools?.includes(spool.number) ? " ck-wrong" : ""}`;
      return make("button", `ck-venn-spool${state}`, {
        type: "button", "aria-label": spool.label, "aria-pressed": String(on), "data-key": `venn-spool-${spool.number}`,
        ...this.place(spool.at), "--d": `${(this.radius * 2).toFixed(1)}px`,
      }, make("span", "", { "aria-hidden": "true" }, String(spool.number)));
    });
    this.spools.replaceChildren(...buttons);
    stopAt(buttons);
  }

  drawSpots() {
    const spots = this.zone.spots ?? [];
    this.spots.setAttribute("aria-label", this.say("spots"));
    this.spots.hidden = !spots.length;
    const buttons = spots.map(({ at, label, loops }) => make("button", `ck-venn-spot${at.join() === this.shown?.at?.join() ? " ck-on" : ""}`, {
      type: "button", "aria-label": label, "data-key": `venn-spot-${at.join("-")}`, ...this.place(at),
    }, make("span", "", { "aria-hidden": "true" }, `+${loops.length}`)));
    this.spots.replaceChildren(...buttons);
    stopAt(buttons);
  }

  drawTags() {
    const { loops, spools, spots = [] } = this.zone;
    const told = JSON.stringify([
      this.width, this.seen, loops.map(({ points, pin, word, tone }) => [points, pin, word, tone]), [spools, spots].map((all) => all.map(({ at }) => at)),
    ]);
    if (told !== this.told) this.hang();
    this.told = told;
    const lit = this.litLoops();
    this.picture.append(...this.hangs.map(({ tag, loop, end, tie }) => {
      tag.classList.toggle("ck-on", Boolean(lit?.includes(loop)));
      tag.classList.toggle("ck-dim", Boolean(lit && !lit.includes(loop)));
      const [x1, y1, x2, y2] = [...end, ...tie].map((each) => each.toFixed(1));
      const name = `ck-venn-leader ck-venn-tone-${loops[loop].tone}${lit && !lit.includes(loop) ? " ck-dim" : ""}`;
      return draw("g", name, {}, ...["edge", "yarn"].map((part) => draw("line", `ck-venn-${part}`, { x1, y1, x2, y2 })));
    }));
  }

  /** Hang the tags where they cover least. */
  hang() {
    const { loops, size: [across, down] } = this.zone;
    const letters = Math.min(24, Math.max(this.width < 600 ? Math.max(12, Math.min(14, this.width / 24)) : 16, this.width / 46));
    this.canvas.style.setProperty("--letters", `${letters.toFixed(1)}px`);
    const pins = this.pins();
    const shown = loops.map(({ word }, at) => at).filter((at) => loops[at].word);
    const tags = shown.map((at) => make("span", `ck-venn-tag ck-venn-tone-${loops[at].tone}`, {}, loops[at].word));
    this.tags.replaceChildren(...tags);
    const wide = (at) => [...loops[at].word].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1 : 0.62), 0) * letters + letters * 0.9;
    const boxes = tags.map((tag, n) => ({
      end: pins[shown[n]].end, angle: pins[shown[n]].angle,
      width: Math.ceil(tag.offsetWidth || wide(shown[n])), height: Math.ceil(tag.offsetHeight || letters * 1.5),
    }));
    const size = [this.width, (this.width * down) / across];
    const round = (at, radius) => boxAt(at, { width: radius * 2, height: radius * 2 });
    const blocks = [...this.zone.spools.map(({ at }) => round(this.px(at), this.radius)), ...pins.map(({ tip, end }) => round([(tip[0] + end[0]) / 2, (tip[1] + end[1]) / 2], 6))];
    const lines = loops.flatMap(({ points }) => points.flatMap((point, n) => along(point, points[(n + 1) % points.length], 6 / this.scale).map((each) => this.px(each))));
    const spots = (this.zone.spots ?? []).map(({ at }) => this.px(at));
    const places = hung(boxes, blocks, size, { lines, spots, small: { width: letters * 1.5, height: letters * 1.5 } });
    this.hangs = places.flatMap((place, n) => {
      const tag = tags[n];
      tag.hidden = !place;
      if (!place) return [];
      if (place.short) tag.replaceChildren(String.fromCharCode(65 + shown[n]));
      tag.style.setProperty("--x", `${((place.at[0] / size[0]) * 100).toFixed(2)}%`);
      tag.style.setProperty("--y", `${((place.at[1] / size[1]) * 100).toFixed(2)}%`);
      return [{ ...place, tag, loop: shown[n], end: boxes[n].end }];
    });
  }

  /** The line that is being drawn, or the loop or spool that could be laid. */
  drawDraft() {
    const draft = this.shown;
    const parts = [];
    if (this.pull?.stroke && this.pull.moved) {
      const points = this.pull.stroke.map((point) => this.px(point));
      const d = `M${points.map((point) => point.map((each) => each.toFixed(1)).join(" ")).join("L")}`;
      parts.push(draw("path", "ck-venn-line", { d, "stroke-width": this.thick }),
        draw("line", "ck-venn-close", { x1: points[0][0], y1: points[0][1], x2: points.at(-1)[0], y2: points.at(-1)[1] }));
    } else if (draft?.points) {
      const points = draft.points.map((point) => this.px(point));
      const path = stringPath(points, draft.state === "refused" ? 0 : 4 * this.scale);
      parts.push(draw("path", `ck-venn-draft ck-${draft.state}${draft.moves ? " ck-moves" : ""}`, { d: path, "stroke-width": this.thick * 1.1 }));
      if (draft.pin && draft.state !== "asking") {
        const { tip, end, angle } = this.pegAt(draft.points, draft.pin, this.zone.size);
        parts.push(this.peg(tip, end, angle, `ck-venn-tone-${this.zone.loops.length}`));
      }
    } else if (draft?.at) {
      const [cx, cy] = this.px(draft.at);
      parts.push(draw("circle", `ck-venn-ghost ck-${draft.state}`, { cx, cy, r: this.radius }),
        draw("text", "ck-venn-number", { x: cx, y: cy, "font-size": this.radius * 1.35 }, String(this.spool)));
    }
    this.over.replaceChildren(...parts);
    this.handle.hidden = !draft?.points;
    if (!draft?.points) return;
    for (const [name, value] of Object.entries(this.place(middleOf(draft.points)))) this.handle.style.setProperty(name, value);
    this.handle.setAttribute("aria-label", this.say("nudge"));
  }

  drawTools() {
    const { draw: draws, put } = this.zone;
    const draft = this.shown;
    const tools = [];
    const tool = (key, text, onclick, more = {}) => button(`ck-venn-tool${more.primary ? " ck-primary" : ""}`, null, text, onclick, {
      "data-key": `venn-${key}`, "aria-disabled": more.off && "true", "aria-pressed": more.pressed,
    });
    if (put && put.numbers.length > 1) {
      tools.push(make("div", "ck-venn-which", { role: "group", "aria-label": this.say("which") }, make("span", "ck-venn-ask", {}, this.say("which")),
        ...put.numbers.map((number) => tool(`which-${number}`, String(number), () => this.choose(number), { pressed: String(number === this.spool) }))));
    }
    if (draft) {
      const lay = put ? this.say("put_here").replace("{number}", this.spool) : this.say("lay");
      tools.push(tool("lay", lay, () => this.lay(), { primary: true, off: draft.state === "refused" }), tool("drop", this.say("drop"), () => this.give()));
    }
    if (draws) {
      const text = draft?.suggested ? this.say("next") : this.about ? this.say("suggest_about").replace("{number}", this.about) : this.say("suggest");
      tools.push(tool("suggest", text, () => this.suggest()));
    }
    if (draft?.points) {
      tools.push(make("div", "ck-venn-nudges", { role: "group", "aria-label": this.say("nudge") },
        ...Object.entries(NUDGES).map(([name, { sign, by }]) => make("button", "ck-button ck-venn-nudge", {
          type: "button", "aria-label": this.say(name), title: this.say(name), "data-key": `venn-${name}`, onclick: () => this.nudge(by(3)),
        }, draw("svg", "ck-icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", "", { d: sign })))),
        tool("pin", this.say("pin"), () => this.movePin())));
    }
    this.tools.replaceChildren(...tools);
    this.keys.replaceChildren(draft?.points ? this.say("keys") : "");
  }

  drawList() {
    const { loops, spools } = this.zone;
    const line = (text, mark) => make("li", "", {}, mark, make("span", "", {}, text));
    this.list.hidden = !loops.length;
    this.list.replaceChildren(make("summary", "", { "data-key": "venn-list" }, this.say("list")),
      make("ul", "", {},
        ...loops.map(({ label, tone }, at) => line(label, make("b", `ck-venn-letter ck-venn-tone-${tone}`, {}, String.fromCharCode(65 + at)))),
        ...spools.map(({ label, number }) => line(label, make("b", "ck-venn-letter ck-venn-disc", { "aria-hidden": "true" }, String(number))))));
  }

  /** What is to be read under the canvas: the verdict about the draft, or what was tapped. */
  tell() {
    const draft = this.shown;
    const judged = draft && !(this.lit && this.looked);
    const text = judged ? this.verdict(draft) : this.lit?.label ?? this.note;
    this.says.setAttribute("class", `ck-venn-says${judged ? ` ck-${draft.state}` : ""}`);
    if (this.says.textContent !== text) this.says.replaceChildren(text);
  }

  /** What a finger on the canvas does now. */
  hinted() {
    const { draw: draws, put, spools } = this.zone;
    if (!draws) return this.say(put ? "put" : "tap");
    if (!this.shown || this.shown.state === "asking") return this.say(spools.length ? "draw" : "draw_first");
    return this.say(this.shown.moves ? "move" : "again");
  }

  verdict(draft) {
    if (draft.state === "asking") return this.say("asking");
    if (draft.state === "refused") return draft.text;
    return draft.label ?? this.say(draft.points ? "legal" : "legal_spot");
  }

  // -- Tapping

  /** What a tap means: the nearest thing of those that can be meant. */
  tap(event) {
    const { swept } = this;
    this.swept = false;
    if ((swept && event.detail > 0) || this.table.playing()) return;
    const [number, spot] = [this.keyed(event, "venn-spool-"), this.keyed(event, "venn-spot-")];
    if (event.detail === 0 || event.detail === undefined) { // by key
      if (number !== null) this.light(Number(number));
      else if (spot !== null) this.pick(spot.split("-").map(Number));
      return;
    }
    const at = this.at(event);
    const nearest = (things) => things.map((thing) => ({ thing, far: apart(thing.at, at) * this.scale })).sort((a, b) => a.far - b.far)[0];
    const [spool, place] = [nearest(this.zone.spools), this.zone.put && nearest(this.zone.spots)];
    if (place?.far < NEAR.spot && !(spool?.far < place.far)) return this.pick(place.thing.at);
    if (spool?.far < (this.zone.put ? this.radius : NEAR.spool)) return this.light(spool.thing.number);
    if (this.zone.put) return this.pick(at.map(Math.round));
    const tag = this.hangs.find((each) => overlap(each.box, boxAt(this.px(at), { width: 0, height: 0 }), 4));
    if (tag) return this.light(this.zone.loops[tag.loop].id);
    this.light(null);
  }

  keyed(event, start) {
    const key = event.target.closest?.("[data-key]")?.dataset.key;
    return key?.startsWith(start) ? key.slice(start.length) : null;
  }

  /** Light a spool's loops, or one loop; the same again puts the light out. */
  light(key) {
    const spool = this.spoolOf(key);
    this.lit = this.lit?.key === key ? null : this.litOf(key);
    if (this.zone.draw) {
      this.about = this.lit && spool ? key : null;
      this.round = 0;
      if (this.draft?.suggested) this.drop();
    } else if (this.draft) this.drop();
    this.note = "";
    this.looked = true;
    this.drawAll();
    if (spool && this.lit) this.table.answers?.go(key);
  }

  /** What is lit with the spool or loop `key`. */
  litOf(key) {
    const loop = this.zone.loops.findIndex(({ id }) => id === key);
    const { loops, label } = this.spoolOf(key) ?? { loops: [loop], label: this.zone.loops[loop]?.label };
    return label === undefined ? null : { key, loops, label };
  }

  choose(number) {
    this.spool = number;
    if (this.draft) this.draft.action = ["spool", number, ...this.draft.at];
    this.drawAll();
  }

  /** Look at a place for the spool; the same place again puts it there. */
  pick(at) {
    if (this.draft?.at.join() === at.join()) return this.lay();
    const inside = this.zone.loops.flatMap(({ points }, loop) => (holds(points, at) ? [loop] : []));
    const spot = this.zone.spots.find((each) => each.at.join() === at.join());
    this.lit = null;
    this.draft = { at, loops: inside, action: ["spool", this.spool, ...at], state: spot ? "legal" : "asking", label: this.labelOf(inside) };
    this.drawAll();
    if (!spot) this.ask();
  }

  labelOf(loops) {
    return this.zone.spots.find((spot) => spot.loops.join() === loops.join())?.label;
  }

  // -- Drawing

  press(event) {
    if (event.button > 0 || event.isPrimary === false) return;
    this.swept = false;
    this.endPull(); // whose end was lost
    if (!this.zone.draw || this.table.playing() || this.table.pending) return;
    const at = this.at(event);
    const near = (point, far) => point && apart(this.px(point), this.px(at)) < far;
    const draft = this.shown;
    const pull = { id: event.pointerId, from: at, moved: false };
    if (draft?.moves && near(draft.pin, NEAR.pin) && draft.state !== "asking") pull.pin = true;
    else if (draft?.moves && holds(draft.points, at)) pull.shape = draft.shape ?? shapeOf(draft.points);
    else pull.stroke = [at];
    this.pull = pull;
    this.canvas.setPointerCapture(pull.id);
    document.addEventListener("touchmove", this.still, { passive: false });
  }

  endPull() {
    this.pull = null;
    document.removeEventListener("touchmove", this.still);
  }

  pulled(event) {
    const { pull } = this;
    if (event.pointerId !== pull?.id) return;
    const at = this.at(event);
    pull.moved ||= apart(pull.from, at) * this.scale > STILL;
    if (!pull.moved) return;
    if (pull.stroke) pull.stroke.push(...(event.getCoalescedEvents?.() ?? [event]).map((each) => this.at(each)));
    else if (pull.shape) this.reshape(nudged(pull.shape, { x: at[0] - pull.from[0], y: at[1] - pull.from[1] }));
    else if (pull.pin) this.pinAt(this.draft.points.reduce((best, point) => (apart(point, at) < apart(best, at) ? point : best)));
    this.drawDraft();
  }

  letGo({ type, pointerId }) {
    const { pull } = this;
    if (pointerId !== pull?.id) return;
    this.endPull();
    this.swept = pull.moved;
    if (type === "pointerup" && pull.moved && pull.stroke) this.drawn(thinned(pull.stroke, this.zone.size));
    else this.drawDraft();
  }

  /** A stroke is finished. */
  drawn(points) {
    if (!this.zone.draw) return;
    this.note = "";
    this.lit = null;
    this.propose(points, null, false);
  }

  /** Make a draft of `points`, and ask the kernel about it. A finger moves it (`moves`) unless it is only a bad stroke. */
  propose(points, pin, suggested) {
    this.draft = { shape: null, stroke: points, points, pin, action: loopOf(points, pin), state: "asking", suggested, moves: suggested };
    this.drawAll();
    this.ask();
  }

  reshape(shape) {
    const points = placed(shape);
    Object.assign(this.draft, { shape, stroke: points, points, pin: null, action: loopOf(points, null), state: "asking", moves: true });
    this.looked = false;
    this.later();
  }

  nudge(by) {
    if (!this.shown?.points) return;
    this.reshape(nudged(this.draft.shape ?? shapeOf(this.draft.points), by));
    this.drawDraft();
    this.tell();
  }

  /** The pin goes to the next corner. */
  movePin() {
    const { points, pin } = this.draft;
    const at = points.findIndex((point) => point.join() === pin?.join());
    this.pinAt(points[(at + 1) % points.length]);
    this.drawDraft();
    this.tell();
  }

  pinAt(pin) {
    Object.assign(this.draft, { pin, action: loopOf(this.draft.stroke, pin) });
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.draft.wanted = false;
    this.n += 1; // what was asked before is out of date
    this.timer = setTimeout(() => this.ask(), WAIT);
  }

  ask() {
    clearTimeout(this.timer);
    if (!this.shown) return;
    this.n += 1;
    this.table.send({ type: "try", seat: this.seat, action: this.draft.action, n: this.n });
  }

  get seat() {
    return (this.zone.draw ?? this.zone.put).seat;
  }

  suggest() {
    this.note = "";
    this.table.send({ type: "suggest", seat: this.seat, n: this.round, about: this.about });
  }

  /** Lay the draft; one that is still judged as soon as it may be laid, a refused one not at all. */
  lay() {
    const draft = this.shown;
    if (draft?.state === "legal") this.table.act({ action: draft.action, seat: this.seat }, this.tools.querySelector("[data-key='venn-lay']"));
    else if (draft?.state === "asking") draft.wanted = true;
    else if (draft) {
      this.looked = false;
      this.says.replaceChildren(); // so that it is said again
      this.tell();
    }
  }

  drop() {
    clearTimeout(this.timer);
    this.n += 1;
    this.draft = null;
    if (this.pull) this.pull = { id: this.pull.id, from: this.pull.from, moved: true }; // what the finger still does is nothing
  }

  give() {
    this.drop();
    this.drawAll();
  }

  /** What the kernel says of a try, or a loop that it proposes; late answers are passed over. */
  hear({ type, n, text, preview, action, spools }) {
    if (type === "tried" && n === this.n && this.draft) {
      Object.assign(this.draft, { state: text ? "refused" : "legal", text, spools });
      this.draft.moves ||= !text;
      this.looked = false;
      if (preview?.points) {
        this.draft.shape ??= shapeOf(preview.points); // nudges start from the loop that became of the stroke
        Object.assign(this.draft, { points: preview.points, pin: preview.pin });
      }
      if (preview?.loops) Object.assign(this.draft, { loops: preview.loops, label: this.labelOf(preview.loops) });
      this.drawAll();
      if (this.draft.wanted && !text) this.lay();
    } else if (type === "suggested" && n === this.round && this.zone?.draw) {
      const spool = this.spoolOf(this.about);
      if (action && spool && !holds(action[1], spool.at)) return; // asked for another one
      this.note = action ? "" : this.say("none");
      this.round += 1;
      if (!action) return this.drawAll();
      this.propose(action[1], action[2], true);
      this.handle.focus({ preventScroll: true });
    }
  }

  // -- Keys

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const found = Object.values(NUDGES).find(({ key }) => key === event.key) ?? (event.key === "=" && NUDGES.larger) ?? null;
    if (found) this.nudge(found.by(event.shiftKey ? 8 : 2));
    else if (event.key === "Enter" && !event.repeat) this.lay();
    else return;
    event.preventDefault();
  }

  escape(event) {
    if (event.key !== "Escape" || !(this.shown || this.pull)) return;
    this.give();
    this.focus("venn-suggest");
  }
}

const loopOf = (points, pin) => (pin ? ["loop", points, pin] : ["loop", points]);

const vennOf = (zone, table) => (table.venn ??= new Venn(table)).show(zone);
