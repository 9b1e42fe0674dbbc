"""文壇封鎖中 in a real browser: whole matches by touch, mouse and keyboard, cards read aloud, secrets
kept.
"""

import json
import re

import pytest
from bare import Bare
from blockade_table import AUTHOR, BANNED, EDITOR, PERIODICALS, POLICE, SPY, WRITERS, function
from blockade_table import Table as Position
from driver import AtTable
from fitted import SMALLEST, boxes, give_room, moved, texts
from playing import going_on
from playwright.sync_api import expect
from webpage import at_size, overflow, severe, smaller_than

from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade, Options
from coursekit.kit.scene import Look
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import LANGUAGES

LESSON = Options(eras=(1,), laps_limit=3)
PHONE, PROJECTOR = {"width": 360, "height": 640}, {"width": 1280, "height": 720}
FINGERS = pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)


ONE, PEOPLE = ["person", AtRandom, AtRandom, AtRandom], ["person"] * 4


@pytest.fixture
def lay(page, tmp_path, request):
    """``lay(game or position, seats, …)`` returns somebody at a table on a bare page."""

    def lay(what, seats=ONE, language="zh-Hant", size=PROJECTOR):
        fingers = "has_touch" in getattr(
            request.node.get_closest_marker("browser_context_args"), "kwargs", {}
        )
        if not fingers:
            page.set_viewport_size(size)
        run = (
            going_on(what.match, seats)
            if isinstance(what, Position)
            else Run(what, seats, seed="browser")
        )
        bare = Bare(page, Table(run, language=language, store=Store(tmp_path)))
        person = AtTable(page, fingers)
        person.bare, person.match = bare, run.match
        return person

    return lay


STANDS = """marker => {
  const space = marker.closest(".ck-space");
  const [inner, outer] = [marker, space].map((each) => each.getBoundingClientRect());
  const [x, y] = [inner.left + inner.width / 2, inner.top + inner.height / 2];
  const inside = outer.left <= x && x <= outer.right && outer.top <= y && y <= outer.bottom;
  return inside ? space.querySelector(".ck-space-long").textContent : "beside its space";
}"""


def standing(table) -> list[str]:
    """Return by seat what is written on the space on which its marker is seen."""
    table.page.wait_for_function(
        "() => document.getAnimations().every((each) => each.playState !== 'running')"
    )
    return [table.piece(f"marker-{seat}").evaluate(STANDS) for seat in range(4)]


@pytest.mark.smoke
@FINGERS
def test_a_whole_match_is_played_by_touch_on_a_phone(lay):
    table = lay(Blockade(4, LESSON))
    assert table.page.evaluate("navigator.maxTouchPoints") > 0

    def fits():
        assert overflow(table.page) <= 0

    table.play_to_the_end(fits)
    assert len(table.match.state.by_era) == 1
    assert table.root.locator(".ck-plate.ck-winner").count() == len(table.match.state.won)
    assert "獲勝" in table.root.locator(".ck-prompt").inner_text()


def test_an_era_is_played_by_the_keyboard_alone(lay):
    table = lay(Blockade(4, LESSON), language="en")
    page, sheets = table.page, 0
    table.wait()
    page.locator(".ck-near .ck-legal").first.focus()
    for _ in range(100):
        table.wait()
        if table.over():
            break
        before = table.entry()
        assert page.evaluate("document.activeElement.closest('.ck-near') !== null"), (
            "the focus was lost"
        )
        table.enter()
        if page.evaluate("document.activeElement.closest('.ck-sheet') !== null"):
            sheets += 1
            page.keyboard.press("Escape")
            assert table.sheet.count() == 0
            assert page.evaluate("document.activeElement.closest('.ck-near') !== null")
            table.enter()
            table.enter()
        table.moved(before)
        assert table.sheet.count() == 0, "it closes when the kernel has accepted"
    assert table.over()
    assert sheets > 0


def in_hand(table) -> list[str]:
    """Return the ids of the cards in the hand on the screen."""
    pieces = table.root.locator(".ck-hand .ck-piece")
    return sorted(pieces.evaluate_all("pieces => pieces.map((each) => each.dataset.piece)"))


