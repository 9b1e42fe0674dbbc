// Helpers for elements and files. Every cell's script begins with them.

const FOCUSABLE = /^(a|button|input|select|summary|textarea)$/;

/** Give `element` its `children` and, from `more`, listeners ("onclick"), style properties ("--size") and attributes.
 *  Null, undefined and false are skipped. */
function fill(element, more, children) {
  // Without this, keys pressed here would edit the notebook around the cell.
  if (FOCUSABLE.test(element.localName) || "tabindex" in more)
    element.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [key, value] of Object.entries(more)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(
    ...children.filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** `title`, in which no number stands apart from the Chinese unit behind it. */
const unbroken = (title) => title.replace(/(\d) (?=[\u3400-\u9fff])/g, "$1\u00a0");

/** Let the browser save `data`, text or bytes, as a file. */
function download(name, data, mime = "text/markdown") {
  const type = typeof data === "string" ? `${mime};charset=utf-8` : mime;
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = fill(document.createElement("a"), { href: url, download: name }, []);
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
