"""What the function cards do: a function for each card, and the phases in which cards ask a player.

All of it is the kit's own design (``own_design``): the published rulebook gives neither the names
nor the effects of its 117 function cards. A "rival" is a player of the other camp, the "partner"
the other player of the same camp. ``data/functions.csv`` tells what each card is named after, with
its source.

The function of a card returns the steps to do now (see :mod:`.automatic_steps`); it is called by
the card's name.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import automatic_steps
from coursekit.games.blockade.rules.automatic_steps import Events, Phase, card_event
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import BANNED, PERIODICAL
from coursekit.games.blockade.rules.state import Action, State, Step, with_card

Steps = list[Step]


def play(game: Box, state: State, seat: Seat, card: int) -> Events:
    """Play a function card from hand: its text is read aloud and takes effect at once."""
    name = game.cards.functions[card]
    blank = game.options.function_set == "blank"
    automatic_steps.leave_hand(state, seat, card)
    if name == "spare_licence" and not blank:
        state.spares = with_card(state.spares, seat, card)
    else:
        state.discards.append(card)
    state.then(*([["tell", "blank"]] if blank else EFFECTS[name](game, state, seat)))
    return [card_event("read", seat, card)]


def place_step(seat: Seat, count: int, *, any_era: bool = False) -> Step:
    """Return the step in which *seat* may place up to *count* writers."""
    return ["place", seat, count, int(any_era)]


# The cards, in the order of the specification


def stencil(game: Box, state: State, seat: Seat) -> Steps:
    """鋼板刻字: place up to two usable writers.  《文友通訊》 was cut on steel stencils."""
    return [place_step(seat, 2)]


def mimeograph(game: Box, state: State, seat: Seat) -> Steps:
    """油印機: take the top book card.  《光明報》 was mimeographed."""
    return [["take_book", seat]]


def bookstall(game: Box, state: State, seat: Seat) -> Steps:
    """書攤夾層: look at the top three book cards and take one.

    Banned books were sold from under the counter.
    """
    return [["peek", seat, 3] if state.book_deck else ["tell", "no_books"]]


def false_cover(game: Box, state: State, seat: Seat) -> Steps:
    """假封面: searches and protests against the player fail until the player's next turn."""
    state.covered[seat] = 1
    return [["tell", "hides", seat]]


def altered(game: Box, state: State, seat: Seat) -> Steps:
    """張冠李戴: a book card of the player is exchanged for the top one.

    Titles and authors were altered.
    """
    if state.books[seat] and state.book_deck:
        return [["hand_in", seat, ""], ["take_book", seat]]
    return [["tell", "no_effect"]]


def pen_name(game: Box, state: State, seat: Seat) -> Steps:
    """筆名: place one writer of any era.  郭衣洞 wrote as 柏楊 and as 鄧克保."""
    return [place_step(seat, 1, any_era=True)]


def prize(game: Box, state: State, seat: Seat) -> Steps:
    """文學獎: forward 1."""
    return [["forward", 1, seat]]


def advance(game: Box, state: State, seat: Seat) -> Steps:
    """預支稿費: forward 1; 2 if no marker is farther back."""
    return [["forward", 2 if seat in game.last(state) else 1, seat]]


def circulation(game: Box, state: State, seat: Seat) -> Steps:
    """文友輪閱: the player, then the partner, may place one usable writer.

    Manuscripts went round by post.
    """
    partner = game.partner(state, seat)
    return [place_step(seat, 1), place_step(partner, 1), ["refill", partner]]


def spare_licence(game: Box, state: State, seat: Seat) -> Steps:
    """備胎執照: lies open and saves the player from the next move back.

    《自由時代》 had some twenty registrations.
    """
    return [["tell", "spare", seat]]


def catalogue(game: Box, state: State, seat: Seat) -> Steps:
    """查禁圖書目錄: the launching roll of this turn counts as O: a title is listed or it is not."""
    state.sure = 1
    return [["tell", "sure_next", seat]]


def summons(game: Box, state: State, seat: Seat) -> Steps:
    """約談: a rival discards a writer in front or, without one, a random hand card."""
    return [["rival", seat, "summons"]]


def mail_check(game: Box, state: State, seat: Seat) -> Steps:
    """郵電檢查: look at a rival's hand and discard one card from it."""
    return [["rival", seat, "mail_check"]]


def denunciation(game: Box, state: State, seat: Seat) -> Steps:
    """密告信: a rival goes back 1."""
    return [["rival", seat, "denunciation"]]


def torn_page(game: Box, state: State, seat: Seat) -> Steps:
    """撕頁: a rival skips the next phase 2.  A review was torn out of 《書評書目》 copy by copy."""
    return [["rival", seat, "torn_page"]]


def suspension(game: Box, state: State, seat: Seat) -> Steps:
    """停刊處分: a periodical of a rival goes under the book deck, and the rival back 1."""
    closes = PHASES["close"].legal(game, state, seat)
    return [["close", seat] if closes else ["tell", "no_effect"]]


