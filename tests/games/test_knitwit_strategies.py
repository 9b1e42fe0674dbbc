"""Each strategy of Knit Wit shows its idea in a position set up by hand, and plays under every
option.
"""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coursekit.arena import duplicate
from coursekit.core.chance import stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out, step_any
from coursekit.core.strategy import AtRandom, Strategy, make_players
from coursekit.games.knitwit import KnitWit, Options, own_words
from coursekit.games.knitwit.rules.free_input import laid_loop
from coursekit.games.knitwit.rules.game import State
from coursekit.games.knitwit.rules.lexicon import Pack, standard_pack
from coursekit.games.knitwit.rules.loop_design import free_cells, loops_at
from coursekit.games.knitwit.strategies import (
    STRATEGIES,
    Bluffer,
    FirstThought,
    Original,
    Sprinter,
    Stickler,
    Wordsmith,
    are_one_thing,
    count_overlap,
    find_tags,
    speak,
)
from coursekit.testing import games, seeds
from coursekit.words.language import current_language, use_language

KINDS = STRATEGIES
GIVEN = {
    "pace": 0.5,
    "courage": 1,
    "choice": 3,
    "originality": -2,
    "richness": -1,
    "trust": 0.0,
    "tongue": "en",
}
TAGS = {tag.en: number for number, tag in enumerate(standard_pack().tags)}
FITS = {entry.zh: entry.tags for entry in standard_pack().lexicon}
FEW = settings(
    max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


class Table:
    """A position after the knitting: *spools* are the tags in words around each, from number 1 on."""

    def __init__(
        self, *spools: str, players: int = 3, phase: str = "write", **options: Any
    ) -> None:
        names = list(dict.fromkeys(" ".join(spools).split()))
        self.game = KnitWit(players, Options(loops=max(len(spools), 1), **options))
        state: State = self.game.initial_state(Random(0))
        state.phase, state.hands = phase, [[] for _ in self.game.seats]
        state.loops, state.pins = (((0, 0),) * 3,) * len(names), ((0, 0),) * len(names)
        state.tags, state.owners = tuple(TAGS[name] for name in names), (0,) * len(names)
        state.spools = tuple((number, number, number) for number in range(1, len(spools) + 1))
        state.around = tuple(tuple(names.index(name) for name in spool.split()) for spool in spools)
        self.state = state

    def wrote(self, *answers: str, seat: int = 0, line: int = 1) -> "Table":
        """Let *seat* have written *answers*, from *line* on."""
        for number, text in enumerate(answers, line):
            self.state.sheets[seat][number - 1] = text
        return self

    def with_(self, **known: Any) -> "Table":
        for name, value in known.items():
            setattr(self.state, name, value)
        return self

    def decides(
        self, kind: type[Strategy], seat: int = 0, chance: str = "1", **numbers: Any
    ) -> Any:
        """Return what a *kind* of strategy does, some of its *numbers* changed."""
        changed = type(kind.__name__, (kind,), numbers)
        obs = self.game.observe(self.state, seat)
        action = changed(stream(chance, "seat"), self.game).decide(obs)
        assert action is None or action in obs.legal
        return action

    def writes(
        self, kind: type[Strategy], seat: int = 0, times: int = 60, **numbers: Any
    ) -> Counter[Any]:
        """Return what a *kind* of strategy writes in so many tries, one that never waits."""
        return Counter(
            self.decides(kind, seat, str(n), **{"pace": 0, **numbers}) for n in range(times)
        )


def words(found: Counter[Any]) -> set[str]:
    return {action[2] for action in found if action != "stop"}


def tags(*names: str) -> set[int]:
    return {TAGS[name] for name in names}


# What it writes


def test_a_player_who_is_told_no_language_writes_the_one_of_now() -> None:
    before = current_language()
    tongues = []
    for language in ("en", "zh-Hant", "en"):
        use_language(language)
        tongues.append(speak(FirstThought).tongue)
    use_language(before)
    assert tongues == ["en", "zh", "en"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_fits_all_tags_where_enough_words_do(kind: type[Strategy]) -> None:
    found = words(Table("round edible").writes(kind))
    assert len(found) > 1
    assert all(tags("round", "edible") <= FITS[word] for word in found)


def test_where_no_word_fits_all_tags_only_the_brave_write() -> None:
    """Nothing in the lexicon is both of glass and of stone, and no phrase is."""
    table = Table("glass stone")
    for kind in (FirstThought, Sprinter, Stickler):
        assert set(table.writes(kind)) == {"stop"}
    for kind in (Bluffer, Original):
        assert all(
            len(FITS[word] & tags("glass", "stone")) == 1 for word in words(table.writes(kind))
        )
        assert "stop" not in table.writes(kind)


def test_courage_is_the_part_of_the_tags_that_a_word_may_miss() -> None:
    table = Table("glass stone square")  # at best two of three
    for courage, writes in ((0, False), (0.3, False), (0.34, True), (0.9, True)):
        assert ("stop" not in table.writes(Wordsmith, times=5, courage=courage)) == writes
    assert "stop" in Table("glass stone").writes(Wordsmith, times=5, courage=0.34)


def test_first_thoughts_are_popular_words_and_originals_are_not() -> None:
    table = Table("edible")
    known = [len(fits) for fits in FITS.values() if TAGS["edible"] in fits]
    usual = sum(known) / len(known)

    def mean(kind: type[Strategy]) -> float:
        found = table.writes(kind, times=200)
        return sum(len(FITS[word]) * times for (_, _, word), times in found.items()) / found.total()

    assert mean(Original) < usual - 0.5 < usual + 0.5 < mean(FirstThought)


def test_an_original_seldom_writes_the_same_as_others() -> None:
    """The chance that two write the same, from how often each word is written."""
    first, original = (
        Table("edible sweet").writes(kind, times=400) for kind in (FirstThought, Original)
    )

    def clash(one: Counter[Any], other: Counter[Any]) -> float:
        return sum(one[word] * other[word] for word in one) / 400**2

    assert clash(original, first) < clash(original, original) < clash(first, first) / 2


def test_where_few_words_fit_an_original_makes_a_phrase_that_others_will_not() -> None:
    table = Table("wheeled illegal")
    fitting = {word for word, fits in FITS.items() if tags("wheeled", "illegal") <= fits}
    assert 0 < len(fitting) < Original.choice
    assert words(table.writes(FirstThought)) <= fitting
    assert words(table.writes(Original, choice=1)) == fitting
    others = words(table.writes(Original)) - fitting
    assert others
    assert all(
        tags("wheeled", "illegal") <= (find_tags(table.game.pack, word) or set()) for word in others
    )


def test_where_no_word_fits_everybody_makes_a_phrase_that_does() -> None:
    """No word is both a glass and an evil one, but cursed glasses are."""
    table = Table("evil in-pairs glass")
    fitting = tags("evil", "in-pairs", "glass")
    assert not any(fitting <= fits for fits in FITS.values())
    for kind in KINDS:
        found = words(table.writes(kind, times=10))
        assert found
        assert all(fitting <= (find_tags(table.game.pack, word) or set()) for word in found)
        assert words(table.writes(kind, times=3, tongue="zh-Hans")).isdisjoint(FITS)


@pytest.mark.parametrize(
    ("text", "fits", "misses"),
    [
        ("偷來的腳踏車", ("illegal", "wheeled"), ("free",)),
        ("偷来的脚踏车", ("illegal", "wheeled"), ("free",)),
        ("A stolen bicycle", ("illegal", "wheeled"), ("free",)),
        ("Valentine's Day cake", ("romantic", "sweet"), ("daily",)),
        ("迷你偷來的腳踏車", ("illegal", "tiny"), ("huge",)),
    ],
)
def test_a_phrase_is_understood_from_its_parts(
    text: str, fits: tuple[str, ...], misses: tuple[str, ...]
) -> None:
    known = find_tags(standard_pack(), text)
    assert known is not None
    assert tags(*fits) <= known
    assert known.isdisjoint(tags(*misses))
    assert find_tags(standard_pack(), "偷來的天空") is None  # nobody steals the sky


def test_a_line_that_brings_more_is_written_first() -> None:
    found = Table("edible", "edible sweet", "round").writes(Original)
    assert {number for _, number, _ in found} == {2}


def test_what_is_forbidden_is_not_written() -> None:
    """Neither words of tags on the table, nor what stands on another line."""
    table = Table("edible", "in-pairs")
    all_but_one = [word for word in FITS if TAGS["in-pairs"] in FITS[word]][1:]
    one = next(word for word in FITS if TAGS["in-pairs"] in FITS[word])
    own = Pack(
        standard_pack().tags,
        [each for each in standard_pack().lexicon if each.zh in (one, *all_but_one[:1])],
    )
    table.game.pack = own
    table.wrote(one)
    assert words(table.writes(Wordsmith)) == set(all_but_one[:1])
    table.wrote(all_but_one[0])
    table.game.pack = replace_lexicon(own, one)
    assert words(table.writes(Wordsmith)) == {one}
    table.wrote(one)
    assert set(table.writes(Wordsmith)) == {"stop"}
    ban = Table("white", "mechanical")  # 機器人 is free, but 機械 is not
    assert all("機械" not in word for word in words(ban.writes(Bluffer, times=200)))


def replace_lexicon(pack: Pack, *kept: str) -> Pack:
    return Pack(pack.tags, [each for each in pack.lexicon if each.zh in kept])


def test_it_writes_in_the_language_it_is_told() -> None:
    english = {entry.en for entry in standard_pack().lexicon}
    assert words(Table("edible").writes(Original, tongue="en")) <= english
    simplified = words(Table("edible").writes(Original, tongue="zh-Hans", times=20))
    assert simplified <= {entry.word("zh-Hans") for entry in standard_pack().lexicon}
    assert not simplified <= {entry.zh for entry in standard_pack().lexicon}


# How fast


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spool", ["edible", "edible sweet", "edible sweet round"])
def test_a_line_takes_pace_asks_on_average_for_each_loop(kind: type[Wordsmith], spool: str) -> None:
    """A line is written when a draw is below 1 in (pace times loops): so many asks on average."""
    table, loops = Table(spool), len(spool.split())
    obs, chance = table.game.observe(table.state, 0), 1 / (kind.pace * loops)

    class Drawn(Random):
        """Says *first*, and then anything."""

        first = 0.0

        def random(self) -> float:
            given, self.first = self.first, 0.5
            return given

    for first, writes in ((chance * 0.999, True), (chance * 1.001, False)):
        drawn = Drawn()
        drawn.first = first
        assert (kind(drawn, table.game).decide(obs) is not None) == writes
    seconds = Fraction(kind.pace) * loops
    assert 5 <= seconds <= 30


def test_a_smaller_pace_is_quicker() -> None:
    table = Table("edible sweet")
    waits = [table.writes(Original, times=400, pace=pace)[None] for pace in (0, 0.5, 1, 10, 40)]
    assert waits[:2] == [0, 0]
    assert 130 < waits[2] < 270 < waits[3] < waits[4]


def test_when_nobody_else_writes_it_does_not_wait() -> None:
    for waiting, waits in (([0, 0, 1], True), ([0, 1, 1], False)):
        table = Table("edible").with_(locked=waiting)
        assert (table.writes(Original, pace=1000)[None] > 0) == waits


def test_when_it_is_done_it_stops_at_once() -> None:
    table = Table("edible", "round").wrote("蘋果", "月亮")
    assert set(table.writes(Original, pace=1000)) == {"stop"}


def test_before_it_gives_up_it_thinks_as_long_as_all_blank_lines_would_take() -> None:
    table = Table("glass stone", "glass stone").wrote("蘋果", line=2)
    for pace, stops in ((0, 200), (0.5, 200), (1, 100), (2, 50)):
        assert abs(table.writes(FirstThought, times=200, pace=pace)["stop"] - stops) <= 25 * (
            stops < 200
        )


def test_a_stickler_without_ideas_takes_a_button_at_once_but_not_before_a_line_it_could_fill() -> (
    None
):
    table = Table("glass stone", "edible", "round").with_(buttons=[1, 2, 3]).wrote("蘋果", line=2)
    assert "stop" not in table.writes(Stickler)
    assert set(table.wrote("月亮", line=3).writes(Stickler, pace=1000)) == {"stop"}


def test_a_sprinter_takes_the_button_rather_than_fill_the_last_lines() -> None:
    table = Table("edible", "round", "sweet", "soft").wrote("蘋果", "月亮")  # two points are left
    for top, stops in ((1, False), (2, True), (3, True)):
        table.with_(buttons=[1, top] if top > 1 else [1])
        assert (set(table.writes(Sprinter)) == {"stop"}) == stops
        assert "stop" not in table.writes(Original)


def test_a_sprinter_does_not_stop_before_it_has_begun() -> None:
    table = Table("edible").with_(buttons=[1, 2, 3])
    assert "stop" not in table.writes(Sprinter)


def test_of_two_players_the_second_writes_one_more_answer_at_once() -> None:
    table = Table("edible", "edible sweet", "round", players=2).wrote("月亮", line=3)
    table.with_(locked=[0, 1], buttons=[], taken=[0, 2], extra=1)
    found = table.writes(Original, pace=1000)
    assert {number for _, number, _ in found} == {2}
    nothing = Table("glass stone", players=2).with_(
        locked=[0, 1], buttons=[], taken=[0, 2], extra=1
    )
    assert set(nothing.writes(Stickler, pace=1000)) == {"stop"}


# Knitting


def knitted(kind: type[Strategy], seed: str) -> Match:
    match = Match(KnitWit(2), seed)
    players = make_players(match.game, [kind] * 2, seed)
    while match.state.phase in ("loop", "spool"):
        step_any(match, match.game.to_act(match.state), players, stream(seed, "order"))
    return match


def test_a_rich_knitter_makes_more_loops_around_a_spool_than_a_poor_one() -> None:
    def loops(kind: type[Strategy]) -> float:
        return (
            sum(len(around) for seed in "abcd" for around in knitted(kind, seed).state.around) / 24
        )

    assert loops(Sprinter) < loops(Original) < loops(Bluffer)


def test_spools_go_where_most_or_fewest_loops_are() -> None:
    game = KnitWit(2)
    match = knitted(AtRandom, "spools")
    state = match.game.initial_state(Random(1))
    state.loops, state.pins, state.spools = (
        match.state.loops[:-1],
        match.state.pins[:-1],
        match.state.spools[:-2],
    )
    state.tags, state.phase, state.hands = (
        match.state.tags[:-1],
        "spool",
        [[match.state.spools[-1][0]], []],
    )
    state.around, state.owners, state.turn = match.state.around[:-2], match.state.owners[:-1], 0
    obs = game.observe(state, 0)
    design = game.design(state)
    sizes = [len(each) for each in free_cells(design)]
    for kind, most in ((Bluffer, max(sizes)), (Sprinter, min(sizes))):
        action = kind(stream("1", "seat"), game).decide(obs)
        assert action in obs.legal
        assert len(loops_at(design, action[2:])) == most


def test_loops_overlap_most_or_least() -> None:
    match = knitted(AtRandom, "loops")
    game, state = match.game, match.state
    state.loops, state.pins, state.tags, state.owners = (
        some[:3] for some in (state.loops, state.pins, state.tags, state.owners)
    )
    state.spools = state.spools[:3]
    state.around = tuple(tuple(loop for loop in each if loop < 3) for each in state.around[:3])
    state.phase, state.turn, state.hands = "loop", 0, [[6], [7, 8]]
    obs = game.observe(state, 0)
    design = game.design(state)

    def mean(kind: type[Strategy]) -> float:
        found = [kind(stream(str(n), "seat"), game).decide(obs) for n in range(12)]
        assert all(action in obs.legal and laid_loop(design, action) for action in found)
        return sum(count_overlap(design, action) for action in found) / 12

    assert mean(Sprinter) < mean(Original) < mean(Bluffer)


# Scoring


def revealed(
    *spools: str, challenger: int = -1, case: list[int] | None = None, **known: Any
) -> Table:
    phase = known.pop("phase", "reveal")
    table = Table(*spools, phase=phase, **known)
    return table.with_(
        shown=1, compared=1, locked=[1] * table.game.players, challenger=challenger, case=case or []
    )


@pytest.mark.parametrize(
    ("answer", "challengers"),
    [
        ("西瓜", set()),  # round, sweet and edible
        ("月亮", set(KINDS)),  # round only
        (
            next(
                word
                for word, fits in FITS.items()
                if len(fits & tags("round", "sweet", "edible")) == 2
            ),
            {Stickler},
        ),
        ("手槍", set()),  # not in the lexicon
        ("槍", set(KINDS)),  # neither round nor sweet nor edible
        ("gun", set(KINDS)),
        ("a Gun!", set(KINDS)),
        ("", set()),
    ],
)
def test_only_what_is_known_not_to_fit_is_challenged(
    answer: str, challengers: set[type[Strategy]]
) -> None:
    table = revealed("round sweet edible").wrote("蛋糕").wrote(answer, seat=1)
    for kind in KINDS:
        expected = ("challenge", 1) if kind in challengers else None
        assert table.decides(kind) == expected


def test_a_word_that_is_called_otherwise_elsewhere_is_known() -> None:
    table = (
        revealed("edible").wrote("蛋糕").wrote("出租車", seat=1).wrote("土豆", seat=2)
    )  # a taxi, a potato
    assert table.decides(Original) == ("challenge", 1)


@pytest.mark.parametrize(
    ("answer", "vote"), [("西瓜", "yes"), ("月亮", "no"), ("槍", "no"), ("白開水", "no")]
)
@pytest.mark.parametrize("kind", KINDS)
def test_votes_follow_the_tags_that_a_word_fits(
    kind: type[Strategy], answer: str, vote: str
) -> None:
    table = revealed("round sweet edible", phase="vote", challenger=2, case=[1]).wrote(
        answer, seat=1
    )
    assert {table.decides(kind, chance=str(n)) for n in range(10)} == {vote}


@pytest.mark.parametrize("answer", ["香蕉", "banana", "超大香蕉"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_word_may_fit_is_accepted_of_others_and_not_written(
    kind: type[Strategy], answer: str
) -> None:
    """Bananas are green now and then: nobody challenges that, all vote for it, and none thinks of
    it.
    """
    game = KnitWit(3)
    banana = replace_lexicon(game.pack, "香蕉").lexicon[0]
    assert TAGS["green"] in banana.also
    table = revealed("green edible").wrote("蛋糕").wrote(answer, seat=1)
    table.game.pack = Pack(game.pack.tags, [banana], modifiers=game.pack.modifiers)
    assert table.decides(kind) is None
    voted = table.with_(phase="vote", challenger=2, case=[1])
    assert {voted.decides(kind, chance=str(n)) for n in range(10)} == {"yes"}
    assert answer not in words(Table("green").writes(kind))


def test_what_a_word_may_fit_is_half_missed() -> None:
    """It is written where nothing plainly fits, by who may miss half a tag, and before what misses
    a whole one.
    """
    pack = Pack(
        standard_pack().tags,
        [each for each in standard_pack().lexicon if each.zh in ("香蕉", "青椒", "月亮")],
    )
    assert {each.zh for each in pack.lexicon if TAGS["sweet"] in each.tags} == {"香蕉"}
    table = Table("green sweet")
    table.game.pack = pack
    for kind, courage, found in (
        (FirstThought, 0.2, False),
        (FirstThought, 0.25, True),
        (Bluffer, 0.9, True),
    ):
        assert words(table.writes(kind, courage=courage)) == ({"香蕉"} if found else set())


def test_nothing_stands_before_a_word_that_is_a_phrase_already() -> None:
    """Otherwise the strategies would write of a burning diary of Anne Frank."""
    phrases = {word.en for word in standard_pack().lexicon if "的" in word.zh}
    assert phrases
    assert all(each.of.isdisjoint(phrases) for each in standard_pack().modifiers)


def test_a_phrase_may_not_fit_what_its_modifier_takes_away() -> None:
    pack = standard_pack()
    made = [
        (each, phrase)
        for each in pack.modifiers
        for word in pack.lexicon
        if (phrase := each.phrase(word))
    ]
    assert any(phrase.also for _, phrase in made)
    for each, phrase in made:
        assert phrase.also.isdisjoint(phrase.tags | each.loses)


@pytest.mark.parametrize(("spool", "vote"), [("round edible", "no"), ("round sweet edible", "yes")])
def test_half_of_the_tags_are_not_enough_two_of_three_are(spool: str, vote: str) -> None:
    missed = tags(spool.split()[0])
    answer = next(word for word, fits in FITS.items() if tags(*spool.split()) - fits == missed)
    table = revealed(spool, phase="vote", challenger=2, case=[1])
    assert table.wrote(answer, seat=1).decides(Original) == vote


def test_a_word_it_does_not_know_it_mostly_trusts() -> None:
    table = revealed("round sweet edible", phase="vote", challenger=2, case=[1]).wrote(
        "仙女棒棒", seat=1
    )
    for trust, low, high in ((0, 0, 0), (0.8, 270, 370), (1, 400, 400)):
        found = Counter(table.decides(Original, chance=str(n), trust=trust) for n in range(400))
        assert low <= found["yes"] <= high


@pytest.mark.parametrize(
    ("one", "other", "votes"),
    [
        ("馬鈴薯", "土豆", {"no"}),  # the same in Taiwan and in mainland China
        ("馬鈴薯", "potato", {"no"}),
        ("蘋果", "爛蘋果", {"yes"}),  # both known, and not the same
        ("電視", "電視牆壁", {"yes", "no"}),
    ],
)
def test_answers_that_may_be_the_same(one: str, other: str, votes: set[str]) -> None:
    table = revealed("round", phase="vote", case=[0, 1]).wrote(one).wrote(other, seat=1)
    assert {table.decides(Original, chance=str(n)) for n in range(60)} == votes


def test_several_answers_are_the_same_only_if_all_are() -> None:
    pack = KnitWit(3).pack
    assert are_one_thing(pack, ["馬鈴薯", "土豆", "potato"])
    assert not are_one_thing(pack, ["馬鈴薯", "爛蘋果", "potato"])


def test_of_two_players_the_challenged_is_honest() -> None:
    for answer, kept in (("西瓜", "keep"), ("槍", "withdraw"), ("月亮", "withdraw")):
        table = revealed(
            "round sweet edible", players=2, phase="judge", challenger=1, case=[0]
        ).wrote(answer)
        assert table.decides(Bluffer) == kept


# All


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 5])
def test_whole_matches_end_and_are_the_same_again(kind: type[Strategy], players: int) -> None:
    one, again = (play_out(KnitWit(players), [kind] * players, "whole") for _ in range(2))
    assert one.over
    assert one.record() == again.record()
    assert any(answer for sheet in one.state.sheets for answer in sheet)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("kind", [FirstThought, Stickler])
def test_those_who_think_beat_chance(kind: type[Strategy], players: int) -> None:
    """The two that win least: nonsense is challenged, and no faster than thought."""
    result = duplicate(KnitWit(players), [kind, AtRandom], 8, 1, statistics=won, progress=False)
    assert result.mean(kind, "won") > 1.5 * result.mean(AtRandom, "won")
    assert result.mean(kind) > 1.2 * result.mean(AtRandom)


def won(match: Match) -> dict[str, list[float]]:
    """Return the part of the victory of each seat."""
    winners = match.game.winners(match.state)
    return {"won": [(seat in winners) / len(winners) for seat in match.game.seats]}


@FEW
@given(game=games(KnitWit), seed=seeds())
def test_every_option_can_be_played(game: KnitWit, seed: str) -> None:
    """Every decision is legal, and depends on nothing that the seat cannot know."""
    game = KnitWit(game.players, replace(game.options, rounds=1, loops=min(game.setup.loops, 4)))
    kinds = [KINDS[(len(seed) + seat) % len(KINDS)] for seat in game.seats]
    match, rng = Match(game, seed), stream(seed, "here")
    players = make_players(game, kinds, seed)
    while waiting := game.to_act(match.state):
        for seat in waiting:
            if seat != TABLE:
                obs = game.observe(match.state, seat)
                guess = game.observe(game.resample(obs, rng), seat)
                assert guess == obs
                players[seat].rng, again = (
                    stream(seed, str(len(match.log))),
                    stream(seed, str(len(match.log))),
                )
                decided = players[seat].decide(obs)
                players[seat].rng = again
                assert players[seat].decide(guess) == decided
                assert decided is None or decided in obs.legal
        step_any(match, waiting, players, rng, 2000)
    assert len(match.log) <= game.longest


@given(st.integers(0, 50))
@settings(max_examples=3, deadline=None, derandomize=True)
def test_chance_comes_from_the_own_stream_only(seed: int) -> None:
    random.seed(seed)
    before = random.getstate()
    play_out(KnitWit(3, Options(loops=3)), [Bluffer, Original, Sprinter], seed)
    assert random.getstate() == before


def test_with_tags_of_a_class_and_no_lexicon_they_think_and_leave_lines_blank(
    tmp_path: Path,
) -> None:
    path = tmp_path / "unit.csv"
    path.write_text("zh\n" + "\n".join(f"第{n}課的" for n in range(16)), encoding="utf-8")
    game = KnitWit(3, Options(words=own_words(path), loops=3))
    for kind in KINDS:
        match = play_out(game, [kind] * 3, "own")
        assert match.over
        assert not any(answer for sheet in match.state.sheets for answer in sheet)
        match = knitted_and_begun(game, kind)
        obs = game.observe(match.state, 0)
        assert {kind(stream(str(n), "seat"), game).decide(obs) for n in range(8)} <= {None, "stop"}
        assert sum(kind(stream(str(n), "seat"), game).decide(obs) is None for n in range(60)) > 40


def knitted_and_begun(game: KnitWit, kind: type[Strategy]) -> Match:
    match = Match(game, "own")
    players = make_players(game, [kind] * game.players, "own")
    while match.state.phase != "write":
        step_any(match, game.to_act(match.state), players, stream("own", "order"))
    return match


# Numbers to change


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"corage": 1}, "Strategy Mine has no corage; did you mean courage?"),
        ({"orginality": -2}, "did you mean originality?"),
        ({"toungue": "en"}, "did you mean tongue?"),
        ({"pace": -3}, "pace of strategy Mine cannot be -3; it can be 0 … 10000."),
        ({"pace": float("nan")}, "cannot be nan"),
        ({"courage": 1.5}, "courage of strategy Mine cannot be 1.5; it can be 0 … 1."),
        ({"courage": "1"}, "cannot be '1'"),
        ({"richness": 0.5}, "cannot be 0.5; it can be -1 … 1."),
        ({"choice": True}, "cannot be True"),
        ({"tongue": "zh-Hant"}, "it can be 'zh', 'en', 'zh-Hans'"),
    ],
)
def test_a_number_that_would_do_nothing_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(OptionError) as caught:
        type("Mine", (FirstThought,), given)
    assert sentence in str(caught.value)
    assert "\n" not in caught.value.sentence("zh-Hant")


def test_whoever_writes_a_strategy_may_keep_anything_on_it():
    more = {
        "words_seen": 3,
        "best": "x",
        "limit": 0.5,
        "_corage": 1,
        "corage": lambda self: 1,
        "SKETCHES": 4,
    }
    assert type("Mine", (FirstThought,), GIVEN | more).choice == 3
    assert type("Own", (Strategy,), {"corage": 1, "pace": -3}).pace == -3, (
        "it has no numbers to change"
    )


def test_the_numbers_to_change_are_those_of_the_class_and_the_kits_strategies_keep_to_them():
    assert set(Wordsmith.numbers) == set(Wordsmith.__annotations__) - {"game", "numbers"}
    for name in Wordsmith.numbers:
        for kind in (Wordsmith, *KINDS):
            type("Same", (Wordsmith,), {name: getattr(kind, name)})
