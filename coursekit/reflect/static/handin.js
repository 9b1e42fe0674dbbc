// The journal as files: to hand in, to export and to import; and a way to delete it. The name on the page stays in
// this tab of the browser. Without a kernel the answers on this page can still be saved.

const BUSY = 15000; // milliseconds that the kernel may be busy before the answers are handed in without it
const MAKING = 60000; // milliseconds for a page with maps, or for sending a piece of a journal
const CALM = 300; // milliseconds between a change of the journal and the next request for its content
const KEPT = ["reflect", "predicted", "draw", "map", "map/view"]; // this browser's copies of answers and drawings

/** The name for the page. It goes with the tab, since the next user of this computer may be another person. */
const SIGNED = "coursekit/name";

/** Delete this browser's copies of a game, "" for all; then also the names of the signer and the judge.
 *  Of a group only its own copies go. */
function forgetCopies(game, group) {
  if (!game && !group) forget("sessionStorage", SIGNED);
  const own = (key) => key.startsWith(game && `${game}/`);
  const begins = KEPT.map((kind) => `coursekit/${kind}/${game && `${game}/`}`);
  const of = new RegExp(`@${group}(/|$)`);
  const written = (key) =>
    (begins.some((beginning) => key.startsWith(beginning)) && (!group || of.test(key))) ||
    (!game && !group && key === "coursekit/judge");
  for (const key of [...(window.coursekitAnswers?.keys() ?? [])].filter(own))
    window.coursekitAnswers.delete(key);
  for (const store of ["localStorage", "sessionStorage"])
    for (const key of keysIn(store).filter(written)) forget(store, key);
}

