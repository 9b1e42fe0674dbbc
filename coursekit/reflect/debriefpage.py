"""The debrief as HTML that stands still: in a notebook, and as one page for paper."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from coursekit.moment import Moment, Source
from coursekit.reflect.cells import STATIC
from coursekit.texts import text

if TYPE_CHECKING:
    from coursekit.figures import Picture

TEXTS = "debrief."
STYLE = (STATIC / "debriefpage.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What a browser may do with the page: show it."""


def body(moments: Sequence[Moment], language: str) -> str:
    """Return *moments* as sections, each with its question."""
    return "".join(_section(each) for each in moments) or f"<p>{escape(text(f'{TEXTS}nothing', language))}</p>"


def page(title: str, about: str, moments: Sequence[Moment], language: str, words: Mapping[str, str]) -> str:
    """Return *moments* as a page of their own, which loads nothing and runs nothing.

    :param words: what the first and the last step are called, and what they ask.
    """
    opening, closing = [_asked(words[f"{part}.title"], words[f"{part}.ask"]) for part in ("feel", "now")]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>\n"
        f"<main>{opening}{body(moments, language)}{closing}</main></body></html>\n"
    )


def _section(moment: Moment) -> str:
    where = f"<small>{escape(moment.where)}</small>" if moment.where else ""
    parts = "".join(map(_part, moment.parts))
    return f"<section><h3>{escape(moment.title)} {where}</h3>{parts}{_question(moment.ask)}</section>\n"


def _part(part: "str | Picture") -> str:
    if not isinstance(part, str):
        return part._repr_html_()
    return f'<p class="source">{escape(part)}</p>' if isinstance(part, Source) else f"<p>{escape(part)}</p>"


def _asked(title: str, ask: str) -> str:
    return f"<section><h3>{escape(title)}</h3>{_question(ask)}</section>\n"


def _question(ask: str) -> str:
    return f'<p class="ask"><strong>{escape(ask)}</strong></p>'
