"""Any number of people sits down at tables that the game allows."""

from functools import cache
from random import Random

import pytest
from classroom import Classroom, replayed

from coursekit.kit import GAMES
from coursekit.room.seating import MOST, SIZE, arrange, group_sizes, seats_for

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
        groups = arrange([], numbers, counts)
        assert [who for group in groups for who in group] == numbers
        assert tuple(map(len, groups)) == group_sizes(people, counts, SIZE)
        assert all(groups)
        strategies = sum(seats_for(len(group), counts) - len(group) for group in groups)
        assert strategies == fewest(people, counts), people


@pytest.mark.parametrize(
    ("people", "counts", "size", "sizes"),
    [
        (12, (3, 4, 5, 6), 3, (3, 3, 3, 3)),
        (12, (3, 4, 5, 6), 6, (6, 6)),
        (8, (2, 4, 6, 8), 2, (2, 2, 2, 2)),
        (10, (2, 4, 6, 8), 4, (6, 4)),
        (31, (3, 4, 5, 6), 4, (4, 4, 4, 4, 4, 4, 4, 3)),
        (6, (4,), 4, (3, 3)),
    ],
)
def test_tables_have_the_size_that_is_wanted(people, counts, size, sizes):
    assert group_sizes(people, counts, size) == sizes


@pytest.mark.parametrize("counts", COUNTS.values())
@pytest.mark.parametrize("seed", range(20))
def test_late_comers_leave_the_groups_as_they_are(counts, seed):
    rng = Random(seed)
    plan = [[], []]
    for person in range(rng.randrange(1, 30)):
        if len(plan[-1]) == rng.randint(1, max(counts)) or len(plan[-1]) == max(counts):
            plan.append([])
        plan[-1].append(person)
    plan = [group for group in plan if group]
    late = list(range(100, 100 + rng.randrange(9)))
    groups = arrange(plan, late, counts, rng.choice(counts))
    assert [group[: len(planned)] for group, planned in zip(groups, plan)] == plan
    assert sorted(who for group in groups for who in group if who >= 100) == late
    assert all(0 < len(group) <= max(counts) for group in groups)


def test_nobody_needs_no_table():
    assert not group_sizes(0, (3, 4), SIZE)
    assert not arrange([], [], (3, 4))


def class_of_size(people, game="wizard"):
    classroom = Classroom(game)
    phones = [classroom.joined(f"Kid {chr(ord('a') + number)}") for number in range(people)]
    return classroom, phones


def dealt_groups(classroom):
    return [sorted(table.people.values()) for table in classroom.lesson.current_tables]


def test_the_groups_on_the_console_are_those_that_are_dealt():
    classroom, _ = class_of_size(9)
    shown = classroom.console.last["room"]["groups"]
    classroom.order("deal")
    assert dealt_groups(classroom) == [sorted(group) for group in shown]
    for page in (*classroom.phones, classroom.projector):
        assert "groups" not in page.last["room"]


def test_chance_puts_people_together_anew_for_each_deal():
    found = set()
    for code in range(6):
        classroom, _ = class_of_size(8)
        classroom.lesson.lesson_id = str(code)
        found.add(str(classroom.lesson.proposed_groups(range(1, 9))))
    classroom.lesson.deals += 1
    found.add(str(classroom.lesson.proposed_groups(range(1, 9))))
    assert len(found) > 4


def test_two_people_swap_places_and_one_moves_to_a_table_or_a_new_one():
    classroom, _ = class_of_size(8)
    first, second = classroom.console.last["room"]["groups"]
    one, other = first[1], second[2]
    classroom.order("place", person=one, beside=other, swap=True)
    first[1], second[2] = other, one
    assert classroom.console.last["room"]["groups"] == [first, second]
    classroom.order("place", person=one, beside=other)
    first, second = [*first, one], [who for who in second if who != one]
    assert classroom.console.last["room"]["groups"] == [first, second]
    classroom.order("place", person=first[0])
    assert classroom.console.last["room"]["groups"] == [first[1:], second, [first[0]]]
    shown = classroom.console.last["room"]["groups"]
    assert replayed(classroom).proposed_groups(range(1, 9)) == shown
    classroom.order("deal")
    assert dealt_groups(classroom) == [sorted(group) for group in shown]


