// What the panels are made of: buttons, fields, forms, lists and folds.

function formParts(editor) {
  const { word: say } = editor;

  const button = (text, onclick, more = {}) =>
    el("button", { ...more, onclick, class: `ck-button ${more.class ?? ""}`.trim() }, text);

  function field(label, more = {}) {
    const id = newId();
    const box = el("input", { id, type: "text", autocomplete: "off", ...more, class: "ck-box" });
    return { root: el("p.ck-field", el("label", { for: id }, label), box), box };
  }

  function check(label, onchange) {
    const box = el("input", { type: "checkbox", id: newId(), onchange });
    return {
      root: el("p.ck-check", box, el("label", { for: box.getAttribute("id") }, label)),
      box,
    };
  }

  /** A form with a place for errors; `send` returns a sentence if it cannot be sent. */
  function form(parts, text, send) {
    const wrong = el("p.ck-bad");
    const go = el("button.ck-button.ck-go", { type: "submit" }, text);
    const root = el("form.ck-form", ...parts, go, wrong);
    // The Enter that ends a composed word does not send.
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && composingIn(event)) event.preventDefault();
    });
    root.addEventListener("submit", async (event) => {
      event.preventDefault();
      wrong.textContent = (await send()) || "";
      if (wrong.textContent) editor.say(wrong.textContent);
    });
    return root;
  }

  /** A line that says what has happened. */
  function status() {
    const root = el("p.ck-status", { role: "status" });
    const tell = (text, isBad = false) => {
      root.textContent = text;
      root.classList.toggle("ck-bad", isBad);
    };
    return { root, tell, bad: (text) => tell(text, true) };
  }

  const listOf = (rows, more = "") => el(`ul.ck-rows ${more}`, { role: "list" }, ...rows);
  const fold = (title, ...children) => el("details.ck-more", el("summary", title), ...children);

  /** A sentence that shows its relation on the map when it is pressed. */
  const shower = (id, text) =>
    el("button.ck-sentence", { onclick: () => editor.select(id, { show: true }) }, text);

  return { button, check, editor, field, fold, form, listOf, say, shower, status };
}

const isRefused = (reply) => reply.type === "refused";
