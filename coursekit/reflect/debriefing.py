"""The debrief: what is worth talking about after a match, or after those of a class, with its questions.

The moments are computed by the game's module ``debrief``; :mod:`coursekit.moment` says how.
"""

import copy
import logging
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import anywidget
import traitlets

from coursekit.controls import CELL_STYLE
from coursekit.game import FileError, Seat
from coursekit.games import GAMES
from coursekit.moment import Moment
from coursekit.records import Records, gathered, in_folder
from coursekit.reflect import timings
from coursekit.reflect.cells import STATIC
from coursekit.reflect.debriefpage import body, page
from coursekit.reflect.journal import Journal, JournalError
from coursekit.reflect.kept import KeptMatch
from coursekit.static import Parts, one_file
from coursekit.table.host import Stale
from coursekit.texts import LANGUAGES, said, text
from coursekit.texts import table as texts

if TYPE_CHECKING:
    from coursekit.match import Match
    from coursekit.table import Table

PARTS: Parts = {"js": ("cell", "timer", "debrief"), "css": ("timer", "debrief")}
TEXTS = "debrief."
SAID_THERE = (
    "heading", "order", "path.feel", "path.happened", "path.means", "path.now", "feel.title", "feel.ask", "now.title",
    "now.ask", "which", "choose", "nameless", "looking", "offline", "back", "next", "question", "count",
    "all", "one", "big", "small", "print",
)  # fmt: skip
"""The texts that the browser says by itself."""
TABLE, KEPT, FOLDER, FILES = "table", "kept", "folder", "files"
"""Where matches come from."""
MOST_FILES = 200
"""So many files can be chosen at once."""
log = logging.getLogger(__name__)


class Moments(list[Moment]):
    """Moments, which show themselves as a page in a notebook."""

    def __init__(self, moments: Sequence[Moment], language: str) -> None:
        super().__init__(moments)
        self.language = language

    def _repr_html_(self) -> str:
        return body(self, self.language)


def moments(
    game: str, matches: "Sequence[Match]", language: str = LANGUAGES[0], people: Sequence[Seat] = ()
) -> Moments:
    """Return what is worth talking about in *matches* of *game*, best first; nothing if the game tells nothing.

    :param people: while a match runs, the seats whose hands may be told; all if it is empty.
    :raises ValueError: for an unknown game or language, or matches of another game.
    """
    _check(game, language)
    for match in matches:
        if match.game.name != game:
            raise ValueError(f"these are the moments of {game}, and one of the matches is of {match.game.name}")
    name = f"coursekit.games.{game}.debrief"
    module = import_module(name) if find_spec(name) else None
    return Moments(module.moments(matches, language, people) if module else [], language)


def nameless(match: "Match", language: str) -> "Match":
    """Return *match* with every player called the same."""
    other = copy.copy(match)
    other.names = (text(f"{TEXTS}player", language),) * match.game.players
    return other


class Chosen(NamedTuple):
    """The matches to talk about."""

    matches: "Sequence[Match]"
    people: Sequence[Seat] = ()
    refused: Sequence[FileError] = ()
    why: str = ""  # there are none, as a sentence

    @classmethod
    def of(cls, found: Records, language: str) -> "Chosen":
        return cls(found.matches, (), found.refused, "" if found.matches else text(f"{TEXTS}nothing_usable", language))


