"""The cell below a table that asks for consent to keep its matches in the journal."""

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

import anywidget
import traitlets

from coursekit.cells.static_bundle import wrap_in_layer
from coursekit.core.game import TABLE
from coursekit.core.match import Record
from coursekit.journal.entries import MOST_MATCHES, RECORDS
from coursekit.journal.journal import Journal, JournalError
from coursekit.reflect.journal_export import matches_by_game
from coursekit.reflect.static_files import one_file
from coursekit.table.run import StaleError
from coursekit.words.texts import LANGUAGES, text
from coursekit.words.texts import load_texts as texts

if TYPE_CHECKING:
    from coursekit.table import Table

TEXTS = "journal.keep."
SAID_THERE = (
    "heading",
    "ask",
    "yes",
    "no",
    "stop",
    "start",
    "forget",
    "forget_yes",
    "forget_no",
    "opening",
    "offline",
)
"""The texts sent to the browser."""
log = logging.getLogger(__name__)


class KeepMatches(anywidget.AnyWidget):
    """Asks once a game whether its matches may be kept, keeps those of *table* if so, and deletes
    them on request.

    A running match is kept as soon as a person has decided something in it. With several people at
    the screen it is kept when it is over, since its record reveals every hand. The browser gets
    only numbers.

    :param journal: the journal to keep matches in, by default ``Journal()``.
    :raises ValueError: for an unknown language.
    """

    _esm = one_file("keep", "js")
    _css = wrap_in_layer(one_file("keep", "css"))
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    _open: ClassVar["WeakSet[KeepMatches]"] = WeakSet()

    def __init__(
        self, table: "Table", language: str = LANGUAGES[0], journal: Journal | None = None
    ) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        self._journal, self._table = journal or Journal(), table
        self._match: str = table.view["match"]
        self._begin = (
            0  # actions of the match when it arrived: those in a file were not played here
        )
        self._saved: tuple[str, int] | None = None  # the match kept last, and its number of actions
        self._ids: set[str] = set()  # the matches of the journal at the last look
        self._told = ""  # the line that the browser shows
        self._agreed: bool | None = None
        with suppress(JournalError):
            self._agreed = self._journal.agreed(table.game)
        super().__init__(
            language=language, words={name: texts()[TEXTS + name][language] for name in SAID_THERE}
        )
        self.on_msg(self._on_message)
        self._open.add(self)
        table.observe(self._moved, "view")

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        kind = content.get("type") if isinstance(content, dict) else None
        try:
            if kind == "open":
                self.tell()
            elif kind == "agree" and isinstance(yes := content.get("yes"), bool):
                self._journal.agree(self._table.game, yes)
                self._agreed = yes
                if yes:
                    self._keep(
                        self._table.resumed
                    )  # a finished one that was found again can be kept, too
                self.tell()
                tell_all(self._journal, self)
            elif kind == "forget":
                count = len(self._journal.matches())
                self._journal.forget_matches()
                self._ids.clear()
                tell_all(self._journal, self)
                self.tell(text(f"{TEXTS}forgotten", self.language, count=count))
        except JournalError as error:
            self.send({"type": "failed", "text": error.sentence(self.language)})

    # What happens at the table

    def _moved(self, _change: Any) -> None:
        """Keep the match as it is now, and say so if other people play; an error here never stops
        the table.
        """
        try:
            self._note()
            if self._agreed and self._keep():
                tell_all(self._journal)
            elif self._told and self._line() != self._told:
                self.tell(asked=False)
        except JournalError as error:
            self.send({"type": "failed", "text": error.sentence(self.language)})
        except Exception:  # a bug in the kit; its message might name cards
            log.exception("the match could not be kept")

    def _note(self) -> None:
        """Note the length of a match that has just arrived at the table."""
        view = self._table.view
        if view["match"] != self._match:
            record = self._record()
            self._match, self._begin = (
                view["match"],
                len(record.log) if record and view["kept"] else 0,
            )

    def _record(self) -> Record | None:
        """Return the record of the match on the table, ``None`` while it would reveal a hand."""
        try:
            return self._table.record
        except StaleError:  # several people play
            return None

    def _keep(self, played_here: bool = False) -> bool:
        """Save the match in the journal, if a person has decided something since it arrived at the
        table.

        :param played_here: whether it is known that they did before.
        """
        record, people = self._record(), self._table.people
        if record is None or not people:
            return False
        now = (self._match, len(record.log))
        since = 0 if played_here else self._begin
        if now == self._saved or not any(
            seat in (TABLE, *people) for seat, _ in record.log[since:]
        ):
            return False
        over = self._table.match.over
        self._journal.keep_match(self._match, record.game, record.dumps(), over, people)
        self._saved = now
        return True

    # What the cell says

    def _line(self) -> str:
        """Return which text says whether the matches of those who play now are kept."""
        if not self._agreed:
            return "off"
        people = len(self._table.people)
        return "several" if people > 1 else "on" if people else "programs"

    def tell(self, notice: str = "", asked: bool = True) -> None:
        """Tell the browser how many matches are kept, and whether more will be.

        :param asked: whether a reader has asked this cell; other cells may not be on any page.
        :raises JournalError: if the journal cannot be read.
        """
        whole = self._journal.whole()
        self._agreed, matches = whole.agreed.get(self._table.game), whole.matches
        ids = {each.id for each in matches}
        if asked and (aside := self._journal.take_aside()):
            notice = text("reflect.damaged", self.language, name=aside)
        elif self._match in ids and self._ids - ids:
            notice = notice or text(f"{TEXTS}dropped", self.language)
        self._ids = ids
        here = sum(each.game == self._table.game for each in matches)
        self._told = self._line()
        counted = {
            "all": len(matches),
            "here": here,
            "most": MOST_MATCHES,
            "size": RECORDS // 1_000_000,
        }
        games = matches_by_game(matches, self.language)
        self.send(
            {
                "type": "state",
                "agreed": self._agreed,
                "line": text(f"{TEXTS}{self._told}", self.language),
                "count": text(f"{TEXTS}{'count' if matches else 'none'}", self.language, **counted),
                "sure": text(f"{TEXTS}sure", self.language, games=games) if matches else "",
                "notice": notice,
            }
        )


def tell_all(journal: Journal, but: KeepMatches | None = None) -> None:
    """Let every cell of this kind except *but* report the state of *journal*."""
    for cell in KeepMatches._open:
        if cell is not but and cell._journal.path == journal.path:
            cell.tell(asked=False)


def keep_matches(table: "Table", language: str = LANGUAGES[0]) -> KeepMatches:
    """Return the cell below *table* that asks for consent to keep its matches in the journal."""
    return KeepMatches(table, language)
