"""How 文壇封鎖中 looks: what each moment shows, offers and says, and what it must not tell."""

import json

import pytest

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out
from coursekit.core.options import to_tuples
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules import game as rules
from coursekit.games.blockade.rules.card_codes import FUNCTIONS, ROLES, Cards
from coursekit.games.blockade.rules.card_facts import ERAS, in_language
from coursekit.games.blockade.rules.card_files import events
from coursekit.games.blockade.table.pieces import card_piece, life
from coursekit.games.blockade.table.quick_start import GUIDE
from coursekit.games.blockade.table.scene import handbook, log, scene
from coursekit.kit.scene import Look, pieces_of, zones_of
from coursekit.testing.scene_checks import touchable
from coursekit.words.texts import LANGUAGES
from tests.games.blockade_table import (
    AUTHOR,
    BANNED,
    CARDS,
    EDITOR,
    PERIODICALS,
    POLICE,
    SPY,
    WRITERS,
    Table,
    function,
    started,
)


def drawn(match, seat=POLICE, language="en", **look):
    """Return the scene of *seat*."""
    match = getattr(match, "match", match)
    looks = Look(match.game, language, match.names, **look)
    return scene(match.game.observe(match.state, seat), match.story(seat), looks)


def zone(found, kind, number=0):
    """Return a zone of *kind*, wherever it lies."""
    return [zone_found for zone_found in zones_of(found["zones"]) if zone_found["kind"] == kind][
        number
    ]


def kinds(found):
    return [zone_found["kind"] for zone_found in zones_of(found["zones"])]


def place(found, seat):
    return zone(found, "seats")["places"][seat]


def standing(found):
    """Return where each marker stands: the label of its space, or "corner" and the number of the
    side before it.
    """
    where = {}
    for number, side in enumerate(zone(found, "track")["sides"], 1):
        spaces = [(space["label"], space) for space in side["spaces"]] + [
            (f"corner {number}", side["corner"])
        ]
        where |= {piece["id"]: label for label, space in spaces for piece in space["markers"]}
    return [where[f"marker-{seat}"] for seat in range(4)]


def spaces(found, number):
    return {space["label"]: space for space in zone(found, "track")["sides"][number - 1]["spaces"]}


def lit(found):
    """Return everything that can be decided in a scene."""
    return {to_tuples(thing["action"]) for thing in touchable(found) if thing["legal"]}


def buttons(found):
    """Return the buttons near the hand: label by action."""
    if "choices" not in kinds(found):
        return {}
    return {
        to_tuples(choice["action"]): choice["label"] for choice in zone(found, "choices")["choices"]
    }


def pieces(found):
    return {piece["id"]: piece for piece in pieces_of(found)}


# The track


def test_the_track_has_a_space_for_every_year_and_a_corner_after_each_era():
    sides = zone(drawn(Table()), "track")["sides"]
    assert [len(side["spaces"]) for side in sides] == [11, 10, 10, 13]
    assert [space["label"] for side in sides for space in side["spaces"]] == [
        str(year) for year in range(1949, 1993)
    ]
    assert [space["short"] for space in sides[0]["spaces"]][:2] == ["49", "50"]
    assert [side["label"] for side in sides] == ["1949-1959", "1960-1969", "1970-1979", "1980-1992"]


@pytest.mark.parametrize("era", [1, 2, 3, 4])
def test_the_side_of_the_era_being_played_is_lit_and_ends_at_its_corner(era):
    sides = zone(drawn(Table(era)), "track")["sides"]
    assert [side["now"] for side in sides] == [number == era for number in range(1, 5)]
    ends = [
        side["corner"]["label"] == "End" and side["corner"]["state"] == "goal" for side in sides
    ]
    assert ends == [number == era for number in range(1, 5)]


def test_markers_stand_on_the_years_of_their_positions():
    assert standing(drawn(Table(1, at={0: 0, 1: 3, 2: 10, 3: 3}))) == [
        "1949",
        "1952",
        "1959",
        "1952",
    ]
    assert standing(drawn(Table(4, at={0: 12, 1: 0, 2: 1, 3: 2}))) == [
        "1992",
        "1980",
        "1981",
        "1982",
    ]


def test_a_marker_that_ends_an_era_stands_on_its_corner():
    found = drawn(Table(2, AUTHOR, ["prize"], at={AUTHOR: 9}).play("prize"))
    assert standing(found)[AUTHOR] == "corner 2"
    assert place(found, AUTHOR)["counts"][1]["value"] == "the end"


