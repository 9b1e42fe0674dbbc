"""A class on its own phones: browsers of three engines join, play by touches, come back, and
answer.
"""

import json
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from engines import Engine
from lanes import PATIENCE, START
from playwright.sync_api import Browser, BrowserContext, Page, expect
from test_engines import CLICK, FASTEST
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from coursekit.room.teacher_commands import GRACE

PHONE = {"width": 360, "height": 640}
PRESETS = {"wizard": "open", "wikipedia": "open", "blockade": "one_era", "knitwit": "short"}
"""The shortest match of each game."""
MOST = 3000  # touches of a match


class Classroom:
    """``coursekit class``, with the teacher's console as a socket and a wire to the phones that can
    be cut.
    """

    def __init__(self, game: str, language: str = "zh-Hant") -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.wire = Wire()
        command = [
            sys.executable,
            "-m",
            "coursekit",
            "class",
            game,
            "--port",
            "0",
            "--no-browser",
            "--language",
            language,
        ]
        command += ["--room", "127.0.0.1", "--room-port", "0", "--public-url", self.wire.url]
        log = Path(self._folder.name) / "log"
        environment = {**os.environ, "COURSEKIT_DATA": self._folder.name, "LC_ALL": "C.UTF-8"}
        with log.open("w") as out:
            self._process = subprocess.Popen(
                command, stdout=out, stderr=subprocess.STDOUT, env=environment
            )
        end = time.monotonic() + START
        while not (
            found := re.search(r"(http://127\.0\.0\.1:(\d+))/\S*key=(\S+)", log.read_text())
        ):
            assert self._process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        self.base, self.key = found[1], found[3]
        self.cookie = {"name": f"coursekit-{found[2]}", "value": self.key, "url": self.base}
        address = f"{self.base.replace('http', 'ws')}/coursekit/class/{language}/console/socket"
        cookie = {"Cookie": f"{self.cookie['name']}={self.key}"}
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(address, origin=self.base, additional_headers=cookie)
        )
        self.told: dict[str, dict[str, Any]] = {}
        threading.Thread(target=self._read, daemon=True).start()
        self.until(lambda: "room" in self.told and "door" in self.told)
        self.wire.goal = self.told["door"]["port"]
        self.address = f"{self.wire.url}/{self.room['code']}"

    def _read(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                message = json.loads(self._socket.recv())
                self.told[message["type"]] = message

    @property
    def room(self) -> dict[str, Any]:
        """What the console has been told last."""
        return self.told["room"]

    def order(self, **message: Any) -> None:
        """Ask for something as the console does."""
        self._socket.send(json.dumps(message))

    def until(self, condition: Callable[[], Any]) -> None:
        """Wait until *condition* holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.told
            time.sleep(0.02)

    def deal(self, people: int) -> None:
        """Begin as soon as so many people are here; nobody is stood in for, however slow."""
        self.until(lambda: sum(each["here"] for each in self.room["people"]) == people)
        self.order(type="set", grace=max(GRACE))
        self.order(type="deal")
        self.until(
            lambda: self.room["tables"] and not all(each["over"] for each in self.room["tables"])
        )

    @property
    def log(self) -> str:
        """What the server has written to the terminal."""
        return (Path(self._folder.name) / "log").read_text()

    @property
    def over(self) -> bool:
        """Whether all tables have ended."""
        return all(each["over"] for each in self.room["tables"])

    def close(self) -> None:
        """End everything."""
        self._open.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
        self.wire.close()
        self._folder.cleanup()


class Wire(threading.Thread):
    """Stands between phones and room; while it is cut nothing goes through, and nobody is told.

    What is sent meanwhile is lost, and its connection with it.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.goal = 0
        self.whole = threading.Event()
        self.whole.set()
        self.start()

    def run(self) -> None:
        """Take connections."""
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        with suppress(OSError), near, socket.create_connection(("127.0.0.1", self.goal)) as far:
            ends = {near: far, far: near}
            while True:
                ready, _, _ = select.select(list(ends), [], [], 0.1)
                for each in ready:
                    if not self.whole.is_set():
                        self.whole.wait()
                        return
                    if not (given := each.recv(65536)):
                        return
                    ends[each].sendall(given)

    def close(self) -> None:
        """Take no more."""
        self.whole.set()
        self._listener.close()


@pytest.fixture
def classroom() -> Iterator[Callable[..., Classroom]]:
    """``classroom("wizard")`` opens a room for that game."""
    rooms: list[Classroom] = []

    def start(game: str, **how: str) -> Classroom:
        rooms.append(Classroom(game, **how))
        return rooms[-1]

    yield start
    for each in rooms:
        each.close()


@pytest.fixture
def browser_of(browser: Browser, traffic: Any) -> Iterator[Callable[..., BrowserContext]]:
    """``browser_of(viewport=PHONE)`` is one person's browser, which asks nothing of another
    machine.
    """
    contexts: list[BrowserContext] = []

    def start(**how: Any) -> BrowserContext:
        contexts.append(browser.new_context(**{"viewport": PHONE, "locale": "zh-TW"} | how))
        contexts[-1].set_default_timeout(1000 * PATIENCE)
        contexts[-1].set_default_navigation_timeout(1000 * START)
        traffic.attach(contexts[-1])
        return contexts[-1]

    yield start
    for each in contexts:
        each.close()


@pytest.fixture
def phones(browser_of: Callable[..., BrowserContext]) -> Callable[[Classroom, int], list[Page]]:
    """``phones(room, 4)`` are four phones, each with a browser of its own, that have joined."""

    def start(room: Classroom, count: int) -> list[Page]:
        found = []
        for _ in range(count):
            page = browser_of(has_touch=True, is_mobile=True, reduced_motion="reduce").new_page()
            page.goto(room.address)
            page.click("button[type=submit]")
            page.wait_for_selector(".phone-in")
            found.append(page)
        return found

    return start


HAND = "#place .ck-hand .ck-piece"
"""The cards of one's own hand; those in pictures of the rules, above, are gone after the deal."""


def hand(page: Page) -> list[str]:
    """Return the cards in the hand that *page* shows, in words."""
    page.wait_for_selector(HAND)
    words: list[str] = page.eval_on_selector_all(
        HAND, "cards => cards.map((each) => each.getAttribute('aria-label') ?? '')"
    )
    return words


def touch_all(pages: Sequence[Page | Engine], enough: Callable[[], bool]) -> list[int]:
    """Let everybody touch the first thing they can, in turn, until it is *enough*; return how often
    each did.
    """
    for page in pages:
        if isinstance(page, Engine):
            page.wait_for("!!document.querySelector('.ck-table .ck-prompt')", PATIENCE)
        else:
            page.wait_for_selector(".ck-table .ck-prompt")
        page.evaluate(FASTEST)
    touches, end = [0] * len(pages), time.monotonic() + PATIENCE
    while not enough():
        assert sum(touches) < MOST
        assert time.monotonic() < end, touches
        did = [bool(page.evaluate(CLICK)) for page in pages]
        touches = [before + now for before, now in zip(touches, did)]
        if any(did):
            end = time.monotonic() + PATIENCE
        else:
            time.sleep(0.1)
    return touches


@pytest.fixture(scope="module")
def both(start_engine: Callable[..., Engine]) -> list[Engine]:
    """A Firefox and a WebKit."""
    return [start_engine("firefox"), start_engine("webkit")]


@pytest.fixture
def engines(both: list[Engine]) -> Iterator[list[Engine]]:
    """Both, which leave the room when the test ends: in a page that is left open they would call
    for it on and on.
    """
    yield both
    for engine in both:
        engine.open("about:blank")
        engine.errors()


@pytest.mark.engines
@pytest.mark.parametrize("game", PRESETS)
def test_four_phones_of_three_engines_play_a_whole_match(
    game: str,
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    engines: list[Engine],
) -> None:
    room = classroom(game)
    errors: list[str] = []
    for engine in engines:
        engine.open(room.address)
        engine.wait_for("!!document.querySelector('#name')", PATIENCE)
        engine.evaluate("document.querySelector('button[type=submit]').click()")
        engine.wait_for("!!document.querySelector('.phone-in')", PATIENCE)
    pages = phones(room, 2)
    for page in pages:
        page.on("pageerror", lambda error: errors.append(str(error)))
    room.order(type="set", preset=PRESETS[game])
    room.deal(4)
    touches = touch_all([*pages, *engines], lambda: room.over)
    ended_early = (
        game == "wikipedia" and sum(touches) < 20
    )  # one point wins it, perhaps before all had a turn
    assert min(touches) > 0 or ended_early, (
        touches
    )  # nobody's seat was played by a strategy instead
    for each in [*pages, *engines]:
        assert each.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert errors + [error for engine in engines for error in engine.errors()] == []
    assert "refused a view" not in room.log


def test_a_page_shows_no_view_but_its_own_and_asks_anew(
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    browser_of: Callable[..., BrowserContext],
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    room.deal(3)
    context = browser_of()
    context.add_cookies([room.cookie])
    projector = context.new_page()
    projector.goto(f"{room.base}/coursekit/class/zh-Hant/projector")
    room.order(type="watch", table=1)
    projector.wait_for_selector(".ck-table")
    seat = "coursekit_phone.room.place?.seat ?? -1"
    ann, bob, watcher = sorted(pages, key=lambda page: page.evaluate(seat))
    room.order(type="strategy", table=1, seat=2)
    watcher.wait_for_selector(".phone-watched")
    watcher.wait_for_selector(".ck-table")

    mine, foreign = hand(ann), bob.evaluate("coursekit_phone.place.late")
    assert mine != hand(bob)
    for page, name in ((ann, "phone"), (watcher, "phone"), (projector, "projector")):
        page.evaluate(f"view => coursekit_{name}.hear({{ type: 'view', view }})", foreign)
        assert page.evaluate(f"coursekit_{name}.place.late?.viewer") != foreign["viewer"]
    assert hand(ann) == mine
    room.until(lambda: room.log.count("refused a view") == 3)
    for page in (watcher, projector):
        page.wait_for_selector(".ck-table")
    before = room.room["tables"][0]["moved"]
    touch_all([ann, bob], lambda: room.room["tables"][0]["moved"] != before)


@pytest.mark.smoke
def test_hand_and_decision_are_in_sight_on_a_small_phone(
    classroom: Callable[..., Classroom], phones: Callable[[Classroom, int], list[Page]]
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    room.deal(3)
    for page in pages:
        page.wait_for_selector(HAND)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        hand = page.locator(HAND).first.bounding_box()
        assert hand
        assert hand["y"] + hand["height"] <= PHONE["height"]
    pages[0].locator(".ck-rules-open").click()
    expect(pages[0].locator(".ck-rule-lines [aria-current]")).to_contain_text(
        re.compile("剛剛好|發牌者指定花色")  # the latter if a Wizard is turned up
    )
    pages[0].locator(".ck-close").click()
    page = next(page for page in pages if page.locator(".ck-near .ck-choice.ck-legal").count())
    # All at once, since the table may be drawn anew meanwhile
    page.wait_for_function(
        """height => {
            const choices = [...document.querySelectorAll(".ck-near .ck-choice.ck-legal")];
            const boxes = choices.map((choice) => choice.getBoundingClientRect());
            return boxes.length > 0 && boxes.every((box) => box.bottom <= height && box.height >= 44);
        }""",
        arg=PHONE["height"],
    )


def test_a_reload_a_second_tab_and_another_phone_get_the_seat_back(
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    browser_of: Callable[..., BrowserContext],
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    name = pages[0].inner_text("h1")
    number = re.search(r"\d{4}", pages[0].inner_text("#content"))
    assert number
    room.deal(3)

    mine = hand(pages[0])
    pages[0].reload()
    assert hand(pages[0]) == mine
    tab = pages[0].context.new_page()
    tab.goto(room.address)
    assert hand(tab) == mine
    expect(pages[0].locator("h1")).to_have_text("這一頁到此為止")
    assert pages[0].locator(HAND).count() == 0
    other = browser_of().new_page()
    other.goto(room.address)
    other.click("text=我之前在別的裝置上")
    other.fill("#name", name)
    other.fill("#number", "0000" if number[0] != "0000" else "1111")
    other.click("button[type=submit]")
    expect(other.locator(".phone-wrong")).to_contain_text("對不上")
    other.fill("#number", number[0])
    other.click("button[type=submit]")
    assert hand(other) == mine
    expect(tab.locator("h1")).to_have_text("這一頁到此為止")


def test_a_lost_connection_is_said_and_mends_itself(
    classroom: Callable[..., Classroom], phones: Callable[[Classroom, int], list[Page]]
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    room.deal(3)
    for page in pages:
        page.wait_for_selector(HAND)
    room.wire.whole.clear()
    for page in pages:
        page.wait_for_selector("#lost:not([hidden])")
    before = room.room["tables"][0]["moved"]
    (able,) = [each for each in pages if each.evaluate(CLICK)]
    expect(able.locator("#lost")).to_contain_text("一接上就會自己送")
    expect(able.locator(".ck-refusal")).to_contain_text("還沒送出")
    able.evaluate(CLICK)  # it is sent once
    assert able.evaluate("coursekit_phone.unanswered.length") == 1
    room.wire.whole.set()
    for each in pages:
        each.wait_for_selector("#lost", state="hidden")
    room.until(lambda: room.room["tables"][0]["moved"] != before)
    able.wait_for_function("coursekit_phone.unanswered.length === 0")
    expect(able.locator(".ck-refusal")).to_be_empty()


def test_a_strip_counts_down_and_tells_what_was_done_and_changed(
    classroom: Callable[..., Classroom], phones: Callable[[Classroom, int], list[Page]]
) -> None:
    room = classroom("wizard")
    (page,) = phones(room, 1)
    room.deal(1)
    page.wait_for_selector(HAND)
    expect(page.locator(".ck-where")).to_have_text("第 1 桌")
    place = page.locator(".ck-hand").bounding_box()
    told = {"type": "stand_in", "left": 9.0, "on": False, "did": [], "count": 0}
    page.evaluate("told => coursekit_phone.hear(told)", told)
    expect(page.locator(".strip-seconds")).to_have_text(re.compile("^[5-9]$"))
    assert page.locator(".ck-hand").bounding_box() == place  # nothing moves under a finger
    told |= {"left": None, "on": True, "did": ["電腦預測 0 墩。"], "count": 3}
    page.evaluate("told => coursekit_phone.hear(told)", told)
    expect(page.locator(".strip")).to_contain_text("電腦預測 0 墩。")
    page.evaluate("told => coursekit_phone.hear(told)", told | {"on": False, "did": [], "count": 0})
    expect(page.locator(".strip")).to_have_count(0)
    room.order(type="back", table=1, entry=0)
    expect(page.locator(".strip")).to_contain_text("重新玩")
    page.tap(".strip-read")
    expect(page.locator(".strip")).to_have_count(0)
    page.reload()
    page.wait_for_selector(HAND)
    expect(page.locator(".strip")).to_have_count(0)


def test_phones_come_back_to_a_room_that_opens_again(
    classroom: Callable[..., Classroom], browser_of: Callable[..., BrowserContext]
) -> None:
    room = classroom("wizard")
    page = browser_of().new_page()
    page.goto(room.wire.url)
    page.fill("#code", room.room["code"].lower())
    page.click("button[type=submit]")
    page.click("text=加入")
    page.wait_for_selector(".phone-in")
    page.reload()
    page.wait_for_selector(".phone-in")
    assert page.url == room.address
    room.deal(1)
    page.wait_for_selector(".ck-table .ck-prompt")
    port = room.told["door"]["port"]
    room.order(type="close_room")
    page.wait_for_selector("#lost:has-text('再打開時')")
    room.order(type="open_room", address="127.0.0.1", port=port)
    page.wait_for_selector("#lost", state="hidden")
    room.until(lambda: room.room["people"][0]["here"])
    room.order(type="ending", on=True)
    touch_all([page], lambda: room.over)
    page.wait_for_selector("text=下載我的這一頁")
    assert page.locator(".ck-near .ck-choice").count() == 0
    room.order(type="delete")
    page.wait_for_selector("text=這堂課結束了")


@pytest.mark.smoke
def test_pause_question_and_names_reach_every_phone(
    classroom: Callable[..., Classroom], phones: Callable[[Classroom, int], list[Page]]
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    room.deal(3)
    name = room.room["people"][0]["name"]
    room.order(type="pause", on=True)
    for page in pages:
        expect(page.locator("#still")).to_contain_text("暫停")
        expect(page.locator(".ck-table")).to_have_attribute("inert", "")
    room.order(type="pause", on=False)
    for page in pages:
        expect(page.locator("#still")).to_be_hidden()
    room.order(type="names", on=False)
    for page in pages:
        expect(page.locator(".ck-table")).not_to_contain_text(name)
    room.order(type="ask", words="你學到什麼？", own=True)
    pages[0].fill("#answer", "要想清楚再說。")
    pages[0].click("button[type=submit]")
    room.until(lambda: [each["text"] for each in room.room["answers"]] == ["要想清楚再說。"])
    pages[0].wait_for_selector(HAND)


def test_a_question_stands_first_and_a_wrong_number_stays_to_be_mended(
    classroom: Callable[..., Classroom], phones: Callable[[Classroom, int], list[Page]]
) -> None:
    room = classroom("wizard")
    (page,) = phones(room, 1)
    form = {"kind": "number", "low": "0", "high": "10"}
    room.order(type="ask", words="幾輪？", own=True, form=form)
    page.fill("#answer-number", "三個")
    page.click(".phone-question [type=submit]")
    expect(page.locator(".phone-question [role=alert]")).to_contain_text("「三個」不是一個數字")
    assert page.locator("#content > *").first.inner_text().startswith("幾輪？")
    expect(page.locator("#answer-number")).to_have_value("三個")
    page.fill("#answer-number", "三")
    page.click(".phone-question [type=submit]")
    page.click(".phone-asked:has-text('✓')")
    expect(page.locator("#answer-number")).to_have_value("3")
    form = {"kind": "choice", "choices": "先說\n後說"}
    room.order(type="ask", words="先或後？", own=True, form=form)
    page.check("text=後說")
    page.click(".phone-question [type=submit]")
    room.until(lambda: [each["text"] for each in room.room["answers"]] == ["3", "後說"])
    expect(page.locator(".phone-question")).to_have_count(0)


def test_who_comes_late_watches_and_guesses(
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    browser_of: Callable[..., BrowserContext],
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    room.deal(3)
    late = browser_of().new_page()
    late.goto(room.address)
    late.click("button[type=submit]")
    late.wait_for_selector(".ck-table")
    assert late.locator(".ck-hand .ck-piece:not(.ck-back)").count() == 0
    # where a Wizard was turned up, the dealer chooses a trump first, which nobody guesses
    touch_all(pages, lambda: late.locator(".phone-choice").count() > 0)
    late.click(".phone-choice >> nth=0")
    room.until(lambda: room.room["tables"][0]["guessed"] == {"0": 1})
    touch_all(pages, lambda: room.room["tables"][0]["came"])
    came = room.room["tables"][0]["came"]["choice"]
    late.wait_for_selector(f"text={'猜中了' if came == '0' else '你猜 0'}")


def test_the_list_of_tables_folds_to_a_line_above_the_one_that_is_watched(
    classroom: Callable[..., Classroom], browser_of: Callable[..., BrowserContext]
) -> None:
    room = classroom("wikipedia")
    late = browser_of(has_touch=True, is_mobile=True).new_page()
    with ExitStack() as others:
        for number in range(9):
            socket = f"{room.wire.url.replace('http', 'ws')}/socket"
            other = others.enter_context(connect(socket, origin=room.wire.url))
            other.send(json.dumps({"type": "hello", "code": room.room["code"]}))
            other.send(json.dumps({"type": "join", "name": f"Ann {number}"}))
        room.deal(9)
        late.goto(room.address)
        late.click("button[type=submit]")
        cloth = late.locator("#place .ck-cloth")
        cloth.wait_for()
        expect(late.locator(".phone-table").first).to_be_hidden()
        late.click(".phone-watched summary")
        last = room.room["tables"][-1]["table"]
        late.locator(".phone-table").last.click()
        expect(late.locator(".phone-table").first).to_be_hidden()
        shows = "match => coursekit_phone.place.late?.match === match"
        late.wait_for_function(shows, arg=f"room-{last}")
        cloth.evaluate("cloth => cloth.scrollIntoView({ block: 'end' })")
        box = cloth.bounding_box()
        assert box
        assert box["height"] > PHONE["height"] / 2
        assert box["y"] >= 0  # it can be seen whole


def test_moments_of_tables_stand_side_by_side_below_a_question(
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    browser_of: Callable[..., BrowserContext],
) -> None:
    room = classroom("wizard")
    pages = phones(room, 3)
    teacher = browser_of(viewport={"width": 1280, "height": 720})
    teacher.add_cookies([room.cookie])  # type: ignore[list-item]
    console, projector = teacher.new_page(), teacher.new_page()
    for page, role in ((console, "console"), (projector, "projector")):
        page.goto(f"{room.base}/coursekit/class/zh-Hant/{role}")
    room.deal(3)
    touch_all(pages, lambda: room.room["tables"][0]["moved"][1] > 3)
    console.get_by_role("button", name="第 1 桌：").click()
    console.click("dialog >> text=步驟…")
    for place in (0, 1):
        console.locator(".console-moments").get_by_role("button", name="投影").nth(place).click()
        expect(projector.locator("#moments .ck-table")).to_have_count(place + 1)
    assert projector.locator("#moments .ck-hand .ck-piece:not(.ck-back)").count() == 0
    assert projector.evaluate("document.documentElement.scrollHeight <= innerHeight")
    room.order(type="ask", words="你會怎麼出？", own=True)
    expect(projector.locator("h2", has_text="你會怎麼出？")).to_be_visible()
    room.order(type="show")
    expect(projector.locator("#moments")).to_be_hidden()


def wait_for_map(page: Page, words: set[str]) -> None:
    """Wait until the map that *page* draws has exactly these *words*."""
    page.wait_for_function(
        """words => {
            const board = document.querySelector("#map .ck-map-cy");
            const drawn = board?._cyreg.cy.elements().map((part) => part.data("label")) ?? [];
            return String([...new Set(drawn)].filter(Boolean).sort()) === String(words);
        }""",
        arg=sorted(words),
    )


def add_concept(page: Page, label: str) -> None:
    """Add a concept to one's own map."""
    page.click('.ck-map [data-tool="add"]')
    page.fill('.ck-map [data-part="new"]', label)
    page.press('.ck-map [data-part="new"]', "Enter")


@pytest.mark.smoke
def test_the_class_draws_on_phones_and_the_projector_shows_what_is_ticked(
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    browser_of: Callable[..., BrowserContext],
) -> None:
    room = classroom("wikipedia")
    one, two = pages = phones(room, 2)
    teacher = browser_of(viewport={"width": 1280, "height": 720})
    teacher.add_cookies([room.cookie])  # type: ignore[list-item]
    console, projector = teacher.new_page(), teacher.new_page()
    for page, role in ((console, "console"), (projector, "projector")):
        page.goto(f"{room.base}/coursekit/class/zh-Hant/{role}")
    console.get_by_role("button", name="心智圖").click()
    for page in pages:
        page.wait_for_selector(".ck-map-begin:not([hidden])")
    add_concept(one, "破壞")
    wait_for_map(one, {"破壞"})
    add_concept(one, "使用")
    wait_for_map(one, {"破壞", "使用"})
    add_concept(two, "破壞")
    console.wait_for_selector("text=還有 2 個字詞等你看過")
    expect(projector.locator(".projector-maps")).to_contain_text("2")
    wait_for_map(projector, set())

    console.get_by_role("checkbox", name="破壞").click()
    wait_for_map(projector, {"破壞"})
    room.wire.whole.clear()  # what is drawn without a connection is sent once there is one
    one.wait_for_selector("#lost:not([hidden])")
    add_concept(one, "編輯")
    add_concept(one, "來源")
    room.wire.whole.set()
    console.wait_for_selector("text=還有 3 個字詞等你看過")
    console.get_by_role("checkbox", name="全部顯示").click()
    whole = {"破壞", "使用", "編輯", "來源"}
    wait_for_map(projector, whole)
    assert projector.evaluate("document.documentElement.scrollHeight <= innerHeight")

    one.reload()
    wait_for_map(one, whole)
    wait_for_map(two, {"破壞"})


def test_nothing_on_the_pages_of_a_class_keeps_anybody_out(
    classroom: Callable[..., Classroom],
    phones: Callable[[Classroom, int], list[Page]],
    browser_of: Callable[..., BrowserContext],
) -> None:
    room = classroom("wizard")
    teacher = browser_of(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    teacher.add_cookies([room.cookie])  # type: ignore[list-item]
    console, projector = teacher.new_page(), teacher.new_page()
    for page, role in ((console, "console"), (projector, "projector")):
        page.goto(f"{room.base}/coursekit/class/zh-Hant/{role}")
        page.locator("h1:visible, h2:visible").first.wait_for()
    lobby = browser_of(bypass_csp=True).new_page()
    lobby.goto(room.address)
    lobby.wait_for_selector("#name")
    pages = phones(room, 3)
    for page in (lobby, projector, console):
        assert _violations(page) == []
    lobby.context.close()
    console.get_by_role("button", name="檢查這台電腦").click()
    expect(console.locator(".console-findings li")).to_have_count(9)
    assert _violations(console) == []
    console.keyboard.press("Escape")
    room.deal(3)
    projector.wait_for_selector("text=第 1 桌")
    room.order(type="watch", table=room.room["tables"][0]["table"])
    projector.wait_for_selector("#place .ck-prompt")
    projector.get_by_role("button", name="看規則").click()
    expect(projector.locator(".projector-rule-lines [aria-current]")).to_contain_text("預測")
    console.wait_for_selector("text=第 1 桌")
    seat = browser_of(bypass_csp=True).new_page()
    seat.goto(room.address)
    seat.click("button[type=submit]")
    seat.wait_for_selector(".phone-watched")
    projector.keyboard.press("Escape")
    room.order(type="step", step="map")
    seat.wait_for_selector(".ck-map-begin:not([hidden])")
    add_concept(seat, "破壞")
    console.wait_for_selector("#let-concept-破壞")
    console.click("#let-concept-破壞")
    wait_for_map(projector, {"破壞"})
    for page in (projector, console, seat):
        assert _violations(page) == []
    room.order(type="step", step="play")
    projector.locator(".projector-read").click()
    console.click("#collect")  # strategies for a league
    program = {"name": "mine.py", "mimeType": "text/x-python", "buffer": b"x = 1\n" * 4000}
    seat.click("details:has(#entry-file) > summary")  # a line beside the table that they watch
    seat.set_input_files("#entry-file", program)
    seat.wait_for_selector("text=最多 16 kB")
    seat.set_input_files("#entry-file", program | {"buffer": b"x = ("})
    expect(seat.locator("#entry")).to_have_value("x = (")
    seat.get_by_role("button", name="交出去").click()
    for page in (seat, console):
        page.wait_for_selector("text=第 1 行（x = (）的括號 ( 沒有關起來")
    for page in (projector, console, seat):
        assert _violations(page) == []
    projector.keyboard.press("Escape")
    expect(projector.locator("#place .ck-table")).to_be_visible()
    assert pages


def _violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
