// On every page of the site: where its files are, what is kept on this device, and whether it works without a network.
"use strict";

/** Where a file of the site is: beside this page, or in it if the whole site is one file. */
const coursekit_address = (name) => globalThis.coursekit_files?.address(name) ?? name;

/** A file of the site that is not here: because of the "network", or "altered" on its way. */
class FileError extends Error {
  constructor(cause, name, told) {
    super(`${cause}: ${name} ${told}`);
    this.cause = cause;
  }
}

/** Return a part of Python, unpacked. What comes through a school's network may be cut, or a page that asks for a login. */
async function coursekit_bytes(name, progress = (_) => {}) {
  const packed = await received(name, progress);
  const isPacked = new Uint8Array(packed).subarray(0, 2).join() === "31,139"; // or a server has unpacked it
  const stream = new Response(packed).body;
  const unpacked = isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
  const altered = (told) => {
    throw new FileError("altered", name, told);
  };
  const bytes = await new Response(unpacked).arrayBuffer().catch(altered);
  const begins = new TextDecoder("latin1").decode(new Uint8Array(bytes).subarray(0, 4));
  return /^(\0asm|PK|MEM1)/.test(begins) ? bytes : altered(begins);
}

async function received(name, progress) {
  const packed = globalThis.coursekit_files?.bytes(name);
  const lost = (told) => {
    throw new FileError("network", name, told);
  };
  const response = packed ? new Response(packed) : await fetch(name).catch(lost);
  if (!response.ok || !response.body) lost(response.status);
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, out) {
        progress(chunk.length);
        out.enqueue(chunk);
      },
    }),
  );
  return new Response(counted).arrayBuffer().catch(lost);
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
  } else if (self.origin !== "null" && "serviceWorker" in navigator) {
    // A sandboxed frame has no origin, and may not even ask.
    const keepAll = () =>
      navigator.serviceWorker
        .register("service-worker.js")
        .then(() => navigator.serviceWorker.ready)
        .then(
          () => {
            if (offline) offline.textContent = offline.dataset.says;
          },
          () => {},
        ); // not allowed here: the site works as long as there is a network
    // A lesson is there before all else: what is kept comes through the same network.
    if (element("lesson")) addEventListener("coursekit-rest", keepAll, { once: true });
    else keepAll();
  }
}
