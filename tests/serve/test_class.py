"""The teacher's door of a class on its own phones: what a console orders, and what all pages are
told then.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from lanes import PATIENCE, START
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

PAUSE = 0.2  # seconds between two looks at the tables: phones may not ask too often


class Page:
    """The connection of one page, which remembers the newest message of each kind."""

    def __init__(self, stack: ExitStack, url: str, cookie: str = "") -> None:
        origin = "http://" + urlsplit(url).netloc
        headers = {"Cookie": cookie} if cookie else {}
        # What it was told and has not read would hold up the closing.
        line = connect(url, origin=origin, additional_headers=headers, close_timeout=0.1)  # type: ignore[arg-type]
        self.socket = stack.enter_context(line)
        self.heard: dict[str, Any] = {}

    def send(self, kind: str, **parts: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **parts}))

    def until(self, true: Callable[[dict[str, Any]], Any]) -> Any:
        """Wait until *true* holds for what was heard; return what it returns."""
        end = time.monotonic() + PATIENCE
        while not (found := _found(true, self.heard)):
            message = json.loads(self.socket.recv(timeout=max(0.0, end - time.monotonic())))
            self.heard[message["type"]] = message
        return found

    def room(self, true: Callable[[dict[str, Any]], Any]) -> Any:
        """Wait until *true* holds for what the page is told of the room."""
        return self.until(lambda heard: true(heard["room"]))


def _found(true: Callable[[dict[str, Any]], Any], heard: dict[str, Any]) -> Any:
    try:
        return true(heard)
    except (KeyError, IndexError, TypeError):  # it has not come yet
        return None


class Class:
    """A running server."""

    def __init__(self, address: str) -> None:
        self.place, self.stack = urlsplit(address), ExitStack()
        self.cookie = ""
        self.get(f"{self.place.path}?{self.place.query}")

    def get(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> HTTPResponse:
        line = HTTPConnection(self.place.netloc, timeout=PATIENCE)
        line.request(method, path, body, {"Cookie": self.cookie, **headers})
        answer = line.getresponse()
        given = [each.split(";")[0] for each in answer.headers.get_all("Set-Cookie") or []]
        self.cookie = "; ".join([*filter(None, [self.cookie]), *given])
        return answer

    def path(self, role: str) -> str:
        return f"/coursekit/class/en/{role}"

    def open(self, role: str, cookie: str | None = None) -> Page:
        """Connect a console or a projector."""
        url = f"ws://{self.place.netloc}{self.path(role)}/socket"
        return Page(self.stack, url, self.cookie if cookie is None else cookie)

    def phone(self, console: Page, name: str) -> Page:
        """Let somebody join."""
        url = console.heard["door"]["url"]
        page = Page(self.stack, f"{url.replace('http', 'ws', 1)}/socket")
        page.send("hello", code=console.heard["room"]["code"], language="en")
        page.send("join", name=name)
        page.until(lambda heard: heard["welcome"])
        return page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """A server for all tests here: each begins a lesson of its own."""
    folder = tmp_path_factory.mktemp("class")
    command = [
        "class",
        "wizard",
        "--no-browser",
        "--port",
        "0",
        "--room-port",
        "0",
        "--language",
        "en",
    ]
    environment = os.environ | {"COURSEKIT_DATA": str(folder), "LANGUAGE": "en"}
    said = folder / "said.txt"
    with said.open("w", encoding="utf-8") as out:
        run = subprocess.Popen(
            [sys.executable, "-m", "coursekit", *command], env=environment, stdout=out, stderr=out
        )
    try:
        end = time.monotonic() + START
        while not (found := re.search(r"http://\S+key=\S+", said.read_text("utf-8"))):
            assert run.poll() is None, said.read_text("utf-8")
            assert time.monotonic() < end
            time.sleep(PAUSE)
        yield Class(found[0])
    finally:
        run.terminate()
        run.wait(PATIENCE)


@pytest.fixture
def teaching(server: Class) -> Iterator[Class]:
    """The server, without a room and without anybody in it."""
    with ExitStack() as server.stack:
        console = server.open("console")
        console.send("delete")
        console.until(lambda heard: not heard["door"]["url"])
        yield server


def opened(teaching: Class) -> Page:
    """Return a console that has opened its room."""
    console = teaching.open("console")
    console.send("open_room", address="127.0.0.1", port=0)
    console.until(lambda heard: heard["door"]["url"] and not heard["room"]["people"])
    return console


def legal(view: dict[str, Any]) -> list[tuple[int, Any]]:
    """Return the decisions that *view* offers: who decides, and what."""
    found = []

    def look(part: Any) -> None:
        if isinstance(part, dict):
            seat = part.get("seat", view["viewer"])
            if "action" in part and part.get("legal") and seat in (view["viewer"], -1):
                found.append((seat, part["action"]))
            part = list(part.values())
        for each in part if isinstance(part, list) else ():
            look(each)

    look(view["scenes"][-1]["zones"])
    return found


def decide(phones: list[Page], n: int) -> None:
    """Let whoever of *phones* can decide something do so."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(PAUSE)
        for phone in phones:
            phone.send("ping")
            phone.until(lambda heard: heard.pop("pong", None))
            view = phone.heard["view"]["view"] if "view" in phone.heard else None
            if view and (offered := legal(view)):
                seat, action = offered[0]
                moment = {part: view[part] for part in ("match", "branch", "acted")}
                phone.send(
                    "act",
                    n=n,
                    table=phone.heard["table"]["table"],
                    seat=seat,
                    action=action,
                    **moment,
                )
                phone.until(lambda heard: heard["done"]["n"] == n)
                return
    raise AssertionError("nobody could decide anything")


