"""A site that is published again, on a web space that lets browsers keep its files."""

import functools
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from lanes import START
from playwright.sync_api import expect

from coursekit.site.build import service_worker, write_folder

OURS = '<!DOCTYPE html><meta name="generator" content="coursekit">'
SAYS = "document.body.dataset.{} = '{}';"
REGISTERS = "navigator.serviceWorker.register('service-worker.js');"
UPDATE = """async () => {
    const found = await navigator.serviceWorker.ready;
    await found.update(); // may be answered by an update that began before the files were written
    return found.waiting !== null;
}"""

INSTALLED = """async () => {
    const found = await navigator.serviceWorker.ready;
    const ended = new Promise((done) => {
        found.onupdatefound = () => {
            const worker = found.installing;
            worker.onstatechange = () => done(worker.state);
        };
    });
    await found.update().catch(() => {});
    return ended;
}"""
"""Let a page look for another version; return what becomes of it first."""


def version(number):
    """Return a site in which page and scripts say which version they are of."""
    html = f'{OURS}<body data-page="{number}"><script src="at-once.js"></script>'
    files = {
        "index.html": html,
        "at-once.js": SAYS.format("once", number) + REGISTERS,
        "later.js": SAYS.format("later", number),
    }
    site = {name: content.encode() for name, content in files.items()}
    return site | {"service-worker.js": service_worker(site).encode()}


class Keeping(SimpleHTTPRequestHandler):
    """A web space as GitHub Pages: files may be kept for ten minutes. A network that asks for a
    login answers in its place once there is a file ``login``, whose lines are the names of files.
    """

    def send_head(self):
        login = Path(self.directory, "login")
        if login.exists() and Path(self.path).name in login.read_text().splitlines():
            self.path = "/login.html"
        # Its times are whole seconds: two versions of the same second would be one.
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def web_space(tmp_path):
    handler = functools.partial(Keeping, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def load_later(page):
    page.evaluate(
        "() => document.head.append(Object.assign(document.createElement('script'), { src: 'later.js' }))"
    )


def expect_version(page, number):
    """Wait until all parts of *page* say that they are of version *number*."""
    for part in ("page", "once"):
        expect(page.locator("body")).to_have_attribute(f"data-{part}", str(number))
    load_later(page)
    expect(page.locator("body")).to_have_attribute("data-later", str(number))


def reload_until_new(page):
    """Load *page* again until it is of the second version, which its worker may not know at once;
    each time it is whole.
    """
    end = time.monotonic() + START
    number = "1"
    while number != "2":
        assert time.monotonic() < end, "it stayed of the first version"
        page.reload()
        number = page.locator("body[data-page]").get_attribute("data-page")
        expect_version(page, number)


def publish_again(folder, page):
    """Publish the second version, and let *page* hear of it as browsers do when it is loaded."""
    write_folder(version(2), folder)
    end = time.monotonic() + START
    while not page.evaluate(UPDATE):
        assert time.monotonic() < end, "the browser never heard of the second version"
        page.wait_for_timeout(100)


@pytest.fixture
def visited(page, web_space):
    """A page that was visited once, all of which is on the device now, and the folder of its site."""
    folder, address = web_space
    write_folder(version(1), folder)
    page.goto(address)
    expect_version(page, 1)
    page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")
    return folder, page


def test_a_republished_site_is_new_as_a_whole_when_it_is_loaded_again(visited):
    folder, page = visited
    publish_again(folder, page)
    reload_until_new(page)


@pytest.mark.parametrize("name", ["index.html", "later.js"])
def test_a_login_page_never_takes_the_place_of_the_site(visited, name):
    folder, page = visited
    (folder / "login.html").write_text("<!DOCTYPE html><title>Log in</title>")
    (folder / "login").write_text(name)
    write_folder(version(2), folder)
    assert page.evaluate(INSTALLED) == "redundant"
    page.reload()
    expect_version(page, 1)
    (folder / "login").unlink()
    publish_again(folder, page)
    reload_until_new(page)


def test_two_sites_of_one_address_are_both_kept_on_the_device(page, web_space):
    folder, address = web_space
    for name in ("one", "two"):
        write_folder(version(name), folder / name)
        page.goto(f"{address}{name}/")
        expect_version(page, name)
        page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")
    kept = page.evaluate("caches.keys()")
    assert sorted(name.split()[1] for name in kept) == [f"{address}one/", f"{address}two/"]


def test_where_nothing_kept_can_be_read_the_network_answers(page, web_space):
    folder, address = web_space
    files = version(1)
    refuses = (
        b"addEventListener('fetch', () => { caches.open = () => Promise.reject(new Error()); });"
    )
    files["service-worker.js"] = refuses + files["service-worker.js"]
    write_folder(files, folder)
    page.goto(address)
    page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")
    page.reload()
    expect_version(page, 1)


def test_a_page_stays_of_its_version_while_another_one_is_open(visited):
    folder, page = visited
    other = page.context.new_page()
    other.goto(page.url)
    publish_again(folder, page)
    other.reload()
    expect_version(other, 1)
    expect_version(page, 1)
    other.close()
    reload_until_new(page)
