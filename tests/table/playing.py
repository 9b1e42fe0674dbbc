"""Playing at a table without a screen: random people and the views they would see."""

from collections.abc import Iterator
from random import Random
from typing import Any

from coursekit.core.game import TABLE
from coursekit.core.match import Match
from coursekit.core.strategy import Strategy
from coursekit.games.knitwit import KnitWit
from coursekit.table.run import Run
from coursekit.table.shared_screen import Screen


def at_screen(*args: Any, **more: Any) -> Screen:
    """Return the one screen of a new :class:`.Run`."""
    return Screen(Run(*args, **more))


def going_on(match: Match, players: list[Any]) -> Run:
    """Return a run of *match* exactly as it stands, also with a state that was put together by
    hand.
    """
    run = Run(match.game, players, seed="browser")
    run.match = match
    run.moments.clear()
    run.go_on()
    return run


def views(
    screen: Screen, seed: int = 0, language: str = "en", steps: int = 10_000
) -> Iterator[dict[str, Any]]:
    """Yield every view of *screen*'s match until it is over, people deciding at random."""
    rng = Random(seed)
    for _ in range(steps):
        view = screen.view(language)
        yield view
        if screen.run.match.over:
            return
        if screen.covered:
            screen.uncover(rng.choice(screen.covered))
        elif screen.run.more:
            screen.go_on()
        else:
            deciding = screen.run.game.to_act(screen.run.match.state)
            seat = (
                TABLE
                if TABLE in deciding
                else screen.run.waiting[0]
                if screen.together
                else screen.viewer
            )
            legal = screen.run.game.legal_actions(screen.run.match.state, seat)
            action = rng.choice(legal) if isinstance(legal, tuple) else legal.sample(rng)
            screen.act(seat, action, view["acted"])
            screen.tick()


def play_to_the_end(screen: Screen, seed: int = 0) -> dict[str, Any]:
    """Return the last view of *screen*'s match."""
    *_, last = views(screen, seed)
    return last


def pieces(scene: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every piece of *scene*, wherever it lies: everything that has a face, found without
    knowing where.
    """
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
        return (
            "stop"
            if times == 9 or obs.extra >= 0
            else ("write", number, f"{ODD}{obs.seat}{number}{times}")
        )


ODD = "ㄅㄆ"
"""No tag and no sentence has these letters."""


def at_the_sheets(players: list[Any], seed: int = 1, **options: Any) -> Screen:
    """Return a match of Knit Wit in which everybody is about to write, knitted by proposals."""
    game = KnitWit(len(players), KnitWit.option_type(**options))
    screen = at_screen(game, players, seed=seed)
    while screen.run.match.state.phase != "write":
        seat = screen.run.waiting[0]
        legal = game.legal_actions(screen.run.match.state, seat)
        do(screen, seat, legal[0] if isinstance(legal, tuple) else legal.suggestion(0, None))
    return screen


def do(screen: Screen, seat: Any, action: Any) -> None:
    """Let *seat* do *action* in the scene that is shown now."""
    screen.act(seat, action, screen.acted)
