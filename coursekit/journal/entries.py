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

    match_id: str
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


def read_match(match_id: str, entry: Entry) -> MatchEntry:
    record, saved, over = entry["record"], entry["saved"], entry["over"]
    return MatchEntry(match_id, entry["game"], record, saved, over, tuple(entry["people"]))


def read_judgements(entry: Entry) -> Judgements:
    return {
        judge: {
            relation: Judgement(judgement["word"], judgement["about"])
            for relation, judgement in judgements.items()
        }
        for judge, judgements in entry.items()
    }


def current_verdicts(
    judgements: Judgements, sentences: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Return the verdicts on propositions that have not changed since, by judge and relation.

    :param sentences: id of a relation -> its current sentence.
    """
    current = {relation: normalise(sentence) for relation, sentence in sentences.items()}
    verdicts = {}
    for judge, by_relation in judgements.items():
        words = {
            relation: judgement.word
            for relation, judgement in by_relation.items()
            if current.get(relation) == judgement.about
        }
        if words:
            verdicts[judge] = words
    return verdicts


def _others(entry: Entry) -> Others:
    return tuple((version["text"], version["saved"]) for version in entry.get("others", []))


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
    times: dict[str, str] = {}
    for version in [*entry.get("others", []), *versions]:
        words = version["text"]
        if words:
            times.pop(words, None)  # a text that returns is the newest again
            times[words] = version["saved"]
    if times:
        others = [{"text": words, "saved": saved} for words, saved in times.items()]
        entry["others"] = others[-most:]


def put_match(entries: Entry, match_id: str, entry: Entry) -> None:
    """Save *entry* as the newest match, and delete the oldest above the limits."""
    entries[match_id] = entries.pop(match_id, {}) | entry
    sizes = {key: len(match["record"].encode("utf-8", "replace")) for key, match in entries.items()}
    while len(sizes) > MOST_MATCHES or (sum(sizes.values()) > RECORDS and len(sizes) > 1):
        oldest = next(iter(sizes))
        del entries[oldest], sizes[oldest]


# Damage


def mend(data: Entry) -> bool:
    """Delete from *data*, a journal's content, all that cannot be read.

    Return whether there was any; a missing time of saving is filled in and is no damage.
    """
    data.setdefault("answers", {})
    _fill_times(data)
    sound = {part: content for part, content in data.items() if part not in READERS}
    for part, read in READERS.items():
        if part not in data:
            continue
        entries = data[part] if isinstance(data[part], dict) else {}
        readable = {key: read(entry) for key, entry in entries.items()}
        sound[part] = {key: entry for key, entry in readable.items() if entry is not None}
    if sound == data:
        return False
    data.clear()
    data.update(sound)
    return True


def _fill_times(data: Entry) -> None:
    """Mark the time of saving as unknown in every entry without one."""
    for part in ("answers", "maps", "matches"):
        entries = data.get(part)
        for entry in entries.values() if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                entry.setdefault("saved", "")
                others = entry.get("others")
                for version in others if isinstance(others, list) else ():
                    if isinstance(version, dict):
                        version.setdefault("saved", "")


def _has_texts(entry: Any, *fields: str) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(field), str) for field in fields)


def _sound_text(entry: Any) -> Entry | None:
    """Return the readable part of an answer or a map, ``None`` if it has no text."""
    if not _has_texts(entry, "text"):
        return None
    sound: Entry = dict(entry)
    for field in ("saved", "question"):
        if not isinstance(sound.get(field, ""), str):
            sound[field] = ""
    if "others" in sound:
        others = sound["others"] if isinstance(sound["others"], list) else []
        sound["others"] = [version for version in others if _has_texts(version, "text", "saved")]
    return sound


def _sound_match(entry: Any) -> Entry | None:
    """Return *entry* if it is a match."""
    if not _has_texts(entry, "game", "record", "saved"):
        return None
    people = entry.get("people")
    has_people = isinstance(people, list) and all(type(seat) is int for seat in people)
    return entry if has_people and isinstance(entry.get("over"), bool) else None


def _sound_judgements(entry: Any) -> Entry | None:
    """Return the readable judgements of a map."""
    if not isinstance(entry, dict):
        return None
    sound: Entry = {}
    for judge, judgements in entry.items():
        if isinstance(judgements, dict):
            sound[judge] = {
                relation: judgement
                for relation, judgement in judgements.items()
                if _has_texts(judgement, "about") and judgement.get("word") in VERDICTS
            }
    return sound


def _sound_consent(entry: Any) -> bool | None:
    return entry if isinstance(entry, bool) else None


READERS = {
    "answers": _sound_text,
    "maps": _sound_text,
    "judgements": _sound_judgements,
    "matches": _sound_match,
    "agreed": _sound_consent,
}
"""Part of a journal -> the function that returns the readable part of one of its entries."""
