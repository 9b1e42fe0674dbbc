"""The cell at the end of a notebook: the journal, to hand in, to export and to delete."""

import logging
import re
from datetime import datetime
from typing import Any, ClassVar
from weakref import WeakSet

import traitlets

from coursekit.cells.static_bundle import join_files as joined_files
from coursekit.cells.static_bundle import wrap_in_layer
from coursekit.journal import writers
from coursekit.journal.anonymise import Pseudonym, anonymise_judges, anonymise_record, has_names
from coursekit.journal.entries import LARGEST_JOURNAL, LONGEST_NAME, NO_ANSWER
from coursekit.journal.journal import Journal, JournalError, Whole
from coursekit.kit import kit_of
from coursekit.maps.journal_map import JournalMap
from coursekit.reflect import consent_cell as keep
from coursekit.reflect.handin_page import page
from coursekit.reflect.journal_export import (
    Held,
    counted,
    held,
    map_title,
    markdown,
    matches_by_game,
    spreadsheet,
    title,
)
from coursekit.reflect.page_writer import Written, choose
from coursekit.reflect.question_cell import Asking
from coursekit.reflect.static_files import STATIC
from coursekit.words.texts import LANGUAGES, join_words, text
from coursekit.words.texts import load_texts as texts

TEXTS = "journal.handin."
SAID_THERE = (
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
MESSAGES = ("open", "give", "take", "bring", "forget", "delete")
"""What ``static/handin.js`` may send."""
log = logging.getLogger(__name__)


class HandIn(Written):
    """Shows the content of the journal and offers it as files: to hand in, or whole for a later
    import.

    :param game: the game chosen to hand in at first, ``""`` for all.
    :param journal: by default ``Journal()``.
    :raises ValueError: for an unknown game or language.
    """

    # The journal's content travels in messages, and its owner's name stays in the browser.
    _esm = joined_files(STATIC, {"js": ("cell", "writers", "handin")}, "js")
    _css = wrap_in_layer(joined_files(STATIC, {"css": ("journal", "writers", "handin")}, "css"))
    game = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    limits = traitlets.Dict({"name": LONGEST_NAME, "file": LARGEST_JOURNAL, "piece": PIECE}).tag(
        sync=True
    )

    _open: ClassVar["WeakSet[HandIn]"] = WeakSet()

    def __init__(
        self, language: str = LANGUAGES[0], *, game: str = "", journal: Journal | None = None
    ) -> None:
        if game:
            kit_of(game)
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        own = journal or Journal()
        self._journal = writers.journal_of(own, writers.chosen(own))
        self._follows = False  # whether the browser knows the current content of the journal
        self._coming: tuple[Any, list[bytes]] = (
            "",
            [],
        )  # the view that sends a journal, and its pieces so far
        words = {name: texts()[TEXTS + name][language] for name in SAID_THERE}
        super().__init__(own, language, game=game, words=words)
        self.on_msg(self._on_message)
        self._open.add(self)
        self._watched = {own.path}
        own.watch(self._changed)
        self._turn()
        self.observe(self._turn, "writer")

    def _turn(self, _change: Any = None) -> None:
        """Turn to the journal of who writes now."""
        self._journal = writers.journal_of(self._own, self.writer)
        if self._journal.path not in self._watched:
            self._watched.add(self._journal.path)
            self._journal.watch(self._changed)

    def _on_message(self, _widget: Any, content: Any, buffers: Any) -> None:
        kind = content.get("type") if isinstance(content, dict) else None
        if isinstance(content, dict) and self.take_turns(content):
            return
        if kind not in MESSAGES or content.get("writer", 0) != self.writer:
            return
        try:
            for map in JournalMap.open_maps(self._journal):
                map.save()  # what was drawn in the last second
            if kind == "open":
                self._tell()
            elif kind == "give":
                self._give(content)
            elif kind == "take":
                self._take(content)
            elif kind == "bring" and len(buffers) == 1:
                self._bring(content, bytes(buffers[0]))
            elif kind == "forget":
                self._journal.forget_matches()
                self._all_tell(text(f"{TEXTS}forgotten", self.language))
            elif kind == "delete" and isinstance(game := content.get("game"), str):
                self._delete(content, game)
        except JournalError as error:
            self._answer(content, type="failed", text=error.sentence(self.language))
        except Exception as error:  # a bug in the kit
            log.exception("the journal could not %s", kind)
            words = text(f"{TEXTS}broken", self.language, kind=type(error).__name__)
            self._answer(content, type="failed", text=words)

    def _changed(self) -> None:
        """Tell the browser once that the journal has changed; a visible cell then asks again."""
        if self._follows:
            self._follows = False
            self.send({"type": "changed"})

    def _answer(self, content: dict[str, Any], **parts: Any) -> None:
        """Send an answer to *content* to the view that asked."""
        self.send(parts | {"to": content.get("from")})

    def _give(self, content: dict[str, Any]) -> None:
        form, game, name = (content.get(part) for part in ("form", "game", "name"))
        if (
            not isinstance(game, str)
            or not isinstance(name, str)
            or not isinstance(form, str)
            or form not in FORMS
        ):
            return
        self._answer(content, type="making")  # drawing the maps takes time
        ending, mime, write = FORMS[form]
        name = " ".join(name.split())[:LONGEST_NAME]
        now = f"{datetime.now():%Y%m%d-%H%M%S-%f}"[
            :-3
        ]  # thousandths of a second, too: a class hands in at once
        whose = re.sub(r"\W+", "-", name).strip("-") or now
        file = f"{self.words['file']}-{whose}"
        whole, names = self._leaving(content)
        games = held(whole, game)
        made = text(
            f"{TEXTS}{'made_page' if form == 'page' else 'made'}",
            self.language,
            name=f"{file}.{ending}",
        )
        self._send_file(
            content, f"{file}.{ending}", mime, write(games, self.language, name), made, names
        )

    def _take(self, content: dict[str, Any]) -> None:
        _, names = self._leaving(content)
        whole = self._journal.exported(None if names else self._pseudonym)
        name = f"{self.words['journal_file']}.json"
        made = text(f"{TEXTS}made_whole", self.language, name=name)
        self._send_file(content, name, "application/json", whole, made, names)

    def _leaving(self, content: dict[str, Any]) -> tuple[Whole, bool]:
        """Return the journal as it may leave this computer, and whether names of others stay in it.

        They stay only if the reader has asked for it.
        """
        whole, names = self._journal.whole(), content.get("names") is True
        return (whole if names else _nameless(whole, self._pseudonym)), names

    def _pseudonym(self, number: int) -> str:
        return text(f"{TEXTS}judge", self.language, number=number)

    def _send_file(
        self, content: dict[str, Any], name: str, mime: str, words: str, made: str, names: bool
    ) -> None:
        told = [made]
        if _names(self._journal.whole()):
            told.append(text(f"{TEXTS}{'named' if names else 'unnamed'}", self.language))
        self._answer(
            content, type="file", name=name, mime=mime, text=words, notice=self._in_prose(told)
        )

    def _in_prose(self, sentences: list[str]) -> str:
        return (" " if self.language == "en" else "").join(sentences)

    def _bring(self, content: dict[str, Any], piece: bytes) -> None:
        """Take one piece of a journal, and ask for the next or import the whole."""
        view, at, last = (content.get(part) for part in ("from", "piece", "last"))
        if at == 0:
            self._coming = (view, [])
        known, pieces = self._coming
        if known != view or at != len(pieces):
            return  # another view has begun meanwhile
        pieces.append(piece)
        if not last and sum(map(len, pieces)) <= LARGEST_JOURNAL:
            self._answer(content, type="more", piece=len(pieces))
            return
        self._coming = ("", [])
        brought = self._journal.bring(b"".join(pieces))
        self._refresh()
        told = [text(f"{TEXTS}brought", self.language, **brought._asdict())]
        if not brought.whole:
            told.append(text(f"{TEXTS}not_whole", self.language))
        self._all_tell(self._in_prose(told))

    def _delete(self, content: dict[str, Any], game: str) -> None:
        self._journal.delete(game)
        self._refresh()
        if self.writer and not game:
            self._answer(content, type="deleted", game=game)
            choose(self._own, 0)
            return
        self._answer(content, type="deleted", game=game)
        told = text(f"{TEXTS}deleted_game", self.language, game=title(game, self.language))
        self._all_tell(told if game else text(f"{TEXTS}deleted", self.language))

    def _refresh(self) -> None:
        """Show the journal's current answers and maps in the cells on the page."""
        answers = self._journal.answers()
        for each in Asking.opened:
            if each.own.path == self._own.path:
                each.show(self.writer, answers.get(each.key, NO_ANSWER))
        for map in JournalMap.open_maps(self._journal):
            map.renew()

    def _all_tell(self, notice: str) -> None:
        """Show the journal's current content in all cells on the page, and *notice* in this one."""
        keep.tell_all(self._journal)
        for cell in self._open:
            if cell._journal.path == self._journal.path:
                cell._tell(notice if cell is self else "", asked=cell is self)

    def _tell(self, notice: str = "", asked: bool = True) -> None:
        """Send the journal's content, game by game, and what a deletion would remove.

        :param asked: whether a reader has asked this cell; other cells may not be on any page.
        """
        self._follows = True
        whole = self._journal.whole()
        games = held(whole)
        if asked and (aside := self._journal.take_aside()):
            notice = text("reflect.damaged", self.language, name=aside)
        shown = [
            {"game": each.game, "title": title(each.game, self.language), "line": self._line(each)}
            for each in games
        ]
        matches = matches_by_game(
            [match for each in games for match in each.matches], self.language
        )
        damaged = [each.name for each in self._journal.damaged]
        self.send(
            {
                "type": "state",
                "games": shown,
                "notice": notice,
                "names": _names(whole),
                **self._lacking(games, whole.agreed.get(self.game)),
                "aside": text(
                    f"{TEXTS}aside", self.language, names=join_words(damaged, self.language)
                )
                if damaged
                else "",
                "forget": text(f"{keep.TEXTS}sure", self.language, games=matches)
                if matches
                else "",
                "delete": self._scopes(games, damaged),
            }
        )

    def _line(self, each: Held) -> str:
        """Return the content of a game in one line."""
        answered = sum(bool(answer.text.strip()) for _, answer in each.answers)
        parts = (
            [text(f"{TEXTS}answers", self.language, count=answered, all=each.asked)]
            if each.asked or answered
            else []
        )
        for name, entry in each.maps.items():
            concepts, relations = counted(entry)
            size = {
                "map": map_title(name, self.language),
                "concepts": concepts,
                "relations": relations,
            }
            parts.append(text(f"{TEXTS}map", self.language, **size))
        if each.matches:
            parts.append(text(f"{TEXTS}matches", self.language, count=len(each.matches)))
        return " · ".join(parts)

    def _lacking(self, games: list[Held], agreed: bool | None) -> dict[str, Any]:
        """Return what is still missing of the game chosen at first, and where it comes from."""
        here = next((each for each in games if each.game == self.game), None)
        if here is None and self.game == "" and games:
            return {"nothing": "", "lacks": []}
        there = (
            here and any(answer.text.strip() for _, answer in here.answers),
            here and here.maps,
            here and here.matches,
        )
        ways = ("answers", "maps", "matches_agreed" if agreed else "matches")
        lacks = [
            text(f"journal.handin.lacks.{way}", self.language)
            for way, found in zip(ways, there)
            if not found
        ]
        if not games:
            return {"nothing": text(f"{TEXTS}nothing", self.language), "lacks": lacks}
        name = title(self.game, self.language)
        return {
            "nothing": text(f"{TEXTS}lacking", self.language, game=name) if lacks else "",
            "lacks": lacks,
        }

    def _scopes(self, games: list[Held], damaged: list[str]) -> list[dict[str, str]]:
        """Return the possible deletions, everything or one game, and what each removes."""
        if not games and not damaged:
            return []
        lines = {each.game: self._goes(each) for each in games}
        words = [
            text(f"{TEXTS}sure_all", self.language),
            *lines.values(),
            text(f"{TEXTS}sure_agreed", self.language),
        ]
        if damaged:
            words.append(
                text(
                    f"{TEXTS}sure_damaged", self.language, names=join_words(damaged, self.language)
                )
            )
        scopes = [
            {"game": "", "label": text(f"{TEXTS}whole", self.language), "text": "\n".join(words)}
        ]
        for game, line in lines.items() if len(games) > 1 else ():
            if game:
                label = text(f"{TEXTS}only", self.language, game=title(game, self.language))
                only = text(f"{TEXTS}sure_game", self.language)
                scopes.append({"game": game, "label": label, "text": f"{only}\n{line}"})
        return scopes

    def _goes(self, each: Held) -> str:
        """Return the content of a game, with the judgements of its maps."""
        counts = {
            "answers": len(each.answers),
            "maps": len(each.maps),
            "judgements": sum(
                len(said) for judges in each.judged.values() for said in judges.values()
            ),
            "matches": len(each.matches),
        }
        parts = [
            text(f"journal.handin.goes.{part}", self.language, count=count)
            for part, count in counts.items()
            if count
        ]
        what = join_words(parts, self.language)
        return text(
            f"{TEXTS}goes_of", self.language, game=title(each.game, self.language), parts=what
        )


def _names(whole: Whole) -> bool:
    """Return whether a journal has names: of players, or of those who judged a map."""
    return any(has_names(match.record) for match in whole.matches) or any(whole.judgements.values())


def _nameless(whole: Whole, pseudonym: Pseudonym) -> Whole:
    matches = [match._replace(record=anonymise_record(match.record)) for match in whole.matches]
    return whole._replace(matches=matches, judgements=anonymise_judges(whole.judgements, pseudonym))


def hand_in(language: str = LANGUAGES[0], *, game: str = "") -> HandIn:
    """Return the cell to hand in the journal: ``hand_in("en", game="wizard")``.

    :param game: the game chosen at first, ``""`` for all.
    """
    return HandIn(language, game=game)
