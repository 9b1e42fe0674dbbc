"""Card files: CSV files with the facts on the cards, read line by line and checked.

The kit's own lie in ``data/``; ``data/SOURCES.md`` tells how they were checked. A class can bring
its own: :func:`load_writers` and its neighbours return every card in a file, or none if one line is
wrong.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from coursekit.files import csvfile
from coursekit.files.csvfile import CsvFile, CsvLine, check_unique
from coursekit.games.blockade.rules.card_facts import (
    DATA,
    ERAS,
    FORMS,
    GAME,
    GENRES,
    LIVES,
    PERIODICAL_KINDS,
    YEARS,
    BannedBook,
    EventNote,
    Fate,
    FunctionNote,
    Periodical,
    Writer,
    name_of_era,
)
from coursekit.games.blockade.rules.citations import is_cited, list_sources
from coursekit.words.characters import drawn_part
from coursekit.words.texts import shorten

ANSWERS = {"yes": "是", "no": "否", "doubtful": "存疑"}
"""Answers in the column "verified", each with its Chinese form."""
LONGEST_NOTE = 600  # characters; of sources, too
YEAR = re.compile("[0-9]{4}")
YOUNGEST = 10  # age of a writer in the year of the work

TITLES = ("title_zh", "work_zh")
NAMES = ("name", "title", "author", "work")
NOTES = ("note", "reason", "summary", "tied_to", "fate")
"""Fields, with "_zh" and "_en"; in the kind's columns stands which are needed."""
NUMBERS = {
    "birth": LIVES,
    "death": LIVES,
    "work_year": YEARS,
    "founded": LIVES,
    "ceased": LIVES,
    "published": LIVES,
    "banned_year": YEARS,
    "year": YEARS,
    "count": range(1, 100),
}
CHOICES: dict[str, tuple[Mapping[str, str], str]] = {
    "genre": (GENRES, ""),
    "form": (FORMS, "book"),
    "kind": (PERIODICAL_KINDS, ""),
}
"""Words that a field may have, and the default."""
COLUMN_NAMES = {"card_id": "id", "copies": "count"}
"""Where they differ from the fields of a card."""
IN_ORDER = (("birth", "death"), ("founded", "ceased"), ("published", "banned_year"))

Card = TypeVar("Card", Writer, Periodical, BannedBook, EventNote, FunctionNote, Fate)


CALLED = {
    "作家": "name_zh",
    "姓名": "name_zh",
    "作者": "name_zh",
    "作品": "work_zh",
    "篇名": "work_zh",
    "年份": "work_year",
    "發表年": "work_year",
    "文類": "genre",
    "體裁": "genre",
    "生年": "birth",
    "出生": "birth",
    "卒年": "death",
    "出處": "source",
    "來源": "source",
    "說明": "note_zh",
    "備註": "note_zh",
}
"""Names that a class may give the columns of its writers."""


class Columns(NamedTuple):
    """The columns of one kind of card file."""

    needed: tuple[str, ...]
    other: tuple[str, ...]  # may be left out
    unique: tuple[tuple[str, ...], ...]  # no two cards agree in all columns of one of these groups
    letter: str = ""  # of an id that is made

    def name_untitled(self, columns: Sequence[Sequence[str]]) -> Sequence[str]:
        """Return the needed columns if *columns* are as many, and years stand in that of a year."""
        if len(columns) != len(self.needed):
            return ()
        for name, column in zip(self.needed, columns):
            if name in NUMBERS and not all(map(YEAR.fullmatch, column)):
                return ()
        return self.needed if {*self.needed} & {*NUMBERS} else ()


_FACTS = ("verified", "source")
_NOTES = ("note_zh", "note_en")
WRITER_COLUMNS = Columns(
    ("name_zh", "work_zh", "work_year", "genre"),
    ("id", "name_en", "birth", "death", "work_en", "form", "era", *_FACTS, *_NOTES),
    (("id",), ("name_zh", "work_zh")),
    "W",
)
PERIODICAL_COLUMNS = Columns(
    ("title_zh", "founded", "kind"),
    ("id", "title_en", "ceased", "editor_zh", *_FACTS, *_NOTES),
    (("id",), ("title_zh",)),
    "P",
)
BANNED_BOOK_COLUMNS = Columns(
    ("title_zh", "author_zh"),
    (
        *("id", "title_en", "author_en", "published", "banned_year", "reason_zh", "reason_en"),
        *_FACTS,
        *_NOTES,
    ),
    (("id",), ("title_zh", "author_zh")),
    "B",
)
EVENT_COLUMNS = Columns(
    ("year", "name_zh", "name_en", "summary_zh", "summary_en", *_FACTS),
    _NOTES,
    (("year",), ("name_zh",)),
)
FUNCTION_COLUMNS = Columns(
    ("id", "name_zh", "name_en", "count", "tied_to_zh", "tied_to_en", *_FACTS),
    (),
    (("id",), ("name_zh",)),
)
FATE_COLUMNS = Columns(("name_zh", "name_en", "fate_zh", "fate_en", *_FACTS), (), (("name_zh",),))


