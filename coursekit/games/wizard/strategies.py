"""Strategies for Wizard: chance, one careful idea, and a player that counts cards."""

from collections.abc import Callable
from dataclasses import replace
from math import exp, sqrt
from random import Random
from typing import NamedTuple, cast

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.core.search import Searcher
from coursekit.core.strategy import AtRandom, Reason, Strategy
from coursekit.games.wizard.rules.cards import (
    BIT,
    CARDS,
    NO_SUIT,
    NOTHING,
    OF_SUIT,
    POWER,
    RANK,
    SUIT,
    SUITS,
    bits,
    is_jester,
    is_wizard,
    led_suit,
    winner,
)
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.inference import Dealt
from coursekit.games.wizard.rules.state import Observation, State, is_hawk_eye

SUIT_BITS = [bits(cards) for cards in OF_SUIT]
"""By suit: its cards as bits."""
ABOVE = [
    bits(other for other in CARDS if SUIT[other] == SUIT[card] != NO_SUIT and other > card)
    for card in CARDS
]
"""By card: those of its suit that are above it, as bits."""
WIZARDS = bits(filter(is_wizard, CARDS))


class Cautious(Strategy):
    """Bids only what is nearly sure, Wizards and high trumps; wins while it must, then ducks."""

    def trump(self, obs: Observation) -> int:
        return max(obs.legal, key=lambda suit: sum(SUIT[card] == suit for card in obs.hand))

    def bid(self, obs: Observation) -> int:
        high = [RANK[card] for card in obs.hand if SUIT[card] == obs.trump and RANK[card] > 9]
        sure = len(high) + sum(map(is_wizard, obs.hand))
        return min(obs.legal, key=lambda bid: abs(bid - sure))

    def play(self, obs: Observation) -> int:
        def height(card: int) -> tuple[bool, bool, int]:
            return is_wizard(card), SUIT[card] == obs.trump, RANK[card]

        choose = max if tricks_wanted(obs, obs.me) > 0 else min
        return choose(obs.legal, key=height)


