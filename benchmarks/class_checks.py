"""Secrets and refusals of a class on its own phones in many matches, as in ``tests/room``."""

import sys
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.append(str(Path(__file__).parents[1] / "tests" / "room"))

MATCHES = {"wizard": 1000, "wikipedia": 1000, "blockade": 100, "knitwit": 100}
SEATED = {"wizard": (3, 4, 5, 6), "wikipedia": (2, 4, 6), "blockade": (4,), "knitwit": (2, 3, 4)}
OPTIONS: dict[str, list[dict[str, object]]] = {
    "wizard": [
        {},
        {"bid_mode": "hidden"},
        {"bid_mode": "secret"},
        {"hawk_eye": True},
        {"dealer_picks_blind": True},
    ],
    "wikipedia": [{}, {"refill": "optional_own_turn"}, {"open_discards": True}],
    "blockade": [{}, {"roles_each_era": "passed"}],
    "knitwit": [{}, {"answer_time_limit": None}, {"fuzzy_dup": "off"}],
}
"""Rules in turn, beside what makes a match short."""
MESSAGES = 100_000


def secrets(scale: float) -> None:
    """Look through all that is sent in random matches, half of them with strategies at the table.

    In some moments all is exchanged that a viewer may not know: what is sent must stay the same,
    byte by byte.
    """
    from secrecy import random_match  # type: ignore[import-not-found]

    for game, matches in MATCHES.items():
        begun, total = (
            perf_counter(),
            dict.fromkeys(["actions", "unseen", "exchanged", "compared", "differing"], 0),
        )
        sent, count = 0, max(1, round(matches * scale))
        for number in range(count):
            players, options = (
                SEATED[game][number % len(SEATED[game])],
                OPTIONS[game][number % len(OPTIONS[game])],
            )
            strategies = number % 2 * (1 + number % (players - 1))
            found = random_match(
                game, players - strategies, strategies, f"{game} {number}", 2, **options
            )
            total = {what: total[what] + found[what] for what in total}
            sent += found["bytes"]
        print(
            f"{game}: {count} matches, {sent / 1e6:.0f} MB sent, no leak ({perf_counter() - begun:.0f} s)"
        )
        print(
            f"  {total['actions']} actions; {total['unseen']} times a page could not see one and was sent nothing"
        )
        print(
            f"  {total['exchanged']} moments exchanged, {total['compared']} streams compared, ",
            end="",
        )
        print(f"with {total['differing']} actions that differed unseen", flush=True)


def fuzz(scale: float) -> None:
    """Send messages that no page sends, and see that nothing happens but what may."""
    from strange import Target, message  # type: ignore[import-not-found]

    for game in MATCHES:
        begun, rng, sent, refused = perf_counter(), Random(game), 0, 0
        while sent < MESSAGES * scale:
            target = Target(game)
            for _ in range(20):
                for _ in range(100):
                    target.send(message(rng), rng.choice([0, 0, 0, 1, 2]))
                target.check()
            sent, refused = sent + target.sent, refused + target.refused
        print(
            f"{game}: {sent} messages, {refused} refused in a sentence ({perf_counter() - begun:.0f} s)",
            flush=True,
        )
