"""The cards of 維基百科 vs 書籍 and their names in actions.

A card is the word for its kind: cards of a kind are indistinguishable.
"""

WIKI, BOOK, REVISE, VANDAL, USE = KINDS = ("wiki", "book", "revise", "vandal", "use")
"""Action cards (blue backs, 藍底)."""
NUMBER = {kind: number for number, kind in enumerate(KINDS)}
"""Place of each kind in lists that count by kind."""
SCHOLAR, STUDENT = ROLES = ("scholar", "student")
"""Role cards (red backs, 紅底)."""
WORKS = (WIKI, BOOK)

ROLL, LEAVE, GIVE_UP, REFILL, NEXT = "roll", "leave", "give up", "refill", "next"
DISCARD = {kind: f"discard {kind}" for kind in KINDS}
"""Action of discarding a card, by kind; playing a card is the word for its kind."""
PLAYED_OR_DISCARDED = {
    **{kind: kind for kind in KINDS},
    **{action: kind for kind, action in DISCARD.items()},
}
"""The card that an action takes from the hand."""
ACTIONS = (*PLAYED_OR_DISCARDED, ROLL, LEAVE, GIVE_UP, REFILL, NEXT)
"""Every action there is; :data:`NEXT` is the table's."""
