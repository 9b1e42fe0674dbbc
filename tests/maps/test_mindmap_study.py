"""Numbers about maps, worked out by hand, and what people say beside them."""

from itertools import pairwise

import pytest
from hypothesis import given
from mindmaps import MAPS, checked, sample

from coursekit.maps.map_statistics import (
    Elements,
    Hub,
    groups,
    hierarchy,
    hubs,
    judge_elements,
    measure,
    median_verdicts,
    parts,
)
from coursekit.maps.mindmap import MindMap

ALL_YES = {f"r{number}": "yes" for number in range(8, 16)}


def chain(labels: str) -> MindMap:
    mind_map = MindMap()
    ids = [mind_map.add(label) for label in labels]
    for one, other in pairwise(ids):
        mind_map.link(one, "to", other)
    return mind_map


def test_the_hierarchy_of_a_fixed_map() -> None:
    """knowledge (0); book, wiki, editor (1); author, source (2). author hangs on book, drawn before
    the editor's relation; source on wiki. Between branches: source–book (r12), wiki–editor (r13),
    editor–author (r15).
    """
    tree = hierarchy(sample())
    assert tree.top == "c1"
    assert tree.level == {"c1": 0, "c2": 1, "c3": 1, "c6": 1, "c4": 2, "c5": 2}
    assert tree.hangs_on == {"c2": "r8", "c3": "r9", "c6": "r14", "c4": "r10", "c5": "r11"}
    assert tree.above == {"c2": "c1", "c3": "c1", "c6": "c1", "c4": "c2", "c5": "c3"}
    assert tree.branch == {"c2": "c2", "c3": "c3", "c6": "c6", "c4": "c2", "c5": "c3"}
    assert tree.cross_links == ("r12", "r13", "r15")


def test_the_numbers_of_a_fixed_map() -> None:
    """8 of 7 · 6 ordered pairs. Distances of the part of six: of its 15 pairs the 8 linked ones
    have 1. Knowledge and author, knowledge and source, book and wiki, book and editor, wiki and
    author, author and source (by the book) and source and editor (by the wiki) have 2: mean (8 + 7
    · 2) / 15. Of the two groups knowledge, book, author and editor have 4 relations among
    themselves, wiki and source 1.
    """
    found = measure(sample())
    assert found == (7, 8, 1, 8 / 42, 16 / 7, 2, 1, 2, pytest.approx(22 / 15), 2, 2, 1, 3, 1)
    assert parts(sample()) == [["c1", "c2", "c3", "c4", "c5", "c6"], ["c7"]]
    assert groups(sample()) == [["c1", "c2", "c4", "c6"], ["c3", "c5"]]


def test_the_numbers_of_a_chain() -> None:
    """Four in a row: distances 1 1 1 2 2 3."""
    found = measure(chain("abcd"))
    assert (found.mean_distance, found.diameter) == (pytest.approx(10 / 6), 3)
    assert (found.levels, found.branchings, found.cross_links, found.parts) == (3, 0, 0, 1)
    assert found.density == 3 / 12


def test_two_triangles_with_one_relation_between_them_are_two_groups() -> None:
    """Modularity 2 · (3/7 − (7/14)²) = 5/14, and less for every other division."""
    mind_map = chain("abcdef")
    mind_map.link("c1", "to", "c3")
    mind_map.link("c4", "to", "c6")
    assert groups(mind_map) == [["c1", "c2", "c3"], ["c4", "c5", "c6"]]
    assert groups(MindMap()) == groups(chain("a")) == []


def test_of_several_judgements_the_middle_one_counts() -> None:
    said = [{"r1": "yes", "r2": "yes"}, {"r1": "no", "r2": "no"}, {"r1": "partly"}]
    assert median_verdicts(said) == {"r1": "partly", "r2": "no"}
    assert median_verdicts([]) == {}


