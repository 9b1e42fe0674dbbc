"""The cards of 文壇封鎖中 as numbers, and what the numbers mean.

Experience cards are numbered through: the writers in the order of their file, then the function
cards, kind by kind. Book cards have numbers of their own: the periodicals, then the banned books.
An event of the track is called by its year. :class:`Cards` knows what lies behind a number.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from coursekit.core.errors import FileError
from coursekit.core.options import CardSetNames
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_facts import (
    BannedBook,
    FunctionNote,
    Periodical,
    Writer,
    in_languages,
)
from coursekit.words.language import current_language
from coursekit.words.texts import LANGUAGES

GARRISON, INFORMANT, EDITOR, AUTHOR = range(4)  # 警總, 線民, 主編, 作家
ROLES = ("garrison", "informant", "editor", "author")
CENSORS, PENS = (GARRISON, INFORMANT), (EDITOR, AUTHOR)

PERIODICAL, BANNED = "periodical", "banned"

SUN_LI_JEN, POPEYE, NATIVIST_DEBATE, LIFTING = 1955, 1968, 1977, 1987
"""Events that code names.  Martial law was lifted in 1987."""
EVENTS = (
    *(1949, 1950, 1954, SUN_LI_JEN, 1957),
    *(1960, 1962, 1964, 1966, POPEYE),
    *(1970, 1971, 1972, NATIVIST_DEBATE, 1979),
    *(1981, 1984, LIFTING, 1989, 1992),
)
"""The events of the track by their years, an era a line."""

FUNCTIONS = {
    f"FC{number:02}": name
    for number, name in enumerate(
        (
            *("stencil", "mimeograph", "bookstall", "false_cover", "altered", "pen_name", "prize"),
            *("advance", "circulation", "spare_licence", "catalogue", "summons", "mail_check"),
            *("denunciation", "torn_page", "suspension", "appeal", "reading_circle"),
            *("smuggling", "first_issue"),
        ),
        1,
    )
}
"""Names of the function cards in texts and code, by their id in the card file and the specification
(section 8).
"""

OWN_DESIGN = "own_design"
"""The text that says what the rulebook leaves open: effects of function cards and of events."""


class Cards:
    """The cards of one edition, by number.

    :param functions: the kinds of function cards, in the order of ``FUNCTIONS``.
    """

    def __init__(
        self,
        writers: tuple[Writer, ...],
        functions: tuple[FunctionNote, ...],
        periodicals: tuple[Periodical, ...],
        banned: tuple[BannedBook, ...],
    ) -> None:
        self.writers = writers
        self.periodicals = periodicals
        self.banned = banned
        self.books: tuple[Periodical | BannedBook, ...] = (*periodicals, *banned)
        """By book card."""
        self.functions = ("",) * len(writers)
        """By experience card: the name of a function card, "" for a writer."""
        self.notes: dict[str, FunctionNote] = {}
        """By function card: what it is named after."""
        for note in functions:
            name = FUNCTIONS[note.card_id]
            self.functions += (name,) * note.copies
            self.notes[name] = note

    def is_writer(self, card: int) -> bool:
        """Return whether an experience card is a writer."""
        return card < len(self.writers)

    @cached_property
    def years(self) -> tuple[int, ...]:
        """By writer card: the year of the work."""
        return tuple(writer.work_year for writer in self.writers)

    @cached_property
    def book_kinds(self) -> tuple[str, ...]:
        """By book card: PERIODICAL or BANNED."""
        return (PERIODICAL,) * len(self.periodicals) + (BANNED,) * len(self.banned)

    def seniority(self, card: int) -> tuple[int, int] | None:
        """Return the years of birth and work of a writer card; ``None`` without a year of birth."""
        writer = self.writers[card]
        return None if writer.birth is None else (writer.birth, writer.work_year)

    def word(self, kind: str, value: int) -> tuple[str, Mapping[str, Any]]:
        """Return the text id and values that name a card.

        :param kind: "book" for a book card, "dated" for one with its year, else it is an experience
            card.
        """
        if kind in ("book", "dated"):
            book = self.books[value]
            title = in_languages(book.title_zh, book.title_en)
            if kind == "dated" and book.year:
                return f"book.{_what_happened(book)}", {"title": title, "year": book.year}
            return f"book.{self.book_kinds[value]}", {"title": title}
        if name := self.functions[value]:
            return "card.function", {"name": name}
        writer = self.writers[value]
        names = in_languages(writer.name_zh, writer.name_en)
        titles = {language: writer.title(language) for language in LANGUAGES}
        return "card.writer", {"name": names, "title": titles, "year": writer.work_year}


def _what_happened(book: Periodical | BannedBook) -> str:
    """Return what happened in the year of *book*."""
    if isinstance(book, Periodical):
        return "founded"
    return "banned_in" if book.banned_year else "published"


@lru_cache
def standard() -> Cards:
    """Return the cards of the kit."""
    return Cards(
        card_files.writers(),
        card_files.functions(),
        card_files.periodicals(),
        card_files.banned_books(),
    )


EDITIONS: CardSetNames[Cards] = CardSetNames(standard, "own_cards")
"""Cards to play with, by the values of the option ``edition``."""


def own_cards(
    writers: str | Path | None = None,
    periodicals: str | Path | None = None,
    banned_books: str | Path | None = None,
    language: str | None = None,
) -> str:
    """Load a class's own cards from CSV files and return their value of the option ``edition``.

    Kinds of cards that are not given are the kit's:
    ``Blockade(options=Options(edition=own_cards("poets.csv")))``.

    :param language: of the error, if a file cannot be used.
    :raises FileError: naming every line that is wrong; nothing is loaded then.
    """
    language = language or current_language()
    files = (writers, periodicals, banned_books)
    names = [Path(file).name for file in files if file is not None]
    if not names:
        return "kit"
    try:
        own = (
            card_files.load_writers(writers) if writers is not None else None,
            card_files.load_periodicals(periodicals) if periodicals is not None else None,
            card_files.load_banned_books(banned_books) if banned_books is not None else None,
        )
    except FileError as error:
        error.tell(language)
        raise
    kit = standard()
    books = (own[1] or kit.periodicals, own[2] or kit.banned)
    cards = Cards(own[0] or kit.writers, card_files.functions(), *books)
    return EDITIONS.add(" + ".join(names), own, cards)
