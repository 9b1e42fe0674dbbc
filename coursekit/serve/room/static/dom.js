// Helpers of the room's pages.  It is joined with elements.js, which has more.  Everything shown is set as text.

export function make(name, ...parts) {
  const properties = parts[0]?.constructor === Object ? parts.shift() : {};
  const element = el(name, ...parts);
  for (const [key, value] of Object.entries(properties)) {
    if (isBlank(value)) continue;
    if (key in element && !key.includes("-")) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  return element;
}

export const button = (className, label, onclick, properties = {}) =>
  make(`button.${className}`, { onclick, ...properties }, label);

export { PageModel, arrange, clock, download, fillIn, recall, remember };
