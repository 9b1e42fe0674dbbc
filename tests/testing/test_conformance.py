"""Every game of the kit keeps every promise of the contract, whatever its players and options."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from blockade_table import places as blockade_places
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.core.chance import pick, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import Game, pick_action
from coursekit.core.match import Match
from coursekit.core.options import to_tuples
from coursekit.core.registry import KIT_GAMES
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.state import State as KnitWitState
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.rules.cards import KINDS as CARDS
from coursekit.games.wikipedia.rules.cards import USE, VANDAL
from coursekit.games.wikipedia.rules.state import State as WikipediaState
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.state import State, is_hawk_eye
from coursekit.kit import GAMES
from coursekit.testing import (
    CHECKS,
    CheckError,
    Places,
    Walk,
    check_conservation,
    check_elsewhere,
    check_game,
    check_hidden,
    check_kit,
    check_lesson,
    check_options,
    check_sealed,
    draw_game_with,
    games,
    moment,
    options_of,
    seeds,
)


def pythons() -> dict[str, str]:
    """Return the installed Pythons from 3.11 on as version -> path, without the running one."""
    paths: dict[str, str] = {}
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(11, 20):
        version = f"3.{minor}"
        candidates = [
            shutil.which(f"python{version}"),
            *map(str, sorted(installed.glob(f"{version}.*/bin/python"))),
        ]
        for path in candidates:
            if path is None or sys.version_info[:2] == (3, minor) or version in paths:
                continue
            # A pyenv shim is on the PATH even if its version is not active.
            command = [path, "--version"]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            if answer.returncode == 0 and answer.stdout.startswith(f"Python {version}."):
                paths[version] = path
    return paths


# The same examples on every run: a failure in CI is a failure at home.
FEW = settings(
    max_examples=some(6, least=2),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
KINDS = [pytest.param(kit.rules, id=name) for name, kit in GAMES.items()]
STANDARD = [
    pytest.param(kit.standard(players), id=f"{name}-{players}")
    for name, kit in GAMES.items()
    for players in kit.rules.player_counts
]


def wizard_places(game: Wizard, state: State) -> Iterable[tuple[list[int], tuple[int, ...] | None]]:
    """Yield every place where a card of Wizard can lie, and who sees the cards there."""
    for seat, hand in enumerate(state.hands):
        if is_hawk_eye(state, game.options):
            yield hand, tuple(other for other in game.seats if other != seat)
        else:
            blind = (
                game.options.dealer_picks_blind and state.phase == "trump" and seat == state.dealer
            )
            yield hand, None if game.options.open_hands else () if blind else (seat,)
    if not state.hands:  # not dealt yet
        yield from [([], None)] * game.players
    yield state.undealt, ()
    yield [card for card in [state.turned] if card >= 0], None
    yield state.trick, None
    yield state.played, None


def wikipedia_places(
    game: Wikipedia, state: WikipediaState
) -> Iterable[tuple[list[str], tuple[int, ...] | None]]:
    """Yield every place where a card of 維基百科 vs 書籍 can lie, and who sees the cards there."""
    for seat, hand in enumerate(state.hands):
        yield hand, None if game.options.open_hands else (seat,)
    yield state.deck, ()
    yield counted(state.seen), None
    for seat in game.seats:
        yield counted(state.thrown[seat]), (seat,)
    yield [work for work in [state.work] if work], None
    yield [USE] * (state.user >= 0) + [VANDAL] * (state.vandal >= 0), None
    yield state.roles, None
    yield state.role_discards, None
    yield (
        state.role_deck,
        None,
    )  # whoever counts knows which roles are left, though not in which order


def counted(numbers: list[int]) -> list[str]:
    return [card for card, number in zip(CARDS, numbers, strict=True) for _ in range(number)]


def knitwit_places(
    game: KnitWit, state: KnitWitState
) -> Iterable[tuple[list[int], tuple[int, ...] | None]]:
    """Yield every place where a tag or a spool of Knit Wit (1000 and its number) can lie, and who
    sees them.
    """
    yield state.deck, ()
    yield state.used, None
    yield [tag for tag in state.tags if tag >= 0], None
    yield (
        [1000 + number for hand in state.hands for number in hand]
        + [1000 + spool[0] for spool in state.spools],
        None,
    )


PLACES: dict[str, Places] = {
    "blockade": blockade_places,
    "knitwit": knitwit_places,
    "wikipedia": wikipedia_places,
    "wizard": wizard_places,
}
"""Where the pieces of each game lie, for the checks that none is lost and none is seen by the wrong
seat.
"""


def called_aloud(action: object) -> bool:
    """Return whether all may see an action of Knit Wit at once: a button is taken, a challenge
    called.
    """
    return action == "stop" or (isinstance(action, tuple) and action[0] == "challenge")


IN_THE_OPEN: dict[str, Callable[[Any], bool]] = {"knitwit": called_aloud}
"""What of a game may be seen while others still decide, for the check that nothing else is."""


SHORT = {"blockade": {"laps_limit": 5}, "knitwit": {"loops": 4}, "wikipedia": {"points_to_win": 2}}
"""Options of which the standard values make long matches, and values that make short ones."""


def shorter(game: Game) -> Game:
    """Return *game* with a short match, where its options allow one and do not ask for a long one.

    What an option changes shows early; what needs a long match is looked at in the standard rules.
    """
    standard = type(game.options)()
    less = {
        name: value
        for name, value in SHORT.get(game.name, {}).items()
        if getattr(game.options, name) == getattr(standard, name)
    }
    with suppress(OptionError):
        return type(game)(game.players, replace(game.options, **less))
    return game


def drawn(kind: type[Game]) -> st.SearchStrategy[Game]:
    return games(kind).map(shorter)


def run(check: Callable[..., None], game: Game, seed: str) -> None:
    """Run one of the checks, with what it has to know of this game."""
    if check is check_sealed and game.name in IN_THE_OPEN:
        check = partial(check, in_the_open=IN_THE_OPEN[game.name])
    check(game, seed)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", STANDARD)
def test_the_standard_rules_keep_their_promises(game, check):
    run(check, game, "standard")


@pytest.mark.drawn
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_any_options_keep_the_promises(kind, check):
    @FEW
    @given(game=drawn(kind), seed=seeds())
    def holds(game, seed):
        run(check, game, seed)

    holds()


@pytest.mark.drawn
@pytest.mark.parametrize("kind", KINDS)
def test_no_piece_is_lost_or_doubled(kind):
    @FEW
    @given(game=drawn(kind), seed=seeds())
    def holds(game, seed):
        check_conservation(game, seed, PLACES[kind.name])

    holds()
    check_conservation(GAMES[kind.name].standard(), "standard", PLACES[kind.name])


@pytest.mark.drawn
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_knows_what_is_hidden(kind):
    @FEW
    @given(game=drawn(kind), seed=seeds())
    def holds(game, seed):
        check_hidden(game, seed, PLACES[kind.name])

    holds()
    check_hidden(GAMES[kind.name].standard(), "standard", PLACES[kind.name])


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_refuses_what_it_does_not_allow(kind):
    check_options(kind)


@pytest.mark.parametrize("name", KIT_GAMES)
def test_every_game_of_the_kit_brings_a_whole_lesson(name):
    check_kit(GAMES[name])
    check_lesson(GAMES[name])


def played_quickly(game: Game, rng: Random) -> int:
    """Play *game* at random without looking, and return the number of actions."""
    state, actions = game.initial_state(rng), 0
    while deciding := game.to_act(state):
        seat = pick(rng, deciding)
        game.apply(state, seat, pick_action(game.legal_actions(state, seat), rng), rng)
        actions += 1
        assert actions <= game.longest, game
    return actions


SLOW = {"knitwit": 7}
"""Games of which a match at random takes half a second: each of that many numbers of players tries
other values.
"""


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_of_every_option_plays_to_the_end(kind):
    step = SLOW.get(kind.name, 1)
    for number, players in enumerate(kind.player_counts):
        for options in list(options_of(kind, players, pairs=False))[number % step :: step]:
            played_quickly(shorter(kind(players, options)), stream("value", repr(options)))


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_of_options_play_to_the_end(kind):
    step = 12 * len(kind.player_counts) * (3 if kind.name in SLOW else 1)
    for number, players in enumerate(kind.player_counts):
        for options in list(options_of(kind, players))[number::step]:
            played_quickly(shorter(kind(players, options)), stream("pair", repr(options)))


def some_games(step: int) -> list[Game]:
    """Return a game of each kind with every *step*-th number of players, the smallest first, and
    any options.
    """
    return [
        shorter(draw_game_with(kit.rules, players, stream(f"{name} {players}", "elsewhere")))
        for name, kit in GAMES.items()
        for players in kit.rules.player_counts[::step]
    ]


def test_records_and_states_do_not_depend_on_the_hash_seed_or_process():
    check_elsewhere(some_games(2), "process")


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_records_and_states_are_the_same_on_another_python(version):
    found = pythons()
    if version not in found:
        pytest.skip(f"no other Python {version} here, only {', '.join(found) or 'this one'}")
    check_elsewhere(some_games(4), "python", found[version])


# The suite itself


def test_a_failure_says_how_to_see_it_again():
    walk = Walk(Wizard(3), "7")
    for match in walk:
        walk.rng.random()  # what a check draws does not lead the walk elsewhere
        if len(match.log) == 20:
            error = walk.broken("something")
            break
    assert str(error) == (
        "something\n  in Wizard(3) after 20 actions; to see it again: moment(Wizard(3), '7', 20)"
    )
    assert moment(Wizard(3), "7", 20).log == match.log


def test_a_walk_turns_any_error_inside_into_a_broken_promise():
    broken = pytest.raises(
        CheckError, match=r"ZeroDivisionError: .*\n  in Wizard\(3\) after 0 actions"
    )
    with broken, Walk(Wizard(3), "7"):
        _ = 1 / 0


def test_fields_that_an_observation_lacks_are_named():
    class Forgetful(Wizard):
        def observe(self, state, seat):
            seen = super().observe(state, seat)
            del seen.trump, seen.won
            return seen

    with pytest.raises(CheckError, match="observe left trump, won unfilled for seat 0"):
        check_game(Forgetful(3))


def test_a_quick_observation_that_differs_is_named():
    class Quick(Wizard):
        def observe_turn(self, state):
            seen = super().observe_turn(state)
            if seen is not None:
                seen.undealt += 1
            return seen

    with pytest.raises(CheckError, match="observe_turn gave"):
        check_game(Quick(3))


def test_a_list_in_a_tuple_of_a_state_is_named():  # a copy of the state would share it
    class Nested(Wizard):
        def initial_state(self, rng):
            state = super().initial_state(rng)
            state.takers = ([],)
            return state

    with pytest.raises(CheckError, match=r"state.takers is \(\[\],\)"):
        check_game(Nested(3))


@FEW
@given(data=st.data())
def test_states_survive_being_written_down_and_read_at_any_moment(data):
    """Read back, a state goes on exactly as the original does."""
    game = data.draw(games(Wizard))
    match = Match(game, data.draw(seeds()))
    rng = stream("read", "back")
    for _ in range(data.draw(st.integers(0, 60))):
        if match.over:
            return
        seat = pick(rng, game.to_act(match.state))
        match.play(seat, pick(rng, game.legal_actions(match.state, seat)))
    text = json.dumps({name: getattr(match.state, name) for name in State.__slots__})
    kept = json.loads(text)
    read = {name: value if name == "undealt" else to_tuples(value) for name, value in kept.items()}
    copy = State(**read | {"hands": list(read["hands"])})
    for state, chance in ((match.state, stream("a", "b")), (copy, stream("a", "b"))):
        for _ in range(30):
            if deciding := game.to_act(state):
                game.apply(state, deciding[0], game.legal_actions(state, deciding[0])[0], chance)
    assert copy == match.state
