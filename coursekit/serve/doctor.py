"""The command ``coursekit doctor``: is this computer ready for a lesson? It reads, and changes
nothing.
"""

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
from coursekit.serve.room.join_address import addresses
from coursekit.table.storage.store import data_directory
from coursekit.words import texts

PAGE = 110  # MB that an open page takes, and the server, and a room of 40 (benchmarks/README.md)
DISK = 200  # MB: matches and answers of a term stay far below
LESSON = 100  # minutes of two lessons in a row
PATIENCE = 5.0  # seconds for a program of the system to answer
NAMED = ("voila", "ipywidgets", "anywidget", "tornado")
"""Packages whose versions are told: most of what goes wrong comes from these."""
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
        parts = self.values.items()
        values = {
            name: each.sentence(language) if isinstance(each, LocalizedError) else each
            for name, each in parts
        }
        return texts.text(self.text, language, **values)


def examine_computer(
    ports: tuple[int, int], pages: int, held: Collection[int] = ()
) -> list[Finding]:
    """Return what a teacher should know of this computer before a lesson.

    :param ports: of the pages, and of the room for phones.
    :param pages: how many pages shall be open at a time.
    :param held: ports that the program which asks has opened itself, for a browser that is there.
    """
    return [
        _browser(bool(held)),
        _ports(ports, held),
        _fonts(),
        _writing(),
        _versions(),
        _network(ports[1]),
        _sleep(),
        _disk(),
        _memory(PAGE * (pages + 1)),
    ]


def _found(good: bool, check: str, state: str = "wrong", **values: Any) -> Finding:
    return Finding("good" if good else state, f"doctor.{check}.{'good' if good else 'bad'}", values)


def _browser(open_already: bool) -> Finding:
    with suppress(webbrowser.Error):
        if open_already or webbrowser.get():
            return _found(True, "browser")
    there = next(filter(None, map(shutil.which, BROWSERS)), None)
    if there and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):  # webbrowser asks for these
        return Finding("note", "doctor.browser.no_screen", {"name": Path(there).name})
    return _found(False, "browser")


def _ports(ports: tuple[int, int], held: Collection[int]) -> Finding:
    # Windows sees only a program that has the very same address.
    for port, address in product({*ports} - {*held}, ("127.0.0.1", addresses()[0], "")):
        with socket.socket() as probe:
            if (
                os.name == "posix"
            ):  # as servers do; elsewhere this would take the port from another program
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError as problem:
                if problem.errno == errno.EADDRNOTAVAIL:  # the network has just gone
                    continue
                return _found(False, "ports", port=port)
    return _found(True, "ports", port=ports[0], room=ports[1])


def _fonts() -> Finding:
    if sys.platform == "win32":
        folder = Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")
        return _found(any(True for name in FONTS for _ in folder.glob(name)), "fonts")
    return _found(
        sys.platform == "darwin" or bool(_told("fc-list", ":lang=zh-tw", "file")), "fonts"
    )


def _writing() -> Finding:
    data, named = data_directory(), os.environ.get("COURSEKIT_JOURNAL")
    for goal in (data, *([JournalFile(named).path.parent] if named else [])):
        there = next(each for each in (goal, *goal.parents) if each.exists())
        try:
            tempfile.TemporaryFile(dir=there).close()
            for each in there.glob("*.sqlite3") if there == data else ():
                if not os.access(each, os.W_OK):
                    raise PermissionError(errno.EACCES, "read-only")
        except OSError as problem:
            return _found(False, "writing", path=goal, why=disk_error_reason(problem, goal))
    return _found(True, "writing", path=data)


def _versions() -> Finding:
    from packaging.requirements import Requirement  # here, for no other command needs it

    with suppress(metadata.PackageNotFoundError):  # run from its folder, without being installed
        for each in map(Requirement, metadata.requires("coursekit-games") or ()):
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                try:
                    version = metadata.version(each.name)
                except metadata.PackageNotFoundError:
                    version = "–"
                if version not in each.specifier:
                    return _found(
                        False, "versions", name=each.name, got=version, wanted=str(each.specifier)
                    )
    have = [
        f"Python {platform.python_version()}",
        *(f"{each} {metadata.version(each)}" for each in NAMED),
    ]
    return _found(True, "versions", versions=", ".join(have))


def _network(port: int) -> Finding:
    *reached, _loopback = addresses()
    return _found(
        bool(reached), "network", "note", url=f"http://{reached[0]}:{port}" if reached else ""
    )


def _sleep() -> Finding:
    told = "\n".join(_told(*command) for command in SLEEP.get(sys.platform, ()))
    minutes = minutes_until_sleep(sys.platform, told)
    if minutes is None:
        return Finding("note", "doctor.sleep.unknown", {})
    return _found(not 0 < minutes < LESSON, "sleep", "note", minutes=minutes)


def minutes_until_sleep(system: str, told: str) -> int | None:
    """Return after how many minutes without a touch the computer sleeps while it is plugged in.

    0 means never, ``None`` that the words do not say it.

    :param system: as ``sys.platform`` names it.
    :param told: what the programs in :data:`SLEEP` have printed.

    >>> minutes_until_sleep("darwin", " displaysleep 10\\n sleep  15 (sleep prevented by coreaudiod)")
    15
    """
    if (
        system == "win32"
    ):  # the last two numbers, in whatever language: seconds when plugged in, and on battery
        numbers = re.findall(r"0x([0-9a-f]{8})\b", told, re.I)
        return int(numbers[-2], 16) // 60 if len(numbers) > 1 else None
    if system == "darwin":
        found = re.search(r"^\s*sleep\s+(\d+)", told, re.M)
        return int(found[1]) if found else None
    after = []
    if found := re.search(r"sleep-inactive-ac-timeout (\d+)", told):
        after.append(0 if "sleep-inactive-ac-type 'nothing'" in told else int(found[1]) // 60)
    if found := re.search(r'^s "([\w-]+)"\nt (\d+)', told, re.M):  # µs
        after.append(0 if found[1] in ("ignore", "lock") else int(found[2]) // 60_000_000)
    return min(filter(None, after), default=0) if after else None


def _disk() -> Finding:
    there = next(each for each in (data_directory(), *data_directory().parents) if each.exists())
    free = shutil.disk_usage(there).free // 1_000_000
    return _found(free >= DISK, "disk", free=f"{free:,}", need=DISK)


def _memory(need: int) -> Finding:
    import psutil  # here, for it takes as long as all the rest

    free = psutil.virtual_memory().available // 1_000_000
    return _found(free >= need, "memory", free=f"{free:,}", need=f"{need:,}")


def _told(*command: str) -> str:
    """Return what a program of the system prints, "" if it is not there or has nothing to say."""
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE
        ).stdout
    return ""
