"""The words of a class's maps: the teacher lets them through before a projector shows them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import focus_question, offered_kinds
from coursekit.room.names import skeleton
from coursekit.words.characters import is_visible
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES

Part = Literal["concept", "phrase"]


class Word(NamedTuple):
    """A label of a concept or a linking phrase, however it is spelled."""

    part: Part
    key: str
    """Its normal form."""


class KitPhrase(NamedTuple):
    """A linking phrase that the kit offers."""

    phrase: str
    kind: str
    """The kind of relations that it stands for."""


def word_of(part: Part, spelling: str) -> Word:
    """Return the word that *spelling* writes."""
    return Word(part, normalise(spelling) or spelling)


def spellings(mind_map: MindMap) -> Iterator[tuple[Word, str]]:
    """Yield all words of *mind_map* with the way it spells them, each as often as it has them."""
    for concept in mind_map.concepts.values():
        yield word_of("concept", concept.label), concept.label
    for relation in mind_map.relations.values():
        if relation.phrase:
            yield word_of("phrase", relation.phrase), relation.phrase


@lru_cache
def kit_phrases(game: str) -> Mapping[Word, KitPhrase]:
    """Return the linking phrases that maps of *game* are offered, in all languages."""
    phrases: dict[Word, KitPhrase] = {}
    for language in LANGUAGES:
        for kind in offered_kinds(game, language):
            phrase = KitPhrase(kind["phrase"], kind["name"])
            phrases.setdefault(word_of("phrase", phrase.phrase), phrase)
    return phrases


@lru_cache
def class_question(game: str, language: str) -> str:
    """Return the question that the map of a class answers, which is the game's own."""
    return focus_question(game, language)


@lru_cache(8192)
def is_listed(spelling: str, listed: Sequence[str]) -> bool:
    """Return whether *spelling* holds one of the *listed* words, in whichever script or number."""
    shapes = skeleton(spelling), skeleton(normalise(spelling))
    return any(word in shape for word in _listed_shapes(listed) for shape in shapes)


@lru_cache
def _listed_shapes(listed: Sequence[str]) -> frozenset[str]:
    """Return what the *listed* words look like, as they are and in their normal form."""
    return frozenset(
        skeleton(form) for word in listed for form in (word, normalise(word)) if is_visible(form)
    )


class LetWords:
    """What the teacher has let through, as the events of a lesson make it."""

    def __init__(self) -> None:
        self.everything = False
        """Whether all is let through, also what comes, except words of the teacher's list."""
        self.ticked: dict[Word, str] = {}
        """What has a tick of its own, spelled as the teacher has seen it."""
        self.held: set[Word] = set()
        """What the teacher has taken back of everything."""

    def let(self, part: Part, spelling: str, on: bool) -> None:
        """Let a word through, or take that back."""
        word = word_of(part, spelling)
        self.ticked.pop(word, None)
        self.held.discard(word)
        if on:
            self.ticked[word] = spelling
        elif self.everything:
            self.held.add(word)

    def let_all(self, on: bool) -> None:
        """Let everything through, or only what has a tick of its own."""
        self.everything = on
        self.held.clear()

    def spell(self, word: Word, ways: Iterable[str], game: str, listed: Sequence[str]) -> str:
        """Return *word* as a projector may show it, "" while it waits.

        A projector shows no other spelling than one that the teacher has seen, the kit's own or,
        of everything, one without a listed word.

        :param ways: in which the class spells it, the most frequent one first.
        """
        if word in self.ticked:
            return self.ticked[word]
        if word in kit_phrases(game):
            return kit_phrases(game)[word].phrase
        if self.everything and word not in self.held:
            return next((way for way in ways if not is_listed(way, listed)), "")
        return ""
