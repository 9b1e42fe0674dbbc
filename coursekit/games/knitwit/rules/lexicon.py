"""The lexicon of Knit Wit and its tags, and the pieces laid out for each number of players.

The kit's own lie in ``data/`` as CSV files.  A class can bring words of its own: :func:`own_words`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.errors import FileError
from coursekit.core.options import CardSetNames
from coursekit.files.csvfile import CsvFile, CsvLine, CsvSource, Upload, check_unique
from coursekit.games.knitwit.rules.answers import forbids, stem
from coursekit.words.language import current_language
from coursekit.words.normalise import load_simplified_table, normalise
from coursekit.words.texts import LANGUAGES

GAME = "knitwit"
DATA = Path(__file__).parent / "data"
PLAYERS = range(2, 9)
LINES = 8
"""Spools in the box, and lines on an answer pad."""
FEWEST = 16
"""Fewest tags in a class's file: eight lie on the table, and the next round wants others."""
MOST = {"tags": 1_000, "words": 10_000}
"""Most lines in a file; more would take minutes."""
LONGEST = {"zh": 8, "en": 24, "word": 30, "tags": 600, "words": 9_000, "pack": 70}
"""Most characters in a cell, and in the name of a pack."""
CALLED = {
    "zh": "zh",
    "en": "en",
    "zh_hans": "zh_hans",
    "zh-hans": "zh_hans",
    "tags": "tags",
    "tag": "tags",
    "中文": "zh",
    "繁體": "zh",
    "詞": "zh",
    "英文": "en",
    "english": "en",
    "chinese": "zh",
    "簡體": "zh_hans",
    "简体": "zh_hans",
    "字卡": "tags",
    "also": "also",
    "也行": "also",
}
"""Names that a class may give the columns of its files."""
TAGS_CALLED = {"字卡": "zh", "tag": "en", "tags": "en"}
"""The same, of tags alone."""
CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
DOUBTED = 1001
"""Words of the kit's lexicon, from the first, whose Chinese and English names are known as the
same.

Matches replay by that knowledge: words added later get it only with a new version of the rules.
"""
BETWEEN = "[;；、,，]"
"""The signs between the tags of a word."""


class Tag(NamedTuple):
    """The word on one tag, in each language."""

    zh: str
    en: str
    zh_hans: str

    @property
    def names(self) -> Mapping[str, str]:
        """The word by language."""
        return dict(zip(LANGUAGES, self))

    def word(self, language: str) -> str:
        """Return the word in *language*."""
        return self[LANGUAGES.index(language)]


class Entry(NamedTuple):
    """A word that can be an answer, and the places of the tags that it fits, or ``also`` may fit.

    A banana is yellow, and may be green. Strategies accept both, and write it for green only where
    nothing plainly fits.
    """

    zh: str
    en: str
    tags: frozenset[int]
    also: frozenset[int] = frozenset()
    head: str = ""  # of a phrase, the word at its end, in English

    def word(self, language: str) -> str:
        """Return the word in *language*; every kind of Chinese but zh-Hans is the file's own."""
        if language == "en":
            return self.en
        return self.zh.translate(load_simplified_table()) if language == "zh-Hans" else self.zh


class Modifier(NamedTuple):
    """What stands before a word and changes what it fits: a stolen bicycle is illegal.

    Its tags are places, as those of an :class:`Entry`.
    """

    zh: str
    en: str
    adds: frozenset[int]
    loses: frozenset[int]
    keeps: frozenset[int]  # all else is lost; all tags for what loses only ``loses``
    of: frozenset[str]  # the words it suits, in English

    def phrase(self, entry: Entry) -> Entry | None:
        """Return *entry* with this before it; ``None`` if they do not suit."""
        head = entry.head or entry.en
        if head not in self.of:
            return None
        remaining = self.keeps - self.loses
        tags = entry.tags & remaining | self.adds
        return Entry(
            self.zh + entry.zh, f"{self.en} {entry.en}", tags, entry.also & remaining - tags, head
        )


