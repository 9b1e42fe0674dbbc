"""The rules of Knit Wit in short, a page for each of its three parts."""

from collections.abc import Mapping
from typing import Any

from coursekit.games.knitwit.table.pieces import rules_of
from coursekit.kit.scene import Look, Page, Piece, Zone

PAGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "knit": ("tag", ("loop", "tag", "spool", "end")),
    "answer": ("pencil", ("fit", "not", "button", "last")),
    "score": ("button-1", ("points", "same", "challenge", "win")),
}
"""Each page: the drawing on its card, and the rules on it."""


def handbook(look: Look) -> dict[str, Page]:
    """Return what everybody may read about the rules of this match, by id."""
    return {f"rules-{name}": _page(name, look) for name in PAGES}


def _page(name: str, look: Look) -> Page:
    game, o = rules_of(look), look.game.options
    values: dict[str, Any] = {
        "loops": game.setup.loops, "buttons": len(game.setup.buttons), "seconds": o.explain_seconds,
        "percent": o.vote_threshold, "extra": o.two_player_extra,
    }  # fmt: skip
    facts = [
        {"label": look.say(f"page.label.{part}"), "value": look.say(_wording(name, part, look), **values)}
        for part in PAGES[name][1]
    ]
    return {"title": look.say(f"page.{name}"), "text": [], "facts": facts}


def _wording(name: str, part: str, look: Look) -> str:
    """Return which text tells a rule, which options and players may change."""
    o, two = look.game.options, look.game.players == 2
    if part == "tag" and o.words_last:
        return "page.rule.tag_last"
    if part == "last" and two and o.two_player_extra:
        return "page.rule.last_of_two"
    if part == "challenge" and two and o.two_player_challenge != "vote":
        return f"page.rule.challenge_{o.two_player_challenge}"
    return f"page.rule.{part}"


def rule_cards(look: Look) -> Zone:
    """Return a small card for each page."""
    pieces = [_card(name, look) for name in PAGES]
    return {"kind": "row", "place": "side", "label": look.say("zone.rules"), "pieces": pieces}


def _card(name: str, look: Look) -> Piece:
    title = look.say(f"page.{name}")
    return {
        "id": f"rules-{name}", "face": {"art": PAGES[name][0], "print": {"form": "note", "title": title}},
        "label": title, "about": f"rules-{name}",
    }  # fmt: skip
