// The table: draws any scene of coursekit/table/scene.py and sends back what was touched. It knows no game by name.
// One plain module: JupyterLab, Notebook and Voilà load it through anywidget, a web page with any `model`
// that has get, on, off and send. Everything shown is set as text; only the game's own drawings (`art`) are parsed.
// Here are its frame and its talk with the kernel; parts.py lists the files of the rest.

const RELEASES = ["pointerup", "pointercancel", "contextmenu"];
const ANSWERS = ["tried", "suggested"]; // what zones ask the kernel for, without deciding anything

class Table {
  /** @param {Model<TableTraits>} model @param {HTMLElement} el */
  constructor(model, el) {
    this.source = model;
    this.model = covering(model, this); // covered-hands.js
    this.view = model.get("view");
    this.key = `coursekit:${globalThis.location?.pathname}:${this.view.table}`;
    this.id = newId(); // the kernel answers all views of a table alike
    this.sends = 0;
    /** @type {{ matches: boolean }} */
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    // playback.js
    this.speed = recall("localStorage", "coursekit:speed") ?? "normal";
    this.at = 0; // which of view.scenes is shown
    this.shown = null; // the scene told last
    this.former = null; // the same, if what moves comes from there
    this.moving = null; // a stage of the way to the scene at hand, which is not told yet
    this.due = false; // a decision has not been brought into sight yet
    this.pressing = false; // a finger is down: what it points at must not be drawn anew
    this.late = false; // a view has come meanwhile
    // scene.js
    this.pieces = new Map(); // drawn now, by id
    this.open = new Set(); // folds that were opened
    this.sober = false; // no winner is crowned
    this.heard = this.view.told?.[0] ?? 0; // lines of the story announced so far
    // covered-hands.js and spectators.js
    this.hold = recall("localStorage", HOLD) === "1";
    this.holding = null; // the key or finger that holds the hand open
    this.onlookers = null; // the window for spectators
    // decisions.js
    this.used = false; // a decision was made here
    this.pending = false; // a decision was sent and not answered
    this.asked = null; // the last decision sent
    this.lost = ""; // what is said of answers that came too late, until something else is done
    this.living = new Map([...livingKinds].map(([kind, Kind]) => [kind, new Kind(this)])); // zones.js
    this.clocks = new Clocks(this);
    this.sounds = new Sounds(this);
    this.closeup = new Closeup(this);
    this.presses = new Presses(this);
    this.readArt();
    this.build(el);
  }

  readArt() {
    const art = new DOMParser().parseFromString(this.model.get("art"), "image/svg+xml");
    this.art = new Map(
      [...art.querySelectorAll("symbol")].map((symbol) => [
        symbol.getAttribute("id").replace(/^ck-/, ""),
        symbol,
      ]),
    );
  }

  say(id) {
    return this.model.get("words")[id] ?? id;
  }

  livingThat(holds) {
    return [...this.living.values()].filter(holds);
  }

  matchKey(name) {
    return `${this.key}:${this.view.match}:${name}`;
  }

  /** Send `content`, with the match it is about, so that what is asked of an old view is refused; return its name. */
  send(content) {
    const { match, branch, events } = this.view;
    this.sends += 1;
    const from = `${this.id}-${this.sends}`;
    this.model.send({ match, branch, events, from, ...content });
    return from;
  }

  build(place) {
    this.tools = el("div.ck-tools");
    this.title = el("h2.ck-title");
    this.counter = el("span.ck-entry"); // how far the match is
    this.keeping = el("div.ck-banner", { role: "status" });
    this.boxes = [];
    this.banner = el("div.ck-banner");
    this.stuck = el("div.ck-stuck", { role: "status" });
    this.formPlace = el("div.ck-form-place", {
      hidden: true,
      onkeydown: ({ key }) => key === "Escape" && (this.leaveWelcome(), this.closeForm()),
    });
    this.far = el("div.ck-far");
    this.middle = el("div.ck-middle");
    this.prompt = el("p.ck-prompt", {
      tabindex: "-1",
      "data-key": "prompt",
      onkeydown: (event) => event.key === "Enter" && this.playing() && this.skip(),
    });
    this.refusal = el("p.ck-refusal", { role: "status" });
    this.near = el("div.ck-near");
    this.side = el("div.ck-side-zones");
    this.story = el("ol.ck-story", { tabindex: "0", "data-follow": true });
    this.storyTitle = el("h3.ck-label");
    this.curtain = el("dialog.ck-curtain");
    this.asking = el("dialog.ck-asking"); // whether the others agree
    this.live = el("p.ck-hidden", { role: "status" });
    this.cloth = el(
      "div.ck-cloth",
      { onclick: () => this.playing() && this.skip() },
      this.far,
      this.middle,
      this.prompt,
      this.refusal,
      this.near,
    );
    this.stage = el(
      "div.ck-stage",
      this.cloth,
      el(
        "div.ck-side",
        this.side,
        el("section.ck-zone.ck-zone-story", this.storyTitle, this.story),
      ),
      this.closeup.place,
    );
    // It stays: an element that comes and goes has every `:has()` of the table looked at anew.
    this.gauge = el("b");
    this.letter = el("i", "\u5b57");
    this.root = el(
      `section.ck-table${this.view.board ? ".ck-board" : ""}`,
      { onkeydown: (event) => this.pressed(event) },
      this.tools,
      this.keeping,
      this.banner,
      this.formPlace,
      this.stuck,
      this.stage,
      this.live,
      this.curtain,
      this.asking,
      el("div.ck-gauge", { "aria-hidden": "true" }, this.gauge, this.letter),
      el("style", this.model.get("zone_css") ?? ""),
    );
    this.elsewhere = (event) => {
      const target = originOf(event);
      const within = (selector) => this.root.contains(target.closest?.(selector) ?? null);
      if (
        !this.closeup.sheet?.contains(target) &&
        !within("button.ck-piece, .ck-rules-open, .ck-weigh")
      )
        this.closeup.close();
      if (!target.closest?.(".ck-menu-list, .ck-menu")) this.closeMenu(); // also one that has been drawn anew since
    };
    document.addEventListener("click", this.elsewhere);
    this.seen = () => document.visibilityState === "visible" && this.send({ type: "look" }); // another page may have the match
    document.addEventListener("visibilitychange", this.seen);
    this.root.addEventListener("pointerdown", ({ button: which }) => {
      this.pressing ||= !(which > 0);
    });
    this.released = () => this.pressing && setTimeout(() => this.release(), 0); // after the click
    for (const type of RELEASES) document.addEventListener(type, this.released);
    this.measured = () => this.measure();
    globalThis.visualViewport?.addEventListener("resize", this.measured);
    // Within the observer's own round a table that changes its size is reported as an error of the page.
    this.watch = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.watch.observe(this.root);
    this.unheard = [this.listenForHolds(), this.presses.hear(this.root)];
    this.screened = () => this.leftScreen();
    document.addEventListener("fullscreenchange", this.screened);
    place.append(this.root);
  }

