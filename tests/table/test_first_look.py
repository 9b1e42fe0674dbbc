"""The rules in four pictures: each shows something, and nothing that its match would hide."""

import pytest

from coursekit.kit import GAMES
from coursekit.table import FirstLook
from coursekit.table.table_pictures import rule_pictures
from coursekit.words.texts import LANGUAGES


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
