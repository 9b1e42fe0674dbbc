"""The debrief as static HTML: in a notebook, and as one page for paper."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from coursekit.files.html_templates import render
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.content_security import POLICY
from coursekit.words.texts import text

TEMPLATES = Path(__file__).parent / "templates"


def body(moments: Sequence[Moment], language: str) -> str:
    """Return *moments* as sections, each with its question."""
    nothing = text("debrief.nothing", language)
    return render(TEMPLATES / "debrief-cell.html.j2", moments=moments, nothing=nothing)


def parts_html(moment: Moment) -> str:
    """Return the sentences and pictures of *moment*, without title and question."""
    return render(TEMPLATES / "slide.html.j2", parts=moment.parts)


def page(
    title: str, about: str, moments: Sequence[Moment], language: str, words: Mapping[str, str]
) -> str:
    """Return *moments* as a page of their own that loads nothing and runs nothing.

    :param about: which matches they are from, with any caveats.
    :param words: the titles and questions of the first and the last step.
    """
    return render(
        TEMPLATES / "debrief.html.j2",
        title=title,
        about=about,
        moments=moments,
        words=words,
        language=language,
        policy=POLICY,
    )
