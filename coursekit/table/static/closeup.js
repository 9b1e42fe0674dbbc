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
  const sheet = make(
    "section",
    "ck-sheet",
    { role: "dialog", "aria-label": piece.label, "data-sheet": piece.id },
    make("h3", "ck-sheet-title", {}, page?.title ?? piece.label),
    close,
    make(
      "div",
      "ck-sheet-body",
      {
        tabindex: "0",
        role: "group",
        "aria-label": page?.title ?? piece.label,
        "data-key": "sheet-body",
      },
      page?.lead && make("p", "ck-page-lead", {}, page.lead),
      piece.face && card(piece.face, table),
      ...parts(),
    ),
    choices.length > 0 &&
      make(
        "div",
        "ck-choices",
        { role: "toolbar", "aria-label": table.say("choices") },
        ...choices,
      ),
    make("p", "ck-refusal", { role: "status" }),
  );
  return choices.length ? rove(sheet, () => choices) : sheet;
}

/** The rules in short; the one that matters now is marked. */
const rulesOf = ({ text }, table) =>
  make(
    "ul",
    "ck-rule-lines",
    {},
    ...text
      .map(
        (words, at) =>
          words &&
          make(
            "li",
            "",
            { "aria-current": at === table.view.scenes[table.at].rule && "step" },
            words,
          ),
      )
      .filter(Boolean),
  );

/** What came of each action, tried again: a bar of what went well, a line for the interval, the action taken marked. */
const weighedOf = ({ how, good, payoff, rows }, table) => [
  make("p", "ck-weighed-head", {}, make("span", "", {}, good), " ", make("span", "", {}, payoff)),
  make(
    "ul",
    "ck-weighed",
    {},
    ...rows.map((row) => {
      const bar = make("span", "ck-bar", { "aria-hidden": "true" }, make("i"), make("b"));
      for (const name of ["good", "low", "high"]) bar.style.setProperty(`--${name}`, row[name]);
      return make(
        "li",
        "",
        { "aria-current": row.taken && "true" },
        make("span", "", {}, row.label, row.taken && make("small", "", {}, table.say("taken"))),
        " ",
        make("b", "", { title: row.interval }, row.share),
        " ",
        make("b", "", {}, row.payoff),
        bar,
      );
    }),
  ),
  make("p", "ck-page-note", {}, how),
];

/** What is written on a page; a text with a heading stands below the facts. */
function pageOf({ heading, text, facts, note, source }) {
  const rows = [];
  facts.forEach(({ label, value }, at) => {
    if (label !== facts[at - 1]?.label) rows.push(make("div", "", {}, make("dt", "", {}, label)));
    rows[rows.length - 1].append(make("dd", "", {}, value));
  });
  const list = rows.length > 0 && make("dl", "ck-page-facts", {}, ...rows);
  const words = text.map((line) => make("p", "", {}, line));
  const parts = heading ? [list, make("h4", "", {}, heading), ...words] : [...words, list];
  parts.push(
    note && make("p", "ck-page-note", {}, note),
    source && make("p", "ck-page-source", {}, source),
  );
  return parts.filter(Boolean);
}

/** The sheet about one piece, over the near side. */
class Closeup {
  constructor(table) {
    this.table = table;
    this.place = make("div", "ck-sheet-place");
    this.sheet = null; // while it is open
  }

  /** The id of the piece that the sheet is about. */
  get piece() {
    return this.sheet?.dataset.sheet;
  }

  /** Open the sheet of `piece`, or close it, if it is open. */
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

  /** Close the sheet; the keyboard goes back to the piece it belongs to. */
  close() {
    if (!this.sheet) return;
    const { piece, sheet, table } = this;
    const held = sheet.contains(table.active());
    sheet.remove();
    this.sheet = null;
    if (held) table.keyed(piece)?.focus({ preventScroll: true });
  }

  /** Draw it anew, as its piece is now. */
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
