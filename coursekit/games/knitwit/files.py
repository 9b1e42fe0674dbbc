"""CSV files of words that a teacher brings along: read line by line, or refused with what to change."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from coursekit.game import FileError, brief

LARGEST = 500_000  # bytes of a file
KEPT = 10  # problems of one file that an error remembers


class WordFileError(FileError):
    """A file of words that cannot be used; it says what to change, and in which line.

    A file with several problems tells them line by line; of a long list the first :data:`KEPT`.
    """

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("knitwit", text, **values)


class Line(NamedTuple):
    """One line of a file, read cell by cell; what is wrong with it goes to *problems*."""

    file: str
    number: int
    cells: Mapping[str, str]
    problems: list[WordFileError]

    def wrong(self, text: str, field: str, **values: object) -> None:
        self.problems.append(WordFileError(text, file=self.file, line=self.number, field=field, **values))

    def cell(self, field: str, longest: int, *, needed: bool = False) -> str:
        """Return what stands in the column *field*, "" if the file has none."""
        got = self.cells.get(field, "")
        if needed and not got:
            self.wrong("data.needed", field)
        if len(got) > longest:
            self.wrong("data.long", field, got=len(got), allowed=longest)
        return got

    def number_in(self, field: str, allowed: range) -> int:
        got = self.cell(field, 9, needed=True)
        if not re.fullmatch("[0-9]{1,4}", got) or int(got) not in allowed:
            self.wrong("data.number", field, got=brief(got), first=allowed[0], last=allowed[-1])
            return allowed[0]
        return int(got)


def lines(path: Path, needed: Sequence[str], other: Sequence[str], problems: list[WordFileError]) -> Iterator[Line]:
    """Yield the lines of *path* that say something; one with too few or too many cells is a problem.

    :param needed: the columns it has to have.
    :param other: the columns it may have as well.
    :raises WordFileError: if the file as a whole cannot be read.
    """
    file, number, some = path.name, 0, False
    reader = csv.reader(_text(path).splitlines(keepends=True), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_columns(file, header, needed, other)
        number = reader.line_num + 1  # where the next row begins
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and len(cells) == len(header):
                yield Line(file, number, dict(zip(header, cells)), problems)
            elif any(cells):
                got = {"got": len(cells), "allowed": len(header)}
                problems.append(WordFileError("data.cells", file=file, line=number, field=header[0], **got))
            some |= any(cells)
            number = reader.line_num + 1
    except csv.Error:
        raise WordFileError("data.quotes", file=file, line=number or 1) from None
    if not some:
        raise WordFileError("data.no_lines", file=file)


def raise_if_any(file: str, problems: list[WordFileError]) -> None:
    """Raise one error that tells all *problems*, if there are any."""
    problems.sort(key=lambda each: each.values["line"])
    if len(problems) > 1:
        several = WordFileError("file.problems", file=file, count=len(problems))
        several.problems = tuple(problems[:KEPT])
        raise several
    if problems:
        raise problems[0]


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        _refuse("data.unreadable", path)
    if len(data) > LARGEST:
        _refuse("data.large", path, allowed=LARGEST // 1000)
    if data.startswith(b"PK"):
        _refuse("data.workbook", path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse("data.encoding", path, line=data.count(b"\n", 0, error.start) + 1)


def _refuse(text: str, path: Path, **values: object) -> NoReturn:
    raise WordFileError(text, file=path.name, **values) from None


def _check_columns(file: str, header: list[str], needed: Sequence[str], other: Sequence[str]) -> None:
    """Refuse a *header* in which a needed column is missing, or one is unknown or stands twice."""
    if not any(header):
        raise WordFileError("data.empty", file=file, needed=", ".join(needed))
    others = re.findall("[;\t\uff0c\uff1b|]", "".join(header))
    if len(header) == 1 and others:
        raise WordFileError("data.separator", file=file, got={"\t": "Tab"}.get(others[0], others[0]))
    known = (*needed, *other)
    if missing := [name for name in needed if name not in header]:
        raise WordFileError("data.missing", file=file, field=", ".join(missing), needed=", ".join(needed))
    if unknown := [name for name in header if name not in known]:
        raise WordFileError("data.unknown", file=file, field=brief(unknown[0]), allowed=", ".join(known))
    if twice := [name for name in header if header.count(name) > 1]:
        raise WordFileError("data.column_twice", file=file, field=twice[0])
