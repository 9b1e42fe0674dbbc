"""Knit Wit in a real browser: loops drawn by hand, answers typed in a race, votes, and what is sent
meanwhile.
"""

import json
import math
import time
from collections.abc import Callable
from inspect import getsource
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bare import Bare
from driver import AtTable
from fitted import give_room
from lanes import PATIENCE
from playing import going_on
from playwright.sync_api import expect
from webpage import at_size, overflow, severe, smaller_than, write

from coursekit.core.match import Match, step_any
from coursekit.core.strategy import make_players
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.rules.geometry import HEIGHT, WIDTH
from coursekit.games.knitwit.rules.state import OPEN, REJECTED, STRUCK
from coursekit.games.knitwit.strategies import Wordsmith
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store

PHONE, PROJECTOR = {"width": 360, "height": 640}, {"width": 1280, "height": 720}
FINGERS = pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)
SMALL = Options(loops=3, explain_seconds=0)
ANSWERS = ["螢火蟲", "滑板", "圍棋", "風箏", "水壺", "帳篷", "口琴", "雨傘"]


class Quick(Wordsmith):
    """Writes at every moment."""

    pace = 0.1


class Patient(Quick):
    """Writes all it can, and leaves it to others to stop."""

    def write(self, obs):
        action = super().write(obs)
        return None if action == "stop" else action


class Hasty(Wordsmith):
    """Takes a button at once."""

    def write(self, obs):
        return "stop"


class Dreamer(Wordsmith):
    """Never finishes."""

    def write(self, obs):
        return None


