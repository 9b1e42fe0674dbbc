"""What mind maps are drawn with: the script that was built, its licences, and that it works."""

import gzip
import json
import shutil
import subprocess

import lanes
import pytest
from make_map_library import LIBRARY, LICENSES, SUMS, VENDOR, sums

PACKED = 220_000
"""Bytes that the library may weigh in a page."""
USE = """
const draw = globalThis.coursekit_cytoscape({
  headless: true,
  styleEnabled: true,
  elements: [1, 2, 3].map((id) => ({ data: { id } })).concat({ data: { source: 1, target: 2 } }),
});
draw.layout({ name: "fcose", animate: false }).run();
const places = draw.nodes().map((node) => node.position());
draw.destroy();
console.log(JSON.stringify(places));
"""


def test_the_library_is_the_one_that_was_built_from_the_lock() -> None:
    assert (VENDOR / SUMS).read_text(encoding="ascii") == sums()


def test_every_package_in_the_library_is_locked_and_its_licence_is_there() -> None:
    head = (VENDOR / LIBRARY).read_text(encoding="utf-8").split("\n")[0]
    lock = json.loads((VENDOR / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = {
        f"{path.removeprefix('node_modules/')} {package['version']}": package
        for path, package in lock.items()
        if path and not package.get("dev")
    }
    licenses = (VENDOR / LICENSES).read_text(encoding="utf-8")
    for title, package in locked.items():
        assert title in head
        assert package["license"] == "MIT"
        assert f"{title} (MIT)" in licenses


def test_the_library_is_light() -> None:
    assert len(gzip.compress((VENDOR / LIBRARY).read_bytes(), 9)) <= PACKED


@pytest.mark.parametrize("kind", ["commonjs", "module"])
def test_the_library_draws_as_a_classic_script_and_as_a_module(kind: str) -> None:
    node = shutil.which("node") or lanes.lack("node")
    library = (VENDOR / LIBRARY).read_text(encoding="utf-8")
    ran = subprocess.run(
        [node, f"--input-type={kind}"],
        input=library + USE,
        capture_output=True,
        text=True,
        timeout=lanes.PATIENCE,
        check=True,
    )
    places = json.loads(ran.stdout)
    assert len({(place["x"], place["y"]) for place in places}) == 3