class Debrief(anywidget.AnyWidget):
    """The moments of one match or of many, one after the other, big enough for a whole class.

    Of a match that several people still play nothing reaches the browser but a sentence that says so.

    :param table: whose match can be looked at.
    :param folder: with records of a class, read anew whenever it is looked at.
    :param journal: whose matches can be looked at; see :class:`~coursekit.reflect.journal.Journal`.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    # What happened in matches travels in messages, not in traits, and so never gets into a saved notebook.
    _esm = one_file(STATIC, PARTS, "js")
    _css = CELL_STYLE + one_file(STATIC, PARTS, "css")
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    strip = traitlets.Dict().tag(sync=True)
    most = traitlets.Int(MOST_FILES).tag(sync=True)

    def __init__(
        self,
        game: str,
        language: str = LANGUAGES[0],
        *,
        table: "Table | None" = None,
        folder: str | Path | None = None,
        journal: Journal | None = None,
    ) -> None:
        _check(game, language)
        if table is not None and table.game != game:
            raise ValueError(f"this debrief is about {game}, and the table plays {table.game}")
        self._game, self._table = game, table
        self._folder = None if folder is None else Path(folder)
        self._journal = journal or Journal()
        self._files: list[tuple[str, str]] = []
        self._looked_at: tuple[Any, ...] = ()
        known = {**texts(), **texts(game)}  # a game may word the first and the last step anew
        words = {name: known[TEXTS + name][language] for name in SAID_THERE}
        super().__init__(language=language, words=words, strip=timings.strip("pair", language))
        self.on_msg(self._on_message)
        if table is not None:
            table.observe(self._moved, "view")

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        kind, source, names = content.get("type"), content.get("from"), content.get("names") is not False
        if kind == "open":
            self._send_sources()
        elif kind == "file" and isinstance(content.get("name"), str) and isinstance(content.get("text"), str):
            if content.get("first"):
                self._files.clear()
            if len(self._files) < MOST_FILES:
                self._files.append((content["name"], content["text"]))
            if content.get("last"):
                self._send_sources(FILES)
        elif kind == "look" and isinstance(source, str):
            self._send_moments(source, names, content.get("n"))
        elif kind == "page" and isinstance(source, str):
            self._send_page(source, names)

    # Where matches come from

    def _kept(self) -> list[KeptMatch]:
        """Return the matches of the journal that may be told: not those that several people still play."""
        try:
            kept = self._journal.matches(self._game)
        except JournalError:
            return []
        return [each for each in kept if each.over or len(each.people) < 2]

    def _send_sources(self, now: str = "") -> None:
        found = []
        if self._table is not None:
            found.append((TABLE, text(f"{TEXTS}source.table", self.language)))
        if kept := self._kept():
            found.append((KEPT, text(f"{TEXTS}source.kept", self.language, count=len(kept))))
        if self._folder is not None:
            found.append((FOLDER, text(f"{TEXTS}source.folder", self.language, folder=self._folder.name)))
        if self._files or not found:
            found.append((FILES, text(f"{TEXTS}source.files", self.language, count=len(self._files))))
        sources = [{"value": value, "label": label} for value, label in found]
        self.send({"type": "sources", "sources": sources, "now": now})

    def _chosen(self, source: str) -> Chosen:
        """Return the matches of *source*."""
        try:
            if source == TABLE and self._table is not None:
                return self._on_table(self._table)
            if source == FOLDER and self._folder is not None:
                return Chosen.of(in_folder(self._folder, self._game), self.language)
            if source == KEPT and (kept := self._kept()):
                files = [(each.saved, each.record) for each in kept]
                found = Chosen.of(gathered(files, self._game), self.language)
                return found._replace(people=kept[0].people) if len(kept) == 1 else found
            if source == FILES and self._files:
                return Chosen.of(gathered(self._files, self._game), self.language)
        except FileError as error:
            return Chosen((), why=error.sentence(self.language))
        nothing = "debrief.nothing_kept" if source == KEPT else "debrief.nothing_chosen"
        return Chosen((), why=text(nothing, self.language))

    def _on_table(self, table: "Table") -> Chosen:
        if not table.view["kept"]:
            return Chosen((), why=text(f"{TEXTS}not_played", self.language))
        try:
            return Chosen([table.match], table.people)
        except Stale:  # several people play
            return Chosen((), why=text(f"{TEXTS}private", self.language))

    # What is worth talking about in them

    def _send_moments(self, source: str, names: bool, number: Any) -> None:
        if source == TABLE and self._table is not None:
            self._looked_at = self._moment(self._table)
        chosen, found, why = self._found(source, names)
        told = [each._asdict() | {"parts": [_part(part) for part in each.parts]} for each in found]
        refused = [each.sentence(self.language) for each in chosen.refused]
        head = text(f"{TEXTS}refused", self.language, count=len(refused))
        answer = {"about": self._about(chosen.matches), "refused": refused, "refused_head": head, "why": why}
        self.send({"type": "moments", "n": number, "moments": told, **answer})

    def _found(self, source: str, names: bool) -> tuple[Chosen, Moments, str]:
        """Return the matches of *source*, their moments, and why there are none."""
        chosen = self._chosen(source)
        try:
            matches = chosen.matches if names else [nameless(each, self.language) for each in chosen.matches]
            found = moments(self._game, matches, self.language, chosen.people)
        except Exception as error:  # a mistake in the kit; its words might name cards
            log.exception("no debrief of %s", self._game)
            why = text(f"{TEXTS}broken", self.language, kind=type(error).__name__)
            return chosen, Moments([], self.language), why
        return chosen, found, chosen.why or ("" if found else text(f"{TEXTS}nothing", self.language))

    def _about(self, matches: "Sequence[Match]") -> str:
        over = sum(each.over for each in matches)
        if len(matches) == 1:
            state = text(f"{TEXTS}about.{'over' if over else 'running'}", self.language)
            return text(f"{TEXTS}about.one", self.language, players=matches[0].game.players, state=state)
        return text(f"{TEXTS}about.many", self.language, matches=len(matches), over=over) if matches else ""

    def _send_page(self, source: str, names: bool) -> None:
        chosen, found, why = self._found(source, names)
        title = text(f"{TEXTS}title", self.language, game=said(self._game, "title", self.language))
        name = text(f"{TEXTS}file", self.language)
        content = page(title, why or self._about(chosen.matches), found, self.language, self.words)
        self.send({"type": "file", "name": f"{name}.html", "mime": "text/html", "text": content})

    def _moment(self, table: "Table") -> tuple[Any, ...]:
        """Return what tells one moment of the table from another."""
        return tuple(table.view.get(part) for part in ("match", "branch", "entries", "kept"))

    def _moved(self, change: Any) -> None:
        """Tell the browser once that the table has moved on since it was last looked at."""
        if self._table is not None and self._looked_at and self._looked_at != self._moment(self._table):
            self._looked_at = ()
            self.send({"type": "moved"})


def _part(part: Any) -> dict[str, str]:
    return {"html": part._repr_html_()} if hasattr(part, "_repr_html_") else {"text": part}


def _check(game: str, language: str) -> None:
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; the games are {', '.join(GAMES)}")
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")


def debrief(
    game: str, language: str = LANGUAGES[0], *, table: "Table | None" = None, folder: str | Path | None = None
) -> Debrief:
    """Return the cell with what is worth talking about in matches of *game*.

    They come from *table*, from the journal, from the records in *folder*, or from files chosen in the cell.
    """
    return Debrief(game, language, table=table, folder=folder)
