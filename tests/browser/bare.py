"""A table on a bare page: the real widget answers, without a server and without a kernel."""

import json
from typing import Any

from cells import send
from playwright.sync_api import Page

from coursekit.table import Table

ADDRESS = "http://127.0.0.1:9/table"  # answered by the browser itself
TRAITS = ("view", "setup", "words", "languages", "art", "handbook", "zone_css")
PAGE = """<!doctype html><html lang="zh-Hant"><head><meta charset="utf-8"><title>table</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>%s
html { color-scheme: light dark; background: light-dark(#faf5ea, #1a1815); } body { margin: 8px; }</style></head>
<body><main><h1 style="font-size: 1px; margin: 0">table</h1><div id="table"></div></main></body></html>"""
MOUNT = """async ({ code, traits, shadow }) => {
  const { default: widget } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const listeners = {};
  const tell = (name, content) => (listeners[name] ?? []).forEach((listener) => listener(content));
  const model = {
    get: (name) => traits[name],
    on: (name, listener) => (listeners[name] ??= []).push(listener),
    off: (name, listener) => { listeners[name] = listeners[name].filter((each) => each !== listener); },
    async send(content) {
      window.waiting += 1;
      const { changed, messages } = await window.tellKernel(content);
      await window.held;
      Object.assign(traits, changed);
      Object.keys(changed).forEach((name) => tell(`change:${name}`));
      messages.forEach((each) => tell("msg:custom", each));
      window.waiting -= 1;
    },
  };
  window.waiting = 0;
  const place = document.querySelector("#table");
  if (!shadow) return void widget.render({ model, el: place });
  const el = document.createElement("div");
  place.attachShadow({ mode: "open" }).append(el);
  el.before(...[...document.querySelectorAll("style:not(#ck-shared)")].map((style) => style.cloneNode(true)));
  const own = document.createElement("style"); // as the other program styles its own buttons
  own.textContent = "button { border-radius: 33px; }";
  el.before(own);
  widget.render({ model, el });
}"""


class Bare:
    """*table* on *page*; everything that it sends to the browser is kept in ``sent``.

    :param shadow: whether it stands in a shadow root with the page's styles, as in marimo.
    """

    def __init__(self, page: Page, table: Table, shadow: bool = False) -> None:
        self.page, self.table = page, table
        self.sent: list[str] = []
        self.asked: list[Any] = []
        """What the page has sent to the table."""
        self._messages: list[Any] = []
        table.send = lambda content, buffers=None: self._messages.append(content)  # type: ignore[method-assign]
        css, code = map(table.get_state().get, ("_css", "_esm"))
        page.route(ADDRESS, lambda route: route.fulfill(content_type="text/html", body=PAGE % css))
        page.goto(ADDRESS)
        page.expose_function("tellKernel", self._answer)
        traits = self._note(self._traits())
        page.evaluate(MOUNT, {"code": code, "traits": traits, "shadow": shadow})

    def _traits(self) -> dict[str, Any]:
        return {name: getattr(self.table, name) for name in TRAITS}

    def _note(self, sent: dict[str, Any]) -> dict[str, Any]:
        self.sent.append(json.dumps({name: value for name, value in sent.items() if name != "art"}))
        return sent

    def _answer(self, content: Any) -> dict[str, Any]:
        self.asked.append(content)
        before = self._traits()
        self._messages.clear()
        send(self.table, content)
        changed = {
            name: value for name, value in self._traits().items() if value is not before[name]
        }
        return self._note({"changed": changed, "messages": list(self._messages)})

    def last_view(self) -> str:
        """Return the newest message with a view in it; a later one may only answer that the table
        is still there.
        """
        return next(
            sent
            for sent in reversed(self.sent)
            if "view" in (held := json.loads(sent)).get("changed", held)
        )

    def settled(self) -> None:
        """Wait until everything that the page has asked is answered."""
        self.page.wait_for_function("window.waiting === 0")

    def hold(self) -> None:
        """From now on, hold back what the table answers: the way to the kernel is long."""
        self.page.evaluate(
            "() => { window.held = new Promise((done) => { window.letGo = done; }); }"
        )

    def let_go(self) -> None:
        """Let all answers through that were held back, and those to come."""
        self.page.evaluate("() => { window.letGo(); window.held = null; }")
