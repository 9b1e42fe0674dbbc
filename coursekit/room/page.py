"""A page that is connected to a room: what it may see, and what it knows."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.room.board import Board
from coursekit.room.room_table import RoomTable
from coursekit.table.view import View
from coursekit.words.texts import LANGUAGES

Role = Literal["phone", "projector", "console"]
LONG_AGO = 1e9


class Request(NamedTuple):
    """Something of the lesson that takes long to make, see :mod:`.analysis_requests`."""

    what: str
    values: tuple[Any, ...]


class PendingRequest(NamedTuple):
    """Something that a page has asked for and that is being made."""

    page: "Page"
    request: Request
    number: int
    """Tells it from other requests for the same."""
    parts: dict[str, Any]
    """What the answer holds beside what was asked for."""


class Page:
    """One page that is connected.

    :param role: what it may see and do; a phone sees what its person may.
    """

    def __init__(self, role: Role, language: str = LANGUAGES[0]) -> None:
        self.role = role
        self.language = language
        self.welcome = role != "phone"
        """Whether it may see the room: a phone has to name its code."""
        self.tries = 0
        """Wrong codes that it has named."""
        self.person: int | None = None
        self.last_sign = 0.0
        """When it last gave a sign, in the room's time."""
        self.watching: int | None = None
        """The table it looks at without a seat there."""
        self.out: list[dict[str, Any]] = []
        """Messages beside views, sent once all that has happened is in the lesson's file."""
        self.at_once: list[dict[str, Any]] = []
        """Messages that are sent whatever becomes of the file."""
        self.closed = False
        self.failed = False
        """Whether a mistake in the kit has kept something from it, which is logged once."""
        self.complained = -LONG_AGO
        """When it last refused a view, in the room's time."""
        self.invalid_messages = 0
        """How many of its messages were none."""
        self.forget()

    def forget(self) -> None:
        """Know nothing of any room: the next messages say all anew."""
        self.pending: dict[str, PendingRequest] = {}
        """What is being made for it, the newest request of each kind."""
        self.view: View | None = None
        self.table: RoomTable | None = None
        self.table_marks: tuple[Any, ...] = ()
        """What the page has of :attr:`table`."""
        self.step: int | None = None
        """The earlier moment that it wants to look back at, by the number of actions before it."""
        self.room_state: dict[str, Any] = {}
        """The state of the room that it knows."""
        self.room_marks: tuple[Any, ...] = ()
        """What :attr:`room_state` was made from."""
        self.moment_marks: tuple[Any, ...] = (self.language,)
        """The moments of tables that a projector has side by side, after its language."""
        self.stand_in_marks: tuple[Any, ...] | None = None
        """What the page knows of a strategy that decides for its person, or soon will."""
        self.stage_marks: tuple[Any, ...] | None = None
        """The time for thinking or talking that a phone knows of."""
        self.boards: dict[int, Board] = {}
        """What a projector has of the tables that it shows side by side, by their numbers."""
        self.board_setting: tuple[str, str] | None = None
        """Game and language of the words that it has for them."""
        self.map_marks: tuple[Any, ...] = ()
        """What the page of a teacher has of the class's maps."""
        self.wants_map = ""
        """The game whose map a phone is to be told whole."""
        self.setting: tuple[str, str] | None = None
        """Game and language of the words and drawings that the page has."""

    def say(self, kind: str, **parts: Any) -> None:
        """Tell the page something."""
        self.out.append({"type": kind, **parts})

    def refuse(
        self, error: LocalizedError, n: int | None = None, to: str = "", names: Sequence[str] = ()
    ) -> None:
        """Tell the page why something cannot be done.

        :param n: the number of what it asked for, if that is done once.
        :param to: the view in the page that asked.
        """
        self.say("refused", n=n, to=to, text=error.sentence(self.language, names))
