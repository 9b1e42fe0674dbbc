"""CSV files: reading those from outside, such as a class's own cards, and writing safe ones.

A file is read line by line, or refused with what to change. A game names the columns of its file
and reads the cells of each line; :meth:`CsvFile.check` raises all problems at once. The sentences
are the texts ``data.*``, the game's own or else the kit's.
"""

import csv
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from coursekit.core.errors import FileError
from coursekit.files.text_files import (
    FORMULA,
    SHEETS,
    EncodingError,
    NotTextError,
    QuoteError,
    Row,
    decode,
    file_kind,
    is_counted,
    split_rows,
    without_numbers,
)
from coursekit.words.characters import is_visible, unseen_places
from coursekit.words.texts import LANGUAGES, shorten, text

LARGEST_CSV = 1_000_000  # maximum bytes of a file
LONGEST_CELL = 80  # default maximum characters of a cell
PROBLEMS_TOLD = 10  # maximum problems of one file in an error
PLAIN_CELL = {language: text("file.cell", language) for language in LANGUAGES}
"""What a cell is called by language where columns have no names."""
Untitled = Callable[[list[list[str]]], Sequence[str]]
"""Takes the cells of a file by column, and returns the columns' names."""


class Upload(NamedTuple):
    """A file without a folder, such as one sent by a browser."""

    name: str
    data: bytes


CsvSource = str | Path | Upload
"""A file to read: its path, or its content."""


