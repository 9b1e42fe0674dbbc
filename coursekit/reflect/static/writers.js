// Who writes: the page's owner, or one of several groups that take turns at one screen. The choice holds for all cells
// of the page; a cell is drawn anew for each writer, so nobody sees what another has written.

/** What this browser keeps for a question belongs to its writer, too. */
const owned = (model) => model.get("key") + (model.get("writer") ? `@${model.get("writer")}` : "");

/**
 * The module of a cell that `draw` draws for one writer; `draw` puts the chooser into its head, and returns what ends it.
 * Where a cell `asks`, the first group begins; the others have a chooser once there are groups.
 */
function inTurn(draw, asks) {
  function render({ model, el: place }) {
    const inner = el("div");
    place.replaceChildren(inner);
    function begin() {
      const who = chooser(model, asks);
      const end = draw({ model: inTheNameOf(model), el: inner, who });
      who.look(); // after the answer, which matters more
      return () => {
        end();
        who.leave();
      };
    }
    let leave = begin();
    function again() {
      leave(); // this saves what the last writer has typed, in that one's name
      window.coursekitAnswers?.clear();
      leave = begin();
    }
    model.on("change:writer", again);
    return () => {
      model.off("change:writer", again);
      leave();
    };
  }
  return { render };
}

/** The model of one writer: it says in each message whose it is, and hears nothing of other writers. */
function inTheNameOf(model) {
  const writer = model.get("writer") ?? 0;
  const heard = new Map();
  return {
    get: (name) => (name === "writer" ? writer : model.get(name)),
    send: (message, callbacks, buffers) =>
      model.send(writer ? { ...message, writer } : message, callbacks, buffers),
    on(name, listener) {
      const listen = (message) => (message?.writer ?? writer) === writer && listener(message);
      heard.set(listener, listen);
      model.on(name, listen);
    },
    off: (name, listener) => model.off(name, heard.get(listener)),
  };
}

/** The chooser of who writes: {root, named(listener), look, leave}. It is one small button until there are groups. */
function chooser(model, asks) {
  const { words, limit } = model.get("chooser") ?? { words: {}, limit: 0 };
  const writer = model.get("writer") ?? 0;
  const id = newId();
  const list = el("select.ck-writer-list", { "aria-label": words.who, hidden: "" });
  const first = el(
    "button.ck-button.ck-quiet",
    { "aria-expanded": "false", "aria-controls": id },
    words.groups,
  );
  const name = el("input.ck-text", {
    type: "text",
    maxlength: limit,
    "aria-label": words.name,
    autocomplete: "off",
  });
  const bad = el("p.ck-refused", { role: "alert" });
  const form = el(
    "form.ck-writer-new",
    { id, hidden: "", onsubmit: add },
    name,
    el("button.ck-button", { type: "submit" }, words.begin),
    bad,
  );
  const root = el("div.ck-writer", first, list, form);
  let known = [];
  let told = (_name) => {};

  function show() {
    const option = (value, label) =>
      el("option", { value: value, selected: value === writer }, label);
    list.replaceChildren(
      option(0, words.me),
      ...known.map((group) => option(group.number, group.name)),
      option(-1, words.new),
    );
    list.value = String(writer);
    list.hidden = !known.length;
    first.hidden = !asks || known.length > 0;
    open(false);
    told(known.find((group) => group.number === writer)?.name ?? "");
  }
  function open(yes) {
    form.hidden = !yes;
    first.setAttribute("aria-expanded", yes);
    bad.textContent = "";
    if (!yes) return;
    name.value = (words.first ?? "").replace("{number}", known.length + 1);
    name.focus();
    name.select();
  }
  function add(event) {
    event.preventDefault();
    model.send({ type: "writer", name: name.value, from: id });
  }
  first.addEventListener("click", () => open(form.hidden));
  list.addEventListener("change", () => {
    const number = Number(list.value);
    open(number < 0);
    if (number >= 0) model.send({ type: "writer", number, from: id });
  });
  function onMessage(message) {
    if (message.type === "writers") {
      known = message.names;
      show();
    } else if (message.type === "refused" && message.to === id) {
      bad.textContent = message.text;
    }
  }
  show();
  model.on("msg:custom", onMessage);
  const named = (listener) => {
    told = listener;
  };
  const look = () => words.who && model.send({ type: "writers" });
  return { root, named, look, leave: () => model.off("msg:custom", onMessage) };
}
