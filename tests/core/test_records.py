"""Golden records: whole matches come out as they did; see tests/make_records.py."""

import re
from pathlib import Path

import pytest
from make_records import FOLDER, MATCHES, files

from coursekit.core.match import Record, replay
from coursekit.kit import GAMES


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return files()


@pytest.mark.parametrize("name", [f"{name}.{kind}" for name in MATCHES for kind in ("txt", "json")])
def test_a_golden_match_comes_out_as_it_did(name, made):
    kept = (FOLDER / name).read_bytes().decode("utf-8")
    first = next(
        (
            n
            for n, pair in enumerate(
                zip(kept.splitlines(), made[name].splitlines(), strict=False), 1
            )
            if pair[0] != pair[1]
        ),
        "the end",
    )
    assert kept == made[name], (
        f"{name} differs in line {first}; read the docstring of tests/make_records.py"
    )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_golden_record_is_a_file_that_can_be_loaded(path: Path):
    text = path.read_text(encoding="utf-8")
    record = Record.loads(text)
    assert record.dumps() == text
    assert replay(record).over


def test_every_game_has_golden_records():
    for name in GAMES:
        assert sum(golden.startswith(name) for golden in MATCHES) >= 3


@pytest.mark.parametrize("name", ["knitwit", "wikipedia", "wizard"])
def test_whatever_can_happen_happens_in_a_golden_match(name):
    sources = (GAMES[name].texts.parent / "rules").glob("*.py")
    made = re.compile(r'\b(?:Event|_told)\(\s*"([\w.]+)"')
    known = {
        text_id for path in sources for text_id in made.findall(path.read_text(encoding="utf-8"))
    }
    kept = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob(f"{name}*.txt"))
    assert known - set(re.findall(r"^ {7}([\w.]+) ", kept, re.MULTILINE)) == set()


def test_no_golden_file_is_left_over():
    known = {f"{name}.{kind}" for name in MATCHES for kind in ("txt", "json")} | {
        "wizard-rulebook-example.json"
    }
    assert {path.name for path in FOLDER.glob("[!.]*")} == known
