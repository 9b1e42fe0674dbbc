"""The request handlers of both ``coursekit serve`` and a Jupyter server."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from tornado import web
from tornado.ioloop import IOLoop
from voila.tornado.handler import TornadoVoilaHandler

from coursekit.serve import pages
from coursekit.serve.kernels import PageKernels, TooManyKernels
from coursekit.serve.shelf import heading, language_of, simplify
from coursekit.words import texts

HEARTBEAT = "voila_heartbeat()"  # Voilà writes it every 10 s while it waits for a slow cell
SILENT_BEATS = 6  # maximum heartbeats without a running cell: a kernel has 60 s to start

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob: ws: wss:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"
)
"""Load nothing from elsewhere: a school without internet sees the same page."""

NOTEBOOK_ONLY = "notebook-only"
"""Tag of cells that a page without code neither shows nor runs."""

VOILA = {
    "template": "lab",  # ours comes before it in `template_paths`
    "allow_template_override": "NO",
    "allow_theme_override": "NO",
    "strip_sources": True,
    "show_tracebacks": False,
    "extension_allowlist": [
        "@voila-dashboards/widgets-manager8",
        "@jupyter-widgets/jupyterlab-manager",
        "anywidget",
    ],
}
"""Voilà's settings: no URL can request another template, no other extension slows a page down."""


def without_mathjax_elsewhere(page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Make Voilà's front end use its own MathJax, which it does when it knows no other."""
    return {**page_config, "mathjaxConfig": None, "fullMathjaxUrl": None}


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
        given = str(self.path_args[0] or "") if self.path_args else ""
        return given if given in texts.LANGUAGES else language_of(given, self.site.language)

    @property
    def content_security_policy(self) -> str:
        """See :data:`POLICY`."""
        return POLICY

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with a page of one sentence and a link."""
        about = "missing" if status_code == HTTPStatus.NOT_FOUND else "error"
        again = "" if about == "missing" else self.request.uri or ""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(pages.message(self.site, self.language, about, again))


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


class OnePageKernels:
    """The kernels for one request, with the one it started."""

    def __init__(self, kernels: PageKernels) -> None:
        self.kernels, self.started, self.gone = kernels, "", False

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
        self.prelaunch_hook = None

    @property
    def kernel_manager(self) -> Any:
        """The manager through which Voilà starts the kernel of this page."""
        return self.kernels

    @property
    def contents_manager(self) -> Any:
        """The manager of the notebook and its pictures; a synchronous one, since Voilà does not await pictures."""
        return self.settings.get("coursekit_contents") or super().contents_manager

    def redirect_to_file(self, path: str) -> None:
        """Refuse files that are not notebooks."""
        raise web.HTTPError(HTTPStatus.NOT_FOUND)

    @web.authenticated
    async def get(self, path: str = "") -> None:
        """Run the notebook at *path* and write the page, cell by cell."""
        try:
            await self._write_page(path)
        except TooManyKernels:
            self.set_status(HTTPStatus.SERVICE_UNAVAILABLE)
            self.set_header("Retry-After", "30")
            uri, limit = self.request.uri or "", self.kernels.limit
            self.finish(pages.message(self.site, self.language, "full", again=uri, limit=limit))
        self.finished = True

    async def _write_page(self, path: str) -> None:
        silent, begun = 0, False
        async for html in self.get_generator(path=self.site.source(path)):
            if HEARTBEAT in html:
                silent = 0 if self.kernels.busy(self.kernels.started) else silent + 1
                if silent > SILENT_BEATS:
                    break
            else:
                silent, begun = 0, True
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
        simplify(notebook)
    notebook.cells = [cell for cell in notebook.cells if NOTEBOOK_ONLY not in cell.metadata.get("tags", [])]
    notebook.metadata["coursekit"] = {**pages.frame(handler.site, path), "heading": heading(notebook, path)}


class Shutdown(APIHandler):
    """The message of a page that is being closed or reloaded."""

    def check_xsrf_cookie(self) -> None:
        """Accept a beacon without the token.

        Voilà's own handler refuses the beacon of its own page, so every closed page leaves its
        kernel running.  The id is 122 random bits that only the page knows; `APIHandler.prepare`
        refuses a foreign origin.
        """

    @web.authenticated
    async def post(self, kernel: str) -> None:
        """Stop *kernel* if it is a page's."""
        await self.settings["coursekit_kernels"].stop(kernel, now=False)
        self.set_status(HTTPStatus.NO_CONTENT)
        self.finish()


class Static(web.StaticFileHandler):
    """Style sheet, script and drawings of the pages; they are not secret, so they need no login."""

    _allow_unauthenticated = True


def routes(site: pages.Site, voila: dict[str, Any]) -> Sequence[Any]:
    """Return the addresses of the site.

    :param voila: keyword arguments for :class:`Dashboard`.
    """
    start = site.base + site.start
    languages = "|".join(texts.LANGUAGES)
    return [
        (rf"{start}?" if site.start else start, Start),
        (rf"{start}({languages})/?", Start),
        (rf"{start}({languages})/data/?", Data),
        (url_path_join(site.base, "voila/render/(.*)"), Dashboard, voila),
        (url_path_join(site.base, r"voila/api/shutdown/([\w-]+)"), Shutdown),
        (url_path_join(site.base, "coursekit/static/(.*)"), Static, {"path": str(pages.STATIC)}),
    ]
