"""A seat at a live table from Python: strategies and a person at a terminal play a whole match over
the network.
"""

import asyncio
import json
import time
from types import SimpleNamespace

import pytest
from crowd import order
from lanes import PATIENCE

from coursekit.core.strategy import AtRandom
from coursekit.kit import GAMES
from coursekit.room import client
from coursekit.room.client import ClosedError, play, read_aloud
from coursekit.room.page import Page
from coursekit.serve.room.host import RoomHost
from coursekit.serve.room.phone_server import phone_application

SHORT = {"wizard": "open", "wikipedia": "open", "blockade": "one_era", "knitwit": "short"}


class Console:
    """The teacher, without a page."""

    def __init__(self, host):
        self.page, self.room = Page("console", "en"), {}
        self.host = host
        host.connect(self.page, self.hear, lambda: None)

    def hear(self, words):
        message = json.loads(words)
        if message.get("type") == "room":
            self.room = message

    async def until(self, true):
        async with asyncio.timeout(PATIENCE):
            while not (self.room and true(self.room)):
                await asyncio.sleep(0.01)


def with_a_room(folder, game, test):
    async def run():
        host = RoomHost(folder)
        host.begin(game=game, preset=SHORT[game], language="en")
        host.open_room(phone_application(host), "127.0.0.1", 0)
        try:
            await test(host, Console(host))
        finally:
            host.end()

    asyncio.run(run())


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """The room's time goes by ten times as fast, so that nobody waits for countdowns."""
    clock = SimpleNamespace(monotonic=lambda: 10 * time.monotonic(), strftime=time.strftime)
    monkeypatch.setattr("coursekit.serve.room.host.time", clock)
    monkeypatch.setattr(client, "MOMENT", client.MOMENT / 10)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("game", SHORT)
def test_strategies_play_a_whole_match_from_elsewhere(tmp_path, game):
    async def test(host, console):
        kind = GAMES[game].players("en")[0]
        people = min(each for each in GAMES[game].rules.player_counts if each >= 2)
        bots = [
            asyncio.create_task(play(f"{host.url}/{host.room.lesson.code}", kind, f"Bot {n}"))
            for n in range(people)
        ]
        await console.until(lambda room: len(room["people"]) == people)
        order(host, console.page, {"type": "deal"})
        await console.until(
            lambda room: room["tables"] and all(each["over"] for each in room["tables"])
        )
        for view in await asyncio.wait_for(asyncio.gather(*bots), PATIENCE):
            assert view["viewer"] is not None
            assert view["seed"] is None
        assert host.room.trouble is None

    with_a_room(tmp_path, game, test)


def test_a_name_that_is_taken_is_said(tmp_path):
    async def test(host, console):
        address = f"{host.url}/{host.room.lesson.code}"
        first = asyncio.create_task(play(address, AtRandom, "Ada"))
        await console.until(lambda room: room["people"])
        with pytest.raises(ValueError, match="Somebody is called"):
            await play(address, AtRandom, "ada")
        order(host, console.page, {"type": "remove", "person": 1})
        with pytest.raises(ClosedError, match="taken you out"):
            await first

    with_a_room(tmp_path, "wizard", test)


def test_a_person_plays_at_a_terminal(tmp_path, capsys):
    async def test(host, console):
        address = f"{host.url}/{host.room.lesson.code}"
        reader = asyncio.create_task(read_aloud(address, "Ada", lambda prompt: "1"))
        await console.until(lambda room: room["people"])
        order(host, console.page, {"type": "deal"})
        await asyncio.wait_for(reader, PATIENCE)
        assert host.room.lesson.all_over

    with_a_room(tmp_path, "wizard", test)
    told = capsys.readouterr().out
    assert "\n1. " in told
    assert "Ada" in told
