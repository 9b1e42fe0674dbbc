"""The content of a journal by game, as Markdown and as a table; :mod:`.handin_page` has the page to
print.
"""

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


class GameEntries(NamedTuple):
    """What a journal holds of one game, ready to be shown."""

    game: str  # "" for entries of no game
    answers: Sequence[tuple[Question | None, Answer]]  # in the order of the questions
    questions: int  # how many questions the game has
    maps: Mapping[str, MapEntry]  # by their name within the game
    judged: Mapping[str, Judgements]  # by the name of the map
    matches: Sequence[MatchEntry]


def entries_by_game(whole: Whole, game: str = "") -> list[GameEntries]:
    """Return what a journal holds, game by game; *game* selects one, ``""`` all."""
    written = {key: each for key, each in whole.answers.items() if each.text.strip() or each.others}
    found = [game_of(key) for key in (*written, *whole.maps)] + [
        each.game for each in whole.matches
    ]
    games = [
        each for each in dict.fromkeys((*GAMES, *found)) if each in found and game in ("", each)
    ]
    return [_held(each, whole._replace(answers=written)) for each in games]


def _held(game: str, whole: Whole) -> GameEntries:
    asked = {each.key: each for each in questions(game)} if game in GAMES else {}
    order = [*asked, *(key for key in whole.answers if key not in asked and game_of(key) == game)]
    answers = [(asked.get(key), whole.answers[key]) for key in order if key in whole.answers]
    maps = {key: each for key, each in whole.maps.items() if game_of(key) == game}
    judged = {_name(key): whole.judgements.get(key, {}) for key in maps}
    matches = [each for each in whole.matches if each.game == game]
    return GameEntries(
        game, answers, len(asked), {_name(key): each for key, each in maps.items()}, judged, matches
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
    return (
        text(f"{TEXTS}map", language, name=name)
        if name != "map"
        else text(f"{TEXTS}the_map", language)
    )


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


def question_of(map: MindMap, game: str, language: str) -> str:
    """Return the question that a map answers, marked if it was only suggested; "" if there is none."""
    suggested = "" if map.focus else focus_question(game, language)
    return text(f"{TEXTS}suggested", language, question=suggested) if suggested else map.focus


def propositions(
    held: GameEntries, name: str, map: MindMap, language: str
) -> list[tuple[str, str]]:
    """Return each relation of a map as a sentence, with the verdicts on it."""
    sentences = {id: map.sentence(id) for id in map.relations}
    said: dict[str, list[str]] = {}
    for judge, words in current_verdicts(held.judged[name], sentences).items():
        for id, word in words.items():
            said.setdefault(id, []).append(text(f"journal.page.said.{word}", language, judge=judge))
    return [
        (sentence, join_words(said.get(id, []), language)) for id, sentence in sentences.items()
    ]


def match_row(match: MatchEntry, language: str) -> tuple[str, str, str, str]:
    """Return the time of saving of a match, its players, whether it is over, and the points or why
    they are unknown.
    """
    when, state = (
        local_time(match.saved),
        text(f"{TEXTS}{'over' if match.over else 'running'}", language),
    )
    try:
        found = replay(Record.loads(match.record))
        names = [seat_name(seat, language, found.names) for seat in found.game.seats]
        people = [names[seat] for seat in match.people if seat < len(names)]
        scores = zip(names, found.game.scores(found.state))
        points = [text(f"{TEXTS}points", language, who=who, points=won) for who, won in scores]
        return when, join_words(people, language), state, join_words(points, language)
    except LocalizedError as error:
        return when, "", state, error.sentence(language)
    except Exception:  # a bug in the kit: the rest can be handed in
        log.exception("a match could not be read")
        return when, "", state, text(f"{TEXTS}match_unread", language)


def matches_by_game(matches: Sequence[MatchEntry], language: str) -> str:
    """Return the number of *matches* of each game, in words."""
    counts = Counter(match.game for match in matches)
    parts = [
        text(f"{TEXTS}matches_of", language, game=game_title(game, language), count=counts[game])
        for game in counts
    ]
    return join_words(parts, language)


def local_time(saved: str) -> str:
    """Return a time in the local time zone, to the minute; a text that is not a time stays as it
    is.
    """
    try:
        return datetime.fromisoformat(saved).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return saved


def question_text(question: Question | None, answer: Answer, language: str) -> str:
    """Return the question as it was asked."""
    return answer.question or (question.words[language] if question else "")


# Forms


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
    parts = [f"# {text(heading, language)}", *([escape_prose(name)] if name.strip() else [])]
    for each in games:
        parts.append(f"## {escape_markdown(game_title(each.game, language))}")
        for question, answer in each.answers:
            parts.append(f"### {escape_markdown(question_text(question, answer, language))}")
            if answer.text.strip():
                parts.append(escape_prose(answer.text))
            for words, saved in answer.others:
                parts += [
                    f"*{text('reflect.other_version', language)}* {escape_markdown(local_time(saved))}",
                    escape_prose(words),
                ]
        for key, entry in each.maps.items():
            parts.append(f"### {escape_markdown(map_title(key, language))}")
            map = open_map(entry)
            if map is None:
                parts.append(text(f"{TEXTS}map_unread", language))
            else:
                found = propositions(each, key, map, language)
                lines = [
                    f"- {escape_prose(f'{words} ({said})' if said else words)}"
                    for words, said in found
                ]
                asks = question_of(map, each.game, language)
                parts += [
                    *([escape_prose(asks)] if asks else []),
                    *(["\n".join(lines)] if lines else []),
                ]
        if each.matches:
            rows = [
                "- " + escape_prose(" · ".join(filter(None, match_row(match, language))))
                for match in each.matches
            ]
            parts += [f"### {text(f'{TEXTS}matches', language)}", "\n".join(rows)]
    if not games:
        parts.append(text(f"{TEXTS}nothing", language))
    return "\n\n".join(parts) + "\n"


def spreadsheet(games: Sequence[GameEntries], language: str, name: str = "") -> str:
    """Return answers and the propositions of maps as CSV, one a row, with the verdicts on each.

    Versions of an answer from other windows have their own rows.
    """
    columns = ("name", "game", "kind", "question", "whose", "answer", "said", "saved", "version")
    rows = [[text(f"{TEXTS}column.{each}", language) for each in columns]]
    for each in games:
        about = [name, game_title(each.game, language)]
        rows += [
            [*about, *row] for row in (*_answer_rows(each, language), *_map_rows(each, language))
        ]
    return write_csv(rows)


def _answer_rows(held: GameEntries, language: str) -> Iterator[tuple[str, ...]]:
    kind, other = text(f"{TEXTS}kind.answer", language), text(f"{TEXTS}other", language)
    for question, answer in held.answers:
        whose = (
            game_text(held.game, f"reflect.source.{question.source}", language) if question else ""
        )
        versions = [(answer.text, answer.saved, "")] if answer.text.strip() else []
        for words, saved, note in (
            *versions,
            *((words, saved, other) for words, saved in answer.others),
        ):
            yield (
                kind,
                question_text(question, answer, language),
                whose,
                words,
                "",
                local_time(saved),
                note,
            )


def _map_rows(held: GameEntries, language: str) -> Iterator[tuple[str, ...]]:
    kind = text(f"{TEXTS}kind.proposition", language)
    for name, entry in held.maps.items():
        map, saved = open_map(entry), local_time(entry.saved)
        found = (
            propositions(held, name, map, language)
            if map
            else [(text(f"{TEXTS}map_unread", language), "")]
        )
        asks = question_of(map, held.game, language) if map else ""
        about = " · ".join(filter(None, [map_title(name, language), asks]))
        for sentence, verdict in found:
            yield kind, about, "", sentence, verdict, saved, ""
