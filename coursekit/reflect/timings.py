"""How much time there is to predict, to think, to talk and to write: defaults that a teacher changes in the cell.

Where they come from:

- predict: one or two minutes, before anything of the result is seen ("predict, play, explain").
- pair: at least 30 seconds to think alone and one to three minutes to talk with a neighbour
  (Cornell University, engr.cornell.edu); two or three minutes of this every 12 to 18 minutes helped to remember,
  right after and 12 days later (Carleton College, serc.carleton.edu/resources/1312); it is the pair, not thinking
  alone, that raises hands (University of Prince Edward Island, upei.ca, 2024).
- exit: one to three minutes at the end, without a name if one likes (minute paper, muddiest point).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coursekit.words.texts import table

TEXTS = "prompt."


class Step(NamedTuple):
    """One thing to do, and for how long."""

    name: str  # its text is prompt.step.NAME
    seconds: int


TIMINGS: Mapping[str, Sequence[Step]] = {
    "predict": (Step("predict", 90),),
    "pair": (Step("think", 30), Step("pair", 120), Step("share", 180)),
    "exit": (Step("exit", 120),),
}
"""What a cell can give time to, by name."""
SHORTEST, LONGEST, CHANGE = 30, 900, 30
"""Seconds: the shortest and the longest step that a teacher can set, and by how much a press changes it."""
SAID = ("group", "start", "pause", "on", "next", "reset", "longer", "shorter", "begun", "soon", "over")
"""The texts that the strip says by itself."""


def strip(timing: str, language: str) -> dict[str, Any]:
    """Return what ``static/timer.js`` needs for *timing*, one of :data:`TIMINGS`.

    :raises ValueError: if it is none of them.
    """
    if timing not in TIMINGS:
        raise ValueError(f"timing {timing!r} is not one of {', '.join(TIMINGS)}")
    named = table()
    steps = [{"label": named[f"{TEXTS}step.{each.name}"][language], "seconds": each.seconds}
             for each in TIMINGS[timing]]  # fmt: skip
    words = {name: named[TEXTS + name][language] for name in SAID}
    return {"steps": steps, "words": words, "shortest": SHORTEST, "longest": LONGEST, "change": CHANGE}
