"""What is told after matches of 文壇封鎖中, counted again from the states of each match."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.game import Seat
from coursekit.core.match import Match, Record, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.after import debrief
from coursekit.games.blockade.after.debrief import ABOUT
from coursekit.games.blockade.after.history import History
from coursekit.games.blockade.rules.card_codes import CENSORS, PENS, ROLES
from coursekit.games.blockade.rules.card_files import events
from coursekit.games.blockade.strategies import Greedy
from coursekit.kit.debrief_moment import Moment, Played, Source
from coursekit.words.texts import LANGUAGES, game_text

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("blockade-*.json"))


@cache
def played(number: int) -> Match:
    """Return a match; those who play by chance leave chances unused."""
    players = [Greedy, AtRandom, AtRandom, Greedy]
    return play_out(Blockade(4, Options(laps_limit=8)), players, f"debrief {number}")


def moments(matches: Sequence[Match], language: str, people: Sequence[Seat] = ()) -> list[Moment]:
    return debrief.moments([Played(match, people) for match in matches], language)


@cache
def found(*numbers: int, language: str = "en") -> dict[str, Moment]:
    """Return the moments of the matches of these numbers, by name."""
    return {
        moment.name: moment for moment in moments([played(number) for number in numbers], language)
    }


def told(id: str, match: Match, language: str = "en", **values: Any) -> str:
    return game_text(match.game, f"debrief.{id}", language, match.names, **values)


def said_in(sentence: str, moment: Moment) -> bool:
    """Return whether a paragraph of *moment* holds *sentence*."""
    return any(sentence in part for part in moment.parts if isinstance(part, str))


class Seen:
    """Counts made from the states before and after each entry of the log, without its events."""

    def __init__(self, match: Match) -> None:
        self.tried, self.lost, self.back = (
            Counter[int](),
            Counter[int](),
            Counter[int](),
        )  # by the role searched
        self.chances, self.passed = Counter[int](), Counter[int]()  # by role
        self.far = Counter[
            int
        ]()  # from the first space of each era to where the marker stood at its end, by role
        self.attempts = Counter[
            tuple[bool, bool]
        ]()  # by (of a censor, after martial law), in the last era
        self.offered = Counter[tuple[bool, bool]]()  # chances, by the same
        self.by_seat = Counter[tuple[Seat, bool]]()  # chances, by seat and whether they were left
        self.placed = self.gone = self.stayed = 0
        self.before: Any = None
        replay(
            match.record(),
            game=match.game,
            watch=lambda now, seat, action: self.next(now.state, seat, action),
        )
        self.next(match.state, 0, None)

    def next(self, state: Any, seat: Seat, action: Any) -> None:
        if self.before is not None:
            self.compare(self.before, state)
        if action is not None and state.steps and state.phase == "strike":
            role = state.roles[seat]
            self.chances[role] += 1
            self.passed[role] += action == "pass"
            self.by_seat[seat, action == "pass"] += 1
            self.offered[role in CENSORS, bool(state.lifted)] += state.era == 4
            if action != "pass":
                target = next(seat for seat in range(4) if action[1] in state.books[seat])
                self.tried[state.roles[target]] += role in CENSORS
                self.attempts[role in CENSORS, bool(state.lifted)] += state.era == 4
        self.before = deepcopy(state)

    def compare(self, before: Any, after: Any) -> None:
        if before.phase == "era":
            self.leave(before)
            return
        if before.phase == "defend" and before.roles[before.turn] in CENSORS:
            target = before.steps[-1][1]
            if len(after.books[target]) < len(before.books[target]):
                self.lost[before.roles[target]] += 1
                self.back[before.roles[target]] += (
                    before.positions[target] - after.positions[target]
                )
        old, new = ({card for cards in state.tables for card in cards} for state in (before, after))
        self.placed += len(new - old)
        self.gone += len(old - new)

    def leave(self, state: Any) -> None:
        for seat, role in enumerate(state.roles):
            self.far[role] += state.positions[seat]
        self.stayed += sum(map(len, state.tables))


Both = tuple[Match, Seen, dict[str, Moment]]


@cache
def seen_in(number: int) -> Seen:
    return Seen(played(number))


@pytest.fixture(params=range(3))
def both(request: pytest.FixtureRequest) -> Both:
    """Return a match, what was seen in it, and what is told."""
    return played(request.param), seen_in(request.param), found(request.param)


# Counted twice


def test_who_was_searched_and_what_was_lost(both: Both) -> None:
    match, seen, by_name = both
    moment = by_name.get("search")
    assert (moment is not None) == bool(seen.tried.total())
    for role in PENS:
        lost, back = {"lost": seen.lost[role]} if seen.lost[role] else {}, seen.back[role]
        back_too = {"back": back} if back else {}
        id = "search.role" if back else "search.role_stayed" if lost else "search.role_kept"
        sentence = told(id, match, role=role, tried=seen.tried[role], **lost, **back_too)
        assert (moment is not None and said_in(sentence, moment)) == bool(seen.tried[role])


def test_who_searched_is_told_before_who_was_searched() -> None:
    """Garrison Command and informant search, editor and author are searched."""
    told = " ".join(str(part) for number in range(3) for part in found(number)["search"].parts)
    deeds = re.findall(r"the ([\w ]+) searched the (\w+)", told)
    assert len(deeds) == 3
    assert all(
        one in ("Garrison Command", "Informant") and other in ("Editor", "Author")
        for one, other in deeds
    )


def test_every_space_is_told_with_its_cause(both: Both) -> None:
    match, seen, by_name = both
    assert "moves" in by_name
    far = Counter[int]()
    for era in History(match).eras:
        for move in era.moves:
            far[era.roles[move.seat]] += move.end - move.start
    assert far == seen.far


def test_chances_are_counted_taken_or_not(both: Both) -> None:
    match, seen, by_name = both
    parts = by_name["silence"].parts
    assert (
        told("silence.all", match, chances=seen.chances.total(), passed=seen.passed.total())
        in parts
    )
    assert seen.passed.total() > 0
    for role in range(4):
        passed, chances = seen.passed[role], seen.chances[role]
        id = (
            "silence.role"
            if 0 < passed < chances
            else "silence.role_all"
            if passed
            else "silence.role_none"
        )
        unused = {"passed": passed} if id == "silence.role" else {}
        sentence = told(id, match, role=role, chances=chances, **unused)
        assert (sentence in parts) == (seen.chances[role] >= 3)


def test_works_are_all_accounted_for(both: Both) -> None:
    match, seen, _ = both
    shelf = History(match).works
    assert (len(shelf.placed), len(shelf.paid) + len(shelf.lost), len(shelf.stayed)) == (
        seen.placed,
        seen.gone,
        seen.stayed,
    )
    assert shelf.lying == []
    held = {
        book
        for seat, role in enumerate(match.state.roles)
        if role in PENS
        for book in match.state.books[seat]
    }
    assert {book for book in held if match.game.cards.book_kinds[book] == "banned"} <= set(
        shelf.banned
    )  # type: ignore[attr-defined]


@pytest.mark.parametrize(("number", "goes_on"), [(0, False), (3, True)])
def test_before_and_after_martial_law(number: int, goes_on: bool) -> None:
    match, seen, moment = played(number), seen_in(number), found(number).get("law")
    offered, used = seen.offered, seen.attempts
    assert used[True, True] == offered[True, True] == 0
    assert (moment is not None) == (offered[False, True] > 0) == goes_on
    if moment:
        assert used[False, True] > 0
        for name, key in (
            ("searches", (True, False)),
            ("protests", (False, False)),
            ("after", (False, True)),
        ):
            numbers = {"done": used[key]} if used[key] else {}
            word = told("law.used" if numbers else "law.unused", match, of=offered[key], **numbers)
            assert said_in(told(f"law.{name}", match, used=word), moment) == bool(offered[key])


def test_chances_left_unused_are_those_of_people() -> None:
    match, seen = played(0), seen_in(0)
    (moment,) = [moment for moment in moments([match], "en", [1, 2]) if moment.name == "silence"]
    chances = {left: sum(seen.by_seat[seat, left] for seat in (1, 2)) for left in (True, False)}
    assert (
        told("silence.all", match, chances=sum(chances.values()), passed=chances[True])
        in moment.parts
    )
    assert sum(chances.values()) < seen.chances.total()


def test_the_event_that_did_most_is_told_and_the_others_are_counted() -> None:
    for number in range(3):
        match, parts = played(number), found(number)["happened"].parts
        moved = {event.year: False for event in events()}
        for era in History(match).eras:
            for move in [*era.moves, *era.losses, *era.gains]:
                if move.cause.kind == "event":
                    moved[move.cause.thing] = True  # type: ignore[index]
        happened = {happening.event for era in History(match).eras for happening in era.happenings}
        named = {
            note.year
            for note in events()
            if told("history", match, event=note.year, year=note.year, told=note.summary_en)
            in parts
        }
        assert len(named) == 1
        assert named <= {event for event in happened if moved[event]}
        more = sum(moved[event] for event in happened - named)
        rest = len(happened) - 1 - more
        assert more + rest > 0
        assert said_in(
            told("happened.others.some", match, others=more + rest, more=more, rest=rest),
            found(number)["happened"],
        )
        assert told("happened.design", match) in parts


def test_points_are_those_of_the_eras() -> None:
    match = played(1)
    parts = found(1)["paid"].parts
    for seat, role in enumerate(match.state.roles):
        points = [era[seat] for era in match.state.by_era]
        first = sum(era[seat] == max(era) for era in match.state.by_era)
        values = {
            "points": f"{sum(points) / len(points):.1f}".removesuffix(".0"),
            "eras": len(points),
        }
        assert (
            told("paid.role", match, role=role, first=first, **values)
            if first
            else told("paid.role_never", match, role=role, **values)
        ) in parts


# A class


def test_a_class_in_one_era_counts_matches_and_is_told_what_was_measured_of_it() -> None:
    game = Blockade(4, Blockade.preset("one_era"))
    matches = [play_out(game, [AtRandom] * 4, f"one era {number}") for number in range(4)]
    (paid,) = [moment for moment in moments(matches, "en") if moment.name == "paid"]
    assert told("paid.one_era", matches[0]) in paid.parts
    for role in range(4):
        eras = [(match.state.by_era[0], match.state.roles.index(role)) for match in matches]
        first = sum(points[seat] == max(points) for points, seat in eras)
        some = f"most points, alone or with others, in {first} of 4 matches"
        share = some if first else "most points in none of 4 matches"
        assert any(share in part for part in paid.parts if isinstance(part, str)), share


def test_a_class_is_the_sum_of_its_matches_with_its_denominators() -> None:
    matches = [played(number) for number in range(3)]
    seen = [seen_in(number) for number in range(3)]
    by_name = found(0, 1, 2)
    chances, passed = (
        sum((getattr(sight, name) for sight in seen), Counter()) for name in ("chances", "passed")
    )
    assert (
        told("silence.all", matches[0], chances=chances.total(), passed=passed.total())
        in by_name["silence"].parts
    )
    assert all(sight.passed.total() for sight in seen)  # in all of them, so that it is not told
    assert not any(
        "matches" in str(part) for part in by_name["silence"].parts if isinstance(part, str)
    )
    placed, gone, stayed = (
        sum(getattr(sight, name) for sight in seen) for name in ("placed", "gone", "stayed")
    )
    sentence = next(part for part in by_name["works"].parts if isinstance(part, str))
    for number in (placed, stayed):
        assert f"{number / 3:.1f}".removesuffix(".0") in sentence
    assert placed == gone + stayed
    for role in PENS:
        numbers = {
            name: sum(getattr(sight, name)[role] for sight in seen)
            for name in ("tried", "lost", "back")
        }
        assert numbers["back"] == 0 or said_in(
            told("search.role", matches[0], role=role, **numbers), by_name["search"]
        )
    assert all(moment.where == "Looking at 3 matches" for moment in by_name.values())


# Any matches


@pytest.mark.parametrize("language", LANGUAGES)
def test_moments_are_few_sorted_and_complete(language: str) -> None:
    for numbers in ((0,), (0, 1, 2)) if language == "en" else ((0, 1, 2),):
        all_of_them = list(found(*numbers, language=language).values())
        assert 5 <= len(all_of_them) <= 8
        assert [counted.worth for counted in all_of_them] == sorted(
            (counted.worth for counted in all_of_them), reverse=True
        )
        for counted in all_of_them:
            assert 0 <= counted.worth <= 1
            assert counted.title
            assert counted.where
            assert counted.ask.endswith(("?", "？"))
            assert all(part.alt if isinstance(part, Picture) else part for part in counted.parts)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_record_can_be_read_to_any_point(path: Path) -> None:
    """With house rules, roles passed on, early ends."""
    record = Record.loads(path.read_text(encoding="utf-8"))
    for part in (1, 0.4):
        kept = History(replay(record, upto=int(len(record.log) * part))).works
        assert len(kept.placed) == len(kept.paid) + len(kept.lost) + len(kept.stayed) + len(
            kept.lying
        )


def test_few_cases_are_told_as_they_are_or_not_at_all() -> None:
    """A single search is; points of one era have no average; a few chances or works are no share."""
    record = played(0).record()
    searched = points = 0
    for upto in range(0, len(record.log), 20):
        match = replay(record, upto=upto)
        seen, by_name = Seen(match), {moment.name: moment for moment in moments([match], "en")}
        ended = len(match.state.by_era)
        assert ("silence" in by_name) == (seen.chances.total() >= 3 and seen.passed.total() > 0)
        assert ("works" in by_name) == (seen.placed >= 3)
        assert ("paid" in by_name) == (ended > 0)
        if seen.tried.total() == 1 and "search" in by_name:
            searched += 1
            assert str(by_name["search"].parts[0]).startswith("There was one search.")
        if ended in (1, 2):
            points += 1
            told_so = [part for part in by_name["paid"].parts if isinstance(part, str)]
            assert len(told_so) == 5
            assert not any("average" in part or "most" in part for part in told_so)
            assert (
                "not a verdict on history, and do not say what a role is worth" in told_so[-1]
            ) == (ended == 1)
            assert "not a verdict on history" in told_so[-1]
        if ended > 2:
            break
    assert searched > 0
    assert points > 0
    early = [replay(record, upto=upto) for upto in range(0, 40, 3)]
    assert {1, 2} & {Seen(match).placed for match in early}
    for match in early:
        assert any(moment.name == "works" for moment in moments([match], "en")) == (
            Seen(match).placed >= 3
        )


def test_a_match_under_way_is_told_and_before_anything_happens_next_to_nothing() -> None:
    record = played(0).record()
    assert {"moves", "works"} <= {
        moment.name for moment in moments([replay(record, upto=len(record.log) // 3)], "zh-Hant")
    }
    assert not {"search", "paid", "law", "silence"} & {
        moment.name for moment in moments([replay(record, upto=0)], "en")
    }
    assert moments([], "en") == []


def test_what_is_history_has_its_source_and_nobody_is_judged() -> None:
    for entry in [*found(0).values(), *found(0, 1, 2).values()]:
        for part, after in zip(entry.parts, [*entry.parts[1:], ""]):
            history = isinstance(part, str) and part.startswith(("In history", "Stayed:"))
            assert isinstance(after, Source) == history
            if isinstance(part, Source):
                assert part.startswith("Source: ")
            else:
                assert "http" not in str(part)  # not in the running text
        words = f"{entry.title} {entry.ask}".lower()
        assert not {"hero", "villain", "guilty", "cruel"} & set(words.split())
        assert "what would you have done" not in words
        assert not any(name in words for name in ("player 1", "player 2"))


def test_it_is_told_without_anything_heavy_at_first() -> None:
    heavy = "{'networkx', 'matplotlib', 'anywidget'} & set(sys.modules)"
    program = f"import sys, coursekit.games.blockade.after.debrief; print(sorted({heavy}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
    assert len(ABOUT) <= 8
    assert len(ROLES) == 4
