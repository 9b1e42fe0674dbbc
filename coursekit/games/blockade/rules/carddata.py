"""The facts on the cards: writers, periodicals, banned books, events, and what a function card is named after.

They lie in ``data/`` as CSV files; ``data/SOURCES.md`` says how they were checked.  A row is
*verified* if somebody has read its title and year in its *source*: the page at an address, or a printed
work that is cited with its year.  An empty year
is one that is not certain enough to be printed.

A class can bring cards of its own: :func:`load_writers` and its neighbours read such a file.
They give back every card in it or, if one line is wrong, none.
"""

import csv
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from coursekit.files import csvfile
from coursekit.files.csvfile import CsvFile, Line, no_twice
from coursekit.words.texts import LANGUAGES, brief, said

GAME = "blockade"
DATA = Path(__file__).parent / "data"

ERAS = {1: range(1949, 1960), 2: range(1960, 1970), 3: range(1970, 1980), 4: range(1980, 1993)}
"""The years of each era; one side of the board."""
YEARS = range(1949, 1993)
LIVES = range(1800, 2101)
"""Years in which a writer can be born or die, and a periodical or book appear."""
YOUNGEST = 10  # years old, the writer of a work

GENRES = {
    "poetry": "詩",
    "essay": "散文",
    "short fiction": "短篇小說",
    "novel": "長篇小說",
    "drama": "戲劇",
    "criticism": "評論",
    "reportage": "報導文學",
    "children": "兒童文學",
}
"""Genre of a work -> how it may also be written in a card file; its names are the texts ``genre.*``."""
FORMS = {"book": "書", "piece": "單篇"}
"""Form of a work -> how it may also be written: 《 》 stand around books, 〈 〉 around poems, stories, articles."""
KINDS = {
    "literary": "文學雜誌",
    "poetry": "詩刊",
    "political": "政論雜誌",
    "cultural": "文化雜誌",
    "supplement": "報紙副刊",
    "letters": "通訊",
}
"""Kind of a periodical -> how it may also be written; its names are the texts ``data.kind.*``."""
ANSWERS = {"yes": "是", "no": "否"}

CITED = re.compile(r"https?://[\w.-]+/\S*$|(?!https?:).*(?<!\d)(?:1[89]|20)\d\d(?!\d)", re.S)
"""Source of a verified row: an address, or a citation of a printed work with its year."""

NOTE = 600  # characters in a cell: of notes and sources


class Writer(NamedTuple):
    """A writer card: a writer and one work."""

    id: str
    name_zh: str
    name_en: str
    birth: int | None
    death: int | None  # None also for the living
    work_zh: str
    work_en: str
    work_year: int  # first published, or where a note says so, written or awarded
    genre: str  # one of GENRES
    form: str  # one of FORMS
    era: int  # 1 to 4
    verified: bool
    source: str
    note_zh: str
    note_en: str

    def title(self, language: str) -> str:
        """Return the work's title in *language* as it is printed, with its marks: 《城南舊事》, 〈錯誤〉."""
        work = in_language(self.work_zh, self.work_en, language)
        return said(GAME, f"card.work.{self.form}", language, work=work)


class Periodical(NamedTuple):
    """A periodical card."""

    id: str
    title_zh: str
    title_en: str
    founded: int
    ceased: int | None  # None also for one that still appears
    kind: str  # one of KINDS
    editor_zh: str
    note_zh: str
    note_en: str
    verified: bool
    source: str


class BannedBook(NamedTuple):
    """A banned-book card."""

    id: str
    title_zh: str
    title_en: str
    author_zh: str
    author_en: str
    published: int | None
    banned_year: int | None
    reason_zh: str
    reason_en: str
    verified: bool
    source: str
    note_zh: str
    note_en: str


class EventNote(NamedTuple):
    """What happened in a year with an event on the board."""

    year: int
    name_zh: str
    name_en: str
    summary_zh: str
    summary_en: str
    verified: bool
    source: str
    note_zh: str
    note_en: str


class FunctionNote(NamedTuple):
    """What a function card is named after; its effect is the kit's own and stands in the rules."""

    id: str
    name_zh: str
    name_en: str
    copies: int  # how many there are in the deck; the column "count"
    tied_to_zh: str
    tied_to_en: str
    verified: bool
    source: str


