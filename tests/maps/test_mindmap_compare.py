"""Maps side by side: what is shared, missing and contradicting, and what a class has drawn."""

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindmaps import MAPS, checked

from coursekit.maps.comparison import Proposition, compare, merge, word_keys
from coursekit.maps.elements import CONCEPTS, RELATIONS, Concept, Relation, Thing
from coursekit.maps.map_json import comparison_json, merged_json, parse_changes
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import (
    COMMON_KINDS,
    Kind,
    Kinds,
    contradiction,
    kind_phrase,
    read_kinds,
)
from coursekit.maps.starters import game_kinds
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES

SEVERAL = st.lists(MAPS, max_size=4)


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


def words_of(mind_map: MindMap, thing_id: str) -> str:
    """Return the label of a concept, the sentence of a relation."""
    concept = mind_map.concepts.get(thing_id)
    return concept.label if concept else mind_map.sentence(thing_id)


def test_two_fixed_maps() -> None:
    mine = drawn(
        ("破壞", "blocks", "使用"),
        ("修訂", "移走", "破壞"),
        ("使用", "帶來", "分數"),
        ("書", "怕", "破壞"),
    )
    other = drawn(
        ("「破坏」", "causes", "使用"), ("學者", "出", "修訂"), ("書", "不怕", "「破坏」")
    )
    found = compare(mine, other)
    assert [(words_of(mine, one), words_of(other, two)) for one, two in found.shared] == [
        ("破壞", "「破坏」"),
        ("使用", "使用"),
        ("修訂", "修訂"),
        ("書", "書"),
    ]
    assert [(mine.sentence(clash.mine), clash.why) for clash in found.contradicting] == [
        ("破壞 blocks 使用", "opposite")
    ]
    missing = [words_of(other, thing_id) for thing_id in found.missing]
    assert missing == ["學者出修訂", "書不怕「破坏」", "學者"]
    extra = [words_of(mine, thing_id) for thing_id in found.mine]
    assert extra == ["修訂移走破壞", "使用帶來分數", "書怕破壞", "分數"]
    reworded = [(mine.sentence(one), other.sentence(two)) for one, two in found.reworded]
    assert reworded == [("書怕破壞", "書不怕「破坏」")]


def test_width_case_punctuation_and_script_do_not_matter() -> None:
    found = compare(drawn(("臺灣", "ＨＡＳ", "Book")), drawn(("台湾", "has", "books!")))
    assert found.shared == (("r3", "r3"), ("c1", "c1"), ("c2", "c2"))
    assert found.mine == found.missing == ()


def test_words_that_mean_the_same_are_given_by_hand() -> None:
    mine, other = drawn(("維基百科", "is", "a b")), drawn(("Wikipedia", "equals", "a b"))
    assert compare(mine, other).shared == (("c2", "c2"),)
    same = [("維基", "維基百科"), ("Wikipedia", "維基"), ("is", "equals")]
    assert ("r3", "r3") in compare(mine, other, same).shared
    assert compare(drawn(("維基百科", "x", "y")), drawn(("維基", "x", "z"))).near == (
        ("維基百科", "維基"),
    )


def test_groups_of_the_same_words_that_touch_are_one() -> None:
    key = word_keys([("a1", "b1"), ("c1", "d1"), ("b1", "c1")])
    assert len({key(word) for word in ("a1", "b1", "c1", "d1")}) == 1
    assert key("e1") == "e1"


WITHSTANDS = read_kinds({"withstands": {"turned": "spoils"}})
KNITWIT = game_kinds("knitwit")
"""Kinds for what is said of words and tags."""


@pytest.mark.parametrize(
    ("kinds", "one", "other", "straight", "turned"),
    [
        (WITHSTANDS, "causes", "blocks", "opposite", ""),
        (WITHSTANDS, "causes", "causes", "", "direction"),
        (WITHSTANDS, "opposes", "opposes", "", ""),
        (WITHSTANDS, "opposes", "supports", "opposite", "opposite"),
        (WITHSTANDS, "spoils", "withstands", "", "opposite"),
        (WITHSTANDS, "feeds", "eats", "", ""),
        (WITHSTANDS, "", "", "", ""),
        (KNITWIT, "fits", "never", "opposite", "opposite"),
        (KNITWIT, "also", "never", "opposite", "opposite"),
        (KNITWIT, "also", "also", "", ""),
        (KNITWIT, "always", "always", "", "direction"),
        (KNITWIT, "fits", "also", "", ""),
    ],
)
def test_what_contradicts_what(
    kinds: Kinds, one: str, other: str, straight: str, turned: str
) -> None:
    for first, second in ((one, other), (other, one)):
        assert contradiction(first, second, False, kinds) == straight
        assert contradiction(first, second, True, kinds) == turned


