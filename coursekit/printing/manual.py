"""What is printed of the documentation of a game: its manual, with the numbers of a match, and what
a teacher does in the ten minutes before a lesson.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from markupsafe import Markup
from mistune import HTMLRenderer, create_markdown

from coursekit.core.options import CardSetNames
from coursekit.files.documentation import TEN_MINUTES, documentation, fill_numbers, printed_part
from coursekit.files.html_templates import render_macro
from coursekit.kit.scene import Look
from coursekit.printing.printables import PARTS
from coursekit.words.simplified import simplify
from coursekit.words.texts import game_text, load_texts, text


class _Writer(HTMLRenderer):
    """Writes links as their words, and Chinese lines without a space between them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Write the words alone: paper leads nowhere."""
        return text

    def softbreak(self) -> str:
        """Go on with the line."""
        return "\n" if self.language == "en" else ""


def rules_in_full(look: Look) -> Markup:
    """Return the manual of a game as HTML, and before it what differs from the standard rules."""
    game, language = look.game, look.language
    page = documentation(language, "teach", "manuals", f"{game.name}.md").read_text("utf-8")
    _, _, _, *lines = page.splitlines()
    options = {option.name: getattr(game.options, option.name) for option in fields(game.options)}
    standard = vars(type(game)(game.players).options)
    words = fill_numbers(printed_part("\n".join(lines)), options, standard)
    return render_macro(
        PARTS,
        "manual",
        game_text(game.name, "title", language),
        _differences(look, standard),
        text("print.differs", language),
        _html(words, language),
    )


def ten_minutes(game: str, language: str) -> Markup:
    """Return what a teacher does before a lesson, from the teaching guide, as HTML."""
    guide = documentation(language, "teach", "games", f"{game}.md").read_text("utf-8")
    found = TEN_MINUTES.search(guide)
    return _html(found[1], language) if found else Markup()


def _html(words: str, language: str) -> Markup:
    if language == "zh-Hans":
        words = simplify(words)
    return Markup(create_markdown(renderer=_Writer(language), plugins=["table"])(words))


def _differences(look: Look, standard: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the label and the value of each option that is not the standard one."""
    game, language = look.game, look.language
    found = []
    for option in fields(game.options):
        value = getattr(game.options, option.name)
        if value == standard[option.name] or isinstance(option.metadata["allowed"], CardSetNames):
            continue
        label = game_text(game.name, f"option.{option.name}.label", language)
        found.append((label, _value_words(game.name, option.name, value, language)))
    return found


def _value_words(game: str, option: str, value: Any, language: str) -> str:
    if isinstance(value, bool):
        return text("print.yes" if value else "print.no", language)
    if isinstance(value, tuple):
        parts = [_value_words(game, option, part, language) for part in value]
        return ("、" if language != "en" else ", ").join(parts)
    name = f"option.{option}.{value}"
    return game_text(game, name, language) if name in load_texts(game) else str(value)
