"""Timed steps of an activity: to predict, think, talk and write. A teacher can change them.

Sources:

- predict, opinion: one or two minutes, before any result is seen ("predict, play, explain").
- pair: at least 30 seconds to think alone, then one to three minutes to talk with a neighbour
  (Cornell University, engr.cornell.edu). Two or three minutes of this every 12 to 18 minutes
  improved memory, right after and 12 days later (Carleton College,
  serc.carleton.edu/resources/1312). It is the pair, not thinking alone, that raises hands
  (University of Prince Edward Island, upei.ca, 2024).
- exit: one to three minutes at the end, anonymous if the writer likes (minute paper, muddiest
  point).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coursekit.words.texts import pick_texts, text

TEXTS = "prompt."


class TimedStep(NamedTuple):
    """One thing to do, and its time."""

    name: str  # its text is prompt.step.NAME
    seconds: int


TIMINGS: Mapping[str, Sequence[TimedStep]] = {
    "predict": (TimedStep("predict", 90),),
    "opinion": (TimedStep("opinion", 90),),
    "pair": (TimedStep("think", 30), TimedStep("pair", 120), TimedStep("share", 180)),
    "exit": (TimedStep("exit", 120),),
}
"""Name of a timing -> its steps."""
SHORTEST_STEP, LONGEST_STEP, STEP_CHANGE = 30, 900, 30
"""Seconds: the shortest and the longest step that a teacher can set, and the change per press."""
WORDS = (
    "group",
    "start",
    "pause",
    "on",
    "next",
    "reset",
    "longer",
    "shorter",
    "begun",
    "soon",
    "over",
)
"""The texts of the strip."""


def strip(timing: str, language: str) -> dict[str, Any]:
    """Return what ``static/timer.js`` needs for *timing*, a name in :data:`TIMINGS`.

    :raises ValueError: for another name.
    """
    if timing not in TIMINGS:
        raise ValueError(f"timing {timing!r} is not one of {', '.join(TIMINGS)}")
    steps = [
        {"label": text(f"{TEXTS}step.{step.name}", language), "seconds": step.seconds}
        for step in TIMINGS[timing]
    ]
    return {
        "steps": steps,
        "words": pick_texts(TEXTS, WORDS, language),
        "shortest": SHORTEST_STEP,
        "longest": LONGEST_STEP,
        "change": STEP_CHANGE,
    }
