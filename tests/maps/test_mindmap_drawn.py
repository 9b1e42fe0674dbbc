"""Places and drawings of maps, and the maps that the games' own rules give."""

import os
import subprocess
import sys
import warnings
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from lanes import some
from matplotlib.colors import is_color_like
from mindmaps import MAPS, checked, sample

from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after.rule_relations import find_relations as wikipedia_relations
from coursekit.games.wizard import Options as WizardOptions
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.after.starter_map import find_relations as wizard_relations
from coursekit.kit import GAMES
from coursekit.maps.drawing import LETTERS, PAGE, draw_map, draw_png, map_figure
from coursekit.maps.edits import place_concepts
from coursekit.maps.elements import SIDE, MapError
from coursekit.maps.layout import LAYOUTS, layout
from coursekit.maps.line_breaks import break_lines
from coursekit.maps.mindmap import MindMap
from coursekit.maps.paper_layout import WINDOW, Paper
from coursekit.maps.relation_kinds import COMMON_KINDS
from coursekit.maps.starters import (
    focus_question,
    game_kinds,
    games_with_starter,
    map_cards,
    offered_kinds,
    starter_map,
    starter_topics,
    with_question,
)
from coursekit.maps.static_files import STATIC
from coursekit.maps.svg_shapes import EVERYWHERE, card_art, find_card, tone_colours
from coursekit.words.texts import LANGUAGES, text

# Places


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_gives_every_concept_a_place_of_its_own(name: str) -> None:
    for mind_map in (sample(), starter_map("wizard", "en"), starter_map("blockade", "en")):
        places = layout(mind_map, name)
        assert list(places) == list(mind_map.concepts)
        assert len(set(places.values())) == len(places)
        mind_map.move(places)
        assert layout(mind_map, keep=True) == places


@checked
@given(MAPS)
def test_a_layout_is_always_the_same(mind_map: MindMap) -> None:
    for name in LAYOUTS:
        places = layout(mind_map, name)
        assert places == layout(MindMap.of(mind_map.graph()), name)
        assert all(0 <= part <= SIDE for place in places.values() for part in place)


