"""Messages from a page to Python: what a page may send, checked before anything is done.

A class lists the messages that it answers by decorating a method for each::

    class Counter:
        messages = Messages()

        @messages.handle()
        def add(self, number: int, comment: str = "") -> dict[str, Any]:
            ...

A page sends ``{"type": "add", "number": 3}``.  A parameter is a part of the message: its annotation
is the part's type, its default makes the part optional.  A parameter whose type is a ``NamedTuple``
takes one part of the message for each of its fields, and one whose type is a ``TypedDict`` those of
its keys that the message has.  Two parameters come from the transport instead of the message:
``sender`` is the page or view that sent it, ``data`` the bytes that came with it.

A widget (:class:`coursekit.cells.message_widget.MessageWidget`) does the rest by itself: it answers
the view that asked, and refuses with a sentence.  What is no widget, such as the room, reads and
delivers, with its own page as sender::

    try:
        answer = self.messages.read(content).deliver(self, sender=page)
    except LocalizedError as error:
        answer = {"type": "refused", "text": error.sentence(page.language)}
"""

import json
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from coursekit.core.errors import LocalizedError

F = TypeVar("F", bound=Callable[..., Any])
LARGEST_PART = 12_000
"""Maximum size of a part without a fixed type, see :func:`size_of`: a stroke of 500 points has just
below 10,000.
"""
LONGEST_SENDER = 60
"""Maximum characters of the name that a view gives itself."""
TRANSPORT = ("sender", "data")
"""Parameters that the transport fills in."""


class MessageError(LocalizedError, ValueError):
    """A page sent what is no message, or what cannot be done now; the sentence says why."""

    def __init__(self, text: str = "message.invalid", **values: Any) -> None:
        super().__init__("", text, **values)


class Handler(NamedTuple):
    """A method that answers one kind of message.

    :param parts: parameter -> its type, for the parts of the message.
    :param required: the parts that must be there.
    :param transport: the parameters that the transport fills in, see :data:`TRANSPORT`.
    :param flags: what its class says about this message in the decorator.
    """

    function: Callable[..., Any]
    parts: Mapping[str, Any]
    required: frozenset[str]
    transport: tuple[str, ...]
    flags: frozenset[str]


class Message(NamedTuple):
    """A message that has been checked; *arguments* are for the parameters of its handler."""

    kind: str
    arguments: dict[str, Any]
    handler: Handler

    def deliver(self, receiver: Any, sender: Any = None, data: Sequence[bytes] = ()) -> Any:
        """Call the handler, a method of *receiver*, and return what it returns."""
        transport = {"sender": sender, "data": data}
        given = {name: transport[name] for name in self.handler.transport}
        return self.handler.function(receiver, **given, **self.arguments)


class Messages:
    """The kinds of messages that a class answers, each with its handler.

    :param more_than: the messages of a parent class, which are answered, too.
    :param key: the part of a message that says its kind.
    """

    def __init__(self, more_than: "Messages | None" = None, key: str = "type") -> None:
        self.key = key
        self.handlers: dict[str, Handler] = {}
        if more_than is not None:
            self.handlers |= more_than.handlers

    def handle(self, *flags: str, kind: str = "") -> Callable[[F], F]:
        """Return a decorator for the method that answers one kind of message.

        :param flags: anything that the class wants to know about the message before it delivers it.
        :param kind: what the message calls itself, by default the method's name.
        :raises ValueError: if there is such a method already.
        """

        def register(function: F) -> F:
            name = kind or function.__name__
            if name in self.handlers:
                raise ValueError(f"two methods answer the message {name!r}")
            self.handlers[name] = _handler(function, flags)
            return function

        return register

    def read(self, content: Any) -> Message:
        """Return *content*, as JSON makes it, as a message.

        :raises MessageError: if it is none of these messages, a part is missing, has another type
            or is too large, or a text in it cannot be written.
        """
        handler = self.handler_of(content)
        if handler is None or not is_writable(content):
            raise MessageError
        return Message(content[self.key], _arguments(handler, content), handler)

    def handler_of(self, content: Any) -> Handler | None:
        """Return what answers messages of the kind of *content*, ``None`` if nothing does."""
        kind = content.get(self.key) if isinstance(content, dict) else None
        return self.handlers.get(kind) if isinstance(kind, str) else None


