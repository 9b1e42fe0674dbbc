"""The table in the browser, tested in node with a small stand-in for the page."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from lanes import lack

from coursekit.kit import GAMES
from coursekit.table.static_files import FITTED, PARTS, STATIC, one_file, table_script, zone_styles

JS = Path(__file__).parents[1] / "js"
NODE = shutil.which("node")


def test_table_js() -> None:
    """Every test in ``tests/js`` passes; its report is shown if one does not."""
    if NODE is None:
        lack("Node")
    command = [NODE, "--test", *map(str, sorted(JS.glob("*.test.mjs")))]
    environ = os.environ | {"PYTHON": sys.executable}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environ)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_of_the_table_is_joined_and_only_the_core_is_a_module() -> None:
    for suffix, parts in PARTS.items():
        assert sorted(path.stem for path in STATIC.glob(f"*.{suffix}")) == sorted(
            [*parts, *FITTED.get(suffix, ())]
        )
    assert len(re.findall(r"^(?:import|export)\b", one_file("js"), re.MULTILINE)) == 1


def test_a_table_ships_the_zones_of_no_other_game() -> None:
    common, own = one_file("js"), table_script(GAMES["knitwit"])
    assert {table_script(kit) for name, kit in GAMES.items() if name != "knitwit"} == {common}
    assert {zone_styles(kit) for name, kit in GAMES.items() if name != "knitwit"} == {""}
    assert not re.search(r"venn|knit", common + one_file("css"), re.IGNORECASE)
    assert not re.search(r"^(?:import|export)\b", own.removeprefix(common), re.MULTILINE)
