"""What a lesson of one era of Literature Lockdown loses to unusable cards, and how far it gets."""

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from coursekit.core.chance import stream
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import AtRandom, Strategy, make_players
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.turns import stale_discards
from coursekit.games.blockade.strategies import Farsighted

LAPS = 8
WAYS: Mapping[str, Mapping[str, Any]] = {
    "whole deck": {},
    "one_era": {**vars(Blockade.preset("one_era"))},
}


class Lesson(NamedTuple):
    """What happened in one match of one era."""

    openings: float  # seats that placed no writer in the first lap
    idle: float  # later turns in which nothing could be played or exchanged, in a hundred
    events: float
    spaces: float  # that a marker has gone, on average
    first: float  # that the foremost marker has gone
    decisions: float  # in a turn


def lessons(scale: float) -> None:
    """Print for each era what four of a kind meet with the whole deck, and with ``one_era``."""
    matches = max(4, int(200 * scale))
    for era in ERAS:
        for kind in (Farsighted, AtRandom):
            for way, changes in WAYS.items():
                options = Options(**{**changes, "eras": (era,), "laps_limit": LAPS})
                with ProcessPoolExecutor(2) as pool:
                    found = list(pool.map(partial(_play, kind, options), range(matches)))
                means = {
                    name: round(fmean(values), 2)
                    for name, values in zip(Lesson._fields, zip(*found, strict=True), strict=True)
                }
                print(f"era {era}, four {kind.__name__}, {way}: {means}", flush=True)


def _play(kind: type[Strategy], options: Options, seed: int) -> Lesson:
    game = Blockade(4, options)
    match = Match(game, f"lesson/{seed}")
    state, order = match.state, stream(match.seed, "order")
    players = make_players(game, [kind] * 4, match.seed)
    openings = idle = 0
    while (deciding := game.to_act(state)) and state.phase != "era":
        phase, done = state.phase, len(match.log)
        stale = stale_discards(game, state, state.turn)
        step_any(match, deciding, players, order)
        for _, action in match.log[done:]:
            gives_up = action == "pass" or (action[0] == "discard" and action not in stale)
            openings += phase == "opening" and gives_up
            idle += phase == "main" and gives_up
    return Lesson(
        openings,
        100 * idle / max(1, state.turns - game.players),
        len(state.fired),
        fmean(state.positions),
        max(state.positions),
        len(match.log) / state.turns,
    )
