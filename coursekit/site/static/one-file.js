// The site as one file: every file of its folder lies in this page, compressed.  The address says which page is
// shown, `?page=zh-wizard.html#play`; its styles and scripts are taken from memory.  A frame that was given the text of
// this file has no address, and Firefox loads it again only if nothing was added to "about:srcdoc": there the frame's
// name says which page is shown, and `coursekit_place` which place on it.
"use strict";

{
  const held = new Map(),
    addresses = new Map();
  // They are comments, since WebKit takes seconds to read as much text in a script.
  for (const part of /** @type {NodeListOf<HTMLTemplateElement>} */ (
    document.querySelectorAll("template[data-name]")
  )) {
    held.set(part.dataset.name, part.content.firstChild.nodeValue);
    part.remove();
  }

  const TYPES = {
    css: "text/css",
    js: "text/javascript",
    svg: "image/svg+xml",
    webp: "image/webp",
  };

  const bytes = (name) => {
    const found = held.get(name);
    if (found === undefined) return undefined;
    const letters = atob(found),
      content = new Uint8Array(letters.length);
    for (let at = 0; at < content.length; at += 1) content[at] = letters.charCodeAt(at);
    return content;
  };

  const unpacked = (name) =>
    new Response(new Blob([bytes(name)]).stream().pipeThrough(new DecompressionStream("gzip")));

  /** Every file that pages name at once must have its address before they do. */
  async function prepare() {
    for (const name of held.keys()) {
      const type = TYPES[name.split(".").pop()];
      if (type)
        addresses.set(
          name,
          URL.createObjectURL(new Blob([await unpacked(name).arrayBuffer()], { type })),
        );
    }
  }

  const hasAddress = /^(https?|file):$/.test(location.protocol);

  /** Return the name of the page that is asked for, and the place on it. */
  function asked() {
    const [, search, place] = /^([^#]*)(.*)$/.exec(
      hasAddress ? location.search + location.hash : window.name,
    );
    const name = new URLSearchParams(search).get("page");
    return { name: held.has(name) ? name : "index.html", place };
  }

  function go(goal) {
    if (hasAddress) return location.assign(goal);
    window.name = goal;
    location.reload();
  }

  /** Do what a browser does when a link leads to a place on the same page. */
  function move(place) {
    globalThis.coursekit_place = place;
    dispatchEvent(new HashChangeEvent("hashchange"));
    document.getElementById(decodeURIComponent(place.slice(1)))?.scrollIntoView();
  }

  globalThis.coursekit_files = { address: (name) => addresses.get(name) ?? name, bytes };

  /** The address of the page `link` leads to, `undefined` if that is not in this file. */
  function inside(link) {
    const [, name, rest] = /^([^?#]*)(.*)$/.exec(link) ?? [];
    return held.has(name) && name.endsWith(".html")
      ? `?page=${name}${rest.slice(rest.indexOf("#") >= 0 ? rest.indexOf("#") : rest.length)}`
      : undefined;
  }

  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[href]");
    const address = link?.getAttribute("href");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const goal = inside(address);
    if (goal) go(goal);
    else if (!hasAddress && address.startsWith("#")) move(address);
    else return;
    event.preventDefault();
  });

  async function show() {
    await prepare();
    const { name, place } = asked();
    if (!hasAddress) globalThis.coursekit_place = place;
    const page = new DOMParser().parseFromString(await unpacked(name).text(), "text/html");
    document.documentElement.lang = page.documentElement.lang;
    document.title = page.title;
    for (const link of hasAddress ? page.querySelectorAll("a[href]") : [])
      link.setAttribute("href", inside(link.getAttribute("href")) ?? link.getAttribute("href"));
    for (const image of page.querySelectorAll("img[src]"))
      image.setAttribute(
        "src",
        addresses.get(image.getAttribute("src")) ?? image.getAttribute("src"),
      );
    page.querySelectorAll("noscript").forEach((part) => part.remove());
    const scripts = [...page.querySelectorAll("script[src]")];
    scripts.forEach((script) => script.remove());
    const styles = [...page.head.querySelectorAll('link[rel="stylesheet"], link[rel="icon"]')].map(
      (part) => {
        const link = document.createElement("link");
        link.rel = part.getAttribute("rel");
        link.href = addresses.get(part.getAttribute("href"));
        return link;
      },
    );
    const loaded = styles
      .filter(({ rel }) => rel === "stylesheet")
      .map(
        (part) =>
          new Promise((done) => {
            part.onload = part.onerror = done;
          }),
      );
    document.head.append(...styles);
    await Promise.all(loaded);
    const body = document.importNode(page.body, true);
    document.body.replaceWith(body);
    for (const script of scripts) {
      await new Promise((done) => {
        const copy = document.createElement("script");
        copy.onload = copy.onerror = done;
        copy.src = addresses.get(script.getAttribute("src"));
        document.head.append(copy);
      });
    }
    dispatchEvent(new Event("DOMContentLoaded"));
    if (place) document.getElementById(decodeURIComponent(place.slice(1)))?.scrollIntoView();
  }

  show().catch((error) =>
    queueMicrotask(() => {
      throw error; // watch.js tells of it
    }),
  );
}
