"""What strategies print: the beginning, since a line for every move would bury the result."""

import io
from typing import TextIO

from coursekit.words.texts import text


class BoundedOutput(io.TextIOBase):
    """Passes on to *out* the first *most* characters that are printed, then the text *id* in
    *language*.
    """

    def __init__(self, out: TextIO, most: int, language: str, id: str) -> None:
        self.out, self.left, self.most, self.language, self.id = out, most, most, language, id

    def write(self, words: str, /) -> int:
        """Print *words* as far as there is room."""
        if self.left > 0:
            self.out.write(words[: self.left])
            self.left -= len(words)
            if self.left <= 0:
                self.out.write("\n" + text(self.id, self.language, count=self.most) + "\n")
        return len(words)

    def flush(self) -> None:
        """Show what was printed so far."""
        self.out.flush()
