"""A turn: phase 1 (a writer, a function card or an exchange), then phase 2 (search or protest)."""

from collections.abc import Callable
from random import Random
from typing import Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import automatic_steps, effects
from coursekit.games.blockade.rules.automatic_steps import Events, Phase, Roll
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import BANNED, CENSORS, PERIODICAL, ROLES
from coursekit.games.blockade.rules.state import Action, O, State, with_card, without_card


def stale_discards(game: Box, state: State, seat: Seat) -> list[Action]:
    """Return the discards of writers of other eras that freshen up the hand of *seat*."""
    if not state.fresh:
        return []
    usable, functions = game.usable[state.era], game.cards.functions
    hand = state.hands[seat]
    return [("discard", card) for card in hand if not functions[card] and card not in usable]


def renewals(game: Box, state: State, seat: Seat) -> list[Action]:
    """Return how *seat* may freshen up: card by card, or all at once with "refresh"."""
    discards = stale_discards(game, state, seat)
    return [*discards, "refresh"] if len(discards) > 1 else discards


def refresh(game: Box, state: State, seat: Seat) -> Events:
    """Discard all writers of other eras; that ends freshening up."""
    cards = [action[1] for action in stale_discards(game, state, seat)]
    state.fresh = 0
    return [automatic_steps.discard(state, seat, int(card)) for card in cards]


def payers(game: Box, state: State, seat: Seat) -> list[int]:
    """Return the writers with which *seat* may pay for a book card."""
    o = game.options
    cards: list[int] = []
    if o.exchange_from != "hand":
        cards += state.tables[seat]
    if o.exchange_from != "table":
        cards += [card for card in state.hands[seat] if card in game.usable[state.era]]
    return cards


def may_exchange(game: Box, state: State, seat: Seat) -> bool:
    """Return whether there is a book card and *seat* can pay for it."""
    return bool(state.book_deck) and len(payers(game, state, seat)) >= game.options.price


def exchange(game: Box, state: State, seat: Seat) -> Events:
    """Begin to pay for the top book card; the player chooses the writers if there is a choice."""
    price, cards = game.options.price, payers(game, state, seat)
    if game.options.exchange_from != "table":
        state.then(["pay", seat, price], ["take_book", seat], ["refill", seat])
    elif len(cards) > price:
        state.then(["pay", seat, price], ["take_book", seat])
    else:
        state.then(["pay_all", seat], ["take_book", seat])
    return [Event("exchange", {"seat": seat})]


def pay(game: Box, state: State, seat: Seat, card: int) -> Event:
    """Pay with one writer, from the hand or the table."""
    if card in state.hands[seat]:
        return automatic_steps.discard(state, seat, card)
    return automatic_steps.remove_writer("pay", state, seat, card)


