"""Phones of a class at drawn sizes, and what is wrong with how they look.

The page is the phones' own, told by a room in this process: no server, no clock.

``python tests/browser/phone_screens.py 100`` draws a hundred and prints the seed of each that
fails; ``--seed 17`` looks at one, ``--keep FOLDER`` saves pictures.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

sys.path[:0] = [
    str(Path(__file__).parents[1] / part) for part in ("", "room", "testing", "browser")
]

from classroom import CODE, Classroom, Phone, class_of, sent  # noqa: E402
from playwright.sync_api import Page as BrowserPage  # noqa: E402
from playwright.sync_api import Route, WebSocketRoute  # noqa: E402
from screen_command import look_at_seeds  # noqa: E402
from webpage import DRAWN  # noqa: E402

from coursekit.core.game import TABLE, Game, pick_action  # noqa: E402
from coursekit.games.blockade import Blockade  # noqa: E402
from coursekit.games.knitwit import KnitWit  # noqa: E402
from coursekit.games.wikipedia import Wikipedia  # noqa: E402
from coursekit.games.wizard import Wizard  # noqa: E402
from coursekit.room.page import Page  # noqa: E402
from coursekit.room.phone_messages import PhoneMessages  # noqa: E402
from coursekit.serve.room.page_files import file_tags, find_file  # noqa: E402
from coursekit.serve.room.phone_server import phone_html  # noqa: E402

ADDRESS = "http://127.0.0.1:9/"  # answered by the browser itself
FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")
MESSAGE = "再五分鐘就收牌，請把最後一張想清楚。Five more minutes, then we collect the cards."
QUESTION = "你為什麼出這張牌？如果重來一次，你會出哪一張？ Why did you play this card?"
BARS = ("question", "answered", "message", "steps")
"""What may stand above a table."""


@dataclass(frozen=True)
class PhoneScreen:
    """What was drawn from one seed."""

    seed: int
    game: Game[Any, Any, Any]
    steps: int
    language: str
    bars: frozenset[str]
    """Of :data:`BARS`."""
    width: int
    height: int
    letters: int
    """Percent of the letters that a browser has from the start."""
    dark: bool
    ended: bool = False
    """Whether the teacher has ended the match."""

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {type(self.game).__name__} of {self.game.players}, step {self.steps}, "
            f"{self.language}, {' '.join(sorted(self.bars)) or 'no bar'}, "
            f"{'ended, ' if self.ended else ''}"
            f"{self.width} x {self.height}, letters {self.letters} %"
        )


def draw(seed: int) -> PhoneScreen:
    """Return the screen of *seed*: a phone upright or turned, or a tablet."""
    rng = Random(f"phone {seed}")
    kind = rng.choice((Wikipedia, Wizard, Blockade, KnitWit))
    players = rng.choice(
        {Wikipedia: (2, 4, 6, 8), Wizard: (3, 4, 5, 6), Blockade: (4,)}.get(kind, range(2, 9))
    )
    upright = (rng.randint(320, 430), rng.randint(540, 930))
    zoomed = (rng.randint(195, 320), rng.randint(320, 620))
    turned = (rng.randint(568, 930), rng.randint(280, 430))
    tablet = (rng.randint(700, 1100), rng.randint(700, 1370))
    width, height = rng.choice((upright, upright, upright, zoomed, turned, tablet))
    return PhoneScreen(
        seed,
        kind(players),
        rng.choice((0, 1, 5, rng.randrange(60), rng.randrange(400), 100_000)),
        rng.choice(("zh-Hant", "en", "zh-Hans")),
        frozenset(rng.sample(BARS, rng.choice((0, 0, 0, 1, 2)))),
        width,
        height,
        rng.choice((100, 100, 100, 130, 200)),
        dark=rng.random() < 0.3,
        ended=rng.random() < 0.2,
    )


class PhonePage:
    """The page of a phone in *page*, with a person of *classroom* before it."""

    def __init__(self, page: BrowserPage, classroom: Classroom, person: int, language: str) -> None:
        self.page, self.classroom, self.person = page, classroom, person
        self.language = language
        page.add_init_script(
            f"localStorage.setItem('coursekit-room:{CODE}', 'key-of-{person}!');"
            f"localStorage.setItem('coursekit-room:language', '{language}');"
            "localStorage.setItem('coursekit:speed', 'once');"
        )
        page.route(f"{ADDRESS}**", self._give)
        page.route_web_socket(lambda url: url.endswith("/socket"), self._connect)

    def _give(self, route: Route) -> None:
        path = urlsplit(route.request.url).path.lstrip("/")
        if path in ("", CODE):
            route.fulfill(content_type="text/html", body=phone_html(self.language))
        elif file := find_file(path.removeprefix("parts/")):
            route.fulfill(content_type=file.kind, body=file.content)
        else:
            route.fulfill(status=404)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.phone = WirePhone(self.classroom, socket)
        socket.on_message(self._take)

    def _take(self, words: str | bytes) -> None:
        content = words.encode() if isinstance(words, str) else words
        PhoneMessages(self.classroom.room).receive(self.phone.page, content)
        self.classroom.collect()

    def open(self) -> None:
        """Show the table."""
        file_tags()  # takes a second once, in which no page waits
        self.page.goto(f"{ADDRESS}{CODE}")
        self.page.wait_for_selector("#place .ck-prompt", state="attached")
        self.page.evaluate("document.fonts.ready")
        self.page.evaluate(DRAWN)


class WirePhone(Phone):
    """A phone whose messages go through *socket*."""

    def __init__(self, classroom: Classroom, socket: WebSocketRoute) -> None:
        super().__init__(classroom, Page("phone"))
        classroom.room.connect(self.page)
        self.socket = socket
        classroom.all.append(self)

    def told(self, message: dict[str, Any]) -> None:
        super().told(message)
        self.socket.send(sent(message).decode())


def played(screen: PhoneScreen) -> Classroom:
    """Return a class at one table, after the steps of *screen*, played at random."""
    game = screen.game
    classroom = class_of([list(range(1, game.players + 1))], game, f"phone {screen.seed}")
    table, rng = classroom.lesson.tables[1], Random(screen.seed)
    for _ in range(screen.steps):
        match = table.run.match
        if table.over or match.over:
            break
        seat = game.to_act(match.state)[0]
        action = pick_action(game.legal_actions(match.state, seat), rng)
        table.act(seat, action, table.people.get(seat))
    if screen.ended:
        classroom.order("end_now")
    classroom.order("step", step="play", free="steps" in screen.bars)
    if "message" in screen.bars:
        classroom.order("say", text=MESSAGE)
    if screen.bars & {"question", "answered"}:
        classroom.order("ask", words=QUESTION, own=True)
    return classroom


def deciding(classroom: Classroom, seed: int) -> int:
    """Return the person who decides now, or else any."""
    table = classroom.lesson.tables[1]
    people = list(table.people.values())
    match = table.run.match
    if match.over or seed % 4 == 0:
        return people[seed % len(people)]
    seats = [seat for seat in table.game.to_act(match.state) if seat != TABLE]
    return table.people[seats[0]] if seats else people[seed % len(people)]


def show(page: BrowserPage, screen: PhoneScreen) -> PhonePage:
    """Show *screen* in *page*."""
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.emulate_media(reduced_motion="reduce", color_scheme="dark" if screen.dark else "light")
    session = page.context.new_cdp_session(page)
    size = 16 * screen.letters // 100
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
    classroom = played(screen)
    shown = PhonePage(page, classroom, deciding(classroom, screen.seed), screen.language)
    shown.open()
    if page.locator(".phone-question").count():
        if "answered" in screen.bars:
            page.fill("#answer", "因為 because")
            page.click(".phone-question [type=submit]")
        elif screen.seed % 2:
            page.locator(".phone-question > .phone-link").click()
    page.evaluate("document.activeElement.blur()")
    page.evaluate(DRAWN)
    return shown


def faults(page: BrowserPage, screen: PhoneScreen) -> list[str]:
    """Return what is wrong with *screen* as *page* shows it."""
    show(page, screen)
    return list(page.evaluate(FAULTS))


if __name__ == "__main__":
    look_at_seeds(__doc__, draw, faults, touched=True)
