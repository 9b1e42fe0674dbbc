// The details beside the map, or below it on a phone: all fields of the selected thing. What was typed goes to the
// kernel as one edit, and stays in its field if the kernel refuses.

const isEdited = (input) => input.value.trim() !== input.shown.trim();

class Details {
  constructor(editor) {
    this.editor = editor;
    this.id = null;
    this.built = null; // id of what is shown
    this.fields = {}; // name -> field; its `shown` is the text in the map, its `refused` the text that the kernel refused
    this.root = el("aside.ck-map-side", {
      "aria-label": editor.word("selection"),
      onpointerdown: () => {
        this.pressed = true;
      },
    });
    const release = () => setTimeout(() => this.release()); // after the click
    for (const name of ["pointerup", "pointercancel"])
      document.addEventListener(name, release, true);
    this.ends = [
      () =>
        ["pointerup", "pointercancel"].forEach((name) =>
          document.removeEventListener(name, release, true),
        ),
      editor.on("select", (id, more) => this.onSelect(id, more)),
      editor.on("map", ({ renamed }) => this.onMap(renamed)),
    ];
    this.build();
  }

  leave() {
    this.commit();
    this.ends.forEach((end) => end());
  }

  /** @param {string | null} id @param {{ open?: boolean }} [more] */
  onSelect(id, { open } = {}) {
    this.commit();
    if (id !== this.id) {
      this.id = id;
      if (!open) this.root.classList.remove("ck-open");
      this.build();
    }
    if (open && id) {
      this.root.classList.add("ck-open");
      const first = this.fields.label ?? this.fields.phrase;
      first?.focus({ preventScroll: true });
      first?.select();
    }
  }

  onMap(renamed) {
    for (const part of ["id", "built"])
      if (renamed.has(this[part])) this[part] = renamed.get(this[part]);
    if (this.id !== this.editor.selected) this.id = this.editor.selected;
    this.build();
  }

  entitle() {
    const { editor, thing, fields } = this;
    const words = (name) => fields[name]?.value.trim() || thing[name];
    this.title.textContent =
      "start" in thing ? editor.sentence({ ...thing, phrase: words("phrase") }) : words("label");
  }

  get thing() {
    const { concepts, relations } = this.editor.map;
    return concepts.get(this.id) ?? relations.get(this.id);
  }

  commit(name) {
    const { thing, id } = this;
    for (const [field, input] of Object.entries(this.fields)) {
      const value = input.value.trim();
      if ((name && field !== name) || !thing || !isEdited(input) || input.refused === value)
        continue;
      input.shown = value;
      const more = field === "phrase" ? { kind: this.editor.kindSaid(value) } : {};
      this.editor.edit([["change", id, { [field]: value, ...more }]], true).then((answer) => {
        const refused = answer.type === "refused";
        input.refused = refused ? value : undefined;
        const trouble = input.parentNode?.querySelector(".ck-map-trouble");
        if (!trouble || !input.isConnected) {
          if (refused) this.editor.tell(answer.text, true);
          return;
        }
        trouble.textContent = refused ? answer.text : "";
        trouble.hidden = !refused;
        if (!refused) return;
        if (!isEdited(input)) input.value = value;
        input.shown = this.thing?.[field] ?? "";
      });
    }
  }

  release() {
    this.pressed = false;
    if (this.late) this.build();
  }

  build() {
    const { editor, thing } = this;
    this.late = this.pressed && this.root.hasChildNodes();
    if (this.late) return;
    const active = this.root.getRootNode().activeElement;
    const held = this.root.contains(active)
      ? active.dataset.part?.replace(/\S+$/, editor.now)
      : undefined;
    const inputs = Object.entries(this.fields);
    const busy =
      inputs.some(([, input]) => input === active || isEdited(input)) ||
      (held && active.localName === "select");
    if (busy && thing && this.id === this.built) {
      for (const [name, input] of inputs) {
        if (isEdited(input)) continue;
        input.shown = thing[name] ?? "";
        if (input.value.trim() !== input.shown.trim()) input.value = input.shown;
      }
      this.list?.replaceChildren(...this.relations());
      this.entitle();
      return;
    }
    this.built = thing ? this.id : null;
    this.fields = {};
    this.list = null;
    this.root.classList.toggle("ck-map-idle", !thing);
    this.root.replaceChildren(...this.content());
    if (held) this.root.querySelector(`[data-part="${held}"]`)?.focus({ preventScroll: true });
  }

