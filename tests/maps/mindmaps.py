"""Maps for the tests: one fixed, many by chance."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from lanes import some

from coursekit.maps.elements import SIDE, MapError
from coursekit.maps.mindmap import MindMap


def sample() -> MindMap:
    """Return a map of seven concepts; its numbers are worked out by hand in test_mindmap_study.py.

    ::

        knowledge ─has─▶ book ─names─▶ author ◀─checks─ editor
            │ has                                        ▲
            ▼                    knowledge ─needs────────┘
        wiki ─lists─▶ source        wiki ─(no words)─▶ editor        alone
        source ─proves─▶ book
    """
    mind_map = MindMap("Whom can we trust?")
    knowledge, book, wiki, author, source, editor, _ = (
        mind_map.add(name) for name in "knowledge book wiki author source editor alone".split()
    )  # c1 … c7
    mind_map.link(knowledge, "has", book)  # r8
    mind_map.link(knowledge, "has", wiki)  # r9
    mind_map.link(book, "names", author)  # r10
    mind_map.link(wiki, "lists", source)  # r11
    mind_map.link(source, "proves", book)  # r12
    mind_map.link(wiki, "", editor)  # r13
    mind_map.link(knowledge, "needs", editor)  # r14
    mind_map.link(editor, "checks", author, kind="example")  # r15
    return mind_map


# By chance

checked = settings(max_examples=some(60), deadline=None)
WORDS = st.text(
    st.sampled_from("aB =+-@'\"<&>\n\r\t,;#*0臺台破壞《》＝\x00\u202e\u3000\U0001f9f6\ufffe"),
    max_size=6,
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "link", "link", "change", "remove", "move", "ask"]),
        st.integers(0, 9),
        st.integers(0, 9),
        WORDS,
        WORDS,
    ),
    max_size=25,
)


def edit(mind_map: MindMap, what: str, one: int, other: int, words: str, more: str) -> None:
    """Make one edit, whatever it is; what is refused changes nothing."""
    concepts, relations = list(mind_map.concepts), list(mind_map.relations)
    things = concepts + relations

    def pick(ids: list[str], number: int) -> str:
        return ids[number % len(ids)] if ids else "c0"

    try:
        if what == "add":
            mind_map.add(words, note=more, kind=more)
        elif what == "link":
            mind_map.link(pick(concepts, one), words, pick(concepts, other), note=more)
        elif what == "change":
            field: dict[str, Any] = {"note": more} if other % 2 else {"kind": words}
            mind_map.change(pick(things, one), **field)
        elif what == "remove":
            mind_map.remove(pick(things, one))
        elif what == "move":
            mind_map.move({pick(concepts, one): (one, SIDE - other)})
        else:
            mind_map.ask(words, top=pick(concepts, one) if concepts and other % 2 else "")
    except MapError:
        pass


def grow_map(edits: list[tuple[str, int, int, str, str]]) -> MindMap:
    mind_map = MindMap("?")
    for edit_parts in edits:
        edit(mind_map, *edit_parts)
    return mind_map


MAPS = EDITS.map(grow_map)
