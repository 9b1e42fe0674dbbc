"""Any number of people sits down at tables that the game allows."""

from functools import cache
from random import Random

import pytest
from classroom import Classroom

from coursekit.kit import GAMES
from coursekit.room.seating import MOST, group_sizes, seat_people

COUNTS = {name: kit.rules.player_counts for name, kit in GAMES.items()}


@cache
def fewest(people, counts):
    """Return the fewest seats that are left to strategies, found by trying all tables; each has a
    person.
    """
    if not people:
        return 0
    tables = ((sitting, count) for count in counts for sitting in range(1, min(count, people) + 1))
    return min(count - sitting + fewest(people - sitting, counts) for sitting, count in tables)


@pytest.mark.parametrize("counts", [*COUNTS.values(), (2, 3, 4), (5,), (3, 6)])
def test_everybody_is_seated_once_at_tables_that_are_allowed(counts):
    for people in range(1, MOST + 1):
        numbers = list(range(101, 101 + people))
        groups = seat_people(numbers, counts, Random(people))
        assert sorted(who for group in groups for who in group.people) == numbers
        assert all(
            group.seats in counts and 0 < len(group.people) <= group.seats for group in groups
        )
        assert [(len(group.people), group.seats) for group in groups] == group_sizes(people, counts)
        strategies = sum(group.seats - len(group.people) for group in groups)
        assert strategies == fewest(people, counts), people


def test_people_sit_in_random_order():
    orders = {tuple(seat_people(range(8), (4,), Random(seed))) for seed in range(9)}
    assert len(orders) > 5
    assert seat_people(range(8), (4,), Random(1)) == seat_people(range(8), (4,), Random(1))


def test_nobody_needs_no_table():
    assert group_sizes(0, (3, 4)) == seat_people([], (3, 4), Random(1)) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("people", [1, 2, 9])
def test_a_class_of_any_size_is_dealt_every_way_to_play(game, people):
    for preset in GAMES[game].rules.presets:
        classroom = Classroom(game, preset=preset)
        phones = [classroom.joined(f"Kid {'abcdefghj'[number]}") for number in range(people)]
        classroom.order("deal")
        assert all(phone.view["viewer"] is not None for phone in phones)
        assert all(table.people for table in classroom.lesson.current_tables)


def test_who_is_away_is_not_seated_and_who_is_away_comes_late():
    classroom = Classroom("wizard")
    phones = [classroom.joined(name) for name in ("Ann", "Bob", "Cy", "Dee")]
    classroom.wait(20, away=(phones[3],))
    classroom.order("deal")
    (table,) = classroom.lesson.current_tables
    assert set(table.people.values()) == {phone.person for phone in phones[:3]}
    assert phones[3].last["room"]["place"] is None
    assert classroom.order("deal")[0]["type"] == "refused"
