"""A turn as the rulebook has it: what a player may do in phase 1 (a writer, a function card, an exchange) and 2."""

from random import Random
from typing import TYPE_CHECKING, Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import effects, steps
from coursekit.games.blockade.rules.cards import BANNED, CENSORS, PERIODICAL, ROLES
from coursekit.games.blockade.rules.state import Action, O, State
from coursekit.games.blockade.rules.steps import Choice, Events

if TYPE_CHECKING:
    from coursekit.games.blockade.rules.game import Blockade


def stale(game: "Blockade", state: State, seat: Seat) -> list[tuple[str, int]]:
    """Return the discards with which *seat* may freshen up: writers of other eras, once a turn."""
    if not state.fresh:
        return []
    usable, kinds = game.usable[state.era], game.cards.kinds
    return [("discard", card) for card in state.hands[seat] if not kinds[card] and card not in usable]


def renewals(game: "Blockade", state: State, seat: Seat) -> list[Action]:
    """Return how *seat* may freshen up: card by card, or "refresh" for all of them at once."""
    cards = stale(game, state, seat)
    return [*cards, "refresh"] if len(cards) > 1 else [*cards]


def refresh(game: "Blockade", state: State, seat: Seat) -> Events:
    """Discard all writers of other eras, after which there is nothing more to freshen up."""
    events = [steps.discard(state, seat, card) for _, card in stale(game, state, seat)]
    state.fresh = 0
    return events


def payers(game: "Blockade", state: State, seat: Seat) -> list[int]:
    """Return the writers with which *seat* may pay for a book card."""
    o, cards = game.options, list[int]()
    if o.exchange_from != "hand":
        cards += state.tables[seat]
    if o.exchange_from != "table":
        cards += [card for card in state.hands[seat] if card in game.usable[state.era]]
    return cards


def may_exchange(game: "Blockade", state: State, seat: Seat) -> bool:
    return bool(state.book_deck) and len(payers(game, state, seat)) >= game.options.price


def exchange(game: "Blockade", state: State, seat: Seat) -> Events:
    """Begin to pay for the top book card: with the only writers there are, or with some to be chosen."""
    o, cards = game.options, payers(game, state, seat)
    after = [] if o.exchange_from == "table" else [["refill", seat]]
    choosing = o.exchange_from != "table" or len(cards) > o.price
    state.then(["pay", seat, o.price] if choosing else ["pay_all", seat], ["take_book", seat], *after)
    return [Event("exchange", {"seat": seat})]


def pay(game: "Blockade", state: State, seat: Seat, card: int) -> Event:
    if card in state.hands[seat]:
        return steps.discard(state, seat, card)
    state.tables[seat].remove(card)
    state.discards.append(card)
    return Event("pay", {"seat": seat, "card": card})


def pay_all(game: "Blockade", state: State, rng: Random, seat: Seat) -> Events:
    return [pay(game, state, seat, card) for card in payers(game, state, seat)[: game.options.price]]


class Opening(Choice):
    """The first lap: a writer, or else one card is changed."""

    name = "opening"

    def plays(self, game: "Blockade", state: State, seat: Seat) -> list[Action]:
        """Return what can be done besides changing cards."""
        return [("play", card) for card in state.hands[seat] if game.may_place(state, seat, card)]

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        plays, old = self.plays(game, state, seat), renewals(game, state, seat)
        if plays:
            return plays + old
        if old:
            return [*old, "done"]
        return [("discard", card) for card in state.hands[seat]] or ["pass"]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        if action == "done":
            state.fresh = 0
            state.then([self.name, seat])
            return []
        if action == "refresh":
            state.then(["refill", seat], [self.name, seat])
            return refresh(game, state, seat)
        if action in stale(game, state, seat):
            state.then(["fresh", seat], ["refill", seat], [self.name, seat])
            return [steps.discard(state, seat, action[1])]
        if action == "exchange":
            return exchange(game, state, seat)
        if action == "pass":
            return [Event("pass", {"seat": seat})]
        verb, card = action
        if verb == "discard":
            state.then(["refill", seat])
            return [steps.discard(state, seat, card)]
        # 「即可在下一回合換取」: an exchange takes the place of playing, so what is placed now pays later.
        if not game.options.exchange_delay and self.name == "main":
            state.then(["exchange", seat])
        state.then(["refill", seat])
        if game.cards.kinds[card]:
            return effects.play(game, state, seat, card)
        return [steps.place(state, seat, card)]


