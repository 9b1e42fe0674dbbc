"""A class on its own phones over the wire: who sees what, what is lost, how long it takes.

``room_load`` seats forty people at ten tables, at two paces, and then 200 people in one room (of
whom 48 sit and the others watch); ``room_join`` lets forty join within ten seconds; ``room_views``
plays all games with drawn options, and compares every view with the rules' replay of the lesson's
file; ``room_storms`` takes the network away from all phones again and again; ``room_kill`` kills
the server under load; ``room_restart`` goes on with a lesson of 12,000 events; ``room_end`` has
forty pupils press whatever they can once a lesson is over; ``room_lesson`` gives three deals, with
orders of the console in between; ``room_long`` plays ten minutes at a human pace.

Server and pupils share one machine. Pupils are those of ``tests/room/crowd.py``: they share no code
with the server.
"""

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests" / "room"))

from crowd import Class, Judge, Server, served, until  # type: ignore[import-not-found]

PUPILS = 40
GAMES = ("wizard", "wikipedia", "blockade", "knitwit")
DRAWN: dict[str, dict[str, list[Any]]] = {
    "wizard": {
        "bid_mode": ["open", "hidden", "secret"],
        "hawk_eye": [False, True],
        "dealer_picks_blind": [False, True],
    },
    "wikipedia": {"refill": ["optional_own_turn"], "points_to_win": [3, 5]},
    "blockade": {"roles_each_era": ["passed"]},
    "knitwit": {"loops": [4, 5], "answer_time_limit": [60]},
}
"""Options that are drawn for each table, each with its values; half of them are left as they are."""
LONG = 600.0


def _cuts(waits: Iterable[float]) -> str:
    """Return p50, p95, p99 and the longest of *waits*, in milliseconds."""
    found = sorted(waits)
    cuts = statistics.quantiles(found, n=100)
    return " | ".join(f"{1000 * each:.0f}" for each in (cuts[49], cuts[94], cuts[98], found[-1]))


def _report(server: Server, group: Class) -> str:
    """Return how many views were looked at, and what was wrong."""
    judge = Judge(server.events(), group.pages)
    faults = judge.faults()
    wrong = f"{len(faults)} WRONG: {faults[0]}" if faults else "0 wrong"
    logged = f", {server.log.count(chr(10))} LINES IN THE LOG" if server.log else ""
    return f"{judge.views} views, {wrong}{logged}"


def _run(work: Awaitable[None]) -> None:
    asyncio.run(work)  # type: ignore[arg-type]


