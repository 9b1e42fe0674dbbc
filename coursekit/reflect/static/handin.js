// What the journal holds, as files: to hand in, to take along and bring back; and a way to delete it. The name on the
// page stays in this tab of the browser. Without a kernel the answers on this page can still be saved.

const MAKING = 60000; // milliseconds that a page with maps may take, or a piece of a journal on its way
const WRITTEN = /^coursekit\/(reflect|predicted|draw|map|judge)(\/|$)/; // what this browser keeps of what was written and drawn

/** The name for the page: gone with the tab, since the next one at this computer may be somebody else. */
const signed = {
  get: () => attempt(() => sessionStorage.getItem("coursekit/name")) ?? "",
  set: (name) => attempt(() => sessionStorage.setItem("coursekit/name", name)),
  remove: () => attempt(() => sessionStorage.removeItem("coursekit/name")),
};

/** Forget what this browser has of answers. */
function forgetCopies() {
  signed.remove();
  window.coursekitAnswers?.clear();
  for (const storage of [() => localStorage, () => sessionStorage]) {
    attempt(() => Object.keys(storage()).filter((key) => WRITTEN.test(key)).forEach((key) => storage().removeItem(key)));
  }
}

function render({ model, el }) {
  const words = model.get("words");
  const limits = model.get("limits");
  const id = `ck-handin-${Math.random().toString(36).slice(2)}`;
  const button = (label, onclick, kind = "") => make("button", { type: "button", class: `ck-button ${kind}`, onclick }, label);

  const list = make("ul", { class: "ck-held" });
  const nothing = make("p", {}, words.opening);
  const name = make("input", {
    id: `${id}-name`, class: "ck-text", type: "text", maxlength: String(limits.name), autocomplete: "off", spellcheck: "false",
    "aria-describedby": `${id}-hint`, oninput: () => signed.set(name.value),
  });
  name.value = signed.get();
  const what = make("div", { class: "ck-row" });
  const choice = make("fieldset", { class: "ck-what" }, make("legend", {}, words.what), what);
  const forms = make("div", { class: "ck-row ck-forms" },
    button(words.page, () => give("page"), "ck-main"),
    button(words.markdown, () => give("markdown")),
    button(words.spreadsheet, () => give("spreadsheet")));
  const status = make("p", { class: "ck-status", role: "status" });
  const aside = make("p", { class: "ck-status", hidden: "" });
  const file = make("input", { type: "file", accept: ".json,application/json", hidden: "", onchange: bring, tabindex: "-1", "aria-hidden": "true" });
  const sure = { yes: words.delete_yes, no: words.delete_no };
  const forget = careful(words.forget, sure, () => ask({ type: "forget" }));
  const everything = careful(words.delete_all, { ...sure, again: words.delete_last }, () => {
    forgetCopies();
    name.value = "";
    ask({ type: "delete" });
  });
  const root = make("div", { class: "ck-cell ck-journal ck-handin", lang: model.get("language") },
    make("p", { class: "ck-over" }, words.heading), nothing, list,
    make("label", { class: "ck-label", for: name.id }, words.name), name,
    make("p", { id: `${id}-hint`, class: "ck-status" }, words.name_hint),
    choice, forms, status, aside,
    make("details", {}, make("summary", {}, words.along),
      make("p", { class: "ck-status" }, words.along_hint),
      make("div", { class: "ck-row" }, button(words.journal, () => ask({ type: "take" })), button(words.bring, () => file.click())), file),
    make("details", {}, make("summary", {}, words.delete), make("div", { class: "ck-row" }, forget.root, everything.root)));
  el.replaceChildren(root);

  let patience = 0;
  let waiting = false; // for an answer of the kernel
  let coming = null; // the file that is on its way to the kernel
  let game = model.get("game"); // what is chosen

  const say = (text, bad = false) => {
    status.textContent = text;
    status.classList.toggle("ck-bad", bad);
  };
  function wait(without, time = PATIENCE) {
    waiting = true;
    clearTimeout(patience);
    patience = setTimeout(() => {
      waiting = false;
      if (nothing.textContent === words.opening) nothing.hidden = true;
      without();
    }, time);
  }
  const offline = () => say(words.offline, true);
  function ask(message, without = offline, buffers = [], time = PATIENCE) {
    wait(without, time);
    model.send({ ...message, from: id }, undefined, buffers);
  }
  function give(form) {
    say(words.making);
    ask({ type: "give", form, game, name: name.value }, rescue);
  }
  /** The answers on this page, as far as this browser has them. */
  const rescued = () => [...(window.coursekitAnswers?.values() ?? [])].filter(({ text }) => text.trim());
  function rescue() {
    const parts = rescued().map((each) => `## ${each.question}\n\n${each.text}\n`);
    if (parts.length) download(`${words.file}.md`, [`# ${words.heading}\n`, ...(name.value ? [`${name.value}\n`] : []), ...parts].join("\n"));
    say(parts.length ? words.rescued : words.offline, true);
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
  /** A journal goes to the kernel in pieces, each when the one before has come: a server refuses large messages. */
  function sendPiece(piece) {
    const [begin, end] = [piece * limits.piece, (piece + 1) * limits.piece];
    const last = end >= coming.byteLength;
    ask({ type: "bring", piece, last }, offline, [coming.slice(begin, end)], MAKING);
    if (last) coming = null;
  }

  let shown = "";
  function show(games) {
    list.replaceChildren(...games.map((each) => make("li", {}, make("b", {}, each.title), each.line)));
    const known = ["", ...games.map((each) => each.game).filter(Boolean)];
    if (!known.includes(game)) game = "";
    choice.hidden = known.length < 3;
    if (shown === known.join()) return;
    shown = known.join();
    const titles = new Map(games.map((each) => [each.game, each.title]));
    what.replaceChildren(...known.map((each) => {
      const radio = make("input", { type: "radio", name: `${id}-what`, onchange: () => (game = each) });
      radio.checked = each === game;
      return make("label", { class: "ck-choice" }, radio, each ? titles.get(each) : words.everything);
    }));
  }
  function onMessage(message) {
    if (message.to !== undefined && message.to !== id) return; // another view has asked
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
      nothing.textContent = message.nothing;
      nothing.hidden = !message.nothing;
      list.hidden = choice.hidden = !message.games.length;
      show(message.games);
      aside.textContent = message.aside;
      aside.hidden = !message.aside;
      forget.tell(message.forget);
      everything.tell(message.delete);
      for (const each of forms.children) each.disabled = !message.games.length;
      if (message.notice || status.classList.contains("ck-bad")) say(message.notice);
    } else if (message.type === "file") {
      download(message.name, message.text, message.mime);
      say(message.notice);
    } else if (message.type === "failed") {
      say(message.text, true);
      if (nothing.textContent === words.opening) nothing.hidden = true;
    }
  }
  // What is written and played further up changes what is told here: ask again whenever it comes into sight.
  const eye = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && !waiting && ask({ type: "open" }));

  model.on("msg:custom", onMessage);
  eye.observe(root);
  return () => {
    clearTimeout(patience);
    eye.disconnect();
    model.off("msg:custom", onMessage);
  };
}

export default { render };
