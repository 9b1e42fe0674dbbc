"""The notebooks of a folder, and their languages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from coursekit.files.folders import visible_files
from coursekit.serve.lesson_steps import minutes
from coursekit.words.simplified import simplify

FOLDERS = {"zh": "zh-Hant", "en": "en", "zh-Hans": "zh-Hans"}
"""Folder of notebooks -> their language, as a BCP 47 tag."""
SIMPLIFIED, TRADITIONAL = "zh-Hans", "zh"
"""Folders of notebooks in Chinese: those of the first are made of the second when they open."""

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
    return next(folder for folder in FOLDERS if FOLDERS[folder] == language)


def simplify_notebook(notebook: Any) -> None:
    """Change the texts, the code and the language of *notebook* from traditional to simplified.

    What its cells have printed goes, since it is in the other language.
    """
    about = notebook["metadata"]["coursekit"]
    for key, value in about.items():
        if isinstance(value, str):
            about[key] = simplify_source(value)
    for cell in notebook["cells"]:
        cell["source"] = simplify_source("".join(cell["source"]))
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None


def simplify_source(source: str) -> str:
    """Return *source*, prose or code, in simplified Chinese, also where it names the language."""
    return simplify(source).replace(FOLDERS[TRADITIONAL], FOLDERS[SIMPLIFIED])


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
    """What it is read from, perhaps a notebook in traditional Chinese."""

    @property
    def name(self) -> str:
        """The name without language and number: ``welcome`` for ``zh/00-welcome.ipynb``."""
        return self.file.stem.lstrip("0123456789-") or self.file.stem

    @property
    def is_derived(self) -> bool:
        """Whether it is made of one in traditional Chinese when it opens."""
        folders = self.path.split("/")[:-1]
        return SIMPLIFIED in folders and self.file.parent.name == TRADITIONAL

    @cached_property
    def title(self) -> str:
        """The first heading, or the file name if there is none."""
        try:
            title = first_heading(self.read(), self.path)
        except (OSError, ValueError, KeyError, TypeError):  # a broken file must not hide the others
            return self.file.stem
        return simplify_source(title) if self.is_derived else title

    @cached_property
    def minutes(self) -> int:
        """How many minutes the steps of its lesson take, 0 if it has none."""
        try:
            return minutes(self.read())
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def read(self) -> Any:
        """Return what is in :attr:`file`."""
        return json.loads(self.file.read_text(encoding="utf-8"))

    def is_kits(self) -> bool:
        """Return whether its metadata have ``coursekit``: it is written for the kit."""
        try:
            return isinstance(self.read()["metadata"]["coursekit"], dict)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def says_its_language(self) -> bool:
        """Return whether it is one of the kit's in traditional Chinese, whose words are known."""
        try:
            return bool(self.read()["metadata"]["coursekit"]["language"] == FOLDERS[TRADITIONAL])
        except (OSError, ValueError, KeyError, TypeError):
            return False


class NotebookShelf:
    """The notebooks in *folder*, in its language folders or directly in it.

    The kit's own in simplified Chinese are made of the traditional ones when they are opened.
    Each call reads the folder again, so a notebook saved just now is found.

    :param ours: whether they are the kit's own, perhaps copied, and not a teacher's.
    """

    place = ""
    """Path of the folder below the server's own: empty, or as ``notebooks/``."""

    def __init__(self, folder: Path, ours: bool = False) -> None:
        self.folder = self.root = folder
        self.ours = ours or folder.resolve() == packaged_folder().resolve()

    def holds(self, path: str) -> bool:
        """Return whether the notebook at *path* on the server is one for the kit's pages."""
        return True

    def notebooks(self, language: str) -> list[Notebook]:
        """Return the notebooks for readers of *language*, sorted by file name."""
        own = self._in(folder_for(language))
        if language == FOLDERS[SIMPLIFIED]:
            own = _merge(own, self._in(TRADITIONAL))
        return own + self._in("")

    def find(self, name: str, language: str) -> Notebook | None:
        """Return the notebook called *name*, in *language* if possible, else in any."""
        order = [folder_for(language), *FOLDERS, ""]
        for folder in order:
            for notebook in self._in(folder):
                if notebook.name == name:
                    return notebook
        return None

    def names(self) -> list[str]:
        """Return the name of every notebook, once."""
        names = [notebook.name for folder in [*FOLDERS, ""] for notebook in self._in(folder)]
        return list(dict.fromkeys(names))

    def derived(self) -> list[Notebook]:
        """Return the notebooks that are made of others when they open."""
        return [notebook for notebook in self._in(SIMPLIFIED) if notebook.is_derived]

    def source(self, path: str) -> str:
        """Return the path of the notebook that the one at *path* is made of, or *path* itself.

        :param path: path on the server, which may start above the language folder.
        """
        folder, _, name = path.rpartition("/")
        above, _, last = folder.rpartition("/")
        if last != SIMPLIFIED or (self.root / path).is_file():
            return path
        other = f"{above}/{TRADITIONAL}/{name}".lstrip("/")
        return other if Notebook(other, self.root / other).says_its_language() else path

    def translations(self, path: str) -> list[tuple[str, str]]:
        """Return language and path of the same notebook in each other language that has it.

        :param path: path on the server, which may start above the language folder.
        """
        parts = path.split("/")
        for position in range(len(parts) - 2, -1, -1):
            if parts[position] in FOLDERS:
                break
        else:
            return []
        translations = []
        for folder, language in FOLDERS.items():
            other = "/".join([*parts[:position], folder, *parts[position + 1 :]])
            if other != path and (self.root / self.source(other)).is_file():
                translations.append((language, other))
        return translations

    def _in(self, folder: str) -> list[Notebook]:
        found = visible_files(self.folder / folder, "*.ipynb")
        files = [file for file in found if file.is_file()]  # a folder may be called so
        notebooks = [Notebook(f"{folder}/{file.name}".lstrip("/"), file) for file in files]
        if folder != SIMPLIFIED:
            return notebooks
        derived = [
            Notebook(f"{SIMPLIFIED}/{notebook.file.name}", notebook.file)
            for notebook in self._in(TRADITIONAL)
            if notebook.says_its_language()
        ]
        return _merge(notebooks, derived)


def _merge(notebooks: list[Notebook], others: list[Notebook]) -> list[Notebook]:
    """Return *notebooks* and those of *others* with other file names, sorted by file name."""
    by_name = {notebook.file.name: notebook for notebook in [*others, *notebooks]}
    return [by_name[name] for name in sorted(by_name)]
