"""How Knit Wit looks: what each phase shows, offers and says, and what it must not tell."""

import json
from random import Random

import pytest

from coursekit.core.game import TABLE, pick_action
from coursekit.core.match import Match
from coursekit.core.options import to_tuples
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.rules.options import COMMITS
from coursekit.games.knitwit.table.quick_start import GUIDE
from coursekit.games.knitwit.table.scene import scene
from coursekit.kit.kit import tell_story as log
from coursekit.kit.scene import Look, pieces_of
from coursekit.testing import Walk
from coursekit.testing.scene_checks import check_scenes, touchable
from coursekit.words.texts import LANGUAGES
from tests.games.test_knitwit import knitted, scoring, turn_all, writing


def drawn(match, seat=0, language="en", **look):
    """Return the scene of *seat*."""
    looks = Look(match.game, language, match.names, **look)
    return scene(match.game.observe(match.state, seat), match.story(seat), looks)


def together(match, *people):
    """Return the scene of several *people* around one screen."""
    return drawn(
        match, None, acting=[seat for seat in match.game.to_act(match.state) if seat in people]
    )


def zones(found, kind):
    return [zone for zone in found["zones"] if zone["kind"] == kind]


def zone(found, kind):
    (only,) = zones(found, kind)
    return only


def buttons(found):
    """Return who may press what near the canvas: (seat, action) -> label."""
    return {
        (choice.get("seat"), to_tuples(choice["action"])): choice["label"]
        for each in zones(found, "choices")
        for choice in each["choices"]
    }


def slips(found):
    row = next(zone for zone in zones(found, "row") if zone["place"] == "near")
    return row, [piece["face"]["print"] for piece in row["pieces"]]


def callers(found):
    """Return who may call Knit Wit! on whose slip."""
    pieces = [
        (seat, each.get("choices", [])) for seat, each in enumerate(slips(found)[0]["pieces"])
    ]
    return {(choice["seat"], owner) for owner, choices in pieces for choice in choices}


def play_all(match, *actions):
    """Play *actions*, (seat, action) each."""
    for seat, action in actions:
        match.play(seat, action)
    return match


def turned_up(*sheets, **options):
    """Return a match in which the first number lies open."""
    return play_all(scoring(*sheets, **options), (TABLE, "next"))


# Every moment


@pytest.mark.parametrize("players", [2, 5])
def test_all_that_is_offered_is_legal_and_all_that_is_legal_is_offered(players):
    check_scenes(KnitWit(players), f"scene {players}")


def test_options_that_change_phases_are_drawn_too():
    for number, options in enumerate(
        [
            Options(rounds=2, loops=2),
            Options(words_last=True, loops=3),
            Options(order="challenge_first", loops=3),
            Options(answer_time_limit=60, loops=2),
            Options(buttons=(1, 2, 3), loops=2, challenged_votes=False),
        ]
    ):
        check_scenes(KnitWit(3, options), f"options {number}")


def test_every_event_is_told_in_every_language():
    *_, match = Walk(KnitWit(3), "told")
    for language in LANGUAGES:
        assert all(log(match.story(None), Look(match.game, language)))


# Knitting


def test_whoever_lays_the_first_loop_is_told_that_it_needs_no_spool():
    match = Match(KnitWit(3), "first")
    starter = match.state.starter
    assert drawn(match, starter)["prompt"] == "Draw the first loop, anywhere on the table."
    other = drawn(match, (starter + 1) % 3)
    assert other["prompt"] == f"Player {starter + 1} is laying a loop."
    assert (drawn(match, starter)["turn"], other["turn"]) == (True, False)


def test_around_one_screen_the_prompt_names_who_acts():
    match = Match(KnitWit(3), "first")
    starter = match.state.starter
    found = together(match, 0, 1, 2)
    assert found["prompt"] == f"Player {starter + 1}: Draw the first loop, anywhere on the table."
    assert zone(found, "venn")["draw"] == {"seat": starter}
    assert "draw" not in zone(together(match, (starter + 1) % 3), "venn")


