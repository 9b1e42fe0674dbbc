"""How Wizard looks: what each moment shows, and what the log repeats."""

import json
from pathlib import Path

import pytest
from wizard_letters import cards

from coursekit.core.chance import pick, stream
from coursekit.core.match import Match, Record, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.cards import SUIT
from coursekit.games.wizard.rules.game import REBIDS
from coursekit.games.wizard.table.scene import forgets, in_order, log, scene
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.table.run import Run
from coursekit.table.view import View
from coursekit.words.texts import LANGUAGES

RECORDS = Path(__file__).parents[1] / "records"


def drawn(match, seat=0, language="en"):
    """Return the scene of *seat*, and its zones by kind."""
    look = Look(match.game, language, match.names)
    found = scene(match.game.observe(match.state, seat), match.story(seat), look)
    return found, {zone["kind"]: zone for zone in found["zones"]}


def until(game, phase, seed=1):
    """Return a match in which the first legal action was always taken until *phase* came."""
    match = Match(game, seed)
    while match.state.phase != phase:
        seat = game.to_act(match.state)[0]
        match.play(seat, game.legal_actions(match.state, seat)[0])
    return match


def test_the_score_pad_fills_as_in_the_rulebooks_example():
    record = Record.loads((RECORDS / "wizard-rulebook-example.json").read_text(encoding="utf-8"))
    match = replay(record)
    pad = drawn(match)[1]["pad"]
    assert pad["columns"] == ["Thomas", "Ute", "Kevin"]
    assert [[cell["parts"] for cell in row["cells"]] for row in pad["rows"][:2]] == [
        [["0", "0", "20"], ["1", "0", "−10"], ["1", "1", "30"]],
        [["2", "1", "10"], ["0", "0", "10"], ["0", "1", "20"]],
    ]


def test_a_bid_met_and_a_bid_missed_look_different():
    pad = drawn(replay(Record.loads((RECORDS / "wizard-rulebook-example.json").read_text())))[1][
        "pad"
    ]
    assert [cell["tone"] for cell in pad["rows"][0]["cells"]] == ["green", "red", "green"]


def test_a_hand_is_held_as_people_hold_it():
    wizard, jester, trumps, rest = 14, 0, [16, 28], [13, 12, 31]
    assert in_order([jester, *rest, *trumps, wizard], trump=1) == [
        wizard,
        28,
        16,
        13,
        12,
        31,
        jester,
    ]


def test_a_finished_trick_stays_until_the_next_card_is_led():
    match = until(Wizard(3, Options(rounds=(2,))), "play")
    for _ in range(3):
        seat = match.state.turn
        match.play(seat, match.game.legal_actions(match.state, seat)[0])
    row = drawn(match)[1]["row"]
    assert len(row["pieces"]) == 3
    assert sum("mark" in piece for piece in row["pieces"]) == 1
    assert sum(piece.get("faded", False) for piece in row["pieces"]) == 2
    taker = next(piece["owner"] for piece in row["pieces"] if "mark" in piece)
    assert taker == match.state.turn
    match.play(taker, match.game.legal_actions(match.state, taker)[0])
    assert len(drawn(match)[1]["row"]["pieces"]) == 1


@pytest.mark.parametrize(("shown", "tricks"), [("none", 0), ("last_only", 1), ("full", 2)])
def test_as_many_finished_tricks_are_shown_as_the_option_says(shown, tricks):
    match = until(Wizard(3, Options(rounds=(3,), trick_history=shown)), "play")
    for _ in range(7):
        seat = match.state.turn
        match.play(seat, match.game.legal_actions(match.state, seat)[0])
    zones = drawn(match)[1]
    shown_tricks = zones["tricks"]["tricks"] if "tricks" in zones else []
    assert len(shown_tricks) == tricks
    done = [f"card-{event.values['card']}" for event in match.story(0) if event.text == "play"][:6]
    shown_cards = [piece["id"] for trick in shown_tricks for piece in trick]
    assert shown_cards == done[6 - 3 * tricks :]
    story = match.story(0)
    told = [event for number, event in enumerate(story) if number not in forgets(story, match.game)]
    assert (
        sum(event.text == "play" for event in told) == {"none": 1, "last_only": 4, "full": 7}[shown]
    )


