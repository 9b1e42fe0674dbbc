"""The option by which all hands lie open, so that a class can learn the rules."""

import json

import pytest
from playing import at_screen, pieces, views

from coursekit.core.errors import OptionError
from coursekit.core.match import Match, Record, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter, Thinker
from coursekit.kit import GAMES
from coursekit.testing import CHECKS

HANDS = ("wizard", "wikipedia", "blockade")
"""Games of which hands are a secret. Knit Wit has none: what is written there is one, and must stay
one.
"""


def opened(name: str):
    """Return the game as its preset with open hands has it, with all seats taken."""
    kind = GAMES[name].rules
    return kind(kind.player_counts[-1], kind.preset("open"))


@pytest.mark.parametrize("name", HANDS)
def test_everybody_sees_every_hand_if_they_are_open_and_not_otherwise(name):
    for game in (opened(name), GAMES[name].standard()):
        state = Match(game, "open").state
        hands = tuple(map(tuple, state.hands)) if game.options.open_hands else ()
        assert {game.observe(state, seat).open_hands for seat in (*game.seats, None)} == {hands}


@pytest.mark.parametrize("name", HANDS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_with_open_hands_the_game_keeps_its_promises(name, check):
    check(opened(name), "open")


@pytest.mark.parametrize("name", HANDS)
def test_a_match_with_open_hands_is_kept_and_an_older_record_has_them_closed(name):
    game, usual = opened(name), GAMES[name].standard()
    played = play_out(game, [AtRandom] * game.players, "open")
    assert replay(Record.loads(played.record().dumps())).state == played.state
    old = json.loads(play_out(usual, [AtRandom] * usual.players, "old").record().dumps())
    old["options"].pop("open_hands", None)
    assert not replay(Record.loads(json.dumps(old))).game.options.open_hands


@pytest.mark.parametrize("name", HANDS)
def test_a_shared_screen_shows_open_hands_and_goes_on_without_being_covered(name):
    game = opened(name)
    screen, drawn = at_screen(game, ["person"] * game.players, seed="open"), 0
    for view in views(screen, steps=40):
        now = game.observe(screen.run.match.state, view["viewer"])
        assert view["covered"] == [] or now.phase not in game.bare_phases
        if view["bare"]:
            screen.cover()  # there is nothing to cover
            assert screen.viewer == view["viewer"]
        if view["scenes"][-1]["over"] or view["covered"] or not screen.run.waiting:
            continue
        assert view["viewer"] in screen.run.waiting
        shown = {piece["id"] for piece in pieces(view["scenes"][-1])}
        assert len(shown) >= sum(now.held)
        drawn += 1
    assert drawn > 5


@pytest.mark.slow
def test_strategies_play_as_if_they_saw_their_own_hand_alone():
    closed, shown = (
        Wizard(4, Options(short_game=4, open_hands=is_open)) for is_open in (False, True)
    )
    for kind in (CardCounter, type("Own", (Thinker,), {"playouts": 60})):
        assert play_out(closed, [kind] * 4, "own").log == play_out(shown, [kind] * 4, "own").log


@pytest.mark.parametrize("other", ["hawk_eye", "dealer_picks_blind"])
def test_open_hands_do_not_go_with_a_rule_that_hides_ones_own(other):
    with pytest.raises(OptionError, match=other):
        Wizard(3, Options(open_hands=True, **{other: True}))