def test_four_people_at_one_screen_see_a_hand_only_when_they_say_it_is_theirs(lay):
    table = lay(Blockade(4), PEOPLE)
    state, uncovered = table.match.state, []
    while len(uncovered) < 5:
        table.wait()
        if table.root.locator(".ck-covered").count() == 0:  # the same person goes on, or the table
            table.decide()
            continue
        (seat,) = table.match.game.to_act(state)
        assert in_hand(table) == []
        hidden = {card for hand in state.hands for card in hand} - public(table, None)
        assert named(hidden, table.bare.last_view(), table) == []
        expect(table.root.locator(".ck-covered button")).to_be_in_viewport(ratio=1)
        table.root.locator(".ck-covered button").click()
        expect(table.root.locator(".ck-hand .ck-piece")).to_have_count(len(state.hands[seat]))
        assert in_hand(table) == sorted(f"card-{card}" for card in state.hands[seat])
        assert overflow(table.page) <= 0
        uncovered.append(seat)
        if len(uncovered) == 2:
            at_size(table.page, PHONE)
        table.decide()
    assert set(uncovered) == {0, 1, 2, 3}


def public(table, seat) -> set[int]:
    """Return the experience cards that *seat* (None: a spectator) has been told of, or can see
    lying.
    """
    told = set()
    for event in table.match.story(seat):
        cards = event.values.get("cards", ())
        told |= {event.values.get("card")} | (
            set(cards) if isinstance(cards, list | tuple) else set()
        )
    state = table.match.state
    lying = [
        state.discards,
        *state.tables,
        *state.spares,
        [state.shown],
        [] if seat is None else state.hands[seat],
    ]
    return told.union(*lying)


def named(cards, sent: str, table) -> list[str]:
    """Return which of *cards* the message *sent* names, by number or work; the handbook tells of
    every card.
    """
    message = json.loads(sent)
    parts = message.get("changed", message) | {"messages": message.get("messages", [])}
    text = json.dumps(
        {name: part for name, part in parts.items() if name != "handbook"}, ensure_ascii=False
    )
    game, found = table.match.game, []
    for card in sorted(cards):
        works = (
            []
            if game.cards.functions[card]
            else [game.cards.writers[card].title(each) for each in LANGUAGES]
        )
        found += [each for each in (f'"card-{card}"', f'"writer-{card}"', *works) if each in text]
    return found


@pytest.mark.smoke
def test_nothing_that_is_sent_names_a_card_in_a_hidden_hand_or_in_the_deck(lay):
    table = lay(Blockade(4, LESSON))
    every, heard, mine = set(range(290)), 0, set(table.match.state.hands[0])
    while not table.over():
        table.wait()
        mine |= public(table, 0)
        for sent in table.bare.sent[heard:]:
            assert named(every - mine, sent, table) == []
        assert named(table.match.state.hands[0], table.bare.last_view(), table) != [], (
            "the own hand is named"
        )
        heard = len(table.bare.sent)
        if len(table.match.state.by_era):  # at the end all hands are opened
            break
        table.decide()
    assert heard > 3


WRITER, OLD = WRITERS[1][0], WRITERS[3][0]
HANDS = [WRITER, "prize", "denunciation", "mail_check", OLD]


def test_a_function_card_is_read_and_then_confirmed(lay):
    table = lay(Position(hand=HANDS, at={1: 1, 2: 1, 3: 1}), size=PHONE)
    table.wait()
    card = f"card-{function('prize')}"
    before = table.entry()
    table.touch(table.piece(card))
    text = Look(table.match.game, "zh-Hant").say("function.prize.text")
    expect(table.sheet.locator(".ck-page-lead")).to_have_text(re.compile(re.escape(text)))
    assert table.entry() == before, "nothing happens before it is confirmed"
    confirm = table.sheet.locator(".ck-choice.ck-legal")
    expect(confirm).to_have_count(1)
    expect(confirm).to_contain_text("唸")
    for size in (PROJECTOR, PHONE):
        table.page.set_viewport_size(size)
        expect(table.sheet.locator(".ck-page-lead")).to_be_in_viewport(ratio=1)
        expect(confirm).to_be_in_viewport(ratio=1)
    table.touch(confirm)
    expect(table.sheet).to_have_count(0)
    expect(table.root.locator(".ck-story")).to_contain_text(text)
    assert table.match.state.positions[POLICE] == 4


def test_markers_move_to_the_year_that_is_reached(lay):
    table = lay(Position(hand=HANDS, at={POLICE: 1, SPY: 3, EDITOR: 3, AUTHOR: 3}), PEOPLE)
    table.wait()
    assert standing(table) == ["1950", "1952", "1952", "1952"]
    table.root.locator(".ck-covered button").click()
    table.touch(table.piece(f"card-{function('prize')}"))
    table.touch(table.sheet.locator(".ck-choice.ck-legal"))
    expect(table.root.locator(".ck-story")).to_contain_text("1951")
    assert standing(table) == ["1951", "1952", "1952", "1952"]


