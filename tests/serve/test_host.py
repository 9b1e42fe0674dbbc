"""Whatever goes wrong with a page, the disk or a process, the others go on, and the teacher is
told.
"""

import asyncio
import json
import logging
import socket
from collections import Counter

import pytest
from classroom import class_of, short
from crowd import order, until

from coursekit.core.errors import LocalizedError
from coursekit.room import page_state
from coursekit.room.event_log import EventLog, EventLogError
from coursekit.room.page import Page
from coursekit.serve.room import event_log_writer
from coursekit.serve.room import host as hosts
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.phone_server import phone_application

SEATS = [[1, 2, 3], [4, 5, 6]]


class Screen:
    """A page in the server's own process, and what it was sent; it may take its time, or fail."""

    def __init__(self, host, role="phone", key="", slow=None):
        self.page, self.slow, self.closed, self.n = Page(role, "en"), slow, False, 0
        self.messages = []
        self.host = host
        self.connection = host.connect(self.page, self._hear, self._close)
        if key:
            self.send("hello", code=host.room.lesson.code, language="en", key=key)

    def _hear(self, words):
        if message := json.loads(words):  # that of the door is empty: this host has none
            self.messages.append(message)
        return self.slow.wait() if self.slow is not None else None

    def _close(self):
        self.closed = True

    def send(self, type, **parts):
        self.host.receive(self.connection, json.dumps({"type": type, **parts}))

    def last(self, kind):
        return next((each for each in reversed(self.messages) if each.get("type") == kind), None)

    def act(self):
        """Decide something at random and return its number, ``None`` if there is nothing to decide."""
        view = self.last("view")["view"]
        zones = view["scenes"][-1]["zones"]
        offered = [
            part for zone in zones for part in [*zone.get("pieces", ()), *zone.get("choices", ())]
        ]
        mine = [part for part in offered if part.get("seat", view["viewer"]) == view["viewer"]]
        legal = [part["action"] for part in mine if part.get("legal") and "action" in part]
        if not legal:
            return None
        self.n += 1
        where = {"table": self.last("table")["table"], "seat": view["viewer"]}
        where |= {part: view[part] for part in ("match", "branch", "acted")}
        self.send("act", n=self.n, action=legal[0], **where)
        return self.n

    def answered(self, n):
        return any(each["type"] in ("done", "refused") and each["n"] == n for each in self.messages)


def hosted(folder, test, seats=SEATS, game="wizard"):
    """Run *test* with a host of a lesson in which people sit at tables, its phones, and its
    console.
    """

    async def run():
        path = folder / "lessons" / "class.lesson"
        ledger = EventLog(path)
        ledger.append(class_of(seats, short(game, len(seats[0]))).events)
        ledger.close()
        host = RoomHost(folder / "lessons")
        host.begin(path)
        host.open_room(phone_application(host), "127.0.0.1", 0)
        try:
            console = Screen(host, "console")
            phones = [Screen(host, key=f"key-of-{who}!") for table in seats for who in table]
            order(host, console.page, {"type": "pause", "on": False})
            await until(lambda: all(each.last("view") for each in phones), "all tables")
            await test(host, console, phones)
        finally:
            host.end()

    asyncio.run(run())


async def somebody_acts(phones):
    """Let somebody at each table decide, and wait until it is answered."""
    asked = [(phone, phone.act()) for phone in phones]
    asked = [(phone, n) for phone, n in asked if n is not None]
    assert asked
    await until(lambda: all(phone.answered(n) for phone, n in asked), "an answer")
    return [phone for phone, _ in asked]


def test_a_page_for_which_nothing_can_be_made_keeps_it_from_nobody_else(
    tmp_path, monkeypatch, caplog
):
    async def test(host, console, phones):
        broken, real = phones[0].page, page_state.news

        def news(room, page, cache):
            if page is broken:
                raise RuntimeError("a mistake in the kit")
            return real(room, page, cache)

        monkeypatch.setattr(page_state, "news", news)
        for _ in range(3):
            await somebody_acts(phones[3:])
            order(host, console.page, {"type": "say", "text": "Hello"})
            await until(lambda: phones[5].last("room")["message"] == "Hello", "a message")
        refused = [each["text"] for each in phones[0].messages if each["type"] == "refused"]
        assert len(refused) == 1
        assert refused[0].startswith("Something went wrong")
        monkeypatch.setattr(page_state, "news", real)
        order(host, console.page, {"type": "say", "text": "Again"})
        await until(lambda: phones[0].last("room")["message"] == "Again", "a message")

    with caplog.at_level(logging.ERROR):
        hosted(tmp_path, test)
    assert sum("person 1" in record.getMessage() for record in caplog.records) == 1


