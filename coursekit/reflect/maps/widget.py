"""The mind-map editor as a widget, in a notebook cell or under Voilà."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from coursekit.controls import CELL_STYLE
from coursekit.games import GAMES
from coursekit.reflect.journal import Journal
from coursekit.reflect.maps.layout import LAYOUTS
from coursekit.reflect.maps.page import one_file
from coursekit.reflect.maps.parts import CONCEPTS, LONG, RELATIONS, SHORT, SIDE
from coursekit.reflect.maps.reading import LARGEST
from coursekit.reflect.maps.starters import cards, focus, topics, vocabulary
from coursekit.texts import LANGUAGES, text
from coursekit.texts import table as texts

if TYPE_CHECKING:
    from coursekit.table import Table

UI = ("map.ui.", "map.outline.", "map.panel.")
"""Texts that the browser says by itself; there they are called `undo`, `outline.add`, `panel.name`."""
LIMITS = {"concepts": CONCEPTS, "relations": RELATIONS, "label": SHORT, "note": LONG, "side": SIDE, "file": LARGEST}


class MapEditor(anywidget.AnyWidget):
    """A mind map to draw, kept in the journal under the name of the game and its own.

    :param game: a game's name, or ``""`` for a map of anything else.
    :param name: tells apart several maps of one game.
    :param table: whose game it is; the map begins with the options played there.
    :param journal: where it is kept; see :class:`~coursekit.reflect.journal.Journal`.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    # A map travels in messages, not in traits, and so never gets into a saved notebook.
    _esm = one_file("js")
    _css = CELL_STYLE + one_file("css")
    key = traitlets.Unicode().tag(sync=True)
    game = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    focus = traitlets.Unicode().tag(sync=True)
    kinds: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    layouts: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    art = traitlets.Unicode().tag(sync=True)
    cards: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)  # how they look; notes come in messages
    topics: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)  # what a starter map can be about
    limits = traitlets.Dict(LIMITS).tag(sync=True)

    def __init__(
        self,
        game: str,
        name: str = "map",
        language: str = LANGUAGES[0],
        *,
        table: "Table | None" = None,
        journal: Journal | None = None,
    ) -> None:
        if game and game not in GAMES:
            raise ValueError(f"there is no game {game!r}; the games are {', '.join(GAMES)}")
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        if table is not None and table.game != game:
            raise ValueError(f"this map is about {game or 'no game'}, and the table plays {table.game}")
        art = Path(__file__).parents[2] / "games" / game / "art.svg"
        super().__init__(
            key=f"{game}/{name}",
            game=game,
            language=language,
            words={
                id.removeprefix("map.").removeprefix("ui."): each[language]
                for id, each in texts().items()
                if id.startswith(UI)
            },
            focus=focus(game, language),
            kinds=[{"name": kind, "phrase": words} for kind, words in vocabulary(game, language).items()],
            layouts=[{"name": each, "label": text(f"map.layout.{each}", language)} for each in LAYOUTS],
            art=art.read_text(encoding="utf-8") if art.exists() else "",
            cards=[{"card": each.card, "symbol": each.symbol, "tone": each.tone} for each in cards(game, language)],
            topics=[{"about": about, "label": label} for about, label in topics(game, language)],
        )


def mind_map(game: str, name: str = "map", language: str = LANGUAGES[0], *, table: "Table | None" = None) -> MapEditor:
    """Return the cell to draw a mind map in: ``mind_map("wikipedia", "after the match")``.

    :param table: whose game it is.
    """
    return MapEditor(game, name, language, table=table)
