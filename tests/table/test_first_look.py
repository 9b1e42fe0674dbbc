"""The rules in four pictures: each shows something, and nothing that its match would hide."""

import pytest

from coursekit.kit import GAMES, kit_of
from coursekit.serve.room.waiting_cards import BETWEEN
from coursekit.table import FirstLook
from coursekit.table.table_pictures import rule_pictures
from coursekit.words.texts import LANGUAGES, game_text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_four_pictures_with_a_line_each(game: str, language: str) -> None:
    pictures = rule_pictures(game, language)
    lines = [picture["line"] for picture in pictures]
    assert len(set(lines)) == 4
    assert all(line and "{" not in line for line in lines)
    for picture in pictures:
        (scene,) = picture["view"]["scenes"]
        assert scene["zones"]
    assert [still["line"] for still in FirstLook(game, language).stills] == lines


def test_the_line_tells_the_numbers_of_the_match_in_its_picture() -> None:
    lines = " ".join(picture["line"] for picture in rule_pictures("wikipedia", "en"))
    preset = GAMES["wikipedia"].rules.preset("lesson")
    assert f"{preset.points_to_win} points" in lines


@pytest.mark.parametrize("game", GAMES)
def test_the_questions_before_the_pictures_have_the_same_choices_in_each_language(
    game: str,
) -> None:
    guide = kit_of(game).guide
    assert guide is not None
    asked = [picture for picture in guide.pictures if picture.right is not None]
    assert asked
    for picture in asked:
        choices = [
            game_text(game, f"{picture.text}_choices", language).split(BETWEEN)
            for language in LANGUAGES
        ]
        (count,) = {len(set(words)) for words in choices}
        assert picture.right is not None
        assert 0 <= picture.right < count
