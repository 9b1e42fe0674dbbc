"""What the events of the track do: one small function each, and the choices they ask for.

The rulebook gives the twenty events and their years; it keeps their effects on a sheet that is not public.
So every effect here is the kit's own design (``own_design``).  *seat* is the player whose marker triggered
the event, NOBODY for an event on the first space of an era.
"""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules.cards import BANNED, PERIODICAL
from coursekit.games.blockade.rules.state import HIDDEN, NOBODY, NOTHING, Action, O, State, Step, X
from coursekit.games.blockade.rules.steps import Choice, Events

if TYPE_CHECKING:
    from coursekit.games.blockade.rules.game import Blockade


def event(game: "Blockade", state: State, rng: Random, year: int, seat: Seat) -> Events:
    """Let the event of *year* happen; the event 1987 may stand on another year of the track."""
    return [Event("happens", {"event": year}), *EVENTS[year](game, state, seat)]


def peace_declaration(game: "Blockade", state: State, seat: Seat) -> Events:
    """1949 和平宣言: each pen turns over the top experience card; a usable writer is placed."""
    state.then(*[["flip", pen] for pen in game.pens(state)])
    return []


def keelung_high_school(game: "Blockade", state: State, seat: Seat) -> Events:
    """1950 基隆中學事件: the player loses a random hand card, each pen a writer."""
    state.then(["random_discard", seat], *[["lose", pen] for pen in game.pens(state)])
    return []


def cultural_cleansing(game: "Blockade", state: State, seat: Seat) -> Events:
    """1954 文化清潔運動: each pen with a banned book puts one under the book deck."""
    state.then(*[["hand_in", pen, BANNED] for pen in game.pens(state)])
    return []


def sun_li_jen(game: "Blockade", state: State, seat: Seat) -> Events:
    """1955 孫立人兵變案: everybody but the player throws; X sends back 1."""
    state.then(*[["throw", other, 1955] for other in game.clockwise(state) if other != seat])
    return []


def literary_friends(game: "Blockade", state: State, seat: Seat) -> Events:
    """1957 文友通訊創刊: each pen may place one usable writer."""
    for pen in reversed(game.pens(state)):
        state.then(["place", pen, 1, 0], ["refill", pen])
    return []


def free_china(game: "Blockade", state: State, seat: Seat) -> Events:
    """1960 自由中國事件: a periodical leaves the book deck for this era."""
    state.then(["search", NOBODY, PERIODICAL])
    return []


def locked_heart(game: "Blockade", state: State, seat: Seat) -> Events:
    """1962 心鎖事件: the player turns up book cards until a banned book appears and takes it."""
    state.then(["search", seat, BANNED])
    return []


def taiwan_literature(game: "Blockade", state: State, seat: Seat) -> Events:
    """1964 台灣文藝創刊: the player turns up book cards until a periodical appears and takes it."""
    state.then(["search", seat, PERIODICAL])
    return []


def cultural_renaissance(game: "Blockade", state: State, seat: Seat) -> Events:
    """1966 中華文化復興運動: everybody passes a card to the left, all at once."""
    state.then(["pass_left", NOBODY, *[NOTHING] * game.players])
    return []


def popeye(game: "Blockade", state: State, seat: Seat) -> Events:
    """1968 大力水手事件: the foremost pen (or both) throws; X sends back 2."""
    front = max(state.positions[pen] for pen in game.pens(state))
    state.then(*[["throw", pen, 1968] for pen in game.pens(state) if state.positions[pen] == front])
    return []


def taiyuan(game: "Blockade", state: State, seat: Seat) -> Events:
    """1970 泰源事件: each pen skips the next phase 2."""
    return _skip(state, game.pens(state))


def united_nations(game: "Blockade", state: State, seat: Seat) -> Events:
    """1971 退出聯合國: everybody goes back 1."""
    state.then(["back", 1, *game.clockwise(state)])
    return []


def ntu_philosophy(game: "Blockade", state: State, seat: Seat) -> Events:
    """1972 台大哲學系事件: each pen loses a writer in front, or else a random hand card."""
    state.then(*[["lose" if state.tables[pen] else "random_discard", pen] for pen in game.pens(state)])
    return []


def nativist_debate(game: "Blockade", state: State, seat: Seat) -> Events:
    """1977 鄉土文學論戰: everybody throws; O goes forward 1, not to the end, and nothing happens there."""
    state.then(*[["throw", each, 1977] for each in game.clockwise(state)])
    return []


