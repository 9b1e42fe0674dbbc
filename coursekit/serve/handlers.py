"""The request handlers of both ``coursekit serve`` and a Jupyter server."""

import asyncio
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from itertools import pairwise
from typing import Any

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.config import get_federated_extensions
from tornado import web
from tornado.httputil import HTTPServerRequest
from tornado.ioloop import IOLoop
from tornado.routing import PathMatches
from voila.tornado.handler import TornadoVoilaHandler
from voila.utils import get_voila_labextensions_path

from coursekit.kit import GAMES
from coursekit.printing import read_options, render_sheets
from coursekit.serve import guides, pages, rendering
from coursekit.serve.kernels import PageKernels, TooManyKernelsError
from coursekit.serve.lesson_steps import LAB, NOTEBOOK_ONLY, mark_steps
from coursekit.serve.notebook_faults import find_fault
from coursekit.serve.notebooks import first_heading, language_of, simplify_notebook
from coursekit.serve.room.page_files import page_files
from coursekit.serve.static_files import Static, impossible
from coursekit.serve.template_paths import TemplateFiles
from coursekit.words import texts

HEARTBEAT = "voila_heartbeat()"  # Voilà writes it while it waits for a slow cell
BEAT = 1  # seconds between two heartbeats
SILENT_BEATS = 60  # maximum heartbeats without a running cell: a kernel has 60 s to start
ELSEWHERE = ("cross-site", "same-site")
"""Values of ``Sec-Fetch-Site`` for links of other sites, and of other servers of this computer."""

TICKET = re.compile(r"[0-9a-f]{16}")
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob: ws: wss:; object-src 'none'; base-uri 'self'"
)
"""Load nothing from elsewhere: a school without internet sees the same page."""
FRAME = "frame-ancestors"

EXTENSIONS = [
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
]
"""What Voilà's front end loads; others would slow a page down."""
VOILA = {
    "template": "lab",  # ours comes before it in `template_paths`
    "allow_template_override": "NO",
    "allow_theme_override": "NO",
    "strip_sources": True,
    "show_tracebacks": False,
    "http_keep_alive_timeout": BEAT,
    "extension_allowlist": EXTENSIONS,
}
"""Voilà's settings: no URL can request another template."""


