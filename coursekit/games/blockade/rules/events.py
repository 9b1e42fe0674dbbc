"""What the events of the track do: a function for each, and the phases in which they ask a player.

The rulebook names the twenty events and their years; their effects are on a sheet that is not
public. So every effect here is the kit's own design (``own_design``). The function of an event
returns the steps to do now; *seat* is the player whose marker triggered the event, NOBODY for an
event on the first space of an era.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import automatic_steps
from coursekit.games.blockade.rules.automatic_steps import Events, Phase, Roll
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import (
    BANNED,
    EVENTS,
    NATIVIST_DEBATE,
    PERIODICAL,
    POPEYE,
    SUN_LI_JEN,
)
from coursekit.games.blockade.rules.effects import Steps, lose_step, place_step
from coursekit.games.blockade.rules.state import HIDDEN, NOBODY, NOTHING, Action, O, State, Step, X


def happen(game: Box, state: State, rng: Random, year: int, seat: Seat) -> Events:
    """Let the event of *year* happen. Its space may be another one: see ``lifting_year``."""
    state.then(*EFFECTS[year](game, state, seat))
    return [Event("happens", {"event": year})]


def peace_declaration(game: Box, state: State, seat: Seat) -> Steps:
    """1949 和平宣言: each pen turns over the top experience card and places a usable writer."""
    return [["flip", pen] for pen in game.pens(state)]


def keelung_high_school(game: Box, state: State, seat: Seat) -> Steps:
    """1950 基隆中學事件: the player loses a random hand card, each pen a writer."""
    return [["random_discard", seat], *[["lose", pen] for pen in game.pens(state)]]


def cultural_cleansing(game: Box, state: State, seat: Seat) -> Steps:
    """1954 文化清潔運動: each pen with a banned book puts one under the book deck."""
    return [["hand_in", pen, BANNED] for pen in game.pens(state)]


def sun_li_jen(game: Box, state: State, seat: Seat) -> Steps:
    """1955 孫立人兵變案: all players but this one throw; an X sends back 1."""
    return [["throw", other, SUN_LI_JEN] for other in game.clockwise(state) if other != seat]


def literary_friends(game: Box, state: State, seat: Seat) -> Steps:
    """1957 文友通訊創刊: each pen may place one usable writer."""
    steps: Steps = []
    for pen in game.pens(state):
        steps += [place_step(pen, 1), ["refill", pen]]
    return steps


def free_china(game: Box, state: State, seat: Seat) -> Steps:
    """1960 自由中國事件: a periodical leaves the book deck for this era."""
    return [["search", NOBODY, PERIODICAL]]


def locked_heart(game: Box, state: State, seat: Seat) -> Steps:
    """1962 心鎖事件: the player turns up book cards until a banned book appears and takes it."""
    return [["search", seat, BANNED]]


def taiwan_literature(game: Box, state: State, seat: Seat) -> Steps:
    """1964 台灣文藝創刊: the player turns up book cards until a periodical appears and takes it."""
    return [["search", seat, PERIODICAL]]


def cultural_renaissance(game: Box, state: State, seat: Seat) -> Steps:
    """1966 中華文化復興運動: all players pass a card to the left, at the same time."""
    return [["pass_left", NOBODY, *[NOTHING] * game.players]]


def popeye(game: Box, state: State, seat: Seat) -> Steps:
    """1968 大力水手事件: the foremost pen (or both) throws; an X sends back 2."""
    pens = game.pens(state)
    front = max(state.positions[pen] for pen in pens)
    return [["throw", pen, POPEYE] for pen in pens if state.positions[pen] == front]


def taiyuan(game: Box, state: State, seat: Seat) -> Steps:
    """1970 泰源事件: each pen skips the next phase 2."""
    return [["pause", *game.pens(state)]]


def united_nations(game: Box, state: State, seat: Seat) -> Steps:
    """1971 退出聯合國: all go back 1."""
    return [["back", 1, *game.clockwise(state)]]


def ntu_philosophy(game: Box, state: State, seat: Seat) -> Steps:
    """1972 台大哲學系事件: each pen loses a writer in front or, without one, a random hand card."""
    return [lose_step(state, pen) for pen in game.pens(state)]


def nativist_debate(game: Box, state: State, seat: Seat) -> Steps:
    """1977 鄉土文學論戰: all throw; an O goes forward 1, not to the end; no event happens there."""
    return [["throw", player, NATIVIST_DEBATE] for player in game.clockwise(state)]


def formosa(game: Box, state: State, seat: Seat) -> Steps:
    """1979 美麗島事件: each pen goes back 1 and takes the top book card."""
    pens = game.pens(state)
    return [["back", 1, *pens], *[["take_book", pen] for pen in pens]]


def chen_wen_chen(game: Box, state: State, seat: Seat) -> Steps:
    """1981 陳文成事件: all skip the next phase 2."""
    return [["pause", *game.seats]]


def henry_liu(game: Box, state: State, seat: Seat) -> Steps:
    """1984 江南案: each censor goes back 1."""
    return [["back", 1, *game.censors(state)]]


def lifting(game: Box, state: State, seat: Seat) -> Steps:
    """1987 解嚴: from now on censors have no phase 2; each pen goes forward 1."""
    state.lifted = 1
    return [["forward", 1, *game.pens(state)]]


def cheng_nan_jung(game: Box, state: State, seat: Seat) -> Steps:
    """1989 鄭南榕自焚: for the rest of the era a pen's launching roll counts as O."""
    state.outspoken = 1
    return []


