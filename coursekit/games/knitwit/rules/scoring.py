"""The scoring of Knit Wit: answers are turned up, compared, challenged and voted about.

Between the players' actions the table turns up the next number, and opens and closes votes.
"""

from collections.abc import Collection
from itertools import combinations

from coursekit.core.game import Event, Seat
from coursekit.games.knitwit.rules.answers import connected_norms, group_norms, near_sets
from coursekit.games.knitwit.rules.box import Box
from coursekit.games.knitwit.rules.state import (
    NOBODY,
    NOT_VOTED,
    OPEN,
    REJECTED,
    STRUCK,
    UPHELD,
    Action,
    State,
    loops_around,
)
from coursekit.words.normalise import are_near, normalise

COUNTS = (OPEN, UPHELD)
"""The verdicts with which an answer scores."""


def open_line(game: Box, state: State) -> int:
    """Return the line of the number that lies open."""
    return game.numbers(state)[state.shown - 1] - 1


def challengeable(game: Box, state: State) -> list[Seat]:
    """Return the seats whose answers another may challenge: those without a verdict."""
    o = game.options
    if not state.shown or state.doubts or (game.players == 2 and o.two_player_challenge == "off"):
        return []
    if o.order == "challenge_first" and state.compared:
        return []
    line = open_line(game, state)
    return [
        seat
        for seat in game.seats
        if state.sheets[seat][line] and state.verdicts[seat][line] == OPEN
    ]


def challenges(game: Box, state: State, seat: Seat) -> tuple[Action, ...]:
    """Return the challenges that *seat* may call."""
    return tuple([("challenge", other) for other in challengeable(game, state) if other != seat])


def voters(game: Box, state: State) -> tuple[Seat, ...]:
    """Return who votes: 「所有人」, or all but the challenged."""
    if state.challenger == NOBODY or game.options.challenged_votes:
        return game.seats
    return tuple([seat for seat in game.seats if seat not in state.case])


