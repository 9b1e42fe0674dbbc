"""A site that is published again, on a web space that lets browsers keep its files."""

import functools
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from lanes import START
from playwright.sync_api import expect

from coursekit.site.build import service_worker, write_folder

SAYS = "document.body.dataset.{} = '{}';"
REGISTERS = "navigator.serviceWorker.register('service-worker.js');"
UPDATE = """async () => {
    const found = await navigator.serviceWorker.ready;
    await found.update(); // may be answered by an update that began before the files were written
    return found.waiting !== null;
}"""


def version(number):
    """Return a site in which page and scripts say which version they are of."""
    html = f'<!DOCTYPE html><body data-page="{number}"><script src="at-once.js"></script>'
    files = {
        "index.html": html,
        "at-once.js": SAYS.format("once", number) + REGISTERS,
        "later.js": SAYS.format("later", number),
    }
    site = {name: content.encode() for name, content in files.items()}
    return site | {"service-worker.js": service_worker(site).encode()}


class Keeping(SimpleHTTPRequestHandler):
    """A web space as GitHub Pages: files may be kept for ten minutes."""

    def send_head(self):
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