def test_with_a_start_in_the_buffer_markers_start_on_the_corner_before():
    for era, corner in ((1, "corner 4"), (2, "corner 1")):
        found = drawn(Table(era, at=dict.fromkeys(range(4), 0), options={"start_in_buffer": True}))
        assert standing(found) == [corner] * 4
    found = drawn(Table(1, at={0: 1, 1: 11, 2: 2, 3: 3}, options={"start_in_buffer": True}))
    assert standing(found) == ["1949", "1959", "1950", "1951"]


def test_the_last_era_can_end_on_1992():
    found = drawn(Table(4, at={POLICE: 11}, options={"last_goal": "1992"}))
    assert spaces(found, 4)["1992"]["state"] == "goal"
    assert zone(found, "track")["sides"][3]["corner"]["state"] == ""
    assert place(found, POLICE)["counts"][1]["value"] == "1991, 1 to go"
    assert spaces(drawn(Table(4)), 4)["1992"]["state"] == ""


def test_camps_have_different_shapes_and_roles_a_letter_each():
    markers = [
        pieces(drawn(Table(), language=language))[f"marker-{seat}"]
        for language in ("en", "zh-Hant")
        for seat in range(4)
    ]
    assert [marker["face"]["print"]["form"] for marker in markers] == [
        "stamp",
        "stamp",
        "token",
        "token",
    ] * 2
    assert [marker["face"]["print"]["title"] for marker in markers] == [*"GIEA", *"警線編作"]
    assert len({marker["face"]["tone"] for marker in markers}) == 4


def test_every_event_lies_on_its_year_and_one_that_has_happened_looks_different():
    match = Table(1, AUTHOR, ["prize"], at={AUTHOR: 4})
    before = spaces(drawn(match), 1)
    match.play("prize")
    after = spaces(drawn(match), 1)
    assert (before["1954"]["state"], after["1954"]["state"], after["1955"]["state"]) == (
        "",
        "done",
        "",
    )
    every = [
        piece["about"]
        for side in zone(drawn(match), "track")["sides"]
        for at in side["spaces"]
        for piece in at["pieces"]
    ]
    assert every == [f"event-{note.year}" for note in events()]


def test_the_lifting_of_martial_law_stands_where_the_rules_of_the_match_put_it():
    moved = Table(3, options={"lifting_year": 1979})
    assert [piece["about"] for piece in spaces(drawn(moved), 3)["1979"]["pieces"]] == [
        "event-1979",
        "event-1987",
    ]
    assert spaces(drawn(moved), 4)["1987"]["pieces"] == []
    never = drawn(Table(4, options={"lifting_year": 1993}))
    assert "event-1987" not in {piece.get("about") for piece in pieces_of(never)}
    assert spaces(drawn(Table(4, options={"events": False})), 4)["1987"]["pieces"]  # still history


# Within the track


def test_piles_show_their_numbers_and_only_the_discards_lie_open():
    found = drawn(Table(discards=[WRITERS[1][0], function("prize")]))
    deck, discards, books = (zone(found, "pile", number) for number in range(3))
    assert (deck["count"], deck["top"], books["count"], books["top"]) == (270, None, 33, None)
    assert discards["top"]["face"]["print"]["title"] == "Literary Prize"
    assert books["back"]["art"] == "back-book"


def dice(found):
    return [(die["value"], die.get("caption")) for die in zone(found, "dice")["dice"]]


def test_an_attempt_has_a_die_for_each_of_the_two_throws():
    match = Table(turn=POLICE, step="strike", books={AUTHOR: [BANNED[0]]}, dice="OO")
    assert dice(drawn(match)) == [("0", None)]
    match.play(("strike", BANNED[0]))
    assert dice(drawn(match)) == [("0", "Garrison Command"), ("0", "Author")]
    match.play("roll")
    assert dice(drawn(match)) == [("O", "Garrison Command"), ("0", "Author")]
    match.play("roll")
    assert dice(drawn(match)) == [("O", "Garrison Command"), ("O", "Author")]


def test_an_attempt_that_is_not_launched_leaves_the_second_die_alone():
    match = Table(turn=POLICE, step="strike", books={AUTHOR: [BANNED[0]]}, dice="X").play(
        ("strike", BANNED[0]), "roll"
    )
    assert dice(drawn(match)) == [("X", "Garrison Command"), ("0", "Author")]


def test_who_need_not_throw_has_no_die():
    match = Table(turn=POLICE, step="strike", books={AUTHOR: [BANNED[0]]}, sure=1).play(
        ("strike", BANNED[0])
    )
    assert dice(drawn(match)) == [("0", "Author")]
    assert "Garrison" not in drawn(match)["prompt"]