def sender_of(content: Any) -> str:
    """Return the name of the view that sent *content*, "" if it gave none."""
    sender = content.get("from") if isinstance(content, dict) else None
    return sender if isinstance(sender, str) and len(sender) <= LONGEST_SENDER else ""


def size_of(thing: Any) -> int:
    """Return the size of *thing*, made of JSON: its letters, its items and the bits of its numbers.

    Counting stops above :data:`LARGEST_PART`.
    """
    size = 0
    left = [thing]
    while left and size <= LARGEST_PART:
        item = left.pop()
        if isinstance(item, dict):
            left.extend(item)
            left.extend(item.values())
        elif isinstance(item, list):
            left.extend(item)
        size += _own_size(item)
    return size


def _own_size(item: Any) -> int:
    if isinstance(item, str | list | dict):
        return len(item) + 1
    if type(item) is int:
        return item.bit_length()
    return 1


def is_writable(content: Any) -> bool:
    """Return whether *content* can be written as UTF-8: JSON can be read with half a character."""
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def _handler(function: Callable[..., Any], flags: Sequence[str]) -> Handler:
    hints = get_type_hints(function)
    parts: dict[str, Any] = {}
    required = set()
    transport = []
    for parameter in list(signature(function).parameters.values())[1:]:
        if parameter.name in TRANSPORT:
            transport.append(parameter.name)
            continue
        parts[parameter.name] = hints[parameter.name]
        if parameter.default is Parameter.empty:
            required.add(parameter.name)
    return Handler(function, parts, frozenset(required), tuple(transport), frozenset(flags))


def _arguments(handler: Handler, content: dict[str, Any]) -> dict[str, Any]:
    arguments = {}
    for name, kind in handler.parts.items():
        if _is_record(kind):
            arguments[name] = _record(kind, content)
        elif is_typeddict(kind):
            arguments[name] = _choice(kind, content)
        elif name in content:
            _check(content[name], kind)
            arguments[name] = content[name]
        elif name in handler.required:
            raise MessageError
    return arguments


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _record(kind: Any, content: dict[str, Any]) -> Any:
    """Return the named tuple *kind* from the parts of a message that its fields name."""
    hints = get_type_hints(kind)
    for name in kind._fields:
        if name not in content:
            raise MessageError
        _check(content[name], hints[name])
    return kind(*[content[name] for name in kind._fields])


def _choice(kind: Any, content: dict[str, Any]) -> dict[str, Any]:
    """Return those parts of a message that the keys of the ``TypedDict`` *kind* name."""
    hints = get_type_hints(kind)
    given = {name: content[name] for name in hints if name in content}
    for name, value in given.items():
        _check(value, hints[name])
    return given


def _check(value: Any, kind: Any) -> None:
    """Raise :class:`MessageError` unless *value* has the type *kind*; ``True`` is no number."""
    if not _has_type(value, kind):
        raise MessageError
    if kind is Any and size_of(value) > LARGEST_PART:
        raise MessageError("message.too_long")


def _has_type(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    origin = get_origin(kind)
    if origin is Literal:
        return any(value == word and type(value) is type(word) for word in get_args(kind))
    if origin in (Union, UnionType):
        return any(_has_type(value, choice) for choice in get_args(kind))
    if kind in (None, NoneType):
        return value is None
    if origin is list:
        (item_kind,) = get_args(kind)
        return isinstance(value, list) and all(_has_type(item, item_kind) for item in value)
    if origin is dict:
        _, item_kind = get_args(kind)
        return isinstance(value, dict) and all(
            _has_type(item, item_kind) for item in value.values()
        )
    return type(value) is (origin or kind)
