"""The kit of a game: its rules and all else that it brings, each part with its type.

Only the rules and the texts must be there. A game without a scene has no table, one without a
lesson has no debrief.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from coursekit.core import registry
from coursekit.core.errors import LocalizedError, OptionError, unknown
from coursekit.core.game import Event, Game, Seat
from coursekit.core.match import Match
from coursekit.core.search import Searcher
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.kit.answer_form import AnswerForm
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.kit.map_card import MapCard
from coursekit.kit.quick_start import Guide
from coursekit.kit.scene import Look, Page, Scene, Zone
from coursekit.kit.standing import Standing, TallyMaker, find_standing, tally_points
from coursekit.words.texts import LANGUAGES, game_text, register_texts

SceneMaker = Callable[[Any, Sequence[Event], Look], Scene]
"""Makes the scene of a seat from its observation and its story; nothing hidden may be in it."""
HandbookMaker = Callable[[Look], Mapping[str, Page]]
"""Returns what the box tells everybody about its cards: a page by the id that pieces name."""
Forgets = Callable[[Sequence[Event], Any], Collection[int]]
"""Returns which events of a story, by number, the log does not repeat once it has shown them.

It takes a story, which may begin anywhere, and the game.
"""
Translates = Callable[[Any, str], type[Strategy]]
"""Returns the same strategy, by the same name, writing its words in a language."""
StatisticsMaker = Callable[[Match], Mapping[str, Sequence[float]]]
"""Takes a match that is over; returns name -> one number a seat. ``statistic.NAME`` is its text."""
MomentFinder = Callable[[Sequence[Played], str], list[Moment]]
"""Finds what is worth talking about in matches, in a language; see :mod:`.debrief_moment`."""


class LogWriter(Protocol):
    """Writes a line for each event of a story from number *since* on, ``None`` for no line.

    A line is made once and kept: it depends on the game, the language, the players' names, and no
    later event.
    """

    def __call__(
        self, story: Sequence[Event], look: Look, since: int = 0, /
    ) -> list[str | None]: ...


class Guess(NamedTuple):
    """What those who watch can guess of a decision before it is taken."""

    what: str
    """A text id of the game that names it, as in "bid"."""
    choices: Callable[[Any], Sequence[str]]
    """Returns what it may be, from what a spectator sees."""
    came: Callable[[Any, Sequence[Event]], str]
    """Returns which choice it was, from the action and the events that followed."""


class Evidence(Protocol):
    """Returns what *seats* did in *match*, as far as it helps to answer the question *name*.

    The parts are sentences, tables (:class:`.Grid`) and pictures. *draw* counts how often the
    reader asked for another example.
    """

    def __call__(
        self, name: str, match: Match, seats: Sequence[Seat], language: str, draw: int = 0, /
    ) -> Sequence[Any]: ...


class StarterMap(Protocol):
    """Returns a starter map, all of it or what is *about* one thing.

    A dict of ``focus`` (the question), ``top`` (an id), ``concepts`` (id -> fields of a concept)
    and ``relations`` (tuples of start, phrase, end, kind).
    """

    def __call__(self, game: Any, language: str, about: str = "", /) -> Mapping[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class MapStarter:
    """What a game's rules and cards say about how its things belong together, for mind maps."""

    starter: StarterMap
    kinds: Mapping[str, Mapping[str, str]]
    """Kinds of relations of this game alone, and what contradicts them: ``{"opposite": kind}``."""
    cards: Callable[[Any, str], Sequence[MapCard]] = lambda game, language: ()
    """Returns the cards of a game, in a language, that a concept can be about."""
    topics: Callable[[Any, str], Sequence[tuple[str, str]]] = lambda game, language: ()
    """Returns the parts that one can begin with: what each is about, and its name."""
    question: Callable[[str], str] | None = None
    """Returns the question of pupils' maps, where they draw something else than the rules."""
    first: tuple[str, ...] = ()
    """The kinds that such maps are made of, with ``linking(kind, language)``, the words of each."""
    linking: Callable[[str, str], str] | None = None


class Topic(NamedTuple):
    """Questions that belong together, offered side by side after a match."""

    name: str
    """The text ``topic.NAME`` is its title; there may be one on what to mind, ``note.NAME``."""
    questions: Sequence[str]
    """Their names. A card shows the text ``asks.NAME``, or else the question itself."""
    paired: Sequence[str] = ()
    """Those with a clock for thinking alone, in pairs and together."""
    shows: bool = True
    """Whether there is evidence for them."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What a game brings for the time before and after play; its questions are texts."""

    topics: Sequence[Topic] = ()
    """Of the questions after a match.  Without any, all questions stand side by side."""
    evidence: Evidence | None = None
    again: Mapping[str, str] = field(default_factory=dict)
    """By question, the text of a button that shows another example."""
    moments: MomentFinder | None = None
    map_starter: MapStarter | None = None


