"""The numbers of a tournament: of every match, their means, and what their differences prove."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, inf, isfinite, nan, sqrt
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.arena.deals import ArenaError
from coursekit.core.errors import unknown
from coursekit.core.game import AnyGame
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import Strategy
from coursekit.words.texts import LANGUAGES, format_signed, template, text

if TYPE_CHECKING:
    from pandas import DataFrame

    from coursekit.files.data_export import DataTable

Samples = dict[str, dict[str, list[tuple[float, ...]]]]
"""Strategy -> statistic -> deal -> a number from each match, and each seat, it sat in."""

FEWEST_DEALS = 5
"""Minimum deals for an interval: "62.5 ± 158.8" says nothing, nor does ± 0 from two deals."""
MOST_DEALS = 20_000
"""A difference that takes more deals to show is none worth the name."""
FIRST_LOOK = 10
"""Deals after which a tournament that stops by itself looks for the first time."""
FALSE_STOPS = 100
"""Tournaments between equals of which chance stops one."""
SHOWN = 2.8
"""Standard errors from 0 at which four of five tournaments prove a difference: 1.96 + 0.84."""

Estimate = tuple[float, float | None]
"""A mean, and half the width of its 95 % interval: ``None`` below :data:`FEWEST_DEALS` deals."""


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

    game: AnyGame = field(compare=False)
    deals: int
    lineups: tuple[tuple[type[Strategy], ...], ...]
    """Who sits where in each match of a deal."""
    seed: str
    language: str = field(compare=False)
    numbers: Samples
    seating: str = "rotate"
    more: Samples = field(compare=False, default_factory=dict)
    """Numbers beside those of the table: ``decisions``, ``seconds`` (which no two runs share), and
    what the game's kit counts, such as ``bids`` and ``tricks``.
    """

    def name_of(self, strategy: Kind) -> str:
        """Return the name of the class of *strategy*, which may be named as a table says it.

        :raises ArenaError: a ``ValueError``, if it did not take part.
        """
        name = strategy if isinstance(strategy, str) else getattr(strategy, "__name__", "")
        if name in self.numbers:
            return name
        for known in self.numbers:
            if name in [self.label("strategy", known, language) for language in LANGUAGES]:
                return known
        raise self._error("arena.no_such_strategy", **unknown(name or strategy, self.numbers))

    @property
    def matches_a_deal(self) -> int:
        """How often each deal is played."""
        return len(self.lineups)

    def by_seat(self, statistic: str = "points") -> list[list[tuple[float, ...]]]:
        """Return *statistic* as deal -> match -> a number for each seat of its lineup.

        :raises ArenaError: if the statistic was not collected.
        """
        deals = []
        for deal in range(self.deals):
            numbers = {name: iter(self._sample(name, statistic)[deal]) for name in self.numbers}
            matches = []
            for lineup in self.lineups:
                matches.append(tuple(next(numbers[strategy.__name__]) for strategy in lineup))
            deals.append(matches)
        return deals

    def data_table(self, language: str | None = None) -> "DataTable":
        """Return all numbers as a table: rows for seats of matches, columns for statistics.

        Behind those that were shown come ``decisions``, ``seconds`` and what the game's kit counts.
        """
        from coursekit.files.data_export import (
            DataTable,  # here, as most results are only looked at
        )

        names = (*self.statistics, *self.more_statistics)
        collected = [self.by_seat(statistic) for statistic in names]
        rows = []
        for deal in range(self.deals):
            for match, lineup in enumerate(self.lineups):
                for seat, strategy in enumerate(lineup):
                    numbers = [statistic[deal][match][seat] for statistic in collected]
                    rows.append((deal, match, seat, strategy.__name__, *numbers))
        columns = ("deal", "match", "seat", "strategy", *names)
        return DataTable(columns, rows, self.game.name, language or self.language)

    def frame(self) -> "DataFrame":
        """Return :meth:`data_table` as a pandas frame.

        :raises NoPandasError: an ``ImportError``, where pandas is missing: it comes with the extra
            ``data``.
        """
        return self.data_table().frame()

    def csv(self, path: str | Path, language: str | None = None) -> Path:
        """Write :meth:`data_table` as the file *path*, with a codebook beside it; return *path*.

        :raises FileError: if one of the files exists, or cannot be written.
        """
        return self.data_table(language).csv(path)

    def every(self, strategy: Kind, statistic: str = "points") -> list[float]:
        """Return *statistic* of *strategy* in each of its matches, a number per seat it had.

        :raises ArenaError: if the strategy did not take part, or the statistic was not collected.
        """
        return [number for deal in self._sample(strategy, statistic) for number in deal]

    def mean(self, strategy: Kind, statistic: str = "points") -> float:
        """Return the mean of *statistic* over all matches of *strategy*."""
        return fmean(self._by_deal(strategy, statistic))

    def interval(self, strategy: Kind, statistic: str = "points") -> float:
        """Return half the width of the 95 % interval around the mean; infinite for a single deal.

        If the tournament were repeated many times with new deals, 95 of 100 such intervals would
        contain the true mean.  Matches of one deal share their luck, so the sample size is the
        number of deals.
        """
        return half_interval(self._by_deal(strategy, statistic))

    def estimate(self, strategy: Kind, statistic: str = "points") -> Estimate:
        """Return the mean of *statistic*, with its interval if there are deals enough."""
        return estimate(self._by_deal(strategy, statistic))

    def split(
        self, strategy: Kind, deals: int, statistic: str = "points"
    ) -> list[tuple[float, float]]:
        """Return mean and interval of each sample of *deals* deals, one after the other."""
        means = self._by_deal(strategy, statistic)
        samples = [means[at : at + deals] for at in range(0, self.deals - deals + 1, deals)]
        return [(fmean(sample), half_interval(sample)) for sample in samples]

    def _sample(self, strategy: Kind, statistic: str) -> list[tuple[float, ...]]:
        name = self.name_of(strategy)
        for samples in (self.numbers, self.more):
            if statistic in samples.get(name, {}):
                return samples[name][statistic]
        names = [*self.statistics, *self.more_statistics]
        raise self._error("arena.no_such_statistic", **unknown(statistic, names))

    def _by_deal(self, strategy: Kind, statistic: str) -> list[float]:
        return [fmean(deal) for deal in self._sample(strategy, statistic)]

    @property
    def ranking(self) -> list[str]:
        """The names of the strategies, most points first."""
        return sorted(self.numbers, key=self.mean, reverse=True)

    @property
    def statistics(self) -> list[str]:
        """The names of the statistics collected."""
        return list(next(iter(self.numbers.values())))

    @property
    def more_statistics(self) -> list[str]:
        """The names of the statistics that the table does not show."""
        collected = next(iter(self.more.values()), ())
        return [name for name in collected if name not in self.statistics]

    def spread(self, strategy: Kind, statistic: str = "points") -> float:
        """Return the standard deviation of *statistic* in single matches; 0 for a single number."""
        numbers = self.every(strategy, statistic)
        return stdev(numbers) if len(numbers) > 1 else 0.0

    def seat_means(self, strategy: Kind, statistic: str = "points") -> list[Estimate]:
        """Return the mean of *statistic* in each seat and its interval; nan where it never sat."""
        name = self.name_of(strategy)
        deals = self.by_seat(statistic)
        estimates: list[Estimate] = []
        for seat in self.game.seats:
            matches = [n for n, lineup in enumerate(self.lineups) if lineup[seat].__name__ == name]
            if matches:
                estimates.append(
                    estimate([fmean(deal[n][seat] for n in matches) for deal in deals])
                )
            else:
                estimates.append((nan, None))
        return estimates

    def difference(
        self, strategy: Kind, other: Kind, statistic: str = "points"
    ) -> Difference | None:
        """Return how far *strategy* is ahead where both played, ``None`` if they never met.

        Each deal gives one difference, so that the luck of the cards drops out.
        """
        names = [[kind.__name__ for kind in lineup] for lineup in self.lineups]
        one = self.name_of(strategy)
        two = self.name_of(other)
        both = [match for match, lineup in enumerate(names) if one in lineup and two in lineup]
        if not both:
            return None

        def mean(deal: list[tuple[float, ...]], name: str) -> float:
            numbers = []
            for match in both:
                for seat_name, number in zip(names[match], deal[match], strict=True):
                    if seat_name == name:
                        numbers.append(number)
            return fmean(numbers)

        leads = [mean(deal, one) - mean(deal, two) for deal in self.by_seat(statistic)]
        lead = fmean(leads)
        half = half_interval(leads)
        if self.deals < FEWEST_DEALS or not lead:
            return Difference(lead, half, inf)
        if half < abs(lead):
            return Difference(lead, half, 0)
        more = max(1, ceil((SHOWN * stdev(leads) / lead) ** 2) - self.deals)
        return Difference(lead, half, more if more <= MOST_DEALS else inf)

    def match(self, deal: int, number: int = 0) -> Rerun:
        """Return match *number* of a deal, played again; ``Table(result.match(3))`` shows it.

        :raises ArenaError: a ``ValueError``, if there was no such match.
        """
        if deal not in range(self.deals):
            raise self._error("arena.no_deal", got=deal, last=self.deals - 1)
        if number not in range(self.matches_a_deal):
            raise self._error("arena.no_match", got=number, last=self.matches_a_deal - 1)
        players = self.lineups[number]
        return Rerun(deal, number, players, play_out(self.game, players, f"{self.seed}/{deal}"))

    def worst(self, strategy: Kind, statistic: str = "points") -> Rerun:
        """Return the match in which *strategy* was furthest behind the best other, played again.

        :raises ArenaError: a ``ValueError``, if it never played against another.
        """
        name = self.name_of(strategy)
        behind: dict[tuple[int, int], float] = {}
        for deal, matches in enumerate(self.by_seat(statistic)):
            for match, (lineup, numbers) in enumerate(zip(self.lineups, matches, strict=True)):
                own, others = list[float](), list[float]()
                for player, number in zip(lineup, numbers, strict=True):
                    (own if player.__name__ == name else others).append(number)
                if own and others:
                    behind[deal, match] = max(others) - fmean(own)
        if not behind:
            raise self._error("arena.alone", strategy=name)
        return self.match(*max(behind, key=behind.__getitem__))

    def times(self) -> dict[str, float]:
        """Return the mean milliseconds that each strategy took for a decision."""
        times = {}
        for name in self.numbers:
            decisions = sum(self.every(name, "decisions"))
            times[name] = 1000 * sum(self.every(name, "seconds")) / max(1, decisions)
        return times

    def verdict(
        self,
        strategy: Kind | None = None,
        other: Kind | None = None,
        statistic: str = "points",
        language: str | None = None,
    ) -> str:
        """Return one sentence on whether two strategies differ, and how many more deals would tell.

        By default they are the first two of the :attr:`ranking`. So many deals, if the difference
        is as large as it looks, show it in four tournaments of five.

        :raises ArenaError: a ``ValueError``, if only one strategy played and *other* is missing.
        """
        language = language or self.language
        if len(self.numbers) < 2 and other is None:
            raise self._error("arena.alone", language, strategy=self.ranking[0])
        one = self.name_of(strategy or self.ranking[0])
        two = self.name_of(other or next(name for name in self.ranking if name != one))
        difference = self.difference(one, two, statistic)
        if difference and difference.mean < 0:
            return self.verdict(two, one, statistic, language)
        values: dict[str, Any] = {
            "statistic": self.label("statistic", statistic, language),
            "one": self.label("strategy", one, language),
            "other": self.label("strategy", two, language),
            "deals": self.deals,
        }
        if difference is None:
            return text("arena.verdict.apart", language, **values)
        values["mean"] = f"{difference.mean:.1f}"
        values["half"] = f"{difference.interval:.1f}"
        if self.deals < FEWEST_DEALS:
            return text("arena.verdict.few", language, **values)
        if difference.proved:
            return text("arena.verdict.proved", language, **values)
        if not isfinite(difference.more):
            return text("arena.verdict.none", language, **values)
        step = 10 ** (len(str(difference.more)) - 1)
        more = ceil(difference.more / step) * step
        return text("arena.verdict.open", language, **values, more=more)

    def _error(self, text_id: str, language: str | None = None, **values: Any) -> ArenaError:
        error = ArenaError(text_id, **values)
        error.tell(language or self.language)
        return error

    def label(self, kind: str, name: str, language: str) -> str:
        """Return the text for a strategy, statistic or option; its own name where there is none."""
        try:
            return template(self.game.name, f"{kind}.{name}", language)
        except KeyError:  # written in a notebook
            return name


def format_estimate(mean: float, half: float | None) -> str:
    """Return an :data:`Estimate` in words.

    >>> format_estimate(-1.25, 0.5), format_estimate(3, None)
    ('−1.2 ± 0.5', '3.0')
    """
    return format_signed(f"{mean:.1f}") + ("" if half is None else f" ± {half:.1f}")


def estimate(numbers: Sequence[float]) -> Estimate:
    """Return the mean of *numbers*, one for each deal, and how sure it is."""
    return fmean(numbers), half_interval(numbers) if len(numbers) >= FEWEST_DEALS else None


def half_interval(numbers: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of their mean; infinite for a single number."""
    count = len(numbers)
    return t95(count - 1) * stdev(numbers) / sqrt(count) if count > 1 else inf


