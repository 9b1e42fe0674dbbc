"""What the events of the track do: a small function for each, and the phases in which they ask a
player.

The rulebook names the twenty events and their years; their effects are on a sheet that is not
public. So every effect here is the kit's own design (``own_design``). *seat* is the player whose
marker triggered the event, NOBODY for an event on the first space of an era.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import automatic_steps
from coursekit.games.blockade.rules.automatic_steps import Events, Phase
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import (
    ARTICLE_100,
    BANNED,
    CHEN_WEN_CHEN,
    CHENG_NAN_JUNG,
    CULTURAL_CLEANSING,
    CULTURAL_RENAISSANCE,
    FORMOSA,
    FREE_CHINA,
    HENRY_LIU,
    KEELUNG_HIGH_SCHOOL,
    LIFTING,
    LITERARY_FRIENDS,
    LOCKED_HEART,
    NATIVIST_DEBATE,
    NTU_PHILOSOPHY,
    PEACE_DECLARATION,
    PERIODICAL,
    POPEYE,
    SUN_LI_JEN,
    TAIWAN_LITERATURE,
    TAIYUAN,
    UNITED_NATIONS,
)
from coursekit.games.blockade.rules.effects import placing
from coursekit.games.blockade.rules.state import HIDDEN, NOBODY, NOTHING, Action, O, State, Step, X


def event(game: Box, state: State, rng: Random, year: int, seat: Seat) -> Events:
    """Let the event of *year* happen. Its space may be another one: see the option
    ``lifting_year``.
    """
    return [Event("happens", {"event": year}), *EFFECTS[year](game, state, seat)]


def peace_declaration(game: Box, state: State, seat: Seat) -> Events:
    """1949 和平宣言: each pen turns over the top experience card and places a usable writer."""
    state.then(*[["flip", pen] for pen in game.pens(state)])
    return []


def keelung_high_school(game: Box, state: State, seat: Seat) -> Events:
    """1950 基隆中學事件: the player loses a random hand card, each pen a writer."""
    state.then(["random_discard", seat], *[["lose", pen] for pen in game.pens(state)])
    return []


def cultural_cleansing(game: Box, state: State, seat: Seat) -> Events:
    """1954 文化清潔運動: each pen with a banned book puts one under the book deck."""
    state.then(*[["hand_in", pen, BANNED] for pen in game.pens(state)])
    return []


def sun_li_jen(game: Box, state: State, seat: Seat) -> Events:
    """1955 孫立人兵變案: all players but this one throw; an X sends back 1."""
    state.then(*[["throw", other, SUN_LI_JEN] for other in game.clockwise(state) if other != seat])
    return []


def literary_friends(game: Box, state: State, seat: Seat) -> Events:
    """1957 文友通訊創刊: each pen may place one usable writer."""
    for pen in reversed(game.pens(state)):
        state.then(placing(pen, 1), ["refill", pen])
    return []


def free_china(game: Box, state: State, seat: Seat) -> Events:
    """1960 自由中國事件: a periodical leaves the book deck for this era."""
    state.then(["search", NOBODY, PERIODICAL])
    return []


def locked_heart(game: Box, state: State, seat: Seat) -> Events:
    """1962 心鎖事件: the player turns up book cards until a banned book appears and takes it."""
    state.then(["search", seat, BANNED])
    return []


def taiwan_literature(game: Box, state: State, seat: Seat) -> Events:
    """1964 台灣文藝創刊: the player turns up book cards until a periodical appears and takes it."""
    state.then(["search", seat, PERIODICAL])
    return []


def cultural_renaissance(game: Box, state: State, seat: Seat) -> Events:
    """1966 中華文化復興運動: all players pass a card to the left, at the same time."""
    state.then(["pass_left", NOBODY, *[NOTHING] * game.players])
    return []


def popeye(game: Box, state: State, seat: Seat) -> Events:
    """1968 大力水手事件: the foremost pen (or both) throws; an X sends back 2."""
    front = max(state.positions[pen] for pen in game.pens(state))
    state.then(
        *[["throw", pen, POPEYE] for pen in game.pens(state) if state.positions[pen] == front]
    )
    return []


def taiyuan(game: Box, state: State, seat: Seat) -> Events:
    """1970 泰源事件: each pen skips the next phase 2."""
    return _skip(state, game.pens(state))


def united_nations(game: Box, state: State, seat: Seat) -> Events:
    """1971 退出聯合國: all go back 1."""
    state.then(["back", 1, *game.clockwise(state)])
    return []


def ntu_philosophy(game: Box, state: State, seat: Seat) -> Events:
    """1972 台大哲學系事件: each pen loses a writer in front or, without one, a random hand card."""
    state.then(
        *[["lose" if state.tables[pen] else "random_discard", pen] for pen in game.pens(state)]
    )
    return []


def nativist_debate(game: Box, state: State, seat: Seat) -> Events:
    """1977 鄉土文學論戰: all throw; an O goes forward 1, not to the end, and no event happens there."""
    state.then(*[["throw", each, NATIVIST_DEBATE] for each in game.clockwise(state)])
    return []


def formosa(game: Box, state: State, seat: Seat) -> Events:
    """1979 美麗島事件: each pen goes back 1 and takes the top book card."""
    pens = game.pens(state)
    state.then(["back", 1, *pens], *[["take_book", pen] for pen in pens])
    return []


def chen_wen_chen(game: Box, state: State, seat: Seat) -> Events:
    """1981 陳文成事件: all skip the next phase 2."""
    return _skip(state, game.clockwise(state))


def henry_liu(game: Box, state: State, seat: Seat) -> Events:
    """1984 江南案: each censor goes back 1."""
    state.then(["back", 1, *game.censors(state)])
    return []


def lifting(game: Box, state: State, seat: Seat) -> Events:
    """1987 解嚴: from now on censors have no phase 2; each pen goes forward 1."""
    state.lifted = 1
    state.then(["forward", 1, *game.pens(state)])
    return []


def cheng_nan_jung(game: Box, state: State, seat: Seat) -> Events:
    """1989 鄭南榕自焚: for the rest of the era a pen's launching roll counts as O."""
    state.outspoken = 1
    return []


