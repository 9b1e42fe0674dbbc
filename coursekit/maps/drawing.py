"""A drawing of a mind map as SVG, for a page or a report: it looks like the editor.

Here is where everything stands; ``templates/map.svg.j2`` says how it looks. Lengths are pixels, and
points are complex numbers: how far to the right, and how far down.
"""

import cmath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from coursekit.figures import Picture
from coursekit.files.html_templates import render
from coursekit.kit import GAMES, kit_of
from coursekit.kit.map_card import TONES, MapCard
from coursekit.maps.elements import Concept
from coursekit.maps.layout import layout
from coursekit.maps.line_breaks import break_lines, words_width
from coursekit.maps.map_statistics import EXAMPLE, Hierarchy, hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import map_cards
from coursekit.words.texts import text

TEMPLATE = Path(__file__).parent / "templates" / "map.svg.j2"
LETTERS = {"label": 16, "phrase": 15, "question": 24, "long question": 16}
"""Heights of letters."""
LINE = 1.28
"""Height of a line of text, in letters."""
LABEL, PICTURED, PHRASE, QUESTION = 8.4, 6.2, 8.0, 60
"""Width of a label, of one beside a picture, of a phrase and of a short question, in letters."""
PAD = 10
"""Space around words."""
ART = 48
"""Height of the picture on a card."""
LOW = 42
"""Width and height of a card, at least."""
LEAST = 600
"""Width of a picture, at least."""
KINDS = ("top", "card", "example", "other")
"""What a card can be, for the legend."""
SHADES = ("", "-mid", "-soft")
COLOURS = (
    ("#5f5447", "#a89a86", "#f0e8d8"),
    ("#1d478f", "#4f8fe0", "#cfe2fb"),
    ("#17603a", "#4fb06f", "#cfecd2"),
    ("#8f1f26", "#dd5a4c", "#fad9cf"),
    ("#6b4700", "#e3a51c", "#fcecb0"),
    ("#f6e6b4", "#7a58cf", "#e6c9a8"),
    ("#3c3d47", "#8f919d", "#d9dae1"),
)
"""The :data:`SHADES` of each of :data:`TONES`, as on the table."""
EVERYWHERE = {"paper": "#fffaee", "gold": "#f0b93a", "night": "#2a2152", "back": "#b9a9ec"}
"""Colours that every card shares."""
SCALES = (0.55, 0.7, 0.85, 1.0, 1.25, 1.5, 1.8)
"""A map is drawn on as little paper as it can be read on, so that its letters are large."""
CLOSE = 5
"""How many squares of each card may be hidden before a map is drawn on twice as much paper."""
BENDS = (0, 0.08, -0.08, 0.16, -0.16, 0.28, -0.28)
"""How far a line bends around cards, as a share of its length."""
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
"""Places of a phrase on its line, best first."""
SAMPLES = tuple(number / 24 for number in range(1, 24))
"""Shares of the way at which a line is looked at."""
FAN = 80
"""How far apart several lines between the same cards run, at most."""
SQUARE = 8
"""Side of the squares that say what lies where."""


class Art(NamedTuple):
    """The picture on a card; without shapes it is a band of the card's colour."""

    shapes: str  # SVG
    view_box: str
    width: float
    ground: str  # a colour


class Box(NamedTuple):
    """A card, or a slip of paper with a phrase."""

    at: complex  # its middle
    size: complex
    lines: list[str]
    what: str = ""  # of a card: one of KINDS
    art: Art | None = None

    def squares(self) -> Iterator[complex]:
        """Yield the squares of paper that it covers."""
        first = _square(self.at - self.size / 2)
        last = _square(self.at + self.size / 2)
        for column in range(int(first.real), int(last.real) + 1):
            for row in range(int(first.imag), int(last.imag) + 1):
                yield complex(column, row)


class Line(NamedTuple):
    """A curve from card to card, with the head of an arrow."""

    start: complex
    control: complex
    end: complex
    is_cross: bool = False

    def point(self, share: float) -> complex:
        """Return the point at a *share* of the way."""
        rest = 1 - share
        return rest**2 * self.start + 2 * rest * share * self.control + share**2 * self.end

    def squares(self) -> list[complex]:
        """Return the squares of paper on its way."""
        return [_square(self.point(share)) for share in SAMPLES]

    @property
    def head(self) -> list[complex]:
        """The corners of the arrow."""
        back = cmath.rect(11, cmath.phase(self.control - self.end))
        return [self.end, self.end + back * (1 + 0.5j), self.end + back * (1 - 0.5j)]


class Drawing(NamedTuple):
    """Where everything of a map stands."""

    cards: list[Box]
    lines: list[Line]
    slips: list[Box]
    hidden: int  # how many squares of cards and phrases something lies upon
    scale: float = 1.0


