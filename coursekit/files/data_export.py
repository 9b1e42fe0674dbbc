"""Data for other programs: rows as CSV or as a frame of pandas, each with a codebook.

The text ``column.NAME`` says what a column means, with its unit in brackets at the end; docs,
codebooks and pages take it from there.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from coursekit.core.errors import LocalizedError
from coursekit.core.game import TABLE
from coursekit.core.match import Match, Record, replay
from coursekit.files import csvfile
from coursekit.files.html_templates import render
from coursekit.words.language import current_language
from coursekit.words.texts import join_words, template, text

if TYPE_CHECKING:
    from pandas import DataFrame

DOWNLOADS = Path(__file__).parent / "templates" / "downloads.html.j2"
UNIT = re.compile(r"\s*[(（]([^()（）]+)[)）]$")
MOST_VALUES = 8
"""Maximum words of a column that a codebook lists; of more it gives their number."""
LONGEST_VALUE = 40
"""Maximum characters of such a word."""


class NoPandasError(LocalizedError, ImportError):
    """There is no pandas; the sentence says how to get it."""


@dataclass(frozen=True, repr=False)
class DataTable:
    """Rows of numbers and words under named columns.

    :param names: of the columns, the same in every language, so that code works with any.
    :param game: whose texts tell what a column means, before the kit's own.
    :param language: of the codebook.
    """

    names: Sequence[str]
    rows: Sequence[Sequence[Any]]
    game: str
    language: str = field(default_factory=current_language)

    def frame(self) -> "DataFrame":
        """Return the rows as a pandas frame.

        :raises NoPandasError: an ``ImportError``, where pandas is missing: it comes with the extra
            ``data``.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise NoPandasError("", "sheet.no_pandas") from None
        return DataFrame(list(self.rows), columns=list(self.names))

    def codebook(self) -> list[list[str]]:
        """Return the head, then each column's name, meaning, unit and contents."""
        heads = ("column", "meaning", "unit", "found")
        lines = [[text(f"sheet.{head}", self.language) for head in heads]]
        for at, name in enumerate(self.names):
            meaning, _, unit = UNIT.sub("\n\\1", self._meaning(name)).partition("\n")
            lines.append([name, meaning, unit, self._summarise([row[at] for row in self.rows])])
        return lines

    def _meaning(self, name: str) -> str:
        for text_id in (f"column.{name}", f"statistic.{name}", f"option.{name}.label"):
            try:
                return template(self.game, text_id, self.language)
            except KeyError:  # of a column that is no statistic; of a statistic from a notebook
                continue
        return name

    def _summarise(self, values: Sequence[Any]) -> str:
        if all(isinstance(value, int | float) for value in values):
            return f"{min(values):g} … {max(values):g}" if values else ""
        words = sorted({str(value) for value in values} - {""})
        if len(words) <= MOST_VALUES and not any(len(word) > LONGEST_VALUE for word in words):
            return join_words(words, self.language)
        return text("sheet.many", self.language, count=len(words))

    def csv(self, path: str | Path) -> Path:
        """Write the rows as *path*, and the codebook beside it as ``…-codebook.csv``.

        :returns: the first path.
        :raises FileError: if one of them exists, or cannot be written.
        """
        path = Path(path)
        for name, rows in self._files(path.stem):
            csvfile.write("", path.with_stem(name), rows)
        return path

    def _files(self, name: str) -> Iterable[tuple[str, Sequence[Sequence[Any]]]]:
        """Return the rows and the codebook, each with the name of its file without an ending."""
        return (name, [self.names, *self.rows]), (f"{name}-codebook", self.codebook())

    def _repr_html_(self) -> str:
        """Return two links that download the table and its codebook."""
        links = []
        for label, (name, rows) in zip(("table", "codebook"), self._files(self.game), strict=True):
            words = text(f"sheet.{label}", self.language, count=len(self.rows))
            links.append((name, b64encode(csvfile.write_csv(rows).encode()).decode(), words))
        return str(render(DOWNLOADS, links=links, language=self.language))

    def __repr__(self) -> str:
        return f"DataTable({', '.join(self.names)}: {len(self.rows)})"


def pack_zip(sheets: Mapping[str, DataTable]) -> bytes:
    """Return *sheets*, each under its name, as a ZIP of CSV files with a codebook beside each."""
    with BytesIO() as content:
        with ZipFile(content, "w", ZIP_DEFLATED) as file:
            for stem, sheet in sheets.items():
                for name, rows in sheet._files(stem):
                    file.writestr(f"{name}.csv", csvfile.write_csv(rows))
        return content.getvalue()


def decision_table(matches: Iterable[Match | Record], language: str | None = None) -> DataTable:
    """Return every decision of *matches* of one game, in order, without names.

    Records tell every hand, so this is for matches that are over.
    """
    language = language or current_language()
    rows: list[tuple[Any, ...]] = []
    game = ""
    for number, match in enumerate(matches):
        record = match if isinstance(match, Record) else match.record()
        game = record.game

        def note(
            now: Match, seat: int, action: Any, number: int = number, people: Any = record.people
        ) -> None:
            phase, points = "", 0
            if seat != TABLE:
                phase = now.game.observe(now.state, seat).phase
                points = now.game.scores(now.state)[seat]
            person = "" if people is None else int(seat in people)
            done = json.dumps(action, ensure_ascii=False, default=asdict)
            rows.append((number, len(now.log), seat, person, phase, done, points))

        replay(record, watch=note)
    names = ("match", "entry", "seat", "person", "phase", "action", "points_before")
    return DataTable(names, rows, game, language)
