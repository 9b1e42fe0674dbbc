"""Text from outside: bytes as text, and text as the rows of a table or list.

Whatever reads a file of a class reads it by this module, so that each takes what programs put in
front of a text (byte order marks, ``sep=``) and names what is no text at all.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.words.texts import LANGUAGES, text

MARKS = ",;\t，；|"
"""Signs that programs and people put between cells."""
NO_WIDTH = re.compile("[\u200b\u2060\ufeff]")
"""Blanks without width, which pages and chats bring along."""
SEPARATOR = re.compile(r'"?sep="?([^\w"])?[,;"\s]*', re.IGNORECASE)
"""A first line by which Excel knows the sign between cells, and which it does not show."""
LINE_END = re.compile(r"\r\n|\r|\n")
QUOTED = re.compile('"[^"]*"')

NUMBER = r"\d[\d.]*(e[+-]?\d+)?"
FORMULA = re.compile(rf"'*\s*([=@＝＠＋－]|[+-](?!{NUMBER}( … -?{NUMBER})?\Z))")
"""Cells that a spreadsheet would calculate, and those that :func:`.csvfile.quote_formula` has
quoted.

A number is none, nor is the range of numbers in a codebook.
"""
SHEETS = ("xlsx", "xls", "ods", "numbers")
"""Kinds of files that hold a table, though not as text."""
BEGINNINGS = {
    b"%PDF": "pdf",
    b"{\\rtf": "rtf",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF8": "picture",
    b"\x1f\x8b": "zip",
    b"7z\xbc\xaf": "zip",
    b"Rar!": "zip",
}
IN_ZIP = {
    b"opendocument.spreadsheet": "ods",
    b"opendocument.": "document",
    b"xl/": "xlsx",
    b"word/": "docx",
    b"ppt/": "document",
    b".iwa": "numbers",
}
"""What stands in the zip file of a program, the most telling first."""
IN_OLE = {"WordDocument": "docx", "PowerPoint": "document"}
"""What stands in files of Office before 2007; Excel's have "Workbook" or "Book"."""
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
BYTE_ORDERS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


class NotTextError(LocalizedError, ValueError):
    """These bytes are no text; ``values`` has the *kind* they are, by language."""

    def __init__(self, name: str) -> None:
        self.name = name
        kinds = {language: text(f"file.kind.{name}", language) for language in LANGUAGES}
        super().__init__("", "file.no_text", kind=kinds)


class EncodingError(LocalizedError, ValueError):
    """This text is damaged, or not in Unicode; ``values`` has the *line*."""


