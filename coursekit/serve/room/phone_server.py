"""The second door: what phones on the school's network reach, and nothing else.

Its handlers are the only ones it has. It gives out one page, a fixed list of files, and the
WebSocket of the room.
"""

from typing import Any
from urllib.parse import urlsplit

from tornado import web, websocket

from coursekit.room.page import Page
from coursekit.room.phone_messages import LARGEST, RoomError
from coursekit.serve import pages
from coursekit.serve.room.connection import Connection
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.page_files import page_files
from coursekit.words import texts

WORDS = "phone."
"""Beginning of the texts that a phone has."""


class RoomHandler(web.RequestHandler):
    """Anything behind the second door."""

    host: RoomHost

    def initialize(self, host: RoomHost) -> None:
        """See :func:`application`."""
        self.host = host

    def set_default_headers(self) -> None:
        """Let a browser load nothing from elsewhere, and tell no other page where it was."""
        self.set_header("Server", "coursekit")
        self.set_header("Content-Security-Policy", policy(self.request.host))
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")

    def prepare(self) -> None:
        """Refuse names under which the room is not known: no other page can speak through a name of
        its own.
        """
        if "Upgrade" not in self.request.headers:
            # A browser keeps six connections: with forty phones, more than some systems let a
            # program open.
            self.set_header("Connection", "close")
        if not is_known(self.host, self.request.host):
            raise web.HTTPError(421)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with the number alone."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(str(status_code))


def policy(host: str) -> str:
    """Return what the pages may load."""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def is_known(host: RoomHost, name: str) -> bool:
    """Return whether *name* is what the room is called: its address and port, or the public one."""
    return name in (f"{host.address}:{host.port}", urlsplit(host.url).netloc)


class PhonePage(RoomHandler):
    """The page of all phones."""

    def get(self, code: str = "") -> None:
        """Show it; the code of the room may stand in the address."""
        language = _language(self.request.headers.get("Accept-Language", ""))
        known = {
            id.removeprefix(WORDS): said
            for id, said in texts.load_texts().items()
            if id.startswith(WORDS)
        }
        words = {each: {id: said[each] for id, said in known.items()} for each in texts.LANGUAGES}
        named = {each: pages.native(each) for each in texts.LANGUAGES}
        told = {
            "words": words,
            "largest": LARGEST,
            "language": language,
            "languages": named,
            "tags": {name: part.tag.strip('"') for name, part in page_files().items()},
        }
        self.set_header("Cache-Control", "no-store")
        page = pages.templates().get_template("phone.html.j2")
        self.finish(page.render(told=told, language=language, say=lambda id: words[language][id]))


def _language(accepted: str) -> str:
    """Return the language of the kit that a browser asks for first.

    >>> _language("zh-CN,zh;q=0.9,en;q=0.8"), _language("de-DE,en;q=0.5"), _language("")
    ('zh-Hans', 'en', 'zh-Hant')
    """
    for each in accepted.split(","):
        name = each.split(";")[0].strip().lower()
        if name.startswith("zh"):
            return "zh-Hans" if any(part in name for part in ("cn", "sg", "hans")) else "zh-Hant"
        if name.startswith("en"):
            return "en"
    return texts.LANGUAGES[0]


class Parts(RoomHandler):
    """The files of the page."""

    def get(self, name: str) -> None:
        """Give out one of :func:`.page_files`, from the browser's own memory if that is the same."""
        part = page_files().get(name)
        if part is None:
            raise web.HTTPError(404)
        self.set_header("ETag", part.tag)
        self.set_header(
            "Cache-Control",
            "public, max-age=31536000, immutable"
            if self.get_query_argument("v", "")
            else "no-cache",
        )
        self.set_header("Vary", "Accept-Encoding")
        if self.request.headers.get("If-None-Match") == part.tag:
            self.set_status(304)
            return
        self.set_header("Content-Type", part.kind)
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(part.packed)
        else:
            self.finish(part.content)

    def compute_etag(self) -> None:
        """Use the digest of the whole file instead."""


class Rules(RoomHandler):
    """The rules of a game."""

    def get(self, game: str, language: str) -> None:
        """Show them as a part of the page."""
        rules = self.host.rules(game, language)
        if not rules:
            raise web.HTTPError(404)
        self.finish(rules)


class Health(RoomHandler):
    """Whether the room answers, for a proxy in front of it."""

    def get(self) -> None:
        """Say so."""
        self.finish("ok")


class Missing(RoomHandler):
    """All other addresses."""

    def prepare(self) -> None:
        """There is nothing else here."""
        raise web.HTTPError(404)


class RoomSocket(RoomHandler, websocket.WebSocketHandler):
    """The connection of one phone."""

    connection: Connection | None = None

    def check_origin(self, origin: str) -> bool:
        """Return whether the page that asks is the room's own."""
        return urlsplit(origin).netloc == self.request.host

    def get_compression_options(self) -> dict[str, Any]:
        """Have messages compressed: what one has in common with the one before costs nothing."""
        return {"compression_level": 6, "mem_level": 6}

    def open(self, *_: str, **__: str) -> None:
        """Let the page in."""
        self.set_nodelay(True)
        page = Page("phone", _language(self.request.headers.get("Accept-Language", "")))
        try:
            self.connection = self.host.connect(page, self.write_message, self.close)
        except RoomError as error:
            self.write_message(
                {"type": "refused", "n": None, "text": error.sentence(page.language)}
            )
            self.close()

    def on_message(self, message: str | bytes) -> None:
        """Hand over what the phone sends."""
        if self.connection is not None:
            self.host.receive(self.connection, message)

    def on_close(self) -> None:
        """Forget the page."""
        if self.connection is not None:
            self.host.leave(self.connection)
            self.connection = None  # it holds this handler


def application(host: RoomHost) -> web.Application:
    """Return all that the second door gives out."""
    known_by = {"host": host}
    return web.Application(
        [
            (r"/([A-Za-z]{4})?", PhonePage, known_by),
            (r"/parts/([\w.-]+)", Parts, known_by),
            (rf"/rules/(\w+)/({'|'.join(texts.LANGUAGES)})", Rules, known_by),
            (r"/socket", RoomSocket, known_by),
            (r"/health", Health, known_by),
            (r"/.*", Missing, known_by),
        ],
        log_function=lambda _: None,
        websocket_max_message_size=LARGEST,
        default_handler_class=Missing,
        default_handler_args=known_by,
    )
