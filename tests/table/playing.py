"""Playing at a table without a screen: random people and the views they would see."""

from collections.abc import Iterator
from random import Random
from typing import Any

from coursekit.core.game import TABLE
from coursekit.core.strategy import Strategy
from coursekit.games.knitwit import KnitWit
from coursekit.table.host import Host


def views(host: Host, seed: int = 0, language: str = "en", steps: int = 10_000) -> Iterator[dict[str, Any]]:
    """Yield every view of *host*'s match until it is over, people deciding at random."""
    rng = Random(seed)
    for _ in range(steps):
        view = host.view(language)
        yield view
        if host.match.over:
            return
        if host.covered:
            host.uncover(rng.choice(host.covered))
        elif host.more:
            host.go_on()
        else:
            deciding = host.game.to_act(host.match.state)
            seat = TABLE if TABLE in deciding else host.waiting[0] if host.together else host.viewer
            legal = host.game.legal_actions(host.match.state, seat)
            action = rng.choice(legal) if isinstance(legal, tuple) else legal.sample(rng)
            host.act(seat, action, view["match"], view["branch"], view["acted"])
            host.tick()


def play_to_the_end(host: Host, seed: int = 0) -> dict[str, Any]:
    """Return the last view of *host*'s match."""
    *_, last = views(host, seed)
    return last


def pieces(scene: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every piece of *scene*, wherever it lies: everything that has a face, found without knowing where."""
    found: list[Any] = [scene]
    while found:
        thing = found.pop()
        if isinstance(thing, dict):
            if "id" in thing and "face" in thing:
                yield thing
            found += thing.values()
        elif isinstance(thing, list):
            found += thing


class Quiet(Strategy):
    """Writes nothing and stops when it is alone; it challenges nobody and votes for everything."""

    def decide(self, obs: Any) -> Any:
        if obs.phase == "write":
            return "stop" if len(obs.waiting) == 1 else None
        return {"reveal": None, "vote": "yes"}.get(obs.phase, super().decide(obs))


class Scribbles(Quiet):
    """Writes something new at every ask, each line nine times over, and stops."""

    def decide(self, obs: Any) -> Any:
        if obs.phase != "write":
            return super().decide(obs)
        number = min(obs.numbers, key=lambda number: obs.writes[number - 1])
        times = obs.writes[number - 1]
        return "stop" if times == 9 or obs.extra >= 0 else ("write", number, f"{ODD}{obs.seat}{number}{times}")


ODD = "ㄅㄆ"
"""No tag and no sentence has these letters."""


def at_the_sheets(players: list[Any], seed: int = 1, **options: Any) -> Host:
    """Return a match of Knit Wit in which everybody is about to write, knitted by proposals."""
    game = KnitWit(len(players), KnitWit.option_type(**options))
    host = Host(game, players, seed=seed)
    while host.match.state.phase != "write":
        seat = host.waiting[0]
        legal = game.legal_actions(host.match.state, seat)
        do(host, seat, legal[0] if isinstance(legal, tuple) else legal.suggestion(0, None))
    return host


def do(host: Host, seat: Any, action: Any) -> None:
    """Let *seat* do *action* in the scene that is shown now."""
    host.act(seat, action, host.id, host.branch, host.acted())
