"""The checks of one game with one seed: what must hold at each moment of a random match."""

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
    AnyGame,
    CommonObservation,
    Event,
    FreeInput,
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
from coursekit.testing.random_house_rules import draw_some
from coursekit.testing.random_match import (
    Walk,
    first_difference,
    observation_parts,
    state_parts,
)
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
            before = state_parts(match.state)
            _check_questions(walk, match.state)
            after = state_parts(match.state)
            if after != before:
                difference = first_difference(before, after)
                raise walk.broken(f"only asking changed the state: {difference}")


def _check_questions(walk: Walk, state: Any) -> None:
    game = walk.game
    deciding = game.to_act(state)
    if type(deciding) is not tuple or not set(deciding) <= {TABLE, *game.seats}:
        raise walk.broken(f"to_act gave {deciding}; a tuple of seats of {game.seats} was expected")
    if len(set(deciding)) != len(deciding):
        raise walk.broken(f"to_act names a seat twice: {deciding}")
    for seat in (*game.seats, None):
        _check_observation(walk, state, seat, seat in deciding)
    turn = turn_observer(game)(state)
    expected = Game.observe_turn(game, state)
    if _comparable_values(turn) != _comparable_values(expected):
        raise walk.broken(f"observe_turn gave {turn}, not {expected}, as to_act and observe say")
    for seat in deciding:
        legal = game.legal_actions(state, seat)
        examples = _examples(legal, walk.rng, 1)
        if not examples or examples[0] not in legal:
            raise walk.broken(f"seat {seat} has to decide and no legal action")
        if isinstance(legal, tuple) and len(set(legal)) != len(legal):
            raise walk.broken(f"seat {seat} has the same legal action twice: {legal}")
    scores = game.scores(state)
    if len(scores) != game.players or any(type(points) is not int for points in scores):
        raise walk.broken(f"scores gave {scores}; {game.players} whole numbers were expected")
    winners = game.winners(state)
    if not set(winners) <= set(() if deciding else game.seats):
        raise walk.broken(f"winners gave {winners} while {deciding} still have to decide")


def _check_observation(walk: Walk, state: Any, seat: Seat | None, decides: bool) -> None:
    game = walk.game
    observation = game.observe(state, seat)
    legal: Any = ()
    if decides and seat is not None:
        legal = game.legal_actions(state, seat)
    phase = observation.phase
    if type(phase) is not str or (isinstance(legal, tuple) and observation.legal != legal):
        got = f"phase {phase!r} and legal {observation.legal}"
        raise walk.broken(f"seat {seat} observes {got}, not {legal}")
    if decides and game.phases and phase not in game.phases:
        raise walk.broken(f"seat {seat} decides in {phase!r}, none of the phases {game.phases}")


def _comparable_values(observation: CommonObservation | None) -> dict[str, Any] | None:
    """Return the fields of an observation; of free input, which is never the same, the type."""
    if observation is None:
        return None
    values = observation.values()
    if not isinstance(observation.legal, tuple):
        values["legal"] = type(observation.legal)
    return values


def check_actions(game: AnyGame, seed: str) -> None:
    """Exactly the legal actions are accepted; all others are refused with a reason.

    The others are what is legal at other moments, ints beside and between, equal values of another
    type, other seats, and things that are no action at all.  A refused action changes nothing.
    """
    refusals: set[str] = set()
    elsewhere = _every_action(game, seed)
    with Walk(game, seed) as walk:
        for match in walk:
            deciding = game.to_act(match.state)
            before = _everything(match)
            if deciding and skips_moment(walk):
                continue
            for seat in deciding:
                _check_actions_of(walk, match, seat, elsewhere, refusals)
            if not deciding:
                last = match.log[-1][1] if match.log else 0
                for seat in (TABLE, *game.seats):
                    _check_refused(walk, match, seat, last, refusals)
            if _everything(match) != before:
                what = "the state, the log, the events or the chance"
                raise walk.broken(f"a refused action changed {what}")


