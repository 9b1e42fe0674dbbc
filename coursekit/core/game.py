"""The contract between a game's rules and everything that plays, shows or checks them.

A :class:`Game` is one game with its number of players and its options fixed. It holds no state of a
match, draws nothing, never waits and knows no language. It tells people text ids with values
(:class:`Refusal`, :class:`Event`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import floor
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

from coursekit.core import observation
from coursekit.core.errors import LocalizedError, OptionError, unknown
from coursekit.core.options import check_options, to_tuples
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, shorten

Seat = int
"""A place at the table, 0-based and clockwise; :data:`TABLE` for the table itself."""

TABLE: Seat = -1
"""The seat of decisions that no player makes, such as going on to the next round."""

S = TypeVar("S")  # full state: mutable, slotted; ints, strings, and lists and tuples of them
O = TypeVar("O", bound="CommonObservation")  # observation: what one seat may know, nothing else
A = TypeVar("A")  # action: an int, a string, or a tuple of these


class Refusal(NamedTuple):
    """Why a seat may not do something: a text id, its values, and the rule's own text id.

    A value ``about`` lists the things that it concerns, as a scene names them: the table marks
    them.
    """

    text: str
    values: Mapping[str, Any] = {}
    rule: str = ""


class Event(NamedTuple):
    """Something that happened: a text id, its values, and who may read it."""

    text: str
    values: Mapping[str, Any] = {}
    audience: tuple[Seat, ...] | None = None
    """The seats that may read it; ``None`` for all, spectators included."""

    def is_for(self, seat: Seat | None) -> bool:
        """Return whether *seat* may read it (``None``: a spectator)."""
        return self.audience is None or seat in self.audience


@dataclass(slots=True, repr=False)
class CommonObservation:
    """The part of an observation that every game has; a game's ``Observation`` adds its own fields.

    A subclass says ``repr=False`` too, so that it is shown as this class says. Its values are ints,
    strings and tuples, so nothing can be changed through it. A game creates it with :meth:`empty`
    and fills it field by field. That names each value where it is set, and is twice as fast as a
    constructor with keywords.
    """

    seat: Seat | None  # None: a spectator
    players: int
    phase: str  # what is being decided
    legal: Any  # the tuple of legal actions or a FreeInput; () if this seat has nothing to decide
    waiting: tuple[Seat, ...]  # the seats that have something to decide

    @classmethod
    def empty(cls) -> Self:
        """Return an observation with all fields still unset."""
        return cls.__new__(cls)

    @property
    def me(self) -> Seat:
        """The observing seat.

        :raises ValueError: if the observer is a spectator.
        """
        if self.seat is None:
            raise ValueError("a spectator has no seat")
        return self.seat

    def values(self) -> dict[str, Any]:
        """Return all fields by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __repr__(self) -> str:  # short: a player made of code may print it at every move
        return observation.format_line(type(self).__name__, self.values())

    def _repr_html_(self) -> str:  # IPython asks for it
        game = ""
        for rules in observation.subclass_tree(Game):
            if getattr(rules, "observation_type", None) is type(self):
                game = rules.name
                break
        values = self.values()
        for name, attribute in vars(type(self)).items():
            if isinstance(attribute, property):
                values[name] = getattr(self, name)
        return observation.format_table(game, values, current_language())


class IllegalAction(LocalizedError, ValueError):
    """This seat may not do that in this position; :attr:`refusal` says why."""

    def __init__(
        self, game: "Game[Any, Any, Any]", seat: Seat, action: Any, refusal: Refusal
    ) -> None:
        super().__init__(game.name, refusal.text, **refusal.values)
        self.rules = game
        self.seat = seat
        self.action = action
        self.refusal = refusal

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        return sentence(self.rules, self.refusal, language, names)

    def __str__(self) -> str:
        return f"seat {shorten(self.seat)} may not do {shorten(self.action)}: {self.sentence('en')}"


class FreeInput(Protocol):
    """Legal actions that cannot be listed, such as words or a drawn line."""

    def __contains__(self, action: object) -> bool: ...

    def sample(self, rng: Random) -> Any:
        """Return one legal action, made with *rng*."""
        ...


@runtime_checkable
class DrawnInput(FreeInput, Protocol):
    """Free input drawn by hand: players can preview it and ask for suggestions.

    Both methods must be fast: a hand on the screen waits for them.
    """

    def preview(self, action: Any) -> Any:
        """Return what would lie on the table after *action*, legal or not, as JSON.

        ``None`` if it cannot be shown.  Never raises, whatever *action* is.
        """
        ...

    def suggestion(self, n: int, about: Any) -> Any:
        """Return the *n*-th of some legal actions, in a fixed order that wraps around.

        :param about: the thing on the table that the action concerns, as a scene names it; ``None``
            for any.
        :returns: ``None`` if no legal action concerns it.
        """
        ...


