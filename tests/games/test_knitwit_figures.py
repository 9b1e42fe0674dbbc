"""A design as sets, and the figures: they tell what the design and the matches say."""

import re
import warnings
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx
import pytest

from coursekit.core.errors import OptionError
from coursekit.core.match import Match, play_out, step
from coursekit.core.strategy import AtRandom, make_players
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.after import design_sets, diagrams, figures
from coursekit.games.knitwit.after.history import count_forms, read_levels, read_pads
from coursekit.games.knitwit.after.layered_drawing import crossings, layered
from coursekit.games.knitwit.rules.lexicon import load_written_words
from coursekit.games.knitwit.rules.loop_design import regions
from coursekit.games.knitwit.rules.loop_proposals import oval
from coursekit.games.knitwit.rules.state import NO_TAG
from coursekit.games.knitwit.strategies import find_tags
from coursekit.words.texts import LANGUAGES

WORDS = {"sun": frozenset({0, 1}), "lemon": frozenset({0, 2}), "moon": frozenset({1})}


@pytest.fixture(scope="module")
def match() -> Match:
    return play_out(KnitWit(4), [AtRandom] * 4, "3")


def numbers(words: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", words)]


# Sets


def test_fitting_is_the_intersection() -> None:
    assert design_sets.find_fitting(WORDS, []) == ["sun", "lemon", "moon"]
    assert design_sets.find_fitting(WORDS, [0]) == ["sun", "lemon"]
    assert design_sets.find_fitting(WORDS, [0, 1]) == ["sun"]
    assert design_sets.find_fitting(WORDS, [1, 2]) == []


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_words_of_a_tag_have_one_name_in_any_language(language: str) -> None:
    pack = KnitWit(2).pack
    assert (
        design_sets.words_with_tag(pack, "round", language)
        == design_sets.words_with_tag(pack, "圓的", language)
        == design_sets.words_with_tag(pack, "圆的", language)
    )
    with pytest.raises(OptionError) as caught:
        design_sets.words_with_tag(pack, "圓", language)
    assert "圓的" in caught.value._render_traceback_()[0]
    assert caught.value.language == language, "told in the language that it was asked in"
    assert ("月亮" if language == "zh-Hant" else "moon") in design_sets.words_with_tag(
        pack, "round", language
    )
    with pytest.raises(ValueError, match="'roundish'"):
        design_sets.words_with_tag(pack, "roundish", language)


def test_accepted_answers_fit_the_tags_that_they_were_written_for(match: Match) -> None:
    obs, found = match.game.observe(match.state, None), design_sets.accepted_words(match)
    assert found
    for each in read_pads([match]):
        for answer in each.answers:
            if answer.points:
                assert set(obs.words(answer.number)) <= found[answer.text]


# The lattice


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("spools_only", [True, False])
def test_the_labels_are_those_of_the_design_with_what_they_share(
    seed: str, spools_only: bool
) -> None:
    match = play_out(KnitWit(4), [AtRandom] * 4, seed)
    obs = match.game.observe(match.state, None)
    found = {*design_sets.labels(obs, spools_only=spools_only)}
    assert {frozenset(loops) for loops in obs.around} <= found
    assert ({region.loops for region in regions(obs.loops)} <= found) or spools_only
    assert all(one & other in found for one in found for other in found)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_graph_is_the_order_of_the_labels_without_shortcuts(seed: str) -> None:
    match = play_out(KnitWit(4), [AtRandom] * 4, seed)
    obs, pack = match.game.observe(match.state, None), match.game.pack
    graph, found = design_sets.lattice(obs, pack, "en"), design_sets.labels(obs)
    assert set(graph) == {design_sets.node_name(label) for label in found}
    assert nx.is_directed_acyclic_graph(graph)
    assert set(nx.transitive_reduction(graph).edges) == set(graph.edges)
    inside = {
        (design_sets.node_name(few), design_sets.node_name(many))
        for few in found
        for many in found
        if few < many
    }
    assert set(nx.transitive_closure_dag(graph).edges) == inside
    for few, many in graph.edges:
        assert graph.nodes[few]["count"] >= graph.nodes[many]["count"]


def test_nodes_say_what_lies_there_in_plain_values(match: Match) -> None:
    obs, pack = match.game.observe(match.state, None), match.game.pack
    graph = design_sets.lattice(obs, pack, "zh-Hant", spools_only=True)
    lying = {
        int(number): node
        for node, row in graph.nodes(data=True)
        for number in row["spools"].split()
    }
    assert lying == {
        number: design_sets.node_name(frozenset(loops))
        for (number, _, _), loops in zip(obs.spools, obs.around)
    }
    for number, node in lying.items():
        row = graph.nodes[node]
        assert row["label"] == " ∩ ".join(pack.tags[tag].zh for tag in obs.words(number))
        assert row["count"] == len(
            design_sets.find_fitting(design_sets.lexicon_words(pack, "zh-Hant"), obs.words(number))
        )
    assert {row["kind"] for _, row in graph.nodes(data=True)} <= {
        design_sets.TABLE,
        design_sets.LOOP,
        design_sets.CROSSING,
    }
    assert graph.nodes["table"]["count"] == len(design_sets.lexicon_words(pack, "zh-Hant"))
    assert nx.parse_graphml("".join(nx.generate_graphml(graph))).nodes == graph.nodes


def test_a_loop_without_a_tag_is_named_by_its_colour() -> None:
    match = Match(KnitWit(2, Options(words_last=True)), "1")
    seat = match.state.turn
    match.play(seat, ("loop", oval((100, 70), 40, 30, (64, 0))))
    obs = match.game.observe(match.state, None)
    assert obs.tags == (NO_TAG,)
    graph = design_sets.lattice(obs, match.game.pack, "en")
    assert graph.nodes["0"]["label"] == "the red loop"


def knit(players: int, seed: str) -> Match:
    """Return a match whose design is finished, and nothing written."""
    match = Match(KnitWit(players), seed)
    everybody = make_players(match.game, [AtRandom] * players, seed)
    while match.state.phase in ("loop", "spool"):
        step(match, match.state.turn, everybody[match.state.turn])
    return match


@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_no_line_of_the_lattice_runs_behind_a_box_of_another(players: int) -> None:
    passing = 0
    for number in range(12):
        match = knit(players, str(number))
        obs, pack = match.game.observe(match.state, None), match.game.pack
        language, spools_only = LANGUAGES[number % 3], number % 5 > 0
        graph = design_sets.lattice(obs, pack, language, spools_only=spools_only)
        boxes, lines = diagrams.layout(graph, language)
        assert {*boxes} == {*graph}
        assert {*lines} == {*graph.edges}
        assert not any(
            diagrams._overlap(one, other) for one, other in combinations(boxes.values(), 2)
        )
        for (few, many), line in lines.items():
            assert line[0] == (boxes[few][2], pytest.approx(sum(boxes[few][1::2]) / 2))
            assert line[-1] == (boxes[many][0], pytest.approx(sum(boxes[many][1::2]) / 2))
            others = [box for node, box in boxes.items() if node not in (few, many)]
            assert not any(
                crosses(one, other, box) for one, other in pairwise(line) for box in others
            )
            passing += any(boxes[few][2] < box[0] and box[2] < boxes[many][0] for box in others)
    assert passing > 25  # many edges have to pass a column


def crosses(
    a: tuple[float, float], b: tuple[float, float], box: tuple[float, float, float, float]
) -> bool:
    """Return whether the way from *a* to *b* touches *box*: what is left of it when each side has
    cut it.
    """
    start, end = 0.0, 1.0
    for at, low, high in ((0, box[0], box[2]), (1, box[1], box[3])):
        step = b[at] - a[at]
        if step == 0:
            if not low < a[at] < high:
                return False
            continue
        ends = sorted(((low - a[at]) / step, (high - a[at]) / step))
        start, end = max(start, ends[0]), min(end, ends[1])
    return start < end


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_words_of_the_lattice_stay_in_their_boxes(seed: str, language: str) -> None:
    from matplotlib import pyplot

    from coursekit.figures import figure_style

    match = knit(8, seed)
    graph = design_sets.lattice(match.game.observe(match.state, None), match.game.pack, language)
    boxes, _ = diagrams.layout(graph, language)
    with figure_style(language):
        figure = pyplot.figure(dpi=72)
        for node, row in graph.nodes(data=True):
            words = figure.text(
                0, 0, "\n".join(diagrams._lines(row, language)), fontsize=10, linespacing=1.15
            )
            drawn = words.get_window_extent(figure.canvas.get_renderer())
            left, top, right, bottom = boxes[node]
            assert drawn.width < 72 * diagrams.EM * (right - left)
            assert drawn.height < 72 * diagrams.LEADING * (bottom - top)
        pyplot.close(figure)


def test_lines_cross_as_little_as_the_order_of_a_column_allows() -> None:
    columns, edges = (
        [["a", "b", "c"], ["d", "e", "f"]],
        [("a", "f"), ("b", "e"), ("c", "d"), ("a", "e")],
    )
    boxes, _ = layered(columns, edges, {node: (1.0, 1.0) for column in columns for node in column})
    ordered = [sorted(column, key=lambda node: boxes[node][1]) for column in columns]
    assert crossings(columns, edges) == 4
    assert crossings(ordered, edges) == 0


# Figures


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_has_words_and_every_letter_can_be_drawn(match: Match, language: str) -> None:
    obs, pack = match.game.observe(match.state, None), match.game.pack
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = [
            diagrams.venn(obs, pack, language),
            diagrams.venn(obs, pack, language, 3),
            diagrams.lattice(obs, pack, language),
            diagrams.lattice(obs, pack, language, spools_only=False),
            figures.fluency(match, language),
            figures.rare_answers([match, match], language),
            figures.difficulty([match], language),
            figures.house_rule(1, 2, loops=3, language=language),
        ]
        assert all(picture.svg for picture in shown)
    for picture in shown:
        assert len(picture.alt) > 10
        assert "{" not in picture.alt + picture.caption


@pytest.mark.parametrize("players", [2, 5, 8])
def test_the_words_of_a_design_name_every_spool_with_its_tags(players: int) -> None:
    match = play_out(KnitWit(players), [AtRandom] * players, "2")
    obs, pack = match.game.observe(match.state, None), match.game.pack
    for number, _, _ in obs.spools:
        alt = diagrams.venn(obs, pack, "en", number).alt
        tags = [pack.tags[tag].en for tag in obs.words(number)]
        assert alt.startswith(f"{number}: {' ∩ '.join(tags)}, {len(tags)} point")
        assert alt in diagrams.venn(obs, pack, "en").alt


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_tags_stay_in_the_picture_and_hide_neither_spools_nor_each_other(
    seed: str, language: str
) -> None:
    match = play_out(KnitWit(6), [AtRandom] * 6, seed)
    obs, window = (
        match.game.observe(match.state, None),
        diagrams._window(match.game.observe(match.state, None)),
    )
    boxes = [box for _, box, _ in diagrams._tags(obs, match.game.pack, language, window)]
    assert len(boxes) == 6
    for left, top, right, bottom in boxes:
        assert window[0] <= left + 1e-6
        assert right <= window[2] + 1e-6
        assert window[1] <= top + 1e-6
        assert bottom <= window[3] + 1e-6
    assert not any(diagrams._overlap(one, other) for one, other in combinations(boxes, 2))
    spools = [(x - 4, y - 4, x + 4, y + 4) for _, x, y in obs.spools]
    assert not any(diagrams._overlap(box, spool) for box in boxes for spool in spools)


def test_a_loop_that_is_tried_is_drawn_with_the_sentence_of_its_refusal() -> None:
    match = Match(KnitWit(2), "1")
    assert (
        diagrams.try_loop(match, oval((100, 70), 40, 30, (64, 0)), "en").alt
        == "It may be laid like this."
    )
    assert "too small" in diagrams.try_loop(match, oval((100, 70), 9, 9, (64, 0)), "en").alt
    assert match.log == []


def test_fluency_tells_what_became_of_every_line(match: Match) -> None:
    told = [numbers(line) for line in figures.fluency(match, "en").alt.split(". ")]
    for sheet, (_, lines, *rest) in zip(read_pads([match]), told):
        assert lines == 8
        assert rest[0] == sheet.fluency
        assert sum(rest) == len(sheet.answers)


def test_a_match_that_has_just_begun_has_a_picture_too() -> None:
    match = Match(KnitWit(2), "1")
    assert "0 lines" in figures.fluency(match, "en").alt


def test_rare_answers_name_the_common_ones(match: Match) -> None:
    alt = figures.rare_answers([match, match], "en").alt
    count = count_forms(read_pads([match, match]))
    assert numbers(alt)[:3] == [8, len(count), 0]
    assert "(8 sheets)" in alt or max(count.values()) < 8
    alone = figures.rare_answers([match], "en").alt
    assert numbers(alone)[:3] == [
        4,
        len(count),
        sum(times == 1 for times in count_forms(read_pads([match])).values()),
    ]


def test_difficulty_tells_each_number_of_loops(match: Match) -> None:
    told = [numbers(line)[:3] for line in figures.difficulty([match], "en").alt.split(". ")[1:]]
    assert told == [[each.loops, each.lines, round(each.share)] for each in read_levels([match])]


def test_points_for_a_line_have_two_digits(match: Match) -> None:
    picture = figures.difficulty([match], "en")
    assert re.findall(r"(\d\.\d+) points", picture.alt) == [
        f"{each.points:.2f}" for each in read_levels([match])
    ]


def test_a_house_rule_that_changes_nothing_shows_the_same_twice() -> None:
    shown = [numbers(line) for line in figures.house_rule(2, 4, language="en").alt.split(". ")[-3:]]
    assert all(standard == changed for standard, changed in shown)


def test_simulated_matches_are_the_same_each_time_and_write_the_language_asked_for() -> None:
    one = figures.example(1, "en", 3)
    again = figures.play_example.__wrapped__(1, "en", 3, None)
    assert one.record() == again.record()
    assert one.log != figures.example(2, "en", 3).log
    for language in ("en", "zh-Hant"):
        texts = {
            text for sheet in figures.example(1, language, 3).state.sheets for text in sheet if text
        }
        assert texts
        assert all(
            find_tags(KnitWit(3).pack, text) and text.isascii() == (language == "en")
            for text in texts
        )


# Words written in a cell


def test_words_written_in_a_cell_are_loaded_like_files(tmp_path: Path) -> None:
    tags = "zh,en\n" + "\n".join(f"第{n}張的,tag-{n}" for n in range(16))
    name = load_written_words("unit.csv", tags, "zh,tags\n蘋果,tag-1;tag-2\n", "en")
    assert name.startswith("unit.csv#")
    game = KnitWit(2, Options(words=name, loops=3))
    assert [tag.en for tag in game.pack.tags][:2] == ["tag-0", "tag-1"]
    assert design_sets.find_fitting(design_sets.lexicon_words(game.pack, "zh-Hant"), [1, 2]) == [
        "蘋果"
    ]
