"""What is installed: the two lines of the README, the wheel, and how much there is of it."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[1]
MEGABYTE = 1_000_000


def test_the_readme_has_two_commands_of_one_line_and_the_double_click_before_them() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    assert [block.count("\n") for block in blocks] == [1, 1]
    assert blocks[0].endswith("coursekit serve\n")
    assert blocks[1].endswith("pytest -n logical\n")
    for start in ("start.cmd", "start.command"):
        assert readme.index(f"`{start}`") < readme.index("```")
        assert (REPOSITORY / start).is_file()


def test_ci_runs_the_line_of_the_readme() -> None:
    script = (REPOSITORY / ".ci/run").read_text()
    pattern = re.search(r'grep -m1 -E "(.*?)" README\.md', script)
    assert pattern
    lines = (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if re.search(pattern[1], line)]
    assert len(found) == 1


def test_the_wheel_holds_all_that_serve_needs(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    here = {
        path.relative_to(REPOSITORY)
        for path in (REPOSITORY / "coursekit").rglob("*")
        if path.is_file()
    }
    expected = {path.as_posix() for path in here if "__pycache__" not in path.parts}
    notebooks = (REPOSITORY / "notebooks").rglob("*.ipynb")
    expected |= {f"coursekit/{path.relative_to(REPOSITORY).as_posix()}" for path in notebooks}
    pages = [
        path
        for pattern in ("data", "games/*", "manuals/*")
        for path in REPOSITORY.glob(f"docs/**/{pattern}.md")
    ]
    expected |= {f"coursekit/{path.relative_to(REPOSITORY).as_posix()}" for path in pages}
    assert {name for name in expected if "ipynb_checkpoints" not in name} - names == set()
    for folder in ("jupyter_server_config.d", "labconfig/default_setting_overrides.d"):
        assert any(name.endswith(f"etc/jupyter/{folder}/coursekit.json") for name in names)
    assert not any(name.endswith("journal.json") for name in names)


def test_serve_and_lab_need_less_than_500_megabytes() -> None:
    total = sum(map(size, closure("coursekit-games", {"lab"})))
    assert 100 * MEGABYTE < total < 500 * MEGABYTE


def test_tables_and_cells_need_little() -> None:
    packages = closure("coursekit-games", set())
    servers = {"voila", "tornado", "jupyterlab", "matplotlib", "networkx"}
    assert not servers & {package.name.lower() for package in packages}
    assert sum(map(size, packages)) < 100 * MEGABYTE


def closure(name: str, extras: set[str]) -> list[Distribution]:
    """Return the installed package *name* and all that it needs, each once."""
    found: dict[str, Distribution] = {}
    todo = [(name, frozenset(extras))]
    done = set()
    while todo:
        step = todo.pop()
        if step in done:
            continue
        done.add(step)
        name, wanted = step
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        for requirement in map(Requirement, found[name].requires or []):
            if not requirement.marker or any(
                requirement.marker.evaluate({"extra": extra}) for extra in ["", *wanted]
            ):
                todo.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return list(found.values())


def size(package: Distribution) -> int:
    """Return the bytes that *package* takes on a disk with blocks of 4 kB."""
    files = [Path(str(package.locate_file(path))) for path in package.files or []]
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in files if path.is_file())
