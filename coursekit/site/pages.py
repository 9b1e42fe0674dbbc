"""The pages of the site: start page, lessons, plans, and the page about pupils' data."""

import base64
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from PIL import Image

from coursekit.cells.cell_errors import cells_above
from coursekit.files.html_templates import html_templates
from coursekit.serve import guides, pages
from coursekit.serve.lesson_steps import LAB, NOTEBOOK_ONLY, mark_steps
from coursekit.serve.notebooks import Notebook, first_heading, simplify_notebook
from coursekit.site.licences import Licence
from coursekit.words import texts

TEMPLATES = Path(__file__).parent / "templates"


def script_digest(script: str) -> str:
    """Return what a policy names an inline *script* by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


WATCH = (pages.STATIC / "watch.js").read_text(encoding="utf-8")
"""The script that says so if a page does not start. It stands in the page itself: in a sandboxed
frame WebKit loads no other.
"""
POLICY = (
    f"default-src 'self'; script-src 'self' '{script_digest(WATCH)}' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'"
)
"""What pages may load: nothing from elsewhere, and no code but the site's own and WebAssembly."""
NOT_HERE = "not-on-site"
"""Tag of cells that need what no browser has, or that are not true in one."""
IN_FRAME = (
    "skip home cell_failed everything stepwise plan below more_here steps tabs lesson_tab step.lab "
    "onward back_to to_lab minutes minutes_over minutes_restart no_script silent broken reload"
).split()
"""The texts ``page.…`` of a lesson, which a dashboard has as well."""
IN_LESSON = (
    "loading soon failed_network failed_altered failed_memory failed_browser failed_policy "
    "failed_directive failed_frame failed_folder failed_unknown fallen fell_here other_page "
    "part_lost restart busy stop stopped ended run undo "
    "changed play_many seat code notebook notebook_back brought no_notebook typing_unkept "
    "unkept_in_frame own_page own_file"
).split()
"""The texts ``site.…`` of a lesson."""


@dataclass(frozen=True)
class FileSite(pages.Site):
    """The addresses of pages that are files in one folder."""

    base: str = ""
    pyodide: str = ""
    """The version of Pyodide in the site."""
    python: str = ""
    """The version of Python in it."""
    files = True
    licences = "licences.html"
    """The file name of the page with all licences, which is in English as most of them are."""

    @property
    def own_server(self) -> bool:
        """No server answers."""
        return False

    def templates(self) -> Environment:
        """Return the Jinja environment of the pages, which use the parts of the dashboards'."""
        return templates()

    def home(self, language: str) -> str:
        """Return the file name of the start page in *language*."""
        return "index.html" if language == self.language else f"{language}.html"

    def page(self, path: str) -> str:
        """Return the file name of the page of the notebook at *path*."""
        return Path(path).with_suffix(".html").as_posix().replace("/", "-")

    def data(self, language: str) -> str:
        """Return the file name of the page about pupils' data in *language*."""
        return f"{language}-data.html"

    def guide(self, kind: str, game: str, language: str) -> str:
        """Return the file name of the document of *kind* about *game* in *language*."""
        return f"{language}-{kind}-{game}.html"


@cache
def templates() -> Environment:
    environment = html_templates(TEMPLATES, pages.TEMPLATES, pages.TEMPLATES / "notebook")
    environment.globals["policy"] = POLICY
    return environment


def lesson(site: FileSite, notebook: Notebook, language: str, parts: Mapping[str, Any]) -> str:
    """Return the page of *notebook*, a lesson or any other, in *language*.

    :param parts: name and size of the files that the worker is made of.
    """
    content = notebook.read()
    about = content["metadata"].setdefault("coursekit", {})
    if notebook.is_derived:
        simplify_notebook(content)
    game = about.get("game", "")
    only_lab = bool(about.get("code"))
    frame = pages.frame(site, notebook.path)
    says = {name: frame["says"][name] for name in IN_FRAME}
    says |= {name: texts.template(texts.THE_KIT, f"site.{name}", language) for name in IN_LESSON}
    frame |= {"says": says, "heading": first_heading(content, notebook.path), "lesson": None}
    content["metadata"]["coursekit"] = frame
    elsewhere = texts.text("site.elsewhere", language)
    cells = content["cells"] = visible_cells(content["cells"], elsewhere, only_lab)
    mark_steps(content)
    first = first_cells(cells)
    for_script = {
        "name": f"{notebook.path.split('/')[0]}-{notebook.name}",
        "game": game,
        "language": language,
        "says": says,
        "parts": parts,
        "home": frame["home"],
        "steps": frame["lesson"]["steps"] if frame["lesson"] else [],
        "cells": [
            {
                "id": cell["id"],
                "code": "".join(cell["source"]),
                "lab": cell["lab"],
                "exercise": cell["exercise"],
            }
            for cell in cells
            if cell["cell_type"] == "code"
        ],
        "first": first,
    }
    folder = notebook.path.rpartition("/")[0]
    words = {
        cell["id"]: markdown(cell, lambda path: site.page(f"{folder}/{path}"))
        for cell in cells
        if cell["cell_type"] == "markdown"
    }
    page = templates().get_template("lesson.html.j2")
    return page.render(
        kit=frame,
        cells=cells,
        words=words,
        table=first[-1:],
        for_script=for_script,
        whole=only_lab,
        watch=WATCH,
        preloads=[each["name"] for part, each in parts.items() if part != "worker"],
        **pages.common(site, language),
    )


