"""A game's box as one HTML file, which any browser prints or saves as PDF without a network.

The faces of cards travel as data. The table's own script draws them, so paper and screen never
differ.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from coursekit.cells.static_bundle import join_files
from coursekit.core.errors import LocalizedError
from coursekit.core.options import TupleOf
from coursekit.files.html_templates import bind_texts, render, render_macro
from coursekit.kit import GameKit, kit_of
from coursekit.kit.scene import Face, Look
from coursekit.printing.manual import rules_in_full, ten_minutes
from coursekit.printing.printables import PARTS, SHEET, Box, Cards, Leaf, watch
from coursekit.table.static_files import STATIC as TABLE
from coursekit.table.static_files import table_script
from coursekit.words.texts import game_text, text

HERE = Path(__file__).parent
STATIC = HERE / "static"
PAGE = HERE / "templates" / "sheets.html.j2"
PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
NAMES = {"a4": "A4", "letter": "US Letter"}
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
"""What a browser may do with the page: run what stands in it, and load nothing."""
MARK = 4.0
"""Length of a cut mark, in millimetres."""
GAP = 1.0
"""Distance of a cut mark from what is cut, in millimetres."""


class PrintError(LocalizedError, ValueError):
    """A game brings nothing to print, or takes no cards of a class."""


class Part(NamedTuple):
    """One thing on its pages."""

    name: str
    number: int
    pages: Sequence[str]
    """Each as HTML."""
    both: bool
    """Whether every second page is the back of the one before."""


def page_script(kit: GameKit) -> str:
    """Return the script of the page: the table's own, and what lets it draw on paper."""
    return f"{table_script(kit)}\n{(STATIC / 'sheets.js').read_text('utf-8')}"


