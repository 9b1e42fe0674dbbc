"""What a game hands over to be printed; its ``printables.py`` makes these parts.

Everything fits into :data:`SHEET`, which lies in the middle of A4 and of US Letter alike.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.files.html_templates import render_macro
from coursekit.kit.quick_start import Guide
from coursekit.kit.scene import Face, Look, Page

if TYPE_CHECKING:
    from markupsafe import Markup

PARTS = Path(__file__).parent / "templates" / "parts.html.j2"
SHEET = (180, 252)
"""Width and height in millimetres of what is printed; both papers leave 13 mm or more around it."""
CARD = (60, 84)
"""Width and height of cards in millimetres: nine on a page."""
SMALL = (45, 63)
"""Of small cards: sixteen on a page."""
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
    """Returns the options for a class's own cards, from files and the language of an error."""
    rules: Mapping[str, str] = {}
    """The id of a rule that the number of players changes -> the id of its text for all of them."""
    below: Callable[[Look], str] = lambda look: ""
    """Returns what stands below the rules, as HTML."""

    sets: Callable[[str], Sequence[tuple[str, str]]] = lambda language: ()
    """Returns what parts of the box a teacher can choose: a name in a language, and the rules as
    the query of an address."""

    def rule_sentences(self, guide: Guide, look: Look) -> list[str]:
        """Return the rules in words that hold for any number of players."""
        options = vars(look.game.options)
        sentences = []
        for rule in guide.rules:
            general = self.rules.get(rule.text)
            sentences.append(look.say(general, **options) if general else guide.says(rule, look))
        return sentences


def watch(look: Look) -> "Markup":
    """Return a sheet for those who watch a match: what to write down, and three questions."""
    columns = look.say("print.watch_columns").split("|")
    questions = look.say("print.watch_questions").split("|")
    words = look.say("print.watch"), look.say("print.watch_how"), look.say("print.watch_ask")
    return render_macro(PARTS, "watch", *words, columns, questions)


def heading(words: str) -> "Markup":
    """Return *words* as the heading of a leaf."""
    return render_macro(PARTS, "heading", words)


def squares(names: Iterable[str]) -> "Markup":
    """Return places for cards of the size :data:`CARD`, three in a row, with their names."""
    return render_macro(PARTS, "squares", names)


def token(words: str) -> "Markup":
    """Return a round token with a letter or number."""
    return render_macro(PARTS, "token", words)


def score(words: str, rules: Sequence[str]) -> "Markup":
    """Return a place for points, beside rules in short."""
    return render_macro(PARTS, "score", words, rules)


def die(sides: Sequence[str]) -> "Markup":
    """Return the net of a die: the drawings on top, on the four sides all around, and below."""
    return render_macro(PARTS, "die", [*zip(sides, "abcdef")])


def facts_text(pages: Iterable[Page]) -> "Markup":
    """Return the facts on pages of a handbook, one page after the other."""
    return render_macro(PARTS, "facts", pages)
