"""How an observation is shown: short where it is printed, field by field where it ends a cell."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from coursekit.words.texts import MissingText, game_text, text

SHORT, LONG, PRINTED = 40, 300, 240
"""Maximum characters of a value in a line and in a table, and of the line."""
LOOK = ".ck-obs :is(th, td) { text-align: start !important; white-space: normal; overflow-wrap: anywhere }"


def subclass_tree(kind: Any) -> Iterator[Any]:
    """Yield *kind* and all classes that inherit from it."""
    yield kind
    for subclass in kind.__subclasses__():
        yield from subclass_tree(subclass)


def meaning(game: str, field: str, language: str) -> str:
    """Return what *field* of an observation of *game* holds; "" for a game that does not say."""
    try:
        return game_text(game, f"field.{field}", language)
    except MissingText:
        return ""


def cut(words: str, most: int) -> str:
    """Return *words*, at most *most* characters of them."""
    return words if len(words) <= most else words[: most - 1] + "…"


def format_line(name: str, values: Mapping[str, Any]) -> str:
    """Return an observation of class *name* in a line of at most :data:`PRINTED` characters."""
    parts = ", ".join(f"{field}={cut(repr(value), SHORT)}" for field, value in values.items())
    return f"{name}({cut(parts, PRINTED - len(name) - 2)})"


def format_table(game: str, values: Mapping[str, Any], language: str) -> str:
    """Return an observation as HTML, folded: each field, its value, and what it holds."""
    seat, phase = values["seat"], values["phase"]
    id = "observation.spectator" if seat is None else "observation.seat"
    title = game_text(game, id, language, seat=seat, phase=phase)
    columns = [text(f"observation.{column}", language) for column in ("field", "value", "meaning")]
    rows = "".join(
        f'<tr><th scope="row"><code>obs.{name}</code></th><td><code>{escape(cut(repr(value), LONG))}</code></td>'
        f"<td>{escape(meaning(game, name, language))}</td></tr>"
        for name, value in values.items()
    )
    heads = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return (
        f'<style>{LOOK}</style><details class="ck-obs" lang="{language}"><summary>{escape(title)}</summary>'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></details>"
    )
