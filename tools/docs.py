"""Build the documentation as a site without a server, and stop at the first dead link.

::

    pip install -c constraints.txt -e '.[docs]'
    python -m tools.docs    # into build/docs, or a folder that is named here

Its pages are both READMEs and ``docs/`` as they are, and the docstrings of what they, notebooks and
examples import.
"""

import argparse
import re
import shutil
import sys
import tempfile
from gettext import translation
from itertools import groupby
from pathlib import Path
from typing import Any

from sphinx import package_dir
from sphinx.application import Sphinx
from sphinx.search import languages
from sphinx.search.en import SearchEnglish

ROOT = Path(__file__).parents[1]
SOURCES = (
    "README.md",
    "README.zh-Hant.md",
    "NOTICE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "docs",
    "benchmarks/README.md",
    "examples",
)
ORDER = ("teach", "change", "extend")
"""The doors of the documentation, as the README has them; what belongs to none comes last."""
ROOM = re.compile(r"coursekit\.(games\.)?\w+")
HAN = "\u3400-\u9fff"


class Search(SearchEnglish):
    """Finds Chinese by characters and their pairs, and English by words."""

    js_splitter_code = f"""
var splitQuery = (query) => (query.match(/[{HAN}]+|[^\\P{{L}}{HAN}]+|[\\p{{N}}_]+/gu) ?? []).flatMap((run) =>
  /[{HAN}]./u.test(run) ? [...run].slice(1).map((each, at) => run[at] + each) : [run]);
"""

    def split(self, input: str) -> list[str]:
        """Return the words, characters and pairs of characters in *input*."""
        runs = re.findall(f"[{HAN}]+", input)
        pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
        return [*pairs, *"".join(runs), *re.findall(f"[^\\W{HAN}]+", input)]


def is_chinese(page: str) -> bool:
    return page == "README.zh-Hant" or page.startswith("docs/zh/")


def place(page: str) -> tuple[int, bool, int, str]:
    """Return what to sort pages by: each door begins with its index, deeper pages come last."""
    door = page.removeprefix("docs/").removeprefix("zh/").partition("/")[0]
    at = ORDER.index(door) if door in ORDER else len(ORDER)
    return at, not page.endswith("/README"), page.count("/"), page


def in_its_language(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Let the words around a page be in its language."""
    context["language"] = "zh-TW" if is_chinese(page) else "en"
    words = translation(
        "sphinx",
        Path(package_dir) / "locale",
        [context["language"].replace("-", "_")],
        fallback=True,
    )
    app.builder.templates.environment.install_gettext_translations(words)  # type: ignore[attr-defined]


def prepare(page: Path, source: Path) -> None:
    """Make the *page* in the folder *source* one of a site.

    Links to folders and to files that a site does not have become their words, pictures of the
    table, which only the kit draws, what they are drawn from; ends of lines between Chinese
    characters go.
    """
    text = page.read_text(encoding="utf-8")
    here = ROOT / page.relative_to(source).parent

    def link(found: re.Match[str]) -> str:
        missing = (here / found[2]).exists() and not (page.parent / found[2]).is_file()
        return found[1] if missing else found[0]

    text = re.sub(r"\[([^]]*)\]\(([^)\s#]+)\)", link, text)
    text = re.sub(r"^```table$", "```json", text, flags=re.M)
    text = re.sub(
        rf"(```.*?```)|(?<=[{HAN}，。；：？」）])\n(?=[{HAN}「（])",
        lambda it: it[1] or "",
        text,
        flags=re.S,
    )
    page.write_text(text, encoding="utf-8")


def reference(folder: Path) -> list[str]:
    """Write a page for each room and game; return their names."""
    files = [
        path for name in ("docs", "notebooks", "examples") for path in (ROOT / name).rglob("*.*")
    ]
    texts = [
        path.read_text(encoding="utf-8")
        for path in files
        if path.suffix in (".md", ".ipynb", ".py")
    ]
    modules = sorted(
        {name for text in texts for name in re.findall(r"\bfrom (coursekit[.\w]*) import", text)}
    )
    rooms = {
        room: list(names) for room, names in groupby(modules, lambda name: ROOM.match(name)[0])
    }  # type: ignore[index]
    folder.mkdir()
    for room, names in rooms.items():
        parts = [
            f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n```\n"
            for name in names
        ]
        (folder / f"{room}.md").write_text("\n".join([f"# {room}\n", *parts]), encoding="utf-8")
    return [f"{folder.name}/{room}" for room in rooms]


def build(goal: Path) -> int:
    """Build the site in the folder *goal*; return how many warnings there were."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name)
        for each in SOURCES:
            (source / each).parent.mkdir(exist_ok=True)
            (shutil.copytree if (ROOT / each).is_dir() else shutil.copy)(ROOT / each, source / each)
        for path in source.rglob("*.md"):
            prepare(path, source)
        pages = [
            path.relative_to(source).with_suffix("").as_posix()
            for path in (source / "docs").rglob("*.md")
        ]
        pages.sort(key=place)
        chinese = ["README.zh-Hant", *filter(is_chinese, pages)]
        english = [each for each in pages if not is_chinese(each)]
        english += ["CONTRIBUTING", "CHANGELOG", "benchmarks/README", "NOTICE"]
        parts = {"中文": chinese, "English": english, "Python": reference(source / "reference")}
        with (source / "README.md").open("a", encoding="utf-8") as readme:
            for caption, names in parts.items():
                readme.write(
                    "\n".join(
                        ["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```\n"]
                    )
                )
        languages["zh"] = Search
        sys.set_int_max_str_digits(
            0
        )  # Sphinx reads every value, and a bit mask of Knit Wit's table is long
        settings = {
            "project": "coursekit",
            "html_title": "coursekit",
            "root_doc": "README",
            "exclude_patterns": ["examples"],
            "extensions": ["myst_parser", "sphinx.ext.autodoc"],
            "myst_heading_anchors": 4,
            "html_theme": "furo",
            "html_search_language": "zh",
            "html_copy_source": False,
            "html_show_sphinx": False,
            "autodoc_member_order": "bysource",
            "autodoc_default_options": {"no-value": True},
        }
        app = Sphinx(source, None, goal, source / ".doctrees", "html", settings, freshenv=True)
        app.connect("html-page-context", in_its_language)
        app.build()
        shutil.copy(goal / "README.html", goal / "index.html")
        return app._warncount


if __name__ == "__main__":
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "build" / "docs", help="where the site goes"
    )
    sys.exit(bool(build(asked.parse_args().folder)))
