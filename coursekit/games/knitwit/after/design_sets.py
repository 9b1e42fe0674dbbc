"""The design of Knit Wit as sets: a tag is the set of words that fit it.

A region is the intersection of its tags. Words are a mapping, word -> the tags that it fits:
:func:`lexicon_words`, or :func:`accepted_words` of a match.
"""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from coursekit.core.errors import OptionError
from coursekit.games.knitwit.after.history import COUNTED, read_rounds
from coursekit.games.knitwit.rules.lexicon import GAME, Pack
from coursekit.games.knitwit.rules.loop_design import regions
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, join_words, shorten

if TYPE_CHECKING:
    import networkx as nx

    from coursekit.core.match import Match

Words = Mapping[str, frozenset[int]]
"""Word -> the tags that it fits."""
Label = frozenset[int]
"""The loops around a place."""

TABLE, LOOP, CROSSING = "table", "loop", "crossing"
"""Kinds of nodes: inside no loop, one loop, several."""
SHOWN = 8
"""Most words that a node names; its ``count`` is of all."""


def lexicon_words(pack: Pack, language: str | None = None) -> dict[str, frozenset[int]]:
    """Return the words of the lexicon of *pack* and the tags that they fit."""
    language = language or current_language()
    return {entry.word(language): entry.tags for entry in pack.lexicon}


def accepted_words(match: "Match") -> dict[str, frozenset[int]]:
    """Return the answers that counted in the last round of *match*, each with its tags."""
    words: dict[str, frozenset[int]] = {}
    last = read_rounds(match)[-1]
    for answer in last.answers:
        if answer.fate == COUNTED:
            tags = frozenset(last.design.words(answer.number))
            words[answer.text] = words.get(answer.text, frozenset()) | tags
    return words


def tag_number(pack: Pack, name: str) -> int:
    """Return the place of the tag that is called *name* in any language.

    :raises OptionError: a ``ValueError`` if there is none; it names similar tags.
    """
    for number, tag in enumerate(pack.tags):
        if name in tag:
            return number
    names = dict.fromkeys(word for tag in pack.tags for word in tag)
    near = get_close_matches(str(name), names, cutoff=0.5)
    text = "tag_unknown.near" if near else "tag_unknown.far"
    raise OptionError(GAME, text, got=shorten(name), near=near)


def words_with_tag(pack: Pack, name: str, language: str | None = None) -> set[str]:
    """Return the words of the lexicon that fit the tag called *name*.

    :raises OptionError: as :func:`tag_number`.
    """
    language = language or current_language()
    try:
        return {*find_fitting(lexicon_words(pack, language), [tag_number(pack, name)])}
    except OptionError as error:
        error.tell(language)
        raise


def find_fitting(words: Words, tags: Iterable[int]) -> list[str]:
    """Return those of *words* that fit all *tags*: the intersection.

    >>> find_fitting({"sun": frozenset({0, 1}), "lemon": frozenset({0})}, [0, 1])
    ['sun']
    """
    needed = frozenset(tags)
    return [word for word, fits in words.items() if needed <= fits]


# Labels, ordered by inclusion


def labels(obs: Observation, *, spools_only: bool = False) -> list[Label]:
    """Return the labels of a design, from few loops to many.

    They are those of no loop, of each loop, of each region, and all their intersections.

    :param spools_only: only the regions with a spool.
    """
    label_set = {frozenset[int](), *map(frozenset, obs.around)}
    label_set |= {frozenset({loop}) for loop in range(len(obs.loops))}
    if not spools_only:
        label_set |= {region.loops for region in regions(obs.loops)}
    while more := {one & other for one in label_set for other in label_set} - label_set:
        label_set |= more
    return sorted(label_set, key=lambda label: (len(label), sorted(label)))


def covers(ordered: Collection[Label]) -> list[tuple[Label, Label]]:
    """Return the pairs of labels (fewer loops, more loops) that are next to each other."""
    inside = [(few, many) for few in ordered for many in ordered if few < many]
    return [
        (few, many) for few, many in inside if not any(few < between < many for between in ordered)
    ]


def lattice(
    obs: Observation,
    pack: Pack,
    language: str | None = None,
    words: Words | None = None,
    *,
    spools_only: bool = False,
) -> "nx.DiGraph[str]":
    """Return the :func:`labels` of a design as a ``networkx.DiGraph``, from fewer loops to more.

    The intersection of two labels is a node, too, so that any two meet in one (a meet-semilattice).
    A node has its ``kind`` and ``label``, the ``spools`` that lie there ("3 5"), the ``count`` of
    words that fit all its tags, and some of these ``words``; an edge has the ``kind`` "adds" and as
    ``phrase`` the tags that it adds.

    :param words: by default those of the lexicon.
    """
    language = language or current_language()
    import networkx as nx

    rows = lattice_rows(obs, pack, language, words, spools_only=spools_only)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from((node_name(label), row) for label, row in rows.items())
    for few, many in covers(rows):
        phrase = name_label(obs, pack, many - few, language)
        graph.add_edge(node_name(few), node_name(many), kind="adds", phrase=phrase)
    return graph


def lattice_rows(
    obs: Observation,
    pack: Pack,
    language: str,
    words: Words | None = None,
    *,
    spools_only: bool = False,
) -> dict[Label, dict[str, Any]]:
    """Return what the nodes of :func:`lattice` say, by label, without networkx."""
    if words is None:
        words = lexicon_words(pack, language)
    spools: dict[Label, list[str]] = {}
    for (number, _, _), loops in sorted(zip(obs.spools, obs.around)):
        spools.setdefault(frozenset(loops), []).append(str(number))
    rows = {}
    for label in labels(obs, spools_only=spools_only):
        tags = {obs.tags[loop] for loop in label} - {NO_TAG}
        fitting = find_fitting(words, tags)
        rows[label] = {
            "kind": (TABLE, LOOP, CROSSING)[min(2, len(label))],
            "label": name_label(obs, pack, label, language),
            "spools": " ".join(spools.get(label, ())),
            "count": len(fitting),
            "words": join_words(fitting[:SHOWN], language),
        }
    return rows


def node_name(label: Label) -> str:
    """Return the name of a label in the graph.

    >>> node_name(frozenset({2, 0})), node_name(frozenset())
    ('0+2', 'table')
    """
    return "+".join(map(str, sorted(label))) or TABLE


def name_label(obs: Observation, pack: Pack, label: Iterable[int], language: str) -> str:
    """Return the tags of a label in words; a loop without a tag is named by its colour."""
    words = []
    for loop in sorted(label):
        tag = obs.tags[loop]
        if tag == NO_TAG:
            words.append(game_text("knitwit", f"loop_name.{loop}", language))
        else:
            words.append(pack.tags[tag].word(language))
    return " ∩ ".join(words) or game_text("knitwit", "figure.lattice.table", language)
