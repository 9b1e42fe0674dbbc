"""The table in a real browser: whole rounds played under Voilà and in JupyterLab, and what was
sent.
"""

import json
import re
from pathlib import Path

import pytest
from bare import Bare
from driver import AtTable
from playing import going_on
from playwright.sync_api import expect
from webpage import overflow, severe, smaller_than, write

from coursekit.core.chance import pick, stream
from coursekit.core.match import Match
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.cards import NO_SUIT, RANK, SUIT
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import LANGUAGES, game_text

CELLS = {
    "one": 'Table("wizard", 3, seed="one")',
    "people": 'Table("wizard", 3, seats=["person"] * 3, seed="a secret seed")',
}
IMPORTS = "from coursekit.table import Table"


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook for each kind of table."""
    folder = tmp_path_factory.mktemp("tables")
    for name, cell in CELLS.items():
        write(folder / "zh" / f"{name}.ipynb", f"# {name}", IMPORTS, cell)
    write(
        folder / "zh" / "every.ipynb",
        "# every",
        IMPORTS,
        *[f'Table("{name}", seed="one")' for name in GAMES],
    )
    return folder


@pytest.fixture(scope="session")
def voila(start_server, notebooks: Path, tmp_path_factory: pytest.TempPathFactory):
    """``coursekit serve`` with these notebooks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSEKIT_DATA", str(tmp_path_factory.mktemp("data")))
        yield start_server("--dir", notebooks, "--max-kernels", 30)


@pytest.fixture
def lay(page, tmp_path):
    """``lay("en")`` sits down at a table for three on a bare page; *match* is what is on it."""

    def lay(language="zh-Hant", match=None, seed="one", **options):
        seats = ["person", AtRandom, AtRandom]
        game = Wizard(3, Options(**options))
        run = going_on(match, seats) if match else Run(game, seats, seed=seed)
        Bare(page, Table(run, language=language, store=Store(tmp_path)))
        return AtTable(page)

    return lay


@pytest.fixture
def sit(open_dashboard, voila):
    """``sit("zh/one")`` opens that notebook under Voilà and sits down."""
    return lambda name: AtTable(open_dashboard(voila.dashboard(f"{name}.ipynb")))


SCROLLING = """tables => tables.map((table) => {
  const out = table.closest(".jp-OutputArea-output");
  return getComputedStyle(out).overflowY === "visible" ? 0 : out.scrollHeight - out.clientHeight;
})"""


def names(card: int) -> list[str]:
    """Return how *card* could appear in anything that is sent."""
    found = [f'card-{card}"']
    if SUIT[card] != NO_SUIT:
        for language in LANGUAGES:
            name = game_text(Wizard(3), "card.plain", language, suit=SUIT[card], rank=RANK[card])
            found += [name, json.dumps(name).strip('"')]
    return found


def told(cards, text: str) -> list[str]:
    """Return which of *cards* are told in *text*."""
    return [
        name
        for card in cards
        for name in names(card)
        if re.search(re.escape(name) + r"(?!\d)", text)
    ]


def test_the_last_of_twenty_rounds_is_played_to_the_end_of_the_match(lay):
    match = Match(Wizard(3), "one")
    rng = stream("until the last round", 0)
    while match.state.round < 20:
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick(rng, match.game.legal_actions(match.state, seat)))
    table = lay(match=match)
    assert table.rounds() == 19
    table.play_to_the_end()
    assert table.rounds() == 20
    assert table.root.locator(".ck-plate.ck-winner").count() >= 1
    assert "獲勝" in table.root.locator(".ck-prompt").inner_text()


def test_no_message_holds_a_card_that_the_seat_may_not_see_and_a_reloaded_page_goes_on(
    sit, traffic
):
    table = sit("zh/one")
    assert table.root.get_attribute("lang") == "zh-Hant"
    table.wait()
    state = Match(Wizard(3), "one").state
    secret = [*state.hands[1], *state.hands[2], *state.undealt]
    text = traffic.received() + table.page.content()
    assert told([state.hands[0][0], state.turned], text) != []
    assert told(secret, text) == []
    table.play_round()
    assert told(state.undealt, traffic.received() + table.page.content()) == []

    table.decide()
    table.decide()
    table.wait()
    before = table.root.locator(".ck-story").inner_text()
    table.page.reload()
    again = AtTable(table.page)
    expect(again.scored).to_have_count(1)
    expect(again.root.locator(".ck-story")).to_have_text(before, use_inner_text=True)
    again.play_round()


