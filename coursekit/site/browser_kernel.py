"""Runs the cells of a lesson in the site's worker, and passes on messages of widgets and the page.

The page and the worker exchange JSON: ``{"type": "run", "cell": "10", "code": "…"}`` one way, and
back what the cell displays, what its widgets say, and that it has ended.
"""

import ast
import json
import linecache
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import TextIOBase
from typing import Any

from anywidget import AnyWidget

from coursekit.arena import Result, duplicate
from coursekit.cells.cell_errors import cells_above, defined_names, explain_in_lines
from coursekit.cells.environment import MARKS
from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame, Game
from coursekit.core.page_messages import Messages
from coursekit.core.strategy import Strategy
from coursekit.kit import GAMES, make
from coursekit.table import Table
from coursekit.table.players import Player
from coursekit.words.language import current_language, use_language
from coursekit.words.texts import THE_KIT, load_texts, prefer, text

MANY = 100
"""Matches that are played with a strategy when a reader asks for many."""
TABLE = "table"
"""What every lesson calls its table."""
PRINTED = 20_000
"""Characters that a cell may print; the rest is left out."""


Value = str | bool | float | int | list[Any] | dict[str, Any] | None
"""Of a trait, as the page sends it."""


class _Printing(TextIOBase):
    """Text for the page, sent line by line."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._left = PRINTED
        self._hidden = 0  # lines
        self._is_full = False
        self._line = ""

    def write(self, words: str) -> int:
        self._line += words[: self._left]
        self._hidden += words[self._left :].count("\n")
        self._is_full = self._is_full or len(words) > self._left
        self._left = max(0, self._left - len(words))
        if "\n" in self._line:
            self.flush()
        return len(words)

    def flush(self) -> None:
        if self._line:
            self._send(self._line)
            self._line = ""

    def tell_hidden(self) -> None:
        """Show what was printed so far, and how many lines were left out."""
        if self._is_full:
            count = max(1, self._hidden)
            words = text("site.printed", current_language(), count=count, most=PRINTED)
            self._line += f"\n{words}\n"
        self.flush()


class Kernel:
    """The cells of one lesson, run in one namespace."""

    messages = Messages()

    def __init__(self) -> None:
        self.post: Callable[[str], None] = print
        """Sends a message, as JSON, to the page."""
        self._main = vars(sys.modules["__main__"])
        self._main["input"] = _refuse_input
        self._sources: dict[str, str] = {}
        """The code of every cell of the lesson."""
        self._ran: set[str] = set()
        self._game = ""
        self._lesson: AnyGame | None = None
        """The game of the lesson's table."""
        self._cell = ""
        os.environ[MARKS[-1]] = "1"
        prefer("site.instead.")
        AnyWidget.post = self._send

    def _send(self, message: dict[str, Any]) -> None:
        self.post(json.dumps({"cell": self._cell} | message, ensure_ascii=False))

    def receive(self, words: str) -> None:
        """Do what a message of the page asks for."""
        self.messages.read(json.loads(words)).deliver(self)
        self._send({"type": "done"})

    @messages.handle(kind="lesson")
    def open_lesson(self, sources: dict[str, str], game: str, language: str) -> None:
        """Take over the code of all cells, and speak as their page does."""
        use_language(language)
        self._sources = sources
        self._game = game

    @messages.handle(kind="source")
    def change_source(self, cell: str, code: str) -> None:
        """Take over the new code of a cell, which has to be run again."""
        self._sources[cell] = code
        self._ran.discard(cell)

    @messages.handle(kind="message")
    def pass_on(self, widget: int, content: dict[str, Any]) -> None:
        """Pass on what the page of a widget says."""
        with redirect_stdout(_Printing(lambda printed: None)):
            AnyWidget.every[widget].dispatch(content)

    @messages.handle(kind="set")
    def set_trait(self, widget: int, name: str, value: Value) -> None:
        """Set a trait of a widget."""
        setattr(AnyWidget.every[widget], name, value)

    @messages.handle()
    def run(self, cell: str, code: str) -> None:
        """Run *code* as *cell*, after those above that it needs and that have not been run."""
        self._sources[cell] = code
        for needed in cells_above(cell, self._sources):
            if needed not in self._ran:
                self._run(needed, self._sources[needed])
        self._run(cell, code)

    def _run(self, cell: str, code: str) -> None:
        self._send({"type": "begins", "cell": cell})
        strategies = []
        if self._show_output(cell, lambda: self._value(cell, code), cell):
            self._ran.add(cell)
            self._look()
            strategies = [name for _, name in defined_names(code) if self._is_strategy(name)]
        self._send({"type": "ran", "cell": cell, "strategies": strategies})

    @messages.handle(kind="many")
    def play_many(self, cell: str, strategy: str) -> None:
        """Show a tournament of a strategy and the game's best, each deal from both sides."""

        def play() -> Result:
            game, kind = self._prepare_strategy(cell, strategy)
            best = GAMES[self._game].players(current_language())[-1]
            return duplicate(game, [kind, best], MANY // 2, language=current_language())

        self._show_output(cell, play, f"{cell} many")

    @messages.handle(kind="seat")
    def open_table(self, cell: str, strategy: str) -> None:
        """Show a table at which a person plays with a strategy in all other seats."""

        def make() -> Table:
            game, kind = self._prepare_strategy(cell, strategy)
            seats: list[Player] = ["person", *[kind] * (game.players - 1)]
            return Table(game, seats=seats, language=current_language(), name=kind.__name__)

        self._show_output(cell, make, f"{cell} seat")

    def _prepare_strategy(self, cell: str, strategy: str) -> tuple[AnyGame, type[Strategy]]:
        """Return the game of the lesson, and the *strategy* that *cell* makes."""
        self._prepare(cell)
        return self._rules(), self._main[strategy]

    def _prepare(self, cell: str) -> None:
        """Run *cell* and what it needs, unless this worker has; nothing is shown."""
        for needed in (*cells_above(cell, self._sources), cell):
            if needed not in self._ran:
                with redirect_stdout(_Printing(lambda words: None)):
                    self._value(needed, self._sources[needed])
                self._ran.add(needed)
                self._look()

    def _look(self) -> None:
        """Note the game of the lesson's table before a reader begins another match there."""
        table = self._main.get(TABLE)
        if self._lesson is None and isinstance(table, Table):
            self._lesson = table.rules

    def _rules(self) -> AnyGame:
        """Return the game as the lesson plays it, so that results can be compared.

        Without a table that is what the notebook calls ``game``, or else the standard.
        """
        for cell, code in self._sources.items():
            if self._lesson is None and TABLE in [name for _, name in defined_names(code)]:
                self._prepare(cell)
                break
        own = self._main.get("game")
        return self._lesson or (own if isinstance(own, Game) else make(self._game))

    def _show_output(self, cell: str, act: Callable[[], Any], place: str) -> bool:
        """Show at *place* what *act* prints and returns; return whether nothing is wrong."""
        self._cell = place
        printing = _Printing(lambda words: self._send({"type": "output", "text": words}))
        error: BaseException | None = None
        try:
            with redirect_stdout(printing), redirect_stderr(printing):
                self._show(act(), printing)
        except BaseException as raised:
            error = raised
        printing.tell_hidden()
        if error:
            spoken = isinstance(error, LocalizedError)
            self._send({"type": "output", "error": self.wrong(cell, error), "spoken": spoken})
        self._cell = ""
        return error is None

    def _is_strategy(self, name: str) -> bool:
        thing = self._main.get(name)
        return (
            isinstance(thing, type)
            and issubclass(thing, Strategy)
            and thing.__module__ == "__main__"
        )

    def _value(self, cell: str, code: str) -> Any:
        """Run *code* and return the value of its last line, ``None`` if that is no expression."""
        file = f"<cell {cell}>"
        # So help() and errors find the line.
        linecache.cache[file] = (len(code), None, code.splitlines(True), file)
        tree = ast.parse(code, file)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr) or code.rstrip().endswith(";"):
            exec(compile(tree, file, "exec"), self._main)
            return None
        exec(compile(ast.Module(tree.body[:-1], []), file, "exec"), self._main)
        return eval(compile(ast.Expression(last.value), file, "eval"), self._main)

    def _show(self, value: Any, printing: _Printing) -> None:
        if value is None:
            return
        if isinstance(value, AnyWidget):
            self._send({"type": "output", **value.display()})
        elif draw := getattr(value, "_repr_html_", None):
            self._send({"type": "output", "html": draw()})
        else:
            printing.write(repr(value))

    def wrong(self, cell: str, error: BaseException) -> str:
        """Return what is wrong in a cell: a sentence, and the line where it happened."""
        language = current_language()
        if isinstance(error, LocalizedError):
            return error.sentence(language)
        words = "".join(traceback.format_exception_only(error)).strip()
        here = f"<cell {cell}>"
        others = [code for other, code in self._sources.items() if other != cell]
        if lines := explain_in_lines(error, others):
            return "\n".join(lines)
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if frame.filename == here]
        if not own:
            return words
        line = text("site.at_line", language, line=own[-1].lineno, code=own[-1].line)
        return f"{line}\n{words}"


def load_kernel() -> Kernel:
    """Return a kernel with all texts, cards and words read, for ``memory.mjs``."""
    kernel = Kernel()
    load_texts(THE_KIT)
    for game, kit in GAMES.items():
        load_texts(game)
        kit.standard()
    return kernel


def _refuse_input(prompt: object = "") -> str:
    """Take the place of ``input``, which nobody on a page can answer."""
    raise LocalizedError("", "cell.no_input")
