"""A person who plays whole matches without scrolling, and notes what was not in sight when it was
needed.
"""

import contextlib
from typing import Any

from driver import AtTable
from lesson import Lesson
from playwright.sync_api import Locator, TimeoutError, expect
from webpage import at_size

from coursekit.kit import kit_of
from coursekit.words.texts import LANGUAGES

OUT_OF_SIGHT = """each => {
  const box = each.getBoundingClientRect();
  let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
  for (let over = each.parentElement; over; over = over.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(over);
    const edges = over.getBoundingClientRect();
    if (overflowX !== "visible") [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
    if (overflowY !== "visible") [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
  }
  const whole = box.left >= left - 1 && box.top >= top - 1 && box.right <= right + 1 && box.bottom <= bottom + 1;
  if (whole && box.width && box.height) return null;
  const place = [box.left, box.top, box.right, box.bottom].map(Math.round).join(" ");
  return `${each.className.split(" ").slice(0, 2).join(".")} at ${place}`;
}"""
"""Where an element lies that is not wholly inside the window and what scrolls in it, or nothing."""
NEAR = ".ck-primary, .ck-choice.ck-legal, .ck-piece.ck-legal, .ck-hand, .ck-covered, .ck-answers .ck-legal"
MAIN = f".ck-near :is({NEAR}), .ck-venn-canvas"
"""What one decides with: the main button, a hand, a sheet, a canvas; one of them is enough."""
SLIPS = ".ck-near .ck-row .ck-print-as-note"
"""Answers of all, laid side by side, of which each may be challenged."""
SEED = "in sight"
"""Of every match, so that all are played alike."""
WORDS = [f"word {letter}" for letter in "abcdefgh"]


class Attentive(AtTable):
    """A person at a table, who never scrolls by will."""

    def __init__(self, *about: Any, **more: Any) -> None:
        super().__init__(*about, **more)
        self.clicks = 0
        self.unseen: list[str] = []
        """What was clicked outside the window."""
        self.missed: list[str] = []
        """Decisions at which the prompt, or all of what one decides with, was out of sight."""

    def touch(self, what: Locator) -> None:
        self.clicks += 1
        if found := what.evaluate(OUT_OF_SIGHT, timeout=15_000):
            self.unseen.append(f"{self._moment()}: {found}")
        super().touch(what)

    def _moment(self) -> str:
        return str(self.root.locator(".ck-prompt").inner_text()).split("\n")[0][:40]

    def look(self) -> None:
        """Note it if the prompt, everything one decides with, or one of the slips to choose from is
        out of sight.
        """
        prompt = self.root.locator(".ck-prompt").evaluate(OUT_OF_SIGHT)
        main = self.root.locator(MAIN).evaluate_all(
            f"all => all.slice(0, 12).map({OUT_OF_SIGHT})"
        )  # at one moment
        slips = self.root.locator(SLIPS).evaluate_all(
            f"all => all.map({OUT_OF_SIGHT}).filter(Boolean)"
        )
        if prompt or slips or (main and None not in main):
            self.missed.append(f"{self._moment()}: {prompt or [*slips, *main][0]}")

    def in_window(self, size: str, language: str) -> None:
        """From now on, play in a window of *size*, as ``1280x720``, and in that language; count
        anew.
        """
        width, height = map(int, size.split("x"))
        at_size(self.page, {"width": width, "height": height})
        opener = self.root.locator(".ck-menu")
        menus = self.root.locator("[data-key='language']")
        if not menus.is_visible():
            opener.click()
        menus.select_option(index=LANGUAGES.index(language))
        expect(self.root).to_have_attribute("lang", language)
        if self.root.locator(".ck-menu-list").is_visible():
            opener.click()
        self.page.evaluate("scrollTo(0, 0)")
        self.clicks, self.unseen, self.missed = 0, [], []

    def begin(self, preset: int | None, people: int = 1) -> None:
        """Start a new match from the form, with the *preset* of that place in its menu if it has
        any.
        """
        self.touch(self.root.locator("[data-key='new']"))
        self.root.locator(".ck-more > summary").click()
        self.root.locator(".ck-form input[id$=seed]").fill(SEED)
        for seat in self.root.locator(".ck-form-seat select").all()[1:people]:
            seat.select_option(index=0)
        if preset is not None:
            self.root.locator(".ck-ways input").nth(preset).check(force=True)
        self.touch(self.root.locator(".ck-form-end .ck-primary"))
        expect(self.root.locator(".ck-form-place")).to_be_hidden()
        self.wait()
        self.look()

    def decide(self) -> None:
        for _ in range(4):
            self.wait()
            if self.over():
                return None
            self.look()
            with contextlib.suppress(
                TimeoutError, AssertionError
            ):  # what others did has drawn it anew meanwhile
                return self._decide()
        raise AssertionError(f"the table does not answer: {self._moment()}")

    def _decide(self) -> None:
        found = self.root.locator
        if found(".ck-covered button").count():
            self.touch(found(".ck-covered button").first)
            expect(found(".ck-covered")).to_have_count(0, timeout=15_000)
        elif found(".ck-venn-draws").count():
            self._lay(found("[data-key='venn-suggest']"))
        elif found(".ck-venn-puts").count():
            self._lay(found(".ck-venn-spot").first)
        elif found(".ck-lines").count():
            self._write()
        else:
            super().decide()

    def _lay(self, first: Locator) -> None:
        before = self.entry()
        self.touch(first)
        self.page.wait_for_selector(".ck-venn-says.ck-legal", timeout=15_000)
        self.touch(self.root.locator("[data-key='venn-lay']"))
        self.moved(before, 15_000)

    def _write(self) -> None:
        """Write on every line that is still blank, then take the button."""
        before = self.entry()
        for place, line in enumerate(self.root.locator(".ck-line-input.ck-legal").all()):
            if not line.input_value():
                self.touch(line)
                line.fill(WORDS[place % len(WORDS)])
        self.touch(self.root.locator(".ck-pile .ck-legal, .ck-near .ck-choice.ck-legal").first)
        self.moved(before, 15_000)

    def play(self, decisions: int) -> None:
        """Play the match to its end, or so many *decisions*."""
        for _ in range(decisions):
            self.wait()
            if self.over():
                return
            self.decide()


def play_in_sight(lesson: Lesson, preset: str, size: str) -> Attentive:
    """Play a match with that *preset* where *lesson* has its step to play.

    Nothing that is clicked lies outside a window of *size*; then all of the lesson is shown again.
    More such matches are in ``test_site.py``.
    """
    lesson.at_step("play")
    person = Attentive(lesson.page)
    person.in_window(size, lesson.language)
    person.begin(list(kit_of(lesson.game).rules.presets).index(preset))
    person.play(2_000)
    lesson.at_step("everything")
    assert person.over()
    assert person.clicks > 10
    assert (person.unseen, person.missed) == ([], [])
    return person
