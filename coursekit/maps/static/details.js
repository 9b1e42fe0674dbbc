// Beside the map, or below it on a phone: all fields of what is selected, and the forms for what is new. What is typed
// is an edit when its field is left; what is refused stays in its field, with the sentence that says why.

/** The kinds to offer for a relation of `kind`; those about the rules only beside the things that they are about. */
function offeredKinds(editor, kind) {
  const there = new Set([...editor.map.concepts.values()].map(({ label }) => label));
  return editor.kinds
    .map((offered, at) => ({ ...offered, at }))
    .filter(
      ({ name, rule, start, end }) =>
        !rule || name === kind || (there.has(start) && there.has(end)),
    )
    .filter(
      ({ name, phrase }, at, all) =>
        name === kind || all.findIndex((other) => other.phrase === phrase) === at,
    );
}

/** A field for the words of a relation, with a chip for each kind; the game's own kinds are whole sentences of its rules,
 *  as their words alone are hard to understand. `chosen` is called when a chip has filled the field. */
function phraseField(editor, { phrase = "", kind = "", part = "phrase" }, chosen = () => {}) {
  const box = el("input", {
    type: "text",
    "data-part": part,
    autocomplete: "off",
    lang: editor.language,
    maxlength: editor.limits.label,
    placeholder: editor.word("phrase"),
    "aria-label": editor.word("phrase"),
  });
  box.value = phrase;
  const kinds = offeredKinds(editor, kind);
  const sorted = [...kinds.filter(({ start }) => !start), ...kinds.filter(({ start }) => start)];
  const chips = sorted.map(({ name, phrase: words, start, end, at }) =>
    el(
      `button.ck-map-chip ck-map-kind-${at % 8}`,
      {
        "data-kind": name,
        onclick: () => {
          kind = name;
          box.value = words;
          mark();
          chosen();
        },
      },
      ...(start ? [el("span", start), el("b", words), el("span", end)] : [words]),
    ),
  );
  const group = el(
    "div.ck-map-chips",
    { role: "group", "aria-label": editor.word("kinds") },
    ...chips,
  );
  rove(group, () => chips);
  const words = () => box.value.trim();
  const mark = () =>
    chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.kind === kind)));
  box.addEventListener("input", () => {
    kind = editor.kindSaid(words()); // other words have no kind
    mark();
  });
  mark();
  return { box, group, value: () => ({ phrase: words(), kind }) };
}

const troubleOf = (field) => field.parentNode.querySelector(".ck-map-trouble");

/** Show beside `field` why it was refused, or that it was not. */
function tellTrouble(field, wrong) {
  troubleOf(field).textContent = wrong;
  troubleOf(field).hidden = !wrong;
}

