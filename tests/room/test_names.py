"""Names: no two look alike, and none can do harm where it is shown."""

from random import Random

import pytest
from classroom import Classroom, known, replayed

from coursekit.core.page_messages import MessageError
from coursekit.room.names import LONGEST, check_name, has_listed_word, propose_name, skeleton
from coursekit.words.texts import LANGUAGES

ALIKE = [
    ("Ada", "ada"),
    ("Ada", "АDА"),
    ("Ada", "Ａｄａ"),
    ("Ada 1", "Adal"),
    ("Ada", "A.d-a"),
    ("Ada", "Ádá"),
    ("Olga", "0lga"),
    ("Ina", "lna"),
    ("安安", "安 安"),
    ("Eve", "Εvе"),
    ("Ada", "A\u0335da"),
    ("Bob", "Bob!"),
    ("Helen", "Ηelen"),
    ("HENRY", "ΗΕΝRΥ"),
]
APART = [
    ("Ada", "Adam"),
    ("安安", "安安安"),
    ("小明", "小華"),
    ("Ann", "Anna"),
    ("🐱", "🐶"),
    ("Zoë", "Zora"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_not_both_taken(one, other):
    for taken, name in ((one, other), (other, one)):
        with pytest.raises(MessageError):
            check_name(name, [taken])


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_names_are_taken_both(one, other):
    assert check_name(one, [other]) == one
    assert check_name(other, [one]) == other


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\n",
        "x" * 17,
        "x" * 500,
        "字" * 500,
        "a\x00b",
        "a\x1bb",
        "a\u202eb",
        "a\u200bb",
        "\ufeff",
        "a\x7f",
        "\ue000",
        "\u3164",
        "a\u3164",
        "\u2800\u2800",
        "\u115f\u1160",
        "a\u034fb",
    ],
)
def test_these_names_are_refused_in_every_language(name):
    with pytest.raises(MessageError) as error:
        check_name(name, [])
    assert all(error.value.sentence(language) for language in LANGUAGES)
    phone = Classroom().phone()
    assert [each["type"] for each in phone.send("join", name=name)] == ["refused"]


def test_a_name_is_shown_as_it_was_typed_but_for_blanks():
    assert check_name("  Ann   Lee ", []) == "Ann Lee"
    assert check_name("Zoe\u0308", []) == "Zoë"
    assert len(check_name("x" * LONGEST, [])) == LONGEST


