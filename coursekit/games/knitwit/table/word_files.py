"""The cell that takes a class's own words as files; the table plays its next match with them.

The files' content travels in messages and is never saved in a notebook.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import traitlets

from coursekit.cells.message_widget import MessageWidget
from coursekit.cells.static_bundle import join_files, wrap_in_layer
from coursekit.core.errors import FileError
from coursekit.core.page_messages import MessageError, Messages
from coursekit.files.csvfile import LARGEST_CSV, Upload, write_csv
from coursekit.games.knitwit.rules.lexicon import (
    GAME,
    PACKS,
    is_plain_list,
    load_words,
    standard_pack,
)
from coursekit.words.language import current_language
from coursekit.words.texts import (
    check_language,
    game_text,
    join_sentences,
    join_words,
    make_line,
)

PAGE_TEXTS = (
    "heading",
    "paste",
    "use",
    "pasted",
    "nothing",
    "tags",
    "tags_hint",
    "choose_tags",
    "example_tags",
    "lexicon",
    "lexicon_hint",
    "choose_lexicon",
    "example_lexicon",
    "drop",
    "reading",
    "unreadable",
    "offline",
    "back",
    "forgotten",
)
"""The texts that the browser shows by itself."""
STATIC = Path(__file__).parent / "static"
SHOWN = 8
"""Most tags or words of a file that are named."""
LONGEST_NAME = 60
"""Most characters of a file's name."""
What = Literal["tags", "lexicon"]


class PlaysAt(Protocol):
    """A table that can play with own words, such as :class:`coursekit.table.Table`."""

    game: str

    def next_match(self, **options: Any) -> bool:
        """See :meth:`coursekit.table.Table.next_match`."""


class WordFiles(MessageWidget):
    """Takes tags and words from the reader's files, and offers the kit's own for download.

    :param table: plays the next match with them.
    :raises ValueError: for an unknown language, or a table of another game.
    """

    _esm = join_files(STATIC, {"js": ["word-files"]}, "js")
    _css = wrap_in_layer((STATIC / "word-files.css").read_text(encoding="utf-8"))
    messages = Messages()
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    largest = traitlets.Int(LARGEST_CSV).tag(sync=True)

    def __init__(self, table: PlaysAt, language: str | None = None) -> None:
        language = language or current_language()
        check_language(language)
        if table.game != GAME:
            raise ValueError(f"own words are for a table of {GAME}, not of {table.game}")
        self.loaded = "kit"
        """The value of the option ``words`` for the words chosen."""
        self._table = table
        self._files: Mapping[str, Upload] = {}
        words = {name: game_text(GAME, f"wordfiles.{name}", language) for name in PAGE_TEXTS}
        super().__init__(language=language, words=words)

    def _text(self, name: str, **values: Any) -> str:
        return game_text(GAME, f"wordfiles.{name}", self.language, **values)

    @messages.handle(kind="open")
    def show_words(self) -> None:
        """Tell all views which words are in use."""
        pack = PACKS[self.loaded]
        names = [tag.word(self.language) for tag in pack.tags]
        tags = self._tell_use("tags", names)
        lexicon = self._text("no_lexicon")
        if pack.lexicon:
            lexicon = self._tell_use(
                "lexicon", [entry.word(self.language) for entry in pack.lexicon]
            )
            fitting = frozenset[int]().union(*[entry.tags for entry in pack.lexicon])
            bare = [name for tag, name in enumerate(names) if tag not in fitting]
            if bare:
                none_fits = self._text("none_fits", count=len(bare), names=self._shorten(bare))
                lexicon += "\n" + none_fits
        self.send({"type": "state", "own": bool(self._files), "tags": tags, "lexicon": lexicon})

    @messages.handle()
    def example(self, what: What) -> dict[str, Any]:
        """Answer with the kit's own words as a file."""
        name = f"{self._text(f'file_{what}')}.csv"
        return {"type": "file", "name": name, "text": example(what, self.language)}

    @messages.handle()
    def back(self) -> dict[str, Any]:
        """Play with the kit's own words again."""
        self.loaded = "kit"
        self._files = {}
        return self._play("returned")

    @messages.handle()
    def take(self, what: What, name: str, data: list[bytes]) -> dict[str, Any]:
        """Play with the words in a file; if they cannot be used, say why and change nothing."""
        if len(data) != 1:
            raise MessageError
        files = {**self._files, what: Upload(_clean_name(name), data[0])}
        try:
            left = self._load_tags(files) if what == "tags" else self._load(files)
        except FileError as error:
            return {"type": "refused", "what": what, "text": error.sentence(self.language)}
        notice = self._play()
        return notice | {"left": left} if left else notice

    def _load_tags(self, files: Mapping[str, Upload]) -> str:
        """Load *files* with new tags, without a lexicon that does not fit them; return why."""
        try:
            return self._load(files)
        except FileError as error:
            if "lexicon" not in files:
                raise
            self._load({"tags": files["tags"]})
            left = self._text("left", file=files["lexicon"].name)
            return f"{left}\n{error.sentence(self.language)}"

    def _load(self, files: Mapping[str, Upload]) -> str:
        name = " + ".join(files[what].name for what in ("tags", "lexicon") if what in files)
        self.loaded = load_words(files.get("tags"), files.get("lexicon"), name)
        self._files = files
        return ""

    def _play(self, *first: str) -> dict[str, Any]:
        """Have the next match played with the words, and say what happens to the present one."""
        is_new = self._table.next_match(words=self.loaded)
        self.show_words()
        names = [*first, "changed" if is_new else "waiting"]
        text = join_sentences([self._text(name) for name in names], self.language)
        return {"type": "notice", "text": text}

    def _tell_use(self, what: What, names: Sequence[str]) -> str:
        """Return the words in use of *what*: the name of the file, how many, and some of them."""
        if what not in self._files:
            return self._text(f"kit_{what}", count=len(names))
        file, some = self._files[what], self._shorten(names)
        told = [self._text(f"own_{what}", file=file.name, count=len(names), names=some)]
        if what == "tags" and is_plain_list(file):
            told.append(self._text("plain"))
        return "\n".join(told)

    def _shorten(self, names: Sequence[str]) -> str:
        some = [*names[:SHOWN], "…"] if len(names) > SHOWN else names
        return join_words(some, self.language)


def choose_words(table: PlaysAt, language: str | None = None) -> WordFiles:
    """Return the cell that chooses own words for *table*: ``choose_words(table, "en")``."""
    language = language or current_language()
    return WordFiles(table, language)


def example(what: What, language: str) -> str:
    """Return the kit's own tags or lexicon as a CSV file in *language*, to be changed."""
    pack = standard_pack()
    column = "en" if language == "en" else "zh"
    names = [tag.word(language) for tag in pack.tags]
    if what == "tags":
        return write_csv([[column], *([name] for name in names)])
    rows = [[column, "tags", "also"]]
    for entry in pack.lexicon:
        fits, also = (
            ";".join(names[tag] for tag in sorted(tags)) for tags in (entry.tags, entry.also)
        )
        rows.append([entry.word(language), fits, also])
    return write_csv(rows)


def _clean_name(name: str) -> str:
    """Return the *name* that a browser gives a file, cleaned for display."""
    return make_line(name, LONGEST_NAME) or "?"
