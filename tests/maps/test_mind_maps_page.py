"""What the page about mind maps in a lesson says is true of the program."""

import re
from pathlib import Path

from coursekit.maps import editor, elements, file_reader, file_writer, map_statistics, mindmap
from coursekit.words.texts import load_texts

PAGE = Path(__file__).parents[2].joinpath("docs/teach/mind-maps.md").read_text(encoding="utf-8")
PLAIN = " ".join(PAGE.split())


def test_its_limits_are_those_of_the_program() -> None:
    megabytes = file_reader.LARGEST_FILE // 1_000_000
    for limit in (
        f"{elements.CONCEPTS} concepts and {elements.RELATIONS:,} relations",
        f"a label {elements.SHORT} characters, a note {elements.LONG:,}, a file {megabytes} MB",
        f"takes up to {editor.FILES} files",
    ):
        assert limit in PLAIN


def test_its_points_are_those_that_are_counted() -> None:
    (told,) = re.findall(
        r"one point for a valid proposition, (\d+) for a level of the hierarchy, (\d+) for a "
        r"branching, (\d+) for a valid cross-link, (\d+) for a valid example",
        PLAIN,
    )
    assert tuple(map_statistics.POINTS.values()) == (1, *map(int, told))
    assert map_statistics.JUDGEMENTS["partly"] == 0.5


def test_what_it_tells_to_press_stands_on_the_editor() -> None:
    texts = load_texts()
    words = {texts[text_id]["en"] for text_id in texts if text_id.startswith("map.")}
    for pressed in ("Draw a card", "More", "Compare", "Look again", "Merge a class"):
        assert pressed in words
        assert f"“{pressed}”" in PAGE


def test_a_file_that_can_be_opened_again_keeps_everything() -> None:
    mind_map = mindmap.MindMap("Who spoils what?")
    mind_map.link(mind_map.add("Vandal", note="n", at=(10, 20)), "spoils", mind_map.add("article"))
    for form in ("json", "graphml", "csv"):
        words = file_writer.write_map(mind_map, form)
        assert file_reader.read_map(words.encode(), f"map.{form}") == mind_map