async def _keep_dealing(console: Any, group: Class, seconds: float) -> None:
    """Let the class play for some *seconds*, and deal anew as soon as all tables have ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await console.deal()
        while time.monotonic() < end and not all(table["over"] for table in console.room["tables"]):
            await asyncio.sleep(0.2)


async def _load(game: str, people: int, pace: float, seconds: float) -> None:
    async with served(game) as server:
        await server.start()
        group, console = Class(server, people, pace=pace), await server.console()
        await group.come(group.pupils)
        await _keep_dealing(console, group, seconds)
        waits = [wait for page in group.pupils for wait in page.waits]
        silence = max(page.silence for page in group.pupils)
        tables = len(console.room["tables"])
        memory, load = server.memory(), os.getloadavg()[0]
        await group.leave()
        row = (
            game,
            people,
            tables,
            f"{pace:g}",
            len(waits),
            _cuts(waits),
            f"{silence:.2f}",
            f"{memory:.0f}",
            f"{load:.1f}",
            _report(server, group),
        )
        print("|", " | ".join(map(str, row)), "|", flush=True)


HEADS = ("game people tables pace decisions p50 p95 p99 longest sign memory load judged").split()


def load(scale: float) -> None:
    """Print how soon decisions are answered: in each game for a class of 40, and in a room of 200."""
    print(
        "pace: seconds between two decisions; p50 to longest: ms; sign: longest wait for a sign of life (s); memory: MB"
    )
    print("|", " | ".join(HEADS), "|")
    print("|---" * len(HEADS) + "|")
    for game in GAMES:
        _run(_load(game, PUPILS, 2.0, 120 * scale))
        _run(_load(game, PUPILS, 0.5, 120 * scale))
    _run(_load("wizard", 200, 2.0, 120 * scale))


async def _join() -> None:
    async with served() as server:
        await server.start()
        group, console, waits = Class(server, PUPILS), await server.console(), []

        async def come(page: Any, after: float) -> None:
            await asyncio.sleep(after)
            began = time.monotonic()
            await group.come([page])
            waits.append(time.monotonic() - began)

        await asyncio.gather(
            *[come(page, 10 * number / PUPILS) for number, page in enumerate(group.pupils)]
        )
        began = time.monotonic()
        await console.order("deal")
        await until(lambda: all(page.view for page in group.pupils), "all tables")
        dealt = time.monotonic() - began
        print(
            f"joined after {max(waits):.2f} s at most; all at their tables {dealt:.2f} s after the deal"
        )
        await group.leave()


def join(scale: float) -> None:
    """Print how long forty people who come at once wait until they are in, and until they play."""
    _run(_join())


def _drawn(game: str, rng: Random) -> Callable[[int], dict[str, Any]]:
    return lambda table: {
        name: rng.choice(values) for name, values in DRAWN[game].items() if rng.random() < 0.5
    }


async def _views(game: str, seconds: float, seed: int) -> None:
    rng = Random(seed)
    async with served(game) as server:
        keys = server.prepare(PUPILS, _drawn(game, rng), rng)
        await server.start(go_on=True)
        group, console = Class(server, PUPILS, watchers=4, keys=keys), await server.console()
        await group.come(group.pages)
        await console.order("pause", on=False)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await asyncio.sleep(rng.uniform(0.2, 1.0))
            rng.choice(group.pages).drop()
            table = rng.choice(console.room["tables"])
            free = [seat for seat, each in enumerate(table["seats"]) if each["person"] is None]
            if rng.random() < 0.2:
                await console.order(
                    "strategy", table=table["table"], seat=rng.randrange(len(table["seats"]))
                )
            elif free and rng.random() < 0.5:  # somebody changes the table
                await console.order(
                    "sit", table=table["table"], seat=free[0], person=rng.randrange(1, PUPILS + 1)
                )
            elif rng.random() < 0.1:
                await console.order("back", table=table["table"], entry=0)
            for page in group.watchers:
                await page.send("watch", table=rng.choice(console.room["tables"])["table"])
        await group.leave()
        print(f"{game}, seed {seed}: {group.done} decisions, {_report(server, group)}", flush=True)


def views(scale: float) -> None:
    """Print what is wrong with views while pupils swap, are stood in for, watch and come back."""
    for game in GAMES:
        for seed in range(max(1, round(5 * scale))):
            _run(_views(game, 60 * min(1, scale * 2), seed))


async def _storms(phones: int, times: int) -> None:
    async with served() as server:
        await server.start()
        group, console, backs = Class(server, phones), await server.console(), []
        await group.come(group.pupils)
        await console.deal()
        for _ in range(times):
            await asyncio.sleep(1)
            lost = time.monotonic()
            for page in group.pupils:
                page.drop()
            await until(lambda: all(page.heard > lost for page in group.pupils), "all to come back")  # noqa: B023
            backs.append(time.monotonic() - lost)
            if all(table["over"] for table in console.room["tables"]):
                await console.deal()
        await group.all_move()
        await group.leave()
        print(
            f"{times} storms of {phones}: all back after {max(backs):.1f} s at most; {_report(server, group)}, "
            f"{server.memory():.0f} MB",
            flush=True,
        )


def storms(scale: float) -> None:
    """Print how soon all phones are back that have lost the network together."""
    _run(_storms(PUPILS, max(1, round(100 * scale))))


async def _kill(game: str, times: int) -> None:
    rng, starts, backs = Random(times), [], []
    async with served(game) as server:
        await server.start()
        group, console = Class(server, PUPILS, pace=0.3), await server.console()
        await group.come(group.pupils)
        await console.deal()
        for _ in range(times):
            await asyncio.sleep(rng.uniform(0.5, 3))
            server.kill()
            starts.append(await server.start(go_on=True))
            began = time.monotonic()
            await until(
                lambda: all(page.heard > began for page in group.pupils),  # noqa: B023
                "all to come back",
            )
            backs.append(time.monotonic() - began)
            console = await server.console()
            await console.order("pause", on=False)
            if all(table["over"] for table in console.room["tables"]):
                await console.deal()
        await group.all_move()
        await group.leave()
        acknowledged = sum(len(page.acknowledged) for page in group.pupils)
        print(
            f"{game}: {times} kills, {acknowledged} decisions answered; listening after {max(starts):.2f} s at most, "
            f"all back {max(backs):.2f} s later; {_report(server, group)}",
            flush=True,
        )


def kill(scale: float) -> None:
    """Kill the server under load, and print what was lost."""
    for game in GAMES:
        _run(_kill(game, max(1, round(50 * scale))))


def _played(game: str, least: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Return at least so many events of a lesson whose matches are over, and the pupils' keys."""
    from coursekit.core.game import pick_action
    from coursekit.room.page import Page
    from coursekit.room.people import hash_key
    from coursekit.room.room import Room
    from coursekit.room.teacher_commands import TeacherCommands

    room, rng, keys = (
        Room([], game=game, language="en"),
        Random(1),
        [f"key-{number}" for number in range(PUPILS)],
    )
    for number, key in enumerate(keys):
        room.do(
            "join",
            person=number + 1,
            name=f"Pupil {number}",
            key=hash_key(key),
            number="0000",
            approved=True,
        )
        page = Page("phone", "en")
        room.connect(page)
        page.person = number + 1
    console = Page("console", "en")
    while len(room.pending) < least or not room.lesson.all_over:
        if room.lesson.all_over:
            TeacherCommands(room).receive(console, '{"type": "deal"}')
        for table in room.lesson.current_tables:
            state = table.run.match.state
            if table.over:
                continue
            seat = rng.choice(table.game.to_act(state))
            if (action := pick_action(table.game.legal_actions(state, seat), rng)) is not None:
                person = {"person": table.people[seat]} if seat in table.people else {}
                room.do("act", table=table.table_id, seat=seat, action=action, **person)
    return room.pending, keys