def test_an_event_has_a_die_for_everybody_who_throws():
    match = Table(1, POLICE, ["prize"], at={POLICE: 5}, dice="XO").play("prize")
    assert dice(drawn(match)) == [("0", "Informant"), ("0", "Editor"), ("0", "Author")]
    match.play("roll", "roll")
    assert dice(drawn(match)) == [("X", "Informant"), ("O", "Editor"), ("0", "Author")]


def test_the_dice_of_an_attempt_are_seen_although_its_move_sets_off_an_event():
    match = Table(
        1, EDITOR, step="strike", books={SPY: [PERIODICALS[0]]}, at={EDITOR: 4}, dice="OO"
    )
    match.play(("strike", PERIODICALS[0]), "roll", "roll")
    assert "happens" in match.told
    assert dice(drawn(match)) == [("O", "Editor"), ("O", "Informant")]


def told(match, language):
    """Return what everybody may read of the match, a line for each event."""
    played = match.match
    return log(played.story(None), Look(played.game, language, played.names))


def test_a_function_card_is_shown_to_all_with_its_text_its_reader_and_its_label():
    match = Table(1, AUTHOR, ["prize"], at={AUTHOR: 1}).play("prize")
    for language in LANGUAGES:
        for seat in (POLICE, AUTHOR, None):
            notice = zone(drawn(match, seat, language), "notice")
            look = Look(match.game, language)
            assert look.name(AUTHOR) in notice["title"]
            assert look.word("function", "prize") in notice["title"]
            assert notice["text"][-1] == look.say("function.prize.text")
            assert notice["result"] in told(match, language)
            assert "note" not in notice
            assert notice["piece"]["about"] == "fn-prize"


def test_an_event_is_shown_with_its_year_its_effect_and_its_label():
    match = Table(1, AUTHOR, ["prize"], at={AUTHOR: 4}).play("prize")
    for language in LANGUAGES:
        notice, look = zone(drawn(match, None, language), "notice"), Look(match.game, language)
        assert "1954" in notice["title"]
        assert notice["text"][-1] == look.say("event.1954.effect")
        assert notice["piece"]["about"] == "event-1954"


def test_what_a_notice_says_of_others_is_no_secret():
    match = Table(1, POLICE, ["mail_check"], hands={AUTHOR: [WRITERS[1][5]]}).play(
        "mail_check", ("rival", AUTHOR)
    )
    own, others = (zone(drawn(match, seat), "notice") for seat in (POLICE, EDITOR))
    assert own == others
    assert "sees_hand" in match.told


def test_a_new_turn_has_its_own_headline_and_a_new_era_none():
    match = Table(1, AUTHOR, ["prize"], hands={POLICE: [WRITERS[1][5]]}, at={AUTHOR: 1}).play(
        "prize"
    )
    match.play(("play", WRITERS[1][5]))
    assert zone(drawn(match), "notice")["title"].startswith("Player 1 places")
    fresh = Match(Blockade(4), "fresh")
    assert zone(drawn(fresh), "notice")["title"] == "The years 1949-1959"
    assert "2 spaces" in zone(drawn(fresh), "notice")["text"][0]


# Cards


def face(found, card):
    return pieces(found)[f"card-{card}"]["face"]["print"]


def test_a_writer_card_has_name_life_work_and_year_in_every_language():
    card = WRITERS[1][3]
    writer = CARDS.writers[card]
    match = Table(1, POLICE, [card])
    for language in LANGUAGES:
        shown = face(drawn(match, language=language), card)
        assert shown["title"] == in_language(writer.name_zh, writer.name_en, language)
        assert shown["text"] == writer.title(language)
        assert shown["head"] == f"{writer.birth}–{writer.death}"
        assert shown["foot"] == str(writer.work_year)


def test_a_card_and_its_page_tell_a_life_alike_and_no_unknown_death_reads_as_still_alive():
    own = [
        CARDS.writers[0]._replace(birth=birth, death=death)
        for birth, death in [(1923, None), (None, 1990)]
    ]
    game = Blockade(4)
    game.cards = Cards(
        (*own, *CARDS.writers[2:]), card_files.functions(), CARDS.periodicals, CARDS.banned
    )
    match = Table(1, POLICE, [0, 1]).match
    obs = match.game.observe(match.state, POLICE)
    chinese = ["1923 年生", "1990 年逝世"]
    for language, told in {
        "zh-Hant": chinese,
        "en": ["born 1923", "died 1990"],
        "zh-Hans": chinese,
    }.items():
        look = Look(game, language)
        pages = handbook(look)
        assert [pages[f"writer-{card}"]["facts"][0]["value"] for card in (0, 1)] == told
        assert [life(writer, look) for writer in own] == told
        cards = [card_piece(card, obs, look) for card in (0, 1)]
        assert [card["face"]["print"]["head"] for card in cards] == told


