"""What the page of a mind map may ask of the kernel, and the answers.

The page owns the map: it draws, undoes and lays out by itself, and sends what has changed.
"""

import base64
import binascii
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from coursekit.core.chance import new_seed
from coursekit.core.game import Game
from coursekit.core.page_messages import MessageError, Messages
from coursekit.journal.journal import Journal, JournalError
from coursekit.maps import map_json
from coursekit.maps.comparison import Merged, compare, merge
from coursekit.maps.elements import SHORT, MapError, clean, diff
from coursekit.maps.file_reader import LARGEST_FILE, MapFileError, read_with_notice
from coursekit.maps.file_writer import write_map
from coursekit.maps.journal_map import JournalMap, parse_map
from coursekit.maps.map_json import Json
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import game_kinds, starter_map, with_question
from coursekit.maps.static_files import packed_library
from coursekit.words.language import current_language
from coursekit.words.texts import shorten, text

if TYPE_CHECKING:
    import networkx as nx

FILES = 100
"""Maps of a class that can be merged, at most."""
PAIRS = 500
"""Pairs of words that can be treated as the same, at most; the latest count."""
Form = Literal["json", "graphml", "csv", "outline", "svg"]
DOWNLOADS: dict[Form, tuple[str, str]] = {
    "json": ("json", "application/json"),
    "graphml": ("graphml", "application/graphml+xml"),
    "csv": ("csv", "text/csv"),
    "outline": ("md", "text/markdown"),
    "svg": ("svg", "image/svg+xml"),
}
"""Files to download: ending and MIME type of each."""


class SentFile(NamedTuple):
    """A file that the page sends; its content is base64."""

    name: str
    content: str

    @property
    def short_name(self) -> str:
        """The end of its name, for a sentence."""
        return clean(self.name)[-SHORT:]

    @property
    def data(self) -> bytes:
        """Its bytes.

        :raises MapFileError: if there are too many.
        """
        if len(self.content) > LARGEST_FILE * 4 // 3 + 4:
            limit = LARGEST_FILE // 1_000_000
            raise MapFileError("map.file.large", file=self.short_name, allowed=limit)
        try:
            return base64.b64decode(self.content, validate=True)
        except (binascii.Error, ValueError):
            raise MessageError from None