def test_the_tag_just_drawn_is_shown_large_to_everybody_until_the_spool_lies():
    match = Match(KnitWit(3), "tag")
    starter = match.state.starter
    match.play(starter, pick_action(match.game.legal_actions(match.state, starter), Random(1)))
    word = match.game.pack.tags[match.state.tags[0]].en
    for seat in (0, 1, 2, None):
        assert slips(drawn(match, seat))[1] == [
            {"form": "note", "head": "the red loop", "title": word}
        ]
    match.play(starter, pick_action(match.game.legal_actions(match.state, starter), Random(1)))
    assert all(each["place"] != "near" for each in zones(drawn(match), "row"))


def test_with_words_last_no_tag_is_shown_before():
    match = Match(KnitWit(3, Options(words_last=True)), "tag")
    starter = match.state.starter
    match.play(starter, pick_action(match.game.legal_actions(match.state, starter), Random(1)))
    assert all(each["place"] != "near" for each in zones(drawn(match), "row"))


def test_plates_say_which_spools_are_left_and_who_starts():
    match = Match(KnitWit(3), "plates")
    for seat, place in enumerate(zone(drawn(match), "seats")["places"]):
        counts = {each["label"]: each["value"] for each in place["counts"]}
        assert counts == {"points": "0", "spools": ", ".join(map(str, match.state.hands[seat]))}
        assert place["badges"] == (["starter"] if seat == match.state.starter else [])


def test_only_the_starter_says_go():
    match = knitted(3)
    starter = match.state.starter
    assert buttons(drawn(match, starter)) == {(starter, "go"): "Go!"}
    assert buttons(drawn(match, (starter + 1) % 3)) == {}
    assert buttons(together(match, 0, 1, 2)) == {(starter, "go"): f"Player {starter + 1}: Go!"}


# Writing


def test_the_pad_has_a_line_for_each_spool_with_the_words_it_has_to_fit():
    match = writing({2: "moon"}, {}, {})
    pad = zone(drawn(match), "answer-pad")
    assert [line["number"] for line in pad["lines"]] == [1, 2, 3]
    assert [line["points"] for line in pad["lines"]] == [1, 2, 3]
    words = [match.game.pack.tags[tag].en for tag in match.state.tags]
    assert pad["lines"][2]["words"] == words[:3]
    assert pad["lines"][2]["loops"] == [0, 1, 2]
    assert all(word in pad["lines"][2]["label"] for word in words[:3])
    assert [line["text"] for line in pad["lines"]] == ["", "moon", ""]
    assert [line["left"] for line in pad["lines"]] == [COMMITS, COMMITS - 1, COMMITS]
    assert (pad["seat"], pad["longest"], pad["key"]) == (0, 30, "round-1")


def test_the_one_answer_more_of_two_players_is_not_given_by_leaving_its_line():
    match = writing({}, {})
    assert not zone(drawn(match, 1), "answer-pad")["once"]
    match.play(0, "stop")
    assert match.state.extra == 1
    assert zone(drawn(match, 1), "answer-pad")["once"]


def test_a_pad_is_seen_by_its_writer_only():
    match = writing({1: "zebra"}, {1: "yak"}, {2: "xylophone"})
    for seat, own in ((0, {"zebra"}), (1, {"yak"}), (2, {"xylophone"}), (None, set())):
        told = json.dumps([drawn(match, seat), log(match.story(seat), Look(match.game, "en"))])
        assert {word for word in ("zebra", "yak", "xylophone") if word in told} == own
    assert not zones(drawn(match, None), "answer-pad")


def test_nobody_sees_how_much_others_have_written():
    one, other = (
        writing({1: "zebra"}, {}, {}),
        writing({1: "zebra"}, {1: "yak", 2: "moon"}, {3: "gnu"}),
    )
    for seat in (0, None):
        assert drawn(one, seat) == drawn(other, seat)


