"""The request handlers that ``coursekit serve`` and a Jupyter server have in common."""

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
from coursekit.serve.shelf import heading, language_of
from coursekit.words import texts

HEARTBEAT = "voila_heartbeat()"  # what Voilà writes every 10 s while it waits for a slow cell
PATIENCE = 6  # heartbeats without a running cell; a kernel has 60 s to start

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob: ws: wss:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"
)
"""Nothing is fetched from elsewhere: a school without internet sees the same page."""

NOTEBOOK_ONLY = "notebook-only"
"""Tag of the cells that a page without code neither shows nor runs."""

VOILA = {
    "template": "lab",  # ours stands in front of it: see `template_paths`
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
"""Voilà's settings: no address can ask for another template, no other extension slows a page down."""


def without_mathjax_elsewhere(page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Make Voilà's front end use the MathJax it brings, which it does when it knows of no other."""
    return {**page_config, "mathjaxConfig": None, "fullMathjaxUrl": None}


class Page(JupyterHandler):
    """A page of the kit: it speaks a language, also when something fails."""

    @property
    def site(self) -> pages.Site:
        """The links and notebooks of this server."""
        site: pages.Site = self.settings["coursekit_site"]
        return site

    @property
    def language(self) -> str:
        """The language of this page, told by its address."""
        given = str(self.path_args[0] or "") if self.path_args else ""
        return given if given in texts.LANGUAGES else language_of(given, self.site.language)

    @property
    def content_security_policy(self) -> str:
        """See :data:`POLICY`."""
        return POLICY

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with a page of one sentence and a way on."""
        about = "missing" if status_code == HTTPStatus.NOT_FOUND else "error"
        again = "" if about == "missing" else self.request.uri or ""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(pages.message(self.site, self.language, about, again))


class Missing(Page):
    """Every address that there is not."""

    async def prepare(self) -> None:  # type: ignore[override]
        """Answer 404, without asking who it is: there is nothing to see."""
        raise web.HTTPError(HTTPStatus.NOT_FOUND)


class Start(Page):
    """The start page."""

    @web.authenticated
    def get(self, language: str | None = None) -> None:
        """Show the games, in *language* or the site's own."""
        self.set_header("Cache-Control", "no-store")
        self.finish(pages.start(self.site, language or self.site.language))


class OnePageKernels:
    """The kernels as one request sees them: it remembers which one it started."""

    def __init__(self, kernels: PageKernels) -> None:
        self.kernels, self.started, self.gone = kernels, "", False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernels, name)

    async def start_kernel(self, **how: Any) -> str:
        """Start a kernel, see :meth:`PageKernels.start_kernel`."""
        self.started = await self.kernels.start_kernel(**how)
        if self.gone:  # the page was left meanwhile
            await self.kernels.stop(self.started)
            raise web.Finish
        return self.started


class Dashboard(Page, TornadoVoilaHandler):
    """A notebook as a page."""

    def initialize(self, **how: Any) -> None:
        """See Voilà's own; *how* holds its configuration and template paths."""
        super().initialize(**how)
        self.kernels = OnePageKernels(self.settings["coursekit_kernels"])
        self.finished = False
        self.prelaunch_hook = None

    @property
    def kernel_manager(self) -> Any:
        """What Voilà starts the kernel of this page with."""
        return self.kernels

    @property
    def contents_manager(self) -> Any:
        """Where Voilà finds the notebook and its pictures: it asks for pictures without waiting."""
        return self.settings.get("coursekit_contents") or super().contents_manager

    def redirect_to_file(self, path: str) -> None:
        """Refuse what is no notebook."""
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
        async for html in self.get_generator(path=path):
            if HEARTBEAT in html:
                silent = 0 if self.kernels.busy(self.kernels.started) else silent + 1
                if silent > PATIENCE:
                    break
            else:
                silent, begun = 0, True
            if begun:
                self.write(html)
                self.flush()
        if silent > PATIENCE:  # what makes the page has failed; Voilà would go on waiting for it
            await self.kernels.stop(self.kernels.started)
            if not begun:
                raise web.HTTPError(HTTPStatus.INTERNAL_SERVER_ERROR)
            self.write("<script>window.coursekit_lost?.()</script></body></html>")

    def on_connection_close(self) -> None:
        """Free the kernel of a page that was left before it was complete."""
        self.kernels.gone = True
        if not self.finished and self.kernels.started:
            IOLoop.current().add_callback(self.kernels.stop, self.kernels.started)


def prepare_notebook(handler: Dashboard, notebook: Any, cwd: str) -> None:
    """Give *notebook* what the frame around it needs, and take away what makes no sense without code.

    Voilà calls this before it runs a cell.
    """
    path = str(handler.path_args[0])
    notebook.cells = [cell for cell in notebook.cells if NOTEBOOK_ONLY not in cell.metadata.get("tags", [])]
    notebook.metadata["coursekit"] = {**pages.frame(handler.site, path), "heading": heading(notebook, path)}


class Shutdown(APIHandler):
    """A page tells that it is being closed or reloaded."""

    def check_xsrf_cookie(self) -> None:
        """Accept a beacon without the token.

        Voilà's own handler refuses what its own page sends, and so every page closed leaves its
        kernel behind.  The id is 122 random bits that only the page knows; a foreign origin is
        refused by `APIHandler.prepare`.
        """

    @web.authenticated
    async def post(self, kernel: str) -> None:
        """Stop *kernel* if it belongs to a page."""
        await self.settings["coursekit_kernels"].stop(kernel, now=False)
        self.set_status(HTTPStatus.NO_CONTENT)
        self.finish()


class Static(web.StaticFileHandler):
    """Style sheet, script and drawings of the pages; they hold no secret, so no login."""

    _allow_unauthenticated = True


def routes(site: pages.Site, voila: dict[str, Any]) -> Sequence[Any]:
    """Return the addresses of the site.

    :param voila: what :class:`Dashboard` is initialised with.
    """
    start = site.base + site.start
    languages = "|".join(texts.LANGUAGES)
    return [
        (rf"{start}?" if site.start else start, Start),
        (rf"{start}({languages})/?", Start),
        (url_path_join(site.base, "voila/render/(.*)"), Dashboard, voila),
        (url_path_join(site.base, r"voila/api/shutdown/([\w-]+)"), Shutdown),
        (url_path_join(site.base, "coursekit/static/(.*)"), Static, {"path": str(pages.STATIC)}),
    ]
