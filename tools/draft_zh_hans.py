"""Add the missing zh-Hans lines to every texts.toml, drafted with OpenCC (Taiwan -> mainland words).

Run it after adding texts, then read what it wrote: a draft is not a translation.
"""

from pathlib import Path

from opencc import OpenCC

opencc = OpenCC("tw2sp")
REVIEWED = {"纪录": "记录", " 档": " 文件", "「": "“", "」": "”"}
"""Corrections that every draft so far has needed."""


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
            block = block[: next((n for n, each in enumerate(block) if not each.strip()), len(block))]
            if not any(each.startswith("zh-Hans = ") for each in block):
                done.append("zh-Hans = " + convert(lines[number - 1].removeprefix("zh-Hant = ")))
    path.write_text("\n".join(done) + "\n", encoding="utf-8")
