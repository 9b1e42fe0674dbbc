"""How Wikipedia and Books looks: what each moment shows, offers and says."""

import json

import pytest

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.table.card_descriptions import handbook
from coursekit.games.wikipedia.table.quick_start import GUIDE
from coursekit.games.wikipedia.table.scene import scene
from coursekit.kit.kit import tell_story as log
from coursekit.kit.scene import Look, pieces_of
from coursekit.words.texts import LANGUAGES

SCHOLAR, STUDENT = "scholar", "student"


def table(players=2, hands=(), **changes):
    """Return a match whose state is *changes*, with the given *hands* (as words)."""
    options = changes.pop("options", Options())
    match = Match(Wikipedia(players, options), "scene")
    state = match.state
    state.turn = state.starter = 0
    state.roles = [STUDENT] * players
    for seat, hand in enumerate(hands):
        state.hands[seat] = sorted(hand.split())
    for name, value in changes.items():
        setattr(state, name, value)
    return match


def drawn(match, seat=0, language="en", **look):
    """Return the scene of *seat*, and its zones by kind (of several piles, the last)."""
    looks = Look(match.game, language, match.names, **look)
    found = scene(match.game.observe(match.state, seat), match.story(seat), looks)
    return found, {zone["kind"]: zone for zone in found["zones"]}


def plate(match, seat, viewer=0, **look):
    return drawn(match, viewer, **look)[1]["seats"]["places"][seat]


def middle(match, viewer=0):
    """Return what the round is about: of each square the words and the piece's art."""
    squares = drawn(match, viewer)[1]["squares"]["squares"]
    return [(each["label"], each["piece"] and each["piece"]["face"]["art"]) for each in squares]


def offered(match, seat=0):
    """Return what each card of the hand offers: (art, {action: lit})."""
    pieces = drawn(match, seat)[1]["hand"]["pieces"]
    return [
        (each["face"]["art"], {choice["action"]: choice["legal"] for choice in each["choices"]})
        for each in pieces
    ]


# The table as in the box


def test_the_role_lies_at_the_seat_and_is_named_there():
    match = table(phase="write", roles=[SCHOLAR, STUDENT])
    for seat, role in enumerate(("scholar", "student")):
        assert plate(match, seat)["sign"]["face"]["art"] == role
        assert plate(match, seat)["counts"][-1] == {"label": "role", "value": role}


def test_three_places_in_the_middle_are_seen_while_empty():
    assert middle(table(phase="write")) == [
        ("Writing", None),
        ("Action", None),
        ("Challenge", None),
    ]


def test_the_middle_says_who_wrote_who_uses_and_who_vandalised():
    match = table(phase="cure", work="wiki", author=1, user=0, vandal=1, roles=[STUDENT, SCHOLAR])
    assert middle(match) == [
        ("by Player 2, scholar", "wiki"),
        ("used by Player 1, student", "use"),
        ("by Player 2, scholar", "vandal"),
    ]
    squares = drawn(match)[1]["squares"]["squares"]
    assert [each["piece"]["owner"] for each in squares] == [1, 0, 1]


def test_both_decks_and_both_discard_piles_show_their_numbers():
    match = table()
    piles = [zone for zone in drawn(match)[0]["zones"] if zone["kind"] == "pile"]
    assert [(zone["caption"], zone["count"]) for zone in piles] == [
        ("Deck", 35),
        ("Discards", 0),
        ("Roles", 6),
        ("Used roles", 0),
    ]
    assert [zone.get("back", {}).get("art", "back") for zone in piles] == [
        "back",
        "back",
        "back-role",
        "back-role",
    ]
    assert [zone["top"] for zone in piles] == [None] * 4  # all lie face down


def test_points_are_pips_towards_the_goal():
    match = table(points=[3, 11])
    assert plate(match, 0)["tokens"] == {"have": 3, "want": 10}
    assert plate(match, 1)["tokens"] == {"have": 10, "want": 10}  # eleven are not one too many
    assert plate(match, 1)["counts"][0] == {"label": "points", "value": "11"}
    assert "tokens" not in plate(table(options=Options(points_to_win=40)), 0)


