"""What a cell says of what Python can do on a computer, and not in a browser."""

import errno
import sys

import pytest

from coursekit.cells.cell_errors import explain_in_lines
from coursekit.words import language as chosen
from coursekit.words.language import current_language
from coursekit.words.texts import LANGUAGES, text

REFUSALS = {
    "processes": OSError(errno.ENOTSUP, "emscripten does not support processes."),
    "fork": OSError(errno.ENOSYS, "Function not implemented"),
    "threads": RuntimeError("can't start new thread"),
    "pool": NotImplementedError("This Python build lacks multiprocessing.synchronize"),
    "timer": AttributeError("no attribute", name="setitimer", obj=__import__("signal")),
}
"""What Pyodide raises."""
MODULES = ["resource", "_multiprocessing", "email.message", "turtle"]
"""Parts of Python that its pages lack."""
OTHERS = {
    "file": FileNotFoundError(errno.ENOENT, "No such file"),
    "misspelt": AttributeError("no attribute", name="chioce", obj=__import__("random")),
    "own": RuntimeError("too many cards"),
    "function": ModuleNotFoundError("'random' is not a package", name="random.randint"),
    "package": ModuleNotFoundError("No module named 'pandas'", name="pandas"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_a_browser_refuses_is_said(refusal, language, monkeypatch):
    monkeypatch.setattr(chosen, "_chosen", [language])
    sentence = text("cell.not_in_browser", language)
    assert sentence not in explain_in_lines(REFUSALS[refusal], ())
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert explain_in_lines(REFUSALS[refusal], ())[0] == sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("module", MODULES)
def test_a_part_of_python_that_a_page_lacks_is_named(module, language, monkeypatch):
    monkeypatch.setattr(chosen, "_chosen", [language])
    monkeypatch.setattr(sys, "platform", "emscripten")
    error = ModuleNotFoundError(f"No module named {module!r}", name=module)
    sentence = text("cell.module_not_in_browser", language, name=module)
    assert explain_in_lines(error, ())[0] == sentence


@pytest.mark.parametrize("other", OTHERS)
def test_other_errors_are_not_blamed_on_the_browser(other, monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert text("cell.not_in_browser", current_language()) not in explain_in_lines(
        OTHERS[other], ()
    )
