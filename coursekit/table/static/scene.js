// A scene as it is drawn: its zones round the cloth, the prompt and the log.

const CARD_ZONES = ["seats", "hand", "row", "pile", "squares", "dice", "choices", "results"]; // a cloth with no more is a card game's

Object.assign(Table.prototype, {
  draw(scene) {
    const stage = this.moving;
    const before = stage && places(this.cloth);
    const covered = this.playing() ? [] : this.view.covered; // who is next may tell how it went
    this.cloth.querySelectorAll(".ck-ghost").forEach((ghost) => ghost.remove());
    const held = this.held ?? this.holdFocus();
    this.held = null;
    this.pieces.clear();
    this.sober = Boolean(scene.sober);
    this.living.forEach((zone) => zone.leave());
    const of = (place) =>
      scene.zones.filter((zone) => zone.place === place).map((zone) => zoneOf(zone, this));
    this.root.setAttribute("lang", this.view.language);
    this.root.classList.toggle("ck-ended", scene.over);
    this.root.classList.toggle("ck-sober", this.sober);
    this.root.classList.toggle("ck-past", this.view.looking_back);
    const { where } = this.view; // a class has many tables
    this.title.replaceChildren(where ? el("b.ck-where", where) : "", unbroken(scene.title));
    this.far.replaceChildren(...of("far"));
    arrange(this.middle, of("middle"));
    const handed = this.shown && covered.length > 0 && !this.near.querySelector(".ck-covered");
    arrange(this.near, [
      ...this.covers(covered),
      ...of("near"),
      ...(this.view.people > 1 || scene.zones.some(({ together }) => together)
        ? []
        : this.far.querySelectorAll(".ck-you")),
    ]);
    this.side.replaceChildren(...of("side"));
    const seats = this.cloth.querySelectorAll(".ck-plate").length;
    this.cloth.style.setProperty("--seats", seats);
    this.cloth.classList.toggle(
      "ck-crowded",
      seats > 4 || this.far.querySelectorAll(".ck-plate").length > 3,
    );
    this.cloth.classList.toggle(
      "ck-cards",
      scene.zones.every(({ kind, place }) => place === "side" || CARD_ZONES.includes(kind)),
    );
    this.prompt.setAttribute(
      "class",
      `ck-prompt${(scene.turn || scene.over) && !this.playing() ? " ck-mine" : ""}`,
    );
    this.prompt.replaceChildren(
      icon(
        scene.over
          ? this.sober
            ? "now"
            : "crown"
          : this.view.looking_back
            ? "clock"
            : scene.turn
              ? "turn"
              : "hourglass",
      ),
      el("span", scene.prompt),
      ...this.promptButtons(scene),
    );
    if (!stage) this.tell();
    this.drawBeside();
    this.fit();
    this.followLogs();
    this.closeup.redraw();
    this.living.forEach((zone) => zone.arrive());
    if (held) this.giveFocus(held, scene);
    this.clocks.count(scene);
    this.living.forEach((zone) => zone.settled());
    if (handed) this.near.querySelector(".ck-covered").scrollIntoView({ block: "nearest" });
    return stage ? motions[stage.way](this, stage, before, this.lasting(stage)) : [];
  },

  promptButtons(scene) {
    const { people, viewer, covered, looking_back, bare, hides, take_back: offer } = this.view;
    if (this.playing() && looking_back) return [];
    if (this.playing())
      return [
        button("ck-skip", "skip", this.say("skip"), () => this.skip(), { "data-key": "skip" }),
      ];
    const shared = people > 1 && viewer !== null && !bare && hides !== false;
    const mayCover = shared && !covered.length && !looking_back;
    return [
      ...(mayCover && scene.turn
        ? [
            button("ck-cover-up", "cover", this.say("cover"), () => this.handOn(), {
              "data-key": "cover",
            }),
          ]
        : []),
      ...(offer
        ? [
            button("ck-take-back", "undo", this.say("take_back"), () => this.askBack(offer), {
              "data-key": "take-back",
            }),
          ]
        : []),
    ];
  },

  tell() {
    const lines = this.view.story.slice(0, this.view.told[this.at]);
    this.storyTitle.replaceChildren(this.say("story"));
    this.story.setAttribute("aria-label", this.say("story"));
    this.story.replaceChildren(
      ...lines.map((line, at) => el(`li.${at >= this.heard ? "ck-fresh" : ""}`, line)),
    );
    const news = lines.slice(this.heard).slice(-4);
    if (news.length) this.live.replaceChildren(news.join(" "));
    this.heard = lines.length;
  },
});
