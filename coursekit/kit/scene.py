"""What a scene is: JSON that ``static/table.js`` draws without knowing the game.

A game's ``scene.py`` makes one scene from what a seat may know: ``scene(obs, story, look)``.
Everything in it is either text in the viewer's language or a number; nothing in it may be hidden
from that seat. ``log(story, look, since)`` tells what happened, and ``handbook(look)``, which a
game need not have, holds what its box tells everybody about its cards: a :class:`Page` by id, sent
once a match and language.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal, NotRequired, TypedDict

from coursekit.core.game import CommonObservation, Event, Game, Seat, sentence
from coursekit.words.texts import game_text, seat_name

Tone = Literal["plain", "blue", "green", "red", "yellow", "violet", "grey"]
"""A colour of the palette in ``table.css``; never the only sign of anything."""


ZONE_KINDS = (
    *("seats", "hand", "row", "pile", "squares", "dice"),
    *("choices", "results", "pad", "tricks", "track", "notice"),
)
"""Each has a draw function of its name in ``static/zones.js``. A game can add kinds:
:class:`coursekit.kit.Zones`.
"""

Form = Literal["slip", "order", "paper", "volume", "leaf", "stamp", "token", "note"]
"""How a card set in type is laid out, by ``printed-cards.css``.

slip: an author large and a work, set like an old title slip, from top to bottom in Chinese; order:
a name under a small drawing; paper: the masthead of a periodical; volume: a bound book; leaf: a
year and what happened in it; stamp and token: a letter in a square and in a circle; note: a slip
that a player has written on.
"""


class Print(TypedDict):
    """The words of a card that is set in type; a small card leaves out what would be too small."""

    form: Form
    title: str
    head: NotRequired[str]  # a small line above
    text: NotRequired[str]
    foot: NotRequired[str]  # in the band at the foot, also on the smallest cards
    off: NotRequired[bool]  # of no use now: hatched, in a dashed frame


class Face(TypedDict, total=False):
    """How a card looks: our own drawing with a short text in two corners, or a card set in type."""

    art: str  # id of a <symbol> in the game's art.svg, without the "ck-" prefix
    corner: str  # at most 2 letters: rank, "Z", "N"
    name: str  # a word under the picture
    tone: Tone
    print: Print  # set in type; ``art`` is then a small drawing on it
    back: bool  # face down; then only the art of the back may be given, by default "back"


class Choice(TypedDict):
    """A button: a decision that is no piece, or one of several that a piece offers."""

    label: str
    action: Any
    legal: bool
    seat: NotRequired[Seat]
    face: NotRequired[Face]  # drawn small beside the label
    die: NotRequired[int | str]  # a die with this face beside the label, 0 for one not thrown yet
    primary: NotRequired[bool]
    after: NotRequired[int]  # seconds, shown running down, after which it presses itself
    key: NotRequired[str]  # names that countdown, which goes on after a redraw or reload
    held: NotRequired[bool]  # it cannot be pressed before
    of: NotRequired[str]  # whose it is, where several people each have a row of decisions
    short: NotRequired[str]  # what is written on it there, instead of the label


class Piece(TypedDict):
    """A card or token on the table.

    Touching it asks for its ``action``.  If it has none but ``choices`` or ``about``, touching
    opens its sheet: the piece drawn large, its page, and a button for each choice.
    """

    id: str  # the same thing has the same id in the next scene, so that it can be seen moving
    face: Face
    label: str  # its full name, for those who do not see it
    action: NotRequired[Any]  # what touching it asks for
    seat: NotRequired[Seat]  # who acts by it, if not the viewer
    legal: NotRequired[bool]  # whether its action is lit; a touch asks the kernel why not
    choices: NotRequired[list[Choice]]  # what can be done with it; lit if one of them is legal
    about: NotRequired[str]  # id of its page in the handbook
    caption: NotRequired[str]  # under the piece: who played it
    owner: NotRequired[Seat]  # whose plate it came from
    mark: NotRequired[str]  # a sign of honour on it, such as "takes the trick"
    faded: NotRequired[bool]  # finished, shown as a memory


class Page(TypedDict):
    """What the box tells about a card: its text to read, and facts in a line each."""

    title: str
    lead: NotRequired[str]  # comes first, large: to be read aloud
    heading: NotRequired[str]  # over the text, which then stands below the facts
    text: list[str]  # paragraphs
    facts: list[dict[str, str]]  # [{"label": "Where it lies", "value": "…"}]
    note: NotRequired[str]
    source: NotRequired[str]


class Square(TypedDict):
    """A place for one piece, drawn also while it is empty."""

    label: str
    piece: Piece | None


class Spot(TypedDict):
    """The place of one player's card in a row that all lay one into."""

    seat: Seat
    name: str
    you: bool
    turn: bool  # whether this card comes next


