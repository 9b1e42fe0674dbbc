"""Places and drawings of maps, and the maps that the games' own rules give."""

import subprocess
import sys
import warnings
from itertools import combinations

import pytest
from hypothesis import given, settings
from mindmaps import MAPS, checked, sample

from coursekit.games import GAMES
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.relations import relations as wikipedia_relations
from coursekit.games.wizard import Options as WizardOptions
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.starter import relations as wizard_relations
from coursekit.reflect.maps.draw import drawn, figure, png, wrapped
from coursekit.reflect.maps.layout import LAYOUTS, layout
from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.maps.parts import SIDE, MapError
from coursekit.reflect.maps.starters import kinds, starter, with_starter
from coursekit.texts import LANGUAGES

# Places


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_gives_every_concept_a_place_of_its_own(name: str) -> None:
    for map in (sample(), starter("wizard", "en"), starter("blockade", "en")):
        places = layout(map, name)
        assert list(places) == list(map.concepts)
        assert len(set(places.values())) == len(places)
        map.move(places)
        assert layout(map, keep=True) == places


@checked
@given(MAPS)
def test_a_layout_is_always_the_same(map: MindMap) -> None:
    for name in LAYOUTS:
        places = layout(map, name)
        assert places == layout(MindMap.of(map.graph()), name)
        assert all(0 <= part <= SIDE for place in places.values() for part in place)


def test_a_new_concept_finds_a_place_and_the_others_stay() -> None:
    map = sample()
    map.move(layout(map))
    before = layout(map, keep=True)
    new = map.add("new")
    after = layout(map, keep=True)
    assert {id: at for id, at in after.items() if id != new} == before
    assert after[new] not in before.values()


def test_a_new_concept_is_not_put_upon_another() -> None:
    map = sample()
    wanted = layout(map)["c7"]
    map.move({"c1": wanted})
    assert layout(map, keep=True)["c7"] != wanted


def test_levels_stand_below_each_other() -> None:
    places = layout(sample(), "levels")
    assert places["c1"][1] < min(places[id][1] for id in ("c2", "c3", "c6"))
    assert max(places[id][1] for id in ("c2", "c3", "c6")) < min(places[id][1] for id in ("c4", "c5"))


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="'star' is not one of forces, rings, levels, circle"):
        layout(sample(), "star")
    assert layout(MindMap()) == {}


# Drawings


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", with_starter())
def test_a_drawing_says_every_proposition_and_has_every_character(game: str, language: str) -> None:
    map = starter(game, language, "periodical:自由中國" if game == "blockade" else "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = drawn(map, language)
    assert shown.svg.startswith(b"<?xml")
    assert map.focus in shown.alt
    for id in map.relations:
        assert map.sentence(id) in shown.alt


def test_boxes_do_not_cover_each_other() -> None:
    from matplotlib import pyplot

    for game in ("wikipedia", "wizard"):
        made = figure(starter(game, "zh-Hant"), "zh-Hant")
        boxes = [each.get_window_extent() for each in made.axes[0].texts if each.get_zorder() == 3]
        pyplot.close(made)
        assert len(boxes) == len(starter(game, "zh-Hant").concepts)
        assert not [1 for one, other in combinations(boxes, 2) if one.overlaps(other)]


def test_a_drawing_is_a_png_and_the_same_every_time() -> None:
    assert png(sample(), "en").startswith(b"\x89PNG")
    assert drawn(sample(), "en").svg == drawn(sample(), "en").svg


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_map_and_formulas_are_drawn(language: str) -> None:
    assert drawn(MindMap(), language).alt
    map = MindMap()
    map.link(map.add("$x^{2$"), "$\\frac", map.add("_"))
    assert png(map, language)


@settings(max_examples=5, deadline=None)
@given(MAPS)
def test_any_map_can_be_drawn(map: MindMap) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert drawn(map, "en").svg


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("short", "short"),
        ("", ""),
        ("中華民國憲法保障的言論自由", "中華民國憲法保障的言論自\n由"),
        ("one two three four five six", "one two three four\nfive six"),
    ],
)
def test_long_words_are_wrapped(words: str, lines: str) -> None:
    assert wrapped(words) == lines


# What the rules say


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", with_starter())
def test_a_starter_map_is_a_proper_map_of_known_kinds(game: str, language: str) -> None:
    map = starter(game, language)
    assert map.focus
    assert len(map.relations) >= 10
    assert {each.kind for each in map.relations.values()} <= set(kinds(game))
    assert all(each.phrase for each in map.relations.values())
    touched = {end for each in map.relations.values() for end in (each.start, each.end)}
    assert touched == set(map.concepts)
    for each in kinds(game).values():
        assert set(each.opposite + each.turned) <= set(kinds(game))


def test_the_map_of_wikipedia_is_what_its_rules_say() -> None:
    for options in (Options(), Options(book_repair=4), Options(scholar_must_repair_at_scoring=False)):
        game = Wikipedia(2, options)
        map = starter(game, "en")
        assert {(each.start, each.kind, each.end) for each in map.relations.values()} == {
            each[:3] for each in wikipedia_relations(game)
        }
    assert "Vandalism blocks Use" in [map.sentence(id) for id in map.relations]


def test_the_map_of_one_card_has_its_relations_only() -> None:
    map = starter("wikipedia", "en", "vandal")
    assert map.top == "vandal"
    assert all("vandal" in (each.start, each.end) for each in map.relations.values())
    assert len(starter("blockade", "en", "periodical:自由中國").concepts) < 20


def test_the_map_of_wizard_follows_the_rules() -> None:
    """The rulebook: a Wizard beats all, trump beats the suit led, that beats the rest; Jesters beat nothing."""
    found = wizard_relations(Wizard(4))
    assert [(one, other) for one, kind, other in found if kind == "beats"] == [
        ("wizard", "trump"), ("trump", "led"), ("led", "other"), ("led", "jester"),
    ]  # fmt: skip
    assert ("wizard", "names", "trump") in found
    assert ("jester", "cancels", "trump") in found
    assert {each for each in found if each[2] == "points"} == {
        ("met", "earns", "points"),
        ("missed", "costs", "points"),
    }


def test_with_other_options_the_map_of_wizard_is_another() -> None:
    found = wizard_relations(Wizard(4, WizardOptions(wizards=0, miss=0)))
    assert "wizard" not in {each for relation in found for each in relation}
    assert ("missed", "costs", "points") not in found


def test_what_has_no_starter_map_is_refused() -> None:
    with pytest.raises(MapError, match=r"no map to start from for 'chess'; there are maps of: wikipedia, wizard"):
        starter("chess", "en")
    for game in with_starter():
        with pytest.raises(MapError, match="no 'nothing' in this map"):
            starter(game, "en", "nothing")


def test_a_game_tells_its_relations_without_anything_heavy() -> None:
    for game in with_starter():
        heavy = "{'networkx', 'matplotlib', 'coursekit.reflect'} & set(sys.modules)"
        program = f"import sys, coursekit.games.{game}.starter; print(sorted({heavy}))"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout == "[]\n"
    assert set(with_starter()) <= set(GAMES)


def test_the_model_needs_no_figure_and_no_widget() -> None:
    program = (
        "import sys, coursekit.reflect.maps.files, coursekit.reflect.maps.compare, coursekit.reflect.maps.draw; "
        "print(sorted({'networkx', 'matplotlib', 'anywidget', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
