"""A bound for what strategies print: a line for every move would bury the result."""

import io
from typing import TextIO

from coursekit.words.texts import text


class BoundedOutput(io.TextIOBase):
    """Passes the first *most* characters on to *out*, then the text *end*."""

    def __init__(self, out: TextIO, most: int, language: str, end: str) -> None:
        self.out = out
        self.most = most
        self.left = most
        self.language = language
        self.end = end

    def write(self, words: str, /) -> int:
        """Print *words* as far as there is room."""
        if self.left > 0:
            self.out.write(words[: self.left])
            self.left -= len(words)
            if self.left <= 0:
                self.out.write("\n" + text(self.end, self.language, count=self.most) + "\n")
        return len(words)

    def flush(self) -> None:
        """Show what was printed so far."""
        self.out.flush()
