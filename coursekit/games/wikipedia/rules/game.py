"""Rules of 維基百科 vs 書籍 (Wikipedia and Books), for 2, 4, 6 or 8 players.

Source: the rulebook 《維基百科 vs 書籍》, whose numbered rules of play are quoted as R1 to R19.
What it leaves open are fields of :class:`Options`. Cards and actions are words, listed in
:mod:`.wikipedia.rules.cards`. A 局 (``round``) lasts until one use of a work is scored; a turn is
one player's, a lap everybody's.
"""

from bisect import insort
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from coursekit.core.chance import random_below, shuffle
from coursekit.core.game import TABLE, Event, Game, Refusal, Seat
from coursekit.games.wikipedia.rules import inference
from coursekit.games.wikipedia.rules.cards import (
    ACTIONS,
    BOOK,
    KINDS,
    LEAVE,
    NEXT,
    NUMBER,
    PLAYED_OR_DISCARDED,
    REFILL,
    REVISE,
    ROLL,
    SCHOLAR,
    STUDENT,
    USE,
    VANDAL,
    WORKS,
)
from coursekit.games.wikipedia.rules.legal_actions import allowed, must_play
from coursekit.games.wikipedia.rules.options import FACES, PRESETS, Options, check_combination
from coursekit.games.wikipedia.rules.refusals import why_not
from coursekit.games.wikipedia.rules.state import NOBODY, Observation, State
from coursekit.words.texts import shorten


@cache
def _seat_event(text: str, seat: Seat) -> Event:
    """Return the event *text* of *seat*; to look one up is quicker than to make it."""
    return Event(text, {"seat": seat})


@cache
def _draw_event(card: str, seat: Seat) -> Event:
    return Event("draw", {"card": card}, (seat,))


