"""How an observation is shown: short where it is printed, field by field where it ends a cell."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from coursekit.words.texts import MissingText, game_text, text

SHORT = 40  # maximum characters of a value in a line
LONG = 300  # of a value in a table
PRINTED = 240  # of a line
STYLE = """
.ck-obs { container-type: inline-size !important }
.ck-obs table { width: 100% !important; max-width: none !important }
.ck-obs :is(th, td) {
  text-align: start !important; vertical-align: top !important;
  white-space: normal !important; overflow-wrap: anywhere !important }
.ck-obs tbody th { overflow-wrap: normal !important }
.ck-obs thead th:last-child { width: 38% !important }
@container (max-width: 36rem) {
  .ck-obs thead { position: absolute !important; clip-path: inset(50%) !important }
  .ck-obs :is(table, tbody, tr, th, td) { display: block !important }
  .ck-obs :is(th, td) { padding: 1px 0 !important; border: 0 !important }
  .ck-obs tbody th { overflow-wrap: anywhere !important }
  .ck-obs tbody tr { padding: 6px 0 !important } }
""".strip()
"""Important, since notebooks, pages and cells have rules of their own for tables, of numbers."""


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
    seat = values["seat"]
    title_id = "observation.spectator" if seat is None else "observation.seat"
    title = escape(game_text(game, title_id, language, seat=seat, phase=values["phase"]))
    heads = "".join(
        f'<th scope="col">{text(f"observation.{column}", language)}</th>'
        for column in ("field", "value", "meaning")
    )
    rows = ""
    for field, value in values.items():
        words = escape(cut(repr(value), LONG))
        rows += f'<tr><th scope="row"><code>obs.{field}</code></th><td><code>{words}</code></td>'
        rows += f"<td>{escape(meaning(game, field, language))}</td></tr>"
    return (
        f'<style>{STYLE}</style><details class="ck-obs" lang="{language}">'
        f"<summary>{title}</summary><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></details>"
    )
