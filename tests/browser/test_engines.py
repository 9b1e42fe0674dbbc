"""The site in Firefox and WebKit: every game is played by clicks, in the folder and in the one
file.
"""

import json
from collections.abc import Callable, Iterator

import pytest
from engines import ENGINES, Engine
from lanes import PATIENCE, START

pytestmark = pytest.mark.engines
CLICKS = 10  # more than a round of Wizard or of Wikipedia and Books
NOISE = "Failed to register/update a ServiceWorker"  # Firefox's own words where it keeps nothing
FASTEST = """(() => {
  document.querySelector(".ck-table:not(.ck-still *) [data-key='welcome_play']")?.click(); // this browser is new
  const menu = document.querySelector(".ck-table:not(.ck-still *) [data-key='speed']");
  if (!menu) return false;
  menu.selectedIndex = menu.options.length - 1;
  menu.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
})()"""
TOLD = """[...document.querySelectorAll(".ck-table:not(.ck-still *) :is(.ck-prompt > span, .ck-story)")]
  .map((each) => each.innerText).join("\\n")"""
STATE = f"""{TOLD} + ["badge", "venn-says", "sheet", "venn-says.ck-legal"].map((name) => {{
  return [...document.querySelectorAll(`.ck-table:not(.ck-still *) .ck-${{name}}`)].map((each) => each.innerText).join();
}})"""
CLICK = f"""(() => {{
  const root = document.querySelector(".ck-table:not(.ck-still *)");
  if (root.querySelector(".ck-skip")) return false; // what others do is still being told
  const ways = [
    ".ck-covered button", ".ck-venn:has(.ck-venn-says.ck-legal) [data-key='venn-lay']",
    ".ck-venn-draws [data-key='venn-suggest']", ".ck-venn-puts .ck-venn-spot", ".ck-sheet .ck-choice.ck-legal",
    ".ck-pile .ck-piece.ck-legal", ".ck-near .ck-choice.ck-legal", ".ck-near .ck-piece.ck-legal:not(.ck-quiet)",
    ".ck-near .ck-piece.ck-legal", ".ck-near .ck-primary",
  ];
  const found = ways.map((way) => [...root.querySelectorAll(way)].find((each) => each.getClientRects().length));
  const before = {STATE}, first = found.find(Boolean);
  first?.dispatchEvent(new MouseEvent("click", {{ bubbles: true, cancelable: true }}));
  return first && before;
}})()"""


WRITE = """((words) => {
  const form = document.querySelector(".ck-map-form");
  const boxes = form ? [...form.querySelectorAll("input[type=text]")] : [];
  if (boxes.length !== words.length) return false;
  boxes.forEach((box, at) => (box.value = words[at]));
  form.requestSubmit();
  return true;
})"""
"""Fills in the form of a map, once it has that many boxes."""


class Person:
    """Somebody who plays in *engine*."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def open(self, url: str) -> None:
        """Go to *url* and wait for its table."""
        self.engine.open(url)
        self.sits_down()

    def reload(self) -> None:
        """Load the page again and wait for its table; errors of what that has broken off do not
        count.
        """
        self.check()
        self.engine.reload()
        self.engine.errors()
        self.sits_down()

    def sits_down(self) -> None:
        """Wait for the table, and let the others play without waiting."""
        self.engine.wait_for(FASTEST, START)

    def click(self) -> None:
        """Click on the first thing with which the match goes on, and wait until the table has
        changed.
        """
        before = self.engine.wait_for(CLICK, PATIENCE)
        self.engine.wait_for(f"({STATE}) !== {json.dumps(before)}", PATIENCE)

    def told(self) -> str:
        """Return the prompt and the story of the match, once it is this person's turn."""
        self.engine.wait_for(
            "!document.querySelector('.ck-table:not(.ck-still *) .ck-skip')", PATIENCE
        )
        return str(self.engine.evaluate(TOLD))

    def waits_for(self, told: str) -> None:
        """Wait until the table tells *told*."""
        self.engine.wait_for(f"({TOLD}) === {json.dumps(told)}", PATIENCE)

    def check(self) -> None:
        """Fail if anything has gone wrong in the page."""
        assert [each for each in self.engine.errors() if NOISE not in each] == []


@pytest.fixture(autouse=True)
def traffic() -> None:
    """No Chromium is opened for these tests."""


@pytest.fixture(scope="module", params=list(ENGINES))
def engine(start_engine: Callable[..., Engine], request: pytest.FixtureRequest) -> Engine:
    """A running Firefox or WebKit."""
    return start_engine(request.param)


@pytest.fixture
def person(engine: Engine) -> Iterator[Person]:
    """Somebody in a browser; what goes wrong in it fails the test."""
    person = Person(engine)
    yield person
    person.check()
    engine.open("about:blank")
    engine.errors()  # of what leaving the page has broken off


@pytest.mark.parametrize(
    ("engine", "game"),
    [
        ("firefox", "blockade"),
        ("firefox", "knitwit"),
        ("webkit", "knitwit"),
        ("webkit", "wikipedia"),
    ],
    indirect=["engine"],
)
def test_games_can_be_played(person: Person, site_url: str, game: str) -> None:
    person.open(f"{site_url}zh-{game}.html#play")
    for _ in range(CLICKS):
        person.click()


def test_a_page_loaded_again_goes_on_with_its_match(person: Person, site_url: str) -> None:
    person.open(f"{site_url}en-wizard.html#play")
    for _ in range(CLICKS):
        person.click()
    before = person.told()
    person.reload()
    person.waits_for(before)
    person.click()


def test_the_one_file_is_played_and_goes_on_when_it_is_loaded_again(
    person: Person, built_site
) -> None:
    person.open(f"{built_site.file.as_uri()}?page=zh-wizard.html#play")
    for _ in range(3):
        person.click()
    before = person.told()
    person.reload()
    person.waits_for(before)
    person.click()


def test_a_map_is_drawn_in_the_one_file_and_there_when_it_is_loaded_again(
    person: Person, built_site
) -> None:
    engine = person.engine
    drawn = "document.querySelector('.ck-map-board canvas')?.width > 0"
    engine.open(f"{built_site.file.as_uri()}?page=en-wizard.html#lab")
    engine.wait_for("Boolean(document.querySelector('.ck-map .ck-map-step'))", START)
    engine.evaluate("document.querySelector('.ck-map .ck-map-step').click()")
    engine.wait_for(f"{WRITE}(['Jester'])", PATIENCE)
    engine.wait_for(f"{WRITE}(['wins no', 'trick'])", PATIENCE)
    engine.wait_for(drawn, PATIENCE)
    engine.wait_for(
        "document.querySelector('.ck-map-status').innerText.startsWith('Saved')", PATIENCE
    )
    person.check()
    engine.reload()
    engine.errors()
    engine.wait_for(drawn, START)
    engine.evaluate("document.querySelector('[data-tool=view_outline]').click()")
    engine.wait_for("document.querySelector('.ck-map').textContent.includes('trick')", PATIENCE)


def test_where_nothing_may_be_kept_the_page_says_so_and_can_be_played(
    start_engine, site_url: str
) -> None:
    person = Person(start_engine("firefox", network_cookie_cookieBehavior=2))
    person.open(f"{site_url}en-wizard.html#play")
    for _ in range(3):
        person.click()
    person.engine.wait_for("document.body.innerText.includes('is not being kept')", PATIENCE)
    person.check()