class QuoteError(ValueError):
    """A double quote in the *line* has no partner."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Row(NamedTuple):
    """The cells of a row that is not empty."""

    line: int  # in which it begins, as an editor counts
    cells: list[str]


def decode(data: bytes) -> str:
    """Return *data* as text, without byte order marks.

    :raises NotTextError: if it is a workbook, a document, a picture and so on.
    :raises EncodingError: if it is not in UTF-8, UTF-16 or UTF-32, or damaged.
    """
    if kind := file_kind(data):
        raise NotTextError(kind)
    encoding = _encoding(data)
    try:
        words = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "ignore")
        line = len(LINE_END.findall(before)) + 1
        damaged = "utf16" if encoding.startswith("utf-16") else "encoding"
        raise EncodingError("", f"file.{damaged}", line=line) from None
    if encoding != "utf-8" and "\0" in words:
        raise NotTextError("program")
    return words.lstrip("\ufeff")


def file_kind(data: bytes) -> str:
    """Return what other kind of file *data* is, as in the texts ``file.kind.*``; "" for a text."""
    for beginning, kind in BEGINNINGS.items():
        if data.startswith(beginning):
            return kind
    if data.startswith(ZIP):
        return next((kind for part, kind in IN_ZIP.items() if part in data), "zip")
    if data.startswith(OLE):
        parts = {name.encode("utf-16-le"): kind for name, kind in IN_OLE.items()}
        return next((kind for part, kind in parts.items() if part in data), "xls")
    return ""


def _encoding(data: bytes) -> str:
    for mark, encoding in BYTE_ORDERS.items():
        if data.startswith(mark):
            return encoding
    # A text in UTF-16 without a mark has zeros at its line ends and commas, if not everywhere.
    low, high = data[::2].count(0), data[1::2].count(0)
    if low == high or (low + high < len(data) / 4 and _is_utf8(data)):
        return "utf-8"
    return "utf-16-le" if high > low else "utf-16-be"


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def split_rows(words: str, marks: str = MARKS, cells: int = 0) -> list[Row]:
    """Return the rows of *words* that are not empty, without ``sep=`` and empty ends.

    :param marks: those that may stand between cells; the first line with one of them decides.
    :param cells: as many in a row are more likely than others.
    :raises QuoteError: if a double quote has no partner.
    """
    mark, start = "", 0
    words = NO_WIDTH.sub("", words)
    lines = LINE_END.split(words)
    for number, line in enumerate(lines):
        if line.strip():
            if found := SEPARATOR.fullmatch(line):
                mark, start = found[1] or "", number + 1
            break
    mark = mark or _find_mark(lines[start:], marks, cells)
    # Not joined from the lines, since a cell may hold a line end.
    place = 0
    for end in list(LINE_END.finditer(words))[:start]:
        place = end.end()
    return list(_rows(words[place:] if start else words, mark, start))


def _find_mark(lines: Sequence[str], marks: str, cells: int) -> str:
    for line in lines:
        bare = QUOTED.sub("", line)
        counts = {mark: bare.count(mark) for mark in marks}
        if any(counts.values()):
            return max(marks, key=lambda mark: (counts[mark] == cells - 1, counts[mark]))
    return marks[0]


def _rows(words: str, mark: str, before: int) -> Iterator[Row]:
    reader = csv.reader(StringIO(words, newline=""), delimiter=mark, strict=True)
    line = 1
    try:
        for row in reader:
            cells = [tidy_cell(cell) for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield Row(before + line, cells)
            line = reader.line_num + 1
    except csv.Error:
        raise QuoteError(before + line) from None


def tidy_cell(cell: str) -> str:
    """Return *cell* without blanks around it, and unquoted."""
    return unquote_cell(cell.strip()).strip()


def unquote_cell(cell: str) -> str:
    """Return *cell* without the ' that :func:`.csvfile.quote_formula` has put in front."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


COUNT = re.compile(r"(\d{1,4})\s*[.、．)）:：]?")
NUMBERED = re.compile(r"[(（]?(\d{1,4})\s*[.、．)）:：]\s*(?=\S)|[-–•·‧◦●○▪■*]\s+(?=\S)")
"""What stands before the words of a list that was numbered or pointed."""


def is_counted(column: Sequence[str]) -> bool:
    """Return whether a *column* only counts its rows: 1, 2, 3."""
    found = [COUNT.fullmatch(cell) for cell in column if cell]
    numbers = [int(match[1]) for match in found if match]
    return bool(numbers) and len(numbers) == len(found) and _counts_up(numbers)


def without_numbers(words: Sequence[str]) -> list[str]:
    """Return *words* without the numbers or points in front of them, if all have one.

    >>> without_numbers(["1. sun", "2. moon"]), without_numbers(["3.5 metres", "moon"])
    (['sun', 'moon'], ['3.5 metres', 'moon'])
    """
    found = [NUMBERED.match(word) for word in words]
    numbers = [int(match[1]) for match in found if match and match[1]]
    if not all(found) or (numbers and (len(numbers) < len(words) or not _counts_up(numbers))):
        return list(words)
    return [word[match.end() :] for word, match in zip(words, found, strict=True) if match]


def _counts_up(numbers: Sequence[int]) -> bool:
    first = numbers[0]
    return first in (0, 1) and list(numbers) == list(range(first, first + len(numbers)))
