// Views that come: their scenes are played one after the other, and what can be done then is brought into sight.

const SPEEDS = { slow: 1600, normal: 900, fast: 350, once: 0 }; // milliseconds of one beat
const MOMENT = ["match", "branch", "acted", "events", "entry", "looking_back"]; // views that agree in these show the same moment

const diceOf = (zones) => zones.flatMap((zone) => [...(zone.dice ?? []), ...diceOf(zone.zones ?? [])]);

/** The scene `before`, in which nothing can be done and the dice are those of `after`. */
function landing(before, after, prompt) {
  const thrown = diceOf(after.zones);
  const roll = (zones) => zones.filter(({ kind }) => kind !== "choices").map((zone) => ({
    ...zone, ...(zone.dice && { dice: thrown }), ...(zone.zones && { zones: roll(zone.zones) }),
  }));
  return { ...before, prompt, zones: roll(before.zones) };
}

/** Whether `view` comes of a moment of a race going by, and answers nothing that was asked. */
const isTick = (old, view) => Boolean(view.racing) && ["match", "branch", "acted", "language"].every((part) => old[part] === view[part]);

Object.assign(Table.prototype, {
  /** Show a new view: play its scenes, unless it is the moment shown already (in another language, say). */
  show(view) {
    const old = this.view;
    this.late = this.pressing;
    if (this.late) return;
    this.held = this.holdFocus();
    clearTimeout(this.timer);
    this.view = view;
    this.rolling = false;
    this.pending &&= isTick(old, view);
    const last = view.scenes.length - 1;
    const again = old !== view && MOMENT.every((part) => old[part] === view[part]) && old.scenes.length === last + 1;
    if (!again) {
      this.at = this.speed === "once" ? last : 0;
      this.due = true;
      this.closeup.close();
    }
    if (old.match !== view.match) {
      this.heard = view.told[0];
      this.clocks.kept.clear();
      this.living.forEach((zone) => zone.forget());
      forgetAll("sessionStorage", `${this.key}:`, this.matchKey(""));
    }
    if (old.match !== view.match || old.branch !== view.branch) {
      this.closeForm();
      this.lost = "";
    }
    this.refuse(this.lost);
    this.drawTools();
    this.drawBanner();
    this.play();
  },

  /** The finger is up: show the view that has come meanwhile. */
  release() {
    this.pressing = false;
    if (this.late) this.show(this.model.get("view"));
  },

  /** Draw the scene at hand and see to it that the next one follows; a die lands before anything is told of it. */
  play() {
    const scene = this.view.scenes[this.at];
    const beat = SPEEDS[this.speed] * scene.beat;
    this.rolling = this.throws(scene);
    this.draw(this.rolling ? landing(this.shown ?? scene, scene, this.say("thrown")) : scene);
    this.shown = scene;
    if (!this.rolling) return this.drawn(scene, beat);
    this.timer = setTimeout(() => {
      this.rolling = false;
      this.draw(scene);
      this.drawn(scene, beat - this.motion());
    }, this.motion());
  },

  drawn(scene, time) {
    if (scene.turn && !this.playing()) this.bringBack();
    this.follow(time);
  },

  /** Where the prompt stays on the screen: to those who have played here before, show the choices and the hand as well. */
  bringBack() {
    const due = this.due && this.used;
    this.due = false;
    if (!due || !this.pinned() || this.livingThat((zone) => zone.busy).length) return;
    const parts = [...this.near.querySelectorAll(".ck-choice, .ck-row button.ck-piece, .ck-hand .ck-piece, .ck-covered button")];
    const boxes = parts.map((each) => each.getBoundingClientRect());
    const low = Math.max(...boxes.map(({ bottom }) => bottom));
    if (boxes.every(({ top }) => top >= this.prompt.getBoundingClientRect().bottom) && low <= innerHeight) return;
    const behavior = this.calm.matches || this.speed === "once" ? "auto" : "smooth";
    const fits = low - this.cloth.getBoundingClientRect().top <= innerHeight;
    if (fits) this.cloth.scrollIntoView({ block: "start", behavior });
    else parts.at(-1).scrollIntoView({ block: "end", behavior });
  },

  pinned() {
    return getComputedStyle(this.prompt).position === "sticky";
  },

  follow(time) {
    const next = () => {
      this.at += 1;
      this.play();
    };
    const follows = this.playing() ? next : this.view.more && (() => this.send({ type: "more" }));
    if (follows) this.timer = setTimeout(follows, time);
  },

  /** Whether dice that lie on the table unthrown are thrown in `scene`, and tumble. */
  throws(scene) {
    if (this.calm.matches || this.speed === "once") return false;
    const before = facesOf(this.cloth);
    return diceOf(scene.zones).some(({ value }, at) => String(value) !== "0" && before[at] === "0");
  },

  /** Milliseconds that a die tumbles. */
  motion() {
    return Math.min(700, SPEEDS[this.speed] * 0.7 || 200);
  },

  playing() {
    return this.rolling || this.at < this.view.scenes.length - 1;
  },

  skip() {
    clearTimeout(this.timer);
    this.at = this.view.scenes.length - 1;
    this.play();
  },
});
