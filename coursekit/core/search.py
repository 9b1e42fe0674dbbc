"""A player that thinks: it tries each action in guessed positions and sees what comes of it.

Flat Monte Carlo on the contract alone (:meth:`.Game.resample`, :meth:`.Game.copy`,
:meth:`.Game.legal_actions`, :meth:`.Game.apply`), for every game whose actions are listed. A
*world* is one guess of all that is hidden, with its own chance; a *playout* is one action in one
world, after which all seats go on as the *guide* would, another strategy.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from math import inf, sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

from coursekit.core.chance import random_below, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, Game, Seat, pick_action, turn_observer
from coursekit.core.match import Match, replay
from coursekit.core.strategy import AtRandom, Numbers, Strategy
from coursekit.words.texts import shorten

Tries = Callable[[Sequence[Any], int, Random], list[list[float]]]
"""Takes actions, a number of worlds and chance; returns each action's payoff in each world."""


class Core(NamedTuple):
    """A guide's own way to make playouts: its rules and ideas once more, in faster code."""

    tries: Callable[[Any], Tries | None]
    """Takes an observation; returns how to try its actions, ``None`` for an unknown position."""
    compiled: bool
    """Whether it runs compiled; without numba the same source runs as plain Python."""
    payoff: Callable[..., float] | None = None
    """The method that says what it counts; ``None`` for :meth:`Searcher.payoff`."""


class AnyValue:
    """Holds every value: for an option that changes nothing a core does."""

    def __contains__(self, value: object) -> bool:
        return True


ANY = AnyValue()


def attributes(rules: type) -> dict[str, Any]:
    """Return what the class *rules* itself defines.

    What Python notes on a class in passing is left out: to copy a game writes ``__slotnames__``.
    """
    own = vars(rules).items()
    return {name: value for name, value in own if callable(value) or not name.startswith("__")}


def covers_rules(
    known: Mapping[str, Container[Any]],
    game: Game[Any, Any, Any],
    rules: type[Game[Any, Any, Any]],
    written: Mapping[str, Any],
) -> bool:
    """Return whether a core that knows *rules* plays *game* by all of its rules.

    Its class must be *rules* itself, as it was *written*, since a subclass or a cell may change any
    method; and each option must have a value that is *known*, since an option that nobody has
    thought of may change anything.

    :param known: option -> the values with which the core plays as the rules do.
    :param written: the :func:`attributes` of *rules* at the beginning.
    """
    options = game.options
    if type(game) is not rules or type(options) is not rules.option_type:
        return False
    if attributes(rules) != written:
        return False
    return all(
        getattr(options, option.name) in known.get(option.name, ()) for option in fields(options)
    )


class Trial(NamedTuple):
    """What a :class:`Searcher` found out about one action."""

    action: Any
    payoff: float  # mean over the worlds it was tried in
    ahead: float  # of the guide's action, mean over the worlds that both were tried in
    error: float  # standard error of that
    worlds: int
    good: float  # share of its worlds with a payoff above 0


class Thought(NamedTuple):
    """What a :class:`Searcher` thought before it decided."""

    phase: str
    guide: Any  # what its guide would have done
    chosen: Any
    tried: tuple[Trial, ...]  # the best first
    playouts: int