def appeal(game: Box, state: State, seat: Seat) -> Steps:
    """海外聲援: all markers in last place go forward 2.

    Petitions from abroad asked for 柏楊's release.
    """
    return [["forward", 2, *game.last(state)]]


def reading_circle(game: Box, state: State, seat: Seat) -> Steps:
    """讀書會: draw two, place one usable writer or none, discard down to the size of a hand."""
    return [["draw", seat, 2], place_step(seat, 1), ["trim", seat]]


def smuggling(game: Box, state: State, seat: Seat) -> Steps:
    """夾帶入境: turn up book cards until a banned book appears and take it."""
    return [["search", seat, BANNED]]


def first_issue(game: Box, state: State, seat: Seat) -> Steps:
    """創刊號: turn up book cards until a periodical appears and take it."""
    return [["search", seat, PERIODICAL]]


CARDS = (
    stencil,
    mimeograph,
    bookstall,
    false_cover,
    altered,
    pen_name,
    prize,
    advance,
    circulation,
    spare_licence,
    catalogue,
    summons,
    mail_check,
    denunciation,
    torn_page,
    suspension,
    appeal,
    reading_circle,
    smuggling,
    first_issue,
)
EFFECTS: dict[str, Callable[[Box, State, Seat], Steps]] = {card.__name__: card for card in CARDS}


# The phases


class Place(Phase):
    """The player may place up to *count* writers of this era or, with *any_era*, of any."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        _, any_era = words
        if not game.has_room(state, seat):
            return []
        actions: list[Action] = []
        for card in state.hands[seat]:
            if game.cards.is_writer(card) and (any_era or card in game.usable[state.era]):
                actions.append(("play", card))
        return [*actions, "done"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        count, any_era = words
        if action == "done":
            return []
        if count > 1:
            state.then(place_step(seat, count - 1, any_era=any_era))
        return [automatic_steps.place(state, seat, action[1])]


class Peek(Phase):
    """The player takes one of the top *count* book cards, which no other player sees."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("take", book) for book in state.book_deck[-words[0] :]]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        seen = state.book_deck[-words[0] :]
        state.book_deck.remove(action[1])
        state.under = min(state.under, len(state.book_deck))
        if len(seen) > 1:
            automatic_steps.shuffle_back(state, rng, [])
        return automatic_steps.receive_book(game, state, seat, action[1])


class HandIn(Phase):
    """The player puts a book card (of *kind*, "" for any) under the book deck."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        kinds = game.cards.book_kinds
        return [("under", book) for book in state.books[seat] if words[0] in ("", kinds[book])]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        return [automatic_steps.put_under(state, seat, action[1])]


class Close(Phase):
    """The player puts a periodical of a rival under the book deck; the rival goes back 1."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        books = game.rival_books(state, seat, PERIODICAL)
        return [("under", book) for book in books]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        owner = state.owner(action[1])
        state.then(["back", 1, owner])
        return [automatic_steps.put_under(state, owner, action[1])]


class Trim(Phase):
    """The player discards a card, until the hand has its size again."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        hand = state.hands[seat]
        return [("discard", card) for card in hand] if len(hand) > game.options.hand else []

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        state.then(["trim", seat])
        return [automatic_steps.discard(state, seat, action[1])]


class Lose(Phase):
    """The player discards a writer from in front."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("lose", card) for card in state.tables[seat]]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        return [automatic_steps.remove_writer("lose", state, seat, action[1])]


class Inspect(Phase):
    """The player sees a *rival*'s hand and discards a card from it."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("drop", card) for card in state.hands[words[0]]]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        state.then(["refill", words[0]])
        return [automatic_steps.discard(state, words[0], action[1])]


class Rival(Phase):
    """The player names the rival against whom a *card* is played."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("rival", rival) for rival in game.rivals(state, seat)]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        rival = action[1]
        events = [Event("against", {"seat": seat, "target": rival})]
        match words[0]:
            case "summons":
                state.then(lose_step(state, rival))
            case "denunciation":
                state.then(["back", 1, rival])
            case "torn_page":
                state.then(["pause", rival])
            case "mail_check":
                hand, known = state.hands[rival], state.known[seat]
                known += [card for card in hand if card not in known]
                state.then(["inspect", seat, rival])
                events.append(Event("sees_hand", {"seat": rival, "cards": hand[:]}, (seat,)))
        return events


def lose_step(state: State, seat: Seat) -> Step:
    """Return the step in which *seat* loses a writer or, without one, a random hand card."""
    return ["lose" if state.tables[seat] else "random_discard", seat]


PHASES: dict[str, Phase] = {
    "place": Place(),
    "peek": Peek(),
    "hand_in": HandIn(),
    "close": Close(),
    "trim": Trim(),
    "lose": Lose(),
    "inspect": Inspect(),
    "rival": Rival(),
}
