"""Exact odds: how likely a use scores, and the points that it brings.

Every number is a :class:`fractions.Fraction`, so 1/3 stays 1/3.  Where cards are hidden, an unseen
card of the kind asked for is equally likely to lie in any unseen place where, as everybody could
see, it may lie.  What has been shown about *other* kinds is left out of account: where that matters
too (a scholar who could neither write nor cure) the odds are close, not exact.
R15 and so on are the rulebook's numbered rules.
"""

from fractions import Fraction
from functools import cache
from math import comb

from coursekit.games.wikipedia.rules.cards import BOOK, NUMBER, REVISE, SCHOLAR, STUDENT
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.inference import list_unseen
from coursekit.games.wikipedia.rules.options import FACES
from coursekit.games.wikipedia.rules.state import Observation


def right(game: Wikipedia, work: str) -> Fraction:
    """Return the chance that *work* is right when the die is thrown (R15).

    By the standard rules it is 1/3 for Wikipedia, 5/6 for a book.
    """
    return 1 - Fraction(game.wrong[work], FACES)


def scores(
    game: Wikipedia, work: str, revise: int, *, role: str = STUDENT, willing: bool = True
) -> Fraction:
    """Return the chance that a use scores, for a player who throws the die with *revise* REVISE.

    A wrong work can be mended with REVISE cards (R16, R17): by the standard rules 1 for Wikipedia,
    2 for a book.

    :param willing: whether the player would mend it; a scholar with enough REVISE must.
    """
    forced = role == SCHOLAR and game.options.scholar_must_repair_at_scoring
    if revise >= game.repair[work] and (willing or forced):
        return Fraction(1)
    return right(game, work)


def scores_after_draw(
    game: Wikipedia, obs: Observation, work: str = "", *, willing: bool = True
) -> Fraction:
    """Return the chance that playing USE now scores in the end, without vandalism in between.

    Until the die is thrown, one more card comes to the hand of *obs*: the one drawn for USE (R3). A
    small hand that may be filled up in its player's turn (A4) is.

    :param work: the one used, by default that on the table.
    """
    work = work or obs.work
    held = obs.hand.count(REVISE)
    need = game.repair[work]
    without = scores(game, work, held, role=obs.role, willing=willing)
    with_enough = scores(game, work, need, role=obs.role, willing=willing)
    enough = draws(game, obs, REVISE, need - held, more=_refill_later(game, len(obs.hand)))
    return (1 - enough) * without + enough * with_enough


def expected_points(work: str, chance: Fraction) -> tuple[Fraction, Fraction]:
    """Return the points that user and author can expect from a use that scores with *chance* (R15).

    Only a book brings its author a point; a player who uses an own book gets both.
    """
    return chance, chance if work == BOOK else Fraction(0)


def draws(
    game: Wikipedia, obs: Observation, kind: str, least: int = 1, *, more: int = 0
) -> Fraction:
    """Return the chance that the cards drawn after playing one card hold *least* or more of *kind*.

    That is one card (R3), or several if the hand is filled up (R4).

    :param more: cards that are drawn besides.
    """
    number = cards_to_draw(game, len(obs.hand)) + more
    good, places = _hidden(game, obs, kind)
    if number <= obs.deck:
        return at_least(least, number, good, places)
    # The discards become the deck on the way: those this seat knows, and unseen ones
    deck = obs.deck
    unknown = obs.discards - sum(obs.seen) - sum(obs.thrown)
    known_good = obs.seen[NUMBER[kind]] + obs.thrown[NUMBER[kind]]
    chance = Fraction(0)
    for first in range(min(deck, good) + 1):
        in_deck = _exactly(first, deck, good, places)
        for mixed_in in range(min(unknown, good - first) + 1):
            in_discards = _exactly(mixed_in, unknown, good - first, places - deck)
            enough = at_least(least - first, number - deck, known_good + mixed_in, obs.discards)
            chance += in_deck * in_discards * enough
    return chance


def cards_to_draw(game: Wikipedia, hand: int) -> int:
    """Return the number of cards drawn after one is played from a hand of *hand* cards (R3, R4)."""
    o = game.options
    hand -= 1
    if o.refill_check == "after_draw":
        hand += 1
    if o.refill == "auto" and hand < o.hand_min:
        return o.refill_to - hand + (o.refill_check == "after_draw")
    return 1


def _refill_later(game: Wikipedia, hand: int) -> int:
    """Return the cards that fill up a hand in the turn after playing from *hand* cards."""
    o = game.options
    if o.refill == "optional_own_turn" and hand < o.hand_min:
        return o.refill_to - hand
    return 0


@cache
def at_least(least: int, drawn: int, good: int, cards: int) -> Fraction:
    """Return the chance of *least* or more *good* ones among *drawn* of all *cards*.

    >>> at_least(1, drawn=1, good=9, cards=40)
    Fraction(9, 40)
    """
    fewer = sum(
        comb(good, number) * comb(cards - good, drawn - number)
        for number in range(min(least, drawn + 1))
    )
    return 1 - Fraction(fewer, comb(cards, drawn))


def _exactly(number: int, drawn: int, good: int, cards: int) -> Fraction:
    return at_least(number, drawn, good, cards) - at_least(number + 1, drawn, good, cards)


def _hidden(game: Wikipedia, obs: Observation, kind: str) -> tuple[int, int]:
    """Return the number of unseen cards of *kind*, and of places where they can lie."""
    cards = list_unseen(obs, game.cards)
    places = len(cards)
    for seat in game.seats:
        if seat != obs.seat and not obs.open_hands:  # open cards are not unseen
            places -= obs.held[seat] - obs.at_most(seat, kind)
    return cards.count(kind), places
