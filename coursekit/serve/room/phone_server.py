"""The server of phones: what the school's network reaches of a room, and nothing else.

Its handlers are the only ones it has. It gives out one page, a fixed list of files, and the
WebSocket of the room.
"""

import asyncio
import re
from typing import Any
from urllib.parse import urlsplit

from tornado import web

from coursekit.core.page_messages import MessageError
from coursekit.room.limits import LARGEST
from coursekit.room.page import Page
from coursekit.serve import pages
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.page_files import LASTING, file_tags, find_file
from coursekit.serve.room.page_socket import PageSocket
from coursekit.serve.room.waiting_cards import has_cards, pack_cards
from coursekit.words import texts

WORDS = "phone."
"""Beginning of the texts that a phone has."""


class RoomHandler(web.RequestHandler):
    """Anything behind the second door."""

    host: RoomHost

    def initialize(self, host: RoomHost) -> None:
        """See :func:`phone_application`."""
        self.host = host

    def set_default_headers(self) -> None:
        """Let a browser load nothing from elsewhere, and tell no other page where it was."""
        self.set_header("Server", "coursekit")
        self.set_header("Content-Security-Policy", policy(self.request.host))
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")

    def prepare(self) -> None:
        """Refuse other names than the room's own, or another page could speak through its name."""
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
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data:; connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


def is_known(host: RoomHost, name: str) -> bool:
    """Return whether *name* is the room's own: its address and port, or the public one."""
    return name in (f"{host.address}:{host.port}", urlsplit(host.url).netloc)


class PhonePage(RoomHandler):
    """The page of all phones."""

    def get(self, code: str = "") -> None:
        """Show it; the code of the room may stand in the address."""
        self.set_header("Cache-Control", "no-store")
        self.finish(phone_html(_language(self.request.headers.get("Accept-Language", ""))))


def phone_html(language: str) -> str:
    """Return the page of a phone that begins in *language*."""
    words = {each: _phone_words(each) for each in texts.LANGUAGES}
    data = {
        "words": words,
        "largest": LARGEST,
        "language": language,
        "languages": {each: pages.native(each) for each in texts.LANGUAGES},
        "tags": file_tags(),
    }
    page = pages.templates().get_template("phone.html.j2")
    say = words[language].__getitem__
    trouble = pages.trouble_words(language)
    return page.render(told=data, language=language, say=say, words=trouble)


def _phone_words(language: str) -> dict[str, str]:
    """Return the texts of a phone by their names."""
    return {
        text_id.removeprefix(WORDS): sentences[language]
        for text_id, sentences in texts.load_texts().items()
        if text_id.startswith(WORDS)
    }


def _language(accepted: str) -> str:
    """Return the language of the kit that a browser asks for first.

    >>> _language("zh-CN,zh;q=0.9,en;q=0.8"), _language("de-DE,en;q=0.5"), _language("")
    ('zh-Hans', 'en', 'zh-Hant')
    """
    for part in accepted.split(","):
        name = part.split(";")[0].strip().lower()
        if name.startswith("zh"):
            return "zh-Hans" if re.search("cn|sg|hans", name) else "zh-Hant"
        if name.startswith("en"):
            return "en"
    return texts.LANGUAGES[0]


class PhoneFiles(RoomHandler):
    """The files of the page."""

    def get(self, name: str) -> None:
        """Give out one of :func:`.file_tags`, unless the browser has it."""
        file = find_file(name)
        if file is None:
            raise web.HTTPError(404)
        has_digest = self.get_query_argument("v", "")  # another file has another address
        self.set_header("Cache-Control", LASTING if has_digest else "no-cache")
        self.set_header("ETag", f'"{file.tag}"')
        self.set_header("Vary", "Accept-Encoding")
        self.set_header("Content-Type", file.kind)
        if self.check_etag_header():
            self.set_status(304)
            return
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(file.packed)
        else:
            self.finish(file.content)

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


class WaitingCards(RoomHandler):
    """What a phone shows before the deal."""

    async def get(self, game: str, language: str) -> None:
        """Give out the cards of a game; those who ask first wait until they are made."""
        if not has_cards(game):
            raise web.HTTPError(404)
        made: dict[tuple[str, str], asyncio.Task[bytes]] = self.settings["waiting_cards"]
        key = (game, language)
        if key not in made:
            made[key] = asyncio.create_task(asyncio.to_thread(pack_cards, game, language))
        self.set_header("Content-Type", "application/json")
        self.set_header("Content-Encoding", "gzip")
        self.finish(await made[key])


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


class RoomSocket(RoomHandler, PageSocket):
    """The connection of one phone."""

    def open(self, *_: str, **__: str) -> None:
        """Let the page in."""
        self.set_nodelay(True)
        page = Page("phone", _language(self.request.headers.get("Accept-Language", "")))
        try:
            self.let_in(page)
        except MessageError as error:
            page.refuse(error)
            self.write_message(page.out[0])
            self.close()

    def on_message(self, message: str | bytes) -> None:
        """Hand over what the phone sends."""
        if self.connection is not None:
            self.host.receive(self.connection, message)


def phone_application(host: RoomHost) -> web.Application:
    """Return all that the second door gives out."""
    arguments = {"host": host}
    return web.Application(
        [
            (r"/([A-Za-z]{4})?", PhonePage, arguments),
            (r"/parts/([\w.-]+)", PhoneFiles, arguments),
            (rf"/rules/(\w+)/({'|'.join(texts.LANGUAGES)})", Rules, arguments),
            (
                rf"/waiting/(\w+)/({'|'.join(texts.LANGUAGES)})",
                WaitingCards,
                arguments,
            ),
            (r"/socket", RoomSocket, arguments),
            (r"/health", Health, arguments),
            (r"/.*", Missing, arguments),
        ],
        log_function=lambda _: None,
        websocket_max_message_size=LARGEST,
        waiting_cards={},  # made once for all phones
        default_handler_class=Missing,
        default_handler_args=arguments,
    )
