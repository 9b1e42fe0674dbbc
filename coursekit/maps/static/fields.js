// What the outline and the panels are made of: buttons, fields and forms, and a box that finds a concept.

function formParts(editor) {
  const { word: say } = editor;

  const button = (text, onclick, more = {}) =>
    el("button", { ...more, onclick, class: `ck-button ${more.class ?? ""}`.trim() }, text);

  function field(label, more = {}) {
    const box = el("input", {
      id: newId(),
      type: "text",
      autocomplete: "off",
      ...more,
      class: "ck-box",
    });
    return {
      root: el("p.ck-field", el("label", { for: box.getAttribute("id") }, label), box),
      box,
    };
  }

  /** A form with a place for errors; `send` returns the kernel's reply, or a text to refuse without the kernel. */
  function form(parts, text, send, more = {}) {
    const wrong = el("p.ck-bad");
    const go = el("button.ck-button.ck-go", { type: "submit" }, text);
    const root = el("form", { class: "ck-form", ...more }, ...parts, go, wrong);
    // The Enter that ends a composed word does not send.
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && composingIn(event)) event.preventDefault();
    });
    root.addEventListener("submit", async (event) => {
      event.preventDefault();
      wrong.textContent = "";
      const reply = await send();
      wrong.textContent = typeof reply === "string" ? reply : "";
      if (isRefused(reply)) wrong.textContent = reply.text;
      if (wrong.textContent) editor.say(wrong.textContent);
    });
    return root;
  }

  function phraseField(phrase = "", kind = "") {
    const { root, box } = field(say("outline.phrase"), {
      placeholder: say("outline.phrase_hint"),
      maxlength: editor.limits.label,
    });
    box.value = phrase;
    return { root, box, ...phraseChips(editor, box, kind) };
  }

  /** A box that finds a concept by the start of its name; `not` are those that cannot be chosen. */
  function picker(label, not = () => [], more = {}) {
    const { root, box } = field(label, {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      maxlength: editor.limits.label,
      ...more,
    });
    const options = el("ul.ck-options", {
      id: newId(),
      role: "listbox",
      "aria-label": label,
      hidden: "",
    });
    box.setAttribute("aria-controls", options.getAttribute("id"));
    let found = [];
    let at = -1;
    const open = (on) => {
      options.hidden = !on;
      box.setAttribute("aria-expanded", on);
      if (!on) box.removeAttribute("aria-activedescendant");
    };
    function look() {
      const typed = comparable(box.value);
      found = [...editor.map.concepts].filter(
        ([id, concept]) => !not().includes(id) && comparable(concept.label).includes(typed),
      );
      at = -1;
      options.replaceChildren(
        ...found.map(([id, concept]) => {
          const option = el(
            "li",
            { id: `${options.getAttribute("id")}-${id}`, role: "option", "aria-selected": "false" },
            concept.label,
          );
          option.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the keyboard
          option.addEventListener("click", () => choose(concept.label));
          return option;
        }),
      );
      open(found.length > 0);
    }
    function choose(name) {
      box.value = name;
      open(false);
      box.focus();
    }
    function walk(to) {
      if (options.hidden) look();
      at = (to + found.length) % Math.max(1, found.length);
      [...options.children].forEach((child, place) =>
        child.setAttribute("aria-selected", place === at),
      );
      const active = options.children[at];
      if (!active) return;
      box.setAttribute("aria-activedescendant", active.getAttribute("id"));
      active.scrollIntoView({ block: "nearest" });
    }
    box.addEventListener("input", look);
    box.addEventListener("click", look);
    box.addEventListener("blur", () => open(false));
    box.addEventListener("keydown", (event) => {
      if (composingIn(event)) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        walk(event.key === "ArrowDown" ? at + 1 : at - 1);
      } else if (event.key === "Enter" && !options.hidden && at >= 0) {
        event.preventDefault();
        choose(found[at][1].label);
      } else if (event.key === "Escape" && !options.hidden) {
        event.stopPropagation();
        open(false);
      }
    });
    const clear = () => (box.value = "");
    root.append(options);
    root.classList.add("ck-picker");
    return { root, box, clear, value: () => concept(box.value) };
  }

  const listOf = (rows, more = "") =>
    el("ul", { class: `ck-rows ${more}`.trim(), role: "list" }, ...rows);
  const fold = (title, ...children) => el("details.ck-more", el("summary", title), ...children);

  const concept = (name) =>
    [...editor.map.concepts].find(([, concept]) => isAlike(concept.label, name))?.[0] ?? "";

  const { labelOf: label, sentence } = editor;
  return {
    button,
    concept,
    field,
    fold,
    form,
    label,
    listOf,
    phraseField,
    picker,
    say,
    sentence,
  };
}

const isRefused = (reply) => ["refused", "failed"].includes(reply?.type);
const comparable = (name) => name.normalize("NFKC").trim().toLowerCase();
const isAlike = (one, other) => comparable(one) === comparable(other);
