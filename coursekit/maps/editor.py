"""The mind-map editor without its page: the browser's messages, and the answers."""

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import new_seed, pick, stream
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.journal.journal import Journal, JournalError
from coursekit.maps import map_json
from coursekit.maps.comparison import compare, merge
from coursekit.maps.edits import edit, misunderstood, place, placed
from coursekit.maps.elements import HEAD, SHORT, MapError, Thing, changed, cleaned
from coursekit.maps.file_reader import LARGEST_FILE
from coursekit.maps.file_writer import MapFileError, read, write_map
from coursekit.maps.journal_map import SavedMap, parse_map
from coursekit.maps.map_json import Json
from coursekit.maps.map_statistics import JUDGEMENTS
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import kinds, map_cards, starter_map, with_question
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES, shorten, text

if TYPE_CHECKING:
    import networkx as nx

    from coursekit.figures import Picture

MESSAGES: dict[str, dict[str, type]] = {
    "open": {},
    "leave": {},
    "edit": {"do": list},
    "undo": {},
    "redo": {},
    "draw": {},
    "starter": {"about": str},
    "load": {"name": str, "content": str},
    "export": {"form": str},
    "study": {},
    "judge": {"judge": str, "relation": str, "word": str},
    "compare": {"with": str},
    "same": {"pair": list},
    "merge": {"files": list, "least": int, "same": list},
    "replay": {},
    "keep": {"which": str},
}
"""Messages of the browser: the parts of each, and their types."""
FILES = 100
"""Maps of a class that can be merged, at most."""
PAIRS = 500
"""Pairs of words that can be treated as the same, at most."""
DOWNLOADS = {
    "json": ("json", "application/json"),
    "graphml": ("graphml", "application/graphml+xml"),
    "csv": ("csv", "text/csv"),
    "outline": ("md", "text/markdown"),
    "png": ("png", "image/png"),
    "svg": ("svg", "image/svg+xml"),
}
"""Files to download: ending and MIME type of each."""


