"""How a table comes to a match that was played before: offered, taken over from another page, or
from a file.
"""

from collections.abc import Sequence
from typing import Any

from coursekit.cells.environment import on_page
from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError
from coursekit.core.strategy import Strategy
from coursekit.table.players import player_key, player_name
from coursekit.table.run import Run, StaleError
from coursekit.table.storage.autosave import Keeping, KeptMatch
from coursekit.table.storage.store import follows
from coursekit.words.texts import join_words, text


class Reopening:
    """The messages of ``table.js`` by which a :class:`.Table` gets a match that was played before."""

    resumed: bool
    """Whether the match on the table was played here before, and kept on this computer; one from a
    file was not.
    """
    _keeping: Keeping
    _language: str
    _offer: dict[str, Any] | None
    _notice: str
    _unopened: dict[str, Any] | None
    """The hello whose match wants words or cards that are not loaded yet."""
    _sit_down: Any

    @property
    def game(self) -> str:
        """The name of the game on the table."""
        return self._run.game.name

    @property
    def _run(self) -> Run:
        raise NotImplementedError

    @property
    def _offered(self) -> Sequence[type[Strategy]]:
        raise NotImplementedError

    def _do_hello(self, content: dict[str, Any]) -> None:
        self._unopened = content
        self._welcome(content)
        self._unopened = None

    def _welcome(self, content: dict[str, Any]) -> None:
        """Go on with the match that the browser remembers, or offer it.

        :raises LocalizedError: if it cannot be opened.
        """
        id = content.get("remembered")
        if self._run.played or id == self._run.id or not isinstance(id, str):
            return
        if (kept := self._keeping.find(id, self.game)) is None:
            return
        # A reload of a page starts a new kernel, but for the reader it is the same page.
        if content.get("same_tab") and on_page():
            self._open(kept)
        else:
            self._offer = kept.offer()

    def _question(self, offer: dict[str, Any]) -> dict[str, str]:
        """Return what asks whether to go on with the match of *offer*, or to look at it again if it
        is over.
        """
        title, resume = (
            ("table.offer_over", "ui.look_again") if offer["over"] else ("table.offer", "ui.resume")
        )
        asked = text(title, self._language, actions=offer["actions"])
        return {"id": offer["id"], "title": asked, "resume": text(resume, self._language)}

    def _do_look(self, _content: dict[str, Any]) -> bool:
        """Look into the store, as every message does; offer what could not be looked up when the
        page opened.
        """
        unopened, before = self._unopened, self._keeping.trouble
        if (
            unopened is None
            or before is None
            or not self._keeping.keep(self._run)
            or self._keeping.trouble is not None
        ):
            return False
        self._do_hello(unopened)
        return True

    def _do_resume(self, content: dict[str, Any]) -> None:
        kept = self._keeping.find(content["id"], self.game)
        self._offer = None
        if kept is None:
            raise StaleError("table.forgotten")
        self._open(kept)

    def _do_take(self, _content: dict[str, Any]) -> None:
        """Take over the match that another page has gone on with; what was played here meanwhile is
        kept as well.
        """
        run = self._run
        mine = run.match.record()
        try:
            kept = self._keeping.find(run.id, self.game)
        except RecordError:
            kept = None
        if kept is None or follows(mine, kept.record):
            self._keeping.take(run)
        elif follows(kept.record, mine):
            self._open(kept)
        else:
            self._sit_down(Run(run.game, run.players, match=run.match))
            self._keeping.tell(LocalizedError("", "table.own_now"))

    def _do_dismiss(self, _content: dict[str, Any]) -> None:
        self._offer = None

    def _do_noted(self, _content: dict[str, Any]) -> None:
        self._keeping.noted()

    def _do_load(self, content: dict[str, Any]) -> None:
        self._open(
            KeptMatch(
                Record.loads(content["text"]), [player_key(player) for player in self._run.players]
            )
        )

    def _open(self, kept: KeptMatch) -> None:
        """Go on with *kept*.

        :raises RecordError: if it belongs to another game.
        """
        game = kept.record.game
        if game != self.game:
            raise RecordError("record.other_game", got=game, allowed=self.game)
        run, strangers = kept.opened(self._offered)
        self._sit_down(run)
        self.resumed = kept.id is not None
        if self.resumed:
            self._keeping.take(run)
        if strangers:
            now = player_name(game, self._offered[-1], self._language)
            self._notice = text(
                "table.strangers",
                self._language,
                who=join_words(strangers, self._language),
                now=now,
            )
