"""A table that fills a height it is given, or the whole screen: nothing small, nothing out of
sight, nothing moves.
"""

import pytest
from bare import Bare
from driver import AtTable
from fitted import boxes, give_room, moved, texts, too_small
from playing import going_on
from playwright.sync_api import expect
from webpage import at_size

from coursekit.core.chance import pick, stream
from coursekit.core.match import Match
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade
from coursekit.games.wikipedia import Options as WikipediaOptions
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Options, Wizard
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store

PHONE, SMALL, PROJECTOR = (
    {"width": w, "height": h} for w, h in ((360, 640), (1280, 720), (1920, 1080))
)


@pytest.fixture
def lay(page, tmp_path):
    """``lay(match, people=1)`` sits down at a fitted table with *match* as it stands; the rest play
    at random.
    """

    def lay(match, language="en", people=1, size=SMALL):
        page.set_viewport_size(size)
        page.emulate_media(reduced_motion="reduce")
        seats = ["person"] * people + [AtRandom] * (match.game.players - people)
        Bare(page, Table(going_on(match, seats), language=language, store=Store(tmp_path)))
        give_room(page, "calc(100dvh - 64px)")  # as in a lesson
        return AtTable(page)

    return lay


def until(game, holds, seed="one"):
    """Return a match at the first moment of which *holds* is true, played at random."""
    match, rng = Match(game, seed), stream("until it holds", 0)
    while not holds(match.state):
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))
    return match


def wizard(players, round, phase, **options):
    """Return a match in the middle of that phase of a late round, when it is seat 0's turn."""

    def holds(state):
        late = state.round == round and state.phase == phase
        return late and (phase != "play" or (len(state.trick) > 1 and sum(state.won) > 1))

    return until(Wizard(players, Options(**options)), holds)


def wikipedia(players):
    """Return a match that has gone through rounds, when seat 0 can do something about a work that
    was written.
    """
    return until(
        Wikipedia(players),
        lambda state: state.round > 2 and state.phase == "move" and state.turn == 0,
        "b",
    )


def first_turn():
    """Return a match of 文壇封鎖中 in its first lap, when it is seat 0's turn."""
    return until(Blockade(), lambda state: state.phase == "opening" and state.turn == 0)


LATE = {
    "wizard, 20 cards and 21 bids": (lambda: wizard(3, 20, "bid"), "zh-Hant"),
    "wizard, 6 players in a trick": (lambda: wizard(6, 9, "play"), "en"),
    "wikipedia, 2 players": (lambda: wikipedia(2), "zh-Hant"),
    "wikipedia, 4 players": (lambda: wikipedia(4), "en"),
    "wikipedia, 8 players": (lambda: wikipedia(8), "zh-Hant"),
    "wikipedia, open hands and two buttons": (
        lambda: until(
            Wikipedia(2, WikipediaOptions(open_hands=True)),
            lambda state: state.phase == "repair" and state.turn == 0,
        ),
        "en",
    ),
    "文壇, first turn": (first_turn, "en"),
}


@pytest.mark.parametrize("moment", LATE)
def test_everything_can_be_read_and_is_in_sight(lay, moment):
    match, language = LATE[moment]
    table = lay(match(), language)
    assert too_small(table) == {}
    at_size(table.page, SMALL)
    table.root.locator("[data-key=language]").select_option(
        label="繁體中文" if language == "en" else "English"
    )
    expect(table.root).to_have_attribute("lang", "zh-Hant" if language == "en" else "en")
    assert too_small(table) == {}


@pytest.mark.parametrize(
    ("match", "size"),
    [
        (lambda: wizard(5, 4, "bid"), PHONE),
        (lambda: wizard(4, 4, "bid"), SMALL),
        (lambda: wikipedia(4), SMALL),
        (lambda: wikipedia(2), PHONE),
    ],
)
def test_seats_piles_and_places_stay_for_a_whole_round(lay, match, size):
    table = lay(match(), size=size)
    table.wait()
    title, before = table.root.locator(".ck-title").inner_text().split("·")[0], boxes(table)
    assert len(before) > 4
    for _ in range(60):
        assert moved(before, boxes(table)) == []
        table.decide()
        table.wait()
        if table.over() or not table.root.locator(".ck-title").inner_text().startswith(title):
            return


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
@pytest.mark.parametrize(("players", "seed"), [(3, "c"), (6, "0")])
def test_on_a_phone_the_trumps_to_choose_from_lie_beside_the_note_on_the_pile(
    lay, players, seed, language
):
    match = until(Wizard(players), lambda state: state.phase == "trump" and state.turn == 0, seed)
    table = lay(match, language, size=PHONE)
    note = table.root.locator(".ck-zone-pile > .ck-note").bounding_box()
    choices = table.root.locator(".ck-near .ck-choice")
    expect(choices).to_have_count(4)
    for choice in (each.bounding_box() for each in choices.all()):
        assert note["x"] + note["width"] <= choice["x"] or note["y"] + note["height"] <= choice["y"]
        assert choice["x"] + choice["width"] <= PHONE["width"]


