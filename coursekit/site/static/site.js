// On every page of the site: where its files are, what is kept on this device, and whether it works without a network.
"use strict";

/** Where a file of the site is: beside this page, or in it if the whole site is one file. */
const coursekit_address = (name) => globalThis.coursekit_files?.address(name) ?? name;

async function coursekit_bytes(name, progress = (_) => {}) {
  const packed = globalThis.coursekit_files?.bytes(name);
  const response = packed ? new Response(packed) : await fetch(name);
  if (!response.ok) throw new Error(`${response.status} ${name}`);
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, out) {
        progress(chunk.length);
        out.enqueue(chunk);
      },
    }),
  );
  const bytes = await new Response(counted).arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return bytes; // a server has unpacked it
  return new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
}

const coursekit_load = (() => {
  const loaded = new Map();
  return (name) => {
    if (!loaded.has(name)) {
      loaded.set(
        name,
        new Promise((done, failed) => {
          const style = name.endsWith(".css"),
            address = coursekit_address(name);
          const element = style
            ? Object.assign(document.createElement("link"), { rel: "stylesheet", href: address })
            : Object.assign(document.createElement("script"), { src: address });
          element.onload = () => done(undefined);
          element.onerror = () => failed(new Error(name));
          document.head.append(element);
        }),
      );
    }
    return loaded.get(name);
  };
})();

{
  const element = (id) => document.getElementById(id);
  document.querySelector("[data-print]")?.addEventListener("click", () => print());

  // Everything is kept under names of the kit, whatever else this address keeps in the browser.
  const deletes = element("site-delete");
  deletes?.addEventListener("click", async () => {
    if (!confirm(deletes.dataset.sure)) return;
    await new Promise((done) => {
      const request = indexedDB.deleteDatabase("coursekit");
      request.onsuccess = request.onerror = () => done(undefined);
    });
    for (const storage of [localStorage, sessionStorage]) {
      Object.keys(storage)
        .filter((key) => /^coursekit[:/]/.test(key))
        .forEach((key) => storage.removeItem(key));
    }
    deletes.replaceWith(deletes.dataset.says);
  });

  const offline = element("site-offline");
  if (globalThis.coursekit_files) {
    if (offline) offline.textContent = offline.dataset.oneFile;
  } else if ("serviceWorker" in navigator) {
    navigator.serviceWorker
      .register("service-worker.js")
      .then(() => navigator.serviceWorker.ready)
      .then(
        () => {
          if (offline) offline.textContent = offline.dataset.says;
        },
        () => {},
      ); // not allowed here: the site works as long as there is a network
  }
}
