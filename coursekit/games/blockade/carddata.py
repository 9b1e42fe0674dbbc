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
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from coursekit.game import FileError, brief
from coursekit.texts import LANGUAGES, said

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

LARGEST = 1_000_000  # bytes of a card file
LONGEST = {"name": 80, "text": 600}  # characters in a cell: of names and titles, of notes and sources
INVISIBLE = ("Cc", "Cf", "Zl", "Zp")
"""Unicode categories of what nobody sees in a cell: control and format characters, and line breaks."""
KEPT = 10  # problems of one file that an error tells


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


class CardFileError(FileError):
    """A file of cards that cannot be used; it says what to change, and in which line.

    A file with several problems tells them line by line; of a long list the first :data:`KEPT`.
    """

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(GAME, text, **values)


Card = TypeVar("Card", Writer, Periodical, BannedBook, EventNote, FunctionNote)


class _Line:
    """One line of a card file, read field by field; what is wrong with it goes to *problems*."""

    def __init__(
        self, file: str, number: int, index: int, cells: Mapping[str, str], problems: list[CardFileError]
    ) -> None:
        self.file, self.number, self.index, self.cells, self.problems = file, number, index, cells, problems

    def wrong(self, text: str, field: str, **values: object) -> None:
        self.problems.append(
            CardFileError(text, file=self.file, line=self.number, field=field, **values),
        )

    def cell(self, field: str, *, needed: bool = False, longest: str = "name") -> str:
        got = self.cells.get(field, "")
        if needed and not got:
            self.wrong("data.needed", field)
        if len(got) > LONGEST[longest]:
            self.wrong("data.long", field, got=len(got), allowed=LONGEST[longest])
        if hidden := [
            char for char in got if unicodedata.category(char) in INVISIBLE and (char != "\n" or longest == "name")
        ]:
            self.wrong("data.hidden", field, got=f"U+{ord(hidden[0]):04X}")
        return got

    def title(self, field: str) -> str:
        """Return a needed title, which comes without the marks that are printed around it."""
        got = self.cell(field, needed=True)
        if re.fullmatch("《.*》|〈.*〉|「.*」", got):
            self.wrong("data.marks", field, got=brief(got), marks=got[0] + got[-1])
        return got

    def id(self, letter: str) -> str:
        """Return the card's id, the *letter* and its number if the file gives none."""
        got = self.cell("id") or f"{letter}{self.index:03}"
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,12}", got):
            self.wrong("data.id", "id", got=brief(got))
        return got

    def number_in(self, field: str, allowed: range, *, needed: bool = False) -> int | None:
        got = self.cell(field, needed=needed)
        if not got:
            return None
        if not re.fullmatch(r"[0-9]{1,4}", got) or int(got) not in allowed:
            self.wrong("data.number", field, got=brief(got), first=allowed[0], last=allowed[-1])
            return None
        return int(got)

    def choice(self, field: str, allowed: Mapping[str, str], default: str = "") -> str:
        got = self.cell(field, needed=not default) or default
        found = [each for each, other in allowed.items() if got.lower() in (each, other)]
        if got and not found:
            words = ", ".join(f"{each}/{other}" for each, other in allowed.items())
            self.wrong("data.choice", field, got=brief(got), allowed=words)
        return found[0] if found else ""

    def verified(self) -> tuple[bool, str]:
        """Return whether the line is verified, and its source."""
        yes = self.choice("verified", ANSWERS, "no") == "yes"
        source = self.cell("source", longest="text")
        if yes and not source:
            self.wrong("data.source", "source")
        elif yes and not CITED.match(source):
            self.wrong("data.citation", "source", got=brief(source))
        return yes, source

    def in_order(self, first: str, start: int | None, then: str, end: int | None) -> None:
        """Refuse an *end* (field *then*) that lies before the *start* (field *first*)."""
        if start is not None and end is not None and end < start:
            self.wrong("data.order", then, got=end, first=first, start=start)

    def era(self, year: int | None) -> int:
        """Return the era of *year*; a column "era" may say it as well, but nothing else."""
        if year is None:
            return 1
        era = next(number for number, years in ERAS.items() if year in years)
        if self.cell("era") not in ("", name_of_era(era)):
            self.wrong("data.era", "era", got=brief(self.cells["era"]), year=year, allowed=name_of_era(era))
        return era


def name_of_era(era: int) -> str:
    """Return how the card files write an era.

    >>> name_of_era(1)
    '1949-1959'
    """
    return f"{ERAS[era][0]}-{ERAS[era][-1]}"


