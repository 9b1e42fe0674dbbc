"""What happened in a match: read off hand-made positions, and against what the state and the log
say in any match.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.after.history import (
    BOOK,
    COVERED,
    EVENT,
    EXCHANGE,
    FUNCTION,
    GIVES_BOOKS,
    GIVING,
    KEPT,
    NOT_LAUNCHED,
    PROTEST,
    SEARCH,
    SURE,
    TAKEN,
    Era,
    History,
    add_tolls,
)
from coursekit.games.blockade.rules.card_codes import BANNED, CENSORS, FUNCTIONS, PERIODICAL, ROLES
from coursekit.games.blockade.rules.state import State

SEEDS = range(3)
VARIANTS: list[dict[str, Any]] = [
    {},
    {"event_on": "land", "start_in_buffer": True},
    {"event_scope": "per_player", "roles_each_era": "passed"},
    {
        "seize_bonus": 2,
        "loss_penalty": 1,
        "lifting_year": 1955,
        "banned_steps": 4,
        "roles_each_era": "drawn",
    },
    {
        "exchange_from": "hand_or_table",
        "o_faces": 5,
        "carry_over": "hands_books",
        "last_goal": "1992",
    },
    {"stale_cards": "discard_action", "may_pass": True, "laps_limit": 12, "lifting_year": 1977},
]
every = pytest.mark.parametrize(
    "options", VARIANTS, ids=[", ".join(options) or "standard" for options in VARIANTS]
)


class Glance(NamedTuple):
    """What these tests look at in a state."""

    phase: str
    step: tuple[Any, ...]  # the next one
    era: int
    turns: int
    roles: list[int]
    positions: list[int]
    books: list[list[int]]
    fired: list[tuple[int, int]]


def glance(state: State) -> Glance:
    return Glance(
        state.phase,
        tuple(state.steps[-1]) if state.steps else (),
        state.era,
        state.turns,
        state.roles[:],
        state.positions[:],
        [books[:] for books in state.books],
        [(event, seat) for event, seat in state.fired],
    )


def moments(match: Match) -> Iterator[tuple[int, Glance, Any, Glance]]:
    """Yield entry, what there was before, action and what there was after."""
    again = replay(match.record(), 0, match.game)
    before = glance(again.state)
    for entry, (seat, action) in enumerate(match.log):
        again.play(seat, action)
        after = glance(again.state)
        yield entry, before, action, after
        before = after


def played(options: dict[str, Any], seed: int) -> Match:
    return play_out(Blockade(4, Options(**options)), [AtRandom] * 4, seed)


# Against the state


@pytest.mark.one_in(3)
@every
def test_the_moves_lead_to_the_positions_of_every_moment(options: dict[str, Any]) -> None:
    """Positions put together from the moves alone equal those of the state after every entry."""
    for seed in SEEDS:
        match = played(options, seed)
        told = History(match).eras
        number, positions = -1, [0] * 4
        pending = [move for era in told for move in era.moves]
        begins = [era.begins for era in told]
        for entry, before, _, after in moments(match):
            while pending and pending[0].entry == entry:
                move = pending.pop(0)
                assert positions[move.seat] == move.start != move.end
                positions[move.seat] = move.end
            if entry + 1 in begins[1:]:
                positions = [0] * 4
            assert positions == after.positions, (seed, entry)
            number = max(number, before.era)
        assert not pending
        assert [era.number for era in told] == list(match.game.options.eras)
        assert told[-1].positions == match.state.positions


@every
def test_points_roles_and_events_are_those_of_the_state(options: dict[str, Any]) -> None:
    for seed in SEEDS:
        match = played(options, seed)
        told = History(match).eras
        assert [tuple(era.points) for era in told] == [*match.state.by_era]
        assert all(era.ended in ("corner", "stall", "limit") for era in told)
        ends = {
            entry: before for entry, before, action, _ in moments(match) if before.phase == "era"
        }
        for era, state in zip(told, ends.values(), strict=True):
            assert era.roles == state.roles
            happened = Counter((happening.event, happening.seat) for happening in era.happenings)
            assert happened <= Counter(state.fired)
            # Some are triggered, but the era is over before they happen.
            assert sum((Counter(state.fired) - happened).values()) <= 4


def test_every_event_of_the_track_is_told_in_some_match() -> None:
    seen = {
        happening.event
        for seed in range(6)
        for era in History(played({}, seed)).eras
        for happening in era.happenings
    }
    assert len(seen) == 20


@pytest.mark.one_in(3)
@every
def test_attempts_are_those_of_the_log_and_of_the_role_cards(options: dict[str, Any]) -> None:
    """What an attempt took, who threw and what it moved, compared with the state before and after."""
    outcomes: Counter[str] = Counter()
    for seed in SEEDS:
        match = played(options, seed)
        attempts = [(attempt, era) for era in History(match).eras for attempt in era.attempts]
        launched = [entry for entry, (_, action) in enumerate(match.log) if action[0] == "strike"]
        assert [each.entry for each, _ in attempts] == launched
        after = {entry: glanced for entry, _, _, glanced in moments(match)}
        for each, era in attempts:
            outcomes[each.outcome] += 1
            entry = each.entry + sum(
                throw not in ("", SURE) for throw in (each.launch, each.defence)
            )
            owner = [seat for seat in range(4) if each.book in after[entry].books[seat]]
            if after[entry].era == era.number and after[entry].phase != "over":
                assert owner == [each.seat if each.outcome == TAKEN else each.target]
            assert (
                (each.kind == SEARCH)
                == (era.roles[each.seat] in CENSORS)
                != (era.roles[each.target] in CENSORS)
            )
            kind = match.game.cards.book_kinds[each.book]  # type: ignore[attr-defined]
            assert kind == (BANNED if each.kind == SEARCH else PERIODICAL)
            threw = [match.log[at] for at in range(each.entry + 1, entry + 1)]
            assert all(action == "roll" for _, action in threw)
            assert [seat for seat, _ in threw] == [
                seat
                for seat, throw in [(each.seat, each.launch), (each.target, each.defence)]
                if throw in ("O", "X")
            ]
            ending = {("", ""): COVERED, ("X", ""): NOT_LAUNCHED}.get((each.launch, each.defence))
            assert each.outcome == (ending or (TAKEN if each.defence == "O" else KEPT))
            if each.outcome != TAKEN:
                assert (each.gained, each.lost) == (0, 0)
    assert set(outcomes) >= {NOT_LAUNCHED, KEPT, TAKEN}
    assert COVERED in outcomes or "laps_limit" in options


@every
def test_causes_fit_the_rules(options: dict[str, Any]) -> None:
    """A number of spaces that the cause can bring, and nobody moved by what was not theirs."""
    causes: Counter[str] = Counter()
    for seed in SEEDS:
        match = played(options, seed)
        o = match.game.options
        kinds = match.game.cards.book_kinds  # type: ignore[attr-defined]
        for era in History(match).eras:
            for move in era.moves:
                by, camp = move.end - move.start, era.roles[move.seat] in CENSORS
                causes[move.cause.kind] += 1
                if move.cause.kind == BOOK:
                    full = o.banned_steps if camp else o.periodical_steps
                    assert kinds[move.cause.thing] == (BANNED if camp else PERIODICAL)
                    assert by == full or move.end == era.goal
                elif move.cause.kind == FUNCTION:
                    assert move.cause.thing in FUNCTIONS.values()
                    assert (by < 0) == (move.cause.thing in ("denunciation", "suspension"))
                    assert (move.seat != move.cause.by) or move.cause.thing != "denunciation"
                elif move.cause.kind == EVENT:
                    assert move.cause.thing in (1955, 1968, 1971, 1977, 1979, 1984, 1987, 1992)
                    assert (by > 0) == (move.cause.thing in (1977, 1987, 1992))
                else:
                    assert move.cause.kind == (SEARCH if camp == (by > 0) else PROTEST)
    assert set(causes) >= {BOOK, FUNCTION, EVENT}
    assert causes[SEARCH] + causes[PROTEST], "an attempt that succeeds moves somebody"


@pytest.mark.one_in(3)
@every
def test_books_and_lost_cards_are_all_told(options: dict[str, Any]) -> None:
    """Gains and losses equal what the hands, tables and role cards show before and after each
    entry.
    """
    for seed in SEEDS:
        match = played(options, seed)
        told = History(match).eras
        gains = {(gain.entry, gain.seat, gain.book) for era in told for gain in era.gains}
        losses = Counter(
            (loss.entry, loss.seat) for era in told for loss in era.losses if not loss.is_book
        )
        under = {
            (loss.entry, loss.seat, loss.card)
            for era in told
            for loss in era.losses
            if loss.is_book
        }
        taken = {
            (attempt.book, attempt.seat)
            for era in told
            for attempt in era.attempts
            if attempt.outcome == TAKEN
        }
        altering, dropping = False, set()
        for entry, before, action, after in moments(match):
            if before.era == after.era:
                for seat in range(4):
                    new = set(after.books[seat]) - set(before.books[seat])
                    assert all(
                        (entry, seat, book) in gains or (book, seat) in taken for book in new
                    )
            if isinstance(action, tuple) and action[0] == "under":
                owner = next(seat for seat in range(4) if action[1] in before.books[seat])
                dropping.add((entry, owner, action[1]))
                if (entry, owner, action[1]) not in under:
                    altering = True
            if isinstance(action, tuple) and action[0] in ("drop", "lose"):
                assert (
                    losses[entry, before.step[2] if action[0] == "drop" else match.log[entry][0]]
                    >= 1
                )
        assert under <= dropping
        assert altering or dropping == under
        for era in told:
            for loss in era.losses:
                assert loss.cause.thing in ("summons", "mail_check", "suspension", 1950, 1954, 1972)
            for gain in era.gains:
                assert gain.cause.kind == EXCHANGE or gain.cause.thing in (
                    "mimeograph",
                    "bookstall",
                    "altered",
                    "smuggling",
                    "first_issue",
                    1962,
                    1964,
                    1979,
                )


@pytest.mark.one_in(3)
@every
def test_a_book_card_comes_from_what_was_done_in_its_entry(options: dict[str, Any]) -> None:
    """The first one of an entry from the action; any other from an event that the move for it
    triggered.
    """
    events: Counter[int] = Counter()
    for seed in SEEDS:
        match = played(options, seed)
        kinds = match.game.cards.functions  # type: ignore[attr-defined]
        seen: set[int] = set()
        for gain in (gain for era in History(match).eras for gain in era.gains):
            word, thing = (
                action if isinstance(action := match.log[gain.entry][1], tuple) else (action, -1)
            )
            function = (
                kinds[thing]
                if word == "play"
                else {"take": "bookstall", "under": "altered"}.get(word, "")
            )
            happened = [
                event
                for event in match.events[gain.entry]
                if event.text in ("happens", "takes_book")
            ]
            first = happened[0].text == "takes_book" and gain.entry not in seen
            if word in ("exchange", "pay") and first:
                assert gain.cause.kind == EXCHANGE
            elif first and function in GIVING:
                assert (gain.cause.kind, gain.cause.thing) == (FUNCTION, function)
            else:
                assert gain.cause.kind == EVENT
                events[int(gain.cause.thing)] += 1
            seen.add(gain.entry)
    assert set(events) <= set(GIVES_BOOKS)
    assert options or set(events) == set(GIVES_BOOKS)


def test_each_pen_loses_one_card_to_the_event_of_1972() -> None:
    told = [era for seed in range(40) for era in History(played({"eras": (3,)}, seed)).eras]
    lost = [
        [loss for loss in era.losses if loss.cause.thing == 1972]
        for era in told
        if any(happening.event == 1972 for happening in era.happenings)
    ]
    assert [len(loss) for loss in lost] == [2] * len(lost)
    assert len(lost) > 4


def test_a_card_given_up_by_choice_is_no_loss() -> None:
    """Discards to freshen up, to trim or for want of anything else are the player's own."""
    match = played({"stale_cards": "discard_action"}, 1)
    own = {
        entry
        for entry, (_, action) in enumerate(match.log)
        if action == "refresh" or action[0] in ("discard", "pay")
    }
    lost = [loss for era in History(match).eras for loss in era.losses if loss.entry in own]
    assert not [loss for loss in lost if loss.cause.kind == FUNCTION]
    assert own


