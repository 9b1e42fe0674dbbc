// The map to draw on: choosing, moving and linking by mouse, finger and key. MapDrawing draws it.

const STEP = 24; // pixels that Alt and an arrow move a card
const ONE_STEP = 1200; // milliseconds within which moves by key are one step
const PULLED = 12; // pixels from which a pull on the handle is no tap
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The concept that lies nearest to `from` in a direction, "" if there is none.
 * @param {Map<string, number[]>} points by concept */
function neighbour(points, from, [dx, dy]) {
  const own = points.get(from);
  let best = "";
  let least = Infinity;
  for (const [id, point] of points) {
    const [x, y] = [point[0] - own[0], point[1] - own[1]];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (id === from || ahead <= 0.5 || aside > 3 * ahead) continue;
    const cost = ahead + 2.2 * aside;
    if (cost < least) [best, least] = [id, cost];
  }
  return best;
}

class Canvas {
  constructor(editor) {
    this.editor = editor;
    this.drawing = null; // until the library is there
    this.linking = null; // the concept from which a relation is to lead
    this.movedAt = 0;
    this.memory = storage("sessionStorage", `coursekit/map/view/${editor.key}`);
    const { word } = editor;
    const keysId = newId();
    this.board = el("div.ck-map-board", {
      tabindex: "0",
      role: "application",
      "aria-label": word("field"),
      "aria-describedby": keysId,
      onkeydown: (event) => this.onKey(event),
      onfocus: () => this.onFocus(),
    });
    this.handle = el(
      "button.ck-map-handle",
      {
        title: word("pull"),
        "aria-label": word("pull"),
        tabindex: "-1",
        hidden: true,
        onpointerdown: (event) => this.pull(event),
        onclick: (event) => event.detail === 0 && this.startLink(this.editor.selected),
      },
      icon("arrow"),
    );
    this.thread = svg("path");
    this.asleep = el(
      "button.ck-map-asleep",
      { hidden: true, onclick: () => this.wake(true) },
      el("span", word("tap_first")),
    );
    this.whole = press("fit", word("fit"), {
      class: "ck-map-whole",
      title: word("fit_title"),
      onclick: () => this.fitOrNear(),
    });
    this.floor = el("div.ck-map-floor");
    this.root = el(
      "div.ck-map-canvas",
      this.board,
      svg("svg.ck-map-thread", { "aria-hidden": "true" }, this.thread),
      this.handle,
      this.asleep,
      this.whole,
      this.floor,
      el("p.ck-map-unseen", { id: keysId }, word("keys_short")),
    );
    this.board.addEventListener(
      "wheel",
      (event) => event.ctrlKey || event.metaKey || event.stopPropagation(), // the page scrolls
      { capture: true, passive: true },
    );
    this.outside = (event) =>
      !this.root.closest(".ck-map")?.contains(originOf(event)) && this.wake(false);
    document.addEventListener("pointerdown", this.outside, true);
    this.ends = [
      editor.on("map", (what) => this.sync(what)),
      editor.on("select", (id, more) => this.onSelect(id, more)),
      editor.on("view", () => this.show()),
    ];
    loadLibrary(editor.model, () => editor.ask({ type: "library" })).then(
      (cytoscape) => this.begin(cytoscape),
      () => editor.tell(word("no_library"), true),
    );
  }

  begin(cytoscape) {
    if (this.gone) return;
    this.drawing = new MapDrawing(this.board, this.editor.setting, cytoscape);
    const { cy } = this.drawing;
    this.wake(!isFinger() || this.editor.model.get("panels")?.length === 0);
    cy.on("tapstart", () => this.board.focus({ preventScroll: true })); // the library takes the focus away
    cy.on("tap", (event) => this.tap(event));
    cy.on("dbltap", (event) => this.tapTwice(event));
    cy.on("drag", ".card", ({ target }) => this.drag(target));
    cy.on("dragfree", ".card", () => this.keepPlaces());
    cy.on("position pan zoom resize", () => this.onFrame(() => this.follow()));
    cy.on("dragpan pinchzoom scrollzoom", () => this.remember());
    this.place = new ResizeObserver(() => this.show());
    this.place.observe(this.root);
    this.sync({ whole: true });
  }

