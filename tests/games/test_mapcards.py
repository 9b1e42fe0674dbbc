"""Cards for maps, and the maps that the rules of each game draw: what they say is checked by
playing.
"""

import json
import re
import subprocess
import sys
from functools import cache

import pytest

from coursekit.core.match import play_out
from coursekit.games.blockade import Blockade
from coursekit.games.blockade import Options as BlockadeOptions
from coursekit.games.blockade.after.history import History
from coursekit.games.blockade.after.rule_relations import Relation
from coursekit.games.blockade.after.rule_relations import relations as blockade_relations
from coursekit.games.blockade.after.starter_map import RULES
from coursekit.games.blockade.rules.card_codes import (
    BANNED,
    CENSORS,
    FUNCTIONS,
    PENS,
    PERIODICAL,
    ROLES,
)
from coursekit.games.blockade.strategies import Greedy
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit import Options as KnitWitOptions
from coursekit.games.knitwit.after.rule_relations import relations as knitwit_relations
from coursekit.games.knitwit.after.rule_relations import words_near
from coursekit.games.knitwit.strategies import FirstThought
from coursekit.games.wizard import Options as WizardOptions
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.after.starter_map import cards as wizard_cards
from coursekit.games.wizard.rules.cards import ELF, HUMAN, NOTHING, WIZARD, card_of, led_suit
from coursekit.kit import GAMES
from coursekit.kit.map_card import TONES, MapCard
from coursekit.maps.elements import LONG, SHORT
from coursekit.maps.starters import game_kinds, map_cards, starter_map, starter_topics
from coursekit.words.texts import LANGUAGES

EVERY = [(game, language) for game in GAMES for language in LANGUAGES]


@cache
def catalogue(game: str, language: str) -> dict[str, MapCard]:
    found = map_cards(game, language)
    assert len({entry.card for entry in found}) == len(found)
    return {entry.card: entry for entry in found}


# Cards


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_cards_are_the_same_in_every_language_and_named_apart(game: str, language: str) -> None:
    found = catalogue(game, language)
    assert list(found) == list(catalogue(game, LANGUAGES[0]))
    assert len({entry.label for entry in found.values()}) == len(found)
    for card, each in found.items():
        assert card.startswith(f"{game}/")
        assert 0 < len(each.label) <= SHORT
        assert len(each.note) <= LONG
        assert len(each.source) <= LONG
        assert each.tone is None or each.tone in range(len(TONES))


@pytest.mark.parametrize(
    ("language", "wizard"), [("en", "Wizard"), ("zh-Hant", "巫師牌"), ("zh-Hans", "巫师牌")]
)
def test_the_suit_led_says_that_a_led_wizard_leaves_none(language: str, wizard: str) -> None:
    assert led_suit([card_of(HUMAN, WIZARD), card_of(ELF, 3)]) == NOTHING
    assert wizard in catalogue("wizard", language)["wizard/led"].note


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_is_a_symbol_of_the_art(game: str) -> None:
    symbols = set(re.findall('<symbol id="([^"]+)"', GAMES[game].drawings()))
    drawn = {entry.symbol for entry in catalogue(game, "en").values()} - {""}
    assert drawn
    assert drawn <= symbols


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("game", "language"), EVERY)
def test_every_starter_map_carries_cards_of_the_catalogue(game: str, language: str) -> None:
    found = catalogue(game, language)
    for about in ["", *(about for about, _ in starter_topics(game, language))]:
        map = starter_map(game, language, about)
        with_card = [concept for concept in map.concepts.values() if concept.card]
        assert with_card
        for item in with_card:
            assert item.label == found[item.card].label
        assert {relation.kind for relation in map.relations.values()} <= set(game_kinds(game))
        sentences = [map.sentence(id) for id in map.relations]
        assert len(set(sentences)) == len(sentences)
        assert not [sentence for sentence in sentences if re.search("[{}]|  | ,", sentence)]


@pytest.mark.parametrize("game", GAMES)
def test_topics_are_few_and_their_maps_can_be_taken_in(game: str) -> None:
    offered = starter_topics(game, "en")
    assert len({about for about, _ in offered}) == len(offered) <= 10
    for about, label in offered:
        map = starter_map(game, "en", about)
        assert label
        assert map.focus
        assert 4 <= len(map.concepts) <= 32


def test_every_fact_of_the_cards_has_its_source() -> None:
    for entry in catalogue("blockade", "zh-Hant").values():
        assert entry.note
        assert entry.source or "還沒有查到" in entry.note
    for node, each in starter_map("blockade", "en").concepts.items():
        assert each.source or node == "function:FC08"


def test_notes_of_cards_follow_the_options() -> None:
    notes = {
        card.card: card.note
        for card in wizard_cards(Wizard(4, WizardOptions(hit=30, wizards=0)), "en")
    }
    assert "30 points" in notes["wizard/met"]
    assert "wizard/wizard" not in notes


