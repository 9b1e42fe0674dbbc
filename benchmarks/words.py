"""What Knit Wit's players write, for people to judge: ``python -m benchmarks words``, with options
of its own.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from coursekit.core.chance import pick, stream
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import make_players
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.lexicon import PLAYERS
from coursekit.games.knitwit.strategies import STRATEGIES, Wordsmith, speak
from coursekit.words.texts import LANGUAGES


def spools(language: str, seed: str) -> Iterator[tuple[list[str], str]]:
    """Yield the tags around a spool and what a player writes for it, without end.

    Any number of players, any of the kit's, knit a design. Then each of its spools is shown to one
    of the kit's players, who has time enough; the answer is ``""`` if it would leave the line
    blank.
    """
    rng = stream(seed, "words")
    kinds = [speak(kind, language) for kind in STRATEGIES if issubclass(kind, Wordsmith)]
    while True:
        match = Match(KnitWit(pick(rng, PLAYERS)), f"words {rng.random()}")
        knit(match, [pick(rng, kinds) for _ in match.game.seats], rng)
        seen = match.game.observe(match.state, 0)
        for number in seen.numbers:
            player = pick(rng, kinds)(stream(seed, f"words {rng.random()}"), match.game)
            legal = (
                word for word in player.words(seen, number) if ("write", number, word) in seen.legal
            )
            yield (
                [match.game.pack.tags[tag].word(language) for tag in seen.words(number)],
                next(legal, ""),
            )


def knit(match: Match, kinds: Sequence[type[Wordsmith]], rng: Random) -> None:
    """Let *kinds* play *match* until everybody writes."""
    players = make_players(match.game, kinds, f"players {rng.random()}")
    while match.state.phase != "write":
        step_any(match, match.game.to_act(match.state), players, rng)


def main(given: Sequence[str]) -> int:
    """Print a line for each spool, with tabs between: its number, the tags around it, and the word
    or nothing.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks words", description=__doc__)
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0])
    parser.add_argument("--spools", type=int, default=300)
    parser.add_argument(
        "--seed", default="1", help="another one gives other spools (default: %(default)s)"
    )
    asked = parser.parse_args(given)
    found = islice(spools(asked.language, asked.seed), asked.spools)
    for number, (tags, word) in enumerate(found, 1):
        print(number, ", ".join(tags), word, sep="\t", flush=True)
    return 0
