"""What a seat may draw, put down and write: legal actions that cannot be listed.

A loop is ``("loop", stroke)`` or ``("loop", stroke, pin)``: the stroke is a tuple of 1 to 500
points, the pin a point on the loop made from it. Where no loop can be laid, "full" ends the
knitting. A spool is ``("spool", number, x, y)``.
"""

from dataclasses import dataclass
from itertools import islice, zip_longest
from random import Random
from typing import Any

from coursekit.core.chance import pick, random_below
from coursekit.core.game import Refusal
from coursekit.games.knitwit.rules.answers import is_writable
from coursekit.games.knitwit.rules.design import (
    Design,
    around,
    default_pin,
    free,
    nth,
    on_table,
)
from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    MOST_POINTS,
    SMALLEST,
    WIDTH,
    Loop,
    Point,
    contains,
    outline,
)
from coursekit.games.knitwit.rules.lexicon import Pack
from coursekit.games.knitwit.rules.loop_proposals import CIRCLE, UNIT, oval, proposals
from coursekit.games.knitwit.rules.options import COMMITS
from coursekit.games.knitwit.rules.placement import (
    Fault,
    fault_of_loop,
    fault_of_spool,
    is_full,
    may_be_laid,
    spots,
    suggestions,
)
from coursekit.words.normalise import character_category, normalise
from coursekit.words.texts import shorten

PROPOSED = 12
"""Most proposals before the first comes again."""
UNLIKE = 7
"""Step through the proposals at which direction and size change."""
FULL = "full"
"""Says that no loop can be laid any more."""
DRAWN, PLACED, WRITTEN = 30, 5, 4
"""Attempts of a random hand at a loop, a spool and an answer before it takes a sure action."""
RULES = {
    "many_spools": "rule.one_spool",
    "no_spool": "rule.one_spool",
    "pin_inside": "rule.no_pin",
    "outside": "rule.region",
    "taken": "rule.region",
    "same_words": "rule.same_loops",
}
"""The rule of the rulebook that a fault breaks; other faults break the kit's own rules, which keep
room for spools.
"""


def is_point(thing: Any) -> bool:
    return type(thing) is tuple and len(thing) == 2 and all(type(part) is int for part in thing)


@dataclass(frozen=True)
class LoopInput:
    """The loops that may be laid in a position."""

    design: Design
    numbers: tuple[int, ...]  # of the design's spools, in the same order

    def __contains__(self, action: object) -> bool:
        return self.refusal(action) is None

    def refusal(self, action: Any) -> Refusal | None:
        """Return what is wrong with *action*, ``None`` if it is a loop that may be laid."""
        if type(action) is str and action == FULL:
            return None if is_full(self.design) else Refusal("refusal.not_full")
        if (wrong := _no_stroke(action)) is not None:
            return wrong
        if not on_table(action[1]):  # before such points are straightened away
            return Refusal("refusal.loop.off_table")
        fault = fault_of_loop(self.design, *laid(self.design, action))
        return None if fault is None else told("loop", fault, self.numbers, self.design)

    def sample(self, rng: Random) -> Any:
        """Return a loop as a hand draws it, an oval around a spool; a proposal if no oval is legal,
        or "full".
        """
        for _ in range(DRAWN):
            stroke = scrawl(self.design, rng)
            if on_table(stroke) and may_be_laid(self.design, outline(stroke)):
                return ("loop", stroke)
        found = next(suggestions(self.design), None)
        return FULL if found is None else ("loop", *found)

    def preview(self, action: Any) -> dict[str, Any] | None:
        """Return the loop and the pin that *action* would lay, ``None`` if it is no loop."""
        if _no_stroke(action) is not None:
            return None
        loop, pin = laid(self.design, action)
        return {"points": [list(p) for p in loop], "pin": list(pin)} if len(loop) > 2 else None

    def suggestion(self, n: int, about: Any = None) -> tuple[Any, ...] | None:
        """Return the *n*-th legal proposal, around the spool numbered *about* if that is given."""
        known = about in self.numbers
        proposed = self._by_turns(self.design.spools[self.numbers.index(about)] if known else None)
        legal = (
            (loop, default_pin(self.design, loop))
            for loop in proposed
            if may_be_laid(self.design, loop)
        )
        found = list(islice(legal, n % PROPOSED + 1)) or list(
            islice(suggestions(self.design), 0 if known else 1)
        )
        return ("loop", *found[n % PROPOSED % len(found)]) if found else None

    def _by_turns(self, about: Point | None) -> list[Loop]:
        """Return proposals around each spool in turn, those in the fewest loops first, or only
        around *about*.
        """
        loops = list(dict.fromkeys(proposals(self.design)))
        loops = [
            loop for start in range(UNLIKE) for loop in loops[start::UNLIKE]
        ]  # neighbours look alike
        spools = (
            sorted(self.design.spools, key=lambda at: len(around(self.design, at)))
            if about is None
            else [about]
        )
        rows = [[loop for loop in loops if contains(loop, at) > 0] for at in spools] or [loops]
        return [loop for turn in zip_longest(*rows) for loop in turn if loop is not None]


