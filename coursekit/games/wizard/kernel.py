"""A round of Wizard on ints and flat arrays, with :class:`.CardCounter` as the player of all seats.

Written for millions of rounds: :mod:`coursekit.core.compiled` compiles it where numba is installed, and it runs as
it stands elsewhere.  ``rules`` and ``strategies`` are what counts, and tests hold both against this file.

A set of cards is an int, with bit *c* for card *c* of :mod:`.cards`.  A position is an array of ints: by seat from
place 0 on the hands, from :data:`BID` the bids, from :data:`WON` the tricks won; then what the names below say.
``k`` are the numbers of the card counter, ``f`` is an array of floats to calculate in, ``bits`` counts the ones of
each number below 2 ** 15.
"""

from math import exp, sqrt

from coursekit.core.compiled import Floats, Ints, below

BID, WON = 6, 12
TURN = 18
TRUMP = 19  # suit, -1 for none
SIZE = 20
PLAYERS = 21
MADE, SUM = 22, 23  # bids made, and their sum
DEALER = 24
LED = 25  # suit to follow, -1 for none yet, -2 for none any more
BEST, POWER, CARDS = 26, 27, 28  # the trick: seat that takes it so far, how strong that card is, number of cards
SEEN = 29  # cards that all have seen
DECK = 30
PAST_WIZARD = 31  # 1 if a Wizard right behind a leading Jester leaves the lead to the next suit
MUST_DIFFER = 32  # 1 if the bids may not add up to the tricks
TRUMP_LED = 33  # the suit that decides the trick, -1 for none
PAYS, OF = 34, 35  # with a single card, 1 pays more than 0 from a chance of PAYS / OF on
LENGTH = 36

SUIT_BITS = 0x7FFF  # the 15 cards of a suit, its Jester and Wizard among them
PLAIN_BITS = 0x3FFE
JESTERS = 1 | 1 << 15 | 1 << 30 | 1 << 45
WIZARDS = JESTERS << 14
WIZARD_POWER = 99

LATE, PATIENCE, UNSURE, EACH, EAGER, RUFFS = 0, 1, 2, 3, 4, 5  # places in k
BLUR, STRANGE, KEEN, GUESSES = 6, 7, 8, 9  # how hands are guessed from bids: see ``playouts``
GUESS = 35  # place in ``past`` where a guess is kept
POWERS, SUMS, SHARES, RUFFED, VOID = 0, 32, 64, 124, 128  # places in f: 32, 32, 60, 4 and 4 numbers
FLOATS = 132


def count(cards: int, bits: bytes) -> int:
    """Return the number of *cards*."""
    return bits[cards & 32767] + bits[cards >> 15 & 32767] + bits[cards >> 30 & 32767] + bits[cards >> 45]


def card_of(bit: int, bits: bytes) -> int:
    """Return the number of the only card in the set *bit*."""
    suit = 0
    while bit > SUIT_BITS:
        bit >>= 15
        suit += 1
    return 15 * suit + bits[bit - 1]


def legal(s: Ints) -> int:
    """Return the cards that the seat whose turn it is may play."""
    hand, led = s[s[TURN]], s[LED]
    if led >= 0:
        follow = hand & PLAIN_BITS << 15 * led
        if follow:
            return follow | hand & (JESTERS | WIZARDS)
    return hand


def power(s: Ints, card: int) -> int:
    """Return how strong *card* is in the trick: 0 if it cannot take it from a card that lies there."""
    suit = card // 15
    rank = card - 15 * suit
    if rank == 14:
        return WIZARD_POWER
    if rank == 0:
        return 0
    if suit == s[TRUMP]:
        return rank + 13
    if s[TRUMP_LED] < 0 or suit == s[TRUMP_LED]:
        return rank
    return 0


