"""A match of Wikipedia and Books on ints and flat arrays, which :class:`.Editor` plays alone.

Written for millions of turns: :mod:`coursekit.core.numba_kernels` compiles it where numba is
installed, and it runs as it stands elsewhere. ``rules`` and ``strategies`` are what counts, and
tests hold both against this file. It knows the rules that :data:`.playouts.KNOWN` lists, and leaves
to the caller who has won.

A position is an array of ints, at the places named below. Kinds of cards, works and actions are
numbers: places in ``cards.KINDS`` and ``cards.ACTIONS``. The deck and what others have discarded
unseen are one pool: from either any card of the pool comes with the same chance. Roles are 1 for a
scholar and 0 for a student.
"""

from coursekit.core.numba_kernels import Ints, below
from coursekit.games.wikipedia.rules.options import FACES

WIKI, BOOK, REVISE, VANDAL, USE = 0, 1, 2, 3, 4
DISCARD, ROLL, LEAVE, GIVE_UP, NEXT = 5, 10, 11, 12, 14  # DISCARD + a kind discards it
WRITE, MOVE, CURE, THROW, REPAIR, DROP, RESULT, OVER = 0, 1, 2, 3, 4, 5, 6, 7  # phases

HANDS = 0  # by seat and kind: number of cards
ROLES, POINTS = 40, 48  # by seat; points since the start
POOL, GONE = 56, 61  # by kind: in the pool, and other discards
DECK = 66  # number of cards of the pool that are not discarded
PHASE, TURN, STARTER = 67, 68, 69
ON_TABLE = 70  # the work, -1 for none
AUTHOR, USER, VANDALISED = 71, 72, 73  # seats, -1 for nobody
RIGHT = 74  # 1 if the use scores
QUIET, TURNS = 75, 76
SCHOLARS, ROLE_DECK = 77, 78  # in the deck of roles: scholars, and all
PAST_SCHOLARS, PAST_ROLES = 79, 80  # in its discards
SCORED = 81  # number of uses that have scored
PLAYERS, SIDES = 82, 83
WRONG, MENDS = 84, 86  # by work: faces of the die, and cards that mend it
LEAST, FULL = 88, 89  # a hand with fewer cards is filled up to so many
MUST_MEND = 90  # 1 if a scholar must at scoring
GUARD, LIMIT, PATIENCE = 91, 92, 93  # in turns; GUARD is 0 for never
LENGTH = 94


def count(mask: int) -> int:
    """Return the number of ones in *mask*."""
    ones = 0
    while mask:
        mask &= mask - 1
        ones += 1
    return ones


def bit(mask: int, number: int) -> int:
    """Return the place of the one in *mask* that has *number* ones below it."""
    place = -1
    while number >= 0:
        place += 1
        number -= mask >> place & 1
    return place


def legal(s: Ints) -> int:
    """Return what the seat whose turn it is may do, as a set of bits; the table's action too."""
    phase, seat, work = s[PHASE], s[TURN], s[ON_TABLE]
    hand, scholar = HANDS + 5 * seat, s[ROLES + seat]
    if phase == OVER:
        return 0
    if phase == RESULT:
        return 1 << NEXT
    if phase == THROW:
        return 1 << ROLL
    if phase == REPAIR:
        if s[hand + REVISE] < s[MENDS + work]:
            return 1 << LEAVE
        return 1 << REVISE if scholar and s[MUST_MEND] else 1 << REVISE | 1 << LEAVE
    held, can = 0, 0
    for kind in range(5):
        if s[hand + kind]:
            held |= 1 << kind
    if phase == WRITE:
        can = 1 << WIKI | scholar << BOOK
    elif phase == CURE:
        can = 1 << REVISE
    elif phase == MOVE:
        if s[USER] < 0:
            can = 1 << USE
        if work == WIKI and not scholar:
            can |= 1 << VANDAL
    can &= held
    if can and (phase == WRITE or (phase == CURE and scholar)):
        return can
    return can | (1 << GIVE_UP if s[USER] == seat and phase == CURE else held << DISCARD)


def take_from_pool(s: Ints, mask: int, r: Ints) -> int:
    """Take a card out of the pool, of the kinds in *mask*; return its kind, -1 if there is none."""
    cards = 0
    for kind in range(5):
        cards += s[POOL + kind] * (mask >> kind & 1)
    if cards == 0:
        return -1
    left, kind = below(r, cards), -1
    while left >= 0:
        kind += 1
        left -= s[POOL + kind] * (mask >> kind & 1)
    s[POOL + kind] -= 1
    return kind


