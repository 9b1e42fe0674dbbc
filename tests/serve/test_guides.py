"""The game manuals and teaching guides: every picture is drawn, and every rule that is named is
there.
"""

import json
import re
from typing import Any
from urllib.parse import unquote

import pytest

from coursekit.core.registry import KIT_GAMES
from coursekit.kit import GAMES
from coursekit.serve import guides
from coursekit.words.texts import LANGUAGES, text

PARTS = 15
"""Of a teaching guide: the first is what comes before the lesson."""


def source(kind: str, game: str, language: str) -> str:
    return guides.files(kind, language)[game].read_text(encoding="utf-8").split(guides.END)[0]


def fences(game: str) -> list[dict[str, Any]]:
    return [
        json.loads(each)
        for each in re.findall(r"^```table\n(.*?)^```", source("manual", game, "en"), re.M | re.S)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", KIT_GAMES)
def test_every_picture_is_drawn(game: str, language: str) -> None:
    found = guides.document("manual", game, language, True)
    assert len(found.pictures) == found.words.count("data-still") > 2
    assert guides.document("manual", game, language, True) is found
    for view in found.pictures:
        assert view["language"] == language
        assert view["covered"] == []


@pytest.mark.parametrize("game", KIT_GAMES)
def test_the_same_picture_is_the_same_each_time(game: str) -> None:
    asked = next(each for each in fences(game) if "phase" in each)
    first, again = (guides.picture(guides.game_of(asked), asked, "en")["scenes"] for _ in range(2))
    assert first == again


def test_a_picture_shows_one_hand() -> None:
    asked = next(each for each in fences("wizard") if each.get("phase") == "bid")
    view = guides.picture(guides.game_of(asked), asked, "en")
    zones = {zone["kind"]: zone for zone in view["scenes"][0]["zones"]}
    assert len(zones["hand"]["pieces"]) == 3
    assert [place["pieces"] for place in zones["seats"]["places"]] == [[]] * 4
    assert [place["you"] for place in zones["seats"]["places"]].count(True) == 1
    assert view["seed"] is None


def test_a_picture_that_never_comes_is_told() -> None:
    asked = {"game": "wizard", "preset": "open"}
    with pytest.raises(ValueError, match="has phase 'over' 1 times, not 2"):
        guides.picture(guides.game_of(asked), asked | {"phase": "over", "nth": 2}, "en")
    with pytest.raises(ValueError, match="never shows card-99"):
        guides.picture(guides.game_of(asked), asked | {"cards": ["card-99"]}, "en")


@pytest.mark.parametrize("language", LANGUAGES[:2])
@pytest.mark.parametrize("game", KIT_GAMES)
def test_every_rule_that_is_named_is_in_the_manual(game: str, language: str) -> None:
    manual, guide = source("manual", game, language), source("plan", game, language)
    numbers = re.findall(r"^## (\d+)\. ", manual, re.M)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    named = re.findall(r"(?:規則 |\brules? |\d and )(\d+)", manual + guide)
    assert set(named) <= set(numbers)
    assert len(re.findall(r"(?:規則 |\brule )\d", guide)) > 3, (
        "the answers to questions name their rules"
    )
    open_points = set(re.findall(r"^\| (A\d+b?)", manual, re.M)) | set(
        re.findall(r"[、,] (A\d+b?) \|", manual)
    )
    assert set(re.findall(r"(?:手冊 |manual, )(A\d+)", guide)) <= open_points
    if game == "wikipedia":  # the one rulebook with numbers
        assert set(re.findall(r"\bR(\d+)", manual)) == {str(number) for number in range(1, 20)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", KIT_GAMES)
def test_options_and_parts_of_the_debrief_are_called_what_the_screen_calls_them(
    game: str, language: str
) -> None:
    manual, guide = (
        guides.document(kind, game, language, True).words for kind in ("manual", "plan")
    )
    options = GAMES[game].rules.option_type.__dataclass_fields__
    assert not {*re.findall("<code>(.*?)</code>", manual + guide)} & {*options}
    said = {text("debrief.path." + part, language) for part in ("feel", "happened", "means", "now")}
    parts = re.findall("<td>(?:回頭看・|回头看·|look back: )(.*?)</td>", guide)
    assert len(parts) > 2
    assert {*parts} <= said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", KIT_GAMES)
def test_a_guide_has_all_its_parts_and_leads_to_the_manual(game: str, language: str) -> None:
    found = guides.document("plan", game, language, True)
    assert len(found.parts) == PARTS
    assert (
        found.parts[0][1]
        == {"zh-Hant": "上課以前", "en": "Before the lesson", "zh-Hans": "上课以前"}[language]
    )
    assert f'href="to/manual/{game}"' in found.words
    anchors = set(re.findall(r' id="([^"]+)"', found.words))
    assert {unquote(each) for each in re.findall(r'href="#([^"]+)"', found.words)} <= anchors
    assert '.md"' not in found.words
    short = guides.document("plan", game, language, False)
    assert short.parts == [found.parts[guides.PLAN]]
    assert short.words.count("<td>") > 20
    assert 'href="to/manual' not in short.words