def test_an_event_tells_its_history_and_where_that_was_read(lay):
    table = lay(Position(), size=PHONE)
    table.wait()
    for year, words in {1954: "文化清潔運動", 1987: "解嚴"}.items():
        table.touch(table.root.locator(f'[data-piece="event-{year}"]').first)
        expect(table.sheet).to_contain_text(words)
        source = table.sheet.locator(".ck-page-source")
        source.scroll_into_view_if_needed()
        expect(source).to_be_in_viewport()
        assert len(source.inner_text()) > 10
        table.touch(table.sheet.locator(".ck-close"))


def test_what_may_not_be_done_says_why_not_and_changes_nothing(lay):
    table = lay(Position(hand=HANDS))
    table.wait()
    before = table.entry()
    table.touch(table.piece(f"card-{OLD}"))
    unlit = table.sheet.locator("[aria-disabled=true]")
    expect(unlit).to_have_count(1)
    table.touch(unlit)
    expect(table.sheet.get_by_role("status")).to_contain_text("1970")
    expect(table.sheet.get_by_role("status")).to_contain_text("規則：")
    assert table.entry() == before
    assert table.match.log == []


RECORD = """table => {
  const all = (part, what) => [...table.querySelectorAll(part)].map(what);
  window.shown = [];
  const look = () => {
    const now = {
      dice: all(".ck-dice .ck-die", (each) => each.dataset.value),
      told: table.querySelector(".ck-story").innerText,
      at: all('[data-piece^="marker-"]', (each) => each.dataset.piece + each.closest(".ck-space").innerText).sort(),
    };
    if (JSON.stringify(now) !== JSON.stringify(window.shown.at(-1))) window.shown.push(now);
  };
  new MutationObserver(look).observe(table, { subtree: true, childList: true, attributes: true });
  look();
}"""
"""Keeps every moment that is drawn, however slow the machine is: the dice, what is told, where
markers stand.
"""


@pytest.mark.parametrize(("throws", "taken"), [("OO", True), ("OX", False), ("X", False)])
def test_the_die_lands_before_it_is_told_and_before_anything_moves(lay, throws, taken):
    book = BANNED[0]
    table = lay(
        Position(books={AUTHOR: [book]}, at={AUTHOR: 5}, step="strike", dice=throws), PEOPLE
    )
    table.root.locator("select").first.select_option(index=2)  # not at once, or no die tumbles
    table.wait()
    table.root.locator(".ck-covered button").click()
    table.root.locator(".ck-near .ck-choice.ck-legal").first.click()
    for at, face in enumerate(throws):
        throw = table.root.locator(".ck-near .ck-choice.ck-legal .ck-die")
        expect(throw.or_(table.root.locator(".ck-covered button"))).to_be_visible()
        if not throw.count():
            table.root.locator(".ck-covered button").click()
        expect(table.root.locator(".ck-dice .ck-die").nth(at)).to_have_attribute("data-value", "0")
        table.root.evaluate(RECORD)
        told = table.root.locator(".ck-story").inner_text()
        throw.click()
        expect(table.root.locator(".ck-story")).not_to_have_text(told, use_inner_text=True)
        shown = table.page.evaluate("window.shown")
        landed = next(
            number for number, each in enumerate(shown) if each["dice"][at : at + 1] == [face]
        )
        assert shown[landed]["told"] == told
        assert shown[landed]["at"] == shown[0]["at"]
        assert shown[-1]["told"] != told
    table.at_once()
    table.wait()
    assert standing(table)[AUTHOR] == ("1952" if taken else "1954")
    holder = POLICE if taken else AUTHOR
    expect(
        table.root.locator(f'.ck-plate[data-seat="{holder}"] [data-piece="book-{book}"]')
    ).to_be_visible()


ON_A_PAGE = """() => {
  const output = document.querySelector("#table");
  output.className = "jp-OutputArea-output";
  const style = document.createElement("style");
  style.textContent = "#table.jp-OutputArea-output { overflow: auto; }";
  document.head.prepend(style);
  output.before(Object.assign(document.createElement("div"), { style: "height: 300px" }));
  output.after(Object.assign(document.createElement("div"), { style: "height: 900px" }));
}"""
"""Puts the table between other things, into the box in which notebooks show it."""


