"""The first door: the teacher's console and the projector's view, on the loopback address behind
the key.
"""

import asyncio
import json
import logging
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tornado import web, websocket

from coursekit.core.errors import LocalizedError
from coursekit.kit import GAMES
from coursekit.reflect import paper_page
from coursekit.room import analysis_requests
from coursekit.room.event_log import EventLogError
from coursekit.room.page import Page, Request
from coursekit.room.phone_messages import RoomError
from coursekit.serve import pages
from coursekit.serve.doctor import examine_computer
from coursekit.serve.room.connection import Connection
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.join_address import addresses, qr
from coursekit.serve.room.page_files import page_files
from coursekit.serve.room.phone_server import application
from coursekit.words import texts

log = logging.getLogger(__name__)
PREFIXES = {"console": ("console.", "phone.step."), "projector": ("projector.", "phone.step.")}
"""Beginnings of the texts that each page has."""
PORTS = range(65_536)
"""Ports of this computer; 0 is any that is free."""
HOST_ORDERS = ("begin", "go_on", "open_room", "close_room", "delete", "league", "stop_league")


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self' ws:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What the teacher's pages may load."""


class TeacherHandler(web.RequestHandler):
    """A page behind the first door, whose key has been asked for: see :func:`.guard`."""

    @property
    def site(self) -> pages.Site:
        """The links of this server."""
        site: pages.Site = self.settings["coursekit_site"]
        return site

    def set_default_headers(self) -> None:
        """Let the browser load nothing from elsewhere, keep no page, and guess at no file's kind."""
        self.set_header("Server", "coursekit")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")

    async def made(self, host: RoomHost, request: Request) -> Any:
        """Return what is made of the lesson by a process of its own.

        :raises tornado.web.HTTPError: if it cannot be had.
        """
        try:
            return await host.made(request)
        except LocalizedError as error:
            log.error("%s", error)
            raise web.HTTPError(503) from error


class ClassPage(TeacherHandler):
    """The console, or the projector's view."""

    def get(self, language: str, role: str) -> None:
        """Show it in *language*."""
        beginnings = PREFIXES[role]
        words = {
            id.removeprefix(f"{role}."): texts.template(texts.THE_KIT, id, language)
            for id in texts.load_texts()
            if id.startswith(beginnings)
        }
        xsrf = self.xsrf_token.decode()
        games = [
            {"name": name, "title": texts.game_text(name, "title", language)}
            for name in GAMES
            if GAMES[name].scene
        ]
        languages = [
            (each, pages.native(each), f"{self.site.base}coursekit/class/{each}/{role}")
            for each in texts.LANGUAGES
        ]
        tags = {name: part.tag.strip('"') for name, part in page_files().items()}
        asked = {
            "words": words,
            "language": language,
            "role": role,
            "games": games,
            "xsrf": xsrf,
            "languages": languages,
            "tags": tags,
        }
        page = pages.templates().get_template("class.html.j2")
        self.finish(
            page.render(
                told=asked, role=role, title=words["title"], **pages.common(self.site, language)
            )
        )


class ClassParts(TeacherHandler):
    """The files of both pages."""

    def get(self, name: str) -> None:
        """Give out one of :func:`.page_files`."""
        part = page_files().get(name)
        if part is None:
            raise web.HTTPError(404)
        self.set_header("Content-Type", part.kind)
        if self.get_query_argument("v", ""):  # its digest: another file has another address
            self.set_header("Cache-Control", "max-age=31536000, immutable")
        self.finish(part.content)


class Debrief(TeacherHandler):
    """The debrief of the class."""

    async def get(self, language: str) -> None:
        """Show what all tables have played, without names."""
        host: RoomHost = self.settings["coursekit_class"]
        if host.room is None or not host.room.lesson.all_over or not host.room.lesson.tables:
            self.finish(pages.message(self.site, language, "no_debrief"))
            return
        page = await self.made(host, analysis_requests.debrief(language))
        self.set_header("Content-Security-Policy", paper_page.POLICY)  # it has its style in it
        self.finish(page)


