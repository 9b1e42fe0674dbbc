"""What people in a room are called: proposed in two words, or typed; no two names look alike."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from random import Random

from coursekit.core.chance import shuffle
from coursekit.room.phone_messages import RoomError
from coursekit.words.texts import text

LONGEST = 16
"""Characters of a name."""
CAPITALS = str.maketrans("ΖΗΜΝΥҮ", "ZHMNYY")
"""Capital letters that look like another one, and whose small ones do not, or like a different one."""
ALIKE = str.maketrans("авекмнорстухіјѕαβεηικνορτυχi01|", "abekmhopctyxljsabenlkvoptuxloll")
"""Letters that look like another one, after case has been folded: Cyrillic, Greek, and digits."""

UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and signs that are drawn as nothing."""


def skeleton(name: str) -> str:
    """Return what *name* looks like: names with the same skeleton can be taken for each other.

    >>> skeleton("Ada 1") == skeleton("ＡＤА l")
    True
    """
    plain = unicodedata.normalize("NFKD", name).translate(CAPITALS).casefold()
    kept = "".join(each for each in plain if unicodedata.category(each)[0] in "LN")
    return (kept or plain.replace(" ", "")).translate(ALIKE)


def normalise_name(name: str) -> str:
    """Return *name* as it is kept: composed letters, and single blanks between words."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def check_name(name: str, taken: Iterable[str]) -> str:
    """Return *name* as it is shown.

    :param taken: the names that others have.
    :raises RoomError: if it is empty, too long, cannot be shown, or looks like one of them.
    """
    shown = normalise_name(name)
    if not shown:
        raise RoomError("room.name_empty")
    if len(shown) > LONGEST:
        raise RoomError("room.name_long", got=len(shown), allowed=LONGEST)
    if any(unicodedata.category(each)[0] == "C" or each in UNSEEN for each in shown):
        raise RoomError("room.name_odd")
    if skeleton(shown) in {skeleton(each) for each in taken}:
        raise RoomError("room.name_taken", name=shown)
    return shown


def propose_name(taken: Collection[str], rng: Random, language: str) -> str:
    """Return a name of two words that nobody has; with a number once all are taken."""
    first, second = (
        re.split("[、 ]", text(f"room.words.{part}", language)) for part in ("first", "second")
    )
    between = " " if language == "en" else ""
    found = [between.join((one, other)) for one in first for other in second]
    shuffle(rng, found)
    shapes = {skeleton(each) for each in taken}
    free = (each for each in found if skeleton(each) not in shapes)
    numbered = (f"{each} {n}" for n in range(2, len(taken) + 3) for each in found)
    short = (each for each in numbered if len(each) <= LONGEST)
    return next(free, None) or next(each for each in short if skeleton(each) not in shapes)


def has_listed_word(name: str, words: Collection[str]) -> bool:
    """Return whether *name* holds one of the *words* that a teacher wants to see before a projector
    shows them.
    """
    shape = skeleton(name)
    return any(skeleton(word) in shape for word in words if word.strip())