class Team(TypedDict):
    """A sign that partners share; the label tells teams apart without the colour."""

    label: str
    tone: Tone


class Die(TypedDict):
    """A die, drawn from the symbol ``die-`` and its value; it tumbles when it is thrown."""

    value: int | str  # 0 if it is not thrown yet
    label: str
    caption: NotRequired[str]  # whose throw it is


class Space(TypedDict):
    """A space of a track."""

    label: str
    short: str  # where there is little room
    pieces: list[Piece]  # what is printed on it: signs that can be touched
    markers: list[Piece]
    state: Literal["", "done", "goal"]  # done: what is printed on it has happened


class Side(TypedDict):
    """A side of a track, and the corner that follows it."""

    label: str
    spaces: list[Space]
    corner: Space
    now: bool  # it is being played


class Shelf(TypedDict):
    """A row of small pieces on a plate."""

    label: str
    pieces: list[Piece]


class Place(TypedDict):
    """One player's plate."""

    seat: Seat
    name: str
    by: str  # who plays it: "person" or the strategy's name, in words
    you: bool
    turn: bool
    winner: bool
    badges: list[str]  # "deals", "leads"
    team: NotRequired[Team]
    sign: NotRequired[Piece]  # before the name, such as a role
    shelves: NotRequired[list[Shelf]]
    tokens: NotRequired[dict[str, int]]  # {"have": won, "want": bid}: filled and empty pips
    counts: list[dict[str, str]]  # [{"label": "bid", "value": "2", "title": "…"}]
    backs: int  # cards held face down
    pieces: list[Piece]  # cards of theirs lying open


class Zone(TypedDict, total=False):
    """A part of the table.  ``kind`` says which draw function draws it."""

    kind: str  # one of ZONE_KINDS, or of the game's own
    place: Literal["far", "middle", "near", "side"]  # far: the others; near: the viewer
    label: str  # heading, also for screen readers
    note: str  # a line of explanation
    folded: bool  # starts closed; a press opens it
    pieces: list[Piece]  # hand, row
    slots: list[Spot]  # row: a place for the piece of each owner, drawn also while it is empty
    places: list[Place]  # seats
    together: bool  # seats: the viewer sits among the others, not on the near side
    count: int  # pile: cards face down
    top: Piece | None  # pile: the card lying open on it
    back: Face  # pile: how its cards look from behind, if not like all others
    caption: str  # pile: a short name, to be seen; an empty pile with a name is drawn as a place
    takes: bool  # pile: where pieces go that leave the table
    squares: list[Square]  # squares: shared by all
    dice: list[Die]  # dice
    choices: list[Choice]  # choices
    columns: list[str]  # pad: a heading per seat; results: one per value
    parts: list[str]  # pad: a heading per number within a cell, such as bid, won, points
    # pad: {"head": "3", "cells": [{"parts": ["2", "1", "-10"], "tone": "red"}]}
    rows: list[dict[str, Any]]
    # results: {"seat": 0, "name": "Ann", "you": True, "values": ["2", "1", "−10"], "good": False}
    results: list[dict[str, Any]]
    sums: int  # pad: number of last rows that are sums; a small screen shows them first, by player
    tricks: list[list[Piece]]  # tricks
    sides: list[Side]  # track: around the table, from the upper right corner downwards
    zones: list["Zone"]  # track: what lies within it
    title: str  # notice: what everybody should read
    result: str  # notice: how it ended; stands first
    text: list[str]  # notice: its paragraphs
    piece: Piece | None  # notice: what it is about


class Highlight(TypedDict):
    """What went well, marked for less than a second with its scene; later scenes may repeat it.

    met: a number that was announced; all_met: everybody's; taken: a trick or a point; written: a
    book is whole; lifted: somebody may speak again, or a book be read; unique: found by nobody
    else; won: the match.
    """

    kind: Literal["met", "all_met", "taken", "written", "lifted", "unique", "won"]
    seat: NotRequired[Seat]  # at whose plate it is marked
    piece: NotRequired[str]  # at which piece; without either, around the table
    gain: NotRequired[int]  # points that it brought, shown for a moment