def test_what_has_just_happened_is_told_even_if_the_log_will_not_repeat_it():
    game = Wizard(3, Options(short_game=2, trick_history="none"))
    run = Run(game, ["person"] * 3, seed=1)
    view = View(run, None)
    while not run.match.over:
        seat = game.to_act(run.match.state)[0]
        run.act(seat, game.legal_actions(run.match.state, seat)[0])
    story = run.match.story(None)
    assert view.advance()
    assert view.json("en")["story"] == log(story, Look(game, "en"))
    view.catch_up()
    later = view.json("en")["story"]
    assert len(later) == len(story) - len(forgets(story, game)) < len(story)
    assert later[-1] == log(story, Look(game, "en"))[-1]


def played(trick, after=(), **options):
    """Return a match in which the cards of *trick* have just been played in turn, humans being
    trump.

    :param after: cards that the seats hold besides, for a second trick.
    """
    players = len(trick.split())
    game = Wizard(players, Options(rounds=(len(after or [""]),), **options))
    match = next(match for seed in range(100) if (match := Match(game, seed)).state.trump == 0)
    pool = cards(" ".join([trick, *after]))
    first = (match.state.dealer + 1) % players
    for place in range(players):
        match.state.hands[(first + place) % players] = tuple(pool[place::players])
    for _ in range(players):
        match.play(game.to_act(match.state)[0], 0)
    return match, [pool[place] for place in range(players)]


NEXT, FREE = "the next suit is followed", "nobody has to follow"
PAST = {"jester_then_wizard": "next_suit_card_leads"}


@pytest.mark.parametrize(
    ("trick", "options", "notes"),
    [
        ("Z R5 G3", {}, [FREE, FREE, ""]),
        ("N Z G3", {}, [NEXT, FREE, ""]),
        ("N Z G3 R2", PAST, [NEXT, NEXT, "Follow Elf, the first suit", ""]),
        ("N G3 N", {}, [NEXT, "Follow Elf, the first suit", ""]),
        ("G3 Z R2", {}, ["follow Elf", "Still follow Elf", ""]),
        ("N N N", {}, [NEXT, NEXT, "Only Jesters: the first one takes it"]),
        ("R2 Z Z", {}, ["follow Dwarf", "Still follow Dwarf", "the first takes it"]),
        ("B9 Z R2", {}, ["follow Human", "Still follow Human", "beats even a trump"]),
        ("G3 B2 R9", {}, ["follow Elf", "follow Elf", ""]),
    ],
)
def test_special_tricks_are_explained_on_the_table_and_once_in_the_log(trick, options, notes):
    match, lying = played(trick, **options)
    first = len(match.story(None))
    for card, note in zip(lying, notes, strict=True):
        match.play(match.state.turn, card)
        found = drawn(match, seat=None)[1]["row"]["note"]
        assert note in found
        assert bool(note) == bool(found)
    special = {note for note in notes if note and not note.startswith("follow")}
    lines = log(match.story(None), Look(match.game, "en"))
    assert [" ".join(lines).count(note) for note in special] == [1] * len(special)
    assert log(match.story(None), Look(match.game, "en"), first + 1) == lines[first + 1 :]


def test_the_rules_in_short_read_a_wizard_behind_a_jester_as_the_match_does():
    guide = kit_of("wizard").guide
    told = [
        guide.list_rules(Look(Wizard(4, Options(**each)), "en"))[guide.place_of_rule("play")]
        for each in ({}, PAST)
    ]
    assert ["comes before any suit" in each for each in told] == [True, False]
    assert ["is led" in each for each in told] == [False, True]


