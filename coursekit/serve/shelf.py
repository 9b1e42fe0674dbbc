"""The notebooks of a folder, and their languages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

FOLDERS = {"zh": "zh-Hant", "en": "en"}
"""Folder of notebooks -> their language, as a BCP 47 tag."""

PACKAGE = Path(__file__).parent.parent


def packaged() -> Path:
    """Return the folder of the kit's own notebooks: inside the wheel, or beside it in a clone."""
    inside = PACKAGE / "notebooks"
    return inside if inside.is_dir() else PACKAGE.parent / "notebooks"


def language_of(path: str, otherwise: str) -> str:
    """Return the language of the notebook at *path*, from its folder.

    >>> language_of("notebooks/zh/wizard.ipynb", "en")
    'zh-Hant'
    """
    for folder in reversed(path.split("/")[:-1]):
        if folder in FOLDERS:
            return FOLDERS[folder]
    return otherwise


def folder_for(language: str) -> str:
    """Return the folder of notebooks for *language*; zh-Hans readers get ``zh``.

    >>> folder_for("zh-Hans")
    'zh'
    """
    return "en" if language == "en" else "zh"


def heading(notebook: Mapping[str, Any], path: str) -> str:
    """Return the first heading of *notebook*, or its file name if it has none."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for line in "".join(cell["source"]).splitlines():
                if line.startswith("# "):
                    return line[2:].strip()
    return PurePosixPath(path).stem


@dataclass(frozen=True)
class Notebook:
    """One notebook of a folder."""

    path: str
    """Relative to the folder, with ``/`` on every system."""
    file: Path

    @property
    def name(self) -> str:
        """The name without language and number: ``welcome`` for ``zh/00-welcome.ipynb``."""
        return self.file.stem.lstrip("0123456789-") or self.file.stem

    @cached_property
    def title(self) -> str:
        """The first heading, or the file name if there is none."""
        try:
            return heading(json.loads(self.file.read_text(encoding="utf-8")), self.path)
        except (OSError, ValueError, KeyError, TypeError):  # a broken file must not hide the others
            return self.file.stem


class NotebookShelf:
    """The notebooks in *folder*, in its language folders or directly in it.

    Each call reads the folder again, so a notebook saved just now is found.

    :param ours: whether they are the kit's own, perhaps copied, and not a teacher's.
    """

    def __init__(self, folder: Path, ours: bool = False) -> None:
        self.folder = folder
        self.ours = ours or folder.resolve() == packaged().resolve()

    def notebooks(self, language: str) -> list[Notebook]:
        """Return the notebooks for readers of *language*, sorted by file name."""
        own = self._in(folder_for(language))
        return own + self._in("")

    def find(self, name: str, language: str) -> Notebook | None:
        """Return the notebook called *name*, in *language* if possible, else in any."""
        order = [folder_for(language), *FOLDERS, ""]
        return next((each for folder in order for each in self._in(folder) if each.name == name), None)

    def names(self) -> list[str]:
        """Return the name of every notebook, once."""
        return list(dict.fromkeys(each.name for folder in [*FOLDERS, ""] for each in self._in(folder)))

    def translation(self, path: str) -> tuple[str, str] | None:
        """Return language and path of the same notebook in another language, if it exists.

        :param path: path on the server, which may start above the language folder.
        """
        parts = path.split("/")
        for position in range(len(parts) - 2, -1, -1):
            if parts[position] in FOLDERS:
                for folder, language in FOLDERS.items():
                    other = [*parts[:position], folder, *parts[position + 1 :]]
                    if folder != parts[position] and self.folder.joinpath(*other).is_file():
                        return language, "/".join(other)
        return None

    def _in(self, folder: str) -> list[Notebook]:
        files = sorted((self.folder / folder).glob("*.ipynb"))
        return [Notebook(f"{folder}/{file.name}".lstrip("/"), file) for file in files]