def test_a_page_that_cannot_be_sent_to_is_left_and_comes_back(tmp_path):
    async def test(host, console, phones):
        def fails(words):
            raise RuntimeError("a mistake of another library")

        phones[0].connection.send = fails
        order(host, console.page, {"type": "say", "text": "Hello"})
        await until(lambda: phones[0].connection not in host.connections, "the page to be left")
        await until(lambda: phones[5].last("room")["message"] == "Hello", "a message")
        back = Screen(host, key="key-of-1!")
        await until(lambda: back.last("view"), "its table")

    hosted(tmp_path, test)


def test_a_page_that_does_not_read_holds_up_nobody_and_gets_the_present_when_it_does(tmp_path):
    async def test(host, console, phones):
        slow = asyncio.Event()
        phones[0].slow = slow
        order(host, console.page, {"type": "say", "text": "0"})
        await until(lambda: phones[0].last("room")["message"] == "0", "the first message")
        for number in range(1, 60):
            order(host, console.page, {"type": "say", "text": str(number)})
            await until(lambda: phones[5].last("room")["message"] == str(number), "a message")  # noqa: B023
        before = len(phones[0].messages)
        assert len(phones[0].connection.outbox) <= 1
        slow.set()
        await until(lambda: phones[0].last("room")["message"] == "59", "the present")
        assert len(phones[0].messages) - before <= 3

    hosted(tmp_path, test)


def test_nothing_is_answered_before_it_is_on_the_disk_but_signs_of_life_are(tmp_path, monkeypatch):
    async def test(host, console, phones):
        real, full = EventLog.append, True

        def append(ledger, events):
            if full:
                raise EventLogError("", "disk.full", folder="lessons")
            real(ledger, events)

        monkeypatch.setattr(EventLog, "append", append)
        acting = [(phone, phone.act()) for phone in phones]
        acting = [(phone, n) for phone, n in acting if n is not None]
        before = [len(phone.messages) for phone in phones]
        await until(lambda: console.last("room")["trouble"], "the console to be told")
        for phone in phones:
            phone.send("ping")
        await until(
            lambda: all("trouble" in (phone.last("pong") or {}) for phone in phones), "all pongs"
        )
        for phone, count in zip(phones, before):
            assert {each["type"] for each in phone.messages[count:]} == {"pong"}
        assert phones[0].last("pong")["trouble"].startswith("Nothing can be kept")
        full = False
        await until(lambda: all(phone.answered(n) for phone, n in acting), "the answers")
        await until(
            lambda: not console.last("room")["trouble"], "the console to be told that it is over"
        )
        phones[0].send("ping")
        await until(lambda: "trouble" not in phones[0].last("pong"), "a pong")
        events = EventLog(host.event_log.path).events()
        kept = Counter((each.get("person"), each.get("n")) for each in events if each["e"] == "act")
        assert all(kept[phone.page.person, n] == 1 for phone, n in acting)

    hosted(tmp_path, test)


def test_whatever_the_disk_answers_is_tried_again(tmp_path, monkeypatch):
    async def test(host, console, phones):
        real, fails = (
            EventLog.append,
            [MemoryError(), ValueError("odd"), EventLogError("", "disk.locked")],
        )

        def append(ledger, events):
            if fails:
                raise fails.pop()
            real(ledger, events)

        monkeypatch.setattr(event_log_writer, "RETRY", 0.01)
        monkeypatch.setattr(EventLog, "append", append)
        await somebody_acts(phones)
        assert not fails

    hosted(tmp_path, test)


