"""A widget that answers messages of its page; :mod:`coursekit.core.page_messages` checks them."""

import logging
import traceback
from pathlib import Path
from typing import Any, ClassVar

import anywidget

from coursekit.core.errors import LocalizedError
from coursekit.core.page_messages import Message, MessageError, Messages, sender_of
from coursekit.words.texts import text

LARGEST_QUESTION = 2**53
"""Where the numbers end by which a page tells its questions apart."""
log = logging.getLogger(__name__)


class MessageWidget(anywidget.AnyWidget):
    """A widget whose :attr:`messages` come from its views: one cell may be shown in several.

    A subclass has ``messages = Messages()``, a handler for each and a ``language``, see
    :mod:`coursekit.core.page_messages`; :class:`.number_controls.Explore` is the smallest one.

    A handler returns the answer, a ``dict`` with a ``type``, or ``None`` for none.  The answer goes
    to the view that asked: it has the view's name as ``to``, and the question's number ``n`` if it
    had one.  What cannot be done is answered with ``{"type": "refused", "text": …}``.
    """

    messages: ClassVar[Messages]

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.invalid_messages = 0
        """How many messages of the page were none of :attr:`messages`."""
        self.on_msg(lambda _widget, content, buffers: self.receive(content, buffers))

    @property
    def spoken_language(self) -> str:
        """The language of refusals."""
        return self.language  # type: ignore[no-any-return]

    def receive(self, content: Any, data: Any = ()) -> None:
        """Answer *content*, a message of the page, which came with *data*.

        What cannot be done is answered with a sentence, and so is an error that nobody foresaw.
        """
        try:
            answer = self._answer(content, [bytes(buffer) for buffer in data])
        except LocalizedError as error:
            answer = self.refusal(error)
        except Exception as error:  # a bug in the kit; its words might name cards
            log.exception("%s could not answer a message", type(self).__name__)
            answer = {"type": "refused", "text": self.failure(error)}
        if answer is not None:
            self.send(answer | self.address(content))

    def _answer(self, content: Any, data: list[bytes]) -> dict[str, Any] | None:
        try:
            message = self.messages.read(content)
        except MessageError:
            self.invalid_messages += 1
            raise
        return self.deliver(message, sender_of(content), data)

    def deliver(self, message: Message, sender: str, data: list[bytes]) -> dict[str, Any] | None:
        """Return the handler's answer; a subclass may do something before or after."""
        answer: dict[str, Any] | None = message.deliver(self, sender, data)
        return answer

    def address(self, content: Any) -> dict[str, Any]:
        """Return the parts of an answer that say whose question it answers."""
        address: dict[str, Any] = {"to": sender_of(content)}
        number = content.get("n") if isinstance(content, dict) else None
        if type(number) is int and 0 <= number < LARGEST_QUESTION:
            address["n"] = number
        return address

    def refusal(self, error: LocalizedError) -> dict[str, Any]:
        """Return the answer to what cannot be done."""
        return {"type": "refused", "text": error.sentence(self.spoken_language)}

    def failure(self, error: Exception) -> str:
        """Return the sentence about an error that nobody foresaw, and where it happened."""
        line = traceback.extract_tb(error.__traceback__)[-1]
        where = {"file": Path(line.filename).name, "line": line.lineno or 0}
        return text("message.broken", self.spoken_language, kind=type(error).__name__, **where)
