"""What the cards of 維基百科 vs 書籍 tell of themselves."""

from typing import cast

from coursekit.games.wikipedia.rules.cards import KINDS, REVISE, ROLES, SCHOLAR, USE, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import Options
from coursekit.kit.scene import Look, Page
from coursekit.words.texts import join_sentences


def rules_of(look: Look) -> Wikipedia:
    """Return the game that is looked at."""
    return cast(Wikipedia, look.game)


def handbook(look: Look) -> dict[str, Page]:
    """Return what the cards tell of themselves, with the numbers of this match's rules."""
    return {card: _page(card, look) for card in (*KINDS, *ROLES)}


def _page(card: str, look: Look) -> Page:
    game = rules_of(look)
    options = game.options
    values = vars(options) | {"wrong": game.wrong.get(card, 0), "repair": game.repair.get(card, 0)}
    values |= {work: game.repair[work] for work in WORKS}
    values |= {"least": options.hand_min, "most": options.refill_to}
    facts = []
    for parts in _role_texts(card, options) if card in ROLES else _card_texts(card, options):
        sentences = [look.say(f"page.{card}.{part}", **values) for part in parts]
        label = look.say(f"page.label.{parts[0].partition('_')[0]}")
        facts.append({"label": label, "value": join_sentences(sentences, look.language)})
    return {
        "title": look.say(f"face.{card}"),
        "heading": look.say("page.label.story"),
        "text": [look.say(f"page.{card}.story")],
        "facts": facts,
    }


def _card_texts(card: str, o: Options) -> list[list[str]]:
    """Return the texts of each fact about an action card, as *o* has them."""
    effect = ["effect"]
    when = "when"
    if card == USE:
        effect = ["effect_later" if o.score_optional else "effect_score"]
        effect.append("effect_cured" if o.cure_then_score else "effect_blocked")
    elif card == REVISE:
        filled = o.refill == "auto" and o.refill_check == "before_draw" and o.hand_min > 0
        effect = ["effect_filled" if filled else "effect"]
        when = "when_strict" if o.strict_discard else "when"
    return [effect, [when], ["not"], ["place"]]


def _role_texts(role: str, o: Options) -> list[list[str]]:
    """Return the texts of each fact about a role, as *o* has them."""
    writes = o.forced_write or o.strict_discard
    if role == SCHOLAR:
        may = "may"
        repairs = o.scholar_must_repair_at_scoring
        must = {"must": True, "must_write": writes, "must_repair": repairs}
    else:
        may = "may_strict" if o.strict_discard else "may"
        must = {"must": writes}
    must["must_play"] = o.strict_discard
    return [[may], *([part] for part, holds in must.items() if holds), ["not"], ["place"]]
