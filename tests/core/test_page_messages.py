"""Messages of a page: each is checked before a method hears of it."""

from typing import Any, Literal, NamedTuple, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.core.page_messages import LARGEST_PART, MessageError, Messages, size_of


class Moment(NamedTuple):
    match: str
    branch: int


class Settings(TypedDict, total=False):
    game: str
    minutes: int


class Page:
    messages = Messages()

    def __init__(self) -> None:
        self.heard: list[Any] = []

    @messages.handle("moves_on")
    def act(self, moment: Moment, action: Any, seat: int = 0) -> dict[str, Any]:
        self.heard.append((moment, action, seat))
        return {"type": "done"}

    @messages.handle(kind="try")
    def attempt(self, sender: str, how: Literal["now", "later"], names: list[str]) -> None:
        self.heard.append((sender, how, names))


ACT = {"type": "act", "match": "m", "branch": 2, "action": ["bid", 3]}
TRY = {"type": "try", "how": "now", "names": ["a"]}


def test_a_message_reaches_its_method_with_its_parts() -> None:
    page = Page()
    message = Page.messages.read(ACT | {"seat": 3, "unknown": 1})
    assert message.handler.flags == {"moves_on"}
    assert message.deliver(page) == {"type": "done"}
    assert page.heard == [(Moment("m", 2), ["bid", 3], 3)]


def test_an_optional_part_has_its_default_and_the_transport_names_the_sender() -> None:
    page = Page()
    Page.messages.read(ACT).deliver(page, "left")
    Page.messages.read(TRY).deliver(page, "left")
    assert page.heard == [(Moment("m", 2), ["bid", 3], 0), ("left", "now", ["a"])]


def test_a_child_answers_the_messages_of_its_parent_too() -> None:
    class Child(Page):
        messages = Messages(Page.messages)

        @messages.handle()
        def choose(self, settings: Settings) -> None:
            self.heard.append(settings)

    page = Child()
    for content in (TRY, {"type": "choose", "game": "wizard", "more": 1}, {"type": "choose"}):
        Child.messages.read(content).deliver(page)
    assert page.heard[1:] == [{"game": "wizard"}, {}]
    for content in ({"type": "choose", "minutes": "3"}, {"choose": {}}):
        with pytest.raises(MessageError):
            Child.messages.read(content)
    with pytest.raises(MessageError):
        Page.messages.read({"type": "choose"})


def test_another_part_can_say_the_kind() -> None:
    events = Messages(key="e")
    events.handle(kind="lock")(lambda receiver: receiver.append("locked"))
    doors: list[str] = []
    events.read({"e": "lock"}).deliver(doors)
    assert doors == ["locked"]


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "act",
        {},
        {"type": ["act"]},
        {"type": "attempt", "how": "now", "names": []},
        {"type": "read"},
        {name: part for name, part in ACT.items() if name != "branch"},
        {name: part for name, part in ACT.items() if name != "action"},
        ACT | {"branch": True},
        ACT | {"branch": 2.0},
        ACT | {"seat": None},
        ACT | {"action": "\ud800"},
        TRY | {"how": "never"},
        TRY | {"names": "a"},
        TRY | {"names": ["a", 1]},
    ],
)
def test_another_message_is_refused_in_each_language(content: Any) -> None:
    with pytest.raises(MessageError) as refusal:
        Page.messages.read(content)
    assert refusal.value.text == "message.invalid"


def test_what_is_too_large_says_so() -> None:
    for action in ("x" * LARGEST_PART, [0] * LARGEST_PART, 1 << LARGEST_PART):
        with pytest.raises(MessageError) as refusal:
            Page.messages.read(ACT | {"action": action})
        assert refusal.value.text == "message.too_long"


def test_two_methods_cannot_answer_the_same_message() -> None:
    messages = Messages()
    messages.handle(kind="x")(lambda self: None)
    with pytest.raises(ValueError, match="'x'"):
        messages.handle(kind="x")(lambda self: None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    st.dictionaries(st.sampled_from(["type", *ACT, *TRY]), JSON | st.sampled_from(["act", "try"]))
)
def test_whatever_a_page_sends_is_delivered_whole_or_refused(content: dict[str, Any]) -> None:
    page = Page()
    try:
        message = Page.messages.read(content)
    except MessageError:
        return
    message.deliver(page, "view")
    assert len(page.heard) == 1


@given(JSON)
def test_a_size_counts_at_least_the_letters_of_all_texts(thing: Any) -> None:
    def letters(part: Any) -> int:
        if isinstance(part, str):
            return len(part)
        if isinstance(part, list):
            return sum(map(letters, part))
        if isinstance(part, dict):
            return sum(letters(key) + letters(value) for key, value in part.items())
        return 0

    assert size_of(thing) >= min(letters(thing), LARGEST_PART)