def formosa(game: "Blockade", state: State, seat: Seat) -> Events:
    """1979 美麗島事件: each pen goes back 1 and takes the top book card."""
    pens = game.pens(state)
    state.then(["back", 1, *pens], *[["take_book", pen] for pen in pens])
    return []


def chen_wen_chen(game: "Blockade", state: State, seat: Seat) -> Events:
    """1981 陳文成事件: everybody skips the next phase 2."""
    return _skip(state, game.clockwise(state))


def henry_liu(game: "Blockade", state: State, seat: Seat) -> Events:
    """1984 江南案: each censor goes back 1."""
    state.then(["back", 1, *game.censors(state)])
    return []


def lifting(game: "Blockade", state: State, seat: Seat) -> Events:
    """1987 解嚴: from now on censors have no phase 2; each pen goes forward 1."""
    state.lifted = 1
    state.then(["forward", 1, *game.pens(state)])
    return []


def cheng_nan_jung(game: "Blockade", state: State, seat: Seat) -> Events:
    """1989 鄭南榕自焚: for the rest of the era a pen's launching roll counts as O."""
    state.outspoken = 1
    return []


def article_100(game: "Blockade", state: State, seat: Seat) -> Events:
    """1992 刑法100條修正: each pen with a banned book goes forward 1."""
    kinds = game.cards.book_kinds
    holders = [pen for pen in game.pens(state) if any(kinds[book] == BANNED for book in state.books[pen])]
    state.then(*[["forward", 1, *holders]] if holders else [])
    return []


def _skip(state: State, seats: list[Seat]) -> Events:
    for seat in seats:
        state.skip[seat] = 1
    return [Event("will_skip", {"seats": sorted(seats)})]


EVENTS: dict[int, Callable[["Blockade", State, Seat], Events]] = {
    1949: peace_declaration, 1950: keelung_high_school, 1954: cultural_cleansing, 1955: sun_li_jen,
    1957: literary_friends, 1960: free_china, 1962: locked_heart, 1964: taiwan_literature,
    1966: cultural_renaissance, 1968: popeye, 1970: taiyuan, 1971: united_nations, 1972: ntu_philosophy,
    1977: nativist_debate, 1979: formosa, 1981: chen_wen_chen, 1984: henry_liu, 1987: lifting,
    1989: cheng_nan_jung, 1992: article_100,
}  # fmt: skip


# The choices


class Throw(Choice):
    """A throw that the event of *year* asks for."""

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["roll"]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        events = [game.throw(state, rng, seat)]
        after: dict[tuple[int, str], Step] = {
            (1955, X): ["back", 1, seat], (1968, X): ["back", 2, seat], (1977, O): ["nudge", seat],
        }  # fmt: skip
        if step := after.get((words[0], state.die)):
            state.then(step)
        return events


class PassLeft(Choice):
    """A hand card for the player on the left; all choose at once, *words* are the cards chosen so far."""

    def deciders(self, state: State, step: Step) -> tuple[Seat, ...]:
        return tuple(seat for seat, card in enumerate(step[2:]) if card == NOTHING and state.hands[seat])

    def legal(self, game: "Blockade", state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("left", card) for card in state.hands[seat]]

    def act(self, game: "Blockade", state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        chosen = list(words)
        chosen[seat] = action[1]
        step = ["pass_left", NOBODY, *chosen]
        if self.deciders(state, step):
            state.then(step)
            return [Event("chosen", {"seat": seat})]
        passing = [(giver, card) for giver, card in enumerate(chosen) if card != NOTHING]
        for giver, card in passing:
            state.hands[giver].remove(card)
        for cards in state.known:  # every card may have moved
            cards.clear()
        events = [Event("pass_left")]
        for giver, card in passing:
            left = (giver + 1) % game.players
            state.hands[left] = sorted([*state.hands[left], card])
            state.known[giver] = [card]
            events += [
                Event("gave", {"seat": left, "card": card}, (giver,)),
                Event("got", {"seat": giver, "card": card}, (left,)),
            ]
        return events


def hidden_choices(step: Step, seat: Seat | None) -> tuple[Any, ...]:
    """Return *step* as *seat* may see it: what others have chosen face down is HIDDEN."""
    if step[0] != "pass_left":
        return tuple(step)
    cards = [card if card == NOTHING or other == seat else HIDDEN for other, card in enumerate(step[2:])]
    return (*step[:2], *cards)


CHOICES: dict[str, Choice] = {"throw": Throw(), "pass_left": PassLeft()}
