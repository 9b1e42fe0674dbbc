"""Options and numbers of players: whatever is wrong is refused, saying what was got and what is
allowed.
"""

from dataclasses import FrozenInstanceError, dataclass, fields, replace
from typing import Any

import pytest

from coursekit.core.errors import OptionError
from coursekit.core.options import TupleOf, allowed_text, check_options, option, to_tuples
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.testing import options_of
from coursekit.words.texts import LANGUAGES, shorten

KINDS = [pytest.param(kit.rules, id=name) for name, kit in GAMES.items()]


class Index:
    """Like numpy's numbers: usable as an int, but none."""

    def __index__(self) -> int:
        return 4


WRONG: list[tuple[str, Any, str]] = [
    ("bid_mode", "closed", "'open', 'hidden', 'secret'"),
    ("bid_mode", "", "'open', 'hidden', 'secret'"),
    ("bid_mode", None, "'open', 'hidden', 'secret'"),
    ("bid_mode", 0, "'open', 'hidden', 'secret'"),
    ("bid_mode", ["open"], "'open', 'hidden', 'secret'"),
    ("hawk_eye", 1, "False, True"),
    ("hawk_eye", "yes", "False, True"),
    ("hawk_eye", None, "False, True"),
    ("short_game", 0, "1-20"),
    ("short_game", 21, "1-20"),
    ("short_game", 3.0, "1-20"),
    ("short_game", True, "1-20"),
    ("short_game", Index(), "1-20"),
    ("rounds", (), "(1-20, …)"),
    ("rounds", (1, 0), "(1-20, …)"),
    ("rounds", (1, True), "(1-20, …)"),
    ("rounds", (1.0,), "(1-20, …)"),
    ("rounds", [1, 2], "(1-20, …)"),
    ("rounds", 3, "(1-20, …)"),
    ("first_dealer", -1, "0-5"),
    ("first_dealer", 6, "0-5"),
    ("hit", -1, "0-100"),
    ("hit", 101, "0-100"),
    ("hit", 10**5000, "0-100"),
    ("hit", "20", "0-100"),
    ("hit", None, "0-100"),
    ("wizards", 5, "0-4"),
    ("jesters", -1, "0-4"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG, ids=lambda part: shorten(part)[:20])
def test_a_wrong_value_is_refused_saying_what_was_got_and_what_is_allowed(name, value, allowed):
    with pytest.raises(OptionError) as refused:
        Wizard(4, Options(**{name: value}))
    assert isinstance(refused.value, ValueError)
    assert str(refused.value) == f"option {name} cannot be {shorten(value)}; allowed: {allowed}."
    for language in LANGUAGES:
        words = refused.value.sentence(language)
        assert len(words) < 300
        assert all(part in words for part in (name, shorten(value), allowed))


def test_an_unknown_option_names_those_there_are():
    with pytest.raises(
        OptionError, match=r"there is no option 'jokers'; the options are: bid_mode, .*, jesters\."
    ):
        Wizard.options_from({"jokers": 2})
    with pytest.raises(TypeError, match="jokers"):
        Options(jokers=2)  # type: ignore[call-arg]


@pytest.mark.parametrize("options", [{}, {"hit": 3}, "hit=3", 3, Wizard, Options])
def test_options_have_to_be_the_games_own(options):
    with pytest.raises(OptionError, match=r"are not options of wizard; use its Options\(…\)"):
        Wizard(4, options)


@pytest.mark.parametrize(
    "players",
    [0, 2, 7, -3, 10**5000, "4", 4.0, True, None, Index(), [4]],
    ids=lambda n: shorten(n)[:9],
)
def test_a_wrong_number_of_players_is_refused_saying_which_are_allowed(players):
    with pytest.raises(OptionError) as refused:
        Wizard(players)
    assert (
        str(refused.value)
        == f"the number of players cannot be {shorten(players)}; allowed: 3, 4, 5, 6."
    )
    assert len({refused.value.sentence(language) for language in LANGUAGES}) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_has_a_rule_a_default_and_a_sentence_for_whoever_reads_the_source(kind):
    for field in fields(kind.option_type):
        assert field.metadata["rule"]
    assert kind.option_type.__dataclass_params__.frozen
    with pytest.raises(FrozenInstanceError):
        setattr(kind.option_type(), fields(kind.option_type)[0].name, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_options_come_back_from_a_record_as_they_were(kind):
    for players in kind.player_counts:
        for options in options_of(kind, players, pairs=False):
            given = {field.name: getattr(options, field.name) for field in fields(options)}
            listed = {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in given.items()
            }
            assert kind.options_from(listed) == options


@pytest.mark.parametrize("kind", KINDS)
def test_every_allowed_value_can_be_chosen_for_some_game(kind):
    chosen = {field.name: set() for field in fields(kind.option_type)}
    for players in kind.player_counts:
        for options in options_of(kind, players):
            for name, values in chosen.items():
                values.add(getattr(options, name))
    for field in fields(kind.option_type):
        if isinstance(field.metadata["allowed"], tuple):
            assert chosen[field.name] == set(field.metadata["allowed"]), field.name


def test_a_game_is_shown_with_what_is_not_standard():
    assert repr(Wizard(4)) == "Wizard(4)"
    assert (
        repr(Wizard(3, Options(hawk_eye=True, rounds=(1, 2))))
        == "Wizard(3, hawk_eye=True, rounds=(1, 2))"
    )


def test_a_game_holds_no_state_and_can_be_shared():
    game = Wizard(3)
    before = repr(vars(game))
    from coursekit.core.match import play_out
    from coursekit.core.strategy import AtRandom

    play_out(game, [AtRandom] * 3, 1)
    assert repr(vars(game)) == before


def test_a_preset_is_the_options_of_that_name():
    assert Wizard.preset("standard") == Options()
    assert Wizard.preset("lesson") == Options(short_game=5)
    for wrong in ("lessons", "", None, ["lesson"]):
        with pytest.raises(OptionError) as refused:
            Wizard.preset(wrong)
        meant = " Did you mean lesson?" if wrong == "lessons" else ""
        assert (
            str(refused.value)
            == f"there is no preset {wrong!r}; the presets are: standard, lesson, open.{meant}"
        )
        assert len({refused.value.sentence(language) for language in LANGUAGES}) == 3


# The parts that other games use


@dataclass(frozen=True)
class Some:
    limit: int | None = option(None, range(2, 5), "1")
    colours: tuple[int, ...] = option((1,), TupleOf(range(1, 4)), "2")
    mode: str = option("a", ("a", "b"), "3")


@pytest.mark.parametrize(
    "good",
    [Some(), Some(limit=4), Some(colours=(3, 3, 1)), Some(mode="b"), replace(Some(), limit=None)],
)
def test_allowed_values_pass(good):
    check_options("", good)


@pytest.mark.parametrize(
    "bad", [{"limit": 5}, {"limit": 2.0}, {"colours": (4,)}, {"colours": ()}, {"mode": "c"}]
)
def test_other_values_do_not(bad):
    with pytest.raises(OptionError):
        check_options("", Some(**bad))


def test_allowed_values_in_words():
    assert allowed_text(("a", 1, True)) == "'a', 1, True"
    assert allowed_text(range(3, 9)) == "3-8"
    assert allowed_text(TupleOf(range(1, 3))) == "(1-2, …)"


def test_tupled_turns_what_json_made_back_into_tuples():
    assert to_tuples([1, [2, [3, []]], "a"]) == (1, (2, (3, ())), "a")


class Broken:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_brief_never_fails_and_is_short():
    for value in (10**5000, Broken(), [Broken()], "x" * 10**6, None, float("nan"), "\ud800"):
        assert len(shorten(value)) <= 80
        shorten(value).encode()
    assert shorten("ab") == "'ab'"
