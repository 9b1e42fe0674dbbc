"""Maps side by side: what is shared, missing and contradicting, and what a class has drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindmaps import MAPS, checked, sample

from coursekit.maps.comparison import (
    Contradiction,
    Proposition,
    compare,
    merge,
    perhaps_same,
    word_keys,
)
from coursekit.maps.elements import CONCEPTS
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS, Kind, contradiction, kind_phrase, read_kinds
from coursekit.maps.starters import game_kinds
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES


def drawn(*propositions: tuple[str, str, str], kind: str = "") -> MindMap:
    """Return a map of (start, phrase, end); a phrase that is a kind is one."""
    mind_map = MindMap()
    ids: dict[str, str] = {}
    for start, words, end in propositions:
        for label in (start, end):
            if label not in ids:
                ids[label] = mind_map.add(label)
        mind_map.link(ids[start], words, ids[end], kind=words if words in COMMON_KINDS else kind)
    return mind_map


def test_two_fixed_maps() -> None:
    mine = drawn(
        ("破壞", "blocks", "使用"),
        ("修訂", "移走", "破壞"),
        ("使用", "帶來", "分數"),
        ("書", "怕", "破壞"),
    )
    other = drawn(
        ("「破坏」", "causes", "使用"),
        ("修訂", "移走", "破壞！"),
        ("學者", "出", "修訂"),
        ("書", "不怕", "破壞!!"),
    )
    other.remove(
        next(
            concept_id
            for concept_id, concept in other.concepts.items()
            if concept.label == "破壞！"
        )
    )
    found = compare(mine, other)
    label = [(mine.concepts[one].label, other.concepts[two].label) for one, two in found.concepts]
    assert label == [("破壞", "「破坏」"), ("使用", "使用"), ("修訂", "修訂"), ("書", "書")]
    assert [other.concepts[thing_id].label for thing_id in found.concepts_missing] == ["學者"]
    assert [mine.concepts[thing_id].label for thing_id in found.concepts_extra] == ["分數"]
    assert found.shared == ()
    assert [
        (mine.sentence(contradiction.mine), contradiction.why)
        for contradiction in found.contradicting
    ] == [("破壞 blocks 使用", "opposite")]
    assert [other.sentence(thing_id) for thing_id in found.missing] == [
        "學者出修訂",
        "書不怕破壞!!",
    ]
    assert [mine.sentence(thing_id) for thing_id in found.extra] == [
        "修訂移走破壞",
        "使用帶來分數",
        "書怕破壞",
    ]
    assert [(mine.sentence(one), other.sentence(two)) for one, two in found.reworded] == [
        ("書怕破壞", "書不怕破壞!!")
    ]


def test_width_case_punctuation_and_script_do_not_matter() -> None:
    mine, other = drawn(("臺灣", "ＨＡＳ", "Book")), drawn(("台湾", "has", "books!"))
    found = compare(mine, other)
    assert found.shared == (("r3", "r3"),)
    assert found[1:3] == ((), ())


def test_words_that_mean_the_same_are_given_by_hand() -> None:
    mine, other = drawn(("維基百科", "is", "a b")), drawn(("Wikipedia", "equals", "a b"))
    assert compare(mine, other).shared == ()
    assert compare(
        mine, other, [("維基", "維基百科"), ("Wikipedia", "維基"), ("is", "equals")]
    ).shared == (("r3", "r3"),)
    assert perhaps_same(drawn(("維基百科", "x", "y")), drawn(("維基", "x", "z"))) == [
        ("維基百科", "維基")
    ]


def test_groups_of_the_same_words_that_touch_are_one() -> None:
    key = word_keys([("a1", "b1"), ("c1", "d1"), ("b1", "c1")])
    assert len({key(word) for word in ("a1", "b1", "c1", "d1")}) == 1
    assert key("e1") == "e1"


@pytest.mark.parametrize(
    ("one", "other", "turned", "why"),
    [
        ("causes", "blocks", False, "opposite"),
        ("blocks", "causes", False, "opposite"),
        ("causes", "blocks", True, ""),
        ("causes", "causes", True, "direction"),
        ("causes", "causes", False, ""),
        ("opposes", "opposes", True, ""),
        ("opposes", "supports", True, "opposite"),
        ("spoils", "withstands", True, "opposite"),
        ("withstands", "spoils", True, "opposite"),
        ("spoils", "withstands", False, ""),
        ("feeds", "feeds", True, "direction"),
        ("feeds", "eats", True, ""),
        ("", "", True, ""),
    ],
)
def test_what_contradicts_what(one: str, other: str, turned: bool, why: str) -> None:
    assert (
        contradiction(one, other, turned, read_kinds({"withstands": {"turned": "spoils"}})) == why
    )


def test_kinds_have_words_and_their_opposites_are_kinds() -> None:
    for name, kind in COMMON_KINDS.items():
        assert set(kind.opposite + kind.turned) <= set(COMMON_KINDS)
        assert all(name in COMMON_KINDS[other].opposite for other in kind.opposite)
        assert len({kind_phrase(name, language) for language in LANGUAGES}) >= 2
    assert read_kinds({"edited": {}})["edited"] == Kind()


@pytest.mark.parametrize(
    ("one", "other", "turned", "why"),
    [
        ("fits", "never", False, "opposite"),
        ("also", "never", True, "opposite"),
        ("always", "never", True, "opposite"),
        ("also", "also", True, ""),
        ("always", "always", True, "direction"),
        ("fits", "also", False, ""),
    ],
)
def test_what_is_said_of_words_and_tags_contradicts_itself(
    one: str, other: str, turned: bool, why: str
) -> None:
    assert (
        contradiction(one, other, turned, game_kinds("knitwit"))
        == contradiction(other, one, turned, game_kinds("knitwit"))
        == why
    )


def test_both_directions_in_one_map_contradict_neither() -> None:
    both, one = drawn(("a", "feeds", "b"), ("b", "feeds", "a")), drawn(("a", "feeds", "b"))
    assert compare(both, one).contradicting == compare(one, both).contradicting == ()
    assert merge([both, one]).disagreements == ()


# Whatever the maps


@checked
@given(MAPS)
def test_a_map_shares_everything_with_itself(mind_map: MindMap) -> None:
    found = compare(mind_map, mind_map)
    assert all(one == other for one, other in (*found.concepts, *found.shared))
    assert found[1:3] == ((), ())
    assert found[4:] == ((), (), (), ())


@checked
@given(MAPS, MAPS)
def test_the_other_way_round_missing_is_extra(mine: MindMap, other: MindMap) -> None:
    there, back = compare(mine, other), compare(other, mine)
    assert (there.concepts_missing, there.concepts_extra) == (
        back.concepts_extra,
        back.concepts_missing,
    )
    assert (there.missing, there.extra) == (back.extra, back.missing)
    for one, two in (
        (there.concepts, back.concepts),
        (there.shared, back.shared),
        (there.reworded, back.reworded),
    ):
        assert {(b, a) for a, b in one} == set(two)
    assert {(b, a, why) for a, b, why in there.contradicting} == set(back.contradicting)


@checked
@given(MAPS, MAPS)
def test_each_relation_is_told_in_one_place(mine: MindMap, other: MindMap) -> None:
    found = compare(mine, other)
    told = [
        *(one for one, _ in found.shared),
        *{contradiction.mine for contradiction in found.contradicting},
        *found.extra,
    ]
    assert len(told) == len(set(told))
    assert set(told) <= set(mine.relations)
    assert {one for one, _ in found.reworded} <= set(found.extra)
    merged = merge([mine])
    assert len(told) == len(merged.propositions)


@checked
@given(st.lists(MAPS, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_the_maps_does_not_matter(maps: list[MindMap], rng: object) -> None:
    turned = list(reversed(maps))
    one, other = merge(maps), merge(turned)
    assert {key: concept.weight for key, concept in one.concepts.items()} == {
        key: concept.weight for key, concept in other.concepts.items()
    }
    assert {key: proposition[:2] for key, proposition in one.propositions.items()} == {
        key: proposition[:2] for key, proposition in other.propositions.items()
    }
    assert set(one.disagreements) == set(other.disagreements)


@checked
@given(MAPS, st.integers(1, 4))
def test_the_same_map_several_times_weighs_as_often(mind_map: MindMap, times: int) -> None:
    merged = merge([mind_map] * times)
    assert {
        proposition.weight
        for proposition in (*merged.concepts.values(), *merged.propositions.values())
    } <= {times}
    assert merged.disagreements == ()
    assert sum(concept.weight for concept in merged.concepts.values()) == times * len(
        {normalise(c.label) or c.label for c in mind_map.concepts.values()}
    )


@checked
@given(MAPS, MAPS)
def test_two_maps_disagree_where_they_contradict_each_other(mine: MindMap, other: MindMap) -> None:
    merged, found = merge([mine, other]), compare(mine, other)
    assert len(merged.disagreements) == len(found.contradicting)
    assert sum(proposition.weight == 2 for proposition in merged.propositions.values()) == len(
        found.shared
    )


# A class


def test_a_class_of_three() -> None:
    maps = [
        drawn(("破壞", "blocks", "使用"), ("書", "有", "作者")),
        drawn(("破壞", "blocks", "使用"), ("作者", "有", "書")),
        drawn(("破坏", "causes", "使用"), ("書", "有", "作者")),
    ]
    merged = merge(maps)
    assert {concept.label: concept.weight for concept in merged.concepts.values()} == {
        "破壞": 3,
        "使用": 3,
        "書": 3,
        "作者": 3,
    }
    book, author = normalise("書"), normalise("作者")
    assert merged.propositions[Proposition(book, normalise("有"), author)].ids.keys() == {0, 2}
    assert sorted(disagreement.why for disagreement in merged.disagreements) == [
        "direction",
        "opposite",
    ]
    for disagreement in merged.disagreements:
        assert merged.propositions[disagreement.one].weight == 2
        assert merged.propositions[disagreement.other].weight == 1
    sentences = {merged.sentence(disagreement.one) for disagreement in merged.disagreements}
    assert sentences == {"書有作者", "破壞 blocks 使用"}
    assert {proposition.weight for proposition in merged.propositions.values()} == {1, 2}
    common = merged.as_map(least=2, focus="?")
    assert sorted(common.sentence(thing_id) for thing_id in common.relations) == [
        "書有作者",
        "破壞 blocks 使用",
    ]
    assert len(merged.as_map().relations) == 4


def test_disagreements_that_split_the_class_come_first() -> None:
    even = [("a1", "causes", "b1")], [("a1", "blocks", "b1")]
    few = [("c1", "causes", "d1")]
    maps = [drawn(*even[number % 2], *few) for number in range(6)] + [drawn(("c1", "blocks", "d1"))]
    assert [disagreement.one.start for disagreement in merge(maps).disagreements] == ["a1", "c1"]


def test_of_too_many_concepts_those_that_most_maps_have_are_kept() -> None:
    maps = [
        drawn(*((f"n{number} {other}", "to", "hub") for other in range(90))) for number in range(3)
    ]
    merged = merge(maps)
    assert len(merged.concepts) == 271
    kept = merged.as_map()
    assert len(kept.concepts) == CONCEPTS
    assert "hub" in {concept.label for concept in kept.concepts.values()}


def test_a_comparison_names_the_relations() -> None:
    mine, other = drawn(("a1", "causes", "b1")), drawn(("a1", "blocks", "b1"))
    assert compare(mine, other).contradicting == (Contradiction("r3", "r3", "opposite"),)
