"""The pages around the dashboards, such as the start page, and the addresses of all pages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from coursekit import __version__
from coursekit.files.documentation import documentation
from coursekit.files.html_templates import bind_texts, html_templates
from coursekit.kit import GAMES
from coursekit.serve import guides, preload
from coursekit.serve.notebooks import Notebook, NotebookShelf, language_of
from coursekit.words import texts

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"


def native(language: str) -> str:
    """Return the name of *language* in that language."""
    return texts.text(f"ui.language.{language}", language)


@dataclass(frozen=True)
class Site:
    """The addresses of the pages, and the notebooks they show."""

    shelf: NotebookShelf
    base: str = "/"
    """URL path of the server, with a slash at both ends."""
    start: str = ""
    """Path of the start page below :attr:`base`: empty, or ``coursekit/`` in a Jupyter server."""
    language: str = texts.LANGUAGES[0]
    """Default language of the start page."""
    files = False
    """Whether the pages are files, and no server answers."""
    editor = ""
    """Path below :attr:`base` at which notebooks open with their code, empty for none."""
    idle_limit = 0
    """Seconds after which the server stops the kernel of a page that is not used, 0 for never."""
    server_limit = 0
    """Seconds after which a server without kernels ends itself, 0 for never."""

    def templates(self) -> Environment:
        """Return the Jinja environment of the pages."""
        return templates()

    @property
    def own_server(self) -> bool:
        """Whether the server shows nothing else: it is not a Jupyter server."""
        return not self.start

    def home(self, language: str) -> str:
        """Return the URL path of the start page in *language*."""
        return self.base + self.start + ("" if language == self.language else language)

    def address(self, notebook: Notebook) -> str:
        """Return the URL path of the dashboard of *notebook*."""
        return self.page(self.shelf.place + notebook.path)

    def copy(self, notebook: Notebook) -> str:
        """Return the URL path of *notebook* where its code can be changed, ``""`` for none."""
        path = quote(self.source(self.shelf.place + notebook.path))
        return f"{self.base}{self.editor}{path}" if self.editor else ""

    def data(self, language: str) -> str:
        """Return the URL path of the page about pupils' data in *language*."""
        return f"{self.base}{self.start}{language}/data"

    def guide(self, kind: str, game: str, language: str) -> str:
        """Return the URL path of the document of *kind* about *game*; see :mod:`.guides`."""
        return f"{self.base}{self.start}{language}/{kind}/{game}"

    def part(self, name: str) -> str:
        """Return the URL path of a file that tables on a page are drawn from."""
        return f"{self.base}coursekit/parts/{name}"

    def paper(self, game: str, language: str) -> str:
        """Return the URL path of what is printed of *game* in *language*."""
        return f"{self.base}{self.start}{language}/print/{game}"

    def console(self, language: str) -> str:
        """Return the URL path of the teacher's console of a class, in *language*."""
        return f"{self.base}coursekit/class/{language}/console"

    def source(self, path: str) -> str:
        """Return the path of the file of the dashboard at *path*, both in the server's folder."""
        return self.shelf.source(path)

    def page(self, path: str) -> str:
        """Return the URL path of the dashboard of the notebook at *path* in the server's folder."""
        return f"{self.base}voila/render/{quote(path)}"


@lru_cache
def templates() -> Environment:
    """Return the Jinja environment of the kit's own pages."""
    return html_templates(TEMPLATES)


def emblem(name: str) -> Markup:
    """Return the drawing of a game or of the kit as inline SVG; a plain card for others."""
    own = GAMES[name].emblem if name in GAMES else STATIC / "emblems" / f"{name}.svg"
    return Markup((own or STATIC / "emblems/card.svg").read_text(encoding="utf-8"))


def common(site: Site, language: str) -> dict[str, Any]:
    """Return the variables of every page's template."""
    return {
        "site": site,
        "language": language,
        "say": bind_texts(language),
        "emblem": emblem,
        "version": __version__,
    }


def trouble_words(language: str) -> dict[str, str]:
    """Return what a page that does not start says, for ``trouble.html.j2``."""
    return {name: texts.text(f"page.{name}", language) for name in ("silent", "broken", "reload")}


def _render(site: Site, template: str, language: str, **values: Any) -> str:
    page = site.templates().get_template(f"{template}.html.j2")
    return page.render(**values, **common(site, language))


def _languages(address: Callable[[str], str]) -> list[tuple[str, str, str]]:
    """Return each language, its name, and the *address* of a page in it."""
    return [(language, native(language), address(language)) for language in texts.LANGUAGES]


def start(site: Site, language: str) -> str:
    """Return the start page: every game that has a notebook, then the other notebooks."""
    notebooks = {notebook.name: notebook for notebook in site.shelf.notebooks(language)}
    games = [notebooks.pop(name) for name in GAMES if name in notebooks]
    welcome = notebooks.pop("welcome", None)
    kinds = [kind for kind in guides.KINDS if kind == "plan" or not site.files]
    return _render(
        site,
        "start",
        language,
        games=[
            (game, _players(GAMES[game.name].rules.player_counts, language), game.minutes)
            for game in games
        ],
        printable=[game.name for game in games if GAMES[game.name].paper and not site.files],
        guides={kind: guides.files(kind, language) for kind in kinds},
        tell=lambda game, text_id: texts.game_text(game, text_id, language),
        welcome=welcome,
        others=list(notebooks.values()),
        languages=_languages(site.home),
        ahead=preload.scripts() if site.own_server else (),
    )


