"""How Wizard looks: what each moment shows, and what the log repeats."""

import json
from pathlib import Path

import pytest

from coursekit.core.match import Match, Record, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.table.scene import in_order, log, scene
from coursekit.kit.scene import Look
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
    pad = drawn(replay(Record.loads((RECORDS / "wizard-rulebook-example.json").read_text())))[1]["pad"]
    assert [cell["tone"] for cell in pad["rows"][0]["cells"]] == ["green", "red", "green"]


def test_a_hand_is_held_as_people_hold_it():
    wizard, jester, trumps, rest = 14, 0, [16, 28], [13, 12, 31]
    assert in_order([jester, *rest, *trumps, wizard], trump=1) == [wizard, 28, 16, 13, 12, 31, jester]


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
    assert len(zones["tricks"]["tricks"] if "tricks" in zones else []) == tricks
    story = match.story(0)
    told = [event for event, line in zip(story, log(story, Look(match.game, "en"), len(story)), strict=True) if line]
    assert sum(event.text == "play" for event in told) == {"none": 1, "last_only": 4, "full": 7}[shown]


def test_what_has_just_happened_is_told_even_if_the_log_will_not_repeat_it():
    match = play_out(Wizard(3, Options(short_game=2, trick_history="none")), [AtRandom] * 3, 1)
    story = match.story(None)
    lines = log(story, Look(match.game, "en"), fresh=0)
    assert None not in lines
    later = log(story, Look(match.game, "en"), fresh=len(story))
    assert None in later
    assert later[-1] == lines[-1]


def test_sealed_bids_are_a_question_mark_until_they_are_read():
    game = Wizard(3, Options(bid_mode="secret", rounds=(2, 2)))
    match = until(game, "play")
    (seats,) = [zone for zone in drawn(match, seat=0)[0]["zones"] if zone["kind"] == "seats"]
    assert [place["counts"][0]["value"] for place in seats["places"]] == ["0", "?", "?"]
    assert ["tokens" in place for place in seats["places"]] == [True, False, False]
    match = until(game, "scored")
    assert [place["counts"][0]["value"] for place in drawn(match)[1]["seats"]["places"]] == ["0", "0", "0"]


def test_hawk_eye_shows_every_card_but_the_own_one():
    match = Match(Wizard(3, Options(hawk_eye=True)), 1)
    zones = drawn(match, seat=1)[1]
    assert [len(place["pieces"]) for place in zones["seats"]["places"]] == [1, 0, 1]
    assert [piece["face"] for piece in zones["hand"]["pieces"]] == [{"back": True}]
    assert [len(place["pieces"]) for place in drawn(match, seat=None)[1]["seats"]["places"]] == [0, 0, 0]


def test_open_hands_are_open_in_a_hawk_eye_round_too():
    match = Match(Wizard(3, Options(hawk_eye=True)), 1)
    seen = [match.game.observe(match.state, seat) for seat in range(3)]
    found = scene(match.game.observe(match.state, None), match.story(None), Look(match.game, "en", open_hands=seen))
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_exists_in_every_language(language):
    prompts = set()
    for options in (Options(short_game=9), Options(hawk_eye=True, short_game=3), Options(bid_rule="adjust_tricks")):
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
