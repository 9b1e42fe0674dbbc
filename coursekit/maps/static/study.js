// The panel "look again": what can be counted in the map, and what people say about each proposition.
// Judgements belong to a name, which this browser remembers until it is closed.

const JUDGE = "coursekit/judge";
const VERDICTS = ["yes", "partly", "no"];
const HUBS = 3; // concepts that can have the most links and still be named

function studyPanel({ button, check, editor, field, say, shower, status }) {
  const name = field(say("panel.look.judge"), {
    maxlength: "30",
    placeholder: say("panel.look.judge_hint"),
  });
  const note = status();
  const hub = el("p.ck-hubs ck-asked");
  const numbers = el("dl.ck-numbers");
  const open = el("p.ck-open", { role: "status" });
  const list = el("ol.ck-judging", { role: "list" });
  const score = el("p.ck-score");
  const only = check(say("panel.look.only_open"), () => drawJudging());
  const rows = new Map(); // by relation
  let told = { verdicts: {} }; // the last answer of the kernel
  let asked = null; // the last question to it

  name.box.value = recall("sessionStorage", JUDGE) ?? "";
  name.box.addEventListener("input", () => {
    remember("sessionStorage", JUDGE, judge());
    drawJudging();
  });
  const judge = () => name.box.value.trim();
  const saidBy = (who, id) => told.verdicts[who]?.[id];

  const root = el(
    "div",
    hub,
    el("h3", say("panel.look.judging")),
    el("p.ck-status", say("panel.look.how")),
    name.root,
    open,
    only.root,
    note.root,
    list,
    score,
    el("h3", say("panel.look.numbers")),
    numbers,
  );

  async function ask(message) {
    asked = message;
    const reply = await editor.ask(message);
    if (isRefused(reply)) note.bad(reply.text);
    else if (asked === message) told = reply;
    draw();
    return reply;
  }

  function draw() {
    hub.textContent = hubQuestion();
    numbers.replaceChildren(...counted().flatMap(numberRow));
    drawJudging();
    drawScore();
  }

  function hubQuestion() {
    const counts = [...editor.map.concepts.keys()].map((id) => [id, editor.linksOf(id).length]);
    const relations = Math.max(0, ...counts.map(([, count]) => count));
    if (!relations) return "";
    const most = counts.filter(([, count]) => count === relations);
    if (most.length > HUBS) return say("panel.look.hub_even", { count: most.length, relations });
    const names = most
      .map(([id]) => say("panel.look.hub_name", { name: editor.labelOf(id) }))
      .join(say("panel.comma"));
    return say(most.length > 1 ? "panel.look.hub_tied" : "panel.look.hub", { names, relations });
  }

  function counted() {
    const { concepts, relations } = editor.map;
    return [
      ["concepts", concepts.size],
      ["without_words", [...relations.values()].filter(({ phrase }) => !phrase).length],
      ["parts", partsOf(editor.map)],
      ["cross_links", hierarchyOf(editor.map).cross.size],
    ];
  }
  const numberRow = ([what, value]) => [
    el("dt", say(`panel.look.${what}`), " ", el("b", value)),
    el("dd", say(`panel.look.${what}_hint`)),
  ];

  function drawJudging() {
    const propositions = [...editor.map.relations].filter(([, { phrase }]) => phrase);
    const left = propositions.filter(([id]) => !saidBy(judge(), id));
    if (!propositions.length) open.textContent = say("panel.look.none");
    else if (!left.length) open.textContent = say("panel.look.done");
    else
      open.textContent = say("panel.look.left", { count: left.length, all: propositions.length });
    const isUsed = ([id]) => rows.get(id)?.item.contains(list.getRootNode().activeElement);
    const isOpen = (proposition) => left.includes(proposition) || isUsed(proposition);
    arrange(list, (only.box.checked ? propositions.filter(isOpen) : propositions).map(row));
    mark();
  }

  function newRow(id) {
    const words = shower(id, "");
    const buttons = VERDICTS.map((verdict) =>
      button(say(`panel.look.${verdict}`), () => press(id, verdict), {
        class: `ck-say ck-say-${verdict}`,
        "data-word": verdict,
      }),
    );
    const says = el("div.ck-says", { role: "group" }, ...buttons);
    const others = el("p.ck-others");
    const item = el("li", { "data-relation": id }, words, says, others);
    return { item, words, says, buttons, others };
  }

  function row([id, relation]) {
    if (!rows.has(id)) rows.set(id, newRow(id));
    const { item, words, says, buttons, others } = rows.get(id);
    const sentence = editor.sentence(relation);
    words.textContent = sentence;
    says.setAttribute("aria-label", sentence);
    const own = saidBy(judge(), id);
    buttons.forEach((choice, at) => choice.setAttribute("aria-pressed", own === VERDICTS[at]));
    const rest = Object.keys(told.verdicts).filter((who) => who !== judge() && saidBy(who, id));
    others.replaceChildren(
      ...rest.map((who) =>
        el(
          `span.ck-other ck-say-${saidBy(who, id)}`,
          say("panel.look.by", { name: who, word: say(`panel.look.${saidBy(who, id)}`) }),
        ),
      ),
    );
    others.hidden = !rest.length;
    return item;
  }

  async function press(id, verdict) {
    const who = judge();
    if (!who) {
      note.bad(say("panel.look.no_judge"));
      name.box.focus();
      return;
    }
    note.tell("");
    const before = told;
    const next = saidBy(who, id) === verdict ? "" : verdict;
    told = {
      ...told,
      verdicts: { ...told.verdicts, [who]: { ...told.verdicts[who], [id]: next } },
    };
    drawJudging();
    const reply = await ask({ type: "judge", judge: who, relation: id, word: next });
    if (!isRefused(reply)) return;
    told = before;
    drawJudging();
  }

  function drawScore() {
    const isJudged = Object.values(told.verdicts).some((said) => Object.values(said).some(Boolean));
    score.hidden = !isJudged || told.valid === undefined;
    const number = (value) => value.toLocaleString(editor.language);
    const { structure, valid } = told;
    if (!score.hidden)
      score.replaceChildren(
        el("b", say("panel.look.score", { valid: number(valid), structure: number(structure) })),
        " ",
        say("panel.look.source"),
      );
  }

  function mark() {
    for (const [id, { item, words }] of rows) {
      item.classList.toggle("ck-chosen", id === editor.selected);
      words.setAttribute("aria-current", String(id === editor.selected));
    }
  }

  function show() {
    draw();
    return ask({ type: "study" });
  }

  return { root, show, mark };
}

/** In how many parts `map` falls, single concepts included. */
function partsOf({ concepts, relations }) {
  const part = new Map([...concepts.keys()].map((id) => [id, id]));
  for (const { start, end } of relations.values()) {
    const [one, other] = [part.get(start), part.get(end)];
    for (const [id, name] of part) if (name === other) part.set(id, one);
  }
  return new Set(part.values()).size;
}
