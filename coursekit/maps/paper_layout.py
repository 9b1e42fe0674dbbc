"""How much room the cards and phrases of a map need, and where on paper they read best.

The unit is the height of the letters on a card. The paper has the shape of a desktop window; cards
are as large as the editor (``static/canvas.js``) and :mod:`~coursekit.maps.drawing` draw them.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from coursekit.maps.elements import SIDE, Concept, Relation
from coursekit.maps.line_breaks import words_size
from coursekit.maps.mindmap import MindMap

if TYPE_CHECKING:
    from numpy import ndarray

Array: TypeAlias = "ndarray[Any, Any]"
Places = dict[str, tuple[int, int]]

WINDOW = (54.0, 30.0)
"""Width and height of the smallest paper: what a window of 1280 x 720 pixels shows."""
GROWTH = 5.0
"""How many times as wide and high as the smallest one paper may be."""
LABEL_WIDTH = 8.4
"""Length of a line of a label."""
PICTURED_WIDTH = 6.2
"""Length of a line of a label beside a picture."""
PHRASE_WIDTH = 8.0
"""Length of a line of a phrase."""
PICTURE_WIDTH = 3.2
"""Width of the picture on a card and of the space beside it."""
SMALL = 0.94
"""Height of the letters of a phrase."""
APART = 0.7
"""Least space between two cards."""
ARROW = 1.8
"""Least visible line beside its phrase, for the head of the arrow."""
FAN = 2.2
"""Space between two lines between the same concepts."""
EFFORT = 12_000
"""Rounds in which each card tries other places, times the pairs of things to compare in each."""
SHORTLIST = 10
"""Least number of places for a card that are judged by their lines, too; or a quarter of all."""
SEED = 5


def card_size(concept: Concept) -> tuple[float, float]:
    """Return how wide and high the card of a concept is."""
    wide, lines = words_size(concept.label, PICTURED_WIDTH if concept.card else LABEL_WIDTH)
    if concept.card:
        return wide + 1.7 + PICTURE_WIDTH, max(1.28 * lines + 0.8, 3.6)
    return max(wide, 1.5) + 1.3, max(1.28 * lines + 0.8, 2.5)


def phrase_size(relation: Relation) -> tuple[float, float]:
    """Return how wide and high the slip with the phrase of a relation is."""
    wide, lines = words_size(relation.phrase or "?", PHRASE_WIDTH)
    return (wide + 0.8) * SMALL, (1.22 * lines + 0.36) * SMALL


class Boxes(NamedTuple):
    """Cards, and slips with phrases, in several arrangements: a row for each."""

    number: Array  # of each card, then of each line with its slip
    x: Array
    y: Array  # of their middles
    wide: Array
    high: Array  # halves

    def some(self, ways: Array) -> "Boxes":
        """Return these boxes in some of the arrangements."""
        return self._replace(x=self.x[ways], y=self.y[ways])

    def upon(self, others: "Boxes") -> Array:
        """Return how far these boxes overlap *others*, measured along the shorter way out."""
        import numpy as np

        lack = (self.wide[:, None] + others.wide + APART / 2) - np.abs(
            self.x[:, :, None] - others.x[:, None]
        )
        down = (self.high[:, None] + others.high + APART / 2) - np.abs(
            self.y[:, :, None] - others.y[:, None]
        )
        far: Array = np.maximum(np.minimum(lack, down, out=lack), 0, out=lack)
        return far


class Lines(NamedTuple):
    """Lines between cards in several arrangements: a row for each."""

    number: Array
    x: Array
    y: Array  # where they begin
    way_x: Array
    way_y: Array
    aside_x: Array
    aside_y: Array  # how far beside that they run
    middle: Array  # share of the way at which the slip stands
    stretch: Array  # cost of being too short for the phrase, too long, or leading upwards

    def some(self, ways: Array) -> "Lines":
        """Return these lines in some of the arrangements."""
        return Lines(self.number, *(values[ways] for values in self[1:]))

    def through(self, boxes: Boxes) -> Array:
        """Return which of these lines run through which *boxes*."""
        import numpy as np

        enter: Array | float = 0.0
        leave: Array | float = 1.0
        for start, way, middle, half in (
            (self.x + self.aside_x, self.way_x, boxes.x, boxes.wide),
            (self.y + self.aside_y, self.way_y, boxes.y, boxes.high),
        ):
            per = 1 / np.where(np.abs(way) > 1e-6, way, 1e-6)[:, :, None]
            along = (middle[:, None] - start[:, :, None]) * per
            within = (half + 0.25) * np.abs(per)
            enter = np.maximum(along - within, enter)
            leave = np.minimum(along + within, leave)
        through: Array = np.asarray(leave > enter)
        return through

    def cross(self, others: "Lines") -> Array:
        """Return which of these lines cross which *others*.

        Lines between the same cards count as if they were one.
        """
        away_x = others.x[:, None] - self.x[:, :, None]
        away_y = others.y[:, None] - self.y[:, :, None]
        way_x, way_y = self.way_x[:, :, None], self.way_y[:, :, None]
        on_x, on_y = others.way_x[:, None], others.way_y[:, None]
        turn = way_x * on_y - way_y * on_x
        mine = away_x * on_y - away_y * on_x
        theirs = away_x * way_y - away_y * way_x
        square = turn * turn
        on_mine: Array = (mine * turn > 0) & (mine * turn < square)
        on_theirs: Array = (theirs * turn > 0) & (theirs * turn < square)
        return on_mine & on_theirs


class Paper(NamedTuple):
    """The cards *ids* of a map and the lines between them."""

    ids: Sequence[str]
    cards: Array  # width and height of each card
    slips: Array  # of the phrase of each line
    ends: Array  # of each line: numbers of its cards
    fan: Array  # of each line: how far it stands beside the straight one
    size: Array  # width and height of the sheet
    hard: Array  # of each line and each card or slip: the cost if the line runs through it
    cross: Array  # of each two lines: the cost if they cross

    @classmethod
    def of(cls, mind_map: MindMap, ids: Collection[str] | None = None) -> "Paper":
        """Return paper for the concepts *ids* of *mind_map*, by default all.

        It is as large as :data:`WINDOW`, or larger if needed.
        """
        import numpy as np

        concepts = mind_map.concepts
        chosen = concepts if ids is None else ids
        number = {concept: place for place, concept in enumerate(chosen)}
        lines = [
            relation
            for relation in mind_map.relations.values()
            if relation.start in number and relation.end in number
        ]
        beside: dict[tuple[str, ...], list[int]] = {}
        for place, relation in enumerate(lines):
            pair = tuple(sorted((relation.start, relation.end)))
            beside.setdefault(pair, []).append(place)
        fan = np.zeros(len(lines))
        for pair, parallel in beside.items():
            for place, line in enumerate(parallel):
                away = FAN * (place - (len(parallel) - 1) / 2)
                fan[line] = away if lines[line].start == pair[0] else -away
        cards = np.array([card_size(concepts[concept]) for concept in number]).reshape(-1, 2)
        slips = np.array([phrase_size(relation) for relation in lines]).reshape(-1, 2)
        pairs = [(number[relation.start], number[relation.end]) for relation in lines]
        ends = np.array(pairs, int).reshape(-1, 2)
        needed = np.prod(cards + 1.2, 1).sum() + np.prod(slips + 0.5, 1).sum()
        window = np.array(WINDOW)
        grown = np.clip(np.sqrt(1.8 * needed / window.prod()), 1, GROWTH)
        hard = np.repeat([[10.0] * len(cards) + [3.0] * len(slips)], len(slips), 0)
        own = np.arange(len(slips))
        hard[own, ends[:, 0]] = hard[own, ends[:, 1]] = hard[own, own + len(cards)] = 0
        touching = (ends[:, None, :, None] == ends[:, None, :]).any((2, 3))
        return cls(
            list(number),
            cards,
            slips,
            ends,
            fan,
            window * grown,
            hard,
            np.where(touching, 0.0, 4.0),
        )

    def enlarge(self, places: Places) -> "Paper":
        """Return paper so large that cards at *places* do not overlap."""
        import numpy as np

        numbers = [number for number, concept in enumerate(self.ids) if concept in places]
        if len(numbers) < 2:
            return self
        at = np.array([places[self.ids[number]] for number in numbers]) / SIDE
        cards = self.cards[numbers]
        one, other = np.triu_indices(len(numbers), 1)
        far = np.maximum(np.abs(at[one] - at[other]), 1e-6)
        wanted = ((cards[one] + cards[other]) / 2 + APART) / far + 2 * self.edge
        times = np.max(np.min(wanted / self.size, 1))
        return self._replace(size=self.size * np.clip(times, 1, GROWTH * WINDOW[0] / self.size[0]))

    def stretch(self, at: Array) -> tuple[float, float]:
        """Return by how much to stretch *at* at least.

        The first number keeps cards apart, the second gives lines room for their phrases.
        """
        import numpy as np

        one, other = np.triu_indices(len(at), 1)
        room = (self.cards[one] + self.cards[other]) / 2 + 2 * APART
        by_cards = np.min(room / np.maximum(np.abs(at[one] - at[other]), 1e-6), 1)
        first, last = self.ends.T
        way = np.maximum(np.abs(at[last] - at[first]), 1e-6)
        hidden = np.min(self.cards[first] / 2 / way, 1) + np.min(self.cards[last] / 2 / way, 1)
        by_phrases = hidden + np.min(self.slips / way, 1) + 1.5 * ARROW / np.hypot(*way.T)
        for_cards = float(by_cards.max(initial=0))
        for_phrases = float(by_phrases.max(initial=0))
        return min(GROWTH, for_cards), min(GROWTH, for_phrases)

    def fan_out(self, at: Array) -> "Paper":
        """Return this paper with room for phrases between lines that join the same cards."""
        import numpy as np

        beside: dict[tuple[int, int], list[int]] = {}
        for line, (first, last) in enumerate(self.ends.tolist()):
            beside.setdefault((min(first, last), max(first, last)), []).append(line)
        fan = np.zeros(len(self.ends))
        for (low, high), parallel in beside.items():
            way = np.abs(at[high] - at[low])
            across = (self.slips[parallel] @ way[::-1]) / max(
                1e-6, float(np.hypot(*way))
            ) + APART / 2
            steps = np.maximum(FAN, (across[1:] + across[:-1]) / 2)
            away = np.concatenate([[0.0], np.cumsum(steps)])
            turn = np.where(self.ends[parallel, 0] == low, 1, -1)
            fan[parallel] = (away - away[-1] / 2) * turn
        return self._replace(fan=fan)

    @property
    def edge(self) -> Array:
        """Least distance of the middle of a card from the edge, so that nothing is cut off."""
        edge: Array = self.cards.max(0, initial=3.0) / 2 + 0.5
        return edge

    def points(self, places: Places) -> Array:
        """Return the middle of each card on the paper."""
        import numpy as np

        at = np.array([places[concept] for concept in self.ids], float).reshape(-1, 2)
        points: Array = self.edge + at / SIDE * (self.size - 2 * self.edge)
        return points

    def places(self, at: Array) -> Places:
        """Return the places of cards whose middles are *at*: the inverse of :meth:`points`."""
        import numpy as np

        shares = np.clip((at - self.edge) / (self.size - 2 * self.edge), 0, 1)
        return {
            concept: (round(SIDE * float(x)), round(SIDE * float(y)))
            for concept, (x, y) in zip(self.ids, shares)
        }

    def spread(self, at: Array) -> Array:
        """Return *at* stretched over the whole paper."""
        points: Array = self.edge + shares(at) * (self.size - 2 * self.edge)
        return points

    def push_apart(self, at: Array, pushes: int = 40) -> Array:
        """Return *at* with overlapping cards pushed apart, little by little."""
        import numpy as np

        at = at + np.arange(2 * len(at)).reshape(at.shape) * 1e-6  # no two at the same point
        room = (self.cards[:, None] + self.cards) / 2 + APART
        for _ in range(pushes):
            way = at[:, None] - at
            lack = np.maximum(room - np.abs(way), 0) * (1 - np.eye(len(at)))[..., None]
            lack *= (lack.min(2) > 0)[..., None]
            if not lack.any():
                break
            along = lack == lack.min(2)[..., None]  # the shorter way out
            at = np.clip(
                at + 0.35 * (np.sign(way) * lack * along).sum(1), self.edge, self.size - self.edge
            )
        return at

    # What makes a map hard to read

    def cost(self, at: Array, moved: int | None = None, few: int | None = None) -> Array:
        """Return for each arrangement in *at* how hard it is to read.

        It counts cards and phrases that overlap, lines that run through them, cross, are too short
        for their phrase or longer than needed, and a little lines that lead upwards.

        :param moved: the only card whose place differs; count only what it touches.
        :param few: judge lines only in the first arrangement and in the *few* best without them;
            others cost ``inf``.
        """
        import numpy as np

        every = np.arange(len(self.ends))
        cards = np.arange(len(self.cards))
        touching = np.ones(len(self.ends), bool) if moved is None else (self.ends == moved).any(1)
        x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        lines = self._lines(every[touching], x, y)
        others = self._lines(every[~touching], x[:1], y[:1])
        here = np.ones(len(cards), bool) if moved is None else cards == moved
        boxes = self._boxes(cards[here], lines, x, y)
        rest = self._boxes(cards[~here], others, x[:1], y[:1])  # the same in all arrangements

        near = boxes.upon(boxes) * (1 - np.eye(len(boxes.number)))
        total = lines.stretch.sum(1)
        for lack in (near, boxes.upon(rest)):
            lack = lack.reshape(len(at), -1)
            total += 8 * lack.sum(1) + 6 * (lack > 0).sum(1)
        left = np.arange(len(at))
        if few is not None and few < len(at):
            left = np.unique(np.append(np.argsort(total, kind="stable")[:few], 0))
            lines = lines.some(left)
            boxes = boxes.some(left)
            total = total[left]
        for some_lines, through in ((lines, boxes), (lines, rest), (others, boxes)):
            hard = self.hard[some_lines.number[:, None], through.number]
            total += np.einsum("wlb,lb->w", some_lines.through(through), hard)
        for some_lines in (lines, others):
            hard = self.cross[lines.number[:, None], some_lines.number]
            total += np.einsum("wlo,lo->w", lines.cross(some_lines), hard)
        cost = np.full(len(at), np.inf)
        cost[left] = total
        return cost

    def _lines(self, which: Array, x: Array, y: Array) -> Lines:
        """Return the lines numbered *which*, for each arrangement of all cards."""
        import numpy as np

        first, last = self.ends[which, 0], self.ends[which, 1]
        start_x, start_y = x[:, first], y[:, first]
        way_x, way_y = x[:, last] - start_x, y[:, last] - start_y
        long = np.maximum(np.hypot(way_x, way_y), 1e-3)
        steep_x, steep_y = np.maximum(np.abs(way_x), 1e-6), np.maximum(np.abs(way_y), 1e-6)

        def share(sizes: Array) -> Array:
            """Return how much of each line lies in a box with its middle upon it."""
            inside: Array = np.minimum(sizes[:, 0] / steep_x, sizes[:, 1] / steep_y)
            return inside

        from_card = np.minimum(share(self.cards[first]) / 2, 0.5)
        to_card = np.minimum(share(self.cards[last]) / 2, 0.5)
        seen = long * (1 - from_card - to_card)
        needed = share(self.slips[which]) * long + ARROW
        stretch = (
            3 * np.maximum(needed - seen, 0) + 0.12 * np.maximum(seen - needed, 0) - 0.03 * way_y
        )
        aside = self.fan[which] / long
        middle = (from_card + 1 - to_card) / 2
        return Lines(
            which, start_x, start_y, way_x, way_y, way_y * aside, -way_x * aside, middle, stretch
        )

    def _boxes(self, cards: Array, lines: Lines, x: Array, y: Array) -> Boxes:
        """Return some *cards*, and the slips on some *lines*."""
        import numpy as np

        sizes = np.concatenate([self.cards[cards], self.slips[lines.number]])
        return Boxes(
            np.concatenate([cards, lines.number + len(self.cards)]),
            np.concatenate([x[:, cards], lines.x + lines.middle * lines.way_x + lines.aside_x], 1),
            np.concatenate([y[:, cards], lines.y + lines.middle * lines.way_y + lines.aside_y], 1),
            sizes[:, 0] / 2,
            sizes[:, 1] / 2,
        )

    # Better places

    def best(
        self, at: Array, card: int, candidates: Array, room: tuple[float, float] = (0, 0)
    ) -> Array:
        """Return *at* with one *card* at the best of the *candidates*, of equal ones the first.

        :param room: how much wider and higher than the card the place should be free.
        """
        import numpy as np

        ways = np.repeat(at[None], len(candidates), 0)
        ways[:, card] = np.clip(candidates, self.edge, self.size - self.edge)
        cost = self.cost(ways, card, max(SHORTLIST, len(ways) // 4))
        if any(room):
            cards = self.cards.copy()
            cards[card] += room
            cost += self._replace(cards=cards).cost(ways, card)
        best: Array = ways[int(np.argmin(np.round(cost, 6)))]
        return best

    def improve(self, starts: Sequence[Array]) -> Array:
        """Return the best of what *starts* become by moving one card after the other."""
        import numpy as np

        rounds = min(8, EFFORT // ((len(self.ends) + 1) * (len(self.cards) + len(self.ends))))
        inside = [np.clip(at, self.edge, self.size - self.edge) for at in starts]
        inside.sort(key=self._cost)
        tried = [self._move_cards(at, min(rounds, 3), 0.0) for at in inside[:3]]
        return self._move_cards(min(tried, key=self._cost), rounds, 1.0)

    def _cost(self, at: Array) -> float:
        return round(float(self.cost(at[None])[0]), 6)

    def _move_cards(self, at: Array, rounds: int, fine: float) -> Array:
        import numpy as np

        chance = np.random.default_rng(SEED)
        for turn in range(rounds):
            near = self.size / 4 / (1 + turn + 2 * fine * turn)
            for card in chance.permutation(len(at)):
                around = at[card] + near * chance.uniform(-1, 1, (28, 2))
                anywhere = chance.uniform(self.edge, self.size - self.edge, (28, 2))
                at = self.best(at, card, np.concatenate([at[card][None], around, anywhere]))
        return at


def overlaps(some: Array, some_sizes: Array, others: Array, sizes: Array) -> Array:
    """Return how far *some* boxes overlap *others*, measured along the shorter way out."""
    import numpy as np

    room = (some_sizes[:, None] + sizes) / 2 + APART / 2
    lack = room - np.abs(some[:, :, None] - others[:, None])
    far: Array = np.maximum(np.minimum(lack[..., 0], lack[..., 1]), 0)
    return far


def shares(points: Array) -> Array:
    """Return each of *points* as shares between the lowest (0) and the highest (1).

    Where these are equal, the shares are 0.5.
    """
    import numpy as np

    low = points.min(0)
    far = np.ptp(points, 0)
    between: Array = np.where(far > 1e-9, (points - low) / np.maximum(far, 1e-9), 0.5)
    return between
