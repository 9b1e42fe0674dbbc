// What is drawn and not laid: the kernel says whether it may be, or proposes it.

const WAIT = 120; // milliseconds after the last nudge until it is tried

const loopOf = (points, pin) => (pin ? ["loop", points, pin] : ["loop", points]);

Object.assign(Venn.prototype, {
  drawDraft() {
    const draft = this.shown;
    const parts = [];
    if (this.pull?.stroke && this.pull.moved) {
      const points = this.pull.stroke.map((point) => this.px(point));
      const d = `M${points.map((point) => point.map((part) => part.toFixed(1)).join(" ")).join("L")}`;
      parts.push(
        svg("path.ck-venn-line", { d, "stroke-width": this.thick }),
        svg("line.ck-venn-close", {
          x1: points[0][0],
          y1: points[0][1],
          x2: points.at(-1)[0],
          y2: points.at(-1)[1],
        }),
      );
    } else if (draft?.points) {
      const points = draft.points.map((point) => this.px(point));
      const path = stringPath(points, draft.state === "refused" ? 0 : 4 * this.scale);
      parts.push(
        svg(`path.ck-venn-draft ck-${draft.state}${draft.moves ? " ck-moves" : ""}`, {
          d: path,
          "stroke-width": this.thick * 1.1,
        }),
      );
      if (draft.pin && draft.state !== "asking") {
        const { tip, end, angle } = this.pegAt(draft.points, draft.pin);
        parts.push(this.peg(tip, end, angle, `ck-venn-tone-${this.zone.loops.length}`));
      }
    } else if (draft?.at) {
      const [cx, cy] = this.px(draft.at);
      parts.push(
        svg(`circle.ck-venn-ghost ck-${draft.state}`, { cx, cy, r: this.radius }),
        svg(
          "text.ck-venn-number",
          { x: cx, y: cy, "font-size": Math.max(12, this.radius * 1.35) },
          String(this.spool),
        ),
      );
    }
    this.over.replaceChildren(...parts);
    this.handle.hidden = !draft?.points;
    if (!draft?.points) return;
    for (const [name, value] of Object.entries(this.place(this.px(middleOf(draft.points)))))
      this.handle.style.setProperty(name, value);
    this.handle.setAttribute("aria-label", this.say("nudge"));
  },

  choose(number) {
    this.spool = number;
    if (this.draft) this.draft.action = ["spool", number, ...this.draft.at];
    this.drawAll();
  },

  /** Look at a place for the spool; the same place again puts it there. */
  pick(at) {
    if (this.draft?.at.join() === at.join()) return this.lay();
    const inside = this.zone.loops.flatMap(({ points }, loop) => (holds(points, at) ? [loop] : []));
    const spot = this.zone.spots.find((place) => place.at.join() === at.join());
    this.lit = null;
    this.draft = {
      at,
      loops: inside,
      action: ["spool", this.spool, ...at],
      state: spot ? "legal" : "asking",
      label: this.labelOf(inside),
    };
    this.drawAll();
    if (!spot) this.ask();
  },

  labelOf(loops) {
    return this.zone.spots.find((spot) => spot.loops.join() === loops.join())?.label;
  },

  /** Make a draft of `points`, and ask the kernel about it. A finger moves it (`moves`) unless it is only a bad stroke. */
  propose(points, pin, suggested) {
    this.draft = {
      shape: null,
      stroke: points,
      points,
      pin,
      action: loopOf(points, pin),
      state: "asking",
      suggested,
      moves: suggested,
    };
    this.drawAll();
    this.ask();
  },

  reshape(shape) {
    const points = placed(shape);
    Object.assign(this.draft, {
      shape,
      stroke: points,
      points,
      pin: null,
      action: loopOf(points, null),
      state: "asking",
      moves: true,
    });
    this.looked = false;
    this.later();
  },

  nudge(by) {
    if (!this.shown?.points) return;
    this.reshape(nudged(this.draft.shape ?? shapeOf(this.draft.points), this.wayOf(by)));
    this.drawDraft();
    this.tell();
  },

  movePin() {
    const { points, pin } = this.draft;
    const at = points.findIndex((point) => point.join() === pin?.join());
    this.pinAt(points[(at + 1) % points.length]);
    this.drawDraft();
    this.tell();
  },

  pinAt(pin) {
    Object.assign(this.draft, { pin, action: loopOf(this.draft.stroke, pin) });
    this.later();
  },

  later() {
    clearTimeout(this.timer);
    this.draft.wanted = false;
    this.n += 1; // what was asked before is out of date
    this.timer = setTimeout(() => this.ask(), WAIT);
  },

  ask() {
    clearTimeout(this.timer);
    if (!this.shown) return;
    this.n += 1;
    this.table.send({ type: "try", seat: this.seat, action: this.draft.action, n: this.n });
  },

  suggest() {
    this.note = "";
    this.table.send({ type: "suggest", seat: this.seat, n: this.round, about: this.about });
  },

  /** Lay the draft; one that is still judged as soon as it may be laid, a refused one not at all. */
  lay() {
    const draft = this.shown;
    if (draft?.state === "legal")
      this.table.act(
        { action: draft.action, seat: this.seat },
        this.tools.querySelector("[data-key='venn-lay']"),
      );
    else if (draft?.state === "asking") draft.wanted = true;
    else if (draft) {
      this.looked = false;
      this.says.replaceChildren(); // so that it is said again
      this.tell();
    }
  },

  drop() {
    clearTimeout(this.timer);
    this.n += 1;
    this.draft = null;
    if (this.pull) this.pull = { id: this.pull.id, from: this.pull.from, moved: true }; // what the finger still does is nothing
  },

  give() {
    this.drop();
    this.drawAll();
  },

  hear({ type, n, text, preview, action, about }) {
    if (type === "tried" && n === this.n && this.draft) {
      Object.assign(this.draft, { state: text ? "refused" : "legal", text, about });
      this.draft.moves ||= !text;
      this.looked = false;
      if (preview?.points) {
        this.draft.shape ??= shapeOf(preview.points); // nudges start from the loop that became of the stroke
        Object.assign(this.draft, { points: preview.points, pin: preview.pin });
      }
      if (preview?.loops)
        Object.assign(this.draft, { loops: preview.loops, label: this.labelOf(preview.loops) });
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
  },
});
