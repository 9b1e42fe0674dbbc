"""Cells of the kit without a browser: what stands in for their page, and for people at a table."""

import logging
from collections.abc import Sequence
from typing import Any

import anywidget

from coursekit.table import Table
from coursekit.testing.scene_checks import touchable


class Errors(logging.Handler):
    """Keeps the errors of what hears a message: a widget only logs them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self.found.append(record.exc_info[1])


def send(cell: anywidget.AnyWidget, content: object, buffers: Sequence[bytes] = ()) -> None:
    """Let *cell* hear *content*, as its page sends it.

    :raises Exception: what the cell lets through.
    """
    errors = Errors()
    cell.log.addHandler(errors)
    data = {"method": "custom", "content": content}
    cell.comm.handle_msg({"content": {"data": data}, "buffers": list(buffers)})
    cell.log.removeHandler(errors)
    for error in errors.found:
        raise error


class Browser:
    """Stands in for the page of *cell*: sends it messages and keeps what comes back."""

    def __init__(self, cell: anywidget.AnyWidget) -> None:
        self.cell = cell
        self.got: list[dict[str, Any]] = []
        cell.send = self.got.append  # type: ignore[method-assign]

    def say(self, *buffers: bytes, **content: Any) -> dict[str, Any]:
        """Return the last message that came back when the page said this."""
        send(self.cell, content, buffers)
        return self.got[-1]


def here(table: Table) -> dict[str, Any]:
    """Return what a page says of the match that it shows."""
    return {name: table.view[name] for name in ("match", "branch", "acted")}


def act(table: Table, times: int = 1) -> None:
    """Let the people at the table do the first thing they may."""
    for _ in range(times):
        for covered in table.view["covered"][:1]:
            send(table, {"type": "uncover", "seat": covered["seat"], **here(table)})
        scene = table.view["scenes"][-1]
        if scene["over"]:
            return
        first = next(thing for thing in touchable(scene) if thing["legal"])
        seat = first.get("seat", table.view["viewer"])
        send(table, {"type": "act", "action": first["action"], "seat": seat, **here(table)})
