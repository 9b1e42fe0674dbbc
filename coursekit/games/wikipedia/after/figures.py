"""Counts over many simulated matches of 維基百科 vs 書籍, and figures of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import random_below, shuffle, stream
from coursekit.core.match import play_out
from coursekit.core.strategy import Strategy
from coursekit.figures import HATCHES, PALETTE, Picture, picture
from coursekit.games.wikipedia.after.history import MENDED, RIGHT, Round, cured, rounds
from coursekit.games.wikipedia.rules.cards import BOOK, WIKI, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import FACES, Options
from coursekit.games.wikipedia.strategies import STRATEGIES
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAYERS = STRATEGIES[1:]
"""The strategies in simulated matches: all but chance, since people do not play at random."""
SEED = "simulated"
BUDGET = 200_000
"""Turns after which no further match begins: about five seconds under any rules."""


@dataclass
class Count:
    """What happened in many matches together."""

    players: int
    matches: int = 0
    rounds: int = 0
    turns: int = 0
    written: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WORKS, 0))
    used: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(WORKS, 0)
    )  # uses that came to the throw
    scored: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WORKS, 0))
    vandalised: int = 0  # Wikipedia works
    cures: int = 0
    cured_after: float = 0  # laps, summed over all cures
    sat: dict[str, int] = field(default_factory=dict)  # seats, by strategy
    won: dict[str, int] = field(default_factory=dict)  # of these

    def add(self, played: Sequence[Round]) -> None:
        """Count the rounds of one match."""
        self.matches += 1
        self.rounds += len(played)
        for each in played:
            self.turns += each.turns
            if each.work:
                self.written[each.work] += 1
                self.used[each.work] += each.die > 0
                self.scored[each.work] += each.ended in (RIGHT, MENDED)
                self.vandalised += each.vandalisms != []
        for spoilt in cured(played):
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
def simulated(
    players: int, options: Options, matches: int, rules: type[Wikipedia] = Wikipedia
) -> Count:
    """Return what happens in *matches* matches by *rules*, each between some of :data:`PLAYERS`,
    drawn by lot.

    Fewer, as ``matches`` of the result tells, where they take more turns than :data:`BUDGET`. Match
    *n* has the same seed and the same players under all options.
    """
    game, count = rules(players, options), Count(players)
    for number in range(matches):
        if count.turns > BUDGET:
            break
        seats = list(PLAYERS) * (players // 2)
        shuffle(stream(SEED, f"seats {number}"), seats)
        match = play_out(game, seats[:players], f"{SEED} {number}")
        count.add(rounds(match))
        for seat, kind in enumerate(seats[:players]):
            count.sat[kind.__name__] = count.sat.get(kind.__name__, 0) + 1
            count.won[kind.__name__] = count.won.get(kind.__name__, 0) + (seat in match.state.won)
    return count


def throws(number: int, language: str, options: Options | None = None) -> Picture:
    """Return a picture of using Wikipedia and a book *number* times: the share that went wrong so
    far.
    """
    game, found = Wikipedia(2, options), []
    for work in WORKS:
        rng = stream(SEED, work)
        wrong = [
            *accumulate(random_below(rng, FACES) + 1 <= game.wrong[work] for _ in range(number))
        ]
        found.append((_word(f"figure.throws.{work}", language), wrong))

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        for (name, wrong), line in zip(found, ("-", "--")):
            share = [100 * times / throw for throw, times in enumerate(wrong, 1)]
            axes.plot(range(1, number + 1), share, line, marker="", label=name)
        axes.set(
            ylim=(0, 100),
            xlim=(0, number),
            xlabel=_word("figure.throws.x", language),
            ylabel=_word("figure.throws.y", language),
        )
        axes.legend()
        return figure

    words = " ".join(
        game_text(
            "wikipedia",
            "figure.throws.each",
            language,
            work=name,
            wrong=wrong[-1],
            number=number,
            share=f"{100 * wrong[-1] / number:.0f}",
        )
        for name, wrong in found
    )
    return picture(draw, words, words, language)


def as_more_play(language: str, matches: int = 100, points_to_win: int = 3) -> Picture:
    """Return a picture of matches between 2, 4, 6 and 8 players."""
    options, numbers = Options(points_to_win=points_to_win), Wikipedia.player_counts
    counts = [simulated(players, options, matches) for players in numbers]
    panels: dict[str, list[float]] = {
        "length": [count.turns / count.matches for count in counts],
        "own": [count.turns / count.matches / count.players for count in counts],
        "vandalised": [count.share_vandalised for count in counts],
        "cured": [count.laps_until_cured for count in counts],
    }
    titles = {name: _word(f"figure.players.{name}", language) for name in panels}
    labels = {
        name: [f"{value:.1f}" if name == "cured" else f"{value:.0f}" for value in values]
        for name, values in panels.items()
    }

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, grid = pyplot.subplots(len(panels), figsize=(5.6, 7.6))
        for axes, (name, values) in zip(grid, panels.items()):
            bars = axes.bar([str(players) for players in numbers], values, 0.6, color=PALETTE[0])
            axes.bar_label(bars, labels[name], padding=2)
            axes.set_title(titles[name], loc="left")
            axes.set(ylim=(0, 1.25 * max(values)), yticks=[])
            axes.spines["left"].set_visible(False)
        grid[-1].set_xlabel(_word("figure.players.x", language))
        return figure

    what = game_text(
        "wikipedia", "figure.players.caption", language, matches=matches, points=points_to_win
    )
    shown = [f"{titles[name]}: {', '.join(labels[name])}." for name in panels]
    return picture(draw, " ".join([what, *shown]), what, language)


def house_rule(
    language: str, matches: int = 1000, points_to_win: int = 3, **changed: Any
) -> Picture:
    """Return a picture of matches under a changed rule beside matches under the standard rules.

    :param changed: options and their values, such as ``wiki_wrong=3``.
    """
    rules = [Options(points_to_win=points_to_win), Options(points_to_win=points_to_win, **changed)]
    counts = [simulated(2, options, matches) for options in rules]
    columns = [_shares(count, language) for count in counts]
    names, shown = list(columns[0]), []

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 6.4))
        for place, (which, column) in enumerate(zip(("standard", "changed"), columns)):
            at = [row + 0.4 * place - 0.2 for row in range(len(names))]
            bars = axes.barh(
                at,
                list(column.values()),
                0.38,
                color=PALETTE[1 - place],
                hatch=HATCHES[place],
                edgecolor="white",
                label=_word(f"figure.house.{which}", language),
            )
            axes.bar_label(bars, [f"{value:.0f}" for value in column.values()], padding=3)
        axes.set(
            xlim=(0, 112), yticks=range(len(names)), yticklabels=names, xticks=range(0, 101, 25)
        )
        axes.set_xlabel(_word("figure.house.x", language))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    for name in names:
        values = {
            "name": name,
            "standard": f"{columns[0][name]:.0f}",
            "changed": f"{columns[1][name]:.0f}",
        }
        shown.append(game_text("wikipedia", "figure.house.each", language, **values))
    what = game_text(
        "wikipedia", "figure.house.caption", language, matches=matches, points=points_to_win
    )
    if counts[1].matches < matches:
        what += " " + game_text(
            "wikipedia", "figure.house.cut", language, matches=counts[1].matches
        )
    return picture(draw, " ".join([what, *shown]), what, language)


def _shares(count: Count, language: str) -> dict[str, float]:
    """Return the percentages in a picture of many matches, by their names."""
    won = {
        game_text(
            "wikipedia",
            "figure.house.wins",
            language,
            name=_word(f"strategy.{kind.__name__}", language),
        ): count.share_won(kind)
        for kind in PLAYERS
    }
    return {
        _word("figure.house.use", language): count.share_wiki,
        _word("figure.house.wiki", language): count.share_scored(WIKI),
        _word("figure.house.book", language): count.share_scored(BOOK),
        _word("figure.house.vandalised", language): count.share_vandalised,
    } | won


def _word(id: str, language: str) -> str:
    return game_text("wikipedia", id, language)