# Numbers and choices


def test_the_toll_adds_up_over_both_camps() -> None:
    for seed in SEEDS:
        history = History(played({"roles_each_era": "passed"}, seed))
        told = history.eras
        found = add_tolls([history])
        tried = [attempt for era in told for attempt in era.attempts]
        assert sum(entry.attempts for entry in found) == len(tried)
        assert sum(entry.books_won for entry in found) == sum(entry.books_lost for entry in found)
        assert sum(entry.successes for entry in found) == sum(
            attempt.outcome == TAKEN for attempt in tried
        )
        censors, pens = found[:2], found[2:]
        assert not any(
            censor.spaces_won or censor.spaces_lost for censor in censors
        )  # by the standard rules
        assert sum(pen.spaces_won for pen in pens) <= sum(pen.successes for pen in pens)
        assert sum(pen.spaces_lost for pen in pens) <= 2 * sum(
            censor.successes for censor in censors
        )
    assert len(found) == len(ROLES)


def test_decisions_are_those_of_the_log_with_turn_and_role() -> None:
    match = played({"roles_each_era": "drawn"}, 3)
    every_one = History(match).decisions
    assert [(decision.seat, decision.action) for decision in every_one] == match.log
    for each, (entry, before, _, _) in zip(every_one, moments(match), strict=True):
        assert (each.entry, each.era, each.turn, each.phase) == (
            entry,
            before.era,
            before.turns,
            before.phase,
        )
        assert each.action in each.legal
        assert each.lap == before.turns // 4 + 1
        assert each.role == (before.roles[each.seat] if each.seat != TABLE else -1)


