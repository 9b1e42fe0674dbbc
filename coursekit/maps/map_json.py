"""Answers about maps for the page, as JSON."""

from collections.abc import Mapping
from typing import Any

from coursekit.core.page_messages import MessageError
from coursekit.maps.comparison import (
    Comparison,
    Merged,
    Proposition,
    Same,
    most_common,
    shared_id,
    word_keys,
)
from coursekit.maps.elements import (
    HEAD,
    SHORT,
    Changes,
    Concept,
    Head,
    Relation,
    Thing,
    clean,
    id_number,
)
from coursekit.maps.map_statistics import judge_elements, median_verdicts
from coursekit.maps.mindmap import MindMap

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


def study_json(mind_map: MindMap, verdicts: Mapping[str, Mapping[str, str]]) -> Json:
    """Return the verdicts on the propositions of *mind_map*, and its points.

    :param verdicts: judge -> relation -> verdict.
    """
    judged = judge_elements(mind_map, median_verdicts(verdicts.values()))
    return {
        "verdicts": verdicts,
        "structure": judged.structure.points,
        "valid": judged.valid.points,
    }


def comparison_json(mine: MindMap, other: MindMap, result: Comparison, same: Same) -> Json:
    """Return how *mine* and *other* differ, with the changes that add what is missing."""
    return {
        "shared": [own_id for own_id, _ in result.shared],
        "missing": _missing(mine, other, result, same),
        "mine": list(result.mine),
        "contradictions": [
            {"id": clash.mine, "other": other.sentence(clash.other), "how": clash.why}
            for clash in result.contradicting
        ],
        "reworded": [
            {"id": own_id, "other": other.sentence(their_id)}
            for own_id, their_id in result.reworded
        ],
        "perhaps_same": [list(pair) for pair in result.near],
    }


def _missing(mine: MindMap, other: MindMap, result: Comparison, same: Same) -> list[Json]:
    """Return what only *other* has, sentences first, each with the changes that add it to *mine*.

    Ids are new in *mine*; concepts are without a place.
    """
    key = word_keys(same)
    # In reverse, so that of several concepts with a key the first one counts.
    ids = {key(concept.label): name for name, concept in reversed(mine.concepts.items())}
    concepts = other.concepts
    relations = other.relations
    last = max(map(id_number, mine.things))
    added: dict[str, Thing] = {}
    for number, concept_id in enumerate(result.missing, last + 1):
        if concept_id in concepts:
            label = concepts[concept_id].label
            ids[key(label)] = new_id = f"c{number}-{shared_id(label)[-4:]}"
            added[new_id] = concepts[concept_id]._replace(at=None)
    rows = []
    for number, thing_id in enumerate(result.missing, last + 1):
        relation = relations.get(thing_id)
        ends = (relation.start, relation.end) if relation else (thing_id,)
        own = [ids[key(concepts[concept_id].label)] for concept_id in ends]
        changes = {concept_id: added[concept_id] for concept_id in own if concept_id in added}
        words = concepts[ends[0]].label
        if relation:
            words = other.sentence(thing_id)
            new_id = f"r{number}-{shared_id(words)[-4:]}"
            changes[new_id] = relation._replace(start=own[0], end=own[1])
        rows.append({"text": words, "changes": things_json(changes)})
    return rows


def merged_json(merged: Merged) -> Json:
    """Return what a class has in common and where it disagrees.

    ``things`` is the map of all, ``weights`` how many maps have each of these things.
    """
    things = merged.as_map(focus=merged.focus).things
    weights = merged.weights()
    counted = merged.propositions
    return {
        "maps": merged.size,
        "things": things_json(things),
        "weights": {thing_id: weights[thing_id] for thing_id in things if thing_id},
        "propositions": [_counted_row(merged, key) for key in most_common(counted)],
        "disagreements": [
            [_counted_row(merged, clash.one), _counted_row(merged, clash.other)]
            for clash in merged.disagreements
        ],
    }


def _counted_row(merged: Merged, proposition: Proposition) -> Json:
    """Return what a proposition says and how many maps have it."""
    weight = merged.propositions[proposition].weight
    return {"text": merged.sentence(proposition), "weight": weight}