def test_a_layout_is_the_same_in_every_process() -> None:
    program = (
        "from coursekit.maps.layout import LAYOUTS, layout\n"
        "from coursekit.maps.starters import starter_map\n"
        "print([layout(starter_map('wizard', 'en'), name) for name in LAYOUTS])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


def test_a_new_concept_finds_a_place_and_the_others_stay() -> None:
    mind_map = sample()
    mind_map.move(layout(mind_map))
    before = layout(mind_map, keep=True)
    new = mind_map.add("new")
    after = layout(mind_map, keep=True)
    assert {thing_id: at for thing_id, at in after.items() if thing_id != new} == before
    assert after[new] not in before.values()


def test_many_new_concepts_find_places_of_their_own_and_the_others_stay() -> None:
    grown = starter_map("blockade", "zh-Hant")
    before = dict(list(layout(grown).items())[:30])
    grown.move(before)
    places = layout(grown, keep=True)
    assert places.items() >= before.items()
    assert len(set(places.values())) == len(grown.concepts) > 100


def test_a_new_concept_is_not_put_upon_another() -> None:
    mind_map = sample()
    wanted = layout(mind_map)["c7"]
    mind_map.move({"c1": wanted})
    assert layout(mind_map, keep=True)["c7"] != wanted


RULES = [
    (game, about)
    for game in games_with_starter()
    for about, _ in [("", ""), *starter_topics(game, "en")]
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("game", "about"), [rule for rule in RULES if rule != ("blockade", "")])
def test_the_maps_of_the_rules_can_be_read(game: str, about: str) -> None:
    mind_map = starter_map(game, ("zh-Hant", "en")[len(about) % 2], about)
    places = layout(mind_map)
    sheet = Paper.of(mind_map)
    assert sheet.enlarge(places).size[0] < 1.2 * sheet.size[0]  # so no card lies on another
    if len(places) <= 20:
        assert (
            sheet.enlarge(places).size[0] < 1.2 * WINDOW[0]
        )  # and it stands in the window as a whole
    at = sheet.points(places)
    assert ((at - sheet.cards / 2 >= 0) & (at + sheet.cards / 2 <= sheet.size)).all()


def test_a_card_upon_another_costs_and_goes_to_a_better_place() -> None:
    mind_map = sample()
    sheet = Paper.of(mind_map)
    at = sheet.points(layout(mind_map))
    card = sheet.ids.index("c7")
    moved = at.copy()
    moved[card] = at[0] + 0.5  # upon the first one
    ways = np.stack([at, moved])
    whole, alone = sheet.cost(ways), sheet.cost(ways, card)
    assert alone[1] > alone[0] + 10
    assert whole[1] > whole[0] + 10
    assert (sheet.best(moved, card, ways[::-1, card])[card] == at[card]).all()


def test_a_new_concept_lies_upon_no_card_and_no_phrase() -> None:
    mind_map = starter_map("wizard", "en")
    mind_map.move(layout(mind_map))
    new = mind_map.add("something new")
    mind_map.link(next(iter(mind_map.concepts)), "leads to", new)
    sheet = Paper.of(mind_map).enlarge(places := layout(mind_map, keep=True))
    at = sheet.points(places)
    way = at[sheet.ends[:, 1]] - at[sheet.ends[:, 0]]
    boxes = [*zip(at[:-1], sheet.cards), *zip((at[sheet.ends[:, 0]] + way / 2)[:-1], sheet.slips)]
    for middle, size in boxes:
        assert (np.abs(middle - at[-1]) >= (size + sheet.cards[-1]) / 2).any()


@settings(max_examples=some(12, least=3), deadline=None)
@given(MAPS)
def test_new_concepts_have_room_around_them(mind_map: MindMap) -> None:
    mind_map.move(layout(mind_map, "rings"))
    first = next(iter(mind_map.concepts), "")
    for number in range(3):
        new = mind_map.add(f"newcomer {number}")
        if first and number % 2:
            mind_map.link(first, "leads to", new)
        mind_map.move(layout(mind_map, keep=True))
        sheet = Paper.of(mind_map).enlarge(places := layout(mind_map, keep=True))
        at, card = sheet.points(places), sheet.ids.index(new)
        apart = np.abs(at - at[card]) - (sheet.cards + sheet.cards[card]) / 2
        assert np.delete(apart.max(1), card).min(initial=9) >= 1.5


def test_lines_are_looked_at_where_cards_stand_best() -> None:
    mind_map = sample()
    sheet = Paper.of(mind_map)
    at = sheet.points(layout(mind_map))
    ways = np.repeat(at[None], 9, 0)
    ways[:, 2] = np.linspace(sheet.edge, sheet.size - sheet.edge, 9)
    every, some = sheet.cost(ways, 2), sheet.cost(ways, 2, few=3)
    known = np.isfinite(some)
    assert known[0]
    assert 3 <= known.sum() <= 4
    assert np.allclose(every[known], some[known])
    assert every.argmin() == some.argmin()


def test_levels_stand_below_each_other() -> None:
    places = layout(sample(), "levels")
    assert places["c1"][1] < min(places[thing_id][1] for thing_id in ("c2", "c3", "c6"))
    assert max(places[thing_id][1] for thing_id in ("c2", "c3", "c6")) < min(
        places[thing_id][1] for thing_id in ("c4", "c5")
    )


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="'star' is not one of forces, rings, levels, circle"):
        layout(sample(), "star")
    assert layout(MindMap()) == {}


