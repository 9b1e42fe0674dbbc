"""What else could have been done: a decision of a match, tried again from what its seat could know
then.
"""

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
"""Standard errors behind the best at which an action is tried no more: all are tried to the end."""
MOST = 8
"""Actions told, the best first, and the one that was taken."""


def is_weighable(game: Game[Any, Any, Any], moment: Snapshot, seat: Seat) -> bool:
    """Return whether *game* has a player that thinks, and *seat* a choice among listed actions at
    *moment*.
    """
    if seat == TABLE or kit_of(game).thinker is None:
        return False
    legal = moment.seen[seat].legal
    return isinstance(legal, tuple) and len(legal) > 1


def weigh(match: Match, entry: int) -> Thought:
    """Return what comes of each action at entry number *entry* of the log, as the game's thinker
    tries them.

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
    """Return *thought* in *language*: a title, how it was found, and for each action its words and
    figures.

    ``good`` is the share of guesses that went well (0-100), ``low`` and ``high`` its 95 % interval.
    """
    game, taken = match.game, thought.guide
    seat, _ = match.log[moment.entry]
    kit = kit_of(game)
    assert kit.scene is not None
    assert kit.thinker is not None
    look = Look(game, language, match.names, acting=(seat,))
    labels = _labels(kit.scene(moment.seen[seat], (), look))
    chosen = next(each for each in thought.tried if each.action == taken)
    rivals = [each for each in thought.tried if each is not chosen]
    shown = sorted([*rivals[: MOST - 1], chosen], key=lambda each: -each.payoff)
    best = max(rivals, key=_surely_ahead)
    verdict = "table.weighed_better" if _surely_ahead(best) > 0 else "table.weighed_even"
    # A thinker never looks at the hands of others, open or not.
    how_found = (
        "table.weighed_how_open"
        if getattr(moment.seen[seat], "open_hands", ())
        else "table.weighed_how"
    )
    how = {
        "worlds": max(each.worlds for each in shown),
        "guide": player_name(game.name, kit.thinker.guide, language),
    }

    def say(id: str, **values: Any) -> str:
        return game_text(game, id, language, match.names, **values)

    def row(each: Trial) -> dict[str, Any]:
        figures = _figures(each)
        words = {part: say(f"table.weighed_{part}", **figures) for part in ("share", "interval")}
        return {
            "label": labels.get(each.action, shorten(each.action)),
            "taken": each is chosen,
            **figures,
            **words,
        }

    return {
        "title": say(verdict, seat=seat, best=labels.get(best.action, shorten(best.action))),
        "how": say(how_found, seat=seat, **how),
        "good": say("weighed.good"),
        "payoff": say("weighed.payoff"),
        "rows": [row(each) for each in shown],
    }


def _surely_ahead(each: Trial) -> float:
    """Return the lower end of the 95 % interval of how far *each* is ahead of the action that was
    taken.
    """
    return each.ahead - 1.96 * each.error


def _figures(each: Trial) -> dict[str, Any]:
    """Return the share that went well with its interval (Agresti and Coull), and the mean payoff."""
    n = each.worlds + 4
    middle = (each.good * each.worlds + 2) / n
    off = 1.96 * sqrt(middle * (1 - middle) / n)
    low, high = max(0.0, middle - off), min(1.0, middle + off)
    return {
        "good": round(100 * each.good),
        "low": round(100 * low),
        "high": round(100 * high),
        "payoff": format_signed(f"{each.payoff:+.1f}"),
    }


def _labels(scene: Scene) -> dict[Any, str]:
    """Return the words of each action that *scene* offers, with the piece where the same can be
    done with several.
    """
    pieces = list(pieces_of(scene))
    found = [(piece["action"], piece["label"], "") for piece in pieces if "action" in piece]
    found += [
        (each["action"], each["label"], piece["label"].strip("「」“”"))
        for piece in pieces
        for each in piece.get("choices", [])
    ]
    found += [
        (each["action"], each["label"], "")
        for zone in zones_of(scene["zones"])
        for each in zone.get("choices", [])
    ]
    actions: dict[str, set[Any]] = {}
    for action, words, _ in found:
        actions.setdefault(words, set()).add(action)
    return {
        action: f"{piece} · {words}" if piece and len(actions[words]) > 1 else words
        for action, words, piece in found
    }