def _check_actions_of(
    walk: Walk, match: Match, seat: Seat, elsewhere: Sequence[Any], refusals: set[str]
) -> None:
    game, rng = walk.game, walk.rng
    legal = game.legal_actions(match.state, seat)
    examples = _examples(legal, rng, 3)
    for action in examples:
        refusal = game.refusal(match.state, seat, action)
        if refusal is not None:
            said = f"{action!r} is in legal_actions and refused"
            raise walk.broken(f"seat {seat}: {said}: {refusal}")
    # What nearly is an action finds more mistakes than what is far from one.
    others = neighbours(examples) + draw_some(rng, 12, elsewhere)
    others += draw_some(rng, 12, strange_actions(pick(rng, examples)))
    for action in others:
        if not is_among(action, legal):
            _check_refused(walk, match, seat, action, refusals)
    # True == 1 and 1.0 == 1, but neither is a seat.
    no_seats = (True, 1.0, str(seat), None, TABLE, -2, game.players, 10**30)
    deciding = game.to_act(match.state)
    for other in (*no_seats, *game.seats):
        if type(other) is not int or other not in deciding:
            _check_refused(walk, match, other, examples[0], refusals)


def check_replay(game: AnyGame, seed: str) -> None:
    """Playing the log again gives the same state at every step, and so does the record.

    All chance comes from the generator that the game is handed, and from its ``random()`` only:
    the other methods may differ from one Python to the next.
    """
    with Walk(game, seed) as walk:
        outside = random.getstate()
        # The whole match first; then it is played again beside what was noted.
        steps = [state_parts(match.state) for match in walk]
        match = walk.match
        assert match is not None
        if random.getstate() != outside:
            raise walk.broken("the game drew from the module random instead of its rng")
        _check_played_again(walk, match, steps)
        record = match.record()
        actions = len(match.log)
        for upto in sorted({0, random_below(walk.rng, actions + 1), actions}):
            walk.entry = upto
            again = replay(record, upto, game)
            _check_same_state(walk, steps[upto], again.state, "replayed from the record")
        # A fork has chance of its own from one entry on, and its record says from which.
        fork = match.fork(random_below(walk.rng, actions + 1), f"{seed} fork")
        while deciding := game.to_act(fork.state):
            legal = game.legal_actions(fork.state, deciding[0])
            fork.play(deciding[0], pick_action(legal, walk.rng))
        for branch in (match, fork):
            _check_record(walk, branch)


def _check_played_again(walk: Walk, match: Match, steps: Sequence[Mapping[str, str]]) -> None:
    game = walk.game
    chance = _RandomOnly(stream(walk.seed, "chance"))
    walk.entry = 0
    state = game.initial_state(chance)
    events: list[Sequence[Event]] = [game.opening(state)]
    for seat, action in match.log:
        _check_same_state(walk, steps[walk.entry], state, "played again")
        events.append(game.apply(state, seat, action, chance))
        walk.entry += 1
    _check_same_state(walk, steps[-1], state, "played again")
    if events != [match.opening, *match.events]:
        raise walk.broken("played again, the same actions have other events")


def _check_record(walk: Walk, match: Match) -> None:
    record = match.record()
    again = replay(record, game=walk.game)
    _check_same_state(walk, state_parts(match.state), again.state, "replayed")
    if to_tuples(json.loads(record.dumps())["log"]) != tuple(match.log):
        needed = "use ints, strings and tuples of them"
        raise walk.broken(f"an action is not the same after JSON: {needed}")
    if _is_registered(walk.game) and Record.loads(record.dumps()) != record:
        raise walk.broken("the record is not the same after saving and loading")


def check_copy(game: AnyGame, seed: str) -> None:
    """A copy of a state is equal to it, goes on as it does, and takes nothing of it along."""
    with Walk(game, seed) as walk:
        for match in walk:
            before = state_parts(match.state)
            if skips_moment(walk):
                continue
            # Two copies with the same chance: what one changes must not show in the other.
            copy, twin = game.copy(match.state), game.copy(match.state)
            _check_same_state(walk, before, copy, "copied")
            use = f"copy {walk.entry}"
            chance, same_chance = stream(seed, use), stream(seed, use)
            for _ in range(3):
                if deciding := game.to_act(copy):
                    action = pick_action(game.legal_actions(copy, deciding[0]), walk.rng)
                    game.apply(copy, deciding[0], action, chance)
                    game.apply(twin, deciding[0], action, same_chance)
            _check_same_state(walk, state_parts(copy), twin, "copied and played on")
            _check_same_state(walk, before, match.state, "after a copy was played on")


