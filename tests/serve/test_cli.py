"""The command line: what it says, and that a mistake costs one sentence and exit code 2."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from lanes import START
from platformdirs import user_data_dir

from coursekit import cli
from coursekit.serve import app, lab
from coursekit.serve.login import Key
from coursekit.serve.notebooks import packaged_folder
from coursekit.words import texts
from coursekit.words.language import read_locale

NOTEBOOK = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English unless a test says otherwise, and never open a browser."""
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.setattr(cli.webbrowser, "open", lambda address: pytest.fail(f"opened {address}"))


@pytest.fixture
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two notebooks in each language."""
    root = tmp_path_factory.mktemp("notebooks")
    for folder in ("zh", "en"):
        (root / folder).mkdir()
        (root / folder / "00-welcome.ipynb").write_text(NOTEBOOK)
        (root / folder / "wizard.ipynb").write_text(NOTEBOOK)
    return root


def complaint(capsys: pytest.CaptureFixture[str], *command: object) -> str:
    """Return the one line that *command* says on stderr when it ends with 2."""
    assert cli.main([str(each) for each in command]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err.strip()


def test_help_names_both_commands_and_each_shows_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command, words in (
        (["--help"], ("serve", "lab", "--version")),
        ([], ("serve", "lab")),
        (
            ["serve", "--help"],
            ("--port", "--dir", "--language", "--no-browser", "--max-kernels", "game"),
        ),
        (["lab", "--help"], ("--dir", "--language", "--no-browser")),
    ):
        try:
            code: object = cli.main(command)
        except SystemExit as end:
            code = end.code
        assert code == 0
        help = capsys.readouterr().out
        assert all(word in help for word in words), help


def test_a_port_in_use_is_named(notebooks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = complaint(capsys, "serve", "--dir", notebooks, "--port", port)
    assert str(port) in said
    assert "in use" in said
    assert "--port" in said


@pytest.mark.parametrize("port", ["-1", "65536", "eight", "8.5", "²"])
def test_a_port_is_a_number_from_0_to_65535(
    port: str, notebooks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = complaint(capsys, "serve", "--dir", notebooks, f"--port={port}")
    assert port in said
    assert "0 to 65535" in said


@pytest.mark.parametrize("kernels", ["0", "-3", "many", "101"])
def test_kernels_are_a_number_from_1_to_100(
    kernels: str, notebooks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "1 to 100" in complaint(capsys, "serve", "--dir", notebooks, f"--max-kernels={kernels}")


def test_a_missing_or_empty_folder_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert str(tmp_path / "none") in complaint(capsys, "serve", "--dir", tmp_path / "none")
    assert "no notebook" in complaint(capsys, "serve", "--dir", tmp_path)


def test_an_unknown_game_or_language_is_told_with_what_there_is(
    notebooks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = complaint(capsys, "serve", "--dir", notebooks, "chess")
    assert "chess" in said
    assert "wizard" in said
    for command in ("serve", "lab"):
        said = complaint(capsys, command, "--dir", notebooks, "--language", "fr")
        assert "fr" in said
        assert all(language in said for language in texts.LANGUAGES)


@pytest.mark.parametrize(
    "command", [["play"], ["serve", "--colour"], ["serve", "a", "b"], ["lab", "--dir"]]
)
def test_a_command_that_cannot_be_read_is_one_sentence(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "coursekit --help" in complaint(capsys, *command)


def test_the_terminal_speaks_the_language_of_the_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting, language in (
        ("zh_TW.UTF-8", "zh-Hant"),
        ("zh_CN.UTF-8", "zh-Hans"),
        ("de_DE", "en"),
        ("C", "en"),
    ):
        monkeypatch.setenv("LC_ALL", setting)
        said = complaint(capsys, "serve", "--dir", tmp_path)
        assert said == texts.text("cli.no_notebooks", language, path=tmp_path)
    assert read_locale({}, "Chinese (Traditional)_Taiwan") == "zh-Hant"
    assert read_locale({}, "Chinese (Simplified)_China") == "zh-Hans"


@pytest.fixture
def started(
    notebooks: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable:
    """``started(*arguments)`` returns the address shown, those that a browser opened, and the key."""
    browsers: list[str] = []
    monkeypatch.setattr(cli.webbrowser, "open", browsers.append)

    def start(*arguments: str) -> tuple[str, list[str], Key]:
        keys = []
        monkeypatch.setattr(app, "serve", lambda *how: (how[-2](), keys.append(how[-1])))
        assert cli.main(["serve", "--dir", str(notebooks), "--port", "0", *arguments]) == 0
        return re.search(r"http://\S+", capsys.readouterr().out)[0], browsers, keys[0]

    return start


def given(address: str) -> str:
    """Return the key in *address*."""
    return address.partition("?key=")[2]


def test_the_address_shown_opens_again_and_again_and_the_one_that_the_browser_gets_once(
    started,
) -> None:
    shown, (opened,), key = started("wizard")
    assert shown.split("?")[0] == opened.split("?")[0]
    assert "/voila/render/zh/wizard.ipynb" in shown
    assert given(shown) != given(opened)
    assert [key.fits(given(shown)) for _ in range(2)] == [True, True]
    assert [key.fits(given(opened)) for _ in range(2)] == [True, False]
    assert not any(key.fits(wrong) for wrong in ("", "鑰匙", given(shown)[:-1], given(shown) + "x"))


def test_without_a_browser_the_address_with_the_key_is_shown_and_every_start_has_another(
    started,
) -> None:
    first, second = started("--no-browser"), started("--no-browser")
    assert first[1] == []
    assert first[2].fits(given(first[0]))
    assert not second[2].fits(given(first[0]))


def test_a_mistake_is_told_without_loading_voila() -> None:
    script = "import sys; from coursekit.cli import main; code = main(['serve', '--dir', '/none/at/all']);"
    script += (
        "print(code, sorted({'voila', 'matplotlib', 'networkx', 'IPython'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "2 []\n"


def test_importing_coursekit_loads_nothing_else() -> None:
    script = "import sys; before = set(sys.modules); import coursekit; print(sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "['coursekit']\n"


def test_the_command_runs_as_a_module_and_tells_its_version() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "coursekit", "--version"], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", run.stdout)


@pytest.mark.skipif(os.name == "nt", reason="Windows has another error for it")
def test_a_command_that_nobody_reads_ends_without_a_word() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [sys.executable, "-m", "coursekit", "data"], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (cli.UNREAD, b"")


def test_lab_copies_the_notebooks_once_and_keeps_what_was_changed(
    notebooks: Path, tmp_path: Path
) -> None:
    source, copy = notebooks, tmp_path / "mine"
    everything = [
        "en/00-welcome.ipynb",
        "en/wizard.ipynb",
        "zh/00-welcome.ipynb",
        "zh/wizard.ipynb",
    ]
    assert lab.copy(source, copy) == (everything, [])
    assert lab.copy(source, copy) == ([], [])

    (copy / "zh/wizard.ipynb").write_text("changed by its owner")
    assert lab.copy(source, copy) == ([], [])
    for folder in ("zh", "en"):
        (source / folder / "wizard.ipynb").write_text("a newer version")
    assert lab.copy(source, copy) == (["en/wizard.ipynb"], ["zh/wizard.ipynb"])
    assert (copy / "zh/wizard.ipynb").read_text() == "changed by its owner"
    assert (copy / "en/wizard.ipynb").read_text() == "a newer version"

    (copy / "zh/wizard.ipynb").unlink()
    assert lab.copy(source, copy) == (["zh/wizard.ipynb"], [])


def test_lab_writes_the_lessons_in_simplified_chinese_too(tmp_path: Path) -> None:
    copied, _ = lab.copy(packaged_folder(), tmp_path / "mine")
    lessons = [path for path in copied if path.startswith("zh-Hans/")]
    assert [path.replace("zh-Hans", "zh") for path in lessons] == [
        path for path in copied if path.startswith("zh/")
    ]
    wizard = nbformat.read(tmp_path / "mine/zh-Hans/wizard.ipynb", as_version=4)
    nbformat.validate(wizard)
    code = "\n".join(cell.source for cell in wizard.cells if cell.cell_type == "code")
    assert 'use_language("zh-Hans")' in code
    assert "# 改这个数字" in code
    assert lab.copy(packaged_folder(), tmp_path / "mine") == ([], [])


def test_lab_keeps_a_file_that_was_there_before(notebooks: Path, tmp_path: Path) -> None:
    (tmp_path / "mine/zh").mkdir(parents=True)
    (tmp_path / "mine/zh/wizard.ipynb").write_text("somebody else's")
    assert lab.copy(notebooks, tmp_path / "mine")[1] == ["zh/wizard.ipynb"]
    assert (tmp_path / "mine/zh/wizard.ipynb").read_text() == "somebody else's"


@pytest.mark.parametrize(
    ("language", "folder"),
    [((), "zh"), (("--language", "zh-Hans"), "zh-Hans"), (("--language", "en"), "en")],
)
def test_lab_says_what_it_did_and_opens_on_the_copy_in_the_language_asked_for(
    language: tuple[str, ...],
    folder: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = []
    monkeypatch.setattr(lab, "open_lab", lambda *how, **more: opened.append((how, more)) or 0)
    assert cli.main(["lab", "--dir", str(tmp_path / "mine"), "--no-browser", *language]) == 0
    assert str(tmp_path / "mine") in capsys.readouterr().out
    assert opened == [((tmp_path / "mine", folder), {"browser": False})]


def opened(address: str, end: float) -> str:
    """Return the page at *address*, before the moment *end*; Jupyter says where it is before it
    listens there.
    """
    while True:
        try:
            with urllib.request.urlopen(address, timeout=START) as page:
                return page.read().decode()
        except urllib.error.URLError as refused:
            if not isinstance(refused.reason, ConnectionRefusedError) or time.monotonic() > end:
                raise
            time.sleep(0.1)


@pytest.mark.slow
def test_lab_really_opens_jupyterlab_with_our_extension(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "coursekit",
        "lab",
        "--no-browser",
        "--dir",
        str(tmp_path / "mine"),
    ]
    log = tmp_path / "log"
    with log.open("w") as out:
        run = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
    try:
        end = time.monotonic() + START
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/lab\S*token=\w+", log.read_text())):
            assert run.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        assert "/lab/tree/zh/00-welcome.ipynb" in found[0]
        assert '"news": {"disabled": true}' in opened(found[0], end)
        base, token = re.split(r"lab\S*token=", found[0])
        assert texts.text("page.heading", "en") in opened(f"{base}coursekit/en?token={token}", end)
    finally:
        run.terminate()
        try:
            run.wait(20)
        except subprocess.TimeoutExpired:
            run.kill()


def test_lab_without_jupyterlab_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "installed", lambda: False)
    said = complaint(capsys, "lab", "--dir", tmp_path / "mine")
    assert "JupyterLab is not installed" in said
    assert "-m pip install" in said
    assert not (tmp_path / "mine").exists()


def test_lab_names_a_folder_it_cannot_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_text("a file")
    assert str(tmp_path / "mine") in complaint(capsys, "lab", "--dir", tmp_path / "mine")


def test_the_tests_leave_the_data_of_their_developer_alone() -> None:
    assert Path(os.environ["COURSEKIT_DATA"]) != Path(user_data_dir("coursekit", appauthor=False))
