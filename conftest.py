"""Which tests a run takes; and nothing that they write reaches the journal and matches of the
person who runs them.
"""

import atexit
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import lanes
import pytest
from hypothesis import HealthCheck, settings

from coursekit.core import registry
from coursekit.words.language import use_language

SMALL, LARGE = 20, 100  # examples of Hypothesis
LATE = "not begun in "
"""How the reason of a test begins that ``--minutes`` has left out."""
BEGUN = pytest.StashKey[float]()
"""When the run began, by the clock of its process."""
# The same examples in each run: no run fails by chance.  A loaded machine is slow, and still right.
CALM = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("small", CALM, max_examples=SMALL)
settings.register_profile("large", CALM, max_examples=LARGE)
pytest.register_assert_rewrite(
    "driver", "lesson"
)  # or a failure inside them would not say what was compared


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that choose how much is run."""
    group = parser.getgroup("coursekit")
    group.addoption(
        "--all",
        action="store_true",
        help="run everything: all browser tests, all notebooks, large draws",
    )
    group.addoption(
        "--rest",
        action="store_true",
        help="run what a run without --all leaves out or draws smaller",
    )
    group.addoption(
        "--minutes",
        type=float,
        metavar="N",
        help="begin no test after so many minutes, and say how many were left out",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Point the stores at a folder of this run; notebooks and servers inherit it.

    Games that other packages have installed here are none of ours.
    """
    registry.installed = dict
    folder = tempfile.TemporaryDirectory(prefix="coursekit-tests-", ignore_cleanup_errors=True)
    atexit.register(
        folder.cleanup
    )  # after IPython, which writes the end of its history there when Python ends
    os.environ["COURSEKIT_DATA"] = folder.name
    os.environ["COURSEKIT_JOURNAL"] = os.path.join(folder.name, "journal.json")
    os.environ["IPYTHONDIR"] = os.path.join(
        folder.name, "ipython"
    )  # one history of all kernels would be locked
    os.environ["MPLBACKEND"] = "agg"
    use_language("zh-Hant")  # whatever the machine speaks
    config.stash[BEGUN] = time.monotonic()
    lanes.whole = config.option.all or config.option.rest
    settings.load_profile("large" if lanes.whole else "small")


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are processors: tests wait for servers and browsers much of
    their time.
    """
    return (os.cpu_count() or 1) + 1


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Run the notebooks in English only by name: tests/test_notebooks.py compares their code."""
    english = collection_path.suffix == ".ipynb" and collection_path.parent.name == "en"
    return True if english else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark lanes, and leave out what neither an option nor ``-m`` nor a name with ``::`` asks for."""
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker("notebook")
    mark_left_out(items)
    if config.option.all or config.option.markexpr or any("::" in name for name in config.args):
        return
    wanted = runs_again if config.option.rest else runs_by_default
    left_out = [item for item in items if not wanted(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if wanted(item)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out a test whose turn comes after the minutes of the run: a slow machine tests less."""
    minutes = item.config.option.minutes
    if minutes and time.monotonic() - item.config.stash[BEGUN] > 60 * minutes:
        pytest.skip(f"{LATE}{minutes:g} minutes")


def mark_left_out(items: list[pytest.Item]) -> None:
    """Mark ``slow`` all but one in so many of the cases of a test that is marked ``one_in``.

    Which ones stay differs from test to test, so that each language and each game is met somewhere.
    """
    cases: dict[str, list[tuple[pytest.Item, int]]] = {}
    for item in items:
        if share := item.get_closest_marker("one_in"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append((item, share.args[0]))
    for test, found in cases.items():
        for number, (item, share) in enumerate(found):
            if number % share != crc32(test.encode()) % min(share, len(found)):
                item.add_marker("slow")


def runs_by_default(item: pytest.Item) -> bool:
    """Return whether a run without options takes *item*."""
    return item.get_closest_marker("slow") is None


def runs_again(item: pytest.Item) -> bool:
    """Return whether ``--rest`` takes *item*: what is left out by default, or tries less there."""
    drawn = item.get_closest_marker("drawn") or getattr(
        getattr(item, "function", None), "is_hypothesis_test", False
    )
    return bool(drawn) or not runs_by_default(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line which programs this machine lacks, and how many tests each of them would run;
    in another how many tests were left out for want of time.
    """
    lacked: Counter[str] = Counter()
    late = 0
    for report in terminalreporter.getreports("skipped"):
        *_, reason = (
            report.longrepr if isinstance(report.longrepr, tuple) else (str(report.longrepr),)
        )
        late += LATE in reason
        _, found, program = reason.partition(lanes.LACKS)
        if found:
            lacked[program.partition(":")[0]] += 1
    if lacked:
        told = ", ".join(f"{program} ({count})" for program, count in sorted(lacked.items()))
        terminalreporter.line(f"Skipped for want of: {told}")
    if late:
        terminalreporter.line(
            f"Skipped for want of time: {late}; --rest without --minutes runs them"
        )


@pytest.fixture(autouse=True)
def speak_chinese() -> Iterator[None]:
    """Forget the language that a test has chosen."""
    yield
    use_language("zh-Hant")
