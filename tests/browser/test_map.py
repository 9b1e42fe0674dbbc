"""A mind map drawn in a real browser with the real widget: by mouse, by finger, by key.

The map is a canvas: a test asks the page where something is drawn, and presses there.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from barecell import MOUNT, OWN, BareCell
from lanes import some
from playwright.sync_api import Page, expect
from webpage import DRAWN, at_size, overflow, severe, smaller_than

from coursekit.journal.journal import Journal
from coursekit.maps.file_reader import read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import starter_map
from coursekit.maps.widget import MapEditor
from coursekit.words.texts import LANGUAGES

PHONE, PROJECTOR = {"width": 360, "height": 640}, {"width": 1280, "height": 720}
FINGERS = pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)
NAME = "lesson"
CARDS = "() => document.querySelector('.ck-map-cy')?._cyreg?.cy.nodes('.card').length"
NODES = """() => {
  const board = document.querySelector(".ck-map-cy");
  const { left, top } = board.getBoundingClientRect();
  return board._cyreg.cy.nodes().map((node) => {
    const { x1, y1, w, h } = node.renderedBoundingBox({ includeLabels: false });
    const classes = ["card", "phrase", "on", "top"].filter((name) => node.hasClass(name));
    return { label: node.data("label").replace(/\\s/g, ""), x: left + x1, y: top + y1, w, h, classes };
  });
}"""
Node = dict[str, Any]


class Shown(BareCell):
    """An editor on a bare page that can be loaded again, also by a kernel that was started anew."""

    def save(self) -> None:
        """Let the kernel save now what it saves a moment later by itself."""
        self.cell._editor.source.save()
        self.tell()

    def reload(self, editor: MapEditor) -> None:
        """Load the page again, where *editor* answers now."""
        self.page.reload()
        self.cell, self.deaf = editor, False
        editor.send = lambda content, buffers=None: self._messages.append(content)  # type: ignore[method-assign]
        names = [
            name
            for name in editor.traits(sync=True)
            if not name.startswith("_") and name not in OWN
        ]
        traits = {name: getattr(editor, name) for name in names}
        self.page.evaluate(MOUNT, {"code": str(editor._esm), "traits": traits})

    # What is drawn

    def nodes(self, kind: str = "card") -> list[Node]:
        """Return what is drawn of that class, with its box on the page."""
        return [node for node in self.page.evaluate(NODES) if kind in node["classes"]]

    def box(self, label: str) -> Node:
        """Wait until the concept or the phrase *label* is drawn and stands still; return its box."""
        packed = re.sub(r"\s", "", label)
        self.says(lambda: packed in [node["label"] for node in self.page.evaluate(NODES)], True)
        before, now = [], self.page.evaluate(NODES)
        while before != now:  # the view may follow what was added, a picture later
            self.page.evaluate(DRAWN)
            before, now = now, self.page.evaluate(NODES)
        return next(node for node in now if node["label"] == packed)

    def spot(self, label: str) -> tuple[float, float]:
        """Return the middle of what is drawn with that label."""
        box = self.box(label)
        return box["x"] + box["w"] / 2, box["y"] + box["h"] / 2

    def press(self, label: str) -> None:
        self.page.mouse.click(*self.spot(label))

    def draws(self, cards: int, phrases: int | None = None) -> None:
        """Wait until so many concepts and phrases are drawn."""
        self.says(lambda: self.page.evaluate(CARDS), cards)
        if phrases is not None:
            self.says(lambda: len(self.nodes("phrase")), phrases)

    def chooses(self, *labels: str) -> None:
        """Wait until just that is chosen."""
        packed = [re.sub(r"\s", "", label) for label in labels]
        self.says(lambda: [node["label"] for node in self.nodes("on")], packed)

    # What the kernel has

    def has(self, *sentences: str) -> None:
        """Wait until the kernel's map says just that."""
        self.says(lambda: sorted(self.cell.map.sentences.values()), sorted(sentences))

    def has_concepts(self, *labels: str) -> None:
        self.says(
            lambda: sorted(concept.label for concept in self.cell.map.concepts.values()),
            sorted(labels),
        )

    def place(self, label: str) -> tuple[int, int] | None:
        concepts = self.cell.map.concepts.values()
        return next(concept.at for concept in concepts if concept.label == label)


