"""What is shown below the questions: the right numbers, from the right match, and nothing that is
hidden.
"""

import re
import warnings
from typing import Any

import pytest

from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.after import design_sets
from coursekit.games.knitwit.after.evidence import AGAIN, EVIDENCE, evidence
from coursekit.games.knitwit.after.history import CLASHED, read_rounds
from coursekit.games.knitwit.rules.state import NOBODY
from coursekit.kit.debrief_moment import Grid
from coursekit.reflect import questions
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES, load_texts, text


def played(players: int = 4, seed: str = "3", **options: Any) -> Match:
    return play_out(KnitWit(players, Options(**options)), [AtRandom] * players, seed)


def words(shown: list[Any]) -> list[str]:
    return [part for part in shown if isinstance(part, str)]


def grids(shown: list[Any]) -> list[Grid]:
    return [part for part in shown if isinstance(part, Grid)]


def numbers(sentence: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", sentence)]


def test_all_questions_are_our_own_and_the_evidence_belongs_to_some_of_them() -> None:
    asked = questions("knitwit")
    assert len(asked) >= 6
    assert {each.source for each in asked} == {"own"}
    assert {*AGAIN} <= {*EVIDENCE} <= {each.name for each in asked}
    assert evidence("everyday", played(), [0], "en") == []


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("players", [2, 4])
def test_hard_names_every_spool_and_adds_up_to_the_score_without_buttons(
    players: int, seed: str
) -> None:
    match = played(players, seed)
    obs, tags = match.game.observe(match.state, None), match.game.pack.tags
    grid, chart, _ = evidence("hard", match, [1], "en")
    assert "you" in grid.caption
    assert "all players" in chart
    told = {int(row[0]): row[1:] for row in grid.rows}
    assert sorted(told) == sorted(match.game.numbers(match.state))
    for number, (around, loops, answers, _) in told.items():
        of = obs.words(number)
        assert (around, loops) == (" ∩ ".join(tags[tag].en for tag in of), str(len(of)))
        wrote = [each.text for each in read_rounds(match)[0].pad(1) if each.number == number]
        assert answers.startswith(f"“{wrote[0]}”") if wrote else answers == ""
    points = [int(row[-1]) for row in grid.rows if row[-1]]
    assert sum(points) == match.state.points[1] - match.state.taken[1]
    assert [len(obs.words(number)) for number in told] == sorted(
        len(obs.words(number)) for number in told
    )


def test_hard_names_the_spools_of_an_earlier_round_by_its_own_tags() -> None:
    match = played(2, "2", rounds=2, loops=5)
    end = (
        next(n for n, (_, action) in enumerate(match.log) if match.events[n][-1].text == "total")
        + 1
    )
    first = replay(match.record(), upto=end, game=match.game)
    (before,) = grids(evidence("hard", first, [0], "en"))
    assert grids(evidence("hard", match, [0], "en"))[0] == before
    assert len(grids(evidence("hard", match, [0], "en"))) == 2


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_pair_of_spools_shares_what_is_said_and_differs_in_the_rest(seed: str) -> None:
    match = played(seed=seed)
    obs, tags = match.game.observe(match.state, None), match.game.pack.tags
    for draw in range(4):
        both, *rest = words(evidence("pair", match, [0], "en", draw))
        first, second = numbers(both.split(" both ")[0])
        one, other = (set(obs.words(number)) for number in (first, second))
        assert both.endswith(
            f"{' ∩ '.join(tags[tag].en for tag in obs.words(first) if tag in other)}."
        )
        told = {numbers(line)[0]: line for line in rest if line.startswith("Only")}
        assert set(told) == {
            number for number, only in ((first, one - other), (second, other - one)) if only
        }
        for number, only in ((first, one - other), (second, other - one)):
            assert all(tags[tag].en in told[number] for tag in only)


def test_every_pair_is_drawn_before_one_comes_again() -> None:
    match = played()
    around = [frozenset(loops) for loops in match.game.observe(match.state, None).around]
    pairs = sum(
        one & other != frozenset() and one != other
        for n, one in enumerate(around)
        for other in around[:n]
    )
    drawn = [words(evidence("pair", match, [0], "en", draw))[0] for draw in range(2 * pairs)]
    assert pairs > 3
    assert len(set(drawn[:pairs])) == len(set(drawn[pairs:])) == pairs


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_same_names_every_clash_of_the_reader_and_who_else_had_it(seed: str) -> None:
    match = played(6, seed)
    for seat in match.game.seats:
        told = words(evidence("same", match, [seat], "en"))
        clashes = [number for number, seats in read_rounds(match)[0].clashes if seat in seats]
        assert [numbers(line)[0] for line in told if "the same answer from" in line] == clashes
        struck = sum(each.fate == CLASHED for each in read_rounds(match)[0].pad(seat))
        rest = len(read_rounds(match)[0].pad(seat)) - struck
        assert [numbers(line) for line in told if "Other answers" in line] == (
            [[rest]] if struck and rest else []
        )
        assert [numbers(line) for line in told if line.startswith("Answers by")] == (
            [] if struck else [[rest]]
        )


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_judge_tells_every_challenge_and_counts_the_readers_own(seed: str) -> None:
    match = played(4, seed)
    cases = [case for case in read_rounds(match)[0].cases if case.challenger != NOBODY]
    *told, count = words(evidence("judge", match, [2], "en"))
    assert len(told) == len(cases) > 0
    assert numbers(count) == [
        sum(case.challenger == 2 for case in cases),
        sum(case.seats == [2] for case in cases),
    ]


def test_stop_tells_the_order_and_the_blank_lines() -> None:
    match = played(4, "2")
    order = [seat for seat, action in match.log if action == "stop"]
    for seat in match.game.seats:
        told = words(evidence("stop", match, [seat], "en"))
        if seat in order:
            assert numbers(told[0]) == [1, order.index(seat) + 1, match.state.taken[seat]]
        else:
            assert "still writing" in told[0]
        blank = 8 - len(read_rounds(match)[0].pad(seat))
        assert [numbers(line)[0] for line in told if "left blank" in line] == (
            [blank] if blank else []
        )


def test_rare_counts_what_nobody_else_wrote_and_names_what_no_lexicon_knows() -> None:
    match = played(4, "2")
    counted = [each for each in read_rounds(match)[0].answers if each.points]
    known = {
        normalise(word)
        for language in ("zh-Hant", "en")
        for word in design_sets.lexicon_words(match.game.pack, language)
    }
    assert any(each.form in known for each in counted)
    assert any(each.form not in known for each in counted)
    for seat in match.game.seats:
        mine = [each for each in counted if each.seat == seat]
        others = {each.form for each in read_rounds(match)[0].answers if each.seat != seat}
        told = words(evidence("rare", match, [seat], "en"))
        if mine:
            alone = [len(mine), sum(each.form not in others for each in mine)]
            assert numbers(told[0]) == alone
            together = words(evidence("rare", match, match.game.seats, "en"))
            assert any(
                f"Player {seat + 1} " in line and numbers(line)[1:] == alone for line in together
            )
        for each in mine:
            assert (f"“{each.text}”" in told[1]) == (each.form not in known)


def test_a_match_that_has_just_begun_or_is_half_over_has_evidence_too() -> None:
    match = played()
    for upto in range(0, len(match.log), 7):
        early = replay(match.record(), upto=upto, game=match.game)
        for name in EVIDENCE:
            shown = evidence(name, early, [0], "en")
            assert shown
            assert all(part.svg for part in shown if isinstance(part, Picture))


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_have_words_and_every_letter_can_be_drawn(language: str) -> None:
    match = played(8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in EVIDENCE:
            for part in evidence(name, match, match.game.seats, language, 2):
                if isinstance(part, Picture):
                    assert len(part.alt) > 40
                    assert part.svg
                    assert "{" not in part.alt + part.caption


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_reader_is_spoken_to_and_several_are_named(language: str) -> None:
    match, you = played(), load_texts("knitwit")["evidence.you"][language]
    name = text("seat.number", language, number=1)
    for about in ("stop", "judge"):
        alone = words(evidence(about, match, [0], language))
        assert any(you in line for line in alone)
        assert not any(name in line for line in alone)
        together = words(evidence(about, match, [0, 1], language))
        assert any(name in line for line in together)
        assert not any(you in line for line in together)


@pytest.mark.parametrize("name", EVIDENCE)
def test_nothing_is_told_that_the_reader_may_not_know(name: str) -> None:
    """Of the events only those that seat 0 may read are used, and of the sheets only what was
    turned up.
    """
    match = played()
    start = next(
        n
        for n, events in enumerate(match.events)
        if any(event.text == "reveal" for event in events)
    )
    for upto in (start - 3, start + 1, start + 5):
        now = replay(match.record(), upto=upto, game=match.game)
        before = [str(part) for part in evidence(name, now, [0], "en", 3)]
        now.events = [[event for event in events if event.is_for(0)] for events in now.events]
        hidden = now.game.observe(now.state, None).numbers[now.state.shown :]
        for seat in now.game.seats:
            for number in hidden:
                now.state.sheets[seat][number - 1] = "hidden"
        assert [str(part) for part in evidence(name, now, [0], "en", 3)] == before
