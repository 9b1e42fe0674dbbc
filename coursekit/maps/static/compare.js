// The panel "compare": this map beside the rules' map, another map of the journal, or a file. What only the other map has
// can be added piece by piece.

const SOME = 12; // rows of a list that show at first

function comparePanel({ button, drop, editor, fold, listOf, say, shower, status }) {
  const note = status();
  const result = el("div.ck-compared");
  const chosen = el("div.ck-chosen-source");
  let message = null; // the last comparison

  const SOURCES = {
    ...(editor.setting.starter && {
      starter: () => (editor.topics.length ? topicField() : ""),
    }),
    journal: journalField,
    file: () => drop(say("panel.compare.choose"), ([file]) => compareWith("file", file), note.bad),
  };
  const names = Object.keys(SOURCES);
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
    chosen.replaceChildren(SOURCES[name]());
    if (name === "starter") compareWith("starter");
  }

  function topicField() {
    const id = newId();
    const menu = el(
      "select.ck-box",
      { id, onchange: () => compareWith("starter", { about: menu.value }) },
      editor.topics.every(({ about }) => about) &&
        el("option", { value: "" }, say("panel.compare.everything")),
      ...editor.topics.map(({ about, label }) => el("option", { value: about }, label)),
    );
    return el("p.ck-field", el("label", { for: id }, say("panel.compare.about_what")), menu);
  }

  function journalField() {
    const row = el("div.ck-row");
    editor.ask({ type: "maps" }).then(({ maps = [] }) => {
      row.append(...maps.map((key) => button(key, () => compareWith("map", { key }))));
      if (!maps.length) row.append(say("panel.compare.no_others"));
    });
    return row;
  }

  const compareWith = (source, parts = {}) => ask({ type: `compare_${source}`, ...parts });

  async function ask(question) {
    message = question;
    const reply = await editor.ask(question);
    if (message !== question) return; // the reader has chosen another map meanwhile
    if (!isRefused(reply)) return draw(reply);
    note.bad(reply.text);
    result.replaceChildren();
  }

  const again = () => message && ask(message);

  /** What `id` says, and "" if it is gone meanwhile. */
  const words = (id) =>
    editor.map.relations.has(id)
      ? editor.sentence(editor.map.relations.get(id))
      : editor.labelOf(id);

  function draw({ name, shared, missing, mine, contradictions, reworded, perhaps_same: pairs }) {
    note.tell(say("panel.compare.told", { name }));
    const heading = (part, count) =>
      el("h3", say(`panel.compare.${part}`), " ", el("span.ck-count", count));
    const own = (id) => el("li", shower(id, words(id)));
    const lists = {
      missing: missing.map(missingRow),
      mine: mine.map(own),
      shared: shared.map(own),
    };
    const section = ([part, rows]) =>
      el(
        `section.ck-side-${part}`,
        heading(part, rows.length),
        rows.length ? listOf(rows.slice(0, SOME)) : el("p.ck-status", say("panel.compare.nothing")),
        rows.length > SOME &&
          fold(say("panel.more", { count: rows.length - SOME }), listOf(rows.slice(SOME))),
      );
    const besides = ({ id, other }) => [
      el("p", el("span.ck-who", say("panel.compare.i_say")), shower(id, words(id))),
      el("p", el("span.ck-who", say("panel.compare.they_say")), other),
    ];
    const clash = (row) =>
      el("div.ck-clash", ...besides(row), el("p.ck-asked", say(`panel.compare.how_${row.how}`)));
    const pair = ([one, other]) =>
      el(
        "li",
        el("span", say("panel.compare.pair", { one, other })),
        button(say("panel.compare.treat_same"), () => treat([one, other])),
      );
    result.replaceChildren(
      ...(contradictions.length
        ? [
            el(
              "section.ck-against",
              heading("contradictions", contradictions.length),
              el("div.ck-clashes", ...contradictions.map(clash)),
            ),
          ]
        : []),
      ...(pairs.length
        ? [el("section", heading("perhaps", pairs.length), listOf(pairs.map(pair)))]
        : []),
      ...(reworded.length
        ? [
            fold(
              say("panel.compare.reworded", { count: reworded.length }),
              el("div.ck-clashes", ...reworded.map((row) => el("div.ck-clash", ...besides(row)))),
            ),
          ]
        : []),
      el("div.ck-three", ...Object.entries(lists).map(section)),
    );
  }

  function missingRow({ text, changes }) {
    const add = button(
      say("panel.compare.add"),
      async () => {
        const wrong = editor.edit(changes);
        if (wrong) return note.bad(wrong);
        add.disabled = true;
        editor.say(say("panel.compare.added"));
        await again();
        const active = root.getRootNode().activeElement; // the reader may type elsewhere by now
        if (!active?.isConnected || active === document.body || root.contains(active))
          (result.querySelector(".ck-side-missing button") ?? choices[0]).focus();
      },
      { "aria-label": `${say("panel.compare.add")} ${text}` },
    );
    return el("li", el("span", text), add);
  }

  async function treat(pair) {
    const reply = await editor.ask({ type: "same", pair });
    if (isRefused(reply)) note.bad(reply.text);
    else draw(reply);
  }

  return { root, show: again };
}
