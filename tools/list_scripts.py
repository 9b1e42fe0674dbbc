"""List the scripts of a dashboard, which the start page fetches ahead (``serve/preload.py``).

    python -m tools.list_scripts

To be run when Voilà, ipywidgets or anywidget has changed; needs Chromium and the packages of
``.[test]``.
"""

from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from benchmarks.browser import CHROMIUM, QUIET, Served
from coursekit.serve.preload import LIST, PLACES


def main() -> None:
    """Open a lesson in a browser that knows nothing yet, and write down what it asks for."""
    server = Served()
    asked: list[str] = []
    try:
        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET).new_page()
            page.goto(server.address)
            page.wait_for_url(lambda url: "key=" not in url)
            page.on(
                "request", lambda request: asked.append(request.url.removeprefix(f"{server.base}/"))
            )
            page.goto(f"{server.base}/voila/render/zh/wizard.ipynb#everything")
            page.wait_for_selector("#loading", state="detached")
            page.wait_for_load_state("networkidle")
    finally:
        server.process.terminate()
    found = sorted(
        {
            each
            for each in asked
            if each.startswith(tuple(PLACES)) and urlsplit(each).path.endswith(".js")
        }
    )
    LIST.write_text("".join(f"{each}\n" for each in found), encoding="utf-8")
    print(len(found), "scripts")


if __name__ == "__main__":
    main()