def check_secrets(game: AnyGame, seed: str) -> None:
    """No observation depends on what is hidden from its seat, for every seat and a spectator.

    (In a long match for one of them at a time, after :data:`LONG` actions.)
    ``resample`` draws all that anew; observing the result has to give the same observation.
    A guess is also a position: it can be played to its end.
    """
    with Walk(game, seed) as walk:
        for match in walk:
            observers: Sequence[Seat | None] = (*game.seats, None)
            if len(match.log) >= LONG:
                observers = (pick(walk.rng, observers),)
            for seat in observers:
                observation = game.observe(match.state, seat)
                again = game.observe(game.resample(observation, walk.rng), seat)
                if again != observation:
                    one, other = observation_parts(observation), observation_parts(again)
                    where = first_difference(one, other)
                    raise walk.broken(
                        f"what seat {seat} observes depends on hidden things: {where}"
                    )
            if random_below(walk.rng, 20) == 0 and not skips_moment(walk):
                _check_guess_ends(walk, match.state)


def _check_guess_ends(walk: Walk, state: Any) -> None:
    game, rng = walk.game, walk.rng
    guess = game.resample(game.observe(state, pick(rng, game.seats)), rng)
    actions = 0
    while deciding := game.to_act(guess):
        legal = game.legal_actions(guess, deciding[0])
        game.apply(guess, deciding[0], pick_action(legal, rng), rng)
        actions += 1
        if actions > game.longest:
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
            choices = [
                action for action in _examples(legal, walk.rng, 6) if not in_the_open(action)
            ]
            # What each seat learns of the first choice it must learn of every other one.
            first: dict[Seat | None, tuple[Any, Any]] = {}
            for action in draw_some(walk.rng, 6, choices):
                after = deepcopy(match.state)
                events = game.apply(after, chooser, action, stream(seed, "probe"))
                if not set(game.to_act(after)) & (set(deciding) - {chooser}):
                    break  # that was the last decision: now all may be shown
                for seat in (*game.seats, None):
                    learned = game.observe(after, seat), _read_by(seat, events)
                    if seat != chooser and first.setdefault(seat, learned) != learned:
                        outcomes = f"{learned} after {action!r}, {first[seat]} after another action"
                        raise walk.broken(
                            f"seat {seat} can tell what seat {chooser} chose: {outcomes}"
                        )


def check_story(game: AnyGame, seed: str) -> None:
    """What a seat may read tells it nothing that its observation does not hold.

    The same action is carried out in worlds that look the same to the seat, with different
    chance; where it sees no difference afterwards, it may not read one either.
    """
    with Walk(game, seed) as walk:
        # The opening is no action, so it is compared between deals.
        deals = [game.initial_state(stream(seed, f"deal {n}")) for n in range(60)]
        openings = [(game.observe(deal, None), game.opening(deal)) for deal in deals]
        _check_read_alike(walk, None, openings)
        for match in walk:
            for event in match.events[-1] if match.events else match.opening:
                readers = event.audience
                if readers is not None and not set(readers) <= set(game.seats):
                    where = f"audience {readers} of {event.text}"
                    raise walk.broken(f"{where} is not among {game.seats}")
            deciding = game.to_act(match.state)
            if not deciding or skips_moment(walk):
                continue
            reader = pick(walk.rng, (*game.seats, None))
            actor = pick(walk.rng, deciding)
            action = pick_action(game.legal_actions(match.state, actor), walk.rng)
            _check_read_alike(walk, reader, _outcomes(walk, match.state, reader, actor, action))


