"""The content of a journal by game, as Markdown and as a table; ``handin_page`` has the page."""

import json
import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, replay
from coursekit.files.csvfile import write_csv
from coursekit.journal.entries import (
    Answer,
    Judgements,
    MapEntry,
    MatchEntry,
    current_verdicts,
    game_of,
)
from coursekit.journal.journal import Whole
from coursekit.kit import GAMES, kit_of
from coursekit.maps.file_writer import escape_markdown
from coursekit.maps.journal_map import parse_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import focus_question
from coursekit.reflect.questions import Question, questions
from coursekit.words.texts import game_text, join_words, load_texts, seat_name, text

TEXTS = "journal.page."
log = logging.getLogger(__name__)


class MatchResult(NamedTuple):
    """How a match ended, told to one of those who played it."""

    title: str
    lines: Sequence[str]
    heads: Sequence[str]
    rows: Sequence[tuple[Sequence[str], bool]]
    """The cells of each row, and whether it is the reader's own."""
    note: str
    decided: str
    """How many decisions the reader took."""
    decisions: Sequence[str]
    """What came of each of them, in order."""


class GameEntries(NamedTuple):
    """What a journal holds of one game, ready to be shown."""

    game: str  # "" for entries of no game
    answers: Sequence[tuple[Question | None, Answer]]  # in the order of the questions
    questions: int  # how many questions the game has; 0 where it does not matter
    maps: Mapping[str, MapEntry]  # by their name within the game
    judgements: Mapping[str, Judgements]  # by the name of the map
    matches: Sequence[MatchEntry]
    results: Sequence[MatchResult] = ()


def entries_by_game(whole: Whole, game: str = "") -> list[GameEntries]:
    """Return what a journal holds, game by game; *game* selects one, ``""`` all."""
    answers = {
        key: answer for key, answer in whole.answers.items() if answer.text.strip() or answer.others
    }
    whole = whole._replace(answers=answers)
    there = {game_of(key): None for key in (*answers, *whole.maps)}
    there |= {match.game: None for match in whole.matches}
    order = dict.fromkeys((*GAMES, *there))
    return [_entries(name, whole) for name in order if name in there and game in ("", name)]


def _entries(game: str, whole: Whole) -> GameEntries:
    asked = {question.key: question for question in questions(game)} if game in GAMES else {}
    others = [key for key in whole.answers if key not in asked and game_of(key) == game]
    keys = [key for key in (*asked, *others) if key in whole.answers]
    maps = {key: entry for key, entry in whole.maps.items() if game_of(key) == game}
    return GameEntries(
        game,
        [(asked.get(key), whole.answers[key]) for key in keys],
        len(asked),
        {_name(key): entry for key, entry in maps.items()},
        {_name(key): whole.judgements.get(key, {}) for key in maps},
        [match for match in whole.matches if match.game == game],
    )


def _name(key: str) -> str:
    return key.partition("/")[2]


def game_title(game: str, language: str) -> str:
    """Return the title of *game*."""
    if game in GAMES:
        return load_texts(kit_of(game).name)["title"][language]
    return game or text(f"{TEXTS}no_game", language)


def map_title(name: str, language: str) -> str:
    """Return the title of a map; a map without a name of its own is just "the map"."""
    if name == "map":
        return text(f"{TEXTS}the_map", language)
    return text(f"{TEXTS}map", language, name=name)