def test_answers_appear_in_no_scene_before_their_number_is_turned_up():
    """Over whole matches at random, for everybody and for those around one screen."""
    for seed in range(3):
        for match in Walk(KnitWit(3, Options(loops=3, rounds=2)), f"answers {seed}"):
            state = match.state
            shown = set(match.game.numbers(state)[: state.shown])
            for seat in (None, 0):
                told = json.dumps(
                    [
                        scene(
                            match.game.observe(state, seat),
                            match.story(seat)[-5:],
                            Look(match.game, "zh-Hant"),
                        )
                    ],
                    ensure_ascii=False,
                )
                visible = {
                    text
                    for other in match.game.seats
                    for at, text in enumerate(state.sheets[other])
                    if text and (at + 1 in shown or other == seat)
                }
                hidden = {text for sheet in state.sheets for text in sheet if text} - visible
                words = {word for tag in match.game.pack.tags for word in tag.names.values()}
                for text in hidden - words:
                    assert f'"{text}"' not in told, match.log
                    assert f"「{text}」" not in told, match.log


def test_grabbing_the_top_button_is_a_touch_of_the_stack():
    match = writing({}, {}, {})
    pile = zone(drawn(match), "pile")
    assert (pile["top"]["face"]["art"], pile["count"], pile["back"]["art"]) == (
        "button-2",
        1,
        "button-1",
    )
    assert (pile["top"]["action"], pile["top"]["seat"]) == ("stop", 0)
    assert "2 points" in pile["caption"]
    assert pile["note"] == "Buttons left: 2; points in this order: 2, 1"
    match.play(0, "stop")
    locked = drawn(match)
    assert "action" not in zone(locked, "pile")["top"]
    assert all(line["closed"] for line in zone(locked, "answer-pad")["lines"])
    assert "stopped" in locked["prompt"]
    places = zone(locked, "seats")["places"]
    assert [place["badges"] for place in places] == [["pencil down"], ["writing"], ["writing"]]
    assert not any(place["turn"] for place in places), "in a race it is nobody's turn"
    assert {"label": "button", "value": "2"} in places[0]["counts"]


def test_the_stack_is_no_button_before_others_at_the_screen_have_had_it():
    pile = zone(drawn(writing({}, {}, {}), wait_for=[2]), "pile")
    assert "action" not in pile["top"]
    assert pile["caption"] == "Before anybody takes the button, Player 3 must have a turn"


def test_of_two_the_second_fills_blank_lines_only_and_may_stop_without_a_button():
    match = play_all(writing({}, {1: "moon"}, around={1: 1, 2: 1}), (0, "stop"))
    found = drawn(match, 1)
    assert [line["closed"] for line in zone(found, "answer-pad")["lines"]] == [True, False]
    assert found["prompt"] == "The other player has stopped: 1 answer more, on blank lines only."
    assert not zones(found, "pile")
    assert buttons(found) == {(1, "stop"): "Stop writing", (TABLE, "time"): "Time left"}


def test_a_time_limit_runs_down_on_a_button_that_cannot_be_pressed_before():
    assert buttons(drawn(writing({}, {}, {}))) == {}
    match = writing({}, {}, {}, answer_time_limit=90)
    for seat in (0, None):
        (choice,) = zone(drawn(match, seat), "choices")["choices"]
        assert (choice["action"], choice["seat"], choice["after"], choice["held"]) == (
            "time",
            TABLE,
            90,
            True,
        )


def test_the_one_more_answer_has_a_countdown_of_its_own():
    match = writing({}, {}, answer_time_limit=90)
    before = next(
        each for each in zone(drawn(match, 1), "choices")["choices"] if each["seat"] == TABLE
    )
    match.play(0, "stop")
    after = next(
        each for each in zone(drawn(match, 1), "choices")["choices"] if each["seat"] == TABLE
    )
    assert (before["after"], after["after"], after["held"]) == (90, 60, True)
    assert before["key"] != after["key"]


# Scoring