  leave() {
    this.gone = true;
    this.ends.forEach((end) => end());
    this.place?.disconnect();
    document.removeEventListener("pointerdown", this.outside, true);
    this.drawing?.close();
  }

  // What is drawn

  sync({ whole: isWhole = false } = {}) {
    if (!this.drawing || !this.editor.ready) return;
    const { map } = this.editor;
    if (isWhole) this.drawing.fitPlaces(map);
    else this.drawing.draw(map);
    this.placeNew();
    this.mark();
    if (isWhole) this.recall() || this.fit();
    if (isWhole && this.board.getRootNode().activeElement === this.board) this.onFocus(); // it came before the map
    if (this.linking && !map.concepts.has(this.linking)) this.stopLink();
    this.wake(this.isAwake);
  }

  /** Give a place to every concept without one: the others stay, and undo takes back both. */
  placeNew() {
    const { editor, drawing } = this;
    const without = [...editor.map.concepts].filter(([, { at }]) => !at).map(([id]) => id);
    if (!without.length) return;
    const isWhole = without.length === editor.map.concepts.size && without.length > 1;
    const places = isWhole
      ? drawing.layOut()
      : Object.fromEntries(without.map((id) => [id, drawing.placeFor(id)]));
    editor.edit(moveConcepts(editor.map, places), true);
    if (isWhole) this.fit();
  }

  tidy() {
    this.editor.edit(moveConcepts(this.editor.map, this.drawing.layOut()));
    this.drawing.draw(this.editor.map);
    this.fit();
  }

  show() {
    if (!this.drawing || !this.root.clientWidth) return;
    this.drawing.cy.resize();
    if (!this.memory.get()) this.fit();
    this.follow();
  }

  fit() {
    this.memory.remove();
    this.drawing.fit();
    const { cy } = this.drawing;
    const isPhone = this.root.clientWidth < PHONE;
    if (isPhone && cy.zoom() < READABLE && this.editor.map.concepts.size) this.near();
    this.whole.querySelector(".ck-map-text").textContent = this.editor.word("fit");
  }

  /** Words in a size that can be read, around what is selected or the top. */
  near() {
    const { cy, order } = this.drawing;
    cy.zoom(Math.max(READABLE, 1));
    cy.center(cy.getElementById(this.editor.selected ?? order.top));
  }

  fitOrNear() {
    const before = this.drawing.cy.zoom();
    this.drawing.fit();
    if (Math.abs(this.drawing.cy.zoom() - before) < 0.01) this.near();
    this.remember();
  }

  remember() {
    const { cy } = this.drawing;
    this.memory.set({ pan: cy.pan(), zoom: cy.zoom() });
  }

  recall() {
    const view = this.memory.get();
    if (view) this.drawing.cy.viewport(view);
    return Boolean(view);
  }

  mark() {
    const { editor } = this;
    const { cy } = this.drawing;
    cy.elements(".on, .near").removeClass("on near");
    const chosen = cy.getElementById(editor.selected ?? "");
    chosen.addClass("on");
    if (chosen.hasClass("phrase")) chosen.connectedEdges().addClass("on");
    chosen.openNeighborhood(".card").addClass("near");
    cy.getElementById(this.linking ?? "").addClass("near");
    this.follow();
  }

  /** Keep the handle beside the selected card. */
  follow() {
    const { editor, drawing, handle } = this;
    const isCard = editor.map.concepts.has(editor.selected);
    this.whole.hidden = !drawing || (this.root.clientWidth < PHONE && drawing.isAllSeen);
    handle.hidden = !isCard || !drawing || Boolean(this.linking) || !this.isAwake;
    if (handle.hidden) return;
    const { x2, y1, y2 } = drawing.cy
      .getElementById(editor.selected)
      .renderedBoundingBox({ includeLabels: false });
    handle.style.left = `${Math.min(x2, this.root.clientWidth - 26)}px`;
    handle.style.top = `${(y1 + y2) / 2}px`;
  }

  /** @param {string | null} id @param {{ show?: boolean, focus?: boolean }} [more] */
  onSelect(id, { show, focus } = {}) {
    if (!this.drawing) return;
    this.mark();
    if (focus && this.editor.view === "map") this.board.focus({ preventScroll: true });
    if (id && (show || focus)) this.reveal(id);
  }

