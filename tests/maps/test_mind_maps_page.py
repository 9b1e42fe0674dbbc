"""What the page about mind maps in a lesson says is true of the program."""

import re
from pathlib import Path

from coursekit.maps import editor, elements, file_reader, file_writer, map_statistics, mindmap
from coursekit.words.texts import load_texts

PAGE = Path(__file__).parents[2].joinpath("docs/teach/mind-maps.md").read_text(encoding="utf-8")
PLAIN = " ".join(PAGE.split())


def test_its_limits_are_those_of_the_program() -> None:
    assert f"{elements.CONCEPTS} concepts and {elements.RELATIONS:,} relations" in PLAIN
    assert (
        f"a label {elements.SHORT} characters, a note {elements.LONG:,}, a file {file_reader.LARGEST_FILE // 1_000_000} MB"
        in PLAIN
    )
    assert f"the last {mindmap.KEPT_STEPS:,} can be undone" in PLAIN
    assert f"as fit into {file_writer.LOGGED:,} characters" in PLAIN
    assert f"takes up to {editor.FILES} files" in PLAIN


def test_its_points_are_those_that_are_counted() -> None:
    (told,) = re.findall(
        r"one point for a valid proposition, (\d+) for a level of the hierarchy, (\d+) for a branching, "
        r"(\d+) for a valid cross-link, (\d+) for a valid example",
        PLAIN,
    )
    assert (
        dict(
            zip(
                ("propositions", "levels", "branchings", "cross_links", "examples"),
                (1, *map(int, told)),
            )
        )
        == map_statistics.POINTS
    )
    assert map_statistics.JUDGEMENTS["partly"] == 0.5


def test_what_it_tells_to_press_stands_on_the_editor() -> None:
    words = {
        sentences["en"]
        for text_id, sentences in load_texts().items()
        if text_id.startswith(("map.ui.", "map.panel."))
    }
    assert {"Draw a card", "More", "Replay", "Compare", "Look again", "Merge a class"} <= words
    for pressed in ("Draw a card", "More", "Replay", "Compare", "Look again", "Merge a class"):
        assert f"“{pressed}”" in PAGE


def test_each_form_of_a_file_keeps_what_it_says() -> None:
    mind_map = mindmap.MindMap("Who spoils what?")
    mind_map.link(mind_map.add("Vandal", note="n", at=(10, 20)), "spoils", mind_map.add("article"))
    for form in ("json", "graphml", "csv"):
        again = file_reader.read_map(file_writer.write_map(mind_map, form).encode(), f"map.{form}")
        assert again == mind_map
        assert (len(again.log) == len(mind_map.log)) == (form != "csv"), form
