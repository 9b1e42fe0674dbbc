"""Card files: CSV files with the facts on the cards, read line by line and checked.

The kit's own lie in ``data/``; ``data/SOURCES.md`` tells how they were checked. A class can bring
its own: :func:`load_writers` and its neighbours return every card in a file, or none if one line is
wrong.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

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
from coursekit.words.texts import shorten

ANSWERS = {"yes": "是", "no": "否", "doubtful": "存疑"}
"""Answers in the column "verified", each with its Chinese form."""
CITED = re.compile(
    r"https?://[\w.-]+/\S*( https?://[\w.-]+/\S*)*$|(?!https?:).*(?<!\d)(?:1[89]|20)\d\d(?!\d)",
    re.S,
)
"""Source of a verified line: one or more addresses, or a citation of a printed work with its year."""
LONGEST_NOTE = 600  # characters; of sources, too
YOUNGEST = 10  # age of a writer in the year of the work

Card = TypeVar("Card", Writer, Periodical, BannedBook, EventNote, FunctionNote, Fate)


def _note(line: CsvLine, field: str, *, needed: bool = False) -> str:
    """Return a note, which may have several lines."""
    return line.cell(field, LONGEST_NOTE, needed=needed, breaks=True)


def _title(line: CsvLine, field: str) -> str:
    """Return a title, which is needed.  The marks printed around it do not belong in the file."""
    got = line.cell(field, needed=True)
    if re.fullmatch("《.*》|〈.*〉|「.*」", got):
        line.wrong("data.marks", field, got=shorten(got), marks=got[0] + got[-1])
    return got


def _id(line: CsvLine, letter: str) -> str:
    """Return the card's id; by default the *letter* and the number of the card in the file."""
    got = line.cell("id") or f"{letter}{line.entry:03}"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,12}", got):
        line.wrong("data.id", "id", got=shorten(got))
    return got


def _choice(line: CsvLine, field: str, allowed: Mapping[str, str], default: str = "") -> str:
    """Return one of the *allowed* words, which may also be given by its Chinese name."""
    got = line.cell(field, needed=not default) or default
    found = [each for each, other in allowed.items() if got.lower() in (each, other)]
    if got and not found:
        words = ", ".join(f"{each}/{other}" for each, other in allowed.items())
        line.wrong("data.choice", field, got=shorten(got), allowed=words)
    return found[0] if found else ""


def _verified(line: CsvLine) -> tuple[bool | None, str]:
    """Return whether the line is verified (``None`` if it is doubtful), and its source."""
    answer, source = _choice(line, "verified", ANSWERS, "no"), _note(line, "source")
    if answer != "no" and not source:
        line.wrong("data.source", "source")
    elif answer == "yes" and not CITED.match(source):
        line.wrong("data.citation", "source", got=shorten(source))
    return (None if answer == "doubtful" else answer == "yes"), source


def _in_order(line: CsvLine, first: str, start: int | None, then: str, end: int | None) -> None:
    """Refuse an *end* (field *then*) before the *start* (field *first*)."""
    if start is not None and end is not None and end < start:
        line.wrong("data.order", then, got=end, first=first, start=start)


def _era(line: CsvLine, year: int | None) -> int:
    """Return the era of *year*.  If there is a column "era", it must agree."""
    if year is None:
        return 1
    era = next(number for number, years in ERAS.items() if year in years)
    if line.cell("era") not in ("", name_of_era(era)):
        line.wrong(
            "data.era", "era", got=shorten(line.cells["era"]), year=year, allowed=name_of_era(era)
        )
    return era


def _writer(line: CsvLine) -> Writer:
    name, work = line.cell("name_zh", needed=True), _title(line, "work_zh")
    birth, death = line.number_in("birth", LIVES), line.number_in("death", LIVES)
    year = line.number_in("work_year", YEARS, needed=True)
    verified, source = _verified(line)
    writer = Writer(
        id=_id(line, "W"),
        name_zh=name,
        name_en=line.cell("name_en") or name,
        birth=birth,
        death=death,
        work_zh=work,
        work_en=line.cell("work_en") or work,
        work_year=year or YEARS[0],
        genre=_choice(line, "genre", GENRES),
        form=_choice(line, "form", FORMS, "book"),
        era=_era(line, year),
        verified=verified,
        source=source,
        note_zh=_note(line, "note_zh"),
        note_en=_note(line, "note_en"),
    )
    _in_order(line, "birth", birth, "death", death)
    if birth is not None and year is not None and year < birth + YOUNGEST:
        line.wrong("data.young", "work_year", got=year, birth=birth, youngest=YOUNGEST)
    if (
        death is not None
        and year is not None
        and year > death
        and not (writer.note_zh or writer.note_en)
    ):
        line.wrong("data.posthumous", "work_year", got=year, death=death)
    return writer


