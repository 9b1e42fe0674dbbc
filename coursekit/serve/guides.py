"""Game manuals and teaching guides: pages of the documentation with pictures of the table.

A picture is a fenced block ``table`` with one JSON object: a moment, ``{"game": …, "phase": …,
"nth": 1}``, or cards, ``{"game": …, "cards": […]}``; both may name ``players``, ``seed``,
``preset`` and ``options``. ``"beside": true`` shows what lies beside the table, too. ``{"game": …,
"pages": […]}`` stands for what the handbook says about cards.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup
from mistune import HTMLRenderer, create_markdown, escape

from coursekit.core.game import AnyGame
from coursekit.files.documentation import documentation, without_marks
from coursekit.files.folders import visible_files
from coursekit.files.html_templates import render_macro
from coursekit.kit import GAMES
from coursekit.serve.notebooks import FOLDERS, SIMPLIFIED
from coursekit.table.static_files import zone_styles
from coursekit.table.table_pictures import cards, moment
from coursekit.table.view import handbook, interface_words
from coursekit.words.simplified import simplify
from coursekit.words.texts import game_text

KINDS = {"plan": "teach/games", "manual": "teach/manuals"}
"""Kinds of documents, and their folders in the documentation."""
END = "<!-- end of the guide -->"
"""What follows in a file is for those who write programs."""
PLAN = 3
"""The place of the part of a guide with the plan of a lesson, from 0."""
PARTS = Path(__file__).parent / "templates" / "guide-parts.html.j2"


class Document(NamedTuple):
    """A page of the documentation as HTML."""

    title: str
    words: str
    parts: list[tuple[str, str]]
    """The anchor and the heading of each part."""
    pictures: list[dict[str, Any]]
    """The views of its pictures."""


def files(kind: str, language: str) -> dict[str, Path]:
    """Return the documents of *kind* in *language*: the name of the game, and the file."""
    return {file.stem: file for file in visible_files(documentation(language, KINDS[kind]), "*.md")}


@lru_cache
def document(kind: str, game: str, language: str, whole: bool) -> Document:
    """Return the document of *kind* about *game*; its links to others are ``to/kind/game``.

    :param whole: whether to return all of it, not only its beginning and the plan of a lesson.
    """
    text = files(kind, language)[game].read_text(encoding="utf-8").split(END)[0]
    if not whole:
        text = "".join(re.split(r"^(?=## )", text, flags=re.M)[:: PLAN + 1][:2])
    return html(text, language, whole, game)


def html(page: str, language: str, linked: bool = False, game: str = "") -> Document:
    """Return *page* as HTML.

    :param page: Markdown that begins with its title and the link to the other language.
    :param linked: whether the documents of all :data:`KINDS` are on the same server.
    :param game: the game whose options get the names that the table has for them.
    """
    title, _, _, *rest = page.splitlines()
    words = without_marks("\n".join(rest))
    if language == FOLDERS[SIMPLIFIED]:
        title, words = simplify(title), simplify(words)
    title = title.removeprefix("# ")
    writer = Writer(language, linked, game)
    body = f"# {title}\n\n{words}"
    content = str(create_markdown(renderer=writer, plugins=["table"])(body))
    return Document(title, content, writer.parts, writer.pictures)


class Writer(HTMLRenderer):
    """Writes anchors, links to pages on this server, labels of options, and places for pictures."""

    def __init__(self, language: str, linked: bool, game: str = "") -> None:
        super().__init__()
        self.language = language
        self.linked = linked
        self.game = game
        self.parts: list[tuple[str, str]] = []
        self.pictures: list[dict[str, Any]] = []

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """Write a heading, below the title with the anchor that GitHub gives it."""
        if level == 1:
            return super().heading(text, level)
        anchor = re.sub(r"[^\w\- ]", "", re.sub("<[^>]+>", "", text).lower()).replace(" ", "-")
        if level == 2:
            self.parts.append((anchor, text))
        return render_macro(PARTS, "heading", level, anchor, Markup(text))

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Write a link, or its words alone if it leads to a page that is not here."""
        other = re.fullmatch(r"\.\./(\w+)/(\w+)\.md(#.*)?", url)
        if other:
            kinds = {folder: kind for kind, folder in KINDS.items()}
            kind = kinds.get(f"teach/{other[1]}", "")
            url = f"to/{kind}/{other[2]}{other[3] or ''}" if kind and self.linked else ""
        url = "to/data" if url == "../data.md" else url
        return super().link(text, url, title) if url.startswith(("http", "#", "to/")) else text

    def codespan(self, text: str) -> str:
        """Write an option as the table calls it; other code as it is."""
        if not self.game or text not in GAMES[self.game].rules.option_type.__dataclass_fields__:
            return super().codespan(text)
        label = escape(game_text(self.game, f"option.{text}.label", self.language))
        return f"「{label}」" if self.language == "zh-Hant" else f"“{label}”"

    def softbreak(self) -> str:
        """Go on with the line; Chinese has no space there."""
        return "\n" if self.language == "en" else ""

    def block_html(self, html: str) -> str:
        """Write nothing: the documents have comments, and no other HTML."""
        return ""

    def block_code(self, code: str, info: str | None = None) -> str:
        """Write a place for a picture, or pages of the handbook; other code as it is."""
        if info != "table":
            return super().block_code(code, info)
        asked = json.loads(code)
        game = game_of(asked)
        if "pages" in asked:
            pages = handbook(game, self.language)
            return render_macro(PARTS, "cards", [pages[name] for name in asked["pages"]])
        view = picture(game, asked, self.language)
        self.pictures.append(view)
        return render_macro(PARTS, "picture", picture_kind(asked, view), len(self.pictures) - 1)


def game_of(asked: dict[str, Any]) -> AnyGame:
    """Return the game of the picture *asked* for."""
    rules = GAMES[asked["game"]].rules
    options = {**rules.presets.get(asked.get("preset", ""), {}), **asked.get("options", {})}
    return rules(asked.get("players", 4), rules.options_from(options))


def picture_kind(asked: dict[str, Any], view: dict[str, Any]) -> str:
    """Return what the *view* that is *asked* for shows, by which its page lays it out."""
    if any(zone["kind"] == "track" for zone in view["scenes"][0]["zones"]):
        return "board"
    if "cards" in asked:
        return "cards"
    return "beside" if asked.get("beside") else "moment"


def picture(game: AnyGame, asked: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the view of the picture *asked* for."""
    seed = str(asked.get("seed", "manual"))
    if "cards" in asked:
        return cards(game, language, seed, asked["cards"])
    return moment(game, language, seed, asked["phase"], asked.get("nth", 1))


def pictures_json(
    game: str, pictures: list[dict[str, Any]], language: str, part: Callable[[str], str]
) -> dict[str, Any]:
    """Return what a page draws *pictures* from.

    :param part: returns the address of a file.
    """
    return {
        "script": part(f"table-{game}.js"),
        "art": GAMES[game].drawings(),
        "zone_css": zone_styles(GAMES[game]),
        "words": interface_words(game, language),
        "views": pictures,
    }
