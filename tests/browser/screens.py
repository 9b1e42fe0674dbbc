"""Tables at drawn sizes of window and letters, and what is wrong with how they look.

``python tests/browser/screens.py 100`` draws a hundred and prints the seed of each that fails;
``python tests/browser/screens.py --seed 17`` looks at one, ``--keep FOLDER`` saves pictures.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path[:0] = [
    str(Path(__file__).parents[1] / part) for part in ("", "table", "testing", "browser")
]

from bare import Bare  # noqa: E402
from driver import AtTable  # noqa: E402
from fitted import give_room  # noqa: E402
from playing import going_on  # noqa: E402
from playwright.sync_api import Page  # noqa: E402
from screen_command import look_at_seeds  # noqa: E402
from webpage import DRAWN  # noqa: E402

from coursekit.core.game import Game  # noqa: E402
from coursekit.core.match import Match  # noqa: E402
from coursekit.core.strategy import AtRandom  # noqa: E402
from coursekit.games.blockade import Blockade  # noqa: E402
from coursekit.games.knitwit import KnitWit  # noqa: E402
from coursekit.games.wikipedia import Wikipedia  # noqa: E402
from coursekit.games.wizard import Wizard  # noqa: E402
from coursekit.table import Table  # noqa: E402
from coursekit.table.storage.sqlite_store import Store  # noqa: E402

PLACES = ("page", "step", "whole screen")
"""Where a table stands: on a page that scrolls, in a lesson's step that it fills, alone."""


@dataclass(frozen=True)
class Screen:
    """What was drawn from one seed."""

    seed: int
    game: Game
    steps: int
    people: int
    language: str
    place: str
    width: int
    height: int
    letters: int
    """Percent of the letters that a browser has from the start."""

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {type(self.game).__name__} of {self.game.players}, step {self.steps}, "
            f"{self.people} people, {self.language}, {self.place}, {self.width} x {self.height}, "
            f"letters {self.letters} %"
        )


def draw(seed: int) -> Screen:
    """Return the screen of *seed*."""
    rng = Random(f"screen {seed}")
    kind = rng.choice((Wikipedia, Wizard, Blockade, KnitWit))
    players = rng.choice(
        {Wikipedia: (2, 4, 6, 8), Wizard: (3, 4, 5, 6), Blockade: (4,)}.get(kind, range(2, 9))
    )
    width, height = rng.randint(320, 2560), rng.randint(480, 1440)
    zoom = rng.choice((1, 1, 1, 1.25, 1.5, 2))
    return Screen(
        seed,
        kind(players),
        rng.choice((0, 1, 5, rng.randrange(400), rng.randrange(400), 100_000)),
        rng.choice((0, 1, 1, 1, 2, players)),
        rng.choice(("zh-Hant", "en", "zh-Hans")),
        rng.choice(PLACES),
        max(195, round(width / zoom)),
        max(300, round(height / zoom)),
        rng.choice((100, 100, 150, 200)),
    )


def played(screen: Screen) -> Match:
    """Return the match of *screen* after its steps, played at random."""
    match, rng = Match(screen.game, f"screen {screen.seed}"), Random(screen.seed)
    for _ in range(screen.steps):
        if match.over:
            break
        seat = match.game.to_act(match.state)[0]
        legal = match.game.legal_actions(match.state, seat)
        match.play(seat, rng.choice(legal) if isinstance(legal, tuple) else legal.sample(rng))
    return match


FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")


def faults(page: Page, screen: Screen) -> list[str]:
    """Return what is wrong with *screen* as *page* shows it."""
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.emulate_media(reduced_motion="reduce")
    session = page.context.new_cdp_session(page)
    size = 16 * screen.letters // 100
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
    match = played(screen)
    people = ["person"] * screen.people
    seats = people + [AtRandom] * (screen.game.players - screen.people)
    with tempfile.TemporaryDirectory() as folder:
        table = Table(going_on(match, seats), language=screen.language, store=Store(Path(folder)))
        Bare(page, table)
        if screen.place == "step":
            give_room(page, "calc(100dvh - 64px)")
        at = AtTable(page)
        if screen.place == "whole screen":
            at.root.evaluate("root => { root.requestFullscreen = null; }")
            at.root.locator(".ck-enlarge").click()
        if screen.people > 1 and at.root.locator(".ck-covered button").count():
            at.root.locator(".ck-covered button").first.click()
        page.evaluate("document.activeElement.blur()")
        page.evaluate(DRAWN)
        page.evaluate("scrollTo(0, 0)")
        return list(page.evaluate(FAULTS))


if __name__ == "__main__":
    look_at_seeds(__doc__, draw, faults)
