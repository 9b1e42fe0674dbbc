"""Names of files that any system takes, made of what people write."""

import re
import unicodedata

from coursekit.words.characters import is_visible, unseen_places

LONGEST = 120
"""Most bytes of a name without its ending; systems take 255."""
FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
"""Signs that Windows does not take."""
DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)", re.IGNORECASE)
"""Names that mean a device on Windows, whatever stands behind a dot."""


def file_name(words: str, ending: str) -> str:
    """Return *words* as the name of a file with that *ending*.

    >>> file_name("小明 Wizard 巫師", "html"), file_name("a/b: c?", "html"), file_name("...", "csv")
    ('小明 Wizard 巫師.html', 'a_b_ c_.html', 'coursekit.csv')
    >>> file_name("con", "html")
    '_con.html'
    """
    signs = FORBIDDEN.sub("_", unicodedata.normalize("NFC", words))
    unseen = set(unseen_places(signs))
    # A line break is a blank.
    seen = [sign for place, sign in enumerate(signs) if sign.isspace() or place not in unseen]
    name = " ".join("".join(seen).split()).strip(". ") if is_visible(signs) else ""
    name = name.encode()[:LONGEST].decode(errors="ignore").rstrip(". ")
    if DEVICES.match(name):
        name = f"_{name}"
    return f"{name or 'coursekit'}.{ending}"
