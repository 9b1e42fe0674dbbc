// The words of a relation: what is typed into a box, and a chip for each kind of relation that puts its words there.

/** The chips for `box`, in which the words of a relation of `kind` are typed; `chosen` is called after a chip. Those of the
 *  game's own kinds are whole sentences of its rules: their words alone are hard to understand. */
function phrases(editor, box, kind = "", chosen = () => {}) {
  const kinds = editor.kinds.map((each, at) => ({ ...each, at }))
    .filter(({ name, phrase }, at) => name === kind || editor.kinds.findIndex((each) => each.phrase === phrase) === at);
  let pressed = false;
  const chips = [...kinds.filter(({ start }) => !start), ...kinds.filter(({ start }) => start)].map(({ name, phrase, start, end, at }) => {
    const chip = el("button", { type: "button", class: `ck-map-chip ck-map-kind-${at % 8}`, "data-kind": name, onclick: (event) => {
      if (event?.detail && !pressed) return; // the finger that opened this form was lifted here
      kind = name;
      box.value = phrase;
      mark();
      stop(chip);
      chosen();
    } }, ...(start ? [el("span", {}, start), el("b", {}, phrase), el("span", {}, end)] : [phrase]));
    return chip;
  });
  const group = el("div", { class: "ck-map-chips", role: "group", "aria-label": editor.word("kinds") }, ...chips);
  group.addEventListener("pointerdown", () => { pressed = true; });
  const stop = rove(group, () => chips);
  const mark = () => chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.kind === kind)));
  const words = () => box.value.trim();
  box.addEventListener("input", () => {
    kind = editor.kindSaid(words()) || (words() && kind);
    mark();
  });
  mark();
  const clear = () => {
    box.value = kind = "";
    mark();
  };
  return { group, clear, value: () => ({ phrase: words(), kind }) };
}
