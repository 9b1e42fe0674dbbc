"""Phase C of Knit Wit: numbers are turned up one by one; answers are compared, challenged and voted
about.

Between the players' actions the table turns up the next number, and opens and closes votes.
"""

from itertools import combinations

from coursekit.core.game import Event, Seat
from coursekit.games.knitwit.rules.answers import all_near, groups, hanging_together
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
)
from coursekit.words.normalise import are_near, normalise

COUNTS = (OPEN, UPHELD)
"""The verdicts with which an answer scores."""


def line(game: Box, state: State) -> int:
    """Return the line of the number that lies open."""
    return game.numbers(state)[state.shown - 1] - 1


def challengeable(game: Box, state: State) -> list[Seat]:
    """Return the seats whose answers another may challenge: those without a verdict."""
    o = game.options
    if not state.shown or state.doubts or (game.players == 2 and o.two_player_challenge == "off"):
        return []
    if o.order == "challenge_first" and state.compared:
        return []
    at = line(game, state)
    return [
        seat for seat in game.seats if state.sheets[seat][at] and state.verdicts[seat][at] == OPEN
    ]


def challenges(game: Box, state: State, seat: Seat) -> tuple[Action, ...]:
    """Return the challenges that *seat* may call."""
    return tuple([("challenge", other) for other in challengeable(game, state) if other != seat])


def voters(game: Box, state: State) -> tuple[Seat, ...]:
    """Return who votes: 「所有人」, or all but the challenged."""
    if state.challenger == NOBODY or game.options.challenged_votes:
        return game.seats
    return tuple(seat for seat in game.seats if seat not in state.case)


