"""The minutes of a lesson's steps, against the plan of its guide."""

import re
from itertools import accumulate, takewhile

import pytest

from coursekit.core.registry import KIT_GAMES
from coursekit.serve import guides
from coursekit.serve.lesson_steps import steps
from coursekit.serve.notebooks import NotebookShelf, packaged_folder

LESSON = 45


def planned(guide: str) -> list[int]:
    """Return when each part of a lesson ends by the first table of *guide* that gives minutes."""
    lines = iter(guide.splitlines())
    rows = re.compile(r"\| *(\d+) *\|")
    first = next(match for match in map(rows.match, lines) if match)
    others = takewhile(bool, map(rows.match, lines))
    return list(accumulate(int(row[1]) for row in (first, *others) if row))


def fit(plan: list[int], ends: list[int]) -> bool:
    """Return whether each part of *plan* is some steps, or each step some parts."""
    apart = [end for end in plan if end not in ends]
    return all(
        max(0, *(step for step in [0, *ends] if step < end)) in [0, *plan]
        and min(step for step in ends if step > end) in plan
        for end in apart
    )


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
@pytest.mark.parametrize("game", KIT_GAMES)
def test_the_steps_take_the_minutes_of_the_plan(game: str, language: str) -> None:
    notebook = NotebookShelf(packaged_folder()).find(game, language)
    assert notebook
    ends = list(accumulate(step.minutes for step in steps(notebook.read(), language)))
    plan = planned(guides.files("plan", language)[game].read_text(encoding="utf-8"))
    assert plan[-1] == LESSON == ends[-1]
    assert fit(plan, ends), f"parts of the plan end at {plan}, steps at {ends}"
    first = next(cell for cell in notebook.read()["cells"])
    said = [int(number) for number in re.findall(r"\) (\d+)", "".join(first["source"]))]
    assert list(accumulate(said)) == plan, "the lesson's own line says other minutes"
