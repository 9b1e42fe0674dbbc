// What is typed into: small forms over the map for a concept, a relation, a drawn card, and the sheet beside it with all that
// the selected thing has. Either gives what was typed to the kernel as one edit, and keeps it where the kernel refuses.

// ---- Small forms over the view: a concept, a relation, a drawn card

/** The answer to an edit, or null if the kernel takes its time: then the form need not wait. */
const soon = (answer) => Promise.race([answer, new Promise((done) => setTimeout(() => done(null), 1500))]);

let forms = 0; // so many have been opened on this page

class Forms {
  constructor(editor, drawing) {
    this.editor = editor;
    this.drawing = drawing;
    this.layer = el("div", { class: "ck-map-forms" });
    this.open = null; // {root, back: what gets the keyboard when it closes}
    this.end = editor.on("view", () => this.open?.at && this.place());
  }

  leave() {
    this.end();
    this.close(false);
  }

  /** Open a form beside a point of the sheet, or in the middle without `at`. */
  show(title, at, more, ...children) {
    this.close(false);
    const { editor } = this;
    forms += 1;
    const active = this.layer.getRootNode().activeElement;
    const trouble = el("p", { class: "ck-map-trouble ck-bad", role: "alert", hidden: true });
    const root = el("form", {
      class: `ck-map-form ${more.class ?? ""}`.trim(), role: "dialog", "aria-label": title, novalidate: true,
      onsubmit: (event) => event.preventDefault(),
      onkeydown: (event) => {
        if (event.key === "Escape" && !composingIn(event)) {
          event.preventDefault();
          event.stopPropagation();
          this.close();
        }
      },
    }, el("header", {}, el("p", { class: "ck-map-form-title" }, title),
      press("close", editor.word("cancel"), { class: "ck-map-sign", onclick: () => this.close() })), ...children, trouble);
    this.open = { root, at, trouble, back: active && !this.layer.contains(active) ? active : null };
    this.layer.replaceChildren(root);
    this.place();
    root.scrollIntoView?.({ block: "nearest" });
    return root;
  }

  /** Put the form below its point, or above if there is no room, but never over the edge. */
  place() {
    const { root, at } = this.open;
    const [width, height] = [this.layer.clientWidth, this.layer.clientHeight];
    const { offsetWidth, offsetHeight } = root;
    const [x, y] = at && this.editor.view === "map" ? this.drawing.onScreen(at) : [width / 2, height / 2 - offsetHeight / 2 - 30];
    const below = y + 30 + offsetHeight < height ? y + 30 : y - 30 - offsetHeight;
    root.style.setProperty("--x", `${between(x - offsetWidth / 2, 6, width - offsetWidth - 6)}px`);
    root.style.setProperty("--y", `${between(below, 6, height - offsetHeight - 6)}px`);
  }

  close(focus = true) {
    if (!this.open) return;
    const { root, back } = this.open;
    this.open = null;
    root.remove();
    if (focus && back?.isConnected) back.focus({ preventScroll: true });
    else if (focus) this.drawing.focusOn(this.editor.selected);
  }

  /** Make an edit from the open form; it stays, with what was typed, if the kernel refuses. */
  async send(ops, done) {
    const { open, editor } = this;
    if (!open || open.busy) return;
    open.busy = true;
    const answer = await soon(editor.edit(ops, true));
    open.busy = false;
    if (answer?.type === "refused") {
      if (this.open !== open) {
        editor.tell(answer.text, true);
        return;
      }
      open.trouble.textContent = answer.text;
      open.trouble.hidden = false;
      this.place();
      return;
    }
    if (this.open === open) this.close(false);
    done?.(answer?.made ?? []);
  }

  field(label, value, more = {}) {
    const { limits, language } = this.editor;
    return el("input", { type: "text", "aria-label": label, placeholder: label, maxlength: String(limits.label ?? 80), value, lang: language, autocomplete: "off", spellcheck: "false", enterkeyhint: "done", ...more });
  }