def test_a_disk_that_does_not_answer_is_told_on_console_and_terminal(tmp_path, monkeypatch, caplog):
    async def test(host, console, phones):
        real, free = EventLog.append, asyncio.Event()
        loop = asyncio.get_running_loop()

        def append(ledger, events):
            asyncio.run_coroutine_threadsafe(free.wait(), loop).result()
            real(ledger, events)

        monkeypatch.setattr(hosts, "STALLED", 0.2)
        monkeypatch.setattr(EventLog, "append", append)
        acting = [(phone, n) for phone in phones if (n := phone.act()) is not None]
        await until(
            lambda: "nothing could be written" in console.last("room")["trouble"],
            "the console to be told",
        )
        free.set()
        await until(lambda: all(phone.answered(n) for phone, n in acting), "the answers")
        await until(lambda: not console.last("room")["trouble"], "the end of it")

    with caplog.at_level(logging.ERROR):
        hosted(tmp_path, test)
    assert sum("nothing could be written" in record.getMessage() for record in caplog.records) == 1


def test_a_network_that_takes_nothing_is_told_until_it_does(tmp_path, monkeypatch):
    async def test(host, console, phones):
        monkeypatch.setattr(hosts, "STALLED", 0.2)
        network = asyncio.Event()
        for each in phones:
            each.slow = network
        order(host, console.page, {"type": "say", "text": "Hello"})
        await until(
            lambda: "nothing could be written or sent" in console.last("room")["trouble"],
            "the console to be told",
        )
        network.set()
        await until(lambda: not console.last("room")["trouble"], "the end of it")
        await somebody_acts(phones)

    hosted(tmp_path, test)


@pytest.mark.parametrize("work", ["_tell", "run"])
def test_what_writes_and_what_tells_begins_again_should_it_end(tmp_path, work, caplog):
    async def test(host, console, phones):
        (task,) = [task for loop, task in host._loops.items() if loop.__name__ == work]
        task.cancel()
        await until(task.done, "its end")
        host.touch()
        await somebody_acts(phones)

    hosted(tmp_path, test)


def test_orders_that_are_none_are_refused_and_change_nothing(tmp_path):
    async def test(host, console, phones):
        count = host.room.count
        wrong = [
            None,
            [],
            7,
            "deal",
            {},
            {"type": 5},
            {"type": "nothing"},
            {"type": "pause"},
            {"type": "step", "step": 9},
            {"type": "time", "seconds": "x"},
            {"type": "time", "seconds": 10**400},
            {"type": "show", "answers": [[]]},
            {"type": "show", "answers": [[0, []]]},
            {"type": "stage", "stage": "think", "seconds": "now"},
            {"type": "ask", "words": "\ud800", "own": True},
            {"type": "set", "grace": []},
            {"type": "sit", "table": 1},
            {"type": "back", "table": 1, "entry": 10**9},
            {"type": "rename", "person": [1], "name": "x"},
        ]
        for content in wrong:
            before = len(console.messages)
            order(host, console.page, content)
            await until(
                lambda: any(each["type"] == "refused" for each in console.messages[before:]),  # noqa: B023
                f"{content}",
            )
        assert host.room.count == count
        await somebody_acts(phones)

    hosted(tmp_path, test)


def test_a_room_stays_open_when_it_cannot_be_opened_elsewhere(tmp_path):
    async def test(host, console, phones):
        port = host.port
        with (
            socket.create_server(("127.0.0.1", 0)) as taken,
            pytest.raises(OSError, match="in use"),
        ):
            host.open_room(phone_application(host), "127.0.0.1", taken.getsockname()[1])
        host.open_room(phone_application(host), "127.0.0.1", port)  # where it is open
        assert host.url == f"http://127.0.0.1:{port}"
        await somebody_acts(phones)
        host.open_room(phone_application(host), "127.0.0.1", 0)
        assert host.port != port
        await until(lambda: all(phone.last("closed") for phone in phones), "the phones to be told")

    hosted(tmp_path, test)


def test_what_takes_long_is_made_elsewhere_once_and_kept_until_the_table_changes(
    tmp_path, monkeypatch
):
    async def test(host, console, phones):
        asked = []
        real = host._running.analysis._process.ask
        monkeypatch.setattr(
            host._running.analysis._process,
            "ask",
            lambda task, seconds: asked.append(task.request) or real(task, seconds),
        )
        order(host, console.page, {"type": "end"})
        for _ in range(10):
            phones[0].send("mine")
        phones[1].send("mine")
        await until(lambda: phones[0].last("page") and phones[1].last("page"), "two pages")
        phones[0].send("mine")
        await until(
            lambda: sum(each["type"] == "page" for each in phones[0].messages) == 2,
            "the page again",
        )
        assert len(asked) == 2
        assert phones[0].last("page")["text"] != phones[1].last("page")["text"]

    hosted(tmp_path, test)


