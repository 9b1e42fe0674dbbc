"""A bound for what strategies print: a line for every move would bury the result."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO

from coursekit.words.texts import text

LINES = 100
"""Maximum lines that are shown of what strategies print in a match, or in a tournament."""
CHARACTERS = 10_000
"""Maximum characters of them."""


class BoundedOutput(io.TextIOBase):
    """Passes lines on to *out* as far as there is room, and counts the rest."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.is_full = False
        self.hidden = 0
        """Ends of lines that were not shown."""
        self._lines = LINES
        self._characters = CHARACTERS
        self._last = "\n"
        self._has_told = False

    def write(self, words: str, /) -> int:
        """Print *words* as far as there is room."""
        if self.is_full:
            self.hidden += words.count("\n")
            return len(words)
        shown = words[: self._characters]
        if self._lines <= shown.count("\n"):
            shown = "".join(line + "\n" for line in shown.split("\n")[: self._lines])
        self.out.write(shown)
        self._characters -= len(shown)
        self._lines -= shown.count("\n")
        self._last = shown[-1:] or self._last
        if len(shown) < len(words):
            self.hide(words[len(shown) :].count("\n"))
        return len(words)

    def hide(self, lines: int) -> None:
        """Show no more, and count *lines* that somebody else has hidden."""
        self.is_full = True
        self.hidden += lines

    def flush(self) -> None:
        """Show what was printed so far."""
        self.out.flush()

    def tell_hidden(self, sentence: str, language: str) -> None:
        """Print once how many lines are hidden, if any, by the text *sentence*."""
        if self.is_full and not self._has_told:
            self._has_told = True
            words = text(sentence, language, count=max(1, self.hidden), most=LINES)
            self.out.write("\n" * (self._last != "\n") + words + "\n")


@contextmanager
def bound_output(sentence: str, language: str) -> Iterator[None]:
    """Bound what is printed here; at the end the text *sentence* tells how much is hidden.

    What is bounded already stays as it is.
    """
    if isinstance(sys.stdout, BoundedOutput):
        yield
        return
    output, errors = BoundedOutput(sys.stdout), BoundedOutput(sys.stderr)
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            yield
    finally:
        output.tell_hidden(sentence, language)
        errors.tell_hidden(sentence, language)


def kit_output(out: TextIO) -> TextIO:
    """Return *out* without a bound, for what the kit itself prints."""
    return out.out if isinstance(out, BoundedOutput) else out
