// Helpers for elements, files and what a browser keeps. The script of every table and cell begins with them.

const SVG = "http://www.w3.org/2000/svg";
const FOCUSABLE = /^(a|button|input|select|summary|textarea)$/;

/** Build an element; `name` is its tag and its classes: "p.ck-status.ck-bad", or spaces for dots. The first of `parts` may be an object with
 *  listeners ("onclick"), style properties ("--size") and attributes; the rest are children.
 *  Null, undefined and false are skipped. */
function build(create, name, parts) {
  const [tag, ...classes] = name.split(/[. ]+/).filter(Boolean);
  const element = create(tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const more = parts[0]?.constructor === Object ? parts.shift() : {};
  if (tag === "button") element.setAttribute("type", "button");
  // Without this, keys pressed here would edit the notebook around the cell.
  if (FOCUSABLE.test(tag) || "tabindex" in more)
    element.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [key, value] of Object.entries(more)) {
    if (isBlank(value)) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...parts.filter((child) => !isBlank(child)));
  return element;
}

const isBlank = (part) => part === null || part === undefined || part === false;

const el = (name, ...parts) => build((tag) => document.createElement(tag), name, parts);
const svg = (name, ...parts) => build((tag) => document.createElementNS(SVG, tag), name, parts);

let sharedStyles = "";

/** Put the styles of all tables and cells into the page. */
// eslint-disable-next-line no-unused-vars -- static_bundle.py calls it
function shareStyles(css) {
  sharedStyles = css;
  putStyles(globalThis.document?.head);
}

/** Put them into *place*, unless another script has done so. */
function putStyles(place) {
  if (!place || place.querySelector("#ck-shared")) return;
  place.append(el("style", { id: "ck-shared" }, sharedStyles));
}

/** Return a widget's module that has these styles in a shadow root, too, as marimo makes one around each widget. */
// eslint-disable-next-line no-unused-vars -- each widget does
const withStyles = ({ render, ...others }) => ({
  ...others,
  render(given) {
    const root = given.el.getRootNode();
    if (root.host) putStyles(root); // a shadow root
    return render(given);
  },
});

/** What an event is about. To the document it names what holds a shadow root, as marimo puts one around each widget. */
// eslint-disable-next-line no-unused-vars -- tables and maps listen to the document
const originOf = (event) => event.composedPath?.()[0] ?? event.target;

const newId = () => `ck-${Math.random().toString(36).slice(2)}`;

const sign = (path, name = "ck-icon") =>
  svg(
    "svg",
    { class: name, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: path }),
  );

/** `text` with what stands in braces replaced; a name without a value stays. */
const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** `title`, in which no number stands apart from the Chinese unit behind it. */
const unbroken = (title) => title.replace(/(\d) (?=[\u3400-\u9fff])/g, "$1\u00a0");

/** Minutes and seconds: 2:05. */
const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Let `parent` hold just `children`; those it has stay where they are, so that typing in one is not disturbed. */
function arrange(parent, children) {
  for (const child of [...parent.childNodes]) if (!children.includes(child)) child.remove();
  children.forEach((child, at) => {
    if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null);
  });
}

/** The one of `buttons` to which the key of `event` leads, if any: arrows, Home and End walk. */
function nextByKey(event, buttons) {
  const at = buttons.indexOf(event.target);
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (at < 0 || to === undefined) return undefined;
  event.preventDefault();
  return buttons[(to + buttons.length) % buttons.length];
}

function download(name, data, mime = "text/markdown") {
  const type = typeof data === "string" ? `${mime};charset=utf-8` : mime;
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** What `action` returns; null if it fails, as storage does in some browsers. */
function attempt(action) {
  try {
    return action() ?? null;
  } catch {
    return null;
  }
}

// `store` is "localStorage", or "sessionStorage" for what goes with the tab.
const recall = (store, key) => attempt(() => globalThis[store].getItem(key));
const remember = (store, key, value) => attempt(() => globalThis[store].setItem(key, value));
const forget = (store, key) => attempt(() => globalThis[store].removeItem(key));
const keysIn = (store) =>
  attempt(() => {
    const all = globalThis[store];
    return Array.from({ length: all.length }, (_, at) => all.key(at));
  }) ?? [];
