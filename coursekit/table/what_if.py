"""What else could have been done: a decision tried again from what its seat could know then."""

from math import sqrt
from typing import Any

from coursekit.core.game import TABLE, Game, Seat
from coursekit.core.match import Match
from coursekit.core.search import Searcher, Thought, Trial, look_back
from coursekit.kit import kit_of
from coursekit.kit.scene import Look, Scene, pieces_of, zones_of
from coursekit.table.players import player_name
from coursekit.table.snapshot import Snapshot
from coursekit.words.texts import format_signed, game_text, shorten

BUDGET = 1200
"""Milliseconds in which all actions are tried."""
WORLDS = 300
"""Guesses at the hidden cards at most; more would hardly change a figure."""
ANY = 1e9
"""Standard errors behind the best at which an action is dropped: none is."""
MOST = 8
"""Actions shown: the best ones, and the one that was taken."""


def is_weighable(game: Game[Any, Any, Any], moment: Snapshot, seat: Seat) -> bool:
    """Return whether *game* has a player that thinks, and *seat* several legal actions."""
    if seat == TABLE or kit_of(game).thinker is None:
        return False
    legal = moment.seen[seat].legal
    return isinstance(legal, tuple) and len(legal) > 1


def weigh(match: Match, entry: int) -> Thought:
    """Return what comes of each action at an *entry* of the log, by the game's thinker.

    :raises ValueError: as :func:`.look_back`.
    """
    thinker = kit_of(match.game).thinker
    assert thinker is not None
    patient: type[Searcher] = type(
        "Patient", (thinker,), {"budget": BUDGET, "worlds": WORLDS, "HOPELESS": ANY}
    )
    return look_back(match, entry, patient)


def describe_thought(
    match: Match, moment: Snapshot, thought: Thought, language: str
) -> dict[str, Any]:
    """Return *thought* in words: a title, how it was found, and a row for each action.

    ``good`` is the share of guesses that went well (0-100), ``low`` and ``high`` its 95 % interval.
    """
    game = match.game
    seat, _ = match.log[moment.entry]
    obs = moment.seen[seat]
    kit = kit_of(game)
    assert kit.scene is not None
    assert kit.thinker is not None
    labels = _labels(kit.scene(obs, (), Look(game, language, match.names, acting=(seat,))))
    taken = next(trial for trial in thought.tried if trial.action == thought.guide)
    rivals = [trial for trial in thought.tried if trial is not taken]
    rows = sorted([*rivals[: MOST - 1], taken], key=lambda trial: -trial.payoff)
    best = max(rivals, key=_surely_ahead)

    def say(text_id: str, **values: Any) -> str:
        return game_text(game, text_id, language, match.names, **values)

    def label(trial: Trial) -> str:
        return labels.get(trial.action, shorten(trial.action))

    def row(trial: Trial) -> dict[str, Any]:
        figures = _figures(trial)
        return {
            "label": label(trial),
            "taken": trial is taken,
            **figures,
            "share": say("table.weighed_share", **figures),
            "interval": say("table.weighed_interval", **figures),
        }

    verdict = "table.weighed_better" if _surely_ahead(best) > 0 else "table.weighed_even"
    how = "table.weighed_how"
    if getattr(obs, "open_hands", ()):  # a thinker never looks at the hands of others all the same
        how = "table.weighed_how_open"
    worlds = max(trial.worlds for trial in rows)
    guide = player_name(game.name, kit.thinker.guide, language)
    return {
        "title": say(verdict, seat=seat, best=label(best)),
        "how": say(how, seat=seat, worlds=worlds, guide=guide),
        "good": say("weighed.good"),
        "payoff": say("weighed.payoff"),
        "rows": [row(trial) for trial in rows],
    }


def _surely_ahead(trial: Trial) -> float:
    """Return by how much *trial* is at least ahead of the action taken, with 95 % certainty."""
    return trial.ahead - 1.96 * trial.error


def _figures(trial: Trial) -> dict[str, Any]:
    """Return the share that went well, its interval (Agresti and Coull), and the mean payoff."""
    n = trial.worlds + 4
    middle = (trial.good * trial.worlds + 2) / n
    margin = 1.96 * sqrt(middle * (1 - middle) / n)
    return {
        "good": round(100 * trial.good),
        "low": round(100 * max(0.0, middle - margin)),
        "high": round(100 * min(1.0, middle + margin)),
        "payoff": format_signed(f"{trial.payoff:+.1f}"),
    }


def _labels(scene: Scene) -> dict[Any, str]:
    """Return the words of each action in *scene*, with the piece if several have the same words."""
    offers = []  # action, its words, and its piece
    for piece in pieces_of(scene):
        if "action" in piece:
            offers.append((piece["action"], piece["label"], ""))
        name = piece["label"].strip("「」“”")
        offers += [(choice["action"], choice["label"], name) for choice in piece.get("choices", [])]
    for zone in zones_of(scene["zones"]):
        offers += [(choice["action"], choice["label"], "") for choice in zone.get("choices", [])]
    actions: dict[str, set[Any]] = {}
    for action, words, _ in offers:
        actions.setdefault(words, set()).add(action)
    labels = {}
    for action, words, name in offers:
        is_ambiguous = name and len(actions[words]) > 1
        labels[action] = f"{name} · {words}" if is_ambiguous else words
    return labels