def test_kinds_have_words_and_their_opposites_are_kinds() -> None:
    for name, kind in COMMON_KINDS.items():
        assert set(kind.opposite + kind.turned) <= set(COMMON_KINDS)
        assert all(name in COMMON_KINDS[other].opposite for other in kind.opposite)
        assert len({kind_phrase(name, language) for language in LANGUAGES}) >= 2
    assert read_kinds({"edited": {}})["edited"] == Kind()


def test_both_directions_in_one_map_contradict_neither() -> None:
    both, one = drawn(("a", "feeds", "b"), ("b", "feeds", "a")), drawn(("a", "feeds", "b"))
    assert compare(both, one).contradicting == compare(one, both).contradicting == ()
    assert merge([both, one]).disagreements == ()


def test_a_program_without_kinds_of_relations_says_the_same_in_the_same_words() -> None:
    mine, plain = drawn(("a1", "擋住", "b1"), kind="blocks"), drawn(("a1", "擋住", "b1"))
    assert ("r3", "r3") in compare(mine, plain).shared
    against = drawn(("a1", "causes", "b1"))
    assert len(merge([mine, plain, against]).disagreements) == 1
    assert merge([mine, plain, against]).disagreements[0].one.sense == "blocks"


# Whatever the maps


@checked
@given(MAPS)
def test_a_map_shares_everything_with_itself(mind_map: MindMap) -> None:
    found = compare(mind_map, mind_map)
    assert all(one == other for one, other in found.shared)
    assert found[1:] == ((), (), (), (), ())


@checked
@given(MAPS, MAPS)
def test_the_other_way_round_missing_is_mine(mine: MindMap, other: MindMap) -> None:
    there, back = compare(mine, other), compare(other, mine)
    assert set(there.missing) == set(back.mine)
    assert set(there.mine) == set(back.missing)
    for one, two in ((there.shared, back.shared), (there.reworded, back.reworded)):
        assert {(b, a) for a, b in one} == set(two)
    assert {(b, a, why) for a, b, why in there.contradicting} == set(back.contradicting)


@checked
@given(MAPS, MAPS)
def test_each_relation_is_told_in_one_place(mine: MindMap, other: MindMap) -> None:
    found = compare(mine, other)
    told = [*(one for one, _ in found.shared), *found.mine]
    told += {clash.mine for clash in found.contradicting}
    assert len(told) == len(set(told))
    assert set(told) <= {*mine.relations, *mine.concepts}
    assert {one for one, _ in found.reworded} <= set(found.mine)
    merged = merge([mine, other])
    in_mine = [counted for counted in merged.propositions.values() if 0 in counted.ids]
    assert len(set(told) & set(mine.relations)) == len(in_mine)


@checked
@given(MAPS, MAPS, st.randoms(use_true_random=False))
def test_what_only_the_other_map_has_can_be_added_in_any_order(
    mine: MindMap, other: MindMap, rng: random.Random
) -> None:
    before = mine.things
    rows = comparison_json(mine, other, compare(mine, other), ())["missing"]
    for row in rng.sample(rows, len(rows)):
        changes = parse_changes(row["changes"])
        assert before.keys().isdisjoint(changes)
        mine.apply(changes)
        assert row["text"] in {words_of(mine, thing_id) for thing_id in changes}
    assert before.items() <= mine.things.items()
    assert not compare(mine, other).missing


@checked
@given(SEVERAL)
def test_the_order_of_the_maps_does_not_matter(maps: list[MindMap]) -> None:
    one, other = merge(maps), merge(maps[::-1])
    assert one.weights() == other.weights()
    assert set(one.disagreements) == set(other.disagreements)
    assert one.as_map() == other.as_map()