class Main(Opening):
    """Phase 1 of a turn."""

    name = "main"

    def plays(self, game: "Blockade", state: State, seat: Seat) -> list[Action]:
        functions: list[Action] = [("play", card) for card in state.hands[seat] if game.cards.kinds[card]]
        trade: list[Action] = ["exchange"] if may_exchange(game, state, seat) else []
        return super().plays(game, state, seat) + functions + trade

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        o, actions = game.options, super().legal(game, state, seat)
        if o.stale_cards == "discard_action":
            actions += [("discard", card) for card in state.hands[seat] if ("discard", card) not in actions]
        return [*actions, "pass"] if o.may_pass and "pass" not in actions else actions


class Fresh(Choice):
    """Further writers of other eras to be changed at the start of a turn."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        return [*renewals(game, state, seat), "done"]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        if action == "done":
            state.fresh = 0
            return []
        if action == "refresh":
            return refresh(game, state, seat)
        state.then(["fresh", seat])
        return [steps.discard(state, seat, action[1])]


class Exchange(Choice):
    """An exchange at once, in the turn in which the writers were placed (an option)."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        if game.options.exchange_from == "table":
            return ["exchange", "done"] if may_exchange(game, state, seat) else []
        # With a hidden hand, who cannot exchange says so, too.
        return ["exchange", "done"] if may_exchange(game, state, seat) else ["done"]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        return exchange(game, state, seat) if action == "exchange" else []


class Pay(Choice):
    """One of the *left* writers that pay for a book card."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("pay", card) for card in payers(game, state, seat)]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        (left,) = words
        if left > 1:
            state.then(["pay", seat, left - 1])
        return [pay(game, state, seat, action[1])]


class Strike(Choice):
    """Phase 2: a banned book of a pen is searched for, or a periodical claimed back from a censor."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        kind = BANNED if state.roles[seat] in CENSORS else PERIODICAL
        held = [book for rival in game.rivals(state, seat) for book in state.books[rival]]
        targets: list[Action] = [("strike", book) for book in held if game.cards.book_kinds[book] == kind]
        return [*targets, "pass"] if targets else []

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        if action == "pass":
            return []
        book = action[1]
        target = next(other for other in game.seats if book in state.books[other])
        pen = state.roles[seat] not in CENSORS
        events = [Event(f"strike.{ROLES[state.roles[seat]]}", {"seat": seat, "target": target, "book": book})]
        if state.covered[target]:
            return [*events, Event("covered", {"seat": target})]
        if state.sure or (state.outspoken and pen):
            state.then(["defend", target, seat, book])
            return [*events, Event("sure", {"seat": seat})]
        state.then(["launch", seat, target, book])
        return events


class Launch(Choice):
    """The attacker throws the die: with an X it has failed."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["roll"]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        target, book = words
        events = [game.throw(state, rng, seat)]
        if state.die == O:
            state.then(["defend", target, seat, book])
            return events
        return [*events, Event("launch_fails", {"seat": seat})]


class Defend(Choice):
    """The target throws the die: 「O/O-> 查禁/抗議成立」."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["roll"]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        attacker, book = words
        o, events = game.options, [game.throw(state, rng, seat)]
        if (state.die == O) != (o.defence_o == "attacker"):
            return [*events, Event("defended", {"seat": seat, "book": book})]
        state.books[seat].remove(book)
        state.books[attacker].append(book)
        events.append(Event("taken", {"seat": attacker, "target": seat, "book": book}))
        if state.roles[attacker] in CENSORS:
            after = [["back", o.search_back, seat], ["forward", o.seize_bonus, attacker]]
        else:
            after = [["back", o.loss_penalty, seat], ["forward", o.protest_steps, attacker]]
        state.then(*[step for step in after if step[1]])
        return events


CHOICES: dict[str, Choice] = {
    "opening": Opening(), "main": Main(), "fresh": Fresh(), "exchange": Exchange(), "pay": Pay(),
    "strike": Strike(), "launch": Launch(), "defend": Defend(),
}  # fmt: skip
