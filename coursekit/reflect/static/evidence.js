// What the reader did at the table, beside or below a question: sentences, tables and pictures. The kernel is asked for
// them when they are on the screen and the table has moved on.

const CALM = 1000; // milliseconds after a move at the table before asking the kernel: the next move may follow at once
const LONG = 60000; // milliseconds without a result before asking again

/** The card the reader has drawn for a question: the same after a reload. */
const draws = {
  name: (key) => `coursekit/draw/${key}`,
  get: (key) =>
    attempt(() => JSON.parse(sessionStorage.getItem(draws.name(key)))) ??
    Math.floor(Math.random() * 1e6) * 7,
  set: (key, draw) => attempt(() => sessionStorage.setItem(draws.name(key), JSON.stringify(draw))),
};

/** A table with a head for each column; the first cell of a row is the row's head. A narrow one scrolls sideways. */
function gridded({ caption, heads, rows }) {
  const row = ([head, ...cells]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, head),
      ...cells.map((each) => make("td", {}, each)),
    );
  const table = make(
    "table",
    {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads.map((each) => make("th", { scope: "col" }, each)))),
    make("tbody", {}, ...rows.map(row)),
  );
  return make(
    "div",
    { class: "ck-grid", tabindex: "0", role: "group", "aria-label": caption },
    table,
  );
}

/** What the reader did: a box that asks the kernel while it is on the screen. */
function evidence(model, send) {
  const words = model.get("words");
  const key = owned(model);
  const parts = make("div", { class: "ck-parts" });
  const status = make("p", { class: "ck-status" }, words.looking);
  const again = make("button", { type: "button", class: "ck-button" }, model.get("again"));
  const root = make(
    "div",
    { class: "ck-seen", role: "group", "aria-label": words.seen },
    make("p", { class: "ck-seen-head" }, words.seen),
    status,
    parts,
    ...(model.get("again") ? [again] : []),
  );
  let draw = draws.get(key);
  let old = true; // the table has moved on since the kernel was asked
  let visible = false;
  let pause = 0;

  function look() {
    clearTimeout(pause);
    if (!old || !visible) return;
    old = false;
    draws.set(key, draw);
    status.textContent = words.looking;
    send({ type: "look", draw });
    pause = setTimeout(anew, LONG);
  }
  function anew() {
    old = true;
    look();
  }

  again.addEventListener("click", () => {
    draw += 1;
    visible = true;
    parts.setAttribute("aria-live", "polite"); // only a requested draw is read aloud
    anew();
  });
  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    look();
  });
  eye.observe(root);

  const shown = ({ html, text, source, grid }) => {
    if (grid) return gridded(grid);
    const part = make(html === undefined ? "p" : "div", {}, text ?? source ?? "");
    if (html !== undefined) part.innerHTML = html;
    return part;
  };
  function onMessage(message) {
    if (message.type === "moved") {
      old = true;
      parts.removeAttribute("aria-live");
      clearTimeout(pause);
      pause = setTimeout(look, CALM);
    } else if (message.type === "seen") {
      if (!old) clearTimeout(pause);
      status.textContent = "";
      parts.replaceChildren(...message.parts.map(shown));
    }
  }
  function leave() {
    clearTimeout(pause);
    eye.disconnect();
  }
  return { root, onMessage, leave };
}
