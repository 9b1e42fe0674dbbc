// Draws a page anew without losing what somebody does in it: where the new elements are like the old ones, these stay.

import { arrange } from "./dom.js";

const HEARD = ["onclick", "oninput", "onchange", "onsubmit", "ontoggle"];

/** Make the children of `old` like the nodes in `fresh`.  What stays keeps its focus, its place and what was typed. */
export function redraw(old, fresh) {
  const keyed = new Map(),
    loose = [];
  for (const child of old.childNodes) {
    if (keyOf(child)) keyed.set(keyOf(child), child);
    else loose.push(child);
  }
  const next = fresh.map((node) => {
    const at = loose.findIndex((child) => child.nodeName === node.nodeName);
    const found = keyOf(node) ? keyed.get(keyOf(node)) : at < 0 ? null : loose.splice(at, 1)[0];
    if (!found || found.nodeName !== node.nodeName) return node;
    patch(found, node);
    return found;
  });
  arrange(old, next);
}

const keyOf = (node) => node.dataset?.key ?? node.id ?? "";

function patch(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  const told = old.dataset.told !== fresh.dataset.told;
  for (const { name } of [...old.attributes])
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const event of HEARD) old[event] = fresh[event];
  if (fresh.dataset.filled === undefined) redraw(old, [...fresh.childNodes]); // else another fills it
  if (old.nodeName === "SELECT") old.value = fresh.value;
  else if (old.type === "checkbox") old.checked = fresh.checked;
  else if (told && old !== document.activeElement) old.value = fresh.value;
}