def test_who_passes_the_screen_on_moves_no_seat(lay):
    table = lay(Match(Wizard(3), "one"), people=3)
    before = boxes(table)
    for _ in range(2):
        table.root.locator(".ck-covered button").click()
        expect(table.root.locator(".ck-near .ck-choice").first).to_be_visible()
        assert moved(before, boxes(table)) == []
        table.decide()
        expect(table.root.locator(".ck-covered")).to_be_visible()
        assert moved(before, boxes(table)) == []


IN_A_HURRY = """async (root) => {
  let whole;
  root.requestFullscreen = () => (whole = Element.prototype.requestFullscreen.call(root));
  root.querySelector(".ck-enlarge").click();
  root.querySelector(".ck-enlarge").click();
  await whole.catch(() => {});
}"""
"""Enlarge a table and make it small again before the browser shows it on the whole screen."""


def test_the_table_alone_fills_the_window_and_escape_leaves(page, tmp_path):
    page.set_viewport_size(PROJECTOR)
    Bare(
        page,
        Table(
            Run(Wizard(4), ["person"] + [AtRandom] * 3, seed="one"),
            language="en",
            store=Store(tmp_path),
        ),
    )
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('p'), { style: 'height: 4000px' }))"
    )
    table = AtTable(page)
    table.root.locator(".ck-enlarge").click()
    page.wait_for_function(
        "root => root.clientHeight === innerHeight && root.clientWidth === innerWidth",
        arg=table.root.element_handle(),
    )
    cards = table.root.locator(".ck-hand .ck-card").first.bounding_box()
    assert cards["height"] > 0.15 * PROJECTOR["height"]
    table.root.press("Escape")
    page.wait_for_function(
        "root => root.clientHeight < innerHeight", arg=table.root.element_handle()
    )
    expect(table.root.locator(".ck-enlarge")).to_be_focused()
    table.root.evaluate(IN_A_HURRY)
    page.wait_for_function(
        "root => root.clientHeight < innerHeight", arg=table.root.element_handle()
    )
    assert not table.root.evaluate("root => root.classList.contains('ck-fitted')")


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_after_start_what_is_to_be_done_is_in_sight(page, lay, size):
    table = lay(Match(Wizard(4), "one"), size=size)
    table.root.locator(".ck-new").click()
    table.root.locator(".ck-form-end .ck-primary").click()
    expect(table.root.locator(".ck-form")).to_have_count(0)
    table.wait()
    at_size(page, size)
    for part in (".ck-prompt", ".ck-hand .ck-piece", ".ck-near .ck-choice"):
        expect(table.root.locator(part).first).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("size", [PHONE, SMALL, PROJECTOR])
def test_the_sheet_of_a_card_is_closed_where_it_says_so(lay, size):
    table = lay(first_turn(), size=size)
    table.touch(table.root.locator(".ck-hand .ck-piece").first)
    sheet, close = table.sheet.bounding_box(), table.sheet.locator(".ck-close")
    within = close.bounding_box()
    assert sheet["x"] < within["x"]
    assert within["x"] + within["width"] <= sheet["x"] + sheet["width"]
    assert sheet["y"] < within["y"] < sheet["y"] + 60
    table.touch(close)
    expect(table.sheet).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_every_box_of_the_menu_has_words(lay, size):
    table = lay(Match(Wizard(4), "one"), people=2, size=size)
    table.root.locator(".ck-menu").click()
    boxes = table.root.locator(".ck-tools label:has([type=checkbox])")
    assert boxes.count() > 1
    assert {each.strip() for each in boxes.all_inner_texts()} <= {
        each["text"] for each in texts(table)
    }
