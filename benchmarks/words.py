"""What Knit Wit's players write, to be judged by people: ``python -m benchmarks words``, which has options of its own."""

import argparse
from collections.abc import Iterator
from random import Random

from coursekit.core.chance import below, pick, stream
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import seated
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.words import PLAYERS
from coursekit.games.knitwit.strategies import STRATEGIES, Wordsmith, speaking
from coursekit.words.texts import LANGUAGES


def spools(language: str, seed: str) -> Iterator[tuple[list[str], list[str], str]]:
    """Yield, without end, the tags around a spool, the other tags on the table, and what a player writes for it.

    Any number of players, any of the kit's, knit a design.  Then each of its spools is shown to one of the kit's
    players, who has time enough; it writes ``""`` if it would leave the line blank.
    """
    rng = stream(seed, "words")
    kinds = [speaking(kind, language) for kind in STRATEGIES if issubclass(kind, Wordsmith)]
    while True:
        match = Match(KnitWit(pick(rng, PLAYERS)), str(below(rng, 1 << 60)))
        knit(match, [pick(rng, kinds) for _ in match.game.seats], rng)
        asked = match.game.observe(match.state, 0)
        tags = [match.game.pack.tags[tag].word(language) for tag in asked.tags]
        for number in asked.numbers:
            inside = [match.game.pack.tags[tag].word(language) for tag in asked.words(number)]
            player = pick(rng, kinds)(stream(seed, f"words {rng.random()}"), match.game)
            legal = (word for word in player.words(asked, number) if ("write", number, word) in asked.legal)
            yield inside, [tag for tag in tags if tag not in inside], next(legal, "")


def knit(match: Match, kinds: list[type[Wordsmith]], rng: Random) -> None:
    """Let *kinds* play *match* until everybody writes."""
    players = seated(match.game, kinds, str(rng.random()))
    while match.state.phase != "write":
        step_any(match, match.game.to_act(match.state), players, rng)


def main(given: list[str]) -> int:
    """Print a line for each spool: its number, the tags around it, and the word, with tabs between."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks words", description=__doc__)
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0])
    parser.add_argument("--spools", type=int, default=300)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args(given)
    for number, (inside, others, word) in zip(range(1, asked.spools + 1), spools(asked.language, asked.seed), strict=False):
        print(number, "、".join(inside) if asked.language != "en" else ", ".join(inside), word, sep="\t", flush=True)
    return 0
