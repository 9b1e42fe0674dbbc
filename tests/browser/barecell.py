"""A cell of the kit on a bare page: the real widget answers, without a server and without a kernel."""

import json
from collections.abc import Callable
from typing import Any

import anywidget
from cells import send
from playwright.sync_api import Page

ADDRESS = "http://127.0.0.1:9/cell"  # answered by the browser itself
OWN = ("comm", "keys", "layout", "tabbable", "tooltip")  # traits of any widget
PAGE = """<!doctype html><html lang="zh-Hant"><head><meta charset="utf-8"><title>cell</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>%s
html { color-scheme: light dark; background: light-dark(#faf5ea, #1a1815); } body { margin: 8px; }</style></head>
<body><main><h1 style="font-size: 1px; margin: 0">cell</h1><div id="cell"></div></main></body></html>"""
MOUNT = """async ({ code, traits }) => {
  const { default: widget } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const listeners = [];
  const changes = {}; // "change:…" -> listener
  window.tellBrowser = (messages) => messages.forEach((each) => {
    if (each.trait === undefined) {
      [...listeners].forEach((listener) => listener(each));
    } else {
      traits[each.trait] = each.value;
      changes[`change:${each.trait}`]?.();
    }
  });
  const model = {
    get: (name) => traits[name],
    on: (name, listener) => (name === "msg:custom" ? listeners.push(listener) : (changes[name] = listener)),
    off(name, listener) {
      if (name === "msg:custom") listeners.splice(listeners.indexOf(listener), 1);
      else delete changes[name];
    },
    async send(content, callbacks, buffers = []) {
      window.waiting += 1;
      window.tellBrowser(await window.tellKernel(content, buffers.map((each) => [...new Uint8Array(each)])));
      window.waiting -= 1;
    },
  };
  window.waiting = 0;
  window.show = (el) => widget.render({ model, el });
  window.leave = window.show(document.querySelector("#cell"));
}"""


class BareCell:
    """*cell* on *page*; everything that it sends to the browser is kept in ``sent``."""

    deaf = False
    """Whether the kernel is gone."""

    def __init__(self, page: Page, cell: anywidget.AnyWidget) -> None:
        self.page, self.cell = page, cell
        self.sent: list[str] = []
        self.held: list[Any] | None = None
        self._messages: list[Any] = []
        cell.send = lambda content, buffers=None: self._messages.append(content)  # type: ignore[method-assign]
        if cell.has_trait("writer"):
            cell.observe(
                lambda it: self._messages.append({"trait": it["name"], "value": it["new"]}),
                "writer",
            )
        css, code = map(cell.get_state().get, ("_css", "_esm"))
        page.route(ADDRESS, lambda route: route.fulfill(content_type="text/html", body=PAGE % css))
        page.goto(ADDRESS)
        page.expose_function("tellKernel", self._answer)
        names = [
            name for name in cell.traits(sync=True) if not name.startswith("_") and name not in OWN
        ]
        traits = {name: getattr(cell, name) for name in names}
        self.sent.append(json.dumps(traits))
        page.evaluate(MOUNT, {"code": code, "traits": traits})

    def _answer(self, content: Any, buffers: list[list[int]]) -> list[Any]:
        if self.deaf:
            return []
        self._messages.clear()
        send(self.cell, content, [bytes(each) for each in buffers])
        told = self._told()
        if self.held is None:
            return told
        self.held += told
        return []

    def _told(self) -> list[Any]:
        messages = list(self._messages)
        self._messages.clear()
        self.sent.append(json.dumps(messages))
        return messages

    def settled(self) -> None:
        """Wait until everything that the page has asked is answered."""
        self.page.wait_for_function("window.waiting === 0")

    def hold(self, back: bool = True) -> None:
        """From now on, hold back what the cell answers, as a long way from the kernel does; or no
        longer.
        """
        self.held = [] if back else None

    def let_go(self, number: int = 1) -> None:
        """Let the browser hear the next so many answers, each as soon as there is one."""
        for _ in range(number):
            self.says(lambda: bool(self.held), True)
            self.page.evaluate("(message) => window.tellBrowser([message])", self.held.pop(0))

    def says(self, asked: Callable[[], Any], wanted: Any) -> None:
        """Wait until *asked* returns *wanted*: the page shows what is done before the kernel has
        heard of it.
        """
        for _ in range(3600):
            if asked() == wanted:
                return
            self.page.wait_for_timeout(20)
        assert asked() == wanted

    def tell(self) -> None:
        """Let the browser hear what the cell has said by itself."""
        self.page.evaluate("(messages) => window.tellBrowser(messages)", self._told())
