"""Every sentence exists in every language, is used, and can be filled."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from coursekit.core.game import TABLE, Event, Refusal, sentence
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.rules.cards import ROLES
from coursekit.games.wizard import Wizard
from coursekit.kit import GAMES
from coursekit.words.texts import (
    LANGUAGES,
    THE_KIT,
    files,
    game_text,
    join_words,
    load_texts,
    seat_name,
    template,
    text,
)

ROOT = Path(__file__).parents[2]
TABLES = [pytest.param(name, id=name or "kit") for name in (THE_KIT, *GAMES)]
CJK = "\u4e00-\u9fff"


def placeholders(words: str) -> list[tuple[str, str]]:
    """Return the (name, kind) of each placeholder; a noun's own words count as one kind."""
    parts = [
        (name, spec or "") for _, name, spec, _ in Formatter().parse(words) if name is not None
    ]
    return [(name, "noun" if "/" in spec else spec) for name, spec in parts]


# The files


@pytest.mark.parametrize("game", TABLES)
def test_every_text_has_every_language_and_nothing_else(game):
    for text_id, languages in load_texts(game).items():
        assert tuple(languages) == LANGUAGES, f"{game} {text_id}: all languages, in this order"
        assert all(languages.values()), text_id


def test_a_text_of_the_kit_stands_in_one_room_only():
    heads = [
        line
        for file in files()
        for line in file.read_text(encoding="utf-8").splitlines()
        if line[:1] == "["
    ]
    assert [head for head in heads if heads.count(head) > 1] == []


@pytest.mark.parametrize("game", TABLES)
def test_placeholders_are_the_same_in_every_language(game):
    for text_id, languages in load_texts(game).items():
        names = {
            language: sorted({name for name, _ in placeholders(words)})
            for language, words in languages.items()
        }
        assert len({tuple(placeholder_names) for placeholder_names in names.values()}) == 1, (
            f"{game} {text_id}: {names}"
        )
        kinds = [
            {part for part in placeholders(words) if part[1] not in ("", "noun")}
            for words in languages.values()
        ]
        assert kinds[0] == kinds[1] == kinds[2], f"{game} {text_id}: {kinds}"
        assert all(
            name.isidentifier()
            for placeholder_names in names.values()
            for name in placeholder_names
        ), text_id


@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans"])
@pytest.mark.parametrize("game", TABLES)
def test_a_space_stands_between_chinese_and_latin_words_and_nowhere_else(game, language):
    """Beside a value no space is written where it may be Chinese: the kit sets it if the value is
    not.
    """
    for text_id, languages in load_texts(game).items():
        words = re.sub(
            r"\{[^}]*?:[^}/]*/[^}]*\}", "\ue000", languages[language]
        )  # {n:本/本}: ends in Chinese
        words = re.sub(
            r"\{[^}]*:(seat|card|suit)\*?\}", "\ue001", words
        )  # a word in the reader's language
        words = re.sub(r"\{[^}]*\}", "\ue002", words)  # anything
        where = f"{game} {text_id}: {languages[language]}"
        assert not re.search(f"[{CJK}][A-Za-z0-9]|[A-Za-z0-9][{CJK}]", words), (
            f"a space is missing in {where}"
        )
        assert not re.search(f"[{CJK}，。；：、] [{CJK}]", words), f"a space too many in {where}"
        assert not re.search(f"[{CJK}] \ue001|\ue001 [{CJK}]", words), (
            f"the kit sets the space in {where}"
        )


@pytest.mark.parametrize("game", TABLES)
def test_the_two_scripts_do_not_mix(game):
    """Some characters that only one of the scripts has; OpenCC's drafts are read by hand as well."""
    only_hant, only_hans = (
        set("這們個說還沒從時發會過對與為後國來請選開關點數該號總"),
        set("这们个说还没从时发会过对与为后国来请选开关点数该号总"),
    )
    common = only_hant & only_hans
    for text_id, languages in load_texts(game).items():
        assert not set(languages["zh-Hant"]) & (only_hans - common - set("后里台只")), text_id
        assert not set(languages["zh-Hans"]) & (only_hant - common), text_id


TAIWANESE = "「 〈 联集 钮扣 拖曳 资讯 程式 萤幕 选单 网路 滑鼠 储存 软体 套件 列印 视窗".split()


@pytest.mark.parametrize("game", TABLES)
def test_simplified_texts_use_the_words_and_quotation_marks_of_the_mainland(game):
    texts = {text_id: languages["zh-Hans"] for text_id, languages in load_texts(game).items()}
    assert not {
        text_id: words
        for text_id, words in texts.items()
        if any(word in words for word in TAIWANESE)
    }


# Used and known


def sources() -> list[Path]:
    kinds = ("*.py", "*.js", "*.html", "*.jinja", "*.j2")
    return [
        path
        for kind in kinds
        for path in (ROOT / "coursekit").rglob(kind)
        if "static/vendor" not in str(path)
    ]


