// Keeps all files of the site in the browser, so that it works without a network from the first visit on.
// build.py writes the two lines above this one: the site's version, and its files.
"use strict";

/* global VERSION, FILES -- above these lines */

const worker = /** @type {any} */ (self),
  SITE = `coursekit ${worker.registration.scope} `, // another site may have the same origin
  MINE = SITE + VERSION,
  OF_THE_SITE = '<meta name="generator" content="coursekit">', // what each of its pages has
  BEGIN = "begin"; // what the worker of an older version says to the one of a newer

worker.addEventListener("install", (event) => {
  event.waitUntil(keepAll());
});

/** Keep all files, or none. */
async function keepAll() {
  const isKept = await caches.has(MINE),
    cache = await caches.open(MINE);
  try {
    await Promise.all(FILES.map(async (name) => cache.put(name, await received(name))));
  } catch (error) {
    if (!isKept) await caches.delete(MINE);
    throw error;
  }
}

/** Return a file as the web space has it now, unless a network answers with a page of its own, such as one for a login. */
async function received(name) {
  // A web space lets browsers keep files for minutes, and old ones beside new ones would be no version at all.
  const answer = await fetch(name, { cache: "reload" });
  const { ok, body, headers, redirected, status } = answer;
  const response = redirected ? new Response(body, { headers, status }) : answer; // no page may be a redirected one
  const isPage = /^text\/html/i.test(headers.get("Content-Type") ?? "");
  const ours = /(\/|\.html)$/.test(name)
    ? (await response.clone().text()).includes(OF_THE_SITE)
    : !isPage;
  if (!ok || !ours) throw new TypeError(`${name} did not arrive: ${status}`);
  return response;
}

worker.addEventListener("message", ({ data }) => data === BEGIN && worker.skipWaiting());

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      const old = names.filter((name) => name.startsWith(SITE) && name !== MINE);
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
  const kept = await caches
    .open(MINE)
    .then((cache) => cache.match(request, { ignoreSearch: true }))
    .catch(() => undefined);
  return kept ?? fetch(request);
}
