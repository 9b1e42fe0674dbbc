"""Whether what a page is sent tells more than its viewer may know: by exchanging all that it may
not.
"""

from random import Random
from typing import Any

from classroom import MARK, Classroom, Phone, class_of, short

from coursekit.core.game import Seat, pick_action

AHEAD = 3
"""Actions for which an exchanged room goes on beside the real one."""
NUMBER = "№"
"""No other text has it: every person's number begins with it."""


class Leak(AssertionError):
    """A page was sent what its viewer may not know."""


def knows(classroom: Classroom, table: int, seat: Seat | None) -> tuple[Any, Any, Any]:
    """Return all that *seat* may know of a table: what it sees, what it has been told, and what
    everybody sees.
    """
    at = classroom.lesson.tables[table]
    match = at.run.match
    return at.game.observe(match.state, seat), match.story(seat), at.game.observe(match.state, None)


def alone(classroom: Classroom) -> Classroom:
    """Return a twin of *classroom* without its pages."""
    twin = classroom.twin()
    for page in list(twin.room.pages):
        twin.room.leave(page)
    return twin


def exchanged(classroom: Classroom, table: int, seat: Seat | None, rng: Random) -> Classroom:
    """Return a twin of *classroom* in which all is drawn anew that *seat* of a table cannot know."""
    twin = alone(classroom)
    run = twin.lesson.tables[table].run
    run.match.state = run.game.resample(run.game.observe(run.match.state, seat), rng)
    run.go_on()
    return twin


def look(classroom: Classroom, table: int, person: int | None, enlarged: bool) -> Phone:
    """Return a new page of *person*, or a projector that shows the table alone or beside others."""
    if person is not None:
        return classroom.back(person, f"key-of-{person}!")
    projector = classroom.phone("projector")
    classroom.order("watch", table=table if enlarged else None)
    return projector


def ask(phone: Phone, table: int, seed: str) -> None:
    """Ask a room whatever a phone can ask without deciding, and do what is not allowed."""
    rng, at = Random(seed), phone.classroom.lesson.tables[table]
    phone.send("observe")
    legal = at.game.observe(at.run.match.state, phone.place[1]).legal
    tried = [pick_action(legal, rng)] if legal else []
    tried += [
        0,
        "wiki",
        ["write", 1, "tree"],
        ["vote", "no"],
        [rng.randrange(70)] * 2,
        rng.randrange(70),
    ]
    for action in tried:
        phone.send(
            "try", **phone.moment(), seat=phone.view["viewer"], n=rng.randrange(5), action=action
        )
    phone.send("suggest", **phone.moment(), seat=phone.view["viewer"], n=rng.randrange(5))
    phone.act(["no", "such", "action"])


def do(classroom: Classroom, page: Phone, table: int, seat: Seat, action: Any) -> None:
    """Let *seat* decide: by *page* if it is its own."""
    person = classroom.lesson.tables[table].people.get(seat)
    if person is not None and person == page.page.person:
        page.act(action)
    else:
        classroom.room.do("act", table=table, seat=seat, action=action)
        classroom.collect()


def swap_test(
    classroom: Classroom, table: int, seat: Seat | None, seed: str, enlarged: bool = True
) -> tuple[int, int]:
    """Compare what *seat* of a table is sent here, and where all is exchanged that it cannot know.

    Both rooms go on for some actions, in which others decide differently; the streams are compared
    as long as there is no difference that the seat may know.

    :param enlarged: whether those who watch see the table alone; else what lies on each.
    :returns: how many times both streams were compared, and how many actions differed that it may
        not know.
    :raises Leak: if they are not the same, byte by byte.
    """
    at = classroom.lesson.tables[table]
    person = at.people[seat] if seat is not None else None
    rooms = [alone(classroom), exchanged(classroom, table, seat, Random(f"{seed} hidden"))]
    pages = [look(each, table, person, enlarged) for each in rooms]
    if person is not None:
        for page in pages:
            ask(page, table, seed)
    compared = differing = 0
    for step in range(AHEAD + 1):
        one, other = ([*page.bytes] for page in pages)
        if one != other:
            differ = (place for place, pair in enumerate(zip(one, other)) if pair[0] != pair[1])
            first = slice(next(differ, min(len(one), len(other))), None)
            raise Leak(
                f"table {table}, seat {seat}, step {step}: {one[first][:1]} became {other[first][:1]}"
            )
        compared += 1
        states = [each.lesson.tables[table].run.match.state for each in rooms]
        deciding = at.game.to_act(states[0])
        if step == AHEAD or not deciding or deciding != at.game.to_act(states[1]):
            break
        rng = Random(f"{seed} {step}")
        acts = rng.choice(deciding)
        actions = [
            pick_action(at.game.legal_actions(state, acts), Random(f"{seed} {step} {number}"))
            for number, state in enumerate(states)
        ]
        if acts == seat:
            actions[1] = actions[0]
        before = knows(rooms[0], table, seat)
        do(rooms[0], pages[0], table, acts, actions[0])
        unseen = knows(rooms[0], table, seat) == before
        if not (
            unseen and acts != seat and rng.random() < 0.5
        ):  # else only one room has that action
            do(rooms[1], pages[1], table, acts, actions[1])
        if knows(rooms[0], table, seat) != knows(rooms[1], table, seat):
            break
        differing += actions[0] != actions[1]
    return compared, differing


