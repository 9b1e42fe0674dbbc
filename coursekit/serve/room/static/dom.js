// Helpers of the room's pages.  It is joined with elements.js, which has more.  Everything shown is set as text.

/** An element with children.  If the first of `parts` is an object, it holds properties and attributes (`data-…`, `role`). */
export function make(tag, className = "", ...parts) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  const properties = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...parts.filter((part) => part !== null && part !== undefined && part !== false));
  return element;
}

/** A button. */
export const button = (className, label, onclick, properties = {}) =>
  make("button", className, { type: "button", onclick, ...properties }, label);

export { download, fillIn, recall, remember };
