"""What a game hands over to be printed.  Its ``paper.py`` makes these parts.

Everything fits into :data:`SHEET`, which lies in the middle of A4 and of US Letter alike.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.kit.quick_start import Guide
from coursekit.kit.scene import Face, Look, Page

SHEET = (180, 252)
"""Width and height in millimetres of what is printed on a page; both papers leave 13 mm or more
around it.
"""
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
    rules: Mapping[str, str] = {}
    """The id of a rule that the number of players changes -> the id of its text for all of them."""
    below: Callable[[Look], str] = lambda look: ""
    """Returns what stands below the rules, as HTML."""

    def told(self, guide: Guide, look: Look) -> list[str]:
        """Return the rules in words that hold for any number of players."""
        options = vars(look.game.options)
        return [
            look.say(self.rules[rule.text], **options)
            if rule.text in self.rules
            else guide.says(rule, look)
            for rule in guide.rules
        ]


def heading(words: str) -> str:
    """Return *words* as the heading of a leaf."""
    return f"<h2>{escape(words)}</h2>"


def squares(names: Iterable[str]) -> str:
    """Return places for cards of the size :data:`CARD`, three in a row, with their names."""
    return (
        f'<div class="pp-squares">{"".join(f"<div>{escape(each)}</div>" for each in names)}</div>'
    )


def token(words: str) -> str:
    """Return a round token with a letter or number."""
    return f'<b class="pp-token">{escape(words)}</b>'


def die(sides: Sequence[str]) -> str:
    """Return the net of a die: the drawings on top, on the four sides all around, and below."""
    places = zip(sides, "abcdef")
    spans = "".join(
        f'<span data-art="die-{side}" style="grid-area:{place}"></span>' for side, place in places
    )
    return f'<div class="pp-net">{spans}</div>'


def facts_text(pages: Iterable[Page]) -> str:
    """Return the facts on pages of a handbook, one page after the other."""
    found = ""
    for page in pages:
        facts = "".join(
            f"<p><small>{escape(each['label'])}</small> {escape(each['value'])}</p>"
            for each in page["facts"]
        )
        found += f"<section><h3>{escape(page['title'])}</h3>{facts}</section>"
    return f'<div class="pp-told">{found}</div>'
