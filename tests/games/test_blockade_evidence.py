"""What is shown below the questions, the figures and the network: right numbers, stated relations,
nothing hidden.
"""

import re
import warnings
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.blockade import Blockade, Options, own_cards
from coursekit.games.blockade.after import figures
from coursekit.games.blockade.after.card_network import (
    KINDS,
    RELATIONS,
    around,
    draw_network,
    most_connected,
    neighbours,
    network,
    person,
    sentences,
)
from coursekit.games.blockade.after.evidence import ABOUT, AGAIN, evidence, fact, facts
from coursekit.games.blockade.after.history import SEARCH, TAKEN, History, add_tolls
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import EDITIONS
from coursekit.games.blockade.rules.citations import cite
from coursekit.games.blockade.strategies import Greedy
from coursekit.reflect import questions
from coursekit.words.texts import LANGUAGES, load_texts


@pytest.fixture(scope="module")
def match() -> Match:
    """Four short eras, the roles passed on, so that seat 0 plays all of them."""
    game = Blockade(4, Blockade.preset("rotating"))
    return play_out(game, [AtRandom, Greedy, AtRandom, Greedy], "7")


def words(shown: list[Any]) -> list[str]:
    return [part for part in shown if isinstance(part, str)]


def pictures(shown: list[Any]) -> list[Picture]:
    return [part for part in shown if isinstance(part, Picture)]


