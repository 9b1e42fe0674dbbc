"""Binder: the image it would build, and that its own Jupyter packages stay as they are."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager
from lanes import PATIENCE, START
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

REPOSITORY = Path(__file__).parents[2]
THEIRS = "jupyterlab notebook jupyter-server jupyterlab-server jupyter-client jupyter-core nbconvert nbformat ipykernel"
"""What a session in Binder runs on; upgraded by pip, it would no longer match the image's other
half.
"""


@pytest.fixture(scope="module")
def dockerfile() -> str:
    """What repo2docker would hand to docker."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug"]
    run = subprocess.run([*command, str(REPOSITORY)], capture_output=True, text=True, check=True)
    return run.stdout + run.stderr


@pytest.fixture(scope="module")
def base() -> dict[str, Version]:
    """The versions that the base image holds for our Python."""
    import repo2docker

    python = (REPOSITORY / "binder/runtime.txt").read_text().strip().removeprefix("python-")
    folder = Path(repo2docker.__file__).parent / "buildpacks/conda"
    lock = (folder / f"environment.py-{python}-linux-64.lock").read_text()
    found = re.findall(r"/([^/]+)-([^-/]+)-[^-/]+\.(?:conda|tar\.bz2)", lock)
    # conda-forge calls the package without its LaTeX half nbconvert-core
    found = [
        (name.removesuffix("-core"), version) for name, version in found if version[0].isdigit()
    ]
    return {canonicalize_name(name): Version(version) for name, version in found}


def test_the_image_has_the_python_asked_for(dockerfile: str) -> None:
    asked = (REPOSITORY / "binder/runtime.txt").read_text().strip()
    assert re.fullmatch(r"python-3\.1[1-4]", asked)
    assert "environment-2epy-2d" + asked.removeprefix("python-").replace(".", "-2e") in dockerfile


def test_the_kit_is_installed_after_the_repository_is_copied(dockerfile: str) -> None:
    assert re.search(
        r"^COPY \S+ src/ \$\{REPO_DIR\}/$.*^RUN \S+/pip install --no-cache-dir -r \"binder/requirements.txt\"$",
        dockerfile,
        re.MULTILINE | re.DOTALL,
    )
    assert "conda install" not in dockerfile


def test_the_requirements_are_the_kit_in_tested_versions_and_nothing_else() -> None:
    lines = (REPOSITORY / "binder/requirements.txt").read_text().splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == [
        "-c constraints.txt",
        ".[serve]",
    ]


def test_installing_the_kit_leaves_the_jupyter_packages_of_the_image(
    base: dict[str, Version],
) -> None:
    """Follow every requirement from coursekit on, with the image's versions where it has them."""
    assert base["jupyterlab"] >= Version("4.4")
    todo, seen, wrong = ["coursekit-games"], set(), []
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            needs = [Requirement(each) for each in requires(name) or []]
        except PackageNotFoundError:
            continue
        extras = ("", "serve", "figures") if name == "coursekit-games" else ("",)
        for need in needs:
            marker = need.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in extras):
                continue
            other = canonicalize_name(need.name)
            if other in THEIRS.split() and not need.specifier.contains(base[other]):
                wrong.append(f"{name} wants {need}, the image has {base[other]}")
            if other not in base:  # what the image has is not upgraded, so neither is what it needs
                todo.append(other)
    assert wrong == []
    assert {"voila", "anywidget"} <= seen


def test_the_links_of_the_page_open_what_is_there() -> None:
    from urllib.parse import unquote

    links = re.findall(
        r"urlpath=(\S+?)`", (REPOSITORY / "docs/teach/binder.md").read_text(encoding="utf-8")
    )
    assert len(links) == len(set(links)) == 11
    for link in map(unquote, links):
        path = link.removeprefix("voila/render/").removeprefix("lab/tree/")
        assert link == "coursekit/" or (REPOSITORY / path).is_file(), link


def test_a_kernel_of_the_image_explains_errors_before_its_first_cell_has_run(
    dockerfile: str, tmp_path: Path
) -> None:
    assert "binder/postBuild" in dockerfile
    script = REPOSITORY / "binder/postBuild"
    (prefix, folder, python) = (tmp_path / name for name in ("prefix", "etc", "bin"))
    python.mkdir()
    (python / "python").write_text(f"#!/bin/sh\necho {prefix}\n")
    (python / "python").chmod(0o755)
    path = f"{python}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([script], cwd=REPOSITORY, env={**os.environ, "PATH": path}, check=True)
    # IPython reads the same file in the folder of a profile, and that can be chosen.
    shutil.copytree(prefix / "etc/ipython", folder / "profile_default")
    environment = {**os.environ, "IPYTHONDIR": str(folder), "LC_ALL": "C.UTF-8"}
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=environment)
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=START)
        shown: list[str] = []

        def hear(message: dict[str, Any]) -> None:
            shown.extend(message["content"].get("traceback", ()))

        client.execute_interactive("x ＝ 3", output_hook=hear, timeout=PATIENCE)
        assert shown[0].startswith("Line 1 (x ＝ 3) has full-width signs")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