def render_sheets(
    game: str,
    language: str = "zh-Hant",
    paper: str = "a4",
    cards: Sequence[Path] = (),
    preset: str = "standard",
    rules: Mapping[str, Any] | None = None,
    backs: bool = False,
    sets: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the page to print *game* from.

    :param paper: the name of one of :data:`PAPERS`, chosen when the page opens.
    :param cards: files with a class's own cards or words.
    :param preset: the name of rules that the game offers; the numbers of what is printed follow it.
    :param rules: options other than those of *preset*.
    :param backs: whether backs are chosen when the page opens.
    :param sets: what else can be printed of the game, with the address of each.
    :raises UnknownGameError: a ``ValueError``, if there is no such game.
    :raises OptionError: a ``ValueError``, if the game has no such preset or option.
    :raises PrintError: if it brings nothing to print, or takes no cards of a class.
    :raises FileError: naming every line of *cards* that is wrong.
    """
    kit = kit_of(game)
    if kit.paper is None:
        raise PrintError("", "print.nothing", got=kit.name)
    box: Box = kit.paper()
    if cards and box.own is None:
        raise PrintError("", "print.no_own", got=kit.name)
    own = box.own(cards, language) if cards and box.own else {}
    kit.rules.preset(preset)
    options = kit.rules.options_from({**kit.rules.presets[preset], **(rules or {}), **own})
    look = Look(kit.rules(kit.rules.player_counts[0], options), language)
    title = game_text(kit.name, "title", language)
    things = [*box.things(look)]
    if kit.guide:
        lines = [line for line in box.rule_sentences(kit.guide, look) if line]
        short = render_macro(PARTS, "rules", title, lines, box.below(look))
        things.append(Leaf(text("print.short", language), short))
    things.append(Leaf(text("print.watch", language), watch(look)))
    before = ten_minutes(game, language)
    if before:
        name = text("print.ten_minutes", language)
        things.append(Leaf(name, render_macro(PARTS, "ten_minutes", f"{title} · {name}", before)))
    faces: list[Face] = []
    parts = [_part(thing, faces) for thing in things]
    return _page(kit, look, title, paper, parts, faces, backs, sets)


def read_options(game: str, given: Sequence[str]) -> dict[str, Any]:
    """Return the options of *game* that are *given* as words, such as ``eras=2`` or ``hand=6``.

    :raises UnknownGameError: if there is no such game.
    """
    known = {option.name: option.metadata["allowed"] for option in fields(_options(game))}
    read = dict[str, Any]()
    for words in given:
        name, _, value = words.partition("=")
        try:
            read[name] = json.loads(f"[{value}]")
        except json.JSONDecodeError:  # a word, such as "half"
            read[name] = [value]
        if not isinstance(known.get(name), TupleOf) and len(read[name]) == 1:
            read[name] = read[name][0]
    return read


def _options(game: str) -> Any:
    return kit_of(game).rules.option_type


def _part(thing: Cards | Leaf, faces: list[Face]) -> Part:
    """Return *thing* on its pages; the faces on them are added to *faces*, and numbered through.

    A back lies where its card does once the sheet is turned over on its long edge.
    """
    if isinstance(thing, Leaf):
        return Part(thing.name, 1, [thing.html], False)
    pages = list[str]()
    for fronts in _split(thing):
        pages.append(_grid(thing, [*enumerate(fronts)], faces))
        if thing.back:
            last = _across(thing, fronts) - 1
            places = [place + last - 2 * (place % (last + 1)) for place in range(len(fronts))]
            backs = [(place, thing.back) for place in places]
            pages.append(_grid(thing, backs, faces, are_backs=True))
    return Part(thing.name, len(thing.faces), pages, thing.back is not None)


def _across(cards: Cards, on_page: Sequence[Any]) -> int:
    """Return how many of those on a page stand side by side."""
    return min(len(on_page), SHEET[0] // cards.size[0])


def _split(cards: Cards) -> Iterator[Sequence[Face | str]]:
    """Yield the faces for one page after the other."""
    room = (SHEET[0] // cards.size[0]) * (SHEET[1] // cards.size[1])
    for start in range(0, len(cards.faces), room):
        yield cards.faces[start : start + room]


def _grid(
    cards: Cards,
    on_page: Sequence[tuple[int, Face | str]],
    faces: list[Face],
    are_backs: bool = False,
) -> str:
    """Return faces at their places, counted line by line, with marks that show where to cut."""
    across = _across(cards, on_page)
    down = -(-len(on_page) // across)
    placed = [
        (place, face, None) if isinstance(face, str) else (place, "", _number(face, faces))
        for place, face in on_page
    ]
    return render_macro(PARTS, "grid", placed, are_backs, *cards.size, across, down, MARK, GAP)


def _number(face: Face, faces: list[Face]) -> int:
    if face not in faces[-1:]:
        faces.append(face)
    return len(faces) - 1


def _page(
    kit: GameKit,
    look: Look,
    title: str,
    paper: str,
    parts: Sequence[Part],
    faces: Sequence[Face],
    backs: bool,
    sets: Sequence[tuple[str, str]],
) -> str:
    """Return the whole page: which sheets have what, how to print them, and the sheets."""
    listed = list[tuple[Part, int, int]]()
    pages = list[tuple[Part, Markup, int]]()
    for number, part in enumerate(parts):
        listed.append((part, len(pages) + 1, len(pages) + len(part.pages)))
        pages += [(part, Markup(page), number) for page in part.pages]
    language = look.language
    data = json.dumps({"art": kit.drawings(), "faces": faces, "papers": PAPERS}, ensure_ascii=False)
    style = join_files(TABLE, {"css": ("table", "tabletop", "printed-cards")}, "css")
    style += (STATIC / "sheets.css").read_text("utf-8")
    # Firefox measures cqw by the page on paper
    style = re.sub(r"([\d.]+)cqw", r"calc(var(--card) * \1 / 100)", style)
    return render(
        PAGE,
        title=title,
        language=language,
        paper=paper,
        papers=NAMES,
        policy=POLICY,
        listed=listed,
        pages=pages,
        sets=sets,
        backs=backs,
        manual=rules_in_full(look),
        needs=game_text(kit.name, "print.needs", language),
        say=bind_texts(language, "print."),
        data=Markup(data.replace("<", "\\u003c")),
        style=Markup(style),
        script=Markup(page_script(kit)),
    )
