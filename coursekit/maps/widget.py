"""The mind-map editor as a widget, in a notebook cell or under Voilà."""

import logging
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from coursekit.cells.static import CELL_STYLE
from coursekit.journal.journal import Journal
from coursekit.kit import kit_of
from coursekit.maps.editor import Editor
from coursekit.maps.layout import LAYOUTS
from coursekit.maps.mindmap import MindMap
from coursekit.maps.page import one_file
from coursekit.maps.parts import CONCEPTS, LONG, RELATIONS, SHORT, SIDE
from coursekit.maps.reading import LARGEST
from coursekit.maps.starters import about_rules, cards, examples, focus, topics, vocabulary
from coursekit.table.run import Stale
from coursekit.words.texts import LANGUAGES, text
from coursekit.words.texts import table as texts

if TYPE_CHECKING:
    import networkx as nx

    from coursekit.core.game import Game
    from coursekit.figures import Picture
    from coursekit.table import Table

UI = ("map.ui.", "map.outline.", "map.panel.")
"""Texts that the browser says by itself; there they are called `undo`, `outline.add`, `panel.name`."""
log = logging.getLogger(__name__)
LIMITS = {"concepts": CONCEPTS, "relations": RELATIONS, "label": SHORT, "note": LONG, "side": SIDE, "file": LARGEST}
"""How many of what fit into a map, characters of its texts, the largest part of a place, and bytes of a file."""


class MapEditor(anywidget.AnyWidget):
    """A mind map to draw, kept in the journal under the name of the game and its own.

    :param game: a game's name, or ``""`` for a map of anything else.
    :param name: tells apart several maps of one game.
    :param table: whose game it is; the map begins with the options played there.
    :param journal: where it is kept; see :class:`~coursekit.journal.journal.Journal`.
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
    starter = traitlets.Bool().tag(sync=True)

    def __init__(
        self,
        game: str,
        name: str = "map",
        language: str = LANGUAGES[0],
        *,
        table: "Table | None" = None,
        journal: Journal | None = None,
    ) -> None:
        kit = kit_of(game) if game else None
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        if table is not None and table.game != game:
            raise ValueError(f"this map is about {game or 'no game'}, and the table plays {table.game}")
        self._editor = Editor(game, f"{game}/{name}", language, journal, self.send, self._rules)
        self._table = table
        ends = {kind: {"start": start, "end": end} for kind, (start, end) in examples(game, language).items()}
        rules = about_rules(game)
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
            kinds=[
                {"name": kind, "phrase": words, **ends.get(kind, {}), **({"rule": "yes"} if kind in rules else {})}
                for kind, words in vocabulary(game, language).items()
            ],
            layouts=[{"name": each, "label": text(f"map.layout.{each}", language)} for each in LAYOUTS],
            art=kit.drawings() if kit else "",
            cards=[{"card": each.card, "symbol": each.symbol, "tone": each.tone} for each in cards(game, language)],
            topics=[{"about": about, "label": label} for about, label in topics(game, language)],
            starter=kit is not None and kit.taught().map is not None,
        )
        self.on_msg(self._on_message)

    @property
    def map(self) -> MindMap:
        """The map as it is now, a copy: what is done to it does not show in the cell, see :meth:`put`."""
        return self._editor.map

    def graph(self) -> "nx.MultiDiGraph[str]":
        """Return the map as a graph to count and compute with; see :meth:`MindMap.graph`."""
        return self._editor.graph()

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Let the cell show *graph* at once, as one step that can be undone; see :meth:`MindMap.put`.

        :raises MapError: if that is no proper map; nothing is changed then.
        """
        self._editor.put(graph)

    def picture(self) -> "Picture":
        """Return a drawing of the map, for a cell of its own or a report."""
        return self._editor.picture()

    def _rules(self) -> "Game[Any, Any, Any] | str":
        """Return the game played at the table, or the name of the game where that cannot be told."""
        try:
            return self._table.match.game if self._table is not None else self.game
        except Stale:  # several people play
            return self.game

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        try:
            reply = self._editor.answer(content)
        except Exception as error:  # a mistake in the kit
            log.exception("the map could not answer %s", content.get("type"))
            line = traceback.extract_tb(error.__traceback__)[-1]
            where = {"file": Path(line.filename).name, "line": line.lineno, "kind": type(error).__name__}
            words = text("map.broken", self.language, **where)
            reply = {"type": "refused", "n": content.get("n"), "text": words, "about": None}
        if reply is not None:
            self.send(reply)


def mind_map(game: str, name: str = "map", language: str = LANGUAGES[0], *, table: "Table | None" = None) -> MapEditor:
    """Return the cell to draw a mind map in: ``mind_map("wikipedia", "after the match")``.

    :param table: whose game it is.
    """
    return MapEditor(game, name, language, table=table)
