"""The cell at the end of a notebook: the journal, to hand in, to export and to delete."""

import os
import re
from datetime import datetime
from typing import Any, ClassVar, Literal
from weakref import WeakSet

import traitlets

from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.core.page_messages import Message, MessageError, Messages
from coursekit.journal import writer_groups
from coursekit.journal.anonymise import Pseudonym, anonymise_judges, anonymise_record, has_names
from coursekit.journal.entries import LARGEST_JOURNAL, LONGEST_NAME, NO_ANSWER
from coursekit.journal.journal import Journal, Whole
from coursekit.kit import kit_of
from coursekit.maps.journal_map import JournalMap
from coursekit.reflect import consent_cell
from coursekit.reflect.handin_page import page
from coursekit.reflect.journal_export import (
    GameEntries,
    entries_by_game,
    game_title,
    map_size,
    map_title,
    markdown,
    matches_by_game,
    spreadsheet,
)
from coursekit.reflect.page_writer import WriterCell, choose
from coursekit.reflect.question_cell import Asking
from coursekit.reflect.static_files import STATIC
from coursekit.words.characters import is_visible
from coursekit.words.language import current_language
from coursekit.words.texts import join_sentences, join_words, pick_texts, text

TEXTS = "journal.handin."
WORDS = (
    "heading",
    "opening",
    "offline",
    "hand_over",
    "hand_over_hint",
    "hand_over_group",
    "name",
    "name_hint",
    "what",
    "everything",
    "page",
    "other_forms",
    "markdown",
    "spreadsheet",
    "making",
    "along",
    "along_hint",
    "journal",
    "bring",
    "bringing",
    "large",
    "delete",
    "forget",
    "delete_all",
    "delete_yes",
    "delete_no",
    "delete_last",
    "delete_first",
    "delete_what",
    "file",
    "journal_file",
    "rescued",
    "keep_names",
)
"""The texts sent to the browser."""
FORMS = {
    "page": ("html", "text/html", page),
    "markdown": ("md", "text/markdown", markdown),
    "spreadsheet": ("csv", "text/csv", spreadsheet),
}
"""Form to hand in -> file suffix, media type, and the function that writes it."""
PIECE = 4_000_000
"""Maximum bytes of a journal in one message; a server refuses over 10 MB
(``websocket_max_message_size``).
"""
PARTS: Bundle = {
    "js": ("cell", "writers", "handin"),
    "css": ("journal", "writers", "handin"),
}