  content() {
    const { thing } = this;
    if (!thing) return this.idle();
    return "start" in thing ? this.relation(thing) : this.concept(thing);
  }

  input(tag, name, value, more = {}) {
    const { editor } = this;
    const id = `${editor.uid}-${name}`;
    const input = el(tag, {
      id,
      "data-part": name,
      lang: editor.language,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: name === "note" ? (editor.limits.note ?? 2000) : (editor.limits.label ?? 80),
      ...more,
      oninput: () => this.entitle(),
      onchange: () => setTimeout(() => this.commit(name)),
    }); // when Tab has arrived
    input.value = input.shown = value ?? "";
    if (tag === "input") onEnter(input, () => this.commit(name));
    if (!more.readonly) this.fields[name] = input;
    return el(
      "div.ck-map-row",
      el("label", { for: id }, editor.word(name)),
      input,
      el("p.ck-map-trouble.ck-bad", { role: "alert", hidden: true }),
    );
  }

  header(title, ...actions) {
    const { editor } = this;
    const more = press("up", editor.word("details"), {
      class: "ck-map-sign ck-map-unfold",
      "data-part": "unfold",
      "aria-expanded": String(this.root.classList.contains("ck-open")),
      onclick: (event) => {
        const open = this.root.classList.toggle("ck-open");
        event.currentTarget.setAttribute("aria-expanded", open);
        editor.drawing.reveal(this.id);
      },
    });
    this.title = el("p.ck-map-name", title);
    return el(
      "header",
      this.title,
      more,
      press("close", editor.word("close"), {
        class: "ck-map-sign",
        onclick: () => editor.select(null),
      }),
      el("div.ck-map-actions", ...actions),
    );
  }

  goButton(id, words, more = {}) {
    const onclick = () => this.editor.select(id, { show: true, ...more });
    return el("button.ck-map-go", { "data-part": `go ${id}`, onclick }, words);
  }

  action(sign, words, part, onclick, more = {}) {
    return press(sign, this.editor.word(words), { "data-part": part, onclick, ...more });
  }

  kindRow(kind) {
    return el("div.ck-map-row", el("label", { for: kind.id }, this.editor.word("kind")), kind);
  }

  idle() {
    const { editor } = this;
    const { concepts, relations } = editor.map;
    if (!concepts.size) return [];
    const open = [...relations].filter(([, relation]) => !relation.phrase);
    const alone = [...concepts].filter(([id]) => !editor.linksOf(id).length);
    const focus = editor.view === "map";
    const list = (words, things, say) => {
      const some = things.slice(0, 8);
      const lines = some.map(([id, thing]) => el("li", this.goButton(id, say(thing), { focus })));
      return lines.length > 0 && el("div", el("h3", words), el("ul", ...lines));
    };
    return [
      el(
        "div.ck-map-details",
        el(
          "p.ck-map-count",
          editor.word("count", { concepts: concepts.size, relations: relations.size }),
        ),
        list(editor.word("wordless_ones"), open, (relation) =>
          editor.sentence({ ...relation, phrase: "?" }),
        ),
        list(editor.word("alone"), alone, (concept) => concept.label),
        el(
          "ul.ck-map-advice",
          ...editor
            .word("advice")
            .split("\n")
            .map((line) => el("li", line)),
        ),
      ),
    ].filter(Boolean);
  }

