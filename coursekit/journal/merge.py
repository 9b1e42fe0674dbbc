"""Taking over what is in another journal, so that nothing of either is lost."""

from typing import NamedTuple

from coursekit.journal.entries import (
    FORMAT,
    LARGEST,
    LARGEST_MAP,
    LIMIT,
    OTHER_MAPS,
    OTHERS,
    RECORDS,
    Entry,
    mend,
    put_match,
    remember,
    when,
)  # fmt: skip
from coursekit.journal.file import JournalError, parsed

TEXTS = {"answers": ("text", LIMIT), "maps": ("text", LARGEST_MAP), "matches": ("record", RECORDS)}
"""What an entry of each part says, and how many characters that has at most."""


class Brought(NamedTuple):
    """What another journal had that this one had not, or not as new."""

    answers: int
    maps: int
    matches: int
    whole: bool  # whether all of it could be read


def bring(data: Entry, content: str | bytes) -> Brought:
    """Put what is in *content*, the file of another journal, into *data*.

    Whether matches may be kept is not taken over: that is for whoever sits here to say.

    :raises JournalError: if that is no journal, or of a newer version; *data* is unchanged then.
    """
    content = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if len(content) > LARGEST:
        raise JournalError("journal.brought.large", limit=LARGEST // 1_000_000)
    theirs = parsed(content)
    if theirs is None:
        raise JournalError("journal.brought.foreign")
    if theirs["journal"] > FORMAT:
        raise JournalError("journal.brought.newer")
    whole = not mend(theirs)
    for part, (field, most) in TEXTS.items():
        fitting = {key: entry for key, entry in theirs.get(part, {}).items() if len(entry[field]) <= most}
        whole = whole and len(fitting) == len(theirs.get(part, {}))
        theirs[part] = fitting
    _judgements(data, theirs)
    answers = _texts(data, theirs, "answers", OTHERS)
    maps = _texts(data, theirs, "maps", OTHER_MAPS)
    matches = _matches(data, theirs)
    for part in theirs.keys() - data.keys() - {"maps", "matches", "agreed"}:
        data[part] = theirs[part]
    return Brought(answers, maps, matches, whole)


def _texts(data: Entry, theirs: Entry, part: str, most: int) -> int:
    """Join the answers or maps of both journals; return how many are not as they were."""
    before = dict(data.get(part, {}))
    both = {key: _joined(before.get(key, entry), entry, most) for key, entry in theirs[part].items()}
    if both:
        data[part] = before | both
    return sum(entry != before.get(key) for key, entry in both.items())


def _joined(mine: Entry, theirs: Entry, most: int) -> Entry:
    """Return the newer entry, with the older one and all others as its other versions."""
    older, newer = (mine, theirs) if when(theirs["saved"]) > when(mine["saved"]) else (theirs, mine)
    entry = older | newer
    entry.pop("others", None)
    versions = [*older.get("others", []), *newer.get("others", []), older]
    others = [each for each in versions if each["text"] != entry["text"]]
    remember(entry, sorted(others, key=lambda each: (when(each["saved"]), each["text"], each["saved"])), most)
    return entry


def _judgements(data: Entry, theirs: Entry) -> None:
    """Join what was judged; where both journals say something, that on the newer map counts."""
    ours, maps = data.get("maps", {}), theirs["maps"]
    for key, judges in theirs.get("judgements", {}).items():
        newer = key in maps and (key not in ours or when(maps[key]["saved"]) > when(ours[key]["saved"]))
        mine = data.setdefault("judgements", {}).setdefault(key, {})
        for judge, said in judges.items():
            known = mine.get(judge, {})
            mine[judge] = known | said if newer else said | known


def _matches(data: Entry, theirs: Entry) -> int:
    """Join the matches of both journals, the newest as far as there is room; return how many are not as they were."""
    before, both = dict(data.get("matches", {})), dict[str, Entry]()
    for id, entry in sorted([*theirs["matches"].items(), *before.items()], key=lambda each: when(each[1]["saved"])):
        put_match(both, id, entry)
    if both:
        data["matches"] = both
    return sum(entry != before.get(id) for id, entry in both.items())
