"""What each check asks of one game and one seed."""

import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields
from math import comb, log, prod
from random import Random
from typing import Any

from coursekit.core.chance import pick, random_below, stream
from coursekit.core.game import (
    TABLE,
    CommonObservation,
    Event,
    Game,
    IllegalAction,
    Refusal,
    Seat,
    pick_action,
    sentence,
    turn_observer,
)
from coursekit.core.match import Match, Record, replay
from coursekit.core.options import to_tuples
from coursekit.testing.illegal_actions import is_among, neighbours, strange_actions
from coursekit.testing.random_match import AnyGame, Walk, first_difference, parts, seen_parts
from coursekit.testing.random_options import draw_some
from coursekit.testing.scene_checks import check_scenes
from coursekit.words.texts import LANGUAGES, shorten

LONG = 200  # actions, after which not every moment is looked at

Places = Callable[[Any, Any], Iterable[tuple[Iterable[Any], Collection[Seat] | None]]]
"""From a game and a state to the places where its pieces lie: for each the pieces, and the seats
that see them, ``None`` for everybody.  Always the same places in the same order."""


def check_play(game: AnyGame, seed: str) -> None:
    """A random match ends within ``game.longest``, and every question has a sensible answer.

    Each seat in ``to_act`` has a legal action, which also stands in its observation, in one of the
    game's phases if it names them.  ``observe_turn`` tells what ``to_act`` and ``observe`` do.
    Asking changes nothing.  There is no winner before the end.
    """
    with Walk(game, seed) as walk:
        for match in walk:
            state, before = match.state, parts(match.state)
            deciding = game.to_act(state)
            if type(deciding) is not tuple or not set(deciding) <= {TABLE, *game.seats}:
                raise walk.broken(
                    f"to_act gave {deciding}; a tuple of seats of {game.seats} was expected"
                )
            if len(set(deciding)) != len(deciding):
                raise walk.broken(f"to_act names a seat twice: {deciding}")
            for seat in (*game.seats, None):
                seen = game.observe(state, seat)
                legal = (
                    game.legal_actions(state, seat) if seat in deciding and seat is not None else ()
                )
                if type(seen.phase) is not str or (
                    isinstance(legal, tuple) and seen.legal != legal
                ):
                    raise walk.broken(
                        f"seat {seat} observes phase {seen.phase!r} and legal {seen.legal}, not {legal}"
                    )
                if seat in deciding and game.phases and seen.phase not in game.phases:
                    raise walk.broken(
                        f"seat {seat} decides in {seen.phase!r}, which is none of phases {game.phases}"
                    )
            turn, expected = turn_observer(game)(state), Game.observe_turn(game, state)
            if _listed(turn) != _listed(expected):
                raise walk.broken(
                    f"observe_turn gave {turn}, not {expected}, as to_act and observe say"
                )
            for seat in deciding:
                legal = game.legal_actions(state, seat)
                if not legal if isinstance(legal, tuple) else legal.sample(walk.rng) not in legal:
                    raise walk.broken(f"seat {seat} has to decide and no legal action")
                if isinstance(legal, tuple) and len(set(legal)) != len(legal):
                    raise walk.broken(f"seat {seat} has the same legal action twice: {legal}")
            scores, winners = game.scores(state), game.winners(state)
            if len(scores) != game.players or any(type(points) is not int for points in scores):
                raise walk.broken(
                    f"scores gave {scores}; {game.players} whole numbers were expected"
                )
            if not set(winners) <= set(game.seats if not deciding else ()):
                raise walk.broken(f"winners gave {winners} while {deciding} still have to decide")
            if parts(state) != before:
                raise walk.broken(
                    f"only asking changed the state: {first_difference(before, parts(state))}"
                )


def _listed(seen: CommonObservation | None) -> dict[str, Any] | None:
    """Return the fields of an observation that can be compared: free input is made anew each time."""
    if seen is None:
        return None
    values = seen.values()
    if not isinstance(seen.legal, tuple):
        values["legal"] = type(seen.legal)
    return values


