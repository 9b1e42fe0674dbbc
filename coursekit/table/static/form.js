// The form for a new match, made from what the kernel says can be chosen: who plays and which way to play
// first, in large pieces; the rest folded away.

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

  say(id) {
    return this.table.say(id);
  }

  draw() {
    this.mixes = el("div.ck-cards-to-tick");
    this.levels = el("fieldset.ck-group");
    this.names = el("div.ck-form-names", { role: "group", "aria-label": this.say("name") });
    this.shared = el("div.ck-form-shared");
    this.seats = el("div.ck-form-seats");
    this.drawSeats();
    this.rules = [el("div.ck-form-fields"), el("div.ck-form-fields")];
    this.ways = el("div.ck-cards-to-tick");
    this.drawRules();
    const { players, presets } = this.setup;
    const count = players.map((number) =>
      this.tick("players", number, number === this.chosen.players, [el("span", number)], () => {
        this.chosen.players = number;
        this.drawSeats();
      }),
    );
    this.more = el(
      "details.ck-more",
      el("summary", { "data-key": "form-more" }, this.say("form_more")),
      el("fieldset.ck-group", el("legend", this.say("seat_by_seat")), this.seats),
      el("fieldset.ck-group.ck-rules", el("legend", this.say("rules")), ...this.rules),
      el("fieldset.ck-group", el("legend", this.say("seed")), this.seed()),
    );
    return el(
      "form.ck-form",
      {
        "aria-label": this.say("new_match"),
        onsubmit: (event) => {
          event.preventDefault();
          this.start();
        },
      },
      el("h3.ck-form-title", { tabindex: "-1" }, this.say("new_match")),
      el(
        "fieldset.ck-group.ck-who-plays",
        el("legend", this.say("who_plays")),
        players.length > 1 &&
          el(
            "div.ck-counts",
            { role: "group", "aria-label": this.say("players") },
            el("span.ck-counts-of", { "aria-hidden": "true" }, this.say("players")),
            ...count,
          ),
        this.mixes,
        this.levels,
        this.names,
        this.shared,
      ),
      presets.length > 0 &&
        el("fieldset.ck-group.ck-ways", el("legend", this.say("preset")), this.ways),
      this.more,
      el("p.ck-form-says", { role: "alert" }),
      el(
        "div.ck-form-end",
        el("button.ck-button.ck-primary", { type: "submit" }, this.say("start")),
        button("", null, this.say("cancel"), () => this.table.closeForm(), { type: "button" }),
      ),
    );
  }

  /** One of several things to tick, of which one holds. */
  tick(group, value, checked, parts, onchange) {
    return el(
      "label.ck-tick",
      el("input", { type: "radio", name: `${this.id}-${group}`, value, checked, onchange }),
      ...parts,
    );
  }

  /** The same as a card with a name, perhaps a second line, and a mark beside the name. */
  card(group, value, checked, parts, onchange = () => {}) {
    const [name, line, mark] = parts;
    const words = [
      el("b", name),
      mark && el("i.ck-tick-mark", mark),
      line && el("small", line),
    ].filter(Boolean);
    const spaced = words.flatMap((word) => [word, " "]);
    return this.tick(group, value, checked, [el("span.ck-tick-card", ...spaced)], onchange);
  }

  get seated() {
    return this.chosen.seats.slice(0, this.chosen.players);
  }

  get people() {
    return this.seated.filter(({ by }) => by === "person").length;
  }

  /** Who plays where nothing else was chosen: what the computers here are, else the best that is quick. */
  get computer() {
    const quick = this.setup.by.filter(({ level }) => level);
    return (
      this.chosen.seats.find(({ by }) => by !== "person")?.by ?? quick.at(-1)?.value ?? "person"
    );
  }

  drawSeats() {
    const { players, seats } = this.chosen;
    while (seats.length < players) seats.push({ by: this.computer, name: "" });
    this.drawMixes();
    this.drawNames();
    const rows = this.seated.map((seat, at) =>
      el(
        "label.ck-form-seat",
        el("span", this.labelOf(at)),
        menu(this.setup.by, seat.by, (value) => {
          seat.by = value;
          this.drawMixes();
          this.drawNames();
        }),
      ),
    );
    this.seats.replaceChildren(...rows);
  }

  labelOf(at) {
    return this.say("player_number").replace("{number}", at + 1);
  }

  /** How many people and how many computers, and how strong these are. */
  drawMixes() {
    const { players } = this.chosen;
    const labels = this.setup.mixes[players];
    const offered = [...new Set([players, this.people, 1])].filter((people) => labels[people]);
    const mixes = offered.map((people) =>
      this.card("mix", people, people === this.people, [labels[people]], () => {
        const { computer } = this;
        this.seated.forEach((seat, at) => {
          seat.by = at < people ? "person" : seat.by === "person" ? computer : seat.by;
        });
        this.drawSeats();
      }),
    );
    keepFocus(this.mixes, () => this.mixes.replaceChildren(...mixes));
    const computers = this.seated.filter(({ by }) => by !== "person");
    const kinds = new Set(computers.map(({ by }) => by));
    const levels = this.setup.by.filter(({ best, value }) => best || kinds.has(value));
    this.levels.hidden = !computers.length || levels.length < 2;
    const cards = levels.map(({ value, level, name }) =>
      this.card(
        "level",
        value,
        kinds.size === 1 && kinds.has(value),
        [level, level === name ? "" : name],
        () => {
          computers.forEach((seat) => {
            seat.by = value;
          });
          this.drawSeats();
        },
      ),
    );
    keepFocus(this.levels, () =>
      this.levels.replaceChildren(
        el("legend", this.say("levels")),
        el("div.ck-cards-to-tick.ck-levels", ...cards),
      ),
    );
  }

  /** The names of the people; where several share the screen, who sees their hands, and what helps. */
  drawNames() {
    const names = this.seated.map((seat, at) => {
      const label = this.labelOf(at);
      return el("input.ck-input", {
        type: "text",
        value: seat.name,
        maxlength: 24,
        placeholder: label,
        "aria-label": `${label}: ${this.say("name")}`,
        autocomplete: "off",
        hidden: seat.by !== "person",
        oninput: (event) => {
          seat.name = event.target.value;
        },
      });
    });
    this.names.replaceChildren(...names);
    this.shared.replaceChildren(
      ...(this.people > 1
        ? [el("p.ck-note", this.say("shared_screen")), this.table.holdChoice()]
        : []
      ).filter(Boolean),
    );
  }

  drawWays() {
    const { presets } = this.setup;
    const { options } = this.chosen;
    const now = presets.findIndex((preset) =>
      Object.keys(preset.options).every((name) => same(preset.options[name], options[name])),
    );
    const cards = presets.map((preset, at) => {
      const { label, help, time } = preset;
      return this.card("way", at, at === now, [label, help, time], () => {
        Object.assign(options, preset.options);
        this.drawRules();
      });
    });
    if (now < 0) cards.push(this.card("way", "own", true, [this.say("own_rules")]));
    keepFocus(this.ways, () => this.ways.replaceChildren(...cards));
  }

  drawRules() {
    for (const [place, first] of [true, false].entries()) {
      const fields = this.setup.fields.filter((field) => field.first === first);
      this.rules[place].replaceChildren(...fields.map((field) => this.field(field)));
    }
    this.drawWays();
  }

  field(field) {
    const id = `${this.id}-${field.name}`;
    const { options } = this.chosen;
    if (!(field.name in options)) options[field.name] = field.default;
    const set = (value) => {
      options[field.name] = value;
      this.drawWays();
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
    const help = el("small", { id: `${id}-help` }, this.say("seed_help"));
    return fieldOf("seed", id, this.say("seed_label"), box, help);
  }

  /** Say why not; what is wrong may be folded away. */
  refuse(text) {
    this.element.querySelector(".ck-form-says").replaceChildren(text);
    if (text) this.more.open = true;
  }

  start() {
    const { players, options, seed } = this.chosen;
    this.table.send({ type: "new", players, seats: this.seated, options, seed });
  }
}

/** Draw the boxes within `place` anew, and give the keyboard to the one that had it. */
function keepFocus(place, draw) {
  const { activeElement } = place.getRootNode();
  const value = place.contains(activeElement) && activeElement.getAttribute("value");
  draw();
  if (value === false) return;
  [...place.querySelectorAll("input")]
    .find((box) => box.getAttribute("value") === value)
    ?.focus({ preventScroll: true });
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
  /** Some of a few known values, in their order. */
  set(field, value, set, more) {
    const chosen = new Set(value ?? []);
    const tick = ({ value: one, label }) =>
      tickBox(label, chosen.has(one), null, ({ target }) => {
        if (target.checked) chosen.add(one);
        else chosen.delete(one);
        set(field.choices.map((choice) => choice.value).filter((each) => chosen.has(each)));
      });
    return el(
      "div.ck-set",
      { ...more, role: "group", "aria-label": field.label },
      ...field.choices.map(tick),
    );
  },
};
