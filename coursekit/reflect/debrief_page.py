"""The debrief as static HTML: in a notebook, and as one page for paper."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from coursekit.kit.debrief_moment import Moment, Source
from coursekit.reflect.paper_page import sheet
from coursekit.words.texts import text

if TYPE_CHECKING:
    from coursekit.figures import Picture

TEXTS = "debrief."


def body(moments: Sequence[Moment], language: str) -> str:
    """Return *moments* as sections, each with its question."""
    return _sections(moments, paper=False) or f"<p>{escape(text(f'{TEXTS}nothing', language))}</p>"


def page(
    title: str, about: str, moments: Sequence[Moment], language: str, words: Mapping[str, str]
) -> str:
    """Return *moments* as a page of their own that loads nothing and runs nothing.

    :param about: which matches they are from, with any caveats.
    :param words: the titles and questions of the first and the last step.
    """
    opening, closing = [
        _asked(words[f"{part}.title"], words[f"{part}.ask"]) for part in ("feel", "now")
    ]
    header = f"<h1>{escape(title)}</h1><p>{escape(about)}</p>"
    return sheet(title, header, f"{opening}{_sections(moments, paper=True)}{closing}", language)


def _sections(moments: Sequence[Moment], *, paper: bool) -> str:
    return "".join(_section(each, paper) for each in moments)


def _section(moment: Moment, paper: bool) -> str:
    where = f"<small>{escape(moment.where)}</small>" if moment.where else ""
    parts = "".join(_part(each, paper) for each in moment.parts)
    return f"<section><h3>{escape(moment.title)} {where}</h3>{parts}{_question(moment.ask)}</section>\n"


def _part(part: "str | Picture", paper: bool) -> str:
    if not isinstance(part, str):
        return part.html(paper=paper)
    return (
        f'<p class="source">{escape(part)}</p>'
        if isinstance(part, Source)
        else f"<p>{escape(part)}</p>"
    )


def _asked(title: str, ask: str) -> str:
    return f"<section><h3>{escape(title)}</h3>{_question(ask)}</section>\n"


def _question(ask: str) -> str:
    return f'<p class="ask"><strong>{escape(ask)}</strong></p>'
