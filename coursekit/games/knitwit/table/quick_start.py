"""The quick start of Knit Wit: its rules in short, and the match in which a player meets them."""

from typing import Any

from coursekit.games.knitwit.table.pieces import rules_of
from coursekit.kit import Guide, Rule
from coursekit.kit.quick_start import Picture
from coursekit.kit.scene import Look

FORBIDDEN = {
    ("all", "word"): "rules.not",
    ("all", "char"): "rules.not_char",
    ("spool", "word"): "rules.not_spool",
    ("spool", "char"): "rules.not_spool_char",
}
"""``ban_scope`` and ``ban_match`` -> the rule about words that may not be written."""


def say_rule(rule: Rule, look: Look) -> str:
    """Return *rule* in words, with the numbers of this match."""
    game, o = rules_of(look), look.game.options
    values: dict[str, Any] = {
        "loops": game.setup.loops,
        "buttons": len(game.setup.buttons),
        "extra": o.two_player_extra,
        "holes": look.say("list_of_numbers", numbers=list(map(str, game.setup.buttons))),
    }
    text = _wording(rule.text, look)
    if text == "rules.challenge":
        values |= _challenge(look)
    return look.say(text, **values)


def _challenge(look: Look) -> dict[str, str]:
    """Return the parts of the rule about challenges that options change."""
    o = look.game.options
    explain = "timed" if o.explain_seconds else "untimed"
    voters = "all" if o.challenged_votes else "others"
    return {
        "explain": look.say(f"challenges.{explain}", seconds=o.explain_seconds),
        "voters": look.say(f"challenges.{voters}"),
        "passed": look.say(f"challenges.{o.vote_of}", percent=o.vote_threshold),
    }


def _wording(text: str, look: Look) -> str:
    """Return which text tells a rule, which options and players may change."""
    game, o, two = rules_of(look), look.game.options, look.game.players == 2
    buttons = game.setup.buttons
    if text == "rules.tag" and o.words_last:
        return "rules.tag_last"
    if text == "rules.spool" and o.region_rule == "loops":
        return "rules.spool_loops"
    if text == "rules.not":
        return FORBIDDEN[o.ban_scope, o.ban_match]
    if text == "rules.button" and (len(buttons) == 1 or len({*buttons}) < len(buttons)):
        return "rules.button_holes"
    if text == "rules.last" and len(buttons) >= game.players:
        return "rules.last_by_all"
    if text == "rules.last" and two and o.two_player_extra:
        return "rules.last_of_two"
    if text == "rules.points" and not game.pays_a_point_a_loop:
        return "rules.points_own"
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
        Rule(
            "rules.challenge",
            ("defend", "judge", "vote"),
            lambda obs, _: obs.phase == "reveal" and bool(obs.legal),
        ),
        Rule("rules.win", ("total",)),
    ),
    says=say_rule,
    players=3,
    options={"loops": 3, "buttons": (3, 2, 1)},
    seed="first steps 1",
    others="FirstThought",
    pictures=(
        Picture("pictures.loop", "loop", 4, ("venn",), right=1),
        Picture("pictures.word", "ready", 1, ("venn",)),
        Picture("pictures.write", "write", 12, ("venn", "answer-pad"), right=2),
        Picture("pictures.reveal", "reveal", 2, ("venn", "row"), right=2),
    ),
    preset="short",
)