  /** Bring a thing into the part of the map that nothing covers. */
  reveal(id) {
    const { cy } = this.drawing ?? {};
    const thing = cy?.getElementById(id);
    if (!thing?.length || !this.root.clientWidth) return;
    const { x1, x2, y1, y2 } = thing.renderedBoundingBox();
    const right = this.root.clientWidth - 30;
    const low = this.root.clientHeight - this.editor.covered - 16;
    const by = {
      x: x2 > right ? right - x2 : x1 < 12 ? 12 - x1 : 0,
      y: y2 > low ? low - y2 : y1 < 12 ? 12 - y1 : 0,
    };
    if (!by.x && !by.y) return;
    if (this.drawing.fittingZoom(this.editor.covered) < READABLE) cy.panBy(by);
    else this.drawing.fit(this.editor.covered);
  }

  // Mouse and finger

  /** With fingers, the page scrolls over the map until the map is tapped. */
  wake(isAwake) {
    if (!isFinger() || this.editor.model.get("panels")?.length === 0) isAwake = true;
    this.isAwake = isAwake;
    this.asleep.hidden = isAwake || this.editor.map.concepts.size === 0;
    this.follow();
  }

  tap({ target, cy }) {
    const { editor } = this;
    const id = target === cy ? null : (target.data("of") ?? target.id());
    if (this.linking) {
      if (id && editor.map.concepts.has(id)) this.link(this.linking, id);
      else this.stopLink();
      return;
    }
    editor.select(id);
    if (id) this.tellSelected();
  }

  tapTwice({ target, cy, position }) {
    if (target === cy) this.editor.forms.concept({ at: this.drawing.placeAt(position) });
    else this.editor.select(target.data("of") ?? target.id(), { open: true });
  }

