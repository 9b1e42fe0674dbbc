"""The debrief: what is worth talking about after a match, or after those of a class, with its questions.

The moments are computed by the game's module ``debrief``; :mod:`coursekit.moment` says how.
"""

import copy
import logging
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import anywidget
import traitlets

from coursekit.controls import CELL_STYLE
from coursekit.figures import Picture
from coursekit.game import FileError, Seat
from coursekit.games import GAMES
from coursekit.match import Match, replay
from coursekit.moment import Moment, Played
from coursekit.records import LARGEST, Content, files_in, gathered
from coursekit.reflect import timings
from coursekit.reflect.cells import STATIC
from coursekit.reflect.debriefpage import body, page
from coursekit.reflect.journal import Journal, JournalError
from coursekit.reflect.kept import KeptMatch
from coursekit.reflect.ontable import OnTable, Unseen, sent
from coursekit.static import Parts, one_file
from coursekit.texts import LANGUAGES, said, text
from coursekit.texts import table as texts

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Parts = {"js": ("cell", "timer", "debrief"), "css": ("timer", "debrief")}
TEXTS = "debrief."
SAID_THERE = (
    "heading", "order", "path.feel", "path.happened", "path.means", "path.now", "feel.title", "feel.ask", "now.title",
    "now.ask", "which", "choose", "nameless", "looking", "offline", "back", "next", "question", "count",
    "all", "one", "big", "small", "print", "spoken", "drawing",
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


def moments(game: str, matches: Sequence[Match | Played], language: str = LANGUAGES[0]) -> Moments:
    """Return what is worth talking about in *matches* of *game*, best first; nothing if the game tells nothing.

    :param matches: a bare one is one of which nobody knows who played: all its players count.
    :raises ValueError: for an unknown game or language, or matches of another game.
    """
    _check(game, language)
    played = [each if isinstance(each, Played) else Played(each) for each in matches]
    for each in played:
        if each.match.game.name != game:
            raise ValueError(f"these are the moments of {game}, and one of the matches is of {each.match.game.name}")
    name = f"coursekit.games.{game}.debrief"
    module = import_module(name) if find_spec(name) else None
    return Moments(module.moments(played, language) if module else [], language)


def nameless(match: Match, language: str) -> Match:
    """Return *match* with every player called the same."""
    other = copy.copy(match)
    other.names = (text(f"{TEXTS}player", language),) * match.game.players
    return other


class Chosen(NamedTuple):
    """The matches to talk about."""

    played: Sequence[Played] = ()
    refused: Sequence[FileError] = ()
    why: str = ""  # there are none, as a sentence


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
    largest = traitlets.Int(LARGEST).tag(sync=True)

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
        self._game = game
        self._table = OnTable(table, self._moved) if table is not None else None
        self._folder = None if folder is None else Path(folder)
        self._journal = journal or Journal()
        self._files: list[tuple[str, Content]] = []
        self._left = 0  # files that were chosen and are too many
        self._shown: tuple[Any, list[Picture]] = None, []  # the number of the last look, and its pictures
        known = {**texts(), **texts(game)}  # a game may word the first and the last step anew
        words = {name: known[TEXTS + name][language] for name in SAID_THERE}
        super().__init__(language=language, words=words, strip=timings.strip("pair", language))
        self.on_msg(self._on_message)

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        kind, source, names = content.get("type"), content.get("from"), content.get("names") is not False
        if kind == "open":
            self._send_sources()
        elif kind == "file" and isinstance(content.get("name"), str) and isinstance(content.get("text"), str | None):
            self._take(content)
        elif kind == "look" and isinstance(source, str):
            self._send_moments(source, names, content.get("n"))
        elif kind == "draw" and type(which := content.get("picture")) is int:
            self._send_picture(content.get("n"), which)
        elif kind == "page" and isinstance(source, str):
            self._send_page(source, names)

    # Where matches come from

    def _take(self, content: dict[str, Any]) -> None:
        """Keep one of the files chosen in the browser, without its words if they are too many."""
        if content.get("first"):
            self._files.clear()
            self._left = 0
        words = content["text"]
        if len(self._files) < MOST_FILES:
            self._files.append((content["name"], words if words is not None and len(words) <= LARGEST else None))
        else:
            self._left += 1
        if type(left := content.get("left")) is int:  # the browser has not sent them
            self._left += max(0, left)
        if content.get("last"):
            self._send_sources(FILES)

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

    def _chosen(self, source: str, names: bool) -> Chosen:
        """Return the matches of *source*."""
        try:
            if source == TABLE and self._table is not None:
                return Chosen([self._table.look()])
            if source == FOLDER and self._folder is not None:
                return self._read(files_in(self._folder), names)
            if source == KEPT and (kept := self._kept()):
                return self._read([(each.saved, each.record) for each in kept], True, [each.people for each in kept])
            if source == FILES and self._files:
                return self._read(self._files, names)
        except Unseen as unseen:
            return Chosen(why=text(f"{TEXTS}{unseen.why}", self.language))
        except FileError as error:
            return Chosen(why=error.sentence(self.language))
        nothing = "debrief.nothing_kept" if source == KEPT else "debrief.nothing_chosen"
        return Chosen(why=text(nothing, self.language))

    def _read(self, files: Sequence[tuple[str, Content]], names: bool, people: Iterable[Sequence[Seat]] = ()) -> Chosen:
        """Return the matches in *files*.

        :param names: whether files are named; else they are numbered, since many a file is called after a pupil.
        :param people: who played each of them, if that is known.
        """
        if not names:
            files = [(text(f"{TEXTS}file_number", self.language, number=number), content)
                     for number, (_, content) in enumerate(files, 1)]  # fmt: skip
        who = dict(zip((name for name, _ in files), people))
        found = gathered(files, self._game)
        played = [Played(match, [seat for seat in match.game.seats if seat in who.get(name, ())])
                  for name, match in zip(found.names, found.matches)]  # fmt: skip
        return Chosen(played, found.refused, "" if played else text(f"{TEXTS}nothing_usable", self.language))

    # What is worth talking about in them

    def _send_moments(self, source: str, names: bool, number: Any) -> None:
        """Send sentences; the browser asks for each picture when it is shown, as drawing takes its time."""
        chosen, found, why = self._found(source, names)
        pictures: list[Picture] = []
        told = []
        for moment in found:
            parts: list[dict[str, Any]] = []
            for part in moment.parts:
                if isinstance(part, Picture):
                    parts.append({"picture": len(pictures)})
                    pictures.append(part)
                else:
                    parts.append(sent(part))
            told.append(moment._asdict() | {"parts": parts})
        self._shown = number, pictures
        refused = [each.sentence(self.language) for each in chosen.refused]
        if source == FILES and self._left:
            refused.append(text(f"{TEXTS}more_files", self.language, allowed=MOST_FILES, left=self._left,
                                got=MOST_FILES + self._left))  # fmt: skip
        head = text(f"{TEXTS}refused", self.language, count=len(chosen.refused) + self._left * (source == FILES))
        answer = {"about": self._about(chosen.played), "refused": refused, "refused_head": head, "why": why}
        self.send({"type": "moments", "n": number, "moments": told, **answer})

    def _send_picture(self, number: Any, which: int) -> None:
        """Draw picture *which* of the moments that were sent last, and send it."""
        now, pictures = self._shown
        if number != now or not 0 <= which < len(pictures):
            return
        try:
            part = sent(pictures[which])
        except Exception as error:  # a mistake in the kit
            log.exception("no picture of %s", self._game)
            part = {"text": text(f"{TEXTS}undrawn", self.language, kind=type(error).__name__)}
        self.send({"type": "picture", "n": number, "picture": which, "part": part})

    def _found(self, source: str, names: bool) -> tuple[Chosen, Moments, str]:
        """Return the matches of *source*, their moments, and why there are none."""
        chosen = self._chosen(source, names)
        try:
            played = chosen.played
            if source == TABLE:  # it goes on while pictures of this moment are still to be drawn
                played = [each._replace(match=replay(each.match.record(), game=each.match.game)) for each in played]
            if not names:
                played = [each._replace(match=nameless(each.match, self.language)) for each in played]
            found = moments(self._game, played, self.language)
        except Exception as error:  # a mistake in the kit; its words might name cards
            log.exception("no debrief of %s", self._game)
            why = text(f"{TEXTS}broken", self.language, kind=type(error).__name__)
            return chosen, Moments([], self.language), why
        return chosen, found, chosen.why or ("" if found else text(f"{TEXTS}nothing", self.language))

    def _about(self, played: Sequence[Played]) -> str:
        """Return which matches are talked about, and whose deeds in them count."""
        matches = [each.match for each in played]
        over = sum(each.over for each in matches)
        if not matches:
            return ""
        words = text(f"{TEXTS}about.many", self.language, matches=len(matches), over=over)
        if len(matches) == 1:
            state = text(f"{TEXTS}about.{'over' if over else 'running'}", self.language)
            words = text(f"{TEXTS}about.one", self.language, players=matches[0].game.players, state=state)
        people = sum(len(each.people) for each in played)
        computers = sum(each.game.players for each in matches) - people
        if not all(each.people for each in played):
            who = text(f"{TEXTS}who.unknown", self.language)
        else:
            who = text(f"{TEXTS}who.mixed", self.language, people=people, computers=computers) if computers else ""
        return (" " if self.language == "en" else "").join(filter(None, (words, who)))

    def _send_page(self, source: str, names: bool) -> None:
        chosen, found, why = self._found(source, names)
        title = text(f"{TEXTS}title", self.language, game=said(self._game, "title", self.language))
        name = text(f"{TEXTS}file", self.language)
        content = page(title, why or self._about(chosen.played), found, self.language, self.words)
        self.send({"type": "file", "name": f"{name}.html", "mime": "text/html", "text": content})

    def _moved(self) -> None:
        self.send({"type": "moved"})


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