def draw_map(mind_map: MindMap, language: str, titled: bool = True) -> Picture:
    """Return a picture of *mind_map*, described by its focus question and its propositions.

    :param titled: whether the focus question stands above.
    """
    stop = "." if language == "en" else "。"
    sentences = [sentence + stop for sentence in mind_map.sentences.values()]
    if mind_map.focus:
        sentences.insert(0, mind_map.focus)
    alt = " ".join(sentences) or text("map.empty", language)
    svg = _svg(_fit(mind_map, language), mind_map.focus if titled else "", alt, language)
    return Picture(lambda: svg, alt, language=language)


def _svg(drawing: Drawing, focus: str, alt: str, language: str) -> bytes:
    points = [line.point(share) for line in drawing.lines for share in SAMPLES]
    for box in [*drawing.cards, *drawing.slips] or [Box(0j, 0j, [])]:
        points += (box.at - box.size / 2, box.at + box.size / 2)
    across = sorted(point.real for point in points)
    down = sorted(point.imag for point in points)
    letters = LETTERS["question" if words_width(focus) < QUESTION else "long question"]
    width = max(across[-1] - across[0] + 4 * PAD, LEAST)
    title = []
    for words in focus.splitlines():
        title += break_lines(words, 0.9 * width / letters)
    svg = render(
        TEMPLATE,
        drawing=drawing,
        left=(across[0] + across[-1] - width) / 2,
        top=down[0] - 2 * PAD,
        width=width,
        bottom=down[-1] + 2 * PAD,
        title=title,
        title_letters=letters,
        legend=_legend(drawing, width, language),
        alt=alt,
        language=language,
        letters=LETTERS,
        line_height=LINE,
        art=ART,
    )
    return svg.strip().encode()


def _legend(drawing: Drawing, width: float, language: str) -> list[tuple[str, str, float, int]]:
    """Return what the legend explains: the sign, its words, how far to the right, in which row."""
    present = {card.what for card in drawing.cards}
    # Where nothing but other concepts stands beside the top, these need no word.
    kinds = KINDS if present & {"card", "example"} else KINDS[:1]
    signs = [what for what in kinds if what in present and len(drawing.cards) > 1]
    if any(line.is_cross for line in drawing.lines):
        signs.append("cross")
    legend = []
    left = 2.0 * PAD
    row = 0
    for sign in signs:
        words = text(f"map.legend.{sign}", language)
        wide = 6 * PAD + LETTERS["phrase"] * words_width(words)
        if left + wide > width and legend:
            left = 2.0 * PAD
            row += 1
        legend.append((sign, words, left, row))
        left += wide
    return legend


# Where everything stands


def _fit(mind_map: MindMap, language: str) -> Drawing:
    """Return the drawing of *mind_map* on the least paper on which everything can be read."""
    tree = hierarchy(mind_map)
    cards = {
        concept_id: _card(concept, concept_id == tree.top, language)
        for concept_id, concept in mind_map.concepts.items()
    }
    places = layout(mind_map, {key: card.size for key, card in cards.items()})
    drawings = []
    for scale in SCALES:
        at_places = {key: card._replace(at=places[key] * scale) for key, card in cards.items()}
        drawings.append(_draw(mind_map, tree, at_places)._replace(scale=scale))
        if not drawings[-1].hidden:
            break
    return min(drawings, key=lambda drawing: drawing.hidden + CLOSE * len(cards) * drawing.scale)


def _draw(mind_map: MindMap, tree: Hierarchy, cards: Mapping[str, Box]) -> Drawing:
    """Return the drawing with *cards* where they stand: lines go round them, phrases beside."""
    solid = Counter(square for card in cards.values() for square in card.squares())
    hidden = solid.total() - len(solid)
    slips = {}
    between: dict[tuple[str, ...], list[str]] = {}
    for relation_id, relation in mind_map.relations.items():
        words = break_lines(relation.phrase, PHRASE)
        size = _words_size(words, LETTERS["phrase"]) + complex(PAD, 4)
        slips[relation_id] = Box(0j, size, words)
        between.setdefault(tuple(sorted((relation.start, relation.end))), []).append(relation_id)
    lines = {}
    ink = Counter[complex]()
    for ends, parallel in between.items():
        start, end = (cards[concept_id] for concept_id in ends)
        sizes = [slips[relation_id].size for relation_id in parallel]
        for number, relation_id in enumerate(parallel):
            aside = _fan(end.at - start.at, sizes) * (number - (len(parallel) - 1) / 2)
            line, crossed = _line(start, end, aside, solid)
            if mind_map.relations[relation_id].start != ends[0]:
                line = Line(line.end, line.control, line.start)
            lines[relation_id] = line._replace(is_cross=relation_id in tree.cross_links)
            ink.update(line.squares())
            hidden += crossed
    for line in lines.values():  # no phrase lies upon the head of an arrow
        solid.update(map(_square, line.head))
    for relation_id, line in lines.items():
        if mind_map.relations[relation_id].phrase:
            options = [slips[relation_id]._replace(at=line.point(share)) for share in ALONG]
            slip = min(options, key=lambda box: (_upon(box, solid), _upon(box, ink)))
            hidden += _upon(slip, solid)
            solid.update(slip.squares())
            slips[relation_id] = slip
    shown = [slip for slip in slips.values() if slip.lines[0]]
    return Drawing(list(cards.values()), list(lines.values()), shown, hidden)