class Doctor(TeacherHandler):
    """What ``coursekit doctor`` says."""

    async def get(self, language: str) -> None:
        """Look at this computer while the room goes on."""
        host: RoomHost = self.settings["coursekit_class"]
        console = urlsplit(f"//{self.request.host}").port or 80
        room = host.port or host.wanted_port
        held = {console, room} if host.url else {console}
        found = await asyncio.to_thread(examine_computer, (console, room), 0, held)
        self.set_header("Cache-Control", "no-store")
        said = [
            {
                "state": each.state,
                "mark": texts.text(f"doctor.{each.state}", language),
                "words": each.sentence(language),
            }
            for each in found
        ]
        self.finish({"findings": said})


class Standing(TeacherHandler):
    """The standing of the class's league, which renews itself while it is played."""

    def get(self, language: str) -> None:
        """Show it."""
        host: RoomHost = self.settings["coursekit_class"]
        self.set_header("Cache-Control", "no-store")
        if host.contest is None or not host.contest.standing.exists():
            self.finish(pages.message(self.site, language, "missing"))
            return
        self.finish(host.contest.standing.read_text(encoding="utf-8"))


class Numbers(TeacherHandler):
    """The lesson as tables for a spreadsheet."""

    async def get(self, language: str) -> None:
        """Download them, once no table plays; with names if they are asked for."""
        host: RoomHost = self.settings["coursekit_class"]
        if host.room is None or host.ledger is None or not host.room.lesson.all_over:
            self.finish(pages.message(self.site, language, "no_debrief"))
            return
        name = f"{host.ledger.path.stem}.zip"
        numbers = analysis_requests.numbers(
            language, names=bool(self.get_query_argument("names", ""))
        )
        content = await self.made(host, numbers)
        self.set_header("Content-Type", "application/zip")
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.finish(content)


class LessonFile(TeacherHandler):
    """The whole lesson in one file."""

    async def get(self, language: str) -> None:
        """Download it, once no table plays: it holds every hand."""
        host: RoomHost = self.settings["coursekit_class"]
        if host.room is None or host.ledger is None or not host.room.lesson.all_over:
            self.finish(pages.message(self.site, language, "no_debrief"))
            return
        name = host.ledger.path.name
        with tempfile.TemporaryDirectory() as folder:
            goal = Path(folder) / "lesson"
            await host.copied(goal)
            content = goal.read_bytes()
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.finish(content)

    def post(self, language: str) -> None:
        """Take a lesson's file that another computer has written, to go on with or to look at."""
        if urlsplit(self.request.headers.get("Origin", "")).netloc != self.request.host:
            raise web.HTTPError(403)
        host: RoomHost = self.settings["coursekit_class"]
        try:
            host.bring(self.request.body)
        except EventLogError as error:
            self.set_status(400)
            self.finish(_why(error, language))
            return
        host.tell_door()


