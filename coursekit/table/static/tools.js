// Above the cloth: the tools, what the kernel asks or tells beside the game, and the form for a new match.

Object.assign(Table.prototype, {
  drawTools() {
    const { view } = this;
    const speeds = Object.keys(SPEEDS).map((value) => ({ value, label: this.say(`speed_${value}`) }));
    const step = (sign, content, off) =>
      button("ck-step", sign, this.say(`${sign}_word`), () => off || this.send(content),
        { "aria-disabled": off && "true", "aria-label": this.say(sign), title: this.say(sign), "data-key": sign });
    const opener = button("ck-menu", "menu", this.say("menu"), () => this.toggleMenu(), 
      { "aria-expanded": String(this.root.classList.contains("ck-menu-open")), "data-key": "menu" });
    const file = make("input", "ck-hidden", { type: "file", accept: ".json,application/json", tabindex: "-1", "aria-hidden": "true", onchange: (event) => this.load(event.target) });
    const opens = button("ck-new", "add", this.say("new_match"), () => this.openForm(), { "data-key": "new" });
    this.tools.replaceChildren(this.title, opens, opener,
      make("div", "ck-controls", {},
        make("label", "ck-labelled", {}, this.say("speed"), menu(speeds, this.speed, (value) => this.setSpeed(value), { "data-key": "speed" })),
        make("label", "ck-labelled", {}, this.say("language_menu"),
          menu(this.model.get("languages"), view.language, (language) => this.send({ type: "language", language }), { "data-key": "language" })),
        view.may_look_back && make("div", "ck-steps", { role: "group", "aria-label": this.say("look_back") },
          step("first", { type: "step", entry: 0 }, view.entry <= 0),
          step("back", { type: "step", entry: view.entry - 1 }, view.entry <= 0),
          make("span", "ck-entry", { title: this.say("look_back") }, `${view.entry} / ${view.entries}`),
          step("forward", { type: "step", entry: view.entry + 1 }, view.entry >= view.entries),
          step("now", { type: "now" }, !view.looking_back))),
      make("div", "ck-controls ck-kept", {},
        view.may_save && button("", "save", this.say("save"), () => this.send({ type: "save" }), { "data-key": "save" }),
        button("", "load", this.say("load"), () => file.click(), { "data-key": "load" }), file,
        view.seed && make("label", "ck-labelled ck-seed", {}, this.say("seed"),
          make("input", "ck-input", { readonly: true, value: view.seed, size: "12", "data-key": "seed", onfocus: (event) => event.target.select() }))));
  },

  toggleMenu() {
    const open = this.root.classList.toggle("ck-menu-open");
    this.tools.querySelector(".ck-menu").setAttribute("aria-expanded", String(open));
  },

  setSpeed(speed) {
    this.speed = speed;
    remember("localStorage", "coursekit:speed", speed);
    if (speed === "once" && this.playing()) this.skip();
  },

  /** What the kernel asks or tells beside the game. */
  drawBanner(notice) {
    const { offer, trouble, looking_back, entry, entries } = this.view;
    const box = (kind, text, ...buttons) => make("div", `ck-box ck-box-${kind}`, {}, make("p", "", {}, text), ...buttons);
    const boxes = [
      notice && box("notice", notice),
      trouble && box("trouble", trouble.text, ...trouble.choices.map(({ label, value }) =>
        button("", null, label, () => this.send({ type: "replace", seat: trouble.seat, by: value })))),
      offer && box("offer", offer.title,
        button("ck-primary", null, this.say("resume"), () => this.send({ type: "resume", id: offer.id })),
        button("", null, this.say("dismiss"), () => this.send({ type: "dismiss" }))),
      looking_back && box("past", this.say("looking_back"),
        make("input", "ck-slide", {
          type: "range", min: 0, max: entries, value: entry, "aria-label": this.say("look_back"), "data-key": "slide",
          onchange: (event) => this.send({ type: "step", entry: Number(event.target.value) }),
        }),
        button("ck-primary", "fork", this.say("fork"), () => this.send({ type: "fork", entry })),
        button("", "now", this.say("now"), () => this.send({ type: "now" }))),
    ];
    this.banner.replaceChildren(...boxes.filter(Boolean));
  },

  openForm() {
    this.closeup.close();
    this.form = new Form(this);
    this.formPlace.replaceChildren(this.form.element);
    this.formPlace.hidden = false;
    this.stage.hidden = true;
    this.root.classList.remove("ck-menu-open");
    this.form.element.querySelector(".ck-form-title").focus();
  },

  closeForm() {
    if (!this.form) return;
    this.form = null;
    this.formPlace.replaceChildren();
    this.formPlace.hidden = true;
    this.stage.hidden = false;
    this.tools.querySelector(".ck-new").focus();
    this.root.querySelectorAll(".ck-hand").forEach(fan);
  },

  async load(input) {
    const [file] = input.files;
    if (file) this.send({ type: "load", text: await file.text() });
    input.value = ""; // so that the same file can be chosen again
  },
});
