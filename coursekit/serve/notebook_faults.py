"""What keeps a notebook from being opened as a page."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import current_nbformat

from coursekit.words.texts import text

CONFLICT = re.compile(rb"^(<{7}|>{7}) ", re.MULTILINE)
"""The marks that Git leaves where two versions of a line meet."""
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Fault:
    """Why a notebook cannot be opened: the text ``notebook.<kind>``, and the values it names."""

    kind: str
    values: dict[str, str]

    def describe(self, language: str) -> str:
        """Return what is wrong, and what to do, in *language*."""
        return text(f"notebook.{self.kind}", language, **self.values)


def find_fault(file: Path) -> Fault | None:
    """Return what is wrong with the notebook in *file*, or ``None`` if that cannot be seen.

    One in another language is at fault: whether its kernel is installed is for the caller to know.
    """
    if file.is_dir():
        return Fault("folder", {})
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return Fault("locked", {})
    return _fault_of_content(content)


def _fault_of_content(content: bytes) -> Fault | None:
    if not content.strip():
        return Fault("empty", {})
    if CONFLICT.search(content):
        return Fault("conflict", {})
    try:
        words = content.decode()
    except UnicodeDecodeError:
        return Fault("encoding", {})
    if content.startswith(BOM):
        return Fault("encoding", {})
    try:
        notebook = json.loads(words)
    except json.JSONDecodeError as error:
        return Fault("cut", {"line": str(error.lineno)})
    except (ValueError, RecursionError):  # a number of 5,000 digits, a list in a list in a list …
        return Fault("format", {})
    return _fault_of_notebook(notebook)


def _fault_of_notebook(notebook: Any) -> Fault | None:
    if not isinstance(notebook, dict):
        return Fault("format", {})
    version = notebook.get("nbformat")
    if isinstance(version, int) and version > current_nbformat:
        return Fault("newer", {"version": str(version), "known": str(current_nbformat)})
    cells = notebook.get("cells", notebook.get("worksheets"))
    if not isinstance(version, int) or not isinstance(cells, list):
        return Fault("format", {})
    language = _language(notebook.get("metadata"))
    if language.lower() not in ("", "python", "ipython"):
        return Fault("language", {"language": language})
    return None


def _language(metadata: Any) -> str:
    """Return the programming language that *metadata* name, ``""`` for none."""
    for part, name in (("kernelspec", "language"), ("language_info", "name")):
        about = metadata.get(part) if isinstance(metadata, dict) else None
        language = about.get(name) if isinstance(about, dict) else None
        if isinstance(language, str):
            return language
    return ""
