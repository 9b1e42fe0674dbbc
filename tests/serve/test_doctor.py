"""``coursekit doctor``: what is wrong is told with what to do, and scripts learn it from the exit
code.
"""

import shutil
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from disks import ordinary_user

from coursekit import cli
from coursekit.serve import doctor, page_trial
from coursekit.serve.doctor import examine_computer, minutes_until_sleep
from coursekit.words.texts import LANGUAGES, text

CHECKS = ("browser", "ports", "fonts", "writing", "versions", "network", "sleep", "disk", "memory")
SYSTEM = {
    "fc-list": "/usr/share/fonts/NotoSansCJK-Regular.ttc:\n",
    "gsettings": "plugins.power sleep-inactive-ac-timeout 0\nplugins.power sleep-inactive-ac-type 'suspend'\n",
    "busctl": 's "ignore"\nt 1800000000\n',
}
"""What the programs of a computer print that is ready."""


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A computer on which everything is as it should be, to be spoilt."""
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("COURSEKIT_JOURNAL", raising=False)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(name="firefox"))
    answers(monkeypatch)
    monkeypatch.setattr(doctor, "find_addresses", lambda: ["192.168.7.5", "127.0.0.1"])
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=50_000_000_000))
    memory(monkeypatch, 8_000)
    good = doctor.Finding("good", "doctor.page.good", {})
    monkeypatch.setattr(page_trial, "try_page", lambda: good)
    return monkeypatch


def answers(patch: pytest.MonkeyPatch, **programs: str) -> None:
    """Let the system's programs print something else."""
    printed = SYSTEM | {name.replace("_", "-"): words for name, words in programs.items()}
    run = lambda command, **how: SimpleNamespace(stdout=printed[command[0]])  # noqa: E731
    patch.setattr(doctor.subprocess, "run", run)


def memory(patch: pytest.MonkeyPatch, free: int) -> None:
    """Let so many MB be free."""
    patch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=free * 1_000_000))