def play(s: Ints, card: int) -> None:
    """Play *card* for the seat whose turn it is."""
    seat, n = s[TURN], s[PLAYERS]
    strength = power(s, card)
    suit = card // 15
    rank = card - 15 * suit
    s[seat] &= ~(1 << card)
    s[SEEN] |= 1 << card
    if s[CARDS] == 0:
        s[LED] = -1
        s[TRUMP_LED] = -1
        s[BEST] = seat
        s[POWER] = strength
        if rank == 0 and s[PAST_WIZARD]:
            s[LED] = -3  # a Wizard does not free this trick
    elif strength > s[POWER]:
        s[BEST] = seat
        s[POWER] = strength
    if rank == 14:
        if s[LED] == -1:
            s[LED] = -2
    elif rank > 0:
        if s[LED] == -1 or s[LED] == -3:
            s[LED] = suit
        if s[TRUMP_LED] < 0:
            s[TRUMP_LED] = suit
    s[CARDS] += 1
    s[TURN] = seat + 1 if seat + 1 < n else 0
    if s[CARDS] == n:
        s[WON + s[BEST]] += 1
        s[TURN] = s[BEST]
        s[CARDS] = 0
        s[LED] = -1
        s[TRUMP_LED] = -1


def bid(s: Ints, number: int) -> None:
    """Bid *number* for the seat whose turn it is."""
    seat, n = s[TURN], s[PLAYERS]
    s[BID + seat] = number
    s[MADE] += 1
    s[SUM] += number
    s[TURN] = seat + 1 if seat + 1 < n else 0


def prepare(s: Ints, unseen: int, trump: int, held: int, k: Floats, f: Floats, bits: bytes) -> float:
    """Fill *f* with what :class:`.Unseen` knows of these cards, and return the strength of all of them together."""
    number = count(unseen, bits)
    wizards = count(unseen & WIZARDS, bits)
    falls = min(1.0, (s[PLAYERS] - 1) * sqrt(held) / max(1, number))
    one, total = 1.0, 0.0
    for place in range(wizards + 14):
        f[POWERS + place] = one
        f[SUMS + place] = total
        total += one
        one *= 1 - falls
    f[SUMS + wizards + 14] = total
    trumps = bits[unseen >> 15 * trump & PLAIN_BITS] if trump >= 0 else 0
    strength = 1.0 * wizards
    for suit in range(4):
        cards = bits[unseen >> 15 * suit & PLAIN_BITS]
        void = (1 - cards / max(1, number)) ** held
        f[VOID + suit] = void
        ruffed = 1.0
        if trump >= 0 and trump != suit:
            ruff = falls * void ** k[RUFFS] if void > 0 else 0.0
            ruffed = (1 - ruff) ** trumps
        f[RUFFED + suit] = ruffed
        strength += (f[SUMS + wizards + cards] - f[SUMS + wizards]) * ruffed
    return strength


def shares(s: Ints, hand: int, unseen: int, trump: int, k: Floats, f: Floats, bits: bytes) -> float:
    """Fill *f* with the share of a trick that each card of *hand* will take, and return their sum."""
    held = count(hand, bits)
    number, wizards = count(unseen, bits), count(unseen & WIZARDS, bits)
    others = prepare(s, unseen, trump, held, k, f, bits)
    mine = 0.0
    for suit in range(4):
        left, above = hand >> 15 * suit & SUIT_BITS, unseen >> 15 * suit & PLAIN_BITS
        while left:
            low = left & -left
            left ^= low
            rank = bits[low - 1]
            strength = 0.0
            if rank == 14:
                strength = 1.0
            elif rank > 0:
                strength = f[POWERS + wizards + bits[above >> rank]] * f[RUFFED + suit]
            f[SHARES + 15 * suit + rank] = strength
            mine += strength
    whole = mine + others / max(1, number) * held * (s[PLAYERS] - 1)
    if whole == 0:
        whole = 1.0
    total = 0.0
    for suit in range(4):
        left = hand >> 15 * suit & SUIT_BITS
        while left:
            low = left & -left
            left ^= low
            place = SHARES + 15 * suit + bits[low - 1]
            f[place] = min(0.99, f[place] * held / whole)
            total += f[place]
    return total


