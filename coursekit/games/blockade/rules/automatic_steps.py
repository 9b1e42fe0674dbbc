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
    """A step that asks a player: ``[name, seat, …]``. The rest of it is the *words* of both
    methods.

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
        actions: list[Action] = []
        for seat in self.deciders(state, step):
            actions += self.legal(game, state, seat, *step[2:])
        return bool(actions)

    @abstractmethod
    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        """Return what *seat* may do."""

    @abstractmethod
    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        """Do *action* and return what happens; the step is off the list already."""


# Cards


@cache
def told(what: str, seat: Seat, card: int) -> Event:
    """Return the event of *seat* and *card*: there are few, and making one takes longer than
    looking it up.
    """
    return Event(what, {"seat": seat, "card": card})


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
    return told("discard", seat, card)


def place(state: State, seat: Seat, card: int) -> Event:
    """Put a writer from hand in front of *seat*."""
    leave_hand(state, seat, card)
    state.tables[seat].append(card)
    return told("place", seat, card)


def _pop(state: State, rng: Random, events: Events) -> int:
    """Return the top experience card; NOTHING if all are in hands and on the table."""
    if not state.deck and state.discards:
        state.reshuffled += tuple(
            state.discards
        )  # some of them have come there in this action, and all have seen it
        state.deck, state.discards = sorted(state.discards), []
        shuffle(rng, state.deck)
        events.append(Event("reshuffle", {"cards": len(state.deck)}))
    return state.deck.pop() if state.deck else NOTHING


def draw(game: Box, state: State, rng: Random, seat: Seat, count: int) -> Events:
    """*seat* draws *count* cards, or all if there are fewer."""
    events: Events = []
    cards: list[int] = []
    while len(cards) < count and (card := _pop(state, rng, events)) != NOTHING:
        insort(state.hands[seat], card)
        cards.append(card)
    return [*events, Event("draw", {"cards": cards}, (seat,))] if cards else events


def refill(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """*seat* draws up to the size of a hand."""
    return draw(game, state, rng, seat, game.options.hand - len(state.hands[seat]))


def flip(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Turn over the top experience card: a usable writer goes in front of *seat*, any other card is
    discarded.
    """
    events: Events = []
    card = _pop(state, rng, events)
    if card == NOTHING:
        return events
    placed = card in game.usable[state.era] and game.has_room(state, seat)
    (state.tables[seat] if placed else state.discards).append(card)
    return [*events, told("flip.place" if placed else "flip.discard", seat, card)]


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
    return resolve(game, state, seat, book)


def resolve(game: Box, state: State, seat: Seat, book: int) -> Events:
    """Put a new *book* on the role card of *seat*, whose marker may go forward for it."""
    state.books = with_card(state.books, seat, book)
    o, banned = game.options, game.cards.book_kinds[book] == BANNED
    if banned == (state.roles[seat] in CENSORS):  # 「若為警總/線民…得到禁書卡可前進二格」
        state.then(["forward", o.banned_steps if banned else o.periodical_steps, seat])
    return [Event("takes_book", {"seat": seat, "book": book})]


def search(game: Box, state: State, rng: Random, seat: Seat, kind: str) -> Events:
    """Turn up book cards until one of *kind* appears. *seat* takes it (NOBODY: it leaves play); the
    rest go back.
    """
    if not any(game.cards.book_kinds[book] == kind for book in state.book_deck):
        return [Event(f"none_left.{kind}")]
    books: list[int] = []
    while not books or game.cards.book_kinds[books[-1]] != kind:
        books.append(state.book_deck.pop())
    state.under = min(state.under, len(state.book_deck))
    if others := books[:-1]:
        shuffle_back(state, rng, others)
    events = [Event("turned_up", {"books": books})]
    if seat != NOBODY:
        return events + resolve(game, state, seat, books[-1])
    state.removed += (books[-1],)
    return [*events, Event("removed", {"book": books[-1]})]


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
    """Move *seats* forward, one after the other; then the events they passed happen, unless the era
    is over.

    「以第一位到達轉角者為獲勝者」: a second marker stops one space before the corner.
    """
    events: Events = []
    goal, passed = game.goal(state.era), []
    for place, seat in enumerate(seats):
        start = state.positions[seat]
        arrived = any(state.positions[other] == goal for other in seats[:place])
        end = min(start + steps, goal - arrived)
        if end <= start:
            continue
        state.positions[seat], state.quiet = end, 0
        entered = range(start + 1, end + 1) if game.options.event_on == "pass" else (end,)
        passed += [(space, place, seat) for space in entered]
        if end == goal:
            events.append(Event("corner", {"seat": seat}))
        else:
            events.append(
                Event(
                    "forward",
                    {"seat": seat, "steps": end - start, "year": game.year(state.era, end)},
                )
            )
    if any(state.positions[seat] == goal for seat in seats):
        state.then(["end_era", "corner"])
        return events
    happening: list[Step] = []
    for space, _, seat in sorted(passed):
        happening += game.triggered(state, game.year(state.era, space), seat)
    state.then(*happening)
    return events


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
    state.positions[seat], state.quiet = end, 0
    return [Event("forward", {"seat": seat, "steps": 1, "year": game.year(state.era, end)})]


STEPS: dict[str, Callable[..., Events]] = {
    each.__name__: each
    for each in (draw, refill, flip, random_discard, take_book, search, forward, back, nudge)
}
