"""The README and the pages of the documentation: in both languages, saying the same, with links
that lead somewhere.
"""

import doctest
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from make_tables import PAGES, fill

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = "README.md"
NAMES = [
    README,
    *sorted(path.relative_to(DOCS / "zh").as_posix() for path in (DOCS / "zh").rglob("*.md")),
]
FOR_TEACHERS = [
    path.relative_to(DOCS).as_posix()
    for door in ("teach", "change")
    for path in DOCS.glob(f"{door}/**/*.md")
]
LINKED = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
LONGEST = 120
"""Lines of a README."""

CJK = "\u4e00-\u9fff"
SIMPLIFIED_IN_BIG5 = set("万与么价优体党厂听圣坏异怀怜惊愿扑扰据机洁确离种网胜虫蚕赶适")
"""Simplified characters for which Big5 has a place all the same, as it has for rare old ones."""
EXAMPLES = {"teach/manuals/knitwit.md": set("电视着")}
"""Simplified characters that a page shows on purpose."""


def place(name: str, language: str) -> Path:
    if name == README:
        return ROOT / ("README.zh-Hant.md" if language == "zh" else name)
    return DOCS / ("zh" if language == "zh" else "") / name


TWINS = {place(name, "en"): place(name, "zh") for name in NAMES}
"""English page -> the Chinese one."""


def page(name: str, language: str) -> str:
    return place(name, language).read_text(encoding="utf-8")


def blocks(text: str) -> list[str]:
    """Return what stands between fences."""
    return re.findall(r"^```.*?^```", text, re.M | re.S)


def prose(text: str) -> str:
    """Return *text* without what stands between fences."""
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def headings(text: str) -> list[tuple[int, str]]:
    return [(len(marks), words) for marks, words in re.findall(r"^(#+) (.*)", prose(text), re.M)]


def anchors(text: str) -> Iterator[str]:
    """Yield what GitHub calls the headings: small letters, hyphens for spaces, no punctuation."""
    for _, words in headings(text):
        yield re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def rows(text: str) -> list[list[str]]:
    """Return the cells of the lines of all tables, but for the lines below their heads."""
    lines = [
        line
        for line in prose(text).splitlines()
        if line.startswith("|") and not re.match(r"\|[-| :]+$", line)
    ]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def plan(text: str) -> list[list[str]]:
    """Return the rows that begin with a number of minutes, up to the first that does not."""
    found = rows(text)
    start = next(at for at, row in enumerate(found) if row[0] in ("minutes", "分鐘"))
    steps = []
    for row in found[start + 1 :]:
        if not row[0].isdigit():
            break
        steps.append(row)
    return steps


def simplified(text: str) -> set[str]:
    """Return the Chinese characters of *text* that only the simplified script has: Big5 has no
    place for them.
    """
    found = set()
    for character in set(re.findall(f"[{CJK}]", text)):
        try:
            character.encode("big5")
        except UnicodeEncodeError:
            found.add(character)
    return found | (set(text) & SIMPLIFIED_IN_BIG5)