def tell_story(story: Sequence[Event], look: Look, since: int = 0, /) -> list[str | None]:
    """Return a line for each event of *story* from number *since* on."""
    return [look.tell(event) for event in story[since:]]


def forget_none(story: Sequence[Event], game: Any, /) -> Collection[int]:
    """Return no event: the log repeats them all."""
    return ()


def count_nothing(match: Match, /) -> Mapping[str, Sequence[float]]:
    """Return no numbers."""
    return {}


def empty_handbook(look: Look, /) -> Mapping[str, Page]:
    """Return nothing: the box has no pages."""
    return {}


class Mark(NamedTuple):
    """A place in a zone where a hand can do something."""

    label: str
    actions: Sequence[Any]
    """What can be done there, or samples of it."""
    lit: bool
    """Whether the zone offers it; then one of the actions is legal, else none."""


@dataclass(frozen=True)
class ByHand:
    """What one seat does by hand in a zone, with :class:`.FreeInput`."""

    seat: Seat
    marks: Sequence[Mark] = ()
    drawn: bool = False
    """Whether the zone asks for previews and proposals; see :class:`.DrawnInput`."""


@dataclass(frozen=True, kw_only=True)
class Zones:
    """Kinds of zones that only this game has, and what the browser draws them with.

    Texts of the game whose ids begin with ``ui.`` go to the browser with those of the table.
    """

    kinds: Sequence[str]
    scripts: Sequence[Path]
    """JavaScript behind the table's; it adds to ``zoneKinds`` or ``livingKinds``."""
    styles: Sequence[Path]
    by_hand: Callable[[Zone], ByHand | None] = lambda zone: None
    """Returns what a hand does in a zone, or ``None``, for the checks of scenes."""
    past: Callable[[Zone], dict[str, Any]] = lambda zone: {}
    """Returns what stays of a zone when its moment is past, to look at only."""


@dataclass(frozen=True)
class GameKit:
    """Everything one game brings.  Making it makes the game known by its name.

    :raises ValueError: if a game of the kit has that name already.
    """

    rules: type[Game[Any, Any, Any]]
    texts: Path
    """Its ``texts.toml``."""
    scene: SceneMaker | None = None
    log: LogWriter = tell_story
    forgets: Forgets = forget_none
    handbook: HandbookMaker = empty_handbook
    class_preset: str = ""
    """The one of the game's presets that fits a lesson, which is proposed to a class; "" for the
    rules as they are.
    """
    guide: Guide | None = None
    """Its rules in short, which the table tells, and the first match of a new player."""
    art: Path | None = None
    """An SVG file with a ``<symbol>`` for each drawing that faces name."""
    zones: Zones | None = None
    emblem: Path | None = None
    """An SVG file for the start page; a plain card stands for it."""
    pages: Path | None = None
    """A folder with a notebook by the game's name in ``zh`` and in ``en``; else a plain page."""
    strategies: tuple[type[Strategy], ...] = ()
    """The strategies that come with the game, the weakest first."""
    thinker: type[Searcher] | None = None
    """The strongest, which takes its time at every decision.

    It can sit at tables and is left out of tournaments. When a table looks back, it says what else
    could have been done; ``weighed.good`` and ``weighed.payoff`` name its figures.
    """
    speaking: Translates | None = None
    """Where strategies write words."""
    guesses: Mapping[str, Guess] = field(default_factory=dict)
    """What those who watch can guess, by phase."""
    statistics: StatisticsMaker = count_nothing
    """What a tournament counts beside points and wins, for frames and files."""
    tally: TallyMaker = tally_points
    """What counts of a match that a teacher ends before its end."""
    answer_forms: Mapping[str, AnswerForm] = field(default_factory=dict)
    """How its questions are answered on phones, by name; the others with words alone."""
    lesson: Callable[[], Lesson] | None = None
    """Returns the parts for before and after play, which are loaded only then."""

    paper: Callable[[], Any] | None = None
    """Returns what lies in the box, to be printed: a :class:`coursekit.printing.printables.Box`."""

    def __post_init__(self) -> None:
        registry.add(self)
        register_texts(self.name, self.texts)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    def players(self, language: str | None = None) -> tuple[type[Strategy], ...]:
        """Return the strategies that come with the game, the weakest first.

        :param language: of the table they are to play at, for those that write words.
        """
        if language is None or self.speaking is None:
            return self.strategies
        return tuple(self.speaking(kind, language) for kind in self.strategies)

    def offered_strategies(self, language: str | None = None) -> tuple[type[Strategy], ...]:
        """Return all that can take a seat at a table: :meth:`players`, then the thinker, if any."""
        return (*self.players(language), *([self.thinker] if self.thinker else []))

    def strategy(self, name: str, language: str | None = None) -> type[Strategy]:
        """Return the strategy called *name*, as its class is or as a table names it.

        >>> from coursekit.games.wizard.kit import KIT
        >>> KIT.strategy("小心") is KIT.strategy("Cautious")
        True

        :param language: as for :meth:`players`.
        :raises UnknownStrategyError: a ``ValueError``, if there is none.
        """
        offered = self.offered_strategies(language)
        names: dict[str, type[Strategy]] = {}
        known: list[type[Strategy]] = [AtRandom, *offered]
        for kind in known:
            names[kind.__name__] = kind
            for code in LANGUAGES:
                names[game_text(self.name, f"strategy.{kind.__name__}", code)] = kind
        if name in names:
            return names[name]
        own = getattr(sys.modules.get("__main__"), name, None)
        if isinstance(own, type) and issubclass(own, Strategy):
            raise UnknownStrategyError("", "kit.quoted_strategy", got=name)
        values = unknown(name, [kind.__name__ for kind in offered])
        raise UnknownStrategyError("", "kit.unknown_strategy", **values)

    def standard(self, players: int | None = None) -> Game[Any, Any, Any]:
        """Return the game with its standard rules, for the fewest players by default.

        :raises OptionError: if it is not for that many.
        """
        return self.rules(self.rules.player_counts[0] if players is None else players)

    def load_lesson(self) -> Lesson:
        """Return the parts for before and after play, none where the game brings none."""
        return self.lesson() if self.lesson else Lesson()

    def drawings(self) -> str:
        """Return the SVG with the game's drawings, "" if it has none."""
        return "" if self.art is None else self.art.read_text(encoding="utf-8")


