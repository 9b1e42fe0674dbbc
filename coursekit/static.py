"""One module and one stylesheet out of several files, since anywidget takes no more of each."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Suffix = Literal["js", "css"]
Parts = Mapping[Suffix, Sequence[str]]
"""Names of files without their suffix, in the order in which they are joined."""


def one_file(folder: Path, parts: Parts, suffix: Suffix) -> str:
    """Return the files of *parts* in *folder* that have *suffix*, one after the other."""
    return "\n".join((folder / f"{part}.{suffix}").read_text(encoding="utf-8") for part in parts[suffix])
