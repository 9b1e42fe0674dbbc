// The site as one file: every file of its folder lies in this page, compressed.  The address says which page is
// shown, `?page=zh-wizard.html#play`; its styles and scripts are taken from memory.
"use strict";

{
  const held = new Map(),
    addresses = new Map();
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("script[data-name]")
  )) {
    held.set(each.dataset.name, each.textContent);
    each.remove();
  }

  const TYPES = {
    css: "text/css",
    js: "text/javascript",
    svg: "image/svg+xml",
    webp: "image/webp",
  };

  const bytes = (name) => {
    const found = held.get(name);
    return found === undefined
      ? undefined
      : Uint8Array.from(atob(found), (each) => each.charCodeAt(0));
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
    const goal = link && inside(link.getAttribute("href"));
    if (!goal || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    location.assign(goal);
  });

  async function show() {
    await prepare();
    const asked = new URLSearchParams(location.search).get("page"),
      name = held.has(asked) ? asked : "index.html";
    const page = new DOMParser().parseFromString(await unpacked(name).text(), "text/html");
    document.documentElement.lang = page.documentElement.lang;
    document.title = page.title;
    for (const link of page.querySelectorAll("a[href]"))
      link.setAttribute("href", inside(link.getAttribute("href")) ?? link.getAttribute("href"));
    for (const each of page.querySelectorAll("img[src]"))
      each.setAttribute("src", addresses.get(each.getAttribute("src")) ?? each.getAttribute("src"));
    page.querySelectorAll("noscript").forEach((each) => each.remove());
    const scripts = [...page.querySelectorAll("script[src]")];
    scripts.forEach((each) => each.remove());
    const styles = [...page.head.querySelectorAll('link[rel="stylesheet"], link[rel="icon"]')].map(
      (each) => {
        const link = document.createElement("link");
        link.rel = each.getAttribute("rel");
        link.href = addresses.get(each.getAttribute("href"));
        return link;
      },
    );
    const loaded = styles
      .filter(({ rel }) => rel === "stylesheet")
      .map(
        (each) =>
          new Promise((done) => {
            each.onload = each.onerror = done;
          }),
      );
    document.head.append(...styles);
    await Promise.all(loaded);
    const body = document.importNode(page.body, true);
    document.body.replaceWith(body);
    for (const each of scripts) {
      await new Promise((done) => {
        const script = document.createElement("script");
        script.onload = script.onerror = done;
        script.src = addresses.get(each.getAttribute("src"));
        document.head.append(script);
      });
    }
    dispatchEvent(new Event("DOMContentLoaded"));
    if (location.hash)
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }

  show();
}
