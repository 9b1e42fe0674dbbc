"""A figure is dark where its page is dark, and light on paper, in words the same."""

import io

import pytest
from matplotlib.image import imread
from playwright.sync_api import Page

from coursekit.figures import Picture, bars

PAGE = '<body data-jp-theme-light="%s" style="margin: 0">%s'


def brightness(page: Page) -> float:
    """Return how bright the ground of the figure is, from 0 to 1."""
    image = page.get_by_role("img", name="a: one 2.")
    image.evaluate("image => image.decode()")
    return float(imread(io.BytesIO(image.screenshot()))[20:24, 20:24, :3].mean())


@pytest.fixture(scope="module")
def drawn() -> Picture:
    return bars(["a"], {"one": [2]}, "x", "en")


@pytest.mark.parametrize(
    "system", ["light", "dark"]
)  # JupyterLab's theme need not be that of the computer
def test_a_figure_follows_its_page_and_stays_light_on_paper(
    page: Page, drawn: Picture, system: str
) -> None:
    page.emulate_media(color_scheme=system)
    page.set_content(PAGE % ("false", drawn._repr_html_()))
    assert brightness(page) < 0.2
    page.emulate_media(media="print")
    assert brightness(page) > 0.9
    page.emulate_media(media="screen")
    page.set_content(PAGE % ("true", drawn._repr_html_()))
    assert brightness(page) > 0.9
    page.set_content(PAGE % ("false", drawn.html(paper=True)))
    assert brightness(page) > 0.9
