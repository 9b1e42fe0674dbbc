"""What a cell may look at of the match on a table, and when that has moved on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from coursekit.moment import Played, Source
from coursekit.table.host import Stale

if TYPE_CHECKING:
    from coursekit.table import Table

NOT_PLAYED, PRIVATE = "not_played", "private"
"""Why there is nothing to look at: nobody has done anything yet; or several people still play."""


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

    def _now(self) -> tuple[Any, ...]:
        """Return what tells one moment of the table from another."""
        return tuple(self._table.view.get(part) for part in ("match", "branch", "entries", "kept"))

    def _check(self, _change: Any) -> None:
        if self._looked_at is not None and self._looked_at != self._now():
            self._looked_at = None
            self._moved()


def sent(part: Any) -> dict[str, str]:
    """Return a sentence or a picture as the browser gets it."""
    if hasattr(part, "_repr_html_"):
        return {"html": part._repr_html_()}
    return {"source" if isinstance(part, Source) else "text": part}
