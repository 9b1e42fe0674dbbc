"""The chances of phase 2: moments in which an attempt could be launched, used or not."""

from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.core.match import replay
from coursekit.games.blockade.after.history import PROTEST, SEARCH
from coursekit.games.blockade.rules.card_codes import CENSORS

if TYPE_CHECKING:
    from coursekit.core.match import Match


class Chance(NamedTuple):
    """A moment of phase 2 in which an attempt could be launched."""

    entry: int  # of the log
    era: int
    lap: int  # 1-based
    seat: Seat
    role: int
    passed: bool

    @property
    def kind(self) -> str:
        """What could be launched: SEARCH or PROTEST."""
        return SEARCH if self.role in CENSORS else PROTEST


def chances(match: "Match") -> list[Chance]:
    """Return every chance of phase 2 in *match*, taken or not."""
    found: list[Chance] = []

    def watch(now: "Match", seat: Seat, action: Any) -> None:
        state = now.state
        if state.phase == "strike":
            lap = state.turns // now.game.players + 1
            found.append(
                Chance(len(now.log), state.era, lap, seat, state.roles[seat], action == "pass")
            )

    replay(match.record(), game=match.game, watch=watch)
    return found
