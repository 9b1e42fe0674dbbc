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
    SHUFFLE,
    Observation,
    State,
)


def resample(game: Box, obs: Observation, rng: Random) -> State:
    """Return a state that looks like *obs* to its seat; see
    :meth:`coursekit.core.game.Game.resample`.
    """
    lying = {*obs.tags, *obs.used}
    deck = [tag for tag in range(len(game.pack.tags)) if tag not in lying] + [
        SHUFFLE
    ] * game.options.shuffle_tag
    shuffle(rng, deck)
    others_extra = (
        obs.phase == "write" and not obs.buttons and game.players == 2 and obs.extra == NO_LIMIT
    )
    state = State(
        phase=obs.phase,
        round=obs.round,
        starter=obs.starter,
        turn=obs.turn,
        loops=obs.loops,
        pins=obs.pins,
        owners=obs.owners,
        tags=obs.tags,
        spools=obs.spools,
        around=obs.around,
        hands=[list(hand) for hand in obs.hands],
        deck=deck,
        used=list(obs.used),
        sheets=[list(sheet) for sheet in obs.answers],
        writes=[[0] * LINES for _ in game.seats],
        locked=list(obs.locked),
        buttons=list(obs.buttons),
        taken=list(obs.taken),
        extra=game.options.two_player_extra if others_extra else obs.extra,
        shown=obs.shown,
        compared=obs.compared,
        verdicts=[list(each) for each in obs.verdicts],
        doubts=[list(each) for each in obs.doubts],
        case=list(obs.case),
        challenger=obs.challenger,
        votes=[random_below(rng, 2) if voted else NOT_VOTED for voted in obs.voted],
        tally=list(obs.tally),
        points=list(obs.points),
        won=list(obs.won),
    )
    hidden = obs.numbers[obs.shown :] if obs.tags and NO_TAG not in obs.tags else ()
    for seat in game.seats:
        if seat == obs.seat:
            state.sheets[seat], state.writes[seat] = list(obs.sheet), list(obs.writes)
            state.votes[seat] = obs.vote
        elif obs.phase not in ("loop", "spool", "ready"):
            _scribble(game, state, seat, hidden, rng)
    return state


def _scribble(game: Box, state: State, seat: Seat, hidden: tuple[int, ...], rng: Random) -> None:
    """Fill some of the *hidden* lines of a sheet with legal answers."""
    sheet = state.sheets[seat]
    for number in hidden:
        word = pick(rng, DOODLES)
        if random_below(rng, 3) and ("write", number, word) in game.writing(
            state, sheet, state.writes[seat], NO_LIMIT
        ):
            sheet[number - 1] = word
