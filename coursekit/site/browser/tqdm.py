"""In the site's worker for the package ``tqdm``: a bar on the page."""

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any

from anywidget import AnyWidget

BEAT = 0.1  # seconds between two messages


def tqdm(steps: Iterable[Any], total: int, desc: str = "", leave: bool = False) -> Iterator[Any]:
    """Yield *steps*, and tell the page how many of the *total* are done."""
    last = 0.0
    for done, step in enumerate(steps, 1):
        yield step
        if monotonic() - last > BEAT or done == total:
            last = monotonic()
            AnyWidget.post({"type": "bar", "done": done, "all": total, "words": desc})
