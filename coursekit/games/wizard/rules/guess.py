"""What a seat can conclude about the cards it does not see."""

from collections.abc import Sequence
from random import Random

from coursekit.core.chance import below, deal_where
from coursekit.games.wizard.rules.cards import NO_SUIT, NOTHING, SUIT, led_suit
from coursekit.games.wizard.rules.options import Options
from coursekit.games.wizard.rules.state import Observation, State, hawk


def voids(obs: Observation, options: Options) -> list[set[int]]:
    """Return for each seat the suits it cannot hold, because it did not follow them."""
    n = obs.players
    void: list[set[int]] = [set() for _ in range(n)]
    if hawk(obs, options):  # this trick is shown, not played: there was no suit to follow
        return void
    cards = obs.played + obs.trick
    for number, leader in enumerate([(obs.dealer + 1) % n, *obs.takers]):
        trick = cards[number * n : (number + 1) * n]
        for place, card in enumerate(trick):
            led = led_suit(trick[:place], options.past_wizard)
            if led != NOTHING and SUIT[card] not in (led, NO_SUIT):
                void[(leader + place) % n].add(led)
    return void


def resample(obs: Observation, options: Options, deck: Sequence[int], rng: Random) -> State:
    """Return a state that looks like *obs* to its seat; see :meth:`coursekit.core.game.Game.resample`."""
    void = voids(obs, options)
    known = [list(cards) for cards in obs.open_hands or obs.shown or [()] * obs.players]
    if obs.seat is not None and obs.hand:
        known[obs.seat] = list(obs.hand)
    seen = {*obs.played, *obs.trick, obs.turned, *(card for hand in known for card in hand)}
    hidden = [card for card in deck if card not in seen]
    sizes = [held - len(hand) for held, hand in zip(obs.held, known)] + [obs.undealt]
    dealt = deal_where(rng, hidden, sizes, lambda seat, card: seat == obs.players or SUIT[card] not in void[seat])
    turn = obs.leader if obs.phase in ("scored", "over") else obs.waiting[0]
    return State(
        round=obs.round, size=obs.size, scorer=obs.scorer, dealer=obs.dealer, phase=obs.phase, turn=turn,
        hands=[tuple(sorted(hand + more)) for hand, more in zip(known, dealt)], undealt=dealt[-1],
        turned=obs.turned, trump=obs.trump, ready=obs.ready, trick=obs.trick,
        bids=tuple(below(rng, obs.size + 1) if bid < NOTHING else bid for bid in obs.bids),
        played=obs.played, takers=obs.takers, won=obs.won, points=obs.points,
        bid_sums=obs.bid_sums, rebids=obs.rebids,
    )  # fmt: skip
