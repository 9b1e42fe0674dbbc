"""What is shown below the questions: the right numbers, from the right match, and nothing that is
hidden.
"""

import re
import warnings
from dataclasses import replace
from typing import Any

import pytest
import wizard_oracle as oracle
from wizard_letters import COLOURS, letters

from coursekit.core.chance import shuffle, stream
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.after.evidence import ABOUT, AGAIN, evidence
from coursekit.games.wizard.rules import game as rules
from coursekit.games.wizard.strategies import STRATEGIES, CardCounter, Unseen
from coursekit.kit.debrief_moment import Grid
from coursekit.reflect import questions
from coursekit.words.texts import LANGUAGES, load_texts, text


def played(seed: str = "3", players: int = 4, **options: Any) -> Match:
    return play_out(
        Wizard(players, Options(**{"short_game": 5} | options)), [AtRandom] * players, seed
    )


def words(shown: list[Any]) -> list[str]:
    return [part for part in shown if isinstance(part, str)]


def numbers(sentence: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", sentence)]


EXPECTED_EN: dict[str, list[str]] = {
    "sure": ["You predicted in 5 rounds and met 2."],
    "order": [
        "You predicted first 2 times and met 1; last 1 time and met none.",
        "Round 2, 2 tricks: the others had predicted 2 in all. You predicted last, said 0, and won 1.",
        "All predictions of this match, by order of predicting:",
    ],
    "exactly": [
        "You could have beaten the cards on the table 3 times, and chose not to 2 times.",
    ],
    "luck": [
        "You held cards worth 3.7 tricks in all, as estimated by the computer player “Card counter”. "
        "An equal share is 3.8.",
        "You predicted 4 in all and won 5.",
        "In 1 of 5 rounds the prediction was the whole number nearest to the worth of the hand; "
        "predicting this way met none.",
        "The estimate uses only the cards that could be seen then. It does not know how others will play, "
        "and it can be wrong.",
    ],
    "change": [
        "Rounds 1 to 2: You predicted 2 times and met 1 (in the long run it may be anywhere from 9 to 91 %).",
        "Rounds 3 to 5: You predicted 3 times and met 1 (in the long run it may be anywhere from 6 to 79 %).",
        "Where the two ranges overlap, luck alone may make such a difference, even if nothing was changed.",
    ],
    "mistake": [
        "Round 2: You predicted 0 and won 1, for −10 points. Saying 1 would have brought +30.",
        "Known at that moment: You held Giant 3\N{NO-BREAK SPACE}2; trump was Giant; before that, Player 2 said 2, "
        "Player 3 said 0, Player 4 said 0.",
        "Not known: how it would be played. In trick 2 of 2 the prediction went out of reach: "
        "Player 2 played Elf 7, Player 3 played Human 9, Player 4 played Human 2, "
        "You played Giant 2. You took the trick.",
    ],
    "elsewhere": [
        "You predicted 5 times: 2 met, 2 with too many tricks, 1 with too few; off by 0.6 on average."
    ],
    "rule": [
        "In 2 of 5 rounds the predictions added up to exactly the number of tricks; "
        "in the others somebody had to miss.",
        "If the sum were not allowed to equal the tricks, whoever predicted last would have had to name another number "
        "in these rounds: 1, 2.",
        "If a miss cost nothing, the points so far would change like this: You: +20 → +50, Player 2: −100 → +20, "
        "Player 3: −10 → +40, Player 4: −10 → +40.",
        "This only scores the same match again. Under the other rule, would everybody have named the same numbers?",
    ],
}


@pytest.mark.parametrize("name", ABOUT)
def test_a_match_in_words(name: str) -> None:
    assert words(evidence(name, played(), [0], "en")) == EXPECTED_EN[name]


def test_the_evidence_belongs_to_the_questions() -> None:
    asked = {each.name for each in questions("wizard")}
    assert {*AGAIN} <= {*ABOUT} <= asked
    assert evidence("nothing", played(), [0], "en") == []


# Counted once more


@pytest.mark.parametrize("seed", ["1", "2", "4"])
def test_the_score_pad_says_the_same(seed: str) -> None:
    match = played(seed, short_game=6)
    pad = [
        event.values
        for events in match.events
        for event in events
        if event.text.startswith("score.")
    ]
    for seat in match.game.seats:
        mine = [each for each in pad if each["seat"] == seat]
        met = [place for place, each in enumerate(mine, 1) if each["bid"] == each["won"]]
        sure = words(evidence("sure", match, [seat], "en"))
        assert numbers(sure[0]) == [6, len(met)]
        (grid,) = (part for part in evidence("sure", match, [seat], "en") if isinstance(part, Grid))
        assert [int(row[0]) for row in grid.rows if row[1].endswith("✓")] == met
        assert [row[1].removesuffix(" ✓") for row in grid.rows] == [
            f"{each['bid']} → {each['won']}" for each in mine
        ]
        (line,) = words(evidence("elsewhere", match, [seat], "en"))
        over, under = (
            sum((each["won"] - each["bid"]) * side > 0 for each in mine) for side in (1, -1)
        )
        assert numbers(line)[:-2] == [
            6,
            *filter(None, [len(met), over, under]),
        ]  # nothing of which there is none
        mean = sum(abs(each["won"] - each["bid"]) for each in mine) / 6
        assert f"off by {mean:.1f} " in line
        rule = words(evidence("rule", match, [seat], "en"))
        free = sum(each["gain"] for each in mine if each["gain"] > 0)
        real = f"{match.state.points[seat]:+d}".replace("-", "−")
        assert f"You: {real} → {f'+{free}' if free else 0}" in rule[-2]


@pytest.mark.parametrize("seed", ["1", "2", "4"])
def test_cards_that_were_spared_are_counted_by_other_rules(seed: str) -> None:
    match, could, spared, full = played(seed, short_game=8), [0] * 4, [0] * 4, [0] * 4
    certain: list[list[tuple[int, ...]]] = [[] for _ in range(4)]

    def watch(now: Match, seat: int, action: Any) -> None:
        state = now.state
        if state.phase != "play" or not state.trick:
            return
        trick, trump = (
            [letters(card) for card in state.trick],
            COLOURS[state.trump] if state.trump >= 0 else "",
        )
        legal = oracle.legal([letters(card) for card in state.hands[seat]], trick)
        best = [card for card in legal if oracle.winner([*trick, card], trump) == len(trick)]
        if len(legal) > 1 and best:
            could[seat] += 1
            spared[seat] += letters(action) not in best
            full[seat] += letters(action) not in best and state.won[seat] >= state.bids[seat]
            if len(trick) == 3 and letters(action) not in best:
                certain[seat].append(
                    (state.round, sum(state.won) + 1, state.won[seat], state.bids[seat])
                )

    replay(match.record(), game=match.game, watch=watch)
    for seat in range(4):
        first, *example = words(evidence("exactly", match, [seat], "en"))
        assert bool(example) == bool(certain[seat])
        for line in example:
            assert (*numbers(line)[:2], *numbers(line)[-2:]) == certain[seat][-1]
        none_or_all = full[seat] in (0, spared[seat])  # said without a number
        assert (
            numbers(first)
            == [could[seat], spared[seat], full[seat]][: 1 if not spared[seat] else 3 - none_or_all]
        )
        assert ("had already been won" in first) == (full[seat] > 0)
    assert sum(spared) > sum(full) > 0
    assert any(certain)


def test_luck_is_what_the_card_counter_reckons() -> None:
    match, worth = played("2"), [0.0] * 4

    class Asked(CardCounter):
        def shares(self, obs: Any) -> float:
            return sum(Unseen(self.game, obs).shares(obs.hand, obs.trump))

    asked = Asked(stream("any", "seat 0"), match.game)

    def watch(now: Match, seat: int, action: Any) -> None:
        if now.state.phase == "bid":
            worth[seat] += asked.shares(now.game.observe(now.state, seat))

    replay(match.record(), game=match.game, watch=watch)
    for seat in range(4):
        assert f"worth {worth[seat]:.1f} tricks" in words(evidence("luck", match, [seat], "en"))[0]


def test_every_missed_round_comes_up_the_worst_one_first() -> None:
    match = played("2", short_game=7)
    pad = [
        event.values for events in match.events for event in events if event.text == "score.missed"
    ]
    mine = [each for each in pad if each["seat"] == 1]
    shown = [words(evidence("mistake", match, [1], "en", draw))[0] for draw in range(2 * len(mine))]
    assert len(mine) > 2
    assert shown[: len(mine)] == shown[len(mine) :]
    assert len({*shown}) == len(mine)
    assert numbers(shown[0])[3] == max(abs(each["gain"]) for each in mine)
    assert all(f"predicted {each['bid']} and won {each['won']}" in " ".join(shown) for each in mine)


def test_who_missed_nothing_is_told_so_and_who_has_not_bid_yet_too() -> None:
    match = Match(Wizard(3, Options(rounds=(1,))), "1")
    assert "Nothing has happened so far" in words(evidence("mistake", match, [0], "en"))[0]
    done = next(
        each
        for each in (play_out(match.game, [AtRandom] * 3, seed) for seed in range(50))
        if each.state.bids[0] == each.state.won[0]
    )
    assert words(evidence("mistake", done, [0], "en")) == ["So far every prediction was met."]


# Options and moments


def test_bids_made_at_once_have_no_order() -> None:
    for mode in ("hidden", "secret"):
        match = played("2", bid_mode=mode)
        (line,) = evidence("order", match, [0], "en")
        assert "everybody predicted at once" in line
        assert (
            "what the others predicted was not known."
            in words(evidence("mistake", match, [1], "en"))[1]
        )


def test_a_number_that_could_not_be_said_is_told() -> None:
    match = played("2", bid_rule="sum_must_differ", short_game=8)
    barred: list[list[int]] = [[] for _ in match.game.seats]

    def watch(now: Match, seat: int, action: Any) -> None:
        state = now.state
        if state.phase == "bid" and seat == state.dealer:
            barred[seat] += {*range(state.size + 1)} - {*now.game.legal_actions(state, seat)}

    replay(match.record(), game=match.game, watch=watch)
    for seat in match.game.seats:
        told = [
            line
            for line in words(evidence("order", match, [seat], "en"))
            if "could not say" in line
        ]
        assert [numbers(line)[0] for line in told] == barred[seat]
    assert sum(map(len, barred)) > 1
    assert not any("the sum had to" in line for line in words(evidence("rule", match, [0], "en")))


def test_the_card_on_the_forehead_is_not_told_as_known() -> None:
    seeds = (played(str(seed), hawk_eye=True, short_game=1) for seed in range(50))
    match = next(each for each in seeds if each.state.bids[0] != each.state.won[0])
    told = words(evidence("mistake", match, [0], "en"))[1]
    assert "You could not see this card, only" in told
    assert told.count("(Player ") == 3
    assert "Nothing has happened so far" in words(evidence("luck", match, [0], "en"))[0]


def test_a_match_that_has_just_begun_or_is_half_over_has_evidence_too() -> None:
    for options in ({}, {"hawk_eye": True}, {"bid_mode": "secret", "bid_rule": "adjust_tricks"}):
        match = played("2", 3, **{"short_game": 4} | options)
        for upto in range(0, len(match.log), 9):
            early = replay(match.record(), upto=upto, game=match.game)
            for name in ABOUT:
                shown = evidence(name, early, [0], "en", upto)
                assert shown
                assert all(part.svg for part in shown if isinstance(part, Picture) and not upto % 4)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_reader_is_spoken_to_several_are_named_and_pictures_have_words(language: str) -> None:
    match, you = played(), load_texts("wizard")["evidence.you"][language]
    name = text("seat.number", language, number=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for about in ABOUT:
            alone, together = (
                evidence(about, match, seats, language, 1) for seats in ([0], [0, 1])
            )
            for part in alone + together:
                if isinstance(part, Picture):
                    assert len(part.alt) > 20
                    assert part.svg
                    assert "{" not in part.alt + part.caption
            assert any(you in line for line in words(alone))
            assert not any(name in line for line in words(alone))
            assert not any(you in line for line in words(together))


# Nothing hidden


def sealed(shown: list[Any]) -> list[Any]:
    return [(part.alt, part.caption) if isinstance(part, Picture) else part for part in shown]


@pytest.mark.parametrize("name", ABOUT)
def test_nothing_depends_on_cards_that_the_reader_has_not_seen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same match with other cards in the others' hands and in the pile, from the second deal
    on.
    """
    game = Wizard(4, Options(rounds=(2, 6), first_dealer=0))
    match = play_out(game, [STRATEGIES[seat % 3] for seat in range(4)], "7")
    deck: dict[bool, list[int]] = {}

    def rigged(rng: Any, cards: list[int]) -> None:
        shuffle(rng, cards)
        if cards == deck.get(False):
            cards[:] = deck[True]

    start = next(n for n, events in enumerate(match.events) if events[0].text == "deal")
    for upto in (start + 5, start + 11):
        deck.clear()
        now = replay(match.record(), upto=upto, game=game)
        deal = replay(match.record(), upto=start + 1, game=game).state
        before = sealed(evidence(name, now, [0], "en", 1))
        other = game.resample(game.observe(now.state, 0), stream("other", "seat 0"))
        assert other.hands[0] == now.state.hands[0]
        assert other.hands[1:] != now.state.hands[1:]
        gone = [
            [card for card in deal.hands[seat] if card not in now.state.hands[seat]]
            for seat in range(4)
        ]
        hands = [sorted([*other.hands[seat], *gone[seat]]) for seat in range(4)]
        deck[True] = [card for hand in hands for card in hand] + other.undealt + [other.turned]
        rng = stream(match.seed, "chance")
        for _ in range(2):  # the second deal is the one to be changed
            deck[False] = list(game.deck)
            shuffle(rng, deck[False])
        with monkeypatch.context() as patched:
            patched.setattr(rules, "shuffle", rigged)
            same = replay(now.record(), game=game)
            assert same.state.hands == [tuple(sorted(hand)) for hand in other.hands]
            assert sealed(evidence(name, same, [0], "en", 1)) == before


@pytest.mark.parametrize("name", ABOUT)
def test_nothing_depends_on_a_sealed_bid_of_somebody_else(name: str) -> None:
    match = played("2", bid_mode="secret", rounds=(1, 4), short_game=None)
    start = max(n for n, (_, _) in enumerate(match.log) if match.events[n][0].text == "deal")
    record = match.record()
    log = [
        (seat, 4 - action) if start < n <= start + 4 and seat != 0 else (seat, action)
        for n, (seat, action) in enumerate(record.log)
    ]
    for upto in (start + 5, start + 12):
        one = replay(record, upto=upto, game=match.game)
        two = replay(replace(record, log=tuple(log)), upto=upto, game=match.game)
        assert one.state.bids != two.state.bids
        assert sealed(evidence(name, one, [0], "en")) == sealed(evidence(name, two, [0], "en"))