def article_100(game: Box, state: State, seat: Seat) -> Events:
    """1992 刑法100條修正: each pen with a banned book goes forward 1."""
    kinds = game.cards.book_kinds
    holders = [
        pen for pen in game.pens(state) if any(kinds[book] == BANNED for book in state.books[pen])
    ]
    state.then(*[["forward", 1, *holders]] if holders else [])
    return []


def _skip(state: State, seats: Sequence[Seat]) -> Events:
    for seat in seats:
        state.skip[seat] = 1
    return [Event("will_skip", {"seats": sorted(seats)})]


EFFECTS: dict[int, Callable[[Box, State, Seat], Events]] = {
    PEACE_DECLARATION: peace_declaration,
    KEELUNG_HIGH_SCHOOL: keelung_high_school,
    CULTURAL_CLEANSING: cultural_cleansing,
    SUN_LI_JEN: sun_li_jen,
    LITERARY_FRIENDS: literary_friends,
    FREE_CHINA: free_china,
    LOCKED_HEART: locked_heart,
    TAIWAN_LITERATURE: taiwan_literature,
    CULTURAL_RENAISSANCE: cultural_renaissance,
    POPEYE: popeye,
    TAIYUAN: taiyuan,
    UNITED_NATIONS: united_nations,
    NTU_PHILOSOPHY: ntu_philosophy,
    NATIVIST_DEBATE: nativist_debate,
    FORMOSA: formosa,
    CHEN_WEN_CHEN: chen_wen_chen,
    HENRY_LIU: henry_liu,
    LIFTING: lifting,
    CHENG_NAN_JUNG: cheng_nan_jung,
    ARTICLE_100: article_100,
}


# The phases


class Throw(Phase):
    """The player throws the die because of the event of *year*."""

    always = True

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["roll"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        events = [automatic_steps.throw(game, state, rng, seat)]
        after: dict[tuple[int, str], Step] = {
            (SUN_LI_JEN, X): ["back", 1, seat],
            (POPEYE, X): ["back", 2, seat],
            (NATIVIST_DEBATE, O): ["nudge", seat],
        }
        if step := after.get((words[0], state.die)):
            state.then(step)
        return events


class PassLeft(Phase):
    """Each player chooses a card for the one on the left, at the same time; *words* are the cards
    chosen so far.
    """

    def deciders(self, state: State, step: Step) -> tuple[Seat, ...]:
        return tuple(
            seat for seat, card in enumerate(step[2:]) if card == NOTHING and state.hands[seat]
        )

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return [("left", card) for card in state.hands[seat]]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
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


def hidden_choices(todo: list[Step], seat: Seat | None) -> tuple[tuple[Any, ...], ...]:
    """Return the steps *todo* as *seat* may see them: cards that others have chosen face down are
    HIDDEN.
    """
    seen = tuple(map(tuple, todo))
    # Only the step that waits can have such cards
    return (*seen[:-1], _hidden(todo[-1], seat)) if todo and todo[-1][0] == "pass_left" else seen


def _hidden(step: Step, seat: Seat | None) -> tuple[Any, ...]:
    cards = [
        card if card == NOTHING or other == seat else HIDDEN for other, card in enumerate(step[2:])
    ]
    return (*step[:2], *cards)


PHASES: dict[str, Phase] = {"throw": Throw(), "pass_left": PassLeft()}
