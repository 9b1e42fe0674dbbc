"""文壇封鎖中 on paper: experience cards, book cards, roles, markers, the track and the die."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.files.html_templates import render_macro
from coursekit.games.blockade.rules.card_codes import CENSORS, OWN_DESIGN, ROLES, own_cards
from coursekit.games.blockade.rules.card_facts import ERAS, name_of_era
from coursekit.games.blockade.rules.options import FACES
from coursekit.games.blockade.table.board import events_by_year
from coursekit.games.blockade.table.card_descriptions import handbook
from coursekit.games.blockade.table.pieces import TONES, book_piece, plain_card, rules_of
from coursekit.kit.scene import Face, Form, Look, Page
from coursekit.printing.printables import SMALL, Box, Cards, Leaf, die, facts_text, heading
from coursekit.words.texts import game_text, text

TEMPLATE = Path(__file__).parent / "templates" / "printables.html.j2"
MARKER = (15, 18)
"""Width and height of a marker in millimetres."""
COLUMNS = {"periodicals": "founded", "banned_books": "author_zh"}
"""Columns that tell a class's files apart; any other file is of writers."""


def things(look: Look) -> list[Cards | Leaf]:
    """Return all that is printed: cards, roles with markers, track, die, and what things do."""
    rules, pages = rules_of(look), handbook(look)
    cards, eras = rules.cards, rules.options.eras
    in_play = sorted({card for era in eras for card in rules.deck[era]})
    experience = [_face(card, look) for card in in_play]
    books: list[Face | str] = [book_piece(book, look)["face"] for book in range(len(cards.books))]
    roles: list[Face | str] = []
    markers: list[Face | str] = []
    for seat, (role, tone) in enumerate(zip(ROLES, TONES, strict=True)):
        roles.append({"art": f"role-{role}", "name": look.say(f"role.{role}"), "tone": tone})
        form: Form = "stamp" if seat in CENSORS else "token"
        sign = look.say(f"sign.{role}")
        markers.append({"print": {"form": form, "title": sign}, "tone": tone})
    about = [pages[f"role-{role}"] for role in ROLES]
    line = look.say("page.label.line")  # stands in the rules
    shared = [fact for fact in about[0]["facts"] if all(fact in page["facts"] for page in about)]
    aid: list[Page] = []
    closing = look.say("page.label.closing")
    for role, page in zip(ROLES, about, strict=True):
        facts = [fact for fact in page["facts"] if fact not in shared and fact["label"] != line]
        facts.append({"label": closing, "value": look.say(f"closing.{role}")})
        aid.append({**page, "facts": facts})
    aid.append({"title": look.say("page.label.model"), "text": [], "facts": shared})
    roles_told = heading(look.say("print.roles")) + facts_text(aid)
    events_told = heading(look.say("print.events")) + _events(look)
    if len(eras) == 1:  # both fit on a page
        told = [Leaf(look.say("print.aid"), roles_told + events_told)]
    else:
        told = [
            Leaf(look.say("print.aid"), roles_told),
            Leaf(look.say("print.events"), events_told),
        ]
    die_name, o_faces = look.say("zone.die"), rules_of(look).options.o_faces
    return [
        Cards(look.say("pile.deck"), experience, {"back": True}, SMALL),
        Cards(look.say("pile.books"), books, {"back": True, "art": "back-book"}, SMALL),
        Cards(look.say("print.roles"), roles),
        Cards(look.say("print.markers"), markers, size=MARKER),
        Leaf(look.say("zone.track"), _board(look)),
        Leaf(die_name, heading(die_name) + die(_die(o_faces))),
        *told,
    ]


def _face(card: int, look: Look) -> Face:
    """Return an experience card; a function card has its text."""
    face, kind = plain_card(card, True, look)["face"], rules_of(look).cards.functions[card]
    if not kind:
        return face
    more: Any = {"text": look.word("text", kind)}
    return {**face, "print": {**face["print"], **more}}


def _die(o_faces: int) -> str:
    """Return the sides of the die, *o_faces* of them an O."""
    sides = dict.fromkeys(range(FACES), "X")
    for side in (0, 2, 5, 1, 3)[:o_faces]:
        sides[side] = "O"
    return "".join(sides.values())


def _board(look: Look) -> str:
    """Return the track as four strips, which can be cut apart and laid around the table."""
    printed = events_by_year(look)
    eras = []
    for era in rules_of(look).options.eras:
        years = ERAS[era]
        spaces = [
            (year, [look.word("event", event) for event in printed.get(year, ())]) for year in years
        ]
        eras.append((look.word("era", era), spaces))
    return render_macro(TEMPLATE, "board", eras, look.say("corner_end"))


def _events(look: Look) -> str:
    rows = [
        (year, look.word("event", event), look.word("effect", event))
        for era in rules_of(look).options.eras
        for year in ERAS[era]
        for event in rules_of(look).events_at.get(year, ())
    ]
    label, design = look.say("page.label.effect"), look.say(OWN_DESIGN)
    return render_macro(TEMPLATE, "events", rows, label, design)


def own(files: Sequence[Path], language: str) -> dict[str, Any]:
    """Return the option for a class's own *files*, whose columns say of which kind they are."""
    kinds: dict[str, Path] = {}
    for file in files:
        text = file.read_text("utf-8-sig", "replace") if file.is_file() else ""
        columns = text.partition("\n")[0].split(",")
        matching = [kind for kind, column in COLUMNS.items() if column in columns]
        kinds[matching[0] if matching else "writers"] = file
    return {"edition": own_cards(**kinds, language=language)}


def list_sets(language: str) -> list[tuple[str, str]]:
    """Return the whole box, and each era alone with fewer cards, for a lesson."""
    whole = (text("print.whole", language), "preset=standard")
    lesson = "preset=one_era&eras="
    eras = [
        (game_text("blockade", "print.one_era", language, era=name_of_era(era)), f"{lesson}{era}")
        for era in ERAS
    ]
    return [whole, *eras]


BOX = Box(things, own, sets=list_sets)
