"""What the function cards do: a small function for each, and the phases in which they ask a player.

All of it is the kit's own design (``own_design``): the published rulebook gives neither the names
nor the effects of its 117 function cards. A "rival" is a player of the other camp, the "partner"
the other player of the same camp. ``data/functions.csv`` tells what each card is named after, with
its source.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import automatic_steps
from coursekit.games.blockade.rules.automatic_steps import Events, Phase
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import BANNED, PERIODICAL
from coursekit.games.blockade.rules.state import Action, State, Step, with_card


def play(game: Box, state: State, seat: Seat, card: int) -> Events:
    """Play a function card from hand: its text is read aloud and takes effect at once."""
    name = game.cards.functions[card]
    automatic_steps.leave_hand(state, seat, card)
    blank = game.options.function_set == "blank"
    if name == "spare_licence" and not blank:
        state.spares = with_card(state.spares, seat, card)
    else:
        state.discards.append(card)
    read = automatic_steps.told("read", seat, card)
    return [read, Event("blank")] if blank else [read, *EFFECTS[name](game, state, seat)]


def placing(seat: Seat, count: int, *, any_era: bool = False) -> Step:
    """Return the step in which *seat* may place up to *count* writers of this era, or of *any_era*."""
    return ["place", seat, count, int(any_era)]


# The cards, in the order of the specification


def stencil(game: Box, state: State, seat: Seat) -> Events:
    """鋼板刻字: place up to two usable writers.  《文友通訊》 was cut on steel stencils."""
    state.then(placing(seat, 2))
    return []


def mimeograph(game: Box, state: State, seat: Seat) -> Events:
    """油印機: take the top book card.  《光明報》 was mimeographed."""
    state.then(["take_book", seat])
    return []


def bookstall(game: Box, state: State, seat: Seat) -> Events:
    """書攤夾層: look at the top three book cards and take one. Banned books were sold from under the
    counter.
    """
    state.then(["peek", seat, 3])
    return [] if state.book_deck else [Event("no_books")]


def false_cover(game: Box, state: State, seat: Seat) -> Events:
    """假封面: searches and protests against the player fail until the player's next turn."""
    state.covered[seat] = 1
    return [Event("hides", {"seat": seat})]


def altered(game: Box, state: State, seat: Seat) -> Events:
    """張冠李戴: a book card of the player is exchanged for the top one. Titles and authors were
    altered.
    """
    if not state.books[seat] or not state.book_deck:
        return [Event("no_effect")]
    state.then(["hand_in", seat, ""], ["take_book", seat])
    return []


def pen_name(game: Box, state: State, seat: Seat) -> Events:
    """筆名: place one writer of any era.  郭衣洞 wrote as 柏楊 and as 鄧克保."""
    state.then(placing(seat, 1, any_era=True))
    return []


def prize(game: Box, state: State, seat: Seat) -> Events:
    """文學獎: forward 1."""
    state.then(["forward", 1, seat])
    return []


def advance(game: Box, state: State, seat: Seat) -> Events:
    """預支稿費: forward 1; 2 if no marker is farther back."""
    state.then(["forward", 2 if seat in game.last(state) else 1, seat])
    return []


def circulation(game: Box, state: State, seat: Seat) -> Events:
    """文友輪閱: the player, then the partner, may place one usable writer. Manuscripts went round by
    post.
    """
    partner = game.partner(state, seat)
    state.then(placing(seat, 1), placing(partner, 1), ["refill", partner])
    return []


def spare_licence(game: Box, state: State, seat: Seat) -> Events:
    """備胎執照: lies open and saves the player from the next move back. 《自由時代》 had some twenty
    registrations.
    """
    return [Event("spare", {"seat": seat})]


def catalogue(game: Box, state: State, seat: Seat) -> Events:
    """查禁圖書目錄: the launching roll of this turn counts as O: a title is on the list or it is not."""
    state.sure = 1
    return [Event("sure_next", {"seat": seat})]


def summons(game: Box, state: State, seat: Seat) -> Events:
    """約談: a rival discards a writer in front or, without one, a random hand card."""
    state.then(["rival", seat, "summons"])
    return []