class Wikipedia(Game[State, Observation, str]):
    """The game.

    Actions are words: a kind of card plays it, "discard wiki" discards it; see
    :mod:`.wikipedia.rules.cards`.
    """

    name = "wikipedia"
    version = 1
    player_counts = (2, 4, 6, 8)
    option_type, state_type, observation_type = Options, State, Observation
    phases = ("write", "move", "cure", "roll", "repair", "drop")
    presets = PRESETS
    options: Options

    def __init__(self, players: int, options: Options | None = None) -> None:
        super().__init__(players, options)
        o = self.options
        sets = players // 2  # 「每多兩人需多併入一副紙牌」
        check_combination(o, players)
        self.cards = sorted(kind for kind in KINDS for _ in range(sets * getattr(o, kind)))
        self.role_cards = [SCHOLAR] * (sets * o.scholars) + [STUDENT] * (sets * o.students)
        self.wrong = o.wrong
        self.repair = o.repair
        self.bare_phases = frozenset(self.phases if o.open_hands else ())
        self._legal: dict[tuple[object, ...], tuple[str, ...]] = {}
        self.sides = max(2, sets)
        """Teams, or the two players: the side of a seat is ``seat % sides``, so partners sit
        opposite.
        """
        # In a turn: fill up, cure, throw, repair, and the table's NEXT.  A running match has at
        # most these points if it has no limit of laps, which does not go with sudden death.
        self.longest = 5 * o.laps(self.sides * (o.points_to_win - 1)) * players
        self.shortest = o.laps(0) * players
        """Turns before which no match has lasted too long."""
        self.patience = o.stall_guard_laps * players or self.longest
        """Turns without a change on the table that are allowed."""

    def initial_state(self, rng: Random) -> State:
        n = self.players
        rolls: list[int] = []
        rolling = list(self.seats)
        while len(rolling) > 1:  # 「這些玩家可再次擲骰子，直到剩下一位玩家為止」
            dice = [random_below(rng, FACES) + 1 if seat in rolling else 0 for seat in self.seats]
            rolls += dice
            rolling = [seat for seat in rolling if dice[seat] == max(dice)]
        deck = self.cards[:]
        shuffle(rng, deck)
        roles = self.role_cards[:]
        shuffle(rng, roles)
        state = State(
            phase="write",
            starter=rolling[0],
            turn=rolling[0],
            hands=[[] for _ in self.seats],
            deck=deck,
            seen=[0] * 5,
            thrown=[[0] * 5 for _ in self.seats],
            roles=[""] * n,
            role_deck=roles,
            role_discards=(),
            work="",
            author=NOBODY,
            user=NOBODY,
            vandal=NOBODY,
            die=0,
            repaired=0,
            points=[0] * n,
            round=0,
            turns=0,
            quiet=0,
            refilled=0,
            drawn=[self.options.start] * n,
            ruled_out=[0] * 5 * n,
            start_rolls=tuple(rolls),
            won=(),
        )
        for place in range(self.options.start * n):
            insort(state.hands[(state.starter + place) % n], deck.pop())
        self._next_round(state, state.starter, rng)
        return state

    def opening(self, state: State) -> list[Event]:
        events = []
        for first in range(0, len(state.start_rolls), self.players):
            rolls = state.start_rolls[first : first + self.players]
            for seat, die in enumerate(rolls):
                if die:
                    events.append(Event("start.roll", {"seat": seat, "die": die}))
            best = [seat for seat in self.seats if rolls[seat] == max(rolls)]
            events.append(Event("start.again" if len(best) > 1 else "start.first", {"seats": best}))
        return events + self._announce_round(state)

    def _announce_round(self, state: State) -> list[Event]:
        events = [Event("round", {"round": state.round, "seat": state.starter})]
        for role in (SCHOLAR, STUDENT):
            seats = [seat for seat in self.seats if state.roles[seat] == role]
            if seats:
                events.append(Event(f"roles.{role}", {"seats": seats}))
        return events

    def _next_round(self, state: State, starter: Seat, rng: Random) -> list[Event]:
        """Begin a 局: R19, new roles for all, from the starter clockwise."""
        events = []
        state.role_discards += tuple(filter(None, state.roles))
        state.roles = [""] * self.players
        for place in range(self.players):
            if not state.role_deck:
                state.role_deck = [*state.role_discards]
                state.role_discards = ()
                shuffle(rng, state.role_deck)
                events.append(Event("reshuffle.roles"))
            state.roles[(starter + place) % self.players] = state.role_deck.pop()
        state.round += 1
        state.starter = state.turn = starter
        state.phase = "write"
        state.quiet = 1
        state.refilled = 0
        state.die = 0
        state.repaired = 0
        return events + self._announce_round(state)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if state.phase == "over":
            return ()
        return (TABLE,) if state.phase == "result" else (state.turn,)

    def legal_actions(self, state: State, seat: Seat) -> tuple[str, ...]:
        if state.phase == "result":
            return (NEXT,) if seat == TABLE else ()
        if seat != state.turn or state.phase == "over":
            return ()
        return self._allowed(state, seat)

    def _allowed(self, state: State, seat: Seat) -> tuple[str, ...]:
        """Return the legal actions of *seat*, whose turn it is."""
        use = "mine" if state.user == seat else state.user == NOBODY
        hand = tuple(state.hands[seat])
        position = (state.phase, state.roles[seat], state.work, use, state.refilled, hand)
        legal = self._legal.get(position)  # cached: few positions recur often
        if legal is None:
            legal = tuple(allowed(state, self.options, seat))
            self._legal[position] = legal
        return legal

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if type(action) is str and action in self.legal_actions(state, seat):
            return None
        if seat == TABLE:
            return Refusal("refusal.next")
        if type(action) is not str or action not in ACTIONS or action == NEXT:
            return Refusal("refusal.not_an_action", {"got": shorten(action)})
        return why_not(state, self.options, seat, action)

    def apply(self, state: State, seat: Seat, action: str, rng: Random) -> list[Event]:
        if state.phase == "repair":
            return self._repair(state, seat, action, rng)
        card = PLAYED_OR_DISCARDED.get(action)
        if card is None:
            return self._act_without_card(state, seat, action, rng)
        state.hands[seat].remove(card)
        lay = self._play if action == card else self._discard
        events = [lay(state, seat, card), *self._draw(state, seat, rng)]
        if action == REVISE and state.user == seat and self.options.cure_then_score:
            state.phase = "roll"
        else:
            events += self._end_turn(state, rng)
        return events

    def _act_without_card(self, state: State, seat: Seat, action: str, rng: Random) -> list[Event]:
        if action == NEXT:
            return self._score(state, rng)
        if action == ROLL:
            return self._roll(state, seat, rng)
        if action == REFILL:
            state.refilled = 1
            return self._draw_many(state, seat, rng)
        # R14: the user gives up
        self._rule_out_forced(state, seat)
        self._clear_vandal(state)
        state.seen[NUMBER[USE]] += 1
        state.user = NOBODY
        state.quiet = 0
        state.phase = "drop"
        return [Event("give_up", {"seat": seat})]

    def _play(self, state: State, seat: Seat, card: str) -> Event:
        self._rule_out(state, seat, card)
        state.quiet = 0
        if card in WORKS:
            state.work = card
            state.author = seat
        elif card == USE:
            state.user = seat
        elif card == VANDAL:
            state.vandal = seat
        else:
            vandal = state.vandal
            self._clear_vandal(state)
            state.seen[NUMBER[REVISE]] += 1
            return Event(f"cure.{state.roles[seat]}", {"seat": seat, "vandal": vandal})
        return _seat_event(card, seat)

    def _discard(self, state: State, seat: Seat, card: str) -> Event:
        self._rule_out_forced(state, seat)
        if self.options.open_discards or self.options.open_hands:  # all have seen where it lay
            state.seen[NUMBER[card]] += 1
            self._rule_out(state, seat, card)
            return Event("discard.open", {"seat": seat, "card": card})
        state.thrown[seat][NUMBER[card]] += 1
        return _seat_event("discard.hidden", seat)

    def _clear_vandal(self, state: State) -> None:
        state.vandal = NOBODY
        state.seen[NUMBER[VANDAL]] += 1

    def _rule_out(self, state: State, seat: Seat, card: str) -> None:
        """Note that *seat* has shown a *card*: it holds one less that it could hold."""
        state.ruled_out[5 * seat + NUMBER[card]] += 1

    def _rule_out_forced(self, state: State, seat: Seat) -> None:
        """Note that *seat* holds no card that it would have had to play now."""
        for kind in must_play(state, self.options):
            state.ruled_out[5 * seat + NUMBER[kind]] = state.drawn[seat]

    def _draw(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        """Draw one card (R3) and fill up a small hand (R4)."""
        if len(state.hands[seat]) >= self.options.hand_min:
            return self._draw_card(state, seat, rng)
        if self.options.refill_check == "before_draw":
            return self._fill_up(state, seat, rng) or self._draw_card(state, seat, rng)
        events = self._draw_card(state, seat, rng)
        if state.phase == "repair":  # there it is filled up once the table is cleared
            return events
        return events + self._fill_up(state, seat, rng)

    def _fill_up(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        if self.options.refill == "auto" and len(state.hands[seat]) < self.options.hand_min:
            return self._draw_many(state, seat, rng)
        return []

    def _draw_many(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        cards = self.options.refill_to - len(state.hands[seat])
        events = [Event("refill", {"seat": seat, "cards": cards})]
        for _ in range(cards):
            events += self._draw_card(state, seat, rng)
        return events

    def _draw_card(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        events = []
        if not state.deck:
            events.append(self._reshuffle(state, rng))
        card = state.deck.pop()
        insort(state.hands[seat], card)
        state.drawn[seat] += 1
        events.append(_draw_event(card, seat))
        if not state.deck and self.options.reshuffle == "immediate":
            events.append(self._reshuffle(state, rng))
        return events

    def _reshuffle(self, state: State, rng: Random) -> Event:
        for number, kind in enumerate(KINDS):
            thrown = sum(counts[number] for counts in state.thrown)
            state.deck += [kind] * (state.seen[number] + thrown)
        state.seen = [0] * 5
        state.thrown = [[0] * 5 for _ in self.seats]
        shuffle(rng, state.deck)
        return Event("reshuffle.cards", {"cards": len(state.deck)})

    def _end_turn(self, state: State, rng: Random) -> list[Event]:
        state.turns += 1
        state.quiet += 1
        if self._is_too_long(state):
            return self._end_early(state)
        state.turn = (state.turn + 1) % self.players
        state.refilled = 0
        events = self._end_stall(state, rng) if state.quiet > self.patience else []
        if not state.work:
            state.phase = "write"
        elif state.vandal != NOBODY:
            state.phase = "cure"
        else:
            state.phase = "roll" if state.user == state.turn else "move"
        return events

    def _end_stall(self, state: State, rng: Random) -> list[Event]:
        """Take VANDAL away or, without it, begin the next 局."""
        laps = {"laps": self.options.stall_guard_laps}
        if state.vandal != NOBODY:
            self._clear_vandal(state)
            state.quiet = 1
            return [Event("guard.vandal", laps)]
        self._clear_work(state)
        return [Event("guard.round", laps), *self._next_round(state, state.starter, rng)]

    def _clear_work(self, state: State) -> None:
        if state.work:
            state.seen[NUMBER[state.work]] += 1
        if state.user != NOBODY:
            state.seen[NUMBER[USE]] += 1
        state.work = ""
        state.author = NOBODY
        state.user = NOBODY

    def _roll(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        state.die = random_below(rng, FACES) + 1
        right = state.die > self.wrong[state.work]
        # A player who cannot repair decides, too: else going on by itself would reveal the hand.
        state.phase = "result" if right else "repair"
        values = {"work": state.work, "wrong": self.wrong[state.work]}
        return [
            Event("roll", {"seat": seat, "die": state.die}),
            Event("right" if right else "wrong", values),
        ]

    def _repair(self, state: State, seat: Seat, action: str, rng: Random) -> list[Event]:
        cards = self.repair[state.work]
        if action == LEAVE:
            if state.roles[seat] == SCHOLAR and self.options.scholar_must_repair_at_scoring:
                # A player who had to mend it and did not holds fewer than it takes.
                place = 5 * seat + NUMBER[REVISE]
                least = state.drawn[seat] - (cards - 1)
                state.ruled_out[place] = max(state.ruled_out[place], least)
            events = [Event("left", {"seat": seat, "work": state.work})]
        else:
            for _ in range(cards):
                state.hands[seat].remove(REVISE)
                self._rule_out(state, seat, REVISE)
            state.seen[NUMBER[REVISE]] += cards
            state.repaired = 1
            events = [Event("repair", {"seat": seat, "work": state.work, "cards": cards})]
            # R17 「不管用掉幾張修訂牌，都只能從牌堆頂端補回一張牌」
            events += self._draw(state, seat, rng)
        state.phase = "result"
        return events

    def _score(self, state: State, rng: Random) -> list[Event]:
        """Give the points, clear the table, and begin the next 局 with the scorer (R15 to R19)."""
        user, work = state.user, state.work
        events = []
        if state.repaired or state.die > self.wrong[work]:
            events.append(self._give_point(state, user, "score.user"))
            if work == BOOK:
                events.append(self._give_point(state, state.author, "score.author"))
        else:
            events.append(Event("score.nothing", {"work": work}))
        self._clear_work(state)
        events += self._fill_up(state, user, rng)
        state.turns += 1
        winning = self._find_winners(state, user)
        if winning:
            return events + self._end_match(state, winning, "goal")
        if self._is_too_long(state):
            return events + self._end_early(state)
        return events + self._next_round(state, user, rng)

    def _give_point(self, state: State, seat: Seat, text: str) -> Event:
        state.points[seat] += 1
        return Event(text, {"seat": seat, "total": state.points[seat]})

    def _points_by_side(self, state: State) -> list[int]:
        return [sum(state.points[side :: self.sides]) for side in range(self.sides)]

    def _leaders(self, state: State) -> list[int]:
        points = self._points_by_side(state)
        return [side for side in range(self.sides) if points[side] == max(points)]

    def _find_winners(self, state: State, scorer: Seat) -> list[int]:
        """Return the sides that have won, now that *scorer* has scored."""
        goal = self.options.points_to_win
        winners = [
            side for side, points in enumerate(self._points_by_side(state)) if points >= goal
        ]
        if len(winners) > 1 and self.options.tie == "scorer":
            return [scorer % self.sides]
        if len(winners) > 1 and self.options.tie == "sudden_death":
            leaders = self._leaders(state)
            return leaders if len(leaders) == 1 else []
        return winners

    def _is_too_long(self, state: State) -> bool:
        """Return whether the match has lasted as long as it may."""
        if state.turns < self.shortest:
            return False
        return state.turns >= self.options.laps(sum(state.points)) * self.players

    def _end_early(self, state: State) -> list[Event]:
        why = "limit" if self.options.laps_limit else "slow"
        return self._end_match(state, self._leaders(state), why)

    def _end_match(self, state: State, sides: list[int], why: str) -> list[Event]:
        state.phase = "over"
        winners = [seat for seat in self.seats if seat % self.sides in sides]
        state.won = tuple(winners)
        points = max(self._points_by_side(state))
        laps = self.options.laps_limit or state.turns // self.players
        return [Event(f"over.{why}", {"winners": winners, "points": points, "laps": laps})]

    def observe(self, state: State, seat: Seat | None) -> Observation:
        deciding = self.to_act(state)
        legal = self.legal_actions(state, seat) if seat is not None and seat in deciding else ()
        return self._observe(state, seat, deciding, legal)

    def observe_turn(self, state: State) -> Observation | None:
        if state.phase in ("result", "over"):
            return None
        seat = state.turn
        return self._observe(state, seat, (seat,), self._allowed(state, seat))

    def _observe(
        self, state: State, seat: Seat | None, deciding: tuple[Seat, ...], legal: tuple[str, ...]
    ) -> Observation:
        held: list[int] = []
        for hand in state.hands:  # takes half the time of `map`
            held.append(len(hand))
        seen: Observation = object.__new__(Observation)  # as `Observation.empty`, without its call
        seen.seat = seat
        seen.players = self.players
        seen.phase = state.phase
        seen.legal = legal
        seen.waiting = deciding
        seen.hand = tuple(state.hands[seat]) if seat is not None else ()
        seen.open_hands = tuple(map(tuple, state.hands)) if self.options.open_hands else ()
        seen.held = tuple(held)
        seen.starter = state.starter
        seen.turn = state.turn
        seen.roles = tuple(state.roles)
        seen.work = state.work
        seen.author = state.author
        seen.user = state.user
        seen.vandal = state.vandal
        seen.die = state.die
        seen.repaired = state.repaired
        seen.points = tuple(state.points)
        seen.round = state.round
        seen.turns = state.turns
        seen.quiet = state.quiet
        seen.refilled = state.refilled
        seen.deck = len(state.deck)
        seen.cards = len(self.cards)
        seen.seen = tuple(state.seen)
        seen.thrown = tuple(state.thrown[seat]) if seat is not None else ()
        seen.role_deck = len(state.role_deck)
        seen.role_discards = state.role_discards
        seen.drawn = tuple(state.drawn)
        seen.ruled_out = tuple(state.ruled_out)
        seen.start_rolls = state.start_rolls
        seen.won = state.won
        return seen

    def scores(self, state: State) -> tuple[int, ...]:
        """Return the tokens of each seat; a team's points are those of its seats together."""
        return tuple(state.points)

    def winners(self, state: State) -> tuple[Seat, ...]:
        return state.won

    def resample(self, observation: Observation, rng: Random) -> State:
        return inference.resample(observation, self.cards, self.role_cards, rng)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        if kind == "faces":  # those of the die with which a work goes wrong
            how = {0: "never", FACES: "always"}.get(value, "at")
            return f"faces.{how}", {"number": value}
        return f"{kind}.{value}", {}
