// Small forms over the map, for a concept, a relation, a drawn card. They send what was typed to the kernel as one edit
// and close, since the map shows it at once. If the kernel refuses, they come back with what was typed.

class Forms {
  constructor(editor, drawing) {
    this.editor = editor;
    this.drawing = drawing;
    this.layer = el("div.ck-map-forms");
    this.open = null; // {root, back: the element that gets the keyboard afterwards}
    this.end = editor.on("view", () => this.open?.at && this.place());
  }

  leave() {
    this.end();
    this.close(false);
  }

  show(title, at, more, ...children) {
    this.close(false);
    const { editor } = this;
    const active = this.layer.getRootNode().activeElement;
    const trouble = el("p.ck-map-trouble.ck-bad", { role: "alert", hidden: true });
    const root = el(
      "form",
      {
        class: `ck-map-form ${more.class ?? ""}`.trim(),
        role: "dialog",
        "aria-label": title,
        novalidate: true,
        onsubmit: (event) => event.preventDefault(),
        onkeydown: (event) => {
          if (event.key === "Escape" && !composingIn(event)) {
            event.preventDefault();
            event.stopPropagation();
            this.close();
          }
        },
      },
      el(
        "header",
        el("p.ck-map-form-title", title),
        press("close", editor.word("cancel"), {
          class: "ck-map-sign",
          onclick: () => this.close(),
        }),
      ),
      ...children,
      trouble,
    );
    this.open = { root, at, trouble, back: active && !this.layer.contains(active) ? active : null };
    this.layer.replaceChildren(root);
    this.place();
    root.scrollIntoView?.({ block: "nearest" });
    return root;
  }