class CardCounter(Strategy):
    """Bids its share of the table's strength, then plays the card most likely to end on the bid.

    How strong a card is depends on the unseen cards that beat it, and on how likely one of them
    falls on it. The hand's part of all strength promises that part of the tricks, less where others
    have bid more than an equal share. To play, it weighs for each card the chance that it takes
    this trick, and how many the rest of the hand will take then. All it aims at is to meet the bid:
    what that earns it asks only with a single card.

    The idea is ours; the numbers below were found by letting it play against itself and others.
    """

    game: Wizard

    LATE = 0.25  # tricks it plays for beyond its bid: towards the end tricks come unasked
    PATIENCE = 0.25
    """Worth of each trick still wanted: a player who has them all must duck to the end."""
    UNSURE = (0.2, 1.6)
    """Variance of the tricks the rest will take: a constant, and per unit of their own."""
    EAGER = 2  # wanting 1 of 5 tricks still to come, it takes this one with chance 2/5, if possible

    def size(self, obs: Observation) -> int:
        return max(obs.legal)  # the more cards, the more there is to count

    def trump(self, obs: Observation) -> int:
        unseen = Unseen(self.game, obs)
        return max(obs.legal, key=lambda suit: sum(unseen.shares(obs.hand, suit)))

    def bid(self, obs: Observation) -> int:
        tricks = self.aim(obs)
        return min(obs.legal, key=lambda bid: abs(bid - tricks))

    def aim(self, obs: Observation) -> float:
        """Return the tricks that it would bid if bids were not whole numbers."""
        if obs.size == 1:
            return float(self.lone_card(obs) > self.pays_from)
        return self.tricks(obs)

    @property
    def pays_from(self) -> float:
        """The chance above which to bid the only trick pays; by the rulebook, 3 in 7."""
        gain = self.game.gain
        risk = gain(0, 0) - gain(1, 0)
        prospect = gain(1, 1) - gain(0, 1)
        return risk / (risk + prospect) if risk + prospect > 0 else 1.0

    def tricks(self, obs: Observation) -> float:
        """Return the tricks that my hand takes, less where others bid more than an equal share."""
        bids = [bid for bid in obs.bids if bid >= 0]
        too_many = sum(bids) - obs.size / obs.players * len(bids)
        return sum(Unseen(self.game, obs).shares(obs.hand, obs.trump)) - too_many / 2 / obs.players

    def explain(self, obs: Observation, action: int) -> Reason | None:
        if obs.phase == "bid":
            if obs.size == 1:
                percent, pays = round(100 * self.lone_card(obs)), round(100 * self.pays_from)
                return Reason("why.lone_card", {"chance": percent, "pays": pays})
            return Reason("why.bid", {"tricks": f"{self.tricks(obs):.1f}"})
        if obs.phase != "play" or len(obs.legal) == 1:
            return None
        unseen = Unseen(self.game, obs)
        shares = dict(zip(obs.hand, unseen.shares(obs.hand, obs.trump), strict=True))
        wins = winner([*obs.trick, action], obs.trump) == len(obs.trick)
        chance = self.keeps(obs, action, unseen, self.wills(obs)) if wins else 0
        rest = sum(shares.values()) - shares[action]
        still = max(0, round(tricks_wanted(obs, obs.me)))
        values = {"chance": round(100 * chance), "rest": f"{rest:.1f}", "wanted": still}
        return Reason("why.play", values)

    def lone_card(self, obs: Observation) -> float:
        """Return the chance that my only card, perhaps on my forehead, takes the only trick."""
        unseen = Unseen(self.game, obs)
        mine = (obs.me - obs.leader) % obs.players
        if not obs.hand:
            shown = obs.shown[obs.leader :] + obs.shown[: obs.leader]
            others = [card for hand in shown for card in hand]
            wins = 0
            for card in unseen.cards:
                trick = [*others[:mine], card, *others[mine:]]
                wins += winner(trick, obs.trump) == mine
            return wins / len(unseen.cards)
        led = mine == 0 or SUIT[obs.hand[0]] in (obs.trump, NO_SUIT)
        return unseen.strength(obs.hand[0], obs.trump) if led else 0

    def play(self, obs: Observation) -> int:
        if len(obs.legal) == 1:
            return obs.legal[0]
        unseen, wills = Unseen(self.game, obs), self.wills(obs)
        share = dict(zip(obs.hand, unseen.shares(obs.hand, obs.trump), strict=True))
        mean = sum(share.values())
        variance = sum([p * (1 - p) for p in share.values()])
        still = max(0, tricks_wanted(obs, obs.me))
        powers, led = POWER[obs.trump], led_suit(obs.trick)
        highest = max([powers[led][card] for card in obs.trick], default=-1)
        best, most = obs.legal[0], -1.0
        weighed = set()
        for card in obs.legal:
            suit, p = SUIT[card], share[card]
            # NO_SUIT is the last place, as NOTHING is
            wins = powers[suit if led == NOTHING else led][card] > highest
            like = suit, unseen.higher(card), p, wins
            if like in weighed:
                continue  # worth as much as a card before it
            weighed.add(like)
            takes = self.keeps(obs, card, unseen, wills) if wins else 0
            rest = (mean - p, variance - p * (1 - p))
            worth = 0.0
            if takes > 0:
                worth += takes * self.ends(still - 1, *rest)
            if takes < 1:
                worth += (1 - takes) * self.ends(still, *rest)
            # Of cards with the same worth the first, however they are rounded
            if worth > most * (1 + 1e-9):
                best, most = card, worth
        return best

    def ends(self, still: float, mean: float, variance: float) -> float:
        """Return how likely the rest of the hand takes *still* tricks, up to a factor."""
        if still < 0:
            return 0
        off = still + self.LATE - mean
        constant, factor = self.UNSURE
        return (1 + self.PATIENCE * still) * exp(-off * off / 2 / (constant + factor * variance))

    def wills(self, obs: Observation) -> list[float]:
        """Return how likely each player after me takes the current trick, if able to."""
        later = range(len(obs.trick) + 1, obs.players)
        cards = len(obs.hand)
        if cards == 1:
            return [1] * len(later)
        wills = []
        for place in later:
            wanted = tricks_wanted(obs, (obs.leader + place) % obs.players)
            wills.append(min(1, max(0, self.EAGER * wanted / cards)))
        return wills

    def keeps(self, obs: Observation, card: int, unseen: "Unseen", wills: list[float]) -> float:
        """Return the chance that *card*, which wins the trick so far, keeps it.

        :param wills: how likely each player after me takes it, if able to.
        """
        if is_wizard(card):
            return 1
        led, suit, none = self.game.led([*obs.trick, card]), SUIT[card], unseen.none
        void = none(unseen.count[led]) if led != NOTHING else 1
        if is_jester(card):
            safe = none(unseen.wizards + sum(unseen.count))
        elif suit == led:
            trumps = unseen.count[obs.trump] if obs.trump not in (suit, NOTHING) else 0
            safe = none(unseen.wizards + unseen.higher(card)) * (1 - void * (1 - none(trumps)))
        else:  # a trump on another suit: only players void in it may go higher
            safe = none(unseen.wizards) * (1 - void * (1 - none(unseen.higher(card))))
        chance = 1.0
        for will in wills:
            chance *= 1 - (1 - safe) * will
        return chance