def numbers(sentence: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", sentence)]


# Questions


def test_there_are_at_least_eight_questions_of_our_own_and_an_exit_ticket() -> None:
    asked = questions("blockade")
    assert len(asked) >= 8
    assert {question.source for question in asked} == {"own"}
    assert asked[-1].name == "exit"
    assert set(ABOUT) <= {question.name for question in asked}
    assert set(AGAIN) <= set(ABOUT)


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_no_question_asks_to_step_into_a_role(language: str) -> None:
    """Neither "what would you have done" nor "imagine that you are"."""
    for question in questions("blockade"):
        assert not re.search(
            "would you have|imagine|if you were|如果你是|假如你|想像你|如果你是|假如你|想象你",
            question.words[language],
        )


# Evidence


@pytest.mark.one_in(6)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ABOUT)
def test_everything_can_be_told_at_any_moment(match: Match, name: str, language: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a character that cannot be drawn
        for upto in (1, 40, len(match.log)):
            part = replay(match.record(), upto, match.game)
            for seats in ([0], [0, 1, 2, 3]) if language == "en" else ([0],):
                shown = evidence(name, part, seats, language, 3)
                assert shown
                assert all(sentence and "{" not in sentence for sentence in words(shown))
                assert all(picture.alt and picture.svg for picture in pictures(shown))


def test_other_questions_show_nothing(match: Match) -> None:
    assert evidence("now", match, [0], "en") == []


def test_roles_and_points_are_those_of_the_match(match: Match) -> None:
    told = words(evidence("roles", match, [0], "en"))
    assert len(told) == 4
    assert {line.split(": ")[1].split(" (")[0] for line in told} == {
        "Garrison Command",
        "Informant",
        "Editor",
        "Author",
    }
    assert [numbers(line)[-1] for line in told] == [points[0] for points in match.state.by_era]


def test_the_law_counts_every_search_and_protest(match: Match) -> None:
    launched = Counter(seat for seat, action in match.log if action[0] == "strike")
    search, protest, *_ = words(evidence("law", match, [0], "en"))
    assert numbers(search)[0] + numbers(protest)[0] == sum(launched.values()) > 10
    taken = sum(event.text == "taken" for events in match.events for event in events)
    assert numbers(search)[2] + numbers(protest)[2] == taken > 0


def test_after_martial_law_is_lifted_only_protests_are_launched() -> None:
    for seed in range(6):
        match = play_out(Blockade(4, Options(eras=(4,))), [Greedy] * 4, seed)
        told = [line for line in words(evidence("law", match, [0], "en")) if "lifted" in line]
        at = [
            entry
            for entry, events in enumerate(match.events)
            for event in events
            if event.text == "happens" and event.values["event"] == 1987
        ]
        assert len(told) == len(at)
        for line, entry in zip(told, at):
            after = [action for _, action in match.log[entry:] if action[0] == "strike"]
            assert numbers(line)[-1] == len(after)
            assert not [
                attempt
                for attempt in History(match).eras[0].attempts
                if attempt.entry > entry and attempt.kind == SEARCH
            ]
    assert told


def test_the_law_speaks_where_martial_law_was_lifted_before_the_era() -> None:
    for year, words_of in ((1979, "lifted before it began"), (1993, None)):
        match = play_out(Blockade(4, Options(eras=(4,), lifting_year=year)), [Greedy] * 4, 1)
        told = [line for line in words(evidence("law", match, [0], "en")) if "martial law" in line]
        assert len(told) == (words_of is not None)
        if words_of:
            assert words_of in told[0]
            assert numbers(told[0])[-1] == sum(action[0] == "strike" for _, action in match.log) > 0


def test_who_paid_counts_what_seat_0_launched_and_lost(match: Match) -> None:
    mine, at_me, *_ = words(evidence("paid", match, [0], "en"))
    tried = [attempt for era in History(match).eras for attempt in era.attempts]
    assert numbers(mine)[:2] == [
        sum(seat == 0 and action[0] == "strike" for seat, action in match.log),
        sum(attempt.seat == 0 and attempt.outcome == TAKEN for attempt in tried),
    ]
    assert numbers(at_me)[0] == sum(attempt.target == 0 for attempt in tried) > 0
    (chart,) = pictures(evidence("paid", match, [0], "en"))
    found = add_tolls([History(match)])
    assert f"Spaces, Author: won {found[3].spaces_won}, lost {found[3].spaces_lost}." in chart.alt


def test_silence_counts_the_chances_that_were_passed(match: Match) -> None:
    mine = History(match).chances([0])
    passed = [attempt for attempt in mine if attempt.action == "pass"]
    assert passed
    first, *moments = words(evidence("silence", match, [0], "en"))
    assert numbers(first) == [2, len(mine), len(passed)]  # "phase 2"
    assert len(moments) == min(5, len(passed))
    (chart,) = pictures(evidence("silence", match, [0], "en"))
    assert f"{len([attempt for attempt in mine if attempt.era == 2])} chance" in chart.alt


def test_cards_kept_back_are_counted_once_a_turn(match: Match) -> None:
    told = words(evidence("self", match, [0], "en"))
    (phase1,) = [line for line in told if line.startswith("In phase 1")]
    turns = {
        (decision.era, decision.turn)
        for decision in History(match).decisions
        if decision.seat == 0 and decision.phase == "main"
    }
    assert numbers(phase1)[1] == len(turns)
    for line in told[:-2]:
        could, played = numbers(line)[-2:]
        assert played <= could <= len(turns)


def test_evidence_tells_nothing_of_other_hands(match: Match) -> None:
    """What seat 0 reads is the same, whatever others kept in hand: no card of theirs is named."""
    named = " ".join(
        line
        for name in ABOUT
        if name != "source"
        for line in words(evidence(name, match, [0], "zh-Hant"))
    )
    game: Blockade = match.game  # type: ignore[assignment]
    assert not any(f"《{writer.work_zh}》" in named for writer in game.cards.writers)


def test_a_card_is_drawn_by_lot_and_seldom_twice(match: Match) -> None:
    first = [words(evidence("source", match, [0], "en", draw))[0] for draw in range(30)]
    assert len({*first}) > 25


def test_a_match_with_own_cards_draws_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EDITIONS, "_loaded", {})
    own = tmp_path / "own.csv"
    rows = [f"本縣作家{number},本縣作品{number},{1949 + number % 10},詩" for number in range(20)]
    own.write_text("\n".join(["name_zh,work_zh,work_year,genre", *rows]) + "\n", encoding="utf-8")
    paper = tmp_path / "papers.csv"
    paper.write_text(
        "title_zh,founded,kind,editor_zh\n本縣文藝,1950,文學雜誌,本縣作家3\n", encoding="utf-8"
    )
    game = Blockade(4, Options(edition=own_cards(own, periodicals=paper), eras=(1,), laps_limit=3))
    match = play_out(game, [AtRandom] * 4, 1)
    count = len(facts(game.cards))
    assert count == 20 + 1 + 10 + 20 + 20
    drawn_ones = {
        tuple(words(evidence("source", match, [0], "zh-Hant", draw))) for draw in range(count)
    }
    assert len(drawn_ones) == count  # each once
    (one,) = [one for one in drawn_ones if "《本縣作品3》" in one[0]]
    assert any("《本縣文藝》" in line for line in one[1:])
    assert sum("《本縣作品" in one[0] for one in drawn_ones) == 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_has_its_source_or_says_that_it_has_none(language: str) -> None:
    rows = facts()
    assert len(rows) == 173 + 23 + 10 + 20 + 20
    for number, row in enumerate(rows):
        told = words(fact(number, language))
        for source in cite(row.source, language=language):
            assert any(source in line for line in told[1:]), row
        unverified = {"en": "No source that", "zh-Hant": "還沒有找到", "zh-Hans": "还没有找到"}[
            language
        ]
        assert any(unverified in line for line in told) == (row.verified is False)
        doubtful = {"en": "Doubtful:", "zh-Hant": "存疑：", "zh-Hans": "存疑："}[language]
        assert any(line.startswith(doubtful) for line in told) == (row.verified is None)


