"""The versions that an installation gets: those that were tested, on every system, and looked up
for weaknesses.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from test_install import closure

REPOSITORY = Path(__file__).parents[1]
WINDOWS = {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"}


def pinned(file: str, **system: str) -> dict[str, str]:
    """Return the version of each package that the constraints *file* names for this Python, on
    *system*.
    """
    lines = (REPOSITORY / file).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if not line.startswith("#")]
    here = [
        requirement
        for requirement in found
        if not requirement.marker or requirement.marker.evaluate(dict(system))
    ]
    assert all(re.fullmatch(r"==[\w.+]+", str(requirement.specifier)) for requirement in found)
    return {
        canonicalize_name(requirement.name): str(requirement.specifier).removeprefix("==")
        for requirement in here
    }


def test_what_is_tested_is_what_the_file_says() -> None:
    wanted = pinned("constraints.txt")
    here = {
        canonicalize_name(package.name): package.version
        for package in closure("coursekit-games", {"lab", "test"})
    }
    del here["coursekit-games"]
    here.pop("pip", None)  # whoever installs has one
    other = {
        f"{name} {version}": wanted.get(name)
        for name, version in here.items()
        if wanted.get(name) != version
    }
    assert not other, "install with -c constraints.txt, or renew it with tools/renew_constraints.py"


def test_windows_gets_what_only_windows_needs() -> None:
    assert {"pywinpty", "colorama"} <= set(pinned("constraints.txt", **WINDOWS))
    assert "pywinpty" not in pinned("constraints.txt", sys_platform="linux", os_name="posix")


@pytest.mark.parametrize(
    ("page", "count"), [("README.md", 3), ("docs/teach/windows-and-macos.md", 1)]
)
def test_every_line_that_installs_does_so_with_the_file(page: str, count: int) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if re.match(r"(python3|py -3) -m venv", line)]
    assert len(lines) == count
    assert all("pip install -q -c constraints.txt -e" in line for line in lines)


def test_binder_gets_the_same_versions_of_what_its_image_does_not_have() -> None:
    theirs, ours = pinned("binder/constraints.txt"), pinned("constraints.txt")
    assert {"voila", "anywidget", "matplotlib"} <= set(theirs)
    assert {name: ours[name] for name in theirs} == theirs
    assert not {"jupyterlab", "ipykernel", "tornado", "nbconvert"} & set(theirs)


@contextmanager
def service(weak: set[str], status: int = 200) -> Iterator[str]:
    """Yield the address of a service that speaks OSV and knows weaknesses: *weak* are packages, or
    one version each.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            there = {
                asked["package"]["name"],
                f"{asked['package']['name']} {asked['version']}",
            } & weak
            known = (
                {"vulns": [{"id": "PYSEC-1", "affected": [{"package": asked["package"]}]}]}
                if there
                else {}
            )
            body = json.dumps(known).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weak", "status", "code", "said"),
    [
        ({"pyyaml 5.3"}, 200, 0, "0 with a known weakness"),
        ({"pyyaml 5.3", "tornado"}, 200, 1, "tornado"),
        (set(), 200, 2, "worth nothing"),
        (set(), 500, 2, "Could not ask"),
    ],
)
def test_an_audit_says_what_is_known_and_when_it_could_not_look(
    weak: set[str], status: int, code: int, said: str
) -> None:
    with service(weak, status) as address:
        command = [sys.executable, "tools/audit.py", "--service", address]
        run = subprocess.run(command, cwd=REPOSITORY, capture_output=True, encoding="utf-8")
    assert run.returncode == code, run.stderr
    assert said in run.stdout