def test_numbers_are_turned_up_one_by_one_with_the_words_and_the_spool_lit():
    match = scoring({3: "moon"}, {3: "sun"}, {})
    assert buttons(drawn(match)) == {(TABLE, "next"): "Turn up the first answers"}
    play_all(match, (TABLE, "next"), (TABLE, "next"), (TABLE, "next"))
    found = drawn(match)
    row, faces = slips(found)
    assert [face["title"] for face in faces] == ["moon", "sun", "—"]
    assert [face["foot"] for face in faces] == ["+3", "+3", "blank"]
    assert [face["off"] for face in faces] == [False, False, True]
    assert [piece["caption"] for piece in row["pieces"]] == ["Player 1", "Player 2", "Player 3"]
    words = [match.game.pack.tags[tag].en for tag in match.state.tags[:3]]
    assert row["note"] == f"Number 3: {' ＋ '.join(words)}, 3 points an answer"
    assert [spool["number"] for spool in zone(found, "venn")["spools"] if spool.get("marked")] == [
        3
    ]
    assert buttons(found) == {(TABLE, "next"): "Add up the points"}


def test_same_answers_are_struck_and_say_so():
    found = drawn(turned_up({1: "moon"}, {1: "Moon"}, {1: "sun"}))
    assert [(face["foot"], face["off"]) for face in slips(found)[1]] == [("same 0", True)] * 2 + [
        ("+1", False)
    ]


def test_a_call_is_made_on_the_slips_of_others_that_still_count():
    match = turned_up({1: "moon"}, {1: "moon"}, {1: "sun"}, {})
    assert callers(drawn(match, 0)) == {(0, 2)}
    assert callers(drawn(match, 2)) == set()
    assert callers(drawn(match, None)) == set()
    assert callers(together(match, 0, 2, 3)) == {(0, 2), (3, 2)}
    (sun,) = [piece for piece in slips(together(match, 0, 3))[0]["pieces"] if piece.get("choices")]
    assert [choice["label"] for choice in sun["choices"]] == [
        "Player 1 calls Knit Wit!",
        "Player 4 calls Knit Wit!",
    ]


def test_ten_seconds_to_explain_run_down_to_the_vote():
    match = play_all(turned_up({1: "moon"}, {1: "sun"}, {1: "star"}), (0, ("challenge", 1)))
    found = drawn(match, 2)
    (choice,) = zone(found, "choices")["choices"]
    assert (choice["action"], choice["after"], choice.get("held", False)) == ("vote", 10, False)
    assert found["prompt"] == "Player 2, say why “sun” fits."
    assert [piece.get("mark") for piece in slips(found)[0]["pieces"]] == [None, "in question", None]
    assert "Player 1 calls Knit Wit! on “sun” by Player 2" in zone(found, "notice")["title"]
    patient = play_all(
        turned_up({1: "moon"}, {1: "sun"}, {}, explain_seconds=0), (0, ("challenge", 1))
    )
    assert "after" not in zone(drawn(patient), "choices")["choices"][0], (
        "no seconds: when they have done"
    )


def test_each_countdown_has_a_name_of_its_own():
    match = play_all(turned_up({1: "moon"}, {1: "sun"}, {1: "star"}), (0, ("challenge", 1)))
    keys = [zone(drawn(match), "choices")["choices"][0]["key"]]
    play_all(match, (TABLE, "vote"), (0, "yes"), (1, "yes"), (2, "yes"))
    keys.append(zone(drawn(match), "choices")["choices"][0]["key"])
    play_all(match, (TABLE, "close"), (0, ("challenge", 2)))
    keys.append(zone(drawn(match), "choices")["choices"][0]["key"])
    assert len(set(keys)) == 3


