// Keeps all files of the site in the browser, so that it works without a network from the first visit on.
// build.py writes the two lines above this one: the site's version, and its files.
"use strict";

/* global VERSION, FILES -- above these lines */

const worker = /** @type {any} */ (self),
  MINE = `coursekit-${VERSION}`,
  BEGIN = "begin"; // what the worker of an older version says to the one of a newer

worker.addEventListener("install", (event) => {
  // A web space lets browsers keep files for minutes, and old ones beside new ones would be no version at all.
  const fresh = FILES.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(caches.open(MINE).then((cache) => cache.addAll(fresh)));
});

worker.addEventListener("message", ({ data }) => data === BEGIN && worker.skipWaiting());

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      const old = names.filter((name) => name.startsWith("coursekit-") && name !== MINE);
      await Promise.all(old.map((name) => caches.delete(name)));
      await worker.clients.claim();
    }),
  );
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

/** Return a file of this version. A newer one begins when no page of this one is open, so that none is half of each. */
async function answer(request) {
  const newer = request.mode === "navigate" && worker.registration.waiting;
  if (newer && (await worker.clients.matchAll()).length < 2) {
    newer.postMessage(BEGIN);
    const again = '<!DOCTYPE html><meta http-equiv="refresh" content="0">'; // which the newer one answers
    return new Response(again, { headers: { "Content-Type": "text/html" } });
  }
  const cache = await caches.open(MINE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
