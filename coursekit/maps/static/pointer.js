// Fingers and mice. One finger scrolls the page until a tap makes the map active: then a finger on the ground moves the
// paper and one on a card the card, until a tap outside or Escape. Two fingers always zoom.

const STILL = 7; // pixels that a finger may move and still tap
const TWICE = 380; // milliseconds between the taps of a double tap

Object.assign(Drawing.prototype, {
  wake() {
    if (this.active) return;
    this.active = true;
    this.root.classList.add("ck-map-active");
  },

  rest() {
    this.active = false;
    this.root.classList.remove("ck-map-active");
    this.hint.hidden = true;
  },

  hover(event) {
    if (event.pointerType !== "mouse" || this.pull) return;
    const id = event.target.closest?.("[data-id]")?.dataset.id;
    if (this.boxes.has(id)) this.hold(id);
  },

  down(event) {
    if (event.target.closest(".ck-map-form")) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size === 2) {
      this.unpull();
      const [one, other] = [...this.fingers.values()];
      this.pull = {
        what: "pinch",
        apart: far(one, other),
        zoom: this.view.zoom,
        middle: this.inField([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]),
        view: this.view,
      };
      return;
    }
    if (this.fingers.size > 2 || (event.button !== 0 && event.button !== 1)) return;
    const touch = event.pointerType !== "mouse";
    const part = event.target.closest("[data-handle], [data-id]");
    const id = part?.dataset.id;
    let what = "pan";
    if (event.button !== 1) {
      if (touch && !this.active) what = "tap";
      else if (part?.dataset.handle !== undefined) what = "link";
      else if (this.boxes.has(id)) what = "card";
    }
    this.pull = {
      what,
      id: part?.dataset.handle !== undefined ? this.held : id,
      from: [event.clientX, event.clientY],
      view: this.view,
      moved: false,
      pointer: event.pointerId,
      touch,
    };
    if (what === "card") {
      const [x, y] = this.toPaper(event);
      const box = this.boxes.get(id);
      this.pull.grip = [box.x - x, box.y - y];
    }
    if (what !== "tap") attempt(() => this.field.setPointerCapture(event.pointerId));
    if (!touch) event.preventDefault(); // selects no text
  },

  inField([x, y]) {
    const { left, top } = this.field.getBoundingClientRect();
    return [x - left, y - top];
  },

  onMove(event) {
    if (!this.fingers.has(event.pointerId) || !this.pull) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const { pull } = this;
    if (pull.what === "pinch") {
      const [one, other] = [...this.fingers.values()];
      const middle = this.inField([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]);
      const zoom = between(
        (pull.zoom * far(one, other)) / Math.max(1, pull.apart),
        NEAREST,
        CLOSEST,
      );
      const grown = zoom / pull.view.zoom;
      this.look({
        zoom,
        x: middle[0] - (pull.middle[0] - pull.view.x) * grown,
        y: middle[1] - (pull.middle[1] - pull.view.y) * grown,
      });
      return;
    }
    const by = [event.clientX - pull.from[0], event.clientY - pull.from[1]];
    if (!pull.moved && Math.hypot(...by) < STILL) return;
    pull.moved = true;
    pull.at = event;
    if (pull.what === "pan")
      this.look({ zoom: this.view.zoom, x: pull.view.x + by[0], y: pull.view.y + by[1] });
    else if (pull.what !== "tap" && !pull.frame)
      pull.frame = requestAnimationFrame(() => this.follow(pull));
  },

  follow(pull) {
    pull.frame = 0;
    if (this.pull !== pull) return;
    const [x, y] = this.toPaper(pull.at);
    if (pull.what === "card") {
      if (!pull.lifted) {
        pull.lifted = true;
        this.raise(pull.id);
      }
      this.put(pull.id, this.placeAt([x + pull.grip[0], y + pull.grip[1]]));
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
    const [a, c, b] = partOf(
      curve,
      leaves(curve, start, false),
      goal ? leaves(curve, end, true) : 1,
    );
    this.thread.setAttribute("d", `M${spot(a)}Q${spot(c)} ${spot(b)}`);
    if (this.thread.parentNode !== this.over) this.over.append(this.thread);
  },

  raise(id) {
    this.handle.remove();
    const [strokes, cards, phrases] = this.aloft;
    const { element } = this.boxes.get(id);
    this.wasAt = this.focusedId();
    element.classList.add("ck-map-lifted");
    cards.append(element);
    for (const line of this.touching.get(id) ?? []) {
      strokes.append(this.lines.get(line).element);
      phrases.append(this.lines.get(line).label);
    }
  },

  lower() {
    [this.strokes, this.cards, this.phrases].forEach((layer, at) =>
      layer.append(...this.aloft[at].childNodes),
    );
    this.cards
      .querySelectorAll(".ck-map-lifted")
      .forEach((element) => element.classList.remove("ck-map-lifted"));
    if (this.wasAt) this.focusOn(this.wasAt);
    this.wasAt = null;
  },

  /** The concept at a point of the paper, but not `except`. */
  under(point, except) {
    return (
      [...this.boxes]
        .filter(([id, box]) => id !== except && inside(box, point, 8))
        .map(([id]) => id)
        .at(-1) ?? null
    );
  },

  up(event) {
    this.fingers.delete(event.pointerId);
    const { pull } = this;
    if (!pull || (pull.what !== "pinch" && pull.pointer !== event.pointerId)) return;
    if (pull.what === "pinch") {
      this.wake();
      this.pull = null;
      return;
    }
    if (pull.moved && ["card", "link"].includes(pull.what)) {
      cancelAnimationFrame(pull.frame);
      this.follow(pull); // the kernel may have moved the paper since
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
      else this.editor.forms.concept({ from: pull.id, at: this.placeOf(this.toPaper(event)) });
    }
  },

  /** Drop a card: this is one edit. */
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
  },

  cancel(event) {
    this.fingers.delete(event.pointerId);
    if (this.pull?.what === "tap" && this.pull.id) this.advise(this.editor.word("tap_first"));
    this.unpull();
  },

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
  },

  advise(words) {
    this.hint.textContent = words;
    this.hint.hidden = false;
    clearTimeout(this.advised);
    this.advised = setTimeout(() => {
      this.hint.hidden = true;
    }, 4000);
  },

  tap(event, pull) {
    const { id, what, from, touch } = pull;
    const fresh = !this.active;
    this.wake();
    this.hint.hidden = true;
    const time = event.timeStamp;
    const twice =
      time - this.tapped.time < TWICE &&
      this.tapped.id === id &&
      far(this.tapped.from ?? [0, 0], from) < 24;
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
      else editor.forms.concept({ at: this.placeOf(this.toPaper(event)) });
    } else if (id) {
      editor.select(id, { focus: true, tapped: true });
      if (this.lines.has(id) && !editor.map.relations.get(id).phrase && !fresh)
        editor.forms.relation({ id });
    } else {
      editor.select(null);
      this.field.focus({ preventScroll: true }); // so that keys work here and do not edit the notebook
      if (fresh && touch) this.advise(editor.word("awake"));
    }
  },
});