def test_partners_sit_opposite_share_a_sign_and_add_up_their_points():
    match = table(6, points=[1, 0, 2, 3, 0, 0])
    places = drawn(match)[1]["seats"]["places"]
    assert [place["team"]["label"] for place in places] == ["A", "B", "C", "A", "B", "C"]
    assert [place["counts"][1] for place in places[::3]] == [
        {"label": "team A", "value": "4/10"}
    ] * 2
    assert places[3]["badges"] == ["partner"]
    assert places[2]["tokens"]["have"] == 2
    assert "team" not in plate(table(2), 0)


@pytest.mark.parametrize(("allowed", "said"), [(True, "may talk"), (False, "neither talk")])
def test_teams_are_told_whether_they_may_talk(allowed, said):
    note = drawn(table(4, options=Options(table_talk=allowed)))[1]["seats"]["note"]
    assert said in note
    assert drawn(table(2, options=Options(table_talk=allowed)))[1]["seats"]["note"] == ""


def test_the_title_counts_rounds_and_laps():
    assert (
        drawn(table(4, round=3, turns=47), language="zh-Hant")[0]["title"] == "第 3 局 · 第 12 輪"
    )


def test_the_die_is_seen_before_its_effect():
    match = table(
        hands=["revise use wiki book vandal"], phase="roll", work="wiki", author=1, user=0
    )
    before, zones = drawn(match)
    assert zones["dice"]["dice"] == [{"value": 0, "label": "The die is not thrown yet"}]
    (throw,) = zones["choices"]["choices"]
    assert (throw["action"], throw["die"], throw["primary"]) == ("roll", 0, True)
    match.play(0, "roll")
    after, zones = drawn(match)
    assert zones["dice"]["dice"][0]["value"] == match.state.die > 0
    assert after["beat"] == 1.5 > before["beat"]
    assert match.state.points == [0, 0]
    assert str(match.state.die) in after["prompt"]


def test_what_was_scored_is_said_until_somebody_does_something():
    hands, always_right = ["book use vandal use use"] * 2, Options(book_wrong=0)
    match = table(hands=hands, phase="roll", work="book", author=1, user=0, options=always_right)
    match.play(0, "roll")
    match.play(TABLE, "next")
    match.state.roles = [STUDENT, STUDENT]
    found, zones = drawn(match)
    assert zones["squares"]["note"] == (
        "Player 1, who used it, gets 1 point, 1 in all. Player 2, who wrote the book, gets 1 point, 1 in all."
    )
    assert found["beat"] == 1.5
    match.play(0, "discard use")
    assert drawn(match)[1]["squares"]["note"] == ""


# What can be done


def test_every_card_of_the_own_hand_offers_to_play_and_to_discard_it():
    match = table(hands=["book revise use vandal wiki"], phase="move", work="wiki", author=1)
    assert offered(match) == [
        ("wiki", {"wiki": False, "discard wiki": True}),
        ("book", {"book": False, "discard book": True}),
        ("use", {"use": True, "discard use": True}),
        ("vandal", {"vandal": True, "discard vandal": True}),
        ("revise", {"revise": False, "discard revise": True}),
    ]


def test_who_must_write_may_not_discard():
    match = table(hands=["book use use use wiki"], phase="write", roles=[SCHOLAR, STUDENT])
    lit = [action for _, choices in offered(match) for action, legal in choices.items() if legal]
    assert lit == ["wiki", "book"]


def test_a_hand_out_of_turn_offers_only_its_pages():
    match = table(hands=["book", "use"], phase="move", work="wiki", author=1, turn=1)
    (card,) = drawn(match)[1]["hand"]["pieces"]
    assert "choices" not in card
    assert card["about"] == "book"