def test_a_vote_is_a_show_of_hands_of_those_at_the_screen():
    match = play_all(
        turned_up({1: "moon"}, {1: "sun"}, {1: "star"}), (0, ("challenge", 1)), (TABLE, "vote")
    )
    own = {label for (seat, _), label in buttons(drawn(match, 0)).items() if seat == 0}
    assert own == {"Yes", "No"}
    found = buttons(together(match, 0, 2))
    assert {seat for seat, _ in found} == {0, 2}, "nobody has voted: it cannot be closed"
    assert found[2, "no"] == "Player 3: No"
    match.play(0, "no")
    assert {seat for seat, _ in buttons(together(match, 0, 2))} == {TABLE, 2}
    assert zone(drawn(match, 1), "seats")["places"][0]["badges"] == ["challenges", "voted"]
    assert "Player 2, Player 3" in drawn(match, 0)["prompt"]
    assert not any(place["turn"] for place in zone(together(match, 0, 2), "seats")["places"]), (
        "all vote at once"
    )


def test_what_somebody_votes_is_hidden_until_the_votes_are_counted():
    matches = []
    for vote in ("yes", "no"):
        match = turned_up({1: "moon"}, {1: "sun"}, {1: "star"})
        matches.append(play_all(match, (0, ("challenge", 1)), (TABLE, "vote"), (0, vote)))
    assert drawn(matches[0], 1) == drawn(matches[1], 1)
    play_all(matches[1], (1, "yes"), (2, "no"), (TABLE, "close"))
    row, faces = slips(drawn(matches[1], 1))
    assert "1 for, 2 against" in row["note"]
    assert (faces[1]["foot"], faces[1]["off"]) == ("not counted 0", True)


def test_answers_that_may_be_the_same_are_put_to_the_vote():
    match = turned_up({1: "apple"}, {1: "apple tree"}, {1: "sun"})
    found = drawn(match, 2)
    assert buttons(found)[TABLE, "vote"] == "Vote"
    assert "Player 1, Player 2 may be the same" in found["prompt"]
    match.play(TABLE, "vote")
    notice = zone(drawn(match, 2), "notice")
    assert notice["text"] == [
        "Player 1: “apple”",
        "Player 2: “apple tree”",
        "If different, all of them count; if the same, none does.",
    ]
    assert drawn(match, 2)["prompt"] == "Are the answers of Player 1, Player 2 the same? Vote now."
    own = {action: label for (seat, action), label in buttons(drawn(match, 2)).items() if seat == 2}
    assert own == {"yes": "Different: they count", "no": "The same: no points"}
    assert buttons(together(match, 0, 1))[0, "no"] == "Player 1: The same: no points"
    play_all(match, (0, "yes"), (1, "no"), (2, "no"), (TABLE, "close"))
    assert "1 for different, 2 for the same" in slips(drawn(match, 2))[0]["note"]
    assert "You voted: the same." in log(match.story(2), Look(match.game, "en"))
    play_all(
        match, (0, ("challenge", 2)), (TABLE, "vote"), (0, "yes"), (1, "yes"), (TABLE, "close")
    )
    assert "2 for, 0 against" in slips(drawn(match, 2))[0]["note"]


def test_while_a_vote_is_open_its_headline_asks_about_the_answers_that_it_is_about():
    """「電視 / 电视機 / TV」: the first may be the same as each of the others, which are two doubts."""
    match = play_all(turned_up({1: "電視"}, {1: "电视機"}, {1: "TV"}), (TABLE, "vote"))
    assert (match.state.case, match.state.doubts) == ([0, 1], [[0, 2]])
    assert (
        together(match, 0, 1, 2)["prompt"]
        == "Are the answers of Player 1, Player 2 the same? Vote now."
    )
    assert drawn(match, 0)["prompt"] == "Is your answer the same as that of Player 2? Vote now."
    assert drawn(match, 1)["prompt"] == "Is your answer the same as that of Player 1? Vote now."
    assert drawn(match, 2)["prompt"] == "Are the answers of Player 1, Player 2 the same? Vote now."