def visible_cells(
    cells: Sequence[dict[str, Any]], elsewhere: str, only_lab: bool = False
) -> list[dict[str, Any]]:
    """Return the cells that the page shows, each with ``lab`` and ``exercise``.

    Cells of the lab have their code; of those that are for readers of code alone, a lesson has
    none. Of a section that is :data:`NOT_HERE` its heading is left, since links lead there.

    :param elsewhere: the sentence below such a heading.
    :param only_lab: whether all cells belong to the lab.
    """
    visible = []
    lab = only_lab
    for number, cell in enumerate(cells):
        tags = cell["metadata"].get("tags", [])
        lab = lab or f"step-{LAB}" in tags
        exercise = NOTEBOOK_ONLY in tags
        if NOT_HERE in tags:
            section = re.match("## .*", "".join(cell["source"]))
            if section is None:
                continue
            cell = cell | {"source": f"{section[0]}\n\n{elsewhere}"}
        if lab or not exercise:
            cell.setdefault("id", str(number))
            visible.append(cell | {"lab": lab, "exercise": exercise})
    return visible


def markdown(cell: Mapping[str, Any], page: Callable[[str], str]) -> Markup:
    """Return the words of a cell as HTML, as Jupyter does: headings can be linked to.

    :param page: returns the page of another notebook, which a link names by its path.
    """
    source = "".join(cell["source"])
    source = re.sub(r"\]\(([^):#]+\.ipynb)", lambda link: f"]({page(link[1])}", source)
    for name, content in pictures(cell):
        source = source.replace(f"(attachment:{name})", f"({picture_file(content)})")
    return Markup(MarkdownWithMath(renderer=IPythonRenderer(escape=False)).render(source))


def pictures(cell: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures in a cell by their names, as WebP, which is smaller than PNG."""
    for name, forms in cell.get("attachments", {}).items():
        yield name, _webp(forms["image/png"])


@cache
def _webp(png: str) -> bytes:
    with Image.open(io.BytesIO(base64.b64decode(png))) as image, io.BytesIO() as out:
        image.save(out, "WEBP", lossless=True, quality=100, method=4)  # 6 takes sixty times as long
        return out.getvalue()


def picture_file(content: bytes) -> str:
    """Return the file name of a picture: the same in every language for the same picture."""
    return f"pictures/{hashlib.sha256(content).hexdigest()[:16]}.webp"


def first_cells(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the cells that run first, in their order: what the table needs, and its own cell.

    A page of one step begins with its first cell.
    """
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    step = ""
    for cell in cells:
        step = cell["metadata"].get("coursekit_step", step)
        if cell["cell_type"] == "code" and step.startswith("play"):
            return [*cells_above(cell["id"], sources), cell["id"]]
    return list(sources)[:1]


def licences_page(site: FileSite, licences: Sequence[Licence]) -> str:
    """Return the page with *licences*."""
    page = templates().get_template("licences.html.j2")
    return page.render(licences=licences, **pages.common(site, "en"))


def all_pages(site: FileSite, parts: Mapping[str, Any]) -> dict[str, str | bytes]:
    """Return every page of *site* by its file name, and the pictures in them."""
    files: dict[str, str | bytes] = {}
    for language in texts.LANGUAGES:
        files[site.home(language)] = pages.start(site, language)
        files[site.data(language)] = pages.data(site, language)
        for game in guides.files("plan", language):
            files[site.guide("plan", game, language)] = pages.guide(site, language, "plan", game)
        for notebook in site.shelf.notebooks(language):
            files[site.address(notebook)] = lesson(site, notebook, language, parts)
            for cell in notebook.read()["cells"]:
                for _, content in pictures(cell):
                    files[picture_file(content)] = content
    return files
