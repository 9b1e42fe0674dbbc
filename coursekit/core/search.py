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
from coursekit.core.game import TABLE, Game, Seat, pick_action, turn_observer
from coursekit.core.match import Match, replay
from coursekit.core.strategy import AtRandom, Numbers, Strategy

Tries = Callable[[Sequence[Any], int, Random], list[list[float]]]
"""Takes actions, a number of worlds and chance; returns for each action its payoff in each of the
worlds.
"""


class Core(NamedTuple):
    """A guide's own way to make playouts, much faster than on the contract: rules and guide,
    written once more.
    """

    tries: Callable[[Any], Tries | None]
    """Takes an observation; returns how to try its actions, ``None`` for a position that it does
    not know.
    """
    compiled: bool
    """Whether it runs compiled; the same source runs as plain Python where numba is not installed."""
    payoff: Callable[..., float] | None = None
    """The method :meth:`Searcher.payoff` whose numbers it finds; ``None`` if it is the one of
    :class:`Searcher`.
    """


class AnyValue:
    """Holds every value: for an option that changes nothing a core does."""

    def __contains__(self, value: object) -> bool:
        return True


ANY = AnyValue()


def attributes(rules: type) -> dict[str, Any]:
    """Return what the class *rules* itself defines, without what Python notes on a class in
    passing.

    Copying or pickling a game, for example, writes ``__slotnames__``.
    """
    return {
        name: value
        for name, value in vars(rules).items()
        if callable(value) or not name.startswith("__")
    }


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
    if (
        type(game) is not rules
        or type(options) is not rules.option_type
        or attributes(rules) != written
    ):
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
    """Tries each action in many guessed positions, and moves away from its guide only where that is
    clearly better.

    All actions meet the same worlds, so that the difference between two does not depend on luck
    that both have. An action that is clearly worse than the best is dropped on the way. A subclass
    names the :attr:`guide`, which must decide from the observation alone::

        class Thinker(Searcher):
            guide = CardCounter

    With :attr:`playouts` set it decides alike on every computer; else it thinks for :attr:`budget`.
    """

    guide: ClassVar[type[Strategy]] = AtRandom
    playout_guide: ClassVar[type[Strategy] | None] = (
        None  # by which all seats go on; the guide, if it is not named
    )
    budget: ClassVar[float] = 50  # milliseconds a decision
    playouts: ClassVar[int] = 0  # if above 0: playouts a decision, however long they take
    margin: ClassVar[float] = (
        1.5  # standard errors that an action must be ahead of the guide's to be chosen instead
    )
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
        usual = (
            followed is self.guide
            and kind.ends is Searcher.ends
            and kind.guesses is Searcher.guesses
        )
        if core and not (usual and kind.payoff is (core.payoff or Searcher.payoff)):
            core = None  # which does otherwise
        self.core = core
        """The guide's own playouts; ``None`` where all is done on the contract."""

    def _followed_guide(self) -> type[Strategy]:
        """Return by which strategy playouts go on: a class that names another guide follows that."""
        for kind in type(self).__mro__:
            if vars(kind).get("playout_guide") is not None:
                return kind.playout_guide  # type: ignore[attr-defined, no-any-return]
            if "guide" in vars(kind):
                break
        return self.guide

    def __repr__(self) -> str:
        how = (
            "on the contract"
            if self.core is None
            else "compiled"
            if self.core.compiled
            else "in plain Python"
        )
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
        """Return what comes of the legal actions, and which one to choose, where the guide would do
        *favourite*.
        """
        if getattr(obs, "open_hands", ()):
            obs = replace(
                obs, open_hands=()
            )  # as all strategies it plays as if it saw its own hand alone
        tries = (self.core.tries(obs) if self.core else None) or self._on_contract(obs)
        left, spent, worlds = list(self.candidates(obs, favourite)), 0, 0
        found: dict[Any, list[float]] = {action: [] for action in left}
        end = self.clock() + self.budget / 1000
        while len(left) > 1 and worlds < self.worlds:
            batch = min(1 + worlds // 4, self.BATCH, self.worlds - worlds)
            if self.playouts:
                batch = min(batch, (self.playouts - spent) // len(left))
            if batch < 1 or not (self.playouts or self.clock() < end):
                break
            tried = tries(left, batch, self.rng)
            if len(tried[0]) < batch:  # the core could not guess so many
                tries = self._on_contract(obs)
                continue
            for action, payoffs in zip(left, tried):
                found[action] += payoffs
            spent, worlds = spent + batch * len(left), worlds + batch
            if worlds >= self.FEWEST:
                left = _drop_hopeless(found, left, self.HOPELESS)
        told = [_trial(action, found, favourite) for action in found]
        told.sort(key=lambda trial: (trial.worlds, trial.payoff), reverse=True)
        clear = [
            trial
            for trial in told
            if trial.worlds >= self.FEWEST and trial.ahead > max(0, self.margin * trial.error)
        ]
        best = max(clear, key=lambda trial: trial.ahead, default=None)
        return Thought(obs.phase, favourite, best.action if best else favourite, tuple(told), spent)

    def candidates(self, obs: Any, favourite: Any) -> Sequence[Any]:
        """Return the actions to try, *favourite* among them."""
        legal: Sequence[Any] = obs.legal
        return legal

    def guesses(self, obs: Any) -> Callable[[Random], Any]:
        """Return how to guess a world in which that seat would observe *obs*: a function that takes
        chance.
        """
        return partial(self.game.resample, obs)

    # Playouts on the contract

    def _on_contract(self, obs: Any) -> Tries:
        guess = self.guesses(obs)

        def tries(actions: Sequence[Any], worlds: int, rng: Random) -> list[list[float]]:
            found: list[list[float]] = [[] for _ in actions]
            for _ in range(worlds):
                world, luck = guess(rng), random_below(rng, 1 << 53)
                for action, payoffs in zip(actions, found):
                    payoffs.append(
                        self._playout(self.game.copy(world), obs.me, action, Random(luck))
                    )
            return found

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
        """Return whether a playout need not go on: by default as soon as anybody's score has
        changed.

        :param before: the scores at its start.
        :param actions: how many there were.
        """
        return self.game.scores(state) != before

    def payoff(self, state: Any, seat: Seat, before: tuple[int, ...]) -> float:
        """Return how good the end of a playout is for *seat*: by default the points it has gained
        on the others.
        """
        gained = [now - then for now, then in zip(self.game.scores(state), before)]
        return gained[seat] - (sum(gained) - gained[seat]) / max(1, self.game.players - 1)


def look_back(match: Match, entry: int, kind: type[Searcher]) -> Thought:
    """Return what *kind* thinks of entry number *entry* of the log: how far ahead of it other
    actions were.

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


def _drop_hopeless(found: dict[Any, list[float]], left: list[Any], hopeless: float) -> list[Any]:
    """Return those of *left* that are not clearly worse than the best."""
    best = max(left, key=lambda action: fmean(found[action]))
    kept = []
    for action in left:
        gap, error = _ahead(found[best], found[action])
        if action is best or gap <= hopeless * error:
            kept.append(action)
    return kept


def _trial(action: Any, found: dict[Any, list[float]], favourite: Any) -> Trial:
    payoffs = found[action]
    ahead, error = (0.0, 0.0) if action == favourite else _ahead(payoffs, found[favourite])
    mean, good = (
        (fmean(payoffs), fmean(payoff > 0 for payoff in payoffs)) if payoffs else (0.0, 0.0)
    )
    return Trial(action, mean, ahead, error, len(payoffs), good)
