"""Free input of Knit Wit: what a seat may draw, put down and write, which cannot be listed.

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
from coursekit.games.knitwit.rules.loop_design import (
    Design,
    default_pin,
    free_cells,
    is_on_table,
    loops_at,
    nth_point,
)
from coursekit.games.knitwit.rules.loop_proposals import CIRCLE, UNIT, oval, propose_loops
from coursekit.games.knitwit.rules.options import COMMITS
from coursekit.games.knitwit.rules.placement import (
    Fault,
    fault_of_loop,
    fault_of_spool,
    find_loops,
    find_spots,
    is_full,
    may_be_laid,
)
from coursekit.words.characters import is_visible
from coursekit.words.normalise import normalise
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

ABOUT_SPOOLS = ("on_spool", "many_spools", "taken", "same_words")
"""The faults that concern spools; others concern loops or nothing."""


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
        if wrong := _stroke_refusal(action):
            return wrong
        if not is_on_table(action[1]):  # before such points are straightened away
            return Refusal("refusal.loop.off_table")
        fault = fault_of_loop(self.design, *laid_loop(self.design, action))
        return fault and _fault_refusal("loop", fault, self.numbers, self.design)

    def sample(self, rng: Random) -> Any:
        """Return a loop as a hand draws it, an oval around a spool; else a proposal, or "full"."""
        for _ in range(DRAWN):
            stroke = scrawl_loop(self.design, rng)
            if is_on_table(stroke) and may_be_laid(self.design, outline(stroke)):
                return ("loop", stroke)
        proposal = next(find_loops(self.design), None)
        return ("loop", *proposal) if proposal else FULL

    def preview(self, action: Any) -> dict[str, Any] | None:
        """Return the loop and the pin that *action* would lay, ``None`` if it is no loop."""
        if _stroke_refusal(action):
            return None
        loop, pin = laid_loop(self.design, action)
        return {"points": [list(p) for p in loop], "pin": list(pin)} if len(loop) > 2 else None

    def suggestion(self, n: int, about: Any = None) -> tuple[Any, ...] | None:
        """Return the *n*-th legal proposal, around the spool numbered *about* if that is given."""
        design = self.design
        spools = design.spools
        if about in self.numbers:
            spools = (spools[self.numbers.index(about)],)
        legal = (loop for loop in self._by_turns(spools) if may_be_laid(design, loop))
        proposed = [(loop, default_pin(design, loop)) for loop in islice(legal, n % PROPOSED + 1)]
        if not proposed and about not in self.numbers:
            proposed = list(islice(find_loops(design), 1))
        return ("loop", *proposed[n % PROPOSED % len(proposed)]) if proposed else None

    def _by_turns(self, spools: tuple[Point, ...]) -> list[Loop]:
        """Return proposals around each of *spools* in turn, those in the fewest loops first."""
        loops = list(dict.fromkeys(propose_loops(self.design)))
        # Neighbours in the list look alike.
        loops = [loop for start in range(UNLIKE) for loop in loops[start::UNLIKE]]
        ordered = sorted(spools, key=lambda spool: len(loops_at(self.design, spool)))
        around = [[loop for loop in loops if contains(loop, spool) > 0] for spool in ordered]
        turns = zip_longest(*(around or [loops]))
        return [loop for turn in turns for loop in turn if loop is not None]


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
        if not _is_action(action, "spool", (4,)):
            return Refusal("refusal.not_a_spool", {"got": shorten(action)})
        for part in action[1:]:
            if type(part) is not int:
                return Refusal("refusal.not_whole", {"got": shorten(part)})
        if action[1] not in self.own:
            return Refusal("refusal.not_your_spool", {"got": shorten(action[1]), "own": self.own})
        fault = fault_of_spool(self.design, action[2:])
        return fault and _fault_refusal("spool", fault, self.numbers, self.design)

    def sample(self, rng: Random) -> tuple[Any, ...]:
        """Return one of the seat's spools and a place for it, each set of loops equally likely."""
        number = pick(rng, self.own)
        rooms = list(free_cells(self.design).values())
        for _ in range(PLACED):
            room = pick(rng, rooms)
            action = ("spool", number, *nth_point(room, random_below(rng, room.bit_count())))
            if action in self:
                return action
        return ("spool", number, *find_spots(self.design)[0])

    def preview(self, action: Any) -> dict[str, Any] | None:
        """Return where *action* puts its spool and in which loops, ``None`` if it is no spool."""
        if type(action) is not tuple or len(action) != 4 or not is_point(action[2:]):
            return None
        return {"at": list(action[2:]), "loops": list(loops_at(self.design, action[2:]))}

    def suggestion(self, n: int, about: Any = None) -> tuple[Any, ...] | None:
        """Return the *n*-th place, the roomiest first, for spool *about* or the seat's lowest."""
        spots = find_spots(self.design)
        number = about if about in self.own else min(self.own)
        return ("spool", number, *spots[n % len(spots)])


