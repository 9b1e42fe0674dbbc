"""Repeating matches in another process, with another hash seed, on another Python."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from coursekit.testing.random_match import AnyGame, CheckError, Walk, state_parts


def check_elsewhere(some: Sequence[AnyGame], seed: str, python: str = sys.executable) -> None:
    """Check that matches are the same in another process, with another hash seed, on any *python*.

    :param python: an interpreter of 3.11 or later; it needs only the standard library.
    :raises ValueError: if another process cannot import a game, such as one from a notebook cell.
    """
    if not all(is_importable(game) for game in some):
        raise ValueError(
            "another process cannot import a game that is written in a notebook or a function"
        )
    jobs: list[list[Any]] = [
        [
            type(game).__module__,
            type(game).__qualname__,
            game.players,
            asdict(game.options),
            f"{seed} {number}",
        ]
        for number, game in enumerate(some)
    ]
    roots = {_root("coursekit.testing"), *(_root(module) for module, *_ in jobs)}
    here = [_transcript(game, job[-1]) for game, job in zip(some, jobs, strict=True)]
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
        for game, job, ours, theirs in zip(some, jobs, here, json.loads(done.stdout), strict=True):
            if ours != theirs:
                entry = next(
                    (
                        n
                        for n, pair in enumerate(zip(ours, theirs, strict=False))
                        if pair[0] != pair[1]
                    ),
                    0,
                )
                raise CheckError(
                    f"{game!r}, seed {job[-1]!r}: entry {entry} differs on {python}, hash seed {hash_seed}"
                )


def pythons() -> dict[str, str]:
    """Return the installed Pythons from 3.11 on as version -> path, without the running one."""
    found: dict[str, str] = {}
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(11, 20):
        version = f"3.{minor}"
        candidates = [
            shutil.which(f"python{version}"),
            *map(str, sorted(installed.glob(f"{version}.*/bin/python"))),
        ]
        for path in candidates:
            if path is None or sys.version_info[:2] == (3, minor) or version in found:
                continue
            # A pyenv shim is on the PATH even if its version is not active.
            asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if asked.returncode == 0 and asked.stdout.startswith(f"Python {version}."):
                found[version] = path
    return found


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
        seen = [game.observe(match.state, seat) for seat in (*game.seats, None)]
        told = match.events[-1] if match.events else match.opening
        kept = [tuple((observation.values() | {"legal": None}).values()) for observation in seen]
        lines.append(sha256(repr((state_parts(match.state), kept, told)).encode()).hexdigest()[:16])
    assert match is not None
    return [*lines, match.record().dumps()]


def answer() -> None:
    """Print the transcripts requested by the parent process: the other half of
    :func:`check_elsewhere`.
    """
    answers = []
    for module, name, players, options, seed in json.load(sys.stdin):
        kind = import_module(module)
        for part in name.split("."):
            kind = getattr(kind, part)
        answers.append(_transcript(kind(players, kind.options_from(options)), seed))  # type: ignore[operator]
    json.dump(answers, sys.stdout)