def test_the_page_of_a_pupil_holds_the_newest_answer(tmp_path):
    async def test(host, console, phones):
        order(host, console.page, {"type": "ask", "words": "Why?", "own": True})
        for n, words in enumerate(("At first.", "On second thoughts."), 1):
            phones[0].send("answer", n=n, question=0, text=words)
            await until(lambda n=n: phones[0].answered(n), "the answer to be kept")
            phones[0].send("mine")
            pages = lambda: [each["text"] for each in phones[0].messages if each["type"] == "page"]  # noqa: E731
            await until(lambda n=n, pages=pages: len(pages()) == n, "the page")
            assert words in pages()[-1]

    hosted(tmp_path, test)


def test_what_cannot_be_made_is_said_and_the_next_can(tmp_path, monkeypatch):
    async def test(host, console, phones):
        order(host, console.page, {"type": "end"})
        phones[0].send("mine")
        await until(lambda: phones[0].last("page"), "a page")
        host._running.analysis._process._process.kill()
        phones[1].send("mine")
        await until(lambda: phones[1].last("page") or phones[1].last("refused"), "an answer")
        phones[2].send("mine")
        await until(lambda: phones[2].last("page"), "a page")

    hosted(tmp_path, test)


def test_steps_of_one_page_are_merged(tmp_path):
    async def test(host, console, phones):
        for _ in range(4):
            await somebody_acts(phones)
        order(host, console.page, {"type": "end"})
        await until(lambda: phones[0].last("view")["view"]["may_look_back"], "the end")
        before = sum(each["type"] == "view" for each in phones[0].messages)
        for entry in [*range(4), 2]:
            phones[0].send("step", entry=entry)
        await until(lambda: phones[0].last("view")["view"].get("entry") == 2, "the last step")
        assert sum(each["type"] == "view" for each in phones[0].messages) - before <= 2

    hosted(tmp_path, test)


def test_a_worker_that_could_not_begin_is_started_again(tmp_path, monkeypatch):
    async def test(host, console, phones):
        order(host, console.page, {"type": "strategy", "table": 1, "seat": 0})
        table = host.room.lesson.tables[1]
        count = len(table.run.match.log)
        for phone in phones[:3]:
            phone.send("ping", touched=True)
        await until(lambda: _moves_on(table, count, phones), "the strategy to decide")

    def _moves_on(table, count, phones):
        for phone in phones[1:3]:
            phone.act()
        return any(seat == 0 for seat, _ in table.run.match.log[count:])

    from coursekit.room import worker_process

    real, fails = worker_process.get_context, [True]

    def broken(method):
        if fails:
            fails.pop()
            raise OSError("no process can be started")
        return real(method)

    monkeypatch.setattr(worker_process, "get_context", broken)
    hosted(tmp_path, test)
    assert not fails


def test_a_mistake_in_a_game_stops_its_table_alone(tmp_path, monkeypatch, caplog):
    async def test(host, console, phones):
        table = host.room.lesson.tables[1]
        monkeypatch.setattr(table.game, "scores", lambda state: 1 / 0)
        asked = [(phone, phone.act()) for phone in phones]
        asked = [(phone, n) for phone, n in asked if n is not None]
        await until(lambda: all(phone.answered(n) for phone, n in asked), "answers")
        await until(lambda: "table 1" in str(console.last("room")["notes"]), "a note")
        monkeypatch.undo()
        await somebody_acts(phones[3:])
        order(host, console.page, {"type": "pause", "on": False})
        await until(lambda: not table.paused, "the table to go on")
        assert not table.broken

    with caplog.at_level(logging.ERROR):
        hosted(tmp_path, test)


def test_a_sentence_that_no_page_can_hold_is_escaped(tmp_path):
    async def test(host, console, phones):
        host.room.note("syntax.zeros", line=1, code="\ud800")
        host.room.trouble = LocalizedError("", "syntax.zeros", line=1, code="\udfff")
        host.touch()
        await until(lambda: "\\ud800" in str(console.last("room")["notes"]), "the note")
        host.room.trouble = None
        await somebody_acts(phones)

    hosted(tmp_path, test)