def sentence(
    game: "Game[Any, Any, Any]", about: Event | Refusal, language: str, names: Sequence[str] = ()
) -> str:
    """Return what *about* says, in *language*; a refusal ends with the name of its rule."""
    words = game_text(game, about.text, language, names, **about.values)
    if isinstance(about, Refusal) and about.rule:
        rule = game_text(game, about.rule, language)
        return game_text(game, "refusal.by_rule", language, words=words, rule=rule)
    return words


TURN_METHODS = ("to_act", "legal_actions", "observe")
"""The methods of a game that :meth:`Game.observe_turn` answers for."""


def turn_observer(game: "Game[Any, Any, Any]") -> Callable[[Any], Any]:
    """Return the game's own :meth:`Game.observe_turn` if it still answers for the other methods.

    If somebody has changed one of those, in a subclass or a cell of a notebook, return the method
    of :class:`Game`, which asks them.
    """
    # Not by vars(game), which makes the game slower.
    methods = [getattr(getattr(game, name), "__func__", None) for name in TURN_METHODS]
    if game._turn_methods == tuple(methods):
        return game.observe_turn
    return partial(Game.observe_turn, game)


def copy_lists(things: list[Any]) -> list[Any]:
    """Return a copy of *things* and of the lists in it; the rest of a state cannot change."""
    return [copy_lists(thing) if type(thing) is list else thing for thing in things]


def pick_action(legal: "tuple[Any, ...] | FreeInput", rng: Random) -> Any:
    """Return one of the *legal* actions, chosen with *rng*."""
    if isinstance(legal, tuple):
        return legal[floor(rng.random() * len(legal))]
    return legal.sample(rng)