class Searcher(Strategy):
    """Tries each action in many guessed positions, and leaves its guide where that is better.

    All actions meet the same worlds, so that the difference between two does not depend on luck
    that both have. An action that is clearly worse than the best is dropped on the way. A subclass
    names the :attr:`guide`, which must decide from the observation alone::

        class Thinker(Searcher):
            guide = CardCounter

    With :attr:`playouts` set it decides alike on every computer; else it thinks for :attr:`budget`.
    """

    guide: ClassVar[type[Strategy]] = AtRandom
    playout_guide: ClassVar[type[Strategy] | None] = None
    """By which all seats go on; ``None`` for the guide."""
    budget: ClassVar[float] = 50  # milliseconds a decision
    playouts: ClassVar[int] = 0  # if above 0: playouts a decision, however long they take
    margin: ClassVar[float] = 1.5
    """Standard errors by which an action must be ahead of the guide's to be chosen instead."""
    worlds: ClassVar[int] = 150  # at most so many: more would hardly change a decision
    time_limit = inf  # until it is made: it may have to compile its core
    numbers: ClassVar[dict[str, Numbers]] = {
        "budget": (0.0, 60_000.0),
        "playouts": range(10_000_001),
        "margin": (0.0, 10.0),
        "worlds": range(10, 1_000_001),
    }

    FEWEST = 10  # worlds, before which nothing is dropped or chosen instead of the guide's action
    HOPELESS = 2.5  # standard errors behind the best at which an action is dropped
    BATCH = 64  # worlds at most between two looks at the clock

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in ("guide", "playout_guide"):
            kind = vars(cls).get(name)
            if kind is not None and not (isinstance(kind, type) and issubclass(kind, Strategy)):
                words = {"strategy": cls.__name__, "number": name, "got": shorten(kind)}
                raise OptionError("", "strategy_number.no_strategy", **words)

    def __init__(self, rng: Random, game: Game[Any, Any, Any]) -> None:
        super().__init__(rng, game)
        if not self.playouts:
            self.time_limit = 1 + 6 * self.budget / 1000  # a fifth of it is well above the budget
        self.thoughts: list[Thought] = []
        """What it thought at each decision that was not its only one, in order."""
        self._guides = [self.guide(Random(0), game) for _ in game.seats]
        followed = self._followed_guide()
        self._followed = [followed(Random(0), game) for _ in game.seats]
        make = vars(self.guide).get("core")  # not an inherited one: a subclass may decide otherwise
        core: Core | None = make.__get__(None, self.guide)(game) if make else None
        kind = type(self)
        methods = (followed, kind.ends, kind.guesses)
        usual = methods == (self.guide, Searcher.ends, Searcher.guesses)
        if core and not (usual and kind.payoff is (core.payoff or Searcher.payoff)):
            core = None  # its playouts are others
        self.core = core
        """The guide's own playouts; ``None`` where all is done on the contract."""

    def _followed_guide(self) -> type[Strategy]:
        """Return the strategy by which playouts go on: the one that the nearest class names."""
        for kind in type(self).__mro__:
            if vars(kind).get("playout_guide") is not None:
                return kind.playout_guide  # type: ignore[attr-defined, no-any-return]
            if "guide" in vars(kind):
                break
        return self.guide

    def __repr__(self) -> str:
        how = "on the contract"
        if self.core is not None:
            how = "compiled" if self.core.compiled else "in plain Python"
        much = f"{self.playouts} playouts" if self.playouts else f"{self.budget:g} ms"
        return f"<{type(self).__name__}: {self.guide.__name__}, {much} a decision, playouts {how}>"

    @staticmethod
    def clock() -> float:
        """Return the time in seconds by which the budget is counted."""
        return perf_counter()

    def decide(self, obs: Any) -> Any:
        favourite = self._guides[obs.me].decide(obs)
        if favourite is None or not isinstance(obs.legal, tuple) or len(obs.legal) < 2:
            return favourite
        thought = self.think(obs, favourite)
        self.thoughts.append(thought)
        return thought.chosen

    def think(self, obs: Any, favourite: Any) -> Thought:
        """Return what comes of the legal actions, and which one to choose.

        :param favourite: what the guide would do.
        """
        if getattr(obs, "open_hands", ()):  # it plays as if it saw its own hand alone
            obs = replace(obs, open_hands=())
        tries = (self.core.tries(obs) if self.core else None) or self._on_contract(obs)
        left = list(self.candidates(obs, favourite))
        spent = worlds = 0
        payoffs: dict[Any, list[float]] = {action: [] for action in left}
        end = self.clock() + self.budget / 1000
        while len(left) > 1 and worlds < self.worlds:
            batch = min(1 + worlds // 4, self.BATCH, self.worlds - worlds)
            if self.playouts:
                batch = min(batch, (self.playouts - spent) // len(left))
            if batch < 1 or not (self.playouts or self.clock() < end):
                break
            new = tries(left, batch, self.rng)
            if len(new[0]) < batch:  # the core could not guess so many
                tries = self._on_contract(obs)
                continue
            for action, new_payoffs in zip(left, new):
                payoffs[action] += new_payoffs
            spent += batch * len(left)
            worlds += batch
            if worlds >= self.FEWEST:
                left = _drop_hopeless(payoffs, left, self.HOPELESS)
        trials = [_trial(action, payoffs, favourite) for action in payoffs]
        trials.sort(key=lambda trial: (trial.worlds, trial.payoff), reverse=True)
        chosen, most_ahead = favourite, 0.0
        for trial in trials:
            if trial.worlds < self.FEWEST or trial.ahead <= self.margin * trial.error:
                continue
            if trial.ahead > most_ahead:
                chosen, most_ahead = trial.action, trial.ahead
        return Thought(obs.phase, favourite, chosen, tuple(trials), spent)

    def candidates(self, obs: Any, favourite: Any) -> Sequence[Any]:
        """Return the actions to try, *favourite* among them."""
        legal: Sequence[Any] = obs.legal
        return legal

    def guesses(self, obs: Any) -> Callable[[Random], Any]:
        """Return a function that takes chance and guesses a world in which a seat sees *obs*."""
        return partial(self.game.resample, obs)

    # Playouts on the contract

    def _on_contract(self, obs: Any) -> Tries:
        guess = self.guesses(obs)

        def tries(actions: Sequence[Any], worlds: int, rng: Random) -> list[list[float]]:
            payoffs: list[list[float]] = [[] for _ in actions]
            for _ in range(worlds):
                world = guess(rng)
                luck = random_below(rng, 1 << 53)
                for action, action_payoffs in zip(actions, payoffs):
                    state = self.game.copy(world)
                    action_payoffs.append(self._playout(state, obs.me, action, Random(luck)))
            return payoffs

        return tries

    def _playout(self, state: Any, seat: Seat, action: Any, rng: Random) -> float:
        game, guides, observe_turn = self.game, self._followed, turn_observer(self.game)
        before = game.scores(state)
        game.apply(state, seat, action, rng)
        actions = 1
        while not self.ends(state, before, actions):
            if (seen := observe_turn(state)) is not None:
                who = seen.seat
            elif deciding := game.to_act(state):
                who = deciding[0]
                seen = game.observe(state, who) if who != TABLE else None
            else:
                break
            chosen = guides[who].decide(seen) if seen is not None else None
            if chosen is None:  # the table's, or a guide that waits
                chosen = pick_action(game.legal_actions(state, who), rng)
            game.apply(state, who, chosen, rng)
            actions += 1
        return self.payoff(state, seat, before)

    def ends(self, state: Any, before: tuple[int, ...], actions: int) -> bool:
        """Return whether a playout ends here: by default as soon as a score has changed.

        :param before: the scores at its start.
        :param actions: how many there were.
        """
        return self.game.scores(state) != before

    def payoff(self, state: Any, seat: Seat, before: tuple[int, ...]) -> float:
        """Return how good the end of a playout is for *seat*: its gain on the others' mean."""
        gained = [now - then for now, then in zip(self.game.scores(state), before)]
        return gained[seat] - (sum(gained) - gained[seat]) / max(1, self.game.players - 1)


def look_back(match: Match, entry: int, kind: type[Searcher]) -> Thought:
    """Return what *kind* thinks of entry number *entry* of the log, and of the other actions.

    It knows what that seat knew then.  It shows hands, so it is for a match that is over.

    :raises ValueError: unless a seat decided there among actions that can be listed.
    """
    before = replay(match.record(), entry, match.game)
    seat, action = match.log[entry] if entry < len(match.log) else (TABLE, None)
    if seat == TABLE or not isinstance(match.game.legal_actions(before.state, seat), tuple):
        raise ValueError(f"entry {entry} is no decision of a seat among listed actions")
    thinker = kind(stream(match.seed, f"look back {entry}"), match.game)
    return thinker.think(match.game.observe(before.state, seat), action)


def _ahead(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Return the mean paired difference of two lists of payoffs and its standard error."""
    gaps = [a - b for a, b in zip(one, other)]
    if len(gaps) < 2:
        return (gaps[0] if gaps else 0.0), inf
    mean = fmean(gaps)
    return mean, sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))


def _drop_hopeless(payoffs: dict[Any, list[float]], left: list[Any], hopeless: float) -> list[Any]:
    """Return those of *left* that are not clearly worse than the best."""
    best = max(left, key=lambda action: fmean(payoffs[action]))
    kept = []
    for action in left:
        gap, error = _ahead(payoffs[best], payoffs[action])
        if action is best or gap <= hopeless * error:
            kept.append(action)
    return kept


def _trial(action: Any, payoffs: dict[Any, list[float]], favourite: Any) -> Trial:
    own = payoffs[action]
    ahead, error = (0.0, 0.0) if action == favourite else _ahead(own, payoffs[favourite])
    if not own:
        return Trial(action, 0.0, ahead, error, 0, 0.0)
    good = fmean(payoff > 0 for payoff in own)
    return Trial(action, fmean(own), ahead, error, len(own), good)
