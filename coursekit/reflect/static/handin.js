// The journal as files: to hand in, to export and to import; and a way to delete it. The name on the page stays in
// this tab of the browser. Without a kernel the answers on this page can still be saved.

const BUSY = 15000; // milliseconds that the kernel may be busy before the answers are handed in without it
const MAKING = 60000; // milliseconds for a page with maps, or for sending a piece of a journal
const CALM = 300; // milliseconds between a change of the journal and the next request for its content
const KEPT = ["reflect", "predicted", "draw", "map", "map/view"]; // this browser's copies of answers and drawings

/** The name for the page. It goes with the tab, since the next user of this computer may be another person. */
const signed = {
  get: () => attempt(() => sessionStorage.getItem("coursekit/name")) ?? "",
  set: (name) => attempt(() => sessionStorage.setItem("coursekit/name", name)),
  remove: () => attempt(() => sessionStorage.removeItem("coursekit/name")),
};

/** Delete this browser's copies of a game, "" for all; then also the names of the signer and the judge.
 *  Of a group only its own copies go. */
function forgetCopies(game, group) {
  if (!game && !group) signed.remove();
  const own = (key) => key.startsWith(game && `${game}/`);
  const begins = KEPT.map((each) => `coursekit/${each}/${game && `${game}/`}`);
  const of = new RegExp(`@${group}(/|$)`);
  const written = (key) =>
    (begins.some((each) => key.startsWith(each)) && (!group || of.test(key))) ||
    (!game && !group && key === "coursekit/judge");
  for (const key of [...(window.coursekitAnswers?.keys() ?? [])].filter(own))
    window.coursekitAnswers.delete(key);
  for (const storage of [() => localStorage, () => sessionStorage]) {
    attempt(() =>
      Object.keys(storage())
        .filter(written)
        .forEach((key) => storage().removeItem(key)),
    );
  }
}