def test_the_entry_that_lifted_martial_law_is_told() -> None:
    """That of the event, or that with which an era began in which it was lifted already."""
    for year in (1955, 1975):
        match = played({"lifting_year": year, "roles_each_era": "passed"}, 2)
        told = History(match).eras
        before = {
            entry
            for entry, events in enumerate([match.opening, *match.events], -1)
            if any(event.text == "lifted_before" for event in events)
        }
        for era in told:
            happened = [happening.entry for happening in era.happenings if happening.event == 1987]
            entries = [*happened, *(before & {era.begins - 1})]
            assert entries == ([] if era.lifted is None else [era.lifted])
        assert [era.lifted is None for era in told[2:]] == [False, False]


def test_throws_for_an_event_that_is_not_listed_are_read_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches = [played({"eras": (1,)}, seed) for seed in range(8)]
    before = [move for match in matches for era in History(match).eras for move in era.moves]
    assert any(move.cause.thing == 1955 for move in before)
    monkeypatch.setattr("coursekit.games.blockade.after.history.THROWS", {})
    again = [move for match in matches for era in History(match).eras for move in era.moves]
    assert [(move.entry, move.seat, move.end) for move in again] == [
        (move.entry, move.seat, move.end) for move in before
    ]


def test_a_match_that_is_not_over_is_told_so_far() -> None:
    match = played({}, 5)
    for upto in (0, 1, 30, len(match.log) // 2):
        part = replay(match.record(), upto, match.game)
        told = History(part).eras
        whole = History(match).eras[: len(told)]
        assert told[-1].ended == "" or part.state.phase == "era"
        assert [era.moves for era in told[:-1]] == [whole_era.moves for whole_era in whole[:-1]]
        assert told[-1].moves == [move for move in whole[-1].moves if move.entry < upto]
    assert isinstance(told[-1], Era)