# Drawings


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games_with_starter())
def test_a_drawing_says_every_proposition_and_has_every_character(game: str, language: str) -> None:
    mind_map = starter_map(game, language, "periodical:自由中國" if game == "blockade" else "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = draw_map(mind_map, language)
    assert shown.svg.startswith(b"<?xml")
    assert mind_map.focus in shown.alt
    for thing_id in mind_map.relations:
        assert mind_map.sentence(thing_id) in shown.alt


@pytest.mark.parametrize("seed", [1, 2, 6])  # wherever the concepts stand
def test_labels_do_not_cover_each_other_and_nothing_is_cut_off(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib import pyplot

    monkeypatch.setattr("coursekit.maps.paper_layout.SEED", seed)
    monkeypatch.setattr("coursekit.maps.layout.SEED", seed)
    for game, language in (("wikipedia", "zh-Hant"), ("wizard", "en"), ("knitwit", "en")):
        mind_map = starter_map(game, language)
        made = map_figure(mind_map, language)
        shown = made.axes[0].texts
        words = [label.get_window_extent() for label in shown]
        page, said = made.bbox, [label.get_text().replace("\n", " ") for label in shown]
        pyplot.close(made)
        assert mind_map.focus.replace(" ", "") in [sentence.replace(" ", "") for sentence in said]
        assert {text(f"map.legend.{what}", language) for what in ("top", "card")} <= set(said)
        assert all(
            page.x0 <= box.x0 and page.y0 <= box.y0 and box.x1 <= page.x1 and box.y1 <= page.y1
            for box in words
        )
        labels = words[
            len(mind_map.relations) : len(mind_map.relations) + len(mind_map.concepts) + 1
        ]  # and the question
        assert not [1 for one, other in combinations(labels, 2) if one.overlaps(other)]


WORDS = {
    "zh-Hant": (
        ("讀者", "可以查證而且大家都看得到的可靠來源"),
        ("引用", "要等到很多人討論過以後才能決定要不要留下"),
    ),
    "en": (
        ("reader", "a source that everybody can check"),
        ("cites", "can only be kept after many people have talked"),
    ),
}


@pytest.mark.parametrize("spread", [False, True])  # over the whole window, as a pupil may leave it
@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("long", [0, 1])
def test_a_small_map_is_drawn_close_together_with_every_phrase_whole(
    language: str, long: int, spread: bool
) -> None:
    from matplotlib import pyplot

    label, phrase = (words[long] for words in WORDS[language])
    corners = [(0, 0), (1000, 1000), (1000, 0), (0, 1000), (500, 450)] if spread else [None] * 5
    for count in (1, 2, 3, 5):
        mind_map = MindMap()
        ids = [mind_map.add(f"{label} {number}", at=corners[number]) for number in range(count)]
        for one, other in pairwise(ids):
            mind_map.link(one, phrase, other)
        for one, other in list(pairwise(ids))[:2]:  # two lines beside each other
            mind_map.link(other, phrase, one)
        place_concepts(mind_map)
        made = map_figure(mind_map, language, titled=False)
        words, lines = (
            [label.get_window_extent() for label in made.axes[0].texts],
            len(mind_map.relations),
        )
        cards = [patch.get_window_extent() for patch in made.axes[0].patches[: len(ids)]]
        page, wide = made.bbox, made.get_size_inches()[0] * 72
        pyplot.close(made)
        assert len(words) == lines + count + (count > 1)  # and the legend
        assert all(page.x0 <= box.x0 <= box.x1 <= page.x1 for box in words)
        assert all(page.y0 <= box.y0 <= box.y1 <= page.y1 for box in words)
        assert not [1 for box in words[:lines] for other in cards if box.overlaps(other)]
        assert not [1 for one, other in combinations(words, 2) if one.overlaps(other)]
        assert (
            wide <= (PAGE if count < 5 else 1.7 * PAGE) * LETTERS
        )  # letters as large as those around the map
        across = max(card.x1 for card in cards) - min(card.x0 for card in cards)
        assert (
            across + 12 * LETTERS * 100 / 72 > page.width
        )  # and the map, not the paper around it, is seen


def test_every_card_is_drawn_with_its_picture() -> None:
    for game in games_with_starter():
        for card in map_cards(game, "en"):
            assert find_card(card.card, "en") == card
            picture = card_art(game, card.symbol, card.tone)
            assert bool(picture) == bool(card.symbol)
            for shape in picture.shapes if picture else ():
                assert is_color_like(shape.fill)
                assert is_color_like(shape.line)
                assert shape.outline.get_extents().width < 200
    assert (
        find_card("wikipedia/nothing", "en")
        is find_card("chess/king", "en")
        is find_card("", "en")
        is None
    )
    assert card_art("", "ck-wiki", 1) is card_art("wikipedia", "ck-nothing", 1) is None


def test_the_colours_of_cards_are_those_of_the_editor() -> None:
    css = " ".join((STATIC / "map.css").read_text(encoding="utf-8").split())
    for tone in (0, 3, 6):
        told = "; ".join(f"--{name}: {tone_colours(tone)[name]}" for name in ("ink", "mid", "soft"))
        assert f".ck-map-tone-{tone} {{ {told}; }}" in css
    told = "; ".join(f"--{name}: {tone_colours(0)[name]}" for name in EVERYWHERE)
    assert f".ck-map-art {{ {told};" in css


def test_a_question_of_any_length_is_told_in_whole() -> None:
    from matplotlib import pyplot

    mind_map = sample()
    mind_map.move(layout(mind_map))
    for asks in ("為什麼？" * 300, "x" * 1999, "one\ntwo\nthree\nfour\nfive"):
        mind_map.ask(asks)
        made = map_figure(mind_map, "zh-Hant")
        title, page = (
            next(label for label in made.axes[0].texts if label.get_text()[:2] == asks[:2]),
            made.bbox,
        )
        box = title.get_window_extent()
        highest = max(
            label.get_window_extent().y1 for label in made.axes[0].texts if label is not title
        )
        pyplot.close(made)
        assert "".join(title.get_text().split()) == "".join(asks.split())
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert highest < box.y0 < box.y1 <= page.y1


def test_a_drawing_is_a_png_and_the_same_every_time() -> None:
    assert draw_png(sample(), "en").startswith(b"\x89PNG")
    assert draw_map(sample(), "en").svg == draw_map(sample(), "en").svg


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_map_and_formulas_are_drawn(language: str) -> None:
    assert draw_map(MindMap(), language).alt
    mind_map = MindMap()
    mind_map.link(mind_map.add("$x^{2$"), "$\\frac", mind_map.add("_"))
    assert draw_png(mind_map, language)


@settings(max_examples=5, deadline=None)
@given(MAPS)
def test_any_map_can_be_drawn(mind_map: MindMap) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert draw_map(mind_map, "en").svg


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("short", "short"),
        ("", ""),
        ("中華民國憲法保障的言論自由", "中華民國憲法保\n障的言論自由"),
        ("one two three four five six", "one two three\nfour five six"),
    ],
)
def test_long_words_are_wrapped(words: str, lines: str) -> None:
    assert break_lines(words, 12) == lines