  place() {
    const { root, at } = this.open;
    const [width, height] = [this.layer.clientWidth, this.layer.clientHeight];
    const { offsetWidth, offsetHeight } = root;
    const [x, y] =
      at && this.editor.view === "map"
        ? this.drawing.onScreen(at)
        : [width / 2, height / 2 - offsetHeight / 2 - 30];
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

  /** Make an edit and close the form, which comes back if the kernel refuses; `done` gets the ids of what is made. */
  send(ops, done) {
    const { open, editor } = this;
    if (!open) return;
    const { selected } = editor;
    const typing = this.layer.getRootNode().activeElement;
    const answer = editor.edit(ops, true);
    this.close(false);
    done(answer.made);
    answer.then(({ type, text }) => {
      if (type !== "refused") return;
      if (this.open) {
        // the reader has gone on
        editor.tell(text, true);
        return;
      }
      if (!editor.selected) editor.select(selected);
      this.open = open;
      this.layer.replaceChildren(open.root);
      open.trouble.textContent = text;
      open.trouble.hidden = false;
      this.place();
      this.take(typing);
    });
  }

  /** Give the keyboard to a part of a form that the kernel opens, unless the reader types elsewhere. */
  take(part) {
    const active = this.layer.getRootNode().activeElement;
    if (!/^(input|textarea|select)$/.test(active?.localName)) part?.focus({ preventScroll: true });
  }

  field(label, value, more = {}) {
    const { limits, language } = this.editor;
    return el("input", {
      type: "text",
      "aria-label": label,
      placeholder: label,
      maxlength: limits.label ?? 80,
      value,
      lang: language,
      autocomplete: "off",
      spellcheck: "false",
      enterkeyhint: "done",
      ...more,
    });
  }

  concept({ from: given, at }) {
    const { editor, drawing } = this;
    const from = editor.now(given);
    const { selected } = editor;
    const near = from ?? (editor.map.concepts.has(selected) ? selected : drawing.here);
    const place = at ?? drawing.free(from ?? selected);
    let turned = false; // the relation leads from the new concept to `from`
    const label = this.field(editor.word("concept"), "", { class: "ck-map-words" });
    const done = ([made]) => {
      drawing.wake();
      editor.select(made, { focus: editor.view === "map", show: true });
      editor.say(editor.word("added", { label: label.value.trim() }));
    };
    const commit = () => {
      const words = label.value.trim();
      if (!words) return label.focus();
      const add = ["add", { label: words, at: place }];
      if (!from) return this.send([add], done);
      const { phrase, kind } = linking.value();
      const [start, end] = turned ? ["+0", from] : [from, "+0"];
      return this.send([add, ["link", start, phrase, end, { kind }]], done);
    };
    const box = this.field(editor.word("phrase"), "", { class: "ck-map-words" });
    const linking = phraseChips(editor, box, "", () => (label.value.trim() ? ok : label).focus());
    const ok = press("tick", editor.word("put"), { class: "ck-map-main", onclick: commit });
    const point = drawing.pointAt(place);
    if (from) {
      const ends = [el("b", editor.labelOf(from)), label];
      const sentence = el("div.ck-map-sentence", ends[0], box, ends[1]);
      const around = press("turn", editor.word("turn"), {
        onclick: () => {
          turned = !turned;
          ends.reverse();
          sentence.replaceChildren(ends[0], box, ends[1]);
          (label.value.trim() ? box : label).focus();
        },
      });
      this.show(
        editor.word("new_linked"),
        point,
        {},
        sentence,
        linking.group,
        el("footer", ok, around),
      );
      onEnter(label, () => (linking.value().phrase ? commit() : box.focus()));
      onEnter(box, () => (label.value.trim() ? commit() : label.focus()));
    } else {
      const linked =
        near &&
        press("link", editor.word("put_linked", { label: editor.labelOf(near) }), {
          onclick: () => turn(),
        });
      const turn = () => {
        const words = label.value;
        this.concept({ from: near, at: at ?? place });
        const fields = this.open.root.querySelectorAll("input");
        fields[1].value = words;
        fields[words.trim() ? 0 : 1].focus();
      };
      this.show(editor.word("new_concept"), point, {}, label, el("footer", ok, linked));
      onEnter(label, commit);
      label.addEventListener("keydown", (event) => {
        if (
          event.key !== "Tab" ||
          event.shiftKey ||
          !near ||
          !label.value.trim() ||
          composingIn(event)
        )
          return;
        event.preventDefault();
        turn();
      });
    }
    label.focus({ preventScroll: true });
  }

  relation(which) {
    const { editor, drawing } = this;
    const [id, start, end] = [which.id, which.start, which.end].map(editor.now);
    const old = id ? editor.map.relations.get(id) : { start, phrase: "", end, kind: "" };
    if (!old) return;
    let ends = [old.start, old.end];
    const commit = () => {
      const [from, to] = ends;
      const words = linking.value();
      const turned = from !== old.start ? { start: from, end: to } : {};
      const made = id
        ? ["change", id, { ...words, ...turned }]
        : ["link", from, words.phrase, to, { kind: words.kind }];
      return this.send([made], ([fresh]) => {
        drawing.wake();
        editor.select(id ?? fresh ?? null, { focus: editor.view === "map" });
        editor.say(editor.sentence({ start: from, end: to, phrase: words.phrase }));
      });
    };
    const box = this.field(editor.word("phrase"), old.phrase, { class: "ck-map-words" });
    const ok = press("tick", editor.word("ok"), { class: "ck-map-main", onclick: commit });
    const linking = phraseChips(editor, box, old.kind, () => ok.focus());
    const names = [el("b"), el("b")];
    const say = () =>
      names.forEach((name, at) => {
        name.textContent = editor.labelOf(ends[at]);
      });
    const turn = press("turn", editor.word("turn"), {
      onclick: () => {
        ends = [ends[1], ends[0]];
        say();
        box.focus();
      },
    });
    say();
    const line = drawing.lines.get(id);
    const boxes = [start, end].map((end) => drawing.boxes.get(end));
    const at = line
      ? [line.x, line.y]
      : boxes[0] && boxes[1] && [(boxes[0].x + boxes[1].x) / 2, (boxes[0].y + boxes[1].y) / 2];
    this.show(
      editor.word(id ? "change_relation" : "how_linked"),
      at,
      {},
      el("div.ck-map-sentence", names[0], box, names[1]),
      linking.group,
      el(
        "footer",
        ok,
        turn,
        id &&
          press("remove", editor.word("remove"), {
            onclick: () => {
              this.close(false);
              editor.remove(id);
            },
          }),
      ),
    );
    onEnter(box, commit);
    box.focus({ preventScroll: true });
    box.select();
  }

  label(given) {
    const { editor, drawing } = this;
    const id = editor.now(given);
    const concept = editor.map.concepts.get(id);
    const box = drawing.boxes.get(id);
    if (!concept) return;
    const input = this.field(editor.word("concept"), concept.label, { class: "ck-map-words" });
    const commit = () => {
      const label = input.value.trim();
      if (label === concept.label) return this.close();
      return this.send([["change", id, { label }]], () =>
        editor.select(id, { focus: editor.view === "map" }),
      );
    };
    this.show(
      editor.word("rename"),
      box && [box.x, box.y],
      {},
      input,
      el("footer", press("tick", editor.word("ok"), { class: "ck-map-main", onclick: commit })),
    );
    onEnter(input, commit);
    input.focus({ preventScroll: true });
    input.select();
  }

  card(card) {
    const { editor, drawing } = this;
    const art = drawing.art(card, 210);
    const shown = art
      ? svg(
          "svg.ck-map-big",
          { viewBox: `-6 -6 ${art.wide + 12} 222`, "aria-hidden": "true" },
          svg("rect.ck-map-paper", { x: -5, y: -5, width: art.wide + 10, height: 220, rx: 12 }),
          art.element,
        )
      : el(
          `div.ck-map-big ck-map-set ck-map-tone-${card.tone ?? 0}`,
          { "aria-hidden": "true" },
          card.label,
        );
    const main = press("tick", editor.word("draw_put"), {
      class: "ck-map-main",
      onclick: () => {
        const { label, kind, note, source } = card;
        this.send(
          [
            [
              "add",
              {
                label,
                kind,
                note,
                card: card.card,
                source,
                at: drawing.free(editor.map.concepts.size ? (editor.selected ?? "") : ""),
              },
            ],
          ],
          ([made]) => {
            editor.show("map");
            drawing.wake();
            editor.select(made, { focus: true, show: true });
            if (editor.map.concepts.size > 1)
              drawing.startLink(made, editor.word("draw_how", { label }));
          },
        );
      },
    });
    this.show(
      editor.word("drawn"),
      null,
      { class: "ck-map-drawn" },
      el(
        "div.ck-map-fly",
        shown,
        el(
          "div",
          el("p.ck-map-name", card.label),
          card.note && el("p.ck-map-note", card.note),
          card.source && el("p.ck-map-source", editor.word("source"), " ", card.source),
        ),
      ),
      el(
        "footer",
        main,
        press("card", editor.word("draw_again"), { onclick: () => editor.draw() }),
      ),
    );
    this.take(main);
    editor.say(card.label);
  }

  starter() {
    const { editor } = this;
    const root = this.show(
      editor.word("starter_about"),
      null,
      {},
      el(
        "div.ck-map-topics",
        ...editor.topics.map(({ about, label }) =>
          press("", label, {
            class: "ck-map-topic",
            onclick: () => {
              this.close();
              editor.begins(about);
            },
          }),
        ),
      ),
    );
    root.querySelector(".ck-map-topic").focus({ preventScroll: true });
  }

  keys() {
    const { editor } = this;
    const rows = editor
      .word("keys")
      .split("\n")
      .map((line) => line.split("|"));
    const root = this.show(
      editor.word("keys_title"),
      null,
      { class: "ck-map-keys" },
      el(
        "dl",
        ...rows.map(([keys, what]) =>
          el("div", el("dt", ...keys.split(" ").map((key) => el("kbd", key))), el("dd", what)),
        ),
      ),
    );
    root.querySelector("button").focus();
  }
}
