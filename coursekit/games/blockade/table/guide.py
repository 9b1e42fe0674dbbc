"""The rules of 文壇封鎖中 in short, and the match in which a new player meets them."""

from coursekit.games.blockade.rules.state import NOBODY
from coursekit.kit import Guide, Rule
from coursekit.kit.guide import as_written
from coursekit.kit.scene import Look


def says(rule: Rule, look: Look) -> str:
    """Return *rule* in words; what becomes of writers of other eras is an option."""
    return "" if rule.text == "rules.fresh" and look.game.options.stale_cards != "refresh" else as_written(rule, look)


GUIDE = Guide(
    rules=(
        Rule("rules.camps", ("begin", "era"), lambda obs, _: obs.phase == "opening"),
        Rule("rules.opening", ("opening",)),
        Rule("rules.main", ("main",), lambda obs, _: obs.phase == "main"),
        Rule(
            "rules.function", ("place", "hand_in", "close", "trim", "lose", "inspect", "rival"),
            lambda obs, game: obs.phase == "main" and any(
                word[0] == "play" and not game.cards.is_writer(word[1]) for word in obs.legal
            ),
        ),
        Rule("rules.exchange", ("exchange", "pay", "peek")),
        Rule("rules.strike", ("strike",), lambda obs, _: obs.phase == "strike"),
        Rule("rules.throws", ("launch", "defend")),
        Rule("rules.event", ("throw", "pass_left"), lambda obs, _: any(seat != NOBODY for _, seat in obs.fired)),
        Rule("rules.fresh", ("fresh",), lambda obs, _: "refresh" in obs.legal),
        Rule("page.role.model", (), lambda obs, _: True),
    ),
    says=says,
    players=4,
    options={"eras": (1,), "laps_limit": 4},
    seed="first steps 54",
    others="Greedy",
)  # fmt: skip