def test_a_catalogue_can_be_written_down_and_needs_nothing_heavy() -> None:
    assert json.loads(
        json.dumps([entry._asdict() for entry in catalogue("blockade", "en").values()])
    )
    program = (
        "import sys, coursekit.kit.map_card; print(sorted({'networkx', 'matplotlib', 'anywidget', "
        "'coursekit.games.wizard', 'coursekit.reflect'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


# 文壇封鎖中: what the rules do


def of_blockade(**options: object) -> set[Relation]:
    return set(blockade_relations(Blockade(4, BlockadeOptions(**options))))  # type: ignore[arg-type]


@cache
def standard() -> set[Relation]:
    return of_blockade()


def spaces(found: set[Relation], kind: str) -> set[tuple[str, str, int]]:
    return {(entry.start, entry.end, entry.number) for entry in found if entry.kind == kind}


def test_the_roles_move_as_the_rulebook_says() -> None:
    """「若為警總/線民…得到禁書卡可前進二格」, and so on."""
    found = standard()
    moving = {"banned", "periodical", "search", "protest"}
    assert {space for space in spaces(found, "gives") if space[0] in moving} == {
        ("banned", "garrison", 2),
        ("banned", "informant", 2),
        ("periodical", "editor", 1),
        ("periodical", "author", 1),
        ("protest", "editor", 1),
        ("protest", "author", 1),
    }
    assert {space for space in spaces(found, "takes") if space[0] in moving} == {
        ("search", "editor", 2),
        ("search", "author", 2),
    }
    assert {(entry.start, entry.end) for entry in found if entry.kind == "seizes"} == {
        ("search", BANNED),
        ("protest", PERIODICAL),
    }
    assert {
        entry.start for entry in found if (entry.kind, entry.end) == ("launches", "search")
    } == {ROLES[role] for role in CENSORS}


def test_what_a_function_card_does_stands_in_the_specification() -> None:
    card = {name: f"function:{id}" for id, name in FUNCTIONS.items()}
    found = {
        (row.kind, row.end, row.number) for row in standard() if row.start == card["suspension"]
    }
    assert found == {("shuts", PERIODICAL, 0), ("takes", "rival", 1)}
    assert Relation(card["prize"], "gives", "player", 1) in standard()
    assert Relation(card["advance"], "gives", "last", 2) in standard()
    assert Relation(card["false_cover"], "blocks", "search") in standard()
    assert Relation(card["smuggling"], "finds", BANNED) in standard()
    assert Relation(card["smuggling"], "finds", PERIODICAL) not in standard()
    assert {row.start for row in standard() if row.start.startswith("function:")} == set(
        card.values()
    )
    assert Relation("event:1987", "stops", "search") in standard()
    assert Relation("event:1987", "stops", "protest") not in standard()
    assert {row.start for row in standard() if row.start.startswith("event:")} | {"event:1989"} == {
        f"event:{event}" for events in Blockade().events_at.values() for event in events
    }


def test_an_event_may_touch_who_triggers_it_or_everybody_else() -> None:
    """1950: whoever triggers it and each pen lose a card; 1955: everybody else throws; 1971: all go
    back.
    """
    ends = {
        year: {(row.kind, row.end) for row in standard() if row.start == f"event:{year}"}
        for year in (1950, 1955, 1971)
    }
    assert ends == {
        1950: {("strips", "trigger"), ("strips", "editor"), ("strips", "author")},
        1955: {("takes_on_X", "others")},
        1971: {("takes", role) for role in ROLES},
    }


def test_moves_of_matches_are_in_the_map() -> None:
    """Whatever a function card or an event moves in matches that are played is said in the map, and
    how far.
    """
    told = {(row.start, row.kind.partition("_")[0], row.end): row.number for row in standard()}
    ids = {name: f"function:{id}" for id, name in FUNCTIONS.items()}
    seen = 0
    for number in range(3):
        match = play_out(Blockade(4, BlockadeOptions(laps_limit=8)), [Greedy] * 4, f"map {number}")
        for era in History(match).eras:
            for move in era.moves:
                far, thing = move.end - move.start, move.cause.thing
                kind, role = "gives" if far > 0 else "takes", ROLES[era.roles[move.seat]]
                if move.cause.kind == "function":
                    rival = (era.roles[move.seat] in PENS) != (era.roles[move.cause.by] in PENS)
                    who = {"player": move.seat == move.cause.by, "rival": rival, "last": True}
                    fitting = [
                        told.get((ids[str(thing)], kind, end), 0)
                        for end, fits in who.items()
                        if fits
                    ]
                elif move.cause.kind == "event":
                    fitting = [
                        told.get((f"event:{thing}", kind, end), 0)
                        for end in (role, "others", "trigger")
                    ]
                else:
                    continue
                assert abs(far) <= max(fitting), (move, role)
                seen += 1
    assert seen > 50


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "gone", "new"),
    [
        (
            {"banned_steps": 3},
            Relation("banned", "gives", "garrison", 2),
            Relation("banned", "gives", "garrison", 3),
        ),
        ({"search_back": 0}, Relation("search", "takes", "editor", 2), None),
        ({"seize_bonus": 2}, None, Relation("search", "gives", "garrison", 2)),
        ({"loss_penalty": 1}, None, Relation("protest", "takes", "informant", 1)),
        (
            {"price": 3},
            Relation("writers", "pays", BANNED, 2),
            Relation("writers", "pays", BANNED, 3),
        ),
        ({"function_set": "blank"}, Relation("function:FC07", "gives", "player", 1), None),
        ({"function_set": "none"}, Relation("function:FC04", "blocks", "search"), None),
        ({"events": False}, Relation("event:1987", "stops", "search"), None),
        ({"eras": (1, 2)}, Relation("event:1987", "stops", "search"), None),
        ({"lifting_year": 1993}, Relation("event:1987", "stops", "search"), None),
        ({"defence_o": "defender"}, None, Relation("search", "takes", "author", 2)),
    ],
)
def test_another_option_is_another_map(
    options: dict[str, object], gone: Relation | None, new: Relation | None
) -> None:
    found = of_blockade(**options)
    assert gone is None or (gone in standard() and gone not in found)
    assert new is None or new in found