def test_writers_of_other_eras_look_and_sound_different():
    now, other = WRITERS[1][3], WRITERS[2][3]
    found = drawn(Table(1, POLICE, [now, other]))
    assert "off" not in face(found, now)
    assert face(found, other)["off"]
    assert pieces(found)[f"card-{other}"]["label"].endswith("not of this era")
    everywhere = drawn(
        Table(2, POLICE, [now, other], options={"stale_cards": "not_before_publication"})
    )
    assert "off" not in face(everywhere, now)


def test_a_hand_is_held_in_order_writers_of_the_era_first():
    hand = [WRITERS[2][0], function("prize"), WRITERS[1][4], function("stencil"), WRITERS[1][2]]
    found = drawn(Table(1, POLICE, tuple(hand)))
    order = [piece["id"] for piece in zone(found, "hand")["pieces"]]
    stencil, prize = sorted([function("stencil"), function("prize")])
    expected = [WRITERS[1][2], WRITERS[1][4], stencil, prize, WRITERS[2][0]]
    assert order == [f"card-{card}" for card in expected]


def test_book_cards_tell_their_kind_by_form_and_word():
    found = drawn(Table(books={EDITOR: [PERIODICALS[0], BANNED[0]]}))
    shown = [pieces(found)[f"book-{book}"]["face"]["print"] for book in (PERIODICALS[0], BANNED[0])]
    assert [(part["form"], part["foot"]) for part in shown] == [
        ("paper", "Paper"),
        ("volume", "Banned"),
    ]


# Plates


