"""Readable figures: the kit's own Chinese font, calm colours, an alternative text.

matplotlib is loaded only when a figure is drawn, and where it is missing the figure says its
numbers in words::

    def draw() -> Figure:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        ...
        return figure

    picture(draw, "每位玩家的總分")
"""

import base64
import io
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.files.folders import visible_files
from coursekit.files.html_templates import render
from coursekit.words.language import current_language
from coursekit.words.texts import check_language, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONTS = Path(__file__).parent / "fonts"
FAMILIES = ["Coursekit TC", "Coursekit SC", "DejaVu Sans"]
"""Fonts to look for a character in, in this order; pass it to networkx as ``font_family``.

The last one comes with matplotlib. Only with a list in ``font.family`` does matplotlib try several
fonts.
"""

PALETTE = ["#12436d", "#e07b39", "#1f7a74", "#a9c6e8", "#8c3b5e", "#c4b96b"]
"""Colours for groups side by side, safe for colour-blind readers.  Neighbours also differ in
lightness, for grey prints."""
HATCHES = ["", "///", "...", "xx", "\\\\\\", "--"]
"""Patterns for the same groups as filled areas: ``axes.bar(…, hatch=HATCHES[1])``."""
MARKERS = ["o", "s", "^", "D", "v", "P"]
"""Marks for the same groups as lines or points."""
INK, PAPER, LINE = "#2b2520", "#ffffff", "#d8d2c8"
DARK = """<style>@media (prefers-color-scheme: dark) {
  :root > g:not(.ck-kept) { filter: invert(0.86) hue-rotate(180deg); }
}</style>"""
"""Turns light and dark round and keeps hues, where the page shows its picture in dark colours.

A group with the class ``ck-kept`` stays as it is: the pictures of cards.
"""
LETTERS = 14
"""Pixels of the smallest letters that a class can read on a projector."""
TEMPLATES = Path(__file__).parent / "templates"


@lru_cache
def _add_fonts() -> None:
    from matplotlib import font_manager

    for file in visible_files(FONTS, "*.otf"):
        font_manager.fontManager.addfont(file)


@contextmanager
def figure_style(language: str | None = None) -> Iterator[None]:
    """Draw figures in the kit's style inside this context.

    Draw on white: :class:`Picture` turns it dark on dark pages. A figure of standard width is
    readable on a phone and on a projector.

    :raises ValueError: if the language is not one of the kit's.
    """
    language = language or current_language()
    import matplotlib
    from cycler import cycler

    check_language(language)
    _add_fonts()
    families = [FAMILIES[1], FAMILIES[0], FAMILIES[2]] if language == "zh-Hans" else FAMILIES
    style: Any = {
        "font.family": families,
        "font.size": 13,
        "axes.unicode_minus": True,
        "axes.titlesize": 13,
        "axes.labelsize": 13,
        "xtick.labelsize": 12,
        "ytick.labelsize": 12,
        "legend.fontsize": 12,
        "legend.frameon": False,
        "figure.titlesize": 14,
        "figure.figsize": (5.6, 3.4),
        "figure.dpi": 100,
        "savefig.dpi": 150,
        "figure.constrained_layout.use": True,
        "figure.facecolor": PAPER,
        "axes.facecolor": PAPER,
        "savefig.facecolor": PAPER,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "grid.color": LINE,
        "axes.axisbelow": True,
        "lines.linewidth": 2.2,
        "lines.markersize": 7,
        "hatch.linewidth": 0.8,
        "axes.prop_cycle": cycler(color=PALETTE) + cycler(marker=MARKERS),
        "svg.fonttype": "path",
        "svg.hashsalt": "coursekit",
    }
    with matplotlib.rc_context(style):
        yield


@lru_cache
def _drawable() -> frozenset[int]:
    """Return the code points that :data:`FAMILIES` can draw."""
    from matplotlib import font_manager

    _add_fonts()
    files = [font_manager.findfont(name, fallback_to_default=False) for name in FAMILIES]
    return frozenset(code for file in files for code in font_manager.get_font(file).get_charmap())


