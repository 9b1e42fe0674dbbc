"""Console and projector of classes at drawn sizes of window and letters, and what is wrong with how
they look.

``python tests/browser/class_screens.py 100`` draws a hundred and prints the seed of each that
fails; ``--seed 17`` looks at one, ``--keep FOLDER`` saves pictures.
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

sys.path[:0] = [str(Path(__file__).parents[1] / part) for part in ("", "room", "browser")]

from classroom import CODE, Classroom  # noqa: E402
from playwright.sync_api import Page, Route, WebSocketRoute  # noqa: E402
from screen_command import look_at_seeds  # noqa: E402
from webpage import DRAWN  # noqa: E402

from coursekit.core.game import pick_action  # noqa: E402
from coursekit.kit import GAMES, kit_of  # noqa: E402
from coursekit.room.page import Page as RoomPage  # noqa: E402
from coursekit.room.room_table import best_strategy  # noqa: E402
from coursekit.room.seating import arrange, seats_for  # noqa: E402
from coursekit.serve import pages  # noqa: E402
from coursekit.serve.notebooks import NotebookShelf  # noqa: E402
from coursekit.serve.room.join_address import draw_qr, network_words  # noqa: E402
from coursekit.serve.room.page_files import find_file  # noqa: E402
from coursekit.serve.room.teacher_server import teacher_page  # noqa: E402

ADDRESS = "http://127.0.0.1:9/coursekit/class"  # answered by the browser itself
SHEETS = ("", "", "table", "moments", "person", "end", "notes", "list")
"""What stands over the console; "" for nothing."""
NAMES = (
    *("小明", "王大同", "陳美玲", "Ann", "Bo", "勇敢的貓頭鷹", "司馬相如", "Steady Leopard 2"),
    *("W" * 16, "龍" * 16, "W" * 40, "龍" * 40, "مريم بنت عبد الله", "ก็" * 8, "👩‍👩‍👧‍👦" * 2),
)
NETWORKS = ("NTU", "School Guest 5 GHz", "W" * 32, "校園無線網路一二三四")
SENTENCE = "我覺得電腦策略太早用掉了好牌，所以最後一輪沒有牌可以出。 I would have kept the wizard. "
FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")
BROKEN = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement } = walk.currentNode;
    if (/STYLE|SCRIPT|OPTION|TITLE/.test(parentElement.tagName)) continue;
    if (parentElement.closest("[class*=unseen]")) continue;
    for (const word of data.matchAll(/[-A-Za-z0-9]{2,}/g)) {
      if (word[0].length > 15) continue; // a name
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) found.add(`broken: ${word[0]} in ${parentElement.className}`);
    }
  }
  return [...found];
}"""
"""Finds words and numbers of which a part stands in the next line."""


@dataclass(frozen=True)
class ClassScreen:
    """What was drawn from one seed."""

    seed: int
    role: str
    game: str
    people: int
    size: int
    """How many sit at a table, where the game leaves a choice."""
    language: str
    width: int
    height: int
    letters: int
    """Percent of the letters that a browser has from the start."""
    scheme: str
    sheet: str

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.role} of {self.people} at {self.game} by {self.size}, "
            f"{self.language}, {self.width} x {self.height}, letters {self.letters} %, "
            f"{self.scheme}, {self.sheet or 'no sheet'}"
        )


def draw(seed: int) -> ClassScreen:
    """Return the screen of *seed*."""
    rng = Random(f"class {seed}")
    role = rng.choice(("console", "console", "projector"))
    return ClassScreen(
        seed,
        role,
        rng.choice([name for name in GAMES if GAMES[name].scene]),
        rng.choice((1, 8, 30, 40, 48, rng.randint(1, 48))),
        rng.choice((2, 4, 4, 4, 6, 8)),
        rng.choice(("zh-Hant", "en", "zh-Hans")),
        rng.choice((1280, 1280, 1920, rng.randint(1024, 2560))),
        rng.choice((720, 720, 1024, rng.randint(640, 1440))),
        rng.choice((100, 100, 100, 125, 150)) if role == "console" else 100,
        rng.choice(("light", "dark")),
        rng.choice(SHEETS) if role == "console" else "",
    )