async def _restart(game: str, least: int) -> None:
    events, keys = _played(game, least)
    async with served(game) as server:
        server.write(events)
        up = await server.start(go_on=True)
        group, began = Class(server, PUPILS, keys=keys, pace=0), time.monotonic()
        await group.come(group.pupils)
        await until(lambda: all(page.view for page in group.pupils), "all tables")
        there = time.monotonic() - began
        print(
            f"{game}: {len(events)} events, listening after {up:.2f} s, all tables {there:.2f} s later; "
            f"{server.memory():.0f} MB",
            flush=True,
        )
        await group.leave()


def restart(scale: float) -> None:
    """Print how long it takes to go on with a long lesson."""
    for game in GAMES:
        _run(_restart(game, round(12_000 * scale)))


async def _end(game: str, least: int) -> None:
    events, keys = _played(game, least)
    async with served(game) as server:
        server.write(events)
        await server.start(go_on=True)
        group, rng = Class(server, PUPILS, keys=keys, pace=0), Random(2)
        await group.come(group.pupils)
        await until(lambda: all(page.view for page in group.pupils), "all tables")

        async def pressed(what: str, press: Callable[[], Awaitable[None]]) -> None:
            for page in group.pupils:
                page.silence = 0.0
            began = time.monotonic()
            await press()
            took = time.monotonic() - began
            await asyncio.sleep(3)
            waits = max(
                max(page.silence, time.monotonic() - page.heard - 2) for page in group.pupils
            )
            print(
                f"{game}, {what}: {took:.1f} s, longest wait for a sign of life {waits:.2f} s",
                flush=True,
            )

        async def pages() -> None:
            for page in group.pupils:
                await page.send("mine")
            have = lambda page: any(words.startswith('{"type":"page"') for words in page.sent)  # noqa: E731
            await until(lambda: all(map(have, group.pupils)), "all pages")

        async def steps() -> None:
            for _ in range(40):
                for page in group.pupils:
                    await page.send("step", entry=rng.randrange(40))
                await asyncio.sleep(0.25)

        async def one_script() -> None:
            for _ in range(150):
                await group.pupils[0].send("mine")
                await asyncio.sleep(1 / 15)

        async def got(path: str) -> None:
            from tornado.httpclient import AsyncHTTPClient

            cookie = f"coursekit-{server.teacher.rpartition(':')[2]}={server.key}"
            address = f"{server.teacher}{server.path}/{path}"
            await AsyncHTTPClient().fetch(address, headers={"Cookie": cookie}, request_timeout=60)

        await pressed("debrief", lambda: got("debrief"))
        await pressed("numbers", lambda: got("data"))
        await pressed("the lesson's file", lambda: got("lesson"))
        await pressed("forty pages at once", pages)
        await pressed("forty look back, four steps a second each", steps)
        await pressed("one asks for its page 15 times a second", one_script)
        print(f"{server.memory():.0f} MB", flush=True)
        await group.leave()


