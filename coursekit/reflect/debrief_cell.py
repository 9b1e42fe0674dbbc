"""The debrief: moments worth talking about in one match or many, each with a question.

The game's module ``debrief`` finds the moments; see :mod:`coursekit.kit.debrief_moment`.
"""

import copy
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import traitlets

from coursekit.cells.message_widget import MessageWidget
from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.core.errors import FileError
from coursekit.core.game import Seat
from coursekit.core.match import Match, replay
from coursekit.core.page_messages import Messages
from coursekit.figures import Picture
from coursekit.files.record_sources import LARGEST_RECORD, Content, files_in, read_records
from coursekit.journal.entries import MatchEntry
from coursekit.journal.journal import Journal, JournalError
from coursekit.kit import kit_of
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect import timings
from coursekit.reflect.debrief_page import body, page
from coursekit.reflect.match_on_table import NothingToShowError, OnTable, browser_part
from coursekit.reflect.static_files import STATIC
from coursekit.words.language import current_language
from coursekit.words.texts import (
    check_language,
    game_text,
    join_sentences,
    pick_texts,
    seat_name,
    text,
)

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {"js": ("cell", "timer", "debrief"), "css": ("timer", "debrief")}
TEXTS = "debrief."
WORDS = (
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
    "menu",
    "all",
    "one",
    "big",
    "small",
    "print",
    "spoken",
    "drawing",
)
"""The texts sent to the browser."""
FROM_TABLE = "table"
FROM_JOURNAL = "kept"
FROM_FOLDER = "folder"
FROM_FILES = "files"
VIEWS = 8
"""Maximum views of one cell that can each show their own matches."""
MOST_FILES = 200
"""Maximum files chosen at once."""
log = logging.getLogger(__name__)


class Moments(list[Moment]):
    """Moments, which show themselves as a page in a notebook."""

    def __init__(self, moments: Sequence[Moment], language: str) -> None:
        super().__init__(moments)
        self.language = language

    def _repr_html_(self) -> str:
        return str(body(self, self.language))


def find_moments(
    game: str, matches: Sequence[Match | Played], language: str | None = None
) -> Moments:
    """Return the moments worth talking about in *matches* of *game*, best first.

    :param matches: in a bare match the people count that its record names, see
        :attr:`Match.people`.
    :raises ValueError: for an unknown game or language, or matches of another game.
    """
    language = language or current_language()
    _check(game, language)
    played = []
    for match in matches:
        one = match if isinstance(match, Played) else Played(match, match.people)
        played.append(one)
        got = one.match.game.name
        if got != game:
            raise ValueError(f"these are the moments of {game}, and one of the matches is of {got}")
    find = kit_of(game).load_lesson().moments
    return Moments(find(played, language) if find else [], language)


def anonymise_match(match: Match, language: str) -> Match:
    """Return *match* with numbers for names, so that players stay distinct but nameless."""
    other = copy.copy(match)
    other.names = tuple(seat_name(seat, language) for seat in match.game.seats)
    return other


class Selection(NamedTuple):
    """The matches to talk about."""

    played: Sequence[Played] = ()
    refused: Sequence[FileError] = ()
    why: str = ""  # why there are none, as a sentence
    left_out: int = 0  # matches of computer players, left out if there are any of people


class Finding(NamedTuple):
    """Matches, their moments, and why there are none."""

    selection: Selection
    moments: Moments
    why: str


