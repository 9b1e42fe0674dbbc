"""Rules of 文壇封鎖中 1949-1992 (Literature Lockdown), for 4 players.

Source: the rulebook 《文壇封鎖中 1949-1992 遊戲說明書》, quoted where it is carried out; what it leaves open are
fields of :class:`Options`.  What the function cards and the events do is the kit's own design and stands in
``effects.py`` and ``events.py``; the choices of a turn stand in ``turns.py``.

Cards are numbers (:mod:`.cards`).  An action is a word ("exchange", "roll", "refresh", "done", "pass", the table's
"next") or a pair of a word and a card or seat, such as ``("play", card)``.  A lap is a turn of everybody.  The
position of a marker is counted in spaces from where the era began.

``state.steps`` is all that is still to do, the next thing last.  A step either happens by itself
(``STEPS``) or asks somebody (``CHOICES``); the name of the one that asks is the phase.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from coursekit.core.chance import below, pick, shuffle
from coursekit.core.game import TABLE, Event, Game, Refusal, Seat
from coursekit.games.blockade.rules import effects, events, guess, reasons, steps, turns
from coursekit.games.blockade.rules.cards import CENSORS, EDITIONS, ERAS, PENS, ROLES
from coursekit.games.blockade.rules.options import FACES, LIFTED, PRESETS, Options, check_combination
from coursekit.games.blockade.rules.state import NOBODY, NOTHING, Action, O, Observation, State, Step, X
from coursekit.games.blockade.rules.steps import Choice, Events
from coursekit.words.texts import brief

PLACES = (4, 3, 2, 1)  # 「第一位到達轉角者可得4分…最遠的玩家可得1分」
LAST_ERA = max(ERAS)


class Blockade(Game[State, Observation, Action]):
    """The game.  Actions are words and pairs such as ``("play", card)``; see :mod:`.rules`."""

    name = "blockade"
    version = 1
    player_counts = (4,)
    option_type, state_type, observation_type = Options, State, Observation
    presets = PRESETS
    options: Options

    def __init__(self, players: int = 4, options: Options | None = None) -> None:
        super().__init__(players, options)
        o = self.options
        self.cards = EDITIONS[o.edition]
        writers = range(len(self.cards.writers))
        self.usable: dict[int, frozenset[int]] = {}
        """The writers that may be placed in each era: 「1956年之作品，不得於1970年代使用」."""
        self.deck: dict[int, list[int]] = {}
        """The experience cards in play in each era."""
        for era, years in ERAS.items():
            if o.stale_cards == "not_before_publication":
                years = range(ERAS[1][0], years[-1] + 1)
            self.usable[era] = frozenset(card for card in writers if self.cards.years[card] in years)
            drawn = self.usable[era] if o.stale_cards == "era_deck" else writers
            functions = () if o.function_set == "none" else range(len(writers), len(self.cards.kinds))
            self.deck[era] = [*sorted(drawn), *functions]
        sizes = {era: (len(self.deck[era]), len(self.usable[era])) for era in o.eras}
        check_combination(o, sizes)
        self.events_at: dict[int, list[int]] = {}
        """The events on the space of each year."""
        for event in events.EVENTS if o.events else ():
            self.events_at.setdefault(o.lifting_year if event == LIFTED else event, []).append(event)
        # In a turn nobody decides more often than for each card of a hand and 14 times besides; the events of
        # an era, of which each happens at most once for every seat, ask less than 12 times each.
        self.longest = len(o.eras) * (o.laps_limit * players * (o.hand + 14) + 12 * 6 * players)

    # The contract

    def initial_state(self, rng: Random) -> State:
        n = self.players
        state = State(
            steps=[], era=0, turns=0, quiet=0, turn=NOBODY, roles=[], hands=[[] for _ in self.seats],
            tables=[], books=[[] for _ in self.seats], spares=[], deck=[], discards=[], book_deck=[], under=0,
            removed=[], positions=[], points=[0] * n, by_era=[], fired=[], covered=[], skip=[], sure=0, lifted=0,
            outspoken=0, fresh=0, shown=NOTHING, revealed=[], die="", known=[[] for _ in range(n + 1)], won=[],
        )  # fmt: skip
        self._start_era(state, rng, self.options.eras[0])
        self.run(state, rng)
        return state

    def opening(self, state: State) -> list[Event]:
        told = [Event("era_begins", {"era": state.era})]
        if self.options.roles_each_era != "same" or not state.by_era:
            told += [Event("role_is", {"seat": seat, "role": state.roles[seat]}) for seat in self.seats]
        if state.lifted:
            told.append(Event("lifted_before"))
        starter = state.turn
        if state.shown != NOTHING:
            return [*told, Event("starter.card", {"seat": starter, "card": state.shown})]
        return [*told, Event("starter.lot" if self._has_opening(state) else "starter.next", {"seat": starter})]

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if not state.steps:
            return ()
        step = state.steps[-1]
        return CHOICES[step[0]].deciders(state, step)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        step = state.steps[-1]
        return tuple(CHOICES[step[0]].legal(self, state, seat, *step[2:]))

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if not reasons.is_action(action):
            return Refusal("refusal.not_an_action", {"got": brief(action)})
        if action in self.legal_actions(state, seat):
            return None
        return reasons.why_not(self, state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        name, _, *words = state.steps.pop()
        told = CHOICES[name].act(self, state, rng, seat, action, *words)
        return told + self.run(state, rng)

    def run(self, state: State, rng: Random) -> Events:
        """Do what happens by itself, until somebody has to decide or the match is over."""
        told: Events = []
        while state.steps:
            name, *words = state.steps[-1]
            if name in CHOICES:
                if any(self.legal_actions(state, seat) for seat in self.to_act(state)):
                    break
                state.steps.pop()
            else:
                state.steps.pop()
                told += STEPS[name](self, state, rng, *words)
        return told

    # Who, and where

    def clockwise(self, state: State) -> list[Seat]:
        """Return all seats, beginning with the one whose turn it is."""
        return [(state.turn + place) % self.players for place in range(self.players)]

    def censors(self, state: State) -> list[Seat]:
        """Return 警總 and 線民, as :meth:`clockwise`."""
        return [seat for seat in self.clockwise(state) if state.roles[seat] in CENSORS]

    def pens(self, state: State) -> list[Seat]:
        """Return 主編 and 作家, as :meth:`clockwise`."""
        return [seat for seat in self.clockwise(state) if state.roles[seat] in PENS]

    def rivals(self, state: State, seat: Seat) -> list[Seat]:
        return self.pens(state) if state.roles[seat] in CENSORS else self.censors(state)

    def partner(self, state: State, seat: Seat) -> Seat:
        rivals = self.rivals(state, seat)
        return next(other for other in self.seats if other != seat and other not in rivals)

    def last(self, state: State) -> list[Seat]:
        """Return who is farthest from the end of the era, as :meth:`clockwise`."""
        return [seat for seat in self.clockwise(state) if state.positions[seat] == min(state.positions)]

    def goal(self, era: int) -> int:
        """Return the spaces from the start of an era to its end."""
        o = self.options
        return len(ERAS[era]) + o.start_in_buffer - (era == LAST_ERA and o.last_goal == "1992")

    def year(self, era: int, position: int) -> int:
        """Return the year of a position; a buffer before the first year has the year before it."""
        return ERAS[era][0] + position - self.options.start_in_buffer

    def has_room(self, state: State, seat: Seat) -> bool:
        """Return whether *seat* may have another writer in front."""
        limit = self.options.table_limit
        return limit is None or len(state.tables[seat]) < limit

    def may_place(self, state: State, seat: Seat, card: int) -> bool:
        """Return whether a *card* from hand may be placed: a writer of this era, and room for it."""
        return card in self.usable[state.era] and self.has_room(state, seat)

    def triggered(self, state: State, year: int, seat: Seat) -> list[Step]:
        """Return the steps for what happens as *seat* comes to a *year* (NOBODY: as the era begins)."""
        found = []
        for event in self.events_at.get(year, ()):
            before = [each for each in state.fired if each[0] == event]
            if not before or (self.options.event_scope == "per_player" and [event, seat] not in before):
                state.fired.append([event, seat])
                found.append(["event", event, seat])
        return found

    def throw(self, state: State, rng: Random, seat: Seat) -> Event:
        state.die = O if below(rng, FACES) < self.options.o_faces else X
        return Event("throw", {"seat": seat, "die": state.die})

    # Eras and turns

    def _has_opening(self, state: State) -> bool:
        """Return whether this era has a first lap of its own."""
        return self.options.opening_each_era or not state.by_era

    def _start_era(self, state: State, rng: Random, era: int) -> None:
        """Shuffle and deal; see section 6.3 of the specification for what is kept."""
        o, n, first = self.options, self.players, not state.by_era
        after = (state.turn + 1) % n
        if o.carry_over == "nothing":
            state.hands = [[] for _ in self.seats]
            state.known = [[] for _ in range(n + 1)]
        if o.carry_over != "hands_books":
            state.books = [[] for _ in self.seats]
        if first or o.roles_each_era == "drawn":  # 「玩家抽牌決定角色後翻開」
            state.roles = list(range(n))
            shuffle(rng, state.roles)
        elif o.roles_each_era == "passed":
            state.roles = [state.roles[seat - 1] for seat in self.seats]
        held = {card for hand in state.hands for card in hand}
        kept = {book for books in state.books for book in books}
        state.deck = [card for card in self.deck[era] if card not in held]
        state.book_deck = [book for book in range(len(self.cards.book_kinds)) if book not in kept]
        shuffle(rng, state.deck)
        shuffle(rng, state.book_deck)
        state.tables, state.spares = [[] for _ in self.seats], [[] for _ in self.seats]
        state.discards, state.removed, state.revealed, state.fired = [], [], [], []
        state.positions, state.covered, state.skip = [0] * n, [0] * n, [0] * n
        state.era, state.turns, state.quiet, state.under = era, 0, 0, 0
        state.sure = state.outspoken = state.fresh = 0
        state.shown, state.die = NOTHING, ""
        state.lifted = int(o.events and o.lifting_year < ERAS[era][0])
        for seat in self.seats:
            steps.refill(self, state, rng, seat)
        state.turn = self._starter(state, rng) if self._has_opening(state) else after
        state.steps = [["turn", state.turn]]
        if not o.start_in_buffer and self.events_at.get(ERAS[era][0]):
            state.then(["begin", TABLE])

    def _starter(self, state: State, rng: Random) -> Seat:
        """Return who has the writer born earliest (then: with the earlier work), who shows that card."""
        oldest: list[tuple[tuple[int, int], Seat, int]] = []
        for seat, hand in enumerate(state.hands):
            for card in hand:
                if self.cards.kinds[card] or (self.options.starter_usable_only and card not in self.usable[state.era]):
                    continue
                if (age := self.cards.seniority(card)) is not None:
                    oldest.append((age, seat, card))
        if not oldest:
            return pick(rng, self.seats)
        first = [(seat, card) for age, seat, card in oldest if age == min(oldest)[0]]
        starter, state.shown = pick(rng, first)
        for seat, known in enumerate(state.known):
            if seat != starter and state.shown not in known:
                known.append(state.shown)
        return starter

    def _turn(self, state: State, rng: Random, seat: Seat) -> Events:
        o = self.options
        state.turn, state.sure, state.covered[seat] = seat, 0, 0
        state.fresh = int(o.stale_cards == "refresh")
        if state.turns < self.players and self._has_opening(state):  # 「遊戲第一回合僅能出作家卡」
            state.then(["opening", seat], ["next_turn", seat])
        else:
            state.then(["main", seat], ["phase2", seat], ["next_turn", seat])
        return []

    def _phase2(self, state: State, rng: Random, seat: Seat) -> Events:
        if state.skip[seat]:
            state.skip[seat] = 0
            return [Event("skips", {"seat": seat})]
        if not (state.lifted and state.roles[seat] in CENSORS):
            state.then(["strike", seat])
        return []

    def _next_turn(self, state: State, rng: Random, seat: Seat) -> Events:
        o, n = self.options, self.players
        state.turns += 1
        state.quiet += 1
        if o.stall_laps and state.quiet >= o.stall_laps * n:
            return self.end_era(state, "stall")
        if state.turns >= o.laps_limit * n:
            return self.end_era(state, "limit")
        state.then(["turn", (seat + 1) % n])
        return []

    def end_era(self, state: State, why: str) -> Events:
        """Give the points; nothing that was still to do is done."""
        o, n = self.options, self.players
        gained = []
        for seat in self.seats:
            ahead = sum(other > state.positions[seat] for other in state.positions)
            level = state.positions.count(state.positions[seat])
            shared = PLACES[ahead : ahead + level]
            gained.append(2 * sum(shared) // level if o.tie_points == "average" else shared[0])
        if o.team_score:
            gained = [gained[seat] + gained[self.partner(state, seat)] for seat in self.seats]
        state.by_era.append(gained)
        state.points = [state.points[seat] + gained[seat] for seat in self.seats]
        state.steps = [["era", TABLE]]
        ranked = sorted(range(n), key=lambda seat: -state.positions[seat])
        told = [Event("points", {"seat": seat, "points": gained[seat], "total": state.points[seat]}) for seat in ranked]
        values = {"era": state.era, "laps": o.stall_laps if why == "stall" else o.laps_limit}
        return [Event(f"era_ends.{why}", values), *told]

    def next_era(self, state: State, rng: Random) -> Events:
        """Deal the next era, or end the match after the last."""
        o = self.options
        number = len(state.by_era)
        if number < len(o.eras):
            self._start_era(state, rng, o.eras[number])
            return self.opening(state)
        best = [seat for seat in self.seats if state.points[seat] == max(state.points)]
        if o.final_tie == "era4":
            last = state.by_era[-1]
            best = [seat for seat in best if last[seat] == max(last[other] for other in best)]
        state.won, state.steps = best, []
        over = Event("over", {"winners": best, "points": max(state.points)})
        if o.roles_each_era != "same" and number > 1:
            return [over, Event("closing.changed")]
        roles = sorted(state.roles[seat] for seat in best)
        return [over, Event("closing.most", {"roles": roles}), *[Event(f"closing.{ROLES[role]}") for role in roles]]

    # What is known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        deciding = self.to_act(state)
        who = self.players if seat is None else seat
        known = set(state.known[who])
        peeking = state.steps and state.steps[-1][0] == "peek" and state.steps[-1][1] == seat
        seen = Observation.empty()
        seen.seat = seat
        seen.players = self.players
        seen.phase = state.phase
        seen.legal = self.legal_actions(state, seat) if seat is not None and seat in deciding else ()
        seen.waiting = deciding
        seen.steps = tuple([events.hidden_choices(step, seat) for step in state.steps])
        seen.era = state.era
        seen.turns = state.turns
        seen.quiet = state.quiet
        seen.turn = state.turn
        seen.roles = tuple(state.roles)
        seen.hand = () if seat is None else tuple(state.hands[seat])
        seen.held = tuple(map(len, state.hands))
        seen.known = tuple([tuple([card for card in hand if card in known]) for hand in state.hands])
        seen.tables = tuple(map(tuple, state.tables))
        seen.books = tuple(map(tuple, state.books))
        seen.spares = tuple(map(tuple, state.spares))
        seen.deck = len(state.deck)
        seen.discards = tuple(state.discards)
        seen.book_deck = len(state.book_deck)
        seen.under = tuple(state.book_deck[: state.under])
        seen.peek = tuple(state.book_deck[-state.steps[-1][2] :]) if peeking else ()
        seen.removed = tuple(state.removed)
        seen.positions = tuple(state.positions)
        seen.goal = self.goal(state.era)
        seen.points = tuple(state.points)
        seen.by_era = tuple(map(tuple, state.by_era))
        seen.fired = tuple(map(tuple, state.fired))
        seen.covered = tuple(state.covered)
        seen.skip = tuple(state.skip)
        seen.sure = state.sure
        seen.lifted = state.lifted
        seen.outspoken = state.outspoken
        seen.fresh = state.fresh
        seen.shown = state.shown
        seen.revealed = tuple(state.revealed)
        seen.die = state.die
        seen.won = tuple(state.won)
        return seen

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.points)

    def winners(self, state: State) -> tuple[Seat, ...]:
        return tuple(state.won)

    def resample(self, observation: Observation, rng: Random) -> State:
        return guess.resample(self, observation, rng)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        """Return how a card, book, role, era or event is called; a "reading" or "effect" is what it says."""
        if kind in ("card", "book"):
            return self.cards.word(kind, value)
        if kind == "function":
            return f"function.{value}.name", {}
        if kind == "reading":
            return f"function.{self.cards.kinds[value]}.text", {}
        if kind == "role":
            return f"role.{ROLES[value]}", {}
        if kind == "era":
            return f"era.{value}", {}
        return f"event.{value}.{'name' if kind == 'event' else 'effect'}", {}


class Begin(Choice):
    """The table lets the event on the first space of an era happen."""

    def legal(self, game: Blockade, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["next"]

    def act(self, game: Blockade, state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        state.then(*game.triggered(state, ERAS[state.era][0], NOBODY))
        return []


class EraIsOver(Choice):
    """The table goes on to the next era when everybody has seen the points."""

    def legal(self, game: Blockade, state: State, seat: Seat, *words: Any) -> list[Action]:
        return ["next"]

    def act(self, game: Blockade, state: State, rng: Random, seat: Seat, action: Any, *words: Any) -> Events:
        return game.next_era(state, rng)


STEPS: dict[str, Callable[..., Events]] = {
    **steps.STEPS, "pay_all": turns.pay_all, "event": events.event,
    "turn": Blockade._turn, "phase2": Blockade._phase2, "next_turn": Blockade._next_turn,
}  # fmt: skip
CHOICES: dict[str, Choice] = {
    **turns.CHOICES, **effects.CHOICES, **events.CHOICES, "begin": Begin(), "era": EraIsOver(),
}  # fmt: skip
