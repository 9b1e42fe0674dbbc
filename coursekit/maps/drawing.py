"""A drawing of a mind map as SVG, for a page or a report: it looks like the editor.

Here is where everything stands; ``templates/map.svg.j2`` says how it looks. Lengths are pixels, and
points are complex numbers: how far to the right, and how far down.
"""

import cmath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from coursekit.figures import Picture
from coursekit.files.html_templates import bind_texts, render
from coursekit.kit import kit_of
from coursekit.kit.map_card import TONES, MapCard
from coursekit.maps.elements import Concept
from coursekit.maps.layout import layout
from coursekit.maps.line_breaks import break_lines, words_width
from coursekit.maps.map_statistics import EXAMPLE, hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import map_cards
from coursekit.words.language import current_language
from coursekit.words.texts import text

TEMPLATE = Path(__file__).parent / "templates" / "map.svg.j2"
LETTERS = 16
"""Height of letters."""
LINE = 1.28
"""Height of a line of text, in letters."""
QUESTION = 36
"""Letters of a short question."""
LABEL, PHRASE = 9.5, 8.0
"""Width of a line of a label and of a phrase, in letters."""
CARD_PAD, SLIP_PAD, EDGE = 24 + 18j, 10 + 4j, 20
"""Space around the words of a card and of a phrase, and around a map."""
ART = 54
"""Height of the picture on a card."""
LEAST = 600
"""Width of a picture, at least."""
COLOURS = (
    ("#5f5447", "#a89a86", "#f0e8d8"),
    ("#1d478f", "#4f8fe0", "#cfe2fb"),
    ("#17603a", "#4fb06f", "#cfecd2"),
    ("#8f1f26", "#dd5a4c", "#fad9cf"),
    ("#6b4700", "#e3a51c", "#fcecb0"),
    ("#f6e6b4", "#7a58cf", "#e6c9a8"),
    ("#3c3d47", "#8f919d", "#d9dae1"),
)
"""Ink, middle and soft shade of each of :data:`TONES`, as on the table."""
EVERYWHERE = {"paper": "#fffaee", "gold": "#f0b93a", "night": "#2a2152", "back": "#b9a9ec"}
"""Colours that every card shares."""
SCALES = (0.55, 0.7, 0.85, 1.0, 1.25, 1.5, 1.8)
"""A map is drawn on as little paper as it can be read on, so that its letters are large."""
CLOSE = 4
"""How many squares of each card may be hidden before a map is drawn on twice as much paper."""
BENDS = (0, 0.08, -0.08, 0.16, -0.16, 0.28, -0.28)
"""How far a line bends around cards, as a share of its length."""
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
"""Places of a phrase on its line, best first."""
FAN = 110
"""How far apart several lines between the same cards run, at most."""
SQUARE = 8
"""Side of the squares that say what lies where."""
MUCH = 100
"""How much worse it is to hide a card or a phrase than a line."""


class Art(NamedTuple):
    """The picture on a card."""

    shapes: str  # as SVG
    view_box: str
    width: float
    ground: str  # a colour


class Box(NamedTuple):
    """A card, or a slip of paper with a phrase."""

    at: complex  # its middle
    size: complex
    lines: list[str]
    look: str = ""  # of a card: "top", "card", "example" or "other"
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

    def squares(self) -> Iterator[complex]:
        """Yield squares of paper on its way."""
        for number in range(1, 24):
            yield _square(self.point(number / 24))

    def point(self, share: float) -> complex:
        """Return the point at a *share* of the way."""
        rest = 1 - share
        return rest**2 * self.start + 2 * rest * share * self.control + share**2 * self.end

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
    taken: Counter[complex]  # by square, how much lies there
    cost: float  # of what is hidden, and of the paper


