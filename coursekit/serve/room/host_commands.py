"""What the teacher's pages may ask of the host: to open a room, to change lessons, a league."""

from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.page_messages import Message, MessageError, Messages
from coursekit.room.event_log import EventLogError
from coursekit.room.page import Page
from coursekit.room.teacher_commands import TeacherCommands
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.join_address import find_addresses
from coursekit.serve.room.phone_server import phone_application
from coursekit.words.characters import is_visible
from coursekit.words.texts import shorten

PORTS = range(65_536)
"""Ports of this computer; 0 is any that is free."""
LONGEST_NETWORK = 32
"""Bytes of the name of a Wi-Fi."""
PASSWORDS = range(8, 64)
"""Characters of its password."""
PROJECTOR = "projector"
"""Flag of a message that the projector may send, too."""
HOST = "host"
"""Flag of a message after which the teacher's pages are told of the room's door."""


class ConsoleCommands(TeacherCommands):
    """Carries out the orders of the console, and what the projector asks for."""

    messages = Messages(TeacherCommands.messages)

    def __init__(self, host: RoomHost) -> None:
        assert host.room is not None
        super().__init__(host.room)
        self.host = host

    def deliver(self, page: Page, message: Message, to: str) -> None:
        """Carry out *message*; the projector asks for nothing but what it has missed.

        :raises LocalizedError: if that cannot be done.
        """
        flags = message.handler.flags
        if page.role != "console" and PROJECTOR not in flags:
            raise MessageError
        try:
            super().deliver(page, message, to)
        except EventLogError as error:
            raise lesson_error(error) from error
        finally:
            if HOST in flags:
                self.host.tell_door()

    @messages.handle(PROJECTOR)
    def ping(self, sender: Page) -> None:
        """Answer a sign of life."""
        sender.at_once.append({"type": "pong"})

    @messages.handle(PROJECTOR)
    def again(self, sender: Page) -> None:
        """Tell a page all anew, which has refused what was not meant for it."""
        self.room.tell_again(sender)

    @messages.handle(HOST)
    def open_room(self, address: str, port: Any = None) -> None:
        """Let phones in; without a port at the one that was used before."""
        allowed = find_addresses()
        if address not in allowed:
            got = shorten(address)
            raise MessageError("room.no_address", got=got, allowed=", ".join(allowed))
        port = port or self.host.wanted_port
        if type(port) is not int or port not in PORTS:
            raise MessageError("room.port", got=shorten(port), low=PORTS.start, high=PORTS.stop - 1)
        try:
            self.host.open_room(phone_application(self.host), address, port)
        except OSError:
            raise MessageError("room.port_taken", port=port) from None

    @messages.handle(HOST)
    def close_room(self) -> None:
        """Let nobody in any more."""
        self.host.close_room()

    @messages.handle(HOST, kind="network")
    def name_network(self, name: str, password: str = "") -> None:
        """Say by which Wi-Fi phones reach the room: the projector shows it."""
        name = name.strip()
        if name and not is_visible(name):
            raise MessageError("name.unseen")
        if len(name.encode()) > LONGEST_NETWORK:
            raise MessageError("room.network", got=shorten(name))
        if password and len(password) not in PASSWORDS:
            low, high = PASSWORDS.start, PASSWORDS.stop - 1
            raise MessageError("room.password", got=len(password), low=low, high=high)
        self.room.do("network", name=name, password=password if name else "")

    @messages.handle(HOST)
    def begin(self, sender: Page) -> None:
        """Begin a new lesson, in the same network."""
        network = self.lesson.network
        room = self.host.begin(language=sender.language)
        if network.name:
            room.do("network", **network._asdict())

    @messages.handle(HOST)
    def go_on(self, name: str) -> None:
        """Go on with an earlier lesson, by the name of its file."""
        for path in self.host.unfinished():
            if path.name == name:
                self.host.begin(path)
                return
        raise MessageError("room.no_lesson")

    @messages.handle(HOST)
    def delete(self, sender: Page) -> None:
        """Delete the lesson, and begin a new one."""
        try:
            self.host.delete()
        finally:
            self.host.begin(language=sender.language)
        assert self.host.room is not None
        self.host.room.note("room.lesson_deleted")

    @messages.handle(HOST, kind="league")
    def play_league(self, sender: Page) -> None:
        """Let the strategies that were handed in play each other."""
        self.host.play_league(sender.language)

    @messages.handle(HOST)
    def stop_league(self) -> None:
        """End the league after the round that is played."""
        self.host.stop_league()


def lesson_error(error: LocalizedError) -> MessageError:
    """Return the error that says why a lesson's file cannot be used."""
    return MessageError("room.no_file", why=error)
