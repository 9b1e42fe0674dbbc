// What stands beside the picture: what a finger does now, the verdict, the tools, and all of it as a list.

Object.assign(Venn.prototype, {
  drawTools() {
    const { draw: draws, put } = this.zone;
    const draft = this.shown;
    const tools = [];
    const tool = (key, text, onclick, more = {}) =>
      button(`ck-venn-tool${more.primary ? " ck-primary" : ""}`, null, text, onclick, {
        "data-key": `venn-${key}`,
        "aria-disabled": more.off && "true",
        "aria-pressed": more.pressed,
      });
    if (put && put.numbers.length > 1) {
      tools.push(
        el(
          "div.ck-venn-which",
          { role: "group", "aria-label": this.say("which") },
          el("span.ck-venn-ask", this.say("which")),
          ...put.numbers.map((number) =>
            tool(`which-${number}`, String(number), () => this.choose(number), {
              pressed: String(number === this.spool),
            }),
          ),
        ),
      );
    }
    if (draft) {
      const lay = put ? this.say("put_here").replace("{number}", this.spool) : this.say("lay");
      tools.push(
        tool("lay", lay, () => this.lay(), { primary: true, off: draft.state === "refused" }),
        tool("drop", this.say("drop"), () => this.give()),
      );
    }
    if (draws) {
      const text = draft?.suggested
        ? this.say("next")
        : this.about
          ? this.say("suggest_about").replace("{number}", this.about)
          : this.say("suggest");
      tools.push(tool("suggest", text, () => this.suggest()));
    }
    if (draft?.points) {
      const fine = tool("fine", this.say("fine"), () => {
        this.isFine = !this.isFine;
        this.drawTools();
      });
      fine.setAttribute("aria-expanded", String(Boolean(this.isFine)));
      tools.push(fine);
    }
    if (draft?.points && this.isFine) {
      tools.push(
        el(
          "div.ck-venn-nudges",
          { role: "group", "aria-label": this.say("nudge") },
          ...Object.entries(NUDGES).map(([name, { sign, by }]) =>
            el(
              "button.ck-button.ck-venn-nudge",
              {
                "aria-label": this.say(name),
                title: this.say(name),
                "data-key": `venn-${name}`,
                onclick: () => this.nudge(by(3)),
              },
              svg(
                "svg.ck-icon",
                { viewBox: "0 0 24 24", "aria-hidden": "true" },
                svg("path", { d: sign }),
              ),
            ),
          ),
          tool("pin", this.say("pin"), () => this.movePin()),
        ),
      );
    }
    this.tools.replaceChildren(...tools);
    this.keys.replaceChildren(draft?.points ? this.say("keys") : "");
  },

  drawList() {
    const { loops, spools } = this.zone;
    const line = (text, mark) => el("li", mark, el("span", text));
    this.list.hidden = !loops.length;
    this.list.replaceChildren(
      el("summary", { "data-key": "venn-list" }, this.say("list")),
      el(
        "ul",
        ...loops.map(({ label, tone }, at) =>
          line(label, el(`b.ck-venn-letter ck-venn-tone-${tone}`, String.fromCharCode(65 + at))),
        ),
        ...spools.map(({ label, number }) =>
          line(label, el("b.ck-venn-letter.ck-venn-disc", { "aria-hidden": "true" }, number)),
        ),
      ),
    );
  },

  tell() {
    const draft = this.shown;
    const judged = draft && !(this.lit && this.looked);
    const text = judged ? this.verdict(draft) : (this.lit?.label ?? this.note);
    this.says.setAttribute("class", `ck-venn-says${judged ? ` ck-${draft.state}` : ""}`);
    if (this.says.textContent !== text) this.says.replaceChildren(text);
  },

  hinted() {
    const { draw: draws, put, spools } = this.zone;
    if (!draws) return this.say(put ? "put" : "tap");
    if (!this.shown || this.shown.state === "asking")
      return this.say(spools.length ? "draw" : "draw_first");
    return this.say(this.shown.moves ? "move" : "again");
  },

  verdict(draft) {
    if (draft.state === "asking") return this.say("asking");
    if (draft.state === "refused") return draft.text;
    return draft.label ?? this.say(draft.points ? "legal" : "legal_spot");
  },
});