def _fan(way: complex, sizes: list[complex]) -> float:
    """Return how far apart lines of this *way* run, so that phrases of these *sizes* have room."""
    room = max(abs(way.imag) * size.real + abs(way.real) * size.imag for size in sizes)
    return min(FAN, room / (abs(way) or 1) + 4)


def _square(point: complex) -> complex:
    return complex(round(point.real / SQUARE), round(point.imag / SQUARE))


def _upon(box: Box, taken: Mapping[complex, int]) -> int:
    """Return how much of what is *taken* lies below *box*."""
    return sum(taken[square] for square in box.squares())


def _line(start: Box, end: Box, aside: float, solid: Mapping[complex, int]) -> tuple[Line, int]:
    """Return the line between two cards that others hide least, and how much they do.

    :param aside: how far beside the straight line it runs, for one of several.
    """
    way = end.at - start.at or 1j
    own = {*start.squares(), *end.squares()}
    options = []
    for bend in (0,) if aside else BENDS:
        control = (start.at + end.at) / 2 + 2j * way * (bend + aside / abs(way))
        line = Line(_edge(start, control), control, _edge(end, control))
        crossed = sum(solid[square] for square in line.squares() if square not in own)
        options.append((line, crossed))
    return min(options, key=lambda option: option[1])


def _edge(box: Box, point: complex) -> complex:
    """Return where the way from the middle of *box* to *point* leaves it."""
    way = point - box.at
    across = box.size.real / 2 / max(abs(way.real), 1e-9)
    down = box.size.imag / 2 / max(abs(way.imag), 1e-9)
    return box.at + way * min(across, down, 1)


def _words_size(lines: list[str], letters: int) -> complex:
    wide = max(map(words_width, lines))
    return letters * complex(wide, LINE * len(lines))


# Cards


def _card(concept: Concept, is_top: bool, language: str) -> Box:
    """Return the card of a concept, without its place."""
    game = concept.card.partition("/")[0]
    card = _cards(game, language).get(concept.card)
    art = _art(game, card.symbol, card.tone or 0) if card else None
    lines = break_lines(concept.label, PICTURED if art and art.shapes else LABEL)
    size = _words_size(lines, LETTERS["label"]) + complex(2 * PAD, PAD)
    if art:
        size = complex(size.real + art.width + PAD / 2, max(size.imag, ART + PAD))
    what = "other"
    if is_top:
        what = "top"
    elif concept.card:
        what = "card"
    elif concept.kind == EXAMPLE:
        what = "example"
    return Box(0j, complex(max(size.real, LOW), max(size.imag, LOW)), lines, what, art)


@lru_cache
def _cards(game: str, language: str) -> Mapping[str, MapCard]:
    return {card.card: card for card in map_cards(game, language)}


@lru_cache(512)
def _art(game: str, symbol: str, tone: int) -> Art:
    """Return the picture *symbol* of *game* in the colours of *tone*, or a band of its colour."""
    colours = dict(EVERYWHERE)
    for name, shades in zip(TONES, COLOURS):
        colours |= {f"ck-{name}{shade}": colour for shade, colour in zip(SHADES, shades)}
    colours |= zip(("ink", "mid", "soft"), COLOURS[tone])
    view_box, shapes = _symbols(game).get(symbol, ("", ""))
    if not shapes:
        return Art("", "", 5, colours["mid"])
    _, _, wide, high = map(float, view_box.split())

    def colour(variable: re.Match[str]) -> str:
        return colours.get(variable[1]) or variable[2] or "none"

    shapes = re.sub(r"var\(--([\w-]+)(?:, *([^)]+))?\)", colour, shapes)
    return Art(shapes, view_box, ART * wide / high, colours["soft"])


@lru_cache
def _symbols(game: str) -> Mapping[str, tuple[str, str]]:
    """Return the view box and the shapes of each drawing of *game*."""
    symbols = {}
    for start, shapes in re.findall(
        r"<symbol ([^>]*)>(.*?)</symbol>", kit_of(game).drawings(), re.S
    ):
        named = dict(re.findall(r'(\w+)="([^"]*)"', start))
        symbols[named["id"]] = (named["viewBox"], shapes)
    return symbols
