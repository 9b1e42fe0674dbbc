"""Relations between the things of Knit Wit, and between tags that share words.

They are found by asking the rules.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.games.knitwit.rules import scoring
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.geometry import Loop, Point
from coursekit.games.knitwit.rules.lexicon import Entry, Pack
from coursekit.games.knitwit.rules.options import Options
from coursekit.games.knitwit.rules.placement import Fault, fault_of_loop, fault_of_spool
from coursekit.games.knitwit.rules.state import State, table_action

THINGS = (
    "loop",
    "tag",
    "spool",
    "pin",
    "answer",
    "same",
    "points",
    "challenge",
    "vote",
    "writer",
    "button",
    "last",
    "taker",
    "others",
)
"""Same: another player's equal answer; writer: of an answer, or still writing; last: the last
button; taker: of a button.
"""

LEFT: Loop = ((30, 30), (140, 30), (140, 120), (30, 120))
RIGHT: Loop = ((100, 45), (210, 45), (210, 135), (100, 135))
ONE: Point = (60, 75)
"""A spool inside :data:`LEFT` only."""
BOTH: Point = (120, 82)
"""A spool inside both loops."""
EMPTY: Loop = ((150, 5), (235, 5), (235, 35), (150, 35))
"""A loop around no spool."""
AROUND_PIN: Loop = ((5, 5), (80, 5), (80, 100), (5, 100))
"""A loop around the spool :data:`ONE` and the pin of :data:`LEFT`."""
OUTSIDE: Point = (15, 140)
OTHERS, WORDS = 3, 7
"""Most other tags, and most words, in a map of a tag."""


class Relation(NamedTuple):
    """``start kind end`` reads as a sentence: a tag is clipped to a loop."""

    start: str
    kind: str
    end: str
    number: int = 0  # of points or answers, if the relation needs one


def relations(game: KnitWit) -> list[Relation]:
    """Return all relations between :data:`THINGS` in *game* under its options."""
    return list(_relations(type(game), game.players, game.options))


@lru_cache(maxsize=16)
def _relations(kind: type[KnitWit], players: int, options: Options) -> tuple[Relation, ...]:
    game = kind(players, options)
    return tuple(
        dict.fromkeys([*_knitting(game), *_answers(game), *_challenges(game), *_buttons(game)])
    )


def _state(game: KnitWit, phase: str = "write") -> State:
    """Return a state with two overlapping loops, a spool in the first and one in both."""
    state = game.initial_state(stream("relations", "chance"))
    state.loops = (LEFT, RIGHT)
    state.pins = (LEFT[0], RIGHT[0])
    state.tags = state.owners = (0, 1)
    state.spools = ((1, *ONE), (2, *BOTH))
    state.around = ((0,), (0, 1))
    state.hands = [[] for _ in game.seats]
    state.phase = phase
    return state


def _knitting(game: KnitWit) -> Iterator[Relation]:
    """Yield what loops and spools must enclose, avoid and lie in."""
    design = game.design(_state(game))._replace(string=None, turns=1)
    if _has_fault(fault_of_loop(design, EMPTY, EMPTY[0]), "no_spool"):
        yield Relation("loop", "encloses", "spool")
    if _has_fault(fault_of_loop(design, AROUND_PIN, AROUND_PIN[0]), "pin_inside"):
        yield Relation("loop", "avoids", "pin")
    if _has_fault(fault_of_spool(design, OUTSIDE), "outside"):
        yield Relation("spool", "lies_in", "loop")
    if _draws_tag(game):
        yield Relation("tag", "names", "loop")


def _has_fault(fault: Fault | None, name: str) -> bool:
    return fault is not None and fault.name == name


def _draws_tag(game: KnitWit) -> bool:
    """Return whether laying the first loop and placing the last spool draws a tag."""
    state = game.initial_state(stream("relations", "chance"))
    rng = stream("relations", "tag")
    seat = state.turn
    number = state.hands[seat][0]
    state.hands = [[] for _ in game.seats]
    state.hands[seat] = [number]
    events = game.apply(state, seat, ("loop", LEFT, LEFT[0]), rng)
    events += game.apply(state, seat, ("spool", number, *BOTH), rng)
    return any(event.text == "tag" for event in events)


def _answers(game: KnitWit) -> Iterator[Relation]:
    """Yield what an answer must fit, must not be, and is worth."""
    yield Relation("spool", "asks", "answer")
    state = _state(game)
    legal = game.write_input(state, 0)
    words = [game.pack.tags[tag].zh for tag in state.tags]
    inside, outside = [legal.refusal(("write", 1, word)) for word in words]
    if inside and inside.text == "refusal.tag_word":
        yield Relation("tag", "forbids" if outside else "forbids_inside", "answer")
    if set(game.observe(state, None).words(2)) == set(state.tags):
        yield Relation("answer", "needs", "tag")
    one = _points(game, {0: {1: "x"}})[0]
    both = _points(game, {0: {2: "x"}})[0]
    if one and both == 2 * one:
        yield Relation("loop", "earns", "points", one)
    if _points(game, {0: {1: "x"}, 1: {1: "x"}})[0] < one:
        yield Relation("same", "cancels", "answer")


def _points(game: KnitWit, pads: dict[int, dict[int, str]]) -> list[int]:
    """Return the points of all seats after *pads* (seat -> spool -> answer) are scored."""
    state = _turn_up_first(game, pads)
    while state.phase == "reveal":
        scoring.apply(game, state, TABLE, table_action(state))
    return state.points


def _turn_up_first(game: KnitWit, pads: dict[int, dict[int, str]]) -> State:
    """Return a state in which the first number has just been turned up."""
    state = _state(game, "reveal")
    for seat, lines in pads.items():
        for number, answer in lines.items():
            state.sheets[seat][number - 1] = answer
    scoring.apply(game, state, TABLE, "next")
    return state


def _challenges(game: KnitWit) -> Iterator[Relation]:
    """Yield who decides about a challenged answer."""
    state = _turn_up_first(game, {0: {1: "x"}})
    if not scoring.challenges(game, state, 1):
        return
    yield Relation("challenge", "tests", "answer")
    scoring.apply(game, state, 1, ("challenge", 0))
    if state.phase == "judge":
        scoring.apply(game, state, 0, "withdraw")
        yield Relation("writer", "decides", "challenge")
        return
    scoring.apply(game, state, TABLE, "vote")
    voters = scoring.voters(game, state)
    for seat in voters:
        scoring.apply(game, state, seat, "no")
    scoring.apply(game, state, TABLE, "close")
    yield Relation("vote", "decides", "challenge")
    yield Relation("writer" if 0 in voters else "others", "joins", "vote")


def _buttons(game: KnitWit) -> Iterator[Relation]:
    """Yield what the buttons give and whom they stop."""
    state = _state(game)
    if not state.buttons:
        return
    yield Relation("button", "holes", "points")
    game.apply(state, 0, "stop", stream("relations", "chance"))
    if state.locked[0]:
        yield Relation("button", "stops", "taker")
    writing = game.players - 1
    for seat in game.seats[1:]:
        if state.phase == "write" and state.buttons:
            game.apply(state, seat, "stop", stream("relations", "chance"))
            writing -= 1
    if state.phase == "write" and state.extra > 0:
        yield Relation("last", "leaves", "writer", state.extra)
    elif state.phase != "write" and writing:
        yield Relation("last", "stops", "writer")


# Tags and words


def words_near(pack: Pack, tag: int) -> dict[Entry, frozenset[int]]:
    """Return words that fit *tag*, each with the other tags of the map that it fits.

    The other tags are those that most of its words fit.  There is one word for each set of them.
    """
    words = [entry for entry in pack.lexicon if tag in entry.tags]
    shared = Counter(other for entry in words for other in entry.tags if other != tag)
    often = frozenset(sorted(shared, key=lambda other: (-shared[other], other))[:OTHERS])
    first: dict[frozenset[int], Entry] = {}
    for entry in words:
        first.setdefault(entry.tags & often, entry)
    best = sorted(first, key=lambda others: (-len(others), sorted(others)))[:WORDS]
    return {first[others]: others for others in best}
