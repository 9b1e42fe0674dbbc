"""What a seat can conclude about the cards it does not see."""

from random import Random
from typing import Any

from coursekit.core.chance import pick, shuffle
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.state import HIDDEN, OPEN, OPEN_LISTS, Observation, State


def unseen(game: Box, obs: Observation) -> list[int]:
    """Return the experience cards that, for all the seat knows, are in other hands or the deck."""
    seen = {*obs.hand, *obs.discards}
    for places in (obs.open_hands, obs.known, obs.tables, obs.spares):
        seen.update(card for cards in places for card in cards)
    return [card for card in game.deck[obs.era] if card not in seen]


def unseen_books(game: Box, obs: Observation) -> list[int]:
    """Return the book cards in the deck whose places this seat does not know."""
    seen = {*obs.removed, *obs.under, *obs.peek}.union(*obs.books)
    return [book for book in range(len(game.cards.books)) if book not in seen]


def resample(game: Box, obs: Observation, rng: Random) -> State:
    """Return a state that looks like *obs* to its seat; see :meth:`.Game.resample`."""
    cards, books = unseen(game, obs), unseen_books(game, obs)
    shuffle(rng, cards)
    shuffle(rng, books)
    hands = []
    for seat in game.seats:
        hand = list(obs.hand if seat == obs.seat else obs.known[seat])
        if obs.open_hands:
            hand = list(obs.open_hands[seat])
        hand += [cards.pop() for _ in range(obs.held[seat] - len(hand))]
        hands.append(sorted(hand))
    steps = [list(step) for step in obs.steps]
    for step in steps:
        for place, word in enumerate(step):
            if word == HIDDEN:  # a card chosen face down can be any card of its hand
                step[place] = pick(rng, hands[place - 2])
    known = [card for hand_known in obs.known for card in hand_known]
    on_top = [book for book in obs.peek if book not in obs.under]
    knows = [known if seat == obs.seat else [] for seat in (*game.seats, None)]
    values: dict[str, Any] = {name: getattr(obs, name) for name in OPEN}
    values |= {name: list(getattr(obs, name)) for name in OPEN_LISTS}
    return State(
        steps=steps,
        hands=hands,
        tables=[list(table) for table in obs.tables],
        deck=cards,
        book_deck=[*obs.under, *books, *on_top],
        under=len(obs.under),
        known=knows,
        **values,
    )
