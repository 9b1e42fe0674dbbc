"""Relations in the rules of 文壇封鎖中: what moves a marker, what protects, what stops a search.

They are found by playing: each deed is tried in a position in the middle of an era, and what
follows is read off the events. Seats 0 to 3 have the roles in their order, so that a seat is a role
there.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from coursekit.core.chance import stream
from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import automatic_steps, effects, events
from coursekit.games.blockade.rules.card_codes import (
    BANNED,
    CENSORS,
    EVENTS,
    FUNCTIONS,
    PERIODICAL,
    ROLES,
)
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.rules.state import NOBODY, Action, State

SEARCH, PROTEST, WRITERS = "search", "protest", "writers"
ACTORS = ("player", "partner", "rival", "last", "trigger", "others")
PLAYER, PARTNER, RIVAL, LAST, TRIGGER, OTHERS = ACTORS
THINGS = (*ROLES, WRITERS, PERIODICAL, BANNED, SEARCH, PROTEST, *ACTORS)
"""The ends of relations besides function cards, ``function:FC07``, and events, ``event:1987``."""
SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
MIDDLE = 2
"""The position of all markers, except one at :data:`REAR` in some trials.

From here no card and no event takes a marker back to before the start, and no options take it to
the end of an era by a single deed.
"""
REAR = 1
FAR = 6
"""The position of markers against which an attempt is made: no options send one back farther."""


class Relation(NamedTuple):
    """``start kind end`` reads as a sentence: a search takes 2 spaces from the editor."""

    start: str
    kind: str
    end: str
    number: int = 0  # spaces, or writers that pay, if the relation needs a number


class _Chance(Random):
    """Chance that always throws an O, or always an X."""

    def __init__(self, die: str) -> None:
        super().__init__(0)
        self.value = 0.0 if die == "O" else 0.999

    def random(self) -> float:
        return self.value


def relations(game: Blockade) -> list[Relation]:
    """Return all relations in *game* under its options."""
    return list(_relations(type(game), game.options))


@lru_cache(maxsize=16)
def _relations(rules: type[Blockade], options: Options) -> tuple[Relation, ...]:
    game = rules(len(SEATS), options)
    links = [*_turns(game), *_cards(game)]
    for year in _possible_events(game):
        links += _event(game, year)
    return tuple(dict.fromkeys(links))


def _possible_events(game: Blockade) -> list[int]:
    """Return the events that can happen in the eras in play."""
    years = [game.year(era, space) for era in game.options.eras for space in range(game.goal(era))]
    return sorted(event for year in years for event in game.events_at.get(year, ()))


# A position, and what follows from a deed


def _position(game: Blockade, top: str = BANNED, rear: Seat = NOBODY) -> State:
    """Return a position in which each seat holds a writer, has placed one, and has both kinds of
    book cards.

    :param top: the kind of the book card on top of the deck.
    :param rear: the seat in last place, by default none.
    """
    return game.copy(_shared_position(game, top, rear))


@lru_cache(maxsize=32)
def _shared_position(game: Blockade, top: str, rear: Seat) -> State:
    state = game.initial_state(stream("relations", "chance"))
    writers, kinds = sorted(game.usable[state.era]), game.cards.book_kinds
    papers = [book for book, kind in enumerate(kinds) if kind == PERIODICAL]
    banned = [book for book, kind in enumerate(kinds) if kind == BANNED]
    for seat in SEATS:
        state.hands[seat] = writers[2 * seat : 2 * seat + 1]
        state.tables[seat] = writers[2 * seat + 1 : 2 * seat + 2]
        state.positions[seat] = REAR if seat == rear else MIDDLE
    state.books = tuple((papers.pop(), banned.pop()) for _ in SEATS)
    state.deck = [*range(len(game.cards.writers), len(game.cards.functions)), *writers[8:]]
    state.book_deck = papers + banned if top == BANNED else banned + papers
    state.roles, state.turn = list(SEATS), 0
    state.steps, state.discards = [], []
    # All events have happened, so that none happens on the way.
    state.fired = tuple((event, seat) for event in EVENTS for seat in (NOBODY, *SEATS))
    state.lifted = 0
    return state


def _follow(game: Blockade, state: State, die: str = "O") -> list[Event]:
    """Do all that is still to do in this era, and return what happens.

    Seats do their first legal action.
    """
    rng = _Chance(die)
    happened = game.run(state, rng)
    while state.steps and state.phase != "era":
        seat = next(seat for seat in game.to_act(state) if game.legal_actions(state, seat))
        happened += game.apply(state, seat, game.legal_actions(state, seat)[0], rng)
    return happened


def _moves(happened: Iterable[Event], book: bool = False) -> Iterator[tuple[Seat, int]]:
    """Yield the seats whose markers move, and how far; for a new book card only with *book*."""
    by_book = NOBODY
    for event in happened:
        if event.text == "takes_book":
            by_book = event.values["seat"]
        elif event.text == "forward":
            if book or event.values["seat"] != by_book:
                yield event.values["seat"], event.values["steps"]
            by_book = NOBODY
        elif event.text in ("back", "back_to_start"):
            yield event.values["seat"], -event.values["steps"]


def _move(
    start: str, who: str, spaces: int, kinds: tuple[str, str] = ("gives", "takes")
) -> Relation:
    return Relation(start, kinds[spaces < 0], who, abs(spaces))


# A turn


def _turns(game: Blockade) -> Iterator[Relation]:
    """Yield what writers, book cards, searches and protests do."""
    for kind in (PERIODICAL, BANNED):
        yield Relation(WRITERS, "pays", kind, game.options.price)
        for seat in SEATS:
            state = _position(game, kind)
            book = state.book_deck.pop()
            happened = automatic_steps.receive_book(game, state, seat, book)
            happened += _follow(game, state)
            for _, spaces in _moves(happened, book=True):
                yield _move(kind, ROLES[seat], spaces)
    for seat in SEATS:
        deed = SEARCH if seat in CENSORS else PROTEST
        yield Relation(ROLES[seat], "launches", deed)
        state = _position(game)
        state.then(["strike", seat])
        for action in game.legal_actions(state, seat):
            state = _position(game)
            for rival in game.rivals(state, seat):
                state.positions[rival] = FAR
            happened = _strike(game, state, seat, action)
            if isinstance(action, tuple) and any(event.text == "taken" for event in happened):
                yield Relation(deed, "seizes", game.cards.book_kinds[action[1]])
                for who, spaces in _moves(happened):
                    yield _move(deed, ROLES[who], spaces)


def _strike(game: Blockade, state: State, seat: Seat, action: Action) -> list[Event]:
    """Return what follows if *seat* does *action* in phase 2 and all throws help."""
    state.turn = seat
    state.then(["phase2", seat])
    happened = game.run(state, _Chance("O"))
    if action == "pass" or not state.steps or action not in game.legal_actions(state, seat):
        return happened
    happened += game.apply(state, seat, action, _Chance("O"))
    helps = "O" if game.options.defence_o == "attacker" else "X"
    while state.steps and state.phase != "era":
        die = helps if state.phase == "defend" else "O"
        happened += game.apply(state, game.to_act(state)[0], "roll", _Chance(die))
    return happened


def _changes(
    game: Blockade, after: Callable[[State], object], seats: Iterable[Seat] = SEATS
) -> Iterator[tuple[str, str]]:
    """Yield how *after* changes searches and protests: how, and which of them.

    It "ensures", "blocks", "stops" or "pauses" them.

    :param seats: whose attempts are tried.
    """
    for seat in seats:
        deed, kind = (SEARCH, BANNED) if seat in CENSORS else (PROTEST, PERIODICAL)
        for target in game.rivals(_position(game), seat):
            state = _position(game)
            after(state)
            books = [book for book in state.books[target] if game.cards.book_kinds[book] == kind]
            events = _strike(game, state, seat, ("strike", books[0]) if books else "pass")
            texts = {event.text for event in events}
            for change, text in (("pauses", "skips"), ("blocks", "covered"), ("ensures", "sure")):
                if text in texts:
                    yield change, deed
            if books and not texts:
                yield "stops", deed


# Function cards


def _cards(game: Blockade) -> Iterator[Relation]:
    if game.options.function_set == "none":
        return
    for card_id, name in FUNCTIONS.items():
        for seat in (0, 2):  # a censor and a pen; each stands for its camp
            yield from _try_card(game, f"function:{card_id}", name, seat)


def _try_card(game: Blockade, card: str, name: str, seat: Seat) -> Iterator[Relation]:
    """Yield what the function card *name* does when *seat* plays it."""
    far, near = 3 - seat, 2 - seat  # the two rivals
    moved = {
        rear: dict(_moves(_play(game, name, seat, BANNED, rear))) for rear in (seat, far, near)
    }
    in_front, when_last = moved[far].get(seat, 0), moved[seat].get(seat, 0)
    if in_front:
        yield _move(card, PLAYER, in_front)
    if when_last != in_front:
        yield _move(card, LAST, when_last)
    for spaces in {moved[seat].get(rival, 0) for rival in (far, near)} - {0}:
        yield _move(card, RIVAL, spaces)
    for top in (PERIODICAL, BANNED):
        for event in _play(game, name, seat, top, far):
            yield from _read_card(game, card, event, seat)
    for attacker in (seat, far):
        for change, deed in _changes(game, lambda state: _put(game, state, name, seat), [attacker]):
            if change != "pauses":
                yield Relation(card, change, deed)


def _read_card(game: Blockade, card: str, event: Event, seat: Seat) -> Iterator[Relation]:
    """Yield what an *event* tells of a function card that *seat* plays."""
    text, values = event.text, event.values
    if text == "takes_book":
        yield Relation(card, "finds", game.cards.book_kinds[values["book"]])
    elif text == "place":
        yield Relation(card, "places", WRITERS)
        if values["seat"] != seat:
            yield Relation(card, "helps", PARTNER)
    elif text in ("lose", "discard") and values["seat"] != seat:
        yield Relation(card, "strips", RIVAL)
    elif text == "under" and values["seat"] != seat:
        yield Relation(card, "shuts", game.cards.book_kinds[values["book"]])
    elif text == "sees_hand":
        yield Relation(card, "reads", RIVAL)
    elif text == "will_skip":
        yield Relation(card, "pauses", RIVAL)
    elif text == "spared":
        yield Relation(card, "guards", PLAYER)


def _play(game: Blockade, name: str, seat: Seat, top: str, rear: Seat) -> list[Event]:
    """Return what happens when *seat* plays the function card *name*, and then is moved back."""
    state = _position(game, top, rear)
    happened = _put(game, state, name, seat)
    if state.spares[seat]:
        happened += automatic_steps.back(game, state, _Chance("O"), 1, seat)
    return happened


def _put(game: Blockade, state: State, name: str, seat: Seat) -> list[Event]:
    card = game.cards.functions.index(name)
    state.deck.remove(card)
    state.hands[seat] = sorted([*state.hands[seat], card])
    state.turn = seat
    return [*effects.play(game, state, seat, card), *_follow(game, state)]


# Events


def _event(game: Blockade, year: int) -> Iterator[Relation]:
    """Yield what the event of *year* does."""
    name = f"event:{year}"
    happened = {
        die: [_trigger(game, _position(game), year, seat, die) for seat in SEATS] for die in "OX"
    }
    moved = {die: [dict(_moves(events)) for events in happened[die]] for die in "OX"}
    if moved["O"] == moved["X"]:
        yield from _whom(name, moved["O"], ("gives", "takes"))
    else:
        for die in "OX":
            yield from _whom(name, moved[die], (f"gives_on_{die}", f"takes_on_{die}"))
    lost = [
        {event.values["seat"]: 1 for event in events if event.text in ("lose", "discard")}
        for events in happened["O"]
    ]
    for relation in _whom(name, lost, ("strips", "strips")):
        yield relation._replace(number=0)
    for top in (BANNED, PERIODICAL):
        for event in _trigger(game, _position(game, top), year, 0):
            yield from _read_event(game, name, event)
    for change, deed in _changes(game, lambda state: _trigger(game, state, year, 0)):
        if change == "ensures":
            yield Relation(deed, "freed", name)
        elif change != "pauses":
            yield Relation(name, change, deed)


def _whom(name: str, effects: list[dict[Seat, int]], kinds: tuple[str, str]) -> Iterator[Relation]:
    """Yield the seats that an event affects.

    :param effects: the effect on each seat, by the seat that triggers the event.
    """
    for seat in SEATS:
        own, other = effects[seat].get(seat, 0), effects[seat - 1].get(seat, 0)
        if own == other != 0:
            yield _move(name, ROLES[seat], own, kinds)
        elif own:
            yield _move(name, TRIGGER, own, kinds)
        elif other:
            yield _move(name, OTHERS, other, kinds)


def _read_event(game: Blockade, name: str, event: Event) -> Iterator[Relation]:
    """Yield what an *event* of the match tells besides moves and lost cards."""
    text, values, kinds = event.text, event.values, game.cards.book_kinds
    if text == "takes_book":
        yield Relation(name, "finds", kinds[values["book"]])
    elif text in ("place", "flip.place"):
        yield Relation(name, "places", WRITERS)
    elif text in ("under", "removed"):
        yield Relation(name, "shuts", kinds[values["book"]])
    elif text == "will_skip":
        yield from (Relation(name, "pauses", ROLES[seat]) for seat in values["seats"])
    elif text == "pass_left":
        yield from (Relation(name, "passes", role) for role in ROLES)


def _trigger(game: Blockade, state: State, year: int, by: Seat, die: str = "O") -> list[Event]:
    """Return what happens when *by* triggers the event of *year* and every throw is a *die*."""
    state.turn = by
    return [*events.happen(game, state, _Chance(die), year, by), *_follow(game, state, die)]
