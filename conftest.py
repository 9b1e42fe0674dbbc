"""Nothing that the tests play or write reaches the journal and matches of whoever runs them."""

import os
import tempfile

import pytest

pytest.register_assert_rewrite("driver", "lesson")  # or a failure inside them would not say what was compared


def pytest_configure(config: pytest.Config) -> None:
    """Point the stores at a folder of this run; notebooks and servers inherit it."""
    folder = tempfile.TemporaryDirectory(prefix="coursekit-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ["COURSEKIT_DATA"] = folder.name
    os.environ["COURSEKIT_JOURNAL"] = os.path.join(folder.name, "journal.json")
    os.environ["MPLBACKEND"] = "agg"
