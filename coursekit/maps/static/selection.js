// Accessible names of the things of a drawing, and the marks of selected ones.

Object.assign(Drawing.prototype, {
  name() {
    const { editor } = this;
    const { map } = editor;
    const cross = new Set(map.tree?.cross_links ?? []);
    for (const [id, concept] of map.concepts) {
      const { element } = this.boxes.get(id);
      const kind = concept.kind
        ? editor.kindWord(concept.kind)
        : concept.card && editor.word("kind_card");
      const count = this.touching.get(id)?.size ?? 0;
      const top = id === (map.head.top || map.tree?.top) ? editor.word("is_top") : "";
      const links = editor.word("relations_of", { number: count });
      element.setAttribute(
        "aria-label",
        [concept.label, top, kind, links].filter(Boolean).join(editor.word("comma")),
      );
    }
    for (const [id, relation] of map.relations) {
      const { label } = this.lines.get(id);
      const words = relation.phrase
        ? editor.sentence(relation)
        : `${editor.sentence(relation)}${editor.word("comma")}${editor.word("wordless")}`;
      label.setAttribute(
        "aria-label",
        cross.has(id) ? `${words}${editor.word("comma")}${editor.word("cross_link")}` : words,
      );
    }
  },

  mark() {
    const { selected, map } = this.editor;
    const near = new Set();
    if (map.relations.has(selected))
      near.add(map.relations.get(selected).start).add(map.relations.get(selected).end);
    const stops = [map.concepts.has(selected) && selected, this.here];
    stops.push(map.head.top || map.tree?.top, ...this.boxes.keys());
    this.here = stops.find((id) => this.boxes.has(id)) ?? "";
    for (const [id, { element }] of this.boxes) {
      element.setAttribute("tabindex", id === this.here ? "0" : "-1");
      element.setAttribute("aria-pressed", id === selected);
      element.classList.toggle("ck-on", id === selected);
      element.classList.toggle("ck-near", near.has(id));
      element.classList.toggle("ck-from", id === this.linking?.from);
    }
    for (const [id, line] of this.lines) {
      const on = id === selected || line.start === selected || line.end === selected;
      for (const part of [line.element, line.label]) {
        part.classList.toggle("ck-on", id === selected);
        part.classList.toggle("ck-near", on && id !== selected);
      }
      line.label.setAttribute("aria-pressed", id === selected);
    }
    this.root.classList.toggle("ck-map-linking", Boolean(this.linking));
  },

  onSelect(given, more) {
    this.mark();
    this.hold(given);
    if (given && more?.focus) this.focusOn(given);
    requestAnimationFrame(() => {
      // when the details below have their final height
      const id = this.editor.now(given);
      if (id && id === this.editor.selected && (more?.show || this.editor.covered))
        this.reveal(id, more?.show);
    });
  },

  onRefused({ about }) {
    const part = this.boxes.get(about)?.element ?? this.lines.get(about)?.label;
    part?.classList.add("ck-refused");
    if (part) setTimeout(() => part.classList.remove("ck-refused"), 1600);
  },

  hold(id) {
    const box = this.boxes.get(id);
    this.held = box ? id : null;
    if (!box || this.linking || this.pull?.what === "card") {
      this.handle.remove();
      return;
    }
    const side = box.x + box.w / 2 + 30 > this.across ? -1 : 1;
    this.handle.setAttribute(
      "transform",
      `translate(${spot([box.x + side * (box.w / 2 + 15), box.y])}) rotate(${side < 0 ? 180 : 0})`,
    );
    if (this.handle.parentNode !== this.over) this.over.append(this.handle);
  },
});
