// The worker: Python, and the kit in it.  Before these lines stand Pyodide and shelf.js, joined by build.py into one
// classic script, since a page opened as a file can start no other kind.
// What is kept lies in a folder of Python's, /kept, and each of its files in the browser's database as well: read before Python hears a message, if another page has written meanwhile, and written after it.
"use strict";

/* global loadPyodide, createPyodideModule, LOCK, ELSEWHERE -- above these lines */

const KEPT = "/kept";
const PACKAGES = "/lib/python/site-packages";
const TRIAL = "trial"; // what is written to see whether anything can be
const tell = (message) => self.postMessage(JSON.stringify(message));

class Shelf {
  constructor(FS) {
    this.FS = FS;
    this.known = new Map(); // path -> what the database and the folder hold alike: its version, time and size
    this.trouble = "";
  }

  async open() {
    try {
      this.database = await openShelf();
      await this.read();
      await onShelf(this.database, "readwrite", (files) => files.put(new Uint8Array(), TRIAL));
    } catch (error) {
      this.refused(error);
    }
  }

  /** Say that nothing can be kept by the folder itself: Python can write in it no more, which tables and cells report. */
  refused(error) {
    this.trouble = String(error?.name ?? error);
    for (const path of [KEPT, ...this.folders(), ...this.paths()]) this.FS.chmod(path, 0o555);
  }

  async read() {
    if (!this.database) return;
    const stamps = await onShelf(this.database, "readonly", (_, store) => store.getAll());
    for (const { path, at, version } of stamps) {
      if (this.known.get(path)?.version === version) continue;
      const bytes = await onShelf(this.database, "readonly", (files) => files.get(path));
      this.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      this.FS.writeFile(path, bytes);
      this.FS.utime(path, at, at);
      this.known.set(path, { version, ...this.stamp(path) });
    }
    const there = new Set(stamps.map(({ path }) => path));
    for (const path of [...this.known.keys()].filter((path) => !there.has(path))) {
      this.known.delete(path);
      if (this.FS.analyzePath(path).exists) this.FS.unlink(path);
    }
  }

  async keep() {
    if (!this.database) return;
    try {
      if (this.trouble)
        await onShelf(this.database, "readwrite", (files) => files.put(new Uint8Array(), TRIAL));
      const now = this.paths();
      for (const path of now) {
        const { at, size } = this.stamp(path),
          known = this.known.get(path);
        if (known?.at === at && known.size === size) continue;
        const version = await putOnShelf(this.database, path, this.FS.readFile(path), at);
        this.known.set(path, { version, at, size });
      }
      for (const path of [...this.known.keys()].filter((path) => !now.includes(path))) {
        await takeFromShelf(this.database, path);
        this.known.delete(path);
      }
      if (this.trouble)
        for (const path of [KEPT, ...this.folders(), ...now]) this.FS.chmod(path, 0o777);
      this.trouble = "";
    } catch (error) {
      if (!this.trouble) this.refused(error);
    }
  }

  stamp(path) {
    const { mtime, size } = this.FS.stat(path);
    return { at: mtime.getTime(), size };
  }

  entries(folder) {
    return this.FS.readdir(folder)
      .filter((name) => !name.startsWith("."))
      .map((name) => `${folder}/${name}`);
  }

  isFolder(path) {
    return this.FS.isDir(this.FS.stat(path).mode);
  }

  folders() {
    return this.entries(KEPT).filter((path) => this.isFolder(path));
  }

  paths() {
    const top = this.entries(KEPT).filter((path) => !this.isFolder(path));
    return [...top, ...this.folders().flatMap((folder) => this.entries(folder))];
  }
}

/** One page at a time looks into what is kept and changes it; where nothing may be kept there are no locks either. */
async function alone(act) {
  let begun = false;
  try {
    return await navigator.locks.request("coursekit", () => {
      begun = true;
      return act();
    });
  } catch (error) {
    if (begun) throw error;
    return act();
  }
}

/** Return a promise that fails when the browser refuses Python's machine code: Pyodide would warn, and wait for ever. */
function watchMachineCode() {
  const instantiate = WebAssembly.instantiateStreaming;
  return new Promise((_, fail) => {
    WebAssembly.instantiateStreaming = (...given) =>
      instantiate(...given).catch((error) => {
        fail(error);
        throw error;
      });
  });
}

async function start({ wasm, library, kit, alive }) {
  navigator.locks?.request(alive, () => new Promise(() => {})).catch(() => {}); // until the worker ends
  // Pyodide asks for its parts by address; they have come with the first message.
  const given = {
    "pyodide.asm.wasm": [wasm, "application/wasm"],
    "python_stdlib.zip": [library, "application/zip"],
  };
  self.fetch = async (address) => {
    const [bytes, type] = given[String(address).split("/").pop()];
    return new Response(bytes, { headers: { "Content-Type": type } });
  };
  const refused = watchMachineCode();
  const loaded = loadPyodide({
    createPyodideModule,
    indexURL: ELSEWHERE,
    stdLibURL: `${ELSEWHERE}python_stdlib.zip`,
    packageBaseUrl: ELSEWHERE,
    lockFileContents: { info: LOCK, packages: {} },
    env: { HOME: "/home/pyodide", COURSEKIT_DATA: KEPT, COURSEKIT_JOURNAL: `${KEPT}/journal.json` },
  });
  const python = await Promise.race([loaded, refused]);
  tell({ type: "python" });
  python.unpackArchive(kit, "zip", { extractDir: PACKAGES });
  python.FS.mkdirTree(KEPT);
  const shelf = new Shelf(python.FS);
  await alone(() => shelf.open());
  python.globals.set("post", (words) => self.postMessage(words));
  python.runPython(`
import sys
sys.path[:0] = ["${PACKAGES}/coursekit/site/browser", "${PACKAGES}"]
from coursekit.site.browser_kernel import Kernel
kernel = Kernel(post)
del post
  `);
  const receive = python.globals.get("kernel").receive;
  python.runPython("del kernel, Kernel");
  tell({ type: "ready", kept: !shelf.trouble });
  return async (words) => {
    const long = JSON.parse(words).type === "run"; // no other page waits for a cell
    const read = () => shelf.read().catch((error) => shelf.refused(error));
    if (long) await alone(read);
    await (long
      ? receive(words)
      : alone(async () => {
          await read();
          receive(words);
          await shelf.keep();
        }));
    if (long) await alone(() => shelf.keep());
  };
}

let ready,
  queue = Promise.resolve();
self.onmessage = ({ data }) => {
  if (!ready) {
    ready = start(data);
    ready.catch((error) => tell({ type: "failed", why: String(error), stack: error.stack }));
    return;
  }
  queue = queue
    .then(async () => (await ready)(data))
    .catch((error) => {
      tell({ type: "failed", why: String(error), stack: error.stack });
      tell({ type: "done" });
    });
};
