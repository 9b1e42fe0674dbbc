"""What the cards of 維基百科 vs 書籍 tell of themselves."""

from typing import cast

from coursekit.games.wikipedia.rules.cards import KINDS, ROLES, SCHOLAR, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.kit.scene import Look, Page


def rules_of(look: Look) -> Wikipedia:
    """Return the game that is looked at."""
    return cast(Wikipedia, look.game)


def handbook(look: Look) -> dict[str, Page]:
    """Return what the cards tell of themselves, with the numbers of this match's rules."""
    return {card: _page(card, look) for card in (*KINDS, *ROLES)}


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