def apply(game: Box, state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out an *action* of the scoring."""
    if action == "next":
        return _next(game, state)
    if action == "compare":
        return _compare(game, state)
    if action == "vote":
        return _open_vote(state)
    if action == "close":
        return _close_vote(game, state)
    if action in ("yes", "no"):
        state.votes[seat] = int(action == "yes")
        meant = action
        if state.challenger == NOBODY:
            meant = "different" if action == "yes" else "same"
        return [Event("voted", {"seat": seat}), Event(f"voted_{meant}", {}, (seat,))]
    if action in ("keep", "withdraw"):
        state.verdicts[seat][open_line(game, state)] = UPHELD if action == "keep" else REJECTED
        _close_case(game, state)
        return [Event(action, {"seat": seat})]
    return _challenge(game, state, seat, action[1])


def _next(game: Box, state: State) -> list[Event]:
    """Score the number that lies open, and turn up the next one or end the round."""
    events = _score(game, state) if state.shown else []
    numbers = game.numbers(state)
    if state.shown == len(numbers):
        return events + _total(game, state)
    number = numbers[state.shown]
    state.shown += 1
    state.compared = 0
    state.tally = []
    points = game.worth(len(loops_around(state, number)))
    events.append(Event("reveal", {"number": number, "points": points}))
    blank = []
    for seat in game.seats:
        if answer := state.sheets[seat][number - 1]:
            events.append(Event("answer", {"seat": seat, "answer": answer}))
        else:
            blank.append(seat)
    if blank:
        events.append(Event("blank", {"seats": blank}))
    return events + _compare(game, state) if game.options.order == "dup_first" else events


def _compare(game: Box, state: State) -> list[Event]:
    """Strike equal answers, and queue those that may be the same for a vote."""
    state.compared = 1
    line = open_line(game, state)
    fuzzy = game.options.fuzzy_dup
    seats = _seats_by_norm(game, state)
    pairs = set()
    if fuzzy != "off":
        near = (two for two in combinations(seats, 2) if are_near(*two, game.pack.same))
        pairs = {frozenset(two) for two in near}
    events = []
    for norms in connected_norms(seats, pairs if fuzzy == "auto" else ()):
        equal = sorted(seat for norm in norms for seat in seats[norm])
        # 「如果有兩個或以上的人對於同一個編號有相同的答案，則這些答案都不予計分」
        if len(equal) > 1:
            for seat in equal:
                state.verdicts[seat][line] = STRUCK
            answer = state.sheets[equal[0]][line]
            events.append(Event("clash", {"seats": equal, "answer": answer}))
    return events + _doubt(game, state, pairs if fuzzy == "ask" else ())


def _seats_by_norm(game: Box, state: State) -> dict[str, list[Seat]]:
    """Return the seats by the norm of their open answer, without answers voted out."""
    line = open_line(game, state)
    norms = [normalise(state.sheets[seat][line]) for seat in game.seats]
    for seat in game.seats:
        if state.verdicts[seat][line] == REJECTED:
            norms[seat] = ""
    return group_norms(norms)


def _doubt(game: Box, state: State, pairs: Collection[frozenset[str]]) -> list[Event]:
    """Queue answers for votes: those whose norms are all *pairs* of each other share a vote."""
    line = open_line(game, state)
    seats_of = _seats_by_norm(game, state)
    doubts = sorted(
        sorted(seat for norm in norms for seat in seats_of[norm]) for norms in near_sets(pairs)
    )
    state.doubts = [
        seats for seats in doubts if any(state.verdicts[seat][line] in COUNTS for seat in seats)
    ]
    return [Event("doubt", {"seats": state.doubts[0]})] if state.doubts else []


def _pairs_in_doubt(game: Box, state: State, doubts: list[list[Seat]]) -> set[frozenset[str]]:
    """Return the pairs of norms that *doubts* are about."""
    line = open_line(game, state)
    pairs = set()
    for seats in doubts:
        norms = {normalise(state.sheets[seat][line]) for seat in seats}
        pairs |= {frozenset(two) for two in combinations(norms, 2)}
    return pairs


def _challenge(game: Box, state: State, seat: Seat, other: Seat) -> list[Event]:
    """Carry out a challenge: 「大喊 "Knit Wit" 來挑戰他」."""
    state.case = [other]
    state.challenger = seat
    answer = state.sheets[other][open_line(game, state)]
    challenge = Event("challenge", {"seat": seat, "other": other, "answer": answer})
    if game.players == 2 and game.options.two_player_challenge == "self_judge":
        state.phase = "judge"
        return [challenge, Event("judge", {"seat": other})]
    state.phase = "defend"
    values = {"seat": other, "seconds": game.options.explain_seconds}
    return [challenge, Event("defend", values)]


def _open_vote(state: State) -> list[Event]:
    if state.phase == "reveal":
        state.case = state.doubts.pop(0)
        state.challenger = NOBODY
    state.phase = "vote"
    return [Event("vote" if state.challenger != NOBODY else "vote_same", {"seats": state.case})]


def _close_vote(game: Box, state: State) -> list[Event]:
    """Count: 「有半數或以上的人贊成便能得分」.  In a doubt "yes" means different answers."""
    o = game.options
    yes = state.votes.count(1)
    no = state.votes.count(0)
    electorate = len(voters(game, state)) if o.vote_of == "players" else yes + no
    state.tally = [yes, no]
    passes = 100 * yes >= o.vote_threshold * electorate
    is_challenge = state.challenger != NOBODY
    if is_challenge:
        result = "upheld" if passes else "rejected"
    else:
        if game.players == 2:  # one of two is always half, and would always pass
            passes = yes == 2
        result = "different" if passes else "same"
    events = [Event(f"closed.{result}", {"seats": state.case, "yes": yes, "no": no})]
    line = open_line(game, state)
    for seat in state.case:
        if is_challenge:
            state.verdicts[seat][line] = UPHELD if passes else REJECTED
        elif not passes and state.verdicts[seat][line] in COUNTS:
            state.verdicts[seat][line] = STRUCK
    if not is_challenge:
        pairs = _pairs_in_doubt(game, state, state.doubts)
        if passes:  # other doubts may be about the same pairs
            pairs -= _pairs_in_doubt(game, state, [state.case])
        events += _doubt(game, state, pairs)
    _close_case(game, state)
    return events


def _close_case(game: Box, state: State) -> None:
    state.phase = "reveal"
    state.case = []
    state.challenger = NOBODY
    state.votes = [NOT_VOTED] * game.players


def _score(game: Box, state: State) -> list[Event]:
    """Give each answer that counts its points: a point for each loop, or :meth:`.Box.worth`."""
    number = game.numbers(state)[state.shown - 1]
    points = game.worth(len(loops_around(state, number)))
    line = number - 1
    seats = [
        seat
        for seat in game.seats
        if state.sheets[seat][line] and state.verdicts[seat][line] in COUNTS
    ]
    for seat in seats:
        state.points[seat] += points
    if not seats:
        return [Event("score.nobody", {"number": number})]
    return [Event("score.line", {"number": number, "seats": seats, "points": points})]


def _total(game: Box, state: State) -> list[Event]:
    """Add the buttons and end the round.  Ties share the victory: 「若平分則一同勝利」."""
    events = []
    for seat, holes in enumerate(state.taken):
        if holes:
            state.points[seat] += holes
            events.append(Event("score.button", {"seat": seat, "holes": holes}))
    if state.round < game.options.rounds:
        state.phase = "total"
        return [*events, Event("total", {"round": state.round})]
    state.phase = "over"
    most = max(state.points)
    state.won = [seat for seat in game.seats if state.points[seat] == most]
    return [*events, Event("over", {"winners": state.won, "points": most})]
