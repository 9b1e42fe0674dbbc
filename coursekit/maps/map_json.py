"""Answers about maps for the browser, as JSON."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from coursekit.maps.comparison import Comparison, Merged, Same, by_key, keys, often, perhaps_same
from coursekit.maps.elements import Changes, Thing
from coursekit.maps.map_statistics import (
    FIRST,
    POINTS,
    groups,
    hierarchy,
    hubs,
    judged,
    measures,
    middle,
    parts,
)
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import text

Json = dict[str, Any]


def whole(map: MindMap) -> Json:
    """Return everything that *map* shows."""
    return {
        "head": thing(map.head),
        "concepts": {id: thing(each) for id, each in map.concepts.items()},
        "relations": {id: thing(each) for id, each in map.relations.items()},
        "tree": tree(map),
    }


def thing(each: Thing | None) -> Json | None:
    return None if each is None else each._asdict()


def things(changes: Changes) -> Json:
    return {id: thing(each) for id, each in changes.items()}


def tree(map: MindMap) -> Json:
    """Return how *map* is ordered."""
    found = hierarchy(map)
    return {
        "top": found.top,
        "level": dict(found.level),
        "above": dict(found.above),
        "hangs_on": dict(found.hangs_on),
        "cross_links": list(found.cross_links),
    }


def grown(map: MindMap) -> Json:
    """Return how *map* grew."""
    steps = [{"when": each.when, "changes": things(each.changes)} for each in map.log]
    return {"begun": things(map.begun), "steps": steps}


def studied(map: MindMap, said: Mapping[str, Mapping[str, str]], language: str) -> Json:
    """Return the numbers of *map*, and the judgements of its propositions.

    :param said: judge -> relation -> word.
    """
    found = judged(map, middle(said.values()))
    by = {judge: judged(map, words) for judge, words in said.items()}
    labels = {id: each.label for id, each in map.concepts.items()}
    found_hubs, lines = (
        hubs(map),
        Counter(end for each in map.relations.values() for end in (each.start, each.end)),
    )
    return {
        "measures": [
            {
                "name": name,
                "label": text(f"map.measure.{name}", language),
                "value": round(value, 2),
                "hint": text(f"map.hint.{name}", language),
                "main": name in FIRST,
            }
            for name, value in measures(map)._asdict().items()
        ],
        "hubs": [
            each._asdict() | {"label": labels[each.id], "between": round(each.between, 2)}
            for each in found_hubs
        ],
        "tied": sum(count == found_hubs[0].relations for count in lines.values()),
        "parts": parts(map),
        "groups": groups(map),
        "propositions": [
            {
                "id": id,
                "sentence": map.sentence(id),
                "said": {judge: words[id] for judge, words in said.items() if id in words},
            }
            for id, each in map.relations.items()
            if each.phrase
        ],
        "open": len(found.open),
        "structure": found.structure.points,
        "valid": found.valid.points,
        "judges": [
            {"judge": judge, "valid": one.valid.points, "open": len(one.open)}
            for judge, one in by.items()
        ],
        "elements": [
            {
                "name": name,
                "label": text(f"map.element.{name}", language),
                "structure": value,
                "valid": getattr(found.valid, name),
                "points": POINTS[name],
            }
            for name, value in found.structure._asdict().items()
        ],
    }


def compared(mine: MindMap, other: MindMap, found: Comparison, same: Same) -> Json:
    """Return how *mine* and *other* differ, with the edits that add what is missing."""
    labels, theirs, key = mine.concepts, other.concepts, keys(same)
    own = by_key(mine, key)

    def here(id: str, edits: list[Any]) -> str:
        """Return my concept that is the same as *id* of the other map; if there is none, *edits*
        make it.
        """
        if (there := own.get(key(theirs[id].label))) is None:
            edits.append(_add(other, id))
            there = f"+{len(edits) - 1}"
        return there

    missing = []
    for id in found.missing:
        said, edits = other.relations[id], list[Any]()
        start, end = here(said.start, edits), here(said.end, edits)
        edits.append(["link", start, said.phrase, end, {"kind": said.kind, "note": said.note}])
        ends = {"start": theirs[said.start].label, "end": theirs[said.end].label}
        missing.append(
            {
                "sentence": other.sentence(id),
                "phrase": said.phrase,
                "kind": said.kind,
                "do": edits,
                **ends,
            }
        )
    return {
        "shared": {
            "concepts": [labels[id].label for id, _ in found.concepts],
            "propositions": [mine.sentence(id) for id, _ in found.shared],
        },
        "missing": {
            "concepts": [
                {
                    "label": theirs[id].label,
                    "kind": theirs[id].kind,
                    "card": theirs[id].card,
                    "do": [_add(other, id)],
                }
                for id in found.concepts_missing
            ],
            "propositions": missing,
        },
        "mine": {
            "concepts": [{"id": id, "label": labels[id].label} for id in found.concepts_extra],
            "propositions": [{"id": id, "sentence": mine.sentence(id)} for id in found.extra],
        },
        "contradictions": [
            {
                "id": each.mine,
                "mine": mine.sentence(each.mine),
                "other": other.sentence(each.other),
                "how": each.why,
            }
            for each in found.contradicting
        ],
        "reworded": [
            {"mine": mine.sentence(one), "other": other.sentence(two)}
            for one, two in found.reworded
        ],
        "perhaps_same": [list(pair) for pair in perhaps_same(mine, other, same)],
        "overlap": {
            "concepts": round(found.concept_overlap, 3),
            "propositions": round(found.proposition_overlap, 3),
        },
    }


def _add(map: MindMap, id: str) -> list[Any]:
    fields = map.concepts[id]._asdict()
    return [
        "add",
        {
            name: fields[name]
            for name in ("label", "kind", "note", "card", "source")
            if fields[name]
        },
    ]


def merged(found: Merged, maps: int, shown: MindMap) -> Json:
    """Return what a class has in common and where it disagrees.

    :param maps: how many maps it drew.
    :param shown: a map of what many of them have.
    """
    weights = {each: found.propositions[each].weight for each in often(found.propositions)}
    return {
        "maps": maps,
        "propositions": [
            {"sentence": found.sentence(each), "weight": weight} for each, weight in weights.items()
        ],
        "disagreements": [
            {
                "sentences": [found.sentence(each.one), found.sentence(each.other)],
                "weights": [weights[each.one], weights[each.other]],
                "how": each.why,
            }
            for each in found.disagreements
        ],
        "map": whole(shown),
    }


def most(words: Iterable[str]) -> str:
    """Return the most frequent word, ``""`` if there is none."""
    found = list(filter(None, words))
    return max(found, key=found.count, default="")
