"""The check that matches are the same in another process, and on another Python."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from coursekit.core.game import AnyGame
from coursekit.testing.random_match import CheckError, Walk, state_parts


def check_elsewhere(games: Sequence[AnyGame], seed: str, python: str = sys.executable) -> None:
    """Check that matches of *games* are the same in another process with another hash seed.

    :param python: an interpreter of 3.11 or later; it needs only the standard library.
    :raises ValueError: if another process cannot import a game, such as one from a notebook cell.
    """
    if not all(map(is_importable, games)):
        where = "in a notebook or a function"
        raise ValueError(f"another process cannot import a game that is written {where}")
    jobs: list[list[Any]] = []
    roots = {_root("coursekit.testing")}
    ours = []
    for number, game in enumerate(games):
        kind, match_seed = type(game), f"{seed} {number}"
        options = asdict(game.options)
        jobs.append([kind.__module__, kind.__qualname__, game.players, options, match_seed])
        roots.add(_root(kind.__module__))
        ours.append(_transcript(game, match_seed))
    # Sets and dicts of texts are ordered by the hash seed, which this process cannot change.
    for hash_seed in ("1", "4242"):
        env = os.environ | {
            "PYTHONPATH": os.pathsep.join(sorted(roots)),
            "PYTHONHASHSEED": hash_seed,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONIOENCODING": "utf-8",
        }
        command = [python, "-c", "from coursekit.testing.other_process import answer; answer()"]
        done = subprocess.run(
            command,
            input=json.dumps(jobs),
            capture_output=True,
            env=env,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise CheckError(f"{python} could not play: {done.stderr[-2000:]}")
        for number, lines in enumerate(json.loads(done.stdout)):
            if lines != ours[number]:
                same = [one == other for one, other in zip(ours[number], lines, strict=False)]
                entry = [*same, False].index(False)
                what = f"{games[number]!r}, seed {jobs[number][-1]!r}: entry {entry}"
                raise CheckError(f"{what} differs on {python}, hash seed {hash_seed}")


def is_importable(game: AnyGame) -> bool:
    """Return whether another process can import the class of *game*."""
    kind = type(game)
    return kind.__module__ != "__main__" and "<locals>" not in kind.__qualname__


def _root(module: str) -> str:
    """Return the folder that *module* is imported from."""
    file = Path(import_module(module.partition(".")[0]).__file__ or ".")
    return str(file.parent.parent if file.name == "__init__.py" else file.parent)


def _transcript(game: AnyGame, seed: str) -> list[str]:
    """Return a digest of each moment of a random match, then its record."""
    lines = []
    for match in Walk(game, seed):
        observations = []
        for seat in (*game.seats, None):
            values = game.observe(match.state, seat).values() | {"legal": None}
            observations.append(tuple(values.values()))
        events = match.events[-1] if match.events else match.opening
        moment = repr((state_parts(match.state), observations, events))
        lines.append(sha256(moment.encode()).hexdigest()[:16])
    assert match is not None
    return [*lines, match.record().dumps()]


def answer() -> None:
    """Print the transcripts for which the process of :func:`check_elsewhere` asks."""
    answers = []
    for module, name, players, options, seed in json.load(sys.stdin):
        kind = import_module(module)
        for part in name.split("."):
            kind = getattr(kind, part)
        answers.append(_transcript(kind(players, kind.options_from(options)), seed))  # type: ignore[operator]
    json.dump(answers, sys.stdout)
