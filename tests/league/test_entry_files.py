"""What a class hands in is taken, or left out with a reason: nothing is left out silently."""

import os
import re
import sys
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.cli import main
from coursekit.core.errors import LocalizedError
from coursekit.league.entry_files import find_entries
from coursekit.league.referee import read_source
from coursekit.words.texts import LANGUAGES

SOURCE = "from coursekit.core.strategy import AtRandom\n\n\nclass Mine(AtRandom):\n    pass\n"
EVERYTHING = st.text(st.characters(exclude_categories=()), max_size=40)


def fill(folder: Path, *names: str) -> Path:
    """Write a strategy under each of *names* in *folder*."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(SOURCE)
    return folder


def left_out(folder: Path) -> dict[str, str]:
    """Return the text of each reason by name, and check that it is a sentence in each language."""
    found = find_entries(folder).left_out
    assert all(reason.sentence(language) for reason in found.values() for language in LANGUAGES)
    return {name: reason.text.removeprefix("league.left.") for name, reason in found.items()}


def test_files_side_by_side_are_taken_whatever_system_wrote_their_names(tmp_path: Path) -> None:
    names = ["DAN.PY", "a b.Py", "ann.py", "league-1.py", "小明.py"]
    assert [*find_entries(fill(tmp_path, *names)).paths] == names
    assert left_out(tmp_path) == {}


@pytest.mark.parametrize(
    "names",
    [
        ("學生一_101_assignsubmission_file_/strategy.py", "學生二_102_assignsubmission_file/x.PY"),
        ("學生一/ps1/strategy.py", "學生二/ps1/strategy.py"),
        ("學生一/.ipynb_checkpoints/strategy-checkpoint.py", "學生一/s.py", "學生二/a/b/s.py"),
        ("學生一/s.py", "學生一/report.pdf", "學生二/_helper.py", "學生二/s.py"),
    ],
)
def test_a_folder_for_each_pupil_is_taken_with_its_name(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    paths = find_entries(fill(tmp_path, *names)).paths
    assert [*paths] == ["學生一", "學生二"]
    assert all(read_source(path) == SOURCE for path in paths.values())


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    fill(tmp_path, *(f"王小明_{number}_assignsubmission_file_/s.py" for number in (1, 2, 3)))
    assert [*find_entries(tmp_path).paths] == ["王小明", "王小明 (2)", "王小明 (3)"]


def test_each_thing_left_out_has_its_reason(tmp_path: Path) -> None:
    fill(tmp_path, "cat.py.txt", "notes.md", "all.zip", "_helper.py", "two/a.py", "two/b.py")
    fill(tmp_path, "no/strategy.py.txt", "no/notes.txt")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.py").mkdir()
    assert left_out(tmp_path) == {
        "_helper.py": "underscore",
        "all.zip": "zip",
        "cat.py.txt": "ending",
        "empty": "empty_folder",
        "empty.py": "empty_folder",
        "no": "no_program",
        "notes.md": "ending",
        "two": "several",
    }
    assert "a.py, b.py" in str(find_entries(tmp_path).left_out["two"])
    assert "strategy.py.txt" in str(find_entries(tmp_path).left_out["no"])


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need rights there")
def test_what_is_no_file_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    (tmp_path / "round.py").symlink_to(tmp_path / "round.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "pupil").mkdir()
    os.mkfifo(tmp_path / "pupil" / "pipe.py")
    fill(tmp_path, "real/s.py")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "up").symlink_to(tmp_path)
    assert left_out(tmp_path) == {
        "gone.py": "link",
        "link": "link",
        "pipe.py": "no_file",
        "pupil": "no_file",
        "round.py": "link",
    }
    assert [*find_entries(tmp_path).paths] == ["real"]


def test_what_systems_and_leagues_put_into_a_folder_needs_no_reason(tmp_path: Path) -> None:
    fill(tmp_path, ".DS_Store", "._ann.py", "__MACOSX/._ann.py", "Thumbs.db", "desktop.ini")
    fill(tmp_path, "__pycache__/ann.pyc", "~$ann.docx", "league-123abc/standing.html", "ann.py")
    assert [*find_entries(tmp_path).paths] == ["ann.py"]
    assert left_out(tmp_path) == {}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "league.empty"),
        (b"\xef\xbb\xbf \r\n", "league.empty"),
        ("# 中文".encode("big5"), "league.unreadable"),
        (b"PK\x03\x04word/", "league.unreadable"),
        (b"#" * 2_000_000, "league.large"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(content: bytes, text: str, tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_bytes(content)
    with pytest.raises(LocalizedError) as raised:
        read_source(find_entries(tmp_path).paths["ann.py"])
    assert raised.value.text == text
    assert all(raised.value.sentence(language) for language in LANGUAGES)


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path) -> None:
    fill(tmp_path, "ann.py", "pupil/s.py")
    (tmp_path / "ann.py").chmod(0)
    (tmp_path / "pupil").chmod(0)
    if os.access(tmp_path / "ann.py", os.R_OK):
        pytest.skip("this user may read everything")
    try:
        assert left_out(tmp_path) == {"pupil": "unreadable"}
        with pytest.raises(LocalizedError, match="cannot be read"):
            read_source(find_entries(tmp_path).paths["ann.py"])
    finally:
        (tmp_path / "pupil").chmod(0o700)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name is any bytes")
@settings(max_examples=some(100))
@given(names=st.sets(EVERYTHING, min_size=1, max_size=4), raw=st.binary(max_size=8))
def test_names_of_files_are_lines_that_can_be_read(
    names: set[str], raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("class")
    files = {name.encode(errors="surrogatepass")[:200] + b".py" for name in names} | {raw + b".py"}
    for file in files:
        name = file.replace(b"/", b"").replace(b"\0", b"").lstrip(b"._")
        if name != b"py":
            (folder / os.fsdecode(name)).write_text(SOURCE)
    paths = find_entries(folder).paths
    assert len(paths) == len(os.listdir(folder))
    for shown in paths:
        assert shown.encode()
        known = re.sub("[\u180e\u200c\u200d\U0001f000-\U0001faff\U00020000-\U0003fffd]", "", shown)
        assert all(letter.isprintable() or category(letter) == "Zs" for letter in known)


def test_the_command_names_what_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path, "學生一_101_assignsubmission_file_/strategy.py", "ann.py", "cat.py.txt")
    (tmp_path / "bob.py").write_text("x = (")
    command = ["league", "wikipedia", str(tmp_path), "--matches", "2", "--no-browser"]
    assert main([*command, "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert "學生一: Mine can take part" in told
    assert "cat.py.txt cannot take part: its name has to end in .py" in told
    assert "bob.py cannot take part: " in told
    page = next(tmp_path.glob("league-*/standing.html")).read_text(encoding="utf-8")
    assert "cat.py.txt cannot take part" in page
    assert "bob.py cannot take part" in page
    assert main([*command, "--language", "en"]) == 0  # the results are in the folder now
    assert "league-" not in capsys.readouterr().out.split("The league is over")[0]
