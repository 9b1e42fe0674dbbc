"""The worker's Python without a browser: its kernel in a process of its own, with the browser's
packages.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BROWSER = Path(__file__).parents[2] / "coursekit/site/browser"
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
sys.modules.update(dict.fromkeys(("email", "http", "xmlrpc", "curses", "wsgiref")))
from coursekit.site.browser_kernel import load_kernel
real = sys.stdout  # what cells print goes elsewhere
kernel = load_kernel()
kernel.post = lambda words: print(words, file=real, flush=True)
for line in sys.stdin:
    kernel.receive(line)
"""
"""As in ``worker.js``, without some of Python's library that the site leaves out; what the kernel
posts is printed, a line a message.
"""


class Worker:
    """A worker that is asked one message after the other; what is kept lies in *data*."""

    def __init__(self, data: Path) -> None:
        kept = {"COURSEKIT_DATA": str(data), "COURSEKIT_JOURNAL": str(data / "journal.json")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(BROWSER)],
            env={"PATH": "", "PYTHONIOENCODING": "utf-8", **kept},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.heard: list[dict[str, Any]] = []
        """Everything that the page has heard."""

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what the page hears after *message*, until it is done."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        heard = []
        for line in self._process.stdout:
            heard.append(json.loads(line))
            if heard[-1]["type"] == "done":
                break
        self.heard += heard
        return heard


def run(cell: str, code: str) -> dict[str, Any]:
    """Return the message that has a cell run."""
    return {"type": "run", "cell": cell, "code": code}


def outputs(heard: list[dict[str, Any]], cell: str) -> list[dict[str, Any]]:
    """Return what is put below *cell*."""
    return [each for each in heard if each["type"] == "output" and each["cell"] == cell]