function handIn({ model, el: place, who }) {
  const words = model.get("words");
  const limits = model.get("limits");
  const id = newId();
  const quiet = { class: "ck-button ck-quiet" };
  const list = el("ul.ck-held");
  const nothing = el("p", words.opening);
  const lacks = el("ul.ck-lacks", { hidden: "" });
  const binder = el("p.ck-status", words.binder ? {} : { hidden: "" }, words.binder ?? "");
  const asked = el("div.ck-asked", { role: "group", hidden: "" }); // whether a match may be kept
  const name = el("input.ck-text", {
    id: `${id}-name`,
    type: "text",
    maxlength: limits.name,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-hint`,
    oninput: () => group || remember("sessionStorage", SIGNED, name.value),
  });
  const group = model.get("writer"); // 0 for the page's owner
  if (!group) name.value = recall("sessionStorage", SIGNED) ?? "";
  who.named((called) => {
    if (called && !name.value) name.value = called;
  });
  const what = chooser(words.what, (chosen) => {
    game = chosen;
  });
  const others = el(
    "p.ck-others",
    el("span", words.other_forms),
    button(words.markdown, () => give("markdown"), quiet),
    button(words.spreadsheet, () => give("spreadsheet"), quiet),
  );
  const status = el("p.ck-status", { role: "status" });
  const aside = el("p.ck-status", { hidden: "" });
  const file = el("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: "",
    onchange: bring,
    tabindex: "-1",
    "aria-hidden": "true",
  });
  const sure = { yes: words.delete_yes, no: words.delete_no };
  const forgetting = careful(words.forget, sure, () => ask({ type: "forget" }));
  const which = chooser(words.delete_what, tellScope);
  const first = el(
    "p.ck-first",
    button(words.delete_first, () => ask({ type: "take", names: names.checked })),
  );
  const everything = careful(
    words.delete_all,
    { ...sure, again: words.delete_last },
    () => ask({ type: "delete", game: scope }),
    [el("div", which.root, first)],
  );
  const handing = el(
    "section.ck-handing",
    { "aria-labelledby": `${id}-over`, hidden: "" },
    el("h3", { id: `${id}-over` }, words.hand_over),
    el("p", group ? words.hand_over_group : words.hand_over_hint),
    el("label.ck-label", { for: name.id }, words.name),
    name,
    el("p.ck-status", { id: `${id}-hint` }, words.name_hint),
    what.root,
    button(words.page, () => give("page"), { class: "ck-button ck-main" }),
    others,
  );
  const names = el("input", { type: "checkbox", id: `${id}-names` });
  const keeping = el("label.ck-choice", { for: names.id, hidden: "" }, names, words.keep_names);
  const take = button(words.journal, () => ask({ type: "take", names: names.checked }));
  const along = el(
    "details",
    el("summary", words.along),
    el("p.ck-status", words.along_hint),
    el(
      "div.ck-row",
      take,
      button(words.bring, () => file.click()),
    ),
    file,
  );
  const root = el(
    "div.ck-cell.ck-journal.ck-handin",
    { lang: model.get("language") },
    el("div.ck-head", el("p.ck-over", words.heading), who.root),
    binder,
    list,
    nothing,
    lacks,
    asked,
    handing,
    keeping,
    status,
    aside,
    along,
    el("details", el("summary", words.delete), el("div.ck-row", forgetting.root, everything.root)),
  );
  place.replaceChildren(root);

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

  function chooser(legend, chosen) {
    const row = el("div.ck-row");
    const root = el("fieldset.ck-what", { hidden: "" }, el("legend", legend), row);
    let shown = "";
    function show(choices, now) {
      root.hidden = choices.length < 3; // "all" and at least two games
      if (shown === JSON.stringify(choices)) return;
      shown = JSON.stringify(choices);
      row.replaceChildren(
        ...choices.map(({ game, label }) => {
          const radio = el("input", {
            type: "radio",
            name: `${id}-${legend}`,
            onchange: () => chosen(game),
          });
          radio.checked = game === now;
          return el("label.ck-choice", radio, label);
        }),
      );
    }
    return { root, show };
  }
  function tellScope(chosen) {
    scope = chosen;
    everything.tell(scopes.find((choice) => choice.game === scope)?.text ?? "");
  }
  const among = (choices, chosen) =>
    choices.some((choice) => choice.game === chosen) ? chosen : "";

  function show(games) {
    list.replaceChildren(...games.map((held) => el("li", el("b", held.title), held.line)));
    const known = [
      { game: "", label: words.everything },
      ...games.filter((held) => held.game).map((held) => ({ game: held.game, label: held.title })),
    ];
    game = among(known, game);
    what.show(known, game);
  }
  function showAsked(asks) {
    const choice = (words, yes) => button(words, () => ask({ type: "agree", yes }));
    asked.hidden = !asks;
    if (!asks) return asked.replaceChildren();
    asked.setAttribute("aria-label", asks.ask);
    const row = el("div.ck-row", choice(asks.yes, true), choice(asks.no, false));
    return asked.replaceChildren(el("p", asks.ask), row);
  }
  function showState(message) {
    old = false;
    if (empty !== !message.games.length && !along.contains(along.getRootNode().activeElement))
      along.open = !empty; // in a new Binder the import comes first
    empty = !message.games.length;
    nothing.textContent = message.nothing;
    nothing.hidden = !message.nothing;
    lacks.replaceChildren(...message.lacks.map((lack) => el("li", lack)));
    lacks.hidden = !message.lacks.length;
    showAsked(message.asks);
    list.hidden = handing.hidden = take.hidden = empty;
    keeping.hidden = !message.names;
    show(message.games);
    aside.textContent = message.aside;
    aside.hidden = !message.aside;
    forgetting.tell(message.forget);
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
      if (!group) name.value = recall("sessionStorage", SIGNED) ?? "";
    } else if (message.type === "file") {
      download(message.name, message.text, message.mime);
      say(message.notice);
    } else if (message.type === "refused") {
      say(message.text, true);
      untold();
    }
    if (old && message.type !== "refused") follow();
  }
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

export default withStyles(inTurn(handIn, true));
