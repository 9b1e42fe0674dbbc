"""Steps that happen by themselves: drawing, moving, turning up book cards.

Each is a function of the game, the state, the chance and its own words, such as ``["forward", 2,
seat]``. It changes the state, names with ``state.then`` what to do next, and returns what happened.
``Blockade.run`` does one step after the other until one asks a player (see :class:`Phase`).
"""

from abc import ABC, abstractmethod
from bisect import insort
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from coursekit.core.chance import pick, random_below, shuffle
from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import BANNED, CENSORS
from coursekit.games.blockade.rules.options import FACES
from coursekit.games.blockade.rules.state import (
    NOBODY,
    NOTHING,
    Action,
    O,
    State,
    Step,
    X,
    with_card,
    without_card,
)

Events = list[Event]


class Phase(ABC):
    """A step that asks a player: ``[name, seat, …]``; what follows are the *words* of its methods.

    A phase without a legal action is skipped, which all players notice. So whether there is one
    must not depend on anything hidden.
    """

    always = False
    """Whether it always has a legal action."""

    def deciders(self, state: State, step: Step) -> tuple[Seat, ...]:
        """Return the seats that must decide."""
        return (step[1],)

    def asks(self, game: Box, state: State, step: Step) -> bool:
        """Return whether a player may do anything."""
        if self.always:
            return True
        seats = self.deciders(state, step)
        return any(self.legal(game, state, seat, *step[2:]) for seat in seats)

    @abstractmethod
    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        """Return what *seat* may do."""

    @abstractmethod
    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        """Do *action* and return what happens; the step is off the list already."""


class Roll(Phase):
    """A phase in which the player throws the die."""

    always = True

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["roll"]


# Cards


@cache
def card_event(text: str, seat: Seat, card: int) -> Event:
    """Return an event of *seat* and *card*; it is kept, since making one takes longer."""
    return Event(text, {"seat": seat, "card": card})


def leave_hand(state: State, seat: Seat, card: int) -> None:
    """Take *card* out of the hand of *seat*, and out of what others know of it."""
    state.hands[seat].remove(card)
    for cards in state.known:
        if card in cards:
            cards.remove(card)


def discard(state: State, seat: Seat, card: int) -> Event:
    """Discard *card* from the hand of *seat*."""
    leave_hand(state, seat, card)
    state.discards.append(card)
    return card_event("discard", seat, card)


def place(state: State, seat: Seat, card: int) -> Event:
    """Put a writer from hand in front of *seat*."""
    leave_hand(state, seat, card)
    state.tables[seat].append(card)
    return card_event("place", seat, card)


def remove_writer(text: str, state: State, seat: Seat, card: int) -> Event:
    """Discard a writer from in front of *seat*; *text* tells why."""
    state.tables[seat].remove(card)
    state.discards.append(card)
    return card_event(text, seat, card)


def _pop(state: State, rng: Random, events: Events) -> int:
    """Return the top experience card; NOTHING if all are in hands and on the table."""
    if not state.deck and state.discards:
        # Some were discarded in this action, and all have seen them.
        state.reshuffled += tuple(state.discards)
        state.deck, state.discards = sorted(state.discards), []
        shuffle(rng, state.deck)
        events.append(Event("reshuffle", {"cards": len(state.deck)}))
    return state.deck.pop() if state.deck else NOTHING


def draw(game: Box, state: State, rng: Random, seat: Seat, count: int) -> Events:
    """*seat* draws *count* cards, or all if there are fewer."""
    events: Events = []
    cards: list[int] = []
    while len(cards) < count:
        card = _pop(state, rng, events)
        if card == NOTHING:
            break
        insort(state.hands[seat], card)
        cards.append(card)
    if cards:
        events.append(Event("draw", {"cards": cards}, (seat,)))
    return events