def three() -> MindMap:
    """Return a small map."""
    mind_map = MindMap("What holds Wikipedia together?")
    wiki = mind_map.add("Wikipedia", kind="card", card="wikipedia/wiki", at=(350, 100))
    source, reader = mind_map.add("Sources", at=(100, 450)), mind_map.add("Readers", at=(600, 450))
    mind_map.link(source, "support", wiki, kind="supports")
    mind_map.link(wiki, "", reader)
    return mind_map


def grown(concepts: int, seed: int, language: str = "en") -> MindMap:
    """Return a map by chance: each concept hangs on an earlier one, with some cross-links."""
    chance = random.Random(seed)
    words = {"en": "reliable source page edit war talk", "zh-Hant": "維基百科 來源 編輯 討論"}
    some_words = words.get(language, words["zh-Hant"]).split()
    mind_map = MindMap("?")
    ids = list[str]()
    for number in range(concepts):
        label = " ".join(chance.choices(some_words, k=chance.randint(1, 3)))
        ids.append(mind_map.add(f"{label} {number}"))
        if number:
            start = ids[chance.randrange(max(0, number - 8), number)]
            mind_map.link(start, chance.choice([*some_words, ""]), ids[-1])
    for number in range(concepts // 6):
        start, end = chance.sample(ids, 2)
        mind_map.link(start, f"crosses {number}", end)
    return mind_map


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Callable[..., Shown]:
    """``show(map)`` shows an editor with that map, or with an empty one."""

    def shown(
        mind_map: MindMap | None = None, language: str = "en", game: str = "wikipedia"
    ) -> Shown:
        journal = Journal(tmp_path / "journal.json")
        if mind_map is not None:
            journal.save_map(f"{game}/{NAME}", write_map(mind_map, "json"))
        cell = Shown(page, MapEditor(game, NAME, language, journal=journal))
        cell.draws(len(mind_map.concepts) if mind_map else 0)
        return cell

    return shown


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def write(page: Page, *words: str) -> None:
    """Type these words, one field after the other, and end with Enter."""
    for number, word in enumerate(words):
        if number:
            page.keyboard.press("Tab")
        page.keyboard.type(word)
    page.keyboard.press("Enter")


def handle(page: Page) -> tuple[float, float]:
    button = page.locator(".ck-map-handle")
    expect(button).to_be_visible()
    before, box = None, button.bounding_box()
    while before != box:  # it goes where its card goes
        page.evaluate(DRAWN)
        before, box = box, button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def overlaps(nodes: list[Node], least: float = 2) -> list[str]:
    """Return which of *nodes* lie upon each other."""
    pairs = []
    for at, one in enumerate(nodes):
        for other in nodes[at + 1 :]:
            across = min(one["x"] + one["w"], other["x"] + other["w"]) - max(one["x"], other["x"])
            down = min(one["y"] + one["h"], other["y"] + other["h"]) - max(one["y"], other["y"])
            if min(across, down) > least:
                pairs.append(f"{one['label']} and {other['label']}")
    return pairs


@pytest.mark.smoke
def test_a_map_is_drawn_with_the_mouse_undone_and_comes_back(
    show, page: Page, tmp_path: Path
) -> None:
    cell = show()
    page.get_by_role("button", name="Write a concept").click()
    write(page, "Vandalism")
    write(page, "blocks", "Wikipedia")  # the form for a linked one follows by itself
    cell.has("Vandalism blocks Wikipedia")
    assert next(iter(cell.cell.map.relations.values())).kind == "blocks"
    cell.chooses("Wikipedia")

    # From the handle into free space, and to a card.
    x, y = handle(page)
    drag(page, (x, y), (x + 60, y + 220))
    write(page, "is read by", "readers")
    cell.chooses("readers")
    drag(page, handle(page), cell.spot("Vandalism"))
    page.locator(".ck-map-chip", has_text=re.compile("^needs$")).click()
    page.keyboard.press("Enter")
    sentences = [
        "Vandalism blocks Wikipedia",
        "Wikipedia is read by readers",
        "readers needs Vandalism",
    ]
    cell.has(*sentences)
    cell.draws(3, 3)

    # A card follows the mouse; only letting go is an edit.
    before, place = cell.spot("readers"), cell.place("readers")
    drag(page, before, (before[0] - 90, before[1] + 40))
    cell.says(lambda: cell.place("readers") != place, True)
    assert cell.spot("readers") == pytest.approx((before[0] - 90, before[1] + 40), abs=3)
    moved = cell.place("readers")

    # What is refused stays in its form, with the sentence that says why.
    board = page.locator(".ck-map-board").bounding_box()
    page.mouse.dblclick(board["x"] + 40, board["y"] + 40)
    write(page, "Vandalism")
    expect(page.locator(".ck-map-trouble:visible")).to_contain_text("Vandalism")
    expect(page.get_by_label("Concept", exact=True)).to_have_value("Vandalism")
    page.keyboard.press("Escape")
    cell.draws(3)

    cell.press("Wikipedia")
    page.locator(".ck-map-board").press("Delete")
    expect(page.locator(".ck-map-notice")).to_contain_text("undo")
    cell.has("readers needs Vandalism")
    page.locator("[data-tool=undo]").click()
    cell.has(*sentences)
    page.keyboard.press("Control+z")
    cell.says(lambda: cell.place("readers"), place)
    while page.locator("[data-tool=undo]").is_enabled():
        page.locator("[data-tool=undo]").click()
    cell.has_concepts()
    while page.locator("[data-tool=redo]").is_enabled():
        page.locator("[data-tool=redo]").click()
    page.keyboard.press("Control+z")  # the removal
    cell.has(*sentences)
    assert cell.place("readers") == moved

    # A page that is loaded again has the map, and shows the same part of it.
    page.mouse.move(board["x"] + 300, board["y"] + 300)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    board = page.locator(".ck-map-board").bounding_box()
    zoomed = cell.spot("readers")[0] - board["x"], cell.spot("readers")[1] - board["y"]
    page.get_by_label("Focus question").fill("Who mends it?")
    page.keyboard.press("Enter")
    cell.says(lambda: cell.cell.map.focus, "Who mends it?")
    cell.save()
    expect(page.locator(".ck-map-status")).to_contain_text("Saved")
    again = MapEditor("wikipedia", NAME, "en", journal=Journal(tmp_path / "journal.json"))
    cell.reload(again)
    cell.draws(3, 3)
    board = page.locator(".ck-map-board").bounding_box()
    seen = cell.spot("readers")[0] - board["x"], cell.spot("readers")[1] - board["y"]
    assert seen == pytest.approx(zoomed, abs=3)
    expect(page.get_by_label("Focus question")).to_have_value("Who mends it?")


def test_a_map_is_drawn_with_keys_alone(show, page: Page) -> None:
    cell = show()
    while page.evaluate("!document.activeElement.matches('.ck-map-step')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    write(page, "Sources")
    write(page, "support", "Wikipedia")
    cell.chooses("Wikipedia")
    page.keyboard.press("n")
    write(page, "helps", "Readers")
    cell.chooses("Readers")
    expect(page.locator(".ck-map-board")).to_be_focused()

    # Every card is reached by arrows; one is linked with another by L, arrows and Enter.
    page.keyboard.press("l")
    for goal in ("Wikipedia", "Sources"):
        (x, y), (own_x, own_y) = cell.spot(goal), cell.spot(cell.nodes("on")[0]["label"])
        across, down = x - own_x, y - own_y
        way = ("Right", "Left")[across < 0] if abs(across) > abs(down) else ("Down", "Up")[down < 0]
        page.keyboard.press(f"Arrow{way}")
        cell.chooses(goal)
    page.keyboard.press("Enter")
    write(page, "look for")
    cell.has("Sources support Wikipedia", "Wikipedia helps Readers", "Readers look for Sources")

    cell.chooses("look for")
    page.keyboard.press("F2")
    write(page, "read")
    cell.says(lambda: "Readers read Sources" in cell.cell.map.sentences.values(), True)

    # Moves one soon after the other are one step.
    cell.press("Sources")
    place = cell.place("Sources")
    for _ in range(3):
        page.keyboard.press("Alt+ArrowLeft")
    cell.says(lambda: cell.place("Sources")[0] < place[0], True)
    page.keyboard.press("Control+z")
    cell.says(lambda: cell.place("Sources"), place)
    page.keyboard.press("Alt+ArrowDown")  # is not part of what was undone
    cell.says(lambda: cell.place("Sources") != place, True)
    page.keyboard.press("Control+z")
    cell.says(lambda: cell.place("Sources"), place)
    page.keyboard.press("Delete")
    cell.has("Wikipedia helps Readers")
    page.keyboard.press("?")
    expect(page.locator(".ck-map-keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ck-map-board")).to_be_focused()
    assert severe(page) == []


@FINGERS
def test_a_first_proposition_takes_a_pupil_few_taps_on_a_phone(show, page: Page) -> None:
    cell = show()
    taps = 0

    def tap(name: str) -> None:
        nonlocal taps
        page.get_by_role("button", name=name).first.tap()
        taps += 1

    tap("Write a concept")
    page.keyboard.type("rain")  # the field has the keyboard
    tap("Put it on the map")
    page.keyboard.type("wets")
    page.get_by_label("Concept", exact=True).tap()
    taps += 1
    page.keyboard.type("the street")
    tap("Put it on the map")
    cell.has("rain wets the street")
    assert taps <= 5
    assert smaller_than(44, page.locator(".ck-map :is(button, select, input)")) == []
    assert overflow(page) <= 0

    # A finger moves a card, once the map is awake, and pulls the handle.
    page.touchscreen.tap(*cell.spot("rain"))
    cell.chooses("rain")
    finger = page.context.new_cdp_session(page)

    def slide(start: tuple[float, float], end: tuple[float, float]) -> None:
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        for kind, points in (
            ("touchStart", [start]),
            ("touchMove", [middle]),
            ("touchMove", [end]),
            ("touchEnd", []),
        ):
            places = [{"x": x, "y": y} for x, y in points]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    before, place = cell.spot("rain"), cell.place("rain")
    slide(before, (before[0] + 30, before[1] - 30))
    cell.says(lambda: cell.place("rain") != place, True)
    assert cell.spot("rain") == pytest.approx((before[0] + 30, before[1] - 30), abs=5)
    slide(handle(page), cell.spot("the street"))
    expect(page.locator(".ck-map-form")).to_be_visible()
    page.locator(".ck-map-chip").first.tap()
    page.get_by_role("button", name="Put it on the map").tap()
    cell.draws(2, 2)
    cell.says(lambda: len(cell.cell.map.relations), 2)


def test_a_kernel_that_never_answers_takes_nothing_and_what_was_drawn_is_offered(
    show, page: Page
) -> None:
    cell = show(three())
    cell.deaf = True
    cell.press("Readers")
    page.keyboard.press("n")
    write(page, "live on", "Hope")
    cell.chooses("Hope")
    before = cell.spot("Hope")
    drag(page, before, (before[0] + 40, before[1] + 30))
    assert cell.spot("Hope") == pytest.approx((before[0] + 40, before[1] + 30), abs=3)
    page.keyboard.press("Control+z")
    cell.says(lambda: cell.spot("Hope"), pytest.approx(before, abs=3))
    page.locator("[data-tool=tidy]").click()
    cell.says(lambda: cell.spot("Hope") != pytest.approx(before, abs=3), True)
    page.locator("[data-tool=view_outline]").click()
    expect(page.locator(".ck-line", has_text="Hope")).to_be_visible()
    expect(page.locator(".ck-map-status")).to_contain_text("cannot be reached")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download this map").click()
    file = read_map(Path(download.value.path()).read_bytes(), "mine.json")
    assert "Readers live on Hope" in file.sentences.values()
    page.get_by_label("Focus question").fill("Who hopes?")  # the page goes before it is left
    assert "Hope" not in write_map(cell.cell.map, "json")

    cell.reload(cell.cell)
    offer = page.locator(".ck-map-offer:visible")
    cell.draws(3)
    offer.get_by_role("button", name="Restore it").click()
    cell.draws(4)
    cell.has_concepts("Wikipedia", "Sources", "Readers", "Hope")
    cell.says(lambda: cell.cell.map.focus, "Who hopes?")
    cell.save()
    expect(page.locator(".ck-map-status")).to_contain_text("Saved")
    kept = "Object.keys(localStorage).filter((key) => key !== 'coursekit:met')"
    assert page.evaluate(kept) == []


def test_two_pages_of_one_map_show_the_same_and_typing_is_not_disturbed(
    show, page: Page, tmp_path: Path
) -> None:
    cell = show(three())
    other_page = page.context.new_page()
    editor = MapEditor("wikipedia", NAME, "zh-Hant", journal=Journal(tmp_path / "journal.json"))
    other = Shown(other_page, editor)
    other.draws(3)

    cell.press("Sources")
    label = page.get_by_label("Label", exact=True)
    label.focus()
    page.keyboard.press("End")
    method = page.context.new_cdp_session(page)
    method.send("Input.imeSetComposition", {"text": "ㄞ", "selectionStart": 1, "selectionEnd": 1})
    other.press("Readers")
    other_page.locator(".ck-map-board").press("Delete")
    other.has_concepts("Wikipedia", "Sources")
    cell.tell()
    cell.draws(2, 1)
    method.send("Input.insertText", {"text": "愛"})
    expect(label).to_have_value("Sources愛")
    expect(label).to_be_focused()
    page.keyboard.press("Enter")
    cell.has_concepts("Wikipedia", "Sources愛")
    other.tell()
    assert other.box("Sources愛")

    # A refused text stays with its sentence while other fields are filled and others draw.
    cell.press("Sources愛")
    label.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("Wikipedia")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    write(page, "on paper")
    page.keyboard.press("Tab")
    cell.says(lambda: "on paper" in write_map(cell.cell.map, "json"), True)
    other.press("Wikipedia")
    other_page.keyboard.press("Alt+ArrowUp")
    cell.tell()
    expect(page.locator(".ck-map-trouble:visible")).to_contain_text("Wikipedia")
    expect(label).to_have_value("Wikipedia")
    page.keyboard.press("Escape")
    cell.press("Wikipedia")
    expect(page.locator(".ck-map-notice")).to_contain_text("Wikipedia")


def test_the_list_is_drawn_on_with_keys_alone(show, page: Page) -> None:
    cell = show(three())
    page.locator("[data-tool=view_outline]").focus()
    page.keyboard.press("Enter")
    line = page.locator(".ck-line")
    expect(line).to_have_count(3)
    while page.evaluate("!document.activeElement.matches('.ck-line')"):
        page.keyboard.press("Tab")
    expect(line.first).to_be_focused()
    page.keyboard.press("End")
    expect(line.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(line.nth(1)).to_be_focused()
    expect(line.nth(1)).to_have_accessible_name("Sources support Wikipedia")
    page.keyboard.press("n")
    write(page, "are", "Books")
    cell.says(lambda: "Sources are Books" in cell.cell.map.sentences.values(), True)
    books = page.locator(".ck-line", has_text=re.compile("Sources are.*Books"))
    expect(books).to_be_focused()
    expect(books).to_have_attribute("aria-current", "true")
    page.keyboard.press("F2")
    expect(page.get_by_label("Label", exact=True)).to_be_focused()
    write(page, "Old books")
    page.keyboard.press("Escape")
    old = page.locator(".ck-line", has_text=re.compile("Sources are.*Old books"))
    expect(old).to_be_focused()
    page.keyboard.press("Delete")
    expect(line).to_have_count(3)
    expect(line.nth(1)).to_be_focused()
    page.keyboard.press("Control+z")
    expect(old).to_have_count(1)
    assert severe(page) == []
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('.ck-line')"), "Tab leaves the list"


COVERED = """() => {
  const seen = [...document.querySelectorAll(".ck-map :is(button, input, select, textarea)")].filter(
    (control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("[hidden]"));
  return seen.flatMap((control) => {
    control.scrollIntoView({ block: "center", inline: "center" });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const hit = document.elementFromPoint(x, y);
    const isFree = hit && (control.contains(hit) || hit.contains(control) || hit.closest("label")?.control === control);
    return isFree ? [] : [`${control.outerHTML.slice(0, 120)} below ${hit?.outerHTML.slice(0, 120)}`];
  });
}"""
"""Which controls of a map lie below something else."""


@pytest.mark.parametrize("seed", range(some(10)))
def test_in_any_window_nothing_overflows_or_lies_upon_a_control(
    show, page: Page, seed: int
) -> None:
    chance = random.Random(seed)
    language = chance.choice(LANGUAGES)
    size = {"width": chance.randint(320, 1920), "height": chance.randint(480, 1080)}
    page.set_viewport_size(size)
    scheme = chance.choice(["light", "dark"])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    game = chance.choice(["wikipedia", "wizard", "knitwit", "blockade"])
    letters = chance.choice([16, 16, 20, 24, 32])
    cell = show(grown(chance.randint(1, 20), seed, language), language, game)
    page.add_style_tag(content=f"html {{ font-size: {letters}px; }}")
    acts = [
        lambda: cell.press(chance.choice(cell.nodes())["label"]),
        lambda: page.locator("[data-tool=view_outline]").click(),
        lambda: page.locator("[data-tool=add]").click(),
        lambda: page.locator("[data-tool=draw]").click(),
        lambda: page.locator("[data-tool=more]").click(),
        lambda: page.locator(".ck-map-board").press("?"),
    ]
    for act in [lambda: None, *chance.sample(acts, 2)]:
        act()
        page.evaluate(DRAWN)
        where = f"{size}, {letters}px, {language}, {scheme}, {game}"
        assert overflow(page) <= 0, where
        assert page.evaluate(COVERED) == [], where
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(DRAWN)
        if page.locator(".ck-outline").is_visible():
            page.locator("[data-tool=view_map]").click()
    assert severe(page) == []


@pytest.mark.parametrize("seed", range(some(5)))
def test_after_tidying_cards_and_phrases_lie_apart(show, page: Page, seed: int) -> None:
    chance = random.Random(seed)
    concepts = chance.randint(4, 30)
    cell = show(grown(concepts, seed, chance.choice(LANGUAGES)))
    page.locator("[data-tool=tidy]").click()
    cell.says(lambda: all(concept.at for concept in cell.cell.map.concepts.values()), True)
    assert overlaps(cell.nodes("card")) == []
    nodes = cell.nodes("card") + cell.nodes("phrase")
    # A phrase has few places near its line: where three lines cross, now and then none is free.
    assert len(overlaps(nodes, least=4)) <= len(nodes) * 0.05


@pytest.mark.parametrize("concepts", [60, 200])
def test_a_large_map_is_drawn_moved_and_undone(show, page: Page, concepts: int) -> None:
    cell = show(grown(concepts, 1))
    label = cell.nodes()[concepts // 2]["label"]
    page.locator("[data-tool=tidy]").click()
    cell.says(lambda: all(concept.at for concept in cell.cell.map.concepts.values()), True)
    places = {concept.label: concept.at for concept in cell.cell.map.concepts.values()}
    cell.draws(concepts)
    start = cell.spot(label)
    drag(page, start, (start[0] + 25, start[1] + 25))
    cell.says(
        lambda: (
            {concept.label: concept.at for concept in cell.cell.map.concepts.values()} != places
        ),
        True,
    )
    page.keyboard.press("Control+z")
    cell.says(
        lambda: {concept.label: concept.at for concept in cell.cell.map.concepts.values()}, places
    )
    page.locator("[data-tool=view_outline]").click()
    expect(page.locator(".ck-line").last).to_be_attached()


def test_dark_forced_colours_and_print(show, page: Page) -> None:
    show(starter_map("wikipedia", "zh-Hant"), "zh-Hant")
    shot = page.locator(".ck-map-board")
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    colour = (
        "document.querySelector('.ck-map-cy')._cyreg.cy.nodes('.card').style('background-color')"
    )
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(light) => {colour} !== light", arg=light)
    assert severe(page) == []
    for media in ({"forced_colors": "active"}, {"forced_colors": "none", "media": "print"}):
        page.emulate_media(**media)
        page.evaluate(DRAWN)
        assert overflow(page) <= 0
        assert shot.bounding_box()["height"] > 100
    at_size(page, PHONE)
    assert overflow(page) <= 0
