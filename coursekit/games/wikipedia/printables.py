"""維基百科 vs 書籍 on paper: one set, for two players; each two more need another."""

from coursekit.games.wikipedia.rules.cards import KINDS, ROLES
from coursekit.games.wikipedia.table.card_descriptions import handbook, rules_of
from coursekit.games.wikipedia.table.scene import IN_HAND, ROLE_BACK, piece
from coursekit.kit.scene import Face, Look
from coursekit.printing.printables import (
    TOKEN,
    Box,
    Cards,
    Leaf,
    die,
    facts_text,
    heading,
    score,
    squares,
    token,
)

POINTS = 20
"""Tokens in a set; two sides never hold more than twice the points to win."""
MAT = ("turn", "write", "use", "vandal", "mend", "score")
"""The lines of the short rules on a player's mat."""
DIE = "123546"
"""Opposite sides make seven."""


def things(look: Look) -> list[Cards | Leaf]:
    """Return the cards, tokens and boards of one set, the die, and what the cards say."""

    def faces(cards: list[str], order: tuple[str, ...]) -> list[Face | str]:
        return [piece(card, card, look)["face"] for card in sorted(cards, key=order.index)]

    game, pages = rules_of(look), handbook(look)
    boards, cards = look.say("print.boards"), look.say("print.cards")
    board = squares(look.say(name) for name in ("count.role", "square.work", "square.use"))
    short = [look.say(f"print.mat.{line}", **vars(game.options)) for line in MAT]
    board += score(look.say("count.points"), short)
    common = [
        *(look.say(f"pile.{name}") for name in ("deck", "discards", "roles", "away")),
        look.say("square.vandal"),
    ]
    return [
        Cards(cards, faces(game.cards, IN_HAND), {"back": True}),
        Cards(look.say("print.roles"), faces(game.role_cards, ROLES), ROLE_BACK),
        Cards(
            look.say("print.tokens"),
            [token("1")] * max(POINTS, 2 * game.options.points_to_win),
            size=TOKEN,
        ),
        Leaf(boards, board + board),
        Leaf(look.say("print.common"), squares(common)),
        Leaf(look.say("zone.die"), heading(look.say("zone.die")) + die(DIE)),
        Leaf(
            look.say("print.aid"),
            heading(cards) + facts_text(pages[card] for card in (*KINDS, *ROLES)),
        ),
    ]


BOX = Box(things, rules={"rules.win": "print.win"})
