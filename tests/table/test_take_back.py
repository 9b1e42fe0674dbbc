"""A decision that told nobody anything is taken back as if it had not been made."""

import json
from dataclasses import replace
from random import Random

import pytest
from cells import here, send
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import some
from playing import at_screen, do

from coursekit.core.game import TABLE
from coursekit.core.match import Record, RecordError, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.table.run import StaleError
from coursekit.table.shared_screen import Screen
from coursekit.table.storage.sqlite_store import Store
from coursekit.table.widget import Table


def offer(screen):
    return screen.view("en")["take_back"]


def decide(screen: Screen, rng: Random) -> bool:
    """Let whoever comes next decide by *rng*; return whether anybody could."""
    run = screen.run
    while run.more:
        screen.go_on()
    deciding = run.game.to_act(run.match.state)
    if not deciding:
        return False
    if screen.covered:
        screen.uncover(screen.covered[0])
    seat = TABLE if TABLE in deciding else run.waiting[0] if screen.together else screen.viewer
    legal = run.game.legal_actions(run.match.state, seat)
    action = rng.choice(legal) if isinstance(legal, tuple) else legal.sample(rng)
    screen.act(seat, action, screen.acted)
    screen.tick()
    return True


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=some(30, 6), deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_taking_back_and_playing_on_is_as_never_having_done_it(name, seed, data):
    kit = GAMES[name]
    presets = [kit.rules.preset(each) for each in kit.rules.presets]
    rules = kit.rules(kit.standard(None).players, data.draw(st.sampled_from(presets)))
    others = data.draw(st.lists(st.sampled_from(["person", AtRandom]), min_size=8, max_size=8))
    seats = ["person", "person", *others][: rules.players]
    wavering, plain = (at_screen(rules, seats, seed=seed) for _ in "ab")
    taken = []
    for turn in range(data.draw(st.integers(1, 40))):
        before = wavering.run.match.record()
        if not decide(wavering, Random(f"{seed} {turn}")):
            break
        chance = Random(f"{seed} {turn}")
        if found := offer(wavering):
            taken.append((len(before.log), *wavering.run.match.log[-1]))
            wavering.take_back(found["decision"])
            assert wavering.run.match.record() == replace(before, taken_back=tuple(taken))
            decide(wavering, Random(f"{seed} {turn} again"))
            chance = Random(f"{seed} {turn} again")
        decide(plain, chance)
        assert wavering.run.match.state == plain.run.match.state
    record = wavering.run.match.record()
    assert replace(record, taken_back=()) == plain.run.match.record()
    assert record.taken_back == tuple(taken)
    assert Record.loads(record.dumps()) == record == replay(record).record()


def three(*seats):
    options = Options(rounds=(2, 2), first_dealer=2)
    return at_screen(Wizard(3, options), seats or ["person"] * 3, ["An", "Bo", "Cy"], seed=1)


def bid(screen, tricks):
    screen.uncover(screen.covered[0])
    do(screen, screen.viewer, tricks)


def test_a_bid_is_taken_back_and_its_player_decides_again():
    screen = three()
    bid(screen, 1)
    found = offer(screen)
    assert "An wants to take back" in found["ask"]
    assert "If Bo" in found["ask"]
    assert screen.take_back(found["decision"]) == 0
    assert screen.covered[0] == 0
    assert offer(screen) is None
    bid(screen, 2)
    assert screen.run.match.log == [(0, 2)]
    assert screen.run.match.taken_back == ((0, 0, 1),)


def test_what_showed_a_card_cannot_be_taken_back():
    screen = three()
    for _ in range(3):
        bid(screen, 1)
    assert offer(screen) is not None  # the last bid has shown nothing
    screen.uncover(screen.covered[0])
    do(screen, 0, screen.run.game.legal_actions(screen.run.match.state, 0)[0])
    assert offer(screen) is None


def test_only_the_last_decision_is_taken_back_and_only_once():
    screen = three()
    bid(screen, 1)
    first = offer(screen)["decision"]
    bid(screen, 1)
    with pytest.raises(StaleError):
        screen.take_back(first)
    second = offer(screen)["decision"]
    screen.take_back(second)
    with pytest.raises(StaleError):
        screen.take_back(second)


def test_nobody_takes_back_alone_or_after_a_strategy_has_seen_it():
    alone = at_screen(Wizard(3, Options(first_dealer=2)), ["person", AtRandom, AtRandom], seed=1)
    do(alone, 0, 0)
    assert offer(alone) is None
    watched = three("person", AtRandom, "person")
    bid(watched, 1)
    assert offer(watched) is None


def test_a_secret_bid_can_be_taken_back_while_the_others_still_decide():
    options = Options(bid_mode="secret", rounds=(2, 2))
    screen = at_screen(Wizard(3, options), ["person"] * 3, seed=1)
    bid(screen, 1)
    screen.take_back(offer(screen)["decision"])
    assert screen.run.waiting == (0, 1, 2)


def test_the_table_says_who_agreed_and_the_store_keeps_the_match(tmp_path):
    table = Table(
        Wizard(3, Options(first_dealer=2)),
        seats=["person"] * 3,
        language="en",
        names=["An", "Bo", "Cy"],
        store=Store(tmp_path),
        seed=1,  # of a deal that turns up no Wizard: the dealer would choose the trump first
    )
    send(table, here(table) | {"type": "uncover", "seat": 0})
    send(table, here(table) | {"type": "act", "seat": 0, "action": 1})
    decision = table.view["take_back"]["decision"]
    send(table, here(table) | {"type": "take_back", "decision": decision})
    assert "An took back" in table.view["notice"]
    assert table.view["boxes"] == []
    send(table, here(table) | {"type": "uncover", "seat": 0})
    send(table, here(table) | {"type": "act", "seat": 0, "action": 0})
    record, _ = Store(tmp_path).load(table.view["match"])
    assert record.log == ((0, 0),)
    assert record.taken_back == ((0, 0, 1),)


@pytest.mark.parametrize("wrong", [[[0, 0]], [[5, 0, 1]], [["0", 0, 1]], 1, [[-1, 0, 1]]])
def test_a_damaged_list_of_what_was_taken_back_is_refused(wrong):
    data = json.loads(three().run.match.record().dumps()) | {"taken_back": wrong}
    with pytest.raises(RecordError):
        Record.loads(json.dumps(data))
