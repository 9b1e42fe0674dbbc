"""Whether a decision told anybody more than itself, so that it can be taken back."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from coursekit.core.game import AnyGame, Event, Seat

GUESSES = 5
"""How often what a seat does not know is guessed."""
MOST = 60
"""Maximum other actions that are tried in a guess."""


def reveals_nothing(
    game: AnyGame, before: Any, seat: Seat, action: Any, after: Any, events: Sequence[Event]
) -> bool:
    """Return whether no seat learned from *seat*'s *action* what it did not know *before*.

    What each seat did not know then is guessed several times. Wherever the guess lets *seat* do
    something that looks to the other as what came of *action* did, it has told nothing.

    :param after: the state that came of *action*, with these *events*.
    """
    rng = Random(0)  # of guesses alone
    for viewer in game.seats:
        known = game.observe(before, viewer)
        seen = game.observe(after, viewer), _heard(events, viewer)
        for _ in range(GUESSES):
            guess = game.resample(known, rng)
            if not any(
                _look(game, guess, seat, other, viewer, rng) == seen
                for other in _candidates(game, guess, seat, action, viewer)
            ):
                return False
    return True


def _candidates(game: AnyGame, guess: Any, seat: Seat, action: Any, viewer: Seat) -> Iterator[Any]:
    """Yield *action* if *seat* could do it in *guess*, then what else another may take it for."""
    if game.refusal(guess, seat, action) is None:
        yield action
    legal = game.legal_actions(guess, seat)
    if viewer != seat and isinstance(legal, tuple):
        yield from (other for other in legal[:MOST] if other != action)


def _look(
    game: AnyGame, guess: Any, seat: Seat, action: Any, viewer: Seat, rng: Random
) -> tuple[Any, list[Event]]:
    state = game.copy(guess)
    events = game.apply(state, seat, action, rng)
    return game.observe(state, viewer), _heard(events, viewer)


def _heard(events: Sequence[Event], viewer: Seat) -> list[Event]:
    return [event for event in events if event.is_for(viewer)]