def drawn_class(screen: ClassScreen) -> Classroom:
    """Return the class of *screen*: its people, what they play, and what else has happened."""
    rng = Random(screen.seed)
    people = list(range(1, screen.people + 1))
    minutes = rng.choice((0, 20, 20))
    events: list[dict[str, Any]] = [
        {"e": "open", "id": "lesson", "code": CODE, "game": screen.game, "minutes": minutes}
    ]
    for person in people:
        events.append(
            {
                "e": "join",
                "person": person,
                "name": f"{rng.choice(NAMES)}{person if rng.random() < 0.5 else ''}"[-40:],
                "key": "",
                "number": f"{rng.randrange(10_000):04}",
            }
        )
        if rng.random() < 0.1:
            events.append({"e": "approve", "person": person, "on": False})
        if rng.random() < 0.1:
            events.append({"e": "wish", "person": person, "name": rng.choice(NAMES), "n": 1})
    if rng.random() < 0.5:
        entries = [[str(number), rng.choice(NAMES)] for number in range(1, 30)]
        events.append({"e": "class_list", "entries": entries})
    if rng.random() < 0.5:
        network = {"name": rng.choice(NETWORKS), "password": rng.choice(("", "W" * 12, "W" * 63))}
        events.append({"e": "network", **network})
    if rng.random() < 0.3:
        events.append({"e": "say", "text": SENTENCE * rng.randint(1, 3)})
    classroom = Classroom(events=events)
    for person in people:
        if rng.random() < 0.9:
            phone = RoomPage("phone", "en")
            classroom.room.connect(phone)
            phone.person = person
    if rng.random() < 0.85:
        _play(classroom, people, screen, rng)
    _ask(classroom, people, rng)
    for _ in range(rng.choice((0, 0, 1, 30))):
        _note(classroom, rng)
    for phone in (classroom.console, classroom.projector):
        phone.page.language = screen.language
    classroom.collect()
    return classroom


def _play(classroom: Classroom, people: list[int], screen: ClassScreen, rng: Random) -> None:
    counts = kit_of(screen.game).rules.player_counts
    settings = classroom.lesson.settings
    tables = []
    for number, group in enumerate(arrange([], people, counts, screen.size), 1):
        seats = seats_for(len(group), counts)
        game = settings.rules(seats)
        strategies = [best_strategy(game, "en")] * (seats - len(group))
        tables.append(
            {
                "id": number,
                "game": screen.game,
                "players": seats,
                "options": asdict(game.options),
                "seats": [*group, *strategies],
                "seed": f"seed {screen.seed} {number}",
            }
        )
    classroom.room.do("deal", tables=tables, language="en")
    for table in classroom.lesson.current_tables:
        for _ in range(rng.choice((0, 5, 40))):
            deciding = table.game.to_act(table.run.match.state)
            if table.over or not deciding:
                break
            seat = deciding[0]
            action = pick_action(table.game.legal_actions(table.run.match.state, seat), rng)
            classroom.room.do("act", table=table.table_id, seat=seat, action=action)
        table.time += rng.choice((3.0, 75.0, 700.0))
        table.run.stood_in |= {seat for seat in table.people if rng.random() < 0.1}
        happens = rng.choice(("", "", "", "pause", "ending", "end_now"))
        if happens == "end_now":
            classroom.room.do("end_now", table=table.table_id)
        elif happens:
            classroom.room.do(happens, on=True, table=table.table_id)
    if rng.random() < 0.3:
        for table in classroom.lesson.current_tables:
            table.time += 3000.0
    if rng.random() < 0.2:
        classroom.room.enlarged_table = rng.choice(classroom.lesson.current_tables).table_id


def _ask(classroom: Classroom, people: list[int], rng: Random) -> None:
    if rng.random() < 0.6:
        return
    room = classroom.room
    room.do("ask", words=SENTENCE * rng.randint(1, 3), own=True)
    answering = [person for person in people if rng.random() < 0.8]
    for person in answering:
        text = SENTENCE * rng.randint(1, 5)
        room.do("answer", question=0, person=person, text=text[:500], n=1)
    if rng.random() < 0.5:
        shown = rng.sample(answering, min(len(answering), rng.randint(1, 6)))
        room.do("show", answers=[[0, person] for person in shown])
    room.do("collect", on=True)
    for person in answering[::3]:
        room.do("entry", person=person, source="x = 1", n=2)
        verdict = {"strategy": "W" * 40} if rng.random() < 0.5 else {"wrong": {"en": SENTENCE}}
        room.do("verdict", person=person, n=2, **verdict)


def _note(classroom: Classroom, rng: Random) -> None:
    tables = classroom.lesson.current_tables
    if tables and rng.random() < 0.8:
        strategy = rng.choice(("CardCounter", "AtRandom", "W" * 40))
        classroom.room.note("room.stopped", at=rng.choice(tables), strategy=strategy)
    else:
        classroom.room.note("room.crowded", allowed=rng.randrange(60, 70))


