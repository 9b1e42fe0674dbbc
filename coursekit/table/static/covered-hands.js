// Hands at a screen that others see as well: covered until somebody takes it, shown while held, or all of it blanked.

const HOLD = "coursekit:hold"; // whether this browser shows a hand only while a key or a finger holds it
const TYPING =
  "input:not([type=checkbox], [type=radio], [type=range]), select, textarea, [contenteditable]";
const KEYS = { h: "hold", b: "blank" };

const covering = (model, table) => ({
  get: (name) => (name === "view" ? table.inSight(model.get(name)) : model.get(name)),
  send: (content) => model.send(content),
});

/** `scene` of a spectator, with the plate and the card of `viewer` in their places: only the hand is missing. */
const seated = (scene, viewer) => {
  const marked = (list) => list.map((place) => ({ ...place, you: place.seat === viewer }));
  return {
    ...scene,
    zones: scene.zones.map((zone) => ({
      ...zone,
      ...(zone.places && { places: marked(zone.places) }),
      ...(zone.slots && { slots: marked(zone.slots) }),
    })),
  };
};

/** `scene` without what is its viewer's, while the kernel has not told yet what a spectator sees. */
const handless = (scene) => ({
  ...scene,
  prompt: "",
  turn: false,
  zones: scene.zones.filter(({ place }) => place !== "near"),
});

