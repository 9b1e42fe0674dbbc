"""The debrief: moments worth talking about after one match or those of a class, each with a
question.

The game's module ``debrief`` finds the moments; see :mod:`coursekit.kit.debrief_moment`.
"""

import copy
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import anywidget
import traitlets

from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.core.errors import FileError
from coursekit.core.game import Seat
from coursekit.core.match import Match, replay
from coursekit.figures import Picture
from coursekit.files.record_sources import LARGEST_RECORD, Content, files_in, read_records
from coursekit.journal.entries import KeptMatch
from coursekit.journal.journal import Journal, JournalError
from coursekit.kit import kit_of
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect import timings
from coursekit.reflect.debrief_page import body, page
from coursekit.reflect.match_on_table import NothingToShowError, OnTable, sent
from coursekit.reflect.static_files import STATIC
from coursekit.words.texts import LANGUAGES, game_text, seat_name, text
from coursekit.words.texts import load_texts as texts

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {"js": ("cell", "timer", "debrief"), "css": ("timer", "debrief")}
TEXTS = "debrief."
SAID_THERE = (
    "heading",
    "order",
    "path.feel",
    "path.happened",
    "path.means",
    "path.now",
    "feel.title",
    "feel.ask",
    "now.title",
    "now.ask",
    "which",
    "choose",
    "nameless",
    "hidden",
    "named",
    "looking",
    "offline",
    "back",
    "next",
    "question",
    "count",
    "start",
    "more",
    "pick",
    "picked",
    "all",
    "one",
    "big",
    "small",
    "print",
    "spoken",
    "drawing",
)
"""The texts sent to the browser."""
FROM_TABLE, FROM_JOURNAL, FROM_FOLDER, FROM_FILES = "table", "kept", "folder", "files"
"""Sources of matches."""
VIEWS = 8
"""Maximum views of one cell that can each show their own matches."""
LONGEST_VIEW = 60
"""Maximum characters of a view's id."""
MOST_FILES = 200
"""Maximum files chosen at once."""
log = logging.getLogger(__name__)


class Moments(list[Moment]):
    """Moments, which show themselves as a page in a notebook."""

    def __init__(self, moments: Sequence[Moment], language: str) -> None:
        super().__init__(moments)
        self.language = language

    def _repr_html_(self) -> str:
        return body(self, self.language)


def find_moments(
    game: str, matches: Sequence[Match | Played], language: str = LANGUAGES[0]
) -> Moments:
    """Return the moments worth talking about in *matches* of *game*, best first; none if the game
    finds none.

    :param matches: in a bare match the people count that its record names, see
        :attr:`Match.people`.
    :raises ValueError: for an unknown game or language, or matches of another game.
    """
    _check(game, language)
    played = [each if isinstance(each, Played) else Played(each, each.people) for each in matches]
    for each in played:
        if each.match.game.name != game:
            raise ValueError(
                f"these are the moments of {game}, and one of the matches is of {each.match.game.name}"
            )
    find = kit_of(game).load_lesson().moments
    return Moments(find(played, language) if find else [], language)


def anonymise_match(match: Match, language: str) -> Match:
    """Return *match* with numbers for names, so that players stay distinct but nameless."""
    other = copy.copy(match)
    other.names = tuple(seat_name(seat, language) for seat in match.game.seats)
    return other


class Chosen(NamedTuple):
    """The matches to talk about."""

    played: Sequence[Played] = ()
    refused: Sequence[FileError] = ()
    why: str = ""  # why there are none, as a sentence
    left: int = 0  # matches of computer players, left out if there are any of people