def check_actions(game: AnyGame, seed: str) -> None:
    """Exactly the legal actions are accepted; any other is refused, with a reason in every
    language.

    The others are what is legal at other moments, ints beside and between, equal values of another
    type, other seats, and things that are no action at all.  A refused action changes nothing.
    """
    told: set[str] = set()
    elsewhere = _every_action(game, seed)
    with Walk(game, seed) as walk:
        for match in walk:
            deciding, before = game.to_act(match.state), _all_of(match)
            if deciding and skips_moment(walk):
                continue
            for seat in deciding:
                legal = game.legal_actions(match.state, seat)
                examples = (
                    legal
                    if isinstance(legal, tuple)
                    else tuple(legal.sample(walk.rng) for _ in range(3))
                )
                for action in examples:
                    if (refusal := game.refusal(match.state, seat, action)) is not None:
                        raise walk.broken(
                            f"seat {seat}: {action!r} is in legal_actions and refused: {refusal}"
                        )
                others = neighbours(examples) + draw_some(walk.rng, 12, elsewhere)
                for action in others + draw_some(
                    walk.rng, 12, strange_actions(pick(walk.rng, examples))
                ):
                    if not is_among(action, legal):
                        _refused(walk, match, seat, action, told)
                for other in (
                    True,
                    1.0,
                    str(seat),
                    None,
                    TABLE,
                    -2,
                    game.players,
                    10**30,
                    *game.seats,
                ):
                    if type(other) is not int or other not in deciding:
                        _refused(walk, match, other, examples[0], told)
            if not deciding:
                for seat in (TABLE, *game.seats):
                    _refused(walk, match, seat, match.log[-1][1] if match.log else 0, told)
            if _all_of(match) != before:
                raise walk.broken(
                    "a refused action changed the state, the log, the events or the chance"
                )


def check_replay(game: AnyGame, seed: str) -> None:
    """Playing the log again gives the same state at every step, and so does the record.

    All chance comes from the generator that the game is handed, and from its ``random()`` only:
    the other methods may differ from one Python to the next.
    """
    with Walk(game, seed) as walk:
        outside = random.getstate()
        steps = [parts(match.state) for match in walk]
        match = walk.match
        assert match is not None
        if random.getstate() != outside:
            raise walk.broken("the game drew from the module random instead of its rng")
        walk.entry, chance = 0, _OnlyRandom(stream(seed, "chance"))
        state = game.initial_state(chance)
        told: list[Sequence[Event]] = [game.opening(state)]
        for seat, action in match.log:
            _same_parts(walk, steps[walk.entry], parts(state), "played again")
            told.append(game.apply(state, seat, action, chance))
            walk.entry += 1
        _same_parts(walk, steps[-1], parts(state), "played again")
        if told != [match.opening, *match.events]:
            raise walk.broken("played again, the same actions told another story")
        record = match.record()
        for upto in sorted({0, random_below(walk.rng, len(match.log) + 1), len(match.log)}):
            walk.entry = upto
            _same_parts(
                walk,
                steps[upto],
                parts(replay(record, upto, game).state),
                "replayed from the record",
            )
        fork = match.fork(random_below(walk.rng, len(match.log) + 1), f"{seed} fork")
        while deciding := game.to_act(fork.state):
            fork.play(
                deciding[0], pick_action(game.legal_actions(fork.state, deciding[0]), walk.rng)
            )
        for branch in (match, fork):
            _same_parts(
                walk,
                parts(branch.state),
                parts(replay(branch.record(), game=game).state),
                "replayed",
            )
            if to_tuples(json.loads(branch.record().dumps())["log"]) != tuple(branch.log):
                raise walk.broken(
                    "an action is not the same after JSON: use ints, strings and tuples of them"
                )
            if _registered(game) and Record.loads(branch.record().dumps()) != branch.record():
                raise walk.broken("the record is not the same after saving and loading")


def check_copy(game: AnyGame, seed: str) -> None:
    """A copy of a state is equal to it, goes on as it does, and takes nothing of it along."""
    with Walk(game, seed) as walk:
        for match in walk:
            before = parts(match.state)
            if skips_moment(walk):
                continue
            copy, twin = game.copy(match.state), game.copy(match.state)
            _same_parts(walk, before, parts(copy), "copied")
            chance, again = stream(seed, f"copy {walk.entry}"), stream(seed, f"copy {walk.entry}")
            for _ in range(3):
                if deciding := game.to_act(copy):
                    action = pick_action(game.legal_actions(copy, deciding[0]), walk.rng)
                    game.apply(copy, deciding[0], action, chance)
                    game.apply(twin, deciding[0], action, again)
            _same_parts(walk, parts(copy), parts(twin), "copied and played on")
            _same_parts(walk, before, parts(match.state), "after a copy was played on")