def article_100(game: Box, state: State, seat: Seat) -> Steps:
    """1992 刑法100條修正: each pen with a banned book goes forward 1."""
    kinds = game.cards.book_kinds
    holders: list[Seat] = []
    for pen in game.pens(state):
        if BANNED in [kinds[book] for book in state.books[pen]]:
            holders.append(pen)
    return [["forward", 1, *holders]]


IN_ORDER: tuple[Callable[[Box, State, Seat], Steps], ...] = (
    peace_declaration,
    keelung_high_school,
    cultural_cleansing,
    sun_li_jen,
    literary_friends,
    free_china,
    locked_heart,
    taiwan_literature,
    cultural_renaissance,
    popeye,
    taiyuan,
    united_nations,
    ntu_philosophy,
    nativist_debate,
    formosa,
    chen_wen_chen,
    henry_liu,
    lifting,
    cheng_nan_jung,
    article_100,
)
EFFECTS = dict(zip(EVENTS, IN_ORDER, strict=True))


# The phases


class Throw(Roll):
    """The player throws the die because of the event of *year*."""

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        thrown = automatic_steps.throw(game, state, rng, seat)
        results: dict[tuple[int, str], Step] = {
            (SUN_LI_JEN, X): ["back", 1, seat],
            (POPEYE, X): ["back", 2, seat],
            (NATIVIST_DEBATE, O): ["nudge", seat],
        }
        if step := results.get((words[0], state.die)):
            state.then(step)
        return [thrown]


class PassLeft(Phase):
    """Each player chooses a card for the one on the left, at the same time.

    The *words* are the cards chosen so far.
    """

    def deciders(self, state: State, step: Step) -> tuple[Seat, ...]:
        choices = enumerate(step[2:])
        return tuple(seat for seat, card in choices if card == NOTHING and state.hands[seat])

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
            events.append(Event("gave", {"seat": left, "card": card}, (giver,)))
            events.append(Event("got", {"seat": giver, "card": card}, (left,)))
        return events


def hide_choices(todo: list[Step], seat: Seat | None) -> tuple[tuple[Any, ...], ...]:
    """Return the steps *todo* as *seat* sees them: cards that others have chosen are HIDDEN."""
    seen = tuple(map(tuple, todo))
    if not todo or todo[-1][0] != "pass_left":  # only the step that waits can have such cards
        return seen
    name, nobody, *cards = todo[-1]
    for other, card in enumerate(cards):
        if card != NOTHING and other != seat:
            cards[other] = HIDDEN
    return (*seen[:-1], (name, nobody, *cards))


PHASES: dict[str, Phase] = {"throw": Throw(), "pass_left": PassLeft()}
