// Small helpers of the room's pages.  Everything shown is set as text.

/** An element with properties, attributes (`data-…`, `aria-…`, `role`) and children. */
export function make(tag, className = "", properties = {}, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.filter((each) => each !== null && each !== undefined && each !== false),
  );
  return element;
}

/** `words` with what stands in braces replaced. */
export const filled = (words, values) =>
  words.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** A button. */
export const button = (className, label, onclick, properties = {}) =>
  make("button", className, { type: "button", onclick, ...properties }, label);

/** What the browser remembers; "" where it may not. */
export function recall(storage, key) {
  try {
    return globalThis[storage].getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function remember(storage, key, value) {
  try {
    globalThis[storage].setItem(key, value);
  } catch {
    /* a private window: it is forgotten with the tab */
  }
}

export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", "", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
