"""Print the game manuals and teaching guides as PDF files, with the browser that the tests drive::

    python tools/make_guides.py FOLDER [--game wizard] [--language zh-Hant]

The files have bookmarks, tags and the kit's own font. With the system's, Chromium takes some
Chinese characters for the radicals that look the same, and nobody finds them by searching.
"""

import argparse
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, sync_playwright

from coursekit import figures
from coursekit.core.registry import KIT_GAMES
from coursekit.serve import guides, pages
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.serve.room.page_files import page_files
from coursekit.words.texts import LANGUAGES

FONTS = Path(figures.__file__).parent / "fonts"
HOME = "http://guides.invalid/"
OWN = """
@font-face { font-family: own; src: url(/CoursekitTC.otf); }
@font-face { font-family: more; src: url(/CoursekitSC.otf); }
/* its quotes are wide */
@font-face { font-family: latin; src: url(/CoursekitTC.otf); unicode-range: U+0-200F, U+2040-10FFFF; }
body.site, body.site * { font-family: own, more; --ck-font: own, more !important; }
body.site:lang(en), body.site:lang(en) * { font-family: latin, sans-serif; --ck-font: latin, sans-serif !important; }"""
PROGRAMS = (
    "chromium",
    "chromium-headless-shell",
    "chromium-browser",
    "google-chrome",
    "chrome",
    "msedge",
)


def answer(route: Route) -> None:
    """Answer the browser as the server would, without one."""
    path = urlsplit(route.request.url).path
    last = path.rpartition("/")[2]
    if path.startswith("/coursekit/parts/"):
        part = page_files()[last]
        route.fulfill(content_type=part.kind, body=part.content)
    elif path.startswith("/coursekit/static/"):
        route.fulfill(path=pages.STATIC / path.removeprefix("/coursekit/static/"))
    elif last.endswith(".otf"):
        route.fulfill(path=FONTS / last)
    else:
        language, kind, game = path.strip("/").split("/")
        site = pages.Site(NotebookShelf(packaged_folder()))
        route.fulfill(content_type="text/html", body=pages.guide(site, language, kind, game))


@contextmanager
def browser_page() -> Iterator[Page]:
    """Open a browser's page that knows the guides."""
    with sync_playwright() as playwright:
        program = os.environ.get("COURSEKIT_CHROMIUM") or next(
            filter(None, map(shutil.which, PROGRAMS)), None
        )
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.route(f"{HOME}**", answer)
        yield page
        browser.close()


def opened(page: Page, kind: str, game: str, language: str) -> None:
    """Open a document and wait until its pictures are drawn."""
    page.goto(f"{HOME}{language}/{kind}/{game}")
    page.wait_for_function(
        "!document.getElementById('stills') || document.documentElement.dataset.drawn"
    )
    page.add_style_tag(content=OWN)
    page.evaluate(
        "document.fonts.load('16px own, more, latin', '一这a').then(() => document.fonts.ready)"
    )


def main() -> None:
    """Write a file for each document, game and language asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--game", action="append", choices=KIT_GAMES)
    asked.add_argument("--language", action="append", choices=LANGUAGES)
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with browser_page() as page:
        for language in given.language or LANGUAGES[:2]:
            for kind in guides.KINDS:
                for game in given.game or guides.files(kind, language):
                    opened(page, kind, game, language)
                    path = given.folder / f"{game}-{kind}-{language}.pdf"
                    page.pdf(path=path, format="A4", tagged=True, outline=True)
                    print(f"{path} {path.stat().st_size / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
