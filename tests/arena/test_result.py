"""What a result tells: what is proved and what is not yet, the worth of seats, the match to look at
again.
"""

import re
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from coursekit.arena import Result, duplicate
from coursekit.arena.statistics import t95
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter, Cautious
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import LANGUAGES

GAME = Wizard(4, Options(short_game=3))


class Copy(Cautious):
    """Differs from Cautious by chance alone."""


class Low(Strategy):
    def bid(self, obs: Any) -> Any:
        return 0


def played(*strategies: type[Strategy], **given: Any) -> Result:
    return duplicate(
        GAME, strategies, **{"deals": 40, "seed": 1, "progress": False, "language": "en"} | given
    )


@pytest.fixture(scope="module")
def result() -> Result:
    return played(AtRandom, Cautious, CardCounter, Copy)


def test_a_difference_is_that_of_the_same_deals(result: Result) -> None:
    found = result.difference("CardCounter", Copy)
    one, two = (
        [fmean(deal) for deal in result.numbers[name]["points"]] for name in ("CardCounter", "Copy")
    )
    each = [a - b for a, b in zip(one, two)]
    assert found
    assert found.mean == pytest.approx(fmean(each))
    assert found.interval == pytest.approx(t95(39) * stdev(each) / sqrt(40))
    assert found.proved == (found.interval < abs(found.mean))
    back = result.difference(Copy, CardCounter)
    assert back == (pytest.approx(-found.mean), pytest.approx(found.interval), found.more)


def test_only_matches_that_both_played_count() -> None:
    """Six strategies at four seats: some matches hold one of the two and not the other."""
    result = played(AtRandom, Low, Cautious, Copy, CardCounter, type("Other", (Low,), {}), deals=5)
    found = result.difference(AtRandom, Cautious)
    each = []
    for deal in range(5):
        mine, theirs = [], []
        for lineup in result.lineups:
            if AtRandom in lineup and Cautious in lineup:
                points = GAME.scores(play_out(GAME, lineup, f"1/{deal}").state)
                mine.append(points[lineup.index(AtRandom)])
                theirs.append(points[lineup.index(Cautious)])
        each.append(fmean(mine) - fmean(theirs))
    assert found
    assert found.mean == pytest.approx(fmean(each))


def test_so_many_more_deals_do_tell(result: Result) -> None:
    """The sentence promises four tournaments of five; with the same spread, that many deals must
    prove the mean.
    """
    found = result.difference(Cautious, Copy)
    assert found
    assert not found.proved
    assert 0 < found.more < inf
    deviation = found.interval * sqrt(40) / t95(39)
    assert 2.8 * deviation / sqrt(40 + found.more) == pytest.approx(abs(found.mean), rel=0.02)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_says_what_is_proved_and_how_many_more_deals_would_tell(
    language: str, result: Result
) -> None:
    said = {
        "zh-Hant": ("有證據", "還不算證據"),
        "en": ("is evidence", "not yet evidence"),
        "zh-Hans": ("有证据", "还不算证据"),
    }
    proved, not_yet = said[language]
    assert proved in result.verdict(CardCounter, AtRandom, language=language)
    assert not_yet in result.verdict(Cautious, Copy, language=language)
    assert re.search(r"(?<!\d)[1-9]0+(?!\d)", result.verdict(Cautious, Copy, language=language)), (
        "a round number"
    )
    shown = result._repr_html_()
    assert result.verdict(language="en") in shown
    assert result.verdict() == result.verdict(*result.ranking[:2])


def test_who_is_ahead_is_named_first(result: Result) -> None:
    assert result.verdict(AtRandom, CardCounter) == result.verdict(CardCounter, AtRandom)
    assert result.verdict(AtRandom, CardCounter).startswith("Points per match: Card counter is")


def test_of_few_deals_nothing_is_proved() -> None:
    few = played(AtRandom, Cautious, deals=4)
    assert "too few to say anything" in few.verdict()
    assert "±" not in few.verdict() + few.matrix().alt + few.seats().alt
    assert "<p" not in few._repr_html_()
    alone = played(Low, deals=5)
    assert "<p" not in alone._repr_html_()
    with pytest.raises(ValueError, match="no other strategy"):
        alone.verdict()