def _writer(line: _Line) -> Writer:
    name, work = line.cell("name_zh", needed=True), line.title("work_zh")
    birth, death = line.number_in("birth", LIVES), line.number_in("death", LIVES)
    year = line.number_in("work_year", YEARS, needed=True)
    verified, source = line.verified()
    writer = Writer(
        id=line.id("W"),
        name_zh=name,
        name_en=line.cell("name_en") or name,
        birth=birth,
        death=death,
        work_zh=work,
        work_en=line.cell("work_en") or work,
        work_year=year or YEARS[0],
        genre=line.choice("genre", GENRES),
        form=line.choice("form", FORMS, "book"),
        era=line.era(year),
        verified=verified,
        source=source,
        note_zh=line.cell("note_zh", longest="text"),
        note_en=line.cell("note_en", longest="text"),
    )
    line.in_order("birth", birth, "death", death)
    if birth is not None and year is not None and year < birth + YOUNGEST:
        line.wrong("data.young", "work_year", got=year, birth=birth, youngest=YOUNGEST)
    if death is not None and year is not None and year > death and not (writer.note_zh or writer.note_en):
        line.wrong("data.posthumous", "work_year", got=year, death=death)
    return writer


def _periodical(line: _Line) -> Periodical:
    title = line.title("title_zh")
    founded, ceased = line.number_in("founded", LIVES, needed=True), line.number_in("ceased", LIVES)
    line.in_order("founded", founded, "ceased", ceased)
    verified, source = line.verified()
    return Periodical(
        id=line.id("P"),
        title_zh=title,
        title_en=line.cell("title_en") or title,
        founded=founded or YEARS[0],
        ceased=ceased,
        kind=line.choice("kind", KINDS),
        editor_zh=line.cell("editor_zh"),
        note_zh=line.cell("note_zh", longest="text"),
        note_en=line.cell("note_en", longest="text"),
        verified=verified,
        source=source,
    )


def _banned_book(line: _Line) -> BannedBook:
    title, author = line.title("title_zh"), line.cell("author_zh", needed=True)
    published, banned = line.number_in("published", LIVES), line.number_in("banned_year", YEARS)
    line.in_order("published", published, "banned_year", banned)
    verified, source = line.verified()
    return BannedBook(
        id=line.id("B"),
        title_zh=title,
        title_en=line.cell("title_en") or title,
        author_zh=author,
        author_en=line.cell("author_en") or author,
        published=published,
        banned_year=banned,
        reason_zh=line.cell("reason_zh", longest="text"),
        reason_en=line.cell("reason_en", longest="text"),
        verified=verified,
        source=source,
        note_zh=line.cell("note_zh", longest="text"),
        note_en=line.cell("note_en", longest="text"),
    )


def _event(line: _Line) -> EventNote:
    verified, source = line.verified()
    return EventNote(
        year=line.number_in("year", YEARS, needed=True) or YEARS[0],
        name_zh=line.cell("name_zh", needed=True),
        name_en=line.cell("name_en", needed=True),
        summary_zh=line.cell("summary_zh", needed=True, longest="text"),
        summary_en=line.cell("summary_en", needed=True, longest="text"),
        verified=verified,
        source=source,
        note_zh=line.cell("note_zh", longest="text"),
        note_en=line.cell("note_en", longest="text"),
    )