def mentioned() -> tuple[set[str], set[str]]:
    """Return the words in the sources, and a pattern for each family such as f"refusal.{phase}"."""
    words: set[str] = set()
    families: list[list[str]] = []  # the fixed parts of each, "" between two others
    for path in sources():
        source = path.read_text(encoding="utf-8")
        words.update(re.findall(r"[\w.-]+", source))
        families += [
            [start, ""] for start in re.findall(r"[\"'`]((?:[a-z]+\.)+)[\"'`]", source)
        ]  # startswith("ui.")
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.JoinedStr):
                    families.append(
                        [
                            part.value if isinstance(part, ast.Constant) else ""
                            for part in node.values
                        ]
                    )
        else:
            families += [
                re.split(r"\$\{[^}]*\}", pattern)
                for pattern in re.findall(r"`([^`\s]*\$\{[^`\s]*)`", source)
            ]
    # Something fixed that ends in a dot or _ is needed, or any f-string would use everything.
    named = [parts for parts in families if re.fullmatch(r"[a-z_.]{2,}[._]", parts[0])]
    return words, {
        "([\\w.-]+)".join(
            [*map(re.escape, filter(None, parts)), *([""] if parts[-1] == "" else [])]
        )
        for parts in named
    }


WORDS, FAMILIES = mentioned()
FAMILIES |= {
    # Ids put together in ways that cannot be read off the sources; what is in brackets must stand
    # there.
    r"option\.(\w+)\.(\w+)",  # table/setup_form.py: help, and the values of an option
    r"page\.step_(\w+)",
    r"page\.about_(\w+)",
    r"page\.(\w+)_word",
    r"page\.(\w+)_title",  # serve/templates
    r"page\.step\.[\w-]+",  # serve/lesson_steps.py: the tags of notebooks
    r"question\.\w+\.\w+",
    r"reflect\.source\.\w+",  # reflect: all questions of a game are asked
    r"statistic\.\w+",  # arena
    r"outline\.\w+",  # core/strategy.py: what strangers may read of an error "strategy.…"
    r"ui\.(first|back|forward|now)_word",  # table/static/tools.js
    r"usable\.\w+",  # games/blockade: word() names any kind by its value
    r"debrief\.([\w.]+)\.(\w+)",  # reflect/debrief_story.py: what a moment says
    r"debrief\.worst\.tried(?:_best)?_points",  # games/wizard/after/debrief.py
    r"genre\.\w+",  # games/blockade: a name for each of facts.GENRES, as its test asks
    r"(?:card|work|role)\.(\w+)",  # games/wikipedia: word() names its things by their kind
    r"console\.(\w+)_ask",  # serve/room/static/console.js: what is asked before a button is obeyed
    r"pictures\.\w+_(?:ask|choices|why)",  # serve/room/waiting_cards.py
    r"lesson\.\w+",
    r"control\.\w+",  # cells of notebooks: tests/test_notebooks.py looks for them there
}


def used(name: str) -> bool:
    """Return whether *name* stands in the sources, or is of a family whose other parts do."""
    if name in WORDS or name.isdigit():
        return True
    return any(
        (found := re.fullmatch(family, name)) and all(map(used, found.groups()))
        for family in FAMILIES
    )


@pytest.mark.parametrize("game", TABLES)
def test_no_text_is_unused(game):
    unused = [text_id for text_id in load_texts(game) if not used(text_id)]
    assert not unused, "remove them, or add how their ids are put together to FAMILIES"


def test_a_text_that_nobody_uses_would_be_found():
    for text_id in (
        "refusal.nobodys_phase",
        "page.nobodys",
        "nobodys",
        "ui.nobodys",
        "speed_nobodys",
    ):
        assert not used(text_id)


@pytest.mark.parametrize("game", TABLES)
def test_no_text_is_missing(game):
    """Ids written out in the rules (``Event("deal"``, ``Refusal("refusal.follow"``) or the kit
    exist.
    """
    folder = ROOT / "coursekit" / "games" / game if game else ROOT / "coursekit"
    known = {*load_texts(THE_KIT), *load_texts(game)}
    calls = re.compile(
        r"\b(?:Event|Refusal|RecordError|StaleError)\(\s*\"([\w.]+)\"|"
        r"\b(?:StrategyError|OptionError|said)\(\s*[\w.]+,\s*\"([\w.]+)\"|"
        r"\b(?:texts\.)?text\(\"([\w.]+)\""
    )
    paths = folder.glob("*.py") if not game else folder.rglob("*.py")
    for path in paths:
        for found in calls.finditer(path.read_text(encoding="utf-8")):
            text_id = next(filter(None, found.groups()))
            assert text_id in known, f"{path.name}: {text_id} has no text"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_title_and_a_line_about_it(name):
    assert {"title", "about", "topics"} <= set(load_texts(name))


# Filling


