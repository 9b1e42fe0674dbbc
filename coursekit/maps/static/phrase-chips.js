// The words of a relation: a box to type them, and for each kind of relation a chip that fills the box.

/** The kinds to offer for a relation of `kind`; those about the rules only beside the things that they are about. */
function offeredKinds(editor, kind) {
  const there = new Set([...editor.map.concepts.values()].map(({ label }) => label));
  return editor.kinds
    .map((kind, at) => ({ ...kind, at }))
    .filter(
      ({ name, rule, start, end }) =>
        !rule || name === kind || (there.has(start) && there.has(end)),
    );
}

/** The chips for `box`, in which the reader types the words of a relation of `kind`; a chip calls `chosen`. Chips of the
 *  game's own kinds are whole sentences of its rules, as their words alone are hard to understand. */
function phraseChips(editor, box, kind = "", chosen = () => {}) {
  const kinds = offeredKinds(editor, kind).filter(
    ({ name, phrase }, at, all) =>
      name === kind || all.findIndex((other) => other.phrase === phrase) === at,
  );
  const given = { phrase: box.value.trim(), kind };
  let pressed = false;
  const chips = [...kinds.filter(({ start }) => !start), ...kinds.filter(({ start }) => start)].map(
    ({ name, phrase, start, end, at }) => {
      const chip = el(
        `button.ck-map-chip ck-map-kind-${at % 8}`,
        {
          "data-kind": name,
          onclick: (event) => {
            if (event?.detail && !pressed) return; // the finger that opened this form lifts here
            kind = name;
            box.value = phrase;
            mark();
            stop(chip);
            chosen();
          },
        },
        ...(start ? [el("span", start), el("b", phrase), el("span", end)] : [phrase]),
      );
      return chip;
    },
  );
  const group = el(
    "div.ck-map-chips",
    { role: "group", "aria-label": editor.word("kinds") },
    ...chips,
  );
  group.addEventListener("pointerdown", () => {
    pressed = true;
  });
  const fade = () => {
    // there is more above, or below
    group.classList.toggle("ck-above", group.scrollTop > 2);
    group.classList.toggle(
      "ck-below",
      group.scrollTop + group.clientHeight < group.scrollHeight - 2,
    );
  };
  group.addEventListener("scroll", fade);
  new ResizeObserver(fade).observe(group);
  const stop = rove(group, () => chips);
  const mark = () =>
    chips.forEach((chip) => chip.setAttribute("aria-pressed", chip.dataset.kind === kind));
  const words = () => box.value.trim();
  box.addEventListener("input", () => {
    kind = words() === given.phrase ? given.kind : editor.kindSaid(words()); // other words have no kind
    mark();
  });
  mark();
  const clear = () => {
    box.value = kind = "";
    mark();
  };
  return { group, clear, value: () => ({ phrase: words(), kind }) };
}
