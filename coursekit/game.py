"""The contract between a game's rules and everything that plays, shows or checks them.

A :class:`Game` is one game with its number of players and its options fixed.  It holds
no state of a match, draws nothing, waits for nobody and knows no language: what is said
to people leaves it as text ids with values (:class:`Refusal`, :class:`Event`).
"""

import copyreg
import json
import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from hashlib import sha256
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from coursekit.chance import pick

Seat = int
"""A place at the table, 0-based and clockwise; :data:`TABLE` for the table itself."""

TABLE: Seat = -1
"""The seat of decisions that are nobody's, such as going on to the next round."""

S = TypeVar("S")  # full state: mutable, slotted; ints, strings and flat lists of them
O = TypeVar("O")  # observation: what one seat may know, nothing else
A = TypeVar("A")  # action: an int, a string, or a tuple of these
T = TypeVar("T")


class Refusal(NamedTuple):
    """Why a seat may not do something: a text id, its values, and the rule's own text id."""

    text: str
    values: Mapping[str, Any] = {}
    rule: str = ""


class Event(NamedTuple):
    """Something that happened: a text id, its values, and who may read it."""

    text: str
    values: Mapping[str, Any] = {}
    audience: tuple[Seat, ...] | None = None
    """The seats that may read it, ``None`` for everybody, spectators included."""

    def is_for(self, seat: Seat | None) -> bool:
        """Return whether *seat* may read it (``None``: a spectator)."""
        return self.audience is None or seat in self.audience


class Spoken(Exception):
    """A mistake that can be told to a person in every language; ``str()`` tells it in English.

    In a notebook its sentence stands instead of a traceback, which is still there for ``%debug``.

    :param text: a text id of the game (by name) or of the kit (``""``), with its *values*.
    """

    def __init__(self, game: str, text: str, **values: Any) -> None:
        super().__init__(game, text, values)
        self.game, self.text, self.values = game, text, values

    language = ""
    """In which a notebook tells it; "" for the notebook's own, see :func:`language_here`."""

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        """Return what is wrong, what is allowed and what to do, in *language*."""
        from coursekit.texts import said

        return said(self.game, self.text, language, names, **self.values)

    def __str__(self) -> str:
        return self.sentence("en")

    def __reduce__(self) -> Any:  # pickled as it is, so that a worker process's error arrives
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]

    def tell(self, language: str) -> None:
        """Let a notebook tell it in *language*; a page, which hides errors, says it at once."""
        self.language = language
        if os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            print(self.sentence(language))

    def _render_traceback_(self) -> list[str]:  # asked for by IPython
        return self.sentence(self.language or language_here()).split("\n")


def language_here() -> str:
    """Return the language that the notebook names as its ``LANGUAGE``, the kit's first if it names none."""
    from coursekit.texts import LANGUAGES

    named = getattr(sys.modules.get("__main__"), "LANGUAGE", None)
    return named if named in LANGUAGES else LANGUAGES[0]


class OptionError(Spoken, ValueError):
    """Something that the game does not have was asked for, such as an option or a number of players."""


class FileError(Spoken, ValueError):
    """A file that somebody brings along cannot be used: what to change in it, and in which line."""

    def __init__(self, game: str, text: str, **values: Any) -> None:
        super().__init__(game, text, **values)
        self.problems: tuple[FileError, ...] = (self,)
        """What is wrong, one by one; of a long list (``values["count"]``) only the first."""

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        """Return what is wrong, in *language*: a line for each of :attr:`problems` if there are several."""
        from coursekit.texts import said

        words = super().sentence(language, names)
        if len(self.problems) == 1:
            return words
        lines = [words, *[each.sentence(language) for each in self.problems]]
        if rest := self.values["count"] - len(self.problems):
            lines.append(said(self.game, "file.rest", language, count=rest))
        return "\n".join(lines)


class IllegalAction(Spoken, ValueError):
    """This seat may not do that in this position; :attr:`refusal` says why."""

    def __init__(self, game: "Game[Any, Any, Any]", seat: Seat, action: Any, refusal: Refusal) -> None:
        super().__init__(game.name, refusal.text, **refusal.values)
        self.rules, self.seat, self.action, self.refusal = game, seat, action, refusal

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        from coursekit.texts import sentence

        return sentence(self.rules, self.refusal, language, names)

    def __str__(self) -> str:
        return f"seat {brief(self.seat)} may not do {brief(self.action)}: {self.sentence('en')}"


class FreeInput(Protocol):
    """Legal actions that cannot be listed, such as words or a drawn line."""

    def __contains__(self, action: object) -> bool: ...

    def sample(self, rng: Random) -> Any:
        """Return one legal action, made with *rng*."""
        ...


@runtime_checkable
class Drawn(FreeInput, Protocol):
    """Free input made by hand on a surface: it can be tried before it is done, and there are proposals.

    Both methods are quick, whatever they are asked: a hand on the screen waits for them.
    """

    def preview(self, action: Any) -> Any:
        """Return what would lie on the table after *action*, legal or not, as JSON.

        ``None`` if that is nothing that could be shown; whatever *action* is, nothing is raised.
        """
        ...

    def suggestion(self, n: int, about: Any) -> Any:
        """Return the *n*-th of some legal actions, in a fixed order that begins again after the last.

        :param about: a thing on the table that it shall have to do with, as a scene names it; ``None`` for
            any.  ``None`` is also returned if nothing legal has to do with it.
        """
        ...