# What the rules say


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games_with_starter())
def test_a_starter_map_is_a_proper_map_of_known_kinds(game: str, language: str) -> None:
    mind_map = starter_map(game, language)
    assert mind_map.focus
    assert len(mind_map.relations) >= 10
    assert {relation.kind for relation in mind_map.relations.values()} <= set(game_kinds(game))
    assert all(relation.phrase for relation in mind_map.relations.values())
    touched = {
        end for relation in mind_map.relations.values() for end in (relation.start, relation.end)
    }
    assert touched == set(mind_map.concepts)
    for kind in game_kinds(game).values():
        assert set(kind.opposite + kind.turned) <= set(game_kinds(game))


def test_the_map_of_wikipedia_is_what_its_rules_say() -> None:
    for options in (
        Options(),
        Options(book_repair=4),
        Options(scholar_must_repair_at_scoring=False),
    ):
        game = Wikipedia(2, options)
        mind_map = starter_map(game, "en")
        assert {
            (relation.start, relation.kind, relation.end)
            for relation in mind_map.relations.values()
        } == {relation[:3] for relation in wikipedia_relations(game)}
    assert "Vandalism blocks Use" in [
        mind_map.sentence(thing_id) for thing_id in mind_map.relations
    ]


def test_the_map_of_one_card_has_its_relations_only() -> None:
    mind_map = starter_map("wikipedia", "en", "vandal")
    assert mind_map.top == "vandal"
    assert all(
        "vandal" in (relation.start, relation.end) for relation in mind_map.relations.values()
    )
    assert len(starter_map("blockade", "en", "periodical:自由中國").concepts) < 20


