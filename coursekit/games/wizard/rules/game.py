"""Rules of Wizard, for 3-6 players.

Source: the rulebook of the Chinese edition (after Ken Fisher's Wizard, AMIGO).  Its four
variants and the points it leaves open are fields of :class:`Options`.  How cards are numbered
stands in :mod:`.cards`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from coursekit.core.chance import below, shuffle
from coursekit.core.game import TABLE, Event, Game, Refusal, Seat, Seen
from coursekit.games.wizard.rules import guess
from coursekit.games.wizard.rules.cards import (
    FOLLOWING,
    JESTER,
    NO_SUIT,
    NOTHING,
    SUIT,
    SUITS,
    WIZARD,
    holds,
    led_suit,
    winner,
)  # fmt: skip
from coursekit.games.wizard.rules.options import PRESETS, Options, check_combination
from coursekit.words.texts import brief

SEALED = -2  # a bid that is made and that this seat may not see; NOTHING while it is not made
NEXT_ROUND = 0  # the table's action between rounds
MY_CARD = -1  # hawk eye: the card on my forehead, which I have not seen
REBIDS = 20  # after so many bids in vain the last ones stand, so that every match ends


@dataclass(slots=True)
class State:
    """Everything, hidden things included."""

    round: int  # 1-based
    size: int  # cards dealt to each seat this round
    scorer: Seat  # the first dealer
    dealer: Seat
    phase: str  # "size", "trump", "bid", "play", "scored" or "over"
    turn: Seat
    hands: list[list[int]]
    undealt: list[int]  # without the card turned up
    turned: int  # the card turned up, or NOTHING
    trump: int  # suit, or NOTHING
    bids: list[int]  # NOTHING until made
    ready: list[int]  # hawk eye: 1 for a seat that has shown its card
    trick: list[int]
    played: list[int]  # cards of this round's finished tricks, in order
    takers: list[Seat]  # who won each of them
    won: list[int]  # tricks won this round
    points: list[int]
    bid_sums: list[int]  # all bids of the rounds scored so far, added up
    rebids: int  # how often this round's bids were made in vain


@dataclass(slots=True)
class Observation(Seen):
    """What one seat may know; fields as in :class:`State` unless noted."""

    legal: tuple[int, ...]
    hand: tuple[int, ...]  # () while the own card may not be seen
    shown: tuple[tuple[int, ...], ...]  # hawk eye: every other seat's cards, () otherwise
    held: tuple[int, ...]  # number of cards in each hand
    round: int
    rounds: int  # in the whole match
    size: int
    scorer: Seat
    dealer: Seat
    turned: int
    trump: int
    bids: tuple[int, ...]  # NOTHING not made, SEALED made and not to be seen
    ready: tuple[int, ...]
    trick: tuple[int, ...]
    played: tuple[int, ...]
    takers: tuple[Seat, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]
    bid_sums: tuple[int, ...]
    undealt: int  # how many, without the card turned up
    rebids: int
    winners: tuple[Seat, ...]  # () while the match runs

    @property
    def leader(self) -> Seat:
        """The seat that leads the trick going on."""
        return self.takers[-1] if self.takers else (self.dealer + 1) % self.players


class Wizard(Game[State, Observation, int]):
    """The game.  Actions are ints: a card, a bid, a suit, a hand size, or one of the named ones."""

    name = "wizard"
    version = 1
    player_counts = (3, 4, 5, 6)
    option_type, state_type, observation_type = Options, State, Observation
    presets = PRESETS
    options: Options

    def __init__(self, players: int, options: Options | None = None) -> None:
        super().__init__(players, options)
        o = self.options
        jesters = [15 * suit + JESTER for suit in range(o.jesters)]
        wizards = [15 * suit + WIZARD for suit in range(o.wizards)]
        self.deck = (*[card for card in range(60) if SUIT[card] != NO_SUIT], *jesters, *wizards)
        most = len(self.deck) // players
        check_combination(o, players, most)
        self.sizes = o.rounds or tuple(range(1, (o.short_game or most) + 1))
        """Cards per player in each round, before ``adjust_tricks``."""
        bids = players * (REBIDS + 1 if o.hidden_sum_conflict == "rebid" else 1)
        # Asked at every decision, so worked out once
        self._hawk_round = 1 if o.hawk_eye else 0
        self._past_wizard = o.jester_then_wizard == "next_suit_card_leads"
        self._open_bids = o.bid_mode == "open"
        self.longest = sum(3 + bids + players * min(size + 1, most) for size in self.sizes)

    def initial_state(self, rng: Random) -> State:
        o, none = self.options, [0] * self.players
        first = below(rng, self.players) if o.first_dealer is None else o.first_dealer
        state = State(
            round=0, size=0, scorer=first, dealer=(first - 1) % self.players, phase="scored", turn=first,
            hands=[], undealt=[], turned=NOTHING, trump=NOTHING, bids=[], ready=[], trick=[], played=[],
            takers=[], won=[], points=none[:], bid_sums=none[:], rebids=0,
        )  # fmt: skip
        self._next_round(state, rng)
        return state

    def _next_round(self, state: State, rng: Random) -> list[Event]:
        state.size = self.sizes[state.round]
        state.round += 1
        state.dealer = state.turn = (state.dealer + 1) % self.players
        state.hands, state.trick, state.played, state.takers = [[] for _ in self.seats], [], [], []
        state.undealt, state.turned, state.trump, state.rebids = list(self.deck), NOTHING, NOTHING, 0
        state.bids, state.ready, state.won = [NOTHING] * self.players, [0] * self.players, [0] * self.players
        if self.options.bid_rule == "adjust_tricks" and 1 < state.round < len(self.sizes):
            state.phase = "size"
            return []
        return self._deal(state, rng)

    def _deal(self, state: State, rng: Random) -> list[Event]:
        deck = list(self.deck)
        shuffle(rng, deck)
        n, size = self.players, state.size
        state.hands = [sorted(deck[seat * size : (seat + 1) * size]) for seat in self.seats]
        state.undealt = deck[n * size :]
        state.phase, state.turn = "bid", (state.dealer + 1) % n
        if state.undealt:  # in the last round there is none left: no trump
            state.turned = state.undealt.pop()
            if SUIT[state.turned] != NO_SUIT:
                state.trump = SUIT[state.turned]
            elif state.turned % 15 == WIZARD:  # the dealer names the trump, knowing the own hand
                state.phase, state.turn = "trump", state.dealer
        return self.opening(state)

    def opening(self, state: State) -> list[Event]:
        dealt = Event("deal", {"round": state.round, "size": state.size, "dealer": state.dealer})
        if state.turned == NOTHING:
            return [dealt, Event("trump.none_left")]
        kind = {JESTER: "jester", WIZARD: "wizard"}.get(state.turned % 15, "turned")
        values = {"card": state.turned, "suit": state.trump, "dealer": state.dealer}
        return [dealt, Event(f"trump.{kind}", values)]

    def hawk(self, state: State | Observation) -> bool:
        """Return whether this is the round in which nobody sees the own card."""
        return state.round == self._hawk_round

    def to_act(self, state: State) -> tuple[Seat, ...]:
        phase = state.phase
        if phase == "play":
            if not self.hawk(state):
                return (state.turn,)
            return tuple(seat for seat in self.seats if not state.ready[seat])  # all show their card at once
        if phase == "bid" and not self._open_bids:
            return tuple(seat for seat in self.seats if state.bids[seat] == NOTHING)
        if phase == "over":
            return ()
        return (TABLE,) if phase == "scored" else (state.turn,)

    def legal_actions(self, state: State, seat: Seat) -> tuple[int, ...]:
        if state.phase == "play":
            if self.hawk(state):
                return (MY_CARD,)
            hand, led = state.hands[seat], self.led(state.trick)
            if led != NOTHING and holds(hand, led):
                # Wizards and Jesters may be played at any time: they neither satisfy nor break the duty
                return tuple(filter(FOLLOWING[led].__contains__, hand))
            return tuple(hand)
        if state.phase == "bid":
            forbidden = self._forbidden(state, seat)
            return tuple(bid for bid in range(state.size + 1) if bid != forbidden)
        if state.phase == "trump":
            return SUITS
        if state.phase == "size":
            most, usual = len(self.deck) // self.players, state.size
            return tuple(size for size in range(usual - 1, usual + 2) if 1 <= size <= most)
        return (NEXT_ROUND,)

    def led(self, trick: Sequence[int]) -> int:
        """Return the suit that *trick* asks for under this game's options, or ``NOTHING``."""
        return led_suit(trick, self._past_wizard)

    def _sum_counts(self, state: State) -> bool:
        """Return whether the bids of this round may not add up to its tricks."""
        rule, points = self.options.bid_rule, state.points
        leads = state.round > 1 and points[state.dealer] == max(points)
        return rule == "sum_must_differ" or (rule == "sum_must_differ_leader_only" and leads)

    def _forbidden(self, state: State, seat: Seat) -> int:
        if self.options.bid_mode != "open" or seat != state.dealer or not self._sum_counts(state):
            return NOTHING
        return state.size - sum(bid for bid in state.bids if bid != NOTHING)

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if type(action) is not int:
            return Refusal("refusal.not_an_action", {"got": brief(action)})
        if state.phase != "play" or self.hawk(state):
            legal = self.legal_actions(state, seat)
            if action in legal:
                return None
            if state.phase == "bid" and 0 <= action == self._forbidden(state, seat):
                return Refusal("refusal.sum", {"bid": action, "size": state.size}, "rule.sum")
            values = {"got": action, "low": legal[0], "high": legal[-1]}
            return Refusal(f"refusal.{state.phase}", values, f"rule.{state.phase}")
        hand = state.hands[seat]
        if action not in hand:
            return Refusal("refusal.not_in_hand", {"got": action})
        led = self.led(state.trick)
        if led == NOTHING or action in FOLLOWING[led] or not holds(hand, led):
            return None
        return Refusal("refusal.follow", {"suit": led, "card": action}, "rule.follow")

    def apply(self, state: State, seat: Seat, action: int, rng: Random) -> list[Event]:
        if state.phase == "play":
            return self._show(state, seat) if self.hawk(state) else self._play(state, seat, action)
        if state.phase == "bid":
            return self._bid(state, seat, action)
        if state.phase == "trump":
            state.trump, state.phase, state.turn = action, "bid", (state.dealer + 1) % self.players
            return [Event("trump.chosen", {"seat": seat, "suit": action})]
        if state.phase == "size":
            state.size = action
            return [Event("size", {"seat": seat, "size": action}), *self._deal(state, rng)]
        return self._next_round(state, rng)

    def _bid(self, state: State, seat: Seat, bid: int) -> list[Event]:
        state.bids[seat] = bid
        state.turn = (seat + 1) % self.players
        mode = self.options.bid_mode
        made = Event("bid.sealed", {"seat": seat}) if mode != "open" else Event("bid.open", {"seat": seat, "bid": bid})
        events = [made]
        if NOTHING in state.bids:
            return events
        again = mode != "open" and self._sum_counts(state) and sum(state.bids) == state.size
        if again and state.rebids < REBIDS:
            state.rebids += 1
            state.bids = [NOTHING] * self.players
            return [*events, Event("bid.again", {"size": state.size})]
        state.phase, state.turn = "play", (state.dealer + 1) % self.players
        if mode == "hidden" and self.options.hidden_reveal == "before_play":
            events += [Event("bid.open", {"seat": each, "bid": state.bids[each]}) for each in self.seats]
        return events

    def _show(self, state: State, seat: Seat) -> list[Event]:
        state.ready[seat] = 1
        events = [Event("hawk.ready", {"seat": seat})]
        if all(state.ready):
            first = (state.dealer + 1) % self.players
            for place in range(self.players):
                holder = (first + place) % self.players
                events += self._play(state, holder, state.hands[holder][0])
        return events

    def _play(self, state: State, seat: Seat, card: int) -> list[Event]:
        state.hands[seat].remove(card)
        state.trick.append(card)
        events = [Event("play", {"seat": seat, "card": card})]
        n = self.players
        if len(state.trick) < n:
            state.turn = (seat + 1) % n
            return events
        place = winner(state.trick, state.trump)
        taker = state.turn = (seat + 1 + place) % n  # seat was the last, so the next one led
        events.append(Event("trick", {"seat": taker, "card": state.trick[place]}))
        state.won[taker] += 1
        state.takers.append(taker)
        state.played += state.trick
        state.trick = []
        return events if state.hands[taker] else events + self._score(state)

    def _score(self, state: State) -> list[Event]:
        o, events = self.options, []
        for seat in self.seats:
            bid, won = state.bids[seat], state.won[seat]
            gain = o.hit + o.per_trick * won if bid == won else -o.miss * abs(bid - won)
            state.points[seat] += gain
            state.bid_sums[seat] += bid
            values = {"seat": seat, "bid": bid, "won": won, "gain": gain, "total": state.points[seat]}
            events.append(Event("score.met" if bid == won else "score.missed", values))
        state.phase = "scored" if state.round < len(self.sizes) else "over"
        if state.phase == "over":
            events.append(Event("over", {"winners": self.winners(state), "points": max(state.points)}))
        return events

    def observe(self, state: State, seat: Seat | None) -> Observation:
        seen, deciding = Observation.empty(), self.to_act(state)
        seen.seat = seat
        seen.players = self.players
        seen.phase = state.phase
        seen.legal = self.legal_actions(state, seat) if seat in deciding and seat is not None else ()
        seen.waiting = deciding
        seen.hand = seen.shown = ()
        if seat is not None:
            blind = state.phase == "trump" and self.options.dealer_picks_blind and seat == state.dealer
            if self.hawk(state):
                seen.shown = tuple([tuple(each) for each in (*state.hands[:seat], (), *state.hands[seat + 1 :])])
            elif not blind:
                seen.hand = tuple(state.hands[seat])
        seen.held = tuple([len(each) for each in state.hands])
        seen.round = state.round
        seen.rounds = len(self.sizes)
        seen.size = state.size
        seen.scorer = state.scorer
        seen.dealer = state.dealer
        seen.turned = state.turned
        seen.trump = state.trump
        seen.bids = self._bids_seen(state, seat)
        seen.ready = tuple(state.ready)
        seen.trick = tuple(state.trick)
        seen.played = tuple(state.played)
        seen.takers = tuple(state.takers)
        seen.won = tuple(state.won)
        seen.points = tuple(state.points)
        seen.bid_sums = tuple(state.bid_sums)
        seen.undealt = len(state.undealt)
        seen.rebids = state.rebids
        seen.winners = self.winners(state)
        return seen

    def _bids_seen(self, state: State, seat: Seat | None) -> tuple[int, ...]:
        if self._open_bids:
            return tuple(state.bids)
        o, phase = self.options, state.phase
        open_now = phase in ("scored", "over")
        if o.bid_mode == "hidden" and phase == "play":
            open_now = o.hidden_reveal == "before_play" or seat == state.scorer
        if open_now:
            return tuple(state.bids)
        return tuple(bid if bid == NOTHING or each == seat else SEALED for each, bid in enumerate(state.bids))

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.points)

    def winners(self, state: State) -> tuple[Seat, ...]:
        if state.phase != "over":
            return ()
        sums = state.bid_sums if self.options.tie_break == "sum_of_bids" else [0] * self.players
        rank = list(zip(state.points, sums))
        return tuple(seat for seat in self.seats if rank[seat] == max(rank))

    def resample(self, observation: Observation, rng: Random) -> State:
        return guess.resample(self, observation, rng)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        if kind != "card":
            return f"{kind}.{value}", {}
        rank = value % 15
        if rank in (JESTER, WIZARD):
            return "card.jester" if rank == JESTER else "card.wizard", {}
        return "card.plain", {"suit": value // 15, "rank": rank}
