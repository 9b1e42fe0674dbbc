"""What a seat can conclude about the cards it does not see."""

from random import Random

from coursekit.core.chance import pick, shuffle
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.state import HIDDEN, Observation, State


def unseen(game: Box, obs: Observation) -> list[int]:
    """Return the experience cards that may be in other hands or in the deck, as far as this seat
    knows.
    """
    seen = {*obs.hand, *obs.discards}
    for places in (obs.open_hands, obs.known, obs.tables, obs.spares):
        seen.update(card for cards in places for card in cards)
    return [card for card in game.deck[obs.era] if card not in seen]


def unseen_books(game: Box, obs: Observation) -> list[int]:
    """Return the book cards in the deck whose places this seat does not know."""
    seen = {*obs.removed, *obs.under, *obs.peek}.union(*obs.books)
    return [book for book in range(len(game.cards.books)) if book not in seen]


def resample(game: Box, obs: Observation, rng: Random) -> State:
    """Return a state that looks like *obs* to its seat; see
    :meth:`coursekit.core.game.Game.resample`.
    """
    cards, books = unseen(game, obs), unseen_books(game, obs)
    shuffle(rng, cards)
    shuffle(rng, books)
    hands = []
    for seat in game.seats:
        hand = list(
            obs.open_hands[seat]
            if obs.open_hands
            else obs.hand
            if seat == obs.seat
            else obs.known[seat]
        )
        hand += [cards.pop() for _ in range(obs.held[seat] - len(hand))]
        hands.append(sorted(hand))
    steps = [list(step) for step in obs.steps]
    for step in steps:  # a card chosen face down can be any card of its hand
        step[:] = [
            pick(rng, hands[place - 2]) if word == HIDDEN else word
            for place, word in enumerate(step)
        ]
    known = [card for cards_known in obs.known for card in cards_known]
    knows = [known if seat == obs.seat else [] for seat in (*game.seats, None)]
    return State(
        steps=steps,
        era=obs.era,
        turns=obs.turns,
        quiet=obs.quiet,
        turn=obs.turn,
        roles=list(obs.roles),
        hands=hands,
        tables=[*map(list, obs.tables)],
        books=obs.books,
        spares=obs.spares,
        deck=cards,
        discards=list(obs.discards),
        reshuffled=obs.reshuffled,
        book_deck=[*obs.under, *books, *_not_under(obs)],
        under=len(obs.under),
        removed=obs.removed,
        positions=list(obs.positions),
        points=list(obs.points),
        by_era=obs.by_era,
        fired=obs.fired,
        covered=list(obs.covered),
        skip=list(obs.skip),
        sure=obs.sure,
        lifted=obs.lifted,
        outspoken=obs.outspoken,
        fresh=obs.fresh,
        shown=obs.shown,
        revealed=obs.revealed,
        die=obs.die,
        known=knows,
        won=obs.won,
    )


def _not_under(obs: Observation) -> list[int]:
    """Return the cards the seat is looking at, without those known to lie at the bottom."""
    return [book for book in obs.peek if book not in obs.under]