class CsvFile:
    """A CSV file that *game* reads, and the problems of its lines."""

    def __init__(self, game: str, source: CsvSource) -> None:
        self.game = game
        self.source = source if isinstance(source, Upload) else Path(source)
        self.problems: list[FileError] = []
        self.is_untitled = False
        """Whether no line has names of columns."""
        self.header_line = 1

    def error(self, text: str, **values: object) -> FileError:
        """Return the error for a file that is wrong as a whole."""
        return FileError(self.game, text, file=self.source.name, **values)

    def lines(
        self,
        needed: Sequence[str],
        other: Sequence[str] = (),
        called: Mapping[str, str] | None = None,
        untitled: Untitled | None = None,
    ) -> Iterator["CsvLine"]:
        """Yield the lines that are not empty; one with too many cells is a problem.

        Cells missing at the end of a line are empty: spreadsheets leave them out. Empty columns at
        the end need no name. A line with the name of the sheet may stand above the names of the
        columns, and a column that only counts the lines is passed over.

        :param needed: the columns the file must have.
        :param other: the columns it may have.
        :param called: other accepted names of columns, in lower case, such as 中文 -> zh.
        :param untitled: returns the columns of rows of which none has names, or nothing.
        :raises FileError: if the file as a whole cannot be read.
        """
        try:
            rows = split_rows(self._text())
        except QuoteError as error:
            raise self.error("data.quotes", line=error.line) from None
        if not rows:
            raise self.error("data.empty", needed=", ".join(needed or other[:1]))
        allowed = (*needed, *other)
        names = {title: name for title, name in (called or {}).items() if name in allowed}
        names |= {name.casefold(): name for name in allowed}
        header = self._find_header(rows, names, untitled)
        if not header:
            titles, got = ", ".join(allowed), shorten(", ".join(rows[0].cells))
            raise self.error("data.no_titles", line=rows[0].line, got=got, allowed=titles)
        if not self.is_untitled:
            self.header_line = rows.pop(0).line
            self._check_columns(header, needed, other)
        if not rows:
            raise self.error("data.no_lines")
        for entry, (number, cells) in enumerate(rows, 1):
            named = {name: cell for name, cell in zip(header, cells) if name}
            line = CsvLine(self, number, entry, named)
            if len(cells) <= len(header):
                yield line
            else:
                field = next(filter(None, header))
                line.wrong("data.cells", field, got=len(cells), allowed=len(header))

    def _find_header(
        self, rows: list[Row], names: Mapping[str, str], untitled: Untitled | None
    ) -> list[str]:
        """Return the names of the columns, "" for those to pass over; nothing if none are known.

        The name of a sheet above them is taken from *rows*.
        """
        for row in rows[:2]:
            if _is_header(row, rows, names, untitled):
                del rows[: rows.index(row)]
                return _name_columns(rows, names)
        if not untitled:
            return []
        width = max(len(row.cells) for row in rows)
        columns = [[row.cells[at] for row in rows if at < len(row.cells)] for at in range(width)]
        told = [width == 1 or not is_counted(column) for column in columns]
        found = list(untitled([column for column, tells in zip(columns, told) if tells]))
        if len(found) != sum(told):
            return []
        self.is_untitled = True
        if width == 1:
            plain = without_numbers(columns[0])
            rows[:] = [Row(row.line, [word]) for row, word in zip(rows, plain)]
        return [found.pop(0) if tells else "" for tells in told]

    def check(self) -> None:
        """Raise one error with all problems in the order of the lines, if there are any.

        :raises FileError: a ``ValueError`` with the first :data:`PROBLEMS_TOLD` problems: file,
            line and column, what was found, what is allowed and what to do.
        """
        problems = sorted(self.problems, key=lambda problem: problem.values["line"])
        if len(problems) > 1:
            several = self.error("file.problems", count=len(problems))
            several.problems = tuple(problems[:PROBLEMS_TOLD])
            raise several
        if problems:
            raise problems[0]

    def _text(self) -> str:
        try:
            data = self._data()
        except OSError:
            raise self.error("data.unreadable") from None
        if len(data) > LARGEST_CSV and not file_kind(data):
            raise self.error("data.large", allowed=LARGEST_CSV // 1000)
        try:
            return decode(data)
        except NotTextError as error:
            what = "workbook" if error.name in SHEETS else "document"
            raise self.error(f"data.{what}", **error.values) from None
        except EncodingError as error:
            damaged = "utf16" if error.text == "file.utf16" else "encoding"
            raise self.error(f"data.{damaged}", **error.values) from None

    def _data(self) -> bytes:
        if isinstance(self.source, Upload):
            return self.source.data
        with self.source.open("rb") as file:
            return file.read(LARGEST_CSV + 1)

    def _check_columns(
        self,
        header: list[str],
        needed: Sequence[str],
        other: Sequence[str],
    ) -> None:
        """Refuse a *header* with a missing, unknown or repeated column."""
        allowed, line = (*needed, *other), self.header_line
        missing = [name for name in needed if name not in header]
        if missing:
            raise self.error(
                "data.missing", line=line, field=", ".join(missing), needed=", ".join(needed)
            )
        for name in filter(None, header):
            if name not in allowed:
                known = ", ".join(allowed)
                raise self.error("data.unknown", line=line, field=shorten(name), allowed=known)
            if header.count(name) > 1:
                raise self.error("data.column_twice", line=line, field=name)


def _is_header(
    row: Row, rows: Sequence[Row], names: Mapping[str, str], untitled: Untitled | None
) -> bool:
    """Return whether *row*, the first or second of *rows*, names columns."""
    titles = [cell.casefold() for cell in row.cells]
    if row is not rows[0] and len(rows[0].cells) > 1:
        return False
    if not any(title in names for title in titles):
        return False
    if not untitled or len(titles) > 1 or titles[0] in names.values():
        return True
    # 英文 can name a column, or be a word of a list.
    return row is rows[0] and not any(below.cells[0].casefold() in names for below in rows[1:])


def _name_columns(rows: Sequence[Row], names: Mapping[str, str]) -> list[str]:
    """Return the columns as the first of *rows* names them, "" for one that counts the rows."""
    header = []
    for at, title in enumerate(rows[0].cells):
        column = [row.cells[at] for row in rows[1:] if at < len(row.cells)]
        name = names.get(title.casefold(), title)
        header.append("" if name not in names.values() and is_counted(column) else name)
    return header


class CsvLine(NamedTuple):
    """One line of a file, read cell by cell; its errors become problems of the file."""

    file: CsvFile
    number: int  # as an editor counts, 1 for the header
    entry: int  # among the lines that are not empty, 1 for the first
    cells: Mapping[str, str]

    def wrong(self, text: str, field: str, **values: object) -> None:
        """Note that the cell in the column *field* is wrong."""
        name = PLAIN_CELL if self.file.is_untitled and len(self.cells) == 1 else field
        problem = self.file.error(text, line=self.number, field=name, **values)
        self.file.problems.append(problem)

    def cell(
        self, field: str, longest: int = LONGEST_CELL, *, needed: bool = False, breaks: bool = False
    ) -> str:
        """Return the text in the column *field*, ``""`` if the file does not have the column.

        :param breaks: whether the text may have several lines.
        """
        got = self.cells.get(field, "")
        if needed and not got:
            self.wrong("data.needed", field)
        if len(got) > longest:
            self.wrong("data.long", field, got=len(got), allowed=longest)
        words = got.replace("\n", " ") if breaks else got
        places = list(unseen_places(words))
        if places or (got and not is_visible(words)):
            self.wrong("data.hidden", field, got=f"U+{ord(words[(places or [0])[0]]):04X}")
        return got

    def number_in(self, field: str, allowed: range, *, needed: bool = False) -> int | None:
        """Return the whole number in the column *field*, ``None`` if it is not *allowed*."""
        got = self.cell(field, needed=needed)
        if not got:
            return None
        if not re.fullmatch(r"[0-9]{1,4}", got) or int(got) not in allowed:
            self.wrong("data.number", field, got=shorten(got), first=allowed[0], last=allowed[-1])
            return None
        return int(got)


def check_unique(values: Iterable[tuple[CsvLine, str, Hashable, str]]) -> None:
    """Note a problem for each line that repeats the value of an earlier one.

    :param values: for each line the column, the value that must be unique unless empty, and its
        name for the error.
    """
    first_lines: dict[Hashable, int] = {}
    for line, field, value, name in values:
        if value and first_lines.setdefault(value, line.number) != line.number:
            line.wrong("data.twice", field, got=name, other=first_lines[value])


def quote_formula(cell: object) -> object:
    """Return *cell*, with a ' in front if it is text that a spreadsheet would calculate.

    >>> quote_formula("=1+1"), quote_formula("-2.5"), quote_formula(-2.5)
    ("'=1+1", '-2.5', -2.5)
    """
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell


def write_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return *rows* as CSV with the mark by which Excel recognises UTF-8, and no formulas."""
    with StringIO() as file:
        csv.writer(file).writerows(map(quote_formula, row) for row in rows)
        return "\ufeff" + file.getvalue()


def write(game: str, path: str | Path, rows: Iterable[Iterable[object]]) -> Path:
    """Write a new file with *rows*, the header first, and return its path.

    Excel shows its Chinese correctly; save it there as “CSV UTF-8”.

    :raises FileError: if the file exists, or cannot be written.
    """
    path = Path(path)
    new = CsvFile(game, path)
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(write_csv(rows))
    except FileExistsError:
        raise new.error("data.exists") from None
    except OSError:
        raise new.error("data.unwritable") from None
    return path