def refill(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """*seat* draws up to the size of a hand."""
    return draw(game, state, rng, seat, game.options.hand - len(state.hands[seat]))


def flip(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Turn over the top experience card: a usable writer goes in front of *seat*, others away."""
    events: Events = []
    card = _pop(state, rng, events)
    if card == NOTHING:
        return events
    if card in game.usable[state.era] and game.has_room(state, seat):
        state.tables[seat].append(card)
        return [*events, card_event("flip.place", seat, card)]
    state.discards.append(card)
    return [*events, card_event("flip.discard", seat, card)]


def random_discard(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """*seat* discards a random hand card and draws another."""
    if not state.hands[seat]:
        return []
    state.then(["refill", seat])
    return [discard(state, seat, pick(rng, state.hands[seat]))]


# Book cards


def take_book(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """*seat* takes the top book card."""
    if not state.book_deck:
        return [Event("no_books")]
    book = state.book_deck.pop()
    state.under = min(state.under, len(state.book_deck))
    return receive_book(game, state, seat, book)


def receive_book(game: Box, state: State, seat: Seat, book: int) -> Events:
    """Put a new *book* on the role card of *seat*, whose marker may go forward for it."""
    state.books = with_card(state.books, seat, book)
    o = game.options
    banned = game.cards.book_kinds[book] == BANNED
    if banned == (state.roles[seat] in CENSORS):  # 「若為警總/線民…得到禁書卡可前進二格」
        state.then(["forward", o.banned_steps if banned else o.periodical_steps, seat])
    return [Event("takes_book", {"seat": seat, "book": book})]


def search(game: Box, state: State, rng: Random, seat: Seat, kind: str) -> Events:
    """Turn up book cards until one of *kind* appears, and shuffle the others back.

    *seat* takes it; with NOBODY it leaves play.
    """
    kinds = game.cards.book_kinds
    if kind not in [kinds[book] for book in state.book_deck]:
        return [Event(f"none_left.{kind}")]
    books: list[int] = []
    while not books or kinds[books[-1]] != kind:
        books.append(state.book_deck.pop())
    *others, sought = books
    state.under = min(state.under, len(state.book_deck))
    if others:
        shuffle_back(state, rng, others)
    turned_up = Event("turned_up", {"books": books})
    if seat != NOBODY:
        return [turned_up, *receive_book(game, state, seat, sought)]
    state.removed += (sought,)
    return [turned_up, Event("removed", {"book": sought})]


def shuffle_back(state: State, rng: Random, books: list[int]) -> None:
    """Shuffle *books* and the book deck together."""
    state.book_deck = sorted(state.book_deck + books)
    shuffle(rng, state.book_deck)
    state.under = 0


def put_under(state: State, seat: Seat, book: int) -> Event:
    """*seat* puts a *book* under the book deck."""
    state.books = without_card(state.books, book)
    state.book_deck.insert(0, book)
    state.under += 1
    return Event("under", {"seat": seat, "book": book})


# The die


def throw(game: Box, state: State, rng: Random, seat: Seat) -> Event:
    """*seat* throws the die."""
    state.die = O if random_below(rng, FACES) < game.options.o_faces else X
    return Event("throw", {"seat": seat, "die": state.die})


# Markers


def forward(game: Box, state: State, rng: Random, steps: int, *seats: Seat) -> Events:
    """Move *seats* forward, one after the other; then the events that they passed happen.

    No event happens once the era is over. 「以第一位到達轉角者為獲勝者」: a second marker stops one
    space before the corner.
    """
    events: Events = []
    passed: list[tuple[int, int, Seat]] = []
    goal = game.goal(state.era)
    for place, seat in enumerate(seats):
        start = state.positions[seat]
        arrived = any(state.positions[other] == goal for other in seats[:place])
        end = min(start + steps, goal - arrived)
        if end <= start:
            continue
        entered = range(start + 1, end + 1) if game.options.event_on == "pass" else (end,)
        passed += [(space, place, seat) for space in entered]
        events.append(_advance(game, state, seat, end))
    if any(state.positions[seat] == goal for seat in seats):
        state.then(["end_era", "corner"])
        return events
    happening: list[Step] = []
    for space, _, seat in sorted(passed):
        happening += game.trigger(state, game.year(state.era, space), seat)
    state.then(*happening)
    return events


def _advance(game: Box, state: State, seat: Seat, end: int) -> Event:
    """Move *seat* forward to the space *end*."""
    steps = end - state.positions[seat]
    state.positions[seat] = end
    state.quiet = 0
    if end == game.goal(state.era):
        return Event("corner", {"seat": seat})
    return Event("forward", {"seat": seat, "steps": steps, "year": game.year(state.era, end)})


def back(game: Box, state: State, rng: Random, steps: int, *seats: Seat) -> Events:
    """Move *seats* back, at most to the start; a spare licence saves its player from it."""
    events: Events = []
    for seat in seats:
        start = state.positions[seat]
        end = max(start - steps, 0)
        if end == start:
            events.append(Event("stay", {"seat": seat}))
        elif state.spares[seat]:
            spare = state.spares[seat][-1]
            state.spares = without_card(state.spares, spare)
            state.discards.append(spare)
            events.append(Event("spared", {"seat": seat}))
        else:
            state.positions[seat] = end
            where = {"seat": seat, "steps": start - end, "year": game.year(state.era, end)}
            events.append(Event("back" if end else "back_to_start", where))
    return events


def nudge(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Move *seat* one space forward, but not to the end of the era; no event happens there."""
    end = state.positions[seat] + 1
    if end >= game.goal(state.era):
        return [Event("stay", {"seat": seat})]
    return [_advance(game, state, seat, end)]


# Other steps


def pause(game: Box, state: State, rng: Random, *seats: Seat) -> Events:
    """Let *seats* skip their next phase 2."""
    for seat in seats:
        state.skip[seat] = 1
    return [Event("will_skip", {"seats": sorted(seats)})]


def tell(game: Box, state: State, rng: Random, text: str, *seats: Seat) -> Events:
    """Tell *text*, about one seat or none."""
    return [Event(text, {"seat": seat}) for seat in seats] or [Event(text)]


ALL = (draw, refill, flip, random_discard, take_book, search, forward, back, nudge, pause, tell)
STEPS: dict[str, Callable[..., Events]] = {step.__name__: step for step in ALL}
