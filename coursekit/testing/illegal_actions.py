"""Invalid actions to try, and strict equality of actions."""

from collections.abc import Sequence
from typing import Any


def is_same(one: Any, other: Any) -> bool:
    """Return whether two actions are equal, including the types of all their parts."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def is_among(action: Any, legal: Any) -> bool:
    """Return whether *action* is one of *legal*, which is free input or a tuple."""
    if not isinstance(legal, tuple):
        return action in legal
    return any(is_same(action, listed) for listed in legal)


def neighbours(legal: Sequence[Any]) -> list[int]:
    """Return ints from just below to just above the *legal* ones."""
    numbers = [action for action in legal if type(action) is int]
    if not numbers:
        return [0, 1, -1]
    low, high = min(numbers) - 2, max(numbers) + 3
    return [*range(low, high)] if high - low < 100 else [low, low + 1, high - 2, high - 1, 0, -1]


class _Number(int):
    """A subclass of int."""


class _Chameleon:
    """Equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0


def strange_actions(action: Any) -> list[Any]:
    """Return objects that differ from *action*, some of them only slightly."""
    no_number = [
        None,
        "x",
        "",
        "0",
        "x" * 10_000,
        "\ud800",
        b"",
        (),
        (None,),
        [],
        {},
        set(),
        object(),
        len,
        ...,
    ]
    nearly = [True, False, 0.0, 1.0, float("nan"), float("inf"), _Chameleon()]
    huge = [10**9, -(10**9), 10**30, 10**5000]
    things: list[Any] = [*no_number, *nearly, *huge]
    things += [(action,), [action], {"action": action}, repr(action)]
    if isinstance(action, int):
        things += [float(action), complex(action), bool(action), _Number(action), -action - 1]
    if isinstance(action, str):
        things += [action + " ", action.swapcase(), action.encode(), [*action]]
    if isinstance(action, tuple):
        things += [list(action), (*action, 0), action[:-1], (*action, None)]
        for place, part in enumerate(action):
            before, after = action[:place], action[place + 1 :]
            things += [(*before, other, *after) for other in (None, "x", True, 10**30, [part])]
    return things
