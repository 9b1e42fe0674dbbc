"""The cell that takes a class's own words as files; the table plays its next match with them.

The files' content travels in messages and is never saved in a notebook.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import anywidget
import traitlets

from coursekit.cells.static_bundle import join_files, wrap_in_layer
from coursekit.core.errors import FileError
from coursekit.files.csvfile import LARGEST_CSV, Upload, write_csv
from coursekit.games.knitwit.rules.lexicon import GAME, PACKS, load_words, standard_pack
from coursekit.words.texts import LANGUAGES, game_text, join_words

TEXTS = "wordfiles."
SAID_THERE = (
    "heading",
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
log = logging.getLogger(__name__)


class PlaysAt(Protocol):
    """A table that can play with own words, such as :class:`coursekit.table.Table`."""

    game: str

    def next_match(self, **options: Any) -> bool:
        """See :meth:`coursekit.table.Table.next_match`."""


class WordFiles(anywidget.AnyWidget):
    """Takes tags, and words that fit them, from the reader's files, and offers the kit's own for
    download.

    :param table: plays the next match with them.
    :raises ValueError: for an unknown language, or a table of another game.
    """

    _esm = join_files(STATIC, {"js": ["word-files"]}, "js")
    _css = wrap_in_layer((STATIC / "word-files.css").read_text(encoding="utf-8"))
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    largest = traitlets.Int(LARGEST_CSV).tag(sync=True)

    def __init__(self, table: PlaysAt, language: str = LANGUAGES[0]) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        if table.game != GAME:
            raise ValueError(f"own words are for a table of {GAME}, not of {table.game}")
        self.loaded = "kit"
        """The value of the option ``words`` for the words chosen."""
        self._table = table
        self._files: dict[str, Upload | None] = {"tags": None, "lexicon": None}
        super().__init__(
            language=language,
            words={name: game_text(GAME, TEXTS + name, language) for name in SAID_THERE},
        )
        self.on_msg(self._on_message)

    def _text(self, name: str, **values: Any) -> str:
        return game_text(GAME, TEXTS + name, self.language, **values)

    def _on_message(self, _widget: Any, content: Any, buffers: Any) -> None:
        content = content if isinstance(content, dict) else {}
        kind: Any = content.get("type")
        what: Any = content.get("what")
        try:
            if kind == "open":
                self._tell(content)
            elif kind == "back":
                self._go_back(content)
            elif kind == "example" and what in get_args(What):
                name, words = f"{self._text(f'file_{what}')}.csv", example(what, self.language)
                self._answer(content, type="file", name=name, text=words)
            elif kind == "take" and what in get_args(What) and len(buffers) == 1:
                self._take(content, what, Upload(_clean(content.get("name")), bytes(buffers[0])))
        except Exception as error:  # a mistake in the kit
            log.exception("own words: could not %s", kind)
            self._answer(
                content,
                type="refused",
                what=what,
                text=self._text("broken", kind=type(error).__name__),
            )

    def _answer(self, content: dict[str, Any], **parts: Any) -> None:
        """Answer the view that sent *content*."""
        self.send(parts | {"to": content.get("from")})

    def _take(self, content: dict[str, Any], what: What, file: Upload) -> None:
        """Play with the words in *file*; if they cannot be used, say why and change nothing."""
        left = ""
        try:
            if what == "tags":
                left = self._load_tags(file)
            else:
                self._load(self._files | {"lexicon": file})
        except FileError as error:
            self._answer(content, type="refused", what=what, text=error.sentence(self.language))
            return
        self._tell(content, self._notice())
        if left:
            self._answer(content, type="refused", what="lexicon", text=left)

    def _load_tags(self, tags: Upload) -> str:
        """Load *tags* with the present lexicon; if it does not fit them, load none and return why."""
        lexicon = self._files["lexicon"]
        try:
            self._load({"tags": tags, "lexicon": lexicon})
        except FileError as error:
            if lexicon is None:
                raise
            self._load({"tags": tags, "lexicon": None})
            return f"{self._text('left', file=lexicon.name)}\n{error.sentence(self.language)}"
        return ""

    def _load(self, files: dict[str, Upload | None]) -> None:
        name = " + ".join(file.name for file in files.values() if file)
        self.loaded = load_words(files["tags"], files["lexicon"], name)
        self._files = files

    def _go_back(self, content: dict[str, Any]) -> None:
        self.loaded, self._files = "kit", dict.fromkeys(self._files)
        self._tell(content, self._notice("returned"))

    def _notice(self, *first: str) -> str:
        """Have the next match played with the words, and return what happens to the present one."""
        told = [*first, "changed" if self._table.next_match(words=self.loaded) else "waiting"]
        return (" " if self.language == "en" else "").join(self._text(name) for name in told)

    def _tell(self, content: dict[str, Any], notice: str = "") -> None:
        """Send the words in use to all views, and *notice* to the one that asked."""
        pack, own = PACKS[self.loaded], self._files
        names = [tag.names[self.language] for tag in pack.tags]
        known = [entry.word(self.language) for entry in pack.lexicon]
        fitted = {tag for entry in pack.lexicon for tag in entry.tags}
        bare = [name for number, name in enumerate(names) if number not in fitted]
        lexicon = self._in_use("lexicon", known)
        if not known:
            lexicon = self._text("no_lexicon")
        elif bare:
            lexicon += "\n" + self._text("none_fits", count=len(bare), names=self._some(bare))
        shown = {"tags": self._in_use("tags", names), "lexicon": lexicon}
        self.send({"type": "state", "own": any(own.values()), **shown})
        if notice:
            self._answer(content, type="notice", text=notice)

    def _in_use(self, what: What, names: Sequence[str]) -> str:
        """Return the words in use of *what*: the name of the file, how many, and some of them."""
        if (file := self._files[what]) is None:
            return self._text(f"kit_{what}", count=len(names))
        return self._text(f"own_{what}", file=file.name, count=len(names), names=self._some(names))

    def _some(self, names: Sequence[str]) -> str:
        return join_words([*names[:SHOWN], *["…"] * (len(names) > SHOWN)], self.language)


def choose_words(table: PlaysAt, language: str = LANGUAGES[0]) -> WordFiles:
    """Return the cell that chooses own words for *table*: ``choose_words(table, "en")``."""
    return WordFiles(table, language)


def example(what: What, language: str) -> str:
    """Return the kit's own tags or lexicon as a CSV file in *language*, to be changed and loaded
    again.
    """
    pack, column = standard_pack(), "en" if language == "en" else "zh"
    names = [tag.names[language] for tag in pack.tags]
    rows = [[column], *([name] for name in names)]
    if what == "lexicon":
        rows = [[column, "tags", "also"]]
        for each in pack.lexicon:
            cells = (
                ";".join(names[tag] for tag in sorted(tags)) for tags in (each.tags, each.also)
            )
            rows.append([each.word(language), *cells])
    return write_csv(rows)


def _clean(name: object) -> str:
    """Return the *name* that a browser gives a file, cleaned for display."""
    words = (
        "".join(char if char.isprintable() else " " for char in str(name))
        if isinstance(name, str)
        else ""
    )
    return " ".join(words.split())[:LONGEST_NAME] or "?"
