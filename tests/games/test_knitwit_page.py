"""docs/teach/games/knitwit.md and docs/teach/manuals/knitwit.md say what the program does."""

import doctest
import re
from dataclasses import fields
from itertools import combinations
from pathlib import Path

from coursekit.games.knitwit import KnitWit, Options, own_words
from coursekit.games.knitwit.rules.answers import forbids
from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    MOST_CORNERS,
    MOST_POINTS,
    RADIUS,
    SMALLEST,
    WIDTH,
)
from coursekit.games.knitwit.rules.lexicon import (
    FEWEST,
    LINES,
    MOST,
    PACKS,
    load_setups,
    load_tags,
    standard_pack,
)
from coursekit.games.knitwit.rules.options import COMMITS
from coursekit.words.normalise import are_near, normalise

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "\n".join(
    (DOCS / "teach" / each / "knitwit.md").read_text(encoding="utf-8")
    for each in ("games", "manuals")
)
PHASES = ("loop", "spool", "ready", "write", "reveal", "defend", "judge", "vote", "total")
WORDS = ("go", "stop", "time", "next", "compare", "vote", "close", "keep", "withdraw", "yes", "no")


def test_every_field_phase_and_action_stands_there():
    names = [*(each.name for each in fields(KnitWit.observation_type)), *PHASES]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    assert [word for word in WORDS if f'`"{word}"`' not in PAGE] == []
    assert [
        word for word in ("loop", "spool", "write", "challenge") if f'("{word}", ' not in PAGE
    ] == []


def test_what_is_laid_out_stands_there_for_every_number_of_players():
    for players, row in load_setups()["standard"].items():
        assert f"| {players} | {row.loops} | {', '.join(map(str, row.buttons))} |" in PAGE
    games = [KnitWit(players) for players in KnitWit.player_counts]
    loops, longest = (
        [str(game.setup.loops) for game in games],
        [f"{game.longest:,}" for game in games],
    )
    assert f"| loops, and as many spools | {' | '.join(loops)} |" in PAGE
    assert f"(`longest`) | {' | '.join(longest)} |" in PAGE
    assert (
        len(KnitWit(5, Options(setup_table="six")).seats)
        < KnitWit(5, Options(setup_table="six")).setup.loops
        == 6
    )


def test_numbers_are_right():
    for words in (
        f"{WIDTH} wide and {HEIGHT} high",
        f"at most {MOST_CORNERS} corners",
        f"at least\n{SMALLEST} in area",
        f"a tuple of 1 to {MOST_POINTS} points",
        f"at most {COMMITS} times a line",
        f"At least {FEWEST} tags and at most {MOST['tags']}, {MOST['words']:,} words",
        f"The {len(standard_pack().tags)} tags",
        f"spools by what stands on them, 1 to {LINES}",
        f"Version {KnitWit.version}.",
    ):
        assert words in PAGE, words
    assert RADIUS == 5
    assert "five or more (the radius of a spool)" in PAGE


def test_the_examples_of_answers_are_right():
    for alike in (("電視", "电视", "「電視」"), ("TV ", "ＴＶ", "the TVs")):
        assert all(f"{each}" in PAGE for each in alike)
        assert len({normalise(each) for each in alike}) == 1
    for one, other in (("電視", "television"), ("計程車", "出租車")):
        assert f"{one} and {other}" in PAGE
        assert are_near(normalise(one), normalise(other), standard_pack().same)
    assert forbids("熱的", "hot", "熱", "word")
    assert not forbids("熱的", "hot", "熱狗", "word")
    assert forbids("紅色的", "red", "red-car", "word")
    assert forbids("紅色的", "red", "紅・色", "word")


def test_every_open_point_of_the_specification_has_its_row():
    rows = " ".join(re.findall(r"^\| ([A\d][\dA, .]*) \|", PAGE, re.M)).replace(",", "").split()
    assert [f"A{n}" for n in range(1, 23) if f"A{n}" not in rows] == []
    for option in fields(Options):
        assert option.metadata["rule"] in rows or option.metadata["rule"] in ("13", "5.2", "6.4"), (
            option.name
        )


def test_the_minutes_of_the_lesson_are_forty_five():
    plan = PAGE.split("## Teach it")[1].split("\n## ")[0]
    assert sum(map(int, re.findall(r"^\| (\d+) \|", plan, re.M))) == 45


def test_the_file_shown_can_be_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(PACKS, "_loaded", {})
    (example,) = re.findall(r"```text\n(.*?)```", PAGE, re.S)
    path = tmp_path / "example.csv"
    path.write_text(example, encoding="utf-8")
    assert own_words(path).startswith("example.csv#")
    tags = load_tags(path)
    assert len(tags) == FEWEST
    assert not any(normalise(one.zh) == normalise(other.zh) for one, other in combinations(tags, 2))


def test_the_lines_shown_give_what_stands_below_them():
    examples = doctest.DocTestParser().get_doctest(
        PAGE.replace("```", ""), {}, "knitwit.md", None, None
    )
    assert len(examples.examples) > 4
    assert doctest.DocTestRunner().run(examples).failed == 0
