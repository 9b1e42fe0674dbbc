"""What the cards of 維基百科 vs 書籍 tell of themselves, and how a match ends."""

from typing import cast

from coursekit.games.wikipedia.rules.cards import KINDS, ROLES, SCHOLAR, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.kit.scene import Face, Look, Page, Piece, Zone

END = "rules-end"
"""The page about the end of a match, and the card that opens it."""


def rules_of(look: Look) -> Wikipedia:
    """Return the game that is looked at."""
    return cast(Wikipedia, look.game)


def handbook(look: Look) -> dict[str, Page]:
    """Return what the cards tell of themselves, with the numbers of this match's rules."""
    return {card: _page(card, look) for card in (*KINDS, *ROLES)} | {END: _page_of_the_end(look)}


def _page_of_the_end(look: Look) -> Page:
    """Return how a match ends, the guards against a standstill among it."""
    o = look.game.options
    wordings = {
        "win": "win" if look.game.players == 2 else "win_of_teams",
        "standstill": "standstill" if o.stall_guard_laps else "no_standstill",
        "limit": "limit" if o.laps_limit else "no_limit",
    }
    values = {"goal": o.points_to_win, "standstill": o.stall_guard_laps, "laps": o.laps(0)}
    facts = [
        {"label": look.say(f"page.end.label.{part}"), "value": look.say(f"page.end.{wording}", **values)}
        for part, wording in wordings.items()
    ]
    return {"title": look.say("page.end.title"), "text": [], "facts": facts, "note": look.say("page.end.note")}


def rule_card(look: Look) -> Zone:
    """Return the card that opens the page about the end of a match."""
    title = look.say("page.end.title")
    face: Face = {"print": {"form": "note", "title": title}}
    card: Piece = {"id": END, "face": face, "label": title, "about": END}
    return {"kind": "row", "place": "side", "label": look.say("zone.rules"), "pieces": [card]}


def _page(card: str, look: Look) -> Page:
    game, options = rules_of(look), look.game.options
    values = {"wrong": game.wrong.get(card, 0), "repair": game.repair.get(card, 0)}
    values |= {work: game.repair[work] for work in WORKS}
    parts = ["effect", "when", "not", "place"]
    if card in ROLES:
        parts = ["may"]
        if card == SCHOLAR:
            forced = {"must": True, "must_write": options.forced_write or options.strict_discard}
            forced["must_repair"] = options.scholar_must_repair_at_scoring
            parts += [part for part, holds in forced.items() if holds]
        elif options.forced_write or options.strict_discard:
            parts.append("must")
        parts += ["not", "place"]
    facts = [
        {"label": look.say(f"page.label.{part.partition('_')[0]}"), "value": look.say(f"page.{card}.{part}", **values)}
        for part in parts
    ]
    return {
        "title": look.say(f"face.{card}"), "heading": look.say("page.label.story"),
        "text": [look.say(f"page.{card}.story")], "facts": facts,
    }  # fmt: skip