# The network


def test_every_edge_stands_in_a_row_of_the_data() -> None:
    """Each edge is looked up anew in the row that it names as its source; nothing else is there."""
    graph = network()
    rows: dict[str, str] = {}
    for paper in card_files.periodicals():
        rows[f"periodical:{paper.title_zh}"] = f"{paper.editor_zh}|{paper.note_zh}"
    for book in card_files.banned_books():
        rows[f"banned:{book.title_zh}"] = book.author_zh
    for event in card_files.events():
        rows[f"event:{event.year}"] = f"{event.summary_zh}{event.note_zh}"
    for note in card_files.functions():
        rows[f"function:{note.card_id}"] = note.tied_to_zh
    for start, end, edge in graph.edges(data=True):
        name = start.partition(":")[2]
        assert edge["kind"] in RELATIONS
        if edge["kind"] == "serialised_in":
            notes = [writer.note_zh for writer in card_files.writers() if writer.name_zh == name]
            assert any(f"《{end.partition(':')[2]}》連載" in note for note in notes)
        else:
            assert name in rows[end], (start, end)
    assert len(most_connected(graph)) > 80
    assert graph.edges["person:雷震", "periodical:自由中國"]["kind"] == "edited"
    assert graph.edges["periodical:自由中國", "event:1960"]["kind"] == "stopped_in"
    assert graph.edges["periodical:台灣文藝", "event:1964"]["kind"] == "founded_in"
    assert graph.edges["person:吳濁流", "banned:無花果"]["kind"] == "wrote"
    assert not graph.has_edge("person:李敖", "event:1960")


def test_all_columns_are_in_the_network() -> None:
    graph = network()
    for paper in card_files.periodicals():
        for name in filter(None, paper.editor_zh.split("、")):
            assert graph.edges[f"person:{name}", f"periodical:{paper.title_zh}"]["kind"] == "edited"
    for book in card_files.banned_books():
        for name in book.author_zh.split("、"):
            assert graph.edges[f"person:{name}", f"banned:{book.title_zh}"]["kind"] == "wrote"
    assert Counter(kind for _, kind in graph.nodes(data="kind"))["writer"] == len(
        {re.findall("[^（）]+", writer.name_zh)[-1] for writer in card_files.writers()}
    )