def _periodical(line: CsvLine) -> Periodical:
    title = _title(line, "title_zh")
    founded, ceased = line.number_in("founded", LIVES, needed=True), line.number_in("ceased", LIVES)
    _in_order(line, "founded", founded, "ceased", ceased)
    verified, source = _verified(line)
    return Periodical(
        id=_id(line, "P"),
        title_zh=title,
        title_en=line.cell("title_en") or title,
        founded=founded or YEARS[0],
        ceased=ceased,
        kind=_choice(line, "kind", PERIODICAL_KINDS),
        editor_zh=line.cell("editor_zh"),
        note_zh=_note(line, "note_zh"),
        note_en=_note(line, "note_en"),
        verified=verified,
        source=source,
    )


def _banned_book(line: CsvLine) -> BannedBook:
    title, author = _title(line, "title_zh"), line.cell("author_zh", needed=True)
    published, banned = line.number_in("published", LIVES), line.number_in("banned_year", YEARS)
    _in_order(line, "published", published, "banned_year", banned)
    verified, source = _verified(line)
    return BannedBook(
        id=_id(line, "B"),
        title_zh=title,
        title_en=line.cell("title_en") or title,
        author_zh=author,
        author_en=line.cell("author_en") or author,
        published=published,
        banned_year=banned,
        reason_zh=_note(line, "reason_zh"),
        reason_en=_note(line, "reason_en"),
        verified=verified,
        source=source,
        note_zh=_note(line, "note_zh"),
        note_en=_note(line, "note_en"),
    )


def _event(line: CsvLine) -> EventNote:
    verified, source = _verified(line)
    return EventNote(
        year=line.number_in("year", YEARS, needed=True) or YEARS[0],
        name_zh=line.cell("name_zh", needed=True),
        name_en=line.cell("name_en", needed=True),
        summary_zh=_note(line, "summary_zh", needed=True),
        summary_en=_note(line, "summary_en", needed=True),
        verified=verified,
        source=source,
        note_zh=_note(line, "note_zh"),
        note_en=_note(line, "note_en"),
    )


def _function(line: CsvLine) -> FunctionNote:
    verified, source = _verified(line)
    return FunctionNote(
        id=_id(line, "FC"),
        name_zh=line.cell("name_zh", needed=True),
        name_en=line.cell("name_en", needed=True),
        copies=line.number_in("count", range(1, 100), needed=True) or 1,
        tied_to_zh=_note(line, "tied_to_zh", needed=True),
        tied_to_en=_note(line, "tied_to_en", needed=True),
        verified=verified,
        source=source,
    )


def _fate(line: CsvLine) -> Fate:
    verified, source = _verified(line)
    return Fate(
        name_zh=line.cell("name_zh", needed=True),
        name_en=line.cell("name_en", needed=True),
        fate_zh=_note(line, "fate_zh", needed=True),
        fate_en=_note(line, "fate_en", needed=True),
        verified=verified,
        source=source,
    )


class Columns(NamedTuple):
    """The columns of one kind of card file."""

    needed: tuple[str, ...]
    other: tuple[str, ...]  # may be left out
    unique: tuple[tuple[str, ...], ...]  # no two cards agree in all columns of one of these groups


