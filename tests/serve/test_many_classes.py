"""The page on many classes: its commands, and its nginx in front of two rooms."""

import asyncio
import re
import shutil
import socket
import time
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest
from crowd import order
from lanes import LACKS, PATIENCE

from coursekit.cli import command_line
from coursekit.core.strategy import AtRandom
from coursekit.room.client import play
from coursekit.room.page import Page
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.phone_server import phone_application

PAGE = Path(__file__).parents[2] / "docs/teach/many-classes.md"
ADDRESS = "https://play.example.org"
HTTP = """daemon off; pid %(folder)s/pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path %(folder)s/body; proxy_temp_path %(folder)s/proxy; fastcgi_temp_path %(folder)s/fastcgi;
  uwsgi_temp_path %(folder)s/uwsgi; scgi_temp_path %(folder)s/scgi;
  server { listen 127.0.0.1:%(port)s; %(places)s }
}
"""


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def test_the_commands_of_the_page_are_taken():
    told = PAGE.read_text("utf-8").replace("\\\n", "")
    found = re.findall(r"bin/coursekit (class .*)", told)
    assert len(found) == 2
    for words in found:
        for name, value in {"GAME": "wizard", "CONSOLE": "9001", "ROOM": "9101"}.items():
            words = words.replace(f"${{{name}}}", value)
        given = command_line("en").parse_args(words.split())
        assert (given.port, given.room, given.room_port, given.go_on) == (
            9001,
            "127.0.0.1",
            9101,
            True,
        )


@pytest.mark.skipif(not shutil.which("nginx"), reason=f"{LACKS}nginx: install it")
def test_two_classes_play_behind_the_proxy_of_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "coursekit.serve.room.host.time",
        SimpleNamespace(monotonic=lambda: 10 * time.monotonic(), strftime=time.strftime),
    )
    told = PAGE.read_text("utf-8")
    place = re.search(r"```nginx\n(.*?)```", told, re.S)[1]
    inner = re.search(r"--room-port (\d+)", told)[1]
    assert f"--public-url {ADDRESS}/7a" in told
    port, paths = free_port(), ("7a", "8b")

    async def both():
        hosts = [RoomHost(tmp_path / path) for path in paths]
        for host, path in zip(hosts, paths, strict=True):
            host.public = f"http://127.0.0.1:{port}/{path}"
            host.begin(game="wizard", preset="open", language="en")
            host.open_room(phone_application(host), "127.0.0.1", 0)
        places = "".join(
            place.replace("/7a/", f"/{path}/").replace(inner, str(host.port))
            for host, path in zip(hosts, paths, strict=True)
        )
        setting = tmp_path / "nginx.conf"
        setting.write_text(HTTP % {"folder": tmp_path, "port": port, "places": places})
        nginx = await asyncio.create_subprocess_exec("nginx", "-c", str(setting))
        try:
            await until(lambda: listens(port))
            health = await asyncio.to_thread(answer, port, "/8b/health")
            assert health == "ok"
            bots = [
                asyncio.create_task(
                    play(f"http://127.0.0.1:{port}/{path}/{host.room.lesson.code}", AtRandom, "Ada")
                )
                for host, path in zip(hosts, paths, strict=True)
            ]
            await until(lambda: all(len(host.room.lesson.people) == 1 for host in hosts))
            for host in hosts:
                order(host, Page("console", "en"), {"type": "deal"})
            for view in await asyncio.wait_for(asyncio.gather(*bots), PATIENCE):
                assert view["viewer"] is not None
        finally:
            nginx.terminate()
            await nginx.wait()
            for host in hosts:
                host.end()

    asyncio.run(both())


async def until(true) -> None:
    """Wait until that holds."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.02)


def listens(port: int) -> bool:
    """Return whether somebody listens there."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def answer(port: int, path: str) -> str:
    """Return what is answered there."""
    line = HTTPConnection(f"127.0.0.1:{port}", timeout=PATIENCE)
    line.request("GET", path)
    return line.getresponse().read().decode().strip()