class Editor:
    """A cell's editor of the map *key* of *journal*; cells of a kernel with the same key share the
    map.

    :param game: name of a game, ``""`` for none.
    :param tell: called with messages that answer no question.
    :param rules: returns the game for the starter map; by default the name, for its standard rules.
    """

    def __init__(
        self,
        game: str,
        key: str,
        language: str = LANGUAGES[0],
        journal: Journal | None = None,
        tell: Callable[[Json], None] = lambda message: None,
        rules: Callable[[], Game[Any, Any, Any] | str] | None = None,
    ) -> None:
        self.game, self.key, self.language, self.tell = game, key, language, tell
        self._rules = rules or (lambda: game)
        self._kept = SavedMap.shared(journal or Journal(), key)
        self._kept.cells.add(self)
        self._chance = stream(new_seed(), "cards")
        self._code = new_seed()[
            :4
        ]  # in the names of files, so that a class can keep its files in one folder
        self._same: list[list[str]] = []
        self._beside: tuple[str, MindMap] | None = None  # the map compared with last, with its name
        self._class: MindMap | None = None  # the map merged last

    # For a notebook

    @property
    def map(self) -> MindMap:
        """A copy of the map as it is now; to change the map, see :meth:`put`."""
        return self._map.after(len(self._map.log))

    def graph(self) -> "nx.MultiDiGraph[str]":
        """Return the map as a graph, see :meth:`MindMap.graph`."""
        return self._map.graph()

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the map show *graph*, in one step; see :meth:`MindMap.put`.

        :raises MapError: if that is no proper map; the map stays as it was.
        """
        draft = self.map
        draft.put(graph)
        self._kept.show(draft)
        self._tell_all(self._whole(), everybody=True)

    def picture(self) -> "Picture":
        """Return a drawing of the map for a notebook or a report."""
        from coursekit.maps.drawing import draw_map

        return draw_map(with_question(self._map, self.game, self.language), self.language)

    @property
    def _map(self) -> MindMap:
        return self._kept.map

    # Messages

    def answer(self, message: Any) -> Json | None:
        """Return the answer to *message*, which may be anything; ``None`` if there is no answer."""
        kind = message.get("type") if isinstance(message, dict) else None
        if not isinstance(kind, str) or kind not in MESSAGES:
            return None
        number = message.get("n")
        asked = {"n": number} if type(number) is int else {}
        try:
            if not all(
                type(message.get(part)) is wanted for part, wanted in MESSAGES[kind].items()
            ):
                raise misunderstood()
            reply: Json | None = getattr(self, f"_do_{kind}")(message)
        except LocalizedError as error:
            about = getattr(error, "about", None)
            words = error.sentence(self.language)
            reply = {
                "type": "refused",
                "text": words,
                "about": about if isinstance(about, str) else None,
            }
        return reply and reply | asked

    def _do_open(self, _message: Json) -> Json:
        before = self._map
        self._kept.fetch()
        whole = self._whole()
        return whole if self._map is before else self._tell_all(whole)

    def _do_leave(self, _message: Json) -> None:
        self._kept.save()

    def _do_edit(self, message: Json) -> Json:
        before = self._map.things
        draft = self.map
        try:
            made = edit(draft, message["do"])
        except MapError as error:
            known = isinstance(error.about, str) and (
                error.about in before or error.about.startswith("+")
            )
            error.about = error.about if known else None
            raise
        self._map.show(draft)
        return self._changed(before, made)

    def _do_undo(self, _message: Json) -> Json:
        if not self._map.undo():
            raise MapError("map.nothing_to_undo")
        return self._shown_whole()

    def _do_redo(self, _message: Json) -> Json:
        if not self._map.redo():
            raise MapError("map.nothing_to_redo")
        return self._shown_whole()

    def _do_draw(self, _message: Json) -> Json:
        known = map_cards(self.game, self.language)
        there = {each.card for each in self._map.concepts.values()}
        called = {normalise(each.label) for each in self._map.concepts.values()}
        left = [
            each for each in known if each.card not in there and normalise(each.label) not in called
        ]
        if not left:
            raise MapError("map.all_drawn" if known else "map.no_cards")
        return {"type": "drawn", "card": pick(self._chance, left)._asdict()}

    # Whole maps

    def _do_starter(self, message: Json) -> Json:
        begun = starter_map(self._rules(), self.language, message["about"])
        self._kept.save()
        self._kept.show(begun)
        return self._shown_whole()

    def _do_load(self, message: Json) -> Json:
        untouched = self._map == MindMap() and not self._map.log
        other = self._read(message, log=untouched)
        self._kept.save()
        if untouched and other.log:
            self._kept.map = placed(other)  # with how it grew
        else:
            self._kept.show(other)
        return self._shown_whole()

    def _read(self, message: Json, log: bool = False) -> MindMap:
        """Return the map in a file that the browser sends.

        :param log: whether to read how it grew.
        :raises MapFileError: if the file is no map; the error says where.
        """
        name, content = message.get("name"), message.get("content")
        if not isinstance(name, str) or not isinstance(content, str):
            raise misunderstood()
        name = cleaned(name)[-SHORT:]
        if len(content) > LARGEST_FILE * 4 // 3 + 4:
            raise MapFileError("map.file.large", file=name, allowed=LARGEST_FILE // 1_000_000)
        try:
            data = base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            raise misunderstood() from None
        return read(data, name, log=log)

    def _do_export(self, message: Json) -> Json:
        form, of = message["form"], message.get("of", "")
        map = {"": self._map, "class": self._class}.get(of) if isinstance(of, str) else None
        if form not in DOWNLOADS or map is None:
            raise misunderstood()
        ending, mime = DOWNLOADS[form]
        data, notice = self._file(map, ending)
        key = re.sub(r"[^\w\- ]", "-", self.key).strip(" -") or "map"
        name = f"{key}-{of or self._code}"
        content = base64.b64encode(data).decode()
        return {
            "type": "file",
            "name": f"{name}.{ending}",
            "mime": mime,
            "content": content,
            "notice": notice,
        }

    def _file(self, map: MindMap, ending: str) -> tuple[bytes, str]:
        """Return *map* as a file, and a notice; forms that cannot be read again always have a
        question.
        """
        if ending in ("png", "svg", "md"):
            map = with_question(map, self.game, self.language)
        if ending not in ("png", "svg"):
            mark = "\ufeff" if ending == "csv" else ""  # for spreadsheets
            return (mark + write_map(map, ending, self.language)).encode("utf-8"), ""
        import warnings

        from coursekit.figures import missing_letters
        from coursekit.maps.drawing import draw_map, png

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the answer tells about missing glyphs
            data = png(map, self.language) if ending == "png" else draw_map(map, self.language).svg
        words = [each.label for each in map.concepts.values()]
        lost = missing_letters([*words, *(each.phrase for each in map.relations.values())])
        return data, text("figure.missing", self.language, letters=lost) if lost else ""

    def _do_replay(self, _message: Json) -> Json:
        return {"type": "replay", **map_json.grown(self._map)}

    def _do_keep(self, message: Json) -> Json:
        if message["which"] not in ("mine", "other", "both"):
            raise misunderstood()
        new = self._kept.keep(message["which"])
        notice = "\n".join(text("map.kept_as", self.language, name=key) for key in new)
        return self._shown_whole() | ({"notice": notice} if notice else {})

    # Looking again

    def _do_study(self, _message: Json) -> Json:
        said = self._kept.journal.judgements(self.key, self._map.sentences)
        return {"type": "studied", **map_json.studied(self._map, said, self.language)}

    def _do_judge(self, message: Json) -> Json:
        relation, word = message["relation"], message["word"]
        if word not in ("", *JUDGEMENTS):
            raise misunderstood()
        self._kept.save()
        self._kept.journal.judge(
            self.key, message["judge"], relation, word, self._map.sentence(relation)
        )
        return self._do_study(message)

    def _do_compare(self, message: Json) -> Json:
        what, _, which = message["with"].partition(":")
        if what == "starter":
            about = message.get("about", "")
            if not isinstance(about, str):
                raise misunderstood()
            self._beside = (
                text("map.beside.starter", self.language),
                starter_map(self._rules(), self.language, about),
            )
        elif what == "step":
            last = len(self._map.log)
            if not re.fullmatch("[0-9]{1,6}", which) or int(which) > last:
                raise MapError("map.no_step", got=shorten(which), last=last)
            self._beside = (
                text("map.beside.step", self.language, step=int(which)),
                self._map.after(int(which)),
            )
        elif what == "journal":
            there = self._kept.journal.maps()
            if which not in there:
                raise MapError("map.no_map", name=shorten(which))
            self._beside = which, parse_map(there[which].text, log=False)
        elif what == "file":
            other = self._read(message)
            self._beside = cleaned(message["name"])[-SHORT:], other
        else:
            raise misunderstood()
        return self._compared()

    def _do_same(self, message: Json) -> Json:
        if self._beside is None:
            raise MapError("map.not_compared")
        self._same = [*self._same, *_pairs([message["pair"]])][-PAIRS:]
        return self._compared()

    def _compared(self) -> Json:
        assert self._beside is not None
        name, other = self._beside
        found = compare(self._map, other, self._same, kinds(self.game))
        return {
            "type": "compared",
            "name": name,
            **map_json.compared(self._map, other, found, self._same),
        }

    def _do_merge(self, message: Json) -> Json:
        files, same = message["files"], [*self._same, *_pairs(message["same"])]
        if len(files) > FILES:
            raise MapError("map.too_many_files", got=len(files), limit=FILES)
        maps, names, broken = list[MindMap](), list[str](), list[str]()
        for each in files:
            if not isinstance(each, dict):
                raise misunderstood()
            try:
                map = self._read(each)
            except MapFileError as error:
                broken.append(error.sentence(self.language))
                continue
            name = cleaned(each["name"])[-SHORT:]
            if map in maps:
                broken.append(
                    text("map.merged_twice", self.language, file=name, like=names[maps.index(map)])
                )
            else:
                maps.append(map)
                names.append(name)
        found = merge(maps, same, kinds(self.game))
        shown = found.map(max(1, message["least"]), map_json.most(each.focus for each in maps))
        place(shown)
        self._class = shown
        return {"type": "merged", "broken": broken, **map_json.merged(found, len(maps), shown)}

    # To the browser

    def _whole(self) -> Json:
        notice = ""
        if aside := self._kept.journal.take_aside():
            notice = text("reflect.damaged", self.language, name=aside)
        elif self._kept.notice is not None:
            notice, self._kept.notice = self._kept.notice.sentence(self.language), None
        try:
            others = [key for key in self._kept.journal.maps() if key != self.key]
        except JournalError:
            others = []
        return {
            "type": "map",
            **map_json.whole(self._map),
            **self._state(),
            "notice": notice,
            "maps": others,
        }

    def _state(self) -> Json:
        can = {"undo": bool(self._map.log), "redo": self._map.can_redo}
        kept = {"saved": self._kept.saved, "saving": self._kept.unsaved, "other": self._kept.other}
        return {"can": can, "steps": len(self._map.log), **kept}

    def _shown_whole(self) -> Json:
        """Tell all cells the whole map, and return that message."""
        self._kept.changed()
        return self._tell_all(self._whole())

    def _changed(self, before: dict[str, Thing], made: Sequence[str]) -> Json:
        """Tell all cells what has changed, and return that message."""
        new = changed(before, self._map.things)
        head = new.pop(HEAD, None)
        if new or head:
            self._kept.changed()
        reply = {
            "type": "changed",
            "changes": map_json.things(new),
            "tree": map_json.tree(self._map),
            **self._state(),
        }
        reply |= {"head": map_json.thing(head)} if head else {}
        self._tell_all(reply | {"made": []})
        return reply | {"made": list(made)}

    def _tell_all(self, message: Json, everybody: bool = False) -> Json:
        for cell in list(self._kept.cells):
            if everybody or cell is not self:
                cell.tell(message)
        return message

    def told_saved(self) -> None:
        """Tell the browser that the journal has the map."""
        self.tell({"type": "saved", "saved": self._kept.saved, "other": self._kept.other})

    def told_anew(self) -> None:
        """Tell the browser the whole map, because the journal has another one."""
        self.tell(self._whole())

    def told_failed(self, error: JournalError) -> None:
        """Tell the browser that the journal could not be written."""
        self.tell({"type": "failed", "text": error.sentence(self.language)})


def _pairs(given: Sequence[Any]) -> list[list[str]]:
    """Return *given* if it is a list of pairs of words."""
    if len(given) > PAIRS:
        raise misunderstood()
    for each in given:
        if (
            not isinstance(each, list)
            or len(each) != 2
            or not all(isinstance(word, str) for word in each)
        ):
            raise misunderstood()
    return list(given)