class Debrief(MessageWidget):
    """The moments of one match or of many, one after the other, big enough for a whole class.

    While several people still play a match, the browser gets only a sentence that says so. Each
    view of the cell can look at other matches; all views share the files chosen last.

    :param table: the table whose match can be debriefed.
    :param folder: a folder with records of a class, read again on every look.
    :param journal: the journal with more matches, by default ``Journal()``.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    # Moments travel in messages, not in traits, so they never get into a saved notebook.
    messages = Messages()
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
        language: str | None = None,
        *,
        table: "Table | None" = None,
        folder: str | Path | None = None,
        journal: Journal | None = None,
    ) -> None:
        language = language or current_language()
        _check(game, language)
        if table is not None and table.game != game:
            raise ValueError(f"this debrief is about {game}, and the table plays {table.game}")
        self._game = game
        self._table = None
        if table is not None:
            self._table = OnTable(table, lambda: self.send({"type": "moved"}))
        self._folder = None if folder is None else Path(folder)
        self._journal = journal or Journal()
        self._files: list[tuple[str, Content]] = []
        self._left = 0  # files above the maximum
        self._coming: dict[str, list[tuple[str, Content]]] = {}  # view -> the files it is sending
        self._shown: dict[str, tuple[int, list[Picture]]] = {}  # view -> its last look's pictures
        # A game may have its own words for the first and the last step.
        words = pick_texts(TEXTS, WORDS, language, game)
        super().__init__(language=language, words=words, strip=timings.strip("pair", language))

    # Messages

    @messages.handle(kind="open")
    def open_debrief(self) -> dict[str, Any]:
        """Tell all views where matches can come from."""
        return self._sources()

    @messages.handle()
    def file(
        self,
        sender: str,
        name: str,
        text: str | None,
        first: bool = False,
        last: bool = False,
        left: int = 0,
    ) -> dict[str, Any] | None:
        """Take one of the files chosen in a view, without its content if that is too large.

        :param left: how many of the files chosen the browser has not sent.
        """
        if first:
            _remember(self._coming, sender, [])
        coming = self._coming.get(sender, [])
        is_small = text is not None and len(text) <= LARGEST_RECORD
        coming.append((name, text if is_small and len(coming) < MOST_FILES else None))
        if not last:
            return None
        self._left = max(0, len(coming) - MOST_FILES) + max(0, left)
        self._files = coming[:MOST_FILES]
        self._coming.pop(sender, None)
        return self._sources(FROM_FILES)

    @messages.handle()
    def look(self, sender: str, source: str, n: int, names: bool = False) -> dict[str, Any]:
        """Answer with the moments' sentences.

        The browser asks for each picture when it is shown, since drawing takes time.
        """
        selection, moments, why = self._find(source, names)
        pictures: list[Picture] = []
        described = []
        for moment in moments:
            parts: list[dict[str, Any]] = []
            for part in moment.parts:
                if isinstance(part, Picture):
                    parts.append({"picture": len(pictures)})
                    pictures.append(part)
                else:
                    parts.append(browser_part(part))
            described.append(moment._asdict() | {"parts": parts})
        _remember(self._shown, sender, (n, pictures))
        about, noted = self._about(selection)
        return {
            "type": "moments",
            "moments": described,
            "played": len(selection.played),
            "about": about,
            "noted": noted,
            "why": why,
            **self._refusals(selection, self._left if source == FROM_FILES else 0),
        }

    @messages.handle()
    def draw(self, sender: str, n: int, picture: int) -> dict[str, Any] | None:
        """Answer with a picture of the moments last sent to this view, at its look number *n*."""
        last_look, pictures = self._shown.get(sender, (-1, []))
        if n != last_look or not 0 <= picture < len(pictures):
            return None
        try:
            part = browser_part(pictures[picture])
        except Exception as error:  # a bug in the kit
            log.exception("no picture of %s", self._game)
            part = {"text": self._say("undrawn", kind=type(error).__name__)}
        return {"type": "picture", "picture": picture, "part": part}

    @messages.handle(kind="page")
    def make_page(
        self, source: str, names: bool = False, moments: list[int] | None = None
    ) -> dict[str, Any]:
        """Answer with the page to keep: with the moments of these numbers, or all."""
        selection, found, why = self._find(source, names)
        if moments is not None:
            chosen = [moment for number, moment in enumerate(found) if number in moments]
            found = Moments(chosen, self.language)
        title = self._say("title", game=game_text(self._game, "title", self.language))
        about = join_sentences([*self._about(selection), why], self.language)
        content = page(title, about, found, self.language, self.words)
        return {
            "type": "file",
            "name": f"{self._say('file')}.html",
            "mime": "text/html",
            "text": content,
        }

    def _say(self, name: str, **values: Any) -> str:
        return text(TEXTS + name, self.language, **values)

    # Where matches come from

    def _kept(self) -> list[MatchEntry]:
        """Return the journal's matches but those that several people still play."""
        try:
            kept = self._journal.matches(self._game)
        except JournalError:
            return []
        return [match for match in kept if match.over or len(match.people) < 2]

    def _sources(self, now: str = "") -> dict[str, Any]:
        """Return the sources; the view that asks switches to *now* unless that is ``""``."""
        labels = {}
        if self._table is not None:
            labels[FROM_TABLE] = self._say("source.table")
        if kept := self._kept():
            labels[FROM_JOURNAL] = self._say("source.kept", count=len(kept))
        if self._folder is not None:
            labels[FROM_FOLDER] = self._say("source.folder", folder=self._folder.name)
        if self._files or not labels:
            labels[FROM_FILES] = self._say("source.files", count=len(self._files))
        sources = [{"value": source, "label": label} for source, label in labels.items()]
        return {"type": "sources", "sources": sources, "now": now}

    def _select(self, source: str, names: bool) -> Selection:
        """Return the matches of *source*."""
        try:
            if source == FROM_TABLE and self._table is not None:
                return Selection([self._table.tell()])
            if source == FROM_FOLDER and self._folder is not None:
                return self._read(files_in(self._folder), names)
            if source == FROM_JOURNAL and (kept := self._kept()):
                files = [(match.saved, match.record) for match in kept]
                return self._read(files, True, [match.people for match in kept])
            if source == FROM_FILES and self._files:
                return self._read(self._files, names)
        except NothingToShowError as error:
            return Selection(why=self._say(error.why))
        except FileError as error:
            return Selection(why=error.sentence(self.language))
        nothing = "nothing_kept" if source == FROM_JOURNAL else "nothing_chosen"
        return Selection(why=self._say(nothing))

    def _read(
        self,
        files: Sequence[tuple[str, Content]],
        names: bool,
        people: Iterable[Sequence[Seat]] = (),
    ) -> Selection:
        """Return the matches in *files*.

        :param names: whether files are named or only numbered; many files are named after a pupil.
        :param people: the people in each match, for records that do not name them.
        """
        if not names:
            files = [
                (self._say("file_number", number=number), content)
                for number, (_, content) in enumerate(files, 1)
            ]
        people_of = dict(zip((name for name, _ in files), people))
        records = read_records(files, self._game)
        played = []
        for name, match in zip(records.names, records.matches):
            who = match.people
            if who is None and name in people_of:
                who = tuple(seat for seat in match.game.seats if seat in people_of[name])
            played.append(Played(match, who))
        # Matches of computer players alone count only if there are no others.
        counted = [one for one in played if one.people is None or one.people] or played
        why = "" if played else self._say("nothing_usable")
        return Selection(counted, records.refused, why, len(played) - len(counted))

    # What is worth talking about in them

    def _find(self, source: str, names: bool) -> Finding:
        """Return the moments in the matches of *source*."""
        selection = self._select(source, names)
        played = []
        try:
            for one in selection.played:
                match = one.match
                if source == FROM_TABLE:  # the match goes on before all pictures are drawn
                    match = replay(match.record(), game=match.game)
                if not names:
                    match = anonymise_match(match, self.language)
                played.append(one._replace(match=match))
            moments = find_moments(self._game, played, self.language)
        except Exception as error:  # a bug in the kit; its message might name cards
            log.exception("no debrief of %s", self._game)
            why = self._say("broken", kind=type(error).__name__)
            return Finding(selection, Moments([], self.language), why)
        why = selection.why
        if not why and not moments:
            are_over = all(one.match.over for one in played)
            why = self._say("quiet.over" if are_over else "quiet.running")
        return Finding(selection, moments, why)

    def _refusals(self, selection: Selection, left: int) -> dict[str, Any]:
        """Return the sentences about files that were refused, or were *left* out, and a heading."""
        sentences = [error.sentence(self.language) for error in selection.refused]
        if left:
            counts = {"allowed": MOST_FILES, "left": left, "got": MOST_FILES + left}
            sentences.append(self._say("more_files", **counts))
        heading = self._say("refused", count=len(selection.refused) + left)
        return {"refused": sentences, "refused_head": heading}

    def _about(self, selection: Selection) -> tuple[str, str]:
        """Return which matches these are and whose decisions count, and the caveats."""
        matches = [one.match for one in selection.played]
        if not matches:
            return "", ""
        over = sum(match.over for match in matches)
        about = self._say("about.many", matches=len(matches), over=over)
        if len(matches) == 1:
            state = self._say("about.over" if over else "about.running")
            about = self._say("about.one", players=matches[0].game.players, state=state)
        known = [one.people for one in selection.played if one.people is not None]
        people = sum(map(len, known))
        computers = sum(match.game.players for match in matches) - people
        caveats = []
        if unknown := len(matches) - len(known):
            caveats.append(self._say("who.unknown", count=unknown))
            if known:
                caveats.append(self._say("who.others"))
        elif not people:
            caveats.append(self._say("who.computers"))
        elif computers:
            who = self._say("who.mixed", people=people, computers=computers)
            about = join_sentences([about, who], self.language)
        if selection.left_out:
            caveats.append(self._say("who.left", count=selection.left_out))
        return about, join_sentences(caveats, self.language)


def _remember(what: dict[str, Any], view: str, thing: Any) -> None:
    """Set ``what[view]``; above :data:`VIEWS` views the one with the oldest change goes."""
    what.pop(view, None)
    what[view] = thing
    if len(what) > VIEWS:
        del what[next(iter(what))]


def _check(game: str, language: str) -> None:
    kit_of(game)
    check_language(language)


def debrief(
    game: str,
    language: str | None = None,
    *,
    table: "Table | None" = None,
    folder: str | Path | None = None,
) -> Debrief:
    """Return the cell with the moments worth talking about in matches of *game*.

    The matches come from *table*, the journal, the records in *folder*, or files chosen in the
    cell.
    """
    language = language or current_language()
    return Debrief(game, language, table=table, folder=folder)