@pytest.mark.parametrize("past", ["free", "next_suit_card_leads"])
def test_what_the_table_says_about_following_is_what_the_rules_ask(past):
    said = set()
    for seed in range(12):
        game = Wizard(4, Options(rounds=(5,), jester_then_wizard=past))
        match, promise = bid_zero(game, seed), ""
        while not match.over:
            seat = match.state.turn
            note = drawn(match, seat)[1]["row"]["note"] if match.state.trick else ""
            hand, legal = match.state.hands[seat], game.legal_actions(match.state, seat)
            if "nobody" in note or "next suit" in note:
                assert sorted(legal) == sorted(hand)
            elif match.state.trick:
                suit = next(
                    each
                    for each, word in enumerate(("Human", "Elf", "Dwarf", "Giant"))
                    if word in note
                )
                holds = any(SUIT[card] == suit for card in hand)
                assert (
                    all(SUIT[card] == suit or card % 15 in (0, 14) for card in legal) or not holds
                )
                assert "nobody" not in promise  # once it is said, it holds for the whole trick
            promise = note
            said |= {
                word for word in ("nobody", "next suit", "first suit", "Still") if word in note
            }
            match.play(seat, pick(stream(seed, str(len(match.log))), legal))
    assert said == {"nobody", "next suit", "first suit", "Still"}


def bid_zero(game, seed):
    """Return a match of *game* in which everybody has bid 0."""
    match = Match(game, seed)
    while match.state.phase != "play":
        seat = game.to_act(match.state)[0]
        match.play(seat, 0)
    return match


def test_hawk_eyes_first_round_has_nothing_to_follow_and_says_nothing_of_it():
    for seed in range(20):
        match = play_out(Wizard(4, Options(hawk_eye=True, rounds=(1,))), [AtRandom] * 4, seed)
        told = " ".join(filter(None, log(match.story(None), Look(match.game, "en"), 0)))
        assert "ollow" not in told


def bids_on_the_pad(match, seat):
    """Return the bids in the last row of the pad as *seat* sees it."""
    rows = drawn(match, seat)[1]["pad"]["rows"]
    return (rows[-1]["head"], [cell["parts"][0] for cell in rows[-1]["cells"]]) if rows else None


def test_a_bid_is_on_the_pad_as_soon_as_it_is_made():
    game = Wizard(3, Options(rounds=(3, 2), first_dealer=2))
    match = Match(game, 5)
    while match.state.phase == "trump":
        match.play(match.state.turn, 0)
    assert bids_on_the_pad(match, 0) is None
    for made, expected in ((2, ["2", "–", "–"]), (0, ["2", "0", "–"]), (3, ["2", "0", "3"])):
        match.play(match.state.turn, made)
        assert bids_on_the_pad(match, 1) == ("1", expected)
    while match.state.phase == "play":
        match.play(match.state.turn, game.legal_actions(match.state, match.state.turn)[0])
        assert bids_on_the_pad(match, None) == ("1", ["2", "0", "3"])
    (row,) = drawn(match)[1]["pad"]["rows"]  # scored: no longer only written down
    assert all(cell["tone"] in ("green", "red") for cell in row["cells"])
    assert bids_on_the_pad(match, 0) == ("1", ["2", "0", "3"])


@pytest.mark.parametrize(
    ("options", "own", "scorer", "others"),
    [
        ({"bid_mode": "hidden"}, "2 1 0", "2 1 0", "2 1 0"),
        ({"bid_mode": "hidden", "hidden_reveal": "scorer_only"}, "2 ? ?", "2 1 0", "? 1 ?"),
        ({"bid_mode": "secret"}, "2 ? ?", "? ? 0", "? 1 ?"),
    ],
)
def test_the_pad_shows_sealed_bids_to_those_alone_who_may_read_them(options, own, scorer, others):
    game = Wizard(3, Options(rounds=(2,), first_dealer=2, **options))
    match = next(match for seed in range(50) if (match := Match(game, seed)).state.phase == "bid")
    match.play(0, 2)
    match.play(1, 1)
    assert [bids_on_the_pad(match, seat)[1] for seat in (0, 2, None)] == [
        ["2", "?", "–"],
        ["?", "?", "–"],
        ["?", "?", "–"],
    ]
    match.play(2, 0)
    assert [" ".join(bids_on_the_pad(match, seat)[1]) for seat in (0, 2, 1)] == [
        own,
        scorer,
        others,
    ]