  /** A field for a phrase and the kinds of relations as chips; `chosen` is called after a chip. */
  phrase(value, kind, chosen) {
    const { editor } = this;
    const input = this.field(editor.word("phrase"), value, { class: "ck-map-words" });
    const state = { input, kind, get phrase() { return input.value.trim(); } };
    const first = new Set();
    const kinds = editor.kinds.map((each, at) => ({ ...each, at })).filter(({ phrase }) => !first.has(phrase) && first.add(phrase));
    const chips = kinds.map(({ name, phrase, at }) => el("button", {
      type: "button", class: `ck-map-chip ck-map-kind-${at % 8}`, "data-kind": name, "aria-pressed": String(name === kind),
      onclick: () => {
        state.kind = name;
        input.value = phrase;
        mark();
        chosen();
      },
    }, phrase));
    const mark = () => chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.kind === state.kind)));
    input.addEventListener("input", () => {
      const said = editor.kindSaid(state.phrase);
      if (said || !state.phrase) state.kind = said;
      mark();
    });
    state.chips = el("div", { class: "ck-map-chips", role: "group", "aria-label": editor.word("kinds") }, ...chips);
    return state;
  }

  /** Ask for a new concept, at a place of the map or wherever there is room; with `from` also for the relation that leads there. */
  concept({ from, at }) {
    const { editor, drawing } = this;
    const { selected } = editor;
    const near = from ?? (editor.map.concepts.has(selected) ? selected : drawing.here);
    const place = at ?? drawing.free(from ?? selected);
    const label = this.field(editor.word("concept"), "", { class: "ck-map-words" });
    const done = ([made]) => {
      if (!made) return;
      drawing.wake();
      editor.select(made, { focus: editor.view === "map", show: true });
      editor.say(editor.word("added", { label: label.value.trim() }));
    };
    const commit = () => {
      const words = label.value.trim();
      if (!words) return label.focus();
      const add = ["add", { label: words, at: place }];
      if (!from) return this.send([add], done);
      return this.send([add, ["link", from, phrase.phrase, "+0", { kind: phrase.kind }]], done);
    };
    const phrase = this.phrase("", "", () => (label.value.trim() ? commit() : label.focus()));
    const ok = press("tick", editor.word("put"), { class: "ck-map-main", onclick: commit });
    const point = drawing.pointAt(place);
    if (from) {
      this.show(editor.word("new_linked"), point, {}, el("div", { class: "ck-map-sentence" },
        el("b", {}, editor.labelOf(from)), phrase.input, label), phrase.chips, el("footer", {}, ok));
      entering(label, () => (phrase.phrase ? commit() : phrase.input.focus()));
      entering(phrase.input, () => (label.value.trim() ? commit() : label.focus()));
    } else {
      const linked = near && press("link", editor.word("put_linked", { label: editor.labelOf(near) }), { onclick: () => turn() });
      const turn = () => {
        const words = label.value;
        this.concept({ from: near, at: at ?? place });
        const fields = this.open.root.querySelectorAll("input");
        fields[1].value = words;
        fields[words.trim() ? 0 : 1].focus();
      };
      this.show(editor.word("new_concept"), point, {}, label, el("footer", {}, ok, linked));
      entering(label, commit);
      label.addEventListener("keydown", (event) => {
        if (event.key !== "Tab" || event.shiftKey || !near || !label.value.trim() || composingIn(event)) return;
        event.preventDefault();
        turn();
      });
    }
    label.focus({ preventScroll: true });
  }

  /** Ask how two concepts belong together, or change what is said about that. */
  relation({ id, start, end }) {
    const { editor, drawing } = this;
    const old = id ? editor.map.relations.get(id) : { start, phrase: "", end, kind: "" };
    if (!old) return;
    let ends = [old.start, old.end];
    const commit = () => {
      const [from, to] = ends;
      const words = { phrase: phrase.phrase, kind: phrase.kind };
      const turned = from !== old.start ? { start: from, end: to } : {};
      const made = id ? ["change", id, { ...words, ...turned }] : ["link", from, words.phrase, to, { kind: words.kind }];
      return this.send([made], ([fresh]) => {
        drawing.wake();
        editor.select(id ?? fresh ?? null, { focus: editor.view === "map" });
        editor.say(editor.sentence({ start: from, end: to, phrase: words.phrase }));
      });
    };
    const phrase = this.phrase(old.phrase, old.kind, commit);
    const names = [el("b"), el("b")];
    const say = () => names.forEach((each, at) => { each.textContent = editor.labelOf(ends[at]); });
    const turn = press("turn", editor.word("turn"), { onclick: () => {
      ends = [ends[1], ends[0]];
      say();
      phrase.input.focus();
    } });
    say();
    const line = drawing.lines.get(id);
    const boxes = [start, end].map((each) => drawing.boxes.get(each));
    const at = line ? [line.x, line.y] : boxes[0] && boxes[1] && [(boxes[0].x + boxes[1].x) / 2, (boxes[0].y + boxes[1].y) / 2];
    this.show(editor.word(id ? "change_relation" : "how_linked"), at, {},
      el("div", { class: "ck-map-sentence" }, names[0], phrase.input, names[1]), phrase.chips,
      el("footer", {}, press("tick", editor.word("ok"), { class: "ck-map-main", onclick: commit }), turn,
        id && press("remove", editor.word("remove"), { onclick: () => {
          this.close(false);
          editor.remove(id);
        } })));
    entering(phrase.input, commit);
    phrase.input.focus({ preventScroll: true });
    phrase.input.select();
  }

  /** Change the label of a concept where it stands. */
  label(id) {
    const { editor, drawing } = this;
    const concept = editor.map.concepts.get(id);
    const box = drawing.boxes.get(id);
    if (!concept) return;
    const input = this.field(editor.word("concept"), concept.label, { class: "ck-map-words" });
    const commit = () => {
      const label = input.value.trim();
      if (label === concept.label) return this.close();
      return this.send([["change", id, { label }]], () => editor.select(id, { focus: editor.view === "map" }));
    };
    this.show(editor.word("rename"), box && [box.x, box.y], {}, input, el("footer", {}, press("tick", editor.word("ok"), { class: "ck-map-main", onclick: commit })));
    entering(input, commit);
    input.focus({ preventScroll: true });
    input.select();
  }

  /** Show a card that the kernel has drawn by lot. */
  card(card) {
    const { editor, drawing } = this;
    const art = drawing.art(card, 210);
    const shown = art
      ? svg("svg", { class: "ck-map-big", viewBox: `-6 -6 ${art.wide + 12} 222`, "aria-hidden": "true" },
        svg("rect", { class: "ck-map-paper", x: -5, y: -5, width: art.wide + 10, height: 220, rx: 12 }), art.element)
      : el("div", { class: `ck-map-big ck-map-set ck-map-tone-${card.tone ?? 0}`, "aria-hidden": "true" }, card.label);
    const main = press("tick", editor.word("draw_put"), { class: "ck-map-main", onclick: () => {
      const { label, kind, note, source } = card;
      this.send([["add", { label, kind, note, card: card.card, source, at: drawing.free(editor.map.concepts.size ? editor.selected ?? "" : "") }]], ([made]) => {
        if (!made) return;
        editor.show("map");
        drawing.wake();
        editor.select(made, { focus: true, show: true });
        if (editor.map.concepts.size > 1) drawing.startLink(made, editor.word("draw_how", { label }));
      });
    } });
    this.show(editor.word("drawn"), null, { class: "ck-map-drawn" },
      el("div", { class: "ck-map-fly" }, shown, el("div", {}, el("p", { class: "ck-map-name" }, card.label), card.note && el("p", { class: "ck-map-note" }, card.note),
        card.source && el("p", { class: "ck-map-source" }, editor.word("source"), " ", card.source))),
      el("footer", {}, main, press("card", editor.word("draw_again"), { onclick: () => editor.draw() })));
    main.focus({ preventScroll: true });
    editor.say(card.label);
  }

  /** Ask which part of a large game the map shall begin with. */
  starter() {
    const { editor } = this;
    const root = this.show(editor.word("starter_about"), null, {}, el("div", { class: "ck-map-chips ck-map-topics" }, ...editor.topics.map(({ about, label }) =>
      el("button", { type: "button", class: "ck-map-chip", onclick: () => {
        this.close();
        editor.begins(about);
      } }, label))));
    root.querySelector(".ck-map-chip").focus({ preventScroll: true });
  }

  keys() {
    const { editor } = this;
    const rows = editor.word("keys").split("\n").map((line) => line.split("|"));
    const root = this.show(editor.word("keys_title"), null, { class: "ck-map-keys" },
      el("dl", {}, ...rows.map(([keys, what]) => el("div", {}, el("dt", {}, ...keys.split(" ").map((each) => el("kbd", {}, each))), el("dd", {}, what)))));
    root.querySelector("button").focus();
  }
}

