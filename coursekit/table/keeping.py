"""Matches kept while they are played, and gone on with on another page."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from coursekit.core.match import Record, replay
from coursekit.core.strategy import Strategy
from coursekit.table.players import by_key, key
from coursekit.table.run import Run
from coursekit.table.store import Store


class KeptMatch(NamedTuple):
    """A match that can be gone on with."""

    record: Record
    by: Sequence[str]
    """The keys of who plays its seats; the last strategy offered plays those that are missing."""
    id: str | None = None
    """What a browser knows it by; ``None`` for one from a file."""

    def opened(self, offered: Sequence[type[Strategy]]) -> tuple[Run, list[str]]:
        """Return it running, and the keys of strategies not among those *offered*, whose seats the last one takes.

        :raises RecordError: if it cannot be replayed.
        """
        known, match, best = by_key(offered), replay(self.record), offered[-1]
        by = [*self.by, *["person", *[key(best)] * match.game.players][len(self.by) :]][: match.game.players]
        strangers = [each for each in dict.fromkeys(by) if each not in known]
        return Run(match.game, [known.get(each, best) for each in by], match=match, id=self.id), strangers

    def offer(self) -> dict[str, Any] | None:
        """Return what a question whether to go on with it is made of, ``None`` if it is over.

        :raises RecordError: if it cannot be replayed.
        """
        match = replay(self.record)
        if match.over:
            return None
        # Those that all players saw: the number of all would tell how much others did unseen.
        seen = sum(any(event.is_for(None) for event in events) for events in match.events)
        return {"id": self.id or "", "actions": seen}


class Keeping:
    """Keeps the matches of one table in *store*."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last: tuple[str, int, int] | None = None  # match, branch and entries kept last

    def keep(self, run: Run) -> None:
        """Keep the match of *run* if a person has played it and it has gone on, also unseen."""
        now = (run.id, run.branch, len(run.match.log))
        if run.played and now != self._last:
            self._store.save(run.id, run.match.record(), [key(each) for each in run.players])
            self._last = now

    def find(self, id: str, game: str) -> KeptMatch | None:
        """Return the match kept as *id*, ``None`` if there is none of *game* that can be read.

        :raises RecordError: if the file that it was played with has to be loaded first.
        """
        kept = self._store.load(id)
        return KeptMatch(*kept, id) if kept is not None and kept[0].game == game else None
