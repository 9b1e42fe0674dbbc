"""What is told of Knit Wit under changed options, and under a rule of one's own, is what then
holds.
"""

import re
from typing import Any

import pytest
from told import evidence, links, moments, notes, played, rules

from coursekit.core.chance import stream
from coursekit.core.game import TABLE, pick_action
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.after import figures
from coursekit.games.knitwit.after.history import read_levels, read_rounds
from coursekit.games.knitwit.rules.state import loops_around
from coursekit.games.knitwit.strategies import Bluffer, FirstThought, Original
from coursekit.kit import GAMES
from coursekit.kit.scene import Look, zones_of
from coursekit.words.texts import LANGUAGES, load_texts

QUESTIONS = ("pair", "hard", "same", "rare", "judge", "stop")
players_too = pytest.mark.parametrize("players", [2, 4])
BUTTONS = [(1,), (3,), (3, 2), (3, 3), (2, 2, 1), (4, 3, 2, 1), (1, 1, 1, 1)]


class Squares(KnitWit):
    """An answer brings the square of the loops around its spool."""

    def worth(self, loops: int) -> int:
        return loops * loops


class Alike(KnitWit):
    """All answers bring two points."""

    def worth(self, loops: int) -> int:
        return 2


def match_of(
    seed: str = "1", players: int = 3, kind: type[KnitWit] = KnitWit, **options: Any
) -> Match:
    return play_out(kind(players, Options(**{"loops": 4} | options)), [AtRandom] * players, seed)


def writing(players: int, **options: Any) -> Match:
    """Return a match in which the writing has just begun."""
    match, rng = (
        Match(KnitWit(players, Options(**{"loops": 4} | options)), "1"),
        stream("1", "writing"),
    )
    while match.state.phase != "write":
        seat = match.game.to_act(match.state)[0]
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    return match


# Stopping


@players_too
@pytest.mark.parametrize("buttons", BUTTONS)
@pytest.mark.parametrize("extra", [0, 2])
def test_the_rules_about_buttons_tell_what_happens_when_they_are_taken(
    players: int, buttons: tuple[int, ...], extra: int
) -> None:
    match = writing(players, buttons=buttons, two_player_extra=extra)
    told, taken = " ".join(rules(match.game)), []
    for seat in match.game.seats:
        if match.state.phase == "write" and match.state.buttons:
            still = [
                each for each in match.game.seats if not match.state.locked[each] and each != seat
            ]
            match.play(seat, "stop")
            taken.append(match.state.taken[seat])
    more = match.state.phase == "write" and match.state.extra > 0
    stopped = match.state.phase != "write" and bool(still)
    assert ("may still write 2 answers" in told) is more
    assert ("everybody else has to stop" in told) is stopped
    assert ("when all have stopped" in told) is not (more or stopped)
    assert ("The earlier, the more holes" in told) is (
        len(taken) > 1 and taken == sorted({*taken}, reverse=True)
    )
    if "The earlier" not in told:
        assert f"from the top: {', '.join(map(str, sorted(buttons, reverse=True)))}." in told
    mapped = links(match.game)
    assert any(words.startswith("last button leaves 2 more") for words in mapped) is more
    assert any(words.startswith("last button stops") for words in mapped) is stopped


@players_too
def test_only_those_whom_the_last_button_stopped_are_said_to_have_been_stopped_by_it(
    players: int,
) -> None:
    match = writing(players, answer_time_limit=60)
    if players > 2:
        match.play(0, "stop")
    match.play(TABLE, "time")
    rng = stream("1", "scoring")
    while deciding := match.game.to_act(match.state):
        match.play(
            deciding[0], pick_action(match.game.legal_actions(match.state, deciding[0]), rng)
        )
    late = [words for words in evidence(match, ["stop"]) if "still writing" in words]
    assert len(late) == players - (players > 2)
    assert all("when time was up" in words for words in late)
    stopped = match_of(players=4)
    late = [words for words in evidence(stopped, ["stop"]) if "still writing" in words]
    assert late
    assert all("when the last button went" in words for words in late)


# Challenges


