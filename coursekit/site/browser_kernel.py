"""Runs the cells of a lesson in the site's worker, and carries messages between widgets and the
page.

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
from coursekit.cells.cell_errors import cells_above, defined_names
from coursekit.cells.environment import MARKS
from coursekit.core.errors import LocalizedError, language_here
from coursekit.core.game import Game
from coursekit.core.strategy import Strategy
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.players import Player
from coursekit.table.widget import make_game
from coursekit.words.texts import prefer, text

MANY = 100
"""Matches that are played with a strategy when a reader asks for many."""
TABLE = "table"
"""What every lesson calls its table."""
PRINTED = 20_000
"""Characters that a cell may print; the rest is left out."""


class _Printing(TextIOBase):
    """Text for the page, sent line by line."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send, self._left, self._line = send, PRINTED, ""

    def write(self, words: str) -> int:
        self._line += words[: max(0, self._left)]
        self._left -= len(words)
        if "\n" in self._line:
            self.flush()
        return len(words)

    def flush(self) -> None:
        if self._line:
            self._send(self._line)
            self._line = ""


class Kernel:
    """The cells of one lesson, run in one namespace.

    :param post: sends a message, as JSON, to the page.
    """

    def __init__(self, post: Callable[[str], None]) -> None:
        self._post = post
        self._main = vars(sys.modules["__main__"])
        self._sources: dict[str, str] = {}
        """The code of every cell of the lesson."""
        self._ran: set[str] = set()
        self._game = ""
        self._lesson: Game[Any, Any, Any] | None = None
        """The game of the lesson's table."""
        self._cell = ""
        os.environ[MARKS[-1]] = "1"
        prefer("site.instead.")
        AnyWidget.post = self._send

    def _send(self, message: dict[str, Any]) -> None:
        self._post(json.dumps({"cell": self._cell} | message, ensure_ascii=False))

    def hear(self, words: str) -> None:
        """Do what a message of the page asks for."""
        message = json.loads(words)
        kind = message["type"]
        if kind == "lesson":
            self._sources, self._game = message["sources"], message["game"]
        elif kind == "run":
            self.run(message["cell"], message["code"])
        elif kind == "source":
            self._sources[message["cell"]] = message["code"]
            self._ran.discard(message["cell"])
        elif kind == "many":
            self._ask(message, self._many)
        elif kind == "seat":
            self._ask(message, self._seat)
        elif kind == "message":
            widget = AnyWidget.every[message["widget"]]
            with redirect_stdout(_Printing(lambda printed: None)):
                widget.hear(message["content"])
        elif kind == "set":
            setattr(AnyWidget.every[message["widget"]], message["name"], message["value"])
        self._send({"type": "done"})

    def run(self, cell: str, code: str) -> None:
        """Run *code* as *cell*, after the cells above that make what it uses and have not been run."""
        self._sources[cell] = code
        for each in (*cells_above(cell, self._sources), cell):
            if each == cell or each not in self._ran:
                self._run(each, self._sources[each])

    def _run(self, cell: str, code: str) -> None:
        self._send({"type": "begins", "cell": cell})
        if good := self._do(cell, lambda: self._value(cell, code), cell):
            self._ran.add(cell)
            self._look()
        made = [name for _, name in defined_names(code)] if good else []
        self._send(
            {
                "type": "ran",
                "cell": cell,
                "strategies": [each for each in made if self._is_strategy(each)],
            }
        )

    def _ask(
        self, message: dict[str, Any], act: Callable[[Game[Any, Any, Any], type[Strategy]], Any]
    ) -> None:
        """Show what *act* makes of the strategy of a cell, at a place of its own: ``39 seat``."""
        cell, name = message["cell"], message["strategy"]

        def acted() -> Any:
            self._prepare(cell)
            return act(self._rules(), self._main[name])

        self._do(cell, acted, f"{cell} {message['type']}")

    def _prepare(self, cell: str) -> None:
        """Run *cell* and what it needs, unless this worker has; nothing is shown."""
        for each in (*cells_above(cell, self._sources), cell):
            if each not in self._ran:
                with redirect_stdout(_Printing(lambda words: None)):
                    self._value(each, self._sources[each])
                self._ran.add(each)
                self._look()

    def _look(self) -> None:
        """Note the game of the lesson's table as the lesson has made it; readers may begin other
        matches there.
        """
        table = self._main.get(TABLE)
        if self._lesson is None and isinstance(table, Table):
            self._lesson = table.rules

    def _rules(self) -> Game[Any, Any, Any]:
        """Return the game as the lesson plays it, so that results can be compared.

        Without a table that is what the notebook calls ``game``, or else the standard.
        """
        making = (
            each
            for each, code in self._sources.items()
            if TABLE in {made for _, made in defined_names(code)}
        )
        if self._lesson is None and (cell := next(making, None)) is not None:
            self._prepare(cell)
        own = self._main.get("game")
        return self._lesson or (own if isinstance(own, Game) else make_game(self._game, None))

    def _do(self, cell: str, act: Callable[[], Any], place: str) -> bool:
        """Show at *place* what *act* prints and returns, or what is wrong in *cell*; return whether
        nothing is.
        """
        self._cell = place
        printing = _Printing(lambda words: self._send({"type": "output", "text": words}))
        try:
            with redirect_stdout(printing), redirect_stderr(printing):
                self._show(act())
            printing.flush()
        except BaseException as error:
            printing.flush()
            self._send(
                {
                    "type": "output",
                    "error": self.wrong(cell, error),
                    "spoken": isinstance(error, LocalizedError),
                }
            )
            return False
        finally:
            self._cell = ""
        return True

    def _many(self, game: Game[Any, Any, Any], kind: type[Strategy]) -> Result:
        """Play :data:`MANY` matches of *kind* and the game's best, each deal from both sides."""
        best = GAMES[self._game].players(language_here())[-1]
        return duplicate(game, [kind, best], MANY // 2, language=language_here())

    def _seat(self, game: Game[Any, Any, Any], kind: type[Strategy]) -> Table:
        """Return a table at which a person plays with *kind* in all other seats."""
        seats: list[Player] = ["person", *[kind] * (game.players - 1)]
        return Table(game, seats=seats, language=language_here(), name=kind.__name__)

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
        linecache.cache[file] = (
            len(code),
            None,
            code.splitlines(True),
            file,
        )  # lets help() and errors find the line
        tree = ast.parse(code, file)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr) or code.rstrip().endswith(";"):
            exec(compile(tree, file, "exec"), self._main)
            return None
        exec(compile(ast.Module(tree.body[:-1], []), file, "exec"), self._main)
        return eval(compile(ast.Expression(last.value), file, "eval"), self._main)

    def _show(self, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, AnyWidget):
            self._send({"type": "output", **value.display()})
        elif draw := getattr(value, "_repr_html_", None):
            self._send({"type": "output", "html": draw()})
        else:
            self._send({"type": "output", "text": repr(value)})

    def wrong(self, cell: str, error: BaseException) -> str:
        """Return what is wrong in a cell, in words: a sentence, and the line of the cell where it
        happened.
        """
        language = language_here()
        if isinstance(error, LocalizedError):
            return error.sentence(language)
        said = "".join(traceback.format_exception_only(error)).strip()
        here = f"<cell {cell}>"
        if isinstance(error, SyntaxError):
            return said.replace(f'File "{here}", ', "").replace(f"({here}, ", "(")
        if isinstance(error, NameError) and (code := self._made_elsewhere(cell, str(error.name))):
            return text("site.not_run", language, name=error.name, code=code)
        frames = [
            each for each in traceback.extract_tb(error.__traceback__) if each.filename == here
        ]
        if not frames:
            return said
        line = text("site.at_line", language, line=frames[-1].lineno, code=frames[-1].line)
        return f"{line}\n{said}"

    def _made_elsewhere(self, cell: str, name: str) -> str:
        """Return the line by which another cell makes *name*; "" if none does."""
        others = (code for each, code in self._sources.items() if each != cell)
        return next(
            (line for code in others for line, made in defined_names(code) if made == name), ""
        )
