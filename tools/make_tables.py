"""Tables of the documentation that repeat the program: ``python -m tools.make_tables`` fills them.

Each stands between a comment with its name and ``<!-- end -->``. Of options, presets and strategies
the program gives names, values and labels; the words behind a label are written by hand, and stay.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from coursekit.core.options import CardSetNames, TupleOf
from coursekit.games.blockade import Blockade
from coursekit.games.blockade.rules.card_codes import standard
from coursekit.kit import GAMES
from coursekit.words.texts import game_text

DOCS = Path(__file__).parents[1] / "docs"
LANGUAGES = {"": "en", "zh/": "zh-Hant"}
"""Folder of pages -> their language."""
PAGES = {
    DOCS / f"{folder}teach/{kind}/{game}.md": (game, language)
    for folder, language in LANGUAGES.items()
    for kind in ("games", "manuals")
    for game in GAMES
}
"""Page -> its game and its language."""
Row = tuple[str, ...]
MARKED = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
NAMES = re.compile(r'`"?(\w+)"?`')


def option_rows(game: str, language: str, old: list[Row]) -> Iterator[Row]:
    """Yield a row for each option, or for several that share a row of the *old* table."""
    options = {option.name: option for option in fields(GAMES[game].rules.option_type)}
    separator = ", " if language == "en" else "、"
    for names, row in _rows_by_names(old, options):
        words = re.sub(r"^(\*\*.*?\*\*(, |、)?)+", "", row[2] if row else "")
        labels = separator.join(
            f"**{game_text(game, f'option.{name}.label', language)}**" for name in names
        )
        values = option_values([options[name] for name in names], language)
        yield _codes(names), values, labels + words, *row[3:]


def option_values(options: list["Field[Any]"], language: str) -> str:
    """Return the allowed values of options that share a row, the standard first."""
    allowed = options[0].metadata["allowed"]
    default = options[0].default
    if isinstance(allowed, CardSetNames):
        by = f"`{allowed.by}`"
        other = f", or what {by} returned" if language == "en" else f"，或 {by} 回傳的值"
        return f'`"{default}"`{other}'
    if isinstance(allowed, tuple):
        values = [default, *(value for value in allowed if value != default)]
        return ", ".join(
            f'`"{value}"`' if isinstance(value, str) else f"`{value}`" for value in values
        )
    if isinstance(allowed, TupleOf):
        first, last = allowed.entries[0], allowed.entries[-1]
        numbers = f"; numbers {first}–{last}" if language == "en" else f"；{first}–{last} 的數字"
        return f"`{default}`{numbers}"
    defaults = [
        f"`{option.default}`" if option.default is None else option.default for option in options
    ]
    ranges = [option.metadata["allowed"] for option in options]
    limits = dict.fromkeys(f"{numbers[0]}–{numbers[-1]}" for numbers in ranges)
    return f"{', '.join(map(str, defaults))}; {', '.join(limits)}"


def preset_rows(game: str, language: str, old: list[Row]) -> Iterator[Row]:
    """Yield a row for each preset."""
    for (name,), row in _rows_by_names(old, GAMES[game].rules.presets):
        yield f'`"{name}"`', game_text(game, f"preset.{name}.label", language), *row[2:]


def strategy_rows(game: str, language: str, old: list[Row]) -> Iterator[Row]:
    """Yield a row for each strategy that a table offers; in English with its docstring."""
    strategies = {strategy.__name__: strategy for strategy in GAMES[game].offered_strategies()}
    rows = {name: row for (name,), row in _rows_by_names(old, strategies)}
    for name in strategies:
        row = rows[name]
        words = row[1] if row else ""
        idea = (strategies[name].__doc__ or "").strip().splitlines()[0]
        if language == "en":
            words = words if words.startswith(idea) else idea
        else:
            label = game_text(game, f"strategy.{name}", language)
            words = f"「{label}」：{words.partition('」：')[2]}"
        yield f"`{name}`", words, *row[2:]


def function_rows(game: str, language: str, old: list[Row]) -> Iterator[Row]:
    """Yield a row for each function card of Literature Lockdown."""
    for kind in dict.fromkeys(filter(None, standard().functions)):
        yield (
            _card_name(f"function.{kind}.name", language),
            _words(f"function.{kind}.text", language),
        )


def event_rows(game: str, language: str, old: list[Row]) -> Iterator[Row]:
    """Yield a row for each event of Literature Lockdown."""
    for year in sorted(Blockade(4).events_at):
        name, effect = _card_name(f"event.{year}.name", language), f"event.{year}.effect"
        yield str(year), name, _words(effect, language)


TABLES: Mapping[str, Callable[[str, str, list[Row]], Iterator[Row]]] = {
    "options": option_rows,
    "presets": preset_rows,
    "strategies": strategy_rows,
    "functions": function_rows,
    "events": event_rows,
}


def fill(page: str, game: str, language: str) -> str:
    """Return *page* with its tables as the program is now."""

    def fill_table(mark: re.Match[str]) -> str:
        head, line, *rows = mark[2].strip().splitlines()
        old = [tuple(row.strip("| ").split(" | ")) for row in rows]
        new = [f"| {' | '.join(row)} |" for row in TABLES[mark[1]](game, language, old)]
        return "\n".join([f"<!-- {mark[1]} -->\n", head, line, *new, "\n<!-- end -->"])

    return MARKED.sub(fill_table, page)


def _rows_by_names(old: list[Row], known: Mapping[str, Any]) -> Iterator[tuple[list[str], Row]]:
    """Yield the *known* names of each old row with that row, then the others, each with none."""
    left = dict.fromkeys(known)
    for row in old:
        names = [name for name in NAMES.findall(row[0]) if name in left]
        for name in names:
            del left[name]
        if names:
            yield names, row
    for name in left:
        yield [name], ()


def _codes(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _words(text_id: str, language: str) -> str:
    """Return a text with the words of the standard rules."""
    game = Blockade(4)
    return game_text(game, text_id, language, which=game.which)


def _card_name(text_id: str, language: str) -> str:
    """Return a name, on English pages behind the Chinese one that stands on the card."""
    return " ".join(_words(text_id, shown) for shown in dict.fromkeys(["zh-Hant", language]))


if __name__ == "__main__":
    for path, (game, language) in PAGES.items():
        page = path.read_text(encoding="utf-8")
        path.write_text(fill(page, game, language), encoding="utf-8", newline="\n")
