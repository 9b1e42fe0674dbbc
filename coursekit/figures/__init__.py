"""Readable figures: the kit's own Chinese font, calm colours, an alternative text."""

from coursekit.figures.drawing import (
    FAMILIES,
    HATCHES,
    INK,
    KEPT,
    LINE,
    MARKERS,
    PALETTE,
    PAPER,
    Picture,
    bars,
    figure_style,
    missing,
    picture,
)

__all__ = [
    "FAMILIES",
    "HATCHES",
    "INK",
    "KEPT",
    "LINE",
    "MARKERS",
    "PALETTE",
    "PAPER",
    "Picture",
    "bars",
    "figure_style",
    "missing",
    "picture",
]