def test_the_numbers_of_next_to_nothing() -> None:
    assert measure(MindMap()) == (0,) * 14
    assert measure(chain("a")) == (1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    assert hubs(MindMap()) == hubs(chain("a")) == []


def test_direction_does_not_matter_for_the_hierarchy() -> None:
    mind_map = chain("abc")
    mind_map.ask("", top="c3")
    assert hierarchy(mind_map).level == {"c3": 0, "c2": 1, "c1": 2}
    assert hierarchy(mind_map, "c2").level == {"c2": 0, "c1": 1, "c3": 1}


def test_hubs_are_the_concepts_with_most_relations() -> None:
    """In a chain of four the inner two each lie between 2 of the 3 pairs of others."""
    assert hubs(chain("abcd"), 2) == [
        Hub("c2", 2, pytest.approx(2 / 3)),
        Hub("c3", 2, pytest.approx(2 / 3)),
    ]
    found = hubs(sample())
    assert [hub.relations for hub in found] == [3, 3, 3, 3, 2]
    assert {hub.concept for hub in found[:4]} == {"c1", "c2", "c3", "c6"}


def test_structure_is_what_there_would_be_if_every_proposition_were_right() -> None:
    """Propositions that are no cross-link: r8 r9 r10 r11 r14; cross-links with words: r12 r15. r13
    has no words, r15 is an example, but counts as a cross-link. Two levels, one branching: 5 + 10 +
    1 + 20.
    """
    found = judge_elements(sample(), {})
    assert found.structure == Elements(5, 2, 1, 2, 0)
    assert found.structure.points == 36
    assert found.valid.points == 0


def test_what_people_say_counts() -> None:
    """r8 yes, r9 partly, r14 no: 1.5 propositions; the first level by r8, the branching half by r9.
    The second level has only r10, partly: 0.5. Cross-link r12 partly: 0.5. 1.5 + 0.5 + 5 · 1.5 +
    0.5 + 5.
    """
    said = {
        "r8": "yes",
        "r9": "partly",
        "r14": "no",
        "r10": "partly",
        "r12": "partly",
        "r99": "yes",
    }
    found = judge_elements(sample(), said)
    assert found.valid == Elements(2, 1.5, 0.5, 0.5, 0)
    assert found.valid.points == 2 + 7.5 + 0.5 + 5


def test_all_right_is_the_structure_and_all_wrong_is_nothing() -> None:
    assert judge_elements(sample(), ALL_YES).valid == judge_elements(sample(), {}).structure
    assert judge_elements(sample(), dict.fromkeys(ALL_YES, "no")).valid.points == 0


def test_examples_count_once() -> None:
    mind_map = chain("abc")
    mind_map.change("c3", kind="example")
    assert judge_elements(mind_map, {}).structure == Elements(1, 2, 0, 0, 1)


def test_a_word_that_is_no_judgement_is_refused() -> None:
    with pytest.raises(
        ValueError, match="judgement of 'r8' is 'maybe' and not one of yes, partly, no"
    ):
        judge_elements(sample(), {"r8": "maybe"})


@checked
@given(MAPS)
def test_whatever_the_map_its_numbers_fit_together(mind_map: MindMap) -> None:
    tree, found = hierarchy(mind_map), measure(mind_map)
    assert found.concepts == len(mind_map.concepts)
    assert len(tree.hangs_on) == max(0, len(tree.level) - 1)
    assert set(tree.cross_links).isdisjoint(tree.hangs_on.values())
    assert all(
        tree.level[thing_id] == tree.level[above] + 1 for thing_id, above in tree.above.items()
    )
    assert 0 <= found.density <= 1
    assert found.parts >= found.alone
    assert found.concepts - found.relations <= found.parts <= max(1, found.concepts)
    structure = judge_elements(mind_map, {}).structure
    yes = judge_elements(mind_map, dict.fromkeys(mind_map.relations, "yes"))
    partly = judge_elements(mind_map, dict.fromkeys(mind_map.relations, "partly"))
    assert yes.valid == structure
    assert partly.valid.points == structure.points / 2
    assert (
        structure.propositions + structure.cross_links + structure.examples
        == found.relations - found.without_words
    )
