// Above the cloth: the tools, what the kernel asks or tells beside the game, and the form for a new match.

const AGAIN = 5000; // milliseconds until the kernel is asked again to keep what it could not

const bannerBox = (kind, text, ...buttons) =>
  el(`div.ck-box ck-box-${kind}`, el("p", text), ...buttons);

Object.assign(Table.prototype, {
  drawTools() {
    const { view } = this;
    const { hosted } = view;
    const rules =
      this.model.get("handbook")?.[RULES] &&
      button("ck-rules-open", "book", this.say("rules"), () => this.closeup.openRules(), {
        "data-key": RULES,
        title: this.say("rules"),
      });
    const aside = button("ck-aside", "notes", this.say("aside"), () => this.toggleAside(), {
      "aria-expanded": String(this.root.classList.contains("ck-aside-open")),
      "data-key": "aside",
    });
    const opens = button("ck-new", "add", this.say("new_match"), () => this.openForm(), {
      "data-key": "new",
    });
    const opener = button("ck-menu", "menu", this.say("menu"), () => this.toggleMenu(), {
      "aria-expanded": String(this.root.classList.contains("ck-menu-open")),
      "data-key": "menu",
    });
    const enlarger = button("ck-enlarge", null, "", () => this.enlarge(!this.enlarged()), {
      "data-key": "enlarge",
    });
    const blanker = hosted ? "" : this.blanker();
    const shown = [this.speedMenu(), this.languageMenu()];
    const steps = view.may_look_back && this.stepper();
    this.counter.setAttribute("title", this.say("look_back"));
    this.row = el("div.ck-controls", ...(this.narrow ? [] : [...shown, steps].filter(Boolean)));
    this.list = this.menuList(rules, this.narrow ? [blanker, ...shown] : [], this.narrow && steps);
    this.tools.replaceChildren(
      this.title,
      ...[rules, aside, !this.narrow && blanker, !hosted && opens].filter(Boolean),
      opener,
      this.list,
      enlarger,
      this.row,
    );
    this.nameEnlarger();
    if (this.root.classList.contains("ck-menu-open")) this.placeMenu();
  },

  speedMenu() {
    const speeds = Object.keys(SPEEDS).map((value) => ({
      value,
      label: this.say(`speed_${value}`),
    }));
    const chosen = menu(speeds, this.speed, (value) => this.setSpeed(value), {
      "data-key": "speed",
    });
    return el("label.ck-labelled", this.say("speed"), chosen);
  },

  languageMenu() {
    const change = (language) => this.send({ type: "language", language });
    const chosen = menu(this.model.get("languages"), this.view.language, change, {
      "data-key": "language",
    });
    return el("label.ck-labelled", this.say("language_menu"), chosen);
  },

  step(sign, content, off, key = sign) {
    return button("ck-step", sign, this.say(`${sign}_word`), () => off || this.send(content), {
      "aria-disabled": off && "true",
      "aria-label": this.say(sign),
      title: this.say(sign),
      "data-key": key,
    });
  },

  /** One moment back, and one forward. */
  stepButtons(key = "") {
    const { entry, entries } = this.view;
    return [
      this.step("back", { type: "step", entry: entry - 1 }, entry <= 0, `${key}back`),
      this.step("forward", { type: "step", entry: entry + 1 }, entry >= entries, `${key}forward`),
    ];
  },

  stepper() {
    const { view } = this;
    const [back, forward] = this.stepButtons();
    return el(
      "div.ck-steps",
      { role: "group", "aria-label": this.say("look_back") },
      this.step("first", { type: "step", entry: 0 }, view.entry <= 0),
      back,
      this.counter,
      forward,
      this.step("now", { type: "now" }, !view.looking_back),
    );
  },

  /** One list of all that is rarely needed: about the file, the screen and its sound; and what has no room in the row. */
  menuList(rules, screen, steps) {
    const { view } = this;
    const { hosted } = view;
    const group = (id, ...items) => {
      const some = items.filter(Boolean);
      const head = el("h3.ck-menu-head", this.say(id));
      const about = { role: "group", "aria-label": this.say(id) };
      return some.length > 0 && el("div.ck-menu-group", about, head, ...some);
    };
    const file = el("input.ck-hidden", {
      type: "file",
      accept: ".json,application/json",
      tabindex: "-1",
      "aria-hidden": "true",
      onchange: (event) => this.load(event.target),
    });
    const save = () => this.send({ type: "save", names: Boolean(this.naming) });
    const guide =
      rules &&
      !hosted &&
      button("", "book", this.say("first_steps"), () => this.guide(!view.guided), {
        "aria-pressed": String(Boolean(view.guided)),
        "data-key": "first-steps",
      });
    const correct = () => {
      this.closeMenu();
      this.send({ type: "rename" });
    };
    const rename = button("", null, this.say("rename"), correct, { "data-key": "rename" });
    const seed =
      view.seed &&
      el(
        "label.ck-labelled.ck-seed",
        this.say("seed"),
        el("input.ck-input", {
          readonly: true,
          value: view.seed,
          size: "12",
          "data-key": "seed",
          onfocus: (event) => event.target.select(),
        }),
      );
    const groups = [
      steps && group("look_back", steps),
      group(
        "menu_file",
        view.may_save && button("", "save", this.say("save"), save, { "data-key": "save" }),
        view.may_save &&
          view.named &&
          tickBox(this.say("naming"), this.naming, "naming", ({ target }) => {
            this.naming = target.checked;
          }),
        !hosted && button("", "load", this.say("load"), () => file.click(), { "data-key": "load" }),
        !hosted && file,
        seed,
        guide,
      ),
      group("menu_name", hosted && view.viewer !== null && rename),
      group("menu_screen", ...screen, ...(hosted ? [] : this.sharing())),
      group("menu_sound", this.sounds.control),
    ];
    return el(
      "div.ck-menu-list",
      { role: "group", "aria-label": this.say("menu") },
      ...groups.filter(Boolean),
    );
  },

  /** The row of tools is one line: what does not fit goes into the menu. */
  fitTools() {
    if (!this.list || this.view.board) return; // spectators have no tools, a board shows none
    const { clientWidth } = this.root;
    const { fontSize } = getComputedStyle(this.tools);
    const room = [clientWidth, fontSize, this.view.language, this.title.textContent].join();
    if (room === this.toolsFor) return;
    this.toolsFor = room;
    const held = this.holdFocus();
    this.narrow = false;
    this.drawTools();
    const opener = this.tools.querySelector(".ck-menu");
    this.narrow = this.row.offsetTop > opener.offsetTop + opener.offsetHeight / 2;
    if (this.narrow) this.drawTools();
    if (held && [null, document.body].includes(this.active()))
      this.keyed(held)?.focus({ preventScroll: true });
  },

  /** Where the window is low, the menu scrolls. */
  placeMenu() {
    const { top } = this.list.getBoundingClientRect();
    const low = Math.min(innerHeight, this.root.getBoundingClientRect().bottom || innerHeight);
    this.list.style.setProperty("--below", `${Math.max(140, low - top - 8)}px`);
  },

  toggleMenu() {
    const open = this.root.classList.toggle("ck-menu-open");
    const opener = this.tools.querySelector(".ck-menu");
    opener.setAttribute("aria-expanded", open);
    opener.focus({ preventScroll: true });
    this.placeMenu();
  },

  closeMenu() {
    this.root.classList.remove("ck-menu-open");
    this.tools.querySelector(".ck-menu")?.setAttribute("aria-expanded", "false");
  },

  setSpeed(speed) {
    this.speed = speed;
    remember("localStorage", "coursekit:speed", speed);
    if (speed === "once" && this.playing()) this.skip();
  },

  /** Begin the first match of a new player, or leave it: it is not what a reload comes back to. */
  guide(on) {
    for (const store of on ? [] : ["sessionStorage", "localStorage"]) forget(store, this.key);
    this.closeMenu();
    this.send({ type: "first", on });
  },

  /** The rules that matter for the first time, and the way out.  While others play, what was told last can still be read. */
  hints({ over, turn, hints = [] }) {
    if (!this.view.guided || this.view.looking_back) return [];
    if (!turn && !over && !hints.length) return this.stuck.querySelectorAll(".ck-box-hint");
    const told = hints.map((at) => this.model.get("handbook")[RULES].text[at]);
    const words = over ? [this.say("first_done")] : told.length ? told : [this.say("first_steps")];
    return [
      bannerBox(
        "hint",
        words[0],
        ...words.slice(1).map((line) => el("p", line)),
        button(
          over ? "ck-primary" : "",
          over ? "turn" : "skip",
          this.say(over ? "first_play" : "first_skip"),
          () => this.guide(false),
          { "data-key": "leave", title: this.say(over ? "first_play" : "first_skip") },
        ),
      ),
    ];
  },

  drawBanner() {
    const { notice, offer, looking_back, entry, entries, why, weighed } = this.view;
    const boxes = [
      notice && bannerBox("notice", notice),
      offer &&
        bannerBox(
          "offer",
          offer.title,
          button("ck-primary", null, offer.resume, () =>
            this.send({ type: "resume", match_id: offer.id }),
          ),
          button("", null, this.say("dismiss"), () => this.send({ type: "dismiss" })),
        ),
      looking_back &&
        bannerBox(
          "past",
          this.say("looking_back"),
          el("input.ck-slide", {
            type: "range",
            min: 0,
            max: entries,
            value: entry,
            "aria-label": this.say("look_back"),
            "data-key": "slide",
            onchange: (event) => this.send({ type: "step", entry: Number(event.target.value) }),
          }),
          this.view.hosted
            ? ""
            : button("ck-primary", "fork", this.say("fork"), () =>
                this.send({ type: "fork", entry }),
              ),
          this.view.may_weigh &&
            button(
              "ck-weigh",
              null,
              this.say("weigh"),
              (event) => {
                if (weighed) return this.closeup.open(this.closeup.weighed);
                event.currentTarget.setAttribute("aria-busy", "true");
                return this.send({ type: "weigh", entry });
              },
              { "data-key": WEIGHED },
            ),
          ...(this.narrow ? this.stepButtons("past-") : []), // the others are in the menu
          button("", "now", this.say("now"), () => this.send({ type: "now" })),
          why && el("p.ck-why", why),
        ),
    ];
    this.banner.replaceChildren(...boxes.filter(Boolean));
  },

  drawBeside() {
    const { trouble, looking_back, entry, entries } = this.view;
    const reached = !this.playing();
    this.drawKeeping();
    if (reached) this.counter.replaceChildren(`${entry} / ${entries}`);
    this.stuck.replaceChildren(
      ...(trouble && reached && !looking_back ? [this.troubleBox(trouble)] : []),
      ...this.hints(this.view.scenes[this.at]),
    );
  },

  troubleBox({ seat, by, text, choices }) {
    let chosen = by;
    const who = menu(
      choices,
      by,
      (value) => {
        chosen = value;
      },
      { "aria-label": this.say("who_plays"), "data-key": "who" },
    );
    const go = () => this.send({ type: "replace", seat, by: chosen });
    return bannerBox(
      "trouble",
      text,
      who,
      button("ck-primary", "turn", this.say("plays_on"), go, { "data-key": "plays_on" }),
    );
  },

  drawKeeping() {
    const ended = !this.playing(); // what is asked when the match ends waits until that has been seen
    const boxes = (this.view.boxes ?? []).filter(({ kind }) => ended || kind !== "asked");
    if (same(boxes, this.boxes)) return;
    this.boxes = boxes;
    this.keeping.replaceChildren(
      ...boxes.map(({ kind, text, choices }) =>
        bannerBox(
          kind,
          text,
          ...choices.map(({ label, send }) =>
            button(kind === "elsewhere" ? "ck-primary" : "", null, label, () => this.send(send)),
          ),
        ),
      ),
    );
    this.lookAgain();
  },

  lookAgain() {
    clearTimeout(this.looking);
    if (!this.boxes.some(({ kind }) => kind === "unkept")) return;
    this.looking = setTimeout(() => {
      this.send({ type: "look" });
      this.lookAgain();
    }, AGAIN);
  },

  openForm() {
    this.closeup.close();
    this.leaveWelcome();
    this.form = new Form(this);
    this.formPlace.replaceChildren(this.form.element);
    this.formPlace.hidden = false;
    this.stage.hidden = true;
    this.closeMenu();
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
