// The browser's database with what is kept: used by the page for what is typed in cells, and by the worker for all else.
"use strict";

const STORES = ["files", "stamps"]; // bytes by their path, and `{ path, at, version }` by the same

function openShelf() {
  return new Promise((done, failed) => {
    const request = indexedDB.open("coursekit", 1);
    request.onupgradeneeded = () =>
      STORES.forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close(); // "Delete everything" waits for it
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  });
}

/** Do `act` with both stores in one transaction; return the result of the request that it returns. */
function onShelf(database, mode, act) {
  return new Promise((done, failed) => {
    const transaction = database.transaction(STORES, mode);
    const request = act(...STORES.map((name) => transaction.objectStore(name)));
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = transaction.onabort = () =>
      failed(transaction.error ?? new Error("aborted"));
  });
}

async function putOnShelf(database, path, bytes, at = Date.now()) {
  const version = crypto.getRandomValues(new Uint32Array(2)).join("-");
  await onShelf(database, "readwrite", (files, stamps) => {
    stamps.put({ path, at, version }, path);
    return files.put(bytes, path);
  });
  return version;
}

function takeFromShelf(database, path) {
  return onShelf(database, "readwrite", (files, stamps) => {
    stamps.delete(path);
    return files.delete(path);
  });
}
