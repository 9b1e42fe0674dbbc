"""Facts on the cards: writers, periodicals, banned books, events, names of function cards.

Each is a named tuple, made from one line of a card file (:mod:`.card_files`). It is *verified* if
its title and year have been read in its *source* (:mod:`.citations`). It is *doubtful* if its only
source is not to be relied upon; its page says so. A year is ``None`` where it is not certain enough
to be printed.
"""

import csv
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.words.texts import LANGUAGES, game_text

GAME = "blockade"
DATA = Path(__file__).parent / "data"

ERAS = {1: range(1949, 1960), 2: range(1960, 1970), 3: range(1970, 1980), 4: range(1980, 1993)}
"""The years of each era, 1 to 4; a side of the board has a space for each."""
YEARS = range(1949, 1993)
"""The years on the board."""
LIVES = range(1800, 2101)
"""Years in which writers are born and die, and periodicals and books appear."""

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
"""Genres of works, each with its Chinese name in a card file; the texts ``genre.*`` name them."""
FORMS = {"book": "書", "piece": "單篇"}
"""Forms of works, each with its Chinese name in a card file.

A book is printed within 《 》; a poem, story or article within 〈 〉.
"""
PERIODICAL_KINDS = {
    "literary": "文學雜誌",
    "poetry": "詩刊",
    "political": "政論雜誌",
    "cultural": "文化雜誌",
    "supplement": "報紙副刊",
    "letters": "通訊",
}
"""Kinds of periodicals, each with its Chinese name in a card file; the texts ``data.kind.*`` name
them.
"""


class Writer(NamedTuple):
    """A writer card: a writer and one work."""

    card_id: str
    name_zh: str
    name_en: str
    birth: int | None
    death: int | None  # None also for the living
    work_zh: str
    work_en: str
    work_year: int  # of first publication; of writing or an award where the note says so
    genre: str  # one of GENRES
    form: str  # one of FORMS
    era: int  # 1 to 4
    verified: bool | None  # None if doubtful
    source: str
    note_zh: str
    note_en: str

    def title(self, language: str) -> str:
        """Return the title as it is printed, with its marks: 《城南舊事》, 〈錯誤〉."""
        work = in_language(self.work_zh, self.work_en, language)
        return game_text(GAME, f"card.work.{self.form}", language, work=work)


class Periodical(NamedTuple):
    """A periodical card."""

    card_id: str
    title_zh: str
    title_en: str
    founded: int
    ceased: int | None  # None also if it still appears
    kind: str  # one of PERIODICAL_KINDS
    editor_zh: str
    note_zh: str
    note_en: str
    verified: bool | None  # None if doubtful
    source: str

    @property
    def year(self) -> int:
        """The year in which it was founded."""
        return self.founded


class BannedBook(NamedTuple):
    """A banned-book card."""

    card_id: str
    title_zh: str
    title_en: str
    author_zh: str
    author_en: str
    published: int | None
    banned_year: int | None
    reason_zh: str
    reason_en: str
    verified: bool | None  # None if doubtful
    source: str

    @property
    def year(self) -> int | None:
        """The year of the ban, or else of publication."""
        return self.banned_year or self.published

    note_zh: str
    note_en: str


class EventNote(NamedTuple):
    """What happened in history: one of the events on the board."""

    year: int
    name_zh: str
    name_en: str
    summary_zh: str
    summary_en: str
    verified: bool | None  # None if doubtful
    source: str
    note_zh: str
    note_en: str


class FunctionNote(NamedTuple):
    """What a function card is named after; its effect is the kit's own design."""

    card_id: str
    name_zh: str
    name_en: str
    copies: int  # in the deck; the column "count"
    tied_to_zh: str
    tied_to_en: str
    verified: bool | None  # None if doubtful
    source: str


class Fate(NamedTuple):
    """How a writer, an editor or an author was imprisoned for political reasons."""

    name_zh: str
    name_en: str
    fate_zh: str
    fate_en: str
    verified: bool | None  # None if doubtful
    source: str


def doubt(row: Any) -> str:
    """Return the text id of what must be said with an unverified *row*, "" for a verified one."""
    if row.verified:
        return ""
    if row.verified is None:
        return "page.unverified.doubtful"
    return f"page.unverified.{'told' if isinstance(row, FunctionNote) else 'own'}"


def in_language(zh: str, en: str, language: str) -> str:
    """Return the one of two fields, such as ``note_zh`` and ``note_en``, that is in *language*.

    If that field is empty, the other one is returned. Only the kit's own cards have simplified
    characters; those of a class stay as they are.

    :param en: ``""`` where a card has no such field.
    """
    if language == "en":
        return en or zh
    return simplified().get(zh, zh or en) if language == "zh-Hans" else zh or en


def text_of(row: Any, field: str, language: str) -> str:
    """Return a *field* of *row*: of ``note_zh`` and ``note_en`` the one in *language*."""
    return in_language(getattr(row, f"{field}_zh"), getattr(row, f"{field}_en", ""), language)


def in_languages(zh: str, en: str) -> dict[str, str]:
    """Return :func:`in_language` by language: a name as a value of a text or an event."""
    return {language: in_language(zh, en, language) for language in LANGUAGES}


@lru_cache
def simplified() -> Mapping[str, str]:
    """Return simplified characters by the Chinese fields of the kit's card files.

    ``tools/draft_zh_hans.py`` writes them; run it after changing a file.
    """
    with (DATA / "zh_hans.csv").open(encoding="utf-8", newline="") as file:
        return {row["zh_hant"]: row["zh_hans"] for row in csv.DictReader(file)}


def name_of_era(era: int) -> str:
    """Return what card files call an era.

    >>> name_of_era(1)
    '1949-1959'
    """
    return f"{ERAS[era][0]}-{ERAS[era][-1]}"