def missing_letters(words: str | Iterable[str]) -> str:
    """Return the characters of *words* that no font of the kit can draw.

    >>> missing("瘂弦、玩家 1 − ✓")
    ''
    """
    letters = sorted(set("".join(words)))
    return "".join(
        letter for letter in letters if letter.isprintable() and ord(letter) not in _drawable()
    )


class Picture:
    """A drawing that shows itself in a notebook and in Voilà.

    :param draw: returns the drawing as SVG; called once, on first use.
    :param alt: what it shows, in words, for readers who cannot see it.
    :param language: of the sentence that stands in for a drawing.
    """

    def __init__(
        self, draw: Callable[[], bytes], alt: str, caption: str = "", language: str | None = None
    ) -> None:
        language = language or current_language()
        self._draw, self.alt, self.caption, self._language = draw, alt, caption, language

    def __repr__(self) -> str:
        return f"Picture({self.alt!r})"

    @cached_property
    def svg(self) -> bytes:
        """The drawing.

        :raises ImportError: if matplotlib draws it and is missing, as in a browser.
        """
        return self._draw()

    def _repr_html_(self) -> str:
        return str(self.html())

    def html(self, *, paper: bool = False) -> str:
        """Return the picture as HTML; unless it is meant for *paper*, it is dark on a dark page.

        Where a figure needs matplotlib and there is none, the alternative text takes its place.
        """
        try:
            svg = self.svg
        except ImportError:
            return render(
                TEMPLATES / "words.html.j2",
                alt=self.alt,
                caption="" if self.caption in self.alt else self.caption,
                elsewhere=text("figure.elsewhere", self._language),
            )
        if not paper:
            svg = re.sub(rb"<svg\b[^>]*>", rb"\g<0>" + DARK.encode(), svg, count=1)
        return render(
            TEMPLATES / "picture.html.j2",
            paper=paper,
            data=base64.b64encode(svg).decode(),
            alt=self.alt,
            ratio=f"{self._ratio():.4g}",
            readable=self._readable_width(),
            caption=self.caption,
        )

    def _ratio(self) -> float:
        """Return width / height, for pages that give their pictures a height."""
        sides = re.search(rb'<svg[^>]* viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)"', self.svg)
        return float(sides[1]) / float(sides[2]) if sides else 1.6

    def _readable_width(self) -> int:
        """Return at how many pixels of width the smallest letters have :data:`LETTERS` pixels.

        0 where the drawing has no letters of matplotlib, which draws them in units of 1/100.
        """
        scales = re.findall(rb"translate\([^)]*\) (?:rotate\([^)]*\) )?scale\(([0-9.]+)", self.svg)
        wide = re.search(rb'<svg[^>]* viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+)', self.svg)
        if not scales or not wide:
            return 0
        return math.ceil(LETTERS * float(wide[1]) / (100 * min(map(float, scales))))


def picture(
    draw: "Callable[[], Figure] | Figure", alt: str, caption: str = "", language: str | None = None
) -> Picture:
    """Return a figure as a picture with an alternative text, which a matplotlib figure lacks.

    :param draw: draws the figure, in the kit's style; or a figure that is already drawn.
    :param alt: what it shows, in words; all that is left of it where there is no matplotlib.
    :param language: of the warning about characters that cannot be drawn, and of the fonts.
    """
    language = language or current_language()
    if callable(draw):
        return Picture(partial(_svg, draw, language), alt, caption, language)
    svg = _svg(lambda: draw, language)  # now: the notebook would show an open figure, too
    return Picture(lambda: svg, alt, caption, language)


def _svg(draw: "Callable[[], Figure]", language: str) -> bytes:
    """Draw a figure, close it, and return it as SVG."""
    from matplotlib import pyplot
    from matplotlib.text import Text

    with figure_style(language), warnings.catch_warnings(), io.BytesIO() as file:
        figure = draw()
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # warned of once, below
        figure.savefig(file, format="svg", metadata={"Date": None})
        pyplot.close(figure)  # or the notebook would show it a second time
        svg = file.getvalue()
    lost = missing_letters(words.get_text() for words in figure.findobj(Text))
    if lost:
        warnings.warn(text("figure.missing", language, letters=lost), stacklevel=2)
    return svg