  concept(thing) {
    const { editor } = this;
    const { drawing } = editor;
    const card = editor.cardOf(thing.card);
    const top = (editor.map.head.top || editor.map.tree?.top) === this.id;
    const art = drawing.art(card, 84);
    const kinds = [
      ["", "kind_own"],
      ["example", "kind_example"],
    ].map(([value, words]) => ({ value, label: editor.word(words) }));
    if (thing.kind && thing.kind !== "example")
      kinds.unshift({ value: thing.kind, label: editor.kindWord(thing.kind) });
    const kind = el(
      "select",
      {
        id: `${editor.uid}-kind`,
        "data-part": "kind",
        onchange: (event) => editor.edit([["change", this.id, { kind: event.target.value }]]),
      },
      ...kinds.map(({ value, label }) =>
        el("option", { value, selected: value === thing.kind }, label),
      ),
    );
    this.list = el("ul.ck-map-sentences", ...this.relations());
    return [
      this.header(
        thing.label,
        this.action("link", "link_short", "link", () => drawing.startLink(this.id)),
        this.action("add", "new_short", "new", () => editor.forms.concept({ from: this.id })),
        !top &&
          this.action("top", "make_top", "top", () => editor.edit([["top", this.id]]), {
            class: "ck-map-rare",
          }),
        this.action("remove", "remove", "remove", () => editor.remove(this.id)),
      ),
      el(
        "div.ck-map-details",
        card &&
          el(
            "div.ck-map-of",
            art &&
              svg(
                "svg.ck-map-mini",
                { viewBox: `0 0 ${art.wide} 84`, "aria-hidden": "true" },
                art.element,
              ),
            el("p.ck-map-source", editor.kindWord(thing.kind || "card")),
          ),
        this.input("input", "label", thing.label),
        this.kindRow(kind),
        this.input("textarea", "note", thing.note, { rows: "3" }),
        thing.card
          ? thing.source && el("p.ck-map-source", editor.word("source"), " ", thing.source)
          : this.input("input", "source", thing.source, { maxlength: "2000" }),
        el("h3", editor.word("relations")),
        this.list,
      ),
    ];
  }

  relations() {
    const { editor, id } = this;
    const rows = editor.linksOf(id);
    if (!rows.length) return [el("li.ck-map-none", editor.word("no_relation"))];
    return rows.map(([key, relation]) => {
      const act = (sign, words, onclick) =>
        this.action(sign, words, `${sign} ${key}`, onclick, {
          class: "ck-map-sign",
          title: editor.word(words),
        });
      return el(
        "li",
        this.goButton(key, editor.sentence(relation)),
        act("edit", "change_relation", () => editor.forms.relation({ id: key })),
        act("turn", "turn", () => this.turn(key)),
        act("remove", "remove", () => editor.remove(key)),
      );
    });
  }

  turn(given) {
    const id = this.editor.now(given);
    const { start, phrase, end } = this.editor.map.relations.get(id);
    const said = this.editor.sentence({ start: end, phrase, end: start });
    this.editor
      .edit([["change", id, { start: end, end: start }]])
      .then((answer) => answer.type !== "refused" && this.editor.say(said));
  }

  relation(thing) {
    const { editor } = this;
    const cross = editor.map.tree?.cross_links.includes(this.id);
    const kind = el(
      "select",
      {
        id: `${editor.uid}-kind`,
        "data-part": "kind",
        onchange: (event) => {
          const { value } = event.target;
          const said = editor.kinds.find((kind) => kind.name === value)?.phrase;
          editor.edit([
            [
              "change",
              this.id,
              this.thing.phrase || !said ? { kind: value } : { kind: value, phrase: said },
            ],
          ]);
        },
      },
      el("option", { value: "" }, editor.word("no_kind")),
      ...offeredKinds(editor, thing.kind).map(({ name, phrase }) =>
        el("option", { value: name, selected: name === thing.kind }, phrase),
      ),
    );
    return [
      this.header(
        editor.sentence(thing),
        this.action("edit", "change_short", "edit", () => editor.forms.relation({ id: this.id })),
        this.action("turn", "turn", "turn", () => this.turn(this.id)),
        this.action("remove", "remove", "remove", () => editor.remove(this.id)),
      ),
      el(
        "div.ck-map-details",
        cross && el("p.ck-map-source", editor.word("cross_explained")),
        this.input("input", "phrase", thing.phrase),
        this.kindRow(kind),
        this.input("textarea", "note", thing.note, { rows: "3" }),
        el(
          "ul.ck-map-sentences",
          ...[thing.start, thing.end].map((end) =>
            el("li", this.goButton(end, editor.labelOf(end))),
          ),
        ),
      ),
    ];
  }
}
