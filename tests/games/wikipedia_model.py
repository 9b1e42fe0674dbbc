"""One turn of 維基百科 vs 書籍 once more, naively and on its own, to check the rules against.

Written from rules/wikipedia.md, sections 3 to 5, before its author had read the rules of
``coursekit.games.wikipedia``; it shares neither code nor encoding with them. Cards are the letters
of the specification: W B R V U for WIKI, BOOK, REVISE, VANDAL, USE; roles are S and T for scholar
and student.
"""

from typing import Any, NamedTuple


class Position(NamedTuple):
    """What the player whose turn it is has before them."""

    role: str
    hand: str
    work: str = ""  # W, B or "" on the table
    use: str = ""  # whose USE lies there: "mine", "another's" or ""
    vandal: bool = False
    step: str = (
        "turn"  # "wrong": the die has said so; "given up": one card is still to be discarded
    )
    mine: bool = False  # the work is by this player


class After(NamedTuple):
    """What has become of it."""

    played: str  # cards that have left the hand
    draws: bool  # whether the player draws for it
    work: bool  # whether the work is still there
    use: str
    vandal: bool
    whose: str  # who decides now: "mine", "next" or "nobody's", because the 局 is over


def row(p: Position) -> str:
    """Return the row of the table of section 4 that *p* stands in, checked top-down."""
    if p.work == "":
        return "T1"
    if p.use == "mine" and not p.vandal:
        return "T2"
    if p.use == "mine":
        return "T3"
    if p.vandal:
        return "T4"
    return "T6" if p.use else "T5"


def may_be_played(card: str, p: Position) -> bool:
    """Return whether the facts of section 3 let *card* be played: who may, and on what table."""
    return {
        "W": p.role in "ST" and p.work == "",
        "B": p.role == "S" and p.work == "",
        "U": p.role in "ST" and p.work != "" and p.use == "" and not p.vandal,
        "V": p.role == "T" and p.work == "W" and not p.vandal,
        "R": p.role in "ST" and p.vandal,
    }[card]


def legal(p: Position, o: Any) -> set[str]:
    """Return what may be done: a letter plays, "-" and a letter discards, and a few words."""
    kinds = set(p.hand)
    discards = {"-" + card for card in kinds}
    if p.step == "given up":
        return discards
    if p.step == "wrong":  # 5.2
        need = {"W": o.wiki_repair, "B": o.book_repair}[p.work]
        if p.hand.count("R") < need:
            return {"leave"}
        return {"R"} if p.role == "S" and o.scholar_must_repair_at_scoring else {"R", "leave"}
    fill = {"refill"} if o.refill == "optional_own_turn" and len(p.hand) < o.hand_min else set()
    plays = {card for card in kinds if may_be_played(card, p)}
    forced_cure = p.role == "S" and "R" in kinds
    match row(p):
        case "T1":
            forced = plays != set() and (o.forced_write or o.strict_discard)
            return fill | plays | (set() if forced else discards)
        case "T2":
            return fill | {"roll"} | (discards if o.score_optional else set())
        case "T3":
            return fill | plays & {"R"} | (set() if forced_cure else {"give up"})
        case "T4":
            return (
                fill | plays | (set() if forced_cure or (plays and o.strict_discard) else discards)
            )
        case _:
            return fill | plays | (set() if plays and o.strict_discard else discards)


def after(p: Position, action: str, right: bool, o: Any) -> After:
    """Return what a legal *action* makes of *p*; *right* is what the die says to a roll."""
    same = After("", False, p.work != "", p.use, p.vandal, "mine")
    done = same._replace(draws=True, whose="next")
    if p.step == "given up":
        return done._replace(played=action[1])
    if p.step == "wrong":
        need = {"W": o.wiki_repair, "B": o.book_repair}[p.work]
        mended = action == "R"
        return same._replace(played="R" * need if mended else "", draws=mended, whose="nobody's")
    if action == "refill":
        return same
    if action == "roll":
        return same._replace(whose="nobody's" if right else "mine")
    if action == "give up":
        return same._replace(use="", vandal=False)
    if action[0] == "-":
        return done._replace(played=action[1])
    done = done._replace(played=action)
    if action == "R":
        scores_at_once = p.use == "mine" and o.cure_then_score
        return done._replace(vandal=False, whose="mine" if scores_at_once else "next")
    if action == "V":
        return done._replace(vandal=True)
    if action == "U":
        return done._replace(use="mine")
    return done._replace(work=True)


def points(p: Position, right: bool, mended: bool) -> tuple[int, int]:
    """Return what the player and another author get for a scoring (5.3)."""
    if not (right or mended):
        return 0, 0
    if p.work == "W":
        return 1, 0
    return (2, 0) if p.mine else (1, 1)


def goes_wrong(work: str, die: int, o: Any) -> bool:
    """Return whether the *die* shows one of the faces with which the work errs (section 3)."""
    return die in range(1, 1 + {"W": o.wiki_wrong, "B": o.book_wrong}[work])


def hand_size(held: int, left: int, o: Any) -> int:
    """Return how many cards are in a hand of *held* after *left* of them went and cards were drawn
    (4.1, 4.2).
    """
    size = held - left
    if o.refill == "auto" and o.refill_check == "before_draw" and size < o.hand_min:
        return o.refill_to
    size += 1
    return (
        o.refill_to
        if o.refill == "auto" and o.refill_check == "after_draw" and size < o.hand_min
        else size
    )