def pay_all(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Pay with the only writers there are."""
    cards = payers(game, state, seat)[: game.options.price]
    return [pay(game, state, seat, card) for card in cards]


class Opening(Phase):
    """The first lap: the player places a writer or, without one, changes a card."""

    name = "opening"
    always = True  # without a card one may pass

    def plays(self, game: Box, state: State, seat: Seat) -> list[Action]:
        """Return the actions besides changing cards."""
        if not game.has_room(state, seat):
            return []
        usable = game.usable[state.era]
        return [("play", card) for card in state.hands[seat] if card in usable]

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        plays, old = self.plays(game, state, seat), renewals(game, state, seat)
        if plays:
            return plays + old
        if old:
            return [*old, "done"]
        return [("discard", card) for card in state.hands[seat]] or ["pass"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        if action == "done":
            state.fresh = 0
            state.then([self.name, seat])
            return []
        if action == "refresh":
            state.then(["refill", seat], [self.name, seat])
            return refresh(game, state, seat)
        if action == "exchange":
            return exchange(game, state, seat)
        if action == "pass":
            return [Event("pass", {"seat": seat})]
        verb, card = action
        if verb == "discard":
            if action in stale_discards(game, state, seat):
                state.then(["fresh", seat], ["refill", seat], [self.name, seat])
            else:
                state.then(["refill", seat])
            return [automatic_steps.discard(state, seat, card)]
        # 「即可在下一回合換取」: an exchange replaces a card, so a writer placed now pays later.
        if not game.options.exchange_delay and self.name == "main":
            state.then(["exchange", seat])
        state.then(["refill", seat])
        if game.cards.is_writer(card):
            return [automatic_steps.place(state, seat, card)]
        return effects.play(game, state, seat, card)


class Main(Opening):
    """Phase 1 of a turn."""

    name = "main"

    def plays(self, game: Box, state: State, seat: Seat) -> list[Action]:
        usable = game.usable[state.era] if game.has_room(state, seat) else ()
        functions = game.cards.functions
        # Writers come first, since a hand is ascending
        plays: list[Action] = [
            ("play", card) for card in state.hands[seat] if functions[card] or card in usable
        ]
        return [*plays, "exchange"] if may_exchange(game, state, seat) else plays

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        actions = super().legal(game, state, seat)
        if game.options.stale_cards == "discard_action":
            discards = [("discard", card) for card in state.hands[seat]]
            actions += [action for action in discards if action not in actions]
        if game.options.may_pass and "pass" not in actions:
            actions.append("pass")
        return actions


class Fresh(Phase):
    """The player may change more writers of other eras at the start of a turn."""

    always = True

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [*renewals(game, state, seat), "done"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        if action == "done":
            state.fresh = 0
            return []
        if action == "refresh":
            return refresh(game, state, seat)
        state.then(["fresh", seat])
        return [automatic_steps.discard(state, seat, action[1])]


class Exchange(Phase):
    """The player may exchange in the turn in which the writers were placed (an option)."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        if may_exchange(game, state, seat):
            return ["exchange", "done"]
        # Writers in hand are hidden, so a player who cannot exchange is asked as well.
        return [] if game.options.exchange_from == "table" else ["done"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        return exchange(game, state, seat) if action == "exchange" else []


class Pay(Phase):
    """The player chooses one of the *left* writers that pay for a book card."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("pay", card) for card in payers(game, state, seat)]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        (left,) = words
        if left > 1:
            state.then(["pay", seat, left - 1])
        return [pay(game, state, seat, action[1])]


class Strike(Phase):
    """Phase 2: a censor searches a pen for a banned book, or a pen claims a periodical back."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        kind = BANNED if state.roles[seat] in CENSORS else PERIODICAL
        books = game.rival_books(state, seat, kind)
        return [*[("strike", book) for book in books], "pass"] if books else []

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        if action == "pass":
            return []
        book = action[1]
        target, role = state.owner(book), state.roles[seat]
        values = {"seat": seat, "target": target, "book": book}
        strike = Event(f"strike.{ROLES[role]}", values)
        if state.covered[target]:
            return [strike, Event("covered", {"seat": target})]
        if state.sure or (state.outspoken and role not in CENSORS):
            state.then(["defend", target, seat, book])
            return [strike, Event("sure", {"seat": seat})]
        state.then(["launch", seat, target, book])
        return [strike]


class Launch(Roll):
    """The attacker throws the die; with an X the attempt fails."""

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        target, book = words
        thrown = automatic_steps.throw(game, state, rng, seat)
        if state.die != O:
            return [thrown, Event("launch_fails", {"seat": seat})]
        state.then(["defend", target, seat, book])
        return [thrown]


class Defend(Roll):
    """The target throws the die: 「O/O-> 查禁/抗議成立」."""

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        attacker, book = words
        o, thrown = game.options, automatic_steps.throw(game, state, rng, seat)
        if (state.die == O) != (o.defence_o == "attacker"):
            return [thrown, Event("defended", {"seat": seat, "book": book})]
        state.books = with_card(without_card(state.books, book), attacker, book)
        back, forward = o.loss_penalty, o.protest_steps
        if state.roles[attacker] in CENSORS:
            back, forward = o.search_back, o.seize_bonus
        if forward:
            state.then(["forward", forward, attacker])
        if back:
            state.then(["back", back, seat])
        return [thrown, Event("taken", {"seat": attacker, "target": seat, "book": book})]


# The course of a turn


def turn(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Begin the turn of *seat*."""
    state.turn = seat
    state.sure = 0
    state.covered[seat] = 0
    state.fresh = int(game.options.stale_cards == "refresh")
    if state.turns < game.players and game.has_opening(state):  # 「遊戲第一回合僅能出作家卡」
        state.then(["opening", seat], ["next_turn", seat])
    else:
        state.then(["main", seat], ["phase2", seat], ["next_turn", seat])
    return []


def phase2(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Begin phase 2, unless *seat* skips it or martial law is lifted."""
    if state.skip[seat]:
        state.skip[seat] = 0
        return [Event("skips", {"seat": seat})]
    if not (state.lifted and state.roles[seat] in CENSORS):
        state.then(["strike", seat])
    return []


def next_turn(game: Box, state: State, rng: Random, seat: Seat) -> Events:
    """Go on to the next seat, or end the era if it takes too long."""
    o, n = game.options, game.players
    state.turns += 1
    state.quiet += 1
    if o.stall_laps and state.quiet >= o.stall_laps * n:
        state.then(["end_era", "stall"])
    elif state.turns >= o.laps_limit * n:
        state.then(["end_era", "limit"])
    else:
        state.then(["turn", (seat + 1) % n])
    return []


STEPS: dict[str, Callable[..., Events]] = {
    step.__name__: step for step in (pay_all, turn, phase2, next_turn)
}
PHASES: dict[str, Phase] = {
    "opening": Opening(),
    "main": Main(),
    "fresh": Fresh(),
    "exchange": Exchange(),
    "pay": Pay(),
    "strike": Strike(),
    "launch": Launch(),
    "defend": Defend(),
}
