"""Citations: the table of sources, and how a card, the debrief and a map print a source.

The column ``source`` of the kit's card files holds keys of ``data/sources.csv``, separated by
spaces. A class may write addresses there, or the citation of a printed work.
"""

import csv
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from coursekit.games.blockade.rules.card_facts import DATA, GAME
from coursekit.words.texts import game_text

KINDS = ("record", "academic", "encyclopedia", "press", "publisher", "other")
"""Whose word a source is: an institution of record, research, an encyclopaedia, a newspaper, a
publisher, or anybody else."""
CITED = re.compile(
    r"https?://[\w.-]+/\S*( https?://[\w.-]+/\S*)*$|(?!https?:).*(?<!\d)(?:1[89]|20)\d\d(?!\d)",
    re.S,
)
"""What a class cites: addresses, or a printed work with its year."""
CHINESE = re.compile("[㐀-鿿]")


class Source(NamedTuple):
    """A line of the table of sources; what the source itself does not tell is empty."""

    key: str
    author: str  # a person or an institution
    title: str
    container: str  # the site, journal, newspaper or book that holds it; of a book, its publisher
    year: str
    seen: str  # date of the copy that was read
    url: str  # none for a printed work
    kind: str  # one of KINDS

    @property
    def mark(self) -> str:
        """What a reader must know: nobody of standing wrote it, or its title has not been read."""
        if self.kind == KINDS[-1]:
            return "weak"
        return "" if self.author or self.title else "untitled"


@lru_cache
def sources() -> Mapping[str, Source]:
    """Return the kit's sources by their key."""
    with (DATA / "sources.csv").open(encoding="utf-8", newline="") as file:
        return {row["key"]: Source(**row) for row in csv.DictReader(file)}


def is_cited(text: str) -> bool:
    """Return whether a column ``source`` holds keys of the table, addresses, or a citation."""
    return bool(CITED.match(text)) or _has_keys(text)


def cite(*texts: str, language: str) -> list[str]:
    """Return the citations in columns ``source`` as they are shown, each once."""
    parts: list[str] = []
    for text in texts:
        if _has_keys(text):
            parts += [_citation(sources()[key], language) for key in text.split()]
        elif text.startswith("http"):
            parts += map(unquote, text.split())
        else:
            parts.append(text)
    return list(dict.fromkeys(filter(None, parts)))


def list_sources(*texts: str, language: str) -> str:
    """Return :func:`cite` as one line."""
    return ("; " if language == "en" else "；").join(cite(*texts, language=language))


def _has_keys(text: str) -> bool:
    return bool(text) and all(key in sources() for key in text.split())


def _citation(source: Source, language: str) -> str:
    """Return author, title, container, year and address, without those that are not known.

    A page or an article has the marks of a piece and what holds it those of a book; a printed work
    without an address is itself the book. A title in Chinese keeps Chinese marks.
    """
    title, container = source.title, source.container
    if source.url:
        title, container = _mark(title, "piece", language), _mark(container, "book", language)
    else:
        title = _mark(title, "book", language)
    words = filter(None, (source.author, title, container, source.year))
    comma, stop = (", ", ". ") if language == "en" else ("，", "。")
    cited = comma.join(words)
    seen = game_text(GAME, "source.seen", language, date=source.seen) if source.seen else ""
    mark = game_text(GAME, f"source.{source.mark}", language) if source.mark else ""
    return stop.join(filter(None, [cited, unquote(source.url)])) + seen + mark


def _mark(title: str, form: str, language: str) -> str:
    """Return a title within its marks, unless it begins with some of its own."""
    if not title or title[0] in "《〈「“":
        return title
    marks = language if CHINESE.search(title) else "en"
    return game_text(GAME, f"card.work.{form}", marks, work=title)