def _outcomes(
    walk: Walk, state: Any, reader: Seat | None, actor: Seat, action: Any
) -> list[tuple[Any, Sequence[Event]]]:
    """Return what *reader* observes after *action* in worlds that look the same, and the events."""
    game = walk.game
    observation = game.observe(state, reader)
    worlds = 2
    outcomes: list[tuple[Any, Sequence[Event]]] = []
    while len(outcomes) < worlds:
        world = game.resample(observation, walk.rng) if outcomes else deepcopy(state)
        if game.refusal(world, actor, action) is not None:
            break
        chance = stream(walk.seed, f"world {len(outcomes)}")
        # Without chance two worlds are enough to see a difference.
        untouched = chance.getstate()
        events = game.apply(world, actor, action, chance)
        outcomes.append((game.observe(world, reader), events))
        if chance.getstate() != untouched:
            worlds = 40  # a new deal seldom looks the same twice
    return outcomes


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
            kind = type(state)
            if not hasattr(kind, "__slots__"):
                why = "so a misspelt field would go unnoticed"
                raise walk.broken(f"{kind.__name__} is not slotted, {why}")
            values = {field.name: getattr(state, field.name) for field in fields(state)}
            _check_plain_values(walk, "state", values, (list, tuple))
            for seat in (*game.seats, None):
                observation = game.observe(state, seat)
                names = [field.name for field in fields(observation)]
                unfilled = [name for name in names if not hasattr(observation, name)]
                if unfilled:
                    missing = ", ".join(unfilled)
                    raise walk.broken(f"observe left {missing} unfilled for seat {seat}")
                values = observation.values()
                if not isinstance(values["legal"], tuple):  # free input is a rule, not data
                    values["legal"] = ()
                _check_plain_values(walk, "observation", values, (tuple,))


def _check_plain_values(
    walk: Walk, what: str, values: Mapping[str, Any], sequences: tuple[type[Any], ...]
) -> None:
    for name, value in values.items():
        if not _is_plain(value, sequences):
            kinds = "lists and tuples" if list in sequences else "and tuples"
            raise walk.broken(f"{what}.{name} is {value!r}; ints, strings, {kinds} are expected")
    again = json.loads(json.dumps(values))
    if to_tuples(list(again.values())) != to_tuples(list(values.values())):
        raise walk.broken(f"the {what} is not the same after JSON")


def check_telling(game: AnyGame, seed: str) -> None:
    """Everything that happens has a sentence in every language."""
    checked: set[str] = set()
    with Walk(game, seed) as walk:
        for match in walk:
            for event in match.events[-1] if match.events else match.opening:
                _check_sentence(walk, event, checked)


def check_conservation(game: AnyGame, seed: str, places: Places) -> None:
    """No piece is lost or doubled: all *places* together hold the same pieces at every moment.

    The same goes for the positions that ``resample`` draws.
    """
    with Walk(game, seed) as walk:
        pieces: list[Any] | None = None
        for match in walk:
            states = [match.state]
            if not skips_moment(walk):
                observation = game.observe(match.state, pick(walk.rng, (*game.seats, None)))
                states.append(game.resample(observation, walk.rng))
            for state in states:
                now = sorted(piece for lying, _ in places(game, state) for piece in lying)
                pieces = now if pieces is None else pieces
                if now != pieces:
                    lost = list((Counter(pieces) - Counter(now)).elements())
                    added = list((Counter(now) - Counter(pieces)).elements())
                    raise walk.broken(f"pieces lost: {lost}, pieces that were not there: {added}")


def check_hidden(game: AnyGame, seed: str, places: Places) -> None:
    """What a place hides from a seat is guessed right no more often than by luck.

    :func:`check_secrets` cannot notice a secret that the observation tells and ``resample`` puts
    back in its place.  So what is hidden is said a second time, by *places*.
    """
    luck: dict[tuple[Seat | None, int, str], float] = {}
    """By seat, place and time, the logarithm of the chance that all guesses are right."""
    wrong = set()
    with Walk(game, seed) as walk:
        for match in walk:
            # Later a player may know much by rights, such as who has no card of a suit.
            closely = len(match.log) < 3
            observers: Sequence[Seat | None] = (*game.seats, None)
            for seat in observers if closely else (pick(walk.rng, observers),):
                observation = game.observe(match.state, seat)
                times = [f"in phase {observation.phase!r}"]
                if closely:
                    times.append(f"after {walk.entry} actions")
                hidden = []
                for pieces, seats in places(game, match.state):
                    is_open = seats is None or seat in seats
                    hidden.append([] if is_open else sorted(pieces))
                pool = Counter(piece for pieces in hidden for piece in pieces)
                for _ in range(20 if closely else 1):
                    guess = places(game, game.resample(observation, walk.rng))
                    for number, (truth, (guessed, _)) in enumerate(zip(hidden, guess, strict=True)):
                        chance = _chance_of(truth, pool)
                        for time in times:
                            where = seat, number, time
                            luck[where] = luck.get(where, 0.0) + log(chance)
                            if sorted(guessed) != truth:
                                wrong.add(where)
        for where, logarithm in luck.items():
            if where not in wrong and logarithm < log(1e-8):
                seat, number, time = where
                place = f"place {number} (from 0, as `places` yields them)"
                raise walk.broken(
                    f"seat {seat} knows {time} what {place} hides from it: "
                    "a field of its observation tells it"
                )


