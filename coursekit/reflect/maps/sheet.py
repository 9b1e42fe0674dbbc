"""How much room the cards and phrases of a map need, and where on a sheet of paper they are best read.

Everything is measured in letters: 1 is the height of the letters on a card.  A sheet has the form of a window on a
desk; cards are as large as the editor (``static/canvas.js``) and :mod:`~coursekit.reflect.maps.draw` draw them.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.maps.parts import SIDE, Concept, Relation
from coursekit.reflect.maps.words import space

if TYPE_CHECKING:
    from numpy import ndarray

Array: TypeAlias = "ndarray[Any, Any]"
Places = dict[str, tuple[int, int]]

WINDOW = (54.0, 30.0)
"""The smallest sheet: as much as a window of 1280 x 720 pixels shows."""
LARGEST = 5.0
"""A sheet is at most so many times as wide and as high."""
LINES, PICTURED, PHRASED = 8.4, 6.2, 8.0
"""How long a line of a label, of one beside a picture and of a phrase is."""
PICTURE = 3.2
"""Width of a picture of a card with the space beside it."""
SMALL = 0.94
"""Letters of a phrase."""
APART, HEAD = 0.7, 1.8
"""Least space between two cards, and of a line beside its phrase: for the head of the arrow."""
FAN = 2.2
"""Space between two lines that join the same concepts."""
EFFORT = 12_000
"""Each card of a map is moved so often to find a better place for it, divided by how much there is to look at."""
SEED = 1


def card_size(each: Concept) -> tuple[float, float]:
    """Return how wide and high the card of a concept is."""
    wide, lines = space(each.label, PICTURED if each.card else LINES)
    if each.card:
        return wide + 1.7 + PICTURE, max(1.28 * lines + 0.8, 3.6)
    return max(wide, 1.5) + 1.3, max(1.28 * lines + 0.8, 2.5)


def phrase_size(each: Relation) -> tuple[float, float]:
    """Return how wide and high the slip with the phrase of a relation is."""
    wide, lines = space(each.phrase or "?", PHRASED)
    return (wide + 0.8) * SMALL, (1.22 * lines + 0.36) * SMALL


class Sheet(NamedTuple):
    """The cards *ids* of a map and the lines between them."""

    ids: Sequence[str]
    cards: Array  # width and height of each card
    slips: Array  # of the phrase of each line
    ends: Array  # of each line: numbers of its cards
    fan: Array  # of each line: how far it stands beside the straight one
    size: Array  # width and height of the sheet

    @classmethod
    def of(cls, map: MindMap, ids: Collection[str] | None = None) -> "Sheet":
        """Return a sheet for the concepts *ids* of *map*, all by default: :data:`WINDOW`, or larger if needed."""
        import numpy as np

        concepts = map.concepts
        number = {id: place for place, id in enumerate(concepts if ids is None else ids)}
        lines = [each for each in map.relations.values() if each.start in number and each.end in number]
        beside: dict[tuple[str, ...], list[int]] = {}
        for place, each in enumerate(lines):
            beside.setdefault(tuple(sorted((each.start, each.end))), []).append(place)
        fan = np.zeros(len(lines))
        for pair, found in beside.items():
            for place, line in enumerate(found):
                away = FAN * (place - (len(found) - 1) / 2)
                fan[line] = away if lines[line].start == pair[0] else -away
        cards = np.array([card_size(concepts[id]) for id in number]).reshape(-1, 2)
        slips = np.array([phrase_size(each) for each in lines]).reshape(-1, 2)
        ends = np.array([(number[each.start], number[each.end]) for each in lines], int).reshape(-1, 2)
        needed = np.prod(cards + 1.2, 1).sum() + np.prod(slips + 0.5, 1).sum()
        window = np.array(WINDOW)
        grown = np.clip(np.sqrt(1.8 * needed / window.prod()), 1, LARGEST)
        return cls(list(number), cards, slips, ends, fan, window * grown)

    def grown(self, places: Places) -> "Sheet":
        """Return a sheet so large that no card lies on another if they stand at *places*."""
        import numpy as np

        there = [(number, places[id]) for number, id in enumerate(self.ids) if id in places]
        if len(there) < 2:
            return self
        at, cards = np.array([place for _, place in there]) / SIDE, self.cards[[number for number, _ in there]]
        one, other = np.triu_indices(len(there), 1)
        far = np.maximum(np.abs(at[one] - at[other]), 1e-6)
        wanted = ((cards[one] + cards[other]) / 2 + APART) / far + 2 * self.edge
        times = np.max(np.min(wanted / self.size, 1))
        return self._replace(size=self.size * np.clip(times, 1, LARGEST * WINDOW[0] / self.size[0]))

    @property
    def edge(self) -> Array:
        """How near to the edge of the sheet the middle of a card may come: nothing is cut off."""
        edge: Array = self.cards.max(0, initial=3.0) / 2 + 0.5
        return edge

    def points(self, places: Places) -> Array:
        """Return where on the sheet the middle of each card stands."""
        import numpy as np

        at = np.array([places[id] for id in self.ids], float).reshape(-1, 2)
        points: Array = self.edge + at / SIDE * (self.size - 2 * self.edge)
        return points

    def places(self, at: Array) -> Places:
        """Return the places of cards whose middles stand *at* these points; the other way round of :meth:`points`."""
        import numpy as np

        shares = np.clip((at - self.edge) / (self.size - 2 * self.edge), 0, 1)
        return {id: (round(SIDE * float(x)), round(SIDE * float(y))) for id, (x, y) in zip(self.ids, shares)}

    def spread(self, at: Array) -> Array:
        """Return *at* stretched over the whole sheet."""
        import numpy as np

        low, high = at.min(0), at.max(0)
        share = np.where(high - low > 1e-9, (at - low) / np.maximum(high - low, 1e-9), 0.5)
        points: Array = self.edge + share * (self.size - 2 * self.edge)
        return points

    def apart(self, at: Array, pushes: int = 40) -> Array:
        """Return *at* with cards that lie on each other pushed apart a little, again and again."""
        import numpy as np

        at = at + np.arange(2 * len(at)).reshape(at.shape) * 1e-6  # none exactly upon another
        room = (self.cards[:, None] + self.cards) / 2 + APART
        for _ in range(pushes):
            way = at[:, None] - at
            lack = np.maximum(room - np.abs(way), 0) * (1 - np.eye(len(at)))[..., None]
            lack *= (lack.min(2) > 0)[..., None]
            if not lack.any():
                break
            along = lack == lack.min(2)[..., None]  # the shorter way out
            at = np.clip(at + 0.35 * (np.sign(way) * lack * along).sum(1), self.edge, self.size - self.edge)
        return at

    # What makes a map hard to read

    def cost(self, at: Array, moved: int | None = None) -> Array:
        """Return for each of several ways *at* to place the cards how hard it is to read: for cards and phrases that
        lie on each other, lines through them, lines that cross or are too short for their phrase, long ones, and
        a little for those that lead upwards.

        :param moved: count only what has to do with this card, the only one whose place differs.
        """
        import numpy as np

        some = np.arange(len(self.cards)) if moved is None else np.array([moved])
        touching = np.ones(len(self.ends), bool) if moved is None else (self.ends == moved).any(1)
        mine, rest = np.flatnonzero(touching), np.flatnonzero(~touching)
        start, end = at[:, self.ends[:, 0]], at[:, self.ends[:, 1]]
        way = end - start
        long = np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-3)
        steep = np.maximum(np.abs(way), 1e-6)
        first, last = (np.minimum(_least(self.cards[self.ends[:, side]] / 2 / steep), 0.5) for side in (0, 1))
        across = np.stack([way[..., 1], -way[..., 0]], -1) / long[..., None]
        aside = across * self.fan[:, None]
        slips = start + way * ((first + 1 - last) / 2)[..., None] + aside
        seen = long * (1 - first - last)
        needed = _least(self.slips / steep) * long + HEAD

        boxes, sizes = np.concatenate([at, slips], 1), np.concatenate([self.cards, self.slips])
        ours = np.concatenate([some, len(self.cards) + mine])
        lack = on_each_other(boxes[:, ours], sizes[ours], boxes, sizes)
        lack[:, np.arange(len(ours)), ours] = 0
        total = 8 * lack.sum((1, 2)) + 6 * (lack > 0).sum((1, 2))
        total += (3 * np.maximum(needed - seen, 0) + 0.12 * np.maximum(seen - needed, 0) - 0.03 * way[..., 1])[
            :, mine
        ].sum(1)
        total += self._run_through(start + aside, way, mine, boxes, sizes, np.arange(len(sizes))).sum((1, 2))
        if len(rest):
            total += self._run_through(start + aside, way, rest, boxes, sizes, ours).sum((1, 2))
        total += 4 * self._crossings(start, end, mine)
        cost: Array = total
        return cost

    def _run_through(self, start: Array, way: Array, lines: Array, boxes: Array, sizes: Array, which: Array) -> Array:
        """Return how hard to read it is that *lines* run through the boxes *which*, not counting their own."""
        import numpy as np

        middle = boxes[:, None, which] - start[:, lines, None]
        along = np.where(np.abs(way) > 1e-6, way, 1e-6)[:, lines, None]
        one, other = (middle - sizes[which] / 2 - 0.25) / along, (middle + sizes[which] / 2 + 0.25) / along
        inside = np.minimum(_least(np.maximum(one, other)), 1) - np.maximum(-_least(-np.minimum(one, other)), 0)
        own = (self.ends[lines][:, :, None] == which).any(1) | (lines[:, None] + len(self.cards) == which)
        weight = np.where(which < len(self.cards), 10.0, 3.0)
        hard: Array = (inside > 0) * ~own * weight
        return hard

    def _crossings(self, start: Array, end: Array, lines: Array) -> Array:
        """Return how often *lines* cross any others."""
        a, b, c, d = start[:, lines, None], end[:, lines, None], start[:, None], end[:, None]
        cross = (_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)
        apart = ~(self.ends[lines][:, None, :, None] == self.ends[None, :, None, :]).any((2, 3))
        total: Array = (cross & apart).sum((1, 2)) * 1.0
        return total

    # Better places

    def best(self, at: Array, card: int, candidates: Array) -> Array:
        """Return *at* with one *card* where of all *candidates* it is best read, of equal ones at the first."""
        import numpy as np

        ways = np.repeat(at[None], len(candidates), 0)
        ways[:, card] = np.clip(candidates, self.edge, self.size - self.edge)
        found: Array = ways[int(np.argmin(np.round(self.cost(ways, card), 6)))]
        return found

    def polished(self, starts: Sequence[Array]) -> Array:
        """Return the best places that are found from any of *starts*, by moving one card after the other."""
        import numpy as np

        rounds = min(8, EFFORT // ((len(self.ends) + 1) * (len(self.cards) + len(self.ends))))
        begun = sorted((np.clip(at, self.edge, self.size - self.edge) for at in starts), key=self._cost)
        found = sorted((self._moved(at, rounds, 0.0) for at in begun[:3]), key=self._cost)
        return self._moved(found[0], rounds, 1.0)

    def _cost(self, at: Array) -> float:
        return round(float(self.cost(at[None])[0]), 6)

    def _moved(self, at: Array, rounds: int, fine: float) -> Array:
        import numpy as np

        chance = np.random.default_rng(SEED)
        for turn in range(rounds):
            near = self.size / 4 / (1 + turn + 2 * fine * turn)
            for card in chance.permutation(len(at)):
                around = at[card] + near * chance.uniform(-1, 1, (28, 2))
                anywhere = chance.uniform(self.edge, self.size - self.edge, (28, 2))
                at = self.best(at, card, np.concatenate([at[card][None], around, anywhere]))
        return at


def on_each_other(some: Array, some_sizes: Array, others: Array, sizes: Array) -> Array:
    """Return how far *some* boxes lie on *others*, the shorter way out."""
    import numpy as np

    room = (some_sizes[:, None] + sizes) / 2 + APART / 2
    lack: Array = np.maximum(_least(room - np.abs(some[:, :, None] - others[:, None])), 0)
    return lack


def _least(pairs: Array) -> Array:
    """Return the smaller number of each pair at the end of *pairs*; numpy's own ``min`` is slow for so few."""
    import numpy as np

    found: Array = np.minimum(pairs[..., 0], pairs[..., 1])
    return found


def _side(a: Array, b: Array, c: Array) -> Array:
    """Return on which side of the line from *a* to *b* the point *c* lies."""
    found: Array = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return found
