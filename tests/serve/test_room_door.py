"""The room's door on the network: what it gives out, whom it refuses, and that the seated notice
nothing of it.
"""

import asyncio
import gzip
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from crowd import order
from lanes import PATIENCE
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from coursekit.kit import GAMES
from coursekit.room.limits import CONNECTIONS, LARGEST, RATE
from coursekit.room.page import Page
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.phone_server import phone_application
from coursekit.words.texts import LANGUAGES

ELSEWHERE = "/api/kernels /voila/render/zh/wizard.ipynb /coursekit/class/en/console /lab /static/x /files/".split()
"""Addresses of other doors."""
FORGED = ("evil.example", "127.0.0.1", "localhost:1", "127.0.0.1:1")


def in_a_room(folder: Path, test: Callable[["Open"], Awaitable[None]]) -> None:
    """Run *test* with an open room."""

    async def run() -> None:
        host = RoomHost(folder, lambda game, language: "<p>rules</p>" if game == "wizard" else "")
        host.begin(game="wizard", language="en")
        host.open_room(phone_application(host), "127.0.0.1", 0)
        try:
            await test(Open(host))
        finally:
            host.end()

    asyncio.run(run())


class Open:
    """An open room, and ways to it."""

    def __init__(self, host: RoomHost) -> None:
        self.host = host
        self.name = f"127.0.0.1:{host.port}"
        assert host.room is not None
        self.room = host.room
        self.code = self.room.lesson.code

    async def get(self, path: str, **headers: str) -> tuple[int, bytes, Any]:
        """Return status, body and headers of an answer."""
        request = HTTPRequest(
            f"http://{self.name}{path}",
            headers=headers,
            decompress_response=False,
            request_timeout=PATIENCE,
        )
        answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        return answer.code, answer.body, answer.headers

    async def socket(self, **how: Any) -> ClientConnection:
        """Open a connection as a phone does."""
        how.setdefault("origin", f"http://{self.name}")
        return await connect(f"ws://{self.name}/socket", max_size=None, **how)

    async def pupil(self, name: str) -> ClientConnection:
        """Return the connection of somebody who has joined."""
        socket = await self.socket()
        await say(socket, type="hello", code=self.code, language="en")
        await until(socket, "propose")
        await say(socket, type="join", name=name)
        await until(socket, "welcome")
        return socket


