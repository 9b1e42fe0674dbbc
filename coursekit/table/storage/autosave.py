"""A table's match, saved while it is played, found again, and what to tell its players of that."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from coursekit.core.chance import new_seed
from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError, replay
from coursekit.core.strategy import Strategy
from coursekit.table.players import player_key, players_by_key
from coursekit.table.run import Run
from coursekit.table.storage.store import HeldElsewhereError, Matches, SaveRequest, StoreError
from coursekit.words.texts import game_titles, text

SAVED_AGAIN = "table.kept_again"


class StoredMatch(NamedTuple):
    """A match that can be gone on with."""

    record: Record
    by: Sequence[str]
    """The keys of who plays its seats; the last strategy offered plays those that are missing."""
    match_id: str | None = None
    """What a browser knows it by; ``None`` for one from a file."""

    def start(self, offered: Sequence[type[Strategy]]) -> tuple[Run, list[str]]:
        """Return it running, and the keys of strategies not among those *offered*.

        The last one offered takes their seats.

        :raises RecordError: if it cannot be replayed.
        """
        match = replay(self.record)
        seats = match.game.players
        players = players_by_key(offered)
        substitute = offered[-1]
        missing = ["person", *[player_key(substitute)] * seats][len(self.by) :]
        keys = [*self.by, *missing][:seats]
        strangers = [key for key in dict.fromkeys(keys) if key not in players]
        seated = [players.get(key, substitute) for key in keys]
        return Run(match.game, seated, match=match, match_id=self.match_id), strangers

    def offer(self) -> dict[str, Any]:
        """Return its id, how many actions all players saw, and whether it is over.

        :raises RecordError: if it cannot be replayed.
        """
        match = replay(self.record)
        # The number of all actions would tell how much others did unseen.
        seen = sum(any(event.is_for(None) for event in events) for events in match.events)
        return {"id": self.match_id or "", "actions": seen, "over": match.over}


class Autosave:
    """Saves the match of one table in *store*, and knows what to tell its players of that."""

    def __init__(self, store: Matches) -> None:
        self._store = store
        self._token = new_seed()  # tells this table from all others that may show the match
        self._news: list[LocalizedError] = []  # told until a reader has noted it
        self.trouble: StoreError | None = None
        """Why what is played here is not being saved."""
        self._begin("")

    def _begin(self, match_id: str) -> None:
        self._match_id = match_id
        self._last: tuple[str, int, int] | None = None  # match, branch and entries saved last
        self._stored: int | None = None  # entries of this match known to be in the store
        self._takes_over = False  # the next save takes it from the table that has it
        self.elsewhere = False
        """Whether another table has the match."""

    def _follow(self, run: Run) -> None:
        """Begin anew if *run* is another match."""
        if self._match_id != run.id:
            self._begin(run.id)

    @property
    def _state(self) -> tuple[Any, ...]:
        trouble = None if self.trouble is None else (self.trouble.text, self.trouble.values)
        return self.elsewhere, trouble, list(self._news)

    # Saving

    def look(self, run: Run) -> bool:
        """Look whether *run* is still this table's; return whether there is news."""
        before = self.elsewhere
        self._follow(run)
        if not before and self._last is not None and not self._takes_over:
            with suppress(StoreError):
                self.elsewhere = self._store.holder(run.id) not in (None, "", self._token)
        return before != self.elsewhere

    def save(self, run: Run) -> bool:
        """Save the match of *run* if a person has played it and it has gone on, also unseen.

        Not being saved is told as long as it lasts, and tried again each time.
        Return whether there is anything new to tell.
        """
        before = self._state
        self._follow(run)
        now = (run.id, run.branch, len(run.match.log))
        try:
            if run.played and not self.elsewhere and (now != self._last or self._takes_over):
                self._save(run)
                self._last = now
                self._takes_over = False
                self._end_trouble()
            elif run.people and not run.played:
                self._store.check()
                self._end_trouble()
        except StoreError as error:
            self.trouble = error
            self._forget_end_of_trouble()
        except HeldElsewhereError:
            self.elsewhere = True
            self.trouble = None
        self._news += self._store.take_news()
        return before != self._state

    def _save(self, run: Run) -> None:
        keys = [player_key(player) for player in run.players]
        request = SaveRequest(run.match.record(), keys, self._token, self._takes_over)
        self._stored = self._store.save(run.id, request, self._stored)
        self._forget_end_of_trouble()

    def _end_trouble(self) -> None:
        """Tell that all is saved again, until a person has decided something more."""
        if self.trouble is not None:
            self.trouble = None
            self._news.append(LocalizedError("", SAVED_AGAIN))

    def _forget_end_of_trouble(self) -> None:
        self._news = [news for news in self._news if news.text != SAVED_AGAIN]

    def take(self, run: Run) -> None:
        """Take the match of *run* from any table that has it, at the next save."""
        self._follow(run)
        self._takes_over = True
        self._stored = None
        self.elsewhere = False

    # Finding a match again

    def find(self, match_id: str, game: str) -> StoredMatch | None:
        """Return the match saved as *match_id*, ``None`` if there is none.

        :raises RecordError: if it is of another game than *game* or cannot be opened, and why.
        :raises LocalizedError: if the store cannot be looked into now.
        """
        try:
            stored = self._store.load(match_id)
        except StoreError as error:
            raise LocalizedError("", "table.store_closed", reason=error) from error
        if stored is None:
            return None
        record, players = stored
        if record.game != game:
            raise RecordError(
                "record.other_game", got=game_titles(record.game), allowed=game_titles(game)
            )
        return StoredMatch(record, players, match_id)

    # What the players are told

    def tell(self, news: LocalizedError) -> None:
        """Tell *news* until a reader has noted it."""
        self._news.append(news)

    def drop_news(self) -> None:
        """Stop telling what a reader has noted."""
        self._news.clear()

    def boxes(self, run: Run, language: str) -> list[dict[str, Any]]:
        """Return the boxes above the table, each with buttons and the messages these send."""

        def box(kind: str, words: LocalizedError, **choices: dict[str, str]) -> dict[str, Any]:
            buttons = [
                {"label": text(f"ui.{name}", language), "send": message}
                for name, message in choices.items()
            ]
            return {"kind": kind, "text": words.sentence(language), "choices": buttons}

        boxes = [box("told", news, close={"type": "noted"}) for news in self._news]
        if self.elsewhere:
            elsewhere = LocalizedError("", "table.elsewhere")
            boxes.append(box("elsewhere", elsewhere, go_on_here={"type": "take"}))
        elif self.trouble is not None and run.private:
            unsaved = LocalizedError("", "table.unkept_private", reason=self.trouble)
            boxes.append(box("unkept", unsaved))
        elif self.trouble is not None and run.people:
            unsaved = LocalizedError("", "table.unkept", reason=self.trouble)
            choices = {"save": {"type": "save"}} if run.played else {}
            boxes.append(box("unkept", unsaved, **choices))
        return boxes
