"""Parts that several zones of Knit Wit's scenes share."""

from collections.abc import Sequence
from typing import Any, cast

from coursekit.core.game import Seat
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
from coursekit.kit.scene import Choice, Face, Look


def rules_of(look: Look) -> KnitWit:
    """Return the game of *look*."""
    return cast(KnitWit, look.game)


def sharing(obs: Observation, look: Look) -> tuple[Seat, ...]:
    """Return the seats that may decide on this screen.

    These are the viewer's, or in an open phase all seats at it.
    """
    own = (obs.seat,) if obs.seat is not None and obs.seat in obs.waiting else ()
    return tuple(look.acting) or own


def words_of(tags: Sequence[int], look: Look) -> list[str]:
    """Return the words on *tags*, "" for a tag not drawn yet."""
    pack = rules_of(look).pack
    return ["" if tag == NO_TAG else pack.tags[tag].word(look.language) for tag in tags]


def together(words: Sequence[str]) -> str:
    """Return *words* that an answer must fit together, as one text."""
    return " ＋ ".join(words)


def button_face(holes: int) -> Face:
    return {"art": f"button-{holes}"}


def make_choice(label: str, action: Any, seat: Seat, primary: bool = True) -> Choice:
    return {"label": label, "action": action, "legal": True, "seat": seat, "primary": primary}