def test_without_any_difference_no_number_of_deals_is_promised() -> None:
    result = played(Low, type("Same", (Low,), {}), deals=5)
    for name in ("Low", "Same"):
        result.numbers[name]["points"][:] = [(0.0, 0.0, 0.0, 0.0)] * 5
    assert "no difference" in result.verdict()


def test_the_worth_of_a_seat_is_the_mean_of_its_matches(result: Result) -> None:
    for seat, (mean, half) in enumerate(result.seat_means(Copy)):
        points = [row[4] for row in result.data_table().rows if row[2] == seat and row[3] == "Copy"]
        assert mean == pytest.approx(fmean(points))
        assert half == pytest.approx(t95(39) * stdev(points) / sqrt(40))


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_drawn_and_told_in_words(language: str, result: Result) -> None:
    matrix, seats = result.matrix(language=language), result.seats(language=language)
    assert b"<svg" in matrix.svg
    assert b"<svg" in seats.svg
    for one, other in (("CardCounter", "Cautious"), ("AtRandom", "Copy")):
        assert result.verdict(one, other, language=language) in matrix.alt
    for mean, half in result.seat_means(CardCounter):
        assert f"{mean:.1f} ± {half:.1f}" in seats.alt


def test_samples_share_no_deal_and_a_miss_is_counted(result: Result) -> None:
    found = result.split("Cautious", 5)
    points = [fmean(deal) for deal in result.numbers["Cautious"]["points"]]
    assert len(found) == 8
    assert [mean for mean, _ in found] == pytest.approx(
        [fmean(points[at : at + 5]) for at in range(0, 40, 5)]
    )
    assert found[1][1] == pytest.approx(t95(4) * stdev(points[5:10]) / sqrt(5))
    caught = sum(abs(mean - fmean(points)) <= half for mean, half in found)
    told = result.samples("Cautious", 5).alt
    assert f"{caught} of 8 hold" in told
    assert f"the means lie between {min(found)[0]:.1f} and {max(found)[0]:.1f}" in told
    assert "hold" not in result.samples(Cautious, 20, bars=False).alt
    for deals in (4, 21):
        with pytest.raises(ValueError, match=f"no two samples of {deals}"):
            result.samples("Cautious", deals)


def test_a_match_is_played_again_with_who_sat_there(result: Result) -> None:
    again = result.match(3, 2)
    assert again.players == result.lineups[2]
    assert GAME.scores(again.match.state) == result.by_seat()[3][2]
    for deal, number, allowed in ((40, 0, "0 to 39"), (-1, 0, "0 to 39"), (0, 4, "0 to 3")):
        with pytest.raises(ValueError, match=allowed):
            result.match(deal, number)


def test_the_worst_match_is_the_one_with_the_largest_loss(result: Result) -> None:
    losses = {}
    for deal, matches in enumerate(result.by_seat()):
        for number, points in enumerate(matches):
            seat = result.lineups[number].index(Copy)
            losses[deal, number] = points[seat] - max(
                p for other, p in enumerate(points) if other != seat
            )
    worst = result.worst(Copy)
    assert losses[worst.deal, worst.number] == min(losses.values())
    with pytest.raises(ValueError, match="no other strategy"):
        played(Low, deals=1).worst(Low)


def test_a_table_opens_it_and_steps_through_it(result: Result, tmp_path: Path) -> None:
    worst = result.worst(Copy)
    table = Table(worst, language="en", store=Store(tmp_path))
    assert table.match is worst.match
    assert table.people == ()
    assert table.players == worst.players
    assert table.view["entries"] == len(worst.match.log)
    table.receive(
        {
            "type": "step",
            "entry": 5,
            **{part: table.view[part] for part in ("match", "branch", "acted")},
        }
    )
    assert table.view["entry"] == 5
    assert table.view["looking_back"]


def test_decisions_are_timed_and_the_spread_told(result: Result) -> None:
    times = result.times()
    assert set(times) == set(result.numbers)
    assert min(times.values()) > 0
    assert result.spread(Copy) == stdev(result.every(Copy))


def test_what_a_cell_shows_is_a_plain_str_as_marimo_wants_it() -> None:
    result = played(Cautious, AtRandom, deals=2)
    for shown in (result, result.plot(), result.data_table()):
        assert type(shown._repr_html_()) is str
