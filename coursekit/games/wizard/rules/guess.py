"""What a seat can conclude about the cards it does not see."""

from random import Random
from typing import TYPE_CHECKING

from coursekit.core.chance import below, deal_where
from coursekit.games.wizard.rules.cards import NO_SUIT, NOTHING, SUIT

if TYPE_CHECKING:
    from coursekit.games.wizard.rules.game import Observation, State, Wizard


def voids(game: "Wizard", obs: "Observation") -> list[set[int]]:
    """Return for each seat the suits it cannot hold any more, because it did not follow them."""
    void: list[set[int]] = [set() for _ in game.seats]
    if game.hawk(obs):  # that trick is shown, not played: nobody had to follow
        return void
    cards, n = obs.played + obs.trick, game.players
    for number, leader in enumerate([(obs.dealer + 1) % n, *obs.takers]):
        trick = cards[number * n : (number + 1) * n]
        for place, card in enumerate(trick):
            led = game.led(trick[:place])
            if led != NOTHING and SUIT[card] not in (led, NO_SUIT):
                void[(leader + place) % n].add(led)
    return void


def resample(game: "Wizard", obs: "Observation", rng: Random) -> "State":
    """Return a state that looks like *obs* to its seat; see :meth:`coursekit.core.game.Game.resample`."""
    void, known = voids(game, obs), [list(cards) for cards in obs.shown] or [[] for _ in game.seats]
    if obs.seat is not None and obs.hand:
        known[obs.seat] = list(obs.hand)
    seen = {*obs.played, *obs.trick, obs.turned, *(card for hand in known for card in hand)}
    hidden = [card for card in game.deck if card not in seen]
    sizes = [held - len(hand) for held, hand in zip(obs.held, known)] + [obs.undealt]
    dealt = deal_where(rng, hidden, sizes, lambda seat, card: seat == game.players or SUIT[card] not in void[seat])
    turn = obs.leader if obs.phase in ("scored", "over") else obs.waiting[0]
    return game.state_type(
        round=obs.round, size=obs.size, scorer=obs.scorer, dealer=obs.dealer, phase=obs.phase, turn=turn,
        hands=[sorted(hand + more) for hand, more in zip(known, dealt)], undealt=dealt[-1],
        turned=obs.turned, trump=obs.trump, ready=list(obs.ready), trick=list(obs.trick),
        bids=[below(rng, obs.size + 1) if bid < NOTHING else bid for bid in obs.bids],
        played=list(obs.played), takers=list(obs.takers), won=list(obs.won), points=list(obs.points),
        bid_sums=list(obs.bid_sums), rebids=obs.rebids,
    )  # fmt: skip
