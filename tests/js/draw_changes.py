"""Changes of maps by chance, with what Python makes of them, for map.test.mjs: a JSON list."""

import json
import random
import sys

from coursekit.maps.elements import CONCEPTS, MapError, apply_changes, clean, relation_sentence
from coursekit.maps.map_json import parse_changes, things_json

LETTERS = "ab 12臺破Ａ…,\n\t\r\x00\x85\u2028\u202e\u3000\ufeff\U0001f9f6é"
rng = random.Random(int(sys.argv[1]))


def words(most: int = 4) -> str:
    """Return a short text, now and then one at the limit of a label or of a note."""
    length = rng.choice([rng.randint(0, most)] * 30 + [80, 81, 2000, 2001])
    return "".join(rng.choices(LETTERS, k=length)) if length < 80 else "x" * length


def concept(label: str) -> dict[str, object]:
    at = rng.choice([None, [rng.randint(-9, 9), 5]])
    return {"label": label, "kind": words(), "note": words(), "card": "", "source": "", "at": at}


def relation(ids: list[str]) -> dict[str, object]:
    start, end = rng.choices(ids, k=2)
    phrase = rng.choice(["is", "is", words()])
    return {"start": start, "phrase": phrase, "end": end, "kind": "", "note": words()}


def changes(ids: list[str]) -> dict[str, object]:
    """Return what a page may send about some of the concepts and relations."""
    drawn: dict[str, object] = {}
    for _ in range(rng.randint(1, 4)):
        what = rng.choice(["concept", "concept", "relation", "relation", "remove", "head"])
        if what == "concept":
            drawn[rng.choice([*ids, "c9"])] = concept(rng.choice([words(), rng.choice(ids)]))
        elif what == "relation":
            drawn[rng.choice(["r1", "r2", "r3"])] = relation([*ids, "c9"])
        elif what == "remove":
            drawn[rng.choice([*ids, "r1", "r2"])] = None
        else:
            drawn[""] = {"focus": words(), "top": rng.choice(["", *ids, "c9"])}
    return drawn


rows = []
for number in range(int(sys.argv[2])):
    ids = [f"c{place}" for place in range(CONCEPTS if number % 20 == 0 else 4)]
    begun: dict[str, object] = {key: concept(key) | {"kind": "", "note": ""} for key in ids}
    begun[""] = {"focus": "", "top": "c1"}
    begun["r1"] = {"start": "c0", "phrase": "is", "end": "c1", "kind": "", "note": ""}
    begun["r2"] = {"start": "c1", "phrase": "is", "end": "c2", "kind": "", "note": ""}
    before = apply_changes({}, parse_changes(begun))
    edited = changes(ids[:4])
    row: dict[str, object] = {"before": things_json(before), "changes": edited}
    try:
        row["after"] = things_json(apply_changes(before, parse_changes(edited)))
    except MapError as error:
        row["refused"] = error.text.removeprefix("map.")
    parts = [clean(words()) or "a", clean(words()), clean(words()) or "b"]
    row["sentence"] = [*parts, relation_sentence(*parts)]
    rows.append(row)
sys.stdout.write(json.dumps(rows))