// ---- The sheet beside the map: what is selected

class Sheet {
  constructor(editor) {
    this.editor = editor;
    this.id = null;
    this.fields = {}; // name -> the field that is typed in
    this.root = el("aside", { class: "ck-map-side", "aria-label": editor.word("sheet"), onpointerdown: () => { this.pressed = true; } });
    const release = () => setTimeout(() => this.release()); // after the click
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, release, true);
    this.ends = [() => ["pointerup", "pointercancel"].forEach((name) => document.removeEventListener(name, release, true)), editor.on("select", (id, more) => this.onSelect(id, more)), editor.on("map", ({ renamed }) => this.onMap(renamed))];
    this.build();
  }

  leave() {
    this.commit();
    this.ends.forEach((end) => end());
  }

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
    if (renamed.has(this.id)) this.id = renamed.get(this.id);
    if (this.id !== this.editor.selected) this.id = this.editor.selected;
    this.build();
  }

  get thing() {
    const { concepts, relations } = this.editor.map;
    return concepts.get(this.id) ?? relations.get(this.id);
  }

  /** Send what was typed and not yet sent; it stays in its field if the kernel refuses. */
  commit(name) {
    for (const [field, input] of Object.entries(this.fields)) {
      const { thing, id } = this;
      if ((name && field !== name) || !thing || input.value.trim() === (thing[field] ?? "").trim() || input.refused === input.value) continue;
      const value = input.value.trim();
      const more = field === "phrase" && this.editor.kindSaid(value) ? { kind: this.editor.kindSaid(value) } : {};
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
        if (refused) input.value = value;
      });
    }
  }

  /** Nothing is pressed any more: show what was to be shown meanwhile. */
  release() {
    this.pressed = false;
    if (this.late) this.build();
  }

  /** Show what is selected; a field that somebody types in stays as it is, and so does what is being pressed. */
  build() {
    const { editor, thing } = this;
    this.late = this.pressed && this.root.hasChildNodes();
    if (this.late) return;
    const active = this.root.getRootNode().activeElement;
    const held = this.root.contains(active) ? active.dataset.part : undefined;
    const typed = Object.values(this.fields).some((input) => input === active || input.refused !== undefined);
    const shape = thing && `${this.id} ${"start" in thing}`;
    if (typed && shape === this.shape) {
      this.list?.replaceChildren(...this.relations());
      return;
    }
    this.shape = shape;
    this.fields = {};
    this.list = null;
    this.root.classList.toggle("ck-map-idle", !thing);
    this.root.replaceChildren(...(!thing ? this.idle() : "start" in thing ? this.relation(thing) : this.concept(thing)));
    if (held) this.root.querySelector(`[data-part="${held}"]`)?.focus({ preventScroll: true });
  }

  input(tag, name, value, more = {}) {
    const { editor } = this;
    const id = `${editor.uid}-${name}`;
    const input = el(tag, { id, "data-part": name, lang: editor.language, autocomplete: "off", spellcheck: "false", maxlength: String(name === "note" ? editor.limits.note ?? 2000 : editor.limits.label ?? 80), ...more,
      onchange: () => setTimeout(() => this.commit(name)) }); // when Tab has arrived
    input.value = value;
    if (tag === "input") entering(input, () => this.commit(name));
    if (!more.readonly) this.fields[name] = input;
    return el("div", { class: "ck-map-row" }, el("label", { for: id }, editor.word(name)), input, el("p", { class: "ck-map-trouble ck-bad", role: "alert", hidden: true }));
  }

  header(title, ...actions) {
    const { editor } = this;
    const more = press("up", editor.word("details"), { class: "ck-map-sign ck-map-unfold", "data-part": "unfold", "aria-expanded": String(this.root.classList.contains("ck-open")), onclick: (event) => {
      const open = this.root.classList.toggle("ck-open");
      event.currentTarget.setAttribute("aria-expanded", String(open));
      editor.drawing.reveal(this.id);
    } });
    return el("header", {}, el("p", { class: "ck-map-name" }, title), more,
      press("close", editor.word("close"), { class: "ck-map-sign", onclick: () => editor.select(null) }), el("div", { class: "ck-map-actions" }, ...actions));
  }

  idle() {
    const { editor } = this;
    const { concepts, relations } = editor.map;
    if (!concepts.size) return [];
    const open = [...relations].filter(([, each]) => !each.phrase);
    const alone = [...concepts].filter(([id]) => !editor.linksOf(id).length);
    const list = (words, things, say) => things.length > 0 && el("div", {}, el("h3", {}, words), el("ul", {}, ...things.slice(0, 8).map(([id, each]) =>
      el("li", {}, el("button", { type: "button", class: "ck-map-go", onclick: () => editor.select(id, { focus: editor.view === "map", show: true }) }, say(each))))));
    return [el("div", { class: "ck-map-details" }, el("p", { class: "ck-map-count" }, editor.word("count", { concepts: concepts.size, relations: relations.size })),
      list(editor.word("wordless_ones"), open, (each) => editor.sentence({ ...each, phrase: "?" })), list(editor.word("alone"), alone, (each) => each.label),
      el("ul", { class: "ck-map-advice" }, ...editor.word("advice").split("\n").map((line) => el("li", {}, line))))].filter(Boolean);
  }

  concept(thing) {
    const { editor, id } = this;
    const { drawing } = editor;
    const card = editor.cardOf(thing.card);
    const top = (editor.map.head.top || editor.map.tree?.top) === id;
    const art = drawing.art(card, 84);
    const kinds = [["", "kind_own"], ["example", "kind_example"]].map(([value, words]) => ({ value, label: editor.word(words) }));
    if (thing.kind && thing.kind !== "example") kinds.unshift({ value: thing.kind, label: editor.kindWord(thing.kind) });
    const kind = el("select", { id: `${editor.uid}-kind`, "data-part": "kind", onchange: (event) => editor.edit([["change", id, { kind: event.target.value }]]) },
      ...kinds.map(({ value, label }) => el("option", { value, selected: value === thing.kind }, label)));
    this.list = el("ul", { class: "ck-map-sentences" }, ...this.relations());
    return [
      this.header(thing.label,
        press("link", editor.word("link_short"), { "data-part": "link", onclick: () => drawing.startLink(id) }),
        press("add", editor.word("new_short"), { "data-part": "new", onclick: () => editor.forms.concept({ from: id }) }),
        !top && press("top", editor.word("make_top"), { class: "ck-map-rare", "data-part": "top", onclick: () => editor.edit([["top", id]]) }),
        press("remove", editor.word("remove"), { "data-part": "remove", onclick: () => editor.remove(id) })),
      el("div", { class: "ck-map-details" },
        card && el("div", { class: "ck-map-of" }, art && svg("svg", { class: "ck-map-mini", viewBox: `0 0 ${art.wide} 84`, "aria-hidden": "true" }, art.element),
          el("p", { class: "ck-map-source" }, editor.kindWord(thing.kind || "card"))),
        this.input("input", "label", thing.label), el("div", { class: "ck-map-row" }, el("label", { for: kind.id }, editor.word("kind")), kind),
        this.input("textarea", "note", thing.note, { rows: "3" }),
        thing.card ? thing.source && el("p", { class: "ck-map-source" }, editor.word("source"), " ", thing.source) : this.input("input", "source", thing.source, { maxlength: "2000" }),
        el("h3", {}, editor.word("relations")), this.list)];
  }

  relations() {
    const { editor, id } = this;
    const rows = editor.linksOf(id);
    const act = (sign, words, part, onclick) => press(sign, words, { class: "ck-map-sign", "data-part": part, title: words, onclick });
    if (!rows.length) return [el("li", { class: "ck-map-none" }, editor.word("no_relation"))];
    return rows.map(([each, relation]) => el("li", {}, el("button", { type: "button", class: "ck-map-go", "data-part": `go ${each}`, onclick: () => editor.select(each, { show: true }) }, editor.sentence(relation)),
      act("edit", editor.word("change_relation"), `edit ${each}`, () => editor.forms.relation({ id: each })), act("turn", editor.word("turn"), `turn ${each}`, () => this.turn(each)),
      act("remove", editor.word("remove"), `remove ${each}`, () => editor.remove(each))));
  }

  turn(id) {
    const { start, end } = this.editor.map.relations.get(id);
    this.editor.edit([["change", id, { start: end, end: start }]]).then((answer) => answer.type !== "refused" && this.editor.say(this.editor.sentence(this.editor.map.relations.get(id))));
  }

  relation(thing) {
    const { editor, id } = this;
    const cross = editor.map.tree?.cross_links.includes(id);
    const kind = el("select", { id: `${editor.uid}-kind`, "data-part": "kind", onchange: (event) => {
      const { value } = event.target;
      const said = editor.kinds.find((each) => each.name === value)?.phrase;
      editor.edit([["change", id, thing.phrase || !said ? { kind: value } : { kind: value, phrase: said }]]);
    } }, el("option", { value: "" }, editor.word("no_kind")), ...editor.kinds.map(({ name, phrase }) => el("option", { value: name, selected: name === thing.kind }, phrase)));
    return [
      this.header(editor.sentence(thing),
        press("edit", editor.word("change_short"), { "data-part": "edit", onclick: () => editor.forms.relation({ id }) }),
        press("turn", editor.word("turn"), { "data-part": "turn", onclick: () => this.turn(id) }),
        press("remove", editor.word("remove"), { "data-part": "remove", onclick: () => editor.remove(id) })),
      el("div", { class: "ck-map-details" }, cross && el("p", { class: "ck-map-source" }, editor.word("cross_explained")),
        this.input("input", "phrase", thing.phrase), el("div", { class: "ck-map-row" }, el("label", { for: kind.id }, editor.word("kind")), kind),
        this.input("textarea", "note", thing.note, { rows: "3" }),
        el("ul", { class: "ck-map-sentences" }, ...[thing.start, thing.end].map((end) => el("li", {}, el("button", { type: "button", class: "ck-map-go", "data-part": `go ${end}`, onclick: () => editor.select(end, { show: true }) }, editor.labelOf(end))))))];
  }
}
