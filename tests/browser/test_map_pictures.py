"""Pictures of maps as a browser draws them: words inside their boxes, cards in their own colours."""

import io
from random import Random

import pytest
from matplotlib.image import imread
from playwright.sync_api import Page

from coursekit.maps.drawing import draw_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import starter_map

WORDS = (
    "維基百科",
    "可以查證的來源",
    "reliable sources",
    "WWW",
    "illicit",
    "& <b>",
    "Über",
    "1,000",
)
OUTSIDE = """() => {
  const paper = document.querySelector("svg > g > rect").getBoundingClientRect();
  const outside = [];
  let frame = paper;
  for (const part of document.querySelectorAll("svg > g rect, text")) {
    const box = part.getBoundingClientRect();
    if (part.tagName === "rect") {
      if (!part.closest(".ck-kept")) frame = box;
    } else {
      const inside = part.closest("[text-anchor]").getAttribute("text-anchor") === "start" ? paper : frame;
      if (box.left < inside.left || box.right > inside.right) outside.push(part.textContent);
    }
  }
  return outside;
}"""
"""Returns the words that begin or end outside their box, or those of the legend outside the paper."""


@pytest.mark.parametrize("seed", range(4))
def test_words_stay_inside_their_boxes(page: Page, seed: int) -> None:
    chance = Random(seed)
    mind_map = MindMap(" ".join(chance.choices(WORDS, k=chance.randrange(1, 40))))
    for number in range(12):
        mind_map.add(" ".join(chance.choices(WORDS, k=chance.randrange(1, 4))) + str(number))
    ids = list(mind_map.concepts)
    for start, end in zip(ids, chance.sample(ids[1:], 11)):
        if start != end:
            mind_map.link(start, " ".join(chance.choices(WORDS, k=2)), end)
    for shown in (mind_map, starter_map("knitwit", "en"), starter_map("wikipedia", "zh-Hant")):
        for language in ("en", "zh-Hant"):
            page.set_content(draw_map(shown, language).svg.decode().partition("?>")[2])
            assert page.locator("text").count() > 12
            assert page.evaluate(OUTSIDE) == []


def test_a_dark_page_shows_a_dark_map_with_cards_in_their_own_colours(page: Page) -> None:
    picture = draw_map(starter_map("wikipedia", "en"), "en")
    ground = []
    colours = []
    for is_light in ("true", "false"):
        page.set_content(f'<body data-jp-theme-light="{is_light}">{picture._repr_html_()}')
        page.locator("img").evaluate("image => image.decode()")
        pixels = imread(io.BytesIO(page.locator("img").screenshot()))[..., :3]
        ground.append(pixels[4:8, 30:60].mean())
        strong = pixels[pixels.max(2) - pixels.min(2) > 0.6]  # as pictures are, and no paper
        colours.append(len(strong))
    assert ground[0] > 0.9
    assert ground[1] < 0.2
    assert colours[1] > 0.8 * colours[0] > 100
