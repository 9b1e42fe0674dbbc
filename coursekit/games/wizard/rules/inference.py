"""What a seat can conclude about the cards it does not see."""

from collections.abc import Callable, Sequence
from random import Random

from coursekit.core.chance import deal_where, pick, random_below, shuffle
from coursekit.games.wizard.rules.cards import NO_SUIT, NOTHING, SUIT
from coursekit.games.wizard.rules.options import Options
from coursekit.games.wizard.rules.state import Observation, State, is_hawk_eye

Led = Callable[[Sequence[int]], int]
"""Takes a trick and returns the suit to follow, or ``NOTHING``: :meth:`.Wizard.led`."""


def find_voids(obs: Observation, options: Options, led_in: Led) -> list[set[int]]:
    """Return for each seat the suits it cannot hold, because it did not follow them."""
    n = obs.players
    void: list[set[int]] = [set() for _ in range(n)]
    if is_hawk_eye(obs, options):  # this trick is shown, not played: there was no suit to follow
        return void
    cards = obs.played + obs.trick
    for number, leader in enumerate([(obs.dealer + 1) % n, *obs.takers]):
        trick = cards[number * n : (number + 1) * n]
        for place, card in enumerate(trick):
            led = led_in(trick[:place])
            if led != NOTHING and SUIT[card] not in (led, NO_SUIT):
                void[(leader + place) % n].add(led)
    return void


Dealt = list[list[int]]
"""The cards of each hand, then those that nobody holds."""


class HiddenCards:
    """The cards that a seat does not see and where they may lie, to be dealt many times."""

    def __init__(
        self, obs: Observation, options: Options, deck: Sequence[int], led_in: Led
    ) -> None:
        self.obs = obs
        self.void = [*find_voids(obs, options, led_in), set[int]()]
        self.known = [list(cards) for cards in obs.open_hands or obs.shown or [()] * obs.players]
        if obs.seat is not None and obs.hand:
            self.known[obs.seat] = list(obs.hand)
        seen = {*obs.played, *obs.trick, obs.turned}.union(*self.known)
        self.cards = [card for card in deck if card not in seen]
        self.sizes = [held - len(hand) for held, hand in zip(obs.held, self.known)] + [obs.undealt]
        self.owners = [hand for hand, size in enumerate(self.sizes) for _ in range(size)]

    def deal(self, rng: Random) -> Dealt:
        """Deal all cards at random, none of a suit that its hand cannot hold.

        A card that lies where it cannot changes places with one that can; mostly there are few.
        """
        cards = self.cards[:]
        owners, void = self.owners, self.void
        shuffle(rng, cards)
        for place, owner in enumerate(owners):
            suit = SUIT[cards[place]]
            if suit in void[owner]:
                others = [
                    other
                    for other, whose in enumerate(owners)
                    if suit not in void[whose] and SUIT[cards[other]] not in void[owner]
                ]
                if not others:
                    return self._search_deal(rng)
                other = pick(rng, others)
                cards[place], cards[other] = cards[other], cards[place]
        dealt = [hand[:] for hand in self.known] + [[]]
        for owner, card in zip(owners, cards):
            dealt[owner].append(card)
        return dealt

    def _search_deal(self, rng: Random) -> Dealt:
        """Deal where one change of places is not enough, which is rare."""

        def fits(hand: int, card: int) -> bool:
            return SUIT[card] not in self.void[hand]

        try:
            dealt = deal_where(rng, self.cards, self.sizes, fits)
        except ValueError:  # by a rule of one's own hands may hold what they did not follow
            dealt = deal_where(rng, self.cards, self.sizes, lambda hand, card: True)
        return [hand + more for hand, more in zip([*self.known, []], dealt)]

    def state(self, dealt: Dealt, rng: Random) -> State:
        """Return the state in which the cards lie as *dealt*; sealed bids are drawn with *rng*."""
        obs = self.obs
        turn = obs.leader if obs.phase in ("scored", "over") else obs.waiting[0]
        bids = [random_below(rng, obs.size + 1) if bid < NOTHING else bid for bid in obs.bids]
        return State(
            round=obs.round,
            size=obs.size,
            scorer=obs.scorer,
            dealer=obs.dealer,
            phase=obs.phase,
            turn=turn,
            hands=[tuple(sorted(hand)) for hand in dealt[:-1]],
            undealt=dealt[-1],
            turned=obs.turned,
            trump=obs.trump,
            ready=obs.ready,
            trick=obs.trick,
            bids=tuple(bids),
            played=obs.played,
            takers=obs.takers,
            won=obs.won,
            points=obs.points,
            bid_sums=obs.bid_sums,
            rebids=obs.rebids,
        )

    def resample(self, rng: Random) -> State:
        """Return a state that looks like the observation to its seat: :meth:`.Game.resample`."""
        return self.state(self.deal(rng), rng)
