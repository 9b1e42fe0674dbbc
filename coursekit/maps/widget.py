"""The mind-map editor as a widget, in a notebook cell or under Voilà."""

import logging
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from coursekit.cells.static_bundle import wrap_in_layer
from coursekit.journal.journal import Journal
from coursekit.kit import kit_of
from coursekit.maps.editor import Editor
from coursekit.maps.elements import CONCEPTS, LONG, RELATIONS, SHORT, SIDE
from coursekit.maps.file_reader import LARGEST_FILE
from coursekit.maps.layout import LAYOUTS
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import (
    about_rules,
    examples,
    focus_question,
    map_cards,
    starter_topics,
    vocabulary,
)
from coursekit.maps.static_files import one_file
from coursekit.table.run import StaleError
from coursekit.words.texts import LANGUAGES, text
from coursekit.words.texts import load_texts as texts

if TYPE_CHECKING:
    import networkx as nx

    from coursekit.core.game import Game
    from coursekit.figures import Picture
    from coursekit.table import Table

UI = ("map.ui.", "map.outline.", "map.panel.")
"""Texts that the page itself uses, under the names `undo`, `outline.add`, `panel.name`."""
log = logging.getLogger(__name__)
LIMITS = {
    "concepts": CONCEPTS,
    "relations": RELATIONS,
    "label": SHORT,
    "note": LONG,
    "side": SIDE,
    "file": LARGEST_FILE,
}
"""Limits that the page knows: things in a map, characters of a text, the largest coordinate, bytes
of a file.
"""


class MapEditor(anywidget.AnyWidget):
    """A mind map to draw, kept in the journal under the name of the game and its own.

    :param game: a game's name, or ``""`` for a map of anything else.
    :param name: tells several maps of one game apart.
    :param table: the table of the game; the starter map follows its options.
    :param journal: where the map is kept; see :class:`~coursekit.journal.journal.Journal`.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    # A map travels in messages, not in traits, so a saved notebook never holds one.
    _esm = one_file("js")
    _css = wrap_in_layer(one_file("css"))
    key = traitlets.Unicode().tag(sync=True)
    game = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    focus = traitlets.Unicode().tag(sync=True)
    kinds: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    layouts: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    art = traitlets.Unicode().tag(sync=True)
    cards: traitlets.List[dict[str, Any]] = traitlets.List().tag(
        sync=True
    )  # their looks; notes come in messages
    topics: traitlets.List[dict[str, str]] = traitlets.List().tag(
        sync=True
    )  # topics of starter maps
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
            raise ValueError(
                f"this map is about {game or 'no game'}, and the table plays {table.game}"
            )
        self._editor = Editor(game, f"{game}/{name}", language, journal, self.send, self._rules)
        self._table = table
        ends = {
            kind: {"start": start, "end": end}
            for kind, (start, end) in examples(game, language).items()
        }
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
            focus=focus_question(game, language),
            kinds=[
                {
                    "name": kind,
                    "phrase": words,
                    **ends.get(kind, {}),
                    **({"rule": "yes"} if kind in rules else {}),
                }
                for kind, words in vocabulary(game, language).items()
            ],
            layouts=[
                {"name": each, "label": text(f"map.layout.{each}", language)} for each in LAYOUTS
            ],
            art=kit.drawings() if kit else "",
            cards=[
                {"card": each.card, "symbol": each.symbol, "tone": each.tone}
                for each in map_cards(game, language)
            ],
            topics=[
                {"about": about, "label": label} for about, label in starter_topics(game, language)
            ],
            starter=kit is not None and kit.load_lesson().map is not None,
        )
        self.on_msg(self._on_message)

    @property
    def map(self) -> MindMap:
        """A copy of the map as it is now; to change what the cell shows, see :meth:`put`."""
        return self._editor.map

    def graph(self) -> "nx.MultiDiGraph[str]":
        """Return the map as a graph for computing; see :meth:`MindMap.graph`."""
        return self._editor.graph()

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the cell show *graph* at once, as one step that can be undone; see
        :meth:`MindMap.put`.

        :raises MapError: if that is no proper map; the cell stays as it was.
        """
        self._editor.put(graph)

    def picture(self) -> "Picture":
        """Return a drawing of the map for another cell or a report."""
        return self._editor.picture()

    def _rules(self) -> "Game[Any, Any, Any] | str":
        """Return the game at the table, or its name if the table cannot tell it."""
        try:
            return self._table.match.game if self._table is not None else self.game
        except StaleError:  # several people play
            return self.game

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        try:
            reply = self._editor.answer(content)
        except Exception as error:  # a mistake in the kit
            log.exception("the map could not answer %s", content.get("type"))
            line = traceback.extract_tb(error.__traceback__)[-1]
            where = {
                "file": Path(line.filename).name,
                "line": line.lineno,
                "kind": type(error).__name__,
            }
            words = text("map.broken", self.language, **where)
            reply = {"type": "refused", "n": content.get("n"), "text": words, "about": None}
        if reply is not None:
            self.send(reply)


def mind_map(
    game: str, name: str = "map", language: str = LANGUAGES[0], *, table: "Table | None" = None
) -> MapEditor:
    """Return a cell to draw a mind map in: ``mind_map("wikipedia", "after the match")``.

    :param table: the table of the game.
    """
    return MapEditor(game, name, language, table=table)