class Scene(TypedDict):
    """One moment as one seat sees it."""

    title: str
    prompt: str  # what to do, or what the table waits for
    turn: bool  # whether the viewer must decide
    over: bool
    zones: list[Zone]
    beat: float  # how long to look at it when it is played back, 1.0 for one card
    moments: NotRequired[list[Highlight]]
    rule: NotRequired[int | None]  # added by the table: which of the rules in short matters most
    hints: NotRequired[list[int]]  # added by the table: which of them a new player is told now
    sober: NotRequired[bool]  # the player with the most points is named, not crowned


def choice(label: str, action: Any, legal: bool = True, **more: Any) -> Choice:
    """Return a button; *more* are further fields."""
    button: Choice = {"label": label, "action": action, "legal": legal}
    button.update(more)  # type: ignore[typeddict-item]
    return button


def seat_place(obs: CommonObservation, seat: Seat, winners: Sequence[Seat], look: "Look") -> Place:
    """Return what is the same at every seat of a table, still without things that lie there."""
    return {
        "seat": seat,
        "name": look.name(seat),
        "by": look.by[seat] if look.by else "",
        "you": seat == obs.seat,
        "turn": seat in obs.waiting,
        "winner": seat in winners,
        "badges": [],
        "counts": [],
        "backs": 0,
        "pieces": [],
    }


def pieces_of(scene: Scene) -> Iterator[Piece]:
    """Yield every piece of *scene*, wherever it lies."""
    for zone in zones_of(scene["zones"]):
        yield from zone.get("pieces", [])
        yield from filter(None, (zone.get("top"), zone.get("piece")))
        yield from _lying(zone.get("squares", []))
        for place in zone.get("places", []):
            yield from _on_plate(place)
        for trick in zone.get("tricks", []):
            yield from trick
        for side in zone.get("sides", []):
            for space in (*side["spaces"], side["corner"]):
                yield from (*space["pieces"], *space["markers"])


def zones_of(zones: Sequence[Zone]) -> Iterator[Zone]:
    """Yield *zones*, each followed by those within it."""
    for zone in zones:
        yield zone
        yield from zones_of(zone.get("zones", []))


def places_of(scene: Scene) -> Iterator[Place]:
    """Yield the plate of every player in *scene*."""
    for zone in zones_of(scene["zones"]):
        yield from zone.get("places", [])


def _on_plate(place: Place) -> Iterator[Piece]:
    if "sign" in place:
        yield place["sign"]
    for shelf in place.get("shelves", []):
        yield from shelf["pieces"]
    yield from place["pieces"]


def _lying(squares: Sequence[Square]) -> Iterator[Piece]:
    yield from (square["piece"] for square in squares if square["piece"])


@dataclass(frozen=True)
class Look:
    """Who looks at the table, in which language."""

    game: Game[Any, Any, Any]
    language: str
    names: Sequence[str] = ()
    by: Sequence[str] = ()
    """Who plays each seat, in words."""
    open_hands: Sequence[Any] = field(default=())
    """Every seat's observation when nothing is secret any more, else ``()``."""
    acting: Sequence[Seat] = ()
    """Who may decide on this screen now; ``()`` leaves it to the observation.

    That is the viewer, or several people in one of :attr:`.Game.open_phases`, whose things carry a
    ``seat``.
    """
    wait_for: Sequence[Seat] = ()
    """Those who have not had this screen in this race; before, nothing that ends it is offered."""

    @cached_property
    def public(self) -> "Look":
        """The same without the players; what is made of it can be kept."""
        return _shared(self.game, self.language, ())

    @cached_property
    def named(self) -> "Look":
        """The same with the players' names alone; what is made of it can be kept with these."""
        return _shared(self.game, self.language, tuple(self.names))

    def say(self, text: str, /, **values: Any) -> str:
        """Return the sentence *text* of the game, or of the kit."""
        return game_text(self.game, text, self.language, self.names, **values)

    def word(self, kind: str, value: Any) -> str:
        """Return what the game calls *value*, such as a card."""
        text_id, values = self.game.word(kind, value)
        return self.say(text_id, **values)

    def tell(self, event: Event) -> str:
        """Return what *event* says."""
        return sentence(self.game, event, self.language, self.names)

    def name(self, seat: Seat) -> str:
        """Return the name of the player at *seat*."""
        return seat_name(seat, self.language, self.names)


@lru_cache(64)
def _shared(game: Game[Any, Any, Any], language: str, names: tuple[str, ...]) -> Look:
    """Return a look that all viewers share, so that caches by look hold what is made of it."""
    return Look(game, language, names)