def _read(line: CsvLine, field: str, columns: Columns) -> Any:
    """Return what stands in the column *field*, as it is kept on a card."""
    needed, part = field in columns.needed, field.rpartition("_")[0]
    if field in NUMBERS:
        return line.number_in(field, NUMBERS[field], needed=needed)
    if field in CHOICES:
        return _choice(line, field, *CHOICES[field])
    if field in TITLES:
        return _title(line, field)
    if field == "id":
        return _id(line, columns.letter)
    if part in NOTES:  # it may have several lines
        return line.cell(field, LONGEST_NOTE, needed=needed, breaks=True)
    return line.cell(field, needed=needed)


def _title(line: CsvLine, field: str) -> str:
    """Return a title, which is needed.  The marks printed around it do not belong in the file."""
    title = line.cell(field, needed=True)
    if re.fullmatch("《.*》|〈.*〉|「.*」", title):
        line.wrong("data.marks", field, got=shorten(title), marks=title[0] + title[-1])
    return title


def _id(line: CsvLine, letter: str) -> str:
    """Return the card's id; by default the *letter* and the number of the card in the file."""
    card_id = line.cell("id") or f"{letter}{line.entry:03}"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,12}", card_id):
        line.wrong("data.id", "id", got=shorten(card_id))
    return card_id


def _choice(line: CsvLine, field: str, allowed: Mapping[str, str], default: str = "") -> str:
    """Return one of the *allowed* words, which may also be given by its Chinese name."""
    got = line.cell(field, needed=not default) or default
    for word, chinese in allowed.items():
        if got.lower() in (word, chinese):
            return word
    if got:
        words = ", ".join(f"{word}/{chinese}" for word, chinese in allowed.items())
        line.wrong("data.choice", field, got=shorten(got), allowed=words)
    return ""


def _verified(line: CsvLine, source: str) -> bool | None:
    """Return whether the line is verified, ``None`` if it is doubtful."""
    answer = _choice(line, "verified", ANSWERS, "no")
    if answer != "no" and not source:
        line.wrong("data.source", "source")
    elif answer == "yes" and not is_cited(source):
        line.wrong("data.citation", "source", got=shorten(source))
    return None if answer == "doubtful" else answer == "yes"


def _era(line: CsvLine, year: int | None) -> int:
    """Return the era of *year*.  If there is a column "era", it must agree."""
    if year is None:
        return 1
    era = next(number for number, years in ERAS.items() if year in years)
    got, allowed = line.cell("era"), name_of_era(era)
    if got not in ("", allowed):
        line.wrong("data.era", "era", got=shorten(got), year=year, allowed=allowed)
    return era


def _check_years(line: CsvLine, card: Mapping[str, Any]) -> None:
    """Refuse years in the wrong order, and a work too early or too late in a writer's life."""
    for first, then in IN_ORDER:
        start, end = card.get(first), card.get(then)
        if start is not None and end is not None and end < start:
            line.wrong("data.order", then, got=end, first=first, start=start)
    year, birth, death = card.get("work_year"), card.get("birth"), card.get("death")
    if year is None:
        return
    if birth is not None and year < birth + YOUNGEST:
        line.wrong("data.young", "work_year", got=year, birth=birth, youngest=YOUNGEST)
    explained = card["note_zh"] or card["note_en"]
    if death is not None and year > death and not explained:
        line.wrong("data.posthumous", "work_year", got=year, death=death)


def _read_card(line: CsvLine, kind: type[Card], columns: Columns) -> Card:
    """Return the card in a *line* of a file."""
    card: dict[str, Any] = {}
    for field in kind._fields:
        if field not in ("verified", "source", "era"):
            card[field] = _read(line, COLUMN_NAMES.get(field, field), columns)
    card["source"] = line.cell("source", LONGEST_NOTE, breaks=True)
    card["verified"] = _verified(line, card["source"])
    for name in NAMES:  # without an English name, the Chinese one is shown
        if f"{name}_en" in card:
            card[f"{name}_en"] = card[f"{name}_en"] or card[f"{name}_zh"]
    _check_years(line, card)
    if "work_year" in card:
        card["era"] = _era(line, card["work_year"])
    return kind(**card)


