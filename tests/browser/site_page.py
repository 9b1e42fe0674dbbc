"""A page of the site in front of a person, who plays, writes code and runs it."""

from driver import AtTable
from lanes import START
from playwright.sync_api import expect

from coursekit.words.texts import text

KEPT = """async () => {
  const database = await new Promise((done) => {
    const request = indexedDB.open("coursekit", 1);
    request.onsuccess = () => done(request.result);
  });
  const files = database.transaction("files").objectStore("files");
  const all = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const [names, contents] = await Promise.all([files.getAllKeys(), files.getAll()].map(all));
  database.close();
  return Object.fromEntries(names.map((name, at) => [name, new TextDecoder().decode(contents[at])]));
}"""


class Site:
    """The site in front of a person."""

    def __init__(self, page, url):
        self.page, self.url = page, url

    def open(self, name, place="play"):
        """Open a page, and wait for its table where it has the step."""
        self.page.goto(f"{self.url}{name}.html#{place}")
        return self

    def table(self):
        expect(self.page.locator(".ck-table:not(.ck-still *)").first).to_be_visible(
            timeout=1_000 * START
        )
        return AtTable(self.page)

    def cell(self, id):
        cell = self.page.locator(f'[data-cell="{id}"]')
        cell.scroll_into_view_if_needed()
        return cell

    def write(self, id, code):
        """Write *code* into a cell instead of what is there."""
        editor = self.cell(id).locator(".cm-content")
        editor.click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(code)

    def run(self, id):
        self.cell(id).get_by_role("button", name=text("site.run", "en")).click()

    def kept(self):
        return self.page.evaluate(KEPT)

    def wait_until_kept(self, beginning, words=""):
        """Wait until the browser keeps a file whose path begins so, with *words* in it."""
        while not any(
            path.startswith(beginning) and words in it for path, it in self.kept().items()
        ):
            self.page.wait_for_timeout(50)


def in_lab(site, game):
    """Open the lab of a lesson in English, and wait until its cells have run."""
    return ready(site.open(f"en-{game}", "lab"), ".ck-table")


def exercises(site):
    """Open the notebook of exercises in English, which is nothing but a lab, and wait as well."""
    return ready(site.open("en-lab", "bid"), ".ck-explore")


def ready(site, result):
    expect(site.page.locator(result).first).to_be_attached(timeout=1_000 * START)
    expect(site.page.locator(".site-lab .cm-content").first).to_be_attached()
    site.page.wait_for_function(
        "coursekit_page.running === null && !coursekit_page.queue.length", timeout=1_000 * START
    )
    return site
