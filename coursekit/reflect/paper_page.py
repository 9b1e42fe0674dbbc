"""A page for paper: one HTML file that loads nothing and runs nothing, for the hand-in and the
debrief.
"""

from html import escape

from coursekit.reflect.static_files import STATIC

STYLE = (STATIC / "paper.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What a browser may do with the page: show it."""


def sheet(title: str, header: str, body: str, language: str) -> str:
    """Return a page.

    :param title: the title in the browser.
    :param header: the top of the page, as HTML.
    :param body: the rest, as HTML.
    """
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body><header>{header}</header>\n<main>{body}</main></body></html>\n"
    )
