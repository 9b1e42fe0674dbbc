// Elements of the page, typing in them, and storage in this browser.

const ICONS = {
  add: "M12 5v14M5 12h14",
  arrow: "M5 12h13M13 7l5 5-5 5",
  card: "M7 3h10a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM12 9l1 2.200 2.400.300-1.800 1.600.500 2.400-2.100-1.200-2.100 1.200.500-2.400-1.800-1.600 2.400-.300z",
  link: "M4 17a3 3 0 1 0 6 0 3 3 0 1 0-6 0M14 7a3 3 0 1 0 6 0 3 3 0 1 0-6 0M9.200 15 15 9.200",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  tidy: "M10 3h4v4h-4zM3 17h4v4H3zM17 17h4v4h-4zM12 7v5M5 17v-5h14v5",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  full: "M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  map: "M3 7a3 2.500 0 1 0 6 0 3 2.500 0 1 0-6 0M15 6a3 2.500 0 1 0 6 0 3 2.500 0 1 0-6 0M9 18a3 2.500 0 1 0 6 0 3 2.500 0 1 0-6 0M7 9.500l3.500 6M17 8.500l-3.500 7M9 7h6",
  outline: "M4 6h16M8 12h12M8 18h12M4 12h.01M4 18h.01",
  close: "M6 6l12 12M18 6 6 18",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6",
  turn: "M7 8h12M15 4l4 4-4 4M17 16H5M9 12l-4 4 4 4",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  top: "M12 20V6M6 11l6-6 6 6M5 3h14",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  tick: "M5 13l4 4L19 7",
};

const icon = (name) => sign(ICONS[name], "ck-map-icon");

const press = (sign, words, more = {}) =>
  el(
    "button",
    { ...more, class: `ck-button ${more.class ?? ""}`.trim() },
    sign && icon(sign),
    el("span.ck-map-text", words),
  );

/** Do `fn` when Enter ends typing in `field`, but not during composition, where Enter chooses a character. */
function onEnter(field, fn) {
  let composing = false;
  field.addEventListener("compositionstart", () => {
    composing = true;
  });
  field.addEventListener("compositionend", () => {
    composing = false;
  });
  field.addEventListener("keydown", (event) => {
    if (composingIn(event, composing) || event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    fn(event);
  });
  return field;
}

const composingIn = (event, composing = false) =>
  composing || event.isComposing || event.keyCode === 229;

/** One stop for Tab; arrows, Home and End walk through the buttons. */
function rove(group, list) {
  const stop = (chosen) =>
    list().forEach((button) => button.setAttribute("tabindex", button === chosen ? "0" : "-1"));
  stop(list()[0]);
  group.addEventListener("keydown", (event) => {
    const chosen = nextByKey(event, list());
    if (!chosen) return;
    stop(chosen);
    chosen.focus();
  });
  return stop;
}

const storage = (store, key) => ({
  get: () => attempt(() => JSON.parse(recall(store, key))),
  set: (value) => remember(store, key, JSON.stringify(value)),
  remove: () => forget(store, key),
});

/** `bytes` as base64, in parts, since a call takes only so many arguments. */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function giveFile(name, mime, content, coded = false) {
  download(
    name,
    coded ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) : content,
    mime,
  );
}

const clockTime = (editor, when) =>
  new Date(when).toLocaleTimeString(editor.language, {
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });
