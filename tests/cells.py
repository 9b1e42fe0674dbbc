"""Cells of the kit without a browser: what stands in for their page, and for people at a table."""

from typing import Any

import anywidget

from coursekit.table import Table


class Browser:
    """Stands in for the page of *cell*: sends it messages and keeps what comes back."""

    def __init__(self, cell: anywidget.AnyWidget) -> None:
        self.cell = cell
        self.got: list[dict[str, Any]] = []
        cell.send = self.got.append  # type: ignore[method-assign]

    def say(self, **content: Any) -> dict[str, Any]:
        """Return the last message that came back when the page said this."""
        self.cell._on_message(self.cell, content, [])
        return self.got[-1]


def act(table: Table, times: int = 1) -> None:
    """Let the people at the table do the first thing they may."""
    host = table._host
    for _ in range(times):
        if host.match.over:
            return
        for seat in host.covered[:1]:
            host.uncover(seat)
        seat = host.game.to_act(host.match.state)[0]
        here = {"match": host.id, "branch": host.branch, "acted": host.acted(), "seat": seat}
        legal = host.game.legal_actions(host.match.state, seat)
        assert isinstance(legal, tuple)
        table._on_message(table, {"type": "act", "action": legal[0], **here}, [])