Object.assign(Table.prototype, {
  covers(covered) {
    if (covered.length) return [this.cover(covered)];
    const fitted = this.root.classList.contains("ck-fitted");
    if (fitted && this.holding !== null) return []; // the hand lies in its place; what holds it is heard wherever it is let go
    return this.keepsCovered(this.model.get("view")) ? [this.holdBox()] : [];
  },

  cover(waiting) {
    const text =
      waiting.length > 1
        ? this.view.covered_words
        : this.say("covered").replace("{name}", waiting[0].name);
    return el(
      "div.ck-covered",
      el("div.ck-covered-cards", ...[0, 1, 2].map(() => card({ back: true }, this))),
      el("p.ck-covered-name", text),
      ...waiting.map(({ seat, name }, at) =>
        button(
          at ? "ck-big" : "ck-primary ck-big",
          null,
          this.say("uncover").replace("{name}", name),
          (event) => this.take(seat, event),
          {
            "data-key": `uncover-${seat}`,
            onpointerdown: (event) => this.hold && this.take(seat, event),
          },
        ),
      ),
      el("p.ck-covered-note", this.say("shared_screen")),
    );
  },

  /** The screen is `seat`'s; where a finger has to hold the hand open, the one that says so does at once. */
  take(seat, event) {
    const byFinger = this.hold && this.holdable() && event.type === "pointerdown";
    if (this.hold && this.holdable() && !byFinger && event.detail > 0) return; // the end of that touch
    this.send({ type: "uncover", seat });
    if (!byFinger) return;
    event.stopPropagation();
    this.holding = event.pointerId;
    this.root.classList.add("ck-holding");
  },

  /** Whether there can be a hand to hold: what is written or drawn by hand needs both hands. */
  holdable() {
    return this.living.size === 0;
  },

  keepsCovered(view) {
    return this.hold && this.holdable() && view.viewer !== null && !view.scenes.at(-1).over;
  },

  /** What may be drawn of `view` now: while nothing holds the hand, no more than a spectator sees. */
  inSight(view) {
    if (this.holding !== null || !this.keepsCovered(view)) return view;
    const { scenes, story, told } = view.spectator ?? {
      scenes: view.scenes.map(handless),
      story: [],
      told: view.scenes.map(() => 0),
    };
    return { ...view, scenes: scenes.map((scene) => seated(scene, view.viewer)), story, told };
  },

  holdBox() {
    const held = this.holding !== null;
    const press = (event) => {
      event.stopPropagation(); // what is drawn anew here waits for no click
      this.look(event.pointerId);
    };
    return el(
      `div.ck-covered ck-hold${held ? " ck-held-open" : ""}`,
      !held && el("div.ck-covered-cards", ...[0, 1, 2].map(() => card({ back: true }, this))),
      button("ck-primary ck-big ck-holder", held ? "eye" : "cover", this.say("hold"), () => {}, {
        "aria-pressed": String(held),
        "data-key": "hold",
        onpointerdown: press,
        oncontextmenu: (event) => event.preventDefault(),
        onkeydown: (event) =>
          [" ", "Enter"].includes(event.key) && !event.repeat && this.look(event.key),
      }),
      el("p.ck-covered-note", this.say("hold_hint")),
    );
  },

  fingered() {
    return typeof this.holding === "number";
  },

  look(by) {
    if (by === this.holding || (by !== null && this.holding !== null)) return;
    this.holding = by;
    this.root.classList.toggle("ck-holding", by !== null);
    this.drawAgain();
  },

  drawAgain() {
    const { calm, pending } = this;
    this.closeup.close();
    this.calm = { matches: true }; // nothing is dealt: cards are turned over
    this.heard = Infinity; // what was told is no news
    this.show(this.model.get("view"));
    Object.assign(this, { calm, pending });
  },

  setHold(on) {
    this.hold = on;
    remember("localStorage", HOLD, on ? "1" : "");
    if (on) this.send({ type: "share" });
    this.drawAgain();
  },

  blank() {
    if (this.onlookers) return this.onlookers.blank();
    this.look(null);
    if (this.curtain.open) return this.curtain.close();
    this.curtain.setAttribute("aria-label", this.say("blank"));
    this.curtain.replaceChildren(
      button("", "eye", this.say("unblank"), () => this.curtain.close(), { "data-key": "unblank" }),
    );
    return this.curtain.showModal();
  },

  blanker() {
    const away = this.onlookers?.blanked;
    const label = this.onlookers
      ? this.say(away ? "unblank_spectators" : "blank_spectators")
      : this.say("blank");
    return button("ck-blanker", away ? "eye" : "cover", label, () => this.blank(), {
      "data-key": "blank",
      title: `${label} (B)`,
      "aria-pressed": this.onlookers && String(away),
    });
  },

  sharing() {
    return [
      button("", "screen", this.say("spectator_view"), () => this.openOnlookers(), {
        "data-key": "spectator",
      }),
      this.holdChoice(),
    ];
  },

  holdChoice() {
    return (
      this.holdable() &&
      tickBox(this.say("hold_choice"), this.hold, "holds", ({ target }) =>
        this.setHold(target.checked),
      )
    );
  },

  listenForHolds() {
    const mine = (event) => {
      const { key, ctrlKey, altKey, metaKey } = event;
      const target = originOf(event);
      if (ctrlKey || altKey || metaKey || target.matches?.(TYPING)) return null;
      const here =
        this.root.contains(target) ||
        (target === document.body &&
          document.querySelector(".ck-table:not(.ck-still *)") === this.root);
      return here ? KEYS[key.toLowerCase()] : null;
    };
    const down = (event) => {
      const does = mine(event);
      if (!does || event.repeat) return;
      if (does === "blank") this.blank();
      else if (this.keepsCovered(this.model.get("view"))) this.look(event.key.toLowerCase());
    };
    const up = ({ key }) =>
      (key === this.holding || key.toLowerCase() === this.holding) && this.look(null);
    const lifted = ({ pointerId, type, clientX, clientY }) => {
      if (pointerId === this.holding) return this.look(null);
      if (type !== "pointerup" || !this.fingered()) return null;
      const touched = this.root.getRootNode().elementFromPoint(clientX, clientY)?.closest("button"); // beside a finger that is down no touch is a click
      return this.root.contains(touched) && touched.click();
    };
    const clicked = (event) =>
      event.isTrusted &&
      event.pointerType === "touch" &&
      this.fingered() &&
      event.stopPropagation();
    this.root.addEventListener("click", clicked, true);
    const away = () => this.look(null);
    /** @type {[string, (event: any) => void][]} */
    const heard = Object.entries({
      keydown: down,
      keyup: up,
      pointerup: lifted,
      pointercancel: lifted,
    });
    heard.forEach(([type, does]) => document.addEventListener(type, does));
    globalThis.addEventListener("blur", away);
    return () => {
      heard.forEach(([type, does]) => document.removeEventListener(type, does));
      globalThis.removeEventListener("blur", away);
    };
  },
});