class Details {
  constructor(editor) {
    this.editor = editor;
    this.isLeft = false; // whether a field that is being left is made an edit
    this.form = null; // {root, back: what gets the keyboard afterwards}; else the selected thing is shown
    this.root = el("aside.ck-map-side", {
      "aria-label": editor.word("selection"),
      onpointerdown: () => {
        this.pressed = true;
      },
      onkeydown: (event) => this.onKey(event),
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
      editor.on("map", () => this.form || this.build()),
      editor.on("view", () => {
        this.close(false);
        this.build();
      }),
    ];
    this.build();
  }

  leave() {
    this.commit();
    this.ends.forEach((end) => end());
  }

  get thing() {
    return thingAt(this.editor.map, this.editor.selected ?? "?");
  }

  release() {
    this.pressed = false;
    if (this.late && !this.form) this.build();
  }

  onKey(event) {
    if (event.key !== "Escape" || composingIn(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.form) this.close();
    else this.editor.home();
  }

  /** @param {string | null} _id @param {{ open?: boolean }} [more] */
  onSelect(_id, { open } = {}) {
    if (this.editor.linking()) return;
    this.close(false);
    this.commit();
    this.build();
    this.root.classList.toggle("ck-open", Boolean(open));
    const first = open && this.root.querySelector("[data-part=label], [data-part=phrase]");
    if (!first) return;
    first.focus({ preventScroll: true });
    first.select();
  }

  /** Make an edit of what was typed, in the field `input` or in all. */
  commit(input) {
    for (const field of input ? [input] : this.root.querySelectorAll("[data-field]")) {
      const { field: name, of } = field.dataset;
      const { editor } = this;
      if (!thingAt(editor.map, of) || field.value.trim() === field.shown) continue;
      const more = name === "phrase" ? { kind: editor.kindSaid(field.value.trim()) } : {};
      this.isLeft = true; // the keyboard has not reached the next field yet
      const wrong = editor.edit(changeThing(editor.map, of, { [name]: field.value, ...more }));
      this.isLeft = false;
      if (!wrong) field.shown = field.value.trim();
      tellTrouble(field, wrong);
      if (wrong && input) editor.say(wrong);
      else if (wrong) editor.tell(wrong, true); // the field goes
    }
  }

  build() {
    const { editor, thing } = this;
    if (this.isLeft) {
      setTimeout(() => this.form || this.build());
      return;
    }
    this.late = this.pressed && this.root.hasChildNodes();
    if (this.late) return;
    const holder = /** @type {any} */ (this.root.getRootNode().activeElement);
    const active = this.root.contains(holder) ? holder : null;
    const isTyped = active?.dataset.field && active.value.trim() !== active.shown;
    if (isTyped && active.dataset.of === editor.selected) return;
    const refused = [...this.root.querySelectorAll("[data-field]")].filter(
      (field) => field.dataset.of === editor.selected && field.value.trim() !== field.shown,
    );
    const part = active?.dataset.part;
    const range = [active?.selectionStart ?? null, active?.selectionEnd];
    this.root.classList.toggle("ck-map-idle", !thing);
    this.root.replaceChildren(
      ...(!thing ? this.idle() : "start" in thing ? this.relation(thing) : this.concept(thing)),
    );
    for (const field of refused) {
      const again = this.root.querySelector(`[data-field="${field.dataset.field}"]`);
      again.value = field.value;
      tellTrouble(again, troubleOf(field).textContent);
    }
    const again = part && this.root.querySelector(`[data-part="${part}"]`);
    again?.focus({ preventScroll: true });
    if (range[0] !== null) again?.setSelectionRange?.(...range);
  }

  // Parts

  input(tag, name, value, more = {}) {
    const { editor } = this;
    const id = `${editor.uid}-${name}`;
    const input = el(tag, {
      id,
      "data-part": name,
      "data-field": name,
      "data-of": editor.selected,
      lang: editor.language,
      autocomplete: "off",
      maxlength: name === "label" ? editor.limits.label : editor.limits.note,
      ...more,
      onchange: () => this.commit(input),
    });
    input.value = input.shown = value ?? "";
    if (tag === "input") onEnter(input, () => this.commit(input));
    const trouble = el("p.ck-map-trouble.ck-bad", { role: "alert", hidden: true });
    return el("div.ck-map-row", el("label", { for: id }, editor.word(name)), input, trouble);
  }

  header(title, ...actions) {
    const { editor, root } = this;
    const unfold = press("up", editor.word("details"), {
      class: "ck-map-sign ck-map-unfold",
      "data-part": "unfold",
      "aria-expanded": String(root.classList.contains("ck-open")),
      onclick: (event) => {
        const isOpen = root.classList.toggle("ck-open");
        event.currentTarget.setAttribute("aria-expanded", String(isOpen));
      },
    });
    const close = press("close", editor.word("close"), {
      class: "ck-map-sign",
      onclick: () => editor.select(null),
    });
    return el(
      "header",
      el("p.ck-map-name", title),
      unfold,
      close,
      el("div.ck-map-actions", ...actions),
    );
  }

  action(sign, words, part, onclick) {
    return press(sign, this.editor.word(words), { "data-part": part, onclick });
  }

  goButton(id, words) {
    const onclick = () => this.editor.select(id, { show: true });
    return el("button.ck-map-go", { "data-part": `go ${id}`, onclick }, words);
  }

  idle() {
    const { editor } = this;
    const { concepts, relations } = editor.map;
    if (!concepts.size) return [];
    const open = [...relations].filter(([, { phrase }]) => !phrase);
    const alone = [...concepts].filter(([id]) => !editor.linksOf(id).length);
    const list = (name, things, say) =>
      things.length > 0 &&
      el(
        "div",
        el("h3", editor.word(name)),
        el(
          "ul",
          ...things.slice(0, 8).map(([id, thing]) => el("li", this.goButton(id, say(thing)))),
        ),
      );
    const advice = editor.view === "map" ? editor.word("advice").split("\n") : [];
    return [
      el(
        "div.ck-map-details",
        el(
          "p.ck-map-count",
          editor.word("count", { concepts: concepts.size, relations: relations.size }),
        ),
        list("wordless_ones", open, (relation) => editor.sentence({ ...relation, phrase: "?" })),
        list("alone", alone, ({ label }) => label),
        el("ul.ck-map-advice", ...advice.map((line) => el("li", line))),
      ),
    ];
  }

  concept(thing) {
    const { editor } = this;
    const id = editor.selected;
    const isTop = hierarchyOf(editor.map).top === id;
    const card = editor.cardOf(thing.card);
    const example = el("input", {
      type: "checkbox",
      id: `${editor.uid}-example`,
      "data-part": "example",
      checked: thing.kind === "example",
      onchange: (event) => {
        const kind = event.target.checked ? "example" : "";
        editor.edit(changeThing(editor.map, id, { kind }));
      },
    });
    const rows = editor
      .linksOf(id)
      .map(([key, relation]) => el("li", this.goButton(key, editor.sentence(relation))));
    return [
      this.header(
        thing.label,
        this.action("add", "new_short", "new", () => editor.forms.concept({ from: id })),
        this.action("link", "link_short", "link", () => editor.startLink(id)),
        !isTop &&
          this.action("top", "make_top", "top", () =>
            editor.edit({ [HEAD]: { ...editor.map.head, top: id } }),
          ),
        this.action("remove", "remove", "remove", () => editor.remove(id)),
      ),
      el(
        "div.ck-map-details",
        card &&
          el(
            "div.ck-map-of",
            this.picture(card, 84),
            el("p.ck-map-source", editor.kindWord(thing.kind || "card")),
          ),
        this.input("input", "label", thing.label),
        !card &&
          el("p.ck-check", example, el("label", { for: example.id }, editor.word("kind_example"))),
        this.input("textarea", "note", thing.note, { rows: "3" }),
        card
          ? thing.source && el("p.ck-map-source", editor.word("source"), " ", thing.source)
          : this.input("input", "source", thing.source),
        el("h3", editor.word("relations")),
        el(
          "ul.ck-map-sentences",
          ...(rows.length ? rows : [el("li.ck-map-none", editor.word("no_relation"))]),
        ),
      ),
    ];
  }

  relation(thing) {
    const { editor } = this;
    const id = editor.selected;
    const isCross = hierarchyOf(editor.map).cross.has(id);
    const commit = () => this.commit(words.box);
    const words = phraseField(editor, thing, () =>
      editor.edit(changeThing(editor.map, id, words.value())),
    );
    Object.assign(words.box.dataset, { field: "phrase", of: id });
    words.box.shown = thing.phrase;
    words.box.addEventListener("change", commit);
    onEnter(words.box, commit);
    const turn = () =>
      editor.edit(changeThing(editor.map, id, { start: thing.end, end: thing.start })) ||
      editor.say(editor.sentence(editor.map.relations.get(id)));
    return [
      this.header(
        editor.sentence(thing),
        this.action("turn", "turn", "turn", turn),
        this.action("remove", "remove", "remove", () => editor.remove(id)),
      ),
      el(
        "div.ck-map-row",
        words.box,
        el("p.ck-map-trouble.ck-bad", { role: "alert", hidden: true }),
      ),
      words.group,
      el(
        "div.ck-map-details",
        isCross && el("p.ck-map-source", editor.word("panel.look.cross_links_hint")),
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

  picture(card, high) {
    const art = this.editor.art?.(card, high);
    return art
      ? el("img.ck-map-big", { src: art.address, alt: "", width: art.wide, height: high })
      : el(`p.ck-map-set ck-map-tone-${card.tone ?? 0}`, card.label);
  }

  // Forms

  /** Show a form in place of the selected thing; `send` returns the sentence that refuses it, "" if it is done. */
  show(title, parts, label, send) {
    const { editor } = this;
    const active = this.root.getRootNode().activeElement;
    const trouble = el("p.ck-map-trouble.ck-bad", { role: "alert", hidden: true });
    const root = el(
      "form.ck-map-form",
      {
        novalidate: true,
        "aria-label": title,
        onsubmit: (event) => {
          event.preventDefault();
          const wrong = send();
          trouble.textContent = wrong;
          trouble.hidden = !wrong;
        },
        onkeydown: (event) => event.key === "Enter" && composingIn(event) && event.preventDefault(),
      },
      el(
        "header",
        el("p.ck-map-form-title", title),
        press("close", editor.word("cancel"), {
          class: "ck-map-sign",
          onclick: () => this.close(),
        }),
      ),
      ...parts,
      trouble,
      label && el("button.ck-button.ck-map-main", { type: "submit" }, label),
    );
    this.form = { root, back: this.root.contains(active) ? null : active };
    this.root.classList.remove("ck-map-idle");
    this.root.classList.add("ck-open");
    this.root.replaceChildren(root);
    this.root.scrollIntoView?.({ block: "nearest" });
    editor.wake();
    editor.tells("form"); // the details are seen from now on
    root
      .querySelector("input:not([type=hidden]), select, button[type=submit], .ck-map-topic")
      ?.focus({ preventScroll: true });
  }

  /** Close the form; what was selected is shown again, and the keyboard goes back. */
  close(isBack = true) {
    const { form, editor } = this;
    if (!form) return;
    this.form = null;
    editor.stopLink();
    this.root.classList.remove("ck-open");
    this.build();
    editor.tells("form");
    if (isBack) editor.home();
  }

  done(id, said) {
    const { editor } = this;
    this.close(false);
    editor.select(id, { show: true });
    editor.home();
    editor.say(said);
    return "";
  }

  labelBox() {
    const { editor } = this;
    return el("input", {
      type: "text",
      "data-part": "new",
      autocomplete: "off",
      lang: editor.language,
      maxlength: editor.limits.label,
      placeholder: editor.word("concept"),
      "aria-label": editor.word("concept"),
    });
  }

  /** A new concept, with `from` linked from there. */
  conceptForm({ from = null, at = null, more = {} }) {
    const { editor } = this;
    const isLinked = editor.map.concepts.has(from);
    const words = isLinked ? phraseField(editor, {}, () => box.focus()) : null;
    const box = this.labelBox();
    const sentence = isLinked
      ? el("div.ck-map-sentence", el("b", editor.labelOf(from)), words.box, box)
      : box;
    const send = () => {
      const label = tidyText(box.value, false);
      const known = [...editor.map.concepts].find(
        ([, other]) => sameLabel(other.label) === sameLabel(label),
      );
      const isNew = !known || !isLinked;
      const added = isNew ? addConcept(editor.map, { ...more, label, at }) : {};
      const id = isNew ? Object.keys(added)[0] : known[0];
      const link = isLinked
        ? addRelation(editor.map, { start: from, end: id, ...words.value() })
        : {};
      const isFirst = editor.map.concepts.size === 0;
      const wrong = editor.edit({ ...added, ...link });
      if (wrong) {
        box.focus();
        return wrong;
      }
      this.done(id, editor.word("added", { label }));
      if (isFirst) this.conceptForm({ from: id });
      return "";
    };
    const title = editor.word(isLinked ? "new_linked" : "new_concept");
    this.show(title, [sentence, words?.group], editor.word("put"), send);
  }

  /** A new relation; without an `end` the goal is chosen on the map or from the list. */
  relationForm({ start, end = "" }) {
    const { editor } = this;
    const before = this.form?.phrase?.value() ?? {};
    const words = phraseField(editor, before, () =>
      (goal.value ? this.form.root.querySelector("[type=submit]") : goal).focus(),
    );
    const others = [...editor.map.concepts].filter(([id]) => id !== start);
    const goal = el(
      "select",
      { "data-part": "goal", "aria-label": editor.word("link_goal") },
      el("option", { value: "" }, editor.word("link_pick")),
      ...others.map(([id, { label }]) => el("option", { value: id, selected: id === end }, label)),
    );
    const send = () => {
      const added = addRelation(editor.map, { start, end: goal.value, ...words.value() });
      const wrong = goal.value ? editor.edit(added) : editor.word("link_none_chosen");
      const [id] = Object.keys(added);
      return wrong || this.done(id, editor.sentence(editor.map.relations.get(id)));
    };
    const hint =
      !end && el("p.ck-map-source", editor.word("link_choose", { label: editor.labelOf(start) }));
    const sentence = el("div.ck-map-sentence", el("b", editor.labelOf(start)), words.box, goal);
    this.show(editor.word("how_linked"), [hint, sentence, words.group], editor.word("put"), send);
    this.form.phrase = words;
    if (!end && editor.view === "map" && matchMedia("(pointer: fine)").matches) editor.home();
  }

  /** A card of the game that is not on the map yet. */
  cardForm() {
    const { editor } = this;
    const concepts = [...editor.map.concepts.values()];
    const used = new Set(concepts.flatMap(({ card, label }) => [card, sameLabel(label)]));
    const left = editor.cards.filter(
      ({ card, label }) => !used.has(card) && !used.has(sameLabel(label)),
    );
    if (!left.length) return editor.tell(editor.word("draw_none"));
    const card = left[Math.floor(Math.random() * left.length)];
    const { label, kind, note, source } = card;
    const send = () => {
      const added = addConcept(editor.map, { label, kind, note, card: card.card, source });
      const [id] = Object.keys(added);
      const wrong = editor.edit(added);
      if (wrong) return wrong;
      this.done(id, editor.word("added", { label }));
      if (editor.map.concepts.size > 1) editor.startLink(id);
      else this.conceptForm({ from: id });
      return "";
    };
    const parts = [
      el(
        "div.ck-map-fly",
        this.picture(card, 180),
        el("div", el("p.ck-map-name", label), el("p.ck-map-note", note)),
      ),
      source && el("p.ck-map-source", editor.word("source"), " ", source),
      press("card", editor.word("draw_again"), { onclick: () => this.cardForm() }),
    ];
    this.show(editor.word("drawn"), parts, editor.word("draw_put"), send);
  }

  starterForm() {
    const { editor } = this;
    const topics = editor.topics.map(({ about, label }) =>
      el("button.ck-button.ck-map-topic", { onclick: () => editor.begins(about) }, label),
    );
    this.show(editor.word("starter_about"), [el("div.ck-map-topics", ...topics)], "", () => "");
  }

  keysForm() {
    const { editor } = this;
    const rows = editor
      .word("keys")
      .split("\n")
      .map((line) => line.split("|"));
    const parts = rows.map(([keys, what]) =>
      el("div", el("dt", ...keys.split(" ").map((key) => el("kbd", key))), el("dd", what)),
    );
    this.show(editor.word("keys_title"), [el("dl.ck-map-keys", ...parts)], "", () => "");
  }
}
