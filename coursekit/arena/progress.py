"""What a tournament shows while it runs."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import Any, Self

from coursekit.arena.result import Result
from coursekit.arena.statistics import FEWEST_DEALS, format_estimate
from coursekit.core.strategy_output import kit_output
from coursekit.words.texts import text

PATIENCE = 0.5
"""Seconds before a tournament shows anything, and between two estimates."""


class Progress:
    """A line that says how many deals have been played, and what they tell so far.

    It is text: a widget would not survive the restart of a dashboard.

    :param total: number of deals.
    """

    def __init__(self, total: int, language: str, *, shown: bool) -> None:
        self._language = language
        self._bar: Any = None
        self._next = monotonic() + PATIENCE
        if shown:
            from tqdm import tqdm

            class Bar(tqdm):  # type: ignore[misc,type-arg,unused-ignore]
                if sys.platform == "emscripten":
                    monitor_interval = 0  # a thread, without which it warns on each bar

            label = text("arena.deals", language)
            self._bar = Bar(
                total=total, desc=label, leave=False, delay=PATIENCE, file=kit_output(sys.stderr)
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def say(self, words: str) -> None:
        """Print *words* above the line."""
        if self._bar is None:
            print(words, file=kit_output(sys.stdout))
        else:
            self._bar.write(words, file=kit_output(sys.stdout))

    def add(self, result: Callable[[], Result]) -> None:
        """Note one more deal, and now and then what *result* tells."""
        if self._bar is None:
            return
        self._bar.update()
        if monotonic() >= self._next:
            self._bar.set_postfix_str(_summarise(result(), self._language))
            self._next = monotonic() + PATIENCE


def _summarise(result: Result, language: str) -> str:
    """Return how far the first strategy is ahead of the best other, or its mean if it is alone."""
    if result.deals < FEWEST_DEALS:
        return ""
    first = result.lineups[0][0].__name__
    one = result.label("strategy", first, language)
    for name in result.ranking:
        if name == first:
            continue
        if difference := result.difference(first, name):
            other = result.label("strategy", name, language)
            return f"{one} − {other}: {format_estimate(difference.mean, difference.interval)}"
    return f"{one}: {format_estimate(*result.estimate(first))}"
