"""Each game lists its strategies the weakest first: the table offers them so, and a league seats
the last.
"""

from collections.abc import Iterator, Sequence

import pytest

from coursekit.arena import Result, duplicate
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.strategies import Cautious
from coursekit.kit import GAMES

PLAYED = {"wizard": (4, 20), "wikipedia": (2, 20), "blockade": (4, 8), "knitwit": (3, 6)}
"""Players, and deals for every two strategies: few, for only what they prove counts."""


def advice(kinds: Sequence[type[Strategy]], result: Result) -> Iterator[str]:
    """Yield a sentence for each of *kinds* that is proven to win less than one before it."""
    for place, kind in enumerate(kinds):
        for earlier in kinds[:place]:
            ahead = result.difference(earlier, kind, "wins")
            assert ahead
            if ahead.proved and ahead.mean > 0:
                less = f"{ahead.mean:.0f} ± {ahead.interval:.0f} % per seat"
                yield f"put {kind.__name__} before {earlier.__name__}: it wins less, by {less}"
                break


@pytest.mark.parametrize("game", PLAYED)
def test_the_weakest_is_listed_first(game: str) -> None:
    players, deals = PLAYED[game]
    kinds = GAMES[game].strategies
    result = duplicate(
        GAMES[game].rules(players), kinds, deals, seed=1, seating="pairs", progress=False
    )
    if found := list(advice(kinds, result)):
        pytest.fail(f"STRATEGIES of {game}: {'; '.join(found)}", pytrace=False)


def test_a_wrong_order_is_told_by_the_names_of_two() -> None:
    class Zero(AtRandom):
        def bid(self, obs):
            return obs.legal[0]

    kinds = [AtRandom, Cautious, Zero]
    result = duplicate(Wizard(4), kinds, 20, seed=1, seating="pairs", progress=False)
    (told,) = advice(kinds, result)
    assert told.startswith("put Zero before Cautious: it wins less, by ")
    assert list(advice([AtRandom, Zero, Cautious], result)) == []
