// As much of a browser's DOM as the table uses, so that it can be tested with node alone.

class Element {
  constructor(localName) {
    this.localName = localName;
    this.attributes = new Map();
    this.childNodes = [];
    this.listeners = {};
    this.parent = null;
    this.style = {
      values: {},
      setProperty(name, value) {
        this.values[name] = String(value);
      },
    };
    this.clientWidth = 0;
    const key = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    this.dataset = new Proxy(this, { get: (element, name) => element.attributes.get(key(name)) });
    this.classList = {
      names: () => (this.getAttribute("class") ?? "").split(/\s+/).filter(Boolean),
      contains: (name) => this.classList.names().includes(name),
      add: (name) => this.classList.toggle(name, true),
      remove: (name) => this.classList.toggle(name, false),
      toggle: (name, on = !this.classList.contains(name)) => {
        const others = this.classList.names().filter((each) => each !== name);
        this.setAttribute("class", [...others, ...(on ? [name] : [])].join(" "));
        return on;
      },
    };
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  get children() {
    return this.childNodes.filter((each) => each instanceof Element);
  }
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get textContent() {
    return this.childNodes
      .map((each) => (each instanceof Element ? each.textContent : each))
      .join("");
  }
  set textContent(text) {
    this.replaceChildren(String(text));
  }

  append(...nodes) {
    for (const node of nodes) {
      if (node instanceof Element) {
        node.remove();
        node.parent = this;
      }
      this.childNodes.push(node instanceof Element ? node : String(node));
    }
  }

  insertBefore(node, before) {
    if (node instanceof Element) {
      node.detached = (node.detached ?? 0) + (node.parent ? 1 : 0);
      node.remove();
      node.parent = this;
    }
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, node instanceof Element ? node : String(node));
  }

  replaceChildren(...nodes) {
    for (const child of this.children) child.parent = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  remove() {
    if (!this.parent) return;
    this.parent.childNodes = this.parent.childNodes.filter((each) => each !== this);
    this.parent = null;
  }

  cloneNode() {
    const copy = new Element(this.localName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    copy.append(
      ...this.childNodes.map((each) => (each instanceof Element ? each.cloneNode() : each)),
    );
    return copy;
  }

  contains(other) {
    return other === this || this.children.some((each) => each.contains(other));
  }
  getRootNode() {
    return document;
  }
  getBoundingClientRect() {
    return { left: 0, top: 0, bottom: 0, width: 0, height: 0 };
  }
  scrollIntoView(options) {
    (this.scrolled ??= []).push(options.block);
  }
  animate(frames, options) {
    (this.animations ??= []).push(options);
    return { finished: new Promise((done) => running.push(done)) };
  }

  /** Selectors `tag.class[name="value"], …`, also within others: `.outer .inner`; `:not(…)` is passed over. */
  matches(selectors) {
    return selectors
      .replace(/:not\([^)]*\)/g, "")
      .split(",")
      .some((selector) => {
        const [own, ...outer] = selector
          .trim()
          .split(/ (?![^[]*\])/)
          .reverse();
        if (!this.isA(own)) return false;
        let at = this.parent;
        for (const each of outer) {
          while (at && !at.isA(each)) at = at.parent;
          if (!at) return false;
          at = at.parent;
        }
        return true;
      });
  }

  isA(selector) {
    return [...selector.matchAll(/[.#]?[\w-]+|\[[^\]]*\]/g)].every(([part]) => {
      if (part[0] === ".") return this.classList.contains(part.slice(1));
      if (part[0] !== "[") return this.localName === part;
      const [, name, , value] = /^\[([\w-]+)(=["'](.*)["'])?\]$/.exec(part);
      return (
        this.attributes.has(name) && (value === undefined || this.attributes.get(name) === value)
      );
    });
  }

  closest(selector) {
    return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null);
  }
  querySelectorAll(selector) {
    return this.children.flatMap((each) => [
      ...(each.matches(selector) ? [each] : []),
      ...each.querySelectorAll(selector),
    ]);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  addEventListener(type, listener) {
    (this.listeners[type] ??= []).push(listener);
  }
  dispatch(type, more = {}) {
    const event = {
      type,
      target: this,
      preventDefault() {
        event.prevented = true;
      },
      ...more,
    };
    for (let at = this; at; at = at.parent) {
      for (const listener of at.listeners[type] ?? [])
        listener({ ...event, currentTarget: at, preventDefault: event.preventDefault });
    }
    for (const listener of document.listeners[type] ?? []) listener(event);
    return event;
  }
  click() {
    this.dispatch("click");
  }
  setPointerCapture(pointer) {
    this.captured = pointer;
  }
  focus() {
    const before = document.activeElement;
    document.activeElement = this;
    if (before !== this && before instanceof Element) before.dispatch("blur");
    this.dispatch("focus");
    this.dispatch("focusin");
  }
}

class Store {
  values = new Map();
  getItem(key) {
    return this.values.get(key) ?? null;
  }
  setItem(key, value) {
    this.values.set(key, String(value));
  }
  removeItem(key) {
    this.values.delete(key);
  }
  key(at) {
    return [...this.values.keys()][at] ?? null;
  }
  get length() {
    return this.values.size;
  }
}

const running = []; // ends what moves

/** Let all that moves come to rest. */
export async function rest() {
  running.splice(0).forEach((done) => done());
  await new Promise((done) => setImmediate(done));
}

/** Set up an empty page, and media queries that match if they are in `media`. */
export function page(media = []) {
  const body = new Element("body");
  const listeners = {};
  globalThis.document = {
    body,
    activeElement: body,
    listeners,
    querySelector: (selector) => body.querySelector(selector),
    createElement: (name) => new Element(name),
    createElementNS: (_, name) => new Element(name),
    addEventListener: (type, listener) => (listeners[type] ??= []).push(listener),
    removeEventListener: (type, listener) => {
      listeners[type] = (listeners[type] ?? []).filter((each) => each !== listener);
    },
  };
  globalThis.addEventListener = globalThis.removeEventListener = () => {}; // of the window
  globalThis.innerHeight = 720;
  globalThis.localStorage = new Store();
  globalThis.sessionStorage = new Store();
  globalThis.location = { pathname: "/lesson" };
  globalThis.getComputedStyle = () => ({ width: "60px" });
  globalThis.matchMedia = (query) => ({ matches: media.includes(query) });
  globalThis.ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  globalThis.MutationObserver = class {
    observe() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  };
  globalThis.DOMParser = class {
    parseFromString(text) {
      const svg = new Element("svg");
      for (const [, id] of text.matchAll(/<symbol id="([^"]+)"/g)) {
        const symbol = new Element("symbol");
        symbol.setAttribute("id", id);
        symbol.setAttribute("viewBox", "0 0 100 140");
        symbol.append(new Element("path"));
        svg.append(symbol);
      }
      return svg;
    }
  };
  return body;
}

/** What anywidget hands to `render`. */
export class Model {
  constructor(traits) {
    this.traits = traits;
    this.sent = [];
    this.names = []; // of what was sent
    this.listeners = {};
  }
  get(name) {
    return this.traits[name];
  }
  on(name, listener) {
    (this.listeners[name] ??= []).push(listener);
  }
  off(name, listener) {
    this.listeners[name] = this.listeners[name].filter((each) => each !== listener);
  }
  send({ from, ...content }) {
    this.sent.push(content);
    this.names.push(from);
  }
  set(name, value) {
    this.traits[name] = value;
    for (const listener of this.listeners[`change:${name}`] ?? []) listener();
  }
  hear(content) {
    for (const listener of this.listeners["msg:custom"] ?? []) listener(content);
  }
}