class Pack:
    """The words of a match: tags, lexicon, synonyms, and what may stand before a word."""

    def __init__(
        self,
        tags: Sequence[Tag],
        lexicon: Sequence[Entry] = (),
        pairs: Sequence[Sequence[str]] = (),
        modifiers: Sequence[Modifier] = (),
        *,
        doubted: int | None = None,
    ) -> None:
        """Make a pack.

        :param doubted: how many words, from the first, have two names that are known as the same,
            ``None`` for all.
        """
        self.tags = tuple(tags)
        self.lexicon = tuple(lexicon)
        self.modifiers = tuple(modifiers)
        self.same: dict[str, set[str]] = {}
        """For each known norm, the norms of other words for the same thing."""
        for pair in (*pairs, *_names(lexicon[:doubted])):
            norms = {normalise(word) for word in pair}
            for norm in norms:
                self.same.setdefault(norm, set()).update(norms - {norm})

    def forbidding(self, tags: Sequence[int], answer: str, match: str) -> list[int]:
        """Return those of *tags* that forbid *answer*."""
        return [tag for tag in tags if forbids(self.tags[tag].zh, self.tags[tag].en, answer, match)]


class Setup(NamedTuple):
    """The pieces laid out for a number of players."""

    loops: int  # and as many spools
    buttons: tuple[int, ...]  # holes, the most first


def _lines(
    file: CsvFile, needed: Sequence[str], other: Sequence[str], most: int
) -> tuple[str, list[CsvLine]]:
    """Return the column that must be filled, ``zh`` or else ``en``, and the lines of *file*."""
    called = CALLED if needed else CALLED | TAGS_CALLED
    lines = list(file.lines(needed, other, called, _name_list if not needed else _name_words))
    if len(lines) > most:
        raise file.error("data.many", got=len(lines), allowed=most)
    named = [name for name in ("zh", "en") if any(name in line.cells for line in lines)]
    if lines and not named:
        raise file.error(
            "data.missing", line=file.header_line, field="zh", needed=", ".join(("zh", *needed))
        )
    return (*named, "zh")[0], lines