class HandIn(WriterCell):
    """Shows the content of the journal and offers it as files: to hand in, or to import later.

    :param game: the game chosen to hand in at first, ``""`` for all.
    :param journal: by default ``Journal()``.
    :raises ValueError: for an unknown game or language.
    """

    # The journal's content travels in messages, and its owner's name stays in the browser.
    _esm = join_files(STATIC, PARTS, "js")
    _css = wrap_in_layer(join_files(STATIC, PARTS, "css"))
    messages = Messages(WriterCell.messages)
    game = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    limits = traitlets.Dict({"name": LONGEST_NAME, "file": LARGEST_JOURNAL, "piece": PIECE}).tag(
        sync=True
    )

    _handins: ClassVar["WeakSet[HandIn]"] = WeakSet()

    def __init__(
        self, language: str | None = None, *, game: str = "", journal: Journal | None = None
    ) -> None:
        language = language or current_language()
        if game:
            kit_of(game)
        own = journal or Journal()
        consent_cell.askers.add(self)
        self._is_told = False  # whether the browser knows the current content of the journal
        self._importing_view = ""  # the view that sends a journal
        self._pieces: list[bytes] = []  # what has come of it
        words = pick_texts(TEXTS, WORDS, language)
        if "BINDER_LAUNCH_HOST" in os.environ:
            words["binder"] = text(f"{TEXTS}binder", language)
        super().__init__(own, language, game=game, words=words)
        self._handins.add(self)
        self._watched = {own.path}
        own.watch(self.tell_change)
        self._turn()
        self.observe(self._turn, "writer")

    def _turn(self, _change: Any = None) -> None:
        """Turn to the journal of who writes now."""
        self._journal = writer_groups.journal_of(self.own, self.writer)
        if self._journal.path not in self._watched:
            self._watched.add(self._journal.path)
            self._journal.watch(self.tell_change)

    def deliver(self, message: Message, sender: str, data: list[bytes]) -> dict[str, Any] | None:
        """Return the handler's answer; a view of another writer, which is late, gets none."""
        if "writer" in message.handler.parts:
            if message.arguments.get("writer", 0) != self.writer:
                return None
            for journal_map in JournalMap.open_maps(self._journal):
                journal_map.save()  # what was drawn in the last second
        return super().deliver(message, sender, data)

    def tell_change(self) -> None:
        """Tell the browser once that the journal has changed; a visible cell then asks again."""
        if self._is_told:
            self._is_told = False
            self.send({"type": "changed"})

    @messages.handle(kind="open")
    def open_journal(self, writer: int = 0) -> None:
        """Show the journal's content."""
        self._send_state()

    @messages.handle()
    def give(
        self,
        sender: str,
        form: Literal["page", "markdown", "spreadsheet"],
        game: str,
        name: str,
        names: bool = False,
        writer: int = 0,
    ) -> dict[str, Any]:
        """Answer with the journal as a file to hand in."""
        if name.strip() and not is_visible(name):
            raise MessageError("name.unseen")
        self.send({"type": "making", "to": sender})  # drawing the maps takes time
        suffix, mime, write = FORMS[form]
        name = " ".join(name.split())[:LONGEST_NAME]
        # Thousandths of a second, too: a class hands in at once.
        time = f"{datetime.now():%Y%m%d-%H%M%S-%f}"[:-3]
        whose = re.sub(r"\W+", "-", name).strip("-") or time
        file_name = f"{self.words['file']}-{whose}.{suffix}"
        whole = self._journal.whole()
        if not names:
            whole = _anonymise(whole, self._pseudonym)
        content = write(entries_by_game(whole, game), self.language, name)
        made = "made_page" if form == "page" else "made"
        notice = text(f"{TEXTS}{made}", self.language, name=file_name)
        return self._file(file_name, mime, content, notice, names)

    @messages.handle()
    def take(self, names: bool = False, writer: int = 0) -> dict[str, Any]:
        """Answer with the whole journal as a file, for a later import."""
        content = self._journal.exported(None if names else self._pseudonym)
        file_name = f"{self.words['journal_file']}.json"
        notice = text(f"{TEXTS}made_whole", self.language, name=file_name)
        return self._file(file_name, "application/json", content, notice, names)

    def _pseudonym(self, number: int) -> str:
        return text(f"{TEXTS}judge", self.language, number=number)

    def _file(self, name: str, mime: str, content: str, notice: str, names: bool) -> dict[str, Any]:
        """Return a file as an answer; *names* says whether names of others stay in it."""
        notices = [notice]
        if _has_names(self._journal.whole()):
            notices.append(text(f"{TEXTS}{'named' if names else 'unnamed'}", self.language))
        return {
            "type": "file",
            "name": name,
            "mime": mime,
            "text": content,
            "notice": join_sentences(notices, self.language),
        }

    @messages.handle()
    def bring(
        self, sender: str, data: list[bytes], piece: int, last: bool = False, writer: int = 0
    ) -> dict[str, Any] | None:
        """Take one piece of a journal, and ask for the next or import the whole."""
        if len(data) != 1:
            raise MessageError
        if piece == 0:
            self._importing_view = sender
            self._pieces = []
        if sender != self._importing_view or piece != len(self._pieces):
            return None  # another view has begun meanwhile
        self._pieces += data
        if not last and sum(map(len, self._pieces)) <= LARGEST_JOURNAL:
            return {"type": "more", "piece": len(self._pieces)}
        content = b"".join(self._pieces)
        self._pieces = []
        brought = self._journal.bring(content)
        self._refresh()
        notices = [text(f"{TEXTS}brought", self.language, **brought._asdict())]
        if not brought.whole:
            notices.append(text(f"{TEXTS}not_whole", self.language))
        self._send_states(join_sentences(notices, self.language))
        return None

    @messages.handle()
    def agree(self, yes: bool, writer: int = 0) -> None:
        """Hear whether the match on the table may be kept, where nobody has said so yet."""
        cell = consent_cell.unanswered(self._journal, self.game)
        if cell is not None:
            cell.answer(yes)
        self._send_states("")

    @messages.handle()
    def forget(self, writer: int = 0) -> None:
        """Delete all matches."""
        self._journal.forget_matches()
        self._send_states(text(f"{TEXTS}forgotten", self.language))

    @messages.handle()
    def delete(self, sender: str, game: str, writer: int = 0) -> None:
        """Delete the journal, or the entries of one game."""
        self._journal.delete(game)
        self._refresh()
        self.send({"type": "deleted", "game": game, "to": sender})
        if self.writer and not game:
            choose(self.own, 0)
            return
        notice = text(f"{TEXTS}deleted", self.language)
        if game:
            title = game_title(game, self.language)
            notice = text(f"{TEXTS}deleted_game", self.language, game=title)
        self._send_states(notice)

    def _refresh(self) -> None:
        """Show the journal's current answers and maps in the cells on the page."""
        answers = self._journal.answers()
        for asking in Asking.opened:
            if asking.own.path == self.own.path:
                asking.show(self.writer, answers.get(asking.key, NO_ANSWER))
        for journal_map in JournalMap.open_maps(self._journal):
            journal_map.renew()

    def _send_states(self, notice: str) -> None:
        """Show the journal's content in all cells on the page, and *notice* in this one."""
        consent_cell.tell_all(self._journal)
        for cell in self._handins:
            if cell._journal.path == self._journal.path:
                cell._send_state(notice if cell is self else "", asked=cell is self)

    def _send_state(self, notice: str = "", asked: bool = True) -> None:
        """Send the journal's content, game by game, and what a deletion would remove.

        :param asked: whether a reader has asked this cell; other cells may not be on any page.
        """
        self._is_told = True
        language = self.language
        whole = self._journal.whole()
        games = sorted(entries_by_game(whole), key=lambda entries: entries.game != self.game)
        if asked and (aside := self._journal.take_aside()):
            notice = text("reflect.damaged", language, name=aside)
        matches = matches_by_game([match for game in games for match in game.matches], language)
        damaged = [path.name for path in self._journal.damaged]
        aside_line = ""
        if damaged:
            aside_line = text(f"{TEXTS}aside", language, names=join_words(damaged, language))
        forget_line = text(f"{consent_cell.TEXTS}sure", language, games=matches) if matches else ""
        nothing, lacks = self._missing(games, whole.agreed.get(self.game))
        asks = consent_cell.unanswered(self._journal, self.game) is not None
        self.send(
            {
                "type": "state",
                "asks": pick_texts(consent_cell.TEXTS, ("ask", "yes", "no"), language)
                if asks
                else None,
                "games": [
                    {
                        "game": game.game,
                        "title": game_title(game.game, language),
                        "line": self._line(game),
                    }
                    for game in games
                ],
                "notice": notice,
                "names": _has_names(whole),
                "nothing": nothing,
                "lacks": lacks,
                "aside": aside_line,
                "forget": forget_line,
                "delete": self._scopes(games, damaged),
            }
        )

    def _line(self, game: GameEntries) -> str:
        """Return the content of a game in one line."""
        language = self.language
        parts = []
        answers = sum(bool(answer.text.strip()) for _, answer in game.answers)
        asks = game.game == self.game or (answers and not self.game)
        if asks and game.questions:
            parts.append(text(f"{TEXTS}answers", language, count=answers, all=game.questions))
        elif answers:
            parts.append(text(f"{TEXTS}answers_elsewhere", language, count=answers))
        for name, entry in game.maps.items():
            concepts, relations = map_size(entry)
            title = map_title(name, language)
            size = {"map": title, "concepts": concepts, "relations": relations}
            parts.append(text(f"{TEXTS}map", language, **size))
        if game.matches:
            parts.append(text(f"{TEXTS}matches", language, count=len(game.matches)))
        return " · ".join(parts)

    def _missing(self, games: list[GameEntries], agreed: bool | None) -> tuple[str, list[str]]:
        """Return what is missing of the game chosen at first, and where that comes from."""
        if games and not self.game and all(game.game for game in games):
            return "", []
        chosen = next((game for game in games if game.game == self.game), None)
        ways = {"answers": False, "maps": False, "matches": False}
        if chosen is not None:
            ways["answers"] = any(answer.text.strip() for _, answer in chosen.answers)
            ways["maps"] = bool(chosen.maps)
            ways["matches"] = bool(chosen.matches)
        lacks = [way for way, is_there in ways.items() if not is_there]
        sentences = []
        for way in lacks:
            way = "matches_agreed" if way == "matches" and agreed else way
            sentences.append(text(f"journal.handin.lacks.{way}", self.language))
        heading = ""
        if not games:
            heading = text(f"{TEXTS}nothing", self.language)
        elif lacks:
            title = game_title(self.game, self.language)
            heading = text(f"{TEXTS}lacking", self.language, game=title)
        return heading, sentences

    def _scopes(self, games: list[GameEntries], damaged: list[str]) -> list[dict[str, str]]:
        """Return the possible deletions, everything or one game, and what each removes."""
        if not games and not damaged:
            return []
        language = self.language
        lines = {game.game: self._deletion_line(game) for game in games}
        everything = [
            text(f"{TEXTS}sure_all", language),
            *lines.values(),
            text(f"{TEXTS}sure_agreed", language),
        ]
        if damaged:
            names = join_words(damaged, language)
            everything.append(text(f"{TEXTS}sure_damaged", language, names=names))
        label = text(f"{TEXTS}whole", language)
        scopes = [{"game": "", "label": label, "text": "\n".join(everything)}]
        if len(games) < 2:
            return scopes
        only = text(f"{TEXTS}sure_game", language)
        for game, line in lines.items():
            if game:
                label = text(f"{TEXTS}only", language, game=game_title(game, language))
                scopes.append({"game": game, "label": label, "text": f"{only}\n{line}"})
        return scopes

    def _deletion_line(self, game: GameEntries) -> str:
        """Return the content of a game, with the judgements of its maps."""
        judgements = 0
        for judges in game.judgements.values():
            judgements += sum(map(len, judges.values()))
        counts = {
            "answers": len(game.answers),
            "maps": len(game.maps),
            "judgements": judgements,
            "matches": len(game.matches),
        }
        parts = [
            text(f"journal.handin.goes.{part}", self.language, count=count)
            for part, count in counts.items()
            if count
        ]
        what = join_words(parts, self.language)
        title = game_title(game.game, self.language)
        return text(f"{TEXTS}goes_of", self.language, game=title, parts=what)


def _has_names(whole: Whole) -> bool:
    """Return whether a journal has names: of players, or of those who judged a map."""
    return any(has_names(match.record) for match in whole.matches) or any(whole.judgements.values())


def _anonymise(whole: Whole, pseudonym: Pseudonym) -> Whole:
    matches = [match._replace(record=anonymise_record(match.record)) for match in whole.matches]
    return whole._replace(matches=matches, judgements=anonymise_judges(whole.judgements, pseudonym))


def hand_in(language: str | None = None, *, game: str = "") -> HandIn:
    """Return the cell to hand in the journal: ``hand_in("en", game="wizard")``.

    :param game: the game chosen at first, ``""`` for all.
    """
    language = language or current_language()
    return HandIn(language, game=game)
