"""The form beside the table is made from the game's options and refuses what they refuse."""

from dataclasses import fields

import pytest

from coursekit.core.errors import OptionError
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.table.run import Run
from coursekit.table.setup_form import describe_form, read_form
from coursekit.words.texts import LANGUAGES


@pytest.fixture
def run():
    options = Options(rounds=(1, 3), bid_mode="secret", hit=30)
    return Run(
        Wizard(4, options),
        ["person", AtRandom, "person", AtRandom],
        ["Ann", "", "<b>Bo</b>", ""],
        seed=1,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_in_the_form_with_its_words(run, language):
    shown = describe_form(run, [AtRandom], language)
    assert [each["name"] for each in shown["fields"]] == [each.name for each in fields(Options)]
    assert all(each["label"] and each["help"] for each in shown["fields"])
    assert [each["name"] for each in shown["fields"] if each["first"]] == [
        "bid_mode",
        "bid_rule",
        "hawk_eye",
        "short_game",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [kit.rules for kit in GAMES.values()])
def test_every_way_to_play_with_a_name_is_in_the_form_and_can_be_started(kind, language):
    for players in kind.player_counts:
        shown = describe_form(Run(kind(players), [AtRandom] * players), [AtRandom], language)
        assert [each["name"] for each in shown["presets"]] == list(kind.presets)
        assert (
            shown["presets"][0]["options"].items() <= shown["chosen"]["options"].items()
        )  # the standard rules
        for each in shown["presets"]:
            assert each["label"]
            assert each["help"]
            if language == LANGUAGES[0]:
                started = read_form(
                    kind, [AtRandom], **(shown["chosen"] | {"options": each["options"]})
                )
                assert started.game.options == kind.preset(each["name"])


def test_the_form_as_it_stands_starts_the_same_match_again(run):
    again = read_form(Wizard, [AtRandom], **describe_form(run, [AtRandom], "en")["chosen"])
    assert again.game.options == run.game.options
    assert again.players == run.players
    assert again.match.names == ("Ann", "", "<b>Bo</b>", "")
    assert again.match.seed != run.match.seed  # a new deal unless a seed is given


def test_a_chosen_seed_gives_the_same_deal(run):
    chosen = describe_form(run, [AtRandom], "en")["chosen"] | {"seed": "三年二班"}
    first, second = read_form(Wizard, [AtRandom], **chosen), read_form(Wizard, [AtRandom], **chosen)
    assert first.match.state == second.match.state


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": 7}, "number of players cannot be 7; allowed: 3, 4, 5, 6"),
        ({"players": "4"}, "number of players cannot be '4'"),
        ({"players": None}, "number of players cannot be None"),
        ({"options": {"hit": 1000}}, "option hit cannot be 1000; allowed: 0-100"),
        ({"options": {"hit": "20"}}, "option hit cannot be '20'"),
        ({"options": {"hawk_eye": 1}}, "option hawk_eye cannot be 1"),
        ({"options": {"rounds": []}}, "option rounds"),
        ({"options": {"colour": 1}}, "no option 'colour'"),
        ({"options": {"bid_mode": "hidden", "bid_rule": "sum_must_differ"}}, "all predict at once"),
        (
            {"seats": [{"by": "Nobody", "name": ""}]},
            "cannot be played by 'Nobody'; allowed: person, AtRandom",
        ),
        ({"seats": []}, "4 players need 4 seats, not 0"),
    ],
)
def test_a_wrong_entry_is_refused_in_one_sentence(run, change, said):
    with pytest.raises(OptionError) as error:
        read_form(Wizard, [AtRandom], **(describe_form(run, [AtRandom], "en")["chosen"] | change))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert all(error.value.sentence(language) for language in LANGUAGES)
