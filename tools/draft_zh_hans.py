"""Write ``zh_hans.csv`` beside the files of facts: their Chinese fields in simplified characters.

Facts (``data/*.csv``, columns ending in ``_zh``) keep their words, as names do;
only characters and marks change. Run it after a change of any row, then read what it wrote.
"""

import csv
from pathlib import Path

from opencc import OpenCC

GAMES = Path(__file__).parents[1] / "coursekit/games"
SEVERAL = ("editor_zh", "author_zh")
"""Fields with several names."""
MARKS = str.maketrans("「」『』〈〉‧粧", "“”‘’《》·妆")


def read_fields(folder: Path) -> dict[str, None]:
    """Return the Chinese fields of the CSV files in *folder*, and the names in those of several."""
    fields: dict[str, None] = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                for column, cell in row.items():
                    if column.endswith("_zh") and cell:
                        fields[cell] = None
                        if column in SEVERAL:
                            fields.update(dict.fromkeys(cell.split("、")))
    return fields


characters = OpenCC("tw2s")
for folder in sorted(GAMES.glob("*/rules/data")):
    if fields := read_fields(folder):
        rows = [(field, characters.convert(field).translate(MARKS)) for field in fields]
        with (folder / "zh_hans.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("zh_hant", "zh_hans"), *rows])
