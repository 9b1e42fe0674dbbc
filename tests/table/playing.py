"""Playing at a table without a screen: random people and the views they would see."""

from collections.abc import Iterator
from random import Random
from typing import Any

from coursekit.game import TABLE
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
            seat = TABLE if TABLE in deciding else host.viewer
            action = rng.choice(host.game.legal_actions(host.match.state, seat))
            host.act(seat, action, view["match"], view["branch"], view["acted"])


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
