"""The steps of a lesson: tags of a notebook's cells, by which its page shows one step at a time.

The tag ``step-play`` starts a step, to which the following cells belong; what comes before the
first tag belongs to it as well. ``minutes-18`` on the same cell plans its time. The step ``lab`` is
the second tab of the page.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from coursekit.words import texts

NOTEBOOK_ONLY = "notebook-only"
"""Tag of cells that a page without code neither shows nor runs."""
LAB = "lab"
"""The step that is no part of the lesson."""
STEP = re.compile(r"step-([\w-]+)")
MINUTES = re.compile(r"minutes-(\d{1,3})")
HEADING = re.compile(r"^#+ +(.+)", re.MULTILINE)
IN_TEXTS = "page.step."
"""Texts of the kit for the names of steps: ``page.step.play``."""


class Step(NamedTuple):
    """One step of a lesson."""

    name: str
    """What stands in the address, ``play``; a second one of that name is ``play-2``."""
    label: str
    minutes: int
    """Planned, 0 for none."""
    cell: int
    """The first cell that belongs to it."""


def steps(notebook: Mapping[str, Any], language: str) -> list[Step]:
    """Return the steps of *notebook* in order, none if it has no lesson."""
    lesson: list[Step] = []
    times = Counter[str]()
    for position, cell in enumerate(notebook["cells"]):
        tags = cell["metadata"].get("tags", [])
        name = _tagged(STEP, tags)
        if not name:
            continue
        times[name] += 1
        lesson.append(
            Step(
                name if times[name] == 1 else f"{name}-{times[name]}",
                _label(name, "".join(cell["source"]), language),
                int(_tagged(MINUTES, tags) or 0),
                position if lesson else 0,
            )
        )
    return lesson if any(step.name != LAB for step in lesson) else []


def _tagged(pattern: re.Pattern[str], tags: Iterable[str]) -> str:
    """Return what the first of *tags* that fits *pattern* says, "" if none does."""
    for tag in tags:
        match = pattern.fullmatch(tag)
        if match:
            return match[1]
    return ""


def _label(name: str, source: str, language: str) -> str:
    """Return the kit's word for a step, or the first heading in *source*, or the step's name."""
    if IN_TEXTS + name in texts.load_texts(texts.THE_KIT):
        return texts.text(IN_TEXTS + name, language)
    heading = HEADING.search(source)
    return re.sub(r"[*`]", "", heading[1]).strip() if heading else name


def minutes(notebook: Mapping[str, Any]) -> int:
    """Return how many minutes the lesson in *notebook* plans, 0 if it says nothing."""
    return sum(step.minutes for step in steps(notebook, texts.LANGUAGES[0]))


def mark_steps(notebook: Any) -> None:
    """Note in *notebook* where each step begins, and all steps in the frame that it has."""
    frame = notebook["metadata"]["coursekit"]
    lesson = steps(notebook, frame["language"])
    for step in lesson:
        notebook["cells"][step.cell]["metadata"]["coursekit_step"] = step.name
    if lesson:
        frame["lesson"] = {
            "steps": [
                {"name": step.name, "label": step.label, "minutes": step.minutes} for step in lesson
            ]
        }