class Game(ABC, Generic[S, O, A]):
    """Rules of one game, with players and options fixed.

    :param players: how many seats, one of :attr:`player_counts`.
    :param options: an instance of the class's ``Options``; ``None`` for the standard rules.
    :raises OptionError: a ``ValueError`` saying what was got and what is allowed.
    """

    name: ClassVar[str]
    """The game's unique name, in records and in function calls."""
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
    """Phases in which no seat knows more than a spectator.

    A shared screen then shows the spectator's view, and all players who may act use it together.
    """
    bare_phases: frozenset[str] = frozenset()
    """Phases in which hands lie open and no seat knows more than its neighbours, as some options
    have it.

    A shared screen then goes to the next player without being covered.
    """
    phases: ClassVar[tuple[str, ...]] = ()
    """The phases in which a seat decides: the methods that a strategy may have.

    Each has a text ``method.<phase>``, and each field of an observation a text ``field.<name>``.
    """
    races: ClassVar[frozenset[str]] = frozenset()
    """Phases in which speed pays.

    Strategies may wait in them, even when no other seat can decide: see :meth:`.Strategy.decide`.
    """
    longest: int
    """Maximum actions of a match."""
    _turn_methods: ClassVar[tuple[Any, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "observe_turn" in vars(cls):
            cls._turn_methods = tuple(getattr(cls, name) for name in TURN_METHODS)

    def __init__(self, players: int, options: Any = None) -> None:
        if type(players) is not int or players not in self.player_counts:
            allowed = ", ".join(map(str, self.player_counts))
            raise OptionError(self.name, "option.players", got=shorten(players), allowed=allowed)
        options = self.option_type() if options is None else options
        if not isinstance(options, self.option_type):
            raise OptionError(self.name, "option.not_options", got=shorten(options), kind=self.name)
        check_options(self.name, options)
        self.players = players
        self.options = options
        self.seats: tuple[Seat, ...] = tuple(range(players))
        self._fields = tuple(field.name for field in fields(self.state_type))

    def __repr__(self) -> str:
        parts = [str(self.players)]
        for option in fields(self.options):
            value = getattr(self.options, option.name)
            if value != option.default:
                parts.append(f"{option.name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"

    @classmethod
    def options_from(cls, given: Mapping[str, Any]) -> Any:
        """Return ``Options`` from the names and values of a record.

        :raises OptionError: for a name the game does not have.
        """
        names = [option.name for option in fields(cls.option_type)]
        for name in given:
            if name not in names:
                raise OptionError(cls.name, "option.unknown", **unknown(name, names))
        return cls.option_type(**{name: to_tuples(value) for name, value in given.items()})

    @classmethod
    def of_version(cls, version: Any) -> "type[Game[Any, Any, Any]] | None":
        """Return the class that replays the records of *version*; ``None`` if there is none.

        A game whose rules have changed may keep its older class and return it here, so that the
        records of that class still open.
        """
        # A version is an int; 1.0 == 1 and True == 1, but no record has them.
        return cls if type(version) is int and version == cls.version else None

    @classmethod
    def preset(cls, name: str) -> Any:
        """Return the ``Options`` of one of :attr:`presets`.

        :raises OptionError: if there is none of that name, saying which there are.
        """
        if not isinstance(name, str) or name not in cls.presets:
            raise OptionError(cls.name, "option.preset", **unknown(name, cls.presets))
        return cls.options_from(cls.presets[name])

    @abstractmethod
    def initial_state(self, rng: Random) -> S:
        """Return a new state, shuffled and dealt with *rng*."""

    @abstractmethod
    def opening(self, state: S) -> list[Event]:
        """Return the events of an initial *state*, such as who deals."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that decide now: one, several, or none when the match is over."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...] | FreeInput:
        """Return what *seat*, one of :meth:`to_act`, may do now."""

    def refusal(self, state: S, seat: Seat, action: Any) -> Refusal | None:
        """Return why *seat* may not do *action* now, ``None`` if it may.

        Agrees with :meth:`legal_actions` in every position.
        """
        # True == 1 and 1.0 == 1, but neither is a seat.
        if type(seat) is not int or seat not in (TABLE, *self.seats):
            return self.refuse_seat(seat)
        deciding = self.to_act(state)
        if seat not in deciding:
            return self.refuse_waiting(state, seat, action, deciding)
        return self.objection(state, seat, action)

    def refuse_seat(self, got: Any) -> Refusal:
        """Return the refusal of *got*, which is no seat of this game."""
        return Refusal("refusal.no_seat", {"got": shorten(got), "last": self.players - 1})

    def refuse_waiting(
        self, state: S, seat: Seat, action: Any, deciding: tuple[Seat, ...]
    ) -> Refusal:
        """Return why *seat*, which is not *deciding*, may do nothing."""
        if not deciding:
            return Refusal("refusal.over")
        return Refusal("refusal.not_your_turn", {"deciding": deciding})

    @abstractmethod
    def objection(self, state: S, seat: Seat, action: Any) -> Refusal | None:
        """Return why *seat*, one of :meth:`to_act`, may not do *action*, ``None`` if it may.

        The one place that says why.
        """

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, rng: Random) -> Sequence[Event]:
        """Advance *state* in place by a legal *action* and return what happened.

        What it returns is read, never changed: a game may return the same events again.

        Chance comes from *rng* only.  When several seats decide at once, each decision is
        stored as it comes, and :meth:`observe` hides it from the others until the last is in.
        """

    @abstractmethod
    def observe(self, state: S, seat: Seat | None) -> O:
        """Return what *seat* may know, set field by field; ``None`` for a spectator."""

    def observe_turn(self, state: S) -> O | None:
        """Return what the one deciding seat observes; ``None`` unless exactly one seat decides.

        It is ``None`` too in a race, and where the table decides. A game may answer faster than
        :meth:`to_act` and :meth:`observe` do, but never otherwise:
        see :func:`turn_observer`.
        """
        deciding = self.to_act(state)
        if len(deciding) != 1 or deciding[0] == TABLE:
            return None
        observation = self.observe(state, deciding[0])
        return None if observation.phase in self.races else observation

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Return each seat's points so far."""

    @abstractmethod
    def winners(self, state: S) -> tuple[Seat, ...]:
        """Return the winning seats, ``()`` while the match runs."""

    @abstractmethod
    def resample(self, observation: O, rng: Random) -> S:
        """Return a state in which that seat would observe exactly *observation*.

        What the seat cannot know is drawn with *rng*.  Search players need this, and so do
        tests that an observation depends on nothing hidden.
        """

    def copy(self, state: S) -> S:
        """Return a copy of *state* that shares nothing with it that can change."""
        new: S = object.__new__(type(state))
        for name in self._fields:
            value = getattr(state, name)
            setattr(new, name, copy_lists(value) if type(value) is list else value)
        return new

    @abstractmethod
    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        """Return the text id and values that name *value*, such as a card's number.

        *kind* is the part after the colon in a text's placeholder, ``{card:card}``.
        """


def check_game(game: Any) -> None:
    """Raise :class:`OptionError` unless *game* is a game with its number of players."""
    if isinstance(game, type) and issubclass(game, Game) and game.player_counts:
        least = game.player_counts[0]
        raise OptionError("", "option.game_class", got=game.__name__, least=least)
    if not isinstance(game, Game):
        raise OptionError("", "option.no_game", got=shorten(game))


AnyGame = Game[Any, Any, Any]
"""A game whose state, observation and actions are not of interest."""
