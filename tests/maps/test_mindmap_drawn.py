"""Drawings of maps, and the maps that the games' own rules give."""

import os
import subprocess
import sys
from contextlib import suppress
from itertools import combinations, product
from math import cos, sin
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import some
from mindmaps import MAPS, checked, sample

import coursekit
from coursekit.figures import Picture
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after.rule_relations import find_relations as wikipedia_relations
from coursekit.games.wizard import Options as WizardOptions
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.after.starter_map import find_relations as wizard_relations
from coursekit.maps import starters
from coursekit.maps.drawing import draw_map
from coursekit.maps.elements import LONG, SHORT, MapError
from coursekit.maps.line_breaks import break_lines
from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS
from coursekit.words.texts import LANGUAGES, text

SVG = "{http://www.w3.org/2000/svg}"
BROWSER = str(Path(coursekit.__file__).parent / "site" / "browser")
"""Stands in for packages that no browser can load."""
NASTY = st.text("aW &<>'\"]寬，（👩🏽שم\u0301", min_size=1, max_size=SHORT).filter(str.strip)
Frame = tuple[str, complex, complex]
"""A rectangle of a drawing: what is written in it, without spaces; its middle; half its size."""


def squeeze(words: str) -> str:
    return "".join(words.split())


def frames(picture: Picture) -> list[Frame]:
    """Return the paper with the question, then phrases, cards and signs; all lie on the paper."""
    root = ElementTree.fromstring(picture.svg)
    art = {part for group in root.iter(f"{SVG}g") if group.get("class") for part in group.iter()}
    shown: list[Frame] = []
    for part in root.iter():
        if part.tag == f"{SVG}rect" and part not in art:
            x, y, wide, high = (float(part.attrib[key]) for key in ("x", "y", "width", "height"))
            half = complex(wide, high) / 2
            shown.append(("", complex(x, y) + half, half))
        elif part.tag == f"{SVG}text":
            words, *place = shown.pop()
            shown.append((words + squeeze(part.text or ""), *place))
    _, middle, paper = shown[0]
    for words, at, half in shown:
        assert abs((at - middle).real) + half.real < paper.real + 0.2, words
        assert abs((at - middle).imag) + half.imag < paper.imag + 0.2, words
    return shown


def collisions(picture: Picture) -> list[tuple[str, str]]:
    """Return which cards, phrases and signs lie upon each other, by their words."""
    pairs = []
    for (words, at, half), (others, other_at, other_half) in combinations(frames(picture)[1:], 2):
        way, room = at - other_at, half + other_half
        if abs(way.real) < room.real and abs(way.imag) < room.imag:
            pairs.append((words, others))
    return pairs


# Drawings


@checked
@given(MAPS, st.sampled_from(LANGUAGES), st.booleans())
def test_any_map_is_drawn_whole_and_the_same_every_time(
    mind_map: MindMap, language: str, titled: bool
) -> None:
    picture = draw_map(mind_map, language, titled)
    (title, *_), *rest = frames(picture)
    assert title == (squeeze(mind_map.focus) if titled else "")
    words = {frame[0] for frame in rest}
    assert {squeeze(concept.label) for concept in mind_map.concepts.values()} <= words
    assert {squeeze(relation.phrase) for relation in mind_map.relations.values()} - {""} <= words
    assert all(sentence in picture.alt for sentence in mind_map.sentences.values())
    assert picture.alt
    assert b" id=" not in picture.svg  # a page holds several
    assert picture.svg == draw_map(mind_map.copy(), language, titled).svg


@settings(max_examples=some(40), deadline=None)
@given(st.lists(NASTY, min_size=2, max_size=20), st.integers(0, 9), st.integers(0, 40))
def test_cards_lie_apart_where_their_places_do_and_where_they_have_none(
    labels: list[str], placed: int, crowd: int
) -> None:
    mind_map = MindMap()
    top = mind_map.add("top")
    spots = product(range(0, 1001, 250), repeat=2)
    for number, (label, spot) in enumerate(zip(labels, spots)):
        with suppress(MapError):  # the label is there already
            mind_map.link(top, "", mind_map.add(label, at=spot if number < placed else None))
    for number in range(crowd):
        mind_map.link(top, "", mind_map.add(f"concept {number}"))
    assert collisions(draw_map(mind_map, "en")) == []


