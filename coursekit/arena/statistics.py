"""The numbers of a tournament: of every match, their means, and what their differences prove."""

from dataclasses import dataclass, field
from math import ceil, inf, isfinite, nan, sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.arena.deals import ArenaError
from coursekit.core.game import Game
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import Strategy
from coursekit.words.texts import format_signed, template, text

if TYPE_CHECKING:
    from pandas import DataFrame

    from coursekit.files.data_export import Sheet

Samples = dict[str, dict[str, list[tuple[float, ...]]]]
"""Strategy -> statistic -> deal -> a number from each match, and each seat, it sat in."""

FEWEST_DEALS = 5
"""Minimum deals for an interval: "62.5 ± 158.8" says nothing, nor does ± 0 from two deals."""
MOST_DEALS = 20_000
"""A difference that takes more deals to show is none worth the name."""
SHOWN = 2.8
"""Standard errors from 0 at which four of five tournaments prove a difference: 1.96 + 0.84."""


class Difference(NamedTuple):
    """How far a strategy is ahead of another, by the deals that both played."""

    mean: float
    interval: float
    """Half the width of its 95 % interval; infinite for a single deal."""
    more: float
    """About how many more deals would prove it: 0 if these do, infinite if none are likely to."""

    @property
    def proved(self) -> bool:
        """Whether 0 lies outside its interval."""
        return self.more == 0


class Rerun(NamedTuple):
    """A match of a tournament, played again; a table can open it: ``Table(result.worst(Mine))``."""

    deal: int
    number: int
    """Of the match in its deal."""
    players: tuple[type[Strategy], ...]
    match: Match


Kind = str | type[Strategy]
"""A strategy or its name."""