LATER = {"en": "That was after ", "zh-Hant": " 以後的事", "zh-Hans": " 以后的事"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("era", ERAS)
def test_who_gets_a_book_is_told_its_year_and_whether_the_era_is_over_by_then(language, era):
    for book in (*PERIODICALS, *BANNED):
        # An event would be the news.
        options, tables = {"events": False}, {POLICE: WRITERS[era][:2]}
        table = Table(era=era, tables=tables, book_top=[book], options=options)
        table.play("exchange")
        match, year = table.match, CARDS.books[book].year
        look = Look(match.game, language, match.names)
        story = match.story(POLICE)
        at = [event.text for event in story].index("takes_book")
        told = log(story, look)[at]
        assert log(story, look, at)[0] == told
        assert str(year) in told
        assert (LATER[language] in told) is (year > ERAS[era][-1])
        notice = zone(drawn(match, language=language), "notice")
        assert told in (notice.get("result"), *notice["text"])
        piece = pieces(drawn(match))[f"book-{book}"]
        assert str(year) in piece["face"]["print"]["text"]
        assert str(year) in piece["label"]


def test_a_paper_of_one_year_has_that_year_alone():
    pages = handbook(Look(Blockade(4), "en"))
    for book in PERIODICALS:
        row = CARDS.books[book]
        facts = {fact["label"]: fact["value"] for fact in pages[f"book-{book}"]["facts"]}
        if row.founded == row.ceased:
            assert facts["Published"] == str(row.founded)
            shown = pieces(drawn(Table(books={EDITOR: [book]})))[f"book-{book}"]
            assert shown["face"]["print"]["text"] == str(row.founded)
        assert f"{row.founded}–{row.founded}" not in json.dumps(pages, ensure_ascii=False)


def test_a_plate_tells_role_points_place_and_what_lies_there():
    match = Table(
        1,
        tables={AUTHOR: [WRITERS[1][0]]},
        books={AUTHOR: [BANNED[0], PERIODICALS[0]]},
        at={AUTHOR: 8},
        points=[0, 0, 0, 7],
    )
    shown = place(drawn(match), AUTHOR)
    assert shown["team"]["label"] == "Author"
    assert shown["sign"]["about"] == "role-author"
    assert [count["value"] for count in shown["counts"]] == ["7", "1957, 3 to go"]
    assert shown["backs"] == 5
    lying = [
        (shelf["label"], [piece["id"] for piece in shelf["pieces"]]) for shelf in shown["shelves"]
    ]
    assert lying == [
        ("Writers in front", [f"card-{WRITERS[1][0]}"]),
        ("Book cards", [f"book-{BANNED[0]}", f"book-{PERIODICALS[0]}"]),
    ]


@pytest.mark.parametrize(
    ("fields", "seat", "badge"),
    [
        ({"covered": [0, 0, 1, 0]}, EDITOR, "false cover"),
        ({"skip": [0, 1, 0, 0]}, SPY, "skips phase 2"),
        ({"sure": 1}, POLICE, "sure launch"),
        ({"lifted": 1}, SPY, "no phase 2"),
        ({"outspoken": 1}, EDITOR, "sure protest"),
        ({"spares": {AUTHOR: function("spare_licence")}}, AUTHOR, "spare licence"),
    ],
)
def test_states_are_badges_in_words(fields, seat, badge):
    found = drawn(Table(4, **fields))
    assert place(found, seat)["badges"] == [badge]
    assert [bool(place(found, other)["badges"]) for other in range(4)].count(True) == (
        2 if badge in ("no phase 2", "sure protest") else 1
    )


def test_a_kept_licence_lies_in_front_of_its_holder():
    found = drawn(Table(spares={AUTHOR: function("spare_licence")}))
    (shelf,) = place(found, AUTHOR)["shelves"]
    assert shelf["pieces"][0]["about"] == "fn-spare_licence"


# What is asked, and what can be done


PHASES = {
    "begin": lambda: Match(Blockade(4), "start"),
    "opening": lambda: started(),
    "main": lambda: Table(1, AUTHOR, [WRITERS[1][0], "prize"], tables={AUTHOR: WRITERS[1][1:3]}),
    "fresh": lambda: Table(1, AUTHOR, tuple(WRITERS[2][:3]), fresh=1).play(
        ("discard", WRITERS[2][0])
    ),
    "exchange": lambda: Table(
        1,
        AUTHOR,
        [WRITERS[1][0]],
        tables={AUTHOR: [WRITERS[1][1]]},
        options={"exchange_delay": False},
    ).play(("play", WRITERS[1][0])),
    "pay": lambda: Table(1, AUTHOR, tables={AUTHOR: WRITERS[1][:3]}).play("exchange"),
    "strike": lambda: Table(1, SPY, step="strike", books={AUTHOR: BANNED[:2], EDITOR: [BANNED[3]]}),
    "launch": lambda dice="": Table(
        1, SPY, step="strike", books={AUTHOR: BANNED[:2]}, dice=dice
    ).play(("strike", BANNED[0])),
    "defend": lambda: PHASES["launch"](dice="O").play("roll"),
    "place": lambda: Table(1, SPY, ["stencil", WRITERS[1][0]]).play("stencil"),
    "peek": lambda: Table(1, SPY, ["bookstall"]).play("bookstall"),
    "hand_in": lambda: Table(1, SPY, ["altered"], books={SPY: BANNED[:2]}).play("altered"),
    "close": lambda: Table(1, POLICE, ["suspension"], books={EDITOR: PERIODICALS[:2]}).play(
        "suspension"
    ),
    "trim": lambda: Table(1, SPY, ["reading_circle"]).play("reading_circle", "done"),
    "lose": lambda: Table(1, SPY, ["summons"], tables={AUTHOR: WRITERS[1][:2]}).play(
        "summons", ("rival", AUTHOR)
    ),
    "inspect": lambda: Table(1, SPY, ["mail_check"]).play("mail_check", ("rival", AUTHOR)),
    "rival": lambda: Table(1, SPY, ["torn_page"]).play("torn_page"),
    "throw": lambda: Table(1, SPY, ["prize"], at={SPY: 5}).play("prize"),
    "pass_left": lambda: Table(2, SPY, ["prize"], at={SPY: 5}).play("prize"),
    "era": lambda: Table(1, SPY, ["prize"], at={SPY: 10}, options={"eras": (1, 2)}).play("prize"),
    "over": lambda: Table(1, SPY, ["prize"], at={SPY: 10}).play("prize", "next"),
}


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_says_what_it_wants_and_offers_exactly_what_is_legal(phase):
    match = PHASES[phase]()
    match = getattr(match, "match", match)
    assert match.state.phase == phase
    deciding = match.game.to_act(match.state)
    for language in LANGUAGES:
        prompts = {}
        for seat in (*match.game.seats, None):
            found = drawn(match, seat, language)
            assert json.loads(json.dumps(found)) == found
            prompts.setdefault(seat in deciding, set()).add(found["prompt"])
            by = seat if seat in deciding else TABLE if deciding == (TABLE,) else None
            assert lit(found) == (
                set(match.game.legal_actions(match.state, by)) if by is not None else set()
            )
            assert found["turn"] == (by is not None)
        if deciding and deciding != (TABLE,):
            assert not prompts[True] & prompts[False], "who waits is told something else"
            assert all(
                Look(match.game, language).name(deciding[0]) in prompt for prompt in prompts[False]
            )


def test_the_phases_tried_are_all_there_are():
    assert set(PHASES) == {*rules.PHASES, "over"}


@pytest.mark.parametrize(
    ("options", "fields", "said"),
    [
        ({}, {}, "an O from you, then an O"),
        ({"defence_o": "defender"}, {}, "an O from you, then an X"),
        ({}, {"sure": 1}, "You need not throw; it needs an O"),
    ],
)
def test_who_may_make_an_attempt_is_told_what_it_needs(options, fields, said):
    match = Table(1, SPY, step="strike", books={AUTHOR: BANNED[:1]}, options=options, **fields)
    assert said in drawn(match, SPY)["prompt"]


def test_pens_are_told_when_their_protests_need_no_throw():
    match = Table(4, EDITOR, step="strike", books={SPY: PERIODICALS[:1]}, outspoken=1)
    assert "need not throw" in drawn(match, EDITOR)["prompt"]
    assert (
        "need not throw"
        not in drawn(Table(4, SPY, step="strike", books={EDITOR: BANNED[:1]}, outspoken=1), SPY)[
            "prompt"
        ]
    )


def test_the_target_is_told_which_face_saves_it():
    for option, saves in (("attacker", "X keeps"), ("defender", "O keeps")):
        match = Table(
            1,
            SPY,
            step="strike",
            books={AUTHOR: BANNED[:2]},
            dice="O",
            options={"defence_o": option},
        )
        assert saves in drawn(match.play(("strike", BANNED[0]), "roll"), AUTHOR)["prompt"]


def test_an_attempt_can_be_made_from_the_book_itself_and_by_a_button():
    found = drawn(PHASES["strike"](), SPY)
    (choice,) = pieces(found)[f"book-{BANNED[0]}"]["choices"]
    assert choice["action"] == ["strike", BANNED[0]]
    assert choice["label"] == f"Denounce the Author for the banned book {CARDS.banned[0].title_en}"
    assert set(buttons(found)) == {*(("strike", book) for book in (*BANNED[:2], BANNED[3])), "pass"}
    assert "choices" not in pieces(drawn(PHASES["strike"](), AUTHOR))[f"book-{BANNED[0]}"]


def test_a_function_card_asks_to_be_read_aloud_before_it_is_played():
    match = Table(1, AUTHOR, ["prize"])
    card = pieces(drawn(match, AUTHOR))[
        f"card-{next(c for c in match.state.hands[AUTHOR] if CARDS.functions[c] == 'prize')}"
    ]
    assert "action" not in card, "a touch opens the sheet and plays nothing"
    assert [choice["label"] for choice in card["choices"]] == ["I have read it aloud: play"]
    assert handbook(Look(match.game, "en"))[card["about"]]["lead"] == "Go forward one space."


def test_a_card_that_cannot_be_played_can_still_be_asked_why():
    match = Table(1, AUTHOR, (WRITERS[1][0], WRITERS[2][0]))
    shown = {
        piece["id"]: piece["choices"] for piece in zone(drawn(match, AUTHOR), "hand")["pieces"]
    }
    (choice,) = shown[f"card-{WRITERS[2][0]}"]
    assert (choice["action"], choice["legal"]) == (["play", WRITERS[2][0]], False)
    assert match.refused(to_tuples(choice["action"])) == "refusal.other_era"


def test_stale_writers_are_changed_one_by_one_or_all_at_once():
    match = Table(1, AUTHOR, (WRITERS[1][0], WRITERS[2][0], WRITERS[3][0]), fresh=1)
    found = drawn(match, AUTHOR)
    assert buttons(found) == {"refresh": "Change the 2 of other eras"}
    labels = [choice["label"] for choice in pieces(found)[f"card-{WRITERS[2][0]}"]["choices"]]
    assert labels == ["Place it", "Change it"]


def test_a_throw_is_asked_for_with_a_die():
    (choice,) = zone(drawn(PHASES["launch"](), SPY), "choices")["choices"]
    assert (choice["action"], choice["die"], choice["primary"]) == ("roll", "0", True)


def test_rivals_are_named_with_their_roles():
    assert buttons(drawn(PHASES["rival"](), SPY)) == {
        ("rival", EDITOR): "Player 3 (Editor)",
        ("rival", AUTHOR): "Player 4 (Author)",
    }


def test_a_card_chosen_for_the_left_is_marked_only_for_its_holder():
    match = PHASES["pass_left"]()
    card = match.state.hands[SPY][0]
    match.match.play(SPY, ("left", card))
    assert pieces(drawn(match, SPY))[f"card-{card}"]["mark"] == "to be passed"
    for seat in (POLICE, EDITOR, AUTHOR, None):
        assert not any("mark" in piece for piece in pieces_of(drawn(match, seat)))
    assert place(drawn(match), SPY)["turn"] is False


# What is hidden


def shown_cards(found):
    """Return the experience and book cards whose faces a scene shows."""
    return {piece["id"] for piece in pieces_of(found) if piece["id"].startswith(("card-", "book-"))}


@pytest.mark.parametrize("phase", PHASES)
def test_only_the_own_hand_and_what_lies_open_is_shown(phase):
    match = PHASES[phase]()
    match = getattr(match, "match", match)
    state = match.state
    lying = {
        f"card-{card}"
        for cards in (*state.tables, *state.spares, state.discards[-1:])
        for card in cards
    }
    lying |= {f"book-{book}" for books in state.books for book in books}
    for seat in (*match.game.seats, None):
        own = (
            {f"card-{card}" for card in state.hands[seat]}
            if seat is not None and phase != "over"
            else set()
        )
        if phase == "peek" and seat == SPY:
            own |= {f"book-{book}" for book in state.book_deck[-3:]}
        if phase == "inspect" and seat == SPY:
            own |= {f"card-{card}" for card in state.hands[AUTHOR]}
        assert shown_cards(drawn(match, seat)) == lying | own


def test_what_is_looked_at_is_a_row_for_one_player_only():
    for phase in ("peek", "inspect"):
        match = PHASES[phase]()
        row = zone(drawn(match, SPY), "row")["pieces"]
        assert len(row) == {"peek": 3, "inspect": 5}[phase]
        assert all(piece["choices"][0]["legal"] for piece in row)
        assert all(
            "row" not in kinds(drawn(match, seat)) for seat in (POLICE, EDITOR, AUTHOR, None)
        )


def test_a_scene_does_not_change_with_what_is_hidden():
    scenes = []
    for cards in (
        WRITERS[1][:5],
        [function(name) for name in ("prize", "summons", "altered", "stencil", "advance")],
    ):
        match = Table(
            1,
            POLICE,
            (WRITERS[3][0], WRITERS[3][1]),
            hands={AUTHOR: tuple(cards), EDITOR: (), SPY: ()},
        )
        match.state.deck = match.state.deck[:200]
        scenes.append(drawn(match))
    assert scenes[0] == scenes[1]


def test_hands_lie_open_where_nobody_has_a_secret_and_not_at_the_end():
    match = Table(1, POLICE, [WRITERS[1][0]])
    seen = [match.game.observe(match.state, seat) for seat in match.game.seats]
    shelf = place(drawn(match, None, open_hands=seen), POLICE)["shelves"][-1]
    assert (shelf["label"], len(shelf["pieces"])) == ("Hand", 5)
    assert place(drawn(match, None, open_hands=seen), POLICE)["backs"] == 0
    over = PHASES["over"]()
    ended = [over.game.observe(over.state, seat) for seat in over.game.seats]
    assert place(drawn(over, None, open_hands=ended), POLICE)["shelves"] == []


# The end of an era, and of the match


def test_an_era_ends_with_its_points_in_a_pad_and_time_to_talk():
    match = Table(
        2, SPY, ["prize"], at={POLICE: 8, SPY: 9, EDITOR: 5, AUTHOR: 5}, options={"eras": (2, 3)}
    ).play("prize")
    found = drawn(match)
    assert buttons(found) == {"next": "Go on"}
    assert zone(found, "choices")["choices"][0]["seat"] == TABLE
    pad = zone(found, "pad")
    assert not pad["folded"]
    rows = [(row["head"], [cell["parts"] for cell in row["cells"]]) for row in pad["rows"]]
    assert rows == [
        ("1960-1969", [["3"], ["4"], ["2"], ["2"]]),
        ("Sum", [["3"], ["4"], ["2"], ["2"]]),
    ]
    assert len(zone(found, "notice")["text"]) == 4


def test_the_match_ends_with_the_closing_text_of_the_role_that_won():
    match = PHASES["over"]()
    for language in LANGUAGES:
        found = drawn(match, language=language)
        notice = zone(found, "notice")
        assert found["over"]
        look = Look(match.game, language)
        assert notice["text"] == [
            look.say("closing.most", roles=[ROLES.index("informant")]),
            look.say("closing.informant"),
        ]
        assert notice["note"]
        assert zone(found, "pad")["folded"], "points come after what is to be read"
    assert "hand" not in kinds(found)


def test_both_winners_of_a_tie_have_their_closing_text():
    match = Table(
        1, SPY, ["prize"], at={SPY: 10, AUTHOR: 10, POLICE: 0, EDITOR: 0}, options={"eras": (1, 2)}
    )
    match.play("prize")
    match.state.points, match.state.by_era = [4, 4, 1, 1], ((4, 4, 1, 1),) * 2
    match.play("next")
    most, *texts = zone(drawn(match), "notice")["text"]
    assert most == "Most points in this game: Garrison Command, Informant."
    assert [text[:25] for text in texts] == [
        "The Garrison Command was ",
        "Many never learned which ",
    ]


# What the cards tell


def test_the_handbook_has_a_page_for_every_card_event_and_role_in_every_language():
    game = Blockade(4)
    for language in LANGUAGES:
        pages = handbook(Look(game, language))
        assert json.loads(json.dumps(pages)) == pages
        assert len(pages) == 173 + 20 + 33 + 20 + 4
        assert set(pages) >= {
            *(f"fn-{name}" for name in FUNCTIONS.values()),
            *(f"role-{name}" for name in ROLES),
        }
        assert all(page["title"] and page["facts"] for page in pages.values())
        assert len(json.dumps(pages, ensure_ascii=False).encode()) < 130_000, (
            "it is sent at every start"
        )


def test_the_rules_say_once_what_the_kit_designed_and_no_card_does():
    for language in LANGUAGES:
        look = Look(Blockade(4), language)
        remark = look.say("own_design")
        said = [GUIDE.says(rule, look) for rule in GUIDE.rules]
        assert said.count(remark) == 1
        assert remark not in json.dumps(handbook(look), ensure_ascii=False)


def test_facts_have_their_source_and_unverified_ones_say_so():
    pages = handbook(Look(Blockade(4), "en"))
    unverified = {
        f"writer-{number}" for number, each in enumerate(CARDS.writers) if not each.verified
    }
    unverified |= {f"fn-{kind}" for kind, note in CARDS.notes.items() if not note.verified}
    unverified |= {f"book-{number}" for number, each in enumerate(CARDS.books) if not each.verified}
    assert {name for name, page in pages.items() if "note" in page} == unverified
    assert {page["note"][:30] for page in pages.values() if "note" in page} == {
        "Many people have told of this,",
        "Doubtful: this is the only sou",
    }
    sourced = {
        name for name, page in pages.items() if page.get("source", "").startswith("Source: ")
    }
    assert sourced >= set(pages) - unverified


def test_an_event_tells_what_happened_before_what_it_does_here():
    for note in events():
        page = handbook(Look(Blockade(4), "en"))[f"event-{note.year}"]
        assert page["text"][0] == note.summary_en
        assert page["facts"][0]["label"] == "In the game"
    page = handbook(Look(Blockade(4, Options(events=False)), "en"))["event-1957"]
    assert page["facts"][0]["value"] == "Events have no effect in this match."


def test_a_role_tells_its_task_with_the_numbers_of_the_match_and_what_it_was():
    pages = handbook(Look(Blockade(4, Options(banned_steps=3, protest_steps=4)), "zh-Hant"))
    for name, number in (("garrison", 3), ("author", 4)):
        facts = pages[f"role-{name}"]["facts"]
        assert any(f"前進 {number} 格" in fact["value"] for fact in facts)
    for name in ROLES:
        labels = [fact["label"] for fact in pages[f"role-{name}"]["facts"]]
        said = "這個角色說（我們寫的）"
        assert labels == [said, "在遊戲裡", "在遊戲裡", "史實", "戒嚴", "提醒"]
        assert "http" in pages[f"role-{name}"]["source"]


def test_a_censor_tells_of_gains_and_losses_that_the_options_bring():
    plain, more = (
        handbook(Look(Blockade(4, options), "en"))
        for options in (Options(), Options(seize_bonus=3, loss_penalty=2))
    )
    words = [fact["value"] for fact in more["role-informant"]["facts"]]
    assert any("3 spaces forward" in word for word in words)
    assert any("2 spaces back" in word for word in words)
    assert len(words) == len(plain["role-informant"]["facts"]) + 2
    assert len(more["role-editor"]["facts"]) == len(plain["role-editor"]["facts"])


def test_every_event_is_told():
    match = play_out(Blockade(4, Options(eras=(1,))), [AtRandom] * 4, "log")
    story = match.story(None)
    for language in LANGUAGES:
        assert all(log(story, Look(match.game, language)))
        assert len(log(story, Look(match.game, language))) == len(story)