def apply(game: Box, state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out an *action* of the scoring."""
    if action == "next":
        return _next(game, state)
    if action == "compare":
        return _compare(game, state)
    if action == "vote":
        return _open_vote(game, state)
    if action == "close":
        return _close_vote(game, state)
    if action in ("yes", "no"):
        state.votes[seat] = int(action == "yes")
        meant = action if state.challenger != NOBODY else {"yes": "different", "no": "same"}[action]
        return [Event("voted", {"seat": seat}), Event(f"voted_{meant}", {}, (seat,))]
    if action in ("keep", "withdraw"):
        state.verdicts[seat][line(game, state)] = UPHELD if action == "keep" else REJECTED
        _back(game, state)
        return [Event(action, {"seat": seat})]
    state.case, state.challenger = [action[1]], seat  # 「大喊 "Knit Wit" 來挑戰他」
    values = {
        "seat": seat,
        "other": action[1],
        "answer": state.sheets[action[1]][line(game, state)],
    }
    if game.players == 2 and game.options.two_player_challenge == "self_judge":
        state.phase = "judge"
        return [Event("challenge", values), Event("judge", {"seat": action[1]})]
    state.phase = "defend"
    return [
        Event("challenge", values),
        Event("defend", {"seat": action[1], "seconds": game.options.explain_seconds}),
    ]


def _next(game: Box, state: State) -> list[Event]:
    """Score the number that lies open, and turn up the next one or end the round."""
    events = _score(game, state) if state.shown else []
    numbers = game.numbers(state)
    if state.shown == len(numbers):
        return events + _total(game, state)
    state.shown += 1
    state.compared, state.tally = 0, []
    number, at = numbers[state.shown - 1], numbers[state.shown - 1] - 1
    events.append(
        Event(
            "reveal",
            {"number": number, "points": game.worth(len(game.loops_around(state, number)))},
        )
    )
    for seat in game.seats:
        if state.sheets[seat][at]:
            events.append(Event("answer", {"seat": seat, "answer": state.sheets[seat][at]}))
    if blank := [seat for seat in game.seats if not state.sheets[seat][at]]:
        events.append(Event("blank", {"seats": blank}))
    return events + _compare(game, state) if game.options.order == "dup_first" else events


def _compare(game: Box, state: State) -> list[Event]:
    """Strike equal answers, and queue those that may be the same for a vote."""
    at, events, fuzzy = line(game, state), list[Event](), game.options.fuzzy_dup
    state.compared = 1
    same = _standing(game, state)
    pairs = [
        frozenset(two)
        for two in combinations(same, 2)
        if fuzzy != "off" and are_near(*two, game.pack.same)
    ]
    for part in hanging_together(same, pairs if fuzzy == "auto" else ()):
        seats = sorted(seat for form in part for seat in same[form])
        if (
            len(seats) > 1
        ):  # 「如果有兩個或以上的人對於同一個編號有相同的答案，則這些答案都不予計分」
            for seat in seats:
                state.verdicts[seat][at] = STRUCK
            events.append(Event("clash", {"seats": seats, "answer": state.sheets[seats[0]][at]}))
    return events + _doubt(game, state, set(pairs) if fuzzy == "ask" else set())


def _standing(game: Box, state: State) -> dict[str, list[Seat]]:
    """Return the seats with each answer to the open number, by its norm, without answers voted out."""
    at = line(game, state)
    return groups(
        normalise(state.sheets[s][at]) if state.verdicts[s][at] != REJECTED else ""
        for s in game.seats
    )


def _doubt(game: Box, state: State, pairs: set[frozenset[str]]) -> list[Event]:
    """Queue answers for votes: those of which every two are among *pairs*, two norms each, share a
    vote.
    """
    same, at = _standing(game, state), line(game, state)
    doubts = sorted(
        sorted(seat for form in some for seat in same[form]) for some in all_near(pairs)
    )
    state.doubts = [
        seats for seats in doubts if any(state.verdicts[seat][at] in COUNTS for seat in seats)
    ]
    return [Event("doubt", {"seats": state.doubts[0]})] if state.doubts else []


def _in_doubt(game: Box, state: State, doubts: list[list[Seat]]) -> set[frozenset[str]]:
    """Return the pairs of norms that *doubts* are about."""
    at = line(game, state)
    forms = [{normalise(state.sheets[seat][at]) for seat in seats} for seats in doubts]
    return {frozenset(two) for each in forms for two in combinations(each, 2)}


def _open_vote(game: Box, state: State) -> list[Event]:
    if state.phase == "reveal":
        state.case, state.challenger = state.doubts.pop(0), NOBODY
    state.phase = "vote"
    return [Event("vote" if state.challenger != NOBODY else "vote_same", {"seats": state.case})]


def _close_vote(game: Box, state: State) -> list[Event]:
    """Count: 「有半數或以上的人贊成便能得分」.  In a doubt "yes" means that the answers are different."""
    at, o = line(game, state), game.options
    yes, cast = state.votes.count(1), sum(vote != NOT_VOTED for vote in state.votes)
    of = len(voters(game, state)) if o.vote_of == "players" else cast
    state.tally = [yes, cast - yes]
    passed, challenged = 100 * yes >= o.vote_threshold * of, state.challenger != NOBODY
    if game.players == 2 and not challenged:  # one of two is always half, and would always pass
        passed = yes == 2
    kind = (
        ("upheld" if passed else "rejected") if challenged else ("different" if passed else "same")
    )
    events = [Event(f"closed.{kind}", {"seats": state.case, "yes": yes, "no": cast - yes})]
    for seat in state.case:
        if challenged:
            state.verdicts[seat][at] = UPHELD if passed else REJECTED
        elif not passed and state.verdicts[seat][at] in COUNTS:
            state.verdicts[seat][at] = STRUCK
    if not challenged:
        settled = (
            _in_doubt(game, state, [state.case]) if passed else set()
        )  # other doubts may be about the same pairs
        events += _doubt(game, state, _in_doubt(game, state, state.doubts) - settled)
    _back(game, state)
    return events


def _back(game: Box, state: State) -> None:
    state.phase, state.case, state.challenger = "reveal", [], NOBODY
    state.votes = [NOT_VOTED] * game.players


def _score(game: Box, state: State) -> list[Event]:
    """Give each answer that counts its points: :meth:`.Box.worth`, a point for each loop around its
    spool.
    """
    number = game.numbers(state)[state.shown - 1]
    points = game.worth(len(game.loops_around(state, number)))
    seats = [
        s
        for s in game.seats
        if state.sheets[s][number - 1] and state.verdicts[s][number - 1] in COUNTS
    ]
    for seat in seats:
        state.points[seat] += points
    if not seats:
        return [Event("score.nobody", {"number": number})]
    return [Event("score.line", {"number": number, "seats": seats, "points": points})]


def _total(game: Box, state: State) -> list[Event]:
    """Add the buttons and end the round.  Ties share the victory: 「若平分則一同勝利」."""
    events = []
    for seat in game.seats:
        if state.taken[seat]:
            state.points[seat] += state.taken[seat]
            events.append(Event("score.button", {"seat": seat, "holes": state.taken[seat]}))
    if state.round < game.options.rounds:
        state.phase = "total"
        return [*events, Event("total", {"round": state.round})]
    state.phase = "over"
    state.won = [seat for seat in game.seats if state.points[seat] == max(state.points)]
    return [*events, Event("over", {"winners": state.won, "points": max(state.points)})]