def configure_front_end(page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Make Voilà's front end use its own MathJax, as it does without another, and our plugin.

    The extensions that our pages need are loaded also if the JupyterLab of this user or computer
    has disabled them: Voilà leaves those out.
    """
    cells = {
        "name": "coursekit",
        "load": "../../../coursekit/static/cells.js",
        "extension": "./extension",
    }
    extensions = [*page_config["federated_extensions"], cells]
    loaded = {extension["name"] for extension in extensions}
    there = get_federated_extensions(get_voila_labextensions_path())
    for name in EXTENSIONS:
        if name in there and name not in loaded:
            extensions.append({"name": name, **there[name]["jupyterlab"]["_build"]})
    return {
        **page_config,
        "disabledExtensions": [],
        "deferredExtensions": [],
        "mathjaxConfig": None,
        "fullMathjaxUrl": None,
        "federated_extensions": extensions,
    }


class PageHandler(JupyterHandler):
    """A page of the kit, whose errors are in its language too."""

    @property
    def site(self) -> pages.Site:
        """The links and notebooks of this server."""
        site: pages.Site = self.settings["coursekit_site"]
        return site

    @property
    def language(self) -> str:
        """The language of this page, from its URL."""
        parts = getattr(self, "path_args", None)  # an unknown method is refused before they are set
        given = str(parts[0] or "") if parts else ""
        return given if given in texts.LANGUAGES else language_of(given, self.site.language)

    @property
    def content_security_policy(self) -> str:
        """See :data:`POLICY`; a hub says itself who may show its pages in a frame."""
        theirs = self.settings.get("headers", {}).get("Content-Security-Policy", "")
        parts = (part.strip() for part in theirs.split(";"))
        frames = next((part for part in parts if part.startswith(FRAME)), f"{FRAME} 'self'")
        return f"{POLICY}; {frames}"

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with a page of one sentence and a link."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        if status_code == HTTPStatus.NOT_FOUND:
            self.finish(pages.message(self.site, self.language, "missing"))
        else:
            self.finish(pages.message(self.site, self.language, "error", self.request.uri or ""))


class WithoutToken:
    """Accepts requests without the token against forged ones.

    JupyterHub wants it of each ``fetch``, beacon and module. What these handlers do or tell is of
    no use to a foreign page; :meth:`APIHandler.prepare` refuses its origin besides.
    """

    def check_xsrf_cookie(self) -> None:
        """Ask for nothing."""


class Missing(PageHandler):
    """All other addresses."""

    async def prepare(self) -> None:  # type: ignore[override]
        """Answer 404, without a login: there is nothing to see."""
        raise web.HTTPError(HTTPStatus.NOT_FOUND)


class Start(PageHandler):
    """The start page."""

    @web.authenticated
    def get(self, language: str | None = None) -> None:
        """Show the games, in *language* or the site's own."""
        self.set_header("Cache-Control", "no-store")
        self.finish(pages.start(self.site, language or self.site.language))


class Data(PageHandler):
    """The page about pupils' data."""

    @web.authenticated
    def get(self, language: str) -> None:
        """Show it in *language*."""
        self.finish(pages.data(self.site, language))


class Guide(PageHandler):
    """A game manual, or a teaching guide."""

    @web.authenticated
    async def get(self, language: str, kind: str, game: str) -> None:
        """Show it in *language*.

        Its pictures may take seconds the first time, while other pages go on.
        """
        if game not in guides.files(kind, language):
            raise web.HTTPError(HTTPStatus.NOT_FOUND)
        self.finish(await asyncio.to_thread(pages.guide, self.site, language, kind, game))


class TablePart(WithoutToken, PageHandler):
    """A file that tables on a page are drawn from."""

    @web.authenticated
    def get(self, name: str) -> None:
        """Give out one of :func:`.page_files`."""
        if (part := page_files().get(name)) is None:
            raise web.HTTPError(HTTPStatus.NOT_FOUND)
        self.set_header("Content-Type", part.kind)
        self.finish(part.content)


class Paper(PageHandler):
    """What lies in a game's box, to be printed."""

    @web.authenticated
    def get(self, language: str, game: str) -> None:
        """Show it in *language*, for the rules that the address asks for."""
        box = GAMES[game].paper if game in GAMES else None
        if box is None:
            raise web.HTTPError(HTTPStatus.NOT_FOUND)
        asked = {name: self.get_query_argument(name) for name in self.request.query_arguments}
        preset = asked.pop("preset", "standard")
        sets = [(shown, f"?{query}") for shown, query in box().sets(language)]
        try:
            rules = read_options(game, [f"{name}={value}" for name, value in asked.items()])
            page = render_sheets(game, language, preset=preset, rules=rules, sets=sets)
        except ValueError as error:
            raise web.HTTPError(HTTPStatus.NOT_FOUND) from error
        self.finish(page)


class OnePageKernels:
    """The kernels for one request, with the one it started."""

    def __init__(self, kernels: PageKernels) -> None:
        self.kernels = kernels
        self.started = ""
        self.gone = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernels, name)

    async def start_kernel(self, **how: Any) -> str:
        """Start a kernel, see :meth:`PageKernels.start_kernel`."""
        self.started = await self.kernels.start_kernel(**how)
        if self.gone:  # the page was closed meanwhile
            await self.kernels.stop(self.started)
            raise web.Finish
        return self.started


