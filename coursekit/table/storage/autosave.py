"""Matches kept while they are played, and gone on with on another page."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.chance import new_seed
from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError, replay
from coursekit.core.strategy import Strategy
from coursekit.table.players import player_key, players_by_key
from coursekit.table.run import Run
from coursekit.table.storage.store import Held, HeldElsewhereError, Matches, StoreError
from coursekit.words.texts import text


@lru_cache
def store_in(directory: Path) -> Matches:
    """Return the store of *directory*, one for all tables of a notebook.

    It is a database, or files in a browser, where the pages of a site exchange whole files.
    """
    if sys.platform == "emscripten":
        from coursekit.table.storage.file_store import FileStore

        return FileStore(directory)
    from coursekit.table.storage.sqlite_store import Store

    return Store(directory)


class KeptMatch(NamedTuple):
    """A match that can be gone on with."""

    record: Record
    by: Sequence[str]
    """The keys of who plays its seats; the last strategy offered plays those that are missing."""
    id: str | None = None
    """What a browser knows it by; ``None`` for one from a file."""

    def opened(self, offered: Sequence[type[Strategy]]) -> tuple[Run, list[str]]:
        """Return it running, and the keys of strategies not among those *offered*, whose seats the
        last one takes.

        :raises RecordError: if it cannot be replayed.
        """
        known, match, best = players_by_key(offered), replay(self.record), offered[-1]
        by = [*self.by, *["person", *[player_key(best)] * match.game.players][len(self.by) :]][
            : match.game.players
        ]
        strangers = [each for each in dict.fromkeys(by) if each not in known]
        return Run(
            match.game, [known.get(each, best) for each in by], match=match, id=self.id
        ), strangers

    def offer(self) -> dict[str, Any]:
        """Return what the question is made of: whether to go on with it, or to look at it again if
        it is over.

        :raises RecordError: if it cannot be replayed.
        """
        match = replay(self.record)
        # Those that all players saw: the number of all would tell how much others did unseen.
        seen = sum(any(event.is_for(None) for event in events) for events in match.events)
        return {"id": self.id or "", "actions": seen, "over": match.over}


class Keeping:
    """Keeps the match of one table in *store*, and knows what its players must be told about that."""

    def __init__(self, store: Matches) -> None:
        self._store = store
        self._id = ""  # of the match
        self._token = new_seed()  # tells this table from all others that may show the match
        self._last: tuple[str, int, int] | None = None  # match, branch and entries kept last
        self._stored: int | None = None  # entries of this match known to be in the store
        self._take = False  # it is to be taken over from whichever table has it
        self._told: list[LocalizedError] = []  # what has happened, until a reader has noted it
        self.elsewhere = False
        """Whether another table has the match."""
        self.trouble: StoreError | None = None
        """Why what is played here is not being kept."""

    @property
    def _state(self) -> tuple[Any, ...]:
        return (
            self.elsewhere,
            self.trouble and (self.trouble.text, self.trouble.values),
            list(self._told),
        )

    # What is kept

    def look(self, run: Run) -> bool:
        """Look whether *run* is still this table's; return whether there is anything new to tell."""
        before = self.elsewhere
        self._follow(run)
        if not before and self._last is not None and not self._take:
            with suppress(StoreError):
                self.elsewhere = self._store.holder(run.id) not in (None, "", self._token)
        return before != self.elsewhere

    def keep(self, run: Run) -> bool:
        """Keep the match of *run* if a person has played it and it has gone on, also unseen.

        Not being kept is told as long as it lasts, and tried again each time.
        Return whether there is anything new to tell.
        """
        before = self._state
        self._follow(run)
        now = (run.id, run.branch, len(run.match.log))
        try:
            if run.played and not self.elsewhere and (now != self._last or self._take):
                held = Held(
                    run.match.record(),
                    [player_key(each) for each in run.players],
                    self._token,
                    self._take,
                )
                self._stored = self._store.save(run.id, held, self._stored)
                self._settle()
                self._last, self._take = now, False
                self._calm()
            elif run.people and not run.played:
                self._store.check()
                self._calm()
        except StoreError as error:
            self.trouble = error
            self._settle()
        except HeldElsewhereError:
            self.elsewhere, self.trouble = True, None
        self._told += self._store.take_news()
        return before != self._state

    def _follow(self, run: Run) -> None:
        """Begin anew with another match."""
        if self._id != run.id:
            self._id, self._last, self._stored, self._take, self.elsewhere = (
                run.id,
                None,
                None,
                False,
                False,
            )

    def _calm(self) -> None:
        """Note that all is kept; that it is so again is told until a person has decided something
        more.
        """
        if self.trouble is not None:
            self.trouble = None
            self._told.append(LocalizedError("", "table.kept_again"))

    def _settle(self) -> None:
        self._told = [each for each in self._told if each.text != "table.kept_again"]

    def take(self, run: Run) -> None:
        """Take the match of *run* over from whichever table has it, when it is kept next."""
        self._follow(run)
        self._take, self.elsewhere, self._stored = True, False, None

    def tell(self, words: LocalizedError) -> None:
        """Tell that something has happened."""
        self._told.append(words)

    def noted(self) -> None:
        """Tell no more what a reader has noted."""
        self._told.clear()

    # What is found again

    def find(self, id: str, game: str) -> KeptMatch | None:
        """Return the match kept as *id*, ``None`` if there is none.

        :raises RecordError: if it is of another game than *game* or cannot be opened, and why.
        :raises LocalizedError: if the store cannot be looked into now.
        """
        try:
            kept = self._store.load(id)
        except StoreError as error:
            raise LocalizedError("", "table.store_closed", reason=error) from error
        if kept is not None and kept[0].game != game:
            raise RecordError("record.other_game", got=kept[0].game, allowed=game)
        return None if kept is None else KeptMatch(*kept, id)

    # What is told

    def boxes(self, run: Run, language: str) -> list[dict[str, Any]]:
        """Return what the page says above the table, with the buttons for it: what each sends to
        the table.
        """

        def box(kind: str, words: LocalizedError, **choices: dict[str, str]) -> dict[str, Any]:
            named = [
                {"label": text(f"ui.{name}", language), "send": send}
                for name, send in choices.items()
            ]
            return {"kind": kind, "text": words.sentence(language), "choices": named}

        boxes = [box("told", each, close={"type": "noted"}) for each in self._told]
        if self.elsewhere:
            boxes.append(
                box("elsewhere", LocalizedError("", "table.elsewhere"), go_on_here={"type": "take"})
            )
        elif self.trouble is not None and run.private:
            boxes.append(
                box("unkept", LocalizedError("", "table.unkept_private", reason=self.trouble))
            )
        elif self.trouble is not None and run.people:
            choices = {"save": {"type": "save"}} if run.played else {}
            boxes.append(
                box("unkept", LocalizedError("", "table.unkept", reason=self.trouble), **choices)
            )
        return boxes
