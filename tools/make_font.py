"""Cut the fonts of figures out of Noto Sans: what the kit writes, and what a class is likely to.

Run it when ``tests/figures/test_figures.py`` misses a character::

    pip download --no-deps pylopdf-fonts-zh-tw pylopdf-fonts-zh-cn   # wheels hold the two OTF files
    python tools/make_font.py NotoSansTC-Regular.otf NotoSansSC-Regular.otf

The second font holds only what the first one lacks, so that a figure lists both families.
Needs fontTools; nothing here is used when the kit runs.
"""

import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
FONTS = ROOT / "coursekit" / "figures" / "fonts"
WRITTEN = ("coursekit/**/*.toml", "coursekit/**/*.csv", "notebooks/**/*.ipynb")
"""Where the kit's own characters stand."""

RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x391, 0x3C9),
    (0x2010, 0x2027),
    (0x2030, 0x205E),
    (0x20AC, 0x20AC),
    (0x2190, 0x2199),
    (0x21D0, 0x21D4),
    (0x2200, 0x22A5),
    (0x2460, 0x2473),
    (0x25A0, 0x25CF),
    (0x2605, 0x2606),
    (0x2610, 0x2612),
    (0x2660, 0x2667),
    (0x2713, 0x2718),
    (0x3000, 0x3030),
    (0x3105, 0x312F),
    (0xFF01, 0xFF5E),
    (0xFFE5, 0xFFE5),
)


def encoded(codec: str, lead: range, trail: range) -> Iterator[str]:
    """Yield the Chinese characters that *codec* has at these two bytes."""
    for first in lead:
        for second in trail:
            try:
                character = bytes([first, second]).decode(codec)
            except UnicodeDecodeError:
                continue
            if unicodedata.category(character) == "Lo":
                yield character


def wanted() -> set[str]:
    """Return every character the two fonts should hold."""
    found = {chr(code) for low, high in RANGES for code in range(low, high + 1)}
    found |= set(encoded("big5", range(0xA4, 0xC7), range(0x40, 0xFF)))  # level 1: the common ones
    found |= set(encoded("gb2312", range(0xB0, 0xD8), range(0xA1, 0xFF)))  # level 1
    for pattern in WRITTEN:
        for file in ROOT.glob(pattern):
            found |= set(file.read_text(encoding="utf-8"))
    return {
        character
        for character in found
        if character.isprintable() and not unicodedata.combining(character)
    }


def cut(source: Path, characters: set[str], goal: Path) -> set[str]:
    """Write the part of *source* that has *characters* to *goal*, and return what it lacks."""
    font = TTFont(source)
    here = {character for character in characters if ord(character) in font.getBestCmap()}
    options = Options(
        name_IDs="*",
        name_languages="*",
        notdef_outline=True,
        hinting=False,
        layout_features=["kern", "ccmp"],
        drop_tables=["vhea", "vmtx", "VORG", "BASE"],
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes={ord(character) for character in here})
    subsetter.subset(font)
    family = goal.stem.replace("Coursekit", "Coursekit ")
    for record in font["name"].names:
        if record.nameID in (
            1,
            4,
            6,
            16,
        ):  # not taken for a font of the same name that is installed
            record.string = goal.stem if record.nameID == 6 else family
    goal.parent.mkdir(exist_ok=True)
    font.save(goal)
    print(f"{goal.relative_to(ROOT)}: {len(here)} characters, {goal.stat().st_size / 1e6:.2f} MB")
    return characters - here


def main() -> None:
    traditional, simplified = map(Path, sys.argv[1:3])
    missing = cut(traditional, wanted(), FONTS / "CoursekitTC.otf")
    missing = cut(simplified, missing, FONTS / "CoursekitSC.otf")
    print("in neither (matplotlib's own DejaVu Sans is asked next):", "".join(sorted(missing)))


if __name__ == "__main__":
    main()
