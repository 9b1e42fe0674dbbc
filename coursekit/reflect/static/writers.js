// Who writes: the page's owner, or one of several groups that take turns at one screen. The choice holds for all cells
// of the page; a cell is drawn anew for each writer, so nobody sees what another has written.

/** What this browser keeps for a question belongs to its writer, too. */
const owned = (model) => model.get("key") + (model.get("writer") ? `@${model.get("writer")}` : "");

/** The module of a cell that `draw` draws for one writer, with the chooser on top; `draw` returns what ends it. */
function inTurn(draw) {
  function render({ model, el }) {
    const place = make("div", {});
    el.replaceChildren(place);
    const begin = () => draw({ model: inTheNameOf(model), el: place, who: chooser(model) });
    let leave = begin();
    function again() {
      leave?.(); // this saves what the last writer has typed, in that one's name
      window.coursekitAnswers?.clear();
      leave = begin();
    }
    model.on("change:writer", again);
    return () => {
      model.off("change:writer", again);
      leave?.();
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
    send: (message, callbacks, buffers) => model.send(writer ? { ...message, writer } : message, callbacks, buffers),
    on(name, listener) {
      const listen = (message) => (message?.writer ?? writer) === writer && listener(message);
      heard.set(listener, listen);
      model.on(name, listen);
    },
    off: (name, listener) => model.off(name, heard.get(listener)),
  };
}

/** The chooser of who writes: {root, name(listener), leave}. */
function chooser(model) {
  const { words, limit } = model.get("chooser") ?? { words: {}, limit: 0 };
  const writer = model.get("writer") ?? 0;
  const id = `ck-writer-${Math.random().toString(36).slice(2)}`;
  const list = make("select", { id, class: "ck-writer-list" });
  const name = make("input", { type: "text", class: "ck-text", maxlength: String(limit), "aria-label": words.name, autocomplete: "off" });
  const bad = make("p", { class: "ck-refused", role: "alert" });
  const form = make("form", { class: "ck-writer-new", hidden: "", onsubmit: add }, name,
    make("button", { type: "submit", class: "ck-button" }, words.begin), bad);
  const root = make("div", { class: "ck-writer" }, make("label", { for: id }, words.who), list, form);
  let known = [];
  let told = (_name) => {};

  function show() {
    const option = (value, label) => make("option", { value: String(value), selected: value === writer }, label);
    list.replaceChildren(option(0, words.me), ...known.map((each) => option(each.number, each.name)), option(-1, words.new));
    list.value = String(writer);
    told(known.find((each) => each.number === writer)?.name ?? "");
  }
  function add(event) {
    event.preventDefault();
    model.send({ type: "writer", name: name.value, from: id });
  }
  list.addEventListener("change", () => {
    const number = Number(list.value);
    form.hidden = number >= 0;
    if (number >= 0) {
      model.send({ type: "writer", number, from: id });
    } else {
      name.value = (words.first ?? "").replace("{number}", known.length + 1);
      name.focus();
      name.select();
    }
  });
  function onMessage(message) {
    if (message.type === "writers") {
      known = message.names;
      form.hidden = true;
      show();
    } else if (message.type === "refused" && message.to === id) {
      bad.textContent = message.text;
    }
  }
  show();
  model.on("msg:custom", onMessage);
  if (words.who) model.send({ type: "writers" });
  const named = (listener) => {
    told = listener;
  };
  return { root, named, leave: () => model.off("msg:custom", onMessage) };
}
