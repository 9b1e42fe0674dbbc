"""CSV files: reading those from outside, such as a class's own cards, and writing safe ones.

A file is read line by line, or refused with what to change. A game names the columns of its file
and reads the cells of each line; :meth:`CsvFile.check` raises all problems at once. The sentences
are the texts ``data.*``, the game's own or else the kit's.
"""

import csv
import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from coursekit.core.errors import FileError
from coursekit.words.texts import shorten

LARGEST_CSV = 1_000_000  # maximum bytes of a file
LONGEST_CELL = 80  # default maximum characters of a cell
PROBLEMS_TOLD = 10  # maximum problems of one file in an error
INVISIBLE = ("Cc", "Cf", "Zl", "Zp")
"""Unicode categories invisible in a cell: control and format characters, and line breaks."""
NUMBER = r"\d[\d.]*(e[+-]?\d+)?"
FORMULA = re.compile(rf"'*\s*([=@＝＠＋－]|[+-](?!{NUMBER}( … -?{NUMBER})?\Z))")
"""Cells that a spreadsheet would calculate, and those that :func:`quote_formula` has quoted.

A number is none, nor is the range of numbers in a codebook.
"""
WORKBOOKS = (b"PK", b"\xd0\xcf\x11\xe0")  # how .xlsx and .xls begin


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

    def error(self, text: str, **values: object) -> FileError:
        """Return the error for a file that is wrong as a whole."""
        return FileError(self.game, text, file=self.source.name, **values)

    def lines(
        self,
        needed: Sequence[str],
        other: Sequence[str] = (),
        called: Mapping[str, str] | None = None,
    ) -> Iterator["CsvLine"]:
        """Yield the lines that are not empty; one with too many cells is a problem.

        Cells missing at the end of a line are empty: spreadsheets leave them out. Empty columns at
        the end need no name.

        :param needed: the columns the file must have.
        :param other: the columns it may have.
        :param called: other accepted names of columns, in lower case, such as 中文 -> zh.
        :raises FileError: if the file as a whole cannot be read.
        """
        reader = csv.reader(self._text().splitlines(keepends=True), strict=True)
        number = entry = 0
        try:
            header = _without_empty_end(next(reader, []))
            header = [(called or {}).get(name.casefold(), name) for name in header]
            self._check_columns(header, needed, other)
            number = reader.line_num + 1  # where the next row begins
            for row in reader:
                if cells := _without_empty_end(row):
                    entry += 1
                    line = CsvLine(self, number, entry, dict(zip(header, cells, strict=False)))
                    if len(cells) <= len(header):
                        yield line
                    else:
                        line.wrong("data.cells", header[0], got=len(cells), allowed=len(header))
                number = reader.line_num + 1
        except csv.Error:
            raise self.error("data.quotes", line=number or 1) from None
        if not entry:
            raise self.error("data.no_lines")

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
        if len(data) > LARGEST_CSV:
            raise self.error("data.large", allowed=LARGEST_CSV // 1000)
        if data.startswith(WORKBOOKS):
            raise self.error("data.workbook")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error("data.encoding", line=data.count(b"\n", 0, error.start) + 1) from None

    def _data(self) -> bytes:
        if isinstance(self.source, Upload):
            return self.source.data
        with self.source.open("rb") as file:
            return file.read(LARGEST_CSV + 1)

    def _check_columns(
        self, header: list[str], needed: Sequence[str], other: Sequence[str]
    ) -> None:
        """Refuse a *header* with a missing, unknown or repeated column."""
        if not any(header):
            raise self.error("data.empty", needed=", ".join(needed or other[:1]))
        # Spreadsheets of some countries separate cells by other marks.
        others = re.findall("[;\t\uff0c\uff1b|]", "".join(header))
        if len(header) == 1 and others:
            raise self.error("data.separator", got={"\t": "Tab"}.get(others[0], others[0]))
        allowed = (*needed, *other)
        missing = [name for name in needed if name not in header]
        if missing:
            raise self.error("data.missing", field=", ".join(missing), needed=", ".join(needed))
        for name in header:
            if name not in allowed:
                raise self.error("data.unknown", field=shorten(name), allowed=", ".join(allowed))
        for name in header:
            if header.count(name) > 1:
                raise self.error("data.column_twice", field=name)


class CsvLine(NamedTuple):
    """One line of a file, read cell by cell; its errors become problems of the file."""

    file: CsvFile
    number: int  # as an editor counts, 1 for the header
    entry: int  # among the lines that are not empty, 1 for the first
    cells: Mapping[str, str]

    def wrong(self, text: str, field: str, **values: object) -> None:
        """Note that the cell in the column *field* is wrong."""
        self.file.problems.append(self.file.error(text, line=self.number, field=field, **values))

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
        for character in got.replace("\n", "") if breaks else got:
            if unicodedata.category(character) in INVISIBLE:
                self.wrong("data.hidden", field, got=f"U+{ord(character):04X}")
                break
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


def unquote_cell(cell: str) -> str:
    """Return *cell* without the ' that :func:`quote_formula` has put in front."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


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


def _without_empty_end(row: list[str]) -> list[str]:
    cells = [unquote_cell(cell.strip()).strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells
