"""Parts of Knit Wit's scenes that several zones share."""

from collections.abc import Sequence
from typing import cast

from coursekit.core.game import Seat
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
from coursekit.kit.scene import Face, Look


def rules_of(look: Look) -> KnitWit:
    """Return the game that is looked at."""
    return cast(KnitWit, look.game)


def sharing(obs: Observation, look: Look) -> tuple[Seat, ...]:
    """Return who may decide on this screen: the viewer, or in an open phase everybody who sits at it."""
    return tuple(look.acting) or ((obs.seat,) if obs.seat is not None and obs.seat in obs.waiting else ())


def words_of(tags: Sequence[int], look: Look) -> list[str]:
    """Return what is written on *tags*, "" for one that is still to be drawn."""
    written = rules_of(look).pack.tags
    return ["" if tag == NO_TAG else written[tag].names[look.language] for tag in tags]


def shared(words: Sequence[str]) -> str:
    """Return *words* that an answer has to fit all at once."""
    return " ＋ ".join(words)


def button_face(holes: int) -> Face:
    return {"art": f"button-{holes}"}
