"""The part of the match on a table that a cell may see, and notice when the match moves on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from coursekit.kit.debrief_moment import Grid, Played, Source
from coursekit.table.run import StaleError

if TYPE_CHECKING:
    from coursekit.table import Table

NOT_PLAYED, PRIVATE, PROGRAMS = "not_played", "private", "programs"
"""Why there is nothing to see: no action yet; several people still play; computer players still
play.
"""


class NothingToShowError(Exception):
    """There is nothing that a cell may show; :attr:`why` is the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class OnTable:
    """The match on *table*, for a cell beside it.

    :param moved: called once when the match has moved on since the last look.
    """

    def __init__(self, table: "Table", moved: Callable[[], None]) -> None:
        self._table, self._moved = table, moved
        self._looked_at: tuple[Any, ...] | None = None
        table.observe(self._check, "view")

    def look(self) -> Played:
        """Return the match as it is now.

        :raises NothingToShowError: if it has no action yet, or several people still play it.
        """
        self._looked_at = self._now()
        if not self._table.view["kept"]:
            raise NothingToShowError(NOT_PLAYED)
        try:
            return Played(self._table.match, self._table.people)
        except StaleError:
            raise NothingToShowError(PRIVATE) from None

    def tell(self) -> Played:
        """Return the match as a class may see it, also a finished one of computer players.

        In a finished match all people count who are known to have decided something, here or
        elsewhere. In a running one only those at the table count, so that the hands of others stay
        hidden.

        :raises NothingToShowError: as :meth:`look`, or if a match of computer players only has not
            finished.
        """
        if self._table.people:
            match, people, *_ = self.look()
            return Played(match, match.people if match.over else people)
        self._looked_at = self._now()
        if not (match := self._table.match).over:
            raise NothingToShowError(PROGRAMS if match.log else NOT_PLAYED)
        return Played(match, match.people)

    def _now(self) -> tuple[Any, ...]:
        """Return a key of the current moment; in a race only the log's length changes."""
        try:
            decided = len(self._table.match.log)
        except StaleError:
            decided = 0
        return (*(self._table.view[part] for part in ("match", "branch", "kept")), decided)

    def _check(self, _change: Any) -> None:
        if self._looked_at is not None and self._looked_at != self._now():
            self._looked_at = None
            self._moved()


def browser_part(part: Any) -> dict[str, Any]:
    """Return a sentence, a table or a picture in the form that the browser gets."""
    if isinstance(part, Grid):
        return {"grid": part._asdict()}
    if hasattr(part, "_repr_html_"):
        return {"html": part._repr_html_()}
    return {"source" if isinstance(part, Source) else "text": part}
