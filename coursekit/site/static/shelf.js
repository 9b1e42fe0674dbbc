// The browser's database with what is kept: used by the page for what is typed in cells, and by the worker for all else.
"use strict";

const STORES = ["files", "stamps"]; // bytes by their path, and `{ path, at, version }` by the same
const CLOSED = /^(InvalidState|Unknown)Error$/; // a browser may close the database, as for a page in the background

let opened = null; // a promise of the database, as long as the browser leaves it open

function openShelf() {
  if (opened) return opened;
  const opening = new Promise((done, failed) => {
    const request = indexedDB.open("coursekit", 1);
    request.onupgradeneeded = () =>
      STORES.forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close(); // "Delete everything" waits for it
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  });
  opened = opening;
  opening.catch(() => abandon(opening));
  return opening;
}

function abandon(opening) {
  if (opened === opening) opened = null;
}

/** Do `act` with both stores in one transaction; return the result of the request that it returns. */
async function onShelf(mode, act) {
  const opening = openShelf();
  try {
    return await transact(await opening, mode, act);
  } catch (error) {
    if (!CLOSED.test(error?.name)) throw error;
    abandon(opening);
    return transact(await openShelf(), mode, act);
  }
}

function transact(database, mode, act) {
  return new Promise((done, failed) => {
    const transaction = database.transaction(STORES, mode);
    const request = act(...STORES.map((name) => transaction.objectStore(name)));
    transaction.commit(); // at once, since the page may be about to end
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = transaction.onabort = () =>
      failed(transaction.error ?? new Error("aborted"));
  });
}

async function putOnShelf(path, bytes, at = Date.now()) {
  const version = crypto.getRandomValues(new Uint32Array(2)).join("-");
  await onShelf("readwrite", (files, stamps) => {
    stamps.put({ path, at, version }, path);
    return files.put(bytes, path);
  });
  return version;
}

function takeFromShelf(path) {
  return onShelf("readwrite", (files, stamps) => {
    stamps.delete(path);
    return files.delete(path);
  });
}
