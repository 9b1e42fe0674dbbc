"""What the check of a kit asks: is everything there that a game brings besides its rules?"""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.kit import GameKit, Guide, Lesson
from coursekit.kit.debrief_moment import Played
from coursekit.kit.scene import Look
from coursekit.maps.starters import game_kinds, map_cards, starter_map, starter_topics
from coursekit.reflect.questions import questions
from coursekit.table.run import Run
from coursekit.table.setup_form import describe_form
from coursekit.testing.random_match import CheckError
from coursekit.words.texts import LANGUAGES, game_text, load_texts

TITLES = ("title", "about", "topics")
"""What the start page says of a game."""


def check_kit(kit: GameKit) -> None:
    """Everything that *kit* brings besides its rules is whole, in every language.

    The start page and the form for a new match have their words, the drawings can be read, and each
    strategy plays a match to its end. The parts of a lesson are asked about that match.

    :raises CheckError: at the first thing that is missing.
    """
    with asking(kit, "a text"):
        for id in load_texts(kit.name):
            for language in LANGUAGES:
                if not load_texts(kit.name)[id].get(language):
                    raise CheckError(f"{kit.name}: the text {id!r} is missing in {language}")
    smallest = kit.standard()
    for language in LANGUAGES:
        with asking(kit, f"what a method of a strategy decides ({language})"):
            for phase in smallest.phases:
                game_text(kit.name, f"method.{phase}", language)
        with asking(kit, f"the form for a new match ({language})"):
            describe_form(
                Run(smallest, ["person"] * smallest.players), kit.offered(language), language
            )
        if kit.scene is not None:
            with asking(kit, f"its words on the start page ({language})"):
                for id in TITLES:
                    game_text(kit.name, id, language)
    if kit.guide is not None:
        with asking(kit, "the rules in short, one of which is marked in each phase"):
            _check_guide(kit, kit.guide)
    for file in (kit.art, kit.emblem):
        with asking(kit, f"the drawings in {file}"):
            symbol_ids(file)
    for kind in kit.players(LANGUAGES[0]):
        with asking(kit, f"the strategy {kind.__name__}"):
            play_out(smallest, [kind] * smallest.players, "check")
    for kind in kit.offered():
        for language in LANGUAGES:
            with asking(kit, f"the name of the strategy {kind.__name__}"):
                game_text(kit.name, f"strategy.{kind.__name__}", language)
    _check_parts(kit, kit.load_lesson())


def check_lesson(kit: GameKit) -> None:
    """*kit* brings a whole lesson: strategies to play against, a scene, questions, evidence,
    moments and a map.

    The games of the kit all do; a game of another package need not.

    :raises CheckError: at the first part that is missing.
    """
    lesson = kit.load_lesson()
    asks = {question.name for question in questions(kit.name)}
    parts: dict[str, Any] = {
        "scene": kit.scene,
        "art": kit.art,
        "emblem": kit.emblem,
        "strategy": kit.strategies,
        "question": asks,
        "evidence for its questions": lesson.evidence,
        "moments for the debrief": lesson.moments,
        "starter map": lesson.map,
    }
    for name, part in parts.items():
        if not part:
            raise CheckError(f"{kit.name} brings no {name}")


def drawing_ids(scene: Any) -> Iterator[str]:
    """Yield the ids of the symbols that *scene* draws, wherever a face or a die stands in it."""
    if isinstance(scene, list):
        for part in scene:
            yield from drawing_ids(part)
    elif isinstance(scene, dict):
        faces = [scene.get("face"), scene.get("back"), *scene.get("faces", [])]
        for face in faces:
            if not isinstance(face, dict):
                continue
            if "print" not in face or "art" in face:
                yield f"ck-{face.get('art', 'back')}"
            if "corner" in face and "print" not in face:
                yield f"ck-{face.get('art')}-pip"
        if scene.get("kind") == "pile" and scene["count"] and "back" not in scene:
            yield "ck-back"
        for part in scene.values():
            yield from drawing_ids(part)