def links(path: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield each link of the page at *path* to a file: the file, the anchor in it, and the address
    as it stands.
    """
    for address in re.findall(r"\]\(([^)\s]+)\)", prose(path.read_text(encoding="utf-8"))):
        if not address.startswith(("https:", "http:", "mailto:")):
            file, _, anchor = address.partition("#")
            yield (path.parent / file).resolve() if file else path, anchor, address


def joins(outside: str, inside: str) -> bool:
    """Return whether asterisks between the two stay asterisks: a letter outside, a punctuation mark
    inside.
    """
    return bool(outside) and outside.isalpha() and not inside.isalnum() and inside not in "`$"


def test_every_page_for_teachers_is_there_in_both_languages():
    assert [name for name in FOR_TEACHERS if name not in NAMES] == []
    assert [name for name in NAMES if not place(name, "en").exists()] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_readme_is_short(language):
    assert len(page(README, language).splitlines()) <= LONGEST


@pytest.mark.parametrize(
    "index", sorted(DOCS.rglob("README.md")), ids=lambda path: path.relative_to(DOCS).as_posix()
)
def test_an_index_leads_to_every_page_below_it(index):
    named = {target for target, _, _ in links(index)}
    assert sorted({*index.parent.rglob("*.md")} - named - {index}) == []


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_say_the_same(name):
    english, chinese = page(name, "en"), page(name, "zh")
    assert [level for level, _ in headings(english)] == [level for level, _ in headings(chinese)]
    assert blocks(english) == blocks(chinese)
    code = [set(re.findall(r"`([^`\n]+)`", prose(text))) for text in (english, chinese)]
    assert code[0] == code[1], (
        f"only in English {code[0] - code[1]}, only in Chinese {code[1] - code[0]}"
    )
    years = [
        Counter(re.findall(r"(?<!\d)(?:18|19|20)\d\d(?!\d)", text)) for text in (english, chinese)
    ]
    assert years[0] == years[1], (
        f"more in English {years[0] - years[1]}, more in Chinese {years[1] - years[0]}"
    )
    tables = rows(english), rows(chinese)
    assert [len(row) for row in tables[0]] == [len(row) for row in tables[1]]
    for one, other in zip(*tables):
        if one[0].startswith("`") and re.match(r"`|\d+[;,]", one[1]):  # an option and its values
            values = [re.findall(r"`[^`]*`|[−–\d.,;]*\d", row[1]) for row in (one, other)]
            assert values[0] == values[1], f"{one[0]}: {values[0]} and {values[1]}"
        assert re.findall(r"`[^`]*`|^A\d+\b", one[0]) == re.findall(r"`[^`]*`|^A\d+\b", other[0])


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name.startswith(("teach/games/", "teach/mind-maps"))]
)
def test_both_languages_plan_the_same_minutes_and_parts(name):
    english, chinese = plan(page(name, "en")), plan(page(name, "zh"))
    assert len(english) > 3
    assert [row[0] for row in english] == [row[0] for row in chinese]
    if name.startswith("teach/games/"):  # "Play · 玩玩看": a teacher may have either notebook open
        assert [row[-1].split(" · ")[1] for row in english] == [row[-1] for row in chinese]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_tables_are_as_the_program_is(path):
    page = path.read_text(encoding="utf-8")
    assert fill(page, *PAGES[path]) == page, "python -m tools.make_tables fills them"
    kind = path.parent.name
    names = {"games": ["options", "presets", "strategies"], "manuals": []}[kind]
    assert all(f"<!-- {name} -->" in page for name in names)
    assert "」： |" not in page, "each strategy has its idea, in Chinese too"


@pytest.mark.parametrize("name", NAMES)
def test_each_language_begins_with_a_link_to_the_other(name):
    for language, other, called in (("en", "zh", "中文"), ("zh", "en", "English")):
        title, empty, first, *_ = page(name, language).splitlines()
        assert title.startswith("# ")
        assert empty == ""
        assert called in first
        address, *_ = re.findall(r"\]\(([^)]*)\)", first)
        assert (place(name, language).parent / address).resolve() == place(name, other)


@pytest.mark.parametrize("name", NAMES)
def test_chinese_pages_are_in_traditional_characters_and_well_spaced(name):
    text = page(name, "zh")
    assert simplified(text) <= EXAMPLES.get(name, set())
    words = re.sub(r"\]\([^)]*\)", "]", prose(text))  # the addresses of links
    words = re.sub(r"[*\[\]]", "", re.sub(r"`[^`\n]*`", "x", words))
    missing = re.findall(f".{{0,8}}(?:[{CJK}][A-Za-z0-9]|[A-Za-z0-9][{CJK}]).{{0,8}}", words)
    assert not missing, "a space is missing"
    assert not re.findall(f".{{0,8}}[{CJK}，。；：、] [{CJK}].{{0,8}}", words), "a space too many"
    bold = re.findall(r"(.?)\*\*(.+?)\*\*(?=(.?))", text)
    bare = [
        words for before, words, after in bold if joins(before, words[0]) or joins(after, words[-1])
    ]
    assert not bare, "Markdown shows such asterisks as they are: set the punctuation mark outside"


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("teach/games/")])
def test_examples_are_right(name):
    words = page(name, "en").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(words, {}, name, None, None)
    assert len(examples.examples) > 1
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_simplified_characters_would_be_found():
    assert simplified("說說看：查禁、戒嚴、臺灣、台灣、線民、里長、皇后") == set()
    assert simplified("说说看，这种机会") == set("说这种机会")


@pytest.mark.parametrize("path", LINKED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path):
    found = list(links(path))
    assert [address for target, _, address in found if not target.exists()] == []
    for target, anchor, address in found:
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), address


@pytest.mark.parametrize("name", NAMES)
def test_a_page_leads_to_pages_in_its_own_language(name):
    english, chinese = place(name, "en"), place(name, "zh")
    assert [address for target, _, address in links(english) if target in TWINS.values()][1:] == []
    assert [address for target, _, address in links(chinese) if target in TWINS][
        1:
    ] == []  # the first is in line 3


NAMED = re.compile(r"\bcoursekit(?:\.[A-Za-z_]\w*)+")
"""A module of the kit, or something in it, named in full."""
FILES_NOT_MODULES = {"coursekit.css", "coursekit.html"}
FILE = re.compile(r"`((?:coursekit|tests|tools|docs|notebooks|examples|benchmarks)/[\w./-]*\w)`")


def is_there(dotted: str) -> bool:
    """Return whether *dotted* names a module of the kit, or something in one."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            thing = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            if not hasattr(thing, name):
                return False
            thing = getattr(thing, name)
        return True
    return False


@pytest.mark.parametrize("path", LINKED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_page_names_of_the_kit_is_there(path):
    names = set(NAMED.findall(path.read_text(encoding="utf-8"))) - FILES_NOT_MODULES
    assert {name for name in names if not is_there(name)} == set()


@pytest.mark.parametrize("path", LINKED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_that_a_page_names_are_there(path):
    names = set(FILE.findall(path.read_text(encoding="utf-8")))
    assert {name for name in names if not (ROOT / name).exists()} == set()