class Keen(CardCounter):
    """Bids a little more than the cards promise, as players in a thinker's playouts do."""

    KEEN = 0.05  # tricks for each card but the first

    def tricks(self, obs: Observation) -> float:
        return super().tricks(obs) + self.KEEN * (obs.size - 1)


class Bidding(NamedTuple):
    """How a player has bid in this round."""

    seen: Observation  # by that player, but for its hand
    played: tuple[int, ...]  # its cards that lie on the table by now
    bid: int


class Thinker(Searcher):
    """Plays each bid or card to the end of the round in many guessed deals, as card counters would,
    and compares.

    Hands are guessed so that they go with what their players have bid.
    """

    game: Wizard
    guide = CardCounter
    playout_guide = Keen
    budget = 200

    GUESSES = 6
    """Deals a world, of which one is drawn, as likely as the bids that were made with it."""
    BLUR = 0.7
    """Standard deviation of bids from those of a card counter with the same hand, in tricks."""
    STRANGE = 0.02
    """How likely a bid is that does not go with the hand at all, beside one that does."""

    def payoff(self, state: State, seat: Seat, before: tuple[int, ...]) -> float:
        """Return the points gained: what the others gain does not count."""
        return state.points[seat] - before[seat]

    def guesses(self, obs: Observation) -> Callable[[Random], State]:
        bidding = []
        counts = isinstance(self._followed[0], CardCounter)
        # A class of one's own may hide more than the rules do
        hides_more = type(self.game).resample is not Wizard.resample
        if counts and not hides_more and not is_hawk_eye(obs, self.game.options):
            bidding = self.bidding(obs)
        if not bidding:
            return super().guesses(obs)

        hidden = self.game.hidden(obs)

        def guess(rng: Random) -> State:
            deals = [hidden.deal(rng) for _ in range(self.GUESSES)]
            fits = [self.fits(dealt, bidding) for dealt in deals]
            return hidden.state(rng.choices(deals, fits)[0], rng)

        return guess

    def bidding(self, obs: Observation) -> list[Bidding]:
        """Return how the others have bid; of bids that are still sealed nothing is known."""
        n = obs.players
        bidding = []
        played: list[tuple[int, ...]] = [()] * n
        cards = obs.played + obs.trick
        for number, leader in enumerate([(obs.dealer + 1) % n, *obs.takers]):
            for place, card in enumerate(cards[number * n : (number + 1) * n]):
                played[(leader + place) % n] += (card,)
        before = [NOTHING] * n
        for place in range(n):
            seat = (obs.dealer + 1 + place) % n
            bid = obs.bids[seat]
            if seat != obs.me and bid >= 0:
                begun = replace(obs, hand=(), played=(), trick=(), takers=())
                seen = replace(begun, seat=seat, bids=tuple(before))
                bidding.append(Bidding(seen, played[seat], bid))
            if self.game.options.bid_mode == "open":
                before[seat] = bid
        return bidding

    def fits(self, dealt: Dealt, bidding: list[Bidding]) -> float:
        """Return how well the hands go with what was bid, up to a factor."""
        keen = cast(CardCounter, self._followed[0])
        fit = 1.0
        for seen, played, bid in bidding:
            seen.hand = (*dealt[seen.me], *played)
            off = (keen.aim(seen) - bid) / self.BLUR
            fit *= exp(-off * off / 2) + self.STRANGE
        return fit


