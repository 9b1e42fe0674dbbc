"""Answers about maps for the page, as JSON."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from coursekit.core.page_messages import MessageError
from coursekit.maps.comparison import (
    Comparison,
    Merged,
    Same,
    by_key,
    most_common,
    perhaps_same,
    word_keys,
)
from coursekit.maps.elements import HEAD, SHORT, Changes, Concept, Head, Relation, Thing, clean
from coursekit.maps.map_statistics import (
    FIRST,
    POINTS,
    Judged,
    groups,
    hubs,
    judge_elements,
    measure,
    median_verdicts,
    parts,
)
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import text

Json = dict[str, Any]


def things_json(things: Changes) -> Json:
    """Return *things*, a map or changes of one, by id; ``None`` for one that is removed."""
    return {thing_id: thing and thing._asdict() for thing_id, thing in things.items()}


def parse_changes(data: Mapping[str, Any]) -> dict[str, Thing | None]:
    """Return the changes that a page sends: the inverse of :func:`things_json`.

    :raises MessageError: for what no page of the kit sends.
    """
    changes: dict[str, Thing | None] = {}
    for thing_id, fields in data.items():
        changes[thing_id] = None if fields is None else _parse_thing(thing_id, fields)
    return changes


def _parse_thing(thing_id: str, fields: Any) -> Thing:
    if not isinstance(fields, dict):
        raise MessageError
    kind: type[Thing] = Relation if "start" in fields else Concept
    if thing_id == HEAD:
        kind = Head
    elif len(thing_id) > SHORT or thing_id != clean(thing_id):
        raise MessageError
    if isinstance(fields.get("at"), list):
        fields = fields | {"at": tuple(fields["at"])}
    try:
        return kind(**fields)
    except TypeError:  # a field is missing, or unknown
        raise MessageError from None


def study_json(mind_map: MindMap, verdicts: Mapping[str, Mapping[str, str]], language: str) -> Json:
    """Return the numbers of *mind_map*, and the verdicts on its propositions.

    :param verdicts: judge -> relation -> verdict.
    """
    together = judge_elements(mind_map, median_verdicts(verdicts.values()))
    judges = []
    for judge, words in verdicts.items():
        judged = judge_elements(mind_map, words)
        judges.append({"judge": judge, "valid": judged.valid.points, "open": len(judged.open)})
    propositions = []
    for relation_id, relation in mind_map.relations.items():
        if relation.phrase:
            said = {
                judge: words[relation_id]
                for judge, words in verdicts.items()
                if relation_id in words
            }
            sentence = mind_map.sentence(relation_id)
            propositions.append({"id": relation_id, "sentence": sentence, "said": said})
    return {
        "measures": _measure_rows(mind_map, language),
        **_hub_rows(mind_map),
        "parts": parts(mind_map),
        "groups": groups(mind_map),
        "propositions": propositions,
        "open": len(together.open),
        "structure": together.structure.points,
        "valid": together.valid.points,
        "judges": judges,
        "elements": _element_rows(together, language),
    }


def _measure_rows(mind_map: MindMap, language: str) -> list[Json]:
    return [
        {
            "name": name,
            "label": text(f"map.measure.{name}", language),
            "value": round(value, 2),
            "hint": text(f"map.hint.{name}", language),
            "main": name in FIRST,
        }
        for name, value in measure(mind_map)._asdict().items()
    ]


def _hub_rows(mind_map: MindMap) -> Json:
    """Return the hubs, and how many concepts have as many relations as the first of them."""
    ranked = hubs(mind_map)
    labels = {concept_id: concept.label for concept_id, concept in mind_map.concepts.items()}
    counts = Counter[str]()
    for relation in mind_map.relations.values():
        counts.update((relation.start, relation.end))
    rows = [
        {
            "id": hub.concept,
            "label": labels[hub.concept],
            "relations": hub.relations,
            "between": round(hub.between, 2),
        }
        for hub in ranked
    ]
    tied = sum(count == ranked[0].relations for count in counts.values())
    return {"hubs": rows, "tied": tied}


def _element_rows(judged: Judged, language: str) -> list[Json]:
    return [
        {
            "name": name,
            "label": text(f"map.element.{name}", language),
            "structure": value,
            "valid": getattr(judged.valid, name),
            "points": POINTS[name],
        }
        for name, value in judged.structure._asdict().items()
    ]


def comparison_json(mine: MindMap, other: MindMap, result: Comparison, same: Same) -> Json:
    """Return how *mine* and *other* differ, with the edits that add what is missing."""
    labels = {concept_id: concept.label for concept_id, concept in mine.concepts.items()}
    missing_concepts = []
    for concept_id in result.concepts_missing:
        edits = [_add_edit(other, concept_id)]
        concept = other.concepts[concept_id]
        missing_concepts.append(
            {"label": concept.label, "kind": concept.kind, "card": concept.card, "do": edits}
        )
    return {
        "shared": {
            "concepts": [labels[concept_id] for concept_id, _ in result.concepts],
            "propositions": [mine.sentence(relation_id) for relation_id, _ in result.shared],
        },
        "missing": {
            "concepts": missing_concepts,
            "propositions": _missing_propositions(mine, other, result, same),
        },
        "mine": {
            "concepts": [
                {"id": concept_id, "label": labels[concept_id]}
                for concept_id in result.concepts_extra
            ],
            "propositions": [
                {"id": relation_id, "sentence": mine.sentence(relation_id)}
                for relation_id in result.extra
            ],
        },
        "contradictions": [
            {
                "id": contradiction.mine,
                "mine": mine.sentence(contradiction.mine),
                "other": other.sentence(contradiction.other),
                "how": contradiction.why,
            }
            for contradiction in result.contradicting
        ],
        "reworded": [
            {"mine": mine.sentence(mine_id), "other": other.sentence(other_id)}
            for mine_id, other_id in result.reworded
        ],
        "perhaps_same": [list(pair) for pair in perhaps_same(mine, other, same)],
        "overlap": {
            "concepts": round(result.concept_overlap, 3),
            "propositions": round(result.proposition_overlap, 3),
        },
    }


def _missing_propositions(
    mine: MindMap, other: MindMap, result: Comparison, same: Same
) -> list[Json]:
    """Return the propositions that only *other* has, each with the edits that add it to *mine*."""
    theirs = other.concepts
    key = word_keys(same)
    own = by_key(mine, key)
    rows = []
    for relation_id in result.missing:
        relation = other.relations[relation_id]
        edits: list[Any] = []
        ends = []
        for concept_id in (relation.start, relation.end):
            own_id = own.get(key(theirs[concept_id].label))
            if own_id is None:  # an edit before makes it, and is called by its number
                own_id = f"+{len(edits)}"
                edits.append(_add_edit(other, concept_id))
            ends.append(own_id)
        rest = {"kind": relation.kind, "note": relation.note}
        edits.append(["link", ends[0], relation.phrase, ends[1], rest])
        rows.append(
            {
                "sentence": other.sentence(relation_id),
                "start": theirs[relation.start].label,
                "phrase": relation.phrase,
                "end": theirs[relation.end].label,
                "kind": relation.kind,
                "do": edits,
            }
        )
    return rows


def _add_edit(mind_map: MindMap, concept_id: str) -> list[Any]:
    """Return the edit that adds a concept of *mind_map* to another map, without its place."""
    fields = mind_map.concepts[concept_id]._replace(at=None)._asdict()
    return ["add", {name: value for name, value in fields.items() if value}]


def merged_json(merged: Merged, maps: int, shown: MindMap) -> Json:
    """Return what a class has in common and where it disagrees.

    :param maps: how many maps it drew.
    :param shown: a map of what many of them have.
    """
    common = most_common(merged.propositions)
    weights = {proposition: merged.propositions[proposition].weight for proposition in common}
    disagreements = []
    for disagreement in merged.disagreements:
        both = (disagreement.one, disagreement.other)
        disagreements.append(
            {
                "sentences": [merged.sentence(proposition) for proposition in both],
                "weights": [weights[proposition] for proposition in both],
                "how": disagreement.why,
            }
        )
    return {
        "maps": maps,
        "propositions": [
            {"sentence": merged.sentence(proposition), "weight": weight}
            for proposition, weight in weights.items()
        ],
        "disagreements": disagreements,
        "map": things_json(shown.things),
    }


def most_frequent(words: Iterable[str]) -> str:
    """Return the most frequent word that is not empty, ``""`` if there is none."""
    filled = [word for word in words if word]
    return max(filled, key=filled.count, default="")
