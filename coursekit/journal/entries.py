"""The entries of a journal: answers, maps, judgements of maps, and matches.

Entries are plain JSON, as in the file.  Unknown fields stay as they are.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.words.normalise import normalise

JOURNAL_FORMAT = 1
"""Version of the file format."""
LARGEST_JOURNAL = 50_000_000
"""Maximum bytes of a journal. A larger one is never written, so every exported journal can be
imported.
"""
LONGEST_ANSWER = 20_000
"""Maximum characters of an answer."""
OTHER_ANSWERS = 20
"""Maximum versions of an answer kept from other windows."""
LARGEST_MAP = 2_000_000
"""Maximum characters of a map's file, with its history."""
OTHER_MAPS = 5
"""Maximum versions of a map kept from other windows."""
MOST_MATCHES = 30
"""Maximum matches kept; the oldest go first."""
RECORDS = 3_000_000
"""Maximum bytes of the records of all matches; the oldest go first."""
VERDICTS = ("yes", "partly", "no")
"""Judgements of a proposition: valid, partly, not."""
LONGEST_NAME = 40
"""Maximum characters of a judge's name."""

Entry = dict[str, Any]
Others = tuple[tuple[str, str], ...]  # (text, saved) of versions from other windows, oldest first


class Answer(NamedTuple):
    """One answer."""

    text: str
    saved: str  # time, as ISO 8601 in UTC, "" if never
    question: str = ""  # as it was asked
    others: Others = ()


class MapEntry(NamedTuple):
    """One mind map."""

    text: str  # a JSON file, see coursekit.maps.file_writer
    saved: str  # time, as ISO 8601 in UTC, "" if never
    others: Others = ()


class MatchEntry(NamedTuple):
    """One match."""

    id: str
    game: str
    record: str  # its file, for Record.loads
    saved: str  # time, as ISO 8601 in UTC
    over: bool
    people: tuple[Seat, ...]  # the seats that people played


class Judgement(NamedTuple):
    """A judgement of one proposition of a map."""

    word: str  # one of VERDICTS
    about: str  # the proposition as a sentence, in its normal form


Judgements = dict[str, dict[str, Judgement]]
"""The judgements of a map's propositions: name of the judge -> id of the relation -> judgement."""
NO_ANSWER = Answer("", "")


def read_answer(entry: Entry) -> Answer:
    return Answer(entry["text"], entry["saved"], entry.get("question", ""), _others(entry))


def read_map(entry: Entry) -> MapEntry:
    return MapEntry(entry["text"], entry["saved"], _others(entry))


def read_match(id: str, entry: Entry) -> MatchEntry:
    return MatchEntry(
        id, entry["game"], entry["record"], entry["saved"], entry["over"], tuple(entry["people"])
    )


def read_judgements(entry: Entry) -> Judgements:
    return {
        judge: {
            id: Judgement(each["word"], each["about"])
            for id, each in said.items()
            if isinstance(each, dict)
        }
        for judge, said in entry.items()
    }