class Unseen:
    """The cards a seat has not seen, counted."""

    RUFFS = 0.36  # how fast players run out of a suit: 1 if they played at random

    def __init__(self, game: Wizard, obs: Observation) -> None:
        cards = obs.hand + obs.played + obs.trick
        seen = 0
        if obs.turned != NOTHING:
            cards += (obs.turned,)
        for hand in obs.shown:
            cards += hand
        for card in cards:
            seen |= BIT[card]
        left = self.bits = game.deck_bits & ~seen  # counted and compared faster than a set
        self.number = max(1, left.bit_count())
        self.count = [(left & cards).bit_count() for cards in SUIT_BITS]
        self.wizards = (left & WIZARDS).bit_count()
        self.players = obs.players
        self.held = len(obs.hand) or 1
        # The chance that a given unseen card is played to a given trick of mine.  With random play
        # it would be without the root; but players keep high cards for the tricks that matter.
        self.falls = min(1, (obs.players - 1) * sqrt(self.held) / self.number)
        most = self.wizards + max(self.count)
        self.alone = [(1 - self.falls) ** better for better in range(self.wizards, most + 1)]
        """The chance that no Wizard and no higher card falls on a card, with 0, 1, 2, … higher."""

    @property
    def cards(self) -> list[int]:
        """The unseen cards, in order."""
        return [card for card in CARDS if self.bits & BIT[card]]

    def higher(self, card: int) -> int:
        """Return how many cards of the suit of *card* are above it."""
        return (self.bits & ABOVE[card]).bit_count()

    def none(self, cards: int) -> float:
        """Return the chance that one player holds none of *cards* given unseen cards."""
        chance: float = (1 - cards / self.number) ** self.held
        return chance

    def unruffed(self, suit: int, trump: int) -> float:
        """Return the chance that no trump falls on a card of *suit*."""
        if trump in (suit, NOTHING):
            return 1.0
        ruff = self.falls * self.none(self.count[suit]) ** self.RUFFS  # by one given trump
        chance: float = (1 - ruff) ** self.count[trump]
        return chance

    def strength(self, card: int, trump: int) -> float:
        """Return the chance that *card* is not beaten in a trick where it can win."""
        suit = SUIT[card]
        if suit == NO_SUIT:
            return float(is_wizard(card))
        return self.alone[self.higher(card)] * self.unruffed(suit, trump)

    def shares(self, hand: tuple[int, ...], trump: int) -> list[float]:
        """Return the share of a trick that each card takes; over all hands they are all tricks."""
        unruffed = [self.unruffed(suit, trump) for suit in SUITS]
        mine = []
        for card in hand:
            suit = SUIT[card]
            if suit == NO_SUIT:
                mine.append(float(is_wizard(card)))
            else:
                mine.append(self.alone[self.higher(card)] * unruffed[suit])
        others: list[float] = []
        for suit in SUITS:
            chances = self.alone[: self.count[suit]]
            others += [chance * unruffed[suit] for chance in reversed(chances)]
        others += [1] * self.wizards
        whole = sum(mine) + sum(others) / self.number * self.held * (self.players - 1)
        shares = [strength * self.held / (whole or 1) for strength in mine]
        return [share if share < 0.99 else 0.99 for share in shares]


def tricks_wanted(obs: Observation, seat: Seat) -> float:
    """Return the tricks that *seat* still wants; an unknown bid counts as an equal share."""
    bid = obs.bids[seat]
    return (bid if bid >= 0 else obs.size / obs.players) - obs.won[seat]


def bids_met(match: Match) -> dict[str, list[float]]:
    """Return the percentage of bids that each seat met: a statistic for ``arena.duplicate``."""
    met = [0] * match.game.players
    bids = [0] * match.game.players
    for events in match.events:
        for event in events:
            if event.text in ("score.met", "score.missed"):
                bids[event.values["seat"]] += 1
                met[event.values["seat"]] += event.text == "score.met"
    return {"bids_met": [100 * m / max(1, b) for m, b in zip(met, bids, strict=True)]}


STRATEGIES: tuple[type[Strategy], ...] = (AtRandom, Cautious, CardCounter)
"""Offered at the table and in the default tournament, from weakest to strongest."""
