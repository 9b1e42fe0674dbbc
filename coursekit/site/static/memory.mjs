// Run by build.py in Node: compiles the modules that a lesson loads, by the very Python that will run them, loads them,
// and keeps Python's memory as it is then.  Where a page begins with this memory, nothing of it has to be loaded again.
// node memory.mjs PYODIDE KIT.zip LIBRARY.zip MEMORY "MODULE …" "LATER …" writes MEMORY; MEMORY.json, what Pyodide asks
// about it; and both archives anew, without the modules that are in memory, and with those of LATER compiled.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, kit, library, memory, imports, later] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const machine = await import(pathToFileURL(`${pyodide}/pyodide.asm.mjs`).href);

const KEPT = "/kept"; // as in worker.js
const PACKAGES = "/lib/python/site-packages";
const PAGE = 4096; // bytes
// Without the columns of each instruction, for which errors in cells have no use, a first visit is smaller.
const env = {
  HOME: "/home/pyodide",
  LANG: "C.UTF-8",
  COURSEKIT_DATA: KEPT,
  COURSEKIT_JOURNAL: `${KEPT}/journal.json`,
  PYTHONNODEBUGRANGES: "1",
  PYTHONHASHSEED: "0", // and what lies in memory is the same in every build
};

const REWRITE = `
import zipfile


def rewrite(archive, change):
    """Write an archive anew with the files, each a name and its content, that change makes of each file."""
    with zipfile.ZipFile(archive) as old:
        entries = [(each.filename, each.date_time, old.read(each)) for each in old.infolist()]
    with zipfile.ZipFile(archive, "w") as new:
        for name, date, content in entries:
            for changed, written in change(name, content):
                new.writestr(zipfile.ZipInfo(changed, date), written)
`;

await compile();
stopTime();
await load();

/** Let every build see the same time and the same chance, so that the same sources give the same bytes. */
function stopTime() {
  Date.now = () => Date.UTC(2026, 0, 1); // as build.py's DATED
  performance.now = () => 0;
  crypto.randomFillSync = (bytes) => bytes.fill(0);
}

/** Compile the modules in both archives that a lesson loads. */
async function compile() {
  const python = await loadPyodide({ env });
  python.FS.writeFile("/kit.zip", new Uint8Array(readFileSync(kit)));
  python.FS.writeFile("/library.zip", new Uint8Array(readFileSync(library)));
  python.globals.set("PACKAGES", PACKAGES);
  python.runPython(`${REWRITE}
import ast, importlib, importlib.util, sys
from importlib._bootstrap_external import _code_to_hash_pyc


def unannotated(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:  # messages are decorated
            node.returns = None
            for each in node.args.args + node.args.kwonlyargs:
                each.annotation = None
    return tree


zipfile.ZipFile("/kit.zip").extractall(PACKAGES)
sys.path[:0] = [f"{PACKAGES}/coursekit/site/browser", PACKAGES]
for each in "${imports} ${later}".split():
    importlib.import_module(each)
loaded = {each.__file__ for each in list(sys.modules.values()) if getattr(each, "__file__", None)}


def compile_into(place):
    def change(name, content):
        path = f"{place}/{name}"
        if path not in loaded:
            return [(name, content)]
        code = compile(unannotated(ast.parse(content)), path, "exec", dont_inherit=True, optimize=2)
        return [(f"{name}c", bytes(_code_to_hash_pyc(code, importlib.util.source_hash(content), False)))]

    return change


rewrite("/kit.zip", compile_into(PACKAGES))
rewrite("/library.zip", compile_into(next(each for each in sys.path if each.endswith(".zip"))))
`);
  writeFileSync(kit, python.FS.readFile("/kit.zip"));
  writeFileSync(library, python.FS.readFile("/library.zip"));
}

/** Load the compiled modules; take them out of both archives, and write memory as `putMemory` in worker.js reads it. */
async function load() {
  let fresh, free; // what the machine code itself puts into memory and will again, and where it begins to take more
  const python = await loadPyodide({
    env,
    stdLibURL: library,
    _makeSnapshot: true,
    createPyodideModule: (module) => {
      module.thisProgram = "./this.program";
      module.onRuntimeInitialized = () => {
        fresh = module.HEAPU8.slice(0, module.___heap_base);
        free = module._sbrk(0);
      };
      return machine.default(module);
    },
  });
  python.unpackArchive(new Uint8Array(readFileSync(kit)), "zip", { extractDir: PACKAGES });
  python.runPython(`
import gc, importlib, random, sys, zipimport
sys.path[:1] = ["${PACKAGES}/coursekit/site/browser", "${PACKAGES}"]  # Pyodide will add "" again
for each in "${imports}".split():
    importlib.import_module(each)
from coursekit.site.browser_kernel import load_kernel
kernel = load_kernel()
random.seed(0)
sys.path_importer_cache.clear()  # which knows the archives as they are now
zipimport._zip_directory_cache.clear()
del each, importlib, load_kernel, random, sys, zipimport
gc.collect()
gc.freeze()  # none of it is ever garbage
del gc
`);
  wipe(python._module);
  const whole = python.makeMemorySnapshot();
  const head = whole.subarray(0, whole.length - python._module.HEAP8.length);
  python.FS.writeFile("/kit.zip", new Uint8Array(readFileSync(kit)));
  const archive = python.runPython(`${REWRITE}
import sys
loaded = {each.__file__ for each in list(sys.modules.values()) if getattr(each, "__file__", None)}


def leave_out(place):
    return lambda name, content: [] if f"{place}/{name}" in loaded else [(name, content)]


library = next(each for each in sys.path if each.endswith(".zip"))
rewrite("/kit.zip", leave_out("${PACKAGES}"))
rewrite(library, leave_out(library))
library
`);
  writeFileSync(kit, python.FS.readFile("/kit.zip"));
  writeFileSync(library, python.FS.readFile(archive));
  writeFileSync(memory, packMemory(whole.subarray(head.length), fresh, free));
  writeFileSync(`${memory}.json`, JSON.stringify([...head]));
}

/** Write zeros wherever memory is free: what lies there was of use to this build alone, and tells of its computer. */
function wipe({ _calloc, _free, _sbrk }) {
  const top = _sbrk(0);
  const taken = [];
  for (let size = 1 << 16; size >= 16; size >>= 1) {
    do taken.push(_calloc(size, 1));
    while (taken.at(-1) + size <= top);
  }
  taken.forEach((at) => _free(at));
}

/** Return pages of `memory`, behind their numbers: not those that are as in `fresh`, nor those above that are empty. */
function packMemory(memory, fresh, free) {
  const empty = Buffer.alloc(PAGE);
  const numbers = Array.from({ length: memory.length / PAGE }, (_, page) => page).filter((page) => {
    const [at, end] = [page * PAGE, (page + 1) * PAGE];
    if (end <= fresh.length)
      return Buffer.compare(fresh.subarray(at, end), memory.subarray(at, end));
    return at < free || Buffer.compare(empty, memory.subarray(at, end));
  });
  const lengths = new Uint32Array([memory.length, numbers.length, ...numbers]);
  const pages = numbers.map((page) => memory.subarray(page * PAGE, (page + 1) * PAGE));
  return Buffer.concat([Buffer.from("MEM1"), new Uint8Array(lengths.buffer), ...pages]);
}