def current_verdicts(found: Judgements, sentences: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the verdicts of *found* on propositions that have not changed since.

    :param sentences: id of a relation -> its current sentence.
    """
    now = {id: normalise(sentence) for id, sentence in sentences.items()}
    kept = {
        judge: {id: each.word for id, each in said.items() if now.get(id) == each.about}
        for judge, said in found.items()
    }
    return {judge: words for judge, words in kept.items() if words}


def _others(entry: Entry) -> Others:
    return tuple((each["text"], each["saved"]) for each in entry.get("others", []))


def game_of(key: str) -> str:
    """Return the game of an answer or a map, from its key ``GAME/NAME``."""
    return key.partition("/")[0]


# Changes


def now() -> str:
    """Return the current time as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def when(saved: str) -> datetime:
    """Return the time in *saved*, or the beginning of time if it cannot be read."""
    try:
        time = datetime.fromisoformat(saved)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def put(entries: Entry, key: str, words: str, seen: str | None, most: int) -> Entry:
    """Save *words* as the text under *key*, and return its entry.

    A text saved there after *seen* stays among the other versions, of which there are at most
    *most*.
    """
    entry: Entry = {"text": "", "saved": ""} | entries.get(key, {})
    if seen is not None and seen != entry["saved"]:
        remember(entry, [entry], most)
    entry |= {"text": words, "saved": now()}
    remember(entry, [], most)
    entries[key] = entry
    return entry


def remember(entry: Entry, versions: Sequence[Entry], most: int) -> None:
    """Add *versions* to the other versions of *entry*, each text once; keep the last *most*."""
    found: dict[str, str] = {}
    for each in [*entry.get("others", []), *versions]:
        if each["text"]:
            found.pop(each["text"], None)  # a text that returns is the newest again
            found[each["text"]] = each["saved"]
    if found:
        entry["others"] = [{"text": text, "saved": saved} for text, saved in found.items()][-most:]


def put_match(entries: Entry, id: str, entry: Entry) -> None:
    """Save *entry* as the newest match, and delete the oldest above the limits."""
    entries[id] = entries.pop(id, {}) | entry
    sizes = {each: len(entries[each]["record"].encode("utf-8", "replace")) for each in entries}
    while len(sizes) > MOST_MATCHES or (sum(sizes.values()) > RECORDS and len(sizes) > 1):
        oldest = next(iter(sizes))
        del entries[oldest], sizes[oldest]


# Damage


def mend(data: Entry) -> bool:
    """Delete from *data*, a journal's content, all that cannot be read; return whether there was
    any.

    Missing fields are filled in and do not count as damage, nor does what an earlier version wrote.
    """
    data.setdefault("answers", {})
    if isinstance(
        data.get("agreed"), bool
    ):  # from a version that asked once for all games: each game asks anew
        del data["agreed"]
    _fill(data)
    sound: Entry = {}
    for part, read in READERS.items():
        if part in data:
            found = data[part]
            entries = (
                {key: read(each) for key, each in found.items()} if isinstance(found, dict) else {}
            )
            sound[part] = {key: entry for key, entry in entries.items() if entry is not None}
    if isinstance(agreed := data.get("agreed"), dict):
        sound["agreed"] = {game: yes for game, yes in agreed.items() if isinstance(yes, bool)}
    rest = {part: content for part, content in data.items() if part not in (*READERS, "agreed")}
    whole = rest | sound
    if whole == data:
        return False
    data.clear()
    data.update(whole)
    return True


def _fill(data: Entry) -> None:
    """Mark the time of saving as unknown in every entry without one."""
    for part in ("answers", "maps", "matches"):
        for entry in _things(data.get(part)):
            entry.setdefault("saved", "")
            for version in _things(entry.get("others")):
                version.setdefault("saved", "")


def _things(found: Any) -> list[Entry]:
    """Return the entries in *found*, which may be of any type."""
    each = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return [entry for entry in each if isinstance(entry, dict)]


def _read_text(entry: Any) -> Entry | None:
    """Return the readable part of an answer or a map, ``None`` if it has no text."""
    if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
        return None
    sound = dict(entry)
    for field in ("saved", "question"):
        if not isinstance(sound.get(field, ""), str):
            sound[field] = ""
    if "others" in sound:
        others = sound["others"] if isinstance(sound["others"], list) else []
        sound["others"] = [each for each in others if _is_version(each)]
    return sound


def _is_version(entry: Any) -> bool:
    return isinstance(entry, dict) and all(
        isinstance(entry.get(field), str) for field in ("text", "saved")
    )


def _read_match(entry: Any) -> Entry | None:
    """Return *entry* if it is a match."""
    texts = ("game", "record", "saved")
    if not isinstance(entry, dict) or not all(isinstance(entry.get(field), str) for field in texts):
        return None
    people = entry.get("people")
    seats = isinstance(people, list) and all(type(seat) is int for seat in people)
    return entry if seats and isinstance(entry.get("over"), bool) else None


def _read_judgements(entry: Any) -> Entry | None:
    """Return the readable judgements of a map."""
    if not isinstance(entry, dict):
        return None
    return {
        judge: {id: each for id, each in said.items() if _is_judgement(each)}
        for judge, said in entry.items()
        if isinstance(said, dict)
    }


def _is_judgement(entry: Any) -> bool:
    if isinstance(entry, str):  # from a version that did not save the judged sentence
        return entry in VERDICTS
    return (
        isinstance(entry, dict)
        and entry.get("word") in VERDICTS
        and isinstance(entry.get("about"), str)
    )


READERS = {
    "answers": _read_text,
    "maps": _read_text,
    "judgements": _read_judgements,
    "matches": _read_match,
}
"""Part of a journal -> the function that reads one of its entries."""
