"""How long a teacher who has never seen the kit prepares a lesson, by "Before the lesson" in the
guide, to the letter.

Read are the guide down to "With more time", every part that this page links to, and the rules at
the table: 300 Chinese characters or 200 English words a minute. A click takes 3 s and what it
loads, measured in Chromium; a printed page 4 s. The game on paper is told apart: pages, 5 s a cut,
1 s to sort each piece.
"""

import re
import time
from html import unescape
from urllib.parse import unquote

from playwright.sync_api import Locator, Page, sync_playwright

from benchmarks.server import CHROMIUM, LATEST, QUIET, Served
from coursekit.kit import kit_of
from coursekit.printing import printed
from coursekit.serve import guides
from coursekit.words.texts import LANGUAGES, text

CLICK, PAGE, CUT, SORT = 3, 4, 5, 1  # seconds
PLANS = {
    "wizard": ("open", 4, 4),
    "wikipedia": ("open", 2, 2),
    "blockade": ("open", 4, 0),
    "knitwit": ("short", 8, 8),
}
"""What the guides ask for on the form: the way to play, players, and how many seats to give to
people.
"""
ROW = "{:10} {:8}" + " {:>8}" * 8


def read(words: str, language: str) -> float:
    """Return how many seconds it takes to read *words*, HTML or plain."""
    plain = unescape(re.sub("<[^>]+>", " ", words))
    many = (
        len(plain.split()) / 200
        if language == "en"
        else len(re.findall("[\u4e00-\u9fff]|[!-~]+", plain)) / 300
    )
    return 60 * many


def asked(game: str, language: str) -> tuple[float, float]:
    """Return how many seconds it takes to read what *game*'s guide asks to be read, and the rest of
    it.
    """
    top, before, *parts = re.split("(?=<h2 )", guides.document("plan", game, language).words)
    needed, _, more = before.rpartition("<h3 ")
    links = {unquote(each) for each in re.findall('href="#([^"]*)"', needed)}
    linked = [each for each in parts if re.findall('id="([^"]*)"', each)[0] in links]
    rest = more + "".join(each for each in parts if each not in linked)
    return read(top + needed + "".join(linked), language), read(rest, language)


def prepare(page: Page, base: str, game: str, language: str) -> tuple[float, float, int, str]:
    """Do it; return the seconds for clicks and for loading, how many pages the guide has, and the
    table's rules.
    """
    (way, players, people), loading = PLANS[game], list[float]()

    def click(what: Locator, then: Locator) -> None:
        loading.append(-time.monotonic())
        what.click()
        then.first.wait_for()
        loading[-1] += time.monotonic()

    page.goto(f"{base}/{language if language != LANGUAGES[0] else ''}")
    start = page.locator(f".site-game:has([data-game={game}])")
    table = page.locator(".ck-table").filter(visible=True).first
    form = table.locator(".ck-form")
    click(start.get_by_text(text("page.plan", language)), page.locator(".site-guide"))
    pages = page.pdf(format="A4").count(b"/Type /Page\n")
    click(page.get_by_role("link", name=text("page.home", language)), start)
    click(
        start.get_by_text(text("page.play", language), exact=True), table.locator(".ck-rules-open")
    )
    click(table.locator(".ck-rules-open"), sheet := table.locator(".ck-sheet"))
    rules = sheet.inner_text()
    click(table.locator("[data-key='new']"), form)
    click(form.locator(f".ck-tick:has([value='{players}'])"), form)
    form.locator(".ck-field-preset select").select_option(
        index=[*kit_of(game).rules.presets].index(way)
    )
    for seat in form.locator(".ck-form-seat select").all()[:people]:
        seat.select_option(index=0)
    click(form.locator(".ck-form-end .ck-primary"), table.locator(".ck-cloth"))
    clicks = len(loading) + 2 * (
        1 + 1 + people
    )  # to print, a menu for the way to play, a menu for each seat
    return clicks * CLICK, sum(loading), pages, rules


def on_paper(game: str, language: str) -> tuple[int, int]:
    """Return how many seconds it takes to print *game* once, and to cut and sort it."""
    sheets = printed(game, language).split('<section class="pp-page"')[1:]
    sizes = re.findall(
        r'pp-grid" style="width:(\d+)mm;height:(\d+)mm;--wide:(\d+)mm;--high:(\d+)mm',
        "".join(sheets),
    )
    cuts = sum(
        int(width) // int(wide) + int(height) // int(high) + 2
        for width, height, wide, high in sizes
    )
    pieces = sum(each.count('class="pp-card"') for each in sheets if "pp-backs" not in each)
    return len(sheets) * PAGE, cuts * CUT + pieces * SORT


def prep(scale: float) -> None:
    """Print a table of minutes, a row for each game and language."""
    server = Served()
    print(
        ROW.format(
            "game", "language", *"reading clicks loading printing all more paper cutting".split()
        )
    )
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET).new_page()
        page.set_default_timeout(LATEST)
        page.goto(server.address)
        for language in LANGUAGES[:2]:
            for game in PLANS:
                clicks, loading, pages, rules = prepare(page, server.base, game, language)
                needed, more = asked(game, language)
                parts = needed + read(rules, language), clicks, loading, pages * PAGE
                minutes = (
                    f"{each / 60:.1f}"
                    for each in (*parts, sum(parts), more, *on_paper(game, language))
                )
                print(ROW.format(game, language, *minutes), flush=True)
    server.process.terminate()
    server.process.wait()