def draw(s: Ints, seat: int, r: Ints) -> None:
    """Draw a card."""
    for again in range(2):  # mixed before if there is no card, and after the last one
        if again:
            s[HANDS + 5 * seat + take_from_pool(s, 31, r)] += 1
            s[DECK] -= 1
        if s[DECK] == 0:
            for kind in range(5):
                s[POOL + kind] += s[GONE + kind]
                s[GONE + kind] = 0
                s[DECK] += s[POOL + kind]


def fill_up(s: Ints, seat: int, r: Ints) -> None:
    """Fill up a small hand."""
    held = 0
    for kind in range(5):
        held += s[HANDS + 5 * seat + kind]
    if held < s[LEAST]:
        for _ in range(held, s[FULL]):
            draw(s, seat, r)


def clear_vandal(s: Ints) -> None:
    """Discard what vandalises the work."""
    s[GONE + VANDAL] += 1
    s[VANDALISED] = -1


def clear_work(s: Ints) -> None:
    """Discard the work and its use."""
    if s[ON_TABLE] >= 0:
        s[GONE + s[ON_TABLE]] += 1
    if s[USER] >= 0:
        s[GONE + USE] += 1
    s[ON_TABLE] = s[AUTHOR] = s[USER] = -1


def next_round(s: Ints, starter: int, r: Ints) -> None:
    """Deal new roles."""
    n = s[PLAYERS]
    for seat in range(n):
        s[PAST_SCHOLARS] += s[ROLES + seat]
    s[PAST_ROLES] += n
    for place in range(n):
        if s[ROLE_DECK] == 0:
            s[SCHOLARS], s[ROLE_DECK] = s[PAST_SCHOLARS], s[PAST_ROLES]
            s[PAST_SCHOLARS] = s[PAST_ROLES] = 0
        role = 1 if below(r, s[ROLE_DECK]) < s[SCHOLARS] else 0
        s[SCHOLARS] -= role
        s[ROLE_DECK] -= 1
        s[ROLES + (starter + place) % n] = role
    s[STARTER] = s[TURN] = starter
    s[PHASE], s[QUIET], s[RIGHT] = WRITE, 1, 0


def end_turn(s: Ints, r: Ints) -> None:
    """Go on to the next seat, with what holds up a match for too long."""
    s[TURNS] += 1
    s[QUIET] += 1
    if s[TURNS] >= s[LIMIT]:
        s[PHASE] = OVER
        return
    s[TURN] = (s[TURN] + 1) % s[PLAYERS]
    if s[GUARD] and s[QUIET] > s[GUARD]:
        if s[VANDALISED] < 0:
            clear_work(s)
            next_round(s, s[STARTER], r)
            return
        clear_vandal(s)
        s[QUIET] = 1
    if s[ON_TABLE] < 0:
        s[PHASE] = WRITE
    elif s[VANDALISED] >= 0:
        s[PHASE] = CURE
    else:
        s[PHASE] = THROW if s[USER] == s[TURN] else MOVE


def score(s: Ints, r: Ints) -> None:
    """Give the points and begin the next round."""
    user = s[USER]
    if s[RIGHT]:
        s[SCORED] += 1
        s[POINTS + user] += 1
        if s[ON_TABLE] == BOOK:
            s[POINTS + s[AUTHOR]] += 1
    clear_work(s)
    fill_up(s, user, r)
    s[TURNS] += 1
    if s[TURNS] >= s[LIMIT]:
        s[PHASE] = OVER
    else:
        next_round(s, user, r)


