"""What a seat can conclude about the cards it does not see."""

from bisect import insort
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from coursekit.chance import deal_where, shuffle
from coursekit.games.wikipedia.cards import KINDS, NUMBER, USE, VANDAL

if TYPE_CHECKING:
    from coursekit.games.wikipedia.rules import Wikipedia
    from coursekit.games.wikipedia.state import Observation, State


def on_table(obs: "Observation | State") -> list[str]:
    """Return the cards that lie open in the squares."""
    return [obs.work] * (obs.work != "") + [USE] * (obs.user >= 0) + [VANDAL] * (obs.vandal >= 0)


def unseen(game: "Wikipedia", obs: "Observation") -> list[str]:
    """Return all cards that this seat does not see: in other hands, in the deck, and discarded by others."""
    left = Counter(game.cards)
    left.subtract([*obs.hand, *on_table(obs)])
    left.subtract(dict(zip(KINDS, obs.seen)))
    left.subtract(dict(zip(KINDS, obs.thrown)))
    return [kind for kind in KINDS for _ in range(left[kind])]


def resample(game: "Wikipedia", obs: "Observation", rng: Random) -> "State":
    """Return a state that looks like *obs* to its seat; see :meth:`coursekit.game.Game.resample`."""
    others = [seat for seat in game.seats if seat != obs.seat]
    # A hand is a place for each card, the newest first: of a kind that the seat had none of, only
    # the newest cards can be.
    places = [(seat, age) for seat in others for age in range(obs.held[seat])]
    cards = unseen(game, obs)
    dealt = deal_where(
        rng,
        range(len(cards)),
        [*[1] * len(places), obs.discards - sum(obs.seen) - sum(obs.thrown), obs.deck],
        lambda place, card: place >= len(places) or places[place][1] < obs.at_most(places[place][0], cards[card]),
    )
    hands = [[] if seat in others else list(obs.hand) for seat in game.seats]
    for (seat, _), (card,) in zip(places, dealt):
        insort(hands[seat], cards[card])
    thrown = [0] * 5 * game.players
    for number, cards_known in enumerate(obs.thrown):
        thrown[5 * (obs.seat or 0) + number] = cards_known
    for card in dealt[-2]:  # by whom, this seat may have forgotten
        thrown[5 * others[0] + NUMBER[cards[card]]] += 1
    deck = [cards[card] for card in dealt[-1]]
    shuffle(rng, deck)
    role_deck = sorted((Counter(game.role_cards) - Counter([*obs.roles, *obs.role_discards])).elements())
    shuffle(rng, role_deck)
    return game.state_type(
        phase=obs.phase, starter=obs.starter, turn=obs.turn, hands=hands, deck=deck, seen=list(obs.seen),
        thrown=thrown, roles=list(obs.roles), role_deck=role_deck, role_discards=list(obs.role_discards),
        work=obs.work, author=obs.author, user=obs.user, vandal=obs.vandal, die=obs.die, repaired=obs.repaired,
        points=list(obs.points), round=obs.round, turns=obs.turns, quiet=obs.quiet, refilled=obs.refilled,
        drawn=list(obs.drawn), empty=list(obs.empty), start_rolls=list(obs.start_rolls), won=list(obs.won),
    )  # fmt: skip