@players_too
@pytest.mark.parametrize("seconds", [0, 1, 25])
@pytest.mark.parametrize("all_vote", [True, False])
@pytest.mark.parametrize("of", ["players", "votes"])
@pytest.mark.parametrize("by", ["self_judge", "vote", "off"])
def test_the_rule_about_challenges_tells_who_votes_and_how_long_one_may_explain(
    players: int, seconds: int, all_vote: bool, of: Any, by: Any
) -> None:
    options = {
        "explain_seconds": seconds,
        "challenged_votes": all_vote,
        "vote_of": of,
        "two_player_challenge": by,
    }
    match = writing(players, vote_threshold=63, fuzzy_dup="off", **options)
    match.play(1, ("write", match.game.numbers(match.state)[0], "zyzzyva"))
    while match.state.phase == "write":
        match.play(next(seat for seat in match.game.seats if not match.state.locked[seat]), "stop")
    match.play(TABLE, "next")
    rule = notes(match.game)["challenge"]
    assert rule in rules(match.game)
    if ("challenge", 1) not in match.game.legal_actions(match.state, 0):
        assert "do not challenge" in rule
        return
    match.play(0, ("challenge", 1))
    log = [line for line in GAMES["knitwit"].log(match.story(None), Look(match.game, "en")) if line]
    assert not any(re.search(r"\b0 second", words) for words in [*log, rule])
    if match.state.phase == "judge":
        assert "then keeps or withdraws it" in rule
        return
    assert (f"{seconds} second" in rule) is (f"{seconds} second" in log[-1]) is (seconds > 0)
    match.play(TABLE, "vote")
    assert ("all others vote" in rule) is (1 not in match.game.to_act(match.state))
    assert "63%" in rule
    assert ("of the votes cast" in rule) is (of == "votes")


def test_after_a_match_without_votes_nobody_is_asked_about_those_who_voted() -> None:
    for by in ("self_judge", "vote"):
        matches = [match_of(seed, 2, two_player_challenge=by, fuzzy_dup="off") for seed in "1234"]
        asked = [
            words
            for match in matches
            for words in moments(match)
            if "the dictionary that says" in words
        ]
        assert asked
        assert any("voted against" in words for words in asked) is (by == "vote")


# Words and places


@pytest.mark.parametrize("scope", ["all", "spool"])
@pytest.mark.parametrize("match_by", ["word", "char"])
def test_the_rule_about_words_names_the_tags_whose_words_are_refused(
    scope: Any, match_by: Any
) -> None:
    match = writing(3, ban_scope=scope, ban_match=match_by)
    game, state = match.game, match.state
    (rule,) = [words for words in rules(game) if "no answer twice" in words]
    tags = game.pack.tags
    elsewhere, shares = set(), set()
    for number in game.numbers(state):
        around = loops_around(state, number)
        for loop, tag in enumerate(state.tags):
            refused = game.refusal(state, 0, ("write", number, tags[tag].zh.removesuffix("的")))
            if loop not in around:
                elsewhere.add(refused is not None)
            elif len(tags[tag].zh.removesuffix("的")) > 1:
                shared = game.refusal(state, 0, ("write", number, tags[tag].zh[0] + "ㄅㄆㄇ"))
                shares.add(shared is not None)
                if shared is not None:
                    assert "shares a character" in load_texts("knitwit")[shared.text]["en"]
    assert ("around its spool" in rule) is (elsewhere == {False})
    assert ("character" in rule) is (shares == {True})


@pytest.mark.parametrize("rule", ["face", "loops"])
def test_where_a_spool_may_lie_is_told_as_it_is_refused(rule: Any) -> None:
    match, said = played(KnitWit(3, Options(region_rule=rule)), [Bluffer], "2")
    told = [
        words
        for words in [*said, *rules(match.game)]
        if re.match("Put (a spool|one of your spools)", words)
    ]
    assert len(told) == 2
    assert all(("the same loops" in words) is (rule == "loops") for words in told)


# Points


@pytest.mark.parametrize("kind", [KnitWit, Squares, Alike])
@pytest.mark.parametrize("options", [{}, {"rounds": 2}, {"buttons": (4, 4, 1)}], ids=str)
def test_points_that_are_told_are_those_of_the_score(
    kind: type[KnitWit], options: dict[str, Any]
) -> None:
    for seed in "123":
        match = match_of(seed, 3, kind, **options)
        game, state, told = match.game, match.state, moments(match)
        done = read_rounds(match)
        for seat in game.seats:
            mine = [each.points for now in done for each in now.pad(seat)] + [
                now.button_points(seat) for now in done
            ]
            assert sum(mine) == state.points[seat]
        last = {number: len(loops) for (number, _, _), loops in zip(state.spools, state.around)}
        assert done[-1].loops == last
        assert done[-1].worth == {number: game.worth(loops) for number, loops in last.items()}
        scored = sum(each.points * each.lines for each in read_levels([match]))
        assert scored == pytest.approx(
            sum(state.points) - sum(now.button_points(seat) for now in done for seat in game.seats)
        )
        lost = sum(each.worth for now in done for each in now.answers if each.fate == "clashed")
        for words in told:
            if found := re.search(
                r"clashed with somebody else's; together that cost (\d+) point", words
            ):
                assert int(found[1]) == lost
            if found := re.search(
                r"That made (\d+) points? in the round, when the most was (\d+)", words
            ):
                assert int(found[1]) < int(found[2]) <= max(state.points)