@settings(max_examples=some(40), deadline=None)
@given(st.floats(0, 7), st.integers(1, 5), st.sampled_from(LANGUAGES))
def test_several_phrases_between_two_concepts_can_all_be_read(
    angle: float, count: int, language: str
) -> None:
    mind_map = MindMap()
    one = mind_map.add("維基百科", at=(0, 0))
    other = mind_map.add("a reader", at=(round(900 * cos(angle)), round(900 * sin(angle))))
    for number in range(count):
        ends = (one, other) if number % 2 else (other, one)
        mind_map.link(ends[0], f"{number} 只有大家同意才能改 and is read", ends[1])
    assert collisions(draw_map(mind_map, language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", starters.games_with_starter())
def test_the_rules_are_drawn_with_the_pictures_of_cards_and_a_legend(
    game: str, language: str
) -> None:
    mind_map = starters.starter_map(
        game, language, "periodical:自由中國" if game == "blockade" else ""
    )
    picture = draw_map(mind_map, language)
    assert squeeze(mind_map.focus) == frames(picture)[0][0]
    pictured = {card.card for card in starters.map_cards(game, language) if card.symbol}
    cards = [concept.card for concept in mind_map.concepts.values()]
    root = ElementTree.fromstring(picture.svg)
    shown = [part for part in root.iter(f"{SVG}svg") if part is not root and len(part)]
    assert len(shown) == sum(card in pictured for card in cards)
    assert b"var(" not in picture.svg  # other programs know no variables
    legend = text("map.legend.cross", language)
    assert (legend in picture.svg.decode()) == bool(hierarchy(mind_map).cross_links)
    assert (b"dasharray" in picture.svg) == bool(hierarchy(mind_map).cross_links)


@pytest.mark.parametrize("focus", ["為什麼？" * 500, "x" * LONG, "&<" * 999, "1\n2\n3\n4"])
def test_a_question_of_any_length_is_drawn_whole(focus: str) -> None:
    mind_map = sample()
    mind_map.ask(focus)
    assert frames(draw_map(mind_map, "en"))[0][0] == squeeze(focus)


@pytest.mark.parametrize(
    ("game", "about", "packages"),
    [("wizard", "", BROWSER), ("blockade", "periodical:自由中國", "")],
)
def test_every_process_draws_the_same_with_and_without_other_packages(
    game: str, about: str, packages: str
) -> None:
    program = (
        "from coursekit.maps.drawing import draw_map\n"
        "from coursekit.maps.starters import starter_map\n"
        f"print(draw_map(starter_map({game!r}, 'en', {about!r}), 'en').html())"
    )
    path = os.pathsep.join(filter(None, [packages, *sys.path]))
    variables = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", program]
    shown = subprocess.run(command, env=variables, check=True, capture_output=True).stdout.decode()
    assert shown.strip() == draw_map(starters.starter_map(game, "en", about), "en").html()
    assert "<img" in shown


def test_words_are_broken_into_lines() -> None:
    assert break_lines("", 9) == [""]
    assert break_lines("憲法保障言論「自由」，也", 9) == ["憲法保障言論", "「自由」，也"]
    assert break_lines("one two three four five six", 9) == ["one two three", "four five six"]


# What the rules say


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", starters.games_with_starter())
def test_a_starter_map_is_a_proper_map_of_known_kinds(game: str, language: str) -> None:
    mind_map = starters.starter_map(game, language)
    relations = mind_map.relations.values()
    assert mind_map.focus
    assert len(relations) >= 10
    assert {relation.kind for relation in relations} <= set(starters.game_kinds(game))
    assert all(relation.phrase for relation in relations)
    ends = {end for relation in relations for end in (relation.start, relation.end)}
    assert ends == set(mind_map.concepts)
    for kind in starters.game_kinds(game).values():
        assert set(kind.opposite + kind.turned) <= set(starters.game_kinds(game))


@pytest.mark.parametrize(
    "options", [{}, {"book_repair": 4}, {"scholar_must_repair_at_scoring": False}]
)
def test_the_map_of_wikipedia_is_what_its_rules_say(options: dict[str, Any]) -> None:
    game = Wikipedia(2, Options(**options))
    mind_map = starters.starter_map(game, "en")
    relations = mind_map.relations.values()
    shown = {(relation.start, relation.kind, relation.end) for relation in relations}
    assert shown == {relation[:3] for relation in wikipedia_relations(game)}
    assert "Vandalism blocks Use" in mind_map.sentences.values()


def test_the_map_of_one_card_has_its_relations_only() -> None:
    mind_map = starters.starter_map("wikipedia", "en", "vandal")
    assert mind_map.top == "vandal"
    for relation in mind_map.relations.values():
        assert "vandal" in (relation.start, relation.end)
    assert len(starters.starter_map("blockade", "en", "periodical:自由中國").concepts) < 20


def test_the_map_of_wizard_follows_the_rules_and_its_options() -> None:
    """The rulebook: a Wizard beats all, trump the suit led, that the rest; Jesters beat nothing."""
    relations = set(wizard_relations(Wizard(4)))
    assert {(one, other) for one, kind, other in relations if kind == "beats"} == {
        *(("wizard", "trump"), ("trump", "led")),
        *(("led", "other"), ("led", "jester")),
    }
    assert {("wizard", "names", "trump"), ("jester", "cancels", "trump")} < relations
    points = {("met", "earns", "points"), ("missed", "costs", "points")}
    assert {relation for relation in relations if relation[2] == "points"} == points
    changed = wizard_relations(Wizard(4, WizardOptions(wizards=0, miss=0)))
    assert "wizard" not in {part for relation in changed for part in relation}
    assert ("missed", "costs", "points") not in changed


@pytest.mark.parametrize("language", LANGUAGES)
def test_maps_of_knit_wit_are_made_of_words_and_tags(language: str) -> None:
    offered = {row["name"]: row for row in starters.offered_kinds("knitwit", language)}
    own = ["fits", "also", "never", "always"]
    assert list(offered)[:4] == own
    rules = {name for name, row in offered.items() if "rule" in row}
    assert rules == offered.keys() - COMMON_KINDS.keys() - set(own)
    assert {name for name, row in offered.items() if "start" in row} <= rules
    for game in ("wikipedia", "blockade"):
        assert not any("rule" in row for row in starters.offered_kinds(game, language))
    assert (
        starters.focus_question("knitwit", language)
        != starters.starter_map("knitwit", language).focus
    )
    tagged = starters.starter_map("knitwit", language, "tag:圓的").relations.values()
    assert {relation.phrase for relation in tagged} == {offered["fits"]["phrase"]}
    if language == "zh-Hant":
        words = [offered[name]["phrase"] for name in own]
        assert words == ["符合", "也可以是", "不會是", "只要是…就是"]


def test_a_map_is_shown_with_the_question_of_its_game_unless_it_has_its_own() -> None:
    asks = sample()
    bare = MindMap()
    assert starters.with_question(asks, "wizard", "en") is asks
    assert (
        starters.with_question(bare, "wizard", "en").focus
        == starters.focus_question("wizard", "en")
        != ""
    )
    assert starters.with_question(bare, "", "en").focus == bare.focus == ""


def test_what_has_no_starter_map_is_refused() -> None:
    why = "no map to start from for 'chess'; there are maps of: wikipedia, wizard"
    with pytest.raises(MapError, match=why):
        starters.starter_map("chess", "en")
    for game in starters.games_with_starter():
        with pytest.raises(MapError, match="no 'nothing' in this map"):
            starters.starter_map(game, "en", "nothing")


def test_maps_need_nothing_heavy() -> None:
    modules = [
        f"coursekit.games.{game}.after.starter_map" for game in starters.games_with_starter()
    ]
    modules += [f"coursekit.maps.{name}" for name in ("file_writer", "comparison", "drawing")]
    heavy = "{'networkx', 'numpy', 'matplotlib', 'anywidget', 'IPython'}"
    program = f"import sys, {', '.join(modules)}; print({heavy} & set(sys.modules))"
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, stdout=subprocess.PIPE).stdout == b"set()\n"
