// Views that come: their scenes are played one after the other, and what can be done then is brought into sight.

const SPEEDS = { slow: 1600, normal: 900, fast: 350, once: 0 }; // milliseconds of one beat
const LEAST_BEAT = 0.3; // of a beat, for what is told after a motion that takes longer than the scene has
const MOMENT = ["match", "branch", "acted", "events", "entry", "looking_back"]; // views that agree in these show the same moment

/** Whether `view` comes of a moment of a race going by, and answers nothing that was asked. */
const isTick = (old, view) =>
  Boolean(view.racing) &&
  ["match", "branch", "acted", "language"].every((part) => old[part] === view[part]);

Object.assign(Table.prototype, {
  show(view) {
    const old = this.view;
    this.late = this.pressing;
    if (this.late) return;
    this.held = this.holdFocus();
    clearTimeout(this.timer);
    this.view = view;
    this.moving = null;
    this.former = this.formerFor(old, view);
    this.pending &&= isTick(old, view);
    const last = view.scenes.length - 1;
    const again =
      old !== view &&
      MOMENT.every((part) => old[part] === view[part]) &&
      old.scenes.length === last + 1;
    if (!again) {
      this.at = this.speed === "once" ? last : 0;
      this.due = true;
      if (this.closeup.piece !== RULES) this.closeup.close();
    }
    if (old.match !== view.match) {
      this.heard = view.told[0];
      this.clocks.kept.clear();
      this.living.forEach((zone) => zone.forget());
      forgetAll("sessionStorage", `${this.key}:`, this.matchKey(""));
    }
    if (old.match !== view.match || old.branch !== view.branch) {
      this.closeForm();
      this.leaveWelcome();
      this.asking.close?.();
      this.lost = "";
    }
    this.refuse(this.lost);
    this.drawTools();
    this.drawBanner();
    this.play();
    if (view.weighed && !old.weighed) this.closeup.open(this.closeup.weighed);
  },

  release() {
    this.pressing = false;
    if (this.late) this.show(this.model.get("view"));
  },

  play() {
    const scene = this.view.scenes[this.at];
    this.pass(this.stages(scene), scene, SPEEDS[this.speed] * scene.beat);
  },

  /** Draw the first of `stages` and go on when all in it has come to rest; after the last one, `scene` is told for `time`. */
  pass(stages, scene, time) {
    const [stage, ...later] = stages;
    if (!stage) return this.arrive(scene, Math.max(time, SPEEDS[this.speed] * LEAST_BEAT));
    this.unmark();
    this.moving = stage;
    if (stage.way !== "settle") this.sounds.play(stage.way === "tumble" ? "die" : "card");
    const motions = this.draw(stage.scene);
    const rest = () => this.moving === stage && this.pass(later, scene, time - this.lasting(stage));
    if (motions.length) Promise.all(motions.map(({ finished }) => finished)).then(rest, rest);
    else rest();
  },

  arrive(scene, time) {
    const { former } = this;
    this.tellAll(scene, time);
    if (!former || this.view.looking_back) return;
    this.celebrate(scene, former);
    if (scene.over && !former.over) this.sounds.play("end");
    else if (scene.turn && !former.turn && !this.playing()) this.sounds.play("turn");
  },

  tellAll(scene, time) {
    this.moving = null;
    this.draw(scene);
    this.former = this.shown = scene;
    this.drawn(scene, time);
  },

  /** What moves on the way to `scene`: nothing for those who did not see what was before. */
  stages(scene) {
    return this.isStill() || !this.former ? [] : stagesOf(this.former, scene, this.say("thrown"));
  },

  /** The scene from which the pieces come to those of `view`, without the hand of somebody who has passed the screen on. */
  formerFor(old, view) {
    const follows =
      ["match", "branch"].every((part) => old[part] === view[part]) &&
      MOMENT.some((part) => old[part] !== view[part]);
    if (!this.shown || !follows || (view.viewer !== null && view.viewer !== old.viewer))
      return null;
    return view.viewer === old.viewer
      ? this.shown
      : { ...this.shown, zones: this.shown.zones.filter(({ place }) => place !== "near") };
  },

  isStill() {
    return this.calm.matches || this.speed === "once" || document.visibilityState === "hidden";
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
    const parts = [
      ...this.near.querySelectorAll(
        ".ck-choice, .ck-row button.ck-piece, .ck-hand .ck-piece, .ck-covered button",
      ),
    ];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const low = Math.max(...boxes.map(({ bottom }) => bottom));
    if (
      boxes.every(({ top }) => top >= this.prompt.getBoundingClientRect().bottom) &&
      low <= innerHeight
    )
      return;
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

  lasting({ way }) {
    const motion = Math.min(700, SPEEDS[this.speed] * 0.7);
    return { tumble: motion * 0.7, settle: motion * 0.3, fly: Math.min(420, motion) }[way];
  },

  playing() {
    return this.moving !== null || this.at < this.view.scenes.length - 1;
  },

  skip() {
    clearTimeout(this.timer);
    this.at = this.view.scenes.length - 1;
    this.unmark();
    this.tellAll(this.view.scenes[this.at], 0);
  },
});