SAMPLES: dict[str, dict[str, object]] = {
    THE_KIT: {},
    "blockade": {
        "card": 0,
        "book": 3,
        "role": 1,
        "era": 2,
        "event": 1987,
        "effect": 1987,
        "reading": 200,
        "function": "prize",
        "usable": "era",
    },
    "knitwit": {"tag": 3, "loop": 2, "spool": 4},
    "wikipedia": {"card": "book", "work": "wiki", "role": "student", "faces": 4},
    "wizard": {"card": 5, "suit": 2},
}
"""What each game calls its things, by the kind of a placeholder."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", TABLES)
def test_every_text_can_be_filled(game, language):
    """With a value for each placeholder of the kind it asks for; names are in Chinese and in Latin."""
    rules = GAMES[game].standard() if game else THE_KIT
    for text_id, languages in load_texts(game).items():
        values = {}
        for name, spec in placeholders(languages[language]):
            kind = spec.rstrip("*")
            one = SAMPLES[game].get(kind, 1 if kind == "seat" else 3)
            values[name] = [one, one] if spec.endswith("*") else one
        for names in ((), ("Ann", "Bo"), ("小明", "小華")):
            words = game_text(rules, text_id, language, names, **values)
            assert words, text_id
            assert "{" not in words, text_id
            if language != "en":
                assert not re.search(f"[{CJK}][A-Za-z0-9]|[A-Za-z0-9][{CJK}]", words), (
                    f"{text_id}: {words}"
                )


def test_a_space_is_set_where_a_value_in_latin_letters_touches_chinese():
    event = Event("play", {"seat": 0, "card": 5})
    assert sentence(Wizard(3), event, "zh-Hant", ("Ann", "", "")) == "Ann 出人類 5。"
    assert sentence(Wizard(3), event, "zh-Hant", ("小明", "", "")) == "小明出人類 5。"
    assert sentence(Wizard(3), event, "en", ("Ann", "", "")) == "Ann plays Human 5."


def test_a_refusal_ends_with_its_rule():
    refusal = Refusal("refusal.follow", {"suit": 2, "card": 5}, "rule.follow")
    assert sentence(Wizard(3), refusal, "en").endswith(
        "Human 5 cannot be played now. (Rule: following suit.)"
    )
    assert sentence(Wizard(3), refusal, "zh-Hant").endswith("（規則：跟牌）")
    refusal = Refusal("refusal.one_work", {"work": "wiki"}, "rule.6")
    assert sentence(Wikipedia(2), refusal, "en").endswith(
        "a round has one work only. (Rule 6, one work.)"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_calls_a_rule_a_rule_only_once(game, language):
    for rule in load_texts(game):
        if rule.startswith("rule."):
            told = sentence(GAMES[game].standard(), Refusal("refusal.over", {}, rule), language)
            assert len(re.findall("rule(?!book)|規則(?!書)|规则(?!书)", told, re.I)) == 1, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_plays_a_seat_of_wikipedia_is_not_named_like_a_role(language):
    """Roles change every round: "Honest student" at the seat of a scholar says two things."""
    roles = [template("wikipedia", f"role.{role}", language) for role in ROLES]
    for text_id, label in load_texts("wikipedia").items():
        if text_id.startswith("strategy."):
            assert not [role for role in roles if role in label[language].lower()], label[language]


def test_seats_without_a_name_are_numbered_from_one_and_the_table_has_its_own():
    assert [seat_name(seat, "en", ("Ann", "")) for seat in (0, 1, 2, TABLE)] == [
        "Ann",
        "Player 2",
        "Player 3",
        "the table",
    ]
    assert seat_name(1, "zh-Hant") == "玩家 2"


def test_lists_of_words():
    assert join_words(["A", "B", "C"], "en") == "A, B, C"
    assert join_words(["甲", "乙"], "zh-Hans") == "甲、乙"


def test_numbers_have_their_noun():
    event = Event("bid.open", {"seat": 0, "bid": 1})
    assert sentence(Wizard(3), event, "en") == "Player 1 predicts 1 trick."
    assert (
        sentence(Wizard(3), event._replace(values={"seat": 0, "bid": 0}), "en")
        == "Player 1 predicts 0 tricks."
    )


@pytest.mark.parametrize(
    "hostile", ["{0}", "{seat.__class__}", "{{x}}", "%s", "</script>", "\ue000", "a\ue001b"]
)
def test_a_name_is_only_ever_a_name(hostile):
    words = sentence(Wizard(3), Event("play", {"seat": 0, "card": 5}), "en", (hostile, "", ""))
    assert words == f"{hostile} plays Human 5.".replace("\ue000", "").replace("\ue001", "")


def test_an_unknown_language_or_text_is_an_error():
    with pytest.raises(ValueError, match="no language 'fr'; there are: 'zh-Hant', 'en', 'zh-Hans'"):
        template(THE_KIT, "seat.table", "fr")
    with pytest.raises(KeyError):
        text("no.such.text", "en")
    with pytest.raises(KeyError):
        game_text("wizard", "no.such.text", "en")
