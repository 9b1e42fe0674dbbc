// Fingers, mice and keys on the picture.

const STILL = 6; // pixels that a finger may move and still tap
const NEAR = { spool: 24, pin: 20 }; // pixels from which a tap means it

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

Object.assign(Venn.prototype, {
  tap(event) {
    const { swept } = this;
    this.swept = false;
    if ((swept && event.detail > 0) || this.table.playing()) return;
    const [number, spot] = [this.keyed(event, "venn-spool-"), this.keyed(event, "venn-spot-")];
    if (event.detail === 0 || event.detail === undefined) {
      // by key
      if (number !== null) this.light(Number(number));
      else if (spot !== null) this.pick(spot.split("-").map(Number));
      return;
    }
    const at = this.at(event);
    const nearest = (things) =>
      things
        .map(({ thing, px }) => ({ thing, far: apart(px, this.px(at)) }))
        .sort((a, b) => a.far - b.far)[0];
    const spool = nearest(this.zone.spools.map((thing) => ({ thing, px: this.px(thing.at) })));
    const place = nearest(this.places.map(({ spot, px }) => ({ thing: spot, px })));
    if (place?.far < this.spotSize / 2 && !(spool?.far < place.far))
      return this.pick(place.thing.at);
    if (spool?.far < (this.zone.put ? this.radius : NEAR.spool))
      return this.light(spool.thing.number);
    if (this.zone.put) return this.pick(at.map(Math.round));
    const tag = this.hangs.find(({ box }) =>
      overlap(box, boxAt(this.px(at), { width: 0, height: 0 }), 4),
    );
    if (tag) return this.light(this.zone.loops[tag.loop].id);
    this.light(null);
  },

  keyed(event, start) {
    const key = event.target.closest?.("[data-key]")?.dataset.key;
    return key?.startsWith(start) ? key.slice(start.length) : null;
  },

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
    if (spool && this.lit)
      /** @type {AnswerPads} */ (this.table.living.get("answer-pad")).shown?.go(key);
  },

  litOf(key) {
    const loop = this.zone.loops.findIndex(({ id }) => id === key);
    const { loops, label } = this.spoolOf(key) ?? {
      loops: [loop],
      label: this.zone.loops[loop]?.label,
    };
    return label === undefined ? null : { key, loops, label };
  },

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
    else if (draft?.moves && holds(draft.points, at))
      pull.shape = draft.shape ?? shapeOf(draft.points);
    else pull.stroke = [at];
    this.pull = pull;
    this.canvas.setPointerCapture(pull.id);
    document.addEventListener("touchmove", this.still, { passive: false });
  },

  endPull() {
    this.pull = null;
    document.removeEventListener("touchmove", this.still);
  },

  pulled(event) {
    const { pull } = this;
    if (event.pointerId !== pull?.id) return;
    const at = this.at(event);
    pull.moved ||= apart(pull.from, at) * this.scale > STILL;
    if (!pull.moved) return;
    if (pull.stroke)
      pull.stroke.push(
        ...(event.getCoalescedEvents?.() ?? [event]).map((moment) => this.at(moment)),
      );
    else if (pull.shape)
      this.reshape(nudged(pull.shape, { x: at[0] - pull.from[0], y: at[1] - pull.from[1] }));
    else if (pull.pin)
      this.pinAt(
        this.draft.points.reduce((best, point) =>
          apart(point, at) < apart(best, at) ? point : best,
        ),
      );
    this.drawDraft();
  },

  letGo({ type, pointerId }) {
    const { pull } = this;
    if (pointerId !== pull?.id) return;
    this.endPull();
    this.swept = pull.moved;
    if (type === "pointerup" && pull.moved && pull.stroke)
      this.drawn(thinned(pull.stroke, this.zone.size));
    else this.drawDraft();
  },

  drawn(points) {
    if (!this.zone.draw) return;
    this.note = "";
    this.lit = null;
    this.propose(points, null, false);
  },

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const found =
      Object.values(NUDGES).find(({ key }) => key === event.key) ??
      (event.key === "=" && NUDGES.larger) ??
      null;
    if (found) this.nudge(found.by(event.shiftKey ? 8 : 2));
    else if (event.key === "Enter" && !event.repeat) this.lay();
    else return;
    event.preventDefault();
  },

  escape(event) {
    if (event.key !== "Escape" || !(this.shown || this.pull)) return;
    this.give();
    this.focus("venn-suggest");
  },
});