def check_secrets(game: AnyGame, seed: str) -> None:
    """No observation depends on what is hidden from its seat, for every seat and a spectator.

    (In a long match for one of them at a time, after :data:`LONG` actions.)
    ``resample`` draws all that anew; observing the result has to give the same observation.
    A guess is also a position: it can be played to its end.
    """
    with Walk(game, seed) as walk:
        for match in walk:
            all_of_them = (*game.seats, None)
            for seat in all_of_them if len(match.log) < LONG else (pick(walk.rng, all_of_them),):
                seen = game.observe(match.state, seat)
                guess = game.resample(seen, walk.rng)
                again = game.observe(guess, seat)
                if again != seen:
                    where = first_difference(seen_parts(seen), seen_parts(again))
                    raise walk.broken(
                        f"what seat {seat} observes depends on hidden things: {where}"
                    )
            if random_below(walk.rng, 20) == 0 and not skips_moment(walk):
                guess = game.resample(
                    game.observe(match.state, pick(walk.rng, game.seats)), walk.rng
                )
                actions = 0
                while deciding := game.to_act(guess):
                    legal = game.legal_actions(guess, deciding[0])
                    game.apply(guess, deciding[0], pick_action(legal, walk.rng), walk.rng)
                    if (actions := actions + 1) > game.longest:
                        raise walk.broken("a resampled position, played on, does not end")


def check_sealed(
    game: AnyGame, seed: str, in_the_open: Callable[[Any], bool] = lambda action: False
) -> None:
    """While others still decide, no seat can see or read what one has chosen.

    :param in_the_open: whether an action is one that all may see at once by the rules.
    """
    with Walk(game, seed) as walk:
        for match in walk:
            deciding = game.to_act(match.state)
            if len(deciding) < 2:
                continue
            chooser = pick(walk.rng, deciding)
            legal = game.legal_actions(match.state, chooser)
            choices = (
                legal if isinstance(legal, tuple) else [legal.sample(walk.rng) for _ in range(6)]
            )
            first: dict[Seat | None, tuple[Any, Any]] = {}
            for action in draw_some(
                walk.rng, 6, [action for action in choices if not in_the_open(action)]
            ):
                after = deepcopy(match.state)
                events = game.apply(after, chooser, action, stream(seed, "probe"))
                if not set(game.to_act(after)) & (set(deciding) - {chooser}):
                    break  # that was the last decision: now all may be shown
                for seat in (*game.seats, None):
                    learned = game.observe(after, seat), _read_by(seat, events)
                    if seat != chooser and first.setdefault(seat, learned) != learned:
                        raise walk.broken(
                            f"seat {seat} can tell what seat {chooser} chose: {learned} after {action!r}, "
                            f"{first[seat]} after another action"
                        )


def check_story(game: AnyGame, seed: str) -> None:
    """What a seat may read tells it nothing that its observation does not hold.

    The same action is carried out in worlds that look the same to the seat, with different
    chance; where it sees no difference afterwards, it may not read one either.
    """
    with Walk(game, seed) as walk:
        deals = [game.initial_state(stream(seed, f"deal {n}")) for n in range(60)]
        _told_alike(walk, None, [(game.observe(deal, None), game.opening(deal)) for deal in deals])
        for match in walk:
            for event in (
                event for events in (match.events[-1:] or [match.opening]) for event in events
            ):
                if event.audience is not None and not set(event.audience) <= set(game.seats):
                    raise walk.broken(
                        f"audience {event.audience} of {event.text} is not among {game.seats}"
                    )
            if not (deciding := game.to_act(match.state)) or skips_moment(walk):
                continue
            reader, actor = pick(walk.rng, (*game.seats, None)), pick(walk.rng, deciding)
            action = pick_action(game.legal_actions(match.state, actor), walk.rng)
            seen, worlds = game.observe(match.state, reader), 2
            outcomes: list[tuple[Any, Sequence[Event]]] = []
            while len(outcomes) < worlds:
                same = game.resample(seen, walk.rng) if outcomes else deepcopy(match.state)
                if game.refusal(same, actor, action) is not None:
                    break
                chance = stream(seed, f"world {len(outcomes)}")
                untouched = chance.getstate()
                events = game.apply(same, actor, action, chance)
                outcomes.append((game.observe(same, reader), events))
                if chance.getstate() != untouched:
                    worlds = 40  # a new deal seldom looks the same twice
            _told_alike(walk, reader, outcomes)


