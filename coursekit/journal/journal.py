"""The journal: what its owner wrote, drew and played; see ``docs/extend/journal.md``.

Every change reads the file again, changes one entry and replaces the file as a whole, under a
lock.  So several notebooks and tabs can write to one journal, and parts added by a later version
stay as they are.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from coursekit.core.game import Seat
from coursekit.journal.anonymise import Pseudonym, anonymise_journal
from coursekit.journal.entries import (
    LARGEST_MAP,
    LONGEST_ANSWER,
    LONGEST_NAME,
    NO_ANSWER,
    OTHER_ANSWERS,
    OTHER_MAPS,
    RECORDS,
    VERDICTS,
    Answer,
    Judgements,
    MapEntry,
    MatchEntry,
    Others,
    current_verdicts,
    game_of,
    now,
    put,
    put_match,
    read_answer,
    read_judgements,
    read_map,
    read_match,
    remember,
    when,
)
from coursekit.journal.journal_file import (
    JournalError,
    JournalFile,
    dump_journal,
    replace_surrogates,
)
from coursekit.journal.journal_import import Brought, bring
from coursekit.words.characters import drawn_part, is_visible
from coursekit.words.normalise import normalise

__all__ = [
    "LONGEST_ANSWER",
    "NO_ANSWER",
    "Answer",
    "Journal",
    "JournalError",
    "MapEntry",
    "MatchEntry",
    "Whole",
]


class Whole(NamedTuple):
    """The content of a journal at one moment."""

    answers: dict[str, Answer]
    maps: dict[str, MapEntry]
    judgements: dict[str, Judgements]  # by the key of the map
    matches: list[MatchEntry]  # the oldest first
    agreed: dict[str, bool]  # by game; one is missing until it was answered at its table


class Journal(JournalFile):
    """A journal in a file; every method reads the file again.

    A failure to read or write is a :class:`JournalError`, and so is growth beyond
    :data:`~coursekit.journal.entries.LARGEST_JOURNAL`.  The file is unchanged then.
    """

    # Answers

    def answers(self) -> dict[str, Answer]:
        """Return all answers, by the key of their question.

        :raises JournalError: if the file cannot be read, or a newer version wrote it.
        """
        return self.whole().answers

    def save(self, key: str, words: str, question: str, seen: str | None = None) -> Answer:
        """Save *words* as the answer to the question *key* and return the journal's answer now.

        :param question: the question as it was asked.
        :param seen: time of saving of the answer that *words* was edited from, ``""`` for none. A
            later answer in the journal stays among the other versions; ``None`` skips this check.
        :raises JournalError: if it cannot be written; the journal is unchanged then.
        """
        words, question = replace_surrogates(words), replace_surrogates(question)
        if len(words) > LONGEST_ANSWER:
            raise JournalError("reflect.too_long", limit=LONGEST_ANSWER)
        with self._changing() as data:
            entries = data["answers"]
            before = read_answer(entries[key]) if key in entries else NO_ANSWER
            if words == before.text and (question == before.question or not words):
                return before
            entry = put(entries, key, words, seen, OTHER_ANSWERS)
            entry["question"] = question
            return read_answer(entry)

    def restore(self, key: str, words: str, question: str, seen: str, typed: str) -> Answer:
        """Save an answer that a browser could not save in time; return the journal's answer now.

        It becomes the answer if it was edited from the journal's answer or typed later. Otherwise
        it is kept among the other versions.

        :param typed: time of typing, as ISO 8601.
        :raises JournalError: as :meth:`save`.
        """
        words = replace_surrogates(words)
        if len(words) > LONGEST_ANSWER:
            raise JournalError("reflect.too_long", limit=LONGEST_ANSWER)
        with self._changing() as data:
            entry = data["answers"].get(key)
            current = read_answer(entry) if entry else NO_ANSWER
            if words in (current.text, *(version for version, _ in current.others)):
                return current
            if entry and seen != current.saved and when(typed) <= when(current.saved):
                remember(entry, [{"text": words, "saved": typed}], OTHER_ANSWERS)
                return read_answer(entry)
        return self.save(key, words, question, seen)

    # Mind maps

    def maps(self) -> dict[str, MapEntry]:
        """Return all mind maps, by ``GAME/NAME``."""
        return self.whole().maps

    def save_map(self, key: str, words: str, seen: str | None = None) -> MapEntry:
        """Save the map in *words* under *key* and return the journal's map now.

        :param words: the map as a JSON file.
        :param seen: as in :meth:`save`.
        :raises JournalError: if it is too long or cannot be written; the journal is unchanged then.
        """
        words = replace_surrogates(words)
        if len(words) > LARGEST_MAP:
            raise JournalError("journal.map_too_long", limit=LARGEST_MAP)
        with self._changing() as data:
            entries = data.setdefault("maps", {})
            if key in entries and words == entries[key]["text"]:
                return read_map(entries[key])
            return read_map(put(entries, key, words, seen, OTHER_MAPS))

    def settle_map(self, key: str, looked_at: Others) -> MapEntry:
        """Delete the other versions that the reader has *looked_at*; return the map now."""
        with self._changing() as data:
            entry = data.get("maps", {}).get(key, {"text": "", "saved": ""})
            others = entry.pop("others", [])
            left = [
                version
                for version in others
                if (version["text"], version["saved"]) not in looked_at
            ]
            if left:
                entry["others"] = left
            return read_map(entry)

    def drop_map(self, key: str) -> None:
        """Delete a map, its other versions and its judgements."""
        with self._changing() as data:
            for part in ("maps", "judgements"):
                data.get(part, {}).pop(key, None)

    def judgements(self, key: str, sentences: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """Return the verdicts on a map's propositions, by judge and by the id of the relation.

        :param sentences: id of a relation -> its current sentence; verdicts on another sentence are
            left out.
        """
        return current_verdicts(self.whole().judgements.get(key, {}), sentences)

    def judge(self, key: str, judge: str, relation: str, word: str, about: str) -> None:
        """Save the verdict of *judge* on one proposition of a map.

        :param word: one of :data:`~coursekit.journal.entries.VERDICTS`, ``""`` to withdraw it.
        :param about: the proposition as a sentence; the verdict holds only for this sentence.
        :raises JournalError: if the name is empty or too long, or nothing of it is drawn.
        :raises ValueError: for another word.
        """
        judge = replace_surrogates(judge).strip()
        if word not in ("", *VERDICTS):
            raise ValueError(f"a judgement is one of {', '.join(VERDICTS)}, not {word!r}")
        if judge and not is_visible(judge):
            raise JournalError("name.unseen")
        if not 0 < len(judge) <= LONGEST_NAME:
            raise JournalError("journal.judge", got=len(judge), limit=LONGEST_NAME)
        with self._changing() as data:
            judges = data.setdefault("judgements", {}).setdefault(key, {})
            shape = drawn_part(judge)
            judge = next((known for known in judges if drawn_part(known) == shape), judge)
            judgements = judges.setdefault(judge, {})
            judgements.pop(relation, None)
            if word:
                about = normalise(replace_surrogates(about))
                judgements[relation] = {"word": word, "about": about}
            if not judgements:
                del judges[judge]

    # Matches

    def agreed(self, game: str) -> bool | None:
        """Return whether matches of *game* may be kept, ``None`` if that was not answered yet."""
        return self.whole().agreed.get(game)

    def agree(self, game: str, yes: bool) -> None:
        """Save whether matches of *game* may be kept from now on; kept matches stay."""
        with self._changing() as data:
            data.setdefault("agreed", {})[game] = yes

    def keep_match(
        self, match_id: str, game: str, record_text: str, over: bool, people: Sequence[Seat]
    ) -> None:
        """Save a match, replacing an earlier one with its id; do nothing unless :meth:`agreed`.

        The oldest matches go above :data:`~coursekit.journal.entries.MOST_MATCHES` matches or
        :data:`~coursekit.journal.entries.RECORDS` bytes.

        :param record_text: the match's record file; it reveals every hand.
        :param people: the seats that people played.
        :raises JournalError: if the record alone exceeds that size, or cannot be written.
        """
        if len(record_text.encode("utf-8", "replace")) > RECORDS:
            raise JournalError("journal.match_too_large", limit=RECORDS // 1_000_000)
        with self._changing() as data:
            if data.get("agreed", {}).get(game):
                entry = {"game": game, "record": record_text, "over": over, "people": list(people)}
                put_match(data.setdefault("matches", {}), match_id, {"saved": now()} | entry)

    def matches(self, game: str | None = None) -> list[MatchEntry]:
        """Return the kept matches of one *game* or of all, the oldest first."""
        return [match for match in self.whole().matches if game in (None, match.game)]

    def forget_matches(self) -> None:
        """Delete all matches."""
        with self._changing() as data:
            data.pop("matches", None)

    # As a whole

    def part(self, name: str) -> str:
        """Return a part of the file that is a text, "" if there is none."""
        with self._reading() as data:
            part = data.get(name, "")
            return part if isinstance(part, str) else ""

    def put_part(self, name: str, words: str) -> None:
        """Save *words* as a part of the file; an empty file is written for it."""
        with self._changing() as data:
            data[name] = replace_surrogates(words)

    def whole(self) -> Whole:
        """Return the whole content of the journal."""
        with self._reading() as data:
            return Whole(
                {key: read_answer(entry) for key, entry in data["answers"].items()},
                {key: read_map(entry) for key, entry in data.get("maps", {}).items()},
                {key: read_judgements(entry) for key, entry in data.get("judgements", {}).items()},
                [read_match(key, entry) for key, entry in data.get("matches", {}).items()],
                dict(data.get("agreed", {})),
            )

    def exported(self, pseudonym: Pseudonym | None = None) -> str:
        """Return the text of the file, for :meth:`bring` to import elsewhere.

        :param pseudonym: what to call each judge instead; then players are not named either.
        """
        with self._reading() as data:
            return dump_journal(anonymise_journal(data, pseudonym) if pseudonym else data)

    def bring(self, content: str | bytes) -> Brought:
        """Import another journal, and return how many entries were new.

        If both journals have an entry, the newer one counts and the older one stays among its other
        versions.

        :param content: the content of that journal's file.
        :raises JournalError: if it is not a journal, has a newer version, or both together exceed
            :data:`~coursekit.journal.entries.LARGEST_JOURNAL`; nothing is imported then.
        """
        with self._changing() as data:
            return bring(data, content)

    def delete(self, game: str = "") -> None:
        """Delete the journal, and every damaged one that was put aside.

        :param game: delete only the entries of this game, ``""`` for all.
        """
        if game:
            self._delete_game(game)
            return
        with self._guarded():
            self.take_aside()
            for path in (*self.damaged, self.path):
                path.unlink(missing_ok=True)
            self._tidy()
        self._tell_changed()

    def _delete_game(self, game: str) -> None:
        with self._changing() as data:
            for part in ("answers", "maps", "judgements", "matches"):
                for key, entry in list(data.get(part, {}).items()):
                    owner = entry["game"] if part == "matches" else game_of(key)
                    if owner == game:
                        del data[part][key]