def end(scale: float) -> None:
    """Print how long nobody is answered at the end of a lesson, whatever forty pupils press."""
    for game in GAMES:
        _run(_end(game, round(10_000 * scale)))


async def _lesson(game: str) -> None:
    rng = Random(3)
    async with served(game) as server:
        await server.start()
        group, console = Class(server, PUPILS, watchers=2, pace=0.3), await server.console()
        await group.come(group.pupils)
        await console.order(
            "set",
            preset={
                "wikipedia": "lesson",
                "wizard": "lesson",
                "blockade": "one_era",
                "knitwit": "short",
            }[game],
        )
        for deal in range(3):
            await console.deal()
            await group.come(group.watchers if not deal else [])
            await group.play(300)
            for order in (
                {"type": "pause", "on": True},
                {"type": "pause", "on": False},
                {"type": "names", "on": False},
                {"type": "ask", "words": "Why?", "own": True},
                {"type": "say", "text": "ζ" * 3},
                {"type": "names", "on": True},
                {"type": "close", "question": deal},
                {"type": "rename", "person": rng.randrange(1, 41), "name": f"New {deal}"},
                {"type": "watch", "table": console.room["tables"][0]["table"]},
                {"type": "step", "step": "rules", "free": False},
                {"type": "step", "step": "play", "free": False},
            ):
                await console.order(**order)
                await asyncio.sleep(rng.uniform(0.05, 0.5))
            await group.play(300)
            for seat in range(len(console.room["tables"][0]["seats"])):
                await console.order("strategy", table=console.room["tables"][0]["table"], seat=seat)
            await console.order("ending", on=True)
            await until(
                lambda: all(table["over"] for table in console.room["tables"]),
                "the end of the deal",
                10,
            )
        await group.leave()
        refused = f", orders refused: {console.answers}" if console.answers else ""
        print(
            f"{game}: three deals, {group.done} decisions, {_report(server, group)}{refused}, {server.memory():.0f} MB",
            flush=True,
        )


def lesson(scale: float) -> None:
    """Give a lesson of three deals with orders of the console in between, and print what is wrong."""
    for game in GAMES:
        _run(_lesson(game))


async def _long(game: str, seconds: float) -> None:
    async with served(game) as server:
        await server.start()
        group, console, table = (
            Class(server, PUPILS, watchers=2, pace=4.0),
            await server.console(),
            [],
        )
        await group.come(group.pupils)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not console.room["tables"] or all(each["over"] for each in console.room["tables"]):
                await console.deal()
            await asyncio.sleep(seconds / 6)
            files = (
                server.process.num_fds()
                if sys.platform != "win32"
                else server.process.num_handles()
            )
            table.append(
                f"{server.memory():.0f} MB, {files} files, {server.lesson.stat().st_size // 1000} kB"
            )
        waits = [wait for page in group.pupils for wait in page.waits]
        await group.leave()
        print(
            f"{game}: {' · '.join(table)}; {len(waits)} decisions, p50, p95, p99, longest (ms): {_cuts(waits)}; "
            f"{_report(server, group)}",
            flush=True,
        )


def long(scale: float) -> None:
    """Play ten minutes at a human pace; print memory, open files and the size of the lesson."""
    for game in GAMES:
        _run(_long(game, LONG * scale))