def test_no_page_of_the_teacher_is_kept_or_guessed_at(teaching: Class) -> None:
    for role in ("console", "projector", "debrief", "data", "lesson", "doctor", "league"):
        answer = teaching.get(teaching.path(role))
        assert answer.headers["Cache-Control"] == "no-store", role
        assert answer.headers["X-Content-Type-Options"] == "nosniff", role
    assert (
        teaching.get(teaching.path("console/socket")).headers["X-Content-Type-Options"] == "nosniff"
    )


@pytest.mark.parametrize(
    "words", ["", "{", "[]", "7", '"deal"', '{"type": []}', "[" * 100_000, '{"type": "open_room"}']
)
def test_an_order_that_is_none_is_answered_and_the_console_stays(
    teaching: Class, words: str
) -> None:
    console = opened(teaching)
    console.socket.send(words)
    console.until(
        lambda heard: heard["refused"]["text"].startswith(("The page sent", "The message"))
    )
    console.send("say", text="still here")
    console.room(lambda room: room["message"] == "still here")


def test_a_room_that_is_open_stays_open_if_it_cannot_be_opened_elsewhere(teaching: Class) -> None:
    console = opened(teaching)
    url = console.heard["door"]["url"]
    phone = teaching.phone(console, "Ada")
    wrong = "from 0 to 65535"
    for port, why in (
        (99_999, wrong),
        ("x", wrong),
        ([1], wrong),
        (teaching.place.port, "cannot be opened"),
    ):
        console.heard.pop("refused", None)
        console.send("open_room", address="127.0.0.1", port=port)
        console.until(lambda heard: why in heard["refused"]["text"])  # noqa: B023
    assert console.heard["door"]["url"] == url
    phone.send("ping")
    phone.until(lambda heard: heard["pong"])


def test_after_a_change_of_the_address_all_are_asked_who_they_were(teaching: Class) -> None:
    console = opened(teaching)
    first = teaching.phone(console, "Ada")
    number = first.heard["welcome"]["number"]
    console.send("close_room")
    console.until(lambda heard: not heard["door"]["url"])
    console.send("open_room", address="127.0.0.1", port=0)
    console.until(lambda heard: heard["door"]["url"])
    stranger = Page(
        teaching.stack, f"{console.heard['door']['url'].replace('http', 'ws', 1)}/socket"
    )
    stranger.send("hello", code=console.heard["room"]["code"], language="en")
    assert stranger.until(lambda heard: heard["propose"])["back"]
    stranger.send("take", name="Ada", number=number)
    assert stranger.until(lambda heard: heard["welcome"])["name"] == "Ada"
    late = Page(teaching.stack, f"{console.heard['door']['url'].replace('http', 'ws', 1)}/socket")
    late.send("hello", code=console.heard["room"]["code"], language="en")
    assert not late.until(lambda heard: heard["propose"])["back"]


def test_without_the_key_there_is_no_console(teaching: Class) -> None:
    with pytest.raises(InvalidStatus):
        teaching.open("console", cookie="")


def test_the_console_shows_what_the_doctor_finds(teaching: Class) -> None:
    console = opened(teaching)
    found = json.loads(teaching.get(teaching.path("doctor")).read())["findings"]
    assert len(found) == 9
    port = str(urlsplit(console.until(lambda heard: heard["door"]["url"])).port)
    browser, ports = found[:2]
    assert browser["state"] == ports["state"] == "good"  # both are in use, by this class
    assert port in ports["words"]
    assert teaching.get(teaching.path("doctor"), Cookie="").status == 403


