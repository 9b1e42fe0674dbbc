"""A class of forty over the wire: nobody sees another's hand, no table stands still, nothing is
lost.

``python -m benchmarks room_views room_storms …`` does the same for longer, with drawn options, and
measures times.
"""

import asyncio
import json
import sys
import time
from random import Random

import pytest
from crowd import Class, Judge, served, until
from websockets.asyncio.client import connect

PUPILS = 40
GAMES = ("wizard", "wikipedia", "blockade", "knitwit")
UNWRITABLE = (
    "from coursekit.core.strategy import Strategy\n"
    "class Odd(Strategy):\n    def decide(self, seen):\n        raise ValueError('\\ud800')\n"
)


async def dealt(server, pupils, pace):
    """Start *server* and deal to a class; return the class and the console."""
    await server.start()
    group, console = Class(server, pupils, pace=pace), await server.console()
    await group.come(group.pupils)
    await console.deal()
    return group, console


def test_forty_pupils_are_sent_their_own_tables_and_nothing_that_is_hidden():
    """One game by turns; three more pages watch, and half of the class loses its connection on the
    way.
    """
    turn = int(time.time() // 3600)
    game, rng = GAMES[turn % len(GAMES)], Random(turn)

    async def run():
        async with served(game) as server:
            await server.start()
            group, console = Class(server, PUPILS, watchers=3), await server.console()
            await group.come(group.pupils)
            await console.deal()
            await group.come(group.watchers)
            await group.play(200)
            for page in rng.sample(group.pages, PUPILS // 2):
                page.drop()
            await group.all_move()
            await group.play(200)
            await group.settle()
            await group.leave()
            judge = Judge(server.events(), group.pages)
            assert judge.faults() == [], f"turn {turn}: {game}"
            assert judge.views > PUPILS
            assert sum(len(page.drawn) for page in group.pages) > PUPILS
            assert server.log == ""

    asyncio.run(run())


def test_hidden_bids_and_cards_stay_hidden_whatever_the_options():
    """A lesson that goes on, in which each table plays Wizard with options of its own; strategies
    take seats.
    """
    options = [
        {"bid_mode": "hidden"},
        {"bid_mode": "secret"},
        {"hawk_eye": True, "bid_mode": "hidden"},
        {},
    ]

    async def run():
        async with served() as server:
            keys = server.prepare(PUPILS, lambda table: options[table % len(options)], Random(7))
            await server.start(go_on=True)
            group, console = (
                Class(server, PUPILS, watchers=4, pace=0.3, keys=keys),
                await server.console(),
            )
            await group.come(group.pages)
            assert group.done == 0
            await console.order("pause", on=False)
            await group.play(150)
            projector = await server.console("projector")
            await console.order("watch", table=1)
            for seat in range(
                4
            ):  # strategies hold a whole table, which pages and the projector watch
                await console.order("strategy", table=1, seat=seat)
            await console.order("strategy", table=2, seat=1)
            await console.order("pause", table=3, on=True)
            await console.order("pause", table=3, on=False)
            await group.play(150)
            await console.order("sit", table=1, seat=2, person=1)
            await console.order("back", table=4, entry=3)
            await group.play(150)
            await until(lambda: projector.views, "the projector")
            assert all(view["viewer"] is None for view in projector.views)
            await group.leave()
            judge = Judge(server.events(), group.pages)
            assert judge.faults() == []
            assert server.log == ""

    asyncio.run(run())


@pytest.mark.slow
def test_all_phones_that_are_lost_together_come_back_each_time():
    async def run():
        async with served() as server:
            group, _console = await dealt(server, PUPILS, 0.3)
            for _ in range(5):
                await group.play(40)
                lost = time.monotonic()
                for page in group.pupils:
                    page.drop()
                await until(
                    lambda: all(page.heard > lost for page in group.pupils),  # noqa: B023
                    "all to come back",
                )
            await group.all_move()
            await group.leave()
            assert Judge(server.events(), group.pages).faults() == []
            assert server.log == ""

    asyncio.run(run())


@pytest.mark.slow
def test_what_was_answered_is_there_after_a_kill_and_tables_wait_for_the_teacher():
    async def run():
        async with served() as server:
            group, console = await dealt(server, PUPILS, 0.2)
            for _ in range(2):
                await group.play(150)
                server.kill()
                await server.start(go_on=True)
                killed, before = time.monotonic(), server.events()
                await until(
                    lambda: all(page.heard > killed for page in group.pupils),  # noqa: B023
                    "all to come back",
                )
                console = await server.console()
                assert all(table["paused"] for table in console.room["tables"])
                assert [
                    event for event in server.events()[len(before) :] if event["e"] == "act"
                ] == []
                await console.order("pause", on=False)
                await group.all_move()
            await group.leave()
            assert Judge(server.events(), group.pages).faults() == []

    asyncio.run(run())


def test_pages_that_never_read_and_a_strategy_that_raises_anything_hold_up_nobody():
    async def run():
        async with served() as server:
            group, console = await dealt(server, 8, 0.2)
            deaf = []
            for page in group.pupils[:3]:  # takes the seat, and reads no more
                socket = await connect(
                    f"{server.base.replace('http', 'ws')}/socket", origin=server.base, max_queue=1
                )
                await socket.send(
                    json.dumps({"type": "hello", "code": server.code, "language": "en"})
                )
                await socket.send(
                    json.dumps({"type": "take", "name": f"Pupil {page.number}", "number": "0000"})
                )
                deaf.append(socket)
            await console.order("collect", on=True)
            await group.pupils[3].send("entry", n=10**6, source=UNWRITABLE)
            await until(
                lambda: any(event["e"] == "verdict" for event in server.events()), "the verdict"
            )
            (verdict,) = [event for event in server.events() if event["e"] == "verdict"]
            assert "\\ud800" in verdict["wrong"]["en"]
            await group.all_move()
            await group.leave()
            assert Judge(server.events(), group.pages).faults() == []

    asyncio.run(run())


@pytest.mark.slow
def test_at_the_end_of_a_lesson_all_are_answered_whatever_they_press():
    async def run():
        async with served("blockade") as server:
            group, console = await dealt(server, PUPILS, 0.2)
            await group.play(300)
            await console.order("end")
            await until(lambda: group.over, "the end")
            for page in group.pupils:
                await page.send("mine")
                for entry in (3, 9, 1):
                    await page.send("step", entry=entry)
            looked = lambda page: page.view["looking_back"] and page.view["entry"] == 1  # noqa: E731
            await until(lambda: all(looked(page) for page in group.pupils), "all to look back")
            pages = lambda page: [  # noqa: E731
                words for words in page.sent if words.startswith('{"type":"page"')
            ]
            await until(lambda: all(pages(page) for page in group.pupils), "everybody's page")
            assert len({pages(page)[0] for page in group.pupils}) == PUPILS
            await group.leave()
            assert Judge(server.events(), group.pages).faults() == []
            assert server.log == ""

    asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
def test_few_open_files_are_said_and_those_who_are_in_play_on():
    async def run():
        async with served(files=75) as server:
            group, console = await dealt(server, 12, 0.2)
            more = Class(server, 60, pace=0.2)
            for page in more.pupils:
                page.number += 100
            more._running = [asyncio.create_task(page.run()) for page in more.pupils]
            await until(
                lambda: "75" in str(console.room["notes"]),
                "the teacher to be told",
            )
            await group.all_move()
            await more.leave()
            await group.leave()
            assert server.log.count("\n") < 5
            assert Judge(server.events(), group.pages).faults() == []

    asyncio.run(run())


@pytest.mark.slow
def test_the_judge_notices_what_it_looks_for():
    """Each fault that it looks for, put into what one page was sent, is found."""

    async def run():
        async with served() as server:
            group, _console = await dealt(server, 8, 0.1)
            await group.play(60)
            while not list(
                _held(server.events(), group.pages)
            ):  # between two rounds there are no hands
                await group.play(1)
            await group.leave()
            return server.events(), group.pages

    events, pages = asyncio.run(run())
    holder, card = next(_held(events, pages), (None, None))
    assert Judge(events, pages).faults() == []
    one, other = (
        pages[0],
        next(
            page for page in pages if page.room["place"]["table"] != pages[0].room["place"]["table"]
        ),
    )

    def found(*words):
        one.sent += words
        faults = Judge(events, pages).faults()
        del one.sent[len(one.sent) - len(words) :]
        return len(faults)

    assert found(
        next(words for words in reversed(other.sent) if words.startswith('{"type":"view"'))
    )
    if holder is not None:  # else the last cards were played just then
        shown = holder.sent[
            -1
            - next(
                n for n, words in enumerate(reversed(holder.sent)) if '"type":"view"' in words[:20]
            )
        ]
        holder.sent.append(
            shown.replace(
                '"zones":[', f'"zones":[{{"kind":"row","pieces":[{{"id":"card-{card}"}}]}},'
            )
        )
        assert len(Judge(events, pages).faults()) == 1
        holder.sent.pop()
    assert found(next(event["tables"][0]["seed"] for event in events if event["e"] == "deal"))
    assert found(other.key)
    one.acknowledged[10**6] = {"action": 1}
    assert len(Judge(events, pages).faults()) == 1


def _held(events, pages):
    """Yield pages, each with a card of another hand that is hidden from it at every moment that its
    view can be.
    """
    judge = Judge(events, pages)
    for page in pages:
        view = page.view
        rows = judge.branches[view["match"], view["branch"]]
        same = [row["hidden"].get(view["viewer"], set()) for row in rows if _may_be(row, view)]
        for card in set.intersection(*same) if same else ():
            yield page, card


def _may_be(row, view):
    return row["acted"][view["viewer"]] + row["acted"][-1] == view["acted"]
