"""The server of the teacher's pages, console and projector: on the loopback address, with a key."""

import asyncio
import logging
import tempfile
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from tornado import web

from coursekit.core.errors import LocalizedError
from coursekit.kit import GAMES
from coursekit.reflect import content_security
from coursekit.room import analysis_requests
from coursekit.room.event_log import EventLog, EventLogError
from coursekit.room.lesson import Network
from coursekit.room.page import Page, Request
from coursekit.serve import pages
from coursekit.serve.doctor import examine_computer
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.host_commands import ConsoleCommands, lesson_error
from coursekit.serve.room.join_address import draw_qr, find_addresses, network_words
from coursekit.serve.room.page_files import LASTING, file_tags, find_file, prepare_files
from coursekit.serve.room.page_socket import PageSocket
from coursekit.words import texts

log = logging.getLogger(__name__)
PREFIXES = {"console": ("console.", "phone.step."), "projector": ("projector.", "phone.step.")}
"""Beginnings of the texts that each page has."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' ws:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""What the teacher's pages may load."""


class TeacherHandler(web.RequestHandler):
    """A page behind the first door, whose key has been asked for: see :func:`.guard`."""

    site: pages.Site
    host: RoomHost

    def initialize(self) -> None:
        """Look up the links of this server, and the room's host."""
        self.site = self.settings["coursekit_site"]
        self.host = self.settings["coursekit_class"]

    def set_default_headers(self) -> None:
        """Let the browser load nothing from elsewhere, keep no page, and guess no file's kind."""
        self.set_header("Server", "coursekit")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")

    async def analyse(self, request: Request) -> Any:
        """Return what a process of its own makes of the lesson.

        :raises tornado.web.HTTPError: if it cannot be had.
        """
        try:
            return await self.host.analyse(request)
        except LocalizedError as error:
            log.error("%s", error)
            raise web.HTTPError(503) from error

    def finished_lesson(self, language: str) -> EventLog | None:
        """Return the file of the lesson, once no table plays: it tells every hand.

        Until then the browser gets a page that says so.
        """
        event_log = self.host.event_log
        if self.host.room is None or event_log is None or not self.host.room.lesson.all_over:
            self.finish(pages.message(self.site, language, "no_debrief"))
            return None
        return event_log

    def download(self, name: str, kind: str, content: bytes) -> None:
        """Let the browser keep *content* as a file."""
        self.set_header("Content-Type", kind)
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.finish(content)


class ClassPage(TeacherHandler):
    """The console, or the projector's view."""

    async def get(self, language: str, role: str) -> None:
        """Show it in *language*."""
        await asyncio.to_thread(prepare_files)
        self.finish(teacher_page(self.site, language, role, self.xsrf_token.decode()))


def teacher_page(site: pages.Site, language: str, role: str, xsrf: str) -> str:
    """Return the console, or the projector's view, in *language*, as HTML.

    :param xsrf: the token that the page sends along with what it uploads.
    """
    words = {
        text_id.removeprefix(f"{role}."): texts.template(texts.THE_KIT, text_id, language)
        for text_id in texts.load_texts()
        if text_id.startswith(PREFIXES[role])
    }
    games = [
        {"name": name, "title": texts.game_text(name, "title", language)}
        for name in GAMES
        if GAMES[name].scene
    ]
    languages = [
        (other, pages.native(other), f"{site.base}coursekit/class/{other}/{role}")
        for other in texts.LANGUAGES
    ]
    data = {
        "words": words,
        "language": language,
        "role": role,
        "games": games,
        "xsrf": xsrf,
        "languages": languages,
        "tags": file_tags(),
    }
    page = pages.templates().get_template("class.html.j2")
    values = pages.common(site, language) | {"words": pages.trouble_words(language)}
    return page.render(told=data, role=role, title=words["title"], **values)


class ClassFiles(TeacherHandler):
    """The files of both pages."""

    def get(self, name: str) -> None:
        """Give out one of :func:`.file_tags`."""
        file = find_file(name)
        if file is None:
            raise web.HTTPError(404)
        self.set_header("Content-Type", file.kind)
        if self.get_query_argument("v", ""):  # its digest: another file has another address
            self.set_header("Cache-Control", LASTING)
        self.finish(file.content)


class Debrief(TeacherHandler):
    """The debrief of the class."""

    async def get(self, language: str) -> None:
        """Show what all tables have played, with names as the class knows them."""
        room = self.host.room
        if room is None or not room.lesson.all_over or not room.lesson.tables:
            self.finish(pages.message(self.site, language, "no_debrief"))
            return
        page = await self.analyse(analysis_requests.debrief(language))
        self.set_header(
            "Content-Security-Policy", content_security.POLICY
        )  # it has its style in it
        self.finish(page)


