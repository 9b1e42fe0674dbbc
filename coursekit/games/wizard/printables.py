"""Wizard on paper: 60 cards and a score pad (真言冊)."""

from html import escape

from coursekit.games.wizard.rules.cards import CARDS, RANK, SUIT
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.table.scene import face
from coursekit.kit.scene import Look
from coursekit.printing.printables import Box, Cards, Leaf

ROUNDS = {players: len(CARDS) // players for players in Wizard.player_counts}
"""For each number of players, how many rounds they play; the last deals each as many cards."""


def things(look: Look) -> list[Cards | Leaf]:
    """Return the cards, suit by suit with Jesters and Wizards last, and the pad."""
    order = sorted(CARDS, key=lambda card: (SUIT[card], RANK[card]))
    cards = Cards(look.say("print.cards"), [face(card, look) for card in order], {"back": True})
    return [cards, Leaf(look.say("zone.pad"), _pad(look))]


def _pad(look: Look) -> str:
    """Return an empty pad for up to six players, with a heavy line below the last round of each
    number of them.
    """
    six, most = max(ROUNDS), max(ROUNDS.values())
    cells = '<td class="pp-heavy"></td><td></td><td></td>' * six
    rows = "".join(
        f"<tr{' class=pp-end' if number in ROUNDS.values() else ''}><th>{number}</th>{cells}</tr>"
        for number in range(1, most + 1)
    )
    names = '<th colspan="3" class="pp-heavy"></th>' * six
    parts = " · ".join(look.say(f"count.{part}") for part in ("bid", "won", "points"))
    return (
        f"<h2>{escape(look.say('zone.pad'))}</h2><p>{escape(parts)}</p>{ends(look)}"
        f'<table class="pp-pad"><tr class="pp-names"><th></th>{names}</tr>{rows}</table>'
    )


def ends(look: Look) -> str:
    """Return how many rounds each number of players plays."""
    lines = (
        look.say("print.ends", players=players, round=last) for players, last in ROUNDS.items()
    )
    return f'<ul class="pp-row">{"".join(f"<li>{escape(each)}</li>" for each in lines)}</ul>'


BOX = Box(things, rules={"rules.deal": "print.deal"}, below=ends)
