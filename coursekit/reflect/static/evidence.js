// What the reader did at the table, beside or below a question: sentences, tables and pictures. The kernel is asked for
// them when they are on the screen and the table has moved on.

const CALM = 1000; // milliseconds after a move at the table before asking the kernel: the next move may follow at once
const LONG = 60000; // milliseconds without a result before asking again

const drawKey = (key) => `coursekit/draw/${key}`;

function gridded({ caption, heads, rows }) {
  const row = ([head, ...cells]) =>
    el("tr", el("th", { scope: "row" }, head), ...cells.map((cell) => el("td", cell)));
  const table = el(
    "table",
    el("caption", caption),
    el("thead", el("tr", ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", ...rows.map(row)),
  );
  return el("div.ck-grid", { tabindex: "0", role: "group", "aria-label": caption }, table);
}

function evidence(model, send) {
  const words = model.get("words");
  const key = owned(model);
  const parts = el("div.ck-parts");
  const status = el("p.ck-status", words.looking);
  const again = button(model.get("again"), () => {
    draw += 1;
    visible = true;
    parts.setAttribute("aria-live", "polite"); // only a requested draw is read aloud
    anew();
  });
  const root = el(
    "div.ck-seen",
    { role: "group", "aria-label": words.seen },
    el("p.ck-seen-head", words.seen),
    status,
    parts,
    ...(model.get("again") ? [again] : []),
  );
  let draw =
    attempt(() => JSON.parse(recall("sessionStorage", drawKey(key)))) ??
    Math.floor(Math.random() * 1e6) * 7;
  let old = true; // the table has moved on since the kernel was asked
  let visible = false;
  let pause = 0;

  function look() {
    clearTimeout(pause);
    if (!old || !visible) return;
    old = false;
    remember("sessionStorage", drawKey(key), draw);
    status.textContent = words.looking;
    send({ type: "look", draw });
    pause = setTimeout(anew, LONG);
  }
  function anew() {
    old = true;
    look();
  }

  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    look();
  });
  eye.observe(root);

  const shown = ({ html, text, source, grid }) => {
    if (grid) return gridded(grid);
    const part = el(html === undefined ? "p" : "div", text ?? source ?? "");
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
