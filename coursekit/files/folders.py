"""What a folder holds for people: not what systems and programs put there for themselves."""

from pathlib import Path

SYSTEM = ("desktop.ini", "Thumbs.db", "__pycache__", "__MACOSX")
"""What systems put into folders, besides hidden files."""


def is_hidden(name: str) -> bool:
    """Return whether a system or a program has put the file *name* where it is.

    A Mac puts one beside each file on a USB stick, ``._wizard.ipynb``; Office one beside an open
    document, ``~$words.xlsx``.
    """
    return name.startswith((".", "~$")) or name in SYSTEM


def visible_files(folder: Path, pattern: str) -> list[Path]:
    """Return the files in *folder* that match *pattern* and are not hidden, sorted by path."""
    return sorted(path for path in folder.glob(pattern) if not is_hidden(path.name))