def estimate(s: Ints, hand: int, seen: int, place: int, before: int, k: Floats, f: Floats, bits: bytes) -> float:
    """Return the tricks that a card counter expects with *hand*: a bid before it is rounded.

    :param seen: the cards that all have seen.
    :param place: how many have bid before, and *before* the sum of their bids.
    """
    n, size, trump = s[PLAYERS], s[SIZE], s[TRUMP]
    unseen = s[DECK] & ~(seen | hand)
    if size > 1:
        return shares(s, hand, unseen, trump, k, f, bits) - (before - size / n * place) / 2 / n
    card = card_of(hand, bits)
    suit = card // 15
    rank = card - 15 * suit
    if rank == 14 or rank == 0:
        return 1.0 if rank == 14 else 0.0
    if place > 0 and suit != trump:
        return 0.0
    prepare(s, unseen, trump, 1, k, f, bits)
    strength = f[POWERS + count(unseen & WIZARDS, bits) + bits[(unseen >> 15 * suit & PLAIN_BITS) >> rank]]
    return 1.0 if strength * f[RUFFED + suit] > s[PAYS] / s[OF] else 0.0


def counted_bid(s: Ints, k: Floats, f: Floats, bits: bytes) -> int:
    """Return the bid of a card counter whose turn it is."""
    hand = s[s[TURN]]
    tricks = estimate(s, hand, s[SEEN], s[MADE], s[SUM], k, f, bits) + k[KEEN] * (s[SIZE] - 1)
    forbidden = -1
    if s[MUST_DIFFER] and s[MADE] == s[PLAYERS] - 1:
        forbidden = s[SIZE] - s[SUM]
    best, nearest = 0, 99.0
    for number in range(s[SIZE] + 1):
        if number != forbidden and abs(number - tricks) < nearest:
            best, nearest = number, abs(number - tricks)
    return best


def ends(still: int, mean: float, variance: float, k: Floats) -> float:
    """Return how likely the rest of the hand takes *still* tricks, up to a factor."""
    if still < 0:
        return 0.0
    off = still + k[LATE] - mean
    return (1 + k[PATIENCE] * still) * exp(-off * off / 2 / (k[UNSURE] + k[EACH] * variance))


def counted_card(s: Ints, k: Floats, f: Floats, bits: bytes) -> int:
    """Return the card that a card counter plays whose turn it is."""
    can = legal(s)
    if can & can - 1 == 0:
        return card_of(can, bits)
    seat, n, trump = s[TURN], s[PLAYERS], s[TRUMP]
    hand = s[seat]
    held = count(hand, bits)
    unseen = s[DECK] & ~(s[SEEN] | hand)
    number, wizards = count(unseen, bits), count(unseen & WIZARDS, bits)
    mean = shares(s, hand, unseen, trump, k, f, bits)
    variance = 0.0
    for suit in range(4):
        left = hand >> 15 * suit & SUIT_BITS
        while left:
            low = left & -left
            left ^= low
            p = f[SHARES + 15 * suit + bits[low - 1]]
            variance += p * (1 - p)
    still = max(0, s[BID + seat] - s[WON + seat])
    best, most = -1, -1.0
    for suit in range(4):
        left, above = can >> 15 * suit & SUIT_BITS, unseen >> 15 * suit & PLAIN_BITS
        known, last = -1, False
        while left:
            low = left & -left
            left ^= low
            rank = bits[low - 1]
            card = 15 * suit + rank
            strength = power(s, card)
            wins = s[CARDS] == 0 or strength > s[POWER]
            higher = bits[above >> rank]
            if 0 < rank < 14:
                if higher == known and wins == last:
                    continue  # worth as much as the card before
                known, last = higher, wins
            takes = 0.0
            if wins:
                takes = 1.0
                if rank < 14:
                    led = s[TRUMP_LED] if s[TRUMP_LED] >= 0 else suit
                    if rank == 0:
                        plain = number - wizards - count(unseen & JESTERS, bits)
                        safe = (1 - (wizards + plain) / max(1, number)) ** held
                    elif suit == led:
                        ruffs = 0.0
                        if trump >= 0 and trump != suit:
                            ruffs = f[VOID + suit] * (1 - f[VOID + trump])
                        safe = (1 - (wizards + higher) / max(1, number)) ** held * (1 - ruffs)
                    else:
                        over = 1 - (1 - higher / max(1, number)) ** held
                        safe = (1 - wizards / max(1, number)) ** held * (1 - f[VOID + led] * over)
                    other = seat
                    for _ in range(s[CARDS] + 1, n):
                        other = other + 1 if other + 1 < n else 0
                        will = 1.0
                        if held > 1:
                            will = min(1.0, max(0.0, k[EAGER] * (s[BID + other] - s[WON + other]) / held))
                        takes *= 1 - (1 - safe) * will
            p = f[SHARES + card]
            worth = 0.0
            if takes > 0:
                worth += takes * ends(still - 1, mean - p, variance - p * (1 - p), k)
            if takes < 1:
                worth += (1 - takes) * ends(still, mean - p, variance - p * (1 - p), k)
            if worth > most * (1 + 1e-9):  # more than by rounding
                best, most = card, worth
    return best