def with_points(message: dict[str, Any]) -> dict[str, Any]:
    """Return *message* with points as a long match brings them."""
    rng = Random("points")
    for table in message.get("tables", ()):
        for seat in table["seats"]:
            seat["points"] = rng.choice((0, 20, -10, 130, -120, 1300))
    return message


class TeacherScreen:
    """A page of the teacher on *page*, whose orders *classroom* carries out: without a server."""

    def __init__(self, page: Page, classroom: Classroom, role: str, language: str) -> None:
        self.page = page
        self.classroom = classroom
        self.phone = classroom.console if role == "console" else classroom.projector
        self.phone.page.language = language
        self._told = 0
        site = pages.Site(NotebookShelf(Path()))
        self._html = teacher_page(site, language, role, "token")
        page.route(f"{ADDRESS}/**", self._answer)
        page.route("**/coursekit/static/**", self._answer)
        page.route_web_socket("**/socket", self._connect)
        page.goto(f"{ADDRESS}/{language}/{role}")
        page.locator("h1:visible, h2:visible").first.wait_for()

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        name = path.rpartition("/")[2]
        file = find_file(name) if "/parts/" in path else None
        if file is not None:
            route.fulfill(content_type=file.kind, body=file.content)
        elif "/static/" in path:
            route.fulfill(path=pages.STATIC / path.partition("/static/")[2])
        else:
            route.fulfill(content_type="text/html", body=self._html)

    def _connect(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        self.classroom.room.leave(self.phone.page)
        self.classroom.room.connect(self.phone.page)
        self._told = len(self.phone.bytes)
        socket.on_message(self._hear)
        network = self.classroom.lesson.network
        door = {
            "type": "door",
            "network": network._asdict(),
            "network_qr": draw_qr(network_words(*network)) if network.name else "",
            "url": "http://192.168.100.200:8870",
            "unreached": False,
            "qr": draw_qr(f"http://192.168.100.200:8870/{CODE}"),
            "addresses": ["192.168.100.200", "127.0.0.1"],
            "port": 8870,
            "lessons": [f"2026-11-{day}-101500.lesson" for day in range(20, 25)],
            "file": "2026-11-28-101500.lesson",
            "league": None,
        }
        socket.send(json.dumps(door))
        self.tell()

    def _hear(self, message: str | bytes) -> None:
        order = json.loads(message)
        if order["type"] == "ping":
            self._socket.send('{"type": "pong"}')
        elif self.phone is self.classroom.console:
            self.classroom.order(**order)
            self.tell()

    def tell(self) -> None:
        """Tell the page what is new."""
        self.classroom.collect()
        for message in self.phone.bytes[self._told :]:
            self._socket.send(json.dumps(with_points(json.loads(message))))
        self._told = len(self.phone.bytes)


def open_sheet(screen: TeacherScreen, sheet: str) -> None:
    """Open a sheet of the console, if there is anything that it could be about."""
    page = screen.page
    at = "document.querySelector('dialog[open]')"
    if sheet == "list":
        page.evaluate("coursekit_console.open('listSheet')")
        page.wait_for_function(at)
        return
    if not screen.classroom.lesson.current_tables:
        return
    played = max(screen.classroom.lesson.current_tables, key=lambda at: len(at.run.match.log))
    table = played.table_id
    orders = {
        "table": f"coursekit_console.open('tableSheet', {table})",
        "moments": f"coursekit_console.openMoments({table})",
        "person": "coursekit_console.open('personSheet', 1)",
        "end": "coursekit_console.endNow()",
        "notes": "coursekit_console.open('notesSheet')",
    }
    page.evaluate(orders[sheet])
    page.wait_for_function(at)


def faults(page: Page, screen: ClassScreen) -> list[str]:
    """Return what is wrong with *screen* as *page* shows it."""
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.emulate_media(reduced_motion="reduce", color_scheme=screen.scheme)  # type: ignore[arg-type]
    session = page.context.new_cdp_session(page)
    size = 16 * screen.letters // 100
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
    shown = TeacherScreen(page, drawn_class(screen), screen.role, screen.language)
    if screen.sheet:
        open_sheet(shown, screen.sheet)
    page.evaluate("document.activeElement.blur()")
    page.evaluate(DRAWN)
    return [*page.evaluate(FAULTS), *page.evaluate(BROKEN)]


if __name__ == "__main__":
    look_at_seeds(__doc__, draw, faults)
