"""Wizard on paper: 60 cards and a score pad (真言冊)."""

from pathlib import Path

from coursekit.files.html_templates import render_macro
from coursekit.games.wizard.rules.cards import CARDS, RANK, SUIT
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.table.scene import face
from coursekit.kit.scene import Look
from coursekit.printing.printables import Box, Cards, Leaf

TEMPLATE = Path(__file__).parent / "templates" / "printables.html.j2"
ROUNDS = {players: len(CARDS) // players for players in Wizard.player_counts}
"""For each number of players, how many rounds they play; the last deals each as many cards."""


def list_things(look: Look) -> list[Cards | Leaf]:
    """Return the cards, suit by suit with Jesters and Wizards last, and the pad."""
    order = sorted(CARDS, key=lambda card: (SUIT[card], RANK[card]))
    cards = Cards(look.say("print.cards"), [face(card, look) for card in order], {"back": True})
    return [cards, Leaf(look.say("zone.pad"), _pad(look))]


def _pad(look: Look) -> str:
    """Return an empty pad for six players, with a line below the last round of each number."""
    parts = " · ".join(look.say(f"count.{part}") for part in ("bid", "won", "points"))
    rounds = [*ROUNDS.values()]
    return render_macro(
        TEMPLATE, "pad", look.say("zone.pad"), parts, _last_rounds(look), max(ROUNDS), rounds
    )


def list_ends(look: Look) -> str:
    """Return how many rounds each number of players plays."""
    return render_macro(TEMPLATE, "ends", _last_rounds(look))


def _last_rounds(look: Look) -> list[str]:
    return [look.say("print.ends", players=players, round=last) for players, last in ROUNDS.items()]


BOX = Box(list_things, rules={"rules.deal": "print.deal"}, below=list_ends)
