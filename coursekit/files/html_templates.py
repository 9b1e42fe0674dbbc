"""HTML from Jinja templates, which escape every value: the one way to make a page."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.words.texts import text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def render(template: Path, /, **values: Any) -> "Markup":
    """Return the HTML of *template* with *values*; it can be a value of another template.

    A cell that shows it needs a plain ``str``: marimo shows no other.

    It can include files of the folder ``static`` beside its own folder, such as a style.
    """
    from markupsafe import Markup

    return Markup(_of_folder(template.parent).get_template(template.name).render(values))


def render_macro(template: Path, macro: str, /, *values: Any) -> "Markup":
    """Return the HTML of a *macro* in *template*, called with *values*."""
    module = _of_folder(template.parent).get_template(template.name).module
    html: Markup = getattr(module, macro)(*values)
    return html


def bind_texts(language: str, prefix: str = "") -> Callable[..., str]:
    """Return what templates call ``say``: it takes the id of a text behind *prefix*, and values."""

    def say(name: str, /, **values: Any) -> str:
        return text(prefix + name, language, **values)

    return say


def html_templates(*folders: Path) -> "Environment":
    """Return a Jinja environment of the templates in *folders*; of two with a name the first."""
    # Here, since a kernel imports this module early and may never show HTML.
    from jinja2 import Environment, FileSystemLoader

    return Environment(
        loader=FileSystemLoader(folders), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _of_folder(folder: Path) -> "Environment":
    return html_templates(folder, folder.parent / "static")