def _function(line: _Line) -> FunctionNote:
    verified, source = line.verified()
    return FunctionNote(
        id=line.id("FC"),
        name_zh=line.cell("name_zh", needed=True),
        name_en=line.cell("name_en", needed=True),
        copies=line.number_in("count", range(1, 100), needed=True) or 1,
        tied_to_zh=line.cell("tied_to_zh", needed=True, longest="text"),
        tied_to_en=line.cell("tied_to_en", needed=True, longest="text"),
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

    :raises CardFileError: a ``ValueError`` that names file, line and field, what was found there,
        what is allowed and what to do.
    """
    return _load(path, WRITERS, _writer)


def load_periodicals(path: str | Path) -> tuple[Periodical, ...]:
    """Return the periodical cards in the CSV file *path*.

    :raises CardFileError: as :func:`load_writers`.
    """
    return _load(path, PERIODICALS, _periodical)


def load_banned_books(path: str | Path) -> tuple[BannedBook, ...]:
    """Return the banned-book cards in the CSV file *path*.

    :raises CardFileError: as :func:`load_writers`.
    """
    return _load(path, BANNED_BOOKS, _banned_book)


def write_template(path: str | Path) -> Path:
    """Write a card file with two of the kit's own cards, to be overwritten with others, and return where it is.

    Excel opens it with the Chinese in it readable; save it there as “CSV UTF-8”.

    :raises CardFileError: if there is such a file already, or it cannot be written.
    """
    path = Path(path)
    names = ("name_zh", "birth", "death", "work_zh", "work_year", "genre", "form", "note_zh", "source")
    rows = [[getattr(each, name) for name in names] for each in writers() if each.work_zh in ("和平宣言", "城南舊事")]
    try:
        with path.open("x", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([names, *rows])
    except FileExistsError:
        raise CardFileError("data.exists", file=path.name) from None
    except OSError:
        raise CardFileError("data.unwritable", file=path.name) from None
    return path


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
        raise CardFileError("data.count", file=file, got=len(cards), allowed=count)
    return cards


def _load(path: str | Path, kind: _Kind, card: Callable[[_Line], Card]) -> tuple[Card, ...]:
    """Return a *card* for each line of *path*, or raise if there is anything wrong with one of them."""
    path = Path(path)
    problems: list[CardFileError] = []
    cards: list[Card] = []
    lines: list[int] = []
    for line in _lines(path, kind, problems):
        cards.append(card(line))
        lines.append(line.number)
    for fields in kind.alike:
        problems += _twice(path.name, cards, lines, fields)
    if not cards and not problems:
        raise CardFileError("data.no_cards", file=path.name)
    problems.sort(key=lambda each: each.values["line"])
    if len(problems) > 1:
        several = CardFileError("file.problems", file=path.name, count=len(problems))
        several.problems = tuple(problems[:KEPT])
        raise several
    if problems:
        raise problems[0]
    return tuple(cards)


def _twice(file: str, cards: Iterable[Any], lines: Sequence[int], fields: tuple[str, ...]) -> Iterator[CardFileError]:
    """Yield a problem for each card that is the same as an earlier one in all *fields*."""
    seen: dict[tuple[object, ...], int] = {}
    for line, card in zip(lines, cards, strict=True):
        key = tuple(getattr(card, field) for field in fields)
        if all(key) and seen.setdefault(key, line) != line:
            got = ", ".join(map(str, key))
            yield CardFileError("data.twice", file=file, line=line, field=fields[-1], got=got, other=seen[key])


def _lines(path: Path, kind: _Kind, problems: list[CardFileError]) -> Iterator[_Line]:
    """Yield the lines of *path* that hold a card; a line with too many cells is a problem.

    Cells missing at the end of a line are empty: spreadsheets leave them out.  So are columns at the end
    without a name, if nothing stands in them.

    :raises CardFileError: if the file as a whole cannot be read.
    """
    file = path.name
    reader = csv.reader(_text(path).splitlines(keepends=True), strict=True)
    number = index = 0
    try:
        header = _without_empty_end([name.strip() for name in next(reader, [])])
        _check_columns(file, header, kind)
        number = reader.line_num + 1  # where the next row begins
        for row in reader:
            if cells := _without_empty_end([cell.strip() for cell in row]):
                index += 1
                if len(cells) <= len(header):
                    yield _Line(file, number, index, dict(zip(header, cells, strict=False)), problems)
                else:
                    got = {"got": len(cells), "allowed": len(header)}
                    problems.append(CardFileError("data.cells", file=file, line=number, field=header[0], **got))
            number = reader.line_num + 1
    except csv.Error:
        raise CardFileError("data.quotes", file=file, line=number or 1) from None


def _without_empty_end(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def _text(path: Path) -> str:
    """Return what *path* says.

    :raises CardFileError: if it cannot be read, or is no text in UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        raise CardFileError("data.unreadable", file=path.name) from None
    if len(data) > LARGEST:
        raise CardFileError("data.large", file=path.name, allowed=LARGEST // 1000)
    if data.startswith((b"PK", b"\xd0\xcf\x11\xe0")):  # .xlsx, .xls
        raise CardFileError("data.workbook", file=path.name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CardFileError("data.encoding", file=path.name, line=line) from None


def _check_columns(file: str, header: list[str], kind: _Kind) -> None:
    """Refuse a *header* in which a needed column is missing, or one is unknown or stands twice."""
    if not any(header):
        raise CardFileError("data.empty", file=file, needed=", ".join(kind.needed))
    others = re.findall("[;\t\uff0c\uff1b|]", "".join(header))
    if len(header) == 1 and others:
        mark = {"\t": "Tab"}.get(others[0], others[0])
        raise CardFileError("data.separator", file=file, got=mark)
    known = (*kind.needed, *kind.other)
    if missing := [name for name in kind.needed if name not in header]:
        raise CardFileError("data.missing", file=file, field=", ".join(missing), needed=", ".join(kind.needed))
    if unknown := [name for name in header if name not in known]:
        raise CardFileError("data.unknown", file=file, field=brief(unknown[0]), allowed=", ".join(known))
    if twice := [name for name in header if header.count(name) > 1]:
        raise CardFileError("data.column_twice", file=file, field=twice[0])
