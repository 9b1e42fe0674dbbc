"""The eras: how one begins, who starts it, what points it gives, and what follows it."""

from collections.abc import Callable
from random import Random
from typing import Any

from coursekit.core.chance import pick, shuffle
from coursekit.core.game import TABLE, Event, Seat
from coursekit.games.blockade.rules import automatic_steps
from coursekit.games.blockade.rules.automatic_steps import Events, Phase
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import ROLES
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.rules.state import NOBODY, NOTHING, Action, State

PLACES = (4, 3, 2, 1)
"""Points by rank: 「第一位到達轉角者可得4分…最遠的玩家可得1分」."""


def points_by_rank(options: Options) -> tuple[int, ...]:
    """Return the points of each place; where places can be shared they are doubled, so that there
    are no halves.
    """
    return tuple(2 * points if options.tie_points == "average" else points for points in PLACES)


def start(game: Box, state: State, rng: Random, era: int) -> None:
    """Shuffle and deal.  Section 6.3 of the specification says what is kept."""
    o, n, first = game.options, game.players, not state.by_era
    after = (state.turn + 1) % n
    if o.carry_over == "nothing":
        state.hands = [[] for _ in game.seats]
        state.known = [[] for _ in range(n + 1)]
    if o.carry_over != "hands_books":
        state.books = ((),) * n
    if first or o.roles_each_era == "drawn":  # 「玩家抽牌決定角色後翻開」
        state.roles = list(range(n))
        shuffle(rng, state.roles)
    elif o.roles_each_era == "passed":
        state.roles = [state.roles[seat - 1] for seat in game.seats]
    held = {card for hand in state.hands for card in hand}
    kept = {book for books in state.books for book in books}
    state.deck = [card for card in game.deck[era] if card not in held]
    state.book_deck = [book for book in range(len(game.cards.books)) if book not in kept]
    shuffle(rng, state.deck)
    shuffle(rng, state.book_deck)
    state.tables, state.spares, state.fired = [[] for _ in game.seats], ((),) * n, ()
    state.discards, state.removed, state.revealed = [], (), ()
    state.positions, state.covered, state.skip = [0] * n, [0] * n, [0] * n
    state.era, state.turns, state.quiet, state.under = era, 0, 0, 0
    state.sure = state.outspoken = state.fresh = 0
    state.shown, state.die = NOTHING, ""
    state.lifted = int(o.events and o.lifting_year < ERAS[era][0])
    for seat in game.seats:
        automatic_steps.refill(game, state, rng, seat)
    state.turn = starter(game, state, rng) if game.has_opening(state) else after
    state.steps = [["turn", state.turn]]
    if not o.start_in_buffer and game.events_at.get(ERAS[era][0]):
        state.then(["begin", TABLE])


def starter(game: Box, state: State, rng: Random) -> Seat:
    """Return the seat with the writer born earliest (then: with the earlier work), and show that
    card.
    """
    oldest: list[tuple[tuple[int, int], Seat, int]] = []
    for seat, hand in enumerate(state.hands):
        for card in hand:
            counts = card in game.usable[state.era] or not game.options.starter_usable_only
            if game.cards.is_writer(card) and counts and (age := game.seniority(card)) is not None:
                oldest.append((age, seat, card))
    if not oldest:
        return pick(rng, game.seats)
    first = [(seat, card) for age, seat, card in oldest if age == min(oldest)[0]]
    found, state.shown = pick(rng, first)
    for seat, known in enumerate(state.known):
        if seat != found and state.shown not in known:
            known.append(state.shown)
    return found


def beginning(game: Box, state: State) -> Events:
    """Return the events that begin an era."""
    told = [Event("era_begins", {"era": state.era})]
    if game.options.roles_each_era != "same" or not state.by_era:
        told += [Event("role_is", {"seat": seat, "role": state.roles[seat]}) for seat in game.seats]
    if state.lifted:
        told.append(Event("lifted_before"))
    if state.shown != NOTHING:
        return [*told, Event("starter.card", {"seat": state.turn, "card": state.shown})]
    return [
        *told,
        Event("starter.lot" if game.has_opening(state) else "starter.next", {"seat": state.turn}),
    ]


def end_era(game: Box, state: State, rng: Random, why: str) -> Events:
    """Give the points and drop all that was still to do."""
    o, n = game.options, game.players
    gained = []
    for seat in game.seats:
        ahead = sum(other > state.positions[seat] for other in state.positions)
        level = state.positions.count(state.positions[seat])
        shared = points_by_rank(o)[ahead : ahead + level]
        gained.append(sum(shared) // level if o.tie_points == "average" else shared[0])
    if o.team_score:
        gained = [gained[seat] + gained[game.partner(state, seat)] for seat in game.seats]
    state.by_era += (tuple(gained),)
    state.points = [state.points[seat] + gained[seat] for seat in game.seats]
    state.steps = [["era", TABLE]]
    ranked = sorted(range(n), key=lambda seat: -state.positions[seat])
    told = [
        Event("points", {"seat": seat, "points": gained[seat], "total": state.points[seat]})
        for seat in ranked
    ]
    values = {"era": state.era, "laps": o.stall_laps if why == "stall" else o.laps_limit}
    return [Event(f"era_ends.{why}", values), *told]


def next_era(game: Box, state: State, rng: Random) -> Events:
    """Deal the next era, or end the match after the last."""
    number, eras = len(state.by_era), game.options.eras
    if number == len(eras):
        return end(game, state)
    start(game, state, rng, eras[number])
    return beginning(game, state)


def end(game: Box, state: State) -> Events:
    """End the match: name the winners, and the roles they had."""
    o, most = game.options, max(state.points)
    best = [seat for seat in game.seats if state.points[seat] == most]
    level = len(best)
    if o.final_tie == "era4":
        last = state.by_era[-1]
        best = [seat for seat in best if last[seat] == max(last[other] for other in best)]
    state.won, state.steps = tuple(best), []
    over = Event("over", {"winners": best, "points": most})
    if o.roles_each_era != "same" and len(state.by_era) > 1:
        return [over, Event("closing.changed")]
    roles = sorted(state.roles[seat] for seat in best)
    most_points = Event(
        "closing.most" if len(best) == level else "closing.last_era", {"roles": roles}
    )
    return [over, most_points, *[Event(f"closing.{ROLES[role]}") for role in roles]]


# The phases, both the table's


class Begin(Phase):
    """The table lets the event on the first space of an era happen."""

    always = True

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["next"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        state.then(*game.triggered(state, ERAS[state.era][0], NOBODY))
        return []


class EraIsOver(Phase):
    """The table goes on once all players have seen the points."""

    always = True

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["next"]

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        return next_era(game, state, rng)


STEPS: dict[str, Callable[..., Events]] = {"end_era": end_era}
PHASES: dict[str, Phase] = {"begin": Begin(), "era": EraIsOver()}
