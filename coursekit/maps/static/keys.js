// The keyboard on the map: walking from card to card, moving and changing cards; and linking, in which the next card
// chosen by key, pointer or list is the end of the line.

const NUDGED = 1000; // milliseconds without a key until cards moved by key become one edit

Object.assign(Drawing.prototype, {
  onFocus(event) {
    const id = event.target.dataset?.id;
    if (id === undefined) return;
    if (this.boxes.has(id)) this.here = id;
    if (!this.linking && this.editor.selected !== id) this.editor.select(id);
    else this.mark();
    this.reveal(id);
  },

  focusOn(id) {
    const part =
      this.boxes.get(id)?.element ??
      this.lines.get(id)?.label ??
      this.boxes.get(this.here)?.element;
    if (part && this.root.getRootNode().activeElement !== part) part.focus({ preventScroll: true });
  },

  key(event) {
    if (composingIn(event) || event.target.closest(".ck-map-form")) return;
    const id = event.target.dataset?.id;
    const { editor } = this;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key in arrows && !event.ctrlKey && !event.metaKey) {
      done();
      if (event.altKey) this.nudge(id, arrows[event.key], event.shiftKey);
      else if (this.lines.has(id))
        this.focusOn(
          this.lines.get(id)[
            event.key === "ArrowLeft" || event.key === "ArrowUp" ? "start" : "end"
          ],
        );
      else
        this.focusOn(
          this.boxes.has(id) ? neighbour(this.boxes, id, arrows[event.key]) || id : null,
        );
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      Enter: () => {
        if (this.linking && this.boxes.has(id)) this.choose(id);
        else if (this.lines.has(id)) editor.forms.relation({ id });
        else editor.select(id, { open: true });
      },
      " ": () => keys.Enter(),
      F2: () => (this.lines.has(id) ? editor.forms.relation({ id }) : editor.forms.label(id)),
      l: () => this.startLink(this.boxes.has(id) ? id : null),
      n: () => editor.forms.concept({}),
      Insert: () => editor.forms.concept({ from: this.boxes.has(id) ? id : undefined }),
      r: () => this.walk(id),
      Delete: () => editor.remove(id),
      Backspace: () => editor.remove(id),
      "+": () => this.zoomBy(1.25),
      "=": () => this.zoomBy(1.25),
      "-": () => this.zoomBy(0.8),
      0: () => this.fitAgain(),
      "?": () => editor.showKeys(),
      Escape: () => this.escape(),
      Home: () => this.focusOn(editor.map.head.top || editor.map.tree?.top),
      End: () => this.focusOn([...editor.map.concepts.keys()].at(-1)),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    done();
    act();
  },

  escape() {
    if (this.linking) this.stopLink(true);
    else {
      this.editor.select(null);
      this.rest();
    }
  },

  walk(id) {
    const ids = [...(this.touching.get(this.here) ?? [])];
    if (!ids.length) this.editor.say(this.editor.word("no_relation"));
    else this.focusOn(ids[(ids.indexOf(id) + 1) % ids.length]);
  },

  /** Move a card by key; moves within a second are one edit. */
  nudge(id, [dx, dy], far_) {
    const box = this.boxes.get(id);
    if (!box) return;
    const step = far_ ? 60 : 15;
    const at = [box.at[0] + dx * step, box.at[1] + dy * step].map((part) =>
      between(Math.round(part), 0, SIDE),
    );
    this.shifted.set(id, at);
    this.put(id, at);
    this.routes(this.touching.get(id) ?? [], true);
    this.hold(id);
    this.reveal(id);
    clearTimeout(this.nudging);
    this.nudging = setTimeout(() => this.flush(), NUDGED);
  },

  flush() {
    clearTimeout(this.nudging);
    if (!this.shifted.size) return;
    const places = Object.fromEntries(this.shifted);
    this.shifted.clear();
    this.editor.edit([["move", places]]);
    this.routes();
  },

  startLink(given, words) {
    const { editor } = this;
    const from = editor.now(given);
    if (!this.boxes.has(from)) {
      editor.tell(editor.word(this.boxes.size ? "link_first" : "link_none"));
      return;
    }
    if (this.boxes.size < 2) {
      editor.tell(editor.word("link_none"));
      return;
    }
    this.linking = { from };
    const label = editor.labelOf(from);
    const said = words ?? editor.word("link_choose", { label });
    const others = [...editor.map.concepts].filter(([id]) => id !== from);
    const choice = el(
      "select.ck-map-choice",
      {
        "aria-label": editor.word("link_goal"),
        onchange: (event) => event.target.value && this.choose(event.target.value),
      },
      el("option", { value: "" }, editor.word("link_pick")),
      ...others.map(([id, other]) => el("option", { value: id }, other.label)),
    );
    this.bar.replaceChildren(
      el("p", said),
      choice,
      press("close", editor.word("cancel"), { onclick: () => this.stopLink(true) }),
    );
    this.bar.setAttribute("aria-label", said);
    this.bar.hidden = false;
    this.mark();
    this.hold(null);
    this.focusOn(from);
    editor.say(`${said} ${editor.word("link_keys")}`);
  },

  stopLink(focus = false) {
    if (!this.linking) return;
    const { from } = this.linking;
    this.linking = null;
    this.bar.hidden = true;
    this.mark();
    this.hold(this.editor.selected);
    if (focus) this.focusOn(from);
  },

  choose(given) {
    const { from } = this.linking;
    const id = this.editor.now(given);
    if (id === from) {
      this.editor.say(this.editor.word("link_itself"));
      return;
    }
    this.stopLink();
    this.editor.forms.relation({ start: from, end: id });
  },
});