@FINGERS
def test_on_a_phone_prompt_choices_and_hand_come_back_together_and_a_sheet_has_its_buttons(
    page, lay
):
    page.emulate_media(reduced_motion="reduce")
    table = lay(Blockade(4, LESSON))
    page.evaluate(ON_A_PAGE)
    prompt, near = table.root.locator(".ck-prompt"), ".ck-near .ck-choice, .ck-hand .ck-piece"
    table.wait()
    assert page.evaluate("scrollY") == 0, "nobody has touched it"
    for turn in range(5):
        before = table.entry()
        if turn:
            for each in [prompt, *table.root.locator(near).all()]:
                expect(each).to_be_in_viewport(ratio=0.95)
        choice = table.root.locator(".ck-near .ck-choice.ck-legal")
        if not choice.count():
            table.touch(table.root.locator(".ck-near .ck-piece.ck-legal").first)
            choice = table.sheet.locator(".ck-choice.ck-legal")
            expect(choice.first).to_be_in_viewport(ratio=1)
            for part in (table.sheet, table.sheet.locator(".ck-close"), prompt):
                expect(part).to_be_in_viewport(ratio=1)
            page.evaluate(
                "scrollBy(0, document.querySelector('.ck-far').getBoundingClientRect().top - 300)"
            )
            for part in (prompt, choice.first):
                expect(part).to_be_in_viewport(ratio=1)
        choice.first.evaluate("each => each.click()")
        table.moved(before)
        table.wait()


SKIPPED = """([far]) => {
  far.scrollIntoView({ block: "center" });
  return [...document.querySelectorAll(".ck-skip")].map((each) => {
    const { top, bottom, left, right } = each.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  });
}"""
"""Looks at the far side of the table: whether the button to skip is seen whole, where there is one
at that moment.
"""


@FINGERS
def test_on_a_phone_what_is_played_can_be_skipped_from_anywhere_at_the_table(lay):
    table = lay(Blockade(4, LESSON))
    table.page.evaluate(ON_A_PAGE)
    slow = "each => { each.selectedIndex = 0; each.dispatchEvent(new Event('change')); }"
    table.root.locator("select").first.evaluate(slow)
    for _ in range(20):
        if seen := table.root.locator(".ck-far").evaluate_all(SKIPPED):
            assert seen == [True]
            return
        buttons = table.root.locator(".ck-near .ck-choice.ck-legal")
        if not buttons.count():
            table.root.locator(".ck-near .ck-piece.ck-legal").first.evaluate("each => each.click()")
            buttons = table.sheet.locator(".ck-choice.ck-legal")
        before = table.entry()
        buttons.first.evaluate("each => each.click()")
        table.moved(before)
    raise AssertionError("nothing was played")


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_years_stay_on_one_line_beside_four_markers(lay, language):
    table = lay(Position(at=dict.fromkeys(range(4), 0)), language=language)
    table.wait()
    names = table.root.locator(".ck-spaces .ck-space-name")
    long = """all => all
      .filter((each) => each.getBoundingClientRect().height > 2 * parseFloat(getComputedStyle(each).fontSize))
      .map((each) => each.innerText)"""
    for size in (PROJECTOR, PHONE):
        at_size(table.page, size)
        assert names.evaluate_all(long) == [], size


CROWDED = """cloth => {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const buttons = [...cloth.querySelectorAll(".ck-middle button, .ck-plate button")];
  const boxes = buttons.map((each) => [each.dataset.key, each.getBoundingClientRect()]);
  const small = boxes.filter(([, box]) => Math.min(box.width, box.height) < 24);
  const near = (one, other) => Math.hypot(...middle(one).map((each, at) => each - middle(other)[at])) < 24;
  const crowded = small.filter(([key, box]) => boxes.some(([name, other]) => name !== key && near(box, other)));
  return crowded.map(([key]) => key);
}"""
"""Things to be read (years of events, cards on plates) that are too small or too close to each
other to be touched.
"""


FULL = {
    "hand": HANDS,
    "tables": {0: WRITERS[1][1:4], 1: WRITERS[1][4:6], 2: WRITERS[1][6:9], 3: WRITERS[1][9:10]},
    "books": {
        0: PERIODICALS[:3],
        1: PERIODICALS[3:5],
        2: BANNED[:3],
        3: [*BANNED[3:4], PERIODICALS[6]],
    },
    "spares": {2: function("spare_licence")},
    "at": {0: 4, 1: 4, 2: 4, 3: 4},
    "covered": [0, 0, 0, 1],
}


