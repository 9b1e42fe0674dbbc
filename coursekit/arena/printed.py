"""What strategies print in a tournament: the beginning, since a line for every move would bury the result."""

import io
from typing import TextIO

from coursekit.words.texts import text

PRINTED = 10_000
"""Maximum characters that are printed in a tournament."""


class Bounded(io.TextIOBase):
    """Passes on to *out* the first *most* characters that are printed, then one sentence in *language*."""

    def __init__(self, out: TextIO, most: int, language: str) -> None:
        self.out, self.left, self.most, self.language = out, most, most, language

    def write(self, words: str, /) -> int:
        """Print *words* as far as there is room."""
        if self.left > 0:
            self.out.write(words[: self.left])
            self.left -= len(words)
            if self.left <= 0:
                self.out.write("\n" + text("arena.printed", self.language, count=self.most) + "\n")
        return len(words)

    def flush(self) -> None:
        """Show what was printed so far."""
        self.out.flush()
