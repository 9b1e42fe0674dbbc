"""A ladder: each version of a strategy that is worth keeping is a file, and all of them play each
other.

The files are entries of a league. Here they run in this program, as what stands in a cell does, and
what takes too long is stopped; a league keeps entries apart from each other, and a ladder takes
seconds.
"""

import ast
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.arena import Result, duplicate
from coursekit.arena.statistics import FEWEST_DEALS, with_interval
from coursekit.cells.cell_errors import defined_names, used_names
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.match import play_out
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.figures import LINE, PALETTE, Picture, picture
from coursekit.files.disk import disk_error_reason
from coursekit.kit import kit_of
from coursekit.league.entry_process import Entry
from coursekit.league.referee import source_of
from coursekit.words.texts import LANGUAGES, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBERED = re.compile(r"(.+)-(\d+)")
"""Name of a saved version: that of its class, and its number."""


class Ladder:
    """The versions of a strategy in *folder*, by default ``ladder`` beside the journal.

    Files of classmates, put into the same folder, play as well.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        language: str = LANGUAGES[0],
        folder: str | Path | None = None,
    ) -> None:
        beside = Path(os.environ.get("COURSEKIT_JOURNAL") or "journal.json").absolute()
        self.game, self.language = game, language
        self.folder = Path(folder) if folder else beside.parent / "ladder"

    def save(self, kind: type[Strategy]) -> None:
        """Save *kind* as it is now, with what it uses of other cells, as a file such as
        ``Mine-3.py``, and say so.

        What is the same as an earlier version is not saved again.

        :raises LocalizedError: if it is not written in a cell, cannot play a match, or cannot be written to
            the folder.
        """
        try:
            source = written(kind.__name__, getattr(sys.modules["__main__"], "In", ()))
            before = [
                each
                for each in self.files()
                if _place(each)[0] == kind.__name__ and _place(each)[1]
            ]
            for each in before:
                if sorted(source_of(each).split("\n")) == sorted(
                    source.split("\n")
                ):  # cells run in another order
                    print(text("ladder.same", self.language, name=each.stem))
                    return
            number = _place(before[-1])[1] + 1 if before else 1
            path = self.folder / f"{kind.__name__}-{number}.py"
            play_out(self.game, [self._made(path.stem, source)] * self.game.players, "ladder")
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                path.write_text(source, encoding="utf-8")
            except OSError as error:
                raise LocalizedError(
                    "",
                    "ladder.unwritable",
                    name=path.stem,
                    why=disk_error_reason(error, self.folder),
                ) from error
        except LocalizedError as error:
            error.tell(self.language)
            raise
        print(text("ladder.saved", self.language, name=path.stem, folder=self.folder))

    def files(self) -> list[Path]:
        """Return the files, the versions of a class in their order."""
        return sorted(
            (each for each in self.folder.glob("*.py") if each.name[0] != "_"), key=_place
        )

    def play(self, deals: int = 10, seed: str | int = 1) -> "Standing":
        """Let all files and the kit's own strategies play each other, every two in every seat.

        What fails or takes too long is left out, and told.
        """
        kits, players, out = (
            kit_of(self.game).strategies,
            dict[str, type[Strategy]](),
            dict[str, LocalizedError](),
        )
        for path in self.files():
            try:
                players[path.stem] = self._made(path.stem, source_of(path))
            except LocalizedError as error:
                out[path.stem] = error
        while True:
            everybody = [*kits, *players.values()]
            try:
                result = duplicate(
                    self.game,
                    everybody,
                    deals,
                    seed,
                    seating="pairs",
                    progress=False,
                    language=self.language,
                )
            except StrategyError as error:
                name = str(error.values["strategy"])
                if players.pop(name, None) is None:
                    raise
                out[name] = error
            else:
                return Standing(result, tuple(players), out, self.folder)

    def _made(self, name: str, source: str) -> type[Strategy]:
        entry = Entry(self.game)
        entry.load(source, name)
        return type(name, (entry.kind,), {"__module__": "entry"})


@dataclass(frozen=True)
class Standing:
    """What came of a ladder."""

    result: Result
    names: tuple[str, ...]
    """The files that played, the versions of a class in their order."""
    out: Mapping[str, LocalizedError]
    """Why others did not."""
    folder: Path

    def __repr__(self) -> str:
        return "\n".join([str(self.result), *self._told()])

    def _repr_html_(self) -> str:
        told = "".join(
            f'<p lang="{self.result.language}">{escape(each)}</p>' for each in self._told()
        )
        return self.plot().html() + told

    def _told(self) -> Iterable[str]:
        language = self.result.language
        if not self.names:
            yield text("ladder.empty", language, folder=self.folder)
        pairs = {}  # of each class, its last version and the one before
        for before, after in zip(self.names, self.names[1:]):
            if _place(Path(before))[0] == (kind := _place(Path(after))[0]):
                pairs[kind] = after, before
        yield from (self.result.verdict(*each) for each in pairs.values())
        for name, error in self.out.items():
            yield text("league.wrong", language, name=name, reason=error)

    def plot(self) -> Picture:
        """Return a picture of the rungs: the kit's strategies below, then each file, the latest
        version on top.
        """
        result, language = self.result, self.result.language
        kits = [name for name in reversed(result.ranking) if name not in self.names]
        rungs = [*kits, *self.names]
        labels = [result.label("strategy", name, language) for name in rungs]
        few = result.deals < FEWEST_DEALS
        rows = [(result.mean(name), None if few else result.interval(name)) for name in rungs]

        def draw() -> "Figure":
            from matplotlib import pyplot

            figure, axes = pyplot.subplots(figsize=(5.6, 1.2 + 0.42 * len(rungs)))
            for row, (mean, half) in enumerate(rows):
                colour, mark = (PALETTE[1], "s") if row < len(kits) else (PALETTE[0], "o")
                axes.errorbar(mean, row, xerr=half, color=colour, marker=mark, capsize=4)
            if self.names:
                axes.axhline(len(kits) - 0.5, color=LINE, linewidth=1.2, marker="")
            axes.set(
                yticks=range(len(rungs)),
                yticklabels=labels,
                ylim=(-0.6, len(rungs) - 0.4),
                xlabel=result.label("statistic", "points", language),
            )
            axes.tick_params(axis="y", length=0)
            return figure

        told = [
            text("figure.row", language, row=label, numbers=with_interval(mean, half))
            for label, (mean, half) in zip(labels, rows)
        ]
        return picture(draw, " ".join(told), result.caption(), language)


def written(name: str, cells: Iterable[str]) -> str:
    """Return the code that makes *name* and all that it uses, as it was last run in *cells*.

    :raises LocalizedError: if no cell makes *name* as a class of its own.
    """
    latest: dict[str, str] = {}  # what a statement makes -> the statement, as it was run last
    for cell in cells:
        try:
            tree = ast.parse(cell)
        except SyntaxError:  # a magic, or what did not run
            continue
        for statement in tree.body:
            lines = cell.splitlines()[_first(statement) - 1 : statement.end_lineno]
            source = "\n".join(lines)
            for _, made in defined_names(source):
                latest.pop(made, None)
                latest[made] = source
    if not re.search(rf"^class {re.escape(name)}\b", latest.get(name, ""), re.MULTILINE):
        raise LocalizedError("", "ladder.no_cell", name=name)
    goal, needed = latest.pop(name), set[str]()
    wanted = used_names(goal)
    while more := {latest[each] for each in wanted if each in latest} - needed:
        needed |= more
        wanted |= {each for source in more for each in used_names(source)}
    parts = [each for each in dict.fromkeys(latest.values()) if each in needed]
    return (
        "\n\n\n".join(
            [
                "\n".join(each for each in parts if _imports(each)),
                *(each for each in parts if not _imports(each)),
                goal,
            ]
        ).strip()
        + "\n"
    )


def _first(statement: ast.stmt) -> int:
    """Return the first line of *statement*, which may be that of a decorator."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _imports(source: str) -> bool:
    return source.startswith(("import ", "from "))


def _place(path: Path) -> tuple[str, int]:
    """Return where a file stands in the order: by the name of its class, then by its number."""
    found = NUMBERED.fullmatch(path.stem)
    return (found[1], int(found[2])) if found else (path.stem, 0)