class Dashboard(PageHandler, TornadoVoilaHandler):
    """A notebook as a page."""

    def initialize(self, **how: Any) -> None:
        """See Voilà's own; *how* holds its configuration and template paths."""
        super().initialize(**how)
        self.kernels = OnePageKernels(self.settings["coursekit_kernels"])
        self.finished = False
        self.held = False
        self.turn = ExitStack()
        self.prelaunch_hook = None

    @property
    def kernel_manager(self) -> Any:
        """The manager through which Voilà starts the kernel of this page."""
        return self.kernels

    @property
    def contents_manager(self) -> Any:
        """The manager of the notebook and its pictures, which Voilà does not await."""
        return self.settings.get("coursekit_contents") or super().contents_manager

    async def prepare(self) -> None:  # type: ignore[override]
        """Refuse what no notebook can be called."""
        if impossible(self.request.path):
            raise web.HTTPError(HTTPStatus.NOT_FOUND)
        await super().prepare()

    def write_error(self, status_code: int, **more: Any) -> None:
        """Say what is wrong with the notebook, where that is why it does not open."""
        failed = status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.INTERNAL_SERVER_ERROR)
        path = ""
        fault = None
        if failed and self.current_user and getattr(self, "path_args", None):
            path = str(self.path_args[0])
            fault = find_fault(self.site.shelf.root / self.site.source(path))
        if fault is None:
            super().write_error(status_code, **more)
            return
        self.set_header("Content-Type", "text/html; charset=utf-8")
        name, why = path.rpartition("/")[2], fault.describe(self.language)
        again = self.request.uri or ""
        self.finish(pages.message(self.site, self.language, "notebook", again, name=name, why=why))

    def redirect_to_file(self, path: str) -> None:
        """Refuse files that are not notebooks."""
        raise web.HTTPError(HTTPStatus.NOT_FOUND)

    @web.authenticated
    async def get(self, path: str = "") -> None:
        """Run the notebook at *path* and write the page, cell by cell, once it is its turn."""
        ticket = self.get_query_argument("turn", "")
        if not TICKET.fullmatch(ticket):
            ticket = secrets.token_hex(8)
        line = self.kernels.line
        uri = self.request.uri or ""
        if self.site.own_server and self.request.headers.get("Sec-Fetch-Site") in ELSEWHERE:
            self.finish(pages.message(self.site, self.language, "elsewhere", uri, "elsewhere_go"))
        elif not await self.kernels.wait_for_room(line.before(ticket)):
            self._refuse()
        elif ahead := line.ahead(ticket):
            self.set_header("Cache-Control", "no-store")
            self.finish(pages.line(self.site, self.language, ticket, ahead))
        else:
            with self.turn:
                self.turn.enter_context(line.turn(ticket))
                try:
                    await self._write_page(path)
                except TooManyKernelsError:
                    self._refuse()
        self.finished = True

    async def before_lab(self) -> None:
        """End the turn of this page once it shows its lesson; then wait until its lab may run."""
        self.held = True
        try:
            await self.kernels.wait_for_lesson(self.kernels.started)
            self.turn.close()
            await self.kernels.wait_for_lab(self.kernels.started)
        finally:
            self.held = False

    def _refuse(self) -> None:
        self.set_status(HTTPStatus.SERVICE_UNAVAILABLE)
        self.set_header("Retry-After", "30")
        again, limit = self.request.uri or "", self.kernels.limit
        self.finish(pages.message(self.site, self.language, "full", again, limit=limit))

    async def _write_page(self, path: str) -> None:
        silent = 0
        begun = False
        async for html in self.get_generator(path=self.site.source(path)):
            if HEARTBEAT in html:
                waits = self.held or self.kernels.busy(self.kernels.started)
                silent = 0 if waits else silent + 1
                if silent > SILENT_BEATS:
                    break
            else:
                silent, begun = 0, True
            if self.kernels.gone:
                return
            self.kernels.note_sign(self.kernels.started)
            if begun:
                self.write(html)
                self.flush()
        if silent > SILENT_BEATS:  # the page's task has failed; Voilà would wait for it forever
            await self.kernels.stop(self.kernels.started)
            if not begun:
                raise web.HTTPError(HTTPStatus.INTERNAL_SERVER_ERROR)
            self.write("<script>window.coursekit_lost?.()</script></body></html>")

    def on_connection_close(self) -> None:
        """Stop the kernel of a page that was closed before it was complete."""
        self.kernels.gone = True
        if not self.finished and self.kernels.started:
            IOLoop.current().add_callback(self.kernels.stop, self.kernels.started)


def prepare_notebook(handler: Dashboard, notebook: Any, cwd: str) -> None:
    """Add to *notebook* what its frame needs, and remove the cells that make no sense without code.

    Voilà calls this before it runs a cell.  A notebook in simplified Chinese is made here.
    """
    path = str(handler.path_args[0])
    if handler.site.source(path) != path:
        simplify_notebook(notebook)
    notebook.cells = [
        cell for cell in notebook.cells if NOTEBOOK_ONLY not in cell.metadata.get("tags", [])
    ]
    notebook.metadata["coursekit"] = {
        **pages.frame(handler.site, path),
        "heading": first_heading(notebook, path),
        "kernel": lambda: handler.kernels.started,
    }
    mark_steps(notebook)
    for last, first in pairwise(notebook.cells):
        if first.metadata.get("coursekit_step") == LAB:
            last.metadata["coursekit_lesson_ends"] = True
            # nbconvert copies the notebook deeply: a function stays as it is, but a bound method
            # would take the handler along, with its socket.
            first.metadata["coursekit_before"] = lambda: handler.before_lab()
            break


