"""The league of a class: the strategies that its pupils have handed in, played while the room goes
on.
"""

import logging
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.league import standing_page
from coursekit.league.tournament import League, play_league

MATCHES = 200
"""Fewest matches of each strategy."""
log = logging.getLogger(__name__)


class ClassLeague:
    """One league, in a folder of its own: the strategies as files, and the results.

    :param folder: which is made.
    :param entries: the strategies by the name of their file.
    :param language: of the standing.
    :param news: called, by the thread that plays, when there is something new to tell.
    """

    def __init__(
        self,
        folder: Path,
        game: Game[Any, Any, Any],
        entries: Mapping[str, str],
        language: str,
        news: Callable[[], None],
    ) -> None:
        self.folder, self.game, self.language, self._news = folder, game, language, news
        self.done, self.rounds = 0, 0
        self.over = self.stopping = self.deleted = False
        self.wrong: LocalizedError | None = None
        """Why it could not be played."""
        folder.mkdir(mode=0o700, parents=True)
        self._paths = [folder / name for name in entries]
        for path in self._paths:
            path.write_text(entries[path.name], encoding="utf-8")

    def play(self) -> None:
        """Play it to its end, or until :attr:`stopping` is set; a core is left for the room."""
        referees = min(2, max(1, (os.cpu_count() or 2) - 1))
        try:
            found = play_league(self.game, self._paths, MATCHES, referees=referees, news=self._told)
            self._write(found, over=True)
        except LocalizedError as error:
            self.wrong = error
        except Exception:  # the disk is full, or the kit has a mistake: the lesson goes on
            if not self.stopping:  # else the server ends, and its processes have heard of it, too
                log.exception("a league of a class has ended")
            self.wrong = LocalizedError("", "room.mistake")
        self.over = True
        self._news()

    def _told(self, found: League) -> None:
        self.done, self.rounds = self.done + 1, found.rounds
        self._write(found, over=False)
        self._news()
        if self.stopping:
            raise KeyboardInterrupt  # a league then keeps what it has

    def _write(self, found: League, over: bool) -> None:
        """Write the standing, unless the lesson has been deleted: names must not come back."""
        if not self.deleted:
            standing_page.write_standing(found, self.folder, self.language, over=over)

    def told(self) -> dict[str, Any]:
        """Return what the console is told of it."""
        wrong = self.wrong.sentence(self.language) if self.wrong else ""
        return {
            "done": self.done,
            "rounds": self.rounds,
            "over": self.over,
            "wrong": wrong,
            "folder": str(self.folder),
        }

    @property
    def standing(self) -> Path:
        """The page with the standing, which is there after the first round."""
        return self.folder / standing_page.STANDING


def file_name(person: int, name: str) -> str:
    """Return what the file of somebody's strategy is called, on any system.

    >>> file_name(3, "小明"), file_name(4, "../CON")
    ('小明-3.py', 'CON-4.py')
    """
    plain = re.sub(r"[^\w-]+", "_", name).strip("_-")
    return f"{plain}-{person}.py".lstrip("-")
