"""What a game hands over to be printed.  Its ``paper.py`` makes these parts.

Everything fits into :data:`SHEET`, which lies in the middle of A4 and of US Letter alike.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.kit.scene import Face, Look

SHEET = (180, 252)
"""Width and height in millimetres of what is printed on a page; both papers leave 13 mm or more around it."""
CARD, SMALL = (60, 84), (45, 63)
"""Width and height of cards in millimetres: nine and sixteen on a page."""
TAG = (45, 28)
"""Of a slip with a word: thirty-six on a page."""
TOKEN = (30, 28)
"""Of a token: fifty-four on a page."""


class Cards(NamedTuple):
    """Things of one kind that are cut out of pages of their own."""

    name: str
    """What they are called, in the reader's language."""
    faces: Sequence[Face | str]
    """One for each: a face as the table draws it, or HTML for what the table has no face for."""
    back: Face | None = None
    """What is printed behind each; ``None`` where nothing is."""
    size: tuple[int, int] = CARD
    """Width and height in millimetres."""


class Leaf(NamedTuple):
    """A page that stays whole, such as a board, a mat or a score pad."""

    name: str
    html: str
    """As large as :data:`SHEET`.  An element with ``data-art`` gets that drawing of the game."""


class Box(NamedTuple):
    """What lies in the box of a game."""

    things: Callable[[Look], Sequence[Cards | Leaf]]
    """Returns it for a game and a language, in the numbers of the rulebook."""
    own: Callable[[Sequence[Path], str], Mapping[str, Any]] | None = None
    """Returns the options for a class's own cards, from their files and the language of an error."""