def unseen_actions(classroom: Classroom, rng: Random) -> int:
    """Let somebody decide, and return how many pages neither saw it nor were sent anything.

    :raises Leak: if a page that cannot see what was done was sent something.
    """
    lesson = classroom.lesson
    pages = []
    for phone in [*classroom.phones, classroom.projector]:
        place = lesson.table_of(phone.page.person) if phone.page.person is not None else None
        table, seat = (place[0].table_id, place[1]) if place else (phone.page.watching, None)
        if table is not None:
            pages.append((phone, table, seat, knows(classroom, table, seat), len(phone.bytes)))
    log = [len(table.run.match.log) for table in lesson.current_tables]
    acting = classroom.turn(rng)
    if acting is None or log == [len(table.run.match.log) for table in lesson.current_tables]:
        return 0
    unseen = 0
    for phone, table, seat, before, count in pages:
        if (
            phone is not acting
            and knows(classroom, table, seat) == before
            and not lesson.tables[table].over
        ):
            unseen += table == acting.place[0].table_id
            if phone is not classroom.projector and phone.bytes[count:]:
                raise Leak(
                    f"seat {seat} cannot see what was done, and was sent {phone.bytes[count:]}"
                )
            if any(b'"type":"view"' in each for each in phone.bytes[count:]):
                raise Leak("the projector shows anew what has not changed")
    return unseen


def check_bytes(classroom: Classroom) -> None:
    """Look through all that every page was ever sent.

    :raises Leak: if a seed, a key, its hash, or another's number is in it.
    """
    people = classroom.lesson.people.values()
    seeds = [
        seed for table in classroom.lesson.tables.values() for _, seed in table.run.match.seeds
    ]
    for phone in classroom.all:
        stream = b"\n".join(phone.bytes).decode()
        secrets = [*seeds, *(each.key for each in people)]
        if phone.page.role != "console":
            mine = phone.last.get("welcome", {}).get("person")
            secrets += [each.number for each in people if each.person_id != mine]
        secrets += [f"key-of-{each.person_id}!" for each in people]
        for secret in secrets:
            if secret in stream:
                raise Leak(f"a {phone.page.role} was sent {secret!r}")
        if phone.page.role == "projector" and NUMBER in stream:
            raise Leak("a projector was sent somebody's number")


def check_writing(classroom: Classroom) -> None:
    """Look for answers of Knit Wit that somebody writes in what others are sent.

    :raises Leak: if there is one before all are turned up.
    """
    for table in classroom.lesson.current_tables:
        if table.run.match.state.phase != "write":
            continue
        for seat, who in table.people.items():
            written = [
                words for words in table.run.match.state.sheets[seat] if words.startswith(MARK)
            ]
            for phone in classroom.all:
                stream = b"\n".join(phone.bytes).decode()
                if phone.page.person != who and any(words in stream for words in written):
                    raise Leak(
                        f"{phone.page.role} {phone.page.person} was sent what person {who} writes"
                    )


def random_match(
    game: str, people: int, strategies: int, seed: str, swaps: int, **options: Any
) -> dict[str, int]:
    """Play one match at random with a table beside it, look at all that is sent, and return what
    was looked at.

    :param swaps: about how many moments all that is hidden is exchanged in, for every seat and for
        those who watch.
    :raises Leak: if anything was sent that must not be.
    """
    rng = Random(seed)
    kind = short(game, people + strategies, **options)
    counts = kind.player_counts
    beside = (
        [[100 + number for number in range(1, 1 + min(counts))]]
        if game in ("wizard", "wikipedia")
        else []
    )
    seats: list[list[int | str]] = [[*range(1, people + 1), *[""] * strategies]]
    classroom = class_of([*seats, *beside], kind, f"Σ{seed}")  # type: ignore[list-item]
    classroom.order("watch", table=1)
    found = {"actions": 0, "unseen": 0, "exchanged": 0, "compared": 0, "differing": 0, "bytes": 0}
    every = {"wizard": 9, "wikipedia": 5, "blockade": 12, "knitwit": 40}[game]
    table = classroom.lesson.tables[1]
    if beside:
        classroom.order("pause", table=2, on=True)
    for number in range(4000):
        if table.over:
            break
        if number % every == every // 2 and found["exchanged"] < swaps:
            found["exchanged"] += 1
            viewers = [(None, True), (None, False), *[(seat, True) for seat in table.people]]
            for seat, enlarged in viewers:
                moment = f"{seed} {number} {seat} {enlarged}"
                compared, differing = swap_test(classroom, 1, seat, moment, enlarged)
                found["compared"] += compared
                found["differing"] += differing
        found["unseen"] += unseen_actions(classroom, rng)
        if game == "knitwit" and not number % 5:
            check_writing(classroom)
    assert table.over
    check_bytes(classroom)
    found["actions"] = len(table.run.match.log)
    found["bytes"] = sum(len(each) for phone in classroom.all for each in phone.bytes)
    return found