def test_a_vote_about_answers_some_of_which_are_struck_names_what_is_still_at_stake():
    match = turned_up({1: "電視"}, {1: "電視"}, {1: "電視機"})
    assert (
        drawn(match, 2, "zh-Hant")["prompt"]
        == "你的「電視機」可能和劃掉的「電視」相同，先說說看，再表決。"
    )
    match.play(TABLE, "vote")
    assert drawn(match, 2, "zh-Hant")["prompt"] == "你的「電視機」和劃掉的「電視」一樣嗎？請表決。"
    found = drawn(match, 0, "zh-Hant")
    assert found["prompt"] == "玩家 3 的「電視機」和劃掉的「電視」一樣嗎？請表決。"
    assert {action: label for (seat, action), label in buttons(found).items() if seat == 0} == {
        "yes": "不同，「電視機」算",
        "no": "相同，「電視機」不算",
    }
    assert zone(found, "notice")["text"] == [
        "玩家 1：「電視」（已劃掉）",
        "玩家 2：「電視」（已劃掉）",
        "玩家 3：「電視機」",
        "算不同，「電視機」就計分；算相同，就不計分。",
    ]


def test_several_voters_at_one_screen_have_a_row_each_with_a_short_word_on_each_button():
    match = play_all(turned_up({1: "apple"}, {1: "apple tree"}, {1: "sun"}), (TABLE, "vote"))
    rows = [
        (each["of"], each["short"]) for each in zone(together(match, 0, 2), "choices")["choices"]
    ]
    assert rows == [
        ("Player 1", "Different"),
        ("Player 1", "Same"),
        ("Player 3", "Different"),
        ("Player 3", "Same"),
    ]
    assert all("of" not in each for each in zone(drawn(match, 0), "choices")["choices"])


def test_nobody_is_asked_for_a_challenge_that_cannot_be_made():
    settled = "Nothing can be challenged here; go on when you have looked."
    for match in (turned_up({1: "moon"}, {1: "moon"}, {}), turned_up({}, {}, {})):
        assert {drawn(match, seat)["prompt"] for seat in (None, 0, 2)} == {settled}
    match = turned_up({1: "moon"}, {}, {})
    assert drawn(match, 0)["prompt"].startswith("There is no answer for you to challenge")
    assert drawn(match, 1)["prompt"].startswith("If an answer does not fit")
    play_all(
        match,
        (1, ("challenge", 0)),
        (TABLE, "vote"),
        (0, "yes"),
        (1, "yes"),
        (2, "yes"),
        (TABLE, "close"),
    )
    assert {drawn(match, seat)["prompt"] for seat in (None, 0, 1)} == {settled}, (
        "it has been voted on"
    )


def test_of_two_players_the_challenged_keeps_or_withdraws():
    match = play_all(turned_up({1: "moon"}, {1: "sun"}), (0, ("challenge", 1)))
    assert buttons(drawn(match, 1)) == {
        (1, "keep"): "Keep the answer",
        (1, "withdraw"): "Withdraw it",
    }
    assert buttons(drawn(match, 0)) == {}
    assert drawn(match, 0)["prompt"] == "Player 2 explains, then keeps or withdraws the answer."
    for said, foot in (("keep", "kept +1"), ("withdraw", "not counted 0")):
        after = play_all(turned_up({1: "moon"}, {1: "sun"}), (0, ("challenge", 1)), (1, said))
        assert slips(drawn(after))[1][1]["foot"] == foot


# The tally


def test_the_rulebooks_own_points_are_added_up_in_the_pad():
    """1 + 2 + 3 for three spools and 3 for the button."""
    sheets = ({1: "moon", 2: "sun", 3: "star"}, {1: "Moon!", 3: "lamp"}, {}, {})
    match = turn_all(scoring(*sheets, stop=[0, 1, 2]))
    found = drawn(match)
    pad = zone(found, "pad")
    assert pad["place"] == "near"
    table = [[cell["parts"] for cell in row["cells"]] for row in pad["rows"]]
    assert [row[0] for row in table] == [
        ["moon", "same"],
        ["sun", "2"],
        ["star", "3"],
        ["", "3"],
        ["", "8"],
    ]
    assert [row[1] for row in table] == [
        ["Moon!", "same"],
        ["—", ""],
        ["lamp", "3"],
        ["", "2"],
        ["", "5"],
    ]
    assert [row["head"].partition(":")[0] for row in pad["rows"]] == [
        "1",
        "2",
        "3",
        "Button",
        "Total",
    ]
    assert pad["sums"] == 2
    assert found["over"]
    assert found["prompt"] == "Player 1 won with 8 points."
    assert [place["winner"] for place in zone(found, "seats")["places"]] == [
        True,
        False,
        False,
        False,
    ]


