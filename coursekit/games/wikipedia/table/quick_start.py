"""The rules of 維基百科 vs 書籍 in short, and the match in which a new player meets them."""

from coursekit.games.wikipedia.rules.cards import BOOK, KINDS, SCHOLAR, STUDENT, USE, WIKI
from coursekit.games.wikipedia.rules.options import Options
from coursekit.games.wikipedia.rules.state import NOBODY
from coursekit.kit import Guide, Rule
from coursekit.kit.quick_start import Picture
from coursekit.kit.scene import Look
from coursekit.words.texts import join_sentences


def describe_rule(rule: Rule, look: Look) -> str:
    """Return *rule* in words, as the players and options of the match have it."""
    o = look.game.options
    values = vars(o) | {
        "goal": o.points_to_win,
        "standstill": o.stall_guard_laps,
        "laps": o.laps(0),
        "cards": [kind for kind in KINDS if not getattr(o, kind)],
        "role": STUDENT if o.scholars else SCHOLAR,
        WIKI: o.wiki_wrong,
        BOOK: o.book_wrong,
    }
    texts = _choose_texts(rule.text, look.game.players, o)
    sentences = [look.say(text, **values) for text, holds in texts.items() if holds]
    return join_sentences(sentences, look.language)


def _choose_texts(text: str, players: int, o: Options) -> dict[str, bool]:
    """Return the texts that may stand for the rule *text*, and whether each holds."""
    match text:
        case "rules.turn":
            return {"rules.turn_strict": o.strict_discard, text: not o.strict_discard}
        case "rules.refill":
            if not o.hand_min:
                return {}
            if o.refill != "auto":
                return {"rules.refill_own": True}
            before = o.refill_check == "before_draw"
            return {text: not before, "rules.refill_before": before}
        case "rules.use":
            return {"rules.use_later": o.score_optional, text: not o.score_optional}
        case "rules.vandal":
            return {"rules.vandal_strict": o.strict_discard, text: not o.strict_discard}
        case "rules.blocked":
            return {"rules.blocked_cured": o.cure_then_score, text: not o.cure_then_score}
        case "rules.win":
            ties = {f"rules.tie_{tie}": o.tie == tie for tie in ("scorer", "sudden_death")}
            return {text: players == 2, "rules.win_of_teams": players > 2} | ties
        case "rules.standstill":
            return {text: o.stall_guard_laps > 0, "rules.no_standstill": not o.stall_guard_laps}
        case "rules.limit":
            return {text: o.laps_limit > 0, "rules.no_limit": not o.laps_limit}
        case "rules.no_cards":
            return {
                text: not all(getattr(o, kind) for kind in KINDS),
                "rules.no_role": not (o.scholars and o.students),
            }
    return {text: True}


GUIDE = Guide(
    rules=(
        Rule("rules.roles", (), lambda obs, _: True),
        Rule("rules.turn", (), lambda obs, _: obs.phase != "write"),
        Rule("rules.refill"),
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
        Rule("rules.no_cards"),
    ),
    says=describe_rule,
    players=2,
    options={"points_to_win": 2},
    seed="first steps 39",
    others="Vandal",
    pictures=(
        Picture("pictures.roles", cards=("scholar", "student", "wiki", "book"), right=1),
        Picture("pictures.vandal", "cure", 1, ("squares",), right=2),
        Picture("pictures.roll", "roll", 1, ("squares", "dice"), right=1),
        Picture("pictures.points", "result", 1, ("squares", "dice")),
    ),
    preset="lesson",
)
