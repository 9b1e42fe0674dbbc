"""In the site's worker for the package ``anywidget``: a widget whose page the worker talks to.

It has the part of anywidget that the kit uses: synced traits, ``send`` and ``on_msg``.
"""

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar

import traitlets

Callback = Callable[[Any, Any, list[Any]], None]


def digest(content: str) -> str:
    """Return the name under which a script or a style sheet lies in the site."""
    return hashlib.sha256(content.encode()).hexdigest()[:16]


class AnyWidget(traitlets.HasTraits):
    """A widget; the page knows it by :attr:`number` once it is displayed."""

    _esm = ""
    _css = ""
    post: ClassVar[Callable[[dict[str, Any]], None]]
    """Sends a message to the page; the kernel sets it."""
    every: ClassVar[list["AnyWidget"]] = []

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.number = len(self.every)
        self.every.append(self)
        self._opened = False
        self._callbacks: list[Callback] = []
        self.observe(self._changed, list(self.traits(sync=True)))

    def _changed(self, change: Any) -> None:
        if self._opened:
            AnyWidget.post(
                {"type": "state", "widget": self.number, "state": {change["name"]: change["new"]}}
            )

    def display(self) -> dict[str, Any]:
        """Return what the page needs to draw it; from now on it gets every change."""
        self._opened = True
        state = {name: getattr(self, name) for name in self.traits(sync=True)}
        style = digest(self._css) if self._css else ""
        return {"widget": self.number, "script": digest(self._esm), "style": style, "state": state}

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send *content* to the page."""
        if self._opened:
            AnyWidget.post({"type": "message", "widget": self.number, "content": content})

    def on_msg(self, callback: Callback) -> None:
        """Have *callback* called with what the page sends."""
        self._callbacks.append(callback)

    def dispatch(self, content: Any) -> None:
        """Pass on what the page has sent."""
        for callback in self._callbacks:
            callback(self, content, [])
