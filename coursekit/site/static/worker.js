// The worker: Python, and the kit in it.  Before these lines stand Pyodide and shelf.js, joined by build.py into one
// classic script, since a page opened as a file can start no other kind.
// What is kept lies in a folder of Python's, /kept, and each of its files in the browser's database as well: read before Python hears a message, if another page has written meanwhile, and written after it.
"use strict";

/* global loadPyodide, createPyodideModule, LOCK, SNAPSHOT, ELSEWHERE -- above these lines */

const KEPT = "/kept";
const PACKAGES = "/lib/python/site-packages";
const PAGE = 4096; // bytes
const LOCAL_FILE = 0x504b0304; // what stands before each file of an archive
const PATIENCE = 3000; // milliseconds that a page waits for others without a word
const LONG = ["run", "many", "seat"]; // what may take its time: no other page waits for it
const TRIAL = "trial"; // what is written to see whether anything can be
const tell = (message) => self.postMessage(JSON.stringify(message));

// What the page sends first, each once: a promise of it, and the function that keeps the promise.
const parts = new Map();
/** @type {Map<string, (part: any) => void>} */
const arrived = new Map();
for (const name of ["machine", "library", "memory", "kit", "alive"])
  parts.set(name, new Promise((arrive) => arrived.set(name, arrive)));

class Shelf {
  constructor(FS) {
    this.FS = FS;
    this.known = new Map(); // path -> what the database and the folder hold alike: its version, time and size
    this.trouble = "";
  }

  async open() {
    try {
      await this.read();
      await onShelf("readwrite", (files) => files.put(new Uint8Array(), TRIAL));
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
    const stamps = await onShelf("readonly", (_, store) => store.getAll());
    for (const { path, at, version } of stamps) {
      if (this.known.get(path)?.version === version) continue;
      const bytes = await onShelf("readonly", (files) => files.get(path));
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
    try {
      if (this.trouble) await onShelf("readwrite", (files) => files.put(new Uint8Array(), TRIAL));
      const now = this.paths();
      for (const path of now) {
        const { at, size } = this.stamp(path),
          known = this.known.get(path);
        if (known?.at === at && known.size === size) continue;
        const version = await putOnShelf(path, this.FS.readFile(path), at);
        this.known.set(path, { version, at, size });
      }
      for (const path of [...this.known.keys()].filter((path) => !now.includes(path))) {
        await takeFromShelf(path);
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
  let begun = false,
    told = false;
  const late = setTimeout(() => {
    told = true;
    tell({ type: "elsewhere", waits: true });
  }, PATIENCE);
  try {
    return await navigator.locks.request("coursekit", () => {
      begun = true;
      clearTimeout(late);
      if (told) tell({ type: "elsewhere", waits: false });
      return act();
    });
  } catch (error) {
    clearTimeout(late);
    if (begun) throw error;
    return act();
  }
}

/** Put the memory that memory.mjs has kept into a module that has just been made. */
function putMemory(memory, module) {
  const [size, count] = new Uint32Array(memory, 4, 2);
  const numbers = new Uint32Array(memory, 12, count);
  const first = 12 + numbers.byteLength;
  if (module.HEAPU8.length < size) module._sbrk(size - module._sbrk(0));
  if (module.HEAPU8.length < size) throw new RangeError(`could not allocate memory: ${size}`);
  numbers.forEach((number, at) => {
    module.HEAPU8.set(new Uint8Array(memory, first + at * PAGE, PAGE), number * PAGE);
  });
}

/** Write the files of an archive that is not compressed. Python would do it in a tenth of a second. */
function unpack(archive, FS) {
  const bytes = new DataView(archive);
  const names = new TextDecoder();
  for (let at = 0; bytes.getUint32(at) === LOCAL_FILE;) {
    const size = bytes.getUint32(at + 18, true),
      length = bytes.getUint16(at + 26, true),
      content = at + 30 + length;
    const path = `${PACKAGES}/${names.decode(new Uint8Array(archive, at + 30, length))}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array(archive, content, size));
    at = content + size;
  }
}

/** Load Python, with the modules that a lesson needs in its memory already. */
async function loadPython() {
  // Pyodide asks for its parts by address; they come from the page. Where none can begin it only warns, and waits for ever.
  const refused = new Promise((_, fail) => {
    WebAssembly.instantiateStreaming = async (_, imports) => {
      const module = await parts.get("machine");
      try {
        return { module, instance: new WebAssembly.Instance(module, imports) };
      } catch (error) {
        fail(error);
        throw error;
      }
    };
  });
  self.fetch = async () => new Response(await parts.get("library"));
  const loaded = loadPyodide({
    _loadSnapshot: new Uint8Array(SNAPSHOT), // to Pyodide it is one without pages
    createPyodideModule: async (settings) => {
      const module = await createPyodideModule(settings);
      putMemory(await parts.get("memory"), module);
      return module;
    },
    indexURL: ELSEWHERE,
    stdLibURL: `${ELSEWHERE}python_stdlib.zip`,
    packageBaseUrl: ELSEWHERE,
    lockFileContents: { info: LOCK, packages: {} },
  });
  const python = await Promise.race([loaded, refused]);
  unpack(await parts.get("kit"), python.FS);
  parts.clear();
  self.fetch = undefined; // nothing is asked of a network
  return python;
}

async function start() {
  parts
    .get("alive")
    .then((name) => navigator.locks?.request(name, () => new Promise(() => {}))) // until the worker ends
    .catch(() => {});
  const python = await loadPython();
  tell({ type: "python" });
  python.FS.mkdirTree(KEPT);
  const shelf = new Shelf(python.FS);
  await alone(() => shelf.open());
  python.globals.set("post", (words) => self.postMessage(words));
  python.runPython(`
import random
random.seed()  # it stood in memory, the same for all
kernel.post = post
receive = kernel.receive
del kernel, post, random
  `);
  const receive = python.globals.pop("receive");
  tell({ type: "ready", kept: !shelf.trouble });
  return async (words) => {
    const long = LONG.includes(JSON.parse(words).type);
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

const ready = start();
ready.catch((error) => tell({ type: "failed", why: String(error), stack: error.stack }));
let queue = Promise.resolve();
self.onmessage = ({ data }) => {
  if (typeof data !== "string") {
    for (const [name, content] of Object.entries(data)) arrived.get(name)?.(content);
    return;
  }
  queue = queue
    .then(async () => (await ready)(data))
    .catch((error) => {
      tell({ type: "failed", why: String(error), stack: error.stack });
      tell({ type: "done" });
    });
};