def test_mending_is_offered_on_the_cards_and_as_a_button():
    match = table(hands=["revise revise use"], phase="repair", work="book", author=1, user=0, die=1)
    choices = drawn(match)[1]["choices"]["choices"]
    assert [(each["label"], each["legal"]) for each in choices] == [
        ("Mend it with 2 Revisions", True),
        ("Leave it", True),
    ]
    assert dict(offered(match))["revise"] == {"revise": True}
    match.state.roles[0] = SCHOLAR
    assert [each["legal"] for each in drawn(match)[1]["choices"]["choices"]] == [True, False]
    match.state.hands[0] = ["revise"]
    assert [each["legal"] for each in drawn(match)[1]["choices"]["choices"]] == [False, True]


def test_a_blocked_use_can_be_given_up_and_the_table_goes_on_by_itself():
    match = table(hands=["revise"], phase="cure", work="wiki", author=1, user=0, vandal=1)
    assert [each["action"] for each in drawn(match)[1]["choices"]["choices"]] == [
        "revise",
        "give up",
    ]
    match.state.roles[0] = SCHOLAR
    assert [each["legal"] for each in drawn(match)[1]["choices"]["choices"]] == [True, False]
    match.state.hands[0] = ["use"]
    assert [each["action"] for each in drawn(match)[1]["choices"]["choices"]] == ["give up"]
    match.state.user = 1
    assert "choices" not in drawn(match)[1]
    match.state.phase, match.state.die = "result", 6
    (go_on,) = drawn(match, seat=None)[1]["choices"]["choices"]
    assert (go_on["action"], go_on["seat"], go_on["legal"]) == ("next", TABLE, True)


def test_a_small_hand_can_be_filled_up_if_the_option_leaves_it_to_the_player():
    match = table(
        hands=["use wiki"],
        phase="move",
        work="wiki",
        author=1,
        options=Options(refill="optional_own_turn"),
    )
    assert [each["action"] for each in drawn(match)[1]["choices"]["choices"]] == ["refill"]


# What is said

FORCED = [
    ("write", SCHOLAR, "wiki use", {}, "you hold Wikipedia: you must write"),
    ("write", STUDENT, "book use", {}, "you have nothing to write"),
    ("move", STUDENT, "use book", {"work": "wiki"}, "play Use, or discard"),
    ("move", SCHOLAR, "vandal book", {"work": "wiki"}, "nothing to play"),
    (
        "move",
        STUDENT,
        "use book",
        {"work": "wiki", "options": Options(strict_discard=True)},
        "must play it",
    ),
    (
        "cure",
        SCHOLAR,
        "revise",
        {"work": "wiki", "vandal": 1},
        "You are a scholar and hold Revision",
    ),
    ("cure", STUDENT, "revise", {"work": "wiki", "vandal": 1}, "play Revision, or discard"),
    ("cure", STUDENT, "use", {"work": "wiki", "vandal": 1}, "have no Revision: discard"),
    ("cure", STUDENT, "revise", {"work": "wiki", "vandal": 1, "user": 0}, "or give the Use up"),
    (
        "cure",
        STUDENT,
        "use",
        {"work": "wiki", "vandal": 1, "user": 0},
        "no Revision: give the Use up",
    ),
    (
        "cure",
        SCHOLAR,
        "revise",
        {"work": "wiki", "vandal": 1, "user": 0},
        "You are a scholar and hold Revision",
    ),
    (
        "cure",
        STUDENT,
        "revise",
        {"work": "wiki", "vandal": 1, "options": Options(strict_discard=True)},
        "must play it",
    ),
    ("roll", STUDENT, "use", {"work": "wiki", "user": 0}, "more than 4 on the die"),
    ("roll", STUDENT, "use", {"work": "book", "user": 0}, "more than 1 on the die"),
    (
        "repair",
        STUDENT,
        "revise",
        {"work": "wiki", "user": 0, "die": 3},
        "3: something is wrong. Will you mend it",
    ),
    (
        "repair",
        SCHOLAR,
        "revise",
        {"work": "wiki", "user": 0, "die": 3},
        "You are a scholar and hold the 1 Revision",
    ),
    (
        "repair",
        STUDENT,
        "revise",
        {"work": "book", "user": 0, "die": 1},
        "takes 2 Revisions, and you have 1",
    ),
    ("drop", STUDENT, "use wiki", {"work": "wiki"}, "choose one card to discard"),
]


