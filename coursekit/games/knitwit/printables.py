"""Knit Wit on paper: tags, spools, buttons and answer sheets; the loops are of string."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.files.html_templates import render_macro
from coursekit.games.knitwit.rules.lexicon import LINES, load_setups, own_words
from coursekit.games.knitwit.table.pieces import button_face, rules_of
from coursekit.kit.scene import Look
from coursekit.printing.printables import SMALL, TAG, TOKEN, Box, Cards, Leaf, heading, token
from coursekit.words.texts import join_words

TEMPLATE = Path(__file__).parent / "templates" / "printables.html.j2"
HOLES = range(1, 5)
"""Of the bonus buttons in the box."""


def things(look: Look) -> list[Cards | Leaf]:
    """Return the tags and the one that asks to shuffle, spools, buttons and two answer sheets."""
    words = [tag.word(look.language) for tag in rules_of(look).pack.tags]
    words.append(look.say("print.shuffle"))
    tags = [render_macro(TEMPLATE, "tag", word) for word in words]
    answers = look.say("print.answers")
    sheet = heading(answers) + render_macro(TEMPLATE, "answers", LINES)
    spools = [token(str(number)) for number in range(1, LINES + 1)]
    return [
        Cards(look.say("print.tags"), tags, size=TAG),
        Cards(look.say("count.spools"), spools, size=TOKEN),
        Cards(look.say("zone.buttons"), [button_face(holes) for holes in HOLES], size=SMALL),
        Leaf(answers, sheet * 2),
    ]


def setup(look: Look) -> str:
    """Return what is laid out for each number of players."""
    lines = []
    for players, row in load_setups()[look.game.options.setup_table].items():
        holes = join_words([str(button) for button in row.buttons], look.language)
        lines.append(look.say("print.row", players=players, loops=row.loops, holes=holes))
    return render_macro(TEMPLATE, "setup", lines)


def own(files: Sequence[Path], language: str) -> dict[str, Any]:
    """Return the option for a class's own tags, in one file.

    :raises FileError: if it cannot be used.
    """
    return {"words": own_words(files[0], language=language)}


RULES = {f"rules.{name}": f"print.{name}" for name in ("end", "button", "last", "challenge")}
BOX = Box(things, own, RULES, setup)
