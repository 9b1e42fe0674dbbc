"""Figures: every character the kit writes can be drawn, and a picture says what it shows."""

import json
import subprocess
import sys
import warnings
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest

from coursekit.figures import (
    FAMILIES,
    HATCHES,
    MARKERS,
    PALETTE,
    Area,
    Axis,
    Cells,
    Note,
    Panel,
    Points,
    Rule,
    bars,
    figure_style,
    missing_letters,
    picture,
    stack_bars,
)
from coursekit.figures.figure_data import draw_panels
from coursekit.figures.picture import FONTS
from coursekit.kit import GAMES
from coursekit.words import texts

ROOT = Path(__file__).parents[2]


def written() -> dict[str, str]:
    """Return everything the kit writes, by where it stands."""
    found = {
        f"texts of {game}": json.dumps(texts.load_texts(game), ensure_ascii=False)
        for game in ("", *GAMES)
    }
    for notebook in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        found[str(notebook.relative_to(ROOT))] = "".join("".join(cell["source"]) for cell in cells)
    for data in sorted((ROOT / "coursekit").rglob("*.csv")):
        if data.name == "sources.csv":
            continue  # no figure draws a citation
        found[str(data.relative_to(ROOT))] = data.read_text(encoding="utf-8")
    return found


def test_every_character_of_texts_notebooks_and_data_is_in_the_fonts() -> None:
    assert {
        place: missing_letters(words)
        for place, words in written().items()
        if missing_letters(words)
    } == {}


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_character_of_the_texts_is_drawn_without_a_missing_glyph(language: str) -> None:
    from matplotlib import pyplot

    said = (words[language] for game in ("", *GAMES) for words in texts.load_texts(game).values())
    characters = "".join(sorted(set().union(*said) - {"\n"}))
    with warnings.catch_warnings(), figure_style(language):
        warnings.simplefilter("error")
        figure = pyplot.figure(figsize=(20, 20), layout="none")
        for start in range(0, len(characters), 60):
            figure.text(0, 0, characters[start : start + 60], parse_math=False)
        figure.canvas.draw()
        pyplot.close(figure)


def test_the_characters_a_class_may_bring_are_there() -> None:
    assert (
        missing_letters("瘂弦 林亨泰 ㄅㄆㄇ「」…—、。！？ − × ÷ ≤ ≥ ≠ ± → ← ✓ ✗ ♠♥♦♣ ①② ☆★ Œé")
        == ""
    )


def test_the_licence_stays_with_the_fonts() -> None:
    from matplotlib.font_manager import get_font

    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text(encoding="utf-8")
    for file in FONTS.glob("*.otf"):
        names = get_font(file).get_sfnt()
        assert any(
            b"SIL Open Font License" in value.replace(b"\0", b"") for value in names.values()
        )
    assert sum(file.stat().st_size for file in FONTS.iterdir()) < 2.5e6


def test_a_missing_glyph_is_one_clear_warning() -> None:
    from matplotlib import pyplot

    with figure_style("en"):
        figure, axes = pyplot.subplots()
        axes.set_title("龘 and 龘 and 𪚥")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        picture(figure, "a test", language="en")
    assert [str(warning.message) for warning in caught] == [
        "The figure has characters that no font of the kit can draw; they show as boxes: 龘𪚥"
    ]


def test_a_picture_has_an_alternative_text_and_no_markup_of_others() -> None:
    from matplotlib import pyplot

    with figure_style():
        figure, _ = pyplot.subplots()
    shown = picture(figure, 'a "<b>', "below <i>")
    assert pyplot.get_fignums() == []
    html = shown._repr_html_()
    assert 'alt="a &#34;&lt;b&gt;"' in html
    assert "<figcaption>below &lt;i&gt;</figcaption>" in html
    assert repr(shown) == "Picture('a \"<b>')"


def test_the_style_ends_with_its_block_and_knows_its_languages() -> None:
    from matplotlib import rcParams

    before = rcParams["font.family"]
    with figure_style("zh-Hans"):
        assert rcParams["font.family"] == [FAMILIES[1], FAMILIES[0], FAMILIES[2]]
        assert rcParams["axes.facecolor"] == "#ffffff"
    assert rcParams["font.family"] == before
    with (
        pytest.raises(ValueError, match="no language 'fr'"),
        figure_style("fr"),
    ):
        pass