def any_of(legal: "tuple[Any, ...] | FreeInput", rng: Random) -> Any:
    """Return one of the *legal* actions, chosen with *rng*."""
    return pick(rng, legal) if isinstance(legal, tuple) else legal.sample(rng)


@dataclass(frozen=True)
class Several:
    """Allowed values of an option that holds a tuple: each entry is in *each*."""

    each: range

    def __contains__(self, value: object) -> bool:
        return isinstance(value, tuple) and value != () and all(type(v) is int and v in self.each for v in value)


class Named(Generic[T]):
    """Allowed values of an option that names a set of cards: "kit", and what was loaded since.

    What is loaded is kept while the program runs and never replaced.  It is named by its file and a mark
    made from its content, as in ``"poets.csv#3f2a9c01b7de"``, so that a record says what it was played with;
    the mark alone tells two of them apart.

    :param kit: returns what comes with the kit.
    :param by: the function that loads a file, as people call it.
    """

    def __init__(self, kit: Callable[[], T], by: str) -> None:
        self.kit, self.by = kit, by
        self._loaded: dict[str, tuple[str, T]] = {}

    def add(self, file: str, facts: Any, loaded: T) -> str:
        """Keep what was *loaded* from a *file* whose content is *facts*, lists and texts; return its name."""
        mark = sha256(json.dumps(facts).encode()).hexdigest()[:12]
        return self._loaded.setdefault(mark, (f"{file[:80]}#{mark}", loaded))[0]

    def __getitem__(self, value: str) -> T:
        return self.kit() if value == "kit" else self._loaded[self._mark(value)][1]

    def __contains__(self, value: object) -> bool:
        return type(value) is str and (value == "kit" or self._mark(value) in self._loaded)

    def __iter__(self) -> Iterator[str]:
        return iter(["kit", *[value for value, _ in self._loaded.values()]])

    def here(self, value: str) -> str:
        """Return the name that *value* has here; its file may have had another one elsewhere."""
        return value if value == "kit" else self._loaded[self._mark(value)][0]

    def file(self, value: object) -> str:
        """Return the name of the file in *value*, "" if it is nothing that was ever loaded."""
        return value.rpartition("#")[0] if type(value) is str and self._mark(value) else ""

    def _mark(self, value: str) -> str:
        found = re.fullmatch(r".+#([0-9a-f]{12})", value)
        return found[1] if found else ""


def option(
    default: Any,
    allowed: tuple[Any, ...] | range | Several | Named[Any],
    rule: str,
    first: bool = False,
    seat: bool = False,
) -> Any:
    """Return the dataclass field of one option of a game.

    :param allowed: the values it may take: a tuple of them, a range, :class:`Several` or :class:`Named`;
        ``None`` is allowed as well where it is the default.
    :param rule: the section of the specification it comes from, such as ``"V1"``.
    :param first: whether a class is likely to change it first; the others are folded away.
    :param seat: whether its value is a seat, to be shown by the player's name.
    """
    return field(default=default, metadata={"allowed": allowed, "rule": rule, "first": first, "seat": seat})


def brief(value: Any) -> str:
    """Return *value* for an error message: its ``repr``, cut to 80 characters."""
    try:
        words = repr(value)
    except ValueError:  # an int of more digits than Python is willing to write
        words = f"{type(value).__name__} of more than 4000 digits"
    except Exception:  # an object whose own __repr__ fails
        words = f"<{type(value).__name__}>"
    return words if len(words) <= 80 else words[:79] + "…"


def check_options(game: str, options: Any) -> None:
    """Check every field of *options* against the values its ``option()`` allows.

    :raises OptionError: saying which option, what it got and what is allowed.
    """
    for each in fields(options):
        value, allowed = getattr(options, each.name), each.metadata["allowed"]
        if value is None and each.default is None:
            continue
        # True == 1 and 1.0 == 1, so membership alone would let the wrong type pass.
        same_type = type(value) is int if isinstance(allowed, range) else True
        if isinstance(allowed, tuple):
            same_type = type(value) in {type(choice) for choice in allowed}
        if isinstance(allowed, Named) and value not in allowed and (file := allowed.file(value)):
            raise OptionError(game, "option.not_loaded", file=file, by=allowed.by)
        if not same_type or value not in allowed:
            words = {"option": each.name, "got": brief(value), "allowed": allowed_text(allowed)}
            raise OptionError(game, "option.wrong", **words)


def allowed_text(allowed: tuple[Any, ...] | range | Several | Named[Any]) -> str:
    """Return *allowed* for an error message, as in ``'open', 'hidden'`` or ``1-20``."""
    if isinstance(allowed, Several):
        return f"({allowed_text(allowed.each)}, …)"
    if isinstance(allowed, range):
        return f"{allowed.start}-{allowed.stop - 1}"
    return ", ".join(map(repr, allowed))


