"""In the site's worker for the package ``tqdm``: a bar on the page."""

from time import monotonic
from typing import Any

from anywidget import AnyWidget

BEAT = 0.1  # seconds between two messages


class tqdm:  # noqa: N801
    """A bar that tells the page how many of *total* steps are done, and what they tell so far."""

    def __init__(self, total: int, desc: str = "", **_given: Any) -> None:
        self.total = total
        self.words = desc
        self.done = 0
        self.estimate = ""
        self.next = 0.0

    def update(self) -> None:
        """Note one more step."""
        self.done += 1
        if monotonic() >= self.next:
            self._post()

    def set_postfix_str(self, words: str) -> None:
        """Show *words* beside the number of steps."""
        self.estimate = words

    def write(self, words: str, **_given: Any) -> None:
        """Print *words*."""
        print(words)

    def close(self) -> None:
        """Fill the bar, which the page then takes away."""
        self.done = self.total
        self._post()

    def _post(self) -> None:
        self.next = monotonic() + BEAT
        AnyWidget.post(
            {
                "type": "bar",
                "done": self.done,
                "all": self.total,
                "words": self.words,
                "estimate": self.estimate,
            }
        )