@pytest.mark.parametrize("kind", [KnitWit, Squares, Alike])
def test_the_table_shows_the_points_that_the_score_gives(kind: type[KnitWit]) -> None:
    match, rng, shown = Match(kind(3, Options(loops=4, rounds=2)), "7"), stream("7", "table"), set()
    look = Look(match.game, "en")
    draw = GAMES["knitwit"].scene
    assert draw is not None
    while deciding := match.game.to_act(match.state):
        before, seat = match.game.scores(match.state), deciding[0]
        scene: Any = draw(
            match.game.observe(match.state, None if seat == TABLE else seat),
            match.story(None),
            look,
        )
        for zone in zones_of(scene["zones"]):
            for spool in zone.get("spools", []):
                assert spool["points"] == match.game.worth(len(spool["loops"]))
                assert re.search(rf"\b{spool['points']} points?", spool["label"])
            for line in zone.get("lines", []):
                assert line["points"] == match.game.worth(len(line["loops"]))
        promised = re.search(r", (\d+) points? an answer", str(scene))
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
        gained = [now - then for now, then in zip(match.game.scores(match.state), before)]
        if promised and any(gained) and match.state.phase == "reveal":
            assert {*gained} <= {0, int(promised[1])}
            shown.add(max(gained))
    assert shown


def test_a_score_of_ones_own_is_not_told_as_a_point_for_each_loop() -> None:
    for kind in (KnitWit, Squares, Alike):
        game = kind(3)
        assert any("a point for each loop" in words for words in rules(game)) is (kind is KnitWit)
        assert any("adds 1 to the points" in words for words in links(game)) is (kind is KnitWit)
    asked = [
        words
        for kind in (KnitWit, Squares, Alike)
        for seed in "123"
        for words in moments(match_of(seed, 4, kind))
        if "With one minute left" in words
    ]
    assert {"each is worth more" in words for words in asked} == {True, False}
    assert all(
        ("each is worth more" in words) is not ("no more points" in words) for words in asked
    )


def test_a_player_of_code_goes_by_the_points_of_the_match() -> None:
    match = writing(3)
    seen = match.game.observe(match.state, 0)
    for kind in (KnitWit, Squares, Alike):
        game = kind(3, Options(loops=4))
        for number in seen.numbers:
            points = FirstThought(stream("1", "points"), game).points(seen, number)
            assert points == game.worth(len(seen.words(number)))


def test_a_picture_of_two_rules_tells_how_many_spools_lay_under_each() -> None:
    assert "5 spools on the table" in figures.house_rule(1, buttons=(1,), language="en").caption
    assert (
        "5 spools on the table under the standard rules, 3"
        in figures.house_rule(1, loops=3, language="en").caption
    )


# Sentences that hold a number of the rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_of_the_rules_is_written_into_a_sentence(language: str) -> None:
    """Numbers that options can change are values; points of an answer that brings none are 0."""
    elsewhere = (
        "option.",
        "preset.",
        "field.",
        "data.",
        "wordfiles.",
        "print.",
        "control.",
        "refusal.no_",
        "refusal.points_many",
        "pictures.",  # a question before the deal, about a spool that it describes
    )
    for id, words in load_texts("knitwit").items():
        if not id.startswith(elsewhere):
            plain = re.sub(r"\{[^}]*\}", "", words[language])
            assert {*re.findall(r"\d+", plain)} <= {"0"}, id


def test_nothing_is_said_of_challenges_where_there_are_none() -> None:
    match, said = played(
        KnitWit(2, Options(two_player_challenge="off", loops=3)), [Original, Bluffer], "3"
    )
    assert not [words for words in said if "any more" in words or "call Knit Wit" in words]
    assert "Nobody has challenged in this match so far." in evidence(match, ["judge"])
