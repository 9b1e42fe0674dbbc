"""How well the strategies of each game play, and how many words Knit Wit's lexicon has."""

import sys
from itertools import combinations, pairwise
from math import comb
from statistics import fmean
from typing import Any

from coursekit.arena import Result, duplicate
from coursekit.core.game import Game
from coursekit.core.match import Match
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.blockade import Blockade
from coursekit.games.blockade.strategies import STRATEGIES as OF_BLOCKADE
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.lexicon import standard_pack
from coursekit.games.knitwit.strategies import STRATEGIES as OF_KNITWIT
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.strategies import STRATEGIES as OF_WIKIPEDIA
from coursekit.games.wikipedia.strategies import Editor
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.strategies import STRATEGIES as OF_WIZARD
from coursekit.games.wizard.strategies import bids_met
from coursekit.league.tournament import share_of_victory

OPTIONS: Any = {"processes": 2, "language": "en", "progress": sys.stderr.isatty()}


def strength(scale: float) -> None:
    """Print all of it."""
    wizard(scale)
    wikipedia(scale)
    print("two seats each: matches won by either seat of the first, shared ones in part")
    ladder(Blockade(4), OF_BLOCKADE, max(2, int(100 * scale)))
    ladder(KnitWit(4), OF_KNITWIT, max(2, int(24 * scale)))
    lexicon()


def wizard(scale: float) -> None:
    """Print bids met and points of each strategy among its own kind, then in one tournament."""
    for strategy in reversed(OF_WIZARD):
        deals = max(2, int(1000 * scale))
        print(duplicate(Wizard(4), [strategy], deals, 1, statistics=bids_met, **OPTIONS), "\n")
    for players in (3, 4, 5, 6):
        deals = max(2, int(200 * scale))
        print(duplicate(Wizard(players), OF_WIZARD, deals, 1, statistics=bids_met, **OPTIONS))


def share_of_sides(match: Match) -> dict[str, list[float]]:
    """Return 100 for a match of Wikipedia and Books won, its part if sides share it."""
    game, winners = match.game, match.game.winners(match.state)
    assert isinstance(game, Wikipedia)
    sides = {seat % game.sides for seat in winners}
    return {"share": [100 / len(sides) if seat in winners else 0 for seat in game.seats]}


def wikipedia(scale: float) -> None:
    """Print who wins how often: every pair of strategies, two players; then the Editor in teams."""
    for weaker, better in combinations(OF_WIKIPEDIA, 2):
        _print_teams(2, [better, weaker], max(2, int(1000 * scale)))
    for players in (4, 6, 8):
        for other in OF_WIKIPEDIA[:-1]:
            others = [other, other] if players == 6 else [other]
            _print_teams(players, [Editor, *others], max(2, int(200 * scale)))


def _print_teams(players: int, strategies: list[type[Strategy]], deals: int) -> None:
    game = Wikipedia(players)
    result = duplicate(game, strategies, deals, 1, statistics=share_of_sides, **OPTIONS)
    _print_duel(result, *strategies[:2], seats=2 if players == 8 else 1)


def ladder(game: Game[Any, Any, Any], strategies: tuple[type[Strategy], ...], deals: int) -> None:
    """Print how often each strategy wins against the one before it and against chance."""
    pairs = [*pairwise(strategies), *((AtRandom, strategy) for strategy in strategies)]
    for weaker, better in pairs:
        if weaker is not better:
            both = [better, weaker]
            result = duplicate(game, both, deals, 1, statistics=share_of_victory, **OPTIONS)
            _print_duel(result, better, weaker, seats=2)


def _print_duel(result: Result, first: type[Strategy], other: type[Strategy], seats: int) -> None:
    won, half = seats * result.mean(first, "share"), seats * result.interval(first, "share")
    points = " : ".join(f"{result.mean(strategy):.1f}" for strategy in (first, other))
    names = f"{first.__name__:14} : {other.__name__:14}"
    print(f"  {names} {won:5.1f} ± {half:3.1f} %, points {points}", flush=True)


def lexicon() -> None:
    """Print for how many sets of tags the lexicon of Knit Wit has no word."""
    pack = standard_pack()
    words = pack.lexicon
    print(f"{len(words)} words, {fmean(len(word.tags) for word in words):.1f} tags each")
    for size in (2, 3, 4):
        fitting = {tags for word in words for tags in combinations(sorted(word.tags), size)}
        missing = 100 * (1 - len(fitting) / comb(len(pack.tags), size))
        print(f"  no word fits {missing:5.1f} % of the sets of {size}")
