// Loops of string and spools: the zone `venn`. The kernel judges every loop; here it is drawn, nudged and asked about.
// A point of the zone is [x, y] in units of its `size`; what is laid out on the screen is in pixels. Here is what lasts
// from scene to scene. venn-frame.js says which part of the zone is seen, venn-picture.js draws it, venn-draft.js has what
// is not laid yet, venn-gestures.js fingers and keys, venn-controls.js what is read beside the picture; string-geometry.js
// computes.

class Venn extends LivingZone {
  constructor(table) {
    super(table);
    this.id = newId();
    this.zone = null;
    this.turn = ""; // whose turn the draft belongs to
    this.marked = null; // number of the spool that the scene is about
    // venn-frame.js
    this.box = NO_BOX; // the canvas in pixels, as drawn
    this.seen = ""; // the same, as it was laid out
    this.upright = this.fitted = false; // whether the zone is seen turned by a quarter, and in a fitted table
    this.scale = 1; // pixels a unit
    this.from = [0, 0]; // the corner of what is seen, turned
    this.places = []; // of spots, {spot, px} each: none touches another or a spool
    this.spotSize = 0; // their size in pixels
    // venn-picture.js
    this.told = ""; // of what the tags were hung up
    this.hangs = [];
    // venn-draft.js
    this.draft = null; // what is drawn and not laid
    this.spool = null; // number of the spool that is put down next
    this.about = null; // number of the spool that a suggestion shall be around
    this.round = 0; // number of the suggestion asked for
    this.n = 0; // number of the last try
    // venn-gestures.js
    this.lit = null; // what was tapped: {key, loops, label}
    this.looked = false; // something was tapped since the draft was judged
    this.pull = null; // what a finger does
    this.swept = false; // the click that comes now is the end of a stroke
    this.still = (event) => event.cancelable && event.preventDefault(); // the page does not scroll
    // venn-controls.js
    this.note = ""; // what there is to say when nothing is lit and nothing drawn
    this.build();
  }

  say(id) {
    return this.table.say(`venn_${id}`);
  }

  build() {
    this.hint = el("p.ck-venn-hint", { id: `${this.id}-hint` });
    this.picture = svg("svg.ck-venn-picture", { "aria-hidden": "true" });
    this.over = svg("svg.ck-venn-picture.ck-venn-over", { "aria-hidden": "true" });
    this.tags = el("div.ck-venn-tags", { "aria-hidden": "true" });
    this.spools = el("div.ck-venn-spools", { role: "toolbar" });
    this.spots = el("div.ck-venn-spots", { role: "toolbar" });
    for (const group of [this.spools, this.spots]) rove(group, () => [...group.children]);
    this.handle = el("div.ck-venn-handle", {
      tabindex: "0",
      role: "application",
      "data-key": "venn-handle",
      "aria-describedby": `${this.id}-keys`,
      onkeydown: (event) => this.key(event),
    });
    this.canvas = el(
      "div.ck-venn-canvas",
      {
        onpointerdown: (event) => this.press(event),
        onpointermove: (event) => this.pulled(event),
        onpointerup: (event) => this.letGo(event),
        onpointercancel: (event) => this.letGo(event),
        onlostpointercapture: (event) => this.letGo(event),
        ontouchmove: (event) => this.zone.draw && this.still(event),
        onclick: (event) => this.tap(event),
        onkeydown: (event) => this.escape(event),
      },
      this.picture,
      this.tags,
      this.spools,
      this.spots,
      this.over,
      this.handle,
    );
    this.says = el("p.ck-venn-says", { role: "status" });
    this.tools = el("div.ck-venn-tools", { onkeydown: (event) => this.escape(event) });
    this.keys = el("p.ck-venn-keys", { id: `${this.id}-keys` });
    this.list = el("details.ck-venn-list");
    this.element = el(
      "div.ck-venn",
      this.hint,
      this.canvas,
      this.says,
      this.tools,
      this.keys,
      this.list,
    );
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.canvas);
  }

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
    const turn =
      task &&
      JSON.stringify([view.match, view.branch, task, zone.loops.length, zone.spools.length]);
    if (turn && turn !== this.turn) {
      // After a loop laid by key, the keyboard goes on with the spool, once the table has given the keyboard elsewhere.
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

  get thick() {
    return Math.min(9, Math.max(3.6, this.scale * 1.9));
  }

  /** Of a spool: as large as it has to be for a finger, but none covers another. */
  get radius() {
    const { spools } = this.zone;
    const gaps = spools.flatMap((one, n) =>
      spools.slice(n + 1).map((other) => apart(one.at, other.at) * this.scale),
    );
    return Math.max(5 * this.scale * 0.96, Math.min(8.5, ...gaps.map((gap) => gap / 2 - 0.5)));
  }

  get seat() {
    return (this.zone.draw ?? this.zone.put).seat;
  }

  resized() {
    if (this.zone && this.canvas.clientWidth && this.laidOut() !== this.seen) this.drawAll();
  }

  drawAll() {
    const held = this.element.contains(this.table.active())
      ? this.table.active().dataset.key
      : null;
    const { draw: draws, put, label } = this.zone;
    this.element.classList.toggle("ck-venn-draws", Boolean(draws));
    this.element.classList.toggle("ck-venn-puts", Boolean(put));
    this.canvas.setAttribute("aria-label", label);
    this.canvas.setAttribute("role", "group");
    this.hint.replaceChildren(this.hinted());
    this.drawTools();
    this.tell();
    this.look();
    this.placeSpots();
    this.drawStrings();
    this.drawSpools();
    this.drawSpots();
    this.drawTags();
    this.drawDraft();
    this.drawList();
    if (held && this.table.active()?.dataset?.key !== held) this.focus(held);
  }

  focus(key) {
    const stops = [...this.element.querySelectorAll("[data-key]")].filter(
      (stop) => !stop.closest("[hidden]"),
    );
    (stops.find((stop) => stop.dataset.key === key) ?? (this.shown ? this.handle : null))?.focus({
      preventScroll: true,
    });
  }

  begin() {
    const first = this.zone.put
      ? this.spots.querySelector("[tabindex='0']")
      : this.zone.draw && this.tools.querySelector("[data-key='venn-suggest']");
    first?.focus({ preventScroll: true });
  }
}

livingKinds.set("venn", Venn);