@dataclass(frozen=True)
class SpoolInput:
    """The places where a spool may be put down in a position."""

    design: Design
    numbers: tuple[int, ...]  # of the design's spools, in the same order
    own: tuple[int, ...]  # numbers of this seat's spools

    def __contains__(self, action: object) -> bool:
        return self.refusal(action) is None

    def refusal(self, action: Any) -> Refusal | None:
        """Return what is wrong with *action*, ``None`` if that spool may be put there."""
        if not _is_named(action, "spool", (4,)):
            return Refusal("refusal.not_a_spool", {"got": shorten(action)})
        for part in action[1:]:
            if type(part) is not int:
                return Refusal("refusal.not_whole", {"got": shorten(part)})
        if action[1] not in self.own:
            return Refusal("refusal.not_your_spool", {"got": shorten(action[1]), "own": self.own})
        fault = fault_of_spool(self.design, action[2:])
        return None if fault is None else told("spool", fault, self.numbers, self.design)

    def sample(self, rng: Random) -> tuple[Any, ...]:
        """Return one of the seat's spools and a place for it, each set of loops equally likely."""
        number, rooms = pick(rng, self.own), list(free(self.design).values())
        for _ in range(PLACED):
            room = pick(rng, rooms)
            action = ("spool", number, *nth(room, random_below(rng, room.bit_count())))
            if action in self:
                return action
        return ("spool", number, *spots(self.design)[0])

    def preview(self, action: Any) -> dict[str, Any] | None:
        """Return where *action* would put its spool and in which loops, ``None`` if it is no spool."""
        if type(action) is not tuple or len(action) != 4 or not is_point(action[2:]):
            return None
        return {"at": list(action[2:]), "loops": list(around(self.design, action[2:]))}

    def suggestion(self, n: int, about: Any = None) -> tuple[Any, ...] | None:
        """Return the *n*-th place, the roomiest first, for the spool numbered *about*, or the
        seat's lowest.
        """
        found = spots(self.design)
        return ("spool", about if about in self.own else min(self.own), *found[n % len(found)])


def _is_named(action: Any, name: str, sizes: tuple[int, ...]) -> bool:
    """Return whether *action* is a tuple of one of these *sizes* that begins with *name*."""
    return (
        type(action) is tuple
        and len(action) in sizes
        and type(action[0]) is str
        and action[0] == name
    )


def _no_stroke(action: Any) -> Refusal | None:
    """Return in what *action* is no ``("loop", stroke)`` or ``("loop", stroke, pin)``, ``None`` if
    it is one.
    """
    if not _is_named(action, "loop", (2, 3)):
        return Refusal("refusal.not_a_loop", {"got": shorten(action)})
    stroke = action[1]
    if type(stroke) is not tuple:
        return Refusal("refusal.no_points", {"got": shorten(stroke)})
    if not 1 <= len(stroke) <= MOST_POINTS:
        return Refusal("refusal.points_many", {"got": len(stroke), "most": MOST_POINTS})
    for number, point in enumerate(stroke, 1):
        if not is_point(point):
            return Refusal("refusal.no_point", {"number": number, "got": shorten(point)})
    if not all(map(is_point, action[2:])):
        return Refusal("refusal.no_pin", {"got": shorten(action[2])})
    return None


def laid(design: Design, action: tuple[Any, ...]) -> tuple[Loop, Point]:
    """Return the loop and the pin of *action*, by default :func:`.default_pin`."""
    loop = outline(action[1])
    return loop, action[2] if len(action) == 3 else default_pin(design, loop)


