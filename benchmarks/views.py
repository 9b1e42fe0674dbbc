"""What it costs to show a match to many: one viewer's view after an action, its time and its bytes.

Four people play whole matches of each game at random. After each action every seat and a spectator
get their view, as a page of their own does: made, then written as JSON, then through one deflate
stream a viewer, as a web socket that keeps its context packs it (level 1 and 6). The first match of
a game warms up and is not counted. Times are of the processor and differ from machine to machine:
compare what was run side by side.
"""

import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any, TypeVar

from coursekit.core.chance import pick, stream
from coursekit.core.game import TABLE, Seat, pick_action
from coursekit.core.registry import KIT_GAMES
from coursekit.core.strategy import AtRandom, make_player
from coursekit.kit import kit_of
from coursekit.table.run import Run
from coursekit.table.view import View

MATCHES = {"wizard": 2, "wikipedia": 6, "blockade": 1, "knitwit": 4}
LEVELS = (1, 6)
ROW = "{:10} {:>7} {:>9} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}"
T = TypeVar("T")


def views(scale: float) -> None:
    """Print milliseconds and kilobytes of one view, on average, for each game."""
    print(f"load {os.getloadavg()[0]:.1f}")
    head = (
        "act ms",
        "view ms",
        "dumps ms",
        "kB",
        *(f"{what} {level}" for level in LEVELS for what in ("kB", "ms")),
    )
    print(ROW.format("game", "views", *head))
    for name in KIT_GAMES:
        spent = Counter[str]()
        for seed in range(1 + max(1, round(MATCHES[name] * scale))):
            if seed == 1:
                spent.clear()
            _watch(name, seed, spent)
        count = spent["views"]
        packed = [spent[f"{what} {level}"] / count for level in LEVELS for what in ("kB", "ms")]
        each = [
            spent["act"] / spent["actions"],
            *(spent[what] / count for what in ("view", "dumps", "kB")),
            *packed,
        ]
        print(ROW.format(name, count, *(f"{number:.2f}" for number in each)), flush=True)


def _watch(name: str, seed: int, spent: Counter[str]) -> None:
    """Add to *spent* what one match costs, with four people and a spectator."""
    run = Run(kit_of(name).standard(4), ["person"] * 4, seed=seed)
    viewers = [View(run, seat) for seat in (*run.game.seats, None)]
    streams = {level: [zlib.compressobj(level, wbits=-15) for _ in viewers] for level in LEVELS}
    for seat, action in _decisions(run, seed):
        _timed(spent, "act", run.act, seat, action)
        spent["actions"] += 1
        for number, view in enumerate(viewers):
            if sent := _timed(spent, "view", _next, view):
                text = _timed(spent, "dumps", _bytes, sent)
                spent["views"] += 1
                spent["kB"] += len(text) / 1000
                for level, packers in streams.items():
                    spent[f"kB {level}"] += (
                        len(_timed(spent, f"ms {level}", _packed, packers[number], text)) / 1000
                    )


def _next(view: View) -> dict[str, Any] | None:
    """Return what *view* shows next, ``None`` if there is nothing new."""
    return view.json("en") if view.advance() else None


def _bytes(sent: Any) -> bytes:
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()


def _packed(packer: Any, text: bytes) -> bytes:
    packed: bytes = packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)
    return packed


def _decisions(run: Run, seed: int) -> Iterator[tuple[Seat, Any]]:
    """Yield what people, or else the table, decide at random in *run* until it is over."""
    game, match, rng = run.game, run.match, stream(str(seed), "people")
    people = [make_player(AtRandom, seat, game, str(seed)) for seat in game.seats]
    while deciding := game.to_act(match.state):
        seat = pick(rng, [seat for seat in deciding if seat != TABLE] or [TABLE])
        if seat == TABLE:
            yield seat, pick_action(game.legal_actions(match.state, seat), rng)
        elif (action := people[seat].decide(game.observe(match.state, seat))) is not None:
            yield seat, action


def _timed(spent: Counter[str], what: str, work: Callable[..., T], *given: Any) -> T:
    """Return what *work* returns, and add its milliseconds of the processor to *spent*."""
    start = process_time()
    found = work(*given)
    spent[what] += (process_time() - start) * 1000
    return found
