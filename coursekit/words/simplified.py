"""Traditional Chinese as in Taiwan turned into simplified Chinese as on the mainland."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from coursekit.words.normalise import load_simplified_table

WORDS = Path(__file__).parent / "mainland.txt"


@lru_cache
def load_words() -> Mapping[str, str]:
    """Return the reviewed words: as in Taiwan -> as on the mainland.

    Some differ only in their characters; they keep a part of themselves from being converted as a
    word.
    """
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


@lru_cache
def _any_word() -> re.Pattern[str]:
    return re.compile(
        "|".join(re.escape(word) for word in sorted(load_words(), key=len, reverse=True))
    )


def simplify(text: str) -> str:
    """Return *text*, written in Taiwan, in the characters and words of the mainland.

    >>> simplify("把滑鼠移到著名的檔案上")
    '把鼠标移到著名的文件上'
    """
    characters, words = load_simplified_table(), load_words()
    # Words first, since characters alone would make another word of them.
    simplified = ""
    at = 0
    for word in _any_word().finditer(text):
        simplified += text[at : word.start()].translate(characters) + words[word[0]]
        at = word.end()
    return simplified + text[at:].translate(characters)