  measure() {
    const { height, offsetTop, scale } = globalThis.visualViewport;
    const covered = scale > 1.05 ? 0 : Math.max(0, innerHeight - height - offsetTop);
    this.root.style.setProperty("--ck-keyboard", `${covered}px`);
    this.root.classList.toggle("ck-keyboard", covered > 120);
  }

  hear(message) {
    const { type, text, name, to } = message;
    if (to && !to.startsWith(`${this.id}-`)) return; // another view of this table has asked
    if (type === "shared") return this.onlookers?.heard();
    if (type === "unsent") return this.wait();
    if (type === "sent") return this.arrived();
    if (type === "ticked") return this.clocks.ticked(message.tick);
    if (ANSWERS.includes(type)) return this.living.forEach((zone) => zone.hear(message));
    if (!to || to === this.asked) this.pending = false;
    if (type === "refused") this.refused(text, to);
    else if (type === "download") download(name, text, "application/json");
  }

  rememberMatch() {
    const { kept, match } = this.view;
    if (!kept) return;
    remember("sessionStorage", this.key, match);
    remember("localStorage", this.key, match);
  }

  hello() {
    const here = recall("sessionStorage", this.key);
    this.send({
      type: "hello",
      remembered: here ?? recall("localStorage", this.key),
      same_tab: here !== null,
    });
    if (this.hold) this.send({ type: "share" });
  }

  dispose() {
    for (const timer of [this.timer, this.patience, this.looking, this.clocks.counting])
      clearTimeout(timer);
    globalThis.visualViewport?.removeEventListener("resize", this.measured);
    for (const type of RELEASES) document.removeEventListener(type, this.released);
    this.watch.disconnect();
    this.sounds.dispose();
    this.living.forEach((zone) => zone.dispose());
    document.removeEventListener("click", this.elsewhere);
    document.removeEventListener("fullscreenchange", this.screened);
    document.removeEventListener("visibilitychange", this.seen);
    this.unheard.forEach((end) => end());
    this.onlookers?.close();
    this.root.remove();
  }
}

/** Pictures with a line each: tables of which nothing can be used. */
function drawStills(model, el) {
  const list = document.createElement("ol");
  list.className = "ck-stills";
  el.append(list);
  const tables = model.get("stills").map(({ line, view }) => {
    const place = document.createElement("div");
    place.className = "ck-still";
    place.inert = true;
    const item = list.appendChild(document.createElement("li"));
    item.append(place, Object.assign(document.createElement("p"), { textContent: line }));
    const given = { view, setup: {}, languages: [], handbook: {} };
    const still = { get: (name) => given[name] ?? model.get(name), on() {}, off() {}, send() {} };
    const table = new Table(still, place);
    table.show(view);
    return table;
  });
  return () => tables.forEach((table) => table.dispose());
}

/** @param {{ model: Model<TableTraits>, el: HTMLElement }} place */
function render({ model, el }) {
  if (model.get("stills")) return drawStills(model, el);
  const table = new Table(model, el);
  const listeners = {
    "change:view": () => {
      if (model.get("view").tick !== table.clocks.tick) table.clocks.ticked(model.get("view").tick);
      table.show(table.model.get("view"));
      table.onlookers?.follow();
      table.rememberMatch();
    },
    "change:words": () => table.show(table.model.get("view")),
    "change:setup": () => table.form && table.openForm(),
    "change:handbook": () => table.closeup.redraw(),
    "change:art": () => table.readArt(),
    "msg:custom": (content) => table.hear(content),
  };
  table.show(table.model.get("view"));
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  table.greet();
  table.hello();
  return () => {
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
    table.dispose();
  };
}

export default withStyles({ render });
