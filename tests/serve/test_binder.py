"""Binder: the image it would build, and that its own Jupyter packages stay as they are."""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
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
        ".",
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
        for need in needs:
            if need.marker and not need.marker.evaluate({"extra": ""}):
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
