"""The printed rules: nothing that a player must know is left out, and the numbers are the match's."""

import re
from dataclasses import fields
from html import unescape
from random import Random

import pytest

from coursekit import cli
from coursekit.files.documentation import NUMBER, documentation, printed_part
from coursekit.kit import GAMES
from coursekit.printing import render_sheets
from coursekit.words.texts import LANGUAGES

TOLD = {
    "wikipedia": {
        "1.1 two, four, six or eight players, a set for two": (0, 1),
        "1.2 the squares; one work, one Use, one Vandalism": (4, 5, 6),
        "2.1 dice decide who starts, ties throw again": (2,),
        "2.2 five cards each": (2,),
        "2.3 a role for each at the start of a round": (2,),
        "2.4 hands are kept": (10,),
        "2.5 teams of two who sit opposite": (11,),
        "3 what each card needs": (4, 5, 6, 7),
        "R1 R2 R3 one card, then draw one": (3,),
        "R4 fewer than three: fill up to six": (3,),
        "R5 R6 a work must be written": (4,),
        "R7 R8 R9 Use": (5,),
        "R10 Vandalism": (6,),
        "R11 R12 Revision, and when it must be played": (7,),
        "R13 R14 the user's next turn": (8,),
        "R15 R16 R17 the die, points, mending": (9,),
        "R18 who starts the next round": (10,),
        "R19 roles anew": (10,),
        "A15 used-up piles are shuffled again": (2,),
        "A19 no match lasts for ever": (11,),
        "victory": (11,),
    },
    "wizard": {
        "1.1 1.2 60 cards, four suits": (1,),
        "3.1 3.2 who deals": (2,),
        "3.3 all cards are shuffled for each round": (2,),
        "P1 one card more in each round": (2,),
        "P2 what the turned-up card means": (3,),
        "P2b a Wizard: the dealer names the trump": (3,),
        "P3 predictions in order, final": (4,),
        "P4 who leads": (5,),
        "5.1 the suit to follow": (5,),
        "5.2 5.3 5.4 what may be played": (5,),
        "5.5 5.6 who wins the trick": (6,),
        "5.8 the winner leads": (6,),
        "6 points": (7,),
        "2 number of rounds; the last counts": (8,),
        "A12 ties": (8,),
    },
    "blockade": {
        "1 what the decks hold": (2,),
        "2.1 five cards each": (3,),
        "2.2 roles are drawn": (1, 3),
        "2.3 markers on the first year": (3,),
        "2.4 which eras": (3,),
        "2.5 cards lie face up": (6, 7),
        "2.6 who starts": (3,),
        "3 the first lap; a seat without writers": (4,),
        "4.0 freshen up": (5,),
        "4.1 one of three things, or discard": (6,),
        "4.2 a new book card": (7,),
        "4.3 searches and protests: O and O succeed": (8,),
        "4.4 the die": (8,),
        "5 moves, corner, events on the way": (9, 10),
        "6.1 6.2 the end of an era, points": (11,),
        "6.3 the next era": (11,),
        "6.4 the end": (12,),
        "advice of the rulebook": (13,),
        "A25 A26 used-up decks": (3,),
    },
    "knitwit": {
        "3.1 3.2 3.4 sheets, spools, loops, buttons": (1,),
        "3.5 who starts": (1,),
        "A-1 a loop": (2,),
        "A-2 a word": (3,),
        "A-3 a spool": (4,),
        "5.1 5.2 what may be written": (5,),
        "5.3 5.4 stop": (6,),
        "5.5 two players": (10,),
        "6.1 6.2 6.3 points": (7,),
        "6.4 challenges": (8,),
        "6.5 buttons, ties": (9,),
    },
}
"""What a player must know, by its number in the specification, and the parts that tell it."""
MARKED = {
    game: sorted(
        {
            name
            for marked in NUMBER.findall(
                printed_part(
                    documentation("en", "teach", "manuals", f"{game}.md").read_text("utf-8")
                )
            )
            for name in marked[0].split("+")
            if not name.isdigit()
        }
    )
    for game in TOLD
}
"""The options that stand as numbers in each manual."""