def in_language(zh: str, en: str, language: str) -> str:
    """Return what a card says in *language*: any pair of its fields, such as ``note_zh`` and ``note_en``.

    The scene, the pages of a table and the notebooks name everything on a card with it; pass ``""`` for
    *en* where a card has no such field.  A field that is empty in one language is given in the other, and
    what the kit has not put into simplified characters (a class's own cards) stays as it is written.
    """
    if language == "en":
        return en or zh
    return simplified().get(zh, zh) if zh and language == "zh-Hans" else zh or en


def in_languages(zh: str, en: str) -> dict[str, str]:
    """Return :func:`in_language` for each language, as the values of texts and events want names."""
    return {language: in_language(zh, en, language) for language in LANGUAGES}


Card = TypeVar("Card", Writer, Periodical, BannedBook, EventNote, FunctionNote)


def name_of_era(era: int) -> str:
    """Return how the card files write an era.

    >>> name_of_era(1)
    '1949-1959'
    """
    return f"{ERAS[era][0]}-{ERAS[era][-1]}"


def _note(line: Line, field: str, *, needed: bool = False) -> str:
    """Return a note, which may go over several lines."""
    return line.cell(field, NOTE, needed=needed, breaks=True)


def _title(line: Line, field: str) -> str:
    """Return a needed title, which comes without the marks that are printed around it."""
    got = line.cell(field, needed=True)
    if re.fullmatch("《.*》|〈.*〉|「.*」", got):
        line.wrong("data.marks", field, got=brief(got), marks=got[0] + got[-1])
    return got


def _id(line: Line, letter: str) -> str:
    """Return the card's id, the *letter* and its number if the file gives none."""
    got = line.cell("id") or f"{letter}{line.entry:03}"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,12}", got):
        line.wrong("data.id", "id", got=brief(got))
    return got


def _choice(line: Line, field: str, allowed: Mapping[str, str], default: str = "") -> str:
    got = line.cell(field, needed=not default) or default
    found = [each for each, other in allowed.items() if got.lower() in (each, other)]
    if got and not found:
        words = ", ".join(f"{each}/{other}" for each, other in allowed.items())
        line.wrong("data.choice", field, got=brief(got), allowed=words)
    return found[0] if found else ""


def _verified(line: Line) -> tuple[bool, str]:
    """Return whether the line is verified, and its source."""
    yes = _choice(line, "verified", ANSWERS, "no") == "yes"
    source = _note(line, "source")
    if yes and not source:
        line.wrong("data.source", "source")
    elif yes and not CITED.match(source):
        line.wrong("data.citation", "source", got=brief(source))
    return yes, source


def _in_order(line: Line, first: str, start: int | None, then: str, end: int | None) -> None:
    """Refuse an *end* (field *then*) that lies before the *start* (field *first*)."""
    if start is not None and end is not None and end < start:
        line.wrong("data.order", then, got=end, first=first, start=start)


def _era(line: Line, year: int | None) -> int:
    """Return the era of *year*; a column "era" may say it as well, but nothing else."""
    if year is None:
        return 1
    era = next(number for number, years in ERAS.items() if year in years)
    if line.cell("era") not in ("", name_of_era(era)):
        line.wrong("data.era", "era", got=brief(line.cells["era"]), year=year, allowed=name_of_era(era))
    return era


def _writer(line: Line) -> Writer:
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
    if death is not None and year is not None and year > death and not (writer.note_zh or writer.note_en):
        line.wrong("data.posthumous", "work_year", got=year, death=death)
    return writer


def _periodical(line: Line) -> Periodical:
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
        kind=_choice(line, "kind", KINDS),
        editor_zh=line.cell("editor_zh"),
        note_zh=_note(line, "note_zh"),
        note_en=_note(line, "note_en"),
        verified=verified,
        source=source,
    )


def _banned_book(line: Line) -> BannedBook:
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


def _event(line: Line) -> EventNote:
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


def _function(line: Line) -> FunctionNote:
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


class _Kind(NamedTuple):
    """What a file of one kind of cards has to hold."""

    needed: tuple[str, ...]  # columns
    other: tuple[str, ...]  # columns that may be left out
    alike: tuple[tuple[str, ...], ...]  # fields in which no two cards may be the same