def map_size(entry: MapEntry) -> tuple[int, int]:
    """Return the numbers of concepts and relations of a map, ``(0, 0)`` if it cannot be read."""
    try:
        data = json.loads(entry.text)
        return len(data["nodes"]), len(data["edges"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0, 0


def open_map(entry: MapEntry) -> MindMap | None:
    """Return a map, ``None`` if it cannot be read."""
    try:
        return parse_map(entry.text)
    except Exception:  # a damaged file, or a bug in the kit: the rest can be handed in
        log.exception("a map could not be read")
        return None


def question_of(mind_map: MindMap, game: str, language: str) -> str:
    """Return the question that a map answers, marked if it was only suggested; "" for none."""
    suggestion = "" if mind_map.focus else focus_question(game, language)
    if suggestion:
        return text(f"{TEXTS}suggested", language, question=suggestion)
    return mind_map.focus


def propositions(
    entries: GameEntries, name: str, mind_map: MindMap, language: str
) -> list[tuple[str, str]]:
    """Return each relation of a map as a sentence, with the verdicts on it."""
    sentences = {relation: mind_map.sentence(relation) for relation in mind_map.relations}
    verdicts: dict[str, list[str]] = {relation: [] for relation in sentences}
    judgements = current_verdicts(entries.judgements[name], sentences)
    for judge, words in judgements.items():
        for relation, word in words.items():
            verdict = text(f"journal.page.said.{word}", language, judge=judge)
            verdicts[relation].append(verdict)
    return [
        (sentence, join_words(verdicts[relation], language))
        for relation, sentence in sentences.items()
    ]


def match_row(match: MatchEntry, language: str) -> tuple[str, str, str, str]:
    """Return when a match was saved, its players, whether it is over, and its points.

    Instead of points there may be a sentence why they are unknown.
    """
    when = local_time(match.saved)
    state = text(f"{TEXTS}{'over' if match.over else 'running'}", language)
    try:
        replayed = replay(Record.loads(match.record))
        names = [seat_name(seat, language, replayed.names) for seat in replayed.game.seats]
        people = [names[seat] for seat in match.people if seat < len(names)]
        scores = zip(names, replayed.game.scores(replayed.state))
        points = [text(f"{TEXTS}points", language, who=who, points=won) for who, won in scores]
        return when, join_words(people, language), state, join_words(points, language)
    except LocalizedError as error:
        return when, "", state, error.sentence(language)
    except Exception:  # a bug in the kit: the rest can be handed in
        log.exception("a match could not be read")
        return when, "", state, text(f"{TEXTS}match_unread", language)


def matches_by_game(matches: Sequence[MatchEntry], language: str) -> str:
    """Return the number of *matches* of each game, in words."""
    parts = []
    for game, count in Counter(match.game for match in matches).items():
        title = game_title(game, language)
        parts.append(text(f"{TEXTS}matches_of", language, game=title, count=count))
    return join_words(parts, language)


def local_time(saved: str) -> str:
    """Return a time in the local time zone, to the minute; another text stays as it is."""
    try:
        return datetime.fromisoformat(saved).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return saved


def question_text(question: Question | None, answer: Answer, language: str) -> str:
    """Return the question as it was asked."""
    return answer.question or (question.words[language] if question else "")


def source_text(game: str, question: Question | None, language: str) -> str:
    """Return who wrote *question*, "" for one that the game no longer asks."""
    return game_text(game, f"reflect.source.{question.source}", language) if question else ""


# Markdown


def escape_prose(words: str) -> str:
    """Return *words* escaped so that Markdown shows them as they are, line by line."""
    lines = [
        re.sub(r"^(\d*)([-=.):])", r"\1\\\2", escape_markdown(line))
        for line in words.strip().splitlines()
    ]
    parts = re.split("\n{2,}", "\n".join(lines))
    return "\n\n".join(part.replace("\n", "  \n") for part in parts)


def markdown(
    games: Sequence[GameEntries], language: str, name: str = "", heading: str = f"{TEXTS}title"
) -> str:
    """Return a page in Markdown: answers, the sentences of maps, and the matches.

    :param heading: id of its title's text.
    """
    parts = [f"# {text(heading, language)}"]
    if name.strip():
        parts.append(escape_prose(name))
    for game in games:
        parts.append(f"## {escape_markdown(game_title(game.game, language))}")
        parts += _answer_parts(game, language)
        for key, entry in game.maps.items():
            parts.append(f"### {escape_markdown(map_title(key, language))}")
            parts += _map_parts(game, key, entry, language)
        if game.matches:
            rows = [" · ".join(filter(None, match_row(match, language))) for match in game.matches]
            parts.append(f"### {text(f'{TEXTS}matches', language)}")
            parts.append("\n".join("- " + escape_prose(row) for row in rows))
    if not games:
        parts.append(text(f"{TEXTS}nothing", language))
    return "\n\n".join(parts) + "\n"


def _answer_parts(game: GameEntries, language: str) -> Iterator[str]:
    other = text("reflect.other_version", language)
    for question, answer in game.answers:
        yield f"### {escape_markdown(question_text(question, answer, language))}"
        if answer.text.strip():
            yield escape_prose(answer.text)
        for words, saved in answer.others:
            yield f"*{other}* {escape_markdown(local_time(saved))}"
            yield escape_prose(words)


def _map_parts(game: GameEntries, name: str, entry: MapEntry, language: str) -> Iterator[str]:
    mind_map = open_map(entry)
    if mind_map is None:
        yield text(f"{TEXTS}map_unread", language)
        return
    if question := question_of(mind_map, game.game, language):
        yield escape_prose(question)
    lines = []
    for sentence, verdict in propositions(game, name, mind_map, language):
        lines.append("- " + escape_prose(f"{sentence} ({verdict})" if verdict else sentence))
    if lines:
        yield "\n".join(lines)


# A table


def spreadsheet(games: Sequence[GameEntries], language: str, name: str = "") -> str:
    """Return answers and the propositions of maps as CSV, one a row, with the verdicts on each.

    Versions of an answer from other windows have their own rows.
    """
    columns = ("name", "game", "kind", "question", "whose", "answer", "said", "saved", "version")
    rows = [[text(f"{TEXTS}column.{column}", language) for column in columns]]
    for game in games:
        about = [name, game_title(game.game, language)]
        for row in (*_answer_rows(game, language), *_map_rows(game, language)):
            rows.append([*about, *row])
    return write_csv(rows)


def _answer_rows(game: GameEntries, language: str) -> Iterator[tuple[str, ...]]:
    kind, other = text(f"{TEXTS}kind.answer", language), text(f"{TEXTS}other", language)
    for question, answer in game.answers:
        versions = [(answer.text, answer.saved, "")] if answer.text.strip() else []
        versions += [(words, saved, other) for words, saved in answer.others]
        asked = question_text(question, answer, language)
        whose = source_text(game.game, question, language)
        for words, saved, note in versions:
            yield kind, asked, whose, words, "", local_time(saved), note


def _map_rows(game: GameEntries, language: str) -> Iterator[tuple[str, ...]]:
    kind = text(f"{TEXTS}kind.proposition", language)
    for name, entry in game.maps.items():
        about, saved = map_title(name, language), local_time(entry.saved)
        rows = [(text(f"{TEXTS}map_unread", language), "")]
        mind_map = open_map(entry)
        if mind_map is not None:
            rows = propositions(game, name, mind_map, language)
            question = question_of(mind_map, game.game, language)
            about = " · ".join(filter(None, [about, question]))
        for sentence, verdict in rows:
            yield kind, about, "", sentence, verdict, saved, ""