@pytest.mark.parametrize(
    ("scheme", "language", "sizes"),
    [("light", "zh-Hant", (PHONE, PROJECTOR)), ("dark", "en", (PROJECTOR, PHONE))],
    ids=["light", "dark"],
)
def test_nothing_serious_for_axe_and_nothing_too_wide(page, lay, scheme, language, sizes):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    table = lay(Position(**FULL), size=sizes[0], language=language)
    table.wait()

    def fine():
        for size in sizes:
            at_size(page, size)
            assert overflow(page) <= 0
        assert severe(page) == []

    for size in sizes:
        at_size(page, size)
        assert (
            smaller_than(44, table.root.locator(".ck-hand button, .ck-choice, .ck-prompt button"))
            == []
        )
        assert table.root.locator(".ck-cloth").evaluate(CROWDED) == []
        assert standing(table) == ["1953"] * 4
    fine()
    table.touch(table.root.locator(".ck-hand .ck-piece").first)
    expect(table.sheet).to_be_visible()
    fine()
    page.keyboard.press("Escape")
    table.decide()
    fine()


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_all_that_a_decision_needs_is_seen_without_scrolling_on_a_projector(lay, language):
    table = lay(Position(**FULL), language=language)
    table.wait()
    assert table.page.evaluate("scrollY") == 0
    parts = [".ck-prompt", ".ck-track", ".ck-far .ck-plate", ".ck-near .ck-plate", ".ck-dice"]
    parts += [".ck-hand .ck-piece", ".ck-near .ck-choice", ".ck-pile"]
    for part in parts:
        assert table.root.locator(part).count() >= 1, part
        for each in table.root.locator(part).all():
            expect(each).to_be_in_viewport(ratio=0.95)


COVERED = """root => [...root.querySelectorAll(".ck-hand .ck-print-title")].filter((each) => {
  const piece = each.closest(".ck-piece");
  return [...each.getClientRects()].some(({ left, right, top, bottom }) => [left + 1, right - 1].some((x) =>
    !piece.contains(document.elementFromPoint(x, (top + bottom) / 2))));
}).map((each) => each.textContent)"""
"""Names in the hand on which something else lies, or which reach beyond their card."""
BOARD = """root => [...root.querySelectorAll(".ck-track, .ck-now .ck-space, .ck-zone-notice")]
  .map((each) => Object.values(each.getBoundingClientRect().toJSON()).map(Math.round))"""


def test_on_a_stage_nothing_moves_with_the_news_and_all_that_decides_is_in_sight(page, lay):
    page.emulate_media(reduced_motion="reduce")
    table = lay(Blockade(4, LESSON), language="en")
    give_room(page, "calc(100dvh - 52px)")
    at_size(page, PROJECTOR)
    least, looked = SMALLEST[PROJECTOR["width"], PROJECTOR["height"]], set()
    table.wait()
    board, places = table.root.evaluate(BOARD), boxes(table)

    def fine():
        table.wait()
        if table.over():
            return
        looked.add(table.root.locator(".ck-prompt").inner_text())
        assert table.root.evaluate(BOARD) == board
        assert {
            name: [] for name in moved(places, boxes(table)) if not name.startswith("ck-dice")
        } == {}
        for part in (".ck-prompt", ".ck-hand .ck-piece", ".ck-near .ck-choice"):
            for each in table.root.locator(part).all():
                expect(each).to_be_in_viewport(ratio=0.99)
        assert table.root.evaluate(COVERED) == []
        assert [each for each in texts(table) if each["size"] < least] == []
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    fine()
    table.play_to_the_end(fine)
    assert len(looked) > 3
    closing = table.root.locator(".ck-notice")
    expect(closing).to_be_in_viewport(ratio=0.99)
    assert closing.evaluate("each => each.scrollHeight > each.clientHeight"), (
        "what is long scrolls in its box"
    )


def test_in_an_era_its_years_are_large_and_the_others_are_marks(page, lay):
    table = lay(Position(at={0: 3}), language="en")
    give_room(page)
    for width, height in SMALLEST:
        at_size(page, {"width": width, "height": height})
        years = [each["text"] for each in texts(table) if each["of"] == "ck-space-long"]
        assert years == [*map(str, range(1949, 1960)), "End"]
        assert (
            table.root.locator(".ck-track-side:not(.ck-now) .ck-space:visible").count()
            == 10 + 10 + 13
        )
