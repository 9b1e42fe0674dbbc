"""The rules of Knit Wit in short, and the match in which a new player meets them."""

from typing import Any

from coursekit.games.knitwit.table.pieces import rules_of
from coursekit.kit import Guide, Rule
from coursekit.kit.scene import Look


def says(rule: Rule, look: Look) -> str:
    """Return *rule* in words, with the numbers of this match."""
    game, o = rules_of(look), look.game.options
    values: dict[str, Any] = {
        "loops": game.setup.loops, "buttons": len(game.setup.buttons), "seconds": o.explain_seconds,
        "percent": o.vote_threshold, "extra": o.two_player_extra,
    }  # fmt: skip
    return look.say(_wording(rule.text, look), **values)


def _wording(text: str, look: Look) -> str:
    """Return which text tells a rule, which options and players may change."""
    o, two = look.game.options, look.game.players == 2
    if text == "rules.tag" and o.words_last:
        return "rules.tag_last"
    if text == "rules.last" and two and o.two_player_extra:
        return "rules.last_of_two"
    if text == "rules.challenge" and two and o.two_player_challenge != "vote":
        return f"rules.challenge_{o.two_player_challenge}"
    return text


GUIDE = Guide(
    rules=(
        Rule("about", (), lambda obs, _: True),
        Rule("rules.loop", ("loop",)),
        Rule("rules.tag", (), lambda obs, _: obs.phase == "spool"),
        Rule("rules.spool", ("spool",)),
        Rule("rules.end", (), lambda obs, _: obs.phase == "loop"),
        Rule("rules.fit", ("ready", "write")),
        Rule("rules.not", (), lambda obs, _: obs.phase == "write"),
        Rule("rules.button", (), lambda obs, _: obs.phase == "write" and any(obs.sheet)),
        Rule("rules.last"),
        Rule("rules.points", ("reveal",), lambda obs, _: obs.phase == "reveal" and not obs.shown),
        Rule("rules.same", (), lambda obs, _: obs.phase == "reveal" and obs.shown > 0),
        Rule("rules.challenge", ("defend", "judge", "vote"), lambda obs, _: obs.phase == "reveal" and bool(obs.legal)),
        Rule("rules.win", ("total",)),
    ),
    says=says,
    players=3,
    options={"loops": 3, "buttons": (3, 2, 1)},
    seed="first steps 1",
    others="FirstThought",
)
