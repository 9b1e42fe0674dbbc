"""The command ``coursekit doctor``: is this computer ready for a lesson? It changes nothing."""

import errno
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Collection
from contextlib import suppress
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import disk_error_reason
from coursekit.journal.journal_file import JournalFile
from coursekit.serve import hub
from coursekit.serve.room.join_address import find_addresses
from coursekit.table.storage.store import data_directory
from coursekit.words import texts

PAGE = 110  # MB that an open page takes, and the server, and a room of 40 (benchmarks/README.md)
DISK = 200  # MB: matches and answers of a term stay far below
LESSON = 100  # minutes of two lessons in a row
PATIENCE = 5.0  # seconds for a program of the system to answer
USED = ("serve", "figures")
"""Extras of the kit that its pages need."""
NAMED = ("voila", "ipywidgets", "anywidget", "tornado")
"""Packages whose versions it names: most of what goes wrong comes from these."""
BROWSERS = (
    "firefox",
    "firefox-esr",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
)
"""Programs on Linux; other systems have a browser of their own."""
FONTS = ("msjh*", "mingliu*", "msyh*", "simsun*")
"""Files of Windows' Chinese fonts."""
SLEEP: dict[str, tuple[tuple[str, ...], ...]] = {
    "linux": (
        ("gsettings", "list-recursively", "org.gnome.settings-daemon.plugins.power"),
        (
            "busctl",
            "get-property",
            "org.freedesktop.login1",
            "/org/freedesktop/login1",
            "org.freedesktop.login1.Manager",
            "IdleAction",
            "IdleActionUSec",
        ),
    ),
    "darwin": (("pmset", "-g"),),
    "win32": (("powercfg", "/query", "SCHEME_CURRENT", "SUB_SLEEP", "STANDBYIDLE"),),
}
"""System -> the programs that tell when it sleeps."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    state: str
    """``good``; ``note``, a lesson can begin all the same; or ``wrong``."""
    text: str
    """Id of the sentence: what was found and, unless that is good, what to do."""
    values: dict[str, Any]

    def sentence(self, language: str) -> str:
        """Return the sentence in *language*."""
        values = dict(self.values)
        for name, value in values.items():
            if isinstance(value, LocalizedError):
                values[name] = value.sentence(language)
        return texts.text(self.text, language, **values)


def examine_computer(
    ports: tuple[int, int], pages: int, own: Collection[int] = ()
) -> list[Finding]:
    """Return what a teacher should know of this computer before a lesson.

    :param ports: of the pages, and of the room for phones.
    :param pages: how many pages shall be open at a time.
    :param own: ports that the program which asks has opened itself, for a browser that is there.
    """
    if hub.on_hub():  # browser, fonts and network are those of other computers
        return [_hub(), _writing(), _versions(), _disk(), _memory(PAGE * (pages + 1))]
    return [
        _browser(bool(own)),
        _ports(ports, own),
        _fonts(),
        _writing(),
        _versions(),
        _network(ports[1]),
        _sleep(),
        _disk(),
        _memory(PAGE * (pages + 1)),
    ]


def _judge(good: bool, check: str, state: str = "wrong", **values: Any) -> Finding:
    if good:
        return Finding("good", f"doctor.{check}.good", values)
    return Finding(state, f"doctor.{check}.bad", values)


def _hub() -> Finding:
    if hub.is_missing():
        return Finding("wrong", "cli.hub.missing", {"python": sys.executable})
    return _judge(True, "hub", url=hub.hub_address())


def _browser(open_already: bool) -> Finding:
    with suppress(webbrowser.Error):
        if open_already or webbrowser.get():
            return _judge(True, "browser")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    has_screen = {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()  # webbrowser asks for these
    if program and not has_screen:
        return Finding("note", "doctor.browser.no_screen", {"name": Path(program).name})
    return _judge(False, "browser")


def _ports(ports: tuple[int, int], own: Collection[int]) -> Finding:
    # Windows sees only a program that has the very same address.
    for port, address in product({*ports} - {*own}, ("127.0.0.1", find_addresses()[0], "")):
        with socket.socket() as probe:
            # As servers do; elsewhere this would take the port from another program.
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError as problem:
                if problem.errno != errno.EADDRNOTAVAIL:  # else the network has just gone
                    return _judge(False, "ports", port=port)
    return _judge(True, "ports", port=ports[0], room=ports[1])


def _fonts() -> Finding:
    if sys.platform == "win32":
        folder = Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")
        return _judge(any([*folder.glob(name)] for name in FONTS), "fonts")
    chinese = sys.platform == "darwin" or _run("fc-list", ":lang=zh-tw", "file")
    return _judge(bool(chinese), "fonts")


def _writing() -> Finding:
    data = data_directory()
    folders = [data]
    journal = os.environ.get("COURSEKIT_JOURNAL")
    if journal:
        folders.append(JournalFile(journal).path.parent)
    for folder in folders:
        try:
            tempfile.TemporaryFile(dir=_existing(folder)).close()
            for store in data.glob("*.sqlite3"):
                if not os.access(store, os.W_OK):
                    raise PermissionError(errno.EACCES, "read-only")
        except OSError as problem:
            return _judge(False, "writing", path=folder, why=disk_error_reason(problem, folder))
    return _judge(True, "writing", path=data)


def _existing(folder: Path) -> Path:
    """Return *folder*, or the folder above it in which it would be made."""
    return next(place for place in (folder, *folder.parents) if place.exists())


def _versions() -> Finding:
    from packaging.requirements import Requirement  # here, for no other command needs it

    with suppress(metadata.PackageNotFoundError):  # run from its folder, without being installed
        for needed in map(Requirement, metadata.requires("coursekit-games") or ()):
            if needed.marker and not any(
                needed.marker.evaluate({"extra": extra}) for extra in USED
            ):
                continue
            try:
                version = metadata.version(needed.name)
            except metadata.PackageNotFoundError:
                version = "–"
            if version not in needed.specifier:
                wanted = str(needed.specifier)
                return _judge(False, "versions", name=needed.name, got=version, wanted=wanted)
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{package} {metadata.version(package)}" for package in NAMED]
    return _judge(True, "versions", versions=", ".join(versions))


def _network(port: int) -> Finding:
    *reachable, _loopback = find_addresses()
    url = f"http://{reachable[0]}:{port}" if reachable else ""
    return _judge(bool(reachable), "network", "note", url=url)


def _sleep() -> Finding:
    output = "\n".join(_run(*command) for command in SLEEP.get(sys.platform, ()))
    minutes = minutes_until_sleep(sys.platform, output)
    if minutes is None:
        return Finding("note", "doctor.sleep.unknown", {})
    return _judge(not 0 < minutes < LESSON, "sleep", "note", minutes=minutes)


def minutes_until_sleep(system: str, output: str) -> int | None:
    """Return after how many minutes without a touch the computer sleeps while it is plugged in.

    0 means never, ``None`` that the words do not say it.

    :param system: as ``sys.platform`` names it.
    :param output: of the programs in :data:`SLEEP`.

    >>> minutes_until_sleep("darwin", " displaysleep 10\\n sleep  15 (prevented by coreaudiod)")
    15
    """
    if system == "win32":
        # The last two numbers, in any language: seconds when plugged in, and on battery
        numbers = re.findall(r"0x([0-9a-f]{8})\b", output, re.I)
        return int(numbers[-2], 16) // 60 if len(numbers) > 1 else None
    if system == "darwin":
        setting = re.search(r"^\s*sleep\s+(\d+)", output, re.M)
        return int(setting[1]) if setting else None
    minutes = []
    desktop = re.search(r"sleep-inactive-ac-timeout (\d+)", output)
    if desktop:
        never = "sleep-inactive-ac-type 'nothing'" in output
        minutes.append(0 if never else int(desktop[1]) // 60)
    login = re.search(r'^s "([\w-]+)"\nt (\d+)', output, re.M)  # µs
    if login:
        never = login[1] in ("ignore", "lock")
        minutes.append(0 if never else int(login[2]) // 60_000_000)
    return min(filter(None, minutes), default=0) if minutes else None


def _disk() -> Finding:
    free = shutil.disk_usage(_existing(data_directory())).free // 1_000_000
    return _judge(free >= DISK, "disk", free=f"{free:,}", need=DISK)


def _memory(need: int) -> Finding:
    import psutil  # here, for it takes as long as all the rest

    free = psutil.virtual_memory().available // 1_000_000
    return _judge(free >= need, "memory", free=f"{free:,}", need=f"{need:,}")


def _run(*command: str) -> str:
    """Return what a program of the system prints, "" if it is not there or has nothing to say."""
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE
        ).stdout
    return ""
