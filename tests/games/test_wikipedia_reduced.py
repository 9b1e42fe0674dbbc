"""The solver of ``benchmarks`` finds the values of games that are small enough to do by hand."""

from fractions import Fraction
from itertools import pairwise

import pytest

from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wikipedia import Options
from coursekit.games.wikipedia.strategies import Editor, HonestStudent

reduced = pytest.importorskip(
    "benchmarks.reduced", reason="benchmarks are not part of the source package"
)

TINY = Options(
    points_to_win=2,
    laps_limit=2,
    wiki=4,
    book=0,
    revise=0,
    vandal=0,
    use=4,
    wiki_wrong=0,
    scholars=1,
    students=1,
    start=2,
    hand_min=0,
    refill_to=2,
    stall_guard_laps=0,
)
"""Four turns, four WIKI that never err, four USE, hands of two.

Only the second player can score: one who holds WIKI must write it, the second uses it in the second
turn and throws in the fourth. That needs a WIKI in one hand and a USE in the other. The first holds
two USE with 3/14, the second two WIKI with 3/14, both with C(4,2) C(4,2) / (C(8,2) C(6,2)) = 3/35:
else, with 23/35, the second wins, if it likes. All other matches are shared, 0 to 0.
"""
SECOND = (1 + Fraction(23, 35)) / 2
"""The share of the second player."""


class Never(Strategy):
    """Does not use a work unless it must."""

    def move(self, obs):
        return next(action for action in obs.legal if action != "use")


def test_with_open_hands_the_second_wins_as_often_as_by_hand() -> None:
    small = reduced.Small(TINY)
    assert reduced.share(small, None, None, True, starters=(1,)) == pytest.approx(float(SECOND))
    assert reduced.share(small, None, None, True, starters=(0,)) == pytest.approx(float(1 - SECOND))


def test_the_best_responses_are_those_found_by_hand() -> None:
    small = reduced.Small(TINY)
    assert reduced.share(small, None, Editor) == pytest.approx(0.5)  # there is nothing better to do
    assert reduced.share(small, None, Never) == pytest.approx(float((SECOND + Fraction(1, 2)) / 2))
    # At random the second uses with 1/2 when it holds two USE, which it does with 3/14, and with
    # 1/3 when it holds one of each, with 4/7.  Of what is left the first holds two USE with 1/15
    # and 3/15, and then writes nothing.
    uses = Fraction(3, 14) * (1 - Fraction(1, 15)) / 2 + Fraction(4, 7) * (1 - Fraction(3, 15)) / 3
    assert reduced.share(small, None, AtRandom) == pytest.approx(
        float((SECOND + (1 - uses) / 2) / 2)
    )


def test_a_card_is_drawn_as_often_as_it_lies_in_the_deck() -> None:
    small = reduced.Small(TINY)
    hands = [["use", "use"], ["use", "wiki"]]
    start = next(
        key for _, key in small.starts(0) if small.states[key].hands == hands
    )  # three WIKI and a USE are left
    drawn = {small.states[key].hands[0][-1]: odds for odds, key in small.step(start, "discard use")}
    assert drawn == {"wiki": 3 / 4, "use": 1 / 4}


def test_the_best_player_is_better_than_any_and_not_as_good_as_one_that_sees_the_hands() -> None:
    small = reduced.Small(reduced.replace(reduced.SMALL, laps_limit=3, wiki=4, book=0, revise=1))
    shares = [reduced.share(small, kind, Editor) for kind in (HonestStudent, Editor, None)]
    shares.append(reduced.share(small, None, Editor, True))
    assert all(worse < better - 1e-3 for worse, better in pairwise(shares))
    assert reduced.share(small, Editor, HonestStudent) == pytest.approx(1 - shares[0])
    with pytest.raises(ValueError, match="sits first"):
        reduced.share(small, Editor, None)
