"""The scenes that only one game has, at sizes, moments, numbers of players and languages drawn from
a seed: what matters is whole, large, and covered by nothing.
"""

import pytest
from bare import Bare
from driver import AtTable
from fitted import give_room
from playing import going_on
from webpage import at_size

from coursekit.core.chance import pick, stream
from coursekit.core.match import Match
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Options as WikipediaOptions
from coursekit.games.wikipedia import Wikipedia
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import seat_name

SIZES = [(1024, 640), (1280, 720), (1280, 1024), (1366, 768), (1600, 900), (1920, 1080)]
LANGUAGES = ("zh-Hant", "en")


@pytest.fixture
def lay(page, tmp_path):
    """``lay(match, language, size)`` sits down at a fitted table with *match* as it stands."""

    def lay(match, language, size):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(reduced_motion="reduce")
        seats = ["person"] + [AtRandom] * (match.game.players - 1)
        Bare(page, Table(going_on(match, seats), language=language, store=Store(tmp_path)))
        give_room(page, "calc(100dvh - 64px)")
        table = AtTable(page)
        table.wait()
        at_size(page, {"width": size[0], "height": size[1]})
        return table

    return lay


def drawn(game, seed, most=100_000):
    """Return a match played at random for that many actions at most."""
    match, rng = Match(game, seed), stream(f"own scenes {seed}", 0)
    while not match.over and len(match.log) < most:
        seat = match.game.to_act(match.state)[0]
        legal = match.game.legal_actions(match.state, seat)
        match.play(seat, pick(rng, legal) if isinstance(legal, tuple) else legal.sample(rng))
    return match


def chosen(seed):
    """Return what a seed draws with, a size and a language."""
    rng = stream(f"scene {seed}", 0)
    return rng, pick(rng, SIZES), pick(rng, LANGUAGES)


LIES = """(root, [inner, outer]) => [...root.querySelectorAll(inner)].flatMap((each) => {
  const words = document.createRange();
  words.selectNodeContents(each);
  const [small, large] = [words, each.closest(outer)].map((one) => one.getBoundingClientRect());
  const inside = small.left >= large.left - 1 && small.right <= large.right + 1 &&
    small.top >= large.top - 1 && small.bottom <= large.bottom + 1;
  return inside ? [] : [each.textContent];
})"""
"""The words that do not lie within the element around them."""
MEETS = """(root, [one, other]) => {
  const boxes = (name) => [...root.querySelectorAll(name)].map((each) => each.getBoundingClientRect());
  return boxes(one).some((a) => a.width && boxes(other).some((b) => b.width &&
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1));
}"""


@pytest.mark.parametrize("seed", range(2))
def test_the_news_begin_with_their_result_and_it_is_whole(lay, seed):
    rng, size, language = chosen(f"news {seed}")
    match = drawn(Blockade(), f"news {seed}", 60 + int(rng.random() * 300))
    table = lay(match, language, size)
    assert table.root.evaluate(LIES, [".ck-notice-result", ".ck-zone-notice"]) == []
    after = "root => root.querySelector('.ck-notice-result')?.previousElementSibling.className"
    assert table.root.evaluate(after) in (None, "ck-notice-title")


@pytest.mark.parametrize("seed", range(2))
def test_the_middle_of_wikipedia_is_large_and_covered_by_nothing(lay, seed):
    rng, size, language = chosen(f"middle {seed}")
    options = WikipediaOptions(points_to_win=40, open_hands=rng.random() < 0.3)
    match = drawn(Wikipedia(pick(rng, (2, 4, 6, 8)), options), f"middle {seed}", 20)
    while not match.state.work:
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))
    table = lay(match, language, size)
    for other in (".ck-plate", ".ck-prompt", ".ck-pile", ".ck-dice"):
        assert not table.root.evaluate(MEETS, [".ck-middle .ck-square", other]), other
    work = table.root.locator(".ck-middle .ck-square .ck-card").first.bounding_box()
    pile = table.root.locator(".ck-middle .ck-pile").first.bounding_box()
    larger = 1.25 if match.game.players <= 4 else 1.0
    assert work["width"] >= larger * pile["width"] - 1
    if match.state.author != 0:
        name = seat_name(match.state.author, language)
        assert name in table.root.locator(".ck-middle .ck-square-name").first.inner_text()


@pytest.mark.parametrize("seed", range(2))
def test_at_the_end_the_tally_covers_nothing_of_the_design(lay, seed):
    rng, size, language = chosen(f"tally {seed}")
    table = lay(drawn(KnitWit(pick(rng, (2, 3, 4, 6, 8))), f"tally {seed}"), language, size)
    assert not table.root.evaluate(MEETS, [".ck-venn-canvas", ".ck-near .ck-zone-pad"])
    total = table.root.locator(".ck-near .ck-pad-sums > th").last.bounding_box()
    pad = table.root.locator(".ck-near .ck-zone-pad").bounding_box()
    assert total["y"] + total["height"] <= pad["y"] + pad["height"] + 1


@pytest.mark.parametrize("seed", range(2))
def test_titles_at_a_seat_are_whole_where_they_are_shown(lay, seed):
    rng, size, language = chosen(f"titles {seed}")
    match = drawn(Blockade(), f"titles {seed}", 60 + int(rng.random() * 200))
    table = lay(match, language, size)
    for around in (".ck-print", ".ck-shelves"):
        assert table.root.evaluate(LIES, [".ck-titled .ck-print-title", around]) == []
    if language == "zh-Hant":
        assert table.root.locator(".ck-titled .ck-print-title").count() > 0