def test_several_people_see_a_hand_only_when_they_say_it_is_theirs(sit, traffic):
    table = sit("zh/people")
    table.wait()
    state = Match(Wizard(3), "a secret seed").state
    seen: list[int] = []
    for step in range(3):
        seat = (state.dealer + 1 + step) % 3
        text = traffic.received() + table.page.content()
        hidden = [card for other in range(3) for card in state.hands[other] if card not in seen]
        assert told([*hidden, *state.undealt], text) == []
        assert "a secret seed" not in text
        table.root.locator(".ck-covered button").click()
        expect(table.legal.first).to_be_visible()
        seen += state.hands[seat]
        assert told(state.hands[seat], table.page.content()) != []
        others = [card for other in range(3) if other != seat for card in state.hands[other]]
        assert told(others, table.page.content()) == []
        table.decide()


def test_touching_another_card_says_why_not(lay):
    table = lay()
    for _ in range(60):
        table.wait()
        unlit = table.root.locator(".ck-hand [aria-disabled=true]")
        if unlit.count():
            break
        table.decide()
    before = table.entry()
    table.touch(unlit.first)
    expect(table.root.locator(".ck-refusal")).to_contain_text("必須跟出")
    expect(table.root.locator(".ck-refusal")).to_contain_text("規則：跟牌")
    assert table.entry() == before


@pytest.mark.smoke
def test_the_keyboard_alone_plays_a_whole_round(lay):
    table = lay("en")
    page = table.page
    table.wait()
    page.locator(".ck-near .ck-legal").first.focus()
    for _ in range(30):
        table.wait()
        if table.rounds() == 2:
            break
        assert page.evaluate("document.activeElement.closest('.ck-near') !== null"), (
            "the focus was lost"
        )
        before = table.entry()
        if not page.evaluate("document.activeElement.matches('.ck-legal')"):
            page.keyboard.press("Home")
            for _ in range(21):
                if page.evaluate("document.activeElement.matches('.ck-legal')"):
                    break
                page.keyboard.press("ArrowRight")
        table.enter()
        table.moved(before)
    assert table.rounds() == 2


def test_a_match_is_saved_looked_back_at_and_loaded(lay, tmp_path):
    table = lay("en", seed="short", short_game=2)
    table.play_to_the_end()
    expect(table.root.locator(".ck-seed")).to_be_hidden()
    table.root.get_by_role("button", name="Menu").click()
    expect(table.root.locator(".ck-seed")).to_be_visible()
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name="Save").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert json.loads(path.read_text())["game"] == "wizard"

    for word in ("Start", "Back", "Forward", "Now"):  # arrows have words
        expect(table.root.locator(".ck-steps").get_by_text(word, exact=True)).to_be_visible()
    table.root.locator(".ck-step").first.click()
    expect(table.root.locator(".ck-entry")).to_have_text(re.compile(r"^0 /"))
    assert (
        table.root.locator(".ck-plate .ck-open-hand .ck-piece").count() == 2
    )  # the others' hands lie open
    table.root.get_by_role("button", name="What if…?").click()
    weighed = table.sheet.get_by_role("listitem")
    expect(weighed).to_have_count(2)  # to predict 0 or 1
    expect(weighed.filter(has_text="what was done")).to_have_count(1)
    expect(weighed.filter(has_text=re.compile(r"\d+ %"))).to_have_count(2)
    expect(table.root.locator(".ck-prompt")).to_have_text(re.compile(r"^Next comes Player \d\.$"))
    table.sheet.get_by_role("button", name="Close").click()
    table.root.get_by_role("button", name="What if…?").click()  # it is known already
    expect(weighed).to_have_count(2)
    table.root.locator(".ck-box-past .ck-primary").click()  # go on from here with new chance
    expect(table.root).not_to_have_class(re.compile(r"\bck-past\b"))
    expect(table.sheet).to_have_count(0)
    table.play_to_the_end()

    wrong = tmp_path / "wrong.json"
    wrong.write_text("no record at all")
    story = table.root.locator(".ck-story").inner_text()
    table.page.locator(".ck-table input[type=file]").set_input_files(wrong)
    expect(table.root).to_contain_text("no match record")
    assert table.root.locator(".ck-story").inner_text() == story
    table.page.locator(".ck-table input[type=file]").set_input_files(path)
    expect(table.root).not_to_contain_text("no match record")
    expect(table.root.locator(".ck-seed input")).to_have_value("short")


