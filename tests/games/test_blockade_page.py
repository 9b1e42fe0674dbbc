"""docs/teach/games/blockade.md and its Chinese page say what the program does."""

import re
from dataclasses import fields
from pathlib import Path

from coursekit.games.blockade import Blockade, own_cards
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import EDITIONS, standard
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.game import PHASES
from coursekit.games.blockade.rules.refusals import PAIRS, WORDS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "teach/games/blockade.md").read_text(encoding="utf-8")
"""The Chinese page says the same (``tests/test_docs.py``)."""


def test_every_field_phase_and_action_stands_there():
    names = [
        *(field.name for field in fields(Blockade.observation_type)),
        *PHASES,
        "role",
        "lap",
        "distance",
    ]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    assert [word for word in WORDS if f'`"{word}"`' not in PAGE] == []
    assert [word for word in PAIRS if f'("{word}", ' not in PAGE] == []


def test_columns_and_numbers_are_right():
    for kind in (
        card_files.WRITER_COLUMNS,
        card_files.PERIODICAL_COLUMNS,
        card_files.BANNED_BOOK_COLUMNS,
    ):
        assert (
            "| " + " | ".join(", ".join(f"`{name}`" for name in part) for part in kind[:2]) + " |"
            in PAGE
        )
    game = Blockade(4)
    for name, row in {
        "spaces to the corner": [game.goal(era) for era in ERAS],
        "writers of the kit": [len(game.usable[era]) for era in ERAS],
        "events": [sum(year in years for year in game.events_at) for years in ERAS.values()],
    }.items():
        assert f"| {name} | {' | '.join(map(str, row))} |" in PAGE
    assert f"(`longest`) | {game.longest:,} |" in PAGE
    assert f"Version {game.version}." in PAGE
    assert f"{len(standard().writers)} writers" in (DOCS / "teach/manuals/blockade.md").read_text(
        encoding="utf-8"
    )


def test_the_file_shown_can_be_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(EDITIONS, "_loaded", {})
    example = next(
        block for block in re.findall(r"```text\n(.*?)```", PAGE, re.S) if "work_year" in block
    )
    path = tmp_path / "example.csv"
    path.write_text(example, encoding="utf-8")
    assert own_cards(path).startswith("example.csv#")
    assert card_files.load_writers(path)[0].name_zh == "吳濁流"