async def before_cell(cell: Any, cell_index: int) -> None:
    """Do what has to be done before *cell* runs."""
    before = cell.metadata.get("coursekit_before")
    if before:
        await before()


class Turn(WithoutToken, APIHandler):
    """What a page asks while it waits for its turn."""

    @web.authenticated
    def get(self, language: str, ticket: str) -> None:
        """Tell how many pages are ahead, and the sentence for it; an empty one for none."""
        ahead = self.settings["coursekit_kernels"].line.ahead(ticket)
        says = texts.text("page.line", language, count=ahead) if ahead else ""
        self.set_header("Cache-Control", "no-store")
        self.finish({"ahead": ahead, "says": says})


class Here(WithoutToken, APIHandler):
    """The sign of a page that it is still there."""

    @web.authenticated
    def get(self, kernel: str) -> None:
        """Answer whether other pages are opening, and whether *kernel* is gone.

        That is no 404: proxies and hubs have their own, for a server that may come back.
        """
        kernels = self.settings["coursekit_kernels"]
        gone = not kernels.note_sign(kernel)
        if not gone and self.get_query_argument("shows", ""):
            kernels.note_lesson(kernel)
        self.set_header("Cache-Control", "no-store")
        self.finish({"gone": gone, "busy": not kernels.line.quiet()})


class Shutdown(WithoutToken, APIHandler):
    """The message of a page that is being closed or reloaded.

    Voilà's own handler refuses the beacon of its own page, so every closed page leaves its kernel
    running. The id is 122 random bits that only the page knows.
    """

    @web.authenticated
    async def post(self, kernel: str) -> None:
        """Stop *kernel* if it is a page's."""
        await self.settings["coursekit_kernels"].stop(kernel, now=False)
        self.set_status(HTTPStatus.NO_CONTENT)
        self.finish()


class KitsMatches(PathMatches):
    """Matches the addresses of what is the kit's; the others are left to Voilà's own handlers.

    :param pattern: of the address, with one group.
    :param is_kits: whether what the group names is the kit's.
    """

    def __init__(self, pattern: str, is_kits: Callable[[str], bool]) -> None:
        super().__init__(pattern)
        self.is_kits = is_kits

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Return the arguments of the handler, ``None`` for what is not the kit's."""
        found = super().match(request)
        if found and not impossible(request.path):
            name = found["path_args"][0].decode()
            return found if self.is_kits(name) else None
        return found


def routes(site: pages.Site, kernels: PageKernels, voila: dict[str, Any]) -> Sequence[Any]:
    """Return the addresses of the site.

    :param voila: keyword arguments for :class:`Dashboard`.
    """
    rendering.install()
    start = site.base + site.start
    languages = "|".join(texts.LANGUAGES)
    render = KitsMatches(url_path_join(site.base, "voila/render/(.*)"), site.shelf.holds)
    shutdown = url_path_join(site.base, r"voila/api/shutdown/([\w-]+)")
    return [
        (rf"{start}?" if site.start else start, Start),
        (rf"{start}({languages})/?", Start),
        (rf"{start}({languages})/data/?", Data),
        (rf"{start}({languages})/print/(\w+)/?", Paper),
        (rf"{start}({languages})/({'|'.join(guides.KINDS)})/(\w+)/?", Guide),
        (url_path_join(site.base, r"coursekit/parts/([\w.-]+)"), TablePart),
        (render, Dashboard, voila),
        (KitsMatches(shutdown, kernels.has_started), Shutdown),
        (url_path_join(site.base, rf"coursekit/line/({languages})/({TICKET.pattern})"), Turn),
        (url_path_join(site.base, r"coursekit/here/([\w-]+)"), Here),
        (url_path_join(site.base, "voila/templates/(.*)"), TemplateFiles),
        (url_path_join(site.base, "coursekit/static/(.*)"), Static, {"path": str(pages.STATIC)}),
    ]
