"""In a browser there is no matplotlib, numpy or networkx: debrief, evidence and figures go on, in
words.

Each game is tried in a process of its own, with what stands for these packages on the site.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from markupsafe import escape

from coursekit.arena import duplicate
from coursekit.core.match import Match, play_out
from coursekit.figures import Picture
from coursekit.kit import GAMES
from coursekit.reflect import Debrief, Journal, find_moments, questions
from coursekit.reflect.match_on_table import browser_part
from coursekit.site.missing_packages import MissingPackageError
from coursekit.words.texts import LANGUAGES, text

KIT = Path(__file__).parents[2] / "coursekit"
BROWSER = KIT / "site" / "browser"
ABSENT = ("matplotlib", "networkx", "numpy")
DRAWS = 3
"""How often a reader asks for another example."""


def finished(game: str, language: str, seed: str) -> Match:
    """Return a match of all strategies in turn, between four if the game allows it."""
    kit = GAMES[game]
    rules, kinds = kit.standard(4 if 4 in kit.rules.player_counts else None), kit.players(language)
    return play_out(rules, [kinds[seat % len(kinds)] for seat in range(rules.players)], seed)


def in_words(shown: Picture, language: str) -> str:
    """Return the HTML of a picture, which says what it would show."""
    html = shown._repr_html_()
    assert shown.alt
    assert html == shown.html(paper=True)
    assert escape(shown.alt) in html
    assert escape(text("figure.elsewhere", language)) in html
    assert "<img" not in html
    return html


def try_game(game: str, language: str) -> int:
    """Try everything that has pictures; return how many there were."""
    played, count = [finished(game, language, seed) for seed in "ab"], 0
    for asked in questions(game):
        for draw in range(DRAWS):
            for seats in ([0], [0, 1]):
                evidence = GAMES[game].load_lesson().evidence
                assert evidence
                for part in evidence(asked.name, played[0], seats, language, draw):
                    assert browser_part(part)
                    if isinstance(part, Picture):
                        assert browser_part(part) == {"html": in_words(part, language)}
                        count += 1
    for matches in (played[:1], played):
        told = find_moments(game, matches, language)
        assert told
        for moment in told:
            for part in moment.parts:
                if isinstance(part, Picture):
                    assert in_words(part, language) in told._repr_html_()
                    count += 1
    result = duplicate(
        GAMES[game].standard(), GAMES[game].players(language)[:2], 2, "a", progress=False
    )
    in_words(result.plot(language=language), language)
    with TemporaryDirectory() as folder:
        for number, match in enumerate(played):
            Path(folder, f"{number}.json").write_text(match.record().dumps(), encoding="utf-8")
        try_cell(game, language, Path(folder))
    return count


def try_cell(game: str, language: str, folder: Path) -> None:
    """Look at the matches in *folder* as a page does: every picture, and the page to keep."""
    told: list[dict[str, Any]] = []
    cell = Debrief(game, language, folder=folder, journal=Journal(folder / "none" / "journal.json"))
    cell.send = told.append

    def say(**content: Any) -> dict[str, Any]:
        cell.receive(content)
        return told[-1]

    say(type="open")
    looked = say(type="look", n=1, names=True, source="folder")
    assert not looked["why"]
    pictures = [
        part for moment in looked["moments"] for part in moment["parts"] if "picture" in part
    ]
    shown = [say(type="draw", n=1, **part)["part"]["html"] for part in pictures]
    assert shown
    page = say(type="page", names=True, source="folder")["text"]
    assert all("ck-words" in html and html in page for html in shown)


def own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield what stands in *function*, but not in functions inside it."""
    left: list[ast.AST] = [*function.body]
    for node in left:
        yield node
        if not isinstance(node, ast.FunctionDef):
            left += ast.iter_child_nodes(node)


def needed(function: ast.FunctionDef) -> list[str]:
    """Return the imports of :data:`ABSENT` in *function*."""
    found = [
        ast.unparse(node) for node in own(function) if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return [line for line in found if line.split()[1].partition(".")[0] in ABSENT]


def test_figures_need_matplotlib_only_to_draw() -> None:
    files = [
        KIT / "figures" / "picture.py",
        KIT / "arena" / "result.py",
        *KIT.glob("games/*/after/**/*.py"),
    ]
    nodes = [
        node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    ]
    figures = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and node.returns
        and "Picture" in ast.unparse(node.returns)
    ]
    assert len(figures) > 30
    assert [(figure.name, needed(figure)) for figure in figures if needed(figure)] == []


@pytest.mark.slow
def test_every_game_is_told_in_words() -> None:
    path = os.pathsep.join([str(BROWSER), *filter(None, [os.environ.get("PYTHONPATH")])])
    child = subprocess.run(
        [sys.executable, __file__],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert child.returncode == 0, child.stderr
    pictures = dict(line.split() for line in child.stdout.splitlines())
    assert {*pictures} == {f"{game}/{language}" for game in GAMES for language in LANGUAGES}
    assert all(int(count) > 5 for count in pictures.values())


if __name__ == "__main__":
    for name in ABSENT:
        with pytest.raises(MissingPackageError):
            import_module(name)
    for game in GAMES:
        for language in LANGUAGES:
            print(f"{game}/{language}", try_game(game, language))