def draw_map(mind_map: MindMap, language: str | None = None, titled: bool = True) -> Picture:
    """Return a picture of *mind_map*, described by its focus question and its propositions.

    :param titled: whether the focus question stands above.
    """
    language = language or current_language()
    stop = "." if language == "en" else "。"
    sentences = [sentence + stop for sentence in mind_map.sentences.values()]
    if mind_map.focus:
        sentences.insert(0, mind_map.focus)
    alt = " ".join(sentences) or text("map.empty", language)
    svg = _svg(_draw_best(mind_map, language), mind_map.focus if titled else "", alt, language)
    return Picture(lambda: svg, alt, language=language)


def _svg(drawing: Drawing, focus: str, alt: str, language: str) -> bytes:
    squares = drawing.taken or [0j]
    across = [SQUARE * square.real for square in squares]
    down = [SQUARE * square.imag for square in squares]
    width = max(max(across) - min(across) + 2 * EDGE, LEAST)
    # As large as it has room in a line, but not too large, and never smaller than the rest.
    title_letters = max(LETTERS, 0.9 * width / max(QUESTION, words_width(focus)))
    title = []
    for words in focus.splitlines():
        title += break_lines(words, 0.9 * width / title_letters)
    svg = render(
        TEMPLATE,
        drawing=drawing,
        left=(min(across) + max(across) - width) / 2,
        width=width,
        top=min(down) - EDGE,
        bottom=max(down) + EDGE,
        title=title,
        title_letters=title_letters,
        letters=LETTERS,
        line_height=LINE,
        art_height=ART,
        alt=alt,
        language=language,
        say=bind_texts(language, "map.legend."),
        words_width=words_width,
    )
    return svg.strip().encode()


def _draw_best(mind_map: MindMap, language: str) -> Drawing:
    """Return the drawing of *mind_map* on the least paper on which everything can be read."""
    tree = hierarchy(mind_map)
    cards = {
        concept_id: _card(concept, concept_id == tree.top, language)
        for concept_id, concept in mind_map.concepts.items()
    }
    places = layout(mind_map, {concept_id: card.size for concept_id, card in cards.items()})
    drawings = []
    for scale in SCALES:
        for concept_id, place in places.items():
            cards[concept_id] = cards[concept_id]._replace(at=place * scale)
        drawing = _draw(mind_map, tree.cross_links, cards)
        drawings.append(drawing._replace(cost=drawing.cost + CLOSE * MUCH * len(cards) * scale))
    return min(drawings, key=lambda drawing: drawing.cost)


def _draw(mind_map: MindMap, cross_links: Collection[str], cards: Mapping[str, Box]) -> Drawing:
    """Return the drawing with *cards* where they stand: lines go round them, phrases beside."""
    taken = Counter[complex]()
    # No card lies upon another, if there is a way.
    cost = MUCH * sum(_cover(card.squares(), taken) for card in cards.values())
    slips = {}
    between: dict[tuple[str, ...], list[str]] = {}
    for relation_id, relation in mind_map.relations.items():
        slips[relation_id] = _box(relation.phrase, PHRASE, SLIP_PAD)
        between.setdefault(tuple(sorted((relation.start, relation.end))), []).append(relation_id)
    lines = {}
    for ends, parallel in between.items():
        start, end = (cards[concept_id] for concept_id in ends)
        way = end.at - start.at
        # So far apart that their phrases have room.
        sizes = [slips[relation_id].size for relation_id in parallel]
        room = max(abs(way.imag) * size.real + abs(way.real) * size.imag for size in sizes)
        fan = min(FAN, room / (abs(way) or 1) + 4)
        for number, relation_id in enumerate(parallel):
            aside = fan * (number - (len(parallel) - 1) / 2)
            line, crossed = _line(start, end, aside, taken)
            cost += crossed
            if mind_map.relations[relation_id].start != ends[0]:
                line = Line(line.end, line.control, line.start)
            lines[relation_id] = line._replace(is_cross=relation_id in cross_links)
    for line in lines.values():
        taken.update(line.squares())
        _cover(map(_square, line.head), taken)
    shown = []
    for relation_id, line in lines.items():
        if slips[relation_id].lines[0]:
            options = [slips[relation_id]._replace(at=line.point(share)) for share in ALONG]
            slip = min(options, key=lambda box: sum(taken[square] for square in box.squares()))
            cost += _cover(slip.squares(), taken)
            shown.append(slip)
    return Drawing(list(cards.values()), list(lines.values()), shown, taken, cost)


