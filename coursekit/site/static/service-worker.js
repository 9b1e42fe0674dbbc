// Keeps all files of the site in the browser, so that it works without a network from the first visit on.
// build.py writes the two lines above this one: the site's version, and its files.
"use strict";

const MINE = `coursekit-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(MINE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then(async (names) => {
    const old = names.filter((name) => name.startsWith("coursekit-") && name !== MINE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  }));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(MINE).then(async (cache) =>
    await cache.match(event.request, { ignoreSearch: true }) ?? fetch(event.request)));
});