def check_plain(game: AnyGame, seed: str) -> None:
    """State and observations are plain data: the same again after JSON.

    A state is a dataclass of ints, strings, and lists and tuples of them, with no list inside a
    tuple, because :meth:`.Game.copy` does not look there. An observation is one of ints, strings
    and tuples, all its fields filled, so that no strategy can change anything through it.
    """
    with Walk(game, seed) as walk:
        for match in walk:
            if skips_moment(walk):
                continue
            state = match.state
            held = {field.name: getattr(state, field.name) for field in fields(state)}
            if not hasattr(type(state), "__slots__"):
                raise walk.broken(
                    f"{type(state).__name__} is not slotted, so a misspelt field would go unnoticed"
                )
            for name, value in held.items():
                if not _plain(value, (list, tuple)):
                    raise walk.broken(
                        f"state.{name} is {value!r}; ints, strings, lists and tuples are expected"
                    )
            if to_tuples(list(json.loads(json.dumps(held)).values())) != to_tuples(
                list(held.values())
            ):
                raise walk.broken("the state is not the same after JSON")
            for seat in (*game.seats, None):
                seen = game.observe(state, seat)
                if unfilled := [
                    field.name for field in fields(seen) if not hasattr(seen, field.name)
                ]:
                    raise walk.broken(
                        f"observe left {', '.join(unfilled)} unfilled for seat {seat}"
                    )
                kept = seen.values()
                if not isinstance(kept["legal"], tuple):  # free input is a rule, not data
                    kept["legal"] = ()
                for name, value in kept.items():
                    if not _plain(value, (tuple,)):
                        raise walk.broken(
                            f"observation.{name} is {value!r}; ints, strings and tuples are expected"
                        )
                if to_tuples(list(json.loads(json.dumps(kept)).values())) != tuple(kept.values()):
                    raise walk.broken(f"what seat {seat} observes is not the same after JSON")


def check_telling(game: AnyGame, seed: str) -> None:
    """Everything that happens can be told in every language."""
    told: set[str] = set()
    with Walk(game, seed) as walk:
        for match in walk:
            for event in match.opening if not match.events else match.events[-1]:
                _tell(walk, event, told)


def check_conservation(game: AnyGame, seed: str, places: Places) -> None:
    """No piece is lost or doubled: all *places* together hold the same pieces at every moment.

    The same goes for the positions that ``resample`` draws.
    """
    with Walk(game, seed) as walk:
        pieces: list[Any] | None = None
        for match in walk:
            states = [match.state]
            if not skips_moment(walk):
                seen = game.observe(match.state, pick(walk.rng, (*game.seats, None)))
                states.append(game.resample(seen, walk.rng))
            for state in states:
                now = sorted(piece for lying, _ in places(game, state) for piece in lying)
                pieces = now if pieces is None else pieces
                if now != pieces:
                    lost, added = _without(pieces, now), _without(now, pieces)
                    raise walk.broken(f"pieces lost: {lost}, pieces that were not there: {added}")


def check_hidden(game: AnyGame, seed: str, places: Places) -> None:
    """What a place hides from a seat is guessed right no more often than by luck.

    :func:`check_secrets` cannot notice a secret that the observation tells and ``resample`` puts
    back in its place.  So what is hidden is said a second time, by *places*.
    """
    luck: dict[
        tuple[Seat | None, int, str], float
    ] = {}  # logarithm of the chance that all guesses are right
    wrong = set()
    with Walk(game, seed) as walk:
        for match in walk:
            closely = (
                len(match.log) < 3
            )  # later a player may know much by rights, such as who has no card of a suit
            for seat in (*game.seats, None) if closely else (pick(walk.rng, (*game.seats, None)),):
                seen, true = game.observe(match.state, seat), list(places(game, match.state))
                hidden = [
                    [] if who is None or seat in who else sorted(pieces) for pieces, who in true
                ]
                pool = Counter(piece for pieces in hidden for piece in pieces)
                for _ in range(20 if closely else 1):
                    guess = places(game, game.resample(seen, walk.rng))
                    for number, (truth, (guessed, _)) in enumerate(zip(hidden, guess, strict=True)):
                        alike = prod(
                            comb(pool[piece], count) for piece, count in Counter(truth).items()
                        )
                        for when in [f"in phase {seen.phase!r}"] + [
                            f"after {walk.entry} actions"
                        ] * closely:
                            where = seat, number, when
                            luck[where] = luck.get(where, 0.0) + log(
                                alike / comb(pool.total(), len(truth))
                            )
                            if sorted(guessed) != truth:
                                wrong.add(where)
        for where, chance in luck.items():
            if where not in wrong and chance < log(1e-8):
                seat, number, when = where
                raise walk.broken(
                    f"seat {seat} knows {when} what place {number} (from 0, as `places` yields them) hides from it: "
                    "a field of its observation tells it"
                )


