"""Answers about maps for the page, as JSON."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from coursekit.maps.comparison import (
    Comparison,
    Merged,
    Same,
    by_key,
    most_common,
    perhaps_same,
    word_keys,
)
from coursekit.maps.elements import Changes, Thing
from coursekit.maps.map_statistics import (
    FIRST,
    POINTS,
    Judged,
    groups,
    hierarchy,
    hubs,
    judge_elements,
    measure,
    median_verdicts,
    parts,
)
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import text

Json = dict[str, Any]


def content_json(mind_map: MindMap) -> Json:
    """Return everything that *mind_map* shows."""
    return {
        "head": thing_json(mind_map.head),
        "concepts": things_json(mind_map.concepts),
        "relations": things_json(mind_map.relations),
        "tree": tree_json(mind_map),
    }


def thing_json(thing: Thing | None) -> Json | None:
    return None if thing is None else thing._asdict()


def things_json(changes: Changes) -> Json:
    return {thing_id: thing_json(thing) for thing_id, thing in changes.items()}


def tree_json(mind_map: MindMap) -> Json:
    """Return how *mind_map* is ordered."""
    tree = hierarchy(mind_map)
    return {
        "top": tree.top,
        "level": tree.level,
        "above": tree.above,
        "hangs_on": tree.hangs_on,
        "cross_links": list(tree.cross_links),
    }


def history_json(mind_map: MindMap) -> Json:
    """Return how *mind_map* grew."""
    steps = [{"when": step.when, "changes": things_json(step.changes)} for step in mind_map.log]
    return {"begun": things_json(mind_map.beginning), "steps": steps}


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
        "map": content_json(shown),
    }


def most_frequent(words: Iterable[str]) -> str:
    """Return the most frequent word that is not empty, ``""`` if there is none."""
    filled = [word for word in words if word]
    return max(filled, key=filled.count, default="")
