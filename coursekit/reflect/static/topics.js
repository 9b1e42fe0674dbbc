// The questions of a game by topic: chips choose a topic, cards one of its questions, which is asked below them.
// One question is open at a time, so a page asks its kernel for one answer and one piece of evidence.

function offering({ model, el: place, who }) {
  const words = model.get("words");
  const topics = model.get("topics");
  const all = topics.flatMap(({ cards }) => cards);
  const id = newId();
  const done = new Set(); // keys of the answered questions
  let leave = null; // ends the open question
  let open = ""; // its key
  let at = 0; // number of the topic

  const count = el("span.ck-count");
  const chips = topics.map(({ title }, number) => {
    const told = el("span.ck-told");
    return {
      told,
      chip: button([title, told], () => choose(number), { class: "ck-chip" }),
    };
  });
  const note = el("p.ck-note");
  const cards = el("ul.ck-cards");
  const pane = el("div.ck-pane", { id });
  const root = el(
    "div.ck-cell.ck-topics",
    { lang: model.get("language") },
    el("div.ck-head", el("p.ck-over", words["topics.heading"], count), who.root),
    el(
      "div.ck-chips",
      { role: "group", "aria-label": words["topics.choose"], hidden: topics.length < 2 },
      ...chips.map(({ chip }) => chip),
    ),
    note,
    cards,
    pane,
  );
  place.replaceChildren(root);

  function part(card) {
    let hear = (_message) => {};
    const listen = (message) => message.which === card.key && hear(message);
    return {
      get: (name) => card[name] ?? model.get(name),
      send: (message) => model.send({ ...message, which: card.key }),
      on(name, listener) {
        hear = listener;
        model.on(name, listen);
      },
      off: (name) => model.off(name, listen),
    };
  }
  function close() {
    leave?.();
    leave = null;
    open = "";
    pane.replaceChildren();
  }
  function ask(card) {
    const again = open === card.key;
    close();
    if (!again) {
      open = card.key;
      leave = asking({ model: part(card), el: pane });
      pane.scrollIntoView({ block: "nearest" });
    }
    tell();
  }
  function choose(number) {
    close();
    at = number;
    const { cards: asked, note: said } = topics[at];
    note.textContent = said;
    note.hidden = !said;
    cards.replaceChildren(
      ...asked.map((card) =>
        el(
          "li",
          el(
            "button.ck-card",
            { "aria-controls": id, onclick: () => ask(card) },
            el("span.ck-short", card.short),
            el("span.ck-state"),
          ),
        ),
      ),
    );
    tell();
  }
  function tell() {
    const answered = (some) => some.filter(({ key }) => done.has(key)).length;
    count.textContent = words["topics.answered"]
      .replace("{count}", answered(all))
      .replace("{all}", all.length);
    chips.forEach(({ chip, told }, number) => {
      chip.setAttribute("aria-pressed", number === at);
      told.textContent = `${answered(topics[number].cards)}/${topics[number].cards.length}`;
    });
    topics[at].cards.forEach(({ key }, number) => {
      const card = cards.children[number].firstChild;
      card.setAttribute("aria-expanded", key === open);
      card.classList.toggle("ck-done", done.has(key));
      card.lastChild.textContent = done.has(key) ? words["topics.done"] : words["topics.open"];
    });
  }
  function onMessage(message) {
    if (message.type !== "answered") return;
    for (const [key, answered] of Object.entries(message.keys)) {
      if (answered) done.add(key);
      else done.delete(key);
    }
    tell();
  }

  choose(0);
  model.on("msg:custom", onMessage);
  model.send({ type: "answered" });
  return () => {
    leave?.();
    model.off("msg:custom", onMessage);
  };
}

export default withStyles(inTurn(offering, true));
