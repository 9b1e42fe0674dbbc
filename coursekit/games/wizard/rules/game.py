"""Rules of Wizard, for 3-6 players.

Source: the rulebook of the Chinese edition (after Ken Fisher's Wizard, AMIGO). Its four variants
and the points it leaves open are fields of :class:`Options`. Cards are ints, see :mod:`.cards`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import add
from random import Random
from typing import Any

from coursekit.core.chance import random_below, shuffle, stream
from coursekit.core.game import TABLE, Event, Game, Refusal, Seat
from coursekit.games.wizard.rules import inference
from coursekit.games.wizard.rules.cards import (
    CARDS,
    JESTER,
    MAY_FOLLOW,
    NO_SUIT,
    NOTHING,
    OF_SUIT,
    RANK,
    SUIT,
    SUITS,
    WIZARD,
    bits,
    card_of,
    holds,
    is_wizard,
    led_suit,
    winner,
)
from coursekit.games.wizard.rules.options import PRESETS, Options, check_combination
from coursekit.games.wizard.rules.state import SEALED, Observation, State, replace_at
from coursekit.words.texts import shorten

NEXT_ROUND = 0  # the table's action between rounds
MY_CARD = -1  # hawk eye: the card on one's own forehead, unseen
MUST_FOLLOW = {
    (True, True): "refusal.follow",
    (True, False): "refusal.follow_wizard",
    (False, True): "refusal.follow_jester",
    (False, False): "refusal.follow_suit",
}
"""Whether there are Wizards and Jesters, which may be played instead -> the refusal of a card of
another suit.
"""
REBIDS = 20  # times that bids in vain are made again; then they stand, so that every match ends


@cache
def _card_events(text: str, players: int) -> tuple[tuple[tuple[Event], ...], ...]:
    """Return by seat and card the one event *text*; to look one up is quicker than to make it."""
    return tuple(
        tuple((Event(text, {"seat": seat, "card": card}),) for card in CARDS)
        for seat in range(players)
    )


@cache
def _bid_open(seat: Seat, bid: int) -> Event:
    return Event("bid.open", {"seat": seat, "bid": bid})


class Wizard(Game[State, Observation, int]):
    """The game.  Actions are ints: a card, a bid, a suit, a hand size, or one of the named ones."""

    name = "wizard"
    version = 1
    player_counts = (3, 4, 5, 6)
    option_type, state_type, observation_type = Options, State, Observation
    phases = ("size", "trump", "bid", "play")
    presets = PRESETS
    options: Options

    def __init__(self, players: int, options: Options | None = None) -> None:
        super().__init__(players, options)
        o = self.options
        jesters = [card_of(suit, JESTER) for suit in range(o.jesters)]
        wizards = [card_of(suit, WIZARD) for suit in range(o.wizards)]
        self.deck = (*[card for card in CARDS if SUIT[card] != NO_SUIT], *jesters, *wizards)
        self.deck_bits = bits(self.deck)
        most = len(self.deck) // players
        check_combination(o, players, most)
        self.sizes = o.rounds or tuple(range(1, (o.short_game or most) + 1))
        """Cards per player in each round, before ``adjust_tricks``."""
        bids = players * (REBIDS + 1 if o.hidden_sum_conflict == "rebid" else 1)
        self.longest = sum(3 + bids + players * min(size + 1, most) for size in self.sizes)
        self._gains: dict[tuple[int, int], int] = {}  # what `gain` returns
        # What is asked at every decision
        self._rounds = len(self.sizes)
        self._played = _card_events("play", players)
        self._taken = _card_events("trick", players)
        self._alone = tuple((seat,) for seat in self.seats)
        self._past_wizard = o.past_wizard
        self._in_turn = ("play", "bid") if o.bid_mode == "open" else ("play",)
        self._open_bids = o.bid_mode == "open"
        self._open_hands = o.open_hands
        self._hawk_round = int(o.hawk_eye)  # all see every card but their own, see `hawk`
        self.bare_phases = frozenset(self.phases if o.open_hands and self._open_bids else ())

    def initial_state(self, rng: Random) -> State:
        none = (0,) * self.players
        first = self.options.first_dealer
        if first is None:
            first = random_below(rng, self.players)
        state = State(
            round=0,
            size=0,
            scorer=first,
            dealer=(first - 1) % self.players,
            phase="scored",
            turn=first,
            hands=[],
            undealt=[],
            turned=NOTHING,
            trump=NOTHING,
            bids=(),
            ready=(),
            trick=(),
            played=(),
            takers=(),
            won=(),
            points=none,
            bid_sums=none,
            rebids=0,
        )
        self._next_round(state, rng)
        return state

    def _next_round(self, state: State, rng: Random) -> list[Event]:
        state.size = self.sizes[state.round]
        state.round += 1
        state.dealer = state.turn = (state.dealer + 1) % self.players
        state.hands = [()] * self.players
        state.undealt = list(self.deck)
        state.turned = NOTHING
        state.trump = NOTHING
        state.bids = (NOTHING,) * self.players
        state.ready = (0,) * self.players
        state.trick = ()
        state.played = ()
        state.takers = ()
        state.won = (0,) * self.players
        state.rebids = 0
        if self.options.bid_rule == "adjust_tricks" and 1 < state.round < len(self.sizes):
            state.phase = "size"
            return []
        return self._deal(state, rng)

    def _deal(self, state: State, rng: Random) -> list[Event]:
        deck = list(self.deck)
        shuffle(rng, deck)
        size = state.size
        state.hands = [tuple(sorted(deck[seat * size : (seat + 1) * size])) for seat in self.seats]
        state.undealt = deck[self.players * size :]
        self._begin(state, "bid")
        if state.undealt:  # none is left in the last round: no trump
            state.turned = state.undealt.pop()
            if SUIT[state.turned] != NO_SUIT:
                state.trump = SUIT[state.turned]
            elif is_wizard(state.turned):  # the dealer sees the hand and names the trump
                state.phase = "trump"
                state.turn = state.dealer
        return self.opening(state)

    def _begin(self, state: State, phase: str) -> None:
        """Go on to a *phase* that the player at the dealer's left begins."""
        state.phase = phase
        state.turn = (state.dealer + 1) % self.players

    def opening(self, state: State) -> list[Event]:
        dealt = Event("deal", {"round": state.round, "size": state.size, "dealer": state.dealer})
        if state.turned == NOTHING:
            return [dealt, Event("trump.none_left")]
        kind = {JESTER: "jester", WIZARD: "wizard"}.get(RANK[state.turned], "turned")
        values = {"card": state.turned, "suit": state.trump, "dealer": state.dealer}
        return [dealt, Event(f"trump.{kind}", values)]

    def to_act(self, state: State) -> tuple[Seat, ...]:
        phase = state.phase
        if phase == "play":
            if state.round != self._hawk_round:
                return self._alone[state.turn]
            # All show their card at once
            return tuple(seat for seat in self.seats if not state.ready[seat])
        if phase == "bid" and not self._open_bids:
            return tuple(seat for seat in self.seats if state.bids[seat] == NOTHING)
        if phase == "over":
            return ()
        return (TABLE,) if phase == "scored" else (state.turn,)

    def legal_actions(self, state: State, seat: Seat) -> tuple[int, ...]:
        if state.phase == "play":
            if state.round == self._hawk_round:
                return (MY_CARD,)
            return self._playable(state.hands[seat], state.trick)
        if state.phase == "bid":
            return self._biddable(state, seat)
        if state.phase == "trump":
            return SUITS
        if state.phase == "size":
            most = len(self.deck) // self.players
            near = (state.size - 1, state.size, state.size + 1)
            return tuple(size for size in near if 1 <= size <= most)
        return (NEXT_ROUND,)

    def _biddable(self, state: State, seat: Seat) -> tuple[int, ...]:
        forbidden = self._forbidden(state, seat)
        bids = range(state.size + 1)
        if forbidden == NOTHING:
            return tuple(bids)
        return tuple(bid for bid in bids if bid != forbidden)

    def _playable(self, hand: tuple[int, ...], trick: tuple[int, ...]) -> tuple[int, ...]:
        led = self.led(trick)
        if led == NOTHING or OF_SUIT[led].isdisjoint(hand):
            return hand
        # Wizards and Jesters may be played at any time: they neither fulfil nor break the duty
        may_follow = MAY_FOLLOW[led]
        legal = []
        for card in hand:
            if may_follow[card]:
                legal.append(card)
        return tuple(legal)

    def led(self, trick: Sequence[int]) -> int:
        """Return the suit to follow in *trick* under these options, or ``NOTHING``."""
        if not trick:
            return NOTHING
        led = SUIT[trick[0]]
        return led if led != NO_SUIT else led_suit(trick, self._past_wizard)

    def sum_counts(self, number: int, dealer: Seat, points: Sequence[int]) -> bool:
        """Return whether the bids of round *number* may not add up to its tricks.

        :param points: of each seat before that round.
        """
        rule = self.options.bid_rule
        if rule == "sum_must_differ_leader_only":
            return number > 1 and points[dealer] == max(points)
        return rule == "sum_must_differ"

    def _forbidden(self, state: State, seat: Seat) -> int:
        """Return the bid that would make the sum equal the tricks, where that is not allowed."""
        if seat != state.dealer or not self._open_bids:
            return NOTHING
        if not self.sum_counts(state.round, seat, state.points):
            return NOTHING
        return state.size - sum(bid for bid in state.bids if bid != NOTHING)

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if type(action) is not int:
            return Refusal("refusal.not_an_action", {"got": shorten(action)})
        if state.phase != "play" or state.round == self._hawk_round:
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
        if led == NOTHING or MAY_FOLLOW[led][action] or not holds(hand, led):
            return None
        refusal = MUST_FOLLOW[self.options.wizards > 0, self.options.jesters > 0]
        return Refusal(refusal, {"suit": led, "card": action}, "rule.follow")

    def apply(self, state: State, seat: Seat, action: int, rng: Random) -> Sequence[Event]:
        if state.phase == "play":
            if state.round == self._hawk_round:
                return self._show(state, seat)
            return self._play(state, seat, action)
        if state.phase == "bid":
            return self._bid(state, seat, action)
        if state.phase == "trump":
            state.trump = action
            self._begin(state, "bid")
            return [Event("trump.chosen", {"seat": seat, "suit": action})]
        if state.phase == "size":
            state.size = action
            return [Event("size", {"seat": seat, "size": action}), *self._deal(state, rng)]
        return self._next_round(state, rng)

    def _bid(self, state: State, seat: Seat, bid: int) -> list[Event]:
        state.bids = replace_at(state.bids, seat, bid)
        state.turn = (seat + 1) % self.players
        mode = self.options.bid_mode
        events = [_bid_open(seat, bid) if mode == "open" else Event("bid.sealed", {"seat": seat})]
        if NOTHING in state.bids:
            return events
        counts = self.sum_counts(state.round, state.dealer, state.points)
        again = mode != "open" and counts and sum(state.bids) == state.size
        if again and state.rebids < REBIDS:
            state.rebids += 1
            state.bids = (NOTHING,) * self.players
            return [*events, Event("bid.again", {"size": state.size})]
        self._begin(state, "play")
        if mode == "hidden" and self.options.hidden_reveal == "before_play":
            events += map(_bid_open, self.seats, state.bids)
        return events

    def _show(self, state: State, seat: Seat) -> list[Event]:
        state.ready = replace_at(state.ready, seat, 1)
        events = [Event("hawk.ready", {"seat": seat})]
        if all(state.ready):
            first = (state.dealer + 1) % self.players
            for place in range(self.players):
                holder = (first + place) % self.players
                events += self._play(state, holder, state.hands[holder][0])
        return events

    def _play(self, state: State, seat: Seat, card: int) -> Sequence[Event]:
        left = [*state.hands[seat]]
        left.remove(card)
        state.hands[seat] = tuple(left)
        trick = state.trick = state.trick + (card,)  # noqa: RUF005
        if len(trick) < self.players:
            state.turn = (seat + 1) % self.players
            return self._played[seat][card]
        place = winner(trick, state.trump)
        leader = seat + 1  # since this seat was the last
        taker = state.turn = (leader + place) % self.players
        state.won = replace_at(state.won, taker, state.won[taker] + 1)
        state.takers += (taker,)
        state.played += trick
        state.trick = ()
        events = self._played[seat][card] + self._taken[taker][trick[place]]
        if state.hands[taker]:
            return events
        return (*events, *self._score(state))

    def _score(self, state: State) -> list[Event]:
        o = self.options
        points = list(state.points)
        events = []
        for seat, bid, won in zip(self.seats, state.bids, state.won, strict=True):
            if bid == won:
                text, gain = "score.met", o.hit + o.per_trick * won
            else:
                text, gain = "score.missed", -o.miss * abs(bid - won)
            points[seat] += gain
            values = {"seat": seat, "bid": bid, "won": won, "gain": gain, "total": points[seat]}
            events.append(Event(text, values))
        state.points = tuple(points)
        state.bid_sums = tuple(map(add, state.bid_sums, state.bids))
        state.phase = "scored" if state.round < len(self.sizes) else "over"
        if state.phase == "over":
            best = max(state.points)
            events.append(Event("over", {"winners": self.winners(state), "points": best}))
        return events

    def gain(self, bid: int, won: int) -> int:
        """Return the points that a seat gets for a bid of *bid* tricks and *won* tricks won.

        It scores a first round to find out, so that what tells of points follows the rules. A rule
        that looks at more than these two numbers needs more than this.
        """
        if (bid, won) not in self._gains:
            state = self.initial_state(stream("gain", "chance"))
            state.size = max(bid, won, 1)
            state.hands = [()] * self.players
            state.phase = "play"
            state.takers = (0,) * won + (1,) * (state.size - won)
            state.bids = (bid,) + (0,) * (self.players - 1)
            state.won = tuple(state.takers.count(seat) for seat in self.seats)
            self._score(state)
            self._gains[bid, won] = state.points[0]
        return self._gains[bid, won]

    def observe_turn(self, state: State) -> Observation | None:
        phase = state.phase
        if phase not in self._in_turn or state.round == self._hawk_round:
            return super().observe_turn(state)
        seat = state.turn
        hand = state.hands[seat]
        seen = self._public(state)
        seen.seat = seat
        if phase == "play":
            seen.legal = self._playable(hand, state.trick)
        else:
            seen.legal = self._biddable(state, seat)
        seen.waiting = self._alone[seat]
        seen.hand = hand
        seen.shown = ()
        seen.bids = state.bids if self._open_bids else self._visible_bids(state, seat)
        return seen

    def observe(self, state: State, seat: Seat | None) -> Observation:
        seen = self._public(state)
        seen.seat = seat
        seen.waiting = self.to_act(state)
        seen.legal = seen.hand = seen.shown = ()
        if seat is not None:
            picks_blind = self.options.dealer_picks_blind and seat == state.dealer
            if seat in seen.waiting:
                seen.legal = self.legal_actions(state, seat)
            if state.round == self._hawk_round:
                seen.shown = (*state.hands[:seat], (), *state.hands[seat + 1 :])
            elif state.phase != "trump" or not picks_blind:
                seen.hand = state.hands[seat]
        seen.bids = state.bids if self._open_bids else self._visible_bids(state, seat)
        return seen

    def _public(self, state: State) -> Observation:
        """Return the part of an observation that all see alike."""
        seen: Observation = object.__new__(Observation)  # as `Observation.empty`, without its call
        seen.players = self.players
        seen.phase = state.phase
        seen.open_hands = tuple(state.hands) if self._open_hands else ()
        seen.round = state.round
        seen.rounds = self._rounds
        seen.size = state.size
        seen.scorer = state.scorer
        seen.dealer = state.dealer
        seen.turned = state.turned
        seen.trump = state.trump
        seen.ready = state.ready
        seen.trick = state.trick
        seen.played = state.played
        seen.takers = state.takers
        seen.won = state.won
        seen.points = state.points
        seen.bid_sums = state.bid_sums
        seen.undealt = len(state.undealt)
        seen.rebids = state.rebids
        seen.winners = self.winners(state) if state.phase == "over" else ()
        return seen

    def _visible_bids(self, state: State, seat: Seat | None) -> tuple[int, ...]:
        o = self.options
        is_open = state.phase in ("scored", "over")
        if o.bid_mode == "hidden" and state.phase == "play":
            is_open = o.hidden_reveal == "before_play" or seat == state.scorer
        if is_open:
            return state.bids
        bids = [NOTHING if bid == NOTHING else SEALED for bid in state.bids]
        if seat is not None:
            bids[seat] = state.bids[seat]
        return tuple(bids)

    def scores(self, state: State) -> tuple[int, ...]:
        return state.points

    def winners(self, state: State) -> tuple[Seat, ...]:
        if state.phase != "over":
            return ()
        sums = state.bid_sums if self.options.tie_break == "sum_of_bids" else (0,) * self.players
        rank = list(zip(state.points, sums))
        return tuple(seat for seat in self.seats if rank[seat] == max(rank))

    def resample(self, observation: Observation, rng: Random) -> State:
        return self.hidden(observation).resample(rng)

    def hidden(self, observation: Observation) -> inference.HiddenCards:
        """Return the cards that *observation* leaves unseen, and where they may lie."""
        return inference.HiddenCards(observation, self.options, self.deck, self.led)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        if kind != "card":
            return f"{kind}.{value}", {}
        if SUIT[value] == NO_SUIT:
            return "card.wizard" if is_wizard(value) else "card.jester", {}
        return "card.plain", {"suit": SUIT[value], "rank": RANK[value]}