/** Draw the cell in *el*; return what ends it. */
function handIn({ model, el, who }) {
  const words = model.get("words");
  const limits = model.get("limits");
  const id = `ck-handin-${Math.random().toString(36).slice(2)}`;
  const button = (label, onclick, kind = "") =>
    make("button", { type: "button", class: `ck-button ${kind}`, onclick }, label);

  const list = make("ul", { class: "ck-held" });
  const nothing = make("p", {}, words.opening);
  const lacks = make("ul", { class: "ck-lacks", hidden: "" });
  const name = make("input", {
    id: `${id}-name`,
    class: "ck-text",
    type: "text",
    maxlength: String(limits.name),
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-hint`,
    oninput: () => group || signed.set(name.value),
  });
  const group = model.get("writer"); // 0 for the page's owner
  if (!group) name.value = signed.get();
  who.named((called) => {
    if (called && !name.value) name.value = called;
  });
  const what = chooser(words.what, (chosen) => {
    game = chosen;
  });
  const others = make(
    "p",
    { class: "ck-others" },
    make("span", {}, words.other_forms),
    button(words.markdown, () => give("markdown"), "ck-quiet"),
    button(words.spreadsheet, () => give("spreadsheet"), "ck-quiet"),
  );
  const status = make("p", { class: "ck-status", role: "status" });
  const aside = make("p", { class: "ck-status", hidden: "" });
  const file = make("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: "",
    onchange: bring,
    tabindex: "-1",
    "aria-hidden": "true",
  });
  const sure = { yes: words.delete_yes, no: words.delete_no };
  const forget = careful(words.forget, sure, () => ask({ type: "forget" }));
  const which = chooser(words.delete_what, tellScope);
  const first = make(
    "p",
    { class: "ck-first" },
    button(words.delete_first, () => ask({ type: "take", names: names.checked })),
  );
  const everything = careful(
    words.delete_all,
    { ...sure, again: words.delete_last },
    () => ask({ type: "delete", game: scope }),
    [make("div", {}, which.root, first)],
  );
  const handing = make(
    "section",
    { class: "ck-handing", "aria-labelledby": `${id}-over`, hidden: "" },
    make("h3", { id: `${id}-over` }, words.hand_over),
    make("p", {}, group ? words.hand_over_group : words.hand_over_hint),
    make("label", { class: "ck-label", for: name.id }, words.name),
    name,
    make("p", { id: `${id}-hint`, class: "ck-status" }, words.name_hint),
    what.root,
    button(words.page, () => give("page"), "ck-main"),
    others,
  );
  const names = make("input", { type: "checkbox", id: `${id}-names` });
  const keeping = make(
    "label",
    { class: "ck-choice", for: names.id, hidden: "" },
    names,
    words.keep_names,
  );
  const take = button(words.journal, () => ask({ type: "take", names: names.checked }));
  const along = make(
    "details",
    {},
    make("summary", {}, words.along),
    make("p", { class: "ck-status" }, words.along_hint),
    make(
      "div",
      { class: "ck-row" },
      take,
      button(words.bring, () => file.click()),
    ),
    file,
  );
  const root = make(
    "div",
    { class: "ck-cell ck-journal ck-handin", lang: model.get("language") },
    make("div", { class: "ck-head" }, make("p", { class: "ck-over" }, words.heading), who.root),
    list,
    nothing,
    lacks,
    handing,
    keeping,
    status,
    aside,
    along,
    make(
      "details",
      {},
      make("summary", {}, words.delete),
      make("div", { class: "ck-row" }, forget.root, everything.root),
    ),
  );
  el.replaceChildren(root);

  let patience = 0;
  let calm = 0;
  let waiting = false; // for an answer from the kernel
  let visible = false;
  let old = true; // the journal has changed since the last request
  let empty = false; // whether the journal is empty
  let coming = null; // the file being sent to the kernel
  let game = model.get("game"); // the game chosen to hand in
  let scope = game; // the game chosen to delete
  let scopes = [];

  const say = (text, bad = false) => {
    status.textContent = text;
    status.classList.toggle("ck-bad", bad);
  };
  function wait(without, time = PATIENCE) {
    waiting = true;
    clearTimeout(patience);
    patience = setTimeout(() => {
      waiting = false;
      untold();
      without();
    }, time);
  }
  const offline = () => say(words.offline, true);
  /** Without an answer from the journal, offer at least the answers on this page. */
  function untold() {
    if (nothing.textContent !== words.opening) return;
    nothing.hidden = true;
    handing.hidden = false;
  }
  function ask(message, without = offline, buffers = [], time = PATIENCE) {
    wait(without, time);
    model.send({ ...message, from: id }, undefined, buffers);
  }
  function give(form) {
    say(words.making);
    ask({ type: "give", form, game, name: name.value, names: names.checked }, rescue, [], BUSY);
  }
  function rescue() {
    const page = answersHere(words.heading, name.value);
    if (page) download(`${words.file}.md`, page);
    say(page ? words.rescued : words.offline, true);
  }
  async function bring() {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    if (chosen.size > limits.file) {
      say(words.large, true);
      return;
    }
    say(words.bringing);
    coming = await chosen.arrayBuffer();
    sendPiece(0);
  }
  /** Send a journal to the kernel in pieces, one after the other: a server refuses large messages. */
  function sendPiece(piece) {
    const [begin, end] = [piece * limits.piece, (piece + 1) * limits.piece];
    const last = end >= coming.byteLength;
    ask({ type: "bring", piece, last }, offline, [coming.slice(begin, end)], MAKING);
    if (last) coming = null;
  }

  /** A choice of one, hidden unless there are several. */
  function chooser(legend, chosen) {
    const row = make("div", { class: "ck-row" });
    const root = make(
      "fieldset",
      { class: "ck-what", hidden: "" },
      make("legend", {}, legend),
      row,
    );
    let shown = "";
    /** Show *choices*, each {game, label}; *now* is the chosen game. */
    function show(choices, now) {
      root.hidden = choices.length < 3; // "all" and at least two games
      if (shown === JSON.stringify(choices)) return;
      shown = JSON.stringify(choices);
      row.replaceChildren(
        ...choices.map(({ game, label }) => {
          const radio = make("input", {
            type: "radio",
            name: `${id}-${legend}`,
            onchange: () => chosen(game),
          });
          radio.checked = game === now;
          return make("label", { class: "ck-choice" }, radio, label);
        }),
      );
    }
    return { root, show };
  }
  function tellScope(chosen) {
    scope = chosen;
    everything.tell(scopes.find((each) => each.game === scope)?.text ?? "");
  }
  const among = (choices, chosen) => (choices.some((each) => each.game === chosen) ? chosen : "");

  function show(games) {
    list.replaceChildren(
      ...games.map((each) => make("li", {}, make("b", {}, each.title), each.line)),
    );
    const known = [
      { game: "", label: words.everything },
      ...games.filter((each) => each.game).map((each) => ({ game: each.game, label: each.title })),
    ];
    game = among(known, game);
    what.show(known, game);
  }
  function showState(message) {
    old = false;
    if (empty !== !message.games.length && !along.contains(along.getRootNode().activeElement))
      along.open = !empty; // in a new Binder the import comes first
    empty = !message.games.length;
    nothing.textContent = message.nothing;
    nothing.hidden = !message.nothing;
    lacks.replaceChildren(...message.lacks.map((each) => make("li", {}, each)));
    lacks.hidden = !message.lacks.length;
    list.hidden = handing.hidden = take.hidden = empty;
    keeping.hidden = !message.names;
    show(message.games);
    aside.textContent = message.aside;
    aside.hidden = !message.aside;
    forget.tell(message.forget);
    scopes = message.delete;
    which.show(
      scopes.map(({ game, label }) => ({ game, label })),
      among(scopes, scope),
    );
    first.hidden = empty;
    tellScope(among(scopes, scope));
    if (message.notice || status.classList.contains("ck-bad")) say(message.notice);
  }
  function onMessage(message) {
    if (message.to !== undefined && message.to !== id) return; // another view has asked
    if (message.type === "changed") {
      old = true;
      follow();
      return;
    }
    if (message.type === "making") {
      wait(rescue, MAKING);
      return;
    }
    if (message.type === "more") {
      sendPiece(message.piece);
      return;
    }
    clearTimeout(patience);
    waiting = false;
    if (message.type === "state") {
      showState(message);
    } else if (message.type === "deleted") {
      forgetCopies(message.game, group);
      if (!group) name.value = signed.get();
    } else if (message.type === "file") {
      download(message.name, message.text, message.mime);
      say(message.notice);
    } else if (message.type === "failed") {
      say(message.text, true);
      untold();
    }
    if (old && message.type !== "failed") follow();
  }
  /** Ask for the journal's content again after answers and matches further up the page. */
  function follow() {
    clearTimeout(calm);
    if (visible && !waiting)
      calm = setTimeout(() => old && !waiting && ask({ type: "open" }, () => {}), CALM);
  }
  // Other windows change the journal without notice: ask whenever the cell comes into view.
  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    old ||= visible;
    clearTimeout(calm);
    if (visible && !waiting) ask({ type: "open" });
  });

  model.on("msg:custom", onMessage);
  eye.observe(root);
  return () => {
    clearTimeout(patience);
    clearTimeout(calm);
    eye.disconnect();
    model.off("msg:custom", onMessage);
  };
}

export default inTurn(handIn, true);
