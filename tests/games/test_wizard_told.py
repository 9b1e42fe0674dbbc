"""What is told of Wizard under changed options, and under a rule of one's own, is what then holds."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from told import evidence, links, moments, notes, played, rules

from coursekit.core.chance import stream
from coursekit.core.game import Event
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.after.history import read_predictions, read_rounds
from coursekit.games.wizard.rules.state import State
from coursekit.games.wizard.strategies import CardCounter, Cautious
from coursekit.testing.random_house_rules import allows, options_of, values_of
from coursekit.words.texts import LANGUAGES, load_texts

QUESTIONS = ("sure", "order", "exactly", "luck", "change", "mistake", "elsewhere", "rule")
KINDS = (CardCounter, AtRandom, Cautious)
SCORING: list[dict[str, int]] = [
    {},
    {"hit": 0},
    {"miss": 0},
    {"hit": 0, "miss": 0},
    {"per_trick": 0},
    {"hit": 37, "per_trick": 3, "miss": 29},
    {"hit": 2, "per_trick": 61},
]
scoring = pytest.mark.parametrize("options", SCORING, ids=str)
NUMBER = r"[+−]?\d+"


class NearMiss(Wizard):
    """A bid off by one costs nothing."""

    def _score(self, state: State) -> list[Event]:
        told, points = super()._score(state), list(state.points)
        for seat in self.seats:
            if abs(state.bids[seat] - state.won[seat]) == 1:
                points[seat] += self.options.miss
                told[seat] = told[seat]._replace(
                    values=told[seat].values | {"gain": 0, "total": points[seat]}
                )
        state.points = tuple(points)
        return told


class EvenNever(Wizard):
    """The bids may never add up to the tricks, whatever the option says."""

    def sum_counts(self, round: int, dealer: int, points: Any) -> bool:
        return True


def match_of(
    seed: str = "3", players: int = 4, kind: type[Wizard] = Wizard, **options: Any
) -> Match:
    return play_out(
        kind(players, Options(**{"short_game": 6} | options)), [AtRandom] * players, seed
    )


def near_miss(bid: int, won: int) -> int:
    off = abs(bid - won)
    return 20 + 10 * won if not off else 0 if off == 1 else -10 * off


def by_options(options: Options) -> Callable[[int, int], int]:
    """Return the score of the guide, ``docs/teach/games/wizard.md``."""
    o = options
    return lambda bid, won: o.hit + o.per_trick * won if bid == won else -o.miss * abs(bid - won)


def number(words: str) -> int:
    return int(words.replace("−", "-"))


# Points


@pytest.mark.one_in(3)
@scoring
def test_points_that_are_told_are_those_of_the_score(options: dict[str, int]) -> None:
    found = Counter[str]()
    for seed in "1234":
        match = match_of(seed, **options)
        found += check_points(match, by_options(match.game.options))
    assert {*found} >= {"gain", "instead"}


def test_points_that_are_told_follow_a_rule_of_ones_own() -> None:
    for seed in "1234":
        match = match_of(seed, kind=NearMiss)
        assert match.state.points != match_of(seed).state.points
        found = check_points(match, near_miss)
        assert found["gain"]
        assert not found["instead"], "what a bid would bring may depend on more than itself"
        assert not found["ask"]


def check_points(match: Match, score: Callable[[int, int], int]) -> Counter[str]:
    """Check what is told of points, and return how often that was."""
    kinds = Counter[str]()
    game, told = match.game, [*moments(match), *evidence(match, QUESTIONS)]
    for words in told:
        if found := re.search(rf"predicted (\d+) and won (\d+), for ({NUMBER}) points", words):
            bid, won, gain = map(number, found.groups())
            assert gain == score(bid, won)
            kinds["gain"] += 1
        if found := re.search(rf"Saying (\d+) would have brought ({NUMBER})", words):
            assert number(found[2]) == score(number(found[1]), number(found[1]))
            kinds["instead"] += 1
        if found := re.search(
            rf"of 0 that is met earns ({NUMBER}) points, one of (\d) earns ({NUMBER})", words
        ):
            zero, high, earns = map(number, found.groups())
            assert (zero, earns) == (score(0, 0), score(high, high))
            kinds["ask"] += 1
    made = read_predictions([match])
    free = [
        sum(max(score(each.bid, each.won), 0) for each in made if each.seat == seat)
        for seat in game.seats
    ]
    changed = [words for words in told if words.startswith("If a miss cost nothing")]
    assert bool(changed) is (free != list(match.state.points))
    for words in changed:
        assert [*map(number, re.findall(rf"→ ({NUMBER})", words))] == free
    for now in read_rounds(match):
        assert now.gains == [
            score(bid.number, now.won(bid.seat))
            for bid in sorted(now.bids, key=lambda bid: bid.seat)
        ]
    return kinds


@scoring
def test_the_rules_in_short_and_the_map_tell_the_numbers_of_the_match(
    options: dict[str, int],
) -> None:
    game = Wizard(4, Options(**options))
    o = game.options
    score = next(each for each in rules(game) if each.startswith("A prediction met earns"))
    assert [*map(int, re.findall(r"\d+", score))] == [o.hit, o.per_trick, o.miss]
    assert [*map(int, re.findall(r"\d+", notes(game)["met"]))] == [o.hit, o.per_trick]
    assert [*map(int, re.findall(r"\d+", notes(game)["missed"]))] == [o.miss]
    assert ("a miss costs points" in links(game)) is (o.miss > 0)
    assert ("a hit earns points" in links(game)) is (o.hit + o.per_trick > 0)


@pytest.mark.parametrize("options", [*options_of(Wizard, 4, pairs=False)], ids=str)
def test_points_that_are_told_are_those_that_rounds_have_scored(options: Options) -> None:
    """The debrief tells by ``gain`` what another bid would have brought."""
    game = Wizard(4, options)
    match = play_out(game, [AtRandom] * 4, "gain")
    for scored in read_rounds(match):
        for bid in scored.bids:
            assert scored.gains[bid.seat] == game.gain(bid.number, scored.won(bid.seat))


def test_an_option_that_changes_the_score_changes_what_is_told_of_it() -> None:
    few = range(4)
    usual = Wizard(4)
    for option in fields(Options):
        for value in values_of(option):
            changed = {option.name: value}
            if allows(Wizard, 4, changed):
                game = Wizard(4, Options(**changed))
                if any(game.gain(bid, won) != usual.gain(bid, won) for bid in few for won in few):
                    assert rules(game) != rules(usual), changed
                    assert notes(game) != notes(usual), changed


def test_a_score_of_ones_own_is_not_told_as_that_of_the_options() -> None:
    for game, own in ((Wizard(4), False), (NearMiss(4), True)):
        words = [*rules(game), notes(game)["met"], notes(game)["missed"]]
        assert any("each trick off costs 10" in each for each in words) is not own
        assert "a miss costs points" in links(game)


@scoring
def test_a_card_counter_bids_1_on_its_only_card_where_that_pays_more_than_0(
    options: dict[str, int],
) -> None:
    game = Wizard(4, Options(rounds=(1,), **options))
    score = by_options(game.options)
    chances = []
    for deal in range(40):
        match = Match(game, str(deal))
        while match.state.phase == "bid":
            seat = match.state.turn
            counter, seen = CardCounter(stream("bids", "1"), game), game.observe(match.state, seat)
            p, bid = counter.lone_card(seen), counter.decide(seen)
            ones = p * score(1, 1) + (1 - p) * score(1, 0)
            zeros = p * score(0, 1) + (1 - p) * score(0, 0)
            assert bid == (ones > zeros) or ones == pytest.approx(zeros)
            reason: Any = counter.explain(seen, bid)
            chances.append((reason.values["chance"], reason.values["pays"], bid))
            match.play(seat, bid)
        assert match.state.phase in ("play", "trump")
    for chance, pays, bid in chances:
        assert chance == pays or bid == (chance > pays)
    assert {bid for *_, bid in chances} == {0, 1}


@scoring
def test_a_bid_tried_again_is_told_as_met_only_where_a_met_bid_alone_earns(
    options: dict[str, int],
) -> None:
    score, size = by_options(Options(**options)), range(5)
    tells = all((score(bid, won) > 0) is (bid == won) for bid in size for won in size)
    told = [words for seed in "12" for words in moments(match_of(seed, short_game=4, **options))]
    again = [words for words in told if "the hidden cards were guessed" in words]
    assert again
    assert all(("would be met in" in words) is tells for words in again)
    assert all(("points on average" in words) is not tells for words in again)


# Cards


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "options"), [("wizard", {"wizards": 0}), ("jester", {"jesters": 0})]
)
def test_nothing_is_told_of_cards_that_the_deck_does_not_have(
    kind: str, options: Any, language: str
) -> None:
    card = load_texts("wizard")[f"face.{kind}"][language]
    plain = {"巫師": "巫師牌|巫師與", "巫师": "巫师牌|巫师与", "愚者": "愚者"}.get(card, card)
    for more in ({}, {"jester_then_wizard": "next_suit_card_leads"}):
        for seed in "abc":
            match, said = played(
                Wizard(4, Options(short_game=6, **options, **more)), KINDS, seed, language
            )
            game = match.game
            said += [
                *rules(game, language),
                *notes(game, language).values(),
                *links(game, language),
            ]
            said += [*moments(match, language), *evidence(match, QUESTIONS, language)]
            said = [words.replace("Sage Wizard", "") for words in said]  # whose title is no card
            assert [words for words in said if re.search(plain, words)] == []


@pytest.mark.parametrize("count", [1, 2, 4])
def test_cards_are_counted_as_the_deck_has_them(count: int) -> None:
    match = match_of("5", wizards=count, jesters=5 - count if count > 1 else 2)
    game = match.game
    assert re.match(rf"{count} cards? ha(s|ve) no suit", notes(game)["wizard"])
    (asked,) = [words for words in moments(match) if words.startswith("The deck of")]
    assert asked.startswith(f"The deck of {len(game.deck)} cards has {count} Wizard")


@pytest.mark.parametrize("reading", ["free", "next_suit_card_leads"])
def test_the_map_tells_the_same_about_following_suit_as_the_rules_in_short(reading: Any) -> None:
    game = Wizard(4, Options(jester_then_wizard=reading))
    assert notes(game)["led"] in rules(game)
    jester, wizard, elf = 0, 14, 17
    freed = game.led((jester, wizard, elf)) < 0
    assert ("before any suit" in notes(game)["led"]) is freed


# Who predicts when, and what is seen


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mode", ["open", "hidden", "secret"])
@pytest.mark.parametrize("rule", ["free", "adjust_tricks", "sum_must_differ"])
def test_nobody_is_said_to_predict_last_where_all_predict_at_once(mode: Any, rule: Any) -> None:
    game = Wizard(
        4, Options(short_game=6, bid_mode=mode, bid_rule=rule, hidden_sum_conflict="rebid")
    )
    match, said = played(game, KINDS, "2")
    said += [*moments(match), *evidence(match, QUESTIONS)]
    last = [
        words for words in said if re.search("predict(s|ed|ing)? (first|last)|heard all", words)
    ]
    assert bool(last) is (mode == "open")


@pytest.mark.parametrize("kind", [Wizard, EvenNever])
@pytest.mark.parametrize("rule", ["free", "sum_must_differ", "sum_must_differ_leader_only"])
def test_the_bid_that_was_barred_is_the_one_that_the_rules_refused(
    kind: type[Wizard], rule: Any
) -> None:
    match = match_of("4", kind=kind, bid_rule=rule)
    barred = {(now.number, bid.seat): bid.barred for now in read_rounds(match) for bid in now.bids}
    refused = {}

    def look(now: Match, seat: int, action: int) -> None:
        if now.state.phase == "bid":
            missing = {*range(now.state.size + 1)} - {*now.game.legal_actions(now.state, seat)}
            refused[now.state.round, seat] = missing.pop() if missing else -1

    replay(match.record(), game=match.game, watch=look)
    assert barred == refused


def test_the_rule_about_the_sum_is_asked_about_only_where_it_could_have_bound_somebody() -> None:
    for mode in ("open", "hidden"):
        told = [
            words for seed in "1234" for words in evidence(match_of(seed, bid_mode=mode), ["rule"])
        ]
        assert any("were not allowed to equal" in words for words in told) is (mode == "open")


def test_what_was_known_with_open_hands_is_not_told_as_hidden() -> None:
    for open_hands in (False, True):
        match = match_of("3", open_hands=open_hands)
        told = [*moments(match), *evidence(match, QUESTIONS)]
        assert any("the hidden cards were guessed" in words for words in told) is not open_hands
        assert any("only the cards that could be seen" in words for words in told) is not open_hands
        known = [words for words in told if "Known at that moment" in words]
        assert known
        assert all(("all hands lay open" in words) is open_hands for words in known)


def test_a_prediction_made_without_seeing_the_card_is_not_told_as_one_after_looking() -> None:
    for hawk in (False, True):
        assert (
            "After looking at your hand" in notes(Wizard(4, Options(hawk_eye=hawk)))["bid"]
        ) is not hawk


def test_a_prediction_that_no_hand_was_large_enough_for_is_not_asked_about() -> None:
    for sizes, high in (((1, 2) * 3, 2), ((1, 3) * 3, 3)):
        asked = [
            words
            for words in moments(match_of("1", rounds=sizes, short_game=None))
            if "How sure of" in words
        ]
        assert asked
        assert all(f"How sure of {high} must you be" in words for words in asked)


# Sentences that hold a number or a fact of the rules


def test_one_trick_too_many_costs_as_much_as_one_too_few() -> None:
    """So says a question that is asked under all options."""
    for options in SCORING:
        game = Wizard(4, Options(**options))
        assert all(game.gain(bid, bid + 1) == game.gain(bid, bid - 1) for bid in range(1, 5))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_of_the_rules_is_written_into_a_sentence(language: str) -> None:
    """Numbers that options can change are values; what is written out is about bids of 0 and 1, and
    round 1.
    """
    elsewhere = (
        "option.",
        "preset.",
        "field.",
        "column.",
        "figure.sure.",
        "question.",
        "lesson.",
        "print.",
        "pictures.",  # what is asked before the deal: see the next test
    )
    for id, words in load_texts("wizard").items():
        if not id.startswith(elsewhere):
            plain = re.sub(r"\{[^}]*\}", "", words[language])
            assert {*re.findall(r"\d+", plain)} <= {"0", "1"}, id


@pytest.mark.parametrize("preset", [{}, *Wizard.presets.values()])
def test_what_is_asked_before_the_deal_holds_however_a_class_plays(preset: dict[str, Any]) -> None:
    game = Wizard(4, Options(**preset))
    off = game.gain(2, 3)
    for words in load_texts("wizard")["pictures.score_choices"].values():
        assert re.findall(r"\d+", words)[2] == str(-off)
    for words in load_texts("wizard")["pictures.score_why"].values():
        assert re.findall(r"\d+", words) == [str(-off)]


def test_the_numbers_that_help_names_are_those_of_the_standard_game() -> None:
    standard = Options()
    for name in ("hit", "per_trick", "miss", "wizards", "jesters"):
        for words in load_texts("wizard")[f"option.{name}.help"].values():
            assert re.findall(r"\d+", words) == [str(getattr(standard, name))]
    assert replace(standard, **Wizard.presets["lesson"]).short_game == 5
    assert all("5" in words for words in load_texts("wizard")["preset.lesson.help"].values())
    again = Options(
        bid_mode="hidden", bid_rule="sum_must_differ", hidden_sum_conflict="rebid", rounds=(1,)
    )
    game = Wizard(3, again)
    state = game.initial_state(stream("again", "chance"))
    while state.phase == "bid":
        for seat, bid in ((0, 1), (1, 0), (2, 0)):
            game.apply(state, seat, bid, stream("again", "bids"))
        if state.phase == "trump":
            break
    for words in load_texts("wizard")["option.hidden_sum_conflict.help"].values():
        assert re.findall(r"\d+", words) == [str(state.rebids)]
