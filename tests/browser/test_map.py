"""A mind map drawn in a real browser with the real widget: by mouse, by finger, by key."""

import re
import time
from pathlib import Path

import pytest
from barecell import MOUNT, OWN, BareCell
from playwright.sync_api import Locator, Page, expect
from webpage import DRAWN, overflow, severe, smaller_than

from coursekit.journal.journal import Journal
from coursekit.maps.edits import place_concepts
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import starter_map
from coursekit.maps.widget import MapEditor

PHONE, PROJECTOR = {"width": 360, "height": 640}, {"width": 1280, "height": 720}
FINGERS = pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)
NAME = "lesson"


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
        self.page.evaluate(
            MOUNT,
            {"code": str(editor._esm), "traits": {name: getattr(editor, name) for name in names}},
        )


def three() -> MindMap:
    """Return a small map."""
    mind_map = MindMap("What holds Wikipedia together?")
    wiki = mind_map.add("Wikipedia", kind="card", card="wikipedia/wiki", at=(500, 150))
    source, reader = mind_map.add("Sources", at=(150, 800)), mind_map.add("Readers", at=(850, 800))
    mind_map.link(source, "support", wiki, kind="supports")
    mind_map.link(wiki, "", reader)
    return mind_map


@pytest.fixture
def show(page: Page, tmp_path: Path):
    """``show(map)`` shows an editor with that map, or with an empty one, and returns it and the
    page around it.
    """

    def shown(
        mind_map: MindMap | None = None, language: str = "en", game: str = "wikipedia"
    ) -> tuple[MapEditor, Shown]:
        journal = Journal(tmp_path / "journal.json")
        if mind_map is not None:
            journal.save_map(f"{game}/{NAME}", write_map(mind_map, "json"))
        editor = MapEditor(game, NAME, language, journal=journal)
        cell = Shown(page, editor)
        page.wait_for_selector(".ck-map-blank" if mind_map is None else ".ck-map-card")
        return editor, cell

    return shown


def card(page: Page, label: str) -> Locator:
    return page.locator(f".ck-map-card[aria-label^='{label}']")


