"""Join what mind maps are drawn with into one script, from the versions that are locked::

    python -m tools.make_map_library

Run it when ``package.json`` in ``coursekit/maps/static/vendor`` has changed, after
``npm install --package-lock-only --omit-lockfile-registry-resolved`` there. It needs Node and npm;
nothing here is used when the kit runs.
"""

import gzip
import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

VENDOR = Path(__file__).parents[1] / "coursekit/maps/static/vendor"
LIBRARY, LICENSES, SUMS = "cytoscape.js", "LICENSES.txt", "SHA256SUMS"
LOCKED = ("package.json", "package-lock.json")
ENTRY = """
import cytoscape from "cytoscape";
import fcose from "cytoscape-fcose";
cytoscape.use(fcose);
globalThis.coursekit_cytoscape = cytoscape;
"""
"""A classic script and a module leave the library in the same place."""
INSIDE = """cytoscape 3 contains parts of these packages, all under the same licence (MIT):

heap 0.2, by Xueqiao Xu
lodash 4, copyright OpenJS Foundation and other contributors <https://openjsf.org/>
gl-matrix 3, copyright (c) 2015-2025, Brandon Jones, Colin MacKenzie IV.
"""
"""What cytoscape's own build takes in, so that no package of the lock shows it."""
RULE = f"\n{'-' * 80}\n\n"
OPTIONS = (
    "--bundle",
    "--minify",
    "--format=iife",
    "--target=es2020",
    "--charset=utf8",
    "--legal-comments=external",
    "--metafile=made.json",
    "--outfile=out.js",
    "--log-level=warning",
)


def join_packages() -> tuple[str, str]:
    """Return the library, and the licences and notices of the packages in it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file in LOCKED:
            shutil.copy(VENDOR / file, folder)
        (folder / "entry.mjs").write_text(ENTRY, encoding="utf-8")
        esbuild = ("npm", "exec", "--no", "--", "esbuild", "entry.mjs", *OPTIONS)
        for command in (("npm", "ci", "--no-audit", "--no-fund"), esbuild):
            subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL)
        script = (folder / "out.js").read_text(encoding="utf-8")
        notices = (folder / "out.js.LEGAL.txt").read_text(encoding="utf-8")
        inputs = json.loads((folder / "made.json").read_text(encoding="utf-8"))["inputs"]
        titles = []
        licenses = []
        for package in sorted({path.split("/")[1] for path in inputs if "/" in path}):
            home = folder / "node_modules" / package
            about = json.loads((home / "package.json").read_text(encoding="utf-8"))
            title = f"{package} {about['version']}"
            text = (home / "LICENSE").read_text(encoding="utf-8").strip()
            titles.append(title)
            licenses.append(f"{title} ({about['license']})\n\n{text}\n")
    head = f"/*! {', '.join(titles)}: see {LICENSES} */\n"
    return head + script, RULE.join([*licenses, INSIDE, notices])


def sums() -> str:
    """Return the digest of each file that belongs together, as ``sha256sum`` writes them."""
    digests = {
        name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest()
        for name in (LIBRARY, LICENSES, *LOCKED)
    }
    return "".join(f"{digest}  {name}\n" for name, digest in digests.items())


def main() -> None:
    """Write the library, its licences, and the digests of both and of what they are made of."""
    script, licenses = join_packages()
    (VENDOR / LIBRARY).write_text(script, encoding="utf-8", newline="\n")
    (VENDOR / LICENSES).write_text(licenses, encoding="utf-8", newline="\n")
    (VENDOR / SUMS).write_text(sums(), encoding="ascii", newline="\n")
    packed = len(gzip.compress(script.encode(), 9))
    print(f"{LIBRARY}: {len(script) / 1000:.0f} kB, {packed / 1000:.0f} kB packed")


if __name__ == "__main__":
    main()
