"""Helpers for the tests of 文壇封鎖中: where cards lie, and positions set up by hand."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from coursekit.core.chance import stream
from coursekit.core.game import IllegalAction
from coursekit.core.match import Match
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.rules.card_codes import PERIODICAL
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.state import State
from coursekit.words.texts import LANGUAGES

GAME = Blockade(4)
CARDS = GAME.cards
PERIODICALS = [book for book, kind in enumerate(CARDS.book_kinds) if kind == PERIODICAL]
BANNED = [book for book, kind in enumerate(CARDS.book_kinds) if kind != PERIODICAL]
WRITERS = {
    era: [card for card, year in enumerate(CARDS.years) if year in years]
    for era, years in ERAS.items()
}
POLICE, SPY, EDITOR, AUTHOR = range(4)  # the seats of a Table: 警總, 線民, 主編, 作家


def places(game: Blockade, state: State) -> Iterable[tuple[list[str], tuple[int, ...] | None]]:
    """Yield every place where a card can lie, and who sees the cards there; "c" experience, "b"
    book cards.
    """
    for seat, hand in enumerate(state.hands):
        knowing = tuple(
            other for other in game.seats if other == seat or set(hand) <= set(state.known[other])
        )
        yield [f"c{card}" for card in hand], None if game.options.open_hands else knowing
    yield [f"c{card}" for card in state.deck], ()
    yield [f"c{card}" for card in state.discards], None
    for piles in (state.tables, state.spares):
        yield [f"c{card}" for pile in piles for card in pile], None
    yield (
        [
            f"c{card}"
            for card in range(len(game.cards.functions))
            if card not in game.deck[state.era]
        ],
        None,
    )
    # Who counts knows what is in the book deck, but not which of it another player looks at.
    name, seat, *words = state.steps[-1] if state.steps else ("over", None)
    cut = max(len(state.book_deck) - words[0], 0) if name == "peek" else 0
    who = (seat,) if cut else None
    yield [f"b{book}" for book in state.book_deck[cut:]], who
    yield [f"b{book}" for book in state.book_deck[:cut]], who
    yield [f"b{book}" for books in state.books for book in books], None
    yield [f"b{book}" for book in state.removed], None


def function(name: str, number: int = 0) -> int:
    """Return one of the function cards of that *name*."""
    return [card for card, kind in enumerate(CARDS.functions) if kind == name][number]


class Dice(Random):
    """Chance that throws what the test wants, then goes on by itself."""

    def __init__(self, throws: str) -> None:
        super().__init__(1)
        self.throws = [{"O": 0.0, "X": 0.999}[throw] for throw in throws]

    def random(self) -> float:
        return self.throws.pop(0) if self.throws else super().random()


class Table:
    """A position in the middle of an era, seat 0 being 警總, 1 線民, 2 主編, 3 作家.

    :param hand: cards of *turn*, by number or by a function card's name, filled up with writers of
        another era; a tuple is not filled up. *hands* is the same for other seats.
    :param at: positions, 3 for seats not named; *tables* and *books* are by seat as well.
    :param top: experience cards on top of the deck, the first to be drawn first; *book_top* the
        same for books.
    """

    def __init__(
        self,
        era: int = 1,
        turn: int = POLICE,
        hand: Sequence[Any] | None = None,
        hands: Mapping[int, Sequence[Any]] | None = None,
        tables: Mapping[int, Sequence[int]] | None = None,
        books: Mapping[int, Sequence[int]] | None = None,
        spares: Mapping[int, int] | None = None,
        at: Mapping[int, int] | None = None,
        top: Sequence[Any] = (),
        book_top: Sequence[int] = (),
        step: str = "main",
        dice: str = "",
        fresh: int = 0,
        options: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> None:
        self.game = game = Blockade(4, Options(**{"eras": (era,)} | dict(options or {})))
        self.match = Match(game, "table")
        self.state = state = self.match.state
        copies = {
            name: iter([card for card, kind in enumerate(CARDS.functions) if kind == name])
            for name in CARDS.functions
        }

        def numbers(cards: Sequence[Any]) -> list[int]:
            return [next(copies[card]) if isinstance(card, str) else int(card) for card in cards]

        wanted = {turn: [] if hand is None else hand, **(hands or {})}
        named = {seat: numbers(cards) for seat, cards in wanted.items()}
        state.tables = [list((tables or {}).get(seat, ())) for seat in game.seats]
        state.books = tuple(tuple((books or {}).get(seat, ())) for seat in game.seats)
        state.spares = tuple(
            ((spares or {})[seat],) if seat in (spares or {}) else () for seat in game.seats
        )
        top = numbers(top)
        used = {
            *top,
            *(card for cards in [*named.values(), *state.tables, *state.spares] for card in cards),
        }
        other = [card for card in WRITERS[era % 4 + 1] if card not in used]
        state.hands = []
        for seat in game.seats:
            held = named.get(seat, [])
            if not isinstance(wanted.get(seat), tuple):
                held = held + [other.pop() for _ in range(game.options.hand - len(held))]
            state.hands.append(sorted(held))
            used.update(held)
        state.deck = [card for card in game.deck[era] if card not in used] + top[::-1]
        held_books = {book for books_held in state.books for book in books_held} | set(book_top)
        free = [book for book in range(len(CARDS.book_kinds)) if book not in held_books]
        state.book_deck, state.discards = free + list(book_top)[::-1], []
        state.positions = [(at or {}).get(seat, 3) for seat in game.seats]
        state.roles, state.turn, state.turns, state.fresh = [0, 1, 2, 3], turn, 8, fresh
        state.known, state.fired = [[] for _ in range(5)], ()
        state.steps = [["next_turn", turn], ["phase2", turn], ["main", turn]]
        if step == "strike":
            state.steps[1:] = [["strike", turn]]
        for name, value in fields.items():
            setattr(state, name, value)
        self.told: list[str] = []
        self.dice(dice)

    def dice(self, throws: str) -> None:
        """Let the next throws be as given, such as "OX"."""
        self.match._rng = Dice(throws)

    def legal(self, seat: int | None = None) -> tuple[Any, ...]:
        seat = self.game.to_act(self.state)[0] if seat is None else seat
        return self.game.legal_actions(self.state, seat)

    def play(self, *actions: Any) -> "Table":
        """Let whoever decides first carry out each of *actions*; a function card may be given by
        name.
        """
        for action in actions:
            if action in CARDS.functions and action:
                seat = self.game.to_act(self.state)[0]
                action = (
                    "play",
                    next(
                        card for card in self.state.hands[seat] if CARDS.functions[card] == action
                    ),
                )
            self.told += [
                event.text for event in self.match.play(self.game.to_act(self.state)[0], action)
            ]
            conserved(self.game, self.state)
        return self

    def refused(self, action: Any, seat: int | None = None) -> str:
        """Return the text id of the refusal of *action*, which has to be refused in every language."""
        seat = self.game.to_act(self.state)[0] if seat is None else seat
        before = repr(self.state)
        with pytest.raises(IllegalAction) as refusal:
            self.match.play(seat, action)
        assert repr(self.state) == before
        assert all(refusal.value.sentence(language) for language in LANGUAGES)
        return refusal.value.refusal.text


def conserved(game: Blockade, state: State) -> None:
    """Check that every card is in exactly one place."""
    pieces = sorted(piece for lying, _ in places(game, state) for piece in lying)
    expected = [f"c{card}" for card in range(290)] + [f"b{book}" for book in range(33)]
    assert pieces == sorted(expected)


def started(seed: str = "start", **options: Any) -> Match:
    """Return a new match, after the event on the first space."""
    match = Match(Blockade(4, Options(**options)), seed)
    if match.state.phase == "begin":
        match.play(-1, "next")
    return match


def chance(seed: str = "test") -> Random:
    return stream(seed, "test")
