"""A ladder: each version of a strategy worth keeping is a file, and all of them play each other.

The files are entries of a league. Here they run in this program, as what stands in a cell does, and
what takes too long is stopped; a league keeps entries apart from each other, and a ladder takes
seconds.
"""

import ast
import builtins
import os
import re
import symtable
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from coursekit.arena import Result, duplicate
from coursekit.arena.single_match import find_strategies
from coursekit.arena.statistics import format_estimate
from coursekit.cells.cell_errors import defined_names, used_names
from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame, check_game
from coursekit.core.match import play_out
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.figures import LINE, PALETTE, Picture, picture
from coursekit.files.disk import disk_error_reason
from coursekit.files.html_templates import render
from coursekit.kit import kit_of
from coursekit.league.entry_files import EntryFiles, find_entries, unused_name
from coursekit.league.entry_process import Entry
from coursekit.league.referee import read_source
from coursekit.words.language import current_language
from coursekit.words.texts import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = Path(__file__).parent / "templates" / "ladder.html.j2"
NUMBERED = re.compile(r"(.+)-(\d+)")
"""Name of a saved version: that of its class, and its number."""


class Ladder:
    """The versions of a strategy in *folder*, by default ``ladder`` beside the notebook.

    Where one journal serves the notebooks of all languages, it is ``ladder/en`` beside that: each
    language has a ladder of its own. Files of classmates, put into the same folder, play as well.
    """

    def __init__(
        self,
        game: AnyGame,
        language: str | None = None,
        folder: str | Path | None = None,
    ) -> None:
        language = language or current_language()
        check_game(game)
        journal = os.environ.get("COURSEKIT_JOURNAL")  # one for the notebooks of all languages
        beside = Path(journal).absolute().parent if journal else Path.cwd()
        own = beside / "ladder" / language if journal else beside / "ladder"
        self.game = game
        self.language = language
        self.folder = Path(folder) if folder else own

    def save(self, kind: type[Strategy]) -> None:
        """Save *kind* as a file, such as ``Mine-3.py``, with what it uses of other cells; say so.

        What is the same as an earlier version is not saved again.

        :raises LocalizedError: if it is not written in a cell, cannot play a match, or cannot be
            written to the folder.
        """
        try:
            find_strategies(self.game, [kind])
            source = collect_source(kind.__name__, getattr(sys.modules["__main__"], "In", ()))
            versions = [path for path in self.files() if _version(path)[0] == kind.__name__]
            number = 1
            for path in versions:
                # Cells may have run in another order.
                if sorted(read_source(path).split("\n")) == sorted(source.split("\n")):
                    print(text("ladder.same", self.language, name=path.stem))
                    return
                number = _version(path)[1] + 1
            path = self.folder / f"{kind.__name__}-{number}.py"
            play_out(self.game, [self._load(path.stem, source)] * self.game.players, "ladder")
            self._write(path, source)
        except LocalizedError as error:
            error.tell(self.language)
            raise
        print(text("ladder.saved", self.language, name=path.stem, folder=self.folder))

    def _write(self, path: Path, source: str) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        except OSError as error:
            why = disk_error_reason(error, self.folder)
            raise LocalizedError("", "ladder.unwritable", name=path.stem, why=why) from error

    def files(self) -> list[Path]:
        """Return the files, the versions of a class in their order."""
        return sorted(self._find().paths.values(), key=_version)

    def _find(self) -> EntryFiles:
        return find_entries(self.folder) if self.folder.is_dir() else EntryFiles({}, {})

    def play(self, deals: int = 10, seed: str | int = 1) -> "LadderResult":
        """Let all files and the kit's own strategies play each other, every two in every seat.

        What fails or takes too long is left out; the result says why.
        """
        players: dict[str, type[Strategy]] = {}
        kits = kit_of(self.game).strategies
        paths, left_out = self._find()
        out = dict(left_out)
        for file, path in sorted(paths.items(), key=lambda found: _version(found[1])):
            taken = {*players, *out, *(kind.__name__ for kind in kits)}
            name = unused_name(re.sub(r"\.py$", "", file, flags=re.IGNORECASE), taken)
            try:
                players[name] = self._load(name, read_source(path))
            except LocalizedError as error:
                out[name] = error
        while True:
            try:
                result = duplicate(
                    self.game,
                    [*kits, *players.values()],
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
                return LadderResult(result, tuple(players), out, self.folder)

    def _load(self, name: str, source: str) -> type[Strategy]:
        entry = Entry(self.game)
        entry.load(source, name)
        return type(name, (entry.strategy,), {"__module__": "entry"})  # called as its file is


@dataclass(frozen=True)
class LadderResult:
    """What came of a ladder."""

    result: Result
    names: tuple[str, ...]
    """The files that played, the versions of a class in their order."""
    out: Mapping[str, LocalizedError]
    """Why others did not."""
    folder: Path

    def __repr__(self) -> str:
        return "\n".join([str(self.result), *self._sentences()])

    def _repr_html_(self) -> str:
        html = render(
            PAGE,
            plot=self.plot().html(),
            sentences=list(self._sentences()),
            language=self.result.language,
        )
        return str(html)

    def _sentences(self) -> Iterable[str]:
        language = self.result.language
        if not self.names:
            yield text("ladder.empty", language, folder=self.folder)
        latest: dict[str, tuple[str, str]] = {}  # class -> its last version and the one before
        for before, after in pairwise(self.names):
            kind = _version(Path(after))[0]
            if _version(Path(before))[0] == kind:
                latest[kind] = after, before
        for after, before in latest.values():
            yield self.result.verdict(after, before)
        for name, error in self.out.items():
            yield text("league.wrong", language, name=name, reason=error)

    def plot(self) -> Picture:
        """Return a picture of the rungs: the kit's strategies below, the latest version on top."""
        result, language = self.result, self.result.language
        kits = [name for name in reversed(result.ranking) if name not in self.names]
        rungs = [*kits, *self.names]
        labels = [result.label("strategy", name, language) for name in rungs]
        estimates = [result.estimate(name) for name in rungs]

        def draw() -> "Figure":
            from matplotlib import pyplot

            figure, axes = pyplot.subplots(figsize=(5.6, 1.2 + 0.42 * len(rungs)))
            for row, (mean, half) in enumerate(estimates):
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

        rows = [
            text("figure.row", language, row=label, numbers=format_estimate(*estimate))
            for label, estimate in zip(labels, estimates)
        ]
        return picture(draw, " ".join(rows), result.caption(), language)


class Statement(NamedTuple):
    """A statement of a cell, and its place among all that have run."""

    place: int
    source: str


def collect_source(name: str, cells: Iterable[str]) -> str:
    """Return the code that makes *name* and all that it uses, as it was last run in *cells*.

    That includes what changed it later, such as ``cards.append(3)``.

    :raises LocalizedError: if no cell makes *name* as a class of its own, or nothing makes what it
        uses.
    """
    made_by = _latest_statements(cells)
    goal = made_by.pop(name, [])
    head = re.compile(rf"^class {re.escape(name)}\b", re.MULTILINE)
    if not any(head.search(statement.source) for statement in goal):
        raise LocalizedError("", "ladder.no_cell", name=name)
    needed: set[Statement] = set()
    unread = list(goal)
    while unread:
        for used in used_names(unread.pop().source):
            new = [statement for statement in made_by.get(used, ()) if statement not in needed]
            needed.update(new)
            unread += new
    if _unmade_names([*needed, *goal]):  # it may come with from … import *
        needed.update(made_by.get("*", ()))
    missing = _unmade_names([*needed, *goal])
    if missing:
        raise LocalizedError("", "ladder.missing", name=name, missing=", ".join(missing))
    imports: list[str] = []
    others: list[str] = []
    for statement in sorted(needed):
        is_import = statement.source.startswith(("import ", "from "))
        (imports if is_import else others).append(statement.source)
    parts = ["\n".join(imports), *others, *[statement.source for statement in goal]]
    return "\n\n\n".join(parts).strip() + "\n"


def _latest_statements(cells: Iterable[str]) -> dict[str, list[Statement]]:
    """Return each name that *cells* make, with the statement that made it last, and its changes.

    A line of a cell that is no Python, such as ``%matplotlib inline``, is left out.
    """
    made_by: dict[str, list[Statement]] = {}
    place = 0
    for cell in cells:
        code = re.sub(r"^[%!].*$", "", cell, flags=re.MULTILINE)
        try:
            tree = ast.parse(code)
        except SyntaxError:  # what did not run
            continue
        for statement in tree.body:
            decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
            source = "\n".join(code.splitlines()[first - 1 : statement.end_lineno])
            place += 1
            changed = _changed_names(statement)
            for changed_name in changed & made_by.keys():
                made_by[changed_name].append(Statement(place, source))
            for _, name in defined_names(source):
                if name == "*":
                    made_by.setdefault(name, []).append(Statement(place, source))
                elif name not in changed:
                    made_by[name] = [Statement(place, source)]
    return made_by


def _changed_names(statement: ast.stmt) -> set[str]:
    """Return the names whose things *statement* changes, and does not make anew."""
    if isinstance(statement, ast.FunctionDef):
        return set()
    if isinstance(statement, ast.ClassDef):  # class Mine(Mine)
        return {base.id for base in statement.bases if isinstance(base, ast.Name)} & {
            statement.name
        }
    changed: set[ast.expr] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed.add(node.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            changed.update([function.value] if isinstance(function, ast.Attribute) else [])
        elif isinstance(node, ast.AugAssign):
            changed.add(node.target)
    names = {thing.id for thing in map(_root, changed) if isinstance(thing, ast.Name)}
    if isinstance(statement, ast.Assign):  # such as cards = cards + [3]
        used = {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
        targets = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        names |= used.intersection(targets)
    return names


def _root(thing: ast.expr) -> ast.expr:
    """Return what *thing* is a part of, as cards is of ``cards[0].names``."""
    while isinstance(thing, ast.Attribute | ast.Subscript):
        thing = thing.value
    return thing


def _unmade_names(statements: Iterable[Statement]) -> list[str]:
    """Return the names that *statements* use and nothing makes."""
    used: set[str] = set()
    made = {*dir(builtins), "__name__"}
    code = "\n".join(statement.source for statement in sorted(statements))
    scopes = [symtable.symtable(code, "<ladder>", "exec")]
    outermost = scopes[0]
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        for symbol in scope.get_symbols():
            if scope is outermost:
                own = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
                (made if own else used).add(symbol.get_name())
            elif symbol.is_global():
                (made if symbol.is_assigned() else used).add(symbol.get_name())
    for statement in statements:
        for module in re.findall(r"^from ([\w.]+) import \*", statement.source, re.MULTILINE):
            made.update(vars(sys.modules.get(module, builtins)))
    return sorted(used - made)


def _version(path: Path) -> tuple[str, int]:
    """Return the name of the class in a file and its number, 0 for none; files are sorted by it."""
    match = NUMBERED.fullmatch(path.stem)
    return (match[1], int(match[2])) if match else (path.stem, 0)