@dataclass(frozen=True, repr=False)
class Numbers:
    """The numbers of a tournament.

    Statistics are ``"points"``, ``"wins"`` (percentage of its matches that a strategy won, alone
    or with others) and the additional ones collected.
    """

    game: Game[Any, Any, Any] = field(compare=False)
    deals: int
    lineups: tuple[tuple[type[Strategy], ...], ...]
    """Who sits where in each match of a deal."""
    seed: str
    language: str = field(compare=False)
    numbers: Samples
    seating: str = "rotate"

    @property
    def matches_a_deal(self) -> int:
        """How often each deal is played."""
        return len(self.lineups)

    def by_seat(self, statistic: str = "points") -> list[list[tuple[float, ...]]]:
        """Return *statistic* as deal -> match -> a number for each seat, as :attr:`lineups` fill
        them.

        :raises KeyError: if the statistic was not collected.
        """
        found = []
        for deal in range(self.deals):
            sat = {name: iter(self._of(name, statistic)[deal]) for name in self.numbers}
            found.append(
                [tuple(next(sat[kind.__name__]) for kind in lineup) for lineup in self.lineups]
            )
        return found

    def sheet(self, language: str | None = None) -> "Sheet":
        """Return all numbers as a table: a row for each seat of each match, a column for each
        statistic.
        """
        from coursekit.files.data_export import Sheet  # here, as most results are only looked at

        collected = [self.by_seat(each) for each in self.statistics]
        rows = [
            (
                deal,
                match,
                seat,
                kind.__name__,
                *(numbers[deal][match][seat] for numbers in collected),
            )
            for deal in range(self.deals)
            for match, lineup in enumerate(self.lineups)
            for seat, kind in enumerate(lineup)
        ]
        names = ("deal", "match", "seat", "strategy", *self.statistics)
        return Sheet(names, rows, self.game.name, language or self.language)

    def frame(self) -> "DataFrame":
        """Return :meth:`sheet` as a pandas frame.

        :raises NoPandasError: an ``ImportError``, where pandas is missing: it comes with the extra
            ``data``.
        """
        return self.sheet().frame()

    def csv(self, path: str | Path, language: str | None = None) -> Path:
        """Write :meth:`sheet` as the file *path*, with a codebook in *language* beside it; return
        *path*.

        :raises FileError: if one of the files exists, or cannot be written.
        """
        return self.sheet(language).csv(path)

    def every(self, strategy: Kind, statistic: str = "points") -> list[float]:
        """Return *statistic* of *strategy* in each of its matches, a number per seat it had.

        :raises KeyError: if the strategy did not take part, or the statistic was not collected.
        """
        return [number for deal in self._of(strategy, statistic) for number in deal]

    def mean(self, strategy: Kind, statistic: str = "points") -> float:
        """Return the mean of *statistic* over all matches of *strategy*."""
        return fmean(self._by_deal(strategy, statistic))

    def interval(self, strategy: Kind, statistic: str = "points") -> float:
        """Return half the width of the 95 % interval around :meth:`mean`; infinite for a single
        deal.

        If the tournament were repeated many times with new deals, 95 of 100 such intervals would
        contain the true mean.  Matches of one deal share their luck, so the sample size is the
        number of deals.
        """
        return _estimate(self._by_deal(strategy, statistic))[1]

    def sampled(
        self, strategy: Kind, deals: int, statistic: str = "points"
    ) -> list[tuple[float, float]]:
        """Return mean and half the width of its 95 % interval for every *deals* deals, one sample
        after the other.
        """
        every = self._by_deal(strategy, statistic)
        return [_estimate(every[at : at + deals]) for at in range(0, self.deals - deals + 1, deals)]

    def _of(self, strategy: Kind, statistic: str) -> list[tuple[float, ...]]:
        return self.numbers[called(strategy)][statistic]

    def _by_deal(self, strategy: Kind, statistic: str) -> list[float]:
        return [fmean(deal) for deal in self._of(strategy, statistic)]

    @property
    def ranking(self) -> list[str]:
        """The names of the strategies, most points first."""
        return sorted(self.numbers, key=self.mean, reverse=True)

    @property
    def statistics(self) -> list[str]:
        """The names of the statistics collected."""
        return list(next(iter(self.numbers.values())))

    def spread(self, strategy: Kind, statistic: str = "points") -> float:
        """Return the standard deviation of *statistic* in single matches of *strategy*; 0 for a
        single number.
        """
        every = self.every(strategy, statistic)
        return stdev(every) if len(every) > 1 else 0.0

    def seat_means(self, strategy: Kind, statistic: str = "points") -> list[tuple[float, float]]:
        """Return for each seat the mean of *statistic* there and half its 95 % interval; nan where
        it never sat.
        """
        name, found = called(strategy), []
        played = self.by_seat(statistic)
        for seat in self.game.seats:
            sat = [at for at, lineup in enumerate(self.lineups) if lineup[seat].__name__ == name]
            found.append(
                _estimate([fmean(deal[at][seat] for at in sat) for deal in played])
                if sat
                else (nan, nan)
            )
        return found

    def difference(
        self, strategy: Kind, other: Kind, statistic: str = "points"
    ) -> Difference | None:
        """Return how far *strategy* is ahead of *other* where both played, ``None`` if they never
        met.

        Each deal gives one difference, so that the luck of the cards drops out.
        """
        names = [[kind.__name__ for kind in lineup] for lineup in self.lineups]
        one, two = called(strategy), called(other)
        both = [at for at, lineup in enumerate(names) if one in lineup and two in lineup]
        if not both:
            return None

        def mean(deal: list[tuple[float, ...]], name: str) -> float:
            return fmean(
                deal[at][seat] for at in both for seat in self.game.seats if names[at][seat] == name
            )

        found = [mean(deal, one) - mean(deal, two) for deal in self.by_seat(statistic)]
        middle, half = _estimate(found)
        if self.deals < FEWEST_DEALS or not middle:
            return Difference(middle, half, inf)
        needed = ceil((SHOWN * stdev(found) / middle) ** 2)
        more = 0 if half < abs(middle) else max(1, needed - self.deals)
        return Difference(middle, half, more if more <= MOST_DEALS else inf)

    def match(self, deal: int, number: int = 0) -> Rerun:
        """Return match *number* of deal *deal*, played again; ``Table(result.match(3))`` opens it
        at a table.

        :raises ArenaError: a ``ValueError``, if there was no such match.
        """
        for what, got, there in (
            ("deal", deal, self.deals),
            ("match", number, self.matches_a_deal),
        ):
            if got not in range(there):
                raise self._error(f"arena.no_{what}", got=got, last=there - 1)
        players = self.lineups[number]
        return Rerun(deal, number, players, play_out(self.game, players, f"{self.seed}/{deal}"))

    def worst(self, strategy: Kind, statistic: str = "points") -> Rerun:
        """Return the match in which *strategy* was furthest behind the best other strategy, played
        again.

        :raises ArenaError: a ``ValueError``, if it never played against another.
        """
        name, behind = called(strategy), dict[tuple[int, int], float]()
        for deal, matches in enumerate(self.by_seat(statistic)):
            for number, (lineup, numbers) in enumerate(zip(self.lineups, matches, strict=True)):
                mine = [
                    each
                    for each, kind in zip(numbers, lineup, strict=True)
                    if kind.__name__ == name
                ]
                others = [
                    each
                    for each, kind in zip(numbers, lineup, strict=True)
                    if kind.__name__ != name
                ]
                if mine and others:
                    behind[deal, number] = max(others) - fmean(mine)
        if not behind:
            raise self._error("arena.alone", strategy=name)
        return self.match(*max(behind, key=behind.__getitem__))

    def times(self, deals: int = 2) -> dict[str, float]:
        """Return the mean time of a decision of each strategy in milliseconds, in the first
        *deals*, played again.
        """
        spent: dict[str, list[float]] = {name: [] for name in self.numbers}

        def timed(kind: type[Strategy]) -> type[Strategy]:
            def decide(self: Strategy, obs: Any) -> Any:
                start = perf_counter()
                try:
                    return kind.decide(self, obs)
                finally:
                    spent[kind.__name__].append(perf_counter() - start)

            return type(kind.__name__, (kind,), {"decide": decide, "__module__": kind.__module__})

        clocked = {kind: timed(kind) for lineup in self.lineups for kind in lineup}
        for deal in range(min(deals, self.deals)):
            for lineup in self.lineups:
                play_out(self.game, [clocked[kind] for kind in lineup], f"{self.seed}/{deal}")
        return {name: 1000 * fmean(each) if each else 0.0 for name, each in spent.items()}

    def verdict(
        self,
        strategy: Kind | None = None,
        other: Kind | None = None,
        statistic: str = "points",
        language: str | None = None,
    ) -> str:
        """Return one sentence on whether *strategy* and *other* differ, and how many more deals
        would tell.

        By default the first two of the :attr:`ranking`. So many deals, if the difference is as
        large as it looks, show it in four tournaments of five.

        :raises ArenaError: a ``ValueError``, if only one strategy played and *other* is missing.
        """
        language = language or self.language
        if len(self.numbers) < 2 and other is None:
            raise self._error("arena.alone", language, strategy=self.ranking[0])
        one = called(self.ranking[0] if strategy is None else strategy)
        two = called(next(name for name in self.ranking if name != one) if other is None else other)
        found = self.difference(one, two, statistic)
        if found and found.mean < 0:
            return self.verdict(two, one, statistic, language)
        parts = (("statistic", statistic), ("strategy", one), ("strategy", two))
        labels = (self.label(*each, language) for each in parts)
        values: dict[str, Any] = dict(zip(("statistic", "one", "other"), labels)) | {
            "deals": self.deals
        }
        if found is None:
            return text("arena.verdict.apart", language, **values)
        values |= {"mean": f"{found.mean:.1f}", "half": f"{found.interval:.1f}"}
        if self.deals < FEWEST_DEALS:
            return text("arena.verdict.few", language, **values)
        if found.proved:
            return text("arena.verdict.proved", language, **values)
        if not isfinite(found.more):
            return text("arena.verdict.none", language, **values)
        step = 10 ** (len(str(found.more)) - 1)
        return text("arena.verdict.open", language, **values, more=ceil(found.more / step) * step)

    def _error(self, id: str, language: str | None = None, **values: Any) -> ArenaError:
        error = ArenaError(id, **values)
        error.tell(language or self.language)
        return error

    def label(self, kind: str, name: str, language: str) -> str:
        """Return the name of a strategy, statistic or option in *language*; its own where it has no
        text.
        """
        try:
            return template(self.game.name, f"{kind}.{name}", language)
        except KeyError:  # written in a notebook: it has only its own name
            return name