def _square(point: complex) -> complex:
    return complex(round(point.real / SQUARE), round(point.imag / SQUARE))


def _cover(squares: Iterable[complex], taken: Counter[complex]) -> int:
    """Put something on *squares* that nothing should hide, and return what it hides itself."""
    hidden = 0
    for square in squares:
        hidden += taken[square]
        taken[square] += MUCH
    return hidden


def _line(start: Box, end: Box, aside: float, taken: Counter[complex]) -> tuple[Line, int]:
    """Return the line between two cards that others hide least, and how much they do.

    :param aside: how far beside the straight line it runs, for one of several.
    """
    way = end.at - start.at or 1j
    own = {*start.squares(), *end.squares()}
    options = []
    for bend in (0,) if aside else BENDS:
        control = (start.at + end.at) / 2 + 2j * way * (bend + aside / abs(way))
        line = Line(_edge(start, control), control, _edge(end, control))
        crossed = sum(taken[square] for square in line.squares() if square not in own)
        options.append((line, crossed))
    return min(options, key=lambda option: option[1])


def _edge(box: Box, point: complex) -> complex:
    """Return where the way from the middle of *box* to *point* leaves it."""
    way = point - box.at
    across = box.size.real / 2 / max(abs(way.real), 1e-9)
    down = box.size.imag / 2 / max(abs(way.imag), 1e-9)
    return box.at + way * min(across, down, 1)


# Cards


def _card(concept: Concept, is_top: bool, language: str) -> Box:
    """Return the card of a concept, without its place."""
    game = concept.card.partition("/")[0]
    card = _cards(game, language).get(concept.card)
    art = _art(game, card.symbol, card.tone or 0) if card else None
    box = _box(concept.label, LABEL, CARD_PAD)
    size = box.size
    if art:
        size = complex(size.real + art.width + 5, max(size.imag, ART + 10))
    look = "other"
    if is_top:
        look = "top"
    elif concept.card:
        look = "card"
    elif concept.kind == EXAMPLE:
        look = "example"
    return box._replace(size=size, look=look, art=art)


def _box(words: str, width: float, pad: complex) -> Box:
    """Return a box with *words* in lines, without its place."""
    lines = break_lines(words, width)
    size = LETTERS * complex(max(map(words_width, lines)), LINE * len(lines))
    return Box(0j, size + pad, lines)


@lru_cache
def _cards(game: str, language: str) -> Mapping[str, MapCard]:
    return {card.card: card for card in map_cards(game, language)}


@lru_cache(512)
def _art(game: str, symbol: str, tone: int) -> Art | None:
    """Return the picture *symbol* of *game* in the colours of *tone*; ``None`` if there is none."""
    ink, middle, soft = COLOURS[tone]
    colours = {**EVERYWHERE, "ink": ink, "mid": middle, "soft": soft}
    for name, shades in zip(TONES, COLOURS):
        for shade, colour in zip(("", "-mid", "-soft"), shades):
            colours[f"ck-{name}{shade}"] = colour
    pattern = rf'<symbol id="{re.escape(symbol)}" viewBox="(\S+ \S+ (\S+) (\S+))">(.*?)</symbol>'
    drawing = re.search(pattern, kit_of(game).drawings(), re.DOTALL)
    if drawing is None:
        return None

    def find_colour(variable: re.Match[str]) -> str:
        return colours.get(variable[1]) or variable[2] or "none"

    view_box, wide, high, shapes = drawing.groups()
    shapes = re.sub(r"var\(--([\w-]+)(?:, *([^)]+))?\)", find_colour, shapes)
    return Art(shapes, view_box, ART * float(wide) / float(high), soft)
