"""The mind-map editor without its page: what the page may ask, and the answers."""

import base64
import binascii
import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from coursekit.core.chance import new_seed, pick, stream
from coursekit.core.game import Game
from coursekit.core.page_messages import MessageError, Messages
from coursekit.journal.journal import Journal, JournalError
from coursekit.maps import map_json
from coursekit.maps.comparison import Same, compare, merge
from coursekit.maps.edits import edit_map, place_concepts, place_every_step
from coursekit.maps.elements import HEAD, SHORT, MapError, Thing, clean, diff
from coursekit.maps.file_reader import LARGEST_FILE, MapFileError, read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.journal_map import JournalMap, parse_map
from coursekit.maps.map_json import Json
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import game_kinds, map_cards, starter_map, with_question
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES, shorten, text

if TYPE_CHECKING:
    import networkx as nx

FILES = 100
"""Maps of a class that can be merged, at most."""
PAIRS = 500
"""Pairs of words that can be treated as the same, at most; the latest count."""
Form = Literal["json", "graphml", "csv", "outline", "png", "svg"]
DOWNLOADS: dict[Form, tuple[str, str]] = {
    "json": ("json", "application/json"),
    "graphml": ("graphml", "application/graphml+xml"),
    "csv": ("csv", "text/csv"),
    "outline": ("md", "text/markdown"),
    "png": ("png", "image/png"),
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
        language: str = LANGUAGES[0],
        journal: Journal | None = None,
        send: Callable[[Json], None] = lambda message: None,
        rules: Callable[[], Game[Any, Any, Any] | str] | None = None,
    ) -> None:
        self.game = game
        self.key = key
        self.language = language
        self.send = send
        self._rules = rules or (lambda: game)
        self.source = JournalMap.shared(journal or Journal(), key)
        self.source.cells.add(self)
        self._chance = stream(new_seed(), "cards")
        # A part of the names of files, so that a class can keep its files in one folder.
        self._code = new_seed()[:4]
        self._same: list[list[str]] = []
        self._compared: tuple[str, MindMap] | None = None  # the map compared last, with its name
        self._merged: MindMap | None = None  # the map merged last

    # For a notebook

    @property
    def map(self) -> MindMap:
        """A copy of the map as it is now; to change the map, see :meth:`put`."""
        return self._map.after(len(self._map.log))

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the map show *graph*, in one step; see :meth:`MindMap.put`.

        :raises MapError: if that is no proper map; the map stays as it was.
        """
        draft = self.map
        draft.put(graph)
        self.source.show(draft)
        self.send(self._send_all(self.whole()))

    @property
    def _map(self) -> MindMap:
        return self.source.map

    # Edits

    @messages.handle(kind="open")
    def open_map(self) -> Json:
        before = self._map
        self.source.fetch()
        if self._map is before:
            return self.whole()
        return self._send_all(self.whole())

    @messages.handle()
    def leave(self) -> None:
        self.source.save()

    @messages.handle()
    def edit(self, do: list[Any]) -> Json:
        before = self._map.things
        draft = self.map
        try:
            new_ids = edit_map(draft, do)
        except MapError as error:
            # The page knows neither the ids of the draft nor those of nothing.
            about = error.about
            if not isinstance(about, str) or not (about in before or about.startswith("+")):
                error.about = None
            raise
        self._map.show(draft)
        return self._send_changes(before, new_ids)

    @messages.handle()
    def undo(self) -> Json:
        if not self._map.undo():
            raise MapError("map.nothing_to_undo")
        return self._send_whole()

    @messages.handle()
    def redo(self) -> Json:
        if not self._map.redo():
            raise MapError("map.nothing_to_redo")
        return self._send_whole()

    @messages.handle(kind="draw")
    def draw_card(self) -> Json:
        cards = map_cards(self.game, self.language)
        concepts = self._map.concepts.values()
        used = {concept.card for concept in concepts}
        labels = {normalise(concept.label) for concept in concepts}
        left = [
            card for card in cards if card.card not in used and normalise(card.label) not in labels
        ]
        if not left:
            raise MapError("map.all_drawn" if cards else "map.no_cards")
        return {"type": "drawn", "card": pick(self._chance, left)._asdict()}

    # Whole maps

    @messages.handle(kind="starter")
    def begin_with_starter(self, about: str) -> Json:
        starter = starter_map(self._rules(), self.language, about)
        self.source.save()
        self.source.show(starter)
        return self._send_whole()

    @messages.handle()
    def load(self, file: SentFile) -> Json:
        # Into an empty map a file comes with how it grew; otherwise it is one step of the map.
        untouched = self._map == MindMap() and not self._map.log
        other = _read(file, log=untouched)
        self.source.save()
        if untouched and other.log:
            self.source.map = place_every_step(other)
        else:
            self.source.show(other)
        return self._send_whole()

    @messages.handle()
    def export(self, form: Form, of: Literal["", "class"] = "") -> Json:
        mind_map = self._merged if of else self._map
        if mind_map is None:
            raise MessageError
        ending, mime = DOWNLOADS[form]
        data, notice = self._file(mind_map, ending)
        key = re.sub(r"[^\w\- ]", "-", self.key).strip(" -") or "map"
        return {
            "type": "file",
            "name": f"{key}-{of or self._code}.{ending}",
            "mime": mime,
            "content": base64.b64encode(data).decode(),
            "notice": notice,
        }

    def _file(self, mind_map: MindMap, ending: str) -> tuple[bytes, str]:
        """Return *mind_map* as a file, and a notice.

        Forms that cannot be read again always have a question.
        """
        if ending in ("png", "svg", "md"):
            mind_map = with_question(mind_map, self.game, self.language)
        if ending not in ("png", "svg"):
            mark = "\ufeff" if ending == "csv" else ""  # for spreadsheets
            return (mark + write_map(mind_map, ending, self.language)).encode("utf-8"), ""
        import warnings

        from coursekit.figures import missing_letters
        from coursekit.maps.drawing import draw_map, draw_png

        draw = draw_png if ending == "png" else draw_map
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the answer names missing glyphs
            drawing = draw(mind_map, self.language)
        words = [concept.label for concept in mind_map.concepts.values()]
        words += [relation.phrase for relation in mind_map.relations.values()]
        letters = missing_letters(words)
        notice = text("figure.missing", self.language, letters=letters) if letters else ""
        return drawing if isinstance(drawing, bytes) else drawing.svg, notice

    @messages.handle()
    def replay(self) -> Json:
        return {"type": "replay", **map_json.history_json(self._map)}

    @messages.handle()
    def keep(self, which: Literal["mine", "other", "both"]) -> Json:
        copies = self.source.settle(which)
        answer = self._send_whole()
        if copies:
            names = [text("map.kept_as", self.language, name=key) for key in copies]
            answer = answer | {"notice": "\n".join(names)}
        return answer

    # Looking again

    @messages.handle()
    def study(self) -> Json:
        verdicts = self.source.journal.judgements(self.key, self._map.sentences)
        return {"type": "studied", **map_json.study_json(self._map, verdicts, self.language)}

    @messages.handle()
    def judge(self, judge: str, relation: str, word: Literal["", "yes", "partly", "no"]) -> Json:
        self.source.save()
        sentence = self._map.sentence(relation)
        self.source.journal.judge(self.key, judge, relation, word, sentence)
        return self.study()

    @messages.handle()
    def compare_starter(self, about: str = "") -> Json:
        starter = starter_map(self._rules(), self.language, about)
        return self._compare(text("map.beside.starter", self.language), starter)

    @messages.handle()
    def compare_step(self, step: int) -> Json:
        last = len(self._map.log)
        if not 0 <= step <= last:
            raise MapError("map.no_step", got=step, last=last)
        name = text("map.beside.step", self.language, step=step)
        return self._compare(name, self._map.after(step))

    @messages.handle()
    def compare_map(self, key: str) -> Json:
        maps = self.source.journal.maps()
        if key not in maps:
            raise MapError("map.no_map", name=shorten(key))
        return self._compare(key, parse_map(maps[key].text, log=False))

    @messages.handle()
    def compare_file(self, file: SentFile) -> Json:
        return self._compare(file.short_name, _read(file))

    @messages.handle(kind="same")
    def add_same(self, pair: list[str]) -> Json:
        if self._compared is None:
            raise MapError("map.not_compared")
        self._same = [*self._same, pair][-PAIRS:]
        return self._compare(*self._compared)

    def _compare(self, name: str, other: MindMap) -> Json:
        """Compare the map with *other*, also after the next words that mean the same."""
        self._compared = name, other
        result = compare(self._map, other, self._same, game_kinds(self.game))
        parts = map_json.comparison_json(self._map, other, result, self._same)
        return {"type": "compared", "name": name, **parts}

    @messages.handle(kind="merge")
    def merge_files(self, files: list[dict[str, str]], least: int, same: list[list[str]]) -> Json:
        if len(files) > FILES:
            raise MapError("map.too_many_files", got=len(files), limit=FILES)
        maps = list[MindMap]()
        names = list[str]()
        refused = list[str]()
        for parts in files:
            file = SentFile(parts.get("name", ""), parts.get("content", ""))
            try:
                mind_map = _read(file)
            except MapFileError as error:
                refused.append(error.sentence(self.language))
                continue
            name = file.short_name
            if mind_map in maps:
                like = names[maps.index(mind_map)]
                refused.append(text("map.merged_twice", self.language, file=name, like=like))
            else:
                maps.append(mind_map)
                names.append(name)
        return {"type": "merged", "broken": refused, **self._merge(maps, least, same)}

    def _merge(self, maps: Sequence[MindMap], least: int, same: Same) -> Json:
        result = merge(maps, [*self._same, *same][-PAIRS:], game_kinds(self.game))
        focus = map_json.most_frequent(mind_map.focus for mind_map in maps)
        self._merged = result.as_map(max(1, least), focus)
        place_concepts(self._merged)
        return map_json.merged_json(result, len(maps), self._merged)

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
        try:
            others = [key for key in source.journal.maps() if key != self.key]
        except JournalError:
            others = []
        return {
            "type": "map",
            **map_json.content_json(self._map),
            **self._state(),
            "notice": notice,
            "maps": others,
        }

    def _state(self) -> Json:
        return {
            "can": {"undo": bool(self._map.log), "redo": self._map.can_redo},
            "steps": len(self._map.log),
            "saved": self.source.saved,
            "saving": self.source.unsaved,
            "other": self.source.other,
        }

    def _send_whole(self) -> Json:
        """Send the whole map to the other cells, and return that message."""
        self.source.note_change()
        return self._send_all(self.whole())

    def _send_changes(self, before: dict[str, Thing], new_ids: Collection[str]) -> Json:
        """Send what has changed to the other cells, and return that message."""
        changes = diff(before, self._map.things)
        if changes:
            self.source.note_change()
        head = changes.pop(HEAD, None)
        answer = {
            "type": "changed",
            "changes": map_json.things_json(changes),
            "tree": map_json.tree_json(self._map),
            **self._state(),
        }
        if head:
            answer["head"] = map_json.thing_json(head)
        self._send_all(answer | {"made": []})
        return answer | {"made": list(new_ids)}

    def _send_all(self, message: Json) -> Json:
        """Send *message* to the other cells with this map, and return it."""
        for cell in list(self.source.cells):
            if cell is not self:
                cell.send(message)
        return message

    def report_saved(self) -> None:
        """Tell the page that the journal has the map."""
        self.send({"type": "saved", "saved": self.source.saved, "other": self.source.other})

    def report_failure(self, error: JournalError) -> None:
        """Tell the page that the journal could not be written."""
        self.send({"type": "failed", "text": error.sentence(self.language)})

    def show_map(self) -> None:
        """Send the page the whole map, because the journal has another one."""
        self.send(self.whole())


def _read(file: SentFile, log: bool = False) -> MindMap:
    """Return the map in a file.

    :param log: whether to read how it grew.
    :raises MapFileError: if the file is no map; the error says where.
    """
    name = file.short_name
    if len(file.content) > LARGEST_FILE * 4 // 3 + 4:
        raise MapFileError("map.file.large", file=name, allowed=LARGEST_FILE // 1_000_000)
    try:
        data = base64.b64decode(file.content, validate=True)
    except (binascii.Error, ValueError):
        raise MessageError from None
    return read_map(data, name, log=log)