def _is_action(action: Any, name: str, sizes: tuple[int, ...]) -> bool:
    """Return whether *action* is a tuple of one of these *sizes* that begins with *name*."""
    if type(action) is not tuple or len(action) not in sizes:
        return False
    return type(action[0]) is str and action[0] == name


def _stroke_refusal(action: Any) -> Refusal | None:
    """Return why *action* is no ``("loop", stroke)`` or ``("loop", stroke, pin)``, or ``None``."""
    if not _is_action(action, "loop", (2, 3)):
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


def laid_loop(design: Design, action: tuple[Any, ...]) -> tuple[Loop, Point]:
    """Return the loop and the pin of *action*, by default :func:`.default_pin`."""
    loop = outline(action[1])
    return loop, action[2] if len(action) == 3 else default_pin(design, loop)


def scrawl_loop(design: Design, rng: Random) -> tuple[Point, ...]:
    """Return a shaky stroke around one of the spools.  It need not be legal."""
    x, y = pick(rng, design.spools or ((WIDTH // 2, HEIGHT // 2),))
    # Half of an oval is 16 to 60 long and 14 to 32 broad, never broader than long; each point
    # shakes by up to 2.
    way = pick(rng, CIRCLE)
    length = 16 + random_below(rng, 45)
    breadth = 14 + random_below(rng, min(length, 32) - 13)
    aside = random_below(rng, length - 8)
    centre = (x + aside * way[0] // UNIT, y + aside * way[1] // UNIT)
    stroke = []
    for u, v in oval(centre, length, breadth, way):
        shaken_u = u + random_below(rng, 5) - 2
        stroke.append((shaken_u, v + random_below(rng, 5) - 2))
    return tuple(stroke)


def _fault_refusal(what: str, fault: Fault, numbers: tuple[int, ...], design: Design) -> Refusal:
    """Return the refusal for *fault*, naming spools by their *numbers*."""
    values: dict[str, Any] = {}
    if fault.name == "small":
        values = {"least": SMALLEST}
    elif fault.name == "long_string":
        values = {"most": design.string}
    elif fault.name in ABOUT_SPOOLS:
        which = tuple([numbers[n] for n in fault.which])
        values = {"which": which, "about": which}  # the table lights them up
    elif fault.which:
        values = {"which": fault.which}
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
    """What one seat may write on its pad, ``("write", number, text)``, or ``"stop"``."""

    pack: Pack
    numbers: tuple[int, ...]  # of the spools in play
    answers: tuple[str, ...]  # on the pad, by line
    writes: tuple[int, ...]  # by line, how often it was written
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
        if not _is_action(action, "write", (3,)):
            return Refusal("refusal.not_an_answer", {"got": shorten(action)})
        _, number, text = action
        if type(number) is not int:
            return Refusal("refusal.not_whole", {"got": shorten(number)})
        if type(text) is not str:
            return Refusal("refusal.not_text", {"got": shorten(text)})
        refusal = self._line_refusal(number, text)
        return self._text_refusal(number, text) if text and not refusal else refusal

    def _line_refusal(self, number: int, text: str) -> Refusal | None:
        """Return why nothing, or not *text*, may be written for *number* now."""
        if number not in self.numbers:
            values = {"got": shorten(number), "numbers": self.numbers}
            return Refusal("refusal.no_line", values, "rule.lines")
        if self.writes[number - 1] >= COMMITS:
            return Refusal("refusal.line_full", {"number": number, "most": COMMITS})
        if self.extra >= 0 and self.answers[number - 1]:
            left = {"number": number, "extra": self.extra}
            return Refusal("refusal.only_blank", left, "rule.one_more")
        if self.extra >= 0 and not text:
            return Refusal("refusal.still_blank", {"number": number}, "rule.one_more")
        return None

    def _text_refusal(self, number: int, text: str) -> Refusal | None:
        """Return why *text* cannot be the answer to *number*."""
        if len(text) > self.longest:
            return Refusal("refusal.answer_long", {"got": len(text), "most": self.longest})
        if not is_writable(text):
            return Refusal("refusal.answer_strange")
        if not is_visible(text):
            return Refusal("refusal.answer_unseen")
        form = normalise(text)
        if not form:
            return Refusal("refusal.answer_empty")
        if forbidding := self.pack.forbidding(self.bans[number - 1], text, self.match):
            uses = "refusal.tag_word" if self.match == "word" else "refusal.tag_char"
            return Refusal(uses, {"tag": forbidding[0], "answer": text}, "rule.tag_words")
        for other in self.numbers:
            answer = self.answers[other - 1]
            if other != number and normalise(answer) == form:
                values = {"number": other, "answer": answer}
                return Refusal("refusal.own_twice", values, "rule.no_twice")
        return None

    def sample(self, rng: Random) -> Any:
        """Return a word for one of the lines, now and then "stop"."""
        for _ in range(WRITTEN):
            action = ("write", pick(rng, self.numbers), pick(rng, DOODLES))
            if random_below(rng, 6) and action in self:
                return action
        return "stop"