def _name_list(columns: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the names of the *columns* of a plain list of tags, in one language or two."""
    languages = ["zh" if any(map(CHINESE.search, column)) else "en" for column in columns]
    return languages if sorted(languages) in (["zh"], ["en"], ["en", "zh"]) else ()


def _name_words(columns: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the names of the *columns* of a list of words, each with the tags that it fits."""
    return (*_name_list(columns[:1]), "tags") if len(columns) == 2 else ()


def _tag(line: CsvLine, main: str) -> Tag:
    zh = line.cell("zh", LONGEST["zh"], needed=main == "zh")
    en = line.cell("en", LONGEST["en"], needed=main == "en")
    hans = line.cell("zh_hans", LONGEST["zh"])
    if zh and not stem(zh):
        line.wrong("data.no_word", "zh", got=zh)
    if en and not normalise(en):
        line.wrong("data.no_word", "en", got=en)
    return Tag(zh or en, en or zh, hans or (zh or en).translate(load_simplified_table()))


def load_tags(source: CsvSource) -> tuple[Tag, ...]:
    """Return the tags in the CSV file *source*.

    Its columns are ``zh`` or ``en`` or both, and optionally ``zh_hans``. A tag in one language is
    shown to all. Missing simplified characters are converted from ``zh``.

    :raises FileError: a ``ValueError`` that names file, line and column, and says what to do.
    """
    file = CsvFile(GAME, source)
    main, lines = _lines(file, (), ("zh", "en", "zh_hans"), MOST["tags"])
    tags = [_tag(line, main) for line in lines]
    for column, norm, place in (("zh", stem, 0), ("en", normalise, 1)):
        filled = [(line, tag[place]) for line, tag in zip(lines, tags) if line.cells.get(column)]
        check_unique((line, column, norm(name), name) for line, name in filled)
    file.check()
    if len(tags) < FEWEST:
        raise file.error("data.few", got=len(tags), allowed=FEWEST)
    return tuple(tags)


def is_plain_list(source: CsvSource) -> bool:
    """Return whether the tags in *source* stand below no names of columns."""
    file = CsvFile(GAME, source)
    _lines(file, (), ("zh", "en", "zh_hans"), MOST["tags"])
    return file.is_untitled


def load_lexicon(source: CsvSource, tags: Sequence[Tag]) -> tuple[Entry, ...]:
    """Return the words in the CSV file *source* and the *tags* that they fit.

    Its columns are ``zh``, ``en`` and ``tags``. The tags stand in one cell, in English or in
    Chinese, with or without their 的: with ``;`` between them (or ``；``, ``、``, a comma), or with
    spaces where none of these stands: ``in the sky;red``, ``red round``. ``zh`` or ``en`` may be
    left out. A column ``also`` may name tags that the word may fit: see :class:`Entry`.

    :raises FileError: as :func:`load_tags`.
    """
    file = CsvFile(GAME, source)
    main, lines = _lines(file, ("tags",), ("zh", "en", "also"), MOST["words"])
    names = TagNames(tags)
    entries = []
    for line in lines:
        zh, en = (line.cell(name, LONGEST["word"], needed=name == main) for name in ("zh", "en"))
        fits = names.read(line, "tags", frozenset())
        entries.append(Entry(zh or en, en or zh, fits, names.read(line, "also", fits)))
    check_unique((line, main, normalise(entry.zh), entry.zh) for line, entry in zip(lines, entries))
    file.check()
    return tuple(entries)


class TagNames:
    """The names of tags, as a class may write them in the cells of its lexicon."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self._numbers: dict[str, int] = {}
        for number, tag in enumerate(tags):
            self._numbers |= {tag.zh: number, tag.en: number}
        for number, tag in enumerate(tags):
            for name in (*_forms(tag.zh), *_forms(tag.en), tag.zh_hans, stem(tag.zh_hans)):
                self._numbers.setdefault(name, number)
        self._find = cache(self._find_uncached)  # the same few in a thousand cells

    def _find_uncached(self, name: str) -> int | None:
        numbers = (self._numbers[form] for form in _forms(name) if form in self._numbers)
        return next(numbers, None)

    def read(self, line: CsvLine, column: str, before: frozenset[int]) -> frozenset[int]:
        """Return the tags in a cell, none of which may be in the cell *before*."""
        cell = line.cell(column, LONGEST["tags"], needed=column == "tags")
        words = re.split(BETWEEN, cell)
        if len(words) == 1 and (len(cell) > 2 * LONGEST["en"] or self._find(cell) is None):
            words = cell.split()
        names = [word.strip() for word in words if word.strip()]
        by_name = {name: self._find(name) for name in names}
        numbers = frozenset(number for number in by_name.values() if number is not None)
        unknown = [name for name in names if by_name[name] is None]
        if unknown:
            line.wrong("data.no_tag", column, got=unknown[0])
        elif len(numbers - before) < len(names):
            line.wrong("data.tag_twice", column)
        return numbers


def _forms(name: str) -> Sequence[str]:
    """Return the ways to write *name* that mean the same."""
    return name, normalise(name), stem(name), normalise(name.replace("-", " "))


@lru_cache
def standard_pack() -> Pack:
    """Return the kit's own words: 114 tags, everyday words, and what may stand before them."""
    tags = load_tags(DATA / "tags.csv")
    lexicon = load_lexicon(DATA / "lexicon.csv", tags)
    modifiers = _modifiers(DATA / "modifiers.csv", tags, lexicon)
    return Pack(tags, lexicon, _pairs(DATA / "same.csv"), modifiers, doubted=DOUBTED)


def _modifiers(path: Path, tags: Sequence[Tag], lexicon: Sequence[Entry]) -> list[Modifier]:
    """Return the modifiers in *path*.

    It names tags and words in English, words with ``-`` for spaces.
    """
    file = CsvFile(GAME, path)
    numbers = {tag.en: number for number, tag in enumerate(tags)}
    words = {entry.en.replace(" ", "-"): entry.en for entry in lexicon}
    modifiers = []
    for line in file.lines(Modifier._fields):
        zh, en = (line.cell(name, LONGEST["word"], needed=True) for name in ("zh", "en"))
        adds, loses, keeps = (
            frozenset(numbers[name] for name in line.cell(column, LONGEST["tags"]).split())
            for column in ("adds", "loses", "keeps")
        )
        of = line.cell("of", LONGEST["words"], needed=True).split()
        suits = frozenset(words[name] for name in of)
        modifiers.append(Modifier(zh, en, adds, loses, keeps or frozenset(range(len(tags))), suits))
    file.check()
    return modifiers


@lru_cache
def general_pairs() -> tuple[Sequence[str], ...]:
    """Return the words for one thing that are known with any tags: the kit's pairs and lexicon."""
    return (*_pairs(DATA / "same.csv"), *_names(standard_pack().lexicon[:DOUBTED]))


def _names(lexicon: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return the Chinese and the English name of each word."""
    return [(entry.zh, entry.en) for entry in lexicon]


def _pairs(path: Path) -> list[tuple[str, str]]:
    """Return pairs of words for one thing, such as regional ones.

    Players vote whether they are the same.
    """
    file = CsvFile(GAME, path)
    pairs = [
        (line.cell("one", 30, needed=True), line.cell("other", 30, needed=True))
        for line in file.lines(("one", "other"))
    ]
    file.check()
    return pairs


PACKS: CardSetNames[Pack] = CardSetNames(standard_pack, "own_words")
"""The packs to play with, by the values of the option ``words``."""


def own_words(
    tags: CsvSource, lexicon: CsvSource | None = None, language: str | None = None
) -> str:
    """Load a class's own tags from a CSV file, and the words that strategies know from another.

    Returns the value for the option ``words``: ``KnitWit(4,
    Options(words=own_words("unit5.csv")))``.

    :param language: of the error.
    :raises FileError: if a file cannot be used, naming every wrong line; then nothing is loaded.
    """
    language = language or current_language()
    try:
        return load_words(tags, lexicon, tags.name if isinstance(tags, Upload) else Path(tags).name)
    except FileError as error:
        error.tell(language)
        raise


def load_words(tags: CsvSource | None, lexicon: CsvSource | None, name: str) -> str:
    """Load words as :func:`own_words` does, leaving an error to the caller.

    :param tags: ``None`` for the kit's.
    :param name: shown where words are chosen; a number is added if it is taken.
    :raises FileError: as :func:`own_words`.
    """
    own = load_tags(tags) if tags is not None else standard_pack().tags
    known = load_lexicon(lexicon, own) if lexicon is not None else ()
    rows = []
    for entry in known:
        row = [entry.zh, entry.en, sorted(entry.tags)]
        rows.append([*row, sorted(entry.also)] if entry.also else row)
    facts: Any = [own, rows]
    taken = {PACKS.file_name(value) for value in PACKS}
    name = free_name = name[: LONGEST["pack"]]
    number = 1
    while free_name in taken:
        number += 1
        free_name = f"{name} ({number})"
    return PACKS.add(free_name, facts, Pack(own, known, general_pairs()))


def load_written_words(name: str, tags: str, lexicon: str = "", language: str | None = None) -> str:
    """Load words as :func:`own_words` does, from text in a cell instead of files.

    :param name: stands for the file's name in errors.
    :param tags: the content of that file, a line for each tag.
    :param lexicon: the content of the other file, ``""`` for none.
    :raises FileError: as :func:`own_words`.
    """
    language = language or current_language()
    words = Upload(f"lexicon of {name}", lexicon.encode()) if lexicon else None
    return own_words(Upload(name, tags.encode()), words, language)


@lru_cache
def load_setups() -> Mapping[str, Mapping[int, Setup]]:
    """Return the pieces for each number of players, by the values of the option ``setup_table``.

    :raises FileError: unless the file has each table once for 2 to 8 players.
    """
    file = CsvFile(GAME, DATA / "setup.csv")
    tables: dict[str, dict[int, Setup]] = {}
    for line in file.lines(("table", "players", "loops", "buttons")):
        players = line.number_in("players", PLAYERS, needed=True) or 0
        loops = line.number_in("loops", range(1, LINES + 1), needed=True) or 0
        holes = line.cell("buttons", 9, needed=True).split()
        if not holes or not set(holes) <= set("1234") or holes != sorted(set(holes), reverse=True):
            line.wrong("data.buttons", "buttons", got=line.cells["buttons"])
        rows = tables.setdefault(line.cell("table", 20, needed=True), {})
        if players in rows:
            line.wrong("data.players_twice", "players", got=players)
        rows[players] = Setup(loops, tuple([int(count) for count in holes if count.isdecimal()]))
    file.check()
    if any(sorted(rows) != list(PLAYERS) for rows in tables.values()):
        raise file.error("data.players_missing")
    return tables