_FACTS = ("verified", "source")
_NOTES = ("note_zh", "note_en")
WRITER_COLUMNS = Columns(
    ("name_zh", "work_zh", "work_year", "genre"),
    ("id", "name_en", "birth", "death", "work_en", "form", "era", *_FACTS, *_NOTES),
    (("id",), ("name_zh", "work_zh")),
)
PERIODICAL_COLUMNS = Columns(
    ("title_zh", "founded", "kind"),
    ("id", "title_en", "ceased", "editor_zh", *_FACTS, *_NOTES),
    (("id",), ("title_zh",)),
)
BANNED_BOOK_COLUMNS = Columns(
    ("title_zh", "author_zh"),
    (
        "id",
        "title_en",
        "author_en",
        "published",
        "banned_year",
        "reason_zh",
        "reason_en",
        *_FACTS,
        *_NOTES,
    ),
    (("id",), ("title_zh", "author_zh")),
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


def load_writers(path: str | Path) -> tuple[Writer, ...]:
    """Return the writer cards in the CSV file *path*, in the order of its lines.

    Its columns are :data:`WRITER_COLUMNS`. A name or title without an English one is shown in
    Chinese; a card without an id gets a number.

    :raises FileError: a ``ValueError`` that names file, line and field, what was found there,
        what is allowed and what to do.
    """
    return _load(path, WRITER_COLUMNS, _writer)


def load_periodicals(path: str | Path) -> tuple[Periodical, ...]:
    """Return the periodical cards in the CSV file *path*.

    :raises FileError: as :func:`load_writers`.
    """
    return _load(path, PERIODICAL_COLUMNS, _periodical)


def load_banned_books(path: str | Path) -> tuple[BannedBook, ...]:
    """Return the banned-book cards in the CSV file *path*.

    :raises FileError: as :func:`load_writers`.
    """
    return _load(path, BANNED_BOOK_COLUMNS, _banned_book)


def write_template(path: str | Path) -> Path:
    """Write a card file with two of the kit's own cards, to be replaced by others, and return its
    path.

    :raises FileError: as :func:`coursekit.files.csvfile.write`.
    """
    names = (
        "name_zh",
        "birth",
        "death",
        "work_zh",
        "work_year",
        "genre",
        "form",
        "note_zh",
        "source",
    )
    rows = [
        [getattr(each, name) for name in names]
        for each in writers()
        if each.work_zh in ("和平宣言", "城南舊事")
    ]
    return csvfile.write(GAME, path, [names, *rows])


@lru_cache
def writers() -> tuple[Writer, ...]:
    """Return the kit's 173 writer cards, by the year of the work."""
    return _counted("writers.csv", load_writers(DATA / "writers.csv"), 173)


@lru_cache
def periodicals() -> tuple[Periodical, ...]:
    """Return the kit's 23 periodical cards, by the year of their founding."""
    return _counted("periodicals.csv", load_periodicals(DATA / "periodicals.csv"), 23)


@lru_cache
def banned_books() -> tuple[BannedBook, ...]:
    """Return the kit's 10 banned-book cards, by the year of the ban."""
    return _counted("banned_books.csv", load_banned_books(DATA / "banned_books.csv"), 10)


@lru_cache
def events() -> tuple[EventNote, ...]:
    """Return the 20 events of the board, by year."""
    return _counted("events.csv", _load(DATA / "events.csv", EVENT_COLUMNS, _event), 20)


def event_note(year: int) -> EventNote:
    """Return what happened in history in the event of *year*."""
    return next(note for note in events() if note.year == year)


@lru_cache
def functions() -> tuple[FunctionNote, ...]:
    """Return the 20 kinds of function cards, 117 cards in all."""
    return _counted("functions.csv", _load(DATA / "functions.csv", FUNCTION_COLUMNS, _function), 20)


@lru_cache
def fates() -> Mapping[str, Fate]:
    """Return how people named on the kit's cards were imprisoned for political reasons, by Chinese
    name.
    """
    return {each.name_zh: each for each in _load(DATA / "imprisoned.csv", FATE_COLUMNS, _fate)}


@lru_cache
def _own_rows() -> frozenset[object]:
    return frozenset([*writers(), *periodicals(), *banned_books()])


def fates_on(row: Writer | Periodical | BannedBook) -> list[Fate]:
    """Return how the people named on a card of the kit were imprisoned.

    A card of a class may name somebody else of the same name, so nothing is said about it.
    """
    if row not in _own_rows():
        return []
    named = (
        row.name_zh
        if isinstance(row, Writer)
        else row.editor_zh
        if isinstance(row, Periodical)
        else row.author_zh
    )
    return [fates()[name] for name in named.split("、") if name in fates()]


def _counted(file: str, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    if len(cards) != count:
        raise CsvFile(GAME, file).error("data.count", got=len(cards), allowed=count)
    return cards


def _load(path: str | Path, columns: Columns, card: Callable[[CsvLine], Card]) -> tuple[Card, ...]:
    """Return a *card* for each line of *path*; raise if one of the lines is wrong."""
    file = CsvFile(GAME, path)
    found = [(line, card(line)) for line in file.lines(columns.needed, columns.other)]
    for fields in columns.unique:
        keys = [(line, [str(getattr(each, field)) for field in fields]) for line, each in found]
        check_unique(
            (line, fields[-1], tuple(key) if all(key) else (), ", ".join(key)) for line, key in keys
        )
    file.check()
    return tuple(each for _, each in found)
