"""The steps of a lesson, from the tags of a notebook's cells."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursekit.serve.lesson_steps import mark_steps, minutes, steps
from coursekit.words import texts


def notebook(*cells: tuple[str, str]) -> object:
    """Return a notebook of these texts, each with its tags, in a frame."""
    made = [new_markdown_cell(words, metadata={"tags": tags.split()}) for words, tags in cells]
    return new_notebook(
        cells=[*made, new_code_cell("1")], metadata={"coursekit": {"language": "en"}}
    )


def test_a_step_is_called_by_the_kits_word_else_by_its_first_heading_else_by_its_tag() -> None:
    own = notebook(
        ("# All", ""),
        ("# One\n\n## Two", "step-play"),
        ("## Stretch *well*", "step-gym"),
        ("x", "step-暖身"),
    )
    assert [each.label for each in steps(own, "en")] == ["Play", "Stretch well", "暖身"]
    assert steps(own, "zh-Hant")[0].label == texts.text("page.step.play", "zh-Hant")


def test_what_stands_before_the_first_tag_belongs_to_the_first_step() -> None:
    own = notebook(
        ("# All", ""), ("## One", "step-rules minutes-6"), ("x", ""), ("y", "minutes-9 step-play")
    )
    mark_steps(own)
    assert [each["metadata"].get("coursekit_step") for each in own["cells"]] == [
        "rules",
        None,
        None,
        "play",
        None,
    ]
    assert minutes(own) == 15


def test_the_same_step_twice_is_told_apart() -> None:
    own = notebook(*[("x", f"step-{name}") for name in ("play", "look-back", "play", "play")])
    assert [each.name for each in steps(own, "en")] == ["play", "look-back", "play-2", "play-3"]


@pytest.mark.parametrize("tags", ["", "minutes-5", "step-lab", "step- hide-me"])
def test_a_notebook_without_steps_has_no_lesson(tags: str) -> None:
    own = notebook(("# All", tags))
    mark_steps(own)
    assert "lesson" not in own["metadata"]["coursekit"]
    assert minutes(own) == 0