@pytest.mark.smoke
def test_a_new_match_with_other_rules_is_made_at_the_table(lay):
    table = lay("en")
    table.page.locator("button.ck-new").click()
    form = table.root.locator(".ck-form")
    form.get_by_role("radio", name="4", exact=True).check()
    way = form.locator(".ck-ways :checked + span")
    form.get_by_text("More:").click()
    form.get_by_role("radio", name="one lesson").check()
    expect(form.get_by_label("Rounds to play")).to_have_value("5")
    expect(form).to_contain_text("about 18 minutes")
    form.get_by_label("Rounds to play").fill("4")
    expect(way).to_contain_text("own rules")
    form.get_by_label("Rounds to play").fill("5")
    expect(way).to_contain_text("one lesson")
    form.get_by_label("Predictions", exact=True).select_option(label="hidden bid")
    expect(way).to_contain_text("own rules")
    form.get_by_label("Plus or minus one").select_option(label="the sum must differ")
    form.locator("button[type=submit]").click()
    expect(form).to_contain_text("all predict at once")
    form.get_by_label("Plus or minus one").select_option(label="not used")
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    expect(table.root.locator(".ck-plate")).to_have_count(4)
    table.decide()
    expect(table.root.locator(".ck-story")).to_contain_text("has written down a prediction")


def test_the_language_is_switched_inside_the_table(lay):
    table = lay()
    table.root.locator("select").nth(1).select_option(label="简体中文")
    expect(table.root).to_have_attribute("lang", "zh-Hans")
    expect(table.root.locator(".ck-prompt")).to_contain_text("预测")
    table.root.locator("select").nth(1).select_option(label="English")
    expect(table.root.locator(".ck-prompt")).to_contain_text("How many tricks")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_nothing_serious_for_axe_and_nothing_too_wide(page, lay, width, scheme):
    page.set_viewport_size({"width": width, "height": 640 if width == 360 else 720})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    table = lay()

    def fine():
        assert overflow(page) <= 0
        assert severe(page) == []

    for _ in range(3):
        table.wait()
        fine()
        table.decide()
    table.play_round()
    fine()
    menu, opener = page.get_by_role("button", name="新手引導"), table.root.locator(".ck-menu")
    for close in (
        lambda: page.keyboard.press("Escape"),
        table.root.locator(".ck-title").click,
        page.locator(".ck-rules-open").click,
    ):
        opener.click()
        expect(menu).to_be_visible()
        close()
        expect(menu).to_be_hidden()
    expect(page.locator(".ck-rule-lines [aria-current]")).to_be_visible()
    fine()
    match = page.locator(".ck-story").inner_text()
    opener.click()
    menu.click()
    for words in ("剛剛好", "一墩", "王牌"):  # what a prediction needs
        expect(page.locator(".ck-box-hint")).to_contain_text(words)
    fine()
    table.decide()
    expect(page.get_by_text("跳過引導")).to_be_visible()
    page.locator("[data-key=leave]").click()
    expect(page.locator(".ck-box-hint")).to_have_count(0)
    assert page.locator(".ck-story").inner_text() == match
    if width == 360:
        table.decide()
        assert smaller_than(44, table.legal) == []
        table.root.locator(".ck-menu").click()
    page.locator("button.ck-new").click()
    fine()


def test_the_wheel_scrolls_the_page_and_not_the_output_around_a_table(page, open_dashboard, voila):
    open_dashboard(voila.dashboard("zh/every.ipynb"))
    tables = page.locator(".ck-table")
    expect(tables).to_have_count(len(GAMES))
    for width in (360, 1000, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        assert tables.evaluate_all(SCROLLING) == [0] * len(GAMES), width
