"""Errors that are shown to people, in their language."""

import copyreg
import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from traceback import FrameSummary
from types import ModuleType
from typing import Any

from coursekit.words.language import current_language
from coursekit.words.texts import (
    PACKAGE,
    game_text,
    join_sentences,
    make_printable,
    shorten,
    text,
)


class LocalizedError(Exception):
    """An error with a sentence in every language; ``str()`` gives that of its :attr:`language`.

    A notebook shows the sentence instead of a traceback; ``%debug`` still has the traceback.

    :param text: a text id of the game (by name) or of the kit (``""``), with its *values*.
    """

    def __init__(self, game: str, text: str, **values: Any) -> None:
        super().__init__(game, text, values)
        self.game = game
        self.text = text
        self.values = values

    language = ""
    """The language it is shown in; "" for English, in a notebook for :func:`.current_language`."""

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        """Return what is wrong, what is allowed and what to do, in *language*."""
        words = game_text(self.game, self.text, language, names, **self.values)
        if meant := self.values.get("meant"):
            words = join_sentences([words, text("error.meant", language, meant=meant)], language)
        return make_printable(words)  # it may quote anything

    def __str__(self) -> str:
        return self.sentence(self.language or "en")

    # Pickled as it is, so that an error of a worker process arrives whole.
    def __reduce__(self) -> Any:
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]

    def tell(self, language: str) -> None:
        """Show it in *language* from now on; on a page, which hides errors, print it at once."""
        self.language = language
        if os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            print(self.sentence(language))

    def _render_traceback_(self) -> list[str]:  # asked for by IPython
        return self.sentence(self.language or current_language()).split("\n")


ALIKE = 0.7
"""Minimum similarity (:mod:`difflib`, 0-1) of a misspelt name to the one that was meant."""


def nearest(got: object, names: Iterable[str]) -> str:
    """Return the one of *names* that *got* was meant to be, by its spelling; "" for none."""
    if not isinstance(got, str) or not got:
        return ""
    by_letters = {name.lower(): name for name in names}
    for letters, name in by_letters.items():  # difflib finds "bdi" unlike "bid"
        if sorted(letters) == sorted(got.lower()):
            return name
    return "".join(
        by_letters[near] for near in get_close_matches(got.lower(), by_letters, 1, ALIKE)
    )


def unknown(got: object, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of a sentence on *got*, which is none of *names*.

    They are ``got`` and ``allowed``; with ``meant`` an error says what it is spelt like.
    """
    names = list(names)
    allowed = ", ".join(names) or "–"
    return {"got": shorten(got), "allowed": allowed, "meant": nearest(got, names)}


MOST_NAMES = 40
"""Maximum names in a list of what there is."""


def unknown_name(owner: str, got: str, names: Iterable[str]) -> LocalizedError:
    """Return the error that *owner*, which has *names*, has none that is *got*."""
    public = [name for name in names if name[0] != "_"]
    allowed = ", ".join([*public[:MOST_NAMES], *["…"] * (len(public) > MOST_NAMES)])
    values = {"got": got, "allowed": allowed, "meant": nearest(got, public)}
    return LocalizedError("", "error.no_name", owner=owner, **values)


def unknown_attribute(error: BaseException) -> LocalizedError | None:
    """Return what a thing of the kit has instead of the attribute that it lacks, says *error*.

    A thing of a class that inherits from one of the kit's is one, too.
    """
    if not isinstance(error, AttributeError) or not error.name or error.obj is None:
        return None
    thing: Any = error.obj
    if isinstance(thing, super):
        thing = thing.__self_class__  # type: ignore[attr-defined]
    if isinstance(thing, ModuleType):
        return unknown_name(thing.__name__, error.name, dir(thing)) if is_kits(thing) else None
    kind = thing if isinstance(thing, type) else type(thing)
    kits = [parent for parent in kind.__mro__ if is_kits(parent)]
    if not kits:
        return None
    # Not what a widget has from elsewhere.
    own = kind.__mro__[: kind.__mro__.index(kits[0])]
    names = {name for parent in (*own, *kits) for name in vars(parent)}
    names.update(getattr(thing, "__dict__", ()))
    return unknown_name(kind.__name__, error.name, sorted(names))


def is_kits(thing: Any) -> bool:
    """Return whether *thing* is a module of the kit, or was made by one."""
    home = getattr(thing, "__name__" if isinstance(thing, ModuleType) else "__module__", None)
    return isinstance(home, str) and home.partition(".")[0] == PACKAGE.name


class OptionError(LocalizedError, ValueError):
    """The game has no such option, value, preset or number of players."""


class FileError(LocalizedError, ValueError):
    """A file from outside cannot be used; the sentence says what to change, and in which line."""

    def __init__(self, game: str, text: str, **values: Any) -> None:
        super().__init__(game, text, **values)
        self.problems: tuple[FileError, ...] = (self,)
        """What is wrong, one by one. A long list is cut; ``values["count"]`` is its full length."""

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        """Return what is wrong, in *language*; several :attr:`problems` get a line each."""
        words = super().sentence(language, names)
        if len(self.problems) == 1:
            return words
        lines = [words, *[problem.sentence(language) for problem in self.problems]]
        if rest := self.values["count"] - len(self.problems):
            lines.append(game_text(self.game, "file.rest", language, count=rest))
        return "\n".join(lines)


class InterruptedDecision(BaseException):
    """What *who* decides for *seat* was interrupted for *reason*, when it ran at *frames*."""

    def __init__(
        self,
        reason: LocalizedError | None = None,
        frames: Sequence[FrameSummary] = (),
        who: Any = None,
        seat: int = 0,
    ) -> None:
        super().__init__()
        self.reason = reason
        self.frames = frames
        self.who = who
        self.seat = seat
