"""The key that is new at every start: with it comes in the person who started the server."""

import secrets
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qsl, urlencode

from tornado import web
from tornado.httputil import HTTPServerRequest
from tornado.routing import AnyMatches, Matcher, Rule, RuleRouter

from coursekit.serve import pages
from coursekit.serve.static_files import impossible

KEY = "key"
"""Name of the argument that holds the key in the first address."""


class Key:
    """The key of one run.

    :param port: where the server listens.  Cookies of one computer are shared by all its ports, so
        that it is part of the cookie's name.
    """

    def __init__(self, port: int) -> None:
        self.cookie = f"coursekit-{port}"
        self.lasting = secrets.token_urlsafe(24)
        self._once = secrets.token_urlsafe(24)

    def address(self, url: str, once: bool = False) -> str:
        """Return *url* with the key.

        :param once: whether it opens a single time.  A browser is started with its address, which
            every account of the computer can read in the list of processes.
        """
        return f"{url}?{KEY}={self._once if once else self.lasting}"

    def is_held(self, request: HTTPServerRequest) -> bool:
        """Return whether the browser that sent *request* has the key."""
        cookie = request.cookies.get(self.cookie)
        return cookie is not None and _same(cookie.value, self.lasting)

    def fits(self, given: str) -> bool:
        """Return whether *given* opens, which it does a single time if it was made for that."""
        if self._once and _same(given, self._once):
            self._once = ""
            return True
        return _same(given, self.lasting)


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode(), other.encode())


class Outside(Matcher):
    """Requests that do not go straight on to the pages.

    They come without the key, carry it in their address, or name no file that could exist.
    """

    def __init__(self, site: pages.Site, key: Key) -> None:
        self.open = f"{site.base}coursekit/static/"
        self.key = key

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Return ``None`` for what may go on."""
        if impossible(request.path):
            return {}
        if self.key.is_held(request):
            return {} if KEY in request.query_arguments else None
        return None if request.path.startswith(self.open) else {}


class Entrance(web.RequestHandler):
    """Lets in who brings the key, and tells all others what to do."""

    def initialize(self, site: pages.Site, key: Key) -> None:
        """See :func:`guard`."""
        self.site = site
        self.key = key

    def check_xsrf_cookie(self) -> None:
        """Accept everything: nothing can be changed here."""

    def prepare(self) -> None:
        """Answer every method alike."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'self'")
        has_key = self.key.is_held(self.request)
        if impossible(self.request.path):
            self.set_status(404)
            self.finish(pages.message(self.site, self.site.language, "missing"))
        elif self.request.host_name == "localhost" and not has_key:
            host = self.request.host.replace("localhost", "127.0.0.1", 1)
            self.redirect(f"http://{host}{self.request.uri}")
        elif has_key or self.key.fits(self.get_query_argument(KEY, "")):
            self._let_in()
        else:
            self.set_status(403)
            self.finish(pages.door(self.site, f"http://{self.request.host}"))

    def _let_in(self) -> None:
        """Leave the key in the browser, and go on without it in the address.

        A page that goes on, not a redirect: to the browser this is then a link of our own site,
        wherever the first address was clicked.
        """
        # Lax: a link on a school's platform finds the key, a request of another page does not.
        self.set_cookie(
            self.key.cookie, self.key.lasting, httponly=True, samesite="Lax", path=self.site.base
        )
        arguments = parse_qsl(self.request.query, keep_blank_values=True)
        query = [(name, value) for name, value in arguments if name != KEY]
        path = "/" + self.request.path.lstrip("/\\")  # two slashes would lead to another server
        self.finish(pages.go_on(self.site, f"{path}?{urlencode(query)}" if query else path))


def guard(site: pages.Site, key: Key, app: web.Application) -> RuleRouter:
    """Return *app* for those who have *key*, and the :class:`Entrance` for all others."""
    # A visitor without the key is no news for the terminal.
    handlers = [(".*", Entrance, {"site": site, "key": key})]
    entrance = web.Application(handlers, log_function=lambda _: None)
    return RuleRouter([Rule(Outside(site, key), entrance), Rule(AnyMatches(), app)])