def finish(s: Ints, k: Floats, f: Floats, bits: bytes) -> None:
    """Let card counters bid and play on to the end of the round."""
    while s[MADE] < s[PLAYERS]:
        bid(s, counted_bid(s, k, f, bits))
    while s[CARDS] or s[s[TURN]]:
        play(s, counted_card(s, k, f, bits))


def deal(s: Ints, hidden: Ints, owners: Ints, void: Ints, length: int, r: Ints) -> bool:
    """Give the *hidden* cards to the *owners* of their places, in a random order in which nobody has a suit to lack.

    :param owners: a seat for each card, -1 for what is not dealt.
    :param void: by seat, the cards that it cannot hold.
    :returns: whether such an order was found.
    """
    for last in range(length - 1, 0, -1):
        other = below(r, last + 1)
        card = hidden[last]
        hidden[last] = hidden[other]
        hidden[other] = card
    for place in range(length):
        tries = 0
        while owners[place] >= 0 and void[owners[place]] >> hidden[place] & 1:
            card, other = hidden[place], below(r, length)
            if owners[other] < 0 or not void[owners[other]] >> card & 1:  # it may lie there
                hidden[place] = hidden[other]
                hidden[other] = card
            tries += 1
            if tries > 1000:
                return False
    for place in range(length):
        if owners[place] >= 0:
            s[owners[place]] = 0
    for place in range(length):
        if owners[place] >= 0:
            s[owners[place]] |= 1 << hidden[place]
    return True


def likely(s: Ints, seat: int, past: Ints, k: Floats, f: Floats, bits: bytes) -> float:
    """Return how well the hands of the others than *seat* go with what they have bid, up to a factor."""
    found = 1.0
    for other in range(s[PLAYERS]):
        number = s[BID + other]
        if other != seat and number >= 0:
            hand, place, before = s[other] | past[other], past[BID + other], past[WON + other]
            off = estimate(s, hand, past[SEEN], place, before, k, f, bits) + k[KEEN] * (s[SIZE] - 1) - number
            off /= k[BLUR]
            found *= exp(-off * off / 2) + k[STRANGE]
    return found