def test_a_person_with_two_names_is_one_node() -> None:
    graph = network()
    names = {
        node: set(re.findall("[^（）]+", row["zh-Hant"]))
        for node, row in graph.nodes(data=True)
        if row["kind"] in ("writer", "person")
    }
    assert sum(len(name) > 1 for name in names.values()) >= 2
    for (node, some), (other, more) in combinations(names.items(), 2):
        assert not any(one in another or another in one for one in some for another in more), (
            node,
            other,
        )
    both = person(graph, "桓夫（陳千武）")
    assert both == person(graph, "桓夫") == person(graph, "陳千武")
    assert graph.edges[both, "periodical:笠"]["kind"] == "edited"
    assert graph.nodes[both]["zh-Hant"] == "桓夫（陳千武）"


def test_nodes_and_edges_are_plain_and_can_be_saved() -> None:
    import networkx as nx

    graph = network()
    assert type(graph) is nx.DiGraph
    for _, node in graph.nodes(data=True):
        assert set(node) == {"kind", "source", *LANGUAGES}
        assert all(type(value) is str for value in node.values())
        assert node["kind"] in KINDS
        assert all(node[language] for language in LANGUAGES)
    again = nx.parse_graphml("\n".join(nx.generate_graphml(graph)))
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert set(again.edges) == set(graph.edges)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_network_can_be_asked_and_drawn(language: str) -> None:
    graph = network()
    (first, links), *others = most_connected(graph)
    assert links == len(neighbours(graph, first)) == len(sentences(graph, first, language))
    assert links >= others[0][1] >= others[-1][1] > 0
    assert set(around(graph, first, 1)) == {
        first,
        *graph.successors(first),
        *graph.predecessors(first),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for node, _ in [most_connected(graph)[place] for place in (0, 12)]:
            shown = draw_network(graph, node, language, 3)
            assert all(sentence in shown.alt for sentence in sentences(graph, node, language))
            assert shown.svg
    assert draw_network(graph, first, language).svg == draw_network(graph, first, language).svg


# Figures


def test_the_timeline_follows_the_markers_lap_by_lap(match: Match) -> None:
    for era in History(match).eras:
        paths, happened = figures.laps(History(match), era)
        assert [path[-1] for path in paths] == era.positions
        assert {len(path) for path in paths} == {len(paths[0])}
        assert [event for event, _ in happened] == [happening.event for happening in era.happenings]
    first = History(match).eras[0]
    paths, _ = figures.laps(History(match), first)
    marks = {decision.entry: decision for decision in History(match).decisions}
    for lap in range(1, len(paths[0])):
        end = max(
            entry
            for entry, each in marks.items()
            if each.era == 1 and each.seat >= 0 and each.lap <= lap
        )
        state = replay(match.record(), end + 1, match.game).state
        assert [path[lap] for path in paths] == state.positions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_timeline_shows_history_and_the_match(match: Match, language: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for era in (1, 4, None):
            shown = figures.timeline(match, language, era)
            assert shown.caption in shown.alt
            assert shown.svg
    with pytest.raises(ValueError, match="era is one of 1"):
        figures.timeline(replay(match.record(), 3, match.game), language, 4)


def test_simulated_matches_are_counted_right() -> None:
    options = Options(eras=(1,))
    count = figures.simulate(options, 6)
    assert figures.simulate(options, 4).played == count.played[:4]
    shares = [count.share(role).mean for role in range(4)]
    assert sum(shares) == pytest.approx(100)
    assert count.share(0, 1).mean == pytest.approx(shares[0] + shares[1])
    again = [
        play_out(Blockade(4, options), [figures.PLAYER] * 4, f"{figures.SEED} {number}")
        for number in range(6)
    ]
    tolls = [add_tolls([History(match)]) for match in again]
    assert [toll.attempts for toll in count.tolls()] == [
        sum(one[role].attempts for one in tolls) for role in range(4)
    ]
    for role in range(4):
        won = [
            match
            for match in again
            if any(match.state.roles[seat] == role for seat in match.state.won)
        ]
        assert (shares[role] > 0) == bool(won)


@pytest.mark.parametrize(
    ("won", "low", "high"), [(0, 0, 16.11), (1, 0.89, 23.61), (10, 29.93, 70.07), (20, 83.89, 100)]
)
def test_the_interval_of_a_share_is_wilsons(won: int, low: float, high: float) -> None:
    """Known values for 20 matches; few that all end alike do not look certain."""
    played = [figures.Played((1, 0, 0, 0), ())] * won + [figures.Played((0, 0.5, 0.5, 0), ())] * (
        20 - won
    )
    share = figures.Count(played).share(0)
    assert share == pytest.approx((5 * won, low, high), abs=0.01)
    assert 0 <= share.low <= share.mean <= share.high <= 100
    other = figures.Count(played).share(1, 2)
    assert other == pytest.approx((100 - 5 * won, 100 - high, 100 - low), abs=0.01)


def test_a_match_is_dealt_alike_under_all_values_of_a_rule() -> None:
    for option, values in figures.SWEEPS.items():
        deals = [
            Match(
                Blockade(4, Blockade.options_from({"eras": (4,), option: value})),
                f"{figures.SEED} 1",
            )
            for value in values
        ]
        assert (
            len(
                {
                    (str(deal.state.hands), str(deal.state.roles), str(deal.state.deck))
                    for deal in deals
                }
            )
            == 1
        )


def test_who_paid_is_simulated_by_the_rules_of_the_class_and_says_so() -> None:
    options = replace(Blockade.preset("one_era"), eras=(2,))
    again = [
        play_out(Blockade(4, options), [figures.PLAYER] * 4, f"{figures.SEED} {number}")
        for number in range(4)
    ]
    tried = sum(len(era.attempts) for match in again for era in History(match).eras)
    shown = figures.simulate_toll(4, 2, language="en")
    assert f"{tried / 4:.1f} searches and protests were launched" in shown.caption
    assert "Only 1960-1969, at most 8 laps" in shown.caption
    assert "until somebody reaches the end" in figures.sweep("o_faces", 1, 1, language="en").caption


def test_every_offered_value_of_a_rule_is_another_game_in_its_era() -> None:
    """In the eras of the notebook, or a control would do nothing."""
    for option, era in (("o_faces", 1), ("lifting_year", 4)):
        for value in figures.SWEEPS[option]:
            if value != getattr(Options(), option):
                ours, standard = (
                    figures.simulate(
                        Blockade.options_from({"eras": (era,), option: setting}), 6
                    ).tolls()
                    for setting in (value, getattr(Options(), option))
                )
                assert ours != standard, (option, value)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_of_simulated_matches_can_be_drawn(language: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paid = figures.simulate_toll(3, language=language)
        house = figures.house_rule("o_faces", 5, 3, language=language)
        law = figures.house_rule("lifting_year", 1993, 3, language=language)
        sweeps = [figures.sweep(option, 2, language=language) for option in figures.SWEEPS]
        assert all(shown.svg for shown in (paid, house, law, *sweeps))
    assert all(shown.alt.startswith(shown.caption) for shown in (paid, house, law, *sweeps))
    assert house.alt.count("%") == 17
    assert f"{load_texts('blockade')['option.o_faces.label'][language]}" in house.alt
    assert re.search("： ?5，|: 5,", house.alt)
    assert load_texts("blockade")["figure.sweep.never"][language] in law.alt
    for option, shown in zip(figures.SWEEPS, sweeps):
        assert len(re.findall("[–～]\\d", shown.alt)) == 2 * len(figures.SWEEPS[option])
    assert "1987" in sweeps[1].alt