def test_a_room_opens_at_an_address_of_this_computer_and_says_so_in_words_if_not(
    teaching: Class,
) -> None:
    console = teaching.open("console")
    console.send("open_room", address="203.0.113.1")
    assert "203.0.113.1" in console.until(lambda heard: heard["refused"]["text"])
    console.send("open_room", address="127.0.0.1", port=0)
    door = console.until(lambda heard: heard["door"]["url"] and heard["door"])
    assert door["qr"].startswith("<svg")
    console.send("close_room")
    console.until(lambda heard: not heard["door"]["url"])


def test_the_projector_names_the_wi_fi_and_the_next_lesson_keeps_it(teaching: Class) -> None:
    console, projector = opened(teaching), teaching.open("projector")
    console.send("network", name=" Class 7;1 ", password="12345678")
    named = {"name": "Class 7;1", "password": "12345678"}
    for page in (console, projector):
        door = page.until(lambda heard: heard["door"]["network"]["name"] and heard["door"])
        assert door["network"] == named
        assert door["network_qr"].startswith("<svg")
    console.send("network", name="Class", password="short")
    assert "5" in console.until(lambda heard: heard["refused"]["text"])
    phone = teaching.phone(console, "Ada")
    assert "12345678" not in json.dumps(phone.heard)
    code = console.heard["room"]["code"]
    console.send("begin")
    console.room(lambda room: room["code"] != code)
    assert console.heard["door"]["network"] == named
    console.send("network", name="")
    assert console.until(lambda heard: not heard["door"]["network_qr"])
    assert console.heard["door"]["network"] == {"name": "", "password": ""}


def test_a_lesson_from_the_lobby_to_the_debrief(teaching: Class) -> None:
    console, projector = opened(teaching), teaching.open("projector")
    phones = [teaching.phone(console, name) for name in ("Ada", "Bo")]
    number = console.room(lambda room: len(room["people"]) == 2 and room["people"][0]["number"])
    people = projector.room(lambda room: len(room["people"]) == 2 and room["people"])
    assert [each["name"] for each in people] == ["Ada", "Bo"]
    assert number not in json.dumps(projector.heard)

    console.send("set", minutes=20, preset="lesson")
    console.send("deal")
    assert console.room(lambda room: room["settings"]["minutes"] == 20 and room["tables"])
    assert projector.room(lambda room: len(room["tables"]) == 1)

    console.send("pause", on=True, table=None)
    projector.room(lambda room: room["tables"][0]["paused"])
    phones[0].until(lambda heard: heard["view"]["view"]["paused"])
    console.send("pause", on=False, table=None)
    projector.room(lambda room: not room["tables"][0]["paused"])
    phones[0].until(lambda heard: not heard["view"]["view"]["paused"])

    console.send("names", on=False)
    projector.room(lambda room: "Ada" not in json.dumps(room))
    console.room(lambda room: room["nameless"] and room["people"][0]["name"] == "Ada")

    console.send("watch", table=1)
    assert projector.until(lambda heard: heard["view"]["view"])["viewer"] is None
    late = teaching.open("projector")
    assert late.room(lambda room: room["watched"]) == 1
    assert late.until(lambda heard: heard["view"]["view"])["viewer"] is None

    decide(phones, 1)
    console.send("moments", table=1)
    entry = console.until(lambda heard: heard["moments"]["moments"])[0]["entry"]
    console.send("back", table=1, entry=entry)
    branch = console.room(lambda room: room["tables"][0]["moved"][0])
    assert branch > 0

    console.send("ask", words="What did you see?", own=True)
    phones[1].room(lambda room: room["question"]["words"] == "What did you see?")
    phones[1].send("answer", n=2, question=0, text="Two trumps.")
    answer = console.room(lambda room: room["answers"][0])
    assert (answer["name"], answer["text"], answer["shown"]) == ("Bo", "Two trumps.", False)
    assert "Two trumps." not in json.dumps(projector.heard)
    console.send("close", question=answer["question"])
    console.send("show", answers=[[answer["question"], answer["person"]]])
    projector.room(lambda room: room["question"]["shown"] == ["Two trumps."])
    console.send("stage", stage="pair", seconds=60)
    assert (
        projector.room(lambda room: room["stage"]["name"] == "pair" and room["stage"]["left"]) <= 60
    )

    assert b"Not yet" in teaching.get(teaching.path("debrief")).read()
    console.send("end")
    projector.room(lambda room: room["ended"] and room["tables"][0]["over"])
    assert b"Not yet" not in teaching.get(teaching.path("debrief")).read()


