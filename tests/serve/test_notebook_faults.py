"""A notebook that cannot be opened is told for what it is."""

import json
from pathlib import Path

import pytest

from coursekit.serve.notebook_faults import find_fault
from coursekit.serve.notebooks import NotebookShelf
from coursekit.words.texts import LANGUAGES


def written(language: str) -> str:
    """Return a notebook without cells, for a kernel of that *language*."""
    kernel = {"name": "mine", "display_name": "Mine", "language": language}
    about = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": []}
    return json.dumps(about, indent=1)


WHOLE = written("python")
FAULTS = {
    b"": "empty",
    b" \n": "empty",
    f"<<<<<<< HEAD\n{WHOLE}\n=======\n{WHOLE}\n>>>>>>> other\n".encode(): "conflict",
    f"{WHOLE}\n>>>>>>> other\n".encode(): "conflict",
    WHOLE[:-9].encode(): "cut",
    b"# A notebook": "cut",
    b"[" * 100_000: "format",
    b"[]": "format",
    b"{}": "format",
    b'{"nbformat": "4", "cells": []}': "format",
    b'{"nbformat": 4, "cells": 3}': "format",
    b'{"nbformat": 9, "cells": []}': "newer",
    WHOLE.encode("utf-16"): "encoding",
    WHOLE.encode("utf-8-sig"): "encoding",
    '{"heading": "\u00e9t\u00e9"}'.encode("latin-1"): "encoding",
    "# \u66f8\u7c4d".encode("big5"): "encoding",
    written("R").encode(): "language",
    b'{"nbformat": 4, "cells": [], "metadata": {"language_info": {"name": "julia"}}}': "language",
}


@pytest.mark.parametrize(("content", "kind"), FAULTS.items())
def test_a_fault_is_found_and_told_in_every_language(
    content: bytes, kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "broken.ipynb"
    file.write_bytes(content)
    fault = find_fault(file)
    assert fault
    assert fault.kind == kind
    said = [fault.describe(language) for language in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)
    assert not any("{" in sentence for sentence in said)


@pytest.mark.parametrize("content", [WHOLE, written("Python"), '{"nbformat": 4, "cells": []}'])
def test_a_whole_notebook_has_none(content: str, tmp_path: Path) -> None:
    file = tmp_path / "whole.ipynb"
    file.write_text(content)
    assert find_fault(file) is None
    assert find_fault(tmp_path / "none.ipynb") is None


def test_a_folder_is_no_notebook(tmp_path: Path) -> None:
    folder = tmp_path / "wizard.ipynb"
    folder.mkdir()
    fault = find_fault(folder)
    assert fault
    assert fault.kind == "folder"
    assert NotebookShelf(tmp_path).names() == []
