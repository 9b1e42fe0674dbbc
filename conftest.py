"""Nothing that the tests play or write reaches the journal and matches of whoever runs them."""

import atexit
import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from coursekit.core import registry

settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")  # a loaded machine is slow, and still right
pytest.register_assert_rewrite("driver", "lesson")  # or a failure inside them would not say what was compared


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List every second try with the reason of the first: each is a fault to be mended."""
    tries = terminalreporter.getreports("rerun")
    if tries:
        terminalreporter.section(f"second tries: {len(tries)}")
    for report in tries:
        terminalreporter.line(f"{report.nodeid} ({report.when})")
        terminalreporter.line(report.longreprtext)


def pytest_configure() -> None:
    """Point the stores at a folder of this run; notebooks and servers inherit it.

    Games that other packages have installed here are none of ours.
    """
    registry.installed = dict
    folder = tempfile.TemporaryDirectory(prefix="coursekit-tests-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)  # after IPython, which writes the end of its history there when Python ends
    os.environ["COURSEKIT_DATA"] = folder.name
    os.environ["COURSEKIT_JOURNAL"] = os.path.join(folder.name, "journal.json")
    os.environ["IPYTHONDIR"] = os.path.join(folder.name, "ipython")  # one history of all kernels would be locked
    os.environ["MPLBACKEND"] = "agg"
