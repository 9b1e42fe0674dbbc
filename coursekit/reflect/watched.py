"""What a cell may look at of the match on a table, and when that has moved on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from coursekit.kit.moment import Played, Source
from coursekit.table.run import Stale

if TYPE_CHECKING:
    from coursekit.table import Table

NOT_PLAYED, PRIVATE, PROGRAMS = "not_played", "private", "programs"
"""Why there is nothing to look at: nobody has done anything yet; several people still play; computer players do."""


class Unseen(Exception):
    """There is nothing that a cell may look at, for the reason given."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class OnTable:
    """The match on *table*, for a cell beside it.

    :param moved: is called once when the match has moved on since it was last looked at.
    """

    def __init__(self, table: "Table", moved: Callable[[], None]) -> None:
        self._table, self._moved = table, moved
        self._looked_at: tuple[Any, ...] | None = None
        table.observe(self._check, "view")

    def look(self) -> Played:
        """Return the match as it is now.

        :raises Unseen: if nobody has done anything in it, or several people still play it.
        """
        self._looked_at = self._now()
        if not self._table.view["kept"]:
            raise Unseen(NOT_PLAYED)
        try:
            return Played(self._table.match, self._table.people)
        except Stale:
            raise Unseen(PRIVATE) from None

    def tell(self) -> Played:
        """Return the match as it may be told before a class: as :meth:`look`, or a finished one of computer players.

        Of a match that is over those count who are known to have decided something in it, wherever that was; of
        one that runs those at the table, so that nothing is told of what others hold.

        :raises Unseen: as :meth:`look`, or if computer players among themselves have not finished.
        """
        if self._table.people:
            match, people = self.look()
            return Played(match, match.people if match.over else people)
        self._looked_at = self._now()
        if not (match := self._table.match).over:
            raise Unseen(PROGRAMS if match.log else NOT_PLAYED)
        return Played(match, match.people)

    def _now(self) -> tuple[Any, ...]:
        """Return what tells one moment of the table from another: in a race its view does not say how long it is."""
        try:
            decided = len(self._table.match.log)
        except Stale:
            decided = 0
        return (*(self._table.view[part] for part in ("match", "branch", "kept")), decided)

    def _check(self, _change: Any) -> None:
        if self._looked_at is not None and self._looked_at != self._now():
            self._looked_at = None
            self._moved()


def sent(part: Any) -> dict[str, str]:
    """Return a sentence or a picture as the browser gets it."""
    if hasattr(part, "_repr_html_"):
        return {"html": part._repr_html_()}
    return {"source" if isinstance(part, Source) else "text": part}