def load_writers(path: str | Path) -> tuple[Writer, ...]:
    """Return the writer cards in the CSV file *path*, in the order of its lines.

    Its columns are :data:`WRITER_COLUMNS`. A name or title without an English one is shown in
    Chinese; a card without an id gets a number.

    :raises FileError: a ``ValueError`` that names file, line and field, what was found there,
        what is allowed and what to do.
    """
    return _load(path, WRITER_COLUMNS, Writer)


def load_periodicals(path: str | Path) -> tuple[Periodical, ...]:
    """Return the periodical cards in the CSV file *path*.

    :raises FileError: as :func:`load_writers`.
    """
    return _load(path, PERIODICAL_COLUMNS, Periodical)


def load_banned_books(path: str | Path) -> tuple[BannedBook, ...]:
    """Return the banned-book cards in the CSV file *path*.

    :raises FileError: as :func:`load_writers`.
    """
    return _load(path, BANNED_BOOK_COLUMNS, BannedBook)


def write_template(path: str | Path) -> Path:
    """Write a card file with two of the kit's own cards, to be replaced, and return its path.

    :raises FileError: as :func:`coursekit.files.csvfile.write`.
    """
    names = "name_zh birth death work_zh work_year genre form note_zh".split()
    rows: list[list[Any]] = [[*names, "source"]]
    for writer in writers():
        if writer.work_zh in ("和平宣言", "城南舊事"):
            cited = list_sources(writer.source, language="zh-Hant")
            rows.append([*(getattr(writer, name) for name in names), cited])
    return csvfile.write(GAME, path, rows)


@lru_cache
def writers() -> tuple[Writer, ...]:
    """Return the kit's 173 writer cards, by the year of the work."""
    return _check_count("writers.csv", load_writers(DATA / "writers.csv"), 173)


@lru_cache
def periodicals() -> tuple[Periodical, ...]:
    """Return the kit's 23 periodical cards, by the year of their founding."""
    return _check_count("periodicals.csv", load_periodicals(DATA / "periodicals.csv"), 23)


@lru_cache
def banned_books() -> tuple[BannedBook, ...]:
    """Return the kit's 10 banned-book cards, by the year of the ban."""
    return _check_count("banned_books.csv", load_banned_books(DATA / "banned_books.csv"), 10)


@lru_cache
def events() -> tuple[EventNote, ...]:
    """Return the 20 events of the board, by year."""
    return _check_count("events.csv", _load(DATA / "events.csv", EVENT_COLUMNS, EventNote), 20)


def event_note(year: int) -> EventNote:
    """Return what happened in history in the event of *year*."""
    return next(note for note in events() if note.year == year)


@lru_cache
def functions() -> tuple[FunctionNote, ...]:
    """Return the 20 kinds of function cards, 117 cards in all."""
    return _check_count(
        "functions.csv", _load(DATA / "functions.csv", FUNCTION_COLUMNS, FunctionNote), 20
    )


@lru_cache
def fates() -> Mapping[str, Fate]:
    """Return how people on the kit's cards were imprisoned for political reasons, by their name."""
    return {fate.name_zh: fate for fate in _load(DATA / "imprisoned.csv", FATE_COLUMNS, Fate)}


@lru_cache
def _own_rows() -> frozenset[object]:
    return frozenset([*writers(), *periodicals(), *banned_books()])


def fates_on(row: Writer | Periodical | BannedBook) -> list[Fate]:
    """Return how the people named on a card of the kit were imprisoned.

    A card of a class may name somebody else of the same name, so nothing is said about it.
    """
    if row not in _own_rows():
        return []
    if isinstance(row, Writer):
        names = row.name_zh
    else:
        names = row.editor_zh if isinstance(row, Periodical) else row.author_zh
    return [fates()[name] for name in names.split("、") if name in fates()]


def _check_count(file: str, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    if len(cards) != count:
        raise CsvFile(GAME, file).error("data.count", got=len(cards), allowed=count)
    return cards


def _load(path: str | Path, columns: Columns, kind: type[Card]) -> tuple[Card, ...]:
    """Return a card for each line of *path*; raise if one of the lines is wrong."""
    file = CsvFile(GAME, path)
    lines = list(file.lines(columns.needed, columns.other, CALLED, columns.name_untitled))
    cards = tuple([_read_card(line, kind, columns) for line in lines])
    for fields in columns.unique:
        keys: list[tuple[CsvLine, str, Any, str]] = []
        for line, card in zip(lines, cards):
            names = ["card_id" if field == "id" else field for field in fields]
            key = [drawn_part(str(getattr(card, name))) for name in names]
            keys.append((line, fields[-1], tuple(key) if all(key) else (), ", ".join(key)))
        check_unique(keys)
    file.check()
    return cards
