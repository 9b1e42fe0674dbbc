"""Importing another journal without losing anything of either."""

from typing import NamedTuple

from coursekit.files.text_files import NotTextError, file_kind
from coursekit.journal.anonymise import NAMELESS
from coursekit.journal.entries import (
    JOURNAL_FORMAT,
    LARGEST_JOURNAL,
    LARGEST_MAP,
    LONGEST_ANSWER,
    OTHER_ANSWERS,
    OTHER_MAPS,
    RECORDS,
    Entry,
    mend,
    put_match,
    remember,
    when,
)
from coursekit.journal.journal_file import JournalError, parse_journal

LONGEST_TEXTS = {
    "answers": ("text", LONGEST_ANSWER),
    "maps": ("text", LARGEST_MAP),
    "matches": ("record", RECORDS),
}
"""Part -> the field of its entries with the text, and the maximum characters of that text."""


class Brought(NamedTuple):
    """How many entries of another journal were new or newer."""

    answers: int
    maps: int
    matches: int
    whole: bool  # whether all of it could be read


def bring(data: Entry, content: str | bytes) -> Brought:
    """Put the entries in *content*, the file of another journal, into *data*.

    The consent to keep matches is not imported: the person at this screen decides that.

    :raises JournalError: if it is not a journal, or has a newer version; *data* is unchanged then.
    """
    content = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if file_kind(content):
        raise JournalError("journal.brought.kind", **NotTextError(file_kind(content)).values)
    if len(content) > LARGEST_JOURNAL:
        raise JournalError("journal.brought.large", limit=LARGEST_JOURNAL // 1_000_000)
    theirs = parse_journal(content)
    if theirs is None:
        raise JournalError("journal.brought.foreign")
    if theirs["journal"] > JOURNAL_FORMAT:
        raise JournalError("journal.brought.newer")
    whole = not mend(theirs)
    for part, (field, most) in LONGEST_TEXTS.items():
        entries = theirs.get(part, {})
        fitting = {key: entry for key, entry in entries.items() if len(entry[field]) <= most}
        whole = whole and len(fitting) == len(entries)
        theirs[part] = fitting
    _judgements(data, theirs)
    answers = _texts(data, theirs, "answers", OTHER_ANSWERS)
    maps = _texts(data, theirs, "maps", OTHER_MAPS)
    matches = _matches(data, theirs)
    for part in theirs.keys() - data.keys() - {"maps", "matches", "agreed", "writer", NAMELESS}:
        data[part] = theirs[part]
    return Brought(answers, maps, matches, whole)


def _texts(data: Entry, theirs: Entry, part: str, most: int) -> int:
    """Join the answers or maps of both journals; return how many changed."""
    before = dict(data.get(part, {}))
    both = {key: _join(before.get(key, entry), entry, most) for key, entry in theirs[part].items()}
    if both:
        data[part] = before | both
    return sum(entry != before.get(key) for key, entry in both.items())


def _join(mine: Entry, theirs: Entry, most: int) -> Entry:
    """Return the newer entry, with the older one and both lists of other versions as its own."""
    older, newer = theirs, mine
    if when(theirs["saved"]) > when(mine["saved"]):
        older, newer = mine, theirs
    entry = older | newer
    entry.pop("others", None)
    versions = [*older.get("others", []), *newer.get("others", []), older]
    others = [version for version in versions if version["text"] != entry["text"]]
    others.sort(key=lambda version: (when(version["saved"]), version["text"], version["saved"]))
    remember(entry, others, most)
    return entry


def _judgements(data: Entry, theirs: Entry) -> None:
    """Join the judgements; where both journals have one, the one on the newer map counts."""
    ours, maps = data.get("maps", {}), theirs["maps"]
    for key, judges in theirs.get("judgements", {}).items():
        is_newer = key in maps and (
            key not in ours or when(maps[key]["saved"]) > when(ours[key]["saved"])
        )
        mine = data.setdefault("judgements", {}).setdefault(key, {})
        for judge, judgements in judges.items():
            if theirs.get(NAMELESS) and judgements in mine.values():
                continue  # somebody of ours, under a pseudonym
            own = mine.get(judge, {})
            mine[judge] = own | judgements if is_newer else judgements | own


def _matches(data: Entry, theirs: Entry) -> int:
    """Join the newest matches of both journals; return how many changed."""
    before = dict(data.get("matches", {}))
    entries = [*theirs["matches"].items(), *before.items()]
    entries.sort(key=lambda item: when(item[1]["saved"]))
    both: Entry = {}
    for match_id, entry in entries:
        put_match(both, match_id, entry)
    if both:
        data["matches"] = both
    return sum(entry != before.get(match_id) for match_id, entry in both.items())