def mail_check(game: Box, state: State, seat: Seat) -> Events:
    """郵電檢查: look at a rival's hand and discard one card from it."""
    state.then(["rival", seat, "mail_check"])
    return []


def denunciation(game: Box, state: State, seat: Seat) -> Events:
    """密告信: a rival goes back 1."""
    state.then(["rival", seat, "denunciation"])
    return []


def torn_page(game: Box, state: State, seat: Seat) -> Events:
    """撕頁: a rival skips the next phase 2.  A review was torn out of 《書評書目》 copy by copy."""
    state.then(["rival", seat, "torn_page"])
    return []


def suspension(game: Box, state: State, seat: Seat) -> Events:
    """停刊處分: a periodical of a rival goes under the book deck, and the rival back 1."""
    state.then(["close", seat])
    return [] if PHASES["close"].legal(game, state, seat) else [Event("no_effect")]


def appeal(game: Box, state: State, seat: Seat) -> Events:
    """海外聲援: all markers in last place go forward 2. Petitions from abroad asked for 柏楊's release."""
    state.then(["forward", 2, *game.last(state)])
    return []


def reading_circle(game: Box, state: State, seat: Seat) -> Events:
    """讀書會: draw two, place one usable writer or none, discard down to the size of a hand."""
    state.then(["draw", seat, 2], placing(seat, 1), ["trim", seat])
    return []


def smuggling(game: Box, state: State, seat: Seat) -> Events:
    """夾帶入境: turn up book cards until a banned book appears and take it."""
    state.then(["search", seat, BANNED])
    return []


def first_issue(game: Box, state: State, seat: Seat) -> Events:
    """創刊號: turn up book cards until a periodical appears and take it."""
    state.then(["search", seat, PERIODICAL])
    return []


EFFECTS: dict[str, Callable[[Box, State, Seat], Events]] = {
    each.__name__: each
    for each in (
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
}


# The phases


class Place(Phase):
    """Up to *count* writers may be placed, one by one: of this era or, with *any_era*, of any."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        _, any_era = words
        if not game.has_room(state, seat):
            return []
        cards = [card for card in state.hands[seat] if game.cards.is_writer(card)]
        return [
            *[("play", card) for card in cards if any_era or card in game.usable[state.era]],
            "done",
        ]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        count, any_era = words
        if action == "done":
            return []
        if count > 1:
            state.then(placing(seat, count - 1, any_era=any_era))
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
        return automatic_steps.resolve(game, state, seat, action[1])


class HandIn(Phase):
    """The player puts a book card (of *kind*, "" for any) under the book deck."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [
            ("under", book)
            for book in state.books[seat]
            if words[0] in ("", game.cards.book_kinds[book])
        ]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        return [automatic_steps.put_under(state, seat, action[1])]


class Close(Phase):
    """The player puts a periodical of a rival under the book deck; the rival goes back 1."""

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        held = [book for rival in game.rivals(state, seat) for book in state.books[rival]]
        return [("under", book) for book in held if game.cards.book_kinds[book] == PERIODICAL]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        owner = next(rival for rival in game.rivals(state, seat) if action[1] in state.books[rival])
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
        state.tables[seat].remove(action[1])
        state.discards.append(action[1])
        return [automatic_steps.told("lose", seat, action[1])]


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
        rival, events = action[1], [Event("against", {"seat": seat, "target": action[1]})]
        if words[0] == "summons":
            state.then(["lose", rival] if state.tables[rival] else ["random_discard", rival])
        elif words[0] == "denunciation":
            state.then(["back", 1, rival])
        elif words[0] == "torn_page":
            state.skip[rival] = 1
            events.append(Event("will_skip", {"seats": [rival]}))
        else:
            state.known[seat] += [
                card for card in state.hands[rival] if card not in state.known[seat]
            ]
            state.then(["inspect", seat, rival])
            events.append(
                Event("sees_hand", {"seat": rival, "cards": state.hands[rival][:]}, (seat,))
            )
        return events


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
