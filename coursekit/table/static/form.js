// The form for a new match, made from what the kernel says can be chosen.

class Form {
  constructor(table) {
    this.table = table;
    this.setup = table.model.get("setup");
    const { players, seats, options, seed } = this.setup.chosen;
    this.chosen = {
      players,
      seats: seats.map((seat) => ({ ...seat })),
      options: { ...options },
      seed: seed ?? "",
    };
    this.id = newId();
    this.element = this.draw();
  }

  draw() {
    const say = (id) => this.table.say(id);
    this.seats = el("div.ck-form-seats");
    this.shared = el("div.ck-form-shared");
    this.drawSeats();
    this.rules = [el("div.ck-form-fields"), el("div.ck-form-fields")];
    const preset = this.setup.presets.length > 0 && this.preset();
    this.drawRules();
    const count = this.setup.players.map((players) =>
      el(
        "label.ck-tick",
        el("input", {
          type: "radio",
          name: `${this.id}-players`,
          value: players,
          checked: players === this.chosen.players,
          onchange: () => {
            this.chosen.players = players;
            this.drawSeats();
          },
        }),
        el("span", players),
      ),
    );
    return el(
      "form.ck-form",
      {
        "aria-label": say("new_match"),
        onsubmit: (event) => {
          event.preventDefault();
          this.start();
        },
      },
      el("h3.ck-form-title", { tabindex: "-1" }, say("new_match")),
      el("fieldset.ck-group.ck-counts", el("legend", say("players")), ...count),
      el("fieldset.ck-group", el("legend", say("who_plays")), this.seats, this.shared),
      el(
        "fieldset.ck-group.ck-rules",
        el("legend", say("rules")),
        preset,
        this.rules[0],
        el("details.ck-more", el("summary", say("more_rules")), this.rules[1]),
      ),
      el("fieldset.ck-group", el("legend", say("seed")), this.seed()),
      el("p.ck-form-says", { role: "alert" }),
      el(
        "div.ck-form-end",
        el("button.ck-button.ck-primary", { type: "submit" }, say("start")),
        button("", null, say("cancel"), () => this.table.closeForm()),
      ),
    );
  }

  drawSeats() {
    const { players, seats } = this.chosen;
    const by = this.setup.by;
    while (seats.length < players) seats.push({ by: by[by.length - 1].value, name: "" });
    const rows = seats.slice(0, players).map((seat, at) => {
      const label = this.table.say("player_number").replace("{number}", at + 1);
      return el(
        "div.ck-form-seat",
        el("input.ck-input", {
          type: "text",
          value: seat.name,
          maxlength: 24,
          placeholder: label,
          "aria-label": `${label}: ${this.table.say("name")}`,
          autocomplete: "off",
          oninput: (event) => {
            seat.name = event.target.value;
          },
        }),
        menu(
          by,
          seat.by,
          (value) => {
            seat.by = value;
            this.drawShared();
          },
          { "aria-label": `${label}: ${this.table.say("who_plays")}` },
        ),
      );
    });
    this.seats.replaceChildren(...rows);
    this.drawShared();
  }

  /** Where several people share the screen: who sees their hands, and what helps. */
  drawShared() {
    const { players, seats } = this.chosen;
    const shared = seats.slice(0, players).filter(({ by }) => by === "person").length > 1;
    this.shared.replaceChildren(
      ...(shared
        ? [el("p.ck-note", this.table.say("shared_screen")), this.table.holdChoice()]
        : []
      ).filter(Boolean),
    );
  }

  preset() {
    const id = `${this.id}-preset`;
    const named = this.setup.presets.map((preset) => ({ value: preset, label: preset.label }));
    const own = { value: null, label: this.table.say("own_rules") };
    const pick = (preset) => {
      Object.assign(this.chosen.options, preset?.options);
      this.drawRules();
    };
    this.presets = menu([...named, own], null, pick, { id, "aria-describedby": `${id}-help` });
    this.presetHelp = el("small", { id: `${id}-help` });
    return fieldOf("preset", id, this.table.say("preset"), this.presets, this.presetHelp);
  }

  showPreset() {
    const { presets } = this.setup;
    if (!presets.length) return;
    const { options } = this.chosen;
    const now = presets.findIndex((preset) =>
      Object.keys(preset.options).every((name) => same(preset.options[name], options[name])),
    );
    const own = this.presets.children[presets.length];
    own.hidden = own.disabled = now >= 0;
    this.presets.value = String(now >= 0 ? now : presets.length);
    this.presetHelp.replaceChildren(presets[now]?.help ?? "");
  }

  drawRules() {
    for (const [place, first] of [true, false].entries()) {
      const fields = this.setup.fields.filter((field) => field.first === first);
      this.rules[place].replaceChildren(...fields.map((field) => this.field(field)));
    }
    this.showPreset();
  }

  field(field) {
    const id = `${this.id}-${field.name}`;
    const { options } = this.chosen;
    if (!(field.name in options)) options[field.name] = field.default;
    const set = (value) => {
      options[field.name] = value;
      this.showPreset();
    };
    const more = { id, "aria-describedby": field.help ? `${id}-help` : null };
    const control = FIELDS[field.kind](field, options[field.name], set, more, this.table);
    const help = field.help && el("small", { id: `${id}-help` }, field.help);
    return fieldOf(field.kind, id, field.label, control, help);
  }

  seed() {
    const id = `${this.id}-seed`;
    const oninput = (event) => {
      this.chosen.seed = event.target.value.trim();
    };
    const box = el("input.ck-input", {
      id,
      type: "text",
      value: this.chosen.seed,
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${id}-help`,
      oninput,
    });
    const help = el("small", { id: `${id}-help` }, this.table.say("seed_help"));
    return fieldOf("seed", id, this.table.say("seed_label"), box, help);
  }

  start() {
    const { players, seats, options, seed } = this.chosen;
    this.table.send({ type: "new", players, seats: seats.slice(0, players), options, seed });
  }
}

const fieldOf = (kind, id, label, control, help) =>
  el(`div.ck-field.ck-field-${kind}`, el("label", { for: id }, label), control, help);

const numbersOf = (text) => {
  const parts = text.split(/[\s,，、;]+/).filter(Boolean);
  return parts.length
    ? parts.map((part) => (Number.isFinite(Number(part)) ? Number(part) : part))
    : null;
};

const FIELDS = {
  choice(field, value, set, more, table) {
    const empty = field.optional ? [{ value: null, label: table.say("as_usual") }] : [];
    return menu([...empty, ...field.choices], value, set, more);
  },
  switch: (field, value, set, more) =>
    el("input.ck-check", {
      ...more,
      type: "checkbox",
      checked: value,
      onchange: (event) => set(event.target.checked),
    }),
  number: (field, value, set, more, table) =>
    el("input.ck-input", {
      ...more,
      type: "number",
      value,
      min: field.low,
      max: field.high,
      required: !field.optional,
      placeholder: field.optional && table.say("as_usual"),
      oninput: (event) => set(event.target.value === "" ? null : Number(event.target.value)),
    }),
  numbers: (field, value, set, more, table) =>
    el("input.ck-input", {
      ...more,
      type: "text",
      value: (value ?? []).join(", "),
      placeholder: field.optional ? table.say("as_usual") : "1, 2, 3",
      autocomplete: "off",
      oninput: (event) => set(numbersOf(event.target.value)),
    }),
};