def scrawl(design: Design, rng: Random) -> tuple[Point, ...]:
    """Return a shaky stroke around one of the spools.  It need not be legal."""
    x, y = pick(rng, design.spools or ((WIDTH // 2, HEIGHT // 2),))
    # Half of an oval is 16 to 60 long and 14 to 32 broad, never broader than long; each point
    # shakes by up to 2.
    way, length = pick(rng, CIRCLE), 16 + random_below(rng, 45)
    breadth, aside = 14 + random_below(rng, min(length, 32) - 13), random_below(rng, length - 8)
    centre = (x + aside * way[0] // UNIT, y + aside * way[1] // UNIT)
    return tuple(
        [
            (u + random_below(rng, 5) - 2, v + random_below(rng, 5) - 2)
            for u, v in oval(centre, length, breadth, way)
        ]
    )


def told(what: str, fault: Fault, numbers: tuple[int, ...], design: Design) -> Refusal:
    """Return the refusal for *fault*, naming spools by their *numbers*."""
    about_spools = fault.name in ("on_spool", "many_spools", "taken", "same_words")
    which = tuple(numbers[n] for n in fault.which) if about_spools else fault.which
    values: dict[str, Any] = {"which": which} if which else {}
    if about_spools:
        values["about"] = which  # the table lights them up
    if fault.name == "small":
        values = {"least": SMALLEST}
    elif fault.name == "long_string":
        values = {"most": design.string}
    return Refusal(f"refusal.{what}.{fault.name}", values, RULES.get(fault.name, ""))


# Writing

DOODLES = (
    "電視",
    "电视",
    "TV",
    "電視機",
    "television",
    "radio",
    "apple",
    "Apples",
    "貓",
    "一隻貓",
    "夢",
    "moon",
)
"""What a random hand writes: few words, so that answers clash and are doubted."""


@dataclass(frozen=True)
class WriteInput:
    """What one seat may write on its sheet, ``("write", number, text)``, or ``"stop"``."""

    pack: Pack
    numbers: tuple[int, ...]  # of the spools in play
    sheet: tuple[str, ...]
    writes: tuple[int, ...]
    extra: int  # blank lines that may still be filled, NO_LIMIT while all lines may change
    bans: tuple[tuple[int, ...], ...]  # by line, the tags whose words are forbidden
    match: str
    longest: int

    def __contains__(self, action: object) -> bool:
        return self.refusal(action) is None

    def refusal(self, action: Any) -> Refusal | None:
        """Return what is wrong with *action*, ``None`` if it may be written."""
        if type(action) is str and action == "stop":
            return None
        if not _is_named(action, "write", (3,)):
            return Refusal("refusal.not_an_answer", {"got": shorten(action)})
        _, number, text = action
        if type(number) is not int:
            return Refusal("refusal.not_whole", {"got": shorten(number)})
        if type(text) is not str:
            return Refusal("refusal.not_text", {"got": shorten(text)})
        if number not in self.numbers:
            return Refusal(
                "refusal.no_line", {"got": shorten(number), "numbers": self.numbers}, "rule.lines"
            )
        if self.writes[number - 1] >= COMMITS:
            return Refusal("refusal.line_full", {"number": number, "most": COMMITS})
        if self.extra >= 0 and self.sheet[number - 1]:
            return Refusal(
                "refusal.only_blank", {"number": number, "extra": self.extra}, "rule.one_more"
            )
        if self.extra >= 0 and not text:
            return Refusal("refusal.still_blank", {"number": number}, "rule.one_more")
        return self._wrong(number, text) if text else None

    def _wrong(self, number: int, text: str) -> Refusal | None:
        """Return why *text* cannot be the answer to *number*."""
        if len(text) > self.longest:
            return Refusal("refusal.answer_long", {"got": len(text), "most": self.longest})
        if not is_writable(text):
            return Refusal("refusal.answer_strange")
        if not (form := normalise(text)):
            seen = any(character_category(each) in ("P", "Sk") for each in text)
            return Refusal("refusal.answer_empty" if seen else "refusal.answer_unseen")
        if forbidding := self.pack.forbidding(self.bans[number - 1], text, self.match):
            uses = "refusal.tag_word" if self.match == "word" else "refusal.tag_char"
            return Refusal(uses, {"tag": forbidding[0], "answer": text}, "rule.tag_words")
        same = [
            each
            for each in self.numbers
            if each != number and normalise(self.sheet[each - 1]) == form
        ]
        if not same:
            return None
        stands = {"number": same[0], "answer": self.sheet[same[0] - 1]}
        return Refusal("refusal.own_twice", stands, "rule.no_twice")

    def sample(self, rng: Random) -> Any:
        """Return a word for one of the lines, now and then "stop"."""
        for _ in range(WRITTEN):
            action = ("write", pick(rng, self.numbers), pick(rng, DOODLES))
            if random_below(rng, 6) and action in self:
                return action
        return "stop"
