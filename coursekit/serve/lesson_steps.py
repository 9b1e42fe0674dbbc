"""The steps of a lesson: tags of a notebook's cells, by which its page shows one step at a time.

The tag ``step-play`` starts a step, to which the following cells belong; what comes before the
first tag belongs to it as well. ``minutes-18`` on the same cell plans its time. The step ``lab`` is
the second tab of the page.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from coursekit.words import texts

NOTEBOOK_ONLY = "notebook-only"
"""Tag of cells that a page without code neither shows nor runs."""
LAB = "lab"
"""The step that is no part of the lesson."""
STEP, MINUTES = re.compile(r"step-([\w-]+)"), re.compile(r"minutes-(\d{1,3})")
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
    found: list[Step] = []
    for position, cell in enumerate(notebook["cells"]):
        tags = cell["metadata"].get("tags", [])
        name = next((match[1] for tag in tags if (match := STEP.fullmatch(tag))), "")
        if name:
            planned = next((int(match[1]) for tag in tags if (match := MINUTES.fullmatch(tag))), 0)
            same = sum(each.name == name or each.name.startswith(f"{name}-") for each in found)
            label = _label(name, "".join(cell["source"]), language)
            found.append(
                Step(
                    f"{name}-{same + 1}" if same else name, label, planned, position if found else 0
                )
            )
    return found if any(each.name != LAB for each in found) else []


def _label(name: str, source: str, language: str) -> str:
    """Return the kit's word for the step *name*, else the first heading in *source*, else *name*
    itself.
    """
    if IN_TEXTS + name in texts.load_texts(texts.THE_KIT):
        return texts.text(IN_TEXTS + name, language)
    heading = HEADING.search(source)
    return re.sub(r"[*`]", "", heading[1]).strip() if heading else name


def minutes(notebook: Mapping[str, Any]) -> int:
    """Return how many minutes the lesson in *notebook* plans, 0 if it says nothing."""
    return sum(each.minutes for each in steps(notebook, texts.LANGUAGES[0]))


def mark_steps(notebook: Any) -> None:
    """Say in *notebook*, which has its frame, where each step begins, and in the frame which steps
    there are.
    """
    frame = notebook["metadata"]["coursekit"]
    if found := steps(notebook, frame["language"]):
        for step in found:
            notebook["cells"][step.cell]["metadata"]["coursekit_step"] = step.name
        told = [{"name": each.name, "label": each.label, "minutes": each.minutes} for each in found]
        frame["lesson"] = {"steps": told}
