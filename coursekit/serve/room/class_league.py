"""The league of a class: strategies that its pupils have handed in play while the room goes on."""

import asyncio
import logging
import os
import re
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.page_messages import MessageError
from coursekit.kit import kit_of
from coursekit.league import standing_page
from coursekit.league.tournament import MOST, League, check_sources, play_league
from coursekit.room.lesson import Lesson
from coursekit.room.room import Room

MATCHES = 200
"""Fewest matches of each strategy."""
CHECKED = 5
"""Strategies that are checked at a time: the first pupil need not wait for the whole class."""
log = logging.getLogger(__name__)


class ClassLeague:
    """One league, in a folder of its own: the strategies as files, and the results.

    :param folder: which is made.
    :param sources: the strategies by the name of their file.
    :param language: of the standing.
    :param news: called, by the thread that plays, when there is something new to tell.
    """

    def __init__(
        self,
        folder: Path,
        game: Game[Any, Any, Any],
        sources: Mapping[str, str],
        language: str,
        news: Callable[[], None],
    ) -> None:
        self.folder = folder
        self.game = game
        self.language = language
        self._news = news
        self.done = 0
        self.rounds = 0
        self.time = ""
        """How much time is left, and who takes it."""
        self.over = False
        self.stopping = False
        """Whether it is to end after the round that is played."""
        self.deleted = False
        """Whether the lesson has been deleted: then names must not come back."""
        self.wrong: LocalizedError | None = None
        """Why it could not be played."""
        folder.mkdir(mode=0o700, parents=True)
        self._files = {name: folder / name for name in sources}
        for name, path in self._files.items():
            path.write_text(sources[name], encoding="utf-8")

    def play(self) -> None:
        """Play it to its end, or until :attr:`stopping` is set; a core is left for the room."""
        referees = min(2, max(1, (os.cpu_count() or 2) - 1))
        try:
            league = play_league(
                self.game, self._files, MATCHES, referees=referees, news=self._tell_round
            )
            self._write(league, over=True)
        except LocalizedError as error:
            self.wrong = error
        except Exception:  # the disk is full, or the kit has a mistake: the lesson goes on
            if not self.stopping:  # else the server ends, and its processes have heard of it, too
                log.exception("a league of a class has ended")
            self.wrong = LocalizedError("", "room.mistake")
        self.over = True
        self._news()

    def _tell_round(self, league: League) -> None:
        self.done += 1
        self.rounds = league.rounds
        self.time = league.tell_time(self.language)
        self._write(league, over=False)
        self._news()
        if self.stopping:
            raise KeyboardInterrupt  # a league then keeps what it has

    def _write(self, league: League, over: bool) -> None:
        if not self.deleted:
            standing_page.write_standing(league, self.folder, self.language, over=over)

    def state(self) -> dict[str, Any]:
        """Return what the console shows of it."""
        return {
            "done": self.done,
            "rounds": self.rounds,
            "time": self.time,
            "over": self.over,
            "wrong": self.wrong.sentence(self.language) if self.wrong else "",
            "folder": str(self.folder),
        }

    @property
    def standing(self) -> Path:
        """The page with the standing, which is there after the first round."""
        return self.folder / standing_page.STANDING


def league_of(lesson: Lesson, folder: Path, language: str, news: Callable[[], None]) -> ClassLeague:
    """Return a league of the strategies that were handed in and can take part.

    :raises LocalizedError: if there are too few or too many.
    """
    sources = {}
    for person, submission in lesson.submissions.items():
        if submission.strategy and not lesson.people[person].left:
            sources[file_name(person, lesson.name(person, language))] = submission.source
    if not 2 <= len(sources) <= MOST:
        raise MessageError("league.how_many", got=len(sources), most=MOST)
    game = kit_of(lesson.settings.game).standard()
    return ClassLeague(folder, game, sources, language, news)


async def check_submissions(room: Room) -> None:
    """Check some of the strategies that wait for it, each in a process of its own."""
    waiting = dict(islice(room.unchecked_submissions().items(), CHECKED))
    sources = [(f"{person}.py", submission.source) for person, submission in waiting.items()]
    findings: list[Any]
    try:
        game = kit_of(room.lesson.settings.game).standard()
        findings = list(await asyncio.to_thread(check_sources, game, sources, trial=True))
    except Exception as error:  # no process can be started
        log.exception("strategies could not be checked")
        fault = LocalizedError("", "league.unchecked", why=type(error).__name__)
        findings = [fault] * len(sources)
    for (person, submission), finding in zip(waiting.items(), findings, strict=True):
        room.judge(person, submission, finding)


def file_name(person: int, name: str) -> str:
    """Return what the file of somebody's strategy is called, on any system.

    >>> file_name(3, "小明"), file_name(4, "../CON")
    ('小明-3.py', 'CON-4.py')
    """
    plain = re.sub(r"[^\w-]+", "_", name).strip("_-")
    return f"{plain}-{person}.py".lstrip("-")