CHECKS: tuple[Callable[[AnyGame, str], None], ...] = (
    check_plain,
    check_play,
    check_actions,
    check_replay,
    check_copy,
    check_secrets,
    check_sealed,
    check_story,
    check_telling,
    check_scenes,
)
"""The checks that need a game and a seed, nothing else."""


# The parts of the checks


def skips_moment(walk: Walk) -> bool:
    """Return whether a check that takes long leaves this moment out: three of four in a long match."""
    return walk.entry > LONG and random_below(walk.rng, 4) > 0


class _OnlyRandom(Random):
    """A generator that has ``random()`` and what is built on it, but no bits of its own."""

    def __init__(self, like: Random) -> None:
        super().__init__()
        self.setstate(like.getstate())

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError(
            "chance is built on rng.random() only: use coursekit.core.chance.below, pick, shuffle"
        )


def _every_action(game: AnyGame, seed: str) -> list[Any]:
    """Return the actions that are legal for a seat at some moment of a random match."""
    found = {}
    with Walk(game, seed) as walk:
        for match in walk:
            for seat in game.to_act(match.state):
                legal = game.legal_actions(match.state, seat)
                for action in legal if isinstance(legal, tuple) else (legal.sample(walk.rng),):
                    found[repr(action)] = action
    return list(found.values())


def _same_parts(walk: Walk, expected: Mapping[str, str], got: Mapping[str, str], how: str) -> None:
    if expected != got:
        raise walk.broken(f"{how}, the state is another: {first_difference(expected, got)}")


def _all_of(match: Match) -> tuple[Any, ...]:
    return (
        parts(match.state),
        len(match.log),
        len(match.events),
        match.seeds[:],
        match._rng.getstate(),
    )


def _plain(value: Any, sequences: tuple[type[Any], ...]) -> bool:
    if type(value) in sequences:
        return all(_plain(part, (tuple,) if type(value) is tuple else sequences) for part in value)
    return value is None or type(value) in (int, str, bool)


def _registered(game: AnyGame) -> bool:
    from coursekit.kit import GAMES

    return game.name in GAMES and GAMES[game.name].rules is type(game)


def _read_by(seat: Seat | None, events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.audience is None or seat in event.audience]


def _told_alike(
    walk: Walk, reader: Seat | None, outcomes: Sequence[tuple[Any, Sequence[Event]]]
) -> None:
    """Check that of these (observation, events), equal observations come with equal sentences."""
    known: list[tuple[Any, list[Event]]] = []
    for seen, events in outcomes:
        told = _read_by(reader, events)
        before = next((words for other, words in known if other == seen), None)
        if before is not None and before != told:
            raise walk.broken(f"seat {reader} reads what it cannot see: {told}, but also {before}")
        known.append((seen, told))


def _without(pieces: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    left = list(pieces)
    for piece in others:
        if piece in left:
            left.remove(piece)
    return left


def _refused(walk: Walk, match: Match, seat: Any, action: Any, told: set[str]) -> None:
    """Check that *match* refuses *action*, with a reason that can be told."""
    try:
        match.play(seat, action)
    except IllegalAction as error:
        _tell(walk, error.refusal, told)
    except Exception as error:
        raise walk.broken(
            f"seat {shorten(seat)}: {shorten(action)} raises {type(error).__name__}: {error}, not IllegalAction"
        ) from error
    else:
        raise walk.broken(
            f"seat {shorten(seat)}: {shorten(action)} is accepted, but is not in legal_actions"
        )


def _tell(walk: Walk, about: Event | Refusal, told: set[str]) -> None:
    """Check that *about* makes a sentence in every language; *told* saves doing it twice."""
    key = repr([about.text, *map(shorten, about.values.values())])
    if key in told:
        return
    told.add(key)
    for language in LANGUAGES:
        words = sentence(walk.game, about, language)
        if not words.strip():
            raise walk.broken(f"{about.text} makes no sentence in {language}: {words!r}")
