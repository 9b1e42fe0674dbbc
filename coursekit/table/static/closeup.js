// A piece drawn large, its page in the handbook, and what can be done with it; or the rules in short; or what else could have been done.

const RULES = "rules"; // their page, and what stands for a piece
const WEIGHED = "weigh"; // what stands for a piece, and the button that asks

function sheetOf(piece, table) {
  const page = table.model.get("handbook")?.[piece.about];
  const parts =
    {
      [RULES]: () => [rulesOf(page, table)],
      [WEIGHED]: () => weighedOf(table.view.weighed, table),
    }[piece.id] ?? (() => (page ? pageOf(page) : []));
  const choices = (piece.choices ?? []).map((choice) => choiceOf(choice, table, "sheet"));
  const close = button("ck-close", "close", table.say("close"), () => table.closeup.close(), {
    title: table.say("close"),
    "data-key": "sheet-close",
  });
  const sheet = el(
    "section.ck-sheet",
    { role: "dialog", "aria-label": piece.label, "data-sheet": piece.id },
    el("h3.ck-sheet-title", page?.title ?? piece.label),
    close,
    el(
      "div.ck-sheet-body",
      {
        tabindex: "0",
        role: "group",
        "aria-label": page?.title ?? piece.label,
        "data-key": "sheet-body",
      },
      page?.lead && el("p.ck-page-lead", page.lead),
      piece.face && card(piece.face, table),
      ...parts(),
    ),
    choices.length > 0 &&
      el("div.ck-choices", { role: "toolbar", "aria-label": table.say("choices") }, ...choices),
    el("p.ck-refusal", { role: "status" }),
  );
  return choices.length ? rove(sheet, () => choices) : sheet;
}

const rulesOf = ({ text }, table) =>
  el(
    "ul.ck-rule-lines",
    ...text
      .map(
        (words, at) =>
          words &&
          el("li", { "aria-current": at === table.view.scenes[table.at].rule && "step" }, words),
      )
      .filter(Boolean),
  );

/** What came of each action, tried again: a bar of what went well, a line for the interval, the action taken marked. */
const weighedOf = ({ how, good, payoff, rows }, table) => [
  el("p.ck-weighed-head", el("span", good), " ", el("span", payoff)),
  el(
    "ul.ck-weighed",
    ...rows.map((row) => {
      const bar = el("span.ck-bar", { "aria-hidden": "true" }, el("i"), el("b"));
      for (const name of ["good", "low", "high"]) bar.style.setProperty(`--${name}`, row[name]);
      return el(
        "li",
        { "aria-current": row.taken && "true" },
        el("span", row.label, row.taken && el("small", table.say("taken"))),
        " ",
        el("b", { title: row.interval }, row.share),
        " ",
        el("b", row.payoff),
        bar,
      );
    }),
  ),
  el("p.ck-page-note", how),
];

function pageOf({ heading, text, facts, note, source }) {
  const rows = [];
  facts.forEach(({ label, value }, at) => {
    if (label !== facts[at - 1]?.label) rows.push(el("div", el("dt", label)));
    rows[rows.length - 1].append(el("dd", value));
  });
  const list = rows.length > 0 && el("dl.ck-page-facts", ...rows);
  const words = text.map((line) => el("p", line));
  const parts = heading ? [list, el("h4", heading), ...words] : [...words, list];
  parts.push(note && el("p.ck-page-note", note), source && el("p.ck-page-source", source));
  return parts.filter(Boolean);
}

class Closeup {
  constructor(table) {
    this.table = table;
    this.place = el("div.ck-sheet-place");
    this.sheet = null; // while it is open
  }

  get piece() {
    return this.sheet?.dataset.sheet;
  }

  open(piece) {
    const before = this.piece;
    this.close();
    if (before === piece.id) return;
    this.table.refuse("");
    this.show(piece);
    if (this.table.pinned()) this.sheet.scrollIntoView({ block: "nearest" });
    (todoIn(this.sheet.querySelectorAll("button")) ?? this.sheet.querySelector(".ck-close")).focus({
      preventScroll: true,
    });
  }

  show(piece) {
    this.sheet = sheetOf(piece, this.table);
    this.place.replaceChildren(this.sheet);
  }

  get rules() {
    return { id: RULES, about: RULES, label: this.table.say("rules") };
  }

  get weighed() {
    return { id: WEIGHED, label: this.table.view.weighed?.title };
  }

  openRules() {
    this.table.closeForm();
    this.open(this.rules);
    this.sheet?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (!this.sheet) return;
    const { piece, sheet, table } = this;
    const held = sheet.contains(table.active());
    sheet.remove();
    this.sheet = null;
    if (held) table.keyed(piece)?.focus({ preventScroll: true });
  }

  redraw() {
    if (!this.sheet) return;
    const { sheet, table } = this;
    const piece =
      { [RULES]: this.rules, [WEIGHED]: table.view.weighed && this.weighed }[this.piece] ??
      table.pieces.get(this.piece);
    if (!piece) return this.close();
    const held = sheet.contains(table.active()) && table.active().dataset.key;
    const { scrollTop } = sheet.querySelector(".ck-sheet-body");
    this.show(piece);
    this.sheet.querySelector(".ck-sheet-body").scrollTop = scrollTop;
    if (held) table.keyed(held)?.focus({ preventScroll: true });
  }
}
