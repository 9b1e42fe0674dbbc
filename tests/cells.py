"""Cells of the kit without a browser: what stands in for their page, and for people at a table."""

from typing import Any

import anywidget

from coursekit.table import Table
from coursekit.testing.scenes import touchable


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

    def say(**content: Any) -> None:
        table.hear({key: table.view[key] for key in ("match", "branch", "acted")} | content)

    for _ in range(times):
        for each in table.view["covered"][:1]:
            say(type="uncover", seat=each["seat"])
        scene = table.view["scenes"][-1]
        if scene["over"]:
            return
        first = next(thing for thing in touchable(scene) if thing["legal"])
        say(type="act", seat=first.get("seat", table.view["viewer"]), action=first["action"])