class AtYarn(AtTable):
    """A person at the table of Knit Wit."""

    written = 0

    def until(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
        """Let the page and its strategies go on until *condition* holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, getsource(condition)
            self.page.wait_for_timeout(100)

    def key(self, name: str):
        """Return the part of the canvas that is called so."""
        return self.root.locator(f'[data-key="venn-{name}"]')

    @property
    def says(self):
        """What is said under the canvas: the verdict about what is drawn, or what was touched."""
        return self.root.locator(".ck-venn-says")

    @property
    def draws(self) -> bool:
        """Whether a loop is to be laid now."""
        return self.root.locator(".ck-venn-draws").count() > 0

    @property
    def puts(self) -> bool:
        """Whether a spool is to be put down now."""
        return self.root.locator(".ck-venn-puts").count() > 0

    def pull(self, points) -> None:
        """Draw a line through *points* of the canvas, with the mouse or a finger."""
        canvas = self.root.locator(".ck-venn-canvas")
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        way = [
            (box["x"] + x * box["width"] / WIDTH, box["y"] + y * box["height"] / HEIGHT)
            for x, y in points
        ]
        if not self.fingers:
            mouse = self.page.mouse
            mouse.move(*way[0])
            mouse.down()
            for point in way[1:]:
                mouse.move(*point)
            mouse.up()
            return
        screen = self.page.context.new_cdp_session(self.page)

        def feel(kind: str, *at: tuple[float, float]) -> None:
            points = [{"x": x, "y": y} for x, y in at]
            screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        feel("touchStart", way[0])
        for point in way[1:]:
            feel("touchMove", point)
        feel("touchEnd")

    def is_legal(self) -> bool:
        """Return what the kernel says of what is drawn."""
        self.page.wait_for_selector(".ck-venn-says:is(.ck-legal, .ck-refused)")
        return "ck-legal" in self.says.get_attribute("class")

    def lay(self) -> None:
        """Lay what is drawn."""
        before = self.entry()
        self.touch(self.key("lay"))
        self.moved(before)

    def draw_a_loop(self) -> None:
        """Draw a loop by hand until it is one that may be laid, and lay it."""
        rng = Random(len(self.match.log))
        for _ in range(8):
            self.pull(
                self.match.game.legal_actions(self.match.state, self.match.state.turn).sample(rng)[
                    1
                ]
            )
            if self.is_legal():
                return self.lay()
        raise AssertionError("no loop by hand was legal")

    def take_the_suggestion(self) -> None:
        """Ask for a loop and lay it."""
        self.touch(self.key("suggest"))
        assert self.is_legal()
        self.lay()

    def put_a_spool(self) -> None:
        """Touch the first free region, and put the spool there."""
        self.touch(self.root.locator(".ck-venn-spot").first)
        assert self.is_legal()
        self.lay()

    def write_a_line(self) -> None:
        """Type an answer into the first blank line."""
        lines = self.root.locator(".ck-line:not(.ck-line-saved) .ck-line-input.ck-legal")
        self.write(lines.first, ANSWERS[self.written % len(ANSWERS)])
        self.written += 1

    def write(self, line, words: str) -> None:
        """Type *words* into *line* and leave it; wait until they are kept."""
        key = line.get_attribute("data-key")
        self.touch(line)
        line.fill("")
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")
        expect(self.line(key)).to_have_class("ck-line ck-line-saved")

    def line(self, key: str):
        """Return the line whose input has this key."""
        return self.root.locator(".ck-line", has=self.page.locator(f'[data-key="{key}"]'))

    def stop(self) -> None:
        """Take the top button."""
        before = self.entry()
        self.touch(self.root.locator(".ck-pile .ck-piece.ck-legal"))
        self.moved(before)

    def decide(self) -> None:
        self.wait()
        if self.draws:
            self.take_the_suggestion()
        elif self.puts:
            self.put_a_spool()
        elif self.root.locator(".ck-line:not(.ck-line-saved) .ck-line-input.ck-legal").count():
            self.write_a_line()
        elif self.root.locator(".ck-lines").count():
            self.stop()
        else:
            super().decide()

    def knit(self, lay_a_loop, after=lambda: None) -> None:
        """Lay loops and put spools until all are there; *after* is called after each."""
        self.wait()
        while self.draws or self.puts:
            (lay_a_loop if self.draws else self.put_a_spool)()
            after()
            self.wait()


def played(game: KnitWit, phase: str, sheets=(), seed: str = "browser") -> Match:
    """Return a match of *game* played to *phase*; *sheets* are what each seat writes, line by line."""
    match, rng = Match(game, seed), Random(seed)
    while match.state.phase != phase:
        if match.state.phase == "write":
            for number, answers in enumerate(zip(*sheets, strict=True)):
                for seat, text in enumerate(answers):
                    if text:
                        match.play(seat, ("write", game.numbers(match.state)[number], text))
            for seat in game.seats:
                if match.state.phase == "write":
                    match.play(seat, "stop")
            continue
        seat = game.to_act(match.state)[0]
        legal = game.legal_actions(match.state, seat)
        match.play(seat, legal[0] if isinstance(legal, tuple) else legal.sample(rng))
    return match


@pytest.fixture
def lay(page, tmp_path, request):
    """``lay(game or match, seats, …)`` returns somebody at a table on a bare page."""

    def lay(what, seats, language="zh-Hant", size=PROJECTOR):
        fingers = "has_touch" in getattr(
            request.node.get_closest_marker("browser_context_args"), "kwargs", {}
        )
        if not fingers:
            page.set_viewport_size(size)
        run = going_on(what, seats) if isinstance(what, Match) else Run(what, seats, seed="browser")
        bare = Bare(page, Table(run, language=language, store=Store(tmp_path)))
        person = AtYarn(page, fingers)
        person.bare, person.match = bare, run.match
        return person

    return lay


@pytest.fixture(scope="session")
def notebook(start_server, tmp_path_factory: pytest.TempPathFactory):
    """The address of a page with a small match, under ``coursekit serve``, and where its matches
    are kept.
    """
    folder = tmp_path_factory.mktemp("knitwit")
    imports = (
        "from coursekit.games.knitwit import KnitWit, Options\n"
        "from coursekit.games.knitwit.strategies import Wordsmith\nfrom coursekit.table import Table"
    )
    strategies = "\n\n".join(map(getsource, (Quick, Patient)))
    cell = 'Table(KnitWit(3, Options(loops=3, buttons=(2,))), seats=["person", Patient, Patient], seed="browser")'
    write(folder / "zh" / "small.ipynb", "# 三個繩圈", imports, strategies, cell)
    data = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSEKIT_DATA", str(data))
        yield start_server("--dir", folder, "--max-kernels", 30).dashboard("zh/small.ipynb"), data


def told(words, sent: str) -> list[str]:
    """Return which of *words* stand in the message *sent*."""
    return [each for each in words if each in sent or json.dumps(each)[1:-1] in sent]


def tally(table) -> list[list[str]]:
    """Return what stands in the rows of the final tally, head by head."""
    rows = table.root.locator(".ck-near .ck-pad table:not(.ck-pad-people) tbody tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def written_by_others(data: Path) -> int:
    """Return how many lines the others have written in the matches that are kept in *data*."""
    log = Store(data).database.execute("SELECT seat, action FROM actions").fetchall()
    return sum(
        seat > 0 and json.loads(action)[0] == "write"
        for seat, action in log
        if action.startswith("[")
    )


# Whole matches


def test_a_whole_match_under_voila_outlasts_a_reload_while_writing(
    open_dashboard, notebook, traffic
):
    address, data = notebook
    table = AtYarn(open_dashboard(address))
    table.knit(table.take_the_suggestion)
    table.decide()  # go
    table.write_a_line()
    table.write_a_line()
    values = "all => all.map((each) => each.value)"
    assert table.root.locator(".ck-line-input").evaluate_all(values) == [*ANSWERS[:2], ""]
    table.touch(table.root.locator(".ck-line-input").last)
    table.page.keyboard.type("半個字")  # and not sent
    table.page.reload()
    again = AtYarn(table.page)
    again.written = 2
    expect(again.root.locator(".ck-line-input")).to_have_count(3)
    assert again.root.locator(".ck-line-input").evaluate_all(values) == [*ANSWERS[:2], "半個字"]
    again.until(lambda: written_by_others(data), 6 * PATIENCE)  # who write as fast as people
    again.write_a_line()
    sent = "\n".join(text for _, text in traffic.frames)
    again.stop()
    again.play_to_the_end()
    answers = {cell for row in tally(again)[:3] for cell in row[3::2]} - {"", "—"}
    assert answers, "the others have written something, too"
    assert told(answers - set(ANSWERS), sent) == []
    assert told(ANSWERS[:3], sent) == ANSWERS[:3]
    assert again.root.locator(".ck-plate.ck-winner").count() >= 1
    assert "獲勝" in again.root.locator(".ck-prompt").inner_text()


@FINGERS
def test_a_whole_match_is_played_by_touch_on_a_phone(lay):
    table = lay(KnitWit(3, SMALL), ["person", Patient, Quick])
    assert table.page.evaluate("navigator.maxTouchPoints") > 0

    def fits():
        assert overflow(table.page) <= 0

    table.knit(table.draw_a_loop, fits)
    table.play_to_the_end(fits)
    state = table.match.state
    assert tally(table)[-1][2::2] == [str(points) for points in state.points]
    assert table.root.locator(".ck-plate.ck-winner").count() == len(state.won)


# Knitting


def test_a_loop_that_may_not_be_laid_says_why_and_is_not_laid(lay):
    table = lay(played(KnitWit(3), "spool"), ["person"] * 3)
    table.wait()
    table.put_a_spool()
    state = table.match.state
    (_, x, y), loops = state.spools[0], len(state.loops)
    far = (WIDTH * (x < WIDTH / 2) + (30 if x >= WIDTH / 2 else -30), HEIGHT / 2)
    ring = [
        (far[0] + 15 * math.cos(turn / 4), far[1] + 15 * math.sin(turn / 4)) for turn in range(26)
    ]
    eight = [(x - 30, y - 20), (x + 30, y + 20), (x + 30, y - 20), (x - 30, y + 20)]
    for stroke, why in ((ring, "線軸"), (eight, "交叉")):
        table.pull(stroke)
        assert not table.is_legal()
        expect(table.says).to_contain_text(why)
        expect(table.key("lay")).to_have_attribute("aria-disabled", "true")
        table.key("lay").click(force=True)
        table.bare.settled()
        assert len(state.loops) == loops
    table.draw_a_loop()
    assert len(state.loops) == loops + 1


def outside(table, selector: str) -> list[str]:
    """Return which of those elements do not stand whole in the window."""
    return table.root.locator(selector).evaluate_all(
        """all => all.filter((each) => {
          const { top, bottom, left, right, width } = each.getBoundingClientRect();
          return !width || top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
        }).map((each) => each.dataset.key ?? each.className)"""
    )


@pytest.mark.parametrize("players", [2, 8])
def test_while_yarn_is_laid_all_there_is_to_use_is_in_sight_at_once_and_stays_there(lay, players):
    table = lay(KnitWit(players, Options(loops=3)), ["person"] * players)
    buttons = ".ck-venn-tool, .ck-venn-nudge"

    def whole():
        table.is_legal()
        return outside(
            table, f".ck-prompt, .ck-venn-canvas, .ck-venn-says, .ck-near .ck-print, {buttons}"
        )

    for _ in range(3):
        table.wait()
        while table.draws:
            table.touch(table.key("suggest"))
            assert whole() == []
            if not table.key("larger").count():  # it stays open once it was asked for
                assert table.root.locator(buttons).count() == 4
                table.touch(table.key("fine"))
                assert whole() == []
            assert table.root.locator(buttons).count() == 4 + 9
            table.touch(table.key("larger"))
            assert whole() == []
            table.lay()
            table.wait()
        if table.puts:
            table.root.locator(".ck-venn-spot").first.click()
            assert whole() == []
            table.lay()
        assert table.page.evaluate("scrollY") == 0


def test_while_others_knit_one_step_after_the_other_the_canvas_keeps_its_place(lay):
    table = lay(KnitWit(4, Options(loops=8)), [Quick, Quick, "person", Quick])
    table.wait()
    table.take_the_suggestion()
    table.root.locator("select").first.select_option(index=2)  # fast
    table.page.evaluate(
        """() => {
          window.seen = [];
          setInterval(() => {
            const { top } = document.querySelector(".ck-venn-canvas").getBoundingClientRect();
            window.seen.push([document.querySelector(".ck-prompt").textContent, Math.round(top)]);
          }, 50);
        }"""
    )
    table.put_a_spool()
    table.wait()
    seen = table.page.evaluate("window.seen")
    assert len({prompt for prompt, _ in seen}) >= 3, "each step is shown"
    assert len({top for _, top in seen}) == 1


@FINGERS
def test_a_new_tag_leaves_room_for_the_canvas_and_the_buttons_on_a_phone(lay):
    table = lay(played(KnitWit(3), "spool"), ["person"] * 3)
    table.wait()
    assert table.root.locator(".ck-near .ck-print").bounding_box()["height"] < 60
    assert outside(table, ".ck-prompt, .ck-venn-canvas, .ck-venn-tool, .ck-near .ck-print") == []


@pytest.mark.smoke
def test_a_suggested_loop_is_nudged_and_laid_by_the_keyboard_alone(lay):
    table = lay(KnitWit(2, Options(loops=2)), ["person", "person"], language="en")
    page, state = table.page, table.match.state
    table.wait()

    def tab_to(start: str) -> None:
        for _ in range(60):
            if page.evaluate("document.activeElement.dataset.key ?? ''").startswith(start):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {start}")

    for turn in range(2):
        tab_to("venn-suggest")
        table.enter()
        assert table.is_legal()
        assert page.evaluate("document.activeElement.dataset.key") == "venn-handle"
        suggested = table.root.locator(".ck-venn-draft").get_attribute("d")
        for key in ("ArrowLeft", "ArrowUp", "+", ")"):
            page.keyboard.press(key)
        expect(table.root.locator(".ck-venn-draft")).not_to_have_attribute("d", suggested)
        if not table.is_legal():
            page.keyboard.press("Escape")
            table.enter()
            assert table.is_legal()
        before = table.entry()
        table.enter()
        table.moved(before)
        assert len(state.loops) == turn + 1
        tab_to("venn-spot")
        before = table.entry()
        table.enter()
        assert table.is_legal()
        table.enter()
        table.moved(before)
        assert len(state.spools) == turn + 1
    assert state.phase == "ready"


def test_a_spool_that_is_touched_lights_its_loops_and_tells_its_words(lay):
    match = played(KnitWit(4), "ready")
    table = lay(match, ["person"] * 4)
    table.wait()
    for (number, _, _), loops in zip(match.state.spools, match.state.around, strict=True):
        if number not in (match.state.spools[0][0], match.state.spools[-1][0]):
            continue
        table.touch(table.key(f"spool-{number}"))
        for tag in (match.game.pack.tags[match.state.tags[loop]] for loop in loops):
            expect(table.says).to_contain_text(tag.zh)
        on = table.root.locator(".ck-venn-string").evaluate_all(
            "all => all.flatMap((each, at) => (each.classList.contains('ck-on') ? [at] : []))"
        )
        assert on == list(loops)


CROSSED = """canvas => {
  const box = (each) => each.getBoundingClientRect();
  const all = [...canvas.querySelectorAll(".ck-venn-tag")].filter((each) => !each.hidden);
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const spools = [...canvas.querySelectorAll(".ck-venn-spool")].map(box);
  const out = ({ left, right, top, bottom }) => {
    const paper = box(canvas);
    return left < paper.left - 1 || right > paper.right + 1 || top < paper.top - 1 || bottom > paper.bottom + 1;
  };
  return all.filter((tag, at) => out(box(tag)) || parseFloat(getComputedStyle(tag).fontSize) < 12
    || spools.some((spool) => over(box(tag), spool)) || all.slice(at + 1).some((other) => over(box(tag), box(other))))
    .map((tag) => tag.textContent);
}"""
"""Tags that leave the canvas, are too small to be read, or lie over a spool or each other."""


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_tags_of_eight_loops_can_all_be_read(lay, language):
    table = lay(played(KnitWit(8), "ready"), ["person"] * 8, language=language)
    table.wait()
    tags = table.root.locator(".ck-venn-tag")
    expect(tags).to_have_count(8)
    letters = "all => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
    assert min(tags.evaluate_all(letters)) >= 16
    for size in (PROJECTOR, PHONE):
        at_size(table.page, size)
        assert table.root.locator(".ck-venn-canvas").evaluate(CROSSED) == []
        assert overflow(table.page) <= 0


# Writing


def writing(lay, other, language="zh-Hant", **more):
    """Return somebody who writes while *other* does, too."""
    table = lay(
        played(KnitWit(3, SMALL), "ready"), ["person", other, Dreamer], language=language, **more
    )
    table.wait()
    if table.match.state.phase == "ready":
        AtTable.decide(table)
    expect(table.root.locator(".ck-line-input").first).to_be_visible()
    return table


LINE = """input => [input === document.activeElement, input.value, input.selectionStart, input.selectionEnd]"""


def test_what_is_being_typed_is_not_disturbed_when_the_table_changes(lay):
    table = writing(lay, Hasty)
    line = table.root.locator(".ck-line-input").first
    table.touch(line)
    table.page.keyboard.type("windmil")
    table.page.keyboard.press("ArrowLeft")
    expect(table.root.get_by_text("停筆", exact=True)).to_have_count(1)  # the other one has stopped
    assert line.evaluate(LINE) == [True, "windmil", 6, 6]
    table.page.keyboard.press("End")
    table.page.keyboard.type("l")
    table.page.keyboard.press("Enter")
    expect(table.root.locator(".ck-line").first).to_have_class("ck-line ck-line-saved")
    assert (
        table.match.state.sheets[0][table.match.game.numbers(table.match.state)[0] - 1]
        == "windmill"
    )


def test_a_word_is_put_together_by_an_input_method_while_the_table_changes(lay):
    table = writing(lay, Hasty)
    line, keys = (
        table.root.locator(".ck-line-input").first,
        table.page.context.new_cdp_session(table.page),
    )
    table.touch(line)
    keys.send("Input.imeSetComposition", {"text": "ㄈㄥ", "selectionStart": 2, "selectionEnd": 2})
    expect(table.root.get_by_text("停筆", exact=True)).to_have_count(1)
    assert line.evaluate(LINE)[:2] == [True, "ㄈㄥ"]
    keys.send(
        "Input.dispatchKeyEvent", {"type": "keyDown", "key": "Enter", "windowsVirtualKeyCode": 229}
    )
    keys.send("Input.insertText", {"text": "風箏"})
    assert line.evaluate(LINE) == [True, "風箏", 2, 2]
    number = table.match.game.numbers(table.match.state)[0]
    assert table.match.state.writes[0][number - 1] == 0, (
        "nothing was sent while it was put together"
    )
    table.page.keyboard.press("Enter")
    expect(table.root.locator(".ck-line").first).to_have_class("ck-line ck-line-saved")
    assert table.match.state.sheets[0][number - 1] == "風箏"


def test_a_forbidden_answer_says_why_and_stays_to_be_mended(lay):
    table = writing(lay, Dreamer)
    first, second, _ = table.root.locator(".ck-line").all()
    tag = table.match.game.pack.tags[table.match.state.tags[0]].zh
    for line, words, why in ((first, tag, tag.removesuffix("的")), (second, "滑 板", "「滑板」")):
        if line is second:
            table.write(first.locator("input"), "滑板")
        table.touch(line.locator("input"))
        table.page.keyboard.type(words)
        table.page.keyboard.press("Enter")
        expect(line).to_have_class("ck-line ck-line-refused")
        expect(line.locator(".ck-line-state")).to_contain_text(why)
        assert line.locator("input").input_value() == words
        line.locator("input").fill("")


@pytest.mark.smoke
def test_nothing_that_is_sent_while_writing_tells_what_others_have_written(lay):
    table = writing(lay, Patient)
    state, sheets = table.match.state, table.match.state.sheets
    table.write_a_line()
    table.until(lambda: sum(map(bool, sheets[1])) >= 2 or state.locked[1])
    table.write_a_line()  # the view that answers it tells all that may be told by now
    others = {text for text in sheets[1] if text} - set(ANSWERS)
    assert others
    assert told(ANSWERS[:1], "".join(table.bare.sent)) != [], (
        "what the person at the screen has written is sent"
    )
    for sent in table.bare.sent:
        assert told(others, sent) == []


def test_markup_that_is_typed_as_an_answer_is_shown_as_text(lay):
    hostile = '<img src=x onerror="hit=1">'
    table = writing(lay, Hasty)
    table.write(table.root.locator(".ck-line-input").first, hostile)
    table.stop()
    table.wait()
    while table.match.state.phase != "over":
        table.decide()
        for place in (".ck-near", ".ck-story"):
            assert table.root.locator(f"{place} img").count() == 0
    assert hostile in table.root.locator(".ck-near .ck-pad").inner_text()
    assert hostile in table.root.locator(".ck-story").inner_text()
    assert table.page.evaluate("window.hit") is None


def test_several_people_at_one_screen_write_one_after_the_other_and_covered(page, lay):
    page.clock.install()
    table = lay(played(KnitWit(3, SMALL), "ready"), ["person"] * 3)
    state = table.match.state
    AtTable.decide(table)  # in the open: nobody takes the screen to say go
    seen = []
    for turn, words in enumerate(("螢火蟲", "滑板", "圍棋")):
        expect(table.root.locator(".ck-covered")).to_be_visible()
        assert table.root.locator(".ck-line").count() == 0
        button = table.root.locator(".ck-covered button").first
        expect(button).to_be_in_viewport(ratio=1)
        button.click()
        expect(table.root.locator(".ck-line")).to_have_count(3)
        assert told(seen, table.bare.last_view()) == []
        assert "entries" not in json.loads(table.bare.last_view()).get("changed", {}).get(
            "view", {}
        )
        line = table.root.locator(".ck-line-input").first
        table.touch(line)
        page.keyboard.type(words)
        page.set_viewport_size(PHONE)
        if turn == 0:
            page.clock.fast_forward(46_000)  # the time with the sheet is over: what is typed counts
        else:
            page.locator('[data-key="cover"]').click()
        expect(table.root.locator(".ck-covered")).to_be_visible()
        assert [sheet for sheet in state.sheets if words in sheet], (
            "it was kept when the screen was handed on"
        )
        seen.append(words)
        assert told(seen, table.bare.last_view()) == []


# Scoring

UNDER_THE_TALLY = """spools => spools.filter((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2).closest(".ck-near");
}).map((each) => each.textContent)"""
SHEETS = [["螢火蟲", "滑板", "風箏"], ["螢火蟲", "圍棋", ""], ["口琴", "雨傘", "水壺"]]


def test_answers_are_turned_up_challenged_and_voted_on_in_the_open(page, lay):
    page.emulate_media(reduced_motion="reduce")
    match = played(KnitWit(3, SMALL), "reveal", SHEETS)
    table = lay(match, ["person"] * 3, size=PHONE)
    state = match.state
    table.decide()  # turn up the first number
    assert table.root.locator(".ck-covered").count() == 0
    slips = table.root.locator('[data-piece^="slip-"]')
    expect(slips).to_have_count(3)
    for slip, answer in zip(slips.all(), ("螢火蟲", "螢火蟲", "口琴"), strict=True):
        expect(slip).to_contain_text(answer)
    number = match.game.numbers(state)[0] - 1
    assert [verdicts[number] for verdicts in state.verdicts] == [STRUCK, STRUCK, OPEN]
    table.touch(slips.nth(2))
    expect(table.sheet).to_be_visible()
    table.touch(table.sheet.locator(".ck-choice.ck-legal").first)
    expect(table.sheet).to_have_count(0)
    assert state.phase == "defend"
    expect(table.root.locator(".ck-near")).to_contain_text("口琴")
    table.decide()
    assert state.phase == "vote"
    for seat in range(3):
        before = table.entry()
        table.touch(table.root.locator(f"""[data-key='choice-{seat}"no"']"""))
        table.moved(before)
    while state.phase == "vote":
        table.decide()
    assert state.verdicts[2][number] == REJECTED

    def fits():
        assert overflow(page) <= 0

    table.play_to_the_end(fits)
    first = tally(table)[0]
    assert first[1:] == ["螢火蟲", "相同", "螢火蟲", "相同", "口琴", "不算"]
    assert tally(table)[-1][2::2] == [str(points) for points in state.points]
    people = table.root.locator(".ck-pad-people")
    # All are in sight, which the columns of the other table are not.
    assert people.locator("td:nth-child(2)").all_inner_texts() == [
        str(points) for points in state.points
    ]
    assert people.evaluate("all => all.getBoundingClientRect().right") <= PHONE["width"]
    page.set_viewport_size(PROJECTOR)
    expect(people).to_be_hidden()


def test_eight_voters_find_the_question_and_all_buttons_on_a_phone(page, lay):
    page.emulate_media(reduced_motion="reduce")
    match = played(
        KnitWit(8, Options(loops=2)), "reveal", [["電視", ""], ["電視機", ""], *[["", ""]] * 6]
    )
    table = lay(match, ["person"] * 8, size=PHONE)
    table.decide()  # turn up the first number
    table.decide()  # open the vote
    assert match.state.phase == "vote"
    prompt, notice = table.root.locator(".ck-prompt"), table.root.locator(".ck-notice")
    choices = table.root.locator(".ck-near .ck-choice-row .ck-choice")
    expect(choices).to_have_count(16)
    assert choices.first.inner_text() == "不同"
    places = [each.bounding_box() for each in (prompt, notice, *choices.all())]
    assert places[0]["y"] + places[0]["height"] <= places[1]["y"] < places[2]["y"]
    assert places[-1]["y"] + places[-1]["height"] <= PHONE["height"]
    assert all(each["height"] >= 44 and each["width"] >= 44 for each in places[2:])
    expect(notice).to_contain_text("「電視機」")


@pytest.mark.parametrize("players", [2, 4])
def test_at_the_end_the_tally_lies_beside_the_spools(page, lay, players):
    page.emulate_media(reduced_motion="reduce")
    match = Match(KnitWit(players), "tally")
    knitters = make_players(match.game, [Quick] * players, "tally")
    while not match.over:
        step_any(match, match.game.to_act(match.state), knitters, Random(1))
    table = lay(match, ["person"] * players)
    give_room(page)
    for size in (PROJECTOR, {"width": 1920, "height": 1080}):
        at_size(page, size)
        spools = table.root.locator(".ck-venn-spools > *")
        expect(spools).to_have_count(len(match.state.spools))
        for each in spools.all():
            expect(each).to_be_visible()
        assert spools.evaluate_all(UNDER_THE_TALLY) == []
        expect(table.root.locator(".ck-near .ck-pad-sums").last).to_be_in_viewport(ratio=1)
        cloth = table.root.locator(".ck-cloth").bounding_box()
        assert cloth["x"] + cloth["width"] > size["width"] - 20


# For everybody

LOOKS = pytest.mark.parametrize(
    ("scheme", "language", "sizes"),
    [("light", "zh-Hant", (PHONE, PROJECTOR)), ("dark", "en", (PROJECTOR, PHONE))],
    ids=["light", "dark"],
)
TARGETS = ".ck-cloth :is(button, input, summary):not(.ck-venn-spool, .ck-venn-spot)"


def is_fine(page, sizes) -> None:
    """Check that the page is no wider than any window, and what axe says at the last size."""
    for size in sizes:
        at_size(page, size)
        assert overflow(page) <= 0
    assert severe(page) == []


@LOOKS
def test_nothing_serious_for_axe_and_nothing_too_wide(page, lay, scheme, language, sizes):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    table = lay(played(KnitWit(3), "spool"), ["person"] * 3, size=sizes[0], language=language)

    def fine():
        table.is_legal()
        is_fine(page, sizes)
        for size in sizes:
            at_size(page, size)
            assert smaller_than(44, table.root.locator(TARGETS)) == []

    table.wait()
    table.touch(table.root.locator(".ck-venn-spot").first)
    fine()
    table.lay()
    table.touch(table.key("suggest"))
    fine()


@LOOKS
def test_nothing_serious_for_axe_while_writing(page, lay, scheme, language, sizes):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    table = writing(lay, Dreamer, size=PHONE, language=language)
    table.write_a_line()
    assert smaller_than(44, table.root.locator(".ck-line-input, .ck-pile button, .ck-choice")) == []
    is_fine(page, sizes)


@LOOKS
def test_nothing_serious_for_axe_while_answers_are_scored(page, lay, scheme, language, sizes):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    table = lay(
        played(KnitWit(3, SMALL), "reveal", SHEETS),
        ["person"] * 3,
        size=sizes[0],
        language=language,
    )
    table.decide()
    is_fine(page, sizes)
    table.play_to_the_end()
    is_fine(page, sizes)
