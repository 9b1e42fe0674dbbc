"""Tables in the manuals that repeat the game's texts, written anew by one command::

    python -m tests.make_tables

Each stands between a comment with its name and ``<!-- end -->``.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from coursekit.games.blockade import Blockade
from coursekit.games.blockade.rules.card_codes import standard
from coursekit.words.texts import game_text

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {DOCS / "teach/manuals/blockade.md": "en", DOCS / "zh/teach/manuals/blockade.md": "zh-Hant"}


def functions(language: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows about the function cards, the head first."""
    yield ("card", "effect") if language == "en" else ("卡片", "效果")
    for kind in dict.fromkeys(filter(None, standard().functions)):
        yield named(f"function.{kind}.name", language), words(f"function.{kind}.text", language)


def events(language: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows about the events, the head first."""
    yield ("year", "event", "effect") if language == "en" else ("年份", "事件", "效果")
    for year in sorted(Blockade(4).events_at):
        yield (
            str(year),
            named(f"event.{year}.name", language),
            words(f"event.{year}.effect", language),
        )


def words(id: str, language: str) -> str:
    """Return a text with the words of the standard rules."""
    game = Blockade(4)
    return game_text(game, id, language, which=game.which)


def named(id: str, language: str) -> str:
    """Return a name, on English pages after the Chinese one that stands on the card."""
    return " ".join(
        words(id, text_language) for text_language in dict.fromkeys(["zh-Hant", language])
    )


TABLES = {"functions": functions, "events": events}


def filled(page: str, language: str) -> str:
    """Return *page* with its tables as the texts are now."""

    def markdown(mark: re.Match[str]) -> str:
        head, *rows = (f"| {' | '.join(cells)} |" for cells in TABLES[mark[1]](language))
        return "\n".join(
            [
                f"<!-- {mark[1]} -->\n",
                head,
                "|---" * (head.count("|") - 1) + "|",
                *rows,
                "\n<!-- end -->",
            ]
        )

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", markdown, page, flags=re.S)


if __name__ == "__main__":
    for path, language in PAGES.items():
        path.write_text(
            filled(path.read_text(encoding="utf-8"), language), encoding="utf-8", newline="\n"
        )
