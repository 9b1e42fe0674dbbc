"""The list of a class, as a teacher pastes it: who is to come, by name, by seat number, or by both.

Pupils type their names themselves, so that an entry is found by what they have in common with it;
where two could be meant, nobody is.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from coursekit.core.page_messages import MessageError
from coursekit.room.names import normalise_name, skeleton
from coursekit.room.people import Person
from coursekit.words.characters import drawn_part, is_visible, unseen_places
from coursekit.words.texts import shorten

MOST = 200
"""Entries of a list."""
LONGEST = 80
"""Characters of a name in it."""
MOSTLY = 0.7
"""Share of its rows that a column needs to be one of names, or of seat numbers."""
NAME_HEADS = {
    "姓名",
    "名字",
    "學生",
    "学生",
    "學生姓名",
    "学生姓名",
    "name",
    "names",
    "student",
    "pupil",
}
NUMBER_HEADS = {"座號", "座号", "號碼", "号码", "編號", "编号", "no", "no.", "number", "seat", "#"}
SEPARATORS = re.compile("[,，;；]")
LISTING = re.compile("[、,，;；]")
NUMBERED = re.compile(r"(\d{1,3})(?!\d)[\s.．、,，)）:：號号\ufe0f\u20e3-]*(.*)")
AROUND_NUMBERS = re.compile(r"(?i:no|seat)|[\s.．號号座#]")
"""What a pupil may write beside a seat number."""

Row = list[str]


class Entry(NamedTuple):
    """One who is to come."""

    number: str
    """Of the seat, without zeros before it; "" if there is none."""
    name: str

    @property
    def label(self) -> str:
        """Number and name as one line."""
        return f"{self.number} {self.name}".strip()


def read_class_list(pasted: str) -> list[Entry]:
    r"""Return the entries of what was *pasted*: lines, or cells of a spreadsheet.

    Of several columns only seat numbers and names are taken.

    >>> entries = read_class_list("座號\t姓名\t性別\n０１\t王小明\t男\n2\t陳美\t女")
    >>> [entry.label for entry in entries]
    ['1 王小明', '2 陳美']

    :raises MessageError: if it has too many entries, or a name is too long.
    """
    rows = [_cells(line) for line in pasted.splitlines()]
    rows = [row for row in rows if any(row)]
    if len(rows) == 1 and len(rows[0]) == 1:
        rows = [[name.strip()] for name in LISTING.split(rows[0][0]) if name.strip()]
    if not any(len(row) > 1 for row in rows):
        rows = _split_by_commas(rows)
    found = _entries_of_columns(rows) if any(len(row) > 1 for row in rows) else []
    found = found or [_entry_of_line(" ".join(filter(None, row))) for row in rows]
    by_shape: dict[str, Entry] = {}
    for entry in found:
        by_shape.setdefault(drawn_part(entry.label), entry)
    entries = [entry for entry in by_shape.values() if entry.label]
    if len(entries) > MOST:
        raise MessageError("room.list_many", got=len(entries), allowed=MOST)
    for entry in entries:
        if len(entry.name) > LONGEST:
            raise MessageError("room.list_long", got=shorten(entry.name), allowed=LONGEST)
    return entries


def _cells(line: str) -> Row:
    return [normalise_name(_seen_part(cell).strip().strip('"')) for cell in line.split("\t")]


def _seen_part(cell: str) -> str:
    """Return *cell* without what spreadsheets and pages leave in it unseen, "" if that is all."""
    unseen = set(unseen_places(cell))
    seen = "".join(sign for place, sign in enumerate(cell) if place not in unseen)
    return seen if is_visible(seen) else ""


def _split_by_commas(rows: list[Row]) -> list[Row]:
    """Return *rows* of one cell in columns if one of these has numbers: "Lee, Ann" is one name."""
    split = [[cell.strip() for cell in SEPARATORS.split(row[0])] for row in rows]
    return split if any(len(row) > 1 for row in split) and _number_column(split) >= 0 else rows


def _column(rows: Sequence[Row], at: int) -> Row:
    return [row[at] if at < len(row) else "" for row in rows]


def _width(rows: Sequence[Row]) -> int:
    return max(map(len, rows), default=0)


def _seat_number(cell: str) -> str:
    """Return the seat number that *cell* is, "" if it is none."""
    plain = unicodedata.normalize("NFKC", cell)
    is_number = plain.isascii() and plain.isdigit() and len(plain) <= 3
    return str(int(plain)) if is_number else ""


def _varied(cells: Sequence[str], rows: int) -> bool:
    """Return whether most *rows* have a cell that is not that of another one."""
    return len(set(filter(None, cells))) >= MOSTLY * rows


def _number_column(rows: Sequence[Row]) -> int:
    for at in range(_width(rows)):
        if _varied([_seat_number(cell) for cell in _column(rows, at)], len(rows)):
            return at
    return -1


def _name_column(rows: Sequence[Row]) -> int:
    for at in range(_width(rows)):
        cells = _column(rows, at)
        names = [cell for cell in cells if not any(sign.isdigit() or sign == "@" for sign in cell)]
        if _varied(names, len(rows)):
            return at
    return -1


def _find_head(row: Row, heads: set[str]) -> int:
    for at, cell in enumerate(row):
        if cell.casefold() in heads:
            return at
    return -1


def _entries_of_columns(rows: list[Row]) -> list[Entry]:
    """Return what a table says of numbers and names; nothing if it has no such columns."""
    number, name = _find_head(rows[0], NUMBER_HEADS), _find_head(rows[0], NAME_HEADS)
    if max(number, name) >= 0:
        rows = rows[1:]
    if number < 0:
        number = _number_column(rows)
    if name < 0:
        name = _name_column(rows)
    numbers = _column(rows, number) if number >= 0 else [""] * len(rows)
    names = _column(rows, name) if name >= 0 else [""] * len(rows)
    return [Entry(_seat_number(cell), label) for cell, label in zip(numbers, names, strict=True)]


def _entry_of_line(line: str) -> Entry:
    if line.casefold() in NAME_HEADS | NUMBER_HEADS:
        return Entry("", "")
    plain = "".join(
        unicodedata.normalize("NFKC", sign) if sign.isdigit() else sign for sign in line
    )
    found = NUMBERED.fullmatch(plain)
    return Entry(_seat_number(found[1]), found[2].strip()) if found else Entry("", line)


# Who has come


@lru_cache(4096)
def _words(name: str) -> frozenset[str]:
    return frozenset(map(skeleton, re.findall(r"\w+", name)))


def _is_exact(person: str, entry: Entry) -> bool:
    """Return whether a *person* is called like an entry, or by its number."""
    shape = skeleton(person)
    if entry.name and shape in (skeleton(entry.name), skeleton(entry.label)):
        return True
    digits = re.findall(r"\d+", unicodedata.normalize("NFKC", person))
    if not entry.number or len(digits) != 1 or digits[0].lstrip("0") != entry.number:
        return False
    rest = AROUND_NUMBERS.sub("", re.sub(r"\d", "", person))
    return not rest or _is_part(rest, entry)


def _is_part(person: str, entry: Entry) -> bool:
    """Return whether a *person* is called by a part of an entry's name, or by more than it.

    In scripts without blanks a part has two signs at least.
    """
    one, other = sorted((skeleton(person), skeleton(entry.name)), key=len)
    if one.isascii() and other.isascii():
        few, more = sorted((_words(person), _words(entry.name)), key=len)
        return bool(few) and few <= more
    return len(one) > 1 and one in other


def find_people(entries: Sequence[Entry], people: Iterable[Person]) -> dict[int, int]:
    """Return the places in *entries* of those *people* who are on the list, by person.

    What the teacher has said comes first, then the same name or number, then a part of a name.
    """
    open_people = {person.person_id: person for person in people}
    open_entries = dict(enumerate(entries))
    found: dict[int, int] = {}
    tests: list[Callable[[Person, Entry], bool]] = [
        lambda person, entry: person.listed_as == entry.label,
        lambda person, entry: _is_exact(person.name, entry),
        lambda person, entry: _is_part(person.name, entry),
    ]
    for test in tests:
        pairs = _sure_pairs(open_people, open_entries, test)
        found |= pairs
        for person, place in pairs.items():
            del open_people[person], open_entries[place]
    return found


def _sure_pairs(
    people: Mapping[int, Person],
    entries: Mapping[int, Entry],
    test: Callable[[Person, Entry], bool],
) -> dict[int, int]:
    """Return the persons and entries that pass *test* with each other and with no other."""
    places = {
        number: [place for place, entry in entries.items() if test(person, entry)]
        for number, person in people.items()
    }
    counts = [place for found in places.values() for place in found]
    return {
        number: found[0]
        for number, found in places.items()
        if len(found) == 1 and counts.count(found[0]) == 1
    }