def called(strategy: Kind) -> str:
    """Return the name of *strategy*."""
    return strategy if isinstance(strategy, str) else strategy.__name__


def with_interval(mean: float, half: float | None) -> str:
    """Return *mean* with half the width of its interval, ``None`` for too few deals, as it is told.

    >>> with_interval(-1.25, 0.5), with_interval(3, None)
    ('−1.2 ± 0.5', '3.0')
    """
    return format_signed(f"{mean:.1f}") + ("" if half is None else f" ± {half:.1f}")


def _estimate(deals: list[float]) -> tuple[float, float]:
    """Return the mean of *deals* and half the width of its 95 % interval; infinite for a single
    deal.
    """
    if len(deals) == 1:
        return deals[0], inf
    return fmean(deals), t95(len(deals) - 1) * stdev(deals) / sqrt(len(deals))


def t95(freedom: int) -> float:
    """Return the two-sided 95 % point of Student's t, for *freedom* of at least 1.

    A normal distribution would make intervals from a few deals too narrow.
    """
    exact = {1: 12.706, 2: 4.303, 3: 3.182}
    # Cornish and Fisher's expansion around the normal distribution, good to 0.3 % from 4 on
    return exact.get(freedom) or 1.96 + 2.372 / freedom + 2.823 / freedom**2 + 2.556 / freedom**3