async def say(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


async def until(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of *kinds*."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 30))
        if message["type"] in kinds:
            return message


async def ends(socket: ClientConnection) -> None:
    """Wait until the room has ended the connection."""
    with suppress(ConnectionClosed):
        while True:
            await asyncio.wait_for(socket.recv(), 30)


def test_nothing_but_the_room_answers(tmp_path):
    async def test(room):
        for path in ("/", f"/{room.code}", "/parts/phone.js", "/rules/wizard/en", "/health"):
            status, _, headers = await room.get(path)
            assert status == 200
            policy = headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe-eval" not in policy
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Server"] == "coursekit"
        status, _, headers = await room.get("/socket")  # without an upgrade
        assert status == 400
        assert (headers["Server"], headers["X-Content-Type-Options"]) == ("coursekit", "nosniff")
        for path in (
            *ELSEWHERE,
            "/parts/host.py",
            "/parts/../host.py",
            "/parts/%2e%2e/host.py",
            "/ABCDE",
            "/rules/anything/en",
            "/waiting/anything/en",
            "/waiting/wizard/xx",
        ):
            status, body, _ = await room.get(path)
            assert (status, body) == (404, b"404"), path

    in_a_room(tmp_path, test)


def test_a_first_visit_is_light_and_a_second_costs_nothing(tmp_path):
    async def test(room):
        _, page, _ = await room.get(f"/{room.code}")
        size = len(page)
        for name in (
            "coursekit.css",
            "table.css",
            "phone.css",
            "phone.js",
            "dom.js",
            "model.js",
            "map-place.js",
            "redraw.js",
            "waiting.js",
            "wire.js",
            "table-blockade.js",
            "art-blockade.svg",
        ):
            status, body, headers = await room.get(f"/parts/{name}", **{"Accept-Encoding": "gzip"})
            assert (status, headers["Content-Encoding"]) == (200, "gzip")
            size += len(body)
            assert (await room.get(f"/parts/{name}", **{"If-None-Match": headers["ETag"]}))[
                0
            ] == 304
        assert size < 300_000

    in_a_room(tmp_path, test)


def test_phones_have_the_rules_in_pictures_and_guesses_before_the_deal(tmp_path):
    async def test(room):
        one, other = await asyncio.gather(
            *(room.get("/waiting/wizard/en", **{"Accept-Encoding": "gzip"}) for _ in range(2))
        )
        assert one[:2] == other[:2]
        status, body, headers = one
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        assert len(body) < 10_000
        cards = json.loads(gzip.decompress(body))["cards"]
        assert sum("view" in card for card in cards) == 4
        questions = [card for card in cards if "ask" in card]
        assert questions
        for card in questions:
            assert card["choices"][card["right"]]
            assert "view" in cards[cards.index(card) + 1], "what explains it comes next"

    in_a_room(tmp_path, test)


def test_what_draws_maps_is_named_by_its_digest_and_no_part_of_a_first_visit(tmp_path):
    async def test(room):
        _, page, _ = await room.get(f"/{room.code}")
        tags = json.loads(re.search(rb'id="told">(.*?)</script>', page, re.DOTALL)[1])["tags"]
        shown = re.findall(rb'(?:src|href)="parts/([^"?]+)', page)
        settings = [f"map-{game}-{language}.json" for game in GAMES for language in LANGUAGES]
        for name in ("map.js", "map.css", "cytoscape.js", *settings):
            address = f"/parts/{name}?v={tags[name]}"
            status, body, headers = await room.get(address, **{"Accept-Encoding": "gzip"})
            assert (status, headers["ETag"]) == (200, f'"{tags[name]}"')
            assert "immutable" in headers["Cache-Control"]
            assert len(body) < 220_000
            assert name.encode() not in shown
        for name in settings:
            _, body, _ = await room.get(f"/parts/{name}")
            setting = json.loads(body)
            assert name == f"map-{setting['game']}-{setting['language']}.json"
            assert not setting["starter"]  # a phone has nobody who would make a ready map
        assert (await room.get("/parts/map-chess-en.json"))[0] == 404

    in_a_room(tmp_path, test)


@pytest.mark.parametrize("name", FORGED)
def test_a_foreign_name_is_refused(tmp_path, name):
    async def test(room):
        assert (await room.get("/", Host=name))[0] == 421
        with pytest.raises(InvalidStatus):
            await room.socket(origin=f"http://{name}")

    in_a_room(tmp_path, test)


def test_too_much_at_once_ends_a_connection_and_no_other(tmp_path):
    async def test(room):
        seated = await room.pupil("Ada")
        large, fast, mad = [await room.pupil(name) for name in ("Bo", "Cy", "Di")]
        await large.send("x" * (LARGEST + 1))
        for _ in range(3 * RATE):
            await say(fast, type="ping")
        await mad.send("x" * 1_000_000)
        for each in (large, fast, mad):
            await ends(each)
        await say(seated, type="ping")
        await until(seated, "pong")

    in_a_room(tmp_path, test)


def test_silent_connections_keep_nobody_out(tmp_path):
    async def test(room):
        seated = await room.pupil("Ada")
        silent = [await room.socket() for _ in range(CONNECTIONS)]
        late = await room.pupil("Bo")
        for each in (seated, late):
            await say(each, type="ping")
            await until(each, "pong")
        assert sum(each.page.role == "phone" for each in room.host.connections) <= CONNECTIONS
        for each in silent:
            each.transport.abort()

    in_a_room(tmp_path, test)


@pytest.mark.slow
def test_two_thousand_who_join_at_once_do_not_disturb_the_seated(tmp_path):
    async def test(room):
        seated = [await room.pupil(name) for name in ("Ada", "Bo", "Cy")]
        console = Page("console", "en")
        room.host.connect(console, lambda words: None, lambda: None)
        order(room.host, console, {"type": "deal"})
        for each in seated:
            await until(each, "view")
        refused = 0
        for number in range(0, 2000, 50):
            crowd = [await room.socket() for _ in range(50)]
            for at, each in enumerate(crowd):
                await say(each, type="hello", code=room.code, language="en")
                await say(each, type="join", name=f"Crowd {number + at}")
            for each in crowd:
                refused += (await until(each, "welcome", "refused"))["type"] == "refused"
                each.transport.abort()
        assert refused == 2000 - 197  # a room takes 200
        for each in seated:
            await say(each, type="ping")
            await until(each, "pong")

    in_a_room(tmp_path, test)


def test_wrong_codes_end_a_connection(tmp_path):
    async def test(room):
        socket = await room.socket()
        wrong = "AAAA" if room.code != "AAAA" else "BBBB"
        for _ in range(4):
            await say(socket, type="hello", code=wrong, language="en")
            assert (await until(socket, "refused"))["text"].startswith("There is no room")
        await say(socket, type="hello", code=wrong)
        await until(socket, "closed")
        await ends(socket)

    in_a_room(tmp_path, test)