class TeacherSocket(TeacherHandler, websocket.WebSocketHandler):
    """The connection of a console or a projector."""

    def check_origin(self, origin: str) -> bool:
        """Return whether the page that asks is the server's own."""
        return urlsplit(origin).netloc == self.request.host

    def get_compression_options(self) -> dict[str, Any]:
        """Have messages compressed."""
        return {"compression_level": 6, "mem_level": 6}

    @property
    def host(self) -> RoomHost:
        """The room's host."""
        host: RoomHost = self.settings["coursekit_class"]
        return host

    def open(self, language: str, role: str) -> None:
        """Let the page in, and begin a lesson if there is none."""
        self.page = Page(role, language)  # type: ignore[arg-type]
        self.connection: Connection = self.host.connect(self.page, self.write_message, self.close)
        if self.host.room is None:
            self.host.begin(language=language)
        self.host.tell_door()

    def on_message(self, message: str | bytes) -> None:
        """Carry out what the console asks for; the projector asks for nothing but what it has
        missed.
        """
        try:
            asked = json.loads(message)
            kind = asked["type"]
        except (ValueError, LookupError, TypeError, RecursionError):
            self._refuse(RoomError("room.no_order"))
            return
        if kind == "ping":
            self.connection.put(0, '{"type": "pong"}')
        elif kind == "again":
            self.host.again(self.page)
        elif self.page.role == "console" and kind in HOST_ORDERS:
            try:
                self._at_the_door(asked)
            except LocalizedError as error:
                self._refuse(error)
            except Exception:  # a part is missing or of another kind, or the kit has a mistake
                log.exception("the order %s of a console could not be carried out", kind)
                self._refuse(RoomError("room.no_order"))
            self.host.tell_door()
        elif self.page.role == "console":
            self.host.order(self.page, asked)

    def _refuse(self, error: LocalizedError) -> None:
        self.connection.put(
            0, json.dumps({"type": "refused", "text": _why(error, self.page.language)})
        )

    def _at_the_door(self, asked: dict[str, Any]) -> None:
        """Open or close the room, or change the lesson.

        :raises LocalizedError: if that cannot be done.
        """
        host, kind = self.host, asked["type"]
        if kind == "open_room":
            address, port = str(asked["address"]), asked.get("port") or host.wanted_port
            if address not in addresses():
                raise RoomError(
                    "room.no_address", got=texts.shorten(address), allowed=", ".join(addresses())
                )
            if type(port) is not int or port not in PORTS:
                raise RoomError(
                    "room.port", got=texts.shorten(port), low=PORTS.start, high=PORTS.stop - 1
                )
            try:
                host.open_room(application(host), address, port)
            except OSError:
                raise RoomError("room.port_taken", port=port) from None
        elif kind == "league":
            host.play_league(self.page.language)
        elif kind == "stop_league":
            host.stop_league()
        elif kind == "close_room":
            host.close_room()
        elif kind == "begin":
            host.begin(language=self.page.language)
        elif kind == "delete":
            try:
                host.delete()
            finally:
                host.begin(language=self.page.language)
        elif kind == "go_on":
            found = [each for each in host.unfinished() if each.name == asked["name"]]
            if not found:
                raise RoomError("room.no_lesson")
            host.begin(found[0])

    def on_close(self) -> None:
        """Forget the page."""
        self.host.leave(self.connection)
        del self.connection  # it holds this handler


def _why(error: LocalizedError, language: str) -> str:
    said = error.sentence(language)
    return (
        RoomError("room.no_file", why=said).sentence(language)
        if isinstance(error, EventLogError)
        else said
    )


def door_state(host: RoomHost) -> dict[str, Any]:
    """Return what the teacher's pages are told of the room's door."""
    url = host.url
    code = host.room.lesson.code if host.room is not None else ""
    return {
        "type": "door",
        **host.door(),
        "qr": qr(f"{url}/{code}") if url else "",
        "addresses": addresses(),
        "port": host.port or host.wanted_port,
        "lessons": [each.name for each in host.unfinished()[:5]],
        "file": host.ledger.path.name if host.ledger is not None else "",
        "league": host.contest.told() if host.contest is not None else None,
    }


def routes(site: pages.Site) -> list[Any]:
    """Return the addresses of the first door that belong to a class."""
    languages, base = "|".join(texts.LANGUAGES), f"{site.base}coursekit/class"
    return [
        (rf"{base}/({languages})/(console|projector)", ClassPage),
        (rf"{base}/({languages})/(console|projector)/socket", TeacherSocket),
        (rf"{base}/({languages})/debrief", Debrief),
        (rf"{base}/({languages})/league", Standing),
        (rf"{base}/({languages})/data", Numbers),
        (rf"{base}/({languages})/lesson", LessonFile),
        (rf"{base}/({languages})/doctor", Doctor),
        (rf"{base}/parts/([\w.-]+)", ClassParts),
    ]