def rules_on_paper(game: str, language: str, **options: object) -> str:
    """Return the rules as they are printed, without tags and without the list of what differs."""
    page = render_sheets(game, language, rules=options)
    article = re.search(r'<article class="pp-manual">(.*?)</article>', page, re.S)
    assert article
    told = re.sub("<aside>.*?</aside>", "", article[1], flags=re.S)
    return re.sub(r"<[^>]*>", "\n", unescape(told))


def parts_on_paper(words: str) -> dict[int, str]:
    """Return the words below each numbered heading; before the first one they are part 0."""
    pieces = re.split(r"^(\d+)\. ", words, flags=re.M)
    return {0: pieces[0]} | {int(pieces[i]): pieces[i + 1] for i in range(1, len(pieces), 2)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", TOLD)
def test_every_part_that_tells_a_rule_is_printed(game: str, language: str) -> None:
    parts = parts_on_paper(rules_on_paper(game, language))
    asked = {part for parts_of in TOLD[game].values() for part in parts_of}
    assert asked <= parts.keys()
    assert all(len(parts[part]) > 15 for part in asked)
    assert parts.keys() - {0} <= asked | {1}  # a new part belongs into the list


@pytest.mark.parametrize("game", TOLD)
def test_both_languages_mark_the_same_numbers(game: str) -> None:
    marks = {
        language: sorted(
            name
            for name, _ in NUMBER.findall(
                documentation(language, "teach", "manuals", f"{game}.md").read_text("utf-8")
            )
        )
        for language in ("en", "zh-Hant")
    }
    assert marks["en"] == marks["zh-Hant"]
    assert MARKED[game]


@pytest.mark.parametrize("game", TOLD)
def test_the_numbers_in_the_manuals_are_the_standard_ones(game: str) -> None:
    standard = vars(GAMES[game].rules(GAMES[game].rules.player_counts[0]).options)
    words = dict(zip("one two three four five six ten".split(), (1, 2, 3, 4, 5, 6, 10)))
    words |= dict(zip("一二三四五六十", (1, 2, 3, 4, 5, 6, 10))) | {"兩": 2}
    for language in ("en", "zh-Hant"):
        page = documentation(language, "teach", "manuals", f"{game}.md").read_text("utf-8")
        for name, shown in NUMBER.findall(page):
            number = words.get(shown.lower()) or int(shown.replace(",", ""))
            told = sum(int(term) if term.isdigit() else standard[term] for term in name.split("+"))
            assert number == told, (language, name, shown)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", TOLD)
def test_the_printed_numbers_are_those_of_the_match(game: str, seed: int) -> None:
    rng = Random(f"{game} {seed}")
    rules = GAMES[game].rules
    option = rng.choice(MARKED[game])
    allowed = next(each for each in fields(rules.option_type) if each.name == option)
    standard = allowed.default
    values = [value for value in allowed.metadata["allowed"] if value not in (None, standard)]
    rng.shuffle(values)
    for value in values:
        try:
            rules.options_from({option: value})
        except ValueError:
            continue  # a match of such rules would never end
        break
    language = rng.choice(LANGUAGES)
    usual, changed = (
        rules_on_paper(game, language, **{option: each}) for each in (standard, value)
    )
    number = re.compile(rf"(?<!\d){value}(?!\d)")
    assert changed != usual, (option, value, language)
    assert number.search(changed), (option, value, language)


@pytest.mark.parametrize("preset", GAMES["blockade"].rules.presets)
def test_what_differs_from_the_standard_is_listed(preset: str) -> None:
    listed = re.search("<aside>(.*?)</aside>", render_sheets("blockade", "en", preset=preset), re.S)
    changed = GAMES["blockade"].rules.presets[preset]
    assert (listed[1].count("<li>") if listed else 0) == len(changed)


def test_no_such_preset_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["print", "wizard", "--preset", "short", "--no-browser"]) != 0
    assert "lesson" in capsys.readouterr().err
