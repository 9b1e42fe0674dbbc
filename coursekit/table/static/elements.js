// Elements of the table: icons, buttons, menus.

const ICONS = {
  add: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  book: "M12 6v14M12 6c-3-2-6-2-9-1v13c3-1 6-1 9 2 3-3 6-3 9-2V5c-3-1-6-1-9 1",
  clock: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5M12 8v5l3 2",
  close: "M5 5l14 14M19 5 5 19",
  cover: "M3 12c5-7 13-7 18 0-5 7-13 7-18 0M4 20 20 4",
  crown: "M4 19 3 8l5 4 4-7 4 7 5-4-1 11z",
  eye: "M3 12c5-7 13-7 18 0-5 7-13 7-18 0M12 9a3 3 0 1 0 .1 0",
  first: "M18 5l-7 7 7 7M7 5v14",
  fork: "M6 20V4M6 14c8 0 11-3 11-8M13 9l4-4 4 4",
  forward: "M9 5l7 7-7 7",
  grow: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  hourglass: "M7 3h10M7 21h10M8 3c0 6 8 6 8 9s-8 3-8 9M16 3c0 6-8 6-8 9s8 3 8 9",
  load: "M12 17V5M7 10l5-5 5 5M4 20h16",
  menu: "M4 7h16M4 12h16M4 17h16",
  notes: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h4",
  now: "M6 5l7 7-7 7M17 5v14",
  save: "M12 4v12M7 11l5 5 5-5M4 20h16",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  shrink: "M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5",
  skip: "M4 6l7 6-7 6zM13 6l7 6-7 6z",
  turn: "M5 4l15 8-15 8z",
  undo: "M9 14L4 9l5-5M4 9h9a6 6 0 0 1 0 12h-3",
};

const hidden = (text) => el("span.ck-hidden", text);

const icon = (name) => sign(ICONS[name]);

const button = (name, sign, text, onclick, more = {}) =>
  el(
    `button.ck-button ${name}`,
    { onclick, ...more },
    sign && icon(sign),
    el("span.ck-text", text),
  );

const tickBox = (label, checked, key, onchange, name = "") =>
  el(
    `label.ck-labelled ${name}`,
    el("input", { type: "checkbox", checked, "data-key": key, onchange }),
    label,
  );

/** A menu of [{value, label}]; `onchange` gets the value itself, which need not be a string. */
function menu(choices, chosen, onchange, more = {}) {
  const options = choices.map(({ value, label, lang }, at) =>
    el("option", { value: at, selected: same(value, chosen), lang }, label),
  );
  return el(
    "select.ck-select",
    { ...more, onchange: (event) => onchange(choices[event.target.value].value) },
    ...options,
  );
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function forgetAll(store, start, keep) {
  for (const key of keysIn(store))
    if (key.startsWith(start) && !key.startsWith(keep)) forget(store, key);
}