def _players(counts: tuple[int, ...], language: str) -> str:
    """Return the possible numbers of players, as in ``3–6`` or ``2, 4, 6``."""
    low, high = min(counts), max(counts)
    if low < high and counts == tuple(range(low, high + 1)):
        return f"{low}–{high}"
    return texts.join_words(list(map(str, counts)), language)


def data(site: Site, language: str) -> str:
    """Return the page about pupils' data."""
    document = _about_data(language)
    return _render(
        site,
        "data",
        language,
        words=Markup(document.words),
        title=document.title,
        languages=_languages(site.data),
    )


def guide(site: Site, language: str, kind: str, game: str) -> str:
    """Return the document of *kind* about *game*; among files only the plan of the lesson."""
    document = guides.document(kind, game, language, not site.files)
    notebook = site.shelf.find(game, language)

    def link(match: re.Match[str]) -> str:
        return f'href="{site.guide(match[1], match[2], language)}'

    words = re.sub(r'href="to/(\w+)/(\w+)', link, document.words)
    words = words.replace('href="to/data"', f'href="{site.data(language)}"')
    pictures = None
    if document.pictures:
        pictures = guides.pictures_json(game, document.pictures, language, site.part)
    return _render(
        site,
        "guide",
        language,
        kind=kind,
        other=next(other for other in guides.KINDS if other != kind),
        game=game,
        title=document.title,
        words=Markup(words),
        parts=document.parts,
        pictures=pictures,
        lesson=site.address(notebook) if notebook else "",
        languages=_languages(partial(site.guide, kind, game)),
    )


@lru_cache
def _about_data(language: str) -> guides.Document:
    """Return ``docs/teach/data.md``."""
    file = documentation(language, "teach", "data.md")
    return guides.html(file.read_text(encoding="utf-8"), language)


def message(
    site: Site, language: str, about: str, again: str = "", go: str = "again", **values: Any
) -> str:
    """Return a page with one message: the texts ``page.<about>_title`` and ``page.<about>``.

    :param again: address of a link to try again, ``""`` for no link.
    :param go: text ``page.<go>`` of that link.
    """
    return _render(site, "message", language, about=about, again=again, go=go, values=values)


def door(site: Site, address: str) -> str:
    """Return the page for those without the key, in every language: nobody has chosen one yet.

    :param address: beginning of the address that opens the pages.
    """
    sentences = [
        (
            language,
            texts.text("page.door_title", language),
            texts.text("page.door", language, address=address),
        )
        for language in texts.LANGUAGES
    ]
    return _render(site, "door", site.language, sentences=sentences)


def go_on(site: Site, address: str) -> str:
    """Return a page that leads on to *address* by itself."""
    return _render(site, "go_on", site.language, address=address)


def line(site: Site, language: str, ticket: str, ahead: int) -> str:
    """Return the page that waits for its turn, with its *ticket* and how many are *ahead*."""
    asks = f"{site.base}coursekit/line/{language}/{ticket}"
    return _render(site, "line", language, ticket=ticket, ahead=ahead, asks=asks)


IN_FRAME = (
    "skip home loading loading_step loading_slow no_script cell_failed cell_asks silent broken "
    "reload "
    "lost_go sign_in_go idle incomplete "
    "everything stepwise plan below more_here steps tabs lesson_tab step.lab onward back_to to_lab "
    "minutes minutes_over minutes_restart step_missing step_missing_go"
).split()
"""The texts ``page.…`` of the frame around a dashboard."""


def frame(site: Site, path: str) -> dict[str, Any]:
    """Return the data for the frame around the dashboard of the notebook at *path*."""
    language = language_of(path, site.language)
    game = PurePosixPath(path).stem
    has_plan = game in guides.files("plan", language)
    others = [
        {"language": other, "name": native(other), "address": site.page(place)}
        for other, place in site.shelf.translations(path)
    ]
    says = {name: name for name in IN_FRAME}
    says["lost"] = "lost_ends" if site.server_limit else "lost"
    says["gone"] = "gone_ends" if site.server_limit else "gone"
    says["sign_in"] = "restarted" if site.own_server else "sign_in"
    return {
        "language": language,
        "home": site.home(language),
        "door": "" if site.own_server else site.home(language),
        "idle_limit": site.idle_limit,
        "server_limit": site.server_limit,
        "plan": site.guide("plan", game, language) if has_plan else "",
        "static": f"{site.base}coursekit/static/",
        "others": others,
        "logo": emblem("logo"),
        "fan": emblem("fan"),
        "says": {
            name: texts.template(texts.THE_KIT, f"page.{text}", language)
            for name, text in says.items()
        },
    }