@pytest.mark.parametrize(
    "name", ["<b>Ann</b>", "<script>", "&amp;", "'\"`", "{name}", "%s", "\\u0041", "../..", "</a"]
)
def test_a_name_with_signs_of_other_languages_stays_as_it_is(name):
    classroom = Classroom("wizard")
    for each in (name, "Bob", "Cy"):
        classroom.joined(each)
    classroom.order("deal")
    assert [each["name"] for each in classroom.projector.last["room"]["people"]] == [
        name,
        "Bob",
        "Cy",
    ]
    phone = classroom.phones[1]
    zones = [zone for scene in phone.view["scenes"] for zone in scene["zones"]]
    names = [place["name"] for zone in zones for place in zone.get("places", [])]
    assert name in names
    (page,) = [each for each in phone.send("mine") if each["type"] == "page"]
    assert name not in page["text"]
    (page,) = [each for each in classroom.phones[0].send("mine") if each["type"] == "page"]
    assert "<script>Ann" not in page["text"]
    assert "<b>Ann" not in page["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_proposed_names_differ_and_can_be_taken(language):
    taken: list[str] = []
    for number in range(640):  # more than there are pairs of words
        name = propose_name(taken, Random(number), language)
        taken.append(
            name if number > 600 else check_name(name, taken) if number % 60 == 0 else name
        )
    assert len({skeleton(each) for each in taken}) == 640
    assert max(map(len, taken)) <= LONGEST


def test_two_phones_are_proposed_different_names():
    classroom = Classroom()
    names = []
    for _ in range(12):
        phone = classroom.phone()
        names.append(phone.last["propose"]["name"])
        assert phone.send("join", name=names[-1])[0]["type"] == "welcome"
        classroom.phones.append(phone)
    assert len(set(names)) == 12


def test_a_word_that_waits_for_the_teacher_is_found_in_every_spelling():
    for name in ("Dumbo", "DUMB ox", "xＤumb", "d-u-m-b"):
        assert has_listed_word(name, ["dumb"])
    assert not has_listed_word("Mud", ["dumb", "", " "])


def test_while_names_are_off_nobody_is_sent_another_ones():
    classroom = Classroom("wizard")
    phones = [classroom.joined(name) for name in ("Annabel", "Bertram", "Cecilia")]
    classroom.order("names", on=False)
    classroom.order("deal")
    before = [len(each.bytes) for each in classroom.all]
    classroom.order("say", text="Now without names")
    for phone in [*phones, classroom.projector]:
        others = {"Annabel", "Bertram", "Cecilia"} - {phone.last.get("room", {}).get("you")}
        shown = str(phone.last["room"]) + str(phone.last.get("view"))
        assert not any(name in shown for name in others)
    assert "Annabel" in str(classroom.console.last["room"])
    classroom.order("names", on=True)
    assert "Annabel" in str(phones[1].view)
    assert before


def seen_by_others(classroom, person):
    (entry,) = [
        each for each in classroom.projector.last["room"]["people"] if each["person"] == person
    ]
    return entry["name"]


def test_names_wait_for_the_teacher_while_the_tick_is_set_also_of_those_who_are_there():
    classroom = Classroom()
    ann, bob = classroom.joined("Ann"), classroom.joined("Bob")
    classroom.order("approve", person=ann.person)
    classroom.order("set", names_wait=True)
    cy = classroom.joined("Cy")
    assert [seen_by_others(classroom, who) for who in (1, 2, 3)] == ["Ann", "Pupil 2", "Pupil 3"]
    assert [phone.last["room"]["shown"] for phone in (ann, bob, cy)] == ["", "Pupil 2", "Pupil 3"]
    classroom.order("deal")
    assert "Bob" not in str(ann.view) + str(cy.view)
    classroom.order("approve", person=2)
    assert "Bob" in str(ann.view)
    classroom.order("set", names_wait=False)
    assert "Cy" in str(ann.view)


def test_the_list_of_words_applies_to_who_is_there_already():
    classroom = Classroom()
    for name in ("Ann", "Dumbo", "Dumbledore"):
        classroom.joined(name)
    classroom.order("approve", person=3)
    classroom.order("set", words="dumb")
    assert [seen_by_others(classroom, who) for who in (1, 2, 3)] == ["Ann", "Pupil 2", "Dumbledore"]
    classroom.order("set", names_wait=True)
    classroom.order("approve")  # all but those that hold such a word
    assert [seen_by_others(classroom, who) for who in (1, 2)] == ["Ann", "Pupil 2"]
    classroom.order("set", words="", names_wait=False)
    assert seen_by_others(classroom, 2) == "Dumbo"
    classroom.order("approve", person=1, on=False)
    assert seen_by_others(classroom, 1) == "Pupil 1"
    assert replayed(classroom).name(1) == classroom.lesson.name(1)


def test_names_are_off_from_the_waiting_room_on():
    classroom = Classroom()
    phone = classroom.joined("Ann")
    classroom.order("names", on=False)
    late = classroom.joined("Bob")
    assert seen_by_others(classroom, 1) == phone.last["room"]["shown"] == "Pupil 1"
    assert late.last["room"]["shown"] == "Pupil 2"
    assert "Bob" not in b"".join(classroom.projector.bytes).decode()


def test_pupils_correct_their_names_until_the_deal():
    classroom = Classroom(words="dumb")
    ann, _ = classroom.joined("Anm"), classroom.joined("Bob")
    assert [each["type"] for each in ann.send("rename", name="Bob", n=1)] == ["refused"]
    assert "done" in [each["type"] for each in ann.send("rename", name="  Ann ", n=2)]
    assert ann.last["room"]["you"] == seen_by_others(classroom, 1) == "Ann"
    ann.send("rename", name="Dumbo", n=3)
    assert seen_by_others(classroom, 1) == ann.last["room"]["shown"] == "Pupil 1"
    ann.send("rename", name="ANN", n=4)
    assert seen_by_others(classroom, 1) == "ANN"
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_after_the_deal_the_teacher_agrees_to_another_name_or_does_not():
    classroom = Classroom()
    ann, bob = classroom.joined("Anm"), classroom.joined("Bob")
    classroom.order("deal")
    ann.send("rename", name="Ann", n=1)
    assert (ann.last["room"]["you"], ann.last["room"]["wish"]) == ("Anm", "Ann")
    assert "Ann" not in str(bob.last) + str(classroom.projector.last)
    assert classroom.console.last["room"]["people"][0]["wish"] == "Ann"
    classroom.order("agree", person=1, on=False)
    assert ann.last["room"]["wish"] == ""
    assert "“Ann”" in ann.last["room"]["news"]["words"]
    ann.send("rename", name="Annie", n=2)
    assert known(replayed(classroom)) == known(classroom.lesson)
    classroom.order("agree", person=1, on=True)
    assert "Annie" in str(bob.view)
    assert ann.last["room"]["you"] == "Annie"
    assert "“Annie”" in ann.last["room"]["news"]["words"]
    assert classroom.order("agree", person=1, on=True)[0]["type"] == "refused"


def test_a_name_that_another_pupil_took_meanwhile_is_not_given_twice():
    classroom = Classroom()
    ann, bob = classroom.joined("Ann"), classroom.joined("Bob")
    classroom.order("deal")
    ann.send("rename", name="Cy", n=1)
    bob.send("rename", name="cy", n=1)
    classroom.order("agree", person=2, on=True)
    assert classroom.order("agree", person=1, on=True)[0]["type"] == "refused"
    assert [person.name for person in classroom.lesson.members] == ["Ann", "cy"]