def t95(freedom: int) -> float:
    """Return the two-sided 95 % point of Student's t, for *freedom* of at least 1.

    A normal distribution would make intervals from a few deals too narrow.
    """
    exact = {1: 12.706, 2: 4.303, 3: 3.182}
    return exact.get(freedom) or t_point(0.05, freedom)


def t_point(chance: float, freedom: int) -> float:
    """Return what Student's t exceeds on either side with *chance*, for *freedom* from 4 on.

    Cornish and Fisher's expansion around the normal distribution: 0.3 % too small for 0.05 and a
    freedom of 4, exact to three digits for 0.001 and a freedom of 9.
    """
    z = NormalDist().inv_cdf(1 - chance / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def is_clear(result: Numbers, most: int) -> bool:
    """Return whether a tournament of up to *most* deals may stop here.

    It may after :data:`FIRST_LOOK` deals and each time they have doubled, if the first strategy is
    ahead of or behind each other by so much that chance alone would stop one tournament in
    :data:`FALSE_STOPS`, whichever of these looks it is (Bonferroni's correction).
    """
    looks = [FIRST_LOOK]
    while looks[-1] * 2 < most:
        looks.append(looks[-1] * 2)
    first = result.lineups[0][0].__name__
    others = [name for name in result.numbers if name != first]
    if result.deals not in looks or not others:
        return False
    point = t_point(1 / (FALSE_STOPS * len(looks) * len(others)), result.deals - 1)
    for other in others:
        difference = result.difference(first, other)
        if difference is None:
            return False
        error = difference.interval / t95(result.deals - 1)
        if abs(difference.mean) <= point * error:
            return False
    return True
