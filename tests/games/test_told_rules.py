"""What Wikipedia and Books and Literature Lockdown tell of their rules holds for the options of the
match.

Whoever changes a rule must find it changed in every sentence: at the table, on the pages of the
cards, in refusals, maps, reasons and debriefs.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest
from blockade_table import AUTHOR, EDITOR, POLICE, SPY, Table, function
from blockade_table import WRITERS as WRITERS_OF

from coursekit.core.chance import shuffle, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, Event, Game, Refusal, sentence
from coursekit.core.match import Match, play_out, replay
from coursekit.core.options import CardSetNames
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade
from coursekit.games.blockade import Options as Lockdown
from coursekit.games.blockade.after.history import TAKEN, History
from coursekit.games.blockade.after.rule_relations import relations as of_lockdown
from coursekit.games.blockade.rules.card_codes import (
    BANNED,
    CENSORS,
    FUNCTIONS,
    LIFTING,
    PERIODICAL,
)
from coursekit.games.blockade.rules.eras import end_era
from coursekit.games.blockade.rules.state import with_card
from coursekit.games.blockade.strategies import Farsighted, Greedy
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after.history import count_sources, read_rounds
from coursekit.games.wikipedia.after.rule_relations import find_relations
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    DISCARD,
    KINDS,
    LEAVE,
    REVISE,
    ROLL,
    USE,
    VANDAL,
    WIKI,
)
from coursekit.games.wikipedia.rules.state import State
from coursekit.games.wikipedia.strategies import CarefulScholar, Editor, HonestStudent, Vandal
from coursekit.kit import GAMES
from coursekit.kit.debrief_moment import Played
from coursekit.kit.scene import Look
from coursekit.words.texts import LANGUAGES, game_text

UNTOLD = {
    "wikipedia": {
        "use": "there are always some",
        "start": "a hand is dealt once",
        "reshuffle": "it hardly matters when discards are shuffled",
        "open_discards": "they are shown, and need no words",
        "open_hands": "they lie there to be seen",
        "table_talk": "a note at the table of four players says it",
    },
    "blockade": {
        "eras": "the track shows which is played",
        "roles_each_era": "each era begins by saying who plays whom",
        "o_faces": "the die is thrown by the program, and drawn on paper",
        "edition": "the cards say what they are",
        "start_in_buffer": "the markers stand there",
        "defence_o": "the prompts of the throws say it",
        "starter_usable_only": "the card that decides is shown",
        "carry_over": "what is kept lies there",
        "open_hands": "they lie there to be seen",
    },
}
"""By game, the options that no rule, page or map tells, and why not. Another one must be told, or
stand here.
"""
SOME_TOLD = {
    "wikipedia": {"wiki", "book", "revise", "vandal", "scholars", "students"},
    "blockade": {"lifting_year"},
}
"""By game, the options of which only some values are told: that there is none of a card, or that
nothing happens.
"""


def values(allowed: Any, standard: Any) -> list[Any]:
    """Return changed values of an option: all of a few, the ends of a range."""
    if isinstance(allowed, range):
        allowed = [allowed[0], allowed[-1]]
    return (
        []
        if isinstance(allowed, CardSetNames)
        else [choice for choice in allowed if choice != standard]
    )


def changed(name: str) -> Iterator[tuple[str, Any]]:
    """Yield each option of a game with its changed values, if they make a game on their own."""
    kind = GAMES[name].rules
    for field in fields(kind.option_type):
        for value in (
            [(2,), (3, 4)]
            if field.name == "eras"
            else values(field.metadata["allowed"], field.default)
        ):
            try:
                made(name, **{field.name: value})
            except OptionError:
                continue
            yield field.name, value


def made(name: str, **options: Any) -> Game[Any, Any, Any]:
    """Return the game with these *options*."""
    kind = GAMES[name].rules
    return kind(kind.player_counts[0], kind.options_from(options))


def told(game: Game[Any, Any, Any]) -> list[str]:
    """Return the rules in short and what the pages of cards say of their use, in English, and the
    rules' own map.
    """
    kit, look = GAMES[game.name], Look(game, "en")
    assert kit.guide
    assert kit.handbook
    lines = [line for line in kit.guide.list_rules(look) if line]
    for id, page in kit.handbook(look).items():
        lines += [
            f"{id}: {page.get('lead', '')}",
            *(f"{id}: {fact['value']}" for fact in page["facts"]),
        ]
    return lines + [
        str(relation)
        for relation in (find_relations if isinstance(game, Wikipedia) else of_lockdown)(game)
    ]


CHANGED = [(name, option, value) for name in UNTOLD for option, value in changed(name)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", UNTOLD)
def test_every_option_is_told_or_said_to_be_untold(name: str) -> None:
    standard, is_told = told(made(name)), dict[str, list[bool]]()
    for option, value in changed(name):
        is_told.setdefault(option, []).append(told(made(name, **{option: value})) != standard)
    assert {option for option, each in is_told.items() if not any(each)} == set(UNTOLD[name]) - {
        "edition",
        "eras",
    }
    assert {option for option, each in is_told.items() if any(each) and not all(each)} == SOME_TOLD[
        name
    ]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("name", "option", "value"), CHANGED, ids=str)
def test_everything_can_be_told_under_every_option(name: str, option: str, value: Any) -> None:
    short: dict[str, Any] = {"points_to_win": 2} if name == "wikipedia" else {"laps_limit": 4}
    play_and_tell(made(name, **short | {option: value}))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("year", [1950, 1960, 1970, 1979, 1980, 1992, 1993])
@pytest.mark.parametrize("scope", ["once", "per_player"])
def test_martial_law_can_be_lifted_on_any_space(year: int, scope: Any) -> None:
    for era in (1, 2, 3, 4):
        game = Blockade(
            4, Lockdown(eras=(era,), lifting_year=year, event_scope=scope, laps_limit=20)
        )
        play_and_tell(game)


def play_and_tell(game: Game[Any, Any, Any]) -> None:
    """Play a match and tell all of it."""
    kit = GAMES[game.name]
    players = [kit.strategies[-1 - seat % 3] for seat in game.seats]
    match = play_out(game, players, "told")
    look = Look(game, "zh-Hant")
    assert kit.scene

    def watch(now: Match, seat: int, action: Any) -> None:
        who = max(seat, 0)
        assert kit.scene
        assert kit.scene(game.observe(now.state, who), now.story(who), look)["prompt"]

    replay(match.record(), game=game, watch=watch)
    assert kit.lesson
    lesson = kit.lesson()
    lesson.moments([Played(match)], "en")
    for topic in lesson.topics:
        for question in topic.questions:
            lesson.evidence(question, match, [0], "en")


# Wikipedia and Books: sentences beside what the rules do


def rule(game: Game[Any, Any, Any], text: str) -> str:
    """Return the rule *text* in English."""
    guide = GAMES[game.name].guide
    assert guide
    return next(guide.says(rule, Look(game, "en")) for rule in guide.rules if rule.text == text)


def page(game: Game[Any, Any, Any], card: str) -> str:
    """Return in English what the page of a *card* says of its use."""
    handbook = GAMES[game.name].handbook
    assert handbook
    found = handbook(Look(game, "en"))[card]
    return " ".join([found.get("lead", ""), *(fact["value"] for fact in found["facts"])])


def moment(
    game: Wikipedia, phase: str, role: str = "student", work: str = WIKI, **more: Any
) -> State:
    """Return a state in which seat 0 decides and holds a card of each kind."""
    state = game.initial_state(Random(1))
    state.hands[0], state.roles[0], state.turn, state.phase, state.work = (
        sorted(KINDS),
        role,
        0,
        phase,
        work,
    )
    state.author = 1
    for name, value in more.items():
        setattr(state, name, value)
    return state


def refused(game: Wikipedia, state: State, action: str) -> str:
    """Return in English why seat 0 may not do *action*."""
    refusal = game.refusal(state, 0, action)
    assert isinstance(refusal, Refusal)
    return sentence(game, refusal, "en")


@pytest.mark.parametrize("at_once", [False, True])
def test_when_a_use_scores_after_its_cure(at_once: bool) -> None:
    game = Wikipedia(2, Options(cure_then_score=at_once))
    state = moment(game, "cure", user=0, vandal=1)
    game.apply(state, 0, REVISE, Random(1))
    assert (state.phase == "roll") is at_once
    assert ("score at once" in rule(game, "rules.blocked")) is at_once
    assert ("throw at once" in page(game, USE)) is at_once
    blocked = moment(game, "cure", user=0, vandal=1)
    assert ("without Vandalism" in refused(game, blocked, ROLL)) is not at_once


@pytest.mark.parametrize("later", [False, True])
def test_whether_scoring_may_wait(later: bool) -> None:
    game = Wikipedia(2, Options(score_optional=later))
    state = moment(game, "roll", user=0)
    assert (DISCARD[BOOK] in game.legal_actions(state, 0)) is later
    assert ("or wait" in rule(game, "rules.use")) is later
    assert ("you may throw" in page(game, USE)) is later
    assert ("discard" in refused(game, state, WIKI)) is later
    kit = GAMES["wikipedia"]
    assert kit.scene
    prompt = kit.scene(game.observe(state, 0), [], Look(game, "en"))["prompt"]
    assert ("discard" in prompt) is later


@pytest.mark.parametrize("strict", [False, True])
def test_who_must_revise_and_who_may_discard(strict: bool) -> None:
    game = Wikipedia(2, Options(strict_discard=strict))
    must = DISCARD[BOOK] not in game.legal_actions(moment(game, "cure", vandal=1), 0)
    assert must is strict
    assert ("a student may" in page(game, REVISE)) is not must
    assert ("Whether to revise is up to you" in page(game, "student")) is not must
    assert ("A player who holds Revision must" in rule(game, "rules.vandal")) is must
    assert ("only if you can play none" in rule(game, "rules.turn")) is must
    assert (
        ("student", "must", REVISE) in {relation[:3] for relation in find_relations(game)}
    ) is must


def test_a_student_who_must_cure_is_not_told_of_as_a_scholar() -> None:
    kit = GAMES["wikipedia"]
    assert kit.lesson
    for strict in (False, True):
        game = Wikipedia(2, Options(strict_discard=strict, points_to_win=4))
        matches = [
            Played(play_out(game, [Vandal, HonestStudent], f"cures {number}"))
            for number in range(12)
        ]
        cures = Counter(event.text for match in matches for event in match.match.story(None))
        assert cures["cure.student"] > 3
        found = [
            moment for moment in kit.lesson().moments(matches, "en") if moment.name == "forced"
        ]
        words = " ".join(str(part) for entry in found for part in entry.parts)
        assert words
        assert ("A scholar who holds Revision must mend" in words) is not strict


@pytest.mark.parametrize(
    ("wiki", "book", "which"),
    [
        (4, 1, "Wikipedia goes wrong more"),
        (1, 4, "a book goes wrong more"),
        (3, 3, "as often as books"),
    ],
)
def test_which_work_the_debrief_says_goes_wrong_more_often(
    wiki: int, book: int, which: str
) -> None:
    game = Wikipedia(2, Options(wiki_wrong=wiki, book_wrong=book, points_to_win=8))
    kit = GAMES["wikipedia"]
    assert kit.lesson
    matches = [
        Played(play_out(game, [HonestStudent, CarefulScholar], f"die {number}"))
        for number in range(4)
    ]
    (asked,) = [
        moment.ask for moment in kit.lesson().moments(matches, "en") if moment.name == "die"
    ]
    assert which in asked


@pytest.mark.parametrize("need", [1, 2, 3, 4])
def test_the_price_in_a_reason_is_what_mending_takes(need: int) -> None:
    game = Wikipedia(2, Options(book_repair=need))
    state = moment(game, "repair", work=BOOK, user=0, die=1, hands=[[REVISE] * 5, [WIKI] * 5])
    obs = game.observe(state, 0)
    editor = Editor(Random(1), game)
    assert editor.decide(obs) == LEAVE
    reason = editor.explain(obs, LEAVE)
    assert reason
    words = game_text(game, reason.text, "en", **reason.values)
    game.apply(state, 0, REVISE, Random(1))
    assert (
        [int(number) for number in re.findall(r"\d+", words)]
        == [state.seen[KINDS.index(REVISE)]]
        == [need]
    )


@pytest.mark.parametrize("option", ["auto", "optional_own_turn"])
@pytest.mark.parametrize("check", ["after_draw", "before_draw"])
def test_how_a_small_hand_is_filled_up_is_told(option: Any, check: Any) -> None:
    game = Wikipedia(2, Options(hand_min=4, refill_to=7, refill=option, refill_check=check))
    words = rule(game, "rules.refill")
    assert re.findall(r"\d+", words) == ["4", "7"]
    state = moment(game, "move", hands=[[BOOK, USE, VANDAL], [WIKI] * 5])
    game.apply(state, 0, DISCARD[BOOK], Random(1))
    assert (len(state.hands[0]) == 7) is (option == "auto")
    assert ("on your turn" in words) is (option != "auto")
    events = game.apply(
        moment(game, "move", hands=[[BOOK, USE, VANDAL], [WIKI] * 5]), 0, DISCARD[BOOK], Random(1)
    )
    first = next((event.text for event in events if event.text in ("draw", "refill")), "")
    assert ("instead" in words) is (first == "refill")
    assert ("filled up to 7 instead" in page(game, REVISE)) is (first == "refill")


@pytest.mark.parametrize("tie", ["shared", "scorer", "sudden_death"])
def test_what_two_sides_at_the_goal_are_told(tie: Any) -> None:
    game = Wikipedia(2, Options(tie=tie))
    state = moment(game, "result", work=BOOK, user=0, die=6, points=[9, 9])
    game.apply(state, TABLE, "next", Random(1))
    words = rule(game, "rules.win")
    assert ("user's side wins" in words) is (state.won == (0,))
    assert ("play goes on" in words) is (state.won == ())


@pytest.mark.parametrize("wrong", range(7))
def test_the_faces_that_are_wrong_are_told_in_words_that_make_sense(wrong: int) -> None:
    game = Wikipedia(2, Options(wiki_wrong=wrong, book_wrong=wrong))
    words = rule(game, "rules.die")
    assert (f"{wrong} or less" in words) is (0 < wrong < 6)
    assert ("never wrong" in words, "always wrong" in words) == (wrong == 0, wrong == 6)


@pytest.mark.parametrize(
    "options",
    [
        {"open_hands": True, "wiki_wrong": 6},
        {"open_hands": True, "wiki_wrong": 6, "hand_min": 5, "refill_to": 8},
        {"refill": "optional_own_turn", "hand_min": 6, "start": 6},
        {
            "refill": "optional_own_turn",
            "hand_min": 6,
            "start": 6,
            "wiki_repair": 2,
            "refill_to": 8,
        },
    ],
    ids=str,
)
def test_the_chance_of_a_use_is_that_of_the_rules(options: dict[str, Any]) -> None:
    """With hands that lie open, and with a hand that is filled up before the die is thrown."""
    game, rng, times = Wikipedia(2, Options(**options)), Random(f"{options}"), 4000
    other = [BOOK, VANDAL, WIKI, WIKI, USE]
    start = moment(game, "move", hands=[[BOOK, BOOK, USE, VANDAL, WIKI], other])
    if game.options.open_hands:  # it was seen before that the other had no REVISE
        start.ruled_out[len(KINDS) + KINDS.index(REVISE)] = start.drawn[1]
    cards = Counter(game.cards) - Counter([WIKI, *start.hands[0], *start.hands[1]])
    start.deck = sorted(cards.elements())
    chance, happened = odds.scores_after_draw(game, game.observe(start, 0)), 0
    if not game.options.open_hands:
        start.hands[1] = []
    for _ in range(times):
        state = moment(game, "move", hands=[list(hand) for hand in start.hands], deck=start.deck[:])
        if not game.options.open_hands:  # whatever the other player holds
            state.deck += other
        shuffle(rng, state.deck)
        if not state.hands[1]:
            state.hands[1] = sorted(state.deck.pop() for _ in range(5))
        game.apply(state, 0, USE, rng)
        game.apply(state, 1, DISCARD[state.hands[1][0]], rng)
        if "refill" in game.legal_actions(state, 0):
            game.apply(state, 0, "refill", rng)
        game.apply(state, 0, ROLL, rng)
        if state.phase == "repair":
            game.apply(state, 0, REVISE if REVISE in game.legal_actions(state, 0) else LEAVE, rng)
        happened += state.die > game.wrong[WIKI] or state.repaired
    agree(chance, happened, times)


def agree(chance: Fraction, happened: int, times: int) -> None:
    """Check that what *happened* so often lies within four standard deviations of the exact
    *chance*.
    """
    p = float(chance)
    assert abs(happened - times * p) <= 4 * sqrt(times * p * (1 - p)), (chance, happened / times)


class Generous(Wikipedia):
    """A house rule: what a book brings its author counts double, and a scholar may vandalise."""

    def legal_actions(self, state: State, seat: int) -> tuple[str, ...]:
        legal = super().legal_actions(state, seat)
        more = state.phase == "move" and state.work == WIKI and VANDAL in state.hands[max(seat, 0)]
        return (*legal, VANDAL) if more and seat == state.turn and VANDAL not in legal else legal

    def _score(self, state: State, rng: Random) -> list[Event]:
        if state.work == BOOK and (state.repaired or state.die > self.wrong[BOOK]):
            state.points[state.author] += 1
        return super()._score(state, rng)


@pytest.mark.parametrize("rules", [Wikipedia, Generous])
def test_points_and_what_they_were_for_are_those_that_the_rules_gave(
    rules: type[Wikipedia],
) -> None:
    paid = 0
    for number in range(6):
        game = rules(2, Options(points_to_win=6, wiki_wrong=number))
        match = play_out(game, [HonestStudent, CarefulScholar], f"points {number}")
        played = read_rounds(match)
        for seat in game.seats:
            gained = count_sources(played, seat)
            assert sum(gained.values()) == match.state.points[seat]
            others = [
                match
                for match in played
                if match.author == seat != match.user and match.work == BOOK
            ]
            assert {other.points[seat] for other in others} <= {0, 2 if rules is Generous else 1}
            paid += sum(other.points[seat] for other in others)
    assert paid


def test_the_map_asks_the_class_of_the_match() -> None:
    assert ("scholar", "cannot", VANDAL) in {
        relation[:3] for relation in find_relations(Wikipedia(2))
    }
    assert ("scholar", "plays", VANDAL) in {
        relation[:3] for relation in find_relations(Generous(2))
    }


def test_the_debrief_says_of_a_class_only_what_its_rules_say() -> None:
    kit = GAMES["wikipedia"]
    assert kit.lesson
    for rules in (Wikipedia, Generous):
        game = rules(2, Options(points_to_win=6))
        matches = [
            Played(play_out(game, [Editor, Vandal], f"class {number}")) for number in range(4)
        ]
        words = {
            moment.name: " ".join(map(str, moment.parts))
            for moment in kit.lesson().moments(matches, "en")
        }
        assert ("By the rules only students can vandalise" in words["vandals"]) is (
            rules is Wikipedia
        )


def test_a_use_that_cannot_score_is_not_explained_by_its_chance() -> None:
    game = Wikipedia(2, Options(wiki_wrong=6, revise=0))
    state = moment(game, "move", hands=[[BOOK, USE, USE, VANDAL, WIKI], [WIKI] * 5], quiet=99)
    editor, obs = Editor(Random(1), game), game.observe(state, 0)
    assert editor.decide(obs) == USE
    why = editor.explain(obs, USE)
    assert why
    assert "cannot score" in game_text(game, why.text, "en", **why.values)


def test_the_tokens_on_paper_suffice_for_the_goal() -> None:
    from coursekit.games.wikipedia.printables import things

    for goal in (1, 10, 40):
        (tokens,) = [
            thing.faces
            for thing in things(Look(Wikipedia(2, Options(points_to_win=goal)), "en"))
            if thing.name == game_text("wikipedia", "print.tokens", "en")
        ]
        assert len(tokens) >= 2 * goal


# Literature Lockdown


@pytest.mark.parametrize("ties", ["better", "average"])
@pytest.mark.parametrize("team", [False, True])
def test_the_points_told_are_those_that_an_era_gives(ties: Any, team: bool) -> None:
    game = Blockade(4, Lockdown(eras=(1,), tie_points=ties, team_score=team))
    state = game.initial_state(Random(1))
    state.positions = [9, 7, 4, 1]
    end_era(game, state, stream("", ""), "limit")
    words = rule(game, "rules.camps")
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    alone = Blockade(4, Lockdown(eras=(1,), tie_points=ties))
    other = alone.initial_state(Random(1))
    other.positions = [9, 7, 4, 1]
    end_era(alone, other, stream("", ""), "limit")
    assert numbers == other.points
    assert ("everybody scores alone" in words) is (state.points == other.points)


STEPS = {
    "banned_steps": [(BANNED, "gives", "garrison"), (BANNED, "gives", "informant")],
    "periodical_steps": [(PERIODICAL, "gives", "editor"), (PERIODICAL, "gives", "author")],
    "search_back": [("search", "takes", "editor"), ("search", "takes", "author")],
    "protest_steps": [("protest", "gives", "editor"), ("protest", "gives", "author")],
    "seize_bonus": [("search", "gives", "garrison"), ("search", "gives", "informant")],
    "loss_penalty": [("protest", "takes", "garrison"), ("protest", "takes", "informant")],
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("option", STEPS)
def test_the_map_of_the_rules_has_the_spaces_of_the_options(option: str) -> None:
    allowed = next(field.metadata["allowed"] for field in fields(Lockdown) if field.name == option)
    for era in (1, 2):
        for number in (allowed[0], allowed[2], allowed[-1]):
            game = Blockade(4, Blockade.options_from({"eras": (era,), option: number}))
            found = {relation[:3]: relation.number for relation in of_lockdown(game)}
            assert [found.get(step, 0) for step in STEPS[option]] == [number, number], (era, number)


def test_the_map_of_many_eras_is_found_with_the_longest_moves() -> None:
    longest = {
        name: max(field.metadata["allowed"])
        for field in fields(Lockdown)
        if (name := field.name) in STEPS
    }
    for defence in ("attacker", "defender"):
        game = Blockade(4, Blockade.options_from({**longest, "eras": (2, 3), "defence_o": defence}))
        found = {relation[:3]: relation.number for relation in of_lockdown(game)}
        assert all(found[end] == longest[option] for option, ends in STEPS.items() for end in ends)


def test_what_an_attempt_moves_in_a_match_is_what_the_role_cards_say() -> None:
    options = {
        "banned_steps": 3,
        "search_back": 4,
        "protest_steps": 2,
        "seize_bonus": 1,
        "loss_penalty": 3,
        "o_faces": 5,
    }
    game, seen = Blockade(4, Blockade.options_from({"eras": (4,), **options})), set()
    for number in range(6):
        for era in History(play_out(game, [Greedy] * 4, f"attempts {number}")).eras:
            for attempt in era.attempts:
                if attempt.outcome == TAKEN:
                    censor = era.roles[attempt.seat] in CENSORS
                    seen |= {(censor, "gained", attempt.gained), (censor, "lost", attempt.lost)}
    assert {
        (True, "gained", 1),
        (True, "lost", 4),
        (False, "gained", 2),
        (False, "lost", 3),
    } <= seen
    censor, pen = page(game, "role-garrison"), page(game, "role-author")
    assert all(
        words in censor
        for words in ("moves you 3 spaces", "go back 4 spaces", "1 space forward", "3 spaces back")
    )
    assert "go forward 2 spaces" in pen
    strike = rule(game, "rules.strike")
    assert re.findall(r"\d+", strike) == ["2", "4", "2", "1", "3"]  # phase 2


@pytest.mark.parametrize("stale", ["refresh", "not_before_publication"])
def test_which_writers_may_be_placed_is_told(stale: Any) -> None:
    game = Blockade(4, Lockdown(eras=(2,), stale_cards=stale))
    older = WRITERS_OF[1][0] in game.usable[2]
    for words in (page(game, "fn-stencil"), page(game, "event-1957"), rule(game, "rules.opening")):
        assert ("of this era" in words) is True
        assert ("or an earlier one" in words) is older
    table = Table(era=2, hand=[WRITERS_OF[3][0], "prize"], options={"stale_cards": stale})
    words = reason(table, ("play", WRITERS_OF[3][0]))
    assert ("earlier" in words) is older


def reason(table: Any, action: Any) -> str:
    """Return in English why the player whose turn it is may not do *action*."""
    seat = table.state.turn
    refusal = table.game.refusal(table.state, seat, action)
    assert isinstance(refusal, Refusal)
    return sentence(table.game, refusal, "en")


@pytest.mark.parametrize("source", ["table", "hand", "hand_or_table"])
def test_nobody_is_told_to_place_writers_where_that_does_not_help(source: Any) -> None:
    table = Table(
        hand=["prize"], tables={POLICE: WRITERS_OF[1][:1]}, options={"exchange_from": source}
    )
    assert ("place some first" in reason(table, "exchange")) is (source == "table")
    limit = {"exchange_from": source, "table_limit": 2}
    full = Table(
        hand=[WRITERS_OF[1][3], "prize"], tables={POLICE: WRITERS_OF[1][:2]}, options=limit
    )
    assert ("exchange some first" in reason(full, ("play", WRITERS_OF[1][3]))) is (source != "hand")
    words = rule(table.game, "rules.main")
    assert ("After the first two" in words) is (source == "table")
    assert ("hand" in words) is (source != "table")


def test_nobody_is_told_to_play_cards_that_are_left_out() -> None:
    game = Blockade(4, Lockdown(eras=(1,), function_set="none"))
    guide, kit = GAMES["blockade"].guide, GAMES["blockade"]
    assert guide
    assert not any("function card" in line for line in guide.list_rules(Look(game, "en")))
    match = play_out(game, [AtRandom] * 4, "none")
    asked = set()

    def watch(now: Match, seat: int, action: Any) -> None:
        assert kit.scene
        if seat >= 0:
            asked.add(
                kit.scene(game.observe(now.state, seat), now.story(seat), Look(game, "en"))[
                    "prompt"
                ]
            )

    replay(match.record(), game=game, watch=watch)
    assert asked
    assert not any("function card" in words for words in asked)
    table = Table(hand=WRITERS_OF[1][:2], options={"function_set": "none"})
    assert "function card" not in reason(table, ("rival", EDITOR))


def test_cards_without_effect_are_worth_nothing_and_say_so() -> None:
    game = Blockade(4, Lockdown(eras=(1,), function_set="blank"))
    for kind in FUNCTIONS.values():
        assert "no effect in this match" in page(game, f"fn-{kind}")
    assert "no effect in this match" in rule(game, "rules.function")
    for player in (Greedy, Farsighted):
        table = Table(hand=["prize", "appeal", WRITERS_OF[1][0]], options={"function_set": "blank"})
        obs = table.game.observe(table.state, table.state.turn)
        assert player(Random(1), table.game).decide(obs) == ("play", WRITERS_OF[1][0])
    table = Table(hand=["prize", "mail_check"], options={"function_set": "blank"})
    far, obs = Farsighted(Random(1), table.game), table.game.observe(table.state, table.state.turn)
    same = {far.phase1(obs, ("play", function(kind))) for kind in ("prize", "mail_check")}
    assert len(same) == 1


@pytest.mark.parametrize("option", ["search_back", "loss_penalty"])
def test_the_far_sighted_count_what_an_attempt_takes(option: str) -> None:
    """Of two rivals the one nearer to the start cannot lose as much."""
    seat, targets, kind = (
        (POLICE, (EDITOR, AUTHOR), BANNED)
        if option == "search_back"
        else (EDITOR, (POLICE, SPY), PERIODICAL)
    )
    weights = set()
    for number in (1, 3):
        table = Table(
            options={option: number}, turn=seat, at={seat: 5, targets[0]: 5, targets[1]: 1}
        )
        obs = table.game.observe(table.state, seat)
        far = Farsighted(Random(1), table.game)
        book = next(book for book, each in enumerate(table.game.cards.book_kinds) if each == kind)
        table.state.books = with_card(table.state.books, targets[0], book)
        obs = table.game.observe(table.state, seat)
        weights.add(round(min(far.tries(obs, seat, 1.0).values()), 3))
    assert weights == {-1.0, -3.0}


def test_martial_law_is_lifted_when_it_first_is() -> None:
    game = Blockade(4, Lockdown(eras=(4,), event_scope="per_player", lifting_year=1981))
    several = 0
    for number in range(6):
        match = play_out(game, [Greedy] * 4, f"lifted {number}")
        lifted = [
            entry
            for entry, events in enumerate(match.events)
            for event in events
            if event.text == "happens" and event.values["event"] == LIFTING
        ]
        several += len(lifted) > 1
        after = sum(
            event.text.startswith("strike.")
            for events in match.events[lifted[0] :]
            for event in events
        )
        kit = GAMES["blockade"]
        assert kit.lesson
        (words,) = [
            line
            for line in kit.lesson().evidence("law", match, [0], "en")
            if "was lifted on the" in str(line)
        ]
        assert f" {after} attempt" in str(words)
    assert several


def test_that_eras_come_out_even_is_said_of_the_rules_measured() -> None:
    kit = GAMES["blockade"]
    assert kit.lesson
    for options, measured in (
        ({}, True),
        ({"o_faces": 5}, False),
        ({"price": 1}, False),
        ({"open_hands": True}, True),
    ):
        game = Blockade(4, Blockade.options_from({"eras": (1,), "laps_limit": 5, **options}))
        match = play_out(game, [Greedy] * 4, "even")
        (words,) = [
            " ".join(map(str, moment.parts))
            for moment in kit.lesson().moments([Played(match)], "en")
            if moment.name == "paid"
        ]
        assert ("Rules were changed here" in words) is not measured
        assert ("only all four together come out about even" in words) is measured


class Shorter(Blockade):
    """A house rule: an era is over earlier."""

    def goal(self, era: int) -> int:
        return super().goal(era) - 3


def test_nothing_is_said_to_be_measured_of_a_class_of_ones_own() -> None:
    kit, match = (
        GAMES["blockade"],
        play_out(Shorter(4, Lockdown(eras=(1,), laps_limit=5)), [Greedy] * 4, "own"),
    )
    assert kit.lesson
    (words,) = [
        str(part)
        for moment in kit.lesson().moments([Played(match)], "en")
        if moment.name == "paid"
        for part in moment.parts
        if "come out about even" in str(part)
    ]
    assert "Rules were changed here" in words


def test_two_equal_sums_are_not_told_as_most_points_of_one() -> None:
    for final_tie in ("shared", "era4"):
        match = Match(Blockade(4, Lockdown(eras=(1, 2), final_tie=final_tie)), seed=1)  # type: ignore[arg-type]
        for positions in ([9, 5, 2, 1], [5, 9, 2, 1]):
            match.state.positions = positions
            end_era(match.game, match.state, stream("", ""), "limit")
            match.play(TABLE, "next")
        best = [seat for seat in range(4) if match.state.points[seat] == max(match.state.points)]
        words = [
            sentence(match.game, event, "en")
            for event in match.story(None)
            if event.text.startswith("closing")
        ]
        assert len(best) == 2
        assert any("Most points in this game" in word for word in words) is (final_tie == "shared")


def test_an_event_that_cannot_happen_is_told_as_one() -> None:
    for options, never in (
        ({}, set()),
        ({"lifting_year": 1993}, {LIFTING}),
        ({"last_goal": "1992"}, {1992}),
    ):
        game = Blockade(4, Blockade.options_from(options))
        pages = {
            year
            for year in range(1949, 1993)
            if f"event-{year}" in GAMES["blockade"].handbook(Look(game, "en"))
        }
        assert {
            entry for entry in pages if "cannot happen" in page(game, f"event-{entry}")
        } == never


def test_the_die_on_paper_has_the_faces_of_the_options() -> None:
    from coursekit.games.blockade.printables import things

    for faces in range(1, 6):
        look = Look(Blockade(4, Lockdown(o_faces=faces)), "en")
        (die,) = [
            thing.html
            for thing in things(look)
            if thing.name == game_text("blockade", "zone.die", "en")
        ]
        assert die.count('data-art="die-O"') == faces
        assert die.count('data-art="die-X"') == 6 - faces


def test_what_is_exchanged_in_the_turn_of_placing_is_not_left_undone() -> None:
    kit, done = GAMES["blockade"], 0
    assert kit.lesson
    game = Blockade(4, Lockdown(eras=(1,), laps_limit=12, exchange_delay=False))
    for number in range(10):
        match = play_out(game, [Greedy] * 4, f"at once {number}")
        undone = dict[tuple[int, int], bool]()  # by seat and turn

        def watch(now: Match, seat: int, action: Any, undone: Any = undone) -> None:
            nonlocal done
            if (
                now.state.phase == "main"
            ):  # the last time of a turn counts: cards may have been changed before
                could = "exchange" in now.game.legal_actions(now.state, seat)
                undone[seat, now.state.turns] = could and action != "exchange"
            elif now.state.phase == "exchange" and action == "exchange":
                done += undone[seat, now.state.turns]
                undone[seat, now.state.turns] = False

        replay(match.record(), game=game, watch=watch)
        for seat in game.seats:
            (line,) = [
                str(part)
                for part in kit.lesson().evidence("self", match, [seat], "en")
                if "In phase 1" in str(part)
            ]
            swaps = sum(each for (who, _), each in undone.items() if who == seat)
            assert re.findall(r"(\d+) time", line)[-1] == str(swaps)
    assert done


def test_presets_are_told_with_their_own_numbers() -> None:
    numbers = {
        ("wikipedia", "lesson"): "points_to_win",
        ("wikipedia", "standard"): "points_to_win",
        ("blockade", "one_era"): "laps_limit",
        ("blockade", "rotating"): "laps_limit",
    }
    for (name, preset), option in numbers.items():
        value = getattr(GAMES[name].rules.preset(preset), option)
        for language in LANGUAGES:
            assert re.search(
                rf"(?<!\d){value}(?!\d)", game_text(name, f"preset.{preset}.help", language)
            ), (name, preset)
