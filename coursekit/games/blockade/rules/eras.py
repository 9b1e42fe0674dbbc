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
    o, n = game.options, game.players
    after = (state.turn + 1) % n
    if o.carry_over == "nothing" or not state.by_era:
        state.hands = [[] for _ in game.seats]
        state.known = [[] for _ in range(n + 1)]
    if o.carry_over != "hands_books" or not state.by_era:
        state.books = ((),) * n
    if o.roles_each_era == "drawn" or not state.by_era:  # 「玩家抽牌決定角色後翻開」
        state.roles = list(range(n))
        shuffle(rng, state.roles)
    elif o.roles_each_era == "passed":
        state.roles = [state.roles[seat - 1] for seat in game.seats]
    in_hands = {card for hand in state.hands for card in hand}
    on_roles = {book for books in state.books for book in books}
    state.deck = [card for card in game.deck[era] if card not in in_hands]
    state.book_deck = [book for book in range(len(game.cards.books)) if book not in on_roles]
    shuffle(rng, state.deck)
    shuffle(rng, state.book_deck)
    state.tables = [[] for _ in game.seats]
    state.spares = ((),) * n
    state.discards = []
    state.removed = state.revealed = state.fired = ()
    state.positions, state.covered, state.skip = [0] * n, [0] * n, [0] * n
    state.era = era
    state.turns = state.quiet = state.under = 0
    state.sure = state.outspoken = state.fresh = 0
    state.shown = NOTHING
    state.die = ""
    state.lifted = int(o.events and o.lifting_year < ERAS[era][0])
    for seat in game.seats:
        automatic_steps.refill(game, state, rng, seat)
    state.turn = starter(game, state, rng) if game.has_opening(state) else after
    state.steps = [["turn", state.turn]]
    if not o.start_in_buffer and game.events_at.get(ERAS[era][0]):
        state.then(["begin", TABLE])


def starter(game: Box, state: State, rng: Random) -> Seat:
    """Return the seat with the writer born earliest, and show that card.

    Of writers born in the same year the one with the earlier work counts.
    """
    cards: list[tuple[tuple[int, int], Seat, int]] = []
    for seat, hand in enumerate(state.hands):
        for card in filter(game.cards.is_writer, hand):
            age = game.cards.seniority(card)
            counts = card in game.usable[state.era] or not game.options.starter_usable_only
            if counts and age is not None:
                cards.append((age, seat, card))
    if not cards:
        return pick(rng, game.seats)
    earliest = min(cards)[0]
    first, state.shown = pick(rng, [(seat, card) for age, seat, card in cards if age == earliest])
    for seat, known in enumerate(state.known):
        if seat != first and state.shown not in known:
            known.append(state.shown)
    return first


def beginning(game: Box, state: State) -> Events:
    """Return the events that begin an era."""
    events = [Event("era_begins", {"era": state.era})]
    if game.options.roles_each_era != "same" or not state.by_era:
        for seat in game.seats:
            events.append(Event("role_is", {"seat": seat, "role": state.roles[seat]}))
    if state.lifted:
        events.append(Event("lifted_before"))
    if state.shown != NOTHING:
        return [*events, automatic_steps.card_event("starter.card", state.turn, state.shown)]
    how = "lot" if game.has_opening(state) else "next"
    return [*events, Event(f"starter.{how}", {"seat": state.turn})]


def points_of_era(game: Box, state: State) -> tuple[int, ...]:
    """Return the points of each seat if the era ends now, by the distance of the markers."""
    o = game.options
    gained = []
    for seat in game.seats:
        ahead = sum(other > state.positions[seat] for other in state.positions)
        level = state.positions.count(state.positions[seat])
        shared = points_by_rank(o)[ahead : ahead + level]
        gained.append(sum(shared) // level if o.tie_points == "average" else shared[0])
    if o.team_score:
        gained = [gained[seat] + gained[game.partner(state, seat)] for seat in game.seats]
    return tuple(gained)


def end_era(game: Box, state: State, rng: Random, why: str) -> Events:
    """Give the points and drop all that was still to do."""
    o = game.options
    gained = points_of_era(game, state)
    state.by_era += (gained,)
    state.points = [state.points[seat] + gained[seat] for seat in game.seats]
    state.steps = [["era", TABLE]]
    laps = o.stall_laps if why == "stall" else o.laps_limit
    events = [Event(f"era_ends.{why}", {"era": state.era, "laps": laps})]
    for seat in sorted(game.seats, key=lambda seat: -state.positions[seat]):
        values = {"seat": seat, "points": gained[seat], "total": state.points[seat]}
        events.append(Event("points", values))
    return events


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
    closing = "closing.most"
    if o.final_tie == "era4":
        last = state.by_era[-1]
        decided = [seat for seat in best if last[seat] == max(last[other] for other in best)]
        if len(decided) < len(best):
            closing = "closing.last_era"
        best = decided
    state.won, state.steps = tuple(best), []
    over = Event("over", {"winners": best, "points": most})
    if o.roles_each_era != "same" and len(state.by_era) > 1:
        return [over, Event("closing.changed")]
    roles = sorted(state.roles[seat] for seat in best)
    lessons = [Event(f"closing.{ROLES[role]}") for role in roles]
    return [over, Event(closing, {"roles": roles}), *lessons]


# The phases, both the table's


class Next(Phase):
    """The table goes on, once all players have seen what there is."""

    always = True

    def legal(self, game: Box, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["next"]


class Begin(Next):
    """The table lets the event on the first space of an era happen."""

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        state.then(*game.trigger(state, ERAS[state.era][0], NOBODY))
        return []


class EraIsOver(Next):
    """The table goes on to the next era."""

    def act(
        self, game: Box, state: State, rng: Random, seat: Seat, action: Any, *words: Any
    ) -> Events:
        return next_era(game, state, rng)


STEPS: dict[str, Callable[..., Events]] = {"end_era": end_era}
PHASES: dict[str, Phase] = {"begin": Begin(), "era": EraIsOver()}