def tupled(value: Any) -> Any:
    """Return *value* with every list in it turned into a tuple: what JSON made of a tuple."""
    return tuple(map(tupled, value)) if isinstance(value, (list, tuple)) else value


class Game(ABC, Generic[S, O, A]):
    """Rules of one game, with players and options fixed.

    :param players: how many seats, one of :attr:`player_counts`.
    :param options: an instance of the class's ``Options``; ``None`` for the standard rules.
    :raises OptionError: a ``ValueError`` saying what was got and what is allowed.
    """

    name: ClassVar[str]
    """The folder under ``coursekit/games`` and the name in records."""
    version: ClassVar[int]
    """Raised by one whenever old records would replay differently."""
    player_counts: ClassVar[tuple[int, ...]]
    option_type: ClassVar[type[Any]]
    """The game's frozen dataclass of options, ``Options`` in its module."""
    state_type: ClassVar[type[Any]]
    observation_type: ClassVar[type[Any]]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Ways to play that a teacher picks by name: the options that are not standard.

    Each has the texts ``preset.<name>.label`` and ``preset.<name>.help``.
    """
    open_phases: ClassVar[frozenset[str]] = frozenset()
    """Phases in which no seat knows anything that others around the same screen may not see.

    There a screen that several people share shows what a spectator sees, and whoever may act acts on it.
    """
    races: ClassVar[frozenset[str]] = frozenset()
    """Phases in which whoever is quicker gains.

    Strategies may take their time there, also when nobody else can decide: see :meth:`.Strategy.decide`.
    """
    longest: int
    """No match has more actions than this."""

    def __init__(self, players: int, options: Any = None) -> None:
        if type(players) is not int or players not in self.player_counts:
            allowed = ", ".join(map(str, self.player_counts))
            raise OptionError(self.name, "option.players", got=brief(players), allowed=allowed)
        options = self.option_type() if options is None else options
        if not isinstance(options, self.option_type):
            raise OptionError(self.name, "option.not_options", got=brief(options), kind=self.name)
        check_options(self.name, options)
        self.players, self.options = players, options
        self.seats: tuple[Seat, ...] = tuple(range(players))

    def __repr__(self) -> str:
        changed = [
            f"{each.name}={getattr(self.options, each.name)!r}"
            for each in fields(self.options)
            if getattr(self.options, each.name) != each.default
        ]
        return f"{type(self).__name__}({', '.join([str(self.players), *changed])})"

    @classmethod
    def options_from(cls, given: Mapping[str, Any]) -> Any:
        """Return ``Options`` from names and values, as they stand in a record.

        :raises OptionError: for a name the game does not have.
        """
        known = {each.name: each for each in fields(cls.option_type)}
        for name in given:
            if name not in known:
                raise OptionError(cls.name, "option.unknown", got=brief(name), allowed=", ".join(known))
        return cls.option_type(**{name: tupled(value) for name, value in given.items()})

    @classmethod
    def preset(cls, name: str) -> Any:
        """Return the ``Options`` of one of :attr:`presets`.

        :raises OptionError: if there is none of that name, saying which there are.
        """
        if not isinstance(name, str) or name not in cls.presets:
            raise OptionError(cls.name, "option.preset", got=brief(name), allowed=", ".join(cls.presets) or "–")
        return cls.options_from(cls.presets[name])

    @abstractmethod
    def initial_state(self, rng: Random) -> S:
        """Return a new state, shuffled and dealt with *rng*."""

    @abstractmethod
    def opening(self, state: S) -> list[Event]:
        """Return what there is to tell of an initial *state*: who deals, what is turned up."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats with a decision to make now: one, several, or none when over."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...] | FreeInput:
        """Return what *seat*, one of :meth:`to_act`, may do now."""

    @abstractmethod
    def refusal(self, state: S, seat: Seat, action: Any) -> Refusal | None:
        """Return why *seat* may not do *action* now, ``None`` if it may.

        The one place that says why; it agrees with :meth:`legal_actions` in every position.
        """

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, rng: Random) -> list[Event]:
        """Advance *state* in place by a legal *action* and return what happened.

        Chance comes from *rng* only.  When several seats decide at once, each decision is
        stored as it comes, and :meth:`observe` keeps it from the others until the last.
        """

    @abstractmethod
    def observe(self, state: S, seat: Seat | None) -> O:
        """Return what *seat* may know, built up field by field; ``None`` for a spectator."""

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Return each seat's points so far."""

    @abstractmethod
    def winners(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that have won, ``()`` while the match runs."""

    @abstractmethod
    def resample(self, observation: O, rng: Random) -> S:
        """Return a state in which that seat would observe exactly *observation*.

        What the seat cannot know is drawn with *rng*: for search players, and for testing
        that an observation depends on nothing hidden.
        """

    @abstractmethod
    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        """Return the text id and values that name *value*, such as a card's number.

        *kind* is the part after the colon in a text's placeholder, ``{card:card}``.
        """


def defaults(options: type) -> dict[str, Any]:
    """Return the default of every field of an ``Options`` class, in order."""
    return {each.name: each.default for each in fields(options) if each.default is not MISSING}