def test_the_map_of_wizard_follows_the_rules() -> None:
    """The rulebook: a Wizard beats all, trump the suit led, that the rest; Jesters beat nothing."""
    found = wizard_relations(Wizard(4))
    assert [(one, other) for one, kind, other in found if kind == "beats"] == [
        ("wizard", "trump"),
        ("trump", "led"),
        ("led", "other"),
        ("led", "jester"),
    ]
    assert ("wizard", "names", "trump") in found
    assert ("jester", "cancels", "trump") in found
    assert {relation for relation in found if relation[2] == "points"} == {
        ("met", "earns", "points"),
        ("missed", "costs", "points"),
    }


def test_with_other_options_the_map_of_wizard_is_another() -> None:
    found = wizard_relations(Wizard(4, WizardOptions(wizards=0, miss=0)))
    assert "wizard" not in {part for relation in found for part in relation}
    assert ("missed", "costs", "points") not in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_maps_of_knit_wit_are_made_of_words_and_tags(language: str) -> None:
    offered = {row["name"]: row for row in offered_kinds("knitwit", language)}
    own = ["fits", "also", "never", "always"]
    assert list(offered)[:4] == own
    rules = {name for name, row in offered.items() if "rule" in row}
    assert rules == offered.keys() - COMMON_KINDS.keys() - set(own)
    assert {name for name, row in offered.items() if "start" in row} <= rules
    for game in ("wikipedia", "blockade"):
        assert not any("rule" in row for row in offered_kinds(game, language))
    assert focus_question("knitwit", language) != starter_map("knitwit", language).focus
    tagged = starter_map("knitwit", language, "tag:圓的")
    assert {relation.phrase for relation in tagged.relations.values()} == {
        offered["fits"]["phrase"]
    }
    if language == "zh-Hant":
        words = [offered[name]["phrase"] for name in own]
        assert words == ["符合", "也可以是", "不會是", "只要是…就是"]


def test_a_map_is_shown_with_the_question_of_its_game_unless_it_has_its_own() -> None:
    asks, bare = sample(), MindMap()
    assert with_question(asks, "wizard", "en") is asks
    assert (
        with_question(bare, "wizard", "en").focus
        == focus_question("wizard", "en")
        != bare.focus
        == ""
    )
    assert with_question(bare, "", "en").focus == ""


def test_what_has_no_starter_map_is_refused() -> None:
    with pytest.raises(
        MapError, match=r"no map to start from for 'chess'; there are maps of: wikipedia, wizard"
    ):
        starter_map("chess", "en")
    for game in games_with_starter():
        with pytest.raises(MapError, match="no 'nothing' in this map"):
            starter_map(game, "en", "nothing")


def test_a_game_tells_its_relations_without_anything_heavy() -> None:
    for game in games_with_starter():
        heavy = "{'networkx', 'matplotlib', 'anywidget'} & set(sys.modules)"
        program = f"import sys, coursekit.games.{game}.after.starter_map; print(sorted({heavy}))"
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        assert done.stdout == "[]\n"
    assert set(games_with_starter()) <= set(GAMES)


def test_the_model_needs_no_figure_and_no_widget() -> None:
    program = (
        "import sys, coursekit.maps.file_writer, coursekit.maps.comparison, coursekit.maps.drawing; "
        "print(sorted({'networkx', 'matplotlib', 'anywidget', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