def _chance_of(pieces: Sequence[Any], pool: Counter[Any]) -> float:
    """Return the chance to draw exactly these *pieces* from *pool*."""
    ways = prod(comb(pool[piece], count) for piece, count in Counter(pieces).items())
    return ways / comb(pool.total(), len(pieces))


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
    """Return whether a slow check leaves this moment out: three of four in a long match."""
    return walk.entry > LONG and random_below(walk.rng, 4) > 0


class _RandomOnly(Random):
    """A generator that has ``random()`` and what is built on it, but no bits of its own."""

    def __init__(self, like: Random) -> None:
        super().__init__()
        self.setstate(like.getstate())

    def getrandbits(self, k: int, /) -> int:
        functions = "random_below, pick, shuffle of coursekit.core.chance"
        raise AssertionError(f"chance is built on rng.random() only: use {functions}")


def _examples(legal: tuple[Any, ...] | FreeInput, rng: Random, count: int) -> tuple[Any, ...]:
    """Return the *legal* actions, of free input *count* samples."""
    if isinstance(legal, tuple):
        return legal
    return tuple(legal.sample(rng) for _ in range(count))


def _every_action(game: AnyGame, seed: str) -> list[Any]:
    """Return the actions that are legal for a seat at some moment of a random match."""
    actions = {}
    with Walk(game, seed) as walk:
        for match in walk:
            for seat in game.to_act(match.state):
                for action in _examples(game.legal_actions(match.state, seat), walk.rng, 1):
                    actions[repr(action)] = action
    return list(actions.values())


def _check_same_state(walk: Walk, expected: Mapping[str, str], state: Any, how: str) -> None:
    got = state_parts(state)
    if expected != got:
        raise walk.broken(f"{how}, the state is another: {first_difference(expected, got)}")


def _everything(match: Match) -> tuple[Any, ...]:
    counts = len(match.log), len(match.events)
    return state_parts(match.state), counts, match.seeds[:], match._rng.getstate()


def _is_plain(value: Any, sequences: tuple[type[Any], ...]) -> bool:
    if type(value) not in sequences:
        return value is None or type(value) in (int, str, bool)
    allowed = (tuple,) if type(value) is tuple else sequences
    return all(_is_plain(part, allowed) for part in value)


def _is_registered(game: AnyGame) -> bool:
    from coursekit.kit import GAMES

    return game.name in GAMES and GAMES[game.name].rules is type(game)


def _read_by(seat: Seat | None, events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.is_for(seat)]


def _check_read_alike(
    walk: Walk, reader: Seat | None, outcomes: Sequence[tuple[Any, Sequence[Event]]]
) -> None:
    """Check that of these (observation, events), equal observations come with equal sentences."""
    checked: list[tuple[Any, list[Event]]] = []
    for observation, events in outcomes:
        readable = _read_by(reader, events)
        for other, before in checked:
            if other == observation and before != readable:
                what = f"{readable}, but also {before}"
                raise walk.broken(f"seat {reader} reads what it cannot see: {what}")
        checked.append((observation, readable))


def _check_refused(walk: Walk, match: Match, seat: Any, action: Any, checked: set[str]) -> None:
    """Check that *match* refuses *action*, with a reason in every language."""
    what = f"seat {shorten(seat)}: {shorten(action)}"
    try:
        match.play(seat, action)
    except IllegalAction as error:
        _check_sentence(walk, error.refusal, checked)
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
        raise walk.broken(f"{what} raises {got}, not IllegalAction") from error
    else:
        raise walk.broken(f"{what} is accepted, but is not in legal_actions")


def _check_sentence(walk: Walk, about: Event | Refusal, checked: set[str]) -> None:
    """Check that *about* makes a sentence in every language; *checked* saves doing it twice."""
    key = repr([about.text, *map(shorten, about.values.values())])
    if key in checked:
        return
    checked.add(key)
    for language in LANGUAGES:
        words = sentence(walk.game, about, language)
        if not words.strip():
            raise walk.broken(f"{about.text} makes no sentence in {language}: {words!r}")
