"""The notebooks of a folder, and their languages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from coursekit.serve.lesson_steps import minutes
from coursekit.words.simplified import simplify

FOLDERS = {"zh": "zh-Hant", "en": "en", "zh-Hans": "zh-Hans"}
"""Folder of notebooks -> their language, as a BCP 47 tag."""
MADE, OF = "zh-Hans", "zh"
"""The folder whose notebooks are made when they are opened, and the one whose notebooks they are
made of.
"""

PACKAGE = Path(__file__).parent.parent


def packaged_folder() -> Path:
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
    """Return the folder of notebooks for *language*.

    >>> folder_for("zh-Hant")
    'zh'
    """
    return next(folder for folder, each in FOLDERS.items() if each == language)


def simplify_notebook(notebook: Any) -> None:
    """Change *notebook*, a traditional one, into simplified Chinese: its texts, its code and its
    language.

    What its cells have printed goes, since it is in the other language.
    """
    about = notebook["metadata"]["coursekit"]
    about.update(
        {key: in_simplified(value) for key, value in about.items() if isinstance(value, str)}
    )
    for cell in notebook["cells"]:
        cell["source"] = in_simplified("".join(cell["source"]))
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None


def in_simplified(text: str) -> str:
    """Return *text*, prose or code, in simplified Chinese, also where it names the language."""
    return simplify(text).replace(FOLDERS[OF], FOLDERS[MADE])


def first_heading(notebook: Mapping[str, Any], path: str) -> str:
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
    """Where it is read; a notebook that is made is made of this file."""

    @property
    def name(self) -> str:
        """The name without language and number: ``welcome`` for ``zh/00-welcome.ipynb``."""
        return self.file.stem.lstrip("0123456789-") or self.file.stem

    @property
    def made(self) -> bool:
        """Whether it is made when it is opened."""
        return MADE in self.path.split("/")[:-1] and self.file.parent.name == OF

    @cached_property
    def title(self) -> str:
        """The first heading, or the file name if there is none."""
        try:
            title = first_heading(self.read(), self.path)
        except (OSError, ValueError, KeyError, TypeError):  # a broken file must not hide the others
            return self.file.stem
        return in_simplified(title) if self.made else title

    @cached_property
    def minutes(self) -> int:
        """How many minutes the steps of its lesson take, 0 if it has none; see
        :mod:`coursekit.serve.lesson_steps`.
        """
        try:
            return minutes(self.read())
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def read(self) -> Any:
        """Return what is in :attr:`file`."""
        return json.loads(self.file.read_text(encoding="utf-8"))

    def says_its_language(self) -> bool:
        """Return whether it is one of the kit's in traditional Chinese, whose words are known."""
        try:
            return bool(self.read()["metadata"]["coursekit"]["language"] == FOLDERS[OF])
        except (OSError, ValueError, KeyError, TypeError):
            return False


class NotebookShelf:
    """The notebooks in *folder*, in its language folders or directly in it.

    The kit's own in simplified Chinese are made of the traditional ones when they are opened.
    Each call reads the folder again, so a notebook saved just now is found.

    :param ours: whether they are the kit's own, perhaps copied, and not a teacher's.
    """

    def __init__(self, folder: Path, ours: bool = False) -> None:
        self.folder = folder
        self.ours = ours or folder.resolve() == packaged_folder().resolve()

    def notebooks(self, language: str) -> list[Notebook]:
        """Return the notebooks for readers of *language*, sorted by file name."""
        own = self._in(folder_for(language))
        if language == FOLDERS[MADE]:
            there = {each.file.name for each in own}
            own += [each for each in self._in(OF) if each.file.name not in there]
            own.sort(key=lambda each: each.file.name)
        return own + self._in("")

    def find(self, name: str, language: str) -> Notebook | None:
        """Return the notebook called *name*, in *language* if possible, else in any."""
        order = [folder_for(language), *FOLDERS, ""]
        return next(
            (each for folder in order for each in self._in(folder) if each.name == name), None
        )

    def names(self) -> list[str]:
        """Return the name of every notebook, once."""
        return list(
            dict.fromkeys(each.name for folder in [*FOLDERS, ""] for each in self._in(folder))
        )

    def made(self) -> list[Notebook]:
        """Return the notebooks that are made when they are opened."""
        return [each for each in self._in(MADE) if each.made]

    def source(self, path: str) -> str:
        """Return the path of the notebook that the one at *path* is made of, *path* if it is not
        made.

        :param path: path on the server, which may start above the language folder.
        """
        folder, _, name = path.rpartition("/")
        above, _, last = folder.rpartition("/")
        if last != MADE or (self.folder / path).is_file():
            return path
        other = f"{above}/{OF}/{name}".lstrip("/")
        return other if Notebook(other, self.folder / other).says_its_language() else path

    def translations(self, path: str) -> list[tuple[str, str]]:
        """Return language and path of the same notebook in each other language in which it exists.

        :param path: path on the server, which may start above the language folder.
        """
        parts = path.split("/")
        for position in range(len(parts) - 2, -1, -1):
            if parts[position] in FOLDERS:
                others = {
                    language: "/".join([*parts[:position], folder, *parts[position + 1 :]])
                    for folder, language in FOLDERS.items()
                    if folder != parts[position]
                }
                return [
                    (each, at)
                    for each, at in others.items()
                    if (self.folder / self.source(at)).is_file()
                ]
        return []

    def _in(self, folder: str) -> list[Notebook]:
        files = sorted((self.folder / folder).glob("*.ipynb"))
        found = [Notebook(f"{folder}/{file.name}".lstrip("/"), file) for file in files]
        if folder == MADE:
            there = {file.name for file in files}
            found += [
                Notebook(f"{MADE}/{each.file.name}", each.file)
                for each in self._in(OF)
                if each.file.name not in there and each.says_its_language()
            ]
        return sorted(found, key=lambda each: each.file.name)