def tried(
    start: Ints,
    s: Ints,
    hidden: Ints,
    owners: Ints,
    void: Ints,
    length: int,
    past: Ints,
    actions: Ints,
    kind: int,
    worlds: int,
    r: Ints,
    k: Floats,
    f: Floats,
    bits: bytes,
    pay: Ints,
    out: Ints,
) -> int:
    """Try *actions* in *worlds*, and write into *out* what each earns in each; return how many worlds there were.

    :param start: the position; the hands of others are dealt anew for each world.
    :param past: as at the beginning of the round, where it differs: hands hold what was played since; by seat, at
        the places of :data:`BID` how many had bid before, at those of :data:`WON` the sum of their bids.
    :param kind: 0 for trumps, 1 for bids, 2 for cards.
    :param pay: points by the bid and the tricks won, each from 0 to the size of the round.
    """
    seat, n = start[TURN], start[PLAYERS]
    for world in range(worlds):
        whole, kept = 0.0, False
        for _ in range(int(k[GUESSES])):
            if not deal(start, hidden, owners, void, length, r):
                continue
            weight = likely(start, seat, past, k, f, bits)
            whole += weight
            if not kept or below(r, 1 << 20) * whole < weight * (1 << 20):
                kept = True
                for other in range(n):
                    past[GUESS + other] = start[other]
        if not kept:
            return world
        for number in range(len(actions)):
            action = actions[number]
            for place in range(LENGTH):
                s[place] = start[place]
            for other in range(n):
                s[other] = past[GUESS + other]
            if kind == 0:
                s[TRUMP] = action
                s[TURN] = s[DEALER] + 1 if s[DEALER] + 1 < n else 0
            elif kind == 1:
                bid(s, action)
            else:
                play(s, action)
            finish(s, k, f, bits)
            out[world * len(actions) + number] = pay[s[BID + seat] * (s[SIZE] + 1) + s[WON + seat]]
    return worlds


def begin(s: Ints, cards: Ints, number: int, size: int, dealer: int, r: Ints) -> bool:
    """Deal a round of *size* cards each, from the first *number* of *cards*; return whether the dealer names trump."""
    n = s[PLAYERS]
    for place in range(min(number, n * size + 1)):
        other = place + below(r, number - place)
        card = cards[place]
        cards[place] = cards[other]
        cards[other] = card
    for seat in range(n):
        s[seat] = 0
        s[BID + seat] = -1
        s[WON + seat] = 0
    for place in range(n * size):
        s[place // size] |= 1 << cards[place]
    s[SIZE], s[DEALER], s[TURN] = size, dealer, (dealer + 1) % n
    s[MADE], s[SUM], s[CARDS], s[LED], s[TRUMP_LED], s[TRUMP], s[SEEN] = 0, 0, 0, -1, -1, -1, 0
    if n * size == number:
        return False
    turned = cards[n * size]
    s[SEEN] = 1 << turned
    if 0 < turned % 15 < 14:
        s[TRUMP] = turned // 15
    return turned % 15 == 14


def some_card(cards: int, r: Ints, bits: bytes) -> int:
    """Return one of *cards* at random."""
    left = below(r, count(cards, bits))
    suit = 0
    while left >= bits[cards & SUIT_BITS]:
        left -= bits[cards & SUIT_BITS]
        cards >>= 15
        suit += 1
    cards &= SUIT_BITS
    while left:
        cards &= cards - 1
        left -= 1
    return 15 * suit + bits[(cards & -cards) - 1]


def rounds_at_random(s: Ints, cards: Ints, number: int, rounds: int, size: int, r: Ints, bits: bytes) -> int:
    """Play *rounds* of *size* cards at random and return the number of decisions."""
    n, decisions = s[PLAYERS], 0
    for each in range(rounds):
        if begin(s, cards, number, size, each % n, r):
            s[TRUMP] = below(r, 4)
            decisions += 1
        for _ in range(n):
            bid(s, below(r, size + 1))
        for _ in range(n * size):
            play(s, some_card(legal(s), r, bits))
        decisions += n * (size + 1)
    return decisions


def rounds_counted(
    s: Ints, cards: Ints, number: int, rounds: int, size: int, r: Ints, k: Floats, f: Floats, bits: bytes
) -> int:
    """Let card counters play *rounds* of *size* cards and return the number of decisions; trumps are drawn by lot."""
    n = s[PLAYERS]
    for each in range(rounds):
        if begin(s, cards, number, size, each % n, r):
            s[TRUMP] = below(r, 4)
        finish(s, k, f, bits)
    return rounds * n * (size + 1)