def test_neighbouring_colours_differ_in_lightness() -> None:
    light = [lightness(colour) for colour in PALETTE]
    assert all(abs(one - other) > 15 for one, other in pairwise(light))
    assert len(PALETTE) == len(HATCHES) == len(MARKERS)


def lightness(colour: str) -> float:
    """Return CIE L* of *colour*, 0 black to 100 white."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * (y ** (1 / 3) if y > 0.008856 else 7.787 * y + 16 / 116) - 16


def test_matplotlib_is_loaded_only_when_a_figure_is_drawn() -> None:
    loaded = "import sys, coursekit.figures; print('matplotlib' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True).stdout
        == "False\n"
    )


@pytest.mark.parametrize("together", [True, False])
def test_bars_say_every_number_that_they_show(together: bool) -> None:
    shown = bars(
        ["甲", "乙"], {"used": [3, 0], "left": [1, 2.5]}, "times", "en", "What was done.", together
    )
    assert shown.alt == "What was done. 甲: used 3, left 1. 乙: used 0, left 2.5."
    assert shown.caption == "What was done."
    with pytest.raises(ValueError, match="shorter"):
        bars(["甲", "乙"], {"used": [3]}, "times", "en")


def test_a_picture_is_drawn_once_when_it_is_looked_at_and_in_the_style_of_the_kit() -> None:
    from matplotlib import pyplot, rcParams
    from matplotlib.figure import Figure

    drawn: list[str] = []

    def draw() -> Figure:
        drawn.append(rcParams["font.family"][0])
        return pyplot.subplots()[0]

    shown = picture(draw, "what", "caption", "zh-Hans")
    assert (shown.alt, shown.caption, drawn) == ("what", "caption", [])
    assert shown._repr_html_() == shown._repr_html_() != shown.html(paper=True)
    assert drawn == ["Coursekit SC"]
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize(
    ("alt", "caption", "under"),
    [
        ("A is 1 <b>.", "Counted once.", "Counted once."),
        ("Counted once. A is 1.", "Counted once.", ""),
        ("A", "", ""),
    ],
)
def test_without_matplotlib_a_picture_is_told_in_words(
    alt: str, caption: str, under: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = picture(lambda: pytest.fail("drawn"), alt, caption, "en")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for html in (shown._repr_html_(), shown.html(paper=True)):
        assert (
            f'<figure class="ck-figure ck-words" style="margin: 0.5rem 0"><p>{escape(alt)}</p>'
            in html
        )
        assert (
            f'<figcaption>{under}<small style="display: block">The picture itself is drawn where'
            in html
        )
    with pytest.raises(ImportError):
        assert shown.svg


def test_a_panel_draws_its_layers_and_each_name_once_in_the_legend() -> None:
    from matplotlib.text import Text

    layers = [
        Area([0, 1], [0, 0], [1, 2], "reach"),
        *stack_bars({"used": [1, 2], "left": [2, 1]}),
        Points([1, 2], [0, 1], "mean", error=[[0.1, 0.1], [0.2, 0.2]]),
        Points([1, 2], [1, 0], "mean"),
        Rule(1.5, upright=True, name="limit"),
        Cells([(0, 0)], ["4"], "met"),
        Cells([], name="missed"),
        Note("beyond", 3, 1),
    ]
    panel = Panel(layers, "Title", Axis("times"), Axis(names=["Ann", "Ben"], down=True))
    words: list[str] = []
    with figure_style("en"):
        figure = draw_panels([panel, panel])
        words = [text.get_text() for text in figure.findobj(Text)]
        above, _ = figure.axes
        assert above.yaxis.get_inverted()
        assert [patch.get_x() for patch in above.containers[1]] == [1, 2]
    for name in ("reach", "used", "left", "mean", "limit", "met", "missed"):
        assert words.count(name) == 1
    for word in ("Ann", "Ben", "times", "Title", "4", "beyond"):
        assert words.count(word) >= 2