FACTS = ("verified", "source")
NOTES = ("note_zh", "note_en")
WRITERS = _Kind(
    ("name_zh", "work_zh", "work_year", "genre"),
    ("id", "name_en", "birth", "death", "work_en", "form", "era", *FACTS, *NOTES),
    (("id",), ("name_zh", "work_zh")),
)
PERIODICALS = _Kind(
    ("title_zh", "founded", "kind"),
    ("id", "title_en", "ceased", "editor_zh", *FACTS, *NOTES),
    (("id",), ("title_zh",)),
)
BANNED_BOOKS = _Kind(
    ("title_zh", "author_zh"),
    ("id", "title_en", "author_en", "published", "banned_year", "reason_zh", "reason_en", *FACTS, *NOTES),
    (("id",), ("title_zh", "author_zh")),
)
EVENTS = _Kind(
    ("year", "name_zh", "name_en", "summary_zh", "summary_en", *FACTS),
    NOTES,
    (("year",), ("name_zh",)),
)
FUNCTION_NOTES = _Kind(
    ("id", "name_zh", "name_en", "count", "tied_to_zh", "tied_to_en", *FACTS),
    (),
    (("id",), ("name_zh",)),
)


def load_writers(path: str | Path) -> tuple[Writer, ...]:
    """Return the writer cards in the CSV file *path*, in the order of its lines.

    It needs the columns of ``WRITERS.needed`` and may have those of ``WRITERS.other``; a name or
    title without an English one is shown in Chinese, a card without an id is numbered.

    :raises FileError: a ``ValueError`` that names file, line and field, what was found there,
        what is allowed and what to do.
    """
    return _load(path, WRITERS, _writer)


def load_periodicals(path: str | Path) -> tuple[Periodical, ...]:
    """Return the periodical cards in the CSV file *path*.

    :raises FileError: as :func:`load_writers`.
    """
    return _load(path, PERIODICALS, _periodical)


def load_banned_books(path: str | Path) -> tuple[BannedBook, ...]:
    """Return the banned-book cards in the CSV file *path*.

    :raises FileError: as :func:`load_writers`.
    """
    return _load(path, BANNED_BOOKS, _banned_book)


def write_template(path: str | Path) -> Path:
    """Write a card file with two of the kit's own cards, to be overwritten with others, and return where it is.

    :raises FileError: as :func:`coursekit.files.csvfile.write`.
    """
    names = ("name_zh", "birth", "death", "work_zh", "work_year", "genre", "form", "note_zh", "source")
    rows = [[getattr(each, name) for name in names] for each in writers() if each.work_zh in ("和平宣言", "城南舊事")]
    return csvfile.write(GAME, path, [names, *rows])


@lru_cache
def simplified() -> Mapping[str, str]:
    """Return the Chinese fields of the kit's files -> the same in simplified characters.

    ``tools/draft_zh_hans.py`` writes them; run it after a change of a file.
    """
    with (DATA / "zh_hans.csv").open(encoding="utf-8", newline="") as file:
        return {row["zh_hant"]: row["zh_hans"] for row in csv.DictReader(file)}


@lru_cache
def writers() -> tuple[Writer, ...]:
    """Return the kit's 173 writer cards, by the year of the work."""
    return _counted("writers.csv", load_writers(DATA / "writers.csv"), 173)


@lru_cache
def periodicals() -> tuple[Periodical, ...]:
    """Return the kit's 23 periodical cards, by the year they were founded in."""
    return _counted("periodicals.csv", load_periodicals(DATA / "periodicals.csv"), 23)


@lru_cache
def banned_books() -> tuple[BannedBook, ...]:
    """Return the kit's 10 banned-book cards, by the year of the ban."""
    return _counted("banned_books.csv", load_banned_books(DATA / "banned_books.csv"), 10)


@lru_cache
def events() -> tuple[EventNote, ...]:
    """Return the 20 events of the board, by year."""
    return _counted("events.csv", _load(DATA / "events.csv", EVENTS, _event), 20)


@lru_cache
def functions() -> tuple[FunctionNote, ...]:
    """Return the 20 kinds of function cards, 117 cards in all."""
    return _counted("functions.csv", _load(DATA / "functions.csv", FUNCTION_NOTES, _function), 20)


def _counted(file: str, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    if len(cards) != count:
        raise CsvFile(GAME, file).error("data.count", got=len(cards), allowed=count)
    return cards


def _load(path: str | Path, kind: _Kind, card: Callable[[Line], Card]) -> tuple[Card, ...]:
    """Return a *card* for each line of *path*, or raise if there is anything wrong with one of them."""
    file = CsvFile(GAME, path)
    found = [(line, card(line)) for line in file.lines(kind.needed, kind.other)]
    for fields in kind.alike:
        keys = [(line, [str(getattr(each, field)) for field in fields]) for line, each in found]
        no_twice((line, fields[-1], tuple(key) if all(key) else (), ", ".join(key)) for line, key in keys)
    file.check()
    return tuple(each for _, each in found)