def test_rules_and_history_are_kept_apart() -> None:
    for about in RULES:
        of_rules = starter_map("blockade", "en", about)
        assert not {"edited", "wrote", "named_in"} & {
            relation.kind for relation in of_rules.relations.values()
        }
    assert not {"gives", "takes", "launches"} & {
        relation.kind for relation in starter_map("blockade", "en").relations.values()
    }


# Knit Wit: what the rules do, and what words have in common


def of_knitwit(players: int = 3, **options: object) -> set[tuple[str, str, str, int]]:
    return {
        tuple(relation)
        for relation in knitwit_relations(KnitWit(players, KnitWitOptions(**options)))
    }  # type: ignore[arg-type, misc]


def test_the_map_of_knit_wit_says_the_rules() -> None:
    assert of_knitwit() == {
        ("loop", "encloses", "spool", 0),
        ("loop", "avoids", "pin", 0),
        ("spool", "lies_in", "loop", 0),
        ("tag", "names", "loop", 0),
        ("spool", "asks", "answer", 0),
        ("answer", "needs", "tag", 0),
        ("tag", "forbids", "answer", 0),
        ("loop", "earns", "points", 1),
        ("same", "cancels", "answer", 0),
        ("challenge", "tests", "answer", 0),
        ("vote", "decides", "challenge", 0),
        ("writer", "joins", "vote", 0),
        ("button", "holes", "points", 0),
        ("button", "stops", "taker", 0),
        ("last", "stops", "writer", 0),
    }


@pytest.mark.parametrize(
    ("players", "options", "gone", "new"),
    [
        (
            3,
            {"ban_scope": "spool"},
            ("tag", "forbids", "answer", 0),
            ("tag", "forbids_inside", "answer", 0),
        ),
        (
            3,
            {"challenged_votes": False},
            ("writer", "joins", "vote", 0),
            ("others", "joins", "vote", 0),
        ),
        (2, {}, ("vote", "decides", "challenge", 0), ("writer", "decides", "challenge", 0)),
        (2, {}, ("last", "stops", "writer", 0), ("last", "leaves", "writer", 1)),
        (
            2,
            {"two_player_extra": 3},
            ("last", "stops", "writer", 0),
            ("last", "leaves", "writer", 3),
        ),
        (2, {"two_player_challenge": "off"}, ("challenge", "tests", "answer", 0), None),
    ],
)
def test_another_rule_of_knit_wit_is_another_map(
    players: int, options: dict[str, object], gone: tuple[str, ...], new: tuple[str, ...] | None
) -> None:
    found = of_knitwit(players, **options)
    assert gone in of_knitwit()
    assert gone not in found
    assert new is None or new in found


def test_a_match_of_knit_wit_keeps_to_its_map() -> None:
    """What an answer is worth, and that clashes are worth nothing, in a match that is played."""
    match = play_out(KnitWit(3, KnitWitOptions(loops=4, buttons=(2,))), [FirstThought] * 3, "map")
    state, points = match.state, [0, 0, 0]
    lines = {number: len(around) for (number, _, _), around in zip(state.spools, state.around)}
    for seat in range(3):
        points[seat] = state.taken[seat] + sum(
            loops
            for number, loops in lines.items()
            if state.sheets[seat][number - 1] and state.verdicts[seat][number - 1] in (0, 3)
        )
    assert points == state.points


@pytest.mark.parametrize("tag", [0, 17, 50, 113])
def test_words_of_a_tag_fit_what_the_map_says(tag: int) -> None:
    pack = KnitWit(3).pack
    found = words_near(pack, tag)
    for entry, others in found.items():
        assert entry in pack.lexicon
        assert tag in entry.tags
        assert others < entry.tags
        assert tag not in others
    assert len(set(found.values())) == len(found)  # no two words say the same
    map = starter_map("knitwit", "en", f"tag:{pack.tags[tag].zh}")
    assert map.sentence(next(iter(map.relations))).endswith(pack.tags[tag].en)
    assert len(map.relations) == sum(1 + len(others) for others in found.values())
