"""The rules of 維基百科 vs 書籍 in short, and the match in which a new player meets them."""

from coursekit.games.wikipedia.rules.cards import USE
from coursekit.games.wikipedia.rules.state import NOBODY
from coursekit.kit import Guide, Rule
from coursekit.kit.scene import Look


def says(rule: Rule, look: Look) -> str:
    """Return *rule* in words; players and options decide how a match ends."""
    o, text = look.game.options, rule.text
    if text == "rules.win" and look.game.players > 2:
        text = "rules.win_of_teams"
    elif text == "rules.standstill" and not o.stall_guard_laps:
        text = "rules.no_standstill"
    elif text == "rules.limit" and not o.laps_limit:
        text = "rules.no_limit"
    return look.say(text, **vars(o), goal=o.points_to_win, standstill=o.stall_guard_laps, laps=o.laps(0))


GUIDE = Guide(
    rules=(
        Rule("rules.roles", (), lambda obs, _: True),
        Rule("rules.turn", (), lambda obs, _: obs.phase != "write"),
        Rule("rules.write", ("write",)),
        Rule("rules.use", ("move",), lambda obs, _: obs.phase == "move" and USE in obs.legal),
        Rule("rules.vandal", ("cure",), lambda obs, _: obs.vandal != NOBODY),
        Rule("rules.blocked", ("drop",)),
        Rule("rules.die", ("roll",)),
        Rule("rules.points", ("result",), lambda obs, _: obs.phase == "roll"),
        Rule("rules.mend", ("repair",), lambda obs, _: obs.phase == "repair"),
        Rule("rules.win", (), lambda obs, _: obs.phase == "result"),
        Rule("rules.standstill"),
        Rule("rules.limit"),
        Rule("rules.own"),
    ),
    says=says,
    players=2,
    options={"points_to_win": 2},
    seed="first steps 39",
    others="Vandal",
)
