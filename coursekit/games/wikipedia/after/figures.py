"""Counts over many simulated matches of 維基百科 vs 書籍, and figures of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any

from coursekit.core.chance import random_below, shuffle, stream
from coursekit.core.match import play_out
from coursekit.core.strategy import Strategy
from coursekit.figures import PALETTE, Axis, Bars, Panel, Picture, Points, compare_bars, plot
from coursekit.games.wikipedia.after.history import Round, find_cured, read_rounds
from coursekit.games.wikipedia.rules.cards import BOOK, WIKI, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import FACES, Options
from coursekit.games.wikipedia.strategies import STRATEGIES
from coursekit.words.language import current_language
from coursekit.words.texts import game_text

PLAYERS = STRATEGIES[1:]
"""The strategies in simulated matches: all but chance, since people do not play at random."""
SEED = "simulated"
BUDGET = 200_000
"""Turns after which no further match begins: about five seconds under any rules."""


def _no_works() -> dict[str, int]:
    return dict.fromkeys(WORKS, 0)


@dataclass
class Count:
    """What happened in many matches together."""

    players: int
    matches: int = 0
    rounds: int = 0
    turns: int = 0
    written: dict[str, int] = field(default_factory=_no_works)
    used: dict[str, int] = field(default_factory=_no_works)  # uses that came to the throw
    scored: dict[str, int] = field(default_factory=_no_works)
    vandalised: int = 0  # Wikipedia works
    cures: int = 0
    cured_after: float = 0  # laps, summed over all cures
    sat: dict[str, int] = field(default_factory=dict)  # seats, by strategy
    won: dict[str, int] = field(default_factory=dict)  # of these

    def add(self, rounds: Sequence[Round]) -> None:
        """Count the rounds of one match."""
        self.matches += 1
        self.rounds += len(rounds)
        for now in rounds:
            self.turns += now.turns
            if now.work:
                self.written[now.work] += 1
                self.used[now.work] += now.die > 0
                self.scored[now.work] += now.scored
                self.vandalised += now.vandalisms != []
        for spoilt in find_cured(rounds):
            self.cures += 1
            self.cured_after += spoilt.laps or 0

    @property
    def turns_a_round(self) -> float:
        """Mean turns of all players in one round."""
        return self.turns / max(1, self.rounds)

    @property
    def share_vandalised(self) -> float:
        """Percentage of the Wikipedia works that were vandalised."""
        return 100 * self.vandalised / max(1, self.written[WIKI])

    @property
    def laps_until_cured(self) -> float:
        """Mean laps from a vandalism to its cure."""
        return self.cured_after / max(1, self.cures)

    @property
    def share_wiki(self) -> float:
        """Percentage of all works used that were Wikipedia."""
        return 100 * self.used[WIKI] / max(1, sum(self.used.values()))

    def share_scored(self, work: str) -> float:
        """Percentage of the uses of *work* that scored, of those that came to the throw."""
        return 100 * self.scored[work] / max(1, self.used[work])

    def share_won(self, kind: type[Strategy]) -> float:
        """Percentage of the matches that a strategy won, alone or with others."""
        return 100 * self.won.get(kind.__name__, 0) / max(1, self.sat.get(kind.__name__, 0))


@lru_cache(maxsize=64)
def simulate(rules: type[Wikipedia], players: int, options: Options, matches: int) -> Count:
    """Return what happens in *matches* matches by *rules*, between some of :data:`PLAYERS`.

    They are drawn by lot. There are fewer matches, as ``matches`` of the result tells, where they
    take more turns than :data:`BUDGET`. Match *n* has the same seed and the same players under all
    options.
    """
    game = rules(players, options)
    count = Count(players)
    for number in range(matches):
        if count.turns > BUDGET:
            break
        seats = list(PLAYERS) * (players // 2)
        shuffle(stream(SEED, f"seats {number}"), seats)
        match = play_out(game, seats[:players], f"{SEED} {number}")
        count.add(read_rounds(match))
        for seat, kind in enumerate(seats[:players]):
            name = kind.__name__
            count.sat[name] = count.sat.get(name, 0) + 1
            count.won[name] = count.won.get(name, 0) + (seat in match.state.won)
    return count


def plot_throws(
    number: int, language: str | None = None, options: Options | None = None
) -> Picture:
    """Return a picture of *number* uses of either work: the share that went wrong so far."""
    language = language or current_language()
    game = Wikipedia(2, options)
    lines = []
    sentences = []
    for work, line in zip(WORKS, ("-", "--")):
        rng = stream(SEED, work)
        throws = [random_below(rng, FACES) + 1 <= game.wrong[work] for _ in range(number)]
        wrong = list(accumulate(throws))
        shares = [100 * times / throw for throw, times in enumerate(wrong, 1)]
        name = _word(f"throws.{work}", language)
        style = {"linestyle": line, "marker": ""}
        lines.append(Points(range(1, number + 1), shares, name, WORKS.index(work), style=style))
        values = {"wrong": wrong[-1], "number": number, "share": f"{shares[-1]:.0f}"}
        sentences.append(_word("throws.each", language, work=name, **values))
    words = " ".join(sentences)
    x = Axis(_word("throws.x", language), low=0, high=number, whole=False)
    y = Axis(_word("throws.y", language), low=0, high=100, whole=False)
    return plot(Panel(lines, x=x, y=y), words, words, language, legend=0)


def plot_player_counts(
    matches: int = 100, points_to_win: int = 3, *, language: str | None = None
) -> Picture:
    """Return a picture of matches between 2, 4, 6 and 8 players."""
    language = language or current_language()
    options = Options(points_to_win=points_to_win)
    numbers = Wikipedia.player_counts
    counts = [simulate(Wikipedia, players, options, matches) for players in numbers]
    rows: dict[str, list[float]] = {
        "length": [count.turns / count.matches for count in counts],
        "own": [count.turns / count.matches / count.players for count in counts],
        "vandalised": [count.share_vandalised for count in counts],
        "cured": [count.laps_until_cured for count in counts],
    }
    caption = _word("players.caption", language, matches=matches, points=points_to_win)
    sentences = [caption]
    panels = []
    for name, values in rows.items():
        title = _word(f"players.{name}", language)
        labels = [f"{value:.{int(name == 'cured')}f}" for value in values]
        bars = Bars(values, width=0.6, labels=labels, upright=True)
        columns = Axis(names=list(map(str, numbers)))
        y = Axis(ticks=[], low=0, high=1.25 * max(values), line=False)
        panels.append(Panel([bars], title, columns, y))
        sentences.append(f"{title}: {', '.join(labels)}.")
    panels[-1].x.label = _word("players.x", language)
    return plot(panels, " ".join(sentences), caption, language, height=7.6)


def plot_house_rule(
    matches: int = 1000, points_to_win: int = 3, *, language: str | None = None, **changed: Any
) -> Picture:
    """Return a picture of matches under a changed rule beside matches under the standard rules.

    :param changed: options and their values, such as ``wiki_wrong=3``.
    """
    language = language or current_language()
    rules = [Options(points_to_win=points_to_win), Options(points_to_win=points_to_win, **changed)]
    standard, other = (simulate(Wikipedia, 2, options, matches) for options in rules)
    rows = list(_shares(standard, language))
    groups = {
        _word("house.standard", language): list(_shares(standard, language).values()),
        _word("house.changed", language): list(_shares(other, language).values()),
    }
    bars = compare_bars(groups, ".0f")
    for place, group in enumerate(bars):
        group.style = {"color": PALETTE[1 - place]}
    caption = _word("house.caption", language, matches=matches, points=points_to_win)
    if other.matches < matches:
        caption += " " + _word("house.cut", language, matches=other.matches)
    sentences = [caption]
    for name, before, after in zip(rows, *groups.values()):
        values = {"name": name, "standard": f"{before:.0f}", "changed": f"{after:.0f}"}
        sentences.append(_word("house.each", language, **values))
    x = Axis(_word("house.x", language), ticks=range(0, 101, 25), low=0, high=112)
    panel = Panel(bars, x=x, y=Axis(names=rows, down=True))
    return plot(panel, " ".join(sentences), caption, language, height=6.4)


def _shares(count: Count, language: str) -> dict[str, float]:
    """Return the percentages in a picture of many matches, by their names."""
    shares = {
        _word("house.use", language): count.share_wiki,
        _word("house.wiki", language): count.share_scored(WIKI),
        _word("house.book", language): count.share_scored(BOOK),
        _word("house.vandalised", language): count.share_vandalised,
    }
    for kind in PLAYERS:
        name = game_text("wikipedia", f"strategy.{kind.__name__}", language)
        shares[_word("house.wins", language, name=name)] = count.share_won(kind)
    return shares


def _word(text_id: str, language: str, **values: Any) -> str:
    return game_text("wikipedia", f"figure.{text_id}", language, **values)
