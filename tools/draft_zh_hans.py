"""Add the missing zh-Hans lines to every texts.toml, drafted with OpenCC (Taiwan -> mainland
words).

Files of facts (``data/*.csv`` with columns ending in ``_zh``) get a file ``zh_hans.csv`` beside
them: there only characters and marks change, since names, titles and history keep their words.

Run it after adding texts or facts, then read what it wrote: a draft is not a translation.
"""

import csv
from pathlib import Path

from opencc import OpenCC

GAMES = Path(__file__).parents[1] / "coursekit/games"
opencc, characters = OpenCC("tw2sp"), OpenCC("tw2s")
REVIEWED = {"纪录": "记录", " 档": " 文件", "「": "“", "」": "”"}
"""Corrections that every draft so far has needed."""


SEVERAL = ("editor_zh", "author_zh")
"""Fields with several names."""
MARKS = str.maketrans("「」『』〈〉‧粧", "“”‘’《》·妆")


def convert(line: str) -> str:
    """Return a draft of *line* in zh-Hans."""
    line = opencc.convert(line)
    for wrong, right in REVIEWED.items():
        line = line.replace(wrong, right)
    return line


for path in sorted(Path(__file__).parents[1].glob("coursekit/**/texts.toml")):
    lines = path.read_text(encoding="utf-8").splitlines()
    done: list[str] = []
    for number, line in enumerate(lines):
        done.append(line)
        if line.startswith("en = "):
            block = lines[number - 1 :]
            block = block[
                : next((n for n, each in enumerate(block) if not each.strip()), len(block))
            ]
            if not any(each.startswith("zh-Hans = ") for each in block):
                done.append("zh-Hans = " + convert(lines[number - 1].removeprefix("zh-Hant = ")))
    path.write_text("\n".join(done) + "\n", encoding="utf-8")


def facts(folder: Path) -> list[str]:
    """Return the Chinese fields of the CSV files in *folder*, each once, and each of several names
    in one.
    """
    found: dict[str, None] = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                for name, cell in row.items():
                    if name.endswith("_zh") and cell:
                        found.update(
                            dict.fromkeys([cell, *(cell.split("、") if name in SEVERAL else ())])
                        )
    return list(found)


for folder in sorted(GAMES.glob("*/rules/data")):
    if rows := [(each, characters.convert(each).translate(MARKS)) for each in facts(folder)]:
        with (folder / "zh_hans.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("zh_hant", "zh_hans"), *rows])