def test_strategies_that_phones_hand_in_are_checked_and_play_a_league_beside_the_lesson(
    teaching: Class,
) -> None:
    console = opened(teaching)
    console.send("set", game="wikipedia")
    console.send("collect", on=True)
    console.send("league")
    assert "2 to 40" in console.until(lambda heard: heard["refused"]["text"])
    programs = {
        "../Ada": "from coursekit.games.wikipedia.strategies import Editor\nclass Mine(Editor): pass",
        "Bo": "from coursekit.core.strategy import AtRandom\nclass Other(AtRandom): pass",
        "Cy": "while True: pass",
    }
    phones = {name: teaching.phone(console, name) for name in programs}
    for name, source in programs.items():
        phones[name].send("entry", n=1, source=source)
    assert "line 1" in phones["Cy"].room(lambda room: room["entry"]["wrong"])
    assert phones["Bo"].room(lambda room: room["entry"]["strategy"]) == "Other"
    console.room(
        lambda room: (
            len(room["entries"]) == 3 and not any(each["waits"] for each in room["entries"])
        )
    )
    console.send("league")
    console.until(lambda heard: heard["door"]["league"]["done"])
    page = teaching.get(teaching.path("league")).read().decode()
    assert "Ada-1.py" in page
    assert "Bo-2.py" in page
    assert teaching.get(teaching.path("league"), Cookie="").status == 403
    console.send("stop_league")
    told = console.until(lambda heard: heard["door"]["league"]["over"] and heard["door"]["league"])
    assert told["wrong"] == ""
    folder = Path(told["folder"])
    assert {"Ada-1.py", "Bo-2.py", "standing.csv", "match.json"} <= {
        each.name for each in folder.iterdir()
    }
    assert teaching.get(teaching.path("data")).headers["Content-Type"] == "application/zip"
    console.send("delete")
    console.room(lambda room: not room["people"])
    assert not folder.exists()


def test_another_lesson_begins_and_an_earlier_one_goes_on(teaching: Class) -> None:
    console = opened(teaching)
    code, file = console.heard["room"]["code"], console.heard["door"]["file"]
    teaching.phone(console, "Ada")
    console.room(lambda room: room["people"])
    console.send("begin")
    console.room(lambda room: room["code"] != code and not room["people"])
    lessons = console.until(
        lambda heard: heard["door"]["file"] != file and heard["door"]["lessons"]
    )
    assert file in lessons
    console.send("go_on", name=file)
    assert console.room(lambda room: room["code"] == code and room["people"])[0]["name"] == "Ada"
    assert (
        console.until(lambda heard: heard["door"]["file"] == file and heard["door"])["lessons"]
        == lessons[1:]
    )
    console.send("delete")
    notes = console.room(lambda room: room["code"] != code and room["notes"])
    assert "deleted" in notes[0]["words"]
    assert console.until(lambda heard: heard["door"]["lessons"] == lessons[1:])


def test_a_file_from_elsewhere_goes_on_as_far_as_it_can_or_is_refused(
    teaching: Class, tmp_path: Path
) -> None:
    console = opened(teaching)
    code = console.heard["room"]["code"]
    teaching.phone(console, "Ada")
    console.room(lambda room: room["people"])
    path = teaching.path("lesson")
    content = teaching.get(path).read()
    page = teaching.get(teaching.path("console"))
    xsrf = json.loads(re.search(r'id="told">(.*?)</script>', page.read().decode(), re.DOTALL)[1])[
        "xsrf"
    ]  # type: ignore[index]
    own = {"X-XSRFToken": xsrf, "Origin": f"http://{teaching.place.netloc}"}
    assert teaching.get(path, "POST", content, Origin="http://elsewhere.example").status == 403
    console.send("begin")
    console.room(lambda room: room["code"] != code)
    for wrong, why in ((b"nonsense", "its content is damaged"), (b"", "there is nothing in it")):
        answer = teaching.get(path, "POST", wrong, **own)
        assert (answer.status, answer.read().decode()) == (
            400,
            f"This lesson's file cannot be used: {why}.",
        )
    (tmp_path / "brought").write_bytes(content)
    with closing(sqlite3.connect(tmp_path / "brought", isolation_level=None)) as file:
        file.execute("""UPDATE events SET at = '2026-02-01 03:04:05' WHERE n = 1""")
        file.execute("""INSERT INTO events (event) VALUES ('{"e": "act", "table": 7}')""")
        file.execute("PRAGMA journal_mode = DELETE")
    assert teaching.get(path, "POST", (tmp_path / "brought").read_bytes(), **own).status == 200
    assert console.room(lambda room: room["code"] == code and room["people"])[0]["name"] == "Ada"
    assert (
        "is damaged" in console.heard["room"]["notes"][0]["words"]
    )  # there is no table 7; all before it has come back
    began = datetime(2026, 2, 1, 3, 4, 5, tzinfo=UTC).astimezone()
    assert console.until(lambda heard: heard["door"]["file"] == f"{began:%Y-%m-%d-%H%M%S}.lesson")
