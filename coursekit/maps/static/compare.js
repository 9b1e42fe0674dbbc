// The panel "compare": this map beside the rules' map, an earlier step, another map of the journal, or a file.
// What only the other map has can be added piece by piece.

const SOME = 12; // rows of a list that are shown at first
/** @type {[string, number][]} */
const NEARLY = [
  ["all", 1],
  ["nearly", 0.9],
  ["most", 0.6],
  ["half", 0.4],
  ["some", 0.1],
]; // words for a share, with its least value

function comparePanel(kit) {
  const { button, drop, editor, fold, listOf, say, status } = kit;
  const note = status();
  const result = el("div.ck-compared");
  const chosen = el("div.ck-chosen-source");
  let message = null; // the last comparison

  const SOURCES = {
    starter: () => (editor.topics?.length ? [topicField()] : []),
    step: () => [stepField()],
    journal: () => [journalField()],
    file: () => [drop(say("panel.compare.choose"), ([file]) => ask("file", file), note.bad)],
  };
  const names = Object.keys(SOURCES).filter(
    (name) => name !== "starter" || editor.model.get("starter"),
  );
  const choices = names.map((name) =>
    button(say(`panel.compare.${name}`), () => choose(name), {
      class: "ck-source-choice",
      "aria-pressed": "false",
      "data-source": name,
    }),
  );
  const root = el(
    "div",
    el("div.ck-row", { role: "group", "aria-label": say("panel.compare.with") }, ...choices),
    chosen,
    note.root,
    result,
  );

  function choose(name) {
    choices.forEach((choice, at) => choice.setAttribute("aria-pressed", names[at] === name));
    result.replaceChildren();
    note.tell("");
    message = null;
    chosen.replaceChildren(...SOURCES[name]());
    if (name === "starter") ask("starter");
  }

  function topicField() {
    const id = newId();
    const menu = el(
      "select.ck-box",
      { id, onchange: () => ask("starter", { about: menu.value }) },
      editor.topics.every(({ about }) => about) &&
        el("option", { value: "" }, say("panel.compare.everything")),
      ...editor.topics.map(({ about, label }) => el("option", { value: about }, label)),
    );
    return el("p.ck-field", el("label", { for: id }, say("panel.compare.about_what")), menu);
  }

  function stepField() {
    const slot = el("div");
    historyOf(editor).then((told) => {
      if (!told.steps.length) {
        slot.replaceChildren(el("p", say("panel.compare.no_steps")));
        return;
      }
      const marks = breaks(told.steps);
      const slider = stepSlider(
        kit,
        told.steps,
        (at) => ask("step", { step: told.steps[at - 1]?.number ?? 0 }),
        say("panel.compare.slider"),
      );
      slider.set(marks.at(-1)?.at ?? Math.floor(told.steps.length / 2));
      slot.replaceChildren(
        slider.root,
        ...breakButtons(kit, marks, (at) => {
          slider.set(at);
          slider.tell();
        }),
      );
      slider.tell();
    });
    return slot;
  }

  function journalField() {
    const slot = el("div");
    editor
      .ask({ type: "open" })
      .then(({ maps = [] }) =>
        slot.replaceChildren(
          maps.length
            ? el("div.ck-row", ...maps.map((key) => button(key, () => ask("map", { key }))))
            : el("p", say("panel.compare.no_others")),
        ),
      );
    return slot;
  }

  const ask = (source, parts = {}) => send({ type: `compare_${source}`, ...parts });

  async function send(question) {
    message = question;
    const reply = await editor.ask(question);
    if (message !== question) return; // the reader has chosen another map meanwhile
    if (isRefused(reply)) {
      note.bad(reply.text);
      result.replaceChildren();
      return;
    }
    draw(reply);
  }

  const again = () => message && send(message);

  const rowsOf = (rows) =>
    el(
      "div",
      listOf(rows.slice(0, SOME)),
      rows.length > SOME &&
        fold(say("panel.compare.more", { count: rows.length - SOME }), listOf(rows.slice(SOME))),
    );

  function draw({ name, shared, missing, mine, contradictions, reworded, perhaps_same: pairs }) {
    const all = (part) => shared[part].length + missing[part].length + mine[part].length;
    const overlap = (part, more) => {
      const [count, every] = [shared[part].length, all(part) + more];
      const share = shareWord(count, every);
      return el(
        "p",
        say(`panel.compare.overlap_${part}`, {
          share: say(`panel.share.${share}`),
          count,
          all: every,
        }),
      );
    };
    note.tell(say("panel.compare.told", { name }));
    const beside = message.type === "compare_step" ? "then" : "compare";
    const countText = (part, id, count) =>
      el("h3", say(`panel.${part}.${id}`), " ", el("span.ck-count", count));
    const section = (part, id, count, rows) =>
      el(
        `section.ck-side-${id}`,
        countText(part, id, count),
        rows.length ? rowsOf(rows) : el("p.ck-status", say(`panel.${part}.nothing_${id}`)),
      );
    const chooser = (id, text) =>
      el("button.ck-sentence", { onclick: () => editor.select(id, { show: true }) }, text);
    const plainRow = (...parts) => el("li.ck-said", ...parts);
    const nameRows = (labels) =>
      labels.length
        ? [
            plainRow(
              el("span.ck-who", say("panel.compare.concepts")),
              labels.join(say("panel.comma")),
            ),
          ]
        : [];
    const clash = ({ id, mine: one, other, how }) =>
      el(
        "div.ck-clash",
        el("p", el("span.ck-who", say(`panel.${beside}.i_say`)), chooser(id, one)),
        el("p", el("span.ck-who", say(`panel.${beside}.they_say`)), other),
        el("p.ck-asked", say(`panel.compare.how_${how}`)),
      );
    const pair = ([one, other]) =>
      el(
        "li",
        el("span", say("panel.compare.pair", { one, other })),
        button(say("panel.compare.treat_same"), () => treat(one, other)),
      );
    result.replaceChildren(
      el("div.ck-overlap", overlap("concepts", 0), overlap("propositions", contradictions.length)),
      contradictions.length
        ? el(
            "section.ck-against",
            countText("compare", "contradictions", contradictions.length),
            ...contradictions.map(clash),
          )
        : "",
      pairs.length
        ? el("section", el("h3", say("panel.compare.perhaps")), listOf(pairs.map(pair)))
        : "",
      reworded.length
        ? fold(
            say("panel.compare.reworded", { count: reworded.length }),
            listOf(reworded.map((pair) => plainRow(say("panel.compare.reworded_pair", pair)))),
          )
        : "",
      el(
        "div.ck-three",
        section(beside, "missing", missing.propositions.length + missing.concepts.length, [
          ...missing.propositions.map((proposition) =>
            missingRow(proposition.sentence, proposition.do),
          ),
          ...missing.concepts.map((concept) => missingRow(concept.label, concept.do)),
        ]),
        section(beside, "mine", mine.propositions.length + mine.concepts.length, [
          ...mine.propositions.map((proposition) =>
            plainRow(chooser(proposition.id, proposition.sentence)),
          ),
          ...nameRows(mine.concepts.map((concept) => concept.label)),
        ]),
        section("compare", "shared", shared.propositions.length + shared.concepts.length, [
          ...shared.propositions.map((proposition) => plainRow(proposition)),
          ...nameRows(shared.concepts),
        ]),
      ),
    );
  }

  function missingRow(text, ops) {
    const add = button(
      say("panel.compare.add"),
      async () => {
        add.disabled = true;
        const reply = await editor.edit(ops, true);
        if (isRefused(reply)) {
          add.disabled = false;
          note.bad(reply.text);
          return;
        }
        editor.say(say("panel.compare.added", { name: text }));
        await again();
        const active = root.getRootNode().activeElement; // the reader may type elsewhere by now
        if (!active?.isConnected || active === document.body || root.contains(active))
          (result.querySelector(".ck-side-missing button") ?? choices[0]).focus();
      },
      { "aria-label": say("panel.compare.add_this", { name: text }) },
    );
    return el("li", el("span", text), add);
  }

  async function treat(mine, other) {
    const reply = await editor.ask({ type: "same", pair: [mine, other] });
    if (isRefused(reply)) note.bad(reply.text);
    else draw(reply);
  }

  return { root, show: again };
}

function shareWord(count, all) {
  if (!count) return "none";
  return NEARLY.find(([, least]) => count / all >= least)?.[0] ?? "few";
}