def act(s: Ints, action: int, r: Ints) -> None:
    """Do *action*, a legal one."""
    seat = s[TURN]
    hand = HANDS + 5 * seat
    if action == NEXT:
        score(s, r)
    elif action == ROLL:
        s[RIGHT] = 1 if below(r, FACES) >= s[WRONG + s[ON_TABLE]] else 0
        s[PHASE] = RESULT if s[RIGHT] else REPAIR
    elif action == GIVE_UP:
        clear_vandal(s)
        s[GONE + USE] += 1
        s[USER] = -1
        s[QUIET], s[PHASE] = 0, DROP
    elif s[PHASE] == REPAIR:
        if action == REVISE:
            s[hand + REVISE] -= s[MENDS + s[ON_TABLE]]
            s[GONE + REVISE] += s[MENDS + s[ON_TABLE]]
            s[RIGHT] = 1
            draw(s, seat, r)
        s[PHASE] = RESULT
    else:
        if action >= DISCARD:
            s[hand + action - DISCARD] -= 1
            s[GONE + action - DISCARD] += 1
        else:
            s[hand + action] -= 1
            s[QUIET] = 0
            if action == USE:
                s[USER] = seat
            elif action == VANDAL:
                s[VANDALISED] = seat
            elif action == REVISE:
                s[GONE + REVISE] += 1
                clear_vandal(s)
            else:
                s[ON_TABLE], s[AUTHOR] = action, seat
        draw(s, seat, r)
        fill_up(s, seat, r)
        end_turn(s, r)


def decide(s: Ints) -> int:
    """Return what an editor does whose turn it is; for the table, what there is to do."""
    phase, seat, sides, user = s[PHASE], s[TURN], s[SIDES], s[USER]
    hand, can = HANDS + 5 * seat, legal(s)
    first, second = -1, -1
    if phase == WRITE:
        first, second = BOOK, WIKI
    elif phase == MOVE:
        if user < 0:
            first, second = USE, VANDAL
        elif (user - seat) % sides:
            first = VANDAL
    elif phase == CURE:
        if user >= 0:
            if (user - seat) % sides == 0:
                first = REVISE
        elif (s[hand + REVISE] > 1 and (s[VANDALISED] - seat) % sides) or s[QUIET] > s[PATIENCE]:
            first = REVISE
    elif phase == REPAIR:
        first, second = REVISE, LEAVE
        if s[ON_TABLE] == BOOK and sides == 2 and (s[AUTHOR] - seat) % sides:
            first, second = LEAVE, REVISE
    if first >= 0 and can >> first & 1:
        return first
    if second >= 0 and can >> second & 1:
        return second
    if can >> DISCARD & 31:
        if s[hand + WIKI]:
            return DISCARD + WIKI
        if s[hand + BOOK]:
            return DISCARD + BOOK
        most = REVISE
        for kind in (VANDAL, USE):
            if s[hand + kind] >= s[hand + most]:
                most = kind
        return DISCARD + most
    return bit(can, 0)


def finish(s: Ints, points: int, most: int, at_random: int, r: Ints) -> int:
    """Play on until uses have scored *points* times, or for *most* actions; return how many.

    :param at_random: 1 to play at random instead of as editors do.
    """
    done = 0
    while s[PHASE] != OVER and s[SCORED] < points and done < most:
        if at_random:
            can = legal(s)
            act(s, bit(can, below(r, count(can))), r)
        else:
            act(s, decide(s), r)
        done += 1
    return done


def deal(s: Ints, seats: Ints, fits: Ints, r: Ints) -> bool:
    """Give *seats* a card of the pool each, of the kinds in *fits*; return whether it could be."""
    for place in range(len(seats)):
        kind = take_from_pool(s, fits[place], r)
        if kind < 0:
            return False
        s[HANDS + 5 * seats[place] + kind] += 1
    return True


def try_actions(
    start: Ints,
    world: Ints,
    s: Ints,
    seats: Ints,
    fits: Ints,
    actions: Ints,
    worlds: int,
    r: Ints,
    out: Ints,
) -> int:
    """Try *actions* in *worlds*, write what they earn into *out*, and return how many worlds were.

    An action earns the points of its own side, times the number of other sides, less the points
    of all others, until the next use that scores.

    :param start: the position; *seats* are dealt the hidden cards anew for each world.
    """
    seat, n, sides = start[TURN], start[PLAYERS], start[SIDES]
    for number in range(worlds):
        dealt, tries = False, 0
        while not dealt and tries < 100:
            for place in range(LENGTH):
                world[place] = start[place]
            dealt = deal(world, seats, fits, r)
            tries += 1
        if not dealt:
            return number
        luck = r[0]
        for choice in range(len(actions)):
            for place in range(LENGTH):
                s[place] = world[place]
            r[0] = luck
            act(s, actions[choice], r)
            finish(s, 1, 1 << 30, 0, r)
            earned = 0
            for other in range(n):
                earned += s[POINTS + other] * (-1 if (other - seat) % sides else sides - 1)
            out[number * len(actions) + choice] = earned
    return worlds