def middle(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def twice(page: Page, x: float, y: float) -> None:
    """Press the mouse twice there; by the times of the events at once, however slow the machine is."""
    mouse, now = page.context.new_cdp_session(page), page.evaluate("Date.now()") / 1000
    page.mouse.move(x, y)
    for count, when in ((1, now), (2, now + 0.1)):
        for kind, at in (("mousePressed", when), ("mouseReleased", when + 0.02)):
            told = {
                "type": kind,
                "x": x,
                "y": y,
                "button": "left",
                "clickCount": count,
                "timestamp": at,
            }
            mouse.send("Input.dispatchMouseEvent", told)


def sentences(editor: MapEditor) -> list[str]:
    return [editor.map.sentence(thing_id) for thing_id in editor.map.relations]


def steps(editor: MapEditor) -> int:
    return len(editor.map.log)


@pytest.mark.smoke
def test_a_map_is_drawn_with_the_mouse_and_comes_back_after_a_reload(
    show, page: Page, tmp_path: Path
):
    page.set_viewport_size(PROJECTOR)
    editor, cell = show()
    page.get_by_role("button", name="Write a concept").click()
    page.keyboard.type("Vandalism")
    page.keyboard.press("Enter")
    expect(card(page, "Vandalism")).to_be_focused()

    # From its handle into free space: a new concept and the relation, one step.
    knob = middle(page.locator(".ck-map-knob"))
    drag(page, knob, (knob[0] + 260, knob[1] + 120))
    page.keyboard.type("Wikipedia")
    page.keyboard.press("Enter")
    page.keyboard.type("blocks")
    page.keyboard.press("Enter")
    expect(card(page, "Wikipedia")).to_be_focused()
    cell.says(lambda: (sentences(editor), steps(editor)), (["Vandalism blocks Wikipedia"], 2))
    assert next(iter(editor.map.relations.values())).kind == "blocks"

    # From card to card: a second relation between the two, which stands apart from the first.
    drag(page, middle(page.locator(".ck-map-knob")), middle(card(page, "Vandalism")))
    page.locator(".ck-map-chip", has_text=re.compile("^needs$")).click()
    expect(page.locator(".ck-map-form .ck-map-words")).to_have_value("needs")
    page.keyboard.press("Enter")  # the button that puts it there: nothing was, before
    expect(page.locator(".ck-map-phrase")).to_have_count(2)
    cell.says(lambda: sentences(editor)[1:], ["Wikipedia needs Vandalism"])
    one, two = (middle(element) for element in page.locator(".ck-map-phrase").all())
    assert abs(one[0] - two[0]) + abs(one[1] - two[1]) > 16

    # A card follows the pointer, its lines with it, and only letting go is an edit.
    start, before = middle(card(page, "Wikipedia")), steps(editor)
    lines = [element.get_attribute("d") for element in page.locator(".ck-map-stroke").all()]
    drag(page, start, (start[0] - 90, start[1] + 60))
    expect(page.locator(".ck-map-sky .ck-map-card")).to_have_count(0)
    now = middle(card(page, "Wikipedia"))
    assert (round(now[0] - start[0]), round(now[1] - start[1])) == pytest.approx((-90, 60), abs=3)
    cell.says(lambda: steps(editor), before + 1)
    assert not set(lines) & {
        element.get_attribute("d") for element in page.locator(".ck-map-stroke").all()
    }

    # The kernel's refusal stands beside what was typed.
    canvas = page.locator(".ck-map-field").bounding_box()
    twice(page, canvas["x"] + 60, canvas["y"] + canvas["height"] - 60)
    page.keyboard.type("Vandalism")
    page.keyboard.press("Enter")
    expect(page.locator(".ck-map-form .ck-map-trouble")).to_contain_text("Vandalism")
    expect(page.locator(".ck-map-form input")).to_have_value("Vandalism")
    page.keyboard.press("Escape")
    expect(page.locator(".ck-map-card")).to_have_count(2)

    # The sheet: turn round, make it the top, a note; then the page is loaded again.
    card(page, "Wikipedia").click()
    sheet = page.locator(".ck-map-side")
    sheet.get_by_role("button", name="Turn round").first.click()
    expect(sheet.locator(".ck-map-sentences")).to_contain_text("Wikipedia blocks Vandalism")
    sheet.get_by_role("button", name="Make it the top").click()
    expect(card(page, "Wikipedia")).to_have_class(re.compile("ck-map-top"))
    sheet.get_by_label("Label").fill("Wikimedia")
    expect(sheet.locator(".ck-map-name")).to_have_text("Wikimedia")
    sheet.get_by_label("Label").fill("Wikipedia")
    cell.says(lambda: bool(editor.map.head.top), True)
    cell.hold()
    sheet.get_by_label("Note").fill("since 2001")
    page.locator(".ck-map-question").fill("Who mends it?")
    page.keyboard.press("Enter")
    cell.let_go(2)
    expect(page.locator(".ck-map-status")).to_contain_text("Saving")
    cell.save()
    expect(page.locator(".ck-map-status")).to_contain_text("Saved")
    cell.hold(False)
    assert (editor.map.focus, editor.map.concepts[editor.map.top].note) == (
        "Who mends it?",
        "since 2001",
    )
    page.mouse.move(canvas["x"] + 300, canvas["y"] + 300)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    expect(page.locator(".ck-map-picture > g").first).not_to_have_attribute(
        "transform", re.compile(r"scale\(1\.0")
    )
    seen = page.locator(".ck-map-picture > g").first.get_attribute("transform")
    again = MapEditor("wikipedia", NAME, "en", journal=Journal(tmp_path / "journal.json"))
    cell.reload(again)
    expect(card(page, "Wikipedia")).to_have_class(re.compile("ck-map-top"))
    assert again.map == editor.map
    expect(page.locator(".ck-map-picture > g").first).to_have_attribute("transform", seen)


def test_a_map_is_drawn_with_keys_alone(show, page: Page):
    page.set_viewport_size(PROJECTOR)
    editor, cell = show(three())
    page.keyboard.press("Tab")  # the question
    while not page.evaluate("document.activeElement.matches('.ck-map-card')"):
        page.keyboard.press("Tab")
    expect(card(page, "Wikipedia")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(card(page, "Sources")).to_be_focused()
    page.set_viewport_size(
        PROJECTOR | {"width": 1800}
    )  # everything is drawn anew, in larger letters
    expect(page.locator(".ck-map-canvas")).not_to_have_attribute(
        "style", re.compile("--letters: 17px")
    )
    expect(card(page, "Sources")).to_be_focused()
    page.set_viewport_size(PROJECTOR)
    page.keyboard.press("l")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("help")
    page.keyboard.press("Enter")
    expect(page.locator(".ck-map-phrase[aria-label^='Sources help Readers']")).to_be_focused()

    page.keyboard.press("ArrowRight")
    expect(card(page, "Readers")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.type("Talk pages")
    page.keyboard.press("Tab")  # linked from where the keyboard was
    page.keyboard.type("meet on")
    page.keyboard.press("Enter")
    expect(card(page, "Talk pages")).to_be_focused()
    cell.says(lambda: sentences(editor)[2:], ["Sources help Readers", "Readers meet on Talk pages"])

    # Moves within a second are one edit.
    at, before = (
        next(
            concept.at for concept in editor.map.concepts.values() if concept.label == "Talk pages"
        ),
        steps(editor),
    )
    seen = middle(card(page, "Talk pages"))
    page.clock.install()
    page.clock.pause_at(time.time() + 600)
    for _ in range(3):
        page.keyboard.press("Alt+ArrowLeft")
    assert middle(card(page, "Talk pages"))[0] < seen[0] - 10
    page.clock.resume()
    card(page, "Talk pages").press(
        "Control+z"
    )  # what was moved is told to the kernel first, and then taken back
    expect(page.locator("[aria-live]").last).to_have_text("Undone.")
    assert steps(editor) == before
    assert (
        next(
            concept.at for concept in editor.map.concepts.values() if concept.label == "Talk pages"
        )
        == at
    )
    assert middle(card(page, "Talk pages")) == pytest.approx(seen, abs=3)

    card(page, "Talk pages").press("Delete")
    expect(page.locator(".ck-map-card")).to_have_count(3)
    expect(page.locator(".ck-map-notice")).to_contain_text("undo")
    expect(card(page, "Readers")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(card(page, "Talk pages")).to_have_count(1)
    cell.says(lambda: len(sentences(editor)), 4)

    card(page, "Readers").focus()
    page.keyboard.press("r")
    expect(page.locator(".ck-map-phrase:focus")).to_have_count(1)
    page.keyboard.press("F2")
    page.keyboard.type("is read by")
    page.keyboard.press("Enter")
    expect(page.locator(".ck-map-phrase:focus")).to_have_count(1)
    cell.says(lambda: "Wikipedia is read by Readers" in sentences(editor), True)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")  # the sheet
    expect(page.get_by_label("Label")).to_be_focused()
    page.keyboard.type("The free encyclopedia")
    page.keyboard.press("Enter")
    expect(card(page, "The free encyclopedia")).to_have_count(1)
    assert (
        page.locator(
            ".ck-map :is(button, input, select, textarea, [tabindex]):not([data-lm-suppress-shortcuts])"
        ).count()
        == 0
    )


@FINGERS
def test_a_map_is_drawn_with_a_finger_on_a_phone(show, page: Page):
    editor, cell = show(three())
    finger = page.context.new_cdp_session(page)

    def slide(start: tuple[float, float], end: tuple[float, float]) -> None:
        for kind, points in (
            ("touchStart", [start]),
            ("touchMove", [end]),
            ("touchMove", [end]),
            ("touchEnd", []),
        ):
            places = [{"x": x, "y": y} for x, y in points]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    field = page.locator(".ck-map-field")
    assert field.evaluate("(each) => getComputedStyle(each).touchAction") == "pan-y", (
        "a finger scrolls the page"
    )
    before = steps(editor)
    start = middle(card(page, "Readers"))
    slide(start, (start[0] - 60, start[1]))
    assert steps(editor) == before, "the map has not been tapped yet"
    page.touchscreen.tap(*middle(card(page, "Wikipedia")))
    expect(field).to_have_css("touch-action", "none")
    assert (
        smaller_than(44, page.locator(".ck-map :is(button, select):not(.ck-map-tidy select)")) == []
    )
    start = middle(card(page, "Wikipedia"))
    slide(start, (start[0] - 40, start[1] + 50))
    expect(page.locator(".ck-map-sky .ck-map-card")).to_have_count(0)
    cell.says(lambda: steps(editor), before + 1)
    assert middle(card(page, "Wikipedia")) == pytest.approx((start[0] - 40, start[1] + 50), abs=4)

    page.touchscreen.tap(
        180, 20
    )  # ends the momentum of the slide, for which Chromium may swallow one tap
    page.locator(".ck-map-tools [data-tool=draw]").tap()
    drawn = page.locator(".ck-map-drawn .ck-map-name").inner_text()
    expect(page.locator(".ck-map-drawn svg.ck-map-big use")).to_have_count(1)
    page.get_by_role("button", name="Put it on the map").tap()
    expect(card(page, drawn)).to_have_count(1)
    expect(page.locator(".ck-map-linkbar")).to_contain_text(drawn)
    page.locator(".ck-map-choice").select_option(label="Sources")
    page.locator(
        ".ck-map-chip[data-kind=writes]"
    ).tap()  # a sentence of the rules, whose words fill the field
    expect(page.locator(".ck-map-chip[data-kind=writes]")).to_have_text(
        "a scholarmay writeWikipedia"
    )
    expect(page.locator(".ck-map-form .ck-map-words")).to_have_value("may write")
    assert len(sentences(editor)) == 2
    page.get_by_role("button", name="OK", exact=True).tap()
    expect(page.locator(".ck-map-form")).to_have_count(0)
    cell.says(lambda: sentences(editor)[-1], f"{drawn} may write Sources")
    assert editor.map.concepts[list(editor.map.concepts)[-1]].card.startswith("wikipedia/")
    page.touchscreen.tap(180, 20)  # outside of the map
    assert overflow(page) <= 0


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", PROJECTOR), ("dark", PHONE)], ids=["projector", "phone"]
)
def test_nothing_serious_for_axe_and_letters_that_can_be_read(
    show, page: Page, scheme: str, size: dict[str, int]
):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    mind_map = starter_map("wikipedia", "zh-Hant")
    place_concepts(mind_map)
    show(mind_map, "zh-Hant")
    assert severe(page) == []
    assert overflow(page) <= 0
    least = 14 if size == PHONE else 16
    for name in (".ck-map-label", ".ck-map-phrase text"):
        drawn = page.locator(name).first.evaluate(
            "(each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a"
        )
        assert drawn >= least - 0.05, name
    page.locator(".ck-map-card").first.press("Enter")
    assert severe(page) == []
    page.locator(".ck-map-side [data-part^=edit]").first.click()
    expect(page.locator(".ck-map-form")).to_be_visible()
    assert severe(page) == []
    assert overflow(page) <= 0


@FINGERS
def test_on_a_phone_new_concepts_stand_apart_and_come_into_view_and_a_button_shows_the_whole_map(
    show, page: Page
):
    show()
    page.get_by_role("button", name="Write a concept").tap()
    assert smaller_than(44, page.locator(".ck-map button")) == []
    page.locator(".ck-map-form input").fill("0")
    page.keyboard.press("Enter")
    labels = ["Wikipedia", "reliable sources", "talk pages", "readers", "volunteers"]
    for label in labels:
        page.locator("[data-part=new]").tap()
        page.locator(".ck-map-form input").last.fill(label)
        chip = page.locator(".ck-map-chip").nth(4)
        chip.evaluate("chip => chip.dispatchEvent(new MouseEvent('click', { detail: 1 }))")
        expect(chip).to_have_attribute(
            "aria-pressed", "false"
        )  # a finger lifted here was put down elsewhere
        chip.tap()
        page.locator(".ck-map-form .ck-map-main").tap()
        expect(card(page, label)).to_be_focused()
        page.wait_for_function(
            """(label) => {
              const seen = document.querySelector(`.ck-map-card[aria-label^="${label}"]`).getBoundingClientRect();
              const sheet = document.querySelector(".ck-map-side").getBoundingClientRect();
              const field = document.querySelector(".ck-map-field").getBoundingClientRect();
              return Math.min(seen.left - field.left, field.right - seen.right) > 30
                && Math.min(seen.top - field.top, sheet.top - seen.bottom) > 30;
            }""",
            arg=label,
        )
    boxes = page.locator(".ck-map-card .ck-map-paper, .ck-map-slip").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 2 * len(labels) + 1
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(
                one["x"], other["x"]
            )
            down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(
                one["y"], other["y"]
            )
            assert min(across, down) <= 4, "nothing lies on something else"
    whole = page.get_by_role("button", name="Whole map")
    whole.tap()
    expect(page.get_by_role("button", name="Larger letters")).to_be_visible()
    field, sheet, *cards = page.locator(".ck-map").evaluate(
        """(map) => [".ck-map-field", ".ck-map-side", ".ck-map-card"].flatMap((name) => [...map.querySelectorAll(name)])
          .map((each) => each.getBoundingClientRect().toJSON())"""
    )
    assert len(cards) == len(labels) + 1
    for box in cards:
        assert field["y"] - 2 <= box["y"]
        assert box["y"] + box["height"] <= sheet["y"] + 4
    page.get_by_role("button", name="Larger letters").tap()
    expect(whole).to_be_visible()


def test_a_new_concept_can_stand_at_either_end_of_its_relation(show, page: Page):
    editor, cell = show(three())
    card(page, "Readers").click()
    page.locator("[data-part=new]").click()
    form = page.locator(".ck-map-form")
    form.get_by_label("Concept").fill("Teachers")
    form.get_by_role("button", name="Turn round").click()
    expect(form.get_by_label("Linking words", exact=True)).to_be_focused()
    page.keyboard.type("help")
    expect(form.get_by_label("Concept")).to_have_value("Teachers")
    page.keyboard.press("Enter")
    expect(card(page, "Teachers")).to_be_focused()
    cell.says(lambda: sentences(editor)[2:], ["Teachers help Readers"])


def test_what_the_kernel_never_got_is_offered_after_a_reload(show, page: Page):
    editor, cell = show(three())
    cell.deaf = True
    card(page, "Readers").focus()
    page.keyboard.press("n")
    page.keyboard.type("Hope")
    page.keyboard.press("Enter")
    expect(card(page, "Hope")).to_have_count(1)
    expect(page.locator(".ck-map-status")).to_contain_text("cannot be reached")
    expect(page.get_by_role("button", name="Download this map")).to_be_visible()
    assert "Hope" not in write_map(editor.map, "json")
    page.locator(".ck-map-question").fill(
        "Who hopes?"
    )  # and the page goes before the field is left
    cell.reload(editor)
    offer = page.locator(".ck-map-offer:visible")
    expect(card(page, "Hope")).to_have_count(0)
    offer.get_by_role("button", name="Restore it").click()
    expect(card(page, "Hope")).to_have_count(1)
    expect(page.locator(".ck-map-question")).to_have_value("Who hopes?")
    cell.says(lambda: "Hope" in write_map(editor.map, "json"), True)
    cell.save()
    expect(page.locator(".ck-map-status")).to_contain_text("Saved")
    assert page.evaluate("localStorage.length") == 0


def test_what_is_done_before_the_kernel_answers_goes_on_when_it_does(show, page: Page):
    page.set_viewport_size(PROJECTOR)
    editor, cell = show()
    cell.hold()
    form, label = page.locator(".ck-map-form"), page.locator(".ck-map-side").get_by_label("Label")

    def write(name: str) -> None:
        page.keyboard.type(name)
        page.keyboard.press("Enter")

    def labels() -> list[str]:
        return [concept.label for concept in editor.map.concepts.values()]

    # What is typed next is not typed into the form before it; undo is there at once, and takes back
    # one by one.
    page.get_by_role("button", name="Write a concept").click()
    write("Hope")
    page.keyboard.press("n")
    write("Faith")
    expect(page.locator(".ck-map-card")).to_have_text(["Hope", "Faith"])
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    cell.let_go(4)
    expect(page.locator(".ck-map-card")).to_have_count(0)
    assert steps(editor) == 0
    page.locator("[data-tool=redo]").click()
    page.locator("[data-tool=redo]").click()
    cell.let_go(2)
    expect(page.locator(".ck-map-card")).to_have_text(["Hope", "Faith"])

    # A card is named while it is dragged, and another one told of; it stays where it is let go of.
    card(page, "Faith").focus()
    page.keyboard.press("n")
    write("Charity")
    page.evaluate(DRAWN)  # its form goes, and the card lies where it stays
    start = middle(card(page, "Charity"))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] - 50, start[1] - 30)
    page.mouse.move(start[0] - 90, start[1] - 60)
    expect(page.locator(".ck-map-sky .ck-map-card")).to_have_count(1)
    cell.let_go()
    cell.says(lambda: len(labels()), 3)
    cell.says(
        lambda: middle(card(page, "Charity")), pytest.approx((start[0] - 90, start[1] - 60), abs=3)
    )
    page.mouse.up()
    assert middle(card(page, "Charity")) == pytest.approx((start[0] - 90, start[1] - 60), abs=3)
    cell.let_go()
    expect(page.locator(".ck-map-sky .ck-map-card")).to_have_count(0)
    assert middle(card(page, "Charity")) == pytest.approx((start[0] - 90, start[1] - 60), abs=3)

    # A card is dragged on while the map is put anew by another cell.
    start = middle(card(page, "Hope"))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 70, start[1] - 50)
    expect(page.locator(".ck-map-sky .ck-map-card")).to_have_count(1)
    graph = editor.graph()
    graph.graph["focus"] = "Which three?"
    editor.put(graph)
    cell.tell()
    expect(page.locator(".ck-map-question")).to_have_value("Which three?")
    page.mouse.up()
    assert middle(card(page, "Hope")) == pytest.approx((start[0] + 70, start[1] - 50), abs=3)
    cell.let_go()

    # A new name, also in Chinese, is typed on while the kernel names the card, and while another
    # cell changes the map.
    page.keyboard.press("n")
    write("L")
    page.keyboard.press("Enter")  # the sheet
    expect(label).to_be_focused()
    method = page.context.new_cdp_session(page)
    method.send("Input.imeSetComposition", {"text": "ㄞ", "selectionStart": 1, "selectionEnd": 1})
    cell.let_go()
    method.send("Input.imeSetComposition", {"text": "ㄞˋ", "selectionStart": 2, "selectionEnd": 2})
    method.send("Input.insertText", {"text": "愛"})
    graph = editor.graph()
    (thing_id,) = (
        concept_id for concept_id, concept in editor.map.concepts.items() if concept.label == "L"
    )
    graph.nodes[thing_id]["note"] = "put by another cell"
    editor.put(graph)
    cell.tell()
    page.keyboard.type(" L")
    expect(label).to_have_value("愛 L")
    page.keyboard.press("Tab")
    kind = page.get_by_label("Kind")
    kind.evaluate("(each) => { each.pulledDown = true; }")
    cell.let_go()
    expect(card(page, "愛 L")).to_have_count(1)
    expect(kind).to_be_focused()
    assert kind.evaluate("(each) => each.pulledDown"), "a list that was pulled down stays so"
    expect(page.locator(".ck-map-side").get_by_label("Note")).to_have_value("put by another cell")
    cell.says(lambda: editor.map.concepts[thing_id][:3], ("愛 L", "", "put by another cell"))
    label.focus()
    page.keyboard.press("End")
    page.keyboard.type("ove")
    page.evaluate(
        "(message) => { document.activeElement.blur(); window.tellBrowser([message]); }",
        editor._editor.whole(),
    )
    cell.let_go()
    expect(card(page, "愛 Love")).to_have_count(1)

    # A form stays open while its concept is named; what is not named yet can be linked, turned and
    # removed.
    card(page, "Hope").focus()
    page.keyboard.press("n")
    write("Doubt")
    page.keyboard.press("l")
    page.locator(".ck-map-choice").select_option(label="Hope")
    page.keyboard.type("dims")
    cell.let_go()
    expect(form.locator(".ck-map-sentence b")).to_have_text(["Doubt", "Hope"])
    form.get_by_role("button", name="Turn round").click()
    expect(form.locator(".ck-map-sentence b")).to_have_text(["Hope", "Doubt"])
    page.keyboard.press("Enter")
    page.locator(".ck-map-side").get_by_role("button", name="Turn round").click()
    expect(page.locator(".ck-map-phrase[aria-label^='Doubt dims Hope']")).to_have_count(1)
    cell.let_go(2)
    cell.says(lambda: sentences(editor), ["Doubt dims Hope"])
    page.locator(".ck-map-phrase").press("Delete")
    card(page, "Hope").press("n")
    write("Fear")
    page.keyboard.press("l")
    page.locator(".ck-map-choice").select_option(label="Hope")
    write("needs")
    page.locator(".ck-map-side").get_by_role("button", name="Turn round").click()
    cell.let_go(4)
    cell.says(lambda: sentences(editor), ["Hope needs Fear"])
    card(page, "Fear").press("n")
    write("Grief")
    page.keyboard.press("F2")
    cell.let_go()
    write("Sorrow")
    expect(card(page, "Sorrow")).to_be_focused()
    page.mouse.move(*middle(card(page, "Hope")))
    knob = middle(page.locator(".ck-map-knob"))
    cell.let_go()
    assert middle(page.locator(".ck-map-knob")) == pytest.approx(knob, abs=1), (
        "the handle is where the mouse goes"
    )
    page.keyboard.press("n")
    write("Envy")
    page.keyboard.press("Delete")
    cell.let_go(2)
    expect(card(page, "Envy")).to_have_count(0)
    assert "Sorrow" in labels()
    assert "Envy" not in labels()

    # A card that was asked for does not take the place of what is being written by now.
    page.locator(".ck-map-tools [data-tool=draw]").click()
    page.locator(".ck-map-tools [data-tool=add]").click()
    page.keyboard.type("Ze")
    cell.let_go()
    page.keyboard.type("al")
    expect(form.locator("input")).to_have_value("Zeal")
    page.keyboard.press("Escape")

    # What the kernel refuses comes back, unless somebody has gone on; what hung on it is not asked
    # for.
    before = steps(editor)
    card(page, "Hope").focus()
    page.keyboard.press("n")
    write("Doubt")
    page.keyboard.press("Insert")
    page.keyboard.type("is shared by")
    page.keyboard.press("Enter")
    write("Readers")
    expect(page.locator(".ck-map-phrase")).to_have_count(2)
    page.locator("[data-tool=undo]").click()
    cell.let_go()
    expect(form.locator(".ck-map-trouble")).to_contain_text("Doubt")
    expect(form.locator("input")).to_have_value("Doubt")
    expect(form.locator("input")).to_be_focused()
    expect(page.locator(".ck-map-phrase")).to_have_count(1)
    assert steps(editor) == before, "undo was for what the kernel has refused"
    page.keyboard.press("Escape")
    card(page, "Hope").press("Delete")
    cell.let_go()
    expect(card(page, "Hope")).to_have_count(0)
    assert (steps(editor), "Hope" in labels()) == (before + 1, False), (
        "what hung on it was not asked for"
    )
