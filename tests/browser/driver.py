"""A person in front of a table, who decides whatever the game."""

import contextlib
import math
from collections.abc import Callable

from playwright.sync_api import Error, Locator, Page, TimeoutError, expect

VISIBLE = """card => {
  const box = card.getBoundingClientRect();
  if (card.getAnimations().length) return null;
  for (let y = 6; y < box.height; y += 6) for (let x = 4; x < box.width; x += 6) {
    if (card.contains(card.getRootNode().elementFromPoint(box.left + x, box.top + y))) return [box.left + x, box.top + y];
  }
  return null;
}"""
PLAYED = ".ck-table:not(.ck-still *)"
"""A table, and no picture of one."""
DECIDES = """root => root.matches(".ck-ended") || !root.querySelector(".ck-skip")
  && root.querySelector(`.ck-near :is(.ck-legal, .ck-covered, .ck-primary), .ck-venn-draws, .ck-venn-puts`)"""
ENTRY = """root => [...root.querySelectorAll(".ck-prompt, .ck-story, .ck-badge")]
  .map((each) => each.innerText).join("\\n")"""
MOVED = f"([root, before]) => ({ENTRY})(root) !== before"


class AtTable:
    """A person at the table *root*, the first on *page*, with *fingers* where the screen feels
    them.
    """

    def __init__(self, page: Page, fingers: bool = False, root: Locator | None = None) -> None:
        self.page, self.fingers = page, fingers
        self._last_tap = (0.0, 0.0)
        self.root = root or page.locator(PLAYED).first
        expect(self.root).to_be_visible()
        self.root.evaluate("localStorage.setItem('coursekit:speed', 'once')")
        if (play := self.root.locator("[data-key=welcome_play]")).count():
            play.click()
        self.at_once()

    def at_once(self) -> None:
        """Let the opponents play without waiting."""
        opener = self.root.locator(".ck-menu")
        if opener.is_visible():
            opener.click()
        self.root.locator("select").first.select_option(index=3)
        if opener.is_visible():
            opener.click()

    @property
    def legal(self) -> Locator:
        """Everything that may be decided now."""
        return self.root.locator(".ck-near .ck-legal")

    @property
    def sheet(self) -> Locator:
        """The sheet of the card that was touched."""
        return self.root.locator(".ck-sheet")

    def piece(self, key: str) -> Locator:
        """Return the piece with this id."""
        return self.root.locator(f'[data-piece="{key}"]')

    def over(self) -> bool:
        """Return whether the match is over."""
        return bool(self.root.evaluate("each => each.classList.contains('ck-ended')"))

    def wait(self) -> None:
        """Wait until somebody must decide, take the screen, or the match is over."""
        self.page.wait_for_function(DECIDES, arg=self.root.element_handle())

    def entry(self) -> str:
        """Return how far the match is, as the table shows it."""
        return str(self.root.evaluate(ENTRY))

    def moved(self, before: str, timeout: float | None = None) -> None:
        """Wait until the match is not where it was *before*, if given so many milliseconds at most."""
        self.page.wait_for_function(
            MOVED, arg=[self.root.element_handle(), before], timeout=timeout
        )

    def touch(self, what: Locator) -> None:
        """Tap or click *what* where it can be seen: in a fan the next card lies over a part of it."""
        for attempt in range(50):
            try:
                what.scroll_into_view_if_needed(timeout=15_000)
                if attempt == 5:  # something that stays in sight lies over it
                    what.evaluate("each => each.scrollIntoView({ block: 'center' })")
                if point := what.evaluate(VISIBLE):
                    self._press(*point)
                    return
            except Error as error:  # it is being drawn anew, unless it has gone
                if isinstance(error, TimeoutError):
                    raise
            if not self.fingers:
                self.page.mouse.move(
                    1, 1
                )  # a card under the mouse is raised, and may lie over all of it
            self.page.wait_for_timeout(100)  # it is still moving
        raise AssertionError("no part of it can be touched")

    def _press(self, x: float, y: float) -> None:
        """Press there on purpose: what appears where the last press was cannot be pressed at once."""
        if not self.fingers:
            self.page.mouse.move(1, 1)
            self.page.mouse.click(x, y)
            return
        if math.dist(self._last_tap, (x, y)) < 40:
            self.page.wait_for_timeout(1000)
        self._last_tap = x, y
        self.page.touchscreen.tap(x, y)

    def enter(self) -> None:
        """Press Enter on purpose: what has just got the keyboard cannot be pressed by Enter alone."""
        self.page.keyboard.press("Shift")
        self.page.keyboard.press("Enter")

    def decide(self) -> None:
        """Press the first lit button, or touch a lit card and press the first lit choice if a sheet
        opens.

        A touch while the table is being drawn anew may miss, and is repeated as a person would.
        """
        for _ in range(4):
            self.wait()
            with contextlib.suppress(TimeoutError, AssertionError):
                if self.sheet.count():  # of a card that was touched instead of what was meant
                    self.sheet.locator(".ck-close").click(timeout=15_000)
                best = self._best()
                before = self.entry()
                opens = best.get_attribute("aria-haspopup", timeout=15_000)
                self.touch(best)
                if opens:
                    choices = self.sheet.locator(".ck-choice.ck-legal")
                    expect(choices.first).to_be_visible(timeout=15_000)
                    self.touch(choices.first)
                self.moved(before, 15_000)
                return
        raise AssertionError("the table does not answer")

    def _best(self) -> Locator:
        """Return the first lit button, else the first lit card, rather one that can be played than
        given away.

        Waits until there is one: after a screen was uncovered, the covered one stays until the
        kernel has answered.
        """
        self.legal.first.wait_for(state="attached", timeout=15_000)
        kinds = [
            f".ck-near {kind}.ck-legal"
            for kind in (".ck-choice", ".ck-piece:not(.ck-quiet)", ".ck-piece")
        ]
        return next(found.first for kind in kinds if (found := self.root.locator(kind)).count())

    def play_to_the_end(self, after: Callable[[], None] = lambda: None) -> None:
        """Play the match; *after* is called after every decision."""
        for _ in range(600):
            self.wait()  # what others do at the end may come in several views
            if self.over():
                return
            self.decide()
            after()
        raise AssertionError("it does not end")

    @property
    def scored(self) -> Locator:
        """The scored rounds on the score pad; in the one that is played only the bids are written
        down.
        """
        return self.root.locator(".ck-pad tbody tr:not(:has(.ck-sum:empty))")

    def rounds(self) -> int:
        """Return how many rounds are scored."""
        return self.scored.count()

    def play_round(self) -> None:
        """Play until one more round is scored."""
        done = self.rounds()
        while self.rounds() == done:
            self.decide()
            self.wait()  # what others do may come in several views, and the round only in the last
