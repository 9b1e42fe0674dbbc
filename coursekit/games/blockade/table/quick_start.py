"""The rules of 文壇封鎖中 in short, and the match in which a new player meets them."""

from coursekit.games.blockade.rules.eras import points_by_rank
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.rules.state import NOBODY, Observation
from coursekit.games.blockade.table.pieces import rules_of
from coursekit.kit import Guide, Rule
from coursekit.kit.quick_start import Picture
from coursekit.kit.scene import Look
from coursekit.words.texts import join_sentences


def says(rule: Rule, look: Look) -> str:
    """Return *rule* in words by the options of the match; "" for one that does not hold."""
    o = look.game.options
    points = dict(zip(("first", "second", "third", "fourth"), points_by_rank(o)))
    values = vars(o) | points | {"which": rules_of(look).which}
    texts = [text for text, holds in _texts_for(rule.text, o).items() if holds]
    return join_sentences([look.say(text, **values) for text in texts], look.language)


def _texts_for(text: str, o: Options) -> dict[str, bool]:
    """Return the texts that may stand for the rule *text*, and whether each holds."""
    match text:
        case "rules.camps":
            return {
                text: not o.team_score,
                "rules.camps_together": o.team_score,
                "rules.places": True,
                "rules.shared_places": o.tie_points == "average",
                "rules.last_era_decides": o.final_tie == "era4",
            }
        case "rules.opening":
            return {text: True, "rules.opening_once": len(o.eras) > 1 and not o.opening_each_era}
        case "rules.main":
            return _phase1(o)
        case "rules.function":
            return {
                text: o.function_set in ("kit", "half", "third"),
                "rules.function_half": o.function_set == "half",
                "rules.function_third": o.function_set == "third",
                "rules.function_blank": o.function_set == "blank",
            }
        case "rules.strike":
            return {
                text: True,
                "rules.seize_bonus": o.seize_bonus > 0,
                "rules.loss_penalty": o.loss_penalty > 0,
            }
        case "rules.event":
            return {
                text: o.events and o.event_on == "pass",
                "rules.event_land": o.events and o.event_on == "land",
                "rules.event_each": o.events and o.event_scope == "per_player",
                "rules.no_events": not o.events,
            }
        case "own_design":
            functions = o.function_set != "none"
            return {text: functions, "own_design_events": o.events and not functions}
        case "rules.limit":
            return {text: True, "rules.stall": 0 < o.stall_laps < o.laps_limit}
        case "rules.fresh":
            ways = ("era_deck", "keep", "not_before_publication", "discard_action")
            texts = {f"rules.{way}": o.stale_cards == way for way in ways}
            return {text: o.stale_cards == "refresh"} | texts
    return {text: True}


def _phase1(o: Options) -> dict[str, bool]:
    """Return the texts about phase 1, and whether each holds."""
    functions, from_table = o.function_set != "none", o.exchange_from == "table"
    return {
        "rules.main": functions,
        "rules.main_writers": not functions,
        "rules.pay_hand": o.exchange_from == "hand",
        "rules.pay_either": o.exchange_from == "hand_or_table",
        "rules.draw_first_two": from_table and functions,
        "rules.draw_placed": from_table and not functions,
        "rules.draw": not from_table,
        "rules.table_limit": o.table_limit is not None,
        "rules.pay_at_once": not o.exchange_delay,
        "rules.pass": o.may_pass,
    }


def _may_play_function(obs: Observation, game: Blockade) -> bool:
    """Return whether a function card can be played."""
    cards = [int(action[1]) for action in obs.legal if action[0] == "play"]
    return not all(map(game.cards.is_writer, cards))


GUIDE = Guide(
    rules=(
        Rule("rules.camps", ("begin", "era"), lambda obs, _: obs.phase == "opening"),
        Rule("rules.opening", ("opening",)),
        Rule("rules.main", ("main",), lambda obs, _: obs.phase == "main"),
        Rule(
            "rules.function",
            ("place", "hand_in", "close", "trim", "lose", "inspect", "rival"),
            lambda obs, game: obs.phase == "main" and _may_play_function(obs, game),
        ),
        Rule("rules.exchange", ("exchange", "pay", "peek")),
        Rule("rules.strike", ("strike",), lambda obs, _: obs.phase == "strike"),
        Rule("rules.throws", ("launch", "defend")),
        Rule(
            "rules.event",
            ("throw", "pass_left"),
            lambda obs, _: any(seat != NOBODY for _, seat in obs.fired),
        ),
        Rule("rules.fresh", ("fresh",), lambda obs, _: "refresh" in obs.legal),
        Rule("rules.limit"),
        Rule("own_design"),
        Rule("page.role.model", (), lambda obs, _: True),
    ),
    says=says,
    players=4,
    options={"eras": (1,), "laps_limit": 4},
    seed="first steps 54",
    others="Greedy",
    pictures=(
        Picture(
            "pictures.roles",
            cards=("role-garrison", "role-informant", "role-editor", "role-author"),
            right=1,
        ),
        Picture("pictures.cards", cards=("writer-9", "fn-stencil", "book-11", "book-27"), right=0),
        Picture("pictures.track", "opening", 5, ("track",), right=1),
        Picture("pictures.dice", "defend", 1, ("track",)),
    ),
    preset="standard",
)