class Games(Mapping[str, GameKit]):
    """All games there are, by name; each is loaded when it is asked for."""

    def __getitem__(self, name: str) -> GameKit:
        kit = registry.load(name)
        assert isinstance(kit, GameKit)
        return kit

    def __iter__(self) -> Iterator[str]:
        return iter(registry.names())

    def __len__(self) -> int:
        return len(registry.names())

    def __contains__(self, name: object) -> bool:
        return registry.is_known(name)


GAMES: Mapping[str, GameKit] = Games()
"""The games of the kit, of installed packages, and those whose kit this process has made."""


class UnknownGameError(LocalizedError, ValueError):
    """There is no game of that name."""


class UnknownStrategyError(LocalizedError, ValueError):
    """A game has no strategy of that name."""


def kit_of(game: object) -> GameKit:
    """Return the kit of *game*: a kit, a game's name, its rules, or a game with its options.

    :raises UnknownGameError: a ``ValueError``, if there is none.
    """
    if isinstance(game, GameKit):
        return game
    name = game if isinstance(game, str) else getattr(game, "name", None)
    if not isinstance(name, str) or name not in GAMES:
        raise UnknownGameError("", "kit.unknown_game", **unknown(game, GAMES))
    return GAMES[name]


def make(
    game: "str | GameKit | Game[Any, Any, Any]",
    players: int | None = None,
    preset: str | None = None,
    **options: Any,
) -> Game[Any, Any, Any]:
    """Return the game of that name or kit, as in ``make("wizard", players=4, short_game=5)``.

    A game that is made already is returned as it is.

    :param players: how many; by default the fewest the game allows.
    :param preset: one of :attr:`.Game.presets`; by default the standard rules.
    :param options: those that differ from it.
    :raises ValueError: if there is no such game, preset, option or value, or not for that many.
    """
    if isinstance(game, Game) and players is None and preset is None and not options:
        return game
    rules = kit_of(game).rules
    given = {} if preset is None else asdict(rules.preset(preset))
    names = [option.name for option in fields(rules.option_type)]
    for name in options:
        if name not in names:
            raise OptionError(
                rules.name, "option.unknown", **unknown(name, [*names, "players", "preset"])
            )
    count = rules.player_counts[0] if players is None else players
    return rules(count, rules.options_from({**given, **options}))


def kit_statistics(match: Match) -> Mapping[str, Sequence[float]]:
    """Return what the kit of a match's game counts of it; nothing if the game has no kit."""
    name = match.game.name
    return GAMES[name].statistics(match) if name in GAMES else {}


def standing_of(match: Match) -> Standing:
    """Return how the players of *match* stand, at its end or if it ended now."""
    return find_standing(match, kit_of(match.game).tally(match))
