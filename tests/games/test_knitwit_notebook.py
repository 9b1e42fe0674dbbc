"""What the prose of the Knit Wit notebook claims."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coursekit.games.knitwit.after import design_sets, figures
from coursekit.games.knitwit.after.history import (
    count_forms,
    rate_originality,
    read_levels,
    read_pads,
)
from coursekit.games.knitwit.rules.lexicon import PACKS
from coursekit.maps.starters import focus_question, map_cards, offered_kinds
from tests.test_notebooks import cells, defined

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="module")
def lesson() -> Iterator[dict[str, Any]]:
    """The names that the notebook defines."""
    before = dict(PACKS._loaded)
    found = defined("knitwit.ipynb")
    yield found
    PACKS._loaded = before


def test_tags_11_and_40_are_round_and_sweet_and_share_some_words(lesson: dict[str, Any]) -> None:
    pack = lesson["game"].pack
    assert (pack.tags[10].en, pack.tags[39].en) == ("round", "sweet")
    assert len(pack.tags) == 114
    assert 1750 <= len(pack.lexicon) < 1850  # "about eighteen hundred"
    one, other = (design_sets.words_with_tag(pack, name, "en") for name in ("round", "sweet"))
    assert 0 < len(one & other) < min(len(one), len(other))
    assert re.findall(r"\d+", lesson["both"]()) == [
        str(len(each)) for each in (one, other, one & other, one | other)
    ]
    assert any(
        not design_sets.find_fitting(lesson["words"], (a, b)) for a in range(114) for b in range(a)
    )  # two tags that share nothing


def test_the_first_spool_of_the_table_has_words_and_some_have_none(lesson: dict[str, Any]) -> None:
    """If strategies or lexicon have changed, choose another example in the cell."""
    words = {number: lesson["obs"].words(number) for number in range(1, 9)}
    counts = {
        number: len(design_sets.find_fitting(lesson["words"], words[number])) for number in words
    }
    assert 5 <= counts[1] <= 15  # all of them are named
    assert [*counts.values()].count(max(counts.values())) == 1
    assert max(counts.values()) > 50
    assert [*counts.values()].count(0) == 2
    assert len({len(tags) for tags in words.values()}) >= 3
    pairs = [counts[number] for number in words if len(words[number]) == 2]
    assert min(pairs) == 0
    assert 9 <= max(pairs) <= 13  # "about a dozen"
    assert [counts[number] for number in words if len(words[number]) == 3] == [3]


@pytest.mark.parametrize(("folder", "language"), [("zh", "zh-Hant"), ("en", "en")])
def test_the_map_is_asked_and_worded_as_its_editor_offers_it(folder: str, language: str) -> None:
    said = {
        cell.id: cell.source for cell in cells(NOTEBOOKS / folder / "knitwit.ipynb", "markdown")
    }
    assert focus_question("knitwit", language) in said["steps"]
    rows = re.findall(r"^\| (.+?) \| (.+?) → \*\*(.+?)\*\* → (.+?) \|", said["map"], re.M)
    assert [(row[0], row[2]) for row in rows] == [
        (kind["phrase"], kind["phrase"]) for kind in offered_kinds("knitwit", language)[:4]
    ]
    tags = {each.label for each in map_cards("knitwit", language)}
    assert {ends for _, start, _, end in rows[1:] for ends in (start, end)} | {rows[0][3]} <= tags


def test_the_table_is_the_same_in_both_languages() -> None:
    tables = [
        match.game.observe(match.state, None)
        for match in (figures.example(47, "zh-Hant"), figures.example(47, "en"))
    ]
    assert tables[0].spools == tables[1].spools
    assert tables[0].tags == tables[1].tags
    assert tables[0].loops == tables[1].loops


def test_only_the_first_line_changes_with_the_player(lesson: dict[str, Any]) -> None:
    seen = [lesson["knows"](player).splitlines() for player in range(1, 5)]
    assert lesson["writing"].state.phase == "write"
    assert len({each[0] for each in seen}) == 4
    assert len({tuple(each[1:]) for each in seen}) == 1
    assert len(seen[0]) == 4


def test_a_loop_is_refused_for_at_least_five_reasons_and_may_lie_somewhere(
    lesson: dict[str, Any],
) -> None:
    game, match, oval = lesson["slow"].game, lesson["slow"], lesson["oval"]
    found = set()
    for size in (10, 20, 30, 40, 60):
        for across in range(20, 221, 10):
            refusal = game.refusal(
                match.state, match.state.turn, ("loop", oval((across, 75), size, 24, (64, 0)))
            )
            found.add(refusal and refusal.text)
    named = {
        f"refusal.loop.{name}"
        for name in ("no_spool", "many_spools", "pin_inside", "on_spool", "off_table")
    }
    assert named | {None} <= found
    assert "may be laid" not in lesson["try_loop"]().alt


def test_five_pairs_are_the_same_three_go_to_the_vote_and_two_differ(
    lesson: dict[str, Any],
) -> None:
    told = [lesson["try_pair"](pair) for pair in range(1, 11)]
    assert ["”: the same," in each for each in told] == [True] * 5 + [False] * 5
    assert ["all vote" in each for each in told] == [False] * 5 + [True] * 3 + [False] * 2


@pytest.mark.slow
def test_words_on_one_sheet_only_are_the_most_frequent_and_a_larger_class_has_fewer_to_itself() -> (
    None
):
    small, large = (read_pads(figures.examples(matches, "en")) for matches in (8, 100))
    count = count_forms(large)
    sharing = Counter(count.values())
    assert sharing.most_common(1)[0][0] == 1
    assert sharing[1] > 2 * sharing[2]
    few, many = (
        [rate for rate in rate_originality(written) if rate is not None]
        for written in (small, large)
    )
    assert sum(many) / len(many) < sum(few) / len(few) - 10


def test_one_loop_counts_most_often_and_three_bring_more_points() -> None:
    levels = {each.loops: each for each in read_levels(figures.examples(40, "en"))}
    assert 55 < levels[1].share < 75
    assert max(levels[loops].share for loops in (2, 3, 4)) < levels[1].share
    assert levels[3].points > levels[1].points


def test_blank_gets_the_two_top_buttons_and_less_than_who_writes(lesson: dict[str, Any]) -> None:
    result = lesson["try_lines"](0, 30)
    assert result.mean("Few0") == 2.5
    assert result.mean("FirstThought") - result.interval("FirstThought") > 2.5
    assert result.mean("Few0", "wins") > 0
    everything = lesson["try_lines"](5, 4)
    assert sorted(everything.every("Few5")) == sorted(everything.every("FirstThought"))


@pytest.mark.slow
def test_up_to_the_fourth_line_more_brings_points_but_neighbours_overlap(
    lesson: dict[str, Any],
) -> None:
    found = [(lesson["try_lines"](lines, 30), f"Few{lines}") for lines in (1, 2, 3, 4, 5)]
    means = [result.mean(name) for result, name in found]
    half = [result.interval(name) for result, name in found]
    low, high = ([mean + side * each for mean, each in zip(means, half)] for side in (-1, 1))
    assert means[:4] == sorted(means[:4])
    assert high[0] < low[2]
    assert all(one > other for one, other in zip(high[2:], low[3:]))
    assert high[4] > low[3]


@pytest.mark.slow
def test_who_dares_to_miss_one_tag_scores_a_little_more_but_not_surely(
    lesson: dict[str, Any],
) -> None:
    careful, bold = (lesson["try_courage"](courage, 30) for courage in (0, 0.5))
    assert bold.mean("Bold0.5") > careful.mean("Bold0")
    assert bold.mean("Bold0.5") - bold.interval("Bold0.5") < careful.mean(
        "Bold0"
    ) + careful.interval("Bold0")


@pytest.mark.slow
def test_five_strategies_cannot_be_told_apart_by_so_few_deals(lesson: dict[str, Any]) -> None:
    duplicate, everybody = lesson["duplicate"], lesson["everybody"]
    result = duplicate(lesson["small"], everybody, 15, seed=1, progress=False)
    means, half = (
        {name: part(name) for name in result.ranking} for part in (result.mean, result.interval)
    )
    assert max(means[name] - half[name] for name in means) < min(
        means[name] + half[name] for name in means
    )
    assert all(result.mean(name, "wins") > 0 for name in result.ranking)


@pytest.mark.slow
def test_one_button_halves_what_counts_and_eight_players_lose_by_clashes_and_blanks() -> None:
    standard, one, eight = (
        figures.rate_fates(figures.examples(30, "en", players, **options))
        for players, options in ((4, {}), (4, {"buttons": (1,)}), (8, {}))
    )
    assert 0.4 < one["counted"] / standard["counted"] < 0.6
    assert one["clashed"] < standard["clashed"]
    written = [sum(rates.values()) for rates in (standard, eight)]
    assert eight["counted"] < 0.75 * standard["counted"]
    assert written[1] < written[0]
    assert eight["clashed"] / written[1] > standard["clashed"] / written[0]


def test_the_unit_has_sixteen_tags_and_each_mistake_is_told(lesson: dict[str, Any]) -> None:
    told = [lesson["load"](mistake) for mistake in range(4)]
    assert told[0].startswith("It can be used, 16 tags: with a spine")
    assert "line 18" in told[1]
    assert "3 cells instead of 2" in told[2]
    assert "16" in told[3]
    assert len(set(told)) == 4
    assert all("," in row and row == row.strip() for row in lesson["unit"].splitlines())
    lexicon = lesson["biology"].pack.lexicon
    assert len(lexicon) == 10
    assert {tag for entry in lexicon for tag in entry.tags} == set(range(16))


def test_a_file_beside_the_notebook_is_loaded(
    lesson: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("unit.csv").write_text(
        lesson["unit"].replace("spineless", "no spine"), encoding="utf-8-sig"
    )
    (source,) = (
        cell.source
        for cell in cells(NOTEBOOKS / "en" / "knitwit.ipynb", "code")
        if "file = None" in cell.source
    )
    exec(source.replace("file = None", 'file = "unit.csv"'), lesson)
    assert [tag.en for tag in PACKS[lesson["mine"]].tags][:2] == ["with a spine", "no spine"]
