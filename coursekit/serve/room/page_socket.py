"""The WebSocket of one page of a room, whichever server it speaks to."""

from typing import Any
from urllib.parse import urlsplit

from tornado import websocket

from coursekit.room.page import Page
from coursekit.serve.room.connection import Connection
from coursekit.serve.room.host import RoomHost


class PageSocket(websocket.WebSocketHandler):
    """The connection of one page to the room's host."""

    host: RoomHost
    connection: Connection | None = None

    def check_origin(self, origin: str) -> bool:
        """Return whether the page that asks is the server's own."""
        return urlsplit(origin).netloc == self.request.host

    def get_compression_options(self) -> dict[str, Any]:
        """Have messages compressed: what one has in common with the one before costs nothing."""
        return {"compression_level": 6, "mem_level": 6}

    def let_in(self, page: Page) -> None:
        """Connect *page*.

        :raises MessageError: if there are too many.
        """
        self.connection = self.host.connect(page, self.write_message, self.close)

    def on_close(self) -> None:
        """Forget the page."""
        if self.connection is not None:
            self.host.leave(self.connection)
            self.connection = None  # it holds this handler
