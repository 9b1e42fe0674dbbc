"""The checks of what a game brings besides its rules: texts, drawings, strategies, a lesson."""

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
        for text_id, languages in load_texts(kit.name).items():
            for language in LANGUAGES:
                if not languages.get(language):
                    raise CheckError(f"{kit.name}: the text {text_id!r} is missing in {language}")
    smallest = kit.standard()
    for language in LANGUAGES:
        with asking(kit, f"what a method of a strategy decides ({language})"):
            for phase in smallest.phases:
                game_text(kit.name, f"method.{phase}", language)
        with asking(kit, f"the form for a new match ({language})"):
            describe_form(
                Run(smallest, ["person"] * smallest.players),
                kit.offered_strategies(language),
                language,
            )
        if kit.scene is not None:
            with asking(kit, f"its words on the start page ({language})"):
                for text_id in TITLES:
                    game_text(kit.name, text_id, language)
    if kit.guide is not None:
        with asking(kit, "the rules in short, one of which is marked in each phase"):
            _check_guide(kit, kit.guide)
    for file in (kit.art, kit.emblem):
        with asking(kit, f"the drawings in {file}"):
            symbol_ids(file)
    for kind in kit.players(LANGUAGES[0]):
        with asking(kit, f"the strategy {kind.__name__}"):
            play_out(smallest, [kind] * smallest.players, "check")
    for kind in kit.offered_strategies():
        for language in LANGUAGES:
            with asking(kit, f"the name of the strategy {kind.__name__}"):
                game_text(kit.name, f"strategy.{kind.__name__}", language)
    _check_parts(kit, kit.load_lesson())


def check_lesson(kit: GameKit) -> None:
    """*kit* brings a whole lesson, with strategies, a scene, questions, evidence, moments, a map.

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
        "starter map": lesson.map_starter,
    }
    for name, part in parts.items():
        if not part:
            raise CheckError(f"{kit.name} brings no {name}")


def drawing_ids(scene: Any) -> Iterator[str]:
    """Yield the ids of the symbols that *scene*, or a part of it, draws as faces and backs."""
    if isinstance(scene, dict):
        for face in (scene.get("face"), scene.get("back"), *scene.get("faces", [])):
            if isinstance(face, dict):
                is_drawn = "print" not in face
                if is_drawn or "art" in face:
                    yield f"ck-{face.get('art', 'back')}"
                if is_drawn and "corner" in face:
                    yield f"ck-{face.get('art')}-pip"
        if scene.get("kind") == "pile" and scene["count"] and "back" not in scene:
            yield "ck-back"
        # Pieces, places and zones lie at any depth.
        scene = list(scene.values())
    if isinstance(scene, list):
        for part in scene:
            yield from drawing_ids(part)


@cache
def symbol_ids(file: Path | None) -> frozenset[str]:
    """Return the ids of the symbols in an SVG *file*, none for ``None``."""
    if file is None:
        return frozenset()
    elements = ET.fromstring(file.read_text(encoding="utf-8")).iter()
    return frozenset(
        element.get("id", "") for element in elements if element.tag.endswith("symbol")
    )


@contextmanager
def asking(kit: GameKit, what: str) -> Iterator[None]:
    """Turn any exception inside into a :class:`CheckError` about *what* of *kit*."""
    try:
        yield
    except CheckError:
        raise
    except Exception as error:
        raise CheckError(f"{kit.name}, {what}: {error or type(error).__name__}") from error


def _check_guide(kit: GameKit, guide: Guide) -> None:
    for language in LANGUAGES:
        guide.list_rules(Look(guide.first_game(kit.rules), language))
    marks = [phase for rule in guide.rules for phase in rule.phases]
    wrong = {phase for phase in (*kit.rules.phases, *marks) if marks.count(phase) != 1}
    if wrong:
        what = "not one of its rules in short, but none or several, is marked"
        raise CheckError(f"{kit.name}: {what} in {_join(wrong)}")


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
        if lesson.map_starter is not None:
            with asking(kit, f"the starter map ({language})"):
                _check_map(kit, language)


def _check_topics(kit: GameKit, lesson: Lesson, asks: list[str]) -> None:
    """Check that each question of a topic is the game's, and in one topic, which has a title."""
    offered = [name for topic in lesson.topics for name in topic.questions]
    wrong = {name for name in offered if name not in asks or offered.count(name) > 1}
    if wrong:
        what = f"its topics name {_join(wrong)}"
        raise CheckError(f"{kit.name}: {what}, which are no questions of it, or not once")
    for topic in lesson.topics:
        if wrong := {*topic.paired} - {*topic.questions}:
            what = f"the topic {topic.name!r} pairs {_join(wrong)}"
            raise CheckError(f"{kit.name}: {what}, which it does not ask")
        for language in LANGUAGES:
            with asking(kit, f"the title of the topic {topic.name!r} ({language})"):
                game_text(kit.name, f"topic.{topic.name}", language)


def _check_map(kit: GameKit, language: str) -> None:
    cards = map_cards(kit.name, language)
    if missing := {card.symbol for card in cards} - {""} - symbol_ids(kit.art):
        what = f"cards of its maps have the drawings {_join(missing)}"
        raise CheckError(f"{kit.name}: {what}, which its art has not")
    allowed_cards = {"", *(card.card for card in cards)}
    for about in ["", *(about for about, _ in starter_topics(kit.name, language))]:
        mind_map = starter_map(kit.name, language, about)
        relation_kinds = {relation.kind for relation in mind_map.relations.values()}
        if missing := relation_kinds - set(game_kinds(kit.name)):
            what = f"relations of its map have the kinds {_join(missing)}"
            raise CheckError(f"{kit.name}: {what}, which it does not list")
        concept_cards = {concept.card for concept in mind_map.concepts.values()}
        if missing := concept_cards - allowed_cards:
            what = f"concepts of its map have the cards {_join(missing)}"
            raise CheckError(f"{kit.name}: {what}, which it does not list")


def _matches(kit: GameKit) -> list[Match]:
    """Return some matches to ask about: one of the strongest strategy, and some at random."""
    game = kit.standard()
    kinds: list[type[Strategy]] = [*kit.players(LANGUAGES[0])[-1:], *[AtRandom] * 3]
    return [
        play_out(game, [kind] * game.players, f"check {number}")
        for number, kind in enumerate(kinds)
    ]


def _join(names: set[str]) -> str:
    return ", ".join(sorted(names))
