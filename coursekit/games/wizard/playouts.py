"""What :class:`.CardCounter` does in guessed positions, by the million: between an observation and the kernel."""

from collections.abc import Container, Mapping, Sequence
from random import Random
from typing import Any

from coursekit.core.chance import below
from coursekit.core.compiled import Kernel, fastest
from coursekit.core.search import ANY, Core, Tries, knows
from coursekit.games.wizard import kernel
from coursekit.games.wizard.rules.cards import CARDS, NOTHING, SUIT
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.guess import voids
from coursekit.games.wizard.rules.state import Observation, hawk

KNOWN: Mapping[str, Container[Any]] = {
    "bid_mode": ("open",),  # else bids are guessed too
    "bid_rule": ("free", "sum_must_differ", "sum_must_differ_leader_only", "adjust_tricks"),
    "hawk_eye": (False, True),  # its round is left to the contract
    "jester_then_wizard": ("free", "next_suit_card_leads"),
    "open_hands": (False, True),
    "hit": range(101),
    "per_trick": range(101),
    "miss": range(101),
    "wizards": range(5),
    "jesters": range(5),
    # Nothing that happens between the trump and the points of one round
    "short_game": ANY,
    "rounds": ANY,
    "first_dealer": ANY,
    "dealer_picks_blind": ANY,  # one who does not see the hand is left to the contract
    "hidden_reveal": ANY,
    "hidden_sum_conflict": ANY,
    "tie_break": ANY,
    "trick_history": ANY,
}
"""Option -> the values with which the kernel plays as the rules do.  A new option is left to the contract."""
KINDS = ("trump", "bid", "play")
BITS = bytes(number.bit_count() for number in range(1 << 15))
BLUR = 0.7  # tricks by which bids are off those of a card counter with the same hand: their standard deviation
STRANGE = 0.02  # how likely a bid is that does not go with the hand at all, beside one that does
KEEN = 0.05  # tricks that others bid more than a card counter, for each card but the first: players that think do
GUESSES = 6  # deals a world, of which one is drawn, as likely as the bids that were made with it


def mask(cards: Sequence[int]) -> int:
    """Return *cards* as a set of bits."""
    return sum(1 << card for card in cards)


def core_of(game: Wizard, numbers: Sequence[float], fast: Kernel | None = None) -> Core | None:
    """Return the playouts of card counters with these *numbers* (:data:`.kernel.LATE` and so on).

    ``None`` if the kernel does not know the rules of *game*.
    """
    if not knows(KNOWN, game, Wizard):
        return None
    fast = fast or fastest(kernel)
    bits = fast.ints([*BITS]) if fast.compiled else BITS
    k, f = fast.floats([*numbers, BLUR, STRANGE, KEEN, GUESSES]), fast.floats([0.0] * kernel.FLOATS)

    def tries(obs: Observation) -> Tries | None:
        if obs.phase not in KINDS or not obs.hand or hawk(obs, game.options):
            return None
        counts = range(obs.size + 1)
        pay = fast.ints([game.gain(bid, won) for bid in counts for won in counts])
        start, past, void = position(game, obs)
        mine = obs.me
        owners = [seat for seat in game.seats if seat != mine for _ in range(obs.held[seat])]
        hidden = [card for card in game.deck if not (start[kernel.SEEN] | start[mine]) >> card & 1]
        owners += [-1] * (len(hidden) - len(owners))
        arrays = [fast.ints(each) for each in (start, [0] * kernel.LENGTH, hidden, owners, void)]
        before = fast.ints(past)

        def try_(actions: Sequence[int], worlds: int, rng: Random) -> list[list[float]]:
            out = fast.ints([0] * (worlds * len(actions)))
            r = fast.ints([1 + below(rng, (1 << 32) - 1)])
            kind = KINDS.index(obs.phase)
            made = fast.tried(*arrays, len(hidden), before, fast.ints(actions), kind, worlds, r, k, f, bits, pay, out)
            points = list(map(float, out))[: made * len(actions)]
            return [points[place :: len(actions)] for place in range(len(actions))]

        return try_

    return Core(tries, fast.compiled)


def pays_from(game: Wizard) -> tuple[int, int]:
    """Return from which chance of the only trick a bid of 1 pays more than 0, as part and whole.

    By the rulebook 30 of 70: right, it earns 10 more than 0; wrong, it costs the same.
    """
    risked, hoped_for = game.gain(0, 0) - game.gain(1, 0), game.gain(1, 1) - game.gain(0, 1)
    return (risked, risked + hoped_for) if risked + hoped_for > 0 else (1, 1)


def position(game: Wizard, obs: Observation) -> tuple[list[int], list[int], list[int]]:
    """Return the position that *obs* shows for the kernel, with its ``past``, and the cards that no seat can hold.

    The hands of others are empty.
    """
    n, s, past = game.players, [0] * kernel.LENGTH, [0] * (kernel.GUESS + 6)
    for seat in game.seats:
        s[kernel.BID + seat], s[kernel.WON + seat] = obs.bids[seat], obs.won[seat]
    s[obs.me] = mask(obs.hand)
    made = [bid for bid in obs.bids if bid != NOTHING]
    s[kernel.TURN], s[kernel.TRUMP], s[kernel.SIZE], s[kernel.PLAYERS] = obs.waiting[0], obs.trump, obs.size, n
    s[kernel.MADE], s[kernel.SUM], s[kernel.DEALER] = len(made), sum(made), obs.dealer
    s[kernel.PAYS], s[kernel.OF] = pays_from(game)
    past[kernel.SEEN] = mask([obs.turned] if obs.turned != NOTHING else [])
    s[kernel.SEEN] = past[kernel.SEEN] | mask(obs.played)
    s[kernel.DECK], s[kernel.PAST_WIZARD] = mask(game.deck), int(game.options.past_wizard)
    s[kernel.MUST_DIFFER] = int(game.sum_counts(obs.round, obs.dealer, obs.points))
    s[kernel.LED] = s[kernel.TRUMP_LED] = -1
    s[kernel.TURN] = obs.leader if obs.phase == "play" else s[kernel.TURN]
    for card in obs.trick:  # each of them once more, for the kernel to note who takes the trick
        kernel.play(s, card)
    for number, leader in enumerate([(obs.dealer + 1) % n, *obs.takers]):
        for place, card in enumerate((obs.played + obs.trick)[number * n : (number + 1) * n]):
            past[(leader + place) % n] |= 1 << card
    first = (obs.dealer + 1) % n
    for place in range(n):
        seat = (first + place) % n
        past[kernel.BID + seat] = place
        past[kernel.WON + seat] = sum(max(0, obs.bids[(first + each) % n]) for each in range(place))
    lacks = voids(obs, game.options)
    return s, past, [mask([card for card in CARDS if SUIT[card] in lacks[seat]]) for seat in game.seats]
