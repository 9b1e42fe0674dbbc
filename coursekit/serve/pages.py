"""The texts and links of the pages around the dashboards."""

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from coursekit import __version__
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
    folder: str = ""
    """Path of the shelf below the server's own folder: empty, or ``notebooks/``."""
    language: str = texts.LANGUAGES[0]
    """Default language of the start page."""
    files = False
    """Whether the pages are files, and no server answers."""

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
        return self.page(self.folder + notebook.path)

    def data(self, language: str) -> str:
        """Return the URL path of the page about pupils' data in *language*."""
        return f"{self.base}{self.start}{language}/data"

    def guide(self, kind: str, game: str, language: str) -> str:
        """Return the URL path of the document of *kind* about *game* in *language*; see
        :mod:`.guides`.
        """
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
        """Return the path of the file that the dashboard at *path* is made of, both in the server's
        folder.
        """
        return self.folder + self.shelf.source(path.removeprefix(self.folder))

    def page(self, path: str) -> str:
        """Return the URL path of the dashboard of the notebook at *path* in the server's folder."""
        return f"{self.base}voila/render/{quote(path)}"


@lru_cache
def templates() -> Environment:
    """Return the Jinja environment of the kit's own pages."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )


def emblem(name: str) -> Markup:
    """Return the drawing of a game, or one of the kit's own, as inline SVG; a plain card for a game
    without one.
    """
    own = (
        GAMES[name].emblem if name in GAMES else STATIC / "emblems" / f"{name}.svg"
    ) or STATIC / "emblems/card.svg"
    return Markup(own.read_text(encoding="utf-8"))


def common(site: Site, language: str) -> dict[str, Any]:
    """Return the variables of every page's template."""
    say = partial(_say, language)
    return {
        "site": site,
        "language": language,
        "say": say,
        "emblem": emblem,
        "version": __version__,
    }


def _say(language: str, id: str, /, **values: Any) -> str:
    return texts.text(id, language, **values)


def start(site: Site, language: str) -> str:
    """Return the start page: every game that has a notebook, then the other notebooks."""
    notebooks = site.shelf.notebooks(language)
    order = {name: position for position, name in enumerate(GAMES)}
    games = sorted(
        (each for each in notebooks if each.name in GAMES), key=lambda each: order[each.name]
    )
    languages = [(each, native(each), site.home(each)) for each in texts.LANGUAGES]
    return (
        site.templates()
        .get_template("start.html.j2")
        .render(
            games=[
                (each, _players(GAMES[each.name].rules.player_counts, language), each.minutes)
                for each in games
            ],
            printable=[each.name for each in games if GAMES[each.name].paper and not site.files],
            guides={
                kind: guides.files(kind, language)
                for kind in guides.KINDS
                if kind == "plan" or not site.files
            },
            tell=lambda game, id: texts.game_text(game, id, language),
            welcome=next((each for each in notebooks if each.name == "welcome"), None),
            others=[
                each for each in notebooks if each.name not in GAMES and each.name != "welcome"
            ],
            languages=languages,
            ahead=preload.scripts() if site.own_server else (),
            **common(site, language),
        )
    )


def _players(counts: tuple[int, ...], language: str) -> str:
    """Return the possible numbers of players, as in ``3–6`` or ``2, 4, 6``."""
    low, high = min(counts), max(counts)
    if low < high and counts == tuple(range(low, high + 1)):
        return f"{low}–{high}"
    return texts.join_words(list(map(str, counts)), language)


def data(site: Site, language: str) -> str:
    """Return the page about pupils' data."""
    words, title = _about_data(language)
    languages = [(each, native(each), site.data(each)) for each in texts.LANGUAGES]
    page = site.templates().get_template("data.html.j2")
    return page.render(
        words=Markup(words), title=title, languages=languages, **common(site, language)
    )


def guide(site: Site, language: str, kind: str, game: str) -> str:
    """Return the document of *kind* about *game*; of a guide among files, the plan of the lesson."""
    found = guides.document(kind, game, language, not site.files)
    notebook = site.shelf.find(game, language)
    languages = [(each, native(each), site.guide(kind, game, each)) for each in texts.LANGUAGES]
    words = re.sub(
        r'href="to/(\w+)/(\w+)',
        lambda it: f'href="{site.guide(it[1], it[2], language)}',
        found.words,
    )
    words = words.replace('href="to/data"', f'href="{site.data(language)}"')
    return (
        site.templates()
        .get_template("guide.html.j2")
        .render(
            kind=kind,
            other=next(each for each in guides.KINDS if each != kind),
            game=game,
            title=found.title,
            words=Markup(words),
            parts=found.parts,
            drawn=guides.drawn(game, found, language, site.part) if found.pictures else None,
            lesson=site.address(notebook) if notebook else "",
            languages=languages,
            **common(site, language),
        )
    )


@lru_cache
def _about_data(language: str) -> tuple[str, str]:
    """Return ``docs/teach/data.md`` as HTML, and its title."""
    found = guides.html(
        guides.docs(language, "teach/data.md").read_text(encoding="utf-8"), language
    )
    return found.words, found.title


def message(
    site: Site, language: str, about: str, again: str = "", go: str = "again", **values: Any
) -> str:
    """Return a page with one message: the texts ``page.<about>_title`` and ``page.<about>``.

    :param again: address of a link to try again, ``""`` for no link.
    :param go: text ``page.<go>`` of that link.
    """
    page = site.templates().get_template("message.html.j2")
    return page.render(about=about, again=again, go=go, values=values, **common(site, language))


def door(site: Site, address: str) -> str:
    """Return the page for those without the key, in every language: nobody has chosen one yet.

    :param address: beginning of the address that opens the pages.
    """
    sentences = [
        (each, texts.text("page.door_title", each), texts.text("page.door", each, address=address))
        for each in texts.LANGUAGES
    ]
    return (
        site.templates()
        .get_template("door.html.j2")
        .render(sentences=sentences, **common(site, site.language))
    )


def go_on(site: Site, address: str) -> str:
    """Return a page that leads on to *address* by itself."""
    return (
        site.templates()
        .get_template("go_on.html.j2")
        .render(address=address, **common(site, site.language))
    )


def line(site: Site, language: str, ticket: str, ahead: int) -> str:
    """Return the page that waits for its turn, with its *ticket* and how many are *ahead*."""
    page = site.templates().get_template("line.html.j2")
    asks = f"{site.base}coursekit/line/{language}/{ticket}"
    return page.render(ticket=ticket, ahead=ahead, asks=asks, **common(site, language))


def frame(site: Site, path: str) -> dict[str, Any]:
    """Return the data for the frame around the dashboard of the notebook at *path*."""
    language = language_of(path, site.language)
    others = site.shelf.translations(path.removeprefix(site.folder))
    game = PurePosixPath(path).stem
    ids = (
        "skip home loading loading_step loading_slow no_script cell_failed lost gone incomplete reload "
        "everything stepwise plan below more_here steps tabs lesson_tab step.lab onward back_to to_lab "
        "minutes minutes_over minutes_restart"
    ).split()
    return {
        "language": language,
        "home": site.home(language),
        "plan": site.guide("plan", game, language)
        if game in guides.files("plan", language)
        else "",
        "static": f"{site.base}coursekit/static/",
        "others": [
            {"language": each, "name": native(each), "address": site.page(site.folder + at)}
            for each, at in others
        ],
        "logo": emblem("logo"),
        "fan": emblem("fan"),
        "says": {id: texts.template(texts.THE_KIT, f"page.{id}", language) for id in ids},
    }