@pytest.mark.parametrize(("phase", "role", "hand", "more", "said"), FORCED)
def test_the_prompt_says_what_can_be_done_and_why_it_must(phase, role, hand, more, said):
    more = {"author": 1} | more if "work" in more else more
    match = table(hands=[hand, "use"], phase=phase, roles=[role, STUDENT], **more)
    found, _ = drawn(match)
    assert said in found["prompt"]
    assert found["turn"]
    waiting, _ = drawn(match, seat=1)
    assert "Player 1" in waiting["prompt"]
    assert not waiting["turn"]


@pytest.mark.parametrize(
    ("die", "repaired", "said"),
    [(5, 0, "5: nothing is wrong"), (2, 1, "has mended it"), (2, 0, "nobody scores")],
)
def test_the_result_is_said_before_it_counts(die, repaired, said):
    match = table(phase="result", work="wiki", author=1, user=0, die=die, repaired=repaired)
    for seat in (0, 1, None):
        assert said in drawn(match, seat)[0]["prompt"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_and_choice_exists_in_every_language(language):
    said, offers = set(), set()
    for seed, options in enumerate(
        (Options(), Options(strict_discard=True), Options(refill="optional_own_turn"))
    ):
        match = Match(Wikipedia(4, options), seed)
        while not match.over and len(match.log) < 250:
            for seat in (match.state.turn, None):
                found, _ = drawn(match, seat, language)
                said.add(found["prompt"])
                choices = [
                    choice for piece in pieces_of(found) for choice in piece.get("choices", [])
                ]
                offers |= {choice["label"] for choice in choices}
            seat = match.game.to_act(match.state)[0]
            legal = match.game.legal_actions(match.state, seat)
            match.play(seat, legal[len(match.log) % len(legal)])
    assert len(said) > 20
    assert len(offers) >= 6
    assert not any("{" in words for words in said | offers)


# Pages


@pytest.mark.parametrize("card", ["wiki", "book", "use", "vandal", "revise", "scholar", "student"])
def test_a_page_tells_first_what_a_card_does_and_last_where_it_lies(card):
    labels = [fact["label"] for fact in handbook(Look(Wikipedia(2), "en"))[card]["facts"]]
    assert labels[0] == ("May play" if card in (SCHOLAR, STUDENT) else "What it does")
    assert labels[-1] == "Where it lies"


def numbers(page):
    return [fact["value"] for fact in page["facts"]]


def test_the_library_tells_the_numbers_of_this_match():
    game = Wikipedia(2, Options(wiki_wrong=2, book_repair=3))
    pages = handbook(Look(game, "en"))
    assert set(pages) == {"wiki", "book", "use", "vandal", "revise", "scholar", "student"}
    assert any("is 2 in 6" in value for value in numbers(pages["wiki"]))
    assert any("takes 3 Revisions" in value for value in numbers(pages["book"]))
    assert any("needs 1 Revision and a book 3" in value for value in numbers(pages["revise"]))


def test_pages_say_only_what_this_match_forces():
    strict, free = Options(), Options(forced_write=False, scholar_must_repair_at_scoring=False)
    for role, count in ((SCHOLAR, 2), (STUDENT, 1)):
        pages = [handbook(Look(Wikipedia(2, options), "en"))[role] for options in (strict, free)]
        assert len(numbers(pages[0])) - len(numbers(pages[1])) == count


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_library_is_the_same_whatever_is_dealt_and_can_be_sent(language):
    game = Wikipedia(4)
    pages = handbook(Look(game, language))
    assert json.loads(json.dumps(pages)) == pages
    assert all(page["title"] and page["facts"] and page["text"] for page in pages.values())


ENDS = [
    (2, {}, ["10 points", "20 laps", "1000 laps"], ["team"]),
    (
        4,
        {"points_to_win": 3, "stall_guard_laps": 7, "laps_limit": 25},
        ["team", "3 points", "7 laps", "25 laps"],
        ["20"],
    ),
    (2, {"stall_guard_laps": 0}, ["as long as the match", "1000 laps"], ["20"]),
    (
        2,
        {"laps_limit": 0, "stall_guard_laps": 3},
        ["3 laps", "no fixed number", "last 30 laps"],
        ["1000"],
    ),
]


@pytest.mark.parametrize(("players", "options", "told", "untold"), ENDS)
def test_the_rules_in_short_tell_how_a_match_ends_with_its_numbers(players, options, told, untold):
    words = " ".join(GUIDE.list_rules(Look(Wikipedia(players, Options(**options)), "en")))
    assert [each for each in told if each not in words] == []
    assert [each for each in untold if each in words] == []


# What is hidden


def faces(found, zone):
    return [
        piece["face"]
        for piece in pieces_of({"zones": [each for each in found["zones"] if each["kind"] == zone]})
    ]


@pytest.mark.parametrize("players", [2, 4, 8])
def test_only_the_own_hand_and_what_lies_open_is_shown(players):
    match = Match(Wikipedia(players, Options(points_to_win=2)), f"hidden {players}")
    while not match.over and len(match.log) < 300:
        state = match.state
        for seat in (*match.game.seats, None):
            found, _ = drawn(match, seat)
            own = [] if seat is None else state.hands[seat]
            about = [*filter(None, [state.work]), *["use"] * (state.user >= 0)]
            about += ["vandal"] * (state.vandal >= 0)
            assert sorted(face["art"] for face in faces(found, "hand")) == sorted(own)
            assert sorted(face["art"] for face in faces(found, "seats")) == sorted(state.roles)
            assert sorted(face["art"] for face in faces(found, "squares")) == sorted(about)
            assert faces(found, "pile") == []
        seat = match.game.to_act(state)[0]
        legal = match.game.legal_actions(state, seat)
        match.play(seat, legal[len(match.log) % len(legal)])


def test_a_scene_does_not_change_with_a_partners_hand():
    scenes = []
    for hand in ("use use use use use", "revise revise wiki book vandal"):
        match = table(4, hands=["book", "wiki", hand, "use"], phase="move", work="wiki", author=1)
        scenes.append(json.dumps(drawn(match)[0]))
    assert scenes[0] == scenes[1]


def test_hands_lie_open_once_nothing_is_secret_any_more():
    match = play_out(Wikipedia(4, Options(points_to_win=1)), [AtRandom] * 4, "end")
    seen = [match.game.observe(match.state, seat) for seat in match.game.seats]
    places = drawn(match, seat=1, open_hands=seen)[1]["seats"]["places"]
    for seat, place in enumerate(places):
        hand = match.state.hands[seat] if seat != 1 else []
        assert sorted(piece["face"]["art"] for piece in place["pieces"]) == hand
        assert place["winner"] == (seat in match.state.won)
    assert plate(match, 0, viewer=1)["pieces"] == []


# What happened


def test_finished_rounds_fill_the_pad():
    match = play_out(Wikipedia(2, Options(points_to_win=3)), [AtRandom] * 2, "pad")
    story = match.story(None)
    pad = drawn(match, None)[1]["pad"]
    scored = [event for event in story if event.text == "score.user"]
    rounds = [event for event in story if event.text == "round"]
    assert pad["folded"]
    assert len(pad["rows"]) == len(rounds)
    assert sum(row["cells"][-1]["tone"] == "green" for row in pad["rows"]) == len(scored) >= 3
    assert all(row["cells"][0]["parts"][0] in ("Wikipedia", "Book", "–") for row in pad["rows"])
    dice = [str(event.values["die"]) for event in story if event.text == "roll"]
    assert [
        row["cells"][2]["parts"][0] for row in pad["rows"] if row["cells"][2]["parts"][0] != "–"
    ] == dice


def test_every_event_is_told():
    match = play_out(Wikipedia(2, Options(points_to_win=2)), [AtRandom] * 2, 1)
    story = match.story(0)
    lines = log(story, Look(match.game, "zh-Hant"))
    assert len(lines) == len(story)
    assert all(lines)