class Debrief(anywidget.AnyWidget):
    """The moments of one match or of many, one after the other, big enough for a whole class.

    While several people still play a match, the browser gets only a sentence that says so. Each
    view of the cell can look at other matches; all views share the files chosen last.

    :param table: the table whose match can be debriefed.
    :param folder: a folder with records of a class, read again on every look.
    :param journal: the journal with more matches, by default ``Journal()``.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    # Moments travel in messages, not in traits, so they never get into a saved notebook.
    _esm = join_files(STATIC, PARTS, "js")
    _css = wrap_in_layer(join_files(STATIC, PARTS, "css"))
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    strip = traitlets.Dict().tag(sync=True)
    most = traitlets.Int(MOST_FILES).tag(sync=True)
    largest = traitlets.Int(LARGEST_RECORD).tag(sync=True)

    def __init__(
        self,
        game: str,
        language: str = LANGUAGES[0],
        *,
        table: "Table | None" = None,
        folder: str | Path | None = None,
        journal: Journal | None = None,
    ) -> None:
        _check(game, language)
        if table is not None and table.game != game:
            raise ValueError(f"this debrief is about {game}, and the table plays {table.game}")
        self._game = game
        self._table = OnTable(table, self._moved) if table is not None else None
        self._folder = None if folder is None else Path(folder)
        self._journal = journal or Journal()
        self._files: list[tuple[str, Content]] = []
        self._left = 0  # files above the maximum
        self._coming: dict[
            str | None, list[tuple[str, Content]]
        ] = {}  # view -> the files it is sending
        self._shown: dict[
            str | None, tuple[Any, list[Picture]]
        ] = {}  # view -> its last look, and the pictures
        known = {
            **texts(),
            **texts(game),
        }  # a game may have its own words for the first and the last step
        words = {name: known[TEXTS + name][language] for name in SAID_THERE}
        super().__init__(language=language, words=words, strip=timings.strip("pair", language))
        self.on_msg(self._on_message)

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        kind, source, view = content.get("type"), content.get("source"), content.get("from")
        view = view if isinstance(view, str) and len(view) <= LONGEST_VIEW else None
        names = content.get("names") is True
        if kind == "open":
            self._send_sources(view)
        elif (
            kind == "file"
            and isinstance(content.get("name"), str)
            and isinstance(content.get("text"), str | None)
        ):
            self._take(view, content)
        elif kind == "look" and isinstance(source, str):
            self._send_moments(view, source, names, content.get("n"))
        elif kind == "draw" and type(which := content.get("picture")) is int:
            self._send_picture(view, content.get("n"), which)
        elif kind == "page" and isinstance(source, str):
            self._send_page(view, source, names, content.get("moments"))

    def _answer(self, view: str | None, **message: Any) -> None:
        """Send an answer addressed to the view that asked; all views of a cell hear everything."""
        self.send(message | {"to": view})

    # Where matches come from

    def _take(self, view: str | None, content: dict[str, Any]) -> None:
        """Keep one of the files chosen in a view, without its content if that is too large."""
        if content.get("first"):
            _remember(self._coming, view, [])
        coming, words = self._coming.get(view, []), content["text"]
        small = words is not None and len(words) <= LARGEST_RECORD
        coming.append((content["name"], words if small and len(coming) < MOST_FILES else None))
        if not content.get("last"):
            return
        left = content.get("left")  # files that the browser has not sent
        self._left = max(0, len(coming) - MOST_FILES) + (max(0, left) if type(left) is int else 0)
        self._files = coming[:MOST_FILES]
        self._coming.pop(view, None)
        self._send_sources(view, FROM_FILES)

    def _kept(self) -> list[KeptMatch]:
        """Return the journal's matches that may be shown: not those that several people still play."""
        try:
            kept = self._journal.matches(self._game)
        except JournalError:
            return []
        return [each for each in kept if each.over or len(each.people) < 2]

    def _send_sources(self, view: str | None, now: str = "") -> None:
        """Tell all views the sources; *view*, which has asked, switches to *now* unless that is
        ``""``.
        """
        found = []
        if self._table is not None:
            found.append((FROM_TABLE, text(f"{TEXTS}source.table", self.language)))
        if kept := self._kept():
            found.append(
                (FROM_JOURNAL, text(f"{TEXTS}source.kept", self.language, count=len(kept)))
            )
        if self._folder is not None:
            found.append(
                (
                    FROM_FOLDER,
                    text(f"{TEXTS}source.folder", self.language, folder=self._folder.name),
                )
            )
        if self._files or not found:
            found.append(
                (FROM_FILES, text(f"{TEXTS}source.files", self.language, count=len(self._files)))
            )
        sources = [{"value": value, "label": label} for value, label in found]
        self._answer(view, type="sources", sources=sources, now=now)

    def _chosen(self, source: str, names: bool) -> Chosen:
        """Return the matches of *source*."""
        try:
            if source == FROM_TABLE and self._table is not None:
                return Chosen([self._table.tell()])
            if source == FROM_FOLDER and self._folder is not None:
                return self._read(files_in(self._folder), names)
            if source == FROM_JOURNAL and (kept := self._kept()):
                return self._read(
                    [(each.saved, each.record) for each in kept],
                    True,
                    [each.people for each in kept],
                )
            if source == FROM_FILES and self._files:
                return self._read(self._files, names)
        except NothingToShowError as unseen:
            return Chosen(why=text(f"{TEXTS}{unseen.why}", self.language))
        except FileError as error:
            return Chosen(why=error.sentence(self.language))
        nothing = "debrief.nothing_kept" if source == FROM_JOURNAL else "debrief.nothing_chosen"
        return Chosen(why=text(nothing, self.language))

    def _read(
        self,
        files: Sequence[tuple[str, Content]],
        names: bool,
        people: Iterable[Sequence[Seat]] = (),
    ) -> Chosen:
        """Return the matches in *files*.

        :param names: whether files are named or only numbered; many files are named after a pupil.
        :param people: the people in each match, for records that do not name them.
        """
        if not names:
            files = [
                (text(f"{TEXTS}file_number", self.language, number=number), content)
                for number, (_, content) in enumerate(files, 1)
            ]
        beside = dict(zip((name for name, _ in files), people))
        found = read_records(files, self._game)
        played = []
        for name, match in zip(found.names, found.matches):
            who = match.people
            if who is None and name in beside:
                who = tuple(seat for seat in match.game.seats if seat in beside[name])
            played.append(Played(match, who))
        counted = [each for each in played if each.people is None or each.people] or played
        why = "" if played else text(f"{TEXTS}nothing_usable", self.language)
        return Chosen(counted, found.refused, why, len(played) - len(counted))

    # What is worth talking about in them

    def _send_moments(self, view: str | None, source: str, names: bool, number: Any) -> None:
        """Send the sentences; the browser asks for each picture when it is shown, since drawing
        takes time.
        """
        chosen, found, why = self._found(source, names)
        pictures: list[Picture] = []
        told = []
        for moment in found:
            parts: list[dict[str, Any]] = []
            for part in moment.parts:
                if isinstance(part, Picture):
                    parts.append({"picture": len(pictures)})
                    pictures.append(part)
                else:
                    parts.append(sent(part))
            told.append(moment._asdict() | {"parts": parts})
        _remember(self._shown, view, (number, pictures))
        refused = [each.sentence(self.language) for each in chosen.refused]
        if source == FROM_FILES and self._left:
            refused.append(
                text(
                    f"{TEXTS}more_files",
                    self.language,
                    allowed=MOST_FILES,
                    left=self._left,
                    got=MOST_FILES + self._left,
                )
            )
        head = text(
            f"{TEXTS}refused",
            self.language,
            count=len(chosen.refused) + self._left * (source == FROM_FILES),
        )
        about, noted = self._about(chosen)
        answer = {
            "about": about,
            "noted": noted,
            "refused": refused,
            "refused_head": head,
            "why": why,
        }
        self._answer(
            view, type="moments", n=number, moments=told, played=len(chosen.played), **answer
        )

    def _send_picture(self, view: str | None, number: Any, which: int) -> None:
        """Draw picture *which* of the moments last sent to *view*, and send it."""
        now, pictures = self._shown.get(view, (None, []))
        if number != now or not 0 <= which < len(pictures):
            return
        try:
            part = sent(pictures[which])
        except Exception as error:  # a bug in the kit
            log.exception("no picture of %s", self._game)
            part = {"text": text(f"{TEXTS}undrawn", self.language, kind=type(error).__name__)}
        self._answer(view, type="picture", n=number, picture=which, part=part)

    def _found(self, source: str, names: bool) -> tuple[Chosen, Moments, str]:
        """Return the matches of *source*, their moments, and why there are none."""
        chosen = self._chosen(source, names)
        try:
            played = chosen.played
            if source == FROM_TABLE:  # the match goes on before all pictures are drawn
                played = [
                    each._replace(match=replay(each.match.record(), game=each.match.game))
                    for each in played
                ]
            if not names:
                played = [
                    each._replace(match=anonymise_match(each.match, self.language))
                    for each in played
                ]
            found = find_moments(self._game, played, self.language)
        except Exception as error:  # a bug in the kit; its message might name cards
            log.exception("no debrief of %s", self._game)
            why = text(f"{TEXTS}broken", self.language, kind=type(error).__name__)
            return chosen, Moments([], self.language), why
        quiet = "over" if all(each.match.over for each in played) else "running"
        return (
            chosen,
            found,
            chosen.why or ("" if found else text(f"{TEXTS}quiet.{quiet}", self.language)),
        )

    def _about(self, chosen: Chosen) -> tuple[str, str]:
        """Return which matches these are and whose decisions count, and the caveats."""
        matches = [each.match for each in chosen.played]
        over = sum(each.over for each in matches)
        if not matches:
            return "", ""
        words = text(f"{TEXTS}about.many", self.language, matches=len(matches), over=over)
        if len(matches) == 1:
            state = text(f"{TEXTS}about.{'over' if over else 'running'}", self.language)
            words = text(
                f"{TEXTS}about.one", self.language, players=matches[0].game.players, state=state
            )
        known = [each.people for each in chosen.played if each.people is not None]
        people = sum(map(len, known))
        computers = sum(each.game.players for each in matches) - people
        who, noted = "", []
        if unknown := len(matches) - len(known):
            noted.append(text(f"{TEXTS}who.unknown", self.language, count=unknown))
            noted += [text(f"{TEXTS}who.others", self.language)] * bool(known)
        elif not people:
            noted.append(text(f"{TEXTS}who.computers", self.language))
        elif computers:
            who = text(f"{TEXTS}who.mixed", self.language, people=people, computers=computers)
        if chosen.left:
            noted.append(text(f"{TEXTS}who.left", self.language, count=chosen.left))
        return self._together(words, who), self._together(*noted)

    def _together(self, *sentences: str) -> str:
        return (" " if self.language == "en" else "").join(filter(None, sentences))

    def _send_page(self, view: str | None, source: str, names: bool, which: Any) -> None:
        """Send the page to keep, with the moments whose numbers are in *which*, or all if that is
        not a list.
        """
        chosen, found, why = self._found(source, names)
        if isinstance(which, list):
            found = Moments(
                [each for number, each in enumerate(found) if number in which], self.language
            )
        title = text(
            f"{TEXTS}title", self.language, game=game_text(self._game, "title", self.language)
        )
        name = text(f"{TEXTS}file", self.language)
        about = self._together(*self._about(chosen), why)
        content = page(title, about, found, self.language, self.words)
        self._answer(view, type="file", name=f"{name}.html", mime="text/html", text=content)

    def _moved(self) -> None:
        self.send({"type": "moved"})


def _remember(what: dict[str | None, Any], view: str | None, thing: Any) -> None:
    """Set ``what[view]`` to *thing*; above :data:`VIEWS` views the one with the oldest change goes."""
    what.pop(view, None)
    what[view] = thing
    if len(what) > VIEWS:
        del what[next(iter(what))]


def _check(game: str, language: str) -> None:
    kit_of(game)
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")


def debrief(
    game: str,
    language: str = LANGUAGES[0],
    *,
    table: "Table | None" = None,
    folder: str | Path | None = None,
) -> Debrief:
    """Return the cell with the moments worth talking about in matches of *game*.

    The matches come from *table*, the journal, the records in *folder*, or files chosen in the
    cell.
    """
    return Debrief(game, language, table=table, folder=folder)
