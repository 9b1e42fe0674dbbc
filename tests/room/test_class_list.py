"""A class list, however it is pasted, tells who has not joined, and only the teacher sees it."""

import pytest
from classroom import Classroom, replayed
from hypothesis import example, given
from hypothesis import strategies as st

from coursekit.core.page_messages import MessageError
from coursekit.room.class_list import MOST, read_class_list

PASTED = {
    "names": ("王小明\n李小華\n\n 陳 美 \n", ["王小明", "李小華", "陳 美"]),
    "numbers": ("1\n２\n03\n", ["1", "2", "3"]),
    "both": (
        "1 王小明\n2. 李小華\n３、陳美\n4號 林大",
        ["1 王小明", "2 李小華", "3 陳美", "4 林大"],
    ),
    "one line": ("王小明、李小華，陳美", ["王小明", "李小華", "陳美"]),
    "a byte order mark": ("\ufeff王小明\r\n李小華\r\n", ["王小明", "李小華"]),
    "a spreadsheet": (
        "班級\t座號\t學號\t姓名\t性別\n"
        "701\t1\t1120001\t王小明\t男\n701\t2\t1120002\t李小華\t女\n701\t3\t1120003\t陳美\t女\n",
        ["1 王小明", "2 李小華", "3 陳美"],
    ),
    "a spreadsheet without heads": (
        "701\t１\t王小明\t男\ta@b.tw\n701\t２\t李小華\t女\tc@b.tw\n701\t３\t陳美\t女\td@b.tw",
        ["1 王小明", "2 李小華", "3 陳美"],
    ),
    "names before numbers": ("Ann Lee\t12\nBo Ek\t7", ["12 Ann Lee", "7 Bo Ek"]),
    "commas": ("1,王小明\n2,李小華", ["1 王小明", "2 李小華"]),
    "names with a comma": ("Lee, Ann\nEk, Bo", ["Lee, Ann", "Ek, Bo"]),
    "a row twice": ("王小明\n王小明", ["王小明"]),
    "a head alone": ("姓名\n王小明", ["王小明"]),
    "years": ("2010 Ann\n2011 Bo", ["2010 Ann", "2011 Bo"]),
    "nothing": ("\n \t\n", []),
    "any script": ("أحمد\nNguyễn Văn A\nМария", ["أحمد", "Nguyễn Văn A", "Мария"]),
}


@pytest.mark.parametrize("how", PASTED)
def test_a_list_is_read_however_it_is_pasted(how):
    pasted, labels = PASTED[how]
    assert [entry.label for entry in read_class_list(pasted)] == labels


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=200))
@example("1\t\n\t2")
@example('"\t"')
@example("座號\t姓名")
def test_any_text_gives_entries_that_can_be_read_again(pasted):
    labels = [entry.label for entry in read_class_list(pasted)]
    assert all(labels)
    assert len(set(labels)) <= len(labels) <= max(1, len(pasted))


def test_a_list_that_is_too_long_is_refused():
    assert len(read_class_list("\n".join(map(str, range(1, MOST + 1))))) == MOST
    for pasted in ("\n".join(map(str, range(1, MOST + 2))), "x" * 81):
        with pytest.raises(MessageError):
            read_class_list(pasted)


def missing(classroom):
    told = classroom.console.last["room"]
    come = {person["place"] for person in told["people"]}
    return [label for place, label in enumerate(told["class_list"]) if place not in come]


@pytest.mark.parametrize(
    ("pasted", "names", "left"),
    [
        ("王小明\n李小華\n陳美", ["小明", "陳 美"], ["李小華"]),
        ("王小明\n李小明", ["小明"], ["王小明", "李小明"]),
        ("1 王小明\n2 李小華\n12 陳美", ["１２號", "2小華"], ["1 王小明"]),
        ("1\n2\n3", ["3", "聰明水獺 2"], ["1", "2"]),
        ("Ann Lee\nJoann Lim\nBo", ["ann", "BO"], ["Joann Lim"]),
        ("1 Ann\n2 Bo", ["2 Ann"], ["2 Bo"]),
        ("Zoë\nМария", ["zoe", "Мария П"], []),
    ],
)
def test_who_has_joined_is_known_by_name_or_number(pasted, names, left):
    classroom = Classroom()
    for name in names:
        classroom.joined(name)
    classroom.order("class_list", pasted=pasted)
    assert missing(classroom) == left


def test_the_teacher_says_who_hides_behind_another_name():
    classroom = Classroom()
    otter, fox = classroom.joined("安靜水獺"), classroom.joined("勇敢狐狸")
    classroom.order("class_list", pasted="1 王小明\n2 李小華")
    classroom.order("list_as", person=otter.person, label="2 李小華")
    assert missing(classroom) == ["1 王小明"]
    classroom.order("list_as", person=fox.person, label="2 李小華")
    assert classroom.console.last["room"]["people"][0]["place"] is None
    assert replayed(classroom).people[fox.person].listed_as == "2 李小華"
    assert classroom.order("list_as", person=1, label="9")[0]["type"] == "refused"
    classroom.order("remove", person=fox.person)
    assert missing(classroom) == ["1 王小明", "2 李小華"]


def test_only_the_console_is_told_of_the_list_and_it_can_be_removed():
    classroom = Classroom()
    phone = classroom.joined("Ann")
    classroom.order("class_list", pasted="7 Ann Lindqvist\n8 Bertram Overgaard")
    classroom.order("names", on=False)
    classroom.order("names", on=True)
    late = classroom.joined("Bertram")
    assert missing(classroom) == []
    for page in (phone, late, classroom.projector):
        said = b"".join(page.bytes)
        assert b"Lindqvist" not in said
        assert b"Overgaard" not in said
    classroom.order("class_list", pasted="")
    assert "Overgaard" not in str(classroom.console.last["room"])
