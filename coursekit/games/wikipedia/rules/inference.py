"""What a seat can conclude about the cards it does not see."""

from bisect import insort
from collections import Counter
from collections.abc import Sequence
from random import Random

from coursekit.core.chance import deal_where, pick, shuffle
from coursekit.core.game import Seat
from coursekit.games.wikipedia.rules.cards import KINDS, NUMBER, USE, VANDAL
from coursekit.games.wikipedia.rules.state import NOBODY, Observation, State


def cards_on_table(obs: Observation) -> list[str]:
    """Return the cards that lie open in the squares."""
    lying = {obs.work: obs.work != "", USE: obs.user != NOBODY, VANDAL: obs.vandal != NOBODY}
    return [card for card, is_there in lying.items() if is_there]


def list_unseen(obs: Observation, cards: Sequence[str]) -> list[str]:
    """Return those of all *cards* that this seat cannot see."""
    left = Counter(cards)
    left.subtract(cards_on_table(obs))
    for hand in obs.open_hands or [obs.hand]:
        left.subtract(hand)
    left.subtract(dict(zip(KINDS, obs.seen)))
    left.subtract(dict(zip(KINDS, obs.thrown)))
    return [kind for kind in KINDS for _ in range(left[kind])]


def resample(
    obs: Observation, all_cards: Sequence[str], role_cards: Sequence[str], rng: Random
) -> State:
    """Return a state that looks like *obs* to its seat: :meth:`.Game.resample`."""
    others = [seat for seat in range(obs.players) if seat != obs.seat]
    # A hand is a place for each card, the newest first.  Cards of a kind that the seat lacked
    # before can only be among the newest.
    known = obs.open_hands or [() if seat in others else obs.hand for seat in range(obs.players)]
    hands = [list(hand) for hand in known]
    places = []
    if not obs.open_hands:
        places = [(seat, age) for seat in others for age in range(obs.held[seat])]
    cards = list_unseen(obs, all_cards)
    hidden_thrown = obs.discards - sum(obs.seen) - sum(obs.thrown)
    dealt = _deal(obs, places, cards, hidden_thrown, rng)
    for (seat, _), (card,) in zip(places, dealt):
        insort(hands[seat], card)
    thrown = [[0] * 5 for _ in range(obs.players)]
    if obs.seat is not None:
        thrown[obs.seat] = list(obs.thrown)
    for card in dealt[-2]:  # the observation does not say by whom
        thrown[others[0]][NUMBER[card]] += 1
    role_deck = sorted((Counter(role_cards) - Counter([*obs.roles, *obs.role_discards])).elements())
    shuffle(rng, role_deck)
    return State(
        phase=obs.phase,
        starter=obs.starter,
        turn=obs.turn,
        hands=hands,
        deck=dealt[-1],
        seen=list(obs.seen),
        thrown=thrown,
        roles=list(obs.roles),
        role_deck=role_deck,
        role_discards=obs.role_discards,
        work=obs.work,
        author=obs.author,
        user=obs.user,
        vandal=obs.vandal,
        die=obs.die,
        repaired=obs.repaired,
        points=list(obs.points),
        round=obs.round,
        turns=obs.turns,
        quiet=obs.quiet,
        refilled=obs.refilled,
        drawn=list(obs.drawn),
        ruled_out=list(obs.ruled_out),
        start_rolls=obs.start_rolls,
        won=obs.won,
    )


def _deal(
    obs: Observation, places: list[tuple[Seat, int]], cards: list[str], thrown: int, rng: Random
) -> list[list[str]]:
    """Deal *cards*: one to each of *places*, *thrown* to the hidden discards, the rest to the deck.

    Places that can hold the least come first, each with any card it can hold: where one bound
    implies the other, as with one kind of card, every dealing that fits is then equally likely.
    """

    def fits(place: tuple[Seat, int], card: str) -> bool:
        return place[1] < obs.at_most(place[0], card)

    left = cards[:]
    count = Counter(cards)
    choice = {place: sum(count[kind] for kind in count if fits(place, kind)) for place in places}
    held: dict[tuple[Seat, int], list[str]] = {}
    for place in sorted(places, key=choice.__getitem__):
        can_hold = [at for at, card in enumerate(left) if fits(place, card)]
        if not can_hold:  # others have taken them: look for any dealing that fits
            sizes = [*[1] * len(places), thrown, obs.deck]

            def fits_at(at: int, number: int) -> bool:
                return at >= len(places) or fits(places[at], cards[number])

            numbers = deal_where(rng, range(len(cards)), sizes, fits_at)
            return [[cards[number] for number in pile] for pile in numbers]
        held[place] = [left.pop(pick(rng, can_hold))]
    shuffle(rng, left)
    return [*(held[place] for place in places), left[:thrown], left[thrown:]]
