"""A state of Knit Wit that fits what a seat knows, with all that is hidden drawn anew."""

from random import Random

from coursekit.core.chance import pick, random_below, shuffle
from coursekit.core.game import Seat
from coursekit.games.knitwit.rules.box import Box
from coursekit.games.knitwit.rules.free_input import DOODLES
from coursekit.games.knitwit.rules.lexicon import LINES
from coursekit.games.knitwit.rules.state import (
    NO_LIMIT,
    NO_TAG,
    NOT_VOTED,
    PUBLIC,
    PUBLIC_LISTS,
    PUBLIC_TABLES,
    SHUFFLE,
    Observation,
    State,
)


def resample(game: Box, obs: Observation, rng: Random) -> State:
    """Return a state that looks like *obs* to its seat.

    See :meth:`coursekit.core.game.Game.resample`.
    """
    in_play = {*obs.tags, *obs.used}
    deck = [tag for tag in range(len(game.pack.tags)) if tag not in in_play]
    deck += [SHUFFLE] * game.options.shuffle_tag
    shuffle(rng, deck)
    fields = {name: getattr(obs, name) for name in PUBLIC}
    fields |= {name: list(getattr(obs, name)) for name in PUBLIC_LISTS}
    fields |= {name: list(map(list, getattr(obs, name))) for name in PUBLIC_TABLES}
    fields["sheets"] = list(map(list, obs.answers))
    votes = [random_below(rng, 2) if voted else NOT_VOTED for voted in obs.voted]
    writes = [[0] * LINES for _ in game.seats]
    state = State(deck=deck, writes=writes, votes=votes, extra=obs.extra, **fields)
    if obs.phase == "write" and not obs.buttons and game.players == 2 and obs.extra == NO_LIMIT:
        state.extra = game.options.two_player_extra  # of the other seat
    hidden = obs.numbers[obs.shown :] if obs.tags and NO_TAG not in obs.tags else ()
    for seat in game.seats:
        if seat == obs.seat:
            state.sheets[seat] = list(obs.sheet)
            state.writes[seat] = list(obs.writes)
            state.votes[seat] = obs.vote
        elif obs.phase not in ("loop", "spool", "ready"):
            _scribble(game, state, seat, hidden, rng)
    return state


def _scribble(game: Box, state: State, seat: Seat, hidden: tuple[int, ...], rng: Random) -> None:
    """Fill some of the *hidden* lines of a pad with legal answers."""
    for number in hidden:
        word = pick(rng, DOODLES)
        if random_below(rng, 3) and ("write", number, word) in game.write_input(state, seat):
            state.sheets[seat][number - 1] = word
