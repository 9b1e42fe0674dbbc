// Run by build.py in Node: compiles the modules that a lesson loads, by the very Python that will run them.  To
// compile them on a page would take three quarters of the time until its table is there.
// node compile.mjs PYODIDE KIT.zip LIBRARY.zip "MODULE MODULE …" writes both archives anew.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, kit, library, imports] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
// Without the columns of each instruction, for which errors in cells have no use, a first visit is 660 kB smaller.
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" } });
python.FS.writeFile("/kit.zip", new Uint8Array(readFileSync(kit)));
python.FS.writeFile("/library.zip", new Uint8Array(readFileSync(library)));
python.globals.set("imports", imports.split(" "));
python.runPython(`
import ast, importlib, importlib.util, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc


def unannotated(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:  # messages are decorated
            node.returns = None
            for each in node.args.args + node.args.kwonlyargs:
                each.annotation = None
    return tree


PACKAGES = "/lib/python/site-packages"
zipfile.ZipFile("/kit.zip").extractall(PACKAGES)
sys.path[:0] = [f"{PACKAGES}/coursekit/site/browser", PACKAGES]
for each in imports:
    importlib.import_module(each)
loaded = {each.__file__ for each in list(sys.modules.values()) if getattr(each, "__file__", None)}


def compiled(archive, place):
    with zipfile.ZipFile(archive) as old:
        entries = [(each.filename, each.date_time, old.read(each)) for each in old.infolist()]
    with zipfile.ZipFile(archive, "w") as new:
        for name, date, content in entries:
            path = f"{place}/{name}"
            if path in loaded:
                code = compile(unannotated(ast.parse(content)), path, "exec", dont_inherit=True, optimize=2)
                name, content = f"{name}c", bytes(_code_to_hash_pyc(code, importlib.util.source_hash(content), False))
            new.writestr(zipfile.ZipInfo(name, date), content)


compiled("/kit.zip", PACKAGES)
compiled("/library.zip", next(each for each in sys.path if each.endswith(".zip")))
`);
writeFileSync(kit, python.FS.readFile("/kit.zip"));
writeFileSync(library, python.FS.readFile("/library.zip"));
