// Keeps all files of the site in the browser, so that it works without a network from the first visit on.
// build.py writes the two lines above this one: the site's version, and its files.
"use strict";

/* global VERSION, FILES -- above these lines */

const worker = /** @type {any} */ (self),
  MINE = `coursekit-${VERSION}`;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(MINE)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

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
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches
      .open(MINE)
      .then(
        async (cache) =>
          (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request),
      ),
  );
});