  /** Do `act` once before the next picture, whatever is asked for until then. */
  onFrame(act) {
    this.later = act;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.gone) this.later();
    });
  }

  /** The phrases of a card go with it; they find their best places when it is put down. */
  drag(card) {
    const ids = this.editor.linksOf(card.id()).map(([id]) => id);
    this.onFrame(() => {
      this.drawing.placePhrases(ids, true);
      this.follow();
    });
  }

  keepPlaces() {
    const { editor, drawing } = this;
    const places = {};
    for (const node of drawing.cards) {
      const at = drawing.placeAt(node.position());
      if (!isSame(at, editor.map.concepts.get(node.id())?.at)) places[node.id()] = at;
    }
    editor.edit(moveConcepts(editor.map, places));
    this.remember();
  }

  /** A pull from the handle: to a card, to free space for a new concept, or a tap, which asks for the goal. */
  pull(event) {
    event.preventDefault();
    const { cy } = this.drawing;
    const from = this.editor.selected;
    const box = this.root.getBoundingClientRect();
    const start = cy.getElementById(from).renderedPosition();
    const at = ({ clientX, clientY }) => ({ x: clientX - box.left, y: clientY - box.top });
    let goal = null;
    const move = (moving) => {
      const { x, y } = at(moving);
      this.thread.setAttribute("d", `M${start.x} ${start.y}L${x} ${y}`);
      goal = this.cardAt({ x, y });
      this.drawing.cards.filter(".near").removeClass("near");
      if (goal !== from) cy.getElementById(goal ?? "").addClass("near");
    };
    const up = (ending) => {
      this.handle.removeEventListener("pointermove", move);
      this.thread.removeAttribute("d");
      this.mark();
      if (ending.type === "pointercancel") return;
      const point = at(ending);
      const far = Math.hypot(ending.clientX - event.clientX, ending.clientY - event.clientY);
      goal = this.cardAt(point);
      if (far < PULLED) this.startLink(from);
      else if (goal && goal !== from) this.link(from, goal);
      else if (!goal)
        this.editor.forms.concept({ from, at: this.drawing.placeAt(this.modelPoint(point)) });
    };
    this.handle.setPointerCapture(event.pointerId);
    this.handle.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"])
      this.handle.addEventListener(end, up, { once: true });
  }

  cardAt({ x, y }) {
    const hit = this.drawing.cards.filter((node) => {
      const { x1, x2, y1, y2 } = node.renderedBoundingBox({ includeLabels: false });
      return x >= x1 && x <= x2 && y >= y1 && y <= y2;
    });
    return hit.length ? hit[0].id() : null;
  }

  modelPoint({ x, y }) {
    const { cy } = this.drawing;
    return { x: (x - cy.pan().x) / cy.zoom(), y: (y - cy.pan().y) / cy.zoom() };
  }

  // Linking

  /** Let the next card chosen be the end of a relation that begins with `from`. */
  startLink(from) {
    const { editor } = this;
    if (editor.map.concepts.size < 2) return editor.tell(editor.word("link_none"));
    if (!editor.map.concepts.has(from)) return editor.tell(editor.word("link_first"));
    this.linking = from;
    this.wake(true);
    this.root.classList.add("ck-map-linking");
    editor.forms.relation({ start: from });
    if (this.drawing) this.mark();
  }

  stopLink() {
    if (!this.linking) return;
    this.linking = null;
    this.root.classList.remove("ck-map-linking");
    if (this.drawing) this.mark();
  }

  link(start, end) {
    this.stopLink();
    if (start === end) this.editor.tell(this.editor.word("link_itself"));
    else this.editor.forms.relation({ start, end });
  }

  // Keys

  onFocus() {
    const { editor } = this;
    if (!editor.selected && this.drawing?.order?.top && !this.root.matches(":active"))
      editor.select(this.drawing.order.top);
    this.tellSelected();
  }

  tellSelected() {
    const { editor } = this;
    const concept = editor.map.concepts.get(editor.selected);
    const relation = editor.map.relations.get(editor.selected);
    if (relation) editor.say(editor.sentence(relation));
    else if (concept) {
      const links = editor.linksOf(editor.selected).map(([, link]) => editor.sentence(link));
      const count = editor.word("relations_of", { number: links.length });
      editor.say([concept.label, count, ...links].join(editor.word("comma")));
    }
  }

  onKey(event) {
    const { editor, drawing } = this;
    if (!drawing || event.ctrlKey || event.metaKey || composingIn(event)) return;
    const chosen = editor.selected;
    const concept = editor.map.concepts.has(chosen);
    const way = ARROWS[event.key];
    const acts = {
      Enter: () =>
        this.linking
          ? this.link(this.linking, chosen)
          : chosen && editor.select(chosen, { open: true }),
      F2: () => chosen && editor.select(chosen, { open: true }),
      Delete: () => editor.remove(chosen),
      Backspace: () => editor.remove(chosen),
      Escape: () => (this.linking ? editor.forms.close() : editor.select(null)),
      n: () => editor.forms.concept(concept ? { from: chosen } : {}),
      l: () => this.startLink(chosen),
      0: () => this.fitOrNear(),
      "+": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      "?": () => editor.forms.keys(),
    };
    const act = way
      ? () => this.arrow(way, event.altKey)
      : (acts[event.key] ?? acts[event.key.toLowerCase()]);
    if (!act || (event.altKey && !way)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  zoom(by) {
    const { cy } = this.drawing;
    const middle = { x: cy.width() / 2, y: cy.height() / 2 };
    cy.zoom({ level: cy.zoom() * by, renderedPosition: middle });
    this.remember();
  }

  arrow([dx, dy], isMove) {
    const { editor, drawing } = this;
    const { cy } = drawing;
    const relation = editor.map.relations.get(editor.selected);
    const from = relation ? relation.end : (editor.selected ?? drawing.order.top);
    if (!from) return;
    if (isMove && !relation) {
      const { x, y } = cy.getElementById(from).position();
      const at = drawing.placeAt({ x: x + dx * STEP, y: y + dy * STEP });
      const now = performance.now();
      const isSameStep = this.moved === editor.map && now - this.movedAt < ONE_STEP;
      editor.edit(moveConcepts(editor.map, { [from]: at }), isSameStep);
      this.moved = editor.map;
      this.movedAt = now;
      this.reveal(from);
      return;
    }
    const points = new Map(
      drawing.cards.map((node) => [node.id(), [node.position("x"), node.position("y")]]),
    );
    const isStep = editor.selected && !relation;
    const next = isStep ? neighbour(points, from, [dx, dy]) : from;
    if (!next) return;
    editor.select(next, { show: true });
    this.tellSelected();
  }
}