class DebriefSlides(TeacherHandler):
    """The debrief in pieces, which the console chooses and the projector shows."""

    async def get(self, language: str) -> None:
        """Tell them."""
        room = self.host.room
        if room is None or not room.lesson.all_over or not room.lesson.tables:
            raise web.HTTPError(404)
        self.finish({"slides": await self.analyse(analysis_requests.slides(language))})


class Doctor(TeacherHandler):
    """What ``coursekit doctor`` says."""

    async def get(self, language: str) -> None:
        """Look at this computer while the room goes on."""
        console = urlsplit(f"//{self.request.host}").port or 80
        room = self.host.port or self.host.wanted_port
        held = {console, room} if self.host.url else {console}
        findings = await asyncio.to_thread(examine_computer, (console, room), 0, held)
        lines = [
            {
                "state": finding.state,
                "mark": texts.text(f"doctor.{finding.state}", language),
                "words": finding.sentence(language),
            }
            for finding in findings
        ]
        self.finish({"findings": lines})


class Standing(TeacherHandler):
    """The standing of the class's league, which renews itself while it is played."""

    def get(self, language: str) -> None:
        """Show it."""
        league = self.host.league
        if league is None or not league.standing.exists():
            self.finish(pages.message(self.site, language, "missing"))
            return
        self.finish(league.standing.read_text(encoding="utf-8"))


class Numbers(TeacherHandler):
    """The lesson as tables for a spreadsheet."""

    async def get(self, language: str) -> None:
        """Download them; with names if they are asked for."""
        event_log = self.finished_lesson(language)
        if event_log is None:
            return
        names = bool(self.get_query_argument("names", ""))
        content = await self.analyse(analysis_requests.numbers(language, names))
        ending = "-with-names.zip" if names else ".zip"
        self.download(f"{event_log.path.stem}{ending}", "application/zip", content)


class LessonFile(TeacherHandler):
    """The whole lesson in one file."""

    async def get(self, language: str) -> None:
        """Download it."""
        event_log = self.finished_lesson(language)
        if event_log is None:
            return
        with tempfile.TemporaryDirectory() as folder:
            goal = Path(folder) / "lesson"
            await self.host.copy_lesson(goal)
            content = goal.read_bytes()
        self.download(event_log.path.name, "application/octet-stream", content)

    def post(self, language: str) -> None:
        """Take a lesson's file that another computer has written, to go on with or to look at."""
        if urlsplit(self.request.headers.get("Origin", "")).netloc != self.request.host:
            raise web.HTTPError(403)
        try:
            self.host.bring(self.request.body)
        except EventLogError as error:
            self.set_status(400)
            self.finish(lesson_error(error).sentence(language))
            return
        self.host.tell_door()


class TeacherSocket(TeacherHandler, PageSocket):
    """The connection of a console or a projector."""

    def open(self, language: str, role: Literal["console", "projector"]) -> None:
        """Let the page in, and begin a lesson if there is none."""
        self.let_in(Page(role, language))
        if self.host.room is None:
            self.host.begin(language=language)
        self.host.tell_door()

    def on_message(self, message: str | bytes) -> None:
        """Carry out what the page asks for."""
        if self.connection is not None:
            self.host.order(self.connection, message, ConsoleCommands(self.host))


def door_state(host: RoomHost) -> dict[str, Any]:
    """Return the message by which the teacher's pages show the room's door."""
    lesson = host.room.lesson if host.room is not None else None
    code = lesson.code if lesson is not None else ""
    network = lesson.network if lesson is not None else Network()
    return {
        "type": "door",
        **host.door(),
        "qr": draw_qr(f"{host.url}/{code}") if host.url else "",
        "network": network._asdict(),
        "network_qr": draw_qr(network_words(*network)) if network.name else "",
        "addresses": find_addresses(),
        "port": host.port or host.wanted_port,
        "lessons": [path.name for path in host.unfinished()[:5]],
        "file": host.event_log.path.name if host.event_log is not None else "",
        "league": host.league.state() if host.league is not None else None,
    }


def routes(site: pages.Site) -> list[Any]:
    """Return the addresses of the first door that belong to a class."""
    languages, base = "|".join(texts.LANGUAGES), f"{site.base}coursekit/class"
    return [
        (rf"{base}/({languages})/(console|projector)", ClassPage),
        (rf"{base}/({languages})/(console|projector)/socket", TeacherSocket),
        (rf"{base}/({languages})/debrief", Debrief),
        (rf"{base}/({languages})/slides", DebriefSlides),
        (rf"{base}/({languages})/league", Standing),
        (rf"{base}/({languages})/data", Numbers),
        (rf"{base}/({languages})/lesson", LessonFile),
        (rf"{base}/({languages})/doctor", Doctor),
        (rf"{base}/parts/([\w.-]+)", ClassFiles),
    ]
