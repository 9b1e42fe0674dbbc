"""A design of Knit Wit as sets: a tag is the set of words that fit it, a region the intersection of
its tags.

Words are a mapping, word -> the tags that it fits: :func:`known` of the lexicon, :func:`accepted`
of a match.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from coursekit.core.errors import OptionError
from coursekit.games.knitwit.after.history import COUNTED, rounds
from coursekit.games.knitwit.rules.design import regions
from coursekit.games.knitwit.rules.lexicon import GAME, Pack
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
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


def known(pack: Pack, language: str) -> dict[str, frozenset[int]]:
    """Return the words of the lexicon of *pack* and the tags that they fit."""
    return {entry.word(language): entry.tags for entry in pack.lexicon}


def accepted(match: "Match") -> dict[str, frozenset[int]]:
    """Return the answers that counted in the last round of *match*, and the tags around their
    spools.
    """
    obs, found = match.game.observe(match.state, None), dict[str, frozenset[int]]()
    for each in rounds(match)[-1].answers:
        if each.fate == COUNTED:
            found[each.text] = found.get(each.text, frozenset()) | frozenset(obs.words(each.number))
    return found


def tag_number(pack: Pack, name: str) -> int:
    """Return the place of the tag that is called *name* in any language.

    :raises OptionError: a ``ValueError`` if there is none; it names similar tags.
    """
    for number, tag in enumerate(pack.tags):
        if name in tag:
            return number
    near = get_close_matches(
        str(name), dict.fromkeys(each for tag in pack.tags for each in tag), cutoff=0.5
    )
    raise OptionError(
        GAME, "tag_unknown.near" if near else "tag_unknown.far", got=shorten(name), near=near
    )


def tagged(pack: Pack, name: str, language: str) -> set[str]:
    """Return the words of the lexicon that fit the tag called *name*.

    :raises OptionError: as :func:`tag_number`.
    """
    try:
        return set(fitting(known(pack, language), [tag_number(pack, name)]))
    except OptionError as error:
        error.tell(language)
        raise


def fitting(words: Words, tags: Iterable[int]) -> list[str]:
    """Return those of *words* that fit all *tags*: the intersection.

    >>> fitting({"sun": frozenset({0, 1}), "lemon": frozenset({0})}, [0, 1])
    ['sun']
    """
    needed = frozenset(tags)
    return [word for word, fits in words.items() if needed <= fits]


# Labels, ordered by inclusion


def labels(obs: Observation, *, spools_only: bool = False) -> set[Label]:
    """Return the labels of a design: of no loop, of each loop, of each region, and all their
    intersections.

    :param spools_only: only the regions with a spool.
    """
    lying = {frozenset(loops) for loops in obs.around}
    found = lying if spools_only else lying | {region.loops for region in regions(obs.loops)}
    found |= {frozenset()} | {frozenset({loop}) for loop in range(len(obs.loops))}
    while more := {one & other for one in found for other in found} - found:
        found |= more
    return found


def covers(found: Iterable[Label]) -> list[tuple[Label, Label]]:
    """Return the pairs of labels (fewer loops, more loops) of which one is next inside the other in
    *found*.
    """
    every = sorted(found, key=lambda label: (len(label), sorted(label)))
    inside = [(few, many) for few in every for many in every if few < many]
    return [(few, many) for few, many in inside if not any(few < each < many for each in every)]


def lattice(
    obs: Observation,
    pack: Pack,
    language: str,
    words: Words | None = None,
    *,
    spools_only: bool = False,
) -> "nx.DiGraph[str]":
    """Return the :func:`labels` of a design as a ``networkx.DiGraph``: from fewer loops to more,
    step by step.

    The intersection of two labels is a node, too, so that any two meet in one (a meet-semilattice).
    A node has its ``kind`` and ``label``, the ``spools`` that lie there ("3 5"), the ``count`` of
    words that fit all its tags, and some of these ``words``; an edge has the ``kind`` "adds" and as
    ``phrase`` the tags that it adds.

    :param words: by default those of the lexicon.
    """
    import networkx as nx

    found = nodes(obs, pack, language, words, spools_only=spools_only)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from((node(label), row) for label, row in found.items())
    for few, many in covers(found):
        graph.add_edge(
            node(few), node(many), kind="adds", phrase=named(obs, pack, many - few, language)
        )
    return graph


def nodes(
    obs: Observation,
    pack: Pack,
    language: str,
    words: Words | None = None,
    *,
    spools_only: bool = False,
) -> dict[Label, dict[str, Any]]:
    """Return the nodes of :func:`lattice` by their labels, from few loops to many, without
    networkx.
    """
    words = known(pack, language) if words is None else words
    spools: dict[Label, list[str]] = {}
    for (number, _, _), loops in sorted(zip(obs.spools, obs.around)):
        spools.setdefault(frozenset(loops), []).append(str(number))
    found = {}
    for label in sorted(
        labels(obs, spools_only=spools_only), key=lambda each: (len(each), sorted(each))
    ):
        fits = fitting(words, (obs.tags[loop] for loop in label if obs.tags[loop] != NO_TAG))
        found[label] = {
            "kind": (TABLE, LOOP, CROSSING)[min(2, len(label))],
            "label": named(obs, pack, label, language),
            "spools": " ".join(spools.get(label, ())),
            "count": len(fits),
            "words": join_words(fits[:SHOWN], language),
        }
    return found


def node(label: Label) -> str:
    """Return the name of a label in the graph.

    >>> node(frozenset({2, 0})), node(frozenset())
    ('0+2', 'table')
    """
    return "+".join(map(str, sorted(label))) or TABLE


def named(obs: Observation, pack: Pack, label: Iterable[int], language: str) -> str:
    """Return the tags of a label in words; a loop without a tag is named by its colour."""
    words = [
        game_text("knitwit", f"loop_name.{loop}", language)
        if obs.tags[loop] == NO_TAG
        else pack.tags[obs.tags[loop]].names[language]
        for loop in sorted(label)
    ]
    return " ∩ ".join(words) or game_text("knitwit", "figure.lattice.table", language)
