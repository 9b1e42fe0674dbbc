"""Journals and matches without the names of players and judges, to leave the computer."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from coursekit.journal.entries import Entry

NAMELESS = "nameless"
"""Part of a file with pseudonyms for judges: nobody judges twice when it is brought back."""
T = TypeVar("T")
Pseudonym = Callable[[int], str]
"""What a judge is called instead, by a number from 1."""


def anonymise_record(record: str) -> str:
    """Return the file of a match without its players' names; their seats name them then."""
    try:
        data = json.loads(record)
        if not data["names"]:
            return record
    except (ValueError, KeyError, TypeError, RecursionError):
        return record  # no record of this version, so its players cannot be shown either
    data["names"] = []
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def anonymise_judges(
    judgements: Mapping[str, Mapping[str, T]], pseudonym: Pseudonym
) -> dict[str, dict[str, T]]:
    """Return *judgements* with a pseudonym for each judge, the same on all maps.

    :param judgements: map -> name of the judge -> anything.
    """
    judges = dict.fromkeys(judge for by_judge in judgements.values() for judge in by_judge)
    pseudonyms = {judge: pseudonym(number) for number, judge in enumerate(judges, 1)}
    return {
        key: {pseudonyms[judge]: judgement for judge, judgement in by_judge.items()}
        for key, by_judge in judgements.items()
    }


def anonymise_journal(data: Entry, pseudonym: Pseudonym) -> Entry:
    """Return the content of a journal's file without the names of players and judges."""
    copy: dict[str, Any] = dict(data)
    if data.get("matches"):
        copy["matches"] = {
            match_id: entry | {"record": anonymise_record(entry["record"])}
            for match_id, entry in data["matches"].items()
        }
    if data.get("judgements"):
        copy |= {"judgements": anonymise_judges(data["judgements"], pseudonym), NAMELESS: True}
    return copy


def has_names(record: str) -> bool:
    """Return whether the file of a match names its players."""
    return anonymise_record(record) != record
