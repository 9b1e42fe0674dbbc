"""What people in a room are called: proposed in two words, or typed; no two names look alike."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from random import Random

from coursekit.core.chance import shuffle
from coursekit.core.page_messages import MessageError
from coursekit.words.characters import (
    character_category,
    drawn_part,
    is_drawn,
    is_visible,
    unseen_places,
)
from coursekit.words.texts import text

LONGEST = 16
"""Characters of a name."""
CAPITALS = str.maketrans("ΖΗΜΝΥҮ", "ZHMNYY")
"""Capital letters that look like another one, while their small letters look different."""
ALIKE = str.maketrans("авекмнорстухіјѕαβεηικνορτυχi01|", "abekmhopctyxljsabenlkvoptuxloll")
"""Letters that look like another one, after case has been folded: Cyrillic, Greek, and digits."""


@lru_cache(4096)
def skeleton(name: str) -> str:
    """Return what *name* looks like: names with the same skeleton can be taken for each other.

    >>> skeleton("Ada 1") == skeleton("ＡＤА l")
    True
    """
    folded = unicodedata.normalize("NFKD", name).translate(CAPITALS).casefold()
    signs = "".join(sign for sign in folded if character_category(sign) == "L" and is_drawn(sign))
    return (signs or drawn_part(folded).replace(" ", "")).translate(ALIKE)


def normalise_name(name: str) -> str:
    """Return *name* as it is kept: composed letters, and single blanks between words."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def check_name(name: str, taken: Iterable[str]) -> str:
    """Return *name* as it is shown.

    :param taken: the names that others have.
    :raises MessageError: if it is empty, too long, cannot be seen, or looks like one of them.
    """
    name = normalise_name(name)
    if not name:
        raise MessageError("room.name_empty")
    if len(name) > LONGEST:
        raise MessageError("room.name_long", got=len(name), allowed=LONGEST)
    if not is_visible(name):
        raise MessageError("name.unseen")
    for place in unseen_places(name):
        raise MessageError("name.hidden", got=f"U+{ord(name[place]):04X}")
    if skeleton(name) in map(skeleton, taken):
        raise MessageError("room.name_taken", name=name)
    return name


def propose_name(taken: Collection[str], rng: Random, language: str) -> str:
    """Return a name of two words that nobody has; with a number once all are taken."""
    first, second = (
        re.split("[、 ]", text(f"room.words.{part}", language)) for part in ("first", "second")
    )
    between = " " if language == "en" else ""
    names = [between.join((one, other)) for one in first for other in second]
    shuffle(rng, names)
    shapes = set(map(skeleton, taken))
    for number in range(1, len(taken) + 3):
        for name in names:
            if number > 1:
                name = f"{name} {number}"
            if len(name) <= LONGEST and skeleton(name) not in shapes:
                return name
    raise AssertionError("there are more names than people")


def has_listed_word(name: str, words: Collection[str]) -> bool:
    """Return whether *name* holds one of *words*, which a teacher wants to see before others do."""
    shape = skeleton(name)
    return any(skeleton(word) in shape for word in words if is_visible(word))
