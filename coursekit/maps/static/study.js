// The panel "look again": what can be counted in the map, and what people say about each proposition.
// Judgements belong to a name, which this browser remembers until it is closed.

function studyPanel(kit) {
  const { button, editor, field, say, status } = kit;
  const name = field(say("panel.look.judge"), {
    maxlength: "30",
    placeholder: say("panel.look.judge_hint"),
  });
  const note = status();
  const hubs = el("div.ck-hubs");
  const main = el("tbody");
  const table = el("tbody");
  const open = el("p.ck-open", { role: "status" });
  const list = el("ol.ck-judging", { role: "list" });
  const result = el("div.ck-score");
  const only = el("input", { type: "checkbox", id: newId() });
  const rows = new Map(); // by relation
  let told = null; // the last answer of the kernel
  let asked = null; // the last question to it

  const remembered = "coursekit/judge";
  name.box.value = recall("sessionStorage", remembered) ?? "";
  name.box.addEventListener("input", () => {
    remember("sessionStorage", remembered, judge());
    if (told) draw();
  });
  only.addEventListener("change", () => draw());
  const judge = () => name.box.value.trim();

  const root = el(
    "div",
    hubs,
    el("h3", say("panel.look.judging")),
    el("p.ck-status", say("panel.look.how")),
    name.root,
    open,
    el(
      "p.ck-check",
      only,
      el("label", { for: only.getAttribute("id") }, say("panel.look.only_open")),
    ),
    note.root,
    list,
    result,
    el("h3", say("panel.look.numbers")),
    el("p.ck-status", say("panel.look.numbers_about")),
    numbers(main),
    el("details.ck-more", el("summary", say("panel.look.numbers_more")), numbers(table)),
  );

  function numbers(body) {
    const heads = ["what", "value", "hint"].map((name) =>
      el("th", { scope: "col" }, say(`panel.look.${name}`)),
    );
    return el(
      "div.ck-scroll",
      el(
        "table",
        { "aria-label": say("panel.look.numbers") },
        el("thead", el("tr", ...heads)),
        body,
      ),
    );
  }

  async function show() {
    await ask({ type: "study" });
  }

  async function ask(message) {
    asked = message;
    const reply = await editor.ask(message);
    if (isRefused(reply)) note.bad(reply.text);
    if (asked !== message) return reply;
    if (!isRefused(reply)) told = reply;
    if (told) draw();
    return reply;
  }

  function draw() {
    const { hubs: found, measures, tied } = told;
    const [first, ...others] = found;
    if (tied > 3)
      hubs.replaceChildren(
        el("p.ck-asked", say("panel.look.hub_even", { count: tied, relations: first.relations })),
      );
    else if (tied > 1) {
      const names = found
        .slice(0, tied)
        .map((hub) => say("panel.look.hub_name", { name: hub.label }))
        .join(say("panel.comma"));
      hubs.replaceChildren(el("p.ck-asked", say("panel.look.hub_tied", { names })));
    } else
      hubs.replaceChildren(
        ...(first
          ? [
              el("p.ck-asked", say("panel.look.hub", { name: first.label })),
              el(
                "p.ck-status",
                say("panel.look.hub_why", {
                  relations: first.relations,
                  share: Math.round(100 * first.between),
                }),
                ...(others.length
                  ? [
                      " ",
                      say("panel.look.hubs", {
                        names: others
                          .map((other) => `${other.label} (${other.relations})`)
                          .join(say("panel.comma")),
                      }),
                    ]
                  : []),
              ),
            ]
          : []),
      );
    const line = (measure) =>
      el(
        "tr",
        el("th", { scope: "row" }, measure.label),
        el("td", shownNumber(measure.value)),
        el("td", measure.hint),
      );
    main.replaceChildren(...measures.filter((measure) => measure.main).map(line));
    table.replaceChildren(...measures.filter((measure) => !measure.main).map(line));
    drawJudging();
    drawScore();
  }

  const shownNumber = (value) =>
    typeof value === "number"
      ? new Intl.NumberFormat(editor.language, { maximumFractionDigits: 2 }).format(value)
      : String(value);

  function drawJudging() {
    const propositions = told.propositions;
    const left = propositions.filter(({ said }) => !said[judge()]).length;
    if (propositions.length === 0) open.textContent = say("panel.look.none");
    else if (left)
      open.textContent = say("panel.look.left", { count: left, all: propositions.length });
    else open.textContent = say("panel.look.done");
    const shown = only.checked
      ? propositions.filter(
          ({ id, said }) =>
            !said[judge()] || rows.get(id)?.item.contains(list.getRootNode().activeElement),
        )
      : propositions;
    for (const id of [...rows.keys()])
      if (!propositions.some((proposition) => proposition.id === id)) rows.delete(id);
    arrange(list, shown.map(row));
    mark();
  }

  const WORDS = ["yes", "partly", "no"];

  function row({ id, sentence, said }) {
    if (!rows.has(id)) {
      const words = el("button.ck-sentence", {});
      words.addEventListener("click", () => editor.select(id, { show: true }));
      const buttons = WORDS.map((word) =>
        button(say(`panel.look.${word}`), () => press(id, word), {
          class: `ck-say ck-say-${word}`,
          "data-word": word,
        }),
      );
      const others = el("p.ck-others");
      const says = el("div.ck-says", { role: "group" }, ...buttons);
      rows.set(id, {
        item: el("li", { "data-relation": id }, words, says, others),
        words,
        says,
        buttons,
        others,
      });
    }
    const { item, words, says, buttons, others } = rows.get(id);
    words.replaceChildren(sentence);
    says.setAttribute("aria-label", sentence);
    buttons.forEach((button, at) =>
      button.setAttribute("aria-pressed", said[judge()] === WORDS[at]),
    );
    const rest = Object.entries(said).filter(([who]) => who !== judge());
    others.replaceChildren(
      ...rest.map(([who, word]) =>
        el(
          `span.ck-other ck-say-${word}`,
          say("panel.look.by", { name: who, word: say(`panel.look.${word}`) }),
        ),
      ),
    );
    others.hidden = rest.length === 0;
    item.classList.toggle("ck-split", new Set(Object.values(said)).size > 1);
    return item;
  }

  async function press(id, word) {
    if (!judge()) {
      note.bad(say("panel.look.no_judge"));
      name.box.focus();
      return;
    }
    note.tell("");
    const proposition = told.propositions.find((one) => one.id === id);
    const now = proposition.said[judge()] === word ? "" : word;
    const before = proposition.said;
    const { [judge()]: _, ...others } = before;
    proposition.said = { ...others, ...(now && { [judge()]: now }) };
    drawJudging();
    if (!isRefused(await ask({ type: "judge", judge: judge(), relation: id, word: now }))) return;
    proposition.said = before;
    drawJudging();
  }

  function drawScore() {
    const { judges, elements, structure, valid } = told;
    result.hidden = judges.length === 0;
    if (result.hidden) return;
    const byJudge = ({ judge: who, valid: points, open: count }) =>
      say("panel.look.of_judge", { name: who, points: shownNumber(points), count });
    const cells = (...values) =>
      values.map((value) => el("td.ck-n", value === "" ? "" : shownNumber(value)));
    result.replaceChildren(
      el("h3", say("panel.look.score")),
      el(
        "div.ck-scroll",
        el(
          "table",
          el(
            "thead",
            el(
              "tr",
              ...["element", "points_each", "structure", "valid"].map((name) =>
                el("th", { scope: "col" }, say(`panel.look.${name}`)),
              ),
            ),
          ),
          el(
            "tbody",
            ...elements.map((element) =>
              el(
                "tr",
                el("th", { scope: "row" }, element.label),
                ...cells(element.points, element.structure, element.valid),
              ),
            ),
            el(
              "tr.ck-total",
              el("th", { scope: "row" }, say("panel.look.total")),
              ...cells("", structure, valid),
            ),
          ),
        ),
      ),
      judges.length > 1 ? el("p", judges.map(byJudge).join(say("panel.replay.and"))) : "",
      el("p.ck-status", say("panel.look.source")),
    );
  }

  function mark() {
    for (const [id, { item, words }] of rows) {
      item.classList.toggle("ck-chosen", id === editor.selected);
      if (id === editor.selected) words.setAttribute("aria-current", "true");
      else words.removeAttribute("aria-current");
    }
  }

  return { root, show, mark };
}