@checked
@given(SEVERAL, MAPS)
def test_a_class_has_one_map_whose_things_stay_when_a_map_joins(
    maps: list[MindMap], late: MindMap
) -> None:
    before, after = merge(maps), merge([*maps, late])
    shown = merged_json(before)
    assert parse_changes(shown["things"]) == before.as_map(focus=before.focus).things
    assert shown["weights"].keys() == shown["things"].keys() - {""}
    assert before.as_map().concepts.keys() <= after.as_map().concepts.keys()
    for least in range(1, len(maps) + 1):
        often = {key for key, weight in shown["weights"].items() if weight >= least}
        assert before.as_map(least).things.keys() - {""} == often


@checked
@given(MAPS, st.integers(1, 4))
def test_the_same_map_several_times_weighs_as_often(mind_map: MindMap, times: int) -> None:
    merged = merge([mind_map] * times)
    assert set(merged.weights().values()) <= {times}
    assert merged.disagreements == ()
    assert len(merged.concepts) == len({word_keys()(c.label) for c in mind_map.concepts.values()})


# A class


def test_a_class_of_three() -> None:
    maps = [
        drawn(("破壞", "blocks", "使用"), ("書", "有", "作者")),
        drawn(("破壞", "blocks", "使用"), ("作者", "有", "書")),
        drawn(("破坏", "causes", "使用"), ("書", "有", "作者")),
    ]
    merged = merge(maps)
    weights = {concept.label: concept.weight for concept in merged.concepts.values()}
    assert weights == {"破壞": 3, "使用": 3, "書": 3, "作者": 3}
    book = Proposition(normalise("書"), normalise("有"), normalise("作者"))
    assert merged.propositions[book].ids.keys() == {0, 2}
    assert {clash.why for clash in merged.disagreements} == {"direction", "opposite"}
    for clash in merged.disagreements:
        assert merged.propositions[clash.one].weight == 2
        assert merged.propositions[clash.other].weight == 1
    sentences = {merged.sentence(clash.one) for clash in merged.disagreements}
    assert sentences == {"書有作者", "破壞 blocks 使用"}
    common = merged.as_map(least=2, focus="?")
    assert set(common.sentences.values()) == sentences
    assert common.focus == "?"
    assert len(merged.as_map().relations) == 4


def test_disagreements_that_split_the_class_come_first() -> None:
    even = [("a1", "causes", "b1")], [("a1", "blocks", "b1")]
    few = [("c1", "causes", "d1")]
    maps = [drawn(*even[number % 2], *few) for number in range(6)] + [drawn(("c1", "blocks", "d1"))]
    assert [clash.one.start for clash in merge(maps).disagreements] == ["a1", "c1"]


def test_of_too_many_things_those_that_most_maps_have_are_kept() -> None:
    rng = random.Random(41)
    names = [f"n{number} x" for number in range(CONCEPTS + 60)]
    maps = []
    for number in range(14):
        pairs = [rng.sample(names, 2) for _ in range(90)]
        maps.append(drawn(("hub", "to", "rim")))
        labels = dict.fromkeys(label for pair in pairs for label in pair)
        things: dict[str, Thing] = {f"c-{label}": Concept(label) for label in labels}
        for place, (one, two) in enumerate(pairs):
            things[f"r-{place}"] = Relation(f"c-{one}", f"{number} {place}", f"c-{two}")
        maps[-1].apply(things)
    merged = merge(maps)
    assert len(merged.concepts) > CONCEPTS
    assert len(merged.propositions) > RELATIONS
    kept = merged.as_map()
    assert len(kept.concepts) == CONCEPTS
    assert "hub to rim" in kept.sentences.values()


def test_words_that_only_look_the_same_and_phrases_of_two_kinds_make_a_proper_map() -> None:
    maps = [drawn(("！", "to", "x1")), drawn(("!", "to", "x1"))]
    maps += [drawn(("x1", "needs it", "y1"), kind=kind) for kind in ("needs", "causes", "")]
    shown = merge(maps).as_map()
    assert len(shown.concepts) == 3
    assert sorted(shown.sentences.values()) == ["! to x1", "x1 needs it y1"]


def test_a_class_is_merged_without_networkx() -> None:
    program = (
        "import sys; from coursekit.maps.comparison import compare, merge; "
        "from coursekit.maps.map_json import merged_json, study_json; "
        "from coursekit.maps.mindmap import MindMap; one = MindMap(); one.add('a'); "
        "merged_json(merge([one, one])); compare(one, one); study_json(one, {}); "
        "assert not {'networkx', 'numpy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