class Editor:
    """The editor of the map *key* of *journal*; editors with the same key share the map.

    :param game: name of a game, ``""`` for none.
    :param send: called with messages that answer no question.
    :param rules: returns the game for the starter map; by default the name, for its standard rules.
    """

    messages = Messages()

    def __init__(
        self,
        game: str,
        key: str,
        language: str | None = None,
        journal: Journal | None = None,
        send: Callable[[Json], None] = lambda message: None,
        rules: Callable[[], Game[Any, Any, Any] | str] | None = None,
    ) -> None:
        language = language or current_language()
        self.game = game
        self.key = key
        self.language = language
        self.send = send
        self._rules = rules or (lambda: game)
        self.source = JournalMap.shared(journal or Journal(), key)
        self.source.cells.add(self)
        # A part of the names of files, so that a class can keep its files in one folder.
        self._code = new_seed()[:4]
        self._same: list[list[str]] = []
        self._compared: tuple[str, MindMap] | None = None  # the map compared last, with its name
        self._merged: Merged | None = None  # the class merged last

    # For a notebook

    @property
    def map(self) -> MindMap:
        """A copy of the map as it is now; to change the map, see :meth:`put`."""
        return self.source.map.copy()

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the map show *graph*; see :meth:`MindMap.put`.

        :raises MapError: if that is no proper map; the map stays as it was.
        """
        draft = self.map
        draft.put(graph)
        self.send(self._show(draft))

    # The map

    @messages.handle(kind="library")
    def give_library(self) -> Json:
        """Answer with the script that draws, which a page loads once it shows a map."""
        return {"type": "library", "code": packed_library()}

    @messages.handle(kind="open")
    def open_map(self) -> Json:
        before = self.source.map
        self.source.fetch()
        answer = self.whole()
        if self.source.map is not before:
            self._tell_others(answer)
        return answer

    @messages.handle()
    def leave(self) -> None:
        self.source.save()

    @messages.handle()
    def change(self, changes: dict[str, Any]) -> Json:
        """Take over what has changed on the page.

        :raises MapError: if that leaves no proper map, as another page may have changed it too.
        """
        parsed = map_json.parse_changes(changes)
        self.source.apply(parsed)
        self._tell_others({"type": "changed", "changes": map_json.things_json(parsed)})
        return {"type": "changed", "saving": self.source.unsaved, "other": self.source.other}

    def _show(self, other: MindMap) -> Json:
        """Make all pages show *other* and return the message for this one.

        The journal has the map as it was, for the worst case.
        """
        self.source.save()
        self.source.apply(diff(self.source.map.things, other.things))
        answer = self.whole()
        self._tell_others(answer)
        return answer

    # Whole maps

    @messages.handle(kind="starter")
    def begin_with_starter(self, about: str) -> Json:
        return self._show(starter_map(self._rules(), self.language, about))

    @messages.handle()
    def load(self, file: SentFile) -> Json:
        mind_map, notice = self._read(file)
        answer = self._show(mind_map)
        return answer | {"notice": "\n".join(filter(None, [answer["notice"], notice]))}

    def _read(self, file: SentFile) -> tuple[MindMap, str]:
        """Return the map in *file*, and what its reader should know of it, "" for nothing."""
        mind_map, notice = read_with_notice(file.data, file.short_name)
        if notice is None:
            return mind_map, ""
        about = notice.sentence(self.language)
        return mind_map, text("map.file.about", self.language, file=file.short_name, about=about)

    @messages.handle()
    def export(self, form: Form, of: Literal["", "class"] = "", least: int = 1) -> Json:
        mind_map = self.source.map
        if of:
            if self._merged is None:
                raise MessageError
            mind_map = self._merged.as_map(least, self._merged.focus)
        ending, mime = DOWNLOADS[form]
        data = self._file(mind_map, ending)
        key = re.sub(r"[^\w\- ]", "-", self.key).strip(" -") or "map"
        return {
            "type": "file",
            "name": f"{key}-{of or self._code}.{ending}",
            "mime": mime,
            "content": base64.b64encode(data).decode(),
        }

    def _file(self, mind_map: MindMap, ending: str) -> bytes:
        """Return *mind_map* as a file.

        Forms that cannot be read again always have a question.
        """
        if ending in ("svg", "md"):
            mind_map = with_question(mind_map, self.game, self.language)
        if ending == "svg":
            from coursekit.maps.drawing import draw_map

            return draw_map(mind_map, self.language).svg
        mark = "\ufeff" if ending == "csv" else ""  # for spreadsheets
        return (mark + write_map(mind_map, ending, self.language)).encode("utf-8")

    @messages.handle()
    def keep(self, which: Literal["mine", "other", "both"]) -> Json:
        copies = self.source.settle(which)
        answer = self.whole()
        self._tell_others(answer)
        if copies:
            names = [text("map.kept_as", self.language, name=key) for key in copies]
            answer = answer | {"notice": "\n".join(names)}
        return answer

    # Looking again

    @messages.handle()
    def study(self) -> Json:
        verdicts = self.source.journal.judgements(self.key, self.source.map.sentences)
        return {"type": "studied", **map_json.study_json(self.source.map, verdicts)}

    @messages.handle()
    def judge(self, judge: str, relation: str, word: Literal["", "yes", "partly", "no"]) -> Json:
        self.source.save()
        sentence = self.source.map.sentence(relation)
        self.source.journal.judge(self.key, judge, relation, word, sentence)
        return self.study()

    @messages.handle()
    def compare_starter(self, about: str = "") -> Json:
        starter = starter_map(self._rules(), self.language, about)
        return self._compare(text("map.beside.starter", self.language), starter)

    @messages.handle(kind="maps")
    def list_maps(self) -> Json:
        return {"type": "maps", "maps": self._other_maps()}

    @messages.handle()
    def compare_map(self, key: str) -> Json:
        maps = self.source.journal.maps()
        if key not in maps:
            raise MapError("map.no_map", name=shorten(key))
        return self._compare(key, parse_map(maps[key].text))

    @messages.handle()
    def compare_file(self, file: SentFile) -> Json:
        mind_map, notice = self._read(file)
        return self._compare(file.short_name, mind_map) | {"notice": notice}

    @messages.handle(kind="same")
    def add_same(self, pair: list[str]) -> Json:
        if self._compared is None:
            raise MapError("map.not_compared")
        self._same = [*self._same, pair][-PAIRS:]
        return self._compare(*self._compared)

    def _compare(self, name: str, other: MindMap) -> Json:
        """Compare the map with *other*, also after the next words that mean the same."""
        self._compared = name, other
        result = compare(self.source.map, other, self._same, game_kinds(self.game))
        parts = map_json.comparison_json(self.source.map, other, result, self._same)
        return {"type": "compared", "name": name, **parts}

    @messages.handle(kind="merge")
    def merge_files(self, files: list[dict[str, str]], same: list[list[str]]) -> Json:
        if len(files) > FILES:
            raise MapError("map.too_many_files", got=len(files), limit=FILES)
        maps = list[MindMap]()
        names = list[str]()
        told = list[str]()
        for parts in files:
            file = SentFile(parts.get("name", ""), parts.get("content", ""))
            try:
                mind_map, notice = self._read(file)
            except MapFileError as error:
                told.append(error.sentence(self.language))
                continue
            if notice:
                told.append(notice)
            name = file.short_name
            if mind_map in maps:
                like = names[maps.index(mind_map)]
                told.append(text("map.merged_twice", self.language, file=name, like=like))
            else:
                maps.append(mind_map)
                names.append(name)
        pairs = [*self._same, *same][-PAIRS:]
        self._merged = merge(maps, pairs, game_kinds(self.game))
        return {"type": "merged", "broken": told, **map_json.merged_json(self._merged)}

    # To the page

    def whole(self) -> Json:
        """Return the message with the whole map."""
        notice = ""
        source = self.source
        name = source.journal.take_aside()
        if name:
            notice = text("reflect.damaged", self.language, name=name)
        elif source.notice is not None:
            notice = source.notice.sentence(self.language)
            source.notice = None
        return {
            "type": "map",
            "things": map_json.things_json(source.map.things),
            "saved": source.saved,
            "saving": source.unsaved,
            "other": source.other,
            "notice": notice,
            "maps": self._other_maps(),
        }

    def _other_maps(self) -> list[str]:
        try:
            return [key for key in self.source.journal.maps() if key != self.key]
        except JournalError:
            return []

    def _tell_others(self, message: Json) -> None:
        """Send *message* to the other cells with this map."""
        for cell in list(self.source.cells):
            if cell is not self:
                cell.send(message)

    def report_saved(self) -> None:
        """Tell the page that the journal has the map."""
        self.send({"type": "saved", "saved": self.source.saved, "other": self.source.other})

    def report_failure(self, error: JournalError) -> None:
        """Tell the page that the journal could not be written."""
        self.send({"type": "failed", "text": error.sentence(self.language)})

    def show_map(self) -> None:
        """Send the page the whole map, because the journal has another one."""
        self.send(self.whole())
