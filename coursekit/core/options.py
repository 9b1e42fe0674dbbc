"""Options of a game: one declaration of what each may be, for forms, checks and pages."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any, Generic, TypeVar

from coursekit.core.errors import OptionError
from coursekit.words.texts import shorten

T = TypeVar("T")


@dataclass(frozen=True)
class TupleOf:
    """Allowed values of an option that holds a tuple of one or more *entries*."""

    entries: range

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not value:
            return False
        return all(type(entry) is int and entry in self.entries for entry in value)


@dataclass(frozen=True)
class SetOf(TupleOf):
    """The same, of which each entry is there or not: a form has one to tick for each.

    The entries stand in ascending order; the game's own check says so if they do not.
    """


class CardSetNames(Generic[T]):
    """Allowed values of an option that names a set of cards: "kit", and the loaded sets.

    A loaded set stays until the program ends and is never replaced. Its name is its file and a mark
    computed from its content, as in ``"poets.csv#3f2a9c01b7de"``, so a record says what it was
    played with. The mark alone identifies the set.

    :param kit: returns the set that comes with the kit.
    :param by: the function that loads a file, as a user calls it.
    """

    def __init__(self, kit: Callable[[], T], by: str) -> None:
        self.kit, self.by = kit, by
        self._loaded: dict[str, tuple[str, T]] = {}

    def add(self, file: str, facts: Any, loaded: T) -> str:
        """Keep the set *loaded* from a *file*, and return its name.

        :param facts: the content of the file, lists and texts; the name depends on it.
        """
        mark = sha256(json.dumps(facts).encode()).hexdigest()[:12]
        return self._loaded.setdefault(mark, (f"{file[:80]}#{mark}", loaded))[0]

    def __getitem__(self, value: str) -> T:
        return self.kit() if value == "kit" else self._loaded[self._mark(value)][1]

    def __contains__(self, value: object) -> bool:
        return type(value) is str and (value == "kit" or self._mark(value) in self._loaded)

    def __iter__(self) -> Iterator[str]:
        return iter(["kit", *[value for value, _ in self._loaded.values()]])

    def local_name(self, value: str) -> str:
        """Return the name that the set *value* has here; elsewhere its file may have another."""
        return value if value == "kit" else self._loaded[self._mark(value)][0]

    def file_name(self, value: object) -> str:
        """Return the name of the file in *value*, "" if *value* cannot name a loaded set."""
        return value.rpartition("#")[0] if type(value) is str and self._mark(value) else ""

    def _mark(self, value: str) -> str:
        match = re.fullmatch(r".+#([0-9a-f]{12})", value)
        return match[1] if match else ""


def option(
    default: Any,
    allowed: tuple[Any, ...] | range | TupleOf | CardSetNames[Any],
    rule: str,
    first: bool = False,
    seat: bool = False,
) -> Any:
    """Return the dataclass field of one option of a game.

    :param allowed: the allowed values: a tuple, a range, :class:`TupleOf` or :class:`CardSetNames`.
        ``None`` is also allowed if it is the default.
    :param rule: the section of the specification it comes from, such as ``"V1"``.
    :param first: whether the form shows it at once; the other options are folded away.
    :param seat: whether its value is a seat, shown as the player's name.
    """
    metadata = {"allowed": allowed, "rule": rule, "first": first, "seat": seat}
    return field(default=default, metadata=metadata)


def check_options(game: str, options: Any) -> None:
    """Check every field of *options* against the values its ``option()`` allows.

    :raises OptionError: naming the option, its value and the allowed values.
    """
    for option in fields(options):
        value, allowed = getattr(options, option.name), option.metadata["allowed"]
        if value is None and option.default is None:
            continue
        if _is_allowed(value, allowed):
            continue
        if isinstance(allowed, CardSetNames) and (file := allowed.file_name(value)):
            raise OptionError(game, "option.not_loaded", file=file, by=allowed.by)
        words = {"option": option.name, "got": shorten(value), "allowed": allowed_text(allowed)}
        raise OptionError(game, "option.wrong", **words)


def _is_allowed(value: Any, allowed: Any) -> bool:
    # True == 1 and 1.0 == 1: membership alone would accept the wrong type.
    if isinstance(allowed, range) and type(value) is not int:
        return False
    if isinstance(allowed, tuple) and type(value) not in map(type, allowed):
        return False
    return value in allowed


def allowed_text(allowed: tuple[Any, ...] | range | TupleOf | CardSetNames[Any]) -> str:
    """Return *allowed* for an error message, as in ``'open', 'hidden'`` or ``1-20``."""
    if isinstance(allowed, TupleOf):
        return f"({allowed_text(allowed.entries)}, …)"
    if isinstance(allowed, range):
        return f"{allowed.start}-{allowed.stop - 1}"
    return ", ".join(map(repr, allowed))


def to_tuples(value: Any) -> Any:
    """Return *value* with every list in it as a tuple: JSON turns tuples into lists."""
    return tuple(map(to_tuples, value)) if isinstance(value, (list, tuple)) else value
