"""Write which wheels the Python of a JupyterLite site loads: all that lie in its folder ``pypi``.

The lock that comes with Pyodide names wheels of Pyodide's own server. They have other hashes than
those of a package index, so none of them would load from here.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"


def write_lock(site: Path) -> None:
    """Write Pyodide's lock in *site*, and the settings that load each wheel as a kernel starts."""
    packages = {}
    for wheel in sorted(site.glob("pypi/*.whl")):
        name, version, *_ = wheel.name.split("-")
        name = name.replace("_", "-").lower()
        packages[name] = {
            "name": name,
            "version": version,
            "file_name": f"../../pypi/{wheel.name}",  # as seen from the lock
            "sha256": sha256(wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "install_dir": "site",
            "imports": [],
            "depends": [],
        }
    lock = site / "static/pyodide/pyodide-lock.json"
    content = json.loads(lock.read_text(encoding="utf-8")) | {"packages": packages}
    lock.write_text(json.dumps(content), encoding="utf-8")
    kernel = {"loadPyodideOptions": {"packages": list(packages)}}
    config = {"litePluginSettings": {KERNEL: kernel}}
    settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}
    (site / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")


if __name__ == "__main__":
    write_lock(Path(sys.argv[1]))
