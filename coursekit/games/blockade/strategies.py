"""Strategies for 文壇封鎖中: by chance, by one's own next step, and by what all markers gain.

Roles are drawn by lot, so every strategy can play every role.  All ideas are ours.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from random import Random

from coursekit.core.game import Seat
from coursekit.core.strategy import AtRandom, Reason, Strategy
from coursekit.games.blockade.rules.card_codes import BANNED, CENSORS, PENS, PERIODICAL
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.inference import unseen_books
from coursekit.games.blockade.rules.options import FACES
from coursekit.games.blockade.rules.state import Action, Observation

Spaces = dict[Seat, float]
"""Mean spaces that seats go forward, below 0 for back.  Seats not named stay."""


class Greedy(Strategy):
    """Does what brings its own marker farthest in this turn, whatever comes of it.

    When nothing moves the marker it places writers; it tries to take a book card whenever it can.
    """

    game: Blockade

    FILLING = ("", "stencil", "reading_circle", "circulation", "pen_name")
    """Cards to play when none moves the marker, the best first; "" is a writer."""

    def __init__(self, rng: Random, game: Blockade) -> None:
        super().__init__(rng, game)
        o = game.options
        self.p_launch = o.o_faces / FACES
        self.p_fall = self.p_launch if o.defence_o == "attacker" else 1 - self.p_launch
        """The chance that a launched attempt succeeds."""

    # One method for each phase

    def main(self, obs: Observation) -> Action:
        return max(obs.legal, key=lambda action: self.phase1(obs, action))

    opening = fresh = main

    def exchange(self, obs: Observation) -> Action:
        return "exchange" if "exchange" in obs.legal else "done"

    def pay(self, obs: Observation) -> Action:
        return obs.legal[0]  # those on the table come first, and are equivalent

    lose = pay

    def place(self, obs: Observation) -> Action:
        """Place a writer; with a pen name one of another era, who cannot be placed otherwise."""
        usable = self.game.usable[obs.era]
        cards = [action for action in obs.legal if action != "done"]
        return min(cards or obs.legal, key=lambda action: number(action) in usable)

    def close(self, obs: Observation) -> Action:
        attempts = [action for action in obs.legal if action != "pass"]
        return max(attempts, key=lambda action: self.prey(obs, owner(obs, action)))

    strike = close

    def rival(self, obs: Observation) -> Action:
        return max(obs.legal, key=lambda action: self.prey(obs, number(action)))

    def peek(self, obs: Observation) -> Action:
        seat = me(obs)
        return max(
            obs.legal,
            key=lambda action: self.value(obs, seat, self.gets(obs, seat, self.kind(action))),
        )

    def hand_in(self, obs: Observation) -> Action:
        return min(obs.legal, key=lambda action: self.kind(action) == wanted(obs, me(obs)))

    def inspect(self, obs: Observation) -> Action:
        return max(obs.legal, key=lambda action: self.worth(obs, obs.steps[-1][2], number(action)))

    def trim(self, obs: Observation) -> Action:
        return min(obs.legal, key=lambda action: self.worth(obs, me(obs), number(action)))

    pass_left = trim

    # How good things are

    def phase1(self, obs: Observation, action: Action) -> float:
        """Return how good *action* is.  Changing writers of other eras comes first."""
        if action == "exchange":
            return self.value(obs, me(obs), self.exchanged(obs))
        if action[0] == "play":
            return self.worth(obs, me(obs), number(action))
        if obs.fresh and action != "done":
            return 99 if action == "refresh" else 98
        return -99 if action == "pass" else -98

    def worth(self, obs: Observation, seat: Seat, card: int) -> float:
        """Return how good it is for *seat* to hold this experience *card*."""
        kind = self.game.cards.functions[card]
        if not kind and card not in self.game.usable[obs.era]:
            return -9
        value = self.value(obs, seat, self.played(obs, seat, kind))
        if value or kind not in self.FILLING:
            return value or -1
        return -self.FILLING.index(kind) / 100

    def value(self, obs: Observation, seat: Seat, spaces: Spaces) -> float:
        """Return how good it is for *seat* that all move by *spaces*; here only its own count."""
        return spaces.get(seat, 0)

    def prey(self, obs: Observation, rival: Seat) -> float:
        """Return how much it matters to hit this *rival*; the foremost matters most."""
        return obs.positions[rival]

    # Who moves

    def played(self, obs: Observation, seat: Seat, kind: str) -> Spaces:
        """Return the moves if *seat* plays a function card of this *kind*; "" is a writer."""
        if kind and self.game.options.function_set == "blank":
            return {}
        if kind == "prize":
            return {seat: 1}
        if kind == "advance":
            return {seat: self.steps(obs, seat, 1 + (seat in last(obs)))}
        if kind == "appeal":
            return {other: self.steps(obs, other, 2) for other in last(obs)}
        if kind == "mimeograph" or (kind == "altered" and obs.books[seat]):
            return self.takes(obs, seat, 1)
        if kind == "bookstall":
            return self.takes(obs, seat, 3)
        if kind in ("smuggling", "first_issue"):
            sought = BANNED if kind == "smuggling" else PERIODICAL
            return self.gets(obs, seat, sought) if self.p_top(obs, sought) else {}
        if kind == "catalogue":
            return self.tries(obs, seat, (1 - self.p_launch) * self.p_fall)
        return {}

    def exchanged(self, obs: Observation) -> Spaces:
        return self.takes(obs, me(obs), 1)

    def takes(self, obs: Observation, seat: Seat, looks: int) -> Spaces:
        """Return the moves if *seat* takes a top book card, the best of *looks* that it sees."""
        if not obs.book_deck:
            return {}
        good = wanted(obs, seat)
        miss = (1 - self.p_top(obs, good)) ** looks
        hits, misses = self.gets(obs, seat, good), self.gets(obs, seat, OTHER[good])
        seats = hits | misses
        return {s: (1 - miss) * hits.get(s, 0) + miss * misses.get(s, 0) for s in seats}

    def gets(self, obs: Observation, seat: Seat, kind: str) -> Spaces:
        """Return the moves if *seat* gets a book card of this *kind*."""
        o = self.game.options
        steps = o.banned_steps if kind == BANNED else o.periodical_steps
        return {seat: self.steps(obs, seat, steps)} if kind == wanted(obs, seat) else {}

    def tries(self, obs: Observation, seat: Seat, chance: float) -> Spaces:
        """Return the moves if *seat* makes an attempt that succeeds with this *chance*."""
        o = self.game.options
        steps = o.seize_bonus if obs.roles[seat] in CENSORS else o.protest_steps
        return {seat: chance * steps} if self.targets(obs, seat) else {}

    # The position

    def steps(self, obs: Observation, seat: Seat, wished: int) -> int:
        """Return how many of the *wished* spaces *seat* can move."""
        return min(wished, obs.goal - obs.positions[seat])

    def kind(self, action: Action) -> str:
        return self.game.cards.book_kinds[number(action)]

    def holds(self, obs: Observation, seat: Seat, kind: str) -> int:
        return count(self.game, obs.books[seat], kind)

    def p_top(self, obs: Observation, kind: str) -> float:
        """Return the chance that the top book card is of this *kind*."""
        books = unseen_books(self.game, obs) or obs.under
        return count(self.game, books, kind) / max(len(books), 1)

    def targets(self, obs: Observation, seat: Seat) -> list[Seat]:
        """Return the rivals against whom *seat* can make an attempt that may succeed."""
        if obs.skip[seat] or (obs.lifted and obs.roles[seat] in CENSORS):
            return []
        kind = wanted(obs, seat)
        others = [other for other in rivals(obs, seat) if not obs.covered[other]]
        return [other for other in others if self.holds(obs, other, kind)]


class OneCamp(Greedy):
    """Plays the seats of its camp greedily, and those of the other camp at random."""

    CAMP: tuple[int, ...]

    def decide(self, obs: Observation) -> Action:
        action: Action = super().decide(obs) if obs.role in self.CAMP else self.anything(obs)
        return action


class GreedyCensor(OneCamp):
    """As 警總 or 線民 it is greedy; as 主編 or 作家 it plays at random."""

    CAMP = CENSORS


class GreedyPen(OneCamp):
    """As 主編 or 作家 it is greedy; as 警總 or 線民 it plays at random."""

    CAMP = PENS


class Farsighted(Greedy):
    """Weighs what each marker gains and loses, now and later, and whose marker matters.

    - Points go by rank, so a space matters most against a marker that is about level, and near the
      end.
    - A banned book will cost the pen that holds it spaces; a periodical that a censor holds helps
      both pens.
    - Writers and protection are worth the spaces they will bring or save; those of a second
      exchange hardly any.

    Its numbers, in spaces, were found by playing against itself by the standard rules.
    """

    # worth of a writer, by the number of exchanges that the others pay; then none
    WRITERS = (0.2, 0.05)
    PACE = 0.8  # spaces of the foremost marker in a lap
    CORNER = 3.0  # worth of surely reaching it
    CARD = 0.1  # worth of seeing one more
    # worth of room in the hand: a writer can be placed later, and an exchange draws no card
    ROOM = 0.2
    HAND_CARD = 0.5  # worth of a rival's best one
    PHASE2 = 0.25  # worth of a rival's
    LICENCE = 1.0  # worth of one where a search threatens
    LICENCE_ELSE = 0.3

    def phase1(self, obs: Observation, action: Action) -> float:
        value = super().phase1(obs, action)
        if action == "exchange":
            left = len(obs.tables[me(obs)]) - 1
            return value - sum(self.writer(left - paid) for paid in range(self.game.options.price))
        is_function = action[0] == "play" and self.game.cards.functions[number(action)]
        return value + self.ROOM if is_function else value

    def explain(self, obs: Observation, action: Action) -> Reason | None:
        if obs.phase not in ("main", "opening", "fresh") or len(obs.legal) < 2:
            return None
        worth = {legal: self.phase1(obs, legal) for legal in obs.legal}
        first, second = sorted(worth.values(), reverse=True)[:2]
        if abs(worth[action]) > obs.goal or action != max(obs.legal, key=worth.__getitem__):
            return None  # by a rule of order, not by its worth
        if second < -obs.goal:
            return Reason("why.only", {"worth": f"{first:.1f}"})
        return Reason("why.worth", {"worth": f"{first:.1f}", "next": f"{second:.1f}"})

    def worth(self, obs: Observation, seat: Seat, card: int) -> float:
        moved = super().played(obs, seat, self.game.cards.functions[card]).get(seat, 0)
        return super().worth(obs, seat, card) + self.CORNER * (
            obs.positions[seat] + moved >= obs.goal
        )

    def value(self, obs: Observation, seat: Seat, spaces: Spaces) -> float:
        weights, mine = self.weights(obs, seat), spaces.get(seat, 0)
        return mine - sum(weights[other] * steps for other, steps in spaces.items())

    def weights(self, obs: Observation, seat: Seat) -> tuple[float, ...]:
        """Return by seat how much it matters to *seat* to gain on it; the sum is 1."""
        return _weights(obs.positions, obs.goal, seat)

    def prey(self, obs: Observation, rival: Seat) -> float:
        card, striking = obs.steps[-1][-1], obs.phase == "strike"
        effect = 1.0
        if striking or obs.phase == "close" or card == "denunciation":
            back = self.fall(obs) if striking else 1
            effect = 0.3 if obs.spares[rival] else min(obs.positions[rival], back)
        elif card == "summons" and not obs.tables[rival]:
            effect = 0.3
        if striking and obs.covered[rival]:
            effect = 0
        return self.weights(obs, me(obs))[rival] * effect

    def fall(self, obs: Observation) -> int:
        """Return how far back a successful attempt sends the target.

        Where it sends nobody back, the foremost target counts most.
        """
        o = self.game.options
        return (o.search_back if obs.role in CENSORS else o.loss_penalty) or 2

    def played(self, obs: Observation, seat: Seat, kind: str) -> Spaces:
        if kind and self.game.options.function_set == "blank":
            return {}
        there = len(obs.tables[seat])
        match kind:
            case "":
                return {seat: self.writer(there)}
            case "stencil":
                placed = range(min(self.usable(obs, seat), 2))
                return {seat: sum(self.writer(there + place) for place in placed)}
            case "pen_name":
                return {seat: self.writer(there) * min(self.usable(obs, seat), 1)}
            case "reading_circle":
                return {seat: self.writer(there) + self.CARD}
            case "circulation":
                return {seat: self.writer(there), partner(obs, seat): self.writer(there)}
            case "false_cover":
                if not self.searched(obs, seat):
                    return {}
                saved = 1 - (1 - self.p_launch * self.p_fall) ** 2  # both rivals will try
                return {seat: saved * self.game.options.search_back}
            case "spare_licence":
                return {seat: self.LICENCE if self.searched(obs, seat) else self.LICENCE_ELSE}
            case "altered" if self.at_risk(obs, seat):
                moves = super().played(obs, seat, kind)
                rid = self.gets(obs, seat, OTHER[wanted(obs, seat)])
                return {s: moves.get(s, 0) - rid.get(s, 0) for s in moves | rid}
            case "denunciation" | "suspension" | "summons" | "mail_check" | "torn_page":
                return self.hits(obs, seat, kind)
        return super().played(obs, seat, kind)

    def hits(self, obs: Observation, seat: Seat, kind: str) -> Spaces:
        """Return the effect of a card on the rival whom it hurts most."""
        lost = {"summons": self.CARD, "mail_check": self.HAND_CARD, "torn_page": self.PHASE2}
        weights, best = self.weights(obs, seat), (0.0, seat, 0.0)
        for rival in rivals(obs, seat):
            loss = lost.get(kind, min(obs.positions[rival], 1))
            if kind == "summons" and obs.tables[rival]:
                loss = self.writer(1)
            if kind == "suspension" and not self.holds(obs, rival, PERIODICAL):
                loss = 0
            best = max(best, (weights[rival] * loss, rival, loss))
        return {best[1]: -best[2]}

    def gets(self, obs: Observation, seat: Seat, kind: str) -> Spaces:
        if kind == wanted(obs, seat):
            return super().gets(obs, seat, kind)
        # Until the era ends both rivals will try to take it, or another card of the camp.
        attempts = 2 * (obs.goal - max(obs.positions)) / self.PACE
        held = self.holds(obs, seat, kind) + self.holds(obs, partner(obs, seat), kind)
        lost = min(1, attempts * self.p_launch * self.p_fall / (held + 1))
        o = self.game.options
        back, forward = o.loss_penalty, o.protest_steps
        if obs.roles[seat] in PENS:
            back, forward = o.search_back, o.seize_bonus
            if obs.lifted:
                return {}
        return dict.fromkeys(rivals(obs, seat), lost / 2 * forward) | {seat: -lost * back}

    def tries(self, obs: Observation, seat: Seat, chance: float) -> Spaces:
        moves, o = super().tries(obs, seat, chance), self.game.options
        if moves:
            weights = self.weights(obs, seat)
            target = max(self.targets(obs, seat), key=lambda rival: weights[rival])
            back = o.search_back if obs.roles[seat] in CENSORS else o.loss_penalty
            moves[target] = -chance * back
        return moves

    def writer(self, others: int) -> float:
        paid = max(0, others) // self.game.options.price
        return self.WRITERS[paid] if paid < len(self.WRITERS) else 0.0

    def usable(self, obs: Observation, seat: Seat) -> int:
        """Return the number of writers of this era in the hand of *seat*, as far as is known."""
        hand = obs.hand if seat == obs.seat else obs.known[seat]
        return len(self.game.usable[obs.era].intersection(hand))

    def at_risk(self, obs: Observation, seat: Seat) -> bool:
        """Return whether *seat* holds a book card that a rival can take."""
        searched = obs.roles[seat] in PENS
        return self.holds(obs, seat, OTHER[wanted(obs, seat)]) > 0 and not (searched and obs.lifted)

    def searched(self, obs: Observation, seat: Seat) -> bool:
        """Return whether *seat* is a pen with a banned book that a censor can take."""
        return obs.roles[seat] in PENS and self.at_risk(obs, seat)


@lru_cache(1000)
def _weights(positions: tuple[int, ...], goal: int, seat: Seat) -> tuple[float, ...]:
    width = 1 + (goal - max(positions)) / 3
    weights = []
    for other, position in enumerate(positions):
        gap = abs(position - positions[seat]) / width
        weights.append(0 if other == seat else 1 / (exp(gap / 2) + exp(-gap / 2)) ** 2)
    total = sum(weights)
    return tuple(weight / total for weight in weights)


OTHER = {BANNED: PERIODICAL, PERIODICAL: BANNED}


def me(obs: Observation) -> Seat:
    assert obs.seat is not None
    return obs.seat


def number(action: Action) -> int:
    """Return the card, book card or seat that *action* is about, -1 for a plain word."""
    return action[1] if isinstance(action, tuple) else -1


def owner(obs: Observation, action: Action) -> Seat:
    """Return the seat that has the book card of *action*."""
    return next(seat for seat, books in enumerate(obs.books) if number(action) in books)


def last(obs: Observation) -> list[Seat]:
    """Return the seats farthest from the end of the era."""
    least = min(obs.positions)
    return [seat for seat, at in enumerate(obs.positions) if at == least]


def count(game: Blockade, books: Sequence[int], kind: str) -> int:
    """Return how many of these *books* are of this *kind*."""
    kinds = game.cards.book_kinds
    return [kinds[book] for book in books].count(kind)


def wanted(obs: Observation, seat: Seat) -> str:
    """Return the kind of book card that brings *seat* forward."""
    return BANNED if obs.roles[seat] in CENSORS else PERIODICAL


def rivals(obs: Observation, seat: Seat) -> list[Seat]:
    camp = CENSORS if obs.roles[seat] in CENSORS else PENS
    return [other for other, role in enumerate(obs.roles) if role not in camp]


def partner(obs: Observation, seat: Seat) -> Seat:
    others = rivals(obs, seat)
    return next(other for other in range(obs.players) if other != seat and other not in others)


STRATEGIES: tuple[type[Strategy], ...] = (AtRandom, GreedyCensor, GreedyPen, Greedy, Farsighted)
"""Offered at the table and in the default tournament, from weakest to strongest."""