@cache
def symbol_ids(file: Path | None) -> frozenset[str]:
    """Return the ids of the symbols in an SVG *file*, none for ``None``."""
    found = [] if file is None else ET.fromstring(file.read_text(encoding="utf-8")).iter()
    return frozenset(element.get("id", "") for element in found if element.tag.endswith("symbol"))


@contextmanager
def asking(kit: GameKit, what: str) -> Iterator[None]:
    """Turn any exception inside into :class:`CheckError`, saying that it was about *what* of *kit*."""
    try:
        yield
    except CheckError:
        raise
    except Exception as error:
        raise CheckError(f"{kit.name}, {what}: {error or type(error).__name__}") from error


def _check_guide(kit: GameKit, guide: Guide) -> None:
    for language in LANGUAGES:
        guide.told(Look(guide.first_game(kit.rules), language))
    marks = [phase for rule in guide.rules for phase in rule.phases]
    if wrong := {phase for phase in (*kit.rules.phases, *marks) if marks.count(phase) != 1}:
        raise CheckError(
            f"{kit.name}: not one of its rules in short, but none or several, is marked in {_listed(wrong)}"
        )


def _check_parts(kit: GameKit, lesson: Lesson) -> None:
    matches = _matches(kit)
    with asking(kit, "the questions, whose ids are question.SOURCE.NAME"):
        asks = questions(kit.name)
    _check_topics(kit, lesson, [question.name for question in asks])
    for number, question in enumerate(asks):
        if lesson.evidence is None:
            break
        language = LANGUAGES[number % len(LANGUAGES)]  # it may draw a picture, which takes a second
        with asking(kit, f"the evidence for the question {question.name!r} ({language})"):
            for match in matches:
                lesson.evidence(question.name, match, match.game.seats, language, 0)
    for language in LANGUAGES:
        if lesson.moments is not None:
            with asking(kit, f"the moments ({language})"):
                for match in matches:
                    lesson.moments([Played(match)], language)
        if lesson.map is not None:
            with asking(kit, f"the starter map ({language})"):
                _check_map(kit, language)


def _check_topics(kit: GameKit, lesson: Lesson, asks: list[str]) -> None:
    """Each question of a topic is one of the game's, and stands in one topic, which has its title."""
    offered = [name for topic in lesson.topics for name in topic.questions]
    if wrong := {name for name in offered if name not in asks or offered.count(name) > 1}:
        raise CheckError(
            f"{kit.name}: its topics name {_listed(wrong)}, which are no questions of it, or not once"
        )
    for topic in lesson.topics:
        if wrong := {*topic.paired} - {*topic.questions}:
            raise CheckError(
                f"{kit.name}: the topic {topic.name!r} pairs {_listed(wrong)}, which it does not ask"
            )
        for language in LANGUAGES:
            with asking(kit, f"the title of the topic {topic.name!r} ({language})"):
                game_text(kit.name, f"topic.{topic.name}", language)


def _check_map(kit: GameKit, language: str) -> None:
    found = {card.card: card for card in map_cards(kit.name, language)}
    if missing := {card.symbol for card in found.values()} - {""} - symbol_ids(kit.art):
        raise CheckError(
            f"{kit.name}: cards of its maps have the drawings {_listed(missing)}, which its art has not"
        )
    for about in ["", *(about for about, _ in starter_topics(kit.name, language))]:
        map = starter_map(kit.name, language, about)
        if missing := {relation.kind for relation in map.relations.values()} - set(
            game_kinds(kit.name)
        ):
            raise CheckError(
                f"{kit.name}: relations of its map have the kinds {_listed(missing)}, which it does not list"
            )
        if missing := {concept.card for concept in map.concepts.values()} - {"", *found}:
            raise CheckError(
                f"{kit.name}: concepts of its map have the cards {_listed(missing)}, which it does not list"
            )


def _matches(kit: GameKit) -> list[Match]:
    """Return some matches to ask about: one of the strongest strategy, and some at random."""
    game = kit.standard()
    kinds: list[type[Strategy]] = [*kit.players(LANGUAGES[0])[-1:], *[AtRandom] * 3]
    return [
        play_out(game, [kind] * game.players, f"check {number}")
        for number, kind in enumerate(kinds)
    ]


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))
