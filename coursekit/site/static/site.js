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
async function coursekit_bytes({ name, length }, progress = (_) => {}) {
  const packed = await received(name, progress);
  const isPacked = new Uint8Array(packed).subarray(0, 2).join() === "31,139"; // or a server has unpacked it
  const stream = new Response(packed).body;
  const unpacked = isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
  const altered = (told) => {
    throw new FileError("altered", name, told);
  };
  const bytes = await new Response(unpacked).arrayBuffer().catch(altered);
  return bytes.byteLength === length ? bytes : altered(bytes.byteLength);
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

/** Load a script or a style sheet once; a script has come when `made` returns what it makes. */
const coursekit_load = (() => {
  const loaded = new Map();

  const load = (name, made) =>
    new Promise((done, failed) => {
      const style = name.endsWith(".css"),
        address = coursekit_address(name);
      const element = style
        ? Object.assign(document.createElement("link"), { rel: "stylesheet", href: address })
        : Object.assign(document.createElement("script"), { src: address });
      const fail = (cause) => {
        loaded.delete(name); // the next one tries again
        element.remove();
        failed(new FileError(cause, name, ""));
      };
      element.onload = () => (made() ? done(made()) : fail("altered"));
      element.onerror = () => fail("network");
      document.head.append(element);
    });

  return (name, made = /** @returns {any} */ () => true) => {
    if (!loaded.has(name)) loaded.set(name, load(name, made));
    return loaded.get(name);
  };
})();

/** Load this page again; from the web space if that answers, since what is kept of the site may be what is wrong. */
async function coursekit_reload() {
  try {
    const kept = await navigator.serviceWorker.getRegistration();
    if (kept?.scope === new URL("./", location.href).href) {
      const { ok, headers } = await fetch("service-worker.js", { cache: "no-store" }); // which no device keeps
      if (ok && /javascript/.test(headers.get("Content-Type"))) await kept.unregister();
    }
  } catch {
    // no network, or nothing may be kept here
  }
  location.reload();
}

{
  const element = (id) => document.getElementById(id);
  document.querySelector("[data-print]")?.addEventListener("click", () => print());

  // Everything is kept under names of the kit, whatever else this address keeps in the browser.
  const deletes = /** @type {HTMLButtonElement | null} */ (element("site-delete"));
  const tellDeletion = (words) => {
    deletes.nextElementSibling.textContent = deletes.dataset[words];
  };
  const deleteAll = async () => {
    const late = setTimeout(() => tellDeletion("blocked"), 2000); // a page that computes cannot hear of it
    await new Promise((done, failed) => {
      const request = indexedDB.deleteDatabase("coursekit");
      request.onsuccess = done;
      request.onerror = failed;
    }).finally(() => clearTimeout(late));
    for (const storage of [localStorage, sessionStorage]) {
      Object.keys(storage)
        .filter((key) => /^coursekit[:/]/.test(key))
        .forEach((key) => storage.removeItem(key));
    }
  };
  deletes?.addEventListener("click", async () => {
    if (!confirm(deletes.dataset.sure)) return;
    deletes.disabled = true;
    await deleteAll().then(
      () => {
        tellDeletion("says");
        deletes.remove();
      },
      () => {
        tellDeletion("fails");
        deletes.disabled = false;
      },
    );
  });
  // A sandboxed frame keeps nothing, and may not even ask whether it is meant.
  if (deletes && self.origin === "null" && location.protocol !== "file:") deletes.hidden = true;

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
