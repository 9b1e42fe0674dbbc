"""The mind-map editor as a widget, in a notebook cell or under Voilà."""

from typing import TYPE_CHECKING, Any

import traitlets

from coursekit.cells.message_widget import MessageWidget
from coursekit.cells.static_bundle import wrap_in_layer
from coursekit.core.page_messages import Message
from coursekit.journal.journal import Journal
from coursekit.kit import kit_of
from coursekit.maps.editor import Editor
from coursekit.maps.editor_setting import map_setting
from coursekit.maps.map_json import Json
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import with_question
from coursekit.maps.static_files import one_file
from coursekit.table.run import StaleError
from coursekit.words.language import current_language
from coursekit.words.texts import check_language

if TYPE_CHECKING:
    import networkx as nx

    from coursekit.core.game import Game
    from coursekit.figures import Picture
    from coursekit.table import Table

PANELS = ["look", "compare", "merge", "files"]


class MapEditor(MessageWidget):
    """A mind map to draw, kept in the journal under the name of the game and its own.

    :param game: a game's name, or ``""`` for a map of anything else.
    :param name: tells several maps of one game apart.
    :param table: the table of the game; the starter map follows its options.
    :param journal: where the map is kept; see :class:`~coursekit.journal.journal.Journal`.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    messages = Editor.messages
    # A map travels in messages, not in traits, so a saved notebook never holds one.
    _esm = one_file("js")
    _css = wrap_in_layer(one_file("css"))
    key = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    setting = traitlets.Dict().tag(sync=True)
    panels: "traitlets.List[str]" = traitlets.List(PANELS).tag(sync=True)

    def __init__(
        self,
        game: str,
        name: str = "map",
        language: str | None = None,
        *,
        table: "Table | None" = None,
        journal: Journal | None = None,
    ) -> None:
        language = language or current_language()
        if game:
            kit_of(game)
        check_language(language)
        if table is not None and table.game != game:
            raise ValueError(
                f"this map is about {game or 'no game'}, and the table plays {table.game}"
            )
        self._table = table
        key = f"{game}/{name}"
        super().__init__(key=key, language=language, setting=map_setting(game, language))
        self.game = game
        self._editor = Editor(game, key, language, journal, self._tell_page, self._rules)

    def _tell_page(self, message: Json) -> None:
        self.send(message)

    @property
    def map(self) -> MindMap:
        """A copy of the map as it is now; to change what the cell shows, see :meth:`put`."""
        return self._editor.map

    def graph(self) -> "nx.MultiDiGraph[str]":
        """Return the map as a graph for computing; see :meth:`MindMap.graph`."""
        return self.map.graph()

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the cell show *graph*, which can be undone there; see :meth:`MindMap.put`.

        :raises MapError: if that is no proper map; the cell stays as it was.
        """
        self._editor.put(graph)

    def picture(self) -> "Picture":
        """Return a drawing of the map for another cell or a report."""
        from coursekit.maps.drawing import draw_map

        return draw_map(with_question(self.map, self.game, self.language), self.language)

    def _rules(self) -> "Game[Any, Any, Any] | str":
        """Return the game at the table, or its name if the table cannot tell it."""
        try:
            return self._table.match.game if self._table is not None else self.game
        except StaleError:  # several people play
            return self.game

    def deliver(self, message: Message, sender: str, data: list[bytes]) -> Json | None:
        answer: Json | None = message.deliver(self._editor)
        return answer


def mind_map(
    game: str, name: str = "map", language: str | None = None, *, table: "Table | None" = None
) -> MapEditor:
    """Return a cell to draw a mind map in: ``mind_map("wikipedia", "after the match")``.

    :param table: the table of the game.
    """
    language = language or current_language()
    return MapEditor(game, name, language, table=table)