def test_the_pad_tells_why_an_answer_has_no_points():
    match = play_all(turned_up({1: "moon"}, {1: "sun"}, {}), (0, ("challenge", 1)), (TABLE, "vote"))
    play_all(
        match,
        *[(seat, "no") for seat in match.game.to_act(match.state) if seat != TABLE],
        (TABLE, "close"),
    )
    turn_all(match)
    assert [cell["parts"] for cell in zone(drawn(match), "pad")["rows"][0]["cells"]] == [
        ["moon", "1"],
        ["sun", "voted out"],
        ["—", ""],
    ]
    assert zone(drawn(match), "pad")["rows"][-1]["cells"][0]["parts"] == [
        "",
        str(match.state.points[0]),
    ]


def test_prompts_call_their_reader_you():
    match = play_all(turned_up({1: "moon"}, {1: "sun"}, {}), (0, ("challenge", 1)))
    assert drawn(match, 1, "zh-Hant")["prompt"] == "說說看，你的「sun」為什麼符合。"
    assert drawn(match, 0, "en")["prompt"] == "Player 2, say why “sun” fits."
    match = turned_up({1: "apple"}, {1: "apple tree"}, {1: "sun"})
    assert drawn(match, 0)["prompt"].startswith("Your answer may be the same as that of Player 2:")
    match.play(TABLE, "vote")
    assert drawn(match, 0)["prompt"] == "Is your answer the same as that of Player 2? Vote now."


def test_while_numbers_are_turned_up_the_pad_holds_those_that_are_settled():
    match = turned_up({1: "moon"}, {1: "sun"}, {})
    assert not zones(drawn(match), "pad")
    match.play(TABLE, "next")
    pad = zone(drawn(match), "pad")
    assert (len(pad["rows"]), pad["place"], pad["folded"]) == (1, "side", True)


def test_between_rounds_the_round_and_the_total_are_shown():
    match = turn_all(scoring({1: "moon"}, {}, {}, rounds=2))
    found = drawn(match)
    assert buttons(found) == {(TABLE, "next"): "Next round"}
    heads = {row["head"]: row["cells"][0]["parts"][1] for row in zone(found, "pad")["rows"]}
    assert heads["Round 1"] == heads["Total"] == str(match.state.points[0])
    match.play(TABLE, "next")
    assert drawn(match)["title"] == "Knit Wit · round 2"
    assert not zones(drawn(match), "pad")


# The rules in short


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (3, {}, "10 seconds to explain, then all vote; it counts with 50%"),
        (2, {}, "keeps or withdraws"),
        (2, {"two_player_challenge": "off"}, "Two players do not challenge."),
        (2, {"two_player_challenge": "vote"}, "then all vote"),
        (2, {}, "1 answer on blank lines"),
        (3, {}, "When the last button is taken"),
        (3, {"words_last": True}, "only when everything has been laid"),
        (3, {}, "until 6 loops and 6 spools"),
    ],
)
def test_the_rules_in_short_follow_players_and_options(players, options, said):
    rules = GUIDE.list_rules(Look(KnitWit(players, Options(**options)), "en"))
    assert any(said in rule for rule in rules)


def test_nothing_can_be_touched_by_whoever_only_watches():
    for match in (knitted(3), writing({}, {}, {}), turned_up({1: "moon"}, {}, {})):
        assert all(thing["seat"] == TABLE for thing in touchable(drawn(match, None)))
        assert all(piece["label"] for piece in pieces_of(drawn(match, None)))