@contextmanager
def two_ports() -> Iterator[tuple[int, int]]:
    """Two ports: a program listens on the first; the second is kept for this test, and can be had."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        yield one.getsockname()[1], other.getsockname()[1]


def bad(pages: int = 12, own: tuple[int, ...] = ()) -> dict[str, tuple[str, str]]:
    """Return what is not good: state and English sentence by text."""
    with two_ports() as (taken, room):
        found = examine_computer((taken, room), pages, own or (taken,))
    return {
        each.text[len("doctor.") :]: (each.state, each.sentence("en"))
        for each in found
        if each.state != "good"
    }


def test_a_computer_that_is_ready_has_nothing_to_mend(ready: pytest.MonkeyPatch) -> None:
    assert bad() == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_answers_in_each_language_and_by_its_exit_code(
    language: str, ready: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with two_ports() as (taken, room):
        for number in (room, taken):
            code = cli.main(
                ["doctor", "--language", language, "--port", str(room), "--room-port", str(number)]
            )
            lines = capsys.readouterr().out.splitlines()
            assert code == (number == taken)
            # A page is opened if nothing else is wrong.
            assert len(lines) == len(CHECKS) + 1 + (number != taken)
            assert (str(taken) in lines[1]) == (number == taken)
    assert cli.main(["doctor", "--language", "fr"]) == cli.main(["doctor", "--port", "x"]) == 2


def test_a_port_that_another_program_uses_is_named(ready: pytest.MonkeyPatch) -> None:
    state, said = bad(own=(1,))["ports.bad"]
    assert state == "wrong"
    assert "--port" in said


def test_no_browser_no_font_no_room_on_disk_are_wrong(ready: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise webbrowser.Error

    ready.setattr(webbrowser, "get", none)
    ready.setattr(shutil, "which", lambda name: None)
    answers(ready, fc_list="")
    ready.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=90_000_000))
    with two_ports() as (_, room):
        wrong = [each for each in examine_computer((room, room), 1) if each.state == "wrong"]
    assert [each.text for each in wrong] == [
        "doctor.browser.bad",
        "doctor.fonts.bad",
        "doctor.disk.bad",
    ]
    assert "90 MB" in wrong[2].sentence("en")


def test_a_browser_without_a_screen_is_named(ready: pytest.MonkeyPatch) -> None:
    """Python finds a browser only where there is a screen."""

    def none() -> None:
        raise webbrowser.Error

    ready.setattr(webbrowser, "get", none)
    ready.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "chromium" else None)
    ready.delenv("DISPLAY", raising=False)
    ready.delenv("WAYLAND_DISPLAY", raising=False)
    with two_ports() as (_, room):
        found = examine_computer((room, room), 1)[0]
        assert found.state == "note"
        assert "chromium" in found.sentence("en")
        ready.setenv("DISPLAY", ":0")
        assert examine_computer((room, room), 1)[0].text == "doctor.browser.bad"


def test_the_doctor_speaks_the_language_of_the_system_or_else_chinese(
    ready: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"en_GB.UTF-8": "en", "zh_CN.UTF-8": "zh-Hans", "C.UTF-8": "zh-Hant", "": "zh-Hant"}
    for setting, language in said.items():
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            ready.setenv(name, setting)
        cli.main(["doctor"])
        assert text("doctor.browser.good", language) in capsys.readouterr().out


def test_a_page_takes_110_mb_and_so_does_the_server(ready: pytest.MonkeyPatch) -> None:
    memory(ready, 1_430)
    assert bad(pages=12) == {}
    state, said = bad(pages=13)["memory.bad"]
    assert state == "wrong"
    assert "1,430 MB" in said
    assert "1,540 MB" in said


@pytest.mark.parametrize(
    ("variable", "below"), [("COURSEKIT_DATA", ""), ("COURSEKIT_JOURNAL", "journal.json")]
)
def test_a_folder_that_cannot_be_written_is_named(
    variable: str, below: str, ready: pytest.MonkeyPatch, shared: Path
) -> None:
    ready.setenv("COURSEKIT_DATA", tempfile.gettempdir())
    ready.setenv(variable, str(shared / "locked" / below))
    assert bad() == {}
    assert list(shared.iterdir()) == []  # looking leaves nothing
    with ordinary_user(shared):
        state, said = bad()["writing.bad"]
    assert state == "wrong"
    assert str(shared / "locked") in said


def test_a_package_that_does_not_fit_is_named_with_what_is_needed(
    ready: pytest.MonkeyPatch,
) -> None:
    version = metadata.version
    ready.setattr(
        metadata, "version", lambda name: "8.1.9" if name == "ipywidgets" else version(name)
    )
    ready.setattr(
        metadata, "requires", lambda name: ["ipywidgets>=8.1,<8.1.9", 'absent>=1; extra == "lab"']
    )
    state, said = bad()["versions.bad"]
    assert state == "wrong"
    assert "ipywidgets 8.1.9" in said
    assert "<8.1.9" in said


def test_a_computer_in_no_network_can_give_a_lesson_all_the_same(ready: pytest.MonkeyPatch) -> None:
    ready.setattr(doctor, "find_addresses", lambda: ["127.0.0.1"])
    assert bad()["network.bad"][0] == "note"


def test_a_computer_that_sleeps_soon_is_told_and_so_is_one_that_does_not_say(
    ready: pytest.MonkeyPatch,
) -> None:
    answers(ready, gsettings=SYSTEM["gsettings"].replace("timeout 0", "timeout 900"))
    state, said = bad()["sleep.bad"]
    assert state == "note"
    assert "15 minutes" in said
    answers(ready, gsettings="", busctl="")
    assert bad()["sleep.unknown"][0] == "note"


WINDOWS = """GUID: {0}
    最小可能的設定: 0x00000000
    最大可能的設定: 0xffffffff
    可能的設定增量: 0x00000001
  目前的 AC 電源設定索引: 0x{1:08x}
  目前的 DC 電源設定索引: 0x000000b4
"""
GNOME = "x sleep-inactive-ac-timeout {}\nx sleep-inactive-ac-type '{}'\nx sleep-inactive-battery-timeout 60\n"


@pytest.mark.parametrize(
    ("system", "told", "minutes"),
    [
        ("linux", GNOME.format(1200, "suspend"), 20),
        ("linux", GNOME.format(1200, "nothing"), 0),
        ("linux", GNOME.format(1200, "suspend") + 's "suspend"\nt 600000000\n', 10),
        ("linux", GNOME.format(0, "suspend") + 's "ignore"\nt 1800000000\n', 0),
        ("linux", "No such schema\n", None),
        (
            "darwin",
            "Currently in use:\n displaysleep         2\n sleep                0\n disksleep 10\n",
            0,
        ),
        (
            "darwin",
            " disksleep            10\n sleep                1 (sleep prevented by caffeinate)\n",
            1,
        ),
        ("darwin", "", None),
        ("win32", WINDOWS.format("238c9fa8-0aad-41ed-83f4-97be242c8f20", 1800), 30),
        ("win32", WINDOWS.format("238c9fa8-0aad-41ed-83f4-97be242c8f20", 0), 0),
        ("win32", "", None),
        ("plan9", "", None),
    ],
)
def test_when_a_computer_sleeps_is_read_off_what_its_system_prints(
    system: str, told: str, minutes: int | None
) -> None:
    assert minutes_until_sleep(system, told) == minutes