def test_a_full_table_takes_nobody_more_and_says_so():
    classroom, _ = class_of_size(8, "blockade")
    first, second = before = classroom.console.last["room"]["groups"]
    (refused,) = classroom.order("place", person=first[0], beside=second[0])
    assert refused["type"] == "refused"
    assert "4" in refused["text"]
    assert classroom.order("place", person=99)[0]["type"] == "refused"
    assert classroom.order("place", person=first[0], beside=99)[0]["type"] == "refused"
    assert classroom.console.last["room"]["groups"] == before


def test_who_is_away_keeps_the_group_and_who_comes_late_is_added():
    classroom, phones = class_of_size(8)
    classroom.order("shuffle")
    first, second = classroom.console.last["room"]["groups"]
    gone = phones[first[0] - 1]
    classroom.wait(20, away=(gone,))
    assert classroom.console.last["room"]["groups"] == [first, second]
    late = classroom.joined("Late")
    groups = classroom.console.last["room"]["groups"]
    assert [group[:4] for group in groups] == [first, second]
    classroom.order("deal")
    assert gone.last["room"]["place"] is None
    assert late.last["room"]["place"] is not None
    assert dealt_groups(classroom)[0] == sorted(set(groups[0]) - {gone.person})
    for table in classroom.lesson.current_tables:
        table.end()
    classroom.order("keep_groups")
    classroom.wait(1)
    assert classroom.console.last["room"]["groups"] == groups


def test_who_took_a_seat_after_the_deal_belongs_to_the_last_groups():
    classroom, phones = class_of_size(2)
    classroom.order("deal")
    late = classroom.joined("Late")
    classroom.order("sit", table=1, seat=2, person=late.person)
    classroom.lesson.current_tables[0].end()
    classroom.order("keep_groups")
    assert list(map(sorted, classroom.console.last["room"]["groups"])) == [[1, 2, 3]]
    classroom.order("remove", person=phones[0].person)
    assert list(map(sorted, classroom.console.last["room"]["groups"])) == [[2, 3]]


def test_another_game_keeps_the_groups_as_far_as_its_tables_allow():
    classroom, _ = class_of_size(6)
    classroom.order("set", size=6)
    classroom.order("shuffle")
    (group,) = classroom.console.last["room"]["groups"]
    classroom.order("set", game="blockade")
    groups = classroom.console.last["room"]["groups"]
    assert groups[0] == group[:4]
    assert sorted(groups[1]) == sorted(group[4:])
    assert classroom.console.last["room"]["settings"]["size"] == 4
    assert classroom.order("set", size=3)[0]["type"] == "refused"


def test_more_people_than_fit_are_left_out_and_a_group_that_is_away_gets_no_table():
    classroom, phones = class_of_size(6, "knitwit")
    classroom.order("set", size=3)
    classroom.order("shuffle")
    groups = classroom.console.last["room"]["groups"]
    classroom.wait(20, away=tuple(phones[who - 1] for who in groups[0]))
    classroom.order("deal")
    assert dealt_groups(classroom) == [sorted(groups[1])]
    assert classroom.lesson.last_groups == [groups[1], groups[0]]
    assert sum(map(len, classroom.lesson.proposed_groups(range(1, 99)))) == MOST


@pytest.mark.parametrize("game", GAMES)
def test_one_lesson_is_the_way_to_play_that_is_proposed(game):
    classroom, _ = class_of_size(1, game)
    preset = GAMES[game].class_preset
    assert classroom.console.last["room"]["settings"]["preset"] == preset
    classroom.order("deal")
    (table,) = classroom.lesson.current_tables
    assert table.game.options == table.game.preset(preset) != table.game.option_type()


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
