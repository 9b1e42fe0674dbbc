"""The journal: one file that keeps what somebody wrote, drew and played; ``docs/journal.md`` describes it.

Every change reads the file again, puts one thing in and replaces the file as a whole, under
a lock: several notebooks and tabs can write to one journal, and what they do not know (parts
added by a later version) stays as it was.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from coursekit.core.game import Seat
from coursekit.journal.entries import (
    EMPTY,
    LARGEST_MAP,
    LIMIT,
    LONGEST_NAME,
    OTHER_MAPS,
    OTHERS,
    RECORDS,
    WORDS,
    Answer,
    Judged,
    Kept,
    KeptMatch,
    Others,
    answer,
    game_of,
    judged,
    kept,
    kept_match,
    now,
    put,
    put_match,
    remember,
    still,
    when,
)  # fmt: skip
from coursekit.journal.file import JournalError, JournalFile, writable, written
from coursekit.journal.merge import Brought, bring
from coursekit.words.normalise import norm

__all__ = ["EMPTY", "LIMIT", "Answer", "Journal", "JournalError", "Kept", "KeptMatch", "Whole"]


class Whole(NamedTuple):
    """All that a journal holds at one moment."""

    answers: dict[str, Answer]
    maps: dict[str, Kept]
    judgements: dict[str, Judged]  # by the key of the map
    matches: list[KeptMatch]  # the oldest first
    agreed: bool | None


class Journal(JournalFile):
    """A journal in a file; every method reads it anew.

    Whatever cannot be read or written is a :class:`JournalError`, and the file is as it was before.  So is what
    would make it larger than :data:`~coursekit.journal.entries.LARGEST`.
    """

    # Answers

    def answers(self) -> dict[str, Answer]:
        """Return all answers, by the key of their question.

        :raises JournalError: if the file cannot be read, or a newer version wrote it.
        """
        return self.whole().answers

    def save(self, key: str, words: str, question: str, seen: str | None = None) -> Answer:
        """Keep *words* as the answer to the question *key* and return what the journal has now.

        :param question: the question as it was asked.
        :param seen: when the answer was saved that *words* was made from, ``""`` for none.  If the
            journal holds a later one, it is kept among the other versions; ``None``: do not look.
        :raises JournalError: if it cannot be written; the journal is unchanged then.
        """
        words, question = writable(words), writable(question)
        if len(words) > LIMIT:
            raise JournalError("reflect.too_long", limit=LIMIT)
        with self._changing() as data:
            entries = data["answers"]
            before = answer(entries[key]) if key in entries else EMPTY
            if words == before.text and (question == before.question or not words):
                return before
            entry = put(entries, key, words, seen, OTHERS)
            entry["question"] = question
            return answer(entry)

    def restore(self, key: str, words: str, question: str, seen: str, typed: str) -> Answer:
        """Take over an answer that a browser could not save when it was typed, and return what the journal has now.

        It counts if it was made from what the journal has, or typed later; else it stands among the other versions.

        :param typed: when, as ISO 8601.
        :raises JournalError: as :meth:`save`.
        """
        words = writable(words)
        if len(words) > LIMIT:
            raise JournalError("reflect.too_long", limit=LIMIT)
        with self._changing() as data:
            entry = data["answers"].get(key)
            there = answer(entry) if entry else EMPTY
            if words in (there.text, *(each for each, _ in there.others)):
                return there
            if entry and seen != there.saved and when(typed) <= when(there.saved):
                remember(entry, [{"text": words, "saved": typed}], OTHERS)
                return answer(entry)
        return self.save(key, words, question, seen)

    # Mind maps

    def maps(self) -> dict[str, Kept]:
        """Return all mind maps, by ``GAME/NAME``."""
        return self.whole().maps

    def save_map(self, key: str, words: str, seen: str | None = None) -> Kept:
        """Keep the map written in *words* under *key* and return what the journal has now.

        :param words: the map as a JSON file.
        :param seen: as in :meth:`save`.
        :raises JournalError: if it is too long or cannot be written; the journal is unchanged then.
        """
        words = writable(words)
        if len(words) > LARGEST_MAP:
            raise JournalError("journal.map_too_long", limit=LARGEST_MAP)
        with self._changing() as data:
            entries = data.setdefault("maps", {})
            if key in entries and words == entries[key]["text"]:
                return kept(entries[key])
            return kept(put(entries, key, words, seen, OTHER_MAPS))

    def settle_map(self, key: str, looked_at: Others) -> Kept:
        """Forget those other versions of a map that its reader has *looked_at*, and return what the journal has now."""
        with self._changing() as data:
            entry = data.get("maps", {}).get(key, {"text": "", "saved": ""})
            others = entry.pop("others", [])
            if left := [each for each in others if (each["text"], each["saved"]) not in looked_at]:
                entry["others"] = left
            return kept(entry)

    def drop_map(self, key: str) -> None:
        """Forget a map, its other versions and what was judged about it."""
        with self._changing() as data:
            for part in ("maps", "judgements"):
                data.get(part, {}).pop(key, None)

    def judgements(self, key: str, sentences: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """Return what was said of the propositions of a map: name of the judge -> id of the relation -> word.

        :param sentences: what each relation says now, by its id; what was said of another sentence is left out.
        """
        return still(self.whole().judgements.get(key, {}), sentences)

    def judge(self, key: str, judge: str, relation: str, word: str, about: str) -> None:
        """Note what *judge* says of one proposition of a map.

        :param word: one of :data:`~coursekit.journal.entries.WORDS`, ``""`` to take it back.
        :param about: the proposition as a sentence: the word counts as long as the relation says that.
        :raises JournalError: if the name is empty or too long.
        :raises ValueError: for another word.
        """
        judge = writable(judge).strip()
        if word not in ("", *WORDS):
            raise ValueError(f"a judgement is one of {', '.join(WORDS)}, not {word!r}")
        if not 0 < len(judge) <= LONGEST_NAME:
            raise JournalError("journal.judge", got=len(judge), limit=LONGEST_NAME)
        with self._changing() as data:
            judges = data.setdefault("judgements", {}).setdefault(key, {})
            said = judges.setdefault(judge, {})
            said.pop(relation, None)
            if word:
                said[relation] = {"word": word, "about": norm(writable(about))}
            if not said:
                del judges[judge]

    # Matches

    @property
    def agreed(self) -> bool | None:
        """Whether matches may be kept; ``None`` if nobody has been asked yet."""
        return self.whole().agreed

    def agree(self, yes: bool) -> None:
        """Note whether matches may be kept from now on; those that are kept stay."""
        with self._changing() as data:
            data["agreed"] = yes

    def keep_match(self, id: str, game: str, record_text: str, over: bool, people: Sequence[Seat]) -> None:
        """Keep a match, in place of what there is under its *id*; does nothing unless it was agreed to.

        The oldest matches go if there are more than :data:`~coursekit.journal.entries.MATCHES`, or more than
        :data:`~coursekit.journal.entries.RECORDS` bytes.

        :param record_text: the match's record as a file; it tells every hand.
        :param people: the seats that people played.
        :raises JournalError: if the record alone is larger than that, or cannot be written.
        """
        if len(record_text.encode("utf-8", "replace")) > RECORDS:
            raise JournalError("journal.match_too_large", limit=RECORDS // 1_000_000)
        with self._changing() as data:
            if data.get("agreed"):
                entry = {"game": game, "record": record_text, "over": over, "people": list(people)}
                put_match(data.setdefault("matches", {}), id, {"saved": now()} | entry)

    def matches(self, game: str | None = None) -> list[KeptMatch]:
        """Return the matches kept, of one *game* or of all, the oldest first."""
        return [each for each in self.whole().matches if game in (None, each.game)]

    def forget_matches(self) -> None:
        """Delete all matches."""
        with self._changing() as data:
            data.pop("matches", None)

    # As a whole

    def whole(self) -> Whole:
        """Return all that the journal holds."""
        with self._reading() as data:
            return Whole(
                {key: answer(entry) for key, entry in data["answers"].items()},
                {key: kept(entry) for key, entry in data.get("maps", {}).items()},
                {key: judged(entry) for key, entry in data.get("judgements", {}).items()},
                [kept_match(id, entry) for id, entry in data.get("matches", {}).items()],
                data.get("agreed"),
            )

    def exported(self) -> str:
        """Return the content of the file, to take along and to :meth:`bring` back."""
        with self._reading() as data:
            return written(data)

    def bring(self, content: str | bytes) -> Brought:
        """Take over what is in another journal, and return how much that was.

        Of what both have the newer one counts, and the older one stays among its other versions.

        :param content: of that journal's file.
        :raises JournalError: if that is no journal, or of a newer version, or if both together are more than
            :data:`~coursekit.journal.entries.LARGEST`; nothing is taken over then.
        """
        with self._changing() as data:
            return bring(data, content)

    def delete(self, game: str = "") -> None:
        """Delete the journal, and every damaged one that was put aside.

        :param game: delete only what belongs to this game, ``""`` for all.
        """
        if game:
            self._delete_game(game)
            return
        with self._guarded():
            self.take_aside()
            for each in (*self.damaged, self.path):
                each.unlink(missing_ok=True)
        self._tell_changed()

    def _delete_game(self, game: str) -> None:
        with self._changing() as data:
            for part in ("answers", "maps", "judgements"):
                if part in data:
                    data[part] = {key: each for key, each in data[part].items() if game_of(key) != game}
            if "matches" in data:
                data["matches"] = {id: each for id, each in data["matches"].items() if each["game"] != game}