def test_who_keeps_the_pad_is_shown_if_the_predictions_are_read_by_that_player_only():
    for reveal, shown in (("scorer_only", [False, False, True]), ("before_play", [False] * 3)):
        match = Match(
            Wizard(3, Options(bid_mode="hidden", hidden_reveal=reveal, first_dealer=2)), 1
        )
        while match.state.round < 2:  # also once somebody else deals
            places = drawn(match)[1]["seats"]["places"]
            assert ["keeps the score pad" in place["badges"] for place in places] == shown
            seat = match.game.to_act(match.state)[0]
            match.play(seat, match.game.legal_actions(match.state, seat)[0])
        assert [
            "keeps the score pad" in place["badges"] for place in drawn(match)[1]["seats"]["places"]
        ] == shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_predicting_again_ends_after_as_many_times_as_the_option_says(language):
    options = {"bid_mode": "hidden", "bid_rule": "sum_must_differ", "hidden_sum_conflict": "rebid"}
    assert str(REBIDS) in Look(Wizard(3), language).say("option.hidden_sum_conflict.help")
    match = Match(Wizard(3, Options(rounds=(1,), **options)), 2)
    prompts = []
    while match.state.phase != "play":
        if match.state.phase == "bid" and not any(bid >= 0 for bid in match.state.bids):
            prompts.append(drawn(match, 0, language)[0]["prompt"])
        seat = match.game.to_act(match.state)[0]
        match.play(seat, int(seat == 0) if match.state.phase == "bid" else 0)
    assert len(prompts) == REBIDS + 1
    assert len(set(prompts[:-1])) == 1
    assert str(REBIDS) in prompts[-1]
    assert prompts[-1] != prompts[0]


def test_sealed_bids_are_a_question_mark_until_they_are_read():
    game = Wizard(3, Options(bid_mode="secret", rounds=(2, 2)))
    match = until(game, "play")
    (seats,) = [zone for zone in drawn(match, seat=0)[0]["zones"] if zone["kind"] == "seats"]
    assert [place["counts"][0]["value"] for place in seats["places"]] == ["0", "?", "?"]
    assert ["tokens" in place for place in seats["places"]] == [True, False, False]
    match = until(game, "scored")
    assert [place["counts"][0]["value"] for place in drawn(match)[1]["seats"]["places"]] == [
        "0",
        "0",
        "0",
    ]


def test_hawk_eye_shows_every_card_but_the_own_one():
    match = Match(Wizard(3, Options(hawk_eye=True)), 1)
    zones = drawn(match, seat=1)[1]
    assert [len(place["pieces"]) for place in zones["seats"]["places"]] == [1, 0, 1]
    assert [piece["face"] for piece in zones["hand"]["pieces"]] == [{"back": True}]
    assert [len(place["pieces"]) for place in drawn(match, seat=None)[1]["seats"]["places"]] == [
        0,
        0,
        0,
    ]


def test_open_hands_are_open_in_a_hawk_eye_round_too():
    match = Match(Wizard(3, Options(hawk_eye=True)), 1)
    seen = [match.game.observe(match.state, seat) for seat in range(3)]
    found = scene(
        match.game.observe(match.state, None),
        match.story(None),
        Look(match.game, "en", open_hands=seen),
    )
    (seats,) = [zone for zone in found["zones"] if zone["kind"] == "seats"]
    shown = [[piece["id"] for piece in place["pieces"]] for place in seats["places"]]
    assert shown == [[f"card-{card}" for card in hand] for hand in match.state.hands]


def test_the_end_shows_who_won_and_what_everybody_held():
    match = play_out(Wizard(3, Options(short_game=4)), [AtRandom] * 3, 1)
    found, zones = drawn(match, seat=None)
    assert found["over"]
    assert [place["winner"] for place in zones["seats"]["places"]] == [
        seat in match.game.winners(match.state) for seat in range(3)
    ]
    assert [len(place["pieces"]) for place in zones["seats"]["places"]] == [4, 4, 4]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_exists_in_every_language(language):
    prompts = set()
    for options in (
        Options(short_game=9),
        Options(hawk_eye=True, short_game=3),
        Options(bid_rule="adjust_tricks"),
    ):
        match = Match(Wizard(3, options), 4)
        while not match.over:
            for seat in (0, None):
                found, _ = drawn(match, seat, language)
                prompts.add(found["prompt"])
                assert json.dumps(found)
            seat = match.game.to_act(match.state)[0]
            match.play(seat, match.game.legal_actions(match.state, seat)[-1])
    assert len(prompts) > 12
    assert all(prompt and "{" not in prompt for prompt in prompts)
