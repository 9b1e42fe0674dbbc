"""The cell below a table that asks for consent to keep its matches in the journal."""

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

import traitlets

from coursekit.cells.message_widget import MessageWidget
from coursekit.cells.static_bundle import wrap_in_layer
from coursekit.core.game import TABLE
from coursekit.core.match import Record
from coursekit.core.page_messages import Messages
from coursekit.journal.entries import MOST_MATCHES, RECORDS
from coursekit.journal.journal import Journal, JournalError
from coursekit.reflect.journal_export import matches_by_game
from coursekit.reflect.static_files import one_file
from coursekit.table.run import StaleError
from coursekit.table.widget import Question
from coursekit.words.language import current_language
from coursekit.words.texts import pick_texts, text

if TYPE_CHECKING:
    from coursekit.table import Table

TEXTS = "journal.keep."
WORDS = (
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
askers: "WeakSet[Any]" = WeakSet()
"""Cells that ask the same again; ``tell_change`` is called when there is something to ask."""
log = logging.getLogger(__name__)


class KeepMatches(MessageWidget):
    """Asks once a game whether its matches may be kept, keeps those of *table*, and deletes them.

    The table asks when a match has ended; until it is answered the match stays where the table
    keeps it, and no answer is never a yes.

    A running match is kept as soon as a person has decided something in it. With several people at
    the screen it is kept when it is over, since its record reveals every hand. The browser gets
    only numbers.

    :param journal: the journal to keep matches in, by default ``Journal()``.
    :raises ValueError: for an unknown language.
    """

    messages = Messages()
    _esm = one_file("consent", "js")
    _css = wrap_in_layer(one_file("consent", "css"))
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    _cells: ClassVar["WeakSet[KeepMatches]"] = WeakSet()

    def __init__(
        self, table: "Table", language: str | None = None, journal: Journal | None = None
    ) -> None:
        language = language or current_language()
        self._journal = journal or Journal()
        self._table = table
        self._match: str = table.view["match"]
        self._arrived_with = 0  # actions of the match when it arrived, not played here
        self._saved: tuple[str, int] | None = None  # the match kept last, and its actions
        self._ids: set[str] = set()  # the matches of the journal at the last look
        self._was_unanswered = False
        self._line_shown = ""  # the line that the browser shows
        self._agreed: bool | None = None
        with suppress(JournalError):
            self._agreed = self._journal.agreed(table.game)
        super().__init__(language=language, words=pick_texts(TEXTS, WORDS, language))
        self._cells.add(self)
        table.observe(self._follow, "view")

    # Messages

    @messages.handle(kind="open")
    def open_consent(self) -> None:
        """Show how many matches are kept."""
        self.show()

    @messages.handle()
    def agree(self, yes: bool) -> None:
        """Keep matches from now on, or not."""
        self._journal.agree(self._table.game, yes)
        self._agreed = yes
        self._ask()
        if yes:  # a finished one that was found again can be kept, too
            self._keep(self._table.resumed)
        self.show()
        tell_all(self._journal, self)

    @messages.handle()
    def forget(self) -> None:
        """Delete all matches."""
        count = len(self._journal.matches())
        self._journal.forget_matches()
        self._ids.clear()
        tell_all(self._journal, self)
        self.show(text(f"{TEXTS}forgotten", self.language, count=count))

    # What happens at the table

    def _follow(self, _change: Any) -> None:
        """Keep the match as it is now, and say so if other people play.

        An error here never stops the table.
        """
        try:
            self._note_arrival()
            self._ask()
            if self.is_unanswered != self._was_unanswered:
                self._was_unanswered = not self._was_unanswered
                for cell in askers:
                    cell.tell_change()
            if self._agreed and self._keep():
                tell_all(self._journal)
            elif self._line_shown and self._line() != self._line_shown:
                self.show(asked=False)
        except JournalError as error:
            self.send(self.refusal(error))
        except Exception:  # a bug in the kit; its message might name cards
            log.exception("the match could not be kept")

    @property
    def _asks(self) -> bool:
        """Whether a match has ended that people have played, and nobody has answered yet."""
        return self.is_unanswered and self._table.match.over

    def _ask(self) -> None:
        """Have the table ask what is asked now, or nothing."""
        if not self._asks:
            self._table.ask(None)
            return
        words = pick_texts(TEXTS, ("ask", "yes", "no"), self._table.language)
        choices = {True: words["yes"], False: words["no"]}
        self._table.ask(Question(words["ask"], choices, self.answer))

    def answer(self, yes: bool) -> None:
        """Hear what the players at the table answer.

        :raises JournalError: if it cannot be written down.
        """
        self.agree(yes)

    def _note_arrival(self) -> None:
        """Note the length of a match that has just arrived at the table."""
        view = self._table.view
        if view["match"] != self._match:
            record = self._record()
            self._match = view["match"]
            self._arrived_with = len(record.log) if record and view["kept"] else 0

    def _record(self) -> Record | None:
        """Return the record of the match on the table, ``None`` while it would reveal a hand."""
        try:
            return self._table.record
        except StaleError:  # several people play
            return None

    def _keep(self, played_here: bool = False) -> bool:
        """Save the match, if a person has decided something since it arrived at the table.

        :param played_here: whether it is known that they did before.
        """
        record, people = self._record(), self._table.people
        if record is None or not people:
            return False
        now = (self._match, len(record.log))
        if now == self._saved or not self._has_played(record, played_here):
            return False
        over = self._table.match.over
        self._journal.keep_match(self._match, record.game, record.dumps(), over, people)
        self._saved = now
        return True

    def _has_played(self, record: Record, played_here: bool) -> bool:
        """Return whether a person has decided something since the match arrived at the table."""
        since = 0 if played_here else self._arrived_with
        people = self._table.people
        return bool(people) and any(seat in (TABLE, *people) for seat, _ in record.log[since:])

    @property
    def is_unanswered(self) -> bool:
        """Whether people have played a match that can be kept, and have not said if it may be."""
        record = self._record() if self._agreed is None else None
        return record is not None and self._has_played(record, self._table.resumed)

    # What the cell says

    def _line(self) -> str:
        """Return which text says whether the matches of those who play now are kept."""
        if self._agreed is None and not self._asks:
            return "later"
        if not self._agreed:
            return "off"
        people = len(self._table.people)
        if people > 1:
            return "several"
        return "on" if people else "programs"

    def show(self, notice: str = "", asked: bool = True) -> None:
        """Tell the browser how many matches are kept, and whether more will be.

        :param asked: whether a reader has asked this cell; other cells may not be on any page.
        :raises JournalError: if the journal cannot be read.
        """
        whole = self._journal.whole()
        matches = whole.matches
        self._agreed = whole.agreed.get(self._table.game)
        self._ask()
        ids = {match.match_id for match in matches}
        if asked and (aside := self._journal.take_aside()):
            notice = text("reflect.damaged", self.language, name=aside)
        elif self._match in ids and self._ids - ids:
            notice = notice or text(f"{TEXTS}dropped", self.language)
        self._ids = ids
        self._line_shown = self._line()
        counts = {
            "all": len(matches),
            "here": sum(match.game == self._table.game for match in matches),
            "most": MOST_MATCHES,
            "size": RECORDS // 1_000_000,
        }
        games = matches_by_game(matches, self.language)
        count = text(f"{TEXTS}{'count' if matches else 'none'}", self.language, **counts)
        self.send(
            {
                "type": "state",
                "agreed": self._agreed,
                "asks": self._asks,
                "line": text(f"{TEXTS}{self._line_shown}", self.language),
                "count": count,
                "sure": text(f"{TEXTS}sure", self.language, games=games) if matches else "",
                "notice": notice,
            }
        )


def unanswered(journal: Journal, game: str) -> KeepMatches | None:
    """Return the cell at which it is still to be said whether a match of *game* may be kept.

    :param game: ``""`` for any.
    """
    for cell in KeepMatches._cells:
        is_same = cell._journal.path == journal.path and game in ("", cell._table.game)
        if is_same and cell.is_unanswered:
            return cell
    return None


def tell_all(journal: Journal, but: KeepMatches | None = None) -> None:
    """Let every cell of this kind except *but* report the state of *journal*."""
    for cell in KeepMatches._cells:
        if cell is not but and cell._journal.path == journal.path:
            cell.show(asked=False)


def keep_matches(table: "Table", language: str | None = None) -> KeepMatches:
    """Return the cell below *table* that asks for consent to keep its matches in the journal."""
    language = language or current_language()
    return KeepMatches(table, language)
